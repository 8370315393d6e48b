"""Signals at random moments of programs: what the handler raises must come out, nothing must break.

    python -m tests.core.signal_stress --count 900 --seed 1

Each program runs in a loop; an alarm rings once at a random moment and its handler raises an
exception. It is *lost* when it does not come out of the loop, *changed* when another comes out, and
the process is *broken* when the program does not give the same numbers afterwards or something of
the interrupted run is still active. Python itself drops what is raised while a finaliser or a weak
reference's callback runs, and NumPy explains some; what others do so counts as *dropped*.
"""

from __future__ import annotations

import argparse
import dis
import gc
import logging
import random
import signal
import sys
import threading
import time
import traceback
import types
from collections import Counter
from collections.abc import Callable

import numpy as np

import tapeflow as tf
from tapeflow.core.state import state

# Not AttributeError: Python's own `hasattr` and `functools.wraps` take it for an answer.
KINDS = (TimeoutError, TypeError, ValueError, RuntimeError, KeyError, IndexError, KeyboardInterrupt)
ROUNDS_UNTIL_LOST = 200  # of a program after the handler has run


def eager() -> float:
    x, w = tf.ones([4, 3]), tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w) ** 2 + tf.concat([x, x], 0)[0, 1])
        g = tape.gradient(loss, w)
    return float(tf.reduce_sum(g)) + float(tf.reduce_sum(outer.gradient(g, w)))


def forward() -> float:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as acc:
        y = tf.reduce_sum(tf.sin(x) * x)
    return float(acc.jvp(y))


def _step() -> Callable[[], float]:
    x, start = tf.ones([8, 3]), np.full([3, 2], 0.5, "float32")
    w = tf.Variable(start)

    def step() -> tf.Tensor:
        w.assign(start)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softplus(x @ w) ** 2)
        g = tape.gradient(loss, w)
        w.assign_sub(0.1 * g)
        return loss + tf.reduce_sum(w)

    return step


def _run(function: Callable) -> Callable[[], float]:
    return lambda: float(function())


def retraced() -> float:
    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        if tf.reduce_sum(x) > 0:
            x = x * 2.0
        for _ in tf.range(3):
            x = x + 1.0
        return tf.reduce_sum(x)

    return float(f(tf.ones(3)))


def pipeline() -> float:
    data = tf.data.Dataset.range(12).map(lambda x: x * 2, num_parallel_calls=2)
    data = data.shuffle(5, seed=1).batch(3).prefetch(2)
    return float(sum(int(tf.reduce_sum(batch)) for batch in data))


def structures() -> float:
    nested = {"a": [tf.ones(2), (1.0, 2.0)], "b": tf.constant([[1, 2], [3, 4]])}
    flat = tf.nest.flatten(tf.nest.map_structure(lambda x: tf.cast(x, tf.float32) + 1.0, nested))
    ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
    return sum(float(tf.reduce_sum(x)) for x in flat) + float(tf.reduce_sum(ragged + 1.0))


def programs() -> dict[str, Callable[[], float]]:
    return {"eager": eager, "forward": forward, "structures": structures, "retraced": retraced,
            "step": _run(_step()),
            "function": _run(tf.function(_step())),
            "native": _run(tf.function(_step(), jit_compile=True)),
            "compile": lambda: float(tf.function(_step(), jit_compile=True)()),
            "pipeline": pipeline}


class Alarm:
    """The handler: raises its exception once."""

    where = ""

    def __init__(self, error: BaseException):
        self.error, self.rang = error, False

    def __call__(self, number: int, frame: object) -> None:
        if not self.rang:
            self.rang = True
            self.where = " < ".join(f"{f.name}:{f.lineno}" for f in reversed(
                traceback.extract_stack(frame)[-5:]))
            raise self.error


