"""Memory: no cycles, nothing kept that no rule saves, freed while walking."""

import gc
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.settings import settings
from tapeflow.jit.tiering import background

MEGABYTE = 1 << 20
LARGE = np.ones(MEGABYTE, np.float32)  # 4 MB: large beside what imports and threads allocate


@pytest.fixture(autouse=True)
def no_compiler(using):
    """What is measured is the tape's memory, not that of a compiler at work beside it."""
    using(jit="off")
    background.wait()  # for what tests before have begun
    for thread in threading.enumerate():
        if thread.name == "tapeflow-compiler":
            thread.join(60)


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def grown(step, count: int) -> int:
    """Bytes that `count` more steps leave behind."""
    for _ in range(50):
        step()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(count):
        step()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before


def test_tape_steps_leave_nothing_behind(no_collector):
    w, x = tf.Variable([1.0, 2.0]), tf.constant([3.0, 4.0])

    def step():
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = tf.sin(w * x) * w
            g = tape.gradient(y, w)
        outer.gradient(g, w)
        w.assign_sub(0.0 * g)

    assert grown(step, 500) < 20_000


def test_failing_steps_leave_nothing_behind(no_collector):
    w = tf.Variable([1.0, 2.0])

    def step():
        try:
            with tf.GradientTape():
                w * w * tf.constant([1.0, 2.0, 3.0])
        except tf.errors.InvalidArgumentError:
            pass

    assert grown(step, 300) < 20_000


@pytest.mark.parametrize("forward", [True, False])
def test_accumulators_and_persistent_tapes_leave_nothing_behind(no_collector, forward):
    x = tf.constant([1.0, 2.0])

    def step():
        if forward:
            with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
                y = tf.sin(x) * x
            acc.jvp(y)
        else:
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = tf.sin(x) * x
            tape.jacobian(y, x)
            tape.gradient(y, x)

    assert grown(step, 300) < 20_000


def traced_peak(run) -> int:
    """Without the compiler, which has memory of its own while it works beside."""
    background.wait()
    gc.collect()
    with settings.using(jit="off"):
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


def test_additions_keep_no_operands():
    x = tf.constant(LARGE)

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(100):
                y = y + x
        assert tape.gradient(y, x).numpy()[0] == 101.0

    assert traced_peak(run) < 12 * LARGE.nbytes


def test_what_rules_save_is_freed_while_walking():
    x = tf.constant(LARGE)
    seen = []

    @tf.custom_gradient
    def probe(t):
        def grad(g):
            seen.append(tracemalloc.get_traced_memory()[0])
            return g
        return t, grad

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = probe(x)
            for _ in range(40):
                y = tf.sin(y)
            y = probe(y)
        tape.gradient(y, x)

    traced_peak(run)
    at_the_end, at_the_start = seen[-1], seen[0]
    assert at_the_start - at_the_end > 30 * LARGE.nbytes


def test_a_persistent_tape_frees_on_del(no_collector):
    x = tf.Variable(np.ones(1000, np.float32))
    with tf.GradientTape(persistent=True) as tape:
        held = tf.sin(x)
        y = held * held
    watcher = weakref.ref(held)
    tape.gradient(y, x)
    del held, y
    assert watcher() is not None
    del tape
    assert watcher() is None


def test_recompute_grad_lowers_the_peak():
    x = tf.constant(LARGE)

    def block(t):
        for _ in range(8):
            t = tf.sin(t)
        return t

    def training(layer):
        def run():
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in range(6):
                    y = layer(y)
            tape.gradient(y, x)
        return run

    assert traced_peak(training(tf.recompute_grad(block))) < 0.5 * traced_peak(training(block))
