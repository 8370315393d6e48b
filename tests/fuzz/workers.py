"""Programs on all cores: a few processes, each for long, so that nothing starts anew.

A process that dies (native code may do anything) is a failure of the program it was at; another
one goes on behind it. A process ends after some thousand programs, with the memory that LLVM and
Python keep.
"""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import time

from tests.fuzz.fuzzing import Done, again, fuzz

LIFE = 1500  # programs of one process


def on_all_cores(jobs: int, seed: int, count: int | None, seconds: float | None,
                 patience: float, hand: bool = False) -> Done:
    """Check programs from a seed on in so many processes; hand: see `generate.program`."""
    context = multiprocessing.get_context("fork")
    at = context.Array("q", jobs)  # the seed that each is at
    queue = context.SimpleQueue()
    start, total = time.monotonic(), Done()

    def left() -> float | None:
        return None if seconds is None else seconds - (time.monotonic() - start)

    def run(worker: int, first: int) -> None:
        gc.freeze()  # what was imported stays

        def begin(this: int) -> None:
            at[worker] = this

        last = itertools.count(first, jobs) if count is None else range(
            first, seed + count, jobs)
        done = fuzz(itertools.islice(last, LIFE), left(), patience,
                    lambda text: print(text, flush=True), begin, hand=hand)
        queue.put(done)

    def begin(worker: int, first: int):
        at[worker] = first
        process = context.Process(target=run, args=(worker, first))
        process.start()
        return process

    def unfinished(first: int) -> bool:
        enough = count is not None and first >= seed + count
        return not enough and (seconds is None or left() > 0)

    running = {worker: begin(worker, seed + worker) for worker in range(jobs)}
    while running:
        time.sleep(0.05)
        while not queue.empty():
            total.add(queue.get())
        for worker, process in list(running.items()):
            if process.is_alive():
                continue
            process.join()
            del running[worker]
            if process.exitcode:
                broken = Done()
                broken.programs, broken.failed = 1, [at[worker]]
                total.add(broken)
                print(f"# seed {at[worker]}: the process ended with {process.exitcode}\n"
                      f"{again(at[worker], hand)}", flush=True)
            if unfinished(at[worker] + jobs):
                running[worker] = begin(worker, at[worker] + jobs)
    while not queue.empty():
        total.add(queue.get())
    total.seconds = time.monotonic() - start
    return total
