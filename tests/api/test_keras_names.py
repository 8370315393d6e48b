"""tf.optimizers and its kin are Keras's, as in TensorFlow."""

import pytest

import tapeflow as tf

pytest.importorskip("keras")


@pytest.mark.parametrize("name", ["initializers", "losses", "metrics", "optimizers"])
def test_short_names_of_keras(name):
    assert getattr(tf, name) is getattr(tf.keras, name)


def test_a_loss_by_its_short_name():
    assert float(tf.losses.MeanSquaredError()([[1.0, 2.0]], [[1.0, 4.0]])) == 2.0
