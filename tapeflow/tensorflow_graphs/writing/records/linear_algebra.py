"""Linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    FULL,
    cast,
    given,
    halves,
    joined,
    like,
    rank,
    scalar,
    sizes,
    within,
)
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
cross Cross
""")

_COMPLEX = {"float32": dtypes.complex64, "float64": dtypes.complex128}


# -- products --------------------------------------------------------------------------------------
_PRODUCTS = ("bfloat16", "float16", *FULL, "complex64", "complex128", "int16", "int32", "int64")


@written("matmul")
def matmul(w: Any, node: Any, a: Any, b: Any) -> Any:
    first, second = (bool(node.attrs.get(key)) for key in ("transpose_a", "transpose_b"))
    if rank(a) == rank(b) == 2:
        return within(w, "MatMul", [a, b], _PRODUCTS, transpose_a=first, transpose_b=second)
    if a.dtype.kind == "c":  # the op's adjoint conjugates
        a, b = (w.Conj(x) if turned else x for x, turned in ((a, first), (b, second)))
    return within(w, "BatchMatMulV2", [a, b], _PRODUCTS, adj_x=first, adj_y=second)


@written("contract")
def contract(w: Any, node: Any, a: Any, b: Any) -> Any:
    kind, equation = a.dtype, node.attrs["equation"]
    wide = kind.name in ("int8", "int16", "uint8", "uint16")
    operands = [w.Cast(x, DstT=dtypes.int32) for x in (a, b)] if wide else [a, b]
    return cast(w, w.Einsum(operands, equation=equation), kind)


# -- factors and systems ---------------------------------------------------------------------------
_PLAIN = {"cholesky": "Cholesky", "matrix_determinant": "MatrixDeterminant",
          "matrix_inverse": "MatrixInverse", "matrix_square_root": "MatrixSquareRoot",
          "matrix_logarithm": "MatrixLogarithm",
          "log_matrix_determinant": "LogMatrixDeterminant"}
for _record, _op in _PLAIN.items():
    written(_record)(lambda w, node, x, op=_op: halves(w, [x], lambda x: w.emit(op, [x])))


@written("triangular_solve")
def triangular_solve(w: Any, node: Any, matrix: Any, rhs: Any) -> Any:
    lower, adjoint = node.attrs.get("lower", True), node.attrs.get("adjoint", False)
    return halves(w, [matrix, rhs], lambda a, b: w.MatrixTriangularSolve(
        a, b, lower=bool(lower), adjoint=bool(adjoint)))


@written("matrix_solve")
def matrix_solve(w: Any, node: Any, matrix: Any, rhs: Any) -> Any:
    adjoint = bool(node.attrs.get("adjoint", False))
    return halves(w, [matrix, rhs], lambda a, b: w.MatrixSolve(a, b, adjoint=adjoint))


@written("tridiagonal_solve")
def tridiagonal_solve(w: Any, node: Any, diagonals: Any, rhs: Any) -> Any:
    if diagonals.shape[:-2] != rhs.shape[:-2] or None in diagonals.shape[:-2]:
        lead = [w.StridedSlice(w.shape_of(x), w.const([0], dtypes.int32),
                               w.const([-2], dtypes.int32), w.const([1], dtypes.int32))
                for x in (diagonals, rhs)]
        stack = w.BroadcastArgs(*lead)
        diagonals, rhs = (w.BroadcastTo(x, joined(w, [[stack], *sizes(w, x)[-2:]]))
                          for x in (diagonals, rhs))
    return halves(w, [diagonals, rhs], w.TridiagonalSolve)


@written("matrix_exponential")
def matrix_exponential(w: Any, node: Any, x: Any) -> Any:
    """By halving the matrix until it is small, a Taylor series, and squaring as often."""
    def run(x: Any) -> Any:
        kind = dtypes.float64 if x.dtype.name in ("float64", "complex128") else dtypes.float32
        size = w.ComplexAbs(x, Tout=kind) if x.dtype.kind == "c" else w.Abs(x)
        norm = w.Max(w.Sum(size, w.const([-2], dtypes.int32), keep_dims=True),
                     w.const([-1], dtypes.int32), keep_dims=True)
        often = w.Ceil(w.RealDiv(w.Log(w.Maximum(norm, like(w, 0.5, norm))),
                                 w.const(np.log(2.0), kind)))
        often = w.Minimum(w.AddV2(often, w.const(1, kind)), w.const(_SQUARINGS, kind))
        small = w.Mul(x, cast(w, w.Pow(w.const(0.5, kind), often), x.dtype))
        one = w.MatrixDiagV3(w.OnesLike(w.MatrixDiagPartV3(
            x, w.const([0, 0], dtypes.int32), like(w, 0, x))), w.const([0, 0], dtypes.int32),
            w.const(-1, dtypes.int32), w.const(-1, dtypes.int32), like(w, 0, x))
        found = one
        for n in range(_TERMS, 0, -1):
            found = w.AddV2(one, w.Mul(w.BatchMatMulV2(small, found), like(w, 1 / n, x)))
        for i in range(_SQUARINGS):
            found = w.SelectV2(w.Less(w.const(i, kind), often), w.BatchMatMulV2(found, found),
                               found)
        return found

    return halves(w, [x], run)


