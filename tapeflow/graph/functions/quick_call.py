"""The short way from a tf.function to its executor, for calls on plain tensors that nobody records.

A `QuickCall` serves one signature. It subscribes to the executor, which tells it when native code
takes over: until then a call runs the executor, from then on machine code with nothing in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.graph.executor.interface import DirectCall, Executor

MOST_BYTES = 1 << 24  # of arguments that are kept until the next call


def quick_key(args: tuple) -> tuple | None:
    """The dtypes and shapes of arguments that are all plain tensors; None if one is not."""
    key: list[Any] = []
    for x in args:
        if type(x) is not Tensor:
            return None
        value = x._value
        key += (value.dtype.num, value.shape)
    return tuple(key)


class QuickCall:
    """A call on a tuple of plain tensors of one signature.

    run     by the executor's general way
    native  machine code, as long as it serves; gives MISS where the general way is needed
    small   whether the tensors may be kept after the call, to run it again (`insight/rerun.py`)
    """

    __slots__ = ("__weakref__", "_executor", "_pack", "_variables", "native", "run", "small")

    def __init__(self, executor: Executor, variables: list, run: Callable[[tuple], Any],
                 pack: Callable | None, small: bool):
        self._executor, self._variables, self._pack = executor, variables, pack
        self.run, self.small = run, small
        self.native: DirectCall | None = None
        executor.subscribe(self)

    def native_changed(self) -> None:
        """Native code took over, or was withdrawn."""
        self.native = self._executor.direct_call(self._variables, self._pack)


def is_small(tensors: Sequence) -> bool:
    """Whether these are plain tensors that may be kept a little longer than they are needed."""
    return all(type(x) is Tensor for x in tensors) and sum(
        [x._value.nbytes for x in tensors]) <= MOST_BYTES


def general_way(executor: Executor, variables: list, structure: Any, whole: bool,
                pack: Callable) -> Callable[[tuple], Any]:
    """A call by `executor.run`; results as `pack` makes them, without it where they are simple.

    structure  of the results; None: a single tensor. whole: no None among its leaves
    """
    if structure is None:
        return lambda args: wrap(executor.run([x._value for x in args], variables)[0])
    kind = type(structure)
    if kind in (list, tuple) and whole and all(type(one) is int for one in structure):
        return lambda args: kind([
            wrap(y) for y in executor.run([x._value for x in args], variables)])
    return lambda args: pack([wrap(y) for y in executor.run([x._value for x in args], variables)])
