# Forms of arguments: lists, tuples, NumPy, tensors, negative, wrong, for each function.

# --- reshape
x = tf.range(6)
for shape in ([2, 3], (3, 2), np.array([6, 1]), tf.constant([1, 6]), tf.TensorShape([2, 3]), [tf.constant(2), 3], [-1], (-1, 2), np.int64(6), tf.constant([2, 3], tf.int64), [2, -1, 1], [0, -1], [True, 6]):
    print(outcome(lambda: tf.reshape(x, shape).shape))
print(outcome(lambda: tf.reshape(tensor=x, shape=[3, 2]).shape), outcome(lambda: tf.reshape([1, 2], [2, 1])), outcome(lambda: tf.reshape(tf.zeros([0]), [-1, 0])), outcome(lambda: tf.reshape(tf.zeros([0, 3]), [0, -1]).shape))

# --- transpose
x = tf.zeros([2, 3, 4])
for perm in ([1, 0, 2], (2, 1, 0), None, np.array([0, 2, 1]), tf.constant([2, 0, 1]), [-1, 0, 1], [0, 1], [0, 0, 1], [0, 1, 3], "ab", [0.0, 1.0, 2.0]):
    print(outcome(lambda: tf.transpose(x, perm).shape))
print(tf.transpose(a=x, perm=[0, 2, 1], conjugate=False).shape, tf.transpose(5.0), tf.transpose([1, 2]))

# --- expand_dims_squeeze
x = tf.zeros([1, 3, 1])
for axis in (0, -1, 1, 3, -4, 4, -5, [0], (0,), np.int32(2), None, 1.0, [0, 1]):
    print(outcome(lambda: tf.expand_dims(x, axis).shape), outcome(lambda: tf.squeeze(x, axis).shape))

# --- concat
a, b = tf.ones([2, 3]), tf.zeros([2, 3])
for values, axis in (([a, b], 0), ((a, b), 1), ([a, b], -1), ([a, b], -2), ([a, b], -3), ([a, b], 2), ([a, b], tf.constant(1)), ([a, b], np.int64(0)), ([a], 0), (a, 0), ([a, [[1.0, 2.0, 3.0]]], 0), ([a, np.ones([1, 3])], 0), ([a, tf.ones([2, 3], tf.int32)], 0), ([a, b], 0.5), ([a, b], [0]), ([], 0), ([a, None], 0), ([1.0, 2.0], 0)):
    print(outcome(lambda: tf.concat(values, axis).shape))

# --- stack_unstack
a, b = tf.ones([2, 3]), tf.zeros([2, 3])
for axis in (0, 1, 2, -1, -3, 3, -4, None, 0.5, tf.constant(1)):
    print(outcome(lambda: tf.stack([a, b], axis).shape), outcome(lambda: len(tf.unstack(a, axis=axis))))
print(outcome(lambda: tf.stack(a).shape), outcome(lambda: tf.stack([1, 2.5])), outcome(lambda: tf.stack([a, tf.ones([3])])), outcome(lambda: tf.unstack(a, num=2)[0].shape), outcome(lambda: tf.unstack(a, num=3)), outcome(lambda: tf.unstack(5)))

# --- split
x = tf.zeros([6, 4])
for n, axis in ((2, 0), (4, 1), (4, 0), (0, 0), (-1, 0), ([1, 2, 3], 0), ([1, -1], 0), ([-1, -1], 0), ([1, 2], 0), ((2, 2), 1), (tf.constant(2), 0), (np.array([2, 4]), 0), (2, -1), (2, 2), (2, -3), (1.5, 0), (None, 0), ([6, 0], 0)):
    print(outcome(lambda: [tuple(t.shape) for t in tf.split(x, n, axis)]))
print(outcome(lambda: len(tf.split(x, 3, num=3))), outcome(lambda: len(tf.split(value=x, num_or_size_splits=2, axis=1))))

# --- slice
x = tf.reshape(tf.range(12), [3, 4])
for begin, size in (([0, 0], [1, 2]), ([1, 1], [-1, -1]), ((2, 3), (1, 1)), (np.array([0, 1]), [2, 2]), (tf.constant([1, 0]), tf.constant([2, 4])), ([3, 0], [0, 4]), ([0, 0], [4, 4]), ([-1, 0], [1, 1]), ([0], [1]), ([0, 0], [-2, 1]), ([0.0, 0.0], [1, 1]), ([0, 0, 0], [1, 1, 1]), ([0, 4], [3, -1])):
    print(outcome(lambda: tf.slice(x, begin, size).numpy().tolist()))

