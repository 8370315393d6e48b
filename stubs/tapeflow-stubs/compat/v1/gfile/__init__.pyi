# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.gfile"""

from collections.abc import Iterator
from typing import Any

from tapeflow.io.gfile import GFile as _GFile, GFile as GFile

def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copy a file."""

def DeleteRecursively(dirname: Any) -> None:
    """Remove a folder and all that is in it."""

def Exists(filename: Any) -> bool:
    """Whether there is a file or folder."""

def Glob(filename: Any) -> list[str]:
    """The files that a pattern, or one of several, fits."""

def IsDirectory(dirname: Any) -> bool:
    """Whether there is a folder."""

def ListDirectory(dirname: Any) -> list[str]:
    """The names in a folder."""

def MakeDirs(dirname: Any) -> None:
    """Make a folder, and those above it."""

def MkDir(dirname: Any) -> None:
    """Make a folder in one that is there."""

def Remove(filename: Any) -> None:
    """Remove a file."""

def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name."""

def Stat(filename: Any) -> Any:
    """Size and time of a file."""

def Walk(top: Any, in_order: bool = True) -> Iterator[tuple]:
    """The folders below one, each with its folders and files; itself first, or last."""

FastGFile = _GFile
Open = _GFile
