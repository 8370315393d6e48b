"""allreduce and its like, with Horovod's arguments; `Compression`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.frames.user_lines import user_line
from tapeflow.core.record.families import operand
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.distribute.mpi import background_exchange as background_exchange  # early starts
from tapeflow.distribute.mpi import collectives
from tapeflow.horovod.process_sets import ProcessSet, global_process_set
from tapeflow.ops.math import casting

Average, Sum, Adasum, Min, Max, Product = range(6)
_NAMES = {Average: "mean", Sum: "sum", Min: "min", Max: "max", Product: "prod"}


class _NoCompression:
    """Gradients as they are."""

    @staticmethod
    def compress(tensor: Any) -> tuple:
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        return tensor


class _HalfPrecision:
    """Floating-point numbers in 16 bits while they are exchanged, summed up as float32."""

    half: Any = dtypes.float16

    @classmethod
    def compress(cls, tensor: Any) -> tuple:
        kind = tensor.dtype
        return (casting.cast(tensor, cls.half) if kind.is_floating else tensor), kind

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        return casting.cast(tensor, ctx) if ctx.is_floating else tensor


class _BrainFloat(_HalfPrecision):
    """The same with bfloat16, which has float32's range."""

    half = dtypes.bfloat16


class Compression:
    """What gradients are made smaller by."""

    none = _NoCompression
    fp16 = _HalfPrecision
    bf16 = _BrainFloat


def reduction_name(op: Any, average: Any = None) -> str:
    """The engine's name of a reduction; `average` is Horovod's older argument."""
    if average is not None:
        if op is not None:
            raise ValueError("The op parameter supersedes average. Please provide only one of "
                             "them.")
        op = Average if average else Sum
    op = Average if op is None else op
    if op == Adasum:
        raise NotImplementedError("hvd.Adasum is not available: use hvd.Average or hvd.Sum")
    if op not in _NAMES:
        raise ValueError(f"hvd: no reduction {op!r}; there are Average, Sum, Min, Max, Product")
    return _NAMES[op]


def allreduce(tensor: Any, average: Any = None, device_dense: str = "", device_sparse: str = "",
              compression: Any = Compression.none, op: Any = None, prescale_factor: float = 1.0,
              postscale_factor: float = 1.0, name: str | None = None,
              process_set: ProcessSet = global_process_set, ignore_name_scope: bool = False
              ) -> Any:
    """A tensor reduced over ranks: Average unless `op` says otherwise; IndexedSlices gathered."""
    return grouped_allreduce([tensor], average, device_dense, device_sparse, compression, op,
                             prescale_factor, postscale_factor, name, process_set)[0]


def grouped_allreduce(tensors: Any, average: Any = None, device_dense: str = "",
                      device_sparse: str = "", compression: Any = Compression.none, op: Any = None,
                      prescale_factor: float = 1.0, postscale_factor: float = 1.0,
                      name: str | None = None, process_set: ProcessSet = global_process_set,
                      ignore_name_scope: bool = False) -> list:
    """Several tensors reduced together."""
    how, group, where = reduction_name(op, average), process_set.group(), user_line()
    found: list[Any] = list(tensors)
    dense, contexts = [], []
    for i, one in enumerate(found):
        if isinstance(one, IndexedSlices):
            found[i] = _gathered_slices(one, how, process_set, where)
        else:
            small, context = compression.compress(operand(one))
            dense.append((i, small))
            contexts.append(context)
    reduced = collectives.all_reduce([x for _, x in dense], how, group, before=prescale_factor,
                                     after=postscale_factor, where=where)
    for (i, _), value, context in zip(dense, reduced, contexts):
        found[i] = compression.decompress(value, context)
    return found


def _gathered_slices(value: Any, how: str, process_set: ProcessSet, where: str) -> IndexedSlices:
    if how not in ("sum", "mean"):
        raise NotImplementedError("Only Sum and Average ops are supported with tf.IndexedSlices")
    group = process_set.group()
    rows = collectives.all_gather(operand(value.values), group, gradient="mean", where=where)
    indices = collectives.all_gather(operand(value.indices), group, where=where)
    return IndexedSlices(rows / process_set.size() if how == "mean" else rows, indices,
                         value.dense_shape)


def allgather(tensor: Any, name: str | None = None, ignore_name_scope: bool = False,
              process_set: ProcessSet = global_process_set) -> Tensor:
    """The rows of all ranks, one after the other."""
    return collectives.all_gather(operand(tensor), process_set.group(), gradient="mean",
                                  where=user_line())


def grouped_allgather(tensors: Any, name: str | None = None, ignore_name_scope: bool = False,
                      process_set: ProcessSet = global_process_set) -> list[Tensor]:
    """`allgather` of several."""
    return [allgather(one, process_set=process_set) for one in tensors]


def broadcast(tensor: Any, root_rank: int, name: str | None = None,
              ignore_name_scope: bool = False, process_set: ProcessSet = global_process_set
              ) -> Tensor:
    """The tensor of rank `root_rank`."""
    return collectives.broadcast(operand(tensor), root_position(root_rank, process_set),
                                 process_set.group(), gradient="mean", where=user_line())


def root_position(root_rank: int, process_set: ProcessSet) -> int:
    """The position of a rank in a process set."""
    members = process_set._members()
    if root_rank not in members:
        raise ValueError(f"root_rank {root_rank} is not in the process set {members}")
    return members.index(root_rank)


def alltoall(tensor: Any, splits: Any = None, name: str | None = None,
             ignore_name_scope: bool = False, process_set: ProcessSet = global_process_set) -> Any:
    """Rows to all ranks: `splits[i]` to the i-th, equal parts without; then one result only."""
    x, count = operand(tensor), process_set.size()
    if splits is None and len(x.shape):
        rows = x.shape[0]
        if rows is None or rows % count:
            raise ValueError(f"hvd.alltoall: {rows} rows are not divisible by {count} ranks; pass "
                             "`splits`")
        parts = wrap(np.full(count, rows // count, np.int32))
        return collectives.all_to_all(x, parts, process_set.group(), where=user_line())[0]
    parts = operand(0 if splits is None else splits)
    if not parts.dtype.is_integer:
        raise ValueError(f"hvd.alltoall: splits must be integers, not {parts.dtype.name}")
    return tuple(collectives.all_to_all(x, parts, process_set.group(), where=user_line()))


def reducescatter(tensor: Any, device_dense: str = "", compression: Any = Compression.none,
                  op: Any = Average, name: str | None = None,
                  process_set: ProcessSet = global_process_set, ignore_name_scope: bool = False,
                  prescale_factor: float = 1.0, postscale_factor: float = 1.0) -> Tensor:
    """This rank's share of the rows of the reduced tensor."""
    small, context = compression.compress(operand(tensor))
    part = collectives.reduce_scatter(small, reduction_name(op), process_set.group(),
                                      before=prescale_factor, after=postscale_factor,
                                      where=user_line())
    return compression.decompress(part, context)


def grouped_reducescatter(tensors: Any, device_dense: str = "",
                          compression: Any = Compression.none, op: Any = Average,
                          name: str | None = None, process_set: ProcessSet = global_process_set,
                          ignore_name_scope: bool = False, prescale_factor: float = 1.0,
                          postscale_factor: float = 1.0) -> list[Tensor]:
    """`reducescatter` of several."""
    return [reducescatter(one, device_dense, compression, op, None, process_set,
                          prescale_factor=prescale_factor, postscale_factor=postscale_factor)
            for one in tensors]
