"""tf.compat.v1.gfile: files and folders under the names of TensorFlow 1.

Loaded when one of its names is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export


@export("compat.v1.gfile.Exists")
def exists(filename: Any) -> bool:
    """Whether there is a file or folder."""
    return tf.io.gfile.exists(filename)


@export("compat.v1.gfile.IsDirectory")
def is_directory(dirname: Any) -> bool:
    """Whether there is a folder."""
    return tf.io.gfile.isdir(dirname)


@export("compat.v1.gfile.ListDirectory")
def list_directory(dirname: Any) -> list[str]:
    """The names in a folder."""
    return tf.io.gfile.listdir(dirname)


@export("compat.v1.gfile.Glob")
def glob(filename: Any) -> list[str]:
    """The files that a pattern, or one of several, fits."""
    return tf.io.gfile.glob(filename)


@export("compat.v1.gfile.Stat")
def stat(filename: Any) -> Any:
    """Size and time of a file."""
    return tf.io.gfile.stat(filename)


@export("compat.v1.gfile.Walk")
def walk(top: Any, in_order: bool = True) -> Iterator[tuple]:
    """The folders below one, each with its folders and files; itself first, or last."""
    return tf.io.gfile.walk(top, topdown=in_order)


@export("compat.v1.gfile.MkDir")
def make_directory(dirname: Any) -> None:
    """Make a folder in one that is there."""
    tf.io.gfile.mkdir(dirname)


@export("compat.v1.gfile.MakeDirs")
def make_directories(dirname: Any) -> None:
    """Make a folder, and those above it."""
    tf.io.gfile.makedirs(dirname)


@export("compat.v1.gfile.Copy")
def copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copy a file."""
    tf.io.gfile.copy(oldpath, newpath, overwrite)


@export("compat.v1.gfile.Rename")
def rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name."""
    tf.io.gfile.rename(oldname, newname, overwrite)


@export("compat.v1.gfile.Remove")
def remove(filename: Any) -> None:
    """Remove a file."""
    tf.io.gfile.remove(filename)


@export("compat.v1.gfile.DeleteRecursively")
def delete_recursively(dirname: Any) -> None:
    """Remove a folder and all that is in it."""
    tf.io.gfile.rmtree(dirname)
