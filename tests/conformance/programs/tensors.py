# Tensors, constants and conversion between them, Python and NumPy.

# --- python_float_is_float32
x = tf.constant(3.0)
print(x, x.dtype, x.shape, x.ndim)

# --- python_int_is_int32
print(tf.constant(7), tf.constant([1, 2, 3]), tf.constant([[1, 2], [3, 4]]))

# --- big_int_is_int64
print(tf.constant(2**31), tf.constant(2**31 - 1), tf.constant(-2**31), tf.constant(-2**31 - 1))
print(tf.constant([1, 2**40]))

# --- bool_complex_string
print(tf.constant(True), tf.constant([True, False]))
print(tf.constant(1j).dtype, tf.constant("hi"), tf.constant(b"hi") == "hi")

# --- empty_list_is_float32
print(tf.constant([]), tf.constant([[], []]).shape)

# --- mixed_int_float_list
print(tf.constant([1, 2.5, 3]))
print(tf.constant([[1.0, 2], [3, 4]]))

# --- numpy_dtypes_are_kept
for dtype in (np.float16, np.float32, np.float64, np.int8, np.uint16, np.int64, np.bool_, np.complex64):
    print(tf.constant(np.ones((2,), dtype)).dtype)

# --- numpy_scalar_dtypes_are_kept
print(tf.constant(np.float64(1.5)), tf.constant(np.int64(3)), tf.constant(np.float32(2)))

# --- dtype_argument
print(tf.constant(3, tf.float32), tf.constant([1, 2], dtype=tf.float64), tf.constant(1, dtype="int64"))
print(tf.constant([1.5, 2.5], dtype=np.float16))

# --- constant_shape_fills
print(tf.constant(5.0, shape=[2, 3]))
print(tf.constant([1, 2, 3, 4, 5, 6], shape=[2, 3]))

# --- constant_shape_mismatch
tf.constant([1, 2, 3], shape=[2, 2])

# --- uint8_constant_wraps
print(tf.constant(300, tf.uint8), tf.constant(-1, tf.uint8), tf.constant(True, tf.float32))

# --- float_list_to_int_dtype_is_type_error
tf.constant([1.5, 2.0], dtype=tf.int32)

# --- numpy_float_to_int_dtype_truncates
print(tf.constant(np.float32(1.7), tf.int32), tf.constant(np.array([1.7, -1.7]), tf.int32))

# --- constant_from_tensor_same
a = tf.constant([1.0, 2.0])
b = tf.constant(a)
print(b is a, b)
print(tf.convert_to_tensor(a) is a, tf.identity(a) is a, tf.cast(a, tf.float32) is a)

# --- convert_list_of_tensors
a, b = tf.constant(1.0), tf.constant(2.0)
print(tf.convert_to_tensor([a, b, 3.0]))
print(tf.constant([[1.0, 2.0], [3.0, 4.0]])[0])

# --- convert_variable_gives_a_tensor
v = tf.Variable([1.0, 2.0])
t = tf.convert_to_tensor(v)
v.assign([5.0, 6.0])
print(t, isinstance(t, tf.Tensor), isinstance(v, tf.Tensor))

# --- convert_with_wrong_dtype
tf.convert_to_tensor(tf.constant(1.0), dtype=tf.int32)

# --- convert_dtype_hint
print(tf.convert_to_tensor([1, 2], dtype_hint=tf.float32))
print(tf.convert_to_tensor([1.5, 2], dtype_hint=tf.int32))
print(tf.convert_to_tensor(tf.constant(1), dtype_hint=tf.float32))

# --- convert_none
print(outcome(tf.convert_to_tensor, None))
print(outcome(tf.constant, None))

# --- ragged_list
print(outcome(tf.constant, [[1, 2], [3]]))
print(outcome(tf.convert_to_tensor, [[1.0], 2.0]))

# --- numpy_method
x = tf.constant([[1.0, 2.0]])
a = x.numpy()
print(type(a).__name__, a.dtype, a)
s = tf.constant(2.5).numpy()
print(type(s).__name__, s)
print(tf.constant("abc").numpy(), tf.constant(["a", "b"]).numpy())

# --- python_scalars_of_tensors
x = tf.constant(2.75)
print(float(x), int(x), bool(x), complex(x))
print(int(tf.constant(7)), float(tf.constant(7)), bool(tf.constant(0)))

# --- index_protocol
i = tf.constant(2)
print([10, 20, 30][i], list(range(i)), [0] * 3)

