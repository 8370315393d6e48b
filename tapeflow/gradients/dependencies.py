"""Which elements of a result depend on which elements of an input: found while the function runs.

`Dependencies` listens as tapes do. For every tensor that depends on the input it holds a sparse
matrix of booleans, a row for each element. Exact rules: elementwise ops, moves, sums and other
reductions, products (a zero in a constant factor is none), convolutions. Ops that mix an axis or
matrices (softmax, Cholesky) are taken to mix all of it; what is unknown, everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.late import library
from tapeflow.core import state as states
from tapeflow.core.autodiff.sources import is_differentiable
from tapeflow.core.record.op import Op, shape_of
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.ops.conv.conv_ops import convolve, input_gradient
from tapeflow.ops.linalg.einsum import contract
from tapeflow.ops.linalg.matmul import matmul_call
from tapeflow.ops.linalg.matrices import leading
from tapeflow.ops.nn.softmax_norm import log_softmax, softmax
from tapeflow.ops.reduce.cumulative import cumprod, cumsum_op
from tapeflow.ops.reduce.moments import exp_share
from tapeflow.ops.reduce.segment import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
)

AXIS = (softmax.op, log_softmax.op, cumsum_op.op, cumprod.op, exp_share.op)  # mix one axis
SEGMENTS = tuple([call.op for call in (  # type: ignore[attr-defined]
    segment_mean, segment_prod, segment_max, segment_min)])
MOST_PRODUCTS = 20_000_000  # of a product that are looked at one by one


def sparse() -> Any:
    """SciPy's sparse matrices."""
    return library("scipy.sparse", "SciPy")


class Dependencies(states.Listener):
    """What each tensor depends on, of the elements of one input."""

    def __init__(self, x: Tensor):
        self.size = int(np.prod(shape_of(x)))
        self.of: dict[int, Any] = {uid_of(x): sparse().identity(self.size, bool, "csr")}
        self._alive: list[Any] = [x]  # a uid must not be given out again

    def __enter__(self) -> Dependencies:
        states.push(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        states.remove(self)

    def follows(self, uid: int) -> bool:
        return uid in self.of

    def note(self, op: Op, xs: tuple, ys: Any, attrs: dict) -> None:
        places = [i for i, x in enumerate(xs) if x._uid in self.of]
        if not places or op.reason is not None:
            return
        many = tuple(ys) if op.multi else (ys,)
        values = tuple([x._value for x in xs])
        results = tuple([y._value for y in many])
        free = {i: values[i] for i in range(len(xs)) if i not in places}
        totals: list[Any] = [None] * len(many)
        for i in places:
            maps = _local(op, i, values, results, attrs, free)
            for k, one in enumerate(maps):
                part = one @ self.of[xs[i]._uid]
                totals[k] = part if totals[k] is None else totals[k] + part
        for y, total in zip(many, totals, strict=True):
            if total.nnz and is_differentiable(y):
                self.of[uid_of(y)] = total
                self._alive.append(y)

    def rows(self, y: Any) -> Any:
        """The pattern of a result: a row for each of its elements."""
        found = self.of.get(y._uid)
        size = int(np.prod(shape_of(y)))
        return sparse().csr_array((size, self.size), dtype=bool) if found is None else (
            sparse().csr_array(found))


def _local(op: Op, place: int, values: tuple, results: tuple, attrs: dict, free: dict) -> list:
    """For each result of an op the matrix of its dependence on one operand."""
    x = values[place]
    if op.kind == "elementwise":
        return [_select(np.broadcast_to(_numbered(x.shape), results[0].shape), x.size)]
    if op.kind == "reduce" and set(attrs) <= {"axis", "keepdims"}:
        axes = attrs.get("axis")
        axes = range(x.ndim) if axes is None else np.atleast_1d(axes)
        return [_mixed(x.shape, axes, results[0].size)]
    for rule in (_product, _convolution, _move, _mixing):
        found = rule(op, place, values, results, attrs, free)
        if found is not None:
            return found
    return [_mixed(x.shape, range(x.ndim), 1)[np.zeros(y.size, int)] for y in results]


def _numbered(shape: tuple) -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape)


