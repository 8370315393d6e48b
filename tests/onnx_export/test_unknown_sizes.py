"""Sizes that a run brings: gradients, resized images, blocks, windows, bins, ragged rows."""

import os
import tempfile

import numpy as np
import pytest

import tapeflow as tf
from tests.onnx_export.comparing import as_arrays, compared, difference, run


def draws(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).uniform(-1, 1, shape).astype("float32")


def agree(function, signature, *runs) -> None:
    """One file for all sizes."""
    traced = tf.function(function, input_signature=signature)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f.onnx")
        tf.onnx.export(traced, path)
        for args in runs:
            assert difference(as_arrays(traced(*args)), run(path, args)) == ""


def gradient(loss):
    def function(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = loss(*xs)
        return [tf.convert_to_tensor(g) for g in tape.gradient(y, xs)]
    return function


KERNEL = draws(3, 3, 2, 4)
MATRIX = tf.TensorSpec([None, None])
LOSSES = {
    "elementwise": lambda x: tf.reduce_sum(tf.sin(x) * tf.exp(-x * x)) + tf.reduce_max(x),
    "softmax": lambda x: tf.reduce_mean(tf.nn.log_softmax(tf.nn.gelu(x @ tf.transpose(x)))),
    "slices": lambda x: tf.reduce_sum(x[:, 1:] * x[:, :-1] + x[:, ::-1][:, 1:]),
    "moves": lambda x: tf.reduce_sum(tf.concat([x, x], 0) ** 3 + tf.tile(x, [2, 1]) + tf.pad(
        x, [[0, 1], [1, 0]])[:1, 1:]),
    "rows": lambda x: tf.reduce_sum(tf.gather(x, [0, 0, 1]) ** 2),
    "moments": lambda x: tf.reduce_sum((x - tf.reduce_mean(x, 1, keepdims=True)) ** 4)}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name):
    agree(gradient(LOSSES[name]), [MATRIX], (draws(3, 4),), (draws(2, 2),))


def test_the_gradient_of_what_was_broadcast():
    agree(gradient(lambda x, b: tf.reduce_sum((x * b + b) ** 2)), [MATRIX, tf.TensorSpec([None])],
          (draws(3, 2), draws(2)), (draws(3, 2), draws(1)), (draws(1, 4), draws(4)))


@pytest.mark.parametrize("sizes", [(None, 8, 8, 2), (None, None, None, 2)])
def test_gradients_of_networks(sizes):
    def loss(x):
        y = tf.nn.relu(tf.nn.conv2d(x, KERNEL, 1, "SAME"))
        return tf.reduce_mean(tf.nn.max_pool2d(y, 2, 2, "VALID") ** 2) + tf.reduce_sum(
            tf.nn.avg_pool2d(y, 2, 2, "VALID") ** 3)

    agree(gradient(loss), [tf.TensorSpec(sizes)], (draws(2, 8, 8, 2),))


def test_a_loop_differentiated():
    def loss(x):
        h = tf.zeros([3])
        for row in x:
            h = tf.tanh(h + row)
        return tf.reduce_sum(h)

    agree(gradient(loss), [tf.TensorSpec([None, 3])], (draws(1, 3),), (draws(4, 3),))


# -- images ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["bilinear", "nearest", "bicubic", "area", "lanczos3",
                                    "lanczos5", "gaussian", "mitchellcubic"])
@pytest.mark.parametrize("antialias", [False, True])
def test_resized_images(method, antialias):
    spec = [tf.TensorSpec([None, None, None, 3]), tf.TensorSpec([2], tf.int32)]
    agree(lambda x, size: (tf.image.resize(x, [5, 7], method, antialias=antialias),
                           tf.image.resize(x, size, method, antialias=antialias)), spec,
          (draws(2, 8, 10, 3), np.array([4, 12], np.int32)),
          (draws(1, 3, 4, 3), np.array([6, 1], np.int32)))


def test_one_image_padded_and_cropped():
    agree(lambda x: (tf.image.resize_with_pad(x, 12, 9), tf.image.resize(x, [6, 6]),
                     tf.image.resize_with_crop_or_pad(x, 6, 12)),
          [tf.TensorSpec([None, None, 3])], (draws(8, 10, 3),), (draws(5, 16, 3),))


def test_blocks():
    spec = [tf.TensorSpec([None, None, None, 4])]

    def blocks(x):
        parts = tf.space_to_batch(x, [2, 2], [[0, 0], [2, 0]])
        return (parts, tf.batch_to_space(parts, [2, 2], [[0, 0], [1, 1]]),
                tf.nn.space_to_depth(x, 2), tf.nn.depth_to_space(x, 2))

    agree(blocks, spec, (draws(2, 4, 6, 4),), (draws(1, 2, 2, 4),))


def test_dilated_windows():
    agree(lambda x: tf.nn.conv2d(x, KERNEL, 1, "SAME", dilations=2),
          [tf.TensorSpec([None, None, None, 2])], (draws(2, 9, 7, 2),), (draws(1, 4, 5, 2),))


