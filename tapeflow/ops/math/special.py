"""Special functions: error functions, gamma and its kin, incomplete gamma and beta, Bessel …

The kernels are SciPy's, which is imported when one of them first runs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.base.late import library
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import (
    axes_of,
    batch_elementwise,
    binary,
    broadcast,
    matching,
    operand,
    sum_like,
    unary,
)
from tapeflow.core.record.lowering_forms import Pointwise, Unsupported, form
from tapeflow.core.record.op import EXPENSIVE, FLOAT, VERY_EXPENSIVE, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, constant_like, reduce_sum, reshape
from tapeflow.core.record.samples import Case, Samples, uniform
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.half_precision import float32_kernel, from_scipy
from tapeflow.ops.math.arithmetic import multiply
from tapeflow.ops.math.exponential import exp, log, reciprocal, square, xlog1py, xlogy
from tapeflow.ops.math.incomplete_gamma import derivative_in_a
from tapeflow.ops.math.rounding import sign_real
from tapeflow.ops.math.select import select
from tapeflow.ops.math.trigonometric import cos, sin

_ENDS = [0.0, -0.0, np.inf, -np.inf, np.nan]
_2_OVER_SQRT_PI = 2 / math.sqrt(math.pi)


def _special(name: str, kernel: Any, cost: int = EXPENSIVE, **fields: Any) -> Any:
    return unary(name, kernel, dtypes=FLOAT, cost=cost, **fields)


# -- error functions -------------------------------------------------------------------------------
erf = _special("erf", from_scipy("erf"), names=("math.erf",), check=Samples(-3, 3, special=_ENDS),
               deriv=lambda y, x: exp(-square(x)) * _2_OVER_SQRT_PI, doc="The error function of x.",
               lower="erf")
erfc = _special("erfc", from_scipy("erfc"), names=("math.erfc",), doc="1 - erf(x).",
                deriv=lambda y, x: exp(-square(x)) * -_2_OVER_SQRT_PI,
                check=Samples(-3, 3, special=_ENDS), lower="erfc")
erfinv = _special("erfinv", from_scipy("erfinv"), names=("math.erfinv",), saves="out",
                  deriv=lambda y, x: exp(square(y)) * (math.sqrt(math.pi) / 2),
                  check=Samples(-0.9, 0.9, special=[*_ENDS, 1.0, -1.0, 2.0]),
                  doc="The inverse of erf.", lower="erfinv")
ndtri = _special("ndtri", from_scipy("ndtri"), names=("math.ndtri",), saves="out",
                 deriv=lambda y, x: exp(square(y) * 0.5) * math.sqrt(2 * math.pi),
                 check=Samples(0.1, 0.9, special=[*_ENDS, 1.0, -1.0]),
                 doc="The inverse of the normal distribution function.", lower="ndtri")
for _call in (erfinv, ndtri):
    set_traits(_call, hazard="quantile")


@export("math.erfcinv")
def erfcinv(x: Any, name: str | None = None) -> Tensor:
    """The inverse of erfc."""
    x = operand(x)
    if x.dtype.kind not in "fc":
        raise TypeError(f"tf.math.erfcinv: `x` must be a floating point tensor, got {x.dtype!r}")
    return -ndtri(x * 0.5) * math.sqrt(0.5)


# -- gamma and its kin -----------------------------------------------------------------------------
def _digamma_kernel(x):
    """NaN at the poles 0, -1, -2 …, where SciPy has infinities."""
    y = _psi(x)
    return np.where((x <= 0) & (x == np.floor(x)), np.array(np.nan, y.dtype), y)[()]


def _zeta_kernel(x, q):
    """At q = 0, -1, -2 … infinite for even x, NaN for odd ones, whose two sides differ."""
    y = _hurwitz(x, q)
    odd_pole = (q <= 0) & (q == np.floor(q)) & (x % 2 != 0) & (x != 1)
    y = np.where(odd_pole, np.array(np.nan, y.dtype), y)
    return np.where(np.isposinf(x), np.where(q <= 0, np.array(np.inf, y.dtype), q ** -x), y)[()]


def _polygamma_kernel(n, x):
    """(-1)^(n+1) n! zeta(n+1, x), and digamma for n = 0."""
    whole = (n >= 0) & (n == np.floor(n))
    m = np.where(whole, n, 1)
    sign = np.where(m % 2 == 0, -1, 1)
    general = sign * _gamma(m + 1) * _zeta_kernel(m + 1, x)
    result = np.where(m == 0, _digamma_kernel(x), general)
    return np.where(whole, result, np.nan).astype(x.dtype)[()]


_psi, _hurwitz = from_scipy("psi"), from_scipy("zeta")
_gamma, _gammaln = from_scipy("gamma"), from_scipy("gammaln")


def _lgamma_kernel(x):
    """SciPy says -inf for -inf; the poles that it lies among are all +inf."""
    return _gammaln(np.where(np.isneginf(x), -x, x)[()])


lgamma = _special("lgamma", float32_kernel(_lgamma_kernel), deriv=lambda y, x: digamma(x),
                  names=("math.lgamma",), check=Samples(0.3, 5, special=[*_ENDS, -1.5, -2.0]),
                  doc="The logarithm of |gamma(x)|.", lower="lgamma")
digamma = _special("digamma", float32_kernel(_digamma_kernel), names=("math.digamma",),
                   deriv=lambda y, x: polygamma(constant_like(x, 1), x),
                   check=Samples(0.3, 5, special=[0.0, -1.5, -2.0, np.inf, np.nan]),
                   doc="The derivative of lgamma.", lower="digamma")
for _call in (lgamma, digamma):
    set_traits(_call, hazard="gamma")
polygamma = binary("polygamma", float32_kernel(_polygamma_kernel), saves="in", dtypes=FLOAT,
                   args=("a", "x"), names=("math.polygamma",),
                   vjp=(None, lambda g, _, a, x: g * polygamma(a + 1.0, x)),
                   check=[Case([0.0, 1.0, 2.0, 3.0], uniform(0.5, 4, (4,))),
                          Case([[0.0], [1.0]], uniform(0.5, 4, (3,)))],
                   doc="The a-th derivative of digamma at x.", lower="polygamma",
                   cost=VERY_EXPENSIVE)
zeta = binary("zeta", float32_kernel(_zeta_kernel), saves="in", dtypes=FLOAT, args=("x", "q"),
              names=("math.zeta",), vjp=(None, lambda g, _, x, q: g * -x * zeta(x + 1.0, q)),
              check=Samples(1.5, 5, second=(0.5, 4)),
              doc="The Hurwitz zeta function: the sum of (q + n)^-x over n = 0, 1, 2 …",
              lower="zeta", cost=VERY_EXPENSIVE)
set_traits(zeta, hazard="zeta")


@export("math.lbeta")
@attributes(x=dense)
@deferrable
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """log |Beta(x)|, with x reduced along its last axis."""
    x = operand(x)
    if not shape_of(x):
        raise errors.invalid("Sum", "tf.math.lbeta: Invalid reduction dimension (-1 for input "
                                    "with 0 dimension(s)")
    last = axes_of(x, -1, "Sum")
    return (reduce_sum(lgamma(x), axis=last, keepdims=False)
            - lgamma(reduce_sum(x, axis=last, keepdims=False)))


# -- incomplete gamma and beta ---------------------------------------------------------------------
def _igamma_kernel(a, x):
    y = np.where((a > 0) & (x >= 0) & ~(np.isinf(a) & np.isinf(x)), _gammainc(a, x), np.nan)
    y = np.where(np.isinf(a) & (x >= 0) & (a > 0), 0, y)
    return np.where(x == 0, 0, y).astype(x.dtype)[()]


def _igammac_kernel(a, x):
    y = np.where((a > 0) & (x >= 0), _gammaincc(a, x), np.nan)
    y = np.where(np.isinf(a) & (a > 0) & (x >= 0), np.where(np.isinf(x), 0, 1), y)
    return y.astype(x.dtype)[()]


_gammainc, _gammaincc = from_scipy("gammainc"), from_scipy("gammaincc")
_GAMMA_SAMPLES = Samples(0.5, 4, second=(0.3, 5))


def _gamma_density(a, x, order=0):
    """dP/dx = x^(a-1) e^-x / gamma(a), or its derivative in a of some order.

    With D' = D L' for the density D and its logarithm L, Leibniz' rule gives the higher ones.
    """
    parts = [exp(-x + (a - 1.0) * log(x) - lgamma(a))]
    if order:
        slopes = [log(x) - digamma(a)]
        slopes += [-polygamma(constant_like(a, k), a) for k in range(1, order)]
        for n in range(order):
            terms = [parts[n - k] * slopes[k] * float(math.comb(n, k)) for k in range(n + 1)]
            parts.append(sum(terms[1:], terms[0]))
    return parts[order]


def _igamma_derivative_jvp(ts, _, a, x, order):
    parts = []
    if ts[0] is not None:
        parts.append(multiply(ts[0], igamma_derivative(a, x, order=order + 1)))
    if ts[1] is not None:
        parts.append(multiply(ts[1], _gamma_density(a, x, order)))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _igamma_derivative_element(b, a, x, order):
    if order != 1:
        raise Unsupported(f"the derivative of order {order}")
    return b.function("igamma_slope", a, x)


igamma_derivative = define(
    "igamma_derivative", kernel=float32_kernel(derivative_in_a), args=("a", "x"), saves="in",
    shape=lambda a, x, order: broadcast()(a, x), batch=batch_elementwise, dtypes=FLOAT,
    vjp=(lambda g, _, a, x, order: sum_like(g * igamma_derivative(a, x, order=order + 1), a),
         lambda g, _, a, x, order: sum_like(g * _gamma_density(a, x, order), x)),
    jvp=_igamma_derivative_jvp, kind="elementwise", tf_name="IgammaGradA",
    lower=Pointwise(_igamma_derivative_element),
    check=[Case(uniform(0.5, 4, (6,)), uniform(0.3, 5, (6,)), order=1),
           Case(uniform(0.5, 4, (2, 1)), uniform(0.3, 5, (3,)), order=2),
           Case(uniform(0.5, 4, ()), uniform(0.3, 5, ()), order=1)])
igamma = binary("igamma", float32_kernel(_igamma_kernel), saves="in", dtypes=FLOAT, args=("a", "x"),
                vjp=(lambda g, _, a, x: g * igamma_derivative(a, x, order=1),
                     lambda g, _, a, x: g * _gamma_density(a, x)),
                names=("math.igamma",), check=_GAMMA_SAMPLES,
                doc="The lower regularised incomplete gamma function P(a, x).", lower="igamma",
                cost=VERY_EXPENSIVE)
igammac = binary("igammac", float32_kernel(_igammac_kernel), saves="in", dtypes=FLOAT,
                 args=("a", "x"),
                 vjp=(lambda g, _, a, x: -g * igamma_derivative(a, x, order=1),
                      lambda g, _, a, x: -g * _gamma_density(a, x)),
                 names=("math.igammac",), check=_GAMMA_SAMPLES,
                 lower="igammac",
                 doc="The upper regularised incomplete gamma function, 1 - P(a, x).",
                 cost=VERY_EXPENSIVE)


def _betainc_shapes(a: Any, b: Any, x: Any) -> None:
    """Scalars are broadcast, arrays must be of one shape."""
    for p, q, names in ((a, b, "a and b"), (a, x, "a and x"), (b, x, "b and x")):
        if p.shape and q.shape and p.shape != q.shape and None not in (*p.shape, *q.shape):
            raise errors.invalid("Betainc", f"Shapes of {names} are inconsistent: "
                                            f"{list(p.shape)} vs. {list(q.shape)}")


def _betainc_kernel(a, b, x):
    _betainc_shapes(a, b, x)
    inside = (a > 0) & (b > 0) & (x >= 0) & (x <= 1) & np.isfinite(a) & np.isfinite(b)
    return np.where(inside, _scipy_betainc(a, b, x), np.nan).astype(x.dtype)[()]


_scipy_betainc = from_scipy("betainc")


def _betainc_shape(a: Spec, b: Spec, x: Spec) -> Spec:
    _betainc_shapes(a, b, x)
    return Spec(next((one.shape for one in (a, b, x) if one.shape != ()), ()), x.dtype)


def _beta_density(a, b, x):
    logarithm = xlog1py(b - 1.0, -x) + xlogy(a - 1.0, x)
    return exp(logarithm - (lgamma(a) + lgamma(b) - lgamma(a + b)))


def _betainc_jvp(ts, _, a, b, x):
    return None if ts[2] is None else multiply(ts[2], _beta_density(a, b, x))


def _betainc_batch(call, size, xs, batched, attrs):
    """All operands laid out alike, because betainc itself does not broadcast."""
    whole = max([shape_of(x)[mark:] for x, mark in zip(xs, batched, strict=True)], key=len)

    def lay(x, mark):
        shape = shape_of(x)
        if mark and len(shape) == 1:
            x = reshape(x, shape=(*shape, *(1,) * len(whole)))
        return broadcast_to(x, shape=(size, *whole))

    return call(*[lay(x, mark) for x, mark in zip(xs, batched, strict=True)])


_betainc = define(
    "betainc", kernel=float32_kernel(_betainc_kernel), shape=_betainc_shape, jvp=_betainc_jvp,
    vjp=(None, None, lambda g, _, a, b, x: sum_like(g * _beta_density(a, b, x), x)),
    saves="in", args=("a", "b", "x"), batch=_betainc_batch, dtypes=FLOAT, kind="elementwise",
    lower=form("betainc"),
    check=[Case(uniform(0.5, 4, (3,)), uniform(0.5, 4, (3,)), uniform(0.1, 0.9, (3,))),
           Case(uniform(0.5, 4, ()), uniform(0.5, 4, ()), uniform(0.1, 0.9, (2,)))],
    cost=VERY_EXPENSIVE)


@export("math.betainc")
def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The regularised incomplete beta function; differentiable in x."""
    a, x = matching(a, x)
    b = matching(a, b)[1]
    for i, one in ((1, b), (2, x)):
        if one.dtype != a.dtype:
            raise errors.invalid("Betainc", f"cannot compute Betainc as input #{i}(zero-based) was "
                                            f"expected to be a {a.dtype.name} tensor but is a "
                                            f"{one.dtype.name} tensor")
    return _betainc(a, b, x)


