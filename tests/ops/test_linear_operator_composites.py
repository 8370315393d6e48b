"""Linear operators as composites: functions, loops and branches take them apart and give them."""

import numpy as np
import pytest

import tapeflow as tf

Full, Diag = tf.linalg.LinearOperatorFullMatrix, tf.linalg.LinearOperatorDiag
MATRIX = tf.constant([[2.0, 1.0], [1.0, 3.0]])


def test_a_function_is_traced_once_for_operators_of_one_kind():
    solve = tf.function(lambda operator: operator.solve(tf.ones([2, 1])))
    for scale in (1.0, 2.0):
        found = solve(Full(scale * MATRIX, is_positive_definite=True, is_self_adjoint=True))
        np.testing.assert_allclose(found, [[0.4 / scale], [0.2 / scale]], rtol=1e-6)
    assert solve.experimental_get_tracing_count() == 1
    solve(Full(MATRIX))
    assert solve.experimental_get_tracing_count() == 2  # other hints


def test_a_gradient_reaches_the_matrix_and_the_variable():
    value = tf.function(lambda operator: operator.matvec(tf.ones([2])))
    variable = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(MATRIX)
        found = value(Full(MATRIX)) + value(Diag(variable))
    by_matrix, by_variable = tape.gradient(found, [MATRIX, variable])
    assert by_matrix.numpy().tolist() == [[1, 1], [1, 1]]
    assert by_variable.numpy().tolist() == [1, 1]
    operator = Diag(variable)
    variable.assign([5.0, 6.0])
    assert value(operator).numpy().tolist() == [5, 6]


def test_taken_apart_and_put_together():
    nested = tf.linalg.LinearOperatorComposition([Full(np.eye(2, dtype="f")), Diag([1.0, 2.0])])
    parts = tf.nest.flatten(nested, expand_composites=True)
    assert [one.shape.as_list() for one in parts] == [[2, 2], [2]]
    again = tf.nest.pack_sequence_as(nested, [parts[0] * 2.0, parts[1]], expand_composites=True)
    assert again.to_dense().numpy().tolist() == [[2, 0], [0, 4]]
    assert tf.nest.flatten(tf.linalg.LinearOperatorIdentity(2), expand_composites=True) == []
    same = tf.identity(Full(MATRIX, is_self_adjoint=True))
    assert type(same) is Full and same.is_self_adjoint


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_loops_and_branches(wrap):
    def double(_, operator):
        return _ + 1, Full(2.0 * operator.to_dense())

    grown = wrap(lambda: tf.while_loop(lambda i, _: i < 3, double,
                                       (tf.constant(0), Full(MATRIX)))[1].to_dense())()
    np.testing.assert_array_equal(grown, 8 * MATRIX)
    chosen = wrap(lambda p: tf.cond(p, lambda: Full(MATRIX), lambda: Full(2.0 * MATRIX)))
    np.testing.assert_array_equal(chosen(tf.constant(False)).to_dense(), 2 * MATRIX)


def test_signatures_and_datasets():
    operator = Full(MATRIX)
    trace = tf.function(lambda one: one.trace(), input_signature=[operator._type_spec])
    assert float(trace(operator)) == 5.0
    (found,) = tf.data.Dataset.from_tensors(operator)
    np.testing.assert_array_equal(found.to_dense(), MATRIX)
    assert operator._type_spec == Full(2.0 * MATRIX)._type_spec != Full(MATRIX, True)._type_spec
