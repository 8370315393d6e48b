"""Half precision in native code: conversions to the bit, ops against NumPy, memory."""

import ctypes

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.codegen.builder import LLVM, Builder
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.runtime import llvm_backend, target
from tests.jit.agreement import both, graph_of

HALVES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
EPSILON = {"float16": 2.0 ** -10, "bfloat16": 2.0 ** -7}


def machines():
    """This machine, and one without instructions that convert; its code runs here too."""
    host = target.host()
    plain = target.Target(host.triple, host.cpu, host.features, "x86_64", frozenset())
    return {"as it is": host, "baseline": plain}


def converted(machine, x: np.ndarray, source: str, goal: str, lanes: int) -> np.ndarray:
    """x by native code of so many lanes."""
    module = Module(machine)
    code = Code(module, "convert", [("ptr", "%x"), ("ptr", "%y")], attributes=machine.attributes)
    builder = Builder(code, lanes)
    with code.loop(0, x.size, lanes) as loop:
        value = builder.load(code.at("%x", loop.index, LLVM[source]), source)
        builder.store(builder.cast(value, goal), code.at("%y", loop.index, LLVM[goal]))
    module.functions["convert"] = code.text()
    loaded = llvm_backend.load(module.text())
    y = np.zeros(x.size, HALVES.get(goal, goal))
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.address("convert"))
    function(x.ctypes.data, y.ctypes.data)
    return y


