"""The comparison of native code with NumPy: it finds what is wrong, and nothing else."""

import copy
import sys
import tracemalloc
import types

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.jit.pipeline import compile
from tapeflow.jit.tiering import eager_tiering
from tapeflow.jit.verification import native_comparison, reference_run
from tapeflow.jit.verification.native_comparison import Comparison
from tapeflow.jit.verification.reference_run import (
    Drawn,
    Noise,
    Reference,
    random_streams,
)
from tests.jit.agreement import graph_of

RNG = np.random.default_rng(0)


def normal(*shape, dtype="float32"):
    return RNG.normal(size=shape).astype(dtype)


def programs_of(function, *args):
    """The optimised graphs of a function, and what it is called with."""
    concrete = tf.function(function).get_concrete_function(*args)
    graph_function = concrete.function
    variables = graph_function.variables_for()
    arrays = [x._value for x in args]
    graph = graph_function.program(arrays, variables).graph
    return graph, arrays, variables


def judge(function, *args, spoil=None):
    """How the comparison ends; spoil(results, variables' values) makes native code wrong."""
    graph, arrays, variables = programs_of(function, *[tf.constant(x) for x in args])
    native = compile(graph)

    class Spoilt:
        def run(self, arrays, copies):
            results = [np.array(x) for x in native.run(arrays, copies)]
            values = [np.array(copy._snapshot._value) for copy in copies]
            if spoil is not None:
                spoil(results, values)
            for one, value in zip(copies, values, strict=True):
                one._swap(value)
            return tuple(results)

    before = [variable.numpy().copy() for variable in variables]
    at_once, ahead = [Comparison(graph, arrays, [v._snapshot._value for v in variables])
                      for _ in range(2)]
    ahead.run_ahead(busy=lambda: True)
    outcome = at_once.judge(Spoilt(), variables)
    assert ahead.judge(Spoilt(), variables).same is outcome.same
    for variable, value in zip(variables, before, strict=True):
        np.testing.assert_array_equal(variable.numpy(), value)
    return outcome.same


def training(features, rows=16, rate=0.1, dtype="float32"):
    x, y = tf.constant(normal(rows, features, dtype=dtype)), tf.constant(normal(rows, 1,
                                                                             dtype=dtype))
    w = tf.Variable(np.ones([features, 1], dtype))

    def step():
        error = x @ w - y
        w.assign_sub(rate * tf.matmul(x, error, transpose_a=True))
        return tf.reduce_sum(error * error)

    return step, w


# -- right, and hard to see ------------------------------------------------------------------------
def chaos(x):
    for _ in range(60):
        x = 3.9 * x * (1.0 - x)
    return x


def newton(x):
    return tf.while_loop(lambda i, y: i < 8, lambda i, y: (i + 1, y - (y * y - x) / (2.0 * y)),
                         (0, x))[1]


