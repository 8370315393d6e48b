"""Branches that become selections, and those that must not."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.lowering import late_values
from tapeflow.jit.passes import branch_selection
from tapeflow.jit.pipeline import compile
from tests.jit.agreement import graph_of

X = np.linspace(-2, 2, 12, dtype="f").reshape(3, 4)


def kernels(f, *args):
    """The plan's kernels, after the results of native code have been compared with eager's."""
    native = compile(graph_of(f, *args))
    for a, b in zip(native.run([np.asarray(x) for x in args], []),
                    tf.nest.flatten(f(*[tf.constant(x) for x in args])), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-6)
    return [getattr(getattr(kernel, "impl", None), "text", "loop")
            for kernel in native.function.plan.kernels]


def branches(texts):
    return [text for text in texts if "branches" in text]


@pytest.mark.parametrize("on", [True, False])
def test_light_bodies_are_selected(on):
    def f(x, on):
        return tf.cond(on, lambda: (x * 2.0, tf.sqrt(x)), lambda: (x, x + 1.0))

    assert not branches(kernels(f, X, np.array(on)))
    with forcing({"control.branch": "body"}):
        assert branches(kernels(f, X, np.array(on)))


@pytest.mark.parametrize("a", [-1.0, 0.5, 3.0])
def test_branches_in_branches(a):
    def f(x, a):
        return tf.cond(a > 0.0, lambda: tf.cond(a > 1.0, lambda: x / a, lambda: x * a),
                       lambda: x - a)

    assert not branches(kernels(f, X, np.float32(a)))


HEAVY = {
    "a reduction": lambda x: x - tf.reduce_max(x),
    "a long chain": lambda x: x + sum([tf.sin(x * float(i)) for i in range(9)]),
    "a product": lambda x: tf.matmul(x, x, transpose_b=True) @ x,
}


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_bodies_stay(name):
    assert branches(kernels(lambda x, on: tf.cond(on, lambda: HEAVY[name](x), lambda: x), X,
                            np.array(True)))


def test_a_body_that_may_fail_is_not_run_unasked():
    """A division by 0, and an index out of range, in the body that is not taken."""
    def f(n, i, x):
        return (tf.cond(tf.equal(n, 0), lambda: n, lambda: 7 // n),
                tf.cond(i < 3, lambda: x[i], lambda: x[0]))

    function = tf.function(f, jit_compile=True)
    found = function(tf.constant(0), tf.constant(9), tf.constant([1.0, 2.0, 3.0]))
    assert [float(one) for one in found] == [0.0, 1.0]


def test_an_update_that_is_skipped_when_a_gradient_is_not_finite():
    """Loss scaling: the variable is changed in place, by one fused loop."""
    v, m = tf.Variable(X), tf.Variable(X * 0)

    def step(g):
        def update():
            m.assign(0.9 * m + 0.1 * g)
            v.assign_sub(0.5 * m)
            return True

        return tf.cond(tf.reduce_all(tf.math.is_finite(g)), update, lambda: False)

    function = tf.function(step, jit_compile=True)
    assert function(tf.constant(X))
    np.testing.assert_allclose(v, X - 0.05 * X, rtol=1e-6)
    before = v.numpy().copy()
    assert not function(tf.constant(np.where(X > 1, np.nan, X)))
    np.testing.assert_array_equal(v, before)
    assert "branches" not in str(tf.compiler.explain(function))


@pytest.mark.parametrize("on", [True, False])
def test_what_is_selected_by_a_later_condition_is_computed_with_it(on):
    """One loop writes the variables: nothing is kept for the time when the condition is known."""
    def f(x, w, m, on):
        g = tf.matmul(x, w)
        taken = tf.reduce_all(tf.math.is_finite(g)) & on

        def update():
            after = 0.9 * m + 0.1 * g
            return w - 0.5 * after, after

        return tf.cond(taken, update, lambda: (w, m))

    w = np.eye(12, dtype="f")
    native = compile(graph_of(f, w, w, w, np.array(on)))
    assert not branches(kernels(f, w, w, w, np.array(on)))
    *_, last = native.function.plan.kernels
    assert len(last.makes) == 2  # the new w and m, each selected
    assert sum(len(kernel.makes) for kernel in native.function.plan.kernels) <= 6


def test_what_nobody_uses_waits_for_nothing():
    """Elementwise nodes without users, behind a product: they are computed with it, or not at all.
    """
    def f(x):
        y = tf.matmul(x, x, transpose_b=True)
        z = y * 2.0
        return x + 1.0, z

    graph = graph_of(f, X)
    graph.outputs = graph.outputs[:1]
    assert not late_values.late_values(graph)


def test_every_kernel_that_is_called_total_is_so():
    """Whole numbers that make others fail: 0, and the ends of the range."""
    ends = np.array([0, -1, 1, np.iinfo(np.int64).min, np.iinfo(np.int64).max])
    with np.errstate(all="raise"):
        for kernel in branch_selection.TOTAL:
            kernel(ends[:, None], ends)
