"""Transformations of one element at a time: map, filter, take, skip, repeat, shard, scan …"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.specs import TensorSpec
from tapeflow.data.base import (
    INFINITE,
    UNKNOWN,
    DatasetV2,
    Run,
    check_dataset,
    failed,
    method,
    named,
    source,
)
from tapeflow.data.functions import UserFunction, predicate
from tapeflow.data.rows import (
    ChainReader,
    CountReader,
    LimitReader,
    MapReader,
    ZipReader,
    elements_of,
    table_elements,
)
from tapeflow.data.structure import (
    Structure,
    describe,
    integer,
    known,
    normalise,
    wider,
)


class Engine:
    """A base for iterators over flat elements."""

    __slots__ = ()

    def __iter__(self) -> Engine:
        return self

    def __next__(self) -> Any:
        raise NotImplementedError


# -- map and filter --------------------------------------------------------------------------------
@named("ops.map_op")
class _MapDataset(DatasetV2):
    """A function of each element."""

    def __init__(self, dataset: DatasetV2, function: Callable, where: str = "Dataset.map()"):
        self._function = UserFunction(function, dataset.element_spec, where)
        if not self._function.structure.tensors:
            raise errors.invalid("MapDataset", "Length for attr 'output_types' of 0 must be at "
                                               "least minimum 1: the function returns no tensor.")
        self._set(self._function.structure, (dataset,), tuple(self._function.captured))

    def _call(self, run: Run) -> Callable:
        return self._function.instance(self._tensors, run)

    def _readable(self) -> bool:
        return self._function.rowwise and self._input._readable()

    def _reader(self, run: Run) -> Any:
        return MapReader(self._input._reader(run), self._function, self._tensors,
                              self._call(run))

    def _start(self, run: Run) -> Iterator[Any]:
        if self._readable():
            return elements_of(self._reader(run))
        return Mapped(self._input._start(run), self._call(run))

    def _count(self) -> int:
        return self._input._count()


class Mapped(Engine):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input, self._call = elements, call

    def __next__(self) -> Any:
        values = next(self._input)
        try:
            return self._call(values)
        except (errors.OutOfRangeError, StopIteration) as error:
            raise failed(f"Function invocation produced OutOfRangeError: {error}") from error


@method
def map(self: DatasetV2, map_func: Callable, num_parallel_calls: Any = None,
        deterministic: bool | None = None, synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False, name: str | None = None) -> DatasetV2:
    """`map_func` of each element; with `num_parallel_calls` several elements at a time.

    >>> list(tf.data.Dataset.range(3).map(lambda x: x + 1).as_numpy_iterator())
    [1, 2, 3]
    """
    if num_parallel_calls is None:
        if deterministic is not None:
            import warnings
            warnings.warn("The `deterministic` argument has no effect unless the "
                          "`num_parallel_calls` argument is specified.", stacklevel=2)
        return _MapDataset(self, map_func)
    from tapeflow.data.parallel import _ParallelMapDataset
    return _ParallelMapDataset(self, map_func, num_parallel_calls, deterministic)


@named("ops.filter_op")
class _FilterDataset(DatasetV2):
    """The elements that a predicate accepts."""

    def __init__(self, dataset: DatasetV2, function: Callable):
        self._function = predicate(function, dataset.element_spec, "Dataset.filter()")
        self._set(dataset._structure, (dataset,), tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Filtered(self._input._start(run), self._function.instance(self._tensors, run))

    def _count(self) -> int:
        return 0 if self._input._count() == 0 else UNKNOWN


class _Filtered(Engine):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input, self._call = elements, call

    def __next__(self) -> Any:
        call = self._call
        for values in self._input:
            if call(values)[0]:
                return values
        raise StopIteration


@method
def filter(self: DatasetV2, predicate: Callable, name: str | None = None) -> DatasetV2:
    """The elements for which `predicate` is true."""
    return _FilterDataset(self, predicate)


@named("ops.take_while_op")
class _TakeWhileDataset(DatasetV2):
    """Elements up to the first that a predicate refuses."""

    def __init__(self, dataset: DatasetV2, function: Callable):
        self._function = predicate(function, dataset.element_spec, "Dataset.take_while()")
        self._set(dataset._structure, (dataset,), tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Taken(self._input._start(run), self._function.instance(self._tensors, run))


class _Taken(Engine):
    __slots__ = ("_call", "_input")

    def __init__(self, elements: Iterator, call: Callable):
        self._input: Iterator | None = elements
        self._call = call

    def __next__(self) -> Any:
        if self._input is None:
            raise StopIteration
        values = next(self._input)
        if not self._call(values)[0]:
            self._input = None
            raise StopIteration
        return values


@method
def take_while(self: DatasetV2, predicate: Callable, name: str | None = None) -> DatasetV2:
    """Elements until `predicate` is false for one, which is left out."""
    return _TakeWhileDataset(self, predicate)


# -- take, skip, shard, repeat ---------------------------------------------------------------------
@named("ops.take_op")
class _TakeDataset(DatasetV2):
    """The first elements; all of them if the count is negative."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,), (integer(count, "count"),))

    def _tabular(self) -> bool:
        return self._input._tabular()

    def _table(self) -> list[np.ndarray]:
        columns, count = self._input._table(), self._number(0)
        return columns if count < 0 else [one[:count] for one in columns]

    def _readable(self) -> bool:
        return self._input._readable()

    def _reader(self, run: Run) -> Any:
        reader, count = self._input._reader(run), self._number(0)
        return reader if count < 0 else LimitReader(reader, count)

    def _start(self, run: Run) -> Iterator[Any]:
        count = self._number(0)
        if count == 0:
            return iter(())
        elements = self._input._start(run)
        return elements if count < 0 else _Limited(elements, count)

    def _count(self) -> int:
        return limited(self._input._count(), self._number(0))


