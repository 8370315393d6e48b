"""`tapeflow.checkpoint(function, budget=bytes)`: recomputes pieces, so that little is kept.

The function's ops are recorded apart from the tape, in segments (`segment_plan.py`). What of a
segment is not kept is computed again by its ops, not by the function: Python runs once, and random
numbers are kept, so the numbers are those of the function itself. The first call with arguments of
a kind only measures: its walk back runs the function a second time, as `tf.recompute_grad` does.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.autodiff.custom_gradient import (
    Replay,
    custom_gradient,
    recomputing,
)
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.op import NAMED, Op
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import add_gradients
from tapeflow.core.values.tensor import Tensor, uid_of, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.insight.tape_reports.segment_plan import Cost, Plan, make_plan
from tapeflow.insight.tape_reports.tape_steps import buffer_of

MOST_PLANS = 64
_warned: set[str] = set()


class Segment:
    """Ops in their order: (op, operands, uids of results, attributes), and the results that stay.

    An operand is the Tensor itself, or the uid of one that the segment makes.
    """

    __slots__ = ("held", "ops")

    def __init__(self) -> None:
        self.ops: list[tuple[Op, list, tuple[int, ...], dict]] = []
        self.held: dict[int, Tensor] = {}


class Recording(Record):
    """Hears what a function does. Without a plan it notes costs, with one it fills segments."""

    __slots__ = ("_count", "_known", "_made", "_saved", "costs", "plan", "segments")

    def __init__(self, plan: Plan | None, sources: list):
        super().__init__(True)
        self.plan = plan
        self.costs: list[Cost] = []
        self.segments = [Segment()]
        self._made: dict[int, int] = {}  # uid -> position of the op
        self._known: set[int] = set()  # uids of variables, and of constants that were counted
        self._saved: dict[int, int] = {}  # bytes that a tape alone would keep, by uid
        self._count = 0  # how many ops there were
        for one in sources:
            self._known.add(uid_of(one))
            if is_differentiable(one):
                self._tracked[one._uid] = None

    def read(self, variable: Any) -> Tensor:
        self._known.add(variable._uid)
        return super().read(variable)

    def note1(self, op: Op, x: Tensor, y: Tensor) -> None:
        self.note(op, (x,), y, {})

    def note2(self, op: Op, a: Tensor, b: Tensor, y: Tensor) -> None:
        self.note(op, (a, b), y, {})

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        results = ys if op.multi else (ys,)
        if op.reason is not None or not any(x._uid in self._tracked for x in xs) or not (
                op.multi or is_differentiable(ys)):
            return
        outs = tuple([uid_of(y) for y in results])
        position = self._count
        self._count += 1
        self._tracked.update(dict.fromkeys(outs))
        fixed = op.stateful or op.kind == "random" or NAMED.get(op.name) is not op
        if self.plan is None:
            self._save(op, xs, results)
            reads = tuple({self._made[x._uid] for x in xs if x._uid in self._made})
            self.costs.append(Cost(_new_bytes(xs, results), fixed, reads, self._constants(xs)))
        else:
            self._keep(position, op, xs, outs, results, attrs, fixed)
        self._made.update(dict.fromkeys(outs, position))

    def _save(self, op: Op, xs: tuple, results: tuple) -> None:
        """Count what the entry of a tape would keep."""
        saves = [op.saves] * len(xs) if isinstance(op.saves, bool) else op.saves
        held = [x for x, saved in zip(xs, saves, strict=False) if saved]
        for one in [*held, *(results if op.saves_out else ())]:
            buffer = buffer_of(one._value)
            if buffer is not None and uid_of(one) not in self._known:
                self._saved[one._uid] = buffer.nbytes

    @property
    def saved(self) -> int:
        """Bytes that a tape would keep of the function, without any of this."""
        return sum(self._saved.values())

    def _constants(self, xs: tuple) -> int:
        """Bytes of operands that are met for the first time, and that nothing recorded makes."""
        found = 0
        for x in xs:
            if uid_of(x) not in self._tracked and x._uid not in self._known:
                self._known.add(x._uid)
                buffer = buffer_of(x._value)
                found += 0 if buffer is None else buffer.nbytes
        return found

    def kept_tensors(self) -> list[Tensor]:
        """What the segments keep alive."""
        return [one for segment in self.segments
                for one in [*segment.held.values(), *[
                    x for _, operands, _, _ in segment.ops for x in operands
                    if isinstance(x, Tensor) and x._uid not in self._known]]]

    def _keep(self, position: int, op: Op, xs: tuple, outs: tuple, results: tuple, attrs: dict,
              fixed: bool) -> None:
        assert self.plan is not None
        starts = self.plan.starts
        if len(self.segments) < len(starts) and starts[len(self.segments)] == position:
            self.segments.append(Segment())
            self._made.clear()
        here = self.segments[-1]
        operands = [x._uid if x._uid in self._made else x for x in xs]
        here.ops.append((op, operands, outs, attrs))
        if fixed or not self.plan.recomputed[len(self.segments) - 1]:
            here.held.update(zip(outs, results, strict=True))

    def gradients(self, grads: dict[int, Any]) -> None:
        """Walk back over all segments, the last one first, from the gradients in `grads`."""
        keep = {uid for uid, made in self._tracked.items() if made is None}
        for segment in reversed(self.segments):
            record = Record(False)
            record._tracked = dict(self._tracked)
            values = dict(segment.held)
            for op, operands, outs, attrs in segment.ops:
                xs = tuple([values[one] if isinstance(one, int) else one for one in operands])
                ys = _results(op, xs, outs, attrs, values)
                record.note(op, xs, ys if op.multi else ys[0], attrs)
            segment.held = {}
            values.clear()
            walk_back(record, grads, keep, False, True)


def _results(op: Op, xs: tuple, outs: tuple[int, ...], attrs: dict,
             values: dict[int, Tensor]) -> tuple:
    """The results of an op: those that were kept, or computed again under their uids."""
    if outs and outs[0] not in values:
        ys = op.call(*xs, **attrs)
        for uid, y in zip(outs, ys if op.multi else (ys,), strict=True):
            y = wrap(y._value) if y._uid else y
            y._uid = uid
            values[uid] = y
    return tuple([values[uid] for uid in outs])


def _new_bytes(xs: tuple, results: tuple) -> int:
    """Bytes of results that are no views of operands."""
    there = {id(buffer_of(x._value)) for x in xs}
    found = {id(buffer): buffer.nbytes for buffer in [buffer_of(y._value) for y in results]
             if buffer is not None and id(buffer) not in there}
    return sum(found.values())


@export("checkpoint")
def checkpoint(function: Callable | None = None, *, budget: int) -> Callable:
    """`function` with a gradient that keeps at most `budget` bytes: pieces of it run again.

    What counts is what tapes keep of the function's own results, and the largest piece while it
    runs again; arguments, results and variables are there anyway. A budget that is too small is a
    ValueError that says what the least is. Inside a tf.function the budget is not heeded, which a
    warning says: a graph computes nothing twice.

    >>> dense = tf.checkpoint(lambda x: tf.sin(tf.exp(x)), budget=1000)
    >>> x = tf.Variable(1.0)
    >>> with tf.GradientTape() as tape:
    ...     y = dense(x)
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=-2.4783497>
    """
    if function is None:
        return lambda f: checkpoint(f, budget=budget)
    if not callable(function):
        raise TypeError(f"checkpoint: `function` must be callable, got {function!r}.")
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 0:
        raise ValueError(f"checkpoint: `budget` must be a number of bytes, got {budget!r}.")
    plans: dict[Any, Plan] = {}
    name = getattr(function, "__name__", type(function).__name__)

    @functools.wraps(function)
    def outer(*args: Any, **kwargs: Any) -> Any:
        flat = nest.flatten((args, kwargs))
        places = [i for i, one in enumerate(flat) if _is_tensor(one)]

        def on_tensors(*tensors: Any) -> Any:
            filled = list(flat)
            for place, one in zip(places, tensors, strict=True):
                filled[place] = one
            inner_args, inner_kwargs = nest.pack_sequence_as((args, kwargs), filled)
            return function(*inner_args, **inner_kwargs)

        tensors = [flat[place] for place in places]
        if state.trace is not None:
            _warn_of_graphs(name)
            return on_tensors(*tensors)
        kind = _kind(flat)
        plan = plans.get(kind)
        if not any(isinstance(one, Record) for one in state.stack) or (
                plan is not None and not any(plan.recomputed)):
            return on_tensors(*tensors)  # nobody differentiates it, or all of it may be kept
        return _call(on_tensors, tensors, plans, kind, budget, name)

    return outer


def _warn_of_graphs(name: str) -> None:
    """Say once for each function that its budget is not heeded."""
    if name not in _warned:
        _warned.add(name)
        logging.getLogger("tensorflow").warning(
            f"tapeflow.checkpoint: the budget of {name!r} is not heeded inside a tf.function. What "
            "is computed twice is shared there, so that nothing would be saved; graphs plan their "
            "memory themselves. Call it outside of the tf.function to keep to the budget.")


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (Tensor, Variable)) or getattr(
        x, "_should_act_as_resource_variable", False)


def _kind(flat: list) -> tuple:
    """What a plan depends on: shapes and dtypes, and the other arguments as far as they tell."""
    return tuple([(tuple(one.shape), one.dtype) if _is_tensor(one)
                  else one if isinstance(one, (bool, int, float, str)) else type(one)
                  for one in flat])


def _call(f: Callable, tensors: list, plans: dict[Any, Plan], kind: tuple, budget: int,
          name: str) -> Any:
    """Run `f` on tensors, recorded on the active tapes as one op with a gradient of its own."""
    replay = Replay()

    @custom_gradient
    def once(*inner: Any) -> Any:
        inputs = [convert(x) for x in inner]
        quiet = tuple([one for one in state.stack if not isinstance(one, Record)])
        recording = Recording(plans.get(kind), inputs)
        with replay.remember(), states.only((*quiet, recording)):
            result = f(*inputs)
        if recording.plan is None:
            if len(plans) >= MOST_PLANS:
                plans.clear()
            plans[kind] = _planned(recording, budget, name)
        elif recording.plan.count != recording._count:  # it went another way: measure again
            plans.pop(kind, None)
        return result, _gradient(f, inputs, recording, result, plans.get(kind), replay)

    return once(*tensors)


def _planned(recording: Recording, budget: int, name: str) -> Plan:
    if recording.saved <= budget:
        return Plan(recording._count, kept=recording.saved)
    plan = make_plan(recording.costs, budget)
    if plan.peak > budget:
        raise ValueError(f"checkpoint: the gradient of {name} cannot do with {budget:,} bytes; the "
                         f"least is {plan.peak:,} ({plan.kept:,} that stay, and {plan.again:,} "
                         "that are computed again at a time).")
    return plan


def _gradient(f: Callable, inputs: list, recording: Recording, result: Any, plan: Plan | None,
              replay: Replay) -> Callable:
    again = recomputing(f, tuple(inputs), {}, replay)

    def grad(*gs: Any, variables: Any = None) -> Any:
        if state.trace is not None or any(isinstance(one, Record) for one in state.stack):
            # Somebody differentiates this: it must see how everything comes from the arguments.
            return again(*gs, variables=variables) if variables else again(*gs)
        ran, made = recording, result
        if ran.plan is None:  # the first call of its kind
            ran = Recording(plan or Plan(0), inputs)
            with replay.again(), states.only((ran,)):
                made = f(*inputs)
        grads: dict[int, Any] = {}
        for y, g in zip(nest.flatten(made, expand_composites=True), gs, strict=True):
            uid = uid_of(convert(y))
            if g is not None and is_differentiable(convert(y)):
                grads[uid] = g if uid not in grads else add_gradients(grads[uid], g)
        with states.only():
            ran.gradients(grads)
        ours = [grads.get(x._uid) for x in inputs]
        if variables is None:
            return ours
        return ours, [grads.get(one._uid) for one in variables]

    return grad
