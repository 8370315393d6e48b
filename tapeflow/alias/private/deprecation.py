"""Decorators that tell once that a function, a class or an argument is deprecated."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.api.version import get_logger

_PRINT_DEPRECATION_WARNINGS = True
_told: set[Any] = set()


def _location() -> str:
    frame = sys._getframe(3)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _tell(key: Any, once: bool, text: str, *args: Any) -> None:
    if not _PRINT_DEPRECATION_WARNINGS or key in _told:
        return
    if once:
        _told.add(key)
    get_logger().warning("From %s: " + text, _location(), *args)


def _when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def _noted(doc: str | None, notice: str, instructions: str, kind: str = "",
           otherwise: str = "DEPRECATED FUNCTION") -> str:
    """A docstring with the notice after its first line."""
    lines = inspect.cleandoc(doc).splitlines() if doc else []
    first = f"{lines[0]} (deprecated{kind})" if lines else otherwise
    rest = lines[1:]
    gap = [""] if rest and rest[0].strip() else []
    return "\n".join([first, "", f"Deprecated: {notice}", "Instructions for updating:",
                      instructions, *gap, *rest])


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable:
    """Decorator of functions and classes that will be removed."""
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions! Specify the "
                         "`instructions` argument.")

    def decorate(thing: Any) -> Any:
        made = isinstance(thing, type)
        name = ("__init__" if thing.__new__ is object.__new__ else "__new__") if made else ""
        function = getattr(thing, name) if made else thing
        if getattr(function, "_tf_deprecated", False) and made:
            return thing

        @functools.wraps(function)
        def telling(*args: Any, **kwargs: Any) -> Any:
            _tell(function, warn_once, "%s (from %s) is deprecated and will be removed %s.\n"
                  "Instructions for updating:\n%s", function.__qualname__, thing.__module__,
                  _when(date), instructions)
            return function(*args, **kwargs)

        vars(telling)["_tf_deprecated"] = True
        notice = f"THIS FUNCTION IS DEPRECATED. It will be removed {_when(date)}."
        if made:
            setattr(thing, name, telling)
            with contextlib.suppress(AttributeError):
                thing.__doc__ = _noted(thing.__doc__, notice, instructions)
            return thing
        telling.__doc__ = _noted(function.__doc__, notice, instructions)
        return telling

    return decorate


def deprecated_alias(deprecated_name: str, name: str, func_or_class: Any,
                     warn_once: bool = True) -> Any:
    """A function or class under an old name, which tells of the new one."""
    text = "The name %s is deprecated. Please use %s instead.\n"
    if isinstance(func_or_class, type):
        class Alias(func_or_class):
            def __init__(self, *args: Any, **kwargs: Any):
                _tell(Alias, warn_once, text, deprecated_name, name)
                super().__init__(*args, **kwargs)

        Alias.__name__ = func_or_class.__name__
        Alias.__doc__ = func_or_class.__doc__
        return Alias

    @functools.wraps(func_or_class)
    def telling(*args: Any, **kwargs: Any) -> Any:
        _tell(telling, warn_once, text, deprecated_name, name)
        return func_or_class(*args, **kwargs)

    return telling


def deprecated_endpoints(*args: str) -> Callable:
    """Decorator that notes which public names of a function are deprecated."""
    def decorate(function: Any) -> Any:
        function._tf_deprecated_api_names = args
        return function

    return decorate


def deprecated_args(date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any,
                    **kwargs: Any) -> Callable:
    """Decorator of functions some of whose arguments are deprecated: told in functions only."""
    import tapeflow

    once = kwargs.pop("warn_once", True)
    fine: dict[str, Any] = dict(one if isinstance(one, tuple) else (one, deprecated_args)
                for one in deprecated_arg_names_or_tuples)

    def decorate(function: Callable) -> Callable:
        signature = inspect.signature(function)
        unknown = [name for name in fine if name not in signature.parameters]
        if unknown:
            raise ValueError("The following deprecated arguments are not present in the function "
                             f"signature: {unknown}. Expected arguments from the following list: "
                             f"{list(signature.parameters)}.")

        @functools.wraps(function)
        def telling(*args: Any, **given: Any) -> Any:
            if not tapeflow.executing_eagerly():
                for name in set(signature.bind(*args, **given).arguments) & set(fine):
                    _tell((function, name), once, "calling %s (from %s) with %s is deprecated and "
                          "will be removed %s.\nInstructions for updating:\n%s",
                          function.__qualname__, function.__module__, name, _when(date),
                          instructions)
            return function(*args, **given)

        telling.__doc__ = _noted(
            function.__doc__, f"SOME ARGUMENTS ARE DEPRECATED: `({', '.join(sorted(fine))})`. They "
            f"will be removed {_when(date)}.", instructions, " arguments",
            "DEPRECATED FUNCTION ARGUMENTS")
        return telling

    return decorate


def deprecated_arg_values(date: str | None, instructions: str, warn_once: bool = True,
                          **deprecated_kwargs: Any) -> Callable:
    """Decorator of functions some values of whose arguments are deprecated."""
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(function: Callable) -> Callable:
        @functools.wraps(function)
        def telling(*args: Any, **given: Any) -> Any:
            if _PRINT_DEPRECATION_WARNINGS:
                named = inspect.getcallargs(function, *args, **given)
                for name, value in deprecated_kwargs.items():
                    if name in named and (named[name] is value or _equal(named[name], value)):
                        _tell((function, name), warn_once, "calling %s (from %s) with %s=%s is "
                              "deprecated and will be removed %s.\nInstructions for updating:\n%s",
                              function.__qualname__, function.__module__, name, value, _when(date),
                              instructions)
            return function(*args, **given)

        values = ", ".join(f"{name}={value}" for name, value in sorted(deprecated_kwargs.items()))
        telling.__doc__ = _noted(
            function.__doc__, f"SOME ARGUMENT VALUES ARE DEPRECATED: `({values})`. They will be "
            f"removed {_when(date)}.", instructions, " argument values",
            "DEPRECATED FUNCTION ARGUMENT VALUES")
        return telling

    return decorate


def _equal(a: Any, b: Any) -> bool:
    found = a == b if type(a) is type(b) else False
    return found is True


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that has two names."""
    if old_value is not None:
        if new_value is not None:
            raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
        return old_value
    return new_value


def rewrite_argument_docstring(old_doc: str | None, old_argument: str,
                               new_argument: str) -> str | None:
    """A text with one argument's name for another's."""
    return old_doc and old_doc.replace(f"`{old_argument}`", f"`{new_argument}`").replace(
        f"{old_argument}:", f"{new_argument}:")


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """A context in which nothing is told."""
    global _PRINT_DEPRECATION_WARNINGS
    before = _PRINT_DEPRECATION_WARNINGS
    _PRINT_DEPRECATION_WARNINGS = False
    try:
        yield
    finally:
        _PRINT_DEPRECATION_WARNINGS = before
