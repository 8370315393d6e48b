"""Gradients of one's own, and the decorators that leave a signature as it is."""
from typing import Any

import tapeflow as tf


@tf.custom_gradient
def log1pexp(x: tf.Tensor):
    e = tf.exp(x)

    def grad(upstream: tf.Tensor) -> tf.Tensor:
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


@tf.recompute_grad
def block(x: tf.Tensor, scale: float = 2.0) -> tf.Tensor:
    return tf.nn.relu(x) * scale


def clipped(x: tf.Tensor) -> Any:
    return tf.clip_by_norm(tf.stop_gradient(x), 1.0)


x = tf.constant([100.0, 1.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = log1pexp(x)
print(y.shape, tape.gradient(y, x), block(x, scale=3.0).numpy(), clipped(x))
