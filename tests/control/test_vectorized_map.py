"""tf.vectorized_map: structures, sizes, fallback, randomness, values that Python may not have."""

import numpy as np
import pytest

import tapeflow as tf


def test_structures_in_and_out():
    elems = {"a": tf.constant([1.0, 2.0]), "b": [tf.constant([[1.0], [2.0]]), np.array([3, 4])]}
    got = tf.vectorized_map(lambda t: (t["a"] * t["b"][0], {"n": t["b"][1] + 1}), elems)
    np.testing.assert_allclose(got[0].numpy(), [[1.0], [4.0]])
    np.testing.assert_array_equal(got[1]["n"].numpy(), [4, 5])


def test_what_no_element_varies_is_repeated():
    c = tf.constant([1.0, 2.0])
    same, number = tf.vectorized_map(lambda x: (c, 3), tf.zeros([4]))
    np.testing.assert_array_equal(same.numpy(), [[1.0, 2.0]] * 4)
    np.testing.assert_array_equal(number.numpy(), [3] * 4)


def test_a_repeated_result_has_a_gradient():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.vectorized_map(lambda x: w * w, tf.zeros([3]))
    assert tape.gradient(y, w).numpy() == 12.0


def test_an_op_without_batch_rule_loops_or_is_refused():
    def f(x):
        return tf.numpy_function(lambda v: v + 1, [x], tf.float32)

    np.testing.assert_array_equal(tf.vectorized_map(f, tf.constant([1.0, 2.0])).numpy(), [2.0, 3.0])
    with pytest.raises(ValueError, match="PyFunc"):
        tf.vectorized_map(f, tf.constant([1.0, 2.0]), fallback_to_while_loop=False)


def test_an_op_without_batch_rule_on_no_elements():
    got = tf.vectorized_map(lambda x: tf.strings.format("{}", x), tf.zeros([0]))
    assert got.shape == (0,) and got.dtype == tf.string


@pytest.mark.parametrize("nested", [False, True])
def test_every_element_draws_its_own_numbers(nested):
    def draw(x):
        return tf.random.normal([2]) + x

    if nested:
        got = tf.vectorized_map(lambda x: tf.vectorized_map(draw, tf.zeros([3])) + x, tf.zeros([4]))
    else:
        got = tf.vectorized_map(draw, tf.zeros([12]))
    assert len(set(got.numpy().ravel().tolist())) == 24


def test_a_seeded_draw_repeats():
    def run():
        tf.random.set_seed(3)
        return tf.vectorized_map(lambda x: x + tf.random.uniform([]), tf.zeros([4])).numpy()

    np.testing.assert_array_equal(run(), run())


def test_recomputed_random_numbers_are_those_of_the_forward_run_in_a_jacobian():
    x = tf.Variable([1.0, 2.0, 3.0])

    @tf.recompute_grad
    def noisy(x):
        return x * tf.random.normal([3])

    with tf.GradientTape() as tape:
        y = noisy(x)
    np.testing.assert_allclose(tf.linalg.diag_part(tape.jacobian(y, x)).numpy(),
                               y.numpy() / x.numpy(), rtol=1e-6)


@pytest.mark.parametrize("use, error", [
    (lambda x: x.numpy(), AttributeError),
    (lambda x: float(x), TypeError),
    (lambda x: 1 if x > 0 else 2, tf.errors.OperatorNotAllowedInGraphError),
    (lambda x: np.asarray(x), NotImplementedError),
    (lambda x: len(tf.stack([x, x])), TypeError),
])
def test_python_cannot_have_the_value_of_one_element(use, error):
    with pytest.raises(error):
        tf.vectorized_map(use, tf.constant([1.0, 2.0]))


def test_the_level_is_left_after_an_exception():
    with pytest.raises(ZeroDivisionError):
        tf.vectorized_map(lambda x: 1 / 0, tf.zeros([2]))
    assert (tf.constant(1.0) + 1.0).numpy() == 2.0
    with tf.GradientTape() as tape:
        v = tf.Variable(2.0)
        y = v * v
    assert tape.gradient(y, v).numpy() == 4.0


def test_effects_with_an_element_happen_for_each(capsys):
    tf.vectorized_map(lambda x: tf.print("element", x), tf.constant([1, 2]))
    tf.vectorized_map(lambda x: tf.print("once"), tf.constant([1, 2]))
    assert capsys.readouterr().err == "element 1\nelement 2\nonce\n"


def test_an_assertion_must_hold_for_every_element():
    tf.vectorized_map(lambda x: tf.debugging.assert_positive(x), tf.constant([1.0, 2.0]))
    for check in (tf.debugging.assert_positive, lambda x: tf.Assert(x > 0.0, ["bad", x]),
                  lambda x: tf.debugging.assert_less(-x, 1.0)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.vectorized_map(check, tf.constant([1.0, -2.0]))
