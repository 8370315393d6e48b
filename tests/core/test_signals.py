"""What the handler of a signal raises comes out as it is, and what it met goes on as before."""

import ast
import contextlib
import functools
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tapeflow as tf
from tapeflow.base.exception_origin import ignoring, start_thread, unsignalled
from tapeflow.core.record.op import define
from tapeflow.core.state import Lock, state
from tests.core import signal_stress

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")


class Watchdog(Exception):
    """Of the user's own."""


KINDS = [TimeoutError, Watchdog, KeyboardInterrupt, ValueError, TypeError, IndexError, RuntimeError,
         ZeroDivisionError, AttributeError, FloatingPointError, MemoryError, NotImplementedError]


@pytest.fixture
def alarm():
    """`alarm(kind)`: the handler raises one exception, which is returned, at the next signal."""
    before = signal.getsignal(signal.SIGALRM)

    def prepare(kind):
        error = kind("broadcast: of the handler")  # a word that a kernel's message may have

        def handler(number, frame):
            raise error

        signal.signal(signal.SIGALRM, handler)
        return error

    yield prepare
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class Armed:
    """Raises an exception at the next signal, once; a signal may come at any moment."""

    def __init__(self, error):
        self.error, self.on = error, False

    def __call__(self, number, frame):
        if self.on:
            self.on = False
            raise self.error


def interrupted(function, error, delay):
    """Call a function again and again until a signal; the very exception must come out.

    Python drops what is raised in callbacks of weak references, and libraries raise others in its
    place: then it is tried again.
    """
    armed, got = Armed(error), None
    signal.signal(signal.SIGALRM, armed)
    while got is not error:
        try:
            while True:
                if not armed.on:
                    armed.on = True
                    signal.setitimer(signal.ITIMER_REAL, delay)
                function()
        except BaseException as caught:
            got = caught
        assert got is error or signal_stress.by_library(got), f"{error!r} became {got!r}"


# An op whose kernel gets a signal in its middle while there is an alarm, however fast the machine.
ringing: list = []


def _kernel(x):
    if ringing:
        signal.raise_signal(signal.SIGALRM)
    return x + 1


noisy = define("noisy", kernel=_kernel, shape=lambda x: x, vjp=(lambda g, y, x: noisy(g),),
               private=True)


@pytest.fixture
def ring():
    ringing.append(1)
    yield ringing
    ringing.clear()


