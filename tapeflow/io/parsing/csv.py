"""tf.io.decode_csv: lines of text as tensors, one for each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, text, text_bytes
from tapeflow.base.exports import export
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.io.file_ops import text_operand
from tapeflow.io.parsing.csv_columns import read_columns

OP_NAME = "DecodeCSV"
_TYPES = ("float32", "float64", "int32", "int64", "string")
_SPELT = {"float32": "float", "float64": "double"}


def _quoted(line: bytes, offset: int, delim: int) -> tuple[bytes, int]:
    """The field that begins with the quote before `offset`, and where it ends."""
    parts = bytearray()
    while offset < len(line):
        byte = line[offset]
        if byte != 34:
            parts.append(byte)
            offset += 1
        elif line[offset + 1:offset + 2] == b'"':
            parts.append(34)
            offset += 2
        elif offset + 1 == len(line) or line[offset + 1] == delim:
            return bytes(parts), offset + 1
        else:
            break
    raise errors.invalid(OP_NAME, "Quoted field has to end with quote followed by delim or end")


def fields_of_line(line: bytes, delim: int, quotes: bool) -> list[bytes]:
    """The fields of one line."""
    if not line:
        return []
    if not quotes or b'"' not in line:
        if quotes and (b"\n" in line or b"\r" in line):
            raise errors.invalid(OP_NAME, "Unquoted fields cannot have quotes/CRLFs inside")
        return line.split(bytes((delim,)))
    found, offset = [], 0
    while True:
        if line[offset:offset + 1] == b'"':
            field, offset = _quoted(line, offset + 1, delim)
        else:
            end = line.find(bytes((delim,)), offset)
            end = len(line) if end < 0 else end
            field, offset = line[offset:end], end
            if any(mark in field for mark in (b'"', b"\n", b"\r")):
                raise errors.invalid(OP_NAME, "Unquoted fields cannot have quotes/CRLFs inside")
        found.append(field)
        if offset >= len(line):
            return found
        offset += 1


def _value(field: bytes, dtype: dtypes.DType, where: str) -> Any:
    if dtype is dtypes.string:
        return field
    try:
        text = field.strip()
        if dtype.is_integer:
            integer: Any = int(text)
            if b"_" not in text and dtype.min <= integer <= dtype.max:
                return integer
        elif b"_" not in text:
            return float(text)
    except ValueError:
        pass
    name = _SPELT.get(dtype.name, dtype.name)
    shown = field.decode("utf-8", "replace")
    raise errors.invalid(OP_NAME, f"{where} is not a valid {name}: {shown}")


def _row(line: bytes, i: int, defaults: tuple, delim: int, quotes: bool, na: bytes,
         columns: tuple | None) -> list:
    """The values of line number `i`."""
    fields = fields_of_line(line, delim, quotes)
    if columns is not None:
        if fields and columns[-1] >= len(fields):
            raise errors.invalid(OP_NAME, f"Expect {columns[-1] + 1} fields but have "
                                          f"{len(fields)} in record {i}")
        fields = [fields[k] for k in columns] if fields else []
    if len(fields) != len(defaults):
        raise errors.invalid(OP_NAME, f"Expect {len(defaults)} fields but have {len(fields)} "
                                      f"in record {i}")
    values = []
    for j, (field, (dtype, default)) in enumerate(zip(fields, defaults)):
        if not field or field == na:
            if default is None:
                raise errors.invalid(OP_NAME, f"Field {j} is required but missing in record {i}!")
            values.append(default)
        else:
            values.append(_value(field, dtype, f"Field {j} in record {i}"))
    return values


def _kernel(records: np.ndarray, defaults: tuple, **format: Any) -> tuple:
    def row(line: bytes, i: int) -> list:
        return _row(line, i, defaults, **format)

    lines = records.reshape(-1)
    found: Any = read_columns(lines, defaults, format["delim"], format["quotes"], format["na"],
                              format["columns"], row)
    if found is None:
        rows = [row(line, i) for i, line in enumerate(lines.tolist())]
        found = zip(*rows, strict=True) if rows else [()] * len(defaults)
    return tuple([_column(values, dtype, records.shape)
                  for values, (dtype, _) in zip(found, defaults)])


def _column(values: Any, dtype: dtypes.DType, shape: tuple) -> Any:
    array = values
    if not isinstance(values, np.ndarray):
        array = np.empty(len(values), dtype.np)
        array[:] = values
    array = array.reshape(shape)
    return array if shape or dtype is dtypes.string else array[()]


_decode_csv = define("decode_csv", kernel=_kernel, args=("records",), dtypes="O", multi=True,
                     shape=lambda x, defaults, **others: tuple(
                         [Spec(x.shape, dtype.np) for dtype, _ in defaults]),
                     batch=lambda call, size, xs, batched, attrs: call(xs[0], **attrs),
                     vjp=NONDIFF("what is parsed of text has no derivative"), internal=True,
                     tf_name=OP_NAME)
set_traits(_decode_csv, batch_is_one_call=True)


def _default(given: Any, i: int) -> tuple[dtypes.DType, Any]:
    tensor = convert(given)
    if tensor.dtype.name not in _TYPES:
        raise errors.invalid(OP_NAME, f"Value for attr 'OUT_TYPE' of {tensor.dtype.name} is not in "
                                      "the list of allowed values: float, double, int32, int64, "
                                      "string")
    values = np.asarray(tensor._value).reshape(-1).tolist()
    if len(values) > 1:
        raise errors.invalid(OP_NAME, f"There should only be 1 default per field but field {i} has "
                                      f"{len(values)}")
    return tensor.dtype, values[0] if values else None


@export("io.decode_csv")
@attributes(field_delim=text, use_quote_delim=flag, na_value=text)
def decode_csv(records: Any, record_defaults: Any, field_delim: str = ",",
               use_quote_delim: bool = True, na_value: str = "", select_cols: Any = None,
               name: str | None = None) -> list[Tensor]:
    """Lines of text as one tensor for each column, of the dtypes of `record_defaults`.

    >>> tf.io.decode_csv(tf.constant("1,abc"), [0, ""])[0]
    <tf.Tensor: shape=(), dtype=int32, numpy=1>
    """
    if len(field_delim) != 1:
        raise errors.invalid(OP_NAME, "field_delim should be only 1 char")
    columns = None if select_cols is None else tuple([int(k) for k in select_cols])
    if columns is not None:
        if any(a >= b for a, b in zip(columns, columns[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if columns and columns[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(columns) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    defaults = tuple([_default(one, i) for i, one in enumerate(record_defaults)])
    return list(_decode_csv(text_operand(records), defaults=defaults, delim=ord(field_delim),
                            quotes=bool(use_quote_delim), na=text_bytes(na_value), columns=columns))
