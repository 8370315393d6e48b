# Devices, name scopes, configuration, debugging and test helpers, as programs call them on a CPU.

# --- physical_devices
print(tf.config.list_physical_devices("GPU"), [d.device_type for d in tf.config.list_physical_devices("CPU")])
print([d.name for d in tf.config.list_physical_devices("CPU")])

# --- physical_device_repr
print(tf.config.list_physical_devices("CPU"))

# --- gpu_guard
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
print("Num GPUs Available:", len(gpus))

# --- logical_devices
print([d.name for d in tf.config.list_logical_devices("CPU")], len(tf.config.list_logical_devices("GPU")))

# --- visible_devices
print(len(tf.config.get_visible_devices("CPU")), len(tf.config.experimental.list_physical_devices("GPU")))

# --- device_scope
with tf.device("/CPU:0"):
    x = tf.constant([1.0, 2.0])
    y = x * 2
with tf.device("cpu:0"):
    z = y + 1
with tf.device(None):
    w = z + 1
print(w, x.device.endswith("CPU:0"))

# --- device_of_tensors_and_variables
print(tf.constant(1.0).device, tf.Variable(1.0).device)

# --- device_bad_name
print(outcome(lambda: tf.device("nonsense").__enter__()))

# --- device_and_gradient
x = tf.Variable(3.0)
with tf.device("/device:CPU:0"):
    with tf.GradientTape() as tape:
        y = x * x
    print(tape.gradient(y, x))

# --- name_scope_value
with tf.name_scope("outer") as a:
    with tf.name_scope("inner") as b:
        print(a, b)

# --- name_scope_variables
with tf.name_scope("layer"):
    v = tf.Variable(1.0, name="w")
    u = tf.Variable(1.0)
print(v.name, u.name, tf.Variable(1.0, name="w").name)

# --- name_scope_restored_after_error
try:
    with tf.name_scope("broken"):
        raise KeyError("x")
except KeyError:
    pass
print(tf.Variable(1.0, name="v").name)

# --- name_scope_bad
print(outcome(lambda: tf.name_scope(None).__enter__()), outcome(lambda: tf.name_scope(3).__enter__()))

# --- versions
print(tf.__version__.count(".") >= 2, tf.version.VERSION == tf.__version__, isinstance(tf.version.GIT_VERSION, str))

# --- eager_by_default
print(tf.executing_eagerly(), tf.inside_function())

# --- logger
import logging
print(tf.get_logger().name, isinstance(tf.get_logger(), logging.Logger))

# --- built_with
print(tf.test.is_built_with_cuda(), tf.test.gpu_device_name() == "")

# --- timestamp
t = tf.timestamp()
print(t.dtype, t.shape, float(t) > 1e9)

# --- assert_comparisons
d = tf.debugging
x = tf.constant([1.0, 2.0])
for f, a, b in ((d.assert_equal, x, x), (d.assert_equal, x, x + 1), (d.assert_none_equal, x, x), (d.assert_less, x, x), (d.assert_less_equal, x, x), (d.assert_greater, x + 1, x), (d.assert_greater_equal, x, x + 1), (d.assert_near, x, x + 1e-9), (d.assert_near, x, x + 0.1)):
    print(outcome(f, a, b))

# --- assert_signs
d = tf.debugging
for f in (d.assert_positive, d.assert_negative, d.assert_non_negative, d.assert_non_positive):
    print(outcome(f, [1.0, 2.0]), outcome(f, [0.0]), outcome(f, [-1.0]))

# --- assert_ranks
d = tf.debugging
x = tf.zeros([2, 3])
print(outcome(d.assert_rank, x, 2), outcome(d.assert_rank, x, 1), outcome(d.assert_rank_at_least, x, 1), outcome(d.assert_rank_at_least, x, 3), outcome(d.assert_rank_in, x, [1, 2]), outcome(d.assert_scalar, tf.constant(1)), outcome(d.assert_scalar, x))

