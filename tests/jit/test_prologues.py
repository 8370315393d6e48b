"""Images that a convolution computes where it copies them: when, and that no bit changes by it."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.lowering.plan import CustomKernel, FusedLoop
from tapeflow.jit.runtime import thread_pool
from tests.jit.agreement import agree, both, draw


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")


def normalised(x, scale, offset):
    """Cheap instructions on something that lies in memory."""
    return tf.nn.relu(tf.cumsum(x) * scale + offset)


def kernels(native):
    """(what is done, whether its images are computed) of the windows."""
    return [(one.impl.window.role, one.prologue is not None)
            for one in native.function.plan.kernels if isinstance(one, CustomKernel)
            and hasattr(one.impl, "window")]


def stored_by_loops(native):
    """The ops whose values fused loops store."""
    return {value.node.op.name for kernel in native.function.plan.kernels
            if isinstance(kernel, FusedLoop) for value in kernel.makes if value.node}


def test_forward_and_gradients():
    """No loop stores the images: both kernels and the mask compute them."""
    def step(x, scale, offset, filters, g):
        with tf.GradientTape() as tape:
            images = normalised(x, scale, offset)
            tape.watch([images, filters])
            loss = tf.reduce_sum(tf.nn.conv2d(images, filters, 1, "SAME") * g)
        at_images, at_filters = tape.gradient(loss, [images, filters])
        return loss, at_filters, tf.where(images > 0, at_images, 0.0)

    shapes = (2, 20, 20, 32), (32,), (32,), (3, 3, 32, 8), (2, 20, 20, 8)
    native = agree(step, *[draw(*shape) for shape in shapes], rtol=1e-3, atol=1e-3)
    assert sorted(kernels(native)) == [("filter", True), ("forward", True), ("input", False)]
    assert "relu" not in stored_by_loops(native)


def plain(x, scale, offset, filters, **attrs):
    return tf.nn.convolution(normalised(x, scale, offset), filters, **attrs)


def depthwise(x, scale, offset, filters, stride):
    return tf.nn.depthwise_conv2d(normalised(x, scale, offset), filters,
                                  [1, stride, stride, 1], "SAME")


CASES = {
    "one axis": (plain, (3, 50, 16), (3, 16, 5), dict(padding="SAME")),
    "three axes": (plain, (2, 5, 6, 7, 17), (2, 3, 3, 17, 4), dict(padding="SAME")),
    "strides": (plain, (2, 15, 13, 16), (3, 3, 16, 8), dict(padding="SAME", strides=2)),
    "dilations": (plain, (2, 15, 13, 33), (3, 2, 33, 8), dict(padding="SAME", dilations=2)),
    "one image": (plain, (1, 40, 40, 20), (5, 3, 20, 8), dict(padding="SAME")),
    "depthwise": (depthwise, (4, 30, 30, 48), (3, 3, 48, 1), dict(stride=1)),
    "depthwise, strides": (depthwise, (4, 31, 30, 48), (3, 3, 48, 1), dict(stride=2)),
}
BLOCKS = [{}, {"conv.blocks": "bands"}, {"conv.blocks": "images"},
          {"conv.blocks": "images", "conv.tasks": "positions"}]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_no_bit_changes(name, threads):
    function, x, filters, attrs = CASES[name]
    operands = draw(*x), draw(x[-1]), draw(x[-1]) + 0.5, draw(*filters)
    thread_pool.set_count(threads)
    try:
        wanted = None
        for blocks in BLOCKS:
            for computed in (False, True):
                with forcing({"fusion.recompute": computed, **blocks}):
                    (got,), (reference,), native = both(
                        lambda *xs: function(*xs, **attrs), *operands)
                assert kernels(native) == [("forward", computed)]
                wanted = got if wanted is None else wanted
                np.testing.assert_array_equal(got, wanted)
                np.testing.assert_allclose(got, reference, rtol=1e-4, atol=1e-4)
    finally:
        thread_pool.set_count(0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_is_rounded_where_it_was(dtype):
    operands = [draw(*shape) for shape in ((2, 12, 12, 32), (32,), (32,), (3, 3, 32, 8))]

    def f(*xs):
        return plain(*[tf.cast(x, dtype) for x in xs], padding="SAME")

    results = []
    for computed in (False, True):
        with forcing({"fusion.recompute": computed}):
            (got,), _, native = both(f, *operands)
        assert kernels(native) == [("forward", computed)]
        results.append(got.astype("f4"))
    np.testing.assert_array_equal(*results)


def test_what_is_not_finite_stays():
    """The border is zeros, not what the prologue would make of zeros."""
    x = np.ones((2, 30, 30, 32), "f4")
    x[0, 0, 0, 0], x[1, 29, 29, 31] = np.nan, np.inf
    agree(lambda *xs: plain(*xs, padding="SAME"), tf.constant(x), draw(32), draw(32) + 1.0,
          draw(3, 3, 32, 8), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("f", [
    lambda y, w: (tf.nn.conv2d(y, w, 1, "SAME"), y),  # a result too
    lambda y, w: (tf.nn.conv2d(y, w, 1, "SAME"), tf.reshape(y, [-1, 32]) @ w[0, 0]),
    lambda y, w: (tf.nn.conv2d(y, w, 1, "VALID"),),  # nothing is copied
    lambda y, w: (tf.nn.conv2d(tf.exp(y), w, 1, "SAME"),),  # dearer than memory
])
def test_images_in_memory(f):
    native = agree(lambda x, scale, offset, w: f(normalised(x, scale, offset), w),
                   draw(2, 20, 20, 32), draw(32), draw(32), draw(3, 3, 32, 8) * 0.01,
                   rtol=1e-3, atol=1e-3)
    assert kernels(native) == [("forward", False)]


def test_few_channels_are_copied():
    """There would be no whole vector of them."""
    native = agree(lambda *xs: plain(*xs, padding="SAME"), draw(4, 100, 100, 3), draw(3), draw(3),
                   draw(3, 3, 3, 8), rtol=1e-4, atol=1e-4)
    assert kernels(native) == [("forward", False)]