RIGHT = {
    "a sum that cancels": (lambda x: tf.reduce_sum(x - tf.reduce_mean(x)), normal(1000)),
    "a gradient that vanishes": (lambda x: tf.nn.softmax(30.0 * x) - tf.nn.softmax(30.0 * x + 1.0),
                                 normal(5, 7)),
    "chaos": (chaos, RNG.random(20).astype("f")),
    "functions": (lambda x: tf.sin(1000.0 * x) / (tf.exp(x) - 1.0 - x), normal(100)),
    "a variance by its moments": (
        lambda x: tf.reduce_mean(x * x, 0) - tf.reduce_mean(x, 0) ** 2 + 0.0 * x[0],
        1000 + normal(50, 3)),
    "the largest of equals": (lambda x: tf.argmax(tf.nn.softmax(0.0 * x + 1.0), 1), normal(9, 5)),
    "steps at the edge": (lambda x: tf.floor(3.0 * (x / 3.0)), np.arange(50, dtype="f")),
    "a loop": (newton, np.abs(normal(30)) + 1),
    "products": (lambda x: x @ tf.transpose(x) @ x - x, normal(40, 30)),
    "half precision": (lambda x: tf.nn.softmax(x) - tf.reduce_mean(x), normal(8, 9,
                                                                          dtype="float16")),
    "overflow": (lambda x: tf.exp(100.0 * x) - tf.exp(50.0 * x) ** 2, normal(50)),
    "infinities and NaN": (lambda x: tf.math.log(x) / tf.sqrt(x) + tf.maximum(x, 0.0), np.float32(
        [0, -1, np.inf, -np.inf, np.nan, 1e-40, 3])),
    # Products that overflow: infinite, NaN or finite, as the order and fused multiply-adds have it.
    "overflow in a product": (lambda x: tf.matmul(x, x, transpose_b=True) @ x,
                              1e13 * normal(40, 30)),
    "a part that cancels": (lambda x: tf.math.real(tf.complex(x, 1.0 - x * x) ** 2
                                                   * tf.complex(x, x) / tf.complex(1.0 - x, x)),
                            np.linspace(0.617, 0.619, 5000, dtype="f")),
    "complex functions": (lambda x: tf.math.imag(tf.math.log(tf.exp(tf.complex(x, 3.0 * x)))
                                                 - tf.sqrt(tf.complex(x, -x))), normal(500)),
    "a long sum": (lambda x: tf.reduce_sum(x), RNG.random(3_000_000).astype("f")),
    "a conv": (lambda x: tf.nn.conv2d(x, tf.ones([3, 3, 2, 4]), 1, "SAME"), normal(2, 9, 9, 2)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_native_code_is_not_refused(name):
    function, x = RIGHT[name]
    assert judge(function, x) is True


@pytest.mark.parametrize("features", [1, 2, 3, 7])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_training_steps_are_not_refused_however_small_the_gradient(features, dtype):
    step, w = training(features, dtype=dtype, rate=0.01)
    for _ in range(200):
        step()
    assert judge(step) is True


LABELS = np.arange(64) % 10


def sparse(logits):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(LABELS, logits)


def dense(logits):
    labels = tf.one_hot(LABELS, 10, dtype=logits.dtype)
    return tf.nn.softmax_cross_entropy_with_logits(labels, logits)


def by_logarithm(logits):
    return -tf.gather(tf.nn.log_softmax(logits), LABELS, batch_dims=1)


def by_sum(logits):
    return tf.reduce_logsumexp(logits, -1) - tf.gather(logits, LABELS, batch_dims=1)


def converged(loss, scale, dtype="float32"):
    """A loss and its gradient where probabilities are nearly 1 and 0, and the logits for that."""
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            mean = tf.reduce_mean(loss(x))
        return mean, tape.gradient(mean, x)

    logits = RNG.normal(size=(64, 10)) + scale * np.eye(10)[LABELS]
    return step, logits.astype(dtype)


@pytest.mark.parametrize("loss", [sparse, dense, by_logarithm, by_sum])
@pytest.mark.parametrize("scale", [5, 12, 17])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_losses_that_have_nearly_vanished_are_not_refused(loss, scale, dtype):
    """They are differences from 1, and as small as its rounding errors."""
    assert judge(*converged(loss, scale, dtype)) is True


@pytest.mark.parametrize("loss", [sparse, dense, by_logarithm, by_sum])
def test_a_wrong_gradient_of_a_loss_that_has_nearly_vanished(loss):
    def spoil(results, values):
        results[1][3, 4] += 1e-6  # where rounding errors are some 1e-9, of the mean of 64

    assert judge(*converged(loss, 12), spoil=spoil) is False


# -- wrong -----------------------------------------------------------------------------------------
def test_a_small_element_among_large_ones():
    scale = np.float32([1e8, 1, 1e-8, 1e4])

    def spoil(results, values):
        results[0][2] *= 1 + 1e-3

    assert judge(lambda x: tf.sin(x) * scale, normal(4), spoil=spoil) is False


@pytest.mark.parametrize("terms", [2, 3, 17, 100, 1000])
def test_a_term_that_is_missing(terms):
    x = np.abs(normal(5, terms)) + 1

    def spoil(results, values):
        results[0][3] -= x[3, -1]

    assert judge(lambda x: tf.reduce_sum(x, 1), x, spoil=spoil) is False


@pytest.mark.parametrize("features", [1, 2, 3, 7])
def test_a_wrong_update(features):
    step, w = training(features)

    def spoil(results, values):
        values[0][-1] = w.numpy()[-1]  # no update of the last weight

    assert judge(step, spoil=spoil) is False


def test_a_wrong_update_of_a_variable_that_hardly_changes():
    step, w = training(2, rate=1e-5)

    def spoil(results, values):
        values[0][-1] = w.numpy()[-1]

    assert judge(step, spoil=spoil) is False


def test_a_finite_element_beside_an_overflow():
    def spoil(results, values):
        results[1][0] *= 1.01

    assert judge(lambda x: [tf.matmul(x, x, transpose_b=True), tf.reduce_sum(x, 1) * 1e-20],
                 1e19 * normal(40, 30), spoil=spoil) is False


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 0.0])
def test_a_result_of_another_kind(wrong):
    def spoil(results, values):
        results[0][1] = wrong

    assert judge(lambda x: tf.exp(x), normal(3), spoil=spoil) is False


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_finite_number_where_there_is_an_infinity(dtype):
    def spoil(results, values):
        results[0][1] = 1.0

    assert judge(lambda x: tf.exp(x), np.array([0, 1e4, 1e4], dtype), spoil=spoil) is False


