"""Handles: a dataset, an iterator or an optional as one value of a graph.

A handle is a zero-dimensional array around the object. `HandleSpec` describes what is behind it by
the spec of its elements; `graph_op` makes the ops that take and give handles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.specs import CompositeSpec, TensorSpec
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.values.tensor import Tensor

HANDLE = TensorSpec((), dtypes.string)  # how graphs see a handle
ONE_HANDLE = (Spec((), np.dtype(object)),)  # the result of an op that gives one
ONE_BOOL = (Spec((), np.dtype(bool)),)
NO_GRADIENT = NONDIFF("datasets are not differentiated")


def handle(held: Any) -> np.ndarray:
    """An array around any object, as kernels take it."""
    box = np.empty(1, object)
    box[0] = held
    return box.reshape(())


def held(value: Any) -> Any:
    """What a handle is around; a Tensor or a bare value."""
    return (value._value if isinstance(value, Tensor) else value).item()


def graph_op(name: str, kernel: Callable, results: Callable, tf_name: str) -> Callable:
    """An op that only graphs and this package use; `results(**attrs)` gives specs."""
    return define(name, kernel=kernel, multi=True, args=("*operands",), vjp=NO_GRADIENT,
                  shape=lambda *specs, **attrs: tuple(results(**attrs)), stateful=True,
                  kind="opaque", tf_name=tf_name, internal=True,
                  unsavable="it reads a dataset of the program")


class HandleSpec(CompositeSpec):
    """The description of an object behind a handle by the spec of its elements."""

    __slots__ = ("_element_spec",)

    def __init__(self, element_spec: Any):
        self._element_spec = element_spec

    def _serialize(self) -> tuple:
        return (self._element_spec,)

    @property
    def _component_specs(self) -> Any:
        return [HANDLE]

    def _to_components(self, value: Any) -> Any:
        return [value._variant_tensor]

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The description of an object."""
        return cls(value.element_spec)

    def __hash__(self) -> int:
        return hash((type(self), tuple(nest.flatten(self._element_spec))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._serialize() == other._serialize()
