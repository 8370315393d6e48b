"""Derivatives of solutions: against closed forms, to third order, in every mode."""

import inspect

import numpy as np
import pytest

import tapeflow as tf

G = tf.gradients
A = np.random.RandomState(0).rand(6, 3)
B = tf.constant([4.0, 9.0], tf.float64)


def roots(**options):
    return G.implicit_gradient(tf.sqrt, optimality=lambda x, a: x * x - a, tolerance=1e-12,
                               **options)


def test_a_solver_that_says_what_its_arguments_are():
    """As public functions do that are wrapped: the solution has a signature of its own."""
    def root(a, name=None):
        return tf.sqrt(a)

    root.__signature__ = inspect.signature(root)
    solved = G.implicit_gradient(root, optimality=lambda x, a: x * x - a, tolerance=1e-12)
    np.testing.assert_allclose(tf.function(solved)(B), [2.0, 3.0])


@pytest.mark.parametrize("solve", ["auto", "dense", "cg", "bicgstab", "own"])
@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_roots(solve, wrap):
    if solve == "own":
        solve = lambda product, b: [b[0] / product([tf.ones_like(b[0])])[0]]
    root, ones = roots(solve=solve), tf.ones(2, tf.float64)
    f = lambda b: tf.reduce_sum(root(b) ** 3)
    x = B.numpy()
    np.testing.assert_allclose(wrap(root)(B), np.sqrt(x))
    np.testing.assert_allclose(wrap(lambda b: G.value_and_grad(f)(b)[1])(B), 1.5 * np.sqrt(x))
    np.testing.assert_allclose(wrap(lambda b: G.hvp(f, b, ones))(B), 0.75 / np.sqrt(x))
    np.testing.assert_allclose(wrap(lambda b: G.jvp(root, b, ones)[1])(B), 0.5 / np.sqrt(x))
    with tf.GradientTape() as tape:  # outside of the function
        tape.watch(B)
        y = wrap(f)(B)
    np.testing.assert_allclose(tape.gradient(y, B), 1.5 * np.sqrt(x))


def test_third_order():
    third = G.value_and_grad(lambda a: G.value_and_grad(lambda a: G.value_and_grad(
        lambda a: tf.reduce_sum(roots()(a)))(a)[1])(a)[1])
    np.testing.assert_allclose(third(tf.constant(4.0, tf.float64))[1], 0.375 * 4 ** -2.5)


def test_fixed_points_of_structures():
    """x = cos(x) / 2 + a, y = x · b."""
    def step(state, a, b):
        return {"x": tf.cos(state["x"]) / 2 + a, "y": state["x"] * b}

    @G.implicit_gradient(fixed_point=step)
    def solve(a, b):
        state = {"x": tf.zeros_like(a), "y": tf.zeros_like(a)}
        for _ in range(60):
            state = step(state, a, b)
        return state

    a, b = tf.constant(0.3, tf.float64), tf.constant(2.0, tf.float64)
    (value, slopes) = G.value_and_grad(lambda a, b: solve(a, b)["y"], argnums=(0, 1))(a, b)
    x = value.numpy() / 2
    np.testing.assert_allclose(slopes[0], 2 / (1 + np.sin(x) / 2))
    np.testing.assert_allclose(slopes[1], x)


@pytest.mark.parametrize("solve", ["auto", "cg"])
def test_minimisers_and_variables(solve):
    strength = tf.Variable(0.5, dtype=tf.float64)
    y = tf.constant(np.random.RandomState(1).rand(6))

    @G.implicit_gradient(objective=lambda w, y: tf.reduce_sum(
        (tf.linalg.matvec(A, w) - y) ** 2) + strength * tf.reduce_sum(w ** 2), solve=solve,
        tolerance=1e-13)
    def ridge(y):  # a solver without tensors
        return np.linalg.solve(A.T @ A + strength.numpy() * np.eye(3), A.T @ y.numpy())

    def direct(y):
        matrix = tf.constant(A.T @ A) + strength * tf.eye(3, dtype=tf.float64)
        return tf.linalg.solve(matrix, tf.linalg.matvec(A, y, transpose_a=True)[:, None])[:, 0]

    found = []
    for f in (ridge, direct):
        with tf.GradientTape() as outer, tf.GradientTape() as tape:
            tape.watch(y)
            outer.watch(y)
            loss = tf.reduce_sum(f(y) ** 2)
            slopes = tape.gradient(loss, [strength, y])
        found.append([*slopes, *outer.gradient(slopes[0], [strength, y])])
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=1e-9)


def test_many_unknowns_without_a_matrix():
    n = 2000
    laplace = lambda x: 3 * x - tf.roll(x, 1, 0) - tf.roll(x, -1, 0)
    solve = G.implicit_gradient(
        lambda b: np.fft.ifft(np.fft.fft(b) / (3 - 2 * np.cos(2 * np.pi * np.arange(n) / n))).real,
        optimality=lambda x, b: laplace(x) - b, solve="cg", tolerance=1e-12)
    b = tf.constant(np.cos(np.arange(n) ** 2.0))
    value, slope = G.value_and_grad(lambda b: tf.reduce_sum(solve(b) ** 2))(b)
    np.testing.assert_allclose(laplace(slope), 2 * solve(b).numpy(), atol=1e-9)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="one of optimality"):
        G.implicit_gradient(tf.sqrt)
    with pytest.raises(ValueError, match="one of optimality"):
        G.implicit_gradient(tf.sqrt, optimality=tf.sqrt, objective=tf.sqrt)
    with pytest.raises(ValueError, match="solve must be"):
        G.implicit_gradient(tf.sqrt, optimality=tf.sqrt, solve="lu")
    with pytest.raises(ValueError, match="result like x"):
        G.implicit_gradient(tf.sqrt, optimality=lambda x, a: tf.reduce_sum(x * x - a))(B)
