"""Functions of two arrays: arithmetic, comparisons, logic, products."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor
from tapeflow.numpy_api.elementwise import absolute, exp2
from tapeflow.numpy_api.promotion import array, asarray, broadcast, promoted, public, to_float
from tapeflow.numpy_api.shaping import moveaxis, nonzero


def _pair(*names: str, bools: Any = None) -> Callable:
    """A function of two promoted arrays. `bools`: the function for bools, or a dtype to cast to."""

    def decorate(function: Callable) -> Callable:
        def call(x1: Any, x2: Any) -> Any:
            x1, x2 = promoted(x1, x2)
            if x1.dtype == tf.bool and bools is not None:
                if callable(bools):
                    return bools(x1, x2)
                x1, x2 = tf.cast(x1, bools), tf.cast(x2, bools)
            return function(x1, x2)

        call.__name__ = call.__qualname__ = names[0]
        call.__doc__ = function.__doc__
        return public(*names)(call)

    return decorate


# -- arithmetic ------------------------------------------------------------------------------------
@_pair("add", bools=tf.logical_or)
def add(x1, x2):
    """The sum; of bools, `or`."""
    return tf.add(x1, x2)


@_pair("subtract")
def subtract(x1, x2):
    """The difference."""
    return tf.subtract(x1, x2)


@_pair("multiply", bools=tf.logical_and)
def multiply(x1, x2):
    """The product; of bools, `and`."""
    return tf.multiply(x1, x2)


@public("true_divide", "divide")
def true_divide(x1: Any, x2: Any) -> Any:
    """The quotient, of integers as floats."""
    x1, x2 = promoted(x1, x2)
    if x1.dtype == tf.bool:
        x1, x2 = to_float(x1), to_float(x2)
    return tf.truediv(x1, x2)


@_pair("floor_divide", bools=tf.int8)
def floor_divide(x1, x2):
    """The quotient rounded down."""
    return tf.math.floordiv(x1, x2)


@_pair("mod", "remainder", bools=tf.int8)
def mod(x1, x2):
    """What `floor_divide` leaves."""
    return tf.math.mod(x1, x2)


@public("divmod")
def divmod_(x1: Any, x2: Any) -> tuple:
    """`floor_divide` and `mod`."""
    return floor_divide(x1, x2), mod(x1, x2)


@_pair("power", "float_power")
def power(x1, x2):
    """x1 to the power x2."""
    return tf.pow(x1, x2)


@_pair("arctan2")
def arctan2(x1, x2):
    """The angle of the point (x2, x1)."""
    return tf.atan2(x1, x2)


@_pair("nextafter")
def nextafter(x1, x2):
    """The next number after x1 on the way to x2."""
    return tf.math.nextafter(x1, x2)


@public("maximum")
def maximum(x1: Any, x2: Any) -> Any:
    """The larger of both; NaN if one is."""
    if isinstance(x2, numbers.Real) and not isinstance(x2, bool) and x2 == 0 \
            and isinstance(x1, Tensor) and x1.dtype != tf.bool:
        return tf.nn.relu(x1)
    x1, x2 = promoted(x1, x2)
    return tf.logical_or(x1, x2) if x1.dtype == tf.bool else tf.maximum(x1, x2)


@_pair("minimum", bools=tf.logical_and)
def minimum(x1, x2):
    """The smaller of both; NaN if one is."""
    return tf.minimum(x1, x2)


@public("clip")
def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """The array limited to [a_min, a_max]; one limit may be None."""
    if a_min is None and a_max is None:
        raise ValueError("tf.experimental.numpy.clip: a_min and a_max are both None.")
    if a_min is None:
        return minimum(a, a_max)
    if a_max is None:
        return maximum(a, a_min)
    a, a_min, a_max = broadcast(*promoted(a, a_min, a_max))
    return tf.clip_by_value(a, a_min, a_max)


@public("heaviside")
def heaviside(x1: Any, x2: Any) -> Any:
    """0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0."""
    x1, x2 = promoted(x1, x2)
    zero, one = tf.constant(0, x2.dtype), tf.constant(1, x2.dtype)
    return to_float(tf.where(x1 < 0, zero, tf.where(x1 > 0, one, x2)))


@public("hypot")
def hypot(x1: Any, x2: Any) -> Any:
    """sqrt(x1² + x2²)."""
    total = tf.square(asarray(x1)) + tf.square(asarray(x2))
    return tf.sqrt(to_float(total))


def _log_of_sum(x1: Any, x2: Any, power_of: Callable, base: float) -> Any:
    difference = x1 - x2  # lists have none, and Tensors of different dtypes neither
    if base != 1.0:
        x1 + x2
    x1, x2 = promoted(x1, x2)
    x1, x2 = to_float(x1), to_float(x2)
    if isinstance(difference, Tensor) and difference.dtype.is_floating and (
            difference.dtype != x1.dtype):
        raise tf.errors.InvalidArgumentError(None, None, (
            f"cannot compute AddV2 as input #1(zero-based) was expected to be a {x1.dtype.name} "
            f"tensor but is a {difference.dtype.name} tensor [Op:AddV2]"))
    delta = x1 - x2
    larger = tf.maximum(x1, x2)
    grown = tf.math.log1p(power_of(-absolute(delta)))
    if base != 1.0:
        grown = grown / tf.constant(base, grown.dtype)
    # Where both are infinities of one sign the difference is NaN and their sum is right.
    return tf.where(tf.math.is_nan(delta), x1 + x2, larger + grown)


@public("logaddexp")
def logaddexp(x1: Any, x2: Any) -> Any:
    """log(exp(x1) + exp(x2))."""
    return _log_of_sum(x1, x2, tf.exp, 1.0)


@public("logaddexp2")
def logaddexp2(x1: Any, x2: Any) -> Any:
    """log2(2**x1 + 2**x2)."""
    return _log_of_sum(x1, x2, exp2, float(np.log(2)))


# -- integers --------------------------------------------------------------------------------------
def _greatest(x1: Any, x2: Any) -> Any:
    for one in (x1, x2):
        if not one.dtype.is_integer:
            raise ValueError(f"tf.experimental.numpy.gcd takes integers, got {one.dtype.name}.")
    x1, x2 = broadcast(tf.abs(x1), tf.abs(x2))
    one, zero = tf.constant(1, x1.dtype), tf.constant(0, x1.dtype)

    def step(a, b):
        rest = tf.math.floormod(a, tf.where(b != 0, b, one))
        return tf.where(b != 0, b, a), tf.where(b != 0, rest, zero)

    return tf.while_loop(lambda a, b: tf.reduce_any(b != 0), step, (x1, x2))[0]


@_pair("gcd")
def gcd(x1, x2):
    """The greatest common divisor."""
    return _greatest(x1, x2)


@_pair("lcm")
def lcm(x1, x2):
    """The least common multiple."""
    divisor = _greatest(x1, x2)
    zero, one = tf.constant(0, divisor.dtype), tf.constant(1, divisor.dtype)
    none = tf.equal(divisor, zero)
    quotient = tf.math.floordiv(tf.abs(x2), tf.where(none, one, divisor))
    return tf.where(none, zero, tf.abs(x1) * quotient)


def _bits(name: str, function: Callable, on_bools: Callable) -> Callable:
    def call(x1: Any, x2: Any) -> Any:
        x1, x2 = promoted(x1, x2)
        return on_bools(x1, x2) if x1.dtype == tf.bool else function(x1, x2)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"NumPy's `{name}`."
    return public(name)(call)


bitwise_and = _bits("bitwise_and", tf.bitwise.bitwise_and, tf.logical_and)
bitwise_or = _bits("bitwise_or", tf.bitwise.bitwise_or, tf.logical_or)
bitwise_xor = _bits("bitwise_xor", tf.bitwise.bitwise_xor, tf.math.logical_xor)


# -- comparisons and logic -------------------------------------------------------------------------
equal = _pair("equal")(tf.equal)
not_equal = _pair("not_equal")(tf.not_equal)
greater = _pair("greater", bools=tf.int32)(tf.greater)
greater_equal = _pair("greater_equal", bools=tf.int32)(tf.greater_equal)
less = _pair("less", bools=tf.int32)(tf.less)
less_equal = _pair("less_equal", bools=tf.int32)(tf.less_equal)


def _logic(name: str, function: Callable) -> Callable:
    def call(x1: Any, x2: Any) -> Any:
        return function(*[array(tf.constant(x) if type(x) is float else x, dtype=bool)
                          for x in (x1, x2)])

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"NumPy's `{name}`, element by element."
    return public(name)(call)


logical_and = _logic("logical_and", tf.logical_and)
logical_or = _logic("logical_or", tf.logical_or)
logical_xor = _logic("logical_xor", tf.math.logical_xor)


@public("array_equal")
def array_equal(a1: Any, a2: Any) -> Any:
    """Whether shapes and all elements are equal."""
    a1, a2 = promoted(a1, a2)
    if a1.shape.rank != a2.shape.rank or not a1.shape.is_compatible_with(a2.shape):
        return tf.constant(False)
    return tf.reduce_all(tf.equal(a1, a2))


@public("isclose")
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
            equal_nan: bool = False) -> Any:
    """Whether |a - b| <= atol + rtol |b|."""
    a, b = promoted(a, b)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return tf.equal(a, b)
    real = a.dtype.real_dtype
    atol, rtol = [tf.convert_to_tensor(x, real) for x in (atol, rtol)]
    result = tf.abs(a - b) <= atol + rtol * tf.abs(b)
    if equal_nan:
        result = result | (tf.math.is_nan(a) & tf.math.is_nan(b))
    return result


@public("allclose")
def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
             equal_nan: bool = False) -> Any:
    """Whether all elements are close, as in `isclose`."""
    return tf.reduce_all(isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


# -- products --------------------------------------------------------------------------------------
@public("dot")
def dot(a: Any, b: Any) -> Any:
    """The sum over the last axis of a and the last but one of b."""
    a, b = promoted(a, b)
    if 0 in (a.shape.rank, b.shape.rank):
        return a * b
    return tf.tensordot(a, b, axes=[[-1], [-1 if b.shape.rank == 1 else -2]])


@public("matmul")
def matmul(x1: Any, x2: Any) -> Any:
    """The matrix product, with batches in front and vectors as NumPy takes them."""
    x1, x2 = promoted(x1, x2)
    try:
        if x2.shape.rank == 1:
            return tf.tensordot(x1, x2, axes=1)
        if x1.shape.rank == 1:
            return tf.tensordot(x1, x2, axes=[[0], [-2]])
        return tf.matmul(x1, x2)
    except tf.errors.InvalidArgumentError as error:
        raise ValueError(str(error)) from None


@public("tensordot")
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum over the axes named, of a and of b."""
    a, b = promoted(a, b)
    return tf.tensordot(a, b, axes=axes)


