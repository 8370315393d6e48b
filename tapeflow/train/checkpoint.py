"""tf.train.Checkpoint and CheckpointManager: objects to files and back."""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.scopes import init_scope, open_graph
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.io.paths import text_of
from tapeflow.ops.control.py_function import py_function
from tapeflow.train.bundle import Bundle, index_path, write_bundle
from tapeflow.train.checkpoint_files import (
    get_checkpoint_state,
    remove_checkpoint,
    write_state,
)
from tapeflow.train.object_graph import GRAPH_KEY, ObjectGraph, is_node
from tapeflow.train.restoring import CheckpointLoadStatus, InitializationOnlyStatus, Restore


def _trackable(value: Any, name: str) -> Any:
    if not is_node(value):
        raise ValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from "
            f"`Trackable`), got {value}. If you believe this object should be trackable (i.e. it "
            "is part of the TensorFlow Python API and manages state), please open an issue.")
    return value


def _write(prefix: str, arrays: dict[str, Any], message: Any) -> str:
    """Write values with the graph of their objects; the prefix."""
    objects = np.empty((), object)
    objects[()] = message.SerializeToString()
    write_bundle(prefix, {**arrays, GRAPH_KEY: objects})
    return prefix


@export("train.Checkpoint")
class Checkpoint(AutoTrackable):
    """A group of objects that are saved and restored together, in TensorFlow's format.

    >>> checkpoint = tf.train.Checkpoint(w=tf.Variable(1.0))
    >>> path = checkpoint.save("/tmp/model")
    >>> checkpoint.restore(path).assert_consumed()
    """

    def __init__(self, root: Any = None, **kwargs: Any):
        self._self_given: Any = root  # the object, or a weak reference to it
        self._self_given_attached: dict[str, Any] = {}
        self._self_counter: Variable | None = None
        if root is not None:
            _trackable(_held(root), "root")
            kwargs["root"] = root
        for name, given in sorted(kwargs.items()):
            value = _held(given)
            _trackable(value, name)
            if root is not None:
                there = getattr(self._self_root, name, None)
                if there is not None and there is not value:
                    raise ValueError(f"Cannot create a Checkpoint with keyword argument {name} if "
                                     f"root.{name} already exists.")
                self._self_given_attached[name] = given if name == "root" else value
            setattr(self, name, given if name == "root" else value)

    @property
    def _self_root(self) -> Any:
        return self if self._self_given is None else _held(self._self_given)

    @property
    def _self_attached(self) -> dict[str, Any]:
        """What the root is given beside what it holds."""
        return {name: _held(one) for name, one in self._self_given_attached.items()}

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        found = {name: one for name, one in super()._trackable_children(save_type).items()
                 if not name.startswith("_self_")}
        if self._self_counter is not None and self._self_root is self:
            found["save_counter"] = self._self_counter
        return found

    def _make_save_counter(self) -> None:
        if self._self_counter is None:
            with init_scope():
                self._self_counter = VariableBase(np.int64(0), trainable=False, name="save_counter")
            if self._self_root is not self:
                self._self_given_attached["save_counter"] = self._self_counter

    @property
    def save_counter(self) -> Variable:
        """How often `save` was called; part of the checkpoint."""
        self._make_save_counter()
        return self._self_counter  # type: ignore[return-value]

    # -- writing ---------------------------------------------------------------------------------
    def write(self, file_prefix: Any, options: Any = None) -> Any:
        """Write the objects' values to exactly this prefix; returns it."""
        prefix = text_of(file_prefix)
        objects = ObjectGraph(self._self_root, self._self_attached)
        if open_graph() is None and state.trace is not None:
            tensors, message = objects.serialised()
            return py_function(lambda *values: convert(_write(prefix, dict(zip(
                tensors, [one._value for one in values])), message)), list(tensors.values()),
                dtypes.string)
        _write(prefix, *objects.arrays())
        for callback in getattr(options, "experimental_write_callbacks", None) or ():
            callback() if not callback.__code__.co_argcount else callback(prefix)
        return prefix

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Write to `file_prefix-N`, N counting up, and note it as the folder's latest."""
        graph = open_graph()
        if graph is None and state.trace is not None:
            raise NotImplementedError(
                "Calling tf.train.Checkpoint.save() from a function is not supported, as save() "
                "modifies saving metadata in ways not supported by TensorFlow Operations. "
                "Consider using tf.train.Checkpoint.write(), a lower-level API which does not "
                "update metadata. tf.train.latest_checkpoint and related APIs will not see this "
                "checkpoint.")
        prefix = text_of(file_prefix)
        path = self.write(f"{prefix}-{self._counted(graph)}", options)
        write_state(os.path.dirname(prefix), path, [path])
        return path

    def _counted(self, graph: Any) -> int:
        """The number of this call of `save`, as the counter of a tf.Graph's session has it too."""
        first = self._self_counter is None
        counter = self.save_counter
        if graph is None:
            return int(counter.assign_add(1).numpy())
        session = graph.session()
        number = int(0 if first else session.value(counter)) + 1
        session.hold(counter, np.int64(number))
        return number

    # -- reading ---------------------------------------------------------------------------------
    def read(self, save_path: Any, options: Any = None) -> Any:
        """Take the values of a checkpoint that `write` made."""
        if save_path is None:
            return InitializationOnlyStatus(self._self_root, self._self_attached)
        path = text_of(save_path)
        inner = os.path.join(path, "variables", "variables")
        if not os.path.exists(index_path(path)) and os.path.exists(index_path(inner)):
            path = inner  # of a saved model
        bundle = Bundle(path)
        if GRAPH_KEY not in bundle.entries:  # of a Saver
            from tapeflow.train.restoring_by_name import NameBasedSaverStatus, NamedRestore
            named = NamedRestore(bundle, self._self_root, self._self_attached)
            return NameBasedSaverStatus(named, self._self_counter)
        return CheckpointLoadStatus(Restore(bundle, self._self_root, self._self_attached))

    def restore(self, save_path: Any, options: Any = None) -> Any:
        """Take the values of a checkpoint that `save` made, now or as objects are made."""
        self._make_save_counter()
        try:
            return self.read(save_path, options)
        except errors.NotFoundError as error:
            raise errors.NotFoundError(None, None, (
                f"Error when restoring from checkpoint or SavedModel at {text_of(save_path)}: "
                f"{error.message}\nPlease double-check that the path is correct. You may be "
                "missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').")) from None

    def sync(self) -> None:
        """Wait for files that are being written; `save` and `write` return when they are."""


