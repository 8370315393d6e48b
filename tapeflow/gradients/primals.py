"""How functions are differentiated with respect to arguments or variables: both as one list.

`Primals` is what `vjp`, `jvp`, `hvp` and their like differentiate with respect to: one tensor, a
tuple of arguments (each of any structure), or a list of variables, which the function reads by
itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable


def is_variable(x: Any) -> bool:
    """A tf.Variable, or a library's object that acts as one (Keras's)."""
    return isinstance(x, Variable) or bool(
        getattr(x, "_should_act_as_resource_variable", False))


def as_tensors(structure: Any) -> Any:
    """Every leaf as a tensor; variables stay."""
    return nest.map_structure(lambda x: x if is_variable(x) else convert(x), structure)


class Primals:
    """What a function is differentiated with respect to, and how it is called with that."""

    def __init__(self, primals: Any, where: str):
        self.where = where
        flat = nest.flatten(primals)
        if not flat:
            raise ValueError(f"{where}: there is nothing to differentiate with respect to: "
                             f"got {primals!r}.")
        self.of_variables = all(is_variable(x) for x in flat) and not isinstance(primals, tuple)
        self.structure = primals if self.of_variables else as_tensors(primals)
        self.leaves: list = nest.flatten(self.structure)
        for leaf in self.leaves:
            if not (leaf.dtype.is_floating or leaf.dtype.is_complex):
                raise TypeError(f"{where}: only floating-point and complex values can be "
                                f"differentiated; got {leaf.dtype.name}.")

    def call(self, function: Callable) -> Any:
        """The function's result: of the arguments, or of nothing where variables are given."""
        if self.of_variables:
            return function()
        if isinstance(self.structure, tuple):
            return function(*self.structure)
        return function(self.structure)

    def tangents(self, tangents: Any) -> list:
        """Tangents for all leaves, each of the leaf's dtype and shape."""
        try:
            nest.assert_same_structure(self.structure, tangents)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.where}: tangents must have the structure of the primals. "
                              f"{error}") from None
        flat = []
        for leaf, one in zip(self.leaves, nest.flatten(tangents), strict=True):
            tangent = convert(one, leaf.dtype)
            if not tangent.shape.is_compatible_with(leaf.shape):
                raise ValueError(f"{self.where}: a tangent of shape {tangent.shape} for a value of "
                                 f"shape {leaf.shape}.")
            flat.append(tangent)
        return flat

    def pack(self, results: list) -> Any:
        """Results, one for each leaf, in the structure that was given."""
        return nest.pack_sequence_as(self.structure, results)


def scalar(value: Any, where: str) -> Tensor:
    """The value of a function that is to be differentiated: one number."""
    if nest.is_nested(value):
        raise TypeError(f"{where}: the function must return one scalar; it returned "
                        f"{type(value).__name__}. For further results use has_aux=True.")
    value = convert(value)
    if value.ndim:
        raise ValueError(f"{where}: the function must return a scalar, its result has shape "
                         f"{value.shape}. Reduce it, e.g. with tf.reduce_sum, or use vjp.")
    if not (value.dtype.is_floating or value.dtype.is_complex):
        raise TypeError(f"{where}: the function's result is {value.dtype.name}; only "
                        "floating-point and complex values can be differentiated.")
    return value


def gradient_of(function: Callable, primals: Primals) -> list:
    """The gradients of a scalar function, dense; zeros where it does not depend on a leaf."""
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(primals.leaves)
        value = scalar(primals.call(function), primals.where)
    return dense(tape.gradient(value, primals.leaves, unconnected_gradients="zero"))


def dense(gradients: list) -> list:
    """Gradients as tensors: look-ups give IndexedSlices."""
    return [densify(g) if isinstance(g, IndexedSlices) else g for g in gradients]


def known_shape(x: Any) -> bool:
    """Whether all sizes are known, as they are but for some traces."""
    return x.ndim is not None and None not in shape_of(x)
