"""Functions that each replica traces itself, and that wait for the others while being traced."""

from __future__ import annotations

import threading

import numpy as np

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


def test_replicas_reduce_inside_a_function() -> None:
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    traced = []

    @tf.function
    def doubled(x, factor=2.0):
        traced.append(x)
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("SUM", x * factor)
        gathered = context.all_gather(tf.reshape(x, [1]), axis=0)
        return total, gathered, context.replica_id_in_sync_group, np.float32(1.5)

    def parts(a: float, b: float):
        values = [np.float32(a), tf.constant(b)]
        return strategy.experimental_distribute_values_from_function(
            lambda context: values[context.replica_id_in_sync_group])

    for first, second in ((1.0, 2.0), (5.0, 7.0)):
        total, gathered, ids, number = strategy.run(
            doubled, (parts(first, second),), {"factor": 3.0})
        assert [float(one) for one in total.values] == [3 * (first + second)] * 2
        assert [one.numpy().tolist() for one in gathered.values] == [[first, second]] * 2
        assert [int(one) for one in ids.values] == [0, 1]
        assert [float(one) for one in number.values] == [1.5, 1.5]
    assert len(traced) == 2  # once for each replica


def test_replicas_reduce_inside_a_function_of_a_graph() -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        x = tf.constant([1.0, 2.0])
        part = strategy.experimental_distribute_values_from_function(
            lambda context: x[context.replica_id_in_sync_group])
        total = strategy.run(tf.function(
            lambda y: tf.distribute.get_replica_context().all_reduce("SUM", y)), (part,))
        assert session.run(list(total.values)) == [3.0, 3.0]


def test_gradients_through_what_replicas_reduce_in_a_function() -> None:
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

    @tf.function(autograph=False)
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.distribute.get_replica_context().all_reduce("SUM", x * x)
        return tape.gradient(y, x)

    found = strategy.run(slope, (tf.constant(3.0),))
    assert [float(one) for one in found.values] == [12.0, 12.0]