# --- gather
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
for idx, kw in ((0, {}), ([0, 2], {}), ((2,), {}), (np.array([1]), {}), (tf.constant([[0], [1]]), {}), (tf.constant([0], tf.int64), {}), ([1, 0], {"axis": 1}), ([1], {"axis": -1}), ([0], {"axis": -2}), ([0], {"axis": 2}), ([3], {}), ([-1], {}), ([], {}), (tf.zeros([0], tf.int32), {}), ([True], {}), ("a", {}), ([[0, 1]] * 3, {"batch_dims": 1}), ([[0, 1]] * 3, {"batch_dims": 1, "axis": 1}), ([[1], [0], [1]], {"batch_dims": -1}), ([0, 1], {"batch_dims": 1}), (tf.constant([0], tf.uint8), {}), ([0], {"axis": tf.constant(1)})):
    print(outcome(lambda: tf.gather(x, idx, **kw)))

# --- gather_nd
x = tf.reshape(tf.range(8), [2, 2, 2])
for idx in ([[0]], [[1, 1]], [[0, 1, 1]], [[[0, 1]], [[1, 0]]], [0, 1], [], [[2, 0]], [[-1, 0]], [[0, 0, 0, 0]], tf.constant([[1, 0]], tf.int64), [[0.5]], 1):
    print(outcome(lambda: tf.gather_nd(x, idx).numpy().tolist()))

# --- pad
x = tf.ones([2, 2])
for paddings, kw in (([[1, 1], [0, 0]], {}), (((0, 1), (1, 0)), {}), (np.ones([2, 2], int), {}), (tf.constant([[0, 0], [2, 0]]), {}), ([[1, 1]], {}), ([1, 1], {}), ([[1, 1, 1], [0, 0, 0]], {}), ([[0, 0], [1, 1]], {"mode": "REFLECT"}), ([[0, 0], [1, 1]], {"mode": "reflect"}), ([[0, 0], [2, 2]], {"mode": "SYMMETRIC"}), ([[0, 0], [3, 0]], {"mode": "SYMMETRIC"}), ([[1, 0], [0, 0]], {"constant_values": 7}), ([[1, 0], [0, 0]], {"constant_values": -1.5}), ([[1, 0], [0, 0]], {"mode": "EDGE"}), ([[-1, 0], [0, 0]], {}), ([[0.5, 0], [0, 0]], {})):
    print(outcome(lambda: tf.pad(x, paddings, **kw).numpy().tolist()))

# --- tile_repeat
x = tf.constant([[1, 2]])
for m in ([2, 1], (1, 2), np.array([1, 3]), tf.constant([2, 2]), [0, 1], [1], [1, 1, 1], 2, [-1, 1], [1.0, 2.0]):
    print(outcome(lambda: tf.tile(x, m).numpy().tolist()))
for r, axis in ((2, None), (2, 0), (2, 1), ([1, 2], 1), ([1, 2], 0), (tf.constant(2), -1), ([2], 0), (0, 1), (-1, 1), ([1, 2, 3], 1), (2, 2), (1.5, 0)):
    print(outcome(lambda: tf.repeat(x, r, axis=axis).numpy().tolist()))

# --- reverse_roll
x = tf.constant([[1, 2, 3], [4, 5, 6]])
for axis in ([0], [1], [-1], [0, 1], [], (1,), 1, [2], [0, 0], [0.0], tf.constant([1])):
    print(outcome(lambda: tf.reverse(x, axis).numpy().tolist()))
for shift, axis in ((1, 0), (-1, 1), ([1, 1], [0, 1]), (4, 1), (1, 2), (1, -1), ([1, 2], [1, 1]), ([1], [0, 1]), (0.5, 0), (tf.constant(1), 1)):
    print(outcome(lambda: tf.roll(x, shift, axis).numpy().tolist()))

# --- one_hot
for idx, depth, kw in ((1, 3, {}), ([0, 2], 3, {}), ([[1], [0]], 2, {}), ([0], 2, {"dtype": tf.int32}), ([0], 2, {"on_value": 5.0}), ([0], 2, {"off_value": -1}), ([0], 2, {"on_value": 1, "off_value": 0.5}), ([0], 2, {"on_value": True, "off_value": False}), ([0, 1], 2, {"axis": 0}), ([0, 1], 2, {"axis": -1}), ([0], 2, {"axis": 5}), ([0], tf.constant(3), {}), ([0], 0, {}), ([0], -1, {}), ([5, -2], 2, {}), ([0.0], 2, {}), (tf.constant([1], tf.int64), 2, {}), ([0], 2, {"on_value": 1.0, "dtype": tf.int32}), ([], 2, {})):
    print(outcome(lambda: tf.one_hot(idx, depth, **kw)))

