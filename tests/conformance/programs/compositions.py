# Compositions of functions: value, gradient, Hessian times vector, forward mode and Jacobian.

# --- gradient_0
# tol: 1e-4
p = tf.constant(0.33)
q = tf.constant([[-0.55, -1.1], [-1.16, 0.75], [0.99, 0.26]])
dp = tf.constant(0.55)
def f(p, q):
    a = tf.math.erf(p)
    b = tf.expand_dims(q, 1)
    c = tf.where(a > q, a, 2.0 * q)
    d = tf.exp(-tf.square(b))
    e = tf.math.cumprod(c + 1.5, axis=0)
    f = tf.stack([c, c ** 2], axis=1)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_0
# tol: 1e-4
p = tf.constant([0.03, 1.08, -0.85])
q = tf.constant([1.08, -0.45, -0.18, 0.79])
dp = tf.constant([-0.22, 0.12, -1.13])
def f(p, q):
    a = 1.0 / (1.0 + q ** 2)
    b = tf.transpose(p)
    c = tf.reduce_sum(b, axis=0)
    d = tf.sqrt(tf.square(b) + 1.0)
    e = tf.reduce_mean(b, axis=0, keepdims=True)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_0
# tol: 1e-4
p = tf.constant(-0.57)
q = tf.constant(-0.48)
dp = tf.constant(0.75)
def f(p, q):
    a = tf.nn.relu(p + 0.3)
    b = tf.sigmoid(a)
    c = b + 1.0
    d = tf.where(b > b, b, 2.0 * b)
    e = b / (2.0 + tf.abs(q))
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_0
# tol: 1e-4
p = tf.constant([-0.99, -0.63, 0.72])
q = tf.constant([0.2, -0.97, -0.16, -0.05])
dp = tf.constant([-0.82, 0.56, -0.93])
def f(p, q):
    a = p[-1]
    b = tf.nn.leaky_relu(a)
    c = b / (2.0 + tf.abs(q))
    d = tf.clip_by_value(a, -0.7, 0.9)
    e = tf.nn.log_softmax(c, axis=0)
    f = tf.transpose(e)
    g = e * f
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_0
# tol: 1e-4
p = tf.constant([1.06, 0.03, 1.14])
q = tf.constant([[-1.01], [0.26]])
dp = tf.constant([-0.3, 0.72, -0.78])
def f(p, q):
    a = q - p
    b = q + q
    c = b * a
    d = tf.tanh(b)
    e = tf.reduce_mean(c, axis=1, keepdims=True)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_0
# tol: 1e-4
p = tf.constant([0.73, 0.74, 0.04, -0.51])
q = tf.constant([[-1.07], [-0.28]])
dp = tf.constant([-0.22, -1.09, -1.08, 1.2])
def f(p, q):
    a = tf.reduce_logsumexp(q, axis=0, keepdims=True)
    b = tf.reduce_prod(p + 1.2, axis=0)
    c = tf.math.squared_difference(a, q)
    d = a / (2.0 + tf.abs(p))
    e = 0.5 * c
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_1
# tol: 1e-4
p = tf.constant(0.09)
q = tf.constant([-0.38, -0.31, -0.3, 1.17])
dp = tf.constant(0.32)
def f(p, q):
    a = tf.reduce_max(q, axis=0)
    b = tf.maximum(a, p)
    c = q[::-1]
    d = tf.repeat(c, 2, axis=0)
    e = tf.math.reduce_variance(d, axis=0)
    f = tf.reshape(d, [-1])
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_1
# tol: 1e-4
p = tf.constant([[0.3], [0.95]])
q = tf.constant([0.66, -0.66, -0.48])
dp = tf.constant([[0.9], [-1.19]])
def f(p, q):
    a = tf.atan(p)
    b = q / (2.0 + tf.abs(a))
    c = q / (2.0 + tf.abs(p))
    d = c - c
    e = tf.concat([d, 2.0 * d], axis=0)
    f = e + q
    g = tf.nn.softplus(d)
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_1
# tol: 1e-4
p = tf.constant([-0.42, 1.17, -0.44])
q = tf.constant([[0.69], [0.89]])
dp = tf.constant([-0.26, -0.15, -0.31])
def f(p, q):
    a = tf.sigmoid(p)
    b = tf.math.erf(p)
    c = tf.tile(a, [2])
    d = tf.maximum(a, p)
    e = tf.sin(c)
    f = tf.nn.softmax(e, axis=0)
    g = tf.math.atan2(d, q + 3.0)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_1
# tol: 1e-4
p = tf.constant([[0.89, -0.51], [0.25, 0.67], [0.52, 1.0]])
q = tf.constant([0.86, 1.0, -1.14, -0.15])
dp = tf.constant([[-0.04, -1.04], [-1.19, 0.79], [1.16, 0.68]])
def f(p, q):
    a = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    b = q - a
    c = tf.reduce_max(b, axis=0)
    d = 1.0 / (1.0 + b ** 2)
    e = tf.sqrt(tf.square(c) + 1.0)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_1
# tol: 1e-4
p = tf.constant([1.09, -0.7, 0.79, -0.84])
q = tf.constant([[0.03, -0.87, 0.45], [0.82, -0.18, 1.1]])
dp = tf.constant([0.78, -0.39, 0.18, 0.61])
def f(p, q):
    a = tf.linalg.norm(q + 2.0, axis=0, keepdims=True)
    b = tf.nn.softplus(q)
    c = tf.maximum(a, a)
    d = tf.reshape(a, [-1])
    e = tf.concat([c, 2.0 * c], axis=1)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_1
# tol: 1e-4
p = tf.constant([[-0.89, -0.0], [0.24, -1.13], [-0.84, 1.03]])
q = tf.constant(-1.03)
dp = tf.constant([[-0.89, 1.08], [0.29, -0.31], [0.03, 0.39]])
def f(p, q):
    a = q * p
    b = p - p
    c = b[tf.newaxis]
    d = tf.linalg.norm(c + 2.0, axis=0, keepdims=True)
    e = tf.roll(b, 1, axis=0)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_2
# tol: 1e-4
p = tf.constant([[-0.6, 1.07], [-0.75, -0.77], [-0.36, -0.65]])
q = tf.constant([[0.41], [-0.92]])
dp = tf.constant([[0.95, 0.86], [-1.19, 0.1], [-0.94, -0.58]])
def f(p, q):
    a = tf.tanh(q)
    b = 1.0 / (1.0 + q ** 2)
    c = tf.tanh(b)
    d = 1.0 / (1.0 + c ** 2)
    e = b + q
    f = tf.cast(tf.cast(c, tf.float64) * 2.0, tf.float32)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_2
# tol: 1e-4
p = tf.constant([[0.88], [0.85]])
q = tf.constant([[0.75], [-0.57]])
dp = tf.constant([[-1.01], [1.07]])
def f(p, q):
    a = tf.math.cumprod(p + 1.5, axis=0)
    b = tf.math.reduce_variance(a, axis=0)
    c = tf.math.cumprod(b + 1.5, axis=0)
    d = tf.cast(tf.cast(b, tf.float64) * 2.0, tf.float32)
    e = tf.math.l2_normalize(b + 1.5, axis=0)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_2
# tol: 1e-4
p = tf.constant([[0.79, -0.33, 0.49], [0.86, 0.34, 0.12]])
q = tf.constant([0.63, 0.52, -0.08, 0.17])
dp = tf.constant([[0.59, -1.05, 0.35], [0.57, -0.24, 0.02]])
def f(p, q):
    a = tf.math.log1p(tf.abs(p))
    b = 1.0 / (1.0 + a ** 2)
    c = a[tf.newaxis]
    d = tf.abs(a)
    e = tf.where(c > d, c, 2.0 * d)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_2
# tol: 1e-4
p = tf.constant([0.46, 0.76, -0.37])
q = tf.constant([[-1.09, 0.17, -0.85], [0.53, -0.37, -0.1]])
dp = tf.constant([1.14, 0.68, 0.83])
def f(p, q):
    a = tf.sqrt(tf.square(p) + 1.0)
    b = tf.math.l2_normalize(p + 1.5, axis=0)
    c = tf.abs(a)
    d = tf.maximum(c, b)
    e = tf.gather(b, [2, 0], axis=0)
    f = tf.math.erf(d)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_2
# tol: 1e-4
p = tf.constant([[0.16], [-0.17]])
q = tf.constant([[-0.97, -0.36], [0.29, -1.15], [0.9, 0.85]])
dp = tf.constant([[-1.09], [0.73]])
def f(p, q):
    a = q + q
    b = tf.concat([a, 2.0 * a], axis=1)
    c = tf.nn.elu(q)
    d = tf.nn.gelu(c)
    e = tf.math.l2_normalize(b + 1.5, axis=1)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_2
# tol: 1e-4
p = tf.constant([0.83, -0.81, 0.14, -0.32])
q = tf.constant([[-0.68, -0.27], [-0.17, 0.27], [0.57, -1.16]])
dp = tf.constant([-0.59, 0.25, -1.0, 1.19])
def f(p, q):
    a = tf.atan(q)
    b = tf.tanh(q)
    c = a[-1]
    d = c[..., :1]
    e = tf.square(d)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_3
# tol: 1e-4
p = tf.constant([-0.24, 0.52, -0.53])
q = tf.constant([[-1.0, 1.13, 0.15], [0.35, 0.18, -0.06]])
dp = tf.constant([-0.91, -0.45, 0.57])
def f(p, q):
    a = tf.math.atan2(q, p + 3.0)
    b = tf.nn.elu(q)
    c = tf.exp(-tf.square(a))
    d = tf.split(c, [1, 1], axis=0)[0]
    e = -b
    f = tf.cast(tf.cast(e, tf.float64) * 2.0, tf.float32)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_3
