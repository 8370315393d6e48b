# Gradients through and inside tf.function: any order, control flow, forward mode, jacobians.

# --- tape_outside_two_arguments
@tf.function
def f(x, y):
    return x ** 2 * tf.sin(y)
x, y = tf.constant(2.0), tf.constant(0.5)
with tf.GradientTape() as tape:
    tape.watch([x, y])
    z = f(x, y)
print(tape.gradient(z, [x, y]))

# --- tape_outside_some_watched
@tf.function
def f(x, y):
    return x * y, x + y
x, y = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(y)
    a, b = f(x, y)
print(tape.gradient([a, b], [x, y]))

# --- tape_outside_one_of_two_results
@tf.function
def f(x):
    return x ** 2, x ** 3
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a, b = f(x)
print(tape.gradient(b, x))

# --- tape_outside_integer_result
@tf.function
def f(x):
    return x * 2, tf.cast(x, tf.int32), tf.shape(x)
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    a, b, c = f(x)
print(a, b, c, tape.gradient(a, x))

# --- tape_outside_structure
@tf.function
def f(d):
    return {"s": d["a"] * d["b"][0], "t": d["b"][1]}
d = {"a": tf.constant(2.0), "b": [tf.constant(3.0), tf.constant(4.0)]}
with tf.GradientTape() as tape:
    tape.watch(d)
    r = f(d)
print(tape.gradient(r, d))

# --- none_through_function
@tf.function
def f(x, y):
    return tf.round(x) * 2.0, tf.stop_gradient(y)
x, y = tf.Variable(1.5), tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    a, b = f(x, y)
print(tape.gradient(a, x), tape.gradient(b, y), tape.gradient([a, b], [x, y], unconnected_gradients="zero"))

# --- variables_captured
v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
@tf.function
def f(x):
    return tf.reduce_sum(v * x) * w
x = tf.constant([3.0, 4.0])
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, [v, w]), [one is v or one is w for one in tape.watched_variables()])

# --- non_trainable_variable
v = tf.Variable(2.0, trainable=False)
@tf.function
def f():
    return v * 3.0
with tf.GradientTape() as tape:
    y = f()
print(tape.gradient(y, v))
with tf.GradientTape() as tape:
    tape.watch(v)
    y = f()
print(tape.gradient(y, v))

# --- captured_tensor_watched
c = tf.constant(3.0)
@tf.function
def f(x):
    return x * c ** 2
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    y = f(x)
print(tape.gradient(y, c))

# --- captured_tensor_of_a_tape
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    k = x * 5.0
    @tf.function
    def f(y):
        return y * k
    z = f(x)
print(tape.gradient(z, x))

# --- third_order
@tf.function
def f(x):
    return tf.exp(2.0 * x) + x ** 4
x = tf.Variable(0.5)
with tf.GradientTape() as t3:
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = f(x)
        g1 = t1.gradient(y, x)
    g2 = t2.gradient(g1, x)
print(y, g1, g2, t3.gradient(g2, x))

# --- second_order_mixed_variables
v, w = tf.Variable(2.0), tf.Variable(3.0)
@tf.function
def f():
    return v ** 2 * w ** 3
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        y = f()
    gv, gw = inner.gradient(y, [v, w])
print(outer.gradient(gv, [v, w]), outer.gradient(gw, [v, w]))

