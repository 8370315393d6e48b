"""Nodes whose operands have unknown ranks: branches for ranks, and which one a run takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.graph import ir
from tapeflow.tensorflow_graphs.writing.node_writer import Ref

_HIGHEST = 6
_HIGHEST_OF_TWO = 4


def _open(values: Sequence[ir.Value]) -> list[ir.Value]:
    """The operands of unknown rank, each once."""
    return list(dict.fromkeys([one for one in values if one.shape is None]))


def branch_ranks(values: Sequence[ir.Value]) -> list[dict[ir.Value, int]]:
    """What ranks operands may have, in the order of branches; those of three and more are alike."""
    free = _open(values)
    if not free:
        return []
    if len(free) == 2:
        ranks = range(_HIGHEST_OF_TWO + 1)
        return [dict(zip(free, pair, strict=True)) for pair in product(ranks, ranks)]
    return [dict.fromkeys(free, rank) for rank in range(_HIGHEST + 1)]


def chosen_branch(w: Any, values: Sequence[ir.Value], refs: Sequence[Ref],
                  there: Sequence[int]) -> Ref:
    """The number among the branches that are there of the one for the operands' ranks; where there
    is none it is the last, whose ops refuse them."""
    free, by_value = _open(values), dict(zip(values, refs, strict=True))
    index = w.Rank(by_value[free[0]])
    if len(free) == 2:
        index = w.AddV2(w.Mul(index, w.const(_HIGHEST_OF_TWO + 1, dtypes.int32)),
                        w.Rank(by_value[free[1]]))
    numbers = np.full(len(branch_ranks(values)), len(there) - 1, np.int32)
    numbers[list(there)] = np.arange(len(there))
    return w.GatherV2(w.const(numbers), index, w.const(0, dtypes.int32))