@public("inner")
def inner(a: Any, b: Any) -> Any:
    """The sum over the last axes."""
    a, b = promoted(a, b)
    if 0 in (a.shape.rank, b.shape.rank):
        return a * b
    return tf.tensordot(a, b, axes=[[-1], [-1]])


@public("vdot")
def vdot(a: Any, b: Any) -> Any:
    """The dot product of both flattened, the first conjugated."""
    a, b = (tf.reshape(one, [-1]) for one in promoted(a, b))
    return dot(tf.math.conj(a), b)


@public("outer")
def outer(a: Any, b: Any) -> Any:
    """All products of an element of a and one of b."""
    a, b = promoted(a, b)
    return tf.reshape(a, [-1, 1]) * tf.reshape(b, [-1])


@public("kron")
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    a, b = promoted(a, b)
    rank = max(a.shape.rank, b.shape.rank)
    rows = [1] * (rank - a.shape.rank) + list(a.shape)
    columns = [1] * (rank - b.shape.rank) + list(b.shape)
    a = tf.reshape(a, [n for row in rows for n in (row, 1)])
    b = tf.reshape(b, [n for column in columns for n in (1, column)])
    return tf.reshape(a * b, [m * n for m, n in zip(rows, columns, strict=True)])


@public("cross")
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1,
          axis: int | None = None) -> Any:
    """The cross product of vectors of 2 or 3 elements."""
    if axis is not None:
        axisa = axisb = axisc = axis
    for one in (axisa, axisb, axisc):
        bool(one < 0)  # what cannot be compared with a number is no axis
    a, b = promoted(a, b)
    a, b = moveaxis(a, (axisa,), (-1,)), moveaxis(b, (axisb,), (-1,))
    flat = a.shape[-1] == 2 and b.shape[-1] == 2
    a, b = (_in_space(one) for one in (a, b))
    result = tf.linalg.cross(*broadcast(a, b))
    return result[..., 2] if flat else moveaxis(result, (-1,), (axisc,))


