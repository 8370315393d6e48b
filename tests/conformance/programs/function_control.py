# Arrays, maps, scans, loops and branches inside tf.function, with gradients; random numbers.

# --- tensor_array_forms
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=3, element_shape=[2])
    ta = ta.unstack(x)
    a = ta.gather([0, 2])
    ta2 = tf.TensorArray(tf.float32, 2, clear_after_read=False).split(tf.range(6.0), [3, 3])
    b = ta2.read(1)
    ta3 = tf.TensorArray(tf.float32, 3).scatter([2, 0, 1], x)
    return a, b, ta3.stack(), ta.size(), ta.dtype == tf.float32, ta3.concat()
print(f(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))

# --- tensor_array_dynamic_growth
@tf.function
def f(n):
    ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
    i = 0
    while i < n:
        ta = ta.write(i, i * 2)
        i += 1
    return ta.stack(), ta.size(), ta.read(0)
print(f(tf.constant(4)))

# --- tensor_array_body_traced_once
traces = []
@tf.function
def f(n):
    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(n):
        traces.append("body")
        ta = ta.write(i, tf.cast(i, tf.float32))
    return ta.stack()
print(f(tf.constant(3)), traces)

# --- tensor_array_two_in_loop
@tf.function
def f(xs):
    a = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
    b = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
    s = tf.constant(0.0)
    for i in tf.range(tf.shape(xs)[0]):
        s = s + xs[i]
        a = a.write(i, s)
        b = b.write(i, s * s)
    return a.stack(), b.stack()
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    a, b = f(x)
    y = tf.reduce_sum(a * b)
print(a, b, tape.gradient(y, x))

# --- tensor_array_in_cond
@tf.function
def f(x, flag):
    ta = tf.TensorArray(tf.float32, size=2, element_shape=[])
    ta = ta.write(0, x)
    if flag:
        ta = ta.write(1, x * 2.0)
    else:
        ta = ta.write(1, -x)
    return ta.stack()
print(f(tf.constant(3.0), tf.constant(True)), f(tf.constant(3.0), tf.constant(False)))

# --- tensor_array_vectors_gradient
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    h = tf.zeros([2])
    for i in tf.range(3):
        h = tf.tanh(h + x * tf.cast(i, tf.float32))
        ta = ta.write(i, h)
    return tf.reduce_sum(ta.stack() * tf.constant([[1.0], [2.0], [3.0]]))
x = tf.constant([0.5, -0.5])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = f(x)
    g = inner.gradient(y, x)
print(y, g, outer.gradient(g, x))

# --- tensor_array_while_loop
@tf.function
def f(n):
    ta = tf.TensorArray(tf.int32, size=n)
    _, ta = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t.write(i, i * i)), (0, ta))
    return ta.stack()
print(f(tf.constant(4)))

# --- map_fn_forms
@tf.function
def f(x, y):
    a = tf.map_fn(lambda t: t[0] * t[1], (x, y), fn_output_signature=tf.float32)
    b = tf.map_fn(lambda v: (v, v * 2.0), x, fn_output_signature=(tf.float32, tf.float32))
    c = tf.map_fn(lambda v: tf.cast(v, tf.int32), x, fn_output_signature=tf.int32)
    d = tf.map_fn(lambda v: {"s": v + 1.0}, x, fn_output_signature={"s": tf.float32})
    return a, b, c, d
print(f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])))

# --- map_fn_with_condition
@tf.function
def f(x):
    def g(v):
        if v > 0:
            return v * 2.0
        return -v
    return tf.map_fn(g, x)
print(f(tf.constant([1.0, -2.0, 3.0])))

# --- scan_forms
@tf.function
def f(x):
    a = tf.scan(lambda a, v: a + v, x)
    b = tf.scan(lambda a, v: (a[0] + v, a[1] * v), x, initializer=(0.0, 1.0))
    c = tf.scan(lambda a, v: a + v, x, reverse=True)
    return a, b, c
print(f(tf.constant([1.0, 2.0, 3.0])))

# --- random_various
tf.random.set_seed(12)
@tf.function
def f():
    return (tf.random.uniform([2], minval=1, maxval=10, dtype=tf.int32), tf.random.truncated_normal([2]), tf.random.gamma([2], 2.0, seed=1), tf.random.poisson([2], 3.0, seed=1), tf.random.shuffle(tf.range(4)))
