"""Which lines of a tf.function its native code spends its time on.

Native code runs as a whole, so a sample of the stack tells no more than the function. Afterwards
its graph is cut into runs of nodes of one line; each is compiled by itself and timed, on made-up
numbers of the right shapes. That tells shares, of which the time of the samples is made up: fused
loops over several lines are counted apart, and a loop or branch, whose time depends on values, and
what no time is left for is estimated.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.insight.run_report.line_sampler import LineSampler, Part
from tapeflow.jit import pipeline
from tapeflow.jit.lowering.supported import Refused
from tapeflow.jit.report import so_far
from tapeflow.jit.tiering import cost

LEAST = 0.02  # seconds of a function that is worth it
BUDGET = 4.0  # seconds for all functions of a report
MEASURED = 0.01  # seconds for one run of nodes, and at least three calls


def divide_native(sampler: LineSampler, functions: list[Any]) -> None:
    """Divide what a sampler has found of native code by the lines of the functions' programs."""
    end = time.perf_counter() + BUDGET
    programs: dict[str, list] = {}
    for one in functions:
        made = so_far(one)
        programs.setdefault(made.name, []).extend(made.programs)
    for name, seconds in sorted(sampler.native_seconds().items(), key=lambda both: -both[1]):
        if seconds >= LEAST and name in programs:
            sampler.divide(name, parts_of(programs[name], end))


def parts_of(programs: list[tuple[str, Any]], end: float) -> list[Part]:
    """The parts of a function's native programs, the longest first; `end`: when to stop timing."""
    seconds: dict[tuple[str, bool], float] = {}
    ops: dict[tuple[str, bool], dict[str, float]] = {}
    for _, program in programs:
        if program.native is None:
            continue
        for key, nodes in _runs(program.graph):
            took = _time(program.graph, nodes, end)
            seconds[key] = seconds.get(key, 0.0) + took
            whole = sum(map(cost.of_node, nodes)) or 1.0
            table = ops.setdefault(key, {})
            for node in nodes:
                table[node.op.name] = (table.get(node.op.name, 0.0)
                                       + took * cost.of_node(node) / whole)
    total = sum(seconds.values())
    found = [Part(line, _words(ops[line, backward], backward), took / total)
             for (line, backward), took in seconds.items() if took]
    return sorted(found, key=lambda one: -one.share)


def _words(table: dict[str, float], backward: bool) -> str:
    names = sorted(table, key=lambda name: -table[name])
    said = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    return f"gradient: {said}" if backward else said


def _key(node: ir.Node) -> tuple[str, bool]:
    """The user's line, and whether it is the line's gradient."""
    where = node.where
    forward = getattr(where, "forward", None)
    if forward is not None and forward[1] is not None:
        path, line = forward[1]
    elif where is not None:
        path, line = where[0].co_filename, where[1]
    else:
        return "", False
    return f"{os.path.basename(path)}:{line}", forward is not None


def _runs(graph: ir.Graph) -> list[tuple[tuple[str, bool], list[ir.Node]]]:
    """The nodes in their order, in runs of one line."""
    found: list[tuple[tuple[str, bool], list[ir.Node]]] = []
    for node in graph.nodes:
        if node.op is write:
            continue
        key = _key(node)
        if not found or found[-1][0] != key:
            found.append((key, []))
        found[-1][1].append(node)
    return found


def _time(graph: ir.Graph, nodes: list[ir.Node], end: float) -> float:
    """Seconds of one call of these nodes in native code; by estimate if they cannot be timed."""
    guess = sum(map(cost.of_node, nodes))
    if time.perf_counter() > end or any(
            node.op.stateful or node.op.kind == "control" for node in nodes):
        return guess
    apart = _apart(graph, nodes)
    try:
        arrays = [_made_up(value) for value in apart.inputs]
        code = pipeline.compile(apart)
        best, stop = float("inf"), time.perf_counter() + MEASURED
        count = 0
        while count < 3 or time.perf_counter() < stop:
            begin = time.perf_counter()
            code.run(arrays, [])
            best, count = min(best, time.perf_counter() - begin), count + 1
    except (Refused, ValueError, MemoryError):  # of the nodes, or of the numbers
        return guess
    return best


def _apart(graph: ir.Graph, nodes: list[ir.Node]) -> ir.Graph:
    """A graph of these nodes alone: what others need of them are its outputs."""
    own = set(nodes)
    needed = {*graph.outputs, *[value for node in graph.nodes if node not in own
                                for value in node.operands()]}
    made = ir.Graph("part")
    new: dict[ir.Value, ir.Value] = {}

    def find(value: ir.Value) -> ir.Value:
        if value.const is not None:
            return value
        if value not in new:
            new[value] = ir.Value(value.shape, value.dtype)
            made.inputs.append(new[value])
        return new[value]

    for node in nodes:
        attrs = {key: find(attr) if isinstance(attr, ir.Value) else attr
                 for key, attr in node.attrs.items()}
        copy = ir.Node(node.op, tuple([find(value) for value in node.inputs]), attrs, node.where)
        copy.outputs = tuple([ir.Value(one.shape, one.dtype, copy, i)
                              for i, one in enumerate(node.outputs)])
        new.update(zip(node.outputs, copy.outputs, strict=True))
        made.nodes.append(copy)
    made.outputs = [new[value] for node in nodes for value in node.outputs if value in needed] or [
        new[value] for value in nodes[-1].outputs]
    return made


def _made_up(value: ir.Value) -> Any:
    """Numbers of a shape: between 0.5 and 1.5, or zeros, which are indices of everything."""
    if value.shape is None or None in value.shape or value.dtype.kind in "OSU":
        raise ValueError("its size is not known, or it holds no numbers")
    if value.dtype.kind in "fVc":
        numbers = np.asarray(np.random.default_rng(0).random(value.shape) + 0.5)
        return numbers.astype(value.dtype)[()]
    return np.zeros(value.shape, value.dtype)[()]
