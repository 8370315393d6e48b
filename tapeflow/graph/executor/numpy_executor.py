"""The NumPy executor: turns a graph into one straight-line Python function over bare arrays.

`source_writer` writes the function. This executor is the reference for every other one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.op import Op
from tapeflow.core.values.variable_locks import all_threads, alone
from tapeflow.graph import ir
from tapeflow.graph.executor import buffer_plan
from tapeflow.graph.executor.source_writer import Writer
from tapeflow.graph.executor.variable_sharing import SharingWriter
from tapeflow.graph.variable_ops import write


class Program:
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values."""

    __slots__ = ("_arenas", "_calls", "_function", "_graph", "_plan", "_sharing", "source")

    def __init__(self, graph: ir.Graph):
        self._plan = plan = buffer_plan.Plan(graph)
        self._calls: dict[Any, dict[int, tuple]] = {}  # by code, then by line
        writer = Writer(graph, plan)
        self._function = self._written(writer)
        self.source = writer.text
        # What runs beside other threads, if there is something to mind.
        self._graph = graph if any(node.op is write for node in graph.nodes) else None
        self._sharing: Callable | None = None
        self._arenas = buffer_plan.Arenas(plan) if plan.views else None

    def _written(self, writer: Writer) -> Callable:
        function = writer.function()
        self._calls[writer.names["run"].__code__] = writer.calls
        return function

    def _beside(self) -> Callable:
        if self._sharing is None:
            assert self._graph is not None
            self._sharing = self._written(SharingWriter(self._graph, self._plan))
        return self._sharing

    def run(self, arrays: Any, variables: Any) -> tuple:
        function = self._function
        if self._graph is not None and all_threads() and not alone():
            function = self._beside()
        token = ignore_fp_errors()
        try:
            if self._arenas is None:
                return function(arrays, variables, ())
            arena = self._arenas.take()
            results = function(arrays, variables, arena)
            self._arenas.give(arena)
            return results
        except Exception as error:
            self._explain(error)
            if isinstance(error, MemoryError) and from_library(error):
                raise errors.exhausted("Graph", str(error)) from None
            raise
        finally:
            restore_fp_errors(token)

    def direct_call(self, variables: list, pack: Callable | None) -> None:
        """There is no machine code to call."""

    def subscribe(self, listener: Any) -> None:
        """Native code never takes over."""

    def _explain(self, error: Exception) -> None:
        """Raise what the op that failed makes of it, as it does eagerly."""
        step = error.__traceback__
        while step is not None and step.tb_frame.f_code not in self._calls:
            step = step.tb_next
        calls = {} if step is None else self._calls[step.tb_frame.f_code]
        if step is None or step.tb_lineno not in calls:
            return
        op, labels, where = calls[step.tb_lineno]
        names = {**step.tb_frame.f_globals, **step.tb_frame.f_locals}
        explain(op, error, tuple([names[label] for label in labels if label in names]), {}, where)


def explain(op: Op, error: Exception, xs: tuple, attrs: dict, where: tuple | None) -> Any:
    """What a failed kernel gives after all, or its error as a run of a graph raises it."""
    try:
        return op.recover(error, xs, attrs)
    except Exception as found:
        # A ValueError is for arguments that are wrong while tracing: here a run has failed.
        failed = type(found) is ValueError and from_library(error)
        made = errors.invalid(op.tf_name, str(found)) if failed else found
        if where is not None:
            from tapeflow.graph.tracing.error_position import position_text, remedy_text
            made.add_note(position_text(op, where) + remedy_text(str(made)))
        raise made from found.__cause__
