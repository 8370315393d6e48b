# Nested tapes and derivatives of any order.

# --- second_derivative_of_cube
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
    dy = inner.gradient(y, x)
print(dy, outer.gradient(dy, x))

# --- third_derivative
x = tf.Variable(2.0)
with tf.GradientTape() as t3:
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = x ** 4
        d1 = t1.gradient(y, x)
    d2 = t2.gradient(d1, x)
d3 = t3.gradient(d2, x)
print(d1, d2, d3)

# --- fifth_derivative_of_sin_product
def nth(f, x, n):
    if n == 0:
        return f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nth(f, x, n - 1)
    return tape.gradient(y, x)
x = tf.constant(0.7)
print([float(nth(lambda v: tf.sin(v) * tf.exp(v), x, n)) for n in range(6)])

# --- second_derivative_of_linear_is_none
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 3 * x + 1
    dy = inner.gradient(y, x)
print(dy, outer.gradient(dy, x))

# --- second_derivative_of_powers_zero_and_one
x = tf.Variable(2.0)
for p in (0, 1, 2):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x ** p
        dy = inner.gradient(y, x)
    print(p, dy, outer.gradient(dy, x))

# --- gradient_call_outside_outer
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
dy = inner.gradient(y, x)
print(outer.gradient(dy, x))

# --- inner_gradient_used_in_loss
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(x ** 3)
    g = inner.gradient(y, x)
    penalty = tf.reduce_sum(g ** 2)
print(outer.gradient(penalty, x))

# --- mixed_partials
x, y = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        f = x ** 2 * y ** 3
    fx, fy = inner.gradient(f, [x, y])
print(outer.gradient(fx, [x, y]), outer.gradient(fy, [x, y]))

# --- persistent_tape_used_as_both
x = tf.Variable(1.5)
with tf.GradientTape(persistent=True) as tape:
    y = tf.tanh(x)
    dy = tape.gradient(y, x)
print(dy, tape.gradient(dy, x))

# --- hessian_by_rows
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        f = x[0] ** 2 * x[1] + tf.sin(x[2]) * x[0]
    g = inner.gradient(f, x)
    parts = tf.unstack(g)
print(tf.stack([outer.gradient(p, x) for p in parts]))

# --- hessian_by_jacobian
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        f = tf.reduce_prod(x) + tf.reduce_sum(x ** 3)
    g = inner.gradient(f, x)
print(outer.jacobian(g, x))

# --- hessian_vector_product_reverse_over_reverse
x = tf.constant([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, -1.0])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        f = tf.reduce_sum(x ** 4) + x[0] * x[2]
    g = inner.gradient(f, x)
print(outer.gradient(g, x, output_gradients=v))

