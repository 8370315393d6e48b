# Reductions, cumulative and segment functions, sorting, with gradients.

# --- sum_mean_axes
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(tf.reduce_sum(x), tf.reduce_sum(x, 0), tf.reduce_sum(x, axis=1, keepdims=True), tf.reduce_mean(x, axis=[0, 1]), tf.reduce_mean(x, -1))

# --- sum_of_empty_axis_list
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.reduce_sum(x, axis=[]), tf.reduce_sum(x, axis=tf.constant([0])), tf.reduce_sum(x, axis=(0, 1)))

# --- max_min_prod
x = tf.constant([[1, 5, 3], [4, 2, 6]])
print(tf.reduce_max(x), tf.reduce_min(x, 0), tf.reduce_prod(x, 1), tf.reduce_max(x, axis=-1, keepdims=True))

# --- any_all
x = tf.constant([[True, False], [True, True]])
print(tf.reduce_any(x), tf.reduce_all(x, 0), tf.reduce_all(x, axis=1, keepdims=True), tf.reduce_any(x, axis=[0]))

# --- bad_axis
print(outcome(lambda: tf.reduce_sum(tf.zeros([2, 3]), axis=2)), outcome(lambda: tf.reduce_max(tf.zeros([2]), axis=-2)), outcome(lambda: tf.reduce_sum(tf.zeros([2, 2]), axis=[0, 0])))

# --- empty_inputs
e = tf.zeros([0])
print(tf.reduce_sum(e), tf.reduce_prod(e), tf.reduce_max(e), tf.reduce_min(e), tf.reduce_mean(e), tf.reduce_any(tf.constant([], tf.bool)), tf.reduce_all(tf.constant([], tf.bool)))

# --- empty_integer_max
print(tf.reduce_max(tf.constant([], tf.int32)), tf.reduce_min(tf.constant([], tf.int8)))

# --- integer_mean_truncates
print(tf.reduce_mean([1, 2]), tf.reduce_mean([-1, -2]), tf.reduce_mean(tf.constant([7, 8, 9, 9], tf.int64)))

# --- std_variance
x = tf.constant([1.0, 2.0, 3.0, 4.0])
print(tf.math.reduce_std(x), tf.math.reduce_variance(x), tf.math.reduce_euclidean_norm(x), tf.math.reduce_variance([[1.0, 5.0], [2.0, 8.0]], axis=0))
print(outcome(lambda: tf.math.reduce_std(tf.constant([1, 2]))))

