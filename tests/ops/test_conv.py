"""Convolutions and pooling: against sums written out, in parts, on threads, channels first, errors.
"""

import itertools
import os
import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops._support import kernel_threads
from tapeflow.ops.conv import depthwise_kernels, kernels, pooling_kernels
from tapeflow.ops.conv.conv_ops import convolve, filter_gradient, input_gradient
from tapeflow.ops.conv.geometry import blocks, layout, tap_range

RNG = np.random.default_rng(5)


def noise(*shape):
    return RNG.standard_normal(shape)


def written_out(x, w, strides, padding, dilations, groups):
    """The definition, one window position after another."""
    out, pads = layout("test", x.shape[1:-1], w.shape[:-2], strides, dilations, padding)
    x = np.pad(x, ((0, 0), *pads, (0, 0)))
    inner, outer = w.shape[-2], w.shape[-1] // groups
    y = np.zeros((x.shape[0], *out, w.shape[-1]))
    for place in np.ndindex(*out):
        under = tuple(slice(o * s, o * s + (k - 1) * d + 1, d) for o, s, k, d in zip(
            place, strides, w.shape[:-2], dilations))
        for g in range(groups):
            part = x[(slice(None), *under, slice(g * inner, (g + 1) * inner))]
            some = w[..., g * outer:(g + 1) * outer]
            axes = len(out) + 1
            y[(slice(None), *place, slice(g * outer, (g + 1) * outer))] = np.tensordot(
                part, some, axes=axes)
    return y


CASES = [
    ((3, 9, 4), (3, 4, 5), (1,), "SAME", (1,), 1),
    ((3, 9, 6), (4, 2, 6), (2,), "VALID", (2,), 3),
    ((2, 7, 8, 6), (3, 3, 6, 4), (1, 1), "SAME", (1, 1), 1),
    ((2, 7, 8, 6), (3, 2, 6, 4), (2, 3), "SAME", (1, 1), 1),
    ((2, 9, 8, 5), (3, 2, 5, 4), (2, 1), ((4, 0), (0, 5)), (1, 3), 1),
    ((2, 9, 9, 12), (2, 2, 6, 4), (3, 2), "VALID", (2, 2), 2),
    ((2, 6, 6, 5), (2, 2, 1, 10), (1, 2), "SAME", (2, 1), 5),
    ((2, 6, 7, 3), (3, 3, 3, 4), (2, 2), "SAME", (1, 1), 1),
    ((2, 6, 6, 7), (1, 1, 7, 4), (2, 2), "VALID", (1, 1), 1),
    ((2, 6, 6, 3), (2, 2, 3, 4), (2, 2), "VALID", (1, 1), 1),
    ((2, 4, 5, 4, 6), (2, 3, 2, 6, 3), (1, 2, 1), "SAME", (1, 1, 2), 1),
]