# --- hessian_vector_product_via_dot
w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
v = tf.constant([[1.0, 0.0], [0.0, 1.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        f = tf.reduce_sum(tf.sin(w @ w))
    g = inner.gradient(f, w)
    dot = tf.reduce_sum(g * v)
print(outer.gradient(dot, w))

# --- inner_watch_only
x = tf.constant(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x ** 3
    dy = inner.gradient(y, x)
print(dy, outer.gradient(dy, x))

# --- outer_watch_constant
x = tf.constant(2.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x ** 3
    dy = inner.gradient(y, x)
print(outer.gradient(dy, x))

# --- gradient_with_respect_to_output_gradients
x = tf.Variable([1.0, 2.0])
u = tf.Variable([1.0, 1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 2
    g = inner.gradient(y, x, output_gradients=tf.identity(u))
print(outer.gradient(g, u))

# --- second_order_matmul
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
b = tf.Variable([[0.5, -1.0], [1.0, 2.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum((a @ b) ** 2)
    ga = inner.gradient(y, a)
    z = tf.reduce_sum(ga * ga)
print(*outer.gradient(z, [a, b]))

# --- second_order_activations
x = tf.constant([-1.5, -0.2, 0.3, 2.0])
for f in (tf.nn.sigmoid, tf.nn.tanh, tf.nn.softplus, tf.nn.elu, tf.nn.selu, tf.nn.swish, tf.nn.gelu):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    print(outer.gradient(g, x))

# --- second_order_relu
x = tf.constant([-1.0, 0.0, 2.0])
for f in (tf.nn.relu, tf.nn.leaky_relu, tf.abs):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    print(g, outer.gradient(g, x))

# --- second_order_softmax
x = tf.constant([0.1, 0.5, -0.3])
w = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = tf.reduce_sum(tf.nn.softmax(x) * w)
    g = inner.gradient(y, x)
print(outer.jacobian(g, x))

# --- second_order_cross_entropy
logits = tf.Variable([[0.2, -0.4, 1.0]])
labels = tf.constant([2])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    g = inner.gradient(loss, logits)
    n = tf.reduce_sum(g ** 2)
print(outer.gradient(n, logits))

# --- second_order_sigmoid_cross_entropy
x = tf.Variable([-1.0, 0.5, 3.0])
z = tf.constant([0.0, 1.0, 1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)
    g = inner.gradient(loss, x)
print(g, outer.gradient(g, x))

# --- second_order_division_and_sqrt
x = tf.Variable(2.0)
for f in (lambda v: 1 / v, tf.sqrt, tf.math.rsqrt, tf.math.log, lambda v: v ** 2.5, tf.math.reciprocal):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        g = inner.gradient(y, x)
    print(g, outer.gradient(g, x))

# --- second_order_reductions
x = tf.Variable([1.0, 2.0, 4.0])
for f in (tf.reduce_mean, tf.reduce_prod, tf.reduce_logsumexp, tf.math.reduce_variance, tf.math.reduce_std, tf.norm):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        g = inner.gradient(y, x)
        s = tf.reduce_sum(g * tf.constant([1.0, -1.0, 2.0]))
    print(outer.gradient(s, x))

# --- second_order_gather
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.gather(x, [0, 2, 2]) ** 3)
    g = tf.convert_to_tensor(inner.gradient(y, x))
    s = tf.reduce_sum(g)
print(g, outer.gradient(s, x))

# --- second_order_slice_and_concat
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.concat([x[1:], x[:1] ** 2], 0) ** 2)
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- second_order_einsum
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.einsum("ij,jk,ki->", a, a, a)
    g = inner.gradient(y, a)
    s = tf.reduce_sum(g)
print(g, outer.gradient(s, a))

# --- second_order_where
x = tf.Variable([-1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.where(x > 0, x ** 3, x ** 2))
    g = inner.gradient(y, x)
print(outer.gradient(g, x))

# --- second_order_broadcast
a = tf.Variable(2.0)
b = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum((a * b) ** 3)
    ga = inner.gradient(y, a)
print(ga, *outer.gradient(ga, [a, b]))

# --- linear_in_vector_second_is_none
x = tf.Variable([1.0, 2.0])
w = tf.constant([3.0, 4.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(x * w)
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- inner_tape_inside_loop
x = tf.Variable(1.0)
with tf.GradientTape() as outer:
    y = x
    for _ in range(3):
        with tf.GradientTape() as inner:
            inner.watch(y)
            z = y ** 2
        y = inner.gradient(z, y)
print(y, outer.gradient(y, x))

# --- unrolled_gradient_descent
lr = tf.Variable(0.1)
with tf.GradientTape() as outer:
    w = tf.constant([1.0, -2.0])
    for _ in range(4):
        with tf.GradientTape() as inner:
            inner.watch(w)
            loss = tf.reduce_sum(w ** 4)
        w = w - lr * inner.gradient(loss, w)
    final = tf.reduce_sum(w ** 4)
print(final, outer.gradient(final, lr))

# --- second_derivative_wrt_two_variables_list
x, y = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        f = tf.exp(x * y)
    grads = inner.gradient(f, [x, y])
print([[float(v) for v in outer.gradient(g, [x, y])] for g in grads])

# --- outer_tape_watch_accessed_false
x = tf.Variable(3.0)
with tf.GradientTape(watch_accessed_variables=False) as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- gradient_inside_other_tape_context_of_unrelated
x, w = tf.Variable(2.0), tf.Variable(5.0)
with tf.GradientTape() as t1:
    y = x ** 2
with tf.GradientTape() as t2:
    g = t1.gradient(y, x)
    z = g * w
print(t2.gradient(z, [x, w]))

# --- stop_recording_of_inner
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 2
        with inner.stop_recording():
            z = x ** 3
        total = y + z
    g = inner.gradient(total, x)
    w = g * z
print(g, outer.gradient(w, x))

# --- ode_residual
t = tf.constant([[0.1], [0.5], [0.9]])
with tf.GradientTape() as t2:
    t2.watch(t)
    with tf.GradientTape() as t1:
        t1.watch(t)
        u = tf.exp(-t) * tf.sin(2 * t)
    du = t1.gradient(u, t)
d2u = t2.gradient(du, t)
print(tf.abs(d2u + 2 * du + 5 * u) < 1e-5)
