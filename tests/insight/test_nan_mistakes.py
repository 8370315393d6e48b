"""Every classic NaN is named with its line and remedy, eagerly and in tf.functions."""

import inspect

import pytest

import tapeflow as tf
from tests.insight import (
    applied_nan_mistakes,
    classic_nan_mistakes,
    nan_mistakes,
    research_nan_mistakes,
    unusual_nan_mistakes,
)

TABLE = [*nan_mistakes.TABLE, *unusual_nan_mistakes.TABLE, *research_nan_mistakes.TABLE,
         *classic_nan_mistakes.TABLE, *applied_nan_mistakes.TABLE]


def guilty_line(function):
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if "# here" in line)


def step(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = function(x)
    return loss, tape.gradient(loss, x)


def fetched(loss, gradient):
    return float(loss), gradient.numpy()


def found(run):
    with pytest.raises(tf.insight.NotFiniteError) as caught, tf.insight.debug():
        run()
    return caught.value


WAYS = {
    "eager": lambda function, x: step(function, x),
    "tape in a function": lambda function, x: fetched(*tf.function(
        lambda x: step(function, x), autograph=False)(x)),
    "tape around a function": lambda function, x: step(tf.function(function), x),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function, x, remedy", TABLE, ids=[row[0].__name__ for row in TABLE])
def test_line_and_remedy(function, x, remedy, way):
    error = found(lambda: WAYS[way](function, x))
    text = error.message
    assert error.birth.guilty.number == guilty_line(function), text
    assert "nan_mistakes.py" in text and "# here" in text
    assert remedy in error.birth.remedy, text


def test_a_value_that_a_mask_takes_out_does_no_harm():
    with tf.insight.debug():
        x = tf.constant([0.0, 1.0])
        y = tf.where(x > 0.0, tf.math.log(x), 0.0)
        assert float(tf.reduce_sum(y)) == 0.0
        assert float(tf.constant(float("inf"))) == float("inf")  # no op made it


def test_data_that_is_nan_is_said_to_be():
    x, w = tf.constant([[1.0, float("nan")]]), tf.Variable([[1.0], [2.0]], name="w")

    def run():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x @ w)
        tape.gradient(loss, w)

    text = found(run).message
    assert "was there before: input 'x' at [0, 1] (1 of 2 elements)" in text
    assert "look at the data" in text


def test_a_variable_that_held_a_nan_is_named():
    w = tf.Variable([1.0, float("nan")], name="kernel")

    def run():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * 2.0)
        tape.gradient(loss, w)

    text = found(run).message
    assert "variable 'kernel:0' at [1]" in text and "--debug" in text


def test_what_is_assigned_arrives():
    w = tf.Variable([0.0, 1.0], name="w")

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w))
        w.assign_sub(0.1 * tape.gradient(loss, w))

    text = found(train).message
    assert "infinity in what is assigned to variable 'w:0'" in text
    assert "born in the gradient of sqrt" in text and "tf.reduce_sum(tf.sqrt(w))" in text
    assert w.numpy().tolist() == [0.0, 1.0]


def test_loops_and_branches_of_graphs():
    @tf.function
    def run(x):
        for _ in tf.range(3):
            if x > 0.5:
                x = x - 1.0
            else:
                x = tf.math.log(x)
        return x

    error = found(lambda: float(run(tf.constant(1.0))))
    assert error.birth.op == "log" and "x = tf.math.log(x)" in error.message


def test_the_gradient_of_a_loop_names_the_line_of_its_body():
    @tf.function
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(2):
                y = tf.sqrt(y)
        return tape.gradient(y, x)

    error = found(lambda: float(run(tf.constant(0.0))))
    assert "the gradient of sqrt" in error.message and "y = tf.sqrt(y)" in error.message


class Rooted(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        return tf.keras.ops.sqrt(self.dense(x))  # the root


def test_what_keras_computes_names_the_line_of_the_model():
    model = Rooted()
    model.compile("sgd", "mse")
    error = found(lambda: model.fit(-tf.ones([4, 2]), tf.ones([4, 2]), verbose=0))
    assert error.birth.op == "sqrt" and "# the root" in error.birth.caller.text


def test_nothing_is_left_behind():
    from tapeflow.core.state import state

    found(lambda: float(tf.math.log(tf.constant(0.0))))
    assert state.stack == () and state.record_type is None and state.backward_of is None
    assert float(tf.math.log(tf.constant(0.0))) == -float("inf")