def test_few_wrong_elements_of_a_large_result():
    def spoil(results, values):
        results[0][::9_999] *= 1.001

    x = normal(100_000)
    assert judge(lambda x: tf.sin(x) * x, x) is True
    assert judge(lambda x: tf.sin(x) * x, x, spoil=spoil) is False


def test_integers_and_truth():
    x = normal(4, 5)

    def spoil(results, values):
        results[0][2] += 1

    assert judge(lambda x: tf.argmax(x, 1), x, spoil=spoil) is False

    def flip(results, values):
        results[0][2] ^= True

    assert judge(lambda x: x[:, 0] > 0.0, x, spoil=flip) is False


def test_effects_that_cannot_be_undone_are_not_run_again():
    concrete = tf.function(lambda x: tf.nn.fractional_max_pool(
        x, [1.0, 1.44, 1.73, 1.0])[0]).get_concrete_function(tf.ones([1, 20, 20, 1]))
    assert random_streams(concrete.function.graph) is None


def transformer_step(rate=0.1, width=16, heads=2):
    """A training step of attention, normalisation, dropout and Adam: its key bias has a gradient
    that vanishes but for rounding, which Adam makes as large as any other."""
    def variable(*shape, scale=0.3):
        return tf.Variable(normal(*shape) * np.float32(scale))

    table, qkv = variable(20, width), variable(width, 3 * width)
    bias, out = tf.Variable(tf.zeros(3 * width)), variable(width, width)
    scale, shift = tf.Variable(tf.ones(width)), tf.Variable(tf.zeros(width))
    inner, outer = variable(width, 4 * width), variable(4 * width, 3)
    weights = [table, qkv, bias, out, scale, shift, inner, outer]
    moments = [[tf.Variable(tf.zeros_like(one)) for one in weights] for _ in range(2)]
    count = tf.Variable(0.0)

    def attention(x):
        rows, length = x.shape[:2]
        split = tf.reshape(x @ qkv + bias, (rows, length, 3, heads, width // heads))
        q, k, v = tf.unstack(tf.transpose(split, (2, 0, 3, 1, 4)))
        scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / (width // heads) ** 0.5)
        mixed = tf.transpose(tf.nn.dropout(scores, rate) @ v, (0, 2, 1, 3))
        return tf.reshape(mixed, x.shape) @ out

    def step(ids, labels):
        with tf.GradientTape() as tape:
            x = tf.gather(table, ids)
            x = x + tf.nn.dropout(attention(x), rate)
            mean, variance = tf.nn.moments(x, -1, keepdims=True)
            x = (x - mean) * tf.math.rsqrt(variance + 1e-6) * scale + shift
            logits = tf.reduce_mean(tf.nn.gelu(x @ inner), 1) @ outer
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        count.assign_add(1.0)
        gradients = tape.gradient(loss, weights)
        for one, g, m, v in zip(weights, gradients, *moments, strict=True):
            g = tf.convert_to_tensor(g)
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g * g)
            rate_now = 1e-3 * tf.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count)
            one.assign_sub(rate_now * m / (tf.sqrt(v) + 1e-7))
        return loss

    return step


def test_a_transformer_with_dropout_and_adam_is_right():
    ids, labels = RNG.integers(0, 20, (4, 6)), RNG.integers(0, 3, 4)
    assert judge(transformer_step(), ids, labels)


def test_a_wrong_update_of_a_transformer_is_found():
    def spoil(results, values):
        large = max(values, key=lambda one: one.size)
        large.flat[3] += 1e-4

    ids, labels = RNG.integers(0, 20, (4, 6)), RNG.integers(0, 3, 4)
    assert judge(transformer_step(), ids, labels, spoil=spoil) is False


def test_the_reference_frees_what_nobody_needs():
    def f(x):
        for _ in range(40):
            x = tf.sin(x) + 1.0
        return x

    x = np.ones(1 << 18, np.float32)
    reference = Reference(graph_of(f, x))
    tracemalloc.start()
    results, _ = reference.run([x], [])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * x.nbytes
    np.testing.assert_allclose(results[0], f(tf.constant(x)), rtol=1e-6)


@pytest.mark.parametrize("draw", [
    lambda x: tf.random.normal([40]) + tf.random.uniform([40]) * x,
    lambda x: tf.random.stateless_normal([40], tf.cast([x[0], 2.0], tf.int32)) + x,
    lambda x: tf.nn.dropout(x, 0.5) + tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y + tf.random.normal([40])), (0, x))[1]],
    ids=["streams", "seeds", "in loops"])
