"""Which columns of a sparse matrix may be found together: those that share no row.

Rows with many entries would keep nearly all columns apart. A few of them are found by themselves,
where that makes fewer products in all.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def dense_rows(pattern: Any) -> np.ndarray:
    """The rows to find by themselves: so many that they and the longest other row are fewest."""
    lengths = np.diff(pattern.indptr)
    order = np.argsort(-lengths, kind="stable")
    costs = np.arange(len(lengths) + 1) + np.append(lengths[order], 0)
    return np.sort(order[:int(np.argmin(costs))])


def colour_columns(pattern: Any) -> np.ndarray:
    """A colour for each column: columns of one colour have no row in common (greedy, in order)."""
    by_column = pattern.tocsc()
    rows_of, starts = by_column.indices.tolist(), by_column.indptr.tolist()
    taken: list[int] = [0] * pattern.shape[0]  # for each row the colours in it, as bits
    colours = np.zeros(pattern.shape[1], int)
    for column in range(pattern.shape[1]):
        rows = rows_of[starts[column]:starts[column + 1]]
        used = 0
        for row in rows:
            used |= taken[row]
        bit = ~used & (used + 1)  # the lowest that is free
        for row in rows:
            taken[row] |= bit
        colours[column] = bit.bit_length() - 1
    return colours


def without_rows(pattern: Any, rows: np.ndarray) -> Any:
    """The pattern with some rows empty."""
    keep = np.ones(pattern.shape[0], bool)
    keep[rows] = False
    entries = pattern.tocoo()
    there = keep[entries.row]
    return type(pattern)((np.ones(int(there.sum()), bool),
                          (entries.row[there], entries.col[there])), shape=pattern.shape)
