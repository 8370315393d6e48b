"""`tensorflow.python…`: the table of what libraries import of TensorFlow's private source tree."""

import importlib

import pytest

import tapeflow as tf
from tapeflow import alias
from tapeflow.alias import finder, private


@pytest.fixture(autouse=True)
def served():
    alias.install()
    yield
    alias.uninstall()


@pytest.mark.parametrize("name", sorted(private.MODULES))
def test_every_name_of_the_table_is_there(name):
    module = importlib.import_module(f"tensorflow.{name}")
    served = private.MODULES[name]
    if any(".autograph." in where for where, _ in served.names.values()):
        pytest.importorskip("gast")  # which libraries that transform functions need themselves
    assert served.users
    for one in served.names:
        assert getattr(module, one) is not None or one in ("newaxis",)
    assert set(served.names) <= set(dir(module))


def test_what_the_table_lacks_is_refused_with_words():
    from tensorflow.python.framework import ops

    with pytest.raises(AttributeError, match=r"tensorflow\.python\.framework\.ops\.nothing"):
        ops.nothing
    with pytest.raises(ImportError):
        from tensorflow.python.framework.ops import nothing  # noqa: F401


def test_paths_of_leaves():
    from tensorflow.python.util import nest

    tree = {"b": [1, (2, 3)], "a": 4}
    assert list(nest.yield_flat_paths(tree)) == [("a",), ("b", 0), ("b", 1, 0), ("b", 1, 1)]
    assert nest.flatten_with_joined_string_paths(tree)[3] == ("b/1/1", 3)
    assert nest.map_structure_with_tuple_paths(lambda path, x: (len(path), x), [1, [2]]) == [
        (1, 1), [(2, 2)]]
    assert nest.get_traverse_shallow_structure(lambda s: isinstance(s, dict), tree) == {
        "a": False, "b": False}
    assert nest.flatten_with_tuple_paths_up_to([0, 0], [[1, 2], 3]) == [((0,), [1, 2]), ((1,), 3)]
    assert nest.list_to_tuple([1, [2, {"a": [3]}]]) == (1, (2, {"a": (3,)}))


def test_partial_calls_have_argspecs():
    import functools

    from tensorflow.python.util import tf_inspect

    spec = tf_inspect.getfullargspec(functools.partial(lambda a, b, c=3: a, b=2))
    assert (spec.args, spec.defaults) == (["a", "b", "c"], (2, 3))
    assert tf_inspect.getfullargspec(functools.wraps(len)(lambda *a: a)).args == []


def test_deprecated_is_told_once(caplog):
    from tensorflow.python.util import deprecation

    @deprecation.deprecated("2030-01-01", "Use g.")
    def f(x, y=2):
        """F."""
        return x + y

    assert (f(1), f(1)) == (3, 3)
    told = [one.getMessage() for one in caplog.records]
    assert len(told) == 1
    assert "is deprecated and will be removed after 2030-01-01." in told[0]
    with deprecation.silence():
        deprecation.deprecated(None, "no")(lambda: 0)()
    assert len(caplog.records) == 1


def test_what_tapes_follow():
    from tensorflow.python.eager import record

    x, v = tf.constant(1.0), tf.Variable(2.0)
    assert not record.should_record_backprop([x])
    with tf.GradientTape() as tape:
        assert not record.should_record_backprop([x])
        assert record.should_record_backprop([tf.convert_to_tensor(v)])
        tape.watch(x)
        assert record.should_record_backprop([x])
        with record.stop_recording():
            y = x * x
    assert tape.gradient(y, x) is None


def test_sums_of_linear_operators():
    from tensorflow.python.ops.linalg import linear_operator_addition

    one, two = tf.linalg.LinearOperatorIdentity(2), tf.linalg.LinearOperatorDiag([1.0, 2.0])
    (total,) = linear_operator_addition.add_operators([one, two])
    assert isinstance(total, tf.linalg.LinearOperatorDiag)
    assert total.to_dense().numpy().tolist() == [[2.0, 0.0], [0.0, 3.0]]


