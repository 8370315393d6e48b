"""Descriptions of values by type: `TypeSpec`, what every kind of description can do, and
`TensorSpec`, that of one tensor.

Imports nest, shapes and dtypes; any layer may import it. `TensorSpec.value_type` is set by the
layer that defines tensors. Descriptions are immutable and serve as keys of caches.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from typing import Any

from tapeflow.base import dtypes, nest
from tapeflow.base.dtypes import DType, as_dtype
from tapeflow.base.shapes import TensorShape


class SpecProtocol:
    """The methods by which TensorFlow's libraries compare, flatten and batch descriptions."""

    __slots__ = ()

    _component_specs: Any
    _to_components: Callable
    _from_components: Callable

    def _TypeSpec__make_cmp_key(self, value: Any) -> Any:  # TypeSpec.__make_cmp_key
        """A key that is equal for equal values."""
        if isinstance(value, dict):
            return tuple([(key, self._TypeSpec__make_cmp_key(value[key]))
                          for key in sorted(value)])
        if isinstance(value, tuple):
            return tuple([self._TypeSpec__make_cmp_key(one) for one in value])
        if isinstance(value, list):
            return list, tuple([self._TypeSpec__make_cmp_key(one) for one in value])
        return value

    def _TypeSpec__get_cmp_key(self) -> Any:
        return type(self), self._TypeSpec__make_cmp_key(self._serialize())  # type: ignore

    @property
    def _flat_tensor_specs(self) -> list:
        return nest.flatten(self._component_specs, expand_composites=True)

    def _to_tensor_list(self, value: Any) -> list:
        return nest.flatten(self._to_components(value), expand_composites=True)

    def _from_tensor_list(self, tensors: list) -> Any:
        return self._from_components(nest.pack_sequence_as(
            self._component_specs, tensors, expand_composites=True))

    def _from_compatible_tensor_list(self, tensors: list) -> Any:
        return self._from_tensor_list(tensors)


