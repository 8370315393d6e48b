"""The record of runs in docs/fuzzing.md."""

from __future__ import annotations

import datetime
import pathlib
import subprocess

from tapeflow.jit.runtime import target
from tests.fuzz.fuzzing import Done

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "fuzzing.md"


def write(seed: int, done: Done, hand: bool = False) -> None:
    """Add a row to the page's table, which ends it; hand: all steps were written by hand."""
    levels = [name for name in target.LEVELS if target.level(name) is not None]
    row = [datetime.date.today().isoformat(), _commit(), str(seed),
           f"{done.programs:,}{' by hand' * hand}", f"{done.total:,}",
           ", ".join(f"{mode} {count:,}" for mode, count in sorted(done.graphs.items())),
           ", ".join(levels), f"{done.seconds / 3600:.2f}", str(len(done.failed))]
    with PAGE.open("a") as page:
        page.write(f"| {' | '.join(row)} |\n")


def _commit() -> str:
    """The version, with a + if files were changed since."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=PAGE.parent, capture_output=True,
                              text=True).stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")
