"""The cache of compiled code on disk: only what this user wrote is ever read.

Code from the cache is executed, so a file counts only if it carries a digest made with a secret key
of the user's (`key`, mode 0600). Folders have mode 0700; a folder, file or key that belongs to
somebody else, or that others may write, is not used: one warning, then no cache. A file that is
damaged is made anew. Files are written under another name and renamed, so that processes may share
a cache.
"""

from __future__ import annotations

import functools
import hmac
import os
import stat
import sys
import tempfile
import warnings
from pathlib import Path

from tapeflow.base.exception_origin import ignoring, unsignalled
from tapeflow.base.process import atomic_files
from tapeflow.base.settings import settings

MAGIC = b"tapeflow object 2\n"
DIGEST_BYTES = 32
MAX_BYTES = 256 << 20  # of a cache, beyond which old objects are deleted
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class _Unsafe(Exception):
    """Somebody else can change this file or folder."""


def _home() -> Path:
    """The user's own folder for tapeflow."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tapeflow"


def folder() -> Path | None:
    """Where objects are kept: as the settings say, or in the user's cache folder; None: nowhere."""
    given = settings.folder_for_objects()
    if given is not None:
        return Path(given) if given else None
    return _home() / "objects"


# -- whose it is -----------------------------------------------------------------------------------
def _check(path: Path, status: os.stat_result) -> None:
    """Refuse what belongs to another user or may be written by others."""
    if not hasattr(os, "geteuid"):  # Windows: the user's folder has a list of who may do what
        return
    if status.st_uid != os.geteuid():
        raise _Unsafe(f"{path} belongs to another user")
    if status.st_mode & WRITABLE_BY_OTHERS:
        raise _Unsafe(f"{path} can be written by other users (mode "
                      f"{stat.S_IMODE(status.st_mode):o}; chmod go-w would mend that)")


def own_folder(path: Path) -> None:
    """Make a folder that nobody else can enter, or see that it is the user's own."""
    try:
        status = path.stat()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with ignoring(FileExistsError):
            path.mkdir(mode=0o700)
        status = path.stat()
    _check(path, status)


def _own_bytes(path: Path) -> bytes:
    """What a file of the user's own holds; never through a link."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
                     | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb", buffering=0) as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise _Unsafe(f"{path} is no file")
        _check(path, status)
        return file.read()


def _secret() -> bytes:
    """The key of this user's digests, which the first process makes."""
    home = _home()
    own_folder(home)
    path = home / "key"
    with ignoring(FileNotFoundError):
        found = _own_bytes(path)
        if len(found) == DIGEST_BYTES:
            return found
        path.unlink()  # a process that made it was killed, or the disk was full
    handle, name = tempfile.mkstemp(dir=home, prefix=".key")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(os.urandom(DIGEST_BYTES))
        try:
            os.link(name, path)  # of several processes the first one's key is everybody's
        except FileExistsError:
            pass
        except unsignalled(OSError):  # no links on this file system
            os.replace(name, path)
    finally:
        with ignoring(OSError):
            os.unlink(name)
    found = _own_bytes(path)
    if len(found) != DIGEST_BYTES:
        raise OSError("the key cannot be kept")
    return found


class _Cache:
    """A folder that was seen to be safe, with the user's key."""

    def __init__(self, root: Path):
        self.root = root
        own_folder(root)
        self._key = _secret()

    def digest(self, key: str, data: bytes) -> bytes:
        """Says that this user wrote these bytes under this name."""
        return hmac.digest(self._key, key.encode() + b"\n" + data, "sha256")


@functools.cache
def _cache_in(root: Path) -> _Cache | None:
    """The cache in a folder, if it may be used."""
    try:
        return _Cache(root)
    except _Unsafe as reason:
        warnings.warn(f"tapeflow keeps no compiled code: {reason}.", RuntimeWarning, stacklevel=2)
    except unsignalled(OSError, RuntimeError):  # a cache that cannot be written to is no error
        pass
    return None


def _current() -> _Cache | None:
    try:
        root = folder()
    except unsignalled(RuntimeError):  # the user has no home
        return None
    return None if root is None else _cache_in(root)


# -- objects ---------------------------------------------------------------------------------------
def read_cache(key: str) -> bytes | None:
    """The object of a key, if it is there, whole and written by this user."""
    cache = _current()
    if cache is None:
        return None
    path = cache.root / key[:2] / key
    try:
        data = _own_bytes(path)
    except unsignalled(OSError):
        return None
    except _Unsafe:
        data = b""
    start = len(MAGIC) + DIGEST_BYTES
    body = data[start:]
    if not data.startswith(MAGIC) or not hmac.compare_digest(
            cache.digest(key, body), data[len(MAGIC):start]):
        with ignoring(OSError):
            path.unlink()
        return None
    with ignoring(OSError):
        os.utime(path)
    return body


def write_cache(key: str, data: bytes) -> None:
    """Keep an object; a cache that cannot be written to is no error."""
    cache = _current()
    if cache is None:
        return
    try:
        inner = cache.root / key[:2]
        inner.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_files.replacing(str(inner / key), mode=0o600) as file:
            file.write(MAGIC + cache.digest(key, data) + data)
        if key.startswith("00"):  # now and then
            trim(cache.root)
    except unsignalled(OSError):
        pass


def trim(root: Path) -> None:
    """Delete the objects used longest ago when the cache has grown too large."""
    entries = []
    for path in root.glob("??/*"):
        with ignoring(OSError):
            status = path.stat()
            entries.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries, key=lambda entry: entry[0]):
        if total <= MAX_BYTES:
            break
        with ignoring(OSError):
            path.unlink()
            total -= size
