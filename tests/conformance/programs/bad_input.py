# Wrong types, shapes, dtypes, None, empty, NaN, ragged lists: the exception types.

# --- none_everywhere
for f in (tf.abs, tf.exp, tf.reduce_sum, tf.transpose, tf.nn.relu, tf.nn.softmax, tf.identity, tf.shape, tf.zeros_like, tf.stop_gradient, tf.squeeze, tf.argmax, tf.sort, tf.norm):
    print(outcome(f, None))

# --- none_as_second_operand
x = tf.constant([1.0, 2.0])
for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.matmul, tf.equal, tf.less):
    print(outcome(f, x, None), outcome(f, None, x))

# --- strings_for_numbers
for f in (tf.exp, tf.reduce_sum, tf.nn.relu, tf.sqrt, tf.negative, tf.square, tf.argmax):
    print(outcome(f, "text"), outcome(f, tf.constant(["a", "b"])))

# --- objects_for_tensors
class Thing:
    pass
for f in (tf.exp, tf.reduce_sum, tf.convert_to_tensor, tf.zeros_like, tf.shape):
    print(outcome(f, Thing()), outcome(f, {}), outcome(f, {"a": 1}))

# --- ragged_lists
for f in (tf.convert_to_tensor, tf.reduce_sum, tf.Variable, tf.exp, tf.shape):
    print(outcome(f, [[1.0, 2.0], [3.0]]))

# --- mixed_lists
print(outcome(tf.constant, [1, "a"]), outcome(tf.constant, ["a", 1]), outcome(tf.constant, [1, None]), outcome(tf.constant, [None]), outcome(tf.constant, [1.0, [2.0]]))

# --- integer_for_float_functions
for f in (tf.exp, tf.sqrt, tf.math.log, tf.sin, tf.tanh, tf.sigmoid, tf.nn.softmax, tf.math.erf, tf.math.rsqrt, tf.nn.softplus, tf.nn.elu, tf.math.digamma):
    print(outcome(f, tf.constant([1, 2])))

# --- bool_for_number_functions
t = tf.constant([True, False])
for f in (tf.exp, tf.abs, tf.negative, tf.square, tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.sign, tf.nn.relu, tf.cumsum):
    print(outcome(f, t))

# --- numbers_for_bool_functions
x = tf.constant([1.0, 0.0])
for f in (tf.logical_not, tf.reduce_any, tf.reduce_all):
    print(outcome(f, x))
print(outcome(tf.logical_and, x, x), outcome(tf.where, x, x, x))

# --- incompatible_shapes
a, b = tf.zeros([2, 3]), tf.zeros([3, 2])
for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.minimum, tf.equal, tf.less, tf.math.floordiv, tf.math.floormod, tf.math.squared_difference, tf.math.atan2):
    print(outcome(f, a, b))

# --- mixed_dtypes
a, b = tf.zeros([2]), tf.zeros([2], tf.float64)
for f in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.equal, tf.less, tf.math.floordiv, tf.math.atan2):
    print(outcome(f, a, b))

# --- mixed_int_dtypes
a, b = tf.zeros([2], tf.int32), tf.zeros([2], tf.int64)
print(outcome(tf.add, a, b), outcome(lambda: a < b), outcome(lambda: a / b), outcome(tf.concat, [a, b], 0), outcome(tf.where, [True, False], a, b))

# --- reduction_axes
x = tf.zeros([2, 3])
for axis in (2, -3, [0, 2], 0.5, "a", None, (0, 1)):
    print(axis, outcome(tf.reduce_sum, x, axis))

# --- reshape_arguments
x = tf.range(6)
for shape in ([7], [-1, 4], [-1, -1], "ab", None, [2.5], [[2, 3]], [], -1, 6, [2, -3]):
    print(shape, outcome(tf.reshape, x, shape))

# --- shape_arguments
for shape in ([-1], "a", None, [1.5], [[2]], 3, [], ()):
    print(shape, outcome(tf.zeros, shape))

# --- ones_fill_arguments
print(outcome(tf.ones, [2], "nope"), outcome(tf.fill, [2], None), outcome(tf.fill, [-1], 1.0), outcome(tf.fill, 2, 1.0), outcome(tf.eye, -1), outcome(tf.eye, 2.5))

# --- transpose_and_expand_arguments
x = tf.zeros([2, 3])
print(outcome(tf.transpose, x, [0]), outcome(tf.transpose, x, [0, 5]), outcome(tf.expand_dims, x, 3), outcome(tf.expand_dims, x, "a"), outcome(tf.squeeze, x, [0]), outcome(tf.squeeze, x, [7]))

