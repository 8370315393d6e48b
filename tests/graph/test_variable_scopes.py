"""TensorFlow 1's scopes, templates, collections and seeds where functions and graphs meet."""

import sys
from unittest import mock

import pytest

import tapeflow as tf
from tapeflow.api.v1 import named_variables

v1 = tf.compat.v1


def test_nodes_of_an_initial_value_do_not_take_the_name_of_the_variable():
    with tf.Graph().as_default() as graph:
        with tf.name_scope("s"):
            v = tf.Variable(lambda: v1.glorot_uniform_initializer()([2, 2]), name="v")
        names = [one.name for one in graph.get_operations()]
    assert v.name == "s/v:0"
    assert any(name.startswith("s/v/Initializer/") for name in names)


def test_get_variable_knows_scopes_of_variables_alone():
    with tf.Graph().as_default(), tf.name_scope("s"):
        assert v1.get_variable("a", [2]).name == "a:0"
        with v1.variable_scope("t"):
            assert v1.get_variable("a", [2]).name == "t/a:0"


def test_constants_bring_their_dtype_and_shape():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="Initializer type '<dtype: 'int32'>' and explicit "
                                             "dtype '<dtype: 'float64'>' don't match."):
            v1.get_variable("a", initializer=tf.constant(1), dtype=tf.float64)
        with pytest.raises(ValueError, match="do not specify shape"):
            v1.get_variable("b", [1], initializer=tf.constant(1.0))


def test_a_variable_scope_is_opened_again():
    with tf.Graph().as_default():
        scope = v1.variable_scope("s", reuse=v1.AUTO_REUSE)
        with scope:
            first = v1.get_variable("v", [])
        with scope:
            assert v1.get_variable("v", []) is first
        with pytest.raises(TypeError, match="auxiliary_name_scope"):
            v1.variable_scope("s", auxiliary_name_scope="invalid")


def test_the_name_scope_of_a_variable_scope():
    with tf.Graph().as_default(), v1.variable_scope("outer"):
        with v1.variable_scope("inner", auxiliary_name_scope=False) as inner:
            assert inner.original_name_scope == "outer/"
        with v1.variable_scope("inner") as inner:
            assert inner.original_name_scope == "outer/inner/"


def test_names_of_scopes_are_checked_in_a_graph():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="'_' is not a valid root scope name"), (
                tf.name_scope("_")):
            pass
        with tf.name_scope("k"), tf.name_scope("_"):  # inside of another one
            pass


def test_a_template_has_the_scope_of_its_first_call():
    def scaled(x):
        return x * v1.get_variable("y", initializer=tf.constant(2.0))

    with tf.Graph().as_default():
        late, now = v1.make_template("t", scaled), v1.make_template("t", scaled, True)
        with v1.variable_scope("foo"):
            late(tf.constant(1.0))
            now(tf.constant(1.0))
        late(tf.constant(1.0))
        assert [one.name for one in late.variables] == ["foo/t/y:0"]
        assert [one.name for one in now.variables] == ["t/y:0"]


def test_graphs_have_scopes_of_their_own():
    seen = []
    with tf.name_scope("a"):
        with tf.__internal__.FuncGraph("x").as_default():
            with tf.init_scope():
                seen.append(tf.Variable(1.0, name="v").name)
            with tf.name_scope("b"), tf.init_scope():
                seen.append(tf.Variable(1.0, name="v").name)

        @tf.function
        def function():
            with tf.name_scope("c"):
                seen.append(tf.__internal__.get_name_scope())

        function()
        seen.append(tf.Variable(1.0, name="v").name)
    assert seen == ["v:0", "b/v:0", "c", "a/v:0"]
    graph = tf.Graph()
    with graph.as_default(), tf.name_scope("k"), tf.Graph().as_default(), graph.as_default():
        assert v1.placeholder(tf.float32).name == "k/Placeholder:0"
    with graph.as_default():
        assert v1.placeholder(tf.float32).name == "Placeholder:0"


def test_the_graph_of_a_function_has_collections():
    seen = []

    @tf.function
    def function():
        v1.add_to_collection("mine", 1)
        v1.get_collection_ref("mine").append(2)
        seen.append(v1.get_collection("mine"))

    function()
    assert seen == [[1, 2]]
    assert v1.get_collection("mine") == []


