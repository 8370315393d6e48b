"""The NumPy executor: turns a graph into one straight-line Python function over bare arrays.

Every node becomes a prepared call `v7 = k3(v1, v2)`, so that nothing is looked up or decided
between the kernels. It is the reference for every other executor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core.quiet import hush, unhush
from tapeflow.graph import ir
from tapeflow.graph.tracing import write

LARGE = 1 << 14  # bytes from which it pays to drop an array as soon as it is dead


def attribute(value: Any) -> Any:
    """A size that is known at run time, as kernels take it: an int or a tuple of ints."""
    return tuple(value.tolist()) if getattr(value, "ndim", 0) else int(value)


class Program:
    """A compiled graph. `run(arrays, variables)` gives the outputs as a tuple of bare values."""

    __slots__ = ("_function", "source")

    def __init__(self, graph: ir.Graph):
        self.source, names = _write_source(graph)
        exec(compile(self.source, f"<graph {graph.name}>", "exec"), names)  # noqa: S102
        self._function = names["run"]

    def run(self, arrays: Any, variables: Any) -> tuple:
        token = hush()
        try:
            return self._function(arrays, variables)
        finally:
            unhush(token)


def _write_source(graph: ir.Graph) -> tuple[str, dict[str, Any]]:
    """Source of the function, and the kernels and constants it names."""
    names: dict[str, Any] = {"attribute": attribute, "recover": _recover}
    label: dict[int, str] = {}
    lines = []

    def name(value: ir.Value) -> str:
        key = id(value)
        if key not in label:
            if value.const is None:
                raise AssertionError(f"{value!r} is used before it is made")
            label[key] = f"c{len(names)}"
            names[label[key]] = value.const
        return label[key]

    def define(value: ir.Value) -> str:
        label[id(value)] = f"v{len(label)}"
        return label[id(value)]

    if graph.inputs:
        lines.append(f"{', '.join([define(value) for value in graph.inputs])}, = arrays")
    slots = {}
    for slot, (uid, use) in enumerate(graph.variables.items()):
        slots[uid] = slot
        lines.append(f"{define(use.initial)} = variables[{slot}]._snapshot._value")
    dying = _last_uses(graph)
    for position, node in enumerate(graph.nodes):
        if node.op is write:
            slot = slots[node.attrs["variable"]]
            lines.append(f"variables[{slot}]._swap({name(node.inputs[0])})")
        else:
            lines.append(_call(node, position, name, define, names))
        dead = [label[id(value)] for value in dying.get(position, ()) if id(value) in label]
        if dead:
            lines.append(f"del {', '.join(dead)}")
    results = "".join(f"{name(value)}, " for value in graph.outputs)
    lines.append(f"return ({results})")
    return "def run(arrays, variables):\n    " + "\n    ".join(lines) + "\n", names


def _call(node: ir.Node, position: int, name: Callable, define: Callable,
          names: dict[str, Any]) -> str:
    kernel = f"k{position}"
    names[kernel] = node.op.kernel
    words = [name(value) for value in node.inputs]
    for key, attr in node.attrs.items():
        if isinstance(attr, ir.Value):
            words.append(f"{key}=attribute({name(attr)})")
        else:
            names[f"{kernel}_{key}"] = attr
            words.append(f"{key}={kernel}_{key}")
    call = f"{kernel}({', '.join(words)})"
    if not node.outputs:
        return call
    left = ", ".join(define(value) for value in node.outputs)
    return f"{left}{',' if node.op.multi else ''} = {call}"


def _last_uses(graph: ir.Graph) -> dict[int, list[ir.Value]]:
    """Large values by the position of the node after which nobody needs them."""
    kept = {id(value) for value in graph.outputs}
    last: dict[int, tuple[int, ir.Value]] = {}
    for position, node in enumerate(graph.nodes):
        for value in node.operands():
            last[id(value)] = (position, value)
    dying: dict[int, list[ir.Value]] = {}
    for position, value in last.values():
        if id(value) not in kept and value.const is None and _large(value):
            dying.setdefault(position, []).append(value)
    return dying


def _large(value: ir.Value) -> bool:
    if value.shape is None or None in value.shape:
        return True
    return int(np.prod(value.shape, dtype=np.int64)) * value.dtype.itemsize >= LARGE


def _recover(*args: Any) -> Any:
    raise AssertionError