print(f(), f())

# --- random_set_seed_inside
@tf.function
def f():
    tf.random.set_seed(5)
    return tf.random.uniform([2]), tf.random.uniform([2])
print(f(), f())

# --- random_generator_in_function
g = tf.random.Generator.from_seed(1)
@tf.function
def f(n):
    total = tf.zeros([2])
    for _ in tf.range(n):
        total += g.uniform([2])
    return total, g.normal([1]), g.uniform([2], 0, 10, tf.int32)
print(f(tf.constant(2)), f(tf.constant(1)))

# --- random_nested_function_no_seed
tf.random.set_seed(21)
@tf.function
def inner():
    return tf.random.normal([2])
@tf.function
def outer():
    return inner() + 0.0, tf.random.normal([2]), inner() + 0.0
print(outer(), outer(), inner())

# --- dropout_training_loop
tf.random.set_seed(8)
w = tf.Variable(tf.ones([4, 1]))
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        h = tf.nn.dropout(x, 0.5)
        loss = tf.reduce_mean((h @ w) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    return loss
x = tf.ones([2, 4])
print([float(step(x)) for _ in range(4)], w.numpy().ravel())

# --- while_loop_shape_invariants
@tf.function
def f(n):
    return tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.concat([x, [i]], 0)), (tf.constant(0), tf.constant([7])), shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])))
print(f(tf.constant(3)))

# --- while_loop_structures
from collections import namedtuple
S = namedtuple("S", "i total")
@tf.function
def f(n):
    s, d = tf.while_loop(lambda s, d: s.i < n, lambda s, d: (S(s.i + 1, s.total + s.i), {"k": d["k"] * 2}), (S(tf.constant(0), tf.constant(0)), {"k": tf.constant(1)}))
    return s, d
print(f(tf.constant(4)))

# --- cond_structures_and_none
@tf.function
def f(p, x):
    a = tf.cond(p, lambda: {"a": x, "b": [x + 1]}, lambda: {"a": -x, "b": [x - 1]})
    b = tf.cond(p, lambda: None, lambda: None)
    return a, b
print(f(tf.constant(True), tf.constant(2)), f(tf.constant(False), tf.constant(2)))

# --- cond_with_python_bool_in_function
@tf.function
def f(x):
    return tf.cond(True, lambda: x * 2, lambda: x), tf.cond(tf.constant(False), lambda: x * 2, lambda: x)
print(f(tf.constant(3)))

# --- switch_case_in_function
@tf.function
def f(i, x):
    return tf.switch_case(i, {0: lambda: x, 1: lambda: x * 10}, default=lambda: -x)
print([f(tf.constant(i), tf.constant(3)).numpy() for i in (0, 1, 5, -2)])

# --- variable_scatter_in_loop
v = tf.Variable(tf.zeros([4]))
@tf.function
def f(n):
    for i in tf.range(n):
        v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.reshape(i % 4, [1])))
f(tf.constant(6))
print(v.numpy())

# --- two_variables_swap
a, b = tf.Variable(1.0), tf.Variable(2.0)
@tf.function
def swap():
    t = a.read_value()
    a.assign(b)
    b.assign(t)
swap()
print(a.numpy(), b.numpy())

# --- read_write_read_in_branches
v = tf.Variable(1.0)
@tf.function
def f(x):
    r = []
    r.append(v.read_value())
    if x > 0:
        v.assign(v * 10.0)
        r.append(v.read_value())
    else:
        r.append(v.read_value())
    r.append(v.read_value())
    return r
print(f(tf.constant(1)), f(tf.constant(-1)), v.numpy())

# --- gradient_tape_watch_variable_in_loop_only
w = tf.Variable(3.0)
@tf.function
def f(n):
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
        for _ in tf.range(n):
            y = y * w
    return tape.gradient(y, w), [v.name for v in tape.watched_variables()]
print(f(tf.constant(3)))

# --- gradient_of_gather_in_loop
v = tf.Variable([1.0, 2.0, 3.0])
@tf.function
def f():
    with tf.GradientTape() as tape:
        y = tf.constant(0.0)
        for i in tf.range(3):
            y += tf.gather(v, i) ** 2
    return tape.gradient(y, v)
