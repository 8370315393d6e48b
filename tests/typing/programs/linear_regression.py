"""A straight line through points, by a tape and plain steps."""
import numpy as np

import tapeflow as tf

x = tf.constant(np.linspace(-1, 1, 50), dtype=tf.float32)
y = 3.0 * x + 2.0 + tf.random.normal(x.shape, stddev=0.1, seed=1)

w = tf.Variable(0.0, name="w")
b = tf.Variable(tf.zeros([]), trainable=True)


def loss() -> tf.Tensor:
    return tf.reduce_mean(tf.square(w * x + b - y))


for _ in range(20):
    with tf.GradientTape() as tape:
        value = loss()
    dw, db = tape.gradient(value, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)

print(float(w), b.numpy(), f"{loss().numpy():.3f}")