def test_random_numbers_are_drawn_once_for_all_runs_of_the_reference(draw):
    graph, arrays, _ = programs_of(draw, tf.constant(RNG.random(40).astype("f")))
    drawn, streams = Drawn(), random_streams(graph)
    states = [stream.state() for stream in streams]
    rewound, ends = [], []
    for known in (None, drawn, drawn, drawn):
        for stream, state in zip(streams, states, strict=True):
            stream.restore(state)
        rewound.append(Reference(graph, drawn=known).run(arrays, [])[0][0])
        ends.append([stream.state() for stream in streams])
    for found, end in zip(rewound, ends, strict=True):
        np.testing.assert_array_equal(found, rewound[0])
        assert end == ends[0]
    calls = []
    for node in drawn._known:
        node.op, kernel = copy.copy(node.op), node.op.kernel
        node.op.kernel = lambda *xs, kernel=kernel, **attrs: calls.append(1) or kernel(*xs, **attrs)
    for stream, state in zip(streams, states, strict=True):
        stream.restore(state)
    Reference(graph, drawn=drawn).run(arrays, [])
    assert drawn._known and not calls
    moved = [arrays[0] + 5]  # other seeds, and streams that go on
    other = Reference(graph, drawn=drawn).run(moved, [])[0][0]
    assert not np.array_equal(other, rewound[0] + 5)


def test_of_a_reference_only_what_is_wanted_runs():
    v, w = tf.Variable(np.ones(4, np.float32)), tf.Variable(np.ones(4, np.float32))

    def f(x):
        y = tf.sin(x) + tf.random.normal([4])
        v.assign_add(tf.cos(y))
        w.assign_sub(tf.exp(x) * v)
        return tf.tan(y), tf.random.uniform([4]) * tf.sinh(x)

    graph, arrays, variables = programs_of(f, tf.constant(RNG.random(4).astype("f")))
    values = [one._snapshot._value for one in variables]
    states = [(stream, stream.state()) for stream in random_streams(graph)]
    ran = []

    class Noted(Reference):
        def _apply(self, node, *others):
            ran.append(node.op.name)
            return super()._apply(node, *others)

    def ends(wanted):
        for stream, state in states:
            stream.restore(state)
        ran.clear()
        outputs, held = Noted(graph).run(arrays, values, wanted=wanted)
        return [*outputs, *held]

    every = ends(None)
    assert {"sin", "cos", "exp", "tan", "sinh"} <= set(ran)
    for wanted, needless in (({1}, {"cos", "exp", "tan", "sin"}), ({2}, {"exp", "tan", "sinh"}),
                             ({3}, {"tan", "sinh"}), ({0, 2}, {"exp", "sinh"})):
        found = ends(wanted)
        assert not needless & set(ran)
        for i, (x, y) in enumerate(zip(found, every, strict=True)):
            assert x is None if i not in wanted else np.array_equal(x, y)


