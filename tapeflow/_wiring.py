"""Where layers meet that must not import each other: what a lower one calls of an upper one.

Imported by `tapeflow/__init__.py`, which calls `connect` once. What is only needed later is
imported when it is called, so that `import tapeflow` stays short.
"""

from __future__ import annotations

import sys
from typing import Any

from tapeflow.base.machine_code import scalar_functions
from tapeflow.core.autodiff import finite_walks, tape
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.values import tensor
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.executor.interface import Executor, set_executor_factory
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.tracing import trace
from tapeflow.jit.runtime import fork_gate as fork_gate  # its hooks must be there before a fork
from tapeflow.ops._support import large_operands


def connect() -> None:
    """Graphs get their executor and control flow, large eager ops their compiler, tapes their
    explanations."""
    trace.set_control_flow(_control_flow)
    set_executor_factory(_tiered)
    large_operands.native = _compiled_op
    large_operands.native_window = _compiled_convolution
    scalar_functions.compile_module = _scalar_functions
    tensor.not_finite_fetched = _not_finite_fetched
    finite_walks.not_finite = _not_finite
    tape.none_given = _none_given
    tape.rule_failed = _rule_failed
    GradientTape.explain = _explain  # type: ignore[attr-defined]
    tensor.array_taken = _array_taken
    GradientTape.report = _report  # type: ignore[attr-defined]
    GradientTape.memory = _memory  # type: ignore[attr-defined]
    GradientTape.draw = _draw  # type: ignore[attr-defined]
    shown: list[Any] = [Tensor, Variable, GradientTape, ConcreteFunction]
    for one in shown:
        one._repr_html_ = _html


def _array_taken(tensor: Tensor) -> None:
    from tapeflow.gradients.numpy_escapes import array_taken
    array_taken(tensor)


def _control_flow() -> trace.ControlFlow:
    from tapeflow.graph.control_flow import node_makers
    return node_makers


def _tiered(graph: ir.Graph, require_native: bool, fixed: bool, /) -> Executor:
    from tapeflow.jit.tiering.early_starts import with_early_starts
    from tapeflow.jit.tiering.graph_tiering import Adaptive, refuse_beyond_compilers
    from tapeflow.jit.tiering.regions import Divided, divided
    # XLA leaves assertions out; here they stand between native parts.
    if require_native and any(node.op.traits.only_checks for node in graph.nodes):
        refuse_beyond_compilers(graph)
        require_native = False
    if require_native or (runs := divided(early := with_early_starts(graph))) is None:
        return Adaptive(graph, require_native, fixed)
    return Divided(early, runs, fixed)


def _compiled_op(*operands: Any) -> Any:
    from tapeflow.jit.tiering.eager_tiering import choose_op
    return choose_op(*operands)


def _compiled_convolution(*operands: Any) -> Any:
    from tapeflow.jit.tiering.eager_tiering import choose_window
    return choose_window(*operands)


def _scalar_functions(module: str) -> Any:
    from tapeflow.jit.scalar_functions.scalar_machine_code import compiled
    return compiled(module)


def _not_finite_fetched(tensor: Tensor) -> None:
    from tapeflow.insight.rerun import noticed
    noticed(tensor)


def _not_finite(record: Record, entries: list | None, targets: list, sources: list) -> None:
    from tapeflow.insight.eager_steps import suspected
    suspected(record, entries, targets, sources)


def _none_given() -> None:
    if "keras" in sys.modules:
        from tapeflow.insight.notes import tell_keras
        tell_keras()


def _rule_failed(error: Exception) -> None:
    from tapeflow.insight.program_text.failed_rules import rule_failed
    rule_failed(error)


def _explain(self: GradientTape, target: Any, sources: Any) -> Any:
    """Say in words, for each source, why there is no gradient and what to do (tapeflow's own)."""
    from tapeflow.insight.explain import explain
    return explain(self, target, sources)


def _report(self: GradientTape, target: Any, sources: Any, output_gradients: Any = None) -> Any:
    """Norm, zeros, NaNs and a verdict in words for each gradient (tapeflow's own)."""
    from tapeflow.insight.tape_reports.gradient_report import report
    return report(self, target, sources, output_gradients)


def _memory(self: GradientTape) -> Any:
    """The bytes that the tape keeps, by the user's line and op (tapeflow's own)."""
    from tapeflow.insight.tape_reports.tape_memory import memory
    return memory(self)


def _draw(self: GradientTape, target: Any = None, group: str | None = None) -> Any:
    """The tape as a picture, an SVG: ops, sizes, norms of gradients, cuts (tapeflow's own)."""
    from tapeflow.insight.drawing.tape_drawing import draw
    return draw(self, target, group)


def _html(self: Any) -> str:
    """What a notebook shows."""
    from tapeflow.documentation import notebook_display as display
    if isinstance(self, Variable):
        return display.variable_html(self)
    if isinstance(self, Tensor):
        return display.tensor_html(self)
    return display.tape_html(self) if isinstance(self, GradientTape) else (
        display.concrete_function_html(self))
