# ForwardAccumulator: directional derivatives, nesting, mixing with tapes.

# --- square
x = tf.constant(3.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = x * x
print(acc.jvp(y))

# --- direction
x = tf.constant([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, -1.0])
with tf.autodiff.ForwardAccumulator(x, v) as acc:
    y = tf.reduce_sum(x ** 2)
    z = tf.sin(x)
print(acc.jvp(y), acc.jvp(z))

# --- variable_primal
v = tf.Variable([1.0, 2.0])
with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 10.0])) as acc:
    y = v ** 3
print(acc.jvp(y))

# --- several_primals
a, b = tf.constant(2.0), tf.constant(3.0)
with tf.autodiff.ForwardAccumulator([a, b], [tf.constant(1.0), tf.constant(0.5)]) as acc:
    y = a * b
print(acc.jvp(y))

# --- nested_primals_structure
p = {"a": tf.constant(2.0), "b": [tf.constant(3.0)]}
t = {"a": tf.constant(1.0), "b": [tf.constant(1.0)]}
with tf.autodiff.ForwardAccumulator(p, t) as acc:
    y = p["a"] ** 2 * p["b"][0]
print(acc.jvp(y))

# --- jvp_of_structure
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    outs = {"sq": x * x, "other": [tf.exp(x), tf.constant(1.0)]}
print(acc.jvp(outs))

# --- unconnected_is_none
x, y = tf.constant(2.0), tf.constant(3.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    z = y * y
print(acc.jvp(z), acc.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO))

# --- unconnected_zero_string
x = tf.constant([2.0, 1.0])
with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
    z = tf.constant([1.0, 2.0, 3.0]) * 2
print(acc.jvp(z, unconnected_gradients="zero"))

# --- jvp_of_primal_itself
x = tf.constant([2.0, 1.0])
with tf.autodiff.ForwardAccumulator(x, tf.constant([5.0, 6.0])) as acc:
    pass
print(acc.jvp(x))

# --- jvp_inside_the_context
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = x ** 3
    print(acc.jvp(y))

# --- after_the_context_is_not_tracked
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = x ** 3
z = y * 2
print(acc.jvp(y), acc.jvp(z))

# --- primal_listed_twice
x = tf.constant(2.0)
tf.autodiff.ForwardAccumulator([x, x], [tf.constant(1.0), tf.constant(1.0)])

# --- tangent_of_wrong_dtype
x = tf.constant([2.0, 1.0])
print(outcome(lambda: tf.autodiff.ForwardAccumulator(x, tf.constant([1, 1]))))

# --- integer_primal
x = tf.constant(3)
print(outcome(lambda: tf.autodiff.ForwardAccumulator(x, tf.constant(1)).jvp(x)))

# --- second_derivative_nested
x = tf.constant(2.0)
one = tf.constant(1.0)
with tf.autodiff.ForwardAccumulator(x, one) as outer:
    with tf.autodiff.ForwardAccumulator(x, one) as inner:
        y = x ** 4
    d1 = inner.jvp(y)
d2 = outer.jvp(d1)
print(d1, d2)

# --- forward_over_reverse
x = tf.constant([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, 2.0])
with tf.autodiff.ForwardAccumulator(x, v) as acc:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x ** 3) + x[0] * x[2]
    g = tape.gradient(y, x)
print(g, acc.jvp(g))

# --- reverse_over_forward
x = tf.constant([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        y = tf.reduce_sum(x ** 3) + x[0] * x[2]
    d = acc.jvp(y)
print(d, tape.gradient(d, x))

# --- matmul
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
da = tf.constant([[1.0, 0.0], [0.0, 0.0]])
with tf.autodiff.ForwardAccumulator(a, da) as acc:
    y = a @ a
print(acc.jvp(y))

# --- dense_layer
x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
targets = tf.constant([[1.0], [-1.0]])
w = tf.Variable([[0.5], [0.25]])
with tf.autodiff.ForwardAccumulator(w, tf.constant([[1.0], [0.0]])) as acc:
    loss = tf.reduce_sum((targets - x @ w) ** 2)
print(loss, acc.jvp(loss))

# --- assign_keeps_tangent
v = tf.Variable(2.0)
with tf.autodiff.ForwardAccumulator(v, tf.constant(1.0)) as acc:
    a = v * v
    v.assign(5.0)
    b = v * v
print(acc.jvp(a), acc.jvp(b))

# --- sign_and_round
x = tf.constant(1.5)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    outs = [tf.round(x), tf.floor(x), tf.stop_gradient(x), tf.cast(x, tf.int32)]
print([acc.jvp(o) for o in outs])

# --- sign_is_none
x = tf.constant(1.5)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = tf.sign(x)
print(acc.jvp(y))

# --- custom_gradient_is_ignored
@tf.custom_gradient
def f(x):
    return x * x, lambda d: d * 1000.0
x = tf.constant(3.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = f(x)
print(acc.jvp(y))

# --- elementwise_functions
x = tf.constant([0.3, 0.7])
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0])) as acc:
    outs = [tf.exp(x), tf.math.log(x), tf.tanh(x), tf.sigmoid(x), tf.sqrt(x), tf.sin(x), tf.cos(x), tf.nn.relu(x - 0.5), 1 / x, x ** 1.5, tf.abs(x), tf.nn.softplus(x)]
