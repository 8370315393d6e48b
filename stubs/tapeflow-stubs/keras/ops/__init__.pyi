# Written by tools/stubs.py (make stubs).
"""tf.keras.ops"""

from typing import Any

from tapeflow.keras.ops import image as image, linalg as linalg, nn as nn, numpy as numpy

def abs(x: Any) -> Any:
    """Shorthand for `keras.ops.absolute`."""

def absolute(x: Any) -> Any:
    """Compute the absolute value element-wise."""

def adaptive_average_pool(
    inputs: Any, output_size: Any, data_format: Any = None,
) -> Any:
    """Adaptive average pooling operation."""

def adaptive_max_pool(inputs: Any, output_size: Any, data_format: Any = None) -> Any:
    """Adaptive max pooling operation."""

def add(x1: Any, x2: Any) -> Any:
    """Add arguments element-wise."""

def all(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Test whether all array elements along a given axis evaluate to `True`."""

def allclose(
    x1: Any, x2: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False,
) -> Any:
    """Returns True if two arrays are element-wise equal within a tolerance."""

def amax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the maximum of an array or maximum value along an axis."""

def amin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the minimum of an array or minimum value along an axis."""

def angle(x: Any) -> Any:
    """Element-wise angle of a complex tensor."""

def any(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Test whether any array element along a given axis evaluates to `True`."""

def append(x1: Any, x2: Any, axis: Any = None) -> Any:
    """Append tensor `x2` to the end of tensor `x1`."""

def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Return evenly spaced values within a given interval."""

def arccos(x: Any) -> Any:
    """Trigonometric inverse cosine, element-wise."""

def arccosh(x: Any) -> Any:
    """Inverse hyperbolic cosine, element-wise."""

def arcsin(x: Any) -> Any:
    """Inverse sine, element-wise."""

def arcsinh(x: Any) -> Any:
    """Inverse hyperbolic sine, element-wise."""

def arctan(x: Any) -> Any:
    """Trigonometric inverse tangent, element-wise."""

def arctan2(x1: Any, x2: Any) -> Any:
    """Element-wise arc tangent of `x1/x2` choosing the quadrant correctly."""

def arctanh(x: Any) -> Any:
    """Inverse hyperbolic tangent, element-wise."""

def argmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the indices of the maximum values along an axis."""

def argmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the indices of the minimum values along an axis."""

def argpartition(x: Any, kth: Any, axis: Any = -1) -> Any:
    """Performs an indirect partition along the given axis."""

def argsort(x: Any, axis: Any = -1) -> Any:
    """Returns the indices that would sort a tensor."""

def array(x: Any, dtype: Any = None) -> Any:
    """Create a tensor."""

def array_split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Splits an array into multiple sub-arrays (unevenly)."""

def associative_scan(f: Any, elems: Any, reverse: Any = False, axis: Any = 0) -> Any:
    """Performs a scan with an associative binary operation, in parallel."""

def average(x: Any, axis: Any = None, weights: Any = None) -> Any:
    """Compute the weighted average along the specified axis."""

def average_pool(
    inputs: Any, pool_size: Any, strides: Any = None, padding: Any = 'valid',
    data_format: Any = None,
) -> Any:
    """Average pooling operation."""

def bartlett(x: Any) -> Any:
    """Bartlett window function."""

def batch_normalization(
    x: Any, mean: Any, variance: Any, axis: Any, offset: Any = None, scale: Any = None,
    epsilon: Any = 0.001,
) -> Any:
    """Normalizes `x` by `mean` and `variance`."""

def binary_crossentropy(target: Any, output: Any, from_logits: Any = False) -> Any:
    """Computes binary cross-entropy loss between target and output tensor."""

def bincount(
    x: Any, weights: Any = None, minlength: Any = 0, sparse: Any = False,
) -> Any:
    """Count the number of occurrences of each value in a tensor of integers."""

def bitwise_and(x: Any, y: Any) -> Any:
    """Compute the bit-wise AND of two arrays element-wise."""

def bitwise_invert(x: Any) -> Any:
    """Compute bit-wise inversion, or bit-wise NOT, element-wise."""

def bitwise_left_shift(x: Any, y: Any) -> Any:
    """Shift the bits of an integer to the left."""

def bitwise_not(x: Any) -> Any:
    """Compute bit-wise inversion, or bit-wise NOT, element-wise."""

def bitwise_or(x: Any, y: Any) -> Any:
    """Compute the bit-wise OR of two arrays element-wise."""

def bitwise_right_shift(x: Any, y: Any) -> Any:
    """Shift the bits of an integer to the right."""

def bitwise_xor(x: Any, y: Any) -> Any:
    """Compute the bit-wise XOR of two arrays element-wise."""

def blackman(x: Any) -> Any:
    """Blackman window function."""

def broadcast_to(x: Any, shape: Any) -> Any:
    """Broadcast a tensor to a new shape."""

def cast(x: Any, dtype: Any) -> Any:
    """Cast a tensor to the desired dtype."""

def categorical_crossentropy(
    target: Any, output: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """Computes categorical cross-entropy loss between target and output tensor."""

def cbrt(x: Any) -> Any:
    """Computes the cube root of the input tensor, element-wise."""

def cdist(x: Any, y: Any) -> Any:
    """Computes pairwise distances between two collections of vectors."""

def ceil(x: Any) -> Any:
    """Return the ceiling of the input, element-wise."""

def celu(x: Any, alpha: Any = 1.0) -> Any:
    """Continuously-differentiable exponential linear unit."""

def cholesky(x: Any, upper: Any = False) -> Any:
    """Computes the Cholesky decomposition of a positive semi-definite matrix."""

def cholesky_inverse(x: Any, upper: Any = False) -> Any:
    """Computes the inverse of a symmetric positive-definite matrix."""

def clip(x: Any, x_min: Any, x_max: Any) -> Any:
    """Clip (limit) the values in a tensor."""

def concatenate(xs: Any, axis: Any = 0) -> Any:
    """Join a sequence of tensors along an existing axis."""

def cond(pred: Any, true_fn: Any, false_fn: Any) -> Any:
    """Conditionally applies `true_fn` or `false_fn`."""

def conj(x: Any) -> Any:
    """Shorthand for `keras.ops.conjugate`."""

def conjugate(x: Any) -> Any:
    """Returns the complex conjugate, element-wise."""

def conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None,
    dilation_rate: Any = 1,
) -> Any:
    """General N-D convolution."""

def conv_transpose(
    inputs: Any, kernel: Any, strides: Any = 1, padding: Any = 'valid',
    output_padding: Any = None, data_format: Any = None, dilation_rate: Any = 1,
) -> Any:
    """General N-D convolution transpose."""

def convert_to_numpy(x: Any) -> Any:
    """Convert a tensor to a NumPy array."""

def convert_to_tensor(
    x: Any, dtype: Any = None, sparse: Any = None, ragged: Any = None,
) -> Any:
    """Convert a NumPy array or Python array to a tensor."""

def copy(x: Any) -> Any:
    """Returns a copy of `x`."""

def corrcoef(x: Any) -> Any:
    """Compute the Pearson correlation coefficient matrix."""

def correlate(x1: Any, x2: Any, mode: Any = 'valid') -> Any:
    """Compute the cross-correlation of two 1-dimensional tensors."""

def cos(x: Any) -> Any:
    """Cosine, element-wise."""

def cosh(x: Any) -> Any:
    """Hyperbolic cosine, element-wise."""

def count_nonzero(x: Any, axis: Any = None) -> Any:
    """Counts the number of non-zero values in `x` along the given `axis`."""

def cross(
    x1: Any, x2: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None,
) -> Any:
    """Returns the cross product of two (arrays of) vectors."""

def ctc_decode(
    inputs: Any, sequence_lengths: Any, strategy: Any = 'greedy', beam_width: Any = 100,
    top_paths: Any = 1, merge_repeated: Any = True, mask_index: Any = 0,
) -> Any:
    """Decodes the output of a CTC model."""

def ctc_loss(
    target: Any, output: Any, target_length: Any, output_length: Any, mask_index: Any = 0,
) -> Any:
    """CTC (Connectionist Temporal Classification) loss."""

def cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Return the cumulative product of elements along a given axis."""

def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Returns the cumulative sum of elements along a given axis."""

def custom_gradient(f: Any) -> Any:
    """Decorator to define a function with a custom gradient."""

def deg2rad(x: Any) -> Any:
    """Convert angles from degrees to radians."""

def depth_to_space(x: Any, block_size: Any, data_format: Any = 'channels_last') -> Any:
    """Rearranges data from depth into blocks of spatial data."""

def depthwise_conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: Any = 'valid', data_format: Any = None,
    dilation_rate: Any = 1,
) -> Any:
    """General N-D depthwise convolution."""

