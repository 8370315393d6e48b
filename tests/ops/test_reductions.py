"""Reductions, running sums, segments, orders and losses: what their records alone do not say.

Numbers are TensorFlow 2.21's unless they follow from arithmetic.
"""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.autodiff.batching import BatchLevel
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops.reduce import segment

INF, NAN = float("inf"), float("nan")


def gradient(function, *xs, output_gradients=None):
    xs = [tf.convert_to_tensor(x) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    found = tape.gradient(y, xs, output_gradients)
    return found[0].numpy() if len(xs) == 1 else [g.numpy() for g in found]


def close(got, want, tol=1e-5):
    got = got.numpy() if hasattr(got, "numpy") else got
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(want, np.float64), tol, tol)


# -- sums and means --------------------------------------------------------------------------------
def test_half_precision_sums_accumulate_in_single():
    ones = tf.ones([3000], tf.float16)
    assert tf.reduce_sum(ones).numpy() == 3000
    assert tf.cumsum(ones).numpy()[-1] == 2048
    assert np.isinf(tf.reduce_mean(ones * 30).numpy())


@pytest.mark.parametrize("values, dtype, mean", [
    ([-1, -2], "int64", -1), ([-1, -2, 0], "int32", -1), ([100, 100], "int8", 100),
    ([-100, -100, -99], "int8", -99), ([200, 200], "uint8", 200),
    ([2147483647, 2147483647], "int32", 2147483647), ([], "int32", 0)])
def test_integer_mean_truncates_toward_zero_in_wide_integers(values, dtype, mean):
    result = tf.reduce_mean(tf.constant(values, dtype))
    assert (result.numpy(), result.dtype.name) == (mean, dtype)


def test_small_integers_wrap_around_in_sums():
    assert tf.reduce_sum(tf.constant([100, 100], tf.int8)).numpy() == -56


def test_nothing_to_reduce():
    none = tf.constant([], tf.float32)
    assert tf.reduce_sum(none).numpy() == 0
    assert np.isnan(tf.reduce_mean(none).numpy())
    assert tf.reduce_prod(none).numpy() == 1
    assert tf.reduce_max(none).numpy() == -INF
    assert tf.reduce_min(none).numpy() == INF
    assert tf.reduce_logsumexp(none).numpy() == -INF
    assert tf.reduce_max(tf.constant([], tf.int32)).numpy() == -2147483648
    assert tf.reduce_min(tf.constant([], tf.uint8)).numpy() == 255
    assert tf.reduce_all(tf.constant([], tf.bool)).numpy()
    assert gradient(tf.reduce_mean, none).shape == (0,)


@pytest.mark.parametrize("axis, shape", [
    (None, ()), (0, (3,)), (-1, (2,)), ([0, 1], ()), ((), (2, 3)), ([], (2, 3)),
    (np.int64(1), (2,)), (range(2), ()), ([[0], [1]], ()), (True, (2,)),
    (lambda: tf.constant([0, -1]), ()), (lambda: [tf.constant(0), 1], ())])
def test_forms_of_axis(axis, shape):
    axis = axis() if callable(axis) else axis
    x = tf.ones([2, 3])
    assert tuple(tf.reduce_sum(x, axis).shape) == shape
    kept = tf.reduce_sum(x, axis, keepdims=True)
    assert kept.shape.rank == 2 and kept.shape.num_elements() == np.prod(shape, dtype=int)


@pytest.mark.parametrize("axis, error", [
    (2, tf.errors.InvalidArgumentError), (-3, tf.errors.InvalidArgumentError),
    ([0, 0], tf.errors.InvalidArgumentError), ([0, -2], tf.errors.InvalidArgumentError),
    ("a", tf.errors.InvalidArgumentError), (0.5, TypeError)])
def test_wrong_axes_name_the_op(axis, error):
    for function, op in ((tf.reduce_sum, "Sum"), (tf.reduce_max, "Max")):
        with pytest.raises(error, match=op):
            function(tf.ones([2, 3]), axis)


