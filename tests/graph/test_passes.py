"""Each pass alone: what it changes, what it leaves, and that a second time changes nothing."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph import ir, passes
from tapeflow.graph.executor.graph_function import GraphFunction

X = tf.TensorSpec([2, 3], tf.float32)


def traced(function, *specs):
    """The graph of a function, without passes."""
    made = tf.function(function, autograph=False).get_concrete_function(*specs)
    return passes.copy(made.function.graph)


def ops(graph):
    return [node.op.name for node in graph.nodes]


def after(one, function, *specs):
    """The ops that a pass leaves; the graph is checked, and means what it meant."""
    graph = traced(function, *specs)
    before = str(graph)
    one(graph)
    ir.check(graph)
    done = ops(graph)
    text = str(graph)
    one(graph)
    assert str(graph) == text, f"a second {one.__name__} changed\n{text}\nto\n{graph}"
    rng = np.random.default_rng(0)
    xs = [rng.uniform(0.5, 2, value.shape).astype(value.dtype) for value in graph.inputs]
    want = GraphFunction(traced(function, *specs)).replay([tf.constant(x) for x in xs], [])
    got = GraphFunction(graph).replay([tf.constant(x) for x in xs], [])
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, err_msg=before)
    return done


def test_dead_code_goes_and_effects_stay():
    v = tf.Variable(0.0)

    def f(x):
        tf.exp(x)
        v.assign(tf.reduce_sum(x))
        tf.debugging.assert_positive(x)
        return x * 2

    graph = traced(f, X)
    graph.prune()
    assert "exp" not in ops(graph)
    assert {"write_variable", "assert_true", "multiply"} <= set(ops(graph))


def test_fold_computes_what_is_constant():
    def f(x):
        shape = tf.cast(tf.shape(tf.transpose(x)), tf.float32)
        return x * tf.reduce_sum(shape)

    assert after(passes.fold, f, X)[-1] == "multiply"
    graph = traced(f, X)
    passes.fold(graph)
    graph.prune()
    assert ops(graph) == ["multiply"]
    assert graph.nodes[0].inputs[1].const == 5.0


def test_fold_leaves_errors_to_the_run():
    def f(x):
        return x + tf.cast(tf.constant(1) // (tf.size(x) - tf.size(x)), tf.float32)

    g = tf.function(f, autograph=False, input_signature=[tf.TensorSpec([None])])
    g.get_concrete_function()
    with pytest.raises(tf.errors.InvalidArgumentError):
        g(tf.constant([1.0]))


def test_common_computes_once():
    assert after(passes.common, lambda x: tf.sin(x) * tf.exp(x) + tf.sin(x), X) == [
        "sin", "exp", "multiply", "add"]
    assert after(passes.common, lambda x: x * 2.0 + x * 2.0 + x * 3.0, X) == [
        "multiply", "add", "multiply", "add"]


def test_common_leaves_random_numbers_alone():
    graph = traced(lambda: tf.random.normal([2]) + tf.random.normal([2]))
    count = len(graph.nodes)
    passes.common(graph)
    assert len(graph.nodes) == count


@pytest.mark.parametrize("function", [
    lambda x: x * 1.0, lambda x: 1.0 * x, lambda x: x + 0.0, lambda x: 0.0 + x, lambda x: x - 0.0,
    lambda x: x / 1.0, lambda x: x ** 1.0, lambda x: x * tf.ones([2, 3]), tf.identity,
    tf.stop_gradient, lambda x: tf.reshape(tf.reshape(x, [3, 2]), [2, 3]),
    lambda x: tf.transpose(tf.transpose(x)), lambda x: tf.broadcast_to(x, [2, 3]),
])
def test_algebra_removes(function):
    assert after(passes.algebra, lambda x: tf.sin(function(tf.sin(x))), X)[-1] == "sin"
    graph = traced(lambda x: tf.sin(function(tf.sin(x))), X)
    passes.algebra(graph)
    graph.prune()
    assert ops(graph) == ["sin", "sin"]


@pytest.mark.parametrize("function", [lambda x: 0.0 - x, lambda x: 1.0 / x, lambda x: x * 0.0,
                                      lambda x: x + tf.zeros([4, 2, 3])])
def test_algebra_leaves(function):
    assert len(after(passes.algebra, function, X)) == 1


def test_algebra_of_scalars():
    assert after(passes.algebra, lambda x: tf.sin(x * 1.0), tf.TensorSpec([])) == ["sin"]


def test_chains_become_one():
    def f(x):
        return tf.reshape(tf.reshape(x, [6]), [3, 2]) + tf.transpose(
            tf.transpose(tf.reshape(x, [3, 2]), [0, 1]))[0, 0]

    graph = traced(lambda x: tf.reshape(tf.reshape(x, [6]), [3, 2]), X)
    passes.algebra(graph)
    graph.prune()
    assert ops(graph) == ["reshape"]
    after(passes.algebra, f, X)


@pytest.mark.parametrize("left, right", [(True, False), (False, True), (True, True)])
def test_transposes_go_into_matmul(left, right):
    def f(x, y):
        a = tf.transpose(x) if left else tf.matmul(x, y)
        b = tf.transpose(y) if right else y
        return tf.matmul(a, b, transpose_a=not left and False)

    square = tf.TensorSpec([3, 3], tf.float32)
    graph = traced(f, square, square)
    passes.algebra(graph)
    graph.prune()
    assert set(ops(graph)) == {"matmul"}
    after(passes.algebra, f, square, square)


def test_batched_transposes_go_into_matmul_and_others_do_not():
    cube = tf.TensorSpec([2, 2, 2], tf.float32)
    for perm, flipped in (([0, 2, 1], True), ([2, 1, 0], False), ([1, 0, 2], False)):
        def f(x, perm=perm):
            return tf.matmul(tf.transpose(x, perm), x)

        graph = traced(f, cube)
        passes.algebra(graph)
        graph.prune()
        assert ops(graph) == (["matmul"] if flipped else ["transpose", "matmul"])
        after(passes.algebra, f, cube)


def test_broadcasts_sink_into_what_broadcasts():
    row = tf.TensorSpec([3], tf.float32)
    graph = traced(lambda x, y: x * tf.broadcast_to(y, [2, 3]), X, row)
    passes.algebra(graph)
    graph.prune()
    assert ops(graph) == ["multiply"]
    # Here the operand makes the shape: it must stay.
    assert after(passes.algebra, lambda y: tf.broadcast_to(y, [2, 3]) * 2.0, row) == [
        "broadcast_to", "multiply"]
    assert after(passes.algebra, lambda y: tf.broadcast_to(y, [2, 3]) * tf.broadcast_to(
        y, [2, 3]), row).count("broadcast_to") == 2


def test_unknown_sizes_are_left_alone():
    wide = tf.TensorSpec([None, 3], tf.float32)
    graph = traced(lambda x: tf.reshape(x * tf.ones([1, 3]), tf.shape(x)), wide)
    count = len(graph.nodes)
    passes.algebra(graph)
    assert len(graph.nodes) == count


def test_optimise_works_on_a_copy():
    made = tf.function(lambda x: x * 1.0 + tf.sin(x) + tf.sin(x), autograph=False)
    graph = made.get_concrete_function(X).function.graph
    before = str(graph)
    small = passes.optimise(graph)
    assert str(graph) == before
    assert ops(small) == ["sin", "add", "add"]
    again = passes.optimise(small)
    assert str(again) == str(small)


def test_the_check_finds_broken_graphs():
    graph = traced(lambda x: tf.sin(tf.exp(x)), X)
    ir.check(graph)
    graph.nodes.reverse()
    with pytest.raises(AssertionError, match="before it is defined"):
        ir.check(graph)
    graph.nodes.reverse()
    graph.nodes.append(graph.nodes[0])
    with pytest.raises(AssertionError, match="defined twice"):
        ir.check(graph)
    graph.nodes = graph.nodes[:1]
    with pytest.raises(AssertionError, match="output"):
        ir.check(graph)


def test_equal_attributes_of_other_dtypes_are_not_the_same():
    @tf.function
    def hot(i):
        return tf.one_hot(i, 3), tf.one_hot(i, 3, dtype=tf.int32), tf.one_hot(
            i, 3, True, False), tf.one_hot(i, 3, dtype=tf.float64)

    found = hot(tf.constant([0, 2]))
    assert [one.dtype for one in found] == [tf.float32, tf.int32, tf.bool, tf.float64]


def test_identity_matrices_of_a_size_that_a_run_brings():
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def squares(x):
        n = tf.size(x)
        return tf.eye(n, dtype=tf.bool), tf.eye(n), tf.eye(n, dtype=tf.complex64)

    for found in squares(tf.zeros([2])):
        assert found.numpy().tolist() == [[1, 0], [0, 1]]
    assert squares(tf.zeros([2]))[0].dtype == tf.bool
