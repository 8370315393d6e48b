"""Writing at indices: scatter_nd, tensor_scatter_nd_*, and the scatter methods of variables.

Every op here copies what it changes, and checks all indices before. May be imported by `api` and
by other modules of `ops`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import binary, operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, Scatter, Unsupported
from tapeflow.core.record.op import ANY, INEXACT, NONDIFF, NUMERIC, REAL, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    all_batched,
    broadcast_to,
    dims,
    expand,
    fill_like,
    reshape,
    static,
)
from tapeflow.core.record.row_ops import at_rows
from tapeflow.core.record.samples import Case, Samples, ints, uniform
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, VariableBase, read
from tapeflow.ops._support.arguments import (
    agree,
    alike,
    brackets,
    check_range,
    differing,
    int_vector,
    integers,
    joined,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.indexing.gathering import (
    coordinates,
    gather,
    gather_nd,
    gather_nd_op,
    ignoring,
    joined_rows,
    row_steps,
    with_rows,
)
from tapeflow.ops.reduce.segment import segment_sum

_INDEX = "int16, int32, int64"


# -- kernels ---------------------------------------------------------------------------------------
def _rows(x_shape: tuple, indices: Any, values: Any, op: str, ignore: bool) -> tuple:
    """Coordinates as row indices in x seen as (rows, *rest), the values, and that shape."""
    columns, valid = coordinates(indices, x_shape, op, ignore)
    outer, rest = x_shape[:len(columns)], x_shape[len(columns):]
    if len(columns) == 1:
        flat = columns[0]
    else:
        flat = np.zeros(np.shape(indices)[:-1], np.int64)
        for n, column in zip(outer, columns, strict=True):
            flat = flat * n + column
    if valid is not None:
        flat, values = flat[valid], values[valid]
    size = int(np.prod(outer, dtype=np.int64))
    return flat.reshape(-1), values.reshape((flat.size, *rest)), (size, *rest)


def _scatter_kernel(updates, indices, shape, ignore=False):
    out = np.zeros(shape, updates.dtype) if updates.dtype.kind != "O" else np.full(shape, b"", "O")
    rows, values, flat = _rows(tuple(shape), indices, updates, "ScatterNd", ignore)
    at_rows(np.add, out.reshape(flat), rows, values)
    return out


def _scatter_batch(call, size, xs, batched, attrs):
    updates, indices = all_batched(xs, batched, size)
    return call(updates, with_rows(indices, depth=1),
                **{**attrs, "shape": (size, *attrs["shape"])})


def _scatter_steps(updates, indices, shape, ignore=False):
    depth = shape_of(indices)[-1]
    rows = math.prod(shape[:depth])
    if not depth or not rows or updates.dtype.kind == "b":
        raise Unsupported("no coordinates, nothing to add to, or booleans")
    row_ids = row_steps(indices, shape, -2 if ignore else rows)
    values = reshape(updates, shape=(*shape_of(row_ids), *shape[depth:]))
    total = segment_sum(values, row_ids, rows=rows)
    return reshape(total, shape=tuple(shape))


def _scatter_shape(updates: Spec, indices: Spec, shape: Any, ignore: bool = False) -> Spec:
    known = static(shape)
    if known is not None and None not in known and indices.shape and updates.shape:
        _check_updates(known, indices.shape, updates.shape, "ScatterNd")
    return Spec(known, updates.dtype)


scatter_nd_op = move("scatter_nd", _scatter_kernel, args=("updates", "indices"),
                     shape=_scatter_shape,
                     vjp=lambda g, y, x, indices, shape, ignore: gather_nd_op(
                         g, indices, ignore=ignore),
                     batch=_scatter_batch,
                     check=[Case((3,), ints(4, (3, 1)), shape=(4,), ignore=False),
                            Case((3, 2), ints(4, (3, 1)), shape=(4, 2), ignore=False),
                            Case((2, 2), ints(2, (2, 2, 2)), shape=(2, 3), ignore=False)],
                     lower=Expand(_scatter_steps))


@export("scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "",
               name: str | None = None) -> Tensor:
    """Zeros of `shape` with `updates` added at `indices`; updates of one index are summed."""
    coords = integers(indices, "ScatterNd", "Tindices", _INDEX)
    x = operand(updates)
    if isinstance(shape, Tensor) and shape.dtype != coords.dtype:
        raise differing(scatter_nd_op.op, 2, coords.dtype.np, shape.dtype.np)
    wanted = int_vector(shape, "ScatterNd", "Tindices", "Shape must be a vector, got shape")
    if type(wanted) is tuple:
        if min(wanted, default=0) < 0:
            raise errors.invalid("ScatterNd", f"Dimension {min(wanted)} must be >= 0")
        _check_updates(wanted, shape_of(coords), shape_of(x), "ScatterNd")
    return scatter_nd_op(x, coords, shape=wanted,
                         ignore=ignoring(bad_indices_policy, "ScatterNd"))


def _check_updates(shape: tuple, indices: tuple, updates: tuple, op: str) -> None:
    """Updates must have the shape indices.shape[:-1] + shape[K:]."""
    if not indices:
        raise errors.invalid(op, "Indices shape must have rank at least one. Found:[]")
    if not updates and not op.startswith("Resource"):
        raise errors.invalid(op, "Updates shape must have rank at least one. Found:[]")
    depth, outer = indices[-1], indices[:-1]
    if depth is None:
        return
    if not outer and updates and not agree(updates[:1], indices):
        raise errors.invalid(op, f"Dimensions [0,1) of indices[shape={brackets(indices)}] must "
                                 f"match dimensions [0,1) of updates[shape={brackets(updates)}]")
    if depth > len(shape):
        raise errors.invalid(op, f"indices of {depth} coordinates (shape {brackets(indices)}) do "
                                 f"not fit shape {brackets(shape)}; updates: {brackets(updates)}")
    if not agree(updates[:len(outer)], outer):
        raise errors.invalid(op, f"Outer dimensions of indices and update must match. Indices "
                                 f"shape: {brackets(indices)}, updates shape:{brackets(updates)}")
    if not agree(updates[len(outer):], shape[depth:]):
        raise errors.invalid(op, f"Inner dimensions of output shape must match inner dimensions of "
                                 f"updates shape. Output: {brackets(shape)} updates: "
                                 f"{brackets(updates)}")


# -- changed copies --------------------------------------------------------------------------------
def _divide_at(out: Any, rows: Any, values: Any) -> None:
    """Integers are divided towards zero."""
    if out.dtype.kind in INEXACT:
        at_rows(np.true_divide, out, rows, values)
        return
    if not values.all():
        raise errors.invalid("ResourceScatterDiv", "Integer division by zero")
    for row, value in zip(rows.tolist(), values, strict=True):
        out[row] = np.trunc(out[row] / value)


def _put(out: Any, rows: Any, values: Any) -> None:
    out[rows] = values


def _copying(write: Callable, op: str) -> Callable:
    def kernel(x, indices, updates, ignore=False):
        out = np.array(x, order="C")
        rows, values, flat = _rows(x.shape, indices, updates, op, ignore)
        write(out.reshape(flat), rows, values)
        return out

    return kernel


def _copies_batch(call, size, xs, batched, attrs):
    x, indices, updates = all_batched(xs, batched, size)
    return call(x, with_rows(indices, depth=1), updates, **attrs)


def _linear_jvp(name: str) -> Callable:
    def jvp(ts, y, x, indices, updates, ignore):
        tx, tu = (fill_like(p, value=0) if t is None else t
                  for t, p in ((ts[0], x), (ts[2], updates)))
        return CHANGES[name](tx, indices, tu, ignore=ignore)

    return jvp


same = binary("same", lambda a, b: (a == b).astype(a.dtype),
              vjp=NONDIFF("whether two numbers are equal does not change smoothly"),
              tf_name="Equal", check=Samples(), lower=lambda b, x, y: b.cast(b.eq(x, y), x.dtype))


def _shares(g, y, x, indices, updates, ignore):
    """g divided among all that have the extreme value, and who has it."""
    ours = same(x, y)
    theirs = same(updates, gather_nd_op(y, indices, ignore=ignore))
    many = ours + scatter_nd_op(theirs, indices, shape=dims(x), ignore=ignore)
    return g / many, ours, theirs


def _extreme_x(g, y, x, indices, updates, ignore):
    share, ours, _ = _shares(g, y, x, indices, updates, ignore)
    return share * ours


def _extreme_updates(g, y, x, indices, updates, ignore):
    share, _, theirs = _shares(g, y, x, indices, updates, ignore)
    return gather_nd_op(share, indices, ignore=ignore) * theirs


def _picked(g, y, x, indices, updates, ignore):
    return gather_nd_op(g, indices, ignore=ignore)


def _kept_x(g, y, x, indices, updates, ignore):
    return CHANGES["update"](g, indices, fill_like(updates, value=0), ignore=ignore)


_UNIQUE = np.array([[1], [3], [0]], np.int32)
_CASES = [Case((5,), _UNIQUE, (3,), ignore=False), Case((4, 2), _UNIQUE, (3, 2), ignore=False)]
_REPEATED = [*_CASES, Case((5,), ints(5, (3, 1)), (3,), ignore=False),
             Case((2, 3), ints(2, (2, 2)), (2,), ignore=False)]
_ONLY_VARIABLES = NONDIFF("only variables multiply and divide at indices, and assignments have no "
                          "gradient")


def _change(name: str, write: Callable, vjp: Any, jvp: Any, saves: str, dtypes: str,
            check: Any) -> Callable:
    op = f"TensorScatter{name.capitalize()}"
    return define(f"tensor_scatter_nd_{name}", kernel=_copying(write, op), vjp=vjp, jvp=jvp,
                  shape=lambda x, indices, updates, ignore: _updated(x, indices, updates, op),
                  batch=_copies_batch, saves=saves,
                  args=("x", "indices", "updates"), dtypes=dtypes, tf_name=op, check=check,
                  kind="move", lower=_changing(name))


def _updated(x: Spec, indices: Spec, updates: Spec, op: str) -> Spec:
    if x.shape is not None and indices.shape and updates.shape:
        _check_updates(x.shape, indices.shape, updates.shape, op)
    return x


def _changing(name: str) -> Any:
    """Several coordinates are first made indices of rows; rows are changed at once."""
    if name not in _COMBINE:
        return None

    def steps(x, indices, updates, ignore=False):
        depth, shape = shape_of(indices)[-1], shape_of(x)
        if not depth:
            raise Unsupported("no coordinates")
        if depth == 1:
            return None
        flat = joined_rows(x, depth)
        row_ids = row_steps(indices, shape, -2 if ignore else shape_of(flat)[0])
        changed = CHANGES[name](flat, expand(row_ids, axis=len(shape_of(row_ids))), updates,
                                ignore=ignore)
        return reshape(changed, shape=shape)

    def roles(shapes, ignore=False):
        return {"updates": 2, "indices": 1, "start": ("operand", 0), "combine": _COMBINE[name],
                "rows": shapes[0][0], "outside": "skip" if ignore else "error"}

    return Expand(steps, Scatter(roles))


_COMBINE = {"update": "put", "add": "sum", "sub": "sub", "min": "min", "max": "max", "mul": "prod"}


def _writer(ufunc: Any) -> Callable:
    return lambda out, rows, values: at_rows(ufunc, out, rows, values)


CHANGES: dict[str, Callable] = {
    "update": _change("update", _put, (_kept_x, None, _picked), _linear_jvp("update"), "in1",
                      ANY, _CASES),
    "add": _change("add", _writer(np.add), (lambda g, *rest, **attrs: g, None, _picked),
                   _linear_jvp("add"), "in1", NUMERIC, _REPEATED),
    "sub": _change("sub", _writer(np.subtract), (
        lambda g, *rest, **attrs: g, None, lambda *args, **attrs: -_picked(*args, **attrs)),
        _linear_jvp("sub"), "in1", NUMERIC, _REPEATED),
    "min": _change("min", _writer(np.minimum), (_extreme_x, None, _extreme_updates), None,
                   "in out", REAL, _REPEATED),
    "max": _change("max", _writer(np.maximum), (_extreme_x, None, _extreme_updates), None,
                   "in out", REAL, _REPEATED),
    "mul": _change("mul", _writer(np.multiply), _ONLY_VARIABLES, None, "", NUMERIC, _REPEATED),
    "div": _change("div", _divide_at, _ONLY_VARIABLES, None, "", NUMERIC, [
        Case((5,), _UNIQUE, uniform(1, 4, (3,)), ignore=False)]),
}


def _changed(name: str, tensor: Any, indices: Any, updates: Any, policy: str = "") -> Tensor:
    call = CHANGES[name]
    op = call.op  # type: ignore[attr-defined]
    allowed = _INDEX if name != "update" else "int16, int32, int64, uint16"
    x, values = alike([tensor, updates])
    coords = integers(indices, op.tf_name, "Tindices", allowed)
    if x.dtype != values.dtype:
        raise differing(op, 2, x.dtype.np, values.dtype.np)
    if x.dtype.np.kind not in op.allowed:
        raise errors.NotFoundError(None, None, f"Could not find device for node: {op.tf_name} of "
                                               f"dtype {x.dtype.name} [Op:{op.tf_name}]")
    _check_updates(shape_of(x), shape_of(coords), shape_of(values), op.tf_name)
    return call(x, coords, values, ignore=ignoring(policy, op.tf_name))


@export("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any,
                             name: str | None = None) -> Tensor:
    """`tensor` with `updates` instead of what was at `indices`."""
    return _changed("update", tensor, indices, updates)


@export("tensor_scatter_nd_add")
def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "",
                          name: str | None = None) -> Tensor:
    """`tensor` with `updates` added at `indices`."""
    return _changed("add", tensor, indices, updates, bad_indices_policy)


@export("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "",
                          name: str | None = None) -> Tensor:
    """`tensor` with `updates` subtracted at `indices`."""
    return _changed("sub", tensor, indices, updates, bad_indices_policy)


@export("tensor_scatter_nd_min")
def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "",
                          name: str | None = None) -> Tensor:
    """`tensor` with the smaller of its own values and `updates` at `indices`."""
    return _changed("min", tensor, indices, updates, bad_indices_policy)


@export("tensor_scatter_nd_max")
def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "",
                          name: str | None = None) -> Tensor:
    """`tensor` with the larger of its own values and `updates` at `indices`."""
    return _changed("max", tensor, indices, updates, bad_indices_policy)


# -- variables -------------------------------------------------------------------------------------
def _write(variable: Variable, name: str, indices: Any, updates: Any, op: str) -> Any:
    """Change a variable at coordinates; nothing happens unless all is right."""
    _check_updates(shape_of(variable._snapshot), shape_of(indices), shape_of(updates), op)
    call, now = CHANGES[name], read(variable)
    if type(now) is Tensor and type(indices) is Tensor and type(updates) is Tensor:
        # Assignments are not differentiated: the kernel alone, so that no tape keeps the operands.
        kernel = call.op.kernel  # type: ignore[attr-defined]

        def change(value: Any) -> Any:
            with np.errstate(all="ignore"):
                return kernel(value, indices._value, updates._value)

        return variable._assign_changed(change, updates)
    return variable.assign(call(now, indices, updates, ignore=False))


def _scatter_method(name: str) -> Callable:
    op = f"ResourceScatter{name.capitalize()}"
    arithmetic = name != "update"

    def method(self, sparse_delta, use_locking=False, name=None):
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: "
                            f"{sparse_delta}")
        if arithmetic and self.dtype.kind in "bO":
            raise wrong_kind(op, "dtype", self.dtype, "float, double, int32, uint8, int16, int8, "
                             "complex64, int64, bfloat16, uint16, complex128, half, uint32, uint64")
        rows = integers(convert(sparse_delta.indices), op, "Tindices")
        values = convert(sparse_delta.values, self.dtype)
        return _write(self, change, *_row_updates(self, rows, values, op), op)

    change = name
    method.__name__ = f"scatter_{name}"
    method.__doc__ = f"Change rows of this variable ({name}), given as tf.IndexedSlices."
    return method


def _row_updates(variable: Variable, rows: Any, values: Any, op: str) -> tuple:
    """Row indices as coordinates; a scalar update stands for whole rows."""
    shape, given = shape_of(variable._snapshot), shape_of(values)
    wanted = (*shape_of(rows), *shape[1:])
    if not agree(given, wanted):
        if given:
            raise errors.invalid(op, f"The shape of indices ({brackets(shape_of(rows))}) must be a "
                                     f"prefix of the shape of updates ({brackets(given)}), and the "
                                     f"rest that of a row of the variable {brackets(shape)}")
        values = broadcast_to(values, shape=joined([*sizes_of(rows), *shape[1:]]))
    if type(rows) is Tensor:
        check_range(rows._value, shape[0], op)
    return expand(rows, axis=len(shape_of(rows))), values


def _scatter_nd_method(name: str) -> Callable:
    op = f"ResourceScatterNd{name.capitalize()}"

    def method(self, indices, updates, name=None):
        coords = integers(indices, op, "Tindices")
        return _write(self, change, coords, convert(updates, self.dtype), op)

    change = name
    method.__name__ = f"scatter_nd_{name}"
    method.__doc__ = f"Change elements or slices of this variable ({name}) at coordinates."
    return method


def _batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
    """Replace rows in each batch: both indices and values share their leading axes."""
    if not isinstance(sparse_delta, IndexedSlices):
        raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: "
                        f"{sparse_delta}")
    rows = integers(convert(sparse_delta.indices), "ResourceScatterNdUpdate", "Tindices")
    depth = len(shape_of(rows)) - 1
    coords = expand(rows, axis=depth + 1)
    if depth:
        coords = with_rows(coords, depth=depth)
    return _write(self, "update", coords, convert(sparse_delta.values, self.dtype),
                  "ResourceScatterNdUpdate")


def _sparse_read(self, indices, name=None):
    """Rows of this variable; the gradient is tf.IndexedSlices."""
    return gather(self, indices)


def _variable_gather_nd(self, indices, name=None):
    """Elements or slices of this variable, each given by coordinates."""
    return gather_nd(self, indices)


_METHODS = {
    **{f"scatter_{name}": _scatter_method(name)
       for name in ("update", "add", "sub", "mul", "div", "min", "max")},
    **{f"scatter_nd_{name}": _scatter_nd_method(name)
       for name in ("update", "add", "sub", "min", "max")},
    "batch_scatter_update": _batch_scatter_update, "sparse_read": _sparse_read,
    "gather_nd": _variable_gather_nd}
for _name, _method in _METHODS.items():
    setattr(Variable, _name, _method)
    setattr(VariableBase, _name, _method)