def same_bits(got: np.ndarray, want: np.ndarray) -> None:
    """Equal to the bit, but for what NaN has beside being one."""
    numbers = ~np.isnan(want)
    assert np.array_equal(np.isnan(got), ~numbers)
    kind = f"u{want.itemsize}"
    np.testing.assert_array_equal(got.view(kind)[numbers], want.view(kind)[numbers])


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("machine", machines())
def test_every_half_is_widened_exactly(machine, dtype, lanes):
    x = np.arange(1 << 16, dtype=np.uint16).view(HALVES[dtype])
    same_bits(converted(machines()[machine], x, dtype, "float32", lanes), x.astype(np.float32))


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("machine", machines())
def test_rounding_to_nearest_even(machine, dtype, lanes):
    """Every half, what lies between two, and their neighbours in float32; and any bits at all."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(HALVES[dtype]).astype(np.float32)
    with np.errstate(all="ignore"):
        between = halves + (np.roll(halves, -1) - halves) / 2
        x = np.concatenate([halves, between, np.nextafter(between, np.float32(np.inf)),
                            np.nextafter(between, np.float32(-np.inf)),
                            np.random.default_rng(0).integers(0, 1 << 32, 1 << 16, np.uint32).view(
                                np.float32)])
        want = x.astype(HALVES[dtype])
    same_bits(converted(machines()[machine], x, "float32", dtype, lanes), want)


# -- ops -------------------------------------------------------------------------------------------
def numbers(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape).astype("f")


IDS = np.array([3, 0, 3, 3, 1, 0, 3], np.int32)
OPS = {
    "product": (lambda x, w: x @ w, numbers(20, 33), numbers(33, 17)),
    "deep product": (lambda x, w: tf.matmul(x, w, transpose_a=True), numbers(5000, 9),
                     numbers(5000, 20)),
    "products of a batch": (lambda x, w: tf.nn.relu(x @ w + w[0, 0]), numbers(3, 9, 40),
                            numbers(3, 40, 12)),
    "convolution": (lambda x, w: tf.nn.relu(tf.nn.conv2d(x, w, 2, "SAME")), numbers(3, 9, 9, 4),
                    numbers(3, 3, 4, 8)),
    "transposed": (lambda g, w: tf.nn.conv2d_transpose(g, w, (5, 9, 9, 3), 2, "SAME"),
                   numbers(5, 5, 5, 8), numbers(3, 3, 3, 8)),
    "depthwise": (lambda x, w: tf.nn.depthwise_conv2d(x, w, (1, 1, 1, 1), "SAME"),
                  numbers(2, 7, 7, 12), numbers(3, 3, 12, 1)),
    "pools": (lambda x, w: (tf.nn.max_pool2d(x, 2, 2, "SAME"), tf.nn.avg_pool2d(x, 3, 2, "SAME")),
              numbers(2, 7, 7, 12), numbers(1)),
    "norm": (lambda x, w: tf.nn.batch_normalization(x, *tf.nn.moments(x, [0]), w, w, 1e-3),
             numbers(50, 20), numbers(20)),
    "segment sums": (lambda x, w: (tf.math.unsorted_segment_sum(x, IDS, 5),
                                   tf.math.unsorted_segment_prod(x + w, IDS, 5),
                                   tf.math.unsorted_segment_max(x, IDS, 5)),
                     numbers(7, 12), numbers(12)),
    "scatters": (lambda x, w: (tf.tensor_scatter_nd_add(x, IDS[:, None], w),
                               tf.tensor_scatter_nd_sub(x, IDS[:, None], w),
                               tf.tensor_scatter_nd_update(x, [[2], [1]], w[:2])),
                 numbers(5, 11), numbers(7, 11)),
    "scans": (lambda x, w: (tf.cumsum(x), tf.cumsum(x, 1, exclusive=True),
                            tf.cumsum(x, 1, reverse=True), tf.math.cumprod(w)),
              numbers(20, 30), numbers(5)),
}


def gradients(f):
    """Results, and their gradients, of a function."""
    def run(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            ys = f(*xs)
            loss = sum(tf.reduce_sum(tf.sin(tf.cast(y, tf.float32))) for y in tf.nest.flatten(ys))
        return ys, [g for g in tape.gradient(loss, xs) if g is not None]

    return run


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", OPS)
def test_native_as_numpy(name, dtype):
    f, *xs = OPS[name]
    got, want, native = both(gradients(f), *[x.astype(HALVES[dtype]) for x in xs], whole=False)
    # What is asked for natively: all but what the gradients of others need.
    assert not set(native.reasons) & {
        "matmul", "convolve", "convolve_input_gradient", "convolve_filter_gradient", "max_pool",
        "avg_pool", "max_pool_gradient", "avg_pool_gradient", "segment_sum", "segment_prod",
        "scatter_rows", "cumsum", "cumprod"}, native.reasons
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        a, b = np.asarray(a, "f8"), np.asarray(b, "f8")
        np.testing.assert_allclose(a, b, rtol=4 * EPSILON[dtype],
                                   atol=4 * EPSILON[dtype] * max(1.0, np.abs(b).max()))


def chosen(x):
    """Ops whose results are numbers of half precision without rounding, and some that follow."""
    y = tf.where(x > 1, tf.abs(x), -x)
    return [tf.nn.relu(x), tf.nn.relu6(x), y, tf.maximum(x, 0.1), tf.minimum(x, x * 3),
            tf.nn.relu(x) * 1.1 - y, tf.clip_by_value(x, -0.3, 0.3), tf.cast(
                tf.maximum(tf.cast(x, tf.float32), 0.1), x.dtype)]


@pytest.mark.parametrize("machine", machines())
@pytest.mark.parametrize("dtype", HALVES)
def test_what_is_not_rounded_is_the_same_number(dtype, machine):
    x = np.arange(1 << 16, dtype=np.uint16).view(HALVES[dtype])
    with target.using(machines()[machine]):
        got, want, _ = both(chosen, x)
    for one, other in zip(got, want, strict=True):  # of 0 and -0 NumPy's maximum is either
        np.testing.assert_array_equal(one.astype("f"), other.astype("f"))


@pytest.mark.parametrize("dtype", HALVES)
def test_running_sums_are_rounded_at_each_step(dtype):
    """As TensorFlow does it: 2048 + 1 is 2048 in float16."""
    x = np.ones([5000, 1], HALVES[dtype])
    (got,), (want,), _ = both(lambda x: tf.cumsum(x), x)
    np.testing.assert_array_equal(got.astype("f"), want.astype("f"))
    assert got[-1] == {"float16": 2048, "bfloat16": 256}[dtype]


@pytest.mark.parametrize("dtype", HALVES)
def test_sums_of_segments_are_rounded_once(dtype):
    x = np.ones([5000, 2], HALVES[dtype])
    ids = np.zeros(5000, np.int32)
    (got, back), (want, _), _ = both(
        lambda x, ids: (tf.math.unsorted_segment_sum(x, ids, 2),
                        tf.gather(tf.math.unsorted_segment_sum(x, ids, 2), ids[:1])), x, ids)
    np.testing.assert_array_equal(got.astype("f"), want.astype("f"))
    assert got[0, 0] == HALVES[dtype](5000) == back[0, 1]


@pytest.mark.parametrize("dtype", HALVES)
def test_the_lowest_number_where_there_is_no_maximum(dtype):
    """TensorFlow's result for windows of NaN or -inf."""
    x = np.full([1, 2, 4, 1], np.nan, HALVES[dtype])
    x[0, :, 2:] = -np.inf
    (got,), (want,), _ = both(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), x)
    lowest = ml_dtypes.finfo(HALVES[dtype]).min
    assert (got == lowest).all() and (want == lowest).all()


