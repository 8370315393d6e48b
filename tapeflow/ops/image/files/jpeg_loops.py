"""From the bits of a JPEG file to pixels, as scalar functions (`base/machine_code`).

Compiled for `jpeg.py`, which reads the header. Every function gives what libjpeg gives, to the bit:
its two inverse transforms, its smooth upsampling of colours, its conversion to red, green and blue.
Files of another kind and damaged ones are left to others.
"""

from __future__ import annotations

from tapeflow.base.machine_code.scalar_types import (
    I16,
    I32,
    I64,
    U8,
    I16x8,
    I64s,
    big_word,
    clamped,
    high_pairs,
    high_product,
    lanes,
    low_pairs,
    put,
    put_pixels,
    saturated,
    unsigned_shift,
    widened,
    word,
)

RELEASES_GIL = True  # a file takes long, and nothing of Python is looked at
# A table of codes: for each of the next LOOK bits (total length, size << 8, run << 12), or 0 if the
# code is longer; then for each length the first code behind those that have it, as 16 bits from the
# left, and where its symbols are; then the symbols.
LOOK = 10
LIMITS, PLACES, SYMBOLS, TABLE = 1024, 1056, 1088, 1344
PADDING = 512  # bytes behind the bits; a block takes fewer
# The plan: what `jpeg.py` found in the header.
WIDTH, HEIGHT, COMPONENTS, ACROSS, DOWN, RESTART, COLUMNS, ROWS = 0, 1, 2, 3, 4, 5, 6, 7
FAST, CHANNELS, COLOUR_WIDTH, COLOUR_HEIGHT, STRIDE, COLOUR_STRIDE = 8, 9, 10, 11, 12, 13
HELD, THERE, AT, END = 0, 1, 2, 3  # the state of reading bits
ONES, TOPS = 0x0101010101010101, -0x7F7F7F7F7F7F7F80


def unstuff(data: U8, at: I64, end: I64, out: U8, starts: I64s, most: I64) -> I64:
    """Bits without the zeros behind 255 and without restart marks; where the next marker is, or -1.

    `starts[0]` counts the parts, whose beginnings in `out` follow, and the end of the last.
    """
    made = 0
    count = 1
    starts[1] = 0
    while at < end:
        if at + 8 <= end:
            eight = word(data, at)
            others = eight ^ -1
            if ((others - ONES) & eight & TOPS) == 0:  # none is 255
                for i in range(8):
                    out[made + i] = data[at + i]
                at += 8
                made += 8
                continue
        one = data[at]
        if one == 255:
            if at + 1 >= end:
                return -1
            kind = data[at + 1]
            if kind >= 0xD0 and kind <= 0xD7:
                if count >= most or kind != 0xD0 + ((count - 1) & 7):
                    return -1
                count += 1
                starts[count] = made
                at += 2
                continue
            if kind:
                starts[0] = count
                starts[count + 1] = made
                for i in range(PADDING):
                    out[made + i] = 0
                return at
            at += 1
        out[made] = one
        made += 1
        at += 1
    return -1


def long_code(held: I64, table: I32) -> I64:
    """The entry of a code of more than LOOK bits; 0 if there is none."""
    code = unsigned_shift(held, 48)
    for length in range(LOOK + 1, 17):
        if code < table[LIMITS + length]:
            symbol = table[SYMBOLS + ((table[PLACES + length] + (code >> (16 - length))) & 255)]
            return (length + (symbol & 15)) | ((symbol & 15) << 8) | ((symbol >> 4) << 12)
    return 0


def extended(held: I64, entry: I64) -> I64:
    """The number whose bits follow a code: `size` of them, the first one tells the sign."""
    size = (entry >> 8) & 15
    bits = held << ((entry & 255) - size)
    value = unsigned_shift(bits >> 1 & 0x7FFFFFFFFFFFFFFF, 63 - size)
    return value if bits < 0 else value + 1 - (1 << size)


def read_block(state: I64s, data: U8, direct: I32, alternating: I32, order: U8, coefs: I16,
               before: I64) -> I64:
    """One block's coefficients where they are not 0; the last one's place, or -1 for damage."""
    held = state[HELD]
    there = state[THERE]
    at = state[AT]
    if at > state[END] + 8:
        return -1
    if there < 32:
        held = held | unsigned_shift(big_word(data, at), there)
        at += (63 - there) >> 3
        there = there | 56
    entry = direct[unsigned_shift(held, 64 - LOOK)]
    if entry == 0:
        entry = long_code(held, direct)
    if entry == 0 or entry >> 12:
        return -1
    value = before
    if entry >> 8:
        value += extended(held, entry)
    coefs[0] = value
    held = held << (entry & 255)
    there -= entry & 255
    k = 1
    last = 0
    while k < 64:
        if there < 32:
            held = held | unsigned_shift(big_word(data, at), there)
            at += (63 - there) >> 3
            there = there | 56
        entry = alternating[unsigned_shift(held, 64 - LOOK)]
        if entry == 0:
            entry = long_code(held, alternating)
            if entry == 0:
                return -1
        k += entry >> 12
        if (entry & 0xF00) == 0:
            held = held << (entry & 255)
            there -= entry & 255
            if entry >> 12 != 15:
                break
            k += 1
            continue
        if k > 63:
            return -1
        coefs[order[k]] = extended(held, entry)
        last = k
        held = held << (entry & 255)
        there -= entry & 255
        k += 1
    state[HELD] = held
    state[THERE] = there
    state[AT] = at
    return last