@pytest.mark.parametrize("function, value", [
    (tf.reduce_sum, True), (tf.reduce_mean, "a"), (tf.reduce_max, 1j), (tf.reduce_any, 1.0),
    (tf.reduce_logsumexp, 1), (tf.argmax, 1j)])
def test_dtypes_that_an_op_does_not_take(function, value):
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(tf.constant([value]))


def test_logical_reductions_convert_only_booleans():
    assert tf.reduce_any([[True, False]], axis=1, keepdims=True).numpy().tolist() == [[True]]
    with pytest.raises(TypeError):
        tf.reduce_all([1.0])


# -- kinks, zeros, infinities ----------------------------------------------------------------------
def test_ties_share_the_gradient_of_an_extreme():
    close(gradient(tf.reduce_max, [1.0, 3.0, 3.0]), [0, 0.5, 0.5])
    close(gradient(tf.reduce_min, [[1.0, 1.0], [0.0, 2.0]]), [[0, 0], [1, 0]])
    close(gradient(lambda x: tf.reduce_max(x, 0), [[1.0, 1.0], [1.0, 2.0]]), [[0.5, 0], [0.5, 1]])
    close(gradient(tf.reduce_max, [INF, INF, 0.0]), [0.5, 0.5, 0])


def test_nan_wins_an_extreme_and_spoils_its_gradient():
    assert np.isnan(tf.reduce_max([1.0, NAN, 3.0]).numpy())
    assert np.isnan(gradient(tf.reduce_max, [1.0, NAN, 3.0])).all()


def test_argmax_takes_the_first_and_skips_nan():
    assert tf.argmax([1, 3, 3]).numpy() == 1
    assert tf.argmax([NAN, 1.0, 2.0]).numpy() == 2
    assert tf.argmax([NAN, NAN]).numpy() == 0
    assert tf.argmin([NAN, 1.0, 0.0]).numpy() == 2
    assert tf.argmax([[1, 2], [3, 0]], axis=-1, output_type=tf.int32).dtype == tf.int32


def test_argmax_refuses_an_empty_axis_and_bad_axes():
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty"):
        tf.argmax(tf.zeros([0, 3]))
    assert tf.argmax(tf.zeros([0, 3]), axis=1).shape == (0,)
    with pytest.raises(tf.errors.InvalidArgumentError, match="range"):
        tf.argmax([1.0], axis=1)
    with pytest.raises(TypeError):
        tf.argmax([1.0], axis=0.0)


def test_product_is_exact_with_zeros_but_running_product_is_not():
    close(gradient(tf.reduce_prod, [2.0, 0.0, 3.0]), [0, 6, 0])
    close(gradient(tf.reduce_prod, [0.0, 0.0, 3.0]), [0, 0, 0])
    close(gradient(tf.reduce_prod, [[2.0, 0.0], [3.0, 4.0]]), [[0, 24], [0, 0]])
    close(gradient(tf.math.cumprod, [2.0, 0.0, 4.0]), [1, 0, 0])


def test_norm_and_deviation_have_no_gradient_at_a_point():
    assert np.isnan(gradient(tf.math.reduce_euclidean_norm, [0.0, 0.0])).all()
    assert np.isnan(gradient(tf.math.reduce_std, [1.0, 1.0])).all()
    close(gradient(tf.math.reduce_std, [1.0, 1.0], output_gradients=tf.constant(0.0)), [0, 0])
    assert tf.math.reduce_euclidean_norm([3, 5]).numpy() == 5


def test_log_sum_exp_of_infinities():
    assert tf.reduce_logsumexp([-INF, -INF]).numpy() == -INF
    assert np.isnan(gradient(tf.reduce_logsumexp, [-INF, -INF])).all()
    assert tf.reduce_logsumexp([INF, 1.0]).numpy() == INF
    assert tf.reduce_logsumexp([1000.0, 1000.0]).numpy() == pytest.approx(1000.6931)
    close(gradient(tf.reduce_logsumexp, [-INF, 1.0]), [0, 1])


