# Details of map_fn, scan, foldl, foldr and vectorized_map: structures, arguments, errors.

# --- map_fn_arguments
e = tf.constant([1.0, 2.0])
f = lambda x: x * 2
for call in (lambda: tf.map_fn(3, e), lambda: tf.map_fn(f, 1.0), lambda: tf.map_fn(f, []), lambda: tf.map_fn(f, ()), lambda: tf.map_fn(f, {}), lambda: tf.map_fn(lambda x: (x, x), e), lambda: tf.map_fn(lambda x: [x], e), lambda: tf.map_fn(lambda x: x, e, fn_output_signature=(tf.float32,)), lambda: tf.map_fn(lambda x: x, e, fn_output_signature=tf.int32), lambda: tf.map_fn(f, e, parallel_iterations=1, back_prop=True, swap_memory=True, infer_shape=False, name="m"), lambda: tf.map_fn(f, np.array([1, 2])), lambda: tf.map_fn(f, [1, 2])):
    print(outcome(call))

# --- map_fn_python_results
print(tf.map_fn(lambda x: 1.0, tf.constant([1.0, 2.0])), tf.map_fn(lambda x: 2, tf.constant([1.0, 2.0])), tf.map_fn(lambda x: [1, 2], tf.constant([1.0, 2.0]), fn_output_signature=[tf.int32, tf.int64]))

# --- map_fn_tensor_spec
print(tf.map_fn(lambda x: tf.cast(x, tf.int32), tf.constant([1.0, 2.0]), fn_output_signature=tf.TensorSpec([], tf.int32)))
print(outcome(lambda: tf.map_fn(lambda x: tf.fill([2], x), tf.constant([1.0, 2.0]), fn_output_signature=tf.TensorSpec([3], tf.float32))))

# --- map_fn_changing_shapes
print(outcome(lambda: tf.map_fn(lambda n: tf.zeros([n]), tf.constant([1, 2]), fn_output_signature=tf.float32)), outcome(lambda: tf.map_fn(lambda n: tf.zeros([n]), tf.constant([1, 2]), fn_output_signature=tf.float32, infer_shape=False)))

# --- map_fn_no_elements
print(outcome(lambda: tf.map_fn(lambda x: x * 2, tf.zeros([0]))), outcome(lambda: tf.map_fn(lambda x: x * 2, tf.zeros([0, 3]))), outcome(lambda: tf.map_fn(lambda x: tf.reduce_sum(x), tf.zeros([0, 3]), fn_output_signature=tf.float32)), outcome(lambda: tf.map_fn(lambda x: x, tf.zeros([0], tf.int32), fn_output_signature=tf.TensorSpec([2], tf.int32))))

# --- map_fn_nested_structures
e = {"a": tf.constant([1, 2]), "b": (tf.constant([[1.0], [2.0]]), tf.constant([True, False]))}
print(tf.map_fn(lambda t: t, e), tf.map_fn(lambda t: t["b"][0] + tf.cast(t["a"], tf.float32), e, fn_output_signature=tf.float32))

# --- map_fn_different_lengths
print(outcome(lambda: tf.map_fn(lambda t: t[0] + t[1], (tf.zeros([3]), tf.zeros([2])), fn_output_signature=tf.float32)), outcome(lambda: tf.map_fn(lambda t: t[0], (tf.zeros([3]), tf.zeros([])), fn_output_signature=tf.float32)))

# --- map_fn_second_derivative
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.map_fn(lambda v: v ** 3, x)
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- map_fn_matrix_rows_gradient
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([0.5, -1.0])
with tf.GradientTape() as tape:
    y = tf.map_fn(lambda r: tf.reduce_sum(r * r * w), x)
print(y, tape.gradient(y, [x, w]))

# --- map_fn_variable_elements
v = tf.Variable([1.0, 2.0])
print(tf.map_fn(lambda x: x + 1.0, v), tf.map_fn(lambda t: t[0] * t[1], [v, v], fn_output_signature=tf.float32))

