"""The features of serialized Examples, as scalar functions (`base/machine_code`).

Compiled for `example_columns.py`. `find_features` looks for the wanted features of every Example
and writes a row of numbers for each, FIELDS numbers for each feature; the others copy the values of
one feature. Only the form that writers give an Example is read; at anything else, damaged or not,
`find_features` stops, and the slow reader decides. No length is followed before it has been
compared with what there is.
"""

from __future__ import annotations

from tapeflow.base.machine_code.scalar_functions import BYTES_DATA, BYTES_SIZE, BYTES_TYPE
from tapeflow.base.machine_code.scalar_types import I64, U8, U32, I64s

FIELDS = 4  # kind of list (0: none), where its values begin and end, how many there are
TAG_1, TAG_2, TAG_3 = 0x0A, 0x12, 0x1A  # fields 1, 2 and 3, each with a length


def length_at(data: U8, end: I64, cursor: I64s) -> I64:
    """The length at `cursor`, which moves behind it; -1 if it is none, or leads behind `end`."""
    at = cursor[0]
    length = 0
    shift = 0
    while at < end and shift < 35:
        byte = data[at]
        at += 1
        length |= (byte & 127) << shift
        if byte < 128:
            cursor[0] = at
            return length if length <= end - at else -1
        shift += 7
    return -1


def same_bytes(data: U8, at: I64, other: U8, other_at: I64, size: I64) -> I64:
    for i in range(size):
        if data[at + i] != other[other_at + i]:
            return 0
    return 1


def wanted_key(data: U8, at: I64, size: I64, keys: U8, ends: I64s, count: I64, first: I64) -> I64:
    """Which of the wanted keys stands at `at`, or -1; the search begins with number `first`."""
    k = first
    for _ in range(count):
        if k >= count:
            k = 0
        begin = ends[k]
        if ends[k + 1] - begin == size and same_bytes(data, at, keys, begin, size):
            return k
        k += 1
    return -1


def count_strings(data: U8, at: I64, end: I64, cursor: I64s) -> I64:
    """How many strings a BytesList has; -1 if it has something else."""
    count = 0
    while at < end:
        if data[at] != TAG_1:
            return -1
        cursor[0] = at + 1
        size = length_at(data, end, cursor)
        if size < 0:
            return -1
        at = cursor[0] + size
        count += 1
    return count


def count_varints(data: U8, at: I64, end: I64) -> I64:
    """How many numbers of at most ten bytes there are; -1 if there is something else."""
    count = 0
    long = 0
    while at < end:
        if data[at] < 128:
            count += 1
            long = 0
        else:
            long += 1
            if long > 9:
                return -1
        at += 1
    return -1 if long else count


def describe(data: U8, at: I64, end: I64, cursor: I64s, row: I64s, place: I64) -> I64:
    """Write what the Feature from `at` to `end` holds to `row`; 0 if it is not as usual."""
    row[place] = 0
    row[place + 3] = 0
    if at == end:
        return 1
    kind = 0
    if data[at] == TAG_1:
        kind = 1
    elif data[at] == TAG_2:
        kind = 2
    elif data[at] == TAG_3:
        kind = 3
    else:
        return 0
    cursor[0] = at + 1
    size = length_at(data, end, cursor)
    at = cursor[0]
    if size < 0 or at + size != end:
        return 0
    if kind != 1 and size:  # packed numbers
        if data[at] != TAG_1:
            return 0
        cursor[0] = at + 1
        size = length_at(data, end, cursor)
        at = cursor[0]
        if size < 0 or at + size != end:
            return 0
    count = size >> 2
    if kind == 1:
        count = count_strings(data, at, end, cursor)
    elif kind == 3:
        count = count_varints(data, at, end)
    elif size & 3:
        return 0
    row[place] = kind
    row[place + 1] = at
    row[place + 2] = end
    row[place + 3] = count
    return count >= 0


