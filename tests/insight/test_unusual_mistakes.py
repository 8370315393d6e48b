"""Mistakes of other kinds: what is said of each names the line, and what to do."""

import inspect
import logging

import numpy as np
import pytest

import tapeflow as tf

NONES = []


def none(remedy, line="# here"):
    """A function that returns (tape, target, source); the words and the line of its reason."""
    def add(function):
        NONES.append((function, remedy, line))
        return function
    return add


def line_of(function, mark):
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if mark in line)


@none("reading the variable back")
def a_variable_made_of_a_tensor(w, tape):
    with tape:
        copy = tf.Variable(w * 3.0)  # here
        return tf.reduce_sum(copy * copy)


@none("instead of reading the variable back")
def a_variable_assigned_in_the_block(w, tape):
    state = tf.Variable(0.0, name="state")
    with tape:
        state.assign(tf.reduce_sum(w * w))  # here
        return state * 2.0


@none("instead of reading the variable back")
def rows_of_a_buffer(w, tape):
    buffer = tf.Variable([0.0, 0.0], name="buffer")
    with tape:
        buffer.scatter_nd_update([[0]], tf.stack([w[0] * 2.0]))  # here
        return tf.reduce_sum(buffer)


@none("instead of reading the variable back")
def a_slice_of_a_buffer(w, tape):
    buffer = tf.Variable([0.0, 0.0], name="buffer")
    with tape:
        buffer[:1].assign(w[:1] * 2.0)  # here
        return tf.reduce_sum(buffer)


@none("log-probability")
def a_sampled_action_as_one_hot(w, tape):
    with tape:
        action = tf.random.categorical(w[None], 1)  # here
        return tf.reduce_sum(tf.one_hot(action, 2) * tf.constant([1.0, 3.0]))


@none("inside the `with` block")
def a_loss_after_the_block(w, tape):
    with tape:
        h = w * w  # here
    return tf.reduce_sum(h)


@none(".numpy()")
def a_float_of_a_variable(w, tape):
    with tape:
        rate = float(w[0])  # here
        return tf.constant(3.0) * rate


@none(".numpy()")
def a_list_of_numbers(w, tape):
    with tape:
        numbers = w.numpy().tolist()  # here
        return tf.reduce_sum(tf.constant([v * v for v in numbers]))


@none("tf.data")
def a_dataset_of_what_is_learnt(w, tape):
    with tape:
        rows = tf.data.Dataset.from_tensor_slices(w * 2.0)  # here
        y = tf.constant(0.0)
        for row in rows:
            y = y + row
    return y


@none("model.predict")
def predictions_as_arrays(w, tape):
    layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
    model = tf.keras.Sequential([tf.keras.layers.Input((1,)), layer])
    with tape:
        h = w[:, None] * 2.0
        return tf.reduce_sum(model.predict(h.numpy(), verbose=0))  # here


@none("tf.keras.losses")
def a_metric_as_a_loss(w, tape):
    metric = tf.keras.metrics.MeanSquaredError()
    with tape:
        metric.update_state([0.0, 0.0], w * 1.0)  # here
        return metric.result()


@none("differentiable ops")
def indices_of_the_largest(w, tape):
    with tape:
        _, indices = tf.math.top_k(w, 1)  # here
        return tf.reduce_sum(tf.cast(indices, tf.float32))


@none("log-probability")
def a_sampled_action(w, tape):
    with tape:
        action = tf.random.categorical(w[None], 4)  # here
        return tf.reduce_sum(tf.cast(action, tf.float32))


@none("differentiable ops")
def numbers_as_text(w, tape):
    with tape:
        text = tf.strings.as_string(w)  # here
        return tf.reduce_sum(tf.strings.to_number(text))


@none("differentiable ops")
def a_count(w, tape):
    with tape:
        return tf.cast(tf.math.count_nonzero(w), tf.float32)  # here


