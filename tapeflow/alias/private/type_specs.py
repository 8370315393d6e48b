"""Descriptions of values by name, and the bases that libraries derive theirs from."""

from __future__ import annotations

from typing import Any

import tapeflow
from tapeflow.base.specs import BatchableSpec, TensorSpec, TypeSpec

_SPECS = ("TensorSpec", "SparseTensorSpec", "RaggedTensorSpec", "IndexedSlicesSpec",
          "VariableSpec", "OptionalSpec")

# Of classes of libraries, both ways.
_NAME_TO_TYPE_SPEC: dict[str, type] = {}
_TYPE_SPEC_TO_NAME: dict[type, str] = {}


class DenseSpec(BatchableSpec):
    """A description of values with a shape and a dtype."""

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        return issubclass(subclass, TensorSpec) or NotImplemented if cls is DenseSpec else (
            NotImplemented)

    def __init__(self, shape: Any, dtype: Any = tapeflow.float32, name: str | None = None):
        self._shape = tapeflow.TensorShape(shape)
        self._dtype = tapeflow.as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> Any:
        return self._shape

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def name(self) -> str | None:
        return self._name

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        other = getattr(spec_or_value, "dtype", None)
        return other == self.dtype and self.shape.is_compatible_with(
            getattr(spec_or_value, "shape", None))


def get_name(type_spec: type) -> str:
    """The name under which a class of descriptions is stored."""
    if not (isinstance(type_spec, type) and issubclass(type_spec, TypeSpec)):
        raise TypeError(f"Expected `type_spec` to be a TypeSpec; got {type_spec!r}")
    for name in _SPECS:
        if getattr(tapeflow, name, None) is type_spec:
            return f"tf.{name}"
    if type_spec in _TYPE_SPEC_TO_NAME:
        return _TYPE_SPEC_TO_NAME[type_spec]
    raise ValueError(f"TypeSpec {type_spec.__module__}.{type_spec.__name__} has not been "
                     "registered.")


def lookup(name: str) -> type:
    """The class of descriptions that is stored under a name."""
    short = name.removeprefix("tf.")
    if short in _SPECS:
        return getattr(tapeflow, short)
    if name in _NAME_TO_TYPE_SPEC:
        return _NAME_TO_TYPE_SPEC[name]
    raise ValueError(f"No TypeSpec has been registered with name {name!r}")


def register(name: str) -> Any:
    """Decorator that stores a class of descriptions under a name."""
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")

    def decorate(cls: type) -> type:
        if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
        if cls in _TYPE_SPEC_TO_NAME:
            raise ValueError(f"Class {cls.__module__}.{cls.__name__} has already been registered "
                             f"with name {_TYPE_SPEC_TO_NAME[cls]}.")
        if name in _NAME_TO_TYPE_SPEC:
            other = _NAME_TO_TYPE_SPEC[name]
            raise ValueError(f"Name {name} has already been registered for class "
                             f"{other.__module__}.{other.__name__}.")
        _TYPE_SPEC_TO_NAME[cls], _NAME_TO_TYPE_SPEC[name] = name, cls
        return cls

    return decorate


def type_spec_from_value(value: Any, use_fallback: bool = True) -> Any:
    """The description of a value."""
    return tapeflow.type_spec_from_value(value)
