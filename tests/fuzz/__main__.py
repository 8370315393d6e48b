"""Random programs in every mode, from the command line.

    python -m tests.fuzz --seconds 600           on all cores, with fresh seeds
    python -m tests.fuzz --seed 7 --count 1      one program again

Prints every failure as a small program that can be pasted, with its seed and what differs, and in
the end how much was done. Status 1 if something failed, or if hardly anything was compared.
"""

from __future__ import annotations

import argparse
import itertools
import os
import secrets
import sys

os.environ["TAPEFLOW_CACHE"] = ""  # what is kept from one program to the next hides the compiler

from tapeflow.base.process.cores import usable_cores
from tests.fuzz import record
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.workers import on_all_cores


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, help="after which no program is begun any more")
    parser.add_argument("--count", type=int, help="how many programs")
    parser.add_argument("--seed", type=int, help="of the first of them; a fresh one by default")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes")
    parser.add_argument("--shrink", type=float, default=60.0,
                        help="seconds to spend on making a failing program small")
    parser.add_argument("--hand", action="store_true",
                        help="only steps whose gradients are written by hand: more in a second")
    parser.add_argument("--show", action="store_true", help="print the programs")
    parser.add_argument("--record", action="store_true", help="add a line to docs/fuzzing.md")
    options = parser.parse_args()
    seed = secrets.randbits(40) if options.seed is None else options.seed
    count = options.count or (None if options.seconds else 500)
    print(f"seed {seed}", flush=True)
    if options.jobs == 1 or count == 1:
        seeds = itertools.count(seed) if count is None else range(seed, seed + count)
        done = fuzz(seeds, options.seconds, options.shrink, show=options.show,
                    hand=options.hand)
    else:
        done = on_all_cores(options.jobs, seed, count, options.seconds, options.shrink,
                            options.hand)
    print(done.summary())
    if done.fault():
        print(f"this is a failure: {done.fault()}")
    if options.record:
        record.write(seed, done, options.hand)
    return 1 if done.failed or done.fault() else 0


if __name__ == "__main__":
    sys.exit(main())
