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
