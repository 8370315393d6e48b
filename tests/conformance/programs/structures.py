# TensorShape, TensorSpec, tf.nest, tf.errors and the smaller public objects.

# --- tensorshape_basics
s = tf.TensorShape([2, None, 4])
print(s, s.rank, s[0], s[1], s.as_list(), len(s), s.ndims, s.is_fully_defined(), s.num_elements())

# --- tensorshape_unknown_rank
s = tf.TensorShape(None)
print(s, s.rank, s.ndims, s.is_fully_defined(), s.num_elements(), outcome(s.as_list), outcome(lambda: len(s)), bool(s))

# --- tensorshape_truth
print(bool(tf.TensorShape([])), bool(tf.TensorShape([2])), bool(tf.TensorShape(None)))

# --- tensorshape_equality
s = tf.TensorShape([2, 3])
print(s == [2, 3], s == (2, 3), s != [2, 4], s == tf.TensorShape([2, 3]), tf.TensorShape([2, None]) == [2, None])
print(tf.TensorShape(None) == tf.TensorShape(None), tf.TensorShape([]) == [])

# --- tensorshape_slices_and_concat
s = tf.TensorShape([2, 3, 4])
print(s[1:], s[:-1], s[-1], s + [5], [1] + s, s.concatenate([7]), tf.TensorShape(None) + [1], s + (None,))

# --- tensorshape_index_out_of_range
tf.TensorShape([2, 3])[5]

# --- tensorshape_iteration
print(list(tf.TensorShape([2, 3])), tuple(tf.TensorShape([2, None])), [d for d in tf.zeros([4, 5]).shape])
print(outcome(lambda: list(tf.TensorShape(None))))

# --- tensorshape_merge
a, b = tf.TensorShape([None, 3]), tf.TensorShape([2, None])
print(a.merge_with(b), a.is_compatible_with(b), a.is_compatible_with([2, 4]), tf.TensorShape(None).merge_with(a))
print(outcome(lambda: tf.TensorShape([2]).merge_with([3])))

# --- tensorshape_most_specific_and_subtype
a, b = tf.TensorShape([2, 3]), tf.TensorShape([2, 4])
print(a.most_specific_compatible_shape(b), tf.TensorShape([2]).most_specific_compatible_shape(tf.TensorShape([2, 3])))

# --- tensorshape_asserts
s = tf.TensorShape([2, None])
print(s.with_rank(2), outcome(lambda: s.with_rank(3)), s.with_rank_at_least(1), outcome(s.assert_is_fully_defined))
print(outcome(lambda: s.assert_has_rank(2)), outcome(lambda: s.assert_is_compatible_with([3, 3])))

# --- tensorshape_bad
print(outcome(tf.TensorShape, [-2]), outcome(tf.TensorShape, "ab"), outcome(tf.TensorShape, [1.5]), repr(tf.TensorShape(3)))

# --- tensorshape_hash_and_dict
d = {tf.TensorShape([1, 2]): "a"}
print(d[tf.TensorShape([1, 2])], hash(tf.TensorShape([1])) == hash(tf.TensorShape([1])))

# --- tensorshape_arithmetic
s = tf.zeros([2, 3]).shape
print(s[0] * s[1], np.prod(s), s[0] + 1, tuple(s), s.rank == 2, tf.zeros(s).shape)

# --- tensorspec
t = tf.TensorSpec([None, 2], tf.float32)
print(t.shape, t.dtype, t.name, t == tf.TensorSpec([None, 2], tf.float32), t == tf.TensorSpec([None, 2], tf.float32, name="x"))
print(t.is_compatible_with(tf.zeros([5, 2])), t.is_compatible_with(tf.zeros([5, 3])), t.is_compatible_with(tf.zeros([5, 2], tf.int32)))

# --- tensorspec_from
print(tf.TensorSpec.from_tensor(tf.zeros([2, 3])), tf.TensorSpec.from_spec(tf.TensorSpec([1], tf.int32), name="n"))
print(tf.TensorSpec(shape=None), tf.type_spec_from_value(tf.constant(1)))

# --- nest_flatten
print(tf.nest.flatten([1, (2, [3]), {"b": 5, "a": 4}]), tf.nest.flatten(7), tf.nest.flatten([]), tf.nest.flatten(None))
print(tf.nest.flatten("abc"), tf.nest.flatten([[], ()]))

# --- nest_flatten_tensors_and_arrays
a = np.ones(2)
print(len(tf.nest.flatten([a, [tf.constant([1, 2])]])), tf.nest.flatten(range(3)), tf.nest.flatten({3, 4} if False else [{3}]))

# --- nest_ordereddict_sorted
from collections import OrderedDict
print(tf.nest.flatten(OrderedDict([("z", 1), ("a", 2)])), tf.nest.flatten({"z": 1, "a": 2}))

# --- nest_namedtuple
from collections import namedtuple
P = namedtuple("P", "y x")
print(tf.nest.flatten(P(1, 2)), tf.nest.map_structure(lambda v: v + 1, P(1, [2])))

# --- nest_map_structure
print(tf.nest.map_structure(lambda x: x * 2, {"a": [1, 2], "b": (3,)}))
print(tf.nest.map_structure(lambda x, y: x + y, [1, (2, 3)], [10, (20, 30)]))

