# Operators, broadcasting and indexing.

# --- arithmetic_operators
a, b = tf.constant([4.0, 9.0]), tf.constant([2.0, 4.0])
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** 0.5, -a, abs(-a))

# --- reflected_operators
a = tf.constant([4.0, 2.0])
print(1 + a, 1 - a, 3 * a, 8 / a, 9 // a, 7 % a, 2 ** a)

# --- in_place_operators_rebind
a = tf.constant([1.0, 2.0])
b = a
a += 1
a *= 2
a -= 0.5
a /= 2
a **= 2
print(a, b, a is b)

# --- comparison_operators
a = tf.constant([1, 2, 3])
print(a < 2, a <= 2, a > 2, a >= 2)
print(2 < a, tf.less(a, 2), tf.greater_equal(a, [3, 2, 1]))

# --- matmul_operator
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(a @ a, a @ [[1.0], [1.0]], np.eye(2, dtype=np.float32) @ a)

# --- matmul_of_vectors_refused
tf.constant([1.0, 2.0]) @ tf.constant([1.0, 2.0])

# --- broadcasting
a = tf.constant([[1.0], [2.0]])
b = tf.constant([10.0, 20.0, 30.0])
print(a + b, (a * 2).shape, (tf.ones([2, 1, 3]) + tf.ones([4, 1])).shape)

# --- broadcasting_failure
tf.ones([2, 3]) + tf.ones([2])

# --- broadcasting_failure_names_shapes
try:
    tf.ones([2, 3]) * tf.ones([4])
except tf.errors.InvalidArgumentError as e:
    print("[2,3] vs. [4]" in str(e), "Incompatible shapes" in e.message)

# --- broadcasting_gradient
a = tf.Variable([[1.0], [2.0]])
b = tf.Variable([10.0, 20.0, 30.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(a * b)
print(*tape.gradient(y, [a, b]))

# --- scalar_broadcast_gradient
s = tf.Variable(2.0)
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = s * x
print(tape.gradient(y, s))

# --- index_basic
x = tf.reshape(tf.range(12), [3, 4])
print(x[0], x[1, 2], x[-1], x[-1, -1], x[1][2])

# --- index_slices
x = tf.reshape(tf.range(12), [3, 4])
print(x[1:], x[:, 1], x[:2, 1:3], x[::2], x[:, ::-1], x[::-2, ::3])

# --- index_ellipsis
x = tf.reshape(tf.range(24), [2, 3, 4])
print(x[..., 0], x[0, ...], x[1, ..., 2], x[...].shape, x[..., 1:3].shape)

# --- index_newaxis
x = tf.constant([1, 2, 3])
print(x[tf.newaxis].shape, x[:, None].shape, x[tf.newaxis, :, tf.newaxis].shape, x[None, 1], x[..., None].shape)

# --- index_out_of_range
tf.constant([1, 2, 3])[3]

# --- index_out_of_range_negative
tf.constant([1, 2, 3])[-4]

# --- slices_clamp
x = tf.constant([1, 2, 3])
print(x[1:100], x[-100:2], x[5:], x[2:1], x[100:0:-1])

# --- negative_steps
x = tf.range(6)
print(x[::-1], x[4:1:-1], x[-2::-2], x[:2:-1])

# --- step_zero
tf.range(5)[::0]

# --- tensor_index
x = tf.constant([10, 20, 30, 40])
i = tf.constant(2)
print(x[i], x[i:], x[:i], x[0:i + 1], x[-i])

# --- tensor_index_two_dims
x = tf.reshape(tf.range(12), [3, 4])
i, j = tf.constant(1), tf.constant(3)
print(x[i, j], x[i], x[:, j], x[i:, :j], x[tf.argmax([1, 5, 2]), 0])

# --- numpy_int_index
x = tf.constant([10, 20, 30])
print(x[np.int64(1)], x[np.array(2)], x[np.int32(0):2])

# --- boolean_mask_index
x = tf.constant([1.0, -2.0, 3.0])
print(outcome(lambda: x[x > 0]))
print(outcome(lambda: x[[True, False, True]]))

# --- list_index_refused
print(outcome(lambda: tf.constant([1, 2, 3])[[0, 2]]))
print(outcome(lambda: tf.constant([1, 2, 3])[tf.constant([0, 2])]))

# --- float_index_refused
print(outcome(lambda: tf.constant([1, 2, 3])[1.0]))
print(outcome(lambda: tf.constant([1, 2, 3])[tf.constant(1.0)]))
print(outcome(lambda: tf.constant([1, 2, 3])["a"]))

# --- bool_index_refused
print(outcome(lambda: tf.constant([1, 2, 3])[True]))

# --- too_many_indices
tf.constant([1, 2, 3])[0, 0]

# --- index_into_scalar
print(outcome(lambda: tf.constant(3.0)[0]))
print(tf.constant(3.0)[...], tf.constant(3.0)[tf.newaxis])

# --- two_ellipses
tf.zeros([2, 2])[..., ...]

# --- index_tuple_object
x = tf.reshape(tf.range(12), [3, 4])
key = (slice(0, 2), 1)
print(x[key], x[(1, 2)], x[()].shape)

# --- slice_with_tensor_step
x = tf.range(10)
print(x[tf.constant(1):tf.constant(9):tf.constant(3)])

# --- index_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = x[1] ** 2 + x[0] * 3
print(tape.gradient(y, x))

# --- slice_gradient
x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x[:, ::2] ** 2)
print(tape.gradient(y, x))

# --- negative_step_gradient
x = tf.Variable([1.0, 2.0, 3.0])
w = tf.constant([1.0, 10.0, 100.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x[::-1] * w)
print(tape.gradient(y, x))

# --- newaxis_gradient
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x[:, tf.newaxis] * x[tf.newaxis, :])
print(tape.gradient(y, x))

# --- ellipsis_gradient
x = tf.Variable(tf.reshape(tf.range(8.0), [2, 2, 2]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x[..., -1] ** 2)
print(tape.gradient(y, x))

# --- overlapping_slices_gradient
x = tf.Variable([1.0, 2.0, 4.0])
with tf.GradientTape() as tape:
    d = x[1:] - x[:-1]
    y = tf.reduce_sum(d ** 2)
print(tape.gradient(y, x))

# --- unpack_gradient
x = tf.Variable([2.0, 3.0])
with tf.GradientTape() as tape:
    a, b = tf.unstack(x)
    y = a * b ** 2
print(tape.gradient(y, x))

# --- iterate_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = 1.0
    for item in tf.convert_to_tensor(x):
        y = y * item
print(tape.gradient(y, x))

# --- variable_index_reads
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
print(v[0], v[:, 1], v[1, 1], v[-1:], v[..., 0])

# --- variable_operators
v = tf.Variable(3.0)
w = tf.Variable(4.0)
print(v + w, v * 2, 2 - v, v / w, v ** 2, -v, abs(-v), v % 2, v // 2.0)

# --- variable_comparisons
v = tf.Variable([1.0, 5.0])
print(v > 2, v == [1.0, 2.0], v <= v, 2.0 < v)

# --- variable_iteration
v = tf.Variable([1.0, 2.0])
print([float(x) for x in v])

# --- tensor_plus_none
tf.constant(1.0) + None

# --- tensor_plus_string
tf.constant(1.0) + "a"

# --- tensor_plus_dict
tf.constant(1.0) * {}

# --- string_concatenation
print(tf.constant("ab") + "cd", tf.constant(["a", "b"]) + tf.constant("!"))

# --- chained_comparison_of_scalars
x = tf.constant(2)
print(1 < x < 3, bool(x == 2) and bool(x != 3))

# --- power_gradients
x, p = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x ** p
print(*tape.gradient(y, [x, p]))

# --- mod_gradient
x, m = tf.Variable(7.5), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x % m
print(y, *tape.gradient(y, [x, m]))

# --- floordiv_gradient_is_none
x = tf.Variable(7.5)
with tf.GradientTape() as tape:
    y = x // 2.0
print(y, tape.gradient(y, x))

# --- matmul_gradient
a = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
b = tf.Variable([[1.0], [2.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(a @ b)
print(*tape.gradient(y, [a, b]))

# --- abs_of_python_builtin
x = tf.Variable(-3.0)
with tf.GradientTape() as tape:
    y = abs(x) + pow(x, 2)
print(tape.gradient(y, x))

# --- logical_functions
a, b = tf.constant([True, True, False]), tf.constant([True, False, False])
print(tf.logical_and(a, b), tf.logical_or(a, b), tf.logical_not(a), tf.math.logical_xor(a, b))

# --- empty_tensors
e = tf.zeros([0])
print(e + 1, tf.reduce_sum(e), tf.zeros([0, 3]) * tf.ones([3]), tf.reduce_max(e))

# --- divide_by_zero_floats
x = tf.constant([1.0, -1.0, 0.0])
print(x / 0.0, tf.math.divide_no_nan(x, 0.0), x % 0.0)

# --- large_broadcast_shape_rank
print((tf.ones([1, 2, 1, 3]) * tf.ones([4, 1, 5, 1])).shape)

# --- nan_comparisons
n = tf.constant([float("nan"), 1.0])
print(n == n, n != n, n < 1.0, tf.math.is_nan(n), tf.math.is_finite(n), tf.math.is_inf(n / 0.0))
