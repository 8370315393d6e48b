"""Structures of arguments and results in TensorFlow's saved models: StructuredValue and Python."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest, specs
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.protobuf.tensor_protos import make_ndarray, packed
from tapeflow.saved_model.files import Damaged
from tapeflow.saved_model.object_protos import StructuredValue
from tapeflow.tensorflow_graphs.node_attributes import fill_shape, shape_of
from tapeflow.tensorflow_graphs.public import public

_DEEPEST = 100
# Kinds of specs by their number in the file: the public class, and how its state is its arguments.
_SPECS = {1: "SparseTensorSpec", 2: "IndexedSlicesSpec", 3: "RaggedTensorSpec", 9: "VariableSpec"}
_REGISTERED, _EXTENSION = 12, 13  # a TypeSpec, an ExtensionType: by the name it registered
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
    if value.type_spec_class in (_REGISTERED, _EXTENSION) and isinstance(state, tuple):
        return specs.lookup(value.type_spec_class_name)._deserialize(state)  # type: ignore
    if value.type_spec_class not in _SPECS or not isinstance(state, tuple):
        raise NotImplementedError(
            f"arguments or results of the kind {value.type_spec_class_name!r} are not read from "
            "saved models")
    return public(_SPECS[value.type_spec_class])(*state)


@export("__internal__.saved_model.decode_proto")
def decode_proto(proto: Any) -> Any:
    """The structure that `encode_structure` was given."""
    return structure(proto)


# -- writing ---------------------------------------------------------------------------------------
@export("__internal__.saved_model.encode_structure")
def encode_structure(nested_structure: Any) -> Any:
    """A structure of Python values, tensors and specs as a protocol buffer."""
    message = StructuredValue()
    fill_structure(message, nested_structure)
    return message


def fill_structure(message: Any, value: Any) -> None:
    """Put a structure into a StructuredValue; ValueError for what none can be."""
    if value is None:
        message.none_value.SetInParent()
    elif isinstance(value, (bool, np.bool_)):
        message.bool_value = bool(value)
    elif isinstance(value, int):
        message.int64_value = value
    elif isinstance(value, float):
        message.float64_value = value
    elif isinstance(value, str):
        message.string_value = value
    elif isinstance(value, dict):
        message.dict_value.SetInParent()
        for key, one in value.items():
            if not isinstance(key, str):
                raise ValueError(f"a dict with the key {key!r}, which is no string")
            fill_structure(message.dict_value.fields[key], one)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        message.named_tuple_value.name = type(value).__name__
        for key, one in zip(value._fields, value, strict=True):
            pair = message.named_tuple_value.values.add(key=key)
            fill_structure(pair.value, one)
    elif isinstance(value, (list, tuple)):
        held = message.list_value if isinstance(value, list) else message.tuple_value
        held.SetInParent()
        for one in value:
            fill_structure(held.values.add(), one)
    else:
        _fill_leaf(message, value)


def _fill_leaf(message: Any, value: Any) -> None:
    if isinstance(value, TensorShape):
        fill_shape(message.tensor_shape_value, value)
    elif isinstance(value, (dtypes.DType, np.dtype)):
        message.tensor_dtype_value = dtypes.as_dtype(value).as_datatype_enum
    elif isinstance(value, TensorSpec):
        spec = message.tensor_spec_value
        spec.name, spec.dtype = value.name or "", value.dtype.as_datatype_enum
        fill_shape(spec.shape, value.shape)
    elif isinstance(value, TypeSpec):
        fill_type_spec(message.type_spec_value, value)
    elif isinstance(value, Tensor) and type(value) is Tensor:
        array = np.asarray(value._value)
        message.tensor_value.CopyFrom(packed(array, value.dtype))
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        message.numpy_value.CopyFrom(packed(array, dtypes.of(array.dtype)))
    else:
        raise ValueError(f"{value!r}, of type {type(value).__name__}, cannot be saved")


def fill_type_spec(message: Any, spec: TypeSpec) -> None:
    """Put the spec of a composite into a TypeSpecProto."""
    for number, name in _SPECS.items():
        if type(spec) is public(name):
            message.type_spec_class, message.type_spec_class_name = number, name
            break
    else:
        try:
            name = specs.get_name(type(spec))
        except ValueError as error:
            raise ValueError(f"{error} Give the ExtensionType a `__name__`, or register the "
                             "TypeSpec") from None
        message.type_spec_class, message.type_spec_class_name = _REGISTERED, name
    fill_structure(message.type_state, spec._serialize())
    message.num_flat_components = len(nest.flatten(spec, expand_composites=True))
