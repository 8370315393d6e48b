"""What an object puts into checkpoints, as tensors that libraries read and give back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read

VALUE = "VARIABLE_VALUE"  # of the tensor that a variable is


def variable_tensors(self: Variable) -> dict[str, Tensor]:
    """What a checkpoint holds of a variable."""
    return {VALUE: read(self)}


def restore_variable(self: Variable, restored_tensors: dict[str, Tensor]) -> Any:
    """Give a variable the value that a checkpoint holds."""
    return self.assign(fitting_value(self, restored_tensors))


def fitting_value(variable: Variable, tensors: dict[str, Tensor]) -> Tensor:
    """The value that a checkpoint has for a variable; its shape must agree."""
    value = tensors[VALUE]
    if not variable.shape.is_compatible_with(value.shape):
        raise ValueError(f"Received incompatible tensor with shape {value.shape} when attempting "
                         f"to restore variable with shape {variable.shape} and name "
                         f"{variable.name}.")
    return value


setattr(Variable, "_serialize_to_tensors", variable_tensors)  # noqa: B010
setattr(Variable, "_restore_from_tensors", restore_variable)  # noqa: B010


class SaveSpec(NamedTuple):
    """One tensor of an object, and its name in a checkpoint."""

    tensor: Tensor
    slice_spec: str
    name: str

    @property
    def dtype(self) -> Any:
        return self.tensor.dtype


class SaveableObject:
    """The tensors of an object as they are now."""

    def __init__(self, trackable: Any, name: str = ""):
        held = trackable._serialize_to_tensors()
        self.name, self._trackable, self._keys = name, trackable, tuple(held)
        self.specs = [SaveSpec(tensor, "", name + key) for key, tensor in held.items()]

    @property
    def op(self) -> Any:
        return self._trackable

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any = None) -> Any:
        """Give the object other tensors, in the order of `specs`."""
        return self._trackable._restore_from_tensors(
            dict(zip(self._keys, restored_tensors, strict=True)))


@export("__internal__.tracking.saveable_objects_from_trackable")
def saveable_objects_from_trackable(obj: Any, tf1_saver: bool = False) -> dict[str, Callable]:
    """What makes a SaveableObject of an object, by name; empty if it has no tensors of its own."""
    if not callable(getattr(obj, "_serialize_to_tensors", None)):
        return {}
    return {"_serialize_to_tensors": functools.partial(SaveableObject, obj)}
