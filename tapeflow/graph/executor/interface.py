"""What an executor is, and who makes one: the border between graphs and what runs them.

`numpy_executor` has the reference executor. The compiler, a layer above, puts a factory of its own
in its place (`set_executor_factory`, called once in `tapeflow/_wiring.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tapeflow.base.late import LateModule
from tapeflow.graph import ir

_numpy = LateModule("tapeflow.graph.executor.numpy_executor")  # loaded at first use

MISS = object()  # what a direct call gives if the arguments are not for it
DirectCall = Callable[[tuple], Any]  # a tuple of Tensors -> what the user gets, or MISS


class NativeListener(Protocol):
    """Somebody who is told when native code begins or ends to serve."""

    def native_changed(self) -> None:
        """The executor's `direct_call` may give another answer from now on."""


class Executor(Protocol):
    """Runs one graph."""

    def run(self, arrays: list, variables: list) -> tuple:
        """The outputs as bare values; writes variables."""

    def direct_call(self, variables: list, pack: Callable | None) -> DirectCall | None:
        """A call of machine code with nothing in between; None while none serves.

        `pack` makes what the user gets of a list of Tensors; None: the only Tensor.
        """

    def subscribe(self, listener: NativeListener) -> None:
        """Tell `listener` when native code takes over, and when it is withdrawn; at once if it
        serves already. The listener is not kept alive."""


class ExecutorFactory(Protocol):
    """Makes the executor of an optimised graph.

    require_native  native code from the first call on (`jit_compile=True`)
    fixed           one executor serves all calls: threads call it, in no order
    """

    def __call__(self, graph: ir.Graph, require_native: bool, fixed: bool, /) -> Executor: ...


def on_numpy(graph: ir.Graph, require_native: bool, fixed: bool, /) -> Executor:
    """The reference executor, whatever is asked for."""
    return _numpy.Program(graph)


_factory: ExecutorFactory = on_numpy


def set_executor_factory(factory: ExecutorFactory) -> ExecutorFactory:
    """Let `factory` make all further executors; returns the one that did so far."""
    global _factory
    before, _factory = _factory, factory
    return before


def make_executor(graph: ir.Graph, require_native: bool = False, fixed: bool = False) -> Executor:
    """The executor of an optimised graph."""
    return _factory(graph, require_native, fixed)
