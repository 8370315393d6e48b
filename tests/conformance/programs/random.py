# Random numbers with seeds: TensorFlow's own numbers. Clipping of gradients.

# --- set_seed_normal
# tol: 1e-6
tf.random.set_seed(42)
print(tf.random.normal([4]), tf.random.normal([2, 2]), tf.random.normal([]))

# --- set_seed_uniform
# tol: 1e-6
tf.random.set_seed(1)
print(tf.random.uniform([3]), tf.random.uniform([2, 2], -1.0, 1.0), tf.random.uniform([5], maxval=10, dtype=tf.int32))

# --- set_seed_repeats
# tol: 1e-6
tf.random.set_seed(5)
a = tf.random.uniform([2])
tf.random.set_seed(5)
b = tf.random.uniform([2])
c = tf.random.uniform([2])
print(a, b, c)

# --- op_seed
# tol: 1e-6
tf.random.set_seed(1234)
print(tf.random.uniform([1], seed=1), tf.random.uniform([1], seed=1), tf.random.uniform([1], seed=2), tf.random.normal([1], seed=1))

# --- op_seed_and_global_seed_repeat
# tol: 1e-6
for _ in range(2):
    tf.random.set_seed(9)
    print(tf.random.normal([2], seed=3), tf.random.normal([2], seed=3))

# --- normal_mean_stddev
# tol: 1e-6
tf.random.set_seed(0)
print(tf.random.normal([3], mean=10.0, stddev=0.5), tf.random.normal([2], dtype=tf.float64), tf.random.normal([2], mean=[0.0, 100.0]))

# --- truncated_normal
# tol: 1e-6
tf.random.set_seed(7)
print(tf.random.truncated_normal([5]), tf.random.truncated_normal([2], stddev=0.1))

# --- uniform_dtypes
# tol: 1e-6
tf.random.set_seed(3)
print(tf.random.uniform([2], dtype=tf.float64), tf.random.uniform([2], dtype=tf.float16).dtype, tf.random.uniform([3], 5, 15, dtype=tf.int64))

# --- uniform_int_needs_maxval
print(outcome(lambda: tf.random.uniform([2], dtype=tf.int32)), outcome(lambda: tf.random.uniform([2], 5, 2, dtype=tf.int32)))

# --- shuffle
tf.random.set_seed(11)
print(tf.random.shuffle(tf.range(8)), tf.random.shuffle([[1, 2], [3, 4], [5, 6]]), tf.random.shuffle([1, 2, 3], seed=4))

# --- categorical
tf.random.set_seed(2)
print(tf.random.categorical([[0.0, 1.0, 2.0]], 8), tf.random.categorical(tf.math.log([[0.5, 0.5], [0.01, 0.99]]), 4, dtype=tf.int32))

# --- gamma_and_poisson
# tol: 1e-5
tf.random.set_seed(2)
print(tf.random.gamma([3], alpha=2.0), tf.random.gamma([2], alpha=[0.5, 3.0], beta=2.0).shape, tf.random.poisson([4], 3.0))

# --- stateless_normal
# tol: 1e-6
print(tf.random.stateless_normal([4], seed=[1, 2]), tf.random.stateless_normal([2], seed=(1, 2), mean=5.0, stddev=2.0), tf.random.stateless_normal([2], seed=[3, 4], dtype=tf.float64))

# --- stateless_uniform
# tol: 1e-6
print(tf.random.stateless_uniform([4], seed=[1, 2]), tf.random.stateless_uniform([3], [5, 6], -2.0, 2.0), tf.random.stateless_uniform([5], seed=[0, 0], minval=0, maxval=100, dtype=tf.int32))

# --- stateless_same_seed_same_numbers
# tol: 1e-6
a = tf.random.stateless_uniform([2], seed=[7, 8])
b = tf.random.stateless_uniform([2], seed=tf.constant([7, 8]))
print(tf.reduce_all(a == b), tf.random.stateless_uniform([6], seed=[7, 8])[:2] - a)

# --- stateless_truncated_and_categorical
# tol: 1e-6
print(tf.random.stateless_truncated_normal([4], seed=[1, 2]), tf.random.stateless_categorical([[0.0, 1.0]], 6, seed=[1, 2]))

# --- stateless_shuffle_and_binomial
print(tf.random.experimental.stateless_shuffle(tf.range(6), seed=[1, 2]))

# --- stateless_bad_seed
print(outcome(lambda: tf.random.stateless_uniform([2], seed=1)), outcome(lambda: tf.random.stateless_uniform([2], seed=[1, 2, 3])))

# --- split_and_fold_in
print(tf.random.experimental.stateless_split([1, 2], 2), tf.random.experimental.stateless_fold_in([1, 2], 3))

# --- generator_from_seed
# tol: 1e-6
g = tf.random.Generator.from_seed(1)
print(g.normal([2]), g.uniform([2]), g.normal([2]), g.uniform([3], maxval=10, dtype=tf.int32))

# --- generator_state
g = tf.random.Generator.from_seed(5)
print(g.state, g.key, g.algorithm)
g.normal([3])
print(g.state)

