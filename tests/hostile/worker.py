"""Executes calls with one library and writes what became of each. Started by `run.py`.

    python worker.py LIBRARY CALLS OUTCOMES FIRST

It imports nothing else of this folder but `values`, so that TensorFlow's Python can execute it.
A line of OUTCOMES: the call's number, what came of it, and for exceptions the message. A number
alone is written before the call: what follows if the process dies is a crash.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from values import OBJECT_TYPES

MEMORY = 6 << 30  # bytes that calls may take
SECONDS = 10  # of computing, not of waiting: the machine may be busy
MEMBERS = 3  # of a dataset or another iterator


def limit_memory() -> None:
    """Let the process grow by MEMORY, and no further."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def describe(value, tf, depth: int = 0) -> str:
    """A value's dtypes and shapes; what is lazy is asked for a few members."""
    name = type(value).__name__
    if depth > 3:
        return "…"
    if isinstance(value, tf.data.Dataset):
        got = [describe(one, tf, depth + 1) for one, _ in zip(value, range(MEMBERS))]
        return f"Dataset[{', '.join(got)}]"
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor)):
        return f"{name} {value.dtype.name}"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        dtype = getattr(value.dtype, "name", value.dtype)
        return f"{dtype} {tuple(value.shape)}".replace("\n", " ")
    if isinstance(value, (list, tuple)):
        return f"({', '.join(describe(one, tf, depth + 1) for one in value[:8])})"
    if isinstance(value, dict):
        return f"dict of {len(value)}"
    return name


class Late(BaseException):
    """The call takes too long; not an Exception, which libraries catch."""


def outcome(text: str, names: dict, tf) -> tuple[str, str]:
    def alarm(*_):
        raise Late
    signal.signal(signal.SIGPROF, alarm)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)
    try:
        try:
            return f"value {describe(eval(text, dict(names)), tf)}", ""
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except Late:
        return "hang", ""
    except Exception as error:
        return f"raises {type(error).__name__}", message(error)
    except BaseException as error:  # SystemExit, say
        return f"raises {type(error).__name__}", ""


def message(error: Exception) -> str:
    """The first words of a message, and the line of the library that raised it."""
    trace, where = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if "tapeflow" in code.co_filename:
            where = f"{code.co_filename.rpartition('tapeflow/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    try:
        return f"{where} {str(error)[:150]}".replace("\n", " ")
    except Exception:
        return where


def main() -> None:
    library, calls, outcomes, first = sys.argv[1:]
    warnings.simplefilter("ignore")
    tf, np = importlib.import_module(library), importlib.import_module("numpy")
    tf.zeros([1]) + tf.ones([1])
    names = {"tf": tf, "np": np, **OBJECT_TYPES}
    limit_memory()
    with open(calls) as file:
        texts = json.load(file)
    with open(outcomes, "a") as out, open(os.devnull, "w") as null, \
            contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
        for number in range(int(first), len(texts)):
            out.write(f"{number}\n")
            out.flush()
            kind, words = outcome(texts[number], names, tf)
            out.write(json.dumps([number, kind, words]) + "\n")
            out.flush()
    os._exit(0)  # threads of a call that hung do not keep the process


if __name__ == "__main__":
    main()
