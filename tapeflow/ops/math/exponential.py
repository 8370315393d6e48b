"""Powers, roots, exponentials and logarithms, with the operator **."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.record.families import binary, unary
from tapeflow.core.record.lowering_forms import Pointwise, Unsupported
from tapeflow.core.record.op import CHEAP, EXPENSIVE, INEXACT, NUMERIC
from tapeflow.core.record.operators import operators
from tapeflow.core.record.primitive_ops import constant_like
from tapeflow.core.record.samples import Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.math.arithmetic import conj_of, nonzero, xdivy
from tapeflow.ops.math.select import keep_where, select

_float32 = np.float32
_POSITIVE = Samples(0.1, 4, special=[0.0, -0.0, 1.0, -1.0, np.inf, np.nan])
_ANY = Samples(-3, 3, special=[0.0, -0.0, 100.0, -100.0, np.inf, -np.inf, np.nan])


# -- exponentials and logarithms -------------------------------------------------------------------
exp = unary("exp", np.exp, deriv=lambda y, x: y, saves="out", names=("exp", "math.exp"),
            check=_ANY, doc="e to the power x.", lower="exp", cost=EXPENSIVE)
expm1 = unary("expm1", np.expm1, deriv=lambda y, x: exp(x), names=("math.expm1",), check=_ANY,
              doc="exp(x) - 1, exact also for small x.", lower="expm1", cost=EXPENSIVE)
log = unary("log", np.log, deriv=lambda y, x: reciprocal(x), names=("math.log",), check=_POSITIVE,
            doc="The natural logarithm of x.", lower="log", cost=EXPENSIVE)
log1p = unary("log1p", np.log1p, deriv=lambda y, x: reciprocal(x + 1), names=("math.log1p",),
              check=Samples(-0.9, 4, special=[0.0, -0.0, -1.0, -2.0, np.inf, np.nan]),
              doc="log(1 + x), exact also for small x.", lower="log1p", cost=EXPENSIVE)


# -- reciprocal and roots: their gradient is 0 wherever the upstream gradient is -------------------
def _zero_where_g_is(result: Any, g: Any) -> Any:
    if type(result) is np.ndarray:
        mask = g == 0
        if mask.any():
            result[np.broadcast_to(mask, result.shape)] = 0
        return result
    return g if g == 0 else result


def _conj(y: Any) -> Any:
    return y.conj() if y.dtype.kind == "c" else y


def _reciprocal_grad_kernel(y, g):
    y = _conj(y)
    return _zero_where_g_is(-g * y * y, g)


def _sqrt_grad_kernel(y, g):
    return _zero_where_g_is(g / (_conj(y) * 2), g)


def _rsqrt_grad_kernel(y, g):
    y = _conj(y)
    return _zero_where_g_is(g / -2 * y * y * y, g)


def _linear_element(write: Any) -> Any:
    """f(conj(y), g), 0 where g is."""

    def element(b, y, g):
        zero = b.const(0, g)
        return b.select(b.eq(g, zero), zero, write(b, b.conj(y), g))

    return Pointwise(element, complex=True)


# f(y, g) = -g conj(y)²
reciprocal_grad = binary(
    "reciprocal_grad", _reciprocal_grad_kernel, saves="in", dtypes=INEXACT, check=Samples(0.3, 3),
    args=("y", "g"), vjp=(lambda u, _, y, g: conj_of(u) * -2.0 * g * conj_of(y),
                          lambda u, _, y, g: reciprocal_grad(conj_of(y), u)),
    jvp=lambda ts, _, y, g: _grad_jvp(reciprocal_grad, ts, y, g,
                                      lambda: g * -2.0 * conj_of(y)),
    lower=_linear_element(lambda b, y, g: b.mul(b.mul(b.neg(g), y), y)))
# f(y, g) = g / (2 conj(y))
sqrt_grad = binary(
    "sqrt_grad", _sqrt_grad_kernel, saves="in0 out", dtypes=INEXACT, check=Samples(0.3, 3),
    args=("y", "g"), vjp=(lambda u, f, y, g: -conj_of(u / y) * f,
                          lambda u, f, y, g: u / y * 0.5),
    jvp=lambda ts, f, y, g: _grad_jvp(sqrt_grad, ts, y, g, lambda: -f / conj_of(y)),
    lower=_linear_element(lambda b, y, g: b.div(g, b.mul(y, b.const(2, y)))))
# f(y, g) = -g conj(y)³ / 2
rsqrt_grad = binary(
    "rsqrt_grad", _rsqrt_grad_kernel, saves="in", dtypes=INEXACT, check=Samples(0.3, 3),
    args=("y", "g"), vjp=(lambda u, _, y, g: conj_of(u) * -1.5 * g * square(conj_of(y)),
                          lambda u, _, y, g: rsqrt_grad(conj_of(y), u)),
    jvp=lambda ts, _, y, g: _grad_jvp(rsqrt_grad, ts, y, g,
                                      lambda: g * -1.5 * square(conj_of(y))),
    lower=_linear_element(
        lambda b, y, g: b.mul(b.mul(b.mul(b.mul(g, b.const(-0.5, g)), y), y), y)))


def _grad_jvp(call: Any, ts: tuple, y: Any, g: Any, partial: Any) -> Any:
    """Tangent of f(y, g), linear in g and antiholomorphic in y."""
    through_g = None if ts[1] is None else call(y, ts[1])
    through_y = None if ts[0] is None else conj_of(ts[0]) * partial()
    if through_g is None or through_y is None:
        return through_y if through_g is None else through_g
    return through_g + through_y


reciprocal = unary("reciprocal", lambda x: 1 / x, saves="out", names=("math.reciprocal",),
                   vjp=lambda g, y, x: reciprocal_grad(y, g), doc="1 / x, elementwise.",
                   check=Samples(0.3, 3, special=[0.0, -0.0, -2.0, np.inf, np.nan]),
                   lower=Pointwise(lambda b, x: b.div(b.const(1, x), x), complex=True))
sqrt = unary("sqrt", np.sqrt, saves="out", vjp=lambda g, y, x: sqrt_grad(y, g),
             jvp=lambda ts, y, x: ts[0] / y * 0.5,  # NaN at 0 also where the tangent is 0
             names=("sqrt", "math.sqrt"), check=_POSITIVE, doc="The square root of x.",
             lower="sqrt")
rsqrt = unary("rsqrt", float32_kernel(lambda x: 1 / np.sqrt(x)), saves="out", check=_POSITIVE,
              vjp=lambda g, y, x: rsqrt_grad(y, g), names=("math.rsqrt",),
              doc="1 / sqrt(x), elementwise.",
              lower=Pointwise(lambda b, x: b.div(b.const(1, x), b.sqrt(x)), complex=True))
square = unary("square", lambda x: x * x, vjp=lambda g, y, x: g * (conj_of(x) * 2.0),
               names=("square", "math.square"), dtypes=NUMERIC,
               check=Samples(special=[0.0, np.inf, np.nan]), doc="x², elementwise.", lower="square",
               cost=CHEAP)


# -- powers ----------------------------------------------------------------------------------------
def _pow_kernel(x, y):
    if type(x) is _float32:
        return x ** y
    kind = x.dtype.kind
    if kind in "iu":
        if (y < 0).any():
            raise errors.invalid("Pow", "Integers to negative integer powers are not allowed")
    elif not y.ndim and kind == "f" and x.itemsize > 2:  # one power for all: products are quicker
        power = y.item()
        if power == 2:
            return x * x
        if power == 1:
            return x
        if power == 3:
            return x * x * x
    return operator.pow(x, y)


def _pow_element(b, x, y):
    """Products and roots for the powers that have them; the kernel checks those of integers."""
    power = b.known(y)
    if x.dtype not in ("float32", "float64"):
        if power is None or not 0 <= power <= 16:
            raise Unsupported("powers of integers")
        return functools.reduce(b.mul, [x] * int(power), b.const(1, x))
    if power in (1, 2, 3):
        return functools.reduce(b.mul, [x] * int(power))
    if power == -1:
        return b.div(b.const(1, x), x)
    if power == 0.5:  # no sign of zero, and an infinity also of -inf
        root = b.sqrt(b.add(x, b.const(0, x)))
        return b.select(b.eq(x, b.const(-np.inf, x)), b.const(np.inf, x), root)
    return b.function("pow", x, y)


def _pow_dx(g, _, x, y):
    x, y = conj_of(x), conj_of(y)
    return g * y * pow(x, y - 1)


def _pow_dy(g, _, x, y):
    """g x^y log(x), taking log(x) as 0 where x <= 0: no real value is sensible there."""
    x, y = conj_of(x), conj_of(y)
    mask = x != 0 if x.dtype.kind == "c" else x > 0
    return g * pow(x, y) * keep_where(log(select(mask, x, constant_like(x, 1))), mask)


pow = binary("pow", _pow_kernel, vjp=(_pow_dx, _pow_dy), saves="in", dtypes="fVic",
             names=("pow", "math.pow"), doc="x to the power y, elementwise.",
             check=Samples(0.2, 3, second=(0.3, 3), special=[0.0, 1.0, -1.0, np.inf]),
             lower=_pow_element, cost=EXPENSIVE)
set_traits(pow, unit=(None, 1), checks_integers=True, hazard="power")
operators(pow, "pow")


# -- products with logarithms: 0 wherever x is 0 ---------------------------------------------------
def _times_log(function: Any) -> Any:
    def kernel(x, y):
        result = x * function(y)
        if type(result) is np.ndarray:
            result[np.broadcast_to(x == 0, result.shape)] = 0
            return result
        return x if x == 0 else result

    return kernel


def _times_log_element(function: str) -> Any:
    def element(b, x, y):
        zero = b.const(0, x)
        return b.select(b.eq(x, zero), zero, b.mul(x, b.function(function, y)))

    return element


xlogy = binary("xlogy", _times_log(np.log), saves="in", dtypes=INEXACT, names=("math.xlogy",),
               vjp=(lambda g, _, x, y: g * xlogy(nonzero(x), conj_of(y)),
                    lambda g, _, x, y: g * xdivy(conj_of(x), conj_of(y))),
               check=Samples(-3, 3, second=(0.2, 3), special=[0.0, np.inf]),
               doc="x log(y), and 0 where x is 0, whatever y is.", lower=_times_log_element("log"),
               cost=EXPENSIVE)
xlog1py = binary("xlog1py", _times_log(np.log1p), saves="in", dtypes=INEXACT,
                 names=("math.xlog1py",),
                 vjp=(lambda g, _, x, y: g * xlog1py(nonzero(x), conj_of(y)),
                      lambda g, _, x, y: g * xdivy(conj_of(x), conj_of(y) + 1.0)),
                 check=Samples(-3, 3, second=(-0.8, 3), special=[0.0, np.inf]),
                 doc="x log(1 + y), and 0 where x is 0, whatever y is.",
                 lower=_times_log_element("log1p"), cost=EXPENSIVE)

for _call, _hazard in ((sqrt, "root"), (rsqrt, "inverse root"), (log, "logarithm"),
                       (log1p, "logarithm"), (xlogy, "logarithm"), (xlog1py, "logarithm"),
                       (exp, "exponential"), (expm1, "exponential"), (reciprocal, "quotient")):
    set_traits(_call, hazard=_hazard)