# --- inner_tape_inside_outer_outside
@tf.function
def grad(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    return tape.gradient(y, x)
x = tf.constant([0.5, 1.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    g = grad(x)
print(g, tape.gradient(g, x))

# --- persistent_tape_inside
@tf.function
def f(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x ** 2
        z = y ** 2
    return tape.gradient(y, x), tape.gradient(z, x), tape.gradient(z, y)
print(f(tf.constant(3.0)))

# --- tape_inside_with_output_gradients
@tf.function
def f(x, s):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 2
    return tape.gradient(y, x, output_gradients=s)
print(f(tf.constant([1.0, 2.0]), tf.constant([10.0, 100.0])))

# --- tape_inside_unconnected
@tf.function
def f(x, y):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * 2.0
    return tape.gradient(z, y, unconnected_gradients=tf.UnconnectedGradients.ZERO), tape.gradient(z, y) is None
print(f(tf.constant(1.0), tf.constant([2.0, 3.0])))

# --- tape_inside_used_twice
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)
print(outcome(lambda: f(tf.constant(1.0))))

# --- tape_around_call_of_inner_function
@tf.function
def inner(x):
    return x ** 3
@tf.function
def outer(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = inner(x) * 2.0
    return y, tape.gradient(y, x)
print(outer(tf.constant(2.0)))

# --- nested_functions_second_order
@tf.function
def f(x):
    return x ** 3
@tf.function
def df(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
@tf.function
def ddf(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = df(x)
    return tape.gradient(y, x)
print(f(tf.constant(2.0)), df(tf.constant(2.0)), ddf(tf.constant(2.0)))

# --- tf_gradients
@tf.function
def f(x, y):
    z = x ** 2 * y
    return tf.gradients(z, [x, y])
print(f(tf.constant(2.0), tf.constant(3.0)))

# --- tf_gradients_single_source
@tf.function
def f(x):
    return tf.gradients(x ** 3, x), tf.gradients([x ** 2, x], x), tf.gradients(x ** 2, x, grad_ys=tf.constant(10.0))
print(f(tf.constant(2.0)))

# --- tf_gradients_unconnected
@tf.function
def f(x, y):
    return tf.gradients(x * 2.0, [y], unconnected_gradients="zero")
@tf.function
def g(x, y):
    return tf.gradients(x * 2.0, [y]), tf.gradients(tf.stop_gradient(x), x)
print(f(tf.constant(1.0), tf.constant([1.0, 2.0])), g(tf.constant(1.0), tf.constant(2.0)))

# --- tf_gradients_stop_gradients
@tf.function
def f(x):
    y = x * 2.0
    z = x + y
    return tf.gradients(z, [x, y]), tf.gradients(z, [x, y], stop_gradients=[x, y])
print(f(tf.constant(1.0)))

# --- tf_gradients_of_variable
v = tf.Variable([1.0, 2.0])
@tf.function
def f(x):
    return tf.gradients(tf.reduce_sum(v * v * x), v)
print(f(tf.constant(3.0)))

# --- tf_gradients_higher_order
@tf.function
def f(x):
    y = x ** 4
    (g,) = tf.gradients(y, x)
    (h,) = tf.gradients(g, x)
    return g, h, tf.gradients(h, x)
print(f(tf.constant(2.0)))

# --- tf_gradients_intermediate
@tf.function
def f(x):
    a = tf.sin(x)
    b = a * a
    return tf.gradients(b, [a, x])
print(f(tf.constant(0.5)))

# --- tf_gradients_eagerly
# phrase: tf.gradients is not supported when eager execution is enabled
x = tf.constant(1.0)
tf.gradients(x * x, x)

# --- tf_hessians
@tf.function
def f(x):
    y = tf.reduce_sum(x ** 3) + x[0] * x[1]
    return tf.hessians(y, x)
print(f(tf.constant([1.0, 2.0])))

# --- tf_hessians_several
@tf.function
def f(x, m):
    y = tf.reduce_sum(x ** 2) * tf.reduce_sum(m ** 2)
    return tf.hessians(y, [x, m])
print(f(tf.constant([1.0, 2.0]), tf.constant([[1.0], [3.0]])))

# --- while_loop_power
@tf.function
def f(x, n):
    y = tf.ones_like(x)
    i = tf.constant(0)
    while i < n:
        y = y * x
        i += 1
    return y
x = tf.constant(2.0)
for n in (0, 1, 3):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(n))
    print(y, tape.gradient(y, x))

# --- while_loop_second_order
@tf.function
def f(x, n):
    y = x
    for _ in tf.range(n):
        y = tf.sin(y) * x
    return y
x = tf.constant(1.3)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = f(x, tf.constant(3))
    g = inner.gradient(y, x)
print(y, g, outer.gradient(g, x))

# --- while_loop_two_carries
@tf.function
def f(a, b, n):
    for _ in tf.range(n):
        a, b = a * b, a + b
    return a, b
a, b = tf.constant(1.5), tf.constant(0.5)
with tf.GradientTape(persistent=True) as tape:
    tape.watch([a, b])
    c, d = f(a, b, tf.constant(3))
print(c, d, tape.gradient(c, [a, b]), tape.gradient(d, [a, b]))

# --- while_loop_captured_variable
w = tf.Variable([[0.5, 0.1], [0.2, 0.3]])
@tf.function
def f(x, n):
    for _ in tf.range(n):
        x = tf.tanh(tf.linalg.matvec(w, x))
    return tf.reduce_sum(x)
with tf.GradientTape() as tape:
    y = f(tf.constant([1.0, -1.0]), tf.constant(4))
print(y, tape.gradient(y, w))

# --- while_loop_gradient_inside
@tf.function
def f(x, n):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in tf.range(n):
            y = y * x
    return tape.gradient(y, x)
print(f(tf.constant(2.0), tf.constant(2)), f(tf.constant(2.0), tf.constant(4)))

# --- tape_inside_while_loop
@tf.function
def descend(x, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = (x - 3.0) ** 2
        x = x - 0.1 * tape.gradient(y, x)
    return x
print(descend(tf.constant(0.0), tf.constant(10)))

# --- tape_inside_loop_outer_gradient
@tf.function
def descend(x, rate, n):
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x ** 4 + x
        x = x - rate * tape.gradient(y, x)
    return x
rate, x = tf.constant(0.01), tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch([rate, x])
    end = descend(x, rate, tf.constant(3))
print(end, tape.gradient(end, [rate, x]))

# --- loop_with_branch_gradient
@tf.function
def f(x):
    y = tf.constant(0.0)
    for v in x:
        if v > 0:
            y += v ** 2
        else:
            y += 3.0 * v
    return y
x = tf.constant([1.0, -2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- loop_with_break_gradient
@tf.function
def f(x):
    y = x
    for i in tf.range(10):
        y = y * x
        if y > 20.0:
            break
    return y
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- nested_loops_gradient
@tf.function
def f(x, n):
    total = tf.constant(0.0)
    for i in tf.range(n):
        y = x
        for j in tf.range(i):
            y = y * x
        total += y
    return total
x = tf.constant(1.5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.constant(4))
print(y, tape.gradient(y, x))

# --- rnn_with_tensor_array
w, u = tf.Variable([[0.1, 0.2], [0.3, 0.4]]), tf.Variable([[0.5, -0.5], [0.25, 0.1]])
@tf.function
def rnn(xs):
    h = tf.zeros([1, 2])
    out = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
    for t in tf.range(tf.shape(xs)[0]):
        h = tf.tanh(xs[t] @ w + h @ u)
        out = out.write(t, h)
    return out.stack()
xs = tf.reshape(tf.range(6.0), [3, 1, 2])
with tf.GradientTape() as tape:
    ys = rnn(xs)
    loss = tf.reduce_sum(ys ** 2)
print(ys.shape, loss, tape.gradient(loss, [w, u]))

# --- tensor_array_unstack_read_gradient
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=3).unstack(x)
    y = tf.constant(1.0)
    for i in tf.range(3):
        y = y * ta.read(i)
    return y
x = tf.constant([2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- tensor_array_concat_gradient
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    ta = ta.write(0, x * 2.0)
    ta = ta.write(1, x ** 2)
    return ta.concat()
x = tf.constant([1.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- cond_gradient
@tf.function
def f(x, y):
    return tf.cond(x > y, lambda: x * y, lambda: x - y)
x, y = tf.constant(2.0), tf.constant(3.0)
for a, b in ((x, y), (y, x)):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        z = f(a, b)
    print(z, tape.gradient(z, [a, b]))

# --- cond_second_order
@tf.function
def f(x):
    return tf.cond(x > 0, lambda: x ** 3, lambda: x ** 2)
for v in (2.0, -2.0):
    x = tf.constant(v)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    print(g, outer.gradient(g, x))

# --- switch_case_gradient
@tf.function
def f(i, x):
    return tf.switch_case(i, [lambda: x, lambda: x ** 2, lambda: tf.sin(x)])
x = tf.constant(2.0)
for i in (0, 1, 2, 7):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(tf.constant(i), x)
    print(y, tape.gradient(y, x))

# --- map_fn_gradient
@tf.function
def f(x, w):
    return tf.map_fn(lambda v: tf.sin(v) * w, x)
x, w = tf.constant([1.0, 2.0, 3.0]), tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([x, w])
    y = f(x, w)
print(y, tape.gradient(y, [x, w]))

# --- scan_gradient
@tf.function
def f(x):
    return tf.scan(lambda a, v: a * v, x, initializer=tf.constant(1.0))
x = tf.constant([2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- foldl_foldr_gradient
@tf.function
def f(x):
    return tf.foldl(lambda a, v: a * 2.0 + v, x), tf.foldr(lambda a, v: a * v, x, initializer=tf.constant(2.0))
x = tf.constant([2.0, 3.0, 4.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    a, b = f(x)
print(a, b, tape.gradient(a, x), tape.gradient(b, x))

# --- unknown_length_map_fn
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    return tf.map_fn(lambda r: tf.reduce_sum(r ** 2), x)
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x), f(tf.zeros([0, 2])))

# --- unknown_sizes_matmul_gradient
w = tf.Variable([[1.0], [2.0]])
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    return tf.reduce_mean((x @ w) ** 2)
for x in (tf.ones([1, 2]), tf.ones([4, 2])):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(y, tape.gradient(y, [x, w]))

# --- unknown_sizes_broadcast_gradient
@tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None])])
def f(x, b):
    return (x + b) * b
for x, b in ((tf.ones([2, 3]), tf.constant([1.0, 2.0, 3.0])), (tf.ones([2, 3]), tf.constant([2.0])), (tf.ones([2, 1]), tf.constant([1.0, 2.0]))):
    with tf.GradientTape() as tape:
        tape.watch([x, b])
        y = f(x, b)
    print(tape.gradient(y, [x, b]))

# --- custom_gradient_with_captured
@tf.custom_gradient
def clip(x):
    def grad(g):
        return tf.clip_by_value(g, -1.0, 1.0)
    return tf.identity(x), grad
@tf.function
def f(x):
    return clip(x) * 10.0
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(tape.gradient(y, x))

# --- custom_gradient_second_order
@tf.custom_gradient
def cube(x):
    def grad(g):
        return g * 3.0 * x ** 2
    return x ** 3, grad
@tf.function
def f(x):
    return cube(x)
x = tf.constant(2.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = f(x)
    g = inner.gradient(y, x)
print(y, g, outer.gradient(g, x))

# --- custom_gradient_inside_tape_inside
@tf.custom_gradient
def double(x):
    return x * 2.0, lambda g: g * 100.0
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = double(x) * x
    return y, tape.gradient(y, x)
print(f(tf.constant(3.0)))

# --- custom_gradient_with_variables
w = tf.Variable(3.0)
@tf.custom_gradient
def layer(x):
    def grad(g, variables=None):
        return g * 7.0, [g * 11.0 for _ in variables]
    return x * w, grad
@tf.function
def f(x):
    return layer(x)
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, [x, w]))

# --- custom_gradient_in_loop
@tf.custom_gradient
def step(x):
    return x + 1.0, lambda g: g * 2.0
@tf.function
def f(x, n):
    for _ in tf.range(n):
        x = step(x)
    return x
x = tf.constant(0.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.constant(4))
print(y, tape.gradient(y, x))

# --- recompute_grad_in_function
w = tf.Variable([1.0, 2.0])
@tf.function
def f(x):
    block = tf.recompute_grad(lambda z: tf.sin(z) * w)
    return tf.reduce_sum(block(x) ** 2)
x = tf.constant([0.5, 1.5])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, [x, w]))

# --- grad_pass_through_in_function
@tf.function
def f(x):
    return tf.grad_pass_through(tf.round)(x) ** 2
x = tf.constant([1.4, 2.6])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- stop_recording_inside
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * 10.0
        w = y + z
    return tape.gradient(w, x)
print(f(tf.constant(3.0)))

# --- forward_accumulator_inside
@tf.function
def f(x, t):
    with tf.autodiff.ForwardAccumulator(x, t) as acc:
        y = tf.sin(x) * x
    return y, acc.jvp(y)
print(f(tf.constant([1.0, 2.0]), tf.constant([1.0, 0.0])))

# --- forward_accumulator_through_loop
@tf.function
def f(x, n):
    y = x
    for _ in tf.range(n):
        y = y * x
    return y
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = f(x, tf.constant(3))
print(y, acc.jvp(y))

# --- forward_accumulator_through_cond
@tf.function
def f(x):
    if x > 0:
        return x ** 3
    return -x
for v in (2.0, -2.0):
    x = tf.constant(v)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    print(acc.jvp(y))

# --- forward_over_reverse
@tf.function
def f(x):
    return tf.reduce_sum(x ** 3)
x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, 1.0])
with tf.autodiff.ForwardAccumulator(x, v) as acc:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    g = tape.gradient(y, x)
print(g, acc.jvp(g))

# --- forward_accumulator_variables
v = tf.Variable([1.0, 2.0])
@tf.function
def f():
    return v * v
with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 10.0])) as acc:
    y = f()
print(acc.jvp(y))

# --- jacobian_through_function
w = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
@tf.function
def f(x):
    return tf.tanh(tf.linalg.matvec(w, x))
x = tf.constant([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(tape.jacobian(y, x))

# --- jacobian_inside_of_vector_function
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[1] ** 2, tf.sin(x[0])])
    return tape.jacobian(y, x)
print(f(tf.constant([2.0, 3.0])))

# --- batch_jacobian_inside
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[:, 0] * x[:, 1], x[:, 0] ** 2], axis=1)
    return tape.batch_jacobian(y, x)