# -- inverse transforms ----------------------------------------------------------------------------
def transposed(rows: I16, a: I16x8, b: I16x8, c: I16x8, d: I16x8, e: I16x8, f: I16x8, g: I16x8,
               h: I16x8) -> I64:
    """Eight rows of eight to memory, as columns."""
    ae = low_pairs(a, e)
    ea = high_pairs(a, e)
    bf = low_pairs(b, f)
    fb = high_pairs(b, f)
    cg = low_pairs(c, g)
    gc = high_pairs(c, g)
    dh = low_pairs(d, h)
    hd = high_pairs(d, h)
    a = low_pairs(ae, cg)
    b = high_pairs(ae, cg)
    c = low_pairs(bf, dh)
    d = high_pairs(bf, dh)
    e = low_pairs(ea, gc)
    f = high_pairs(ea, gc)
    g = low_pairs(fb, hd)
    h = high_pairs(fb, hd)
    put(rows, 0, low_pairs(a, c))
    put(rows, 8, high_pairs(a, c))
    put(rows, 16, low_pairs(b, d))
    put(rows, 24, high_pairs(b, d))
    put(rows, 32, low_pairs(e, g))
    put(rows, 40, high_pairs(e, g))
    put(rows, 48, low_pairs(f, h))
    put(rows, 56, high_pairs(f, h))
    return 0


def accurate_pass(rows: I16, down: I64) -> I64:
    """libjpeg's accurate transform of columns, by 2 to the `down`; the result is transposed."""
    half = 1 << (down - 1)
    two = widened(lanes(rows, 16))
    six = widened(lanes(rows, 48))
    z1 = (two + six) * 4433
    t2 = z1 - six * 15137
    t3 = z1 + two * 6270
    zero = widened(lanes(rows, 0))
    four = widened(lanes(rows, 32))
    t0 = ((zero + four) << 13) + half
    t1 = ((zero - four) << 13) + half
    e0 = t0 + t3
    e3 = t0 - t3
    e1 = t1 + t2
    e2 = t1 - t2
    one = widened(lanes(rows, 8))
    three = widened(lanes(rows, 24))
    five = widened(lanes(rows, 40))
    seven = widened(lanes(rows, 56))
    z3 = seven + three
    z4 = five + one
    z5 = (z3 + z4) * 9633
    z3 = z5 - z3 * 16069
    z4 = z5 - z4 * 3196
    z1 = (seven + one) * 7373
    z2 = (five + three) * 20995
    o0 = seven * 2446 - z1 + z3
    o1 = five * 16819 - z2 + z4
    o2 = three * 25172 - z2 + z3
    o3 = one * 12299 - z1 + z4
    return transposed(
        rows, saturated((e0 + o3) >> down), saturated((e1 + o2) >> down),
        saturated((e2 + o1) >> down), saturated((e3 + o0) >> down),
        saturated((e3 - o0) >> down), saturated((e2 - o1) >> down),
        saturated((e1 - o2) >> down), saturated((e0 - o3) >> down))


def times(value: I16x8, factor: I64) -> I16x8:
    """A product of a number and a factor in 1 / 256."""
    return high_product(value << 2, I16x8(factor << 6))


def fast_pass(rows: I16, down: I64) -> I64:
    """libjpeg's fast transform of columns; the result is transposed."""
    zero = lanes(rows, 0)
    two = lanes(rows, 16)
    four = lanes(rows, 32)
    six = lanes(rows, 48)
    t0 = zero + four
    t1 = zero - four
    t3 = two + six
    t2 = times(two - six, 362) - t3
    e0 = t0 + t3
    e3 = t0 - t3
    e1 = t1 + t2
    e2 = t1 - t2
    one = lanes(rows, 8)
    three = lanes(rows, 24)
    five = lanes(rows, 40)
    seven = lanes(rows, 56)
    z13 = five + three
    z10 = five - three
    z11 = one + seven
    z12 = one - seven
    o7 = z11 + z13
    t1 = times(z11 - z13, 362)
    z5 = times(z10 + z12, 473)
    t0 = times(z12, 277) - z5
    t2 = times(z10, -413) - z10 + z5
    o6 = t2 - o7
    o5 = t1 - o6
    o4 = t0 + o5
    return transposed(rows, (e0 + o7) >> down, (e1 + o6) >> down, (e2 + o5) >> down,
                      (e3 - o4) >> down, (e3 + o4) >> down, (e2 - o5) >> down,
                      (e1 - o6) >> down, (e0 - o7) >> down)


