"""Record files (TFRecord): a row of byte strings, each with checksums of its length and its bytes.

    uint64 length · masked crc32c of the length · bytes · masked crc32c of the bytes

`read_records(path, compression_type)` gives the records one after another; `RecordWriter` writes
them. Event files are record files too. Imported by tf.io, tf.data, tf.summary.
"""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.base.machine_code.scalar_functions import address
from tapeflow.io.checksum.crc32c import LOOPS, masked_crc32c, table_address
from tapeflow.io.paths import error_of, text_of, translated

COMPRESSIONS = ("", "ZLIB", "GZIP")
_HEADER = struct.Struct("<QI")
_LENGTH = struct.Struct("<Q")
_CRC = struct.Struct("<I")
_AT_ONCE = 1 << 24  # bytes
_BLOCK = 1 << 18  # bytes that are looked through for records at a time
_MOST_RECORDS = 1024  # of them
_COST = 8.0  # microseconds for a short record, without machine code


def compression_of(value: Any, where: str) -> str:
    """A compression type argument as one of `COMPRESSIONS`."""
    name = "" if value is None else value.decode() if isinstance(value, bytes) else value
    if name not in COMPRESSIONS:
        raise ValueError(f'{where}: Not a valid compression_type: "{value}"')
    return name


def header_of(data: bytes) -> bytes:
    """What stands before a record's bytes."""
    length = _LENGTH.pack(len(data))
    return length + _CRC.pack(masked_crc32c(length))


class _Inflated(io.RawIOBase):
    """The decompressed bytes of a GZIP or ZLIB stream, members of GZIP one after another."""

    def __init__(self, file: Any, compression: str, chunk: int):
        self._file, self._chunk = file, chunk
        self._wbits = 31 if compression == "GZIP" else 15
        self._inflater = zlib.decompressobj(self._wbits)
        self.cut = False  # the stream ended before its end mark

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        wanted = len(target)
        while True:
            source = self._inflater.unconsumed_tail or self._inflater.unused_data
            if self._inflater.eof:
                if not (source or (source := self._file.read(self._chunk))):
                    return 0
                self._inflater = zlib.decompressobj(self._wbits)
            elif not source and not (source := self._file.read(self._chunk)):
                self.cut = True
                return 0
            try:
                found = self._inflater.decompress(source, wanted)
            except zlib.error as error:
                words = str(error).replace("Error -3 while decompressing data", "")
                raise errors.DataLossError(
                    None, None, f"inflate() failed with error -3{words}") from None
            if found:
                target[:len(found)] = found
                return len(found)


def _short(file: Any, start: int) -> errors.DataLossError:
    cut = getattr(getattr(file, "raw", None), "cut", False)
    reason = "EOF reached" if cut else "Read less bytes than requested"
    return errors.DataLossError(None, None, f"truncated record at {start}' failed with {reason}")


def _corrupted(offset: int) -> errors.DataLossError:
    hint = "" if offset else " (Is this even a TFRecord file?)"
    return errors.DataLossError(None, None, f"corrupted record at {offset}{hint}")


class _Ahead:
    """A file of which `rest` has been read already."""

    def __init__(self, file: Any):
        self._file, self.rest = file, b""
        self.raw = getattr(file, "raw", None)

    def more(self, count: int) -> bool:
        """Read on, `count` bytes at most, in one go: what stood before an error is kept."""
        found = self._file.read1(count)
        self.rest = self.rest + found if self.rest else found
        return bool(found)

    def read(self, count: int) -> bytes:
        """So many bytes, fewer only at the end."""
        found, self.rest = self.rest[:count], self.rest[count:]
        return found if len(found) == count else found + self._file.read(count - len(found))


