"""Datasets of files: list_files, TextLineDataset, TFRecordDataset, FixedLengthRecordDataset."""

from __future__ import annotations

import gzip
import itertools
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.attributes import dense
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.process.cores import usable_cores
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.op import Spec, shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named, public_class
from tapeflow.data.dataset import DatasetV2, source
from tapeflow.data.elements.columnar import elements_of
from tapeflow.data.elements.handles import graph_op, handle
from tapeflow.data.elements.parameters import integer
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.transforms.interleave import _Interleaved
from tapeflow.ops.array import shape_ops

LINES = 256  # of a text file, that are read at a time
_TEXT = TensorSpec((), dtypes.string)


# -- names of files --------------------------------------------------------------------------------
def matching(patterns: Any) -> np.ndarray:
    """The files that match glob patterns, sorted."""
    from tapeflow.io.local_files import matching as paths
    flat = np.atleast_1d(np.asarray(patterns, object)).ravel().tolist()
    found = {os.fsencode(path) for pattern in flat for path in paths(pattern)}
    if not found:
        words = ", ".join(os.fsdecode(one) for one in flat)
        raise errors.invalid("Assert", f"Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be "
                                       f"true. Summarized data: b'No files matched pattern: "
                                       f"{words}'")
    made = np.empty(len(found), object)
    made[:] = sorted(found)
    return made


_matching = graph_op("dataset_files", lambda patterns: (matching(patterns),),
                     lambda: (Spec((None,), np.dtype(object)),), "MatchingFiles")


@source
def list_files(file_pattern: Any, shuffle: bool | None = None, seed: Any = None,
               name: str | None = None) -> DatasetV2:
    """The names of files that match a pattern (or several), shuffled unless `shuffle` is False."""
    if isinstance(file_pattern, (list, tuple)):
        file_pattern = [os.fspath(one) if isinstance(one, os.PathLike) else one
                        for one in file_pattern]
    elif isinstance(file_pattern, os.PathLike):
        file_pattern = os.fspath(file_pattern)
    pattern = convert(file_pattern, dtypes.string)
    if state.trace is None:
        from tapeflow.core.values.tensor import wrap
        names = wrap(matching(pattern._value))
    else:
        names = _matching(pattern)[0]
    dataset = DatasetV2.from_tensor_slices(names)
    if shuffle is not None:
        shuffle = bool(shuffle)
    if shuffle is False:
        return dataset
    count = names.shape[0] if names.shape[0] is not None else shape_ops.shape(
        names, out_type=dtypes.int64)[0]
    return dataset.shuffle(count, seed=seed)


# -- reading files one after another ---------------------------------------------------------------
class _FilesDataset(DatasetV2):
    """Records of files: `_read(name)` gives those of one."""

    def __init__(self, filenames: Any, compression_type: Any, buffer_size: Any,
                 num_parallel_reads: Any, parameters: tuple = ()):
        names = self._names(filenames)
        self._compression = _compression(compression_type)
        self._buffer = 256 * 1024 if buffer_size is None else max(int(buffer_size), 1)
        self._parallel = num_parallel_reads
        self._set(self._spec(), (names,), parameters)

    def _spec(self) -> Any:
        return _TEXT

    @staticmethod
    def _names(filenames: Any) -> DatasetV2:
        if isinstance(filenames, DatasetV2):
            spec = filenames.element_spec
            if not isinstance(spec, TensorSpec) or spec.dtype != dtypes.string:
                raise TypeError(f"The `filenames` argument must contain `tf.string` elements. Got "
                                f"`{spec}` elements.")
            if not spec.shape.is_compatible_with([]):
                raise TypeError(f"The `filenames` argument must contain `tf.string` elements of "
                                f"shape [] (i.e. scalars). Got {spec.shape}.")
            return filenames
        dense("filenames", filenames)
        if isinstance(filenames, os.PathLike):
            filenames = os.fspath(filenames)
        elif isinstance(filenames, (list, tuple)):
            filenames = [os.fspath(one) if isinstance(one, os.PathLike) else one
                         for one in filenames]
        try:
            names = convert(filenames)
        except unsignalled(ValueError):
            if isinstance(filenames, dict):
                raise
            names = convert(nest.flatten(filenames))
        if names.dtype != dtypes.string and (names is filenames or names.shape.num_elements()):
            raise TypeError(f"The `filenames` argument must contain `tf.string` elements. Got "
                            f"`{names.dtype!r}` elements.")
        if names.dtype != dtypes.string:
            names = convert(np.empty(0, object), dtypes.string)
        return DatasetV2.from_tensor_slices(reshape(names, shape=(-1,)))

    def _lists(self, name: str) -> Iterator[list[bytes]]:
        """The records of a file, some at a time."""
        raise NotImplementedError(f"{type(self).__name__} does not define _lists")

    def _read(self, name: str) -> Iterator[Any]:
        """The elements of a file."""
        for records in self._lists(name):
            for record in records:
                yield [handle(record)]

    def _opener(self) -> Callable:
        return lambda values: self._read(os.fsdecode(values[0].item()))

    def _has_reader(self) -> bool:
        return self._parallel is None

    def _reader(self, run: Run) -> Any:
        return _RecordReader(self._input._start(run), self._lists)

    def _start(self, run: Run) -> Iterator[Any]:
        if self._has_reader():
            return elements_of(self._reader(run))
        names = self._input._start(run)
        if self._parallel is None:
            return _Records(names, self._opener())
        width = int(self._parallel)
        return _Interleaved(names, self._opener(), usable_cores() if width == -1 else width, 1)


