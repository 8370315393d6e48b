"""Arrays made from shapes, ranges and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor
from tapeflow.numpy_api.elementwise import log10
from tapeflow.numpy_api.promotion import array, asarray, public, result_type


def _typed(dtype: Any) -> Any:
    if dtype is None:
        return result_type(float)
    if not dtype:
        raise TypeError(f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow "
                        "DType.")
    return result_type(dtype)


@public("zeros", "empty")
def zeros(shape: Any, dtype: Any = float) -> Any:
    """Zeros of a shape."""
    return tf.zeros(shape, dtype=_typed(dtype))


@public("ones")
def ones(shape: Any, dtype: Any = float) -> Any:
    """Ones of a shape."""
    return tf.ones(shape, dtype=_typed(dtype) if dtype else tf.as_dtype(dtype))


@public("zeros_like", "empty_like")
def zeros_like(a: Any, dtype: Any = None) -> Any:
    """Zeros like an array."""
    a = asarray(a)
    return tf.zeros_like(a, result_type(dtype) if dtype else a.dtype)


@public("ones_like")
def ones_like(a: Any, dtype: Any = None) -> Any:
    """Ones like an array."""
    a = asarray(a)
    wanted = result_type(dtype) if dtype else a.dtype
    if wanted == tf.string:
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    return tf.ones_like(a, wanted)


@public("full")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """An array of a shape, filled with a value that broadcasts to it."""
    if not isinstance(shape, Tensor):
        shape = tf.convert_to_tensor(shape, dtype_hint=tf.int32)
    return tf.broadcast_to(asarray(fill_value, dtype=dtype),
                           shape if shape.shape.rank else tf.reshape(shape, [-1]))


@public("broadcast_to")
def broadcast_to(array: Any, shape: Any) -> Any:
    """An array repeated to a shape as arithmetic would."""
    return full(shape, array)


@public("full_like")
def full_like(a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
              shape: Any = None) -> Any:
    """An array like `a`, filled with a value; `order`, `subok` and `shape` must be the defaults."""
    for name, wrong in (("order", order != "K"), ("subok", not subok), ("shape", shape)):
        if wrong:
            raise ValueError(f"tf.experimental.numpy.full_like does not take another `{name}`.")
    a = asarray(a)
    return tf.broadcast_to(asarray(fill_value, dtype=dtype or a.dtype), tf.shape(a))


@public("eye")
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Any:
    """Ones on the k-th diagonal of an N by M matrix."""
    return tf.constant(np.eye(int(N), int(M) if M else None, int(k)), _typed(dtype))


@public("identity")
def identity(n: int, dtype: Any = float) -> Any:
    """The identity matrix."""
    return eye(n, n, dtype=dtype)


@public("tri")
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """Ones at and below the k-th diagonal."""
    sizes = (N, N if M is None else M, k)
    for n in sizes:
        if isinstance(n, (float, np.floating)) or getattr(n, "dtype", np.int64) in (
                np.float64, np.float32):
            raise TypeError(f"Cannot convert {n!r} to EagerTensor of dtype int32")
    if any(isinstance(n, int) and not -1 << 31 <= n < 1 << 31 for n in sizes):
        raise tf.errors.InvalidArgumentError(None, None, f"tf.experimental.numpy.tri: N, M and k "
                                                         f"must fit into int32, got {sizes}.")
    rows, columns, first = [int(tf.convert_to_tensor(n, tf.int32)) for n in sizes]
    return tf.cast(tf.constant(np.tri(rows, columns, first, dtype=bool)), _typed(dtype))


def _triangle(m: Any, k: int, name: str) -> tuple:
    m = asarray(m)
    if m.shape.rank is None or m.shape.rank < 2:
        raise ValueError(f"tf.experimental.numpy.{name}: the argument must have rank at least 2, "
                         f"got shape {m.shape}.")
    rows, columns = m.shape[-2:]
    if rows is None or columns is None:
        raise ValueError(f"tf.experimental.numpy.{name}: the last two sizes must be known, got "
                         f"{m.shape}.")
    if isinstance(k, float):
        raise TypeError(f"Cannot convert {k} to EagerTensor of dtype int64")
    index = tf.convert_to_tensor(k)
    if isinstance(k, Tensor) and index.dtype not in (tf.int32, tf.int64):
        raise tf.errors.InvalidArgumentError(None, None, (
            f"Value for attr 'Tindex' of {index.dtype.name} is not in the list of allowed values: "
            "int32, int64 [Op:MatrixBandPart]"))
    return m, tf.constant(np.tri(rows, columns, k, dtype=bool)), tf.constant(0, m.dtype)


@public("tril")
def tril(m: Any, k: int = 0) -> Any:
    """The lower triangle: zeros above the k-th diagonal."""
    m, mask, zero = _triangle(m, k, "tril")
    return tf.where(mask, m, zero)


@public("triu")
def triu(m: Any, k: int = 0) -> Any:
    """The upper triangle: zeros below the k-th diagonal."""
    m, mask, zero = _triangle(m, k - 1, "triu")
    return tf.where(mask, zero, m)


@public("diag")
def diag(v: Any, k: int = 0) -> Any:
    """A matrix with the vector on its k-th diagonal, or a matrix's k-th diagonal."""
    v = asarray(v)
    if v.shape.rank == 1:
        return tf.linalg.diag(v, k=k) if v.shape[0] != 0 else tf.zeros([abs(k)] * 2, v.dtype)
    if v.shape.rank != 2:
        raise tf.errors.InvalidArgumentError(
            None, None, f"tf.experimental.numpy.diag: the argument must have rank 1 or 2, got "
            f"shape {v.shape}.")
    return diagonal(v, tf.get_static_value(k) if tf.is_tensor(k) else k)


