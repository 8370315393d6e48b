"""Functions of each element, comparisons, casts."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import FULL, cast, halves, like, within
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
abs Abs
acos Acos
acosh Acosh
asin Asin
asinh Asinh
atan Atan
atan2 Atan2
atanh Atanh
bitwise_and BitwiseAnd
bitwise_or BitwiseOr
bitwise_xor BitwiseXor
ceil Ceil
cos Cos
cosh Cosh
divide RealDiv
divide_no_nan DivNoNan
equal Equal
erf Erf
erfc Erfc
exp Exp
expm1 Expm1
floor Floor
floordiv FloorDiv
floormod FloorMod
greater Greater
greater_equal GreaterEqual
identity Identity
invert Invert
is_finite IsFinite
is_inf IsInf
is_nan IsNan
left_shift LeftShift
less Less
less_equal LessEqual
log Log
log1p Log1p
logical_and LogicalAnd
logical_not LogicalNot
logical_or LogicalOr
logical_xor NotEqual
maximum Maximum
minimum Minimum
multiply Mul
multiply_no_nan MulNoNan
not_equal NotEqual
pow Pow
read_variable Identity
reciprocal Reciprocal
right_shift RightShift
rsqrt Rsqrt
select SelectV2
sigmoid Sigmoid
sign Sign
sin Sin
sinh Sinh
sqrt Sqrt
square Square
stop_gradient StopGradient
subtract Sub
tan Tan
tanh Tanh
truncatediv TruncateDiv
xdivy Xdivy
xlog1py Xlog1py
xlogy Xlogy
""")

# Ops whose kernels lack types that the record has.
_HALF = ("float16", *FULL)
_WIDE = (*FULL, "int32", "int64")
_FEW = {
    "bessel_i0": ("BesselI0", _HALF), "bessel_i0e": ("BesselI0e", _HALF),
    "bessel_i1": ("BesselI1", _HALF), "bessel_i1e": ("BesselI1e", _HALF),
    "bessel_j0": ("BesselJ0", _HALF), "bessel_j1": ("BesselJ1", _HALF),
    "bessel_k0": ("BesselK0", _HALF), "bessel_k0e": ("BesselK0e", _HALF),
    "bessel_k1": ("BesselK1", _HALF), "bessel_k1e": ("BesselK1e", _HALF),
    "bessel_y0": ("BesselY0", _HALF), "bessel_y1": ("BesselY1", _HALF),
    "dawsn": ("Dawsn", FULL), "digamma": ("Digamma", _HALF), "erfinv": ("Erfinv", FULL),
    "expint": ("Expint", FULL), "fresnel_cos": ("FresnelCos", FULL),
    "fresnel_sin": ("FresnelSin", FULL), "gamma_sample_grad": ("RandomGammaGrad", FULL),
    "igamma": ("Igamma", FULL), "igammac": ("Igammac", FULL), "lgamma": ("Lgamma", _HALF),
    "ndtri": ("Ndtri", FULL), "polygamma": ("Polygamma", FULL), "rint": ("Rint", FULL),
    "round": ("Round", ("bfloat16", "float16", *_WIDE)), "spence": ("Spence", FULL),
    "squared_difference": ("SquaredDifference", (
        "bfloat16", "float16", "complex64", "complex128", *_WIDE)),
    "truncatemod": ("TruncateMod", _WIDE), "zeta": ("Zeta", FULL)}
for _record, (_op, _kinds) in _FEW.items():
    written(_record)(lambda w, node, *xs, op=_op, kinds=_kinds: within(w, op, xs, kinds))


@written("barrier")
def barrier(w: Any, node: Any, x: Any, after: Any) -> Any:
    return w.Identity(x)


@written("add")
def add(w: Any, node: Any, x: Any, y: Any) -> Any:
    return w.Add(x, y) if x.dtype is dtypes.string else w.AddV2(x, y)


@written("add_n")
def add_n(w: Any, node: Any, *xs: Any) -> Any:
    return w.AddN(xs)


@written("negative")
def negative(w: Any, node: Any, x: Any) -> Any:
    return w.Sub(like(w, 0, x), x) if x.dtype.kind == "u" else w.Neg(x)


