"""What `make browser` makes a report of: Keras, a loop, a traced step; a None and a NaN."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.randn(256, 20).astype("float32")
y = (2 * x[:, :1] + np.sin(x[:, 1:2])).astype("float32")
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(32, activation="sigmoid"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=8, batch_size=32, verbose=0)

w = tf.Variable(np.eye(20, dtype="float32"), name="cell/w")
scale = tf.Variable([0.0, 1.0], name="scale")
unused = tf.Variable(1.0, name="unused")
for _ in range(40):
    with tf.GradientTape() as tape:
        h = tf.constant(x)
        for _ in range(5):
            h = tf.tanh(h @ w)
        loss = tf.reduce_mean((h - 1.0) ** 2) + tf.reduce_sum(tf.round(w))
        loss += tf.reduce_sum(tf.math.log(scale) * scale)
    grads = tape.gradient(loss, [w, scale, unused])
    w.assign_sub(0.1 * grads[0])


@tf.function
def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(batch @ w) - 1.0) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(100):
    step(tf.constant(x))
