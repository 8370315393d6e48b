"""Blocks of rows of which an epilogue makes sums: how high they are.

They follow from the sizes and the tiles, never from the number of threads: no task cuts a block, so
each sum is made in one order. A block is high enough that the sums of all blocks are small beside
the result, and low enough that there are blocks for all tasks.
"""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from tapeflow.jit.kernels.conv.conv_geometry import Window, geometry_of
from tapeflow.jit.kernels.conv.conv_pointwise import plan_pointwise
from tapeflow.jit.kernels.gemm.gemm_cost import MIN_TASK_CYCLES
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product

BLOCK_ROWS = 128  # of a block, if there are many rows
BLOCKS = 32  # that tasks may share
LEAST_PIXELS, MOST_PIXELS = 16, 1024  # of a block that divides an image


def product_rows(target: Any, product: Product) -> int:
    """Rows of a block of a product's result, whole tiles; 0 if its rows are not counted through."""
    plan = plan_gemm(target, product, 1, True)
    if product.count > 1 or plan.transposed:
        return 0
    height, rows = plan.blocking.rows, plan.product.m
    if plan.cycles < 2 * MIN_TASK_CYCLES and rows <= 2 * BLOCK_ROWS:
        return -(-rows // height) * height  # one task makes it
    tiles = -(-rows // height)
    return height * max(1, min(tiles // BLOCKS, BLOCK_ROWS // height))


def window_rows(target: Any, window: Window) -> int:
    """Pixels of a block of an image op's result; 0 if none divides an image, or there are no
    pixels: a block is within an image, and within the positions that are of one phase."""
    if window.role == "filter":
        return 0
    if window.pointwise and window.role in ("forward", "input"):
        return product_rows(target, plan_pointwise(target, window, True, 1).product)
    if window.role.endswith("gradient"):  # of a pool: its result is made image by image
        pixels = prod(window.sizes)
    else:
        pixels = gcd(*[prod(phase.counts) for phase in geometry_of(window).phases])
    blocks = [n for n in range(LEAST_PIXELS, min(pixels, MOST_PIXELS) + 1) if pixels % n == 0]
    return max([n for n in blocks if n <= BLOCK_ROWS], default=min(blocks, default=0))