def _taken(file: Any, count: int) -> bytes:
    """So many bytes, or what there is: memory is taken as they come, a file may say anything."""
    if count >= 1 << 63 and not isinstance(file.raw, _Inflated):  # which is read to its end
        raise errors.InvalidArgumentError(
            None, None, f"Can't read a negative number of bytes: {count - (1 << 64)}")
    if count <= _AT_ONCE:
        return file.read(count)
    parts = []
    while count and (part := file.read(min(count, _AT_ONCE))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def record_at(file: Any, offset: int) -> bytes | None:
    """The record at `offset`, where the file stands; a header cut short is the end."""
    header = file.read(12)
    if len(header) < 12:
        return None
    length, crc = _HEADER.unpack(header)
    if masked_crc32c(header[:8]) != crc:
        raise _corrupted(offset)
    data = _taken(file, length + 4)
    if len(data) < length + 4:
        raise _short(file, offset)
    record = data[:length]
    if masked_crc32c(record) != _CRC.unpack_from(data, length)[0]:
        raise _corrupted(offset + 12)
    return record


def _records(file: Any, offset: int = 0) -> Iterator[list[bytes]]:
    """The records of an open file, as many at a time as are at hand; as TensorFlow reads them."""
    ahead = _Ahead(file)
    spans = np.empty((_MOST_RECORDS, 2), np.int64)
    while True:
        loops = LOOPS.ready(_COST)
        if loops is not None and (ahead.rest or ahead.more(_BLOCK)):
            block = ahead.rest
            count = loops.whole_records(table_address(), block, len(block), address(spans),
                                        _MOST_RECORDS)
            if count:
                end = int(spans[count - 1, 1]) + 4
                yield [block[start:stop] for start, stop in spans[:count].tolist()]
                ahead.rest, offset = block[end:], offset + end
                continue
            if len(block) < _BLOCK and ahead.more(_BLOCK):
                continue
        record = record_at(ahead, offset)  # a long one, a damaged one, or the end
        if record is None:
            return
        yield [record]
        offset += 16 + len(record)


def _opened(path: Any, buffer_size: int) -> Any:
    name = text_of(path)
    try:
        return open(name, "rb", buffering=max(buffer_size, 4096))
    except OSError as error:
        raise error_of(name, error) from None


def record_lists(path: Any, compression_type: str | None = None, buffer_size: int = 256 * 1024
                 ) -> Iterator[list[bytes]]:
    """The records of a file in order, some at a time. Errors are `tf.errors` exceptions.

    NotFoundError for a file that is not there, DataLossError for a damaged one. The file is closed
    when the iterator ends or is dropped.
    """
    compression = compression_of(compression_type, "read_records")
    with _opened(path, buffer_size) as raw:
        if compression:
            inflated = _Inflated(raw, compression, max(buffer_size, 4096))
            yield from _records(io.BufferedReader(inflated, 65536))
        else:
            yield from _records(raw)


def read_records(path: Any, compression_type: str | None = None, buffer_size: int = 256 * 1024
                 ) -> Iterator[bytes]:
    """The records of a file in order, one by one; `record_lists` has more."""
    for records in record_lists(path, compression_type, buffer_size):
        yield from records


class RecordIterator(Iterator[bytes]):
    """The records of a file that may grow: after its end or a record cut short `next` tries again.

    `close` and `reopen` let another file take its place, whose records go on where these ended.
    """

    def __init__(self, path: Any, compression_type: str = ""):
        self._path, self._compression = path, compression_of(compression_type, "read_records")
        self._offset = self._given = 0  # bytes and records that were given
        self._file: Any = None
        self._ahead: Iterator[bytes] = iter(())
        self.reopen()

    def reopen(self) -> None:
        """Open the file, after `close`."""
        self._file, self._ahead = _opened(self._path, 256 * 1024), iter(())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    __del__ = close

    def __next__(self) -> bytes:
        record = next(self._ahead, None)
        if record is None:
            self._ahead = self._rest()
            record = next(self._ahead)
        self._offset, self._given = self._offset + 16 + len(record), self._given + 1
        return record

    def _rest(self) -> Iterator[bytes]:
        """What comes after the records that were given."""
        if not self._compression:
            self._file.seek(self._offset)
            return chain.from_iterable(_records(self._file, self._offset))
        self._file.seek(0)
        inflated = io.BufferedReader(_Inflated(self._file, self._compression, 4096), 65536)
        return islice(chain.from_iterable(_records(inflated)), self._given, None)


@export("compat.v1.io.tf_record_iterator", "compat.v1.python_io.tf_record_iterator")
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file as bytes; without tf.data."""
    return RecordIterator(path, compression_string(options))


# -- writing ---------------------------------------------------------------------------------------
@export("io.TFRecordOptions")
class TFRecordOptions:
    """How records are compressed: "", "GZIP" or "ZLIB", and zlib's own settings."""

    compression_type_map = dict(enumerate(COMPRESSIONS))

    def __init__(self, compression_type: Any = None, flush_mode: Any = None,
                 input_buffer_size: int | None = None, output_buffer_size: int | None = None,
                 window_bits: int | None = None, compression_level: int | None = None,
                 compression_method: int | None = None, mem_level: int | None = None,
                 compression_strategy: int | None = None):
        self.get_compression_type_string(compression_type)  # refuses what is unknown
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The compression type of options, of a number or of a string, as a string."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, int) and 0 <= options < len(COMPRESSIONS):
            return COMPRESSIONS[options]
        if options in COMPRESSIONS:
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')


def compression_string(options: Any) -> str:
    """The compression type that `options` (TFRecordOptions, str or None) asks for."""
    return TFRecordOptions.get_compression_type_string(options)


def _compressor(options: TFRecordOptions, compression: str) -> Any:
    def given(value: int | None, default: int) -> int:
        return default if value is None else value

    bits = given(options.window_bits, 15)
    level = given(options.compression_level, -1)
    memory = given(options.mem_level, 8 if compression == "ZLIB" else 9)
    strategy = given(options.compression_strategy, 0)
    wbits = bits + 16 if compression == "GZIP" and bits > 0 else bits
    return zlib.compressobj(level, zlib.DEFLATED, wbits, memory, strategy)


class RecordWriter:
    """Writes records to a file, which is made or emptied first."""

    def __init__(self, path: Any, options: Any = None):
        self._path = text_of(path)
        compression = compression_string(options)
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression)
        self._compressor = _compressor(options, compression) if compression else None
        with translated(self._path):
            self._file: Any = open(self._path, "wb", buffering=256 * 1024)

    def write(self, record: Any) -> None:
        """Append one record, bytes or a str."""
        if isinstance(record, str):
            record = record.encode()
        elif not isinstance(record, (bytes, bytearray, memoryview)):
            raise TypeError("write(): incompatible function arguments. A record must be bytes or a "
                            f"str, got {record!r} of type {type(record).__name__}.")
        self._check_open()
        record = bytes(record)
        data = header_of(record) + record + _CRC.pack(masked_crc32c(record))
        with translated(self._path):
            self._file.write(data if self._compressor is None else self._compressor.compress(data))

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        self._check_open()
        with translated(self._path):
            if self._compressor is not None:
                self._file.write(self._compressor.flush(zlib.Z_SYNC_FLUSH))
            self._file.flush()

    def close(self) -> None:
        """Finish the file; a second call does nothing."""
        if self._file is None:
            return
        file, self._file = self._file, None
        with translated(self._path), file:
            if self._compressor is not None:
                file.write(self._compressor.flush())

    def _check_open(self) -> None:
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, "Writer is closed.")

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            with contextlib.suppress(Exception):  # nobody is there to hear it
                self.close()


@export("io.TFRecordWriter")
class TFRecordWriter(RecordWriter):
    """Writes a TFRecord file; also a context manager.

    >>> with tf.io.TFRecordWriter("a.tfrecord") as writer:
    ...     writer.write(b"one")
    """

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()
