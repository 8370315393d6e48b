"""NumPy's functions on tensors: followed by tapes where asked for, else warned of once a line."""

import threading
import warnings

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.gradients.numpy_escapes import LostGradientWarning

X = tf.constant([1.0, 2.0, 3.0])
M = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0]])

FUNCTIONS = {
    "sin": lambda x: np.sin(x),
    "sum": lambda x: np.sum(x * x, axis=0, keepdims=True),
    "where": lambda x: np.where(x > 1.5, x, 0.0),
    "concatenate": lambda x: np.concatenate([x, np.array([1.0], "float32"), x]),
    "dot": lambda x: np.dot(x, x),
    "mean, exp": lambda x: np.mean(np.exp(x)) * np.float32(2),
    "reduce": lambda x: np.add.reduce(x * x),
    "array first": lambda x: np.array([1.0, 2.0, 3.0]) * x,
    "stack": lambda x: np.stack([x, x * x]),
    "alias": lambda x: np.atan(x) + np.pow(x, 3),
    "einsum": lambda x: np.einsum("i,j->ij", x, x),
    "norm": lambda x: np.linalg.norm(x),
    "solve": lambda x: np.linalg.solve(M, x),
    "det": lambda x: np.linalg.det(np.outer(x, x) + M),
    "inv": lambda x: np.linalg.inv(np.outer(x, x) + M),
    "svd": lambda x: np.linalg.svd(np.outer(x, x) + M)[1],
    "norm of a matrix": lambda x: np.linalg.norm(np.outer(x, x) + M, 1),
    "slogdet": lambda x: np.linalg.slogdet(np.outer(x, x) + M)[1],
    "eigh": lambda x: np.linalg.eigh(np.outer(x, x) + M)[0],
}


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_tape_follows(name, wrap):
    f, x = FUNCTIONS[name], X.numpy().astype("float64")
    wanted = f(x)
    slope = sum(np.eye(3)[i] * np.sum(f(x + 1e-5 * np.eye(3)[i]) - f(x - 1e-5 * np.eye(3)[i]))
                for i in range(3)) / 2e-5
    with tf.numpy_on_tape(), tf.GradientTape() as tape:
        tape.watch(X)
        y = wrap(f)(X)
    assert isinstance(y, tf.Tensor)
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(tape.gradient(y, X), slope, rtol=1e-3, atol=1e-3)


def test_variables_promotion_and_values():
    v = tf.Variable([1.0, 4.0])
    with tf.numpy_on_tape():
        with tf.GradientTape() as tape:
            y = np.multiply(np.sqrt(v), [1.0, 2.0])  # float64, as NumPy promotes
        assert np.asarray(v).dtype == np.float32 and np.shape(v) == (2,)
        assert isinstance(np.fft.fft(v), np.ndarray)
        total = np.zeros(2)
        total += X[:2]
        with pytest.raises(TypeError, match="np.sum of tensors.*where"):
            np.sum(v, where=[True, False])
    assert y.dtype == tf.float64
    np.testing.assert_array_equal(total, [1.0, 2.0])
    np.testing.assert_allclose(tape.gradient(y, v), [0.5, 0.5])


def test_the_switch():
    first = tf.numpy_on_tape()
    with tf.numpy_on_tape():
        assert isinstance(np.sin(X), tf.Tensor)
    assert isinstance(np.sin(X), tf.Tensor)
    first.off()
    first.off()
    assert isinstance(np.sin(X), np.ndarray)
    assert isinstance(np.ones(3, "float32") * X, tf.Tensor)  # as in TensorFlow


def caught(run):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run()
    return [str(one.message).split(" ")[0] for one in found
            if one.category is LostGradientWarning]


def test_a_lost_gradient_is_told_once_a_line():
    def run():
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * v
            for _ in range(3):
                np.sin(y)
            np.sum(y), np.mean(y)
            np.concatenate([y,
                            y])
            np.linalg.norm(y)
            np.exp(v)
        np.cos(y)  # the tape has ended

    assert caught(run) == ["np.sin", "np.sum", "np.concatenate", "np.linalg.norm", "np.exp"]


def test_functions_without_a_counterpart_are_told_too():
    def run():
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * 2.0
            np.median(y)
            np.interp(y, [0.0, 9.0], [0.0, 1.0])
            np.fft.fft(y)
            np.linalg.matrix_power(np.eye(3) * y[0].numpy(), 2), np.unique(y), np.histogram(y)

    assert caught(run) == ["np.median", "np.interp", "np.fft.fft"]

    def on_tape():
        with tf.numpy_on_tape(), tf.GradientTape() as tape:
            tape.watch(X)
            np.median(X * 2.0)
            np.fft.fft(X * 2.0)

    assert caught(on_tape) == ["np.median", "np.fft.fft"]


def test_defaults_are_numpys():
    with tf.numpy_on_tape(), tf.GradientTape() as tape:
        tape.watch(X)
        y = np.sum(np.pad(X, 1) * 2.0)
    np.testing.assert_array_equal(tape.gradient(y, X), [2.0] * len(X))


def test_what_asks_for_a_value_is_no_mistake():
    def run():
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * 2.0
            np.asarray(y), np.array(y), y.numpy(), float(y[0]), f"{y}", list(y), np.isnan(y)
            np.argmax(y), np.shape(y), np.allclose(y, y), y * np.ones(3, "float32")
            np.testing.assert_allclose(y, y)
            np.sin(tf.constant(1.0)), np.round(y), np.sin(y.numpy())
            with tape.stop_recording():
                np.sin(y)

    assert caught(run) == []


def test_other_threads_tapes_do_not_matter():
    found = []
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * 1.0
        thread = threading.Thread(target=lambda: found.append(type(np.sin(y))))
        thread.start()
        thread.join()
    assert found == [np.ndarray]