print(f())

# --- gradient_integer_loop_variable
@tf.function
def f(x):
    i = tf.constant(0)
    y = x
    while i < 3:
        y = y * tf.cast(i + 1, tf.float32)
        i += 1
    return y, i
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y, i = f(x)
print(y, i, tape.gradient(y, x))

# --- gradient_unused_loop_output
@tf.function
def f(x):
    a, b = x, x
    for _ in tf.range(3):
        a = a * x
        b = b + x
    return a
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- gradient_loop_never_runs
@tf.function
def f(x, n):
    y = x * 3.0
    for _ in tf.range(n):
        y = y * x
    return y
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x, tf.constant(0))
print(y, tape.gradient(y, x))

# --- gradient_matrix_loop_with_captured
a = tf.Variable([[0.5, 0.2], [0.1, 0.4]])
@tf.function
def f(x, n):
    s = tf.zeros_like(x)
    for i in tf.range(n):
        x = tf.linalg.matvec(a, x)
        s += x * tf.cast(i, tf.float32)
    return s
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.constant(4))
print(tape.gradient(y, [x, a]))

# --- hessian_of_loop
@tf.function
def f(x):
    y = x
    for _ in tf.range(2):
        y = y * x[0] + tf.sin(y)
    return tf.reduce_sum(y)
x = tf.constant([0.5, 1.5])
with tf.GradientTape() as o:
    o.watch(x)
    with tf.GradientTape() as i:
        i.watch(x)
        y = f(x)
    g = i.gradient(y, x)
print(y, g, o.jacobian(g, x))

# --- custom_gradient_in_branch
@tf.custom_gradient
def g(x):
    return x * x, lambda d: d * 7.0
@tf.function
def f(x):
    if x > 0:
        return g(x)
    return x
for v in (2.0, -2.0):
    x = tf.constant(v)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(y, tape.gradient(y, x))

# --- custom_gradient_two_inputs
@tf.custom_gradient
def g(x, y):
    def grad(d):
        return d * y * 2.0, d * x * 3.0
    return x * y, grad
@tf.function
def f(x, y):
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = g(x, y) + x
    return tape.gradient(z, [x, y])
print(f(tf.constant(2.0), tf.constant(5.0)))

# --- custom_gradient_none
@tf.custom_gradient
def g(x, y):
    return x * y, lambda d: (d, None)
@tf.function
def f(x, y):
    return g(x, y)
x, y = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = f(x, y)
print(tape.gradient(z, [x, y]))

# --- custom_gradient_of_function
@tf.custom_gradient
def g(x):
    @tf.function
    def inner(x):
        return tf.sin(x)
    return inner(x), lambda d: d * 100.0
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = g(x)
print(tape.gradient(y, x))

# --- straight_through
@tf.function
def quantize(x):
    return x + tf.stop_gradient(tf.round(x) - x)
x = tf.constant([0.4, 1.6])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = quantize(x) ** 2
print(y, tape.gradient(y, x))

# --- indexed_slices_argument
@tf.function
def f(s):
    return tf.convert_to_tensor(s) * 2.0, s.values
print(f(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))))

# --- function_returning_indexed_slices
@tf.function
def f(v, i):
    return tf.IndexedSlices(v * 2.0, i, tf.constant([4]))
r = f(tf.constant([1.0]), tf.constant([2]))
print(type(r).__name__, r.values, r.indices, r.dense_shape)

# --- gradient_through_identity_of_variable_argument
@tf.function
def f(v):
    return v.read_value() ** 2
v = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(v)
print(tape.gradient(y, v))

# --- same_variable_as_argument_and_capture
v = tf.Variable(3.0)
@tf.function
def f(w):
    w.assign_add(1.0)
    return v * w
with tf.GradientTape() as tape:
    y = f(v)
print(y, tape.gradient(y, v), v.numpy())

# --- large_unrolled
@tf.function
def f(x):
    for i in range(200):
        x = tf.sin(x) + tf.cos(x * 0.5)
    return x
x = tf.constant([0.1, 0.2])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- conv_and_pool
@tf.function
def f(x, k):
    y = tf.nn.conv2d(x, k, 1, "SAME")
    return tf.reduce_sum(tf.nn.max_pool2d(tf.nn.relu(y), 2, 2, "VALID"))
