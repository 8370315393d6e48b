"""break, continue and return as flags, so that every block has one way out.

What lowers the jumps of tf.functions (`graph/autograph/jumps.py`) does it, on Python's own trees.
"""

from __future__ import annotations

import ast
from typing import Any

from tapeflow.alias.private.autograph import qualified_names, used_names
from tapeflow.alias.private.autograph.trees import as_ast, as_gast
from tapeflow.graph.autograph import jumps
from tapeflow.graph.autograph.unbound_names import RESULT, RETURNED


class _PlainLoops(ast.NodeTransformer):
    """For-loops whose extra test stands in their body, where Python sees it."""

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        test = getattr(node, "extra_test", None)
        if test is not None:
            node.body = [ast.If(test, node.body, [])]
        return node


def _noted(tree: ast.AST, ctx: Any) -> Any:
    """A tree of gast's with names and scopes noted, as further transformations expect."""
    plain = ast.fix_missing_locations(_PlainLoops().visit(tree))
    return used_names.resolve(qualified_names.resolve(as_gast(plain)), ctx)


def loop_jumps(node: Any, ctx: Any) -> Any:
    """The tree of a function whose loops have neither break nor continue."""
    return _noted(jumps.LowerLoopJumps().visit(as_ast(node)), ctx)


def returns(node: Any, ctx: Any, default_to_null_return: bool = True) -> Any:
    """The tree of a function that returns once, at its end.

    Where not every way leads to a return the result is None, or unbound if that is not wanted.
    """
    tree = as_ast(node)
    tree.body = jumps.nest_returns(tree.body)
    if not jumps.contains(tree.body, ast.Return):
        return _noted(tree, ctx)
    guarded = jumps.contains(jumps._without_last_return(tree.body), ast.Return)
    body = jumps._Returns(guarded, False).block(tree.body)
    start = []
    if guarded:
        start.append(jumps._assign(RETURNED, ast.Constant(False), tree))
    if default_to_null_return:
        start.append(jumps._assign(RESULT, ast.Constant(None), tree))
    tree.body = [*start, *body, ast.Return(jumps._load(RESULT))]
    return _noted(tree, ctx)
