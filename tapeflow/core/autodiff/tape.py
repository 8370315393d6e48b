"""GradientTape: records ops on what it watches (`record.py`), and walks the record backwards
(`walk.py`).
"""

from __future__ import annotations

import enum
import weakref
from math import isfinite
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.late import LateMethod
from tapeflow.core import state as states
from tapeflow.core.autodiff.finite_walks import SCALARS, Look, its_turn
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import (
    Subject,
    flatten_sources,
    is_differentiable,
    ones_like,
    seeds_for,
    snapshot_of,
    tensors_of,
    watched,
)
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.primitive_ops import constant_like
from tapeflow.core.state import state
from tapeflow.core.values import tensor as tensors
from tapeflow.core.values.indexed_slices import add_gradients, wrap_gradient
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.core.values.variable import Variable


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """What `gradient` gives for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"

    @classmethod
    def _missing_(cls, value: object) -> Any:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}")


_NONE = UnconnectedGradients.NONE


@export("GradientTape", "autodiff.GradientTape")
class GradientTape:
    """Record operations, then differentiate them.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>

    Beyond TensorFlow's: `explain(target, sources)` says why a gradient is None, `report` what is
    wrong with those there are, `memory` what the tape keeps, and `draw` makes a picture of it.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True):
        tensors.trains = True
        self._record: Record | None = None
        self._used: Record | None = None  # the skeleton of a record that was consumed
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording = False

    jacobian: Any = LateMethod("tapeflow.core.autodiff.jacobian", "jacobian")
    batch_jacobian: Any = LateMethod("tapeflow.core.autodiff.jacobian", "batch_jacobian")

    # -- recording -------------------------------------------------------------------------------
    def __enter__(self) -> GradientTape:
        self._start()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            self._stop()

    def _start(self) -> None:
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to "
                             "re-enter an already-active tape.")
        if self._record is None:
            self._record = self._new_record()
        states.push(self._record)
        self._recording = True

    def _new_record(self) -> Record:
        record = (state.record_type or Record)(self._watch_accessed_variables)
        if state.trace is not None:  # which knows the lines anyway
            record._positions = {}
        record._owner = weakref.ref(self)
        return record

    def _stop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        states.remove(self._record)
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Make sure that `tensor` (or each in a structure) is traced by this tape."""
        record = self._record
        for one in [tensor] if isinstance(tensor, Tensor) else watched(tensor):
            if record is None:
                raise RuntimeError("GradientTape.watch: this tape is not recording and has no "
                                   "record: call it inside the `with` block.")
            if not is_differentiable(one):
                _warn(f"The dtype of the watched tensor must be floating (e.g. tf.float32), "
                      f"got {one.dtype!r}")
            if not self._recording:
                continue  # as in TensorFlow: a paused or finished tape takes no note
            record._tracked.setdefault(uid_of(one), None)
            if isinstance(one, Variable):
                record._variables[one._uid] = one

    def watched_variables(self) -> tuple:
        """The variables this tape watches, in order of their creation."""
        record = self._record or self._used
        if record is None:
            return ()
        return tuple(record._variables[uid] for uid in sorted(record._variables))

    def reset(self) -> None:
        """Forget all that was recorded, explicit `watch` calls included."""
        if not self._recording:
            raise ValueError("Tape is not recording: GradientTape.reset belongs inside the `with` "
                             "block.")
        before, self._record = self._record, self._new_record()
        self._record._forgot = True
        states.set_stack(tuple([self._record if one is before else one for one in state.stack]))
        self._used = None

    def stop_recording(self) -> _Paused:
        """Context in which this tape does not record."""
        if self._record is None:
            raise RuntimeError("Trying to exit context without entering: "
                               "GradientTape.stop_recording needs a tape that is recording.")
        return _Paused(self)

    # -- differentiating ---------------------------------------------------------------------------
    def gradient(self, target: Any, sources: Any, output_gradients: Any = None,
                 unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """Gradient of the sum of `target` with respect to each of `sources`, in their structure."""
        record = self._begin()
        if target is None:
            raise TypeError("Argument `target` should be a list or nested structure of Tensors, "
                            "Variables or CompositeTensors to be differentiated, but received "
                            "None.")
        flat, rebuild = flatten_sources(sources)
        targets = [target] if type(target) is Tensor else tensors_of(nest.flatten(target))
        seeds = None if output_gradients is None else seeds_for(output_gradients, targets)
        zero = unconnected_gradients is not _NONE and UnconnectedGradients(
            unconnected_gradients) is UnconnectedGradients.ZERO
        try:
            results = self._backward(record, targets, flat, seeds)
        except Exception as error:
            rule_failed(error)
            raise
        finally:
            self._finish()
        if zero:
            results = [constant_like(snapshot_of(source), 0) if one is None else one
                       for one, source in zip(results, flat, strict=True)]
        if rebuild is None:
            return results[0]
        return results if rebuild is list else rebuild(results)

    def _begin(self) -> Record:
        record = self._record
        if record is None:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set "
                               "of gradients (or jacobians). Ask for all sources in one call, or "
                               "make it with tf.GradientTape(persistent=True).")
        if self._recording and not self._persistent:
            self._stop()
        return record

    def _finish(self) -> None:
        if not self._persistent:
            record = self._record
            if record is not None:
                record._entries = [None]
                self._used = record
            self._record = None

    def _backward(self, record: Record, targets: list, sources: list, seeds: list | None,
                  grads: dict[int, Any] | None = None) -> list:
        """Gradients of the sources, None where there is none; `grads` holds them on the way."""
        grads = {} if grads is None else grads
        bare = not state.stack and state.trace is None
        for position, target in enumerate(targets):
            if not is_differentiable(target):
                _warn("The dtype of the target tensor must be floating (e.g. tf.float32) when "
                      f"calling GradientTape.gradient, got {target.dtype!r}")
                continue
            seed = ones_like(snapshot_of(target)) if seeds is None else seeds[position]
            uid = target._uid or uid_of(target)
            grads[uid] = seed if uid not in grads else add_gradients(grads[uid], seed)
            bare = bare and type(seed) is Tensor and seed._value.dtype.kind != "V"
        keep = {source._uid or uid_of(source) for source in sources}
        look = None
        if bare:
            value: Any = getattr(targets[0], "_value", None) if targets else None
            if its_turn() or (type(value) in SCALARS and not isfinite(value)):
                look = Look(record, targets, sources)
            for uid, seed in grads.items():
                grads[uid] = seed._value
            token = ignore_fp_errors()
            try:
                walk_back(record, grads, keep, True, not self._persistent)
            finally:
                restore_fp_errors(token)
        else:
            walk_back(record, grads, keep, False, not self._persistent)
        results: list[Any] = []
        for source in sources:
            g = grads.get(source._uid)
            if g is not None:
                g = wrap_gradient(g) if is_differentiable(source) else None
            results.append(g)
        if None in [g if g is None else 0 for g in results] or not results:
            state.last_none = (record.skeleton(), [Subject(one) for one in targets],
                               [Subject(one) for one in sources])
            none_given()
        if not bare:
            for listener in state.stack:
                listener.differentiated(targets, sources, results)
        elif look is not None:
            look.end(results)
        return results


class _Paused:
    """Takes a tape off the stack for a while and puts it back at its position."""

    __slots__ = ("position", "tape")

    def __init__(self, tape: GradientTape):
        self.tape = tape

    def __enter__(self) -> None:
        tape = self.tape
        if not tape._recording:
            raise ValueError("Tape is not recording.")
        self.position = state.stack.index(tape._record)
        if tape._record is not None:
            tape._record._paused = True
        tape._stop()

    def __exit__(self, *exc: Any) -> None:
        tape = self.tape
        if tape._recording:
            return
        if tape._record is None:
            tape._record = tape._new_record()
        stack = list(state.stack)
        stack.insert(self.position, tape._record)
        states.set_stack(tuple(stack))
        tape._recording = True


def none_given() -> None:
    """`state.last_none` is new; `tapeflow/_wiring.py` connects who is told."""


def rule_failed(error: Exception) -> None:
    """The walk raises `error`; connected likewise."""


def _warn(message: str) -> None:
    import logging
    logging.getLogger("tensorflow").warning(message)
