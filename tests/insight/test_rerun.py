"""After a NaN was fetched the next call of the step is preceded by one checked run."""

import logging

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.insight import rerun


@pytest.fixture
def said(caplog):
    rerun.FIRST.clear()  # the steps of other tests
    with caplog.at_level(logging.WARNING, "tensorflow"):
        yield caplog
    rerun._waiting.clear()


def step_of(w, loss_of, rate=0.1):
    @tf.function
    def train(x):
        with tf.GradientTape() as tape:
            loss = loss_of(w, x)
        w.assign_sub(rate * tape.gradient(loss, w))
        return loss
    return train


FETCHES = {"float": float, "numpy": lambda y: y.numpy(), "format": lambda y: f"{y:.2f}",
           "str": str, "array": np.asarray}


@pytest.mark.parametrize("fetch", FETCHES)
def test_a_slope_of_a_root(said, fetch):
    train = step_of(tf.Variable([0.0, 1.0], name="w"),
                    lambda w, x: tf.reduce_sum(tf.sqrt(w * x)))
    for _ in range(5):
        FETCHES[fetch](train(tf.constant([1.0, 2.0])))
    assert said.text.count("tapeflow: NaN in what 'train' computes") == 1
    assert "born in the gradient of sqrt" in said.text
    assert "lambda w, x: tf.reduce_sum(tf.sqrt(w * x))" in said.text and "remedy: " in said.text


def test_a_step_that_diverges(said):
    train = step_of(tf.Variable(1.0), lambda w, x: tf.square(w * x - 3.0), 10.0)
    for _ in range(40):
        float(train(tf.constant(2.0)))
    assert "repeated" in said.text and "inf born in square" in said.text
    assert "learning rate" in said.text


def test_data_that_is_nan(said):
    w = tf.Variable([1.0, 1.0])
    train = step_of(w, lambda w, x: tf.reduce_sum(w * x))
    for x in ([1.0, 2.0], [1.0, np.nan], [1.0, np.nan]):
        float(train(tf.constant(x)))
    assert "was there before: a constant or input at [1]" in said.text
    assert np.isnan(w.numpy()).tolist() == [False, True]  # as without the report


def test_without_a_further_call_the_way_on_is_said(said):
    train = step_of(tf.Variable([0.0]), lambda w, x: tf.reduce_sum(tf.sqrt(w)))
    for _ in range(2):
        value = float(train(tf.constant(1.0)))
    assert np.isnan(value) and said.text == ""
    rerun._tell_rest()
    assert "is not finite any more" in said.text and "tapeflow run --debug" in said.text


def test_what_is_no_step_is_left_alone(said):
    f = tf.function(lambda x: tf.sqrt(x))
    for _ in range(3):
        float(f(tf.constant(-1.0)))
    float(tf.constant(np.nan))
    assert said.text == ""


def test_an_eager_loop_is_told_the_way_on_once(said):
    rerun._told.clear()
    w = tf.Variable([0.0, -1.0])
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w))
        w.assign_sub(tape.gradient(loss, w))
        float(loss)
    assert said.text.count("a NaN was read that a tape has recorded") == 1
    assert "tf.insight.debug()" in said.text


def test_effects_are_not_repeated(said):
    calls = []
    w = tf.Variable([0.0])

    @tf.function
    def train():
        tf.py_function(lambda: calls.append(1), [], [])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w))
        w.assign_sub(tape.gradient(loss, w))
        return loss

    for _ in range(4):
        float(train())
    assert len(calls) == 4 and "tapeflow run --debug" in said.text


def test_keras_fit_loses_no_batch(said):
    x = np.ones((32, 2), "f")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", lambda t, p: tf.reduce_mean(tf.math.log(p - p)))
    history = model.fit(x, x[:, :1], epochs=2, batch_size=8, verbose=0)
    assert len(history.history["loss"]) == 2
    assert int(model.optimizer.iterations.numpy()) == 8
    assert "-inf born in log" in said.text and "tf.math.log(p - p)" in said.text
