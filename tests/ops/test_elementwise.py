"""What TensorFlow does with elementwise ops where it is easy to get wrong: kinks, ties, zeros,
infinities, dtypes, operators, clipping. Values and derivatives in general: test_records.py."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops._support import fast_where
from tapeflow.ops.math.incomplete_gamma import derivative_in_a

inf, nan = float("inf"), float("nan")
InvalidArgument = tf.errors.InvalidArgumentError


def gradient(function, *xs):
    """The gradients of function(*xs), for one operand the gradient itself."""
    xs = [tf.constant(x) if not isinstance(x, tf.Tensor) else x for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    grads = tape.gradient(y, xs)
    return grads[0] if len(xs) == 1 else grads


def second(function, x):
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        g = inner.gradient(y, x)
    return outer.gradient(g, x)


def same(tensor, expected, tol=1e-6):
    np.testing.assert_allclose(tensor.numpy(), expected, rtol=tol, atol=0)


# -- kinks ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("function, at_zero", [
    (tf.nn.relu, 0.0), (tf.nn.relu6, 0.0), (tf.nn.leaky_relu, 0.2), (tf.nn.elu, 1.0),
    (tf.nn.selu, 1.05070102), (tf.abs, 0.0), (tf.sign, 0.0)])
def test_gradient_at_zero(function, at_zero):
    same(gradient(function, 0.0), at_zero)
    same(gradient(function, [0.0, -0.0]), [at_zero, at_zero])


def test_relu6_is_flat_at_six():
    same(gradient(tf.nn.relu6, [5.9, 6.0, 6.1]), [1.0, 0.0, 0.0])


def test_rectifiers_have_second_derivative_zero_not_none():
    for function in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.abs):
        same(second(function, [-1.0, 2.0]), [0.0, 0.0])


def test_clip_by_value_passes_at_its_bounds_and_blocks_nan():
    g = gradient(lambda x: tf.clip_by_value(x, -1.0, 2.0), [-1.5, -1.0, 0.0, 2.0, 2.5, nan])
    same(g, [0.0, 1.0, 1.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize("function", [tf.maximum, tf.minimum])
def test_ties_go_to_the_first_operand_and_nan_to_the_second(function):
    a, b = gradient(function, [1.0, nan, 1.0], [1.0, 1.0, nan])
    same(a, [1.0, 0.0, 0.0])
    same(b, [0.0, 1.0, 1.0])


@pytest.mark.parametrize("function", [tf.round, tf.floor, tf.math.ceil, tf.math.rint,
                                      lambda x: x // 2.0, lambda x: tf.truncatediv(x, x)])
def test_rounding_has_no_gradient(function):
    assert gradient(function, 2.7) is None


def test_comparisons_have_no_gradient():
    assert gradient(lambda x: tf.cast(x > 1.0, tf.float32) * 3.0, 2.0) is None


def test_sign_has_gradient_zero_but_no_tangent():
    same(gradient(tf.sign, 3.0), 0.0)
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        y = tf.sign(x)
    assert accumulator.jvp(y) is None


# -- zeros and infinities -------------------------------------------------------------------------
@pytest.mark.parametrize("function", [tf.sqrt, tf.math.rsqrt, tf.math.reciprocal])
def test_no_nan_where_nothing_comes_from_above(function):
    x = tf.constant([0.0, -1.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    zero = tape.gradient(y, x, output_gradients=tf.constant([0.0, 0.0, 0.0]))
    same(zero, [0.0, 0.0, 0.0])


def test_one_where_protects_sqrt_but_not_log():
    def guarded(function):
        return lambda x: tf.where(x > 0.0, function(x), 0.0)

    same(gradient(guarded(tf.sqrt), [0.0, 4.0]), [0.0, 0.25])
    assert np.isnan(gradient(guarded(tf.math.log), [0.0, 4.0]).numpy()[0])


def test_power_gradients():
    same(gradient(lambda x: x ** 2, [3.1, -7.3]), np.float32([3.1, -7.3]) * np.float32(2), tol=0)
    assert np.isnan(gradient(lambda x: x ** 0, 0.0).numpy())
    same(second(lambda x: x ** 1, 5.0), 0.0)
    same(second(lambda x: x ** 3, 2.0), 12.0)
    dx, dy = gradient(tf.pow, [2.0, 0.0, -2.0, -2.0], [3.0, 2.0, 2.0, 0.5])
    same(dx, [12.0, 0.0, -4.0, nan])
    same(dy, [8 * np.log(2.0), 0.0, 0.0, nan])


def test_whole_powers_of_arrays_are_products():
    x = np.linspace(-3, 3, 50).astype(np.float32)
    for power in (1, 2, 3, 4, -1):
        same(tf.constant(x) ** power, np.power(x.astype(float), power), tol=1e-6)


def test_integer_powers():
    assert (tf.constant(2) ** 10).numpy() == 1024
    with pytest.raises(InvalidArgument, match="negative integer powers"):
        tf.constant([2, 3]) ** -1


def test_products_and_quotients_without_nan():
    same(tf.math.divide_no_nan([1.0, 0.0, nan], 0.0), [0.0, 0.0, 0.0])
    same(tf.math.multiply_no_nan([inf, nan, 2.0], [0.0, 0.0, 3.0]), [0.0, 0.0, 6.0])
    same(tf.math.xlogy([0.0, 0.0, 2.0], [0.0, nan, np.e]), [0.0, 0.0, 2.0])
    same(tf.math.xdivy([0.0, 1.0], [0.0, 2.0]), [0.0, 0.5])
    _, dy = gradient(tf.math.multiply_no_nan, nan, 0.0)
    assert np.isnan(dy.numpy())


def test_atan2_at_the_origin():
    assert np.isnan([g.numpy() for g in gradient(tf.atan2, 0.0, 0.0)]).all()


def test_tails():
    same(tf.nn.softplus([-1000.0, -1.0, 1000.0]), [0.0, np.log1p(np.exp(-1.0)), 1000.0])
    same(tf.math.log_sigmoid([-1000.0, 1000.0]), [-1000.0, 0.0])
    same(tf.sigmoid([-1000.0, 0.0, 1000.0]), [0.0, 0.5, 1.0])
    same(tf.nn.gelu([-30.0, 0.0, 30.0]), [0.0, 0.0, 30.0])


# -- division and remainders ----------------------------------------------------------------------
@pytest.mark.parametrize("dtype, result", [("int32", "float64"), ("int64", "float64"),
                                           ("int8", "float32"), ("uint16", "float32"),
                                           ("float16", "float16"), ("bfloat16", "bfloat16")])
def test_true_division_dtypes(dtype, result):
    x = tf.constant([3, 4], dtype)
    for quotient in (x / 2, 2 / x, x / x, tf.divide(x, 2), tf.truediv(x, x)):
        assert quotient.dtype.name == result


def test_true_division_refuses_mixed_dtypes_and_bools():
    with pytest.raises(TypeError, match="float32.*float64"):
        tf.constant(1.0) / tf.constant(1.0, tf.float64)
    with pytest.raises(TypeError, match="bool"):
        tf.constant(True) / tf.constant(True)


def test_integer_division_by_zero():
    for divide in (lambda x, y: x // y, lambda x, y: x % y, tf.truncatediv, tf.truncatemod):
        with pytest.raises(InvalidArgument, match="division by zero"):
            divide(tf.constant([1, 2]), tf.constant([1, 0]))
        with pytest.raises(InvalidArgument):
            divide(tf.constant(1), tf.constant(0))
    same(tf.constant([1.0, -1.0]) // 0.0, [inf, -inf])


def test_rounding_of_quotients():
    x, y = tf.constant([7, -7, 7, -7]), tf.constant([2, 2, -2, -2])
    assert (x // y).numpy().tolist() == [3, -4, -4, 3]
    assert (x % y).numpy().tolist() == [1, 1, -1, -1]
    assert tf.truncatediv(x, y).numpy().tolist() == [3, -3, -3, 3]
    assert tf.truncatemod(x, y).numpy().tolist() == [1, -1, 1, -1]
    # The floor of the quotient as rounded: NumPy's own 1.0 // 0.1 is 9.
    assert (tf.constant(1.0) // 0.1).numpy() == 10.0


def test_remainder_gradients():
    dx, dy = gradient(tf.math.floormod, 7.5, 2.0)
    same(dx, 1.0)
    same(dy, -3.0)


def test_round_half_to_even():
    same(tf.round([0.5, 1.5, 2.5, -0.5, -1.5]), [0.0, 2.0, 2.0, -0.0, -2.0])
    x = tf.constant([1, 2])
    assert tf.round(x) is x


# -- operators ------------------------------------------------------------------------------------
def test_equality_of_what_cannot_be_compared():
    a, b = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    assert (a == b).numpy() is np.False_ and (a == b).shape == ()
    assert (a != b).numpy() is np.True_
    assert (tf.Variable(a) == b).numpy() is np.False_
    assert (a == None) is False and (a != None) is True  # noqa: E711
    with pytest.raises(InvalidArgument, match=r"\[2\] vs. \[3\]"):
        tf.equal(a, b)
    with pytest.raises(ValueError):
        tf.Variable(1.0) == None  # noqa: E711
    assert (tf.constant(["a", "b"]) == "a").numpy().tolist() == [True, False]


def test_numpy_and_python_operands_adopt_the_tensors_dtype():
    t = tf.constant([1.0, 2.0])
    for other in (np.array([1.0, 2.0]), np.float64(1.0), np.array([1, 2]), 1, 1.0, True, [1, 2]):
        assert (t + other).dtype == (other + t).dtype == tf.float32
        assert (t ** other).dtype == (other / t).dtype == tf.float32
    with pytest.raises(TypeError):
        tf.constant([1, 2]) * 1.5
    with pytest.raises(InvalidArgument, match="Mul.*int32"):
        t * tf.constant([1, 2])
    with pytest.raises(InvalidArgument):
        tf.add(np.array([1.0, 2.0]), t)


def test_the_other_operand_may_know_better():
    class Odd:
        def __radd__(self, other):
            return "added"

    assert tf.constant(1.0) + Odd() == "added"
    with pytest.raises(ValueError):
        tf.constant(1.0) - Odd()


def test_star_takes_bools_but_multiply_does_not():
    a, b = tf.constant([True, True, False]), tf.constant([True, False, False])
    assert (a * b).numpy().tolist() == [True, False, False]
    assert (a * tf.constant([2.0, 0.0, 3.0])).numpy().tolist() == [True, False, False]
    with pytest.raises(InvalidArgument):
        tf.multiply(a, b)
    with pytest.raises(InvalidArgument):
        a - b


def test_logic_and_bits():
    a, b = tf.constant([True, False]), tf.constant([True, True])
    assert [(a & b).numpy().tolist(), (a | b).numpy().tolist(), (a ^ b).numpy().tolist(),
            (~a).numpy().tolist()] == [[True, False], [True, True], [False, True], [False, True]]
    x, y = tf.constant([6, 5]), tf.constant([3, 3])
    assert [(x & y).numpy().tolist(), (x | y).numpy().tolist(), (x ^ y).numpy().tolist(),
            (~x).numpy().tolist()] == [[2, 1], [7, 7], [5, 6], [-7, -6]]
    assert tf.bitwise.left_shift(tf.constant([1, 5]), [3, 1]).numpy().tolist() == [8, 10]
    for refused in (lambda: tf.constant([1.0]) & tf.constant([2.0]), lambda: ~tf.constant(1.0),
                    lambda: tf.logical_and(tf.constant(1), tf.constant(2))):
        with pytest.raises(InvalidArgument):
            refused()


def test_variables_have_the_operators_too():
    v = tf.Variable([4.0, 9.0])
    with tf.GradientTape() as tape:
        y = 1.0 / v + v / 2 - v ** 0.5 * abs(-v) % 100.0
    same(y, 1 / np.float32([4, 9]) + np.float32([2, 4.5]) - np.float32([8, 27]))
    assert tape.gradient(y, v) is not None
    assert (v > 5.0).numpy().tolist() == [False, True] and (v // 2).numpy().tolist() == [2.0, 4.0]


def test_order():
    assert tf.math.is_non_decreasing([[1.0, 1.0], [2.0, 3.0]]).numpy()
    assert not tf.math.is_strictly_increasing([[1.0, 1.0], [2.0, 3.0]]).numpy()
    assert not tf.math.is_non_decreasing([1, nan, 2.0]).numpy()
    assert tf.math.is_strictly_increasing([]).numpy() and tf.math.is_non_decreasing(5).numpy()
    with pytest.raises(TypeError, match="numeric"):
        tf.math.is_non_decreasing(["a", "b"])


def test_messages_name_op_and_shapes():
    with pytest.raises(InvalidArgument, match=r"Incompatible shapes: \[2,3\] vs. \[4\] \[Op:Sub\]"):
        tf.constant(np.ones((2, 3))) - tf.constant(np.ones(4))
    with pytest.raises(InvalidArgument, match="int32.*Sqrt"):
        tf.sqrt(tf.constant(4))


# -- dtypes ---------------------------------------------------------------------------------------
UNARY = ["abs", "acos", "asin", "asinh", "atan", "cos", "cosh", "exp", "negative", "nn.elu",
         "nn.gelu", "nn.leaky_relu", "nn.relu", "nn.selu", "nn.silu", "nn.softplus", "math.erf",
         "math.expm1", "math.lgamma", "math.digamma", "math.log1p", "math.reciprocal",
         "math.rsqrt", "sigmoid", "sin", "sqrt", "square", "tanh", "math.bessel_i0",
         "math.softsign", "math.log_sigmoid", "math.erfinv"]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", UNARY)
def test_half_precision_stays_half(name, dtype):
    function = tf
    for part in name.split("."):
        function = getattr(function, part)
    wide = function(tf.constant([0.25, 0.5], tf.float32)).numpy()
    for x in (tf.constant([0.25, 0.5], dtype), tf.constant(0.25, dtype)):
        y = function(x)
        assert y.dtype.name == dtype and gradient(function, x).dtype.name == dtype
        np.testing.assert_allclose(y.numpy().astype(np.float32).ravel(), wide[:y.numpy().size],
                                   rtol=0.02)


def test_cast():
    x = tf.constant([1.9, -1.9, 0.0])
    assert tf.cast(x, tf.float32) is x and tf.cast(x, "float32") is x
    assert tf.cast(x, tf.int32).numpy().tolist() == [1, -1, 0]
    assert tf.cast(x, tf.bool).numpy().tolist() == [True, True, False]
    assert tf.cast(tf.constant([300, -1]), tf.uint8).numpy().tolist() == [44, 255]
    assert gradient(lambda x: tf.cast(x, tf.float64) * 2, [1.0]).dtype == tf.float32
    assert gradient(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), [1.0]) is None
    for value, dtype in (("a", tf.float32), (1.0, tf.string)):
        with pytest.raises(tf.errors.UnimplementedError, match="string"):
            tf.cast(value, dtype)


def test_saturate_cast_moves_to_the_nearest():
    assert tf.saturate_cast([300.0, -5.0, 12.7], tf.uint8).numpy().tolist() == [255, 0, 12]
    top = tf.saturate_cast([1e10, -1e10], tf.int32).numpy()
    assert top.tolist() == [2147483520, -2147483648]  # the last float32 below 2**31
    assert np.isfinite(tf.saturate_cast(np.float64([1e300]), tf.float16).numpy()).all()


def test_unsigned_and_bool_are_refused_where_tensorflow_refuses_them():
    for function in (tf.negative, tf.abs, tf.sign):
        with pytest.raises(InvalidArgument):
            function(tf.constant([1], tf.uint8))
        with pytest.raises(InvalidArgument):
            function(tf.constant([True]))


# -- complex numbers ------------------------------------------------------------------------------
def test_complex_gradients_are_conjugated():
    z = 3 + 4j
    np.testing.assert_allclose(gradient(lambda z: z * z, z).numpy(), np.conj(2 * z))
    np.testing.assert_allclose(gradient(lambda z: tf.abs(z) ** 2, z).numpy(), 2 * z)
    np.testing.assert_allclose(gradient(tf.exp, z).numpy(), np.conj(np.exp(z)))
    np.testing.assert_allclose(gradient(tf.math.angle, z).numpy(), 1j * z / abs(z) ** 2)
    np.testing.assert_allclose(gradient(tf.math.imag, z).numpy(), 1j)


def test_absolute_value_of_complex_zero_has_gradient_zero():
    assert gradient(tf.abs, 0j).numpy() == 0


def test_real_tensors_are_their_own_real_part():
    x = tf.constant([1.0, -2.0])
    assert tf.math.real(x) is x and tf.math.conj(x) is x
    same(tf.math.imag(x), [0.0, 0.0])
    same(tf.math.angle(x), [0.0, np.pi])
    with pytest.raises(TypeError, match="float32.*float64"):
        tf.complex(tf.constant(1.0), tf.constant(1.0, tf.float64))


# -- clipping -------------------------------------------------------------------------------------
def slices():
    return tf.IndexedSlices(tf.constant([[3.0, -4.0]]), tf.constant([1]), tf.constant([3, 2]))


def test_slices_stay_slices():
    for clipped, expected in ((tf.clip_by_value(slices(), -1.0, 1.0), [[1.0, -1.0]]),
                              (tf.clip_by_norm(slices(), 1.0), [[0.6, -0.8]]),
                              (tf.scalar_mul(2.0, slices()), [[6.0, -8.0]]),
                              (tf.clip_by_global_norm([slices()], 1.0)[0][0], [[0.6, -0.8]]),
                              (-slices(), [[-3.0, 4.0]])):
        assert isinstance(clipped, tf.IndexedSlices)
        same(clipped.values, expected)
    assert isinstance(tf.square(slices()), tf.Tensor)
    assert tf.cast(slices(), tf.float64).dtype == tf.float64


def test_global_norm():
    parts = [tf.constant([3.0, 4.0]), None, tf.constant([12.0])]
    clipped, norm = tf.clip_by_global_norm(parts, 6.5)
    same(norm, 13.0)
    same(clipped[0], [1.5, 2.0])
    assert clipped[1] is None
    same(tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 10.0)[0][0], [3.0, 4.0])
    same(tf.clip_by_global_norm([tf.constant([inf]), tf.constant([1.0])], 1.0)[0][1], [nan])
    same(tf.linalg.global_norm([]), 0.0)
    with pytest.raises(TypeError):
        tf.clip_by_global_norm(tf.constant([1.0]), 1.0)


def test_clip_by_norm_at_zero():
    same(gradient(lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]), [1.0, 1.0])
    same(tf.clip_by_norm([[3.0, 4.0], [0.3, 0.4]], 1.0, axes=[1]), [[0.6, 0.8], [0.3, 0.4]])


def test_clip_refuses_to_grow():
    with pytest.raises(ValueError, match="clip_value_min"):
        tf.clip_by_value([1.0, 5.0], [[0.0], [1.0]], 2.0)


def test_add_n():
    parts = [tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0]), np.float32([5.0, 6.0])]
    same(tf.add_n(parts), [9.0, 12.0])
    x = tf.constant([1.0])
    assert tf.add_n([x]) is x
    same(gradient(lambda a: tf.add_n([a, a, a * 2.0]), 1.0), 4.0)
    with pytest.raises(ValueError):
        tf.add_n([])
    with pytest.raises(InvalidArgument, match="AddN"):
        tf.add_n([tf.constant([1.0]), tf.constant([1.0, 2.0])])


# -- special functions and big arrays -------------------------------------------------------------
def test_swish_differentiates_beta():
    x = tf.constant([-1.0, 0.5, 2.0])
    s = 1 / (1 + np.exp(-1.5 * x.numpy()))
    same(gradient(lambda beta: tf.nn.silu(x, beta), 1.5), np.sum(x.numpy() ** 2 * s * (1 - s)))


def test_igamma_derivatives_in_a_to_any_order():
    from scipy.special import gammainc
    a = np.array([0.2, 1.0, 3.3, 20.0, 500.0])
    for x in (a * 0.3, a, a * 1.7 + 1.0):
        h = 1e-3 * a
        first = (gammainc(a + h, x) - gammainc(a - h, x)) / (2 * h)
        twice = (gammainc(a + h, x) - 2 * gammainc(a, x) + gammainc(a - h, x)) / h ** 2
        np.testing.assert_allclose(derivative_in_a(a, x, 1), first, rtol=1e-4, atol=1e-9)
        np.testing.assert_allclose(derivative_in_a(a, x, 2), twice, rtol=1e-3, atol=1e-8)


def test_bounds_of_special_functions():
    same(tf.math.erfinv([-1.0, 1.0]), [-inf, inf])
    same(tf.math.ndtri([0.0, 0.5, 1.0]), [-inf, 0.0, inf])
    same(tf.math.lgamma([0.0, 1.0, -1.0]), [inf, 0.0, inf])
    same(tf.math.igamma([1.0, 0.0, 1.0], [0.0, 1.0, inf]), [0.0, nan, 1.0])
    with pytest.raises(InvalidArgument, match="inconsistent"):
        tf.math.betainc([[1.0], [2.0]], [1.0, 2.0], 0.5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int32", "uint8",
                                   "complex64", "bool"])
def test_choosing_in_big_arrays(dtype):
    rng = np.random.default_rng(0)
    dtype = tf.as_dtype(dtype).np
    x, y = (rng.integers(0, 9, (50, 70)).astype(dtype) for _ in range(2))
    if dtype.kind in "fVc":
        x[0, :3] = [nan, inf, -inf]
    mask = rng.random((50, 70)) > 0.5
    mask[0, :3] = False
    for m, a, b in ((mask, x, y), (mask, x[:1], y[:, :1]), (mask, x[0, 5], y), (mask[:, :1], x, y)):
        expected = np.where(m, a, b)
        chosen = fast_where.pick(m, a, b)
        assert chosen.dtype == dtype
        np.testing.assert_array_equal(chosen.astype("complex128"), expected.astype("complex128"))
    kept = fast_where.keep(x, mask)
    assert kept.dtype == dtype and not kept[0, :3].any()
    np.testing.assert_array_equal(kept[mask], x[mask])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_log1p_of_big_arrays(dtype):
    x = np.concatenate([-np.logspace(-12, -0.01, 2000), np.logspace(-12, 30, 2000)]).astype(dtype)
    exact = np.log1p(x.astype(np.longdouble))
    np.testing.assert_allclose(fast_where.log1p(x), exact.astype(float),
                               rtol=5 * np.finfo(dtype).eps)
    ends = np.tile(np.array([-1.0, inf, nan, 0.0, -2.0], dtype), 1000)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(fast_where.log1p(ends), np.log1p(ends))
