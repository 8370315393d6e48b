"""Operations: the nodes of a graph as TensorFlow's programs see them."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.graph import ir

_inspection = LateModule("tapeflow.graph.functions.inspection")
_MADE: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # by their nodes


@export("Operation")
class Operation:
    """One node of a graph, or an input: name, type, inputs, outputs; one object, however found."""

    def __new__(cls, trace: Any, node: ir.Node | None = None, value: Any = None) -> Operation:
        made = _MADE.get(value if node is None else node) if cls is Operation else None
        return object.__new__(cls) if made is None or made._trace is not trace else made

    def __init__(self, trace: Any, node: ir.Node | None, value: ir.Value | None):
        self._trace, self._node, self._value = trace, node, value
        if type(self) is Operation:
            _MADE[self._key()] = self

    @property
    def name(self) -> str:
        if self._value is None:
            return self._trace.name_of(ir.Value((), None, self._node))
        return self._trace.symbolic(self._value).name.rpartition(":")[0]

    @property
    def type(self) -> str:
        if self._node is not None:
            return self._node.op.tf_name
        return "Const" if self.is_known() else "Placeholder"

    def is_known(self) -> bool:
        """Whether its results are known while the graph is made."""
        return self._value is not None and self._value.const is not None

    @property
    def graph(self) -> Any:
        return self._trace

    @property
    def device(self) -> str:
        return ""

    @property
    def inputs(self) -> tuple:
        return () if self._node is None else tuple([
            self._trace.tensor_of(value) for value in self._node.inputs])

    @property
    def outputs(self) -> list:
        if self._node is None:
            return [self._trace.tensor_of(self._value)]
        return [self._trace.tensor_of(value) for value in self._node.outputs]

    @property
    def node_def(self) -> Any:
        """The NodeDef that it is in the GraphDef of its graph."""
        graph: Any = self._trace
        whole = graph if hasattr(graph, "as_graph_def") else _inspection.FunctionGraph(graph, None)
        found = next((one for one in whole.as_graph_def().node if one.name == self.name), None)
        if found is None:
            raise ValueError(f"Operation {self.name!r} has no NodeDef of its own.")
        return found

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before this one, though it takes nothing from them."""
        return operations(self._trace, self._trace.controls.get(self._node, ()))

    @property
    def _control_outputs(self) -> list[Operation]:
        """Those that wait for this one so."""
        return operations(self._trace, [node for node, waiting in self._trace.controls.items()
                                        if self._node in waiting])

    def run_nodes(self) -> list[ir.Node]:
        """The nodes that run when it is run."""
        return [] if self._node is None else [self._node]

    def values(self) -> tuple:
        """The outputs."""
        return tuple(self.outputs)

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run it in a session."""
        self._trace.evaluate(self, feed_dict, session)

    def get_attr(self, name: str) -> Any:
        """An attribute of the node."""
        from tapeflow.base.dtypes import of
        if name in ("T", "dtype") and self._value is not None:
            return of(self._value.dtype)
        if self._node is None or name not in self._node.attrs:
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        return self._node.attrs[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Any:
        return self._value if self._node is None else self._node

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


def operations(trace: Any, nodes: Iterable[ir.Node]) -> list[Operation]:
    """Nodes as operations."""
    return [Operation(trace, node, node.outputs[0] if node.outputs else None) for node in nodes]


Operation.__module__ = "tensorflow.python.framework.ops"
