"""Descriptions of values by name, and the bases that libraries derive theirs from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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


class BoundedTensorSpec(TensorSpec):
    """A description of tensors whose elements lie between two bounds."""

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any,
                 name: str | None = None):
        super().__init__(shape, dtype, name)
        if minimum is None:
            raise ValueError("`minimum` can not be None.")
        if maximum is None:
            raise ValueError("`maximum` can not be None.")
        self._minimum = self._bound(minimum, "minimum")
        self._maximum = self._bound(maximum, "maximum")

    def _bound(self, given: Any, which: str) -> np.ndarray:
        bound = np.array(given, dtype=self.dtype.as_numpy_dtype)
        try:
            np.broadcast_to(bound, [size or 1 for size in self.shape.as_list()])
        except ValueError as error:
            raise ValueError(f"{which} is not compatible with shape. Message: {error}.") from None
        bound.setflags(write=False)
        return bound

    @property
    def minimum(self) -> np.ndarray:
        """The lower bound, itself included."""
        return self._minimum

    @property
    def maximum(self) -> np.ndarray:
        """The upper bound, itself included."""
        return self._maximum

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        """The description of the numbers of a dtype, or a copy of one with bounds."""
        kind = tapeflow.as_dtype(spec.dtype)
        return cls(spec.shape, kind, getattr(spec, "minimum", kind.min),
                   getattr(spec, "maximum", kind.max), name or spec.name)

    def _serialize(self) -> tuple:
        return self.shape, self.dtype, self._minimum.tolist(), self._maximum.tolist(), self.name

    def __repr__(self) -> str:
        return (f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
                f"minimum={self.minimum!r}, maximum={self.maximum!r})")

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, BoundedTensorSpec) and super().__eq__(other)
                and np.allclose(self.minimum, other.minimum)
                and np.allclose(self.maximum, other.maximum))

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))


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
