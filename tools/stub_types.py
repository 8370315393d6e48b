"""Types for the stubs: annotations of the live package, in the words of the public API.

An annotation is read in the module that it stands in; a class in it becomes its public name
(`tf.Tensor`), or one of `tapeflow/_typing.pyi` if users have no name for it. What an annotation
leaves open is told by the name of the parameter: `dtype` is a DTypeLike, `shape` a ShapeLike, `x` a
TensorLike. May be imported by tools/stubs.py and tools/stub_classes.py.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

ALIASES = ("DTypeLike", "DenseLike", "FloatLike", "IntLike", "NumberLike", "ShapeLike",
           "TensorLike")
DTYPES = frozenset("dtype dtype_hint out_idx out_type output_dtype output_type row_splits_dtype "
                   "type_value".split())
SHAPES = frozenset("batch_shape block_shape dense_shape inner_shape noise_shape output_shape shape "
                   "shape_x shape_y".split())
TENSORS = frozenset("""
    a audio axes axis b begin boxes chol condition data diagonal filters image images indices
    input input_tensor inputs labels logits mask matrix params paddings perm pred predictions rhs
    scores segment_ids sp_a sp_b sp_input t targets tensor updates v value values weights x x1 x2
    y z""".split())
BROADER = {"int": "IntLike", "float": "FloatLike", "tf.Tensor": "TensorLike"}
_EMPTY = inspect.Parameter.empty


class Open(Exception):
    """The annotation leaves the type open."""


class Names:
    """The public names of values, and the classes without one that stubs have to describe."""

    def __init__(self, homes: dict[int, str]):
        self.homes = homes
        self.unnamed: dict[str, type] = {}
        self.closed = False  # no more classes are described: those named in descriptions are open

    def of_class(self, cls: type) -> str | None:
        """`tf.Tensor`, or None for a class that users have no name for."""
        home = self.homes.get(id(cls))
        return None if home is None else f"tf.{home}"

    def nearest(self, cls: type) -> str | None:
        """The public class that a class is or derives from."""
        return next(filter(None, map(self.of_class, cls.__mro__)), None)

    def describe(self, cls: type) -> str:
        """The name in `_typing.pyi` of a class that users have no name for."""
        name = cls.__name__.lstrip("_")
        if self.closed and name not in self.unnamed:
            raise Open
        if self.unnamed.setdefault(name, cls) is not cls:
            raise ValueError(f"two classes without public names are called {name}")
        return name


class Scope:
    """One stub file: the names that it defines, and what it imports."""

    def __init__(self, names: Names, defined: Iterable[str], own: str = ""):
        self.names = names
        self.own = own
        self.defined = set(defined)
        self.open = False  # all is Any but names, as in Keras, which has no annotations
        self.structures = False  # `value` and the like are structures of tensors, as in tf.data
        self.members: set[str] = set()  # of the class that is being written
        self.imports: dict[str, set[str]] = {}
        self.modules: set[str] = set()

    def use(self, module: str, name: str) -> str:
        """Import a name; if the file has one of that name itself, under another."""
        if module == self.own:
            return name
        if name in self.defined or name in self.members:
            self.imports.setdefault(module, set()).add(f"{name} as _{name}")
            return f"_{name}"
        if module != "builtins":
            self.imports.setdefault(module, set()).add(name)
        return name

    def module(self, statement: str, name: str) -> str:
        """`import numpy as np`, once."""
        self.modules.add(statement)
        return name

    def alias(self, name: str) -> str:
        """One of the aliases of `_typing.pyi`."""
        return self.use("tapeflow._typing", name)

    def any(self) -> str:
        return self.use("typing", "Any")

    def reference(self, cls: type) -> str:
        """A class as this file has to write it."""
        public = self.names.nearest(cls)
        if public is not None:
            self.modules.add("import tapeflow as tf")
            return public
        module = cls.__module__
        if getattr(builtins, cls.__name__, None) is cls:
            return self.use("builtins", cls.__name__)
        if module.split(".")[0] == "numpy":
            return f"{self.module('import numpy as np', 'np')}.{cls.__name__}"
        if module.startswith(("tapeflow.", "tensorflow.")):
            return self.use("tapeflow._typing", self.names.describe(cls))
        if module in ("types", "enum", "threading", "logging", "unittest"):
            return f"{self.module(f'import {module}', module)}.{cls.__name__}"
        if module in ("collections.abc", "typing", "contextlib"):
            return self.use(module, cls.__name__)
        return self.any()


# -- annotations -----------------------------------------------------------------------------------
def annotation(written: Any, space: dict[str, Any], scope: Scope) -> str | None:
    """An annotation in the words of a stub; None where it says nothing."""
    if written is _EMPTY or scope.open:
        return None
    if written is None:
        return "None"
    try:
        if isinstance(written, str):
            return _text(ast.parse(written.strip(), mode="eval").body, space, scope)
        return _value(written, scope)
    except Open:
        return None


def _text(node: ast.expr, space: dict[str, Any], scope: Scope) -> str:
    inner: Callable[[ast.expr], str] = lambda one: _text(one, space, scope)
    match node:
        case ast.Constant(value=None):
            return "None"
        case ast.Constant(value=str(text)):
            return inner(ast.parse(text, mode="eval").body)
        case ast.Constant(value=value) if value is ...:
            return "..."
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{inner(left)} | {inner(right)}"
        case ast.Subscript(value=value, slice=ast.Tuple(elts=parts)):
            return f"{inner(value)}[{', '.join(_argument(one, inner, scope) for one in parts)}]"
        case ast.Subscript(value=value, slice=part):
            return f"{inner(value)}[{_argument(part, inner, scope)}]"
        case ast.Name() | ast.Attribute():
            return _value(_lookup(node, space, scope), scope)
    raise Open


def _argument(node: ast.expr, inner: Callable[[ast.expr], str], scope: Scope) -> str:
    """What stands in brackets: there an open type is Any, and a list is Callable's arguments."""
    if isinstance(node, ast.List):
        return f"[{', '.join(_argument(one, inner, scope) for one in node.elts)}]"
    try:
        return inner(node)
    except Open:
        return scope.any()


