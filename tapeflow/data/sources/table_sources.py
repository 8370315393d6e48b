"""Datasets of tables: CSV files, Example records, SQLite databases."""

from __future__ import annotations

import collections
import csv
import gzip
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.attributes import text_bytes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.families import operand
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named, public_class
from tapeflow.data.dataset import DatasetV2
from tapeflow.data.elements.handles import handle
from tapeflow.data.iterators.iteration import Run, failed
from tapeflow.data.options import AUTOTUNE
from tapeflow.data.sources.file_sources import _FilesDataset, matching, open_file
from tapeflow.io.parsing.csv import _default, _value, fields_of_line

_TFRecordWriter = LatePublic("io.TFRecordWriter")

_TFRecordDataset = LatePublic("data.TFRecordDataset")

_parse_example = LatePublic("io.parse_example")


# -- CSV -------------------------------------------------------------------------------------------
def _text(value: Any) -> str:
    if isinstance(value, Tensor):
        if value._interpreter is not None:
            raise ValueError(f"{value} must have a value: it is not known while a tf.function is "
                             "traced.")
        value = value.numpy()
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _column_default(one: Any, i: int) -> tuple[dtypes.DType, Any]:
    """A dtype, for a column that must not be empty, or a default."""
    if isinstance(one, dtypes.DType) or (isinstance(one, type) and not isinstance(one, str)):
        return dtypes.as_dtype(one), None
    return _default(one, i)


@export("data.experimental.CsvDataset")
class CsvDataset(_FilesDataset):
    """The rows of CSV files, as tuples of scalars."""

    def __init__(self, filenames: Any, record_defaults: Any, compression_type: Any = None,
                 buffer_size: Any = None, header: bool = False, field_delim: str = ",",
                 use_quote_delim: bool = True, na_value: str = "", select_cols: Any = None,
                 exclude_cols: Any = None):
        if select_cols is not None and exclude_cols is not None:
            raise errors.invalid("CSVDatasetV2", "Either select_cols or exclude_cols should be "
                                                 "specified, not both.")
        self._defaults = [_column_default(one, i) for i, one in enumerate(record_defaults)]
        self._columns = None if select_cols is None else [int(k) for k in select_cols]
        self._excluded = frozenset() if exclude_cols is None else frozenset(map(int, exclude_cols))
        self._header, self._quotes = bool(header), bool(use_quote_delim)
        self._delim = ord(_text(field_delim))
        na = text_bytes(_text(na_value))
        self._cells = [_cell_reader(i, *one, na) for i, one in enumerate(self._defaults)]
        super().__init__(filenames, compression_type, buffer_size, None)

    def _spec(self) -> Any:
        return tuple([TensorSpec((), dtype) for dtype, _ in self._defaults])

    def _has_reader(self) -> bool:
        return False  # a row that fails does not end a file

    def _read(self, name: str) -> Iterator[Any]:
        with open_file(name, self._compression, self._buffer) as file:
            return _Rows(_records(file.read(), self._quotes), self._header, self._row)

    def _row(self, record: bytes) -> list:
        fields = fields_of_line(record, self._delim, self._quotes) or [b""]
        if self._columns is not None:
            if self._columns and self._columns[-1] >= len(fields):
                raise failed(f"Expect at least {self._columns[-1] + 1} fields in record but have "
                             f"{len(fields)}")
            fields = [fields[k] for k in self._columns]
        elif self._excluded:
            fields = [one for k, one in enumerate(fields) if k not in self._excluded]
        if len(fields) != len(self._defaults):
            raise failed(f"Expect {len(self._defaults)} fields but have "
                         f"{'more' if len(fields) > len(self._defaults) else len(fields)} in "
                         "record")
        return [cell(field) for cell, field in zip(self._cells, fields, strict=True)]


