"""Elements that are kept: cache in memory or in a file, snapshot, save and load.

Files have a format of tapeflow's own: TFRecord files of elements (`codec.py`) beside a JSON file
with the element spec. They are written under another name and renamed when they are complete.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.process import atomic_files
from tapeflow.base.process.locks import new_lock
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named
from tapeflow.data.dataset import UNKNOWN, DatasetSpec, DatasetV2, method, source
from tapeflow.data.elements.codec import decode, encode, spec_from_json, spec_to_json
from tapeflow.data.elements.columnar import elements_of_columns
from tapeflow.data.elements.handles import handle
from tapeflow.data.elements.structure import Structure
from tapeflow.data.functions.user_function import UserFunction
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.sources.memory_sources import _ValuesDataset
from tapeflow.io.paths import translated


def _path(value: Any) -> str:
    if isinstance(value, Tensor):
        if value._interpreter is not None:
            raise ValueError(f"a path must be known while tracing, got {value!r}")
        value = value.numpy()
    return os.fsdecode(value)


# -- cache in memory -------------------------------------------------------------------------------
class _Memory:
    """What one cache dataset has kept, once an iteration has come to its end."""

    def __init__(self) -> None:
        self.lock = new_lock()
        self.elements: list | None = None
        self.columns: list[np.ndarray] | None = None

    def fill(self, elements: list, plain: bool) -> None:
        with self.lock:
            if self.elements is None:
                if plain and elements and elements[0] and _alike(elements):
                    self.columns = [np.stack(column) for column in zip(*elements, strict=True)]
                self.elements = elements


def _alike(elements: list) -> bool:
    shapes = [value.shape for value in elements[0]]
    return all([value.shape for value in one] == shapes for one in elements)


@named("ops.cache_op")
class CacheDataset(DatasetV2):
    """Elements that are made once and kept."""

    def __init__(self, dataset: DatasetV2, filename: Any):
        self._file = _path(filename)
        self._set(dataset._structure, (dataset,))

    def _renew(self) -> None:
        self._memory = _Memory()

    def _in_memory(self) -> bool:
        return self._memory.columns is not None

    def _stacked(self) -> list[np.ndarray]:
        assert self._memory.columns is not None
        return self._memory.columns

    def _start(self, run: Run) -> Iterator[Any]:
        if self._file:
            return file_cache(self._file, self._input, run)
        if self._memory.columns is not None:
            return elements_of_columns(self._memory.columns)
        if self._memory.elements is not None:
            return iter(self._memory.elements)
        return _Keeping(self._input._start(run), self._memory, self._structure.plain)

    def _cardinality(self) -> int:
        return self._input._cardinality()


class _Keeping(ElementIterator):
    __slots__ = ("_found", "_input", "_memory", "_plain")

    def __init__(self, elements: Iterator, memory: _Memory, plain: bool):
        self._input, self._memory, self._plain = elements, memory, plain
        self._found: list | None = []

    def __next__(self) -> Any:
        for values in self._input:
            if self._found is not None:
                self._found.append(list(values))
            return values
        if self._found is not None:
            self._memory.fill(self._found, self._plain)
            self._found = None
        raise StopIteration


@method
def cache(self: DatasetV2, filename: Any = "", name: str | None = None) -> DatasetV2:
    """Keeps the elements, in memory or in a file, from the first complete iteration on."""
    return CacheDataset(self, filename)


# -- files -----------------------------------------------------------------------------------------
def _records(path: str, structure: Structure, compression: str = "") -> Iterator[list]:
    """The elements in a file, which are of a structure."""
    from tapeflow.io.tfrecord import read_records
    specs = structure.tensors
    for record in read_records(path, compression):
        values = decode(record)
        if len(values) != len(specs) or not all(
                value.dtype == spec.dtype.np and spec.shape.is_compatible_with(np.shape(value))
                for value, spec in zip(values, specs, strict=True)):
            raise errors.DataLossError(None, None, f"{path} holds elements of another structure.")
        yield values


class _Writer:
    """A file of elements, which has its name only when it is complete."""

    def __init__(self, path: str, compression: str = ""):
        from tapeflow.io.tfrecord import TFRecordWriter
        self._path = path
        atomic_files.clear(os.path.dirname(path))
        self._part = atomic_files.part_of(path)
        self._writer = TFRecordWriter(self._part, compression or None)

    def add(self, values: Any) -> None:
        self._writer.write(encode(values))

    def finish(self) -> None:
        self._writer.close()
        atomic_files.finish(self._part, self._path)

    def __del__(self) -> None:
        if os is not None:  # Python is not ending
            atomic_files.drop(getattr(self, "_part", ""))


def file_cache(name: str, dataset: DatasetV2, run: Run) -> Iterator[Any]:
    """Elements out of a file, or of a dataset, writing the file on the way."""
    data, index = f"{name}.data-00000-of-00001", f"{name}.index"
    if os.path.exists(index):
        return _records(data, dataset._structure)
    return _Filing(dataset._start(run), data, index)


class _Filing(ElementIterator):
    __slots__ = ("_count", "_index", "_input", "_writer")

    def __init__(self, elements: Iterator, data: str, index: str):
        self._input, self._index, self._count = elements, index, 0
        try:
            self._writer: _Writer | None = _Writer(data)
        except unsignalled(OSError) as error:
            raise errors.NotFoundError(None, None, f"{data}; {error.strerror}") from error

    def __next__(self) -> Any:
        for values in self._input:
            if self._writer is not None:
                self._writer.add(values)
                self._count += 1
            return values
        if self._writer is not None:
            self._writer.finish()
            with translated(self._index), atomic_files.replacing(self._index) as file:
                file.write(json.dumps({"elements": self._count}).encode())
            self._writer = None
        raise StopIteration


# -- save and load ---------------------------------------------------------------------------------
_SPEC = "dataset_spec.json"


def _compression(value: Any) -> str:
    if value is None or value in ("NONE", ""):
        return ""
    if value in ("AUTO", "SNAPPY"):
        return ""  # what is asked for is left to us
    if value in ("GZIP", "ZLIB"):
        return value
    raise ValueError(f"Invalid `compression`: {value!r}. It must be None, 'GZIP' or 'AUTO'.")


def write_all(dataset: DatasetV2, path: str, compression: str,
              shard_func: Callable | None) -> None:
    """Write the elements of a dataset into a folder, divided by `shard_func`."""
    os.makedirs(path, exist_ok=True)
    spec = dataset.element_spec
    run = Run()
    chosen = None
    if shard_func is not None:
        function = UserFunction(shard_func, spec, "Dataset.save()")
        chosen = function.instance(tuple(function.captured), run)
    writers: dict[int, _Writer] = {}
    counts: dict[int, int] = {}
    with states.only(()):
        for values in dataset._start(run):
            shard = 0 if chosen is None else int(chosen(list(values))[0])
            if shard not in writers:
                writers[shard] = _Writer(os.path.join(path, f"{shard:08d}.shard"), compression)
            writers[shard].add(values)
            counts[shard] = counts.get(shard, 0) + 1
    with translated(path):
        for writer in writers.values():
            writer.finish()
        with atomic_files.replacing(os.path.join(path, _SPEC)) as file:
            file.write(json.dumps({
                "format": "tapeflow dataset 1", "spec": _written(spec), "compression": compression,
                "shards": [[one, counts[one]] for one in sorted(counts)]}).encode())
        for name in os.listdir(path):  # of what was here before
            if name.endswith(".shard") and name not in {f"{one:08d}.shard" for one in counts}:
                os.unlink(os.path.join(path, name))


def _written(spec: Any) -> Any:
    try:
        return spec_to_json(spec)
    except unsignalled(TypeError):
        return None


@method
def save(self: DatasetV2, path: Any, compression: Any = None, shard_func: Callable | None = None,
         checkpoint_args: Any = None) -> None:
    """Writes all elements into a folder, for `Dataset.load`. The format is tapeflow's own."""
    if state.trace is not None:
        raise NotImplementedError("Dataset.save inside a tf.function: call it outside.")
    write_all(self, _path(path), _compression(compression), shard_func)