# --- scan_arguments
e = tf.constant([1.0, 2.0])
f = lambda a, x: a + x
for call in (lambda: tf.scan(3, e), lambda: tf.scan(f, 1.0), lambda: tf.scan(f, []), lambda: tf.scan(lambda a, x: (a, x), e), lambda: tf.scan(f, [1, 2, 3]), lambda: tf.scan(lambda a, x: a + 1, e, initializer=0), lambda: tf.scan(f, e, initializer=0), lambda: tf.scan(lambda a, x: (a[0] + x, a[1]), e, initializer=(0.0,)), lambda: tf.scan(lambda a, x: [a[0] + x], e, initializer=(0.0,)), lambda: tf.scan(f, tf.zeros([0])), lambda: tf.scan(f, tf.zeros([0]), initializer=1.0), lambda: tf.scan(f, e, initializer=np.float32(3))):
    print(outcome(call))

# --- scan_two_sequences
a, b = tf.constant([1, 2, 3]), tf.constant([10, 20, 30])
print(tf.scan(lambda acc, x: acc + x[0] * x[1], (a, b), initializer=0), tf.scan(lambda acc, x: (acc[0] + x[0], acc[1] * x[1]), (a, b)))
print(tf.scan(lambda acc, x: {"s": acc["s"] + x["p"]}, {"p": a}, initializer={"s": tf.constant(100)}, reverse=True))

# --- scan_matrix_state
e = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
print(tf.scan(lambda a, x: a + x, e), tf.scan(lambda a, x: a * 0.5 + tf.reduce_sum(x), e, initializer=tf.constant(0.0)))

# --- scan_changing_shape
print(outcome(lambda: tf.scan(lambda a, x: tf.concat([a, a], 0), tf.constant([1.0, 2.0]), initializer=tf.constant([1.0]))), outcome(lambda: tf.scan(lambda a, x: tf.concat([a, a], 0), tf.constant([1.0, 2.0]), initializer=tf.constant([1.0]), infer_shape=False)))

# --- scan_reverse_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.scan(lambda a, v: a * v, x, reverse=True) * tf.constant([1.0, 10.0, 100.0]))
print(y, tape.gradient(y, x))

# --- scan_unused_elements_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.scan(lambda a, v: a * 2.0, x)
print(y, tape.gradient(y, x))

# --- fold_arguments
e = tf.constant([1.0, 2.0])
f = lambda a, x: a + x
for fold in (tf.foldl, tf.foldr):
    for call in (lambda: fold(3, e), lambda: fold(f, 1.0), lambda: fold(f, []), lambda: fold(f, [1, 2, 3]), lambda: fold(lambda a, x: a + 1, e, initializer=0), lambda: fold(f, tf.zeros([0])), lambda: fold(f, tf.zeros([0]), initializer=1.0), lambda: fold(lambda a, x: 5, e), lambda: fold(lambda a, x: (a[0] + x, a[1] * x), e, initializer=(0.0, 1.0)), lambda: fold(lambda a, x: a + x[0] * x[1], (e, e), initializer=0.0), lambda: fold(lambda a, x: (a, x), e)):
        print(outcome(call))

# --- foldr_gradient
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.foldr(lambda a, v: a * v + v, x)
print(y, tape.gradient(y, x))

# --- vectorized_map_arguments
e = tf.constant([1.0, 2.0])
for call in (lambda: tf.vectorized_map(3, e), lambda: tf.vectorized_map(lambda x: x, 1.0), lambda: tf.vectorized_map(lambda x: x, []), lambda: tf.vectorized_map(lambda x: x * 2, [1, 2]), lambda: tf.vectorized_map(lambda x: x, tf.zeros([0, 2])), lambda: tf.vectorized_map(lambda x: 3, e), lambda: tf.vectorized_map(lambda x: None, e), lambda: tf.vectorized_map(lambda x: [x, None], e), lambda: tf.vectorized_map(lambda x: x + 1, np.array([1, 2])), lambda: tf.vectorized_map(lambda t: t["a"] + t["b"][0], {"a": e, "b": (e,)}), lambda: tf.vectorized_map(lambda t: t[0] + t[1], (tf.zeros([3]), tf.zeros([2])))):
    print(outcome(call))

# --- vectorized_map_unbatched_results
c = tf.constant([5.0, 6.0])
print(tf.vectorized_map(lambda x: (c * 1.0, x), tf.constant([1, 2, 3])))

# --- vectorized_map_first_dimension_of_one
print(tf.vectorized_map(lambda t: t[0] + t[1], (tf.constant([[1.0], [2.0], [3.0]]), tf.constant([[10.0]]))))

