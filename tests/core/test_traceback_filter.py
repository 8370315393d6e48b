"""Tracebacks of tf.functions show the user's lines alone, unless all are asked for."""

import traceback

import numpy as np
import pytest

import tapeflow as tf


def files_of(error):
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def failure(function, *args):
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError, ZeroDivisionError)) as caught:
        function(*args)
    return caught.value


@tf.function
def product(a, b):
    return inner_product(a, b)


def inner_product(a, b):
    return tf.matmul(a, b)


@tf.function
def reshaped(a, size):
    return tf.reshape(a, size)


def test_a_shape_error_while_tracing():
    files = files_of(failure(product, tf.ones([2, 3]), tf.ones([2, 3])))
    assert set(files) == {__file__} and len(files) == 3


def test_an_error_of_a_run_first_and_later():
    for _ in range(3):
        error = failure(reshaped, tf.ones([2, 3]), tf.constant([4]))
        assert set(files_of(error)) == {__file__}
        assert "return tf.reshape(a, size)" in error.__notes__[0]


def test_all_frames_are_shown_on_demand():
    tf.debugging.disable_traceback_filtering()
    try:
        files = files_of(failure(product, tf.ones([2, 3]), tf.ones([2, 3])))
    finally:
        tf.debugging.enable_traceback_filtering()
    assert any("tapeflow" in path for path in files) and len(files) > 8


def test_what_the_users_code_raises_keeps_its_lines_and_cause():
    @tf.function
    def divides(x):
        try:
            return x / (1 // 0)
        except ZeroDivisionError as error:
            raise ValueError("mine") from error

    error = failure(divides, tf.constant(1.0))
    assert set(files_of(error)) == {__file__} == set(files_of(error.__cause__))


def test_keras_fit():
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    model.compile("sgd", lambda t, p: tf.matmul(t, p))
    error = failure(lambda: model.fit(np.ones((4, 2)), np.ones((4, 2)), verbose=0))
    assert not any("/tapeflow/" in path.replace(__file__, "") for path in files_of(error))
    assert __file__ in error.__notes__[0]