def test_sparse_matrices():
    from tensorflow.python.ops.linalg.sparse import sparse

    a = tf.constant([[1.0, 0.0], [2.0, 3.0]])
    b = tf.constant([[0.0, 4.0], [5.0, 6.0]])
    for left in (a, sparse.CSRSparseMatrix(a)):
        for right in (b, sparse.CSRSparseMatrix(b)):
            if left is a and right is b:
                continue
            for flip in (False, True):
                product = sparse.matmul(left, right, transpose_a=flip)
                dense = getattr(product, "to_dense", lambda product=product: product)()
                wanted = tf.matmul(a, b, transpose_a=flip)
                assert dense.numpy().tolist() == wanted.numpy().tolist()


def test_arguments_are_seen_through_decorators_of_tensorflow_only():
    import functools

    from tensorflow.python.util import tf_decorator, tf_inspect

    def plain(a, b=1):
        return a + b

    @functools.wraps(plain)
    def others(*args):
        return plain(*args)

    def wrapper(*args):
        return plain(*args)

    decorated = tf_decorator.make_decorator(plain, wrapper)
    assert tf_inspect.getfullargspec(others).args == []
    assert tf_inspect.getfullargspec(decorated).args == ["a", "b"]
    assert tf_inspect.getfullargspec(tf.add).args[:2] == ["x", "y"]


def test_what_one_process_lacks_can_be_asked_for():
    dtensor = tf.experimental.dtensor
    assert not isinstance(tf.Variable(1.0), dtensor.DVariable)
    assert not isinstance(1, tf.distribute.experimental.coordinator.RemoteValue)
    with pytest.raises(ValueError, match="not a valid Mesh"):
        dtensor.Layout(["x"], None)


def test_a_variable_describes_itself():
    spec = tf.type_spec_from_value(tf.Variable([1.0, 2.0], trainable=False))
    assert isinstance(spec, tf.VariableSpec)
    assert (spec.shape.as_list(), spec.dtype, spec.trainable) == ([2], tf.float32, False)


def test_ragged_values():
    import numpy as np

    inner = tf.compat.v1.ragged.RaggedTensorValue(np.array([1, 2, 3]), np.array([0, 2, 3]))
    made = tf.compat.v1.ragged.RaggedTensorValue(inner, np.array([0, 0, 2]))
    assert made.to_list() == [[], [[1, 2], [3]]] and made.shape == (2, None, None)
    assert made.ragged_rank == 2 and made.flat_values.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="row_splits"):
        tf.compat.v1.ragged.RaggedTensorValue(np.array([1]), [0, 1])


def test_specs_of_libraries_are_written_under_their_registered_names():
    from tensorflow.python.framework import type_spec, type_spec_registry

    @type_spec_registry.register("tests.alias.PairSpec")
    class PairSpec(type_spec.BatchableTypeSpec):
        value_type = tuple
        _component_specs = ()

        def __init__(self, parts):
            self.parts = parts

        def _serialize(self):
            return (self.parts,)

        def _to_components(self, value):
            return value

        def _from_components(self, components):
            return components

    spec = PairSpec({"a": tf.TensorSpec([2]), "v": tf.VariableSpec([], tf.int32)})
    assert type_spec_registry.lookup(type_spec_registry.get_name(PairSpec)) is PairSpec
    encoded = tf.__internal__.saved_model.encode_structure([spec])
    assert tf.__internal__.saved_model.decode_proto(encoded) == [spec]


def test_a_bound_function_is_an_instance_of_the_class_of_functions():
    from tensorflow.python.eager import def_function

    class Model:
        @tf.function
        def step(self, x):
            return x + 1

    assert isinstance(Model().step, def_function.Function)
    assert isinstance(Model.step, def_function.Function)
    assert Model().step(tf.constant(1)).numpy() == 2


def test_operators_of_a_variable_that_keeps_its_value_elsewhere():
    class Held(tf.Variable):
        def __init__(self, held):
            self.held = held

        def value(self):
            return self.held

        shape = property(lambda self: self.held.shape)
        dtype = property(lambda self: self.held.dtype)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        v = Held(x)
        y = 3.0 * v + v[0] - (-v) * v
    assert y.numpy().tolist() == [5.0, 11.0]
    assert tape.gradient(y, x).numpy().tolist() == [7.0, 7.0]
    assert tf.zeros_like(v).numpy().tolist() == [0.0, 0.0]
    tf.register_tensor_conversion_function(Held, lambda v, dtype=None, name=None, as_ref=False:
                                           -v.held)
    assert tf.identity(v).numpy().tolist() == [-1.0, -2.0]


