"""What libraries call on descriptions of values beyond the public methods, and the names under
which descriptions are saved.

Imports `base/nest.py`; `base/specs.py` and the layers that make descriptions may import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest


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


# -- names -----------------------------------------------------------------------------------------
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