# --- concat_stack_split_arguments
x = tf.zeros([2, 3])
print(outcome(tf.concat, [x, tf.zeros([3, 2])], 0), outcome(tf.concat, [x, x], 2), outcome(tf.concat, [x, x], None), outcome(tf.stack, [x, tf.zeros([2])]), outcome(tf.stack, [x], 5), outcome(tf.split, x, 2, 1), outcome(tf.split, x, 0), outcome(tf.unstack, x, axis=5), outcome(tf.stack, []))

# --- gather_arguments
x = tf.zeros([2, 3])
print(outcome(tf.gather, x, [5]), outcome(tf.gather, x, [-1]), outcome(tf.gather, x, [0.5]), outcome(tf.gather, x, [0], axis=4), outcome(tf.gather, x, None), outcome(tf.gather_nd, x, [[0, 9]]), outcome(tf.gather_nd, x, [[0, 0, 0]]))

# --- tile_pad_arguments
x = tf.zeros([2, 3])
print(outcome(tf.tile, x, [2]), outcome(tf.tile, x, [-1, 2]), outcome(tf.pad, x, [[1, 1]]), outcome(tf.pad, x, [[-1, 0], [0, 0]]), outcome(tf.pad, x, [[1, 1], [0, 0]], "BAD"), outcome(tf.broadcast_to, x, [4, 4]))

# --- matmul_arguments
print(outcome(tf.matmul, tf.zeros([2, 3]), tf.zeros([2, 3])), outcome(tf.matmul, tf.zeros([3]), tf.zeros([3])), outcome(tf.matmul, 1.0, 2.0), outcome(tf.matmul, [[1.0]], [["a"]]), outcome(tf.matmul, tf.zeros([2, 2, 3]), tf.zeros([3, 3, 2])))

# --- one_hot_arguments
print(outcome(tf.one_hot, [0.5], 3), outcome(tf.one_hot, [0], -1), outcome(tf.one_hot, [0], 2.5), outcome(tf.one_hot, None, 3))

# --- range_linspace_arguments
print(outcome(tf.range, 0, 5, 0), outcome(tf.range, 5, 0, 1), outcome(tf.range, None), outcome(tf.linspace, 0.0, 1.0, 0), outcome(tf.linspace, 0.0, 1.0, -3), outcome(tf.range, [1, 2]))

# --- cast_arguments
print(outcome(tf.cast, [1], "nonsense"), outcome(tf.cast, None, tf.float32), outcome(tf.cast, [1], None), outcome(tf.cast, "a", tf.int32))

# --- where_arguments
print(outcome(tf.where, [True], [1.0]), outcome(tf.where, [True, False], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), outcome(tf.where, [1, 0], [1, 2], [3, 4]), outcome(tf.where, None))

# --- unexpected_keywords
x = tf.zeros([2])
print(outcome(lambda: tf.reduce_sum(x, foo=1)), outcome(lambda: tf.exp(x, 1, 2)), outcome(lambda: tf.matmul(x)), outcome(lambda: tf.constant(1.0, dtype="bad")), outcome(lambda: tf.zeros()))

# --- nan_and_inf_values
n, i = float("nan"), float("inf")
x = tf.constant([n, i, -i, 0.0])
print(tf.reduce_max(x), tf.reduce_min(x), tf.reduce_sum(x), tf.argmax(x), tf.sort(tf.constant([2.0, 1.0])), tf.clip_by_value(x, -1.0, 1.0), tf.nn.relu(x), tf.maximum(x, 0.0))

# --- nan_gradients_flow
x = tf.Variable([float("nan"), 1.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x)
print(y, tape.gradient(y, x))

# --- empty_tensors_in_functions
e = tf.zeros([0, 3])
print(tf.matmul(e, tf.zeros([3, 2])).shape, tf.reduce_sum(e, 0), tf.concat([e, e], 0).shape, tf.nn.softmax(e).shape, tf.transpose(e).shape, tf.reshape(e, [3, 0]).shape, tf.reduce_mean(e), outcome(tf.argmax, e), tf.sort(tf.zeros([0])), outcome(tf.argmax, e, 1))

# --- empty_gradient
x = tf.Variable(tf.zeros([0, 2]))
with tf.GradientTape() as tape:
    y = tf.reduce_mean(x ** 2)
print(y, tape.gradient(y, x))

# --- tape_misuse
x = tf.Variable(1.0)
tape = tf.GradientTape()
print(outcome(lambda: tape.gradient(x, x)))
with tape:
    y = x * x
print(outcome(lambda: tape.gradient(y)), outcome(lambda: tape.gradient(y, "x")))

# --- jacobian_misuse
x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    y = x * x
print(outcome(lambda: tape.jacobian([y, y], x)), outcome(lambda: tape.jacobian(y, None)), outcome(lambda: tape.batch_jacobian(y, x)), outcome(lambda: tape.batch_jacobian(y[:, None], [x])))

# --- gradient_applied_when_none
x, w = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * 2
g = tape.gradient(y, w)
print(outcome(lambda: w.assign_sub(0.1 * g)), w.numpy())

# --- none_times_learning_rate
# phrase: unsupported operand type
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(0.1 * tape.gradient(y, x))

# --- none_numpy_attribute
# phrase: 'NoneType' object has no attribute 'numpy'
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x).numpy())

