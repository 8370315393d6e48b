# Written by tools/stubs.py (make stubs).
"""tf.math"""

from typing import Any, overload

import tapeflow as tf
from tapeflow._typing import (
    ApproxTopK,
    CompositeT,
    DenseLike,
    DTypeLike,
    FloatLike,
    IntLike,
    ShapeLike,
    TensorLike,
    TopKV2,
)
from tapeflow.linalg import l2_normalize as l2_normalize
from tapeflow.math import special as special

@overload
def abs(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The absolute value of x; of a complex tensor, a real one."""
@overload
def abs(x: CompositeT, name: str | None = None) -> CompositeT: ...

def accumulate_n(
    inputs: TensorLike, shape: ShapeLike = None, tensor_dtype: Any = None,
    name: str | None = None,
) -> tf.Tensor:
    """The sum of all tensors in a list; `shape` and `tensor_dtype` only check it."""

@overload
def acos(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of cosine."""
@overload
def acos(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def acosh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of hyperbolic cosine."""
@overload
def acosh(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def add(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x + y, elementwise; strings are joined. The first operand decides the dtype."""
@overload
def add(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def add_n(inputs: DenseLike, name: str | None = None) -> tf.Tensor:
    """The sum of all tensors in a list; they have one shape and dtype."""
@overload
def add_n(inputs: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def angle(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """The angle of complex numbers; of real ones 0, or pi for negative ones."""
@overload
def angle(input: CompositeT, name: str | None = None) -> CompositeT: ...

def approx_max_k(
    operand: Any, k: IntLike, reduction_dimension: IntLike = -1,
    recall_target: FloatLike = 0.95, reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:
    """The k largest elements along an axis, largest first, and their indices."""

def approx_min_k(
    operand: Any, k: IntLike, reduction_dimension: IntLike = -1,
    recall_target: FloatLike = 0.95, reduction_input_size_override: IntLike = -1,
    aggregate_to_topk: bool = True, name: str | None = None,
) -> ApproxTopK:
    """The k smallest elements along an axis, smallest first, and their indices."""

def argmax(
    input: TensorLike, axis: TensorLike | None = None, output_type: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """The index of the largest element along `axis` (0 unless given), the first if several."""

def argmin(
    input: TensorLike, axis: TensorLike | None = None, output_type: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """The index of the smallest element along `axis` (0 unless given), the first if several."""

@overload
def asin(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of sine."""
@overload
def asin(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def asinh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of hyperbolic sine."""
@overload
def asinh(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def atan(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of tangent."""
@overload
def atan(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def atan2(y: DenseLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The angle of the point (x, y), in [-pi, pi]."""
@overload
def atan2(y: CompositeT, x: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def atanh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of hyperbolic tangent."""
@overload
def atanh(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_i0(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The modified Bessel function of order 0 of x, elementwise."""
@overload
def bessel_i0(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_i0e(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The exponentially scaled modified Bessel function of order 0 of x, elementwise."""
@overload
def bessel_i0e(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_i1(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The modified Bessel function of order 1 of x, elementwise."""
@overload
def bessel_i1(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def bessel_i1e(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The exponentially scaled modified Bessel function of order 1 of x, elementwise."""
@overload
def bessel_i1e(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def betainc(
    a: DenseLike, b: TensorLike, x: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The regularised incomplete beta function; differentiable in x."""
@overload
def betainc(
    a: CompositeT, b: TensorLike, x: TensorLike, name: str | None = None,
) -> CompositeT: ...

def bincount(
    arr: Any, weights: TensorLike | None = None, minlength: Any = None, maxlength: Any = None,
    dtype: DTypeLike = tf.int32, name: str | None = None, axis: IntLike | None = None,
    binary_output: bool = False,
) -> tf.Tensor:
    """How often each integer occurs in `arr`, or the sum of the weights of its occurrences."""

@overload
def ceil(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The smallest whole number not below x."""
@overload
def ceil(x: CompositeT, name: str | None = None) -> CompositeT: ...

def confusion_matrix(
    labels: TensorLike, predictions: TensorLike, num_classes: Any = None,
    weights: TensorLike | None = None, dtype: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """How often (or with what weight) each label (row) was predicted as each class (column)."""

@overload
def conj(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The complex conjugate; real tensors are returned as they are."""
@overload
def conj(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def cos(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The cosine of x."""
@overload
def cos(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def cosh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The hyperbolic cosine of x."""
@overload
def cosh(x: CompositeT, name: str | None = None) -> CompositeT: ...

def count_nonzero(
    input: TensorLike, axis: TensorLike | None = None, keepdims: bool | None = None,
    dtype: DTypeLike = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """How many elements over `axis` are not zero (not empty, for strings)."""

def cumprod(
    x: TensorLike, axis: TensorLike = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Running product along `axis`. As in TensorFlow its gradient is 0 at elements that …"""

@overload
def cumsum(
    x: DenseLike, axis: TensorLike = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Running sum along `axis`: [a, b, c] gives [a, a + b, a + b + c]."""
@overload
def cumsum(
    x: CompositeT, axis: TensorLike = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> CompositeT: ...

def cumulative_logsumexp(
    x: TensorLike, axis: TensorLike = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Running log(sum(exp(x))) along `axis`, without overflow."""

@overload
def digamma(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The derivative of lgamma."""
@overload
def digamma(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def divide(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y as Python 3 divides: integers give a floating result."""
@overload
def divide(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y, and 0 where y is 0."""

@overload
def equal(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x == y, elementwise."""
@overload
def equal(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def erf(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The error function of x."""
@overload
def erf(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def erfc(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """1 - erf(x)."""
@overload
def erfc(x: CompositeT, name: str | None = None) -> CompositeT: ...

def erfcinv(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The inverse of erfc."""

@overload
def erfinv(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of erf."""
@overload
def erfinv(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def exp(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """e to the power x."""
@overload
def exp(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def expm1(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """exp(x) - 1, exact also for small x."""
@overload
def expm1(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def floor(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The largest whole number not above x."""
@overload
def floor(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def floordiv(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y rounded down, elementwise. Integers divided by zero are an error."""
@overload
def floordiv(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def floormod(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The remainder of x / y, with the sign of y."""
@overload
def floormod(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def greater(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x > y, elementwise."""
@overload
def greater(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def greater_equal(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x >= y, elementwise."""
@overload
def greater_equal(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def igamma(a: DenseLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The lower regularised incomplete gamma function P(a, x)."""
@overload
def igamma(a: CompositeT, x: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def igammac(a: DenseLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The upper regularised incomplete gamma function, 1 - P(a, x)."""
@overload
def igammac(a: CompositeT, x: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def imag(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """The imaginary part; zeros for real tensors."""
@overload
def imag(input: CompositeT, name: str | None = None) -> CompositeT: ...

def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: Any, name: str | None = None,
) -> tf.Tensor:
    """Whether each target is among the k classes with the highest predictions, ties …"""

def invert_permutation(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The permutation that undoes x."""

@overload
def is_finite(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """True where x is neither infinite nor NaN."""
@overload
def is_finite(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def is_inf(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """True where x is infinite."""
@overload
def is_inf(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def is_nan(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """True where x is NaN."""
@overload
def is_nan(x: CompositeT, name: str | None = None) -> CompositeT: ...

def is_non_decreasing(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """Whether the elements never fall, in row-major order; True for fewer than two."""

def is_strictly_increasing(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """Whether the elements always rise, in row-major order; True for fewer than two."""

def lbeta(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """log |Beta(x)|, with x reduced along its last axis."""

@overload
def less(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x < y, elementwise."""
@overload
def less(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def less_equal(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x <= y, elementwise."""
@overload
def less_equal(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def lgamma(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The logarithm of |gamma(x)|."""
@overload
def lgamma(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def log(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The natural logarithm of x."""
@overload
def log(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def log1p(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """log(1 + x), exact also for small x."""
@overload
def log1p(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def log_sigmoid(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """log(sigmoid(x)), elementwise."""
@overload
def log_sigmoid(x: CompositeT, name: str | None = None) -> CompositeT: ...

def log_softmax(
    logits: TensorLike, axis: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """The logarithm of softmax, exact also where softmax is 0."""

def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """True where both x and y are."""

def logical_not(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """True where x is False."""

def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """True where x or y is."""

def logical_xor(
    x: TensorLike, y: TensorLike, name: str | None = 'LogicalXor',
) -> tf.Tensor:
    """True where exactly one of x and y is."""

@overload
def maximum(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The larger of x and y, elementwise."""
@overload
def maximum(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def minimum(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The smaller of x and y, elementwise."""
@overload
def minimum(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def multiply(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x * y, elementwise."""
@overload
def multiply(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x * y, and 0 where y is 0, even if x is infinite or NaN."""

@overload
def ndtri(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The inverse of the normal distribution function."""
@overload
def ndtri(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def negative(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """-x, elementwise."""
@overload
def negative(x: CompositeT, name: str | None = None) -> CompositeT: ...

def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> tf.Tensor:
    """The next number that can be represented after x1 in the direction of x2."""

@overload
def not_equal(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x != y, elementwise."""
@overload
def not_equal(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def polygamma(a: DenseLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The a-th derivative of digamma at x."""
@overload
def polygamma(a: CompositeT, x: TensorLike, name: str | None = None) -> CompositeT: ...

def polyval(coeffs: Any, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """The polynomial with these coefficients, highest power first, at x (Horner's rule)."""

@overload
def pow(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x to the power y, elementwise."""
@overload
def pow(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def real(input: DenseLike, name: str | None = None) -> tf.Tensor:
    """The real part; real tensors are returned as they are."""
@overload
def real(input: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def reciprocal(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """1 / x, elementwise."""
@overload
def reciprocal(x: CompositeT, name: str | None = None) -> CompositeT: ...

def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> tf.Tensor:
    """1 / x, and 0 where x is 0."""

def reduce_all(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Whether all elements over `axis` are true."""

def reduce_any(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """Whether any element over `axis` is true."""

def reduce_euclidean_norm(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The square root of the sum of squares over `axis`; its gradient at 0 is NaN."""

def reduce_logsumexp(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """log(sum(exp(x))) over `axis`, without overflow."""

def reduce_max(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The largest element over `axis`; equal ones share the gradient, NaN wins."""

def reduce_mean(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The mean of the elements over `axis`; of integers it truncates toward zero."""

def reduce_min(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The smallest element over `axis`; equal ones share the gradient, NaN wins."""

def reduce_prod(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The product of the elements over `axis`; its gradient is exact with zeros among them."""

def reduce_std(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The square root of the variance over `axis`; its gradient at equal elements is NaN."""

def reduce_sum(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The sum of the elements over `axis` (a number, several, or None for all)."""

def reduce_variance(
    input_tensor: TensorLike, axis: TensorLike | None = None, keepdims: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """The mean squared distance from the mean, over `axis`."""

@overload
def rint(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The nearest whole number, halves to the even one."""
@overload
def rint(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def round(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The nearest whole number, halves to the even one; integers are returned as they are."""
@overload
def round(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def rsqrt(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """1 / sqrt(x), elementwise."""
@overload
def rsqrt(x: CompositeT, name: str | None = None) -> CompositeT: ...

def scalar_mul(scalar: Any, x: TensorLike, name: str | None = None) -> Any:
    """`scalar` times a tensor or IndexedSlices, which stay slices."""

def segment_max(
    data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The largest of each segment, 0 if missing; ids sorted."""

def segment_mean(
    data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Means of the rows of each segment; ids must be sorted."""

def segment_min(
    data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The smallest of each segment, 0 if missing; ids sorted."""

def segment_prod(
    data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Products of the rows of each segment; ids must be sorted."""

def segment_sum(
    data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """Sums of the rows of each segment; ids must be sorted."""

@overload
def sigmoid(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """1 / (1 + exp(-x)), elementwise."""
@overload
def sigmoid(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def sign(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """-1, 0 or 1, the sign of x; of a complex number z, z / |z|."""
@overload
def sign(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def sin(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The sine of x."""
@overload
def sin(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def sinh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The hyperbolic sine of x."""
@overload
def sinh(x: CompositeT, name: str | None = None) -> CompositeT: ...

def sobol_sample(
    dim: Any, num_results: Any, skip: Any = 0, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """Points of the Sobol sequence: they fill the unit cube evenly."""

def softmax(
    logits: TensorLike, axis: TensorLike | None = None, name: str | None = None,
) -> tf.Tensor:
    """exp(logits), divided by its sum along `axis` (the last unless given)."""

@overload
def softplus(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """log(1 + exp(x)), elementwise."""
@overload
def softplus(features: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def softsign(features: DenseLike, name: str | None = None) -> tf.Tensor:
    """x / (1 + |x|), elementwise."""
@overload
def softsign(features: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def sqrt(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The square root of x."""
@overload
def sqrt(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def square(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """x², elementwise."""
@overload
def square(x: CompositeT, name: str | None = None) -> CompositeT: ...

def squared_difference(
    x: TensorLike, y: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """The squared difference (x - y)², elementwise; |x - y|² of complex tensors."""

@overload
def subtract(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x - y, elementwise."""
@overload
def subtract(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def tan(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The tangent of x."""
@overload
def tan(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def tanh(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """The hyperbolic tangent of x."""
@overload
def tanh(x: CompositeT, name: str | None = None) -> CompositeT: ...

def top_k(
    input: TensorLike, k: Any = 1, sorted: bool = True, index_type: Any = tf.int32,
    name: str | None = None,
) -> TopKV2:
    """The k largest elements along the last axis, largest first, and their indices."""

def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y as Python 3 divides: integers give a floating result."""

def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """The largest of each segment, the lowest number if missing."""

def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """Means of the rows of each segment, 0 if missing; of integers in floating point."""

def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """The smallest of each segment, the highest if missing."""

def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """Products of the rows of each segment, 1 if missing."""

def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """Sums of the rows of each segment, over the square root of their number; 0 if missing."""

def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None,
) -> tf.Tensor:
    """Sums of the rows of each segment; negative ids are dropped."""

@overload
def xdivy(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x / y, and 0 where x is 0, whatever y is."""
@overload
def xdivy(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def xlog1py(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x log(1 + y), and 0 where x is 0, whatever y is."""
@overload
def xlog1py(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def xlogy(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """x log(y), and 0 where x is 0, whatever y is."""
@overload
def xlogy(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

def zero_fraction(value: TensorLike, name: str | None = None) -> tf.Tensor:
    """The share of elements that are 0, as float32."""

@overload
def zeta(x: DenseLike, q: Any, name: str | None = None) -> tf.Tensor:
    """The Hurwitz zeta function: the sum of (q + n)^-x over n = 0, 1, 2 …"""
@overload
def zeta(x: CompositeT, q: Any, name: str | None = None) -> CompositeT: ...

mod = floormod