def _cell_reader(i: int, dtype: dtypes.DType, default: Any, na: bytes) -> Callable:
    """From a field of column `i` to its value."""
    kind, text = dtype.np.type, dtype.kind == "O"
    parse: Any = float if dtype.is_floating else int
    low, high = (0, 0) if text or dtype.is_floating else (dtype.min, dtype.max)

    def cell(field: bytes) -> Any:
        if not field or field == na:
            if default is None:
                raise failed(f"Field {i} is required but missing in record!")
            return handle(default) if text else kind(default)
        if text:
            return handle(field)
        try:
            found = parse(field)
            if b"_" not in field and (parse is float or low <= found <= high):
                return kind(found)
        except unsignalled(ValueError):
            pass
        return kind(_value(field, dtype, f"Field {i} in record"))  # which says what is wrong

    return cell


public_class(CsvDataset, "experimental.ops.readers", "CsvDatasetV2")


class _Rows:
    """Parses record after record; one that fails does not end it."""

    __slots__ = ("_header", "_parse", "_records")

    def __init__(self, records: Iterator[bytes], header: bool, parse: Callable):
        self._records, self._header, self._parse = records, header, parse

    def __iter__(self) -> _Rows:
        return self

    def __next__(self) -> list:
        if self._header:
            self._header = False
            next(self._records)
        return self._parse(next(self._records))


def _records(content: bytes, quotes: bool) -> Iterator[bytes]:
    """Lines, joined where a quoted field goes on in the next one."""
    whole = b""
    for line in content.splitlines(keepends=True):
        whole += line
        if quotes and whole.count(b'"') % 2:
            continue
        yield whole.removesuffix(b"\n").removesuffix(b"\r")
        whole = b""
    if whole:
        yield whole


def _file_names(file_pattern: Any) -> list[str]:
    patterns = [file_pattern] if isinstance(file_pattern, (str, bytes, os.PathLike)) else list(
        file_pattern)
    if not patterns:
        raise ValueError("Argument `file_pattern` should not be empty.")
    try:
        return [os.fsdecode(one) for one in matching([os.fspath(one) for one in patterns])]
    except errors.InvalidArgumentError:
        raise ValueError(f"No files match `file_pattern` {file_pattern}.") from None


class _Dialect:
    """How the files of one make_csv_dataset are opened and read to guess at columns."""

    def __init__(self, delim: str, quotes: bool, compression: Any, encoding: str):
        self._options: dict[str, Any] = {
            "delimiter": delim, "quoting": csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE}
        self._compression, self._encoding = compression, encoding

    def rows(self, name: str) -> Iterator[list[str]]:
        opener: Any = gzip.open if self._compression == "GZIP" else open
        with opener(name, "rt", encoding=self._encoding, newline="") as file:
            yield from csv.reader(file, **self._options)

    def names(self, files: list[str]) -> list[str]:
        found: list[str] | None = None
        for name in files:
            first = next(self.rows(name), None)
            if first is None:
                raise ValueError(f"Failed when reading the header line of {name}. Is it an empty "
                                 "file?")
            if found is not None and first != found:
                raise ValueError(f"All input CSV files should have the same column names in the "
                                 f"header row. File {name} has different column names.")
            found = first
        return found or []

    def defaults(self, files: list[str], count: int, na_value: str, header: bool,
                 limit: int | None, columns: list[int]) -> list:
        """The narrowest dtypes that hold the first rows, with 0 or "" for what is missing."""
        kinds = [-1] * len(columns)
        seen = 0
        for name in files:
            for line, row in enumerate(self.rows(name), 1):
                if header and line == 1:
                    continue
                if limit is not None and seen >= limit:
                    break
                if len(row) != count:
                    raise ValueError(f"Problem inferring types: CSV row {line} has {len(row)} "
                                     f"number of fields. Expected: {count}.")
                seen += 1
                kinds = [kind if row[k] in ("", na_value) else max(kind, _kind(row[k]))
                         for kind, k in zip(kinds, columns, strict=True)]
        found = [_KINDS[kind] for kind in kinds]
        return [convert([""] if kind is dtypes.string else np.zeros(1, kind.np)) for kind in found]


_KINDS = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


def _kind(text: str) -> int:
    """The index in `_KINDS` of the narrowest dtype for a field."""
    try:
        integer = int(text)
    except unsignalled(ValueError):
        try:
            real = float(text)
        except unsignalled(ValueError):
            return 4
        finite = abs(real) < float("inf")
        return 2 if not finite or abs(real) <= float(np.finfo(np.float32).max) else 3
    if -2**31 <= integer < 2**31:
        return 0
    return 1 if -2**63 <= integer < 2**63 else 2


