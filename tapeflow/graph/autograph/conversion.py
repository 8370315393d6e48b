"""From a Python function to its converted twin, with the same globals, closure and lines.

Converted code is kept by code object. A function is left alone if it belongs to a library, has no
source, is a generator or coroutine, or was marked by `do_not_convert`.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.process.weak_tables import WeakTable
from tapeflow.graph.autograph import error_report, source
from tapeflow.graph.autograph.transform import transform

# TensorFlow's list of libraries that are called as they are, and a few more.
_LIBRARIES = frozenset({"tapeflow", "tensorflow", "numpy", "keras", "scipy", "ml_dtypes", "optree",
                        "pytest", "_pytest", "IPython", "tensorflow_probability", "tf_keras",
                        "pandas", "matplotlib", "PIL", "mock", "ipdb"}
                       ) | sys.stdlib_module_names - {"__main__"}
_PARTS = ("absl.logging", "tensorflow_datasets.core")  # of libraries that are converted otherwise
_MARK = "__ag_do_not_convert__"
_PREFIX = "tf__"  # of what to_graph and to_code give
_codes: dict[tuple[str, types.CodeType], types.CodeType | None] = {}  # by file, too
_twins: WeakTable = WeakTable()


def convert(function: Callable, asked: bool = False) -> Callable:
    """`function` with its control flow converted; itself where that is not possible.

    `asked`: it stands under tf.function itself, so it is converted in libraries too.
    """
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func, asked), *function.args,
                                 **function.keywords)
    if inspect.ismethod(function):
        if not isinstance(function.__func__, types.FunctionType):
            return function
        twin = convert(function.__func__, asked)
        return function if twin is function.__func__ else types.MethodType(
            twin, function.__self__)
    if not isinstance(function, types.FunctionType):
        call = next((vars(one)["__call__"] for one in type(function).__mro__
                     if "__call__" in vars(one)), None)
        if isinstance(call, types.FunctionType) and wanted(call) and not isinstance(
                function, type):
            return types.MethodType(convert(call), function)
        return function
    if not wanted(function, asked):
        return function
    found = _twins.get(function)
    return _twins.setdefault(function, _twin(function)) if found is None else found


_runtime: types.ModuleType


def set_runtime(module: types.ModuleType) -> None:
    """The module that converted code knows as `__ag`; it calls this one to convert callees."""
    global _runtime
    _runtime = module


def wanted(function: Any, asked: bool = False) -> bool:
    """Whether a plain function is the user's and can be converted."""
    if getattr(function, _MARK, False) or getattr(function, "__ag_converted__", False):
        return False
    module = function.__module__ or ""
    top = module.split(".", 1)[0]
    if top in _LIBRARIES:
        return asked and top not in ("tapeflow", "numpy")
    return asked or not module.startswith(_PARTS)


def _twin(function: types.FunctionType) -> Callable:
    original = function.__code__
    key = (original.co_filename, original)
    if key not in _codes:
        _codes[key] = _converted_code(function)
    code = _codes[key]
    if code is None:
        return function
    cells = dict(zip(original.co_freevars, function.__closure__ or (), strict=True))
    cells["__ag"] = types.CellType(_runtime)
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
    """Code of the converted function; None where there is nothing to convert or no source."""
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return None
    found = source.tree_of(function)
    if found is None:
        _warn(function, f"the source code of {function.__name__} ({code.co_filename}, line "
                        f"{code.co_firstlineno}) is not available")
        return None
    try:
        return _compiled(function, transform(_named(found), _class_of(function)))
    except unsignalled(Exception) as error:  # whatever it is, the function itself may well run
        _warn(function, f"{type(error).__name__}: {error}")
        return None


def _compiled(function: types.FunctionType, tree: ast.FunctionDef) -> types.CodeType:
    """Code of a transformed function."""
    code = function.__code__
    tree.name = "__ag_converted"  # not its own, which may be a global that it calls
    free = sorted({*code.co_freevars, "__ag"})
    factory = ast.FunctionDef("__ag_factory", ast.arguments(
        [], [ast.arg(name) for name in free], None, [], [], None, []),
        [tree, ast.Return(ast.Name(tree.name, ast.Load()))], [])
    module = ast.Module([factory], [])
    ast.copy_location(factory, tree)
    ast.fix_missing_locations(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "__ag":
            # Python says that a method is called where its name ends: on the statement's line.
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
    flags = code.co_flags & _FUTURES
    compiled = compile(module, code.co_filename, "exec", flags, True)
    outer = next(one for one in compiled.co_consts if isinstance(one, types.CodeType))
    made = next(one for one in outer.co_consts
                if isinstance(one, types.CodeType) and one.co_name == tree.name)
    made = made.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    error_report.register(made, function.__name__)
    return made


_FUTURES = 0x1000000  # from __future__ import annotations


def _named(node: Any) -> ast.FunctionDef:
    """A lambda as a function definition."""
    if isinstance(node, ast.FunctionDef):
        return node
    made = ast.FunctionDef("__ag_lambda", node.args, [ast.Return(node.body)], [])
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _class_of(function: types.FunctionType) -> str | None:
    """The class in which a function was defined: its private names are mangled."""
    parts = function.__qualname__.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else None


def _warn(function: types.FunctionType, cause: str) -> None:
    import logging
    logging.getLogger("tensorflow").warning(
        "AutoGraph could not transform %s and will run it as-is. Cause: %s. Tensors cannot decide "
        "its `if`, `while` and `for`; use tf.cond and tf.while_loop there, or put the code into a "
        "file. To silence this warning, decorate the function with "
        "@tf.autograph.experimental.do_not_convert.", function, cause)


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
    """The converted function, `tf__f` of `f`."""
    found = convert(getattr(entity, "_python_function", entity))
    if not isinstance(found, types.FunctionType) or found.__name__ == "<lambda>":
        return found
    name = _PREFIX + found.__name__
    made = types.FunctionType(found.__code__, found.__globals__, name, found.__defaults__,
                              found.__closure__)
    functools.update_wrapper(made, found)
    del made.__wrapped__  # type: ignore[attr-defined]
    made.__kwdefaults__, made.__name__ = found.__kwdefaults__, name
    before, dot, _ = found.__qualname__.rpartition(".")
    made.__qualname__ = f"{before}{dot}{name}"
    return made


def to_code(entity: Callable, recursive: bool = True,
            experimental_optional_features: Any = None) -> str:
    """Source of the converted function."""
    inner = getattr(entity, "_python_function", entity)
    inner = getattr(inner, "__func__", inner)
    tree = source.tree_of(inner) if isinstance(inner, types.FunctionType) else None
    if tree is None or not isinstance(inner, types.FunctionType):
        raise ValueError(f"tf.autograph.to_code: no source was found for {entity!r}.")
    text = ast.unparse(transform(_named(tree), _class_of(inner)))
    return text.replace(f"def {inner.__name__}(", f"def {_PREFIX}{inner.__name__}(", 1)