def test_later_runs_with_noise_compute_what_is_still_in_doubt(monkeypatch):
    asked = []
    run = Reference.run

    def noted(self, arrays, variables, noise=None, wanted=None):
        asked.append(None if wanted is None else set(wanted))
        return run(self, arrays, variables, noise, wanted)

    def spoil(results, values):
        results[1][3] += 1

    monkeypatch.setattr(Reference, "run", noted)
    x = RNG.random(100).astype("f")
    assert not judge(lambda x: (tf.exp(x), tf.sin(x), tf.reduce_sum(tf.exp(x))), x, spoil=spoil)
    assert asked[-1] == {1}


def test_the_reference_is_numpys_however_often_an_op_has_run(monkeypatch):
    """Native code for eager ops must not be its own reference, and the reference not be counted:
    how often it runs ahead depends on the clock."""
    monkeypatch.setattr(eager_tiering, "_choices", {})
    x = normal(4, 20, 20, 8)

    def f(x):
        y = tf.nn.conv2d(x, tf.reshape(x[0, 0, :9, :], (3, 3, 8, 1)) * tf.ones((1, 1, 1, 16)),
                         1, "SAME")
        y = tf.nn.max_pool2d(y, 3, 1, "SAME") + tf.nn.avg_pool2d(y, 3, 1, "SAME")
        flat = tf.reshape(y, (1600, 16))
        return tf.sin(tf.linalg.matmul(flat, flat, transpose_b=True))

    graph, arrays, _ = programs_of(f, tf.constant(x))
    Reference(graph).run(arrays, [])
    Reference(graph).run(arrays, [], Noise(0))
    assert not eager_tiering._choices
    f(tf.constant(x))
    assert len(eager_tiering._choices) >= 3


def test_what_variables_hold_is_not_copied_and_does_not_change():
    v = tf.Variable(np.ones(100_000, np.float32))
    function = tf.function(lambda: v.assign_add(tf.ones(100_000)), jit_compile=True)
    function()
    graph, arrays, variables = programs_of(lambda: v * 2.0)
    held = Comparison(graph, arrays, [v._snapshot._value])
    assert np.shares_memory(held.values[0], v._snapshot._value)
    function()  # native code changes variables in place, but for this
    assert np.all(held.values[0] == 2) and np.all(v.numpy() == 3)
    with pytest.raises(ValueError, match="read-only"):
        held.values[0][0] = 1


def test_large_results_are_looked_at_by_several_threads(monkeypatch):
    x = RNG.random((300, 2000)).astype("f")
    for size in (1, 1 << 40):
        monkeypatch.setattr(native_comparison, "LARGE", size)
        assert judge(lambda x: (tf.exp(x), tf.reduce_sum(x, 0), x * 2), x)
        assert not judge(lambda x: (tf.exp(x), tf.reduce_sum(x, 0), x * 2), x, spoil=spoil_first)


def spoil_first(results, values):
    results[0][7, 7] += 1


def test_a_reference_that_takes_too_long_is_given_up(monkeypatch):
    graph, arrays, variables = programs_of(lambda x: tf.sin(x) + 1.0, tf.constant([1.0, 2.0]))
    clock = types.SimpleNamespace(perf_counter=lambda: float("inf"))
    monkeypatch.setattr(reference_run, "time", clock)
    outcome = Comparison(graph, arrays, []).judge(compile(graph), variables, seconds=2.0)
    assert outcome.same is None and outcome.why == "NumPy takes too long"


