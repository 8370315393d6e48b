"""What a path argument may be, and errors of the file system as TensorFlow's exceptions.

Imported by everything that opens files.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.values.tensor import Tensor

_BY_NUMBER = {
    errno.ENOENT: errors.NotFoundError, errno.EEXIST: errors.AlreadyExistsError,
    errno.EACCES: errors.PermissionDeniedError, errno.EPERM: errors.PermissionDeniedError,
    errno.EROFS: errors.PermissionDeniedError,
    errno.EISDIR: errors.FailedPreconditionError, errno.ENOTDIR: errors.FailedPreconditionError,
    errno.ENOTEMPTY: errors.FailedPreconditionError, errno.EBUSY: errors.FailedPreconditionError,
    errno.EINVAL: errors.InvalidArgumentError, errno.ENAMETOOLONG: errors.InvalidArgumentError,
    errno.ENOSPC: errors.ResourceExhaustedError, errno.EMFILE: errors.ResourceExhaustedError,
    errno.ENFILE: errors.ResourceExhaustedError, errno.ENOMEM: errors.ResourceExhaustedError,
    getattr(errno, "EDQUOT", errno.ENOSPC): errors.ResourceExhaustedError,
    errno.EFBIG: errors.OutOfRangeError,
}


def text_of(path: Any) -> str:
    """A path argument (str, bytes, PathLike, string tensor) as a str."""
    if isinstance(path, Tensor) and path._interpreter is None:
        path = path.numpy()
    if isinstance(path, (np.ndarray, np.generic)) and not path.ndim:
        path = path.item()
    if isinstance(path, os.PathLike):
        path = path.__fspath__()
    if isinstance(path, bytes):
        path = path.decode("utf-8", "surrogateescape")
    if not isinstance(path, str):
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    if path.startswith("file://"):
        return path[len("file://"):]
    scheme, found, _ = path.partition("://")
    if found and scheme.isalnum():
        raise errors.UnimplementedError(
            None, None, f"File system scheme '{scheme}' not implemented (file: '{path}')")
    return path


def error_of(path: str, error: OSError) -> errors.OpError:
    """TensorFlow's exception for what the operating system said of `path`."""
    kind: Any = _BY_NUMBER.get(error.errno or 0, errors.UnknownError)
    return kind(None, None, f"{path}; {error.strerror or error}")


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """`with translated(path):` errors of the file system become exceptions of `tf.errors`."""
    try:
        yield
    except OSError as error:
        raise error_of(path, error) from None