# tol: 1e-4
p = tf.constant([[-0.19, 1.02], [-0.54, -1.06]])
q = tf.constant([[-0.45, 0.52, 0.67], [0.09, -0.45, 1.0]])
dp = tf.constant([[1.03, -0.15], [-0.22, 0.27]])
def f(p, q):
    a = q - q
    b = q - q
    c = tf.nn.gelu(a)
    d = tf.sort(a, axis=0)
    e = c - d
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_3
# tol: 1e-4
p = tf.constant([[-0.53, -0.09], [-0.91, 0.05]])
q = tf.constant([[-0.22, -1.03], [-0.96, 1.17]])
dp = tf.constant([[0.47, -0.12], [0.34, -0.55]])
def f(p, q):
    a = tf.repeat(q, 2, axis=0)
    b = tf.reduce_logsumexp(a, axis=0, keepdims=True)
    c = tf.gather(a, [3, 0], axis=0)
    d = tf.math.atan2(b, c + 3.0)
    e = tf.identity(b)
    f = tf.where(d > p, d, 2.0 * p)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_3
# tol: 1e-4
p = tf.constant([0.67, 0.25, 0.5])
q = tf.constant([[-0.99, 0.31], [1.15, -0.18], [-0.93, 1.1]])
dp = tf.constant([0.42, -0.73, 0.41])
def f(p, q):
    a = tf.linalg.band_part(q, 0, -1)
    b = tf.tensor_scatter_nd_add(q, [[0]], q[:1])
    c = b / (2.0 + tf.abs(q))
    d = c + 1.0
    e = tf.abs(c)
    f = tf.transpose(d)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_3
# tol: 1e-4
p = tf.constant([-0.32, -0.72, -0.99])
q = tf.constant([0.37, -0.1, 1.17])
dp = tf.constant([0.84, 0.81, -1.08])
def f(p, q):
    a = tf.exp(-tf.square(q))
    b = tf.reverse(a, [0])
    c = tf.linalg.norm(a + 2.0, axis=0, keepdims=True)
    d = a[tf.newaxis]
    e = tf.pow(tf.abs(b) + 0.5, p)
    f = d - q
    g = tf.concat([f, 2.0 * f], axis=0)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_3
# tol: 1e-4
p = tf.constant(0.47)
q = tf.constant([[0.34], [-0.89]])
dp = tf.constant(-0.93)
def f(p, q):
    a = tf.math.squared_difference(p, q)
    b = tf.square(q)
    c = tf.nn.gelu(a)
    d = tf.nn.leaky_relu(a)
    e = tf.math.squared_difference(b, d)
    f = tf.sigmoid(c)
    g = tf.cumsum(e, axis=1)
    return g
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_4
# tol: 1e-4
p = tf.constant([[-0.41, -0.23], [0.18, 0.02]])
q = tf.constant([[0.15, 0.17], [0.9, -0.99], [0.58, 0.77]])
dp = tf.constant([[0.51, -0.22], [1.06, -1.13]])
def f(p, q):
    a = tf.nn.relu(p + 0.3)
    b = tf.math.reduce_std(p, axis=0, keepdims=True)
    c = tf.gather(q, [1, 0], axis=1)
    d = a + p
    e = tf.broadcast_to(b, [2] + [1, 2])
    f = tf.maximum(d, p)
    g = tf.math.reduce_variance(d, axis=1)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_4
# tol: 1e-4
p = tf.constant([[-0.81, -1.2], [-0.68, -0.32], [-1.2, -0.74]])
q = tf.constant(1.18)
dp = tf.constant([[0.69, -0.91], [-0.66, 0.64], [1.0, -0.35]])
def f(p, q):
    a = tf.math.reduce_variance(p, axis=1)
    b = tf.math.log1p(tf.abs(q))
    c = tf.math.reduce_std(a, axis=0, keepdims=True)
    d = b - c
    e = tf.clip_by_value(d, -0.7, 0.9)
    f = d * d
    g = 0.5 * e
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_4
# tol: 1e-4
p = tf.constant([[-0.02, -0.64], [-1.04, 0.51]])
q = tf.constant([0.75, 0.12, 0.32])
dp = tf.constant([[-0.79, 0.13], [-0.78, 0.02]])
def f(p, q):
    a = p * p
    b = tf.math.unsorted_segment_sum(p, [0, 1], 2)
    c = tf.reduce_mean(q, axis=0, keepdims=True)
    d = tf.square(a)
    e = tf.transpose(c)
    f = tf.reduce_mean(c, axis=0, keepdims=True)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_4
# tol: 1e-4
p = tf.constant([[0.47, -0.45], [-0.91, -0.42]])
q = tf.constant([[1.03, 0.7], [-1.18, -0.72], [-0.5, 1.06]])
dp = tf.constant([[-0.23, -0.76], [0.86, 0.98]])
def f(p, q):
    a = tf.reduce_max(q, axis=1)
    b = tf.atan(p)
    c = tf.boolean_mask(q, [True, False, True])
    d = 1.0 / (1.0 + c ** 2)
    e = tf.linalg.band_part(b, 0, -1)
    f = tf.linalg.norm(c + 2.0, axis=1, keepdims=True)
    g = tf.math.erf(f)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_4
# tol: 1e-4
p = tf.constant([[0.84, 0.92, 0.64], [-1.12, -1.08, -0.41]])
q = tf.constant([[0.9, 1.08], [0.08, 0.68]])
dp = tf.constant([[-0.41, 0.76, 0.76], [-1.03, 1.11, -0.38]])
def f(p, q):
    a = tf.identity(p)
    b = tf.nn.softplus(q)
    c = tf.math.reduce_variance(q, axis=0)
    d = a + 1.0
    e = tf.abs(b)
    f = tf.math.erf(c)
    g = tf.nn.log_softmax(f, axis=0)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_4
# tol: 1e-4
p = tf.constant([-1.08, 0.02, 0.05, -0.56])
q = tf.constant([[-0.89, -1.15, -0.25], [-0.29, -1.14, -0.63]])
dp = tf.constant([0.69, 0.28, 1.16, 0.87])
def f(p, q):
    a = -q
    b = tf.sigmoid(q)
    c = tf.unstack(a, axis=1)[0]
    d = tf.nn.relu(c + 0.3)
    e = tf.math.segment_sum(c, [0, 0])
    f = e[::-1]
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_5
# tol: 1e-4
p = tf.constant([-0.63, -0.17, -0.98, 0.22])
q = tf.constant(0.68)
dp = tf.constant([0.88, -0.42, -0.94, -0.24])
def f(p, q):
    a = tf.gather(p, [3, 0], axis=0)
    b = tf.math.erf(q)
    c = tf.nn.relu(q + 0.3)
    d = tf.math.squared_difference(b, p)
    e = tf.concat([d, 2.0 * d], axis=0)
    f = tf.roll(d, 1, axis=0)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_5
# tol: 1e-4
p = tf.constant([[0.97, -1.04, 0.41], [-0.07, 0.43, -1.1]])
q = tf.constant([[-1.08, -0.78], [1.15, -0.47], [0.22, 1.16]])
dp = tf.constant([[0.49, -0.7, -0.18], [-0.95, -0.52, -0.47]])
def f(p, q):
    a = tf.sigmoid(q)
    b = tf.sigmoid(a)
    c = tf.where(q > b, q, 2.0 * b)
    d = tf.math.reduce_std(a, axis=0, keepdims=True)
    e = tf.pad(b, [[1, 0], [1, 0]])
    f = 0.5 * c
    return f
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_5
# tol: 1e-4
p = tf.constant([[-0.82, 0.17, -0.29], [-0.42, 0.45, 1.13]])
q = tf.constant([1.12, 0.41, 0.79])
dp = tf.constant([[-0.1, -0.44, 0.1], [0.24, 0.99, -0.22]])
def f(p, q):
    a = tf.expand_dims(q, 0)
    b = tf.repeat(p, 2, axis=0)
    c = tf.where(a > p, a, 2.0 * p)
    d = tf.square(c)
    e = b - a
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_5
# tol: 1e-4
p = tf.constant([-0.14, 0.16, 0.98, -0.59])
q = tf.constant([0.21, -0.34, 0.62])
dp = tf.constant([0.1, -0.71, 0.04, -0.62])
def f(p, q):
    a = tf.nn.log_softmax(p, axis=0)
    b = tf.tensordot(a, a, 0)
    c = tf.dynamic_stitch([[0, 1, 2]], [q])
    d = tf.linalg.band_part(b, 0, -1)
    e = tf.cumsum(c, axis=0)
    f = d + b
    g = tf.boolean_mask(f, [True, False, True, False])
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_5
# tol: 1e-4
p = tf.constant([-1.19, 0.89, -0.62, 0.36])
q = tf.constant([[-0.04], [0.69]])
dp = tf.constant([0.91, 0.96, 0.05, 1.11])
def f(p, q):
    a = tf.reduce_mean(p, axis=0, keepdims=True)
    b = tf.roll(q, 1, axis=0)
    c = a - q
    d = tf.stack([b, b ** 2], axis=0)
    e = tf.transpose(b)
    f = e + e
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_5
# tol: 1e-4
p = tf.constant([-0.39, -0.1, 1.04, 1.07])
q = tf.constant([[-0.97], [-1.2]])
dp = tf.constant([-0.11, 0.98, 0.75, 0.97])
def f(p, q):
    a = tf.gather(q, [0, 0], axis=1)
    b = tf.where(q > a, q, 2.0 * a)
    c = tf.nn.leaky_relu(b)
    d = tf.cast(tf.cast(c, tf.float64) * 2.0, tf.float32)
    e = tf.abs(b)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_6
# tol: 1e-4
p = tf.constant([[-0.77], [-0.24]])
q = tf.constant([[0.95, -0.23, 0.44], [0.03, 0.09, 0.9]])
dp = tf.constant([[-0.61], [-0.86]])
def f(p, q):
    a = tf.reduce_sum(q, axis=0)
    b = tf.math.log1p(tf.abs(a))
    c = tf.where(b > a, b, 2.0 * a)
    d = tf.math.squared_difference(c, b)
    e = c[..., :1]
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_6
# tol: 1e-4
p = tf.constant([[0.49, 0.39], [-1.03, 0.49]])
q = tf.constant([-0.43, -0.12, 1.15, -1.05])
dp = tf.constant([[-0.76, -0.94], [0.84, 0.48]])
def f(p, q):
    a = tf.transpose(p)
    b = a @ tf.transpose(a)
    c = tf.boolean_mask(a, [True, False])
    d = tf.nn.softmax(a, axis=0)
    e = tf.nn.elu(c)
    f = tf.reshape(e, [-1])
    g = tf.where(f > p, f, 2.0 * p)
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_6
# tol: 1e-4
p = tf.constant([[-0.03, -0.6], [0.53, 0.32]])
q = tf.constant([[1.04, -1.11], [0.8, -0.01], [-0.15, -0.04]])
dp = tf.constant([[-0.88, -1.02], [0.57, 0.41]])
def f(p, q):
    a = 1.0 / (1.0 + p ** 2)
    b = tf.unstack(p, axis=0)[0]
    c = tf.pow(tf.abs(a) + 0.5, a)
    d = tf.math.squared_difference(b, c)
    e = tf.nn.leaky_relu(d)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_6
