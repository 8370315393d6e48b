"""Collectives over bare arrays: packing into buffers, and the calls of MPI.

The arrays of one reduction are copied side by side into a few buffers, one exchange each, and the
results are views of these. A buffer serves again as soon as nothing refers to its views.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors
from tapeflow.base.dtypes import as_dtype
from tapeflow.distribute.mpi import pickled_objects
from tapeflow.distribute.mpi.engine import JOIN, Call, Group
from tapeflow.distribute.mpi.host_memory import SLOTS, Slot
from tapeflow.distribute.mpi.pack_sums import (
    PackSum,
    Sum,
    as_sent,
    begin_sum,
    buffers,
    is_narrow,
    operation,
)

PACK = 4 << 20  # bytes of a buffer, unless one array is larger
ALIGN = 64  # bytes

NOTED = 31  # packs of a call whose buffers may lie in memory of the host
NO_SLOT = (1 << SLOTS) - 1
REDUCTIONS = ("sum", "mean", "min", "max", "prod")


def shown(x: Any) -> str:
    """dtype and shape, as errors show them."""
    return f"{x.dtype.name}{list(x.shape)}"


def exchanged(dtype: np.dtype) -> np.dtype:
    """The dtype in which MPI adds up values of a dtype: it has no half precision, no bool."""
    if is_narrow(dtype):
        return np.dtype(np.float32)
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


class Member(NamedTuple):
    """An array in a pack: its position in the list, and where it lies."""

    position: int
    begin: int
    end: int
    shape: tuple[int, ...]

    def view_of(self, buffer: np.ndarray) -> np.ndarray:
        """The array in a buffer of the pack."""
        return buffer[self.begin:self.end].reshape(self.shape)


@dataclass(frozen=True, eq=False)  # a pack is itself only: quick to look up
class Pack:
    """Arrays that share a buffer."""

    dtype: np.dtype
    length: int
    members: tuple[Member, ...]


def packs_of(arrays: list, most: int) -> list[Pack]:
    """Which arrays share a buffer: neighbours of one dtype, up to a number of bytes."""
    groups: dict[np.dtype, list[int]] = {}
    for i, x in enumerate(arrays):
        kind = x.dtype if is_narrow(x.dtype) else exchanged(x.dtype)
        groups.setdefault(kind, []).append(i)
    found = []
    for dtype, indices in groups.items():
        step = max(1, ALIGN // dtype.itemsize)
        members: list[Member] = []
        length = 0
        for i in indices:
            size = -(-arrays[i].size // step) * step
            if members and (length + size) * dtype.itemsize > most:
                found.append(Pack(dtype, length, tuple(members)))
                members, length = [], 0
            members.append(Member(i, length, length + arrays[i].size, arrays[i].shape))
            length += size
        found.append(Pack(dtype, length, tuple(members)))
    return found


class _Plan:
    """What all reductions of such arrays share: their packs, and how a call of it reads."""

    def __init__(self, arrays: list, most: int):
        self.packs = packs_of(arrays, most)
        self.operands = (*[shown(x) for x in arrays],
                         *([] if most == PACK else [f"packs of {most} bytes"]))
        self.specs = tuple([(x.shape, x.dtype.name) for x in arrays])


_plans: dict[tuple, _Plan] = {}


def _plan(arrays: list, most: int) -> _Plan:
    key = (most, *[(x.shape, x.dtype) for x in arrays])
    found = _plans.get(key)
    if found is None:
        found = _plans[key] = _Plan(arrays, most)
    return found


def _scales(reduction: str, size: int, before: float, after: float) -> tuple[float, float]:
    """What is multiplied before and after the sum; powers of two are exact on either side."""
    if reduction != "mean":
        return before, after
    if size & (size - 1) == 0:
        return before / size, after
    return before, after / size


class Reduction:
    """An all-reduce under way: `start` packs and sends, `finish` waits and gives the results."""

    def __init__(self, group: Group, arrays: list, reduction: str, where: str,
                 before: float = 1.0, after: float = 1.0, most: int = PACK):
        self._group, self._arrays = group, arrays
        self._plan = plan = _plan(arrays, most or PACK)
        scaled = "" if before == after == 1.0 else f" (scaled by {before:g} and {after:g})"
        self.call = Call(f"all_reduce {reduction}{scaled}", plan.operands, where,
                         (reduction, most, plan.specs))
        self._before, self._after = _scales(reduction, group.size, before, after)
        self._reduction = reduction
        self._sums: list[PackSum] = []
        self._packed: list[np.ndarray] = []
        self._slots: list[Slot | None] = []
        self._note = 0  # for each pack a bit for each slot that it has not been copied into

    def pack(self) -> None:
        """Copy the arrays side by side; they are not needed any more."""
        memory = self._group.host_memory
        for at, pack in enumerate(self._plan.packs):
            slot = memory.take(pack) if memory is not None and at < NOTED else None
            if slot is None:
                buffer = buffers.take(pack.length, pack.dtype)
                pieces = [one.view_of(buffer) for one in pack.members]
            else:
                buffer, pieces = slot.own, slot.pieces
            scale = (None if self._before == 1.0 or is_narrow(pack.dtype)
                     else _scalar(self._before, pack.dtype))
            for (i, *_), piece in zip(pack.members, pieces):
                if scale is not None:
                    np.multiply(self._arrays[i], scale, out=piece, casting="unsafe")
                else:
                    np.copyto(piece, self._arrays[i], casting="unsafe")
            self._packed.append(buffer)
            self._slots.append(slot)
            if at < NOTED:
                self._note |= (NO_SLOT if slot is None else NO_SLOT ^ slot.bit) << SLOTS * at

    def start(self, agreed: bool = False) -> None:
        """Pack, agree, and begin to sum up."""
        if not self._packed:
            self.pack()
        group, packs = self._group, self._plan.packs
        if not agreed:
            group.agree(self.call, self._note)
        missing = group.noted
        if group.host_memory is not None:
            group.host_memory.prepare(packs[:NOTED])
        how = Sum(self._reduction, self._before, self._after, group.hosts)
        self._slots = [None if slot is None or missing >> SLOTS * at & slot.bit else slot
                       for at, slot in enumerate(self._slots)]
        self._sums = [begin_sum(group, buffer, how, tag, slot)
                      for tag, (buffer, slot) in enumerate(zip(self._packed, self._slots))]

    def finish(self) -> list[np.ndarray]:
        """The results, when all ranks have sent."""
        what = f"{self.call.kind} at {self.call.where}"
        for one in self._sums:
            one.combine(what)
        for one in self._sums:
            one.finish(what)
        if any(self._slots):
            self._group.host_memory.meet(what)  # type: ignore[union-attr]
        results: list[Any] = [None] * len(self._arrays)
        for pack, one in zip(self._plan.packs, self._sums):
            buffer = one.buffer
            if self._after != 1.0 and not is_narrow(pack.dtype):
                np.multiply(buffer, _scalar(self._after, pack.dtype), out=buffer, casting="unsafe")
            for member in pack.members:
                part, kind = member.view_of(buffer), self._arrays[member.position].dtype
                results[member.position] = part if part.dtype == kind else part.astype(kind)
        return results


def _scalar(value: float, dtype: np.dtype) -> Any:
    return dtype.type(value) if dtype.kind in "fc" else value


def all_reduce(group: Group, arrays: list, reduction: str, where: str, before: float = 1.0,
               after: float = 1.0, most: int = PACK) -> list[np.ndarray]:
    """Each array summed up (or the like) over the ranks of a group."""
    with group.lock:
        work = Reduction(group, arrays, reduction, where, before, after, most)
        work.start()
        return work.finish()


# -- rows ------------------------------------------------------------------------------------------
def _sent(x: np.ndarray) -> np.ndarray:
    """An array as MPI takes it; what MPI has no type for goes as bytes."""
    x = np.ascontiguousarray(x)
    return x if exchanged(x.dtype) == x.dtype else x.view(np.uint8).reshape(*x.shape, -1)


def all_gather(group: Group, x: np.ndarray, where: str, agreed: bool = False
               ) -> tuple[np.ndarray, list[int]]:
    """The rows of all ranks, one after the other, and how many each had."""
    with group.lock:
        tail = x.shape[1:]
        if not agreed:
            group.agree(Call("all_gather", (f"{x.dtype.name}{[None, *tail]}",), where,
                             (tail, x.dtype.name)))
        rows = np.empty(group.size, np.int64)
        group.wait([group.communicator.Iallgather(np.array([x.shape[0]], np.int64), rows)],
                   f"all_gather at {where}")
        counts = rows.tolist()
        result = np.empty((sum(counts), *tail), x.dtype)
        sent, received = _sent(x), _sent(result)
        per_row = math.prod(sent.shape[1:])
        request = group.communicator.Iallgatherv(
            sent, [received, [n * per_row for n in counts]])
        group.wait([request], f"all_gather at {where}")
        return result, counts


def broadcast(group: Group, x: np.ndarray, root: int, where: str) -> np.ndarray:
    """The array of rank `root` of the group."""
    with group.lock:
        group.agree(Call("broadcast", (shown(x), f"root {root}"), where))
        result = np.array(x)  # a copy: tensors never change
        request = group.communicator.Ibcast(_sent(result), root)
        group.wait([request], f"broadcast at {where}")
        return result


def all_to_all(group: Group, x: np.ndarray, splits: np.ndarray, where: str
               ) -> tuple[np.ndarray, np.ndarray]:
    """`splits[i]` rows to rank i; the rows that came, and how many from each."""
    if splits.shape != (group.size,) or splits.min() < 0 or splits.sum() != x.shape[0]:
        raise errors.invalid("CollectiveAllToAllV2", (
            f"splits must be {group.size} numbers, one for each rank, that add up to the "
            f"{x.shape[0]} rows there are; got {splits.tolist()}"))
    with group.lock:
        tail = x.shape[1:]
        group.agree(Call("all_to_all", (f"{x.dtype.name}{[None, *tail]}",), where))
        wanted = np.asarray(splits, np.int64)
        received = np.empty_like(wanted)
        group.wait([group.communicator.Ialltoall(wanted, received)], f"all_to_all at {where}")
        result = np.empty((int(received.sum()), *tail), x.dtype)
        sent, taken = _sent(x), _sent(result)
        per_row = math.prod(sent.shape[1:])
        request = group.communicator.Ialltoallv(
            [sent, [int(n) * per_row for n in wanted]],
            [taken, [int(n) * per_row for n in received]])
        group.wait([request], f"all_to_all at {where}")
        return result, received.astype(np.int32)


def shares(rows: int, size: int) -> list[int]:
    """Rows for each rank: as equal as can be, the first ones get one more."""
    return [rows // size + (i < rows % size) for i in range(size)]


def reduce_scatter(group: Group, x: np.ndarray, reduction: str, where: str, before: float = 1.0,
                   after: float = 1.0) -> np.ndarray:
    """This rank's share of the rows of the reduced array."""
    with group.lock:
        group.agree(Call(f"reduce_scatter {reduction}", (shown(x),), where))
        before, after = _scales(reduction, group.size, before, after)
        rows = shares(x.shape[0], group.size)
        lengths = [n * math.prod(x.shape[1:]) for n in rows]
        work = _scattered_narrow if is_narrow(x.dtype) else _scattered
        own = work(group, x, lengths, Sum(reduction, before, after), f"reduce_scatter at {where}")
        return own.reshape(rows[group.rank], *x.shape[1:])


