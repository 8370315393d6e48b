"""Arguments that were once taken without a word, or raised errors of another kind."""

import numpy as np
import pytest

import tapeflow as tf

REFUSED = {
    "a permutation beyond int32": (lambda: tf.math.invert_permutation([2**40]),
                                   tf.errors.InvalidArgumentError),
    "a triangle beyond int32": (lambda: tf.experimental.numpy.tri(2**63 - 1),
                                tf.errors.InvalidArgumentError),
    "slices of nothing": (lambda: tf.data.Dataset.from_tensor_slices(None), ValueError),
    "indices into more than can be": (lambda: tf.unravel_index(3, [2**63 - 1]),
                                      tf.errors.InvalidArgumentError),
    "more memory than there is": (lambda: tf.ones([10**7, 10**7]),
                                  tf.errors.ResourceExhaustedError),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, kind = REFUSED[name]
    with pytest.raises(kind):
        call()


def test_taken():
    assert tf.math.scalar_mul(2.0, np.ones(2, "f")).numpy().tolist() == [2, 2]
    assert tf.math.invert_permutation([]).dtype == tf.int32