class TypeSpec(SpecProtocol):
    """The type of a value: a tensor, or an object made of tensors.

    A subclass names its `value_type` and gives `_serialize`, a tuple of what distinguishes two
    descriptions; comparing and generalising follow from that tuple. A composite also gives
    `_component_specs`, `_to_components` and `_from_components`.
    """

    __slots__ = ()

    value_type: Any = None

    def __init__(self) -> None:
        if type(self) is TypeSpec:
            raise TypeError("TypeSpec is abstract: use a subclass such as TensorSpec.")

    def _serialize(self) -> tuple:
        raise NotImplementedError(f"{type(self).__name__} does not define _serialize")

    @property
    def _component_specs(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define _component_specs")

    def _to_components(self, value: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define _to_components")

    def _from_components(self, components: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define _from_components")

    @classmethod
    def _deserialize(cls, serialization: tuple) -> Any:
        """The description with this `_serialize()`; by default the arguments of the class."""
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether the value, or values of that description, may be used where this one is."""
        spec = _spec_of(spec_or_value)
        if type(spec) is not type(self):
            return False
        return _all_pairs(_compatible, self._serialize(), spec._serialize())

    @staticmethod
    def __is_compatible(a: Any, b: Any) -> bool:  # libraries call it
        """Whether two parts of `_serialize()` may stand for each other."""
        return _compatible(a, b)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this description also has the description `other`."""
        if type(other) is not type(self):
            return False
        return _all_pairs(_subtype, self._serialize(), other._serialize())

    def most_specific_common_supertype(self, others: Iterable[Any]) -> Any:
        """The narrowest description that covers this one and the others, or None."""
        merged = self._serialize()
        for other in others:
            if type(other) is not type(self):
                return None
            theirs = other._serialize()
            if len(merged) != len(theirs):
                return None
            found = [_generalize(a, b) for a, b in zip(merged, theirs)]
            if any(x is _NOTHING for x in found):
                return None
            merged = tuple(found)
        return self._deserialize(merged)

    def most_specific_compatible_type(self, other: Any) -> Any:
        result = self.most_specific_common_supertype([other])
        if result is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return result

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        return self._serialize() == other._serialize()

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)

    def __hash__(self) -> int:
        return hash(_hashable(self._serialize()))

    def __reduce__(self) -> tuple:
        return type(self)._deserialize, (self._serialize(),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


class TensorSpec(TypeSpec):
    """Shape, dtype and optional name of a tensor; `None` is an unknown dimension or rank.

    >>> TensorSpec([None, 3], "float32", name="x")
    TensorSpec(shape=(None, 3), dtype=tf.float32, name='x')
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = shape if type(shape) is TensorShape else TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self) -> str | None:
        return self._name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """The same shape and dtype, with `name` or else the name of `spec`."""
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        if not _is_tensor_like(tensor) or any(hasattr(tensor, one) for one in (
                "_refusal", "assign", "dense_shape")):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(tensor.shape, tensor.dtype, name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """As TypeSpec's; the name plays no part, and a tensor may stand for its description."""
        if not isinstance(spec_or_tensor, TensorSpec) and not _is_tensor_like(spec_or_tensor):
            return False
        if self._dtype is not spec_or_tensor.dtype:
            return False
        return self._shape.is_compatible_with(spec_or_tensor.shape)

    def is_subtype_of(self, other: Any) -> bool:
        return (
            type(other) is type(self)
            and (not self._name or self._name == other._name)
            and self._dtype is other._dtype
            and self._shape.is_subtype_of(other._shape)
        )

    def _serialize(self) -> tuple:
        return self._shape, self._dtype, self._name

    def _batch(self, batch_size: int | None) -> TensorSpec:
        """The description of `batch_size` such tensors, stacked."""
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TensorSpec:
        """The description of one of the tensors that such a tensor stacks."""
        if self._shape.rank == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return TensorSpec(self._shape[1:], self._dtype)

    # A tensor is its own only component.

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Any:
        if not self.is_compatible_with(value):
            raise ValueError(f"{value!r} is not compatible with {self}")
        return value

    def _from_components(self, components: Any) -> Any:
        return components

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, TensorSpec)
            and self._dtype is other._dtype
            and self._shape._dims == other._shape._dims
            and self._name == other._name
        )

    def __hash__(self) -> int:
        return hash((self._shape._dims, self._dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class CompositeSpec(TypeSpec):
    """The type of an object made of several tensors; `_component_specs` is a list of TensorSpecs.

    With `expand_composites=True`, `nest` takes such a description apart into those, and makes a
    value of new components.
    """

    __slots__ = ()


class UserSpec(CompositeSpec, metaclass=abc.ABCMeta):
    """Public `tf.TypeSpec`: what users derive from it describes composites of their own.

    Descriptions of tensors count as TypeSpecs too, though they have no components.
    """

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        return issubclass(subclass, TypeSpec) if cls is UserSpec else NotImplemented

    def __init__(self) -> None:
        if type(self) is UserSpec:
            raise TypeError("TypeSpec is abstract: use a subclass such as TensorSpec.")


UserSpec.__name__ = UserSpec.__qualname__ = "TypeSpec"


class BatchableSpec(UserSpec):
    """The description of values that can be stacked: `_batch` and `_unbatch` say how it changes.

    Libraries import it as `BatchableTypeSpec`.
    """

    def _batch(self, batch_size: int | None) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._unbatch")


BatchableSpec.__name__ = BatchableSpec.__qualname__ = "BatchableTypeSpec"


def batched(spec: Any, size: int | None) -> Any:
    """`spec._batch(size)`: the description of so many values as one; None if it has none."""
    make = getattr(spec, "_batch", None)
    return None if make is None else make(size)


def unbatched(spec: Any) -> Any:
    """`spec._unbatch()`: the description of one row; None if there is none."""
    make = getattr(spec, "_unbatch", None)
    return None if make is None else make()


_NOTHING = object()


def _is_tensor_like(value: Any) -> bool:
    """Whether `value` has our dtype and a shape: a tensor, not an array or a description."""
    return (
        not isinstance(value, TypeSpec)
        and isinstance(getattr(value, "dtype", None), DType)
        and hasattr(value, "shape")
    )


def _spec_of(spec_or_value: Any) -> Any:
    if isinstance(spec_or_value, TypeSpec):
        return spec_or_value
    return getattr(spec_or_value, "_type_spec", None)


def _all_pairs(relation: Any, ours: tuple, theirs: tuple) -> bool:
    return len(ours) == len(theirs) and all(relation(a, b) for a, b in zip(ours, theirs))


def _compatible(a: Any, b: Any) -> bool:
    if isinstance(a, (TensorShape, TypeSpec)):
        return isinstance(b, (TensorShape, TypeSpec)) and a.is_compatible_with(b)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return _all_pairs(_compatible, tuple(a), tuple(b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_compatible(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


def _subtype(a: Any, b: Any) -> bool:
    if isinstance(a, (TensorShape, TypeSpec)):
        return a.is_subtype_of(b)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return _all_pairs(_subtype, tuple(a), tuple(b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_subtype(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


def _generalize(a: Any, b: Any) -> Any:
    """The narrowest common form of two serialised parts, or _NOTHING."""
    if isinstance(a, (TensorShape, TypeSpec)):
        found = a.most_specific_common_supertype([b])
        return _NOTHING if found is None else found
    if isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) == len(b):
        parts = [_generalize(x, y) for x, y in zip(a, b)]
        return _NOTHING if any(x is _NOTHING for x in parts) else type(a)(parts)
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        values = {k: _generalize(a[k], b[k]) for k in a}
        return _NOTHING if any(x is _NOTHING for x in values.values()) else values
    return a if type(a) is type(b) and a == b else _NOTHING


def _hashable(part: Any) -> Any:
    if isinstance(part, (list, tuple)):
        return tuple(_hashable(x) for x in part)
    if isinstance(part, dict):
        return frozenset((k, _hashable(v)) for k, v in part.items())
    return part


# -- names under which descriptions are saved ----------------------------------------------------
_CLASSES: dict[str, type] = {}
_NAMES: dict[type, str] = {}


def register(name: str) -> Callable:
    """A decorator that gives a class of descriptions the name under which files know it."""
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    words = name.split(".")
    if len(words) < 2 or not all(word.isidentifier() for word in words):
        raise ValueError("Registered name must have the form '{project_name}.{type_name}'; got "
                         f"{name!r}.")

    def decorate(cls: type) -> type:
        if not (isinstance(cls, type) and issubclass(cls, SpecProtocol)):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
        if cls in _NAMES:
            raise ValueError(f"Class {cls.__module__}.{cls.__name__} has already been registered "
                             f"with name {_NAMES[cls]}.")
        if name in _CLASSES:
            raise ValueError(f"Name {name} has already been registered for class "
                             f"{_CLASSES[name].__module__}.{_CLASSES[name].__name__}.")
        _CLASSES[name], _NAMES[cls] = cls, name
        return cls

    return decorate


def get_name(cls: type) -> str:
    """The name under which a class is registered."""
    if cls not in _NAMES:
        raise ValueError(f"TypeSpec {cls.__module__}.{cls.__name__} has not been registered.")
    return _NAMES[cls]


def lookup(name: str) -> type:
    """The class that is registered under a name."""
    if name not in _CLASSES:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return _CLASSES[name]