x = tf.reshape(tf.range(16.0), [1, 4, 4, 1]) / 16.0
k = tf.Variable(tf.reshape(tf.range(9.0), [3, 3, 1, 1]) / 9.0)
with tf.GradientTape() as tape:
    y = f(x, k)
print(y, tape.gradient(y, k)[:, :, 0, 0])

# --- softmax_cross_entropy
@tf.function
def loss(logits, labels):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
x = tf.constant([[1.0, 2.0, 3.0], [1.0, 0.0, 0.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = loss(x, tf.constant([2, 0]))
print(y, tape.gradient(y, x))

# --- embedding_lookup_training
e = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]))
@tf.function
def step(ids):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(e, ids) ** 2)
    g = tape.gradient(loss, e)
    e.scatter_sub(tf.IndexedSlices(0.1 * g.values, g.indices))
    return loss
print(step(tf.constant([0, 2, 2])), e.numpy())

# --- gradients_through_slices_and_concat
@tf.function
def f(x):
    a, b = x[:2], x[2:]
    y = tf.concat([a * 2.0, b ** 2], 0)
    return y[::2], tf.reverse(y, [0])[0]
x = tf.constant([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    p, q = f(x)
    s = tf.reduce_sum(p) + q
print(tape.gradient(s, x))

# --- function_in_vectorized_map_with_gradient
@tf.function
def loss(w, x):
    return tf.reduce_sum(tf.sin(w * x))
w = tf.constant([1.0, 2.0])
X = tf.constant([[1.0, 2.0], [3.0, 4.0]])
def per(x):
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = loss(w, x)
    return tape.gradient(y, w)
print(tf.vectorized_map(per, X))

# --- jacobian_unknown_rows
@tf.function(input_signature=[tf.TensorSpec([None])])
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 2 * tf.reduce_sum(x)
    return tape.jacobian(y, x)
print(f(tf.constant([1.0, 2.0])), f(tf.constant([1.0, 2.0, 3.0])).shape)

# --- jacobian_without_pfor_inside
@tf.function
def f(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x ** 2 * tf.reduce_sum(x)
    return tape.jacobian(y, x, experimental_use_pfor=False)
print(f(tf.constant([1.0, 2.0])))

# --- nested_loops_with_arrays
@tf.function
def f(n):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    k = 0
    for i in tf.range(n):
        for j in tf.range(i + 1):
            out = out.write(k, tf.cast(i * 10 + j, tf.float32))
            k += 1
    return out.stack()
print(f(tf.constant(3)))

# --- array_written_in_inner_loop_gradient
@tf.function
def f(x, n):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    k = 0
    for i in tf.range(n):
        for j in tf.range(2):
            out = out.write(k, x * tf.cast(i + j, tf.float32))
            k += 1
    return tf.reduce_sum(out.stack() ** 2)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.constant(3))
print(y, tape.gradient(y, x))

# --- array_conditionally_written
@tf.function
def f(xs):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    n = 0
    for x in xs:
        if tf.reduce_sum(x) > 0:
            kept = kept.write(n, x)
            n += 1
    return kept.stack(), n
print(f(tf.constant([[1.0, 2.0], [-5.0, 1.0], [0.5, 0.5]])))

# --- loops_take_lists_for_tuples
import collections
Pair = collections.namedtuple("Pair", "a b")
loop = lambda body, start: tf.while_loop(lambda i, *rest: i < 2, body, start)
for inside in (lambda f: f, tf.function):
    print(outcome(inside(lambda: loop(lambda i, s: (i + 1, [s[0] + 1, s[1]]), (0, (1.0, 2.0))))))
    print(outcome(inside(lambda: loop(lambda i, s: (i + 1, (s[0] + 1, s[1])), (0, [1.0, 2.0])))))
    print(outcome(inside(lambda: loop(lambda i, s: (i + 1, (s[0] + 1, s[1])), (0, Pair(1.0, 2.0))))))
    print(outcome(inside(lambda: loop(lambda i, s: [i + 1, Pair(s[0] + 1, s[1])], (0, (1.0, 2.0))))))
    print(outcome(inside(lambda: loop(lambda i, s: (i + 1, (s[0],)), (0, (1.0, 2.0))))))
