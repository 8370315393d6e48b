"""Find the four rates of a predator-prey system by differentiating through its ODE solver."""

import sys

import numpy as np
import tensorflow as tf

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200

TRUE_RATES = np.array([1.1, 0.4, 0.1, 0.4], np.float32)  # birth, hunting, growth, death
DT, POINTS = 0.2, 40


def change(state, rates):
    """Time derivatives of [prey, predators]."""
    birth, hunting, growth, death = tf.unstack(rates)
    prey, predators = tf.unstack(state)
    met = prey * predators
    return tf.stack([birth * prey - hunting * met, growth * met - death * predators])


def simulate(rates):
    """The trajectory by the classical Runge-Kutta method."""
    state = tf.constant([6.0, 3.0])
    states = []
    for _ in range(POINTS):
        k1 = change(state, rates)
        k2 = change(state + DT / 2 * k1, rates)
        k3 = change(state + DT / 2 * k2, rates)
        k4 = change(state + DT * k3, rates)
        state = state + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        states.append(state)
    return tf.stack(states)


observed = simulate(tf.constant(TRUE_RATES))
log_rates = tf.Variable(np.log([0.8, 0.3, 0.15, 0.5]).astype(np.float32))  # rates stay positive
momentum = tf.Variable(tf.zeros(4))
scale = tf.Variable(tf.zeros(4))

for step in range(1, steps + 1):
    with tf.GradientTape() as tape:
        error = tf.math.log(simulate(tf.exp(log_rates))) - tf.math.log(observed)
        loss = tf.reduce_mean(tf.square(error))
    gradient = tape.gradient(loss, log_rates)
    # Adam, by hand.
    momentum.assign(0.9 * momentum + 0.1 * gradient)
    scale.assign(0.99 * scale + 0.01 * tf.square(gradient))
    mean, spread = momentum / (1 - 0.9**step), scale / (1 - 0.99**step)
    log_rates.assign_sub(0.2 * mean / (tf.sqrt(spread) + 1e-8))
    if step % max(1, steps // 5) == 0:
        rates = tf.exp(log_rates).numpy().round(3)
        print(f"step {step:4d}  loss {loss.numpy():.6f}  rates {rates}")

print("true rates                   ", TRUE_RATES)
