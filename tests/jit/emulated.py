"""Native code on a machine that is only emulated: the compiler's choices and random programs.

    python -m tests.jit.emulated --every 10 --fuzz 100      here
    python -m tests.jit.emulated --widened                  with what is chosen for AVX-512

Prints first what the machine is, then what was run, each part with its time; status 1 if a result
was wrong. An emulator is slow: the parts are those of `tests/jit/test_choices.py`, or a sample of
them (`--every`). `--widened` makes the code that a machine with AVX-512 gets (vectors of 64 bytes,
32 registers, its tiles) and lets LLVM cut the vectors to the registers that there are: all is
executed but LLVM's own selection of AVX-512's instructions.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
import time
import traceback

os.environ["TAPEFLOW_CACHE"] = ""  # what is forced is not in the cache's keys

from tapeflow.jit.choices import watching
from tapeflow.jit.runtime import target
from tests.fuzz.fuzzing import fuzz
from tests.jit import choice_products, choice_programs, choice_sweep, choice_windows


def products(options) -> str:
    return f"{choice_products.run(1, options.seed, options.every)} matrix products"


def windows(options) -> str:
    every = options.every
    count = choice_windows.run(70 // every + 1, 2 if every == 1 else 0, options.seed)
    choice_windows.same_bits(10 // every + 1, options.seed)
    return f"{count} convolutions and poolings"


def programs(options) -> str:
    if options.every == 1:
        return f"{choice_sweep.sweep()} programs, each alternative of each choice once"
    names = list(choice_programs.PROGRAMS)[::options.every]
    for name in names:
        choice_sweep.Compiled(name).check()
    return f"{len(names)} programs"


def mixed(options) -> str:
    count = 40 // options.every + 1
    choice_sweep.mixed(count, options.seed)
    return f"{count} programs with several alternatives forced"


def random_programs(options) -> str:
    done = fuzz(range(options.seed, options.seed + options.fuzz), patience=5.0)
    if done.failed:
        raise AssertionError(f"of the random programs these seeds failed: {done.failed}")
    return done.summary()


PARTS = {"products": products, "windows": windows, "programs": programs, "mixed": mixed,
         "fuzz": random_programs}


def machine() -> str:
    goal = target.host()
    return (f"{platform.machine()}, LLVM's {goal.cpu}, vectors of {goal.vector} bytes, "
            f"{goal.registers} registers")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.jit.emulated", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--every", type=int, default=1, help="one in so many of each part")
    parser.add_argument("--fuzz", type=int, default=200, help="random programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--widened", action="store_true", help="the choices of AVX-512, here")
    options = parser.parse_args()
    wide = target.widened("avx512") if options.widened else None
    failed = 0
    with target.using(wide) if wide else contextlib.nullcontext(), watching() as taken:
        print(machine(), flush=True)
        for name in options.only:
            start = time.monotonic()
            try:
                words = PARTS[name](options)
            except Exception:
                failed += 1
                words = f"WRONG: {name}\n{traceback.format_exc()}"
            print(f"{words}, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{len(taken)} alternatives taken, {failed} parts failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