@pytest.mark.parametrize("block", [1, 40, 1 << 17])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_kernels_are_the_sums_of_the_definition_however_they_are_cut(case, block, monkeypatch):
    monkeypatch.setattr(kernels, "GATHER_BLOCK", block)
    monkeypatch.setattr(depthwise_kernels, "CACHE_BLOCK", block)
    xs, ws, strides, padding, dilations, groups = case
    attrs = dict(strides=strides, padding=padding, dilations=dilations, groups=groups)
    x, w = noise(*xs), noise(*ws)
    y = kernels.convolve(x, w, **attrs)
    np.testing.assert_allclose(y, written_out(x, w, **attrs), atol=1e-10)
    g = noise(*y.shape)
    gx = kernels.input_gradient(w, g, sizes=xs[1:-1], **attrs)
    gw = kernels.filter_gradient(x, g, sizes=ws[:-2], **attrs)
    assert gx.shape == xs and gw.shape == ws
    # <g, conv(x, w)> is linear in x and in w: both gradients give it back, for any x and w.
    other_x, other_w = noise(*xs), noise(*ws)
    np.testing.assert_allclose(np.vdot(gx, other_x),
                               np.vdot(g, written_out(other_x, w, **attrs)), atol=1e-9)
    np.testing.assert_allclose(np.vdot(gw, other_w),
                               np.vdot(g, written_out(x, other_w, **attrs)), atol=1e-9)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_threads_change_nothing(groups, monkeypatch):
    x, w = noise(9, 8, 8, 6), noise(3, 3, 6 // groups, 12)
    attrs = dict(strides=(2, 1), padding="SAME", dilations=(1, 1), groups=groups)
    calls = [(convolve, x, w, attrs)]
    g = noise(9, 4, 8, 12)
    calls.append((input_gradient, w, g, {**attrs, "sizes": (8, 8)}))
    calls.append((filter_gradient, x, g, {**attrs, "sizes": (3, 3)}))
    alone = [call.op.kernel(a, b, **more) for call, a, b, more in calls]
    monkeypatch.setattr(kernels, "THREADED_FROM", 0)
    for (call, a, b, more), want in zip(calls, alone):
        np.testing.assert_allclose(call.op.kernel(a, b, **more), want, atol=1e-10)


def test_an_error_in_a_part_is_the_callers_error():
    if kernel_threads.count() < 2:
        pytest.skip("one thread only")

    def fails(part):
        raise KeyError(part)

    with pytest.raises(KeyError):
        kernel_threads.share(fails, range(3))
    done = []
    kernel_threads.share(done.append, range(20))
    assert sorted(done) == list(range(20))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_threads_start_anew_after_a_fork():
    kernel_threads.share(lambda part: None, range(2))
    child = os.fork()
    if not child:
        done = []
        runner = threading.Thread(target=lambda: kernel_threads.share(done.append, range(5)),
                                  daemon=True)
        runner.start()
        runner.join(300)
        os._exit(0 if sorted(done) == [0, 1, 2, 3, 4] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_blocks_cover_every_position_once():
    for lead, width, limit in itertools.product([(2, 3, 4), (5,), (1, 7)], [1, 3], [1, 6, 100]):
        seen = np.zeros(lead, int)
        for block in blocks(lead, width, limit):
            seen[block] += 1
        assert (seen == 1).all()


def test_tap_range_names_the_real_elements():
    for offset, stride, out, n in itertools.product(range(-4, 5), (1, 2, 3), (1, 3), (0, 1, 5)):
        want = [o for o in range(out) if 0 <= o * stride + offset < n]
        found = tap_range(offset, stride, out, n)
        assert (list(range(out))[found[0]] if found else []) == want
        if found:
            assert list(range(n))[found[1]] == [o * stride + offset for o in want]


# -- channels first --------------------------------------------------------------------------------
@pytest.mark.parametrize("f", [
    lambda x, w, fmt: tf.nn.conv2d(x, w, [2, 1], "SAME", data_format=fmt),
    lambda x, w, fmt: tf.nn.depthwise_conv2d(x, w, [1] * 4, "VALID", data_format=fmt),
    lambda x, w, fmt: tf.nn.max_pool2d(x, [2, 3], 2, "SAME", data_format=fmt),
    lambda x, w, fmt: tf.nn.avg_pool2d(x, 3, 2, "SAME", data_format=fmt),
    lambda x, w, fmt: tf.nn.pool(x, [2, 2], "AVG", data_format=fmt),
    lambda x, w, fmt: tf.nn.conv2d_transpose(
        x, w, [2, 10, 10, 4] if fmt == "NHWC" else [2, 4, 10, 10], 2, data_format=fmt),
    lambda x, w, fmt: tf.nn.conv2d(x, w, 1, [[0, 0], [1, 2], [0, 1], [0, 0]] if fmt == "NHWC"
                                   else [[0, 0], [0, 0], [1, 2], [0, 1]], data_format=fmt),
], ids=["conv", "depthwise", "max", "avg", "pool", "transpose", "explicit"])
def test_channels_first_is_channels_last_with_axes_moved(f):
    x, w = tf.constant(noise(2, 5, 5, 4)), tf.constant(noise(3, 3, 4, 4))
    moved = tf.transpose(x, [0, 3, 1, 2])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, moved])
        last, first = f(x, w, "NHWC"), f(moved, w, "NCHW")
        losses = tf.reduce_sum(last ** 3), tf.reduce_sum(first ** 3)
    np.testing.assert_allclose(np.moveaxis(first.numpy(), 1, -1), last.numpy(), atol=1e-10)
    np.testing.assert_allclose(np.moveaxis(tape.gradient(losses[1], moved).numpy(), 1, -1),
                               tape.gradient(losses[0], x).numpy(), atol=1e-9)


def test_channels_first_in_one_and_three_dimensions():
    x, w = noise(2, 6, 3), noise(2, 3, 4)
    np.testing.assert_allclose(
        tf.nn.conv1d(x.transpose(0, 2, 1), w, 1, "SAME", data_format="NCW").numpy(),
        tf.nn.conv1d(x, w, 1, "SAME").numpy().transpose(0, 2, 1))
    v, k = noise(1, 3, 4, 5, 2), noise(2, 2, 2, 2, 3)
    np.testing.assert_allclose(
        tf.nn.conv3d(np.moveaxis(v, -1, 1), k, [1] * 5, "SAME", data_format="NCDHW").numpy(),
        np.moveaxis(tf.nn.conv3d(v, k, [1] * 5, "SAME").numpy(), -1, 1))


