"""Many elements at once: columns hold a component of each, so a batch is a slice or one `take`.

A reader's `read(n)` gives up to n elements as columns, at least one, or None at the end; it has no
effects that users could see, so reading ahead is allowed. Imported by the datasets that can.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.base.exception_origin import from_handler
from tapeflow.data.elements.structure import element_at, elements_in

if TYPE_CHECKING:
    from tapeflow.data.functions.vectorized import Vectorized

AHEAD = 256  # elements that an iteration over elements reads at once
BYTES = 1 << 20


class ColumnReader:
    """Elements of columns in memory, in order."""

    __slots__ = ("_at", "_columns", "_size")

    def __init__(self, columns: list[np.ndarray]):
        self._columns, self._at = columns, 0
        self._size = len(columns[0])

    def read(self, n: int) -> list[np.ndarray] | None:
        start = self._at
        if start >= self._size:
            return None
        self._at = start + n
        return [column[start:start + n] for column in self._columns]

    def skip(self, n: int) -> None:
        self._at += n


class IndexedReader:
    """Elements of columns in memory, in the order in which `indices(n)` names them."""

    __slots__ = ("_columns", "_indices")

    def __init__(self, columns: list[np.ndarray], indices: Any):
        self._columns, self._indices = columns, indices

    def read(self, n: int) -> list[np.ndarray] | None:
        order = self._indices(n)
        if not order:
            return None
        return [column.take(order, axis=0) for column in self._columns]


class MapReader:
    """A function on the elements of another reader.

    If an element fails, those before it are given first; the error follows with the next read, and
    then the elements behind it.
    """

    __slots__ = ("_captured", "_error", "_function", "_input", "_left", "_one")

    def __init__(self, reader: Any, function: Vectorized, captured: tuple, one: Any):
        self._input, self._function, self._one = reader, function, one
        self._captured = [x._value for x in captured]
        self._error: Exception | None = None
        self._left: list[np.ndarray] | None = None

    def read(self, n: int) -> list[np.ndarray] | None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        columns, self._left = self._left, None
        if columns is None:
            columns = self._input.read(n)
        if columns is None:
            return None
        program = self._function.program(len(columns[0]))
        if program is not None:
            try:
                return list(program.run([*columns, *self._captured], ()))
            except Exception as error:  # one of the elements: they run one by one
                if from_handler(error):
                    self._left = columns
                    raise
        return self._one_by_one(columns)

    def _one_by_one(self, columns: list[np.ndarray]) -> list[np.ndarray]:
        found: list[Any] = []
        count = len(columns[0])
        for i in range(count):
            try:
                found.append(self._one([element_at(column, i) for column in columns]))
            except Exception as error:
                again = i if from_handler(error) else i + 1  # an interrupted one comes once more
                if again < count:
                    self._left = [column[again:] for column in columns]
                if not found:
                    raise
                self._error = error
                break
        return [_column(one) for one in zip(*found, strict=True)]


def _column(values: tuple) -> np.ndarray:
    first = values[0]
    made = np.empty((len(values), *first.shape), first.dtype)
    if first.ndim:
        for i, value in enumerate(values):
            made[i] = value
    else:
        made[:] = values if first.dtype.kind != "O" else [value.item() for value in values]
    return made


class ChainReader:
    """Reader after reader; `more()` gives the next one, or None."""

    __slots__ = ("_more", "_now")

    def __init__(self, more: Any):
        self._more = more
        self._now = more()

    def read(self, n: int) -> list[np.ndarray] | None:
        while self._now is not None:
            found = self._now.read(n)
            if found is not None:
                return found
            self._now = self._more()
        return None


class ZipReader:
    """Elements of several readers side by side; the shortest ends it."""

    __slots__ = ("_readers",)

    def __init__(self, readers: list):
        self._readers = readers

    def read(self, n: int) -> list[np.ndarray] | None:
        columns: list[np.ndarray] = []
        for reader in self._readers:
            found = read_exactly(reader, n)
            if found is None:
                return None
            columns += found
        least = min(len(column) for column in columns)
        return [column[:least] for column in columns] if least < n else columns


class LimitReader:
    """At most `limit` elements of another reader."""

    __slots__ = ("_input", "_left")

    def __init__(self, reader: Any, limit: int):
        self._input, self._left = reader, limit

    def read(self, n: int) -> list[np.ndarray] | None:
        if not self._left:
            return None
        found = self._input.read(min(n, self._left))
        self._left -= self._left if found is None else len(found[0])
        return found


class SkipReader:
    """All elements of another reader but the first `count`."""

    __slots__ = ("_input", "_left")

    def __init__(self, reader: Any, count: int):
        self._input, self._left = reader, count

    def read(self, n: int) -> list[np.ndarray] | None:
        while self._left:
            found = self._input.read(min(self._left, AHEAD))
            if found is None:
                self._left = 0
                return None
            self._left -= len(found[0])
        return self._input.read(n)


class CountReader:
    """The integers from `start` on."""

    __slots__ = ("_at",)

    def __init__(self, start: int):
        self._at = start

    def read(self, n: int) -> list[np.ndarray]:
        self._at += n
        return [np.arange(self._at - n, self._at, dtype=np.int64)]


def read_exactly(reader: Any, n: int) -> list[np.ndarray] | None:
    """n elements, fewer only at the end."""
    found = reader.read(n)
    if found is None or len(found[0]) == n:
        return found
    parts, count = [found], len(found[0])
    while count < n:
        found = reader.read(n - count)
        if found is None:
            break
        parts.append(found)
        count += len(found[0])
    if len(parts) == 1:
        return parts[0]
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def elements_of(reader: Any) -> Iterator[tuple]:
    """The elements of a reader as elements."""
    return _Elements(reader)


class _Elements:
    """Reads a few elements at first and more later: whoever takes one shall not pay for many."""

    __slots__ = ("_ahead", "_now", "_reader")

    def __init__(self, reader: Any):
        self._reader, self._ahead = reader, 4
        self._now: Iterator[tuple] = iter(())

    def __iter__(self) -> _Elements:
        return self

    def __next__(self) -> tuple:
        for found in self._now:
            return found
        columns = self._reader.read(self._ahead)
        if columns is None:
            raise StopIteration
        width = sum(column.nbytes for column in columns) // len(columns[0]) + 1
        self._ahead = max(1, min(2 * self._ahead, AHEAD, BYTES // width))
        self._now = zip(*[elements_in(column) for column in columns], strict=True)
        return next(self._now)


def elements_of_columns(columns: list[np.ndarray]) -> Iterator[tuple]:
    """The elements of a table."""
    return zip(*[elements_in(column) for column in columns], strict=True)
