"""Array ops: what programs rely on beyond values and gradients, which the records' tests cover."""

from __future__ import annotations

import numpy as np
import pytest

import tapeflow as tf

GRID = np.arange(12.0, dtype=np.float32).reshape(4, 3)


def same(tensor, expected):
    np.testing.assert_array_equal(tensor.numpy(), np.asarray(expected))


# -- indexing --------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", [
    0, -1, slice(1, 3), slice(None, None, -1), slice(3, 0, -2), slice(-100, 100), slice(3, 1),
    (0, 1), (slice(None), 0), (Ellipsis, 0), (0, Ellipsis), (None, 1), (Ellipsis, None), (),
    (slice(None, None, 2), None, -1), Ellipsis, None, (slice(1, 2), slice(0, 0))])
def test_basic_indices_mean_what_they_mean_in_numpy(key):
    x = tf.constant(GRID)
    same(x[key], GRID[key])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[key] * 2.0
    expected = np.zeros_like(GRID)
    expected[key] = 2.0
    same(tape.gradient(y, x), expected)


def test_scalar_tensors_and_variables_are_indices():
    x = tf.constant(GRID)
    one = tf.constant(1)
    same(x[one], GRID[1])
    same(x[tf.constant(-1, tf.int64)], GRID[-1])
    same(x[one:, tf.Variable(2)], GRID[1:, 2])
    same(x[np.int64(1), np.array(2)], GRID[1, 2])
    same(x[[0, 1]], GRID[0, 1])  # a list is a tuple of indices, not a list of rows


@pytest.mark.parametrize("key", [1.0, "a", np.array([0, 1]), tf.constant([0, 1]),
                                 tf.constant(1.0), tf.constant(1, tf.int8), slice(1.5, None)])
def test_other_indices_are_refused_by_name(key):
    with pytest.raises(TypeError, match="Only integers, slices"):
        tf.constant(GRID)[key]


@pytest.mark.parametrize("key, words", [
    (4, "slice index 4 of dimension 0 out of bounds"), ((0, -4), "dimension 1 out of bounds"),
    ((0, 0, 0), "Index out of range using input dim 2"), (slice(None, None, 0), "non-zero"),
    ((Ellipsis, Ellipsis), "Multiple ellipses")])
