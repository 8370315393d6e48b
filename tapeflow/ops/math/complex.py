"""Complex numbers: complex, real, imag, angle, conj and the absolute value.

Gradients are conjugated, as TensorFlow's are: for real f(z) the gradient is df/dRe + i df/dIm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base.attributes import dense
from tapeflow.base.exports import export
from tapeflow.core.record.families import batch_elementwise, broadcast, operand, sum_like, unary
from tapeflow.core.record.families import conj as _conj
from tapeflow.core.record.lowering_forms import form
from tapeflow.core.record.op import Spec, define
from tapeflow.core.record.primitive_ops import cast, constant_like
from tapeflow.core.record.samples import Case, Samples
from tapeflow.core.values.composite import plain
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support import kernel_threads
from tapeflow.ops.math.arithmetic import divide_no_nan, multiply
from tapeflow.ops.math.select import select

_REAL = {np.dtype("complex64"): np.dtype("float32"), np.dtype("complex128"): np.dtype("float64")}
_COMPLEX = {real: whole for whole, real in _REAL.items()} | {
    np.dtype("float16"): np.dtype("complex64")}
_POINTS = Samples(0.4, 2, special=[0.0, -1.0])


def _real_spec(z: Spec) -> Spec:
    return Spec(z.shape, _REAL[z.dtype])


# -- parts -----------------------------------------------------------------------------------------
def _complex_kernel(real, imag):
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), _COMPLEX[real.dtype])
    if out.size >= _THREADED_FROM and real.shape == imag.shape:
        flat, first, second = out.reshape(-1), real.reshape(-1), imag.reshape(-1)

        def work(part: slice) -> None:
            flat[part].real = first[part]
            flat[part].imag = second[part]

        kernel_threads.share(work, kernel_threads.slices(out.size))
        return out
    out.real = real
    out.imag = imag
    return out[()]


_THREADED_FROM = 1 << 18  # numbers that are worth the threads


def _complex_jvp(ts, z, a, b):
    ta, tb = ts
    return make_complex(constant_like(a, 0) if ta is None else ta,
                        constant_like(b, 0) if tb is None else tb)


def _part_like(g, x):
    dtype = np.dtype(getattr(x.dtype, "np", x.dtype))
    return sum_like(g if dtype.itemsize > 2 else cast(g, dtype=dtype), x)


make_complex = define(
    "complex", kernel=_complex_kernel, args=("real", "imag"), dtypes="f", kind="elementwise",
    shape=lambda a, b: Spec(broadcast()(a, b).shape, _COMPLEX[a.dtype]), batch=batch_elementwise,
    vjp=(lambda g, z, a, b: _part_like(real_part(g), a),
         lambda g, z, a, b: _part_like(imag_part(g), b)), jvp=_complex_jvp,
    check=[Case((3,), (3,)), Case((2, 3), (3,)), Case((), ())], lower=form("complex"))


def _as_complex(x: Any, imaginary: bool = False) -> Any:
    """A real value as a complex one, on the real or the imaginary axis."""
    zero = constant_like(x, 0)
    return make_complex(zero, x) if imaginary else make_complex(x, zero)


real_part = unary("real", lambda z: z.real.copy(), shape=_real_spec, saves="", dtypes="c",
                  vjp=lambda g, y, z: _as_complex(g), jvp=lambda ts, y, z: real_part(ts[0]),
                  check=_POINTS, lower="real")
imag_part = unary("imag", lambda z: z.imag.copy(), shape=_real_spec, saves="", dtypes="c",
                  vjp=lambda g, y, z: _as_complex(g, imaginary=True),
                  jvp=lambda ts, y, z: imag_part(ts[0]), check=_POINTS, lower="imag")


# -- polar form ------------------------------------------------------------------------------------
def _angle_direction(z: Any) -> Any:
    """The gradient of the angle: i z / |z|², which is -1 / (Im z + i Re z)."""
    return -1.0 / make_complex(imag_part(z), real_part(z))


def _along(t: Any, direction: Any) -> Any:
    """The tangent of a real function of z with gradient `direction`."""
    return real_part(multiply(t, _conj(direction)))


complex_abs = unary("complex_abs", np.abs, shape=_real_spec, saves="in out", dtypes="c",
                    vjp=lambda g, y, z: divide_no_nan(_as_complex(g) * z, _as_complex(y)),
                    jvp=lambda ts, y, z: _along(ts[0], divide_no_nan(z, _as_complex(y))),
                    check=_POINTS, lower="modulus")
complex_angle = unary("angle", np.angle, shape=_real_spec, dtypes="c",
                      lower="angle",
                      vjp=lambda g, y, z: _as_complex(g) * _angle_direction(z),
                      jvp=lambda ts, y, z: _along(ts[0], _angle_direction(z)), check=_POINTS)


# -- public ----------------------------------------------------------------------------------------
@export("complex", "dtypes.complex")
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """The complex tensor with these parts, both float32 or both float64."""
    real, imag = operand(real), operand(imag)
    if real.dtype != imag.dtype or real.dtype.name not in ("float32", "float64"):
        raise TypeError(f"tf.complex: the `real` and `imag` components have incorrect types: "
                        f"{real.dtype.name} {imag.dtype.name}. They must be the same, float32 or "
                        f"float64.")
    return make_complex(real, imag)


def _numeric(x: Any, function: str) -> Tensor:
    x = operand(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{function}: `input` must be a numeric tensor, but got a tensor with "
                        f"dtype {x.dtype!r}")
    return x


@export("math.real")
def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; real tensors are returned as they are."""
    x = _numeric(input, "tf.math.real")
    return real_part(x) if x.dtype.is_complex else plain(x)


@export("math.imag")
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; zeros for real tensors."""
    x = operand(input)
    if x.dtype.is_complex:
        return imag_part(x)
    if not (x.dtype.is_numeric or x.dtype.is_bool):
        raise TypeError(f"tf.math.imag: `input` must be numbers, got {x.dtype!r}")
    return constant_like(x, 0)


@export("math.angle")
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angle of complex numbers; of real ones 0, or pi for negative ones."""
    x = operand(input)
    if x.dtype.is_complex:
        return complex_angle(x)
    if not x.dtype.is_floating:
        raise TypeError(f"tf.math.angle: `input` must be complex or floating, got {x.dtype!r}")
    return select(x < 0, constant_like(x, np.pi), constant_like(x, 0))


@export("math.conj")
def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate; real tensors are returned as they are."""
    x = _numeric(dense("x", x), "tf.math.conj")
    return _conj(x) if x.dtype.is_complex else plain(x)

