"""Native programs among threads, processes, copies and variables that are unlike the usual ones."""

import copy
import os
import threading
import time

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.jit.runtime import executable, fork_gate
from tapeflow.jit.runtime.native_call import call_stub


@pytest.fixture(autouse=True)
def at_once(using):
    """Functions are compiled at their first call."""
    using(jit="now")


# -- variables -------------------------------------------------------------------------------------
def test_a_variable_that_is_a_truth_value():
    flag, count = tf.Variable(True), tf.Variable(0.0)

    @tf.function
    def turn():
        flag.assign(tf.logical_not(flag))
        count.assign_add(1.0)

    seen = []
    for _ in range(3):
        turn()
        seen.append(bool(flag.numpy()))
    assert seen == [False, True, False] and float(count) == 3.0
    assert bool(np.bool_(1)) and not bool(np.bool_(0))  # shared objects: not written to


def test_a_variable_that_others_read_all_the_time(monkeypatch):
    v = tf.Variable(tf.zeros(4))

    @tf.function
    def grow(x):
        v.assign_add(x)
        return v + 0.0

    grow(tf.ones(4))
    held = []
    unshare = call_stub.unshare

    def owned(variable):  # a thread that reads just then
        unshare(variable)
        held.append(variable._snapshot)

    monkeypatch.setattr(call_stub, "unshare", owned)
    held.append(v.read_value())
    assert grow(tf.ones(4)).numpy().tolist() == [2.0] * 4
    assert len(held) > 2 and all(x.numpy().tolist() == [1.0] * 4 for x in held)


def test_a_variable_that_is_assigned_while_a_long_program_begins(monkeypatch):
    size = 1_000_000  # a long program on every machine
    v = tf.Variable(tf.zeros(size))

    @tf.function
    def grow(x):
        v.assign_add(tf.sin(x) * 0.0 + 1.0)
        return tf.reduce_sum(v)

    x = tf.ones(size)
    assert float(grow(x)) == size
    native = next(iter(grow._traces.by_key.values())).function._program.native
    assert not native._simple
    enter, turns = native._enter, []

    def entered(*args):
        found = enter(*args)
        if not turns:  # another thread, right after addresses were taken
            turns.append(v.assign(tf.fill([size], 5.0)))
        return found

    monkeypatch.setattr(native, "_enter", entered)
    # Whatever other tests left running.
    monkeypatch.setattr(executable, "_accompanied", lambda: False)
    assert float(grow(x)) == 6.0 * size and v.numpy()[0] == 6.0


def test_threads_run_assign_and_read():
    v = tf.Variable(tf.zeros(100_000))

    @tf.function
    def grow(x):
        v.assign_add(x)
        return tf.reduce_sum(tf.sin(v))

    x = tf.ones(100_000)
    grow(x)
    failures = []

    def work(act):
        try:
            for _ in range(60):
                act()
        except Exception as error:
            failures.append(error)

    acts = [lambda: grow(x), lambda: grow(x), lambda: v.assign(tf.zeros(100_000)), v.read_value]
    threads = [threading.Thread(target=work, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# -- errors ----------------------------------------------------------------------------------------
def test_one_bad_index_among_many_that_tasks_look_up():
    @tf.function
    def pick(table, indices):
        return tf.sin(tf.gather(table, indices)) * 2.0

    table = tf.random.normal([500, 64])
    indices = np.arange(20_000, dtype=np.int32) % 500
    good = pick(table, tf.constant(indices))
    assert good.shape == (20_000, 64)
    for place in (0, 7_001, 19_999):
        bad = indices.copy()
        bad[place] = 500
        with pytest.raises(tf.errors.InvalidArgumentError, match="500 is not in"):
            pick(table, tf.constant(bad))
    np.testing.assert_array_equal(pick(table, tf.constant(indices)), good)


def test_errors_tell_of_the_ops_that_were_written():
    @tf.function
    def total(x, n):
        found = tf.zeros([])
        for i in tf.range(n):
            found += x[i]
        return found

    assert float(total(tf.ones(3), tf.constant(3))) == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 3 of dimension 0"):
        total(tf.ones(3), tf.constant(4))


# -- what is not numbers ---------------------------------------------------------------------------
def test_text_among_results():
    f = tf.function(lambda x: (x * 2.0, "text", tf.cond(
        x[0] > 0, lambda: tf.constant("yes"), lambda: tf.constant("no"))))
    found = f(tf.ones(3))
    assert found[0].numpy().tolist() == [2.0] * 3
    assert [x.numpy() for x in found[1:]] == [b"text", b"yes"]


def test_the_gradient_of_loops_in_loops():
    @tf.function
    def f(x, n):
        total = tf.constant(0.0)
        for i in tf.range(n):
            y = x
            for _ in tf.range(i):
                y = y * x
            total += y
        return total

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(4))
    assert float(y) == 12.1875 and float(tape.gradient(y, x)) == 24.25


# -- copies ----------------------------------------------------------------------------------------
class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.count = tf.Variable(tf.zeros(3))
        self.run = tf.function(self.step)

    def step(self, x):
        self.count.assign_add(x)
        return self.count * 2.0


def test_a_copied_object_runs_on_its_own_variables():
    one = Counter()
    for _ in range(20):
        one.run(tf.ones(3))
    other = copy.deepcopy(one)
    for _ in range(20):
        other.run(tf.ones(3))
    assert one.count.numpy()[0] == 20.0 and other.count.numpy()[0] == 40.0


# -- processes -------------------------------------------------------------------------------------
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_made_while_a_thread_compiles():
    inside, go = threading.Event(), threading.Event()

    def compiling():
        with fork_gate.planning(), fork_gate.compiling:
            inside.set()
            go.wait()

    thread = threading.Thread(target=compiling)
    thread.start()
    inside.wait()
    # The fork takes this lock before those of the gate, which it then waits for.
    releasing = threading.Thread(target=lambda: (_taken(fork_gate._registering), go.set()))
    releasing.start()
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        os._exit(0 if fork_gate.compiling.acquire(timeout=300) else 1)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
    releasing.join()


def test_a_fork_waits_for_a_thread_that_begins_to_plan_just_then(monkeypatch):
    late, llvm = threading.RLock(), threading.RLock()

    class Registering:
        """While a fork waits for it, a thread registers its lock and llvmlite is imported."""

        def acquire(self):
            fork_gate._planning_locks.add(late)
            monkeypatch.setattr(fork_gate, "_llvm_lock", lambda: llvm)

        def release(self):
            pass

    monkeypatch.setattr(fork_gate, "_registering", Registering())
    monkeypatch.setattr(fork_gate, "_llvm_lock", lambda: None)
    fork_gate._before_fork()
    held = late._is_owned(), llvm._is_owned()
    fork_gate._after_fork()
    assert held == (True, True) and not late._is_owned() and not llvm._is_owned()


def _taken(lock):
    """Return when somebody holds a lock."""
    while not lock.locked():
        time.sleep(0.001)


# -- rounding --------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [100, 3001, 70_000])
def test_the_mean_of_float16_divides_by_a_float16(size):
    x = tf.constant(np.linspace(0, 8, size).astype(np.float16) * np.float16(100 / size))
    f = tf.function(tf.reduce_mean)
    np.testing.assert_array_equal(f(x), tf.reduce_mean(x))
    ones = tf.ones(size, tf.float16)
    np.testing.assert_array_equal(f(ones), np.nan if size > 65_519 else np.float16(1.0))
