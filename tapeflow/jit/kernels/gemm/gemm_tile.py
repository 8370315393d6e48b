"""Blocks of a matrix product that stay in registers, and the packing of operands for them.

A tile is `rows` × a few vectors of columns, summed over k by a loop that loads the vectors of one
row of B once and multiplies them by one number of A for each row. Used by `gemm` and `windows`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import LLVM, SHORT, Builder, Val
from tapeflow.jit.codegen.llvm_text import Code, Module

FINISH = Choice("gemm_tile.finish", ("row", "column"))
PEEL = Choice("gemm_tile.last", ("plain", "exact"))  # exact: the last row of B is peeled
COLUMNS = Choice("gemm_tile.columns", ("along", "squares", "numbers"))
ROWS = Choice("gemm_tile.rows", ("squares", "along", "numbers"))

Epilogue = Callable[[Builder, Code, str, str, Val, int], None]


def wide(dtype: str) -> str:
    """The dtype that sums are made in."""
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def load_wide(b: Builder, pointer: str, dtype: str) -> Val:
    x = b.load(pointer, dtype)
    return b.widen(x) if dtype in ("float16", "bfloat16") else x


def multiply_add(b: Builder, x: Val, y: Val, z: Val) -> Val:
    return b.fma(x, y, z) if x.dtype in SHORT else b.add(b.mul(x, y), z)


def pieces(width: int, most: int) -> list[int]:
    """A width as powers of two, the largest first."""
    found = []
    while width:
        piece = min(most, 1 << (width.bit_length() - 1))
        found.append(piece)
        width -= piece
    return found


def vectors(width: int, lanes: int) -> list[tuple[int, int, int]]:
    """(first column, lanes computed, lanes that count) of the vectors that cover a width."""
    found = [(at, lanes, lanes) for at in range(0, width - lanes + 1, lanes)]
    rest = width % lanes
    if rest:
        found.append((width - rest, 1 << (rest - 1).bit_length(), rest))
    return found


def padded(width: int, lanes: int) -> int:
    """The width of a packed panel."""
    return sum(computed for _, computed, _ in vectors(width, lanes))


class Operand:
    """Where a tile finds its numbers: a pointer, the step from row to row and along k."""

    def __init__(self, pointer: str, row: int, k: int, dtype: str):
        self.pointer, self.row, self.k, self.dtype = pointer, row, k, dtype

    def place(self, code: Code, row: int, k: Any) -> str:
        column = code.at(self.pointer, code.mul(k, self.k), LLVM[self.dtype])
        return code.at(column, row * self.row, LLVM[self.dtype])


class Rows(Operand):
    """Rows that begin anywhere, with their numbers one after the other."""

    def __init__(self, pointers: list[str], shift: Any, dtype: str):
        self.pointers, self.shift, self.dtype = pointers, shift, dtype

    def place(self, code: Code, row: int, k: Any) -> str:
        return code.at(self.pointers[row], code.add(self.shift, k), LLVM[self.dtype])


def kinds_of(cover: list, dtype: str) -> list[str]:
    """LLVM's types of the vectors that cover a width."""
    return [f"<{lanes} x {LLVM[dtype]}>" if lanes > 1 else LLVM[dtype] for _, lanes, _ in cover]


def zeros_of(cover: list, rows: int, dtype: str) -> list[tuple[str, str]]:
    """(type, zero) of a tile's accumulators."""
    one = "0.0" if dtype in SHORT else "0"
    return [(kind, "zeroinitializer" if kind[0] == "<" else one)
            for kind in kinds_of(cover, dtype)] * rows