def test_modules_of_one_name_have_scopes_of_their_own_in_a_graph():
    with tf.Graph().as_default():
        assert [tf.Module(name="m").name_scope.name for _ in range(2)] == ["m/", "m_1/"]
    assert [tf.Module(name="m").name_scope.name for _ in range(2)] == ["m/", "m/"]


def test_leaves_of_modules():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.parts = {"b": [tf.Variable(1.0)], "a": tf.Variable(2.0, trainable=False)}
            self.rows = tf.ragged.constant([[1], [2, 3]])
            self.inner = tf.Module()

        @property
        def variables(self):
            raise ValueError("none yet")

    model = Model()
    assert [v.numpy() for v in model.trainable_variables] == [1.0]
    assert [v.numpy() for v in model.non_trainable_variables] == [2.0]
    paths = [path for path, _ in model._flatten(predicate=tf.is_tensor, with_path=True)]
    assert paths == [("parts", "a"), ("parts", "b", 0), ("rows",)]
    assert len(list(model._flatten(predicate=tf.is_tensor, expand_composites=True))) == 4


def test_quantized_types_are_names():
    assert (tf.qint8.size, tf.quint16.as_datatype_enum, tf.dtypes.qint32.is_quantized) == (1, 16, 1)
    assert not tf.qint8.is_integer
    with pytest.raises(TypeError, match="no tensors of quantized types"):
        tf.zeros([2], tf.qint8)


def test_objects_that_stand_for_tensors_say_so():
    class Deferred:
        is_tensor_like = True

    assert tf.is_tensor(Deferred())
    assert not tf.is_tensor(object())


def test_batches_of_sparse_matrices():
    from tensorflow.python.ops.linalg.sparse import sparse

    dense = tf.constant([[[1.0, 0.0], [2.0, 3.0]], [[0.0, 4.0], [0.0, 5.0]]])
    matrix = sparse.CSRSparseMatrix(dense)
    other = tf.reshape(tf.range(8.0), [2, 2, 2])
    wanted = tf.linalg.matmul(dense, other, transpose_a=True)
    assert (sparse.matmul(matrix, other, transpose_a=True).numpy() == wanted.numpy()).all()
    both = sparse.matmul(matrix, matrix, adjoint_b=True)
    wanted = tf.linalg.matmul(dense, dense, adjoint_b=True)
    assert (both.to_dense().numpy() == wanted.numpy()).all()


@pytest.mark.parametrize("name", sorted(private.shared_names()))
def test_every_shared_name_is_the_public_one(name):
    module = importlib.import_module(f"tensorflow.{name}")
    by_hand = private.MODULES[name].names if name in private.MODULES else {}
    for theirs, (where, ours) in private.shared_names()[name].names.items():
        assert theirs in dir(module)
        if theirs not in by_hand and name not in ("python.framework.errors",
                                                  "python.framework.errors_impl"):
            assert getattr(module, theirs) == private.fetch(where, ours)


def test_programs_import_ops_from_the_source_tree():
    from tensorflow.python.framework import constant_op, dtypes
    from tensorflow.python.ops import array_ops, gen_math_ops, gen_nn_ops, math_ops
    from tensorflow.python.platform import gfile

    assert math_ops.reduce_sum is tf.reduce_sum
    x = constant_op.constant([1.0, -2.0], dtypes.float32)
    assert gen_math_ops.add_v2(x, y=array_ops.ones_like(x)).numpy().tolist() == [2, -1]
    assert gen_nn_ops.relu(x).numpy().tolist() == [1, 0]
    assert not gfile.Exists("no such file")
    assert "python.ops.math_ops" not in private.PACKAGES


@pytest.mark.parametrize("call, words", [
    (lambda op, x: op(x, x, None, x), "takes 3 positional arguments but 4 were given"),
    (lambda op, x: op(x, x, x=x), "multiple values for argument 'x'"),
])
def test_generated_ops_take_arguments_as_functions_do(call, words):
    from tensorflow.python.ops import gen_math_ops

    with pytest.raises(TypeError, match=words):
        call(gen_math_ops.add_v2, tf.constant(1.0))
    with pytest.raises(AttributeError, match=r"gen_math_ops\.no_such_op"):
        gen_math_ops.no_such_op


