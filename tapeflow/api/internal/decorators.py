"""Decorators of TensorFlow's source: for public names, documents, and wrapping itself."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from tapeflow.api.internal.canonical_names import by_name, canonical_name
from tapeflow.base.exports import export


# -- wrapping --------------------------------------------------------------------------------------
@export("__internal__.decorator.TFDecorator")
class TFDecorator:
    """What was put around a function, and the function."""

    def __init__(self, decorator_name: str, target: Any, decorator_doc: str = "",
                 decorator_argspec: Any = None):
        self.decorator_name, self.decorated_target = decorator_name, target
        self.decorator_doc, self.decorator_argspec = decorator_doc, decorator_argspec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.decorated_target(*args, **kwargs)


@export("__internal__.decorator.make_decorator")
def make_decorator(target: Callable, decorator_func: Any, decorator_name: str | None = None,
                   decorator_doc: str = "", decorator_argspec: Any = None) -> Any:
    """Make a wrapper look like what it wraps."""
    name = decorator_name or sys._getframe(1).f_code.co_name
    noted = TFDecorator(name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = noted
    for attribute in ("__name__", "__qualname__", "__module__"):
        if hasattr(target, attribute):
            setattr(decorator_func, attribute, getattr(target, attribute))
    if hasattr(target, "__dict__"):
        for key, value in vars(target).items():
            vars(decorator_func).setdefault(key, value)
    decorator_func.__doc__ = decorator_doc or target.__doc__
    decorator_func.__wrapped__ = target
    decorator_func.__original_wrapped__ = target
    if decorator_argspec is not None:
        decorator_func.__signature__ = _signature(decorator_argspec)
    elif callable(target):
        try:
            signature = inspect.signature(target)
        except (TypeError, ValueError):
            decorator_func.__dict__.pop("__signature__", None)
        else:
            _present_as_method(decorator_func, target, signature)
    return decorator_func


def _present_as_method(decorator_func: Any, target: Any, signature: inspect.Signature) -> None:
    """Take over a signature, without the `self` that an argspec of a bound method has."""
    holders = [one.decorated_target.__self__ for one in unwrap(target)[0]
               if inspect.ismethod(one.decorated_target)]
    if holders and "self" in signature.parameters:
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        decorator_func.__self__ = holders[0]
    decorator_func.__signature__ = signature


def _signature(spec: Any) -> inspect.Signature:
    """The signature of a full argspec."""
    kinds, found = inspect.Parameter, []
    defaults = dict(zip(reversed(spec.args), reversed(spec.defaults or ()), strict=False))
    for name in spec.args:
        found.append(kinds(name, kinds.POSITIONAL_OR_KEYWORD,
                           default=defaults.get(name, kinds.empty)))
    if spec.varargs:
        found.append(kinds(spec.varargs, kinds.VAR_POSITIONAL))
    for name in spec.kwonlyargs or ():
        found.append(kinds(name, kinds.KEYWORD_ONLY,
                           default=(spec.kwonlydefaults or {}).get(name, kinds.empty)))
    if spec.varkw:
        found.append(kinds(spec.varkw, kinds.VAR_KEYWORD))
    return inspect.Signature(found)


@export("__internal__.decorator.unwrap")
def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """What was put around a function, outermost first, and the function."""
    found: list[TFDecorator] = []
    current = maybe_tf_decorator
    while True:
        noted = getattr(current, "_tf_decorator", None)
        if isinstance(current, TFDecorator):
            noted = current
        if noted is None:
            return found, current
        found.append(noted)
        current = noted.decorated_target


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> None:
    """Put another function inside the decorators of one."""
    for noted in unwrap(decorator_func)[0]:
        if noted.decorated_target is previous_target:
            noted.decorated_target = new_target
    if getattr(decorator_func, "__wrapped__", None) is previous_target:
        decorator_func.__wrapped__ = new_target


# -- public names and documents --------------------------------------------------------------------
_names: dict[str, Any] = {}  # public name -> function or class


class _Export:
    """Decorator that notes the public names of a function or class."""

    def __init__(self, *args: str, v1: Any = None, allow_multiple_exports: bool = True):
        self.names, self.v1 = args, args if v1 is None else tuple(v1)

    def __call__(self, value: Any) -> Any:
        for name in (*self.names, *self.v1):
            _names.setdefault(name, value)
        for name in self.v1:
            _names.setdefault(f"compat.v1.{name}", value)
        target = unwrap(value)[1]
        for attribute, names in ((self.attribute, self.names), (self.attribute + "_v1", self.v1)):
            try:
                setattr(target, attribute, names)
            except AttributeError:  # of a class of C, or one with slots
                continue
        return value

    attribute = "_tf_api_names"

    def export_constant(self, module_name: str, name: str) -> None:
        """Note the public names of a constant."""


class tf_export(_Export):
    """For names below `tf`."""


class keras_export(_Export):
    """For names below `keras`."""

    attribute = "_keras_api_names"


def get_canonical_name_for_symbol(symbol: Any, api_name: str = "tensorflow",
                                  add_prefix_to_v1_names: bool = False) -> str | None:
    """The public name of a function or class; None if it has none."""
    if api_name == "tensorflow" and callable(symbol) and canonical_name(symbol) is not None:
        return canonical_name(symbol)
    target = unwrap(symbol)[1] if callable(symbol) else symbol
    attribute = "_keras_api_names" if api_name == "keras" else "_tf_api_names"
    own = getattr(target, "__dict__", {})
    names = own.get(attribute)
    if names:
        return names[0]
    older = own.get(attribute + "_v1")
    if older:
        return f"compat.v1.{older[0]}" if add_prefix_to_v1_names else older[0]
    return None


def get_symbol_from_name(name: str) -> Any:
    """The function or class of a public name; None if there is none."""
    return _names[name] if name in _names else by_name(name)


def _unchanged(thing: Any) -> Any:
    return thing


# They say what documents of the API leave out.
do_not_doc_inheritable = do_not_generate_docs = doc_private = _unchanged
doc_in_current_and_subclasses = for_subclass_implementers = _unchanged