def whole():
    """Nobody listens, nothing is traced, nothing is locked for others."""
    assert (state.trace, state.stack, state.recorder) == (None, (), None)
    found = []
    v = tf.Variable(1.0)

    def work():
        v.assign_add(1.0)
        f = tf.function(lambda x: x + v)
        g = tf.function(lambda x: x * v, jit_compile=True)
        found.append((float(f(tf.constant(1.0))), float(g(tf.constant(2.0)))))
        tf.random.normal([2])

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(300)
    assert found == [(3.0, 4.0)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("mode", ["eager", "off", "now"])
def test_in_the_middle_of_a_kernel(mode, kind, alarm, ring, using):
    using(jit="off" if mode == "eager" else mode)
    v, x = tf.Variable([1.0, 2.0]), tf.constant([3.0, 4.0])

    def step(x):
        v.assign_add(noisy(x))
        return v + 0.0

    f = step if mode == "eager" else tf.function(step)
    error = alarm(kind)
    with pytest.raises(kind) as caught:
        f(x)
    assert caught.value is error
    ring.clear()
    assert v.numpy().tolist() == [1.0, 2.0] and f(x).numpy().tolist() == [5.0, 7.0]
    whole()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_in_the_middle_of_a_gradient(kind, alarm, ring):
    x = tf.Variable([3.0, 4.0])
    error = alarm(kind)
    with pytest.raises(kind) as caught:
        with tf.GradientTape() as tape:
            ring.clear()
            y = noisy(x * 1.0)
        ring.append(1)
        tape.gradient(y, x)
    assert caught.value is error
    whole()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_in_the_middle_of_a_trace(kind, alarm):
    error, traced = alarm(kind), []

    @tf.function
    def f(x):
        if not traced:
            traced.append(1)
            signal.raise_signal(signal.SIGALRM)
        return tf.reshape(x, [-1]) * 2.0

    with pytest.raises(kind) as caught:
        f(tf.constant([1.0]))
    assert caught.value is error and f(tf.constant([1.0])).numpy().tolist() == [2.0]
    whole()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_in_the_middle_of_a_compile(kind, alarm, monkeypatch):
    from tapeflow.jit.runtime import llvm_backend
    error, load = alarm(kind), llvm_backend.load_objects
    ringing = [1]

    def interrupted_load(*args):
        if ringing:
            ringing.clear()
            signal.raise_signal(signal.SIGALRM)
        return load(*args)

    monkeypatch.setattr(llvm_backend, "load_objects", interrupted_load)
    f = tf.function(lambda x: tf.sin(x) * 3.5, jit_compile=True)
    with pytest.raises(kind) as caught:
        f(tf.constant([0.0]))
    assert caught.value is error and f(tf.constant([0.0])).numpy().tolist() == [0.0]
    assert next(iter(f._traces.by_key.values())).function._program.native is not None
    whole()


@pytest.mark.parametrize("kind", [TimeoutError, Watchdog, ValueError])
def test_in_the_middle_of_callbacks(kind, alarm, ring):
    error = alarm(kind)

    def outside(x):
        signal.raise_signal(signal.SIGALRM)
        return x

    def elements():
        yield 1.0
        signal.raise_signal(signal.SIGALRM)

    data = tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
    for call in (lambda: tf.py_function(outside, [tf.constant(1.0)], tf.float32),
                 lambda: tf.numpy_function(outside, [tf.constant(1.0)], tf.float32),
                 lambda: tf.map_fn(outside, tf.ones([2])),
                 lambda: list(data),
                 lambda: list(tf.data.Dataset.range(3).map(
                     lambda x: tf.py_function(outside, [x], tf.int64)))):
        with pytest.raises(kind) as caught:
            call()
        assert caught.value is error
    whole()


def test_handlers_of_every_form(alarm, ring):
    error = Watchdog("of the handler")

    class Handler:
        def __call__(self, number, frame):
            raise error

        def method(self, number, frame):
            raise error

    def handler(first, number, frame):
        raise error

    alarm(Watchdog)
    for form in (Handler(), Handler().method, functools.partial(handler, 1),
                 lambda *_: handler(1, *_)):
        signal.signal(signal.SIGALRM, form)
        with pytest.raises(Watchdog) as caught:
            noisy(tf.ones(2))
        assert caught.value is error


def test_what_kernels_raise_is_explained_as_before(alarm):
    alarm(TimeoutError)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        tf.ones([2]) + tf.ones([3])
    with pytest.raises(tf.errors.InvalidArgumentError, match="MatMul"):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_lock_is_free_after_a_signal_at_its_release():
    lock, raised = Lock(), []

    def at_release(frame, event, arg):  # where a handler may run, before `__exit__` does anything
        if frame.f_code is Lock.__exit__.__code__ and not raised:
            raised.append(1)
            raise Watchdog

    for depth in (0, 1):
        raised.clear()
        before = sys.gettrace()
        with lock if depth else contextlib.nullcontext():
            sys.settrace(at_release)
            try:
                with pytest.raises(Watchdog):
                    lock.during(lambda: None)
            finally:
                sys.settrace(before)
            assert lock._count == depth
        taken = []
        thread = threading.Thread(target=lock.during, args=(taken.append, 1), daemon=True)
        thread.start()
        thread.join(60)
        assert taken == [1]


def test_signals_at_random_moments():
    told = []
    found = signal_stress.stress(90, random.randrange(2**32), told.append)
    assert set(found) <= {"dropped"}, told


def test_a_tape_that_could_not_end_is_forgotten():
    def interrupted():
        tape = tf.GradientTape()
        tape.__enter__()  # and `__exit__` does not get to its first statement

    def pushed():
        accumulator = tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0))
        accumulator.__enter__()

    x = tf.Variable(3.0)
    for leave_behind in (interrupted, pushed):
        leave_behind()
        with tf.GradientTape() as tape:
            assert state.stack == (tape._record,)
            y = x * x
        assert state.stack == () and float(tape.gradient(y, x)) == 6.0
        leave_behind()
        assert float(tf.function(lambda: x * 2.0)()) == 6.0 and state.stack == ()


def test_a_tape_that_began_and_did_not_know_is_recorded_once():
    x, tape = tf.Variable(3.0), tf.GradientTape()
    tape.__enter__()
    tape._recording = False  # as an exception between the two statements leaves it
    with tape:
        assert len(state.stack) == 1
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0
    whole()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_would_be_ignored_is_not(kind, alarm):
    def caught():
        try:
            signal.raise_signal(signal.SIGALRM)
        except unsignalled(kind):
            pass

    def ignored():
        with ignoring(kind):
            signal.raise_signal(signal.SIGALRM)

    error = alarm(kind)
    for call in (caught, ignored):
        with pytest.raises(kind) as found:
            call()
        assert found.value is error
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    with ignoring(kind):
        raise kind
    try:
        raise kind
    except unsignalled(kind):
        pass


def replaced(error):
    """As `inspect` does: another is raised in place of one that was caught."""
    try:
        signal.raise_signal(signal.SIGALRM)
    except ValueError:
        raise ValueError("not a valid kind") from error


@pytest.mark.parametrize("cause", [None, KeyError("a cause")])
def test_what_a_library_raises_in_its_place_is_not_ignored(alarm, cause):
    error = alarm(ValueError)
    with pytest.raises(ValueError, match="not a valid kind") as found, ignoring(ValueError):
        replaced(cause)
    assert found.value.__context__ is error


