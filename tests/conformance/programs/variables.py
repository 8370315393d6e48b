# Variables: creation, reading, assignment in all its forms, errors that leave the value unchanged.

# --- create_and_read
v = tf.Variable([1.0, 2.0])
print(v.numpy(), v.dtype, v.shape, v.name, v.trainable, v.read_value(), v.value())

# --- dtypes_of_initial_values
print(tf.Variable(1).dtype, tf.Variable(1.5).dtype, tf.Variable(True).dtype, tf.Variable(np.ones(2)).dtype)
print(tf.Variable(1, dtype=tf.float32), tf.Variable([1, 2], dtype=tf.float64).dtype)

# --- float_value_for_int_dtype
tf.Variable(1.5, dtype=tf.int32)

# --- missing_initial_value
tf.Variable()

# --- initial_value_none
tf.Variable(None)

# --- initial_value_callable
v = tf.Variable(lambda: tf.ones([2]) * 3)
print(v)
print(tf.Variable(initial_value=lambda: 2.0, dtype=tf.float64))

# --- initial_value_tensor_is_copied
t = tf.constant([1.0, 2.0])
v = tf.Variable(t)
v.assign([5.0, 6.0])
print(t, v.numpy())

# --- initial_value_numpy_is_copied
a = np.zeros(2, np.float32)
v = tf.Variable(a)
a[0] = 9.0
print(v.numpy())
v.assign_add([1.0, 1.0])
print(a)

# --- initial_value_variable
v = tf.Variable(2.0)
w = tf.Variable(v)
w.assign(5.0)
print(v.numpy(), w.numpy())

# --- assign
v = tf.Variable([1.0, 2.0])
r = v.assign([3.0, 4.0])
print(v.numpy(), r)
v.assign(np.array([5, 6]))
print(v.numpy())

# --- assign_returns_something_like_the_variable
v = tf.Variable(1.0)
r = v.assign(2.0)
v.assign(3.0)
print(r.numpy(), r.dtype, r.shape)

# --- assign_add_sub
v = tf.Variable(10.0)
v.assign_add(5.0)
v.assign_sub(2)
print(v.numpy(), v.assign_add(1.0).numpy(), v.assign_sub(tf.constant(4.0)).numpy())

# --- assign_chain
v = tf.Variable(1.0)
v.assign(2.0).assign_add(3.0).assign_sub(1.0)
print(v.numpy())

# --- assign_read_value_false
v = tf.Variable(1.0)
print(v.assign(2.0, read_value=False), v.assign_add(1.0, read_value=False), v.assign_sub(1.0, use_locking=True).numpy())

# --- assign_wrong_shape_leaves_value
v = tf.Variable([1.0, 2.0])
print(outcome(v.assign, [1.0, 2.0, 3.0]), outcome(v.assign, 5.0), v.numpy())

# --- assign_wrong_shape_message
# phrase: shape
tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0])

# --- assign_add_does_not_broadcast
v = tf.Variable([1.0, 2.0])
print(outcome(v.assign_add, 1.0), outcome(v.assign_sub, [1.0]), outcome(v.assign_add, [1.0, 2.0, 3.0]), v.numpy())

# --- assign_wrong_dtype_leaves_value
v = tf.Variable(1.0)
print(outcome(v.assign, tf.constant(2)), outcome(v.assign, tf.constant(2.0, tf.float64)), outcome(v.assign, "x"))
print(outcome(v.assign_add, tf.constant(1)), v.numpy())

# --- assign_python_int_to_float
v = tf.Variable(1.0)
v.assign(2)
print(v)

# --- assign_float_to_int
v = tf.Variable(1)
print(outcome(v.assign, 2.5), outcome(v.assign_add, 0.5), v.numpy())

# --- assign_none
v = tf.Variable(1.0)
print(outcome(v.assign, None), outcome(v.assign_add, None), v.numpy())

# --- plus_equals_rebinds_to_a_tensor
v = tf.Variable(1.0)
w = v
try:
    v += 1.0
    print(type(v).__name__, v)
except Exception as e:
    print(type(e).__name__)
print(w.numpy())

# --- in_place_operators
for op in ("v += 1", "v -= 1", "v *= 2", "v /= 2", "v **= 2", "v //= 2", "v %= 2"):
    space = {"v": tf.Variable(4.0)}
    try:
        exec(op, space)
        print(op, space["v"])
    except Exception as e:
        print(op, type(e).__name__)

# --- sliced_assign
v = tf.Variable([1.0, 2.0, 3.0, 4.0])
v[1].assign(20.0)
v[2:].assign([30.0, 40.0])
print(v.numpy())
v[::2].assign([0.0, 0.0])
print(v.numpy())

