"""tapeflow.checkpoint: the numbers of the function itself, within the budget."""

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.insight.tape_reports.segment_plan import Cost, make_plan

rng = np.random.default_rng(0)
WEIGHTS = [tf.Variable(rng.standard_normal((32, 32)).astype("f") * 0.2) for _ in range(24)]
X = tf.Variable(rng.standard_normal((50, 32)).astype("f"))
KEPT = 24 * 3 * 50 * 32 * 4


def network(x, scale=1.0):
    for w in WEIGHTS:
        z = x @ w
        x = tf.sigmoid(z) * tf.tanh(z) + scale * x
    return x, tf.reduce_sum(x * x)


def differentiated(function, calls=3):
    """Gradients, the bytes that the tape kept, of the last of some calls."""
    tf.random.set_seed(5)
    for _ in range(calls):
        with tf.GradientTape() as tape:
            y, loss = function(X)
            loss = loss + tf.reduce_mean(y)
        kept = tape.memory().total
        found = [g.numpy() for g in tape.gradient(loss, [X, *WEIGHTS])]
    return found, kept


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("budget", [KEPT * 2, KEPT // 2, KEPT // 3])
def test_same_numbers_within_the_budget(budget, calls):
    expected, plain = differentiated(network, calls)
    found, kept = differentiated(tf.checkpoint(network, budget=budget), calls)
    for a, b in zip(expected, found, strict=True):
        np.testing.assert_array_equal(a, b)
    # What the function returns is the caller's: 50 x 32 float32.
    assert kept <= budget + 50 * 32 * 4 if calls > 1 else kept <= plain
    assert budget < plain or kept <= plain + 50 * 32 * 4


def test_random_numbers_are_those_of_the_forward_pass():
    def noisy(x):
        for w in WEIGHTS[:8]:
            x = tf.nn.dropout(tf.tanh(x @ w), 0.3) + x
        return x, tf.reduce_sum(x * x)

    grads = []
    for function in (noisy, tf.checkpoint(noisy, budget=150_000)):
        tf.random.set_seed(5)
        for _ in range(3):
            with tf.GradientTape() as tape:
                _, loss = function(X)
            grads.append(tape.gradient(loss, [X, *WEIGHTS[:8]]))
    for plain, again in zip(grads[:3], grads[3:], strict=True):
        for a, b in zip(plain, again, strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_a_budget_that_cannot_be_met_says_the_least():
    with pytest.raises(ValueError, match="least is") as failure:
        differentiated(tf.checkpoint(network, budget=1000))
    least = int(str(failure.value).split("least is ")[1].split()[0].replace(",", ""))
    found, kept = differentiated(tf.checkpoint(network, budget=least))
    assert kept <= least + 50 * 32 * 4
    for a, b in zip(differentiated(network)[0], found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_arguments_of_all_kinds():
    @tf.checkpoint(budget=100)
    def f(pair, name, scale=2.0, n=None):
        a, b = pair["a"], pair["b"]
        return {"out": tf.sin(a * scale) * tf.cast(b, tf.float32) + n, "name": tf.constant(1)}

    x, n = tf.Variable(0.5), tf.constant(3.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(n)
            y = f({"a": x, "b": tf.constant(2)}, "x", n=n)["out"]
        dx, dn = tape.gradient(y, [x, n])
        np.testing.assert_allclose(dx.numpy(), 4 * np.cos(1.0), rtol=1e-6)
        assert float(dn) == 1.0
    assert float(f({"a": x, "b": tf.constant(2)}, "x", n=n)["out"]) == pytest.approx(
        2 * np.sin(1.0) + 3)


def test_higher_orders():
    def chain(x):
        for _ in range(12):
            x = tf.sin(tf.exp(-x) * 1.5)
        return x

    x = tf.Variable([0.3, 0.7])
    found = []
    again = tf.checkpoint(chain, budget=160)
    for function in (chain, again, again):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(function(x))
            g = inner.gradient(y, x)
        found.append(outer.gradient(g, x).numpy())
    np.testing.assert_allclose(found[1:], [found[0]] * 2, rtol=1e-6)


def test_python_that_goes_another_way():
    depth = [3]

    @tf.checkpoint(budget=60_000)
    def f(x):
        for w in WEIGHTS[:depth[0]]:
            x = tf.sigmoid(tf.tanh(x @ w))
        return x

    for n in (3, 6, 2, 6, 6):
        depth[0] = n
        grads = []
        for function in (f, f.__wrapped__):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(function(X))
            grads.append(tape.gradient(y, [X, *WEIGHTS[:n]]))
        for a, b in zip(*grads, strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_in_a_function_and_with_custom_gradients():
    @tf.custom_gradient
    def twice(x):
        return 2 * x, lambda g: 3 * g

    f = tf.checkpoint(lambda x: tf.exp(twice(tf.sin(x))), budget=1000)
    x = tf.Variable(0.5)

    def slope():
        with tf.GradientTape() as tape:
            y = f(x)
        return tape.gradient(y, x)

    expected = np.exp(2 * np.sin(0.5)) * 3 * np.cos(0.5)
    for one in (slope, slope, tf.function(slope, autograph=False)):
        assert float(one()) == pytest.approx(expected, rel=1e-5)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="callable"):
        tf.checkpoint(3, budget=1)
    for budget in (-1, 1.5, "1 MB", True):
        with pytest.raises(ValueError, match="bytes"):
            tf.checkpoint(network, budget=budget)


def test_plans():
    chain = [Cost(100, False, (i - 1,) if i else ()) for i in range(100)]
    least = make_plan(chain, 0)
    assert least.peak < 2.5 * 1000 and any(least.recomputed)  # about twice the square root
    assert make_plan(chain, 10_000).recomputed == [False]
    for budget in (least.peak, 4000, 7000, 9000):
        plan = make_plan(chain, budget)
        assert plan.peak <= budget
    kept = [sum(not one for one in make_plan(chain, b).recomputed) / len(make_plan(chain, b).starts)
            for b in (least.peak, 5000, 9000)]
    assert kept == sorted(kept) and kept[-1] > 0.5
    assert make_plan([], 0).peak == 0
    fixed = [Cost(100, True, ()) for _ in range(10)]
    assert make_plan(fixed, 10).peak == 1000


def test_the_first_call_reads_and_writes_variables_once():
    """Its walk back runs ops again, not Python: on what variables held in the forward pass."""
    w, count = tf.Variable(tf.ones([8, 8])), tf.Variable(0.0)

    def stack(x):
        count.assign_add(1.0)
        for _ in range(12):
            x = tf.tanh(x @ w)
        return tf.reduce_sum(x * x)

    x = tf.ones([16, 8])
    with tf.GradientTape() as tape:
        y = stack(x)
    expected = tape.gradient(y, w).numpy()
    count.assign(0.0)
    with tf.GradientTape() as tape:
        y = tf.checkpoint(stack, budget=5000)(x)
    w.assign(tf.zeros([8, 8]))
    np.testing.assert_allclose(tape.gradient(y, w), expected, rtol=1e-5)
    assert count.numpy() == 1.0


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_results_may_have_nones(wrap):
    w = tf.Variable(tf.ones([4, 4]))
    small = tf.checkpoint(lambda d, rate=1.0: {"a": tf.tanh(d["x"] @ w) * rate,
                                               "b": (None, d["x"])},
                          budget=1000)
    with tf.GradientTape() as tape:
        made = wrap(lambda x: small({"x": x}, rate=2.0))(tf.ones([3, 4]))
    assert made["b"][0] is None and made["b"][1].shape == [3, 4]
    assert tape.gradient(made["a"], w).shape == [4, 4]


def test_loops_of_tensors_inside_a_function():
    w = tf.Variable(0.1 * tf.ones([4, 4]))

    def stack(x, turns):
        while turns > 0:
            x, turns = tf.tanh(x @ w), turns - 1
        return tf.reduce_sum(x)

    def slope(f):
        with tf.GradientTape() as tape:
            y = f(tf.ones([3, 4]), tf.constant(5))
        return tape.gradient(y, w).numpy()

    np.testing.assert_allclose(slope(tf.function(tf.checkpoint(stack, budget=10_000))),
                               slope(stack), rtol=1e-5)
