# Every function with every dtype: the value, or the type of the exception.

# --- math_exp
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.exp(x)))

# --- math_expm1
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.expm1(x)))

# --- math_log
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.log(x)))

# --- math_log1p
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.log1p(x)))

# --- math_sin
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.sin(x)))

# --- math_cos
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.cos(x)))

# --- math_tan
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.tan(x)))

# --- math_asin
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 1.0, 1.0], d)
    print(d, outcome(lambda: tf.math.asin(x)))

# --- math_acos
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 1.0, 1.0], d)
    print(d, outcome(lambda: tf.math.acos(x)))

# --- math_atan
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.atan(x)))

# --- math_sinh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.sinh(x)))

# --- math_cosh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.cosh(x)))

# --- math_tanh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.tanh(x)))

# --- math_asinh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 1.0, 1.0], d)
    print(d, outcome(lambda: tf.math.asinh(x)))

# --- math_acosh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 1.0, 1.0], d)
    print(d, outcome(lambda: tf.math.acosh(x)))

# --- math_atanh
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([0.0, 0.0, 0.0], d)
    print(d, outcome(lambda: tf.math.atanh(x)))

# --- math_sqrt
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.sqrt(x)))

# --- math_rsqrt
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.rsqrt(x)))

# --- math_square
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.square(x)))

# --- math_reciprocal
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reciprocal(x)))

# --- math_abs
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.abs(x)))

# --- math_negative
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.negative(x)))

# --- math_sign
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.sign(x)))

# --- math_floor
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.floor(x)))

# --- math_ceil
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.ceil(x)))

# --- math_rint
# tol: 1e-2
for d in 'float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.rint(x)))

# --- math_round
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.round(x)))

# --- math_erf
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.erf(x)))

# --- math_erfc
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.erfc(x)))

# --- math_lgamma
# tol: 1e-2
for d in 'float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.lgamma(x)))

# --- math_digamma
# tol: 1e-2
for d in 'float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.digamma(x)))

# --- math_sigmoid
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.sigmoid(x)))

# --- math_log_sigmoid
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.log_sigmoid(x)))

# --- math_is_nan
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.is_nan(x)))

# --- math_is_inf
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.is_inf(x)))

# --- math_is_finite
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.is_finite(x)))

# --- math_conj
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.conj(x)))

# --- math_real
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.real(x)))

# --- math_imag
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.imag(x)))

# --- math_angle
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.angle(x)))

# --- math_softplus
# tol: 3e-2
for d in 'float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.softplus(x)))

# --- math_softsign
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.softsign(x)))

# --- math_cumsum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.cumsum(x)))

# --- math_cumprod
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.cumprod(x)))

# --- math_reduce_sum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_sum(x)))

# --- math_reduce_mean
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_mean(x)))

# --- math_reduce_max
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_max(x)))

# --- math_reduce_min
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_min(x)))

# --- math_reduce_prod
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_prod(x)))

# --- math_reduce_std
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_std(x)))

# --- math_reduce_variance
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_variance(x)))

# --- math_reduce_logsumexp
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_logsumexp(x)))

# --- math_reduce_euclidean_norm
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_euclidean_norm(x)))

# --- math_argmax
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.argmax(x)))

# --- math_argmin
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.argmin(x)))

# --- math_logical_not
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.logical_not(x)))

# --- math_reduce_any
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_any(x)))

# --- math_reduce_all
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.reduce_all(x)))

# --- math_count_nonzero
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.count_nonzero(x)))

# --- math_zero_fraction
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.zero_fraction(x)))

# --- nn_relu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.relu(x)))

# --- nn_relu6
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.relu6(x)))

# --- nn_leaky_relu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.leaky_relu(x)))

# --- nn_elu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.elu(x)))

# --- nn_selu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.selu(x)))

# --- nn_silu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.silu(x)))

# --- nn_gelu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.gelu(x)))

# --- nn_softmax
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.softmax(x)))

# --- nn_log_softmax
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.log_softmax(x)))

# --- nn_l2_normalize
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.l2_normalize(x)))

# --- nn_l2_loss
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.l2_loss(x)))

# --- nn_crelu
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.nn.crelu(x)))

# --- tf_identity
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.identity(x)))

# --- tf_zeros_like
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.zeros_like(x)))

# --- tf_ones_like
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.ones_like(x)))

# --- tf_sort
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.sort(x)))

# --- tf_argsort
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.argsort(x)))

# --- tf_stop_gradient
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.stop_gradient(x)))

# --- top_k
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.top_k(x, 2)))

# --- unique
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.unique(x)))

# --- reverse
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.reverse(x, [0])))

