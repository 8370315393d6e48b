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
        "spaced_normals", "stateless_gamma", "truncated_normal_bound_grads",
        "unit_numbers"), RANDOM),
    **dict.fromkeys((
        "collapse_repeated", "ctc_slope", "ctc_unique_labels", "projective_transform_adjoint",
        "sparse_pairs"), NO_OP),
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
    with pytest.raises(Unwritable, match="(?s)ctc_unique_.*test_written_records"):
        ops_of(lambda x: tf.nn.ctc_unique_labels(x)[0], tf.TensorSpec([2, 3], tf.int32))


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


WAITING = {
    "add": lambda x, y: x + y[:1], "subtract": lambda x, y: x[:1] - y,
    "multiply": lambda x, y: x * y[:1], "divide": lambda x, y: x / (y + 3.0),
    "pow": lambda x, y: (x - y) ** 3.0, "maximum": lambda x, y: tf.maximum(x, y[:1]),
    "minimum": lambda x, y: tf.minimum(x[:1], y), "difference": tf.math.squared_difference,
    "select": lambda x, y: tf.where(x > 0, x[:1], y), "concat": lambda x, y: tf.concat([x, y], 0),
    "reshape": lambda x, y: tf.reshape(x, [-1, 2]), "transpose": lambda x, y: tf.transpose(x),
    "expand": lambda x, y: tf.expand_dims(x, 1) * tf.expand_dims(y, 0),
    "broadcast": lambda x, y: tf.broadcast_to(x[:1], tf.shape(y)),
    "sum": lambda x, y: tf.reduce_sum(x * y, 1), "mean": lambda x, y: tf.reduce_mean(x, 0),
    "mean_kept": lambda x, y: tf.reduce_mean(x, [0, 1], keepdims=True), "matmul": lambda x, y: (
        tf.matmul(x, y, transpose_b=True) @ x), "matmul_a": lambda x, y: tf.matmul(
        x, y, transpose_a=True), "matmul_ab": lambda x, y: tf.matmul(
        x, tf.transpose(y), True, True), "stack": lambda x, y: (
        x[:, None] * y[None]) @ W, "stack_b": lambda x, y: tf.matmul(
        x[:, None] * y[None], W, transpose_b=True), "sigmoid": lambda x, y: tf.sigmoid(tf.tanh(x)),
    "softmax": lambda x, y: tf.nn.softmax(x) * tf.nn.log_softmax(y),
    "dense_loss": lambda x, y: tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(y), x),
    "sparse_loss": lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(y, 1), x),
    "sigmoid_loss": lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid(y), x)}
W = tf.constant(np.sin(np.arange(16.0, dtype=np.float32)).reshape(4, 4))


