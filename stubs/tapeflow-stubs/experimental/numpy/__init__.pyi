# Written by tools/stubs.py (make stubs).
"""tf.experimental.numpy"""

import numpy as np
from typing import Any

from tapeflow import Tensor as _Tensor
from tapeflow._typing import DTypeLike, FloatLike, IntLike, ShapeLike, TensorLike
from tapeflow.experimental.numpy import random as random

e: float
inf: float
newaxis: None
pi: float

def abs(x: TensorLike) -> Any:
    """The absolute value, element by element."""

def add(x1: TensorLike, x2: TensorLike) -> Any:
    """The sum; of bools, `or`."""

def all(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """Whether all elements are true."""

def allclose(
    a: TensorLike, b: TensorLike, rtol: FloatLike = 1e-05, atol: FloatLike = 1e-08,
    equal_nan: bool = False,
) -> Any:
    """Whether all elements are close, as in `isclose`."""

def amax(
    a: TensorLike, axis: TensorLike | None = None, out: Any = None, keepdims: Any = None,
) -> Any:
    """The largest element over axes."""

def amin(
    a: TensorLike, axis: TensorLike | None = None, out: Any = None, keepdims: Any = None,
) -> Any:
    """The smallest element over axes."""

def angle(z: TensorLike, deg: bool = False) -> Any:
    """The angle of a complex number; of a real one, 0 or pi."""

def any(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """Whether an element is true."""

def append(arr: Any, values: TensorLike, axis: IntLike | None = None) -> Any:
    """Values after an array; without an axis both are flattened."""

def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: DTypeLike | None = None,
) -> Any:
    """Numbers from start to stop, without it, by step."""

def arccos(x: TensorLike) -> Any:
    """NumPy's `arccos` of an array, element by element."""

def arccosh(x: TensorLike) -> Any:
    """NumPy's `arccosh` of an array, element by element."""

def arcsin(x: TensorLike) -> Any:
    """NumPy's `arcsin` of an array, element by element."""

def arcsinh(x: TensorLike) -> Any:
    """NumPy's `arcsinh` of an array, element by element."""

def arctan(x: TensorLike) -> Any:
    """NumPy's `arctan` of an array, element by element."""

def arctan2(x1: TensorLike, x2: TensorLike) -> Any:
    """The angle of the point (x2, x1)."""

def arctanh(x: TensorLike) -> Any:
    """NumPy's `arctanh` of an array, element by element."""

def argmax(a: TensorLike, axis: IntLike | None = None) -> Any:
    """The index of the largest element."""

def argmin(a: TensorLike, axis: IntLike | None = None) -> Any:
    """The index of the smallest element."""

def argsort(
    a: TensorLike, axis: IntLike | None = -1, kind: str = 'quicksort', order: Any = None,
) -> Any:
    """The indices that sort the array along an axis."""

def around(a: TensorLike, decimals: IntLike = 0) -> Any:
    """Rounded to a number of decimals, halves to even."""

def array(
    val: Any, dtype: DTypeLike | None = None, copy: bool = True, ndmin: IntLike = 0,
) -> Any:
    """A Tensor of the value, with NumPy's idea of its dtype."""

def array_equal(a1: Any, a2: Any) -> Any:
    """Whether shapes and all elements are equal."""

def asanyarray(a: TensorLike, dtype: DTypeLike | None = None) -> Any:
    """The value as a Tensor; itself if it is one of that dtype."""

def ascontiguousarray(a: TensorLike, dtype: DTypeLike | None = None) -> Any:
    """The value as a Tensor of one axis at least."""

def atleast_1d(*arys: Any) -> Any:
    """Arrays with one axis at least."""

def atleast_2d(*arys: Any) -> Any:
    """Arrays with two axes at least; new ones come first."""

def atleast_3d(*arys: Any) -> Any:
    """Arrays with three axes at least: a vector in the middle, a matrix in front."""

def average(
    a: TensorLike, axis: IntLike | None = None, weights: TensorLike | None = None,
    returned: bool = False,
) -> Any:
    """The mean, with weights if given; `returned` adds the sum of the weights."""

def bitwise_and(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `bitwise_and`."""

def bitwise_not(x: TensorLike) -> Any:
    """The bits inverted; of bools, their negation."""

def bitwise_or(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `bitwise_or`."""

def bitwise_xor(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `bitwise_xor`."""

def broadcast_arrays(*args: Any, **kwargs: Any) -> list:
    """Arrays broadcast to one shape."""

def broadcast_to(array: Any, shape: ShapeLike) -> Any:
    """An array repeated to a shape as arithmetic would."""

def cbrt(x: TensorLike) -> Any:
    """The real cube root."""

def ceil(x: TensorLike) -> Any:
    """NumPy's `ceil` of an array, element by element."""

def clip(a: TensorLike, a_min: Any, a_max: Any) -> Any:
    """The array limited to [a_min, a_max]; one limit may be None."""

def compress(condition: TensorLike, a: TensorLike, axis: IntLike | None = None) -> Any:
    """The slices along an axis for which the condition holds."""

def concatenate(arys: Any, axis: IntLike = 0) -> Any:
    """Arrays joined along an axis."""

def conj(x: TensorLike) -> Any:
    """NumPy's `conj` of an array, element by element."""

def conjugate(x: TensorLike) -> Any:
    """NumPy's `conjugate` of an array, element by element."""

def copy(a: TensorLike) -> Any:
    """A new Tensor of the same value."""

def cos(x: TensorLike) -> Any:
    """NumPy's `cos` of an array, element by element."""

def cosh(x: TensorLike) -> Any:
    """NumPy's `cosh` of an array, element by element."""

def count_nonzero(a: TensorLike, axis: TensorLike | None = None) -> Any:
    """How many elements are not zero."""

def cross(
    a: TensorLike, b: TensorLike, axisa: IntLike = -1, axisb: IntLike = -1, axisc: IntLike = -1,
    axis: IntLike | None = None,
) -> Any:
    """The cross product of vectors of 2 or 3 elements."""

def cumprod(
    a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None,
) -> Any:
    """Running products along an axis, or of all elements."""

def cumsum(
    a: TensorLike, axis: IntLike | None = None, dtype: DTypeLike | None = None,
) -> Any:
    """Running sums along an axis, or of all elements."""

def deg2rad(x: TensorLike) -> Any:
    """Degrees as radians."""

def diag(v: TensorLike, k: IntLike = 0) -> Any:
    """A matrix with the vector on its k-th diagonal, or a matrix's k-th diagonal."""

def diag_indices(n: IntLike, ndim: IntLike = 2) -> tuple:
    """Indices of the diagonal of an array of `ndim` axes of size n."""

def diagflat(v: TensorLike, k: IntLike = 0) -> Any:
    """A matrix with all elements on its k-th diagonal."""

def diagonal(
    a: TensorLike, offset: IntLike = 0, axis1: IntLike = 0, axis2: IntLike = 1,
) -> Any:
    """The diagonal over two axes, last."""

def diff(a: TensorLike, n: IntLike = 1, axis: IntLike = -1) -> Any:
    """The n-th difference of neighbours along an axis."""

def divide(x1: TensorLike, x2: TensorLike) -> Any:
    """The quotient, of integers as floats."""

def divmod(x1: TensorLike, x2: TensorLike) -> tuple:
    """`floor_divide` and `mod`."""

def dot(a: TensorLike, b: TensorLike) -> Any:
    """The sum over the last axis of a and the last but one of b."""

def dsplit(ary: Any, indices_or_sections: Any) -> list:
    """`split` along axis 2."""

def dstack(tup: Any) -> Any:
    """Arrays joined along the third axis."""

def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Any:
    """Sums of products by an equation; `casting` is "safe" or "no"."""

def empty(shape: ShapeLike, dtype: DTypeLike = ...) -> Any:
    """Zeros of a shape."""

def empty_like(a: TensorLike, dtype: DTypeLike | None = None) -> Any:
    """Zeros like an array."""

def equal(x1: TensorLike, x2: TensorLike) -> Any:
    """x == y, elementwise."""

def exp(x: TensorLike) -> Any:
    """NumPy's `exp` of an array, element by element."""

def exp2(x: TensorLike) -> Any:
    """2 to the power x."""

def expand_dims(a: TensorLike, axis: TensorLike) -> Any:
    """A new axis of size 1."""

def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = 'legacy',
) -> None:
    """Give Tensors NumPy's methods, promotion of dtypes in operators, and indexing."""

def expm1(x: TensorLike) -> Any:
    """NumPy's `expm1` of an array, element by element."""

def eye(
    N: IntLike, M: IntLike | None = None, k: IntLike = 0, dtype: DTypeLike = ...,
) -> Any:
    """Ones on the k-th diagonal of an N by M matrix."""

def finfo(dtype: DTypeLike) -> Any:
    """NumPy's finfo of a dtype of NumPy, Python or TensorFlow."""

def fix(x: TensorLike) -> Any:
    """Rounded towards zero."""

def flatten(a: TensorLike, order: str = 'C') -> Any:
    """All elements in one axis, by rows ('C', 'A', 'K') or by columns ('F')."""

def flip(m: Any, axis: IntLike | None = None) -> Any:
    """The order of elements reversed, along one axis or all."""

def fliplr(m: Any) -> Any:
    """Reversed along the second axis."""

def flipud(m: Any) -> Any:
    """Reversed along the first axis."""

def float_power(x1: TensorLike, x2: TensorLike) -> Any:
    """x1 to the power x2."""

def floor(x: TensorLike) -> Any:
    """NumPy's `floor` of an array, element by element."""

def floor_divide(x1: TensorLike, x2: TensorLike) -> Any:
    """The quotient rounded down."""

def full(shape: ShapeLike, fill_value: Any, dtype: DTypeLike | None = None) -> Any:
    """An array of a shape, filled with a value that broadcasts to it."""

def full_like(
    a: TensorLike, fill_value: Any, dtype: DTypeLike | None = None, order: str = 'K',
    subok: bool = True, shape: ShapeLike = None,
) -> Any:
    """An array like `a`, filled with a value; `order`, `subok` and `shape` must be the …"""

def gcd(x1: TensorLike, x2: TensorLike) -> Any:
    """The greatest common divisor."""

def geomspace(
    start: Any, stop: Any, num: IntLike = 50, endpoint: bool = True,
    dtype: DTypeLike | None = None, axis: IntLike = 0,
) -> Any:
    """`num` numbers from start to stop, each the same multiple of the one before."""

def greater(x1: TensorLike, x2: TensorLike) -> Any:
    """x > y, elementwise."""

def greater_equal(x1: TensorLike, x2: TensorLike) -> Any:
    """x >= y, elementwise."""

def heaviside(x1: TensorLike, x2: TensorLike) -> Any:
    """0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0."""

def hsplit(ary: Any, indices_or_sections: Any) -> list:
    """`split` along axis 1."""

def hstack(tup: Any) -> Any:
    """Arrays joined along the second axis, vectors along the first."""

def hypot(x1: TensorLike, x2: TensorLike) -> Any:
    """sqrt(x1² + x2²)."""

def identity(n: IntLike, dtype: DTypeLike = ...) -> Any:
    """The identity matrix."""

def imag(val: Any) -> Any:
    """The imaginary part."""

def inner(a: TensorLike, b: TensorLike) -> Any:
    """The sum over the last axes."""

def isclose(
    a: TensorLike, b: TensorLike, rtol: FloatLike = 1e-05, atol: FloatLike = 1e-08,
    equal_nan: bool = False,
) -> Any:
    """Whether |a - b| <= atol + rtol |b|."""

def iscomplex(x: TensorLike) -> Any:
    """Whether the imaginary part is not 0."""

def iscomplexobj(x: TensorLike) -> bool:
    """Whether the dtype is complex."""

def isfinite(x: TensorLike) -> Any:
    """NumPy's `isfinite` of an array, element by element."""

def isinf(x: TensorLike) -> Any:
    """Whether the element is infinite; False for arrays that are no floats."""

def isnan(x: TensorLike) -> Any:
    """NumPy's `isnan` of an array, element by element."""

def isneginf(x: TensorLike) -> Any:
    """Whether the element is -inf; False for arrays that are no floats."""

def isposinf(x: TensorLike) -> Any:
    """Whether the element is inf; False for arrays that are no floats."""

def isreal(x: TensorLike) -> Any:
    """Whether the imaginary part is 0."""

def isrealobj(x: TensorLike) -> bool:
    """Whether the dtype is not complex."""

def isscalar(num: Any) -> bool:
    """Whether there are no axes."""

def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Returns True if first argument is a typecode lower/equal in type hierarchy."""

def ix_(*args: Any) -> list:
    """Index arrays that select rows, columns and so on."""

def kron(a: TensorLike, b: TensorLike) -> Any:
    """The Kronecker product."""

def lcm(x1: TensorLike, x2: TensorLike) -> Any:
    """The least common multiple."""

def less(x1: TensorLike, x2: TensorLike) -> Any:
    """x < y, elementwise."""

def less_equal(x1: TensorLike, x2: TensorLike) -> Any:
    """x <= y, elementwise."""

def linspace(
    start: Any, stop: Any, num: IntLike = 50, endpoint: bool = True, retstep: bool = False,
    dtype: DTypeLike = ..., axis: IntLike = 0,
) -> Any:
    """`num` numbers from start to stop; their dtype is that of the ends, as in NumPy 2."""

def log(x: TensorLike) -> Any:
    """NumPy's `log` of an array, element by element."""

def log10(x: TensorLike) -> Any:
    """The logarithm to base 10."""

def log1p(x: TensorLike) -> Any:
    """NumPy's `log1p` of an array, element by element."""

def log2(x: TensorLike) -> Any:
    """The logarithm to base 2."""

def logaddexp(x1: TensorLike, x2: TensorLike) -> Any:
    """log(exp(x1) + exp(x2))."""

def logaddexp2(x1: TensorLike, x2: TensorLike) -> Any:
    """log2(2**x1 + 2**x2)."""

def logical_and(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `logical_and`, element by element."""

def logical_not(x: TensorLike) -> Any:
    """Whether the element is zero."""

def logical_or(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `logical_or`, element by element."""

def logical_xor(x1: TensorLike, x2: TensorLike) -> Any:
    """NumPy's `logical_xor`, element by element."""

def logspace(
    start: Any, stop: Any, num: IntLike = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: DTypeLike | None = None, axis: IntLike = 0,
) -> Any:
    """`num` numbers from base**start to base**stop, evenly on a logarithmic scale."""

def matmul(x1: TensorLike, x2: TensorLike) -> Any:
    """The matrix product, with batches in front and vectors as NumPy takes them."""

def max(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """The largest element over axes."""

def maximum(x1: TensorLike, x2: TensorLike) -> Any:
    """The larger of both; NaN if one is."""

def mean(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    out: Any = None, keepdims: Any = None,
) -> Any:
    """The mean over axes, of integers as floats."""

def meshgrid(*xi: Any, **kwargs: Any) -> list:
    """Coordinate arrays; only copy=True and sparse=False."""

def min(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """The smallest element over axes."""

def minimum(x1: TensorLike, x2: TensorLike) -> Any:
    """The smaller of both; NaN if one is."""

def mod(x1: TensorLike, x2: TensorLike) -> Any:
    """What `floor_divide` leaves."""

def moveaxis(a: TensorLike, source: Any, destination: Any) -> Any:
    """Axes moved to other positions, the others in their order."""

def multiply(x1: TensorLike, x2: TensorLike) -> Any:
    """The product; of bools, `and`."""

def nanmean(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    keepdims: Any = None,
) -> Any:
    """The mean over axes of what is not NaN."""

def nanprod(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Any:
    """The product over axes, NaN counted as 1."""

def nansum(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Any:
    """The sum over axes, NaN counted as 0."""

def ndim(a: TensorLike) -> Any:
    """The number of axes."""

def negative(x: TensorLike) -> Any:
    """NumPy's `negative` of an array, element by element."""

def nextafter(x1: TensorLike, x2: TensorLike) -> Any:
    """The next number after x1 on the way to x2."""

def nonzero(a: TensorLike) -> list:
    """Indices of the elements that are not zero: one array an axis."""

def not_equal(x1: TensorLike, x2: TensorLike) -> Any:
    """x != y, elementwise."""

def ones(shape: ShapeLike, dtype: DTypeLike = ...) -> Any:
    """Ones of a shape."""

def ones_like(a: TensorLike, dtype: DTypeLike | None = None) -> Any:
    """Ones like an array."""

def outer(a: TensorLike, b: TensorLike) -> Any:
    """All products of an element of a and one of b."""

def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Any:
    """An array with a border; mode is 'constant', 'reflect' or 'symmetric'."""

def polyval(p: Any, x: TensorLike) -> Any:
    """The polynomial with coefficients p, the highest first, at x."""

def positive(x: TensorLike) -> Any:
    """The array itself."""

def prod(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    keepdims: Any = None,
) -> Any:
    """The product over axes."""

def promote_types(type1: Any, type2: Any) -> np.dtype:
    """The smallest NumPy dtype that both can be cast to."""

def ptp(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """Largest minus smallest element."""

def rad2deg(x: TensorLike) -> Any:
    """Radians as degrees."""

def ravel(a: TensorLike) -> Any:
    """All elements in one axis."""

def real(val: Any) -> Any:
    """The real part."""

def reciprocal(x: TensorLike) -> Any:
    """NumPy's `reciprocal` of an array, element by element."""

def repeat(a: TensorLike, repeats: Any, axis: IntLike | None = None) -> Any:
    """Elements repeated, one after the other."""

def reshape(a: TensorLike, newshape: Any, order: str = 'C') -> Any:
    """The elements in another shape; order 'C' or 'F'."""

def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that NumPy's promotion gives for arrays, scalars and dtypes."""

def roll(a: TensorLike, shift: Any, axis: TensorLike | None = None) -> Any:
    """Elements shifted, what falls off comes back at the other end."""

def rot90(m: Any, k: IntLike = 1, axes: tuple = ...) -> Any:
    """Turned by 90 degrees k times in the plane of two axes."""

def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The first choice whose condition holds, element by element."""

def shape(a: TensorLike) -> Any:
    """The shape of an array."""

def sign(x: TensorLike, out: Any = None, where: Any = None, **kwargs: Any) -> Any:
    """-1, 0 or 1; of a complex number z, z / |z|."""

def signbit(x: TensorLike) -> Any:
    """Whether x < 0, element by element."""

def sin(x: TensorLike) -> Any:
    """NumPy's `sin` of an array, element by element."""

def sinc(x: TensorLike) -> Any:
    """sin(pi x) / (pi x), and 1 at 0."""

def sinh(x: TensorLike) -> Any:
    """NumPy's `sinh` of an array, element by element."""

def size(x: TensorLike, axis: TensorLike | None = None) -> Any:
    """The number of elements."""

def sort(
    a: TensorLike, axis: IntLike | None = -1, kind: str = 'quicksort', order: Any = None,
) -> Any:
    """The elements in rising order along an axis; None: of all."""

def split(ary: Any, indices_or_sections: Any, axis: IntLike = 0) -> list:
    """Parts of one size, or parts between indices."""

def sqrt(x: TensorLike) -> Any:
    """NumPy's `sqrt` of an array, element by element."""

def square(x: TensorLike) -> Any:
    """NumPy's `square` of an array, element by element."""

def squeeze(a: TensorLike, axis: TensorLike | None = None) -> Any:
    """Axes of size 1 taken away."""

def stack(arrays: Any, axis: IntLike = 0) -> Any:
    """Arrays joined along a new axis."""

def std(a: TensorLike, axis: TensorLike | None = None, keepdims: Any = None) -> Any:
    """The standard deviation over axes."""

def subtract(x1: TensorLike, x2: TensorLike) -> Any:
    """The difference."""

def sum(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    keepdims: Any = None,
) -> Any:
    """The sum over axes; short integers are summed as long ones."""

def swapaxes(a: TensorLike, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged."""

def take(
    a: TensorLike, indices: TensorLike, axis: IntLike | None = None, out: Any = None,
    mode: str = 'clip',
) -> Any:
    """Slices by index; mode 'clip' (the default) or 'wrap' for indices outside."""

def take_along_axis(arr: Any, indices: TensorLike, axis: IntLike | None) -> Any:
    """Elements by index along one axis, for each index of the others."""

def tan(x: TensorLike) -> Any:
    """NumPy's `tan` of an array, element by element."""

def tanh(x: TensorLike) -> Any:
    """NumPy's `tanh` of an array, element by element."""

def tensordot(a: TensorLike, b: TensorLike, axes: TensorLike = 2) -> Any:
    """The sum over the axes named, of a and of b."""

def tile(a: TensorLike, reps: Any) -> Any:
    """The whole array repeated."""

def trace(
    a: TensorLike, offset: IntLike = 0, axis1: IntLike = 0, axis2: IntLike = 1,
    dtype: DTypeLike | None = None,
) -> Any:
    """The sum of a diagonal."""

def transpose(a: TensorLike, axes: TensorLike | None = None) -> Any:
    """Axes in another order; reversed if none is given."""

def tri(
    N: IntLike, M: IntLike | None = None, k: IntLike = 0, dtype: DTypeLike | None = None,
) -> Any:
    """Ones at and below the k-th diagonal."""

def tril(m: Any, k: IntLike = 0) -> Any:
    """The lower triangle: zeros above the k-th diagonal."""

def triu(m: Any, k: IntLike = 0) -> Any:
    """The upper triangle: zeros below the k-th diagonal."""

def vander(x: TensorLike, N: IntLike | None = None, increasing: bool = False) -> Any:
    """Powers of the elements, in columns."""

def var(
    a: TensorLike, axis: TensorLike | None = None, dtype: DTypeLike | None = None,
    out: Any = None, ddof: IntLike = 0, keepdims: Any = None,
) -> Any:
    """The variance over axes; `ddof` is taken off the count."""

def vdot(a: TensorLike, b: TensorLike) -> Any:
    """The dot product of both flattened, the first conjugated."""

def vsplit(ary: Any, indices_or_sections: Any) -> list:
    """`split` along axis 0."""

def vstack(tup: Any) -> Any:
    """Arrays joined along the first axis, vectors as rows."""

def where(
    condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None,
) -> Any:
    """x where the condition holds, y elsewhere; with the condition alone, `nonzero`."""

absolute = abs
asarray = asanyarray
bool_ = np.bool
complex128 = np.complex128
complex64 = np.complex64
complex_ = np.complex128
fabs = abs
float16 = np.float16
float32 = np.float32
float64 = np.float64
float_ = np.float64
iinfo = np.iinfo
inexact = np.inexact
int16 = np.int16
int32 = np.int32
int64 = np.int64
int8 = np.int8
int_ = np.int64
ndarray = _Tensor
object_ = np.object_
power = float_power
remainder = mod
round = around
string_ = np.bytes_
true_divide = divide
uint16 = np.uint16
uint32 = np.uint32
uint64 = np.uint64
uint8 = np.uint8
unicode_ = np.str_
zeros = empty
zeros_like = empty_like
