"""One op of TensorFlow's: what it takes, what it gives, and its attributes with their defaults."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tapeflow.base import dtypes
from tapeflow.base.shapes import TensorShape


class Argument(NamedTuple):
    """An input or output: a tensor, N tensors of one type, or tensors of a list of types."""

    name: str
    type: str  # a dtype, or the attribute that holds it, or holds the list of them
    number: str = ""  # the attribute that holds N
    is_list: bool = False  # tensors of the types in a list
    public: str = ""  # its name in tf.raw_ops
    is_reference: bool = False  # to a variable of TensorFlow 1


class Attribute(NamedTuple):
    name: str
    type: str  # int, float, bool, string, type, shape, tensor, func; list(…) of these
    default: Any = None
    required: bool = True
    public: str = ""  # its name in tf.raw_ops


class Definition(NamedTuple):
    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    attributes: tuple[Attribute, ...]

    def inferred(self) -> frozenset[str]:
        """The attributes that the inputs decide: their types and numbers."""
        return frozenset([one.number for one in self.inputs if one.number]
                         + [one.type for one in self.inputs])


@lru_cache(1)
def _lines() -> dict[str, str]:
    text = Path(__file__).with_name("definitions.txt").read_text("utf-8")
    joined = text.replace("\n  ", " ")
    return {line.partition(" ")[0]: line for line in joined.splitlines() if line[:1] != "#"}


def names() -> list[str]:
    """The ops that are defined."""
    return list(_lines())


@lru_cache(None)
def definition(name: str) -> Definition | None:
    """An op by its name; None for one that is not in the table."""
    line = _lines().get(name)
    if line is None:
        return None
    ends, _, attributes = line.partition(" |")
    start, _, outputs = ends.partition(" >")
    return Definition(name, tuple(map(_argument, start.split()[1:])),
                      tuple(map(_argument, outputs.split())),
                      tuple(map(_attribute, attributes.split())))


def _argument(text: str) -> Argument:
    name, _, kind = text.partition(":")
    name, _, public = name.partition("/")
    if kind.startswith("["):
        return Argument(name, kind[1:-1], "", True, public or name)
    number, star, kind = kind.rpartition("*")
    return Argument(name, kind.lstrip("&"), number if star else "", False, public or name,
                    kind.startswith("&"))


def _attribute(text: str) -> Attribute:
    head, equal, default = text.partition("=")
    name, _, kind = head.partition(":")
    name, _, public = name.partition("/")
    return Attribute(name, kind, _default(default, kind) if equal else None, not equal,
                     public or name)


def _default(text: str, kind: str) -> Any:
    if kind.startswith("list("):
        inner = text[1:-1]
        parts = re.findall(r"'[^']*'|[^,]+", inner) if inner else []
        return [_default(one, kind[5:-1]) for one in parts]
    if kind == "type":
        return dtypes.as_dtype(text)
    if kind == "shape":
        if text == "?":
            return TensorShape(None)
        sizes = [] if text == "()" else [int(one) for one in text.split("x")]
        return TensorShape([None if n < 0 else n for n in sizes])
    if kind == "float":
        return float(text)  # inf and nan too
    return ast.literal_eval(text)
