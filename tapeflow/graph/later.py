"""Calls of public functions on tensors whose rank is not known while tracing.

A public function looks at ranks: to count axes from the end, to check. Where a rank is unknown, the
trace gets one node that stands for the call; as soon as the graph is replayed with known sizes
(every call of a tf.function does that), the function itself runs and its ops take the node's place.
What the call results in, and in which dtypes, is found by trying it on some ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.core.convert import convert
from tapeflow.core.op import Op, Spec, apply, define
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor, wrap
from tapeflow.core.variable import Variable, read
from tapeflow.graph.deferred import by_tape
from tapeflow.graph.tracing import Symbolic, Trace

RANKS = (2, 1, 3, 4, 0)


def unranked(x: Any) -> bool:
    return isinstance(x, Symbolic) and x._ir.shape is None


def later(function: Callable, args: tuple, kwargs: dict, error: Exception) -> Any:
    """The results of a call that failed with `error`; raises that if ranks are not the reason."""
    structure = (list(args), kwargs)
    leaves = nest.flatten(structure)
    places = [i for i, x in enumerate(leaves) if isinstance(x, (Tensor, Variable))]
    if state.trace is None or not any(unranked(leaves[i]) for i in places) or any(
            callable(x) and not isinstance(x, (Tensor, Variable)) for x in leaves):
        raise error
    tensors = [read(x) if isinstance(x, Variable) else x for x in [leaves[i] for i in places]]

    def run(*operands: Any) -> Any:
        filled = list(leaves)
        for i, x in zip(places, operands, strict=True):
            filled[i] = x
        again, named = nest.pack_sequence_as(structure, filled)
        return function(*again, **named)

    found = _trials(run, tensors)
    if found is None:
        raise error
    result, specs = found
    ys = _late(getattr(function, "__name__", "call"), run, specs).call(*tensors)
    return nest.pack_sequence_as(result, list(ys), expand_composites=True)


def _trials(run: Callable, tensors: list) -> tuple[Any, tuple[Spec, ...]] | None:
    """The structure of the results, and what is known of them whatever the rank; or None."""
    structure, specs = None, None
    for rank in RANKS:
        with Trace("trial", state.trace) as trace:
            xs = [trace.placeholder((None,) * rank, x.dtype.np) if unranked(x) else x
                  for x in tensors]
            try:
                result = run(*xs)
                leaves = [convert(x) for x in nest.flatten(result, expand_composites=True)]
            except Exception:
                continue
        now = [Spec(None if x.ndim is None else tuple(x.shape.as_list()), x.dtype.np)
               for x in leaves]
        if specs is not None and len(specs) != len(now):
            return None
        structure = result
        specs = now if specs is None else [_common(a, b) for a, b in zip(specs, now, strict=True)]
    return None if specs is None else (structure, tuple(specs))


def _common(a: Spec, b: Spec) -> Spec:
    if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
        return Spec(None, a.dtype)
    return Spec(tuple([m if m == n else None for m, n in zip(a.shape, b.shape, strict=True)]),
                a.dtype)


def _late(name: str, run: Callable, specs: tuple[Spec, ...]) -> Op:
    def results(*operands: Any) -> tuple:
        return tuple([convert(x) for x in nest.flatten(run(*operands), expand_composites=True)])

    def kernel(*arrays: Any) -> tuple:
        return tuple([y._value for y in results(*[wrap(x) for x in arrays])])

    def vjp(gs: tuple, ys: tuple, *operands: Any) -> list:
        return by_tape(results, gs, operands)

    op: Op = define(name, kernel=kernel, shape=lambda *operands: specs, vjp=vjp, multi=True,
                    args=("*operands",), saves="in out",
                    private=True).op  # type: ignore[attr-defined]

    def call(*operands: Any) -> tuple:
        if any(unranked(x) for x in operands):
            return apply(op, operands, {})
        return results(*operands)

    op.call = call
    return op