def find_in_example(data: U8, size: I64, keys: U8, ends: I64s, count: I64, cursor: I64s,
                    row: I64s, place: I64) -> I64:
    """The features of one Example to `row`; 0 if it is not as usual."""
    for k in range(count):
        row[place + FIELDS * k] = 0
        row[place + FIELDS * k + 3] = 0
    if size == 0:
        return 1
    if data[0] != TAG_1:
        return 0
    cursor[0] = 1
    length = length_at(data, size, cursor)
    at = cursor[0]
    if length < 0 or at + length != size:
        return 0
    next_key = 0
    while at < size:
        if data[at] != TAG_1:
            return 0
        cursor[0] = at + 1
        length = length_at(data, size, cursor)
        at = cursor[0]
        if length < 0 or at == size or data[at] != TAG_1:
            return 0
        end = at + length
        cursor[0] = at + 1
        length = length_at(data, end, cursor)
        key = cursor[0]
        at = key + length
        if length < 0 or at >= end or data[at] != TAG_2:
            return 0
        cursor[0] = at + 1
        found = wanted_key(data, key, length, keys, ends, count, next_key)
        length = length_at(data, end, cursor)
        at = cursor[0]
        if length < 0 or at + length != end:
            return 0
        if found >= 0:
            if describe(data, at, end, cursor, row, place + FIELDS * found) == 0:
                return 0
            next_key = found + 1
        at = end
    return 1


def find_features(objects: I64s, rows: I64, bytes_type: I64, keys: U8, ends: I64s, count: I64,
                  cursor: I64s, table: I64s) -> I64:
    """How many of the first Examples, which are bytes objects, are as usual; all: it is done."""
    for i in range(rows):
        kind = I64s(objects[i] + BYTES_TYPE)
        if kind[0] != bytes_type:
            return i
        size = I64s(objects[i] + BYTES_SIZE)
        data = U8(objects[i] + BYTES_DATA)
        if find_in_example(data, size[0], keys, ends, count, cursor, table,
                           i * count * FIELDS) == 0:
            return i
    return rows


def copy_ints(objects: I64s, rows: I64, table: I64s, stride: I64, starts: I64s, out: I64s) -> I64:
    """The values of an Int64List of each Example, from `starts` of it on."""
    for i in range(rows):
        data = U8(objects[i] + BYTES_DATA)
        if table[stride * i] == 3:
            at = table[stride * i + 1]
            end = table[stride * i + 2]
            k = starts[i]
            while at < end:
                value = data[at]
                at += 1
                if value >= 128:
                    value &= 127
                    shift = 7
                    byte = 128
                    while byte >= 128:
                        byte = data[at]
                        at += 1
                        value |= (byte & 127) << shift
                        shift += 7
                out[k] = value
                k += 1
    return 0


def copy_floats(objects: I64s, rows: I64, table: I64s, stride: I64, starts: I64s,
                out: U32) -> I64:
    """The values of a FloatList of each Example, from `starts` of it on."""
    for i in range(rows):
        data = U32(objects[i] + BYTES_DATA + table[stride * i + 1])
        if table[stride * i] == 2:
            begin = starts[i]
            for k in range(table[stride * i + 3]):
                out[begin + k] = data[k]
    return 0


def find_strings(objects: I64s, rows: I64, table: I64s, stride: I64, cursor: I64s,
                 out: I64s) -> I64:
    """The number of the Example, begin and end of each string, one after another."""
    k = 0
    for i in range(rows):
        data = U8(objects[i] + BYTES_DATA)
        if table[stride * i] == 1:
            at = table[stride * i + 1]
            end = table[stride * i + 2]
            while at < end:
                cursor[0] = at + 1
                size = length_at(data, end, cursor)
                at = cursor[0] + size
                out[3 * k] = i
                out[3 * k + 1] = at - size
                out[3 * k + 2] = at
                k += 1
    return k
