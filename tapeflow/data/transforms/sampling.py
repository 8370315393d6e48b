"""One of several datasets each time: choose_from_datasets, sample_from_datasets; and
rejection_resample, which leaves elements out until classes have a given distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named
from tapeflow.data.dataset import INFINITE, UNKNOWN, DatasetV2, check_dataset, method, source
from tapeflow.data.elements.structure import common_spec
from tapeflow.data.functions.user_function import converted
from tapeflow.data.iterators.iteration import ElementIterator, Run, failed
from tapeflow.data.transforms.map_filter import _MapDataset
from tapeflow.ops.array import one_hot, shaping, tiling
from tapeflow.ops.indexing import gathering
from tapeflow.ops.math import exponential
from tapeflow.ops.random import stateful, stateless
from tapeflow.ops.reduce.reduction import reduce_max, reduce_min, reduce_sum


@named("ops.directed_interleave_op")
class _DirectedInterleaveDataset(DatasetV2):
    """From one of several datasets each time, as another dataset of indices says."""

    def __init__(self, selector: DatasetV2, datasets: list, stop: bool):
        for one in datasets:
            if not isinstance(one, DatasetV2):
                raise TypeError(f"`datasets` must hold datasets, got {type(one)}.")
        spec = datasets[0].element_spec
        for i, one in enumerate(datasets[1:], 1):
            merged = common_spec(spec, one.element_spec)
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

    def _cardinality(self) -> int:
        sizes = [one._cardinality() for one in self._inputs[1:]]
        return INFINITE if INFINITE in sizes else UNKNOWN


class _Directed(ElementIterator):
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
    """Elements of the datasets that the indices in `choice_dataset` name, one each time."""
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
    seeds: Any = DatasetV2.random(
        seed=seed, rerandomize_each_iteration=rerandomize_each_iteration).batch(2) if len(
            datasets) > 1 or isinstance(weights, DatasetV2) else None
    draw = stateless.stateless_categorical
    if isinstance(weights, DatasetV2):
        logits = weights.map(lambda *p: exponential.log(convert(p)))
        if logits.element_spec.shape.rank not in (2, None):
            raise ValueError("Invalid `weights`. Elements of the dataset must be vectors "
                             f"but are {weights.element_spec}.")
        chosen = _MapDataset(DatasetV2.zip((logits, seeds)), lambda one, pair: shaping.squeeze(
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
        if found.shape.rank != 1:
            raise ValueError("Invalid `weights`. The shape of `weights` should be compatible with "
                             f"`[len(datasets)]` but is {found.shape}.")
        odds = shaping.expand_dims(exponential.log(found), 0)
    if len(datasets) == 1:
        return datasets[0]
    chosen = _MapDataset(seeds, lambda pair: shaping.squeeze(draw(odds, 1, pair), [0, 1]))
    return _DirectedInterleaveDataset(chosen, datasets, stop_on_empty_dataset)


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
    classes = converted(class_func)

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