# --- sliced_assign_matrix
v = tf.Variable(tf.zeros([3, 3]))
v[1, :].assign([1.0, 2.0, 3.0])
v[:, 0].assign([7.0, 8.0, 9.0])
v[2, 2].assign(5.0)
v[..., 1].assign([4.0, 4.0, 4.0])
print(v.numpy())

# --- sliced_assign_broadcasts
v = tf.Variable(tf.zeros([2, 3]))
print(outcome(lambda: v[0].assign(5.0).numpy().tolist()))
print(outcome(lambda: v[:, 1:].assign([[1.0, 2.0]]).numpy().tolist()))
print(v.numpy())

# --- sliced_assign_wrong_shape
v = tf.Variable([1.0, 2.0, 3.0])
print(outcome(lambda: v[:2].assign([1.0, 2.0, 3.0])), v.numpy())

# --- sliced_assign_out_of_range
v = tf.Variable([1.0, 2.0])
print(outcome(lambda: v[5].assign(1.0)), v.numpy())

# --- sliced_assign_returns
v = tf.Variable([1.0, 2.0])
r = v[0].assign(9.0)
print(r.numpy())

# --- item_assignment_refused
v = tf.Variable([1.0, 2.0])
v[0] = 3.0

# --- sliced_assign_tensor_index
v = tf.Variable([1, 2, 3])
i = tf.constant(1)
v[i].assign(50)
print(v.numpy())

# --- slice_of_variable_has_no_assign_add
v = tf.Variable([1.0, 2.0])
print(outcome(lambda: v[0].assign_add(1.0)))

# --- scatter_update
v = tf.Variable([1.0, 2.0, 3.0])
r = v.scatter_update(tf.IndexedSlices([10.0, 30.0], [0, 2]))
print(v.numpy(), r.numpy())

# --- scatter_add_sub
v = tf.Variable([1.0, 2.0, 3.0])
v.scatter_add(tf.IndexedSlices(tf.constant([1.0, 1.0, 1.0]), tf.constant([0, 0, 2])))
print(v.numpy())
v.scatter_sub(tf.IndexedSlices([0.5], [1]))
print(v.numpy())

# --- scatter_min_max_mul_div
v = tf.Variable([4.0, 5.0, 6.0])
v.scatter_max(tf.IndexedSlices([9.0], [0]))
v.scatter_min(tf.IndexedSlices([1.0], [1]))
v.scatter_mul(tf.IndexedSlices([2.0], [2]))
v.scatter_div(tf.IndexedSlices([3.0], [0]))
print(v.numpy())

# --- batch_scatter_update
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
print(v.batch_scatter_update(tf.IndexedSlices([[9.0], [8.0]], [[0], [1]])).numpy())

# --- scatter_rows
v = tf.Variable(tf.zeros([3, 2]))
v.scatter_update(tf.IndexedSlices([[1.0, 2.0]], [2]))
v.scatter_add(tf.IndexedSlices([[1.0, 1.0], [2.0, 2.0]], [0, 2]))
print(v.numpy())

# --- scatter_nd_family
v = tf.Variable([1.0, 2.0, 3.0, 4.0])
v.scatter_nd_add([[0], [2]], [10.0, 10.0])
print(v.numpy())
v.scatter_nd_sub([[1]], [1.0])
v.scatter_nd_update([[3]], [0.0])
print(v.numpy())

# --- scatter_nd_matrix
v = tf.Variable(tf.zeros([2, 3]))
v.scatter_nd_update([[0, 1], [1, 2]], [5.0, 6.0])
print(v.numpy())

# --- scatter_out_of_range
v = tf.Variable([1.0, 2.0])
print(outcome(lambda: v.scatter_add(tf.IndexedSlices([1.0], [5]))), v.numpy())

# --- scatter_needs_slices
v = tf.Variable([1.0, 2.0])
print(outcome(lambda: v.scatter_add([1.0, 2.0])), v.numpy())

# --- sparse_read_and_gather_nd
v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
print(v.sparse_read([2, 0]), v.gather_nd([[1, 1], [0, 0]]))

# --- shape_with_none
v = tf.Variable([[1.0, 2.0]], shape=[None, 2])
print(v.shape)
v.assign([[1.0, 2.0], [3.0, 4.0]])
print(v.numpy().shape, v.shape, tf.shape(v))
print(outcome(v.assign, [[1.0]]))

# --- shape_fully_unknown
v = tf.Variable(1.0, shape=tf.TensorShape(None))
v.assign([1.0, 2.0])
print(v.numpy(), v.shape, (v * 2).shape)
v.assign(tf.zeros([2, 2]))
print(v.numpy().shape)

# --- shape_disagrees_with_value
tf.Variable([1.0, 2.0], shape=[3])

# --- names
print(tf.Variable(1.0).name, tf.Variable(1.0, name="w").name, tf.Variable(1.0, name="a/b").name)
a, b = tf.Variable(1.0, name="same"), tf.Variable(1.0, name="same")
print(a.name == b.name)

