"""Random words to numbers: uniforms and Box-Muller normals with TensorFlow's bits.

TensorFlow fills the mantissa of a number in [1, 2) with random bits and subtracts 1; normals come
in pairs (r sin t, r cos t). Its float32 kernels call glibc's logf and sincosf, whose results differ
from NumPy's in the last place, so the same polynomials (double arithmetic, one rounding at the end)
are evaluated here: all 2**23 radii and angles agree bit for bit. The float64 kernels call log and
sincos, which NumPy calls too unless it has vector versions (AVX-512), then within 1 ulp. Float16
and bfloat16 normals are rounded float32 ones.
Pure functions on arrays: may be imported by the modules of this package only.
"""

import math
from typing import Any

import numpy as np

HALF = np.dtype(np.float16)
FLOAT = np.dtype(np.float32)
DOUBLE = np.dtype(np.float64)

_TWO_PI = 2.0 * np.pi
_FLOAT_EPSILON = np.float32(1e-7)  # what log gets instead of anything smaller
_DOUBLE_EPSILON = 1e-7

_MANTISSA32 = np.array(0x7FFFFF, np.uint32)
_ONE32 = np.array(0x3F800000, np.uint32)
_ONE_FLOAT = np.array(1, np.float32)


# --- uniforms on [0, 1) --------------------------------------------------------------------------


def uniform_half(words: np.ndarray) -> np.ndarray:
    """One float16 a word, from its low 10 bits."""
    bits = (words & np.uint32(0x3FF)).astype(np.uint16) | np.uint16(15 << 10)
    return bits.view(HALF) - np.float16(1)


def uniform_bfloat16(words: np.ndarray) -> np.ndarray:
    """One number that bfloat16 can hold (here as float32) a word, from its low 7 bits."""
    return (words & np.uint32(0x7F)).astype(np.float32) / np.float32(128)


def uniform_float(words: np.ndarray) -> np.ndarray:
    """One float32 a word, from its low 23 bits."""
    bits = np.bitwise_and(words, _MANTISSA32)
    np.bitwise_or(bits, _ONE32, out=bits)
    values = bits.view(FLOAT)
    return np.subtract(values, _ONE_FLOAT, out=values)


def uniform_double(words: np.ndarray) -> np.ndarray:
    """One float64 for two words: 20 bits of the first above the 32 of the second."""
    pairs = words.reshape(-1, 2)
    bits = (pairs[:, 0] & np.uint32(0xFFFFF)).astype(np.uint64)
    bits |= np.uint64(1023 << 20)
    bits <<= np.uint64(32)
    bits |= pairs[:, 1]
    values = bits.view(DOUBLE)
    return np.subtract(values, 1.0, out=values)


def integers64(words: np.ndarray) -> np.ndarray:
    """One uint64 for two words, the first one low."""
    return np.ascontiguousarray(words).reshape(-1).view(np.uint64)


# --- logf and sincosf of glibc -------------------------------------------------------------------

# logf cuts [0.699, 1.398) into 16 intervals; of each: 1/c and log c for a c near its middle.
_LOG_CENTRES = """
    1.661ec79f8f3bep+0 -1.57bf7808caadep-2   1.571ed4aaf883dp+0 -1.2bef0a7c06ddbp-2
    1.49539f0f010bp+0  -1.01eae7f513a67p-2   1.3c995b0b80385p+0 -1.b31d8a68224e9p-3
    1.30d190c8864a5p+0 -1.6574f0ac07758p-3   1.25e227b0b8eap+0  -1.1aa2bc79c81p-3
    1.1bb4a4a1a343fp+0 -1.a4e76ce8c0e5ep-4   1.12358f08ae5bap+0 -1.1973c5a611cccp-4
    1.0953f419900a7p+0 -1.252f438e10c1ep-5   1p+0               0p+0
    1.e608cfd9a47acp-1 1.aa5aa5df25984p-5    1.ca4b31f026aap-1  1.c5e53aa362eb4p-4
    1.b2036576afce6p-1 1.526e57720db08p-3    1.9c2d163a1aa2dp-1 1.bc2860d22477p-3
    1.886e6037841edp-1 1.1058bc8a07ee1p-2    1.767dcf5534862p-1 1.4043057b6ee09p-2"""
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_LOG_POLY = ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
_LOG_LOWEST = 24  # the smallest argument, 1e-7, is 0.84 * 2**-23
_LOG_ORIGIN = 0x3F330000 - (_LOG_LOWEST << 23)
_LOG_SHIFT = 19

