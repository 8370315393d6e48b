"""Branches and loops inside a vectorised map: some elements go one way, the others another.

A `Part` is a batch level that stands for some elements of another one, its `root`. While a branch
runs for a Part, the root hands every op over to it, and tensors of the root or of a wider Part are
narrowed to its elements; afterwards `merge` puts the branches' results together. No element runs
through a branch that it did not take, so no NaN of such a branch reaches a gradient. Narrowing and
merging are ops with rules of their own, recorded by tapes that were opened inside the map.

Where elements of several nested maps decide at once, every branch runs for all of them and each
element selects its result. May be imported by `ops.control`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.core import state as states
from tapeflow.core.autodiff.batching import Batched, BatchLevel
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Op, define, shape_of
from tapeflow.core.record.primitive_ops import concat, constant_like
from tapeflow.core.record.row_ops import gather_rows, scatter_rows
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.control.tensor_array import TensorArray
from tapeflow.ops.math.comparison import equal
from tapeflow.ops.math.select import select


class Part(BatchLevel):
    """The elements `rows` of the batch level `root`, in ascending order."""

    def __init__(self, root: BatchLevel, rows: np.ndarray):
        self.root, self.rows = root, rows
        self.size, self.below = len(rows), root.below
        self.draws, self.strict = root.draws, root.strict
        self.level = root.level + 0.5

    def __enter__(self) -> Part:
        self.before, self.root.part = self.root.part, self
        return self

    def __exit__(self, *exc: Any) -> None:
        self.root.part = self.before

    def listeners(self) -> tuple:
        return self.root.listeners()

    def run(self, op: Op, xs: tuple, attrs: dict) -> Any:
        part = self.root.part
        if part is None:  # the walk back, after the branch: operands agree in their part
            part = self
        elif part is not self:
            return part.run(op, xs, attrs)
        return BatchLevel.run(part, op, tuple([narrow(x, part) for x in xs]), attrs)


def _rows(level: BatchLevel) -> np.ndarray:
    return level.rows if isinstance(level, Part) else np.arange(level.size)


def _root(level: BatchLevel) -> BatchLevel:
    return level.root if isinstance(level, Part) else level


def _positions(inner: BatchLevel, outer: BatchLevel) -> Tensor:
    """Where the elements of `inner` stand among those of `outer`."""
    return wrap(np.searchsorted(_rows(outer), _rows(inner)).astype(np.int32))


def _note(level: BatchLevel, op: Op, xs: tuple, y: Tensor, attrs: dict) -> Tensor:
    for listener in level.listeners():
        listener.note(op, xs, y, attrs)
    return y


# -- narrowing -------------------------------------------------------------------------------------
def narrow(x: Any, part: BatchLevel) -> Any:
    """`x` for the elements of `part` alone, if it is a batch of more of them."""
    level = getattr(x, "_interpreter", None)
    if level is part or not isinstance(level, BatchLevel) or _root(level) is not _root(part):
        return x
    with states.only(level.below):
        y = part.batched(gather_rows(x._inner, _positions(part, level)))
    return _note(level, _NARROW, (x,), y, {"part": part, "level": level})


def scatter(x: Any, part: BatchLevel, level: BatchLevel) -> Any:
    """The adjoint of `narrow`: zeros for the elements that are not in `part`."""
    with states.only(level.below):
        inner = part.inner(x)
        y = level.batched(scatter_rows(inner, _positions(part, level),
                                       shape=(level.size, *shape_of(inner)[1:])))
    return _note(level, _SCATTER, (x,), y, {"part": part, "level": level})


# -- merging ---------------------------------------------------------------------------------------
def merge(xs: tuple, parts: tuple, level: BatchLevel) -> Any:
    """One batch for `level` of a batch for each of `parts`, which cover it."""
    order = np.argsort(np.concatenate([_rows(part) for part in parts])).astype(np.int32)
    xs = tuple([narrow(x, part) for x, part in zip(xs, parts, strict=True)])
    with states.only(level.below):
        inner = [part.inner(x) for x, part in zip(xs, parts, strict=True)]
        y = level.batched(gather_rows(concat(*inner, axis=0), wrap(order)))
    return _note(level, _MERGE, xs, y, {"parts": parts, "level": level})


def _merge_tangents(ts: tuple, y: Any, *xs: Any, parts: tuple, level: BatchLevel) -> Any:
    return merge(tuple([constant_like(x, 0) if t is None else t
                        for t, x in zip(ts, xs, strict=True)]), parts, level)


def _crossing(*xs: Any, **attrs: Any) -> Any:
    raise AssertionError("elements move between batch levels only where a level runs them")


def _crossing_op(name: str, vjp: Any, jvp: Callable, args: tuple[str, ...]) -> Op:
    return define(name, kernel=_crossing, shape=_crossing, vjp=vjp, jvp=jvp, args=args,
                  private=True, kind="move").op


_NARROW = _crossing_op("narrow", (lambda g, y, x, part, level: scatter(g, part, level),),
                       lambda ts, y, x, part, level: narrow(ts[0], part), ("x",))
_SCATTER = _crossing_op("widen", (lambda g, y, x, part, level: narrow(g, part),),
                        lambda ts, y, x, part, level: scatter(ts[0], part, level), ("x",))
_MERGE = _crossing_op("merge", lambda g, y, *xs, parts, level: tuple(
    [narrow(g, part) for part in parts]), _merge_tangents, ("*parts",))


# -- branches --------------------------------------------------------------------------------------
def concrete(x: Any) -> np.ndarray:
    """The values of a tensor: of all elements, if it stands for several."""
    while isinstance(x, Batched):
        x = x._inner
    return np.asarray(x._value)


def _splittable(index: Batched) -> bool:
    """Whether the elements of one map alone decide, and no map inside it is under way."""
    root = _root(index._interpreter)
    inside = [one for one in state.stack if isinstance(one, BatchLevel) and one.level > root.level]
    return type(index._inner) is Tensor and not inside


def choose(index: Batched, branches: tuple) -> Any:
    """For each element the result of the branch that its index names; out of range: the last."""
    _scalar(index, "the index of a branch")
    index = _current(index)
    level = index._interpreter
    if not _splittable(index):
        return _select(index, branches)
    picked = concrete(index)
    picked = np.where((picked >= 0) & (picked < len(branches)), picked, len(branches) - 1)
    taken = np.unique(picked)
    if len(taken) < 2:  # none for a batch of no elements
        return branches[taken[0] if len(taken) else -1]()
    parts, results = [], []
    for k in taken:
        part = Part(_root(level), _rows(level)[picked == k])
        with part:
            results.append(_tensors(branches[k]()))
        parts.append(part)
    return _merged(results, tuple(parts), level)


def _current(x: Batched) -> Batched:
    """`x` for the elements of the branch under way, if it was computed before the branch."""
    part = _root(x._interpreter).part
    return x if part is None else narrow(x, part)


def _scalar(x: Batched, what: str) -> None:
    if x.ndim:
        raise ValueError(f"{what} must be a scalar, got shape {x.shape} for each element.")


def _tensors(structure: Any) -> Any:
    return nest.map_structure(lambda x: None if x is None else operand(x), structure)


def _merged(results: list, parts: tuple, level: BatchLevel) -> Any:
    for other in results[1:]:
        nest.assert_same_structure(results[0], other)
    columns = list(zip(*[nest.flatten(one) for one in results], strict=True))
    for column in columns:
        kinds = {None if x is None else x.dtype.name for x in column}
        if len(kinds) > 1:
            raise TypeError("inside tf.vectorized_map all branches must return the same dtypes, "
                            f"got {', '.join(sorted(map(str, kinds)))}.")
    flat = [None if column[0] is None else merge(column, parts, level) for column in columns]
    return nest.pack_sequence_as(results[0], flat)


def _select(index: Batched, branches: tuple) -> Any:
    """Every branch for all elements; each element takes its own result."""
    results = [_tensors(branch()) for branch in branches]
    for other in results[1:]:
        nest.assert_same_structure(results[0], other)
    chosen = nest.flatten(results[-1])
    for k, result in enumerate(results[:-1]):
        mine = equal(index, convert(k, index.dtype))
        chosen = [None if a is None else select(mine, a, b)
                  for a, b in zip(nest.flatten(result), chosen, strict=True)]
    return nest.pack_sequence_as(results[0], chosen)


# -- loops -----------------------------------------------------------------------------------------
def resume(more: Any, condition: Callable, body: Callable, loop_vars: Any,
           limit: int | None) -> Any:
    """A loop that each element leaves when its own condition fails; `more` was the first answer."""
    more = _current(more)
    level = more._interpreter
    splittable = _splittable(more)
    active: BatchLevel = level
    done: list[tuple[Part, Any]] = []
    while limit is None or limit > 0:
        if isinstance(more, Batched):
            _scalar(more, "the condition of tf.while_loop")
        going = concrete(more).astype(bool)
        if not going.any():
            break
        if going.all():
            loop_vars = _iteration(active, level, body, loop_vars)
        elif not splittable:
            loop_vars = _masked(more, body, loop_vars)
        else:
            rows = _rows(active)
            ended, active = Part(_root(level), rows[~going]), Part(_root(level), rows[going])
            done.append((ended, _narrowed(loop_vars, ended)))
            loop_vars = _iteration(active, level, body, _narrowed(loop_vars, active))
        limit = None if limit is None else limit - 1
        more = operand(_iteration(active, level, condition, loop_vars))
    if not done:
        return loop_vars
    parts = (*[part for part, _ in done], active)
    return _merged([_tensors(one) for one in (*[kept for _, kept in done], loop_vars)], parts,
                   level)


def _iteration(active: BatchLevel, level: BatchLevel, function: Callable, loop_vars: Any) -> Any:
    """Run the condition or the body for the elements that are still in the loop."""
    if active is level:
        return function(*loop_vars)
    with active:
        return function(*loop_vars)


def _narrowed(loop_vars: Any, part: Part) -> Any:
    if any(isinstance(x, TensorArray) for x in nest.flatten(loop_vars)):
        raise ValueError("tf.while_loop inside tf.vectorized_map: a TensorArray cannot be a loop "
                         "variable where the elements leave the loop at different times.")
    return nest.map_structure(lambda x: narrow(x, part), loop_vars)


def _masked(more: Batched, body: Callable, loop_vars: Any) -> Any:
    """One iteration for all elements, of which only those with `more` take the result."""
    before = [operand(x) for x in nest.flatten(loop_vars)]
    result = body(*loop_vars)
    after = [operand(x) for x in nest.flatten(result)]
    return nest.pack_sequence_as(result, [select(more, a, b) for a, b in zip(after, before)])
