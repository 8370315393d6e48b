"""Reading and writing the files of a checkpoint, as the graphs of saved models do it."""

from __future__ import annotations

import glob
import os
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.paths import text_of
from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw
from tapeflow.train.bundle import Bundle, data_path, index_path, write_bundle


def _whole(op: str, slices: np.ndarray) -> None:
    if any(slices):
        raise errors.UnimplementedError(None, None, f"{op} of slices of tensors")


def _names(names: np.ndarray) -> list[str]:
    return [text_of(one) for one in names]


@raw
def RestoreV2(prefix: Any, tensor_names: Any, shape_and_slices: Any, dtypes: list) -> Any:
    def read(prefix: bytes, names: np.ndarray, slices: np.ndarray) -> list[np.ndarray]:
        _whole("RestoreV2", slices)
        with Bundle(text_of(prefix)) as bundle:
            return [bundle.read(one) for one in _names(names)]

    found = tf.numpy_function(read, [prefix, tensor_names, shape_and_slices], dtypes)
    return [[found] if isinstance(found, Tensor) else list(found)]


@raw
def SaveV2(prefix: Any, tensor_names: Any, shape_and_slices: Any, tensors: list) -> Any:
    def write(prefix: bytes, names: np.ndarray, slices: np.ndarray, *values: np.ndarray) -> None:
        _whole("SaveV2", slices)
        write_bundle(text_of(prefix), dict(zip(_names(names), values, strict=True)))

    tf.numpy_function(write, [prefix, tensor_names, shape_and_slices, *tensors], [])
    return ()


@raw
def ShardedFilename(basename: Any, shard: Any, num_shards: Any) -> Any:
    number, count = [tf.strings.as_string(one, width=5, fill="0") for one in (shard, num_shards)]
    return tf.strings.join([basename, "-", number, "-of-", count])


@raw
def MergeV2Checkpoints(checkpoint_prefixes: Any, destination_prefix: Any, delete_old_dirs: bool,
                       allow_missing_files: bool) -> Any:
    def merge(prefixes: np.ndarray, destination: bytes) -> None:
        held: dict[str, Any] = {}
        found = [one for one in _names(prefixes)
                 if not allow_missing_files or os.path.exists(index_path(one))]
        for prefix in found:
            with Bundle(prefix) as bundle:
                held.update({name: bundle.read(name) for name in bundle.entries})
        write_bundle(text_of(destination), held)
        for prefix in found:
            if delete_old_dirs:
                _delete(prefix)

    tf.numpy_function(merge, [checkpoint_prefixes, destination_prefix], [])
    return ()


def _delete(prefix: str) -> None:
    """Remove a checkpoint's files, and its folder if nothing is left in it."""
    data = glob.glob(glob.escape(data_path(prefix).partition(".data-")[0]) + ".data-*")
    for path in (index_path(prefix), *data):
        os.remove(path)
    folder = os.path.dirname(prefix)
    if folder and not os.listdir(folder):
        os.rmdir(folder)
