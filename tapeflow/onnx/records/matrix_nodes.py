"""Systems of equations and factorisations, column by column in a Loop; ONNX has only Det.

Leading axes are stacks of matrices, worked on at once. Nothing is blocked: these are for matrices
of some dozens of rows.
"""

from __future__ import annotations

import math
from typing import Any

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.loops import looped
from tapeflow.onnx.records.product_nodes import swapped
from tapeflow.onnx.records.shape_nodes import counting

_TAYLOR = 8  # powers of a matrix whose norm is below 1/8


def side(w: GraphWriter, x: Term, which: int) -> Term:
    """The number of rows (-2) or columns (-1), a scalar."""
    return w.squeeze(w.size_of(x, x.rank + which), 0)


def _row(w: GraphWriter, x: Term, at: Term) -> Term:
    """One row of each matrix, which stays a matrix."""
    return w.unsqueeze(w.op("Gather", x, at, axis=-2), -2)


def _column(w: GraphWriter, x: Term, at: Term) -> Term:
    return w.unsqueeze(w.op("Gather", x, at, axis=-1), -1)


def _upright(w: GraphWriter, count: Term) -> Term:
    """0, 1 … as a column."""
    return w.unsqueeze(counting(w, count), 1)


def identity(w: GraphWriter, x: Term, rows: Term) -> Term:
    """Identity matrices of `rows` for a stack of matrices."""
    one = w.cast(_upright(w, rows).equals(w.unsqueeze(counting(w, rows), 0)), x.dtype)
    if x.rank == 2:
        return one
    lead = w.op("Shape", x, dtype=INT64, start=0, end=x.rank - 2)
    return w.op("Expand", one, w.concat([lead, w.unsqueeze(rows, 0), w.unsqueeze(rows, 0)]))