# --- gather
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.gather(x, [2, 0])))

# --- pad
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.pad(x, [[1, 0]])))

# --- tile
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.tile(x, [2])))

# --- diag
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.linalg.diag(x)))

# --- segment_sum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.segment_sum(x, [0, 0, 1])))

# --- unsorted_segment_max
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.math.unsorted_segment_max(x, [1, 0, 1], 2)))

# --- scatter_nd
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.scatter_nd([[0], [0], [1]], x, [3])))

# --- where
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.where([True, False, True], x, x[::-1])))

# --- concat
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.concat([x, x], 0)))

# --- transpose
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.transpose(x[None])))

# --- to_bool
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.cast(x, tf.bool)))

# --- to_int32
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.cast(x, tf.int32)))

# --- to_float64
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.cast(x, tf.float64)))

# --- to_complex64
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.cast(x, tf.complex64)))

# --- norm
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.norm(x)))

# --- clip_by_value
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.clip_by_value(x, x[0], x[0])))

# --- add_n
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.add_n([x, x])))

# --- roll
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.roll(x, 1, 0)))

# --- repeat
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.repeat(x, 2)))

# --- linspace
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.linspace(x[0], x[2], 3)))

# --- range
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.range(x[0], x[2], x[0])))

# --- one_hot
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: tf.one_hot(x, 3)))

# --- binary_add
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.add(x, y)))

# --- binary_subtract
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.subtract(x, y)))

# --- binary_multiply
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.multiply(x, y)))

# --- binary_divide
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.divide(x, y)))

# --- binary_floordiv
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.floordiv(x, y)))

# --- binary_floormod
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.floormod(x, y)))

# --- binary_pow
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.pow(x, y)))

# --- binary_maximum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.maximum(x, y)))

# --- binary_minimum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.minimum(x, y)))

# --- binary_equal
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.equal(x, y)))

# --- binary_not_equal
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.not_equal(x, y)))

# --- binary_less
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.less(x, y)))

# --- binary_less_equal
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.less_equal(x, y)))

# --- binary_greater
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.greater(x, y)))

# --- binary_greater_equal
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.greater_equal(x, y)))

# --- binary_squared_difference
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.squared_difference(x, y)))

# --- binary_atan2
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.atan2(x, y)))

# --- binary_truediv
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.truediv(x, y)))

# --- binary_divide_no_nan
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.divide_no_nan(x, y)))

# --- binary_multiply_no_nan
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.multiply_no_nan(x, y)))

# --- binary_xlogy
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.xlogy(x, y)))

# --- binary_xdivy
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.xdivy(x, y)))

# --- binary_logical_and
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.logical_and(x, y)))

# --- binary_logical_or
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.logical_or(x, y)))

# --- binary_logical_xor
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.math.logical_xor(x, y)))

# --- operator_truediv
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x / y))

# --- operator_floordiv
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x // y))

# --- operator_mod
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x % y))

# --- operator_pow
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x ** y))

# --- operator_and
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x & y))

# --- operator_or
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x | y))

# --- operator_xor
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x ^ y))

# --- operator_sub
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x - y))

# --- operator_mul
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x * y))

# --- operator_lt
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: x < y))

# --- operator_invert
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: ~x))

# --- operator_neg
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: -x))

# --- operator_abs
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: abs(x)))

# --- operator_times_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x * 2))

# --- operator_plus_python_float
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x + 1.5))

# --- operator_python_int_minus
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: 3 - x))

# --- operator_pow_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x ** 2))

# --- operator_div_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x / 2))

# --- operator_python_int_div
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: 2 / x))

# --- operator_lt_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x < 2))

# --- operator_eq_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x == 2))

# --- operator_floordiv_python_int
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    print(d, outcome(lambda: x // 2))

# --- bits_bitwise_and
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.bitwise.bitwise_and(x, y)))

# --- bits_bitwise_or
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.bitwise.bitwise_or(x, y)))

# --- bits_bitwise_xor
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.bitwise.bitwise_xor(x, y)))

# --- bits_left_shift
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.bitwise.left_shift(x, y)))

# --- matmul
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.matmul(x[None], y[:, None])))

# --- tensordot
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int8 int16 int32 int64 bool complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.tensordot(x, y, 1)))

# --- einsum
# tol: 1e-2
for d in 'float16 bfloat16 float32 float64 int32 int64 complex64 complex128'.split():
    x = tf.cast([1.0, 2.0, 3.0], d)
    y = tf.cast([2.0, 1.0, 2.0], d)
    print(d, outcome(lambda: tf.einsum('i,j->ij', x, y)))
