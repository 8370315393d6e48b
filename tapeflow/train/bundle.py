"""Tensor bundles, the format of checkpoints: `PREFIX.index` and `PREFIX.data-00000-of-00001`.

The data file holds the tensors' bytes one after another, the index says of each where, of which
dtype and shape, with a checksum. Both are written under other names and renamed when complete, the
index last: a prefix either has a whole checkpoint or none. Imports `tapeflow.io` and `table`.
"""

from __future__ import annotations

import contextlib
import math
import os
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.process import atomic_files
from tapeflow.io.checksum.crc32c import crc32c, masked
from tapeflow.io.paths import error_of, translated
from tapeflow.io.protobuf import protos
from tapeflow.io.protobuf.wire import DecodeError, pack_varints, read_varint
from tapeflow.train.string_table import TableError, table_bytes, table_entries


def index_path(prefix: str) -> str:
    return f"{prefix}.index"


def data_path(prefix: str, shard: int = 0, shards: int = 1) -> str:
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


# -- tensors as bytes ------------------------------------------------------------------------------
def _lengths(sizes: list[int]) -> bytes:
    """The sizes of strings as the checksum sees them."""
    if sizes and max(sizes) > 0xFFFFFFFF:
        return b"".join([struct.pack("<I" if n <= 0xFFFFFFFF else "<Q", n) for n in sizes])
    return np.array(sizes, "<u4").tobytes()


def _string_bytes(values: list[bytes]) -> tuple[list[Any], int]:
    """The parts of a string tensor in the file, and their checksum."""
    sizes = [len(one) for one in values]
    crc = crc32c(_lengths(sizes))
    check = struct.pack("<I", masked(crc))
    text = b"".join(values)
    return [pack_varints(sizes), check, text], crc32c(text, crc32c(check, crc))


def _little(array: np.ndarray) -> np.ndarray:
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and not _IS_LITTLE):
        array = array.astype(array.dtype.newbyteorder("<"))
    return array


_IS_LITTLE = np.little_endian


def tensor_parts(value: Any) -> tuple[list[Any], int]:
    """The bytes of a tensor, in parts, and their checksum."""
    array = np.asarray(value)
    if array.dtype.kind == "O":
        return _string_bytes(array.ravel().tolist())
    raw = _little(array).reshape(-1).view(np.uint8).data if array.size else b""
    return [raw], crc32c(raw)


def _strings(data: bytes, count: int) -> tuple[list[bytes], int]:
    sizes, at = [], 0
    for _ in range(count):
        size, at = read_varint(data, at)
        sizes.append(size)
    crc = crc32c(_lengths(sizes))
    check = data[at:at + 4]
    if len(check) < 4 or struct.unpack("<I", check)[0] != masked(crc):
        raise _damaged("The length checksum does not match.")
    if sum(sizes) > len(data) - at - 4:
        raise _damaged("Strings are cut short.")
    at += 4
    crc = crc32c(data[at:at + sum(sizes)], crc32c(check, crc))
    found = []
    for size in sizes:
        found.append(data[at:at + size])
        at += size
    return found, crc


def _damaged(message: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, message)


# -- writing ---------------------------------------------------------------------------------------
def _entry(array: np.ndarray, dtype: dtypes.DType, offset: int, size: int, crc: int) -> Any:
    entry = protos.BundleEntryProto(dtype=dtype.as_datatype_enum, offset=offset, size=size,
                                    crc32c=masked(crc))
    entry.shape.SetInParent()
    for n in array.shape:
        entry.shape.dim.add(size=n)
    return entry


def write_bundle(prefix: str, tensors: dict[str, Any]) -> None:
    """Write tensors (NumPy values by name) as the bundle `prefix`, in this order."""
    folder = os.path.dirname(prefix)
    header = protos.BundleHeaderProto(num_shards=1)
    header.version.producer = 1
    entries = {b"": header.SerializeToString()}
    with translated(prefix):
        if folder:
            os.makedirs(folder, exist_ok=True)
        # The index gets its name last.
        with atomic_files.replacing_both(data_path(prefix), index_path(prefix)) as (file, index):
            offset = 0
            for name, value in tensors.items():
                array = np.asarray(value)
                parts, crc = tensor_parts(array)
                size = sum(len(part) for part in parts)
                for part in parts:
                    file.write(part)
                entry = _entry(array, dtypes.of(array.dtype), offset, size, crc)
                entries[name.encode()] = entry.SerializeToString()
                offset += size
            index.write(table_bytes(entries))


# -- reading ---------------------------------------------------------------------------------------
def _absent(prefix: str) -> Exception:
    """What is raised for a prefix without an index."""
    if os.path.isdir(prefix):
        return errors.DataLossError(
            None, None, f"Unable to open table file {prefix}: FAILED_PRECONDITION: "
                        f"{prefix.rstrip('/')}; Is a directory: perhaps your file is in a "
                        "different file format and you need to use a different restore operator?")
    if os.path.exists(prefix):
        return errors.DataLossError(
            None, None, f"Unable to open table file {prefix}: DATA_LOSS: not an sstable (bad magic "
                        "number): perhaps your file is in a different file format and you need to "
                        "use a different restore operator?")
    return errors.NotFoundError(
        None, None, "Unsuccessful TensorSliceReader constructor: Failed to find any matching "
                    f"files for {prefix}")


