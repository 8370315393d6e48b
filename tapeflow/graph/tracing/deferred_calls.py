"""Calls of public functions on tensors whose rank, sizes or values are not known while tracing.

A public function looks at ranks and sizes: to count axes from the end, to check, to multiply. Where
it fails because one is unknown, the trace gets one node that stands for the call; as soon as the
graph is replayed with known sizes (every call of a tf.function does that), the function itself runs
and its ops take the node's place. What the call results in, and in which dtypes and sizes, is found
by trying it on some ranks and sizes.

An axis or a permutation that is a tensor is looked at too. Its value is known in a run only: the
node stays, and its kernel is the function on eager tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import from_handler, unsignalled
from tapeflow.core.deferrable import UNKNOWN_SIZE_ERRORS, UNKNOWN_VALUE_ERRORS
from tapeflow.core.record.op import Op, Spec, apply, define, specialise
from tapeflow.core.record.traits import Traits
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, read
from tapeflow.graph.tracing.deferred_gradients import by_tape, unknown, valueless
from tapeflow.graph.tracing.symbolic import Symbolic

if TYPE_CHECKING:
    from tapeflow.graph.tracing.trace import Trace

RANKS = (2, 1, 3, 4, 0, 5)
SIZES = (2, 3, 4, 1)
PARTED = (3628800, 7257600)  # which blocks of most sizes divide; no memory is taken for a trial
# What may stand for integers in trials: axes, shifts and block sizes, and permutations.
VALUES = (lambda shape: np.zeros(shape), lambda shape: np.ones(shape),
          lambda shape: np.full(shape, -1), lambda shape: np.full(shape, 2),
          lambda shape: np.arange(np.prod(shape)).reshape(shape))
MOST_TRIALS = 2000
LENGTHS = (2, 1, 3, 4, 0)  # of vectors whose length is not known
# What asking a symbolic tensor for its value raises.
BY_VALUE = UNKNOWN_VALUE_ERRORS


_arguments: WeakKeyDictionary[Op, Callable] = WeakKeyDictionary()


def arguments_of(op: Op) -> Callable[[Sequence], tuple[list, dict]] | None:
    """Of a call that waits: the arguments of its function, given its operands."""
    return _arguments.get(op)


def unranked(x: Any) -> bool:
    return isinstance(x, Symbolic) and x._ir.shape is None


def waits(x: Any, error: Exception) -> bool:
    """Whether a call may have failed because so little is known of an operand."""
    return waits_for_size(x, error) or (isinstance(error, BY_VALUE) and valueless(x))


def waits_for_size(x: Any, error: Exception) -> bool:
    return unranked(x) or (isinstance(error, UNKNOWN_SIZE_ERRORS) and unknown(x))


def defer_call(function: Callable, args: tuple, kwargs: dict, error: Exception) -> Any:
    """The results of a call that failed with `error`; raises it if unknowns are not the reason."""
    if from_handler(error):
        raise error
    structure = (list(args), kwargs)
    leaves = nest.flatten(structure)
    positions = [i for i, x in enumerate(leaves) if isinstance(x, (Tensor, Variable))]
    if state.trace is None or not any(waits(leaves[i], error) for i in positions) or any(
            callable(x) and not isinstance(x, (Tensor, Variable, type)) for x in leaves):
        raise error
    tensors = [read(x) if isinstance(x, Variable) else x for x in [leaves[i] for i in positions]]

    def arguments(operands: Sequence) -> tuple[list, dict]:
        filled = list(leaves)
        for i, x in zip(positions, operands, strict=True):
            filled[i] = x
        return nest.pack_sequence_as(structure, filled)

    def run(*operands: Any) -> Any:
        again, named = arguments(operands)
        return function(*again, **named)

    rule = getattr(function, "deferred_shape", None)
    if rule is None:
        found = _tried(run, tensors)
    else:
        found = tensors[0], (Spec(rule(*args, **kwargs), tensors[0].dtype.np),)
    if found is None:
        raise error
    result, specs = found
    late = _late(getattr(function, "__name__", "call"), run, specs)
    _arguments[late] = arguments
    ys = late.call(*tensors)
    return nest.pack_sequence_as(result, _with_none(result, ys), expand_composites=True)


def _tried(run: Callable, tensors: list) -> tuple[Any, tuple[Spec, ...]] | None:
    """What a call results in, by trials; None if all fail."""
    shapes = [_known(x) for x in tensors]
    stages = list(_stages(shapes, SIZES))
    for trials in (*stages, *[_valued(tensors, stage) for stage in stages]):
        found = _trials(run, tensors, trials)
        if found is not None:
            return found
    return _trials(run, tensors, list(_stages(shapes, PARTED))[-1])


def _known(x: Any) -> Any:
    """A shape with None for sizes that are not known; None if the rank is not."""
    return x._ir.shape if isinstance(x, Symbolic) else x.shape


def _stages(shapes: list, sizes: tuple[int, ...]) -> Iterator[list]:
    """What may stand for the operands' shapes in trials, the likeliest first."""
    free = [i for i, shape in enumerate(shapes) if shape is None]

    def filled(ranks: tuple, size: int | None) -> list:
        ranked = list(shapes)
        for i, rank in zip(free, ranks, strict=True):
            ranked[i] = (None,) * rank
        return [tuple([size if n is None else n for n in shape]) for shape in ranked]

    alike = [(rank,) * len(free) for rank in RANKS] if free else [()]
    if free:
        yield [filled(ranks, None) for ranks in alike]
    if len(free) == 2:
        yield [filled(ranks, None) for ranks in product(RANKS, RANKS)]
    sized = [filled(ranks, size) for ranks in alike for size in sizes]
    yield sized if any(None in (shape or (None,)) for shape in shapes) else sized[:1]


