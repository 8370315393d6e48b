"""Blocks of rows whose sums an epilogue gathers: which tasks of a kernel must not cut."""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from tapeflow.jit.kernels.conv.conv_geometry import Window, geometry_of
from tapeflow.jit.kernels.conv.conv_pointwise import plan_pointwise
from tapeflow.jit.kernels.gemm.gemm_cost import MIN_TASK_CYCLES
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product

BLOCK_ROWS = 128  # about so many rows make a block, if there are enough of them
BLOCKS = 32  # that tasks may share
FEWEST_ROWS, MOST_ROWS = 16, 1024  # of a block of pixels


def product_rows(target: Any, product: Product) -> int:
    """Rows of a block of a product's result; 0 if rows are not counted through."""
    plan = plan_gemm(target, product, 1, True)
    if product.count > 1 or plan.transposed:
        return 0
    height, rows = plan.blocking.rows, plan.product.m
    if plan.cycles < 2 * MIN_TASK_CYCLES and rows <= 2 * BLOCK_ROWS:
        return rows  # it is one task
    tiles = -(-rows // height)
    return height * max(1, min(tiles // BLOCKS, BLOCK_ROWS // height))


def window_rows(target: Any, window: Window) -> int:
    """Rows of a block of an image op's result; 0 if its rows are no pixels, or too few."""
    if window.role == "filter":
        return 0
    if window.pointwise and window.role in ("forward", "input"):
        return product_rows(target, plan_pointwise(target, window, True, 1).product)
    pixels = gcd(*[prod(phase.counts) for phase in geometry_of(window).phases])
    blocks = [n for n in range(FEWEST_ROWS, min(pixels, MOST_ROWS) + 1) if pixels % n == 0]
    return max([n for n in blocks if n <= BLOCK_ROWS], default=min(blocks, default=0))
