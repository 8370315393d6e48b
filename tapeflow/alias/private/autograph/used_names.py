"""Which names a statement reads and binds, noted on its node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from tapeflow.alias.private.autograph import node_notes as notes
from tapeflow.alias.private.autograph.node_notes import Static
from tapeflow.alias.private.autograph.qualified_names import QN

# Statements that have a scope of their own, and fields of others that have.
_STATEMENTS = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr, gast.Return, gast.Raise,
               gast.Delete, gast.Assert, gast.Import, gast.ImportFrom)
_PARTS = {
    gast.If: (("test", Static.COND_SCOPE), ("body", Static.BODY_SCOPE),
              ("orelse", Static.ORELSE_SCOPE)),
    gast.While: (("test", Static.COND_SCOPE), ("body", Static.BODY_SCOPE),
                 ("orelse", Static.ORELSE_SCOPE)),
    gast.For: (("iter", Static.ITERATE_SCOPE), ("target", Static.ITERATE_SCOPE),
               ("body", Static.BODY_SCOPE), ("orelse", Static.ORELSE_SCOPE)),
    gast.With: (("items", Static.ARGS_SCOPE), ("body", Static.BODY_SCOPE)),
}
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


class Scope:
    """The names of a part of a function: those it reads, binds and deletes."""

    def __init__(self, parent: Scope | None = None):
        self.parent = parent
        self.read: set[QN] = set()
        self.bound: set[QN] = set()
        self.modified: set[QN] = set()
        self.deleted: set[QN] = set()
        self.params: set[QN] = set()

    @property
    def referenced(self) -> set[QN]:
        """All names, of what stands around too."""
        own = self.read | self.modified | self.bound
        return own if self.parent is None else own | self.parent.referenced

    def take(self, inner: Scope, hidden: Iterable[QN] = ()) -> None:
        """The names of a part are those of the whole, but for those that the part hides."""
        local = set(hidden)
        for field in ("read", "bound", "modified", "deleted"):
            getattr(self, field).update(one for one in getattr(inner, field)
                                        if not one.support_set & local)


class _Analysis(gast.NodeVisitor):
    def __init__(self) -> None:
        self.scope = Scope()

    def _inside(self, parts: Any, hidden: Iterable[QN] = ()) -> Scope:
        """The scope of some nodes, whose names are also those of what stands around."""
        outer, self.scope = self.scope, Scope(self.scope)
        for node in parts if isinstance(parts, list) else [parts]:
            self.visit(node)
        inner, self.scope = self.scope, outer
        outer.take(inner, hidden)
        return inner

    def visit(self, node: Any) -> None:
        if isinstance(node, _STATEMENTS):
            outer, self.scope = self.scope, Scope(self.scope)
            self.generic_visit(node)
            inner, self.scope = self.scope, outer
            if isinstance(node, gast.AugAssign):
                inner.read |= {one for one in inner.modified if one.is_simple()}
            outer.take(inner)
            notes.setanno(node, Static.SCOPE, inner)
        elif type(node) in _PARTS:
            for field, key in _PARTS[type(node)]:
                notes.setanno(node, key, self._inside(getattr(node, field)))
        else:
            super().visit(node)

    def _use(self, node: Any) -> None:
        name = notes.getanno(node, notes.Basic.QN, default=None)
        if name is None:
            return
        if isinstance(node.ctx, gast.Store):
            self.scope.modified.add(name)
            if name.is_simple():
                self.scope.bound.add(name)
        elif isinstance(node.ctx, gast.Del):
            self.scope.deleted.add(name)
        elif isinstance(node.ctx, gast.Param):
            self.scope.params.add(name)
        else:
            self.scope.read.add(name)

    def visit_Name(self, node: Any) -> None:
        self._use(node)

    def visit_Attribute(self, node: Any) -> None:
        self.generic_visit(node)
        self._use(node)

    visit_Subscript = visit_Attribute

    def visit_FunctionDef(self, node: Any) -> None:
        self.scope.bound.add(QN(node.name))
        self.scope.modified.add(QN(node.name))
        for part in [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]:
            if part is not None:
                self.visit(part)
        inner = self._function(node.args, node.body)
        notes.setanno(node, Static.BODY_SCOPE, inner)

    def visit_Lambda(self, node: Any) -> None:
        for part in [*node.args.defaults, *node.args.kw_defaults]:
            if part is not None:
                self.visit(part)
        notes.setanno(node, Static.BODY_SCOPE, self._function(node.args, [node.body]))

    def _function(self, arguments: Any, body: list) -> Scope:
        """A body whose own names are nobody else's."""
        given = [*arguments.args, *arguments.posonlyargs, *arguments.kwonlyargs,
                 arguments.vararg, arguments.kwarg]
        params = {QN(one.id) for one in given if one is not None}
        outer, self.scope = self.scope, Scope(self.scope)
        self.scope.params |= params
        for node in body:
            self.visit(node)
        inner, self.scope = self.scope, outer
        outer.read.update(one for one in inner.read if not one.support_set & (params | inner.bound))
        return inner

    def visit_comprehensions(self, node: Any) -> None:
        targets = {QN(name.id) for each in node.generators for name in gast.walk(each.target)
                   if isinstance(name, gast.Name)}
        self._inside([*node.generators, *[getattr(node, field) for field in ("elt", "key", "value")
                                          if hasattr(node, field)]], targets)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehensions


def resolve(node: Any, context: Any, parent_scope: Scope | None = None) -> Any:
    """Note the scope of each statement, and of the parts of those that have parts."""
    _Analysis().visit(node)
    return node