def test_the_private_copy_of_keras_is_keras():
    finder._tell_of_keras.cache_clear()
    with pytest.warns(UserWarning, match="Keras 3 answers"):
        from tensorflow.python.keras.layers import Dense
    assert Dense is tf.keras.layers.Dense
    with pytest.raises(ImportError, match="engine"):
        import tensorflow.python.keras.engine.base_layer  # noqa: F401


def test_prevent_gradient_takes_its_input_by_position():
    from tensorflow.python.ops import array_ops

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = array_ops.prevent_gradient(x, message="none here")
    with pytest.raises(LookupError, match="none here"):
        tape.gradient(y, x)


def test_graphs_have_no_context_of_control_flow():
    found = []

    @tf.function
    def asked():
        found.append(tf.compat.v1.get_default_graph()._get_control_flow_context())
        return tf.constant(1)

    asked()
    with tf.Graph().as_default() as graph:
        found.append(graph._get_control_flow_context())
    assert found == [None, None]


def test_a_tape_around_a_traced_function_follows_its_trainable_variables():
    from tensorflow.python.eager.record import should_record_backprop

    trained, fixed, held = tf.Variable(1.0), tf.Variable(1.0, trainable=False), tf.Variable(2.0)
    asked = []

    @tf.function
    def f(given, constant, x):
        def ask(*tensors):
            asked.append([should_record_backprop([tf.convert_to_tensor(one)]) for one in tensors])

        ask(given, constant, held, given * x, constant * x, x)
        if x > 0:
            ask(given * x, constant * x)
        return given * x

    with tf.GradientTape():
        f(trained, fixed, tf.constant(3.0))
    f(tf.Variable([1.0]), fixed, tf.constant(3.0))
    assert asked == [[True, False, True, True, False, False], [True, False],
                     [False] * 6, [False, False]]


def test_symbolic_tensors_are_no_eager_tensors():
    from tensorflow.python.framework.ops import EagerTensor

    found = []

    def ask(*tensors):
        found.append([isinstance(one, EagerTensor) for one in tensors])

    x = tf.constant(1.0)
    tf.function(lambda a: ask(a, a * 2.0, tf.ones([2]), x))(x)
    tf.vectorized_map(lambda a: ask(a) or a, tf.ones([2]))
    ask(x, tf.Variable(1.0), 1.0)
    assert found == [[False, False, False, True], [False], [True, False, False]]
    assert issubclass(type(x), EagerTensor)


def test_sessions_take_their_configuration():
    from tensorflow.core.protobuf import rewriter_config_pb2
    from tensorflow.python.eager.context import get_config

    rewrites = rewriter_config_pb2.RewriterConfig(
        implementation_selector=rewriter_config_pb2.RewriterConfig.ON)
    config = tf.compat.v1.ConfigProto(
        allow_soft_placement=True, device_count={"GPU": 0},
        graph_options=tf.compat.v1.GraphOptions(rewrite_options=rewrites))
    config.gpu_options.allow_growth = True
    again = tf.compat.v1.ConfigProto.FromString(config.SerializeToString())
    assert again == config and again.graph_options.rewrite_options.implementation_selector == 1
    assert get_config() == tf.compat.v1.ConfigProto()
    with tf.Graph().as_default(), tf.compat.v1.Session(config=config) as session:
        assert session.run(tf.constant(1.0) + 1.0) == 2.0


def test_values_of_a_librarys_classes_are_described_by_its_functions():
    from tensorflow.python.framework import type_spec

    class Pair:
        def __init__(self, x):
            self.x = x

    with pytest.raises(TypeError):
        type_spec.type_spec_from_value(Pair(tf.ones([2])))
    type_spec.register_type_spec_from_value_converter(
        Pair, lambda value: tf.TensorSpec(value.x.shape, value.x.dtype))
    assert type_spec.type_spec_from_value(Pair(tf.ones([2]))) == tf.TensorSpec([2])


