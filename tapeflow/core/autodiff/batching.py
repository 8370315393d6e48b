"""Vectorised map: run a function once for a whole batch, by each op's batch rule.

A `BatchLevel` is one `vectorized_map` under way; a `Batched` tensor shows one element's shape and
holds all of them along axis 0 of `_inner`. An op on Batched operands runs its batch rule on the
inner tensors, with only the interpreters active that were there before the level began; tapes
opened inside the level hear of the op on the Batched tensors themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.dtypes import DType
from tapeflow.base.errors import OperatorNotAllowedInGraphError
from tapeflow.base.shapes import TensorShape
from tapeflow.core import state as states
from tapeflow.core.record.op import Op, Spec, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, cut, expand, reduce_sum, stack
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap

_new = object.__new__
_NO_VALUE = ("This tensor stands for every element of a batch, as in tf.vectorized_map: it has no "
             "single value. Use ops on it and tf.cond, not `.numpy()`, `if` or `float`.")


class Batched(Tensor):
    """One element of a batch, standing for all of them."""

    __slots__ = ("_inner", "_interpreter")
    _inner: Any

    @property
    def _value(self) -> Any:
        raise TypeError(_NO_VALUE)

    @property
    def shape(self) -> TensorShape:
        return TensorShape(shape_of(self._inner)[1:])

    @property
    def dtype(self) -> DType:
        return self._inner.dtype

    @property
    def ndim(self) -> int:
        return len(shape_of(self._inner)) - 1

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, batched>"

    __str__ = __repr__

    # Python cannot have what only each element has: TensorFlow's types of error.
    def numpy(self) -> Any:
        raise AttributeError(_NO_VALUE)

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(_NO_VALUE)

    def __len__(self) -> int:
        raise TypeError("len() of a tensor inside tf.vectorized_map: use its `shape`.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise NotImplementedError(_NO_VALUE)


Batched.__module__ = Tensor.__module__


class BatchLevel(states.Listener):
    """The interpreter of one vectorised map.

    `draws`: random ops inside draw anew for each element. `strict`: an op without a batch rule is
    refused, not looped. While a branch runs for some elements only, `part` is their level.
    """

    part: Any = None

    def __init__(self, size: int, draws: bool = False, strict: bool = False):
        self.size, self.draws, self.strict = size, draws, strict
        self.below = state.stack
        self.level = 1 + max([one.level for one in state.stack if isinstance(one, BatchLevel)],
                             default=0)

    def __enter__(self) -> BatchLevel:
        states.push(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        states.remove(self)

    def batched(self, inner: Tensor) -> Batched:
        """A Tensor with a leading batch axis, as one element."""
        tensor = _new(Batched)
        tensor._inner, tensor._interpreter, tensor._uid = inner, self, 0
        return tensor

    def inner(self, x: Any) -> Tensor:
        """A result with its batch axis; one that no element varies is repeated."""
        if isinstance(x, Batched) and x._interpreter is self:
            return x._inner
        return broadcast_to(x, shape=(self.size, *shape_of(x)))

    def listeners(self) -> tuple:
        """Who hears of ops on the batched tensors themselves: what was opened inside."""
        return state.stack[len(self.below) + 1:] if self in state.stack else ()

    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        if self.part is not None:
            return self.part.run(op, xs, attrs)
        marks = tuple([isinstance(x, Batched) and x._interpreter is self for x in xs])
        inner = tuple([x._inner if mark else x for x, mark in zip(xs, marks, strict=True)])
        above = self.listeners()
        rule = op.batch or loop
        if rule is loop and self.strict and op.kind != "random":
            raise ValueError(f"tf.vectorized_map: no vectorised form of {op.tf_name} is known, and "
                             "fallback_to_while_loop=False forbids running it for one element "
                             "after another.")
        with states.only(self.below):
            result = rule(op.call, self.size, inner, marks, attrs)
        ys = tuple([self.batched(one) for one in result]) if op.multi else self.batched(result)
        for listener in above:
            listener.note(op, xs, ys, attrs)
        return ys


def loop(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """The batch rule of an op that has none: element by element."""
    if not size:
        return _empty(call, xs, batched, attrs)
    results = []
    for i in range(size):
        one = [gather_rows(x, wrap(np.int32(i))) if mark else x
               for x, mark in zip(xs, batched, strict=True)]
        results.append(call(*one, **attrs))
    if isinstance(results[0], tuple):
        return tuple([stack(*column, axis=0) for column in zip(*results, strict=True)])
    return stack(*results, axis=0)


def _empty(call: Callable, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """The result for a batch of no elements, by the op's shape rule; a trace that does not know
    all sizes computes it for zeros.
    """
    op = call.op  # type: ignore[attr-defined]
    specs = [Spec(shape_of(x)[1:] if mark else shape_of(x), x.dtype.np)
             for x, mark in zip(xs, batched, strict=True)]
    found = op.shape(*specs, **attrs)
    if any(None in spec.shape for spec in (found if op.multi else (found,))):
        one = call(*[reduce_sum(x, axis=(0,)) if mark else x
                     for x, mark in zip(xs, batched, strict=True)], **attrs)
        results = [cut(expand(y, axis=0), axis=0, start=0, size=0)
                   for y in (one if op.multi else (one,))]
    else:
        results = [wrap(np.zeros((0, *spec.shape), spec.dtype)) for spec in (
            found if op.multi else (found,))]
    return tuple(results) if op.multi else results[0]


def eye_seeds(shape: tuple, dtype: Any) -> np.ndarray:
    """One seed for each element of a tensor of `shape`: (size, *shape)."""
    size = int(np.prod(shape, dtype=np.int64))
    return np.eye(size, dtype=dtype).reshape((size, *shape))