def _matrix(rows: np.ndarray, columns: np.ndarray, shape: tuple) -> Any:
    return sparse().csr_matrix((np.ones(rows.size, bool), (rows.ravel(), columns.ravel())),
                               shape=shape)


def _select(sources: np.ndarray, size: int) -> Any:
    """A result each of whose elements is one of the operand, or none (-1)."""
    sources = sources.ravel()
    there = np.flatnonzero(sources >= 0)
    return _matrix(there, sources[there], (sources.size, size))


def _mixed(shape: tuple, axes: Any, size: int) -> Any:
    """A row for each place outside of `axes`, with all elements along them."""
    kept = [1 if axis in {int(one) % max(len(shape), 1) for one in axes} else n
            for axis, n in enumerate(shape)]
    groups = np.broadcast_to(_numbered(tuple(kept)), shape)
    return _matrix(groups, _numbered(shape), (size, int(np.prod(shape))))


# -- moves and sums --------------------------------------------------------------------------------
def _move(op: Op, place: int, values: tuple, results: tuple, attrs: dict,
          free: dict) -> list | None:
    """Elements that go from place to place: the op itself, or its rule, moves their numbers."""
    if op.kind not in ("move", "reduce"):
        return None
    if op in SEGMENTS:
        op = segment_sum.op
    size = values[place].size

    def moved(fill: np.ndarray) -> tuple:
        operands = [_stand_in(v, fill if i == place else None) for i, v in enumerate(values)]
        found = op.kernel(*operands, **attrs)
        return found if op.multi else (found,)

    def pulled(fill: np.ndarray) -> Any:
        operands = [_stand_in(v, None) for v in values]
        y = np.zeros(results[0].shape)
        rule = op.rules[place] if op.rules is not None else None
        return None if rule is None else rule(fill.reshape(y.shape), y, *operands, **attrs)

    try:
        found = _sources(moved, size)
        if found is None and not op.multi:  # sums: each operand's element goes to one result's
            goals = _sources(lambda fill: (pulled(fill),), results[0].size)
            return goals and [_select(goals[0], results[0].size).T.tocsr()]
        return found and [_select(one, size) for one in found]
    except unsignalled(Exception):  # a kernel that refuses stand-ins: the other rules are asked
        return None


def _sources(moved: Callable, size: int) -> list | None:
    """Where each element of the results comes from (-1: nowhere); None if any is no single one."""
    labels = np.arange(1.0, size + 1)
    found = []
    # Averages of neighbours may be numbers too, but not of these squares.
    for by_number, by_square in zip(moved(labels), moved(labels * labels), strict=True):
        if by_number is None:
            return None
        sources = np.asarray(by_number, np.float64)
        if not np.array_equal(sources * sources, by_square) or not np.array_equal(
                sources, np.rint(sources)) or np.any((sources < 0) | (sources > size)):
            return None
        found.append(sources.astype(np.int64) - 1)
    return found


def _stand_in(value: Any, fill: np.ndarray | None) -> Any:
    """A floating-point operand as float64: numbers of its elements, or zeros."""
    if value.dtype.kind not in "fV":
        return value
    return np.zeros(value.shape) if fill is None else fill.reshape(value.shape)


# -- products --------------------------------------------------------------------------------------
def _product(op: Op, place: int, values: tuple, results: tuple, attrs: dict,
             free: dict) -> list | None:
    """matmul and contractions: an element meets those of the other factor with which it is summed.
    """
    if op is contract.op:
        equation = attrs["equation"]
    elif op is matmul_call.op:
        rank = results[0].ndim
        batch = "abcdefghij"[:rank - 2]
        first = batch[rank - values[0].ndim:] + ("zx" if attrs.get("transpose_a") else "xz")
        second = batch[rank - values[1].ndim:] + ("yz" if attrs.get("transpose_b") else "zy")
        equation = f"{first},{second}->{batch}xy"
    else:
        return None
    ends, out = equation.split("->")
    labels = ends.split(",")
    sizes: dict[str, int] = {}
    for label, value in zip([*labels, out], [*values, results[0]], strict=True):
        for letter, n in zip(label, value.shape, strict=True):
            sizes[letter] = max(sizes.get(letter, 1), n)
    if np.prod(list(sizes.values()), dtype=float) > MOST_PRODUCTS:
        return None

    def spread(label: str, values: np.ndarray) -> np.ndarray:
        """Values over all labels."""
        order = [label.index(letter) for letter in sizes if letter in label]
        shape = [values.shape[label.index(letter)] if letter in label else 1 for letter in sizes]
        return np.broadcast_to(values.transpose(order).reshape(shape), list(sizes.values()))

    rows = spread(out, _numbered(results[0].shape))
    columns = spread(labels[place], _numbered(values[place].shape))
    if 1 - place in free:
        there = spread(labels[1 - place], np.asarray(free[1 - place])) != 0
        rows, columns = rows[there], columns[there]
    return [_matrix(rows, columns, (results[0].size, values[place].size))]


