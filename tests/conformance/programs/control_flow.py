# Control flow under the tape: cond, while_loop, case, switch_case, map_fn, scan, TensorArray ...

# --- cond_value
x = tf.constant(3.0)
print(tf.cond(x > 2, lambda: x * 2, lambda: x - 1), tf.cond(x > 5, lambda: x * 2, lambda: x - 1))

# --- cond_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.cond(x > 2, lambda: x ** 2, lambda: x * 10)
print(tape.gradient(y, x))

# --- cond_untaken_branch_is_none
x, w = tf.Variable(3.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.cond(tf.constant(True), lambda: x * 2, lambda: w * 3)
print(tape.gradient(y, [x, w]))

# --- cond_python_bool_and_structures
print(tf.cond(True, lambda: {"a": tf.constant(1), "b": [tf.constant(2.0)]}, lambda: None))
print(tf.cond(tf.constant(False), lambda: (1, 2), lambda: (3, 4)), tf.cond(tf.constant(True), true_fn=lambda: None, false_fn=lambda: 1))

# --- cond_side_effect
v = tf.Variable(1.0)
tf.cond(v > 0, lambda: v.assign_add(5.0), lambda: v.assign_sub(5.0))
print(v.numpy())

# --- cond_bad_arguments
print(outcome(lambda: tf.cond(True, 1, lambda: 2)), outcome(lambda: tf.cond(True, lambda: 1)), outcome(lambda: tf.cond(tf.constant([True, False]), lambda: 1, lambda: 2)))

# --- cond_nested
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = tf.cond(x > 0, lambda: tf.cond(x > 1, lambda: x, lambda: x ** 3), lambda: -x)
print(y, tape.gradient(y, x))

# --- case
x = tf.constant(2.0)
print(tf.case([(x < 1, lambda: tf.constant("small")), (x < 3, lambda: tf.constant("medium"))], default=lambda: tf.constant("large")))

# --- case_gradient
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.case([(x < 1, lambda: x), (x < 3, lambda: x ** 2)], default=lambda: x ** 3)
print(y, tape.gradient(y, x))

# --- case_without_default
print(outcome(lambda: tf.case([(tf.constant(False), lambda: 1)])))

# --- case_exclusive
t = tf.constant(True)
print(outcome(lambda: tf.case([(t, lambda: 1), (t, lambda: 2)], exclusive=True)))

# --- switch_case
fs = [lambda: tf.constant(10), lambda: tf.constant(20), lambda: tf.constant(30)]
print([int(tf.switch_case(tf.constant(i), fs)) for i in (0, 1, 2, 3, -1)])

# --- switch_case_default
print(tf.switch_case(tf.constant(7), {0: lambda: 1, 1: lambda: 2}, default=lambda: 99))

# --- switch_case_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.switch_case(tf.constant(1), [lambda: x, lambda: x ** 2, lambda: x ** 3])
print(tape.gradient(y, x))

# --- while_loop_counts
i = tf.while_loop(lambda i: i < 10, lambda i: [i + 3], [tf.constant(0)])
print(i)

# --- while_loop_two_variables
i, s = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0)))
print(i, s)

# --- while_loop_gradient
x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    _, y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * x), (tf.constant(0), tf.constant(1.0)))
print(y, tape.gradient(y, x))

# --- while_loop_structure
def body(i, state):
    return i + 1, {"a": state["a"] * 2, "b": state["b"] + state["a"]}
i, state = tf.while_loop(lambda i, s: i < 3, body, (0, {"a": tf.constant(1.0), "b": tf.constant(0.0)}))
print(i, state)

# --- while_loop_maximum_iterations
print(tf.while_loop(lambda i: True, lambda i: (i + 1,), (tf.constant(0),), maximum_iterations=4))

# --- while_loop_never_entered
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    (y,) = tf.while_loop(lambda y: y < 0, lambda y: (y * 2,), (tf.identity(x),))
print(y, tape.gradient(y, x))

# --- while_loop_empty_vars
print(outcome(lambda: tf.while_loop(lambda: True, lambda: (), ())), outcome(lambda: tf.while_loop(1, lambda i: i, (1,))))

