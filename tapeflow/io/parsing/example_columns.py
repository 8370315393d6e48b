"""Features of many Examples at once, by machine code. Imported by `examples.py`.

`columns_of` gives the features of many Examples, of which `Columns.flat` reads one: its values in
all Examples, one after another, and how many each has; `values_of_one` reads those of one Example.
Both give None where the slow reader has to look: Examples in an unusual form, damaged ones, lists
of another type; or if reading was too little so far for machine code to pay.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.dtypes import DType
from tapeflow.base.machine_code.scalar_functions import ScalarFunctions, address
from tapeflow.io.parsing.example_loops import FIELDS
from tapeflow.io.parsing.features import KINDS
from tapeflow.io.protobuf.wire import read_varint, unpack_varints

LOOPS = ScalarFunctions("tapeflow.io.parsing.example_loops")
_COST = 8.0  # microseconds for one feature of one Example, without machine code


class Wanted:
    """Names and dtypes of features, as machine code looks for them."""

    def __init__(self, features: list[tuple[str, DType]]):
        names = [name.encode("utf-8", "surrogateescape") for name, _ in features]
        self.joined = b"".join(names)
        self.ends = np.cumsum([0, *[len(one) for one in names]])
        self.kinds = np.array([KINDS[dtype.name] for _, dtype in features])
        self.kind_list = self.kinds.tolist()
        self.dtypes = [dtype for _, dtype in features]
        self.distinct = len(set(names)) == len(names)
        self.ends_address = address(self.ends)
        # For one Example: a cursor, and the numbers of each feature.
        self.one_row = ctypes.c_int64 * (1 + FIELDS * len(names))


class Column(NamedTuple):
    """A feature of many Examples; `there` says which have it at all."""

    values: np.ndarray
    counts: np.ndarray
    there: np.ndarray


class Columns:
    """The features of some Examples, found but not read yet."""

    def __init__(self, loops: Any, objects: np.ndarray, wanted: Wanted, table: np.ndarray):
        self._loops, self._objects, self._wanted, self._table = loops, objects, wanted, table
        self.rows = len(table)

    def counts(self, k: int) -> np.ndarray:
        """How many values each Example has of feature number k."""
        return self._table[:, k, 3]

    def there(self, k: int) -> np.ndarray:
        return self._table[:, k, 0] != 0

    def values(self, k: int, starts: np.ndarray, out: np.ndarray) -> None:
        """Copy the values of feature number k to a flat array, from `starts` of each row on."""
        kind = int(self._wanted.kinds[k])
        where = (address(self._objects), self.rows, address(self._table) + 8 * FIELDS * k,
                 FIELDS * self._table.shape[1])
        if kind == 1:
            self._strings(k, where, starts, out)
            return
        starts = np.ascontiguousarray(starts, np.int64)
        copy = self._loops.copy_floats if kind == 2 else self._loops.copy_ints
        copy(*where, address(starts), address(out))

    def _strings(self, k: int, where: tuple, starts: np.ndarray, out: np.ndarray) -> None:
        counts = self.counts(k)
        cursor, spans = np.empty(1, np.int64), np.empty((int(counts.sum()), 3), np.int64)
        self._loops.find_strings(*where, address(cursor), address(spans))
        objects = self._objects.tolist()
        found = np.empty(len(spans), object)
        found[:] = [objects[i][begin:end] for i, begin, end in spans.tolist()]
        if len(spans):
            before = np.cumsum(counts) - counts
            out[np.repeat(starts - before, counts) + np.arange(len(spans))] = found

    def flat(self, k: int) -> Column:
        """All values of feature number k, one after another."""
        counts = self.counts(k)
        values = np.empty(int(counts.sum()), self._wanted.dtypes[k].np)
        self.values(k, np.cumsum(counts) - counts, values)
        return Column(values, counts, self.there(k))


def values_of_one(data: Any, wanted: Wanted) -> list[np.ndarray | None] | None:
    """The values of each feature of one Example, None for one that it does not have.

    None where the slow reader has to look.
    """
    count = len(wanted.dtypes)
    loops = LOOPS.ready(_COST * count)
    if loops is None or type(data) is not bytes:
        return None
    row = wanted.one_row()
    if not loops.find_in_example(data, len(data), wanted.joined, wanted.ends_address, count, row,
                                 row, 1):
        return None
    numbers = row[1:]
    found: list[np.ndarray | None] = []
    for k, kind in enumerate(wanted.kind_list):
        there, begin, end, size = numbers[FIELDS * k:FIELDS * k + FIELDS]
        if not there:
            found.append(None)
        elif there != kind:
            return None
        elif kind == 2:
            found.append(np.frombuffer(data, np.float32, size, begin).copy())
        elif kind == 1:
            found.append(_strings_of_one(data, begin, end, size))
        elif end - begin == size:  # numbers of one byte each
            found.append(np.frombuffer(data, np.uint8, size, begin).astype(np.int64))
        else:
            found.append(unpack_varints(data[begin:end]))
    return found


def _strings_of_one(data: bytes, at: int, end: int, count: int) -> np.ndarray:
    out = np.empty(count, object)
    for i in range(count):
        size, at = read_varint(data, at + 1)
        out[i] = data[at:at + size]
        at += size
    return out


def columns_of(serialized: np.ndarray, wanted: Wanted) -> Columns | None:
    """The features of Examples, or None where the slow reader has to look."""
    rows, count = serialized.size, len(wanted.kinds)
    loops = LOOPS.ready(_COST * rows * count)
    if loops is None or not rows:
        return None
    objects = np.ascontiguousarray(serialized).reshape(-1)
    table, cursor = np.empty((rows, count, FIELDS), np.int64), np.empty(1, np.int64)
    done = loops.find_features(address(objects), rows, id(bytes), wanted.joined,
                               address(wanted.ends), count, address(cursor), address(table))
    kinds = table[:, :, 0]
    if done < rows or ((kinds != 0) & (kinds != wanted.kinds)).any():
        return None
    return Columns(loops, objects, wanted, table)