def tile(code: Code, rows: int, cover: list[tuple[int, int, int]], k: tuple[Any, Any], a: Operand,
         b: Operand, start: list[str], exact: bool) -> list[str]:
    """Sums of a tile over k in range(*k); gives the accumulators' names, row by row.

    `b.k` is the step along k, columns are neighbours. exact: no element beyond the last column of
    the last row of B may be touched; in earlier rows that is just the next row.
    """
    carry = [(kind, one) for kind, one in zip(kinds_of(cover, wide(a.dtype)) * rows, start)]
    begin, end = k
    peel = exact and any(lanes != count for _, lanes, count in cover) and begin != end
    PEEL("exact" if peel else "plain")
    last = code.add(end, -1) if peel else end
    some = isinstance(begin, int) and isinstance(end, int) and begin < end - peel
    with code.loop(begin, last, 1, carry, some=some or None) as loop:
        loop.after = step(code, rows, cover, loop.index, a, b, loop.carry)
    sums = loop.results
    return step(code, rows, cover, last, a, b, sums, True) if peel else sums


def step(code: Code, rows: int, cover: list, k: Any, a: Operand, b: Operand, sums: list[str],
         exact: bool = False) -> list[str]:
    """The sums after one more k."""
    kind_b = LLVM[b.dtype]
    row_b = code.at(b.pointer, code.mul(k, b.k), kind_b)
    ys = []
    for at, lanes, count in cover:
        builder = Builder(code, lanes)
        where = code.at(row_b, at, kind_b)
        if exact and count != lanes:
            ys.append((builder, _short(code, where, lanes, count, b.dtype)))
        else:
            ys.append((builder, load_wide(builder, where, b.dtype)))
    one = Builder(code, 1)
    result = []
    for i in range(rows):
        number = load_wide(one, a.place(code, i, k), a.dtype)
        for j, (builder, y) in enumerate(ys):
            x = builder.splat(number.text, number.dtype)
            total = Val(sums[i * len(cover) + j], y.dtype)
            result.append(multiply_add(builder, x, y, total).text)
    return result


def _short(code: Code, where: str, lanes: int, count: int, dtype: str) -> Val:
    """`count` elements in a vector of more lanes; the others are undefined."""
    few = Builder(code, count)
    loaded = load_wide(few, where, dtype)
    kind = LLVM[loaded.dtype]
    if count == 1:
        return Val(code.pure(f"insertelement <{lanes} x {kind}> poison, {kind} {loaded.text}, "
                             "i64 0"), loaded.dtype)
    mask = ", ".join(f"i32 {i}" if i < count else "i32 poison" for i in range(lanes))
    return Val(code.pure(f"shufflevector <{count} x {kind}> {loaded.text}, <{count} x {kind}> "
                         f"poison, <{lanes} x i32> <{mask}>"), loaded.dtype)


def lanes_of(code: Code, x: Val, lanes: int, begin: int, count: int) -> Val:
    """Some neighbouring lanes of a vector."""
    kind = LLVM[x.dtype]
    if lanes == count:
        return x
    if count == 1:
        return Val(code.pure(f"extractelement <{lanes} x {kind}> {x.text}, i64 {begin}"), x.dtype)
    mask = ", ".join(f"i32 {begin + i}" for i in range(count))
    return Val(code.pure(f"shufflevector <{lanes} x {kind}> {x.text}, <{lanes} x {kind}> poison, "
                         f"<{count} x i32> <{mask}>"), x.dtype)


def load_some(builder: Builder, where: str, dtype: str, count: int) -> str:
    """`count` elements in a value of the builder's lanes."""
    if count == builder.lanes:
        return load_wide(builder, where, dtype).text
    return _short(builder.code, where, builder.lanes, count, dtype).text


def store_some(builder: Builder, value: Val, where: str, count: int) -> None:
    if count == builder.lanes:
        builder.store(value, where)
        return
    at = 0
    for piece in pieces(count, builder.lanes):
        part = lanes_of(builder.code, value, builder.lanes, at, piece)
        Builder(builder.code, piece).store(
            part, builder.code.at(where, at, LLVM[value.dtype]))
        at += piece