def scaled_step(scale=32768.0):
    """A step in float16 with a scaled loss, skipped where a gradient is not finite."""
    x, labels = tf.constant(normal(64, 100, dtype="float16")), tf.constant(normal(64, 10))
    ws = [tf.Variable(normal(100, 64) * 0.1), tf.Variable(normal(64, 10) * 0.1)]
    squares = [tf.Variable(tf.zeros_like(w)) for w in ws]

    def step():
        with tf.GradientTape() as tape:
            a, b = [tf.cast(w, tf.float16) for w in ws]
            y = tf.cast(tf.nn.relu(x @ a) @ b, tf.float32)
            loss = tf.reduce_mean(tf.square(y - labels)) * scale
        gs = [g / scale for g in tape.gradient(loss, ws)]
        finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(g)) for g in gs])

        def update():
            for w, v, g in zip(ws, squares, gs, strict=True):
                v.assign(0.999 * v + 0.001 * g * g)
                w.assign_sub(0.001 * g / (tf.sqrt(v) + 1e-7))
            return loss

        return tf.cond(finite, update, lambda: loss)

    return step


def test_a_scaled_loss_in_half_precision():
    """Sums of half precision are kept in float32, where a scaled loss is far from too large: noise
    must not make them infinite, or all that it tells is that the step may be skipped."""
    for _ in range(4):
        assert judge(scaled_step())

    def spoil(results, values):
        values[1].reshape(-1)[::97] *= 1.01  # the sign of one alone may hang on a rounding

    assert judge(scaled_step(), spoil=spoil) is False


def test_a_reference_that_ran_ahead_does_not_run_again(monkeypatch):
    tf.random.set_seed(3)
    x = tf.constant(normal(40, 30))
    graph, arrays, variables = programs_of(
        lambda x: tf.nn.softmax(x @ tf.random.normal([30, 20])), x)
    comparison = Comparison(graph, arrays, [])
    states = [stream.state() for stream in random_streams(graph)]
    comparison.run_ahead(busy=lambda: True)
    assert states == [stream.state() for stream in random_streams(graph)]
    monkeypatch.setattr(Reference, "run", None)
    assert comparison.judge(compile(graph), variables).same is True


def test_a_reference_that_fails_ahead_is_met_when_results_are_compared():
    graph, arrays, variables = programs_of(tf.gather, tf.constant([1.0, 2.0]), tf.constant([7]))
    comparison = Comparison(graph, arrays, [])
    comparison.run_ahead(busy=lambda: True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="7"):
        comparison.judge(types.SimpleNamespace(run=lambda arrays, copies: arrays), variables)


class _Raising:
    """Native code that raises."""

    def __init__(self, error):
        self.error = error

    def run(self, arrays, copies):
        raise self.error


def test_errors_of_a_native_run_are_for_the_program_to_meet():
    graph, arrays, variables = programs_of(tf.sin, tf.constant([1.0]))

    class Native:
        def run(self, arrays, copies):
            return tf.reshape(tf.constant(arrays[0]), [7])

    outcome = Comparison(graph, arrays, []).judge(Native(), variables)
    assert outcome.same is None and outcome.why == "it raised an error"
    with pytest.raises(KeyError, match="of the user"):
        Comparison(graph, arrays, []).judge(_Raising(KeyError("of the user")), variables)


@pytest.mark.parametrize("other", [lambda y: y[:1], lambda y: y.astype("float64")])
def test_another_shape_or_dtype_is_wrong(other):
    graph, arrays, variables = programs_of(tf.sin, tf.constant([1.0, 2.0]))

    class Native:
        def run(self, arrays, copies):
            return [other(np.sin(arrays[0]))]

    assert Comparison(graph, arrays, []).judge(Native(), variables).same is False


def test_what_has_effects_is_not_run_again():
    def printed(x):
        tf.print("once", output_stream=sys.stderr)
        return tf.sin(x)

    graph, arrays, variables = programs_of(printed, tf.constant([1.0]))
    outcome = Comparison(graph, arrays, []).judge(_Raising(AssertionError("run")), variables)
    assert outcome.same is None and "effects that cannot be undone" in outcome.why
