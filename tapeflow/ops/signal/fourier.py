"""Discrete Fourier transforms: tf.signal.fft and kin.

Two linear records, complex and real, each its own adjoint but for attributes: `norm` says which
direction divides by the size, `weighted` counts the bins that stand for two frequencies twice (or
half, on the way back). Axes are counted from the end, so that a batch axis changes nothing.
May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export, publish
from tapeflow.base.late import library
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import Spec, shape_of
from tapeflow.core.record.primitive_ops import cast, cut
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support import kernel_threads
from tapeflow.ops._support.arguments import brackets, int_vector, sizes_of
from tapeflow.ops.array.reverse import roll
from tapeflow.ops.math.exponential import rsqrt

SCIPY_FROM = 1 << 15  # elements from which SciPy's transforms, in threads, are quicker than NumPy's
_COMPLEX: dict[Any, Any] = {np.dtype("float32"): np.dtype("complex64"),
                            np.dtype("float64"): np.dtype("complex128")}
_REAL: dict[Any, Any] = {whole: real for real, whole in _COMPLEX.items()}
_COMPLEX[np.dtype("float16")] = np.dtype("complex64")
_OTHER = {"backward": "forward", "forward": "backward"}


def _library(size: int, axes: tuple) -> tuple[Any, dict]:
    """Where the transforms are, and their arguments: NumPy for little along one axis, else SciPy,
    which goes through several axes at once.
    """
    if size < SCIPY_FROM and len(axes) == 1:
        return np.fft, {}
    scipy_fft = library("scipy.fft", "SciPy")
    return scipy_fft, {} if size < SCIPY_FROM else {"workers": kernel_threads.count()}


def same_batch(call, size, xs, batched, attrs):
    """The batch rule of ops on axes that are counted from the end."""
    return call(*xs, **attrs)


def resized(shape: tuple | None, axis: int, size: Any) -> tuple | None:
    """A static shape with another size along an axis counted from the end."""
    if shape is None:
        return None
    axis += len(shape)
    return (*shape[:axis], None if isinstance(size, Tensor) else size, *shape[axis + 1:])


# -- cut or padded with zeros at the end -----------------------------------------------------------
def _fit_kernel(x, axes, sizes):
    sizes = [int(n) for n in sizes]
    now = tuple([x.shape[a] for a in axes])
    if now == tuple(sizes):
        return x
    shape, part = list(x.shape), [slice(None)] * x.ndim
    for a, n in zip(axes, sizes, strict=True):
        part[a], shape[a] = slice(min(n, x.shape[a])), n
    cropped = x[tuple(part)]
    if cropped.shape == tuple(shape):
        return cropped
    out = np.zeros(shape, x.dtype)
    out[tuple(part)] = cropped
    return out


def _fit_shape(x: Spec, axes: tuple, sizes: Any) -> Spec:
    shape = x.shape
    for i, axis in enumerate(axes):
        shape = resized(shape, axis, None if isinstance(sizes, Tensor) else sizes[i])
    return Spec(shape, x.dtype)


def _sizes_at(x: Any, axes: tuple) -> Any:
    """The sizes along some axes as an attribute: ints, or a vector of a trace."""
    shape = shape_of(x)
    some = tuple([shape[a] for a in axes])
    if None not in some:
        return some
    from tapeflow.core.record.primitive_ops import concat
    whole = x._dynamic_shape()
    return concat(*[cut(whole, axis=0, start=a + len(shape), size=1) for a in axes], axis=0)


fit = move("fit_sizes", _fit_kernel, shape=_fit_shape, batch=same_batch, tf_name="Pad",
           vjp=lambda g, y, x, axes, sizes: fit(g, axes=axes, sizes=_sizes_at(x, axes)),
           check=[Case((3,), axes=(-1,), sizes=(5,)), Case((2, 4), axes=(-1,), sizes=(3,)),
                  Case((2, 3, 4), axes=(-2, -1), sizes=(4, 2)),
                  Case((2, 3), axes=(-1,), sizes=(3,))])


# -- complex transforms ----------------------------------------------------------------------------
def _fft_kernel(x, axes, inverse, norm):
    if not x.size:
        return x
    library, more = _library(x.size, axes)
    if len(axes) == 1:
        function = library.ifft if inverse else library.fft
        return function(x, axis=axes[0], norm=norm, **more)
    function = library.ifftn if inverse else library.fftn
    return function(x, None, None if len(axes) == x.ndim else axes, norm, **more)


def _fft_vjp(g, y, x, axes, inverse, norm):
    return transform(g, axes=axes, inverse=not inverse, norm=_OTHER[norm])


transform = move(
    "fft", _fft_kernel, shape=lambda x, **attrs: x, vjp=_fft_vjp, batch=same_batch, dtypes="c",
    kind="contract", tf_name="FFT",
    check=[Case((5,), axes=(-1,), inverse=False, norm="backward"),
           Case((2, 4), axes=(-1,), inverse=True, norm="backward"),
           Case((2, 3, 4), axes=(-2, -1), inverse=False, norm="forward"),
           Case((2, 3, 2), axes=(-3, -2, -1), inverse=True, norm="forward")])


# -- real transforms -------------------------------------------------------------------------------
def _doubled(z: np.ndarray, axis: int, n: int, factor: float) -> np.ndarray:
    """Bins that stand for two frequencies of a real signal of length n, times a factor."""
    weights = np.full(n // 2 + 1, factor, _REAL[z.dtype])
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    return z * weights.reshape(-1, *(1,) * (-axis - 1))


def _rfft_kernel(x, axes, norm, weighted):
    n, dtype = x.shape[axes[-1]], _COMPLEX[x.dtype]
    if x.dtype.itemsize == 2:
        x = x.astype(np.float32)
    if not x.size:
        shape = list(x.shape)
        shape[axes[-1]] = n // 2 + 1 if n else 0
        return np.zeros(shape, dtype)
    library, more = _library(x.size, axes)
    z = (library.rfft(x, axis=axes[0], norm=norm, **more) if len(axes) == 1
         else library.rfftn(x, axes=axes, norm=norm, **more))
    return _doubled(z, axes[-1], n, 2.0) if weighted else z


def _rfft_shape(x: Spec, axes: tuple, **attrs: Any) -> Spec:
    shape = x.shape
    if shape is not None:
        n = shape[axes[-1]]
        shape = resized(shape, axes[-1], n if not n else n // 2 + 1)
    return Spec(shape, _COMPLEX[x.dtype])


def _rfft_vjp(g, y, x, axes, norm, weighted):
    y = inverse_real(g, axes=axes, n=sizes_of(x)[axes[-1]], norm=_OTHER[norm],
                     weighted=not weighted)
    own = np.dtype(getattr(x.dtype, "np", x.dtype))
    return cast(y, dtype=own) if own.itemsize == 2 else y


def _irfft_kernel(z, axes, n, norm, weighted):
    """From the n // 2 + 1 bins of a real signal of length n."""
    n = int(n)
    if z.shape[axes[-1]] != (n // 2 + 1 if n else 0):
        raise errors.invalid("IRFFT", f"Input dimension {z.ndim + axes[-1]} must have length "
                                      f"{n // 2 + 1} for fft_length {n} but got: "
                                      f"{brackets(z.shape)}")
    if not z.size:
        shape = list(z.shape)
        shape[axes[-1]] = n
        return np.zeros(shape, _REAL[z.dtype])
    if weighted:
        z = _doubled(z, axes[-1], n, 0.5)
    library, more = _library(z.size, axes)
    if len(axes) == 1:
        return library.irfft(z, n=n, axis=axes[0], norm=norm, **more)
    sizes = [*(z.shape[a] for a in axes[:-1]), n]
    return library.irfftn(z, s=sizes, axes=axes, norm=norm, **more)


def _irfft_vjp(g, y, z, axes, n, norm, weighted):
    return real_transform(g, axes=axes, norm=_OTHER[norm], weighted=not weighted)


real_transform = move(
    "rfft", _rfft_kernel, shape=_rfft_shape, vjp=_rfft_vjp, batch=same_batch, dtypes="f",
    kind="contract", tf_name="RFFT",
    check=[Case((5,), axes=(-1,), norm="backward", weighted=False),
           Case((2, 4), axes=(-1,), norm="forward", weighted=True),
           Case((2, 3, 4), axes=(-2, -1), norm="backward", weighted=False),
           Case((2, 3, 5), axes=(-3, -2, -1), norm="forward", weighted=True)])
inverse_real = move(
    "irfft", _irfft_kernel, vjp=_irfft_vjp, batch=same_batch, dtypes="c", kind="contract",
    shape=lambda z, axes, n, **attrs: Spec(resized(z.shape, axes[-1], n), _REAL[z.dtype]),
    tf_name="IRFFT",
    check=[Case((3,), axes=(-1,), n=5, norm="backward", weighted=False),
           Case((2, 3), axes=(-1,), n=4, norm="forward", weighted=True),
           Case((2, 3, 3), axes=(-2, -1), n=4, norm="backward", weighted=False),
           Case((2, 3, 3), axes=(-3, -2, -1), n=5, norm="forward", weighted=True)])


# -- public ----------------------------------------------------------------------------------------
def _complex_operand(x: Any, op: str) -> Any:
    if type(x) is Tensor and x._value.dtype.kind == "c":
        return x
    x = operand(x, None if isinstance(x, (Tensor, Variable)) else dtypes.complex64)
    if not x.dtype.is_complex:
        raise errors.invalid(op, f"Value for attr 'Tcomplex' of {x.dtype.name} is not in the list "
                                 "of allowed values: complex64, complex128")
    return x


def _complex_function(rank: int, inverse: bool) -> Any:
    op = ("I" if inverse else "") + "FFT" + (f"{rank}D" if rank > 1 else "")
    axes = tuple(range(-rank, 0))

    def function(input, name=None):
        x = _complex_operand(input, op)
        if len(shape_of(x)) < rank:
            raise errors.invalid(op, f"Input must have rank of at least {rank} but got: "
                                     f"{brackets(shape_of(x))}")
        return transform(x, axes=axes, inverse=inverse, norm="backward")

    return _named(function, op.lower(), rank, "inverse " if inverse else "",
                  "complex tensor")


def _named(function: Any, name: str, rank: int, way: str, kind: str) -> Any:
    function.__name__ = function.__qualname__ = name
    axes = "the last axis" if rank == 1 else f"the last {rank} axes"
    function.__doc__ = f"The {way}discrete Fourier transform of a {kind} over {axes}."
    publish(function, f"signal.{name}")
    return function


def _lengths(fft_length: Any, rank: int) -> Any:
    """`fft_length` as ints, or as a vector of a trace; one number is not enough."""
    if not isinstance(fft_length, (list, tuple)):
        fft_length = operand(fft_length, dtypes.int32)
        if not shape_of(fft_length):
            raise TypeError(f"tf.signal: fft_length must be a vector of {rank} sizes, got "
                            f"{fft_length}")
    given = int_vector(fft_length, "FFT", "fft_length")
    if not isinstance(given, Tensor) and len(given) != rank:
        raise errors.invalid("FFT", f"fft_length must have shape [{rank}], got "
                                    f"{brackets((len(given),))}")
    if not isinstance(given, Tensor) and any(n < 0 for n in given):
        raise errors.invalid("FFT", f"fft_length must be non-negative, got {brackets(given)}")
    return given


def _fitted(x: Any, axes: tuple, sizes: Any) -> Any:
    shape = shape_of(x)
    if not isinstance(sizes, Tensor) and tuple([shape[a] for a in axes]) == tuple(sizes):
        return x
    return x if 0 in shape else fit(x, axes=axes, sizes=sizes)


def _real_function(rank: int) -> Any:
    def function(input_tensor, fft_length=None, name=None):
        x = operand(input_tensor, hint=dtypes.float32)
        if x.dtype not in (dtypes.float32, dtypes.float64):
            raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
        _at_least(x, rank)
        axes = tuple(range(-rank, 0))
        if fft_length is not None:
            x = _fitted(x, axes, _lengths(fft_length, rank))
        return real_transform(x, axes=axes, norm="backward", weighted=False)

    return _named(function, "rfft" + (f"{rank}d" if rank > 1 else ""), rank, "",
                  "real tensor, without the bins that mirror others,")


def _at_least(x: Any, rank: int) -> None:
    if len(shape_of(x)) < rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {rank}")


def _bins(lengths: Any) -> Any:
    """How many bins a real signal of these lengths has."""
    if not isinstance(lengths, Tensor):
        return (*lengths[:-1], lengths[-1] // 2 + 1)
    from tapeflow.core.record.primitive_ops import concat
    rank = shape_of(lengths)[0]
    last = cut(lengths, axis=0, start=rank - 1, size=1) // 2 + 1
    return last if rank == 1 else concat(
        cut(lengths, axis=0, start=0, size=rank - 1), last, axis=0)


def _inverse_real_function(rank: int) -> Any:
    def function(input_tensor, fft_length=None, name=None):
        z = operand(input_tensor, hint=dtypes.complex64)
        _at_least(z, rank)
        if not z.dtype.is_complex:
            raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z}")
        axes = tuple(range(-rank, 0))
        if fft_length is None:
            count = sizes_of(z)[-1]
            n = max(0, 2 * (count - 1)) if isinstance(count, int) else 2 * (count - 1)
        else:
            lengths = _lengths(fft_length, rank)
            z, n = _fitted(z, axes, _bins(lengths)), lengths[-1]
        if isinstance(n, int) and not n:  # nothing, from one bin or none
            z = fit(z, axes=(-1,), sizes=(0,))
        return inverse_real(z, axes=axes, n=n, norm="backward", weighted=False)

    return _named(function, "irfft" + (f"{rank}d" if rank > 1 else ""), rank, "inverse ",
                  "real tensor, given without the bins that mirror others,")


fft, fft2d, fft3d = [_complex_function(rank, False) for rank in (1, 2, 3)]
ifft, ifft2d, ifft3d = [_complex_function(rank, True) for rank in (1, 2, 3)]
rfft, rfft2d, rfft3d = [_real_function(rank) for rank in (1, 2, 3)]
irfft, irfft2d, irfft3d = [_inverse_real_function(rank) for rank in (1, 2, 3)]


# -- any axes --------------------------------------------------------------------------------------
def _any_axes(x: Any, fft_length: Any, axes: Any, op: str) -> tuple[tuple, Any]:
    """The axes, counted from the end, and the lengths along them or None."""
    rank = len(shape_of(x))
    chosen = tuple(range(rank)) if axes is None else int_vector(axes, op, "axes", scalar=True)
    for a in chosen:
        if not -rank <= a < rank:
            raise errors.invalid(op, f"axes must be in [{-rank}, {rank}), got {a}")
    counted = tuple([a % rank - rank for a in chosen])
    return counted, None if fft_length is None else _lengths(fft_length, len(counted))


def _scaled(norm: str | None, inverse: bool) -> str:
    if isinstance(norm, Tensor):
        raise TypeError(f"tf.signal: norm must be text, got {norm!r}")
    norm = norm or "backward"
    if norm not in ("backward", "forward", "ortho"):
        raise ValueError(f"tf.signal: norm must be 'backward', 'forward' or 'ortho', got {norm!r}")
    return norm


def _normed(y: Any, x: Any, axes: tuple, norm: str, inverse: bool) -> Any:
    """`ortho` from an unnormalised transform."""
    if norm != "ortho":
        return y
    sizes = [sizes_of(x)[a] for a in axes]
    count = 1
    for n in sizes:
        count = count * n
    real = np.dtype("float32" if y.dtype.name in ("complex64", "float32") else "float64")
    return y * cast(rsqrt(cast(operand(count), dtype=real)), dtype=y.dtype.np)


def _one_way(norm: str, inverse: bool) -> str:
    """The record's norm for a public one; `ortho` starts from the unnormalised transform."""
    if norm == "ortho":
        return "forward" if inverse else "backward"
    return norm


def _fftnd(input_tensor: Any, fft_length: Any, axes: Any, norm: str | None, inverse: bool) -> Any:
    op = "IFFTND" if inverse else "FFTND"
    x = _complex_operand(input_tensor, op)
    chosen, lengths = _any_axes(x, fft_length, axes, op)
    x = x if lengths is None else _fitted(x, chosen, lengths)
    norm = _scaled(norm, inverse)
    y = transform(x, axes=chosen, inverse=inverse, norm=_one_way(norm, inverse))
    return _normed(y, x, chosen, norm, inverse)


@export("signal.fftnd")
def fftnd(input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None,
          name: str | None = None) -> Tensor:
    """The discrete Fourier transform of a complex tensor over any axes (all unless given)."""
    return _fftnd(input_tensor, fft_length, axes, norm, False)


@export("signal.ifftnd")
def ifftnd(input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None,
           name: str | None = None) -> Tensor:
    """The inverse of `fftnd`."""
    return _fftnd(input_tensor, fft_length, axes, norm, True)


@export("signal.rfftnd")
def rfftnd(input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None,
           name: str | None = None) -> Tensor:
    """The transform of a real tensor over any axes; the last of them has n // 2 + 1 bins."""
    x = operand(input_tensor, hint=dtypes.float32)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    chosen, lengths = _any_axes(x, fft_length, axes, "RFFTND")
    x = x if lengths is None else _fitted(x, chosen, lengths)
    norm = _scaled(norm, False)
    y = real_transform(x, axes=chosen, norm=_one_way(norm, False), weighted=False)
    return _normed(y, x, chosen, norm, False)


@export("signal.irfftnd")
def irfftnd(input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None,
            name: str | None = None) -> Tensor:
    """The inverse of `rfftnd`."""
    z = operand(input_tensor, hint=dtypes.complex64)
    if not z.dtype.is_complex:
        raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {z}")
    chosen, lengths = _any_axes(z, fft_length, axes, "IRFFTND")
    if lengths is None:
        n = 2 * (sizes_of(z)[chosen[-1]] - 1)
    else:
        z, n = _fitted(z, chosen, _bins(lengths)), lengths[-1]
    norm = _scaled(norm, True)
    y = inverse_real(z, axes=chosen, n=n, norm=_one_way(norm, True), weighted=False)
    return _normed(y, y, chosen, norm, True)


# -- the zero frequency in the middle --------------------------------------------------------------
def _shift(x: Any, axes: Any, half: Any) -> Any:
    x = operand(x)
    rank = len(shape_of(x))
    if axes is None:
        axes = range(rank)
    elif type(axes) is int:
        axes = [axes]
    else:
        axes = int_vector(axes, "Roll", "Taxis", scalar=True)
    for a in axes:
        if not -rank <= a < rank:
            raise errors.invalid("Roll", f"axis {a} is out of range for a tensor of rank {rank}")
    sizes = sizes_of(x)
    return roll(x, [half(sizes[a]) for a in axes], list(axes))


@export("signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The halves of each axis exchanged, so that the zero frequency is in the middle."""
    return _shift(x, axes, lambda n: n // 2)


@export("signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shift(x, axes, lambda n: -(n // 2))