@pytest.mark.parametrize("name", WAITING)
def test_gradients_of_unknown_sizes_are_ops_that_tensorflow_differentiates(name):
    def gradients(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.sin(WAITING[name](x, y))
        return tape.gradient(z, [x, y], unconnected_gradients="zero")

    specs = [tf.TensorSpec([None, 4])] * 2
    library = FunctionLibrary()
    function = write_function(graph_of(gradients, *specs), library)
    functions = list(library.functions.values())
    assert "SymbolicGradient" not in {node.op for one in functions for node in one.node_def}
    read = Library(SimpleNamespace(function=functions, registered_gradients=[]))
    x, y = [tf.constant(np.cos(np.arange(12.0) * n).astype("f").reshape(3, 4)) for n in (2, 3)]
    for found, wanted in zip(read.run(function.signature.name, [x, y]), gradients(x, y)):
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


KERNEL = tf.reshape(tf.range(2.0 * 3 * 2 * 8) * 0.01, [2, 3, 2, 8])


@pytest.mark.parametrize("function, depthwise", [
    (lambda x: tf.nn.convolution(x, KERNEL, dilations=[2, 3], padding="SAME"), False),
    (lambda x: tf.nn.conv2d(x, KERNEL[:, :, :, :4], 1, [[0, 0], [1, 0], [2, 1], [0, 0]],
                            dilations=[3, 1]), False),
    (lambda x: tf.nn.depthwise_conv2d(x, tf.reshape(KERNEL, [2, 3, 4, 4]), [1, 1, 1, 1], "VALID",
                                      dilations=[2, 2]), True),
], ids=["groups", "paddings", "depthwise"])
@pytest.mark.parametrize("sizes", [[7, 9], [None, None]], ids=["known", "unknown"])
def test_dilated_convolutions_are_ops_that_have_gradients_on_every_machine(
        function, depthwise, sizes):
    image = tf.reshape(tf.sin(tf.range(2.0 * 7 * 9 * 4)), [2, 7, 9, 4])
    library = FunctionLibrary()
    own = write_function(graph_of(function, tf.TensorSpec([None, *sizes, 4])), library)
    nodes = [node for one in library.functions.values() for node in one.node_def]
    assert all(set(node.attr["dilations"].list.i) <= {1} for node in nodes)
    assert ("DepthwiseConv2dNative" in [node.op for node in nodes]) == depthwise
    program = Library(SimpleNamespace(function=list(library.functions.values()),
                                      registered_gradients=[]))
    found, = program.run(own.signature.name, [image])
    np.testing.assert_allclose(found, function(image), rtol=1e-5, atol=1e-5)


def test_a_loop_may_have_a_limit_that_is_a_number_of_the_run():
    def doubled(x, n):
        return tf.while_loop(lambda y: tf.reduce_sum(y) < 100.0, lambda y: [y * 2.0], [x],
                             maximum_iterations=n)
    library = FunctionLibrary()
    own = write_function(graph_of(doubled, tf.TensorSpec([]), tf.TensorSpec([], tf.int32)), library)
    program = Library(SimpleNamespace(function=list(library.functions.values()),
                                      registered_gradients=[]))
    for n, y in ((3, 8.0), (50, 128.0)):
        assert program.run(own.signature.name, [tf.constant(1.0), tf.constant(n)])[0] == y


def test_a_confusion_matrix_of_unknown_sizes():
    def matrices(x, y):
        return (tf.math.confusion_matrix(x, y),
                tf.math.confusion_matrix(x, y, 6, tf.cast(x, tf.float64) / 2, tf.float64))
    spec = tf.TensorSpec([None], tf.int32)
    traced = tf.function(matrices).get_concrete_function(spec, spec)
    library = FunctionLibrary()
    own = write_function(traced.function.graph, library)
    program = Library(SimpleNamespace(function=list(library.functions.values()),
                                      registered_gradients=[]))
    given = [tf.constant([0, 2, 2, 4]), tf.constant([1, 2, 2, 0])]
    for found, wanted in zip(program.run(own.signature.name, given), matrices(*given), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def penalised(x, w):
    """The gradient of the size of a gradient: second order, of a batch of unknown size."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.tanh(x @ w) ** 3, axis=1) / tf.reduce_mean(w) + x[:, 0]
        slope = inner.gradient(y, x)
        size = tf.reduce_sum(tf.square(slope), axis=-1)
    return outer.gradient(size, x)


def test_gradients_of_gradients_of_unknown_sizes_need_no_symbolic_gradient():
    x, w = np.array([[0.3, -0.2], [0.5, 0.1], [0.0, 0.7]]), np.array([[0.5, 1.0], [-0.3, 0.2]])
    graph = graph_of(penalised, tf.TensorSpec([None, 2], tf.float64),
                     tf.TensorSpec([2, 2], tf.float64))
    library = FunctionLibrary()
    function = write_function(graph, library)
    functions = list(library.functions.values())
    assert "SymbolicGradient" not in [node.op for one in functions for node in one.node_def]
    program = Library(SimpleNamespace(function=functions, registered_gradients=[]))
    found, = program.run(function.signature.name, [tf.constant(x), tf.constant(w)])
    np.testing.assert_allclose(found, penalised(tf.constant(x), tf.constant(w)), rtol=1e-9)


def test_sums_along_axes_that_a_run_brings():
    def sums(x, axis):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * x, axis) + tf.reduce_mean(x, axis)
        return y, tape.gradient(y, x)

    graph = graph_of(sums, tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.int32))
    library = FunctionLibrary()
    function = write_function(graph, library)
    program = Library(SimpleNamespace(function=library.functions.values(),
                                      registered_gradients=[]))
    for axis in (0, 1, -1):
        found = program.run(function.signature.name, [ROWS, tf.constant(axis)])
        for mine, theirs in zip(found, sums(ROWS, tf.constant(axis))):
            np.testing.assert_allclose(mine, theirs, rtol=1e-6)


def mixed_steps(x, w, ids):
    """A loss through what moves, joins and reduces rows of unknown number, and its gradients."""
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        rows = tf.gather(w, ids)
        parts = tf.split(tf.concat([x, rows], 1), 2, axis=1)
        y = tf.stack(parts, 1) + tf.pad(x, [[0, 0], [1, 1]])[:, None, 1:3]
        y = tf.reduce_max(y, 1) + tf.cumsum(tf.tile(x, [1, 2]), 1)[:, 1:3]
        y = tf.math.divide_no_nan(y, tf.math.atan2(x, rows)) * tf.reduce_logsumexp(x, 0)
        y = tf.einsum("ab,cb->ac", y, w) + tf.math.reduce_variance(x) * tf.nn.l2_loss(x)
        y = tf.linalg.matmul(y[:, :, None], tf.reverse(y, [1])[:, None, :])
        loss = tf.reduce_sum(tf.sin(y)) + tf.reduce_sum(tf.linalg.inv(y + 9.0 * tf.eye(3)))
    return tape.gradient(loss, [x, w])


def test_gradients_of_moves_and_reductions_of_unknown_sizes_are_ops():
    xs = [np.random.default_rng(0).normal(size=shape).astype(np.float32)
          for shape in ((4, 2), (3, 2))]
    ids = np.array([2, 0, 2, 1])
    graph = graph_of(mixed_steps, tf.TensorSpec([None, 2]), tf.TensorSpec([3, 2]),
                     tf.TensorSpec([None], tf.int64))
    library = FunctionLibrary()
    function = write_function(graph, library)
    functions = list(library.functions.values())
    assert "SymbolicGradient" not in [node.op for one in functions for node in one.node_def]
    program = Library(SimpleNamespace(function=functions, registered_gradients=[]))
    given = [tf.constant(one) for one in (*xs, ids)]
    for mine, theirs in zip(program.run(function.signature.name, given), mixed_steps(*given)):
        np.testing.assert_allclose(mine, tf.convert_to_tensor(theirs), rtol=1e-4, atol=1e-5)