print(f(tf.constant([[1.0, 2.0], [3.0, 4.0]])))

# --- batch_jacobian_unknown_batch
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 2 * tf.reverse(x, [1])
    return tape.batch_jacobian(y, x)
print(f(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))

# --- hessian_by_jacobian_inside
@tf.function
def hessian(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_prod(x)
        g = inner.gradient(y, x)
    return outer.jacobian(g, x)
print(hessian(tf.constant([1.0, 2.0, 3.0])))

# --- vectorized_map_inside
@tf.function
def f(x):
    return tf.vectorized_map(lambda r: tf.reduce_sum(r * r), x)
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- vectorized_map_of_gradients
w = tf.Variable([1.0, 2.0])
@tf.function
def per_example(x):
    def one(row):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * row) ** 2
        return tape.gradient(loss, w)
    return tf.vectorized_map(one, x)
print(per_example(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))

# --- vectorized_map_unknown_batch
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    return tf.vectorized_map(lambda r: r * tf.reduce_sum(r), x)
print(f(tf.constant([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]])))

# --- vectorized_map_of_a_function
@tf.function
def g(r):
    return tf.reduce_sum(r ** 2)
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.vectorized_map(g, x), tf.map_fn(g, x))

# --- gather_gradient_inside
v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
@tf.function
def f(i):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(v, i) ** 2)
    g = tape.gradient(y, v)
    return type(g).__name__ == "IndexedSlices", tf.convert_to_tensor(g)