# --- range
for args in ((3,), (1, 4), (1, 10, 3), (5, 0, -2), (3.0,), (0, 1, 0.25), (0.0, 1), (tf.constant(3),), (np.int64(3),), (np.float64(2.0),), (0,), (-3,), (3, 1), (1, 3, -1), (0, 3, 0), (tf.constant(1), tf.constant(3.5)), ([1],), (True,), (1, None), (tf.constant(3, tf.int64),)):
    print(outcome(lambda: tf.range(*args)))
print(tf.range(3, dtype=tf.float64), tf.range(start=1, limit=3), tf.range(limit=3, start=0, delta=2), outcome(lambda: tf.range(2.5, dtype=tf.int32)))

# --- linspace
for args, kw in (((0.0, 1.0, 3), {}), ((0, 10, 3), {}), ((0.0, 1, 3), {}), ((1.0, 0.0, 2), {}), ((0.0, 1.0, 1), {}), ((0.0, 1.0, 0), {}), ((0.0, 1.0, tf.constant(3)), {}), ((0.0, 1.0, 2.5), {}), (([0.0, 1.0], [1.0, 3.0], 3), {}), (([0.0, 1.0], [1.0, 3.0], 3), {"axis": 1}), (([0.0, 1.0], 3.0, 2), {}), ((tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64), 3), {}), ((tf.constant(0.0), tf.constant(1.0, tf.float64), 3), {}), ((np.float32(0), np.float32(1), 3), {})):
    print(outcome(lambda: tf.linspace(*args, **kw)))

# --- fill_zeros_ones_eye
for shape in ([2], (1, 2), 2, [], np.array([2]), tf.constant([1, 2]), tf.TensorShape([2]), [tf.constant(2)], [2, None], [2, "a"], [True], None, [0], [2.0], np.int32(2)):
    print(outcome(lambda: tf.zeros(shape).shape), outcome(lambda: tf.ones(shape).shape), outcome(lambda: tf.fill(shape, 1).shape))
for args, kw in (((2,), {}), ((2, 3), {}), ((0,), {}), ((2,), {"batch_shape": [2]}), ((2,), {"dtype": tf.bool}), ((tf.constant(2),), {}), ((2, 0), {}), (([2],), {})):
    print(outcome(lambda: tf.eye(*args, **kw).shape))

# --- where
c = tf.constant([True, False])
for args in ((c,), (c, 1, 2), (c, [1.0, 2.0], 3.0), (c, [[1], [2]], 0), ([1, 0], 1, 2), (c, 1, 2.0), (c, 1.0, 2), (True, [1, 2], [3, 4]), (c, None, None), (c, [1, 2]), (c, tf.constant(1), tf.constant(2.0)), (c, "a", "b"), (c[:, None], [1, 2], [3, 4]), (tf.constant([1, 0]),), (tf.constant([[0.5], [0.0]]),), (c, [1, 2, 3], 0)):
    print(outcome(lambda: tf.where(*args)))

# --- reductions_axis_forms
x = tf.reshape(tf.range(6.0), [2, 3])
for axis in (None, 0, -1, [0], (0, 1), [], np.int64(1), np.array([0]), tf.constant(1), tf.constant([0, 1]), 2, -3, [0, 0], [0, -2], "x", True, 1.0):
    print(outcome(lambda: tf.reduce_sum(x, axis)), outcome(lambda: tf.reduce_max(x, axis, True).shape), outcome(lambda: tf.reduce_logsumexp(x, axis).shape))

# --- argmax
x = tf.constant([[3.0, 1.0], [2.0, 5.0]])
for kw in ({}, {"axis": 1}, {"axis": -1}, {"axis": 2}, {"axis": None}, {"output_type": tf.int32}, {"output_type": tf.int16}, {"output_type": tf.float32}, {"axis": tf.constant(0)}, {"axis": [0]}, {"axis": 0.5}):
    print(outcome(lambda: tf.argmax(x, **kw)), outcome(lambda: tf.argmin(x, **kw)))

