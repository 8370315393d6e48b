"""Sparse tensors against dense ones: random matrices, with and without a trace."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tapeflow as tf

SEEDS = range(5)


def matrix(rng, shape=(4, 5)):
    return (rng.standard_normal(shape) * (rng.random(shape) < 0.4)).astype(np.float32)


def dense(st):
    return tf.sparse.to_dense(st).numpy()


OPS = {
    "transpose": (tf.sparse.transpose, np.transpose),
    "scaled": (lambda s: s * 2.0, lambda d: d * 2),
    "reshape": (lambda s: tf.sparse.reshape(s, [2, -1]), lambda d: d.reshape(2, -1)),
    "slice": (lambda s: tf.sparse.slice(s, [1, 1], [2, 9]), lambda d: d[1:3, 1:]),
    "concat": (lambda s: tf.sparse.concat(1, [s, s]), lambda d: np.concatenate([d, d], 1)),
    "add": (lambda s: tf.sparse.add(s, s), lambda d: d + d),
    "maximum": (lambda s: tf.sparse.maximum(s, tf.sparse.map_values(tf.negative, s)), np.abs),
    "expand": (lambda s: tf.sparse.expand_dims(s, 1), lambda d: d[:, None]),
    "sum": (lambda s: tf.sparse.reduce_sum(s, 0), lambda d: d.sum(0)),
    "matmul": (lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([5, 3])),
               lambda d: d @ np.ones((5, 3), np.float32)),
    "adjoint": (lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([4, 2]), adjoint_a=True),
                lambda d: d.T @ np.ones((4, 2), np.float32)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", OPS)
def test_results_are_those_of_the_dense_matrix(name, seed, traced):
    d = matrix(np.random.default_rng(seed))
    ours, numpy = OPS[name]
    if traced:
        ours = tf.function(ours, input_signature=[tf.SparseTensorSpec([None, None])],
                           autograph=False)
    found = ours(tf.sparse.from_dense(d))
    if isinstance(found, tf.SparseTensor):
        found = dense(tf.sparse.reorder(found))
    np.testing.assert_allclose(found, numpy(d), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(set(OPS) - {"concat"}))
def test_gradients_are_those_of_the_dense_matrix(name, seed):
    rng = np.random.default_rng(seed)
    d = tf.constant(matrix(rng))
    places = tf.where(d)
    values = tf.gather_nd(d, places)
    weight = rng.standard_normal()

    def loss(v):
        y = OPS[name][0](tf.SparseTensor(places, v, [4, 5]))
        y = y.values if isinstance(y, tf.SparseTensor) else y
        return tf.reduce_sum(tf.sin(y * weight))

    with tf.GradientTape() as tape:
        tape.watch(values)
        y = loss(values)
    g = tape.gradient(y, values)
    direction = rng.standard_normal(values.shape).astype(np.float32)
    step = 1e-2
    slope = (loss(values + step * direction) - loss(values - step * direction)) / (2 * step)
    np.testing.assert_allclose(np.sum(tf.convert_to_tensor(g) * direction), slope, rtol=2e-2,
                               atol=2e-3)


def test_beam_search_finds_what_trying_all_alignments_finds():
    rng = np.random.default_rng(3)
    logits = rng.standard_normal((4, 1, 3)).astype(np.float32)
    logs = logits[:, 0] - np.log(np.exp(logits[:, 0]).sum(1, keepdims=True))
    totals: dict[tuple, float] = {}
    for path in itertools.product(range(3), repeat=4):
        labels = tuple(k for k, _ in itertools.groupby(path) if k != 2)
        score = float(np.exp(sum(logs[t, k] for t, k in enumerate(path))))
        totals[labels] = totals.get(labels, 0.0) + score
    best = sorted(totals, key=lambda one: -totals[one])[:3]
    decoded, scores = tf.nn.ctc_beam_search_decoder(logits, [4], beam_width=50, top_paths=3)
    assert [tuple(path.values.numpy()) for path in decoded] == best
    np.testing.assert_allclose(scores[0], [np.log(totals[one]) for one in best], rtol=1e-5)


def test_a_trace_knows_what_the_spec_tells():
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 3])])
    def f(s):
        shapes.append((s.shape.as_list(), s.indices.shape.as_list(),
                       tf.sparse.transpose(s).shape.as_list()))
        return s

    shapes: list = []
    result = f(tf.sparse.eye(3))
    assert shapes == [([None, 3], [None, 2], [3, None])]
    assert result.shape.as_list() == [3, 3]


def test_composites_pass_branches_and_loops():
    st = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])

    @tf.function
    def f(s, n):
        if n > 1:
            s = s * 10.0
        else:
            s = s * -1.0
        for _ in tf.range(n):
            s = s * 2.0
        return s

    np.testing.assert_allclose(dense(f(st, tf.constant(2))), dense(st) * 40)
    np.testing.assert_allclose(dense(f(st, tf.constant(1))), dense(st) * -2)


def test_ctc_second_derivative_is_that_of_the_first():
    logits = np.random.default_rng(3).normal(size=(4, 2, 3))
    direction = np.random.default_rng(4).normal(size=logits.shape)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.nn.ctc_loss([[1, 2], [2, 0]], x, [2, 1], [4, 3], blank_index=0)
        return tape.gradient(loss, x)

    x = tf.constant(logits)
    with tf.GradientTape() as tape:
        tape.watch(x)
        first = slope(x)
    found = tape.gradient(first, x, output_gradients=tf.constant(direction))
    step = 1e-5 * direction
    wanted = (slope(tf.constant(logits + step)) - slope(tf.constant(logits - step))) / 2e-5
    np.testing.assert_allclose(found, wanted, atol=1e-7)
    assert np.abs(found).max() > 0.1


def test_ctc_loss_over_a_batch_is_one_call():
    x = tf.constant(np.random.default_rng(5).normal(size=(3, 4, 2, 3)))
    labels = tf.constant([[[1, 2], [2, 0]], [[1, 1], [2, 1]], [[2, 1], [1, 1]]])

    def loss(pair):
        return tf.nn.ctc_loss(pair[1], pair[0], [2, 1], [4, 3], blank_index=0)

    together = tf.vectorized_map(loss, (x, labels))
    np.testing.assert_allclose(together, [loss((a, b)) for a, b in zip(x, labels, strict=True)])


def test_sampled_addmm_of_batches():
    indices = tf.constant([[[0, 1], [1, 0]], [[0, 0], [1, 0]]])
    values = tf.constant([[3.0, 5.0], [2.0, 7.0]])
    a = tf.reshape(tf.range(1.0, 13.0), [2, 2, 3])
    b = tf.reshape(tf.range(13.0, 25.0), [2, 3, 2])
    _, found, shape = tf.sparse.sampled_addmm(indices, values, [2, 2], a, b, 0.25, 0.75)
    assert found.numpy().tolist() == [[75.75, 173.0], [381.5, 524.5]]
    assert shape.numpy().tolist() == [2, 2]
    with pytest.raises(ValueError, match="does not match output shape"):
        tf.sparse.sampled_addmm(indices, values, [3, 2], a, b)


def test_edit_distance_of_values():
    value = tf.compat.v1.SparseTensorValue([[0, 0], [0, 1]], ["a", "b"], [1, 2])
    assert tf.edit_distance(value, value).numpy() == [0.0]
    with pytest.raises(TypeError, match="must be a SparseTensor"):
        tf.edit_distance([[1]], value)


UNKNOWN_RANK = {
    "dense": (tf.sparse.to_dense, [[1.0, 0.0], [0.0, 2.0]], None),
    "dense with a default": (lambda s: tf.sparse.to_dense(s, 7.0, False),
                             [[1.0, 7.0], [7.0, 2.0]], None),
    "scaled": (lambda s: s * 3.0, [[3.0, 0.0], [0.0, 6.0]], None),
    "softmax": (tf.sparse.softmax, [[1.0, 0.0], [0.0, 1.0]], None),
    "rows": (lambda s: tf.sparse.reshape(s, [1, -1]), [[1.0, 0.0, 0.0, 2.0]], [1, None]),
}


@pytest.mark.parametrize("name", UNKNOWN_RANK)
def test_sparse_tensors_of_unknown_rank(name):
    function, want, shape = UNKNOWN_RANK[name]
    traced = tf.function(function, input_signature=[tf.SparseTensorSpec(None, tf.float32)])
    found = traced(tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]]))
    static = traced.get_concrete_function().structured_outputs.shape
    assert (None if static.rank is None else static.as_list()) == shape
    dense = tf.sparse.to_dense(found) if isinstance(found, tf.SparseTensor) else found
    assert dense.numpy().tolist() == want


def test_a_transposed_sparse_tensor_of_unknown_rank():
    traced = tf.function(tf.sparse.transpose,
                         input_signature=[tf.SparseTensorSpec(None, tf.float32)])
    x = tf.reshape(tf.range(6.0), [1, 2, 3])
    found = traced(tf.sparse.from_dense(x))
    assert (tf.sparse.to_dense(found).numpy() == x.numpy().T).all()


def test_the_shape_of_a_sparse_tensor_reshaped_by_a_size_that_a_run_brings():
    shapes = []

    @tf.function
    def function(n):
        s = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [4, 6])
        for shape in ([2, n], [n, -1], [2, n, -1]):
            shapes.append(tf.sparse.reshape(s, shape).shape.as_list())
        return tf.sparse.to_dense(tf.sparse.reshape(s, [2, n]))

    found = function(tf.constant(12)).numpy()
    assert shapes == [[2, 12], [None, None], [2, None, None]]
    assert found.shape == (2, 12) and found[0, 0] == 1.0 and found[0, 8] == 2.0
