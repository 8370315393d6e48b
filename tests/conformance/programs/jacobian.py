# jacobian and batch_jacobian.

# --- vector_by_vector
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.jacobian(y, x))

# --- scalar_source
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.stack([x, x ** 2, x ** 3])
print(tape.jacobian(y, x))

# --- scalar_target
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x ** 2)
print(tape.jacobian(y, x))

# --- matrix_times_vector
a = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
x = tf.Variable([[1.0], [2.0]])
with tf.GradientTape(persistent=True) as tape:
    y = a @ x
print(tape.jacobian(y, x).shape, tape.jacobian(y, a).shape, tape.jacobian(y, x)[:, 0, :, 0])

# --- several_sources
x, y = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = x * y
j = tape.jacobian(z, [x, y])
print(j)

# --- dict_of_sources
p = {"a": tf.Variable([1.0, 2.0]), "b": tf.Variable([[1.0], [2.0]])}
with tf.GradientTape() as tape:
    z = p["a"] ** 2 + p["b"][:, 0]
print(tape.jacobian(z, p))

# --- unconnected_is_none
x, w = tf.Variable([1.0, 2.0]), tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * 2
print(tape.jacobian(y, w), tape.jacobian(y, [x, w])[1])

# --- unconnected_zero
x, w = tf.Variable([1.0, 2.0]), tf.Variable([5.0, 5.0, 5.0])
with tf.GradientTape() as tape:
    y = x * 2
print(tape.jacobian(y, w, unconnected_gradients=tf.UnconnectedGradients.ZERO))

# --- without_pfor_persistent
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = tf.sin(x) * x
print(tape.jacobian(y, x, experimental_use_pfor=False))

# --- without_pfor_needs_persistent
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.sin(x) * x
tape.jacobian(y, x, experimental_use_pfor=False)

# --- parallel_iterations_argument
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = tf.exp(x)
print(tape.jacobian(y, x, parallel_iterations=2, experimental_use_pfor=False))

# --- second_use
# phrase: non-persistent
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x * x
tape.jacobian(y, x)
tape.jacobian(y, x)

