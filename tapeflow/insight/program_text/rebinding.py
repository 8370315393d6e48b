"""Was it a variable once: `w = w - rate * g` binds the name to a tensor, which no tape watches.

The tensor is looked for in what the frames of the program hold under a name, an attribute or in a
list, and the assignment in the text of the file.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

from tapeflow.base.frames.user_lines import line_text
from tapeflow.core.values.tensor import Tensor
from tapeflow.insight.program_text.user_frames import Frames

_METHODS: dict[type, str] = {ast.Sub: "assign_sub", ast.Add: "assign_add"}


class _Rebinding(NamedTuple):
    """A statement that computes what it binds from what was bound; `call` does it right."""

    node: ast.stmt
    target: ast.expr
    call: str


def rebound(uid: int, frames: Frames) -> str:
    """A sentence about the assignment that made a tensor of a variable, or nothing."""
    for frame, line in frames:
        for one in sorted(_rebindings(frame), key=lambda one: abs(one.node.lineno - line)):
            target = one.target.value if isinstance(one.target, ast.Subscript) else one.target
            if _is_of(target, one.node, frame) and _holds(_value(target, frame), uid):
                name, where = ast.unparse(one.target), line_text(
                    frame.f_code.co_filename, one.node.lineno)
                return (f" Here `{ast.unparse(one.node)}` ({where}) has bound {name!r} to the "
                        f"result of an op: if {name!r} was a variable, it is none any more. Use "
                        f"{one.call}, which changes the variable itself.")
    return ""


def _is_of(target: ast.expr, node: ast.stmt, frame: FrameType) -> bool:
    """Whether a statement may bind what the frame holds: names of functions are their own."""
    if not isinstance(target, ast.Name) or frame.f_locals is frame.f_globals:
        return True
    lines = [line for _, _, line in frame.f_code.co_lines() if line is not None]
    return target.id not in frame.f_locals or min(lines) <= node.lineno <= max(lines)


def _rebindings(frame: FrameType) -> Iterator[_Rebinding]:
    """`w = w - …`, `w -= …`, `a, b = a - …, b - …`, `ws = [w - … for w in ws]` in the file."""
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign):
            yield _Rebinding(node, node.target, _assigning(node.target, node.op, node.value))
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for one, new in pairs:
            yield from _of_itself(node, one, new)


def _of_itself(node: ast.stmt, target: ast.expr, value: ast.expr) -> Iterator[_Rebinding]:
    """The rebinding, if a value is computed from what its target held."""
    name = ast.unparse(target)
    if isinstance(value, ast.BinOp) and ast.unparse(value.left) == name:
        yield _Rebinding(node, target, _assigning(target, value.op, value.right))
    elif isinstance(value, ast.Call) and name in map(ast.unparse, value.args):
        yield _Rebinding(node, target, f"{name}.assign({ast.unparse(value)})")
    elif isinstance(value, ast.ListComp) and isinstance(value.elt, ast.BinOp) and name in map(
            ast.unparse, ast.walk(value.generators[0].iter)):
        each = ast.unparse(value.generators[0]).strip()
        yield _Rebinding(node, target, f"{each}: " + _assigning(
            value.elt.left, value.elt.op, value.elt.right))


def _assigning(target: ast.expr, op: ast.operator, change: ast.expr) -> str:
    """The call that changes a variable as an operator would."""
    method = _METHODS.get(type(op))
    return f"{ast.unparse(target)}." + (
        f"{method}({ast.unparse(change)})" if method else "assign(…)")


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a name or attribute holds, without running any code of the program."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, frame), "__dict__", {}).get(node.attr)
    return None


def _holds(value: Any, uid: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    held = value if isinstance(value, (list, tuple)) else [value]
    return any(type(one) is Tensor and one._uid == uid for one in held)