# -- Bessel functions ------------------------------------------------------------------------------
def _bessel(letter: str, deriv: Any, check: Samples, title: str) -> Any:
    name, kernel = f"bessel_{letter}", from_scipy(letter)
    if letter[0] in "ky":
        kernel = _infinite_below_zero(kernel, np.inf if letter[0] == "k" else -np.inf)
    names = (f"math.special.{name}",) + ((f"math.{name}",) if letter[0] == "i" else ())
    saves = "in" if letter in ("i0", "j0", "k0", "y0") else "in out"
    return _special(name, kernel, deriv=deriv, names=names, saves=saves, check=check,
                    doc=f"The {title} of x, elementwise.", lower=name)


def _infinite_below_zero(kernel: Any, infinity: float) -> Any:
    """Functions of the second kind do not exist there; SciPy has NaN, TensorFlow what is at 0."""

    def run(x):
        y = kernel(x)
        return np.where(x < 0, np.array(infinity, y.dtype), y)[()]

    return run


def _filled_at_zero(x: Any, value: float, d: Any) -> Any:
    """d, with `value` at x = 0, where the formula for d is 0 / 0."""
    return select(x == 0, constant_like(x, value), d)


_I = Samples(-4, 4, special=_ENDS)
_K = Samples(0.3, 4, special=[0.0, -1.0, np.inf, np.nan])
bessel_i0 = _bessel("i0", lambda y, x: bessel_i1(x), _I, "modified Bessel function of order 0")
bessel_i1 = _bessel("i1", lambda y, x: _filled_at_zero(x, 1.0, bessel_i0(x) - y / x), _I,
                    "modified Bessel function of order 1")
