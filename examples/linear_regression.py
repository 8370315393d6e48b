"""Fit a line to noisy points: the training loop that every other one is made of."""

import sys

import tensorflow as tf

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 300

x = tf.linspace(-2.0, 2.0, 200)
noise = tf.random.stateless_normal([200], seed=[1, 2], stddev=0.3)
y = 3.0 * x + 2.0 + noise

slope = tf.Variable(0.0, name="slope")
offset = tf.Variable(0.0, name="offset")

for step in range(steps):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * x + offset - y))
    d_slope, d_offset = tape.gradient(loss, [slope, offset])
    slope.assign_sub(0.05 * d_slope)
    offset.assign_sub(0.05 * d_offset)
    if step % max(1, steps // 5) == 0:
        print(f"step {step:4d}  loss {loss.numpy():8.4f}")

print(f"y = {slope.numpy():.3f} x + {offset.numpy():.3f}   (the points were made with y = 3 x + 2)")
