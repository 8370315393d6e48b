"""What ops refuse while a graph is built, and what fails only when a node runs.

Wrong shapes are ValueError at once, in a tf.function and in a tf.Graph; a wrong value among
constants fails where and when it is computed, so not in a branch that is not taken.
"""

import numpy as np
import pytest

import tapeflow as tf

WRONG_SHAPES = {
    "add": lambda: tf.zeros([2, 3]) + tf.zeros([2, 2]),
    "matmul": lambda: tf.zeros([2, 3]) @ tf.zeros([2, 3]),
    "concat": lambda: tf.concat([tf.zeros([2, 2]), tf.zeros([3, 3])], 0),
    "concat of ranks": lambda: tf.concat([tf.zeros([2, 2]), tf.zeros([3])], 0),
    "top_k": lambda: tf.math.top_k(tf.zeros([2]), 5),
    "solve": lambda: tf.linalg.solve(tf.zeros([2, 2]), tf.zeros([3, 1])),
    "set_diag": lambda: tf.linalg.set_diag(tf.zeros([3, 3]), tf.zeros([2])),
    "reshape": lambda: tf.reshape(tf.zeros([4]), [3]),
    "split": lambda: tf.split(tf.zeros([5]), 2),
    "space_to_depth": lambda: tf.nn.space_to_depth(tf.zeros([1, 3, 3, 1]), 2),
    "conv2d": lambda: tf.nn.conv2d(tf.zeros([1, 4, 4, 3]), tf.zeros([2, 2, 2, 1]), 1, "SAME"),
}

WRONG_VALUES = {
    "gather": lambda: tf.gather(tf.constant([1.0, 2.0]), [5])[0],
    "gather_nd": lambda: tf.gather_nd(tf.constant([1.0, 2.0]), [[5]])[0],
    "scatter_nd": lambda: tf.scatter_nd([[5]], [1.0], [2])[0],
    "segment_sum": lambda: tf.math.segment_sum(tf.constant([1.0, 2.0]), [1, 0])[0],
    "floordiv": lambda: tf.cast(tf.constant(1) // tf.constant(0), tf.float32),
    "mod": lambda: tf.cast(tf.math.mod(tf.constant(1), tf.constant(0)), tf.float32),
    "check_numerics": lambda: tf.debugging.check_numerics(tf.constant(np.nan), "no number"),
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_wrong_shapes_are_refused_at_once(name):
    wrong = WRONG_SHAPES[name]
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()
    with pytest.raises(ValueError):
        tf.function(wrong).get_concrete_function()
    with tf.Graph().as_default(), pytest.raises(ValueError):
        wrong()


def test_wrong_dtypes_are_refused_at_once():
    def wrong():
        return tf.constant(1) + tf.constant(1.0)

    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()
    with pytest.raises(TypeError):
        tf.function(wrong).get_concrete_function()
    with tf.Graph().as_default(), pytest.raises(TypeError):
        wrong()


@pytest.mark.parametrize("jit_compile", [None, True])
@pytest.mark.parametrize("name", WRONG_VALUES)
def test_wrong_constants_fail_only_where_they_are_computed(name, jit_compile):
    wrong = WRONG_VALUES[name]

    @tf.function(jit_compile=jit_compile)
    def gradient(wanted, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            if wanted:
                y = x * wrong()
            else:
                y = x * 2.0
        return tape.gradient(y, x)

    x = tf.constant(3.0)
    assert gradient(tf.constant(False), x).numpy() == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        gradient(tf.constant(True), x)
    assert gradient(tf.constant(False), x).numpy() == 2.0


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_sessions_run_what_is_fetched(name):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        bad, good = WRONG_VALUES[name](), tf.constant(2.0) * 3.0
        assert session.run(good) == 6.0
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(bad)


@pytest.mark.parametrize("check", [
    lambda: tf.debugging.assert_less(tf.constant(5), 3),
    lambda: tf.debugging.assert_positive(tf.constant(-5)),
    lambda: tf.math.confusion_matrix([5], [1], num_classes=3)])
def test_assertions_fail_as_such(check):
    for run in (check, tf.function(check)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run()
    with tf.Graph().as_default(), pytest.raises(tf.errors.InvalidArgumentError):
        check()


def test_a_rank_that_a_run_decides():
    @tf.function
    def check(rank):
        tf.debugging.assert_rank([1], rank)
        tf.debugging.assert_rank_in([1], [0, rank])

    check(tf.constant(1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Received rank"):
        check(tf.constant(2))
