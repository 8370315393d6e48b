"""From a Python function to its converted twin, with the same globals, closure and lines.

Converted code is kept by code object. A function is left alone if it belongs to a library, has no
source, is a generator or coroutine, or was marked by `do_not_convert`.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
import weakref
from collections.abc import Callable
from typing import Any

from tapeflow.graph.autograph.transform import transform

_LIBRARIES = frozenset({"tapeflow", "tensorflow", "numpy", "keras", "scipy", "builtins",
                        "functools", "itertools", "collections", "math", "random", "typing",
                        "contextlib", "logging", "inspect", "copy", "operator", "threading"})
_MARK = "__ag_do_not_convert__"
_codes: dict[types.CodeType, types.CodeType | None] = {}
_twins: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def convert(function: Callable) -> Callable:
    """`function` with its control flow converted; itself where that is not possible."""
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if inspect.ismethod(function):
        twin = convert(function.__func__)
        return function if twin is function.__func__ else types.MethodType(
            twin, function.__self__)
    if not isinstance(function, types.FunctionType):
        call = inspect.getattr_static(type(function), "__call__", None)
        if isinstance(call, types.FunctionType) and wanted(call):
            return types.MethodType(convert(call), function)
        return function
    if not wanted(function):
        return function
    if function not in _twins:
        _twins[function] = _twin(function)
    return _twins[function]


def wanted(function: Any) -> bool:
    """Whether a plain function is the user's and can be converted."""
    if getattr(function, _MARK, False) or getattr(function, "__ag_converted__", False):
        return False
    module = (function.__module__ or "").split(".")[0]
    return module not in _LIBRARIES


def _twin(function: types.FunctionType) -> Callable:
    if function.__code__ not in _codes:
        _codes[function.__code__] = _converted_code(function)
    code = _codes[function.__code__]
    if code is None:
        return function
    from tapeflow.graph.autograph import runtime
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells["__ag"] = types.CellType(runtime)
    closure = tuple([cells[name] for name in code.co_freevars])
    twin = types.FunctionType(code, function.__globals__, function.__name__,
                              function.__defaults__, closure)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__, twin.__doc__ = function.__qualname__, function.__doc__
    twin.__dict__.update(function.__dict__)
    twin.__module__ = function.__module__
    twin.__ag_converted__ = True  # type: ignore[attr-defined]
    return twin


def _converted_code(function: types.FunctionType) -> types.CodeType | None:
    """Code of the converted function; None where there is no source to convert."""
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return None
    found = _find_tree(function)
    if found is None:
        return None
    tree = transform(found)
    name, tree.name = tree.name, "__ag_converted"  # its own name may be a global that it calls
    free = sorted({*code.co_freevars, "__ag"})
    factory = ast.FunctionDef("__ag_factory", ast.arguments(
        [], [ast.arg(name) for name in free], None, [], [], None, []),
        [tree, ast.Return(ast.Name(tree.name, ast.Load()))], [])
    module = ast.Module([factory], [])
    ast.copy_location(factory, tree)
    ast.fix_missing_locations(module)
    compiled = compile(module, code.co_filename, "exec")
    outer = next(one for one in compiled.co_consts if isinstance(one, types.CodeType))
    made = next(one for one in outer.co_consts
                if isinstance(one, types.CodeType) and one.co_name == tree.name)
    return made.replace(co_name=name, co_qualname=code.co_qualname)


def _find_tree(function: types.FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a function or lambda, with the lines of its file."""
    code = function.__code__
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError):
        return None
    source = textwrap.dedent("".join(lines))
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = _parse_fragment(source)  # type: ignore[assignment]
        if tree is None:
            return None
    ast.increment_lineno(tree, first - 1)
    if function.__name__ != "<lambda>":
        return next((one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)
                     and one.name == code.co_name), None)
    found = [one for one in ast.walk(tree) if isinstance(one, ast.Lambda)
             and _parameters(one.args) == code.co_varnames[:len(_parameters(one.args))]
             and len(_parameters(one.args)) == code.co_argcount + code.co_kwonlyargcount
             + bool(code.co_flags & inspect.CO_VARARGS)
             + bool(code.co_flags & inspect.CO_VARKEYWORDS)]
    found = [one for one in found if one.lineno == code.co_firstlineno] or found
    if len(found) != 1:
        return None
    made = ast.FunctionDef("__ag_lambda", found[0].args, [ast.Return(found[0].body)], [])
    return ast.fix_missing_locations(ast.copy_location(made, found[0]))


def _parse_fragment(source: str) -> ast.AST | None:
    """A lambda inside a larger statement: its lines alone may not parse.

    Of several lambdas it would be a guess which one is meant.
    """
    if source.count("lambda") > 1:
        return None
    start = source.find("lambda")
    for end in range(len(source), start, -1):
        try:
            return ast.parse(source[start:end].strip(), mode="exec")
        except SyntaxError:
            continue
    return None


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [one for one in (arguments.vararg, arguments.kwarg) if one]
    return tuple(one.arg for one in [*plain, *extra])


def do_not_convert(func: Callable | None = None) -> Any:
    """Mark a function so that AutoGraph leaves it as it is."""
    if func is None:
        return do_not_convert
    if inspect.isfunction(func):
        setattr(func, _MARK, True)
        return func

    @functools.wraps(func)
    def untouched(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    setattr(untouched, _MARK, True)
    return untouched


def to_graph(entity: Callable, recursive: bool = True,
             experimental_optional_features: Any = None) -> Callable:
    """The converted function."""
    return convert(entity)


def to_code(entity: Callable, recursive: bool = True,
            experimental_optional_features: Any = None) -> str:
    """Source of the converted function."""
    inner = getattr(entity, "python_function", entity)
    inner = getattr(inner, "__func__", inner)
    tree = _find_tree(inner)  # type: ignore[arg-type]
    if tree is None:
        raise ValueError(f"tf.autograph.to_code: no source was found for {entity!r}.")
    return ast.unparse(transform(tree))
