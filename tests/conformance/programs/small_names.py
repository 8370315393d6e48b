# Names that few programs use.

# --- device_spec
for text in ("/job:worker/replica:0/task:1/device:GPU:2", "/cpu:0", "/job:ps", "/device:CPU:*", ""):
    d = tf.DeviceSpec.from_string(text)
    print(repr(d.to_string()), d.job, d.replica, d.task, d.device_type, d.device_index)
d = tf.DeviceSpec(job="w", task=1, device_type="gpu", device_index=0)
print(d.to_string(), d.replace(task=3).to_string(), d.make_merged_spec(tf.DeviceSpec(device_type="CPU")).to_string(), d == tf.DeviceSpec.from_string("/job:w/task:1/device:GPU:0"), outcome(lambda: tf.DeviceSpec.from_string("/what:1")))

# --- scopes_and_sections
with tf.name_scope("a"):
    with tf.name_scope("b"):
        print(tf.get_current_name_scope())
print(repr(tf.get_current_name_scope()))
print(outcome(lambda: tf.CriticalSection().execute(3)))
print(tf.AggregationMethod.ADD_N, tf.AggregationMethod.DEFAULT, tf.AggregationMethod.EXPERIMENTAL_TREE)

# --- compatibility
print(tf.compat.dimension_value(5), tf.compat.dimension_value(None), tf.compat.forward_compatible(2000, 1, 1))
with tf.compat.forward_compatibility_horizon(1999, 1, 1):
    print(tf.compat.forward_compatible(2000, 1, 1))
with tf.compat.forward_compatibility_horizon(2300, 1, 1):
    print(tf.compat.forward_compatible(2200, 1, 1))
print(tf.compat.forward_compatible(2200, 1, 1))
print(tf.autograph.experimental.Feature.LISTS, tf.autograph.experimental.Feature.ALL.name)
tf.autograph.trace("tracing", 1)

# --- test_case
class Case(tf.test.TestCase):
    def runTest(self):
        pass
t = Case()
t.setUp()
checks = [lambda: t.assertAllEqual([1, 2], tf.constant([1, 2])), lambda: t.assertAllEqual([1, 2], [1, 3]), lambda: t.assertAllEqual([1], [[1]]), lambda: t.assertAllClose([1.0], [1.0 + 1e-7]), lambda: t.assertAllClose([1.0], [1.1]), lambda: t.assertAllClose({"a": 1.0}, {"a": 1.0}), lambda: t.assertAllClose({"a": 1.0}, {"b": 1.0}), lambda: t.assertNotAllClose([1.0], [1.1]), lambda: t.assertNotAllEqual([1], [1]), lambda: t.assertAllGreater([2, 3], 1), lambda: t.assertAllLess([2, 3], 3), lambda: t.assertAllInRange([0.5], 0, 1), lambda: t.assertAllInRange([1.5], 0, 1), lambda: t.assertNear(1.0, 1.1, 0.2), lambda: t.assertShapeEqual(np.zeros([2]), tf.zeros([2])), lambda: t.assertLen([1], 2), lambda: t.assertEmpty([]), lambda: t.assertAllInSet([1, 2], {1, 2, 3}), lambda: t.assertDTypeEqual(tf.constant(1.0), np.float32), lambda: t.assertAllCloseAccordingToType(tf.constant(1.0, tf.float16), tf.constant(1.0005, tf.float16)), lambda: t.evaluate({"a": tf.constant(1)}), lambda: t.assertAllClose(float("nan"), float("nan"))]
print([outcome(check) for check in checks])
with t.assertRaisesOpError("indices"):
    tf.gather([1.0], [3])
print(tf.random.uniform([2]), np.random.rand())

# --- variable_creator_scope
def creator(next_creator, **kwargs):
    print(sorted(k for k in kwargs if k in ("initial_value", "trainable", "name", "dtype", "shape")), kwargs["name"], kwargs["trainable"], kwargs["initial_value"])
    kwargs["initial_value"] = kwargs["initial_value"] * 2
    return next_creator(**kwargs)
def outer(next_creator, **kwargs):
    v = next_creator(**kwargs)
    print("outer saw", v.numpy())
    return v
with tf.variable_creator_scope(outer):
    with tf.variable_creator_scope(creator):
        v = tf.Variable(3.0, name="v", trainable=False)
    w = tf.Variable([1, 2])
u = tf.Variable(1.0)
print(v, w, u, v.trainable, v.name)
with tf.GradientTape() as tape:
    with tf.variable_creator_scope(creator):
        x = tf.Variable(2.0)
    y = x * x
print(tape.gradient(y, x))

# --- max_pool_with_argmax_is_a_named_tuple
x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
found = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")
print(type(found).__name__, found._fields, found.output.shape, found.argmax.numpy().ravel())

