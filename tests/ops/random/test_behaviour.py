"""Seeds, traces, batches, generators, threads and errors of the random ops."""

import doctest
import importlib
import threading

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.ops.random.samplers import distributions
from tapeflow.ops.random.streams import seeds

R = tf.random


@pytest.fixture(autouse=True)
def no_global_seed():
    yield
    R.set_seed(None)


# --- seeds ---------------------------------------------------------------------------------------


def test_without_seeds_numbers_differ():
    a, b = R.normal([8]).numpy(), R.normal([8]).numpy()
    assert (a != b).any()
    assert R.Generator.from_non_deterministic_state().state.numpy().any()


def test_set_seed_restarts_seeded_ops_and_unseeded_ones():
    R.set_seed(3)
    first = [R.normal([2]).numpy(), R.normal([2], seed=1).numpy(), R.normal([2], seed=1).numpy()]
    R.set_seed(3)
    again = [R.normal([2]).numpy(), R.normal([2], seed=1).numpy(), R.normal([2], seed=1).numpy()]
    assert np.array_equal(first, again)
    assert (first[1] != first[2]).any()


def test_a_refused_op_has_used_up_its_seed():
    R.set_seed(1)
    R.normal([1])
    after = R.normal([1]).numpy()
    R.set_seed(1)
    with pytest.raises(tf.errors.InvalidArgumentError):
        R.normal([-1])
    assert R.normal([1]).numpy() == after


def test_threads_share_a_stream_without_repeating_numbers():
    R.set_seed(1)
    found, lock = [], threading.Lock()

    def draw():
        for _ in range(50):
            x = R.uniform([4], seed=7).numpy()
            with lock:
                found.append(tuple(x.tolist()))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    R.set_seed(1)
    expected = {tuple(R.uniform([4], seed=7).numpy().tolist()) for _ in range(200)}
    assert set(found) == expected


def test_streams_do_not_pile_up_without_op_seeds():
    R.set_seed(1)
    for _ in range(100):
        R.normal([1])
    assert not seeds._state.streams


# --- traces --------------------------------------------------------------------------------------


def test_a_traced_op_advances_and_a_second_function_starts_over():
    def make():
        return tf.function(lambda: R.normal([2], seed=5))

    R.set_seed(1)
    eager = [R.normal([2], seed=5).numpy() for _ in range(2)]
    f, g = make(), make()
    assert np.array_equal([f().numpy(), f().numpy()], eager)
    assert np.array_equal(g().numpy(), eager[0])
    R.set_seed(1)
    assert np.array_equal(f().numpy(), eager[0])


def test_traced_ops_without_seed_are_numbered():
    # Recorded from TensorFlow 2.21.
    R.set_seed(3)
    a, b, c = tf.function(lambda: (R.normal([2]), R.uniform([2]), R.normal([2])))()
    np.testing.assert_array_equal(a, np.float32([-1.864718, 0.802645]))
    np.testing.assert_array_equal(b, np.float32([0.77806914, 0.5052885]))
    np.testing.assert_array_equal(c, np.float32([0.44994467, 0.34680668]))


def test_generator_in_a_trace_moves_its_state():
    g = R.Generator.from_seed(1)
    f = tf.function(lambda: g.normal([3]))
    traced = [f().numpy(), f().numpy()]
    h = R.Generator.from_seed(1)
    assert np.array_equal(traced, [h.normal([3]).numpy(), h.normal([3]).numpy()])
    assert np.array_equal(g.state.numpy(), h.state.numpy())


def test_unknown_sizes_in_a_trace():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return x * 0 + R.stateless_normal(tf.shape(x), seed=[1, 2])

    for n in (3, 5):
        expected = R.stateless_normal([n], seed=[1, 2]).numpy()
        assert np.array_equal(f(tf.zeros([n])).numpy(), expected)


def test_gradients_in_a_trace():
    @tf.function
    def f(mu, sigma):
        with tf.GradientTape() as tape:
            tape.watch([mu, sigma])
            y = R.normal([4], mu, sigma, seed=1)
        return y, tape.gradient(y, [mu, sigma])

    R.set_seed(1)
    y, (by_mu, by_sigma) = f(tf.constant(1.0), tf.constant(2.0))
    assert by_mu.numpy() == 4
    np.testing.assert_allclose(by_sigma, np.sum((y.numpy() - 1) / 2), rtol=1e-5)


# --- batches -------------------------------------------------------------------------------------


def test_elements_of_a_batch_have_numbers_of_their_own():
    x = tf.constant([1.0, 2.0, 3.0])
    for draw in (lambda a: R.normal([2]) + a * 0, lambda a: R.gamma([2], a),
                 lambda a: R.uniform([2], a, a + 1), lambda a: R.poisson([9], a)):
        y = tf.vectorized_map(draw, x).numpy()
        assert y.shape[0] == 3 and (y[0] != y[1]).any()


