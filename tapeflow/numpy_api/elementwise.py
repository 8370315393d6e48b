"""Functions of one array, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.numpy_api.promotion import array, asarray, public, to_float

_FLOATING = {
    "arccos": tf.acos, "arccosh": tf.acosh, "arcsin": tf.asin, "arcsinh": tf.asinh,
    "arctan": tf.atan, "arctanh": tf.atanh, "ceil": tf.math.ceil, "cos": tf.cos, "cosh": tf.cosh,
    "exp": tf.exp, "expm1": tf.math.expm1, "floor": tf.floor, "isfinite": tf.math.is_finite,
    "isnan": tf.math.is_nan, "log": tf.math.log, "log1p": tf.math.log1p, "sin": tf.sin,
    "sinh": tf.sinh, "sqrt": tf.sqrt, "tan": tf.tan, "tanh": tf.tanh,
}
_PLAIN = {
    "conj": tf.math.conj, "conjugate": tf.math.conj, "negative": tf.negative,
    "reciprocal": tf.math.reciprocal, "square": tf.square,
}


def _on_array(name: str, function: Callable, floating: bool) -> Callable:
    def call(x: Any) -> Any:
        x = asarray(x)
        return function(to_float(x) if floating else x)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"NumPy's `{name}` of an array, element by element."
    return public(name)(call)


for _name, _function in _FLOATING.items():
    globals()[_name] = _on_array(_name, _function, True)
for _name, _function in _PLAIN.items():
    globals()[_name] = _on_array(_name, _function, False)


@public("abs", "absolute", "fabs")
def absolute(x: Any) -> Any:
    """The absolute value, element by element."""
    return tf.abs(asarray(x))


@public("real")
def real(val: Any) -> Any:
    """The real part."""
    return tf.math.real(asarray(val))


@public("imag")
def imag(val: Any) -> Any:
    """The imaginary part."""
    return tf.math.imag(asarray(val))


@public("positive")
def positive(x: Any) -> Any:
    """The array itself."""
    return asarray(x)


@public("sign")
def sign(x: Any, out: Any = None, where: Any = None, **kwargs: Any) -> Any:
    """-1, 0 or 1; of a complex number z, z / |z|."""
    for name, given in (("out", out), ("where", where), *kwargs.items()):
        if given or name in kwargs:
            raise ValueError(f"tf.experimental.numpy.sign does not take `{name}`.")
    return tf.sign(asarray(x))


@public("signbit")
def signbit(x: Any) -> Any:
    """Whether x < 0, element by element."""
    x = asarray(x)
    return tf.zeros_like(x) if x.dtype == tf.bool else x < 0


@public("bitwise_not")
def bitwise_not(x: Any) -> Any:
    """The bits inverted; of bools, their negation."""
    x = asarray(x)
    return tf.logical_not(x) if x.dtype == tf.bool else tf.bitwise.invert(x)


@public("logical_not")
def logical_not(x: Any) -> Any:
    """Whether the element is zero."""
    return tf.logical_not(array(x, dtype=bool))


@public("deg2rad")
def deg2rad(x: Any) -> Any:
    """Degrees as radians."""
    return to_float(asarray(x)) * (np.pi / 180.0)


@public("rad2deg")
def rad2deg(x: Any) -> Any:
    """Radians as degrees."""
    return x * (180.0 / np.pi)


@public("angle")
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of a complex number; of a real one, 0 or pi."""
    z = to_float(asarray(z))
    if z.dtype.is_complex:
        result = tf.math.angle(z)
    else:  # TensorFlow gives float32 here, whatever the dtype
        result = tf.where(z < 0, np.float32(np.pi), np.float32(0))
    return rad2deg(result) if deg else result


@public("cbrt")
def cbrt(x: Any) -> Any:
    """The real cube root."""
    x = to_float(asarray(x))
    root = tf.abs(x) ** (1.0 / 3)
    return tf.where(x < 0, -root, root)


@public("exp2")
def exp2(x: Any) -> Any:
    """2 to the power x."""
    x = to_float(asarray(x))
    return tf.pow(tf.constant(2, x.dtype), x)


@public("log2")
def log2(x: Any) -> Any:
    """The logarithm to base 2."""
    return tf.math.log(to_float(asarray(x))) / np.log(2)


@public("log10")
def log10(x: Any) -> Any:
    """The logarithm to base 10."""
    return tf.math.log(to_float(asarray(x))) / np.log(10)


@public("fix")
def fix(x: Any) -> Any:
    """Rounded towards zero."""
    x = to_float(asarray(x))
    return tf.where(x < 0, tf.math.ceil(x), tf.floor(x))


@public("sinc")
def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), and 1 at 0."""
    x = to_float(asarray(x))
    angle = x * np.pi
    return tf.where(x == 0, tf.ones_like(x), tf.sin(angle) / angle)


@public("around", "round")
def around(a: Any, decimals: int = 0) -> Any:
    """Rounded to a number of decimals, halves to even."""
    a = asarray(a)
    work = to_float(a)
    factor = tf.constant(math.pow(10, decimals), work.dtype)
    return tf.cast(tf.round(work * factor) / factor, a.dtype)


# -- kinds of numbers ------------------------------------------------------------------------------
@public("iscomplex")
def iscomplex(x: Any) -> Any:
    """Whether the imaginary part is not 0."""
    return tf.math.imag(asarray(x)) != 0


@public("isreal")
def isreal(x: Any) -> Any:
    """Whether the imaginary part is 0."""
    return tf.math.imag(asarray(x)) == 0


@public("iscomplexobj")
def iscomplexobj(x: Any) -> bool:
    """Whether the dtype is complex."""
    return array(x).dtype.is_complex


@public("isrealobj")
def isrealobj(x: Any) -> bool:
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


@public("isinf")
def isinf(x: Any) -> Any:
    """Whether the element is infinite; False for arrays that are no floats."""
    x = asarray(x)
    return tf.math.is_inf(x) if x.dtype.is_floating else False


@public("isneginf")
def isneginf(x: Any) -> Any:
    """Whether the element is -inf; False for arrays that are no floats."""
    x = asarray(x)
    return x == tf.constant(-np.inf, x.dtype) if x.dtype.is_floating else False


@public("isposinf")
def isposinf(x: Any) -> Any:
    """Whether the element is inf; False for arrays that are no floats."""
    x = asarray(x)
    return x == tf.constant(np.inf, x.dtype) if x.dtype.is_floating else False


@public("diff")
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """The n-th difference of neighbours along an axis."""
    a = asarray(a)
    rank = a.shape.rank
    if rank is None:
        raise ValueError("tf.experimental.numpy.diff: the rank of `a` must be known.")
    if (axis + rank if axis < 0 else axis) >= rank:
        raise ValueError(f"tf.experimental.numpy.diff: axis {axis} is out of bounds for rank "
                         f"{rank}.")
    if n < 0:
        raise ValueError(f"tf.experimental.numpy.diff: n must not be negative, got {n}.")
    later, earlier = [slice(None)] * rank, [slice(None)] * rank
    later[axis], earlier[axis] = slice(1, None), slice(None, -1)
    for _ in range(n):
        one, other = a[tuple(later)], a[tuple(earlier)]
        a = tf.not_equal(one, other) if a.dtype == tf.bool else one - other
    return a
