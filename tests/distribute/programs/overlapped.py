"""A compiled step whose gradients are exchanged in portions while the backward pass goes on."""

import numpy as np
import tensorflow as tf

from tapeflow.distribute.mpi.engine import engine

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank = strategy.cluster_resolver.task_id
x = tf.constant(np.random.RandomState(rank).randn(32, 600).astype("f"))


def train(overlap):
    tf.config.settings.collective_overlap = overlap
    random = np.random.RandomState(7)
    with strategy.scope():
        weights = [tf.Variable(random.randn(600, 600).astype("f") * 0.04) for _ in range(4)]

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            h = x
            for w in weights:
                h = tf.tanh(h @ w)
            loss = tf.reduce_mean(h ** 2)
        grads = tf.distribute.get_replica_context().all_reduce(
            "MEAN", tape.gradient(loss, weights))
        for w, g in zip(weights, grads):
            w.assign_sub(0.5 * g)
        return tf.distribute.get_replica_context().all_reduce("MEAN", loss)

    losses = [float(strategy.run(step, args=(x,))) for _ in range(12)]
    return losses, [w.numpy() for w in weights]


plain, there = train("off")
assert engine().background is None
early, here = train("on")
np.testing.assert_allclose(plain, early, rtol=1e-5)
for a, b in zip(there, here):
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
assert next(engine().background._numbers) == 12 * 4  # four portions a step
print(f"rank {rank} is right")