def limited(size: int, count: int) -> int:
    """How many are left of `size` elements when the first `count` are taken."""
    if size == INFINITE:
        return count if count >= 0 else INFINITE
    if count == 0:
        return 0
    return size if size == UNKNOWN or count < 0 else min(size, count)


class _Limited(Engine):
    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator, count: int):
        self._input, self._left = elements, count

    def __next__(self) -> Any:
        if self._left <= 0:
            self._input = iter(())  # what runs below may stop
            raise StopIteration
        self._left -= 1
        return next(self._input)


@method
def take(self: DatasetV2, count: Any, name: str | None = None) -> DatasetV2:
    """At most the first `count` elements; -1 for all."""
    return _TakeDataset(self, count)


@named("ops.skip_op")
class _SkipDataset(DatasetV2):
    """All but the first elements; none if the count is -1."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,), (integer(count, "count"),))

    def _tabular(self) -> bool:
        return self._input._tabular()

    def _table(self) -> list[np.ndarray]:
        count = self._number(0)
        return [one[count:] if count >= 0 else one[:0] for one in self._input._table()]

    def _start(self, run: Run) -> Iterator[Any]:
        count = self._number(0)
        if self._tabular():
            return table_elements(self._table())
        if count < 0:
            return iter(())
        return _Skipped(self._input._start(run), count)

    def _count(self) -> int:
        size, count = self._input._count(), self._number(0)
        if count < 0:
            return 0
        return size if size < 0 else max(0, size - count)


class _Skipped(Engine):
    __slots__ = ("_input", "_left")

    def __init__(self, elements: Iterator, count: int):
        self._input, self._left = elements, count

    def __next__(self) -> Any:
        while self._left > 0:
            self._left -= 1
            next(self._input)
        return next(self._input)


@method
def skip(self: DatasetV2, count: Any, name: str | None = None) -> DatasetV2:
    """All but the first `count` elements."""
    return _SkipDataset(self, count)


@named("ops.shard_op")
class _ShardDataset(DatasetV2):
    """Every n-th element."""

    def __init__(self, dataset: DatasetV2, num_shards: Any, index: Any):
        count, at = integer(num_shards, "num_shards"), integer(index, "index")
        if known(count) is not None and known(at) is not None:
            _check_shard(known(count), known(at))
        self._set(dataset._structure, (dataset,), (count, at))

    def _tabular(self) -> bool:
        return self._input._tabular()

    def _table(self) -> list[np.ndarray]:
        count, at = self._number(0), self._number(1)
        _check_shard(count, at)
        return [one[at::count] for one in self._input._table()]

    def _start(self, run: Run) -> Iterator[Any]:
        count, at = self._number(0), self._number(1)
        _check_shard(count, at)
        return _Sharded(self._input._start(run), count, at)

    def _count(self) -> int:
        size = self._input._count()
        count, at = self._number(0), self._number(1)
        return size if size < 0 else len(range(at, size, count))


def _check_shard(count: int | None, at: int | None) -> None:
    if count is None or at is None:
        return
    if count < 1:
        raise errors.invalid("ShardDataset", f"Number of shards must be greater than zero "
                                             f"(currently num_shards = {count}).")
    if not 0 <= at < count:
        raise errors.invalid("ShardDataset", f"Index must be between 0 and {count - 1} "
                                             f"(currently index = {at}).")


class _Sharded(Engine):
    __slots__ = ("_count", "_first", "_input")

    def __init__(self, elements: Iterator, count: int, first: int):
        self._input, self._count, self._first = elements, count, first

    def __next__(self) -> Any:
        for _ in range(self._first):
            next(self._input)
        self._first = self._count - 1
        return next(self._input)


@method
def shard(self: DatasetV2, num_shards: Any, index: Any, name: str | None = None) -> DatasetV2:
    """Every `num_shards`-th element, beginning with number `index`."""
    return _ShardDataset(self, num_shards, index)


@named("ops.repeat_op")
class _RepeatDataset(DatasetV2):
    """The elements again and again."""

    def __init__(self, dataset: DatasetV2, count: Any):
        self._set(dataset._structure, (dataset,),
                  (integer(-1 if count is None else count, "count"),))

    def _passes(self, begin: Callable) -> Iterator[Any]:
        """The input begun again and again.

        TensorFlow begins once more before it sees that it is done, except where it makes one
        dataset of shuffle and repeat: that counts where beginning draws seeds.
        """
        count = self._number(0)
        for _ in itertools.count() if count < 0 else range(count):
            yield begin()
        if not self._input._fuses:
            begin()

    def _readable(self) -> bool:
        return self._input._readable() and self._input._count() > 0

    def _reader(self, run: Run) -> Any:
        passes = self._passes(lambda: self._input._reader(run))
        return ChainReader(lambda: next(passes, None))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Repeated(self._passes(lambda: self._input._start(run)),
                         self._input._count() == UNKNOWN)

    def _count(self) -> int:
        size, count = self._input._count(), self._number(0)
        if count < 0:
            return 0 if size == 0 else INFINITE
        if count == 0:
            return 0
        return size if size < 0 else size * count


class _Repeated(Engine):
    __slots__ = ("_input", "_passes", "_uncertain")

    def __init__(self, passes: Iterator, uncertain: bool):
        self._passes, self._uncertain = passes, uncertain
        self._input: Iterator | None = None

    def __next__(self) -> Any:
        while True:
            fresh = self._input is None
            if self._input is None:
                self._input = next(self._passes)
            for values in self._input:
                return values
            self._input = None
            if fresh and not self._uncertain:
                self._passes = iter(())  # an empty dataset stays empty
                raise StopIteration


@method
def repeat(self: DatasetV2, count: Any = None, name: str | None = None) -> DatasetV2:
    """The elements `count` times; without end if it is None or -1."""
    return _RepeatDataset(self, count)


# -- several datasets ------------------------------------------------------------------------------
@named("ops.concatenate_op")
class _ConcatenateDataset(DatasetV2):
    """The elements of one dataset and then those of another."""

    def __init__(self, first: DatasetV2, second: DatasetV2):
        check_dataset(second, "Dataset.concatenate", "dataset")
        spec = wider(first.element_spec, second.element_spec)
        if spec is None:
            raise TypeError(f"Incompatible types of input datasets: {first.element_spec} vs. "
                            f"{second.element_spec}.")
        self._set(spec, (first, second))

    def _readable(self) -> bool:
        return all(one._readable() and one.element_spec == self.element_spec
                   for one in self._inputs)

    def _reader(self, run: Run) -> Any:
        waiting = iter(self._inputs)

        def more() -> Any:
            following = next(waiting, None)
            return None if following is None else following._reader(run)

        return ChainReader(more)

    def _start(self, run: Run) -> Iterator[Any]:
        return _Chained(list(self._inputs), run)

    def _count(self) -> int:
        sizes = [one._count() for one in self._inputs]
        return INFINITE if INFINITE in sizes else UNKNOWN if UNKNOWN in sizes else sum(sizes)


class _Chained(Engine):
    __slots__ = ("_input", "_run", "_waiting")

    def __init__(self, datasets: list, run: Run):
        self._run, self._waiting = run, datasets[1:]
        self._input = datasets[0]._start(run)

    def __next__(self) -> Any:
        while True:
            for values in self._input:
                return values
            if not self._waiting:
                raise StopIteration
            self._input = self._waiting.pop(0)._start(self._run)


@method
def concatenate(self: DatasetV2, dataset: DatasetV2, name: str | None = None) -> DatasetV2:
    """The elements of this dataset, then those of another."""
    return _ConcatenateDataset(self, dataset)


@named("ops.zip_op")
class _ZipDataset(DatasetV2):
    """Elements of several datasets side by side."""

    def __init__(self, datasets: Any):
        flat = nest.flatten(datasets)
        for one in flat:
            if not isinstance(one, DatasetV2):
                raise TypeError(f"Invalid `datasets`. `datasets` is expected to be a (nested) "
                                f"structure of `tf.data.Dataset` objects but encountered object "
                                f"of type {type(one)}.")
        self._set(nest.pack_sequence_as(datasets, [one.element_spec for one in flat]),
                  tuple(flat))

    def _tabular(self) -> bool:
        return bool(self._inputs) and all(one._tabular() for one in self._inputs)

    def _table(self) -> list[np.ndarray]:
        columns = [column for one in self._inputs for column in one._table()]
        least = min(len(column) for column in columns)
        return [column[:least] for column in columns]

    def _readable(self) -> bool:
        return bool(self._inputs) and all(one._readable() for one in self._inputs)

    def _reader(self, run: Run) -> Any:
        return ZipReader([one._reader(run) for one in self._inputs])

    def _start(self, run: Run) -> Iterator[Any]:
        return _Zipped([one._start(run) for one in self._inputs])

    def _count(self) -> int:
        sizes = [one._count() for one in self._inputs]
        finite = [size for size in sizes if size != INFINITE]
        return INFINITE if not finite else UNKNOWN if UNKNOWN in finite else min(finite)


class _Zipped(Engine):
    __slots__ = ("_inputs",)

    def __init__(self, inputs: list):
        self._inputs = inputs

    def __next__(self) -> Any:
        found: list[Any] = []
        for one in self._inputs:
            found += next(one)
        if not self._inputs:
            raise StopIteration
        return found


@source
def zip(*args: Any, datasets: Any = None, name: str | None = None) -> DatasetV2:
    """Elements of several datasets side by side; the shortest ends it.

    >>> a, b = tf.data.Dataset.range(1, 4), tf.data.Dataset.range(4, 7)
    >>> [(int(x), int(y)) for x, y in tf.data.Dataset.zip(a, b)]
    [(1, 4), (2, 5), (3, 6)]
    """
    if not args and datasets is None:
        raise TypeError("Must pass at least one dataset to `zip`.")
    if args and datasets is not None:
        raise TypeError("Both `*args` and `datasets` cannot be set.")
    if len(args) == 1:
        datasets = args[0]
    elif len(args) > 1:
        datasets = args
    return _ZipDataset(datasets)


class _CountingDataset(DatasetV2):
    """0, 1, 2 … without end, from `start`."""

    def __init__(self, start: Any):
        from tapeflow.base import dtypes
        self._set(TensorSpec((), dtypes.int64), (), (integer(start, "start"),))

    def _readable(self) -> bool:
        return True

    def _reader(self, run: Run) -> Any:
        return CountReader(self._number(0))

    def _start(self, run: Run) -> Iterator[Any]:
        return ([np.int64(i)] for i in itertools.count(self._number(0)))

    def _count(self) -> int:
        return INFINITE


@method
def enumerate(self: DatasetV2, start: Any = 0, name: str | None = None) -> DatasetV2:
    """Pairs of an element's number, from `start`, and the element."""
    return _ZipDataset((_CountingDataset(start), self))


