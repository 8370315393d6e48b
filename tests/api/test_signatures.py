"""What `inspect.getfullargspec` says of public functions that are wrapped: libraries compare it."""

import inspect

import pytest

import tapeflow as tf


@pytest.mark.parametrize(("name", "arguments"), [
    ("sort", ["values", "axis", "direction", "name"]),  # its call may be deferred
    ("math.top_k", ["input", "k", "sorted", "index_type", "name"]),  # its attributes are checked
    ("experimental.numpy.sum", ["a", "axis", "dtype", "keepdims"]),  # its accidents are told
    ("linalg.LinearOperatorDiag.__init__", [
        "self", "diag", "is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square",
        "name"]),
    ("data.Dataset.take", ["self", "count", "name"]),
    ("TensorArray.write", ["self", "index", "value", "name"]),
])
def test_wrapped_functions_show_their_own_arguments(name, arguments):
    found = tf
    for part in name.split("."):
        found = getattr(found, part)
    spec = inspect.getfullargspec(found)
    assert (spec.args, spec.varargs, spec.varkw) == (arguments, None, None)


def test_public_functions_do_in_a_program_with_graphs():
    with tf.Graph().as_default():
        tf.compat.v1.placeholder(tf.float32, [2])
    assert inspect.getfullargspec(tf.matmul).args[:2] == ["a", "b"]