def _column_indices(selected: Any, names: list[str]) -> list[int]:
    index_of = {name: i for i, name in enumerate(names)}
    found = []
    for one in selected:
        if isinstance(one, int):
            if not 0 <= one < len(names):
                raise ValueError(f"Column index {one} specified in `select_columns` should be > 0 "
                                 f" and <= {len(names)}, which is the number of columns.")
            found.append(one)
        elif one not in index_of:
            raise ValueError(f"Column {one} specified in `select_columns` must be of one of the "
                             f"columns: {index_of.keys()}.")
        else:
            found.append(index_of[one])
    if len(set(found)) != len(found):
        raise ValueError(f"The `select_columns` argument contains duplicate columns: {found}.")
    return sorted(found)


@export("data.experimental.make_csv_dataset")
def make_csv_dataset(file_pattern: Any, batch_size: Any, column_names: Any = None,
                     column_defaults: Any = None, label_name: Any = None,
                     select_columns: Any = None, field_delim: str = ",",
                     use_quote_delim: bool = True, na_value: str = "", header: bool = True,
                     num_epochs: Any = None, shuffle: bool = True,
                     shuffle_buffer_size: int = 10000, shuffle_seed: Any = None,
                     prefetch_buffer_size: Any = None, num_parallel_reads: Any = None,
                     sloppy: bool = False, num_rows_for_inference: int | None = 100,
                     compression_type: Any = None, ignore_errors: bool = False,
                     encoding: str = "utf-8") -> DatasetV2:
    """Batches of the rows of CSV files, as dicts by column name; with `label_name`, and a label.

    """
    files = _file_names(file_pattern)
    dataset = DatasetV2.from_tensor_slices(files)
    if shuffle:
        dataset = dataset.shuffle(len(files), shuffle_seed)
    dialect = _Dialect(field_delim, use_quote_delim, compression_type, encoding)
    if column_names is None:
        if not header:
            raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
        column_names = dialect.names(files)
    names = list(column_names)
    if len(names) != len(set(names)):
        twice = {one for one in names if names.count(one) > 1}
        raise ValueError("Either `column_names` argument or CSV header row contains duplicate "
                         f"column names: {twice}.")
    columns = None if select_columns is None else _column_indices(select_columns, names)
    if column_defaults is None:
        column_defaults = dialect.defaults(
            files, len(names), na_value, header, num_rows_for_inference,
            list(range(len(names))) if columns is None else columns)
    if columns is not None:
        if len(column_defaults) != len(columns):
            raise ValueError(f"If specified, `column_defaults` and `select_columns` must have the "
                             f"same length: `column_defaults` has length {len(column_defaults)}, "
                             f"`select_columns` has length {len(columns)}.")
        names = [names[i] for i in columns]
    if label_name is not None and label_name not in names:
        raise ValueError(f"`label_name` provided must be one of the columns: {names}. Received: "
                         f"{label_name}.")

    def of_file(filename: Tensor) -> DatasetV2:
        rows = CsvDataset(filename, column_defaults, compression_type, None, header, field_delim,
                          use_quote_delim, na_value, columns)
        return rows.ignore_errors() if ignore_errors else rows

    def organised(*values: Tensor) -> Any:
        features = collections.OrderedDict(zip(names, values, strict=True))
        return (features, features.pop(label_name)) if label_name is not None else features

    width = 1 if num_parallel_reads is None else num_parallel_reads
    dataset = _read_files(dataset, of_file, width)
    dataset = _shuffled_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    return dataset.batch(batch_size, drop_remainder=num_epochs is None).map(organised).prefetch(
        AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _read_files(names: DatasetV2, of_file: Callable, width: int) -> DatasetV2:
    """The rows of `width` files in turn; one file is read without a thread."""
    return names.interleave(of_file, None if width == AUTOTUNE else width,
                            num_parallel_calls=None if width == 1 else width)


def _shuffled_epochs(dataset: DatasetV2, num_epochs: Any, shuffle: bool, size: int,
                     seed: Any) -> DatasetV2:
    if shuffle:
        dataset = dataset.shuffle(size, seed)
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)