def test_variance_of_integers_is_refused_and_of_complex_numbers_is_real():
    with pytest.raises(TypeError, match="integer"):
        tf.math.reduce_variance([1, 2])
    assert tf.math.reduce_variance(tf.constant([1 + 1j, 2, 4])).dtype == tf.float64
    close(gradient(tf.math.reduce_variance, [1.0, 2.0, 4.0]), [-8 / 9, -2 / 9, 10 / 9])


# -- running sums ----------------------------------------------------------------------------------
@pytest.mark.parametrize("exclusive, reverse, want", [
    (False, False, [1, 3, 6]), (True, False, [0, 1, 3]), (False, True, [6, 5, 3]),
    (True, True, [5, 3, 0])])
def test_running_sums(exclusive, reverse, want):
    close(tf.cumsum([1.0, 2.0, 3.0], exclusive=exclusive, reverse=reverse), want)


def test_running_log_sum_exp():
    close(tf.math.cumulative_logsumexp([1.0, 2.0, 3.0], exclusive=True), [-INF, 1, 2.3132617])
    close(gradient(lambda x: tf.math.cumulative_logsumexp(x, exclusive=True), [1.0, 2.0, 3.0]),
          [1.2689414, 0.7310585, 0])
    g = gradient(tf.math.cumulative_logsumexp, [1.0, 2.0, 3.0],
                 output_gradients=tf.constant([-1.0, 1.0, 0.0]))
    close(g, [-0.7310586, 0.7310585, 0])


def test_wrong_scan_axes():
    for axis in (1, -2, [0]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cumsum"):
            tf.cumsum([1.0, 2.0], axis=axis)
    with pytest.raises(TypeError):
        tf.cumsum([1.0, 2.0], axis=1.0)


# -- segments --------------------------------------------------------------------------------------
LOWEST = float(np.finfo(np.float32).min)


def test_values_of_missing_segments():
    x, ids = [1.0, 2.0, 3.0], [0, 0, 2]
    for kind, want in (("sum", 0), ("mean", 0), ("prod", 1), ("max", 0), ("min", 0)):
        assert getattr(tf.math, f"segment_{kind}")(x, ids).numpy()[1] == want
    for kind, want in (("sum", 0), ("mean", 0), ("sqrt_n", 0), ("prod", 1), ("max", LOWEST),
                       ("min", -LOWEST)):
        assert getattr(tf.math, f"unsorted_segment_{kind}")(x, ids, 4).numpy()[3] == want
    assert tf.math.unsorted_segment_max([1], [1], 2).numpy()[0] == -2147483648


def test_negative_ids_are_dropped_and_large_ones_refused():
    close(tf.math.unsorted_segment_sum([1.0, 2.0, 3.0], [-1, 0, 0], 2), [5, 0])
    close(gradient(lambda x: tf.math.unsorted_segment_max(x, [1, -1, 1], 2), [3.0, 0.0, 3.0]),
          [0.5, 0, 0.5])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"out of range \[0, 2\)"):
        tf.math.unsorted_segment_sum([1.0], [2], 2)


@pytest.mark.parametrize("x, ids", [
    ([1.0, 2.0], [1, 0]), ([1.0, 2.0], [-1, 0]), ([1.0, 2.0], [0]), ([1.0], [[0]]), (1.0, [0]),
    ([1.0], [0.0])])
def test_ids_that_are_not_sorted_segments(x, ids):
    with pytest.raises(tf.errors.InvalidArgumentError, match="SegmentSum"):
        tf.math.segment_sum(x, ids)


def test_segment_products_with_zeros():
    close(gradient(lambda x: tf.math.segment_prod(x, [0, 0, 1]), [2.0, 0.0, 3.0]), [0, 2, 1])
    close(gradient(lambda x: tf.math.segment_prod(x, [0, 0, 0]), [0.0, 0.0, 3.0]), [0, 0, 0])


