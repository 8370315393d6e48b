"""Activation functions: sigmoid, softplus, relu and its kin, elu, selu, gelu, silu.

Gradients at kinks are TensorFlow's: relu 0 at 0, relu6 0 at 0 and 6, leaky_relu alpha, elu 1, selu
its scale. The gradient of a rectifier is an op of its own, whose derivative is 0 and not None.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.exports import export
from tapeflow.core.record.families import batch_elementwise, binary, operand, same_as, unary
from tapeflow.core.record.lowering_forms import Pointwise
from tapeflow.core.record.op import EXPENSIVE, FLOAT, INEXACT, REAL, define, shape_of
from tapeflow.core.record.primitive_ops import cast, concat, fill_like
from tapeflow.core.record.samples import Case, Samples
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import int_scalar
from tapeflow.ops._support.fast_where import log1p, pick
from tapeflow.ops._support.half_precision import float32_kernel
from tapeflow.ops.math.exponential import exp, square
from tapeflow.ops.math.select import keep_where
from tapeflow.ops.math.special import erfc
from tapeflow.ops.math.trigonometric import tanh

_float32, _ZERO = np.float32, np.float32(0)
_ENDS = [0.0, -0.0, 6.0, 30.0, -30.0, np.inf, -np.inf, np.nan]
_KINKS = Samples(0.2, 3, special=[*_ENDS, -1.0])
_SMOOTH = Samples(-4, 4, special=_ENDS)


# -- sigmoid and its kin ---------------------------------------------------------------------------
@float32_kernel
def _sigmoid_kernel(x):
    return 1 / (1 + np.exp(-x))


sigmoid = unary("sigmoid", _sigmoid_kernel, deriv=lambda y, x: y * (1.0 - y), saves="out",
                names=("sigmoid", "math.sigmoid", "nn.sigmoid"), check=_SMOOTH,
                doc="1 / (1 + exp(-x)), elementwise.", lower="sigmoid", cost=EXPENSIVE)


@float32_kernel
def _softplus_kernel(x):
    """log(1 + exp(x)), written so that nothing overflows."""
    return np.maximum(x, 0) + log1p(np.exp(-np.abs(x)))


softplus = unary("softplus", _softplus_kernel, deriv=lambda y, x: sigmoid(x), dtypes=FLOAT,
                 arg="features", names=("math.softplus", "nn.softplus"), check=_SMOOTH,
                 doc="log(1 + exp(x)), elementwise.", lower="softplus", cost=EXPENSIVE)
log_sigmoid = unary("log_sigmoid", lambda x: -_softplus_kernel(-x), dtypes=FLOAT,
                    deriv=lambda y, x: sigmoid(-x), names=("math.log_sigmoid",), check=_SMOOTH,
                    doc="log(sigmoid(x)), elementwise.",
                    lower=lambda b, x: b.neg(b.function("softplus", b.neg(x))), cost=EXPENSIVE)
softsign = unary("softsign", lambda x: x / (1 + np.abs(x)), dtypes=FLOAT, arg="features",
                 deriv=lambda y, x: 1.0 / square(1.0 + abs(x)),
                 names=("math.softsign", "nn.softsign"), check=_SMOOTH,
                 doc="x / (1 + |x|), elementwise.",
                 lower=lambda b, x: b.div(x, b.add(b.const(1, x), b.abs(x))))


# -- rectifiers ------------------------------------------------------------------------------------
def _gradient_op(name: str, kernel: Any, check: Samples, passes: Any) -> Any:
    """f(g, y), linear in g, with derivative 0 in y; native: g times 1 where `passes(b, y)`, or 0.

    NaN and infinities in g come through, as they do in TensorFlow.
    """
    call = binary(name, kernel, saves="in1", dtypes=REAL, args=("g", "y"), check=check,
                  vjp=(lambda u, f, g, y: call(u, y), lambda u, f, g, y: fill_like(u, value=0)),
                  jvp=lambda ts, f, g, y: None if ts[0] is None else call(ts[0], y),
                  lower=lambda b, g, y: b.mul(g, b.cast(passes(b, y), g.dtype)))
    return call


relu_grad = _gradient_op("relu_grad", lambda g, y: g * (y > 0), _KINKS,
                         lambda b, y: b.gt(y, b.const(0, y)))
relu6_grad = _gradient_op("relu6_grad", lambda g, y: g * ((y > 0) & (y < 6)), _KINKS,
                          lambda b, y: b.both(b.gt(y, b.const(0, y)), b.lt(y, b.const(6, y))))


def _relu_kernel(x):
    if type(x) is _float32:
        return _ZERO if x <= 0 else x
    return np.maximum(x, 0)


def _relu_element(b, x):
    return b.maximum(x, b.const(0, x))


relu = unary("relu", _relu_kernel, vjp=lambda g, y, x: relu_grad(g, y), saves="out",
             dtypes=REAL, arg="features", names=("nn.relu",), check=_KINKS,
             doc="max(x, 0), elementwise.", lower=_relu_element)
set_traits(relu_grad, out_kernel=lambda g, y, out: np.multiply(g, y > 0, out=out))
set_traits(relu, out_kernel=lambda x, out: np.maximum(x, 0, out=out))
relu6 = unary("relu6", lambda x: np.minimum(np.maximum(x, 0), 6), saves="out", dtypes=REAL,
              vjp=lambda g, y, x: relu6_grad(g, y), arg="features", names=("nn.relu6",),
              check=_KINKS, doc="min(max(x, 0), 6), elementwise.",
              lower=lambda b, x: b.minimum(_relu_element(b, x), b.const(6, x)), cost=EXPENSIVE)


def _leaky_relu_grad_kernel(g, x, alpha):
    return pick(x > 0, g, g * g.dtype.type(alpha))


def _leaky_relu_kernel(x, alpha):
    below = x * x.dtype.type(alpha)
    return np.maximum(x, below) if 0 <= alpha <= 1 else pick(x > 0, x, below)


def _leaky_relu_grad_element(b, g, x, alpha):
    return b.select(b.gt(x, b.const(0, x)), g, b.mul(g, b.const(alpha, g)))


leaky_relu_grad = define(
    "leaky_relu_grad", kernel=_leaky_relu_grad_kernel, shape=same_as(0), args=("g", "x"),
    vjp=(lambda u, f, g, x, alpha: leaky_relu_grad(u, x, alpha=alpha),
         lambda u, f, g, x, alpha: fill_like(u, value=0)),
    jvp=lambda ts, f, g, x, alpha: None if ts[0] is None else leaky_relu_grad(
        ts[0], x, alpha=alpha), saves="in1", batch=batch_elementwise, dtypes=FLOAT,
    kind="elementwise", check=[Case((3,), (3,), alpha=0.2), Case((), (), alpha=-0.5)],
    lower=Pointwise(_leaky_relu_grad_element))
_leaky_relu = define(
    "leaky_relu", kernel=_leaky_relu_kernel, shape=same_as(0), saves="in", args=("features",),
    vjp=(lambda g, y, x, alpha: leaky_relu_grad(g, x, alpha=alpha),),
    jvp=lambda ts, y, x, alpha: leaky_relu_grad(ts[0], x, alpha=alpha), batch=batch_elementwise,
    dtypes=FLOAT, kind="elementwise", check=[Case((2, 3), alpha=0.2), Case((), alpha=0.01)],
    lower=Pointwise(lambda b, x, alpha: _leaky_relu_grad_element(b, x, x, alpha)))


@export("nn.leaky_relu")
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """x where x > 0, else alpha x. Integers are cast to float32."""
    x = operand(features)
    if x.dtype.is_integer:
        x = cast(x, dtype=np.dtype("float32"))
    slope = alpha.item() if isinstance(alpha, np.ndarray) else alpha
    if not isinstance(slope, (int, float, np.number)):
        raise TypeError(f"tf.nn.leaky_relu: expected float for argument `alpha`, not {alpha!r}.")
    return _leaky_relu(x, alpha=float(slope))


@export("nn.crelu")
@attributes(features=dense)
def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """relu of x and of -x, side by side along `axis`."""
    x = operand(features)
    rank = len(shape_of(x))
    axis = int_scalar(axis, "ConcatV2", "Tidx", strict=True)
    if not -rank <= axis < rank:
        raise errors.invalid("ConcatV2", f"tf.nn.crelu: expected `axis` in the range "
                                         f"[{-rank}, {rank}), but got {axis}")
    return relu(concat(x, -x, axis=axis % rank))


# -- exponential units -----------------------------------------------------------------------------
_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


@float32_kernel
def _elu_kernel(x):
    return np.exp(np.minimum(x, 0)) - 1 + np.maximum(x, 0)


@float32_kernel
def _elu_grad_kernel(g, y):
    return g * (np.fmin(y, 0) + 1)  # 1 for NaN too


@float32_kernel
def _selu_kernel(x):
    below = np.exp(np.minimum(x, 0)) - 1
    return below * (_SELU_SCALE * _SELU_ALPHA) + np.maximum(x, 0) * _SELU_SCALE


@float32_kernel
def _selu_grad_kernel(g, y):
    return pick(y < 0, g * (y + _SELU_SCALE * _SELU_ALPHA), g * _SELU_SCALE)


def _below(b, x):
    """exp(x) - 1 as TensorFlow has it: 0 for x so small that exp(x) is 1."""
    return b.sub(b.function("exp", x), b.const(1, x))


def _elu_element(b, x):
    return b.select(b.gt(x, b.const(0, x)), x, _below(b, x))


def _selu_element(b, x):
    below = b.mul(_below(b, x), b.const(_SELU_SCALE * _SELU_ALPHA, x))
    return b.select(b.gt(x, b.const(0, x)), b.mul(x, b.const(_SELU_SCALE, x)), below)


def _elu_grad_element(b, g, y):
    zero = b.const(0, y)
    return b.mul(g, b.add(b.select(b.lt(y, zero), y, zero), b.const(1, y)))


def _selu_grad_element(b, g, y):
    below = b.mul(g, b.add(y, b.const(_SELU_SCALE * _SELU_ALPHA, y)))
    return b.select(b.lt(y, b.const(0, y)), below, b.mul(g, b.const(_SELU_SCALE, g)))


def _exponential_grad(name: str, kernel: Any, lower: Any) -> Any:
    """f(g, y): the gradient of a unit that is exponential below 0 and linear above."""
    call = binary(name, kernel, saves="in", dtypes=FLOAT, args=("g", "y"), check=_KINKS,
                  vjp=(lambda u, f, g, y: call(u, y),
                       lambda u, f, g, y: keep_where(u * g, y < 0)), lower=lower)
    return call


elu_grad = _exponential_grad("elu_grad", _elu_grad_kernel, _elu_grad_element)
selu_grad = _exponential_grad("selu_grad", _selu_grad_kernel, _selu_grad_element)
elu = unary("elu", _elu_kernel, vjp=lambda g, y, x: elu_grad(g, y), saves="out", dtypes=FLOAT,
            arg="features", names=("nn.elu",), check=_KINKS,
            doc="x where x >= 0, else exp(x) - 1.", lower=_elu_element, cost=EXPENSIVE)
selu = unary("selu", _selu_kernel, vjp=lambda g, y, x: selu_grad(g, y), saves="out", dtypes=FLOAT,
             arg="features", names=("nn.selu",), check=_KINKS,
             doc="scale x where x >= 0, else scale alpha (exp(x) - 1).", lower=_selu_element,
             cost=EXPENSIVE)


# -- gelu and silu ---------------------------------------------------------------------------------
_SQRT_HALF = 1 / math.sqrt(2)
_SQRT_2_PI = math.sqrt(2 / math.pi)
_CUBIC = 0.044715


@float32_kernel
def _gelu_kernel(x):
    return x * erfc.op.kernel(x * -_SQRT_HALF) * 0.5


@float32_kernel
def _gelu_tanh_kernel(x):
    return x * (np.tanh(_SQRT_2_PI * (x + _CUBIC * (x * x * x))) + 1) * 0.5


def _gelu_element(b, x):
    erfc = b.function("erfc", b.mul(x, b.const(-_SQRT_HALF, x)))
    return b.mul(b.mul(x, erfc), b.const(0.5, x))


def _gelu_tanh_element(b, x):
    cubic = b.mul(b.mul(b.mul(x, x), x), b.const(_CUBIC, x))
    t = b.function("tanh", b.mul(b.add(x, cubic), b.const(_SQRT_2_PI, x)))
    return b.mul(b.mul(x, b.add(t, b.const(1, x))), b.const(0.5, x))


def _gelu_deriv(y, x):
    """P(x) + x p(x), with the normal distribution function P and density p."""
    return erfc(x * -_SQRT_HALF) * 0.5 + x * exp(square(x) * -0.5) * (0.5 * _SQRT_2_PI)


def _gelu_tanh_deriv(y, x):
    x2 = square(x)
    t = tanh(x * (x2 * _CUBIC + 1.0) * _SQRT_2_PI)
    inner = (x2 * (3 * _CUBIC) + 1.0) * _SQRT_2_PI
    return (t + 1.0) * 0.5 + x * (1.0 - t * t) * inner * 0.5


_gelu = unary("gelu", _gelu_kernel, deriv=_gelu_deriv, dtypes=FLOAT, arg="features", check=_SMOOTH,
              lower=_gelu_element, cost=EXPENSIVE)
_gelu_tanh = unary("gelu_tanh", _gelu_tanh_kernel, deriv=_gelu_tanh_deriv, dtypes=FLOAT,
                   arg="features", check=_SMOOTH, lower=_gelu_tanh_element, cost=EXPENSIVE)


@export("nn.gelu")
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """x P(X <= x) for normal X; `approximate` uses tanh for the distribution function."""
    x = operand(features)
    if not x.dtype.is_floating:
        raise ValueError(f"tf.nn.gelu: `features` must be a floating point tensor, got "
                         f"{x.dtype!r}")
    return _gelu_tanh(x) if approximate else _gelu(x)


def _silu_deriv(y, x):
    s = sigmoid(x)
    return s * (1.0 + x * (1.0 - s))


_silu = unary("silu", lambda x: x * _sigmoid_kernel(x), deriv=_silu_deriv, dtypes=INEXACT,
              arg="features", check=_SMOOTH, lower=lambda b, x: b.mul(x, b.function("sigmoid", x)),
              cost=EXPENSIVE)


@export("nn.silu", "nn.swish")
def silu(features: Any, beta: Any = 1.0) -> Tensor:
    """x sigmoid(beta x), elementwise; differentiable in beta too."""
    x = operand(features)
    if isinstance(beta, (int, float)) and beta == 1:
        return _silu(x)
    beta = operand(beta)
    if x.dtype.kind == "O":
        raise errors.UnimplementedError(
            None, None, f"Cast {beta.dtype.name} to string is not supported [Op:Cast]")
    if beta.dtype != x.dtype:
        beta = cast(beta, dtype=x.dtype.np)
    return x * sigmoid(beta * x)
