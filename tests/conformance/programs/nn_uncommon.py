# Uncommon ops of tf.nn and tf.math.

# --- local_response_normalization
rng = np.random.RandomState(0)
x = tf.constant(rng.randn(1, 2, 2, 7).astype("float32"))
for options in ({}, {"depth_radius": 2}, {"depth_radius": 1, "bias": 2.0, "alpha": 0.5, "beta": 0.75}, {"beta": 1.0, "depth_radius": 0}, {"beta": 0.3, "depth_radius": 3}):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.local_response_normalization(x, **options)
        loss = tf.reduce_sum(y * y * y)
    print(y, tape.gradient(loss, x))
print(outcome(lambda: tf.nn.lrn(tf.zeros([2, 3]))), outcome(lambda: tf.nn.lrn(tf.zeros([1, 1, 1, 3], tf.float64))), tf.nn.lrn(tf.ones([1, 1, 1, 3], tf.float16)))

# --- dilation
rng = np.random.RandomState(1)
x, f = tf.constant(rng.randn(2, 6, 5, 2).astype("float32")), tf.constant(rng.randn(3, 2, 2).astype("float32"))
for op in (tf.nn.dilation2d, tf.nn.erosion2d):
    for strides, padding, dilations in (([1, 1, 1, 1], "VALID", [1, 1, 1, 1]), ([1, 2, 1, 1], "SAME", [1, 1, 1, 1]), ([1, 1, 2, 1], "SAME", [1, 2, 2, 1]), ([1, 2, 2, 1], "VALID", [1, 1, 3, 1])):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, f])
            y = op(x, f, strides, padding, "NHWC", dilations)
            loss = tf.reduce_sum(y * y)
        print(y.shape, tf.reduce_sum(y), tape.gradient(loss, f), tf.reduce_sum(tape.gradient(loss, x) * x))
print(outcome(lambda: tf.nn.dilation2d(x, f, [1, 1, 1, 1], "SAME", "NCHW", [1, 1, 1, 1])))

# --- dilation_ties
x, f = tf.ones([1, 3, 3, 1]), tf.zeros([2, 2, 1])
with tf.GradientTape(persistent=True) as tape:
    tape.watch([x, f])
    y = tf.nn.dilation2d(x, f, [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1])
print(tape.gradient(y, x)[0, :, :, 0], tape.gradient(y, f)[:, :, 0])

# --- isotonic
for x in ([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]], [[5.0, 4.0, 3.0, 3.5, 1.0, 1.5]], [1.0], [[3, 1, 2]]):
    print(tf.nn.isotonic_regression(x), tf.nn.isotonic_regression(x, decreasing=False))
print(tf.nn.isotonic_regression([[3.0, 1.0], [1.0, 2.0], [2.0, 3.0]], axis=0))
x = tf.constant([[5.0, 4.0, 3.0, 3.5, 1.0, 1.5]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y, _ = tf.nn.isotonic_regression(x)
    loss = tf.reduce_sum(y * tf.constant([[1.0, 2, 3, 4, 5, 6]]))
print(tape.gradient(loss, x))

# --- approx_max_k
x = tf.constant([[1.0, 5.0, 3.0, 2.0], [2.0, 9.0, 4.0, 9.0]])
print(tf.nn.approx_max_k(x, 2), tf.math.approx_max_k(x, 3), outcome(lambda: tf.nn.approx_max_k(tf.cast(x, tf.float64), 1)))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.approx_max_k(x, 2).values
print(tape.gradient(y * y, x))

# --- sobol
print(tf.math.sobol_sample(3, 5), tf.math.sobol_sample(2, 3, skip=4, dtype=tf.float64), tf.math.sobol_sample(1, 2), tf.math.sobol_sample(40, 7, skip=100)[:, -3:])
print(outcome(lambda: tf.math.sobol_sample(0, 2)), outcome(lambda: tf.math.sobol_sample(2, 0)))

# --- global_normalization
x, m, v, b, g = tf.ones([1, 2, 2, 2]) * 3.0, tf.constant([1.0, 2.0]), tf.constant([4.0, 1.0]), tf.constant([0.5, 0.0]), tf.constant([2.0, 3.0])
print(tf.nn.batch_norm_with_global_normalization(x, m, v, b, g, 0.001, True), tf.nn.batch_norm_with_global_normalization(x, m, v, b, g, 0.001, False))

# --- second_order_of_maxima
x = tf.constant(np.random.RandomState(0).randn(1, 4, 4, 1).astype("float32"))
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    g = inner.gradient(y, x)
print(outer.gradient(g, x))

# --- expint
x = tf.constant([-1.0, 0.0, 0.5, 1.0, 5.0, float("inf"), float("nan")])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.special.expint(x)
print(y, tape.gradient(y, x))

# --- ctc_loss_of_labels_that_do_not_fit
logits = tf.constant(np.random.RandomState(0).randn(4, 2, 3), tf.float32)
print(tf.nn.ctc_loss([[1, 1], [2, 0]], logits, [2, 1], [2, 4], blank_index=0).numpy())
print(tf.nn.ctc_loss([[1, 2, 1], [2, 2, 2]], logits, [3, 3], [2, 4], blank_index=0).numpy())

# --- ctc_loss_of_sparse_labels_in_a_function
@tf.function
def f(x, labels):
    return tf.nn.ctc_loss(labels, x, None, [4, 4], blank_index=-1)

logits = tf.constant(np.random.RandomState(0).randn(4, 2, 4), tf.float32)
print(f(logits, tf.sparse.from_dense([[1, 2], [2, 0]])))