for o in outs:
    print(acc.jvp(o))

# --- array_functions
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
t = tf.constant([[1.0, 0.0], [0.0, 10.0]])
with tf.autodiff.ForwardAccumulator(x, t) as acc:
    outs = [tf.transpose(x), tf.reshape(x, [-1]), x[0], x[:, 1], tf.concat([x, x], 1), tf.reduce_sum(x, 0), tf.reduce_max(x, 1), tf.gather(x, [1, 1]), tf.stack([x, 2 * x])[1], tf.pad(x, [[0, 0], [1, 0]])]
for o in outs:
    print(acc.jvp(o))

# --- softmax
x = tf.constant([0.1, 0.2, 0.7])
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0, 0.0])) as acc:
    y = tf.nn.softmax(x)
print(acc.jvp(y))

# --- broadcast
a, b = tf.constant(2.0), tf.constant([1.0, 2.0, 3.0])
with tf.autodiff.ForwardAccumulator(a, tf.constant(1.0)) as acc:
    y = a * b + a
print(acc.jvp(y))

# --- reset_by_new_accumulators
x = tf.constant([1.0, 2.0])
rows = []
for i in range(2):
    with tf.autodiff.ForwardAccumulator(x, tf.one_hot(i, 2)) as acc:
        y = tf.stack([x[0] * x[1], x[0] ** 2])
    rows.append(acc.jvp(y))
print(tf.stack(rows, axis=1))

# --- python_control_flow
x = tf.constant(3.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = x
    while y < 50:
        y = y * x
print(y, acc.jvp(y))

# --- where_and_maximum
x = tf.constant([-1.0, 2.0])
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 1.0])) as acc:
    a = tf.where(x > 0, x ** 2, -x)
    b = tf.maximum(x, 0.5)
print(acc.jvp(a), acc.jvp(b))

# --- same_as_reverse_dot
x = tf.constant([0.5, -0.2, 0.8])
v = tf.constant([0.1, 0.2, 0.3])
def f(x):
    return tf.reduce_sum(tf.tanh(x) * tf.exp(-x ** 2))
with tf.autodiff.ForwardAccumulator(x, v) as acc:
    y = f(x)
with tf.GradientTape() as tape:
    tape.watch(x)
    z = f(x)
print(acc.jvp(y), tf.reduce_sum(tape.gradient(z, x) * v))

# --- mixed_accumulators_independent
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as a1:
    with tf.autodiff.ForwardAccumulator(x, tf.constant(3.0)) as a2:
        y = x ** 2
print(a1.jvp(y), a2.jvp(y))

# --- float64
x = tf.constant(0.5, tf.float64)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0, tf.float64)) as acc:
    y = tf.math.erf(x)
print(acc.jvp(y))

# --- tangent_as_python_number
x = tf.constant(2.0)
print(outcome(lambda: tf.autodiff.ForwardAccumulator(x, 1.0).jvp(x)))

# --- reenter_is_an_error
x = tf.constant(2.0)
acc = tf.autodiff.ForwardAccumulator(x, tf.constant(1.0))
with acc:
    with acc:
        pass

# --- std_at_equal_values
x = tf.constant([[0.0, 1.0], [0.0, 3.0]])
with tf.autodiff.ForwardAccumulator(x, tf.ones([2, 2])) as acc:
    y = tf.math.reduce_std(x, axis=0)
print(y, acc.jvp(y))
