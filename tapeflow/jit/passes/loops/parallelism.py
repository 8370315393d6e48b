"""Loops whose rows do not look at each other: some rows go through all iterations on one thread.

A recurrent cell does the same to each row of a batch. Its iterations are too short to be shared by
threads one by one; the rows of the whole loop are. Which ops keep rows apart is read off their
forms; how many parts there are does not depend on the number of threads.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.graph.control_flow.loop_spec import LoopSpec
from tapeflow.graph.passes import copy
from tapeflow.jit.choices import Choice
from tapeflow.jit.passes.decompose import expand

LEAST, MOST = 8, 8  # rows of a part; parts
TASK = 30_000  # nanoseconds that a part should take at least
LONG = 60_000  # nanoseconds of an iteration that is better shared itself

PARTS = Choice("row_tasks.parts", (False, True))


def divided(node: ir.Node, trips: int | None) -> tuple[int, ir.Graph] | None:
    """How many parts the rows of a loop fall into, and its body for the rows of one part."""
    spec = LoopSpec(**node.attrs)
    if spec.condition is not None or not trips:
        return None
    graph, count = spec.body.graph, spec.n_iterated
    ends = [*graph.inputs[:count], *graph.outputs]
    rows = (ends[0].shape or (0,))[0]
    if rows < 2 * LEAST or any((x.shape or (0,))[0] != rows for x in ends) or any(
            isinstance(attr, ir.Value) for one in graph.nodes for attr in one.attrs.values()):
        return None
    large = expand(copy(graph))
    if not _apart(large, count, rows):
        return None
    iteration = _nanoseconds(large)
    most = min(MOST, rows // LEAST)
    better = [n for n in range(2, min(most, int(iteration * trips / TASK)) + 1) if rows % n == 0]
    may = [n for n in range(2, most + 1) if rows % n == 0]
    if not PARTS(bool(better) and iteration <= LONG, (False, bool(may))):
        return None
    parts = max(better or may[:1])
    small = _resized(large, count, rows // parts)
    return (parts, small) if small is not None and _apart(small, count, rows // parts) else None


def _resized(graph: ir.Graph, count: int, rows: int) -> ir.Graph | None:
    """The same graph when its first inputs have so many rows."""
    small = copy(graph)
    for value in small.inputs[:count]:
        value.shape = (rows, *(value.shape or ())[1:])
    for node, old in zip(small.nodes, graph.nodes, strict=True):
        found: Any = node.op.shape(*[value.spec for value in node.inputs], **node.attrs)
        for value, was, spec in zip(node.outputs, old.outputs,
                                    found if node.op.multi else (found,), strict=True):
            if spec.shape is None or spec.shape[1:] != (was.shape or ())[1:]:
                return None
            value.shape = spec.shape
    return small


def _nanoseconds(graph: ir.Graph) -> float:
    """About how long a body takes, roughly."""
    total = 0.0
    for node in graph.nodes:
        size = prod(node.outputs[0].shape or ())
        if isinstance(node.op.lower, forms.Product):
            total += size * (node.inputs[0].shape or (1,))[-1] / 50
        elif isinstance(node.op.lower, (forms.Pointwise, forms.Reduce)):
            total += size / 10
    return total


# -- which ops keep rows apart ---------------------------------------------------------------------
def _apart(graph: ir.Graph, count: int, rows: int) -> bool:
    """Whether each row of the results is made of the same row of the first inputs."""
    own = set(graph.inputs[:count])
    for node in graph.nodes:
        if node.op.stateful or isinstance(node.op.lower, (forms.Loop, forms.Branch)):
            return False
        marks = [value in own for value in node.inputs]
        if not any(marks):
            continue  # each part makes it for itself
        if any((value.shape or (0,))[0] != rows for value in node.outputs):
            return False
        if not _keeps(node, marks, rows):
            return False
        own.update(node.outputs)
    return all(value in own for value in graph.outputs)


def _keeps(node: ir.Node, marks: list[bool], rows: int) -> bool:
    form, attrs = node.op.lower, node.attrs
    shapes: list[Any] = [value.shape for value in node.inputs]
    rank = len(node.outputs[0].shape or ())
    if isinstance(form, forms.Pointwise):
        return not form.indexed and all(
            len(shape) == rank and shape[0] == rows if mark else
            len(shape) < rank or shape[0] == 1 for shape, mark in zip(shapes, marks, strict=True))
    if isinstance(form, forms.Product):
        transposed = form.transposed(**attrs)
        return transposed is not None and not transposed[0] and marks == [True, False] and (
            len(shapes[0]) == len(shapes[1]) == 2)
    if isinstance(form, forms.Reduce):
        axes: Any = attrs.get(form.axis)
        axes = (axes,) if isinstance(axes, int) else axes
        return bool(axes) and all(axis % len(shapes[0]) for axis in axes)
    if isinstance(form, forms.View):
        return _stays_in_row(form.view(shapes[0], **attrs), shapes[0], rows)
    if isinstance(form, forms.Assemble):
        found = form.parts(shapes, **attrs)
        if found is None or isinstance(found[0], tuple):
            return False
        return all(len(part) == 3 and marks[part[0]] and len(shapes[part[0]]) == rank
                   and shapes[part[0]][0] == rows and (part[1][0], part[2][0]) == (0, 1)
                   for part in found[1])
    return False


def _stays_in_row(view: Any, shape: tuple, rows: int) -> bool:
    """Whether a view takes each of its rows from within the same row."""
    if view is None:
        return False
    offset, sizes, strides = view
    inner = prod(shape[1:])
    reach = [(n - 1) * step for n, step in zip(sizes[1:], strides[1:], strict=True)]
    return sizes[0] == shape[0] == rows and strides[0] == inner and (
        0 <= offset + sum(min(x, 0) for x in reach)) and (
        offset + sum(max(x, 0) for x in reach) < inner)