def test_means_of_integer_segments():
    assert tf.math.segment_mean([1, 2], [0, 0]).numpy().tolist() == [1]
    assert tf.math.unsorted_segment_mean([1, 2], [0, 0], 1).numpy().tolist() == [1.5]


@pytest.mark.parametrize("kind", ["sum", "mean", "prod", "max", "min"])
def test_sorted_segments_of_a_batch_with_its_own_ids(kind):
    call = getattr(segment, f"segment_{kind}")
    attrs = {"rows": None, "missing": 0} if kind in ("max", "min") else {"rows": None}
    x = np.random.default_rng(0).normal(size=(2, 4, 2))
    ids = np.array([[0, 0, 1, 3], [0, 2, 2, 3]])
    with BatchLevel(2) as level:
        y = level.inner(call(level.batched(wrap(x)), level.batched(wrap(ids)), **attrs))
    alone = [getattr(tf.math, f"segment_{kind}")(x[i], ids[i]).numpy() for i in range(2)]
    close(y, alone)


# -- orders ----------------------------------------------------------------------------------------
def test_sorting_is_stable_both_ways_and_puts_nan_last():
    assert tf.argsort([1, 1, 0, 1], direction="DESCENDING").numpy().tolist() == [0, 1, 3, 2]
    assert tf.argsort([1, 1, 0, 1]).numpy().tolist() == [2, 0, 1, 3]
    assert np.isnan(tf.sort([3.0, NAN, 2.0]).numpy()[-1])
    assert tf.sort(tf.constant([3, 1, 255], tf.uint8), direction="DESCENDING").numpy().tolist() == \
        [255, 3, 1]
    assert tf.argsort([2.0, 1.0]).dtype == tf.int32


def test_top_k_takes_the_first_of_equal_elements():
    values, indices = found = tf.math.top_k([1.0, 3.0, 3.0, 3.0], k=2)
    assert type(found).__name__ == "TopKV2" and found.indices is indices
    assert (values.numpy().tolist(), indices.numpy().tolist()) == ([3, 3], [1, 2])
    close(gradient(lambda x: tf.nn.top_k(x, k=2).values, [1.0, 3.0, 3.0, 3.0]), [0, 1, 1, 0])


@pytest.mark.parametrize("x, k, error", [
    ([1.0], 2, tf.errors.InvalidArgumentError), ([1.0], -1, tf.errors.InvalidArgumentError),
    (1.0, 1, tf.errors.InvalidArgumentError), ([1.0], 1.5, TypeError)])
def test_top_k_refuses(x, k, error):
    with pytest.raises(error, match="TopKV2"):
        tf.math.top_k(tf.constant(x), k=k)


def test_in_top_k_counts_ties_and_never_non_finite_rows():
    hit = tf.math.in_top_k([1, 0, 5, 0], [[0.9, 0.9], [0.2, 0.8], [1.0, 2.0], [INF, 1.0]], 1)
    assert hit.numpy().tolist() == [True, False, False, False]


def test_bincount():
    assert tf.math.bincount([1, 1, 2, 5], maxlength=3).numpy().tolist() == [0, 2, 1]
    assert tf.math.bincount([], minlength=2).numpy().tolist() == [0, 0]
    rows = tf.math.bincount([[1, 1], [2, 0]], axis=-1, binary_output=True)
    assert rows.numpy().tolist() == [[0, 1, 0], [1, 0, 1]]
    assert tf.math.bincount([1, 1], weights=[0.5, 1.0]).numpy().tolist() == [0, 1.5]
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-negative"):
        tf.math.bincount([-1])


def test_histogram_bins_take_in_what_is_outside():
    values = [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]
    assert tf.histogram_fixed_width(values, [0.0, 5.0], 5).numpy().tolist() == [2, 1, 1, 0, 2]
    bins = tf.histogram_fixed_width_bins(values, [0.0, 5.0], 5)
    assert bins.numpy().tolist() == [0, 0, 1, 2, 4, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="value_range"):
        tf.histogram_fixed_width([1.0], [5.0, 5.0])


