"""A NaN or infinity in what a program is given: which input, which rows, at which step.

Names and counters are read from the frames of the program, so only where a report is made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from tapeflow.core.values.tensor import Tensor

# Names of loop variables, as programs and Keras's `fit` have them.
_COUNTERS = ("epoch", "episode", "step", "global_step", "iteration", "batch", "batch_index", "i",
             "t")
_MOST_ROWS = 5


def rows_of(bad: np.ndarray) -> str:
    """The rows of a batch that have such elements: "row 5 of 16"; "" for what has no rows."""
    if bad.ndim < 2 or len(bad) == 1:
        return ""
    rows = np.flatnonzero(bad.reshape(len(bad), -1).any(1))
    if len(rows) == 1:
        return f"row {rows[0]} of {len(bad)}"
    rest = ", …" if len(rows) > _MOST_ROWS else ""
    return (f"rows {', '.join(map(str, rows[:_MOST_ROWS]))}{rest} ({len(rows)} of {len(bad)})")


def moment() -> str:
    """What the loops of the program count: "epoch = 0, step = 2"; "" if nothing is found."""
    found: dict[str, int] = {}
    for frame in _frames():
        held = frame.f_locals
        for name in _COUNTERS:
            if type(held.get(name)) in (int, np.int32, np.int64):
                found.setdefault(name, int(held[name]))
    return ", ".join([f"{name} = {found[name]}" for name in _COUNTERS if name in found])


def name_of(x: Tensor) -> str:
    """What the program calls a tensor, or an array that it was made of; "" if nothing is found."""
    for frame in _frames():
        for name, one in frame.f_locals.items():
            if one is x or type(one) is Tensor and one._value is x._value or (
                    type(one) is np.ndarray and type(x._value) is np.ndarray
                    and one.size and np.may_share_memory(one, x._value)):
                return name
    return ""


def _frames() -> Iterator[FrameType]:
    """The frames of the program and of Keras, innermost first; not those of this library."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] != "tapeflow":
            yield frame
        frame = frame.f_back


def in_sources(dataset: Any) -> str:
    """Where a dataset's sources in memory have a NaN or infinity; "" if they have none."""
    for one in _sources(dataset):
        for place, tensor in enumerate(one._tensors):
            array = tensor._value
            if array.dtype.kind != "f" or not array.size or np.isfinite(array).all():
                continue
            array = array[0] if array.ndim and len(array) == 1 else array  # a batch of one
            bad = np.isnan(array) if np.isnan(array).any() else np.isinf(array)
            index = [int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape)]
            rows = rows_of(bad)
            return (f"The data hold {'NaN' if np.isnan(array).any() else 'infinity'}: array "
                    f"{place} of those that the dataset is made of, at {index}"
                    f"{', ' + rows if rows else ''}.")
    return ""


def _sources(dataset: Any) -> Iterator[Any]:
    yield dataset
    for one in dataset._inputs:
        yield from _sources(one)