# --- variable_half_changed
v = tf.Variable([1.0, 2.0, 3.0])
for bad in ([1.0], [[1.0, 2.0, 3.0]], "a", None, [1.0, 2.0, "x"], {"a": 1}, [1, 2, [3]]):
    print(outcome(v.assign, bad), v.numpy())

# --- scatter_half_changed
v = tf.Variable([1.0, 2.0, 3.0])
print(outcome(lambda: v.scatter_nd_update([[0], [9]], [5.0, 6.0])), v.numpy()[1:])

# --- segment_arguments
print(outcome(tf.math.segment_sum, [1.0, 2.0], [0]), outcome(tf.math.segment_sum, [1.0], [-1]), outcome(tf.math.unsorted_segment_sum, [1.0, 2.0], [0], 1), outcome(tf.math.segment_sum, [1.0], [0.5]))

# --- top_k_sort_arguments
print(outcome(tf.math.top_k, [1.0, 2.0], 3), outcome(tf.math.top_k, 1.0), outcome(tf.math.top_k, [1.0], -1), outcome(tf.sort, 5.0), outcome(tf.argsort, [1.0], axis=2), outcome(tf.math.top_k, ["a"]))

# --- cumsum_arguments
print(outcome(tf.cumsum, [1.0], 1), outcome(tf.cumsum, 1.0), outcome(tf.math.cumprod, ["a"]), outcome(tf.cumsum, [1.0], axis="a"))

# --- linalg_arguments
print(outcome(tf.linalg.inv, tf.zeros([2, 3])), outcome(tf.linalg.det, tf.zeros([2])), outcome(tf.linalg.cholesky, tf.zeros([2, 3])), outcome(tf.linalg.inv, [[1, 0], [0, 1]]), outcome(tf.linalg.solve, tf.eye(2), tf.zeros([3, 1])), outcome(tf.linalg.diag_part, 1.0))

# --- module_arguments
print(outcome(lambda: tf.Module(name="bad name")), outcome(lambda: tf.Module(1, 2)), outcome(lambda: tf.Module(name=5)))

# --- nest_arguments
print(outcome(lambda: tf.nest.map_structure(1, [1])), outcome(lambda: tf.nest.map_structure(lambda x: x)), outcome(lambda: tf.nest.pack_sequence_as([1, 2], 5)), outcome(lambda: tf.nest.flatten({1: 1, "a": 2})))

# --- control_flow_arguments
print(outcome(lambda: tf.cond(None, lambda: 1, lambda: 2)), outcome(lambda: tf.switch_case(tf.constant(0), [])), outcome(lambda: tf.switch_case(0.5, [lambda: 1])), outcome(lambda: tf.scan(lambda a, x: a, 1.0)), outcome(lambda: tf.case([])))

# --- clip_arguments
print(outcome(tf.clip_by_value, [1.0], None, 1.0), outcome(tf.clip_by_value, [1.0, 2.0], [0.0, 0.0, 0.0], 1.0), outcome(tf.clip_by_norm, [1.0], "a"), outcome(tf.clip_by_global_norm, [1.0, "a"], 1.0))

# --- random_arguments
print(outcome(tf.random.normal, None), outcome(tf.random.uniform, [2], 0, None, tf.int32), outcome(tf.random.normal, [2], dtype=tf.bool), outcome(tf.random.categorical, [1.0], 2), outcome(tf.random.shuffle, None))

# --- custom_gradient_arguments
print(outcome(lambda: tf.custom_gradient(5)(1.0)), outcome(lambda: tf.custom_gradient(lambda x: (x, None))(tf.constant(1.0))), outcome(lambda: tf.custom_gradient(lambda x: (x, x, x))(tf.constant(1.0))))

