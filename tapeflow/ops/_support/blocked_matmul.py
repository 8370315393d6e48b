"""Matrix products on bare arrays, with the same bits on any number of cores.

Small products BLAS computes on one thread anyway. Others run inside `one_thread`; large ones are
cut into blocks, or stacks into single matrices, that `workers` shares among threads. May be
imported by kernels.
"""

from __future__ import annotations

import math

import numpy as np

from tapeflow.ops._support.blas_threads import one_thread
from tapeflow.ops._support.kernel_threads import share, slices

# Multiplications below which OpenBLAS takes one thread: of any product, of two real matrices.
FEW, FEW_OF_MATRICES = 1 << 12, 1 << 18
THREADED_FROM = 1 << 24  # multiplications from which threads are worth waking
_TILE = 16  # rows and columns of a block are a multiple: what BLAS's kernels compute at once


def product(x: np.ndarray, z: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """x·z of two matrices of one floating dtype, but for small ones; `out` is C contiguous."""
    (m, inner), n = x.shape, z.shape[1]
    work = m * inner * n
    if work < THREADED_FROM or inner != z.shape[0]:
        with one_thread:
            return x.dot(z, out)
    y = np.empty((m, n), x.dtype) if out is None else out

    def fill(block: tuple[slice, slice]) -> None:
        rows, columns = block
        np.matmul(x[rows], z[:, columns], out=y[rows, columns])

    share(fill, _blocks(m, n, work))
    return y


def _blocks(m: int, n: int, work: int) -> list[tuple[slice, slice]]:
    """An m by n matrix in a power of two of parts, about square: 2 of 256³, 16 of 1024³."""
    down = across = 1
    for _ in range(min((work.bit_length() - 22) // 2, 6)):
        if m * across >= n * down:
            down *= 2
        else:
            across *= 2
    return [(rows, columns) for rows in _cut(m, down) for columns in _cut(n, across)]


def _cut(size: int, parts: int) -> list[slice]:
    step = -(-size // (parts * _TILE)) * _TILE
    return [slice(start, min(start + step, size)) for start in range(0, size, step)]


def products(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """x·z of stacks of matrices, which broadcast."""
    (m, inner), n = x.shape[-2:], z.shape[-1]
    if x.dtype.kind not in "fc" or inner != z.shape[-2]:
        return np.matmul(x, z)
    stack = x.shape[:-2]
    if stack != z.shape[:-2]:
        stack = np.broadcast_shapes(stack, z.shape[:-2])
    each, count = m * inner * n, math.prod(stack)
    if count * each < THREADED_FROM:
        if each < FEW or (each < FEW_OF_MATRICES and m > 1 and n > 1 and x.dtype.kind == "f"):
            return np.matmul(x, z)
        with one_thread:
            return np.matmul(x, z)
    if count == 1:
        return product(x.reshape(m, inner), z.reshape(inner, n)).reshape(*stack, m, n)
    y = np.empty((*stack, m, n), x.dtype)
    longest = stack.index(max(stack))
    axis = longest - len(stack)

    def fill(part: slice) -> None:
        np.matmul(_part(x, axis, part), _part(z, axis, part), out=_part(y, axis, part))

    share(fill, slices(stack[longest]))
    return y


def _part(x: np.ndarray, axis: int, part: slice) -> np.ndarray:
    """Part of an axis of a stack, counted from the matrices; whole where it broadcasts."""
    if x.ndim - 2 + axis < 0 or x.shape[axis - 2] == 1:
        return x
    return x[(slice(None),) * (x.ndim - 2 + axis) + (part,)]
