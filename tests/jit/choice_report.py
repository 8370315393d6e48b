"""The full sweep over the compiler's choices, and which of them it did not take.

    python -m tests.jit.choice_report --times 3 --seed 0

It runs, on all cores and against NumPy:
- matrix products with every combination of a product's decisions (kernel, flip, packing, overlap,
  blocks, tasks; what becomes of the sums), each `times` times with other sizes, strides, dtypes and
  vector widths; every tile and every block of dot products at its edges, for every vector width
- convolutions, their gradients and poolings with alternatives forced; on 1, 2 and 3 threads, which
  must give the same bits
- the programs of `choice_programs` with each alternative of each choice that they meet, one at a
  time; and 500 × `times` draws of 2 to 11 alternatives at once

Status 1 if a result was wrong or an alternative was not taken.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import multiprocessing
import os
import sys
import time
import traceback

from tapeflow.base.process.cores import usable_cores
from tapeflow.jit.choices import CHOICES, watching
from tapeflow.jit.runtime import target
from tests.jit import choice_products, choice_programs, choice_sweep, choice_windows

SHARES = 6  # of the programs and of the draws, to be dealt out to cores


def products(times: int, seed: int, _: int) -> str:
    return f"{choice_products.run(times, seed)} matrix products"


def windows(times: int, seed: int, _: int) -> str:
    count = choice_windows.run(300 * times, 4 * times, seed)
    choice_windows.same_bits(20 * times, seed)
    return f"{count} convolutions and poolings"


def sweep(times: int, seed: int, share: int) -> str:
    names = list(choice_programs.PROGRAMS)[share::SHARES]
    return f"{choice_sweep.sweep(None, names)} programs with one alternative forced, at most"


def mixed(times: int, seed: int, share: int) -> str:
    count = 500 * times // SHARES + 1
    choice_sweep.mixed(count, seed * SHARES + share)
    return f"{count} programs with several alternatives forced"


def run(part, times: int, seed: int, share: int) -> tuple[str, dict, set, str]:
    """What was done, the alternatives that there are and that were taken, and what was wrong."""
    start = time.monotonic()
    with watching() as taken:
        try:
            words, wrong = part(times, seed, share), ""
        except Exception:
            words, wrong = part.__name__, traceback.format_exc()
    # Modules declare their choice points when they are imported: in this process alone.
    known = {name: choice.alternatives(target.host()) for name, choice in CHOICES.items()}
    return f"{words}, {time.monotonic() - start:.0f} s", known, taken, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3, help="how often each combination comes")
    parser.add_argument("--seed", type=int, default=0, help="of sizes, strides and dtypes")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="processes")
    options = parser.parse_args()
    os.environ["TAPEFLOW_CACHE"] = ""  # what is forced is not in the cache's keys
    parts = [(products, 0), (windows, 0),
             *[(part, share) for part in (sweep, mixed) for share in range(SHARES)]]
    known: dict[str, list] = {}
    taken: set = set()
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(
            options.jobs, multiprocessing.get_context("fork")) as pool:
        running = [pool.submit(run, part, options.times, options.seed, share)
                   for part, share in parts]
        for done in concurrent.futures.as_completed(running):
            words, declared, found, wrong = done.result()
            known |= declared
            taken |= found
            failed += bool(wrong)
            print(words if not wrong else f"WRONG: {words}\n{wrong}", flush=True)
    left = report(known, taken)
    return 1 if left or failed else 0


def report(known: dict[str, list], taken: set) -> int:
    """Print how many alternatives of each choice point were taken; how many were not."""
    left = 0
    for name, alternatives in sorted(known.items()):
        open_ = [one for one in alternatives if (name, one) not in taken]
        left += len(open_)
        print(f"{name:28} {len(alternatives) - len(open_):3} of {len(alternatives):3}"
              + (f", never: {', '.join(map(str, open_))}" if open_ else ""))
    print(f"{len(known)} choice points, {left} alternatives never taken")
    return left


if __name__ == "__main__":
    sys.exit(main())