def det(x: Any) -> Any:
    """Computes the determinant of a square tensor."""

def diag(x: Any, k: Any = 0) -> Any:
    """Extract a diagonal or construct a diagonal array."""

def diagflat(x: Any, k: Any = 0) -> Any:
    """Create a two-dimensional array with the flattened input on"""

def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Return specified diagonals."""

def diff(a: Any, n: Any = 1, axis: Any = -1) -> Any:
    """Calculate the n-th discrete difference along the given axis."""

def digitize(x: Any, bins: Any) -> Any:
    """Returns the indices of the bins to which each value in `x` belongs."""

def divide(x1: Any, x2: Any) -> Any:
    """Divide arguments element-wise."""

def divide_no_nan(x1: Any, x2: Any) -> Any:
    """Safe element-wise division which returns 0 where the denominator is 0."""

def dot(x1: Any, x2: Any) -> Any:
    """Dot product of two tensors."""

def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, scale: Any = None,
    is_causal: Any = False, flash_attention: Any = None, attn_logits_soft_cap: Any = None,
) -> Any:
    """Scaled dot product attention function."""

def dsplit(x: Any, indices_or_sections: Any) -> Any:
    """Split an array into multiple sub-arrays depth-wise."""

def dstack(xs: Any) -> Any:
    """Stack tensors in sequence depth wise (along third axis)."""

def dtype(x: Any) -> Any:
    """Return the dtype of the tensor input as a standardized string."""

def eig(x: Any) -> Any:
    """Computes the eigenvalues and eigenvectors of a square matrix."""

def eigh(x: Any) -> Any:
    """Computes the eigenvalues and eigenvectors of a complex Hermitian."""

def einsum(subscripts: Any, *operands: Any, **kwargs: Any) -> Any:
    """Evaluates the Einstein summation convention on the operands."""

def elu(x: Any, alpha: Any = 1.0) -> Any:
    """Exponential Linear Unit activation function."""

def empty(shape: Any, dtype: Any = None) -> Any:
    """Return a tensor of given shape and type filled with uninitialized data."""

def empty_like(x: Any, dtype: Any = None) -> Any:
    """Return a new uninitialized tensor with the same shape and dtype as `x`."""

def equal(x1: Any, x2: Any) -> Any:
    """Returns `(x1 == x2)` element-wise."""

def erf(x: Any) -> Any:
    """Computes the error function of `x`, element-wise."""

def erfc(x: Any) -> Any:
    """Computes the complementary error function of `x`, element-wise."""

def erfinv(x: Any) -> Any:
    """Computes the inverse error function of `x`, element-wise."""

def exp(x: Any) -> Any:
    """Calculate the exponential of all elements in the input tensor."""

def exp2(x: Any) -> Any:
    """Calculate the base-2 exponential of all elements in the input tensor."""

def expand_dims(x: Any, axis: Any) -> Any:
    """Expand the shape of a tensor."""

def expm1(x: Any) -> Any:
    """Calculate `exp(x) - 1` for all elements in the tensor."""

def extract_sequences(x: Any, sequence_length: Any, sequence_stride: Any) -> Any:
    """Expands the dimension of last axis into sequences of `sequence_length`."""

def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Return a 2-D tensor with ones on the diagonal and zeros elsewhere."""

