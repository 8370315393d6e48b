# Array functions: shape, joining, gathering, scattering, with gradients.

# --- reshape
x = tf.range(6)
print(tf.reshape(x, [2, 3]), tf.reshape(x, [-1, 2]), tf.reshape(x, [3, -1]).shape, tf.reshape(5, [1, 1]), tf.reshape(x, (6,)).shape)

# --- reshape_errors
x = tf.range(6)
print(outcome(lambda: tf.reshape(x, [4])), outcome(lambda: tf.reshape(x, [-1, 4])), outcome(lambda: tf.reshape(x, [-1, -1])), outcome(lambda: tf.reshape(x, [2.0, 3.0])))

# --- reshape_gradient
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.reshape(x, [-1]) * [1.0, 2.0, 3.0, 4.0])
print(tape.gradient(y, x))

# --- transpose
x = tf.reshape(tf.range(6), [1, 2, 3])
print(tf.transpose(x).shape, tf.transpose(x, [0, 2, 1]), tf.transpose([[1, 2], [3, 4]]), tf.linalg.matrix_transpose(x).shape)
print(outcome(lambda: tf.transpose(x, [0, 1])), outcome(lambda: tf.transpose(x, [0, 1, 1])))

# --- transpose_gradient
x = tf.Variable([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.transpose(x) * [[1.0], [2.0], [3.0]])
print(tape.gradient(y, x))

# --- expand_squeeze
x = tf.zeros([2, 3])
print(tf.expand_dims(x, 0).shape, tf.expand_dims(x, -1).shape, tf.expand_dims(x, axis=1).shape, tf.squeeze(tf.zeros([1, 2, 1])).shape, tf.squeeze(tf.zeros([1, 2, 1]), [0]).shape)
print(outcome(lambda: tf.expand_dims(x, 5)), outcome(lambda: tf.squeeze(x, 0)))

# --- concat
a, b = tf.constant([[1, 2]]), tf.constant([[3, 4]])
print(tf.concat([a, b], 0), tf.concat([a, b], axis=1), tf.concat([a, b], -1), tf.concat([a], 0), tf.concat(a, 0))

# --- concat_errors
print(outcome(lambda: tf.concat([[[1, 2]], [[1, 2, 3]]], 0)), outcome(lambda: tf.concat([[1], [[2]]], 0)), outcome(lambda: tf.concat([], 0)), outcome(lambda: tf.concat([[1], [2]], 1)))

# --- concat_gradient
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.concat([a, b, a], 0) * [1.0, 2.0, 3.0, 4.0, 5.0])
print(tape.gradient(y, [a, b]))

# --- stack_unstack
a, b = tf.constant([1, 2]), tf.constant([3, 4])
print(tf.stack([a, b]), tf.stack([a, b], axis=1), tf.stack([a, b], -1).shape, tf.unstack([[1, 2], [3, 4]], axis=1), tf.stack([1, 2, 3]), tf.stack([]))
print(outcome(lambda: tf.stack([a, tf.constant([1])])), outcome(lambda: tf.unstack(tf.constant(1))))

# --- stack_gradient
a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.stack([a, b, a * b]) ** 2)
print(tape.gradient(y, [a, b]))

# --- split
x = tf.range(6)
print(tf.split(x, 3), tf.split(x, [1, 2, 3]), tf.split(x, [2, -1]), tf.split(tf.zeros([2, 4]), 2, axis=1)[0].shape)
print(outcome(lambda: tf.split(x, 4)), outcome(lambda: tf.split(x, [1, 2])))

# --- split_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    a, b = tf.split(x, [1, 2])
    y = tf.reduce_sum(a) * tf.reduce_sum(b)
print(tape.gradient(y, x))

# --- slice_function
x = tf.reshape(tf.range(12), [3, 4])
print(tf.slice(x, [1, 0], [1, 3]), tf.slice(x, [0, 2], [-1, 1]), tf.slice(x, tf.constant([2, 2]), [1, 2]))
print(outcome(lambda: tf.slice(x, [2, 0], [2, 4])), outcome(lambda: tf.slice(x, [0], [1])))