@written("cholesky")
def _cholesky(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Loop" over columns: each is taken off as a product with itself"""
    count = side(w, x, -1)
    index = _upright(w, count)

    def step(b: GraphWriter, at: Term, rest: Term, made: Term) -> list[Term]:
        column = _column(b, rest, at)
        own = b.where(index >= at, column / b.op("Sqrt", _row(b, column, at)), 0)
        flat = b.cast(b.unsqueeze(counting(w, count), 0).equals(at), x.dtype)
        return [rest - own * swapped_column(b, own, x.rank), made + own * flat]

    return looped(w, count, [x, x * 0], step)[1]


def swapped_column(w: GraphWriter, x: Term, rank: int) -> Term:
    return w.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


@written("triangular_solve")
def _triangular_solve(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    """A "Loop" over rows, each of which is taken off the others"""
    lower = node.attrs.get("lower", True)
    if node.attrs.get("adjoint", False):
        a, lower = swapped(w, a), not lower
    count = side(w, a, -1)
    index = _upright(w, count)

    def step(body: GraphWriter, at: Term, rest: Term) -> list[Term]:
        at = at if lower else count - 1 - at
        column = _column(body, a, at)
        row = _row(body, rest, at) / _row(body, column, at)
        others = body.where(index > at if lower else index < at, rest - column * row, rest)
        return [body.where(index.equals(at), row, others)]

    return looped(w, count, [w.op("MatMul", a, b) * 0 + b], step)[0]


def _eliminated(w: GraphWriter, a: Term, b: Term, rank: int) -> list[Term]:
    """A matrix reduced to the identity, with the same done to `b`: (b, log |det|, sign of det)."""
    a.shape = a.shape or (None,) * rank
    count = side(w, a, -1)
    index = _upright(w, count)
    one = w.op("ReduceSum", a, w.ints(-2, -1), keepdims=1) * 0 + 1.0

    def step(body: GraphWriter, at: Term, left: Term, right: Term, log: Term,
             sign: Term) -> list[Term]:
        size = body.where(index >= at, body.op("Abs", _column(body, left, at)), -1.0)
        best = body.op("ArgMax", size, dtype=INT64, axis=-2, keepdims=1)
        order = body.where(index.equals(at), best, body.where(index.equals(best), at, index))
        left, right = [body.op("GatherElements", one, body.op("Expand", order, body.op(
            "Shape", one, dtype=INT64)), axis=-2) for one in (left, right)]
        column = _column(body, left, at)
        pivot = _row(body, column, at)
        found = []
        for one in (left, right):
            row = _row(body, one, at) / pivot
            found.append(body.where(index.equals(at), row, one - column * row))
        turn = body.where(best.equals(at), body.scalar(1.0, a.dtype), -1.0)
        return [*found, log + body.op("Log", body.op("Abs", pivot)),
                sign * body.op("Sign", pivot) * turn]

    return looped(w, count, [a, b, one * 0, one], step)[1:]


@written("matrix_solve")
def _solve(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    """A "Loop" over columns: Gauss and Jordan's elimination, with pivots"""
    if node.attrs.get("adjoint", False):
        a = swapped(w, a)
    if a.rank != b.rank:
        raise ExportError("systems of equations whose stacks differ in rank")
    right = w.op("MatMul", a, b) * 0 + b
    left = a + w.op("ReduceSum", right, w.ints(-2, -1), keepdims=1) * 0
    return _eliminated(w, left, right, a.rank)[0]


@written("matrix_inverse")
def _inverse(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Loop" over columns, as of systems of equations"""
    if node.attrs.get("adjoint", False):
        x = swapped(w, x)
    return _eliminated(w, x, identity(w, x, side(w, x, -1)), x.rank)[0]


@written("log_matrix_determinant")
def _log_determinant(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """A "Loop" over columns, as of systems of equations"""
    _, log, sign = _eliminated(w, x, x, x.rank)
    return [w.squeeze(one, -2, -1) for one in (sign, log)]


@written("qr")
def _qr(w: GraphWriter, node: Any, x: Term) -> list[Term]:
    """A "Loop" of Householder's reflections, with the signs that LAPACK gives them"""
    rows, columns = side(w, x, -2), side(w, x, -1)
    few = w.op("Min", rows, columns)
    index = _upright(w, rows)

    def step(b: GraphWriter, at: Term, q: Term, r: Term) -> list[Term]:
        below = b.where(index >= at, _column(b, r, at), 0)
        head = _row(b, below, at)
        length = b.op("ReduceL2", below, b.ints(-2), keepdims=1)
        end = b.where(head < 0, length, -length)
        straight = length.equals(b.op("Abs", head))  # nothing below the diagonal
        v = b.where(straight, 0, below - end * b.cast(index.equals(at), x.dtype))
        square = b.op("ReduceSum", v * v, b.ints(-2), keepdims=1)
        scale = b.where(square.equals(0.0), 0, 2.0 / square)
        flat = swapped_column(b, v, x.rank)
        return [q - b.op("MatMul", q, v) * flat * scale, r - v * b.op("MatMul", flat, r) * scale]

    steps = w.op("Min", rows - 1, columns)
    q, r = looped(w, steps, [identity(w, x, rows), x], step)
    if not node.attrs.get("full_matrices", False):
        short = w.unsqueeze(few, 0)
        q, r = w.slice(q, [0], short, [-1]), w.slice(r, [0], short, [-2])
    return [q, w.where(w.op("Range", w.scalar(0, INT64), side(w, x, -1), w.scalar(1, INT64))
                       >= _upright(w, rows if node.attrs.get("full_matrices", False) else few),
                       r, 0)]


@written("matrix_exponential")
def _exponential(w: GraphWriter, node: Any, x: Term) -> Term:
    """Taylor's series of a small part, squared again and again in a "Loop" """
    norm = w.op("ReduceMax", w.op("ReduceSum", w.op("Abs", x), w.ints(-1), keepdims=0), keepdims=0)
    halvings = w.op("Ceil", w.op("Log", norm + 1.0) / math.log(2)) + 3.0
    small = x / w.op("Pow", w.scalar(2.0, x.dtype), halvings)
    total = start = identity(w, x, side(w, x, -1))
    for i in range(_TAYLOR, 0, -1):
        total = start + w.op("MatMul", small, total) / float(i)
    return looped(w, w.cast(halvings, INT64), [total],
                  lambda b, at, y: [b.op("MatMul", y, y)])[0]


