"""`tf_inspect`: Python's `inspect`, which sees through decorators."""

from __future__ import annotations

import functools
import inspect as _inspect
from collections.abc import Callable
from inspect import (
    FullArgSpec,
    Parameter,
    Signature,
    currentframe,
    getframeinfo,
    getmembers,
    getmodule,
    getmro,
    isbuiltin,
    isclass,
    isframe,
    isfunction,
    isgenerator,
    isgeneratorfunction,
    ismethod,
    ismodule,
    isroutine,
    stack,
)
from typing import Any, NamedTuple

__all__ = [
    "ArgSpec", "FullArgSpec", "Parameter", "Signature", "_inspect", "currentframe", "getargspec",
    "getcallargs", "getdoc", "getfile",
    "getframeinfo", "getfullargspec", "getmembers", "getmodule", "getmro", "getsource",
    "getsourcefile", "getsourcelines", "isanytargetmethod", "isbuiltin", "isclass", "isframe",
    "isfunction", "isgenerator", "isgeneratorfunction", "ismethod", "ismodule", "isroutine",
    "signature", "stack",
]


class ArgSpec(NamedTuple):
    """Arguments without annotations and those by name alone: Python 2's description."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple | None


def getargspec(obj: Callable) -> ArgSpec:
    """The arguments of a function that has none by name alone."""
    spec = getfullargspec(obj)
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def _bare(obj: Any) -> Any:
    return _inspect.unwrap(obj) if callable(obj) and not isinstance(obj, type) else obj


def signature(obj: Callable, *, follow_wrapped: bool = True) -> _inspect.Signature:
    """The signature of what a decorator wraps."""
    return _inspect.signature(obj, follow_wrapped=follow_wrapped)


def getfullargspec(obj: Callable) -> FullArgSpec:
    """The arguments of a function; of a partial call, those that are still open have defaults."""
    if isinstance(obj, functools.partial):
        return _of_partial(obj)
    spec = _full(obj)
    ours = (getattr(obj, "__module__", None) or "").startswith("tapeflow")
    return spec._replace(annotations={}) if ours else spec  # TensorFlow's have none


def _is_ours(wrapper: Any) -> bool:
    """Whether a wrapper is this library's: those of others hide the arguments, as in TensorFlow."""
    if not _inspect.isfunction(wrapper):
        return True
    return hasattr(wrapper, "_tf_decorator") or wrapper.__globals__.get(
        "__name__", "").startswith("tapeflow")


def _full(obj: Any) -> FullArgSpec:
    inner = getattr(obj, "__wrapped__", None)
    while inner is not None and not isinstance(obj, type) and _is_ours(obj):
        obj, inner = inner, getattr(inner, "__wrapped__", None)
    if isinstance(obj, type) or _inspect.isroutine(obj):
        return _inspect.getfullargspec(obj)
    return _inspect.getfullargspec(type(obj).__call__.__get__(obj))


def _of_partial(obj: functools.partial) -> FullArgSpec:
    spec = getfullargspec(obj.func)
    names = [*spec.args, *spec.kwonlyargs]
    unknown = [name for name in obj.keywords if name not in names]
    if unknown and not spec.varkw:
        raise TypeError("unsupported callable")  # as Python's
    args = spec.args[len(obj.args):] if not obj.args else spec.args[len(obj.args):]
    start = len(spec.args) - len(spec.defaults or ())
    known = {name: (spec.defaults or ())[i - start] for i, name in enumerate(spec.args)
             if i >= start}
    known.update({name: value for name, value in obj.keywords.items() if name in spec.args})
    defaults = []
    for name in reversed(args):
        if name not in known:
            break
        defaults.append(known[name])
    only = dict(spec.kwonlydefaults or {}, **{
        name: value for name, value in obj.keywords.items() if name in spec.kwonlyargs})
    return spec._replace(args=args, defaults=tuple(reversed(defaults)) or None,
                         kwonlydefaults=only or None)


def getcallargs(func: Callable, *positional: Any, **named: Any) -> dict[str, Any]:
    """The arguments of a call by name."""
    return _inspect.getcallargs(_bare(func), *positional, **named)


def getdoc(obj: Any) -> str | None:
    """The text of a function or class."""
    return _inspect.getdoc(obj)


def getfile(obj: Any) -> str:
    """The file that an object is defined in."""
    return _inspect.getfile(_bare(obj))


def getsource(obj: Any) -> str:
    """The source of an object."""
    return _inspect.getsource(_bare(obj))


def getsourcefile(obj: Any) -> str | None:
    """The source file of an object."""
    return _inspect.getsourcefile(_bare(obj))


def getsourcelines(obj: Any) -> tuple[list[str], int]:
    """The lines of an object, and the number of the first."""
    return _inspect.getsourcelines(_bare(obj))


def isanytargetmethod(obj: Any) -> bool:
    """Whether what is decorated is a method."""
    return _inspect.ismethod(_bare(obj))