def one(program: Callable[[], float], kind: type, delay: float) -> str:
    """What became of an exception: "" if it came out as it was."""
    alarm = Alarm(kind("of the handler"))
    dropped: list[str] = []
    before, hook = signal.signal(signal.SIGALRM, alarm), sys.unraisablehook
    sys.unraisablehook = lambda it: dropped.append(
        f"{it.object!r}: " + " < ".join(f"{f.filename}:{f.lineno}" for f in reversed(
            traceback.extract_tb(it.exc_traceback)[:-1])))
    left = ROUNDS_UNTIL_LOST
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        while left:
            program()
            left -= alarm.rang
    except BaseException as got:
        if got is not alarm.error:
            steps = traceback.extract_tb(got.__traceback__)
            return f"{'dropped' if by_library(got) else 'changed'}: {got!r} at " + " < ".join(
                f"{f.filename}:{f.lineno}" for f in steps[-3:])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook
        caught = caught_in(alarm.error)
        del alarm.error  # and its traceback, which keeps what the program had
    if not left:
        others = dropped and "tapeflow/" not in "".join(dropped)
        others = others or "tapeflow/" not in caught
        return f"{'dropped' if others else 'lost'}: {dropped} {alarm.where}"
    return ""


def caught_in(error: BaseException) -> str:
    """The file whose code caught it: a traceback begins there.

    "" where built-in code has dropped it, behind a frame that it left.
    """
    first = error.__traceback__
    if first is None or _left(first.tb_frame, first.tb_lasti):
        return ""
    return first.tb_frame.f_code.co_filename


def _left(frame: types.FrameType, raised_at: int) -> bool:
    """Whether an exception ended the frame: nothing ran in it after, but what raises it again."""
    last = frame.f_lasti
    return last == raised_at or dis.opname[frame.f_code.co_code[last]] == "RERAISE"


def by_library(error: BaseException) -> bool:
    """Whether it was raised in place of another outside tapeflow, as `inspect` does.

    Not in `threading`: tapeflow starts its threads where no handler runs.
    """
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    return "tapeflow/" not in last and last != threading.__file__


def unlisted() -> set[int]:
    """Threads that `threading` does not list: C started them, or their start was cut short."""
    return {*sys._current_frames()} - {one.ident for one in threading.enumerate()}


def settle(others: set[int]) -> None:
    """Let go of what was interrupted, and wait for threads whose start was.

    What their finalisers say (Python's and llvmlite's) belongs to the interrupted program.
    others: unlisted threads that were there before.
    """
    gc.collect()
    end = time.monotonic() + 30
    while time.monotonic() < end and not unlisted() <= others:
        time.sleep(0.01)


def after(program: Callable[[], float], expected: float) -> str:
    """What is wrong with the process after an interrupted run."""
    with tf.GradientTape() as tape:
        if len(state.stack) != 1:
            return f"broken: {state.stack} listen"
        x = tf.Variable(3.0)
        y = x * x
    if state.trace is not None or state.stack or state.recorder is not None:
        return f"broken: trace {state.trace}, stack {state.stack}, recorder {state.recorder}"
    if float(tape.gradient(y, x)) != 6.0:
        return "broken: another gradient"
    got = program()
    return "" if abs(got - expected) <= 1e-5 * abs(expected) else f"broken: {got} for {expected}"


def stress(count: int, seed: int, show: Callable[[str], None] = print) -> Counter:
    """Interrupt the programs by turns; how often each kind of fault was met."""
    logging.disable(logging.WARNING)  # `logging` drops exceptions too
    others = unlisted()
    try:
        return _stress(count, seed, show)
    finally:
        settle(others)
        logging.disable(logging.NOTSET)


def _stress(count: int, seed: int, show: Callable[[str], None]) -> Counter:
    draw, found, chosen = random.Random(seed), Counter(), programs()
    expected = {name: [program() for _ in range(3)][-1] for name, program in chosen.items()}
    for k in range(count):
        name = list(chosen)[k % len(chosen)]
        kind = KINDS[draw.randrange(len(KINDS))]
        fault = one(chosen[name], kind, draw.uniform(1e-4, 2e-2))
        fault = fault or after(chosen[name], expected[name])
        if fault:
            found[fault.partition(":")[0]] += 1
            show(f"{k} {name} {kind.__name__} {fault}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=900)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    found = stress(asked.count, asked.seed)
    print(f"{asked.count} signals: {dict(found) or 'all came out'}")
    return bool(found - Counter(dropped=found["dropped"]))


if __name__ == "__main__":
    sys.exit(main())
