"""Folders that change as a whole: a reader finds all of the old files or all of the new ones.

`with replacing_folder(path, marker) as part:` gives a new folder beside `path` to write to. At the
end the two exchange their names, in one call of the system; what else the old folder held is linked
into the new one before. Where the system cannot exchange names, or the new folder had to be made
inside of the old one (no right to write beside it, a mounted disk, the folder that the process is
in), files get their names one by one, those of the folder itself last.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
from collections.abc import Iterator

from tapeflow.base.exception_origin import ignoring, unsignalled
from tapeflow.base.process import atomic_files

_HERE = -100  # AT_FDCWD: names are relative to the process's folder
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


@contextlib.contextmanager
def replacing_folder(path: str, marker: str) -> Iterator[str]:
    """A folder to write to, which becomes `path` if nothing fails.

    `marker` is the file without which there is nothing at `path` that must stay whole.
    """
    home = os.path.realpath(path)
    part = _beside(home) or _inside(home)
    try:
        yield part
        whole = os.path.dirname(part) != home
        if whole and os.path.exists(os.path.join(home, marker)):
            _link_rest(home, part)
            shutil.copymode(home, part)
            whole = _exchanged(part, home)
        elif whole:
            whole = _renamed(part, home)
        if not whole:
            _move(part, home)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        atomic_files.forget(part)


def _beside(home: str) -> str | None:
    """A new folder beside `home`; None if there can be none, or it could not take its place."""
    with ignoring(OSError):  # a process whose folder is gone is in no folder
        if os.path.commonpath([home, os.path.realpath(os.getcwd())]) == home:
            return None
    if os.path.ismount(home):
        return None
    parent = os.path.dirname(home)
    if not os.path.isdir(parent):
        os.makedirs(home)  # says what is wrong if this cannot be a folder
    atomic_files.clear(parent)
    return _made(atomic_files.part_of(home)) if os.access(parent, os.W_OK | os.X_OK) else None


def _inside(home: str) -> str:
    os.makedirs(home, exist_ok=True)
    atomic_files.clear(home)
    return _made(atomic_files.part_of(os.path.join(home, "new")))


def _made(folder: str) -> str:
    os.mkdir(folder)
    return folder


def _renamed(part: str, home: str) -> bool:
    """Give a folder a name that nothing has, or an empty folder."""
    try:
        os.rename(part, home)
    except unsignalled(OSError):
        return False
    return True


def _exchanged(part: str, home: str) -> bool:
    """Exchange the names of two folders, if the system can."""
    library = ctypes.CDLL(None)
    names = os.fsencode(part), os.fsencode(home)
    if sys.platform == "darwin":
        return hasattr(library, "renamex_np") and not library.renamex_np(*names, _EXCHANGE)
    return hasattr(library, "renameat2") and not library.renameat2(
        _HERE, names[0], _HERE, names[1], _EXCHANGE)


def _link_rest(old: str, new: str) -> None:
    """Link what only the old folder has into the new one."""
    for entry in list(os.scandir(old)):
        target = os.path.join(new, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not os.path.lexists(target):
                shutil.copymode(entry.path, _made(target))
            if os.path.isdir(target):
                _link_rest(entry.path, target)
        elif not os.path.lexists(target):
            try:
                os.link(entry.path, target, follow_symlinks=False)
            except unsignalled(OSError):  # a file system without links
                shutil.copy2(entry.path, target, follow_symlinks=False)


def _move(part: str, home: str) -> None:
    """Give files their names one by one, those of the folder itself last."""
    for folder, _, files in sorted(os.walk(part), reverse=True):
        target = os.path.join(home, os.path.relpath(folder, part))
        os.makedirs(target, exist_ok=True)
        for name in sorted(files):
            os.replace(os.path.join(folder, name), os.path.join(target, name))
