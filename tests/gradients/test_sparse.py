"""Sparse Jacobians and Hessians against dense ones, and their patterns."""

import numpy as np
import pytest
import scipy.sparse

import tapeflow as tf

G = tf.gradients
STENCIL = tf.constant([1.0, -2.0, 1.0], tf.float64)[:, None, None]


def at(*shape):
    return tf.constant(np.random.RandomState(3).rand(*shape) + 0.5)


def dense_jacobian(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    size = int(np.prod(y.shape))
    found = tape.jacobian(y, x, unconnected_gradients="zero")
    return found.numpy().reshape(size, int(np.prod(x.shape)))


# What, of which shape, how many products; entries of the pattern beyond those of the Jacobian.
EXACT = {
    "neighbours": (lambda x: tf.sin(x[1:]) * x[:-1], (10,), 2, 0),
    "sums": (lambda x: tf.concat([x[:5] * x[5:], tf.reduce_sum(x)[None]], 0), (10,), 2, 0),
    "dense row": (lambda x: tf.concat([x ** 2, tf.reduce_sum(x)[None]], 0), (10,), 2, 0),
    "few rows": (lambda x: tf.stack([tf.reduce_sum(x[:5] ** 2), tf.reduce_prod(x[5:])]), (10,), 1,
                 0),
    "convolution": (lambda x: tf.nn.conv1d(x[None, :, None], STENCIL, 1, "SAME") ** 2, (10,), 3, 0),
    "constant matrix": (lambda x: tf.linalg.matvec(tf.eye(10, dtype=tf.float64) + tf.linalg.diag(
        tf.ones(9, tf.float64), k=1), x) ** 2, (10,), 2, 0),
    "gather, segments": (lambda x: tf.gather(x, [1, 3, 3, 5]) * tf.math.unsorted_segment_sum(
        x, [0, 1, 1, 2, 3, 0, 0, 1, 2, 3], 4), (10,), 2, 0),
    "scatter": (lambda x: tf.tensor_scatter_nd_add(x, [[1], [1], [3]], x[:3] * x[4:7]), (10,), 2,
                0),
    "mirrors": (lambda x: tf.pad(tf.reverse(x, [0]), [[1, 2]], "REFLECT") * tf.tile(
        x[:1], [13]), (10,), 2, 0),
    "softmax": (tf.nn.softmax, (3, 4), 4, 0),
    "product with itself": (lambda x: tf.einsum("ij,jk->ik", x, x), (4, 4), 16, 0),
    "inside tf.function": (tf.function(lambda x: tf.sin(x[1:]) * x[:-1]), (10,), 2, 0),
    "nothing": (lambda x: tf.zeros(3, tf.float64), (4,), 1, 0),
    "averages": (lambda x: tf.nn.avg_pool1d(x[None, :, None], 2, 2, "VALID"), (10,), None, 40),
    "triangles": (lambda x: tf.linalg.cholesky(x @ tf.linalg.matrix_transpose(x)), (2, 3, 3), 9,
                  None),
    "batch of products": (lambda x: x @ tf.ones([5, 3, 2], tf.float64), (5, 2, 3), 2, 0),
}


@pytest.mark.parametrize("name", EXACT)
def test_jacobians(name):
    f, shape, products, extra = EXACT[name]
    x = at(*shape)
    wanted, pattern = dense_jacobian(f, x), G.jacobian_pattern(f, x)
    found = G.sparse_jacobian(f, x)
    assert scipy.sparse.issparse(found) and found.format == "csr"
    np.testing.assert_allclose(found.toarray(), wanted, rtol=1e-12, atol=1e-14)
    assert products is None or pattern.products == products
    assert extra is None or pattern.matrix.nnz - np.count_nonzero(wanted) == extra


def rosenbrock(x):
    return tf.reduce_sum((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2)


HESSIANS = {
    "rosenbrock": (rosenbrock, 3),
    "arrow": (lambda x: tf.reduce_sum(x[0] * x[1:] ** 2), 2),
    "stencil": (lambda x: tf.reduce_sum(tf.nn.conv1d(x[None, :, None], STENCIL, 1, "SAME") ** 3),
                5),
    "separable": (lambda x: tf.reduce_sum(tf.exp(x)), 1),
    "linear": (tf.reduce_sum, 1),
    "dense": (lambda x: tf.exp(tf.reduce_sum(x)), 12),
}


@pytest.mark.parametrize("name", HESSIANS)
def test_hessians(name):
    f, products = HESSIANS[name]
    x = at(12)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    found = G.sparse_hessian(f, x)
    np.testing.assert_allclose(found.toarray(), dense_jacobian(slope, x), rtol=1e-11, atol=1e-12)
    assert (abs(found - found.T) > 1e-9).nnz == 0
    assert G.hessian_pattern(f, x).products == products


def test_a_hundred_thousand_variables():
    n = 100_000
    x = tf.constant(np.linspace(0.0, 1.0, n))
    found = G.sparse_hessian(rosenbrock, x)
    v = np.cos(np.arange(n))
    wanted = G.hvp(rosenbrock, x, v)
    np.testing.assert_allclose(found @ v, wanted, rtol=1e-10, atol=1e-8)
    assert found.nnz == 3 * n - 2


def test_a_pattern_serves_again_until_it_does_not_hold():
    def f(x):
        return tf.gather(x, tf.argsort(x)) ** 2

    pattern = G.jacobian_pattern(f, tf.constant([1.0, 2.0, 3.0]))
    found = G.sparse_jacobian(f, tf.constant([4.0, 5.0, 6.0]), pattern)
    np.testing.assert_array_equal(found.toarray(), np.diag([8.0, 10.0, 12.0]))
    with pytest.raises(ValueError, match="does not hold"):
        G.sparse_jacobian(f, tf.constant([6.0, 5.0, 4.0]), pattern)


def test_wrong_arguments():
    x = at(4)
    with pytest.raises(TypeError, match="jacobian_pattern"):
        G.sparse_jacobian(lambda x: x, x, G.hessian_pattern(rosenbrock, x))
    with pytest.raises(ValueError, match="for 4 variables, x has 5"):
        G.sparse_jacobian(lambda x: x, at(5), G.jacobian_pattern(lambda x: x, x))
    with pytest.raises(ValueError, match="scalar"):
        G.sparse_hessian(lambda x: x, x)
    with pytest.raises(TypeError, match="one tensor"):
        G.sparse_jacobian(lambda x: (x, x), x)
    with pytest.raises(TypeError, match="int32"):
        G.sparse_jacobian(lambda x: x, [1, 2])
    with pytest.raises(RuntimeError, match="outside"):
        tf.function(lambda x: G.sparse_jacobian(lambda x: x, x))(x)
