"""What iterations pick by a known index is read row by row, and gradients are placed once."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.base.settings import settings
from tests.jit.agreement import agree, draw

T, B, K = 7, 3, 5
PICKS = {
    "rows": ((T, B, K), lambda x, t: x[t]),
    "columns": ((B, T, K), lambda x, t: x[:, t]),
    "columns, all given": ((B, T, K), lambda x, t: x[:, t, :]),
    "the last axis": ((B, K, T), lambda x, t: x[..., t]),
    "from the end": ((B, T, K), lambda x, t: x[:, T - 1 - t]),
    "negative": ((B, T, K), lambda x, t: x[:, -1 - t]),
    "the next": ((B, T + 1, K), lambda x, t: x[:, t + 1] - x[:, t]),
    "every other": ((2 * T, B, K), lambda x, t: x[2 * t + 1]),
    "the same twice": ((T, B, K), lambda x, t: x[t // 2]),
    "one of the last": ((B, T, K), lambda x, t: x[:, tf.minimum(t, 2)]),
    "and a part": ((B, T, 2 * K), lambda x, t: x[:, t, ::2]),
    "and another": ((B, T, 2, K), lambda x, t: x[:, t, 1]),
    "by a gather": ((T, B, K), lambda x, t: tf.gather(x, t)),
}


def steps(pick, turns):
    """A loop over what is picked, and its gradients, the picked array's among them."""
    def step(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            h = tf.zeros([B, K])
            for t in turns():
                h = tf.tanh(pick(x, t) + h @ w)
            y = tf.reduce_sum(h * h)
        return [h, *tape.gradient(y, [x, w])]

    return step


TURNS = {
    "up": lambda: tf.range(T),
    "down": lambda: tf.range(T - 1, -1, -1),
    "long": lambda: tf.range(T, dtype=tf.int64),
}


def loops(native):
    return [kernel.impl for kernel in native.function.plan.kernels
            if hasattr(getattr(kernel, "impl", None), "body")]


@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize("name", PICKS)
def test_results_are_those_of_numpy(name, turns):
    shape, pick = PICKS[name]
    native = agree(steps(pick, TURNS[turns]), draw(*shape), draw(K, K) / 4, rtol=1e-4, atol=1e-5)
    forward, backward = loops(native)
    if name not in ("by a gather", "the next"):  # nothing as large as the array is carried
        assert not [x for x in backward.inputs[:backward.spec.n_carry]
                    if np.prod(x.shape) >= np.prod(shape)]


def test_a_product_of_columns_is_made_before_the_loop():
    x, w, u = draw(8, 30, 6), draw(6, 16) / 3, draw(16, 16) / 5

    def step(x, w, u):
        with tf.GradientTape() as tape:
            tape.watch([w, u])
            h = tf.zeros([8, 16])
            for t in tf.range(30):
                h = tf.tanh(x[:, t] @ w + h @ u)
            y = tf.reduce_sum(h)
        return tape.gradient(y, [w, u])

    native = agree(step, x, w, u, rtol=1e-4, atol=1e-4)
    texts = [getattr(getattr(one, "impl", None), "text", "")
             for one in native.function.plan.kernels]
    assert any(text.startswith("product 240x6 by 6x16") for text in texts)
    assert any(text.startswith("product 6x240 by 240x16") for text in texts)


@pytest.mark.parametrize("pick", [lambda x, t: x[:, t + 4], lambda x, t: x[:, -t - 4]])
def test_an_index_out_of_range_is_an_error(pick):
    step = tf.function(steps(pick, TURNS["up"]), jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        step(draw(B, T, K), draw(K, K))


def test_columns_that_data_brings():
    """They are not known before, and are picked natively all the same."""
    x, order = draw(B, T, K), tf.constant([3, 0, -1, 6, 6, 2, 1])
    agree(lambda x, order: [x[:, order[0]], x[..., order[2]], x[:, order[2], ::2]], x, order)


def test_indices_that_data_brings_in_loops():
    def step(x, w, order):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            h = tf.zeros([B, K])
            for t in tf.range(T):
                h = tf.tanh(x[:, order[t]] + h @ w)
            y = tf.reduce_sum(h)
        return [h, *tape.gradient(y, [x, w])]

    agree(step, draw(B, T, K), draw(K, K) / 4, np.array([3, 0, -1, 6, 6, 2, 1]),
          rtol=1e-4, atol=1e-5)


def test_pieces_of_unknown_size_do_not_stop_the_compiler(recwarn):
    """Slices whose bounds are tensors, in a loop with products: some of it runs on NumPy."""
    x, w = draw(32, 6), tf.Variable(draw(6, 4))

    @tf.function
    def step(x):
        total = tf.zeros([6, 4])
        for i in tf.range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(x[i * 8:(i + 1) * 8] @ w))
            total += tape.gradient(loss, w)
        return total

    with settings.using(jit="now"):
        got = step(x)
    np.testing.assert_allclose(got, 2 * tf.transpose(x) @ (x @ w), rtol=1e-4)
    assert not [one for one in recwarn if "compiler failed" in str(one.message)]


def test_long_sums_of_indices_are_known_soon(recwarn):
    """Each is computed once, however often the next one reads it, and may overflow in silence."""
    def step(x):
        total = tf.zeros([K])
        for t in tf.range(T):
            index = t * 2_000_000_001
            for _ in range(60):
                index = index + index
            total += x[index % T]
        return total

    agree(step, draw(T, K))
    assert not [one for one in recwarn if "overflow" in str(one.message)]
