"""Files that get their name only when they are whole.

`with replacing(path) as file:` writes beside `path` and renames at the end, so that readers find
the old file or the new one. What fails removes its part; a process that is killed cannot, so the
next one that writes in the same folder removes the parts of processes that are gone.

`with replacing_both(first, second)` is for two files that belong together, which no file system
renames at once. What a process left that was killed between the two renames is a part of the second
without one of the first: it gets its name from the next one that writes, or reads, in the folder.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import socket
import time
from collections.abc import Iterator
from typing import Any

from tapeflow.base.exception_origin import ignoring, unsignalled

_serial = itertools.count()
_open: set[str] = set()  # the parts that this process is writing
_NAME = re.compile(r"\.part-(\d+)-\d+-([\w.-]*)\.tapeflow$")
_SECOND = "-second"  # ends the host in the name of a part that waits for another
DAY = 86_400  # seconds after which a part is nobody's, whoever wrote it


def _host() -> str:
    return re.sub(r"[^\w.-]", "_", socket.gethostname())


def part_of(path: str) -> str:
    """A name for the unfinished file of `path`: who writes it, and the how manieth it is."""
    name = f"{path}.part-{os.getpid()}-{next(_serial)}-{_host()}.tapeflow"
    _open.add(name)
    return name


def clear(folder: str) -> None:
    """Remove unfinished files and folders in a folder that nobody writes any more."""
    with ignoring(OSError), os.scandir(folder or ".") as entries:
        parts = [one for one in entries if one.name.endswith(".tapeflow")]
        for one in parts:
            with ignoring(OSError):  # another process has removed it
                if _abandoned(os.path.join(folder, one.name)):
                    if _half_renamed(one, [other.name for other in parts]):
                        os.replace(one.path, _NAME.sub("", one.path))
                    else:
                        _remove(one)


def _half_renamed(second: os.DirEntry, parts: list[str]) -> bool:
    """Whether a part is whole and belongs to a file that has its name already."""
    _, mark, writer = second.name.rpartition(".part-")
    if not writer.endswith(f"{_SECOND}.tapeflow"):
        return False
    first = f"{mark}{writer.replace(f'{_SECOND}.tapeflow', '.tapeflow')}"
    path = _NAME.sub("", second.path)
    return not any(name.endswith(first) for name in parts) and not (
        os.path.exists(path) and os.stat(path).st_mtime > second.stat().st_mtime)


def _remove(entry: os.DirEntry) -> None:
    if entry.is_dir(follow_symlinks=False):
        import shutil
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        os.unlink(entry.path)


def _abandoned(name: str) -> bool:
    found = _NAME.search(name)
    if found is None or name in _open:
        return False
    if os.stat(name).st_mtime < time.time() - DAY:
        return True
    if found[2].removesuffix(_SECOND) != _host():
        return False  # of another machine, on a shared disk
    process = int(found[1])
    return process == os.getpid() or not _alive(process)


def _alive(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except unsignalled(OSError, OverflowError):
        return True
    return True


def finish(part: str, path: str) -> None:
    """Give a part, which is whole now, its name."""
    os.replace(part, path)
    forget(part)


def drop(part: str) -> None:
    """Remove a part that will not be finished; nothing if it is not there."""
    with ignoring(OSError):
        os.unlink(part)
    forget(part)


def forget(part: str) -> None:
    """This process does not write a part any more."""
    _open.discard(part)


def _created(part: str, mode: int) -> Any:
    return open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
                        mode), "wb")


@contextlib.contextmanager
def replacing(path: str, mode: int = 0o666) -> Iterator[Any]:
    """A file to write bytes to, which becomes `path` if nothing fails."""
    clear(os.path.dirname(path))
    part = part_of(path)
    try:
        with _created(part, mode) as file:
            yield file
        finish(part, path)
    except BaseException:
        drop(part)
        raise


@contextlib.contextmanager
def replacing_both(first: str, second: str) -> Iterator[tuple[Any, Any]]:
    """Two files of one folder, which become `first` and `second` if nothing fails."""
    clear(os.path.dirname(first))
    part = part_of(first)
    start, end = len(first), len(".tapeflow")
    other = f"{second}{part[start:-end]}{_SECOND}.tapeflow"
    _open.add(other)
    try:
        with _created(part, 0o666) as file, _created(other, 0o666) as last:
            yield file, last
        finish(part, first)
        finish(other, second)
    except BaseException:
        drop(other)
        drop(part)
        raise