def test_variables_are_added_to_objects():
    from tensorflow.python.checkpoint import checkpoint

    holder = tf.Module()
    made = checkpoint.add_variable(holder, "v", [2], initializer=tf.ones_initializer())
    assert made.numpy().tolist() == [1, 1] and made.name == "v:0" and made.trainable
    count = checkpoint.add_variable(holder, "n", [], tf.int64, trainable=False)
    assert count.dtype == tf.int64 and int(count) == 0 and not count.trainable
    assert float(checkpoint.add_variable(holder, "c", initializer=3.0)) == 3.0
    assert float(checkpoint.add_variable(holder, "z", initializer=0.0)) == 0.0
    with pytest.raises(ValueError, match="do not specify shape"):
        checkpoint.add_variable(holder, "d", [2], initializer=3.0)
    assert {"v", "n", "c"} <= set(holder._trackable_children())
    assert checkpoint.gather_initializers(holder) == []
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        inside = tf.Module()
        checkpoint.add_variable(inside, "v", [2])
        session.run(checkpoint.gather_initializers(inside))
        assert session.run(inside._trackable_children()["v"]).shape == (2,)


def test_objects_listed_with_slots():
    from tensorflow.python.checkpoint import checkpoint

    v, optimizer = tf.Variable(1.0), tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(lambda: v * v, var_list=[v])
    root = tf.train.Checkpoint(v=v, optimizer=optimizer)
    found = checkpoint.list_objects(root)
    assert any(one is optimizer.get_slot(v, "momentum") for one in found)


def test_a_librarys_store_of_variables():
    from tensorflow.python.ops import variable_scope

    asked = []

    class Store:
        def get_variable(self, name, shape=None, dtype=None, initializer=None, reuse=None,
                         **options):
            asked.append((name, tuple(shape), dtype, reuse))
            return tf.Variable(tf.zeros(shape), name=name)

    store, v1 = Store(), tf.compat.v1
    assert variable_scope._get_default_variable_store() is None
    with variable_scope.with_variable_store(store), v1.variable_scope("a"):
        assert variable_scope._get_default_variable_store() is store
        with v1.variable_scope("b", reuse=v1.AUTO_REUSE):
            assert v1.get_variable("c", [2]).name == "a/b/c:0"
    assert asked == [("a/b/c", (2,), tf.float32, v1.AUTO_REUSE)]
    assert v1.get_variable("d", [2]).name == "d:0" and len(asked) == 1


def test_messages_by_their_private_modules():
    from tensorflow.core.example import example_pb2, feature_pb2
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2, saver_pb2

    example = example_pb2.Example(features=feature_pb2.Features(feature={
        "a": feature_pb2.Feature(int64_list=feature_pb2.Int64List(value=[3]))}))
    assert tf.train.Example.FromString(example.SerializeToString()) == example
    assert saver_pb2.SaverDef.V2 == 2 and not saved_model_pb2.SavedModel().meta_graphs
    assert not meta_graph_pb2.CollectionDef().node_list.value


def test_name_scopes_of_the_private_module(served):
    from tensorflow.python.framework import ops

    with ops.name_scope(None, "Variable", skip_on_eager=False) as prefix:
        assert prefix == "Variable/"


def test_gradients_by_the_variables_that_a_function_reads():
    from tensorflow.python.eager import backprop

    v = tf.Variable(3.0)
    value, ((gradient, variable),) = backprop.implicit_val_and_grad(lambda x: v * v * x)(2.0)
    assert value.numpy() == 18.0 and gradient.numpy() == 12.0 and variable is v
    assert backprop.implicit_grad(lambda: v * 2.0)()[0][0].numpy() == 2.0
    with pytest.raises(ValueError, match="returns None"):
        backprop.implicit_grad(print)()
    with pytest.raises(ValueError, match="No trainable variables"):
        backprop.implicit_grad(lambda: tf.constant(1.0))()


def test_the_table_of_tracked_children_is_no_attribute_of_a_module():
    """A library that walks through the attributes of modules finds each child once."""
    module, child = tf.Module(), tf.Variable(1.0)
    module._track_trackable(child, "child")
    assert "_self_tracked_children" in vars(module)
    assert "_self_tracked_children" in module._TF_MODULE_IGNORED_PROPERTIES
    assert module.variables == ()