_TERMS, _SQUARINGS = 16, 24


@written("lu")
def lu(w: Any, node: Any, x: Any) -> Any:
    kind = dtypes.of(node.attrs["index_dtype"])
    return halves(w, [x], lambda x: w.Lu(x, output_idx_type=kind))


@written("qr")
def qr(w: Any, node: Any, x: Any) -> Any:
    full = bool(node.attrs.get("full_matrices", False))
    return halves(w, [x], lambda x: w.Qr(x, full_matrices=full))


def _real(w: Any, x: Any, kind: Any) -> Any:
    """Singular values, which the op gives in the type of its operand."""
    return w.Real(x, Tout=kind) if x.dtype.kind == "c" else x


@written("svd")
def svd(w: Any, node: Any, x: Any) -> Any:
    full = bool(node.attrs.get("full_matrices", False))
    s, u, v = halves(w, [x], lambda x: w.Svd(x, full_matrices=full))
    return _real(w, s, dtypes.of(node.outputs[0].dtype)), u, v


@written("singular_values")
def singular_values(w: Any, node: Any, x: Any) -> Any:
    s, _, _ = halves(w, [x], lambda x: w.Svd(x, compute_uv=False))
    return _real(w, s, dtypes.of(node.outputs[0].dtype))


@written("self_adjoint_eig")
def self_adjoint_eig(w: Any, node: Any, x: Any) -> Any:
    return halves(w, [x], w.SelfAdjointEigV2)


@written("self_adjoint_eigvals")
def self_adjoint_eigvals(w: Any, node: Any, x: Any) -> Any:
    return halves(w, [x], lambda x: w.SelfAdjointEigV2(x, compute_v=False)[0])


def _eigen(w: Any, node: Any, x: Any, vectors: bool) -> Any:
    wide = dtypes.of(node.outputs[0].dtype)
    x = cast(w, x, dtypes.float32) if x.dtype.name == "float16" else x
    return w.Eig(x, compute_v=vectors, Tout=wide)


@written("eig")
def eig(w: Any, node: Any, x: Any) -> Any:
    return _eigen(w, node, x, True)


@written("eigvals")
def eigvals(w: Any, node: Any, x: Any) -> Any:
    return _eigen(w, node, x, False)[0]


@written("pinv")
def pinv(w: Any, node: Any, x: Any, rcond: Any) -> Any:
    """By singular values; a negative rcond stands for the default of the matrix's size."""
    kind = x.dtype
    rows, columns = sizes(w, x)[-2:]
    longest = max(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else (
        w.Maximum(scalar(w, rows), scalar(w, columns)))
    longest = w.const(longest, kind) if isinstance(longest, int) else w.Cast(longest, DstT=kind)
    default = w.Mul(longest, w.const(10 * np.finfo(kind.np).eps, kind))
    rcond = w.SelectV2(w.Less(rcond, like(w, 0, rcond)), default, rcond)
    s, u, v = halves(w, [x], w.Svd)
    last = w.const([-1], dtypes.int32)
    most = w.Max(s, last, keep_dims=True)
    kept = w.Greater(s, w.Mul(w.ExpandDims(rcond, w.const(-1, dtypes.int32)), most))
    inverse = w.SelectV2(kept, w.Reciprocal(w.SelectV2(kept, s, like(w, 1, s))), like(w, 0, s))
    scaled = w.Mul(v, w.ExpandDims(inverse, w.const(-2, dtypes.int32)))
    return w.BatchMatMulV2(scaled, u, adj_y=True)


# -- diagonals -------------------------------------------------------------------------------------
def _band(node: Any) -> Any:
    return list(node.attrs.get("k", (0, 0)))


@written("matrix_diag")
def matrix_diag(w: Any, node: Any, x: Any) -> Any:
    attrs = node.attrs
    return w.MatrixDiagV3(
        x, w.const(_band(node), dtypes.int32), w.const(attrs.get("num_rows", -1), dtypes.int32),
        w.const(attrs.get("num_cols", -1), dtypes.int32), like(w, attrs.get("padding", 0), x),
        align=attrs.get("align", "RIGHT_LEFT"))


@written("matrix_diag_part")
def matrix_diag_part(w: Any, node: Any, x: Any) -> Any:
    return w.MatrixDiagPartV3(x, w.const(_band(node), dtypes.int32),
                              like(w, node.attrs.get("padding", 0), x),
                              align=node.attrs.get("align", "RIGHT_LEFT"))


@written("matrix_set_diag")
def matrix_set_diag(w: Any, node: Any, x: Any, diagonal: Any) -> Any:
    return w.MatrixSetDiagV3(x, diagonal, w.const(_band(node), dtypes.int32),
                             align=node.attrs.get("align", "RIGHT_LEFT"))


@written("matrix_band_part")
def matrix_band_part(w: Any, node: Any, x: Any) -> Any:
    return w.MatrixBandPart(x, *[given(w, node.attrs[key], dtypes.int64)
                                 for key in ("num_lower", "num_upper")])