# tol: 1e-4
p = tf.constant([0.0, 0.09, -0.87])
q = tf.constant([[-0.46], [0.19]])
dp = tf.constant([0.7, -0.84, -0.65])
def f(p, q):
    a = 0.5 * p
    b = tf.math.log1p(tf.abs(a))
    c = tf.reduce_mean(a, axis=0, keepdims=True)
    d = tf.cumsum(c, axis=0)
    e = -b
    f = tf.squeeze(c[tf.newaxis])
    g = tf.sin(e)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_6
# tol: 1e-4
p = tf.constant([[0.55, 0.46], [1.06, -1.06], [0.46, 1.01]])
q = tf.constant([-0.06, -0.39, 0.24, 0.55])
dp = tf.constant([[-0.93, -0.94], [0.33, -1.1], [-1.09, -0.43]])
def f(p, q):
    a = tf.cast(tf.cast(p, tf.float64) * 2.0, tf.float32)
    b = -a
    c = tf.where(b > p, b, 2.0 * p)
    d = tf.square(a)
    e = d * p
    f = tf.abs(d)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_6
# tol: 1e-4
p = tf.constant([[1.09, 0.64], [-0.9, 0.78], [0.84, -0.36]])
q = tf.constant([[0.03], [0.25]])
dp = tf.constant([[-0.39, 0.29], [0.56, 0.87], [-0.39, -0.17]])
def f(p, q):
    a = p[::-1]
    b = tf.math.log1p(tf.abs(a))
    c = tf.reduce_mean(b, axis=0, keepdims=True)
    d = tf.reduce_max(c, axis=0)
    e = tf.nn.log_softmax(b, axis=1)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_7
# tol: 1e-4
p = tf.constant([[0.66, -0.15], [0.86, 0.47]])
q = tf.constant([[-0.97, 1.14, 0.63], [0.69, -0.89, -0.12]])
dp = tf.constant([[-0.31, 1.02], [0.35, 0.77]])
def f(p, q):
    a = tf.nn.softplus(q)
    b = tf.math.reduce_std(p, axis=0, keepdims=True)
    c = tf.sin(a)
    d = c[-1]
    e = c / (2.0 + tf.abs(q))
    f = tf.exp(-tf.square(c))
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_7
# tol: 1e-4
p = tf.constant([[0.37, -1.09, -1.15], [0.81, 0.21, -0.66]])
q = tf.constant([[0.6], [-0.57]])
dp = tf.constant([[-0.19, -0.12, 1.09], [0.94, -0.53, -0.53]])
def f(p, q):
    a = tf.transpose(p)
    b = a @ tf.transpose(a)
    c = tf.tensor_scatter_nd_add(a, [[0]], a[:1])
    d = tf.math.squared_difference(c, c)
    e = tf.exp(-tf.square(b))
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_7
# tol: 1e-4
p = tf.constant([[-0.91, -0.58], [-0.23, 1.13], [-0.81, 0.86]])
q = tf.constant([-0.81, -0.39, 0.43, 0.28])
dp = tf.constant([[1.09, -0.21], [1.06, 1.02], [0.52, -1.15]])
def f(p, q):
    a = tf.sqrt(tf.square(p) + 1.0)
    b = tf.clip_by_value(p, -0.7, 0.9)
    c = tf.math.erf(q)
    d = b[..., :1]
    e = tf.linalg.norm(c + 2.0, axis=0, keepdims=True)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_7
# tol: 1e-4
p = tf.constant([[0.18], [0.07]])
q = tf.constant([[0.63, 0.75], [0.02, 0.67], [0.71, 0.23]])
dp = tf.constant([[-0.22], [0.41]])
def f(p, q):
    a = tf.abs(q)
    b = tf.maximum(p, p)
    c = tf.cumsum(a, axis=0)
    d = tf.nn.softplus(a)
    e = tf.math.squared_difference(d, c)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_7
# tol: 1e-3
p = tf.constant([[0.97, -1.01, -0.55], [0.29, 1.04, -1.0]])
q = tf.constant([[0.31, 0.66], [0.03, 0.6], [0.91, -0.0]])
dp = tf.constant([[0.71, -1.07, 0.55], [0.65, -1.04, -0.95]])
def f(p, q):
    a = tf.stack([p, p ** 2], axis=0)
    b = tf.cumsum(a, axis=0)
    c = tf.nn.softmax(q, axis=0)
    d = tf.where(a > a, a, 2.0 * a)
    e = tf.math.reduce_std(d, axis=0, keepdims=True)
    f = tf.exp(-tf.square(e))
    g = tf.boolean_mask(e, [True])
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_7
# tol: 1e-4
p = tf.constant([[0.58], [0.61]])
q = tf.constant([[-0.08, -0.95, 1.12], [-0.43, -0.72, 0.86]])
dp = tf.constant([[0.03], [-0.77]])
def f(p, q):
    a = tf.where(q > q, q, 2.0 * q)
    b = q[-1]
    c = tf.reduce_sum(q, axis=0)
    d = tf.reduce_sum(b, axis=0)
    e = tf.where(d > q, d, 2.0 * q)
    f = d + q
    g = tf.split(e, [1, 2], axis=1)[0]
    return g
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_8
# tol: 1e-4
p = tf.constant([-0.27, 0.23, 0.03, 0.47])
q = tf.constant([[0.37], [0.87]])
dp = tf.constant([0.22, 0.07, 0.65, -0.69])
def f(p, q):
    a = tf.math.unsorted_segment_sum(q, [0, 1], 2)
    b = tf.unstack(a, axis=0)[0]
    c = tf.identity(b)
    d = tf.tensor_scatter_nd_add(a, [[0]], a[:1])
    e = tf.sin(c)
    f = tf.cast(tf.cast(c, tf.float64) * 2.0, tf.float32)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_8
# tol: 1e-4
p = tf.constant([[-0.33, 0.22, -0.26], [0.3, 0.37, -1.17]])
q = tf.constant([[0.66], [1.19]])
dp = tf.constant([[0.02, -0.93, 0.94], [0.3, -0.31, 0.52]])
def f(p, q):
    a = p + p
    b = tf.sigmoid(q)
    c = tf.pow(tf.abs(b) + 0.5, a)
    d = tf.nn.softplus(b)
    e = tf.math.cumprod(c + 1.5, axis=1)
    f = tf.nn.softmax(d, axis=0)
    g = tf.reduce_logsumexp(e, axis=1, keepdims=True)
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_8
# tol: 1e-4
p = tf.constant([[0.69, 0.8], [0.11, 1.14], [-0.63, 0.35]])
q = tf.constant(-1.04)
dp = tf.constant([[0.13, -0.23], [-0.56, 1.17], [-0.25, -0.41]])
def f(p, q):
    a = tf.where(p > p, p, 2.0 * p)
    b = tf.minimum(p, p)
    c = tf.abs(q)
    d = c - p
    e = tf.squeeze(d[tf.newaxis])
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_8
# tol: 1e-4
p = tf.constant([1.06, -0.46, -0.59])
q = tf.constant(-0.67)
dp = tf.constant([0.69, -0.68, 0.73])
def f(p, q):
    a = tf.sqrt(tf.square(p) + 1.0)
    b = tf.linalg.diag(a)
    c = tf.math.squared_difference(b, a)
    d = tf.reduce_sum(b, axis=0)
    e = tf.math.atan2(b, p + 3.0)
    f = tf.minimum(c, a)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_8
# tol: 1e-4
p = tf.constant([[0.28], [0.18]])
q = tf.constant([[0.05, -1.18, 0.12], [1.12, -0.24, -1.16]])
dp = tf.constant([[-0.61], [1.07]])
def f(p, q):
    a = tf.transpose(q)
    b = tf.linalg.norm(p + 2.0, axis=0, keepdims=True)
    c = tf.broadcast_to(q, [2] + [2, 3])
    d = 0.5 * a
    e = tf.nn.relu(b + 0.3)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_8
# tol: 1e-4
p = tf.constant([-1.17, 0.53, -0.41, 1.04])
q = tf.constant(-0.95)
dp = tf.constant([0.4, 0.77, 0.46, 1.2])
def f(p, q):
    a = tf.where(q > q, q, 2.0 * q)
    b = a + p
    c = tf.sigmoid(b)
    d = a * q
    e = tf.minimum(c, d)
    f = tf.minimum(e, p)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_9
# tol: 1e-4
p = tf.constant([-0.67, 0.04, -1.01])
q = tf.constant([[0.19, -0.99], [-0.11, 0.4], [-0.89, 1.02]])
dp = tf.constant([1.04, -0.06, 0.51])
def f(p, q):
    a = tf.math.squared_difference(q, q)
    b = tf.math.squared_difference(q, a)
    c = tf.nn.leaky_relu(b)
    d = tf.minimum(b, c)
    e = tf.math.reduce_std(c, axis=1, keepdims=True)
    f = tf.identity(c)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_9
# tol: 1e-4
p = tf.constant([[0.8, 0.89, -0.68], [-0.65, -0.02, 0.61]])
q = tf.constant([0.49, 1.07, -1.04])
dp = tf.constant([[-0.02, -0.39, 0.24], [-1.1, -0.38, -1.0]])
def f(p, q):
    a = tf.math.reduce_std(q, axis=0, keepdims=True)
    b = tf.math.atan2(p, a + 3.0)
    c = tf.minimum(a, b)
    d = tf.reverse(b, [0])
    e = tf.sqrt(tf.square(c) + 1.0)
    f = 1.0 / (1.0 + e ** 2)
    return f
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_9
# tol: 1e-4
p = tf.constant(0.54)
q = tf.constant([-1.16, 1.15, 0.54, 0.11])
dp = tf.constant(-0.63)
def f(p, q):
    a = tf.stack([q, q ** 2], axis=0)
    b = tf.nn.softmax(q, axis=0)
    c = tf.identity(b)
    d = tf.clip_by_value(c, -0.7, 0.9)
    e = tf.linalg.diag(b)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_9
