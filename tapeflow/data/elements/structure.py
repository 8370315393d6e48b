"""Elements of datasets: nested structures of tensors, described by specs, kept as flat lists.

Between datasets an element is a flat list of bare NumPy values, one for each tensor that its spec
describes; a `Structure` packs and unpacks it. Datasets inside elements, iterators and optionals are
*handles*: zero-dimensional arrays of objects around them. Imported by every module of `data`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.record.op import Spec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable, read


class NoneTensorSpec(TypeSpec):
    """The description of None in an element."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    def _serialize(self) -> tuple:
        return ()

    @property
    def _component_specs(self) -> Any:
        return []

    def _to_components(self, value: Any) -> Any:
        return []

    def _from_components(self, components: Any) -> Any:
        return None

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        return spec_or_value is None or type(spec_or_value) is type(self)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


NoneTensorSpec.value_type = type(None)


def _ranks_only(spec: TypeSpec) -> Any:
    """The description of values of the same ranks and any sizes; libraries call it."""
    def wider(part: Any) -> Any:
        if isinstance(part, TypeSpec):
            return _ranks_only(part)
        known = isinstance(part, TensorShape) and part.rank is not None
        return TensorShape([None] * part.rank) if known else part

    return spec._deserialize(nest.map_structure(wider, spec._serialize()))


setattr(TypeSpec, "_with_tensor_ranks_only", _ranks_only)  # noqa: B010


# -- what users pass -------------------------------------------------------------------------------
def is_structure(value: Any) -> bool:
    """Whether elements may have `value` as a container: lists are tensors here."""
    return nest.is_nested(value) and (
        isinstance(value, (tuple, Mapping)) or hasattr(type(value), "__attrs_attrs__"))


