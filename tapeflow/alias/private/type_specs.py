"""Descriptions of values by name, and the bases that libraries derive theirs from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow
from tapeflow.base import specs
from tapeflow.base.specs import BatchableSpec, TensorSpec, TypeSpec

_SPECS = ("TensorSpec", "SparseTensorSpec", "RaggedTensorSpec", "IndexedSlicesSpec",
          "VariableSpec", "OptionalSpec")


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
    return specs.get_name(type_spec)


def lookup(name: str) -> type:
    """The class of descriptions that is stored under a name."""
    short = name.removeprefix("tf.")
    return getattr(tapeflow, short) if short in _SPECS else specs.lookup(name)


# Classes of a library's values, and what describes them.
_CONVERTERS: list[tuple[type, Callable]] = []


def type_spec_from_value(value: Any, use_fallback: bool = True) -> Any:
    """The description of a value."""
    for kind, describe in _CONVERTERS:
        if isinstance(value, kind):
            return describe(value)
    return tapeflow.type_spec_from_value(value)


def register_type_spec_from_value_converter(type_object: type, converter_fn: Callable,
                                            allow_subclass: bool = False) -> None:
    """Let a function describe the values of a class, which have no description of their own."""
    _CONVERTERS.append((type_object, converter_fn))
