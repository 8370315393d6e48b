"""Element by element: arithmetic, comparisons, functions that ONNX has, and some that it lacks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import BOOL, INT64, GraphWriter, Term

# Records that are one ONNX operator on the same operands.
SAME = {
    "abs": "Abs", "acos": "Acos", "acosh": "Acosh", "asin": "Asin", "asinh": "Asinh",
    "atan": "Atan", "atanh": "Atanh", "ceil": "Ceil", "cos": "Cos", "cosh": "Cosh",
    "erf": "Erf", "exp": "Exp", "floor": "Floor", "log": "Log",
    "negative": "Neg", "reciprocal": "Reciprocal", "round": "Round", "rint": "Round",
    "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "sqrt": "Sqrt",
    "tan": "Tan", "tanh": "Tanh", "is_nan": "IsNaN", "is_inf": "IsInf", "logical_not": "Not",
    "relu": "Relu", "softplus": "Softplus", "softsign": "Softsign", "identity": "Identity",
    "stop_gradient": "Identity", "prevent_gradient": "Identity", "read_variable": "Identity",
    "barrier": "Identity",
    "add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "maximum": "Max",
    "minimum": "Min", "pow": "Pow", "less": "Less", "less_equal": "LessOrEqual",
    "greater": "Greater", "greater_equal": "GreaterOrEqual", "logical_and": "And",
    "logical_or": "Or", "logical_xor": "Xor", "select": "Where", "invert": "BitwiseNot",
    "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr", "bitwise_xor": "BitwiseXor",
}


def _same(name: str, kind: str) -> None:
    def write(w: GraphWriter, node: Any, *xs: Term) -> Term:
        if kind == "Identity":
            return xs[0]
        if kind in ("Ceil", "Floor", "Round") and xs[0].dtype.kind in "iu":
            return xs[0]
        if kind in ("IsNaN", "IsInf") and xs[0].dtype.kind not in "fV":
            raise ExportError(f"{kind} takes floats")
        return w.op(kind, *xs)

    write.kinds = [kind]  # type: ignore[attr-defined]
    written(name)(write)


for _name, _kind in SAME.items():
    _same(_name, _kind)


@written("equal")
def _equal(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.op("Equal", x, y)


@written("same")
def _same_numbers(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.cast(w.op("Equal", x, y), node.outputs[0].dtype)


@written("conj", "real")
def _of_reals(w: GraphWriter, node: Any, x: Term) -> Term:
    """Of what is not complex."""
    return x


@written("not_equal")
def _not_equal(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return ~w.op("Equal", x, y)


@written("is_finite")
def _is_finite(w: GraphWriter, node: Any, x: Term) -> Term:
    return ~(w.op("IsNaN", x) | w.op("IsInf", x))


@written("cast")
def _cast(w: GraphWriter, node: Any, x: Term) -> Term:
    dtype = np.dtype(node.attrs["dtype"])
    if dtype == BOOL and x.dtype != BOOL:
        return ~w.op("Equal", x, w.scalar(0, x.dtype))
    return w.cast(x, dtype)


@written("square")
def _square(w: GraphWriter, node: Any, x: Term) -> Term:
    return x * x


@written("squared_difference")
def _squared_difference(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    d = x - y
    return d * d


@written("rsqrt")
def _rsqrt(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Reciprocal", w.op("Sqrt", x))


@written("expm1")
def _expm1(w: GraphWriter, node: Any, x: Term) -> Term:
    """2 sinh(x/2) exp(x/2), which loses nothing near 0."""
    half = x * 0.5
    near = 2.0 * w.op("Sinh", half) * w.op("Exp", half)
    return w.where(w.op("Abs", x) < 1.0, near, w.op("Exp", x) - 1.0)


@written("log1p")
def _log1p(w: GraphWriter, node: Any, x: Term) -> Term:
    return log1p(w, x)


def log1p(w: GraphWriter, x: Term) -> Term:
    """2 atanh(x / (2 + x)), which loses nothing near 0."""
    near = 2.0 * w.op("Atanh", x / (x + 2.0))
    return w.where(w.op("Abs", x) < 0.5, near, w.op("Log", x + 1.0))


@written("erfc")
def _erfc(w: GraphWriter, node: Any, x: Term) -> Term:
    return 1.0 - w.op("Erf", x)


def _sign_of(w: GraphWriter, x: Term) -> Term:
    """-1 or 1; a zero has a sign as well."""
    return w.where((x < 0) | (1.0 / x < 0), -1.0, w.scalar(1.0, x.dtype))


@written("atan2")
def _atan2(w: GraphWriter, node: Any, y: Term, x: Term) -> Term:
    return atan2(w, y, x)


def atan2(w: GraphWriter, y: Term, x: Term) -> Term:
    """The angle of (x, y), in four quadrants."""
    beside = w.op("Atan", y / x)
    turned = w.where(x < 0, beside + _sign_of(w, y) * math.pi, beside)
    upright = w.where(y.equals(0.0), y, _sign_of(w, y) * (math.pi / 2))
    return w.where(x.equals(0.0), upright, turned)


@written("divide_no_nan")
def _divide_no_nan(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.where(y.equals(0), 0, x / y)


@written("multiply_no_nan")
def _multiply_no_nan(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.where(y.equals(0), 0, x * y)


@written("xlogy")
def _xlogy(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.where(x.equals(0), 0, x * w.op("Log", y))


@written("xlog1py")
def _xlog1py(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.where(x.equals(0), 0, x * log1p(w, y))


@written("xdivy")
def _xdivy(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.where(x.equals(0), 0, x / y)


@written("floordiv")
def _floordiv(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return floordiv(w, x, y)


def floordiv(w: GraphWriter, x: Term, y: Term) -> Term:
    if x.dtype.kind in "fV":
        return w.op("Floor", x / y)
    if x.dtype.kind == "u":
        return x / y
    return (x - w.op("Mod", x, y)) / y  # Mod has the divisor's sign; Div cuts off


@written("floormod")
def _floormod(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    if x.dtype.kind in "fV":
        rest = w.op("Mod", x, y, fmod=1)
        turn = ~rest.equals(0.0) & w.op("Xor", rest < 0.0, y < 0.0)
        return w.where(turn, rest + y, rest)
    return w.op("Mod", x, y)


@written("truncatediv")
def _truncatediv(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    if x.dtype.kind not in "fV":
        return x / y
    ratio = x / y
    return w.where(ratio < 0, w.op("Ceil", ratio), w.op("Floor", ratio))


@written("truncatemod")
def _truncatemod(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    return w.op("Mod", x, y, fmod=1)


@written("left_shift")
def _left_shift(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """As "BitShift" """
    return _shifted(w, x, y, True)


@written("right_shift")
def _right_shift(w: GraphWriter, node: Any, x: Term, y: Term) -> Term:
    """As "BitShift" """
    return _shifted(w, x, y, False)


def _shifted(w: GraphWriter, x: Term, y: Term, left: bool) -> Term:
    """ONNX shifts unsigned integers; a signed one is multiplied, or divided, by a power of 2."""
    y = w.op("Min", w.op("Max", y, w.scalar(0, y.dtype)), w.scalar(
        8 * x.dtype.itemsize - 1, y.dtype))
    if x.dtype.kind == "u":
        return w.op("BitShift", x, y, direction="LEFT" if left else "RIGHT")
    if x.dtype == INT64:
        raise ExportError("ONNX shifts unsigned integers only")
    wide = w.cast(w.op("Pow", w.scalar(2.0, np.float64), w.cast(y, np.float64)), INT64)
    a = w.cast(x, INT64)
    return w.cast(a * wide if left else floordiv(w, a, wide), x.dtype)


@written("add_n")
def _add_n(w: GraphWriter, node: Any, *xs: Term) -> Term:
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return total


@written("keep_where")
def _keep_where(w: GraphWriter, node: Any, x: Term, mask: Term) -> Term:
    return w.where(mask, x, 0)


@written("bitcast")
def _bitcast(w: GraphWriter, node: Any, x: Term) -> Term:
    dtype = np.dtype(node.attrs["dtype"])
    if x.dtype == dtype:
        return x
    if w.opset >= 26:
        return w.op("BitCast", x, dtype=dtype, to=dtype)
    if x.dtype == np.float32 and dtype in (np.int32, np.uint32):
        return w.cast(_bits(w, w.cast(x, np.float64)), dtype)
    raise ExportError("ONNX reads the bits of one dtype as another from opset 26 on")


def _bits(w: GraphWriter, x: Term) -> Term:
    """The bits of float32 numbers, given as float64, by their sign, exponent and fraction."""
    size, tiny = w.op("Abs", x), 2.0 ** -126
    plain = w.where((size >= tiny) & (size < math.inf), size, w.scalar(1.0, x.dtype))
    power = w.op("Floor", w.op("Log", plain) / math.log(2))
    scale = w.op("Pow", w.scalar(2.0, x.dtype), power)
    # The logarithm is rounded: one more or less.
    power = w.where(scale > plain, power - 1.0, w.where(scale * 2.0 <= plain, power + 1.0, power))
    scale = w.op("Pow", w.scalar(2.0, x.dtype), power)
    bits = (power + 126.0 + plain / scale) * 2.0 ** 23
    bits = w.where(size < tiny, size * 2.0 ** 149, bits)
    bits = w.where(size.equals(math.inf), float(0x7F800000), bits)
    bits = w.cast(w.where(w.op("IsNaN", x), float(0x7FC00000), bits), INT64)
    return w.where((x < 0.0) | (1.0 / x < 0.0), bits - (1 << 31), bits)


@written("at_least", "ensure_shape")
def _unchecked(w: GraphWriter, node: Any, x: Term) -> Term:
    """A check of sizes, which an ONNX graph cannot make."""
    return x


@written("from_start")
def _from_start(w: GraphWriter, node: Any, x: Term) -> Term:
    size = w.squeeze(w.cast(w.vector(node.attrs["size"]), x.dtype), 0)
    return w.where(x < 0, x + size, x)


@written("fake_quant")
def _fake_quant(w: GraphWriter, node: Any, x: Term, low: Term, high: Term) -> Term:
    """By "Floor" of multiples of a step; 0 is one of them"""
    first, last = float(node.attrs["narrow_range"]), float(2**node.attrs["num_bits"] - 1)
    step = (high - low) / (last - first)
    zero = w.op("Floor", (low / step) * -1.0 + (first + 0.5))
    zero = w.op("Min", w.op("Max", zero, w.scalar(first, x.dtype)), w.scalar(last, x.dtype))
    lowest, highest = (zero * -1.0 + first) * step, (zero * -1.0 + last) * step
    inside = w.op("Min", w.op("Max", x, lowest), highest) - lowest
    points = w.op("Floor", inside / step + 0.5) * step + lowest
    empty = w.op("And", low.equals(0.0), high.equals(0.0))
    return w.where(empty, 0.0, points)
