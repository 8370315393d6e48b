"""Newton's method on the Rosenbrock function, with Hessian-vector products and no Hessian.

A forward accumulator around a tape gives H·v for the price of about two gradients, so that the
Newton step H·s = -g is solved by conjugate gradients.
"""

import sys

import tensorflow as tf

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 40
SIZE = 10


def rosenbrock(x):
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def gradient_and_product(x, vector):
    """The gradient at x, and the Hessian at x times `vector`."""
    with tf.autodiff.ForwardAccumulator(x, vector) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = rosenbrock(x)
        gradient = tape.gradient(y, x)
    return gradient, accumulator.jvp(gradient)


def newton_step(x, gradient):
    """Solve H·s = -g by conjugate gradients, as far as the curvature is positive."""
    step, residual = tf.zeros_like(x), -gradient
    direction = residual
    square = tf.tensordot(residual, residual, 1)
    for _ in range(2 * SIZE):
        _, product = gradient_and_product(x, direction)
        curvature = tf.tensordot(direction, product, 1)
        if curvature <= 1e-12:
            return step if tf.reduce_any(step != 0) else -gradient
        alpha = square / curvature
        step += alpha * direction
        residual -= alpha * product
        new_square = tf.tensordot(residual, residual, 1)
        if new_square < 1e-20:
            break
        direction = residual + new_square / square * direction
        square = new_square
    return step


x = tf.zeros([SIZE], tf.float64)
for number in range(steps):
    gradient, _ = gradient_and_product(x, tf.zeros_like(x))
    value, norm = rosenbrock(x), tf.norm(gradient)
    print(f"step {number:2d}  f = {value.numpy():.3e}  |gradient| = {norm.numpy():.3e}")
    if norm < 1e-8:
        break
    step, size = newton_step(x, gradient), 1.0
    while rosenbrock(x + size * step) > value and size > 1e-8:
        size /= 2
    x = x + size * step

print(f"distance from the minimum (1, 1, …): {tf.norm(x - 1.0).numpy():.1e}")