def test_nested_batches():
    inner = tf.zeros([2, 4])

    def each(row):
        return tf.vectorized_map(lambda v: v + R.normal([3]), row)

    assert tf.vectorized_map(each, inner).shape == (2, 4, 3)


# --- generators ----------------------------------------------------------------------------------


def test_generator_reuses_a_variable_given_as_state():
    v = tf.Variable([1, 2, 3], dtype=tf.int64)
    g = R.Generator(state=v, alg="philox")
    g.normal([2])
    assert g.state is v and v.numpy().tolist() == [1 + 2 * 256, 2, 3]
    assert not R.Generator.from_seed(1).state.trainable


def test_global_generator_is_kept_and_can_be_replaced():
    assert R.get_global_generator() is R.get_global_generator()
    g = R.Generator.from_seed(1)
    before = R.get_global_generator()
    R.set_global_generator(g)
    assert R.get_global_generator() is g
    R.set_global_generator(before)


def test_threefry_has_no_kernel():
    g = R.Generator.from_state([1, 2], "threefry")
    with pytest.raises(tf.errors.UnimplementedError):
        g.normal([2])
    with pytest.raises(tf.errors.InvalidArgumentError):
        R.stateless_normal([2], [1, 2], alg="threefry")


# --- gradients -----------------------------------------------------------------------------------


