"""Names of TensorFlow's private source tree that do what TensorFlow's do: values in, values out."""

import gc
import inspect

import numpy as np
import pytest

import tapeflow as tf
from tapeflow import alias


@pytest.fixture(autouse=True)
def served():
    alias.install()
    yield
    alias.uninstall()


def test_composites_and_variables_in_structures():
    from tensorflow.python.framework import composite_tensor
    from tensorflow.python.util import nest, variable_utils

    ragged = tf.ragged.constant([[1], [2, 3]])
    (values, splits), rest = composite_tensor.replace_composites_with_components([ragged, 3])
    assert (values.numpy().tolist(), splits.numpy().tolist(), rest) == ([1, 2, 3], [0, 1, 3], 3)
    assert nest.is_nested_or_composite(ragged) and nest.is_sequence_or_composite([])
    assert not nest.is_nested_or_composite(tf.constant(1)) and not nest.is_nested(ragged)
    assert variable_utils.replace_variables_with_atoms([tf.Variable(2.0), 5]) == [0, 5]
    assert composite_tensor.convert_variables_to_tensors(ragged).to_list() == [[1], [2, 3]]


def test_sets_by_identity_that_keep_nothing_alive():
    from tensorflow.python.util import object_identity

    class Thing:
        __hash__ = None

    one, two = Thing(), Thing()
    table = object_identity.ObjectIdentityWeakKeyDictionary()
    table[one], table[two] = 1, 2
    members = object_identity.ObjectIdentityWeakSet([one, two])
    assert (table[one], table[two], len(members), one in members) == (1, 2, 2, True)
    del two
    gc.collect()
    assert (len(table), len(members), list(table)[0] is one) == (1, 1, True)
    known = object_identity.ObjectIdentitySet([one])
    other = Thing()
    known.update([other])
    assert list(known.difference([one]))[0] is other
    assert [each.deref() for each in known.intersection([one])] == [one]


def test_names_in_scopes():
    from tensorflow.python.framework import ops

    assert ops.strip_name_scope("^a/b/c", "a") == "^b/c"
    assert ops.strip_name_scope("loc:@a/b", "a/") == "loc:@b"
    assert ops.prepend_name_scope("^x", "s/") == "^s/x"
    with tf.name_scope("outer"):
        assert ops.get_name_scope() == "outer"
    assert [one.dtype for one in ops.convert_n_to_tensor([1, 2.0], name="n")] == [
        tf.int32, tf.float32]
    assert ops.is_dense_tensor_like(tf.Variable(1)) and not ops.is_dense_tensor_like(1)


def test_conditions_that_are_known():
    from tensorflow.python.framework import smart_cond

    assert smart_cond.smart_constant_value(tf.constant(False)) == np.False_
    assert smart_cond.smart_constant_value(1) is True
    assert smart_cond.smart_case([(False, lambda: 1), (tf.constant(True), lambda: 2)],
                                 default=lambda: 3) == 2
    with pytest.raises(TypeError, match="must be a Tensor, or a Python bool"):
        smart_cond.smart_constant_value(2)


def test_bounded_specs():
    from tensorflow.python.framework import tensor_shape, tensor_spec

    spec = tensor_spec.BoundedTensorSpec([2], tf.float32, 0, [1, 2])
    assert (spec.minimum, spec.maximum.tolist()) == (0.0, [1.0, 2.0])
    assert spec == tensor_spec.BoundedTensorSpec((2,), "float32", 0, [1, 2])
    assert spec != tensor_spec.BoundedTensorSpec((2,), "float32", 0, [1, 3])
    assert tensor_spec.BoundedTensorSpec.from_spec(tf.TensorSpec([], tf.uint8)).maximum == 255
    with pytest.raises(ValueError, match="maximum is not compatible with shape"):
        tensor_spec.BoundedTensorSpec([2], tf.int32, 0, [1, 2, 3])
    assert tensor_shape.unknown_shape(2).as_list() == [None, None]


