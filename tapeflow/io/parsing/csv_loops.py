"""Fields of CSV lines and the numbers in them, as scalar functions (`base/machine_code`).

Compiled for `csv.py`. `read_lines` stops at a line that has anything unusual in it: a doubled
quote, blanks around a number, more digits than a float64 holds exactly, a field too many. The slow
reader takes that line.
"""

from __future__ import annotations

from tapeflow.base.machine_code.scalar_functions import BYTES_DATA, BYTES_SIZE, BYTES_TYPE
from tapeflow.base.machine_code.scalar_types import F32, F64, I32, I64, U8, F64s, I64s

TEXT, FLOAT32, FLOAT64, INT32, INT64 = 0, 1, 2, 3, 4
QUOTE, LF, CR, MINUS, PLUS, POINT, ZERO, E, SMALL_E = 34, 10, 13, 45, 43, 46, 48, 69, 101
DIGITS = 18  # that a whole number has at most
EXACT = 1 << 53  # whole numbers up to here are float64s,
POWER = 22  # and so are powers of ten


def read_int(data: U8, at: I64, end: I64, low: I64, high: I64, out: I64s) -> I64:
    """The whole number from `at` to `end` to `out`; 0 if it is none, or not within the bounds."""
    negative = 0
    if data[at] == MINUS:
        negative = 1
        at += 1
    elif data[at] == PLUS:
        at += 1
    if at >= end or end - at > DIGITS:
        return 0
    value = 0
    while at < end:
        digit = data[at] - ZERO
        if digit < 0 or digit > 9:
            return 0
        value = value * 10 + digit
        at += 1
    if negative:
        value = -value
    out[0] = value
    return low <= value <= high


def read_float(data: U8, at: I64, end: I64, powers: F64s, out: F64s) -> I64:
    """The number from `at` to `end` to `out`, rounded once; 0 if it is none, or too long."""
    sign = 1.0
    if data[at] == MINUS:
        sign = -1.0
        at += 1
    elif data[at] == PLUS:
        at += 1
    mantissa = 0
    digits = 0
    power = 0
    after = 0  # the point
    while at < end:
        byte = data[at]
        if byte == POINT and after == 0:
            after = 1
        elif byte >= ZERO and byte <= ZERO + 9:
            digits += 1
            mantissa = mantissa * 10 + byte - ZERO
            power -= after
        else:
            break
        at += 1
        if digits > DIGITS:
            return 0
    if digits == 0 or mantissa > EXACT:
        return 0
    if at < end:
        if data[at] != E and data[at] != SMALL_E:
            return 0
        at += 1
        if at >= end or end - at > 4 or read_int(data, at, end, -99, 99, I64s(int(out))) == 0:
            return 0
        exponent = I64s(int(out))
        power += exponent[0]
    if power > POWER or power < -POWER:
        return 0
    value = float(mantissa)
    if power < 0:
        value = value / powers[-power]
    else:
        value = value * powers[power]
    out[0] = sign * value
    return 1


def field_end(data: U8, at: I64, size: I64, delim: I64, quotes: I64) -> I64:
    """Where the field ends that begins at `at`; -1 if it is unusual."""
    if quotes and at < size and data[at] == QUOTE:
        at += 1
        while at < size and data[at] != QUOTE:
            at += 1
        if at >= size or (at + 1 < size and data[at + 1] != delim):
            return -1
        return at + 1
    while at < size and data[at] != delim:
        if quotes and (data[at] == QUOTE or data[at] == LF or data[at] == CR):
            return -1
        at += 1
    return at


def is_missing(data: U8, at: I64, end: I64, na: U8, na_size: I64) -> I64:
    """Whether a field is empty, or what stands for nothing."""
    if at == end:
        return 1
    if end - at != na_size:
        return 0
    for i in range(na_size):
        if data[at + i] != na[i]:
            return 0
    return 1


def put_int(kind: I64, out: I64, row: I64, value: I64) -> I64:
    if kind == INT32:
        narrow = I32(out)
        narrow[row] = value
    else:
        wide = I64s(out)
        wide[row] = value
    return 1


def put_float(kind: I64, out: I64, row: I64, value: F64) -> I64:
    if kind == FLOAT32:
        narrow = F32(out)
        narrow[row] = value
    else:
        wide = F64s(out)
        wide[row] = value
    return 1


def put_field(data: U8, at: I64, end: I64, column: I64s, row: I64, na: U8, na_size: I64,
              powers: F64s) -> I64:
    """Write a field to its column; 0 if it is unusual.

    `column`: kind, address of the values, whether there is a default, the default (the bits of a
    float), and room for a number.
    """
    kind = column[0]
    out = column[1]
    missing = is_missing(data, at, end, na, na_size)
    if missing and column[2] == 0:
        return 0
    if kind == TEXT:
        spans = I64s(out)
        spans[2 * row] = -1 if missing else at
        spans[2 * row + 1] = end
        return 1
    room = I64s(int(column) + 32)
    floats = F64s(int(column) + 24)
    if kind >= INT32:
        if missing:
            return put_int(kind, out, row, column[3])
        high = 2147483647 if kind == INT32 else 9223372036854775807
        if read_int(data, at, end, -high - 1, high, room) == 0:
            return 0
        return put_int(kind, out, row, room[0])
    if missing:
        return put_float(kind, out, row, floats[0])
    if read_float(data, at, end, powers, F64s(int(room))) == 0:
        return 0
    return put_float(kind, out, row, floats[1])


def read_line(data: U8, size: I64, row: I64, delim: I64, quotes: I64, na: U8, na_size: I64,
              slots: I64s, slot_count: I64, exact: I64, columns: I64s, powers: F64s) -> I64:
    """Write the fields of a line to their columns; 0 if it is unusual.

    `slots`: for each field the number of its column, or -1; `exact`: there must be no other field.
    """
    if size == 0:
        return 0
    at = 0
    field = 0
    while at <= size:
        end = field_end(data, at, size, delim, quotes)
        if end < 0:
            return 0
        if field >= slot_count:
            if exact:
                return 0
        elif slots[field] >= 0:
            quoted = quotes and at < size and data[at] == QUOTE
            column = I64s(int(columns) + 40 * slots[field])
            if put_field(data, at + quoted, end - quoted, column, row, na, na_size, powers) == 0:
                return 0
        field += 1
        at = end + 1
    return field >= slot_count


def read_lines(objects: I64s, first: I64, rows: I64, bytes_type: I64, delim: I64, quotes: I64,
               na: U8, na_size: I64, slots: I64s, slot_count: I64, exact: I64, columns: I64s,
               powers: F64s) -> I64:
    """Read lines, which are bytes objects, from number `first` on; where it stops."""
    for row in range(first, rows):
        kind = I64s(objects[row] + BYTES_TYPE)
        if kind[0] != bytes_type:
            return row
        size = I64s(objects[row] + BYTES_SIZE)
        data = U8(objects[row] + BYTES_DATA)
        if read_line(data, size[0], row, delim, quotes, na, na_size, slots, slot_count, exact,
                     columns, powers) == 0:
            return row
    return rows
