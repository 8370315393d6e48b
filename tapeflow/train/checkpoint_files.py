"""Which checkpoints a folder holds: the file `checkpoint`, and readers of what is in a checkpoint.

Functions of `tf.train` that need no objects: latest_checkpoint, load_checkpoint, list_variables …
"""

from __future__ import annotations

import glob
import logging
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.process import atomic_files
from tapeflow.io.paths import text_of, translated
from tapeflow.io.protobuf import protos, text_format
from tapeflow.io.protobuf.fields import ENUMS
from tapeflow.train.bundle import Bundle, index_path


# -- the file `checkpoint` -------------------------------------------------------------------------
def state_path(folder: str, latest_filename: str | None = None) -> str:
    return os.path.join(folder, latest_filename or "checkpoint")


def write_state(folder: str, latest: str, paths: list[str], times: list[float] | None = None,
                preserved: float | None = None, latest_filename: str | None = None) -> None:
    """Write which checkpoints there are, by paths relative to the folder where they are in it."""
    def near(path: str) -> str:
        inside = os.path.dirname(os.path.abspath(path)) == os.path.abspath(folder)
        return os.path.basename(path) if inside else os.path.abspath(path)

    state = protos.CheckpointState(model_checkpoint_path=near(latest),
                                   all_model_checkpoint_paths=[near(one) for one in paths])
    if times is not None:
        state.all_model_checkpoint_timestamps.extend(times)
    if preserved is not None:
        state.last_preserved_timestamp = preserved
    path = state_path(folder, latest_filename)
    with translated(path):
        if folder:
            os.makedirs(folder, exist_ok=True)
        with atomic_files.replacing(path) as file:
            file.write(str(state).encode())


@export("__internal__.train.update_checkpoint_state")
def update_checkpoint_state(save_dir: Any, model_checkpoint_path: Any,
                            all_model_checkpoint_paths: Any = None,
                            latest_filename: str | None = None, save_relative_paths: bool = False,
                            all_model_checkpoint_timestamps: Any = None,
                            last_preserved_timestamp: float | None = None) -> None:
    """Write which checkpoints a folder holds; paths in it are always relative."""
    latest = text_of(model_checkpoint_path)
    paths = [text_of(one) for one in all_model_checkpoint_paths or ()]
    write_state(text_of(save_dir), latest, paths if latest in paths else [*paths, latest],
                all_model_checkpoint_timestamps, last_preserved_timestamp, latest_filename)


@export("train.get_checkpoint_state", "compat.v1.train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> Any:
    """What the file `checkpoint` of a folder says; None if there is none or it is unreadable."""
    folder = text_of(checkpoint_dir)
    path = state_path(folder, latest_filename)
    try:
        with open(path, encoding="utf-8") as file:
            state = text_format.parse(file.read(), protos.CheckpointState())
    except OSError:
        return None
    except ValueError as error:
        logging.getLogger("tensorflow").warning("%s: Checkpoint ignored", error)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    paths = state.all_model_checkpoint_paths
    paths[:] = [os.path.join(folder, one) for one in paths]
    return state


@export("train.latest_checkpoint", "compat.v1.train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The prefix of the checkpoint that was written last into a folder, or None."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    path = state.model_checkpoint_path
    if os.path.exists(index_path(path)) or glob.glob(glob.escape(path)):
        return path
    logging.getLogger("tensorflow").error("Couldn't match files for checkpoint %s", path)
    return None


def remove_checkpoint(prefix: str) -> None:
    """Delete the files of a checkpoint, those that there are."""
    for path in [index_path(prefix), *glob.glob(glob.escape(prefix) + ".data-?????-of-?????")]:
        if os.path.exists(path):
            with translated(path):
                os.remove(path)


# -- reading without objects -----------------------------------------------------------------------
class CheckpointReader:
    """The tensors of a checkpoint by key."""

    def __init__(self, filename: str):
        self._bundle = Bundle(filename)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor."""
        return {name: self._bundle.shape(name) for name in self._bundle.entries}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each tensor."""
        return {name: self._bundle.dtype(name) for name in self._bundle.entries}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a tensor of this key."""
        return tensor_str in self._bundle.entries

    def get_tensor(self, tensor_str: Any) -> Any:
        """A tensor's value, as NumPy has it."""
        return _plain(self._bundle.read(text_of(tensor_str)))

    def debug_string(self) -> bytes:
        """Key, dtype and shape of each tensor, one to a line."""
        names = {value: name for name, value in ENUMS["DataType"].items()}
        lines = [f"{key} ({names[entry.dtype]}) "
                 f"[{','.join(str(one.size) for one in entry.shape.dim)}]\n"
                 for key, entry in self._bundle.entries.items()]
        return "".join(lines).encode()


CheckpointReader.__module__ = "tensorflow.python.util._pywrap_checkpoint_reader"


def _plain(value: np.ndarray) -> Any:
    return value[()] if not value.ndim else value


def _file_of(given: Any) -> str:
    """A prefix, or the latest one of a folder."""
    path = text_of(given)
    if os.path.exists(index_path(path)) or not os.path.isdir(path):
        return path
    latest = latest_checkpoint(path)
    if not latest:
        raise ValueError("Couldn't find 'checkpoint' file or checkpoints in given directory "
                         f"{path}")
    return latest


@export("compat.v1.train.NewCheckpointReader")
def new_checkpoint_reader(filepattern: Any) -> CheckpointReader:
    """A reader of a checkpoint's tensors."""
    return CheckpointReader(text_of(filepattern))


@export("train.load_checkpoint", "compat.v1.train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint's tensors, given its prefix or the folder it is in."""
    return CheckpointReader(_file_of(ckpt_dir_or_file))


@export("train.load_variable", "compat.v1.train.load_variable")
def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """One tensor of a checkpoint."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@export("train.list_variables", "compat.v1.train.list_variables")
def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """(key, shape) of each tensor of a checkpoint."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


@export("train.checkpoints_iterator", "compat.v1.train.checkpoints_iterator")
def checkpoints_iterator(checkpoint_dir: Any, min_interval_secs: float = 0,
                         timeout: float | None = None, timeout_fn: Callable | None = None
                         ) -> Iterator[str]:
    """New checkpoints of a folder as they appear; ends `timeout` seconds after the last one.

    `timeout_fn`, if given, decides whether to end there.
    """
    path = None
    while True:
        new = _wait_for_new(checkpoint_dir, path, timeout)
        if new is None:
            if not timeout_fn or timeout_fn():
                return
            continue
        path, start = new, time.time()
        yield path
        rest = start + min_interval_secs - time.time()
        if rest > 0:
            time.sleep(rest)


def _wait_for_new(folder: Any, last: str | None, timeout: float | None) -> str | None:
    stop = None if timeout is None else time.time() + timeout
    while True:
        path = latest_checkpoint(folder)
        if path is not None and path != last:
            return path
        if stop is not None and time.time() + 1 > stop:
            return None
        time.sleep(1)
