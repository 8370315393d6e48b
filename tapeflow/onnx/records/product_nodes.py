"""Matrix products and what is written with them; diagonals, bands, small matrices."""

from __future__ import annotations

from typing import Any

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
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


def _one(node: Any) -> int:
    """Which diagonal a record is about."""
    k = node.attrs.get("k", (0, 0))
    if not isinstance(k, tuple) or k[0] != k[1]:
        raise ExportError("several diagonals at once, or such that are known at run time only")
    return k[0]


def _along(w: GraphWriter, x: Term, rows: Term, k: int) -> Term:
    """A diagonal as a matrix that has it in every row: element i - max(-k, 0) in row i."""
    lead = max(-k, 0)
    size = w.size_of(x, x.rank - 1)
    at = counting(w, rows) - lead
    inside = w.op("Min", w.op("Max", at, w.scalar(0, INT64)), size - 1)
    return w.unsqueeze(w.op("Gather", x, inside, axis=-1), -1)


@written("matrix_diag")
def _matrix_diag(w: GraphWriter, node: Any, x: Term) -> Term:
    k = _one(node)
    asked = [node.attrs.get(key, -1) for key in ("num_rows", "num_cols")]
    more = (abs(k), abs(k)) if asked == [-1, -1] else (max(-k, 0), max(k, 0))
    sizes = [w.squeeze(w.size_of(x, x.rank - 1) + n, 0) if given == -1 else w.scalar(given, INT64)
             for given, n in zip(asked, more, strict=True)]
    on = offsets(w, *sizes).equals(k)
    return w.where(on, _along(w, x, sizes[0], k), node.attrs.get("padding", 0))


@written("matrix_diag_part")
def _matrix_diag_part(w: GraphWriter, node: Any, x: Term) -> Term:
    """The column sums of the diagonal alone, as many as there are rows and columns."""
    k = _one(node)
    rows, columns = _sides(w, x)
    kept = w.where(offsets(w, rows, columns).equals(k), x, 0)
    found = w.op("ReduceSum", kept, w.ints(-2), keepdims=0)
    few = w.unsqueeze(w.op("Min", rows + min(k, 0), columns - max(k, 0)), 0)
    return w.slice(found, [max(k, 0)], few + max(k, 0), [-1])


@written("matrix_set_diag")
def _matrix_set_diag(w: GraphWriter, node: Any, x: Term, diagonal: Term) -> Term:
    k, sides = _one(node), _sides(w, x)
    return w.where(offsets(w, *sides).equals(k), _along(w, diagonal, sides[0], k), x)


@written("matrix_band_part")
def _matrix_band_part(w: GraphWriter, node: Any, x: Term) -> Term:
    at = offsets(w, *_sides(w, x))
    low, high = [w.squeeze(w.vector(node.attrs[key]), 0) for key in ("num_lower", "num_upper")]
    inside = ((low < 0) | (at >= -low)) & ((high < 0) | (at <= high))
    return w.where(inside, x, 0)


@written("matrix_determinant")
def _determinant(w: GraphWriter, node: Any, x: Term) -> Term:
    return w.op("Det", x)
