"""Files that get their name only when they are whole.

`with replacing(path) as file:` writes beside `path` and renames at the end, so that readers find
the old file or the new one. What fails removes its part; a process that is killed cannot, so the
next one that writes in the same folder removes the parts of processes that are gone.
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
        for one in entries:
            if one.name.endswith(".tapeflow"):
                with ignoring(OSError):  # another process has removed it
                    if _abandoned(os.path.join(folder, one.name)):
                        _remove(one)


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
    if found[2] != _host():
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


@contextlib.contextmanager
def replacing(path: str, mode: int = 0o666) -> Iterator[Any]:
    """A file to write bytes to, which becomes `path` if nothing fails."""
    clear(os.path.dirname(path))
    part = part_of(path)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(
                os, "O_BINARY", 0), mode), "wb") as file:
            yield file
        finish(part, path)
    except BaseException:
        drop(part)
        raise
