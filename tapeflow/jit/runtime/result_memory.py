"""Arrays for results; the memory of a large one that nobody holds any more serves again."""

from __future__ import annotations

import sys
from math import prod
from typing import Any

import numpy as np

from tapeflow.base.exception_origin import unsignalled
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice

RESULTS = Choice("executable.results", ("new", "kept"))
KEPT_FROM, KEPT_TO = 1 << 18, 1 << 26  # bytes of a result whose memory is kept for the next one


class ResultMemory:
    """`new()` gives arrays for the results that have axes.

    arrays  (index among the outputs, shape, dtype) of each
    keeps   whether memory of any of them is kept for the next run: it is mapped already
    """

    def __init__(self, graph: ir.Graph, reuse: bool):
        self.arrays: list[tuple[int, tuple, Any]] = [
            (i, value.shape, value.dtype) for i, value in enumerate(graph.outputs) if value.shape]
        sizes = [prod(shape) * dtype.itemsize for _, shape, dtype in self.arrays]
        self._kept = [
            RESULTS("kept" if reuse and KEPT_FROM <= size <= KEPT_TO else "new",
                    ("new", "kept" if reuse else "new")) == "kept" for size in sizes]
        self.keeps = any(self._kept)
        self._spare: list[list[np.ndarray]] = [[] for _ in sizes]

    def new(self) -> list:
        results = []
        for i, (_, shape, dtype) in enumerate(self.arrays):
            if not self._kept[i]:
                results.append(np.empty(shape, dtype))
                continue
            spare = self._spare[i]
            array = _unused(spare)
            if array is None:
                array = np.empty(shape, dtype)
            results.append(array)
            spare.append(array)
        return results


def _taken(arrays: list) -> tuple[Any, int]:
    """The array in a list, and how many hold it. No two threads take the same."""
    array = arrays.pop()
    return array, sys.getrefcount(array)


_ALONE = _taken([np.empty(1)])[1]  # of an array that nobody else holds


def _unused(arrays: list) -> Any:
    """The array in a list of at most one, if nobody else holds it."""
    try:
        array, holders = _taken(arrays)
    except unsignalled(IndexError):
        return None
    return array if holders == _ALONE else None
