"""The files of a saved model beside its graph: variables, assets; and how damage is told."""

from __future__ import annotations

import os
from typing import Any


class Damaged(ValueError):
    """The file says something that no saved model says."""


def pick(listed: Any, index: Any) -> Any:
    """The element at an index, which may be anything in a file."""
    if type(index) is not int or not 0 <= index < len(listed):
        raise Damaged(f"there is no number {index!r} among {len(listed)}")
    return listed[index]


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


def free_name(name: str, taken: set[str]) -> str:
    """The name of a file, with a number if it is taken."""
    stem, end = os.path.splitext(name)
    count, found = 0, name
    while found in taken:
        count += 1
        found = f"{stem}_{count}{end}"
    return found
