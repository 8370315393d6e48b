"""A graph of ONNX nodes while it is made: plain Python objects, which passes may change.

`model_files.py` makes the protocol buffers of it. Nothing here imports the package `onnx`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


class ExportError(NotImplementedError):
    """A function has no form in ONNX: the message names the record and the line of the program."""


@dataclass(eq=False)
class OnnxNode:
    """One node: its operator, the names that it reads and makes, its attributes.

    An attribute is an int, a float, a string, a tuple of ints, a dtype or an OnnxGraph. An input
    that is left out is the name "".
    """

    kind: str
    inputs: list[str]
    outputs: list[str]
    attrs: dict[str, Any] = field(default_factory=dict)

    def subgraphs(self) -> list[OnnxGraph]:
        return [one for one in self.attrs.values() if isinstance(one, OnnxGraph)]

    def reads(self) -> set[str]:
        """Every name that it needs, those that its subgraphs take from outside included."""
        found = set(self.inputs)
        for graph in self.subgraphs():
            found |= graph.reads()
        return found


@dataclass(eq=False)
class Port:
    """An input or output of a graph: its name, dtype and shape.

    A size is an int, a name, or None; the shape is None where the rank is unknown.
    """

    name: str
    dtype: np.dtype
    shape: tuple | None


@dataclass(eq=False)
class OnnxGraph:
    """Nodes in order; `constants` are only those of the outermost graph.

    typed   results of operators that are not ONNX's own, which nobody else knows the types of
    """

    name: str
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    nodes: list[OnnxNode] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    typed: list[Port] = field(default_factory=list)

    def reads(self) -> set[str]:
        """The names that it takes from outside."""
        found = {port.name for port in self.outputs}
        made = {port.name for port in self.inputs}
        for node in self.nodes:
            found |= node.reads()
            made |= set(node.outputs)
        return found - made

    def domains(self) -> set[str]:
        """Sets of operators besides ONNX's own: "ai.onnx.ml" of "ai.onnx.ml.LabelEncoder"."""
        found = {node.kind.rpartition(".")[0] for node in self.nodes}
        for node in self.nodes:
            for graph in node.subgraphs():
                found |= graph.domains()
        return found - {""}

    def prune(self) -> None:
        """Drop nodes and constants that lead to no output."""
        needed = {port.name for port in self.outputs}
        kept = []
        for node in reversed(self.nodes):
            if needed.intersection(node.outputs):
                kept.append(node)
                for graph in node.subgraphs():
                    graph.prune()
                needed |= node.reads()
        self.nodes = kept[::-1]
        self.typed = [one for one in self.typed if one.name in needed]
        self.constants = {name: one for name, one in self.constants.items() if name in needed}
