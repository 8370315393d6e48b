"""Which strategy, and which replica of it, this thread runs for.

A thread has at most one frame: a strategy, and in it a replica context, or None where code stands
for all replicas at once (cross-replica). Variables made in a frame are of the strategy's own class.
"""

from __future__ import annotations

import contextlib
import enum
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tapeflow.base.exports import export
from tapeflow.core.state import state


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of replicas are combined."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: Any) -> ReduceOp:
        """The way in which a variable of this aggregation is combined."""
        found = {"SUM": ReduceOp.SUM, "MEAN": ReduceOp.MEAN}.get(aggregation.name)
        if found is None:
            raise ValueError(f"Could not convert from `tf.VariableAggregation` {aggregation} to "
                             "`tf.distribute.ReduceOp` type")
        return found


def reduce_op(value: Any) -> ReduceOp:
    """A ReduceOp, or its name in any case."""
    return ReduceOp(value.upper()) if isinstance(value, str) else ReduceOp(value)


class Frame:
    """A strategy and the replica of it that runs, None in cross-replica context."""

    __slots__ = ("replica", "strategy")

    def __init__(self, strategy: Any, replica: Any):
        self.strategy, self.replica = strategy, replica


class _Thread(threading.local):
    frame: Frame | None = None
    updating: int | None = None  # the replica whose components an update is for


_thread = _Thread()
_fallback: list[Any] = []  # the strategy of experimental_set_strategy, for all threads


def current() -> Frame | None:
    """The frame of this thread, or None under the default strategy."""
    if _thread.frame is not None:
        return _thread.frame
    return Frame(_fallback[0], None) if _fallback else None


@contextlib.contextmanager
def entered(frame: Frame | None) -> Iterator[None]:
    """`with entered(frame):` run in that frame."""
    before, maker = _thread.frame, state.variable_maker
    _thread.frame = frame
    state.variable_maker = None if frame is None else frame.strategy._variable_maker()
    try:
        yield
    finally:
        _thread.frame, state.variable_maker = before, maker


@contextlib.contextmanager
def updating(index: int) -> Iterator[None]:
    """`with updating(i):` distributed variables are their components of replica `i`."""
    before, _thread.updating = _thread.updating, index
    try:
        yield
    finally:
        _thread.updating = before


def update_index() -> int | None:
    """The replica whose components are being updated, None outside of an update."""
    return _thread.updating


_default: list[Any] = []  # the class of the default strategy, and the one of it, once it is made


def default_class(cls: type) -> type:
    """Class decorator: the strategy outside of every scope is the only one of this class."""
    _default[:] = [cls]
    return cls


def default_strategy() -> Any:
    """The strategy outside of every scope."""
    if not _default:  # this module was imported alone
        import_module("tapeflow.distribute.strategies")
    if len(_default) == 1:
        _default.append(_default[0]())
    return _default[1]


@export("distribute.get_strategy")
def get_strategy() -> Any:
    """The strategy in whose scope this runs; outside of any, the default one."""
    frame = current()
    return default_strategy() if frame is None else frame.strategy


@export("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether this runs in the scope of a strategy other than the default one."""
    frame = current()
    return frame is not None and frame.strategy is not default_strategy()


@export("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether this runs for all replicas at once."""
    frame = current()
    return frame is not None and frame.replica is None


@export("distribute.get_replica_context")
def get_replica_context() -> Any:
    """The context of the replica that runs, None in cross-replica context."""
    frame = current()
    return default_strategy()._replica if frame is None else frame.replica


@export("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy: Any) -> None:
    """Run all that follows in the scope of a strategy; None ends that."""
    if _thread.frame is not None:
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None and strategy is default_strategy():
        strategy = None
    _fallback[:] = [] if strategy is None else [strategy]
    state.variable_maker = None if strategy is None else strategy._variable_maker()


def require_cross_replica(strategy: Any) -> None:
    """Raise unless this runs outside of the replicas of `strategy`."""
    frame = current()
    if frame is not None and frame.strategy is not strategy:
        raise RuntimeError("Mixing different tf.distribute.Strategy objects: "
                           f"{frame.strategy} is not {strategy}")
    if frame is not None and frame.replica is not None:
        raise RuntimeError("Method requires being in cross-replica context, use "
                           "get_replica_context().merge_call()")
