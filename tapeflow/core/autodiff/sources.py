"""What is differentiated, and with respect to what: targets, sources and seeds of gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.core.record.op import same_shape
from tapeflow.core.record.primitive_ops import broadcast_to, constant_like, dims
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, uid_of, wrap
from tapeflow.core.values.variable import Variable

_FLOAT32 = np.dtype("float32")
_ONE = np.float32(1)


def as_source(x: Any, where: str) -> Any:
    """A Tensor or Variable, or what stands for one (`handle` or `value` of variable-likes)."""
    if isinstance(x, (Tensor, Variable)):
        return x
    if getattr(x, "_should_act_as_resource_variable", False):
        return as_source(x.handle if callable(x.value) else x.value, where)
    if isinstance(x, IndexedSlices):
        return x.values
    message = (f"GradientTape.{where}: passed in object {x!r} of type {type(x).__name__!r}, not "
               "tf.Tensor or tf.Variable or ExtensionType.")
    literals = (int, float, complex, list, tuple, np.ndarray, np.generic)
    if isinstance(x, literals):
        message += (" A tape follows no plain number and no array: compute with a tf.Variable, or "
                    "with a tf.constant that tape.watch was called on, and pass that; of a target "
                    "pass the tensor, not float() or .numpy() of it.")
    if where == "watch":
        raise ValueError(message)
    raise (AttributeError if isinstance(x, literals) else TypeError)(message)


def snapshot_of(x: Any) -> Any:
    """The tensor itself, or the value of a variable."""
    return x._snapshot if isinstance(x, Variable) else x


def is_differentiable(x: Any) -> bool:
    """Whether a tensor or variable is floating point or complex."""
    value = x if type(x) is Tensor else snapshot_of(x)
    if type(value) is Tensor:
        dtype = value._value.dtype
        return dtype is _FLOAT32 or dtype.kind in "fcV"
    return value.dtype.is_floating or value.dtype.is_complex


def flatten_sources(sources: Any) -> tuple[list, Any]:
    """The sources as a list, and how to give the results their structure back."""
    if type(sources) is list:
        for one in sources:
            if not isinstance(one, (Tensor, Variable)):
                break
        else:
            return sources, list
    if isinstance(sources, (Tensor, Variable)):
        return [sources], None
    given = nest.flatten(sources)
    return tensors_of(given), lambda results: nest.pack_sequence_as(
        sources, _gathered(given, results))


def watched(structure: Any) -> list:
    """What `watch` was given, one by one; of a composite every part."""
    return [as_source(part, "watch") for one in nest.flatten(structure)
            for part in (nest.flatten(one, expand_composites=True) if isinstance(one, Composite)
                         else (one,))]


def tensors_of(given: list) -> list:
    """Sources or targets as tensors and variables; composites tell what is differentiated."""
    flat: list[Any] = []
    for one in given:
        flat += one._gradient_parts() if isinstance(one, Composite) else [
            as_source(one, "gradient")]
    return flat


def _gathered(given: list, results: list) -> list:
    """One result for each source, those to the parts of a composite joined."""
    if not any(isinstance(one, Composite) for one in given):
        return results
    left = iter(results)
    return [one._gradient_like([next(left) for _ in one._gradient_parts()])
            if isinstance(one, Composite) else next(left) for one in given]


def seeds_for(output_gradients: Any, targets: list) -> list:
    """The user's gradients of the targets, in their shapes and dtypes."""
    given = nest.flatten(output_gradients)
    if len(given) < len(targets):
        raise ValueError(f"GradientTape.gradient: output_gradients has {len(given)} tensors, "
                         f"target has {len(targets)}.")
    seeds = [convert(one, hint=target.dtype) for one, target in zip(given, targets, strict=False)]
    for seed, target in zip(seeds, targets, strict=True):
        if seed.dtype != target.dtype:
            raise errors.invalid("GradientTape.gradient", (
                f"output_gradients must have the dtype of the target, {target.dtype.name}, got "
                f"{seed.dtype.name}"))
    return [seed if same_shape(seed, snapshot_of(target))
            else broadcast_to(seed, shape=dims(snapshot_of(target)))
            for seed, target in zip(seeds, targets, strict=True)]


def ones_like(x: Any) -> Any:
    """The seed of a walk."""
    if type(x) is Tensor:
        value = x._value
        if value.shape:
            return wrap(np.ones(value.shape, value.dtype))
        return wrap(_ONE if value.dtype is _FLOAT32 else value.dtype.type(1))
    return constant_like(x, 1)


def zeros_for(x: Any) -> Any:
    """Zeros like a Tensor or bare value."""
    if isinstance(x, Tensor):
        return constant_like(x, 0)
    return np.zeros(x.shape, x.dtype)


class Subject:
    """What an explanation needs to know of a target or source, without keeping it alive."""

    __slots__ = ("dtype", "kind", "name", "shape", "trainable", "uid")

    def __init__(self, x: Any):
        self.uid, self.dtype, self.shape = uid_of(x), x.dtype, x.shape
        variable = isinstance(x, Variable)
        self.kind = "variable" if variable else "tensor"
        self.name = x.name if variable else ""
        self.trainable = variable and x.trainable