# tol: 1e-4
p = tf.constant([[0.44, -0.08, 0.82], [-0.38, -0.25, -0.82]])
q = tf.constant([[-0.17], [0.54]])
dp = tf.constant([[-0.5, -0.39, -0.75], [-0.04, 1.08, 1.11]])
def f(p, q):
    a = tf.abs(p)
    b = tf.squeeze(q[tf.newaxis])
    c = tf.nn.relu(a + 0.3)
    d = tf.math.cumprod(c + 1.5, axis=0)
    e = tf.pow(tf.abs(c) + 0.5, q)
    f = tf.squeeze(e[tf.newaxis])
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_9
# tol: 1e-4
p = tf.constant([-0.46, 0.91, -0.62, -0.7])
q = tf.constant([0.83, -0.86, -0.47])
dp = tf.constant([-0.87, 0.06, 1.02, 0.08])
def f(p, q):
    a = 1.0 / (1.0 + p ** 2)
    b = tf.math.reduce_variance(q, axis=0)
    c = b + p
    d = tf.math.atan2(a, p + 3.0)
    e = d + a
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_9
# tol: 1e-4
p = tf.constant([0.21, 0.78, -0.92])
q = tf.constant([[-0.29, -0.75, -0.82], [-1.19, 1.13, -0.95]])
dp = tf.constant([1.04, -0.18, 0.5])
def f(p, q):
    a = tf.nn.elu(q)
    b = tf.reduce_sum(p, axis=0)
    c = a * a
    d = tf.where(c > q, c, 2.0 * q)
    e = tf.minimum(b, p)
    f = tf.sin(c)
    g = tf.math.l2_normalize(f + 1.5, axis=1)
    return g
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_10
# tol: 1e-4
p = tf.constant([[-0.42], [-1.13]])
q = tf.constant([[-1.07], [1.18]])
dp = tf.constant([[0.87], [0.12]])
def f(p, q):
    a = tf.nn.leaky_relu(p)
    b = tf.reverse(q, [0])
    c = tf.stack([b, b ** 2], axis=0)
    d = tf.tanh(a)
    e = tf.nn.elu(d)
    f = tf.stack([e, e ** 2], axis=0)
    g = tf.pow(tf.abs(f) + 0.5, p)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_10
# tol: 1e-4
p = tf.constant([[-0.3, 0.65], [0.41, 0.5], [-0.16, 1.19]])
q = tf.constant([1.2, 1.07, -0.74])
dp = tf.constant([[0.45, 0.4], [0.25, 0.18], [0.37, -0.63]])
def f(p, q):
    a = tf.math.cumprod(p + 1.5, axis=1)
    b = tf.reduce_mean(q, axis=0, keepdims=True)
    c = tf.math.atan2(a, b + 3.0)
    d = tf.where(a > p, a, 2.0 * p)
    e = tf.unstack(b, axis=0)[0]
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_10
# tol: 1e-4
p = tf.constant([0.26, 0.59, 0.67, -0.51])
q = tf.constant([0.46, 1.02, 0.03])
dp = tf.constant([0.9, 0.78, -0.63, 0.78])
def f(p, q):
    a = tf.stack([p, p ** 2], axis=0)
    b = tf.nn.relu(q + 0.3)
    c = tf.reduce_prod(q + 1.2, axis=0)
    d = a + c
    e = tf.cumsum(d, axis=1)
    f = tf.pow(tf.abs(c) + 0.5, b)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_10
# tol: 1e-4
p = tf.constant([[0.14, 1.18], [-0.73, 0.01], [-0.72, -0.79]])
q = tf.constant([[-0.32, -0.51], [-0.21, 1.17], [-0.01, -0.03]])
dp = tf.constant([[-0.76, -0.3], [-0.4, -0.43], [0.02, -1.01]])
def f(p, q):
    a = tf.math.squared_difference(q, p)
    b = tf.square(p)
    c = tf.math.reduce_variance(q, axis=1)
    d = tf.cast(tf.cast(c, tf.float64) * 2.0, tf.float32)
    e = tf.nn.gelu(c)
    f = tf.tensor_scatter_nd_update(c, [[0]], [0.5])
    g = tf.nn.gelu(d)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_10
# tol: 1e-4
p = tf.constant([[1.06, 0.06], [-1.04, -0.44], [0.86, -1.0]])
q = tf.constant([[1.16, 0.3, -0.84], [-1.12, -0.2, 0.13]])
dp = tf.constant([[0.47, -1.09], [1.1, 0.14], [0.01, 0.68]])
def f(p, q):
    a = tf.math.cumprod(p + 1.5, axis=0)
    b = tf.reduce_sum(q, axis=0)
    c = tf.sigmoid(q)
    d = tf.square(b)
    e = b[..., :1]
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_10
# tol: 1e-4
p = tf.constant([[-1.09, 0.04], [-0.3, -0.65], [1.06, 0.23]])
q = tf.constant([[-0.53], [-1.1]])
dp = tf.constant([[-0.85, -1.17], [-0.44, -1.14], [1.07, -0.01]])
def f(p, q):
    a = tf.math.l2_normalize(q + 1.5, axis=0)
    b = tf.identity(q)
    c = tf.math.l2_normalize(b + 1.5, axis=1)
    d = a - q
    e = tf.minimum(d, c)
    f = tf.nn.softmax(c, axis=1)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_11
# tol: 1e-4
p = tf.constant([[1.02, 0.46, -1.02], [0.3, -0.07, 0.84]])
q = tf.constant([[-0.95], [-0.15]])
dp = tf.constant([[-0.1, 0.98, 0.7], [0.07, -0.87, 0.56]])
def f(p, q):
    a = tf.sort(p, axis=1)
    b = tf.nn.leaky_relu(a)
    c = tf.minimum(a, p)
    d = tf.where(a > b, a, 2.0 * b)
    e = 0.5 * d
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_11
# tol: 1e-4
p = tf.constant([[-0.21, -0.9, 0.03], [-0.49, 0.24, -0.16]])
q = tf.constant([[-0.46, -0.35, -0.99], [0.99, -0.66, -1.17]])
dp = tf.constant([[0.76, 0.85, 1.12], [0.52, -0.39, -0.29]])
def f(p, q):
    a = tf.math.atan2(q, q + 3.0)
    b = tf.reduce_logsumexp(q, axis=1, keepdims=True)
    c = tf.gather(q, [2, 0], axis=1)
    d = a - p
    e = tf.clip_by_value(c, -0.7, 0.9)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_11
# tol: 1e-4
p = tf.constant([[-0.04, 0.84], [0.42, 0.3]])
q = tf.constant([[1.14, 0.46], [-0.89, 0.06], [0.27, -0.77]])
dp = tf.constant([[-0.81, 0.6], [1.07, 0.11]])
def f(p, q):
    a = tf.roll(p, 1, axis=1)
    b = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    c = tf.reshape(a, [-1])
    d = tf.concat([c, 2.0 * c], axis=0)
    e = tf.nn.softmax(d, axis=0)
    f = tf.nn.gelu(c)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_11
# tol: 1e-4
p = tf.constant([[0.19, 0.06], [0.88, 0.56]])
q = tf.constant([[-0.06, 0.76, 0.11], [-0.15, -1.18, 0.43]])
dp = tf.constant([[0.69, 0.49], [1.11, 0.53]])
def f(p, q):
    a = -p
    b = tf.math.atan2(a, a + 3.0)
    c = tf.roll(a, 1, axis=0)
    d = tf.nn.softplus(b)
    e = tf.math.unsorted_segment_sum(b, [0, 1], 2)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_11
# tol: 1e-4
p = tf.constant([[-0.29, 0.54, -0.43], [1.12, 0.58, -0.1]])
q = tf.constant([[-0.7], [-1.19]])
dp = tf.constant([[0.68, -0.64, -1.16], [-0.37, -0.79, -1.08]])
def f(p, q):
    a = q - q
    b = tf.cumsum(a, axis=1)
    c = b / (2.0 + tf.abs(b))
    d = tf.abs(c)
    e = tf.matmul(c, c, transpose_b=True)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_11
# tol: 1e-4
p = tf.constant([[-0.59], [0.07]])
q = tf.constant([0.63, 0.32, -0.71, -1.09])
dp = tf.constant([[0.06], [-0.72]])
def f(p, q):
    a = tf.nn.softplus(p)
    b = tf.math.erf(q)
    c = tf.tanh(b)
    d = c * b
    e = -d
    f = c / (2.0 + tf.abs(c))
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_12
# tol: 1e-4
p = tf.constant([[0.81, -1.18, -0.64], [-0.93, 0.52, -0.45]])
q = tf.constant(0.18)
dp = tf.constant([[-1.08, -0.5, 1.09], [0.98, -0.36, 0.44]])
def f(p, q):
    a = tf.maximum(p, q)
    b = tf.math.reduce_variance(a, axis=0)
    c = b * b
    d = tf.reverse(a, [1])
    e = b - a
    f = d[-1]
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_12
# tol: 1e-4
p = tf.constant([[-0.02], [-0.47]])
q = tf.constant([[-0.56, 1.16, -0.67], [-1.12, 0.85, -0.79]])
dp = tf.constant([[0.82], [0.54]])
def f(p, q):
    a = tf.maximum(q, q)
    b = tf.where(p > a, p, 2.0 * a)
    c = tf.math.log1p(tf.abs(a))
    d = tf.math.squared_difference(a, c)
    e = tf.reduce_sum(d, axis=1)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_12