_PI_2 = float.fromhex("0x1.921fb54442d18p0")
_QUARTERS = float.fromhex("0x1.45f306dc9c883p+23")  # 2**24 quarter turns in 2 pi / 4
_HALF_TURN, _TURN = 0x800000, 24
_COS_POLY = (
    "-0x1.ffffffd0c621cp-2",
    "0x1.55553e1068f19p-5",
    "-0x1.6c087e89a359dp-10",
    "0x1.99343027bf8c3p-16",
)
_SIN_POLY = ("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")

_A0, _A1, _A2 = map(float.fromhex, _LOG_POLY)
_C1, _C2, _C3, _C4 = map(float.fromhex, _COS_POLY)
_S1, _S2, _S3 = map(float.fromhex, _SIN_POLY)


def _log_tables() -> tuple[np.ndarray, np.ndarray]:
    """1/c * 2**-k and log c + k ln 2 by exponent and interval; scaling by 2**-k rounds nothing."""
    centres = np.array([float.fromhex(t) for t in _LOG_CENTRES.split()]).reshape(16, 2)
    k = np.arange(-_LOG_LOWEST, 1, dtype=np.float64)[:, None]
    return (np.exp2(-k) * centres[:, 0]).ravel(), (centres[:, 1] + k * _LN2).ravel()


class _Constants:
    """The numbers above as 0-d arrays: as ufunc operands half as expensive as Python scalars."""

    def __init__(self) -> None:
        self.inverse, self.base = _log_tables()
        self.log = [np.array(v) for v in (_A0, _A1, _A2)]
        self.cos = [np.array(v) for v in (_C1, _C2, _C3, _C4)]
        self.sin = [np.array(v) for v in (_S1, _S2, _S3)]
        self.one = np.array(1.0)
        self.minus_two = np.array(-2.0, np.float32)
        self.epsilon = np.array(_FLOAT_EPSILON)
        self.two_pi, self.pi_2, self.quarters = (np.array(v) for v in (_TWO_PI, _PI_2, _QUARTERS))
        self.origin, self.shift = np.array(_LOG_ORIGIN, np.int32), np.array(_LOG_SHIFT, np.int32)
        self.half_turn, self.turn = np.array(_HALF_TURN, np.int32), np.array(_TURN, np.int32)
        self.bit, self.sign = np.array(1, np.int32), np.array(30, np.int32)
        self.second = np.array(2, np.int32)


_constants: list[_Constants] = []  # made at the first draw: importing computes nothing


def _made_constants() -> _Constants:
    if not _constants:
        _constants.append(_Constants())
    return _constants[0]


def _log_float(x: np.ndarray, k: _Constants) -> np.ndarray:
    """logf for float32 x in [1e-7, 1)."""
    multiply, add = np.multiply, np.add
    entry = np.subtract(x.view(np.int32), k.origin)
    entry = np.right_shift(entry, k.shift, entry).astype(np.intp)
    a0, a1, a2 = k.log
    r = x.astype(DOUBLE)
    multiply(r, k.inverse[entry], r)
    np.subtract(r, k.one, r)
    r2 = multiply(r, r)
    y = multiply(r, a1)
    add(y, a2, y)
    add(y, multiply(r2, a0), y)
    multiply(y, r2, y)
    add(r, k.base[entry], r)
    return add(y, r, y).astype(FLOAT)


