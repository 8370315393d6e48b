"""Mistakes of whole programs: a bandit, a GAN, a PINN, a recurrent loop, mixed precision.

What each is told names the line where there is one, and what to do. (Those that end in NaN are in
`research_nan_mistakes.py`.)
"""

import inspect

import pytest

import tapeflow as tf


def line_of(function):
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if "# here" in line)


def copies_as_sources(w, tape):
    before = tf.identity(w)
    with tape:
        return tf.reduce_sum(w * w), before


def arguments_swapped(w, tape):
    with tape:
        loss = tf.reduce_sum(w * w)
    return w, loss


def another_tapes_loss(w, tape):
    with tape:
        tf.reduce_sum(w * w)  # here
    with tf.GradientTape():
        return tf.reduce_sum(w * 3.0), w


def fakes_made_before_the_block(w, tape):
    fake = tf.tanh(w)
    with tape:
        return -tf.reduce_mean(fake * tf.Variable([1.0, 2.0])), w


def a_reward_by_a_sampled_index(w, tape):
    reward = tf.constant([1.0, 2.0])
    with tape:
        action = tf.random.categorical(w[None], 1)[0, 0]  # here
        return -reward[action], w


def a_second_derivative_after_both_blocks(w, tape):
    with tape, tf.GradientTape() as inner:
        u = tf.reduce_sum(tf.tanh(w))  # here
    return inner.gradient(u, w), w


def coordinates_cut_out_before_they_are_watched(w, tape):
    points = tf.constant([[1.0, 2.0]])
    x = points[:, :1]
    with tape:
        tape.watch(x)
        return tf.reduce_sum(points * w), x


def a_target_network_stopped_on_both_sides(w, tape):
    with tape:
        target = tf.reduce_max(w)
        return tf.stop_gradient((target - w[0]) ** 2), w  # here


NONES = {copies_as_sources: "differentiate the same one", arguments_swapped: "takes the loss first",
         another_tapes_loss: "of this very tape", fakes_made_before_the_block: "inside the block",
         a_reward_by_a_sampled_index: "log-probability",
         a_second_derivative_after_both_blocks: "inside the block of the outer tape",
         coordinates_cut_out_before_they_are_watched: "this very object",
         a_target_network_stopped_on_both_sides: "Remove it"}


@pytest.mark.parametrize("function", NONES, ids=lambda one: one.__name__)
def test_a_none_is_named(function):
    w = tf.Variable([1.5, 2.5], name="w")
    with tf.insight.positions():
        tape = tf.GradientTape()
        target, source = function(w, tape)
    assert tape.gradient(target, source) is None
    text = str(tape.explain(target, source))
    assert NONES[function] in text, text
    if "# here" in inspect.getsource(function):
        assert f"test_research_mistakes.py:{line_of(function)})" in text, text


def test_a_layer_without_weights():
    class Scale(tf.Module):
        def __init__(self):
            super().__init__()
            self.scale = tf.ones([2])

    with tf.GradientTape() as tape:
        y = tf.reduce_sum(Scale().scale)
    tape.gradient(y, Scale().trainable_variables)
    assert "not tensors" in str(tape.explain(y, Scale().trainable_variables))


def zeros(function, w):
    with tf.insight.positions(), tf.GradientTape() as tape:
        y = function(w)
    (row,) = tape.report(y, w).rows
    assert row.verdict == "zero" and f"test_research_mistakes.py:{line_of(function)}" in row.where
    return row.text


def test_products_that_float16_rounds_to_zero():
    def loss(w):
        return tf.reduce_mean((w * tf.constant(1e-4, tf.float16)) ** 2)  # here

    assert "LossScaleOptimizer" in zeros(loss, tf.Variable(tf.fill([2], tf.cast(1e-3, "float16"))))


def test_a_second_derivative_of_a_relu():
    with tf.insight.positions(), tf.GradientTape() as tape:
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as inner:
            u = tf.reduce_sum(tf.nn.relu(w))
        y = tf.reduce_sum(inner.gradient(u, w))
    (row,) = tape.report(y, w).rows
    assert row.verdict == "zero" and "straight lines" in row.text and "softplus" in row.text


def test_an_array_whose_writes_are_dropped():
    @tf.function
    def unrolled(w):
        out, h = tf.TensorArray(tf.float32, 2), tf.constant(0.0)
        for i in tf.range(2):
            h = tf.tanh(h + w[i])
            out.write(i, h)
        return out.stack()

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"array = array.write\(i, x\)"):
        unrolled(tf.constant([1.0, 2.0]))


def test_tensors_kept_from_a_trace():
    losses = []
    forward = tf.function(lambda x: losses.append(x * 2.0), autograph=False)
    forward(tf.constant(1.0))
    with pytest.raises(TypeError, match="Use return values"):
        losses[0] + 1.0


def test_pairs_in_the_wrong_order():
    gradient = tf.constant([1.0])
    assert not hasattr(gradient, "_unique_id") and hasattr(tf.Variable(1.0), "_unique_id")
    with pytest.raises(AttributeError, match=r"zip\(gradients, variables\)"):
        gradient._unique_id