def transform(coefs: I16, quants: I16, fast: I64, last: I64, out: U8, stride: I64) -> I64:
    """A block's pixels from its coefficients, which are 0 afterwards."""
    for r in range(8):
        put(coefs, 8 * r, lanes(coefs, 8 * r) * lanes(quants, 8 * r))
    if last == 0:
        mean = coefs[0] >> 5 if fast else (coefs[0] + 4) >> 3
        mean = 127 if mean > 127 else mean
        mean = -128 if mean < -128 else mean
        for r in range(8):
            put(out, r * stride, I16x8(mean + 128))
        coefs[0] = 0
        return 0
    if fast:
        fast_pass(coefs, 0)
        fast_pass(coefs, 5)
    else:
        accurate_pass(coefs, 11)
        accurate_pass(coefs, 18)
    for r in range(8):
        put(out, r * stride, clamped(lanes(coefs, 8 * r), -128, 127) + 128)
        put(coefs, 8 * r, I16x8(0))
    return 0


# -- colours ---------------------------------------------------------------------------------------
def colours(out: U8, at: I64, luma: I16x8, blue: I16x8, red: I16x8) -> I64:
    """Eight pixels from brightness and the two differences of colour."""
    b = widened(blue - 128)
    r = widened(red - 128)
    y = widened(luma)
    return put_pixels(
        out, at, clamped(saturated(y + ((r * 91881 + 32768) >> 16)), 0, 255),
        clamped(saturated(y + ((b * -22554 - r * 46802 + 32768) >> 16)), 0, 255),
        clamped(saturated(y + ((b * 116130 + 32768) >> 16)), 0, 255))


def mixed(near: U8, far: U8, down: I64, width: I64, out: I16) -> I64:
    """A row of colour differences between two rows, with a copy of the last beyond each end."""
    i = 0
    while i < width:
        row = lanes(near, i)
        if down > 1:
            row = row * 3 + lanes(far, i)
        put(out, 1 + i, row)
        i += 8
    out[0] = out[1]
    out[width + 1] = out[width]
    return 0


def sixteen(plan: I64s, luma: U8, blue: I16, red: I16, x: I64, bias: I64, out: U8) -> I64:
    """Sixteen pixels of a row from `x` on."""
    if plan[ACROSS] == 1:
        down = 2 if plan[DOWN] > 1 else 0
        add = bias if plan[DOWN] > 1 else 0
        for i in range(2):
            at = x + 8 * i
            colours(out, 24 * i, lanes(luma, at), (lanes(blue, 1 + at) + add) >> down,
                    (lanes(red, 1 + at) + add) >> down)
        return 0
    at = 1 + (x >> 1)
    down = 4 if plan[DOWN] > 1 else 2
    even = 8 if plan[DOWN] > 1 else 1
    odd = 7 if plan[DOWN] > 1 else 2
    b = lanes(blue, at) * 3
    r = lanes(red, at) * 3
    b0 = (b + lanes(blue, at - 1) + even) >> down
    b1 = (b + lanes(blue, at + 1) + odd) >> down
    r0 = (r + lanes(red, at - 1) + even) >> down
    r1 = (r + lanes(red, at + 1) + odd) >> down
    colours(out, 0, lanes(luma, x), low_pairs(b0, b1), low_pairs(r0, r1))
    return colours(out, 24, lanes(luma, x + 8), high_pairs(b0, b1), high_pairs(r0, r1))


def narrow_row(plan: I64s, luma: U8, blue: U8, red: U8, rows: I16, tail: U8, out: U8) -> I64:
    """A row of less than five pixels with half as many colours, each of which is repeated."""
    second = I16(int(rows) + 16)
    for x in range(8):
        rows[x] = blue[x >> 1]
        second[x] = red[x >> 1]
    colours(tail, 0, lanes(luma, 0), lanes(rows, 0), lanes(second, 0))
    for i in range(3 * plan[WIDTH]):
        out[i] = tail[i]
    return 0