@written("nextafter")
def nextafter(w: Any, node: Any, x: Any, y: Any) -> Any:
    if x.dtype.name not in FULL:
        raise NotImplementedError(f"TensorFlow has no NextAfter of {x.dtype.name}")
    return w.NextAfter(x, y)


@written("betainc")
def betainc(w: Any, node: Any, a: Any, b: Any, x: Any) -> Any:
    """The op wants operands of one shape."""
    if len({one.shape for one in (a, b, x)}) > 1 or None in (a.shape or (None,)):
        zeros = [w.ZerosLike(one) for one in (a, b, x)]
        for i, one in enumerate((a, b, x)):
            for zero in zeros[:i] + zeros[i + 1:]:
                one = w.AddV2(one, zero)
            a, b, x = [one if j == i else old for j, old in enumerate((a, b, x))]
    return within(w, "Betainc", [a, b, x], FULL)


@written("igamma_derivative")
def igamma_derivative(w: Any, node: Any, a: Any, x: Any) -> Any:
    if node.attrs["order"] != 1:
        raise NotImplementedError("TensorFlow has the first derivative of igamma alone")
    return within(w, "IgammaGradA", [a, x], FULL)


# -- complex numbers -------------------------------------------------------------------------------
def _real_of(kind: Any) -> Any:
    return {"complex64": dtypes.float32, "complex128": dtypes.float64}[kind.name]


@written("angle")
def angle(w: Any, node: Any, x: Any) -> Any:
    if x.dtype.kind == "c":
        return w.Angle(x, Tout=_real_of(x.dtype))
    return w.SelectV2(w.Less(x, like(w, 0, x)), like(w, 3.141592653589793, x), w.ZerosLike(x))


@written("real")
def real(w: Any, node: Any, x: Any) -> Any:
    return w.Real(x, Tout=_real_of(x.dtype)) if x.dtype.kind == "c" else w.Identity(x)


@written("imag")
def imag(w: Any, node: Any, x: Any) -> Any:
    return w.Imag(x, Tout=_real_of(x.dtype)) if x.dtype.kind == "c" else w.ZerosLike(x)


@written("conj")
def conj(w: Any, node: Any, x: Any) -> Any:
    return w.Conj(x) if x.dtype.kind == "c" else w.Identity(x)


@written("complex_abs")
def complex_abs(w: Any, node: Any, x: Any) -> Any:
    return w.ComplexAbs(x, Tout=_real_of(x.dtype))


@written("complex")
def complex_(w: Any, node: Any, x: Any, y: Any) -> Any:
    wide = x.dtype is dtypes.float64
    return w.Complex(x, y, Tout=dtypes.complex128 if wide else dtypes.complex64)


# -- casts and constants ---------------------------------------------------------------------------
@written("cast")
def cast_(w: Any, node: Any, x: Any) -> Any:
    return w.Cast(x, DstT=dtypes.of(node.attrs["dtype"]))


@written("bitcast")
def bitcast(w: Any, node: Any, x: Any) -> Any:
    return w.Bitcast(x, type=dtypes.of(node.attrs["dtype"]))


@written("fill_like")
def fill_like(w: Any, node: Any, x: Any) -> Any:
    value = node.attrs["value"]
    if value == 0 or x.dtype is dtypes.string:
        return w.ZerosLike(x)
    return w.OnesLike(x) if value == 1 else w.Fill(w.shape_of(x), like(w, value, x))


# -- choices ---------------------------------------------------------------------------------------
@written("keep_where")
def keep_where(w: Any, node: Any, x: Any, mask: Any) -> Any:
    return w.SelectV2(mask, x, like(w, 0, x))


@written("same")
def same_(w: Any, node: Any, x: Any, y: Any) -> Any:
    return w.Cast(w.Equal(x, y), DstT=x.dtype)


@written("bucketize")
def bucketize(w: Any, node: Any, x: Any) -> Any:
    x = x if x.dtype.name in (*FULL, "int32", "int64") else cast(w, x, dtypes.float32)
    return w.Bucketize(x, boundaries=list(node.attrs["boundaries"]))


