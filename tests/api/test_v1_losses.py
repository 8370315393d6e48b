"""tf.compat.v1.losses: what TensorFlow 2.21 gave, and what a graph collects."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
losses = v1.losses
LABELS = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
FOUND = [[0.9, 0.2, 0.4], [0.6, 0.7, 0.1]]
HALF = [[1.0], [0.0]]
WAYS = [losses.Reduction.SUM_BY_NONZERO_WEIGHTS, losses.Reduction.SUM, losses.Reduction.MEAN,
        losses.Reduction.SUM_OVER_BATCH_SIZE]


@pytest.mark.parametrize("name, weights, wanted", [
    ("absolute_difference", HALF, [0.45, 0.3, 0.9, 0.3, 0.15]),
    ("hinge_loss", HALF, [0.7833333, 0.6333334, 1.9, 0.6333334, 0.3166667]),
    ("huber_loss", HALF, [0.1391667, 0.06833334, 0.205, 0.06833334, 0.03416667]),
    ("log_loss", HALF, [0.8033907, 0.4149314, 1.244794, 0.4149314, 0.2074657]),
    ("mean_squared_error", HALF, [0.2783333, 0.1366667, 0.41, 0.1366667, 0.06833334]),
    ("sigmoid_cross_entropy", HALF, [0.6228964, 0.5507693, 1.652308, 0.5507693, 0.2753847]),
    ("softmax_cross_entropy", [2.0, 3.0], [2.190996, 5.579569, 11.15914, 2.231827, 5.579569]),
    ("cosine_distance", HALF, [-0.04999998, -0.3, -0.3, -0.3, -0.15]),
])
def test_losses(name, weights, wanted):
    more = {"axis": 1} if name == "cosine_distance" else {}
    function = getattr(losses, name)
    found = [function(LABELS, FOUND, **more)]
    found += [function(LABELS, FOUND, weights=weights, reduction=way, **more) for way in WAYS]
    np.testing.assert_allclose([one.numpy() for one in found], wanted, rtol=2e-6)


@pytest.mark.parametrize("weights, wanted", [
    (1.0, 0.6273333), (HALF, 0.32666668), ([[2.0], [3.0]], 4.0733333), (0.0, 0.0)])
def test_pairwise(weights, wanted):
    found = losses.mean_pairwise_squared_error(LABELS, FOUND, weights)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-6)


def test_labels_may_be_smoothed():
    for function, wanted in ((losses.sigmoid_cross_entropy, 0.6337298),
                             (losses.softmax_cross_entropy, 2.085613)):
        np.testing.assert_allclose(
            function(LABELS, FOUND, label_smoothing=0.1).numpy(), wanted, rtol=2e-6)


def test_what_does_not_fit():
    for weights in ([1.0, 2.0, 3.0, 4.0], [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="can not be broadcast"):
            losses.mean_squared_error(LABELS, FOUND, weights)
    with pytest.raises(ValueError, match="Invalid Reduction Key"):
        losses.huber_loss(LABELS, FOUND, reduction="most")
    with pytest.raises(ValueError, match="`axis`"):
        losses.cosine_distance(LABELS, FOUND)


def test_a_graph_collects_losses():
    with tf.Graph().as_default():
        one = losses.mean_squared_error(LABELS, FOUND)
        other = losses.huber_loss(LABELS, FOUND, scope="apart")
        v1.get_variable("v", [2], initializer=v1.ones_initializer(),
                        regularizer=lambda x: tf.reduce_sum(x) * 0.1)
        with v1.variable_scope("s", regularizer=lambda x: tf.reduce_sum(x) * 0.5):
            v1.get_variable("w", [2], initializer=v1.ones_initializer())
        total, regular = losses.get_total_loss(), losses.get_regularization_loss()
        assert [x.name for x in losses.get_losses()] == [one.name, other.name] == [
            "mean_squared_error/value:0", "apart/value:0"]
        assert losses.get_losses("apart") == [other]
        losses.add_loss(one)
        assert len(losses.get_losses()) == 3
        assert len(losses.get_regularization_losses()) == 2
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            found = session.run([one, other, regular, total])
    np.testing.assert_allclose(found, [0.2783333, 0.1391667, 1.2, 1.6175], rtol=1e-6)


def test_nothing_is_collected_eagerly():
    losses.mean_squared_error(LABELS, FOUND)
    assert losses.get_regularization_loss().numpy() == 0.0
