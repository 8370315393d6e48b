"""Kernels that large arrays take another way through give what the ordinary ones give."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base import exports
from tapeflow.core.record.lowering_forms import Pointwise
from tapeflow.core.record.op import EXPENSIVE, LARGE, OPS
from tapeflow.jit.tiering import eager_tiering

exports.load_promised()
WITH_LARGE = sorted(name for name, op in OPS.items() if op.large is not None)
IN_BLOCKS = [name for name in WITH_LARGE
             if OPS[name].cost >= EXPENSIVE and OPS[name].kind == "elementwise"]
COUNT = LARGE + 77


def numbers(name, count, low=0.05, high=0.95):
    values = np.random.RandomState(1).uniform(low, high, count).astype(np.float32)
    if name == "acosh":
        values += 1
    values[7] = np.nan
    return values


@pytest.mark.parametrize("name", IN_BLOCKS)
def test_blocks_are_the_whole(name):
    op = OPS[name]
    xs = [numbers(name, COUNT).reshape(1, -1) + i for i in range(len(op.args))]
    want = op.kernel(*xs)
    got = op.call(*[tf.constant(x) for x in xs]).numpy()
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-6)  # ends of blocks may round otherwise


SPECIAL = np.float32([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-30, -1e-30, 1e30, -1e30,
                      0.5, -0.5, 20.0, -20.0, 88.0, -88.0, 1e-7, 2.0, -3.0])
POINTWISE = sorted(name for name in WITH_LARGE if type(OPS[name].lower) is Pointwise
                   and len(OPS[name].args) < 3 and {"f"} <= OPS[name].allowed
                   and name not in ("add_n", "bitcast", "keep_where", "normal_pair"))


@pytest.fixture
def natively(monkeypatch, using):
    pytest.importorskip("llvmlite")
    using(jit="now")
    monkeypatch.setattr(eager_tiering, "_choices", {})


@pytest.mark.parametrize("name", POINTWISE)
def test_native_code_is_the_kernel(name, natively):
    """What an op that meets large arrays often computes: the same to rounding, at the ends too."""
    op = OPS[name]
    x = np.tile(SPECIAL, LARGE // len(SPECIAL) + 1)
    x[len(SPECIAL):] = np.random.RandomState(2).randn(x.size - len(SPECIAL))
    xs = [x] if len(op.args) == 1 else [x, np.roll(x, 7)]
    attrs = dict(alpha=0.3) if name.startswith("leaky_relu") else (
        dict(order=1) if name == "igamma_derivative" else {})
    with np.errstate(all="ignore"):
        want = op.kernel(*xs, **attrs)
    for _ in range(2):
        got = op.call(*[tf.constant(one) for one in xs], **attrs).numpy()
    assert all(choice.native is not None for choice in eager_tiering._choices.values())
    np.testing.assert_allclose(got, want, rtol=3e-6, atol=2e-7)
    if want.dtype.kind == "f":
        plain = np.abs(want) > 1e-6
        assert np.array_equal(np.signbit(got[plain]), np.signbit(want[plain]))


def test_native_code_stays_out_of_traces_and_eager_functions(natively):
    x = tf.constant(numbers("", 3 * LARGE))
    for _ in range(3):
        want = tf.math.erf(x)
    folded = tf.function(lambda: tf.math.erf(x) + 1.0)()
    np.testing.assert_allclose(folded - 1.0, want, rtol=1e-5)
    tf.config.run_functions_eagerly(True)
    try:
        np.testing.assert_allclose(tf.math.erf(x), want, rtol=1e-6)
    finally:
        tf.config.run_functions_eagerly(False)


def test_large_arrays_that_do_not_fit_take_the_ordinary_way():
    x = numbers("", COUNT).reshape(-1, 1)
    wide = np.broadcast_to(x, (COUNT, 2))
    assert np.array_equal(tf.sin(wide).numpy(), np.sin(wide), equal_nan=True)
    assert tf.math.xlogy(x, x[0]).shape == (COUNT, 1)


def test_top_k_of_many_keeps_ties_in_order():
    x = np.random.RandomState(0).randint(-3, 3, (5, 300)).astype(np.float32)
    x[0, ::2], x[1] = -0.0, 1.0
    for k in (1, 9, 75):
        values, indices = tf.math.top_k(x, k)
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        assert np.array_equal(indices, order)
        assert np.array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("shape", [(100, 100), (3, 70, 90), (2000, 3), (300, 260)])
@pytest.mark.parametrize("band", [(-1, 0), (0, -1), (1, 1), (2, 0), (-1, -1), (1, 2), (-1, 3)])
def test_bands_of_large_matrices(shape, band):
    x = np.random.RandomState(0).randn(*shape)
    below, above = band
    place = np.arange(shape[-1]) - np.arange(shape[-2])[:, None]
    inside = ((below < 0) | (place >= -below)) & ((above < 0) | (place <= above))
    assert np.array_equal(tf.linalg.band_part(x, *band), np.where(inside, x, 0))


@pytest.mark.parametrize("values", [
    np.random.RandomState(0).randint(-9, 50, 3000), np.random.RandomState(1).randint(0, 2**40, 900),
    np.random.RandomState(2).randint(0, 5, 2000).astype(np.float32),
    np.random.RandomState(3).randint(-128, 128, 900).astype(np.int8),
    np.uint64(2**64 - 1) - np.random.RandomState(4).randint(0, 50, 100).astype(np.uint64)],
    ids=["near", "far", "float", "all", "high"])
def test_unique_of_many(values):
    y, places, counts = tf.unique_with_counts(values)
    first = np.sort(np.unique(values, return_index=True)[1])
    assert np.array_equal(y, values[first]) and np.array_equal(y.numpy()[places], values)
    assert np.array_equal(counts, [(values == one).sum() for one in values[first]])


def test_places_one_hot_and_bins_of_many():
    rng = np.random.RandomState(0)
    mask, ids = rng.rand(100, 90) > 0.5, rng.randint(-2, 70, (20, 9))
    assert np.array_equal(tf.where(mask), np.argwhere(mask))
    hot = ids[..., None] == np.arange(66)
    assert np.array_equal(tf.one_hot(ids, 66, 5, 2), np.where(hot, 5, 2))
    x = rng.randn(COUNT * 2).astype(np.float32)
    edges = np.clip(np.floor((x.astype(np.float64) + 1) / 0.4), 0, 4).astype(int)
    assert np.array_equal(tf.histogram_fixed_width(x, [-1.0, 1.0], 5), np.bincount(edges))
    counts = tf.math.bincount(tf.constant(ids % 7, tf.int32), axis=-1)
    assert np.array_equal(counts, [np.bincount(row % 7, minlength=7) for row in ids])


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@pytest.mark.parametrize("shape, paddings", [
    ((70, 65), ((1, 2), (64, 0))), ((63, 64), ((62, 62), (3, 3))), ((9, 40, 13), ((0, 3), (2, 0),
                                                                                 (12, 12))),
    ((5000,), ((0, 4999),)), ((80, 60), ((0, 0), (0, 0)))])
def test_mirrors_of_many(mode, shape, paddings):
    x = np.arange(np.prod(shape)).reshape(shape)
    assert np.array_equal(tf.pad(x, paddings, mode), np.pad(x, paddings, mode))


@pytest.mark.parametrize("mode", ["off", "now"])
def test_no_histogram_of_nan(mode, monkeypatch, using):
    using(jit=mode)
    monkeypatch.setattr(eager_tiering, "_choices", {})
    x = np.linspace(-1.5, 1.5, COUNT * 2).astype(np.float32)
    bad = np.where(x == x[77], np.nan, x)
    for histogram in (tf.histogram_fixed_width, tf.function(tf.histogram_fixed_width)):
        for _ in range(2):
            bins = np.clip(np.floor((x.astype(np.float64) + 1) / 0.25), 0, 7).astype(int)
            assert np.array_equal(histogram(x, [-1.0, 1.0], 8), np.bincount(bins))
            with pytest.raises(tf.errors.InvalidArgumentError, match="must not contain NaN"):
                histogram(bad, [-1.0, 1.0], 8)
            with pytest.raises(tf.errors.InvalidArgumentError, match="value_range"):
                histogram(x, [1.0, 1.0], 8)


@pytest.mark.parametrize("classes", [300, 1000])
@pytest.mark.parametrize("k", [1, 3, 400])
def test_in_top_k_of_many_classes(classes, k):
    rng = np.random.RandomState(0)
    x, targets = rng.randn(200, classes).astype(np.float32), rng.randint(0, classes, 200)
    targets[:50], x[3, -1], x[4, 0] = x[:50].argmax(-1), np.inf, np.nan
    better = (x > x[np.arange(200), targets][:, None]).sum(-1)
    targets[5] = classes
    want = (better < k) & np.isfinite(x).all(-1) & (targets < classes)
    assert np.array_equal(tf.math.in_top_k(targets, x, k), want)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
@pytest.mark.parametrize("shape, step, rate, padding", [
    ((2, 9, 8, 3), 1, 1, "SAME"), ((3, 28, 28, 16), 2, 2, "VALID"),
    ((2, 40, 60, 64), 1, 2, "SAME")])
def test_dilation_with_and_without_listeners(shape, step, rate, padding, dtype):
    x = np.random.RandomState(0).randn(*shape) * 9
    if dtype != "int32":
        x[0, 3, 3, 1], x[1, 2, 2] = np.nan, np.inf
    x = tf.cast(x, dtype)
    w = tf.Variable(tf.cast(np.random.RandomState(1).randn(3, 2, shape[3]) * 9, dtype))
    rest = ([1, step, step, 1], padding, "NHWC", [1, rate, rate, 1])
    found = tf.nn.dilation2d(x, w, *rest)
    with tf.GradientTape():
        want = tf.nn.dilation2d(x, w, *rest)
    assert found.dtype == want.dtype == x.dtype
    assert np.array_equal(found.numpy().astype(float), want.numpy().astype(float), equal_nan=True)


def test_few_long_segments():
    x = np.random.RandomState(0).randn(400, 3).astype(np.float32)
    ids = np.repeat([0, 2, 3], [100, 250, 50])
    sums = tf.math.segment_sum(x, ids).numpy()
    np.testing.assert_allclose(sums[2], x[100:350].sum(0), rtol=1e-4)
    assert np.array_equal(sums[1], np.zeros(3))
    assert np.array_equal(tf.math.segment_max(x, ids)[3], x[350:].max(0))
