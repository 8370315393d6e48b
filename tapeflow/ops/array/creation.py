"""New tensors of one value or from a shape: zeros, ones, fill, eye.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.dtypes import DType, as_dtype
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import (
    shape_of,
)
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cast,
    fill_like,
    reshape,
)
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, of_trace, wrap
from tapeflow.ops._support.arguments import (
    affordable,
    at_least,
    brackets,
    int_vector,
    joined,
    known_shape,
    sizes_of,
    wrong_kind,
)
from tapeflow.ops.array.one_hot import one_hot
from tapeflow.ops.array.ranges import range_

_concat = LatePublic("concat")
_shape = LatePublic("shape")

_INT32 = np.dtype("int32")
_new = object.__new__


# -- one value everywhere --------------------------------------------------------------------------
def _extent(shape: Any, op: str = "Fill") -> Any:
    """The shape argument of a creation function: a tuple, or a Tensor that is not known yet."""
    kind = type(shape)
    if kind is tuple or kind is list:
        for n in shape:
            if type(n) is not int:
                break
        else:
            return tuple(shape)
    if isinstance(shape, (float, str)) or (isinstance(shape, (list, tuple)) and any(
            isinstance(n, float) for n in shape)):
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    if state.trace is not None and isinstance(shape, (list, tuple)) and None in [
            n for n in shape if not isinstance(n, Tensor)]:
        raise TypeError(f"Cannot use {shape!r} as a shape: a size that is unknown while tracing "
                        "is None in `x.shape`; take it from tf.shape(x).")
    return int_vector(shape, op, "index_type", "dims must represent a vector, got shape",
                      scalar=True)


def _filled(shape: Any, value: Any, dtype: DType) -> Tensor:
    wanted = _extent(shape)
    if type(wanted) is not tuple:
        scalar = wrap(np.asarray(value, dtype.np)[()])
        return known_shape(broadcast_to(scalar, shape=at_least(
            wanted, least=0, op="Fill")), shape)
    if not wanted and dtype.kind != "O":
        return wrap(dtype.as_numpy_dtype(value))
    try:
        if not value:
            return wrap(np.zeros(wanted, dtype.np))
        return wrap(np.full(wanted, value, dtype.np))
    except unsignalled(ValueError):
        raise _negative(wanted) from None
    except unsignalled(MemoryError) as error:
        raise errors.exhausted("Fill", str(error)) from None


def _negative(shape: tuple) -> Exception:
    bad = next((n for n in shape if n < 0), None)
    if bad is None:
        return errors.invalid("Fill", f"Shape {brackets(shape)} is too large")
    return errors.invalid("Fill", f"Dimension {bad} must be >= 0")


@export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None,
          layout: Any = None) -> Tensor:
    """A tensor of zeros (False for bool, empty strings for string).

    >>> tf.zeros([2, 3])
    <tf.Tensor: shape=(2, 3), dtype=float32, numpy=
    array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)>
    """
    kind = dtype if type(dtype) is DType else as_dtype(dtype)
    if kind.kind == "O":
        return _strings(shape)
    if (type(shape) is list or type(shape) is tuple) and shape:
        try:
            made = _new(Tensor)  # as `wrap` does, without its call
            made._value, made._uid = np.zeros(shape, kind.np), 0
            return made if state.trace is None else of_trace(made, name or "zeros")
        except unsignalled(TypeError, ValueError, MemoryError):
            pass  # a shape of a trace, or a wrong one
    return of_trace(_filled(shape, 0, kind), name or "zeros")


def _strings(shape: Any) -> Tensor:
    extent = _extent(shape)
    if isinstance(extent, Tensor):
        return fill(extent, b"")
    result = np.empty(extent, object)
    result[...] = b""
    return wrap(result)


@export("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None,
         layout: Any = None) -> Tensor:
    """A tensor of ones (True for bool)."""
    kind = as_dtype(dtype)
    if kind.kind == "O":
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    made = _filled(shape, 1, kind)
    return made if state.trace is None else of_trace(made, name or "ones")


@export("fill")
def fill(dims: Any, value: Any, name: str | None = None,
         layout: Any = None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`, which may have a gradient."""
    value = operand(value)
    shape = shape_of(value)
    if shape:
        if shape != (1,) or state.trace is not None:  # only kernels take a vector of one for it
            raise errors.invalid("Fill", f"value must represent a scalar, got shape "
                                         f"{brackets(shape)}")
        value = reshape(value, shape=())
    wanted = int_vector(dims, "Fill", "index_type", "dims must represent a vector, got shape",
                        scalar=True)
    if type(wanted) is tuple:
        if wanted and min(wanted) < 0:
            raise _negative(wanted)
        affordable(wanted, "Fill")
        return broadcast_to(value, shape=wanted)
    return known_shape(broadcast_to(value, shape=at_least(wanted, least=0, op="Fill")), dims)