# -- what TensorFlow's CPU build lacks -------------------------------------------------------------
def test_gradients_of_grouped_and_dilated_convolutions():
    x, w = tf.constant(noise(2, 7, 7, 4)), tf.constant(noise(2, 2, 2, 6))
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv2d(x, w, 1, "SAME", dilations=2)
        loss = tf.reduce_sum(y ** 2)
    got = tape.gradient(loss, [x, w])
    halves = [tf.nn.convolution(x[..., 2 * i:2 * i + 2], w[..., 3 * i:3 * i + 3], padding="SAME",
                                dilations=2) for i in range(2)]
    np.testing.assert_allclose(y, tf.concat(halves, -1), atol=1e-10)
    step = 1e-6
    for i, (value, g) in enumerate(zip((x, w), got)):
        t = noise(*value.shape)
        moved = [(x + step * t, w), (x - step * t, w)] if i == 0 else [(x, w + step * t),
                                                                        (x, w - step * t)]
        up, down = [float(tf.reduce_sum(tf.nn.conv2d(a, b, 1, "SAME", dilations=2) ** 2))
                    for a, b in moved]
        assert np.isclose((up - down) / (2 * step), np.vdot(g, t), rtol=1e-5)


def test_half_precision_accumulates_in_single():
    x, w = tf.ones([1, 1, 3000, 1], tf.float16), tf.ones([1, 3000, 1, 1], tf.float16)
    assert tf.nn.conv2d(x, w, 1, "VALID").numpy().item() == 3000
    assert tf.nn.avg_pool2d(x * 30, [1, 3000], 1, "VALID").numpy().item() == 30


# -- pooling ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("chunk", [1, 1 << 18])
def test_pooling_is_the_same_in_parts(chunk, monkeypatch):
    monkeypatch.setattr(pooling_kernels, "_CHUNK", chunk)
    x = noise(5, 7, 6, 2)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 2), (1, 2))[:, ::2, ::2]
    np.testing.assert_array_equal(tf.nn.max_pool2d(x, [3, 2], 2, "VALID"), windows.max((-1, -2)))
    np.testing.assert_allclose(tf.nn.avg_pool2d(x, [3, 2], 2, "VALID"), windows.mean((-1, -2)))
    y, places = tf.nn.max_pool_with_argmax(x, [3, 2], 2, "SAME", include_batch_in_index=True)
    np.testing.assert_array_equal(x.ravel()[places.numpy()], y)


def test_the_last_part_of_an_average_counts_what_is_there():
    x = tf.ones([1, 5, 5, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.avg_pool2d(x, 3, 2, "SAME")
    np.testing.assert_allclose(y, np.ones((1, 3, 3, 1)), rtol=1e-6)
    g = tape.gradient(y, x).numpy()[0, :, :, 0]
    np.testing.assert_allclose(g.sum(), 9, rtol=1e-6)
    np.testing.assert_allclose(g[0, 0], 1 / 4, rtol=1e-6)


def test_gradient_of_a_maximum_ignores_what_it_did_not_choose():
    x = tf.constant([1.0, 5.0, np.inf, 2.0], shape=[1, 2, 2, 1])
    g = tf.constant(np.inf, shape=[1, 1, 1, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    assert tape.gradient(y, x, g).numpy().ravel().tolist() == [0, 0, np.inf, 0]


# -- refusals --------------------------------------------------------------------------------------
@pytest.mark.parametrize("words, call", [
    ("must be 4-dimensional", lambda x, w: tf.nn.conv2d(x[0], w, 1, "SAME")),
    ("2 vs 3", lambda x, w: tf.nn.conv2d(x, tf.ones([2, 2, 3, 1]), 1, "SAME")),
    ("number of groups: 3 vs 2", lambda x, w: tf.nn.conv2d(tf.ones([1, 4, 4, 4]), w, 1, "SAME")),
    ("output size would be negative", lambda x, w: tf.nn.max_pool2d(x, 7, 1, "VALID")),
    ("actual = 4, computed = 5", lambda x, w: tf.nn.conv2d_transpose(
        x, tf.ones([2, 2, 3, 2]), [1, 9, 8, 3], 2)),
    ("same depth: 2 vs 3", lambda x, w: tf.nn.depthwise_conv2d(
        x, tf.ones([2, 2, 3, 1]), [1] * 4, "SAME")),
    ("smaller than the window", lambda x, w: tf.nn.max_pool2d(
        x, 2, 2, [[0, 0], [2, 0], [0, 0], [0, 0]])),
])
def test_refusals_say_what_does_not_fit(words, call):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        call(tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 3]))


def test_refusals_while_tracing_are_value_errors():
    @tf.function
    def wrong(x):
        return tf.nn.conv2d(x, tf.ones([2, 2, 3, 1]), 1, "SAME")

    @tf.function
    def large(x):
        return tf.nn.avg_pool2d(x, 9, 1, "VALID")

    for f in (wrong, large):
        with pytest.raises(ValueError):
            f(tf.ones([1, 4, 4, 2]))
