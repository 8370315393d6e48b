"""Columns of many CSV lines at once, by machine code. Imported by `csv.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address
from tapeflow.base.settings import settings
from tapeflow.io.parsing import csv_loops

LOOPS = ScalarFunctions("tapeflow.io.parsing.csv_loops")
_COST = 3.0  # microseconds for a field, without machine code
FEW = 4  # lines that the slow reader takes in less time
_KINDS = {"string": csv_loops.TEXT, "float32": csv_loops.FLOAT32, "float64": csv_loops.FLOAT64,
          "int32": csv_loops.INT32, "int64": csv_loops.INT64}
_POWERS = np.array([float(f"1e{n}") for n in range(csv_loops.POWER + 1)])


def _described(dtype: dtypes.DType, default: Any, out: np.ndarray) -> list[int]:
    """A column as machine code sees it (`csv_loops.put_field`)."""
    kind = _KINDS[dtype.name]
    bits = 0
    if default is not None and kind != csv_loops.TEXT:
        wide = np.float64 if dtype.is_floating else np.int64
        bits = int(np.array(default, wide).view(np.int64))
    return [kind, address(out), default is not None, bits, 0]


def read_columns(lines: np.ndarray, defaults: tuple, delim: int, quotes: bool, na: bytes,
                 selected: tuple | None, slow_row: Callable[[Any, int], list]
                 ) -> list[np.ndarray] | None:
    """An array for each column of a flat array of lines, or None if that does not pay yet.

    `slow_row(line, number)` reads a line that machine code does not take, or tells what is wrong.
    """
    if not lines.size or (lines.size < FEW and settings.jit != "now"):
        return None
    loops = LOOPS.ready(_COST * lines.size * len(defaults))
    if loops is None:
        return None
    objects = np.ascontiguousarray(lines)
    outs = [np.empty((lines.size, 2), np.int64) if dtype is dtypes.string
            else np.empty(lines.size, dtype.np) for dtype, _ in defaults]
    columns = np.array([_described(dtype, default, out)
                        for (dtype, default), out in zip(defaults, outs, strict=True)], np.int64)
    fields = range(len(defaults)) if selected is None else selected
    slots = np.full(fields[-1] + 1 if fields else 0, -1, np.int64)
    slots[list(fields)] = np.arange(len(defaults))
    others: dict[int, list] = {}  # lines that the slow reader took
    row = 0
    while row < lines.size:
        row = loops.read_lines(address(objects), row, lines.size, id(bytes), delim, quotes, na,
                               len(na), address(slots), len(slots), selected is None,
                               address(columns), address(_POWERS))
        if row < lines.size:
            others[row] = slow_row(objects[row], row)
            row += 1
    return [_finished(j, dtype, default, out, objects, others)
            for j, ((dtype, default), out) in enumerate(zip(defaults, outs, strict=True))]


def _finished(j: int, dtype: dtypes.DType, default: Any, out: np.ndarray, objects: np.ndarray,
              others: dict[int, list]) -> np.ndarray:
    """The values of a column: texts cut out of the lines, and what the slow reader found."""
    if dtype is dtypes.string:
        for row in others:
            out[row, 0] = -1
        made = np.empty(len(out), object)
        made[:] = [default if begin < 0 else line[begin:end] for line, (begin, end) in zip(
            objects.tolist(), out.tolist(), strict=True)]
        out = made
    for row, values in others.items():
        out[row] = values[j]
    return out