# --- euclidean_norm_of_integers_wraps_around
for dtype in ("uint8", "int8", "int32", "uint32", "uint64"):
    print(tf.math.reduce_euclidean_norm(tf.cast([-2, 0, 1, 3, 1], dtype)))

# --- partitions_of_int64
print(outcome(tf.dynamic_partition, [1, 2], tf.constant([0, 1], tf.int64), 2))

# --- bincount_of_sparse
sp = tf.sparse.from_dense([[1, 2], [0, 3]])
print(tf.math.bincount(sp, axis=-1), tf.math.bincount(sp), tf.math.bincount(sp, axis=0, minlength=6))

# --- truth_of_an_empty_tensor
print(bool(tf.zeros([0])), bool(tf.constant([], tf.int32)))

# --- nextafter_of_python_numbers
print(tf.math.nextafter(3, 2), tf.math.nextafter(3, 2.5), tf.math.nextafter([1, 2], [[1.5], [2.5]]))

# --- names_of_distorted_boxes
boxes = [[[0.1, 0.1, 0.9, 0.9]]]
print(type(tf.image.sample_distorted_bounding_box([20, 20, 3], boxes, seed=1)).__name__)
print(type(tf.image.stateless_sample_distorted_bounding_box([20, 20, 3], boxes, [1, 2])).__name__)

# --- glimpses_of_the_wrong_rank
for image in (tf.zeros([5, 6, 3]), tf.zeros([5, 6]), tf.zeros([0, 5, 6, 3])):
    print(outcome(tf.image.extract_glimpse, image, (3, 3), [[0.1, 0.2], [0.0, 0.0]]))

# --- arguments_of_other_types
print(outcome(tf.add_n, 3), outcome(tf.strings.join, "a"), outcome(tf.linalg.set_diag, [[1, 2], [3, 4]], [1.0, 2.0]), outcome(tf.sparse.transpose, tf.sparse.eye(2, 3), [0]))

# --- ragged_row_splits_dtypes
print(tf.ragged.stack_dynamic_partitions([1, 2, 3], [1, 0, 1], 2).row_splits)
print(tf.map_fn(lambda x: x * 2, tf.ragged.constant([[1.0, 2.0], [], [3.0]])).row_splits)

# --- dropout_of_ragged
tf.random.set_seed(7)
print(tf.nn.dropout(tf.ragged.constant([[1.0, 2.0], [], [3.0, 4.0, 5.0]]), 0.5, seed=1))

# --- second_derivative_of_segment_products_at_zero
x = tf.constant([1.0, 0.0, 3.0, 2.0])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.segment_prod(x, [0, 0, 1, 1])
    first = tape.gradient(y, x)
print(first, outer.jacobian(first, x))

# --- sparse_of_unknown_rank
@tf.function(input_signature=[tf.TensorSpec(None)])
def f(values):
    return tf.sparse.to_dense(tf.SparseTensor([[0, 0], [1, 2]], values, [2, 3]))

print(f(tf.constant([1.0, 2.0])))

# --- xla_compile
v = tf.Variable(1.0)
def update(x):
    v.assign_add(x)
    return v.read_value()
compiled = tf.xla.experimental.compile
print(compiled(lambda x, y: x + y, [1.0, 2.0]))
print(compiled(lambda x: (x, x * 2), [tf.constant(1.0)]), compiled(lambda: 3.0))
print(compiled(lambda x: {"a": x, "b": (x * 2, x)}, [tf.constant(1.0)]))
print(compiled(update, [2.0]), v.numpy())
print(outcome(compiled, lambda x: x, tf.constant([1.0])), outcome(compiled, lambda x, y: x, [1.0]))
print(outcome(compiled, lambda: None), v.numpy())
print(tf.function(lambda x: compiled(lambda x: x * 2, [x]))(tf.constant(2.0)))
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    print(session.run(compiled(lambda x, y: x * y, [3.0, 2.0])))

# --- xla_compile_has_no_gradient
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.xla.experimental.compile(lambda x: x * x, [x])
tape.gradient(y, x)

# --- sync_devices
print(tf.test.experimental.sync_devices())
tf.function(lambda: tf.test.experimental.sync_devices())()

# --- where_of_tensorflow_1_converts_its_operands
where = tf.compat.v1.where
wide = tf.constant([2.0, 4.0], tf.float64)
print(where(True, wide, [1.0, 1.0]), where([True, False], [1.0, 2.0], wide), where([True, False], wide, [1, 2]))
print(outcome(where, [True, False], [1, 2], [2.0, 4.0]))
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    print(session.run(where(tf.constant(True), tf.constant(2.0, tf.float64), 1.0)))

# --- seeds_are_integers
print(outcome(tf.random.normal, [2], seed=np.array([1, 2])), outcome(tf.random.normal, [2], seed=[1, 2]))
tf.random.normal([2], seed=tf.constant([1, 2]))
