# Special values: what each function and its gradient make of zeros, infinities, NaN, huge and tiny.

# --- math_exp
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.exp(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_expm1
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.expm1(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_log
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_log1p
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log1p(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_sin
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sin(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_cos
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.cos(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_tan
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.tan(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_asin
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.asin(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_acos
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.acos(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_atan
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.atan(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_sinh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sinh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_cosh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.cosh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_tanh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.tanh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_asinh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.asinh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_acosh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.acosh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_atanh
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.atanh(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_sqrt
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sqrt(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_rsqrt
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.rsqrt(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_square
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.square(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_reciprocal
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.reciprocal(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_abs
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.abs(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_negative
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.negative(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_sign
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sign(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_floor
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.floor(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_ceil
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.ceil(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_rint
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.rint(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_round
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.round(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_erf
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erf(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_erfc
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erfc(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_lgamma
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.lgamma(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_digamma
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.digamma(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_sigmoid
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.sigmoid(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_log_sigmoid
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.log_sigmoid(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_softplus
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.softplus(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_softsign
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.softsign(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_erfinv
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.erfinv(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- math_ndtri
# tol: 1e-4
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.ndtri(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_relu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.relu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_relu6
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.relu6(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_leaky_relu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.leaky_relu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_elu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.elu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_selu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.selu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_silu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.silu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_gelu
nan, inf = float("nan"), float("inf")
x = tf.constant([nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.5, 1e-20, -1e-20, 1e20, -1e20, 90.0, -90.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.gelu(x)
g = tape.gradient(y, x)
print(y.numpy().tolist())
print(None if g is None else g.numpy().tolist())

# --- nn_softmax
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0], [inf, 1.0], [-inf, 1.0], [inf, inf], [-inf, -inf], [1e30, -1e30], [0.0, 0.0], [-0.0, 200.0], [1e-30, 1e-30]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.softmax(x)
        z = y * [1.0, 2.0]
    print(y.numpy().tolist(), tape.gradient(z, x).numpy().tolist())

# --- nn_log_softmax
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0], [inf, 1.0], [-inf, 1.0], [inf, inf], [-inf, -inf], [1e30, -1e30], [0.0, 0.0], [-0.0, 200.0], [1e-30, 1e-30]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.log_softmax(x)
        z = y * [1.0, 2.0]
    print(y.numpy().tolist(), tape.gradient(z, x).numpy().tolist())

# --- nn_l2_normalize
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0], [inf, 1.0], [-inf, 1.0], [inf, inf], [-inf, -inf], [1e30, -1e30], [0.0, 0.0], [-0.0, 200.0], [1e-30, 1e-30]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.l2_normalize(x)
        z = y * [1.0, 2.0]
    print(y.numpy().tolist(), tape.gradient(z, x).numpy().tolist())

# --- binary_add
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.add(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_subtract
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.subtract(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_multiply
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.multiply(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_divide
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.divide(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_pow
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.pow(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_maximum
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.maximum(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_minimum
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.minimum(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_atan2
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.atan2(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_squared_difference
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.squared_difference(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_floormod
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.floormod(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_floordiv
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.floordiv(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_divide_no_nan
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.divide_no_nan(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_multiply_no_nan
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.multiply_no_nan(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_xlogy
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.xlogy(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_xdivy
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.xdivy(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- binary_xlog1py
nan, inf = float("nan"), float("inf")
values = [nan, inf, -inf, 0.0, 1.0, -1.0, 2.5, -3.0]
a, b = tf.meshgrid(tf.constant(values), tf.constant(values), indexing="ij")
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = tf.math.xlog1py(a, b)
ga, gb = tape.gradient(y, [a, b])
for name, t in (("value", y), ("first", ga), ("second", gb)):
    print(name, None if t is None else t.numpy().tolist())

# --- reduce_sum
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_sum(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_mean
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_mean(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_max
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_max(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_min
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_min(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_prod
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_prod(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_std
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_std(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_variance
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_variance(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_logsumexp
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_logsumexp(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- reduce_euclidean_norm
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.reduce_euclidean_norm(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- cumsum
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumsum(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- cumprod
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumprod(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())

# --- cumulative_logsumexp
nan, inf = float("nan"), float("inf")
for values in ([nan, 1.0, 2.0], [inf, 1.0, 2.0], [-inf, 1.0, 2.0], [inf, inf, 1.0], [inf, -inf, 1.0], [-inf, -inf, -inf], [0.0, 0.0, 0.0], [0.0, 3.0, 2.0], [1e20, 1e20, 1.0], [1e-30, 1e-30, 1e-30], [2.0, 2.0, 2.0]):
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumulative_logsumexp(x)
    print(y.numpy().tolist(), tape.gradient(y, x).numpy().tolist())
