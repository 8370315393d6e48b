"""Times one library in a process of its own; started by `race.py`, which talks to it in lines.

Its arguments are the library and the module of cases. The library `xla` is TensorFlow again, and
`inductor` PyTorch: what their cases make of that is theirs.

Each line on stdin is a case and the seconds to spend on it; each answer is the best time of one
step in seconds. A line `value CASE` answers with the result of one step, so that the caller can
see that all libraries compute the same; `first CASE` with the seconds that one call takes.
"""

import importlib
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
BLOCK_SECONDS = 0.005
# A library once more, with what its cases are told.
ALIASES = {"xla": "tensorflow", "inductor": "torch"}
OPTIONS = {"xla": {"jit_compile": True}, "inductor": {"compiled": True}}


def best_time(step, seconds: float) -> float:
    """The least time of one step over many blocks of steps, each about BLOCK_SECONDS long."""
    clock = time.perf_counter
    for _ in range(3):
        step()
    start = clock()
    step()
    count = max(1, round(BLOCK_SECONDS / max(clock() - start, 1e-7)))
    best, deadline = float("inf"), clock() + seconds
    while clock() < deadline:
        turns = range(count)
        start = clock()
        for _ in turns:
            step()
        best = min(best, (clock() - start) / count)
    return best


def as_number(value) -> float:
    """The sum of the sizes of a result of any of the libraries; of several, of the first."""
    if isinstance(value, (list, tuple)):
        return as_number(value[0])
    value = value.detach() if hasattr(value, "detach") else value
    array = value.numpy() if hasattr(value, "numpy") else value.__array__()
    return float(abs(array).sum(dtype="float64"))


SETTLED = 2100  # calls after which tapeflow's functions and ops have the executor that stays


def settle(module, step) -> None:
    """Let tapeflow compile what it compiles; long steps settle after fewer calls."""
    if hasattr(module, "tapeflow_version"):
        end = time.perf_counter() + 3
        for call in range(SETTLED):
            step()
            if call > 300 and time.perf_counter() > end:
                break


def main() -> None:
    library, kind = sys.argv[1:]
    module = importlib.import_module(ALIASES.get(library, library))
    options = OPTIONS.get(library, {})
    cases = importlib.import_module(kind).cases(module, **options)
    print("ready", getattr(module, "tapeflow_version", module.__version__), flush=True)
    ready = set()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "value":
            print(as_number(cases[rest]()), flush=True)
        elif word == "first":
            start = time.perf_counter()
            cases[rest]()
            print(time.perf_counter() - start, flush=True)
        else:
            if word not in ready:
                ready.add(word)
                settle(module, cases[word])
            print(best_time(cases[word], float(rest)), flush=True)


if __name__ == "__main__":
    main()
