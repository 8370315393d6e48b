"""Tensors of unknown rank in a tf.Graph, and in functions that AutoGraph does not convert."""

import numpy as np
import pytest

import tapeflow as tf

v1 = tf.compat.v1
MATRIX = np.array([[2.0, 0.5], [0.5, 3.0]], "f")
VECTOR = np.array([1.0, 2.0], "f")

CALLS = {
    "cumsum": lambda x, v: tf.cumsum(x, axis=-1),
    "matvec": lambda x, v: tf.linalg.matvec(x, v),
    "trace": lambda x, v: tf.linalg.trace(x),
    "one_hot": lambda x, v: tf.one_hot(tf.argmax(x, axis=-1), 3, dtype=np.float32),
    "solve": lambda x, v: tf.linalg.solve(x, x),
    "einsum": lambda x, v: tf.einsum("...ij,...jk->...ik", x, x),
    "unstack": lambda x, v: tf.unstack(x, num=2, axis=-1)[1],
    "split": lambda x, v: tf.split(x, [1, 1], axis=-1)[0],
    "stack": lambda x, v: tf.stack([v, v], axis=-1),
    "reverse": lambda x, v: tf.reverse(x, [-1]),
    "pad": lambda x, v: tf.pad(x, tf.concat(
        [tf.zeros([tf.rank(x) - 1, 2], tf.int32), [[0, 1]]], 0)),
    "moments": lambda x, v: tf.nn.moments(x, [0])[1],
    "boolean_mask": lambda x, v: tf.boolean_mask(x, x > 1),
    "tensordot": lambda x, v: tf.tensordot(x, v, [[-1], [0]]),
    "equal": tf.equal,  # `==` asks whether tensors of a tf.Graph are one object
    "eye": lambda x, v: tf.eye(tf.shape(x)[-1], batch_shape=tf.shape(x)[:-2]),
    "map_fn": lambda x, v: tf.map_fn(lambda row: row * 2, x),
    "map_fn_two": lambda x, v: tf.map_fn(lambda one: tf.reduce_sum(one[0]) + one[1], (x, v),
                                         fn_output_signature=tf.float32),
    "scan": lambda x, v: tf.scan(lambda a, row: a + row, x),
    "scan_from": lambda x, v: tf.scan(lambda a, row: a * row, x, initializer=v),
    "array": lambda x, v: tf.while_loop(
        lambda i, rows: i < 3, lambda i, rows: (i + 1, rows.write(i, x)),
        (0, tf.TensorArray(tf.float32, 3, element_shape=tf.TensorShape(None))))[1].stack(),
    "index": lambda x, v: tf.constant(MATRIX)[tf.cast(v[0] * 0 + 1, tf.int32), :],
    "range_of_index": lambda x, v: tf.constant(MATRIX)[..., tf.cast(v[0], tf.int32):],
    "range": lambda x, v: tf.range(tf.cast(v[1], tf.int32)),
    "identity": lambda x, v: tf.linalg.LinearOperatorIdentity(
        tf.shape(x)[-1], tf.shape(x)[:-2]).matmul(x),
    "scaled_identity": lambda x, v: tf.linalg.LinearOperatorScaledIdentity(
        tf.shape(v)[0], 2.0).determinant(),
    "low_rank": lambda x, v: tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(v, is_positive_definite=True), x).solvevec(v),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_waits_for_the_rank(name):
    want = CALLS[name](tf.constant(MATRIX), tf.constant(VECTOR))
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder_with_default(MATRIX, None)
        v = v1.placeholder_with_default(VECTOR, None)
        got = session.run(CALLS[name](x, v))
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_a_low_rank_update_of_one_matrix_solves_for_a_batch():
    diag, u, rhs = tf.constant(VECTOR), tf.constant(MATRIX), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    operator = tf.linalg.LinearOperatorLowRankUpdate(
        tf.linalg.LinearOperatorDiag(diag, is_positive_definite=True), u)
    want = np.linalg.solve(operator.to_dense(), rhs.numpy().T).T
    np.testing.assert_allclose(operator.solvevec(rhs), want, rtol=1e-5)
    assert tf.linalg.LinearOperatorIdentity(3).diag_part().shape == [3]


@pytest.mark.parametrize("shape", [[None, None], [None, 2, 2], [None, None, None]])
def test_blocks_of_unknown_sizes_become_one_matrix(shape):
    @tf.function(input_signature=[tf.TensorSpec(shape)], autograph=False)
    def dense(x):
        block = tf.linalg.LinearOperatorFullMatrix(x)
        whole = tf.linalg.LinearOperatorBlockLowerTriangular([[block], [block, block]])
        return whole.to_dense(), whole.domain_dimension_tensor()

    x = MATRIX if len(shape) == 2 else np.stack([MATRIX, MATRIX])
    found, columns = dense(x)
    np.testing.assert_array_equal(found, np.concatenate([
        np.concatenate([x, 0 * x], -1), np.concatenate([x, x], -1)], -2))
    assert columns.numpy() == 4


