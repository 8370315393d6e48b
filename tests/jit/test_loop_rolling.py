"""Unrolled loops are rolled up where that changes nothing, and left where it would."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.core.record.lowering_forms import Loop
from tapeflow.graph import ir
from tapeflow.graph.executor.numpy_executor import Program
from tapeflow.graph.passes import optimise
from tapeflow.jit.choices import forcing
from tapeflow.jit.passes.loops.rolling import roll
from tapeflow.jit.pipeline import compile
from tapeflow.jit.tiering import cost

T, B, K, N = 9, 3, 5, 4
rng = np.random.default_rng(3)
START = rng.bit_generator.state


def drawn(*shape, scale=1.0, dtype="f"):
    return (rng.normal(size=shape) * scale).astype(dtype)


X, XT = drawn(B, T, K), drawn(T, B, K)
W, U, BIAS = drawn(K, N, scale=0.5), drawn(N, N, scale=0.5), drawn(N)
WIDE, DEEP, LONG = drawn(K, 4 * N, scale=0.5), drawn(N, 4 * N, scale=0.5), drawn(4 * N)


@pytest.fixture(autouse=True)
def the_same_numbers_without_cache(monkeypatch):
    monkeypatch.setenv("TAPEFLOW_CACHE", "")
    rng.bit_generator.state = START


def graph_of(f, *arrays):
    args = [tf.constant(x) for x in arrays]
    return optimise(tf.function(f, autograph=False).get_concrete_function(*args).function.graph)


def rolled(graph):
    """Reverse and trip count of the loops that a graph has when it is rolled up."""
    before = str(graph)
    with forcing({"rolling.loop": True}):
        made = roll(graph)
    assert str(graph) == before  # it is a copy
    graph = made
    ir.check(graph)
    return graph, [(node.attrs["reverse"], node.inputs[node.attrs["n_carry"]].shape[0])
                   for node in graph.nodes if isinstance(node.op.lower, Loop)]


def agree(f, *arrays, bits=False, variables=()):
    """Rolled up, a function gives what it gives eagerly, on NumPy to the bit, and natively (bits:
    to the bit what it gives unrolled). Gives its loops as (reverse, trips)."""
    begin = [v.numpy() for v in variables]

    def fresh():
        for v, start in zip(variables, begin, strict=True):
            v.assign(start)

    def outcome(run):
        fresh()
        found = [np.asarray(x) for x in run()]
        return found + [v.numpy() for v in variables]

    graph = graph_of(f, *arrays)
    used = [use.variable for use in graph.variables.values()]
    eager = outcome(lambda: tf.nest.flatten(f(*[tf.constant(x) for x in arrays])))
    numpy = outcome(lambda: Program(graph).run([*arrays], used))
    small, loops = rolled(graph)
    on_numpy = outcome(lambda: Program(small).run([*arrays], used))
    with forcing({"rolling.loop": True}):
        native = compile(graph)
    assert not native.reasons, native.reasons
    natively = outcome(lambda: native.run([*arrays], used))
    for wanted, got in zip(numpy, on_numpy, strict=True):
        np.testing.assert_array_equal(got, wanted)
    for wanted, got in zip(eager, natively, strict=True):
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)
    if bits:
        with forcing({"rolling.loop": False}):
            plain = compile(graph)
        for wanted, got in zip(outcome(lambda: plain.run([*arrays], used)), natively, strict=True):
            np.testing.assert_array_equal(got, wanted)
    fresh()
    return loops


def gradients(loss, *xs):
    """The loss, what it is computed from, and all gradients."""
    with tf.GradientTape() as tape:
        tape.watch(xs)
        found = loss(*xs)
        total = tf.add_n([tf.reduce_sum(tf.square(y)) for y in tf.nest.flatten(found)])
    return tf.nest.flatten(found), [tf.convert_to_tensor(g) for g in tape.gradient(total, xs)]


# -- recurrent cells -------------------------------------------------------------------------------
def rnn(x, w, u, bias, step=lambda x, t: x[:, t]):
    h, found = tf.zeros((B, N)), []
    for t in range(T):
        h = tf.tanh(step(x, t) @ w + h @ u + bias)
        found.append(h)
    return found


def lstm(x, w, u, bias):
    h = c = tf.zeros((B, N))
    for t in range(T):
        i, f, g, o = tf.split(x[t] @ w + h @ u + bias, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
    return h, c


def gru(x, w, u, bias):
    h = tf.zeros((B, N))
    found = []
    for now in tf.unstack(x):
        z, r, _, _ = tf.split(tf.sigmoid(now @ w + h @ u + bias), 4, axis=1)
        h = z * h + (1 - z) * tf.tanh(now @ w[:, :N] + (r * h) @ u[:, :N])
        found.append(h)
    return tf.stack(found, 1)


JOINED = {
    "last": (lambda hs: hs[-1], T), "all": (lambda hs: hs, T),
    "stack": (lambda hs: tf.stack(hs), T), "stack axis 1": (lambda hs: tf.stack(hs, 1), T),
    "stack axis -1": (lambda hs: tf.stack(hs, -1), T), "concat": (lambda hs: tf.concat(hs, 1), T),
    "from the end": (lambda hs: tf.stack(hs[::-1], 1), T),
    "a few": (lambda hs: tf.stack(hs[1:7]), 7), "two": (lambda hs: hs[3] + hs[5], 6),
    "every other": (lambda hs: tf.concat(hs[::2], 0), T),
    "and another": (lambda hs: tf.stack([hs[0] * 2, *hs, hs[2]], 1), T)}


@pytest.mark.parametrize("joined, trips", JOINED.values(), ids=JOINED)
def test_what_a_recurrent_cell_collects(joined, trips):
    assert agree(lambda *xs: joined(rnn(*xs)), X, W, U, BIAS) == [(False, trips)]


@pytest.mark.parametrize("joined, trips", JOINED.values(), ids=JOINED)
def test_gradients_of_what_it_collects(joined, trips):
    loops = agree(lambda *xs: gradients(lambda *ys: joined(rnn(*ys)), *xs), X, W, U, BIAS)
    assert loops[0] == (False, trips)
    irregular = [JOINED[name][0] for name in ("two", "every other")]  # nothing repeats backwards
    assert any(reverse for reverse, _ in loops) is (joined not in irregular)


@pytest.mark.parametrize("step", [
    lambda x, t: x[t], lambda x, t: x[-1 - t], lambda x, t: x[t, :, :],
    lambda x, t: tf.gather(x, t), lambda x, t: tf.transpose(x, [1, 2, 0])[..., t],
    lambda x, t: tf.reshape(x, [T * B, K])[t * B:t * B + B], lambda x, t: x[t // 2],
    lambda x, t: x[t] + x[max(t - 1, 0)], lambda x, t: x[0] + t])
def test_how_a_step_reads_its_input(step):
    loops = agree(lambda *xs: gradients(lambda *ys: rnn(*ys, step=step), *xs), XT, W, U, BIAS)
    assert (False, T) in loops or (False, T - 1) in loops


def test_lstm():
    assert agree(lstm, XT, WIDE, DEEP, LONG) == [(False, T)]
    loops = agree(lambda *xs: gradients(lstm, *xs), XT, WIDE, DEEP, LONG)
    assert loops[0] == (False, T) and (True, T - 2) in loops


def test_gru():
    assert agree(gru, XT, WIDE, DEEP, LONG) == [(False, T - 1)]  # zeros at first
    loops = agree(lambda *xs: gradients(gru, *xs), XT, WIDE, DEEP, LONG)
    assert loops[0] == (False, T - 1) and any(reverse for reverse, _ in loops)


def test_two_layers_one_after_another():
    def deep(x, w, u, bias):
        below = rnn(x, w, u, bias)
        return rnn(tf.stack(below, 1), u, u, bias)[-1], below[-1]

    once = [(False, T), (False, T - 1)]  # both begin with the same product
    assert agree(deep, X, W, U, BIAS) == once
    assert agree(lambda *xs: gradients(deep, *xs), X, W, U, BIAS)[:2] == once


def test_two_layers_in_one_loop_and_back():
    def both(x, w, u, bias):
        h = g = b = tf.zeros((B, N))
        backwards = []
        for t in range(T):
            h = tf.tanh(x[:, t] @ w + h @ u + bias)
            g = tf.tanh(h @ u + g * bias)
        for t in reversed(range(T)):
            b = tf.tanh(x[:, t] @ w - b @ u)
            backwards.append(b)
        return g, tf.stack(backwards[::-1], 1)

    assert agree(both, X, W, U, BIAS)[0][1] >= T - 1
    assert agree(lambda *xs: gradients(both, *xs), X, W, U, BIAS)[0][1] >= T - 1


def test_a_captured_input_is_a_constant():
    x = tf.constant(X)
    assert agree(lambda w, u, bias: gradients(lambda *ys: rnn(x, *ys), w, u, bias),
                 W, U, BIAS)[0] == (False, T)


# -- to the bit ------------------------------------------------------------------------------------
def euler(p, y):
    for _ in range(30):
        rates = [p[0] * y[0] - p[1] * y[0] * y[1], p[3] * y[0] * y[1] - p[2] * y[1]]
        y = y + 0.02 * tf.stack(rates)
    return y


def runge_kutta(p, y):
    def rate(y):
        return tf.stack([y[1], p[0] * (1 - y[0] ** 2) * y[1] - y[0]])

    h = 0.1
    for _ in range(12):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def lotka(p, y):
    a, b = y[0], y[1]
    for _ in range(40):
        a, b = a + 0.02 * (p[0] * a - p[1] * a * b), b + 0.02 * (p[3] * a * b - p[2] * b)
    return a, b


P, Y = np.array([1.5, 1.0, 3.0, 1.0], "f"), np.array([1.0, 0.7], "f")


@pytest.mark.parametrize("f, trips", [(euler, 30), (runge_kutta, 12), (lotka, 39)])
def test_differential_equations(f, trips):
    loops = agree(f, P, Y, bits=True)
    assert loops and sum(count for _, count in loops) >= trips - 1
    assert agree(lambda *xs: gradients(f, *xs), P, Y, bits=True)


def test_second_order():
    def curvature(p, y):
        with tf.GradientTape() as outer:
            outer.watch(p)
            with tf.GradientTape() as inner:
                inner.watch(p)
                total = tf.add_n(lotka(p, y))
            slope = inner.gradient(total, p)
        return slope, outer.gradient(slope, p)

    assert len(agree(curvature, P, Y, bits=True)) >= 2


def test_power_iteration():
    def power(a, v):
        for _ in range(20):
            v = tf.linalg.matvec(a, v)
            v = v / tf.norm(v)
        return v, tf.tensordot(v, tf.linalg.matvec(a, v), 1)

    assert agree(power, np.abs(drawn(4, 4)), np.ones(4, "f"))[0] == (False, 20)


def test_numbers_that_each_step_has():
    def annealed(x):
        for i in range(10):
            x = x * tf.constant(1.5 + i, x.dtype) - tf.sin(x) / (i + 2)
        return x

    assert agree(annealed, drawn(6), bits=True) == [(False, 10)]
    assert agree(annealed, drawn(6, dtype="f8"), bits=True) == [(False, 10)]


def test_integers_and_truth_values():
    def counted(n):
        odd = n > 2
        for _ in range(8):
            n = tf.where(odd, n * 3 + 1, n // 2)
            odd = tf.logical_and(n % 2 > 0, n < 100)
        return n, odd

    assert agree(counted, np.arange(7, dtype="i4"), bits=True)


def test_values_of_two_iterations_before():
    def fibonacci(a, b):
        for _ in range(12):
            a, b = b, a * 0.5 + b
        return a, b

    def delayed(a, b):
        found = [a, b, a + b]
        for _ in range(12):
            found.append(tf.sin(found[-1]) + found[-3] * 0.5)
        return found[5], found[-1]

    arrays = drawn(5), drawn(5)
    assert agree(fibonacci, *arrays, bits=True)[0][1] >= 10
    assert agree(delayed, *arrays, bits=True)[0][1] >= 10
    assert agree(lambda *xs: gradients(delayed, *xs), *arrays, bits=True)


def test_values_change_places():
    def swapped(a, b, c):
        for _ in range(11):
            a, b, c = b, c, a
            a = a + 1.5
            b = b * c
        return a, b, c

    assert agree(swapped, drawn(4), drawn(4), drawn(4), bits=True)


def test_a_first_iteration_that_differs():
    def different(x, y):
        best = tf.reduce_sum(x)
        for i in range(10):
            x = x * y if i == 0 else tf.sin(x) * y + best * 0.01
            best = tf.maximum(best, tf.reduce_sum(x))
        return x, best

    assert agree(different, drawn(5), drawn(5), bits=True)[0][1] >= 8


def test_what_the_first_iteration_computed_for_all():
    def shared(x, y):
        for _ in range(10):
            x = tf.sin(x) * (tf.exp(-y * y) * 0.5 + 0.4)
        return x

    assert agree(shared, drawn(5), drawn(5), bits=True)[0][1] >= 9


def test_nested_loops():
    def nested(x, y):
        for i in range(5):
            for _ in range(6):
                x = tf.sin(x) * 0.9 + y
            y = y * tf.tanh(x) + 0.1 * i
        return x, y

    assert (False, 4) in agree(nested, drawn(5), drawn(5), bits=True)
    assert agree(lambda *xs: gradients(nested, *xs), drawn(5), drawn(5), bits=True)


def test_loops_that_share_nothing_but_their_form():
    def three(x):
        for _ in range(6):
            x = tf.sin(x) + 1
        y = tf.reduce_sum(x)
        for _ in range(5):
            x = tf.cos(x) * y
        for _ in range(7):
            x = tf.cos(x) * y - x
        return x, y

    assert [count for _, count in agree(three, drawn(5), bits=True)] == [6, 5, 7]


# -- state -----------------------------------------------------------------------------------------
def test_variables_updated_in_each_iteration():
    v, m = tf.Variable(drawn(5)), tf.Variable(drawn(5))

    def descend(x):
        found = []
        for _ in range(8):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(v - x) + v * v)
            m.assign(0.9 * m + tape.gradient(loss, v))
            v.assign_sub(0.05 * m)
            found.append(loss)
        return tf.stack(found), v + 1.0

    loops = agree(descend, drawn(5), variables=(v, m), bits=True)
    assert loops and loops[0][1] >= 6


def test_random_numbers_stay_in_their_order():
    def noisy(x):
        for _ in range(8):
            x = tf.tanh(x) + tf.random.normal([5]) * 0.1
        return x, tf.random.uniform([3])

    def run(alternative):
        tf.random.set_seed(7)
        with forcing({"rolling.loop": alternative}):
            f = tf.function(noisy, jit_compile=True, autograph=False)
            return [x.numpy() for _ in range(2) for x in f(tf.ones(5))]

    for one, other in zip(run(True), run(False), strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_index_out_of_range_is_still_an_error():
    def picked(x, at):
        for _ in range(8):
            x = tf.sin(tf.gather(x, at))
        return x

    arrays = drawn(6), np.arange(6, dtype="i4")[::-1].copy()
    assert agree(picked, *arrays, bits=True)
    with forcing({"rolling.loop": True}):
        f = tf.function(picked, jit_compile=True, autograph=False)
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(tf.constant(arrays[0]), tf.constant(arrays[1] + 1))


# -- what is left as it is -------------------------------------------------------------------------
def test_all_values_before_are_looked_at():
    def history(x):
        found = [x]
        for _ in range(8):
            found.append(tf.sin(tf.add_n(found)))
        return found[-1]

    assert agree(history, drawn(5), bits=True) == []


def test_large_weights_are_not_copied_side_by_side():
    weights = [tf.Variable(drawn(300, 300, scale=0.05)) for _ in range(6)]

    def layers(x):
        for w in weights:
            x = tf.nn.relu(x @ w)
        return x

    assert agree(layers, drawn(2, 300)) == []
    small = [tf.Variable(drawn(3, 3)) for _ in range(6)]
    weights[:] = small
    assert agree(layers, drawn(2, 3)) == [(False, 6)]
    assert agree(lambda x: gradients(lambda y: layers(y), x), drawn(2, 3))


def test_short_loops_stay():
    def short(x):
        for _ in range(20):
            x = tf.sin(x) * 0.5
        return x

    graph = graph_of(short, drawn(5))
    assert len(roll(graph).nodes) == len(graph.nodes)


def test_the_same_graph_every_time():
    args = XT, WIDE, DEEP, LONG
    texts = {ir.text(rolled(graph_of(lambda *xs: gradients(lstm, *xs), *args))[0]).replace(
        "object at", "").split("GraphFunction")[0] for _ in range(3)}
    assert len(texts) == 1


def test_the_estimate_counts_what_is_compiled():
    def growth(trips):
        return lambda x: gradients(lambda x: many(x, trips), x)

    def many(x, trips):
        for _ in range(trips):
            x = tf.sin(x) * 0.5 + tf.cos(x) * x
        return x

    short, long = [cost.to_compile(graph_of(growth(n), X)) for n in (100, 200)]
    assert long < 1.1 * short