print(f(tf.constant([0, 2, 2])))

# --- gather_gradient_returned_slices
v = tf.Variable([1.0, 2.0, 3.0])
@tf.function
def f(i):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(v, i))
    return tape.gradient(y, v)
g = f(tf.constant([0, 2]))
print(type(g).__name__, g.values, g.indices)

# --- sparse_update_inside
v = tf.Variable([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
@tf.function
def f(i):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.embedding_lookup(v, i) ** 2)
    v.assign_sub(tape.gradient(y, v))
f(tf.constant([0, 0, 2]))
print(v.numpy())

# --- assign_is_not_differentiated
v = tf.Variable(1.0)
@tf.function
def f(x):
    v.assign(x * 2.0)
    return v * x
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, [x, v]))

# --- gradient_uses_value_at_recording
v = tf.Variable(2.0)
@tf.function
def f():
    return v * v
with tf.GradientTape() as tape:
    y = f()
v.assign(100.0)
print(tape.gradient(y, v))

# --- update_between_reads
v = tf.Variable(2.0)
@tf.function
def f():
    with tf.GradientTape(persistent=True) as tape:
        a = v * v
        v.assign(10.0)
        b = v * v
    return tape.gradient(a, v), tape.gradient(b, v)
print(f())

# --- complex_gradient
@tf.function
def f(z):
    return tf.math.real(z * z * tf.math.conj(z))
