"""Elements that are made before they are asked for: prefetch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetV2, method
from tapeflow.data.elements.parameters import integer, known
from tapeflow.data.iterators.iteration import Run
from tapeflow.data.iterators.threads import PrefetchIfSlow, PrefetchIterator
from tapeflow.data.options import AUTOTUNE

AUTO_BUFFER = 4  # elements that prefetch(AUTOTUNE) keeps ready
_MOST_AHEAD = 1 << 20  # elements: nobody waits for more


@named("ops.prefetch_op")
class _PrefetchDataset(DatasetV2):
    """Elements that are made before they are asked for."""

    def __init__(self, dataset: DatasetV2, buffer_size: Any):
        size = integer(AUTOTUNE if buffer_size is None else buffer_size, "buffer_size")
        if known(size) is not None:
            _check_size(int(size._value))
        self._set(dataset._structure, (dataset,), (size,))

    def _start(self, run: Run) -> Iterator[Any]:
        size = self._parameter(0)
        _check_size(size)
        elements = self._input._start(run)
        if size == 0 or self._input._cardinality() == 1:  # nothing to work ahead on
            return elements
        if size == AUTOTUNE and not self._input._is_slow():
            return PrefetchIfSlow(elements, AUTO_BUFFER)
        return PrefetchIterator(
            elements, AUTO_BUFFER if size == AUTOTUNE else min(size, _MOST_AHEAD))

    def _cardinality(self) -> int:
        return self._input._cardinality()


def _check_size(size: int) -> None:
    if size < AUTOTUNE:
        raise errors.invalid("PrefetchDataset", f"buffer_size must be >= 0 or set buffer_size to "
                                                f"be {AUTOTUNE} for auto-tuning, got {size}")


@method
def prefetch(self: DatasetV2, buffer_size: Any, name: str | None = None) -> DatasetV2:
    """Makes up to `buffer_size` elements in the background, before they are asked for."""
    return _PrefetchDataset(self, buffer_size)
