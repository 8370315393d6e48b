"""Datasets made by functions, and choices among datasets: flat_map, interleave, group_by_window,
bucket_by_sequence_length, choose_from_datasets, sample_from_datasets, rejection_resample."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.dataset import (
    INFINITE,
    UNKNOWN,
    DatasetSpec,
    DatasetV2,
    Run,
    check_dataset,
    failed,
    method,
    named,
    source,
)
from tapeflow.data.elements.structure import handle, held, integer, known, map_leaves, wider
from tapeflow.data.options import AUTOTUNE
from tapeflow.data.sources.memory_sources import _ValuesDataset
from tapeflow.data.transforms.per_element import Engine, _MapDataset
from tapeflow.data.user_functions import UserFunction
from tapeflow.ops.array import joining, one_hot, shaping, tiling
from tapeflow.ops.control import assertions
from tapeflow.ops.indexing import gathering
from tapeflow.ops.math import comparison, exponential
from tapeflow.ops.random import stateful, stateless
from tapeflow.ops.reduce.reduction import reduce_max, reduce_min, reduce_sum


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (
        os.cpu_count() or 1)


def dataset_function(function: Callable, spec: Any, where: str) -> UserFunction:
    """A function that returns a dataset."""
    made = UserFunction(function, spec, where)
    if not isinstance(made.structure.spec, DatasetSpec):
        raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got "
                        f"{made.structure.spec!r}.")
    return made


# -- flat_map and interleave -----------------------------------------------------------------------
@named("ops.flat_map_op")
class _FlatMapDataset(DatasetV2):
    """The datasets that a function makes of elements, one after another."""

    def __init__(self, dataset: DatasetV2, function: Callable, where: str = "Dataset.flat_map()"):
        self._function = dataset_function(function, dataset.element_spec, where)
        self._set(self._function.structure.spec._element_spec, (dataset,),
                  tuple(self._function.captured))

    def _start(self, run: Run) -> Iterator[Any]:
        return _Flat(self._input._start(run), self._function.instance(self._tensors, run), run)


class _Flat(Engine):
    __slots__ = ("_call", "_input", "_now", "_run")

    def __init__(self, elements: Iterator, call: Callable, run: Run):
        self._input, self._call, self._run = elements, call, run
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for values in self._now:
                return values
            self._now = iter(())
            self._now = held(self._call(next(self._input))[0])._start(self._run)


@method
def flat_map(self: DatasetV2, map_func: Callable, name: str | None = None) -> DatasetV2:
    """The elements of the datasets that `map_func` returns, one dataset after another."""
    return _FlatMapDataset(self, map_func)


@named("ops.interleave_op")
class _InterleaveDataset(DatasetV2):
    """The datasets that a function makes of elements, several at a time, in turn."""

    _parallel = False

    def __init__(self, dataset: DatasetV2, function: Callable, cycle_length: Any,
                 block_length: Any):
        self._function = dataset_function(function, dataset.element_spec, "Dataset.interleave()")
        numbers = (integer(cycle_length, "cycle_length"), integer(block_length, "block_length"))
        for number, word in zip(numbers, ("cycle_length", "block_length"), strict=True):
            if known(number) is not None and int(number._value) < 1 and not (
                    word == "cycle_length" and int(number._value) == AUTOTUNE):
                raise errors.invalid("InterleaveDataset", f"{word} must be greater than zero.")
        self._set(self._function.structure.spec._element_spec, (dataset,),
                  (*numbers, *self._function.captured))

    def _opener(self, run: Run) -> Callable:
        """From an element to the iterator of its dataset."""
        datasets = self._maker(run)
        return lambda values: datasets(values)._start(run)

    def _maker(self, run: Run) -> Callable:
        """From an element to its dataset."""
        call = self._function.instance(self._tensors[2:], run)
        return lambda values: held(call(values)[0])

    def _cycle(self) -> int:
        cycle = self._number(0)
        return cores() if cycle == AUTOTUNE else cycle

    def _start(self, run: Run) -> Iterator[Any]:
        return _Interleaved(self._input._start(run), self._opener(run), self._cycle(),
                            self._number(1), self._parallel)


class _Interleaved(Engine):
    """Takes blocks of the open iterators in turn.

    An iterator that has ended is followed by another when its turn comes again. With `eager` all
    are opened at once, and followed at once, so that threads can begin; the order is the same.
    """

    __slots__ = ("_at", "_block", "_eager", "_given", "_input", "_open", "_opener", "_running")

    def __init__(self, elements: Iterator, opener: Callable, cycle: int, block: int,
                 eager: bool = False):
        self._input: Iterator | None = elements
        self._opener, self._block, self._eager = opener, block, eager
        self._running: list[Iterator | None] = [None] * cycle
        self._at, self._given, self._open = 0, 0, 0

    def __next__(self) -> Any:
        if self._eager and not self._open:
            for place in range(len(self._running)):
                self._fill(place)
        while self._input is not None or self._open:
            now = self._running[self._at]
            if now is not None:
                for values in now:
                    self._given += 1
                    if self._given == self._block:
                        self._advance()
                    return values
                self._running[self._at] = None
                self._open -= 1
                if self._eager:
                    self._fill(self._at)
                self._advance()
            elif self._input is not None:
                self._fill(self._at)
            else:
                self._advance()
        raise StopIteration

    def _fill(self, place: int) -> None:
        """Open the next iterator, if there is one."""
        if self._input is None or self._running[place] is not None:
            return
        for element in self._input:
            self._running[place] = self._opener(element)
            self._open += 1
            return
        self._input = None

    def _advance(self) -> None:
        self._given = 0
        self._at = (self._at + 1) % len(self._running)


@method
def interleave(self: DatasetV2, map_func: Callable, cycle_length: Any = None,
               block_length: Any = None, num_parallel_calls: Any = None,
               deterministic: bool | None = None, name: str | None = None) -> DatasetV2:
    """Elements of the datasets that `map_func` returns: `block_length` of each in turn.

    `cycle_length` datasets are open at a time; with `num_parallel_calls` they are read ahead.

    >>> ds = tf.data.Dataset.range(1, 4).interleave(
    ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2)
    >>> [int(x) for x in ds]
    [1, 1, 2, 2, 1, 2, 3, 3, 3]
    """
    block_length = 1 if block_length is None else block_length
    cycle_length = AUTOTUNE if cycle_length is None else cycle_length
    if num_parallel_calls is None:
        return _InterleaveDataset(self, map_func, cycle_length, block_length)
    from tapeflow.data.transforms.parallel import _ParallelInterleaveDataset
    return _ParallelInterleaveDataset(self, map_func, cycle_length, block_length,
                                      num_parallel_calls)


# -- groups ----------------------------------------------------------------------------------------
@named("ops.group_by_window_op")
class _GroupByWindowDataset(DatasetV2):
    """Elements gathered by a key; each full group becomes a dataset."""

    def __init__(self, dataset: DatasetV2, key_func: Callable, reduce_func: Callable,
                 size_func: Callable):
        spec = dataset.element_spec
        where = "Dataset.group_by_window()"
        number = TensorSpec((), dtypes.int64)
        self._key = UserFunction(
            lambda *args: convert(_converted(key_func)(*args), dtypes.int64), spec, where)
        _check_key(self._key, "key_func")
        self._limit = UserFunction(
            lambda key: convert(_converted(size_func)(key), dtypes.int64), number, where)
        _check_key(self._limit, "window_size_func")
        self._reduce = dataset_reduce(reduce_func, (number, DatasetSpec(spec)), where)
        parts = (self._key, self._limit, self._reduce)
        self._ends = np.cumsum([len(one.captured) for one in parts]).tolist()
        self._set(self._reduce.structure.spec._element_spec, (dataset,),
                  tuple([x for one in parts for x in one.captured]))

    def _start(self, run: Run) -> Iterator[Any]:
        a, b, c = self._ends
        return _Grouped(self._input._start(run), self._input._structure,
                        self._key.instance(self._tensors[:a], run),
                        self._limit.instance(self._tensors[a:b], run),
                        self._reduce.instance(self._tensors[b:c], run), run)


def _converted(function: Callable) -> Callable:
    from tapeflow.graph.autograph import conversion
    return conversion.convert(function)


def _check_key(function: UserFunction, word: str) -> None:
    spec = function.structure.spec
    if not isinstance(spec, TensorSpec) or not spec.shape.is_compatible_with([]):
        raise ValueError(f"Invalid `{word}`. `{word}` must return a single `tf.int64` scalar "
                         f"tensor but its return type is {spec}.")


def dataset_reduce(function: Callable, spec: Any, where: str) -> UserFunction:
    made = UserFunction(function, spec, where)
    if not isinstance(made.structure.spec, DatasetSpec):
        raise TypeError(f"Invalid `reduce_func`. `reduce_func` must return a single "
                        f"`tf.data.Dataset` object but its return type is "
                        f"{made.structure.spec!r}.")
    return made


class _Grouped(Engine):
    __slots__ = ("_groups", "_input", "_key", "_limit", "_now", "_reduce", "_run", "_sizes",
                 "_structure")

    def __init__(self, elements: Iterator, structure: Any, key: Callable, limit: Callable,
                 reduce: Callable, run: Run):
        self._input: Iterator | None = elements
        self._structure, self._run = structure, run
        self._key, self._limit, self._reduce = key, limit, reduce
        self._groups: dict[int, list] = {}
        self._sizes: dict[int, int] = {}
        self._now: Iterator = iter(())

    def __next__(self) -> Any:
        while True:
            for values in self._now:
                return values
            self._now = iter(())
            self._now = self._following()

    def _following(self) -> Iterator:
        """The elements of the next group."""
        while self._input is not None:
            for values in self._input:
                key = int(self._key(values)[0])
                group = self._groups.setdefault(key, [])
                if not group:
                    self._sizes[key] = int(self._limit([np.int64(key)])[0])
                    if self._sizes[key] <= 0:
                        del self._groups[key]
                        raise failed(f"Window size must be greater than zero, but got "
                                     f"{self._sizes[key]}.")
                group.append(list(values))
                if len(group) == self._sizes[key]:
                    return self._finish(key)
                break
            else:
                self._input = None
        if not self._groups:
            raise StopIteration
        return self._finish(min(self._groups))

    def _finish(self, key: int) -> Iterator:
        window = _ValuesDataset(self._structure, self._groups.pop(key))
        return held(self._reduce([np.int64(key), handle(window)])[0])._start(self._run)


@method
def group_by_window(self: DatasetV2, key_func: Callable, reduce_func: Callable,
                    window_size: Any = None, window_size_func: Callable | None = None,
                    name: str | None = None) -> DatasetV2:
    """Groups elements by `key_func`; `reduce_func(key, group)` makes a dataset of each full group.

    """
    if (window_size is None) == (window_size_func is None):
        raise ValueError("Either the `window_size` argument or the `window_size_func` argument "
                         "must be specified.")
    if window_size is not None:
        size = integer(window_size, "window_size")
        window_size_func = lambda key: size
    assert window_size_func is not None
    return _GroupByWindowDataset(self, key_func, reduce_func, window_size_func)


@method
def bucket_by_sequence_length(self: DatasetV2, element_length_func: Callable,
                              bucket_boundaries: Any, bucket_batch_sizes: Any,
                              padded_shapes: Any = None, padding_values: Any = None,
                              pad_to_bucket_boundary: bool = False, no_padding: bool = False,
                              drop_remainder: bool = False, name: str | None = None) -> DatasetV2:
    """Padded batches of elements of similar length."""
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError(f"`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
                         f"`len(bucket_batch_sizes)={len(bucket_batch_sizes)}` and "
                         f"`len(bucket_boundaries)={len(bucket_boundaries)}`.")
    limits = convert(np.array(bucket_boundaries, np.int64))
    batch_sizes = convert(np.array(bucket_batch_sizes, np.int64))
    last = len(bucket_boundaries)

    def bucket(*args: Any) -> Tensor:
        """How many boundaries the length has reached."""
        length = cast(convert(_converted(element_length_func)(*args)), dtype=np.dtype("int64"))
        return reduce_sum(cast(length >= limits, dtype=np.dtype("int64")), axis=None)

    def batched(number: Tensor, group: DatasetV2) -> DatasetV2:
        size = batch_sizes[number]
        if no_padding:
            return group.batch(size, drop_remainder=drop_remainder)
        shapes = padded_shapes if padded_shapes is not None else map_leaves(
            lambda spec: spec.shape, group.element_spec)
        if pad_to_bucket_boundary:
            assertions.assert_less(
                number, np.int64(last), message="When pad_to_bucket_boundary=True, elements must "
                                                "have length < max(bucket_boundaries).")
            most = limits[comparison.minimum(number, np.int64(last - 1))] - 1
            outline = map_leaves(lambda _: 0, group.element_spec)
            flat = nest.flatten_up_to(outline, shapes, check_types=False)
            shapes = nest.pack_sequence_as(group.element_spec, [
                _filled(shape, most) for shape in flat])
        return group.padded_batch(size, shapes, padding_values, drop_remainder=drop_remainder)

    return self.group_by_window(bucket, batched, window_size_func=lambda key: batch_sizes[key])


def _filled(shape: Any, most: Tensor) -> Tensor:
    """A shape with `most` for what is unknown."""
    found = TensorShape(shape).as_list()
    if not found:
        return convert(np.zeros(0, np.int64))
    return joining.stack([most if n is None else convert(np.int64(n)) for n in found])


# -- choices ---------------------------------------------------------------------------------------
@named("ops.directed_interleave_op")
class _DirectedInterleaveDataset(DatasetV2):
    """From one of several datasets each time, as another dataset of numbers says."""

    def __init__(self, selector: DatasetV2, datasets: list, stop: bool):
        for one in datasets:
            if not isinstance(one, DatasetV2):
                raise TypeError(f"`datasets` must hold datasets, got {type(one)}.")
        spec = datasets[0].element_spec
        for i, one in enumerate(datasets[1:], 1):
            merged = wider(spec, one.element_spec)
            if merged is None:
                raise TypeError(f"Invalid `datasets`. `datasets` must have compatible element "
                                f"specs.\n Dataset 0 element_spec={spec}.\n Dataset {i} "
                                f"element_spec={one.element_spec}.")
            spec = merged
        self._stop = stop
        self._set(spec, (selector, *datasets))

    def _start(self, run: Run) -> Iterator[Any]:
        first, *others = [one._start(run.branch(self, i)) for i, one in enumerate(self._inputs)]
        return _Directed(first, others, self._stop)

    def _count(self) -> int:
        sizes = [one._count() for one in self._inputs[1:]]
        return INFINITE if INFINITE in sizes else UNKNOWN


class _Directed(Engine):
    __slots__ = ("_inputs", "_selector", "_stop")

    def __init__(self, selector: Iterator, inputs: list, stop: bool):
        self._selector: Iterator = selector
        self._inputs: list[Iterator | None] = inputs
        self._stop = stop

    def __next__(self) -> Any:
        for choice in self._selector:
            index = int(choice[0])
            if not 0 <= index < len(self._inputs):
                raise failed(f"Selector index out of range: {index} >= {len(self._inputs)}")
            now = self._inputs[index]
            if now is None:
                continue
            for values in now:
                return values
            self._inputs[index] = None
            if self._stop or not any(one is not None for one in self._inputs):
                break
        self._selector = iter(())
        self._inputs = [None] * len(self._inputs)
        raise StopIteration


@source
@attributes(stop_on_empty_dataset=flag)
def choose_from_datasets(datasets: Any, choice_dataset: DatasetV2,
                         stop_on_empty_dataset: bool = True) -> DatasetV2:
    """Elements of the datasets that the numbers in `choice_dataset` name, one each time."""
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    check_dataset(choice_dataset, "choose_from_datasets", "choice_dataset")
    if choice_dataset.element_spec != TensorSpec((), dtypes.int64):
        raise TypeError(f"Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar "
                        f"`tf.int64` tensors but are {choice_dataset.element_spec}.")
    return _DirectedInterleaveDataset(choice_dataset, list(datasets), stop_on_empty_dataset)


@source
def sample_from_datasets(datasets: Any, weights: Any = None, seed: Any = None,
                         stop_on_empty_dataset: bool = False,
                         rerandomize_each_iteration: bool | None = None) -> DatasetV2:
    """Elements of randomly chosen datasets; `weights` are the probabilities of each."""
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    datasets = list(datasets)
    numbers: Any = DatasetV2.random(
        seed=seed, rerandomize_each_iteration=rerandomize_each_iteration).batch(2) if len(
            datasets) > 1 or isinstance(weights, DatasetV2) else None
    draw = stateless.stateless_categorical
    if isinstance(weights, DatasetV2):
        logits = weights.map(lambda *p: exponential.log(convert(p)))
        if logits.element_spec.shape.rank not in (2, None):
            raise ValueError("Invalid `weights`. Elements of the dataset must be vectors "
                             f"but are {weights.element_spec}.")
        chosen = _MapDataset(DatasetV2.zip((logits, numbers)), lambda one, pair: shaping.squeeze(
            draw(one, 1, pair), [0, 1]))
        return _DirectedInterleaveDataset(chosen, datasets, stop_on_empty_dataset)
    if weights is None:
        odds = convert([[1.0] * len(datasets)])
    else:
        if len(datasets) != len(weights):
            raise ValueError(f"Invalid `weights`. `weights` should have the same length as "
                             f"`datasets` but got `len(weights)={len(weights)}` vs. "
                             f"`len(datasets)={len(datasets)}`.")
        if not isinstance(weights, Tensor):
            pairs = [(one, w) for one, w in zip(datasets, weights, strict=True) if w > 0]
            datasets, weights = ([one for one, _ in pairs], [w for _, w in pairs]) if pairs else (
                [datasets[0].take(0)], [1.0])
        found = convert(weights)
        if found.dtype.name not in ("float32", "float64"):
            raise TypeError(f"Invalid `weights`. `weights` type must be either `tf.float32` or "
                            f"`tf.float64` but is {found.dtype!r}.")
        odds = shaping.expand_dims(exponential.log(found), 0)
    if len(datasets) == 1:
        return datasets[0]
    chosen = _MapDataset(numbers, lambda pair: shaping.squeeze(draw(odds, 1, pair), [0, 1]))
    return _DirectedInterleaveDataset(chosen, datasets, stop_on_empty_dataset)


# -- resampling ------------------------------------------------------------------------------------
_SMOOTHING = 10  # elements of each class that are taken for seen before the first
_ESTIMATE = 32  # elements after which the estimate of the distribution changes


def _acceptance(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Probabilities to accept each class, and to take an element without asking.

    A class is wanted ratio = target / initial times as often as it comes. Elements are taken as
    they come with probability min(ratio), and what is missing is made up by rejection.
    """
    ratio = target / (initial + np.finfo(np.float32).tiny)
    most, least = reduce_max(ratio, axis=None), reduce_min(ratio, axis=None)
    return (ratio - least) / (most - least), least


