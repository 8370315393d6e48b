"""The traced graph: a flat list of op calls in program order (static single assignment).

A Graph has inputs, nodes and outputs. A Value is an input, a constant or a result of a Node, with
static shape and dtype. Variables are state: a `VariableUse` holds the Value that stands for what
the variable held when the graph began; writes are nodes with an effect. Nodes with effects
(`op.stateful`) keep their order and are never dropped. Operands of a node may also hide in its
attributes: a size that is known only at run time is a Value there.

Values and Nodes are equal only to themselves: tables are keyed by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.core.record.op import Op, Spec


class Value:
    """One tensor of the graph."""

    __slots__ = ("const", "dtype", "index", "name", "node", "shape")

    def __init__(self, shape: tuple | None, dtype: Any, node: Node | None = None, index: int = 0,
                 const: Any = None, name: str = ""):
        self.shape, self.dtype, self.node, self.index = shape, dtype, node, index
        self.const, self.name = const, name

    @property
    def spec(self) -> Spec:
        return Spec(self.shape, self.dtype)

    def __repr__(self) -> str:
        size = "?" if self.shape is None else ",".join("?" if n is None else str(n)
                                                       for n in self.shape)
        return f"{self.name or hex(id(self))}: {self.dtype}[{size}]"


class Node:
    """One op call. `where`, code and line, is the position in the user's program."""

    __slots__ = ("attrs", "inputs", "op", "outputs", "where")

    def __init__(self, op: Op, inputs: tuple[Value, ...], attrs: dict[str, Any],
                 where: tuple | None = None):
        self.op, self.inputs, self.attrs, self.where = op, inputs, attrs, where
        self.outputs: tuple[Value, ...] = ()

    def operands(self) -> Iterator[Value]:
        """All Values it reads: inputs, then those in attributes."""
        yield from self.inputs
        for attr in self.attrs.values():
            if isinstance(attr, Value):
                yield attr

    def __repr__(self) -> str:
        return f"{self.op.name}({', '.join(map(repr, self.inputs))}, {self.attrs})"


class VariableUse:
    """A variable that a graph reads or writes. `variable` is None for one passed as argument."""

    __slots__ = ("argument", "initial", "variable")

    def __init__(self, variable: Any, initial: Value, argument: int | None = None):
        self.variable, self.initial, self.argument = variable, initial, argument


class Graph:
    """Inputs, nodes in order, outputs, and the variables in between.

    asked   a function in it asked for native code (`jit_compile=True`)
    """

    def __init__(self, name: str = "graph", asked: bool = False):
        self.name, self.asked = name, asked
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.outputs: list[Value] = []
        self.variables: dict[int, VariableUse] = {}
        self.captured: list[tuple[Any, Value]] = []  # eager tensors among the constants
        self.estimate: tuple[list, int, float] | None = None  # of its cost, for so many nodes

    def values(self) -> Iterator[Value]:
        """Every Value that is defined here: inputs, what variables held, results."""
        yield from self.inputs
        for use in self.variables.values():
            yield use.initial
        for node in self.nodes:
            yield from node.outputs

    def prune(self) -> None:
        """Drop nodes that lead to no output and have no effect."""
        self.nodes = self.needed()

    def needed(self) -> list[Node]:
        """The nodes that lead to an output or have an effect."""
        needed = set(self.outputs)
        kept = []
        for node in reversed(self.nodes):
            if node.op.stateful or not needed.isdisjoint(node.outputs):
                kept.append(node)
                needed.update(node.operands() if node.attrs else node.inputs)
        return kept[::-1]

    def __str__(self) -> str:
        return text(self)


def needed_for(outputs: list[Value], nodes: list[Node]) -> set[Value]:
    """The Values that the outputs depend on, themselves included."""
    needed = set(outputs)
    for node in reversed(nodes):
        if not needed.isdisjoint(node.outputs):
            needed.update(node.operands() if node.attrs else node.inputs)
    return needed


def constant(value: Any) -> Value:
    """A Value that is known while tracing."""
    return Value(value.shape, value.dtype, None, 0, value)


def check(graph: Graph) -> None:
    """The executable specification of a graph: raises AssertionError where it is broken."""
    defined = set(graph.inputs)
    defined.update(use.initial for use in graph.variables.values())
    for node in graph.nodes:
        for value in node.operands() if node.attrs else node.inputs:
            assert value.const is not None or value in defined, (
                f"{node.op.name} reads {value!r} before it is defined")
        for index, value in enumerate(node.outputs):
            assert value.node is node and value.index == index, f"{value!r} is not of its node"
            assert value not in defined, f"{value!r} is defined twice"
            defined.add(value)
        assert node.op.multi or len(node.outputs) == 1, f"{node.op.name} has one result"
    for value in graph.outputs:
        assert value.const is not None or value in defined, f"output {value!r} is not defined"


def text(graph: Graph) -> str:
    """The graph as readable lines."""
    names: dict[Value, str] = {}

    def name(value: Value) -> str:
        if value.const is not None:
            return _literal(value.const)
        return names.setdefault(value, value.name or f"%{len(names)}")

    def typed(value: Value) -> str:
        size = "?" if value.shape is None else ",".join("?" if n is None else str(n)
                                                        for n in value.shape)
        return f"{name(value)}: {value.dtype}[{size}]"

    lines = [f"{graph.name}({', '.join(typed(value) for value in graph.inputs)}):"]
    for use in graph.variables.values():
        label = getattr(use.variable, "name", f"argument {use.argument}")
        lines.append(f"  {typed(use.initial)} = variable {label!r}")
    for node in graph.nodes:
        attrs = [f"{key}={name(attr) if isinstance(attr, Value) else _attr(attr)}"
                 for key, attr in node.attrs.items()]
        call = ", ".join([name(value) for value in node.inputs] + attrs)
        left = ", ".join(typed(value) for value in node.outputs)
        lines.append(f"  {left + ' = ' if left else ''}{node.op.name}({call})")
    lines.append(f"  return {', '.join(name(value) for value in graph.outputs)}")
    return "\n".join(lines)


def _literal(value: Any) -> str:
    if value.size <= 4:
        return f"{np.asarray(value).tolist()}"
    return f"const[{','.join(map(str, value.shape))}]"


def _attr(attr: Any) -> str:
    if isinstance(attr, Graph):
        return f"<{attr.name}>"
    return repr(attr) if not callable(attr) else getattr(attr, "__name__", "function")


def replace_operands(node: Node, change: Callable[[Value], Value]) -> None:
    """Put `change(value)` in place of each Value that a node reads."""
    node.inputs = tuple([change(value) for value in node.inputs])
    for key, attr in node.attrs.items():
        if isinstance(attr, Value):
            node.attrs[key] = change(attr)


def literal_of(value: Value) -> Any:
    """The scalar that a constant of one element is, or None."""
    if value.const is None or value.const.size != 1:
        return None
    return value.const.item() if value.dtype.kind != "V" else float(value.const.reshape(()))


def attribute(value: Any) -> Any:
    """A size that is known at run time, as kernels take it: an int or a tuple of ints."""
    return tuple(value.tolist()) if getattr(value, "ndim", 0) else int(value)
