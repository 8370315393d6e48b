"""Functions of matrices at repeated, nearly repeated and separate values."""

import numpy as np
import pytest
import scipy.linalg

import tapeflow as tf

G = tf.gradients
RANDOM = np.random.RandomState(0)
Q = np.linalg.qr(RANDOM.randn(4, 4))[0]
W = RANDOM.randn(4, 4)
SYMMETRIC = W + W.T
SPECTRA = [[1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 2, 2], [1, 1 + 1e-9, 1 + 1e-6, 1 + 1e-3],
           [-1, 0, 1e-13, 2], [0.1, 0.4, 0.7, 1.0]]


def matrix(values):
    a = (Q * np.array(values, float)) @ Q.T
    return tf.constant((a + a.T) / 2)


def differences(f, a):
    """Gradient by central differences of fourth order."""
    found, h = np.zeros_like(a), 1e-3
    for place in np.ndindex(a.shape):
        e = np.zeros_like(a)
        e[place] = h
        found[place] = (8 * (f(a + e) - f(a - e)) - (f(a + 2 * e) - f(a - 2 * e))) / (12 * h)
    return found


def gradient(f, a):
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = f(a)
    return tape.gradient(y, a)


def exponential(values, vectors):
    return tf.matmul(vectors * tf.exp(values)[..., None, :], vectors, transpose_b=True)


def test_tensorflows_own_is_as_in_tensorflow():
    found = gradient(lambda a: tf.reduce_sum(exponential(*tf.linalg.eigh(a))), tf.eye(2))
    np.testing.assert_allclose(found, np.e * np.eye(2), rtol=1e-6)


