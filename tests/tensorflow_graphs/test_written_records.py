"""Records written as TensorFlow's ops: what is written and read again gives the same.

That TensorFlow itself gives the same is checked by `python -m tests.tensorflow_graphs.written`.
"""

from types import SimpleNamespace

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.row_ops import scatter_rows
from tapeflow.tensorflow_graphs.reading import Library
from tapeflow.tensorflow_graphs.writing.graph_writer import (
    FunctionLibrary,
    Unwritable,
    write_function,
)
from tapeflow.tensorflow_graphs.writing.written_records import writer_of
from tests.tensorflow_graphs import written

# Records that are not written, and why.
RANDOM = "random numbers, which `tests/saved_model` compares as whole functions"
TABLE = "a table, which is a resource of the file and not of one function"
NO_OP = "TensorFlow has no op for it, and it is no few ops"
NOT_WRITTEN = {
    **dict.fromkeys(("mutable_table_find", "table_change", "table_find", "table_size",
                     "vocabulary_find"), TABLE),
    **dict.fromkeys((
        "candidate_sampler", "fractional_borders", "normal_pair", "random_state", "random_words",
        "rng_skip_binomial", "spaced_normals", "stateless_gamma", "truncated_normal_bound_grads",
        "unit_numbers"), RANDOM),
    **dict.fromkeys((
        "collapse_repeated", "ctc_slope", "ctc_unique_labels", "fractional_argmax",
        "fractional_weights", "projective_transform_adjoint", "sparse_pairs"), NO_OP),
    "timestamp": "the time at which a function runs",
}
# What of a record is not written: a part of the message.
NOT_WHOLLY = {
    "crop_and_resize": "how crops change", "crop_and_resize_back": "how crops change",
    "encode_jpeg": "with no other options", "igamma_derivative": "the first derivative",
    "non_max_suppression_padded": "the boxes of one image",
    "resample_image_back": "the gradient of resizing"}
RECORDS = {op.name: op for op in written.records()}


def test_a_record_is_written_or_there_is_a_reason():
    without = {name for name, op in RECORDS.items()
               if writer_of(name) is None and not isinstance(op.lower, Expand)}
    assert without <= set(NOT_WRITTEN), sorted(without - set(NOT_WRITTEN))
    assert set(NOT_WRITTEN) <= set(RECORDS)


def read_again(draw, known):
    """What a call gives when it is written and read."""
    functions, name = written.written(draw, known)
    library = Library(SimpleNamespace(function=functions, registered_gradients=[]))
    found = library.run(name, [tf.constant(x) for x in draw.xs])
    return [np.asarray(y.numpy(), object if y.dtype == tf.string else None) for y in found]


@pytest.mark.parametrize("name", sorted(set(RECORDS) - set(NOT_WRITTEN)))
def test_read_again(name):
    for draw in list(written.calls(RECORDS[name]))[:2]:
        for known in (True, False):
            if not known and not written.traceable(draw):
                continue
            try:
                found = read_again(draw, known)
            except Unwritable as error:
                wanted = NOT_WHOLLY.get(name) if known else NOT_WHOLLY.get(name, "must be known")
                assert wanted is not None and wanted in str(error), error
                continue
            problem = written.compared(name, found, written.eager(draw), written.limit(draw))
            assert not problem, f"{draw!r}: {problem}"


def graph_of(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs).function.graph


def ops_of(function, *specs):
    """The ops that a function is written as."""
    library = FunctionLibrary()
    write_function(graph_of(function, *specs), library)
    return [node.op for one in library.functions.values() for node in one.node_def]


def test_unknown_sizes_are_not_baked_in():
    library = FunctionLibrary()
    function = write_function(graph_of(
        lambda x: tf.broadcast_to(tf.reshape(x, [tf.shape(x)[0], -1])[:, :1],
                                  [tf.shape(x)[0], 4]), tf.TensorSpec([None, 3])), library)
    program = Library(SimpleNamespace(function=[function], registered_gradients=[]))
    for rows in (1, 5):
        found, = program.run(function.signature.name, [tf.ones([rows, 3])])
        assert found.shape == (rows, 4)


