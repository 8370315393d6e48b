"""How the elements of a value lie in memory, when it is only a view of one that has memory.

A transposed, sliced or reshaped value has no elements of its own. `View` says where they are in the
value that has (its buffer), counted in elements from the buffer's start, axis by axis.
"""

from __future__ import annotations

from typing import Any

from tapeflow.graph import ir


def contiguous(shape: tuple) -> tuple[int, ...]:
    """Strides, in elements, of an array whose elements lie one behind the other."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


class View:
    """A value as a view of its buffer: offset and strides in elements."""

    __slots__ = ("axes", "offset", "buffer", "shape", "strides")

    def __init__(self, buffer: ir.Value, shape: tuple, offset: int, strides: tuple):
        self.buffer, self.shape, self.offset, self.strides = buffer, shape, offset, strides
        self.axes = self._axes()

    def _axes(self) -> tuple | None:
        """For each axis the buffer's axis that it is; None where the value repeats or has size 1.

        None as a whole: the value is no mere rearrangement of all of the buffer's axes.
        """
        sizes: Any = self.buffer.shape
        steps = contiguous(sizes)
        if self.offset:
            return None
        open_ = {k for k, size in enumerate(sizes) if size > 1}
        axes: list[int | None] = []
        for size, stride in zip(self.shape, self.strides, strict=True):
            if size == 1 or stride == 0:
                axes.append(None)
                continue
            found = next((k for k in open_ if steps[k] == stride and sizes[k] == size), None)
            if found is None:
                return None
            open_.discard(found)
            axes.append(found)
        return None if open_ else tuple(axes)

    @property
    def dense(self) -> bool:
        """Whether its elements lie one behind the other."""
        return all(n == 1 or a == b for n, a, b in zip(
            self.shape, self.strides, contiguous(self.shape), strict=True))

    @property
    def whole(self) -> bool:
        """Whether it is the buffer, element by element."""
        return self.offset == 0 and self.dense and (
            _count(self.shape) == _count(self.buffer.shape or ()))

    def viewed(self, offset: int, sizes: tuple, strides: tuple) -> View:
        """A view of this value, given as if this value were contiguous."""
        first = _indices(offset, self.shape)
        begin = self.offset + _dot(first, self.strides)
        steps = []
        for size, stride in zip(sizes, strides, strict=True):
            if size <= 1 or stride == 0:
                steps.append(0)
                continue
            # The step along this axis, in each axis of the value.
            second = _indices(offset + stride, self.shape)
            steps.append(_dot([b - a for a, b in zip(first, second, strict=True)], self.strides))
        return View(self.buffer, tuple(sizes), begin, tuple(steps))

    def reshaped(self, shape: tuple) -> View | None:
        """The same elements in the same order; None if they would have to be moved."""
        old = [(n, s) for n, s in zip(self.shape, self.strides, strict=True) if n != 1]
        strides: list[int] = [0] * len(shape)
        groups = _matching([n for n, _ in old], [n for n in shape if n != 1])
        axes = [i for i, n in enumerate(shape) if n != 1]
        if groups is None:
            return None
        for ours, theirs in groups:
            for i in ours[1:]:
                if old[i - 1][1] != old[i][0] * old[i][1]:
                    return None
            step = old[ours[-1]][1]
            for i in reversed(theirs):
                strides[axes[i]] = step
                step *= shape[axes[i]]
        return View(self.buffer, tuple(shape), self.offset, tuple(strides))


def _matching(old: list[int], new: list[int]) -> list[tuple[list[int], list[int]]] | None:
    """Groups of old and new axes with the same number of elements, in order."""
    groups, i, j = [], 0, 0
    while i < len(old) or j < len(new):
        if i >= len(old) or j >= len(new):
            return None
        ours, theirs, a, b = [i], [j], old[i], new[j]
        while a != b:
            if a < b:
                i += 1
                if i >= len(old):
                    return None
                ours.append(i)
                a *= old[i]
            else:
                j += 1
                if j >= len(new):
                    return None
                theirs.append(j)
                b *= new[j]
        groups.append((ours, theirs))
        i, j = i + 1, j + 1
    return groups


def whole(value: ir.Value) -> View:
    """A value that has a buffer of its own."""
    shape: Any = value.shape
    return View(value, shape, 0, contiguous(shape))


def _indices(flat: int, shape: tuple) -> list[int]:
    """The index along each axis of the element at a flat index."""
    indices = []
    for size in reversed(shape):
        indices.append(flat % size if size else 0)
        flat //= size or 1
    return indices[::-1]


def _dot(a: Any, b: Any) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _count(shape: tuple) -> int:
    total = 1
    for size in shape:
        total *= size
    return total
