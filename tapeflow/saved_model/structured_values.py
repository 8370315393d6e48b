"""Structures of arguments and results in TensorFlow's saved models: StructuredValue to Python."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.specs import TensorSpec
from tapeflow.core.values.convert import convert
from tapeflow.io.protobuf.tensor_protos import make_ndarray
from tapeflow.saved_model.checking import Damaged
from tapeflow.tensorflow_graphs.node_attributes import shape_of
from tapeflow.tensorflow_graphs.public import public

_DEEPEST = 100
# Kinds of specs by their number in the file: the public class, and how its state is its arguments.
_SPECS = {1: "SparseTensorSpec", 2: "IndexedSlicesSpec", 3: "RaggedTensorSpec"}
_PLAIN = ("float64_value", "int64_value", "string_value", "bool_value")


def structure(message: Any, depth: int = 0) -> Any:
    """What a StructuredValue stands for."""
    if depth > _DEEPEST:
        raise Damaged(f"a structure of more than {_DEEPEST} levels")
    kind = message.WhichOneof("kind")
    if kind is None or kind == "none_value":
        return None
    value = getattr(message, kind)
    if kind in _PLAIN:
        return value
    if kind == "list_value":
        return [structure(one, depth + 1) for one in value.values]
    if kind == "tuple_value":
        return tuple([structure(one, depth + 1) for one in value.values])
    if kind == "dict_value":
        return {key: structure(one, depth + 1) for key, one in value.fields.items()}
    if kind == "named_tuple_value":
        return _named_tuple(value, depth)
    return _leaf(kind, value, depth)


def _named_tuple(value: Any, depth: int) -> Any:
    names = [one.key for one in value.values]
    if not all(name.isidentifier() and name[0] != "_" for name in [value.name, *names]):
        raise Damaged(f"a namedtuple {value.name!r} of fields {names}")
    made = namedtuple(value.name, names)  # type: ignore[misc]
    return made(*[structure(one.value, depth + 1) for one in value.values])


def _leaf(kind: str, value: Any, depth: int) -> Any:
    if kind == "tensor_shape_value":
        return shape_of(value)
    if kind == "tensor_dtype_value":
        return dtypes.as_dtype(value)
    if kind in ("tensor_spec_value", "bounded_tensor_spec_value"):
        return TensorSpec(shape_of(value.shape), dtypes.as_dtype(value.dtype), value.name or None)
    if kind == "type_spec_value":
        return _type_spec(value, depth)
    return convert(make_ndarray(value)) if kind == "tensor_value" else make_ndarray(value)


def _type_spec(value: Any, depth: int) -> Any:
    state = structure(value.type_state, depth + 1)
    if value.type_spec_class == 9:  # of a variable: as a tensor of its shape
        return TensorSpec(state[0], state[1])
    if value.type_spec_class not in _SPECS or not isinstance(state, tuple):
        raise NotImplementedError(
            f"arguments or results of the kind {value.type_spec_class_name!r} are not read from "
            "saved models")
    return public(_SPECS[value.type_spec_class])(*state)