class Bundle:
    """A bundle open for reading: what it holds, and the tensors by name.

    `with bundle:` keeps its data files open, for those who read many tensors.
    """

    def __init__(self, prefix: str):
        self.prefix = prefix
        self._kept: dict[str, Any] | None = None  # open data files by path
        atomic_files.clear(os.path.dirname(prefix))  # data whose index has not got its name yet
        try:
            with open(index_path(prefix), "rb") as file:
                table = table_entries(file.read())
        except FileNotFoundError:
            raise _absent(prefix) from None
        except OSError as error:
            raise error_of(index_path(prefix), error) from None
        except TableError as error:
            raise _damaged(f"{index_path(prefix)}: {error}") from None
        try:
            header = protos.BundleHeaderProto.FromString(table.pop(b"", b""))
            self.entries = {key.decode(): protos.BundleEntryProto.FromString(value)
                            for key, value in table.items() if not key.startswith(b"\0")}
        except (DecodeError, UnicodeDecodeError) as error:
            raise _damaged(f"{index_path(prefix)}: {error}") from None
        if header.endianness:
            raise errors.UnimplementedError(None, None, f"{prefix}: tensors in big-endian order")
        self._shards = header.num_shards
        self._slices = {key: value for key, value in table.items() if key.startswith(b"\0")}

    def __enter__(self) -> Bundle:
        self._kept = {}
        return self

    def __exit__(self, *exception: object) -> None:
        kept, self._kept = self._kept or {}, None
        for file in kept.values():
            file.close()

    @contextlib.contextmanager
    def _data(self, path: str) -> Iterator[Any]:
        """A data file, open."""
        if self._kept is None:
            with open(path, "rb", buffering=0) as file:
                yield file
        else:
            if path not in self._kept:
                self._kept[path] = open(path, "rb", buffering=0)
            yield self._kept[path]

    def shape(self, name: str) -> list[int]:
        found = [one.size for one in self._named(name).shape.dim]
        if any(n < 0 for n in found) or len(found) > 32:
            raise _damaged(f"{index_path(self.prefix)}: tensor {name} has the shape {found}")
        return found

    def dtype(self, name: str) -> dtypes.DType:
        try:
            return dtypes.as_dtype(self._named(name).dtype)
        except (TypeError, KeyError):
            raise _damaged(f"{index_path(self.prefix)}: tensor {name} has no known dtype") from None

    def _named(self, name: str) -> Any:
        entry = self.entries.get(name)
        if entry is None:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return entry

    def read(self, name: str) -> np.ndarray:
        """The tensor called `name`; strings are an array of bytes objects."""
        entry = self._named(name)
        if entry.slices:
            raise errors.UnimplementedError(
                None, None, f"Tensor {name} of {self.prefix} is stored in slices, which cannot be "
                            "read.")
        path = data_path(self.prefix, entry.shard_id, self._shards)
        shape, dtype = tuple(self.shape(name)), self.dtype(name)
        count = math.prod(shape)
        if entry.offset < 0 or (entry.size < count if dtype is dtypes.string else
                                entry.size != count * dtype.size):
            raise _damaged(f"{path}: {entry.size} bytes at {entry.offset} for tensor {name} of "
                           f"shape {list(shape)}")
        with translated(path), self._data(path) as file:
            held = os.fstat(file.fileno()).st_size - entry.offset
            if held < entry.size:
                raise _damaged(f"{path}: {entry.size} bytes of tensor {name} at {entry.offset}, "
                               f"only {max(held, 0)} there")
            data = _read_at(file, entry.offset, entry.size)
        if dtype is dtypes.string:
            try:
                values, crc = _strings(data.tobytes(), count)
            except DecodeError as error:
                raise _damaged(f"{path}: tensor {name}: {error}") from None
            array = np.empty(count, object)
            array[:] = values
        else:
            crc = crc32c(data)
            array = data.view(_little_dtype(dtype.np)).astype(dtype.np, copy=False)
            array = array.view(dtype.np)  # the very object: native code knows dtypes by it
        if masked(crc) != entry.crc32c:
            raise _damaged(f"TensorBundle at {self.prefix} shard {entry.shard_id} ({entry.size} "
                           f"bytes): Checksum does not match: stored {entry.crc32c} vs. "
                           f"calculated on the restored bytes {masked(crc)}")
        return array.reshape(shape)


def _read_at(file: Any, offset: int, size: int) -> np.ndarray:
    """Bytes of a file, which may end earlier."""
    data = np.empty(size, np.uint8)
    file.seek(offset)
    held = 0
    while held < size:
        count = file.readinto(data.data[held:])
        if not count:
            return data[:held]
        held += count
    return data


def _little_dtype(dtype: np.dtype) -> np.dtype:
    return dtype.newbyteorder("<") if dtype.kind in "fiuc" else dtype