# --- dense_layer_weights
x = tf.constant([[1.0, 2.0]])
w = tf.Variable([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])
b = tf.Variable([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    y = tf.tanh(x @ w + b)
jw, jb = tape.jacobian(y, [w, b])
print(jw.shape, jb.shape, jb[0], jw[0, :, 0])

# --- batch_jacobian_elementwise
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x ** 2
print(tape.batch_jacobian(y, x))

# --- batch_jacobian_layer
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
w = tf.constant([[1.0, 0.5, -1.0], [2.0, 0.0, 1.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.sigmoid(x @ w)
j = tape.batch_jacobian(y, x)
print(j.shape, j[0], j[2])

# --- batch_jacobian_unconnected_is_zeros
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.ones([2, 3])
print(tape.batch_jacobian(y, x))

# --- batch_jacobian_unconnected_zero
x = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.constant([[1.0], [1.0]])
print(tape.batch_jacobian(y, x, unconnected_gradients="zero"))

# --- batch_jacobian_without_pfor
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.stack([x[:, 0] * x[:, 1], x[:, 0] ** 2], axis=1)
print(tape.batch_jacobian(y, x, experimental_use_pfor=False))

# --- batch_jacobian_higher_rank
x = tf.reshape(tf.range(12.0), [2, 3, 2])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(x ** 2, axis=1)
print(tape.batch_jacobian(y, x).shape)

# --- batch_jacobian_batch_mismatch
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reshape(x, [1, 4])
tape.batch_jacobian(y, x)

# --- batch_jacobian_of_vectors_refused
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print(outcome(lambda: tape.batch_jacobian(y, x)))

# --- jacobian_of_matmul_self
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = a @ a
j = tape.jacobian(y, a)
print(j.shape, tf.reshape(j, [4, 4]))

# --- jacobian_of_softmax
x = tf.Variable([0.1, 0.2, 0.7])
with tf.GradientTape() as tape:
    y = tf.nn.softmax(x)
print(tape.jacobian(y, x))

# --- jacobian_of_reductions
x = tf.Variable([[1.0, 2.0], [3.0, 5.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_prod(x, axis=0)
    b = tf.reduce_logsumexp(x, axis=1)
    c = tf.reduce_max(x, axis=1)
print(tape.jacobian(a, x), tape.jacobian(b, x), tape.jacobian(c, x))

# --- jacobian_of_gather
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(x, [2, 0, 2]) ** 2
print(tf.convert_to_tensor(tape.jacobian(y, x)))

# --- jacobian_of_cumsum_and_reverse
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.cumsum(x ** 2)
    b = tf.reverse(x, [0]) * x
print(tape.jacobian(a, x), tape.jacobian(b, x))

# --- jacobian_of_where_and_clip
x = tf.Variable([-2.0, 0.5, 3.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.where(x > 0, x ** 2, 0.1 * x)
    b = tf.clip_by_value(x, -1.0, 1.0)
print(tape.jacobian(a, x), tape.jacobian(b, x))

# --- jacobian_of_concat_and_transpose
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.concat([tf.transpose(x), x * x], axis=1)
j = tape.jacobian(y, x)
print(j.shape, tf.reduce_sum(j, axis=[2, 3]))

# --- jacobian_inside_outer_tape
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.stack([x[0] ** 2 * x[1], tf.sin(x[1])])
    j = inner.jacobian(y, x)
    s = tf.reduce_sum(j ** 2)
print(j, outer.gradient(s, x))

# --- hessian_of_two_layer_net
w = tf.Variable([[0.3, -0.2], [0.1, 0.4]])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
    g = t1.gradient(loss, w)
h = t2.jacobian(g, w)
print(h.shape, tf.reshape(h, [4, 4]))

# --- newton_step
x = tf.Variable([1.0, 1.0])
for _ in range(5):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            f = (x[0] - 2) ** 4 + (x[0] - 2 * x[1]) ** 2
        g = t1.gradient(f, x)
    h = t2.jacobian(g, x)
    x.assign_sub(tf.linalg.solve(h, g[:, None])[:, 0])
print(x.numpy())

# --- jacobian_target_is_source
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.identity(x)
print(tape.jacobian(y, x))

# --- jacobian_integer_target
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.cast(x, tf.int32)
print(outcome(lambda: tape.jacobian(y, x)))

# --- jacobian_float64
x = tf.constant([0.1, 0.2], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.stack([tf.exp(x[0]), x[0] * x[1]])
print(tape.jacobian(y, x))

# --- jacobian_of_empty_target
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x[2:] * 2
print(outcome(lambda: tape.jacobian(y, x)))

# --- jacobian_with_constant_factor
x = tf.Variable([1.0, 2.0])
m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.linalg.matvec(m, x)
print(tape.jacobian(y, x))

# --- jacobian_inside_the_context
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x ** 3
    j = tape.jacobian(y, x)
print(j, tape.gradient(j, x))

# --- determinant_of_jacobian
x = tf.constant([1.0, 0.5])
with tf.GradientTape() as tape:
    tape.watch(x)
    r, theta = x[0], x[1]
    y = tf.stack([r * tf.cos(theta), r * tf.sin(theta)])
print(tf.linalg.det(tape.jacobian(y, x)))

# --- products_of_vectors_in_a_vectorized_map
m = tf.ones([2, 1])
for f in (lambda v: v @ m, lambda v: tf.matmul(m, v), lambda v: tf.matmul(v, v)):
    print(outcome(tf.vectorized_map, f, tf.ones([3, 2])))
print(tf.vectorized_map(lambda v: tf.linalg.matvec(m, v, transpose_a=True), tf.ones([3, 2])))
print(tf.vectorized_map(lambda v: v[None] @ m, tf.ones([3, 2])).shape)