def test_layers_are_written_as_the_ops_that_converters_know():
    image, filters = tf.TensorSpec([None, 8, 8, 4]), tf.ones([3, 3, 4, 1])
    assert "DepthwiseConv2dNative" in ops_of(
        lambda x: tf.nn.depthwise_conv2d(x, filters, [1, 1, 1, 1], "SAME"), image)
    assert "MaxPool" in ops_of(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), image)
    assert "Softmax" in ops_of(tf.nn.softmax, tf.TensorSpec([None, 3]))


def test_the_error_names_the_record_and_the_line():
    with pytest.raises(Unwritable, match="(?s)isotonic_regression.*test_written_records"):
        ops_of(lambda x: tf.nn.isotonic_regression(x)[0], tf.TensorSpec([2, 3]))


ROWS = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@pytest.mark.parametrize("function, args", [
    (lambda x, n: scatter_rows(x[0], n, shape=(4, 2)), (ROWS, tf.constant(1))),
    (lambda x: tf.math.bincount(x, minlength=4, maxlength=4, binary_output=True),
     (tf.constant([1, 1, 3]),)),
    (lambda x: tf.repeat(x, tf.cast(x[:, 0], tf.int32), 0), (ROWS,)),
    (lambda x, n: x[n:, ::-1], (ROWS, tf.constant(1))),
    (lambda x, n: tf.pad(x, [[n, 0], [0, n]]), (ROWS, tf.constant(1))),
    (lambda x, n: tf.tile(x, [n, 1]), (ROWS, tf.constant(2))),
    (lambda x, n: tf.one_hot(n, n + 2, axis=-1) + x[0, 0], (ROWS, tf.constant(1))),
], ids=["row", "bincount", "repeat", "slice", "pad", "tile", "one_hot"])
def test_sizes_and_positions_of_a_run(function, args):
    specs = [tf.TensorSpec([None] * len(x.shape), x.dtype) for x in args]
    library = FunctionLibrary()
    own = write_function(graph_of(function, *specs), library)
    program = Library(SimpleNamespace(function=list(library.functions.values()),
                                      registered_gradients=[]))
    found, = program.run(own.signature.name, list(args))
    np.testing.assert_allclose(found, function(*args))


IMAGE = tf.reshape(tf.range(2.0 * 4 * 4 * 4), [2, 4, 4, 4])


@pytest.mark.parametrize("function, shape", [
    (lambda x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]), [None] * 4),
    (lambda x: tf.batch_to_space(x, [2, 1], [[0, 0], [0, 0]]), [None] * 4),
    (lambda x: tf.nn.space_to_depth(x, 2), [None, None, None, 4]),
    (lambda x: tf.nn.depth_to_space(x, 2), [None, None, None, 4]),
    (lambda x: tf.space_to_batch(x, [2], [[0, tf.shape(x)[1] % 2]]), [None] * 4),
    (tf.transpose, None), (lambda x: tf.expand_dims(x, -1), None),
    (lambda x: tf.concat([x, x], -1), None), (tf.nn.log_softmax, None), (tf.nn.softmax, None),
], ids=["space_to_batch", "batch_to_space", "space_to_depth", "depth_to_space", "paddings",
        "transpose", "expand_dims", "concat", "log_softmax", "softmax"])
def test_calls_that_wait_for_sizes(function, shape):
    library = FunctionLibrary()
    own = write_function(graph_of(function, tf.TensorSpec(shape)), library)
    program = Library(SimpleNamespace(function=list(library.functions.values()),
                                      registered_gradients=[]))
    found, = program.run(own.signature.name, [IMAGE])
    np.testing.assert_allclose(found, function(IMAGE))
