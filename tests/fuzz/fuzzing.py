"""Draws programs, checks them, makes those small that fail, and counts."""

from __future__ import annotations

import time
import traceback

from tests.fuzz.check import TALLY, Failure, Skip, check, quietly
from tests.fuzz.forced import Forced
from tests.fuzz.generate import program
from tests.fuzz.shrink import shrink

# Of the programs of a run so many may not run eagerly, and this share of them.
SKIPPED, SKIPPED_SHARE = 2, 0.2


class Done:
    """How much was done, and what failed."""

    def __init__(self):
        self.programs = self.skipped = self.refused = 0
        self.seconds = 0.0
        self.graphs: dict[str, int] = {}
        self.failed: list[int] = []  # seeds
        self.why_skipped = ""  # the last one

    def add(self, other: Done) -> None:
        self.programs += other.programs
        self.skipped += other.skipped
        self.refused += other.refused
        self.failed += other.failed
        self.why_skipped = other.why_skipped or self.why_skipped
        for mode, count in other.graphs.items():
            self.graphs[mode] = self.graphs.get(mode, 0) + count

    @property
    def total(self) -> int:
        return sum(self.graphs.values())

    def fault(self) -> str | None:
        """Why the run says little, if it does: too few programs were compared with eager."""
        if self.skipped and (self.skipped == self.programs
                             or self.skipped > SKIPPED + self.programs * SKIPPED_SHARE):
            return (f"{self.skipped} of {self.programs} programs were skipped, the last one "
                    f"because: {self.why_skipped}")
        return None if self.total else "no graph was compiled to native code"

    def summary(self) -> str:
        modes = ", ".join(f"{mode} {count}" for mode, count in sorted(self.graphs.items()))
        return (f"{self.programs} programs ({self.skipped} skipped), {self.total} graphs compiled "
                f"and executed ({modes}; {self.refused} refused), {len(self.failed)} failed, "
                f"{self.seconds:.0f} s, {self.total / max(self.seconds, 1e-9):.1f} graphs a second")


def fuzz(seeds, seconds: float | None = None, patience: float = 60.0, report=print,
         begin=lambda seed: None, show: bool = False, hand: bool = False) -> Done:
    """Check the programs of the seeds, or of as many as are begun in so many seconds.

    patience: seconds for making a failing program small; begin: is told of every seed; hand: see
    `generate.program`.
    """
    done, start = Done(), time.monotonic()
    before = dict(TALLY.graphs), TALLY.refused
    for seed in seeds:
        if seconds is not None and time.monotonic() - start > seconds:
            break
        begin(seed)
        done.programs += 1
        try:
            one(seed, patience, show, hand)
        except Skip as why:
            done.skipped, done.why_skipped = done.skipped + 1, str(why)
        except Wrong as error:
            done.failed.append(seed)
            report(str(error))
    done.seconds = time.monotonic() - start
    done.graphs = {mode: count - before[0].get(mode, 0) for mode, count in TALLY.graphs.items()}
    done.refused = TALLY.refused - before[1]
    return done


class Wrong(Exception):
    """A program that fails: its text, small, and how to repeat it."""


def one(seed: int, patience: float, show: bool = False, hand: bool = False) -> None:
    """Check the program of a seed; raise Wrong if it fails."""
    try:
        with quietly():
            drawn = program(seed, hand)
    except Exception:
        raise Wrong(f"# seed {seed}: the program cannot be drawn\n"
                    f"{traceback.format_exc()}\n{again(seed, hand)}") from None
    if show:
        print(drawn)
    try:
        check(drawn)
    except Failure as failure:
        raise Wrong(f"{minimal(drawn, failure, patience)}\n{again(seed, hand)}") from None


def again(seed: int, hand: bool = False) -> str:
    return f"# to repeat: python -m tests.fuzz --seed {seed} --count 1{' --hand' * hand}\n"


def minimal(drawn, failure: Failure, seconds: float) -> str:
    """The smallest program found that fails as this one does, and how."""
    last, mode = failure, failure.mode

    def fails(candidate):
        nonlocal last
        try:
            check(candidate, [(failure.aspect, mode)])
        except Skip:
            return False
        except Failure as found:
            if type(found.cause) is not type(failure.cause):
                return False
            last = found
            return True
        return False

    while isinstance(mode, Forced):  # fewer alternatives, as long as it fails
        usual = mode
        for mode in usual.fewer():
            if mode.alternatives and fails(drawn):
                break
        else:
            mode = usual
            break
    small = shrink(drawn, fails, seconds)
    return f"# seed {drawn.seed}: {last}".replace("\n", "\n# ") + f"\n{small}"
