"""Elements as bytes, and element specs as JSON: for caches, snapshots and saved datasets.

An element is, for each value: the dtype's name, the shape, and the bytes; strings are their lengths
and then their bytes. Nothing in a file is ever executed.
"""

from __future__ import annotations

import math
import struct
from collections import OrderedDict
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.data.elements.structure import NoneTensorSpec, sizes

_INT = struct.Struct("<q")


def encode(values: Any) -> bytes:
    """A flat element as bytes."""
    parts = [_INT.pack(len(values))]
    for value in values:
        name = dtypes.of(value.dtype).name.encode()
        parts.append(_INT.pack(len(name)) + name)
        parts.append(b"".join(map(_INT.pack, (value.ndim, *value.shape))))
        if value.dtype.kind == "O":
            texts = value.ravel().tolist()
            if not all(type(text) is bytes for text in texts):
                raise TypeError("Only tensors can be written to a file, no datasets or optionals "
                                "inside of elements.")
            parts += [_INT.pack(len(text)) + text for text in texts]
        else:
            data = np.ascontiguousarray(value).tobytes()
            parts.append(_INT.pack(len(data)) + data)
    return b"".join(parts)


class _Bytes:
    def __init__(self, data: bytes):
        self._data, self._at = data, 0

    def integer(self) -> int:
        return _INT.unpack(self.take(8))[0]

    def take(self, count: int) -> bytes:
        found = self._data[self._at:self._at + count]
        if count < 0 or len(found) < count:
            raise errors.DataLossError(None, None, "An element in a file is cut short.")
        self._at += count
        return found


def decode(data: bytes) -> list:
    """The flat element in some bytes."""
    source = _Bytes(data)
    try:
        return [_value(source, len(data)) for _ in range(source.integer())]
    except unsignalled(TypeError, ValueError) as error:  # no such dtype, no text, other sizes
        raise errors.DataLossError(None, None, f"An element in a file is damaged: {error}"
                                   ) from None


def _value(source: _Bytes, most: int) -> Any:
    name = source.take(source.integer()).decode()
    shape = tuple([source.integer() for _ in range(source.integer())])
    count = math.prod(shape)
    if any(n < 0 for n in shape) or count > most or len(shape) > 32:
        raise ValueError(f"the shape {shape}")
    if name == "string":
        made = np.empty(count, object)
        for i in range(count):
            made[i] = source.take(source.integer())
        return made.reshape(shape)
    dtype = dtypes.as_dtype(name).np
    if dtype.hasobject:
        raise ValueError(f"the dtype {name}")
    return np.frombuffer(source.take(source.integer()), dtype).reshape(shape)[()]


def spec_to_json(spec: Any) -> Any:
    """An element spec of tensors, tuples, dicts and None."""
    if isinstance(spec, TensorSpec):
        known = sizes(spec.shape)
        return {"tensor": spec.dtype.name, "shape": None if known is None else list(known)}
    if isinstance(spec, NoneTensorSpec):
        return {"none": True}
    if type(spec) is tuple:
        return {"tuple": [spec_to_json(one) for one in spec]}
    if hasattr(spec, "_fields"):
        return {"tuple": [spec_to_json(one) for one in spec]}
    if isinstance(spec, dict) and all(isinstance(key, str) for key in spec):
        return {"ordered" if isinstance(spec, OrderedDict) else "dict": [
            [key, spec_to_json(spec[key])] for key in spec]}
    raise TypeError(f"The element spec {spec!r} cannot be written to a file: pass `element_spec` "
                    "when loading.")


def spec_from_json(found: Any) -> Any:
    """What `spec_to_json` wrote."""
    if "tensor" in found:
        return TensorSpec(TensorShape(found["shape"]), found["tensor"])
    if "none" in found:
        return NoneTensorSpec()
    if "tuple" in found:
        return tuple([spec_from_json(one) for one in found["tuple"]])
    kind = OrderedDict if "ordered" in found else dict
    return kind((key, spec_from_json(one)) for key, one in found.get("ordered", found.get("dict")))