def _convolution(op: Op, place: int, values: tuple, results: tuple, attrs: dict,
                 free: dict) -> list | None:
    """Convolutions of an input, and their adjoints: tap by tap each moves elements."""
    if op is convolve.op and place == 0:
        x, filters, out = values[0].shape, values[1], results[0].shape
        given = attrs
    elif op is input_gradient.op and place == 1:
        x, filters, out = results[0].shape, values[0], values[1].shape
        given = {key: one for key, one in attrs.items() if key != "sizes"}
    else:
        return None
    if given["groups"] != 1:
        return None
    image, size = _numbered(x) + 1.0, int(np.prod(x))
    outputs = _numbered(out)
    fixed = (1 - place) in free
    rows, columns = [], []
    for tap in np.ndindex(filters.shape[:-1]):
        alone = np.zeros((*filters.shape[:-1], 1))
        alone[tap] = 1.0
        sources = convolve.op.kernel(image, alone, **given)[..., 0].astype(np.int64) - 1
        there = sources >= 0
        for channel in range(filters.shape[-1]):
            if not fixed or filters[(*tap, channel)] != 0:
                rows.append(outputs[..., channel][there])
                columns.append(sources[there])
    found = _matrix(np.concatenate(rows or [np.zeros(0, int)]),
                    np.concatenate(columns or [np.zeros(0, int)]), (outputs.size, size))
    return [found if op is convolve.op else found.T.tocsr()]


# -- what mixes ------------------------------------------------------------------------------------
def _mixing(op: Op, place: int, values: tuple, results: tuple, attrs: dict,
            free: dict) -> list | None:
    """Ops over one axis or over matrices: all that lies along them."""
    x = values[place]
    if op in AXIS:
        axes: Any = attrs.get("axis", -1)
        axes = range(x.ndim) if axes is None else np.atleast_1d(axes)
    elif op.batch is leading and x.ndim >= 2:  # linear algebra
        axes = range(x.ndim - 2, x.ndim)
    else:
        return None
    outside = tuple([n for axis, n in enumerate(x.shape) if axis not in {
        int(one) % x.ndim for one in axes}])
    kept = _mixed(x.shape, axes, int(np.prod(outside)))
    found = []
    for y in results:
        groups = _groups(y.shape, x, axes, outside)
        if groups is None:
            return None
        found.append(kept[groups.ravel()])
    return found


def _groups(shape: tuple, x: Any, axes: Any, outside: tuple) -> np.ndarray | None:
    """For each element of a result the place outside of the mixed axes that it belongs to."""
    numbered = _numbered(outside)
    if len(shape) == x.ndim:  # the axes are there still, perhaps of another size
        for axis in sorted({int(one) % x.ndim for one in axes}):
            numbered = np.expand_dims(numbered, axis)
    elif shape[:len(outside)] == outside:
        numbered = numbered.reshape(*outside, *(1,) * (len(shape) - len(outside)))
    try:
        return np.broadcast_to(numbered, shape)
    except ValueError:
        return None


def pattern_of(function: Callable, x: Tensor) -> tuple[Any, Any]:
    """The function's result, and which of its elements depend on which of x."""
    with Dependencies(x) as listener:
        y = function(x)
    return y, listener.rows(y)
