"""Collectives as op records: gradient, forward mode, batch rule; graphs call them between regions.

A group is a `Group` of the engine, or None for a process that is alone. Every rank must call them
in the same order, gradients included: a rank that asks for a gradient asks all others to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.frames.user_lines import user_line
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.distribute.mpi import exchange

NUMBERS = "fViucb"
_TALKS = "it talks to other processes"


def _arrays(values: tuple) -> list[np.ndarray]:
    return [np.asarray(x) for x in values]


# -- all_reduce ------------------------------------------------------------------------------------
def _reduce_kernel(*values: Any, reduction: str, group: Any, where: str, before: float,
                   after: float, most: int) -> tuple:
    xs = _arrays(values)
    if group is None or group.size == 1:
        scale = before * after
        return tuple(xs) if scale == 1.0 else tuple([(x * scale).astype(x.dtype) for x in xs])
    return tuple(exchange.all_reduce(group, xs, reduction, where, before, after, most))


def _linear(attrs: dict) -> None:
    if attrs["reduction"] not in ("sum", "mean"):
        raise NotImplementedError(f"all_reduce {attrs['reduction']!r} has no gradient: sum and "
                                  "mean have one")


def _reduce_vjp(gs: tuple, ys: tuple, *xs: Any, **attrs: Any) -> tuple:
    """Each rank's operand is in every rank's result: the cotangents are reduced in turn."""
    _linear(attrs)
    return tuple(all_reduce_op(*gs, **attrs))


def _reduce_jvp(ts: tuple, ys: tuple, *xs: Any, **attrs: Any) -> tuple:
    _linear(attrs)
    given = [x * 0 if t is None else t for t, x in zip(ts, xs)]
    return tuple(all_reduce_op(*given, **attrs))


def _batched(size: int, xs: tuple, batched: tuple) -> list:
    return [x if has else broadcast_to(x, shape=(size, *shape_of(x)))
            for x, has in zip(xs, batched)]


def _elementwise_batch(call: Any, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    return call(*_batched(size, xs, batched), **attrs)


all_reduce_op = define(
    "all_reduce", kernel=_reduce_kernel, multi=True, args=("*values",), vjp=_reduce_vjp,
    jvp=_reduce_jvp, shape=lambda *specs, **attrs: tuple(specs), saves="in out", stateful=True,
    batch=_elementwise_batch,
    dtypes=NUMBERS, tf_name="CollectiveReduceV2", internal=True, unsavable=_TALKS)


def all_reduce(values: list, reduction: str = "sum", group: Any = None, *, before: float = 1.0,
               after: float = 1.0, most: int = 0, where: str = "") -> list[Tensor]:
    """Tensors reduced over the ranks of a group, in a few exchanges for all of them."""
    if not values:
        return []
    return list(all_reduce_op(*values, reduction=reduction, group=group, before=float(before),
                              after=float(after), most=most, where=where or user_line()))


# -- rows of all ranks -----------------------------------------------------------------------------
# all_gather and own_rows are each other's transpose: `gradient` says whether ranks' cotangents are
# summed up, as the derivative is, or averaged, as Horovod does.
def _swapped(x: Any) -> Any:
    return transpose(x, perm=(1, 0, *range(2, len(shape_of(x)))))


def _along_axis_1(call: Any, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """Batch rule of what works on rows: those of each element stand along axis 1."""
    return _swapped(call(*[_swapped(x) for x in _batched(size, xs, batched)], **attrs))


def _some_rows(spec: Spec, *others: Spec, **attrs: Any) -> Spec:
    return Spec((None, *spec.shape[1:]) if spec.shape is not None else None, spec.dtype)


def _needs_rows(value: Any, name: str, op: str) -> None:
    if not len(shape_of(value)):
        raise errors.invalid(op, f"{name} needs an axis of rows, and a scalar has none")


def _gather_kernel(x: Any, group: Any, where: str, gradient: str) -> Any:
    if group is None or group.size == 1:
        return np.array(x)
    return exchange.all_gather(group, np.asarray(x), where)[0]


def _own_rows_kernel(g: Any, x: Any, group: Any, where: str, gradient: str) -> Any:
    if group is None or group.size == 1:
        return np.array(g)
    (total,) = exchange.all_reduce(group, [np.asarray(g)], gradient, where)
    counts = exchange.gather_objects(group, x.shape[0], where)
    begin = sum(counts[:group.rank])
    return total[begin:begin + counts[group.rank]]


all_gather_op = define(
    "all_gather", kernel=_gather_kernel, shape=_some_rows, saves="in",
    vjp=(lambda g, y, x, **attrs: own_rows_op(g, x, **attrs),),
    jvp=lambda ts, y, x, **attrs: all_gather_op(ts[0], **attrs),
    batch=_along_axis_1, stateful=True, dtypes=NUMBERS, tf_name="CollectiveGatherV2",
    internal=True, unsavable=_TALKS)

own_rows_op = define(
    "own_rows", kernel=_own_rows_kernel, args=("g", "x"), saves="in",
    shape=lambda g, x, **attrs: Spec(x.shape, g.dtype),
    vjp=(lambda gg, y, g, x, **attrs: _scaled(all_gather_op(gg, **attrs), attrs), None),
    jvp=lambda ts, y, g, x, **attrs: own_rows_op(g * 0 if ts[0] is None else ts[0], x, **attrs),
    batch=_along_axis_1, stateful=True, dtypes=NUMBERS, internal=True, unsavable=_TALKS)


def _scaled(y: Any, attrs: dict) -> Any:
    group = attrs["group"]
    return y / group.size if attrs["gradient"] == "mean" and group is not None else y


def all_gather(value: Any, group: Any = None, *, gradient: str = "sum", where: str = "") -> Tensor:
    """The rows of all ranks' tensors, one after the other; numbers of rows may differ."""
    _needs_rows(value, "all_gather", "CollectiveGatherV2")
    return all_gather_op(value, group=group, gradient=gradient, where=where or user_line())


