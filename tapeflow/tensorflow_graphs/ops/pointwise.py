"""Functions of each element, comparisons, casts."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
Abs math.abs
AccumulateNV2 math.add_n
Acos math.acos
Acosh math.acosh
Add math.add
AddN math.add_n
AddV2 math.add
Angle math.angle
Asin math.asin
Asinh math.asinh
Atan math.atan
Atan2 math.atan2
Atanh math.atanh
BesselI0 math.bessel_i0
BesselI0e math.bessel_i0e
BesselI1 math.bessel_i1
BesselI1e math.bessel_i1e
BesselJ0 math.special.bessel_j0
BesselJ1 math.special.bessel_j1
BesselK0 math.special.bessel_k0
BesselK0e math.special.bessel_k0e
BesselK1 math.special.bessel_k1
BesselK1e math.special.bessel_k1e
BesselY0 math.special.bessel_y0
BesselY1 math.special.bessel_y1
Betainc math.betainc
Bitcast bitcast type
BitwiseAnd bitwise.bitwise_and
BitwiseOr bitwise.bitwise_or
BitwiseXor bitwise.bitwise_xor
Cast cast DstT
Ceil math.ceil
ClipByValue clip_by_value
Complex complex
ComplexAbs math.abs
Conj math.conj
Cos math.cos
Cosh math.cosh
Cross linalg.cross
Dawsn math.special.dawsn
Digamma math.digamma
Div math.divide
DivNoNan math.divide_no_nan
Equal math.equal
Erf math.erf
Erfc math.erfc
Erfinv math.erfinv
Exp math.exp
Expint math.special.expint
Expm1 math.expm1
Floor math.floor
FloorDiv math.floordiv
FloorMod math.floormod
FresnelCos math.special.fresnel_cos
FresnelSin math.special.fresnel_sin
Greater math.greater
GreaterEqual math.greater_equal
Igamma math.igamma
Igammac math.igammac
Imag math.imag
Inv math.reciprocal
Invert bitwise.invert
IsFinite math.is_finite
IsInf math.is_inf
IsNan math.is_nan
LeftShift bitwise.left_shift
Less math.less
LessEqual math.less_equal
Lgamma math.lgamma
Log math.log
Log1p math.log1p
LogicalAnd math.logical_and
LogicalNot math.logical_not
LogicalOr math.logical_or
Maximum math.maximum
Minimum math.minimum
Mod math.floormod
Mul math.multiply
MulNoNan math.multiply_no_nan
Ndtri math.ndtri
Neg math.negative
NextAfter math.nextafter
NotEqual math.not_equal
Polygamma math.polygamma
Pow math.pow
Real math.real
RealDiv math.divide
Reciprocal math.reciprocal
RightShift bitwise.right_shift
Rint math.rint
Round math.round
Rsqrt math.rsqrt
SelectV2 where
Sigmoid math.sigmoid
Sign math.sign
Sin math.sin
Sinh math.sinh
Spence math.special.spence
Sqrt math.sqrt
Square math.square
SquaredDifference math.squared_difference
Sub math.subtract
Tan math.tan
Tanh math.tanh
TruncateDiv truncatediv
TruncateMod truncatemod
Xdivy math.xdivy
Xlog1py math.xlog1py
Xlogy math.xlogy
Zeta math.zeta
""")


@raw
def ApproximateEqual(x: Any, y: Any, tolerance: float) -> Any:
    return tf.math.less(tf.math.abs(x - y), tf.cast(tolerance, x.dtype))


@raw
def Select(condition: Any, t: Any, e: Any) -> Any:
    """A condition of one axis picks rows."""
    if condition.shape.rank == 1 and t.shape.rank != 1:
        rank = t.shape.rank
        condition = tf.reshape(condition, tf.concat(
            [tf.shape(condition), tf.ones([rank - 1], tf.int32)], 0))
    return tf.where(condition, t, e)


# -- gradients that graphs hold as ops -------------------------------------------------------------
@raw
def IgammaGradA(a: Any, x: Any) -> Any:
    """The derivative of igamma(a, x) by a."""
    from tapeflow.ops.math.special import igamma_derivative
    return igamma_derivative(a, x, order=1)


@raw
def RandomGammaGrad(alpha: Any, sample: Any) -> Any:
    """The derivative of a gamma sample by its concentration."""
    from tapeflow.ops.random.random_ops import gamma_sample_grad
    return gamma_sample_grad(alpha, sample)


@raw
def SigmoidGrad(y: Any, dy: Any) -> Any:
    return dy * y * (1 - y)


@raw
def TanhGrad(y: Any, dy: Any) -> Any:
    return dy * (1 - y * y)


@raw
def ReciprocalGrad(y: Any, dy: Any) -> Any:
    return -dy * y * y


@raw
def InvGrad(y: Any, dy: Any) -> Any:
    return -dy * y * y


@raw
def SqrtGrad(y: Any, dy: Any) -> Any:
    return dy * 0.5 / y


@raw
def RsqrtGrad(y: Any, dy: Any) -> Any:
    return dy * -0.5 * y * y * y


@raw
def PopulationCount(x: Any) -> Any:
    """How many bits are 1."""
    places = tf.range(8 * x.dtype.size, dtype=tf.int64)
    ones = tf.bitwise.bitwise_and(tf.bitwise.right_shift(
        tf.cast(tf.expand_dims(x, -1), tf.int64), places), tf.constant(1, tf.int64))
    return tf.cast(tf.reduce_sum(ones, -1), tf.uint8)