# tol: 1e-4
p = tf.constant(0.95)
q = tf.constant([0.05, 0.42, 0.41, 0.16])
dp = tf.constant(0.06)
def f(p, q):
    a = p * q
    b = 1.0 / (1.0 + q ** 2)
    c = tf.maximum(a, a)
    d = tf.math.erf(c)
    e = tf.sort(b, axis=0)
    f = c[::-1]
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_12
# tol: 1e-4
p = tf.constant([[-0.69, -0.83], [0.39, 0.44], [1.04, 0.6]])
q = tf.constant([1.02, 1.07, 0.88, -1.17])
dp = tf.constant([[-0.21, 0.78], [-1.15, -0.87], [1.17, 1.18]])
def f(p, q):
    a = tf.math.erf(q)
    b = tf.split(a, [1, 3], axis=0)[0]
    c = tf.maximum(b, p)
    d = tf.split(b, [1, 0], axis=0)[0]
    e = d + b
    f = e / (2.0 + tf.abs(b))
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_12
# tol: 1e-4
p = tf.constant([[0.74], [1.17]])
q = tf.constant([[0.44, 0.53], [-1.01, -0.46], [0.15, 1.12]])
dp = tf.constant([[-0.66], [-0.36]])
def f(p, q):
    a = tf.nn.softmax(p, axis=0)
    b = 1.0 / (1.0 + p ** 2)
    c = tf.nn.elu(q)
    d = tf.concat([b, 2.0 * b], axis=0)
    e = b + b
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_12
# tol: 1e-4
p = tf.constant(0.69)
q = tf.constant([[0.12], [-0.61]])
dp = tf.constant(-0.4)
def f(p, q):
    a = tf.exp(-tf.square(p))
    b = tf.concat([q, 2.0 * q], axis=1)
    c = tf.math.unsorted_segment_sum(b, [0, 1], 2)
    d = tf.nn.leaky_relu(b)
    e = b * b
    f = tf.atan(d)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_13
# tol: 1e-4
p = tf.constant(-0.19)
q = tf.constant([1.0, 0.04, 0.81])
dp = tf.constant(-0.31)
def f(p, q):
    a = tf.math.reduce_variance(q, axis=0)
    b = tf.math.l2_normalize(q + 1.5, axis=0)
    c = b / (2.0 + tf.abs(p))
    d = tf.math.squared_difference(a, a)
    e = -b
    f = tf.exp(-tf.square(c))
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_13
# tol: 1e-4
p = tf.constant([1.01, -1.03, 1.02])
q = tf.constant([[-1.11, -0.99], [-0.9, -0.05], [-0.3, -0.95]])
dp = tf.constant([0.29, 0.03, 0.29])
def f(p, q):
    a = tf.nn.leaky_relu(p)
    b = p - p
    c = tf.math.reduce_std(a, axis=0, keepdims=True)
    d = tf.reshape(b, [-1])
    e = tf.math.atan2(b, a + 3.0)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_13
# tol: 1e-4
p = tf.constant([[0.57], [-1.16]])
q = tf.constant([[-1.11, 0.23], [0.21, -0.66], [0.33, 0.66]])
dp = tf.constant([[0.59], [-0.83]])
def f(p, q):
    a = tf.minimum(q, q)
    b = a[::-1]
    c = tf.sqrt(tf.square(b) + 1.0)
    d = tf.math.atan2(c, q + 3.0)
    e = tf.nn.softmax(b, axis=1)
    f = d / (2.0 + tf.abs(d))
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_13
# tol: 1e-4
p = tf.constant([-0.16, -0.69, 0.99, 0.27])
q = tf.constant(-0.13)
dp = tf.constant([0.01, -0.08, -0.97, -0.53])
def f(p, q):
    a = tf.math.atan2(q, q + 3.0)
    b = tf.cast(tf.cast(p, tf.float64) * 2.0, tf.float32)
    c = b * a
    d = tf.nn.elu(a)
    e = tf.sqrt(tf.square(c) + 1.0)
    f = 1.0 / (1.0 + d ** 2)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_13
# tol: 1e-4
p = tf.constant([1.19, 0.85, -0.68])
q = tf.constant(1.15)
dp = tf.constant([-0.22, 1.05, -0.66])
def f(p, q):
    a = tf.reduce_prod(p + 1.2, axis=0)
    b = q / (2.0 + tf.abs(p))
    c = tf.concat([b, 2.0 * b], axis=0)
    d = tf.nn.relu(b + 0.3)
    e = b + a
    f = tf.math.atan2(d, d + 3.0)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_13
# tol: 1e-4
p = tf.constant([[-0.44, -1.09], [0.31, -0.46], [-0.38, -0.61]])
q = tf.constant(0.93)
dp = tf.constant([[-0.22, -0.31], [0.23, -0.02], [0.16, 0.47]])
def f(p, q):
    a = tf.sigmoid(p)
    b = tf.nn.relu(a + 0.3)
    c = tf.nn.elu(a)
    d = tf.math.atan2(a, q + 3.0)
    e = tf.reduce_max(b, axis=0)
    f = d * d
    g = tf.math.atan2(e, d + 3.0)
    return g
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_14
# tol: 1e-4
p = tf.constant([[0.56, 0.96], [0.6, 0.92]])
q = tf.constant([[-0.65], [0.56]])
dp = tf.constant([[0.36, -0.52], [-0.52, 0.82]])
def f(p, q):
    a = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    b = tf.minimum(p, a)
    c = tf.where(q > a, q, 2.0 * a)
    d = tf.stack([b, b ** 2], axis=1)
    e = tf.nn.leaky_relu(b)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_14
# tol: 1e-4
p = tf.constant([-1.09, -0.07, -0.09])
q = tf.constant([[-0.05, 0.91], [0.7, -0.64]])
dp = tf.constant([0.39, -0.77, 0.06])
def f(p, q):
    a = p / (2.0 + tf.abs(p))
    b = tf.cast(tf.cast(a, tf.float64) * 2.0, tf.float32)
    c = b - b
    d = tf.math.atan2(c, b + 3.0)
    e = d / (2.0 + tf.abs(b))
    f = tf.exp(-tf.square(c))
    return f
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_14
# tol: 1e-4
p = tf.constant(0.28)
q = tf.constant(-0.78)
dp = tf.constant(0.28)
def f(p, q):
    a = tf.square(q)
    b = tf.nn.relu(q + 0.3)
    c = tf.nn.leaky_relu(a)
    d = tf.math.squared_difference(b, b)
    e = tf.sigmoid(b)
    f = tf.minimum(d, d)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_14
# tol: 1e-4
p = tf.constant([0.17, 0.68, -0.79])
q = tf.constant([[-0.05, -0.17], [-0.75, 0.09]])
dp = tf.constant([0.01, 0.55, -0.48])
def f(p, q):
    a = tf.abs(p)
    b = tf.concat([a, 2.0 * a], axis=0)
    c = tf.sin(q)
    d = tf.roll(c, 1, axis=0)
    e = tf.nn.relu(b + 0.3)
    f = tf.stack([e, e ** 2], axis=0)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_14
# tol: 1e-4
p = tf.constant([[-0.71, 0.49], [0.45, 0.45], [0.39, -0.91]])
q = tf.constant([-0.79, -0.45, -0.71])
dp = tf.constant([[-1.05, -0.32], [0.42, 0.27], [-0.7, 0.86]])
def f(p, q):
    a = tf.reduce_mean(p, axis=0, keepdims=True)
    b = a - p
    c = tf.pad(q, [[1, 0]])
    d = tf.nn.log_softmax(b, axis=0)
    e = tf.abs(b)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_14
# tol: 1e-4
p = tf.constant([[0.18, 0.65, 0.55], [-1.15, 0.1, 0.96]])
q = tf.constant(0.67)
dp = tf.constant([[0.39, -0.49, -0.77], [-0.01, 1.07, 0.94]])
def f(p, q):
    a = tf.sin(q)
    b = tf.maximum(q, p)
    c = tf.math.atan2(b, q + 3.0)
    d = tf.clip_by_value(a, -0.7, 0.9)
    e = b - d
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_15
# tol: 1e-4
p = tf.constant([-0.31, 0.44, 0.04])
q = tf.constant([[-0.2, 0.47], [-0.9, 0.48]])
dp = tf.constant([0.86, -0.2, -1.2])
def f(p, q):
    a = tf.math.reduce_variance(q, axis=1)
    b = tf.math.reduce_variance(q, axis=1)
    c = tf.sin(a)
    d = tf.cast(tf.cast(c, tf.float64) * 2.0, tf.float32)
    e = tf.cast(tf.cast(d, tf.float64) * 2.0, tf.float32)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_15
# tol: 1e-4
p = tf.constant([[-0.52, 0.98, 0.77], [-0.5, 0.8, 0.97]])
q = tf.constant([-0.52, 0.94, -0.24, 0.18])
dp = tf.constant([[-0.74, 0.81, 0.92], [-0.06, 0.12, -0.7]])
def f(p, q):
    a = tf.expand_dims(q, 0)
    b = tf.tensordot(a, a, [[0], [0]])
    c = tf.expand_dims(a, 1)
    d = tf.unstack(c, axis=1)[0]
    e = tf.squeeze(d[tf.newaxis])
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_15
# tol: 1e-4
p = tf.constant([[0.24, -1.02], [-0.36, -0.4], [-1.11, 0.86]])
q = tf.constant([-1.12, -1.19, 0.33, -1.1])
dp = tf.constant([[-0.84, -0.72], [-0.01, -0.18], [-0.1, 0.44]])
def f(p, q):
    a = tf.nn.softmax(q, axis=0)
    b = tf.scatter_nd([[i] for i in range(4)], a, [5])
    c = b[::-1]
    d = tf.reduce_prod(c + 1.2, axis=0)
    e = tf.math.l2_normalize(b + 1.5, axis=0)
    f = c + b
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_15
# tol: 1e-4
p = tf.constant(1.17)
q = tf.constant([[0.1, -0.1], [-0.16, 0.39], [-1.06, 1.13]])
dp = tf.constant(-0.14)
def f(p, q):
    a = tf.math.reduce_std(q, axis=0, keepdims=True)
    b = tf.exp(-tf.square(p))
    c = tf.atan(b)
    d = tf.reduce_logsumexp(a, axis=1, keepdims=True)
    e = tf.linalg.norm(d + 2.0, axis=0, keepdims=True)
    f = d / (2.0 + tf.abs(a))
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_15
# tol: 1e-4
p = tf.constant([-0.62, 0.69, 0.53, -1.09])
q = tf.constant([-0.41, -0.57, 0.15])
dp = tf.constant([0.93, -0.47, 1.13, -0.0])
def f(p, q):
    a = tf.where(q > q, q, 2.0 * q)
    b = q + 1.0
    c = a + q
    d = tf.reduce_prod(b + 1.2, axis=0)
    e = tf.nn.elu(b)
    f = tf.cumsum(e, axis=0)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_15