# -- broadcast -------------------------------------------------------------------------------------
def _broadcast_kernel(x: Any, root: int, group: Any, where: str, gradient: str) -> Any:
    if group is None or group.size == 1:
        return np.array(x)
    return exchange.broadcast(group, np.asarray(x), root, where)


def _to_root_kernel(g: Any, root: int, group: Any, where: str, gradient: str) -> Any:
    if group is None or group.size == 1:
        return np.array(g)
    (total,) = exchange.all_reduce(group, [np.asarray(g)], gradient, where)
    return total if group.rank == root else np.zeros_like(total)


broadcast_op = define(
    "broadcast_from_rank", kernel=_broadcast_kernel, shape=lambda x, **attrs: x,
    vjp=(lambda g, y, x, **attrs: to_root_op(g, **attrs),),
    jvp=lambda ts, y, x, **attrs: broadcast_op(ts[0], **attrs), batch=_elementwise_batch,
    stateful=True, dtypes=NUMBERS, tf_name="CollectiveBcastSendV2", internal=True,
    unsavable=_TALKS)

to_root_op = define(
    "sum_to_rank", kernel=_to_root_kernel, shape=lambda g, **attrs: g,
    vjp=(lambda gg, y, g, **attrs: _scaled(broadcast_op(gg, **attrs), attrs),),
    jvp=lambda ts, y, g, **attrs: to_root_op(ts[0], **attrs), batch=_elementwise_batch,
    stateful=True, dtypes=NUMBERS, internal=True, unsavable=_TALKS)


def broadcast(value: Any, root: int = 0, group: Any = None, *, gradient: str = "sum",
              where: str = "") -> Tensor:
    """The tensor of the group's rank `root`, on all of its ranks."""
    return broadcast_op(value, root=root, group=group, gradient=gradient,
                        where=where or user_line())


# -- all_to_all, reduce_scatter --------------------------------------------------------------------
def _all_to_all_kernel(x: Any, splits: Any, group: Any, where: str) -> tuple:
    if group is None or group.size == 1:
        return np.array(x), np.array(splits, np.int32)
    return exchange.all_to_all(group, np.asarray(x), np.asarray(splits), where)


all_to_all_op = define(
    "all_to_all", kernel=_all_to_all_kernel, args=("x", "splits"), multi=True, saves="in out",
    shape=lambda x, splits, **attrs: (_some_rows(x), Spec(splits.shape, np.dtype(np.int32))),
    vjp=lambda gs, ys, x, splits, **attrs: (all_to_all_op(gs[0], ys[1], **attrs)[0], None),
    jvp=lambda ts, ys, x, splits, **attrs: (
        None if ts[0] is None else all_to_all_op(ts[0], splits, **attrs)[0], None),
    batch=loop, stateful=True, dtypes=NUMBERS, tf_name="CollectiveAllToAllV2", internal=True,
    unsavable=_TALKS)


def all_to_all(value: Any, splits: Any, group: Any = None, *, where: str = "") -> tuple:
    """`splits[i]` rows to the i-th rank; the rows that came, and how many from each rank."""
    _needs_rows(value, "all_to_all", "CollectiveAllToAllV2")
    return all_to_all_op(value, splits, group=group, where=where or user_line())


def _scatter_kernel(x: Any, reduction: str, group: Any, where: str, before: float,
                    after: float) -> Any:
    if group is None or group.size == 1:
        scale = before * after
        return np.array(x) if scale == 1.0 else (x * scale).astype(x.dtype)
    return exchange.reduce_scatter(group, np.asarray(x), reduction, where, before, after)


def _scatter_shape(x: Spec, group: Any, **attrs: Any) -> Spec:
    if group is None or x.shape is None or x.shape[0] is None:
        return _some_rows(x) if group is not None else x
    return Spec((exchange.shares(x.shape[0], group.size)[group.rank], *x.shape[1:]), x.dtype)


def _scatter_vjp(g: Any, y: Any, x: Any, reduction: str, group: Any, where: str, before: float,
                 after: float) -> Any:
    if reduction not in ("sum", "mean"):
        raise NotImplementedError(f"reduce_scatter {reduction!r} has no gradient: sum and mean "
                                  "have one")
    scale = before * after / (group.size if reduction == "mean" and group is not None else 1)
    whole = all_gather_op(g, group=group, where=where, gradient="sum")
    return whole if scale == 1.0 else whole * scale


reduce_scatter_op = define(
    "reduce_scatter", kernel=_scatter_kernel, shape=_scatter_shape, vjp=(_scatter_vjp,),
    jvp=lambda ts, y, x, **attrs: reduce_scatter_op(ts[0], **attrs), batch=_along_axis_1,
    stateful=True, dtypes=NUMBERS, tf_name="CollectiveReduceScatterV2", internal=True,
    unsavable=_TALKS)


def reduce_scatter(value: Any, reduction: str = "sum", group: Any = None, *, before: float = 1.0,
                   after: float = 1.0, where: str = "") -> Tensor:
    """This rank's share of the rows of the reduced tensor; first ranks have one more."""
    _needs_rows(value, "reduce_scatter", "CollectiveReduceScatterV2")
    return reduce_scatter_op(value, reduction=reduction, group=group, before=float(before),
                             after=float(after), where=where or user_line())
