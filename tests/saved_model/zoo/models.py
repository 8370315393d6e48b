"""Models that are saved by one library and loaded by the other, by name.

`MODELS[name]()` gives the object to save, and the arguments of one call. Written against the public
API alone: runs with TensorFlow, and with tapeflow in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

MODELS: dict[str, Callable[[], tuple[Any, tuple]]] = {}


def model(function: Callable) -> Callable:
    MODELS[function.__name__] = function
    return function


def values(*shape: int, seed: int = 0, dtype: str = "float32") -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def whole(*shape: int, below: int = 10, seed: int = 0, dtype: str = "int32") -> np.ndarray:
    return np.random.default_rng(seed).integers(0, below, shape).astype(dtype)


# -- one layer each --------------------------------------------------------------------------------
L = keras.layers
LAYERS: dict[str, tuple[Callable[[], Any], tuple]] = {
    "dense": (lambda: L.Dense(4, activation="relu"), (3, 5)),
    "einsum_dense": (lambda: L.EinsumDense("abc,cd->abd", output_shape=(None, 4),
                                           bias_axes="d"), (2, 3, 5)),
    "conv1d": (lambda: L.Conv1D(4, 3, padding="causal", dilation_rate=2), (2, 9, 3)),
    "conv2d": (lambda: L.Conv2D(4, 3, strides=2, padding="same"), (2, 8, 8, 3)),
    "conv2d_groups": (lambda: L.Conv2D(4, 3, groups=2), (2, 8, 8, 4)),
    "conv3d": (lambda: L.Conv3D(4, 3), (2, 5, 5, 5, 3)),
    "depthwise": (lambda: L.DepthwiseConv2D(3, depth_multiplier=2, padding="same"), (2, 8, 8, 3)),
    "depthwise1d": (lambda: L.DepthwiseConv1D(3), (2, 8, 3)),
    "separable": (lambda: L.SeparableConv2D(4, 3), (2, 8, 8, 3)),
    "separable1d": (lambda: L.SeparableConv1D(4, 3), (2, 8, 3)),
    "conv_transpose1d": (lambda: L.Conv1DTranspose(4, 3, strides=2), (2, 5, 3)),
    "conv_transpose": (lambda: L.Conv2DTranspose(4, 3, strides=2, padding="same"), (2, 5, 5, 3)),
    "conv_transpose3d": (lambda: L.Conv3DTranspose(2, 2), (1, 3, 3, 3, 2)),
    "max_pool1d": (lambda: L.MaxPooling1D(2), (2, 8, 3)),
    "max_pool": (lambda: L.MaxPooling2D(2), (2, 8, 8, 3)),
    "max_pool3d": (lambda: L.MaxPooling3D(2), (2, 4, 4, 4, 3)),
    "average_pool1d": (lambda: L.AveragePooling1D(2), (2, 8, 3)),
    "average_pool": (lambda: L.AveragePooling2D(3, 2, "same"), (2, 8, 8, 3)),
    "average_pool3d": (lambda: L.AveragePooling3D(2), (2, 4, 4, 4, 3)),
    "global_pools": (lambda: keras.Sequential([L.Conv2D(4, 1), L.GlobalAveragePooling2D()]),
                     (2, 8, 8, 3)),
    "global_max": (lambda: L.GlobalMaxPooling2D(keepdims=True), (2, 8, 8, 3)),
    "adaptive_average": (lambda: L.AdaptiveAveragePooling2D(3), (2, 7, 8, 3)),
    "batch_norm": (lambda: L.BatchNormalization(), (4, 5)),
    "batch_norm4": (lambda: L.BatchNormalization(), (4, 5, 5, 3)),
    "layer_norm": (lambda: L.LayerNormalization(), (4, 5)),
    "rms_norm": (lambda: L.RMSNormalization(), (4, 5)),
    "group_norm": (lambda: L.GroupNormalization(2), (2, 4, 4, 6)),
    "unit_norm": (lambda: L.UnitNormalization(), (4, 5)),
    "spectral_norm": (lambda: L.SpectralNormalization(L.Dense(3)), (4, 5)),
    "dropout": (lambda: L.Dropout(0.5), (4, 5)),
    "spatial_dropout": (lambda: L.SpatialDropout2D(0.5), (2, 4, 4, 3)),
    "gaussian_noise": (lambda: L.GaussianNoise(0.5), (4, 5)),
    "gaussian_dropout": (lambda: L.GaussianDropout(0.5), (4, 5)),
    "alpha_dropout": (lambda: L.AlphaDropout(0.5), (4, 5)),
    "activity": (lambda: L.ActivityRegularization(0.1), (4, 5)),
    "lstm": (lambda: L.LSTM(4), (2, 6, 3)),
    "lstm_sequences": (lambda: L.LSTM(4, return_sequences=True, go_backwards=True), (2, 6, 3)),
    "lstm_unrolled": (lambda: L.LSTM(4, unroll=True), (2, 6, 3)),
    "gru": (lambda: L.GRU(4), (2, 6, 3)),
    "gru_before": (lambda: L.GRU(4, reset_after=False), (2, 6, 3)),
    "simple_rnn": (lambda: L.SimpleRNN(4, return_sequences=True), (2, 6, 3)),
    "bidirectional": (lambda: L.Bidirectional(L.GRU(4, return_sequences=True)), (2, 6, 3)),
    "stacked_rnn": (lambda: L.RNN([L.LSTMCell(4), L.GRUCell(3)]), (2, 6, 3)),
    "conv_lstm": (lambda: L.ConvLSTM2D(2, 3, padding="same"), (1, 3, 5, 5, 2)),
    "conv_lstm1d": (lambda: L.ConvLSTM1D(2, 3), (1, 3, 6, 2)),
    "time_distributed": (lambda: L.TimeDistributed(L.Dense(4)), (2, 6, 3)),
    "reshape": (lambda: L.Reshape((-1, 2)), (3, 4)),
    "flatten": (lambda: L.Flatten(), (3, 4, 2)),
    "permute": (lambda: L.Permute((2, 1)), (3, 4, 2)),
    "repeat": (lambda: L.RepeatVector(3), (3, 4)),
    "crop1d": (lambda: L.Cropping1D(1), (2, 6, 3)),
    "crop": (lambda: L.Cropping2D(((1, 0), (2, 1))), (2, 6, 6, 3)),
    "crop3d": (lambda: L.Cropping3D(1), (2, 4, 4, 4, 3)),
    "pad1d": (lambda: L.ZeroPadding1D(1), (2, 6, 3)),
    "pad": (lambda: L.ZeroPadding2D(((1, 0), (2, 1))), (2, 6, 6, 3)),
    "pad3d": (lambda: L.ZeroPadding3D(1), (2, 4, 4, 4, 3)),
    "upsample1d": (lambda: L.UpSampling1D(2), (2, 6, 3)),
    "upsample": (lambda: L.UpSampling2D(2, interpolation="bilinear"), (2, 6, 6, 3)),
    "upsample_nearest": (lambda: L.UpSampling2D(2), (2, 6, 6, 3)),
    "upsample3d": (lambda: L.UpSampling3D(2), (2, 3, 3, 3, 3)),
    "relu": (lambda: L.ReLU(6.0, 0.1, 0.2), (3, 4)),
    "leaky_relu": (lambda: L.LeakyReLU(0.2), (3, 4)),
    "prelu": (lambda: L.PReLU(), (3, 4)),
    "elu": (lambda: L.ELU(), (3, 4)),
    "softmax": (lambda: L.Softmax(), (3, 4)),
    "rescaling": (lambda: L.Rescaling(1 / 255.0, -1.0), (3, 4)),
    "normalization": (lambda: L.Normalization(mean=[1.0, 2, 3, 4], variance=[1.0, 2, 3, 4]),
                      (3, 4)),
    "resizing": (lambda: L.Resizing(5, 7), (2, 4, 4, 3)),
    "center_crop": (lambda: L.CenterCrop(3, 3), (2, 5, 5, 3)),
    "random_flip": (lambda: L.RandomFlip(), (2, 5, 5, 3)),
    "random_rotation": (lambda: L.RandomRotation(0.2), (2, 5, 5, 3)),
    "random_zoom": (lambda: L.RandomZoom(0.2), (2, 5, 5, 3)),
    "random_translation": (lambda: L.RandomTranslation(0.2, 0.2), (2, 5, 5, 3)),
    "random_contrast": (lambda: L.RandomContrast(0.2), (2, 5, 5, 3)),
    "random_brightness": (lambda: L.RandomBrightness(0.2), (2, 5, 5, 3)),
    "random_crop": (lambda: L.RandomCrop(3, 3), (2, 5, 5, 3)),
    "mel": (lambda: L.MelSpectrogram(fft_length=64, sequence_stride=16, num_mel_bins=8), (2, 256)),
    "discretization": (lambda: L.Discretization(bin_boundaries=[-0.5, 0.0, 0.5]), (3, 4)),
    "integer_dense": (lambda: keras.Sequential([L.Dense(3), L.Lambda(lambda x: x)]), (2, 2)),
}


def _layer_model(name: str) -> tuple[Any, tuple]:
    make, shape = LAYERS[name]
    keras.utils.set_random_seed(1)
    given = keras.Input(shape[1:], name="x")
    made = keras.Model(given, make()(given))
    return made, (values(*shape),)


for _name in LAYERS:
    MODELS[f"layer_{_name}"] = lambda _name=_name: _layer_model(_name)

for _name in ("relu", "relu6", "sigmoid", "tanh", "softplus", "softsign", "selu", "gelu", "elu",
              "silu", "exponential", "hard_sigmoid", "hard_silu", "log_softmax", "softmax",
              "leaky_relu", "mish", "celu", "glu", "sparsemax", "squareplus", "log_sigmoid",
              "hard_tanh", "tanh_shrink", "soft_shrink", "hard_shrink", "threshold",
              "sparse_plus", "sparse_sigmoid"):
    if hasattr(keras.activations, _name):
        LAYERS[f"act_{_name}"] = (lambda _name=_name: L.Activation(_name), (3, 6))
        MODELS[f"layer_act_{_name}"] = lambda _name=_name: _layer_model(f"act_{_name}")


@model
def merges() -> tuple[Any, tuple]:
    a, b = keras.Input((4,), name="a"), keras.Input((4,), name="b")
    kinds = (L.Add, L.Subtract, L.Multiply, L.Average, L.Maximum, L.Minimum)
    mixed = [kind()([a, b]) for kind in kinds] + [L.Dot(1)([a, b])]
    return keras.Model([a, b], L.Concatenate()(mixed)), ([values(3, 4), values(3, 4, seed=1)],)


@model
def attention() -> tuple[Any, tuple]:
    q, v = keras.Input((5, 8), name="q"), keras.Input((6, 8), name="v")
    y = L.MultiHeadAttention(2, 4)(q, v)
    y = L.Concatenate()([y, L.Attention()([q, v]), L.AdditiveAttention()([q, v]),
                         L.GroupQueryAttention(4, 4, 2)(q, v)])
    return keras.Model([q, v], y), ([values(2, 5, 8), values(2, 6, 8, seed=1)],)


@model
def embedding() -> tuple[Any, tuple]:
    ids = keras.Input((7,), dtype="int32", name="ids")
    y = L.Embedding(20, 4, mask_zero=True)(ids)
    y = L.LSTM(5)(y)
    return keras.Model(ids, y), (whole(3, 7, below=20),)


@model
def category_encoding() -> tuple[Any, tuple]:
    ids = keras.Input((4,), dtype="int32", name="ids")
    y = [L.CategoryEncoding(10, output_mode=mode)(ids) for mode in ("multi_hot", "count")]
    y.append(L.CategoryEncoding(10, output_mode="one_hot")(ids))
    return keras.Model(ids, y), (whole(3, 4),)


@model
def hashing() -> tuple[Any, tuple]:
    ids = keras.Input((4,), dtype="int64", name="ids")
    return keras.Model(ids, L.Hashing(7)(ids)), (whole(3, 4, dtype="int64"),)


@model
def integer_lookup() -> tuple[Any, tuple]:
    ids = keras.Input((4,), dtype="int64", name="ids")
    return (keras.Model(ids, L.IntegerLookup(vocabulary=[3, 5, 7])(ids)),
            (whole(3, 4, dtype="int64"),))


@model
def string_lookup() -> tuple[Any, tuple]:
    words = keras.Input((2,), dtype="string", name="words")
    return (keras.Model(words, L.StringLookup(vocabulary=["a", "b", "c"])(words)),
            (tf.constant([["a", "x"], ["c", "b"]]),))


@model
def text_vectorization() -> tuple[Any, tuple]:
    text = keras.Input((), dtype="string", name="text")
    layer = L.TextVectorization(vocabulary=["hello", "world", "tape"], output_sequence_length=5)
    return keras.Model(text, layer(text)), (tf.constant(["Hello, world!", "a tape"]),)


@model
def hashed_crossing() -> tuple[Any, tuple]:
    a = keras.Input((1,), dtype="string", name="a")
    b = keras.Input((1,), dtype="string", name="b")
    return (keras.Model([a, b], L.HashedCrossing(7)([a, b])),
            ([tf.constant([["x"], ["y"]]), tf.constant([["p"], ["q"]])],))


# -- whole models ----------------------------------------------------------------------------------
@model
def mlp() -> tuple[Any, tuple]:
    keras.utils.set_random_seed(1)
    return keras.Sequential([keras.Input((8,)), L.Dense(16, activation="tanh"), L.Dropout(0.3),
                             L.BatchNormalization(), L.Dense(3, "softmax")]), (values(5, 8),)


@model
def cnn() -> tuple[Any, tuple]:
    keras.utils.set_random_seed(1)
    return keras.Sequential([
        keras.Input((16, 16, 3)), L.Conv2D(8, 3, padding="same"), L.BatchNormalization(), L.ReLU(),
        L.MaxPooling2D(), L.Conv2D(8, 3, activation="relu"), L.GlobalAveragePooling2D(),
        L.Dense(4)]), (values(2, 16, 16, 3),)


@model
def transformer() -> tuple[Any, tuple]:
    keras.utils.set_random_seed(1)
    ids = keras.Input((6,), dtype="int32", name="ids")
    x = L.Embedding(30, 8)(ids)
    for _ in range(2):
        y = L.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
        x = L.LayerNormalization()(x + y)
        x = L.LayerNormalization()(x + L.Dense(8)(L.Dense(16, activation="gelu")(x)))
    return keras.Model(ids, L.Dense(30)(x)), (whole(2, 6, below=30),)


APPLICATIONS = {"MobileNetV2": 96, "MobileNetV3Small": 96, "ResNet50": 64, "EfficientNetB0": 64,
                "DenseNet121": 64, "ConvNeXtTiny": 64, "Xception": 96, "EfficientNetV2B0": 64,
                "NASNetMobile": 224, "VGG16": 64, "InceptionV3": 96}


def _application(name: str) -> tuple[Any, tuple]:
    keras.utils.set_random_seed(1)
    size = APPLICATIONS[name]
    made = getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3), classes=10)
    return made, (values(1, size, size, 3),)


for _name in APPLICATIONS:
    MODELS[f"app_{_name}"] = lambda _name=_name: _application(_name)


# -- modules ---------------------------------------------------------------------------------------
class Module(tf.Module):
    """A module whose __call__ is a given function of (self, x)."""

    def __init__(self, call: Callable, *specs: tf.TensorSpec, **parts: Any):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)
        self.__call__ = tf.function(lambda *xs: call(self, *xs), input_signature=specs)


def _module(name: str, *args: Any, call: Callable, **parts: Any) -> None:
    def make() -> tuple[Any, tuple]:
        given = [tf.convert_to_tensor(one) for one in args]
        specs = [tf.TensorSpec([None, *one.shape[1:]] if one.shape.rank else [], one.dtype)
                 for one in given]
        return Module(call, *specs, **{k: part() for k, part in parts.items()}), tuple(args)
    MODELS[f"module_{name}"] = make


_module("linear", values(3, 4), call=lambda s, x: x @ s.w + s.b,
        w=lambda: tf.Variable(values(4, 2)), b=lambda: tf.Variable(tf.zeros([2])))


def _loop(self: Any, x: Any) -> Any:
    for i in tf.range(5):
        if tf.reduce_sum(x) > 3.0:
            x = x * 0.5
        else:
            x = x + self.w * tf.cast(i, tf.float32)
        if tf.reduce_max(x) > 100.0:
            break
    return x


_module("loop", values(3, 4), call=lambda s, x: tf.autograph.experimental.do_not_convert(_loop)(
    s, x) if False else _converted_loop(s, x), w=lambda: tf.Variable(values(4)))
_converted_loop = tf.function(_loop)


def _arrays(self: Any, x: Any) -> Any:
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
    for i in tf.range(tf.shape(x)[0]):
        rows = rows.write(i, x[i] * self.w)
    return rows.stack()


_converted_arrays = tf.function(_arrays)
_module("tensor_array", values(3, 4), call=lambda s, x: _converted_arrays(s, x),
        w=lambda: tf.Variable(values(4)))


def _growing(s: Any, x: Any) -> Any:
    rows, reserved = tf.TensorArray(tf.float32, 0, True), tf.TensorArray(tf.float32, 2, True)
    for i in tf.range(tf.shape(x)[0]):
        rows, reserved = rows.write(i, x[i] * s.w), reserved.write(i, x[i])
    return rows.stack() + reserved.stack()


def _lengths(s: Any, x: Any) -> Any:
    rows = tf.TensorArray(tf.float32, 0, True, infer_shape=False)
    for i in tf.range(3):
        rows = rows.write(i, x[:i + 1] * s.w)
    return rows.concat()


def _grown(s: Any, x: Any) -> Any:
    return tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.concat([y, y[-1:] * s.w], 0)), (0, x),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None, 4])))[1]


def _ragged_rows(s: Any, x: Any) -> Any:
    rows = tf.RaggedTensor.from_row_lengths(x[:, 0], [2, 0, 3])
    twice = tf.map_fn(lambda row: row * 2.0, rows,
                      fn_output_signature=tf.RaggedTensorSpec([None], tf.float32))
    return twice, tf.map_fn(tf.reduce_sum, rows, fn_output_signature=tf.float32)


def _drawn(s: Any, x: Any) -> Any:
    true = tf.constant([[1], [2]], tf.int64)
    sampled = tf.random.log_uniform_candidate_sampler(true, 1, 4, True, 9, seed=3)
    loss = tf.nn.sampled_softmax_loss(s.w, tf.zeros([9]), true, x[:2], 4, 9,
                                      sampled_values=sampled)
    return loss, sampled, s.generator.normal([3]), s.generator.uniform([2])


def _gradient_of_loop(s: Any, x: Any) -> Any:
    y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.sin(y) * s.w), (0, x))[1]
    return tf.gradients(y, x)[0]


_growing_arrays = tf.function(_growing)
_module("growing_array", values(5, 4), call=lambda s, x: _growing_arrays(s, x),
        w=lambda: tf.Variable(values(4)))
_lists_of_lengths = tf.function(_lengths)
_module("list_of_lengths", values(5, 4), call=lambda s, x: _lists_of_lengths(s, x),
        w=lambda: tf.Variable(values(4)))
_module("growing_value", values(3, 4), call=_grown, w=lambda: tf.Variable(values(4)))
_module("ragged_rows", values(5, 4), call=_ragged_rows)
_module("drawn_classes", values(5, 4), call=_drawn, w=lambda: tf.Variable(values(9, 4)),
        generator=lambda: tf.random.Generator.from_seed(3))
_module("gradient_of_loop", values(3, 4), call=_gradient_of_loop, w=lambda: tf.constant(values(4)))
_module("map_fn", values(3, 4), call=lambda s, x: tf.map_fn(lambda row: tf.sort(row) * 2, x))
_module("scan", values(5, 4), call=lambda s, x: tf.scan(lambda a, b: a * 0.5 + b, x))
_module("cond", values(3, 4), call=lambda s, x: tf.cond(
    tf.reduce_sum(x) > 0, lambda: tf.sin(x), lambda: tf.cos(x)))
_module("switch_case", values(3, 4), call=lambda s, x: tf.switch_case(
    tf.shape(x)[0] % 3, [lambda: x + 1, lambda: x * 2, lambda: -x]))
_module("while_loop", values(3, 4), call=lambda s, x: tf.while_loop(
    lambda i, y: i < 4, lambda i, y: (i + 1, y @ tf.transpose(y) @ y), (0, x))[1])
_module("state", values(3), call=lambda s, x: s.count.assign_add(1.0) + tf.reduce_sum(x),
        count=lambda: tf.Variable(0.0, trainable=False))
_module("structure", values(3, 4), call=lambda s, x: {"a": x, "b": (x + 1, [x * 2])})
_module("vectorized_map", values(3, 4), call=lambda s, x: tf.vectorized_map(
    lambda r: tf.reduce_sum(r) * r, x))
_module("gradient_inside", values(3, 4), call=lambda s, x: tf.gradients(
    tf.reduce_sum(tf.sin(x) * s.w), x)[0], w=lambda: tf.Variable(values(4)))

MATH = {
    "unary": lambda x: tf.stack([f(x) for f in (
        tf.abs, tf.sign, tf.square, tf.exp, tf.sin, tf.cos, tf.tan, tf.atan, tf.sinh, tf.cosh,
        tf.asinh, tf.math.erf, tf.math.erfc, tf.math.expm1, tf.math.log1p, tf.floor,
        tf.math.ceil, tf.round, tf.math.rint, tf.nn.softplus, tf.nn.softsign, tf.nn.elu,
        tf.nn.selu, tf.nn.relu6, tf.sigmoid, tf.tanh, tf.negative, tf.nn.gelu, tf.nn.silu,
        tf.math.log_sigmoid, tf.identity, tf.stop_gradient)]),
    "positive": lambda x: tf.stack([f(tf.abs(x) * 0.5 + 0.1) for f in (
        tf.sqrt, tf.math.rsqrt, tf.math.log, tf.math.reciprocal, tf.math.lgamma, tf.math.digamma,
        tf.acos, tf.asin, tf.atanh, tf.math.ndtri, tf.math.erfinv, tf.math.bessel_i0,
        tf.math.bessel_i1e, tf.math.xlogy if False else tf.sqrt)]),
    "binary": lambda x: tf.stack([f(x, x + 0.5) for f in (
        tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.atan2,
        tf.math.squared_difference, tf.math.floordiv, tf.math.floormod, tf.math.divide_no_nan,
        tf.math.multiply_no_nan, tf.math.xlogy, tf.math.xdivy, tf.math.nextafter)]),
    "compare": lambda x: tf.stack([tf.cast(f(x, 0.1), tf.float32) for f in (
        tf.equal, tf.not_equal, tf.less, tf.less_equal, tf.greater, tf.greater_equal)]
        + [tf.cast(tf.logical_or(x > 0, tf.logical_not(x > 0.5)), tf.float32),
           tf.cast(tf.math.is_nan(x), tf.float32), tf.cast(tf.math.is_finite(x), tf.float32)]),
    "reduce": lambda x: tf.stack([tf.cast(f(x), tf.float32) for f in (
        tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod,
        tf.reduce_logsumexp, tf.math.reduce_std, tf.math.reduce_variance, tf.norm,
        lambda v: tf.reduce_sum(tf.argmax(v, 1)), lambda v: tf.reduce_sum(tf.argmin(v, 1)),
        lambda v: tf.reduce_any(v > 0), lambda v: tf.reduce_all(v > 0),
        lambda v: tf.math.count_nonzero(v))]),
    "scans": lambda x: (tf.cumsum(x, 1), tf.math.cumprod(x, 1, exclusive=True),
                        tf.math.cumulative_logsumexp(x, 1)),
    "arrays": lambda x: (
        tf.reshape(x, [-1, 2]), tf.transpose(x), x[:, ::2], x[..., tf.newaxis], tf.tile(x, [2, 1]),
        tf.pad(x, [[1, 0], [0, 2]]), tf.pad(x, [[1, 1], [1, 1]], "REFLECT"), tf.roll(x, 1, 0),
        tf.reverse(x, [1]), tf.squeeze(x[:, :1], 1), tf.split(x, 2, 1), tf.split(x, [1, 3], 1),
        tf.unstack(x, axis=1), tf.concat([x, x], 1), tf.gather(x, [0, 2], axis=1),
        tf.gather_nd(x, [[0, 1], [1, 2]]), tf.where(x > 0, x, 0.0), tf.boolean_mask(x, x > 0),
        tf.one_hot(tf.argmax(x, 1), 4), tf.eye(3) + tf.ones([3, 3]), tf.fill([2], 3.0),
        tf.linalg.diag(x), tf.linalg.diag_part(x[:3, :3]), tf.linalg.band_part(x, 0, 1),
        tf.broadcast_to(x[:1], [2, 4]), tf.meshgrid(x[0], x[1]), tf.sequence_mask([1, 3], 4),
        tf.searchsorted(tf.sort(x[0]), [0.0, 0.5]), tf.repeat(x, 2, axis=0),
        tf.expand_dims(x, 0), tf.zeros_like(x), tf.ones_like(x), tf.rank(x), tf.size(x),
        tf.linspace(0.0, 1.0, 5), tf.range(0.0, 3.0, 0.5), tf.strided_slice(x, [0, 1], [2, 3])),
    "scatter": lambda x: (
        tf.scatter_nd([[0], [2]], x[:2], [4, 4]), tf.tensor_scatter_nd_update(x, [[0]], x[1:2]),
        tf.tensor_scatter_nd_add(x, [[0]], x[1:2]), tf.tensor_scatter_nd_max(x, [[0]], x[1:2]),
        tf.math.segment_sum(x, [0, 0, 1]), tf.math.segment_mean(x, [0, 0, 1]),
        tf.math.unsorted_segment_sum(x, [1, 0, 1], 3),
        tf.math.unsorted_segment_max(x, [1, 0, 1], 2),
        tf.dynamic_partition(x, [0, 1, 0], 2),
        tf.dynamic_stitch([[0, 2], [1]], [x[:2], x[2:3]]), tf.math.bincount([1, 2, 2, 5])),
    "sorting": lambda x: (tf.sort(x, 1), tf.argsort(x, 1), tf.math.top_k(x, 2),
                          tf.math.in_top_k([1, 0, 2], x, 2), tf.unique([3, 1, 3]),
                          tf.unique_with_counts([3, 1, 3]), tf.where(x > 0),
                          tf.math.invert_permutation([2, 0, 1])),
    "linalg": lambda x: (
        x @ tf.transpose(x), tf.linalg.cholesky(x[:, :3] @ tf.transpose(x[:, :3]) + tf.eye(3) * 3),
        tf.linalg.inv(x[:, :3] + tf.eye(3) * 3), tf.linalg.det(x[:, :3] + tf.eye(3) * 3),
        tf.linalg.solve(x[:, :3] + tf.eye(3) * 3, x), tf.einsum("ab,cb->ac", x, x),
        tf.linalg.triangular_solve(tf.linalg.band_part(x[:, :3], -1, 0) + tf.eye(3) * 3, x),
        tf.linalg.trace(x[:, :3]), tf.linalg.matvec(x, x[0]), tf.tensordot(x, x, [[1], [1]]),
        tf.linalg.eigvalsh(x[:, :3] + tf.transpose(x[:, :3])), tf.linalg.svd(x, compute_uv=False),
        tf.linalg.logdet(x[:, :3] @ tf.transpose(x[:, :3]) + tf.eye(3) * 3), tf.linalg.cross(
            x[:, :3], x[:, 1:])),
    "losses": lambda x: (
        tf.nn.softmax(x), tf.nn.log_softmax(x), tf.nn.l2_loss(x), tf.nn.l2_normalize(x, 1),
        tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(x), x),
        tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2], x),
        tf.nn.sigmoid_cross_entropy_with_logits(tf.nn.sigmoid(x), x), tf.nn.moments(x, [0]),
        tf.clip_by_value(x, -0.5, 0.5), tf.clip_by_norm(x, 1.0), tf.nn.bias_add(x, x[0]),
        tf.nn.weighted_cross_entropy_with_logits(tf.nn.sigmoid(x), x, 2.0),
        tf.nn.leaky_relu(x), tf.nn.crelu(x), tf.nn.dropout(x, 0.0)),
    "casts": lambda x: (
        tf.cast(x * 10, tf.int32), tf.cast(x, tf.float64), tf.cast(x, tf.float16),
        tf.cast(x, tf.bfloat16), tf.bitcast(x, tf.int32), tf.saturate_cast(x * 1000, tf.int8),
        tf.complex(x, x), tf.math.real(tf.complex(x, x)), tf.math.angle(tf.complex(x, x)),
        tf.math.conj(tf.complex(x, x)), tf.abs(tf.complex(x, x)),
        tf.bitwise.bitwise_and(tf.cast(x * 10, tf.int32), 5),
        tf.bitwise.left_shift(tf.cast(tf.abs(x) * 10, tf.int32), 2)),
    "signal": lambda x: (
        tf.signal.fft(tf.cast(x, tf.complex64)), tf.signal.rfft(x), tf.signal.irfft(
            tf.signal.rfft(x)), tf.signal.fft2d(tf.cast(x, tf.complex64)),
        tf.signal.hann_window(8), tf.signal.dct(x), tf.signal.frame(x, 2, 1),
        tf.signal.stft(tf.tile(x, [1, 8]), 8, 4), tf.signal.fftshift(x)),
    "stateless": lambda x: (
        tf.random.stateless_normal([3], [1, 2]) + x[0, :3], tf.random.stateless_uniform(
            [3], [1, 2]), tf.random.stateless_uniform([3], [1, 2], 0, 9, tf.int32),
        tf.random.stateless_truncated_normal([3], [1, 2]),
        tf.random.stateless_categorical(x, 4, [1, 2]),
        tf.random.experimental.stateless_shuffle(tf.range(5), [1, 2])),
}
for _name, _function in MATH.items():
    _module(f"math_{_name}", values(3, 4),
            call=lambda s, x, _function=_function: tf.nest.flatten(_function(x)))

IMAGES = {
    "resize": lambda x: [tf.image.resize(x, [5, 7], method) for method in (
        "bilinear", "nearest", "bicubic", "area", "lanczos3", "gaussian")],
    "colour": lambda x: (
        tf.image.rgb_to_grayscale(x), tf.image.rgb_to_hsv(x), tf.image.hsv_to_rgb(x),
        tf.image.adjust_brightness(x, 0.1), tf.image.adjust_contrast(x, 2.0),
        tf.image.adjust_hue(x, 0.1), tf.image.adjust_saturation(x, 2.0),
        tf.image.adjust_gamma(x, 2.0), tf.image.per_image_standardization(x)),
    "geometry": lambda x: (
        tf.image.flip_left_right(x), tf.image.flip_up_down(x), tf.image.rot90(x),
        tf.image.central_crop(x, 0.5), tf.image.pad_to_bounding_box(x, 1, 1, 10, 10),
        tf.image.crop_to_bounding_box(x, 1, 1, 4, 4), tf.image.resize_with_pad(x, 9, 5),
        tf.image.crop_and_resize(x, [[0.0, 0.0, 0.5, 0.5]], [0], [3, 3]),
        tf.image.extract_patches(x, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
        tf.image.sobel_edges(x), tf.image.total_variation(x),
        tf.image.resize_with_crop_or_pad(x, 4, 9)),
    "boxes": lambda x: (
        tf.image.non_max_suppression(tf.reshape(x[0, :4, :4, 0], [4, 4]), x[0, 0, :4, 1], 3),
        tf.image.psnr(x, x * 0.9, 1.0), tf.image.ssim(tf.tile(x, [1, 3, 3, 1]), tf.tile(
            x * 0.9, [1, 3, 3, 1]), 1.0)),
    "convolution": lambda x: (
        tf.nn.conv2d(x, tf.ones([3, 3, 3, 2]), 1, "SAME"),
        tf.nn.depthwise_conv2d(x, tf.ones([3, 3, 3, 2]), [1, 1, 1, 1], "VALID"),
        tf.nn.max_pool2d(x, 2, 2, "SAME"), tf.nn.avg_pool2d(x, 2, 2, "SAME"),
        tf.nn.conv2d_transpose(x, tf.ones([2, 2, 4, 3]), [2, 12, 12, 4], 2),
        tf.nn.space_to_depth(x, 2), tf.nn.depth_to_space(tf.tile(x, [1, 1, 1, 4]), 2),
        tf.nn.dilation2d(x, tf.ones([2, 2, 3]), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        tf.nn.local_response_normalization(x), tf.nn.max_pool_with_argmax(x, 2, 2, "SAME"),
        tf.nn.atrous_conv2d(x, tf.ones([3, 3, 3, 2]), 2, "SAME")),
}
for _name, _function in IMAGES.items():
    _module(f"image_{_name}", np.abs(values(2, 6, 6, 3)),
            call=lambda s, x, _function=_function: tf.nest.flatten(_function(x)))

STRINGS = {
    "cases": lambda x: (
        tf.strings.lower(x), tf.strings.upper(x), tf.strings.length(x), tf.strings.strip(x),
        tf.strings.join([x, x], "-"), tf.strings.substr(x, 0, 2), tf.strings.regex_replace(
            x, "[aeiou]", "*"), tf.strings.regex_full_match(x, ".*o.*"),
        tf.strings.to_hash_bucket_fast(x, 10), tf.strings.to_hash_bucket_strong(x, 10, [1, 2]),
        tf.strings.reduce_join(x), tf.strings.as_string(tf.strings.length(x)),
        tf.strings.format("{}", x), tf.strings.bytes_split(x).flat_values,
        tf.strings.split(x).flat_values, tf.strings.unicode_decode(x, "UTF-8").flat_values,
        tf.strings.ngrams(x, 2), tf.strings.to_number(tf.strings.as_string([1.5, 2.5])),
        tf.io.encode_base64(x), tf.io.decode_base64(tf.io.encode_base64(x)),
        tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"), tf.equal(x, "hello")),
}
for _name, _function in STRINGS.items():
    _module(f"strings_{_name}", np.array([b"hello world", b"a tape", b"Flow"], object),
            call=lambda s, x, _function=_function: tf.nest.flatten(_function(x)))


@model
def lookup_tables() -> tuple[Any, tuple]:
    made = Module(lambda s, x: (s.table.lookup(x), s.table.size()), tf.TensorSpec([None], "string"))
    made.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(
        ["a", "b"], tf.constant([1, 2], tf.int64)), -1)
    return made, (tf.constant(["b", "z"]),)


@model
def ragged_result() -> tuple[Any, tuple]:
    return Module(lambda s, x: tf.reduce_sum(tf.RaggedTensor.from_row_lengths(x, [1, 2]), 1),
                  tf.TensorSpec([3], "float32")), (values(3),)


@model
def ragged_input() -> tuple[Any, tuple]:
    made = tf.Module()
    made.__call__ = tf.function(
        lambda x: (tf.reduce_sum(x, 1), x * 2.0),
        input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
    return made, (tf.ragged.constant([[1.0, 2.0], [3.0]]),)


@model
def sparse_input() -> tuple[Any, tuple]:
    made = tf.Module()
    made.__call__ = tf.function(
        lambda x: tf.sparse.sparse_dense_matmul(x, tf.ones([4, 2])),
        input_signature=[tf.SparseTensorSpec([None, 4], tf.float32)])
    return made, (tf.sparse.from_dense([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0]]),)


@model
def custom_gradient() -> tuple[Any, tuple]:
    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return x * 2.0, lambda g: tf.clip_by_value(g, -0.1, 0.1)
    return Module(lambda s, x: clipped(x), tf.TensorSpec([None, 4], "float32")), (values(3, 4),)


def _own_gradient(x: Any, scale: Any) -> Any:
    """sin, with a gradient that reads what nothing else does."""
    @tf.custom_gradient
    def sine(x: Any) -> Any:
        positive, largest = tf.cast(x > 0.1, tf.float32), tf.argmax(x, 1)
        return tf.sin(x), lambda g: g * positive * scale + tf.cast(largest, tf.float32)[:, None]
    return sine(x)


def _own_gradients(s: Any, x: Any) -> Any:
    outside = tf.exp(x)
    for i in tf.range(3):
        x = _own_gradient(x * s.w, outside)
        if i > 0:
            x = _own_gradient(x, s.w * 2.0)
    return x


_converted_gradients = tf.function(_own_gradients)
_module("gradient_in_loop", values(3, 4), call=lambda s, x: _converted_gradients(s, x),
        w=lambda: tf.Variable(values(4)))
_module("recomputed", values(3, 4), call=lambda s, x: tf.recompute_grad(
    lambda y: tf.tanh(y * s.w))(x), w=lambda: tf.Variable(values(4)))


@model
def many_functions() -> tuple[Any, tuple]:
    made = Module(lambda s, x: s.helper(x) + s.helper(x * 2),
                  tf.TensorSpec([None, 4], "float32"))
    made.w = tf.Variable(values(4))
    made.helper = tf.function(lambda x: x * made.w)
    made.layers = [tf.Module(), {"k": tf.Variable(1.0)}]
    return made, (values(3, 4),)