def test_whether_an_operator_is_square_is_what_the_user_says():
    assert tf.linalg.LinearOperatorLowerTriangular(tf.ones([2, 3])).is_square
    with pytest.raises(ValueError, match="hint to False"):
        tf.linalg.LinearOperatorFullMatrix(tf.ones([2, 2]), is_square=False).is_square


@pytest.mark.parametrize("make", [
    lambda x: tf.map_fn(lambda row: row * row, x), lambda x: tf.scan(lambda a, row: a * row, x),
    lambda x: tf.cumsum(x * x, axis=-1)])
def test_gradients_of_calls_that_waited(make):
    x = tf.constant(MATRIX)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = make(x)
    with tf.Graph().as_default(), v1.Session() as session:
        z = v1.placeholder_with_default(MATRIX, None)
        got = session.run(tf.gradients(make(z), z)[0])
    np.testing.assert_allclose(got, tape.gradient(y, x), rtol=1e-5)


def test_a_mistake_is_not_hidden():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32)
        with pytest.raises(TypeError, match="does not match type"):
            tf.matmul(x, tf.constant([[1]]))
        with pytest.raises(TypeError, match="missing 1 required"):
            tf.linalg.matvec(x)


def test_names_are_the_same_functions_afterwards():
    before = v1.reshape
    with tf.Graph().as_default():
        v1.placeholder(tf.float32)
    assert v1.reshape is tf.reshape and tf.math.add is tf.add
    assert before in (v1.reshape, v1.reshape.__wrapped__)


def test_a_placeholder_in_a_function():
    shapes = []

    @tf.function(autograph=False)
    def f(y):
        x = v1.placeholder_with_default(MATRIX, None)
        z = v1.placeholder_with_default(y, [None, 2])
        shapes.extend([x.shape, z.shape])
        return tf.cumsum(x, axis=-1) + tf.linalg.matvec(z, z[0]), tf.shape(x)

    y = tf.constant(MATRIX)
    with tf.GradientTape() as tape:
        tape.watch(y)
        total, sizes = f(y)
    assert shapes[0].rank is None and shapes[1].as_list() == [None, 2]
    np.testing.assert_allclose(total, np.cumsum(MATRIX, -1) + MATRIX @ MATRIX[0], rtol=1e-6)
    assert sizes.numpy().tolist() == [2, 2]
    with tf.GradientTape() as eager:
        eager.watch(y)
        want = tf.linalg.matvec(y, y[0]) + tf.zeros([2, 2])
    np.testing.assert_allclose(tape.gradient(total, y), eager.gradient(want, y), rtol=1e-6)


class Pair(tf.experimental.BatchableExtensionType):
    first: tf.Tensor
    second: tf.Tensor


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_a_vectorised_map_gives_composites(wrap):
    x = tf.constant(MATRIX)
    one = wrap(lambda x: tf.vectorized_map(lambda row: Pair(row * 2, tf.reduce_sum(row)), x))(x)
    np.testing.assert_allclose(one.first, MATRIX * 2)
    np.testing.assert_allclose(one.second, MATRIX.sum(1))
    found = wrap(lambda x: tf.vectorized_map(lambda row: {"p": Pair(row, row), "q": row[0]}, x))(x)
    assert found["p"].second.shape == [2, 2] and found["q"].shape == [2]


