"""Functions that threads share while they are compiled."""

import threading

import numpy as np

import tapeflow as tf


def test_threads_share_a_function_that_is_compiled(monkeypatch):
    failures = []
    monkeypatch.setattr(threading, "excepthook", lambda told: failures.append(told.exc_value))
    rows = np.random.default_rng(0).random((120, 60, 60), dtype=np.float32)
    ds = tf.data.Dataset.from_tensor_slices(rows).filter(lambda x: True)

    def f(x):
        return tf.reduce_sum(tf.sin(x) * tf.exp(x) + tf.linalg.matmul(x, x))

    expected = [float(one) for one in ds.map(f)]
    for calls in (2, 4):
        found = [float(one) for one in ds.map(f, num_parallel_calls=calls)]
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert failures == []