def test_confusion_matrix():
    matrix = tf.math.confusion_matrix([1, 2, 1], [2, 2, 2], weights=[1.0, 2.0, 3.0],
                                      dtype=tf.float32)
    assert matrix.numpy().tolist() == [[0, 0, 0], [0, 0, 4], [0, 0, 2]]
    for labels, classes in (([3], 3), ([-1], None)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.math.confusion_matrix(labels, [1], num_classes=classes)


# -- losses ----------------------------------------------------------------------------------------
LOGITS = [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]]


def softmax(x):
    e = np.exp(np.asarray(x) - np.max(x, -1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_sparse_labels_out_of_range_are_refused():
    for label in (3, -1):
        with pytest.raises(tf.errors.InvalidArgumentError, match="label value of"):
            tf.nn.sparse_softmax_cross_entropy_with_logits([0, label], LOGITS)


@pytest.mark.parametrize("labels, logits", [([0], LOGITS), ([[0], [1]], LOGITS), (0, 1.0),
                                            (None, LOGITS)])
def test_sparse_labels_of_wrong_shape_are_refused(labels, logits):
    with pytest.raises(ValueError, match="sparse_softmax_cross_entropy_with_logits"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)


@pytest.mark.parametrize("rows", [2, 200])
def test_sparse_and_dense_cross_entropy_agree_in_two_orders(rows):
    rng = np.random.default_rng(1)
    x = tf.constant(rng.normal(size=(rows, 4)))
    labels = rng.integers(0, 4, rows)
    one_hot = np.eye(4)[labels]
    weight = tf.constant(rng.normal(size=(rows, 4)))

    def second(loss):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = loss(x)
            g = inner.gradient(y, x)
            s = tf.reduce_sum(g * weight)
        return y, g, outer.gradient(s, x)

    sparse = second(lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))
    dense = second(lambda x: tf.nn.softmax_cross_entropy_with_logits(one_hot, x))
    for a, b in zip(sparse, dense, strict=True):
        close(a, b.numpy())
    p = softmax(x.numpy())
    close(sparse[0], -np.log(p[np.arange(rows), labels]))
    close(sparse[1], p - one_hot)
    close(sparse[2], p * (weight - np.sum(weight * p, -1, keepdims=True)))


def test_cross_entropy_without_a_tape_is_the_same():
    labels = [0, 2]
    with tf.GradientTape():
        under = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, LOGITS)
    close(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, LOGITS), under)


def test_dense_cross_entropy_differentiates_and_broadcasts_labels():
    gx, gl = gradient(lambda x, z: tf.nn.softmax_cross_entropy_with_logits(z, x),
                      LOGITS, [[0.2, 0.3, 0.1]])
    close(gx, softmax(LOGITS) - [[0.2, 0.3, 0.1]])
    close(gl, -np.log(softmax(LOGITS)).sum(0, keepdims=True))


def test_a_zero_label_does_not_hide_an_impossible_class():
    assert np.isnan(tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0]], [[1.0, -INF]]).numpy())


def test_cross_entropy_of_halves_comes_back_as_halves():
    x = tf.constant(LOGITS, tf.float16)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x)
    assert loss.dtype == tf.float16
    assert tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0, 0.0]], x).dtype == tf.float16
    g = gradient(lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x), x)
    assert g.dtype == np.float16
    close(g, softmax(LOGITS) - np.eye(3)[[0, 2]], 2e-3)


def test_tape_keeps_the_slope_and_not_the_logits():
    x = tf.Variable(tf.random.normal([64, 100]))
    with tf.GradientTape(persistent=True) as tape:
        tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros([64], tf.int32), x * 2.0)
    large = [one for entry in tape._record._entries[1:] for part in entry
             for one in (part if isinstance(part, tuple) else (part,))
             if type(one) is Tensor and one._value.nbytes >= 64 * 100 * 4]
    assert len({id(one) for one in large}) == 2  # x, which the product saves, and the slope