# --- vectorized_map_shapes_inside
def f(x):
    print(x.shape, x.dtype, x.shape.rank, x.ndim, outcome(lambda: len(x)))
    return tf.shape(x)
print(tf.vectorized_map(f, tf.zeros([3, 2, 4])))

# --- vectorized_map_nested
a, b = tf.constant([1.0, 2.0]), tf.constant([10.0, 20.0, 30.0])
print(tf.vectorized_map(lambda x: tf.vectorized_map(lambda y: x * y + 1.0, b), a))
print(tf.vectorized_map(lambda row: tf.vectorized_map(lambda y: y * y, row), tf.constant([[1.0, 2.0], [3.0, 4.0]])))

# --- vectorized_map_outer_tape
w = tf.Variable([1.0, 2.0])
x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.vectorized_map(lambda r: tf.reduce_sum(tf.sin(r * w)), x)
print(tape.gradient(y, [w, x]))

# --- vectorized_map_tape_inside_variable
w = tf.Variable(3.0)
def f(x):
    with tf.GradientTape() as tape:
        y = w * w * x
    return tape.gradient(y, w)
print(tf.vectorized_map(f, tf.constant([1.0, 2.0, 3.0])))

# --- vectorized_map_hessian_diagonal
def f(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x ** 3 + tf.sin(x)
        g = inner.gradient(y, x)
    return outer.gradient(g, x)
print(tf.vectorized_map(f, tf.constant([0.5, 1.0, 2.0])))

# --- vectorized_map_jacobian_inside
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * tf.constant([1.0, 2.0])
    return tape.jacobian(y, x)
print(tf.vectorized_map(f, tf.constant([[1.0, 2.0], [3.0, 4.0]])))

# --- vectorized_map_cond
print(tf.vectorized_map(lambda x: tf.cond(x > 2.0, lambda: x * 10.0, lambda: -x), tf.constant([1.0, 2.0, 3.0, 4.0])))

# --- vectorized_map_cond_gradient
x = tf.Variable([4.0, 0.0, 9.0])
with tf.GradientTape() as tape:
    y = tf.vectorized_map(lambda v: tf.cond(v > 0.0, lambda: tf.sqrt(v), lambda: v * 2.0), x)
print(y, tf.convert_to_tensor(tape.gradient(y, x)))

# --- vectorized_map_switch_case
fs = [lambda: tf.constant(10.0), lambda: tf.constant(20.0), lambda: tf.constant(30.0)]
print(tf.vectorized_map(lambda i: tf.switch_case(i, fs), tf.constant([0, 2, 1, 1])))

# --- vectorized_map_while_loop
print(tf.vectorized_map(lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))[1], tf.constant([1.0, 2.0, 3.0])))
print(tf.vectorized_map(lambda n: tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 2.0), (0, tf.constant(1.0)))[1], tf.constant([0, 3, 1])))

# --- vectorized_map_python_if
print(outcome(lambda: tf.vectorized_map(lambda x: x if x > 1.0 else -x, tf.constant([1.0, 2.0]))))

# --- vectorized_map_numpy_inside
print(outcome(lambda: tf.vectorized_map(lambda x: x.numpy(), tf.constant([1.0, 2.0]))), outcome(lambda: tf.vectorized_map(lambda x: float(x), tf.constant([1.0, 2.0]))))

# --- vectorized_map_index_by_element
c = tf.constant([10.0, 20.0, 30.0])
print(tf.vectorized_map(lambda i: c[i], tf.constant([2, 0])), tf.vectorized_map(lambda i: tf.gather(c, i) * 2.0, tf.constant([[2, 0], [1, 1]])))

# --- vectorized_map_exception
def f(x):
    raise KeyError("inside")
print(outcome(lambda: tf.vectorized_map(f, tf.constant([1.0]))))

# --- vectorized_map_map_fn_and_scan_inside
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.vectorized_map(lambda r: tf.map_fn(lambda v: v * v, r), a), tf.vectorized_map(lambda r: tf.scan(lambda s, v: s + v, r), a))

# --- vectorized_map_random_differs
x = tf.vectorized_map(lambda x: x + tf.random.normal([]), tf.zeros([8]))
print(x.shape, len(set(x.numpy().tolist())))

# --- vectorized_map_variable_elements
v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.vectorized_map(lambda r: r[0] * r[1], v)
print(y, tape.gradient(y, v))