bessel_i0e = _bessel("i0e", lambda y, x: bessel_i1e(x) - sign_real(x) * y, Samples(0.2, 4),
                     "exponentially scaled modified Bessel function of order 0")
bessel_i1e = _bessel("i1e", lambda y, x: _filled_at_zero(
    x, 0.5, bessel_i0e(x) - y * (sign_real(x) + reciprocal(x))), Samples(0.2, 4),
    "exponentially scaled modified Bessel function of order 1")
bessel_k0 = _bessel("k0", lambda y, x: -bessel_k1(x), _K,
                    "modified Bessel function of the second kind of order 0")
bessel_k1 = _bessel("k1", lambda y, x: -bessel_k0(x) - y / x, _K,
                    "modified Bessel function of the second kind of order 1")
bessel_k0e = _bessel("k0e", lambda y, x: y - bessel_k1e(x), _K, "exponentially scaled modified "
                     "Bessel function of the second kind of order 0")
bessel_k1e = _bessel("k1e", lambda y, x: y * (1.0 - reciprocal(x)) - bessel_k0e(x), _K,
                     "exponentially scaled modified Bessel function of the second kind of order 1")
bessel_j0 = _bessel("j0", lambda y, x: -bessel_j1(x), _I, "Bessel function of order 0")
bessel_j1 = _bessel("j1", lambda y, x: _filled_at_zero(x, 0.5, bessel_j0(x) - y / x), _I,
                    "Bessel function of order 1")
