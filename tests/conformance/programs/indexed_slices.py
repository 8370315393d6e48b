# IndexedSlices: where gradients are sparse, and what can be done with them.

# --- gather_gives_slices
v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, [0, 2])
g = tape.gradient(y, v)
print(type(g).__name__, g.values, g.indices, g.dense_shape)

# --- embedding_lookup_gives_slices
table = tf.Variable(tf.reshape(tf.range(8.0), [4, 2]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 3, 1]) ** 2)
g = tape.gradient(y, table)
print(type(g).__name__, g.values, g.indices, g.dense_shape)

# --- repeated_indices_are_not_merged
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(v, [1, 1, 1])
g = tape.gradient(y, v)
print(g.indices, g.values, tf.convert_to_tensor(g))

# --- watched_constant_too
c = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(c)
    y = tf.gather(c, [2])
print(type(tape.gradient(y, c)).__name__)

# --- axis_one_is_dense
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, [1], axis=1)
print(tape.gradient(y, v))

# --- batch_dims_is_dense
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, [[1], [0]], batch_dims=1)
print(y, tape.gradient(y, v))

# --- arithmetic_upstream_is_dense
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(v * 2.0, [0])
print(tape.gradient(y, v))

# --- identity_keeps_slices
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(tf.identity(v), [0])
print(type(tape.gradient(y, v)).__name__)

# --- indexing_is_dense
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = v[1] * 2
print(tape.gradient(y, v))

# --- gather_nd_gradient
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.gather_nd(v, [[0, 1], [1, 1]])
    b = tf.gather_nd(v, [[1]])
print(tape.gradient(a, v), type(tape.gradient(b, v)).__name__, tf.convert_to_tensor(tape.gradient(b, v)))

# --- sparse_read_gives_slices
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = v.sparse_read([1])
g = tape.gradient(y, v)
print(type(g).__name__, g.indices, g.values)

# --- two_sparse_are_concatenated
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(v, [0])) + 2 * tf.reduce_sum(tf.gather(v, [0, 2]))
g = tape.gradient(y, v)
print(type(g).__name__, sorted(zip(g.indices.numpy().tolist(), g.values.numpy().tolist())))

# --- sparse_plus_dense_is_dense
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(v, [0])) + tf.reduce_sum(v ** 2)
print(tape.gradient(y, v))

# --- indices_keep_int64
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(v, tf.constant([2, 0], tf.int64))
g = tape.gradient(y, v)
print(g.indices.dtype, g.dense_shape.dtype)

# --- matrix_of_indices
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, [[0, 1], [1, 1]])
g = tape.gradient(y, v)
print(y.shape, g.values.shape, g.indices, tf.convert_to_tensor(g))

# --- scalar_index
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.gather(v, 1)
g = tape.gradient(y, v)
print(type(g).__name__, g.values, g.indices)

# --- assign_sub_slices_via_scatter
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(v, [0, 0, 2]) ** 2)
g = tape.gradient(y, v)
v.scatter_sub(tf.IndexedSlices(0.1 * g.values, g.indices))
print(v.numpy())

# --- assign_sub_of_slices
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(v, [0, 0, 2]))
g = tape.gradient(y, v)
v.assign_sub(g)
print(v.numpy())

# --- scalar_times_slices
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
print(type(0.1 * tf.convert_to_tensor(g)).__name__, outcome(lambda: (0.1 * g).shape), outcome(lambda: (g * 0.1).shape))

# --- scalar_mul_keeps_slices
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
s = tf.math.scalar_mul(2.0, g)
print(type(s).__name__, s.values)

# --- negation_keeps_slices
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
n = -g
print(type(n).__name__, n.values, type(tf.negative(g)).__name__)

# --- square_densifies
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
print(tf.square(g))

# --- reduce_sum_of_slices
g = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 0]), tf.constant([3]))
print(tf.reduce_sum(g), g + tf.ones([3]), tf.add(g, g))

# --- convert_without_dense_shape
g = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
print(outcome(lambda: tf.convert_to_tensor(g)), g.dense_shape)

# --- attributes
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
print(g.shape, g.dtype, g.values.shape, g.indices.dtype)

# --- numpy_inputs
g = tf.IndexedSlices(np.ones([1, 2], np.float32), np.array([0]), np.array([2, 2]))
print(tf.convert_to_tensor(g))

# --- clip_by_norm_keeps_slices
g = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([3, 2]))
c = tf.clip_by_norm(g, 1.0)
print(type(c).__name__, c.values)

# --- clip_by_value_keeps_slices
g = tf.IndexedSlices(tf.constant([[3.0, -4.0]]), tf.constant([1]), tf.constant([3, 2]))
c = tf.clip_by_value(g, -1.0, 1.0)
print(type(c).__name__, c.values)

# --- clip_by_global_norm_keeps_slices
g = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([3, 2]))
clipped, norm = tf.clip_by_global_norm([g, tf.constant([12.0])], 6.5)
print(type(clipped[0]).__name__, clipped[0].values, clipped[1], norm)

# --- global_norm_with_slices
g = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([3, 2]))
print(tf.linalg.global_norm([g, tf.constant([12.0]), None]))

# --- add_n_of_slices
g = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]), tf.constant([3]))
print(tf.add_n([tf.convert_to_tensor(g), tf.ones([3])]))

# --- gradient_accumulation
v = tf.Variable([1.0, 2.0, 3.0])
total = tf.zeros([3])
for ids in ([0, 1], [1, 2]):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(v, ids) ** 2)
    total += tape.gradient(y, v)
print(total)

# --- unconnected_zero_with_gather
v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.gather(v, [1])
print(tape.gradient(y, w, unconnected_gradients="zero"))

# --- nested_tapes_through_gather
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(tf.gather(v, [0, 2]) ** 3)
    g = inner.gradient(y, v)
    s = tf.reduce_sum(g.values)
h = outer.gradient(s, v)
print(type(h).__name__, tf.convert_to_tensor(h))

# --- output_gradients_for_gather
v = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.gather(v, [2, 0])
g = tape.gradient(y, v, output_gradients=tf.constant([10.0, 20.0]))
print(g.values, g.indices)

# --- through_reshape_upstream
table = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]))
with tf.GradientTape() as tape:
    e = tf.nn.embedding_lookup(table, [[0, 2], [1, 1]])
    y = tf.reduce_mean(tf.reshape(e, [2, 4]), axis=0)
g = tape.gradient(y, table)
print(type(g).__name__, tf.convert_to_tensor(g))

# --- embedding_training_step
table = tf.Variable(tf.ones([4, 2]))
w = tf.Variable([[1.0], [-1.0]])
ids, target = tf.constant([0, 3, 3]), tf.constant([[1.0], [0.0], [2.0]])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.embedding_lookup(table, ids) @ w - target) ** 2)
    gt, gw = tape.gradient(loss, [table, w])
    table.scatter_sub(tf.IndexedSlices(0.1 * gt.values, gt.indices))
    w.assign_sub(0.1 * gw)
print(table.numpy(), w.numpy(), loss)
