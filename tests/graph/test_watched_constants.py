"""A tensor that a function captured before any tape watched it has its gradient all the same."""

import gc
import weakref

import numpy as np
import pytest

import tapeflow as tf


def gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function()
    return tape.gradient(y, x)


def test_a_constant_watched_after_tracing():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x)
    g()
    assert gradient(g, x).numpy() == 4.0


def test_a_constant_that_is_used_as_it_is():
    x = tf.constant(2.0)
    g = tf.function(lambda y: x * y)
    g(tf.constant(3.0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(tf.constant(3.0))
    assert tape.gradient(y, x).numpy() == 3.0


def test_what_was_computed_from_it_while_tracing():
    x = tf.constant([1.0, 2.0])
    g = tf.function(lambda: tf.reduce_sum(tf.exp(tf.sin(x) * 2.0)))
    g()
    want = 2 * np.cos([1.0, 2.0]) * np.exp(2 * np.sin([1.0, 2.0]))
    np.testing.assert_allclose(gradient(g, x), want, rtol=1e-5)


def test_a_large_constant():
    x = tf.ones([300, 300])
    g = tf.function(lambda: tf.reduce_sum(x * x))
    g()
    assert gradient(g, x).numpy().min() == 2.0


def test_inside_an_outer_function():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x)
    g()

    @tf.function
    def outer():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g()
        return tape.gradient(y, x)

    assert outer().numpy() == 4.0


def test_a_function_that_was_called_by_the_traced_one():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x)
    f = tf.function(lambda: g() * 3.0)
    f()
    assert gradient(f, x).numpy() == 12.0


@pytest.mark.parametrize("autograph", [True, False])
def test_in_branches_and_loops(autograph):
    x = tf.constant(2.0)

    @tf.function(autograph=autograph)
    def f(n):
        y = tf.cond(n > 0, lambda: x * x, lambda: x)
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * x), [0, y])[1]

    f(tf.constant(2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(tf.constant(2))
    assert y.numpy() == 16.0 and tape.gradient(y, x).numpy() == 32.0


def test_a_concrete_function():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x).get_concrete_function()
    g()
    assert gradient(g, x).numpy() == 4.0


def test_forward_mode():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x)
    g()
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = g()
    assert accumulator.jvp(y).numpy() == 4.0


def test_jacobian():
    x = tf.constant([1.0, 2.0])
    g = tf.function(lambda: x * x)
    g()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g()
    np.testing.assert_array_equal(tape.jacobian(y, x), [[2.0, 0.0], [0.0, 4.0]])


def test_second_order():
    x = tf.constant(2.0)
    g = tf.function(lambda: x * x * x)
    g()
    with tf.GradientTape() as outer:
        outer.watch(x)
        first = gradient(g, x)
    assert first.numpy() == 12.0 and outer.gradient(first, x).numpy() == 12.0


def test_a_second_tensor_watched_later_still():
    x, y = tf.constant(2.0), tf.constant(3.0)
    g = tf.function(lambda: x * y)
    g()
    assert gradient(g, x).numpy() == 3.0
    assert gradient(g, y).numpy() == 2.0
    assert gradient(g, x).numpy() == 3.0


def test_calls_with_no_tape_are_as_before():
    x = tf.constant(2.0)
    runs = []

    @tf.function
    def g():
        runs.append(1)
        return x * x

    g()
    with tf.GradientTape() as tape:
        other = tf.constant(1.0)
        tape.watch(other)
        g()
    assert len(runs) == 1
    gradient(g, x)
    gradient(g, x)
    assert len(runs) == 2 and g().numpy() == 4.0


def test_numbers_that_only_the_trace_knows_are_not_looked_for():
    f = tf.function(lambda x: x * 2.0 + 3.0)
    assert not f.get_concrete_function(tf.constant(1.0))._unwatched


def test_a_tensor_that_nobody_holds_is_freed():
    x = tf.ones([2, 2])
    held = [x]
    g = tf.function(lambda: tf.reduce_sum(held[0] * 2.0))
    g()
    gone = weakref.ref(x)
    del x
    held.clear()
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("fold", [tf.foldl, tf.foldr, tf.scan])
def test_a_loop_over_constants_one_of_which_is_watched(fold):
    begin, rows = tf.constant([1.0, 2.0]), tf.constant([[1.0, 1.0], [3.0, 2.0], [0.5, 4.0]])

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(begin)
            y = fold(lambda a, row: a * row + 1.0, rows, initializer=begin)
        return tape.gradient(y, begin)

    assert tf.function(gradient)().numpy().tolist() == gradient().numpy().tolist()


def test_what_was_computed_from_it_is_used_by_the_graph_before_more_is_computed():
    x = tf.constant([1.0, 2.0])

    @tf.function
    def g(k):
        y = x * 2.0
        node = y + k
        z = y * 3.0
        return node, z * z, z * k, y

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = g(tf.constant(1.0))
    assert [tape.gradient(y, x).numpy().tolist() for y in ys] == [
        [2, 2], [72, 144], [6, 6], [2, 2]]


def test_what_was_computed_from_it_is_assigned_before_more_is_computed():
    x, v = tf.constant([1.0, 2.0]), tf.Variable([0.0, 0.0])

    @tf.function
    def g():
        y = x * 2.0
        v.assign(y)
        return y * 3.0

    assert gradient(g, x).numpy().tolist() == [6, 6]


def _chosen(body, k):
    return tf.cond(k > 0.0, body, lambda: tf.zeros([2]))


def _repeated(body, k):
    return tf.while_loop(lambda i, _: i < 2, lambda i, _: (i + 1, body()), (0, tf.zeros([2])))[1]


@pytest.mark.parametrize("run", [_chosen, _repeated])
def test_what_a_body_computes_from_it_and_assigns(run):
    x, v = tf.constant([1.0, 2.0]), tf.Variable([0.0, 0.0])

    @tf.function
    def g(k):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x

                def body():
                    z = y * 2.0
                    v.assign(z)
                    return z * z

                found = run(body, k)
            first = inner.gradient(found, x)
        return first, outer.gradient(first, x)

    first, second = g(tf.constant(1.0))
    assert first.numpy().tolist() == [16, 128]
    assert second.numpy().tolist() == [48, 192]


def test_what_a_body_computes_from_it_in_bodies_within():
    x = tf.constant([1.0, 2.0])

    @tf.function
    def g(k):
        y, total = x * x, tf.zeros([2])
        for _ in tf.range(2):
            w = y * 3.0
            if k > 0.0:
                u = w * w
                for _ in tf.range(2):
                    total += u * k
        return total

    with tf.GradientTape() as tape:
        tape.watch(x)
        found = g(tf.constant(1.0))
    assert found.numpy().tolist() == [36, 576]
    assert tape.gradient(found, x).numpy().tolist() == [144, 1152]