bessel_y0 = _bessel("y0", lambda y, x: -bessel_y1(x), _K,
                    "Bessel function of the second kind of order 0")
bessel_y1 = _bessel("y1", lambda y, x: bessel_y0(x) - y / x, _K,
                    "Bessel function of the second kind of order 1")


# -- integrals -------------------------------------------------------------------------------------
@float32_kernel
def _fresnel_sin_kernel(x):
    return library("scipy.special", "SciPy").fresnel(x)[0]


@float32_kernel
def _fresnel_cos_kernel(x):
    return library("scipy.special", "SciPy").fresnel(x)[1]


dawsn = _special("dawsn", from_scipy("dawsn"), deriv=lambda y, x: 1.0 - x * y * 2.0,
                 saves="in out", names=("math.special.dawsn",), check=_I,
                 doc="Dawson's integral exp(-x²) ∫ exp(t²) dt from 0 to x.", lower="dawsn")
_expi = from_scipy("expi")


def _expint_kernel(x):
    """NaN for negative numbers and infinity, where TensorFlow's series ends."""
    outside = (x < 0) | (x == np.inf)
    return np.where(outside, np.array(np.nan, x.dtype), _expi(np.where(outside, 1, x)[()]))[()]


expint = _special("expint", float32_kernel(_expint_kernel), deriv=lambda y, x: exp(x) / x,
                  names=("math.special.expint",), check=_K,
                  doc="The exponential integral Ei(x).", lower="expint", cost=VERY_EXPENSIVE)
fresnel_cos = _special("fresnel_cos", _fresnel_cos_kernel, names=("math.special.fresnel_cos",),
                       deriv=lambda y, x: cos(square(x) * (math.pi / 2)), check=_I,
                       doc="Fresnel's integral of cos(pi t² / 2) from 0 to x.", lower="fresnel_cos")
fresnel_sin = _special("fresnel_sin", _fresnel_sin_kernel, names=("math.special.fresnel_sin",),
                       deriv=lambda y, x: sin(square(x) * (math.pi / 2)), check=_I,
                       doc="Fresnel's integral of sin(pi t² / 2) from 0 to x.", lower="fresnel_sin")
spence = _special("spence", from_scipy("spence"), names=("math.special.spence",),
                  deriv=lambda y, x: select(x == 1, constant_like(x, -1), log(x) / (1.0 - x)),
                  check=Samples(0.2, 3, special=[0.0, 1.0, -1.0, np.inf, np.nan]),
                  doc="Spence's integral of log(t) / (1 - t) from 1 to x.", lower="spence")