def test_boxes():
    corners = np.concatenate([draws(9, 2) * 0.2 + 0.2, draws(9, 2) * 0.2 + 0.7], 1)
    boxes, scores = tf.TensorSpec([None, 4]), tf.TensorSpec([None])
    agree(lambda b, s: (tf.image.non_max_suppression_padded(b, s, 6, 0.4,
                                                            pad_to_max_output_size=True),
                        tf.image.combined_non_max_suppression(
                            b[None, :, None], tf.stack([s, 1 - s], 1)[None], 3, 5, 0.4, 0.2)),
          [boxes, scores], (corners, abs(draws(9))))


# -- counts, rows ----------------------------------------------------------------------------------
def test_bins():
    whole = tf.TensorSpec([None], tf.int32)
    agree(lambda x, y: (tf.math.bincount(x), tf.math.bincount(x, minlength=3, maxlength=4),
                        tf.math.bincount(x, binary_output=True, minlength=6),
                        tf.math.confusion_matrix(x, y, 6),
                        tf.histogram_fixed_width(tf.cast(x, tf.float32), [0.0, 5.0], 4)),
          [whole, whole], *[(np.random.default_rng(n).integers(0, 6, n).astype("int32"),
                             np.random.default_rng(n + 1).integers(0, 6, n).astype("int32"))
                            for n in (1, 9)])


def test_ragged_rows():
    ragged = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    assert compared(lambda r: (r + tf.constant([[1.0], [2.0], [3.0]]), tf.sparse.to_dense(
        r.to_sparse()), r.to_tensor(shape=[4, 1])), [ragged], (
            ragged + tf.constant([[1.0], [2.0], [3.0]]), ragged.to_tensor(),
            ragged.to_tensor(shape=[4, 1])), input_signature=[
                tf.RaggedTensorSpec([None, None], tf.float32)]) == ""
    deep = tf.ragged.constant([[[1.0, 2.0], []], [[3.0]]])
    assert compared(lambda r: (r.to_tensor(), tf.reduce_sum(r, 2)), [deep], (
        deep.to_tensor(), tf.reduce_sum(deep, 2)), input_signature=[
            tf.RaggedTensorSpec([None, None, None], tf.float32)]) == ""
    agree(lambda n: (tf.ragged.range(n), tf.ragged.range(0, n, 2)),
          [tf.TensorSpec([None], tf.int32)], (np.array([2, 0, 5], np.int32),))


def test_sparse_products():
    agree(lambda x: tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(tf.nn.relu(x)),
                                                  tf.ones([4, 2])),
          [tf.TensorSpec([None, 4])], (draws(3, 4),))


# -- matrices --------------------------------------------------------------------------------------
def test_systems_of_equations():
    def solved(x, b):
        a = x @ tf.transpose(x, [0, 2, 1]) + 2.0 * tf.eye(tf.shape(x)[1])
        half = tf.linalg.cholesky(a)
        return (half, tf.linalg.triangular_solve(half, b), tf.linalg.solve(a, b),
                tf.linalg.triangular_solve(half, b, adjoint=True), tf.linalg.inv(a),
                tf.linalg.slogdet(a - 3.0 * tf.eye(tf.shape(x)[1])), tf.linalg.qr(x),
                tf.linalg.expm(x))

    agree(solved, [tf.TensorSpec([None, None, None]), tf.TensorSpec([None, None, 2])],
          (draws(2, 3, 3), draws(2, 3, 2)), (draws(1, 5, 5), draws(1, 5, 2)))


def test_eigenvalues_and_singular_values():
    def spectra(x):
        values, vectors = tf.linalg.eigh(x + tf.transpose(x, [0, 2, 1]))
        s, u, v = tf.linalg.svd(x[:, :3])
        return (values, vectors @ tf.linalg.diag(values) @ tf.transpose(vectors, [0, 2, 1]), s,
                u @ tf.linalg.diag(s) @ tf.transpose(v, [0, 2, 1]))

    agree(spectra, [tf.TensorSpec([None, 4, 4])], (draws(2, 4, 4),), (draws(1, 4, 4),))


def test_special_functions():
    agree(lambda x: (tf.math.lgamma(x * 5.0), tf.math.digamma(x * 5.0 + 0.01), tf.math.erfinv(x),
                     tf.math.ndtri((x + 1.0) / 2.0)), [tf.TensorSpec([None])],
          (np.linspace(-0.97, 0.98, 41).astype("float32"),))


def test_complex_numbers_moved():
    def moved(x, y):
        z = tf.complex(x, y)
        chosen = tf.where(x > 0, z, tf.zeros_like(z))
        return [tf.stack([tf.math.real(one), tf.math.imag(one)]) for one in (
            tf.gather(z, [1, 0]), tf.pad(z, [[1, 0], [0, 2]]), tf.tile(z, [2, 1]), chosen,
            tf.sin(z), tf.tanh(z), z ** 2, tf.einsum("ij,kj->ik", z, z), tf.cumsum(z, 1),
            tf.transpose(z)[:2], tf.split(z, 2, axis=1)[0], tf.ones_like(z) * z)]

    agree(moved, [tf.TensorSpec([None, 4])] * 2, (draws(3, 4), draws(4, 3).T.copy()))
