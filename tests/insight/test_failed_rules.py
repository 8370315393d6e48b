"""A gradient that raises: its error names the forward op, the line that called it, the remedy."""

import signal
import traceback

import pytest

import tapeflow as tf

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
REMEDY = "a + 1e-6 * tf.eye(n)"


def told(run, kind=tf.errors.InvalidArgumentError) -> str:
    with pytest.raises(kind) as caught:
        run()
    return "".join(traceback.format_exception_only(caught.value))


def lines_say(text: str, op: str, line: str) -> None:
    _, found, rest = text.partition(f"In the gradient of {op!r}, called at:\n")
    assert found, text
    assert __file__ in rest.splitlines()[0] and line in rest.splitlines()[1]


def slogdet(a):
    return tf.linalg.slogdet(a)[1]  # forward


def det(a):
    return tf.linalg.det(a)  # forward


@pytest.mark.parametrize("function, op", [(slogdet, "log_matrix_determinant"),
                                          (det, "matrix_determinant")])
@pytest.mark.parametrize("wrap", [lambda f: f, tf.function, tf.function(jit_compile=True)])
@pytest.mark.parametrize("debug", [True, False])
def test_the_gradient_of_a_singular_matrix(function, op, wrap, debug):
    a = tf.Variable(SINGULAR)
    function = wrap(function)

    def step():
        with tf.GradientTape() as tape:
            y = function(a)
        return tape.gradient(y, a)

    def watched():
        with tf.insight.debug():
            step()

    text = told(watched if debug else step)
    traced = isinstance(function, tf.types.experimental.GenericFunction)
    if debug or traced or f"{op!r}, called at" in text:
        lines_say(text, op, "# forward")
    else:  # eager tapes keep no lines, and several lines of this file call it
        assert f"In the gradient of {op!r}; run inside `with tf.insight.debug():`" in text, text
    assert REMEDY in text and text.startswith(
        "tapeflow.base.errors.InvalidArgumentError: Input is not invertible.")


def test_a_gradient_inside_a_function():
    a = tf.Variable(SINGULAR)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            y = tf.linalg.slogdet(a)[1]  # in the function
        return tape.gradient(y, a)

    text = told(step)
    lines_say(text, "log_matrix_determinant", "# in the function")
    assert REMEDY in text


def test_jacobians_and_outer_tapes():
    a = tf.Variable(SINGULAR)

    def jacobian():
        with tf.GradientTape() as tape:
            y = tf.linalg.inv(a + tf.eye(2))
            y = tf.linalg.inv(y @ (a + tf.eye(2)))
            y = tf.linalg.det(y - tf.eye(2))  # of a jacobian
        tape.jacobian(y, a)

    lines_say(told(jacobian), "matrix_determinant", "# of a jacobian")

    def outer():
        with tf.GradientTape():
            with tf.GradientTape() as tape:
                _, y = tf.linalg.slogdet(a)  # under two
            tape.gradient(y, a)

    lines_say(told(outer), "log_matrix_determinant", "# under two")


def test_a_rule_of_the_user_s_own():
    @tf.custom_gradient
    def broken(x):
        def grad(upstream):
            raise ValueError("mine")
        return x * x, grad

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = broken(x)  # called
    lines_say(told(lambda: tape.gradient(y, x), ValueError), "broken", "# called")


def test_errors_of_arguments_have_no_note():
    with tf.GradientTape() as tape:
        pass
    assert "In the gradient" not in told(lambda: tape.gradient(None, []), TypeError)


def test_a_logarithm_of_a_determinant_has_its_line(caplog):
    """tf.linalg.logdet is a cholesky: the text of the line says so."""
    a = tf.Variable(SINGULAR)
    with pytest.raises(tf.insight.NotFiniteError) as caught, tf.insight.debug():
        with tf.GradientTape() as tape:
            y = tf.linalg.logdet(a)  # by cholesky
        tape.gradient(y, a)
    assert "# by cholesky" in caught.value.message and "positive definite" in caught.value.message


def test_what_the_handler_of_a_signal_raises_has_no_note():
    def late(*_):
        raise TimeoutError("late")

    @tf.custom_gradient
    def interrupted(x):
        def grad(g):
            signal.raise_signal(signal.SIGUSR1)
            return g
        return x * 2.0, grad

    w = tf.Variable(1.0)
    before = signal.signal(signal.SIGUSR1, late)
    try:
        with tf.GradientTape() as tape:
            y = interrupted(w)
        with pytest.raises(TimeoutError) as caught:
            tape.gradient(y, w)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not hasattr(caught.value, "__notes__")