# --- trainable_false
v = tf.Variable(1.0, trainable=False)
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = v * w
print(v.trainable, tape.gradient(y, [v, w]), [x.name for x in tape.watched_variables()])

# --- constraint_attribute
v = tf.Variable([-1.0, 2.0], constraint=lambda x: tf.maximum(x, 0.0))
v.assign_sub([1.0, 1.0])
print(v.numpy(), v.constraint(v).numpy(), tf.Variable(1.0).constraint)

# --- aggregation_and_synchronization
v = tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN)
print(v.aggregation == tf.VariableAggregation.MEAN, tf.Variable(1.0).synchronization == tf.VariableSynchronization.AUTO)

# --- deepcopy
import copy
v = tf.Variable([1.0, 2.0], name="orig", trainable=False)
w = copy.deepcopy(v)
w.assign([9.0, 9.0])
print(v.numpy(), w.numpy(), w.name, w.trainable)

# --- equality_elementwise_and_hash
v, w = tf.Variable(1.0), tf.Variable(1.0)
print(v == w, v is w, outcome(lambda: hash(v)), v.ref() == v.ref(), v.ref() == w.ref())

# --- variable_in_list
v, w = tf.Variable([1.0, 1.0]), tf.Variable([2.0, 2.0])
print(any(x is v for x in [w, v]), v.ref() in {v.ref()}, w.ref() in {v.ref()})

# --- numpy_conversions
v = tf.Variable([1.0, 2.0])
print(np.asarray(v), np.sum(v), np.array([1.0, 1.0], np.float32) + v, float(v[0]))

# --- scalar_conversions
v = tf.Variable(3.7)
print(float(v), int(v), bool(v), f"{v.numpy():.1f}")

# --- int_variable_as_index
i = tf.Variable(2)
print([10, 20, 30][i.numpy()], tf.constant([1, 2, 3])[i], outcome(lambda: [1, 2, 3][i]))

# --- count_up
step = tf.Variable(0, trainable=False)
for _ in range(5):
    step.assign_add(1)
print(step)

# --- shape_methods
v = tf.Variable(tf.zeros([2, 3]))
print(v.get_shape(), v.shape.as_list(), tf.rank(v), tf.size(v), v.shape.num_elements())

# --- initialized_value_and_device
v = tf.Variable(1.0)
print("CPU" in v.device, v.is_initialized() if hasattr(v, "is_initialized") else None)

# --- variable_as_op_arguments
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
print(tf.matmul(v, v), tf.reduce_sum(v, axis=0), tf.transpose(v), tf.reshape(v, [-1]), tf.stack([v[0], v[1]]).shape)

# --- swap_values
a, b = tf.Variable(1.0), tf.Variable(2.0)
x, y = tf.identity(a), tf.identity(b)
a.assign(y)
b.assign(x)
print(a.numpy(), b.numpy())

# --- read_before_and_after
v = tf.Variable(1.0)
before = v.read_value()
v.assign(2.0)
print(before, v.read_value(), v + 0)

# --- assign_in_tape_keeps_recorded_value
v = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = v * v
    v.assign(10.0)
print(y, tape.gradient(y, v), v.numpy())

# --- assign_from_itself
v = tf.Variable([1.0, 2.0])
v.assign(v * 2 + 1)
v.assign(v[::-1])
print(v.numpy())

# --- from_generator_of_tensors
vs = [tf.Variable(tf.fill([2], float(i)), name=f"v{i}") for i in range(3)]
print([v.name for v in vs], tf.add_n(vs))

# --- optimizer_like_updates
v, m = tf.Variable([1.0, 2.0]), tf.Variable(tf.zeros([2]))
for _ in range(3):
    g = 2 * v
    m.assign(0.9 * m + g)
    v.assign_sub(0.1 * m)
print(v.numpy(), m.numpy())

# --- string_variable
v = tf.Variable("hello")
v.assign("world")
print(v.numpy(), v == "world")

# --- bool_variable
v = tf.Variable(False)
v.assign(True)
print(v, "yes" if v else "no", outcome(lambda: v.assign(1)))

# --- legacy_arguments
v = tf.Variable(1.0, validate_shape=True, caching_device=None, import_scope=None)
print(v)

# --- assign_tensor_with_extra_batch
v = tf.Variable(tf.zeros([2, 2]))
print(outcome(v.assign, tf.zeros([1, 2, 2])), outcome(v.assign, tf.zeros([2])), outcome(v.assign, [[1.0, 2.0], [3.0]]))
print(v.numpy())

# --- op_of_an_assignment
v = tf.Variable(1.0)
print(v.assign(2.0).op)
@tf.function
def f():
    updated = v.assign_add(1.0)
    print(type(updated.op).__name__)
    with tf.control_dependencies([updated.op]):
        return v + 1.0
print(f(), outcome(lambda: v.op))
