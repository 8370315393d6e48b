"""Values that differ from replica to replica, taken apart and put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.base.specs import CompositeSpec, TypeSpec
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.distribute.strategy_scope import get_replica_context


@export("distribute.DistributedValues")
class DistributedValues(Composite):
    """One value for each replica."""

    def __init__(self, values: Any):
        self._values = tuple(values)

    @property
    def values(self) -> tuple:
        return self._values

    def _get(self) -> Any:
        """The value of the replica that runs; in cross-replica context, of the first."""
        context = get_replica_context()
        return self._values[context._index if context is not None else 0]

    def __repr__(self) -> str:
        return self._shown(repr)

    def __str__(self) -> str:
        return self._shown(str)

    def _shown(self, text: Any) -> str:
        # In a graph TensorFlow shows the tensors by `str` as well.
        parts = [f"  {i}: {text(one)}" for i, one in enumerate(self._values)]
        return f"{type(self).__name__}:{{\n" + ",\n".join(parts) + "\n}"

    @property
    def _type_spec(self) -> PerReplicaSpec:
        specs = [_spec_of(one) for one in self._values]
        return PerReplicaSpec(*specs)

    def _gradient_parts(self) -> list:
        return list(self._values)

    def _gradient_like(self, parts: list) -> Any:
        return type(self)(parts)


def _spec_of(value: Any) -> TypeSpec:
    from tapeflow.base.specs import TensorSpec
    if isinstance(value, Composite):
        return value._type_spec
    if isinstance(value, NUMBERS):
        value = convert(value)
    if not isinstance(value, (Tensor, Variable)):
        raise TypeError(f"a value of each replica must be a tensor here, got {value!r}")
    return TensorSpec(value.shape, value.dtype)


NUMBERS = (bool, int, float, np.generic, np.ndarray)  # which functions take and give as tensors


class PerReplica(DistributedValues):
    """What replicas computed, each for itself."""


class Mirrored(DistributedValues):
    """The same value on each replica."""

    def _get_cross_replica(self) -> Any:
        return self._values[0]


class PerReplicaSpec(CompositeSpec):
    """The type of a PerReplica: one description for each replica."""

    __slots__ = ("_value_specs",)
    value_type = PerReplica

    def __init__(self, *value_specs: Any):
        self._value_specs = tuple(value_specs)

    def _serialize(self) -> tuple:
        return self._value_specs

    @property
    def _component_specs(self) -> list:
        return list(self._value_specs)

    def _to_components(self, value: Any) -> list:
        return [one.value() if isinstance(one, Variable) else convert(one) if isinstance(
            one, NUMBERS) else one for one in value._values]

    def _from_components(self, components: Any) -> PerReplica:
        return PerReplica(components)

    def __repr__(self) -> str:
        return f"PerReplicaSpec({', '.join(repr(one) for one in self._value_specs)})"

    def __hash__(self) -> int:
        return hash((PerReplicaSpec, self._value_specs))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PerReplicaSpec) and self._value_specs == other._value_specs


for _class in (DistributedValues, PerReplica, Mirrored, PerReplicaSpec):
    _class.__module__ = "tensorflow.python.distribute.values"


# -- structures ------------------------------------------------------------------------------------
def selected(index: int, structure: Any) -> Any:
    """What replica `index` gets of a structure."""
    return nest.map_structure(
        lambda one: one._values[index] if isinstance(one, DistributedValues) else
        one._component(index) if hasattr(type(one), "_component") else one, structure)


def regrouped(structures: list[Any]) -> Any:
    """What replicas returned, as one structure of PerReplica values; of one replica, its own."""
    if len(structures) == 1:
        return structures[0]
    first = structures[0]
    if nest.is_nested(first) and not isinstance(first, (str, bytes)):
        for one in structures[1:]:
            nest.assert_same_structure(first, one)
        flat = zip(*[nest.flatten(one) for one in structures])
        return nest.pack_sequence_as(first, [_joined(parts) for parts in flat])
    return _joined(tuple(structures))


def _joined(parts: tuple) -> Any:
    first = parts[0]
    if all(one is first for one in parts):
        return first  # the same object on all: None, Python values, a shared result
    plain = (bool, int, str, bytes)
    if isinstance(first, plain) and all(type(one) is type(first) and one == first
                                        for one in parts):
        return first
    return PerReplica(parts)