# --- generator_split_reset
# tol: 1e-6
g = tf.random.Generator.from_seed(2)
a, b = g.split(2)
print(a.normal([2]), b.normal([2]))
g.reset_from_seed(2)
print(g.normal([2]))

# --- generator_truncated
# tol: 1e-6
g = tf.random.Generator.from_seed(3)
print(g.truncated_normal([3]), g.uniform_full_int([2]), g.make_seeds(2))

# --- variable_initialised_at_random
# tol: 1e-6
tf.random.set_seed(42)
w = tf.Variable(tf.random.normal([2, 3], stddev=0.1))
b = tf.Variable(tf.random.uniform([3], -0.05, 0.05))
print(w, b)

# --- big_sample_statistics
tf.random.set_seed(0)
x = tf.random.normal([10000])
print(f"{float(tf.reduce_mean(x)):.4f} {float(tf.math.reduce_std(x)):.4f}")

# --- odd_sizes
# tol: 1e-6
tf.random.set_seed(8)
print(tf.random.normal([1]), tf.random.normal([3]), tf.random.normal([7]), tf.random.uniform([9]))

# --- empty_shapes
print(tf.random.normal([0]), tf.random.uniform([2, 0]).shape)

# --- shape_as_tensor
tf.random.set_seed(4)
print(tf.random.normal(tf.constant([2, 2])).shape, tf.random.uniform(tf.shape(tf.zeros([3]))).shape, tf.random.normal(shape=(2,)).shape)

# --- bad_shape
print(outcome(lambda: tf.random.normal([-1])), outcome(lambda: tf.random.normal("x")), outcome(lambda: tf.random.normal([2], dtype=tf.int32)), outcome(lambda: tf.random.normal([2.5])))

# --- gradient_through_the_mean
tf.random.set_seed(4)
mu = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.random.normal([], mean=mu)
print(tape.gradient(y, mu))

# --- reparameterisation
# tol: 1e-5
tf.random.set_seed(4)
mu, rho = tf.Variable([0.5, -0.5]), tf.Variable([0.1, 0.2])
with tf.GradientTape() as tape:
    z = mu + tf.nn.softplus(rho) * tf.random.normal([2])
    y = tf.reduce_sum(z ** 2)
print(y, *tape.gradient(y, [mu, rho]))

# --- gamma_gradient
tf.random.set_seed(4)
alpha = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.random.gamma([3], alpha)
print(tape.gradient(y, alpha) is not None)

# --- initialisers
# tol: 1e-6
tf.random.set_seed(1)
print(tf.random_normal_initializer(stddev=0.1, seed=1)([2]), tf.ones_initializer()([2]), tf.zeros_initializer()([1], tf.int32), tf.random_uniform_initializer(-1, 1, seed=2)([2]), tf.constant_initializer(3.0)([2]))

# --- global_seed_types
# tol: 1e-6
tf.random.set_seed(np.int64(3))
print(tf.random.uniform([2]))
tf.random.set_seed(seed=3)
print(tf.random.uniform([2]))
tf.random.set_seed(2**40 + 1)
print(tf.random.uniform([2]))
tf.random.set_seed(-1)
print(tf.random.uniform([2]))

# --- clip_by_value
x = tf.Variable([-3.0, 0.5, 3.0])
with tf.GradientTape() as tape:
    y = tf.clip_by_value(x, -1.0, 1.0)
print(y, tape.gradient(y, x), tf.clip_by_value(x, clip_value_min=0.0, clip_value_max=[1.0, 0.2, 5.0]))

# --- clip_by_norm
x = tf.constant([[3.0, 4.0], [0.3, 0.4]])
print(tf.clip_by_norm(x, 1.0), tf.clip_by_norm(x, 1.0, axes=[1]), tf.clip_by_norm([0.1, 0.1], 5.0))

# --- clip_by_norm_gradient
x = tf.Variable([3.0, 4.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(tf.clip_by_norm(x, 1.0) * [1.0, 2.0])
    b = tf.reduce_sum(tf.clip_by_norm(x, 10.0) * [1.0, 2.0])
print(tape.gradient(a, x), tape.gradient(b, x))

# --- clip_by_global_norm
grads, norm = tf.clip_by_global_norm([tf.constant([3.0]), None, tf.constant([[4.0]])], 1.0)
print(grads, norm)
grads, norm = tf.clip_by_global_norm((tf.constant([3.0]), tf.constant([4.0])), 10.0, use_norm=tf.constant(5.0))
print(grads, norm)

# --- clip_by_global_norm_infinite
grads, norm = tf.clip_by_global_norm([tf.constant([float("inf"), 1.0])], 1.0)
print(grads, norm)

# --- clip_by_global_norm_errors
print(outcome(lambda: tf.clip_by_global_norm(tf.constant([1.0]), 1.0)), outcome(lambda: tf.clip_by_global_norm(3.0, 1.0)))

# --- clip_gradients_in_a_step
w = tf.Variable([1.0, 2.0])
b = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w ** 2) * b * 10
grads, norm = tf.clip_by_global_norm(tape.gradient(loss, [w, b]), 1.0)
print(grads, norm)
