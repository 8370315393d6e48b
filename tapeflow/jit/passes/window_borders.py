"""Zeros around images become the padding of the window that slides over them.

`ZeroPadding2D` and a convolution without padding, as many networks have them, would write the
images a second time, with their border; a gradient would be computed for the border, and cut out of
it. A window that is told of the border does without both: the convolution and its gradient in the
filters read the images themselves, that in the images gives no more than these.
"""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.graph import ir
from tapeflow.graph.passes import substitute
from tapeflow.jit.choices import Choice

Border = list[tuple[int, int]]  # elements before and after, for each axis

BORDER = Choice("window.border", ("apart", "padding"))


def absorb_borders(graph: ir.Graph) -> None:
    """Let windows have the borders of their images; changes the graph that it is given."""
    windows = {node: role for node in graph.nodes if (role := _role(node))}
    if not windows:
        return
    users: dict[ir.Value, list[ir.Node | None]] = {value: [None] for value in graph.outputs}
    for node in graph.nodes:
        for value in node.operands():
            users.setdefault(value, []).append(node)
    for node in graph.nodes:
        border = _zeros_around(node)
        if border is not None:
            _read_inside(node, border, users.get(node.outputs[0], []), windows)

    def rule(node: ir.Node) -> list[ir.Value] | None:
        border = _cut_away(node)
        made = node.inputs[0].node if border is not None else None
        if made is None or windows.get(made) != "input" or len(users[made.outputs[0]]) != 1:
            return None
        attrs = _padded(made, border or [])
        if attrs is None or _chosen() == "apart":
            return None
        shape: Any = node.outputs[0].shape
        made.attrs, made.outputs[0].shape = {**attrs, "sizes": shape[1:-1]}, shape
        return list(made.outputs)

    substitute(graph, rule)
    graph.prune()


def _read_inside(padded: ir.Node, border: Border, users: list[ir.Node | None],
                 windows: dict[ir.Node, str]) -> None:
    """Let windows read the images within a border, if nobody else needs the border."""
    changed = []
    for node in users:
        if node is None or windows.get(node) not in ("forward", "filter") or (
                node.inputs[0] is not padded.outputs[0] or node.inputs[1] is node.inputs[0]):
            return
        attrs = _padded(node, border)
        if attrs is None:
            return
        changed.append((node, attrs))
    if changed and _chosen() == "padding":
        for node, attrs in changed:
            node.inputs, node.attrs = (padded.inputs[0], *node.inputs[1:]), attrs


def _chosen() -> str:
    return BORDER("padding", ("apart", "padding"))


def _role(node: ir.Node) -> str | None:
    """Of a window whose images may have another border."""
    form = node.op.lower
    if not isinstance(form, forms.Window) or "padding" not in node.attrs:
        return None
    fields = _fields(node)
    role = fields and fields["role"]
    return role if role in ("forward", "filter", "input") else None


def _fields(node: ir.Node) -> dict[str, Any] | None:
    return node.op.lower.describe([x.shape for x in node.inputs], **node.attrs)


def _padded(node: ir.Node, border: Border) -> dict[str, Any] | None:
    """The attributes of a window with a border around its images; None if there is no such one.

    No window may lie in the border alone.
    """
    fields = _fields(node)
    if fields is None or any(map(any, (border[0], border[-1]))):
        return None
    pads = [(before + a, after + b) for (before, after), (a, b) in zip(
        fields["pads"], border[1:-1], strict=True)]
    reach = [(n - 1) * d for n, d in zip(fields["window"], fields["dilations"], strict=True)]
    if any(max(pair) > most for pair, most in zip(pads, reach, strict=True)):
        return None
    return {**node.attrs, "padding": tuple(pads)}


def _zeros_around(node: ir.Node) -> Border | None:
    """How many zeros a node puts around its operand, if that is what it does."""
    form = node.op.lower
    if not isinstance(form, forms.Assemble) or len(node.inputs) != 1:
        return None
    filling, parts = form.parts([node.inputs[0].shape], **node.attrs) or (None, [])
    if type(filling) not in (int, float) or filling != 0 or len(parts) != 1 or (
            len(parts[0]) != 3 or any(step != 1 for step in parts[0][2])):
        return None
    return _around(node.inputs[0].shape, parts[0][1], node.outputs[0].shape)


def _cut_away(node: ir.Node) -> Border | None:
    """How much a node cuts away around its operand, if that is what it does."""
    form = node.op.lower
    if not isinstance(form, forms.View) or len(node.inputs) != 1:
        return None
    shape: Any = node.inputs[0].shape
    found = form.view(shape, **node.attrs)
    steps = contiguous_strides(shape)
    if found is None or 0 in shape or list(found[2]) != steps:
        return None
    (offset, sizes, _), begin = found, []
    for step in steps:
        begin.append(offset // step)
        offset %= step
    return _around(sizes, begin, shape)


def _around(inner: Any, begin: Any, outer: Any) -> Border | None:
    border = [(a, n - a - m) for m, a, n in zip(inner, begin, outer, strict=True)]
    return border if min([min(pair) for pair in border], default=-1) >= 0 else None
