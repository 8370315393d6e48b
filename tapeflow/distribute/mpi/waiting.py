"""Waiting for MPI requests without holding a core, and what is said when it takes too long.

MPI makes progress while it is tested. The first tests follow one another at once; then other
processes get their turn, and after some milliseconds this one sleeps between tests.
"""

from __future__ import annotations

import os
import time
from typing import Any

from tapeflow.base import errors
from tapeflow.base.settings import settings
from tapeflow.distribute.mpi.watch import Watch

AT_ONCE = 100  # tests that follow one another
YIELDING = 2e-3  # seconds of tests between which other processes have their turn
SHARE = 0.05  # of the time waited so far that one sleep takes
LONGEST = 2e-3  # seconds of one sleep
ENDED = 1.0  # seconds after which a rank that has ended is not waited for

_give_way = getattr(os, "sched_yield", lambda: time.sleep(0))


def wait(request: Any, watch: Watch, ranks: tuple[int, ...], what: str) -> None:
    """Return when the request is complete; `what` it is for, and which `ranks` take part."""
    for _ in range(AT_ONCE):
        if request.Test():
            return
    begin = time.perf_counter()
    while not request.Test():
        if time.perf_counter() - begin > YIELDING:
            _Patience(watch, ranks, what).wait(request)
            return
        _give_way()


class _Patience:
    """A wait that has become long."""

    def __init__(self, watch: Watch, ranks: tuple[int, ...], what: str):
        self._watch, self._ranks, self._what = watch, ranks, what
        self._limit = settings.collective_timeout
        self._warning = settings.collective_warning

    def wait(self, request: Any) -> None:
        begin = time.monotonic()
        warned, ended_at = False, 0.0
        while not request.Test():
            waited = time.monotonic() - begin
            if self._gone():
                ended_at = ended_at or waited
                if waited - ended_at > ENDED:
                    raise errors.UnavailableError(None, None, self._ended_text())
            if self._limit and waited > self._limit:
                raise errors.DeadlineExceededError(None, None, self._text(waited))
            if self._warning and waited > self._warning and not warned:
                warned = True
                os.write(2, f"tapeflow: {self._text(waited)}\n".encode())
            time.sleep(min(LONGEST, max(1e-4, SHARE * waited)))

    def _gone(self) -> list[int]:
        return [rank for rank in self._ranks if rank in self._watch.ended]

    def _ended_text(self) -> str:
        who = self._gone()
        counts = ", ".join(f"rank {one} after {self._watch.ended[one]}" for one in who)
        return (f"rank {self._watch.rank} waits in its collective number {self._watch.count}, "
                f"{self._what}, but others have ended: {counts}. All ranks must take part in "
                "every collective: in as many steps, with batches for all of them.")

    def _text(self, waited: float) -> str:
        head = (f"rank {self._watch.rank} has waited {waited:.0f} s in its collective number "
                f"{self._watch.count}, {self._what}")
        answers = self._watch.ask()
        late = [f"rank {one}, which has begun {found['count']}, the last of them "
                f"{found['doing']}, and is now at {found['at']}"
                for one, found in sorted(answers.items())
                if one in self._ranks and found["count"] < self._watch.count]
        silent = [f"rank {one}, which does not answer" for one in self._ranks
                  if one != self._watch.rank and one not in answers]
        return f"{head}, for {'; '.join(late + silent) or 'ranks that are on their way'}."