@method
def rejection_resample(self: DatasetV2, class_func: Callable, target_dist: Any,
                       initial_dist: Any = None, seed: Any = None,
                       name: str | None = None) -> DatasetV2:
    """Pairs (class, element) in which classes have the distribution `target_dist`.

    Elements of frequent classes are left out at random. Without `initial_dist` their distribution
    is estimated on the way.
    """
    target = cast(convert(target_dist), dtype=np.dtype("float32"))
    classes = _converted(class_func)

    def labelled(*x: Any) -> tuple:
        return classes(*x), x[0] if len(x) == 1 else x

    from_tensors = DatasetV2.from_tensors
    if initial_dist is not None:
        initial = cast(convert(initial_dist), dtype=np.dtype("float32"))
        accepted, kept = _acceptance(initial, target)
        known_share = float(np.min(target._value / initial._value)) if type(
            initial) is Tensor and type(target) is Tensor else None
        if known_share == 1:
            return self.map(labelled)
        accepting, keeping = from_tensors(accepted).repeat(), from_tensors(kept).repeat()
        before = from_tensors(initial).repeat()
    else:
        known_share = None
        before = _estimated(self.map(class_func), target)
        both = before.map(lambda initial: _acceptance(initial, target))
        accepting, keeping = both.map(lambda a, b: a), both.map(lambda a, b: b)

    def probable(chances: Tensor, data: Any) -> tuple:
        kind = classes(*data) if isinstance(data, tuple) else classes(data)
        return kind, gathering.gather(chances, kind), data

    # The distribution itself is of no use here, but begins an iteration of what it is estimated
    # from, as in TensorFlow: a shuffle there draws its seeds in the same order.
    accepting = DatasetV2.zip((accepting, before)).map(lambda chances, initial: chances)
    filtered = DatasetV2.zip((accepting, self)).map(probable).filter(
        lambda kind, p, data: stateful.uniform([], seed=seed, dtype=p.dtype) < p).map(
            lambda kind, p, data: (kind, data)).prefetch(3)
    if known_share == 0:
        return filtered
    return DatasetV2.sample_from_datasets(
        [self.map(labelled), filtered], weights=keeping.map(lambda p: [(p, 1.0 - p)]), seed=seed,
        stop_on_empty_dataset=True)


