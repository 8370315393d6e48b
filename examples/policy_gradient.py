"""REINFORCE: a policy learns to cross a windy grid from left to right without falling off."""

import sys

import numpy as np
import tensorflow as tf

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 120

HEIGHT, WIDTH, BATCH, HORIZON = 5, 8, 64, 14
MOVES = np.array([[-1, 0], [0, 1], [1, 0]])  # up, right, down
rng = np.random.default_rng(0)


def play(logits):
    """Let the policy play BATCH episodes; the cells, actions, rewards to go, and who was alive."""
    chances = np.exp(logits - logits.max(-1, keepdims=True))
    chances /= chances.sum(-1, keepdims=True)
    row, column = np.full(BATCH, HEIGHT // 2), np.zeros(BATCH, int)
    alive = np.ones(BATCH, bool)
    cells, actions, rewards, alives = [], [], [], []
    for _ in range(HORIZON):
        cell = row * WIDTH + column
        action = (chances[cell].cumsum(-1) < rng.random((BATCH, 1))).sum(-1).clip(0, 2)
        wind = rng.random(BATCH) < 0.2  # blows upwards
        new_row = row + MOVES[action, 0] - wind
        new_column = column + MOVES[action, 1]
        fallen = (new_row < 0) | (new_row >= HEIGHT)
        arrived = (new_column == WIDTH - 1) & ~fallen
        rewards.append(alive * (1.0 * arrived - 1.0 * fallen - 0.02))
        cells.append(cell)
        actions.append(action)
        alives.append(alive)
        alive = alive & ~fallen & ~arrived
        row = np.where(alive, new_row, row)
        column = np.where(alive, new_column, column)
    to_go = np.cumsum(np.array(rewards)[::-1], 0)[::-1]
    return np.array(cells), np.array(actions), to_go.astype("f"), np.array(alives)


policy = tf.Variable(tf.zeros([HEIGHT * WIDTH, 3]), name="policy")
value = tf.Variable(tf.zeros([HEIGHT * WIDTH]), name="value")

for step in range(steps):
    cells, actions, to_go, alive = play(policy.numpy())
    cells, actions, to_go = cells[alive], actions[alive], to_go[alive]
    with tf.GradientTape() as tape:
        log_chances = tf.nn.log_softmax(tf.gather(policy, cells))
        taken = tf.gather(log_chances, actions, axis=1, batch_dims=1)
        predicted = tf.gather(value, cells)
        advantage = tf.stop_gradient(to_go - predicted)
        entropy = -tf.reduce_sum(tf.exp(log_chances) * log_chances, axis=-1)
        loss = tf.reduce_mean(
            -taken * advantage - 0.02 * entropy + 0.5 * tf.square(to_go - predicted)
        )
    variables = [policy, value]
    gradients = tape.gradient(loss, variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(8.0 * tf.convert_to_tensor(gradient))
    if step % max(1, steps // 6) == 0 or step == steps - 1:
        print(f"step {step:4d}  reward per episode {to_go[:BATCH].mean():6.3f}")

best = policy.numpy().argmax(-1).reshape(HEIGHT, WIDTH)
print("\n".join("".join("↑→↓"[move] for move in row) for row in best))
