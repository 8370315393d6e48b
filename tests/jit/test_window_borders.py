"""Zeros around images as the padding of windows: where they are, and where they must not be."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.pipeline import compile
from tests.jit.agreement import graph_of

RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape).astype("float32")


def kernels(f, *args):
    """How many kernels there are, after native results have been compared with eager ones."""
    native = compile(graph_of(f, *args))
    for a, b in zip(native.run(list(args), []),
                    tf.nest.flatten(f(*[tf.constant(x) for x in args])), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    return len(native.function.plan.kernels)


def trained(conv, before, after):
    """A convolution over images with a border, and all of its gradients."""
    border = [[0, 0], *zip(before, after, strict=True), [0, 0]]

    def f(x, w, g):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = conv(tf.pad(x, border), w)
        return y, *tape.gradient(y, [x, w], output_gradients=g[:, :y.shape[1], :y.shape[2]])

    return f


CONVOLUTIONS = {
    "strides": (lambda x, w: tf.nn.conv2d(x, w, 2, "VALID"), 6),
    "padding of its own": (lambda x, w: tf.nn.conv2d(x, w, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]), 6),
    "dilations": (lambda x, w: tf.nn.conv2d(x, w, 1, "VALID", dilations=2), 6),
    "depthwise": (lambda x, w: tf.nn.depthwise_conv2d(x, w[..., :1], [1, 2, 2, 1], "VALID"), 4),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_borders_are_padding(name):
    conv, outer = CONVOLUTIONS[name]
    f, args = trained(conv, (0, 1), (1, 1)), (normal(2, 9, 8, 4), normal(3, 3, 4, 6),
                                              normal(2, 12, 12, outer))
    absorbed = kernels(f, *args)
    with forcing({"window.border": "apart"}):
        assert kernels(f, *args) > absorbed


def test_one_axis_and_three():
    for rank in (1, 3):
        sizes, conv = (7, 6, 5)[:rank], {1: tf.nn.conv1d, 3: tf.nn.conv3d}[rank]
        strides = 1 if rank == 1 else [1, 1, 1, 1, 1]

        def f(x, w, conv=conv, rank=rank, strides=strides):
            with tf.GradientTape() as tape:
                tape.watch([x, w])
                y = conv(tf.pad(x, [[0, 0], *[[1, 0]] * rank, [0, 0]]), w, strides, "VALID")
            return y, *tape.gradient(y, [x, w])

        args = normal(2, *sizes, 3), normal(*(2,) * rank, 3, 4)
        absorbed = kernels(f, *args)
        with forcing({"window.border": "apart"}):
            assert kernels(f, *args) > absorbed


def test_what_is_not_finite_passes_through_the_border():
    x, w, g = normal(1, 5, 5, 2), normal(3, 3, 2, 3), normal(1, 8, 8, 3)
    f = trained(lambda x, w: tf.nn.conv2d(x, w, 1, "VALID"), (1, 1), (1, 1))
    for place in (w[0, 0], g[0, 0]):
        kept = place.copy()
        place[..., 0, 0] = np.inf
        found = compile(graph_of(f, x, w, g)).run([x, w, g], [])
        for a, b in zip(found, f(*[tf.constant(one) for one in (x, w, g)]), strict=True):
            np.testing.assert_array_equal(np.isfinite(a), np.isfinite(b))
        place[...] = kept


STAY = {
    "another value": lambda x, w: tf.nn.conv2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]],
                                                      constant_values=2.0), w, 1, "VALID"),
    "more channels": lambda x, w: tf.nn.conv2d(tf.pad(x[..., :3], [[0, 0], [0, 0], [0, 0], [0, 1]]),
                                               w, 1, "VALID"),
    "more images": lambda x, w: tf.nn.conv2d(tf.pad(x, [[1, 0], [1, 1], [0, 0], [0, 0]]), w, 1,
                                             "VALID"),
    "windows in the border alone": lambda x, w: tf.nn.conv2d(
        tf.pad(x, [[0, 0], [3, 0], [0, 0], [0, 0]]), w, 1, "VALID"),
    "another reader": lambda x, w: (tf.nn.conv2d(
        y := tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), w, 1, "VALID"), y + 1.0),
    "a result": lambda x, w: (tf.nn.conv2d(
        y := tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), w, 1, "VALID"), y),
    "a gap": lambda x, w: tf.nn.conv2d(tf.concat([x, tf.zeros_like(x[:, :2]), x], 1), w, 1,
                                       "VALID"),
    "a pool": lambda x, w: tf.nn.max_pool2d(tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]), 2, 1,
                                            "VALID") * w[0, 0, 0, 0],
    "filters": lambda x, w: tf.nn.conv2d(x, tf.pad(w, [[0, 0], [1, 1], [0, 0], [0, 0]]), 1,
                                         "VALID"),
    "part of a gradient": lambda x, w: (y := tf.nn.conv2d_transpose(
        x, tf.transpose(w, [0, 1, 3, 2]), [2, 9, 8, 6], 1, "SAME"))[:, 1:] + tf.reduce_sum(y),
}


@pytest.mark.parametrize("name", STAY)
def test_what_stays_apart(name):
    args = normal(2, 9, 8, 4), normal(3, 3, 4, 6)
    found = kernels(STAY[name], *args)
    with forcing({"window.border": "apart"}):
        assert kernels(STAY[name], *args) == found


def test_a_gradient_of_which_a_part_is_taken():
    """Of a transposed convolution: what is cut off is not computed."""
    def f(x, w):
        return tf.nn.conv2d_transpose(x, w, [2, 10, 9, 6], 1, "VALID")[:, 1:-1, :-1] * 2.0

    args = normal(2, 8, 7, 4), normal(3, 3, 6, 4)
    absorbed = compile(graph_of(f, *args))
    assert kernels(f, *args) == len(absorbed.function.plan.kernels) == 1
