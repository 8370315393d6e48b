"""Attributes of nodes as Python values, and back."""

from __future__ import annotations

from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.shapes import TensorShape
from tapeflow.io.protobuf.tensor_protos import make_ndarray

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