# --- float_tensor_is_no_index
print(outcome(lambda: [1, 2, 3][tf.constant(1.0)]) in ("TypeError", "AttributeError"))

# --- float_of_vector_raises
print(outcome(lambda: float(tf.constant([1.0, 2.0]))))
print(outcome(lambda: int(tf.constant([1, 2]))))

# --- float_of_one_element_vector
print(outcome(lambda: bool(tf.constant([True]))))
print(outcome(lambda: int(tf.constant([3]))))

# --- truth_of_vector_raises
if tf.constant([True, False]):
    print("no")

# --- len_and_iteration
x = tf.constant([[1, 2], [3, 4], [5, 6]])
print(len(x))
for row in x:
    print(row)
a, b, c = x
print(b.numpy().tolist())

# --- iterate_over_a_scalar
for _ in tf.constant(3.0):
    pass

# --- len_of_a_scalar
len(tf.constant(3.0))

# --- array_protocol
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(np.asarray(x), np.asarray(x, dtype=np.float64).dtype)
print(np.sum(x), np.mean(x, axis=0), np.dot(x, x))

# --- numpy_functions_give_numpy
x = tf.constant([0.0, 1.0])
print(type(np.exp(x)).__name__, np.exp(x), np.concatenate([x, x]))
print(type(np.sum(x)).__name__, np.stack([x, x]).shape)

# --- numpy_operator_on_either_side
t = tf.constant([1.0, 2.0])
n = np.array([10.0, 20.0], np.float32)
print(t + n, n + t)
print(n * t, type(n * t).__name__ == type(t).__name__)

# --- numpy_float64_operand_adopts
t = tf.constant([1.0, 2.0])
print(t + np.array([1.0, 2.0]), np.array([1.0, 2.0]) * t, t * np.float64(2))
print(np.float64(2) * t)

# --- function_form_numpy_first_decides
print(outcome(tf.add, np.array([1.0]), tf.constant([1.0])))
print(outcome(tf.add, tf.constant([1.0]), np.array([1.0])))

# --- numpy_is_a_copy_in_effect
a = np.array([1.0, 2.0], np.float32)
t = tf.constant(a)
a[0] = 99.0
print(t.numpy())

# --- item_assignment_refused
x = tf.constant([1.0, 2.0])
x[0] = 5.0

# --- tensors_hash_raises
x = tf.constant(1.0)
print(outcome(lambda: {x: 1}), outcome(lambda: hash(x)))
print(x.ref() == x.ref(), x.ref().deref() is x, len({x.ref(), x.ref()}))

# --- ref_as_key
x, y = tf.constant(1.0), tf.constant(1.0)
names = {x.ref(): "x", y.ref(): "y"}
print(names[y.ref()], x.ref() == y.ref(), x.ref() in names)

# --- equality_elementwise
a = tf.constant([1, 2, 3])
print(a == a, a == [1, 0, 3], a != 2)

# --- equality_of_incompatible_shapes
a = tf.constant([1, 2, 3])
print(a == tf.constant([1, 2]), a != tf.constant([1, 2]))
print(outcome(tf.equal, a, tf.constant([1, 2])))

# --- equality_with_none
x = tf.constant(1.0)
print(x == None, x != None, x is None)

# --- equality_of_dtypes_differs
print(outcome(lambda: tf.constant(1) == tf.constant(1.0)))
print(outcome(lambda: tf.constant(1) == 1.0))

# --- tensor_in_list
x, y = tf.constant(1.0), tf.constant(2.0)
print(x in [y, x], tf.constant(3.0) in [x, y])

# --- contains_is_elementwise_iteration
print(2 in tf.constant([1, 2, 3]))

# --- string_tensors
s = tf.constant(["apple", "pear"])
print(s, s.dtype, s.shape, s == ["apple", "fig"])

# --- string_unicode
print(tf.constant("héllo"), tf.constant("héllo").numpy())

# --- isinstance_and_is_tensor
print(isinstance(tf.constant(1), tf.Tensor), tf.is_tensor(tf.constant(1)), tf.is_tensor(np.ones(2)))
print(tf.is_tensor(tf.Variable(1.0)), tf.is_tensor([1, 2]), tf.is_tensor(None))

# --- zeros_ones_fill
print(tf.zeros([2, 2]), tf.ones((3,), tf.int32), tf.fill([2, 2], 7.5), tf.zeros([]))
print(tf.zeros([0, 3]), tf.ones(2, dtype=tf.bool), tf.zeros([1], tf.string))

