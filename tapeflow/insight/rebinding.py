"""Was it a variable once: `w = w - rate * g` binds the name to a tensor, which no tape watches.

The name is looked for in the frames of the caller, the assignment in the text of its function.
"""

from __future__ import annotations

import ast
import linecache
import sys
from types import FrameType

from tapeflow.base.user_lines import is_library
from tapeflow.core.values.tensor import Tensor

_METHODS = {ast.Sub: "assign_sub", ast.Add: "assign_add"}


def rebound(uid: int) -> str:
    """A sentence about the assignment that made a tensor of a variable, or nothing."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_library(frame):
            for name, value in frame.f_locals.items():
                if type(value) is Tensor and value._uid == uid:
                    found = _assignment(frame, name)
                    if found:
                        return found
        frame = frame.f_back
    return ""


def _assignment(frame: FrameType, name: str) -> str:
    """`name = name - …` or `name -= …` in the file of a frame."""
    path = frame.f_code.co_filename
    try:
        tree = ast.parse("".join(linecache.getlines(path, frame.f_globals)))
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        value: ast.expr | None = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and _named(
                node.targets[0], name) and isinstance(node.value, ast.BinOp) and _named(
                node.value.left, name):
            kind, value = type(node.value.op), node.value.right
        elif isinstance(node, ast.AugAssign) and _named(node.target, name):
            kind, value = type(node.op), node.value
        if value is not None:
            call = f"{name}.{_METHODS.get(kind, 'assign')}({ast.unparse(value)})"
            if kind not in _METHODS:
                call = f"{name}.assign(…)"
            return (f" Here `{ast.unparse(node)}` ({path}:{value.lineno}) has bound {name!r} to "
                    f"the result of an op: if {name!r} was a variable, it is none any more. Use "
                    f"{call}, which changes the variable itself.")
    return ""


def _named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