@none("straight-through")
def bins_by_whole_division(w, tape):
    with tape:
        return tf.reduce_sum(w // 0.5)  # here


@none("straight-through")
def rounded_in_a_vectorised_map(w, tape):
    with tape:
        return tf.reduce_sum(tf.vectorized_map(lambda v: tf.floor(v) * 2.0, w))  # here


@none("straight-through")
def rounded_in_a_loop(w, tape):
    def body(i, a):
        return i + 1, a + tf.reduce_sum(tf.round(w))  # here
    with tape:
        _, y = tf.while_loop(lambda i, a: i < 3, body, [0, tf.constant(0.0)])
    return y


@none("unconnected_gradients='zero'")
def only_the_shape(w, tape):
    with tape:
        return tf.reduce_sum(tf.ones_like(w) * 2.0)  # here


@none("this very object")
def a_layer_that_leads_nowhere(w, tape):
    with tape:
        h = w * 2.0  # here
        y = tf.constant(1.0) * tf.reduce_sum(tf.Variable([1.0]))
        del h
    return y


@pytest.mark.parametrize("function, remedy, mark", NONES, ids=[row[0].__name__ for row in NONES])
def test_a_none_is_named(function, remedy, mark):
    w = tf.Variable([1.5, 2.5], name="w")
    with tf.insight.positions():
        tape = tf.GradientTape()
        y = function(w, tape)
    assert tape.gradient(y, w) is None
    text = str(tape.explain(y, w))
    assert remedy in text, text
    assert f"test_unusual_mistakes.py:{line_of(function, mark)})" in text, text


def test_nones_without_a_line():
    w, copy = tf.Variable([1.0, 2.0], name="w"), tf.Variable([1.0, 2.0], name="copy")
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tf.reduce_sum(w * 2.0)
        tape.reset()
        y = tf.reduce_sum(copy * copy)
    assert "tape.reset()" in str(tape.explain(y, w)) and "copy of a model" in str(
        tape.explain(y, w))
    assert "take the gradient of w" in str(tape.explain(y, copy[0]))
    with tf.GradientTape() as tape:
        late = tf.reduce_sum(x * x)
        tape.watch(x)
    assert "before tape.watch was called" in str(tape.explain(late, x))


def test_numbers_in_place_of_tensors():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(w * w)
    for target, source in ((y, 2.0), (y, np.ones(2)), (float(y), w)):
        with pytest.raises(AttributeError, match="compute with a tf.Variable"):
            tape.gradient(target, source)


def test_a_tape_that_was_used_up():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = w * w
    tape.gradient(y, w)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, w)


def test_a_custom_gradient_of_another_shape(caplog):
    @tf.custom_gradient
    def twice(x):
        return x * 2.0, lambda g: tf.reduce_sum(g)  # here

    w = tf.Variable([2.0, 1.0])
    with caplog.at_level(logging.WARNING, "tensorflow"):
        for _ in range(2):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(twice(w) * w)
            tape.gradient(y, w)
    line = line_of(test_a_custom_gradient_of_another_shape, "# here")
    assert caplog.text.count(f"test_unusual_mistakes.py:{line} returns a gradient of shape ()") == 1
    assert "for input 0 of shape (2,)" in caplog.text and "input's shape" in caplog.text


FLAT = {
    "sign": lambda w: tf.sign(w) * 3.0, "minimum": lambda w: tf.clip_by_value(w * 99.0, -1.0, 1.0),
    "softmax": lambda w: tf.nn.softmax(w[:, None]), "elu": lambda w: tf.nn.elu(w - 1000.0),
    "maximum": lambda w: tf.maximum(w, 10.0)}


@pytest.mark.parametrize("name", FLAT)
def test_a_gradient_that_is_zero_names_the_op(name):
    w = tf.Variable([2.0, -3.0])
    with tf.insight.positions(), tf.GradientTape() as tape:
        y = tf.reduce_sum(FLAT[name](w))
    (row,) = tape.report(y, w).rows
    assert row.verdict == "zero" and row.where.startswith("test_unusual_mistakes.py:")
    assert row.text.startswith(f"{name} at test_unusual_mistakes.py:"), row.text
    assert ("sigmoid" in row.text) == (name == "softmax")


def test_a_target_from_before_debug_is_said_to_be():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.math.log(x))
    with pytest.raises(tf.insight.NotFiniteError) as caught, tf.insight.debug():
        tape.gradient(y, x)
    assert "computed where nothing was checked" in caught.value.message
    assert "look at the data" not in caught.value.message