def fabs(x: Any) -> Any:
    """Compute the absolute values element-wise."""

def fft(x: Any) -> Any:
    """Computes the Fast Fourier Transform along last axis of input."""

def fft2(x: Any) -> Any:
    """Computes the 2D Fast Fourier Transform along the last two axes of input."""

def flip(x: Any, axis: Any = None) -> Any:
    """Reverse the order of elements in the tensor along the given axis."""

def fliplr(x: Any) -> Any:
    """Reverse the order of elements along axis 1 (left/right)."""

def flipud(x: Any) -> Any:
    """Reverse the order of elements along axis 0 (up/down)."""

def floor(x: Any) -> Any:
    """Return the floor of the input, element-wise."""

def floor_divide(x1: Any, x2: Any) -> Any:
    """Returns the largest integer smaller or equal to the division of inputs."""

def fmax(x1: Any, x2: Any) -> Any:
    """Element-wise maximum of tensor elements, ignoring NaNs."""

def fmin(x1: Any, x2: Any) -> Any:
    """Element-wise minimum of tensor elements, ignoring NaNs."""

def fmod(x1: Any, x2: Any) -> Any:
    """Returns the element-wise remainder of division with truncation."""

def fold(
    x: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
    stride: Any = 1,
) -> Any:
    """Combines an array of sliding local blocks into a large containing"""

def fori_loop(lower: Any, upper: Any, body_fun: Any, init_val: Any) -> Any:
    """For loop implementation."""

def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Return a new tensor of given shape and type, filled with `fill_value`."""

def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Return a full tensor with the same shape and type as the given tensor."""

def gcd(x1: Any, x2: Any) -> Any:
    """Greatest common divisor of `x1` and `x2`, element-wise."""

def gelu(x: Any, approximate: Any = True) -> Any:
    """Gaussian Error Linear Unit (GELU) activation function."""