def test_notices_of_deprecation_stand_in_docstrings():
    from tensorflow.python.util import deprecation

    @deprecation.deprecated_args(None, "Leave it out.", "b")
    def f(a, b=None):
        """Add.

        Both.
        """
        return a

    assert f.__doc__ == (
        "Add. (deprecated arguments)\n\nDeprecated: SOME ARGUMENTS ARE DEPRECATED: `(b)`. They "
        "will be removed in a future version.\nInstructions for updating:\nLeave it out.\n\nBoth.")

    @deprecation.deprecated_arg_values("2030-01-01", "Other.", b=3)
    def g(a, b=None):
        return a

    assert g.__doc__.splitlines()[0] == "DEPRECATED FUNCTION ARGUMENT VALUES"
    assert "`(b=3)`. They will be removed after 2030-01-01." in g.__doc__


def test_generated_ops_are_in_the_modules_of_their_kind():
    from tensorflow.python.ops import math_ops, nn_ops, resource_variable_ops

    variable = tf.Variable([1.0, 2.0])
    resource_variable_ops.assign_add_variable_op(variable.handle, tf.constant([1.0, 1.0]))
    assert resource_variable_ops.read_variable_op(variable.handle, tf.float32).numpy().tolist() == [
        2.0, 3.0]
    assert resource_variable_ops.variable_shape(variable.handle).numpy().tolist() == [2]
    assert math_ops.add_v2(1, 2).numpy() == 3
    with pytest.raises(AttributeError):
        nn_ops.nth_element  # another function than the op of that name


def test_argspec_of_python_2():
    from tensorflow.python.util import tf_inspect

    assert tf_inspect.getargspec(lambda a, b=1, *c, **d: 0) == (["a", "b"], "c", "d", (1,))
    assert "getfullargspec" in dir(tf_inspect)


def test_sparse_matrices():
    from tensorflow.python.ops.linalg.sparse import sparse

    matrix = sparse.CSRSparseMatrix(tf.constant([[0j, 1 + 2j], [3 + 0j, 0j]]))
    assert matrix.hermitian_transpose().to_dense().numpy().tolist() == [[0, 3], [1 - 2j, 0]]
    assert (matrix * 2).to_dense().numpy().tolist() == [[0, 2 + 4j], [6, 0]]
    assert (matrix.rank, matrix.rows().numpy(), matrix.cols().numpy()) == (2, 2, 2)


def test_variables_that_are_read():
    from tensorflow.python.eager import record

    used, unused = tf.Variable(1.0), tf.Variable(2.0)
    with record.VariableWatcher() as watcher:
        used + 1.0
    assert [one is used for one in watcher.watched_variables()] == [True]
    assert unused.trainable


def test_decorators_and_helpers_of_tests():
    from tensorflow.python.framework import test_util

    ran = []
    test_util.skip_if(lambda: True)(lambda self: ran.append(1))(None)
    test_util.skip_if(False)(lambda self: ran.append(2))(None)
    assert ran == [2]
    test_util.also_run_as_tf_function(lambda: ran.append(tf.executing_eagerly()))()
    assert ran == [2, True, False]
    assert test_util.NHWCToNCHW([1, 2, 3, 4]) == [1, 4, 2, 3]
    assert test_util.NCHWToNHWC(tf.zeros([1, 4, 2, 3])).shape.as_list() == [1, 2, 3, 4]
    with test_util.run_functions_eagerly(True):
        assert tf.config.functions_run_eagerly()
    assert not tf.config.functions_run_eagerly()
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="c")
        assert list(test_util.assert_ops_in_graph({"c": "Const"}, graph)) == ["c"]
        with pytest.raises(ValueError, match="Not all expected ops are present"):
            test_util.assert_ops_in_graph({"d": "Const"}, graph)
    names = [one["testcase_name"] for one in test_util.generate_combinations_with_testcase_name(
        a=[1, 2], b="x")]
    assert names == ["_test_a_1_b_x", "_test_a_2_b_x"]


def test_functions_that_ask_dispatchers_keep_their_parameters():
    from tapeflow.api.internal.op_dispatch import asking

    assert inspect.getfullargspec(asking(tf.math.add))[:4] == (
        ["x", "y", "name"], None, None, (None,))
