"""Operations of a tf.Graph that sessions need not run: placeholders, constants, and what is
computed from constants alone.

The results of the last two are known while the graph is made. Their tensors are eager ones: they
have values, shapes that depend on them are known, and no session computes them. To programs they
are tensors of the graph all the same, with names and operations; a session that is fed a constant
computes what depends on it anew.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tapeflow.core.record.op import Op
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph import ir
from tapeflow.graph.tracing.operation import Operation

_OPERANDS = ("x", "y", "z")  # names of constants that an operation was given as plain values


class KnownOperations:
    """Those of one graph, each with the number of nodes that were there before it."""

    def __init__(self, graph: Any):
        self._graph = graph
        self._listed: list[tuple[int, ir.Node | None, ir.Value]] = []
        self._tensors: dict[ir.Value, Tensor] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._listed)

    @contextlib.contextmanager
    def unlisted(self) -> Iterator[None]:
        """Constants made inside are no operations of the program."""
        before, self._closed = self._closed, True
        try:
            yield
        finally:
            self._closed = before

    # -- made ------------------------------------------------------------------------------------
    def fed(self, placeholder: ir.Value) -> None:
        """A placeholder of the program."""
        self._list(None, placeholder)

    def given(self, tensor: Tensor, name: str) -> None:
        """A constant of the program."""
        if self._closed or tensor._symbol is not None or self._others(tensor):
            return
        value = self._graph.eager.constant(tensor)
        if not value.name:
            value.name = self._graph.unique_name(name)
            self._list(None, value)
        self._show(tensor, value)

    def computed(self, op: Op, xs: tuple, ys: tuple, attrs: dict) -> None:
        """An op ran on constants."""
        if self._closed or not ys or any(map(self._others, (*xs, *ys))):
            return
        if any(y._symbol is not None for y in ys):  # the operand itself
            return
        value_of = self._graph.eager.constant
        node = ir.Node(op, tuple(map(value_of, xs)), {
            key: value_of(attr) if isinstance(attr, Tensor) else attr
            for key, attr in attrs.items()})
        node.outputs = tuple(map(value_of, ys))
        for index, value in enumerate(node.outputs):
            value.node, value.index = node, index
        name = self._graph.names.of_call(node)
        self.name_operands(node, name, len(self._graph.graph.nodes))
        self._graph.names.give(node, name)
        self._list(node, node.outputs[0])
        for tensor, value in zip(ys, node.outputs, strict=True):
            self._show(tensor, value)

    def name_operands(self, node: ir.Node, name: str, position: int) -> None:
        """Let constants that a new node was given as plain values be operations: `add/y`."""
        if self._closed:
            return
        for i, value in enumerate(node.inputs):
            if value.const is not None and not value.name:
                word = _OPERANDS[i] if i < len(_OPERANDS) else str(i)
                value.name = self._graph.names.unique(f"{name}/{word}")
                self._listed.append((position, None, value))

    def _others(self, x: Any) -> bool:
        """Whether a tensor comes into the graph in another way: a tape follows it, or it waits."""
        return type(x) is not Tensor or bool(x._uid) or self._graph.is_followed(x)

    def _list(self, node: ir.Node | None, value: ir.Value) -> None:
        self._listed.append((len(self._graph.graph.nodes), node, value))

    def _show(self, tensor: Tensor, value: ir.Value) -> None:
        tensor._symbol = self._graph.symbolic(value)
        self._tensors[value] = tensor

    # -- found -----------------------------------------------------------------------------------
    def at(self, without: set) -> list[tuple[int, Operation]]:
        """The operations, and before which node of the graph each stands."""
        return [(position, Operation(self._graph, node, value))
                for position, node, value in self._listed if value not in without]

    def tensor_of(self, value: ir.Value) -> Tensor | None:
        """The program's tensor of a known result."""
        return self._tensors.get(value)

    def stale(self, fed: set[ir.Value]) -> list[ir.Node]:
        """The nodes whose results are other ones where these constants are fed, in their order."""
        changed = {value for value in fed if value.const is not None}
        found = []
        if changed:
            for _, node, _ in self._listed:
                if node is not None and not changed.isdisjoint(node.operands()):
                    found.append(node)
                    changed.update(node.outputs)
        return found