def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Returns numbers spaced evenly on a log scale (a geometric progression)."""

def get_item(x: Any, key: Any) -> Any:
    """Return `x[key]`."""

def glu(x: Any, axis: Any = -1) -> Any:
    """Gated Linear Unit (GLU) activation function."""

def greater(x1: Any, x2: Any) -> Any:
    """Return the truth value of `x1 > x2` element-wise."""

def greater_equal(x1: Any, x2: Any) -> Any:
    """Return the truth value of `x1 >= x2` element-wise."""

def hamming(x: Any) -> Any:
    """Hamming window function."""

def hanning(x: Any) -> Any:
    """Hanning window function."""

def hard_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """Hard Shrink activation function."""

def hard_sigmoid(x: Any) -> Any:
    """Hard sigmoid activation function."""

def hard_silu(x: Any) -> Any:
    """Hard SiLU activation function, also known as Hard Swish."""

def hard_tanh(x: Any) -> Any:
    """Applies the HardTanh function element-wise."""

def heaviside(x1: Any, x2: Any) -> Any:
    """Heaviside step function."""

def histogram(x: Any, bins: Any = 10, range: Any = None) -> Any:
    """Computes a histogram of the data tensor `x`."""

def hsplit(x: Any, indices_or_sections: Any) -> Any:
    """Split an array into multiple sub-arrays horizontally (column-wise)."""

def hstack(xs: Any) -> Any:
    """Stack tensors in sequence horizontally (column wise)."""

def hypot(x1: Any, x2: Any) -> Any:
    """Element-wise hypotenuse of right triangles with legs `x1` and `x2`."""

def i0(x: Any) -> Any:
    """Modified Bessel function of the first kind, order 0."""

def identity(n: Any, dtype: Any = None) -> Any:
    """Return the identity tensor."""

def ifft2(x: Any) -> Any:
    """Computes the 2D Inverse Fast Fourier Transform along the last two axes of"""

def imag(x: Any) -> Any:
    """Return the imaginary part of the complex argument."""

def in_top_k(targets: Any, predictions: Any, k: Any) -> Any:
    """Checks if the targets are in the top-k predictions."""

def inner(x1: Any, x2: Any) -> Any:
    """Return the inner product of two tensors."""

def inv(x: Any) -> Any:
    """Computes the inverse of a square tensor."""

def irfft(x: Any, fft_length: Any = None) -> Any:
    """Inverse real-valued Fast Fourier transform along the last axis."""

def is_tensor(x: Any) -> Any:
    """Check whether the given object is a tensor."""

def isclose(
    x1: Any, x2: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False,
) -> Any:
    """Return whether two tensors are element-wise almost equal."""

def isfinite(x: Any) -> Any:
    """Return whether a tensor is finite, element-wise."""

def isin(x1: Any, x2: Any, assume_unique: Any = False, invert: Any = False) -> Any:
    """Test whether each element of `x1` is present in `x2`."""

def isinf(x: Any) -> Any:
    """Test element-wise for positive or negative infinity."""

def isnan(x: Any) -> Any:
    """Test element-wise for NaN and return result as a boolean tensor."""

def isneginf(x: Any) -> Any:
    """Test element-wise for negative infinity."""

def isposinf(x: Any) -> Any:
    """Test element-wise for positive infinity."""

def isreal(x: Any) -> Any:
    """Test element-wise for real numbers."""

def istft(
    x: Any, sequence_length: Any, sequence_stride: Any, fft_length: Any, length: Any = None,
    window: Any = 'hann', center: Any = True,
) -> Any:
    """Inverse Short-Time Fourier Transform along the last axis of the input."""

def jvp(fun: Any, primals: Any, tangents: Any, has_aux: Any = False) -> Any:
    """Computes a (forward-mode) Jacobian-vector product of `fun`."""

def kaiser(x: Any, beta: Any) -> Any:
    """Kaiser window function."""

def kron(x1: Any, x2: Any) -> Any:
    """Kronecker product of `x1` and `x2`."""

def layer_normalization(
    x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: Any = None,
    **kwargs: Any,
) -> Any:
    """Layer normalization layer (Ba et al., 2016)."""

def lcm(x1: Any, x2: Any) -> Any:
    """Least common multiple of `x1` and `x2`, element-wise."""

def ldexp(x1: Any, x2: Any) -> Any:
    """Multiply `x1` by 2 raised to the power of `x2`, element-wise."""

def leaky_relu(x: Any, negative_slope: Any = 0.2) -> Any:
    """Leaky version of a Rectified Linear Unit activation function."""

def left_shift(x: Any, y: Any) -> Any:
    """Shift the bits of an integer to the left."""

def less(x1: Any, x2: Any) -> Any:
    """Return the truth value of `x1 < x2` element-wise."""

def less_equal(x1: Any, x2: Any) -> Any:
    """Return the truth value of `x1 <= x2` element-wise."""

def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False,
    dtype: Any = None, axis: Any = 0,
) -> Any:
    """Return evenly spaced numbers over a specified interval."""

def log(x: Any) -> Any:
    """Natural logarithm, element-wise."""

def log10(x: Any) -> Any:
    """Return the base 10 logarithm of the input tensor, element-wise."""

def log1p(x: Any) -> Any:
    """Returns the natural logarithm of one plus the `x`, element-wise."""

def log2(x: Any) -> Any:
    """Base-2 logarithm of `x`, element-wise."""

def log_sigmoid(x: Any) -> Any:
    """Logarithm of the sigmoid activation function."""

def log_softmax(x: Any, axis: Any = -1) -> Any:
    """Log-softmax activation function."""

def logaddexp(x1: Any, x2: Any) -> Any:
    """Logarithm of the sum of exponentiations of the inputs."""

def logaddexp2(x1: Any, x2: Any) -> Any:
    """Base-2 logarithm of the sum of exponentiations of the inputs."""

def logdet(x: Any) -> Any:
    """Computes log of the determinant of a hermitian positive definite matrix."""

def logical_and(x1: Any, x2: Any) -> Any:
    """Computes the element-wise logical AND of the given input tensors."""

def logical_not(x: Any) -> Any:
    """Computes the element-wise NOT of the given input tensor."""

def logical_or(x1: Any, x2: Any) -> Any:
    """Computes the element-wise logical OR of the given input tensors."""

def logical_xor(x1: Any, x2: Any) -> Any:
    """Compute the truth value of `x1 XOR x2`, element-wise."""

def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10,
    dtype: Any = None, axis: Any = 0,
) -> Any:
    """Returns numbers spaced evenly on a log scale."""

def logsumexp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Computes the logarithm of sum of exponentials of elements in a tensor."""

