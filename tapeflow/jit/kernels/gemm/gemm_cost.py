"""Estimates of the cycles that a product takes, by which its plan is chosen.

One iteration over k takes as long as its multiplications (two a cycle), its loads (two a cycle) or
the wait for a sum that is added to again (four cycles), whichever is most.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from tapeflow.jit.codegen.partial_vectors import vector_slots
from tapeflow.jit.kernels.gemm.gemm_product import Product

GIGAHERTZ = 3.0  # for estimates only
MIN_TASK_CYCLES = 20_000  # below which a task is not worth handing over
CALL_CYCLES = 50
FMA_LATENCY = 4.0
WIDENING = {"float16": 0.2, "bfloat16": 0.5}  # of a vector of half precision that is not packed
OVERLAP_BYTES = 4096  # of a column of A: shorter ones may have tiles that overlap


def tile_cycles(product: Product, lanes: int, rows: int, vectors: int) -> float:
    """All tiles of `rows` rows and so many vectors of columns."""
    overlaps = product.k <= OVERLAP_BYTES // product.sum_size and not product.accumulate
    return _tile_cycles(product.m, product.n, max(product.k, 1), overlaps, lanes, rows, vectors)


@functools.lru_cache(1 << 14)  # products of one size come again and again
def _tile_cycles(m: int, n: int, k: int, overlaps: bool, lanes: int, rows: int,
                 vectors: int) -> float:
    total = 0.0
    for columns, panels in _parts(n, vectors * lanes, overlaps):
        count = len(vector_slots(columns, lanes))
        for height, tiles in _parts(m, rows, overlaps):
            cycles = iteration_cycles(height, count) * k + 12 + height * (2 + count)
            total += panels * tiles * cycles
    return total


def iteration_cycles(rows: int, vectors: int) -> float:
    """Of a tile, for each k."""
    cycles = max(rows * vectors / 2, (rows + vectors) / 2, FMA_LATENCY) + vectors / 10
    return cycles + 0.3 * (rows * vectors < 10)  # a sum is hardly there when it is needed


def dot_cycles(product: Product, lanes: int, rows: int, columns: int) -> float:
    """All blocks of `rows` × `columns` dot products."""
    iterations = -(-product.k // lanes)
    widening = WIDENING.get(product.dtype, 0)
    total = 0.0
    for height, down in _parts(product.m, rows):
        for width, across in _parts(product.n, columns):
            iteration = max(height * width / 2, (height + width) / 2, FMA_LATENCY)
            iteration += (widening + 0.1) * (height + width)
            total += down * across * (iteration * iterations + 10 + 3 * height * width)
    return total


def packing_cycles(product: Product, pack_b: bool) -> float:
    """Copying B into panels, for tiles."""
    each = (0.55 if product.b.column != 1 else 0.25) if pack_b else 0
    return product.k * product.n * each


def transposing_cycles(product: Product) -> float:
    """Copying the columns of B, for dot products."""
    return 1.5 * product.k * product.n if product.b.row != 1 else 0


def _parts(total: int, unit: int, overlap: bool = False) -> Iterator[tuple[int, int]]:
    """(size, how many) of the parts that a range is cut into: whole units, and the remainder."""
    if overlap and total >= unit:
        yield unit, -(-total // unit)
        return
    if total >= unit:
        yield unit, total // unit
    if total % unit:
        yield total % unit, 1