# -- activations -----------------------------------------------------------------------------------
same("""
elu Elu
relu Relu
relu6 Relu6
selu Selu
softplus Softplus
softsign Softsign
""")


@written("leaky_relu")
def leaky_relu(w: Any, node: Any, x: Any) -> Any:
    if not x.dtype.is_floating:
        return w.Maximum(x, w.Mul(x, like(w, node.attrs["alpha"], x)))
    return w.LeakyRelu(x, alpha=float(node.attrs["alpha"]))


@written("log_sigmoid")
def log_sigmoid(w: Any, node: Any, x: Any) -> Any:
    return w.Neg(w.Softplus(w.Neg(x)))


@written("silu")
def silu(w: Any, node: Any, x: Any) -> Any:
    return w.Mul(x, w.Sigmoid(x))


@written("gelu")
def gelu(w: Any, node: Any, x: Any) -> Any:
    def run(x: Any) -> Any:  # converters know it by this form
        half = w.Mul(like(w, 0.5, x), x)
        return w.Mul(half, w.Erfc(w.Mul(w.Neg(x), like(w, 0.7071067811865476, x))))

    return halves(w, [x], run)


@written("gelu_tanh")
def gelu_tanh(w: Any, node: Any, x: Any) -> Any:
    def run(x: Any) -> Any:
        cube = w.Mul(like(w, 0.044715, x), w.Pow(x, like(w, 3, x)))
        inner = w.Tanh(w.Mul(like(w, 0.7978845608028654, x), w.AddV2(x, cube)))
        return w.Mul(w.Mul(like(w, 0.5, x), x), w.AddV2(like(w, 1, x), inner))

    return halves(w, [x], run)


# -- gradients; operands may have shapes that differ -----------------------------------------------
@written("relu_grad")
def relu_grad(w: Any, node: Any, g: Any, y: Any) -> Any:
    return w.Mul(g, w.Cast(w.Greater(y, like(w, 0, y)), DstT=g.dtype))


@written("relu6_grad")
def relu6_grad(w: Any, node: Any, g: Any, y: Any) -> Any:
    inside = w.LogicalAnd(w.Greater(y, like(w, 0, y)), w.Less(y, like(w, 6, y)))
    return w.Mul(g, w.Cast(inside, DstT=g.dtype))


@written("leaky_relu_grad")
def leaky_relu_grad(w: Any, node: Any, g: Any, x: Any) -> Any:
    return w.SelectV2(w.Greater(x, like(w, 0, x)), g, w.Mul(g, like(w, node.attrs["alpha"], g)))


@written("elu_grad")
def elu_grad(w: Any, node: Any, g: Any, y: Any) -> Any:
    return w.SelectV2(w.Less(y, like(w, 0, y)), w.Mul(g, w.AddV2(y, like(w, 1, y))), g)


@written("selu_grad")
def selu_grad(w: Any, node: Any, g: Any, y: Any) -> Any:
    scale, scale_alpha = 1.0507009873554805, 1.7580993408473768
    return w.SelectV2(w.Less(y, like(w, 0, y)), w.Mul(g, w.AddV2(y, like(w, scale_alpha, y))),
                      w.Mul(g, like(w, scale, g)))


def _conj(w: Any, x: Any) -> Any:
    return w.Conj(x) if x.dtype.kind == "c" else x


@written("reciprocal_grad")
def reciprocal_grad(w: Any, node: Any, y: Any, g: Any) -> Any:
    y = _conj(w, y)
    return w.Mul(w.Neg(g), w.Mul(y, y))


@written("sqrt_grad")
def sqrt_grad(w: Any, node: Any, y: Any, g: Any) -> Any:
    return w.RealDiv(w.Mul(g, like(w, 0.5, g)), _conj(w, y))


@written("rsqrt_grad")
def rsqrt_grad(w: Any, node: Any, y: Any, g: Any) -> Any:
    y = _conj(w, y)
    return w.Mul(w.Mul(g, like(w, -0.5, g)), w.Mul(y, w.Mul(y, y)))
