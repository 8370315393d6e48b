"""Which executor serves a call: the same one in every run, and never one that is wrong."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.graph.executor.interface import MISS
from tapeflow.jit.runtime.executable import Executable
from tapeflow.jit.runtime.image_cache import cache_files
from tapeflow.jit.tiering import background, cost, graph_tiering
from tapeflow.jit.verification import native_comparison
from tests.jit.agreement import graph_of


@pytest.fixture(autouse=True)
def automatic(monkeypatch, using, tmp_path):
    using(jit="auto")
    using(checks=1000)
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path)


def program_of(function, *args):
    return function.get_concrete_function(*args).function._program


def wave(x):
    return tf.reduce_sum(tf.sin(x) * tf.exp(-x * x) + tf.tanh(x))


X = tf.constant(np.random.default_rng(0).normal(size=2000).astype("f"))


@pytest.mark.parametrize("early", [True, False])
def test_native_code_takes_over_at_a_fixed_call(early):
    f = tf.function(wave)
    f(X)
    program = program_of(f, X)
    call = graph_tiering.takes_over_at(program.graph)
    assert graph_tiering.begins_at(program.graph) < call
    for _ in range(call - 2):
        f(X)
        if early:
            background.wait()
        assert not program.settled
    f(X)
    assert program.settled and program.checked.same


def test_the_call_depends_on_the_graph_alone():
    small, large = tf.function(wave), tf.function(wave)
    small(X), large(tf.ones(1_000_000))
    calls = [graph_tiering.takes_over_at(program_of(f, x).graph)
             for f, x in ((small, X), (large, tf.ones(1_000_000)))]
    assert calls[1] < calls[0] <= graph_tiering.MOST + graph_tiering.LONGEST


def test_one_executor_serves_from_the_first_call_on_with_op_determinism(using):
    using(determinism=True)
    f = tf.function(wave)
    first = f(X).numpy()
    assert program_of(f, X).settled
    assert all(f(X).numpy().tobytes() == first.tobytes() for _ in range(50))


def test_a_function_that_is_short_is_native_where_that_pays():
    f = tf.function(lambda x: x + 1.0)
    x = tf.constant(1.0)
    f(x)
    call = graph_tiering.takes_over_at(program_of(f, x).graph)
    for _ in range(call + 40):
        assert float(f(x)) == 2.0
    assert program_of(f, x).settled and f._native is not None
    # Under a tape there is no direct way in, and NumPy takes less time than the general one.
    for _ in range(call + 40):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(tape.gradient(y, x)) == 1.0
    (derivative,) = f.get_concrete_function(x).function._derivatives.values()
    assert derivative.forward._program.reason is graph_tiering.SHORT


def wrong(monkeypatch, first=0):
    """Let native code add 1 to its results from a run on."""
    right, runs = Executable.run, [0]

    def run(self, arrays, variables):
        runs[0] += 1
        return tuple(y + 1 if runs[0] > first else y for y in right(self, arrays, variables))

    monkeypatch.setattr(Executable, "run", run)


@pytest.mark.parametrize("jit", [True, None])
def test_native_code_that_is_wrong_does_not_stay_and_says_so(monkeypatch, tmp_path, jit):
    wrong(monkeypatch)
    v = tf.Variable([1.0, 2.0])

    @tf.function(jit_compile=jit)
    def f(x):
        v.assign_add(x)
        return tf.reduce_sum(tf.sin(x)) + tf.reduce_sum(v)

    x = tf.constant([0.5, 0.25])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for call in range(graph_tiering.MOST + graph_tiering.LONGEST):
            want = float(tf.reduce_sum(tf.sin(x)) + tf.reduce_sum(v + x))
            assert float(f(x)) == pytest.approx(want, rel=1e-5), call
            if program_of(f, x).reason:
                break
    assert program_of(f, x).reason is graph_tiering.WRONG and not program_of(f, x).settled
    (told,) = [one for one in caught if one.category is tf.compiler.MiscompileWarning]
    assert told.filename == __file__
    (path,) = (tmp_path / "reports").glob("*.py")
    assert str(path) in str(told.message)


def test_a_difference_is_found_later_too(monkeypatch, using):
    using(checks=5)
    monkeypatch.setattr(graph_tiering, "SHARE", 0)
    wrong(monkeypatch, first=2)  # the comparison and the run of the first call are right
    f = tf.function(wave, jit_compile=True)
    f(X)
    assert program_of(f, X).settled
    with pytest.warns(tf.compiler.MiscompileWarning):
        for _ in range(8):
            last = f(X)
    np.testing.assert_allclose(last, wave(X), rtol=1e-5)


def test_calls_by_the_direct_way_are_compared_too(monkeypatch, using):
    using(checks=50)
    monkeypatch.setattr(graph_tiering, "SHARE", 0)
    f = tf.function(lambda x: x * 2.0, jit_compile=True)
    x = tf.constant([1.0, 2.0])
    for _ in range(40):
        f(x)
    assert f._native is not None
    seen = program_of(f, x).checked
    for _ in range(60):
        f(x)
    assert program_of(f, x).checked is not seen


def test_a_short_function_is_native_from_its_fixed_call_on():
    f = tf.function(lambda x: x + 1.0)
    x = tf.constant(1.0)
    f(x)
    call = graph_tiering.takes_over_at(program_of(f, x).graph)
    for _ in range(call - 2):
        f(x)
    assert not program_of(f, x).settled
    f(x)
    assert program_of(f, x).settled and program_of(f, x).checked.same


def test_no_call_goes_to_native_code_that_was_found_wrong(using, monkeypatch):
    using(checks=5)
    monkeypatch.setattr(graph_tiering, "SHARE", 0)
    f = tf.function(lambda x: x * 2.0, jit_compile=True)
    x = tf.constant([1.0, 2.0])
    f(x), f(x)
    direct = f._native
    assert direct is not None
    monkeypatch.setattr(native_comparison.Comparison, "judge",
                        lambda *_: native_comparison.Outcome(False, 1.0))
    with pytest.warns(tf.compiler.MiscompileWarning):
        for _ in range(8):
            f(x)
    assert direct((x,)) is MISS and f._native is None
    assert program_of(f, x).reason is graph_tiering.WRONG


def test_each_signature_has_its_own_direct_call():
    f = tf.function(lambda x: x * 2.0, jit_compile=True)
    one, two = tf.ones(1), tf.ones(2)
    for x in (one, two):
        f(x), f(x)
        assert f._native((x,)) is not MISS
    f(one)
    assert f._native((one,)) is not MISS and f._native((two,)) is MISS


def test_comparisons_can_be_switched_off(monkeypatch):
    tf.compiler.set_checks(0)
    assert tf.compiler.get_checks() == 0
    f = tf.function(wave, jit_compile=True)
    f(X)
    assert program_of(f, X).settled and program_of(f, X).checked is None
    with pytest.raises(ValueError, match="expected 0"):
        tf.compiler.set_checks(-1)


def test_a_comparison_changes_neither_variables_nor_random_numbers(monkeypatch, using):
    def results(checks):
        using(checks=checks)
        monkeypatch.setattr(graph_tiering, "SHARE", 0)
        tf.random.set_seed(3)
        v = tf.Variable(tf.zeros([4]))

        @tf.function(jit_compile=True)
        def step():
            v.assign_add(tf.random.normal([4]) * tf.nn.dropout(tf.ones([4]), 0.5))
            return tf.reduce_sum(v)

        found = [step().numpy().tobytes() for _ in range(8)]
        checked = step._traces.in_order[0].function._program.checked
        assert (checked is not None and checked.same) if checks else checked is None
        return found, v.numpy().tobytes()

    assert results(1) == results(0)


def test_the_file_shows_the_difference_again(monkeypatch, tmp_path):
    v = tf.Variable([[1.0], [2.0]])

    @tf.function(jit_compile=True)
    def f(x):
        y = tf.constant(0.0)
        for i in tf.range(3):
            y += tf.reduce_sum(x @ v) * tf.cast(i, tf.float32)
        v.assign_sub(0.1 * v)
        return tf.cond(y > 0.0, lambda: y, lambda: -y), tf.argmax(x, 1)

    with monkeypatch.context() as patch:
        wrong(patch)
        with pytest.warns(tf.compiler.MiscompileWarning):
            f(tf.ones([5, 2]))
    (path,) = (tmp_path / "reports").glob("*.py")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True,
                          env={**os.environ, "TAPEFLOW_CACHE": ""})
    assert done.returncode == 0 and "agrees" in done.stdout, done.stderr
    broken = path.read_text().replace("repeat(r",
                                      "from tapeflow.jit.runtime.executable import Executable\n"
                                      "run = Executable.run\n"
                                      "Executable.run = lambda *a: tuple(y + 1 for y in run(*a))\n"
                                      "repeat(r")
    path.write_text(broken)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True,
                          env={**os.environ, "TAPEFLOW_CACHE": ""})
    assert done.returncode == 1 and "other results" in done.stderr


def test_a_gather_costs_what_it_makes():
    def rows(n):
        graph = graph_of(lambda x, i: tf.gather(x, i), np.zeros((n, 8), np.float32),
                         np.zeros(4, np.int32))
        return cost.on_numpy(graph)

    assert rows(10) == rows(1_000_000)


def training_step(size):
    """A step that changes two variables, on NumPy as costly as its product."""
    w, count = tf.Variable(tf.ones((size, size))), tf.Variable(0.0)

    @tf.function
    def step(x):
        w.assign_sub(0.001 * (x @ w))
        count.assign_add(1.0)
        return tf.reduce_sum(w)

    return step, tf.ones((size, size))


@pytest.mark.parametrize("size", [320, 1024])
def test_a_heavy_training_step_is_native_at_its_first_call(size):
    step, x = training_step(size)
    step(x)
    program = program_of(step, x)
    assert program.settled and program.checked.same
    assert program._numpy is None  # NumPy's program was not even made


def test_a_light_training_step_is_compiled_from_its_first_call_on(monkeypatch):
    monkeypatch.setattr(graph_tiering, "AT_ONCE", 0)
    step, x = training_step(128)
    step(x)
    assert cost.on_numpy(program_of(step, x).graph) < graph_tiering.STEP
    step, x = training_step(320)
    step(x)
    graph = program_of(step, x).graph
    assert graph_tiering.begins_at(graph) == 1 < graph_tiering.takes_over_at(graph)


def test_of_what_takes_long_on_numpy_a_later_run_is_compared(monkeypatch):
    monkeypatch.setattr(graph_tiering, "COMPARABLE", 0.0)
    monkeypatch.setattr(graph_tiering.settings, "checks", 5)
    step, x = training_step(1024)
    step(x)
    checked = program_of(step, x).checked
    assert checked.same is None and "NumPy takes long; run 5 will be" in checked.why
    assert "not compared with NumPy: NumPy takes long" in str(tf.compiler.explain(step, x))
    for _ in range(3):
        step(x)
    assert program_of(step, x).checked.same is None
    step(x)
    assert program_of(step, x).checked.same is True
