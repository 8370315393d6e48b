"""Random programs in every mode, from the command line.

    python -m tests.fuzz --count 5000 --seed 0

Prints every failure as a minimal program that can be pasted, and what differs. Status 1 if there
was one.
"""

from __future__ import annotations

import argparse
import sys
import time

from tapeflow.jit import program as programs
from tests.fuzz.check import ASPECTS, MODES, Failure, Skip, check
from tests.fuzz.generate import program
from tests.fuzz.shrink import shrink


class Counted(programs.Native):
    """Native code, counting the graphs that became such."""

    graphs = 0

    def __init__(self, graph):
        super().__init__(graph)
        Counted.graphs += 1


def minimal(seed: int, failure: Failure, seconds: float) -> str:
    """The smallest program that fails as this one does, and how."""
    last = failure

    def fails(candidate):
        nonlocal last
        try:
            check(candidate, (failure.mode,), (failure.aspect,))
        except Skip:
            return False
        except Failure as found:
            if type(found.cause) is not type(failure.cause):
                return False
            last = found
            return True
        return False

    small = shrink(program(seed), fails, seconds)
    return f"# seed {seed}: {last}".replace("\n", "\n# ") + f"\n{small}"


def fuzz(seeds, modes=tuple(MODES)[1:], aspects=tuple(ASPECTS), seconds: float = 60.0,
         report=print) -> tuple[int, int]:
    """Check the programs of the seeds: (how many failed, how many do not run eagerly)."""
    failed = skipped = 0
    for seed in seeds:
        try:
            check(program(seed), modes, aspects)
        except Skip:
            skipped += 1
        except Failure as failure:
            failed += 1
            report(minimal(seed, failure, seconds))
    return failed, skipped


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first of them")
    parser.add_argument("--modes", nargs="+", choices=list(MODES)[1:], default=list(MODES)[1:])
    parser.add_argument("--seconds", type=float, default=60.0, help="to spend on making one small")
    options = parser.parse_args()
    start = time.monotonic()
    programs.Native = Counted
    seeds = range(options.seed, options.seed + options.count)
    failed, skipped = fuzz(seeds, options.modes, seconds=options.seconds)
    print(f"{options.count} programs, {skipped} skipped, {failed} failed, "
          f"{Counted.graphs} graphs compiled, {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
