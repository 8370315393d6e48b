"""Sums of which each rank gets a part, and parts put together again, as op records.

A tensor is flat here, and divided into as many parts as there are ranks, the last ones shorter.
The parts that a rank has of several tensors travel together.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tapeflow.base.frames.user_lines import user_line
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.distribute.mpi.engine import Call
from tapeflow.distribute.mpi.exchange import exchanged, shown
from tapeflow.distribute.mpi.pack_sums import operation

_NO_GRADIENT = NONDIFF("it updates variables, and is no part of a loss")
_TALKS = "it talks to other processes"


def share(size: int, ranks: int) -> int:
    """Elements of a part."""
    return -(-size // ranks)


def bounds(size: int, rank: int, ranks: int) -> tuple[int, int]:
    """Where a rank's part of a flat tensor begins and ends."""
    own = share(size, ranks)
    return min(size, rank * own), min(size, (rank + 1) * own)


def _columns(arrays: list, ranks: int) -> tuple[np.dtype, list[int], int]:
    """The dtype in which they travel, where each tensor's part begins in a row, and its length."""
    offsets, length = [], 0
    for x in arrays:
        offsets.append(length)
        length += share(x.size, ranks)
    return np.result_type(*[exchanged(x.dtype) for x in arrays]), offsets, length


def _part_sums_kernel(*values: Any, reduction: str, group: Any, where: str) -> tuple:
    xs = [np.asarray(x) for x in values]
    kind, offsets, length = _columns(xs, group.size)
    rows = np.zeros((group.size, length), kind)
    for x, at in zip(xs, offsets):
        flat = x.reshape(-1)
        for rank in range(group.size):
            begin, end = bounds(x.size, rank, group.size)
            rows[rank, at:at + end - begin] = flat[begin:end]
    own = np.empty(length, kind)
    with group.lock:
        group.agree(Call(f"part sums {reduction}", tuple([shown(x) for x in xs]), where))
        group.wait([group.communicator.Ireduce_scatter_block(
            rows, own, operation(group, reduction))], f"part sums at {where}")
    if reduction == "mean":
        own /= group.size
    return tuple([own[at:at + _own_length(x.size, group)].astype(x.dtype, copy=False)
                  for x, at in zip(xs, offsets)])


def _own_length(size: int, group: Any) -> int:
    begin, end = bounds(size, group.rank, group.size)
    return end - begin


def _own_spec(spec: Spec, group: Any) -> Spec:
    known = spec.shape is not None and None not in spec.shape
    return Spec((_own_length(math.prod(spec.shape or ()), group) if known else None,), spec.dtype)


part_sums_op = define("part_sums", kernel=_part_sums_kernel, multi=True, args=("*values",),
                      vjp=_NO_GRADIENT, stateful=True, dtypes="fVc", internal=True,
                      unsavable=_TALKS, shape=lambda *specs, reduction, group, where: tuple(
                          [_own_spec(one, group) for one in specs]))


def _whole_kernel(*parts: Any, shapes: tuple, group: Any, where: str) -> tuple:
    wholes = [np.empty(shape, part.dtype) for shape, part in zip(shapes, parts)]
    kind, offsets, length = _columns(wholes, group.size)
    own = np.zeros(length, kind)
    for part, at in zip(parts, offsets):
        own[at:at + part.size] = part
    rows = np.empty((group.size, length), kind)
    with group.lock:
        group.agree(Call("gather of parts", tuple([shown(x) for x in wholes]), where))
        group.wait([group.communicator.Iallgather(own, rows)], f"gather of parts at {where}")
    for x, at in zip(wholes, offsets):
        flat = x.reshape(-1)
        for rank in range(group.size):
            begin, end = bounds(x.size, rank, group.size)
            flat[begin:end] = rows[rank, at:at + end - begin]
    return tuple(wholes)


whole_op = define("whole_of_parts", kernel=_whole_kernel, multi=True, args=("*parts",),
                  vjp=_NO_GRADIENT, stateful=True, dtypes="fVc", internal=True, unsavable=_TALKS,
                  shape=lambda *specs, shapes, group, where: tuple(
                      [Spec(shape, one.dtype) for shape, one in zip(shapes, specs)]))


def part_sums(values: list, reduction: str, group: Any) -> list:
    """This rank's part of each tensor's sum over ranks, flat."""
    return list(part_sums_op(*values, reduction=reduction, group=group, where=user_line()))


def whole(parts: list, shapes: list, group: Any) -> list:
    """Tensors of which each rank has a part."""
    return list(whole_op(*parts, shapes=tuple(shapes), group=group, where=user_line()))
