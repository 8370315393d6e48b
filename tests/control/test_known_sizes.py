"""Loops and branches traced with unknown sizes are native for the sizes that a call brings."""

import numpy as np
import pytest

import tapeflow as tf

W = tf.constant(np.random.default_rng(0).normal(size=(4, 4)).astype("f") / 4)
ANY_BATCH = [tf.TensorSpec((None, 5, 4), tf.float32)]


def recurrent(x):
    """The shape of Keras's own loop over time: a TensorArray, a state, a limit."""
    steps = tf.shape(x)[1]
    rows = tf.transpose(x, (1, 0, 2))
    found = tf.TensorArray(tf.float32, size=steps)

    def body(time, found, state):
        state = tf.tanh(rows[time] + state @ W)
        return time + 1, found.write(time, state), state

    zeros = tf.zeros((tf.shape(x)[0], 4))
    _, found, state = tf.while_loop(lambda time, *_: time < steps, body, (0, found, zeros),
                                    maximum_iterations=steps)
    return tf.transpose(found.stack(), (1, 0, 2)), state


def loss_and_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        hidden, state = recurrent(x)
        again, _ = recurrent(hidden)
        loss = tf.reduce_sum(again * again) + tf.reduce_sum(state)
    return loss, tape.gradient(loss, x)


def choosing(x):
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.reduce_mean(x @ W, 0) + x[0],
                   lambda: tf.reduce_sum(x * 2, 0))


def growing(x):
    """What an iteration changes stays unknown."""
    return tf.while_loop(lambda y: tf.shape(y)[0] < 20, lambda y: [tf.concat([y, y], 0)], [x],
                         shape_invariants=[tf.TensorShape([None, 5, 4])])[0]


@pytest.mark.parametrize("mode", ["off", "now"])
@pytest.mark.parametrize("function", [recurrent, loss_and_gradient, choosing, growing])
def test_the_same_as_eagerly(function, mode, using):
    using(jit=mode)
    traced = tf.function(function, input_signature=ANY_BATCH)
    for rows in (2, 3):
        x = tf.constant(np.random.default_rng(rows).normal(size=(rows, 5, 4)).astype("f"))
        got, want = tf.nest.flatten(traced(x)), tf.nest.flatten(function(x))
        for one, other in zip(got, want, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
    if mode == "now" and function is not growing:
        report = tf.compiler.explain(traced)
        assert report.native, report


def test_sizes_that_the_program_gave_are_those_it_sees():
    seen = []

    @tf.function
    def f(x):
        y = tf.while_loop(lambda y: tf.reduce_sum(y) < 10.0, lambda y: [y + 1], [x],
                          shape_invariants=[tf.TensorShape([None])])[0]
        seen.append(y.shape.as_list())
        return y

    f(tf.ones(3))
    assert seen == [[None]]


GROWING = (tf.TensorShape([]), tf.TensorShape([None, 2]))


@pytest.mark.parametrize("spec", [None, [tf.TensorSpec([None, 2])]])
@pytest.mark.parametrize("native", [None, True])
def test_a_value_that_grows_has_its_gradient(spec, native):
    factor = tf.Variable(0.3)

    @tf.function(input_signature=spec, autograph=False, jit_compile=native)
    def grown(x):
        return tf.while_loop(lambda i, rows: i < 3,
                             lambda i, rows: (i + 1, tf.concat([rows, rows[-1:] * factor], 0)),
                             (0, x), shape_invariants=GROWING)[1]

    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(grown(tf.constant([[1.0, 2.0], [3.0, 4.0]])) ** 2)
    assert float(tape.gradient(loss, factor)) == pytest.approx(18.0645, rel=1e-5)  # TensorFlow's


def test_paddings_that_a_part_of_the_graph_computes():
    @tf.function(input_signature=[tf.TensorSpec([None, None, 3])], autograph=False)
    def padded(x):
        height = tf.shape(x)[0]
        digits = tf.io.decode_raw(tf.strings.as_string(height), tf.uint8)  # never native
        amounts = tf.reshape(tf.concat([[1, 6 - height], [0, 0], [0, 0]], 0), [3, 2])
        return tf.pad(x, amounts), digits

    x = tf.ones([4, 5, 3])
    np.testing.assert_array_equal(padded(x)[0], tf.pad(x, [[1, 2], [0, 0], [0, 0]]))


def test_an_array_of_known_length_keeps_it_though_elements_have_unknown_sizes():
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def rows(x):
        array = tf.TensorArray(tf.float32, 5)
        array = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a.write(i, x)),
                              (0, array))[1]
        return array.stack()

    assert rows.get_concrete_function().outputs[0].shape.as_list() == [5, None, 3]
    assert rows(tf.ones([2, 3])).shape == (5, 2, 3)
