"""Loops over the bytes of images, as scalar functions (`base/machine_code`).

Compiled for `png.py`, `gif.py` and `image_codecs.py`. What is damaged is left to the slow code.
"""

from __future__ import annotations

from tapeflow.base.machine_code.scalar_types import I32, I64, U8

CODES, NONE = 4096, 4098  # of GIF's packing, and what is no code
LONGEST = 4094  # bytes that a code stands for


def paeth(a: I64, b: I64, c: I64) -> I64:
    """Which of left, above and corner is nearest to left + above - corner."""
    near = b - c
    high = a - c
    far = near + high
    near = -near if near < 0 else near
    high = -high if high < 0 else high
    far = -far if far < 0 else far
    if near <= high and near <= far:
        return a
    return b if high <= far else c


def unfilter(raw: U8, rows: I64, size: I64, step: I64, out: U8) -> I64:
    """Rows of PNG bytes, each after the number of its filter, unfiltered; how many were good."""
    for r in range(rows):
        kind = raw[r * (size + 1)]
        source = U8(int(raw) + r * (size + 1) + 1)
        row = U8(int(out) + r * size)
        above = U8(int(out) + (r - 1) * size)
        first = step if step < size else size
        if kind > 4:
            return r
        if r == 0 and kind == 2:
            kind = 0
        if kind == 0:
            for i in range(size):
                row[i] = source[i]
        elif kind == 1:
            for i in range(first):
                row[i] = source[i]
            for i in range(first, size):
                row[i] = source[i] + row[i - step]
        elif kind == 2:
            for i in range(size):
                row[i] = source[i] + above[i]
        elif r == 0:  # nothing above
            for i in range(first):
                row[i] = source[i]
            for i in range(first, size):
                row[i] = source[i] + (row[i - step] >> 1 if kind == 3 else row[i - step])
        elif kind == 3:
            for i in range(first):
                row[i] = source[i] + (above[i] >> 1)
            for i in range(first, size):
                row[i] = source[i] + ((row[i - step] + above[i]) >> 1)
        else:
            for i in range(first):
                row[i] = source[i] + above[i]
            for i in range(first, size):
                row[i] = source[i] + paeth(row[i - step], above[i], above[i - step])
    return rows


def first_byte(prefix: I32, code: I64, clear: I64) -> I64:
    """The first byte of what a code stands for."""
    while code > clear:
        code = prefix[code]
    return code


def expand(code: I64, new: I64, last: I64, clear: I64, prefix: I32, suffix: U8, stack: U8) -> I64:
    """The bytes that a code stands for to `stack`, the last one first; how many, -1 for damage."""
    depth = 0
    if code > clear and prefix[code] == NONE:  # good if it is the new one: the last and its first
        if code != new or last == NONE:
            return -1
        stack[0] = first_byte(prefix, last, clear)
        depth = 1
        code = last
    while code > clear:
        if depth >= LONGEST:
            return -1
        stack[depth] = suffix[code]
        depth += 1
        code = prefix[code]
    stack[depth] = code
    return depth + 1


def unpack(data: U8, at: I64, end: I64, bits: I64, count: I64, prefix: I32, suffix: U8, stack: U8,
           out: U8) -> I64:
    """The colour numbers of a frame of GIF, and where its last block ends; -1 if it is damaged.

    A code stands for what the code `prefix` stands for and the byte `suffix`.
    """
    clear = 1 << bits
    running = clear + 2
    wide = bits + 1
    limit = 1 << wide
    last = NONE
    block = at  # where the bytes of the block end
    held = 0
    there = 0
    done = 0
    for i in range(CODES):
        prefix[i] = NONE
    while done < count:
        while there < wide:
            if at == block:
                if at >= end or data[at] == 0 or at + 1 + data[at] > end:
                    return -1
                block = at + 1 + data[at]
                at += 1
            held |= data[at] << there
            at += 1
            there += 8
        code = held & ((1 << wide) - 1)
        held = held >> wide
        there -= wide
        if running < CODES + 1:
            running += 1
            if running > limit and wide < 12:
                limit = limit << 1
                wide += 1
        if code == clear:
            running = clear + 2
            wide = bits + 1
            limit = 1 << wide
            last = NONE
            for i in range(CODES):
                prefix[i] = NONE
            continue
        new = running - 2
        depth = -1
        if code != clear + 1 and code <= new:
            depth = expand(code, new, last, clear, prefix, suffix, stack)
        if depth < 0:
            return -1
        first = stack[depth - 1]
        while depth > 0 and done < count:
            depth -= 1
            out[done] = stack[depth]
            done += 1
        if last != NONE and new < CODES and prefix[new] == NONE:
            prefix[new] = last
            suffix[new] = first_byte(prefix, last, clear) if code == new else first
        last = code
    return block


def paint(numbers: U8, numbers_row: I64, rows: I64, columns: I64, palette: U8, colours: I64,
          clear: I64, out: U8, out_row: I64) -> I64:
    """Colours for the numbers of a frame but for `clear`; 0 if a number has none."""
    for r in range(rows):
        source = U8(int(numbers) + r * numbers_row)
        row = U8(int(out) + r * out_row)
        for i in range(columns):
            number = source[i]
            if number != clear:
                if number >= colours:
                    return 0
                row[3 * i] = palette[3 * number]
                row[3 * i + 1] = palette[3 * number + 1]
                row[3 * i + 2] = palette[3 * number + 2]
    return 1


def reorder(data: U8, row_size: I64, rows: I64, columns: I64, deep: I64, bottom_up: I64,
            out: U8) -> I64:
    """The pixels of a BMP, whose colours stand the other way round."""
    for r in range(rows):
        from_row = rows - 1 - r if bottom_up else r
        source = U8(int(data) + from_row * row_size)
        row = U8(int(out) + r * columns * deep)
        if deep == 1:
            for i in range(columns):
                row[i] = source[i]
        elif deep == 3:
            for i in range(columns):
                row[3 * i] = source[3 * i + 2]
                row[3 * i + 1] = source[3 * i + 1]
                row[3 * i + 2] = source[3 * i]
        else:
            for i in range(columns):
                row[4 * i] = source[4 * i + 2]
                row[4 * i + 1] = source[4 * i + 1]
                row[4 * i + 2] = source[4 * i]
                row[4 * i + 3] = source[4 * i + 3]
    return rows
