# Details of tf.TensorArray in eager mode.

# --- construction
for call in (lambda: tf.TensorArray(), lambda: tf.TensorArray(tf.float32), lambda: tf.TensorArray("float32", size=2).dtype, lambda: tf.TensorArray(tf.float32, 2, handle=1), lambda: tf.TensorArray(tf.float32, -1).size(), lambda: tf.TensorArray(tf.float32, 2.0), lambda: tf.TensorArray(tf.float32, tf.constant(2)).size(), lambda: tf.TensorArray(tf.float32, [2]), lambda: tf.TensorArray(tf.float32, 2, element_shape=[3]).element_shape, lambda: tf.TensorArray(tf.float32, 2).element_shape, lambda: tf.TensorArray(tf.float32, 2).dynamic_size, lambda: tf.TensorArray(tf.float32, 2, dynamic_size=True).dynamic_size, lambda: tf.TensorArray(np.int32, 2).dtype, lambda: tf.TensorArray("nonsense", 2), lambda: tf.TensorArray(tf.float32, 2).handle, lambda: tf.TensorArray(tf.float32, 2).flow):
    print(outcome(call))

# --- write_is_in_place
ta = tf.TensorArray(tf.float32, 2)
tb = ta.write(0, 1.0)
print(ta.stack(), tb.stack())

# --- write_errors
ta = tf.TensorArray(tf.float32, 2, element_shape=[2])
for call in (lambda: ta.write(-1, [1.0, 2.0]), lambda: ta.write(2, [1.0, 2.0]), lambda: ta.write(0, [1.0]), lambda: ta.write(0, tf.constant([1, 2])), lambda: ta.write(0, [1, 2]).read(0), lambda: ta.write(0, "s"), lambda: ta.write(tf.constant(1), [3.0, 4.0]).read(1), lambda: ta.write(0.0, [1.0, 2.0]), lambda: ta.write("a", [1.0, 2.0]), lambda: ta.write(0, None), lambda: ta.write(0, np.zeros(2)).read(0)):
    print(outcome(call))

# --- infer_shape
ta = tf.TensorArray(tf.float32, 3)
ta = ta.write(0, [1.0, 2.0])
print(ta.element_shape, outcome(lambda: ta.write(1, [1.0])), outcome(lambda: ta.read(2)))
tb = tf.TensorArray(tf.float32, 2, infer_shape=False).write(0, [1.0, 2.0]).write(1, [3.0])
print(tb.element_shape, tb.concat(), outcome(lambda: tb.stack()))

# --- read_errors
ta = tf.TensorArray(tf.float32, 2)
for call in (lambda: ta.read(-1), lambda: ta.read(2), lambda: ta.read(0), lambda: ta.write(0, 5.0).read(tf.constant(0)), lambda: ta.read(0), lambda: ta.read("a"), lambda: ta.stack(), lambda: ta.read(1)):
    print(outcome(call))

# --- unwritten_elements_are_zero
ta = tf.TensorArray(tf.float32, 3, element_shape=[2])
print(ta.read(1), ta.write(0, [1.0, 2.0]).stack(), ta.gather([0, 2]), ta.concat())

# --- stack_empty
print(outcome(lambda: tf.TensorArray(tf.float32, 0).stack()), outcome(lambda: tf.TensorArray(tf.int32, 0).stack()), outcome(lambda: tf.TensorArray(tf.int32, 0, element_shape=[2, 3]).stack()), outcome(lambda: tf.TensorArray(tf.float32, 0).concat()), outcome(lambda: tf.TensorArray(tf.float32, 2).gather([])))

# --- unstack_and_size
ta = tf.TensorArray(tf.int32, 5).unstack([1, 2, 3])
print(ta.size(), ta.stack(), outcome(lambda: tf.TensorArray(tf.int32, 1).unstack([1, 2])), tf.TensorArray(tf.int32, 1, dynamic_size=True).unstack([1, 2]).size(), outcome(lambda: tf.TensorArray(tf.int32, 1).unstack(3)), outcome(lambda: tf.TensorArray(tf.float32, 2).unstack([1, 2]).read(0)))

# --- scatter
ta = tf.TensorArray(tf.float32, 4).scatter([3, 0], [[1.0], [2.0]])
print(ta.stack(), outcome(lambda: ta.scatter([9], [[1.0]])), outcome(lambda: ta.scatter([0], [1.0])), outcome(lambda: tf.TensorArray(tf.float32, 2).scatter(tf.constant([1, 0]), tf.constant([5.0, 6.0])).stack()))

# --- split
v = tf.constant([1.0, 2.0, 3.0])
for call in (lambda: tf.TensorArray(tf.float32, 2).split(v, [1, 2]).concat(), lambda: tf.TensorArray(tf.float32, 2).split(v, [1, 1]), lambda: tf.TensorArray(tf.float32, 3).split(v, [1, 2]), lambda: tf.TensorArray(tf.float32, 3, dynamic_size=True).split(v, [1, 2]).size(), lambda: tf.TensorArray(tf.float32, 2).split(v, 3), lambda: tf.TensorArray(tf.float32, 2).split(1.0, [1]), lambda: tf.TensorArray(tf.int32, 2).split(v, [1, 2]).read(0), lambda: tf.TensorArray(tf.float32, 2).split([1, 2, 3], [3, 0]).read(0)):
    print(outcome(call))

# --- concat_scalars
print(outcome(lambda: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]).concat()), tf.TensorArray(tf.float32, 2).unstack([[1.0], [2.0]]).concat())

# --- gather_out_of_range
ta = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
print(outcome(lambda: ta.gather([0, 5])), outcome(lambda: ta.gather([-1])), ta.gather(tf.constant([1, 1])))

# --- identity_and_close
ta = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
print(ta.identity() is ta, ta.close(), ta.size(), outcome(lambda: ta.grad("s")))

# --- gradient_through_all_parts
x = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    ta = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)
    tb = tf.TensorArray(tf.float32, 4).scatter([3, 2, 1, 0], x * x)
    tc = tf.TensorArray(tf.float32, 2).split(x, [1, 3])
    y = ta.read(1) * ta.read(2) + tf.reduce_sum(tb.gather([0, 1])) + tf.reduce_sum(tc.concat()) + tf.reduce_prod(ta.stack())
print(y, tape.gradient(y, x))

# --- gradient_write_read_second_order
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        ta = tf.TensorArray(tf.float32, 1).write(0, x * x)
        y = ta.read(0) * x
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- in_structures
ta = tf.TensorArray(tf.float32, 2)
print(len(tf.nest.flatten([ta, 1])), tf.nest.flatten([ta])[0] is ta)

# --- written_variable
v = tf.Variable(3.0)
with tf.GradientTape() as tape:
    ta = tf.TensorArray(tf.float32, 1).write(0, v)
    y = ta.stack() * 2.0
v.assign(9.0)
print(y, tape.gradient(y, v))

# --- bool_and_string_elements
print(tf.TensorArray(tf.bool, 2).write(0, True).stack(), tf.TensorArray(tf.string, 2).write(0, "a").write(1, b"b").stack())
