"""Ops on files and on bytes: read_file, write_file, decode_raw, base64, serialize_tensor …

Records of their own, so that they work inside tf.function and tf.data.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.local_files import matching
from tapeflow.io.paths import text_of, translated
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.tensor_protos import make_ndarray, packed_bytes
from tapeflow.io.protobuf.wire import DecodeError

_STRING = np.dtype(object)
_BYTES = "bytes have no derivative"


def text_operand(value: Any) -> Tensor:
    """An operand that must hold strings."""
    return operand(value) if isinstance(value, Tensor) else convert(value, dtypes.string)


def inferred_text(value: Any) -> Tensor:
    """Strings whose dtype TensorFlow infers from the values: an empty list is one of floats."""
    return text_operand(value if isinstance(value, Tensor) else operand(value))


def one_string(value: bytes) -> np.ndarray:
    """A scalar of strings."""
    result = np.empty((), object)
    result[()] = value
    return result


def each(function: Callable[..., bytes]) -> Callable:
    """A kernel that applies a function to every string."""
    def kernel(x: np.ndarray, **attrs: Any) -> np.ndarray:
        result = np.empty(x.shape, object)
        flat = result.reshape(-1)
        for i, one in enumerate(x.ravel().tolist()):
            flat[i] = function(one, **attrs)
        return result

    return kernel


def _scalar(x: Any, op_name: str, what: str) -> bytes:
    if x.ndim:
        shape = ",".join(str(n) for n in x.shape)
        raise errors.invalid(op_name, f"{what} tensor must be scalar, but had shape: [{shape}]")
    return x[()]


# -- files -----------------------------------------------------------------------------------------
def _read_kernel(filename: np.ndarray) -> np.ndarray:
    path = text_of(_scalar(filename, "ReadFile", "Input filename"))
    with translated(path), open(path, "rb") as file:
        return one_string(file.read())


_read_file = define("read_file", kernel=_read_kernel, args=("filename",), dtypes="O", batch=loop,
                    shape=lambda x: Spec((), _STRING), vjp=NONDIFF(_BYTES), stateful=True,
                    internal=True)


@export("io.read_file")
def read_file(filename: Any, name: str | None = None) -> Tensor:
    """The contents of a file as a string tensor."""
    return _read_file(text_operand(filename))


def _write_kernel(filename: np.ndarray, contents: np.ndarray) -> tuple:
    path = text_of(_scalar(filename, "WriteFile", "Input filename"))
    data = _scalar(contents, "WriteFile", "Contents")
    with translated(path):
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    return ()


_write_file = define("write_file", kernel=_write_kernel, args=("filename", "contents"), dtypes="O",
                     shape=lambda x, y: (), vjp=NONDIFF(_BYTES), stateful=True, multi=True,
                     batch=loop, internal=True,
                     unsavable="it writes files")


@export("io.write_file")
def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Write a string tensor to a file; folders are made."""
    _write_file(text_operand(filename), text_operand(contents))


def _matching_kernel(pattern: np.ndarray) -> np.ndarray:
    found = sorted({path.encode() for one in pattern.ravel().tolist() for path in matching(one)})
    result = np.empty(len(found), object)
    result[:] = found
    return result


_matching_files = define("matching_files", kernel=_matching_kernel, args=("pattern",), dtypes="O",
                         shape=lambda x: Spec((None,), _STRING), vjp=NONDIFF(_BYTES),
                         stateful=True, batch=loop, internal=True)


@export("io.matching_files")
def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """Paths that match one or several patterns, sorted."""
    return _matching_files(text_operand(pattern))


# -- bytes as numbers ------------------------------------------------------------------------------
_RAW = ("float16", "float32", "float64", "int32", "uint16", "uint8", "int16", "int8", "int64",
        "complex64", "complex128", "bool", "bfloat16")