# --- slice_gradient
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.slice(x, [0, 1], [2, 1]) ** 2)
print(tape.gradient(y, x))

# --- strided_slice
x = tf.range(10)
print(tf.strided_slice(x, [1], [8], [2]), tf.strided_slice(x, [-1], [2], [-3]), tf.strided_slice(tf.reshape(x, [2, 5]), [0, 1], [2, 4]))

# --- pad
x = tf.constant([[1, 2], [3, 4]])
print(tf.pad(x, [[1, 0], [0, 2]]), tf.pad(x, [[1, 1], [1, 1]], "REFLECT"), tf.pad(x, [[0, 1], [1, 0]], "SYMMETRIC"), tf.pad(x, [[0, 0], [1, 0]], constant_values=9))
print(outcome(lambda: tf.pad(x, [[1, 1]])), outcome(lambda: tf.pad(x, [[2, 2], [0, 0]], "REFLECT")), outcome(lambda: tf.pad(x, [[1, 0], [0, 0]], "WRAP")))

# --- pad_gradient
x = tf.Variable([1.0, 2.0, 3.0])
w = tf.constant([1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0])
for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.pad(x, [[1, 2]], mode) * w)
    print(tape.gradient(y, x))

# --- tile_repeat
x = tf.constant([1, 2])
print(tf.tile(x, [3]), tf.tile([[1], [2]], [1, 2]), tf.repeat(x, 2), tf.repeat(x, [1, 3]), tf.repeat([[1, 2]], 2, axis=0), tf.repeat([[1, 2], [3, 4]], 2))