def is_saved(path: Any) -> bool:
    """Whether a folder holds what `save` wrote."""
    return os.path.exists(os.path.join(_path(path), _SPEC))


class _ShardDataset(DatasetV2):
    """The elements in one file."""

    def __init__(self, structure: Structure, path: str, compression: str, size: int):
        self._path, self._compression, self._size = path, compression, size
        self._structure, self._inputs, self._tensors = structure, (), ()
        self._variant = None

    def _start(self, run: Run) -> Iterator[Any]:
        return _records(self._path, self._structure, self._compression)

    def _cardinality(self) -> int:
        return self._size


def _description(path: str) -> dict[str, Any]:
    """What was saved in a folder: spec, compression, and the sizes of shards by number."""
    name = os.path.join(path, _SPEC)
    try:
        with translated(name), open(name, encoding="utf-8") as file:
            found = json.load(file)
        spec = found["spec"]
        shards = [(shard, size) for shard, size in found["shards"]]
        if not all(type(n) is int and n >= 0 for shard in shards for n in shard):
            raise ValueError("shards that are none")
        return {"spec": None if spec is None else spec_from_json(spec), "shards": shards,
                "compression": _compression(found["compression"])}
    except errors.NotFoundError:
        raise errors.NotFoundError(
            None, None, f"{name}; No such file or directory: no dataset was saved here, or not by "
                        "tapeflow.") from None
    except unsignalled(AttributeError, LookupError, OverflowError, RecursionError, TypeError,
                      ValueError) as error:
        raise errors.DataLossError(None, None, f"{name} is damaged: {error}") from None