def write_row(plan: I64s, y: I64, luma: U8, blue: U8, red: U8, rows: I16, tail: U8,
              out: U8) -> I64:
    """Row `y` of the image from strips, which hold each row at its number modulo their height."""
    width = plan[WIDTH]
    source = U8(int(luma) + (y & (16 * plan[DOWN] - 1)) * plan[STRIDE])
    if plan[CHANNELS] == 1:
        for x in range(width):
            out[x] = source[x]
        return 0
    if plan[COMPONENTS] == 1:
        for x in range(width):
            out[3 * x] = source[x]
            out[3 * x + 1] = source[x]
            out[3 * x + 2] = source[x]
        return 0
    near = y
    far = y
    bias = 1
    if plan[DOWN] > 1:
        near = y >> 1
        far = near + 1 if y & 1 else near - 1
        bias = 2 if y & 1 else 1
        far = 0 if far < 0 else far
        far = plan[COLOUR_HEIGHT] - 1 if far >= plan[COLOUR_HEIGHT] else far
    at = (near & 15) * plan[COLOUR_STRIDE]
    beside = (far & 15) * plan[COLOUR_STRIDE]
    if plan[ACROSS] > 1 and width < 5:
        return narrow_row(plan, source, U8(int(blue) + at), U8(int(red) + at), rows, tail, out)
    second = I16(int(rows) + 2 * plan[COLOUR_STRIDE])
    mixed(U8(int(blue) + at), U8(int(blue) + beside), plan[DOWN], plan[COLOUR_WIDTH], rows)
    mixed(U8(int(red) + at), U8(int(red) + beside), plan[DOWN], plan[COLOUR_WIDTH], second)
    x = 0
    while x + 16 <= width:
        sixteen(plan, source, rows, second, x, bias, U8(int(out) + 3 * x))
        x += 16
    if x < width:
        sixteen(plan, source, rows, second, x, bias, tail)
        for i in range(3 * (width - x)):
            out[3 * x + i] = tail[i]
    return 0


# -- the whole -------------------------------------------------------------------------------------
def restart(state: I64s, starts: I64s, part: I64, means: I64s) -> I64:
    """Reading goes on where a part begins; 0 if the one before was too short, or there is none."""
    if part > 0 and state[AT] - (state[THERE] >> 3) > starts[part + 1]:
        return 0
    if part >= starts[0]:
        return 0
    state[HELD] = 0
    state[THERE] = 0
    state[AT] = starts[part + 1]
    state[END] = starts[part + 2]
    for i in range(3):
        means[i] = 0
    return 1


def read_unit(plan: I64s, state: I64s, means: I64s, data: U8, tables: I32, quants: I16, order: U8,
              coefs: I16, column: I64, row: I64, strips: I64s) -> I64:
    """The blocks that belong together at a place of the image; 0 for damage."""
    for c in range(plan[COMPONENTS]):
        across = plan[ACROSS] if c == 0 else 1
        down = plan[DOWN] if c == 0 else 1
        stride = plan[STRIDE] if c == 0 else plan[COLOUR_STRIDE]
        strip = strips[c] + (row & 1) * 8 * down * stride + 8 * across * column
        direct = I32(int(tables) + 8 * TABLE * c)
        for k in range(across * down):
            last = read_block(state, data, direct, I32(int(direct) + 4 * TABLE), order, coefs,
                              means[c])
            if last < 0:
                return 0
            means[c] = coefs[0]
            v = k >> 1 if across == 2 else k
            h = k & 1 if across == 2 else 0
            transform(coefs, I16(int(quants) + 128 * c), plan[FAST], last,
                      U8(strip + 8 * v * stride + 8 * h), stride)
    return 1


def decode(plan: I64s, data: U8, starts: I64s, tables: I32, quants: I16, order: U8, work: I64s,
           luma: U8, blue: U8, red: U8, rows: I16, out: U8) -> I64:
    """All pixels; 0 if the bits are damaged, or not all of them are used."""
    state = work
    means = I64s(int(work) + 64)
    strips = I64s(int(work) + 128)
    coefs = I16(int(work) + 192)
    tail = U8(int(work) + 320)
    strips[0] = int(luma)
    strips[1] = int(blue)
    strips[2] = int(red)
    y = 0
    part = 0
    left = 0
    for row in range(plan[ROWS]):
        for column in range(plan[COLUMNS]):
            if left == 0:
                if not restart(state, starts, part, means):
                    return 0
                part += 1
                left = plan[RESTART]
            left -= 1
            if not read_unit(plan, state, means, data, tables, quants, order, coefs, column, row,
                             strips):
                return 0
        ready = 8 * plan[DOWN] * (row + 1)
        ready = ready - 1 if plan[DOWN] > 1 else ready
        ready = plan[HEIGHT] if row + 1 == plan[ROWS] or ready > plan[HEIGHT] else ready
        while y < ready:
            write_row(plan, y, luma, blue, red, rows, tail,
                      U8(int(out) + y * plan[WIDTH] * plan[CHANNELS]))
            y += 1
    if part != starts[0]:
        return 0
    unused = state[END] - (state[AT] - (state[THERE] >> 3))
    return 1 if unused >= 0 and unused < 3 else 0
