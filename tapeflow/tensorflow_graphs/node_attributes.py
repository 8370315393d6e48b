"""Attributes of nodes as Python values, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.shapes import TensorShape
from tapeflow.io.protobuf.tensor_protos import make_ndarray, packed

_FIELD = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "type", "shape": "shape",
          "tensor": "tensor", "func": "func"}


def shape_of(message: Any) -> TensorShape:
    """The shape that a TensorShapeProto stands for."""
    if message.unknown_rank:
        return TensorShape(None)
    return TensorShape([None if one.size < 0 else one.size for one in message.dim])


def python_value(message: Any, kind: str, functions: Any) -> Any:
    """An AttrValue as a Python value; functions as callables, found by `functions(name)`."""
    if kind.startswith("list("):
        inner = kind[5:-1]
        return [_scalar(one, inner, functions) for one in getattr(message.list, _FIELD[inner])]
    return _scalar(getattr(message, _FIELD[kind]), kind, functions)


def _scalar(value: Any, kind: str, functions: Any) -> Any:
    if kind == "string":
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "shape":
        return shape_of(value)
    if kind == "tensor":
        return make_ndarray(value)
    return functions(value.name) if kind == "func" else value


# -- writing ---------------------------------------------------------------------------------------
def fill_attribute(message: Any, kind: str, value: Any) -> None:
    """Put a Python value of a kind into an AttrValue; a function is given by its name."""
    if kind.startswith("list("):
        message.list.SetInParent()
        for one in value:
            _add(message.list, kind[5:-1], one)
    elif kind == "shape":
        fill_shape(message.shape, value)
    elif kind == "tensor":
        array = np.asarray(value)
        message.tensor.CopyFrom(packed(array, dtypes.of(array.dtype)))
    elif kind == "func":
        message.func.name = value
    else:
        setattr(message, _FIELD[kind], _plain(kind, value))


def _plain(kind: str, value: Any) -> Any:
    if kind == "string":
        return value.encode() if isinstance(value, str) else bytes(value)
    if kind == "type":
        return dtypes.as_dtype(value).as_datatype_enum
    return {"int": int, "float": float, "bool": bool}[kind](value)


def _add(message: Any, kind: str, value: Any) -> None:
    if kind == "shape":
        fill_shape(message.shape.add(), value)
    elif kind == "func":
        message.func.add(name=value)
    elif kind == "tensor":
        array = np.asarray(value)
        message.tensor.add().CopyFrom(packed(array, dtypes.of(array.dtype)))
    else:
        getattr(message, _FIELD[kind]).append(_plain(kind, value))


def fill_shape(message: Any, shape: Any) -> None:
    """Put a shape, or sizes with None for an unknown one, into a TensorShapeProto."""
    message.SetInParent()
    sizes = shape if shape is None or isinstance(shape, (tuple, list)) else (
        None if shape.rank is None else shape.as_list())
    if sizes is None:
        message.unknown_rank = True
        return
    for n in sizes:
        message.dim.add(size=-1 if n is None else int(n))