# --- numpy_object_arrays
print(outcome(tf.constant, np.array([object()])), outcome(tf.constant, np.array([1, "a"], dtype=object)), outcome(tf.constant, np.array(["a", "b"])), outcome(tf.constant, np.array(["2020-01-01"], dtype="datetime64[D]")))

# --- unsupported_numpy_dtypes
print(outcome(tf.constant, np.zeros(2, np.longdouble)), outcome(lambda: tf.as_dtype(np.dtype("datetime64[D]"))))

# --- too_big_python_int
print(outcome(tf.constant, 2**63), outcome(tf.constant, 2**64), outcome(tf.constant, 2**40, tf.int32), outcome(tf.constant, -(2**70)), outcome(lambda: tf.constant(1) + 2**40))

# --- deep_nesting
print(tf.constant([[[[[1.0]]]]]).shape, tf.constant([[[]], [[]]]).shape)

# --- einsum_arguments
x = tf.ones([1, 1])
print(outcome(tf.einsum, "ij,jk", x), outcome(tf.einsum, "ijk->", x), outcome(tf.einsum, "ij->z", x), outcome(tf.einsum, "ij,jk->ik", x, tf.ones([2, 1])))

# --- dtype_arguments
for d in ("float", "int", "double", "f4", np.float16, bool, str, "complex64", None):
    print(d, outcome(lambda: tf.zeros([1], d).dtype))

# --- floats_beyond_float32
print(outcome(tf.constant, 1e40), outcome(tf.constant, [1.0, -1e40]), outcome(tf.Variable, 3.5e38))
print(tf.constant(float("inf")), tf.constant(1e40, tf.float64), tf.constant([1.0]) * 1e40)
print(tf.constant(1e40, tf.float32), tf.constant(3.4028235e38))

# --- numpy_integers_of_any_kind
m = tf.ones([2, 2])
print(tf.reduce_sum(m, np.uint8(1)), tf.reduce_sum(m, np.float32(1)), tf.reduce_sum(m, np.int64(0)))
print(tf.tile(m, np.array([1.0, 2.0])), tf.pad(m, np.ones((2, 2))).shape, tf.transpose(m, np.array([1.0, 0.0])))
print(tf.one_hot(np.array([1.0, 0.0]), 2), tf.one_hot(np.array([1], np.int16), 2))
print(tf.math.unsorted_segment_sum([1.0, 2.0], [0, 1], np.uint8(3)), tf.expand_dims(m, np.uint8(1)).shape)
print(outcome(tf.tile, m, tf.constant([1.0, 2.0])), outcome(tf.gather, m, np.array([1.0])), outcome(tf.random.normal, np.array([2.0])))
print(outcome(tf.reduce_sum, m, 10**30), outcome(tf.one_hot, tf.constant([1.0]), 2))

# --- normalisation_with_lists
x = tf.constant([[1.0, 2.0], [3.0, 5.0]])
print(tf.nn.batch_normalization(x, [2, 2], 0.5, [1, 2], [3.0, 1.0], 0.5))
print(tf.nn.normalize_moments(tf.constant(2.0), [1, 2], [3, 4], None))
print(tf.nn.weighted_moments(1.5, 0, tf.constant([[0, 1], [1, 0], [1, 1]])))

# --- lu_of_wrong_shapes
lu, p = tf.linalg.lu(tf.constant([[4.0, 3.0], [6.0, 3.0]]))
print(outcome(tf.linalg.lu_solve, lu, p, [1.0, 2.0]), outcome(tf.linalg.lu_solve, lu[0], p, [[1.0], [2.0]]))
print(outcome(tf.linalg.lu_matrix_inverse, tf.ones([2, 3]), p), outcome(tf.linalg.lu_reconstruct, 1.5, p))
print(outcome(tf.linalg.lu_reconstruct, lu, [[0, 1]]))

# --- near_is_strictly_near
print(outcome(tf.debugging.assert_near, [1.0, 2.0], float("inf")), outcome(tf.debugging.assert_near, 1.0, 1.0, 0.0, 0.0))
print(outcome(tf.debugging.assert_near, 1.0, 1.0), outcome(tf.debugging.assert_near, 1.0, 1.5, 0.0, 0.6))

# --- lu_with_rows_that_are_not_there
lu, p = tf.linalg.lu(tf.constant([[4.0, 3.0], [6.0, 3.0]]))
print(outcome(tf.linalg.lu_solve, lu, [-1, 0], [[1.0], [2.0]]), outcome(tf.linalg.lu_solve, lu, [2, 0], [[1.0], [2.0]]))