class Doubled(tf.linalg.LinearOperator):
    """Twice the identity, of a size that its shape alone tells."""

    def __init__(self, vector, name=None):
        self.vector = vector
        super().__init__(np.float32, is_square=True, name=name)

    def _shape(self):
        return tf.TensorShape([None, None])

    def _shape_tensor(self):
        return tf.stack([tf.size(self.vector)] * 2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return 2.0 * x


def test_an_operator_of_a_user_says_its_shape():
    with tf.Graph().as_default(), v1.Session() as session:
        operator = Doubled(v1.placeholder_with_default(VECTOR, [None]), name="twice")
        assert session.run(operator.to_dense()).tolist() == [[2.0, 0.0], [0.0, 2.0]]
        assert operator.parameters == {"vector": operator.vector, "name": "twice"}
    factor = tf.linalg.LinearOperatorFullMatrix(
        MATRIX, is_self_adjoint=True, is_positive_definite=True).cholesky()
    assert list(factor.parameters) == ["tril", "is_non_singular", "is_self_adjoint",
                                       "is_positive_definite", "is_square", "name"]
    again = tf.linalg.LinearOperatorLowerTriangular(**factor.parameters)
    np.testing.assert_array_equal(again.to_dense(), factor.to_dense())
    assert tf.linalg.LinearOperatorDiag(tf.Variable(VECTOR)).variables[0].shape == [2]


def test_sparse_tensors_of_which_nothing_is_known():
    """As a TensorFlow 1 program feeds the adjacency of a graph."""
    value = tf.compat.v1.SparseTensorValue([[0, 1], [1, 0]], [1.0, 2.0], [2, 2])
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        sparse = tf.compat.v1.sparse_placeholder(tf.float32)
        dense = tf.compat.v1.placeholder(tf.float32)
        product = tf.sparse.sparse_dense_matmul(sparse, dense)
        ordered = tf.sparse.reorder(sparse).indices
        found = session.run([product, ordered], {sparse: value, dense: np.eye(2)})
    np.testing.assert_array_equal(found[0], [[0, 1], [2, 0]])
    np.testing.assert_array_equal(found[1], [[0, 1], [1, 0]])


def test_splits_and_axes_of_unknown_rank():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        splits, axis = tf.compat.v1.placeholder(tf.int64), tf.compat.v1.placeholder(tf.int32)
        x = tf.compat.v1.placeholder(tf.float32)
        rows = tf.RaggedTensor.from_row_splits(tf.constant([1.0, 2.0]), splits).to_tensor()
        joined = tf.concat([x, x], axis)
        found = session.run([rows, joined], {splits: [0, 0, 2], x: np.ones((2, 2)), axis: 1})
    np.testing.assert_array_equal(found[0], [[0, 0], [1, 2]])
    assert found[1].shape == (2, 4)


def test_identities_for_a_batch_of_unknown_size():
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def identities(x):
        return tf.eye(2, batch_shape=tf.shape(x)[:1])

    np.testing.assert_array_equal(identities(tf.ones([4, 3])), np.stack([np.eye(2)] * 4))
    assert identities.get_concrete_function().output_shapes.as_list() == [None, 2, 2]


def taken_early() -> dict:
    """Functions as a library has them that took them before there was a placeholder."""
    from tapeflow.ops.array import joining, padding, reverse, shaping, tiling
    from tapeflow.ops.indexing import slicing
    from tapeflow.ops.reduce import cumulative
    return {
        "slice": lambda x: slicing.slice_(x, [0, 1], [1, 2]),
        "pad": lambda x: padding.pad(x, [[1, 0], [0, 2]]),
        "reverse": lambda x: reverse.reverse(x, [-1]),
        "roll": lambda x: reverse.roll(x, 1, -1),
        "split": lambda x: joining.split(x, [1, 2], axis=-1)[1],
        "tile": lambda x: tiling.tile(x, [2, 1]),
        "broadcast_to": lambda x: shaping.broadcast_to(x, [4, 2, 3]),
        "cumsum": lambda x: cumulative.cumsum(x, -1),
        "cumprod": lambda x: cumulative._public_cumprod(x, -1),
    }


@pytest.mark.parametrize("name", ["slice", "pad", "reverse", "roll", "split", "tile",
                                  "broadcast_to", "cumsum", "cumprod"])
def test_functions_that_were_taken_early_wait_too(name):
    call = taken_early()[name]
    value = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        found = session.run(call(tf.compat.v1.placeholder_with_default(value, shape=None)))
    np.testing.assert_array_equal(found, call(tf.constant(value)))


def test_shapes_inside_a_vectorised_map_are_those_of_every_element():
    def product(pair):
        a, b = pair
        return tf.linalg.matvec(tf.reshape(a, tf.shape(a)[-2:]), tf.reshape(b, tf.shape(b)[-1:]))

    a, b = np.arange(24.0, dtype="f").reshape(4, 3, 2), np.arange(8.0, dtype="f").reshape(4, 2)
    with tf.Graph().as_default(), v1.Session() as session:
        found = session.run(tf.vectorized_map(product, (
            v1.placeholder_with_default(a, None), v1.placeholder_with_default(b, None))))
    np.testing.assert_allclose(found, np.einsum("nij,nj->ni", a, b))


def test_zeros_of_sizes_that_a_run_brings():
    with tf.Graph().as_default(), v1.Session() as session:
        shape = v1.placeholder_with_default(np.array([3, 4, 2], np.int32), None)
        operator = tf.linalg.LinearOperatorZeros(
            shape[1], shape[2], batch_shape=shape[:1], is_square=False, is_self_adjoint=False)
        found = session.run([operator.shape_tensor(), operator.to_dense(), operator.diag_part(),
                             operator.matmul(tf.ones([3, 2, 5]))])
    assert found[0].tolist() == [3, 4, 2]
    assert [one.shape for one in found[1:]] == [(3, 4, 2), (3, 2), (3, 4, 5)]