def _in_space(vectors: Any) -> Any:
    if vectors.shape[-1] != 2:
        return vectors
    return tf.pad(vectors, [[0, 0]] * (vectors.shape.rank - 1) + [[0, 1]])


@public("polyval")
def polyval(p: Any, x: Any) -> Any:
    """The polynomial with coefficients p, the highest first, at x."""
    p, x = promoted(p, x)
    coefficients = tf.unstack(tf.reshape(p, [1]) if p.shape.rank == 0 else p)
    result = tf.math.polyval(coefficients, x)
    return tf.broadcast_to(result, tf.shape(x)) if len(coefficients) == 1 else result


@public("einsum")
def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Any:
    """Sums of products by an equation; `casting` is "safe" or "no"."""
    casting, optimize = kwargs.get("casting", "safe"), kwargs.get("optimize", False)
    if casting not in ("safe", "no"):
        raise ValueError(f"tf.experimental.numpy.einsum: casting must be 'safe' or 'no', got "
                         f"{casting!r}.")
    if optimize not in (True, False, "greedy", "optimal"):
        raise ValueError("tf.experimental.numpy.einsum: optimize must be a bool, 'greedy' or "
                         f"'optimal', got {optimize!r}.")
    values = promoted(*operands) if casting == "safe" else [asarray(one) for one in operands]
    return tf.einsum(subscripts, *values,
                     optimize="optimal" if optimize == "optimal" else "greedy")


@public("select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The first choice whose condition holds, element by element."""
    if len(condlist) != len(choicelist):
        raise ValueError("tf.experimental.numpy.select: condlist must have length equal to "
                         f"choicelist ({len(condlist)} vs {len(choicelist)})")
    if not condlist:
        raise ValueError("tf.experimental.numpy.select: condlist must be non-empty")
    result, *choices = promoted(default, *choicelist)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        result = where(condition, choice, result)
    return result


@public("where")
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where the condition holds, y elsewhere; with the condition alone, `nonzero`."""
    condition = asarray(condition, dtype=bool)
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("tf.experimental.numpy.where: give both x and y, or neither.")
    return tf.where(condition, *promoted(x, y))
