"""Elements gathered by a key: group_by_window, bucket_by_sequence_length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetSpec, DatasetV2, method
from tapeflow.data.elements.handles import handle, held
from tapeflow.data.elements.parameters import integer
from tapeflow.data.elements.structure import map_leaves
from tapeflow.data.functions.user_function import UserFunction, converted
from tapeflow.data.iterators.iteration import ElementIterator, Run, failed
from tapeflow.data.sources.memory_sources import _ValuesDataset
from tapeflow.ops.array import joining
from tapeflow.ops.control import assertions
from tapeflow.ops.math import comparison
from tapeflow.ops.reduce.reduction import reduce_sum


@named("ops.group_by_window_op")
class _GroupByWindowDataset(DatasetV2):
    """Elements gathered by a key; each full group becomes a dataset."""

    def __init__(self, dataset: DatasetV2, key_func: Callable, reduce_func: Callable,
                 size_func: Callable):
        spec = dataset.element_spec
        where = "Dataset.group_by_window()"
        key_spec = TensorSpec((), dtypes.int64)
        self._key = UserFunction(
            lambda *args: convert(converted(key_func)(*args), dtypes.int64), spec, where)
        _check_key(self._key, "key_func")
        self._limit = UserFunction(
            lambda key: convert(converted(size_func)(key), dtypes.int64), key_spec, where)
        _check_key(self._limit, "window_size_func")
        self._reduce = dataset_reduce(reduce_func, (key_spec, DatasetSpec(spec)), where)
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


class _Grouped(ElementIterator):
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
    limits = convert(list(bucket_boundaries), dtypes.int64)
    batch_sizes = convert(list(bucket_batch_sizes), dtypes.int64)
    last = len(bucket_boundaries)

    def bucket(*args: Any) -> Tensor:
        """How many boundaries the length has reached."""
        length = cast(convert(converted(element_length_func)(*args)), dtype=np.dtype("int64"))
        return reduce_sum(cast(length >= limits, dtype=np.dtype("int64")), axis=None)

    def batched(bucket: Tensor, group: DatasetV2) -> DatasetV2:
        size = batch_sizes[bucket]
        if no_padding:
            return group.batch(size, drop_remainder=drop_remainder)
        shapes = padded_shapes if padded_shapes is not None else map_leaves(
            lambda spec: spec.shape, group.element_spec)
        if pad_to_bucket_boundary:
            assertions.assert_less(
                bucket, np.int64(last), message="When pad_to_bucket_boundary=True, elements must "
                                                "have length < max(bucket_boundaries).")
            most = limits[comparison.minimum(bucket, np.int64(last - 1))] - 1
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
