"""ForwardAccumulator: dual numbers. Each op that runs pushes tangents from inputs to outputs.

The tangent of a result comes from the op's `jvp`, or, where a record has none, from its vjp: the
vjp is linear in g, and the transpose of that linear map is the jvp.
"""

from __future__ import annotations

import weakref
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import as_source, is_differentiable, snapshot_of
from tapeflow.core.autodiff.tape import GradientTape, UnconnectedGradients
from tapeflow.core.record.op import Op
from tapeflow.core.record.primitive_ops import constant_like
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor, uid_of


@export("autodiff.ForwardAccumulator")
class ForwardAccumulator:
    """Computes Jacobian-vector products while the program runs.

    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     y = x * x
    >>> acc.jvp(y)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 0.], dtype=float32)>
    """

    def __init__(self, primals: Any, tangents: Any):
        self._tangents = Tangents(self)
        self._inert: dict[int, tuple[Any, Any]] = {}  # of integers: nothing follows from them
        self._recording = False
        self._variables: list[Any] = []
        nest.assert_same_structure(primals, tangents)
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents), strict=True):
            self._watch(primal, tangent)

    def _watch(self, primal: Any, tangent: Any) -> None:
        if tangent is None:
            return
        primal = as_source(primal, "ForwardAccumulator")
        tangent = convert(tangent, primal.dtype)
        if not tangent.shape.is_compatible_with(snapshot_of(primal).shape):
            raise ValueError(f"ForwardAccumulator: the tangent's shape {tangent.shape} is not the "
                             f"primal's, {primal.shape}.")
        uid = uid_of(primal)
        if uid in self._tangents._of:
            raise ValueError("ForwardAccumulator: a tensor is listed twice among the primals. "
                             "Sum its tangents instead.")
        if primal.dtype.is_floating or primal.dtype.is_complex:
            self._tangents._of[uid] = (tangent, primal)
        else:
            self._inert[uid] = (tangent, primal)

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        states.push(self._tangents)
        self._recording = True
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            states.remove(self._tangents)
            self._recording = False

    def jvp(self, primals: Any,
            unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangents of `primals` (any structure), None where there is none."""
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO

        def fetch(x: Any) -> Any:
            x = as_source(x, "ForwardAccumulator.jvp")
            held = (self._tangents._of.get(x._uid) or self._inert.get(x._uid)) if x._uid else None
            if held is not None:
                return held[0]
            return constant_like(snapshot_of(x), 0) if zero else None

        found = nest.map_structure(fetch, primals)
        for listener in state.stack:
            listener.pushed(nest.flatten(found))
        return found


class Tangents(states.Listener):
    """The tangents of one accumulator; the part of it that listens."""

    __slots__ = ("_dead", "_of", "_owner")

    def __init__(self, owner: ForwardAccumulator):
        self._owner = weakref.ref(owner)
        self._of: dict[int, tuple[Any, Any]] = {}  # uid -> (tangent, who has it)
        self._dead: list[_Held] = []  # of results that are gone

    def abandoned(self) -> bool:
        return self._owner() is None

    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        if x._uid in self._of:
            self.note(op, (x,), y, {})

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        if a._uid in self._of or b._uid in self._of:
            self.note(op, (a, b), y, {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        held = self._of
        ts = tuple([held[x._uid][0] if x._uid in held else None for x in xs])
        if all(t is None for t in ts) or op.reason is not None:
            return
        others = self._others()
        with states.only(others):
            result = _named_push(op, ts, ys, xs, attrs) if others and state.trace is None else (
                push(op, ts, ys, xs, attrs))
        if op.multi:
            for y, t in zip(ys, result, strict=True):
                self._hold(y, t)
        else:
            self._hold(ys, result)

    def follows(self, uid: int) -> bool:
        return uid in self._of

    def _others(self) -> tuple:
        """Who hears of the tangent's own ops: all tapes, and the accumulators outside this one."""
        stack = state.stack
        position = stack.index(self)
        return tuple([one for i, one in enumerate(stack)
                      if i < position or (i > position and isinstance(one, Record))])

    def _hold(self, y: Tensor, tangent: Any) -> None:
        if tangent is None or not is_differentiable(y):
            return
        if isinstance(tangent, IndexedSlices):
            tangent = densify(tangent)
        uid, held = uid_of(y), self._of
        reference = _Held(y, self._dead.append)
        reference.uid = uid
        held[uid] = (tangent, reference)
        while self._dead:
            held.pop(self._dead.pop().uid, None)


class _Held(weakref.ref):
    """A result that has a tangent; its callback is no Python code (see `weak_tables.py`)."""

    __slots__ = ("uid",)

    uid: int


def _named_push(op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
    """The same; `state.backward_of` says at any time whose rule runs."""
    before, state.backward_of = state.backward_of, (op, None, "forward mode")
    try:
        return push(op, ts, ys, xs, attrs)
    finally:
        state.backward_of = before


def push(op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
    """Tangents of an op's results; a trace may put them off until sizes are known."""
    trace = state.trace
    if trace is not None and trace.defers(op, tuple([t for t in ts if t is not None]), ys, xs):
        return trace.defer_tangent(op, ts, ys, xs, attrs)
    if op.jvp is not None:
        return op.jvp(ts, ys, *xs, **attrs)
    return transpose_vjp(op, ts, ys, xs, attrs)


def transpose_vjp(op: Op, ts: tuple, ys: Any, xs: tuple, attrs: dict) -> Any:
    """J t as the derivative of g -> <J^T g, t>, taken at g = 0."""
    many = tuple(ys) if op.multi else (ys,)
    seeds = [constant_like(y, 0) for y in many]
    with GradientTape() as tape:
        tape.watch(seeds)
        g = tuple(seeds) if op.multi else seeds[0]
        if op.joint is not None:
            pulled = op.joint(g, ys, *xs, **attrs)
        else:
            pulled = [None if rule is None or t is None else rule(g, ys, *xs, **attrs)
                      for rule, t in zip(op.rules or (), ts, strict=True)]
        pairs = [(densify(p) if isinstance(p, IndexedSlices) else p, t)
                 for p, t in zip(pulled, ts, strict=True) if p is not None and t is not None]
    if not pairs:
        return (None,) * len(many) if op.multi else None
    result = tape.gradient([p for p, _ in pairs], seeds, output_gradients=[t for _, t in pairs])
    return tuple(result) if op.multi else result[0]

