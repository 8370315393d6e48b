# Elementwise mathematics: values and gradients, kinks, zeros, infinities.

# --- exponentials
x = tf.constant([-1.0, 0.0, 0.5, 2.0])
print(tf.exp(x), tf.math.expm1(x), tf.math.log1p(tf.abs(x)), tf.math.log(tf.abs(x) + 1))

# --- trigonometric
x = tf.constant([-1.0, 0.0, 0.5, 0.9])
print(tf.sin(x), tf.cos(x), tf.tan(x), tf.asin(x), tf.acos(x), tf.atan(x), tf.math.atan2(x, 2 * x + 3))

# --- hyperbolic
x = tf.constant([-0.5, 0.0, 0.7])
print(tf.sinh(x), tf.cosh(x), tf.tanh(x), tf.asinh(x), tf.math.acosh(x + 2), tf.math.atanh(x))

# --- roots_and_powers
x = tf.constant([1.0, 4.0, 9.0])
print(tf.sqrt(x), tf.math.rsqrt(x), tf.square(x), tf.pow(x, 1.5), tf.math.reciprocal(x), x ** -1)

# --- rounding
x = tf.constant([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.7])
print(tf.round(x), tf.math.rint(x), tf.floor(x), tf.math.ceil(x), tf.sign(x))

# --- special_functions
x = tf.constant([0.1, 0.5, 1.5, 3.0])
print(tf.math.erf(x), tf.math.erfc(x), tf.math.lgamma(x), tf.math.digamma(x), tf.math.ndtri(tf.constant([0.1, 0.9])))
print(tf.math.igamma(x, x), tf.math.zeta(x + 1, x), tf.math.polygamma(tf.constant(1.0), x), tf.math.erfinv(tf.constant([0.2, -0.4])))

# --- gradients_table
# tol: 2e-5
x = tf.constant([0.2, 0.6])
for f in (tf.exp, tf.math.expm1, tf.math.log, tf.math.log1p, tf.sin, tf.cos, tf.tan, tf.asin, tf.acos, tf.atan, tf.sinh, tf.cosh, tf.tanh, tf.asinh, tf.math.atanh, tf.sqrt, tf.math.rsqrt, tf.square, tf.math.reciprocal, tf.math.erf, tf.math.erfc, tf.math.lgamma, tf.math.digamma, tf.sigmoid, tf.nn.softplus, tf.nn.softsign, tf.math.erfinv):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(tape.gradient(y, x).numpy())

# --- binary_gradients_table
x, z = tf.constant([1.5, 2.5]), tf.constant([0.5, 4.0])
for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.minimum, tf.math.atan2, tf.math.squared_difference, tf.math.floormod, tf.math.divide_no_nan, tf.math.multiply_no_nan, tf.math.xlogy, tf.math.xdivy, tf.math.xlog1py):
    with tf.GradientTape() as tape:
        tape.watch([x, z])
        y = f(x, z)
    gx, gz = tape.gradient(y, [x, z])
    print(gx.numpy(), gz.numpy())

# --- maximum_ties_go_first
x, z = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    a, b = tf.maximum(x, z), tf.minimum(x, z)
print(tape.gradient(a, [x, z]), tape.gradient(b, [x, z]))

# --- maximum_nan_goes_second
n = float("nan")
x, z = tf.Variable([n, 1.0]), tf.Variable([1.0, n])
with tf.GradientTape(persistent=True) as tape:
    a, b = tf.maximum(x, z), tf.minimum(x, z)
print(a, tape.gradient(a, [x, z]), tape.gradient(b, [x, z]))

# --- relu_family_at_kinks
x = tf.constant([-1.0, 0.0, 1.0, 6.0, 7.0])
for f in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.nn.elu, tf.nn.selu, tf.abs, tf.sign):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(y.numpy(), tape.gradient(y, x).numpy())

# --- clip_by_value_at_bounds
x = tf.constant([-2.0, -1.0, 0.0, 1.0, 2.0, float("nan")])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.clip_by_value(x, -1.0, 1.0)
print(y, tape.gradient(y, x))

# --- clip_by_value_bounds_gradient
x, lo, hi = tf.Variable([-2.0, 0.0, 2.0]), tf.Variable(-1.0), tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.clip_by_value(x, lo, hi)
print(tape.gradient(y, [x, lo, hi]))

