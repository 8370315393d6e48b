# Double precision: values and gradients to twelve digits, and sums of half precision.

# --- exp
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.exp(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- expm1
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.expm1(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- log
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- log1p
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log1p(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- sin
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sin(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- cos
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.cos(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- tan
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.tan(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- asin
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.asin(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- acos
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.acos(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- atan
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.atan(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- sinh
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sinh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- cosh
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.cosh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- tanh
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.tanh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- asinh
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.asinh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- atanh
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.atanh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- sqrt
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sqrt(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- rsqrt
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.rsqrt(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- square
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.square(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reciprocal
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.reciprocal(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- erf
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erf(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- erfc
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erfc(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- lgamma
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.lgamma(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- digamma
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.digamma(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- sigmoid
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sigmoid(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- log_sigmoid
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log_sigmoid(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- softplus
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.softplus(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- softsign
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.softsign(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- erfinv
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erfinv(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- ndtri
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.ndtri(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- bessel_i0
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.bessel_i0(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- bessel_i1
# tol: 1e-12
x = tf.constant([0.123456789, 0.345678901, 0.777777777, 0.01], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.bessel_i1(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- acosh
# tol: 1e-12
x = tf.constant([1.123456789, 3.5, 77.0], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.acosh(x)
print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- activations
# tol: 1e-7
x = tf.constant([-1.23456789, -0.1, 0.3, 2.5], tf.float64)
for f in (tf.nn.relu, tf.nn.elu, tf.nn.selu, tf.nn.silu, tf.nn.gelu, tf.nn.leaky_relu, tf.nn.softmax, tf.nn.log_softmax, tf.nn.relu6):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x) * tf.constant([1.0, 2.0, 3.0, 4.0], tf.float64))
    print(y.numpy().item(), tape.gradient(y, x).numpy().tolist())

# --- binary
# tol: 1e-12
a = tf.constant([1.23456789, 0.3333333333], tf.float64)
b = tf.constant([0.987654321, 2.7182818284], tf.float64)
for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.math.atan2, tf.math.squared_difference, tf.math.floormod, tf.math.xlogy, tf.maximum):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = f(a, b)
    print(y.numpy().tolist(), [g.numpy().tolist() for g in tape.gradient(y, [a, b])])

# --- reductions
# tol: 1e-12
x = tf.constant([[0.1, 0.2, 0.3], [1.1, 2.2, 3.3]], tf.float64)
for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_prod, tf.reduce_logsumexp, tf.math.reduce_std, tf.math.reduce_variance, tf.math.reduce_euclidean_norm):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, axis=1)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- python_constants_are_doubles_here
# tol: 1e-12
x = tf.constant(1.0, tf.float64)
print((x * 0.1).numpy().item(), (x / 3).numpy().item(), (0.1 + x * 0.2).numpy().item(), (x ** 0.5 * 1e-17).numpy().item(), tf.constant(0.1, tf.float64).numpy().item(), tf.cast(0.1, tf.float64).numpy().item())

# --- cast_of_python_float_goes_through_float32
# tol: 1e-12
print(tf.cast(0.1, tf.float64).numpy().item(), tf.convert_to_tensor(0.1, tf.float64).numpy().item(), tf.cast([0.1], tf.float64).numpy().tolist())

# --- matmul_and_linalg
# tol: 1e-11
a = tf.constant([[2.123456789, 0.3], [0.4, 1.987654321]], tf.float64)
for f in (tf.linalg.inv, tf.linalg.det, tf.linalg.cholesky, tf.linalg.expm, lambda m: tf.linalg.solve(m, m @ m), lambda m: m @ tf.transpose(m), tf.linalg.logdet):
    with tf.GradientTape() as tape:
        tape.watch(a)
        s = (a + tf.transpose(a)) / 2
        y = tf.reduce_sum(f(s))
    print(y.numpy().item(), tape.gradient(y, a).numpy().tolist())

# --- cross_entropies
# tol: 1e-12
x = tf.constant([[0.123456789, -1.5, 2.25]], tf.float64)
z = tf.constant([[0.2, 0.3, 0.5]], tf.float64)
for f in (lambda v: tf.nn.softmax_cross_entropy_with_logits(labels=z, logits=v), lambda v: tf.nn.sigmoid_cross_entropy_with_logits(labels=z, logits=v), lambda v: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2], logits=v)):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- random_doubles
# tol: 1e-12
tf.random.set_seed(3)
print(tf.random.uniform([3], dtype=tf.float64).numpy().tolist(), tf.random.normal([3], dtype=tf.float64).numpy().tolist(), tf.random.stateless_normal([2], [1, 2], dtype=tf.float64).numpy().tolist())

# --- linspace_and_range
# tol: 1e-12
print(tf.linspace(tf.constant(0.0, tf.float64), 1.0, 7).numpy().tolist(), tf.range(0.0, 1.0, 0.3, dtype=tf.float64).numpy().tolist())

# --- cumulative
# tol: 1e-12
x = tf.constant([0.1, 0.2, 0.7, 1e-9], tf.float64)
print(tf.cumsum(x).numpy().tolist(), tf.math.cumprod(x).numpy().tolist(), tf.math.cumulative_logsumexp(x).numpy().tolist())

# --- second_derivatives
# tol: 1e-11
x = tf.Variable(0.7, dtype=tf.float64)
for f in (tf.sin, tf.exp, tf.tanh, tf.math.log, lambda v: v ** 3.5, lambda v: 1 / v, tf.math.erf, tf.math.lgamma, tf.sigmoid):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = f(x)
        g = t1.gradient(y, x)
    print(g.numpy().item(), t2.gradient(g, x).numpy().item())

# --- float32_sum_of_many
# tol: 1e-5
x = tf.ones([100000]) * 0.1
print(tf.reduce_sum(x), tf.reduce_mean(x), tf.math.reduce_variance(x) < 1e-9)

# --- float16_results
# tol: 2e-3
x = tf.cast(tf.linspace(0.1, 2.0, 8), tf.float16)
print(tf.reduce_sum(x), tf.reduce_mean(x), tf.reduce_prod(x), tf.nn.softmax(x), tf.matmul(x[None], x[:, None]), tf.math.reduce_std(x))

# --- bfloat16_results
# tol: 2e-2
x = tf.cast(tf.linspace(0.1, 2.0, 8), tf.bfloat16)
print(tf.cast(tf.reduce_sum(x), tf.float32), tf.cast(tf.nn.softmax(x), tf.float32), tf.cast(tf.matmul(x[None], x[:, None]), tf.float32))

# --- large_integers
print(tf.constant(2**53 + 1) + 1, tf.reduce_sum(tf.constant([2**62, 2**61])), tf.constant(2**40) * 3, tf.cast(tf.constant(2**53 + 1), tf.float64) == 2.0**53, tf.constant(10**18) // 7, tf.constant(10**18) % 7)

# --- integer_powers_and_products
print(tf.pow(tf.constant(3, tf.int64), 39), tf.reduce_prod(tf.range(1, 21, dtype=tf.int64)), tf.constant(7) ** 5, tf.math.cumprod(tf.range(1, 8)))

# --- bfloat16_mean_rounds_once
# exact
b = tf.constant([1.0, 2.5, 3.14159], tf.bfloat16)
print(tf.reduce_mean(b), tf.reduce_mean(tf.stack([b, 3 * b]), 1), tf.reduce_mean(tf.ones([257], tf.bfloat16)))

# --- half_precision_rounds_once
# exact
b = tf.cast([1.765625, 0.40234375, 0.98046875, 2.234375, 1.8671875, -0.9765625], tf.bfloat16)
print(tf.sigmoid(b), b**3)
h = tf.cast([1.4672, 0.8579, -0.5996, 1.1406], tf.float16)
print(h**3)
