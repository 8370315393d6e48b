"""Sparse tensors as bytes: tf.io.serialize_sparse and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import text_operand
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.tensor_protos import make_ndarray, packed_bytes
from tapeflow.io.protobuf.wire import DecodeError

_SparseTensor = LatePublic("SparseTensor")

_STRING = np.dtype(object)
_SPELT = {"float32": "float", "float64": "double", "float16": "half"}
_BYTES = NONDIFF("bytes have no derivative")


def _parts(indices: np.ndarray, values: np.ndarray, shape: np.ndarray) -> list[bytes]:
    return [packed_bytes(np.ascontiguousarray(one), dtypes.of(one.dtype))
            for one in (indices, values, shape)]


def _serialize_kernel(indices: np.ndarray, values: np.ndarray, shape: np.ndarray) -> np.ndarray:
    result = np.empty(3, object)
    result[:] = _parts(indices, values, shape)
    return result


def _many_kernel(indices: np.ndarray, values: np.ndarray, shape: np.ndarray) -> np.ndarray:
    if shape.size < 2:
        raise errors.invalid("SerializeManySparse", "Rank of input SparseTensor should be > 1, but "
                                                    f"saw rank: {shape.size}")
    result = np.empty((int(shape[0]), 3), object)
    for i in range(len(result)):
        own = indices[:, 0] == i
        result[i] = _parts(indices[own, 1:], values[own], shape[1:])
    return result


_serialize = define("serialize_sparse", kernel=_serialize_kernel, vjp=_BYTES, batch=loop,
                    args=("indices", "values", "shape"), internal=True,
                    shape=lambda *specs: Spec((3,), _STRING))
_serialize_many = define("serialize_many_sparse", kernel=_many_kernel, vjp=_BYTES, batch=loop,
                         args=("indices", "values", "shape"), internal=True,
                         shape=lambda *specs: Spec((None, 3), _STRING))


def _sparse(value: Any) -> tuple:
    if not isinstance(value, _SparseTensor.get()):
        raise TypeError("Input must be a SparseTensor.")
    return value.indices, value.values, value.dense_shape


def _text_only(out_type: Any) -> None:
    if dtypes.as_dtype(out_type) is not dtypes.string:
        raise errors.invalid("SerializeSparse", "only tf.string is supported as `out_type`, got "
                                                f"{out_type!r}")


@export("io.serialize_sparse")
def serialize_sparse(sp_input: Any, out_type: Any = dtypes.string,
                     name: str | None = None) -> Tensor:
    """A SparseTensor as three strings: indices, values and shape."""
    _text_only(out_type)
    return _serialize(*_sparse(sp_input))


@export("io.serialize_many_sparse")
def serialize_many_sparse(sp_input: Any, out_type: Any = dtypes.string,
                          name: str | None = None) -> Tensor:
    """The rows of a SparseTensor, each as three strings."""
    _text_only(out_type)
    return _serialize_many(*_sparse(sp_input))


def _deserialize_kernel(serialized: np.ndarray, dtype: Any) -> tuple:
    op_name = "DeserializeManySparse"
    if serialized.ndim != 2 or serialized.shape[1] != 3:
        given = ",".join(str(n) for n in serialized.shape)
        raise errors.invalid(op_name, "Serialized sparse should have 3 as the last dimension "
                                      f"[{given}]")
    if not len(serialized):
        raise errors.invalid(op_name, "Serialized sparse should have at least 1 serialized "
                                      "tensor, but has a zero dimension [0,3]")
    coords, values = [], []
    shapes: list[np.ndarray] = []
    for i, row in enumerate(serialized.tolist()):
        try:
            found = [make_ndarray(protos.TensorProto.FromString(one)) for one in row]
        except (DecodeError, TypeError, ValueError):
            raise errors.invalid(op_name, f"Could not parse serialized[{i}]") from None
        where, held, size = found
        if where.ndim != 2 or held.ndim != 1 or size.ndim != 1 or not (
                where.dtype == size.dtype == np.int64) or where.shape != (len(held), len(size)) or (
                    size < 0).any():
            raise errors.invalid(op_name, f"serialized[{i}] is no SparseTensor: indices of shape "
                                          f"{where.shape}, {len(held.ravel())} values, shape "
                                          f"{size.tolist()}")
        if len({len(one) for one in (*shapes, size)}) > 1:
            raise errors.invalid(op_name, f"Inconsistent rank across SparseTensors: serialized[{i}]"
                                          f" has rank {len(size)}")
        if found[1].dtype != dtype:
            names = [_SPELT.get(one, one) for one in (
                dtypes.of(np.dtype(dtype)).name, dtypes.of(found[1].dtype).name)]
            raise errors.invalid(op_name, f"Requested SparseTensor of type {names[0]} but "
                                          f"SparseTensor[{i}].values.dtype() == {names[1]}")
        lead = np.full((len(found[0]), 1), i, np.int64)
        coords.append(np.concatenate([lead, found[0]], axis=1))
        values.append(found[1])
        shapes.append(found[2])
    largest = np.max(shapes, axis=0) if shapes else np.zeros(0, np.int64)
    shape = np.concatenate([[len(shapes)], largest]).astype(np.int64)
    return np.concatenate(coords), np.concatenate(values), shape


_deserialize = define("deserialize_many_sparse", kernel=_deserialize_kernel, dtypes="O",
                      multi=True, args=("serialized",), vjp=_BYTES, batch=loop, internal=True,
                      shape=lambda x, dtype: (Spec((None, None), np.dtype("int64")),
                                              Spec((None,), dtype),
                                              Spec((None,), np.dtype("int64"))))


@export("io.deserialize_many_sparse")
def deserialize_many_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None,
                            name: str | None = None) -> Any:
    """One SparseTensor of several serialized ones, which get a first axis for their index."""
    indices, values, shape = _deserialize(text_operand(serialized_sparse),
                                          dtype=dtypes.as_dtype(dtype).np)
    if rank is not None:
        indices.set_shape([None, rank])
        shape.set_shape([rank])
    return _SparseTensor(indices, values, shape)
