"""The cases of `eager.py` for tapeflow and TensorFlow: the same lines serve both."""

import numpy as np


def cases(tf):
    """A dict from case to a function of no arguments that does one step of it."""
    return {
        "multiply": multiply(tf),
        "cube": cube(tf),
        "sines": sines(tf),
        "regression": regression(tf),
        "mlp": mlp(tf),
    }


def multiply(tf):
    a, b = tf.constant(3.0), tf.constant(4.0)
    return lambda: a * b


def cube(tf):
    x = tf.Variable(3.0)

    def step():
        with tf.GradientTape() as tape:
            y = x**3
        return tape.gradient(y, x)

    return step


def sines(tf):
    x = tf.Variable(0.5)

    def step():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(100):
                y = tf.sin(y)
        return tape.gradient(y, x)

    return step


def regression(tf):
    x_data = tf.constant([1.0, 2.0, 3.0, 4.0])
    y_data = tf.constant([5.0, 8.0, 11.0, 14.0])
    W = tf.Variable(0.0)
    b = tf.Variable(0.0)
    learning_rate = 0.01

    def step():
        with tf.GradientTape() as tape:
            y_pred = W * x_data + b
            loss = tf.reduce_mean(tf.square(y_data - y_pred))
        gradients = tape.gradient(loss, [W, b])
        W.assign_sub(learning_rate * gradients[0])
        b.assign_sub(learning_rate * gradients[1])
        return W

    return step


def mlp(tf):
    rng = np.random.default_rng(0)
    x = tf.constant(rng.random((64, 784), np.float32))
    labels = tf.constant(rng.integers(0, 10, 64), tf.int32)
    w1 = tf.Variable(rng.standard_normal((784, 128)).astype("f") * 0.05)
    b1 = tf.Variable(tf.zeros(128))
    w2 = tf.Variable(rng.standard_normal((128, 10)).astype("f") * 0.1)
    b2 = tf.Variable(tf.zeros(10))
    parameters = [w1, b1, w2, b2]

    def step():
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
            logits = tf.matmul(hidden, w2) + b2
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
        for parameter, gradient in zip(parameters, tape.gradient(loss, parameters)):
            parameter.assign_sub(0.01 * gradient)
        return w2

    return step
