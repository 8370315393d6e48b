"""Windows: datasets of neighbouring elements."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from tapeflow.base import errors
from tapeflow.data.class_names import named
from tapeflow.data.dataset import DatasetSpec, DatasetV2, method
from tapeflow.data.elements.handles import handle
from tapeflow.data.elements.parameters import integer, known, switch
from tapeflow.data.elements.structure import Structure, map_leaves
from tapeflow.data.iterators.iteration import ElementIterator, Run
from tapeflow.data.sources.memory_sources import _ValuesDataset


@named("ops.window_op")
class _WindowDataset(DatasetV2):
    """Datasets of neighbouring elements."""

    def __init__(self, dataset: DatasetV2, size: Any, shift: Any, stride: Any, drop: Any):
        parameters = (integer(size, "size"), integer(size if shift is None else shift, "shift"),
                      integer(stride, "stride"))
        for parameter, word in zip(parameters, ("size", "shift", "stride"), strict=True):
            if known(parameter) is not None and int(parameter._value) < 1:
                raise errors.invalid("WindowDataset",
                                     f"Window {word} must be greater than zero.")
        self._drop = switch(drop, "drop_remainder")
        self._set(map_leaves(DatasetSpec, dataset.element_spec), (dataset,), parameters)

    def _start(self, run: Run) -> Iterator[Any]:
        size, shift, stride = [self._parameter(i) for i in range(3)]
        return _Windows(self._input._start(run), self._input._structure, size, shift, stride,
                        self._drop)

    def _cardinality(self) -> int:
        count = self._input._cardinality()
        size, shift, stride = [self._parameter(i) for i in range(3)]
        if count < 0:
            return count
        if self._drop:
            span = (size - 1) * stride + 1
            return 0 if count < span else (count - span) // shift + 1
        return -(-count // shift)


class _Windows(ElementIterator):
    __slots__ = ("_buffer", "_drop", "_ended", "_input", "_layout", "_skip", "_specs", "_widths")

    def __init__(self, elements: Iterator, structure: Structure, size: int, shift: int,
                 stride: int, drop: bool):
        self._input, self._drop = elements, drop
        self._layout = size, shift, stride
        self._specs = [Structure(leaf) for leaf in structure.leaves]
        self._widths = [len(parts) for parts in structure.components]
        self._buffer: deque = deque()
        self._skip, self._ended = 0, False

    def __next__(self) -> list:
        size, shift, stride = self._layout
        span = (size - 1) * stride + 1
        while not self._ended and (self._skip or len(self._buffer) < span):
            for values in self._input:
                if self._skip:
                    self._skip -= 1
                else:
                    self._buffer.append(values)
                break
            else:
                self._ended = True
        if not self._buffer or (self._drop and len(self._buffer) < span):
            raise StopIteration
        members = [self._buffer[i] for i in range(0, min(span, len(self._buffer)), stride)]
        dropped = min(shift, len(self._buffer))
        for _ in range(dropped):
            self._buffer.popleft()
        self._skip = shift - dropped
        return self._datasets(members)

    def _datasets(self, members: list) -> list:
        found, start = [], 0
        for structure, width in zip(self._specs, self._widths, strict=True):
            found.append(handle(_ValuesDataset(
                structure, [list(one[start:start + width]) for one in members])))
            start += width
        return found


@method
def window(self: DatasetV2, size: Any, shift: Any = None, stride: Any = 1,
           drop_remainder: Any = False, name: str | None = None) -> DatasetV2:
    """Datasets of `size` elements each, `stride` apart, beginning every `shift` elements.

    >>> [[int(x) for x in w] for w in tf.data.Dataset.range(5).window(3, shift=2)]
    [[0, 1, 2], [2, 3, 4], [4]]
    """
    return _WindowDataset(self, size, shift, stride, drop_remainder)