# --- tile_gradient
x = tf.Variable([[1.0, 2.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(tf.tile(x, [2, 2]) * [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
    b = tf.reduce_sum(tf.repeat(x, [1, 2], axis=1) * [[1.0, 10.0, 100.0]])
print(tape.gradient(a, x), tape.gradient(b, x))

# --- broadcast_to
x = tf.Variable([[1.0], [2.0]])
with tf.GradientTape() as tape:
    y = tf.broadcast_to(x, [3, 2, 2])
    s = tf.reduce_sum(y * tf.reshape(tf.range(12.0), [3, 2, 2]))
print(y.shape, tape.gradient(s, x), outcome(lambda: tf.broadcast_to([1, 2], [3])))

# --- gather
x = tf.constant([[1, 2], [3, 4], [5, 6]])
print(tf.gather(x, [2, 0]), tf.gather(x, 1), tf.gather(x, [[0], [1]]).shape, tf.gather(x, [1], axis=1), tf.gather(x, [0, 0], axis=-1))
print(outcome(lambda: tf.gather(x, [3])), outcome(lambda: tf.gather(x, [-1])), outcome(lambda: tf.gather(x, [0.5])))

# --- gather_batch_dims
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(tf.gather(x, [[2, 0], [1, 1]], batch_dims=1), tf.gather(x, [2, 0], batch_dims=1, axis=1))

# --- gather_axis_gradient
x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.gather(x, [2, 2, 0], axis=1) ** 2
print(tape.gradient(y, x))

# --- gather_nd
x = tf.constant([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
print(tf.gather_nd(x, [[0, 1], [1, 0]]), tf.gather_nd(x, [1, 1, 1]), tf.gather_nd(x, [[1]]), tf.gather_nd(x, [[0], [1]], batch_dims=1))
print(outcome(lambda: tf.gather_nd(x, [[2, 0]])))

# --- scatter_nd
print(tf.scatter_nd([[1], [3], [1]], [1.0, 2.0, 3.0], [5]), tf.scatter_nd([[0]], [[1, 2]], [2, 2]))
print(outcome(lambda: tf.scatter_nd([[7]], [1.0], [5])), outcome(lambda: tf.scatter_nd([[1]], [1.0, 2.0], [5])))

# --- scatter_nd_gradient
u = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.scatter_nd([[1], [3], [1]], u, [4]) ** 2)
print(tape.gradient(y, u))

# --- tensor_scatter
x = tf.constant([1.0, 2.0, 3.0])
print(tf.tensor_scatter_nd_update(x, [[0], [2]], [9.0, 8.0]), tf.tensor_scatter_nd_add(x, [[1], [1]], [1.0, 1.0]), tf.tensor_scatter_nd_sub(x, [[0]], [5.0]), tf.tensor_scatter_nd_max(x, [[0]], [5.0]), tf.tensor_scatter_nd_min(x, [[2]], [0.0]))

# --- tensor_scatter_gradients
x, u = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([5.0, 6.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.tensor_scatter_nd_update(x, [[0], [2]], u) ** 2
    b = tf.tensor_scatter_nd_add(x, [[0], [0]], u) ** 2
    c = tf.tensor_scatter_nd_sub(x, [[1], [2]], u) ** 2
for o in (a, b, c):
    print(tape.gradient(o, [x, u]))

# --- boolean_mask
x = tf.constant([[1, 2], [3, 4], [5, 6]])
print(tf.boolean_mask(x, [True, False, True]), tf.boolean_mask(x, x > 2), tf.boolean_mask(x, [True, False], axis=1))
print(outcome(lambda: tf.boolean_mask(x, [True, False])))

# --- boolean_mask_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.boolean_mask(x, [True, False, True]) ** 2)
print(tf.convert_to_tensor(tape.gradient(y, x)))

# --- one_hot
print(tf.one_hot([0, 2], 3), tf.one_hot(1, 3, on_value=5, off_value=-1), tf.one_hot([3, -1], 3), tf.one_hot([[0], [1]], 2).shape, tf.one_hot([0, 1], 2, axis=0, dtype=tf.int32))

# --- sequence_mask
print(tf.sequence_mask([1, 3, 0]), tf.sequence_mask([1, 2], maxlen=4, dtype=tf.float32), tf.sequence_mask(2, 3))

# --- range_variants
print(tf.range(5), tf.range(2, 8, 3), tf.range(5, 0, -2), tf.range(0.0, 1.0, 0.3), tf.range(3, 3), tf.range(tf.constant(4)), tf.range(5, dtype=tf.float32))
print(outcome(lambda: tf.range(0, 5, 0)), outcome(lambda: tf.range(5, 0)))

# --- linspace
print(tf.linspace(0.0, 1.0, 5), tf.linspace([0.0, 10.0], [1.0, 20.0], 3), tf.linspace(1.0, 1.0, 1), tf.linspace(0.0, 4.0, 3, axis=0))

# --- linspace_gradient
a, b = tf.Variable(1.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.linspace(a, b, 5) ** 2)
print(tape.gradient(y, [a, b]))

# --- meshgrid
X, Y = tf.meshgrid([1, 2, 3], [4, 5])
print(X, Y, [m.shape for m in tf.meshgrid([1, 2], [3, 4, 5], indexing="ij")])

# --- meshgrid_gradient
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0, 5.0])
with tf.GradientTape() as tape:
    X, Y = tf.meshgrid(a, b)
    y = tf.reduce_sum(X * Y)
print(tape.gradient(y, [a, b]))

# --- roll_reverse
x = tf.range(5)
print(tf.roll(x, 2, 0), tf.roll(x, shift=-1, axis=0), tf.roll([[1, 2], [3, 4]], [1, 1], [0, 1]), tf.reverse(x, [0]), tf.reverse([[1, 2], [3, 4]], axis=[-1]))
print(outcome(lambda: tf.reverse(x, [1])))

# --- roll_reverse_gradient
x = tf.Variable([1.0, 2.0, 3.0])
w = tf.constant([1.0, 10.0, 100.0])
with tf.GradientTape(persistent=True) as tape:
    a, b = tf.reduce_sum(tf.roll(x, 1, 0) * w), tf.reduce_sum(tf.reverse(x, [0]) * w)
print(tape.gradient(a, x), tape.gradient(b, x))

# --- reverse_sequence
x = tf.constant([[1, 2, 3], [4, 5, 6]])
print(tf.reverse_sequence(x, [2, 3], seq_axis=1))

# --- unique
y, idx = tf.unique([4, 1, 4, 2, 1])
print(y, idx, tf.unique_with_counts([3, 3, 1]))

# --- fill_gradient
v = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.fill([2, 3], v) * 2)
print(tape.gradient(y, v))

# --- searchsorted
print(tf.searchsorted([1.0, 3.0, 5.0], [0.0, 3.0, 6.0]), tf.searchsorted([1, 3, 5], [3], side="right"), tf.searchsorted([[1, 3], [2, 4]], [[2], [5]]))

# --- dynamic_stitch_partition
print(tf.dynamic_partition([10, 20, 30, 40], [0, 1, 0, 1], 2), tf.dynamic_stitch([[0, 2], [1]], [[1, 3], [2]]))

# --- dynamic_stitch_gradient
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.dynamic_stitch([[0, 1], [1]], [a, b]) ** 2)
print(tape.gradient(y, [a, b]))

# --- space_and_depth
x = tf.reshape(tf.range(8.0), [1, 2, 2, 2])
print(tf.nn.space_to_depth(x, 2), tf.nn.depth_to_space(tf.reshape(tf.range(4.0), [1, 1, 1, 4]), 2))

# --- matrix_band_and_diag
x = tf.constant([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
print(tf.linalg.band_part(x, 0, -1), tf.linalg.band_part(x, -1, 0), tf.linalg.diag([1, 2]), tf.linalg.diag_part(x), tf.linalg.set_diag(x, [0, 0, 0]))

# --- diag_gradients
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
d = tf.Variable([5.0, 6.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(tf.linalg.diag_part(x) ** 2)
    b = tf.reduce_sum(tf.linalg.set_diag(x, d) ** 2)
    c = tf.reduce_sum(tf.linalg.band_part(x, -1, 0) ** 2)
    e = tf.reduce_sum(tf.linalg.diag(d) ** 3)
print(tape.gradient(a, x), tape.gradient(b, [x, d]), tape.gradient(c, x), tape.gradient(e, d))

# --- shape_n_size_rank
x = tf.zeros([2, 0, 3])
print(tf.shape(x), tf.size(x), tf.rank(x), tf.shape_n([x, tf.zeros([1])]), tf.size(x, out_type=tf.int64))

# --- parallel_stack_order
xs = [tf.fill([2], i) for i in range(3)]
print(tf.stack(xs, axis=1), tf.concat([x[None] for x in xs], 0))

# --- where_scatter_roundtrip
x = tf.Variable([0.5, -0.5, 2.0])
with tf.GradientTape() as tape:
    idx = tf.where(x > 0)
    vals = tf.gather_nd(x, idx)
    y = tf.scatter_nd(idx, vals ** 2, tf.constant([3], tf.int64))
print(y, tf.convert_to_tensor(tape.gradient(y, x)))

# --- extract_diagonal_by_index
x = tf.Variable(tf.reshape(tf.range(9.0), [3, 3]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather_nd(x, [[i, i] for i in range(3)]) ** 2)
print(tape.gradient(y, x))

# --- batch_outer_products
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = a[:, :, tf.newaxis] * a[:, tf.newaxis, :]
    s = tf.reduce_sum(y)
print(y, tape.gradient(s, a))

# --- shapes_of_kinds_of_lists
class Sizes(list):
    pass
print(tf.reshape(tf.constant([1.0]), Sizes()), tf.reshape(tf.constant([1, 2]), Sizes([2, 1])))
print(tf.zeros(Sizes([1, 2])), outcome(tf.reshape, tf.constant([1]), Sizes([1.0])))
# --- confusion_matrix_in_a_function
f = tf.function(lambda a, b, w=None: tf.math.confusion_matrix(a, b, 3, weights=w))
a, b = tf.constant([0, 1, 2]), tf.constant([0, 1, 1])
print(f(a, b), f(a, b, tf.constant([1, 2, 3])))
print(outcome(f, tf.constant([0, 1, 3]), b), outcome(f, tf.constant([0, -1, 2]), b))
g = tf.function(lambda a, b: tf.math.confusion_matrix(a, b, 3),
                input_signature=[tf.TensorSpec([None], tf.int32)] * 2)
print(g([0, 1], [1, 1]), outcome(g, [0, 1, 2], [1, 1]))