def _scattered(group: Group, x: np.ndarray, lengths: list[int], how: Sum, what: str) -> np.ndarray:
    kind = exchanged(x.dtype)
    sent = np.ascontiguousarray(x, kind)
    if how.before != 1.0:
        sent = sent * _scalar(how.before, kind)
    result = np.empty(lengths[group.rank], kind)
    group.wait([group.communicator.Ireduce_scatter(
        sent, result, lengths, operation(group, how.reduction))], what)
    if how.after != 1.0:
        result *= _scalar(how.after, kind)
    return result.astype(x.dtype, copy=False)


def _scattered_narrow(group: Group, x: np.ndarray, lengths: list[int], how: Sum, what: str
                      ) -> np.ndarray:
    """The parts of all ranks as they are; they are added up as float32."""
    own = lengths[group.rank]
    came, total = np.empty((group.size, own), x.dtype), np.empty(own, x.dtype)
    width = x.dtype.itemsize
    group.wait([group.communicator.Ialltoallv(
        [as_sent(np.ascontiguousarray(x).reshape(-1)), [n * width for n in lengths]],
        [as_sent(came.reshape(-1)), [own * width] * group.size])], what)
    how.add_up(list(came), total)
    return total


# -- ranks that have joined ------------------------------------------------------------------------
def join(group: Group, where: str) -> int:
    """Take part in the others' calls with zeros or no rows until all have joined; the last one."""
    with group.lock:
        calls = 0
        while True:
            call = group.agree(Call(JOIN, (), where), note=-1)  # with messages
            if call.kind == JOIN:
                late = pickled_objects.gather(
                    group.communicator, pickled_objects.pickled(calls),
                    lambda request: group.wait([request], f"join at {where}"))
                return group.ranks[max(range(group.size), key=lambda i: (-late[i], i))]
            calls += 1
            if call.kind == "all_gather":
                tail, dtype = call.details
                all_gather(group, np.zeros((0, *tail), as_dtype(dtype).np), where, agreed=True)
            else:
                reduction, most, specs = call.details
                zeros = [np.zeros(shape, as_dtype(dtype).np) for shape, dtype in specs]
                work = Reduction(group, zeros, reduction, where, most=most)
                work.start(agreed=True)
                work.finish()


# -- objects ---------------------------------------------------------------------------------------
def gather_objects(group: Group, one: Any, where: str) -> list:
    """A Python object of each rank."""
    own, what = pickled_objects.pickled(one), f"all_gather of objects at {where}"
    with group.lock:
        group.agree(Call("all_gather of objects", (), where))
        return pickled_objects.gather(group.communicator, own,
                                      lambda request: group.wait([request], what))


def broadcast_object(group: Group, one: Any, root: int, where: str) -> Any:
    """The Python object of rank `root` of the group."""
    own = pickled_objects.pickled(one) if group.rank == root else None
    with group.lock:
        group.agree(Call("broadcast of an object", (f"root {root}",), where))
        return pickled_objects.broadcast(
            group.communicator, own, root,
            lambda request: group.wait([request], f"broadcast of an object at {where}"))


def barrier(group: Group, where: str) -> None:
    """Return when all ranks of the group are here."""
    with group.lock:
        group.agree(Call("barrier", (), where))
