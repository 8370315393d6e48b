"""Public functions on tensors of unknown rank whose calls nothing converts: in a tf.Graph."""

import numpy as np
import pytest

import tapeflow as tf

X = np.array([[0.5, -1.0, 2.0], [3.0, 0.25, -2.0]], np.float32)
SQUARE = X @ X.T
CALLS = {
    "expand_dims": (X, lambda x: tf.expand_dims(x, -1)),
    "squeeze": (X[None], lambda x: tf.squeeze(x, 0)),
    "squeeze all": (X[None], tf.squeeze),
    "clip_by_value": (X, lambda x: tf.clip_by_value(x, -1.0, 1.0)),
    "one_hot": (np.array([0, 2]), lambda x: tf.one_hot(x, 3)),
    "softmax": (X, tf.nn.softmax),
    "log_softmax": (X, lambda x: tf.nn.log_softmax(x, 0)),
    "cross entropy": (X, lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x)),
    "diag_part": (SQUARE, tf.linalg.diag_part),
    "set_diag": (SQUARE, lambda x: tf.linalg.set_diag(x, tf.zeros([2]))),
    "matrix_transpose": (X, tf.linalg.matrix_transpose),
    "lbeta": (np.abs(X), tf.math.lbeta),
    "argmax": (X, lambda x: tf.argmax(x, -1)),
    "argmin": (X, lambda x: tf.argmin(x, -1, tf.int32)),
    "gather": (X, lambda x: tf.gather(x, [2, 0], axis=-1)),
    "is_strictly_increasing": (X, tf.math.is_strictly_increasing),
    "is_non_decreasing": (np.sort(X, None), tf.math.is_non_decreasing),
    "sort": (X, tf.sort),
    "argsort": (X, lambda x: tf.argsort(x, direction="DESCENDING")),
    "foldl": (X, lambda x: tf.foldl(lambda a, b: a * b, x)),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_waits_for_the_rank(call):
    value, function = CALLS[call]
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder_with_default(value, None)
        assert x.shape.rank is None
        with tf.compat.v1.Session() as session:
            found = session.run(function(x))
    np.testing.assert_allclose(found, function(tf.constant(value)), rtol=1e-6)


@pytest.mark.parametrize("check", [
    lambda x: tf.debugging.assert_rank(x, 3), lambda x: tf.debugging.assert_rank_in(x, (0, 3)),
    lambda x: tf.debugging.assert_rank_at_least(x, 3)])
def test_ranks_are_checked_in_the_run(check):
    @tf.function(input_signature=[tf.TensorSpec(None)], autograph=False)
    def f(x):
        check(x)
        return x + 1

    assert f(tf.zeros([1, 1, 2])).shape == (1, 1, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have rank"):
        f(tf.zeros([2]))


def test_axes_of_broadcast_gradients_that_a_run_knows():
    pairs = [([2, 3], [3]), ([2, 1], [1, 3]), ([2], [2]), ([], [4])]
    for a, b in pairs:
        wanted = [one.numpy().tolist() for one in tf.raw_ops.BroadcastGradientArgs(
            s0=tf.constant(a, tf.int32), s1=tf.constant(b, tf.int32))]
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            s0, s1 = (tf.compat.v1.placeholder_with_default(np.array(s, np.int32), [None])
                      for s in (a, b))
            found = session.run(list(tf.raw_ops.BroadcastGradientArgs(s0=s0, s1=s1)))
        assert [one.tolist() for one in found] == wanted