class _Records(ElementIterator):
    """Records of file after file; after an error it goes on with the next file."""

    __slots__ = ("_names", "_now", "_opener")

    def __init__(self, names: Iterator, opener: Callable):
        self._names, self._opener = names, opener
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for found in self._now:
                return found
            self._now = iter(())
            self._now = self._opener(next(self._names))


class _RecordReader:
    """Many records at a time, as a column (`elements/columnar.py`); errors as in `_Records`."""

    __slots__ = ("_error", "_lists", "_names", "_now", "_pending")

    def __init__(self, names: Iterator, lists: Callable[[str], Iterator[list[bytes]]]):
        self._names, self._lists = names, lists
        self._now: Iterator[list[bytes]] = iter(())
        self._pending: list[bytes] = []
        self._error: Exception | None = None

    def read(self, n: int) -> list[np.ndarray] | None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        try:
            while len(self._pending) < n and self._more():
                pass
        except unsignalled(Exception) as error:  # it follows what stood before
            if not self._pending:
                raise
            self._error = error
        if not self._pending:
            return None
        taken, self._pending = self._pending[:n], self._pending[n:]
        column = np.empty(len(taken), object)
        column[:] = taken
        return [column]

    def _more(self) -> bool:
        """Read on, in this file or the next; whether there was one."""
        for found in self._now:
            self._pending += found
            return True
        self._now = iter(())
        for values in self._names:
            self._now = self._lists(os.fsdecode(values[0].item()))
            return True
        return False


def _compression(value: Any) -> str:
    if isinstance(value, Tensor):
        value = value.numpy()
    name = "" if value is None else value.decode() if isinstance(value, bytes) else value
    if name not in ("", "ZLIB", "GZIP"):
        raise errors.invalid("TextLineDataset", f"Unsupported compression_type: {name}.")
    return name


def open_file(name: str, compression: str, buffer: int = 256 * 1024) -> Any:
    """A file for reading bytes; what fails is a tf.errors exception."""
    try:
        if compression == "GZIP":
            return gzip.open(name, "rb")
        file = open(name, "rb", buffering=max(buffer, 4096))
    except FileNotFoundError:
        raise errors.NotFoundError(
            None, None, f"{name}; No such file or directory [Op:IteratorGetNext]") from None
    except IsADirectoryError:
        raise errors.FailedPreconditionError(
            None, None, f"{name}; Is a directory [Op:IteratorGetNext]") from None
    except PermissionError:
        raise errors.PermissionDeniedError(
            None, None, f"{name}; Permission denied [Op:IteratorGetNext]") from None
    if compression == "ZLIB":
        import io
        with file:
            return io.BytesIO(zlib.decompress(file.read()))
    return file


@export("data.TextLineDataset")
class TextLineDataset(_FilesDataset):
    """The lines of text files, without their ends.

    >>> list(tf.data.TextLineDataset("a.txt").as_numpy_iterator())  # doctest: +SKIP
    [b'first line', b'second line']
    """

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None, name: str | None = None):
        super().__init__(filenames, compression_type, buffer_size, num_parallel_reads)

    def _lists(self, name: str) -> Iterator[list[bytes]]:
        with open_file(name, self._compression, self._buffer) as file:
            while True:
                lines: list[bytes] = []
                try:
                    for line in itertools.islice(file, LINES):
                        lines.append(line.removesuffix(b"\n").removesuffix(b"\r"))
                except unsignalled(Exception):  # a damaged file: what stood before comes first
                    if lines:
                        yield lines
                    raise
                if not lines:
                    return
                yield lines


@export("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(_FilesDataset):
    """Records of `record_bytes` each, between a header and a footer."""

    def __init__(self, filenames: Any, record_bytes: Any, header_bytes: Any = None,
                 footer_bytes: Any = None, buffer_size: Any = None, compression_type: Any = None,
                 num_parallel_reads: Any = None, name: str | None = None):
        if record_bytes is None:
            raise ValueError("None values not supported: record_bytes")
        parameters = tuple([integer(0 if n is None else n, word) for n, word in (
            (record_bytes, "record_bytes"), (header_bytes, "header_bytes"),
            (footer_bytes, "footer_bytes"))])
        if any(shape_of(n) for n in parameters):
            raise ValueError("Shape must be rank 0: record_bytes, header_bytes and footer_bytes "
                             "are numbers.")
        super().__init__(filenames, compression_type, buffer_size, num_parallel_reads, parameters)

    def _lists(self, name: str) -> Iterator[list[bytes]]:
        size, head, foot = [self._parameter(i) for i in range(3)]
        with open_file(name, self._compression, self._buffer) as file:
            content = file.read()
        body = len(content) - head - foot
        if body < 0 or body % size:
            raise errors.invalid("IteratorGetNext", (
                f"Excluding the header ({head} bytes) and footer ({foot} bytes), input file "
                f'"{name}" has body length {body} bytes, which is not an exact multiple of the '
                f"record length ({size} bytes)."))
        yield [content[at:at + size] for at in range(head, head + body, size)]


@export("data.TFRecordDataset")
class TFRecordDataset(_FilesDataset):
    """The records of TFRecord files, as bytes."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None,
                 num_parallel_reads: Any = None, name: str | None = None):
        super().__init__(filenames, compression_type, buffer_size, num_parallel_reads)

    def _lists(self, name: str) -> Iterator[list[bytes]]:
        from tapeflow.io.tfrecord import record_lists
        return record_lists(name, self._compression)


for _cls, _name in ((TextLineDataset, "TextLineDatasetV2"), (TFRecordDataset, "TFRecordDatasetV2"),
                    (FixedLengthRecordDataset, "FixedLengthRecordDatasetV2")):
    public_class(_cls, "ops.readers", _name)
named("ops.readers")(_FilesDataset)
