"""tf.debugging.enable_check_numerics tells op, inputs and line of the first NaN or infinity."""

import pytest

import tapeflow as tf
from tapeflow.core.state import state


@pytest.fixture(autouse=True)
def checked():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()
    assert state.stack == ()


def message(function, *args):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        function(*args)
    return caught.value.message


def test_eager_names_op_inputs_and_line():
    def user():
        return tf.math.log(tf.constant([1.0, 0.0]))  # the guilty line

    text = message(user)
    assert 'eagerly-executing op "Log"' in text and "tf.Tensor([1. 0.], shape=(2,)" in text
    assert "the guilty line" in text.split("->")[-1]


def test_a_function_names_the_line_that_was_traced():
    @tf.function
    def user(x):
        y = x - 1.0
        return tf.math.log(y)  # the guilty line

    text = message(user, tf.constant([1.0, 3.0]))
    assert 'graph op "Log"' in text and "tf.Tensor([0. 2.], shape=(2,)" in text
    assert "the guilty line" in text.split("->")[-1]


def test_a_function_traced_before_is_checked_too():
    tf.debugging.disable_check_numerics()

    @tf.function
    def user(x):
        return 1.0 / x

    assert user(tf.constant(0.0)) == float("inf")
    tf.debugging.enable_check_numerics()
    assert '"RealDiv"' in message(user, tf.constant(0.0))


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_gradients_are_checked(wrap):
    @wrap
    def user(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sqrt(x)
        return tape.gradient(y, x)  # the guilty line

    text = message(user, tf.constant([0.0, 4.0]))
    assert '"SqrtGrad"' in text and "the guilty line" in text


def test_a_tape_around_a_function_and_variables():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def loss():
        return tf.reduce_sum(tf.math.log(v - 1.0))

    with tf.GradientTape() as tape:
        assert '"Log"' in message(loss)
    v.assign([2.0, 3.0])
    with tf.GradientTape() as tape:
        value = loss()
    assert tape.gradient(value, v).numpy().tolist() == [1.0, 0.5]


def test_other_threads_are_left_alone():
    import threading

    found = []
    thread = threading.Thread(target=lambda: found.append(tf.math.log(tf.constant(0.0)).numpy()))
    thread.start()
    thread.join()
    assert found == [-float("inf")]


def test_long_stacks_are_cut():
    tf.debugging.disable_check_numerics()
    tf.debugging.enable_check_numerics(stack_height_limit=2, path_length_limit=10)

    def deep(n):
        return tf.math.log(tf.constant(0.0)) if n == 0 else deep(n - 1)

    lines = [line for line in message(deep, 9).splitlines() if line.startswith("    + ")]
    assert len(lines) == 3 and "Omitted" in lines[0]
    assert all(line.startswith("    + ...") for line in lines[1:])
