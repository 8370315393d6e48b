"""Solve u'' + 0.4 u' + 4 u = 0, u(0) = 1, u'(0) = 0 with a small network that never sees data.

The equation itself is the loss: u' and u'' come from two tapes inside the one that trains.
"""

import sys

import numpy as np
import tensorflow as tf

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1500

rng = np.random.default_rng(3)
sizes = [1, 24, 24, 1]
weights = [
    tf.Variable((rng.standard_normal((a, b)) / np.sqrt(a)).astype("f"), name=f"w{a}_{b}")
    for a, b in zip(sizes, sizes[1:])
]
offsets = [tf.Variable(rng.uniform(-1, 1, b).astype("f"), name=f"b{b}") for b in sizes[1:]]
parameters = weights + offsets

times = tf.reshape(tf.linspace(0.0, 4.0, 48), [-1, 1])


def u(t):
    """The network, shaped so that both initial conditions hold whatever it says."""
    h = t
    for w, b in zip(weights[:-1], offsets[:-1]):
        h = tf.tanh(h @ w + b)
    return 1.0 + t**2 / (1.0 + t**2) * (h @ weights[-1] + offsets[-1])


def residual(t):
    with tf.GradientTape() as second:
        second.watch(t)
        with tf.GradientTape() as first:
            first.watch(t)
            value = u(t)
        velocity = first.gradient(value, t)
    acceleration = second.gradient(velocity, t)
    return acceleration + 0.4 * velocity + 4.0 * value


def exact(t):
    omega = np.sqrt(4 - 0.2**2)
    return np.exp(-0.2 * t) * (np.cos(omega * t) + 0.2 / omega * np.sin(omega * t))


momenta = [tf.Variable(tf.zeros_like(p)) for p in parameters]
scales = [tf.Variable(tf.zeros_like(p)) for p in parameters]

for step in range(1, steps + 1):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(times) ** 2)
    rate = 0.01 * 0.1 ** (step / steps)
    for p, m, s, g in zip(parameters, momenta, scales, tape.gradient(loss, parameters)):
        m.assign(0.9 * m + 0.1 * g)
        s.assign(0.999 * s + 0.001 * g * g)
        p.assign_sub(rate * (m / (1 - 0.9**step)) / (tf.sqrt(s / (1 - 0.999**step)) + 1e-8))
    if step == 1 or step % max(1, steps // 6) == 0:
        error = np.abs(u(times).numpy() - exact(times.numpy())).max()
        print(f"step {step:5d}  residual {loss.numpy():.2e}  error against the exact u {error:.2e}")
