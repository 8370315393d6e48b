"""One library at one size of one curve, in a process of its own; started by `growth.py`.

    python growth_worker.py LIBRARY MODULE CURVE SIZE

It prints `ready` and the library's version, or `none`, and answers each line on stdin: `value` with
the number of one step, `step` with the seconds that one takes, `peak` with the most bytes that the
process held.
"""

import importlib
import os
import resource
import sys
import time

from worker import ALIASES, as_number

BLOCK = 0.05  # seconds: shorter steps are timed together, as a program repeats them
OPTIONS = {"xla": {"jit_compile": True}, "tapeflow": {"jit_compile": True}}


def peak() -> int:
    """The most bytes of memory that this process held, libraries included."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def seconds_of(step, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        step()
    return (time.perf_counter() - start) / count


def main() -> None:
    library, kind, curve, size = sys.argv[1:]
    if curve == "threads":  # the same for every library
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:int(size)])
    module = importlib.import_module(ALIASES.get(library, library))
    cases = importlib.import_module(kind)
    step = cases.step_of(module, curve, int(size), **OPTIONS.get(library, {}))
    if step is None:
        print("none", flush=True)
        return
    print("ready", getattr(module, "tapeflow_version", module.__version__), flush=True)
    count = 1
    for line in sys.stdin:
        if line == "value\n":
            print(as_number(step()), flush=True)
        elif line == "peak\n":
            print(peak(), flush=True)
        else:
            seconds = seconds_of(step, count)
            count = max(1, int(BLOCK / max(seconds, 1e-7)))
            print(seconds, flush=True)


if __name__ == "__main__":
    main()
