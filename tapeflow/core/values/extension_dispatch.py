"""How public functions treat the types of users: tf.experimental.dispatch_for_api and its kin.

Functions of an elementwise kind are met record by record, as for ragged tensors; for others the
public function itself is replaced by one that looks at its arguments. Loaded at first use.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from tapeflow.base import exports
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import PUBLIC, export
from tapeflow.core.values.composite import Composite, Dispatcher
from tapeflow.core.values.tensor import Tensor, TensorBase


def fits(value: Any, annotation: Any) -> bool:
    """Whether an argument has the type that a signature names."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in typing.get_args(annotation))
    if origin in (list, tuple, collections.abc.Sequence):
        inner = [one for one in typing.get_args(annotation) if one is not Ellipsis]
        return isinstance(value, (list, tuple)) and bool(value) and all(
            any(fits(one, part) for part in inner) for one in value)
    if annotation is float or annotation is int:  # a scalar may be a tensor by now
        return isinstance(value, (annotation, Tensor))
    if annotation is typing.Any:
        return True
    return isinstance(value, annotation) if isinstance(annotation, type) else False


# -- elementwise functions -------------------------------------------------------------------------
class _Elementwise(Dispatcher):
    """The dispatcher of a class with handlers for elementwise functions."""

    def __init__(self, inherited: Any):
        super().__init__()
        self.unary: Callable | None = getattr(inherited, "unary", None)
        self.binary: list[tuple] = list(getattr(inherited, "binary", ()))
        self.rest = self._rest

    def _rest(self, op: Any, operands: list, attrs: dict) -> Any:
        def api(*xs: Any) -> Any:
            return op.call(*xs, **attrs)

        api.__name__ = op.name
        if op.kind == "elementwise" and len(operands) == 1 and self.unary is not None:
            return self.unary(api, operands[0])
        if op.kind == "elementwise" and len(operands) == 2:
            for first, second, handler in self.binary:
                if fits(operands[0], first) and fits(operands[1], second):
                    return handler(api, *operands)
        raise self.refusal(operands)


def _dispatcher_of(cls: Any) -> _Elementwise:
    if "_dispatcher" not in cls.__dict__ or cls._dispatcher is None:
        cls._dispatcher = _Elementwise(cls._dispatcher)
    return cls._dispatcher


@export("experimental.dispatch_for_unary_elementwise_apis")
def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable:
    """Decorator: `handler(api, x)` for elementwise functions of one argument of `x_type`."""

    def decorate(handler: Callable) -> Callable:
        _dispatcher_of(x_type).unary = handler
        return handler

    return decorate


@export("experimental.dispatch_for_binary_elementwise_apis")
def dispatch_for_binary_elementwise_apis(x_type: Any, y_type: Any) -> Callable:
    """Decorator: `handler(api, x, y)` for elementwise functions of two arguments of these types."""

    def decorate(handler: Callable) -> Callable:
        for cls in {*_classes(x_type), *_classes(y_type)}:
            _dispatcher_of(cls).binary.append((x_type, y_type, handler))
        return handler

    return decorate


def _classes(annotation: Any) -> list:
    """The composite classes that an annotation names."""
    if isinstance(annotation, type):
        return [annotation] if issubclass(annotation, Composite) else []
    return [cls for one in typing.get_args(annotation) for cls in _classes(one)]


# -- single functions ------------------------------------------------------------------------------
class Dispatched:
    """A public function that first asks its handlers whether the arguments are theirs."""

    def __init__(self, function: Callable):
        self._function = function
        self._signature = inspect.signature(function)
        self._handlers: list[tuple] = []
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for handler, wanted in self._handlers:
            try:
                given = self._signature.bind(*args, **kwargs).arguments
            except unsignalled(TypeError):
                break
            if all(name in given and fits(given[name], one) for name, one in wanted.items()):
                return handler(*args, **kwargs)
        return self._function(*args, **kwargs)


@export("experimental.dispatch_for_api")
def dispatch_for_api(api: Any, *signatures: dict) -> Callable:
    """Decorator: call the decorated function in place of `api` for arguments of some types.

    A signature maps names of parameters to types; without one the annotations tell.
    """
    def decorate(handler: Callable) -> Callable:
        wanted = signatures or (_annotated(handler),)
        for one in wanted:
            if not one:
                raise ValueError("tf.experimental.dispatch_for_api: a signature names no type")
            unknown = [name for name in one if name not in inspect.signature(api).parameters]
            if unknown:
                raise ValueError(f"tf.experimental.dispatch_for_api: {api.__name__} has no "
                                 f"parameter {unknown[0]!r}")
        dispatched = _replaced(api)
        dispatched._handlers += [(handler, one) for one in wanted]
        return handler

    return decorate


def _annotated(handler: Callable) -> dict:
    hints = typing.get_type_hints(handler)
    return {name: one for name, one in hints.items() if name != "return" and _names_type(one)}


def _names_type(annotation: Any) -> bool:
    return bool(_classes(annotation)) or annotation is TensorBase or any(
        _names_type(one) for one in typing.get_args(annotation))


def _replaced(api: Any) -> Dispatched:
    """The function with handlers that stands at all public names of `api` from now on."""
    if isinstance(api, Dispatched):
        return api
    made = Dispatched(api)
    known = [api]
    while hasattr(known[-1], "__wrapped__"):  # by `wrap_names`, say
        known.append(known[-1].__wrapped__)
    names = [name for name, value in PUBLIC.items() if any(value is one for one in known)]
    if not names:
        raise ValueError(f"tf.experimental.dispatch_for_api: {api!r} is no public function.")
    for name in names:
        PUBLIC[name] = made
        for watch in exports._watchers:
            watch(name, made)
    return made


@export("experimental.unregister_dispatch_for")
def unregister_dispatch_for(dispatch_target: Callable) -> None:
    """Forget a function that one of the decorators registered."""
    found = False
    for function in {id(x): x for x in PUBLIC.values() if isinstance(x, Dispatched)}.values():
        before = len(function._handlers)
        function._handlers = [pair for pair in function._handlers if pair[0] is not dispatch_target]
        found = found or len(function._handlers) < before
    for dispatcher in _all_dispatchers(Composite):
        if dispatcher.unary is dispatch_target:
            dispatcher.unary, found = None, True
        before = len(dispatcher.binary)
        dispatcher.binary = [one for one in dispatcher.binary if one[2] is not dispatch_target]
        found = found or len(dispatcher.binary) < before
    if not found:
        raise ValueError(f"Function {dispatch_target} was not registered using "
                         "a `@dispatch_for` decorator.")


def _all_dispatchers(cls: type) -> list:
    own = [cls.__dict__["_dispatcher"]] if isinstance(
        cls.__dict__.get("_dispatcher"), _Elementwise) else []
    below: list[type] = cls.__subclasses__()
    return own + [one for sub in below for one in _all_dispatchers(sub)]
