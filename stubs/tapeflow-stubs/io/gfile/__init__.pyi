# Written by tools/stubs.py (make stubs).
"""tf.io.gfile"""

from collections.abc import Callable, Iterator
from typing import Any

import tapeflow as tf
from tapeflow._typing import FileStatistics, IntLike

def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file."""

def exists(path: Any) -> bool:
    """Whether there is a file or folder of this name."""

def get_registered_schemes() -> list[str]:
    """The kinds of file systems that there are."""

class GFile:
    """A file opened lazily: for reading at the first read, for writing at the first write."""
    def __init__(self, name: str | None, mode: str = 'r') -> None: ...
    @property
    def name(self) -> Any: ...
    @property
    def mode(self) -> str: ...
    def read(self, n: IntLike = -1) -> Any:
        """The next `n` bytes, or all that is left; text unless the mode has a `b`."""
    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
    def readlines(self) -> list:
        """All lines that are left."""
    def __iter__(self) -> tf.io.gfile.GFile: ...
    def __next__(self) -> Any: ...
    def next(self) -> Any: ...
    def write(self, file_content: Any) -> None:
        """Append bytes or text."""
    def size(self) -> int:
        """The length of the file."""
    def seek(
        self, offset: IntLike | None = None, whence: IntLike = 0, position: IntLike | None = None,
    ) -> None:
        """Go to an offset in the file."""
    def tell(self) -> int:
        """The offset in the file."""
    def seekable(self) -> bool: ...
    def flush(self) -> None:
        """Hand what was written to the operating system."""
    def close(self) -> None:
        """Close the file; writing again opens it anew."""
    def __enter__(self) -> tf.io.gfile.GFile: ...
    def __exit__(self, *failure: Any) -> None: ...

def glob(pattern: Any) -> list[str]:
    """Paths that match a pattern, or any of several."""

def isdir(path: Any) -> bool:
    """Whether there is a folder of this name."""

def join(path: Any, *paths: Any) -> Any:
    """Paths joined by slashes; an absolute one starts anew."""

def listdir(path: Any) -> list[str]:
    """The names in a folder, in no order."""

def makedirs(path: Any) -> None:
    """Make a folder and those above it; nothing if it is there."""

def mkdir(path: Any) -> None:
    """Make a folder; nothing if it is there."""

def remove(path: Any) -> None:
    """Delete a file."""

def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name."""

def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it."""

def stat(path: Any) -> FileStatistics:
    """Length, time of the last change and kind of a file."""

def walk(
    top: Any, topdown: bool = True, onerror: Callable | None = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """(folder, its folders, its files) of a tree."""
