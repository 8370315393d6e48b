"""Ragged tensors against plain lists of lists: random rows, every way to take them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.exports import PUBLIC, load_promised
from tapeflow.core.values.composite import CompositeProxy


def random_rows(rng, depth=1):
    """Nested lists: `depth` ragged levels of floats."""
    if not depth:
        return [float(x) for x in rng.integers(-9, 10, rng.integers(0, 4))]
    return [random_rows(rng, depth - 1) for _ in range(rng.integers(1, 5))]


def ragged(rows, depth=1):
    return tf.ragged.constant(rows, dtype=tf.float32, ragged_rank=depth)


SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [1, 2])
def test_lists_come_back(seed, depth):
    rows = random_rows(np.random.default_rng(seed), depth)
    rt = ragged(rows, depth)
    assert rt.to_list() == rows
    assert [np.asarray(row.to_list() if depth > 1 else row.numpy()).tolist() if depth == 1
            else row.to_list() for row in rt] == rows
    assert rt.merge_dims(0, 1).numpy().tolist() == sum(rows, []) if depth == 1 else True
    again = tf.RaggedTensor.from_sparse(rt.to_sparse()) if depth == 1 else rt
    assert again.to_list() == rows
    assert pickle.loads(pickle.dumps(rt)).to_list() == copy.deepcopy(rt).to_list() == rows


@pytest.mark.parametrize("seed", SEEDS)
def test_slices_are_those_of_lists(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng)
    rt = ragged(rows)
    bounds = [None, *range(-4, 5)]
    for _ in range(20):
        start, stop = rng.choice(bounds), rng.choice(bounds)
        step = rng.choice([None, 1, 2, -1, -2])
        key = slice(start, stop, step)
        assert rt[key].to_list() == rows[key]
        assert rt[:, key].to_list() == [row[key] for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
def test_reductions_are_those_of_each_row(seed):
    rows = random_rows(np.random.default_rng(seed))
    rt = ragged(rows)
    np.testing.assert_allclose(tf.reduce_sum(rt, 1), [sum(row) for row in rows], rtol=1e-6)
    np.testing.assert_allclose(tf.reduce_prod(rt, 1), [np.prod(row) for row in rows], rtol=1e-6)
    means = [np.mean(row) if row else np.nan for row in rows]
    np.testing.assert_allclose(tf.reduce_mean(rt, 1), means, rtol=1e-6)
    width = max(map(len, rows))
    columns = [[row[i] for row in rows if len(row) > i] for i in range(width)]
    np.testing.assert_allclose(tf.reduce_sum(rt, 0), [sum(one) for one in columns], rtol=1e-6)
    np.testing.assert_allclose(tf.reduce_max(rt, 0), [max(one) for one in columns], rtol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_are_those_of_lists(seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng)
    other = [[float(x) for x in rng.integers(0, 9, rng.integers(0, 3))] for _ in rows]
    a, b = ragged(rows), ragged(other)
    assert tf.concat([a, b], 0).to_list() == rows + other
    assert tf.concat([a, b], 1).to_list() == [x + y for x, y in zip(rows, other)]
    assert tf.stack([a, b], 0).to_list() == [rows, other]
    assert tf.stack([a, b], 1).to_list() == [[x, y] for x, y in zip(rows, other)]
    order = rng.integers(0, len(rows), 5)
    assert tf.gather(a, order).to_list() == [rows[i] for i in order]
    assert tf.reverse(a, [0, 1]).to_list() == [row[::-1] for row in rows[::-1]]
    assert tf.tile(a, [1, 2]).to_list() == [row * 2 for row in rows]
    assert tf.ragged.boolean_mask(a, a > 0.0).to_list() == [
        [x for x in row if x > 0] for row in rows]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("traced", [False, True])
def test_broadcasting_is_that_of_each_row(seed, traced):
    rows = random_rows(np.random.default_rng(seed))
    column = np.arange(len(rows), dtype=np.float32)[:, None] + 1

    def f(r, c):
        return r * c + tf.reduce_sum(r, 1, keepdims=True)

    function = tf.function(f, input_signature=[tf.RaggedTensorSpec([None, None]), tf.TensorSpec(
        [None, 1])]) if traced else f
    found = function(ragged(rows), tf.constant(column)).to_list()
    assert found == [[x * (i + 1) + sum(row) for x in row] for i, row in enumerate(rows)]


@pytest.mark.parametrize("traced", [False, True])
def test_gradients_follow_each_value(traced):
    values = tf.Variable([1.0, 2.0, 3.0, 4.0])

    def loss(v):
        rt = tf.RaggedTensor.from_row_lengths(v, [1, 0, 3])
        padded = tf.concat([rt, rt[:, :1]], 1).to_tensor(default_value=0.0)
        return tf.reduce_sum(padded ** 2) + tf.reduce_sum(tf.nn.softmax(rt) * rt)

    function = tf.function(loss) if traced else loss
    with tf.GradientTape() as tape:
        y = function(values)
    found = tape.gradient(y, values).numpy()
    step = 1e-3
    for i in range(4):
        ahead, behind = values.numpy(), values.numpy()
        ahead[i] += step
        behind[i] -= step
        slope = (loss(tf.constant(ahead)) - loss(tf.constant(behind))) / (2 * step)
        np.testing.assert_allclose(found[i], slope, rtol=2e-3)


def test_row_counts_do_not_make_a_function_trace_again():
    traces = []

    @tf.function
    def f(r):
        traces.append(r.shape.as_list())
        return tf.reduce_sum(r)

    for rows in ([[1.0], [2.0, 3.0]], [[], [4.0]], [[1.0]]):
        f(ragged(rows))
    assert traces == [[2, None], [1, None]]


def test_no_function_returns_what_stands_for_a_composite():
    rt, st = tf.ragged.constant([[1.0, 4.0], [9.0]]), tf.sparse.eye(2)
    load_promised()
    for name, function in list(PUBLIC.items()):
        if not name.startswith(("math.", "nn.")) or not callable(function):
            continue
        for x in (rt, st):
            try:
                result = function(x)
            except Exception:
                continue
            assert not isinstance(result, CompositeProxy), name


def test_a_ragged_tensor_among_plain_operands_decides():
    rt = tf.ragged.constant([[1.0], [2.0, 3.0]])
    for result in (tf.constant([[10.0], [20.0]]) + rt, tf.Variable([[10.0], [20.0]]) + rt,
                   np.float32(10.0) * rt, tf.add(1.0, rt)):
        assert isinstance(result, tf.RaggedTensor)
    with pytest.raises(ValueError, match="RaggedTensor"):
        tf.linalg.inv(rt)
    with pytest.raises(tf.errors.InvalidArgumentError):
        _ = rt + tf.ragged.constant([[1.0, 2.0], [3.0]])


def test_rows_that_do_not_fit_are_unequal():
    rows, dense = tf.ragged.constant([[1, 2], [3]]), tf.constant([[1, 2], [3, 4]])
    assert (rows == dense) is False and (dense == rows) is False
    assert (rows != dense) is True and (dense != rows) is True
    assert (rows == [[1, 2], [3, 4, 5]]) is False
    assert (rows == tf.ragged.constant([[1, 2], [4]])).to_list() == [[True, True], [False]]
    assert (dense == tf.ragged.constant([[1, 2], [3, 5]])).to_list() == [[True, True],
                                                                        [True, False]]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.equal(rows, dense)