def test_wrong_indices_name_the_axis(key, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.constant(GRID)[key]
    with tf.GradientTape(), pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.Variable(GRID)[key]


def test_a_mask_as_index():
    x = tf.Variable(GRID)
    with tf.GradientTape() as tape:
        y = x[x > 5.0]
    same(y, GRID[GRID > 5])
    same(tape.gradient(y, x), (GRID > 5).astype(np.float32))
    with pytest.raises(AttributeError):
        x[x > 5.0].assign(1.0)


def test_indices_that_differ_in_a_batch():
    x = tf.constant(GRID)
    same(tf.vectorized_map(lambda i: x[i], tf.constant([2, -1, 0])), GRID[[2, -1, 0]])
    same(tf.vectorized_map(lambda i: x[1:, i], tf.constant([2, 0])), GRID[1:, [2, 0]].T)
    same(tf.vectorized_map(lambda row: row[::-1], x), GRID[:, ::-1])
    with pytest.raises(TypeError, match="vectorized_map"):
        tf.vectorized_map(lambda i: x[:i], tf.constant([1, 2]))


def test_strings_stay_strings():
    names = tf.constant(["a", "b"])
    assert names[1].dtype == tf.string and names[1].numpy() == b"b"
    assert tf.gather(names, 0).numpy() == b"a"
    assert [one.numpy() for one in names] == [b"a", b"b"]
    same(tf.concat([names, names[::-1]], 0), [b"a", b"b", b"b", b"a"])
    same(tf.tile(tf.reshape(names, [2, 1]), [1, 2]), [[b"a", b"a"], [b"b", b"b"]])
    assert tf.stack([names[0], names[1]]).shape == (2,)


# -- iteration -------------------------------------------------------------------------------------
def test_iterating_and_unpacking():
    first, second = tf.constant([1.0, 2.0])
    assert (first.numpy(), second.numpy()) == (1.0, 2.0)
    assert [row.shape.as_list() for row in tf.Variable(GRID)] == [[3]] * 4
    with pytest.raises(TypeError, match="scalar tensor"):
        iter(tf.constant(1.0))
    with pytest.raises(ValueError, match="too many values"):
        a, b = tf.constant([1.0, 2.0, 3.0])


def test_gradient_of_a_loop_over_rows():
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for i, x in enumerate(v):
            if i == 2:
                break
            total += x * x
    same(tape.gradient(total, v), [2.0, 4.0, 0.0])


# -- sliced assignment -----------------------------------------------------------------------------
def test_sliced_assignment():
    v = tf.Variable(GRID)
    result = v[1:3, 0].assign([10.0, 20.0])
    same(v[1:3, 0], [10.0, 20.0])
    assert "UnreadVariable" in repr(result)
    v[::-1, 1].assign([1.0, 2.0, 3.0, 4.0])
    same(v[:, 1], [4.0, 3.0, 2.0, 1.0])
    v[0].assign(7.0)
    same(v[0], [7.0] * 3)
    v[0, :, tf.newaxis].assign([[1.0], [2.0], [3.0]])
    same(v[0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("value, error", [
    ([1.0, 2.0], tf.errors.InvalidArgumentError), (tf.constant([1, 2, 3]), ValueError),
    ("a", TypeError), (None, ValueError), (np.ones((2, 3)), tf.errors.InvalidArgumentError)])
def test_sliced_assignment_checks_before_it_changes(value, error):
    v = tf.Variable(GRID)
    with pytest.raises(error):
        v[1].assign(value)
    same(v, GRID)


def test_a_slice_keeps_the_value_that_it_had():
    v = tf.Variable([1.0, 2.0])
    part, before = v[:1], v.value()
    part.assign([5.0])
    same(part, [1.0])
    same(before, [1.0, 2.0])
    same(v, [5.0, 2.0])
    assert not hasattr(tf.constant([1.0]), "assign") and not hasattr(v[:1][0], "assign")


def test_gradients_use_values_from_before_an_assignment():
    v = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        y = v * v
        v[0].assign(100.0)
    same(tape.gradient(y, v), [4.0, 6.0])


# -- scatter on variables --------------------------------------------------------------------------
def rows(values, indices):
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


@pytest.mark.parametrize("method, expected", [
    ("scatter_update", [1, 7, 3]), ("scatter_add", [1, 15, 3]), ("scatter_sub", [1, -11, 3]),
    ("scatter_mul", [1, 84, 3]), ("scatter_min", [1, 2, 3]), ("scatter_max", [1, 7, 3])])
def test_scatter_methods_apply_repeated_rows_one_after_another(method, expected):
    v = tf.Variable([1.0, 2.0, 3.0])
    assert getattr(v, method)(rows([6.0, 7.0], [1, 1])) is not None
    same(v, expected)


@pytest.mark.parametrize("dtype, divided", [("bfloat16", 1.5), ("float32", 1.5), ("int32", 1)])
def test_scatter_div_divides_in_the_dtype(dtype, divided):
    v = tf.Variable(tf.cast([1, 3, 5], dtype))
    v.scatter_div(tf.IndexedSlices(tf.cast([2], dtype), [1]))
    assert v.numpy().tolist() == [1, divided, 5]


@pytest.mark.parametrize("method", ["scatter_update", "scatter_add", "scatter_div"])
@pytest.mark.parametrize("indices, values, error", [
    ([0, 3], [1.0, 1.0], tf.errors.InvalidArgumentError),
    ([0, -1], [1.0, 1.0], tf.errors.InvalidArgumentError),
    ([0, 1], [[1.0, 1.0]], tf.errors.InvalidArgumentError),
    ([0], [1], ValueError), ([0.0], [1.0], tf.errors.InvalidArgumentError)])
def test_scatter_methods_check_before_they_change(method, indices, values, error):
    v = tf.Variable([1.0, 2.0, 3.0])
    with pytest.raises(error):
        getattr(v, method)(rows(values, indices))
    same(v, [1.0, 2.0, 3.0])


def test_scatter_nd_and_batch_scatter():
    v = tf.Variable(tf.zeros([2, 3]))
    v.scatter_nd_update([[0, 1], [1, 2]], [5.0, 6.0])
    same(v, [[0, 5, 0], [0, 0, 6]])
    v.scatter_nd_add([[1], [1]], [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    same(v, [[0, 5, 0], [3, 3, 9]])
    v.batch_scatter_update(rows([[9.0], [8.0]], [[0], [1]]))
    same(v, [[9, 5, 0], [3, 8, 9]])
    same(v.gather_nd([[0, 0], [1, 1]]), [9, 8])
    same(v.sparse_read([1]), [[3, 8, 9]])
    with pytest.raises(TypeError, match="sparse_delta"):
        v.scatter_add(tf.ones([2, 3]))


def test_assignments_leave_nothing_on_the_tape():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        v.scatter_add(rows([1.0], [0]))
        v[1].assign(5.0)
        y = v * v
    same(tape.gradient(y, v), [4.0, 10.0])


# -- sparse gradients ------------------------------------------------------------------------------
def gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


def test_rows_looked_up_have_sparse_gradients():
    v = tf.Variable(GRID)
    for look_up in (lambda x: tf.gather(x, [1, 3, 1]), lambda x: x.sparse_read([1, 3, 1]),
                    lambda x: tf.nn.embedding_lookup(x, [1, 3, 1]),
                    lambda x: tf.gather(tf.identity(x), [1, 3, 1]),
                    lambda x: tf.gather_nd(x, [[1], [3], [1]])):
        g = gradient(look_up, v)
        assert isinstance(g, tf.IndexedSlices)
        same(g.indices, [1, 3, 1])
        same(g.values, np.ones((3, 3)))
        same(g.dense_shape, [4, 3])
        assert g.dense_shape.dtype == tf.int32


@pytest.mark.parametrize("function", [
    lambda x: x[1], lambda x: tf.gather(x, [1], axis=1), lambda x: tf.gather(x * 1.0, [1]),
    lambda x: tf.gather(x, [1], axis=-2), lambda x: tf.gather_nd(x, [[1, 1]]),
    lambda x: tf.repeat(x, [1, 0, 2, 0], axis=0), lambda x: tf.boolean_mask(x, x[:, 0] > 3.0),
    lambda x: [tf.gather(x, [1]), x[0]]])
def test_other_look_ups_have_dense_gradients(function):
    assert isinstance(gradient(function, tf.Variable(GRID)), tf.Tensor)


def test_sparse_gradients_keep_int64_and_join():
    x = tf.constant(GRID)
    g = gradient(lambda x: [tf.gather(x, tf.constant([2], tf.int64)), tf.gather(x, [0, 2])], x)
    assert g.indices.dtype == tf.int64
    same(tf.sort(g.indices), [0, 2, 2])
    same(tf.convert_to_tensor(g), np.array([[1.0], [0], [2], [0]]) * np.ones(3))


def test_embedding_in_shards():
    table = np.arange(10.0, dtype=np.float32).reshape(5, 2)
    first, second = tf.Variable(table[:3]), tf.Variable(table[3:])
    with tf.GradientTape() as tape:
        y = tf.nn.embedding_lookup([first, second], [[3, 0], [2, 4]])
    same(y, table[[[3, 0], [2, 4]]])
    assert all(isinstance(g, tf.IndexedSlices) for g in tape.gradient(y, [first, second]))


# -- where -----------------------------------------------------------------------------------------
def test_where_does_not_let_nan_through():
    x = tf.constant([0.0, 4.0])
    g = gradient(lambda x: tf.where(x > 0.0, tf.sqrt(tf.where(x > 0.0, x, 1.0)), 0.0), x)
    same(g, [0.0, 0.25])
    nan = tf.constant([np.nan, 1.0], tf.float32)
    same(gradient(lambda x: tf.where([False, True], x, 0.0), nan), [0.0, 1.0])
    assert gradient(lambda x: tf.where([True, False], 1.0, 2.0), x) is None


def test_where_positions():
    places = tf.where([[True, False], [False, True]])
    assert places.dtype == tf.int64
    same(places, [[0, 0], [1, 1]])
    assert tf.where([False, False]).shape == (0, 1)
    with pytest.raises(ValueError, match="both be non-None"):
        tf.where([True], 1.0)


# -- arguments -------------------------------------------------------------------------------------
def test_dtypes_of_progressions():
    assert [tf.range(n).dtype.name for n in (3, 3.0, np.int64(3), np.float64(3))] == [
        "int32", "float32", "int64", "float64"]
    assert tf.range(0, tf.constant(5, tf.int64)).dtype == tf.int64
    assert tf.range(1, 2, 0.3).numpy().shape == (4,)
    assert tf.range(3, dtype=tf.float16).dtype == tf.float16
    assert tf.linspace(0, 1, 3).dtype == tf.float64
    assert tf.linspace(0.0, 1.0, 3).dtype == tf.float32
    long = tf.range(0.0, 1.0, 0.001).numpy()  # start + i · delta, not a running sum
    np.testing.assert_array_equal(long, np.arange(1000, dtype=np.float32) * np.float32(0.001))


@pytest.mark.parametrize("call, error", [
    (lambda: tf.range(3, 0), tf.errors.InvalidArgumentError),
    (lambda: tf.range(0, 1, 0), tf.errors.InvalidArgumentError),
    (lambda: tf.zeros([-1]), tf.errors.InvalidArgumentError),
    (lambda: tf.zeros([2.5]), TypeError), (lambda: tf.zeros(None), ValueError),
    (lambda: tf.reshape(GRID, [5, -1]), tf.errors.InvalidArgumentError),
    (lambda: tf.reshape(GRID, [-1, -1]), tf.errors.InvalidArgumentError),
    (lambda: tf.reshape(GRID, [2.0]), tf.errors.InvalidArgumentError),
    (lambda: tf.transpose(GRID, [0, 0]), tf.errors.InvalidArgumentError),
    (lambda: tf.expand_dims(GRID, 4), tf.errors.InvalidArgumentError),
    (lambda: tf.squeeze(GRID, 0), tf.errors.InvalidArgumentError),
    (lambda: tf.concat([], 0), tf.errors.InvalidArgumentError),
    (lambda: tf.concat([GRID, GRID[0]], 0), tf.errors.InvalidArgumentError),
    (lambda: tf.concat([[1], [2.0]], 0), TypeError),
    (lambda: tf.stack([tf.ones(2), tf.ones(3)]), tf.errors.InvalidArgumentError),
    (lambda: tf.stack([tf.ones(2)], axis=3), ValueError),
    (lambda: tf.unstack(1.0), ValueError),
    (lambda: tf.split(GRID, 3), tf.errors.InvalidArgumentError),
    (lambda: tf.split(GRID, [1, 2]), tf.errors.InvalidArgumentError),
    (lambda: tf.split(GRID, [-1, -1]), tf.errors.InvalidArgumentError),
    (lambda: tf.tile(GRID, [2]), tf.errors.InvalidArgumentError),
    (lambda: tf.pad(GRID, [[1, 1]]), tf.errors.InvalidArgumentError),
    (lambda: tf.pad(GRID, [[4, 0], [0, 0]], "REFLECT"), tf.errors.InvalidArgumentError),
    (lambda: tf.pad(GRID, [[0, 0], [0, 0]], "EDGE"), ValueError),
    (lambda: tf.gather(GRID, [4]), tf.errors.InvalidArgumentError),
    (lambda: tf.gather(GRID, [-1]), tf.errors.InvalidArgumentError),
    (lambda: tf.gather(GRID, [1.0]), tf.errors.InvalidArgumentError),
    (lambda: tf.gather_nd(GRID, [[0, 3]]), tf.errors.InvalidArgumentError),
    (lambda: tf.scatter_nd([[4]], [1.0], [4]), tf.errors.InvalidArgumentError),
    (lambda: tf.boolean_mask(GRID, [True]), ValueError),
    (lambda: tf.one_hot([0.5], 3), tf.errors.InvalidArgumentError),
    (lambda: tf.broadcast_to([1, 2], [3]), tf.errors.InvalidArgumentError),
    (lambda: tf.repeat(GRID, 2, axis=2), ValueError),
    (lambda: tf.unique([[1]]), tf.errors.InvalidArgumentError)])
def test_wrong_arguments(call, error):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value)


def test_edges_that_are_not_errors():
    assert tf.stack([]).dtype == tf.float32 and tf.stack([]).shape == (0,)
    same(tf.one_hot([0, -1, 5], 3), [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert tf.reshape(tf.zeros([0, 3]), [-1, 3]).shape == (0, 3)
    same(tf.split(tf.range(6), [1, -1, 2])[1], [1, 2, 3])
    same(tf.concat([tf.zeros([0]), tf.ones([2])], 0), [1, 1])
    same(tf.gather(tf.range(6), tf.zeros([0], tf.int32)), np.zeros(0, np.int32))
    same(tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1, batch_axis=0),
         [[2, 1, 3], [6, 5, 4]])
    y, index, count = tf.unique_with_counts([3, 1, 3])
    same(y, [3, 1])
    same(index, [0, 1, 0])
    same(count, [2, 1])


def test_unique_has_no_gradient_at_all():
    with pytest.raises(LookupError, match="Unique"):
        gradient(lambda x: tf.unique(x)[0], tf.constant([1.0, 1.0]))


# -- sizes that a trace does not know --------------------------------------------------------------
@pytest.mark.parametrize("function, expected", [
    (lambda x, i: tf.reshape(x, [tf.shape(x)[0] * 3]), GRID.reshape(-1)),
    (lambda x, i: x[i:, i - 1], GRID[2:, 1]), (lambda x, i: x[-i], GRID[-2]),
    (lambda x, i: tf.slice(x, [i, 0], [-1, 1]), GRID[2:, :1]),
    (lambda x, i: tf.tile(x, [i, 1]), np.tile(GRID, (2, 1))),
    (lambda x, i: tf.repeat(x, i, axis=1), np.repeat(GRID, 2, 1)),
    (lambda x, i: tf.roll(x, i, 0), np.roll(GRID, 2, 0)),
    (lambda x, i: tf.pad(x, [[i, 0], [0, 0]]), np.pad(GRID, [[2, 0], [0, 0]])),
    (lambda x, i: tf.concat([x, x * 2.0], 0), np.concatenate([GRID, GRID * 2])),
    (lambda x, i: tf.split(x, [1, -1])[1], GRID[1:]), (lambda x, i: tf.split(x, 2)[1], GRID[2:]),
    (lambda x, i: tf.gather(x, [i, 0]), GRID[[2, 0]]),
    (lambda x, i: tf.boolean_mask(x, x > 5.0), GRID[GRID > 5]),
    (lambda x, i: tf.ones(tf.shape(x)) * x, GRID),
    (lambda x, i: tf.zeros([tf.shape(x)[0], 3]) + x, GRID),
    (lambda x, i: tf.squeeze(x[:, tf.newaxis]), GRID)])
def test_unknown_sizes_inside_a_function(function, expected):
    def both(x, i):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, i)
        return y, tf.convert_to_tensor(tape.gradient(y, x))

    x, i = tf.constant(GRID), tf.constant(2)
    traced = tf.function(both, input_signature=[tf.TensorSpec([None, 3]),
                                                tf.TensorSpec([], tf.int32)])
    y, g = traced(x, i)
    same(y, expected)
    same(g, both(x, i)[1])


def test_variables_change_in_place_inside_a_function():
    v = tf.Variable(tf.zeros([3, 2]))

    @tf.function
    def change(i, row):
        v[i].assign(row)
        v.scatter_nd_add([[2]], [row])
        return v + 0.0

    same(change(tf.constant(1), tf.constant([1.0, 2.0])), [[0, 0], [1, 2], [1, 2]])
    same(change(tf.constant(0), tf.constant([3.0, 4.0])), [[3, 4], [1, 2], [4, 6]])


def test_shapes_are_known_as_far_as_they_can_be():
    shapes = []

    @tf.function(input_signature=[tf.TensorSpec([None, 4])])
    def look(x):
        count = tf.shape(x)[0]
        shapes.extend(y.shape.as_list() for y in (
            tf.reshape(x, [count, 2, 2]), tf.zeros([count, 7]), tf.transpose(x), x[1:], x[0],
            tf.expand_dims(x, 0), tf.concat([x, x], 1), tf.concat([x, x], 0),
            tf.gather(x, [0, 1, 2]), tf.pad(x, [[1, 1], [1, 1]]), tf.tile(x, [1, 2]),
            tf.stack([x, x]), tf.one_hot(tf.range(count), 5)))
        return x

    look(tf.ones([3, 4]))
    assert shapes == [[None, 2, 2], [None, 7], [4, None], [None, 4], [4], [1, None, 4], [None, 8],
                      [None, 4], [3, 4], [None, 6], [None, 8], [2, None, 4], [None, 5]]