# -- scan, unique, errors --------------------------------------------------------------------------
def state_function(function: Callable, initial: Any, element_spec: Any,
                   where: str) -> tuple[UserFunction, list, Structure]:
    """A function of (state, element) whose state may change its shape: traced until it fits."""
    first = normalise(tuple(initial) if isinstance(initial, list) else initial)
    spec = describe(first)
    while True:
        made = UserFunction(function, (spec, element_spec), where)
        result = made.structure.spec
        new = result[0] if where == "Dataset.scan()" and type(result) is tuple else result
        if where == "Dataset.scan()" and not (type(result) is tuple and len(result) == 2):
            raise TypeError(f"The `scan_func` must return a pair of new state and output, but its "
                            f"return type is {result}.")
        _check_state(spec, new, where)
        merged = wider(spec, new)
        if merged is None:
            raise TypeError(f"{where}: the state is {spec} at first and {new} after one element.")
        if merged == spec:
            return made, Structure(describe(first)).unpack_tensors(first), Structure(spec)
        spec = merged


def _check_state(before: Any, after: Any, where: str) -> None:
    word = "scan_func" if "scan" in where else "reduce_func"
    try:
        nest.assert_same_structure(before, after)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Invalid `{word}`. The element structure of the state must not change: "
                        f"{before} before, {after} after. {error}") from None
    for a, b in builtins.zip(nest.flatten(before), nest.flatten(after)):
        if getattr(a, "dtype", None) != getattr(b, "dtype", None):
            raise TypeError(f"Invalid `{word}`. The element types for the new state must match "
                            f"the initial state. Expected {a.dtype!r}; got {b.dtype!r}.")


