"""Trees written as text, with names that other trees take the place of."""

from __future__ import annotations

import ast
import copy
import textwrap
from typing import Any

import gast

from tapeflow.alias.private.autograph import node_notes as notes
from tapeflow.alias.private.autograph.qualified_names import QN
from tapeflow.alias.private.autograph.trees import as_gast


def _nodes_of(given: Any) -> list:
    """What takes the place of a name: trees, none of which stands elsewhere too."""
    if isinstance(given, (list, tuple)):
        return [node for one in given for node in _nodes_of(one)]
    if isinstance(given, str):
        return [gast.Name(given, gast.Load(), None, None)]
    if isinstance(given, QN):
        return [given.ast()]
    made = copy.deepcopy(given)
    for node in gast.walk(made):
        for key in notes.keys(node):
            if not isinstance(key, notes.Basic):
                notes.delanno(node, key)
    return [made]


class _Context(gast.NodeVisitor):
    """Gives the targets of an assignment, or what is read, the context of their place."""

    def __init__(self, context: type):
        self.context = context

    def visit_Name(self, node: Any) -> None:
        node.ctx = self.context()

    def visit_Attribute(self, node: Any) -> None:
        node.ctx = self.context()

    visit_Subscript = visit_Attribute

    def visit_Tuple(self, node: Any) -> None:
        node.ctx = self.context()
        for part in node.elts:
            self.visit(part)

    visit_List = visit_Tuple

    def visit_Starred(self, node: Any) -> None:
        node.ctx = self.context()
        self.visit(node.value)

    def generic_visit(self, node: Any) -> None:
        """Other nodes have no context."""


class _Replace(gast.NodeTransformer):
    def __init__(self, replacements: dict[str, Any]):
        self.replacements = replacements

    def _identifier(self, name: str) -> str:
        """A name that can only be a name: that of a function, an attribute, a keyword."""
        if name not in self.replacements:
            return name
        given = self.replacements[name]
        if isinstance(given, (str, QN)):
            return str(given)
        if isinstance(given, gast.Name):
            return given.id
        raise ValueError(f"The name {name!r} of a template stands where only a name can, which "
                         f"{given!r} is not.")

    def visit_Expr(self, node: Any) -> Any:
        if isinstance(node.value, gast.Name) and node.value.id in self.replacements:
            found = _nodes_of(self.replacements[node.value.id])
            return [one if isinstance(one, gast.stmt) else gast.Expr(one) for one in found]
        return self.generic_visit(node)

    def visit_Name(self, node: Any) -> Any:
        if node.id not in self.replacements:
            return node
        found = _nodes_of(self.replacements[node.id])
        for one in found:
            _Context(type(node.ctx)).visit(one)
        return found[0] if len(found) == 1 else found

    def visit_Attribute(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.attr = self._identifier(node.attr)
        return node

    def visit_keyword(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.arg = node.arg and self._identifier(node.arg)
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.name = self._identifier(node.name)
        return node


def _made(template: str, replacements: dict[str, Any]) -> list:
    tree = as_gast(ast.parse(textwrap.dedent(template)))
    return _Replace(replacements).visit(tree).body


def replace(template: str, **replacements: Any) -> list:
    """The statements of a text, with trees, names or lists of them for some names."""
    made = _made(template, replacements)
    return [one.value if isinstance(one, gast.Expr) and template.strip() in replacements else one
            for one in made]


def replace_as_expression(template: str, **replacements: Any) -> Any:
    """The expression that a text is, with trees or names for some names."""
    made = _made(template, replacements)
    if len(made) != 1 or not isinstance(made[0], gast.Expr):
        raise ValueError(f"single expression expected; for more general templates use replace: "
                         f"{template!r}")
    return made[0].value
