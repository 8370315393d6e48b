"""Loops whose rows do not look at each other run in parts; others do not."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.jit.runtime import thread_pool
from tests.jit.agreement import agree

T, B, N = 64, 32, 40
rng = np.random.default_rng(5)
X = rng.normal(size=(T, B, N)).astype("f")
U = (rng.normal(size=(N, N)) / N).astype("f")
SQUARE = (rng.normal(size=(B, B)) / B).astype("f")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def natively(f, *arrays):
    """Check a function against NumPy; gives the code and how many parts its loops have."""
    native = agree(f, *arrays, rtol=1e-4, atol=1e-5)
    return native, [kernel.impl.parts for kernel in native.function.plan.kernels
                    if hasattr(getattr(kernel, "impl", None), "parts")]


def scanned(step):
    return lambda x, *rest: tf.scan(lambda h, now: step(h, now, *rest), x,
                                    initializer=tf.zeros((B, N)))


@pytest.mark.parametrize("step", [
    lambda h, now, u: tf.tanh(now + h @ u),
    lambda h, now, u: tf.tanh(now + tf.matmul(h, u, transpose_b=True)) + u[0],
    lambda h, now, u: tf.nn.softmax(now + h @ u) - tf.reduce_mean(h, 1, keepdims=True),
    lambda h, now, u: tf.concat([now[:, 10:], (h @ u)[:, :10]], 1)[:, ::-1],
    lambda h, now, u: tf.add_n(tf.split(tf.concat([h, now, h @ u], 1), 3, axis=1)) * 0.25,
], ids=["product", "transposed", "softmax", "concat", "split"])
def test_parts(step):
    (parts,) = natively(scanned(step), X, U)[1]
    assert parts > 1


@pytest.mark.parametrize("step", [
    lambda h, now, u: tf.tanh(now + h @ u) + 0.25 * tf.reduce_mean(h, 0),
    lambda h, now, u: tf.tanh(now + h @ u[:N, :N]) - 0.5 * tf.reverse(h, [0]),
    lambda h, now, u: tf.nn.softmax(now + h @ u, axis=0),
    lambda h, now, u: tf.concat([h[1:], (now + h @ u)[:1]], 0) * 0.5,
    lambda h, now, u: tf.cumsum(h @ u, 0) * 0.25 + now,
    lambda h, now, u: tf.tanh(tf.reshape(tf.reshape(h @ u, [N, B]), [B, N]) + now),
    lambda h, now, u: tf.tanh(h @ u + now + h[0]),
    lambda h, now, u: tf.tanh(tf.gather(h, [1, 0] * (B // 2)) @ u + now),
], ids=["mean", "reverse", "softmax", "concat", "cumsum", "reshape", "row", "gather"])
def test_rows_that_look_at_each_other(step):
    assert natively(scanned(step), X, U)[1] == [1]


def test_rows_mixed_by_a_product():
    assert natively(scanned(lambda h, now, u: tf.tanh(u @ h + now)), X, SQUARE)[1] == [1]


def test_something_fixed_for_each_row():
    bias = rng.normal(size=(B, N)).astype("f")
    natively(scanned(lambda h, now, u, b: tf.tanh(now + h @ u + b)), X, U, bias)
    natively(scanned(lambda h, now, u: tf.tanh(now + h @ u + bias)), X, U)
    natively(scanned(lambda h, now, u, b: tf.tanh(now + h @ u + tf.sin(b))), X, U, bias[:1])


def test_gradients_and_the_number_of_threads():
    def step(x, u):
        def step(state, now):
            h, c = state
            gate = tf.sigmoid(now + h @ u)
            c = gate * c + (1 - gate) * tf.tanh(now)
            return tf.tanh(c) * gate, c

        with tf.GradientTape() as tape:
            tape.watch([x, u])
            h, c = tf.scan(step, x, initializer=(tf.zeros((B, N)), tf.ones((B, N))))
            y = tf.reduce_sum(h[-1] * h[-1]) + tf.reduce_sum(c)
        return [y, *tape.gradient(y, [x, u])]

    native, parts = natively(step, X, U)
    assert len(parts) == 2 and min(parts) > 1
    found = []
    try:
        for count in (1, 2, 3):
            thread_pool.set_count(count)
            found.append([one.copy() for one in native.run([X, U], [])])
    finally:
        thread_pool.set_count(0)
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)