z = tf.constant(1.0 + 2.0j)
with tf.GradientTape() as tape:
    tape.watch(z)
    y = f(z)
print(y, tape.gradient(y, z))

# --- float64_and_float16
@tf.function
def f(x):
    return tf.reduce_sum(x ** 2) * 0.5
for dtype in (tf.float64, tf.float16):
    x = tf.constant([1.0, 2.0], dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    print(y, tape.gradient(y, x))

# --- many_operations
@tf.function
def f(x):
    for i in range(30):
        x = tf.sin(x) + 0.01 * i
    return x
x = tf.Variable(0.7)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- maml
w = tf.Variable(1.0)
@tf.function
def loss(w, x):
    return (w * x - 2.0) ** 2
@tf.function
def meta(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            first = loss(w, x)
        adapted = w - 0.1 * inner.gradient(first, w)
        second = loss(adapted, x)
    return outer.gradient(second, w)
print(meta(tf.constant(3.0)))

# --- gradient_penalty
w = tf.Variable([[0.5], [-0.3]])
@tf.function
def penalty(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.tanh(x @ w)
        g = inner.gradient(y, x)
        p = tf.reduce_mean((tf.norm(g, axis=1) - 1.0) ** 2)
    return p, outer.gradient(p, w)
print(penalty(tf.constant([[1.0, 2.0], [0.5, 0.1]])))

# --- physics_informed
@tf.function
def residual(x):
    with tf.GradientTape() as t2:
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            u = tf.sin(2.0 * x)
        du = t1.gradient(u, x)
    return t2.gradient(du, x) + 4.0 * u
print(residual(tf.constant([[0.1], [0.5]])))

# --- second_order_inside_loop
@tf.function
def loop2(x, n):
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as i:
            i.watch(x)
            y = x
            for _ in tf.range(n):
                y = tf.sin(y) * x
        g = i.gradient(y, x)
    return y, g, o.gradient(g, x)
print([float(v) for v in loop2(tf.constant(1.3), tf.constant(3))])

# --- second_order_inside_branch
@tf.function
def cond2(x):
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as i:
            i.watch(x)
            if x > 0:
                y = x ** 3
            else:
                y = x ** 2
        g = i.gradient(y, x)
    return y, g, o.gradient(g, x)
print([float(v) for v in cond2(tf.constant(1.3))])

# --- second_order_inside_loop_with_branch
@tf.function
def loopcond2(x, n):
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as i:
            i.watch(x)
            y = x
            for k in tf.range(n):
                if k % 2 == 0:
                    y = tf.sin(y) * x
                else:
                    y = y * y
        g = i.gradient(y, x)
    return y, g, o.gradient(g, x)
print([float(v) for v in loopcond2(tf.constant(1.3), tf.constant(3))])

# --- persistent_tape_around_loop
@tf.function
def pers(x, n):
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        y = x; z = tf.constant(1.0)
        for _ in tf.range(n):
            y, z = y * x, z + y
    return t.gradient(y, x), t.gradient(z, x), t.gradient([y, z], x)
print([float(v) for v in pers(tf.constant(1.3), tf.constant(3))])

# --- print_in_branch_under_tape_inside
import sys
@tf.function
def pr(x):
    with tf.GradientTape() as t:
        t.watch(x)
        if x > 0:
            tf.print("yes", output_stream=sys.stdout)
            y = x ** 3
        else:
            y = x
    return t.gradient(y, x)
print(float(pr(tf.constant(2.0))))

# --- print_in_loop_under_tape_inside
import sys
@tf.function
def pl(x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = x
        for i in tf.range(2):
            tf.print("turn", i, output_stream=sys.stdout)
            y = y * x
    return t.gradient(y, x)
print(float(pl(tf.constant(2.0))))

# --- print_under_two_tapes_outside
import sys
@tf.function
def plo(x):
    y = x
    for i in tf.range(2):
        tf.print("turn", i, output_stream=sys.stdout)
        y = y * x
    if y > 0:
        tf.print("pos", output_stream=sys.stdout)
        y = y * x
    return y
def outer():
    x = tf.constant(2.0)
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as t:
            t.watch(x)
            y = plo(x)
        g = t.gradient(y, x)
    return float(y), float(g), float(o.gradient(g, x))
print(outer())

# --- random_in_branch_gradient
tf.random.set_seed(3)
@tf.function
def rb(x):
    if x > 0:
        y = x * tf.random.uniform([], seed=1)
    else:
        y = x
    return y
def outer2():
    out = []
    for _ in range(3):
        x = tf.constant(1.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = rb(x)
        if _ != 1: out.append((float(y), float(t.gradient(y, x))))
    return out
print(outer2())

# --- random_in_loop_gradient
@tf.function
def rl(x):
    y = x
    for _ in tf.range(3):
        y = y * tf.random.uniform([], seed=1)
    return y
def outer3():
    out = []
    for _ in range(2):
        x = tf.constant(1.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = rl(x)
        out.append((float(y), float(t.gradient(y, x))))
    return out
print(outer3())

# --- assign_in_branch_gradient
v = tf.Variable(2.0)
@tf.function
def vb(x):
    with tf.GradientTape() as t:
        if x > 0:
            v.assign_add(1.0)
            y = v * x
        else:
            y = x
    return y, t.gradient(y, v)
print([float(a) for a in vb(tf.constant(2.0))] + [float(v)])

# --- assign_in_loop_gradient
w = tf.Variable(2.0)
@tf.function
def vl(x):
    with tf.GradientTape() as t:
        y = x
        for _ in tf.range(3):
            w.assign(w * 2.0)
            y = y + w * x
    return y, t.gradient(y, w)
print([float(a) for a in vl(tf.constant(2.0))] + [float(w)])

# --- growing_loop_gradient
@tf.function
def ragged(n):
    x = tf.ones([1])
    i = 0
    with tf.GradientTape() as t:
        t.watch(x)
        y = x
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
            y = tf.concat([y * 2.0, y ** 2], 0)
    return t.gradient(y, x), tf.size(y)
print([a.numpy().tolist() for a in ragged(tf.constant(3))])

# --- map_fn_second_order_unknown_length
@tf.function(input_signature=[tf.TensorSpec([None])])
def unk2(x):
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.reduce_sum(tf.map_fn(lambda a: tf.sin(a) * a, x) ** 2)
        g = t.gradient(y, x)
        s = tf.reduce_sum(g * g)
    return g, o.gradient(s, x)
print([a.numpy().round(4).tolist() for a in unk2(tf.constant([.1,.2]))])

# --- jacobian_of_loop_inside
@tf.function
def jac(x, n):
    with tf.GradientTape() as t:
        t.watch(x)
        y = x
        for _ in tf.range(n):
            y = tf.sin(y) * tf.reverse(x, [0])
    return t.jacobian(y, x)
print(jac(tf.constant([.1,.2]), tf.constant(2)).numpy().round(4).tolist())

# --- jacobian_of_branch_inside
@tf.function
def jacc(x):
    with tf.GradientTape() as t:
        t.watch(x)
        if x[0] > 0: y = x ** 2 * x[0]
        else: y = x
    return t.jacobian(y, x)
print(jacc(tf.constant([.1,.2])).numpy().round(4).tolist())

# --- forward_accumulator_inside_loop
@tf.function
def fwd(x, t, n):
    with tf.autodiff.ForwardAccumulator(x, t) as acc:
        y = x
        for _ in tf.range(n):
            y = tf.sin(y) * x
        if y > 0: y = y * x
    return acc.jvp(y)
print(float(fwd(tf.constant(1.2), tf.constant(1.0), tf.constant(2))))

# --- vectorized_map_of_loop_inside
@tf.function
def vm(x):
    def one(r):
        y = r
        for _ in tf.range(2):
            y = y * r
        return tf.cond(tf.reduce_sum(r) > 2.0, lambda: y, lambda: -y)
    return tf.vectorized_map(one, x)
print(vm(tf.constant([[1.,2.],[.1,.2]])).numpy().round(4).tolist())

# --- forward_accumulator_unknown_sizes
@tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
def f(x, c):
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
        y = (x + c) * x
        z = tf.reduce_sum(y)
    return acc.jvp([y, z])
print(f([2.0], [1.0, 2.0, 3.0]), f([1.0, 2.0], [3.0]))

# --- recompute_grad_reads_variables_when_the_gradient_runs
X = tf.constant(0.7)
def around(function, v, after, persistent=False):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(X)
        y = function(X)
    v.assign(after)
    show(y, *tape.gradient(y, [X, v]))
    if persistent:
        v.assign_add(1.0)
        show(*tape.gradient(y, [X, v]))
def show(*xs):
    print(*["%.4f" % x.numpy() for x in xs])
for wrap in (lambda f: f, tf.function):
    v = tf.Variable(2.0)
    block = tf.recompute_grad(lambda x: tf.sin(x) * v * v)
    around(wrap(lambda x: block(x)), v, 3.0, persistent=True)
    inner = wrap(lambda x: block(x))
    around(wrap(lambda x: inner(x) * v), v, 2.0)
    nested = tf.recompute_grad(lambda x: block(x) * v)
    around(wrap(lambda x: nested(x)), v, 5.0)
    def step(x):
        y = block(x)
        v.assign_add(1.0)
        return y + v * x
    around(wrap(step), v, 10.0)

# --- custom_gradient_reads_variables_when_it_runs
X = tf.constant(0.7)
for wrap in (lambda f: f, tf.function):
    v = tf.Variable(2.0)
    @tf.custom_gradient
    def scaled(x):
        w = v * 1.0
        def grad(g, variables=None):
            return g * w * v, [g * v]
        return x * w, grad
    function = wrap(lambda x: scaled(x))
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = function(X)
    v.assign(3.0)
    print(y.numpy(), *[g.numpy() for g in tape.gradient(y, [X, v])])