def finish_row(gemm: Any, code: Code, epilogue: Epilogue | None, line: str, row: str, column: Any,
               count: int, most: int) -> None:
    """The epilogue for `count` sums of a row of C, which lie at `line`, from `column` on.

    A product that is computed flipped has its rows where the epilogue knows a column.
    most: lanes of the widest vector.
    """
    assert epilogue is not None
    dtype = wide(gemm.dtype)
    if FINISH("column" if gemm.flipped else "row") == "column":
        one = Builder(code)
        with code.loop(0, count) as loop:
            value = one.load(code.at(line, loop.index, LLVM[dtype]), dtype)
            epilogue(one, code, code.add(column, loop.index), row, one.cast(value, gemm.dtype), 1)
        return
    at = 0
    for lanes in pieces(count, most):
        builder = Builder(code, lanes)
        value = builder.load(code.at(line, at, LLVM[dtype]), dtype)
        epilogue(builder, code, row, code.add(column, at), builder.cast(value, gemm.dtype), lanes)
        at += lanes


# -- packing ---------------------------------------------------------------------------------------
def transposed(code: Code, rows: list[str], kind: str) -> list[str]:
    """The columns of a square of numbers given by its rows, as vectors."""
    n = len(rows)
    whole = f"<{n} x {kind}>"
    step = n // 2
    while step:
        for i in range(n):
            if i & step:
                continue
            x, y = rows[i], rows[i + step]
            for base, to in ((0, i), (step, i + step)):
                mask = ", ".join(f"i32 {(j | base) if not j & step else n + ((j & ~step) | base)}"
                                 for j in range(n))
                rows[to] = code.let(f"shufflevector {whole} {x}, {whole} {y}, <{n} x i32> <{mask}>")
        step //= 2
    return rows


def write_turn(module: Module, dtype: str, rows: int, lanes: int) -> str:
    """`turn(source, row step, target, column step)`: `rows` rows of `lanes` numbers are written
    as `lanes` vectors of `lanes` numbers, one below the other; what exceeds `rows` is 0."""
    def write() -> Code:
        code = Code(module, name, [("ptr", "%source"), ("i64", "%step"), ("ptr", "%target"),
                                   ("i64", "%width")], attributes=module.target.attributes)
        goal = wide(dtype)
        builder = Builder(code, lanes)
        found = []
        for i in range(lanes):
            if i < rows:
                where = code.at("%source", code.mul(i, "%step"), LLVM[dtype])
                found.append(load_wide(builder, where, dtype).text)
            else:
                found.append("zeroinitializer")
        for i, column in enumerate(transposed(code, found, LLVM[goal])):
            builder.store(Val(column, goal), code.at("%target", code.mul(i, "%width"), LLVM[goal]))
        return code

    name = f"tf.turn.{dtype}.{rows}.{lanes}"
    return module.once(name, write)


def _multiple(code: Code, k: Any, lanes: int) -> Any:
    """The largest multiple of the lanes that is not above k."""
    return k // lanes * lanes if isinstance(k, int) else code.pure(f"and i64 {k}, {-lanes}")


def copy_number(code: Code, source: str, target: str, dtype: str) -> None:
    one = Builder(code, 1)
    one.store(load_wide(one, source, dtype), target)


def pack_columns(code: Code, source: str, target: str, cover: list, k: Any,
                 steps: tuple[int, int], dtype: str, lanes: int) -> None:
    """A panel of B, k rows of the columns that `cover` names, row below row.

    source: the panel's first element; steps: from row to row and from column to column.
    """
    goal = wide(dtype)
    down, across = steps
    width = sum(computed for _, computed, _ in cover)
    squares = down == 1 and (not isinstance(k, int) or k * width > 1024)
    how = "along" if across == 1 else COLUMNS("squares" if squares else "numbers",
                                              ("numbers", "squares" if down == 1 else "numbers"))
    if how == "along":
        COLUMNS(how)
        with code.loop(0, k) as loop:
            row = code.at(source, code.mul(loop.index, down), LLVM[dtype])
            to = code.at(target, code.mul(loop.index, width), LLVM[goal])
            for at, computed, count in cover:
                where = code.at(row, at, LLVM[dtype])
                builder = Builder(code, computed)
                value = (load_wide(builder, where, dtype) if computed == count else
                         filled(code, where, computed, count, dtype))
                builder.store(value, code.at(to, at, LLVM[goal]))
        return
    first = 0
    if how == "squares":
        first = _pack_turned(code, source, target, cover, k, across, width, dtype, lanes)
    if first == k:
        return
    with code.loop(first, k) as loop:
        to = code.at(target, code.mul(loop.index, width), LLVM[goal])
        row = code.at(source, code.mul(loop.index, down), LLVM[dtype])
        for at, computed, count in cover:
            with code.loop(0, count) as column:
                place = code.add(column.index, at)
                copy_number(code, code.at(row, code.mul(place, across), LLVM[dtype]),
                            code.at(to, place, LLVM[goal]), dtype)
            for lane in range(count, computed):
                Builder(code, 1).store(Builder(code, 1).const(0, goal),
                                       code.at(to, at + lane, LLVM[goal]))