@export("compat.v1.train.Checkpoint")
class CheckpointV1(Checkpoint):
    """A Checkpoint that can be told whose session has the values."""

    def __init__(self, **kwargs: Any):
        super().__init__(None, **kwargs)

    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Write the objects' values to exactly this prefix; returns it."""
        with _of_session(session):
            return super().write(file_prefix)

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Write to `file_prefix-N`, N counting up, and note it as the folder's latest."""
        with _of_session(session):
            return super().save(file_prefix)


for _class in (Checkpoint, CheckpointV1):
    _class.__module__ = "tensorflow.python.checkpoint.checkpoint"


def _of_session(session: Any) -> Any:
    return contextlib.nullcontext() if session is None else session.as_default()


def _held(given: Any) -> Any:
    """An object, or that of a weak reference."""
    return given() if isinstance(given, weakref.ref) else given


@export("train.CheckpointManager", "compat.v1.train.CheckpointManager")
class CheckpointManager:
    """Saves a Checkpoint into a folder and keeps the last few."""

    def __init__(self, checkpoint: Checkpoint, directory: Any, max_to_keep: int | None,
                 keep_checkpoint_every_n_hours: float | None = None,
                 checkpoint_name: str = "ckpt", step_counter: Any = None,
                 checkpoint_interval: int | None = None, init_fn: Callable | None = None,
                 last_checkpoint_step: Any = None):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError("Expected a positive integer or `None` for `max_to_keep`, got "
                             f"{max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not "
                             "None.")
        self._checkpoint, self._max_to_keep = checkpoint, max_to_keep
        self._keep_hours = keep_checkpoint_every_n_hours
        self._directory = text_of(directory)
        self._name, self._step_counter = checkpoint_name, step_counter
        self._interval, self._init_fn = checkpoint_interval, init_fn
        self._last_step = last_checkpoint_step
        self._kept: OrderedDict[str, float] = OrderedDict()
        self._recover()

    def _recover(self) -> None:
        """Go on from what an earlier manager of this folder wrote down."""
        found = get_checkpoint_state(self._directory)
        now = time.time()
        self._latest: str | None = None
        self._preserved = now
        if found is None:
            return
        times = list(found.all_model_checkpoint_timestamps)
        paths = list(found.all_model_checkpoint_paths)
        if len(times) != len(paths):
            times = [now] * len(paths)
        self._latest = found.model_checkpoint_path
        self._preserved = found.last_preserved_timestamp or now
        self._kept.update(zip(paths, times))

    @property
    def directory(self) -> str:
        return self._directory

    @property
    def checkpoint_interval(self) -> int | None:
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The prefix of the latest checkpoint in the folder, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes of the checkpoints that are kept, oldest first."""
        return list(self._kept)

    @property
    def checkpoint(self) -> Checkpoint:
        return self._checkpoint

    def _record(self) -> None:
        write_state(self._directory, self._latest or "", list(self._kept),
                    list(self._kept.values()), self._preserved)

    def _sweep(self) -> None:
        """Delete what is too many, but keep one for each so many hours."""
        while self._max_to_keep and len(self._kept) > self._max_to_keep:
            path, stamp = self._kept.popitem(last=False)
            if self._keep_hours and stamp - self._keep_hours * 3600.0 >= self._preserved:
                self._preserved = stamp
                continue
            remove_checkpoint(path)

    def _due(self) -> bool:
        if self._interval is None or self._last_step is None:
            return True
        return int(self._step_counter.numpy()) >= self._last_step + self._interval

    def save(self, checkpoint_number: Any = None, check_interval: bool = True,
             options: Any = None) -> str | None:
        """Write a checkpoint and delete old ones; None if it is not due yet."""
        if self._interval is not None:
            if self._last_step is not None and self._last_step == int(self._step_counter.numpy()):
                return None
            if check_interval and not self._due():
                return None
            self._last_step = int(self._step_counter.numpy())
        counted = self._checkpoint._counted(open_graph())
        if checkpoint_number is None:
            suffix = counted
        elif isinstance(checkpoint_number, (int, np.integer)):
            suffix = int(checkpoint_number)
        else:
            suffix = int(checkpoint_number.numpy())
        path = self._checkpoint.write(os.path.join(self._directory, f"{self._name}-{suffix}"),
                                      options)
        self._latest = path
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._record()
        self._sweep()
        self._record()
        return path

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint, or call `init_fn`; the prefix that was restored."""
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._step_counter is not None:
                self._last_step = int(self._step_counter.numpy())
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self) -> None:
        """Wait for files that are being written; `save` returns when they are."""


CheckpointManager.__module__ = "tensorflow.python.checkpoint.checkpoint_management"