# --- assert_shapes
d = tf.debugging
x, y = tf.zeros([2, 3]), tf.zeros([2, 4])
print(outcome(lambda: d.assert_shapes([(x, ("N", "D")), (y, ("N", "K"))])), outcome(lambda: d.assert_shapes([(x, ("N", "D")), (y, ("N", "D"))])), outcome(lambda: d.assert_same_float_dtype([x, tf.zeros([1], tf.float64)])))

# --- assert_message
# phrase: they should match
tf.debugging.assert_equal(tf.constant([1, 2]), tf.constant([1, 3]), message="they should match")

# --- check_numerics_message
# phrase: loss is bad
tf.debugging.check_numerics(tf.constant([1.0, float("inf")]), "loss is bad")

# --- check_numerics_gradient
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.debugging.check_numerics(x * 2, "fine") ** 2
print(tape.gradient(y, x))

# --- is_numeric_tensor
print(tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(tf.constant("a")), tf.debugging.is_numeric_tensor(1))

# --- compute_gradient_two_inputs
theory, numeric = tf.test.compute_gradient(lambda x, y: x * y, [tf.constant([1.0, 2.0], tf.float64), tf.constant([3.0, 4.0], tf.float64)])
print(len(theory), theory[0], theory[1], [np.allclose(a, b, atol=1e-4) for a, b in zip(theory, numeric)])

# --- compute_gradient_float32
theory, numeric = tf.test.compute_gradient(tf.sin, [tf.constant([0.5, 1.0])])
print(theory[0], np.max(np.abs(theory[0] - numeric[0])) < 1e-2)

# --- compute_gradient_matrix
theory, _ = tf.test.compute_gradient(lambda a: tf.matmul(a, a), [tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64)])
print(theory[0])

# --- compute_gradient_bad_arguments
print(outcome(lambda: tf.test.compute_gradient(tf.sin, tf.constant(1.0))), outcome(lambda: tf.test.compute_gradient(tf.sin, [tf.constant(1)])))

# --- control_dependencies
v = tf.Variable(1.0)
with tf.control_dependencies([v.assign_add(1.0)]):
    y = v * 2
print(y)

# --- py_function
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.py_function(func=lambda a: tf.reduce_sum(a ** 2), inp=[x], Tout=tf.float32)
print(y, tape.gradient(y, x))

# --- numpy_function_several_outputs
a, b = tf.numpy_function(lambda x: (x + 1, x * 2), [tf.constant([1.0, 2.0])], [tf.float32, tf.float32])
print(a, b)

# --- numpy_function_wrong_dtype
print(outcome(lambda: tf.numpy_function(lambda x: x.astype(np.float64), [tf.constant([1.0])], tf.float32)))

# --- math_namespace_is_the_same_function
print(tf.math.add is tf.add, tf.math.exp is tf.exp, tf.math.reduce_sum is tf.reduce_sum, tf.nn.sigmoid is tf.sigmoid, tf.linalg.matmul is tf.matmul, tf.nn.relu is not None)

# --- namespaces_exist
for name in ("math", "nn", "linalg", "random", "nest", "errors", "debugging", "dtypes", "config", "test", "autodiff", "bitwise", "strings", "random.experimental", "version"):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    print(name, value is not None)

# --- unknown_names
print(outcome(lambda: tf.does_not_exist), outcome(lambda: tf.math.does_not_exist), outcome(lambda: tf.nn.does_not_exist), hasattr(tf, "Session"), hasattr(tf, "placeholder"))

# --- bitwise
a, b = tf.constant([12, 10], tf.uint8), tf.constant([10, 3], tf.uint8)
print(tf.bitwise.bitwise_and(a, b), tf.bitwise.bitwise_or(a, b), tf.bitwise.bitwise_xor(a, b), tf.bitwise.invert(a), tf.bitwise.right_shift(a, tf.constant([1, 2], tf.uint8)))
