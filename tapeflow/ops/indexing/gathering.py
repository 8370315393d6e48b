"""Looking things up: gather and its kin, where, boolean_mask.

The gradient of a gather of rows is IndexedSlices; any other is dense, by `ungather`. May be
imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import whole
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.core.deferrable import deferrable, deferred
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Gather, Unsupported, contiguous_strides
from tapeflow.core.record.op import NONDIFF, NUMERIC, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    all_batched,
    broadcast_to,
    cast,
    concat,
    dims,
    reduce_sum,
    reshape,
    static,
    transpose,
)
from tapeflow.core.record.row_ops import at_rows, scatter_rows
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import (
    agree,
    alike,
    boxed,
    brackets,
    check_range,
    differing,
    int_scalar,
    integers,
    joined,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.indexing.basic_indexing import ALL, strided
from tapeflow.ops.math.logical import logical_and
from tapeflow.ops.math.select import select
from tapeflow.ops.reduce.reduction import reduce_all
from tapeflow.ops.reduce.segment import pick_rows

_scattering = LateModule("tapeflow.ops.indexing.scattering")

ndarray = np.ndarray
INDEX = "int16, int32, int64"
_BOOL = np.dtype(bool)
_size = np.prod


# -- one index -------------------------------------------------------------------------------------
def _gather_kernel(x, indices, axis=0, batch_dims=0):
    check_range(indices, x.shape[axis], "GatherV2")
    if not batch_dims:
        y = x.take(indices, axis)
        return y if type(y) is ndarray else boxed(y, x.dtype)
    flat, position = _by_batch(x.shape, indices, axis, batch_dims)
    y = x.reshape(flat)[position]
    return y.reshape(_gathered(x.shape, indices.shape, axis, batch_dims))


def _by_batch(shape: tuple, indices: Any, axis: int, batch_dims: int) -> tuple:
    """x as (batch, before, axis, after), and the index that looks up in its first three axes."""
    batch = int(_size(shape[:batch_dims]))
    before = int(_size(shape[batch_dims:axis]))
    position = (np.arange(batch)[:, None, None], np.arange(before)[:, None],
                np.asarray(indices).reshape(batch, 1, -1))
    return (batch, before, shape[axis], int(_size(shape[axis + 1:]))), position


def _gathered(shape: tuple, indices: tuple, axis: int, batch_dims: int) -> tuple:
    return (*shape[:axis], *indices[batch_dims:], *shape[axis + 1:])


def _gather_shape(x: Spec, indices: Spec, axis: int = 0, batch_dims: int = 0) -> Spec:
    if x.shape is None or indices.shape is None:
        return Spec(None, x.dtype)
    return Spec(_gathered(x.shape, indices.shape, axis, batch_dims), x.dtype)


def _gather_batch(call, size, xs, batched, attrs):
    x, indices = xs
    axis, batch_dims = attrs["axis"], attrs["batch_dims"]
    if not batch_dims and not batched[1]:
        return take(x, indices, axis=axis + 1, batch_dims=0)
    if not batch_dims and not batched[0]:
        y = take(x, indices, axis=axis, batch_dims=0)  # the batch axis stands at `axis`
        rank = len(shape_of(y))
        return y if not axis else transpose(
            y, perm=(axis, *[i for i in range(rank) if i != axis]))
    return take(*all_batched(xs, batched, size), axis=axis + 1, batch_dims=batch_dims + 1)


def _rows_vjp(g, y, x, indices, axis=0, batch_dims=0):
    known = indices.ndim is not None and None not in shape_of(indices)
    rows = int(_size(shape_of(indices), dtype=np.int64)) if known else -1
    if x.ndim is None:
        shape = concat(wrap(np.array([rows], np.int32)), dims(x)[1:], axis=0)
    else:
        shape = joined([rows, *sizes_of(x)[1:]])
    return IndexedSlices(reshape(g, shape=shape), reshape(indices, shape=(rows,)), dims(x))


def _take_vjp(g, y, x, indices, axis, batch_dims):
    return ungather(g, indices, axis=axis, batch_dims=batch_dims, shape=dims(x))


def _ungather_kernel(g, indices, axis, batch_dims, shape):
    """Zeros of `shape`, to which each slice of g is added where it was looked up."""
    out = np.zeros(shape, g.dtype)
    (_, before, size, after), position = _by_batch(shape, indices, axis, batch_dims)
    rows = ((position[0] * before + position[1]) * size + position[2]).reshape(-1)
    at_rows(np.add, out.reshape(-1, after), rows, g.reshape(rows.size, after))
    return out


def _ungather_batch(call, size, xs, batched, attrs):
    axis, batch_dims = attrs["axis"] + 1, attrs["batch_dims"]
    shape = (size, *attrs["shape"])
    if batch_dims or batched[1]:
        xs, batch_dims = tuple(all_batched(xs, batched, size)), batch_dims + 1
    return call(*xs, axis=axis, batch_dims=batch_dims, shape=shape)


def _ungather_steps(g, indices, axis, batch_dims, shape):
    """One scatter of rows: each slice of g goes to the row that its index along `axis` names."""
    batch, before = math.prod(shape[:batch_dims]), math.prod(shape[batch_dims:axis])
    size, after = shape[axis], shape[axis + 1:]
    count = math.prod(shape_of(indices)[batch_dims:])
    start = np.arange(batch * before, dtype=np.int64).reshape(batch, before, 1) * size
    places = reshape(cast(indices, dtype=np.dtype("int64")), shape=(batch, 1, count))
    rows = reshape(places + wrap(start), shape=(batch * before * count,))
    flat = scatter_rows(reshape(g, shape=(batch * before * count, *after)), rows,
                        shape=(batch * before * size, *after))
    return reshape(flat, shape=shape)


gather_op = move("gather", _gather_kernel, args=("params", "indices"), shape=_gather_shape,
                   vjp=_rows_vjp, batch=_gather_batch, tf_name="GatherV2",
                   check=[Case((4, 2), ints(4, (3,)), axis=0, batch_dims=0),
                          Case((4,), ints(4, (2, 2)), axis=0, batch_dims=0),
                          Case((4, 2), ints(4, ()), axis=0, batch_dims=0)],
                   lower=Gather(lambda shapes, axis=0, batch_dims=0: (axis, batch_dims)))
set_traits(gather_op, rules_take_unknown_sizes=True)  # slices, as with known sizes
take = move("take", _gather_kernel, args=("params", "indices"), shape=_gather_shape,
            vjp=_take_vjp, batch=_gather_batch, tf_name="GatherV2",
            check=[Case((2, 4), ints(4, (3,)), axis=1, batch_dims=0),
                   Case((2, 3, 2), ints(3, (2, 2)), axis=1, batch_dims=1),
                   Case((2, 2, 3), ints(3, (2, 2)), axis=2, batch_dims=1),
                   Case((3,), ints(3, ()), axis=0, batch_dims=0)],
            lower=Gather(lambda shapes, axis=0, batch_dims=0: (axis, batch_dims)))
ungather = move("ungather", _ungather_kernel, args=("g", "indices"), dtypes=NUMERIC,
                shape=lambda g, indices, axis, batch_dims, shape: Spec(static(shape), g.dtype),
                vjp=lambda g, y, x, indices, axis, batch_dims, shape: take(
                    g, indices, axis=axis, batch_dims=batch_dims),
                batch=_ungather_batch, tf_name="UnsortedSegmentSum",
                check=[Case((2, 3), ints(4, (3,)), axis=1, batch_dims=0, shape=(2, 4)),
                       Case((2, 2, 2), ints(3, (2, 2)), axis=1, batch_dims=1, shape=(2, 3, 2))],
                lower=Expand(_ungather_steps))


@export("gather")
def gather(params: Any, indices: Any, validate_indices: Any = None, axis: Any = None,
           batch_dims: int = 0, name: str | None = None) -> Tensor:
    """Slices of `params` along `axis`, at `indices`; both share their first `batch_dims` axes.

    An index out of range raises. Along axis 0 the gradient is tf.IndexedSlices.
    """
    x = params if type(params) is Tensor else operand(params)
    places = integers(indices, "GatherV2", "Tindices", INDEX, ragged=True)
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        return deferred(gather, (x, places, None, axis, batch_dims), error)
    if axis is None:
        axis = batch_dims if type(batch_dims) is int else whole("batch_dims", batch_dims)
    elif type(axis) is not int:
        if isinstance(axis, (float, bool)):
            raise wrong_kind("GatherV2", "Taxis", np.dtype(type(axis)))
        axis = int_scalar(axis, "GatherV2", "Taxis", True)
    if not rank:
        raise errors.invalid("GatherV2", "params must be at least 1 dimensional")
    if axis == 0:
        return gather_op(x, places, axis=0, batch_dims=0)
    if not -rank <= axis < rank:
        raise errors.invalid("GatherV2", f"Shape must be at least rank "
                                         f"{axis + 1 if axis > 0 else -axis} but is rank {rank}")
    return take(x, places, axis=axis % rank, batch_dims=_batch_dims(
        batch_dims, shape_of(x), shape_of(places), axis % rank))


def _batch_dims(batch_dims: int, params: tuple, indices: tuple, axis: int) -> int:
    rank, batch_dims = len(indices), whole("batch_dims", batch_dims)
    if not -rank <= batch_dims <= rank:
        raise errors.invalid("GatherV2", f"Expected batch_dims in the range [{-rank}, {rank}], but "
                                         f"got {batch_dims}")
    count = batch_dims + rank if batch_dims < 0 else batch_dims
    if count > axis:
        raise errors.invalid("GatherV2", f"batch_dims ({count}) must be less than or equal to axis "
                                         f"({axis}).")
    for i in range(count):
        if not agree(params[i:i + 1], indices[i:i + 1]):
            raise errors.invalid("GatherV2", f"params.shape[{i}]: {params[i]} should be equal to "
                                             f"indices.shape[{i}]: {indices[i]}")
    return count


# -- several coordinates ---------------------------------------------------------------------------
def coordinates(indices: Any, shape: tuple, op: str, ignore: bool = False,
                label: str = "shape") -> tuple:
    """Index tensors (…, K) as K arrays for NumPy, and a mask of valid ones (None: all).

    Coordinates outside `shape` raise, or with `ignore` are set to 0 and masked.
    """
    array = np.asarray(indices)
    columns = tuple([array[..., k] for k in range(array.shape[-1])])
    if array.size <= 32:
        if all(0 <= i < n for n, column in zip(shape, columns) for i in column.ravel().tolist()):
            return columns, None
    elif array.min() >= 0 and all(column.max() < n for n, column in zip(shape, columns)):
        return columns, None
    limits = np.array(shape[:array.shape[-1]], np.int64)
    wrong = np.asarray((array < 0) | (array >= limits))
    valid = None
    if wrong.any():
        bad = np.asarray(wrong.any(-1))
        if not ignore:
            where = tuple(np.argwhere(bad)[0])
            position = brackets(where) if where else ""
            raise errors.invalid(op, f"indices{position} = {array[where].tolist()} does not index "
                                     f"into {label} {brackets(shape)}")
        valid, array = ~bad, np.where(bad[..., None], 0, array)
    return tuple([array[..., k] for k in range(array.shape[-1])]), valid


def _gather_nd_kernel(x, indices, ignore=False):
    position, valid = coordinates(indices, x.shape, "GatherNd", ignore, "param shape")
    if not position:
        return np.broadcast_to(x, (*indices.shape[:-1], *x.shape))
    y = x[position]
    if valid is not None:
        y = np.where(valid.reshape(valid.shape + (1,) * (y.ndim - valid.ndim)), y, y.dtype.type(0))
    return y if type(y) is ndarray else boxed(y, x.dtype)


def _gather_nd_shape(x: Spec, indices: Spec, ignore: bool = False) -> Spec:
    if x.shape is None or indices.shape is None or indices.shape[-1] is None:
        return Spec(None, x.dtype)
    return Spec((*indices.shape[:-1], *x.shape[indices.shape[-1]:]), x.dtype)


def _gather_nd_vjp(g, y, x, indices, ignore=False):
    shape = shape_of(indices)
    if len(shape) == 2 and shape[1] == 1 and not ignore:
        return IndexedSlices(g, reshape(indices, shape=(shape[0],)), dims(x))
    return _scattering.scatter_nd_op(g, indices, shape=dims(x), ignore=ignore)


def _gather_nd_batch(call, size, xs, batched, attrs):
    if not batched[0]:
        return call(*xs, **attrs)
    x, indices = all_batched(xs, batched, size)
    return call(x, with_rows(indices, depth=1), **attrs)


def row_steps(indices: Any, shape: tuple, outside: int = -1) -> Any:
    """Coordinates (…, K) as row indices of a tensor of `shape` with its first K axes joined.

    Where a coordinate is out of range the index is `outside`, or it is out of range too.
    """
    *lead, depth = shape_of(indices)
    indices = cast(indices, dtype=np.dtype("int64"))
    if depth == 1 and outside == -1:
        return reshape(indices, shape=tuple(lead))
    limits = np.array(shape[:depth], np.int64)
    inside = reduce_all(logical_and(indices >= 0, indices < wrap(limits)), (len(lead),))
    steps = np.array(contiguous_strides(shape[:depth]), np.int64)
    rows = reduce_sum(indices * wrap(steps), axis=(len(lead),), keepdims=False)
    return select(inside, rows, wrap(np.int64(outside)))


def joined_rows(x: Any, depth: int) -> Any:
    """x with its first `depth` axes joined."""
    shape = shape_of(x)
    return x if depth == 1 else reshape(x, shape=(math.prod(shape[:depth]), *shape[depth:]))


def _gather_nd_steps(x, indices, ignore=False):
    depth = shape_of(indices)[-1]
    if not depth:
        raise Unsupported("no coordinates")
    rows = row_steps(indices, shape_of(x), -2 if ignore else -1)
    if ignore:  # zeros for indices below 0
        return pick_rows(joined_rows(x, depth), rows)
    return take(joined_rows(x, depth), rows, axis=0, batch_dims=0)


gather_nd_op = move("gather_nd", _gather_nd_kernel, args=("params", "indices"),
                    shape=_gather_nd_shape, vjp=_gather_nd_vjp, batch=_gather_nd_batch,
                    check=[Case((2, 3), ints(2, (3, 2)), ignore=False),
                           Case((3, 2), ints(3, (4, 1)), ignore=False),
                           Case((3, 2), ints(3, (2, 2, 1)), ignore=False),
                           Case((2, 2), ints(2, (2,)), ignore=False)],
                    lower=Expand(_gather_nd_steps))


def _with_rows_kernel(indices, depth):
    """Before the coordinates of each index, its own position along the first `depth` axes."""
    lead = indices.shape[:-1]
    grids = [np.broadcast_to(np.arange(lead[i], dtype=indices.dtype).reshape(
        (-1,) + (1,) * (len(lead) - i - 1)), lead) for i in range(depth)]
    return np.concatenate([np.stack(grids, -1), indices], -1)


def _with_rows_shape(indices: Spec, depth: int) -> Spec:
    shape = indices.shape
    return Spec(None if shape is None else (
        *shape[:-1], None if shape[-1] is None else shape[-1] + depth), indices.dtype)


def _with_rows_batch(call, size, xs, batched, attrs):
    deeper = call(xs[0], depth=attrs["depth"] + 1)
    rank = len(shape_of(deeper))
    return strided(deeper, spec=(*(ALL,) * (rank - 1), (1, None, None)))


def _with_rows_steps(indices, depth):
    lead = shape_of(indices)[:-1]
    dtype = indices.dtype.np
    grids = [broadcast_to(wrap(np.arange(lead[i], dtype=dtype).reshape(
        (-1, *(1,) * (len(lead) - i)))), shape=(*lead, 1)) for i in range(depth)]
    return concat(*grids, indices, axis=len(lead))


with_rows = define("with_rows", kernel=_with_rows_kernel, shape=_with_rows_shape, dtypes="iu",
                   vjp=NONDIFF("indices are integers: they have no gradient"), args=("indices",),
                   batch=_with_rows_batch,
                   check=[Case(ints(4, (3, 2)), depth=1), Case(ints(4, (2, 3, 1)), depth=2)],
                   lower=Expand(_with_rows_steps))


@export("gather_nd")
@deferrable
def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None,
              bad_indices_policy: str = "") -> Tensor:
    """Elements or slices of `params`, each given by a vector of coordinates."""
    batch_dims = batch_dims if type(batch_dims) is int else whole("batch_dims", batch_dims)
    x = operand(params)
    coords = integers(indices, "GatherNd", "Tindices", INDEX, ragged=True)
    rank = len(shape_of(coords))
    if batch_dims:
        if not 0 <= batch_dims < rank:
            raise ValueError(f"Argument `batch_dims` = {batch_dims} must be less than "
                             f"rank(`indices`) = {rank}")
        if not agree(shape_of(x)[:batch_dims], shape_of(coords)[:batch_dims]):
            raise ValueError(f"tf.gather_nd: params {x.shape} and indices {coords.shape} differ in "
                             f"their first {batch_dims} dimensions")
        coords = with_rows(coords, depth=batch_dims)
    if not rank:
        raise errors.invalid("GatherNd", "indices must be at least a vector")
    depth, most = shape_of(coords)[-1], len(shape_of(x))
    if depth > most:
        raise errors.invalid("GatherNd", f"index innermost dimension length must be <= params "
                                         f"rank; saw: {depth} vs. {most}")
    return gather_nd_op(x, coords, ignore=ignoring(bad_indices_policy, "GatherNd"))


def ignoring(policy: str, op: str) -> bool:
    """Whether indices out of range are to be passed over."""
    if policy not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise errors.NotFoundError(None, None, f"bad_indices_policy={policy!r} is not one of '', "
                                               f"'DEFAULT', 'ERROR', 'IGNORE' [Op:{op}]")
    return policy == "IGNORE"


# -- where -----------------------------------------------------------------------------------------
def _no_batch_of_indices(call, size, xs, batched, attrs):
    raise ValueError("tf.where(condition), tf.boolean_mask and indexing by a mask give results of "
                     "different sizes for the elements of a batch, which tf.vectorized_map cannot "
                     "hold. Use tf.where(condition, x, y) there.")


def _true_indices_kernel(x):
    if x.ndim != 2 or x.size <= 4096:
        return np.argwhere(x)
    flat = np.flatnonzero(x)
    indices = np.empty((flat.size, 2), np.int64)
    np.floor_divide(flat, x.shape[1], out=indices[:, 0])
    np.subtract(flat, indices[:, 0] * x.shape[1], out=indices[:, 1])
    return indices


true_indices = define("where", kernel=_true_indices_kernel, dtypes="fViucb",
                      shape=lambda x: Spec((None, None if x.shape is None else len(x.shape)),
                                           np.dtype("int64")),
                      vjp=NONDIFF("tf.where(condition) gives integer positions: they have no "
                                  "gradient"), batch=_no_batch_of_indices, tf_name="Where",
                      check=[Case([[True, False], [True, True]], grad=False),
                             Case(ints(2, (3,)), grad=False)])


@export("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where the condition holds, `y` elsewhere; without them, the positions of what is true.

    The branch that is not taken gets a gradient of exactly zero, but its own derivative is still
    multiplied by it: guard the argument of that branch against infinities too.
    """
    if x is None and y is None:
        mask = operand(condition)
        if not shape_of(mask):
            raise errors.invalid("Where", "WhereOp : Unhandled input dimensions: 0")
        if len(shape_of(mask)) > 8:
            raise errors.invalid("Where", "WhereOp : Unhandled input dimensions: "
                                          f"{len(shape_of(mask))}")
        return true_indices(mask)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    mask = operand(condition, None if isinstance(condition, (Tensor, Variable)) else dtypes.bool)
    a, b = alike([x, y])
    if mask.dtype is not dtypes.bool:
        raise differing(select.op, 0, _BOOL, mask.dtype.np)
    if a.dtype != b.dtype:
        raise differing(select.op, 2, a.dtype.np, b.dtype.np)
    try:
        return select(mask, a, b)
    except errors.InvalidArgumentError:
        raise errors.invalid("SelectV2", (
            f"condition {brackets(shape_of(mask))}, then {brackets(shape_of(a))}, and else "
            f"{brackets(shape_of(b))} must be broadcastable")) from None


@export("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Tensor:
    """What of `tensor` lies where `mask` is true; the masked axes become one."""
    x, chosen = operand(tensor), operand(mask)
    shape, wanted = shape_of(x), shape_of(chosen)
    if not wanted:
        raise ValueError("mask cannot be scalar.")
    start = 0 if axis is None else int_scalar(axis, "BooleanMask", "axis", True)
    depth = len(wanted)
    if not agree(shape[start:start + depth], wanted):
        raise ValueError(f"Shapes {shape[start:start + depth]} and {wanted} are incompatible")
    if depth > 1:  # the masked axes as one
        sizes = sizes_of(x)
        x = reshape(x, shape=joined([*sizes[:start], -1, *sizes[start + depth:]]))
        chosen = reshape(chosen, shape=(-1,))
    rows = reshape(true_indices(chosen), shape=(-1,))
    return take(x, rows, axis=start % len(shape), batch_dims=0)


# -- embeddings ------------------------------------------------------------------------------------
