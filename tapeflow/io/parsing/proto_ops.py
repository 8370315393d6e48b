"""tf.io.decode_proto and encode_proto: fields of serialized messages as tensors, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.values.convert import convert_to_tensor
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import text_operand
from tapeflow.io.protobuf import graph_protos as graph_protos  # declares TensorFlow's messages
from tapeflow.io.protobuf import protos as protos
from tapeflow.io.protobuf import text_format, wire
from tapeflow.io.protobuf.descriptor_sets import ProtoField, message_fields
from tapeflow.io.protobuf.field_codec import encode, fits, scalar, wire_type
from tapeflow.io.protobuf.fields import FIXED, MESSAGES, Field
from tapeflow.io.protobuf.wire import LENGTH, DecodeError

_DECODE, _ENCODE = "DecodeProtoV2", "EncodeProto"
_BYTES = NONDIFF("bytes have no derivative")
_WIDE = {"float": ("float32", "float64"), "double": ("float64",), "bool": ("bool",),
         "enum": ("int32",), **dict.fromkeys(("int32", "sint32", "sfixed32"), ("int32", "int64")),
         **dict.fromkeys(("int64", "sint64", "sfixed64"), ("int64",)),
         **dict.fromkeys(("uint32", "fixed32"), ("uint32", "uint64")),
         **dict.fromkeys(("uint64", "fixed64"), ("uint64",))}


class DecodedProto(NamedTuple):
    """What decode_proto gives."""

    sizes: Tensor
    values: list[Tensor]


DecodedProto.__name__ = DecodedProto.__qualname__ = _DECODE


# -- which fields ----------------------------------------------------------------------------------
def _source(descriptor_source: Any, op_name: str) -> bytes:
    """The serialized FileDescriptorSet that the argument names; nothing for `local://`."""
    raw = descriptor_source.encode() if isinstance(descriptor_source, str) else descriptor_source
    if raw in (b"", b"local://"):
        return b""
    if raw.startswith(b"bytes://"):
        return raw[len(b"bytes://"):]
    try:
        return Path(raw.decode()).read_bytes()
    except (OSError, UnicodeDecodeError, ValueError):
        raise _no_set(raw, op_name) from None


def _no_set(raw: bytes, op_name: str) -> Exception:
    return errors.invalid(op_name, "Source does not represent serialized file descriptor set proto."
                                   f" It is {raw[:60]!r}: `local://`, `bytes://` and the bytes of "
                                   "the set, or the path of a file with them")


def _fields(message_type: str, names: Sequence[str], descriptor_source: Any,
            op_name: str) -> tuple[ProtoField, ...]:
    source = _source(descriptor_source, op_name)
    try:
        known = message_fields(message_type, source)
    except ValueError:
        raise _no_set(source, op_name) from None
    if known is None:
        raise errors.invalid(op_name, f"No descriptor found for message type {message_type}")
    for name in names:
        if name not in known:
            raise errors.invalid(op_name, f"Unknown field: {name} in message type {message_type}")
    return tuple([known[name] for name in names])


def _allowed(field: ProtoField) -> tuple[str, ...]:
    return _WIDE.get(field.type, ("string",))


def _as_declared(field: ProtoField) -> Field:
    """The field as the codec of messages takes it; messages are bytes to it."""
    kind = "bytes" if field.type in ("string", "message", "group") else field.type
    return Field(field.name, field.number, kind, "repeated" if field.repeated else "")


# -- from bytes ------------------------------------------------------------------------------------
def _read(data: bytes, fields: tuple[ProtoField, ...]) -> list[list]:
    """The values of each field in a message, those of a field that is not repeated: the last."""
    wanted: dict[int, list[tuple[list, Field]]] = {}
    found: list[list] = [[] for _ in fields]
    for values, field in zip(found, fields, strict=True):
        wanted.setdefault(field.number, []).append((values, _as_declared(field)))
    for number, kind, value, _, _ in wire.fields_of(data):
        for values, declared in wanted.get(number, ()):
            packed = kind == LENGTH and wire_type(declared.type) != LENGTH
            if packed:
                values.extend(_unpacked(declared, value))
            elif fits(declared, kind):
                values.append(scalar(declared, kind, value))
            if not declared.label:
                del values[:-1]
    return found


def _unpacked(field: Field, value: Any) -> list:
    if field.type in FIXED:
        return wire.unpack_floats(value, FIXED[field.type][1]).tolist()
    return [scalar(field, wire.VARINT, one & ((1 << 64) - 1))
            for one in wire.unpack_varints(value).tolist()]


def _decode_kernel(data: np.ndarray, fields: tuple, types: tuple, text: Any) -> tuple:
    rows = []
    for one in np.asarray(data, object).reshape(-1):
        try:
            binary = one if text is None else text_format.parse(
                one.decode(), text()).SerializeToString()
            rows.append(_read(binary, fields))
        except (text_format.ParseError, UnicodeDecodeError, TypeError) as problem:
            raise errors.DataLossError(
                None, None, f"Unable to parse text protobuf: {problem} [Op:{_DECODE}]") from None
        except (DecodeError, ValueError):
            raise errors.DataLossError(None, None, "CountFields: Failed to consume entire buffer "
                                                   f"[Op:{_DECODE}]") from None
    shape = np.shape(data)
    sizes = np.array([[len(values) for values in row] for row in rows], np.int32)
    results = [sizes.reshape(*shape, len(fields))]
    for i, (field, dtype) in enumerate(zip(fields, types, strict=True)):
        longest = max([len(row[i]) for row in rows], default=0) if field.repeated else 1
        default = field.default.encode() if isinstance(field.default, str) else field.default
        values = np.full((len(rows), max(longest, 1)), default, dtype)
        for j, row in enumerate(rows):
            values[j, :len(row[i])] = row[i]
        results.append(values.reshape(*shape, -1))
    return tuple(results)


_decode = define("decode_proto", kernel=_decode_kernel, dtypes="O", multi=True, args=("bytes",),
                 vjp=_BYTES, batch=loop, internal=True,
                 shape=lambda x, fields, types, text: (
                     Spec((*x.shape, len(fields)), np.dtype("int32")), *[
                         Spec((*x.shape, None), dtype) for dtype in types]))


@export("io.decode_proto")
def decode_proto(bytes: Any, message_type: str, field_names: Sequence[str],
                 output_types: Sequence[Any], descriptor_source: Any = "local://",
                 message_format: str = "binary", sanitize: bool = False,
                 name: str | None = None) -> Any:
    """Fields of serialized messages as tensors: how many values each has, and the values.

    The values of a field are padded with its default to those of the message that has most.
    `descriptor_source` is `local://` for TensorFlow's own messages, a file that protoc wrote
    (`--descriptor_set_out`), or `bytes://` followed by its bytes.
    """
    if len(field_names) != len(output_types):
        raise errors.invalid(_DECODE,
                             "field_names and output_types attributes must have the same length")
    if message_format not in ("binary", "text"):
        raise errors.invalid(_DECODE, "format must be one of binary or text")
    fields = _fields(message_type, field_names, descriptor_source, _DECODE)
    wanted = [dtypes.as_dtype(one) for one in output_types]
    for field, dtype in zip(fields, wanted, strict=True):
        if dtype.name not in _allowed(field):
            raise errors.invalid(_DECODE, f"Unexpected output type for {message_type}.{field.name}:"
                                          f" {field.type} to DT_{dtype.name.upper()}")
    text = None
    if message_format == "text":
        text = next((cls for cls in MESSAGES.values()
                     if cls.DESCRIPTOR.full_name == message_type), None)
        if text is None or _source(descriptor_source, _DECODE):
            raise errors.UnimplementedError(
                None, None, "messages as text are read only with descriptor_source='local://'")
    sizes, *values = _decode(text_operand(bytes), fields=fields,
                             types=tuple([one.np for one in wanted]), text=text)
    return DecodedProto(sizes, values)


# -- to bytes --------------------------------------------------------------------------------------
def _write(field: ProtoField, values: list) -> bytes:
    declared = _as_declared(field)
    if not values:
        return b""
    if field.packed:
        return encode(declared, values, False)
    return b"".join([encode(declared._replace(label=""), one, False) for one in values])


def _encode_kernel(sizes: np.ndarray, *values: np.ndarray, fields: tuple) -> np.ndarray:
    batch = values[0].shape[:-1] if values else sizes.shape[:-1]
    if sizes.shape != (*batch, len(fields)):
        raise errors.invalid(_ENCODE, "sizes should be batch_size + [len(field_names)].  Saw: "
                                      f"{_shape(sizes.shape)} but expected: "
                                      f"{_shape((*batch, len(fields)))}")
    counts = sizes.reshape(-1, len(fields))
    columns = [one.reshape(len(counts), one.shape[-1]) for one in values]
    order = sorted(range(len(fields)), key=lambda i: fields[i].number)
    result = np.empty(len(counts), object)
    for j, row in enumerate(counts.tolist()):
        for i, count in enumerate(row):
            if count > columns[i].shape[1]:
                raise errors.invalid(_ENCODE, "Size to write must not be larger than value tensor; "
                                              f"but saw: {count} > {columns[i].shape[1]} at message"
                                              f" {j} field {i}")
        result[j] = b"".join([_write(fields[i], columns[i][j, :row[i]].tolist()) for i in order])
    return result.reshape(batch)


def _shape(shape: tuple) -> str:
    return f"[{','.join([str(size) for size in shape])}]"


_encode = define("encode_proto", kernel=_encode_kernel, args=("sizes", "values"), vjp=_BYTES,
                 batch=loop, internal=True,
                 shape=lambda sizes, *values, fields: Spec(sizes.shape[:-1], np.dtype(object)))


@export("io.encode_proto")
def encode_proto(sizes: Any, values: Sequence[Any], field_names: Sequence[str], message_type: str,
                 descriptor_source: Any = "local://", name: str | None = None) -> Tensor:
    """Serialized messages of tensors, one for each field: the reverse of decode_proto.

    `sizes` says how many values of each field a message has.
    """
    fields = _fields(message_type, field_names, descriptor_source, _ENCODE)
    tensors = [convert_to_tensor(one) for one in values]
    if len(fields) != len(tensors):
        raise errors.invalid(_ENCODE, f"Length of inputs ({len(tensors)}) must match field_names "
                                      f"({len(fields)})")
    for field, tensor in zip(fields, tensors, strict=True):
        if tensor.shape.rank is not None and tensor.shape.rank < 2:
            raise errors.invalid(_ENCODE, f"Invalid shape for field {field.name}.  Saw shape "
                                          f"{_shape(tuple(tensor.shape))} but it should be at "
                                          "least a matrix.")
        if tensor.dtype.name not in _allowed(field):
            raise errors.invalid(_ENCODE, f"Incompatible type for field {field.name}.  Saw dtype: "
                                          f"{_SPELT.get(tensor.dtype.name, tensor.dtype.name)} but "
                                          f"field type is: {field.type}")
    return _encode(convert_to_tensor(sizes, dtypes.int32), *tensors, fields=fields)


_SPELT = {"float32": "float", "float64": "double", "float16": "half"}
