"""Eigenvalues and singular values, by Jacobi's rotations in a Loop, computed in float64.

The signs of vectors are their own: LAPACK's follow no rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.loops import looped
from tapeflow.onnx.records.matrix_nodes import identity, side
from tapeflow.onnx.records.product_nodes import swapped
from tapeflow.onnx.records.shape_nodes import counting

DOUBLE = np.dtype(np.float64)
_SWEEPS = 9  # rotations of all pairs of rows


def _diagonalised(w: GraphWriter, x: Term, rank: int) -> tuple[Term, Term]:
    """Eigenvalues, as rows of one, and eigenvectors of symmetric matrices, in no order."""
    count = side(w, x, -1)
    line = counting(w, count)
    start = identity(w, x, count)

    def rotate(b: GraphWriter, at: Term, a: Term, v: Term) -> list[Term]:
        pair = b.op("Mod", at, count * count)
        p, q = pair / count, b.op("Mod", pair, count)
        one, two = [b.cast(line.equals(i), DOUBLE) for i in (p, q)]
        app, aqq, apq = [b.unsqueeze(b.op("Gather", b.op("Gather", a, i, axis=-2), j, axis=-1),
                                     -1, -2) for i, j in ((p, p), (q, q), (p, q))]
        idle = apq.equals(0.0) | (p >= q)
        tau = (aqq - app) / b.where(idle, 1.0, apq * 2.0)
        slope = b.where(tau < 0.0, -1.0, b.scalar(1.0, DOUBLE)) / (
            b.op("Abs", tau) + b.op("Sqrt", tau * tau + 1.0))
        slope = b.where(idle, 0.0, slope)
        cosine = 1.0 / b.op("Sqrt", slope * slope + 1.0)
        sine = slope * cosine

        def cell(row: Term, column: Term) -> Term:
            return b.unsqueeze(row, 1) * b.unsqueeze(column, 0)

        turn = start + (cell(one, one) + cell(two, two)) * (cosine - 1.0) + (
            cell(one, two) - cell(two, one)) * sine
        back = b.transpose(turn, (*range(rank - 2), rank - 1, rank - 2))
        return [b.op("MatMul", b.op("MatMul", back, a), turn), b.op("MatMul", v, turn)]

    a, v = looped(w, count * count * _SWEEPS, [x, start], rotate)
    on = w.cast(w.unsqueeze(line, 1).equals(w.unsqueeze(line, 0)), DOUBLE)
    return w.op("ReduceSum", a * on, w.ints(-2), keepdims=1), v


def _sorted(w: GraphWriter, x: Term, rank: int, largest: bool) -> tuple[Term, Term]:
    values, vectors = _diagonalised(w, x, rank)
    found, order = w.ops("TopK", 2, values, w.size_of(x, rank - 1), dtypes=[DOUBLE, INT64],
                         axis=-1, largest=int(largest), sorted=1)
    every = w.op("Expand", order, w.op("Shape", vectors, dtype=INT64))
    return w.squeeze(found, -2), w.op("GatherElements", vectors, every, axis=-1)


def _symmetric(w: GraphWriter, x: Term) -> Term:
    """In float64, with the lower triangle above the diagonal too."""
    wide = w.cast(x, DOUBLE)
    wide.shape = x.shape
    count = side(w, wide, -1)
    line = counting(w, count)
    below = w.unsqueeze(line, 1) >= w.unsqueeze(line, 0)
    made = w.where(below, wide, swapped(w, wide))
    made.shape = x.shape
    return made


@written("self_adjoint_eig")
def _eigenvectors(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """A "Loop" of rotations"""
    return [w.cast(one, x.dtype) for one in _sorted(w, _symmetric(w, x), x.rank, False)]


@written("self_adjoint_eigvals")
def _eigenvalues(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Loop" of rotations"""
    return _eigenvectors(w, node, x)[0]


def _singular(w: GraphWriter, x: Term) -> tuple[Term, Term, Term, bool]:
    """Singular values, their squares' eigenvectors, the matrix, whether it was turned round."""
    sizes = (x.shape or (None, None))[-2:]
    if None in sizes:
        raise ExportError("singular values of matrices of unknown sizes")
    wide = w.cast(x, DOUBLE)
    wide.shape = x.shape
    flat = sizes[0] < sizes[1]
    tall = swapped(w, wide) if flat else wide
    square = w.op("MatMul", swapped(w, tall), tall)
    square.shape = (*(x.shape or ())[:-2], min(sizes), min(sizes))
    values, vectors = _sorted(w, square, x.rank, True)
    return w.op("Sqrt", w.op("Max", values, w.scalar(0, DOUBLE))), vectors, tall, flat


@written("singular_values")
def _singular_values(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Loop" of rotations of the matrix with itself"""
    return w.cast(_singular(w, x)[0], x.dtype)


@written("svd")
def _svd(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """A "Loop" of rotations of the matrix with itself"""
    if node.attrs.get("full_matrices", False):
        raise ExportError("all vectors of a singular value decomposition")
    values, right, tall, flat = _singular(w, x)
    left = w.op("MatMul", tall, right) / w.unsqueeze(values, -2)
    u, v = (right, left) if flat else (left, right)
    return [w.cast(one, x.dtype) for one in (values, u, v)]
