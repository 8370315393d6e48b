"""tf.io.gfile: files of this machine, with the words and errors of TensorFlow's file systems."""

from __future__ import annotations

import contextlib
import glob as globbing
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.paths import text_of, translated

_MODES = ("r", "w", "a", "r+", "w+", "a+")


def _path(value: Any) -> str:
    if isinstance(value, Tensor):
        raise TypeError(f"Expected binary or unicode string, got {value!r}")
    return text_of(value)


@export("io.gfile.GFile", "compat.v1.gfile.GFile", "compat.v1.gfile.Open",
        "compat.v1.gfile.FastGFile")
class GFile:
    """A file opened lazily: for reading at the first read, for writing at the first write."""

    def __init__(self, name: Any, mode: str = "r"):
        self._name, self._mode = name, mode
        self._binary = "b" in mode
        self._kind = mode.replace("b", "")
        if self._kind not in _MODES:
            raise errors.InvalidArgumentError(
                None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._path = _path(name)
        self._file: Any = None

    @property
    def name(self) -> Any:
        return self._name

    @property
    def mode(self) -> str:
        return self._mode

    def _open(self, writing: bool) -> Any:
        allowed = self._kind != "r" if writing else self._kind not in ("w", "a")
        if not allowed:
            what = "writing" if writing else "reading"
            raise errors.PermissionDeniedError(None, None, f"File isn't open for {what}")
        if self._file is None:
            with translated(self._path):
                self._file = open(self._path, self._kind + "b")
        return self._file

    def _given(self, data: bytes) -> Any:
        return data if self._binary else data.decode("utf-8")

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes, or all that is left; text unless the mode has a `b`."""
        file = self._open(False)
        with translated(self._path):
            return self._given(file.read(n))

    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
        file = self._open(False)
        with translated(self._path):
            return self._given(file.readline())

    def readlines(self) -> list:
        """All lines that are left."""
        return list(self)

    def __iter__(self) -> GFile:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def write(self, file_content: Any) -> None:
        """Append bytes or text."""
        data = file_content.encode() if isinstance(file_content, str) else file_content
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"Expected binary or unicode string, got {file_content!r}")
        file = self._open(True)
        with translated(self._path):
            file.write(data)

    def size(self) -> int:
        """The length of the file."""
        self.flush()
        return stat(self._path).length

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to an offset in the file."""
        if position is not None:
            offset = position
        elif offset is None:
            raise TypeError("seek(): offset argument required")
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(None, None, f"Invalid whence argument: {whence}. "
                                              "Valid values are 0, 1, or 2.")
        file = self._open(False)
        with translated(self._path):
            file.seek(offset, whence)

    def tell(self) -> int:
        """The offset in the file."""
        if self._kind in ("r", "r+"):
            return self._open(False).tell()
        if self._file is None:
            self._open(True)
        return self._file.tell()

    def seekable(self) -> bool:
        return True

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        if self._file is not None and self._kind != "r":
            with translated(self._path):
                self._file.flush()

    def close(self) -> None:
        """Close the file; writing again opens it anew."""
        if self._file is not None:
            file, self._file = self._file, None
            with translated(self._path):
                file.close()

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            with contextlib.suppress(Exception):  # nobody is there to hear it
                self.close()


GFile.__module__ = "tensorflow.python.platform.gfile"
io.IOBase.register(GFile)


# -- questions -------------------------------------------------------------------------------------
class FileStatistics(NamedTuple):
    """Length, time of the last change and kind of a file."""

    length: int
    mtime_nsec: int
    is_directory: bool


@export("io.gfile.stat")
def stat(path: Any) -> FileStatistics:
    """Length, time of the last change and kind of a file."""
    name = _path(path)
    with translated(name):
        found = os.stat(name)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(name))


@export("io.gfile.exists")
def exists(path: Any) -> bool:
    """Whether there is a file or folder of this name."""
    return os.path.exists(_path(path))


@export("io.gfile.isdir")
def isdir(path: Any) -> bool:
    """Whether there is a folder of this name."""
    return os.path.isdir(_path(path))


@export("io.gfile.listdir")
def listdir(path: Any) -> list[str]:
    """The names in a folder, in no order."""
    name = _path(path)
    if not os.path.isdir(name):
        raise errors.NotFoundError(None, None, f"Could not find directory {name}")
    with translated(name):
        return os.listdir(name)


def matching(pattern: Any) -> list[str]:
    """Paths that match a pattern; `*` and `?` stop at slashes and match leading dots.

    A backslash takes the meaning of the character behind it, `[^a]` is `[!a]`, and slashes at the
    end count for nothing.
    """
    path = _path(pattern)
    text = re.sub(r"\\(.)", r"[\1]", path).replace("[^", "[!").rstrip("/") or path[:1]
    return globbing.glob(text, include_hidden=True)


@export("io.gfile.glob")
def glob(pattern: Any) -> list[str]:
    """Paths that match a pattern, or any of several."""
    if isinstance(pattern, (str, bytes)) or hasattr(pattern, "__fspath__"):
        return matching(pattern)
    return [path for one in pattern for path in matching(one)]


@export("io.gfile.walk")
def walk(top: Any, topdown: bool = True, onerror: Callable | None = None
         ) -> Iterator[tuple[str, list[str], list[str]]]:
    """(folder, its folders, its files) of a tree."""
    name = _path(top)
    try:
        listed = listdir(name)
    except errors.NotFoundError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [one for one in listed if os.path.isdir(os.path.join(name, one))]
    files = [one for one in listed if one not in folders]
    if topdown:
        yield name, folders, files
    for folder in folders:
        yield from walk(os.path.join(name, folder), topdown, onerror)
    if not topdown:
        yield name, folders, files


@export("io.gfile.join")
def join(path: Any, *paths: Any) -> Any:
    """Paths joined by slashes; an absolute one starts anew."""
    return os.path.join(path, *paths)


@export("io.gfile.get_registered_schemes")
def get_registered_schemes() -> list[str]:
    """The kinds of file systems that there are."""
    return ["file", ""]


# -- changes ---------------------------------------------------------------------------------------
@export("io.gfile.mkdir")
def mkdir(path: Any) -> None:
    """Make a folder; nothing if it is there."""
    name = _path(path)
    with translated(name):
        if not os.path.isdir(name):
            os.mkdir(name)


@export("io.gfile.makedirs")
def makedirs(path: Any) -> None:
    """Make a folder and those above it; nothing if it is there."""
    name = _path(path)
    with translated(name):
        os.makedirs(name, exist_ok=True)


@export("io.gfile.copy")
def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file."""
    source, target = _path(src), _path(dst)
    _refuse_existing(target, overwrite)
    with translated(source):
        shutil.copyfile(source, target)


@export("io.gfile.rename")
def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name."""
    source, target = _path(src), _path(dst)
    _refuse_existing(target, overwrite)
    with translated(source):
        os.replace(source, target)


def _refuse_existing(target: str, overwrite: bool) -> None:
    if not overwrite and os.path.exists(target):
        raise errors.AlreadyExistsError(None, None, "file already exists")


@export("io.gfile.remove")
def remove(path: Any) -> None:
    """Delete a file."""
    name = _path(path)
    with translated(name):
        os.remove(name)


@export("io.gfile.rmtree")
def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it."""
    name = _path(path)
    if not os.path.exists(name):
        raise errors.NotFoundError(None, None, f"{name} not found")
    with translated(name):
        shutil.rmtree(name)
