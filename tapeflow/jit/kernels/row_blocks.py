"""Blocks of rows of which an epilogue makes sums: how high they are.

They follow from the sizes and the tiles, never from the number of threads: no task cuts a block, so
each sum is made in one order. A block is high enough that the sums of all blocks are small beside
the result, and low enough that there are blocks for all tasks.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_pointwise import plan_pointwise
from tapeflow.jit.kernels.gemm.gemm_cost import MIN_TASK_CYCLES
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product

BLOCK_ROWS = 128  # of a block, if there are many rows
BLOCKS = 32  # that tasks may share


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
    """Pixels of a block of an image op's result; 0 if it is no product: a band of an image, which
    a task takes, might cut a block."""
    if window.role not in ("forward", "input") or not window.pointwise:
        return 0
    return product_rows(target, plan_pointwise(target, window, True, 1).product)
