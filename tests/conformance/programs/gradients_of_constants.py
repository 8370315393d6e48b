# tf.gradients inside a function, of what is constant there.

# --- chains
@tf.function
def f():
    a = tf.constant(0.5)
    b = 2 * a
    return tf.gradients(a + b, [a, b])
print(f())
@tf.function
def g():
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    c = tf.sin(a) * b
    d = tf.reduce_sum(c * c)
    return tf.gradients(d, [a, b, c]), tf.gradients(c, a), tf.gradients([c, d], b, stop_gradients=[a])
print(g())

# --- unconnected
@tf.function
def f(x):
    a = tf.constant(1.0)
    b = a * 3.0
    return tf.gradients(b, x), tf.gradients(b, x, unconnected_gradients="zero"), tf.gradients(x * 2.0, x), tf.gradients(b * b, a)
print(f(tf.constant(2.0)))

# --- weights
@tf.function
def f():
    a = tf.ones([1, 2])
    b = tf.ones([3, 1])
    g = tf.gradients([b], [a], unconnected_gradients="none")
    h = tf.gradients([b], [a], unconnected_gradients="zero")
    return g, h
print(f())
@tf.function
def g():
    a = tf.constant(0.0)
    b = 2 * a
    return tf.gradients(a + b, [a, b], stop_gradients=[a, b])
print(g())

# --- in_a_loop_of_what_is_outside
@tf.function
def f(x):
    y = x * x
    def body(i, total):
        return i + 1, total + tf.gradients(tf.gather(y, i, axis=1) * tf.cast(i + 1, tf.float32), x)[0]
    return tf.while_loop(lambda i, _: i < 2, body, (0, tf.zeros([2, 3])))[1]
print(f(tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])))
@tf.function
def g(x):
    y = tf.sin(x)
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.gradients(y * y, [x, y]), lambda: [x, y])
print(g(tf.constant([1.0, 2.0])))

# --- in_a_loop_of_a_graph
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.reshape(x ** 3.0, [2, 2])
    def body(i, array):
        return i + 1, array.write(i, tf.gradients(y[..., i], x)[0])
    rows = tf.while_loop(lambda i, _: i < 2, body, (0, tf.TensorArray(tf.float32, 2)))[1].stack()
    print(session.run(rows))
    def sines(i, total):
        return i + 1, total + tf.gradients(tf.sin(x), x)[0]
    print(session.run(tf.while_loop(lambda i, _: i < 2, sines, (0, tf.zeros([2, 2])))[1]))
    print(session.run(tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.gradients(y * y, x)[0], lambda: x)))