# -- Example records -------------------------------------------------------------------------------
@export("data.experimental.parse_example_dataset")
def parse_example_dataset(features: Any, num_parallel_calls: Any = 1,
                          deterministic: bool | None = None) -> Callable:
    """For Dataset.apply: parses batches of serialized Examples into dicts of tensors."""
    if not features:
        raise ValueError("Argument `features` should not be empty.")
    parse = _parse_example
    return lambda dataset: dataset.map(lambda batch: parse(batch, features),
                                       num_parallel_calls=num_parallel_calls,
                                       deterministic=deterministic)


@export("data.experimental.make_batched_features_dataset")
def make_batched_features_dataset(
        file_pattern: Any, batch_size: Any, features: Any, reader: Any = None,
        label_key: Any = None, reader_args: Any = None, num_epochs: Any = None,
        shuffle: bool = True, shuffle_buffer_size: int = 10000, shuffle_seed: Any = None,
        prefetch_buffer_size: Any = None, reader_num_threads: Any = None,
        parser_num_threads: Any = None, sloppy_ordering: bool = False,
        drop_final_batch: bool = False) -> DatasetV2:
    """Batches of parsed Examples out of TFRecord files."""
    read = _TFRecordDataset if reader is None else reader
    width = 1 if reader_num_threads is None else reader_num_threads
    dataset = DatasetV2.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    dataset = _read_files(dataset, lambda name: read(name, *(reader_args or ())), width)
    if isinstance(dataset.element_spec, tuple):
        dataset = dataset.map(lambda _, value: value)
    dataset = _shuffled_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(
        features, 2 if parser_num_threads is None else parser_num_threads))
    if label_key:
        if label_key not in features:
            raise ValueError(f"The `label_key` provided ({label_key}) must be one of the "
                             f"`features` keys: {features.keys()}.")
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


@export("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes a dataset of byte strings into a TFRecord file."""

    def __init__(self, filename: Any, compression_type: Any = None):
        name = operand(filename, dtypes.string)
        if compression_type is not None:
            compression_type = _text(operand(compression_type, dtypes.string))
        self._filename, self._compression = _text(name), compression_type

    def write(self, dataset: DatasetV2) -> None:
        """Write all elements."""
        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype != dtypes.string or spec.shape.rank:
            raise TypeError(f"`dataset` must produce scalar `DT_STRING` tensors whereas it "
                            f"produces {nest.map_structure(lambda one: one, spec)}.")
        with _TFRecordWriter(self._filename, self._compression) as writer:
            for record in dataset.as_numpy_iterator():
                writer.write(record)


# -- SQLite ----------------------------------------------------------------------------------------
@export("data.experimental.SqlDataset")
@named("experimental.ops.readers")
class SqlDataset(DatasetV2):
    """The rows of a query to a SQLite database."""

    def __init__(self, driver_name: str, data_source_name: Any, query: Any, output_types: Any):
        if driver_name != "sqlite":
            raise errors.invalid("SqlDataset", f"Driver {driver_name!r} is not supported: only "
                                               "'sqlite' is.")
        self._source, self._query = _text(data_source_name), _text(query)
        self._set(nest.map_structure(lambda one: TensorSpec((), one), output_types))

    def _start(self, run: Run) -> Iterator[Any]:
        return self._rows()

    def _rows(self) -> Iterator[list]:
        import contextlib
        import sqlite3
        with contextlib.closing(sqlite3.connect(self._source)) as connection:
            try:
                cursor = connection.execute(self._query)
            except sqlite3.Error as error:
                raise failed(f"Failed to execute query {self._query!r}: {error}") from None
            for row in cursor:
                yield [_cell(one, spec.dtype) for one, spec in zip(
                    row, self._structure.tensors, strict=True)]


def _cell(value: Any, dtype: dtypes.DType) -> Any:
    if dtype.kind == "O":
        return handle(b"" if value is None else value if isinstance(value, bytes)
                      else str(value).encode())
    return dtype.np.type(0 if value is None else value)