# --- sort_top_k
x = tf.constant([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
for kw in ({}, {"axis": 0}, {"axis": -2}, {"axis": 2}, {"direction": "DESCENDING"}, {"direction": "descending"}, {"axis": None}, {"axis": 0, "direction": "DESCENDING"}):
    print(outcome(lambda: tf.sort(x, **kw).numpy().tolist()), outcome(lambda: tf.argsort(x, **kw).numpy().tolist()))
for k in (1, 2, 3, 4, 0, -1, tf.constant(2), 1.5, None, [1]):
    print(outcome(lambda: tf.math.top_k(x, k).values.numpy().tolist()))

# --- cumsum
x = tf.constant([[1, 2, 3], [4, 5, 6]])
for kw in ({}, {"axis": 1}, {"axis": -1}, {"axis": 2}, {"exclusive": True}, {"reverse": True}, {"axis": 1, "exclusive": True, "reverse": True}, {"axis": tf.constant(1)}, {"axis": [1]}, {"axis": 0.5}):
    print(outcome(lambda: tf.cumsum(x, **kw).numpy().tolist()), outcome(lambda: tf.math.cumprod(x, **kw).numpy().tolist()))

# --- matmul_forms
a, b = [[1.0, 2.0], [3.0, 4.0]], np.array([[1.0], [1.0]], np.float32)
for args, kw in (((a, b), {}), ((tf.constant(a), b), {}), ((a, a), {"transpose_a": True, "transpose_b": True}), ((a, a), {"adjoint_a": True}), ((a, a), {"transpose_a": True, "adjoint_a": True}), ((a, b), {"output_type": tf.float32}), ((a, [1.0, 2.0]), {}), (([1.0, 2.0], a), {}), ((a, np.array([[1.0], [1.0]])), {}), ((a, [[1], [2]]), {}), ((a, 2.0), {}), ((a, None), {}), ((tf.zeros([2, 2, 2]), a), {}), ((tf.zeros([2, 2, 2]), tf.zeros([3, 2, 2])), {}), ((tf.zeros([1, 2, 2]), tf.zeros([3, 2, 2])), {}), ((tf.zeros([2, 3]), tf.zeros([4, 2])), {})):
    print(outcome(lambda: tf.matmul(*args, **kw).shape))

# --- tensordot_forms
a, b = tf.ones([2, 3]), tf.ones([3, 2])
for axes in (0, 1, 2, 3, [[1], [0]], [1, 0], ([0, 1], [1, 0]), [[0], [0]], [[1, 0], [0]], [[-1], [-2]], [[2], [0]], 1.5, tf.constant([[1], [0]])):
    print(outcome(lambda: tf.tensordot(a, b, axes).shape))

# --- norm_forms
x = tf.constant([[3.0, -4.0], [0.0, 1.0]])
for kw in ({}, {"axis": 0}, {"axis": -1}, {"axis": [0, 1]}, {"axis": [-2, -1]}, {"ord": 1}, {"ord": 2, "axis": 1}, {"ord": np.inf}, {"ord": np.inf, "axis": 0}, {"ord": "fro", "axis": [0, 1]}, {"ord": "euclidean"}, {"ord": 3}, {"ord": 0.5}, {"ord": "nuc"}, {"ord": 0}, {"ord": -1}, {"keepdims": True}, {"axis": 5}, {"axis": [0, 1, 2]}, {"ord": 1, "axis": [0, 1]}):
    print(outcome(lambda: tf.norm(x, **kw)))

# --- clip_forms
x = tf.constant([-2.0, 0.5, 3.0])
for lo, hi in ((-1, 1), (-1.0, 1.0), (0.0, [1.0, 0.2, 5.0]), (tf.constant(0.0), 1.0), (1.0, -1.0), (None, 1.0), (0, 1.5), ([0.0, 0.0], 1.0), (-np.inf, np.inf), (float("nan"), 1.0), ("a", 1.0), (tf.constant(0), 1)):
    print(outcome(lambda: tf.clip_by_value(x, lo, hi)))
for kw in ({"clip_norm": 1.0}, {"clip_norm": 1}, {"clip_norm": 100.0}, {"clip_norm": 0.0}, {"clip_norm": -1.0}, {"clip_norm": 1.0, "axes": [0]}, {"clip_norm": 1.0, "axes": 0}, {"clip_norm": tf.constant(1.0)}, {"clip_norm": None}):
    print(outcome(lambda: tf.clip_by_norm(x, **kw)))

# --- cast_forms
for x in (1, 1.7, True, [1, 2], (1.5,), np.array([1.5]), tf.constant([1.5]), tf.Variable([1.5]), [True, False], 1j, [], None, "a", [[1], [2, 3]]):
    print(outcome(lambda: tf.cast(x, tf.float32)), outcome(lambda: tf.cast(x, "int32")), outcome(lambda: tf.cast(x, bool)))

# --- convert_forms
for x, kw in ((1, {"dtype": tf.float32}), (1.5, {"dtype": tf.int32}), (True, {"dtype": tf.int32}), (1, {"dtype": tf.bool}), ([1, 2], {"dtype": tf.complex64}), (np.float64(1.5), {"dtype": tf.float32}), (np.int64(3), {"dtype": tf.float32}), (np.array([1.5]), {"dtype": tf.int32}), (np.array([True]), {"dtype": tf.float32}), (tf.constant(1), {"dtype": tf.int32}), (tf.constant(1), {"dtype": tf.float32}), (tf.Variable(1.0), {"dtype": tf.float64}), ([tf.constant(1), 2], {}), ([tf.constant(1), 2], {"dtype": tf.float32}), ([np.float64(1), 2], {}), ([np.float32(1), np.float64(2)], {}), ([1, 2.5, True], {}), ([True, 1], {}), ([1, True], {}), ("a", {"dtype": tf.int32}), (1, {"dtype": tf.string}), ([b"a", "b"], {}), (2**40, {"dtype": tf.float32}), (-1, {"dtype": tf.uint8}), (256, {"dtype": tf.uint8}), (1e400, {}), (np.uint8(255), {}), (range(3), {}), (tf.TensorShape([1, 2]), {}), (tf.float32, {})):
    print(outcome(lambda: tf.convert_to_tensor(x, **kw)))

# --- variable_forms
for args, kw in (((1,), {}), ((1.5,), {"dtype": tf.float64}), (([1, 2],), {"dtype": tf.float32}), ((1.5,), {"dtype": tf.int32}), ((np.ones(2),), {}), ((np.ones(2),), {"dtype": tf.float32}), ((tf.ones(2),), {"dtype": tf.float64}), ((lambda: 1.0,), {}), ((lambda: np.zeros(2),), {}), ((lambda: None,), {}), (([],), {}), (("s",), {}), (([[1], [2, 3]],), {}), ((1.0,), {"shape": []}), ((1.0,), {"shape": [1]}), (([1.0],), {"shape": [None]}), (([1.0],), {"shape": None}), ((1.0,), {"trainable": False, "name": "n"}), ((1.0, False, True, None, "q"), {}), ((1.0,), {"name": "a b"}), ((1.0,), {"name": ""})):
    print(outcome(lambda: tf.Variable(*args, **kw)))

# --- assign_forms
for value in (1, 1.5, True, [1.0, 2.0], (1, 2), np.array([1.0, 2.0]), np.array([1, 2]), np.array([1, 2], np.float32), tf.constant([1.0, 2.0]), tf.constant([1, 2]), tf.Variable([3.0, 4.0]), [[1.0, 2.0]], ["a", "b"], None, [1, None], tf.constant([1.0, 2.0], tf.float64), range(2), [True, False]):
    v = tf.Variable([0.5, 0.5])
    print(outcome(lambda: v.assign(value).numpy().tolist()), outcome(lambda: v.assign_add(value).numpy().tolist()), outcome(lambda: v.assign_sub(value).numpy().tolist()), v.numpy().tolist())

# --- index_forms
x = tf.reshape(tf.range(24), [2, 3, 4])
for key in (0, -1, 2, slice(None), slice(0, 5), slice(None, None, -1), slice(2, 0, -1), slice(None, None, 0), ..., None, (0, 1, 2), (0, 1, 2, 3), (..., 0), (0, ..., 0), (..., ...), (None, 0), (0, None), (slice(None), 1), (slice(0, 1), slice(0, 1)), tf.constant(1), np.int64(1), np.array(1), (tf.constant(0), tf.constant(1)), True, [0], [0, 1], tf.constant([0, 1]), np.array([0, 1]), 1.0, "a", (0, 1.0), slice(0.5, None), slice(tf.constant(1), None), slice(np.int32(0), tf.constant(1)), (), tf.constant(1.0), (slice(None), slice(None), slice(None), slice(None)), (slice(None), None, 1)):
    print(outcome(lambda: x[key].shape))

# --- one_argument_of_each_kind
for value in (5, 2.5, True, [1, 2], (1.0, 2.0), np.float32(1), np.array([1, 2]), tf.Variable(1.0), tf.constant([1.0]), range(3), [[]], [tf.constant(1.0), 2.0], (tf.constant([1]), tf.constant([2]))):
    print(outcome(lambda: tf.square(value)), outcome(lambda: tf.reduce_sum(value)), outcome(lambda: tf.shape(value)), outcome(lambda: tf.identity(value)))

# --- scatter_forms
x = tf.constant([1.0, 2.0, 3.0])
for idx, upd in (([[0]], [9.0]), ([[0], [0]], [1.0, 2.0]), ([[5]], [1.0]), ([[-1]], [1.0]), ([0], [1.0]), ([[0]], [1]), ([[0]], 1.0), ([[0]], [1.0, 2.0]), ([], []), ([[0.5]], [1.0]), (tf.constant([[1]], tf.int64), [4.0]), (np.array([[2]]), np.array([4.0], np.float32)), (np.array([[2]]), np.array([4.0]))):
    print(outcome(lambda: tf.tensor_scatter_nd_update(x, idx, upd)), outcome(lambda: tf.tensor_scatter_nd_add(x, idx, upd)), outcome(lambda: tf.scatter_nd(idx, upd, [3])))

# --- broadcast_forms
x = tf.ones([1, 3])
for shape in ([2, 3], (4, 1, 3), [1, 3], np.array([5, 3]), tf.constant([2, 3]), [3], [2, 2], [0, 3], [-1, 3], 3, [2.0, 3.0], tf.constant([2, 3], tf.int64)):
    print(outcome(lambda: tf.broadcast_to(x, shape).shape))

# --- boolean_mask_forms
x = tf.reshape(tf.range(6), [2, 3])
for mask, kw in (([True, False], {}), ([[True, False, True], [False, False, True]], {}), ([True, False, True], {"axis": 1}), ([True, False, True], {}), (np.array([False, False]), {}), (tf.constant([True, True]), {}), ([1, 0], {}), (True, {}), ([True], {}), ([], {}), ([True, False, True], {"axis": -1}), ([True, False], {"axis": 2})):
    print(outcome(lambda: tf.boolean_mask(x, mask, **kw)))

# --- softmax_forms
# tol: 2e-3
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
for value, kw in ((x, {}), (x, {"axis": 0}), (x, {"axis": -2}), (x, {"axis": 2}), (x, {"axis": None}), ([1.0, 2.0], {}), ([1, 2], {}), (1.0, {}), (x, {"axis": [0, 1]}), (tf.zeros([0]), {}), (tf.constant([1.0, 2.0], tf.float16), {})):
    print(outcome(lambda: tf.nn.softmax(value, **kw)), outcome(lambda: tf.nn.log_softmax(value, **kw)))

# --- segment_forms
x = tf.constant([1.0, 2.0, 3.0])
for ids, n in (([0, 0, 1], 2), ([0, 2, 1], 3), ([0, 0, 5], 2), ([-1, 0, 1], 2), ([0, 0], 2), (tf.constant([0, 1, 1], tf.int64), 2), ([0.0, 1.0, 1.0], 2), ([0, 0, 1], 0), ([0, 0, 1], tf.constant(4)), ([0, 0, 1], -1)):
    print(outcome(lambda: tf.math.segment_sum(x, ids)), outcome(lambda: tf.math.unsorted_segment_sum(x, ids, n)), outcome(lambda: tf.math.unsorted_segment_mean(x, ids, n)))

# --- random_forms
tf.random.set_seed(1)
for shape in ([2], (2, 1), 2, [], np.array([3]), tf.constant([2]), tf.TensorShape([2]), [0], [-1], None, "a", [1.5], [2, None], [tf.constant(2)]):
    print(outcome(lambda: tf.random.normal(shape).shape), outcome(lambda: tf.random.uniform(shape).shape), outcome(lambda: tf.random.stateless_uniform(shape, seed=[1, 2]).shape))

# --- random_parameters
tf.random.set_seed(1)
for kw in ({"minval": 0, "maxval": 1}, {"minval": 5, "maxval": 6, "dtype": tf.int32}, {"maxval": 3, "dtype": tf.int64}, {"dtype": tf.int32}, {"minval": 2, "maxval": 2, "dtype": tf.int32}, {"minval": 3, "maxval": 2}, {"dtype": tf.bool}, {"dtype": tf.uint8, "maxval": 3}, {"minval": [0.0, 5.0], "maxval": [1.0, 6.0]}, {"seed": 1}, {"seed": "a"}):
    print(outcome(lambda: tf.random.uniform([2], **kw).dtype))