# --- nest_map_structure_mismatch
print(outcome(lambda: tf.nest.map_structure(lambda x, y: x, [1, 2], [1, [2]])))
print(outcome(lambda: tf.nest.map_structure(lambda x, y: x, [1, 2], [1])))
print(outcome(lambda: tf.nest.map_structure(lambda x, y: x, [1, 2], (1, 2))))
print(outcome(lambda: tf.nest.map_structure(lambda x, y: x, {"a": 1}, {"b": 1})))

# --- nest_map_structure_no_check_types
print(tf.nest.map_structure(lambda x, y: x + y, [1, 2], (1, 2), check_types=False))

# --- nest_pack_sequence_as
print(tf.nest.pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3]), tf.nest.pack_sequence_as(0, [5]))
print(outcome(lambda: tf.nest.pack_sequence_as([0, 0], [1])))

# --- nest_assert_same_structure
print(tf.nest.assert_same_structure([1, (2,)], [3, (4,)]), outcome(lambda: tf.nest.assert_same_structure([1], [[1]])))
print(outcome(lambda: tf.nest.assert_same_structure([1], (1,))), outcome(lambda: tf.nest.assert_same_structure({"a": 1}, {"a": 2})))

# --- nest_is_nested
print(tf.nest.is_nested([1]), tf.nest.is_nested(1), tf.nest.is_nested("ab"), tf.nest.is_nested({"a": 1}), tf.nest.is_nested(tf.constant([1])), tf.nest.is_nested({1}))

# --- nest_map_structure_returns_types
r = tf.nest.map_structure(tf.zeros_like, {"w": tf.Variable([1.0]), "b": tf.constant([2, 3])})
print(r)

# --- error_classes
for name in ("InvalidArgumentError", "NotFoundError", "OutOfRangeError", "UnimplementedError", "FailedPreconditionError", "ResourceExhaustedError", "OpError"):
    c = getattr(tf.errors, name)
    print(name, issubclass(c, tf.errors.OpError), issubclass(c, Exception))

# --- error_attributes
try:
    tf.ones([2]) + tf.ones([3])
except tf.errors.InvalidArgumentError as e:
    print(e.error_code == tf.errors.INVALID_ARGUMENT, e.op is None, e.node_def is None, isinstance(e, tf.errors.OpError), "Incompatible" in e.message)

# --- error_raise_by_hand
try:
    raise tf.errors.InvalidArgumentError(None, None, "mine")
except tf.errors.OpError as e:
    print(type(e).__name__, e.message, str(e))

# --- assert_functions
print(tf.debugging.assert_equal(tf.constant(1), 1), outcome(lambda: tf.debugging.assert_equal(1, 2)))
print(outcome(lambda: tf.debugging.assert_positive([-1.0])), outcome(lambda: tf.debugging.assert_near(1.0, 1.1)))
print(outcome(lambda: tf.debugging.assert_less([1, 2], [2, 2])), outcome(lambda: tf.debugging.assert_shapes([(tf.zeros([2, 3]), (2, 4))])))

# --- assert_ranks_and_types
print(outcome(lambda: tf.debugging.assert_rank(tf.zeros([2]), 2)), outcome(lambda: tf.debugging.assert_type(tf.zeros([2]), tf.int32)))
print(outcome(lambda: tf.debugging.assert_non_negative([0, 1])), outcome(lambda: tf.debugging.assert_integer(1.5)))

# --- check_numerics
print(tf.debugging.check_numerics(tf.constant([1.0]), "ok"), outcome(lambda: tf.debugging.check_numerics(tf.constant([1.0, float("nan")]), "bad")))

# --- tf_assert
print(outcome(lambda: tf.Assert(tf.constant(False), [tf.constant(1)])), outcome(lambda: tf.Assert(True, [1])))
print(outcome(lambda: tf.debugging.Assert(False, ["x"])))

# --- version_and_config
print(tf.__version__.split(".")[0], len(tf.config.list_physical_devices("GPU")), len(tf.config.list_physical_devices("CPU")))
print(tf.test.is_gpu_available() if hasattr(tf.test, "is_gpu_available") else False)

# --- no_op_and_group
print(tf.no_op(), tf.group())

# --- control_dependencies_and_init_scope
with tf.control_dependencies([tf.constant(1)]):
    with tf.init_scope():
        print(tf.constant(2.0))

# --- newaxis_is_none
print(tf.newaxis is None)

# --- unconnected_gradients_enum
print(tf.UnconnectedGradients("zero"), tf.UnconnectedGradients.NONE.value, outcome(tf.UnconnectedGradients, "bad"))

# --- broadcast_static_shape
print(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])), tf.broadcast_dynamic_shape([2, 1], [3]))
print(outcome(lambda: tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3]))))

# --- ensure_shape
print(tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape, outcome(lambda: tf.ensure_shape(tf.zeros([2, 3]), [3, 3])))

# --- test_case_compute_gradient
theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 2.0], tf.float64)])
print(theoretical[0], np.allclose(theoretical[0], numerical[0], atol=1e-5))

# --- numpy_function
print(tf.numpy_function(lambda a: a * 2, [tf.constant([1.0, 2.0])], tf.float32))

# --- py_function_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.py_function(lambda v: v * v, [x], tf.float32)
print(y, tape.gradient(y, x))

# --- numpy_function_has_no_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.numpy_function(lambda v: v * v, [x], tf.float32)
print(y, tape.gradient(y, x))

# --- gradient_namespace_names
for name in ("GradientTape", "custom_gradient", "stop_gradient", "grad_pass_through", "recompute_grad", "IndexedSlices", "UnconnectedGradients", "autodiff.ForwardAccumulator", "autodiff.GradientTape"):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    print(name, callable(value))