def _estimated(classes: DatasetV2, target: Tensor) -> DatasetV2:
    """The distribution of classes as seen so far, for each element."""
    count = int(target.shape[0])
    begin = convert(np.full(count, _SMOOTHING, np.int64))

    def update(seen: Tensor, some: Tensor) -> tuple:
        seen = seen + reduce_sum(one_hot.one_hot(some, count, dtype=dtypes.int64), axis=(0,))
        share = cast(seen / reduce_sum(seen, axis=None), dtype=np.dtype("float32"))
        return seen, tiling.tile(shaping.expand_dims(share, 0), [_ESTIMATE, 1])

    return classes.batch(_ESTIMATE).scan(begin, update).unbatch()


# -- the same as functions -------------------------------------------------------------------------
@export("data.experimental.sample_from_datasets")
def sample_datasets(datasets: Any, weights: Any = None, seed: Any = None,
                    stop_on_empty_dataset: bool = False) -> DatasetV2:
    """Dataset.sample_from_datasets."""
    return sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


@export("data.experimental.choose_from_datasets")
@attributes(stop_on_empty_dataset=flag)
def choose_datasets(datasets: Any, choice_dataset: DatasetV2,
                    stop_on_empty_dataset: bool = False) -> DatasetV2:
    """Dataset.choose_from_datasets; it goes on when one of the datasets ends."""
    return choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)