@public("diagflat")
def diagflat(v: Any, k: int = 0) -> Any:
    """A matrix with all elements on its k-th diagonal."""
    return diag(tf.reshape(asarray(v), [-1]), k)


@public("diagonal")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonal over two axes, last."""
    from tapeflow.numpy_api.shaping import moveaxis
    a = moveaxis(asarray(a), (axis1, axis2), (-2, -1))
    rows, columns = a.shape[-2:]
    if rows is not None and columns is not None and not -rows < offset < columns:
        return tf.zeros([*a.shape[:-2], 0], a.dtype)
    return tf.linalg.diag_part(a, k=offset)


@public("diag_indices")
def diag_indices(n: int, ndim: int = 2) -> tuple:
    """Indices of the diagonal of an array of `ndim` axes of size n."""
    if n < 0 or ndim < 0:
        raise ValueError("tf.experimental.numpy.diag_indices: n and ndim must not be negative, "
                         f"got {n} and {ndim}.")
    return (tf.range(n),) * ndim


@public("trace")
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sum of a diagonal."""
    from tapeflow.numpy_api.reductions import sum_
    a = asarray(a, result_type(dtype) if dtype else None)
    rank = a.shape.rank
    if isinstance(offset, float):
        raise TypeError(f"Cannot convert {offset} to EagerTensor of dtype int32")
    if offset == 0 and rank and axis1 in (-2, rank - 2) and axis2 in (-1, rank - 1):
        return tf.linalg.trace(a)
    return sum_(diagonal(a, offset, axis1, axis2), -1, dtype)


# -- ranges ----------------------------------------------------------------------------------------
@public("arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Numbers from start to stop, without it, by step."""
    if not step:
        raise ValueError("tf.experimental.numpy.arange: step must be non-zero.")
    if dtype:
        dtype = result_type(dtype)
    else:
        dtype = result_type(start, step) if stop is None else result_type(start, step, stop)
    first, last = (0, start) if stop is None else (start, stop)
    if (step > 0 and first > last) or (step < 0 and first < last):
        return array([], dtype=dtype)
    return tf.cast(tf.range(start, limit=stop, delta=step), dtype)


@public("linspace")
def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
             dtype: Any = float, axis: int = 0) -> Any:
    """`num` numbers from start to stop; their dtype is that of the ends, as in NumPy 2."""
    if dtype:
        dtype = result_type([start * 1.0, stop * 1.0])
    start, stop = array(start, dtype=dtype), array(stop, dtype=dtype)
    if num < 0:
        raise ValueError(f"tf.experimental.numpy.linspace: num must not be negative, got {num}.")
    parts = num - 1 if endpoint else num
    step = (stop - start) / parts if parts > 0 else tf.constant(np.nan)
    last = stop if endpoint or num < 2 else stop - step
    result = tf.linspace(start, last, num, axis=axis)
    result = tf.cast(result, dtype) if dtype else result
    return (result, step) if retstep else result


