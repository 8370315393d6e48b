"""Finds the syntax tree of a function: by file, line and name, in the file's whole tree.

Works wherever `linecache` knows the text: files, REPL entries, notebook cells, and programs that
register theirs. Trees are kept for each file, and copied before anyone changes them.
"""

from __future__ import annotations

import ast
import copy
import linecache
import types
from typing import Any

_trees: dict[str, tuple[int, dict[tuple, list[Any]]]] = {}


def tree_of(function: types.FunctionType) -> Any:
    """The FunctionDef or Lambda of a function, or None if its text is not known."""
    code = function.__code__
    found = [node for node in _index(code.co_filename, function.__globals__).get(
        (code.co_name, code.co_firstlineno), ()) if _fits(node, code)]
    if len(found) > 1:
        found = [node for node in found if _begins(node, code)]
    if len(found) > 1:  # one lambda inside another: the inner one stands in both
        found = [node for node in found if not any(
            other is not node and _inside(other, node) for other in found)]
    return copy.deepcopy(found[0]) if len(found) == 1 else None


def _inside(node: ast.AST, outer: ast.AST) -> bool:
    return any(one is node for one in ast.walk(outer))


def _index(filename: str, module: dict) -> dict[tuple, list[Any]]:
    """All functions of a file by name and first line."""
    linecache.checkcache(filename)  # the module may have been edited and loaded again
    lines = linecache.getlines(filename, module)
    text = "".join(lines)
    held = _trees.get(filename)
    if held is not None and held[0] == hash(text):
        return held[1]
    found: dict[tuple, list[Any]] = {}
    try:
        tree: ast.AST = ast.parse(text)
    except SyntaxError:
        tree = ast.Module([], [])  # a notebook cell with magics, or a file changed meanwhile
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *[one.lineno for one in node.decorator_list]])
            found.setdefault((node.name, first), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    if len(_trees) > 256:
        _trees.clear()
    _trees[filename] = (hash(text), found)
    return found


def parameters(arguments: ast.arguments) -> tuple[str, ...]:
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [one for one in (arguments.vararg, arguments.kwarg) if one]
    return tuple(one.arg for one in [*plain, *extra])


def _fits(node: Any, code: types.CodeType) -> bool:
    names = parameters(node.args)
    varying = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)  # *args, **kwargs
    if len(names) != code.co_argcount + code.co_kwonlyargcount + varying:
        return False
    return tuple(name if not name.startswith("__") or name.endswith("__") else code.co_varnames[i]
                 for i, name in enumerate(names)) == code.co_varnames[:len(names)]


def _begins(node: Any, code: types.CodeType) -> bool:
    """Whether the code's instructions stand where a lambda's body does."""
    body = node.body if isinstance(node, ast.Lambda) else node.body[0]
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    positions = [((line, column), (last, stop)) for line, last, column, stop in code.co_positions()
                 if line is not None and column is not None and (column or stop)]
    return bool(positions) and all(start <= first and last <= end for first, last in positions)