def map_leaves(function: Callable, value: Any) -> Any:
    """`function` on the leaves; lists count as leaves."""
    if not is_structure(value):
        return function(value)
    if isinstance(value, Mapping):
        made = {key: map_leaves(function, value[key]) for key in value}
        return made if type(value) is dict else _like(value, made)
    if hasattr(type(value), "__attrs_attrs__"):
        names = [one.name for one in type(value).__attrs_attrs__]
        return type(value)(*[map_leaves(function, getattr(value, name)) for name in names])
    parts = [map_leaves(function, one) for one in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _like(old: Any, made: dict) -> Any:
    """A mapping of the same class with other values, keys in the same order."""
    if hasattr(old, "default_factory"):
        new = type(old)(old.default_factory)
        new.update(made)
        return new
    return type(old)((key, made[key]) for key in old)


def is_leaf_object(value: Any) -> bool:
    """Whether a leaf is an object of tensors that describes itself: a dataset, a ragged tensor."""
    return isinstance(getattr(value, "_type_spec", None), TypeSpec) and not isinstance(
        value, (Tensor, Variable))


def leaf_of(value: Any, spec: TypeSpec | None = None) -> Any:
    """One leaf that a user passed: None, an object of tensors, or converted to a Tensor."""
    if value is None or is_leaf_object(value):
        return value
    if isinstance(value, Variable):
        return read(value)
    if isinstance(value, IndexedSlices):
        return convert(value)
    try:
        return convert(value, spec.dtype if isinstance(spec, TensorSpec) else None)
    except unsignalled(TypeError, ValueError):
        if isinstance(value, (list, tuple)) and value and all(map(is_leaf_object, value)):
            raise TypeError(f"A list of {type(value[0]).__name__} is no element of a dataset: use "
                            "a tuple.") from None
        raise


def normalise(value: Any, specs: Any = None) -> Any:
    """A structure that a user passed, with Tensors for leaves."""
    if specs is None:
        return map_leaves(leaf_of, value)
    leaves = [leaf_of(leaf, spec) for leaf, spec in zip(
        nest.flatten_up_to(specs, value), nest.flatten(specs), strict=True)]
    return nest.pack_sequence_as(specs, leaves)


def spec_of(value: Any) -> Any:
    """The description of a leaf."""
    if value is None:
        return NoneTensorSpec()
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    return value._type_spec


def describe(element: Any) -> Any:
    """The element spec of a normalised structure."""
    return map_leaves(spec_of, element)


# -- structures ------------------------------------------------------------------------------------
class Structure:
    """An element spec, and how elements of it are laid out."""

    __slots__ = ("_kind", "components", "leaves", "spec", "tensors")

    def __init__(self, spec: Any):
        self.spec = spec
        self.leaves: list[TypeSpec] = nest.flatten(spec)
        self.components = [nest.flatten(leaf._component_specs) for leaf in self.leaves]
        self.tensors: list[TensorSpec] = [one for many in self.components for one in many]
        plain = all(isinstance(leaf, TensorSpec) for leaf in self.leaves)
        self._kind = ("other" if not plain else "tensor" if isinstance(spec, TensorSpec) else
                      "tuple" if type(spec) is tuple and len(self.leaves) == len(spec) and all(
                          isinstance(one, TensorSpec) for one in spec) else "plain")

    @property
    def plain(self) -> bool:
        """Whether all leaves are tensors."""
        return self._kind != "other"

    def pack(self, values: Any) -> Any:
        """An element for users, of bare values."""
        if self._kind == "tensor":
            return wrap(values[0])
        if self._kind == "tuple":
            return tuple([wrap(value) for value in values])
        return self.pack_tensors([wrap(value) for value in values])

    def pack_tensors(self, tensors: list) -> Any:
        """An element of tensors, eager or symbolic."""
        if self._kind == "tensor":
            return tensors[0]
        if self._kind != "other":
            return nest.pack_sequence_as(self.spec, tensors)
        found = iter(tensors)
        leaves = []
        for leaf, parts in zip(self.leaves, self.components, strict=True):
            own = [next(found) for _ in parts]
            leaves.append(own[0] if isinstance(leaf, TensorSpec) else leaf._from_components(
                nest.pack_sequence_as(leaf._component_specs, own)))
        return nest.pack_sequence_as(self.spec, leaves)

    def unpack_tensors(self, element: Any) -> list:
        """The tensors of a normalised element."""
        found: list[Any] = []
        for leaf, value in zip(self.leaves, nest.flatten_up_to(self.spec, element), strict=True):
            if isinstance(leaf, TensorSpec):
                found.append(value)
            else:
                found += nest.flatten(leaf._to_components(value))
        return found

    def unpack(self, element: Any) -> list:
        """The bare values of a normalised element of eager tensors."""
        return [x._value for x in self.unpack_tensors(element)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(tuple(self.leaves))


def sizes(shape: TensorShape) -> tuple | None:
    """A static shape as a tuple with None for unknown sizes; None for an unknown rank."""
    return None if shape.rank is None else tuple(shape.as_list())


def common_spec(a: Any, b: Any) -> Any:
    """The narrowest element spec that covers two; None if there is none."""
    try:
        nest.assert_same_structure(a, b)
    except unsignalled(TypeError, ValueError):
        return None
    found = [x.most_specific_common_supertype([y])
             for x, y in zip(nest.flatten(a), nest.flatten(b), strict=True)]
    return None if any(one is None for one in found) else nest.pack_sequence_as(a, found)


def graph_specs(structure: Structure) -> list[Spec]:
    """What a graph knows of an element's tensors."""
    return [Spec(sizes(one.shape), one.dtype.np) for one in structure.tensors]


# -- values ----------------------------------------------------------------------------------------
def element_at(column: np.ndarray, index: int) -> Any:
    """One element of a column, as a tensor's value."""
    if column.dtype.kind == "O" and column.ndim == 1:
        return column[index:index + 1].reshape(())
    return column[index]


def elements_in(column: np.ndarray) -> Any:
    """All elements of a column, one after another."""
    if column.dtype.kind == "O" and column.ndim == 1:
        return (column[i:i + 1].reshape(()) for i in range(len(column)))
    return column
