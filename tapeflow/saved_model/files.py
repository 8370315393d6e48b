"""The files of a saved model beside its graph: those of variables, and assets."""

from __future__ import annotations

import os

from tapeflow.saved_model.damage import Damaged


def stored_bytes(folder: str) -> int | None:
    """The size of the variables' files; None if there are none."""
    inner = os.path.join(folder, "variables")
    try:
        found = [one.stat().st_size for one in os.scandir(inner) if ".data-" in one.name]
    except OSError:
        return None
    return sum(found) if found else None


def asset_path(folder: str, name: str) -> str:
    """The path of an asset, which lies in the folder of assets and nowhere else."""
    path = os.path.join(folder, "assets", name)
    home = os.path.realpath(folder)
    if name in ("", ".", "..") or "\0" in name or os.path.basename(path) != name or (
            os.path.commonpath([home, os.path.realpath(path)]) != home):
        raise Damaged(f"the asset {name!r} lies outside of the folder")
    return path
