"""The cases of `half.py` for tapeflow, TensorFlow and XLA: the same lines serve all.

A case is a model and a dtype, `mlp float16`: one training step of it. `mixed float16` keeps its
variables in float32, casts them for products, and scales the loss: the update is skipped if a
gradient is not finite, as Keras's LossScaleOptimizer does it.
"""

import numpy as np

MODELS = ("mlp", "lenet", "conv", "norm", "embedding", "mixed")
DTYPES = ("float32", "float16", "bfloat16")


def cases(tf, jit_compile=None):
    """A dict from case to a function that does one step of it; it is made when first asked for."""
    return {f"{model} {dtype}".replace(" ", "_"): Step(tf, model, dtype, jit_compile)
            for model in MODELS for dtype in DTYPES}


class Step:
    """A training step that is built at its first call."""

    def __init__(self, tf, model, dtype, jit_compile):
        self.how, self.function = (tf, model, dtype, jit_compile), None

    def __call__(self):
        if self.function is None:
            tf, model, dtype, jit_compile = self.how
            step = globals()[model](tf, dtype, np.random.default_rng(0))
            self.function = tf.function(step, jit_compile=jit_compile, autograph=False)
        return self.function()


def tensors(tf, dtype, rng):
    """Makers of constants and of variables of normal numbers."""
    def given(*shape, scale=1.0):
        return tf.cast(tf.constant((rng.standard_normal(shape) * scale).astype("f")), dtype)

    def variable(*shape, scale=0.1):
        return tf.Variable(given(*shape, scale=scale))

    return given, variable


def training(tf, weights, loss_of, rate=0.01):
    """One step of gradient descent."""
    def step():
        with tf.GradientTape() as tape:
            loss = loss_of()
        for w, g in zip(weights, tape.gradient(loss, weights)):
            w.assign_sub(tf.cast(rate, w.dtype) * g)
        return tf.cast(loss, tf.float32)

    return step


def classified(tf, labels, logits):
    logits = tf.cast(logits, tf.float32)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def mlp(tf, dtype, rng):
    given, variable = tensors(tf, dtype, rng)
    x, labels = given(64, 784), tf.constant(rng.integers(0, 10, 64))
    w = [variable(784, 256), variable(256), variable(256, 128), variable(128), variable(128, 10)]

    def loss():
        h = tf.nn.relu(x @ w[0] + w[1])
        return classified(tf, labels, tf.nn.relu(h @ w[2] + w[3]) @ w[4])

    return training(tf, w, loss)


def lenet(tf, dtype, rng):
    given, variable = tensors(tf, dtype, rng)
    x, labels = given(32, 28, 28, 1), tf.constant(rng.integers(0, 10, 32))
    w = [variable(5, 5, 1, 16), variable(5, 5, 16, 32), variable(7 * 7 * 32, 10, scale=0.03)]

    def loss():
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w[0], 1, "SAME")), 2, 2, "VALID")
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, w[1], 1, "SAME")), 2, 2, "VALID")
        return classified(tf, labels, tf.reshape(h, (32, -1)) @ w[2])

    return training(tf, w, loss)


def conv(tf, dtype, rng):
    given, variable = tensors(tf, dtype, rng)
    x = given(16, 32, 32, 32)
    w = [variable(3, 3, 32, 32), variable(3, 3, 32, 64)]

    def loss():
        h = tf.nn.relu(tf.nn.conv2d(x, w[0], 1, "SAME"))
        h = tf.nn.avg_pool2d(tf.nn.relu(tf.nn.conv2d(h, w[1], 2, "SAME")), 2, 2, "VALID")
        return tf.reduce_mean(tf.cast(h, tf.float32) ** 2)

    return training(tf, w, loss)


def norm(tf, dtype, rng):
    """Statistics in float32, as layers of mixed precision have them."""
    given, variable = tensors(tf, dtype, rng)
    x, w = given(256, 512), [variable(512), variable(512), variable(512, 512)]

    def loss():
        h = tf.cast(x @ w[2], tf.float32)
        mean, variance = tf.nn.moments(h, [-1], keepdims=True)
        h = (h - mean) * tf.math.rsqrt(variance + 1e-3)
        h = tf.cast(h, dtype) * w[0] + w[1]
        return tf.reduce_mean(tf.cast(h, tf.float32) ** 2)

    return training(tf, w, loss)


def embedding(tf, dtype, rng):
    given, variable = tensors(tf, dtype, rng)
    ids = tf.constant(rng.integers(0, 5000, (64, 32)))
    table, w = variable(5000, 64), variable(64, 8)

    def step():
        with tf.GradientTape() as tape:
            h = tf.reduce_mean(tf.gather(table, ids), 1) @ w
            loss = tf.reduce_mean(tf.cast(h, tf.float32) ** 2)
        rows, g = tape.gradient(loss, [table, w])
        rate = tf.cast(0.1, dtype)
        table.scatter_sub(tf.IndexedSlices(rate * rows.values, rows.indices))
        w.assign_sub(rate * g)
        return loss

    return step


def mixed(tf, dtype, rng):
    """Adam on float32 variables, with a scaled loss."""
    given, variable = tensors(tf, "float32", rng)
    x, labels = given(64, 784), tf.constant(rng.integers(0, 10, 64))
    weights = [variable(784, 256), variable(256, 128), variable(128, 10)]
    moments = [(tf.Variable(w * 0.0), tf.Variable(w * 0.0)) for w in weights]
    scale, count = tf.Variable(1024.0), tf.Variable(0)

    def forward():
        h = tf.cast(x, dtype)
        for w in weights[:-1]:
            h = tf.nn.relu(h @ tf.cast(w, dtype))
        return classified(tf, labels, h @ tf.cast(weights[-1], dtype))

    def update(gradients):
        for w, (m, v), g in zip(weights, moments, gradients):
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g * g)
            w.assign_sub(1e-3 * m / (tf.sqrt(v) + 1e-7))
        count.assign_add(1)
        return tf.constant(True)

    def smaller():
        scale.assign(scale * 0.5)
        return tf.constant(False)

    def step():
        with tf.GradientTape() as tape:
            loss = forward()
            scaled = loss * scale if dtype == "float16" else loss
        gradients = tape.gradient(scaled, weights)
        if dtype != "float16":
            update(gradients)
            return loss
        gradients = [g / scale for g in gradients]
        finite = [tf.reduce_all(tf.math.is_finite(g)) for g in gradients]
        tf.cond(tf.reduce_all(finite), lambda: update(gradients), smaller)
        return loss

    return step