# tol: 1e-4
p = tf.constant(0.1)
q = tf.constant([0.99, -0.66, -0.29, -0.22])
dp = tf.constant(-0.06)
def f(p, q):
    a = p - p
    b = tf.transpose(q)
    c = 0.5 * q
    d = 0.5 * c
    e = c - q
    f = c[-1]
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_16
# tol: 1e-4
p = tf.constant([[0.55], [0.56]])
q = tf.constant([[0.12], [-0.02]])
dp = tf.constant([[0.08], [0.44]])
def f(p, q):
    a = tf.repeat(q, 2, axis=0)
    b = tf.reduce_max(p, axis=0)
    c = tf.math.reduce_std(a, axis=0, keepdims=True)
    d = tf.where(b > q, b, 2.0 * q)
    e = tf.math.atan2(d, c + 3.0)
    f = -d
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_16
# tol: 1e-4
p = tf.constant([0.42, -0.16, 0.05])
q = tf.constant([[1.15, -0.77], [0.59, -1.12], [-1.08, -0.36]])
dp = tf.constant([0.45, 1.06, -0.79])
def f(p, q):
    a = p + p
    b = tf.abs(a)
    c = a + 1.0
    d = tf.exp(-tf.square(a))
    e = d * p
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_16
# tol: 1e-4
p = tf.constant([[1.06], [0.84]])
q = tf.constant([-1.03, -0.5, -0.99, -0.36])
dp = tf.constant([[-0.53], [-1.09]])
def f(p, q):
    a = tf.maximum(q, q)
    b = a / (2.0 + tf.abs(q))
    c = tf.reshape(q, [-1])
    d = tf.stack([a, a ** 2], axis=0)
    e = tf.boolean_mask(b, [True, False, True, False])
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_16
# tol: 1e-4
p = tf.constant([[0.01, 0.16], [0.03, 1.13], [0.28, 0.16]])
q = tf.constant([[-0.51, 0.13], [-0.08, 0.26], [1.03, -0.61]])
dp = tf.constant([[-0.46, -0.26], [-0.55, -0.36], [1.05, -0.29]])
def f(p, q):
    a = tf.nn.softplus(p)
    b = tf.math.reduce_std(q, axis=0, keepdims=True)
    c = tf.nn.gelu(a)
    d = tf.transpose(a)
    e = 1.0 / (1.0 + d ** 2)
    f = tf.linalg.norm(c + 2.0, axis=1, keepdims=True)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_16
# tol: 1e-4
p = tf.constant([0.8, 0.23, -0.51])
q = tf.constant([[-1.1, 1.14], [0.23, 0.7], [0.98, 0.45]])
dp = tf.constant([-0.74, 1.16, -0.52])
def f(p, q):
    a = tf.split(p, [1, 2], axis=0)[0]
    b = tf.tensordot(a, a, 0)
    c = tf.reduce_prod(q + 1.2, axis=1)
    d = tf.gather(c, [2, 0], axis=0)
    e = b * q
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_16
# tol: 1e-4
p = tf.constant([1.06, -0.34, 0.68, 0.22])
q = tf.constant(-0.49)
dp = tf.constant([1.01, 0.89, -0.33, 1.14])
def f(p, q):
    a = tf.pow(tf.abs(q) + 0.5, p)
    b = tf.minimum(q, p)
    c = tf.nn.relu(q + 0.3)
    d = tf.reshape(b, [-1])
    e = d[tf.newaxis]
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_17
# tol: 1e-4
p = tf.constant([-0.82, 0.21, 0.78])
q = tf.constant([[-0.49, 0.44], [-0.09, 0.94]])
dp = tf.constant([0.16, 1.18, -0.62])
def f(p, q):
    a = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    b = tf.math.erf(a)
    c = tf.reduce_sum(b, axis=1)
    d = b * c
    e = tf.broadcast_to(b, [2] + [2, 2])
    f = tf.broadcast_to(c, [2] + [2])
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_17
# tol: 1e-4
p = tf.constant([[-0.45, -0.66], [-0.76, 0.86]])
q = tf.constant([[0.86, -0.95], [-0.51, 0.39], [0.48, -0.15]])
dp = tf.constant([[-0.04, 0.58], [-0.15, 1.1]])
def f(p, q):
    a = tf.expand_dims(p, 0)
    b = q - q
    c = tf.clip_by_value(q, -0.7, 0.9)
    d = tf.exp(-tf.square(a))
    e = tf.sort(b, axis=1)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_17
# tol: 1e-4
p = tf.constant([[0.81, 0.46, -0.68], [-0.9, -0.3, 0.61]])
q = tf.constant(0.56)
dp = tf.constant([[-0.21, 0.35, 0.78], [-1.04, 0.09, 0.61]])
def f(p, q):
    a = p * p
    b = tf.nn.softplus(p)
    c = tf.reduce_max(a, axis=1)
    d = tf.pow(tf.abs(b) + 0.5, a)
    e = tf.sigmoid(d)
    f = d * a
    g = tf.nn.gelu(d)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_17
# tol: 1e-4
p = tf.constant([0.33, 1.18, -0.97, 0.02])
q = tf.constant([[-0.25], [-0.71]])
dp = tf.constant([0.92, 0.1, 0.27, -0.52])
def f(p, q):
    a = tf.stack([p, p ** 2], axis=0)
    b = tf.minimum(a, p)
    c = 0.5 * q
    d = a[::-1]
    e = tf.nn.softmax(c, axis=1)
    f = tf.math.l2_normalize(c + 1.5, axis=1)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_17
# tol: 1e-4
p = tf.constant([[1.16, -1.1], [-0.91, -0.09]])
q = tf.constant([[1.11, -0.87], [-0.42, -0.74], [-0.43, -1.07]])
dp = tf.constant([[0.33, -1.04], [1.14, -0.84]])
def f(p, q):
    a = tf.math.log1p(tf.abs(q))
    b = tf.linalg.trace(tf.matmul(p, p, transpose_a=True))
    c = a / (2.0 + tf.abs(a))
    d = tf.nn.leaky_relu(b)
    e = -b
    f = -d
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_17
# tol: 1e-4
p = tf.constant([0.36, -0.05, 0.01])
q = tf.constant([0.56, -0.02, -1.02, -0.2])
dp = tf.constant([1.17, -0.8, 0.76])
def f(p, q):
    a = q * q
    b = tf.math.reduce_variance(a, axis=0)
    c = tf.cast(tf.cast(b, tf.float64) * 2.0, tf.float32)
    d = tf.clip_by_value(b, -0.7, 0.9)
    e = b * p
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_18
# tol: 1e-4
p = tf.constant([0.85, 0.32, -0.92])
q = tf.constant([[-0.36, -0.62], [-1.02, -0.06]])
dp = tf.constant([0.95, -0.14, 0.28])
def f(p, q):
    a = q[..., :1]
    b = tf.nn.relu(p + 0.3)
    c = tf.repeat(b, 2, axis=0)
    d = tf.atan(a)
    e = tf.math.squared_difference(b, d)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_18
# tol: 1e-4
p = tf.constant([[0.1], [0.82]])
q = tf.constant([0.6, -0.4, 0.24])
dp = tf.constant([[-0.73], [-0.84]])
def f(p, q):
    a = q / (2.0 + tf.abs(p))
    b = tf.math.segment_sum(q, [0, 0, 1])
    c = tf.pad(q, [[1, 0]])
    d = tf.linalg.norm(c + 2.0, axis=0, keepdims=True)
    e = tf.tanh(d)
    f = tf.roll(d, 1, axis=0)
    g = 0.5 * f
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_18
# tol: 1e-4
p = tf.constant([[1.03, 0.03], [0.51, 0.01], [-0.62, 0.9]])
q = tf.constant(-1.03)
dp = tf.constant([[0.49, -0.97], [-0.13, 0.06], [-0.56, -1.05]])
def f(p, q):
    a = tf.where(p > q, p, 2.0 * q)
    b = tf.minimum(p, a)
    c = tf.math.erf(q)
    d = tf.where(a > p, a, 2.0 * p)
    e = tf.nn.softmax(d, axis=1)
    f = d - c
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_18
# tol: 1e-4
p = tf.constant(-0.83)
q = tf.constant([-0.79, 0.01, 0.38])
dp = tf.constant(0.64)
def f(p, q):
    a = q + 1.0
    b = tf.math.atan2(q, p + 3.0)
    c = tf.transpose(a)
    d = tf.split(c, [1, 2], axis=0)[0]
    e = b / (2.0 + tf.abs(d))
    f = tf.math.squared_difference(d, e)
    g = tf.abs(d)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_18
# tol: 1e-4
p = tf.constant([[-0.92, 0.83], [0.72, -1.16], [-1.02, -0.01]])
q = tf.constant(0.79)
dp = tf.constant([[-0.57, -0.45], [0.53, -1.08], [0.77, 1.12]])
def f(p, q):
    a = p + q
    b = a @ tf.transpose(a)
    c = tf.pow(tf.abs(a) + 0.5, q)
    d = 1.0 / (1.0 + c ** 2)
    e = tf.sqrt(tf.square(b) + 1.0)
    f = tf.math.reduce_std(d, axis=0, keepdims=True)
    g = tf.sqrt(tf.square(d) + 1.0)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_18
# tol: 1e-4
p = tf.constant([[-1.03, -0.84, -0.85], [0.27, -0.1, 1.2]])
q = tf.constant([[-0.01, -0.79], [-1.09, 0.5]])
dp = tf.constant([[-0.03, 0.27, -0.51], [-0.84, -0.53, 0.54]])
def f(p, q):
    a = tf.atan(q)
    b = p - p
    c = tf.math.atan2(a, q + 3.0)
    d = tf.cumsum(b, axis=0)
    e = tf.nn.gelu(c)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_19
