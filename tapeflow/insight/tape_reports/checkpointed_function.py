"""`tapeflow.checkpoint(function, budget=bytes)`: recomputes pieces, so that little is kept.

Eagerly the first call with arguments of a kind only measures: its walk back runs all its ops a
second time, from what variables and arguments held. In a tf.function the trace tells all that a
plan needs.
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
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import add_gradients
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.core.values.variable import Variable
from tapeflow.graph.autograph import error_report
from tapeflow.graph.autograph.conversion import convert as convert_control_flow
from tapeflow.insight.tape_reports.recomputation import Recording
from tapeflow.insight.tape_reports.segment_plan import Plan, make_plan
from tapeflow.insight.tape_reports.traced_recomputation import TracedRecording

MOST_PLANS = 64
_warned: set[str] = set()


@export("checkpoint")
def checkpoint(function: Callable | None = None, *, budget: int) -> Callable:
    """`function` with a gradient that keeps at most `budget` bytes: pieces of it run again.

    What counts is what tapes keep of the function's own results, and the largest piece while it
    runs again; arguments, results and variables are there anyway. A budget that is too small is a
    ValueError that says what the least is. Inside a tf.function it holds as well, where the sizes
    of tensors are known; where they are not, a warning says that it is not heeded.

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
        called = convert_control_flow(function) if error_report.active() else function
        places = [i for i, one in enumerate(flat) if _is_tensor(one)]

        def on_tensors(*tensors: Any) -> Any:
            filled = list(flat)
            for place, one in zip(places, tensors, strict=True):
                filled[place] = one
            inner_args, inner_kwargs = nest.pack_sequence_as((args, kwargs), filled)
            return called(*inner_args, **inner_kwargs)

        tensors = [flat[place] for place in places]
        if state.trace is not None:
            return _with_nones(on_tensors, lambda f: _traced_call(f, tensors, budget, name))
        kind = _kind(flat)
        plan = plans.get(kind)
        if not any(isinstance(one, Record) for one in state.stack) or (
                plan is not None and not any(plan.recomputed)):
            return on_tensors(*tensors)  # nobody differentiates it, or all of it may be kept
        return _with_nones(on_tensors, lambda f: _call(f, tensors, plans, kind, budget, name))

    outer.__ag_do_not_convert__ = True  # type: ignore[attr-defined]
    return outer


def _with_nones(f: Callable, run: Callable) -> Any:
    """run(f), where the structure that `f` returns may have Nones in it."""
    made: list[Any] = []

    def tensors_alone(*tensors: Any) -> Any:
        made[:] = [f(*tensors)]
        flat = nest.flatten(made[0])
        some = any(one is None for one in flat)
        return [one for one in flat if one is not None] if some else made[0]

    result = run(tensors_alone)
    flat = nest.flatten(made[0])
    if not any(one is None for one in flat):
        return result
    found = iter(result)
    return nest.pack_sequence_as(made[0], [None if one is None else next(found) for one in flat])


def _warn_of_sizes(name: str) -> None:
    """Say once for each function that its budget is not heeded."""
    if name not in _warned:
        _warned.add(name)
        logging.getLogger("tensorflow").warning(
            f"tapeflow.checkpoint: the budget of {name!r} is not heeded in this tf.function, since "
            "sizes of its tensors are not known while it is traced. Trace it for known shapes: "
            "without reduce_retracing, and without None in its input_signature.")


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


def _traced_call(f: Callable, tensors: list, budget: int, name: str) -> Any:
    """The same in a trace, where one run of `f` tells what a plan needs."""
    replay = Replay()

    @custom_gradient
    def once(*inner: Any) -> Any:
        inputs = [convert(x) for x in inner]
        quiet = tuple([one for one in state.stack if not isinstance(one, Record)])
        recording = TracedRecording(None, inputs)
        with replay.remember(), states.only((*quiet, recording)):
            result = f(*inputs)
        if recording.sizes_known:
            plan = _planned(recording, budget, name)
        else:
            _warn_of_sizes(name)
            plan = Plan(recording._count)
        return result, _gradient(f, inputs, recording.cut(plan, inputs), result, plan, replay)

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
        quiet = tuple([one for one in state.stack if not isinstance(one, Record)])
        if len(quiet) < len(state.stack) or state.trace is not None and not isinstance(
                recording, TracedRecording):
            # Somebody differentiates this: it must see how everything comes from the arguments.
            return again(*gs, variables=variables) if variables else again(*gs)
        ran = recording
        if ran.plan is None:  # the first call of its kind
            with states.only(()):
                ran = ran.again(plan or Plan(0), inputs)
        grads: dict[int, Any] = {}
        for y, g in zip(nest.flatten(result, expand_composites=True), gs, strict=True):
            uid = uid_of(convert(y))
            if g is not None and is_differentiable(convert(y)):
                grads[uid] = g if uid not in grads else add_gradients(grads[uid], g)
        with states.only(quiet if state.trace is not None else ()):
            ran.gradients(grads)
        ours = [grads.get(x._uid) for x in inputs]
        if variables is None:
            return ours
        return ours, [grads.get(one._uid) for one in variables]

    return grad
