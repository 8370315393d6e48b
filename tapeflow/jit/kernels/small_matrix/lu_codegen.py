"""Small systems by elimination with row exchanges: solutions, inverses, determinants, factors.

`eliminate` leaves both factors in one matrix: row after row is reduced by the pivot's row, in
vectors along the rows. Of equal candidates the first is the pivot, as in LAPACK. Where a pivot is
so small that rounding may decide whether the matrix is singular, the status word is set: NumPy's
kernel then decides, so that errors are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tapeflow.jit.codegen.addressing import set_error_status
from tapeflow.jit.codegen.builder import LLVM, Builder, Val, itemsize, name_of
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.partial_vectors import (
    VectorSlot,
    load_partial,
    multiply_add,
)
from tapeflow.jit.kernels.gemm.gemm_pack import Matrix
from tapeflow.jit.kernels.small_matrix.matrix_rows import (
    as_int32,
    copy_matrix,
    lane_numbers,
    lanes_for,
    padded,
)
from tapeflow.jit.kernels.small_matrix.triangular_codegen import rows_of, substitute

DOUBT = 4  # units in the last place of a column's largest element: what rounding may leave
CHAINS = 4  # candidates for the pivot that are compared side by side


class Elimination:
    """The factors of one matrix in working memory, and the order of its rows.

    w       both factors: ones on the diagonal of the lower one are not stored
    order   where each row was before, i64
    """

    def __init__(self, code: Code, n: int, dtype: str, work: str):
        self.code, self.n, self.dtype = code, n, dtype
        self.lanes = lanes_for(code.module, dtype, n)
        self.w = Matrix(work, padded(n, self.lanes), 1, dtype)
        size = n * self.w.row_stride
        self.scale = code.at(work, size, LLVM[dtype])
        self.order = code.at(work, (size + self.w.row_stride) * itemsize(dtype), "i8")
        self.odd = code.room("i8")  # whether the rows were exchanged an odd number of times

    def run(self, a: Matrix, careful: bool) -> None:
        """careful: set the status word if the matrix may be singular."""
        code, n, lanes, one = self.code, self.n, self.lanes, Builder(self.code)
        copy_matrix(code, a, self.w, n, n, lanes)
        if careful:
            self._largest()
        with code.loop(0, n) as loop:
            code.do(f"store i64 {loop.index}, ptr {code.at(self.order, loop.index, 'i64')}")
        one.store(one.const(False, "bool"), self.odd)
        for first in range(0, n, lanes):  # rows whose diagonal lies in the same vector
            with code.loop(first, min(first + lanes, n)) as loop:
                self._exchange(loop.index, self._pivot(loop.index))
                self._reduce(loop.index, first, careful)

    def _vectors(self, first: int = 0) -> Iterator[int]:
        yield from range(first, self.w.row_stride, self.lanes)

    def _largest(self) -> None:
        """The absolutely largest element of each column."""
        code, b = self.code, Builder(self.code, self.lanes)
        zero = b.const(0, self.dtype).text
        carry = [(b.type(self.dtype), zero) for _ in self._vectors()]
        with code.loop(0, self.n, carry=carry) as loop:
            for i, offset in enumerate(self._vectors()):
                x = b.abs(b.load(self.w.address(code, loop.index, offset), self.dtype))
                best = Val(loop.carry[i], self.dtype)
                loop.after[i] = b.select(b.gt(x, best), x, best).text
        for text, offset in zip(loop.results, self._vectors(), strict=True):
            b.store(Val(text, self.dtype), code.at(self.scale, offset, LLVM[self.dtype]))

    def _pivot(self, k: str) -> str:
        """The row, from k on, with the absolutely largest element in column k."""
        code, n, dtype, one = self.code, self.n, self.dtype, Builder(self.code)
        kind = LLVM[dtype]
        count = code.pure(f"sub nsw i64 {n}, {k}")
        middle = code.add(k, code.pure(f"and i64 {count}, {-CHAINS}"))

        def larger(takes: str, mine: list[str], best: list[str]) -> list[str]:
            return [code.pure(f"select i1 {takes}, {which} {x}, {which} {y}")
                    for which, x, y in zip((kind, "i64"), mine, best)]

        def better(index: str, best: list[str]) -> list[str]:
            x = one.abs(one.load(self.w.address(code, index, k), dtype)).text
            return larger(code.pure(f"fcmp ogt {kind} {x}, {best[0]}"), [x, index], best)

        none = [(kind, one.const(-1, dtype).text), ("i64", k)]
        with code.loop(k, middle, CHAINS, some=False, carry=none * CHAINS) as loop:
            for i in range(CHAINS):
                loop.after[2 * i:2 * i + 2] = better(code.add(loop.index, i),
                                                     loop.carry[2 * i:2 * i + 2])
        with code.loop(middle, n, some=False,
                       carry=list(zip((kind, "i64"), loop.results[:2]))) as rest:
            rest.after[:] = better(rest.index, rest.carry)
        best = rest.results
        for i in range(1, CHAINS):  # of equal ones the first
            other = loop.results[2 * i:2 * i + 2]
            equal = code.pure(f"fcmp oeq {kind} {other[0]}, {best[0]}")
            before = code.pure(f"icmp slt i64 {other[1]}, {best[1]}")
            above = code.pure(f"fcmp ogt {kind} {other[0]}, {best[0]}")
            takes = code.pure(f"or i1 {above}, {code.pure(f'and i1 {equal}, {before}')}")
            best = larger(takes, other, best)
        return best[1]

    def _exchange(self, k: str, p: str) -> None:
        code, b, one = self.code, Builder(self.code, self.lanes), Builder(self.code)
        with code.when(code.pure(f"icmp ne i64 {k}, {p}")):
            for offset in self._vectors():
                places = [self.w.address(code, row, offset) for row in (k, p)]
                x, y = [b.load(place, self.dtype) for place in places]
                b.store(y, places[0])
                b.store(x, places[1])
            places = [code.at(self.order, row, "i64") for row in (k, p)]
            x, y = [one.load(place, "int64") for place in places]
            one.store(y, places[0])
            one.store(x, places[1])
            one.store(one.invert(one.load(self.odd, "bool")), self.odd)

    def _reduce(self, k: str, first: int, careful: bool) -> None:
        """Subtract multiples of row k from the rows below it, and keep the multiples."""
        code, dtype = self.code, self.dtype
        b, one = Builder(code, self.lanes), Builder(code)
        pivot = one.load(self.w.address(code, k, k), dtype)
        if careful:
            eps = float(np.finfo(dtype).eps)
            least = one.mul(one.load(code.at(self.scale, k, LLVM[dtype]), dtype),
                            one.const(DOUBT * eps, dtype))
            set_error_status(code, one.gt(one.abs(pivot), least).text)
        row = [b.load(self.w.address(code, k, offset), dtype) for offset in self._vectors(first)]
        behind = b.gt(lane_numbers(b, first), b.splat(as_int32(code, k), "int32"))
        row[0] = b.select(behind, row[0], b.const(0, dtype))
        with code.loop(code.add(k, 1), self.n, some=False) as loop:
            place = self.w.address(code, loop.index, k)
            multiple = one.div(one.load(place, dtype), pivot)
            minus = b.splat(one.neg(multiple).text, dtype)
            for offset, x in zip(self._vectors(first), row, strict=True):
                at = self.w.address(code, loop.index, offset)
                b.store(multiply_add(b, minus, x, b.load(at, dtype)), at)
            one.store(multiple, place)

    def solve(self, start: Any, x: Matrix, columns: int) -> None:
        """Fill x with the solutions for right-hand sides whose rows come in `order`."""
        substitute(self.code, self.w, self.n, start, x, columns, lower=True, unit=True)
        substitute(self.code, self.w, self.n, rows_of(self.code, x), x, columns, lower=False)

    def row_before(self, i: str) -> str:
        return Builder(self.code).load(self.code.at(self.order, i, "i64"), "int64").text


# -- routines --------------------------------------------------------------------------------------
class _Eliminated:
    """What routines by elimination have in common."""

    risky = True
    operands: tuple[str, ...] = ("matrix",)

    def __init__(self, n: int, dtype: str, text: str, columns: int = 0):
        self.n, self.dtype, self.columns = n, dtype, columns
        self.text = text
        self.cycles = 60.0 * n + n ** 3 / 8 + n * n * columns / 6

    def work(self, target: Any) -> int:
        """Bytes of working memory: padded rows, one more, and the order of rows."""
        width = self.n + int(target.lanes(itemsize(self.dtype)))
        return (self.n + 1) * width * itemsize(self.dtype) + 8 * self.n

    def eliminated(self, code: Code, a: Matrix, work: str, careful: bool = True) -> Elimination:
        found = Elimination(code, self.n, self.dtype, work)
        found.run(a, careful)
        return found


class Solve(_Eliminated):
    """x with a·x = b, or aᵀ·x = b."""

    operands = ("matrix", "rows")

    def __init__(self, n: int, columns: int, dtype: str, adjoint: bool):
        super().__init__(n, dtype, f"system of {n}x{n} for {columns} columns", columns)
        self.adjoint = adjoint

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        a, b = operands
        if self.adjoint:
            a = Matrix(a.pointer, a.column_stride, a.row_stride, a.dtype)
        found = self.eliminated(code, a, work)

        def start(builder: Builder, slot: VectorSlot, first: Any, i: str) -> Val:
            row = found.row_before(i)
            return load_partial(builder, b.address(code, row, code.add(first, slot.offset)),
                                b.dtype, slot.used)

        found.solve(start, Matrix(results[0], self.columns, 1, self.dtype), self.columns)


class Inverse(_Eliminated):
    """The inverse: the solution for the columns of the identity."""

    def __init__(self, n: int, dtype: str):
        super().__init__(n, dtype, f"inverse of {n}x{n}", n)

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        found = self.eliminated(code, operands[0], work)

        def start(b: Builder, slot: VectorSlot, first: Any, i: str) -> Val:
            row = b.splat(as_int32(code, found.row_before(i)), "int32")
            mine = b.eq(lane_numbers(b, code.add(first, slot.offset)), row)
            return b.select(mine, b.const(1, self.dtype), b.const(0, self.dtype))

        found.solve(start, Matrix(results[0], self.n, 1, self.dtype), self.n)


class Factors(_Eliminated):
    """Both factors in one matrix, and the order of the rows."""

    def __init__(self, n: int, dtype: str, index_dtype: str):
        super().__init__(n, dtype, f"LU factors of {n}x{n}")
        self.index_dtype = index_dtype

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        found, one = self.eliminated(code, operands[0], work), Builder(code)
        copy_matrix(code, found.w, Matrix(results[0], self.n, 1, self.dtype), self.n, self.n,
                    found.lanes)
        with code.loop(0, self.n) as loop:
            row = one.cast(Val(found.row_before(loop.index), "int64"), self.index_dtype)
            one.store(row, code.at(results[1], loop.index, LLVM[self.index_dtype]))


class Determinant(_Eliminated):
    """The determinant, or its sign and the logarithm of its absolute value.

    The diagonal is multiplied as fractions between 1 and 2, and their exponents are added, so that
    no product overflows on the way.
    """

    def __init__(self, n: int, dtype: str, logarithm: bool):
        super().__init__(n, dtype, f"determinant of {n}x{n}")
        self.logarithm = logarithm

    def write(self, code: Code, operands: list[Matrix], results: list[str], work: str) -> None:
        found, one = self.eliminated(code, operands[0], work, self.logarithm), Builder(code)
        fraction, exponent, negative, zero = self._product(one, found)
        sign = one.select(negative, one.const(-1, "float64"), one.const(1, "float64"))
        if self.logarithm:  # of what is singular NumPy tells
            log = one.add(one.function("log", fraction),
                          one.mul(one.cast(exponent, "float64"), one.const(np.log(2.0), "float64")))
            for value, goal in zip((sign, log), results, strict=True):
                one.store(one.cast(value, self.dtype), goal)
            return
        most = one.const(2000, "int64")
        exponent = one.select(one.gt(exponent, most), most, exponent)
        exponent = one.select(one.lt(exponent, one.neg(most)), one.neg(most), exponent)
        half = one.bits("ashr", exponent, one.const(1, exponent))
        value = one.select(zero, one.const(0, sign), one.mul(sign, fraction))
        for part in (half, one.sub(exponent, half)):
            value = one.mul(value, _power_of_two(one, part))
        one.store(one.cast(value, self.dtype), results[0])

    def _product(self, one: Builder, found: Elimination) -> tuple[Val, Val, Val, Val]:
        """Fraction and exponent of the absolute value; whether it is negative, whether it is 0."""
        code = one.code
        carry = [("double", one.const(1, "float64").text), ("i64", "0"),
                 ("i1", one.load(found.odd, "bool").text), ("i1", "false")]
        with code.loop(0, self.n, carry=carry) as loop:
            d = one.cast(one.load(found.w.address(code, loop.index, loop.index), self.dtype),
                         "float64")
            size = one.abs(d)
            set_error_status(code, one.lt(size, one.const(np.inf, size)).text)  # NumPy tells
            tiny = one.lt(size, one.const(2.0 ** -1000, size))
            size = one.select(tiny, one.mul(size, one.const(2.0 ** 64, size)), size)
            bits = one.bitcast(size, "int64")
            mantissa = one.both(bits, one.const((1 << 52) - 1, bits))
            part = one.bitcast(one.either(mantissa, one.const(1023 << 52, bits)), "float64")
            power = one.sub(one.bits("lshr", bits, one.const(52, bits)), one.const(1023, bits))
            power = one.select(tiny, one.sub(power, one.const(64, power)), power)
            nothing = one.const(0, d)
            loop.after[:] = [
                one.mul(Val(loop.carry[0], "float64"), part).text,
                one.add(Val(loop.carry[1], "int64"), power).text,
                one.differ(Val(loop.carry[2], "bool"), one.lt(d, nothing)).text,
                one.either(Val(loop.carry[3], "bool"), one.eq(d, nothing)).text]
        kinds = ("float64", "int64", "bool", "bool")
        fraction, exponent, negative, zero = [
            Val(text, kind) for text, kind in zip(loop.results, kinds, strict=True)]
        return fraction, exponent, negative, zero


def _power_of_two(one: Builder, exponent: Val) -> Val:
    biased = one.add(exponent, one.const(1023, exponent))
    return one.bitcast(one.bits("shl", biased, one.const(52, biased)), "float64")


def describe_solve(shapes: list[tuple], dtype: str, attrs: dict) -> Solve:
    return Solve(shapes[0][-1], shapes[1][-1], dtype, attrs.get("adjoint", False))


def describe_inverse(shapes: list[tuple], dtype: str, attrs: dict) -> Inverse:
    return Inverse(shapes[0][-1], dtype)


def describe_factors(shapes: list[tuple], dtype: str, attrs: dict) -> Factors:
    return Factors(shapes[0][-1], dtype, name_of(np.dtype(attrs["index_dtype"])))


def describe_determinant(shapes: list[tuple], dtype: str, attrs: dict) -> Determinant:
    return Determinant(shapes[0][-1], dtype, logarithm=False)


def describe_log_determinant(shapes: list[tuple], dtype: str, attrs: dict) -> Determinant:
    return Determinant(shapes[0][-1], dtype, logarithm=True)