# tol: 1e-4
p = tf.constant([0.55, -0.86, -0.16])
q = tf.constant([0.49, 0.26, 0.35, -0.16])
dp = tf.constant([0.03, 0.94, -0.94])
def f(p, q):
    a = tf.expand_dims(q, 0)
    b = tf.math.erf(a)
    c = tf.math.reduce_std(a, axis=0, keepdims=True)
    d = tf.math.erf(b)
    e = tf.math.squared_difference(c, d)
    f = tf.identity(d)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_19
# tol: 1e-4
p = tf.constant([[0.49], [0.25]])
q = tf.constant([0.11, 0.77, -1.2])
dp = tf.constant([[-0.92], [0.3]])
def f(p, q):
    a = tf.maximum(p, q)
    b = tf.where(q > a, q, 2.0 * a)
    c = tf.nn.relu(q + 0.3)
    d = tf.expand_dims(c, 0)
    e = tf.cumsum(b, axis=1)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_19
# tol: 1e-4
p = tf.constant(-0.79)
q = tf.constant([[0.9, 1.1], [1.08, 0.02]])
dp = tf.constant(0.24)
def f(p, q):
    a = tf.identity(q)
    b = tf.nn.leaky_relu(a)
    c = tf.pow(tf.abs(a) + 0.5, b)
    d = tf.math.erf(b)
    e = tf.atan(c)
    f = tf.broadcast_to(c, [2] + [2, 2])
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_19
# tol: 1e-4
p = tf.constant([0.9, -0.82, 0.25])
q = tf.constant([-0.33, 0.03, -0.47])
dp = tf.constant([0.47, -0.26, -0.76])
def f(p, q):
    a = tf.where(p > p, p, 2.0 * p)
    b = tf.math.erf(a)
    c = a * p
    d = b + 1.0
    e = d * p
    f = tf.scatter_nd([[i] for i in range(3)], d, [4])
    g = tf.math.l2_normalize(f + 1.5, axis=0)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_19
# tol: 1e-4
p = tf.constant([[1.03, 1.05], [-0.53, -0.68]])
q = tf.constant([[0.07, -1.11], [0.41, 1.03]])
dp = tf.constant([[-0.15, 0.9], [-1.02, 0.73]])
def f(p, q):
    a = -q
    b = tf.pow(tf.abs(p) + 0.5, p)
    c = tf.linalg.norm(b + 2.0, axis=1, keepdims=True)
    d = tf.clip_by_value(c, -0.7, 0.9)
    e = d / (2.0 + tf.abs(p))
    f = c[..., :1]
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_19
# tol: 1e-4
p = tf.constant([[1.09], [0.56]])
q = tf.constant([0.77, -0.86, 0.62])
dp = tf.constant([[-1.14], [0.15]])
def f(p, q):
    a = q + 1.0
    b = tf.math.l2_normalize(p + 1.5, axis=1)
    c = tf.math.squared_difference(q, p)
    d = tf.concat([b, 2.0 * b], axis=0)
    e = tf.math.atan2(d, q + 3.0)
    return e
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_20
# tol: 1e-4
p = tf.constant([0.85, -1.06, -0.6, 0.37])
q = tf.constant([0.19, 0.15, 0.1])
dp = tf.constant([-0.3, 1.15, 0.35, -1.12])
def f(p, q):
    a = tf.square(q)
    b = tf.reshape(q, [-1])
    c = tf.linalg.norm(q + 2.0, axis=0, keepdims=True)
    d = tf.nn.elu(a)
    e = b - c
    f = tf.repeat(c, 2, axis=0)
    g = 1.0 / (1.0 + d ** 2)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_20
# tol: 1e-4
p = tf.constant([[0.32, -0.49, 0.78], [0.19, 0.22, 0.7]])
q = tf.constant([-0.13, -0.27, -0.69])
dp = tf.constant([[-1.13, 0.67, 0.41], [1.06, -0.19, 0.78]])
def f(p, q):
    a = tf.math.reduce_std(q, axis=0, keepdims=True)
    b = tf.abs(a)
    c = q[tf.newaxis]
    d = tf.squeeze(c[tf.newaxis])
    e = tf.math.atan2(b, a + 3.0)
    f = tf.nn.relu(c + 0.3)
    return f
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_20
# tol: 1e-4
p = tf.constant([0.78, -0.78, -0.29, -0.7])
q = tf.constant([0.77, 0.01, 0.65])
dp = tf.constant([-1.02, 0.98, 1.02, -1.12])
def f(p, q):
    a = tf.cumsum(q, axis=0)
    b = tf.tile(q, [2])
    c = tf.reduce_prod(b + 1.2, axis=0)
    d = tf.math.l2_normalize(b + 1.5, axis=0)
    e = tf.math.cumprod(d + 1.5, axis=0)
    f = tf.abs(e)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_20
# tol: 1e-4
p = tf.constant([[0.44, -1.07, -0.67], [-0.76, -0.78, 0.75]])
q = tf.constant([[1.02], [-0.54]])
dp = tf.constant([[0.77, 0.94, 0.03], [-0.61, 0.78, -0.69]])
def f(p, q):
    a = tf.sigmoid(q)
    b = a + q
    c = q / (2.0 + tf.abs(a))
    d = tf.math.reduce_std(a, axis=0, keepdims=True)
    e = tf.abs(c)
    f = tf.sigmoid(d)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_20
# tol: 1e-4
p = tf.constant([[0.68], [0.69]])
q = tf.constant([1.13, 0.6, 0.37, 1.05])
dp = tf.constant([[-0.77], [0.21]])
def f(p, q):
    a = tf.concat([p, 2.0 * p], axis=0)
    b = tf.reduce_max(q, axis=0)
    c = tf.math.squared_difference(q, a)
    d = c + b
    e = tf.abs(b)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_20
# tol: 1e-4
p = tf.constant([0.84, -0.02, -0.26])
q = tf.constant([-0.77, -0.96, 0.67])
dp = tf.constant([0.69, 0.89, -0.43])
def f(p, q):
    a = tf.minimum(q, p)
    b = a + a
    c = b[-1]
    d = tf.math.cumprod(a + 1.5, axis=0)
    e = tf.reduce_logsumexp(b, axis=0, keepdims=True)
    f = tf.tensordot(e, e, 0)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_21
# tol: 1e-4
p = tf.constant([-1.19, 1.06, -1.04, 1.15])
q = tf.constant([[-0.9, -0.95, 0.76], [1.06, 0.07, -0.9]])
dp = tf.constant([0.67, -0.95, -0.95, -0.05])
def f(p, q):
    a = tf.nn.relu(q + 0.3)
    b = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    c = tf.where(b > a, b, 2.0 * a)
    d = tf.nn.leaky_relu(b)
    e = tf.math.atan2(b, a + 3.0)
    f = tf.roll(e, 1, axis=0)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_21
# tol: 1e-4
p = tf.constant([[-1.05, -0.7, -0.48], [0.98, -0.44, 0.21]])
q = tf.constant([1.1, 0.75, -0.56, -1.09])
dp = tf.constant([[1.0, -0.77, 1.08], [-0.17, 0.73, -0.45]])
def f(p, q):
    a = tf.math.log1p(tf.abs(p))
    b = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    c = tf.minimum(a, p)
    d = tf.expand_dims(c, 0)
    e = tf.scatter_nd([[i] for i in range(4)], b, [5])
    f = tf.nn.relu(d + 0.3)
    g = tf.reduce_mean(f, axis=2, keepdims=True)
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_21
# tol: 1e-4
p = tf.constant(0.38)
q = tf.constant([-0.07, -0.16, -0.23])
dp = tf.constant(-1.01)
def f(p, q):
    a = tf.tanh(q)
    b = tf.math.reduce_variance(q, axis=0)
    c = b - a
    d = -a
    e = tf.reduce_prod(d + 1.2, axis=0)
    f = tf.minimum(d, c)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_21
# tol: 1e-4
p = tf.constant([-0.28, -0.64, 0.96, 0.94])
q = tf.constant(0.66)
dp = tf.constant([0.7, 0.98, -0.34, 1.0])
def f(p, q):
    a = 0.5 * q
    b = p - p
    c = tf.cast(tf.cast(b, tf.float64) * 2.0, tf.float32)
    d = tf.nn.softplus(c)
    e = d * b
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_21
# tol: 1e-4
p = tf.constant([-0.11, -1.01, -0.47, -0.22])
q = tf.constant([[0.61, -0.1], [-1.18, 0.02], [0.52, -1.2]])
dp = tf.constant([-0.2, 0.63, 0.48, -0.78])
def f(p, q):
    a = tf.reduce_max(q, axis=0)
    b = tf.minimum(p, p)
    c = tf.nn.softmax(b, axis=0)
    d = tf.gather(c, [3, 0], axis=0)
    e = d[tf.newaxis]
    f = d[..., :1]
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_21
# tol: 1e-4
p = tf.constant([[0.35], [0.24]])
q = tf.constant([[0.08], [-0.84]])
dp = tf.constant([[-1.0], [1.17]])
def f(p, q):
    a = tf.math.squared_difference(p, p)
    b = q * p
    c = tf.broadcast_to(b, [2] + [2, 1])
    d = tf.sqrt(tf.square(c) + 1.0)
    e = tf.matmul(b, b, transpose_b=True)
    f = tf.reduce_logsumexp(e, axis=1, keepdims=True)
    g = tf.roll(e, 1, axis=0)
    return g
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_22
# tol: 1e-4
p = tf.constant([[-0.86, 0.73], [0.59, 0.92], [0.81, 0.26]])
q = tf.constant([0.09, 1.06, 1.13])
dp = tf.constant([[-0.5, 1.17], [1.12, -0.7], [1.17, 0.23]])
def f(p, q):
    a = tf.reverse(p, [0])
    b = tf.reduce_logsumexp(p, axis=0, keepdims=True)
    c = 1.0 / (1.0 + a ** 2)
    d = c / (2.0 + tf.abs(b))
    e = tf.linalg.trace(tf.matmul(d, d, transpose_a=True))
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_22
# tol: 1e-4
p = tf.constant([[1.14, 0.03], [-0.33, 0.18], [0.24, -0.63]])
q = tf.constant([[0.77], [0.9]])
dp = tf.constant([[0.18, 0.26], [0.6, 0.46], [-0.69, 0.29]])
def f(p, q):
    a = tf.linalg.norm(q + 2.0, axis=1, keepdims=True)
    b = tf.cumsum(a, axis=0)
    c = tf.reduce_prod(q + 1.2, axis=1)
    d = tf.math.erf(a)
    e = tf.nn.softplus(b)
    return e
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_22
# tol: 1e-4
p = tf.constant([[1.12, 0.01], [0.11, 0.67], [-0.47, 0.71]])
q = tf.constant([0.6, 0.38, -0.71, -0.37])
dp = tf.constant([[0.25, -0.34], [-1.11, -0.41], [0.63, -1.07]])
def f(p, q):
    a = tf.nn.leaky_relu(p)
    b = tf.sqrt(tf.square(q) + 1.0)
    c = tf.reduce_mean(b, axis=0, keepdims=True)
    d = tf.nn.log_softmax(b, axis=0)
    e = tf.math.reduce_variance(b, axis=0)
    f = tf.math.l2_normalize(d + 1.5, axis=0)
    g = tf.maximum(f, c)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_22
