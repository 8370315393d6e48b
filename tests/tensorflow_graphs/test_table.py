"""The table of TensorFlow's ops: definitions and functions agree; tf.raw_ops has its signatures."""

import inspect

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.tensorflow_graphs import registry
from tapeflow.tensorflow_graphs.definition import definition, names
from tapeflow.tensorflow_graphs.public import public


def test_every_definition_has_a_function_and_the_other_way_round():
    assert sorted(names()) == registry.implemented()
    assert len(names()) >= 500


@pytest.mark.parametrize("name", registry.implemented())
def test_a_function_takes_what_the_op_has(name):
    defined, function = definition(name), registry._ops[name]
    attributes = {one.name for one in defined.attributes}
    if isinstance(function, registry.Row):
        assert {*function.positional, *[name for _, name in function.keywords]} <= attributes
        inspect.signature(public(function.path)).bind(
            *defined.inputs, *function.positional, **dict(function.keywords))
        return
    parameters = list(inspect.signature(function).parameters)
    assert len(parameters) >= len(defined.inputs)
    assert set(parameters[len(defined.inputs):]) <= attributes


def test_signatures_are_tensorflows():
    assert str(inspect.signature(tf.raw_ops.MatMul)) == (
        "(*, a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False, name=None)")
    assert "axis" in inspect.signature(tf.raw_ops.Sum).parameters


X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
CALLS = {
    "MatMul": (dict(a=X, b=X, transpose_b=True), X @ X.T),
    "Sum": (dict(input=X, axis=1), X.sum(1)),
    "Sum keep_dims": (dict(input=X, axis=[0], keep_dims=True), X.sum(0, keepdims=True)),
    "Any": (dict(input=X > 2, axis=0), (X > 2).any(0)),
    "ConcatV2": (dict(values=[X, X], axis=1), np.concatenate([X, X], 1)),
    "Pack": (dict(values=[X, X]), np.stack([X, X])),
    "Select": (dict(condition=[True, False], x=X, y=-X), np.stack([X[0], -X[1]])),
    "LeakyRelu": (dict(features=X), np.where(X > 0, X, np.float32(0.2) * X)),
    "Squeeze": (dict(input=X[None], axis=[0]), X),
    "Cast": (dict(x=X, DstT=tf.int32), X.astype(np.int32)),
    "StridedSlice": (dict(input=X, begin=[0, 1], end=[2, 3], strides=[1, 1]), X[0:2, 1:3]),
    "SegmentMaxV2": (dict(data=X, segment_ids=[0, 0], num_segments=1), X.max(0)[None]),
    "MatrixDiagPartV3": (dict(input=X[:, :2], k=0, padding_value=0.0), np.diagonal(X[:, :2])),
    "ComplexAbs": (dict(x=np.array([3 + 4j], np.complex64)), np.array([5], np.float32)),
}


@pytest.mark.parametrize("call", CALLS)
def test_values(call):
    arguments, wanted = CALLS[call]
    found = getattr(tf.raw_ops, call.split()[0])(**arguments)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert found.numpy().dtype == wanted.dtype


def test_several_results_have_names():
    found = tf.raw_ops.FusedBatchNormV2(
        x=tf.ones([2, 3, 3, 4]), scale=tf.ones([4]), offset=tf.zeros([4]), mean=[], variance=[],
        epsilon=1e-3, is_training=True)
    assert found._fields == ("y", "batch_mean", "batch_variance", "reserve_space_1",
                             "reserve_space_2")
    np.testing.assert_allclose(found.batch_mean, np.ones(4))
    assert [len(part) for part in tf.raw_ops.Unpack(value=X, num=2)] == [3, 3]


@pytest.mark.parametrize("s0, s1, r0, r1", [
    ([2, 1], [2, 1], [], []), ([2, 1, 3], [3], [1], [0, 1]), ([1, 1], [1], [0, 1], [0, 1]),
    ([2, 3], [1, 3], [], [0]), ([2, 1, 1], [1], [1, 2], [0, 1, 2])])
