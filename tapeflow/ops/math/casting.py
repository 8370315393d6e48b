"""Changing the dtype: cast, saturate_cast, and bitcast, which keeps the bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import Pointwise, Unsupported
from tapeflow.core.record.op import NONDIFF, NUMERIC, Spec, define
from tapeflow.core.record.primitive_ops import cast as _cast
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import CompositeTensor, Tensor
from tapeflow.ops._support.arguments import brackets, wrong_kind
from tapeflow.ops.math.comparison import maximum, minimum
from tapeflow.ops.math.complex import imag, make_complex, real


@export("cast", "dtypes.cast")
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """x in another dtype; x itself if it has that dtype already."""
    wanted = dtype if type(dtype) is tf_dtypes.DType else tf_dtypes.as_dtype(dtype)
    if type(x) is Tensor and x._value.dtype.kind in "fiub" and wanted.kind in "fiub":
        return x if x._value.dtype is wanted.np else _cast(x, dtype=wanted.np)
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, wanted), x.indices, x.dense_shape)
    if isinstance(x, (Tensor, CompositeTensor)) and getattr(x, "dtype", None) == wanted:
        return x
    x = operand(x)
    if x.dtype == wanted:
        return x
    if "O" in (x.dtype.kind, wanted.kind) or "V" in (x.dtype.kind, wanted.kind):
        raise errors.UnimplementedError(None, None, (
            f"tf.cast: Cast {x.dtype.name} to {wanted.name} is not supported [Op:Cast]"))
    if x.dtype.is_complex and wanted.is_floating:
        _warn(f"You are casting an input of type {x.dtype.name} to an incompatible dtype "
              f"{wanted.name}.  This will discard the imaginary part and may not be what you "
              f"intended.")
    return _cast(x, dtype=wanted.np)


def _warn(message: str) -> None:
    import logging
    logging.getLogger("tensorflow").warning(message)


# -- saturating ------------------------------------------------------------------------------------
@export("saturate_cast", "dtypes.saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """x in another dtype, values beyond its range moved to the nearest that it has."""
    value, wanted = operand(value), tf_dtypes.as_dtype(dtype)
    if value.dtype.is_complex:
        if wanted.is_complex:
            return cast(_clamp_complex(value, wanted), wanted)
        _warn("Casting complex to real discards imaginary part.")
        value = real(value)
    if value.dtype.kind not in "fiu" or wanted.real_dtype.kind not in "fiu":
        raise TypeError(f"tf.saturate_cast: {value.dtype!r} or {wanted!r} has no limits.")
    return cast(_clamp(value, wanted.real_dtype), wanted)


def _clamp(value: Tensor, wanted: tf_dtypes.DType) -> Tensor:
    low, high = _limits(value.dtype, wanted)
    return maximum(minimum(value, operand(high, value.dtype)), operand(low, value.dtype))


def _clamp_complex(value: Tensor, wanted: tf_dtypes.DType) -> Tensor:
    return make_complex(_clamp(real(value), wanted.real_dtype),
                        _clamp(imag(value), wanted.real_dtype))


def _limits(given: tf_dtypes.DType, wanted: tf_dtypes.DType) -> tuple[Any, Any]:
    """The least and greatest values of `given` that `wanted` can hold."""
    scalar = given.as_numpy_dtype
    low, high = scalar(max(given.min, wanted.min)), scalar(min(given.max, wanted.max))
    if int(low) < int(wanted.min):  # rounding took it out of range: the neighbour nearer to 0
        low = np.nextafter(low, scalar(0))
    if int(high) > int(wanted.max):
        high = np.nextafter(high, scalar(0))
    return low, high


# -- bits ------------------------------------------------------------------------------------------
_BITS = ("bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, "
         "complex64, complex128, qint8, quint8, qint16, quint16, qint32")


def _bitcast_kernel(x, dtype):
    before, after = x.dtype.itemsize, dtype.itemsize
    if after == before:
        return x.view(dtype)
    array = np.ascontiguousarray(x).reshape(x.shape)
    if after < before:
        return array.reshape(*x.shape, 1).view(dtype)
    ratio = after // before
    if not x.ndim or x.shape[-1] != ratio:
        raise errors.invalid("Bitcast", f"Cannot bitcast from {x.dtype} to {dtype}: the last "
                                        f"dimension must be {ratio}, got {brackets(x.shape)}")
    return array.view(dtype).reshape(x.shape[:-1])


def _bitcast_shape(x: Spec, dtype: Any) -> Spec:
    before, after = x.dtype.itemsize, dtype.itemsize
    if x.shape is None or after == before:
        return Spec(x.shape, dtype)
    return Spec((*x.shape, before // after) if after < before else x.shape[:-1], dtype)


def _bitcast_element(b: Any, x: Any, dtype: Any) -> Any:
    if np.dtype(x.dtype).itemsize != dtype.itemsize or x.dtype in ("float16", "bool"):
        raise Unsupported(f"from {x.dtype} to {dtype}")
    return b.bitcast(x, dtype.name)


bitcast_op = define("bitcast", kernel=_bitcast_kernel, shape=_bitcast_shape, dtypes=NUMERIC,
                    vjp=NONDIFF("tf.bitcast reads the bits of a number as another: not smooth"),
                    batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
                    check=[Case((2, 3), dtype=np.dtype("uint8")),
                           Case(ints(9, (2, 3)), dtype=np.dtype("float32")),
                           Case(ints(9, (3, 2)), dtype=np.dtype("int64"))],
                    lower=Pointwise(_bitcast_element))


@export("bitcast")
def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The same bits as another dtype; a last axis appears or goes where sizes differ."""
    x = operand(input)
    kind = tf_dtypes.as_dtype(type)
    if x.dtype.kind in "bO":
        raise wrong_kind("Bitcast", "T", x.dtype, _BITS)
    if kind.kind in "bO":
        raise wrong_kind("Bitcast", "type", kind, _BITS)
    return bitcast_op(x, dtype=kind.np)