def test_errors_met_while_a_signal_is_handled_are_the_librarys_own(alarm):
    alarm(ValueError)
    try:
        signal.raise_signal(signal.SIGALRM)
    except ValueError:
        with ignoring(ValueError):
            int("of the library")


def test_an_exception_that_built_in_code_drops_is_nobodys():
    class Left:
        def __getattr__(self, name):
            try:
                raise error
            finally:
                self.seen = name

    def caught():
        try:
            raise error
        except AttributeError:
            return

    error = AttributeError("of the handler")
    assert not hasattr(Left(), "anything") and signal_stress.caught_in(error) == ""
    error = AttributeError("of the handler")
    caught()
    assert signal_stress.caught_in(error) == __file__


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_signals_at_any_moment(alarm):
    v, w = tf.Variable(tf.zeros(50)), tf.Variable(tf.eye(8))
    x, others = tf.ones([16, 8]), signal_stress.unlisted()

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        v.assign_add(tf.ones(50))

    compiled = tf.function(step, jit_compile=True)
    compiled()
    for k, function in enumerate([compiled, tf.function(step), lambda: tf.function(step)(),
                                  lambda: tf.linalg.inv(w + tf.eye(8)),
                                  lambda: list(tf.data.Dataset.range(20).map(tf.abs))] * 6):
        error = (TimeoutError if k % 2 else Watchdog)("of the handler")
        interrupted(function, error, 0.002 * (1 + k % 4))
        found = v.numpy()
        assert found.min() == found.max()
        compiled()
        assert np.all(v.numpy() == found + 1.0)
        del error
        signal_stress.settle(others)
    whole()


def test_threads_begin_whole_or_not_at_all(monkeypatch):
    """A handler's exception in the middle of Thread.start leaves half a thread behind."""
    failed, ran, interruptions = [], [], 0

    def note(what):  # the handler's own, in a weak reference's callback, is not ours
        if not isinstance(what.exc_value, Watchdog):
            failed.append(repr(what.exc_value))

    monkeypatch.setattr(threading, "excepthook", note)
    monkeypatch.setattr(sys, "unraisablehook", note)

    def raise_watchdog(*_):
        raise Watchdog("of the handler")

    end = threading.Event()  # one that takes signals: its handler runs in the main thread
    other = threading.Thread(target=end.wait)
    other.start()
    before = signal.signal(signal.SIGALRM, raise_watchdog)
    try:
        for k in range(1500):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 1e-7 * k)
                start_thread(threading.Thread(target=ran.append, args=(k,), daemon=True))
                time.sleep(1e-3)
            except Watchdog:
                interruptions += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        end.set()
        other.join()
    while threading._limbo:  # those whose start is still to come
        time.sleep(1e-3)
    assert interruptions > 1000 and ran and not failed
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_handler_does_not_run_in_the_middle_of_a_start(alarm):
    """Whichever thread the signal reaches: this one has one beside it that takes all."""
    error, end, steps = alarm(Watchdog), threading.Event(), []

    class Slow(threading.Thread):
        def start(self):
            os.kill(os.getpid(), signal.SIGALRM)
            time.sleep(0.1)
            super().start()

        def run(self):
            steps.append("run")
            end.set()

    other = threading.Thread(target=end.wait, args=(60,))
    other.start()
    with pytest.raises(Watchdog) as caught:
        start_thread(Slow())
    assert caught.value is error
    other.join()
    assert steps == ["run"]


# -- who catches -----------------------------------------------------------------------------------
BROAD = {kind.__name__ for kind in (*KINDS, Exception, BaseException, OSError, LookupError,
                                    ArithmeticError)} - {"KeyboardInterrupt"}
LAYERS = ("base", "core", "ops", "graph", "jit", "data")  # that run at every moment of a program


def catches(handler):
    """The broad kinds that a clause catches whoever has raised them."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {kind.id for kind in kinds if isinstance(kind, ast.Name)} & BROAD


def looks(handler):
    """Whether the clause asks where the exception comes from, or passes it on in any case."""
    calls = {node.func.id for node in ast.walk(handler)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    last = handler.body[-1]
    return bool(calls & {"from_handler", "from_library", "accidental"}) or (
        isinstance(last, ast.Raise) and last.exc is None)


def test_every_clause_that_catches_much_looks_at_the_origin():
    root = Path(tf.__file__).parent
    found = [f"{path.relative_to(root).as_posix()} {' '.join(sorted(catches(clause)))}"
             for layer in LAYERS for path in sorted((root / layer).rglob("*.py"))
             for clause in ast.walk(ast.parse(path.read_text()))
             if isinstance(clause, ast.ExceptHandler) and catches(clause) and not looks(clause)]
    assert set(found) == {
        "base/exception_origin.py BaseException",  # in a thread, where no handler runs
        "core/fp_errors.py AttributeError TypeError",  # while it is imported
        "data/iterators/threads.py BaseException",  # in threads, where no handler runs
    }
