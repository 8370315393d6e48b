"""Functions that each replica traces itself, and that wait for the others while being traced."""

from __future__ import annotations

import threading

import tapeflow as tf


def test_replicas_that_meet_while_tracing_leave_the_lock_free() -> None:
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with strategy.scope():
        v = tf.Variable(5.0, aggregation=tf.VariableAggregation.MEAN)

    @tf.function
    def update() -> tf.Tensor:
        return v.assign_add(1.0)

    strategy.run(update)
    assert float(v.read_value()) == 6.0
    found: list[float] = []
    other = threading.Thread(
        target=lambda: found.append(float(tf.function(lambda x: x + 1.0)(tf.constant(1.0)))),
        daemon=True)
    other.start()
    other.join(30)
    assert found == [2.0]
