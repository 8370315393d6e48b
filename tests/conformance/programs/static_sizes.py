"""Static shapes that follow from shape tensors known in part."""

# --- shape_arithmetic
@tf.function(input_signature=[tf.TensorSpec([None, 2, 3]), tf.TensorSpec([], tf.int32)])
def f(x, n):
    s = tf.shape(x)
    b = s[0]
    made = [
        lambda: tf.reshape(x, [b, -1]), lambda: tf.reshape(x, [-1, s[1] * 3]),
        lambda: tf.reshape(x, tf.concat([[-1], s[1:]], 0)),
        lambda: tf.reshape(x, tf.concat([[b * 2], [3]], 0)),
        lambda: tf.reshape(x, (b, 2 * 3)), lambda: tf.reshape(x, [b * s[1], s[2]]),
        lambda: tf.reshape(x, tf.cast(tf.stack([b, 6]), tf.int64)),
        lambda: tf.reshape(x, tf.stack([tf.reduce_prod(s[:2]), s[2]])),
        lambda: tf.reshape(x, [tf.size(x) // 6, 6]),
        lambda: tf.zeros([b, s[1] + 1]), lambda: tf.zeros([b, s[1] - 1]),
        lambda: tf.zeros([b, s[2] // 2]), lambda: tf.zeros([n, 4]), lambda: tf.ones((n, n, 2)),
        lambda: tf.zeros(tf.concat([s[:1], tf.constant([7])], 0)),
        lambda: tf.zeros(tf.concat([s[:-1], s[-1:] * 2], 0)),
        lambda: tf.zeros(s[1:][:1]), lambda: tf.zeros(s[-2:]),
        lambda: tf.zeros(tf.expand_dims(s[1], 0)), lambda: tf.zeros(tf.reshape(s[1], [1])),
        lambda: tf.zeros([tf.shape(x)[1], tf.rank(x)]), lambda: tf.zeros(tf.shape(x)[1:2]),
        lambda: tf.zeros(tf.gather(s, [1, 2])), 
        lambda: tf.zeros(tf.convert_to_tensor([b, 5])), lambda: tf.zeros(tf.shape_n([x, x])[0]),
        lambda: tf.zeros(tf.fill([3], 2)),
        lambda: tf.zeros(tf.fill([2], n)), lambda: tf.zeros(tf.maximum(s[1:], 1)),
        lambda: tf.zeros(tf.broadcast_dynamic_shape(s, tf.constant([1, 3]))),
        lambda: tf.zeros(tf.unstack(s)[1:]),
        lambda: tf.zeros(tf.split(s, [1, 2])[1]), lambda: tf.zeros(tf.tile(s[1:2], [2])),
        lambda: tf.zeros(tf.where(True, s, s)), lambda: tf.zeros(tf.pad(s[1:], [[1, 0]])),
    ]
    for k, one in enumerate(made):
        try:
            print(k, one().shape)
        except Exception as error:
            print(k, type(error).__name__)
    return x

f.get_concrete_function()

# --- ops_that_take_sizes
@tf.function(input_signature=[tf.TensorSpec([None, 4]), tf.TensorSpec([], tf.int32)])
def f(x, n):
    b = tf.shape(x)[0]
    made = [
        lambda: tf.fill([b, 3], 1.0), lambda: tf.broadcast_to(x[:, :1], [b, 5]),
        lambda: tf.broadcast_to(1.0, tf.stack([n, 2])),
        lambda: tf.tile(x, [n, 2]), lambda: tf.tile(x, [1, n]), lambda: tf.tile(x, tf.stack([2, 1])),
        lambda: tf.tile(x[:1], [b, 1]),
        lambda: tf.slice(x, [0, 1], [b, 2]), lambda: tf.slice(x, [n, 0], [-1, 3]),
        lambda: tf.slice(x, [0, n], [2, -1]), lambda: tf.slice(x, [n, n], [1, 2]),
        lambda: tf.slice(x, [0, 1], [-1, -1]), lambda: tf.slice(x, [0, 0], tf.stack([n, 4])),
        lambda: tf.pad(x, [[0, 0], [1, n]]), lambda: tf.pad(x, [[n, 0], [2, 2]]),
        lambda: x[:n], lambda: x[:, n:], lambda: x[n], lambda: x[:, :2], lambda: x[..., n],
        lambda: x[:3], lambda: x[1:], lambda: x[:, 1:3], lambda: x[n:n + 2],
        lambda: tf.random.normal([b, 4]), lambda: tf.random.uniform([n, 2], 0, 9, tf.int32),
        lambda: tf.random.truncated_normal([n, 3]), lambda: tf.random.gamma([n, 3], 1.0),
        lambda: tf.random.poisson([n], [1.0, 2.0]), lambda: tf.random.categorical(x, 3),
        lambda: tf.random.categorical(x, n), lambda: tf.random.stateless_uniform([n, 3], [1, 2]),
        lambda: tf.random.stateless_normal(tf.stack([b, 2]), [1, 2]),
        lambda: tf.range(n), lambda: tf.range(2, 8, 2), lambda: tf.linspace(0.0, 1.0, n),
        lambda: tf.linspace(0.0, 1.0, 5), lambda: tf.one_hot(tf.range(n), 4),
        lambda: tf.one_hot([1, 2], n), lambda: tf.eye(n), lambda: tf.eye(n, 3),
        lambda: tf.eye(2, batch_shape=[n]), lambda: tf.sequence_mask([1, 2], n),
        lambda: tf.sequence_mask([1, 2], 4), lambda: tf.sequence_mask([1, 2]),
        lambda: tf.repeat(x, 2, 1), lambda: tf.repeat(x, n, 1), lambda: tf.repeat(x, 2),
        lambda: tf.zeros_like(x), lambda: tf.ones([2, n])[0], lambda: tf.scatter_nd(
            [[0]], tf.ones([1, 4]), [n, 4]), lambda: tf.scatter_nd([[0]], [1.0], [5]),
        lambda: tf.roll(x, n, 0), lambda: tf.reverse(x, [1]), lambda: tf.transpose(x),
        lambda: tf.expand_dims(x, 1), lambda: tf.squeeze(x[:, :1], 1), lambda: tf.squeeze(x[:1]),
        lambda: tf.stack([x, x], 1), lambda: tf.concat([x, x], 0), lambda: tf.concat([x, x], 1),
        lambda: tf.split(x, 2, 1)[0], lambda: tf.split(x, [1, 3], 1)[1], lambda: tf.unstack(x, 4, 1)[0],
        lambda: tf.split(x, [n, 4 - n], 1)[0], lambda: tf.gather(x, [0, 1]), lambda: tf.gather(x, [0, 1], axis=1),
        lambda: tf.where(x > 0.0),
        lambda: tf.unique(x[:, 0])[0], lambda: tf.linalg.diag(x), lambda: tf.meshgrid(x[0], x[:, 0])[0],
        lambda: tf.image.resize(tf.reshape(x, [1, b, 4, 1]), [n, 6]),
        lambda: tf.image.resize(tf.reshape(x, [1, b, 4, 1]), [5, 6]),
        lambda: tf.math.top_k(x, 2)[0], lambda: tf.math.top_k(x, n)[0],
        lambda: tf.math.bincount([1, 2], minlength=3, maxlength=3), lambda: tf.cumsum(x, 1),
        lambda: tf.math.unsorted_segment_sum(x, tf.zeros([b], tf.int32), 3),
        lambda: tf.math.unsorted_segment_sum(x, tf.zeros([b], tf.int32), n),
        lambda: tf.math.segment_sum(x, tf.zeros([b], tf.int32)),
        lambda: tf.reduce_sum(x, 0), lambda: tf.reduce_sum(x, 1),
        lambda: tf.reduce_sum(x, 1, keepdims=True), lambda: tf.argmax(x, 1), lambda: tf.norm(x, axis=1),
        lambda: x @ tf.ones([4, 2]), lambda: tf.einsum("ij,kj->ik", x, tf.ones([7, 4])),
        lambda: tf.tensordot(x, tf.ones([4, 2]), 1), lambda: tf.tensordot(x, x, [[1], [1]]),
        lambda: tf.ensure_shape(x, [2, 4]), lambda: tf.map_fn(lambda r: r[:2], x),
        lambda: tf.vectorized_map(lambda r: r * 2.0, x), lambda: tf.scan(lambda a, r: a + r, x),
        lambda: tf.nn.embedding_lookup(x, [[1, 2]]), lambda: tf.signal.frame(x, 2, 1),
        lambda: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [2, 2], [[0, 0], [0, 0]]),
        lambda: tf.space_to_batch(tf.reshape(x, [1, b, 4, 1]), [1, 2], [[0, 0], [0, 0]]),
        lambda: tf.cond(n > 0, lambda: x[:2], lambda: x[:3]),
    ]
    for k, one in enumerate(made):
        try:
            print(k, one().shape)
        except Exception as error:
            print(k, type(error).__name__)
    return x

f.get_concrete_function()

# --- unknown_rank
@tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None], tf.int32), tf.TensorSpec([2], tf.int32)])
def f(x, s, t):
    made = [
        lambda: tf.reshape(x, s), lambda: tf.reshape(x, t), lambda: tf.zeros(s), lambda: tf.zeros(t),
        lambda: tf.zeros(tf.concat([t, [3]], 0)), lambda: tf.zeros(tf.concat([s, [3]], 0)),
        lambda: tf.reshape(x, [-1]), lambda: tf.reshape(x, tf.shape(x)), lambda: tf.shape(x),
        lambda: x + tf.ones([3]), lambda: tf.broadcast_to(x, t), lambda: tf.expand_dims(x, 0),
        lambda: tf.zeros(s[:2]), lambda: tf.zeros(t[:1]), lambda: tf.zeros(tf.stack([t[0], 3])),
        lambda: tf.pad(x, [[0, 0], [1, 1]]), lambda: tf.slice(x, [0, 0], [1, 2]),
        lambda: tf.slice(x, t, [1, 2]), lambda: tf.slice(x, [0, 0], t), lambda: tf.tile(x, t),
        lambda: tf.transpose(x, [1, 0]), lambda: tf.reduce_sum(x), lambda: tf.reduce_sum(x, [0]),
        lambda: tf.stack([x, x]), lambda: tf.concat([x, x], 0), lambda: x[0], lambda: x[..., 0],
        lambda: tf.fill(t, 1), lambda: tf.random.normal(t), lambda: tf.random.normal(s),
        lambda: tf.random.stateless_normal(t, [1, 2]), lambda: tf.matmul(x, tf.ones([3, 2])),
        lambda: tf.squeeze(x), lambda: tf.ensure_shape(x, [None, 2]), lambda: tf.rank(x), lambda: tf.size(x),
        lambda: tf.split(x, 2), lambda: tf.cast(x, tf.int32), lambda: tf.where(x > 0.0, x, 0.0)]
    for k, one in enumerate(made):
        try:
            got = one()
            print(k, [y.shape for y in got] if isinstance(got, list) else got.shape)
        except Exception as error:
            print(k, type(error).__name__)
    return s

f.get_concrete_function()

# --- constant_values
@tf.function(input_signature=[tf.TensorSpec([None, 2, 3])])
def f(x):
    s = tf.shape(x)
    for t in (tf.constant([1, 2]), tf.stack([s[0], 1]), tf.rank(x), tf.size(x), tf.zeros([2]),
              tf.shape(tf.ones([2, 2])), tf.range(3), tf.fill([2], 3)):
        print(tf.get_static_value(t), tf.get_static_value(t, partial=True))
    return x

f.get_concrete_function()

# --- custom_ops_in_keras
x = tf.keras.Input((None, None, 256))
print(tf.keras.layers.Lambda(lambda x: tf.nn.depth_to_space(x, block_size=2))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.nn.space_to_depth(x, block_size=2))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.reshape(x, [tf.shape(x)[0], -1, 256]))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.image.resize(x, [8, 8]))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.concat([x, x], -1))(x).shape)
print(tf.keras.layers.Lambda(lambda x: tf.reduce_mean(x, [1, 2]))(x).shape)