@public("logspace")
def logspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0,
             dtype: Any = None, axis: int = 0) -> Any:
    """`num` numbers from base**start to base**stop, evenly on a logarithmic scale."""
    dtype = result_type([start * 1.0, stop * 1.0])
    powers = linspace(start, stop, num=num, endpoint=endpoint, dtype=dtype, axis=axis)
    return tf.cast(tf.pow(tf.cast(base, powers.dtype), powers), dtype)


@public("geomspace")
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None,
              axis: int = 0) -> Any:
    """`num` numbers from start to stop, each the same multiple of the one before."""
    from tapeflow.numpy_api.shaping import moveaxis
    dtype = tf.as_dtype(dtype) if dtype else result_type(start, stop, float(num), zeros(()))
    work = np.promote_types(dtype.np, np.float32)
    start, stop = asarray(start, work), asarray(stop, work)
    both_negative = (1 - tf.sign(tf.math.real(start))) * (1 - tf.sign(tf.math.real(stop)))
    flip = tf.cast(1 - both_negative // 2, start.dtype)
    result = flip * logspace(log10(flip * start), log10(flip * stop), num, endpoint=endpoint)
    return tf.cast(moveaxis(result, (0,), (axis,)) if axis else result, dtype)


@public("meshgrid")
def meshgrid(*xi: Any, **kwargs: Any) -> list:
    """Coordinate arrays; only copy=True and sparse=False."""
    for name, only in (("sparse", False), ("copy", True)):
        if kwargs.get(name, only) is not only:
            raise ValueError(f"tf.experimental.numpy.meshgrid takes only {name}={only}.")
    return tf.meshgrid(*[asarray(one) for one in xi], indexing=kwargs.get("indexing", "xy"))


@public("ix_")
def ix_(*args: Any) -> list:
    """Index arrays that select rows, columns and so on."""
    from tapeflow.numpy_api.shaping import nonzero
    result = []
    for i, one in enumerate(args):
        one = asarray(one)
        if one.shape.rank != 1:
            raise ValueError(f"tf.experimental.numpy.ix_: arguments must be 1-d, got arg {i} of "
                             f"rank {one.shape.rank}")
        if one.dtype == tf.bool:
            one = nonzero(one)[0]
        elif not one.dtype.is_integer:
            raise ValueError("tf.experimental.numpy.ix_ takes integers and bools, got "
                             f"{one.dtype.name}")
        result.append(tf.reshape(one, [-1 if i == j else 1 for j in range(len(args))]))
    return result


@public("vander")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Powers of the elements, in columns."""
    x = asarray(x)
    if x.shape.rank != 1:
        raise ValueError(f"tf.experimental.numpy.vander: x must be one-dimensional, got {x.shape}.")
    count = x.shape[0] if N is None else N
    if not tf.is_tensor(count) and count is not None and count < 0:
        raise ValueError(f"tf.experimental.numpy.vander: N must be nonnegative, got {count}")
    count = tf.shape(x)[0] if count is None else count
    powers = tf.range(count) if increasing else tf.range(count - 1, -1, -1)
    return tf.pow(tf.expand_dims(x, -1), tf.cast(powers, x.dtype))


@public("compress")
def compress(condition: Any, a: Any, axis: int | None = None) -> Any:
    """The slices along an axis for which the condition holds."""
    condition, a = asarray(condition, dtype=bool), asarray(a)
    if condition.shape.rank != 1:
        raise ValueError("tf.experimental.numpy.compress: condition must be a 1-d array, got shape "
                         f"{condition.shape}.")
    if a.shape.rank == 0 or axis is None:
        a, axis = tf.reshape(a, [-1]), 0
    axis = axis + a.shape.rank if axis < 0 else axis
    missing = a.shape[axis] - condition.shape[0]
    if missing > 0:
        condition = tf.concat([condition, tf.fill([missing], False)], axis=0)
    return tf.boolean_mask(a, condition, axis=axis)


@public("append")
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """Values after an array; without an axis both are flattened."""
    from tapeflow.numpy_api.shaping import concatenate
    if axis is not None:
        return concatenate([arr, values], axis=axis)
    return concatenate([tf.reshape(asarray(one), [-1]) for one in (arr, values)])


@public("pad")
def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Any:
    """An array with a border; mode is 'constant', 'reflect' or 'symmetric'."""
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"tf.experimental.numpy.pad: unsupported padding mode: {mode}")
    array = asarray(array)
    return tf.pad(array, asarray(pad_width, dtype=np.int32), mode=mode.upper(),
                  constant_values=kwargs.get("constant_values", 0))
