"""Choices of the compiler, forced at random: each is a compiler of its own.

What a program's code offers, where the compiler took something else, is drawn from; so nearly every
draw makes other code.
"""

from __future__ import annotations

import random
from typing import NamedTuple

VARIANTS = 48  # of the smallest programs
SEVERAL = (1, 1, 2, 2, 3, 4, 6, 100)  # alternatives at once; few leave more functions as they were
NODES = 400  # of all variants of a program together, about: large ones have fewer


class Forced(NamedTuple):
    """A mode: another one, with these alternatives of choice points (`jit.choices`) forced."""

    base: str
    alternatives: tuple

    def __str__(self) -> str:
        words = ", ".join(f"{name} = {one}" for name, one in self.alternatives)
        return f"{self.base} with {words}"

    def fewer(self):
        """The same without one of the alternatives."""
        for i in range(len(self.alternatives)):
            yield Forced(self.base, self.alternatives[:i] + self.alternatives[i + 1:])


def draw(seed, offers: dict[str, set], nodes: int):
    """Forced modes for a program; offers: what is possible in other modes."""
    rng = random.Random(f"{seed} forced")
    bases = [base for base in offers if offers[base]]
    count = max(2, min(VARIANTS, NODES // max(nodes, 1))) if bases else 0
    for _ in range(count):
        base = rng.choice(bases)
        points: dict[str, list] = {}
        for name, one in sorted(offers[base], key=str):
            points.setdefault(name, []).append(one)
        taken = rng.sample(sorted(points), min(rng.choice(SEVERAL), len(points)))
        yield Forced(base, tuple([(name, rng.choice(points[name])) for name in taken]))
