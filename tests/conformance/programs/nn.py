# tf.nn: activations, softmax, cross-entropies, normalisation, dropout, embeddings.

# --- softmax
x = tf.constant([[1.0, 2.0, 3.0], [1000.0, 1000.0, 0.0]])
print(tf.nn.softmax(x), tf.nn.log_softmax(x), tf.nn.softmax(x, axis=0))

# --- softmax_gradient
x = tf.Variable([[1.0, 2.0, 3.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(tf.nn.softmax(x) * [[1.0, 0.0, 2.0]])
    b = tf.reduce_sum(tf.nn.log_softmax(x) * [[1.0, 0.0, 2.0]])
print(tape.gradient(a, x), tape.gradient(b, x))

# --- softmax_of_scalar_or_int
print(outcome(lambda: tf.nn.softmax(tf.constant(1.0))), outcome(lambda: tf.nn.softmax([1, 2])), outcome(lambda: tf.nn.softmax([1.0], axis=3)))

# --- softmax_with_minus_inf
x = tf.Variable([0.0, -float("inf"), 1.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.softmax(x) * [1.0, 2.0, 3.0])
print(tf.nn.softmax(x), tape.gradient(y, x))

# --- softmax_cross_entropy
labels = tf.constant([[0.0, 1.0, 0.0], [0.3, 0.3, 0.4]])
logits = tf.Variable([[1.0, 2.0, 3.0], [0.1, 0.2, 0.3]])
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
print(loss, tape.gradient(loss, logits))

# --- softmax_cross_entropy_labels_gradient
labels = tf.Variable([[0.2, 0.8]])
logits = tf.Variable([[1.0, 2.0]])
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
print(tape.gradient(loss, [labels, logits]))

# --- softmax_cross_entropy_axis_and_broadcast
logits = tf.constant([[1.0, 2.0], [3.0, 5.0]])
print(tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0], [0.0, 1.0]], logits=logits, axis=0), outcome(lambda: tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0]], logits=logits)))

# --- softmax_cross_entropy_positional_refused
print(outcome(lambda: tf.nn.softmax_cross_entropy_with_logits([[1.0]])), outcome(lambda: tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0, 0.0]], logits=[[1.0, 2.0]])))

# --- sparse_softmax_cross_entropy
logits = tf.Variable([[1.0, 2.0, 3.0], [0.1, 0.2, 0.3]])
with tf.GradientTape() as tape:
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=logits)
    mean = tf.reduce_mean(loss)
print(loss, tape.gradient(mean, logits))

# --- sparse_softmax_cross_entropy_errors
logits = tf.constant([[1.0, 2.0, 3.0]])
print(outcome(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[3], logits=logits)), outcome(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0.0], logits=logits)), outcome(lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=logits)))

# --- sparse_softmax_cross_entropy_higher_rank
logits = tf.reshape(tf.range(12.0), [2, 2, 3]) / 10
print(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[0, 1], [2, 2]], logits=logits), tf.nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=[0.1, 0.9]))

# --- sigmoid_cross_entropy
x = tf.Variable([-100.0, -1.0, 0.0, 2.0, 100.0])
z = tf.constant([0.0, 1.0, 0.5, 1.0, 0.0])
with tf.GradientTape() as tape:
    loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)
print(loss, tape.gradient(loss, x))

# --- sigmoid_cross_entropy_labels_gradient
x, z = tf.Variable([0.5]), tf.Variable([0.3])
with tf.GradientTape() as tape:
    loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=z, logits=x)
print(tape.gradient(loss, [x, z]), outcome(lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 2.0], logits=[1.0])))

# --- weighted_cross_entropy
x = tf.Variable([0.5, -1.0])
with tf.GradientTape() as tape:
    loss = tf.nn.weighted_cross_entropy_with_logits(labels=[1.0, 0.0], logits=x, pos_weight=2.0)
print(loss, tape.gradient(loss, x))