# --- while_loop_data_dependent
x = tf.Variable(1.1)
with tf.GradientTape() as tape:
    (y,) = tf.while_loop(lambda y: y < 20.0, lambda y: (y * y + 0.5,), (x * 1.0,))
print(y, tape.gradient(y, x))

# --- map_fn
print(tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])), tf.map_fn(tf.reduce_sum, tf.constant([[1.0, 2.0], [3.0, 4.0]])))

# --- map_fn_output_dtype
print(tf.map_fn(lambda x: tf.cast(x, tf.float32) / 2, tf.constant([1, 2]), fn_output_signature=tf.float32))
print(tf.map_fn(lambda x: x > 1, tf.constant([1, 2]), dtype=tf.bool))

# --- map_fn_wrong_dtype
tf.map_fn(lambda x: tf.cast(x, tf.float32) / 2, tf.constant([1, 2]))

# --- map_fn_several_inputs
a, b = tf.constant([1.0, 2.0]), tf.constant([10.0, 20.0])
print(tf.map_fn(lambda t: t[0] + t[1], (a, b), fn_output_signature=tf.float32))
print(tf.map_fn(lambda t: (t["x"], t["x"] * 2), {"x": a}, fn_output_signature=(tf.float32, tf.float32)))

# --- map_fn_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.map_fn(lambda v: v ** 3, x))
print(tape.gradient(y, x))

# --- map_fn_closure_gradient
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.map_fn(lambda v: v * w, tf.constant([1.0, 2.0])))
print(tape.gradient(y, w))

# --- map_fn_scalar_refused
print(outcome(lambda: tf.map_fn(lambda x: x, tf.constant(1.0))), outcome(lambda: tf.map_fn(lambda t: t[0], (tf.zeros([2]), tf.zeros([3])), fn_output_signature=tf.float32)))

# --- scan_cumulative
print(tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3, 4])), tf.scan(lambda a, x: a * x, tf.constant([1.0, 2.0, 3.0]), initializer=tf.constant(10.0)))

# --- scan_reverse
print(tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]), reverse=True))

# --- scan_structure
elems = tf.constant([1, 2, 3, 4])
fib = tf.scan(lambda a, _: (a[1], a[0] + a[1]), elems, initializer=(tf.constant(0), tf.constant(1)))
print(fib)

# --- scan_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.scan(lambda a, v: a * v, x))
print(tape.gradient(y, x))

# --- scan_initializer_gradient
h = tf.Variable(0.5)
with tf.GradientTape() as tape:
    ys = tf.scan(lambda a, v: tf.tanh(a + v), tf.constant([0.1, 0.2]), initializer=h)
    y = ys[-1]
print(ys, tape.gradient(y, h))

# --- foldl_foldr
e = tf.constant([1, 2, 3])
print(tf.foldl(lambda a, x: a * 10 + x, e), tf.foldr(lambda a, x: a * 10 + x, e), tf.foldl(lambda a, x: a + x, e, initializer=100))

# --- foldl_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.foldl(lambda a, v: a * v + v, x)
print(y, tape.gradient(y, x))

# --- vectorized_map
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.vectorized_map(lambda r: tf.reduce_sum(r * r), a), tf.vectorized_map(lambda r: tf.tensordot(r, r, 1), a))

# --- vectorized_map_structures
a, b = tf.constant([1.0, 2.0]), tf.constant([[1.0, 1.0], [2.0, 2.0]])
print(tf.vectorized_map(lambda t: (t[0] * t[1], t[0] + 1), (a, b)))

