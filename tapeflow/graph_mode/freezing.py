"""Traced functions with constants for variables: `convert_variables_to_constants_v2`.

Programs call it before they write a GraphDef that needs no variables ("a frozen graph").
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.late import LatePublic
from tapeflow.graph_mode.graph import Graph
from tapeflow.graph_mode.graph_def import written
from tapeflow.graph_mode.wrapped_function import WrappedFunction

_import_graph_def = LatePublic("graph_util.import_graph_def")


class FrozenFunction(WrappedFunction):
    """A function of a frozen graph; tensors come by position or by the names of placeholders."""

    structured_input_signature = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = [one.name.partition(":")[0] for one in self.inputs]
        left = names[len(args):]
        if len(args) > len(names) or set(kwargs) != set(left):
            raise TypeError(f"the frozen function takes the tensors {names}, and got {len(args)} "
                            f"by position and {sorted(kwargs)} by name")
        return super().__call__(*args, *[kwargs[name] for name in left])


def convert_variables_to_constants_v2(func: Any, lower_control_flow: bool = True,
                                      aggressive_inlining: bool = False) -> FrozenFunction:
    """A concrete function with the values that its variables hold now."""
    message, inputs, results = written(func.graph, frozen=True)
    graph = Graph()
    with graph.as_default():
        found = _import_graph_def(message, name="", return_elements=[
            f"{name}:0" for name in [*inputs, *results]])
    return FrozenFunction(graph, found[:len(inputs)], found[len(inputs):])


FrozenFunction.__module__ = "tensorflow.python.eager.wrap_function"