# --- activations_values
x = tf.constant([-3.0, -1.0, 0.0, 0.5, 2.0])
for f in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.nn.elu, tf.nn.selu, tf.nn.sigmoid, tf.nn.tanh, tf.nn.softplus, tf.nn.softsign, tf.nn.silu, tf.nn.swish, tf.nn.gelu):
    print(f(x).numpy())

# --- activations_gradients
x = tf.constant([-3.0, -1.0, 0.5, 2.0])
for f in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.nn.elu, tf.nn.selu, tf.nn.sigmoid, tf.nn.tanh, tf.nn.softplus, tf.nn.softsign, tf.nn.silu, tf.nn.gelu, tf.nn.crelu):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(tape.gradient(y, x).numpy())

# --- activation_parameters
x = tf.constant([-1.0, 2.0])
print(tf.nn.leaky_relu(x, alpha=0.1), tf.nn.gelu(x, approximate=True), tf.nn.silu(x, beta=2.0), tf.nn.relu(tf.constant([-1, 2])))

# --- activation_of_wrong_dtype
print(outcome(lambda: tf.nn.sigmoid(tf.constant([1, 2]))), outcome(lambda: tf.nn.elu(tf.constant([1]))), outcome(lambda: tf.nn.relu(tf.constant(["a"]))), outcome(lambda: tf.nn.tanh(None)))

