"""What users see of a traced graph: `concrete_function.graph`, its tensors and operations."""

from __future__ import annotations

import itertools
from typing import Any

from tapeflow.base.late import LatePublic
from tapeflow.graph import ir
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph.tracing.symbolic import Symbolic
from tapeflow.graph.tracing.trace import Trace

_graph_def = LatePublic("__internal__.function_graph_def")


class FunctionGraph:
    """The graph of one concrete function. `str()` of it shows every node."""

    def __init__(self, trace: Trace, structured_outputs: Any):
        self._trace, self.structured_outputs = trace, structured_outputs

    @property
    def name(self) -> str:
        return self._trace.graph.name

    @property
    def inputs(self) -> list[Symbolic]:
        return [self._trace.symbolic(value) for value in self._trace.graph.inputs]

    @property
    def outputs(self) -> list[Symbolic]:
        return [self._trace.symbolic(value) for value in self._trace.graph.outputs]

    @property
    def variables(self) -> tuple:
        return tuple(use.variable for use in self._trace.graph.variables.values()
                     if use.variable is not None)

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    def get_operations(self) -> list[Operation]:
        """Inputs, then nodes in program order."""
        return self._trace.get_operations()

    def get_operation_by_name(self, name: str) -> Operation:
        for one in self.get_operations():
            if one.name == name:
                return one
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")

    def get_tensor_by_name(self, name: str) -> Symbolic:
        """The tensor of a name such as "x:0"; results are "Identity:0", "Identity_1:0" … too."""
        for one in self.get_operations():
            for tensor in one.outputs:
                if tensor.name == name:
                    return tensor
        found = self._results().get(name)
        if found is None:
            raise KeyError(f"The name {name!r} refers to a Tensor which does not exist.")
        return found

    def _results(self) -> dict[str, Symbolic]:
        """The results by the names that they have in the GraphDef: Identity:0, Identity_1:0 …"""
        taken = {one.name for one in self.get_operations()}
        words = (word for i in itertools.count()
                 if (word := f"Identity_{i}" if i else "Identity") not in taken)
        return {f"{word}:0": one for word, one in zip(words, self.outputs)}

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a GraphDef."""
        return _graph_def(self, self._trace.graph.outputs, add_shapes)

    def __str__(self) -> str:
        return ir.text(self._trace.graph)

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"