def _valued(tensors: list, shapes: list) -> list:
    """The same trials with values in place of integers that are scalars, vectors or pairs."""
    positions = [i for i, x in enumerate(tensors) if valueless(x) and x.ndim is not None
              and x.ndim < 3]
    lengths = LENGTHS if any(None in _known(tensors[i]) for i in positions) else (0,)
    trials: list = []
    for trial, length in product(shapes, lengths):
        # Vectors without elements are alike, whatever makes them.
        makers = VALUES if length or lengths == (0,) else VALUES[:1]
        for chosen in product(makers, repeat=len(positions)):
            valued = list(trial)
            for i, maker in zip(positions, chosen, strict=True):
                shape = tuple([n or (2 if axis else length) for axis, n in enumerate(
                    _known(tensors[i]))])
                valued[i] = np.asarray(maker(shape), tensors[i].dtype.np)
            trials.append(valued)
            if len(trials) == MOST_TRIALS:
                return trials
    return trials


def _with_none(structure: Any, ys: tuple) -> list:
    """The results in their positions, and None where the function returns None."""
    rest = iter(ys)
    return [None if x is None else next(rest)
            for x in nest.flatten(structure, expand_composites=True)]


def _tensors(result: Any) -> list:
    return [convert(x) for x in nest.flatten(result, expand_composites=True) if x is not None]


def _trials(run: Callable, tensors: list, trials: list) -> tuple[Any, tuple[Spec, ...]] | None:
    """The structure of the results, and what is known of them in all trials; or None.

    A trial has a shape or a value for each tensor.
    """
    structure, specs, succeeded = None, None, 0
    sizes: set[tuple] = set()
    different = {_shapes(trial) for trial in trials}
    for trial in trials:
        with cast("Trace", state.trace).nested("trial") as trace:
            xs = [_stand_in(trace, x, one) for x, one in zip(tensors, trial, strict=True)]
            try:
                result = run(*xs)
                leaves = _tensors(result)
            except unsignalled(Exception):
                continue
        now = [Spec(None if x.ndim is None else tuple(x.shape.as_list()), x.dtype.np)
               for x in leaves]
        if specs is not None and len(specs) != len(now):
            return None
        structure, succeeded = result, succeeded + 1
        sizes.add(_shapes(trial))
        specs = now if specs is None else [_common(a, b) for a, b in zip(specs, now, strict=True)]
    # A few trials with sizes or values do not tell which of the results' are their own.
    few = 3 if trials and any(type(one) is np.ndarray for one in trials[0]) else 2
    settled = len(sizes) > 1 or len(different) == 1
    if specs is not None and (succeeded < few or not settled) and not any(
            None in shape for shapes in sizes for shape in shapes):
        specs = [Spec(s.shape and (None,) * len(s.shape), s.dtype) for s in specs]
    return None if specs is None else (structure, tuple(specs))


def _shapes(trial: list) -> tuple:
    return tuple([one for one in trial if type(one) is tuple])


def _stand_in(trace: Any, x: Tensor, trial: Any) -> Tensor:
    if type(trial) is np.ndarray:
        return wrap(trial[()])
    return trace.placeholder(trial, x.dtype.np) if unknown(x) else x


def _common(a: Spec, b: Spec) -> Spec:
    if a.shape is None or b.shape is None or len(a.shape) != len(b.shape):
        return Spec(None, a.dtype)
    return Spec(tuple([m if m == n else None for m, n in zip(a.shape, b.shape, strict=True)]),
                a.dtype)


def _late(name: str, run: Callable, specs: tuple[Spec, ...]) -> Op:
    def results(*operands: Any) -> tuple:
        return tuple(_tensors(run(*operands)))

    def kernel(*arrays: Any) -> tuple:
        return tuple([y._value for y in results(*[wrap(x) for x in arrays])])

    def vjp(gs: tuple, ys: tuple, *operands: Any) -> list:
        return by_tape(results, gs, operands)

    op: Op = define(name, kernel=kernel, shape=lambda *operands: specs, vjp=vjp, multi=True,
                    args=("*operands",), saves="in out",
                    private=True).op

    def call(*operands: Any) -> tuple:
        if any(unranked(x) for x in operands):
            return apply(op, operands, {})
        try:
            return results(*operands)
        except BY_VALUE:
            if not any(unknown(x) or valueless(x) for x in operands):
                raise
            return apply(op, operands, {})

    specialise(op, call)
    op.traits = Traits(rules_need_values=True)
    return op