# -- spectral_function -----------------------------------------------------------------------------
@pytest.mark.parametrize("values", SPECTRA, ids=str)
def test_derivatives_of_the_exponential(values):
    a = matrix(values)

    def f(a):
        return tf.reduce_sum(G.spectral_function(tf.exp, a) * SYMMETRIC)

    wanted = scipy.linalg.expm_frechet(a.numpy(), SYMMETRIC, compute_expm=False)
    np.testing.assert_allclose(gradient(f, a), wanted, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(gradient(tf.function(f), a), wanted, rtol=1e-11, atol=1e-12)
    value, slope = G.jvp(lambda a: G.spectral_function(tf.exp, a), a, SYMMETRIC)
    np.testing.assert_allclose(value, scipy.linalg.expm(a.numpy()), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(slope, wanted, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("values", SPECTRA[:4], ids=str)
def test_higher_derivatives(values):
    """Those of A⁴, which need no eigenvalues."""
    a, e = matrix(values), tf.constant(np.diag([1.0, 2.0, 0.5, 1.0]) + 0.1)

    def by_spectrum(a):
        return tf.reduce_sum(tf.sin(G.spectral_function(lambda x: x ** 4, a)) * SYMMETRIC)

    def by_products(a):
        square = a @ a
        return tf.reduce_sum(tf.sin(square @ square) * SYMMETRIC)

    def third(f):
        return gradient(lambda a: tf.reduce_sum(G.hvp(f, a, e) * e), a)

    for order in (lambda f: G.hvp(f, a, e), third):
        wanted = order(by_products).numpy()
        np.testing.assert_allclose(order(by_spectrum), (wanted + wanted.T) / 2, rtol=1e-9,
                                   atol=1e-9)


def test_near_a_singularity():
    """log at tiny eigenvalues: the gaps are small, and so is the distance to zero."""
    values = np.array([1e-9, 1.001e-9, 2e-9, 1.0])
    a = tf.constant(np.diag(values))
    found = gradient(lambda a: tf.reduce_sum(G.spectral_function(tf.math.log, a) * W), a).numpy()
    gaps = values[:, None] - values + np.eye(4)
    table = np.log1p(gaps / values) / gaps
    np.fill_diagonal(table, 1 / values)
    np.testing.assert_allclose(found, table * SYMMETRIC / 2, rtol=1e-7)


def test_parameters_batches_and_single_precision():
    power = tf.Variable(0.7)

    def f(a):
        return tf.reduce_sum(G.spectral_function(lambda x, p: tf.exp(p * x), a, power))

    a = tf.stack([tf.eye(3), 2 * tf.eye(3)])
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        outer.watch(a)
        tape.watch(a)
        y = f(a)
    of_power, of_a = tape.gradient(y, [power, a])
    np.testing.assert_allclose(of_power, 3 * np.exp(0.7) + 6 * np.exp(1.4), rtol=1e-5)
    np.testing.assert_allclose(of_a, 0.7 * np.exp([[[0.7]], [[1.4]]]) * np.ones((2, 3, 3)),
                               rtol=1e-5)
    mixed = gradient(lambda a: G.value_and_grad(lambda p: tf.reduce_sum(G.spectral_function(
        lambda x, q: tf.exp(q * x), a, p)))(power.value())[1], tf.eye(3))
    np.testing.assert_allclose(mixed, 1.7 * np.exp(0.7) * np.ones((3, 3)), rtol=1e-5)
    rows = tf.vectorized_map(lambda one: gradient(f, one), a)
    np.testing.assert_allclose(rows, of_a, rtol=1e-6)


# -- eigh and svd ----------------------------------------------------------------------------------
def smooth(values, vectors):
    x = exponential(values, vectors)
    return tf.reduce_sum(x * W) + 0.1 * tf.linalg.trace(x @ x @ SYMMETRIC)


TRACED = tf.function(lambda a: G.eigh(smooth, a))


def smooth_by_numpy(a):
    x = scipy.linalg.expm((a + a.T) / 2)
    return (x * W).sum() + 0.1 * np.trace(x @ x @ SYMMETRIC)


@pytest.mark.parametrize("values", SPECTRA, ids=str)
def test_eigh_of_a_smooth_function(values):
    a = matrix(values)
    wanted = differences(smooth_by_numpy, a.numpy())
    np.testing.assert_allclose(gradient(lambda a: G.eigh(smooth, a), a), wanted, rtol=3e-8,
                               atol=3e-8)
    np.testing.assert_allclose(gradient(TRACED, a), wanted, rtol=3e-8, atol=3e-8)


@pytest.mark.parametrize("shape", [(4, 3), (3, 3), (3, 4)], ids=str)
@pytest.mark.parametrize("values", [[1, 1, 1], [2, 1, 1], [1, 1, 0], [0, 0, 0], [3, 2, 1],
                                    [1, 1 - 1e-7, 1e-8]], ids=str)
def test_svd_of_a_smooth_function(shape, values):
    u = np.linalg.qr(RANDOM.randn(shape[0], 3))[0]
    v = np.linalg.qr(RANDOM.randn(shape[1], 3))[0]
    a, w = (u * np.array(values, float)) @ v.T, W[:shape[0], :shape[1]]

    def f(s, u, v):
        odd = tf.matmul(u * (s ** 3 + 2 * s), v, transpose_b=True)
        even = tf.matmul(u * s ** 2, u, transpose_b=True)
        return {"loss": tf.reduce_sum(odd * w) + tf.reduce_sum(even ** 2)}

    wanted = differences(lambda a: ((a @ a.T @ a + 2 * a) * w).sum() + ((a @ a.T) ** 2).sum(), a)
    found = gradient(lambda a: G.svd(f, a)["loss"], tf.constant(a))
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9)


def test_what_the_function_closes_over_has_its_gradient():
    scale = tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = G.eigh(lambda values, vectors: scale * tf.reduce_sum(exponential(values, vectors)),
                   scale * tf.eye(2, dtype=tf.float64))
    np.testing.assert_allclose(tape.gradient(y, scale), 2 * np.exp(2) + 2 * 2 * np.exp(2))


def products(a):
    """What `of_products` has, without a decomposition."""
    a = (a + tf.transpose(a)) / 2
    return tf.reduce_sum(tf.sin(a @ a @ a) * W)


def of_products(values, vectors):
    return tf.reduce_sum(tf.sin(tf.matmul(vectors * values ** 3, vectors, transpose_b=True)) * W)


@pytest.mark.parametrize("values", SPECTRA, ids=str)
def test_eigh_has_derivatives_of_every_order_in_both_modes(values):
    a, e = matrix(values), tf.constant(SYMMETRIC)
    f = tf.function(lambda a: G.eigh(of_products, a), autograph=False)
    by_differences = differences(
        lambda x: (gradient(products, tf.constant(x)).numpy() * SYMMETRIC).sum(), a.numpy())
    wanted = G.hvp(products, a, e)
    np.testing.assert_allclose(wanted, by_differences, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(G.hvp(lambda a: G.eigh(of_products, a), a, e), wanted, rtol=1e-7,
                               atol=1e-7)
    np.testing.assert_allclose(gradient(lambda a: tf.reduce_sum(gradient(f, a) * e), a), wanted,
                               rtol=1e-7, atol=1e-7)
    value, slope = G.jvp(lambda a: G.eigh(of_products, a), a, e)
    np.testing.assert_array_equal(value, of_products(*tf.linalg.eigh(a)))
    np.testing.assert_allclose(slope, G.jvp(products, a, e)[1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("values", [[1, 1, 1], [2, 1, 1], [1, 1, 0], [0, 0, 0], [3, 2, 1],
                                    [1, 1 - 1e-7, 1e-8]], ids=str)
@pytest.mark.parametrize("size", [1.0, 1e-6])
def test_svd_has_second_derivatives(values, size):
    u, v = np.linalg.qr(RANDOM.randn(4, 3))[0], np.linalg.qr(RANDOM.randn(3, 3))[0]
    a = tf.constant(size * (u * np.array(values, float)) @ v.T)
    e, w = tf.constant(RANDOM.randn(4, 3)), W[:, :3]

    def of_svd(s, u, v):
        s = s / size
        return tf.reduce_sum(tf.sin(tf.matmul(u * s ** 3, v, transpose_b=True)) * w)

    def of_matrix(a):
        a = a / size
        return tf.reduce_sum(tf.sin(a @ tf.transpose(a) @ a) * w)

    by_differences = differences(lambda x: (gradient(of_matrix, tf.constant(
        size * x)).numpy() * size * e.numpy()).sum(), a.numpy() / size)
    found = G.hvp(lambda a: G.svd(of_svd, a), a, size * e) * size
    np.testing.assert_allclose(found, by_differences, rtol=2e-6, atol=2e-6)


def test_mixed_derivatives_by_what_the_function_closes_over():
    c, a = tf.constant(0.7), tf.stack([tf.eye(3), 2 * tf.eye(3)])
    with tf.GradientTape() as outer:
        outer.watch(a)
        of_c = gradient(lambda c: tf.reduce_sum(
            G.eigh(lambda values, v: exponential(c * values, v), a)), c)
    wanted = np.exp([[[0.7]], [[1.4]]]) * [[[1.7]], [[2.4]]] * np.ones((2, 3, 3))
    np.testing.assert_allclose(outer.gradient(of_c, a), wanted, rtol=2e-5)
    rows = tf.vectorized_map(lambda one: gradient(
        lambda a: tf.reduce_sum(G.eigh(exponential, a)), one), a)
    np.testing.assert_allclose(rows, np.exp([[[1.]], [[2.]]]) * np.ones((2, 3, 3)), rtol=2e-5)


def test_what_has_no_derivative_is_nan_and_what_cannot_be_is_refused():
    assert np.isnan(gradient(lambda a: G.eigh(lambda _, v: v[0, 1], a), tf.eye(2))).any()
    assert np.isnan(gradient(lambda a: G.eigh(lambda e, _: e[-1], a), tf.eye(3))).any()
    assert np.isnan(gradient(lambda a: G.svd(lambda s, u, v: s[-1], a), tf.zeros([3, 2]))).any()
    y, slope = G.value_and_grad(lambda a: G.eigh(lambda e, _: e[:2], a)[0])(
        tf.linalg.diag([1.0, 2.0, 2.0]))
    assert y == 1.0 and np.isfinite(slope).all()  # only what is not smooth is NaN
    with pytest.raises(TypeError, match="complex64"):
        G.eigh(smooth, tf.complex(tf.eye(2), tf.eye(2)))
    with pytest.raises(ValueError, match="square"):
        G.spectral_function(tf.exp, tf.ones([2, 3]))
    with pytest.raises(ValueError, match="scalars"):
        G.spectral_function(tf.exp, tf.eye(2), [1.0, 2.0])