def test_axes_that_gradients_are_summed_over(s0, s1, r0, r1):
    found = tf.raw_ops.BroadcastGradientArgs(s0=s0, s1=s1)
    assert (found.r0.numpy().tolist(), found.r1.numpy().tolist()) == (r0, r1)


def test_gradients_pass_and_prevent_gradient_refuses():
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.raw_ops.Sum(input=tf.raw_ops.Square(x=x), axis=[0, 1])
        z = tf.raw_ops.PreventGradient(input=x, message="no")
    np.testing.assert_allclose(tape.gradient(y, x), 2 * X)
    with pytest.raises(LookupError, match="no"):
        tape.gradient(z, x)


def test_what_belongs_to_graphs_alone_is_not_public():
    for name in ("While", "PartitionedCall", "StatelessRandomGetKeyCounter"):
        assert definition(name) is not None and not hasattr(tf.raw_ops, name)


@pytest.mark.parametrize("kernel, method", [("triangle", "bilinear"), ("keyscubic", "bicubic"),
                                            ("lanczos3", "lanczos3")])
def test_kernels_of_resizing(kernel, method):
    images = tf.reshape(tf.sin(tf.range(2.0 * 6 * 5)), [2, 6, 5, 1])
    resized = tf.raw_ops.ScaleAndTranslate(images=images, size=[3, 4], scale=[0.5, 0.8],
                                           translation=[0.0, 0.0], kernel_type=kernel)
    np.testing.assert_array_equal(resized, tf.image.resize(images, [3, 4], method, antialias=True))


def test_paddings_of_a_run():
    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None, None, 2])])
    def dealt(x):
        more = -tf.shape(x)[1] % 2
        return tf.raw_ops.SpaceToBatchND(input=x, block_shape=[2], paddings=[[0, more]])

    for size in (4, 5):
        x = tf.reshape(tf.range(6.0 * size), [3, size, 2])
        np.testing.assert_array_equal(dealt(x), tf.space_to_batch(x, [2], [[0, size % 2]]))


def test_what_is_not_expressed_is_refused():
    images, size = tf.ones([1, 4, 4, 1]), [8, 8]
    resized = tf.raw_ops.ScaleAndTranslate(images=images, size=size, scale=[2.0, 2.0],
                                           translation=[0.0, 0.0])
    np.testing.assert_allclose(resized, np.ones((1, 8, 8, 1)), rtol=1e-6)
    for scale, translation in (([1.0, 2.0], [0.0, 0.0]), ([2.0, 2.0], [1.0, 0.0])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="ScaleAndTranslate"):
            tf.raw_ops.ScaleAndTranslate(images=images, size=size, scale=scale,
                                         translation=translation)


def test_filled_rows_say_where_each_value_went():
    found = tf.raw_ops.SparseFillEmptyRows(
        indices=tf.constant([[2, 0], [0, 1]], tf.int64), values=[1.0, 2.0],
        dense_shape=tf.constant([4, 2], tf.int64), default_value=9.0)
    went = found.reverse_index_map.numpy()
    assert found.output_values.numpy()[went].tolist() == [1.0, 2.0]


def test_keywords_alone_and_no_unknown_ones():
    with pytest.raises(TypeError):
        tf.raw_ops.Square(X)
    with pytest.raises(TypeError):
        tf.raw_ops.Square(x=X, y=X)