def _sincos_float(v: np.ndarray, k: _Constants) -> tuple[np.ndarray, np.ndarray]:
    """sincosf for float64 v in [0, 2 pi) that hold float32 values."""
    multiply, add = np.multiply, np.add
    quarter = multiply(v, k.quarters).astype(np.int32)
    add(quarter, k.half_turn, quarter)
    np.right_shift(quarter, k.turn, quarter)
    x = np.subtract(v, multiply(quarter, k.pi_2))
    x2 = multiply(x, x)
    x3 = multiply(x2, x)
    x4 = multiply(x2, x2)
    c1, c2, c3, c4 = k.cos
    cos = multiply(x2, c1)  # (1 + c1 x^2 + c2 x^4) + x^6 (c3 + c4 x^2)
    add(cos, k.one, cos)
    add(cos, multiply(x4, c2), cos)
    high_terms = multiply(x2, c4)
    add(high_terms, c3, high_terms)
    multiply(high_terms, multiply(x4, x2, x4), high_terms)
    add(cos, high_terms, cos)
    s1, s2, s3 = k.sin
    multiply(x2, s3, high_terms)  # (x + s1 x^3) + x^5 (s2 + s3 x^2)
    add(high_terms, s2, high_terms)
    multiply(high_terms, multiply(x2, x3, x2), high_terms)
    add(x, multiply(x3, s1, x3), x)
    s, c = add(x, high_terms, x).astype(FLOAT), cos.astype(FLOAT)
    odd = np.bitwise_and(quarter, k.bit).astype(np.bool_)
    sin, cos = np.where(odd, c, s), np.where(odd, s, c)
    for values in (sin, cos):  # sin is negative in quarters 2 and 3, cos in 1 and 2
        signs = np.left_shift(np.bitwise_and(quarter, k.second), k.sign)
        bits = values.view(np.int32)
        np.bitwise_xor(bits, signs, bits)
        add(quarter, k.bit, quarter)
    return sin, cos


# --- normals -------------------------------------------------------------------------------------

# Up to this many words plain Python floats beat NumPy's call overhead.
_SCALAR_WORDS = 24


def normal_float(words: np.ndarray) -> np.ndarray:
    """Standard normals: two float32 for two words."""
    if len(words) <= _SCALAR_WORDS:
        return np.array(scalar_normals(words.tolist()), FLOAT)
    u = uniform_float(words)
    u[0::2], u[1::2] = normal_pair(u[0::2], u[1::2])
    return u


