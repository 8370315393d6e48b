"""tf.Graph and sessions: what programs against TensorFlow do not see."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph_mode.testing_modes import run_in_graph_and_eager_modes

v1 = tf.compat.v1


class Both(tf.test.TestCase):
    modes: list = []

    @run_in_graph_and_eager_modes
    def test_a_variable(self):
        v = tf.Variable([1.0, 2.0])
        self.evaluate(v1.global_variables_initializer())
        self.assertAllClose(v * 2.0, [2.0, 4.0])
        with self.cached_session():
            self.assertAllEqual(self.evaluate(v), [1.0, 2.0])
        self.modes.append(tf.executing_eagerly())

    def runTest(self):
        self.test_a_variable()


def test_a_test_runs_in_both_modes():
    Both.modes.clear()
    result = Both().run()
    assert result.wasSuccessful() and Both.modes == [False, True]
    assert tf.executing_eagerly()


@pytest.mark.parametrize("runs", [3, 60])
def test_steps_of_a_session_are_those_of_a_function(runs):
    x0 = np.random.RandomState(0).rand(8, 3).astype("f")
    w = tf.Variable(tf.ones([3, 1]))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 3])
        u = tf.Variable(tf.ones([3, 1]))
        loss = tf.reduce_mean(tf.tanh(x @ u) ** 2)
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        for _ in range(runs):
            session.run(train, {x: x0})
        got = session.run(u)
    for _ in range(runs):
        step(tf.constant(x0))
    np.testing.assert_allclose(got, w.numpy(), rtol=1e-5)


def test_only_what_is_fetched_runs():
    log = []
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [])
        y = tf.numpy_function(lambda v: log.append(1) or v, [x], tf.float32)
        z = x + 1.0
        assert session.run(z, {x: 1.0}) == 2.0 and not log
        assert session.run(y, {x: 1.0}) == 1.0 and log == [1]


def test_ranks_that_only_a_run_knows():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, None)
        axes = v1.placeholder(tf.int32, [None])
        last = tf.rank(x) - 1
        made = [tf.reduce_sum(x, axis=axes), tf.reduce_max(x, axis=-1),
                tf.reduce_sum(x, axis=tf.range(last, last + 1)), tf.transpose(x),
                tf.concat([x, x], -1), tf.matmul(x, x, transpose_b=True)]
        value = np.arange(6.0, dtype="f").reshape(2, 3)
        wanted = [value.sum(1), value.max(1), value.sum(1), value.T,
                  np.concatenate([value, value], 1), value @ value.T]
        for found, right in zip(session.run(made, {x: value, axes: [1]}), wanted, strict=True):
            np.testing.assert_allclose(found, right)


def test_gradients_by_constants_that_loops_and_branches_use():
    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.constant(3.0)
        _, total = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + x * x),
                                 (0, tf.constant(0.0)))
        chosen = tf.cond(total > 0.0, lambda: x * x, lambda: x)
        assert session.run(tf.gradients([total, chosen], [x])) == [4 * 6.0 + 6.0]
        rows = tf.map_fn(lambda row: row * x, tf.constant([1.0, 2.0]))
        assert session.run(tf.gradients(rows, x)) == [3.0]


def test_what_libraries_ask_of_a_graph():
    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        assert v in set(v1.global_variables())
        assert v not in [tf.Variable(2.0)] and v in v1.trainable_variables() and v != 1.0
        assert not tf.inside_function()
    assert tf.function(lambda: tf.inside_function())().numpy()


def test_a_template_finds_its_variables_in_scopes_of_default_names():
    def layer(x):
        with v1.variable_scope(None, "dense"):
            w = v1.get_variable("w", [2, 2])
        with v1.variable_scope(None, "dense"):
            return x @ w @ v1.get_variable("w", [2, 2])

    template = v1.make_template("defaults", layer)
    x = tf.ones([1, 2])
    np.testing.assert_array_equal(template(x), template(x))
    assert [one.name for one in template.variables] == [
        "defaults/dense/w:0", "defaults/dense_1/w:0"]
    assert len(v1.make_template("defaults", layer).variables) == 0


def test_a_variable_has_the_name_it_was_given_and_joins_collections():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        drawn = v1.get_variable("v", [2])
        with v1.variable_scope("layer"):
            inner = v1.get_variable("v", [2], initializer=tf.random_normal_initializer())
        assert [drawn.name, inner.name] == ["v:0", "layer/v:0"]
        assert "layer/v/Initializer/mul" in [one.name for one in graph.get_operations()]
        local = v1.get_variable("local", initializer=3.0, collections=["local_variables"])
        assert [one.name for one in v1.local_variables()] == ["local:0"]
        assert [one.name for one in v1.global_variables()] == ["v:0", "layer/v:0"]
        session.run(v1.local_variables_initializer())
        assert session.run(local) == 3.0


def test_functions_take_handlers_after_a_placeholder_of_unknown_size():
    with tf.Graph().as_default():
        v1.placeholder(tf.float32, [None])  # public functions are wrapped from now on

    class Area(tf.experimental.ExtensionType):
        metres: tf.Tensor

    @tf.experimental.dispatch_for_api(tf.zeros_like)
    def handler(input: Area, dtype=None, name=None, layout=None):
        return "handled"

    assert tf.zeros_like(Area(1.0)) == "handled"
    tf.experimental.unregister_dispatch_for(handler)


def test_what_takes_a_tensor():
    with tf.Graph().as_default():
        x, c = v1.placeholder(tf.float32, []), tf.constant(2.0)
        y, z = x * c, x + 1.0
        with tf.control_dependencies([y]):
            last = tf.identity(z)
        assert x.consumers() == [y.op, z.op] and c.consumers() == [y.op]
        assert last.consumers() == [] and y.op._control_outputs == [last.op]
    with pytest.raises(NotImplementedError, match="eager execution"):
        tf.constant(2.0).consumers()


def test_a_session_of_an_eager_test_gives_values():
    with tf.test.TestCase().cached_session() as session:
        assert session.run({"a": tf.constant(2.0), "b": 3}) == {"a": 2.0, "b": 3}


def test_a_scope_takes_a_partitioner():
    with v1.variable_scope("partitioned") as scope:
        scope.set_partitioner(None)
        scope.set_regularizer(abs)
        assert scope.partitioner is None and scope.regularizer is abs


def test_graphs_of_layers_take_tensors_of_each_other():
    graphs = [tf.__internal__.FuncGraph(name) for name in ("first", "second")]
    with graphs[0].as_default():
        x = v1.placeholder(tf.float32, [None, 2]) + 1.0
    with graphs[1].as_default():
        assert (tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: x)).shape[1] == 2
    with pytest.raises(TypeError, match="out of scope"):
        tf.function(lambda: x * 2.0)()


def test_an_operation_is_one_object_however_it_is_found():
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32)
        y = x * 2.0
        assert y.op is x.consumers()[0] is y.op
        assert graph.get_operations()[-1] is y.op


def test_graphs_have_keys_of_their_own():
    assert tf.Graph()._graph_key != tf.Graph()._graph_key


@pytest.mark.parametrize("decay, arguments, expected", [
    # What TensorFlow 2.21 gives at steps 0, 5, 12 and 40.
    ("cosine_decay_restarts", (10,), [0.3, 0.15, 0.2926585, 0.256066]),
    ("cosine_decay_restarts", (10, 1.0, 0.5, 0.1), [0.3, 0.165, 0.1521087, 0.046875]),
    ("natural_exp_decay", (10, 0.5), [0.3, 0.2336402, 0.1646435, 0.04060059]),
    ("natural_exp_decay", (10, 0.5, True), [0.3, 0.3, 0.1819592, 0.04060059]),
])
def test_decays_of_learning_rates(decay, arguments, expected):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        step = tf.compat.v1.placeholder(tf.int32)
        rate = getattr(tf.compat.v1.train, decay)(0.3, step, *arguments)
        found = [session.run(rate, {step: one}) for one in (0, 5, 12, 40)]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_noise_on_a_linear_cosine_decay():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        plain = tf.compat.v1.train.linear_cosine_decay(0.3, tf.constant(5), 10)
        quiet = tf.compat.v1.train.noisy_linear_cosine_decay(0.3, tf.constant(5), 10, 0.0)
        loud = tf.compat.v1.train.noisy_linear_cosine_decay(0.3, tf.constant(5), 10)
        a, b, c, d = session.run([plain, quiet, loud]) + [session.run(loud)]
    assert a == b and c != a and c != d


def test_rows_of_a_centered_rmsprop_step():
    var, mg, ms, mom = [tf.Variable([[v], [v], [v]]) for v in (1.0, 0.1, 0.5, 0.2)]
    tf.raw_ops.ResourceSparseApplyCenteredRMSProp(
        var=var.handle, mg=mg.handle, ms=ms.handle, mom=mom.handle, lr=0.1, rho=0.9, momentum=0.5,
        epsilon=0.01, grad=tf.constant([[2.0], [3.0]]), indices=tf.constant([2, 0]))
    expected = [[0.6270357, 0.3900001, 1.35, 0.3729642], [1, 0.1, 0.5, 0.2],
                [0.672947, 0.2900001, 0.8500001, 0.3270529]]
    np.testing.assert_allclose(tf.concat([var, mg, ms, mom], 1), expected, rtol=1e-5)


def test_feeds_are_lists_of_another_kind():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.int64)
        assert session.run(x, {x: [[1.0], [5.5]]}).tolist() == [[1], [5]]


def test_a_session_of_another_graph_evaluates_nothing():
    with tf.Graph().as_default():
        c = tf.random.uniform([])
    with tf.Graph().as_default(), v1.Session() as session:
        with pytest.raises(ValueError, match="Cannot use the given session to evaluate tensor"):
            c.eval(session=session)
        with pytest.raises(ValueError, match="Cannot use the default session to evaluate tensor"):
            c.eval()


def test_the_rank_of_a_sparse_tensor_that_nothing_is_known_of():
    with tf.Graph().as_default(), v1.Session() as session:
        sparse = v1.sparse_placeholder(tf.float32)
        value = v1.SparseTensorValue([[0, 1]], [2.0], [1, 3])
        assert session.run(tf.rank(sparse), {sparse: value}) == 2


def test_what_no_graph_can_hold_is_a_type_error():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Failed to convert elements of"):
        tf.constant({})


def test_an_added_bias_is_named_for_what_it_is():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 2])
        assert tf.nn.bias_add(x, [1.0, 2.0]).name == "BiasAdd:0"
        assert tf.nn.bias_add(x, [1.0, 2.0]).name == "BiasAdd_1:0"
        assert tf.nn.bias_add(x, [1.0, 2.0], name="b").name == "b:0"


def test_operations_say_what_they_are_in_the_graph_def():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [2, 3], name="x")
        made = tf.matmul(x, x, transpose_b=True, name="product").op.node_def
    assert (made.name, made.op, list(made.input)) == ("product", "MatMul", ["x", "x"])
    assert made.attr["transpose_b"].b
    function = tf.function(lambda x: tf.sin(x)).get_concrete_function(tf.TensorSpec([2]))
    assert [one.node_def.op for one in function.graph.get_operations()] == ["Placeholder", "Sin"]


def test_constants_of_which_nothing_is_made():
    with tf.Graph().as_default(), v1.Session() as session:
        assert tf.unstack(tf.zeros([0, 2])) == []
        assert session.run(tf.constant(1.0) + 1.0) == 2.0
