"""Values that readers compute again: when, and that no bit changes by it."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.lowering.plan import FusedLoop
from tests.jit.agreement import agree, draw


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def stored(f, *args):
    """The shapes of what the fused loops of a function store, loop by loop."""
    plan = agree(f, *args).function.plan
    return [sorted((one.shape for one in kernel.makes), key=len)
            for kernel in plan.kernels if isinstance(kernel, FusedLoop)]


def centred(x, s):
    """`x * s` is made beside a sum, and used when the sum is known."""
    x = tf.cumsum(x)  # from a kernel
    scaled = x * s
    return scaled - tf.reduce_sum(x, 0) * tf.reduce_sum(scaled * scaled, 0)


def test_a_reader_computes_what_costs_a_store():
    large = stored(centred, draw(300, 100), draw(100))
    assert large[0] == [(100,), (100,)]
    assert (300, 100) in large[-1]


def test_small_values_are_stored():
    assert (30, 10) in stored(centred, draw(30, 10), draw(10))[0]


def test_what_is_a_result_stays():
    def both(x, s):
        x = tf.cumsum(x)
        scaled = x * s
        return scaled, scaled - tf.reduce_sum(x, 0)

    assert (300, 100) in stored(both, draw(300, 100), draw(100))[0]


def test_more_arrays_are_not_held_for_one():
    def product(x, y):
        x, y = tf.cumsum(x), tf.cumsum(y)
        z = x * y
        return z - tf.reduce_sum(z, 0) + tf.reduce_sum(x + 1.0, 0)

    assert (300, 100) in stored(product, draw(300, 100), draw(300, 100))[0]


def test_a_loop_that_computes_nothing_any_more_goes():
    def masked(x, w, y):
        # An epilogue that reads so much that it became a loop.
        gradient = tf.where(y > 0.0, x @ w, y)
        return gradient - tf.reduce_mean(gradient, 0)

    args = draw(8000, 8), draw(8, 200), draw(8000, 200)
    assert stored(masked, *args) == [[(200,)], [(200,)], [(8000, 200)]]


def test_what_each_row_would_compute_is_stored():
    def rows(x, s):
        x = tf.cumsum(x)
        scaled = x * s
        return tf.random.stateless_uniform([7, 20000], [1, 2]) * scaled + tf.reduce_sum(x * x)

    assert (20000,) in stored(rows, draw(20000), draw(20000))[0]


def shared_condition(x, s):
    """The condition is computed by the reader anyway, for another selection."""
    x = tf.cumsum(x)
    positive = s > 0.0
    chosen = tf.where(positive, x, -x)
    total = tf.reduce_sum(chosen * x, 0)
    return tf.where(positive, total, x) + chosen * total


def transposed(x, s):
    x = tf.cumsum(x)
    scaled = x * s
    total = tf.reduce_sum(scaled * scaled, 0)
    return tf.transpose(scaled) * total[:, None], scaled * 2.0 + tf.reduce_max(scaled)


@pytest.mark.parametrize("f", [centred, transposed, shared_condition])
@pytest.mark.parametrize("sizes", [(300, 100), (257, 65), (3, 5)])
def test_no_bit_changes(f, sizes):
    results = []
    for how in (False, True):
        with forcing({"fusion.recompute": how}):
            run = tf.function(f, jit_compile=True, autograph=False)
            results.append(run(draw(*sizes), draw(sizes[1])))
    for one, other in zip(*map(tf.nest.flatten, results), strict=True):
        np.testing.assert_array_equal(one, other)