# --- l2_normalize
x = tf.Variable([[3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.l2_normalize(x, axis=-1) * [[1.0, 2.0]])
print(y, tape.gradient(y, x))

# --- l2_normalize_at_zero
x = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    y = tf.nn.l2_normalize(x)
print(y, tape.gradient(y, x))

# --- l2_loss
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.nn.l2_loss(x)
print(y, tape.gradient(y, x))

# --- moments
x = tf.Variable([[1.0, 2.0], [3.0, 6.0]])
with tf.GradientTape(persistent=True) as tape:
    m, v = tf.nn.moments(x, axes=[0])
    m2, v2 = tf.nn.moments(x, [0, 1])
print(m, v, m2, v2, tape.gradient(v, x), tape.gradient(v2, x))

# --- batch_normalization
x = tf.Variable([[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]])
g, b = tf.Variable([1.0, 2.0]), tf.Variable([0.5, -0.5])
with tf.GradientTape() as tape:
    m, v = tf.nn.moments(x, axes=[0])
    y = tf.nn.batch_normalization(x, m, v, b, g, 1e-3)
    loss = tf.reduce_sum(y ** 3)
print(y, *tape.gradient(loss, [x, g, b]))

# --- layer_norm_by_hand
x = tf.Variable([[1.0, 2.0, 4.0]])
with tf.GradientTape() as tape:
    m = tf.reduce_mean(x, -1, keepdims=True)
    v = tf.math.reduce_variance(x, -1, keepdims=True)
    y = (x - m) * tf.math.rsqrt(v + 1e-5)
    loss = tf.reduce_sum(y * [[1.0, 2.0, 3.0]])
print(y, tape.gradient(loss, x))

# --- bias_add
x, b = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([10.0, 20.0])
with tf.GradientTape() as tape:
    y = tf.nn.bias_add(x, b)
    s = tf.reduce_sum(y ** 2)
print(y, *tape.gradient(s, [x, b]), outcome(lambda: tf.nn.bias_add(x, [1.0])))

# --- embedding_lookup
table = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
print(tf.nn.embedding_lookup(table, [2, 0]), tf.nn.embedding_lookup(table, [[0, 1]]).shape, tf.nn.embedding_lookup(table, 1), outcome(lambda: tf.nn.embedding_lookup(table, [5])))

# --- embedding_lookup_max_norm
print(tf.nn.embedding_lookup(tf.constant([[3.0, 4.0], [0.3, 0.4]]), [0, 1], max_norm=1.0))

# --- dropout_rate_zero
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.nn.dropout(x, 0.0)
print(y, tape.gradient(y, x))

# --- dropout_seeded
tf.random.set_seed(3)
x = tf.Variable(tf.ones([10]))
with tf.GradientTape() as tape:
    y = tf.nn.dropout(x, 0.4, seed=7)
print(y, tape.gradient(y, x))

# --- dropout_noise_shape
tf.random.set_seed(3)
print(tf.nn.dropout(tf.ones([3, 4]), 0.5, noise_shape=[3, 1], seed=2))

# --- dropout_errors
print(outcome(lambda: tf.nn.dropout(tf.ones([2]), 1.5)), outcome(lambda: tf.nn.dropout(tf.ones([2]), -0.1)), outcome(lambda: tf.nn.dropout(tf.constant([1, 2]), 0.5)))

# --- stateless_dropout
print(tf.nn.experimental.stateless_dropout(tf.ones([8]), 0.5, seed=[1, 2]))

# --- compute_average_loss
print(tf.nn.compute_average_loss([1.0, 2.0, 3.0]), tf.nn.compute_average_loss([1.0, 2.0], global_batch_size=4), tf.nn.scale_regularization_loss(2.0))

# --- log_poisson_and_normalised
x = tf.Variable([0.5, 1.0])
with tf.GradientTape() as tape:
    y = tf.nn.log_poisson_loss([1.0, 2.0], x)
print(y, tape.gradient(y, x))

# --- in_top_k
print(tf.nn.in_top_k([1, 2], [[0.1, 0.9, 0.0], [0.5, 0.4, 0.1]], 2), tf.nn.top_k([1.0, 3.0, 2.0], 2))

# --- conv1d
x = tf.Variable(tf.reshape(tf.range(5.0), [1, 5, 1]))
k = tf.Variable(tf.reshape([1.0, 0.0, -1.0], [3, 1, 1]))
with tf.GradientTape() as tape:
    y = tf.nn.conv1d(x, k, stride=1, padding="VALID")
    s = tf.reduce_sum(y ** 2)
gx, gk = tape.gradient(s, [x, k])
print(y[0, :, 0], gx[0, :, 0], gk[:, 0, 0])

# --- conv2d
x = tf.Variable(tf.reshape(tf.range(16.0), [1, 4, 4, 1]))
k = tf.Variable(tf.reshape([1.0, 2.0, 3.0, 4.0], [2, 2, 1, 1]))
with tf.GradientTape() as tape:
    y = tf.nn.conv2d(x, k, strides=1, padding="SAME")
    s = tf.reduce_sum(y)
gx, gk = tape.gradient(s, [x, k])
print(y[0, :, :, 0], gx[0, :, :, 0], gk[:, :, 0, 0])

# --- max_pool2d
x = tf.Variable(tf.reshape([1.0, 3.0, 2.0, 4.0], [1, 2, 2, 1]))
with tf.GradientTape() as tape:
    y = tf.nn.max_pool2d(x, 2, 2, "VALID")
print(y, tape.gradient(y, x))

# --- avg_pool2d_same
x = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
print(tf.nn.avg_pool2d(x, 2, 2, "SAME")[0, :, :, 0])

# --- mlp_gradients
x = tf.constant([[0.5, -1.0], [1.5, 2.0], [0.0, 0.3]])
t = tf.constant([0, 1, 1])
w1 = tf.Variable([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])
b1 = tf.Variable([0.01, 0.02, 0.03])
w2 = tf.Variable([[0.7, -0.8], [0.9, 1.0], [-1.1, 1.2]])
b2 = tf.Variable([0.0, 0.1])
with tf.GradientTape() as tape:
    h = tf.nn.relu(x @ w1 + b1)
    logits = h @ w2 + b2
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=t, logits=logits))
print(loss, *tape.gradient(loss, [w1, b1, w2, b2]))

# --- sufficient_statistics_and_zero_fraction
print(tf.nn.zero_fraction([0.0, 1.0, 0.0, 2.0]), tf.nn.weighted_moments(tf.constant([1.0, 2.0, 3.0]), [0], tf.constant([1.0, 1.0, 2.0])))

# --- keras_layer
# needs: tf.keras.layers.Dense
layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
print(layer(tf.ones([1, 3])))