def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Return the least-squares solution to a linear matrix equation."""

def lu_factor(x: Any) -> Any:
    """Computes the lower-upper decomposition of a square matrix."""

def map(f: Any, xs: Any) -> Any:
    """Map a function over leading array axes."""

def matmul(x1: Any, x2: Any) -> Any:
    """Matrix product of two tensors."""

def matrix_rank(x: Any, tol: Any = None) -> Any:
    """Return the matrix rank of one or more matrices using SVD."""

def max(x: Any, axis: Any = None, keepdims: Any = False, initial: Any = None) -> Any:
    """Return the maximum of a tensor or maximum along an axis."""

def max_pool(
    inputs: Any, pool_size: Any, strides: Any = None, padding: Any = 'valid',
    data_format: Any = None,
) -> Any:
    """Max pooling operation."""

def maximum(x1: Any, x2: Any) -> Any:
    """Element-wise maximum of `x1` and `x2`."""

def mean(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the arithmetic mean along the specified axes."""

def median(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the median along the specified axis."""

def meshgrid(*x: Any, indexing: Any = 'xy') -> Any:
    """Creates grids of coordinates from coordinate vectors."""

def min(x: Any, axis: Any = None, keepdims: Any = False, initial: Any = None) -> Any:
    """Return the minimum of a tensor or minimum along an axis."""

def minimum(x1: Any, x2: Any) -> Any:
    """Element-wise minimum of `x1` and `x2`."""

def mod(x1: Any, x2: Any) -> Any:
    """Returns the element-wise remainder of division."""

def moments(x: Any, axes: Any, keepdims: Any = False, synchronized: Any = False) -> Any:
    """Calculates the mean and variance of `x`."""

def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Move axes of a tensor to new positions."""

def multi_hot(
    inputs: Any, num_classes: Any = None, axis: Any = -1, dtype: Any = None,
    sparse: Any = False, **kwargs: Any,
) -> Any:
    """Encodes integer labels as multi-hot vectors."""

def multiply(x1: Any, x2: Any) -> Any:
    """Multiply arguments element-wise."""

def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace NaN with zero and infinity with large finite numbers."""

def nanargmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the indices of the maximum values along an axis, ignoring NaNs."""

def nanargmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Returns the indices of the minimum values along an axis, ignoring NaNs."""

def nancumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Returns the cumulative product of elements along a given axis,"""

def nancumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Returns the cumulative sum of elements along a given axis,"""

def nanmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Maximum of a tensor over the given axes, ignoring NaNs."""

def nanmean(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Mean of a tensor over the given axes, ignoring NaNs."""

def nanmedian(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Median of a tensor over the given axes, ignoring NaNs."""

def nanmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Minimum of a tensor over the given axes, ignoring NaNs."""

def nanpercentile(
    x: Any, q: Any, axis: Any = None, method: Any = 'linear', keepdims: Any = False,
) -> Any:
    """Compute the q-th percentile(s) of the data along the specified axis,"""

def nanprod(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Product of a tensor over the given axes, ignoring NaNs."""

def nanquantile(
    x: Any, q: Any, axis: Any = None, method: Any = 'linear', keepdims: Any = False,
) -> Any:
    """Compute the q-th quantile(s) of the data along the specified axis,"""

def nanstd(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the standard deviation along the specified axes, ignoring NaNs."""

def nansum(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Sum of a tensor over the given axes, ignoring NaNs."""

def nanvar(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the variance along the specified axes, ignoring NaNs."""

def ndim(x: Any) -> Any:
    """Return the number of dimensions of a tensor."""

def negative(x: Any) -> Any:
    """Numerical negative, element-wise."""

def nextafter(x1: Any, x2: Any) -> Any:
    """Return the next representable floating-point value after `x1` towards `x2`."""

def nonzero(x: Any) -> Any:
    """Return the indices of the elements that are non-zero."""

def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """Matrix or vector norm."""

def normalize(x: Any, axis: Any = -1, order: Any = 2, epsilon: Any = None) -> Any:
    """Normalizes `x` over the specified axis."""

def not_equal(x1: Any, x2: Any) -> Any:
    """Return `(x1 != x2)` element-wise."""

def one_hot(
    x: Any, num_classes: Any, axis: Any = -1, dtype: Any = None, sparse: Any = False,
) -> Any:
    """Converts integer tensor `x` into a one-hot tensor."""

def ones(shape: Any, dtype: Any = None) -> Any:
    """Return a new tensor of given shape and type, filled with ones."""

def ones_like(x: Any, dtype: Any = None) -> Any:
    """Return a tensor of ones with the same shape and type of `x`."""

def outer(x1: Any, x2: Any) -> Any:
    """Compute the outer product of two vectors."""

def pad(
    x: Any, pad_width: Any, mode: Any = 'constant', constant_values: Any = None,
) -> Any:
    """Pad a tensor."""

def percentile(
    x: Any, q: Any, axis: Any = None, method: Any = 'linear', keepdims: Any = False,
) -> Any:
    """Compute the q-th percentile(s) of the data along the specified axis."""

def pinv(x: Any, rcond: Any = None) -> Any:
    """Compute the (Moore-Penrose) pseudoinverse of a matrix."""

def polar(abs_: Any, angle: Any) -> Any:
    """Constructs a complex tensor whose elements are Cartesian"""

def power(x1: Any, x2: Any) -> Any:
    """First tensor elements raised to powers from second tensor, element-wise."""

def prod(x: Any, axis: Any = None, keepdims: Any = False, dtype: Any = None) -> Any:
    """Return the product of tensor elements over a given axis."""

def psnr(x1: Any, x2: Any, max_val: Any) -> Any:
    """Peak Signal-to-Noise Ratio (PSNR) function."""

def ptp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Return the peak-to-peak (max - min) value of tensor elements"""

def qr(x: Any, mode: Any = 'reduced') -> Any:
    """Computes the QR decomposition of a tensor."""

def quantile(
    x: Any, q: Any, axis: Any = None, method: Any = 'linear', keepdims: Any = False,
) -> Any:
    """Compute the q-th quantile(s) of the data along the specified axis."""

def rad2deg(x: Any) -> Any:
    """Convert angles from radians to degrees."""

def ravel(x: Any) -> Any:
    """Return a contiguous flattened tensor."""

def real(x: Any) -> Any:
    """Return the real part of the complex argument."""

def rearrange(tensor: Any, pattern: Any, **axes_lengths: Any) -> Any:
    """Rearranges the axes of a Keras tensor according to a specified pattern,"""

def reciprocal(x: Any) -> Any:
    """Return the reciprocal of the argument, element-wise."""

def relu(x: Any) -> Any:
    """Rectified linear unit activation function."""

def relu6(x: Any) -> Any:
    """Rectified linear unit activation function with upper bound of 6."""

def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Repeat each element of a tensor after themselves."""

def reshape(x: Any, newshape: Any) -> Any:
    """Gives a new shape to a tensor without changing its data."""

def rfft(x: Any, fft_length: Any = None) -> Any:
    """Real-valued Fast Fourier Transform along the last axis of the input."""

def right_shift(x: Any, y: Any) -> Any:
    """Shift the bits of an integer to the right."""

def rms_normalization(
    x: Any, scale: Any = None, axis: Any = -1, epsilon: Any = None,
) -> Any:
    """Performs Root Mean Square (RMS) normalization on `x`."""

def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """Roll tensor elements along a given axis."""

def rot90(array: Any, k: Any = 1, axes: Any = ...) -> Any:
    """Rotate an array by 90 degrees in the plane specified by axes."""

def round(x: Any, decimals: Any = 0) -> Any:
    """Evenly round to the given number of decimals."""

def rsqrt(x: Any) -> Any:
    """Computes reciprocal of square root of x element-wise."""

def saturate_cast(x: Any, dtype: Any) -> Any:
    """Performs a safe saturating cast to the desired dtype."""

def scan(
    f: Any, init: Any, xs: Any = None, length: Any = None, reverse: Any = False,
    unroll: Any = 1,
) -> Any:
    """Scan a function over leading array axes while carrying along state."""

def scatter(indices: Any, values: Any, shape: Any) -> Any:
    """Returns a tensor of shape `shape` where `indices` are set to `values`."""

def scatter_update(
    inputs: Any, indices: Any, updates: Any, reduction: Any = None,
) -> Any:
    """Update inputs via updates at scattered (sparse) indices."""

def searchsorted(sorted_sequence: Any, values: Any, side: Any = 'left') -> Any:
    """Perform a binary search, returning indices for insertion of `values`"""

def segment_max(
    data: Any, segment_ids: Any, num_segments: Any = None, sorted: Any = False,
) -> Any:
    """Computes the max of segments in a tensor."""

def segment_min(
    data: Any, segment_ids: Any, num_segments: Any = None, sorted: Any = False,
) -> Any:
    """Computes the min of segments in a tensor."""

def segment_prod(
    data: Any, segment_ids: Any, num_segments: Any = None, sorted: Any = False,
) -> Any:
    """Computes the product of segments in a tensor."""

def segment_sum(
    data: Any, segment_ids: Any, num_segments: Any = None, sorted: Any = False,
) -> Any:
    """Computes the sum of segments in a tensor."""

def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Return elements from `choicelist`, based on conditions in `condlist`."""

def selu(x: Any) -> Any:
    """Scaled Exponential Linear Unit (SELU) activation function."""

def separable_conv(
    inputs: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1,
    padding: Any = 'valid', data_format: Any = None, dilation_rate: Any = 1,
) -> Any:
    """General N-D separable convolution."""

def shape(x: Any) -> Any:
    """Gets the shape of the tensor input."""

def sigmoid(x: Any) -> Any:
    """Sigmoid activation function."""

def sign(x: Any) -> Any:
    """Returns a tensor with the signs of the elements of `x`."""

def signbit(x: Any) -> Any:
    """Return the sign bit of the elements of `x`."""

def silu(x: Any) -> Any:
    """Sigmoid Linear Unit (SiLU) activation function, also known as Swish."""

def sin(x: Any) -> Any:
    """Trigonometric sine, element-wise."""

def sinc(x: Any) -> Any:
    """Return the normalized sinc function."""

def sinh(x: Any) -> Any:
    """Hyperbolic sine, element-wise."""

def size(x: Any) -> Any:
    """Return the number of elements in a tensor."""

def slice(inputs: Any, start_indices: Any, shape: Any) -> Any:
    """Return a slice of an input tensor."""

def slice_update(inputs: Any, start_indices: Any, updates: Any) -> Any:
    """Update an input by slicing in a tensor of updated values."""

def slogdet(x: Any) -> Any:
    """Compute the sign and natural logarithm of the determinant of a matrix."""

def soft_shrink(x: Any, threshold: Any = 0.5) -> Any:
    """Soft Shrink activation function."""

def softmax(x: Any, axis: Any = -1) -> Any:
    """Softmax activation function."""

def softplus(x: Any) -> Any:
    """Softplus activation function."""

def softsign(x: Any) -> Any:
    """Softsign activation function."""

def solve(a: Any, b: Any) -> Any:
    """Solves a linear system of equations given by `a x = b`."""

def solve_triangular(a: Any, b: Any, lower: Any = False) -> Any:
    """Solves a linear system of equations given by `a x = b`."""

def sort(x: Any, axis: Any = -1) -> Any:
    """Sorts the elements of `x` along a given axis in ascending order."""

def space_to_depth(x: Any, block_size: Any, data_format: Any = 'channels_last') -> Any:
    """Rearranges blocks of spatial data into depth."""

def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: Any = False, axis: Any = -1,
) -> Any:
    """Computes sparse categorical cross-entropy loss."""

def sparse_plus(x: Any) -> Any:
    """SparsePlus activation function."""

def sparse_sigmoid(x: Any) -> Any:
    """Sparse sigmoid activation function."""

def sparsemax(x: Any, axis: Any = -1) -> Any:
    """Sparsemax activation function."""

def split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Split a tensor into chunks."""

def sqrt(x: Any) -> Any:
    """Return the non-negative square root of a tensor, element-wise."""

def square(x: Any) -> Any:
    """Return the element-wise square of the input."""

def squareplus(x: Any, b: Any = 4) -> Any:
    """Squareplus activation function."""

def squeeze(x: Any, axis: Any = None) -> Any:
    """Remove axes of length one from `x`."""

def stack(x: Any, axis: Any = 0) -> Any:
    """Join a sequence of tensors along a new axis."""

def std(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the standard deviation along the specified axis."""

def stft(
    x: Any, sequence_length: Any, sequence_stride: Any, fft_length: Any, window: Any = 'hann',
    center: Any = True,
) -> Any:
    """Short-Time Fourier Transform along the last axis of the input."""

def stop_gradient(variable: Any) -> Any:
    """Stops gradient computation."""

def subtract(x1: Any, x2: Any) -> Any:
    """Subtract arguments element-wise."""

def sum(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Sum of a tensor over the given axes."""

def svd(x: Any, full_matrices: Any = True, compute_uv: Any = True) -> Any:
    """Computes the singular value decomposition of a matrix."""

def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Interchange two axes of a tensor."""

def switch(index: Any, branches: Any, *operands: Any) -> Any:
    """Apply exactly one of the `branches` given by `index`."""

def take(x: Any, indices: Any, axis: Any = None) -> Any:
    """Take elements from a tensor along an axis."""

def take_along_axis(x: Any, indices: Any, axis: Any = None) -> Any:
    """Select values from `x` at the 1-D `indices` along the given axis."""

def tan(x: Any) -> Any:
    """Compute tangent, element-wise."""

def tanh(x: Any) -> Any:
    """Hyperbolic tangent, element-wise."""

def tanh_shrink(x: Any) -> Any:
    """Applies the tanh shrink function element-wise."""

def tensordot(x1: Any, x2: Any, axes: Any = 2) -> Any:
    """Compute the tensor dot product along specified axes."""

def threshold(x: Any, threshold: Any, default_value: Any) -> Any:
    """Threshold activation function."""

def tile(x: Any, repeats: Any) -> Any:
    """Repeat `x` the number of times given by `repeats`."""

def top_k(x: Any, k: Any, sorted: Any = True) -> Any:
    """Finds the top-k values and their indices in a tensor."""

def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Return the sum along diagonals of the tensor."""

def transpose(x: Any, axes: Any = None) -> Any:
    """Returns a tensor with `axes` transposed."""

def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """Integrate along the given axis using the composite trapezoidal rule."""

def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Return a tensor with ones at and below a diagonal and zeros elsewhere."""

def tril(x: Any, k: Any = 0) -> Any:
    """Return lower triangle of a tensor."""

def triu(x: Any, k: Any = 0) -> Any:
    """Return upper triangle of a tensor."""

def true_divide(x1: Any, x2: Any) -> Any:
    """Alias for `keras.ops.divide`."""

def trunc(x: Any) -> Any:
    """Return the truncated value of the input, element-wise."""

def unfold(
    x: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1,
) -> Any:
    """Extract sliding local blocks from a 4-D input (batched image)."""

def unique(
    x: Any, sorted: Any = True, return_index: Any = False, return_inverse: Any = False,
    return_counts: Any = False, axis: Any = None, size: Any = None, fill_value: Any = None,
) -> Any:
    """Finds the unique elements of a tensor."""

def unravel_index(indices: Any, shape: Any) -> Any:
    """Convert flat indices to coordinate arrays in a given array shape."""

def unstack(x: Any, num: Any = None, axis: Any = 0) -> Any:
    """Unpacks the given dimension of a rank-R tensor into rank-(R-1) tensors."""

def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """Generate a Vandermonde matrix."""

def var(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Compute the variance along the specified axes."""

def vdot(x1: Any, x2: Any) -> Any:
    """Return the dot product of two vectors."""

def vectorize(pyfunc: Any, *, excluded: Any = None, signature: Any = None) -> Any:
    """Turn a function into a vectorized function."""

def vectorized_map(function: Any, elements: Any) -> Any:
    """Parallel map of `function` on axis 0 of tensor(s) `elements`."""

def view(x: Any, dtype: Any = None) -> Any:
    """Create a new bitwise view of the same data with the specified dtype."""

def view_as_complex(x: Any) -> Any:
    """Converts a real tensor with shape `(..., 2)` to a complex tensor,"""

def view_as_real(x: Any) -> Any:
    """Converts a complex tensor to a real tensor with shape `(..., 2)`,"""

def vsplit(x: Any, indices_or_sections: Any) -> Any:
    """Split an array into multiple sub-arrays vertically (row-wise)."""

def vstack(xs: Any) -> Any:
    """Stack tensors in sequence vertically (row wise)."""

def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """Return elements chosen from `x1` or `x2` depending on `condition`."""

def while_loop(
    cond: Any, body: Any, loop_vars: Any, maximum_iterations: Any = None,
) -> Any:
    """While loop implementation."""

def zeros(shape: Any, dtype: Any = None) -> Any:
    """Return a new tensor of given shape and type, filled with zeros."""

def zeros_like(x: Any, dtype: Any = None) -> Any:
    """Return a tensor of zeros with the same shape and type as `x`."""

hard_swish = hard_silu
swish = silu