def _lookup(node: ast.expr, space: dict[str, Any], scope: Scope) -> Any:
    if isinstance(node, ast.Attribute):
        return getattr(_lookup(node.value, space, scope), node.attr, Any)
    assert isinstance(node, ast.Name)
    if node.id in space:
        return space[node.id]
    return getattr(builtins, node.id, Any)  # imported for type checkers only: open


def _value(value: Any, scope: Scope) -> str:
    if isinstance(value, type) and value is not Any and not isinstance(value, types.GenericAlias):
        return scope.reference(value)
    module, name = getattr(value, "__module__", ""), getattr(value, "__name__", "")
    if value is Any or module not in ("typing", "collections.abc") or not name.isidentifier():
        raise Open
    return scope.use(module, name)


# -- parameters ------------------------------------------------------------------------------------
def parameter(one: inspect.Parameter, space: dict[str, Any], scope: Scope) -> str:
    """The type of a parameter."""
    known = annotation(one.annotation, space, scope)
    if known is not None:
        arms = [scope.alias(BROADER[arm]) if arm in BROADER else arm for arm in known.split(" | ")]
        return " | ".join(arms) if "[" not in known else known
    if scope.open or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
        return scope.any()
    if one.name == "name":
        return f"{scope.use('builtins', 'str')} | None"
    if isinstance(one.default, bool):
        return scope.use("builtins", "bool")
    none = " | None" if one.default is None else ""
    if one.name in DTYPES:
        return scope.alias("DTypeLike") + none
    if one.name in SHAPES:
        return scope.alias("ShapeLike")
    if one.name in TENSORS and not scope.structures:
        return scope.alias("TensorLike") + none
    return scope.any()


def default(value: Any, scope: Scope) -> str:
    """The default of a parameter, if it is short enough to be read."""
    home = scope.names.homes.get(id(value))
    if home is not None and not isinstance(value, (int, float, str, type, types.FunctionType)):
        if value is None:
            return "None"
        scope.modules.add("import tapeflow as tf")
        return f"tf.{home}"
    if value is None or isinstance(value, (bool, int, str, float)) and len(repr(value)) < 24:
        return repr(value) if type(value) in (bool, int, str, float, type(None)) \
            and repr(value) not in ("inf", "-inf", "nan") else "..."
    return "..."


def globals_of(function: Any) -> dict[str, Any]:
    """The module that the annotations of a function are written in."""
    return getattr(inspect.unwrap(function), "__globals__", vars(sys.modules["builtins"]))