# tol: 1e-4
p = tf.constant([[0.12, -0.53], [0.96, 1.17]])
q = tf.constant([[-0.66], [-0.76]])
dp = tf.constant([[0.98, 0.01], [0.89, 0.21]])
def f(p, q):
    a = tf.math.atan2(q, p + 3.0)
    b = tf.minimum(p, p)
    c = tf.maximum(a, a)
    d = tf.repeat(b, 2, axis=1)
    e = tf.math.log1p(tf.abs(b))
    f = -c
    g = tf.sin(e)
    return g
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_22
# tol: 1e-4
p = tf.constant([-0.89, -1.03, -0.92, -0.31])
q = tf.constant([[0.81, 0.01], [1.07, -0.69], [-0.78, 0.74]])
dp = tf.constant([0.05, -0.83, -0.88, -0.0])
def f(p, q):
    a = tf.math.squared_difference(p, p)
    b = tf.nn.leaky_relu(p)
    c = tf.nn.softmax(q, axis=0)
    d = tf.tensor_scatter_nd_update(a, [[0]], [0.5])
    e = d + b
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_22
# tol: 1e-4
p = tf.constant([[0.86, -0.54, -0.18], [0.3, -0.08, -0.06]])
q = tf.constant([0.16, -0.37, -1.04])
dp = tf.constant([[-0.02, 0.79, 0.72], [0.69, 0.02, -0.77]])
def f(p, q):
    a = tf.sort(q, axis=0)
    b = 0.5 * q
    c = tf.broadcast_to(a, [2] + [3])
    d = tf.broadcast_to(a, [2] + [3])
    e = tf.tanh(c)
    f = -e
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_23
# tol: 1e-4
p = tf.constant([0.18, 0.69, 0.15])
q = tf.constant([[1.05, 0.87], [0.22, 0.36], [-0.79, -1.01]])
dp = tf.constant([0.37, -0.34, -0.57])
def f(p, q):
    a = tf.math.log1p(tf.abs(q))
    b = 1.0 / (1.0 + p ** 2)
    c = tf.reduce_logsumexp(a, axis=1, keepdims=True)
    d = tf.math.reduce_std(c, axis=0, keepdims=True)
    e = tf.abs(d)
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_23
# tol: 1e-4
p = tf.constant([[-0.2, 0.19, -0.86], [-1.02, 1.08, -0.99]])
q = tf.constant([[0.65, -0.65], [0.89, 0.62]])
dp = tf.constant([[-1.01, -0.9, -0.88], [1.17, -0.79, -0.53]])
def f(p, q):
    a = tf.reduce_sum(q, axis=0)
    b = tf.unstack(q, axis=1)[0]
    c = tf.math.reduce_std(q, axis=1, keepdims=True)
    d = tf.nn.leaky_relu(c)
    e = c * c
    f = e - e
    g = tf.math.unsorted_segment_sum(e, [0, 1], 2)
    return g
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_23
# tol: 1e-4
p = tf.constant(0.4)
q = tf.constant(0.29)
dp = tf.constant(0.5)
def f(p, q):
    a = tf.atan(p)
    b = tf.math.squared_difference(p, a)
    c = a * p
    d = c + 1.0
    e = d / (2.0 + tf.abs(b))
    f = tf.nn.relu(e + 0.3)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_23
# tol: 1e-4
p = tf.constant([0.57, 1.19, -1.2, -0.77])
q = tf.constant(0.1)
dp = tf.constant([0.24, -0.28, -0.49, 0.08])
def f(p, q):
    a = 1.0 / (1.0 + q ** 2)
    b = tf.math.erf(q)
    c = -q
    d = tf.atan(c)
    e = tf.math.atan2(c, a + 3.0)
    f = tf.sqrt(tf.square(d) + 1.0)
    return f
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_23
# tol: 1e-4
p = tf.constant([-1.15, -0.94, 0.35, 1.11])
q = tf.constant([[0.65, 0.98], [-0.65, -0.59]])
dp = tf.constant([-0.36, -0.1, 0.13, 0.74])
def f(p, q):
    a = tf.nn.elu(q)
    b = tf.reduce_prod(q + 1.2, axis=1)
    c = tf.clip_by_value(q, -0.7, 0.9)
    d = tf.cumsum(a, axis=0)
    e = tf.linalg.norm(b + 2.0, axis=0, keepdims=True)
    f = tf.sin(d)
    return f
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_23
# tol: 1e-4
p = tf.constant([-0.21, 1.14, 0.01])
q = tf.constant(0.37)
dp = tf.constant([0.5, 0.92, -0.27])
def f(p, q):
    a = tf.sqrt(tf.square(p) + 1.0)
    b = tf.pow(tf.abs(a) + 0.5, p)
    c = q - b
    d = tf.pow(tf.abs(c) + 0.5, b)
    e = tf.math.cumprod(d + 1.5, axis=0)
    f = tf.nn.elu(d)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))

# --- gradient_24
# tol: 1e-4
p = tf.constant([[0.7, -1.06], [-0.48, -0.98], [-0.49, -1.03]])
q = tf.constant([[1.06, 0.78, -0.01], [-0.83, -0.76, 0.04]])
dp = tf.constant([[-0.8, -1.04], [0.73, -0.77], [0.82, -0.93]])
def f(p, q):
    a = tf.unstack(p, axis=0)[0]
    b = tf.linalg.trace(tf.matmul(p, p, transpose_a=True))
    c = q / (2.0 + tf.abs(q))
    d = tf.math.reduce_variance(a, axis=0)
    e = tf.unstack(c, axis=1)[0]
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
print(y, tape.gradient(y, [p, q]))

# --- second_order_24
# tol: 1e-4
p = tf.constant(0.24)
q = tf.constant(-0.56)
dp = tf.constant(0.89)
def f(p, q):
    a = tf.math.atan2(p, q + 3.0)
    b = tf.math.log1p(tf.abs(a))
    c = tf.math.log1p(tf.abs(a))
    d = tf.minimum(b, q)
    e = d + q
    f = tf.nn.gelu(c)
    return f
with tf.GradientTape() as outer:
    outer.watch([p, q])
    with tf.GradientTape() as inner:
        inner.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = inner.gradient(y, p, unconnected_gradients="zero")
    s = tf.reduce_sum(g * dp)
print(y, g, outer.gradient(s, [p, q]))

# --- forward_24
# tol: 1e-4
p = tf.constant([0.72, -0.29, -0.18])
q = tf.constant([-0.39, 0.97, -0.82])
dp = tf.constant([-0.93, 0.54, -1.0])
def f(p, q):
    a = tf.cumsum(q, axis=0)
    b = tf.sin(a)
    c = tf.cast(tf.cast(q, tf.float64) * 2.0, tf.float32)
    d = b[tf.newaxis]
    e = tf.cumsum(c, axis=0)
    return e
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    y = f(p, q)
print(y, acc.jvp(y))

# --- jacobian_24
# tol: 1e-4
p = tf.constant([1.17, 0.68, 0.32, 0.12])
q = tf.constant([[0.66, -0.52], [-0.96, 0.47]])
dp = tf.constant([-0.24, -1.0, 0.19, -0.9])
def f(p, q):
    a = q * q
    b = tf.math.reduce_variance(a, axis=1)
    c = tf.einsum('ij,ij->i', a, a)
    d = tf.unstack(a, axis=1)[0]
    e = tf.scatter_nd([[i] for i in range(2)], c, [3])
    return e
with tf.GradientTape() as tape:
    tape.watch([p, q])
    y = f(p, q)
jp, jq = tape.jacobian(y, [p, q])
print(y.shape, jp, jq)

# --- forward_over_reverse_24
# tol: 1e-4
p = tf.constant([[0.33, 0.12], [0.57, 0.41], [-0.27, 1.07]])
q = tf.constant([[0.86, -0.67], [0.27, 0.35]])
dp = tf.constant([[0.27, 1.2], [1.19, -0.44], [-0.25, 0.83]])
def f(p, q):
    a = tf.pad(p, [[1, 0], [1, 0]])
    b = tf.square(q)
    c = tf.math.log1p(tf.abs(b))
    d = tf.math.squared_difference(c, q)
    e = c[..., :1]
    f = tf.reduce_sum(e, axis=1)
    g = tf.roll(d, 1, axis=1)
    return g
with tf.autodiff.ForwardAccumulator(p, dp) as acc:
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = tf.reduce_sum(f(p, q))
    g = tape.gradient(y, p, unconnected_gradients="zero")
print(g, acc.jvp(g))

# --- vectorized_24
# tol: 1e-4
p = tf.constant([[-1.0, -0.57, -0.67], [0.57, -0.1, -0.72]])
q = tf.constant([[-0.02, 1.18, 0.47], [-0.1, 0.85, -0.86]])
dp = tf.constant([[1.09, 0.57, -0.94], [-0.69, 0.73, 0.91]])
def f(p, q):
    a = tf.sigmoid(q)
    b = p + q
    c = tf.reduce_mean(a, axis=1, keepdims=True)
    d = tf.sin(a)
    e = tf.math.atan2(b, b + 3.0)
    f = tf.nn.leaky_relu(d)
    return f
ps = tf.stack([p, p + dp, p - dp])
print(tf.vectorized_map(lambda r: f(r, q), ps))