def normal_pair(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two standard normals for two uniforms, all float32."""
    k = _made_constants()
    radius = _log_float(np.maximum(first, k.epsilon), k)
    np.multiply(radius, k.minus_two, radius)
    np.sqrt(radius, radius)
    angle = second.astype(DOUBLE)
    angle = np.multiply(angle, k.two_pi, angle).astype(FLOAT).astype(DOUBLE)
    sin, cos = _sincos_float(angle, k)
    return np.multiply(sin, radius, sin), np.multiply(cos, radius, cos)


def normal_element(b: Any, first: Any, second: Any, part: int) -> Any:
    """One of a pair's normals in native code (`jit.builder`), operation for operation."""
    k = _made_constants()
    least = b.const(float(k.epsilon), first)
    radius = _log_element(b, b.select(b.lt(first, least), least, first), k)
    radius = b.sqrt(b.mul(radius, b.const(-2.0, first)))
    angle = b.mul(b.cast(second, "float64"), b.const(_TWO_PI, "float64"))
    angle = b.cast(b.cast(angle, "float32"), "float64")
    return b.mul(_sincos_element(b, angle, part), radius)


def _log_element(b: Any, x: Any, k: _Constants) -> Any:
    entry = b.sub(b.bitcast(x, "int32"), b.const(_LOG_ORIGIN, "int32"))
    entry = b.cast(b.bits("ashr", entry, b.const(_LOG_SHIFT, "int32")), "int64")
    r = b.mul(b.cast(x, "float64"), b.lookup(k.inverse.tolist(), entry))
    r = b.sub(r, b.const(1.0, r))
    r2 = b.mul(r, r)
    y = b.add(b.mul(r, b.const(_A1, r)), b.const(_A2, r))
    y = b.mul(b.add(y, b.mul(r2, b.const(_A0, r))), r2)
    return b.cast(b.add(y, b.add(r, b.lookup(k.base.tolist(), entry))), "float32")


def _sincos_element(b: Any, v: Any, part: int) -> Any:
    """The sine (part 0) or the cosine (part 1)."""
    whole = b.cast(b.mul(v, b.const(_QUARTERS, v)), "int32")
    quarter = b.bits("ashr", b.add(whole, b.const(_HALF_TURN, whole)), b.const(_TURN, whole))
    x = b.sub(v, b.mul(b.cast(quarter, "float64"), b.const(_PI_2, v)))
    x2 = b.mul(x, x)
    x3, x4 = b.mul(x2, x), b.mul(x2, x2)
    cos = b.add(b.mul(x2, b.const(_C1, x)), b.const(1.0, x))
    cos = b.add(cos, b.mul(x4, b.const(_C2, x)))
    high_terms = b.add(b.mul(x2, b.const(_C4, x)), b.const(_C3, x))
    cos = b.cast(b.add(cos, b.mul(high_terms, b.mul(x4, x2))), "float32")
    high_terms = b.add(b.mul(x2, b.const(_S3, x)), b.const(_S2, x))
    high_terms = b.mul(high_terms, b.mul(x2, x3))
    sin = b.cast(b.add(b.add(x, b.mul(x3, b.const(_S1, x))), high_terms), "float32")
    odd = b.ne(b.both(quarter, b.const(1, quarter)), b.const(0, quarter))
    value = b.select(odd, sin, cos) if part else b.select(odd, cos, sin)
    turned = b.add(quarter, b.const(part, quarter))
    sign = b.bits("shl", b.both(turned, b.const(2, turned)), b.const(30, turned))
    return b.bitcast(b.differ(b.bitcast(value, "int32"), sign), "float32")


_SPLIT = float((1 << 29) + 1)  # Veltkamp: t = x * SPLIT; t - (t - x) is x rounded to float32
_scalar_tables: list[list[float]] = []


def scalar_normals(words: list[int]) -> list[float]:
    """normal_float by Python floats, operation for operation, but for the last rounding."""
    if not _scalar_tables:
        _scalar_tables[:] = [table.tolist() for table in _log_tables()]  # threads may meet here
    inverse, base = _scalar_tables
    out: list[float] = []
    stream = iter(words)
    for first, second in zip(stream, stream):
        m = first & 0x7FFFFF
        if m:
            x, n = m * 2.0**-23, m.bit_length()
            entry = (((n + 102) << 23) + (m << (24 - n)) - _LOG_ORIGIN) >> _LOG_SHIFT
        else:
            x, entry = _SMALLEST, _SMALLEST_ENTRY
        r = x * inverse[entry] - 1.0
        r2 = r * r
        y = (_A0 * r2 + (_A1 * r + _A2)) * r2 + (base[entry] + r)
        t = y * _SPLIT
        y = math.sqrt(-2.0 * (t - (t - y)))
        t = y * _SPLIT
        radius = t - (t - y)
        v = _TWO_PI * ((second & 0x7FFFFF) * 2.0**-23)
        t = v * _SPLIT
        v = t - (t - v)
        quarter = (int(v * _QUARTERS) + 0x800000) >> 24
        x = v - quarter * _PI_2
        x2 = x * x
        x4 = x2 * x2
        x3 = x2 * x
        y = ((1.0 + x2 * _C1) + x4 * _C2) + (x4 * x2) * (_C3 + x2 * _C4)
        t = y * _SPLIT
        cos = (t - (t - y)) * radius
        y = (x + x3 * _S1) + (x3 * x2) * (_S2 + x2 * _S3)
        t = y * _SPLIT
        sin = (t - (t - y)) * radius
        if quarter & 1:
            sin, cos = cos, -sin
        out += (-sin, -cos) if quarter & 2 else (sin, cos)
    return out


_SMALLEST = float(_FLOAT_EPSILON)
_SMALLEST_ENTRY = (0x33D6BF95 - _LOG_ORIGIN) >> _LOG_SHIFT  # by the bits of that float32


def normal_double(words: np.ndarray) -> np.ndarray:
    """Standard normals: two float64 for four words."""
    u = uniform_double(words)
    radius = np.sqrt(-2.0 * np.log(np.maximum(u[0::2], _DOUBLE_EPSILON)))
    angle = _TWO_PI * u[1::2]
    np.multiply(np.sin(angle), radius, out=u[0::2])
    np.multiply(np.cos(angle), radius, out=u[1::2])
    return u


def log_of_uniform(u: np.ndarray) -> np.ndarray:
    """log of uniforms in their dtype, by the functions that TensorFlow calls; -inf at 0."""
    if u.dtype == FLOAT:
        some = np.maximum(u, _FLOAT_EPSILON)
        return np.where(u == 0, np.float32(-np.inf), _log_float(some, _made_constants()))
    with np.errstate(divide="ignore"):
        return np.log(u)