def _like(x: Any, dtype: Any, value: Any) -> Tensor:
    x = x if type(x) is Tensor else operand(x)
    if dtype is not None:
        bool(dtype)  # arrays of several elements are neither true nor false
    if dtype is None or as_dtype(dtype) is x.dtype:
        if not value and type(x) is Tensor and state.recorder is None:
            array = x._value
            if array.dtype.kind != "O":
                return wrap(np.zeros(array.shape, array.dtype))
        return fill_like(x, value=b"" if value == 0 and x.dtype.kind == "O" else value)
    kind = as_dtype(dtype)
    if kind.kind == "O":
        if value:
            raise TypeError(f"Cannot convert {value} to EagerTensor of dtype string")
        return _strings(_extent_of(x))
    if x.dtype.kind == "O":
        return _filled(_extent_of(x), value, kind)
    return cast(fill_like(x, value=value), dtype=kind.np)


def _extent_of(x: Tensor) -> Any:
    """The shape of a tensor, by a tensor where a trace does not know it."""
    known = type(x) is Tensor or x.shape.is_fully_defined()
    return shape_of(x) if known else _shape(x)


@export("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None,
               layout: Any = None) -> Tensor:
    """Zeros in the shape of `input`, of its dtype unless another is given."""
    return _like(input, dtype, 0)


@export("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None,
              layout: Any = None) -> Tensor:
    """Ones in the shape of `input`, of its dtype unless another is given."""
    x = operand(input)
    if dtype is None and x.dtype.kind == "O":
        raise wrong_kind("OnesLike", "T", x.dtype, "bfloat16, half, float, double, int8, uint8, "
                         "int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool")
    return _like(x, dtype, 1)


@export("eye", "linalg.eye")
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None,
        dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Identity matrices: one, or `batch_shape` of them."""
    kind = as_dtype(dtype)
    columns = num_rows if num_columns is None else num_columns
    if any(isinstance(n, Tensor) and type(n) is not Tensor for n in (num_rows, columns)):
        if any(isinstance(n, Tensor) and n.dtype.is_complex for n in (num_rows, columns)):
            raise TypeError("Value passed to parameter 'x' has DataType complex64")
        values = (True, False) if kind is dtypes.bool else (None, None)
        square = one_hot(range_(num_rows), columns, *values, dtype=kind)
        return square if batch_shape is None else _repeated(square, batch_shape)
    try:
        if isinstance(num_rows, bool) or isinstance(columns, bool):
            raise TypeError("a bool is no number of rows")
        rows, wide = [(n._value if isinstance(n, Tensor) else n).__index__()
                      for n in (num_rows, columns)]
    except unsignalled(AttributeError, TypeError):
        raise TypeError(f"Arguments `num_rows` and `num_columns` must be positive integer values. "
                        f"Received: num_rows={num_rows}, num_columns={columns}") from None
    if kind.kind == "O":
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    if min(rows, wide) < 0:
        raise _negative((rows, wide))
    try:
        result = np.eye(rows, wide, dtype=kind.np)
    except unsignalled(MemoryError) as error:
        raise errors.exhausted("MatrixDiagV3", str(error)) from None
    if batch_shape is None:
        return wrap(result)
    if isinstance(batch_shape, int):
        raise TypeError("'int' object is not iterable")
    return _repeated(wrap(result), batch_shape)


def _repeated(square: Tensor, batch_shape: Any) -> Tensor:
    batch = int_vector(batch_shape, "Fill", "index_type")
    if isinstance(batch, Tensor):
        return broadcast_to(square, shape=_concat([batch, sizes_of(square)], 0))
    return broadcast_to(square, shape=joined([*batch, *sizes_of(square)]))


# -- progressions ----------------------------------------------------------------------------------
# -- masks and grids -------------------------------------------------------------------------------
# -- the shape of a tensor -------------------------------------------------------------------------