def test_sigmoid_cross_entropy_at_extremes():
    close(tf.nn.sigmoid_cross_entropy_with_logits([0.5, 0.5], [1000.0, -1000.0]), [500, 500])
    gx, gz = gradient(lambda x, z: tf.nn.sigmoid_cross_entropy_with_logits(z, x),
                      [0.0, 50.0, -100.0], [0.0, 0.5, 1.0])
    close(gx, [0.5, 0.5, -1])
    close(gz, [0, -50, 100])
    with pytest.raises(ValueError, match="same shape"):
        tf.nn.sigmoid_cross_entropy_with_logits([1.0], [1.0, 2.0])


def test_average_loss():
    assert tf.nn.compute_average_loss([1.0, 2.0, 3.0], global_batch_size=8).numpy() == 0.75
    assert tf.nn.compute_average_loss([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0]).numpy() == 8.5
    assert tf.nn.compute_average_loss(tf.constant([])).numpy() == 0
    with pytest.raises(ValueError, match="rank"):
        tf.nn.compute_average_loss(1.0)
    with pytest.raises(TypeError, match="integer"):
        tf.nn.compute_average_loss([1.0], global_batch_size=2.5)


# -- normalisation ---------------------------------------------------------------------------------
@pytest.mark.parametrize("shape", [(3,), (2, 3), (200, 3), (2, 200), (2, 3, 4)])
def test_softmax_of_any_layout(shape):
    x = np.random.default_rng(2).normal(size=shape) * 10
    close(tf.nn.softmax(x), softmax(x))
    close(tf.nn.log_softmax(x), np.log(softmax(x)))
    moved = np.moveaxis(x, -1, 0)
    close(tf.nn.softmax(moved, axis=0), np.moveaxis(softmax(x), -1, 0))


def test_softmax_arguments():
    for logits, axis in ((1.0, None), ([1.0], 1), ([1, 2], None)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.nn.softmax(logits, axis)
    assert tf.nn.softmax(tf.zeros([2, 0])).shape == (2, 0)


def test_moments_stop_the_mean_in_the_second_derivative():
    x = tf.constant([1.0, 2.0, 4.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            variance = tf.nn.moments(x, [0])[1]
        g = inner.gradient(variance, x)
    close(g, [-8 / 9, -2 / 9, 10 / 9])
    close(outer.jacobian(g, x), np.eye(3) * 2 / 3)


def test_l2_normalize_at_zero_and_by_its_old_argument():
    close(gradient(tf.nn.l2_normalize, [0.0, 0.0]), [1e6, 1e6])
    close(tf.math.l2_normalize([[3.0, 4.0]], dim=1), [[0.6, 0.8]])
    with pytest.raises(ValueError, match="both"):
        tf.math.l2_normalize([[3.0, 4.0]], axis=1, dim=1)


def test_bias_add_formats():
    x = tf.zeros([1, 2, 3, 3])
    assert tf.nn.bias_add(x, [1.0, 2.0], "NCHW").numpy()[0, :, 0, 0].tolist() == [1, 2]
    assert tf.nn.bias_add(x, [1.0, 2.0, 3.0]).numpy()[0, 0, 0].tolist() == [1, 2, 3]
    for bias in ([1.0, 2.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="BiasAdd"):
            tf.nn.bias_add(x, bias)
    with pytest.raises(ValueError, match="data_format"):
        tf.nn.bias_add(x, [1.0], "XX")


def test_dense_cross_entropy_of_sizes_known_in_part():
    labels = tf.constant([[0.2, 0.8, 0.0], [1.0, 0.0, 0.0]])
    logits = tf.constant([[1.0, 2.0, 0.5], [0.1, -1.0, 3.0]])
    f = tf.function(tf.nn.softmax_cross_entropy_with_logits, input_signature=[
        tf.TensorSpec([2, 3]), tf.TensorSpec([None, None])])
    np.testing.assert_allclose(
        f(labels, logits), tf.nn.softmax_cross_entropy_with_logits(labels, logits), rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(labels, tf.zeros([5, 3]))