@named("ops.load_op")
class _LoadDataset(DatasetV2):
    """What `Dataset.save` wrote."""

    def __init__(self, path: str, element_spec: Any, reader_func: Callable | None):
        found = _description(path)
        if element_spec is None:
            if found["spec"] is None:
                raise ValueError("The element spec of this dataset could not be written: pass "
                                 "`element_spec`.")
            element_spec = found["spec"]
        structure = Structure(element_spec)
        shards = [_ShardDataset(structure, os.path.join(path, f"{shard:08d}.shard"),
                                found["compression"], size) for shard, size in found["shards"]]
        self._total = sum(size for _, size in found["shards"]) if reader_func is None else UNKNOWN
        self._set(structure, (_read_shards(shards, structure, reader_func),))

    def _start(self, run: Run) -> Iterator[Any]:
        return self._input._start(run)

    def _cardinality(self) -> int:
        return self._total


def _read_shards(shards: list, structure: Structure, reader_func: Callable | None) -> DatasetV2:
    whole = _ValuesDataset(Structure(DatasetSpec(structure.spec)),
                           [[handle(one)] for one in shards])
    if reader_func is None:
        return whole.interleave(lambda one: one, cycle_length=max(1, len(shards)))
    made = reader_func(whole)
    if not isinstance(made, DatasetV2):
        raise TypeError(f"`reader_func` must return a `tf.data.Dataset`, got {type(made)}.")
    return made


@source
def load(path: Any, element_spec: Any = None, compression: Any = None,
         reader_func: Callable | None = None, wait: bool = False) -> DatasetV2:
    """The dataset that `Dataset.save` wrote into a folder."""
    return _LoadDataset(_path(path), element_spec, reader_func)


# -- snapshot --------------------------------------------------------------------------------------
@named("ops.snapshot_op")
class _SnapshotDataset(DatasetV2):
    """Elements that the first complete iteration writes into a folder."""

    def __init__(self, dataset: DatasetV2, path: Any, compression: Any,
                 reader_func: Callable | None, shard_func: Callable | None):
        self._folder, self._compression = _path(path), _compression(compression)
        self._reader_func, self._shard_func = reader_func, shard_func
        self._set(dataset._structure, (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        if not is_saved(self._folder):
            write_all(self._input, self._folder, self._compression, self._shard_func)
        saved = _LoadDataset(self._folder, self.element_spec, self._reader_func)
        nest.assert_same_structure(saved.element_spec, self.element_spec)
        return saved._start(run)

    def _cardinality(self) -> int:
        return self._input._cardinality()


@method
def snapshot(self: DatasetV2, path: Any, compression: Any = "AUTO",
             reader_func: Callable | None = None, shard_func: Callable | None = None,
             name: str | None = None) -> DatasetV2:
    """Writes the elements into a folder once, and reads them from there."""
    for func in (reader_func, shard_func):
        if func is not None and not callable(func):
            raise ValueError(f"Argument `func` must be a callable. Received func={func!r}")
    return _SnapshotDataset(self, path, compression, reader_func, shard_func)


@export("data.experimental.save")
def save_dataset(dataset: DatasetV2, path: Any, compression: Any = None,
                 shard_func: Callable | None = None, checkpoint_args: Any = None) -> None:
    """Dataset.save."""
    dataset.save(path, compression, shard_func, checkpoint_args)


@export("data.experimental.load")
def load_dataset(path: Any, element_spec: Any = None, compression: Any = None,
                 reader_func: Callable | None = None) -> DatasetV2:
    """Dataset.load."""
    return load(path, element_spec, compression, reader_func)