@pytest.mark.parametrize("steps", [4, None])
def test_one_layer_of_lstm_in_every_form(steps):
    x, h, c = (tf.random.stateless_normal(shape, [1, 2]) for shape in ((4, 2, 3), (2, 5), (2, 5)))
    w_x, w_h, b = (tf.random.stateless_normal(shape, [3, 4]) for shape in ((3, 20), (5, 20), (20,)))
    peephole = tf.zeros([5])

    @tf.function(input_signature=[tf.TensorSpec([steps, 2, 3])])
    def both(x):
        block = tf.raw_ops.BlockLSTMV2(
            seq_len_max=tf.cast(tf.shape(x)[0], tf.int64), x=x, cs_prev=c, h_prev=h,
            w=tf.concat([w_x, w_h], 0), wci=peephole, wcf=peephole, wco=peephole, b=b)
        flat = [tf.reshape(tf.transpose(one), [-1]) for one in (w_x, w_h)]
        cudnn = tf.raw_ops.CudnnRNN(input=x, input_h=h[None], input_c=c[None],
                                    params=tf.concat([*flat, b, tf.zeros_like(b)], 0))
        return block.h, block.cs[-1:], cudnn.output, cudnn.output_c

    outputs, state, cudnn_outputs, cudnn_state = both(x)
    for row in x:
        i, f, g, o = tf.split(row @ w_x + h @ w_h + b, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
    for found, wanted in ((outputs[-1], h), (state[0], c), (cudnn_outputs, outputs),
                          (cudnn_state, state)):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    with pytest.raises(NotImplementedError, match="one layer of LSTM"):
        tf.raw_ops.CudnnRNN(input=x, input_h=h[None], input_c=c[None], params=b,
                            direction="bidirectional")


@pytest.mark.parametrize("time_major", [True, False])
@pytest.mark.parametrize("steps", [4, None])
@pytest.mark.parametrize("mode, gates", [("lstm", 4), ("gru", 3)])
def test_sequences_of_several_lengths_are_those_of_one_length_each(mode, gates, steps, time_major):
    x = tf.random.stateless_normal([4, 3, 2], [1, 2])
    h, c = tf.unstack(tf.random.stateless_normal([2, 1, 3, 5], [3, 4]))
    params = tf.random.stateless_normal([5 * gates * (2 + 5 + 2)], [5, 6])
    lengths = [4, 1, 2]

    def in_order(y):
        return y if time_major else tf.transpose(y, [1, 0, 2])

    @tf.function(input_signature=[tf.TensorSpec([steps, 3, 2])])
    def together(x):
        made = tf.raw_ops.CudnnRNNV3(
            input=in_order(x), input_h=in_order(h), input_c=in_order(c), params=params,
            rnn_mode=mode, sequence_lengths=lengths, time_major=time_major)
        return in_order(made.output), in_order(made.output_h)

    output, state = together(x)
    for i, length in enumerate(lengths):
        alone = tf.raw_ops.CudnnRNN(input=x[:length, i:i + 1], input_h=h[:, i:i + 1], params=params,
                                    input_c=c[:, i:i + 1], rnn_mode=mode)
        np.testing.assert_allclose(output[:length, i], alone.output[:, 0], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(state[0, i], alone.output_h[0, 0], rtol=1e-5, atol=1e-6)
        assert not output[length:, i].numpy().any()


def test_a_raw_gru_is_the_layer_of_keras():
    x, layer = tf.random.stateless_normal([2, 4, 3], [1, 2]), tf.keras.layers.GRU(5)
    wanted = layer(x)
    kernel, recurrent, bias = layer.weights
    order = [1, 0, 2]  # update, reset and new state there; reset, update, new state here

    def parts(matrix):
        found = tf.split(tf.convert_to_tensor(matrix), 3, -1)
        return [tf.reshape(tf.transpose(found[i]), [-1]) for i in order]

    made = tf.raw_ops.CudnnRNN(
        input=tf.transpose(x, [1, 0, 2]), input_h=tf.zeros([1, 2, 5]), input_c=0.0, rnn_mode="gru",
        params=tf.concat([*parts(kernel), *parts(recurrent), *parts(bias[0]), *parts(bias[1])], 0))
    np.testing.assert_allclose(made.output[-1], wanted, rtol=1e-5, atol=1e-6)


def test_keys_of_features_may_be_tensors_each_of_its_own():
    one = tf.train.Example(features=tf.train.Features(feature={
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5]))}))
    found = tf.raw_ops.ParseExample(
        serialized=[one.SerializeToString()], names=[], sparse_keys=[], sparse_types=[],
        dense_keys=["x"], dense_defaults=[tf.constant([], tf.float32)], dense_shapes=[[]])
    assert found.dense_values[0].numpy().tolist() == [1.5]