def test_variables_are_keys_in_a_function_of_a_graph():
    with tf.Graph().as_default():
        made = []

        @tf.function
        def function():
            if not made:
                made.append(tf.Variable(1.0))
            return len({made[0]})

        function()
    assert len(made) == 1


def test_libraries_choose_seeds_where_get_seed_is():
    """As tf_keras's DeterministicRandomTestTool does."""
    def draws():
        home = sys.modules[v1.get_seed.__module__]
        with mock.patch.object(home, "get_seed", wraps=lambda _: (1, 7)):
            eager = tf.random.uniform([3]).numpy().tolist()
            traced = tf.function(lambda: tf.random.uniform([3]))().numpy().tolist()
            with tf.Graph().as_default(), v1.Session() as session:
                return eager, traced, session.run(tf.random.uniform([3])).tolist()

    eager, traced, graph = draws()
    assert eager == traced == graph
    with tf.Graph().as_default():
        v1.set_random_seed(5)
        assert v1.get_seed(3) == (5, 3)


@pytest.mark.parametrize("traced", [False, True])
def test_a_reshape_that_cannot_be_is_told_of_as_a_node(traced):
    def reshape(shape):
        if traced:
            return tf.function(lambda x: tf.reshape(x, shape))(tf.constant([[1.0], [5.0]]))
        with tf.Graph().as_default():
            return tf.reshape(tf.constant([[1.0], [5.0]]), shape)

    with pytest.raises(ValueError, match=r"Cannot reshape a tensor with 2 elements to shape "
                                         r"\[2,2\] \(4 elements\)"):
        reshape([2, 2])
    with pytest.raises(ValueError, match="must be evenly divisible by 3 but is 2"):
        reshape([-1, 3])


def test_values_of_a_function_get_the_dtype_of_the_variable():
    v = tf.compat.v1.get_variable("whole", (2,), tf.float32, lambda shape, dtype: (1, 0))
    assert v.dtype == tf.float32 and v.numpy().tolist() == [1.0, 0.0]


def test_scopes_of_creators_are_left_in_their_order():
    def creator(following, **given):
        return following(**given)

    with tf.Graph().as_default() as graph:
        before = graph._variable_creator_stack
        scope = tf.variable_creator_scope(creator)
        scope.__enter__()
        with tf.variable_creator_scope(creator), pytest.raises(RuntimeError, match="nesting"):
            scope.__exit__(None, None, None)
        graph._variable_creator_stack = before
        assert graph._variable_creator_stack == before


def test_variables_of_a_template_are_saved_with_it(tmp_path):
    class Inner(tf.Module):
        def __call__(self):
            with (v1.variable_scope("Inner") as self.variable_scope,
                  named_variables.capture_dependencies(template=self)):
                return v1.get_variable("w", [], initializer=v1.ones_initializer())

    def templated():
        inner = Inner()
        return v1.get_variable("v", [2], initializer=v1.zeros_initializer()), inner, inner()

    saved = v1.make_template("first", templated)
    v, inner, w = saved()
    assert saved._trackable_children() == {"v": v, "Inner": inner}
    assert inner._trackable_children()["w"] is w
    v.assign([3.0, 4.0]), w.assign(5.0)
    path = tf.train.Checkpoint(one=saved).save(str(tmp_path / "t"))
    other = v1.make_template("second", templated)
    status = tf.train.Checkpoint(one=other).restore(path)
    v, inner, w = other()
    status.assert_consumed()
    assert v.numpy().tolist() == [3.0, 4.0] and w.numpy() == 5.0


def test_the_variables_of_a_graph_by_name():
    assert named_variables._get_default_variable_store() is None
    with tf.Graph().as_default(), v1.variable_scope("s"):
        v = v1.get_variable("v", [2])
        assert named_variables._get_default_variable_store()._vars == {"s/v": v}


def test_each_graph_has_a_scope_of_its_own():
    with tf.Graph().as_default():
        first = v1.get_variable("w", [2])
        v1.get_variable_scope().reuse_variables()
        assert v1.get_variable("w") is first
        with tf.Graph().as_default():
            assert v1.get_variable("w", [3]) is not first
        assert v1.get_variable_scope().reuse
    assert not v1.get_variable_scope().reuse
