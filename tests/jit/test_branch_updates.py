"""Variables that branches update: changed where they lie, and only if nothing fails."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tapeflow as tf
from tapeflow.jit.choices import forcing
from tapeflow.jit.codegen.control_flow_codegen import BranchImpl
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.pipeline import compile

SIZE = 600
X = np.linspace(-1, 1, SIZE, dtype="f")


def heavy(x):
    """What is not computed on both sides."""
    return tf.math.cumsum(x) + x


def update(on, x, a, b):
    def change():
        a.assign(a + heavy(x))
        b.assign_sub(heavy(a * x))
        return tf.reduce_sum(a)

    return tf.cond(on, change, lambda: tf.reduce_sum(b))


def swap(on, x, a, b):
    def change():
        first, second = a + 0.0 * heavy(x), tf.identity(b)
        a.assign(second)
        b.assign(first)
        return 1.0

    return tf.cond(on, change, lambda: 2.0)


def cross(on, x, a, b):
    """One side gives a variable what the other held."""
    def change():
        a.assign(b)
        b.assign(heavy(a))
        return 1.0

    def other():
        b.assign(a)
        a.assign(heavy(b) * x)
        return 2.0

    return tf.cond(on, change, other)


def both(on, x, a, b):
    """Two branches in turn, and a variable that all sides change."""
    first = update(on, x, a, b)
    a.assign_add(x)
    return first + update(tf.logical_not(on), x, b, a)


def old(on, x, a, b):
    """What a variable held before is needed behind the branch."""
    before = tf.identity(a)
    result = update(on, x, a, b)
    return result + tf.reduce_sum(before * heavy(a))


def rows(on, x, a, b):
    """The new value is made of other elements of the old one."""
    def change():
        a.assign(tf.reverse(a, [0]) + heavy(x))
        b.assign(tf.reshape(tf.transpose(tf.reshape(b, [20, 30])), [SIZE]))
        return 0.0

    return tf.cond(on, change, lambda: 1.0)


def in_a_branch(on, x, a, b):
    def change():
        b.assign_add(heavy(x))
        return tf.cond(a[0] > 0.0, lambda: update(on, x, a, b), lambda: update(on, x, b, a))

    return tf.cond(on, change, lambda: 0.0)


STEPS = (update, swap, cross, both, old, rows, in_a_branch)


def held(step, native: bool):
    """The results of some steps, and what the variables hold in the end."""
    a, b = tf.Variable(X * 2 + 1), tf.Variable(X**2)
    call = tf.function(lambda on, x: step(on, x, a, b), jit_compile=True) if native else (
        lambda on, x: step(on, x, a, b))
    found = [np.asarray(call(tf.constant(on), tf.constant(X * k)))
             for k, on in enumerate([True, False, True, True, False], 1)]
    if native:
        assert tf.compiler.explain(call).native
    return [*found, a.numpy(), b.numpy()]


@pytest.mark.parametrize("placed", [True, False], ids=["in place", "apart"])
@pytest.mark.parametrize("step", STEPS)
def test_steps_are_those_of_eager(step, placed):
    with forcing({"control.update": placed}):
        for got, wanted in zip(held(step, True), held(step, False), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-4)


def kernels(step):
    a, b = tf.Variable(X), tf.Variable(X)
    graph = tf.function(lambda on, x: step(on, x, a, b)).get_concrete_function(
        tf.TensorSpec([], tf.bool), tf.TensorSpec([SIZE])).function.graph
    return compile(graph).function


def test_an_update_moves_nothing_around():
    function = kernels(update)
    _, branch = function.plan.kernels  # the condition as a number, and
    assert isinstance(branch, CustomKernel) and isinstance(branch.impl, BranchImpl)
    variables = function.bindings.variables.values()
    assert {function.bindings.slots[value][0] for value in branch.impl.updates} == {*variables}
    assert function.arena < 3 * 4 * SIZE  # the branch's own values: no copies of variables
    with forcing({"control.update": False}):
        assert len(kernels(update).plan.kernels) == 4


def test_what_is_needed_later_is_not_changed_in_place():
    function = kernels(old)
    assert function.bindings.variables  # and what follows reads what was there before
    branch = next(one for one in function.plan.kernels if isinstance(one, CustomKernel))
    placed = {function.bindings.slots.get(value, (0, 0))[0] for value in branch.impl.updates}
    assert placed != {*function.bindings.variables.values()}


def gathering(second: bool):
    """A step that fails in one of its branches if the index is out of range, and its variables."""
    a, b, count = tf.Variable(X), tf.Variable(X), tf.Variable(0)

    def change(index):
        a.assign(heavy(a) + tf.gather(X, index))
        b.assign(heavy(b))
        return True

    def other(index):
        b.assign(b + tf.gather(X, index + 1))
        return False

    def step(on, index):
        done = tf.cond(on, lambda: change(index), lambda: False)
        if second:
            done = tf.cond(on, lambda: other(index), lambda: True)
        count.assign_add(1)
        return done

    return step, (a, b, count)


@pytest.mark.parametrize("placed", [True, False], ids=["in place", "apart"])
@pytest.mark.parametrize("second", [False, True], ids=["first", "second"])
def test_an_index_out_of_range_changes_what_it_changes_in_eager_mode(second, placed):
    (step, ours), (plain, wanted) = gathering(second), gathering(second)
    native = tf.function(step, jit_compile=True)
    bad = SIZE - 1 if second else SIZE
    with forcing({"control.update": placed}):
        for on, index in ((True, 3), (True, bad), (False, bad), (True, 7), (True, bad)):
            for call in (native, plain):
                try:
                    call(tf.constant(on), tf.constant(index))
                except tf.errors.InvalidArgumentError:
                    assert on and index == bad
                else:
                    assert not on or index != bad
            for mine, theirs in zip(ours, wanted, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)
    assert tf.compiler.explain(native).native


@pytest.mark.parametrize("first", [
    lambda x: x @ x, lambda x: tf.tanh(x @ x) + x, lambda x: (x @ x) @ x,
    lambda x: tf.nn.conv2d(x[None, :, :, None], tf.ones((3, 3, 1, 1)), 1, "SAME")[0, :, :, 0]])
def test_of_what_a_body_assigns_only_the_last_counts(first):
    """A product that is assigned and never read has no memory, and is not made."""
    a, x = tf.Variable(tf.zeros((30, 30))), tf.linspace(0.0, 1.0, 900)

    @tf.function
    def step(x):
        x = tf.reshape(x, (30, 30))
        for t in tf.range(3):
            a.assign(first(x))
            a.assign(tf.cumsum(x) * tf.cast(t, tf.float32))
        return tf.reduce_sum(a)

    with tf.config.settings.using(jit="now", checks=0):
        got = step(x)
    want = 2 * np.cumsum(np.reshape(x, (30, 30)), 0)
    np.testing.assert_allclose(a, want, rtol=1e-5)
    np.testing.assert_allclose(got, want.sum(), rtol=1e-5)