# --- logsumexp
x = tf.Variable([[1.0, 2.0], [1000.0, 1000.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_logsumexp(x, axis=1)
print(y, tape.gradient(y, x))

# --- logsumexp_of_minus_inf
x = tf.Variable([-float("inf"), -float("inf")])
with tf.GradientTape() as tape:
    y = tf.reduce_logsumexp(x)
print(y, tape.gradient(y, x))

# --- gradients_of_sum_mean
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape(persistent=True) as tape:
    outs = [tf.reduce_sum(x), tf.reduce_mean(x), tf.reduce_sum(x ** 2, 0), tf.reduce_mean(x ** 2, 1), tf.reduce_mean(x, keepdims=True)]
for o in outs:
    print(tape.gradient(o, x).numpy().tolist())

# --- gradients_of_max_min_ties
x = tf.Variable([1.0, 3.0, 3.0, 0.0])
with tf.GradientTape(persistent=True) as tape:
    a, b = tf.reduce_max(x), tf.reduce_min(x)
print(tape.gradient(a, x), tape.gradient(b, x))

# --- max_gradient_along_axis
x = tf.Variable([[1.0, 5.0, 5.0], [7.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_max(x, axis=1) * [1.0, 10.0]
print(tape.gradient(y, x))

# --- max_with_nan
x = tf.Variable([1.0, float("nan"), 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_max(x)
print(y, tape.gradient(y, x), tf.argmax(x))

# --- prod_gradient_with_zeros
for values in ([2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 0.0, 4.0]):
    x = tf.Variable(values)
    with tf.GradientTape() as tape:
        y = tf.reduce_prod(x)
    print(y.numpy(), tape.gradient(y, x).numpy())

# --- std_gradient
x = tf.Variable([1.0, 2.0, 4.0])
with tf.GradientTape(persistent=True) as tape:
    a, b = tf.math.reduce_std(x), tf.math.reduce_variance(x)
print(tape.gradient(a, x), tape.gradient(b, x))

# --- std_gradient_of_equal_values
x = tf.Variable([2.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.math.reduce_std(x)
    b = tf.math.reduce_euclidean_norm(x - 2.0)
print(tape.gradient(a, x), tape.gradient(b, x))

# --- norm_gradients
x = tf.Variable([3.0, -4.0])
with tf.GradientTape(persistent=True) as tape:
    a, b, c = tf.norm(x), tf.norm(x, ord=1), tf.norm(x, ord=np.inf)
print(a, b, c, tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x))

# --- norm_at_zero
x = tf.Variable([0.0, 0.0])
with tf.GradientTape(persistent=True) as tape:
    a, b, c = tf.norm(x), tf.norm(x, ord=1), tf.norm(x, ord=np.inf)
print(tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x))

# --- cumsum
x = tf.constant([[1, 2, 3], [4, 5, 6]])
print(tf.cumsum(x), tf.cumsum(x, axis=1), tf.cumsum(x, 1, exclusive=True), tf.cumsum(x, 1, reverse=True), tf.cumsum(x, -1, exclusive=True, reverse=True))

# --- cumsum_gradient
x = tf.Variable([1.0, 2.0, 3.0])
w = tf.constant([1.0, 10.0, 100.0])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(tf.cumsum(x) * w)
    b = tf.reduce_sum(tf.cumsum(x, exclusive=True, reverse=True) * w)
print(tape.gradient(a, x), tape.gradient(b, x))

# --- cumprod
x = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.math.cumprod(x)
print(y, tape.gradient(y, x), tf.math.cumprod([1.0, 2.0, 3.0], exclusive=True), tf.math.cumprod([1, 2, 3], reverse=True))

# --- cumprod_gradient_with_zero
x = tf.Variable([2.0, 0.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.math.cumprod(x)
print(y, tape.gradient(y, x))

# --- cumulative_logsumexp
x = tf.Variable([0.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.math.cumulative_logsumexp(x)
print(y, tape.gradient(y, x))

# --- count_nonzero
x = tf.constant([[0, 1, 2], [0, 0, 3]])
print(tf.math.count_nonzero(x), tf.math.count_nonzero(x, axis=0), tf.math.count_nonzero([True, False], dtype=tf.int32))

# --- argmax_argmin
x = tf.constant([[3.0, 1.0, 3.0], [0.0, 5.0, 2.0]])
print(tf.argmax(x), tf.argmax(x, axis=1), tf.argmin(x, axis=-1), tf.argmax(x, 1, output_type=tf.int32), tf.math.argmin(x[0]))

# --- argmax_has_no_gradient
x = tf.Variable([1.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.cast(tf.argmax(x), tf.float32)
print(tape.gradient(y, x))

# --- sort_argsort
x = tf.constant([3.0, 1.0, 2.0, 1.0])
print(tf.sort(x), tf.sort(x, direction="DESCENDING"), tf.argsort(x), tf.argsort(x, direction="DESCENDING", stable=True), tf.sort([[3, 1], [2, 5]], axis=0))
print(outcome(lambda: tf.sort(x, direction="UP")))

# --- sort_gradient
x = tf.Variable([3.0, 1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.sort(x) * [1.0, 10.0, 100.0])
print(tape.gradient(y, x))

# --- top_k
x = tf.constant([[1.0, 9.0, 3.0], [7.0, 2.0, 7.0]])
v, i = tf.math.top_k(x, k=2)
print(v, i, tf.math.top_k([1, 5, 3]))
print(outcome(lambda: tf.math.top_k(x, k=5)))

# --- top_k_gradient
x = tf.Variable([[1.0, 9.0, 3.0], [7.0, 2.0, 7.0]])
with tf.GradientTape() as tape:
    v, _ = tf.math.top_k(x, k=2)
    y = v * [1.0, 10.0]
print(tape.gradient(y, x))

# --- in_top_k
print(tf.math.in_top_k([0, 1], [[0.8, 0.2, 0.0], [0.7, 0.2, 0.1]], k=1))

# --- segment_functions
x = tf.constant([1.0, 2.0, 3.0, 4.0])
s = tf.constant([0, 0, 2, 2])
print(tf.math.segment_sum(x, s), tf.math.segment_mean(x, s), tf.math.segment_max(x, s), tf.math.segment_min(x, s), tf.math.segment_prod(x, s))

# --- unsorted_segment_functions
x = tf.constant([1.0, 2.0, 3.0, 4.0])
s = tf.constant([2, 0, 2, 0])
print(tf.math.unsorted_segment_sum(x, s, 3), tf.math.unsorted_segment_mean(x, s, 3), tf.math.unsorted_segment_max(x, s, 3), tf.math.unsorted_segment_prod(x, s, 3), tf.math.unsorted_segment_sqrt_n(x, s, 3))

# --- segment_gradients
x = tf.Variable([1.0, 2.0, 2.0, 4.0])
s = tf.constant([0, 1, 1, 0])
with tf.GradientTape(persistent=True) as tape:
    outs = [f(x, s, 2) for f in (tf.math.unsorted_segment_sum, tf.math.unsorted_segment_mean, tf.math.unsorted_segment_max, tf.math.unsorted_segment_prod)]
for o in outs:
    print(tape.gradient(o, x, output_gradients=tf.constant([1.0, 10.0])))

# --- segment_sum_gradient
x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.math.segment_sum(x, [0, 0, 1]) ** 2
    b = tf.math.segment_mean(x, [0, 0, 1])
print(tape.gradient(a, x), tape.gradient(b, x))

# --- unsorted_segment_negative_ids_dropped
print(tf.math.unsorted_segment_sum([1.0, 2.0, 3.0], [-1, 0, 0], 2))

# --- segment_ids_unsorted_error
print(outcome(lambda: tf.math.segment_sum([1.0, 2.0], [1, 0])), outcome(lambda: tf.math.unsorted_segment_sum([1.0], [5], 2)))

# --- bincount_and_histogram
print(tf.math.bincount([1, 1, 3, 0]), tf.math.bincount([1, 1, 3], minlength=6), tf.math.bincount([1, 1], weights=[0.5, 2.0]))

# --- confusion_matrix
print(tf.math.confusion_matrix([1, 2, 0], [1, 0, 0]), tf.math.confusion_matrix([0, 1], [1, 1], num_classes=2, weights=[2, 3]))

# --- zero_fraction_and_moments
x = tf.constant([[1.0, 0.0], [3.0, 0.0]])
print(tf.math.zero_fraction(x), tf.nn.moments(x, axes=[0]), tf.nn.moments(x, axes=[0, 1], keepdims=True)[0].shape)

# --- reduce_over_strings
# needs: tf.strings.reduce_join
print(tf.strings.reduce_join(["a", "b", "c"]), tf.strings.join(["x", "y"], "-"))

# --- cumsum_bad_axis
print(outcome(lambda: tf.cumsum(tf.zeros([2, 2]), axis=2)), outcome(lambda: tf.argmax(tf.zeros([2]), axis=1)), outcome(lambda: tf.sort(tf.zeros([2]), axis=3)))

# --- mean_of_products
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    m = tf.reduce_mean(x, axis=0, keepdims=True)
    y = tf.reduce_sum((x - m) ** 2)
print(tape.gradient(y, x))

# --- max_as_a_norm_gradient
w = tf.Variable([[1.0, -5.0], [2.0, 3.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_max(tf.reduce_sum(tf.abs(w), axis=1))
print(y, tape.gradient(y, w))
