"""tf.Graph and sessions: what programs against TensorFlow do not see."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph_mode.testing_modes import run_in_graph_and_eager_modes

v1 = tf.compat.v1


class Both(tf.test.TestCase):
    modes: list = []

    @run_in_graph_and_eager_modes
    def test_a_variable(self):
        v = tf.Variable([1.0, 2.0])
        self.evaluate(v1.global_variables_initializer())
        self.assertAllClose(v * 2.0, [2.0, 4.0])
        with self.cached_session():
            self.assertAllEqual(self.evaluate(v), [1.0, 2.0])
        self.modes.append(tf.executing_eagerly())

    def runTest(self):
        self.test_a_variable()


def test_a_test_runs_in_both_modes():
    Both.modes.clear()
    result = Both().run()
    assert result.wasSuccessful() and Both.modes == [False, True]
    assert tf.executing_eagerly()


@pytest.mark.parametrize("runs", [3, 60])
def test_steps_of_a_session_are_those_of_a_function(runs):
    x0 = np.random.RandomState(0).rand(8, 3).astype("f")
    w = tf.Variable(tf.ones([3, 1]))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 3])
        u = tf.Variable(tf.ones([3, 1]))
        loss = tf.reduce_mean(tf.tanh(x @ u) ** 2)
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        for _ in range(runs):
            session.run(train, {x: x0})
        got = session.run(u)
    for _ in range(runs):
        step(tf.constant(x0))
    np.testing.assert_allclose(got, w.numpy(), rtol=1e-5)


def test_only_what_is_fetched_runs():
    log = []
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [])
        y = tf.numpy_function(lambda v: log.append(1) or v, [x], tf.float32)
        z = x + 1.0
        assert session.run(z, {x: 1.0}) == 2.0 and not log
        assert session.run(y, {x: 1.0}) == 1.0 and log == [1]


def test_iterators_over_datasets_are_refused_in_graphs():
    with tf.Graph().as_default(), pytest.raises(NotImplementedError, match="placeholders"):
        v1.data.make_one_shot_iterator(tf.data.Dataset.range(3))
