"""Matrix products and what is written with them; diagonals, bands, small matrices."""

from __future__ import annotations

from typing import Any

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import GraphWriter, Term
from tapeflow.onnx.records.shape_nodes import counting


def swapped(w: GraphWriter, x: Term) -> Term:
    """The last two axes exchanged."""
    n = x.rank
    return w.transpose(x, (*range(n - 2), n - 1, n - 2))


@written("matmul")
def matmul(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    if node.attrs.get("transpose_a"):
        a = swapped(w, a)
    if node.attrs.get("transpose_b"):
        b = swapped(w, b)
    return w.op("MatMul", a, b)


@written("contract")
def _contract(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    """As a product where the letters allow it, which runtimes do best; else as Einsum."""
    equation = node.attrs["equation"]
    inputs, _, output = equation.partition("->")
    left, _, right = inputs.partition(",")
    summed = [one for one in left if one not in output]
    batch = [one for one in left if one in right and one in output]
    rows = [one for one in left if one not in right]
    columns = [one for one in right if one not in left]
    if len(summed) == 1 and summed[0] in right and len(rows) == len(columns) == 1 and len(
            set(left)) == len(left) and len(set(right)) == len(right):
        a = w.transpose(a, [left.index(one) for one in (*batch, *rows, *summed)])
        b = w.transpose(b, [right.index(one) for one in (*batch, *summed, *columns)])
        found = [*batch, *rows, *columns]
        return w.transpose(w.op("MatMul", a, b), [found.index(one) for one in output])
    return w.op("Einsum", a, b, equation=equation)


@written("mix_channels")
def _mix_channels(w: GraphWriter, node: Any, x: Term) -> Term:
    import numpy as np
    matrix = np.asarray(node.attrs["matrix"]).astype(x.dtype)
    return w.op("MatMul", x, w.constant(matrix))


@written("cross")
def _cross(w: GraphWriter, node: Any, a: Term, b: Term) -> Term:
    import numpy as np
    one, two = w.constant(np.array([1, 2, 0])), w.constant(np.array([2, 0, 1]))

    def part(x: Term, at: Term) -> Term:
        return w.op("Gather", x, at, axis=-1)

    return part(a, one) * part(b, two) - part(a, two) * part(b, one)


# -- diagonals -------------------------------------------------------------------------------------
def offsets(w: GraphWriter, rows: Term, columns: Term) -> Term:
    """column - row for each element of a matrix of these sizes (scalars)."""
    return w.unsqueeze(counting(w, columns), 0) - w.unsqueeze(counting(w, rows), 1)


def _sides(w: GraphWriter, x: Term) -> tuple[Term, Term]:
    return (w.squeeze(w.size_of(x, x.rank - 2), 0), w.squeeze(w.size_of(x, x.rank - 1), 0))


def _main(node: Any) -> None:
    if tuple(node.attrs.get("k", (0, 0))) != (0, 0):
        raise ExportError("a diagonal that is not the main one")


@written("matrix_diag")
def _matrix_diag(w: GraphWriter, node: Any, x: Term) -> Term:
    _main(node)
    if node.attrs.get("num_rows", -1) != -1 or node.attrs.get("num_cols", -1) != -1:
        raise ExportError("a diagonal in a matrix that is larger than it")
    size = w.squeeze(w.size_of(x, x.rank - 1), 0)
    on = offsets(w, size, size).equals(0)
    return w.where(on, w.unsqueeze(x, -1), node.attrs.get("padding", 0))


@written("matrix_diag_part")
def _matrix_diag_part(w: GraphWriter, node: Any, x: Term) -> Term:
    """The column sums of the diagonal alone, as many as there are rows and columns."""
    _main(node)
    rows, columns = _sides(w, x)
    kept = w.where(offsets(w, rows, columns).equals(0), x, 0)
    found = w.op("ReduceSum", kept, w.ints(-2), keepdims=0)
    few = w.unsqueeze(w.op("Min", rows, columns), 0)
    return w.slice(found, [0], few, [-1])


@written("matrix_set_diag")
def _matrix_set_diag(w: GraphWriter, node: Any, x: Term, diagonal: Term) -> Term:
    _main(node)
    shape = (x.shape or (None, None))[-2:]
    if None in shape or shape[0] > shape[1]:
        raise ExportError("the diagonal of a matrix with more rows than columns")
    return w.where(offsets(w, *_sides(w, x)).equals(0), w.unsqueeze(diagonal, -1), x)


@written("matrix_band_part")
def _matrix_band_part(w: GraphWriter, node: Any, x: Term) -> Term:
    at = offsets(w, *_sides(w, x))
    low, high = [w.squeeze(w.vector(node.attrs[key]), 0) for key in ("num_lower", "num_upper")]
    inside = ((low < 0) | (at >= -low)) & ((high < 0) | (at <= high))
    return w.where(inside, x, 0)


@written("matrix_determinant")
def _determinant(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Det", x)