def _decode_raw_kernel(x: np.ndarray, out: Any, little: bool, length: int | None) -> np.ndarray:
    op_name = "DecodeRaw" if length is None else "DecodePaddedRaw"
    values = x.ravel().tolist()
    size = out.itemsize
    if length is not None:
        values = [one[:length].ljust(length, b"\0") for one in values]
    wide = len(values[0]) if values else 0
    for i, one in enumerate(values):
        if len(one) != wide:
            raise errors.invalid(op_name, (
                f"{op_name} requires input strings to all be the same size, but element {i} has "
                f"size {wide} != {len(one)}"))
    if wide % size:
        raise errors.invalid(op_name, f"Input to {op_name} has length {wide} that is not a "
                                      f"multiple of {size}, the size of {dtypes.of(out).name}")
    raw = np.frombuffer(bytearray(b"".join(values)), np.uint8)
    if not little and size > 1:
        unit = size // 2 if out.kind == "c" else size
        raw = raw.reshape(-1, unit)[:, ::-1].reshape(-1)
    return np.ascontiguousarray(raw).view(out).reshape((*x.shape, wide // size))


_decode_raw = define("decode_raw", kernel=_decode_raw_kernel, args=("bytes",), dtypes="O",
                     shape=lambda x, out, little, length: Spec(
                         None if x.shape is None else
                         (*x.shape, None if length is None else length // out.itemsize), out),
                     vjp=NONDIFF(_BYTES), batch=loop, internal=True)


@export("io.decode_raw")
@attributes(little_endian=flag)
def decode_raw(input_bytes: Any, out_type: Any, little_endian: bool = True,
               fixed_length: int | None = None, name: str | None = None) -> Tensor:
    """The numbers that strings of bytes are; all strings must be of one length.

    >>> tf.io.decode_raw(tf.constant(b"\\x01\\x02"), tf.uint8)
    <tf.Tensor: shape=(2,), dtype=uint8, numpy=array([1, 2], dtype=uint8)>
    """
    dtype = dtypes.as_dtype(out_type)
    if dtype.name not in _RAW:
        raise errors.invalid("DecodeRaw", f"Value for attr 'out_type' of {dtype.name} is not in "
                                          f"the list of allowed values: {', '.join(_RAW)}")
    if fixed_length is not None:
        fixed_length = int(operand(fixed_length, dtypes.int32)._value)
        if fixed_length <= 0:
            raise errors.invalid("DecodePaddedRaw", f"fixed_length ({fixed_length}) must be "
                                                    "greater than zero.")
    if fixed_length is not None and fixed_length % dtype.size:
        raise errors.invalid("DecodePaddedRaw", f"fixed_length ({fixed_length}) must be a multiple "
                                                f"of the size of out_type ({dtype.size})")
    return _decode_raw(text_operand(input_bytes), out=dtype.np, little=bool(little_endian),
                       length=fixed_length)


# -- base64 ----------------------------------------------------------------------------------------
def _encode(data: bytes, pad: bool) -> bytes:
    text = base64.urlsafe_b64encode(data)
    return text if pad else text.rstrip(b"=")


def _decode(data: bytes) -> bytes:
    body = data.rstrip(b"=") if len(data) % 4 == 0 and data[-2:].count(b"=") else data
    known = all(48 <= c < 58 or 65 <= c < 91 or 97 <= c < 123 or c in b"-_" for c in body)
    if not known or len(body) % 4 == 1:
        raise errors.invalid("DecodeBase64", "Invalid character found in base64.")
    return base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4))


_encode_base64 = define("encode_base64", kernel=each(_encode), args=("input",), dtypes="O",
                        shape=lambda x, pad: x, vjp=NONDIFF(_BYTES), batch=loop, internal=True)
_decode_base64 = define("decode_base64", kernel=each(_decode), args=("input",), dtypes="O",
                        shape=lambda x: x, vjp=NONDIFF(_BYTES), batch=loop, internal=True)


@export("io.encode_base64")
@attributes(pad=flag)
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in web-safe base64."""
    return _encode_base64(text_operand(input), pad=bool(pad))


@export("io.decode_base64")
def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """Strings out of web-safe base64, padded or not."""
    return _decode_base64(text_operand(input))


def _inflate(data: bytes, compression: str) -> bytes:
    if not compression:
        return data
    parts = []
    try:
        while data:  # members of GZIP one after another
            inflater = zlib.decompressobj(31 if compression == "GZIP" else 15)
            parts.append(inflater.decompress(data))
            data = inflater.unused_data if compression == "GZIP" else b""
    except zlib.error as error:
        raise errors.DataLossError(None, None, f"inflate() failed: {error}") from None
    return b"".join(parts)


_decode_compressed = define("decode_compressed", kernel=each(_inflate), args=("bytes",),
                            dtypes="O", shape=lambda x, compression: x, vjp=NONDIFF(_BYTES),
                            batch=loop, internal=True)


@export("io.decode_compressed")
def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Tensor:
    """Strings decompressed: "ZLIB", "GZIP" or "" for none."""
    if compression_type not in ("", "ZLIB", "GZIP"):
        raise errors.invalid("DecodeCompressed", "Only ZLIB, GZIP or NONE are supported "
                                                 f"compressions, got {compression_type!r}")
    return _decode_compressed(text_operand(bytes), compression=compression_type)


# -- tensors as bytes ------------------------------------------------------------------------------
_serialize = define("serialize_tensor", args=("tensor",), batch=loop,
                    kernel=lambda x: one_string(packed_bytes(np.asarray(x), dtypes.of(x.dtype))),
                    shape=lambda x: Spec((), _STRING), vjp=NONDIFF(_BYTES), internal=True)


@export("io.serialize_tensor")
def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """A tensor as the bytes of a TensorProto."""
    return _serialize(operand(tensor))


_SPELT = {"float32": "float", "float64": "double", "float16": "half"}


def _parse_kernel(x: np.ndarray, dtype: Any) -> np.ndarray:
    data = _scalar(x, "ParseTensor", "Input")
    try:
        message = protos.TensorProto.FromString(data)
        found = dtypes.as_dtype(message.dtype)
        array = make_ndarray(message)
    except (DecodeError, TypeError, ValueError, KeyError):
        shown = base64.b64encode(data).decode()
        raise errors.invalid("ParseTensor", "Could not parse `serialized` as TensorProto, base64: "
                                            f"{shown}") from None
    if found.np != dtype:
        names = [_SPELT.get(one.name, one.name) for one in (found, dtypes.of(dtype))]
        raise errors.invalid("ParseTensor", f"Type mismatch between parsed tensor ({names[0]}) and "
                                            f"dtype ({names[1]})")
    return array if array.ndim or array.dtype == object else array[()]


_parse_tensor = define("parse_tensor", kernel=_parse_kernel, args=("serialized",), dtypes="O",
                       shape=lambda x, dtype: Spec(None, dtype), vjp=NONDIFF(_BYTES), batch=loop,
                       internal=True)


@export("io.parse_tensor")
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that the bytes of a TensorProto stand for."""
    return _parse_tensor(text_operand(serialized), dtype=dtypes.as_dtype(out_type).np)
