"""Whether what a walk back begins with, and what it makes, is finite.

Scalar targets are looked at in every walk; gradients in the first ones and in every 64th, so that a
step costs what it did. What is found is told to `not_finite`, with the entries of the record, if it
is a small one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.core.autodiff.record import Record
from tapeflow.core.values.tensor import Tensor, finite_scalar, looks_finite, turns

its_turn = turns(64, 64)
SCALARS = (np.float32, np.float64)  # kinds of targets that are looked at in every walk
MOST_ENTRIES, MOST_BYTES = 512, 1 << 20  # of a record that is kept over its walk


class Look:
    """A look at one walk: at its targets when it begins, at the gradients when it ends."""

    __slots__ = ("_entries", "_record", "_sources", "_targets", "_told")

    def __init__(self, record: Record, targets: list, sources: list):
        self._record, self._targets, self._sources = record, targets, sources
        self._told = not all(map(_is_finite, targets))
        self._entries = _copied(record)
        if self._told:
            not_finite(record, record._entries, targets, sources)

    def end(self, gradients: list) -> None:
        if not self._told and not all(map(_is_finite, gradients)):
            not_finite(self._record, self._entries, self._targets, self._sources)


def _is_finite(x: Any) -> bool:
    if type(x) is not Tensor:
        return True
    value = x._value
    return looks_finite(value) if type(value) is np.ndarray else finite_scalar(value)


def _copied(record: Record) -> list | None:
    """The entries of a small record, which the walk drops one by one; None of a large one."""
    entries = record._entries
    if len(entries) > MOST_ENTRIES:
        return None
    held = sum(x._value.nbytes for entry in entries if entry is not None
               for x in entry[4:] if type(x) is Tensor)
    return entries[:] if held <= MOST_BYTES else None


def not_finite(record: Record, entries: list | None, targets: list, sources: list) -> None:
    """Targets (before the walk) or gradients are not finite; `_wiring.py` connects who is told."""
