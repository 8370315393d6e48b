"""The description of a linear operator: its class and the arguments that it was made of.

By it an operator is taken apart into its tensors and variables and put together again, so that a
tf.function, a loop or a branch takes and gives operators.
"""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable


class LinearOperatorSpec(CompositeSpec):
    """The class of an operator, and its arguments with descriptions for tensors."""

    __slots__ = ("_arguments", "value_type")

    def __init__(self, value_type: type, arguments: tuple):
        self.value_type, self._arguments = value_type, arguments

    @classmethod
    def of(cls, operator: Any) -> LinearOperatorSpec:
        """The description of an operator."""
        return cls(type(operator), tf.nest.map_structure(_described, operator._given))

    def _serialize(self) -> tuple:
        return self.value_type, self._arguments

    def _leaves(self) -> list:
        return tf.nest.flatten(self._arguments, expand_composites=True)

    @property
    def _component_specs(self) -> list:
        return [one for one in self._leaves() if isinstance(one, TypeSpec)]

    def _to_components(self, value: Any) -> list:
        return [one for one in tf.nest.flatten(value._given, expand_composites=True)
                if isinstance(one, (Tensor, Variable))]

    def _from_components(self, components: Any) -> Any:
        parts = iter(components)
        leaves = [next(parts) if isinstance(one, TypeSpec) else one for one in self._leaves()]
        args, named = tf.nest.pack_sequence_as(self._arguments, leaves, expand_composites=True)
        return self.value_type(*args, **named)


def _described(argument: Any) -> Any:
    if isinstance(argument, Variable):
        return tf.VariableSpec.from_value(argument)
    if isinstance(argument, Composite):
        return argument._type_spec
    return TensorSpec(argument.shape, argument.dtype) if isinstance(argument, Tensor) else argument
