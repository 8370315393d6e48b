"""What native code takes at all: values of known sizes, without strings and effects."""

from __future__ import annotations

from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write


class Refused(Exception):
    """The graph is not for native code; the message says why."""


def check_supported(graph: ir.Graph) -> None:
    """Raise `Refused` if a graph is not for native code."""
    for value in (*graph.values(), *graph.outputs):
        if value.shape is None or None in value.shape:
            raise Refused("a size is known only at run time")
        if 0 in value.shape:
            raise Refused("a value has no elements")
        if value.dtype.kind in "OUS":
            raise Refused("strings")
    for use in graph.variables.values():
        if getattr(use.variable, "_static_shape", None) is not None:
            raise Refused("a variable may change its shape")
    for node in graph.nodes:
        if node.op is write and node.inputs[0].dtype == bool and not node.inputs[0].shape:
            raise Refused("a variable is a single truth value")  # True and False are shared objects
        if node.op.stateful and node.op.kind != "random" and not node.attrs.get("variable"):
            raise Refused(f"{node.op.name} has an effect")