@pytest.mark.parametrize("name", ["product", "convolution", "scatters", "scans", "pools"])
def test_machines_without_conversions(name):
    """The whole way, for a machine that has no instruction for float16."""
    from tapeflow.jit.pipeline import compile

    f, *xs = OPS[name]
    xs = [x.astype(np.float16) for x in xs]
    graph = graph_of(f, *xs)
    usual = compile(graph).run(list(xs), [])
    with target.using(machines()["baseline"]):
        native = compile(graph)
        assert not native.reasons
        for a, b in zip(native.run(list(xs), []), usual, strict=True):
            np.testing.assert_allclose(a, b, rtol=2.0 ** -10, atol=2.0 ** -9)


# -- operands that are rounded as they are loaded --------------------------------------------------
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, 1e-40, 1e-42, 3e-8, 65519.0, 65520.0, 3.4e38, 1.0]
CAST_PRODUCTS = {
    "tiles": (lambda x, w: x @ w, (40, 70), (70, 90)),
    "one row": (lambda x, w: x @ w, (1, 70), (70, 90)),
    "dots": (lambda x, w: tf.matmul(x, w, transpose_b=True), (3, 70), (5, 70)),
    "one column": (lambda x, w: x @ w, (33, 70), (70, 1)),
    "two elements": (lambda x, w: x @ w, (1, 2), (2, 1)),
    "across": (lambda x, w: tf.matmul(x, w, transpose_a=True, transpose_b=True), (70, 33),
               (17, 70)),
    "a slice of it": (lambda x, w: x[2:] @ w[:, 3:], (40, 20), (20, 90)),
    "a batch": (lambda x, w: x @ w, (3, 9, 40), (3, 40, 12)),
    "in tasks": (lambda x, w: x @ w, (100, 200), (200, 300)),
}


@pytest.mark.parametrize("machine", machines())
@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", CAST_PRODUCTS)
def test_a_product_rounds_its_operands_itself(name, dtype, machine, monkeypatch):
    """What is cast from float32 in memory is not written in half precision first."""
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    f, *shapes = CAST_PRODUCTS[name]

    def run(*xs):
        return f(*[tf.cast(x, dtype) for x in xs])

    xs = [numbers(*shape) for shape in shapes]
    found = {}
    with target.using(machines()[machine]):
        for cast in (True, False):
            with forcing({"product.cast": cast}):
                (got,), (want,), native = both(run, *xs)
            assert len(native.function.plan.kernels) == (1 if cast else 3)
            np.testing.assert_allclose(
                got.astype("f8"), want.astype("f8"), rtol=4 * EPSILON[dtype],
                atol=4 * EPSILON[dtype] * np.abs(want.astype("f8")).max())
            found[cast] = got
    same_bits(found[True], found[False])


@pytest.mark.parametrize("machine", machines())
@pytest.mark.parametrize("dtype", HALVES)
def test_what_a_product_rounds_is_rounded_as_by_numpy(dtype, machine):
    """Sums of one number and 0: NaN, infinities, what overflows and subnormal numbers."""
    x = np.array([SPECIAL, [0] * len(SPECIAL)], "f").T
    one = np.repeat([[1], [0]], 40, 1).astype("f")

    def run(x, one):
        return tf.cast(x, dtype) @ tf.cast(one, dtype)

    with target.using(machines()[machine]), np.errstate(all="ignore"):
        (got,), _, native = both(run, x, one)
        assert len(native.function.plan.kernels) == 1
        same_bits(got, np.repeat(x[:, :1].astype(HALVES[dtype]), 40, 1))


@pytest.mark.parametrize("dtype", HALVES)
def test_weights_that_are_updated_after_they_were_rounded(dtype):
    """A step reads its variables rounded, forward and backward, before it changes them."""
    start = [numbers(20, 30), numbers(30, 40)]
    x = numbers(16, 20)
    found = []
    for jit in (True, False):
        weights = [tf.Variable(one) for one in start]

        def step(x, weights=weights):
            with tf.GradientTape() as tape:
                h = tf.nn.relu(tf.cast(x, dtype) @ tf.cast(weights[0], dtype))
                loss = tf.reduce_mean(tf.cast(h @ tf.cast(weights[1], dtype), tf.float32) ** 2)
            for w, g in zip(weights, tape.gradient(loss, weights)):
                w.assign_sub(0.1 * g)
            return loss

        run = tf.function(step, jit_compile=True) if jit else step
        losses = [float(run(tf.constant(x))) for _ in range(3)]
        found.append((losses, [w.numpy() for w in weights]))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=30 * EPSILON[dtype])
    for a, b in zip(found[0][1], found[1][1]):
        np.testing.assert_allclose(a, b, atol=30 * EPSILON[dtype] * np.abs(b).max())