def _pack_turned(code: Code, source: str, target: str, cover: list, k: Any, across: int,
                 width: int, dtype: str, lanes: int) -> Any:
    """The part of a panel whose columns lie in memory as rows, by squares; gives the k reached."""
    goal = wide(dtype)
    whole = _multiple(code, k, lanes)
    with code.loop(0, whole, lanes) as loop:
        to = code.at(target, code.mul(loop.index, width), LLVM[goal])
        row = code.at(source, loop.index, LLVM[dtype])
        for at, computed, count in cover:
            where = code.at(row, at * across, LLVM[dtype])
            place = code.at(to, at, LLVM[goal])
            if computed == lanes:
                turn = write_turn(code.module, dtype, count, lanes)
                code.do(f"call void {turn}(ptr {where}, i64 {across}, ptr {place}, i64 {width})")
                continue
            with code.loop(0, lanes) as down, code.loop(0, count) as column:
                copy_number(
                    code, code.at(where, code.add(code.mul(column.index, across), down.index),
                                  LLVM[dtype]),
                    code.at(place, code.add(code.mul(down.index, width), column.index),
                            LLVM[goal]), dtype)
    return whole


def filled(code: Code, where: str, lanes: int, count: int, dtype: str) -> Val:
    """`count` elements and zeros."""
    value = _short(code, where, lanes, count, dtype)
    kind = LLVM[value.dtype]
    mask = ", ".join(f"i32 {i if i < count else lanes + i}" for i in range(lanes))
    return Val(code.pure(f"shufflevector <{lanes} x {kind}> {value.text}, <{lanes} x {kind}> "
                         f"zeroinitializer, <{lanes} x i32> <{mask}>"), value.dtype)


def pack_rows(code: Code, source: str, target: str, rows: int, k: Any, steps: tuple[int, int],
              height: int, dtype: str, lanes: int) -> None:
    """`rows` rows of A for a tile of `height` rows: for each k their numbers one after the other.

    The target needs room for `lanes` numbers more.
    """
    down, across = steps
    goal = wide(dtype)
    first: Any = 0
    squares = across == 1 and height <= lanes
    otherwise = "along" if down == 1 else "numbers"
    if ROWS("squares" if squares else otherwise,
            (otherwise, "squares" if squares else otherwise)) == "squares":
        first = _multiple(code, k, lanes)
        turn = write_turn(code.module, dtype, rows, lanes)
        with code.loop(0, first, lanes) as loop:
            code.do(f"call void {turn}(ptr {code.at(source, loop.index, LLVM[dtype])}, i64 {down}, "
                    f"ptr {code.at(target, code.mul(loop.index, height), LLVM[goal])}, "
                    f"i64 {height})")
    if first == k:
        return
    with code.loop(first, k) as loop:
        column = code.at(source, code.mul(loop.index, across), LLVM[dtype])
        to = code.at(target, code.mul(loop.index, height), LLVM[goal])
        at = 0
        for piece in pieces(rows, lanes) if down == 1 else [1] * rows:
            builder = Builder(code, piece)
            builder.store(load_wide(builder, code.at(column, at * down, LLVM[dtype]), dtype),
                          code.at(to, at, LLVM[goal]))
            at += piece