# --- sqrt_protected_by_where
x = tf.constant([-1.0, 0.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.where(x > 0, tf.sqrt(x), 0.0)
print(y, tape.gradient(y, x))

# --- log_not_protected_by_where
x = tf.constant([0.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.where(x > 0, tf.math.log(x), 0.0)
print(y, tape.gradient(y, x))

# --- log_protected_by_double_where
x = tf.constant([0.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    safe = tf.where(x > 0, x, tf.ones_like(x))
    y = tf.where(x > 0, tf.math.log(safe), 0.0)
print(y, tape.gradient(y, x))

# --- sqrt_at_zero
x = tf.Variable([0.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.sqrt(x)
print(tape.gradient(y, x))

# --- power_zero_exponent_at_zero
x = tf.Variable([0.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    a = x ** 0
    b = x ** 2
    c = x ** 0.5
print(tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x))

# --- power_negative_base
x = tf.Variable([-2.0, 0.0, 2.0])
p = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x ** p
print(y, tape.gradient(y, [x, p]))

# --- power_nan
x, p = tf.Variable(-2.0), tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = x ** p
print(y, tape.gradient(y, [x, p]))

# --- division_by_zero_gradient
x, z = tf.Variable([1.0, 0.0]), tf.Variable([0.0, 0.0])
with tf.GradientTape(persistent=True) as tape:
    a = x / z
    b = tf.math.divide_no_nan(x, z)
print(a, tape.gradient(a, [x, z]), b, tape.gradient(b, [x, z]))

# --- multiply_no_nan
x, z = tf.Variable(float("nan")), tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = tf.math.multiply_no_nan(x, z)
print(y, tape.gradient(y, [x, z]))

# --- xlogy_at_zero
x, z = tf.Variable([0.0, 0.0, 2.0]), tf.Variable([0.0, 1.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.math.xlogy(x, z)
print(y, tape.gradient(y, [x, z]))

# --- atan2_at_origin
x, z = tf.Variable(0.0), tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = tf.math.atan2(x, z)
print(y, tape.gradient(y, [x, z]))

# --- infinities
x = tf.constant([float("inf"), -float("inf"), float("nan")])
print(tf.exp(x), tf.tanh(x), tf.sigmoid(x), tf.nn.softplus(x), tf.nn.relu(x), tf.math.log(x), tf.sqrt(x))

# --- overflow_of_exp
x = tf.Variable([100.0, -200.0])
with tf.GradientTape() as tape:
    y = tf.exp(x)
print(y, tape.gradient(y, x))

# --- sigmoid_extremes
x = tf.Variable([-100.0, -20.0, 20.0, 100.0])
with tf.GradientTape() as tape:
    y = tf.sigmoid(x)
print(y, tape.gradient(y, x))

# --- softplus_extremes
x = tf.Variable([-100.0, -20.0, 20.0, 100.0])
with tf.GradientTape() as tape:
    y = tf.nn.softplus(x)
print(y, tape.gradient(y, x))

# --- log_sigmoid
x = tf.Variable([-50.0, 0.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.math.log_sigmoid(x)
print(y, tape.gradient(y, x))

# --- abs_gradient_at_zero
x = tf.Variable([-3.0, 0.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.abs(x)
print(tape.gradient(y, x))

# --- mod_gradients_negative
x, m = tf.Variable([-7.5, 7.5]), tf.Variable([2.0, -2.0])
with tf.GradientTape() as tape:
    y = tf.math.floormod(x, m)
print(y, tape.gradient(y, [x, m]))

# --- predicates
x = tf.constant([1.0, float("nan"), float("inf"), -float("inf")])
print(tf.math.is_nan(x), tf.math.is_inf(x), tf.math.is_finite(x))

# --- comparisons
a, b = tf.constant([1, 2, 3]), tf.constant([3, 2, 1])
print(tf.equal(a, b), tf.not_equal(a, b), tf.greater(a, b), tf.less_equal(a, b))

# --- integer_functions
a = tf.constant([5, -5])
print(tf.math.floordiv(a, 3), tf.math.mod(a, 3), tf.abs(a), tf.maximum(a, 0), tf.pow(a, 2), tf.square(a), tf.negative(a))

# --- add_n_and_accumulate
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.add_n([a, b, a * b])
print(y, tape.gradient(y, [a, b]))

# --- scalar_mul
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.math.scalar_mul(3.0, x)
print(y, tape.gradient(y, x))

# --- nextafter_and_squared_difference
print(tf.math.squared_difference([1.0, 5.0], 3.0), tf.math.nextafter(tf.constant(1.0, tf.float64), tf.constant(2.0, tf.float64)) > 1.0)

# --- polyval
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.math.polyval([1.0, -3.0, 2.0, 5.0], x)
print(y, tape.gradient(y, x))

# --- lbeta_and_cumulative_logs
x = tf.Variable([0.5, 1.5, 2.0])
with tf.GradientTape() as tape:
    y = tf.math.lbeta(x)
print(y, tape.gradient(y, x))

# --- bessel
x = tf.constant([0.5, 2.0])
print(tf.math.bessel_i0(x), tf.math.bessel_i1(x), tf.math.bessel_i0e(x))

# --- sinc_like_with_where
x = tf.Variable([0.0, 1.0])
with tf.GradientTape() as tape:
    safe = tf.where(x == 0, 1.0, x)
    y = tf.where(x == 0, 1.0, tf.sin(safe) / safe)
print(y, tape.gradient(y, x))

# --- huber_by_hand
e = tf.Variable([-3.0, -0.5, 0.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.where(tf.abs(e) <= 1.0, 0.5 * e ** 2, tf.abs(e) - 0.5)
print(y, tape.gradient(y, e))

# --- smooth_functions_second_order
x = tf.Variable(0.6)
for f in (tf.tan, tf.asin, tf.atan, tf.math.erf, tf.math.lgamma, tf.math.log1p, tf.math.expm1, tf.sinh):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = f(x)
        g = t1.gradient(y, x)
    print(t2.gradient(g, x).numpy())

# --- where_broadcasts
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
s = tf.Variable(10.0)
with tf.GradientTape() as tape:
    y = tf.where([True, False], x, s)
print(y, tape.gradient(y, [x, s]))

# --- where_constants_is_none
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.where(x > 1, 5.0, 6.0)
print(y, tape.gradient(y, x))

# --- where_one_argument
print(tf.where(tf.constant([True, False, True])), tf.where(tf.constant([[0, 1], [2, 0]])))
