"""`a.b[c]` as a name with a root, and the notes that say so on nodes."""

from __future__ import annotations

from typing import Any

import gast

from tapeflow.alias.private.autograph import node_notes as notes


class Literal:
    """A constant that stands in brackets."""

    def __init__(self, value: Any):
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and type(self.value) is type(other.value) and (
            self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.value)


class QN:
    """A name, an attribute of one, or what stands in brackets behind one."""

    def __init__(self, base: Any, attr: str | None = None, subscript: Any = None):
        if attr is not None and subscript is not None:
            raise ValueError("A QN can only be either an attr or a subscript, not both.")
        if (attr is not None or subscript is not None) and not isinstance(base, QN):
            raise ValueError("for attribute and subscript QNs, base must be a QN")
        self._parent = base if attr is not None or subscript is not None else None
        self.attr, self.subscript = attr, subscript
        part = subscript if attr is None else attr
        self.qn = (base,) if self._parent is None else (base, part)

    def is_symbol(self) -> bool:
        """Whether it is a plain name."""
        return self._parent is None

    def is_simple(self) -> bool:
        """Whether it is a plain name."""
        return self._parent is None

    def is_composite(self) -> bool:
        """Whether it is part of another."""
        return self._parent is not None

    def has_attr(self) -> bool:
        """Whether it is an attribute."""
        return self.attr is not None

    def has_subscript(self) -> bool:
        """Whether it stands behind brackets."""
        return self.subscript is not None

    @property
    def parent(self) -> QN:
        """What it is part of."""
        if self._parent is None:
            raise ValueError(f'Cannot get parent of simple name "{self}".')
        return self._parent

    @property
    def owner_set(self) -> set[QN]:
        """All that it is part of."""
        return set() if self._parent is None else {self._parent, *self._parent.owner_set}

    @property
    def support_set(self) -> set[QN]:
        """The plain names that it is made of."""
        if self._parent is None:
            return {self}
        inside = self.subscript.support_set if isinstance(self.subscript, QN) else set()
        return self._parent.support_set | inside

    def ast(self) -> Any:
        """The tree that reads it."""
        if self._parent is None:
            return gast.Name(self.qn[0], gast.Load(), None, None)
        if self.attr is not None:
            return gast.Attribute(self._parent.ast(), self.attr, gast.Load())
        inside = (self.subscript.ast() if isinstance(self.subscript, QN)
                  else gast.Constant(self.subscript.value, None))
        return gast.Subscript(self._parent.ast(), inside, gast.Load())

    def ssf(self) -> str:
        """The name as an identifier."""
        if self._parent is None:
            return str(self.qn[0])
        return f"{self._parent.ssf()}_{self.attr if self.attr is not None else 'sub'}"

    def __str__(self) -> str:
        if self._parent is None:
            return str(self.qn[0])
        return f"{self._parent}.{self.attr}" if self.attr is not None else (
            f"{self._parent}[{self.subscript}]")

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QN) and (self.qn, self.attr is None) == (
            other.qn, other.attr is None)

    def __hash__(self) -> int:
        return hash(self.qn)

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other)


class _Resolver(gast.NodeTransformer):
    def visit_Name(self, node: Any) -> Any:
        self.generic_visit(node)
        notes.setanno(node, notes.Basic.QN, QN(node.id))
        return node

    def visit_Attribute(self, node: Any) -> Any:
        self.generic_visit(node)
        base = notes.getanno(node.value, notes.Basic.QN, default=None)
        if base is not None:
            notes.setanno(node, notes.Basic.QN, QN(base, attr=node.attr))
        return node

    def visit_Subscript(self, node: Any) -> Any:
        self.generic_visit(node)
        base = notes.getanno(node.value, notes.Basic.QN, default=None)
        inside = (Literal(node.slice.value) if isinstance(node.slice, gast.Constant)
                  else notes.getanno(node.slice, notes.Basic.QN, default=None))
        if base is not None and inside is not None:
            notes.setanno(node, notes.Basic.QN, QN(base, subscript=inside))
        return node


def resolve(node: Any) -> Any:
    """Note the qualified name of each node that has one."""
    return _Resolver().visit(node)


def from_str(qn_str: str) -> QN:
    """The qualified name that a text is."""
    from tapeflow.alias.private.autograph.trees import parse_expression

    return notes.getanno(resolve(parse_expression(qn_str)), notes.Basic.QN)
