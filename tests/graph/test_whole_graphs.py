"""Traced functions as GraphDefs that can be imported again, with variables or with constants."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph_mode.wrapped_function import convert_variables_to_constants_v2

X = np.array([[1.0, -2.0], [3.0, 4.0]], np.float32)


@pytest.fixture
def concrete():
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")

    @tf.function(input_signature=[tf.TensorSpec([None, 2], name="x")])
    def layer(x):
        y = tf.nn.relu(x @ w) + 1.0
        for i in tf.range(tf.shape(x)[0]):
            if y[i, 0] > 2.0:
                y = y * 2.0
        return y

    return layer.get_concrete_function()


def imported(message, fetch="Identity:0"):
    def run():
        tf.import_graph_def(message, name="")

    return tf.compat.v1.wrap_function(run, []).prune("x:0", fetch)


def test_nodes_have_the_names_that_users_see(concrete):
    message = concrete.graph.as_graph_def()
    by_name = {one.name: one for one in message.node}
    assert {"MatMul", "Relu", "add"} <= set(by_name)
    assert by_name["x"].op == "Placeholder" and by_name["w"].op == "Placeholder"
    assert list(by_name["add"].input) == ["Relu", "add/y"]
    assert by_name["Identity"].op == "Identity"
    assert any(one.signature.name for one in message.library.function)


def test_a_function_is_the_same_after_it_is_imported():
    f = tf.function(lambda x: (tf.sin(x), tf.reduce_sum(x, 0)[1:]))
    concrete = f.get_concrete_function(tf.TensorSpec([None, 2], name="x"))
    message = concrete.graph.as_graph_def(add_shapes=True)
    for i, name in enumerate(("Identity:0", "Identity_1:0")):
        np.testing.assert_allclose(imported(message, name)(tf.constant(X)), f(X)[i], 1e-6)
    sine = next(one for one in message.node if one.op == "Sin")
    assert [d.size for d in sine.attr["_output_shapes"].list.shape[0].dim] == [-1, 2]


def test_variables_become_constants(concrete, tmp_path):
    frozen = convert_variables_to_constants_v2(concrete)
    expected = concrete(tf.constant(X)).numpy()
    assert not frozen.variables and [one.name for one in frozen.inputs] == ["x:0"]
    assert [one.name for one in frozen.outputs] == ["Identity:0"]
    np.testing.assert_array_equal(frozen(tf.constant(X))[0], expected)
    np.testing.assert_array_equal(frozen(x=tf.constant(X))[0], expected)
    path = tf.io.write_graph(frozen.graph, tmp_path / "new", "frozen.pb", as_text=False)
    with open(path, "rb") as file:
        message = tf.compat.v1.GraphDef.FromString(file.read())
    assert {one.op for one in message.node if one.name == "w"} == {"Const"}
    np.testing.assert_array_equal(imported(message)(tf.constant(X)), expected)
    with pytest.raises(TypeError, match="takes the tensors"):
        frozen(y=tf.constant(X))


def test_what_cannot_be_frozen_is_refused():
    v = tf.Variable(1.0)
    f = tf.function(lambda x: v.assign_add(x))
    with pytest.raises(ValueError, match="assigns to variables"):
        convert_variables_to_constants_v2(f.get_concrete_function(tf.TensorSpec([])))


def test_what_tensorflow_has_no_op_for_is_described():
    f = tf.function(lambda x: tf.py_function(lambda y: y, [x], tf.float32))
    message = f.get_concrete_function(tf.TensorSpec([2])).graph.as_graph_def()
    assert [one.op for one in message.node][0] == "Placeholder" and len(message.node) > 1


def test_functions_of_different_graphs_have_different_names(concrete):
    other = tf.function(lambda x: tf.while_loop(lambda i: i < 3.0, lambda i: [i + x], [0.0]))
    names = [{one.signature.name for one in made.graph.as_graph_def().library.function}
             for made in (concrete, other.get_concrete_function(tf.TensorSpec([])))]
    assert all(names) and not names[0] & names[1]


def test_nodes_of_bodies_have_names_of_their_own(concrete):
    message = concrete.graph.as_graph_def()
    names = [one.name for one in message.node]
    for function in message.library.function:
        names += [one.name for one in function.node_def]
    assert len(message.library.function) > 2 and len(names) == len(set(names))


def test_results_have_the_names_of_the_graph_def():
    @tf.function(autograph=False)
    def f(x):
        return tf.identity(x, name="Identity_1") * 2.0, x + 1.0, x

    graph = f.get_concrete_function(tf.TensorSpec([2], name="x")).graph
    names = [node.name for node in graph.as_graph_def().node if node.op == "Identity"]
    found = [graph.get_tensor_by_name(f"{name}:0") for name in names[-3:]]
    assert [one.shape.as_list() for one in found] == [[2]] * 3
    assert [one is result or one.name == result.name
            for one, result in zip(found, graph.outputs)] == [True] * 3
    with pytest.raises(KeyError):
        graph.get_tensor_by_name("Identity_9:0")
