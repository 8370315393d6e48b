"""Our graphs as TensorFlow's functions: nodes by their declarations, effects in order."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.tensorflow_graphs.writing import graph_writer
from tapeflow.tensorflow_graphs.writing.node_writer import NodeWriter, Ref


@pytest.fixture
def w():
    return NodeWriter()


def test_types_numbers_and_defaults_come_of_the_inputs(w):
    x = Ref("x", tf.float64, (2, 3))
    y = w.Sum(x, w.const([0], np.int32), keep_dims=True)
    node = w.nodes[-1]
    assert (y.name, y.dtype) == ("Sum:output:0", tf.float64)
    assert list(node.input) == ["x", "Const:output:0"]
    assert node.attr["T"].type == tf.float64.as_datatype_enum and node.attr["keep_dims"].b
    joined = w.ConcatV2([x, y, x], 0)
    assert w.nodes[-1].attr["N"].i == 3 and joined.dtype == tf.float64
    assert len(w.Split(np.int32(0), x, num_split=2)) == 2
    assert isinstance(w.Unique(Ref("s", tf.string)), tuple)


def test_numbers_become_constants_of_the_type_that_the_op_wants(w):
    product = w.Mul(Ref("x", tf.float64), 2)
    assert product.dtype == tf.float64
    assert w.nodes[0].attr["value"].tensor.dtype == tf.float64.as_datatype_enum
    assert w.const([1, 2]).dtype == tf.int32 and w.const(np.int64(1)).dtype == tf.int64
    assert w.const(1.0).dtype == tf.float32 and w.const("é").const.item() == "é".encode()
    assert w.const([1, 2]) is w.const([1, 2])


@pytest.mark.parametrize("call", [
    lambda w: w.AddV2(Ref("x", tf.float32), Ref("y", tf.int32)),
    lambda w: w.AddV2(Ref("x", tf.float32)),
    lambda w: w.LogicalAnd(Ref("x", tf.float32), Ref("y", tf.bool)),
    lambda w: w.Cast(Ref("x", tf.float32)),
    lambda w: w.Sin(Ref("x", tf.float32), axis=1),
])
def test_what_the_op_does_not_take_is_refused(w, call):
    with pytest.raises((TypeError, ValueError)):
        call(w)
    assert not w.nodes


def test_names_differ_and_are_names(w):
    assert [w.unique(one) for one in ("a b", "a b", "A_b", "a_b_1", "_", "1")] == [
        "a_b", "a_b_1", "A_b_2", "a_b_1_1", "node", "1"]


def test_a_record_without_a_form_is_named_with_its_line():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: v, [x], tf.float32)

    graph = f.get_concrete_function(tf.TensorSpec([2])).function.graph
    with pytest.raises(graph_writer.Unwritable, match="'py_function' cannot be saved") as caught:
        graph_writer.write_function(graph, graph_writer.FunctionLibrary())
    assert "test_graph_writing.py" in str(caught.value) and "tf.py_function" in str(caught.value)


@pytest.mark.parametrize("approximate, ops", [
    (False, ["Mul", "Neg", "Mul", "Erfc", "Mul"]),
    (True, ["Pow", "Mul", "AddV2", "Mul", "Tanh", "Mul", "AddV2", "Mul"])])
def test_gelu_has_the_form_that_converters_know(approximate, ops):
    """TensorFlow Lite has no Erfc: it finds this chain of nodes, and makes one of its own of it."""
    graph = tf.function(lambda x: tf.nn.gelu(x, approximate), autograph=False)
    traced = graph.get_concrete_function(tf.TensorSpec([2, 3])).function.graph
    written = graph_writer.write_function(traced, graph_writer.FunctionLibrary())
    assert [node.op for node in written.node_def if node.op not in ("Const", "Identity")] == ops


def test_a_sum_of_all_values_of_a_sparse_tensor():
    """ScatterNd refuses rows without coordinates."""
    traced = tf.function(tf.sparse.reduce_sum, autograph=False).get_concrete_function(
        tf.SparseTensorSpec([None, None], tf.float32)).function.graph
    written = graph_writer.write_function(traced, graph_writer.FunctionLibrary())
    assert "Sum" in [node.op for node in written.node_def]
    assert "ScatterNd" not in [node.op for node in written.node_def]
