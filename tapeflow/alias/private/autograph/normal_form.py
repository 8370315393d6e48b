"""A-normal form: values of parts of expressions get names, in the order in which they are computed.

Which parts, rules decide: pairs of a pattern for a part and its place, and what to do with it; the
first that fits decides, and a part that none fits stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from tapeflow.alias.private.autograph.templates import replace
from tapeflow.alias.private.autograph.trees import Base

ANY = object()


def REPLACE(parent: Any, field: str, child: Any) -> bool:
    """The part gets a name."""
    return True


def LEAVE(parent: Any, field: str, child: Any) -> bool:
    """The part stays."""
    return False


class ASTEdgePattern(NamedTuple):
    """A part of a node, by the node's class, the name of the field, and the part's class."""

    parent: Any
    field: Any
    child: Any

    def matches(self, parent: Any, field: str, child: Any) -> bool:
        """Whether it is such a part."""
        return ((self.parent is ANY or isinstance(parent, self.parent))
                and (self.field is ANY or field == self.field)
                and (self.child is ANY or isinstance(child, self.child)))


_DEFAULT = [(ASTEdgePattern(ANY, ANY, (gast.Constant, gast.Name)), LEAVE),
            (ASTEdgePattern(ANY, ANY, gast.expr), REPLACE)]
# Expressions of which a part may not be computed at all, and statements like them.
_LAZY = {
    gast.BoolOp: "Nontrivial BoolOp nodes not supported yet (need to preserve short-circuiting "
                 "semantics).",
    gast.Lambda: "Nontrivial Lambda nodes not supported (cannot insert statements into lambda "
                 "bodies).",
    gast.IfExp: "Nontrivial IfExp nodes not supported yet (need to convert to If statement, to "
                "evaluate branches lazily and insert statements into them).",
    gast.Assert: "Nontrivial Assert nodes not supported yet (need to avoid computing the test when "
                 "assertions are off, and avoid computing the irritant when the assertion does not "
                 "fire).",
    gast.JoinedStr: "Nontrivial JoinedStr nodes not supported yet (need to unit-test them in "
                    "Python 2).",
    gast.Await: "Nontrivial Await nodes not supported yet (need to think through the semantics).",
    gast.AsyncFor: "Nontrivial AsyncFor nodes not supported yet (need to think through the "
                   "semantics).",
    gast.AsyncWith: "Nontrivial AsyncWith nodes not supported yet (need to think through the "
                    "semantics).",
}
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
# Statements whose own parts stay as they are: a name for them would be no simpler.
_PLAIN = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Delete, gast.Expr)
_PARTS_FIRST = {gast.If: "test", gast.For: "iter", gast.With: "items", gast.While: "test"}


class _NormalForm(Base):
    def __init__(self, ctx: Any, rules: list[tuple[Any, Callable]]):
        super().__init__(ctx)
        self.rules = rules
        self.count = 1000
        self.pending: list = []  # assignments that must stand before the statement at hand

    def _named(self, node: Any) -> Any:
        self.count += 1
        name = f"tmp_{self.count}"
        self.pending += replace("name = value", name=name, value=node)
        return gast.Name(name, gast.Load(), None, None)

    def _gets_name(self, parent: Any, field: str, child: Any) -> bool:
        for pattern, decide in self.rules:
            if pattern is ANY or pattern.matches(parent, field, child):
                return decide(parent, field, child)
        return False

    def _part(self, parent: Any, field: str, node: Any) -> Any:
        """A part of a node, or the name that it gets."""
        if isinstance(node, list):
            return [self._part(parent, field, one) for one in node]
        if isinstance(node, gast.keyword):
            node.value = self._part(parent, field, node.value)
            return node
        if isinstance(node, (gast.Starred, gast.withitem, gast.Slice)):
            for inner in node._fields:
                setattr(node, inner, self._part(parent, field, getattr(node, inner)))
            return node
        if not isinstance(node, gast.expr) or isinstance(node, gast.Name) or (
                isinstance(node, gast.Constant) and node.value is Ellipsis):
            return node
        return self._named(node) if self._gets_name(parent, field, node) else node

    def _parts(self, node: Any) -> Any:
        for field in node._fields:
            setattr(node, field, self._part(node, field, getattr(node, field)))
        return node

    def _taken(self) -> list:
        found, self.pending = self.pending, []
        return found

    def visit(self, node: Any) -> Any:
        if isinstance(node, _COMPREHENSIONS):
            raise ValueError(f"{type(node).__name__} nodes not supported (need to convert to a "
                             "form that tolerates assignment statements in clause bodies).")
        if isinstance(node, gast.Compare) and len(node.ops) > 1:
            raise ValueError("Multi-ary compare nodes not supported yet (need to preserve "
                             "short-circuiting semantics).")
        if type(node) in _LAZY:
            return self._lazy(node)
        if type(node) in _PARTS_FIRST:
            return self._compound(node, _PARTS_FIRST[type(node)])
        if isinstance(node, (*_PLAIN, gast.Return, gast.Raise)):
            node = self.generic_visit(node)
            if not isinstance(node, _PLAIN):
                self._parts(node)
            return [*self._taken(), node]
        if isinstance(node, gast.expr) and not isinstance(node, (gast.Name, gast.Constant)):
            node = self.generic_visit(node)
            target = isinstance(getattr(node, "ctx", None), gast.Store)
            stays = target and isinstance(node, (gast.List, gast.Tuple)) or isinstance(
                node, gast.Starred)
            return node if stays else self._parts(node)
        return self.generic_visit(node)

    def _lazy(self, node: Any) -> Any:
        before = len(self.pending)
        node = self._parts(self.generic_visit(node))
        if len(self.pending) != before:
            raise ValueError(_LAZY[type(node)])
        return node

    def _compound(self, node: Any, field: str) -> Any:
        """A statement with a body: what its head needs stands before it, not in the body."""
        head = getattr(node, field)
        parts = [self.visit(one) for one in head] if isinstance(head, list) else self.visit(head)
        setattr(node, field, self._part(node, field, parts))
        before = self._taken()
        if before and isinstance(node, gast.While):
            raise ValueError("While with nontrivial test not supported yet (need to avoid "
                             "precomputing the test).")
        for block in ("body", "orelse"):
            if hasattr(node, block):
                setattr(node, block, self.visit_block(getattr(node, block)))
        return [*before, node]


def transform(node: Any, ctx: Any, config: list | None = None) -> Any:
    """A tree in which parts of expressions have names, by rules; else all but constants have."""
    return _NormalForm(ctx, _DEFAULT if config is None else config).visit(node)
