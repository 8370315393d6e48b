"""tf.compat.v1.train.Saver: the variables of a session to checkpoints and back, by their names."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph_mode.graph import current_graph
from tapeflow.graph_mode.graph_variable import GraphVariable, global_variables
from tapeflow.io.paths import text_of
from tapeflow.io.protobuf.fields import MESSAGES
from tapeflow.tensorflow_graphs.writing.graph_writer import Unwritable
from tapeflow.train.bundle import Bundle, index_path, write_bundle
from tapeflow.train.checkpoint_files import remove_checkpoint, write_state
from tapeflow.train.object_graph import GRAPH_KEY, graph_in

_meta_graphs = LateModule("tapeflow.graph_mode.meta_graphs")


def _key(variable: Any) -> str:
    return variable.name.partition(":")[0]


@export("compat.v1.train.Saver")
class Saver:
    """Saves and restores variables.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable([1.0, 2.0], name="v")
    ...     session.run(v.initializer)
    ...     path = tf.compat.v1.train.Saver().save(session, folder + "/model", 7)
    >>> tf.train.list_variables(path)
    [('v', [2])]
    """

    def __init__(self, var_list: Any = None, reshape: bool = False, sharded: bool = False,
                 max_to_keep: int | None = 5, keep_checkpoint_every_n_hours: float = 10000.0,
                 name: str | None = None, restore_sequentially: bool = False, saver_def: Any = None,
                 builder: Any = None, defer_build: bool = False, allow_empty: bool = False,
                 write_version: Any = None, pad_step_number: bool = False,
                 save_relative_paths: bool = False, filename: str | None = None):
        self._given, self._reshape, self._allow_empty = var_list, reshape, allow_empty
        self._max_to_keep, self._pad = max_to_keep or 0, pad_step_number
        self._last: list[tuple[str, float]] = []
        self.saver_def = saver_def
        if not defer_build:
            self.build()

    def build(self) -> None:
        """Decide which variables are saved."""
        given = self._given
        if given is None:
            given = global_variables() if current_graph() is not None else []
        held = dict(given) if isinstance(given, dict) else {_key(one): one for one in given}
        if not isinstance(given, dict) and len(held) != len(given):
            raise ValueError("At least two variables have the same name.")
        for name, one in held.items():
            if not isinstance(one, VariableBase):
                raise TypeError(f"Variable to save is not a Variable: {one!r} ({name})")
        if not held and not self._allow_empty:
            raise ValueError("No variables to save")
        self._variables: dict[str, Any] = held

    # -- saving ------------------------------------------------------------------------------------
    def save(self, sess: Any, save_path: Any, global_step: Any = None,
             latest_filename: str | None = None, meta_graph_suffix: str = "meta",
             write_meta_graph: bool = True, write_state: bool = True, strip_default_attrs: bool =
             False, save_debug_info: bool = False) -> str:
        """Write a checkpoint; its prefix."""
        prefix = text_of(save_path)
        if global_step is not None:
            step = int(sess.run(global_step) if hasattr(global_step, "op") and sess else
                       np.asarray(global_step))
            prefix = f"{prefix}-{step:08d}" if self._pad else f"{prefix}-{step}"
        folder = os.path.dirname(prefix)
        if folder and not os.path.isdir(folder):
            raise ValueError(f"Parent directory of {prefix} doesn't exist, can't save.")
        write_bundle(prefix, {name: _value(sess, one) for name, one in self._variables.items()})
        if write_meta_graph and current_graph() is not None:
            with contextlib.suppress(NotImplementedError, Unwritable):
                self._export_whole(f"{prefix}.{meta_graph_suffix}")
        self._last = [one for one in self._last if one[0] != prefix] + [(prefix, time.time())]
        self._sweep(meta_graph_suffix)
        if write_state:
            _write_state(folder, prefix, self._last, latest_filename)
        return prefix

    def _sweep(self, suffix: str) -> None:
        """Delete the oldest checkpoints beyond those to keep."""
        while self._max_to_keep and len(self._last) > self._max_to_keep:
            prefix, _ = self._last.pop(0)
            remove_checkpoint(prefix)
            if os.path.exists(f"{prefix}.{suffix}"):
                os.remove(f"{prefix}.{suffix}")

    # -- restoring ---------------------------------------------------------------------------------
    def restore(self, sess: Any, save_path: Any) -> None:
        """Give the variables the values of a checkpoint; all, or none if one does not fit."""
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        prefix = text_of(save_path)
        if not os.path.exists(index_path(prefix)):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {prefix}")
        bundle = Bundle(prefix)
        keys = _keys_in(bundle, self._variables)
        found = {}
        for name, variable in self._variables.items():
            value = bundle.read(keys[name])
            if self._reshape:
                value = value.reshape([n or -1 for n in variable.shape.as_list()])
            if not variable.shape.is_compatible_with(value.shape):
                raise errors.InvalidArgumentError(None, None, (
                    f"Assign requires shapes of both tensors to match. lhs shape= {variable.shape} "
                    f"rhs shape= {list(value.shape)} ({name})"))
            found[name] = value
        for name, value in found.items():
            _hold(sess, self._variables[name], value)

    # -- which checkpoints there are ---------------------------------------------------------------
    @property
    def last_checkpoints(self) -> list[str]:
        return [path for path, _ in self._last]

    def set_last_checkpoints(self, last_checkpoints: Any) -> None:
        """Count these as its own, oldest first."""
        self._last = [(path, 0.0) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Any) -> None:
        """Count these as its own: paths with times, oldest first."""
        self._last = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Count those of these that exist as its own."""
        self.set_last_checkpoints([one for one in checkpoint_paths
                                   if os.path.exists(index_path(one))])

    # -- messages ----------------------------------------------------------------------------------
    def as_saver_def(self) -> Any:
        return self.saver_def or MESSAGES["SaverDef"](max_to_keep=self._max_to_keep, version=2)

    to_proto = as_saver_def

    def export_meta_graph(self, filename: Any = None, **options: Any) -> Any:
        """The graph and its collections as a MetaGraphDef, also to a file."""
        try:
            return self._export_whole(filename)
        except (NotImplementedError, Unwritable):
            return _meta_graphs.export_meta_graph(filename, saver_def=self.as_saver_def())

    def _export_whole(self, filename: Any) -> Any:
        """A MetaGraphDef that TensorFlow imports, with the nodes that a saver needs."""
        return _meta_graphs.with_saver(filename, self._variables, self.as_saver_def())