# --- zeros_like_ones_like
x = tf.constant([[1, 2], [3, 4]])
print(tf.zeros_like(x), tf.ones_like(x, dtype=tf.float32), tf.zeros_like([1.5, 2.5]))

# --- zeros_with_a_tensor_shape
n = tf.constant([2, 3])
print(tf.zeros(n).shape, tf.ones(tf.shape(tf.zeros([4, 1]))).shape, tf.zeros([n[0], 5]).shape)

# --- eye
print(tf.eye(2), tf.eye(2, 3), tf.eye(2, batch_shape=[2]).shape, tf.eye(2, dtype=tf.int32))

# --- shape_functions
x = tf.zeros([2, 3, 4])
print(tf.shape(x), tf.rank(x), tf.size(x), x.shape, x.shape[1], len(x.shape))
print(tf.shape(x, out_type=tf.int64), x.shape.as_list(), x.get_shape())

# --- shape_arithmetic
x = tf.zeros([2, 3, 4])
b, *rest = x.shape
print(b, rest, x.shape[1:], x.shape[:-1] + [7])

# --- name_and_device
x = tf.constant(1.0)
print("CPU" in x.device)
print(outcome(lambda: x.name), outcome(lambda: x.op), outcome(lambda: x.graph))

# --- identity_makes_a_new_tensor
x = tf.constant([1.0])
y = tf.identity(x)
print(y is x, y, tf.identity(3))

# --- deepcopy_and_copy
import copy
x = tf.constant([1.0, 2.0])
y = copy.deepcopy(x)
print(y, y is x, copy.copy(x))

# --- pickle_round_trip
import pickle
x = tf.constant([[1.0, 2.0]])
y = pickle.loads(pickle.dumps(x.numpy()))
print(tf.constant(y))

# --- rank_mixed_nested_tensors
rows = [tf.constant([1.0, 2.0]), [3.0, 4.0], np.array([5.0, 6.0], np.float32)]
print(tf.convert_to_tensor(rows))
print(tf.stack(rows).shape)

# --- list_of_int_tensors_and_python_floats
print(outcome(lambda: tf.convert_to_tensor([tf.constant(1), 2.0])))
print(tf.convert_to_tensor([tf.constant(1.0), 2]))

# --- range_object_and_generator
print(tf.constant(range(4)))
print(outcome(tf.constant, (i for i in range(3))))

# --- set_and_dict_are_refused
print(outcome(tf.constant, {1, 2}), outcome(tf.constant, {"a": 1}), outcome(tf.constant, object()))

# --- executing_eagerly
print(tf.executing_eagerly(), tf.constant(1.0).numpy())

# --- tensor_attributes_missing
x = tf.constant(1.0)
print(outcome(lambda: x.foo), outcome(lambda: x.reshape([1])), outcome(lambda: x.mean()))

# --- name_argument
print(tf.constant(1.0, name="c"), tf.add(1, 2, name="sum"))

# --- device_and_name_scope
with tf.device("/CPU:0"):
    with tf.name_scope("outer"):
        print(tf.constant([1.0]) + 1)

# --- get_static_value
print(tf.get_static_value(tf.constant([1, 2])), tf.get_static_value(3), tf.get_static_value(tf.zeros([])))

# --- experimental_ref_is_gone
print(hasattr(tf.constant(1.0), "numpy"), hasattr(tf.constant(1.0), "shape"), hasattr(tf, "placeholder"))

# --- array_copy_keyword
x = tf.constant([1.0, 2.0])
y = np.array(x)
y[0] = 7.0
print(x.numpy(), y)

# --- dlpack_to_numpy
x = tf.constant([1.0, 2.0])
print(np.from_dlpack(x).tolist())

# --- big_tensor_summary
print(tf.range(2000))

# --- bytes_and_memory
x = tf.constant([[1, 2, 3]], tf.int64)
print(x.numpy().nbytes, x.numpy().itemsize, x.dtype.size)

# --- bool_from_comparison
x = tf.constant(3.0)
print("big" if x > 2 else "small", not x, x and 5)

# --- python_abs_and_neg
x = tf.constant(-2.5)
print(abs(x), -x)

# --- format_of_scalars
x = tf.constant(3.14159)
print(f"{x:.2f}", "{:.3f}".format(x.numpy()), f"{x}", "%.2f" % x)

# --- sum_builtin_and_max
x = tf.constant([1.0, 4.0, 2.0])
print(sum(x), max(x), min(x), sorted(x.numpy()))

# --- zip_of_tensors
for a, b in zip(tf.constant([1, 2]), tf.constant([3.0, 4.0])):
    print(int(a), float(b))