# --- vectorized_map_matmul_gradient
w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
x = tf.constant([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.vectorized_map(lambda r: tf.linalg.matvec(w, r) ** 2, x))
print(y, tape.gradient(y, w))

# --- vectorized_map_per_example_gradients
w = tf.constant([1.0, -1.0])
xs = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
def grad(x):
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.tanh(tf.reduce_sum(w * x))
    return tape.gradient(y, w)
print(tf.vectorized_map(grad, xs))

# --- vectorized_map_broadcast_argument
print(outcome(lambda: tf.vectorized_map(lambda t: t[0] * t[1], (tf.constant([1.0, 2.0]), tf.constant([3.0])))))

# --- vectorized_map_ops
a = tf.reshape(tf.range(12.0), [3, 4])
print(tf.vectorized_map(lambda r: tf.reverse(r, [0])[:2], a), tf.vectorized_map(lambda r: tf.where(r > 4, r, 0.0), a), tf.vectorized_map(lambda r: tf.nn.softmax(r), a))

# --- tensorarray_write_stack
ta = tf.TensorArray(tf.float32, size=3)
for i in range(3):
    ta = ta.write(i, float(i) ** 2)
print(ta.stack(), ta.size())

# --- tensorarray_read
ta = tf.TensorArray(tf.int32, size=2, clear_after_read=False)
ta = ta.write(0, 10).write(1, 20)
print(ta.read(0), ta.read(1), ta.read(0))

# --- tensorarray_read_twice_cleared
ta = tf.TensorArray(tf.int32, size=1)
ta = ta.write(0, 10)
print(ta.read(0), outcome(lambda: ta.read(0)))

# --- tensorarray_dynamic
ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
for i in range(4):
    ta = ta.write(i, tf.fill([2], float(i)))
print(ta.size(), ta.stack(), ta.concat())

# --- tensorarray_out_of_range
ta = tf.TensorArray(tf.float32, size=2)
print(outcome(lambda: ta.write(5, 1.0)), outcome(lambda: ta.read(5)))

# --- tensorarray_unwritten
ta = tf.TensorArray(tf.float32, size=3, element_shape=[])
ta = ta.write(1, 5.0)
print(outcome(lambda: ta.stack()))

# --- tensorarray_wrong_dtype
ta = tf.TensorArray(tf.float32, size=1)
print(outcome(lambda: ta.write(0, tf.constant(1))))

# --- tensorarray_write_twice
ta = tf.TensorArray(tf.float32, size=1)
ta = ta.write(0, 1.0)
print(outcome(lambda: ta.write(0, 2.0).read(0)))

# --- tensorarray_unstack_split_gather_scatter
ta = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(tf.constant([[1.0], [2.0], [3.0]]))
print(ta.read(1), ta.gather([2, 0]))
ta2 = tf.TensorArray(tf.float32, size=2).split(tf.constant([1.0, 2.0, 3.0]), [1, 2])
print(ta2.read(0), ta2.read(1))
ta3 = tf.TensorArray(tf.float32, size=3).scatter([2, 0, 1], tf.constant([30.0, 10.0, 20.0]))
print(ta3.stack())

# --- tensorarray_gradient
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    ta = tf.TensorArray(tf.float32, size=3)
    y = tf.constant(1.0)
    for i in range(3):
        y = y * x
        ta = ta.write(i, y)
    s = tf.reduce_sum(ta.stack())
print(s, tape.gradient(s, x))

# --- tensorarray_in_while_loop_gradient
x = tf.Variable(2.0)
def body(i, y, ta):
    y = y * x
    return i + 1, y, ta.write(i, y)
with tf.GradientTape() as tape:
    _, _, ta = tf.while_loop(lambda i, y, ta: i < 3, body, (tf.constant(0), tf.constant(1.0), tf.TensorArray(tf.float32, size=3)))
    s = tf.reduce_sum(ta.stack())
print(s, tape.gradient(s, x))

# --- python_for_over_tensor
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    total = 0.0
    for v in tf.unstack(x):
        total += v ** 2 if v > 1.5 else v
print(total, tape.gradient(total, x))

# --- python_for_over_range
w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    h = tf.constant(1.0)
    for t in tf.range(3):
        h = tf.tanh(w * h + tf.cast(t, tf.float32))
print(h, tape.gradient(h, w))

# --- break_and_continue
x = tf.Variable(1.3)
with tf.GradientTape() as tape:
    y = x
    for i in range(20):
        if i % 2:
            continue
        y = y * x
        if y > 3:
            break
print(y, tape.gradient(y, x))

# --- group_and_identity_n
print(tf.identity_n([tf.constant(1), tf.constant(2.0)]))

# --- tf_function_plain
# needs: tf.function
@tf.function
def f(x):
    return x * x + 1
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- tf_function_autograph
# needs: tf.function tf.autograph
@tf.function
def f(x):
    y = x
    while y < 100.0:
        y = y * x
    if y > 200.0:
        y = y / 2.0
    return y
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))