def _keys_in(bundle: Bundle, variables: dict[str, Any]) -> dict[str, str]:
    """Where a checkpoint has the values of these names: there, or where the objects are that had
    them when tf.train.Checkpoint wrote it."""
    missing = [name for name in variables if name not in bundle.entries]
    if not missing:
        return {name: name for name in variables}
    if GRAPH_KEY not in bundle.entries:
        raise errors.NotFoundError(None, None, (
            f"Key {missing[0]} not found in checkpoint: the variable "
            f"{variables[missing[0]].name!r} is not in {bundle.prefix}."))
    keys = {one.full_name: one.checkpoint_key for node in graph_in(bundle).nodes
            for one in node.attributes}
    absent = sorted(set(variables) - set(keys))
    if absent:
        raise errors.NotFoundError(None, None, (
            f"\n\nExisting variables not in the checkpoint: {', '.join(absent)}\n\nVariables names "
            "when this checkpoint was written which don't exist now: "
            f"{', '.join(sorted(set(keys) - set(variables)))}\n\n"
            f"({len(set(variables) & set(keys))} variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). Saver was "
            "attempting to load an object-based checkpoint (saved using tf.train.Checkpoint or "
            "tf.keras.Model.save_weights) using variable names. If the checkpoint was written with "
            "eager execution enabled, it's possible that variable names have changed (for example "
            "missing a '_1' suffix). It's also possible that there are new variables which did not "
            "exist when the checkpoint was written. You can construct a Saver(var_list=...) with "
            "only the variables which previously existed, and if variable names have changed you "
            "may need to make this a dictionary with the old names as keys."))
    logging.getLogger("tensorflow").warning(
        "Restoring an object-based checkpoint using a name-based saver: this hangs on the names of "
        "variables. tf.train.Checkpoint() restores it by objects.")
    return keys


def _write_state(folder: str, latest: str, held: list, latest_filename: str | None) -> None:
    write_state(folder, latest, [path for path, _ in held], [when for _, when in held],
                latest_filename=latest_filename)


def _value(session: Any, variable: Any) -> np.ndarray:
    return session.value(variable) if isinstance(variable, GraphVariable) else variable.numpy()


def _hold(session: Any, variable: Any, value: Any) -> None:
    if isinstance(variable, GraphVariable):
        session.hold(variable, value)
    else:
        variable.assign(value)


Saver.__module__ = "tensorflow.python.training.saver"
