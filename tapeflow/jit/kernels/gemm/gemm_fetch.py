"""What a kernel asks for before it reads it: memory takes some hundred cycles to answer.

A tile whose operands lie across k reads a piece of a row here and of another there, which the
machine's own prefetching does not follow from page to page: each iteration fetches what one some k
later will read. What an epilogue reads, and where a tile of few k is stored, is fetched while the
tile is summed, or while the one above it is.
"""

from __future__ import annotations

from math import gcd
from typing import Any, NamedTuple

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.gemm.gemm_product import Product

LINE_BYTES = 64
FAR_BYTES = 128 << 10  # of a matrix that is not in the nearest caches
LATENCY = 900  # cycles from a fetch to the read, with others under way
CACHE_SETS, SET_LINES = 64, 8  # of the nearest cache; how many lines of each may be fetched
SHORT_TILE = 700  # cycles: what is fetched when a tile begins would come too late

OPERANDS = Choice("gemm.fetch_operands", ("nothing", "a", "b", "both"))
RESULT = Choice("gemm.fetch_result", ("nothing", "own", "next"))  # of which tile


class Fetching(NamedTuple):
    """a, b: so many k before they are read; result: the places of which tile's result, and
    whether those that are written too."""

    a: int = 0
    b: int = 0
    result: str = "nothing"
    written: bool = False


def choose_fetching(product: Product, tile: tuple[int, int], cycles: float, kc: int,
                    packed: tuple[bool, bool], epilogue: bool) -> Fetching:
    """tile: its rows and columns; cycles: that it takes for each k; packed: A, B."""
    a, b = _choose_operands(product, packed, kc, ahead := max(8, int(LATENCY / cycles)))
    far = product.m * product.n * product.sum_size >= FAR_BYTES and not product.accumulate
    short, apart = cycles * kc < SHORT_TILE, product.n > tile[1]
    best = "nothing"
    # Rows that lie one behind the other are followed by the machine, if it has the time.
    if far and (apart or short if epilogue else apart and short):
        best = "next" if short else "own"
    return Fetching(ahead * a, ahead * b, RESULT(best, ("nothing", "own", "next")),
                    not epilogue or (short and apart))


def _choose_operands(product: Product, packed: tuple[bool, bool], kc: int,
                     ahead: int) -> tuple[bool, bool]:
    k, size = product.k, product.sum_size
    may_a = not packed[0] and product.a.row == 1 and product.a.column != 1
    may_b = not packed[1]
    deep = kc >= 2 * ahead
    a, b = [may and deep and k * count * size >= FAR_BYTES and (
            ahead * lines_in_a_set(stride * size) <= SET_LINES * CACHE_SETS)
            for may, count, stride in ((may_a, product.m, product.a.column),
                                       (may_b, product.n, product.b.row))]
    names = {(False, False): "nothing", (True, False): "a", (False, True): "b",
             (True, True): "both"}
    possible = [name for (one, other), name in names.items() if one <= may_a and other <= may_b]
    taken = OPERANDS(names[a, b], possible)
    return taken in ("a", "both"), taken in ("b", "both")


def lines_in_a_set(stride: int) -> int:
    """How many of CACHE_SETS lines, this many bytes apart, have the same place in the cache."""
    return gcd(stride // LINE_BYTES, CACHE_SETS) if stride % LINE_BYTES == 0 else 1


# -- code ------------------------------------------------------------------------------------------
def fetch(code: Code, pointer: str, bytes_on: int, written: bool = False) -> None:
    """Ask for the line so many bytes behind a pointer; it may lie outside of all memory."""
    code.module.declare("llvm.prefetch.p0", "void", "ptr", "i32", "i32", "i32")
    if bytes_on:
        pointer = code.pure(f"getelementptr i8, ptr {pointer}, i64 {bytes_on}")
    code.do(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 {int(written)}, i32 3, i32 1)")


def fetch_row(code: Code, pointer: Any, bytes_on: int, width: int, aligned: bool,
              written: bool = False) -> None:
    """The lines of so many bytes. aligned: they begin where a line does."""
    lines = list(range(0, width, LINE_BYTES))
    if not aligned and (width - 1) % LINE_BYTES:
        lines.append(width - 1)
    for at in lines:
        fetch(code, pointer, bytes_on + at, written)
