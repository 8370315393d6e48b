"""tf.experimental.Optional: a value or nothing, for Python and inside graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.data.class_names import concrete, named
from tapeflow.data.elements.handles import ONE_BOOL, ONE_HANDLE, HandleSpec, graph_op, handle, held
from tapeflow.data.elements.structure import Structure, describe, graph_specs, normalise


def _get_value_kernel(optional: Any, structure: Structure) -> tuple:
    found = held(optional)
    if found is None:
        raise errors.invalid("OptionalGetValue",
                             "The given optional does not have a value.")
    return tuple(found)


_from_value = graph_op("optional_from_value", lambda *values: (handle(tuple(values)),),
                       lambda: ONE_HANDLE, "OptionalFromValue")


_has_value = graph_op("optional_has_value", lambda x: (np.bool_(held(x) is not None),),
                      lambda: ONE_BOOL, "OptionalHasValue")


_get_value = graph_op("optional_get_value", _get_value_kernel, graph_specs,
                      "OptionalGetValue")


@export("experimental.Optional", "data.experimental.Optional")
class Optional(Composite):
    """A value that may be there or not.

    >>> tf.experimental.Optional.from_value(tf.constant(3)).get_value()
    <tf.Tensor: shape=(), dtype=int32, numpy=3>
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return concrete(cls, Optional)

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value."""
        raise NotImplementedError("Optional.has_value")

    def get_value(self, name: str | None = None) -> Any:
        """The value; InvalidArgumentError if there is none."""
        raise NotImplementedError("Optional.get_value")

    @property
    def element_spec(self) -> Any:
        raise NotImplementedError("Optional.element_spec")

    @staticmethod
    def empty(element_spec: Any) -> Any:
        """An optional without a value."""
        return _OptionalImpl(wrap(handle(None)), element_spec)

    @staticmethod
    def from_value(value: Any) -> Any:
        """An optional with a value."""
        element = normalise(value)
        structure = Structure(describe(element))
        parts = structure.unpack_tensors(element)
        if state.trace is None:
            return _OptionalImpl(wrap(handle(tuple([x._value for x in parts]))), structure.spec)
        return _OptionalImpl(_from_value(*parts)[0], structure.spec)


@named("ops.optional_ops")
class _OptionalImpl(Optional):
    """An optional behind its handle."""

    __slots__ = ("__weakref__", "_element_spec", "_variant_tensor")

    def __init__(self, variant_tensor: Tensor, element_spec: Any):
        self._variant_tensor, self._element_spec = variant_tensor, element_spec

    def has_value(self, name: str | None = None) -> Tensor:
        if state.trace is None:
            return wrap(np.bool_(held(self._variant_tensor) is not None))
        return _has_value(self._variant_tensor)[0]

    def get_value(self, name: str | None = None) -> Any:
        structure = Structure(self._element_spec)
        if state.trace is None:
            return structure.pack(_get_value_kernel(self._variant_tensor, structure))
        return structure.pack_tensors(list(_get_value(self._variant_tensor, structure=structure)))

    @property
    def element_spec(self) -> Any:
        return self._element_spec

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._element_spec)


Optional.__module__ = "tensorflow.python.data.ops.optional_ops"


@export("OptionalSpec")
@named("ops.optional_ops")
class OptionalSpec(HandleSpec):
    """The description of an optional by that of its value."""

    __slots__ = ()
    value_type = Optional

    def _from_components(self, components: Any) -> Any:
        return _OptionalImpl(components[0], self._element_spec)