@named("ops.scan_op")
class _ScanDataset(DatasetV2):
    """A function that carries a state from element to element."""

    def __init__(self, dataset: DatasetV2, initial: Any, function: Callable):
        self._function, first, self._state = state_function(
            function, initial, dataset.element_spec, "Dataset.scan()")
        self._set(self._function.structure.spec[1], (dataset,),
                  (*first, *self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        width = len(self._state.tensors)
        return _Scanned(self._input._start(run),
                        self._function.instance(self._tensors[width:], run),
                        [x._value for x in self._tensors[:width]])

    def _count(self) -> int:
        return self._input._count()


class _Scanned(Engine):
    __slots__ = ("_call", "_input", "_state")

    def __init__(self, elements: Iterator, call: Callable, state: list):
        self._input, self._call, self._state = elements, call, state

    def __next__(self) -> Any:
        width = len(self._state)
        found = self._call([*self._state, *next(self._input)])
        self._state = list(found[:width])
        return found[width:]


@method
def scan(self: DatasetV2, initial_state: Any, scan_func: Callable,
         name: str | None = None) -> DatasetV2:
    """Outputs of `scan_func(state, element)`, which returns the next state and an output."""
    return _ScanDataset(self, initial_state, scan_func)


@named("ops.unique_op")
class _UniqueDataset(DatasetV2):
    """Elements that did not come before."""

    def __init__(self, dataset: DatasetV2):
        for spec in dataset._structure.leaves:
            if getattr(spec, "dtype", None) is None or spec.dtype.name not in (  # type: ignore
                    "int32", "int64", "string"):
                raise TypeError(f"Invalid type of elements: `tf.data.Dataset.unique` supports "
                                f"`tf.int32`, `tf.int64` and `tf.string`, not {spec!r}.")
        self._set(dataset._structure, (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Unique(self._input._start(run))


class _Unique(Engine):
    __slots__ = ("_input", "_seen")

    def __init__(self, elements: Iterator):
        self._input = elements
        self._seen: set = set()

    def __next__(self) -> Any:
        for values in self._input:
            key = tuple([x.item() if not x.ndim else (x.shape, tuple(x.ravel().tolist()))
                         for x in values])
            if key not in self._seen:
                self._seen.add(key)
                return values
        raise StopIteration


@method
def unique(self: DatasetV2, name: str | None = None) -> DatasetV2:
    """Each element the first time that it comes."""
    return _UniqueDataset(self)


@named("ops.ignore_errors_op")
class _IgnoreErrorsDataset(DatasetV2):
    """Leaves out what fails."""

    def __init__(self, dataset: DatasetV2, log_warning: bool):
        self._log = log_warning
        self._set(dataset._structure, (dataset,))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Forgiving(self._input._start(run), self._log)


class _Forgiving(Engine):
    __slots__ = ("_input", "_log")

    def __init__(self, elements: Iterator, log: bool):
        self._input, self._log = elements, log

    def __next__(self) -> Any:
        while True:
            try:
                return next(self._input)
            except errors.OpError as error:
                if self._log:
                    import logging
                    logging.getLogger("tensorflow").warning("Error raised with error message %s",
                                                            error)


@method
def ignore_errors(self: DatasetV2, log_warning: bool = False,
                  name: str | None = None) -> DatasetV2:
    """Leaves out the elements that fail."""
    return _IgnoreErrorsDataset(self, log_warning)


@named("experimental.ops.cardinality")
class _AssertCardinalityDataset(DatasetV2):
    """A dataset that is said to have so many elements."""

    def __init__(self, dataset: DatasetV2, expected: Any):
        self._set(dataset._structure, (dataset,), (integer(expected, "expected_cardinality"),))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Counted(self._input._start(run), self._number(0))

    def _count(self) -> int:
        return self._number(0)


class _Counted(Engine):
    __slots__ = ("_expected", "_input", "_seen")

    def __init__(self, elements: Iterator, expected: int):
        self._input, self._expected, self._seen = elements, expected, 0

    def __next__(self) -> Any:
        wanted = "an infinite number of elements" if self._expected == INFINITE else (
            f"{self._expected} element{'s' if self._expected != 1 else ''}")
        for values in self._input:
            self._seen += 1
            if self._expected != INFINITE and self._seen > self._expected:
                raise errors.FailedPreconditionError(
                    None, None, f"Input dataset was expected to contain {wanted} but contained at "
                                f"least {self._seen} elements. [Op:IteratorGetNext]")
            return values
        if self._seen != self._expected:
            raise errors.FailedPreconditionError(
                None, None, f"Input dataset was expected to contain {wanted} but contained only "
                            f"{self._seen} element{'s' if self._seen != 1 else ''}. "
                            "[Op:IteratorGetNext]")
        raise StopIteration


@named("ops.dataset_ops")
class _OptionsDataset(DatasetV2):
    """A dataset with options."""

    def __init__(self, dataset: DatasetV2, options: Any):
        self._options_attr = dataset.options().merge(options)
        self._set(dataset._structure, (dataset,))

    def _tabular(self) -> bool:
        return self._input._tabular()

    def _table(self) -> Any:
        return self._input._table()

    def _readable(self) -> bool:
        return self._input._readable()

    def _reader(self, run: Run) -> Any:
        return self._input._reader(run)

    def _start(self, run: Run) -> Iterator[Any]:
        return self._input._start(run)

    def _count(self) -> int:
        return self._input._count()


@method
def with_options(self: DatasetV2, options: Any, name: str | None = None) -> DatasetV2:
    """This dataset with further options."""
    return _OptionsDataset(self, options)

