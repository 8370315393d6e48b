"""Trees of functions, functions of trees, and what a transformation knows of what it transforms."""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
import sys
import textwrap
import types
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

import gast

from tapeflow.graph.autograph.source import tree_of

_numbers = itertools.count(1)


# -- reading ---------------------------------------------------------------------------------------
def getfutureimports(entity: Any) -> tuple[str, ...]:
    """The features of later Pythons that a function's module has switched on."""
    function = getattr(entity, "__func__", entity)
    return tuple(sorted(name for name, value in getattr(function, "__globals__", {}).items()
                        if getattr(value, "__module__", None) == "__future__"))


def parse_entity(entity: Callable, future_features: Iterable[str] = ()) -> tuple[Any, str]:
    """The tree of a function, and its text."""
    function = getattr(entity, "__func__", entity)
    tree = tree_of(cast(types.FunctionType, function))
    if tree is None:
        raise ValueError(f"Unable to locate the source code of {entity}. Note that functions "
                         "defined in certain environments, like the interactive Python shell, do "
                         "not expose their source code.")
    imports = "".join(f"from __future__ import {name}\n" for name in future_features)
    return as_gast(tree), imports + ast.unparse(tree)


def parse(src: str, preamble_len: int = 0, single_node: bool = True) -> Any:
    """The tree of a text: that of its only statement, or a list."""
    statements = as_gast(ast.parse(textwrap.dedent(src))).body[preamble_len:]
    if not single_node:
        return statements
    if len(statements) != 1:
        raise ValueError(f"expected exactly one node, got {statements}")
    return statements[0]


def parse_expression(src: str) -> Any:
    """The tree of an expression."""
    node = parse(src.strip())
    if not isinstance(node, gast.Expr):
        raise ValueError(f"expected exactly one node of type Expr, got {node}")
    return node.value


# -- writing ---------------------------------------------------------------------------------------
def as_gast(tree: ast.AST) -> Any:
    """A tree of Python's as one of gast's."""
    return gast.ast_to_gast(tree)


def as_ast(tree: Any) -> Any:
    """A tree of gast's as one of Python's."""
    return ast.fix_missing_locations(gast.gast_to_ast(copy.deepcopy(tree)))


def unparse(node: Any, indentation: Any = None, include_encoding_marker: bool = True) -> str:
    """The text of a tree, or of some."""
    parts = node if isinstance(node, (list, tuple)) else [node]
    marker = "# coding=utf-8\n" if include_encoding_marker else ""
    return marker + "\n".join(ast.unparse(as_ast(part)) for part in parts)


def load_ast(nodes: Any, indentation: str = "  ", include_source_map: bool = False,
             delete_on_exit: bool = True) -> tuple[types.ModuleType, str, None]:
    """A module made of trees, its text, and no map of lines."""
    text = unparse(nodes) + "\n"
    name = f"autograph_generated_{next(_numbers)}"
    filename = f"<{name}>"
    module = types.ModuleType(name)
    module.__file__ = filename
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    sys.modules[name] = module
    exec(compile(text, filename, "exec"), vars(module))
    return module, text, None


class Namer:
    """Makes names that nothing has yet."""

    def __init__(self, global_namespace: dict[str, Any]):
        self.global_namespace = global_namespace
        self.generated_names: set[str] = set()

    def new_symbol(self, name_root: str, reserved_locals: Iterable) -> str:
        """The name, or with a number behind it."""
        taken = {str(name) for name in reserved_locals} | {*self.global_namespace,
                                                           *self.generated_names}
        tries = itertools.chain([name_root], (f"{name_root}_{i}" for i in itertools.count(1)))
        found = next(name for name in tries if name not in taken)
        self.generated_names.add(found)
        return found


# -- contexts --------------------------------------------------------------------------------------
class EntityInfo(NamedTuple):
    """What is transformed: a function's name, text, file, and what its names stand for."""

    name: str
    source_code: str | None
    source_file: str | None
    future_features: tuple[str, ...]
    namespace: dict[str, Any]


class Context:
    """What is transformed, where its new names come from, and what the user added."""

    def __init__(self, info: EntityInfo, namer: Namer, user_context: Any):
        self.info, self.namer, self.user = info, namer, user_context
        self.current_origin = None


class ConversionOptions:
    """How a function is to be converted."""

    def __init__(self, recursive: bool = False, user_requested: bool = False,
                 internal_convert_user_code: bool = True, optional_features: Any = ()):
        self.recursive, self.user_requested = recursive, user_requested
        self.internal_convert_user_code = internal_convert_user_code
        self.optional_features = frozenset(
            optional_features if isinstance(optional_features, (list, tuple, set, frozenset))
            else [optional_features])


class ProgramContext(NamedTuple):
    """What all functions of a conversion share."""

    options: ConversionOptions
    autograph_module: Any = None


class Base(gast.NodeTransformer):
    """A transformation of trees; subclasses have methods `visit_…`."""

    def __init__(self, ctx: Context):
        self.ctx = ctx

    def visit_block(self, nodes: list) -> list:
        """Statements, each transformed; one may become several."""
        made: list = []
        for node in nodes:
            found = self.visit(node)
            made.extend(found if isinstance(found, (list, tuple)) else [] if found is None
                        else [found])
        return made