def test_gamma_moves_with_alpha_at_a_constant_quantile():
    from scipy.stats import gamma
    alpha = tf.constant([0.3, 1.0, 4.0, 30.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(alpha)
        x = R.stateless_gamma([5, 4], [1, 2], alpha, dtype=tf.float64)
    found = tape.gradient(x, alpha).numpy()
    a, h = alpha.numpy(), 1e-5
    q = gamma.cdf(x.numpy(), a)
    moved = (gamma.ppf(q, a + h) - gamma.ppf(q, a - h)) / (2 * h)
    np.testing.assert_allclose(found, moved.sum(0), rtol=1e-4)


def test_forward_mode_of_samples_agrees_with_reverse_mode():
    parameters = [tf.constant(v, tf.float64) for v in (0.5, 1.5, -1.0, 3.0)]

    def draw(*p):
        return R.stateless_parameterized_truncated_normal([4], [1, 2], *p)

    for i, p in enumerate(parameters):
        with tf.GradientTape() as tape:
            tape.watch(p)
            y = draw(*parameters)
        reverse = tape.gradient(y, p).numpy()
        with tf.autodiff.ForwardAccumulator(p, tf.constant(1.0, tf.float64)) as forward:
            y = draw(*parameters)
        np.testing.assert_allclose(forward.jvp(y).numpy().sum(), reverse, err_msg=f"parameter {i}")


def test_random_numbers_have_no_gradient_to_discrete_parameters():
    p = tf.Variable([0.2, 0.4])
    with tf.GradientTape(persistent=True) as tape:
        a = R.poisson([3], p)
        b = tf.cast(R.categorical([p], 3), tf.float32)
        c = R.shuffle(p)
    assert tape.gradient(a, p) is None and tape.gradient(b, p) is None
    assert tape.gradient(c, p) is None


# --- arguments -----------------------------------------------------------------------------------

INVALID = tf.errors.InvalidArgumentError
REFUSED = [
    (lambda: R.normal([2], dtype=tf.int32), TypeError, "int32"),
    (lambda: R.normal([-1]), INVALID, "Dimension -1 must be >= 0"),
    (lambda: R.normal([2.0]), INVALID, "allowed values: int32, int64"),
    (lambda: R.normal(3), INVALID, "shape must be a vector"),
    (lambda: R.normal(None), ValueError, "None"),
    (lambda: R.normal([2], mean=tf.constant(1.0, tf.float64)), ValueError, "float64"),
    (lambda: R.normal([2], mean=[1.0, 2.0, 3.0]), INVALID, "Incompatible shapes"),
    (lambda: R.normal(tf.constant([[2, 1]])), INVALID, "shape must be a vector"),
    (lambda: R.uniform([2], dtype=tf.int32), ValueError, "Must specify maxval for integer dtype"),
    (lambda: R.uniform([2], 5, 5, tf.int32), INVALID, "Need minval < maxval, got 5 >= 5"),
    (lambda: R.uniform([2], dtype=tf.uint8, maxval=3), ValueError, "Accepted dtypes"),
    (lambda: R.uniform([2], [1, 2], 5, tf.int32), INVALID, "minval must be 0-D"),
    (lambda: R.uniform([2], maxval=2.5, dtype=tf.int32), TypeError, "2.5"),
    (lambda: R.gamma([2], [1.0, 2.0], [1.0, 2.0, 3.0]), INVALID, "Incompatible shapes"),
    (lambda: R.gamma([2], 1, dtype=tf.int32), ValueError, "not inexact"),
    (lambda: R.gamma(2, 1.0), INVALID, "shape must be a vector"),
    (lambda: R.poisson([2], 3.0, dtype=tf.uint8), INVALID, "uint8"),
    (lambda: R.poisson([2], [np.nan]), INVALID, "finite"),
    (lambda: R.categorical([1.0, 2.0], 3), INVALID, "logits should be a matrix"),
    (lambda: R.categorical([[1.0, 2.0]], -1), INVALID, "non-negative"),
    (lambda: R.categorical([[1, 2]], 3), tf.errors.NotFoundError, "int32"),
    (lambda: R.categorical([[1.0, 2.0]], 3, dtype=tf.float32), ValueError, "Accepted dtypes"),
    (lambda: R.categorical([[1.0, 2.0]], [3]), INVALID, "scalar"),
    (lambda: R.categorical(np.zeros((2, 0)), 3), INVALID, "positive"),
    (lambda: R.stateless_normal([2], [1, 2, 3]), INVALID, "seed must have shape"),
    (lambda: R.stateless_normal([2], [1.0, 2.0]), INVALID, "Tseed"),
    (lambda: R.stateless_normal([2], 1), INVALID, "seed must have shape"),
    (lambda: R.stateless_normal([2], [1, 2], alg="foo"), ValueError, "unsupported value foo"),
    (lambda: R.stateless_normal([2], [1, 2], alg=1.5), TypeError, "alg"),
    (lambda: R.stateless_uniform([2], [1, 2], dtype=tf.int32), ValueError, "minval"),
    (lambda: R.stateless_uniform([2], [1, 2], 0, 5, tf.uint32), ValueError, "unsigned"),
    (lambda: R.stateless_gamma([2, 3], [1, 2], [0.5, 1.5]), INVALID, "must end with"),
    (lambda: R.stateless_binomial([3], [1, 2], [10.0, 20.0], 0.5), INVALID, "must end with"),
    (lambda: R.stateless_parameterized_truncated_normal([3], [1, 2], 0.0, -1.0), INVALID, "stddev"),
    (lambda: R.fold_in([1, 2], 3.0), ValueError, "integer"),
    (lambda: R.create_rng_state(1, "x"), ValueError, "unsupported value x"),
    (lambda: R.experimental.index_shuffle(4, [5, 9], 3), INVALID, "max_index"),
    (lambda: R.Generator(), AssertionError, "from_seed"),
    (lambda: R.Generator(state=[1, 2], alg="philox"), ValueError, "incompatible"),
    (lambda: R.Generator.from_key_counter(7, [1], "philox"), ValueError, "incompatible"),
    (lambda: R.Generator.from_seed(1).uniform([2], dtype=tf.int32), ValueError, "minval=0"),
    (lambda: tf.random_normal_initializer()([2], tf.int32), ValueError, "floating point"),
    (lambda: tf.zeros_initializer()([2], tf.string), ValueError, "numeric or boolean"),
    (lambda: tf.constant_initializer(None), TypeError, "NoneType"),
    (lambda: tf.random_normal_initializer(seed=1)([4], foo=1), TypeError, "foo"),
]


@pytest.mark.parametrize("call, error, words", REFUSED, ids=range(len(REFUSED)))
def test_wrong_arguments_are_refused_as_tensorflow_does(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert words in str(raised.value)


def test_empty_draws():
    assert R.normal([0, 3]).shape == (0, 3)
    assert R.uniform([0], maxval=0, dtype=tf.int32).shape == (0,)
    assert R.gamma([2], []).shape == (2, 0) and R.gamma([0], [1.0]).shape == (0, 1)
    assert R.poisson([0], [1.0]).shape == (0, 1)
    assert R.categorical([[1.0, 2.0]], 0).shape == (1, 0)
    assert R.categorical(np.zeros((0, 2)), 3).shape == (0, 3)
    assert R.shuffle(3).numpy() == 3


def test_shuffled_rows_are_a_permutation_by_either_way():
    for n in (2, 1000, 1001, 5000):
        order = distributions.permutation(7, 9, n)
        assert sorted(order.tolist()) == list(range(n))
        few, distributions._FEW_ROWS = distributions._FEW_ROWS, 0 if n <= 1000 else 10**9
        try:
            assert np.array_equal(distributions.permutation(7, 9, n), order)
        finally:
            distributions._FEW_ROWS = few


@pytest.mark.parametrize("module", ["stateless", "stateful", "generator", "initializers"])
def test_examples_in_docstrings(module):
    module = importlib.import_module(f"tapeflow.ops.random.{module}")
    failed, tried = doctest.testmod(module, extraglobs={"tf": tf})
    assert tried and not failed
