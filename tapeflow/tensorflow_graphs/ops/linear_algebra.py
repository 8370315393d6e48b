"""Linear algebra."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
Cholesky linalg.cholesky
BatchCholesky linalg.cholesky
MatrixBandPart linalg.band_part
MatrixDeterminant linalg.det
MatrixDiag linalg.diag
MatrixDiagPart linalg.diag_part
MatrixExponential linalg.expm
MatrixLogarithm linalg.logm
MatrixSetDiag linalg.set_diag
MatrixSquareRoot linalg.sqrtm
BatchMatrixDeterminant linalg.det
BatchMatrixDiag linalg.diag
BatchMatrixDiagPart linalg.diag_part
BatchMatrixBandPart linalg.band_part
BatchMatrixSetDiag linalg.set_diag
TridiagonalMatMul linalg.tridiagonal_matmul
""")


@raw
def MatMul(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    return tf.linalg.matmul(a, b, transpose_a, transpose_b)


@raw
def BatchMatMul(x: Any, y: Any, adj_x: bool, adj_y: bool) -> Any:
    return tf.linalg.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


@raw
def BatchMatMulV2(x: Any, y: Any, adj_x: bool, adj_y: bool) -> Any:
    return tf.linalg.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


@raw
def BatchMatMulV3(x: Any, y: Any, adj_x: bool, adj_y: bool, Tout: Any) -> Any:
    return tf.linalg.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, output_type=Tout)


@raw
def SparseMatMul(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    return tf.linalg.matmul(tf.cast(a, tf.float32), tf.cast(b, tf.float32), transpose_a,
                            transpose_b)


@raw
def Einsum(inputs: Any, equation: str) -> Any:
    return tf.einsum(equation, *inputs)


@raw
def MatrixInverse(input: Any, adjoint: bool) -> Any:
    return tf.linalg.inv(input, adjoint)


@raw
def BatchMatrixInverse(input: Any, adjoint: bool) -> Any:
    return tf.linalg.inv(input, adjoint)


@raw
def MatrixSolve(matrix: Any, rhs: Any, adjoint: bool) -> Any:
    return tf.linalg.solve(matrix, rhs, adjoint)


@raw
def MatrixSolveLs(matrix: Any, rhs: Any, l2_regularizer: Any, fast: bool) -> Any:
    return tf.linalg.lstsq(matrix, rhs, float(tf.get_static_value(l2_regularizer)), fast)


@raw
def MatrixTriangularSolve(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    return tf.linalg.triangular_solve(matrix, rhs, lower, adjoint)


@raw
def BatchMatrixTriangularSolve(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    return tf.linalg.triangular_solve(matrix, rhs, lower, adjoint)


@raw
def BandedTriangularSolve(matrix: Any, rhs: Any, lower: bool, adjoint: bool) -> Any:
    return tf.linalg.banded_triangular_solve(matrix, rhs, lower, adjoint)


@raw
def LogMatrixDeterminant(input: Any) -> Any:
    return tuple(tf.linalg.slogdet(input))


@raw
def Lu(input: Any, output_idx_type: Any) -> Any:
    return tuple(tf.linalg.lu(input, output_idx_type))


@raw
def Qr(input: Any, full_matrices: bool) -> Any:
    return tuple(tf.linalg.qr(input, full_matrices))


@raw
def Svd(input: Any, compute_uv: bool, full_matrices: bool) -> Any:
    if compute_uv:
        return tuple(tf.linalg.svd(input, full_matrices, True))
    none = tf.zeros([0], input.dtype)
    return tf.linalg.svd(input, compute_uv=False), none, none


@raw
def SelfAdjointEigV2(input: Any, compute_v: bool) -> Any:
    if compute_v:
        return tuple(tf.linalg.eigh(input))
    return tf.linalg.eigvalsh(input), tf.zeros([0], input.dtype)


@raw
def Eig(input: Any, compute_v: bool) -> Any:
    if compute_v:
        return tuple(tf.linalg.eig(input))
    return tf.linalg.eigvals(input), tf.zeros([0], tf.linalg.eigvals(input).dtype)


@raw
def MatrixDiagV2(diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any) -> Any:
    return tf.linalg.diag(diagonal, k=k, num_rows=num_rows, num_cols=num_cols,
                          padding_value=padding_value)


@raw
def MatrixDiagV3(diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any,
                 align: str) -> Any:
    return tf.linalg.diag(diagonal, k=k, num_rows=num_rows, num_cols=num_cols,
                          padding_value=padding_value, align=align)


@raw
def MatrixDiagPartV2(input: Any, k: Any, padding_value: Any) -> Any:
    return tf.linalg.diag_part(input, k=k, padding_value=padding_value, align="LEFT_LEFT")


@raw
def MatrixDiagPartV3(input: Any, k: Any, padding_value: Any, align: str) -> Any:
    return tf.linalg.diag_part(input, k=k, padding_value=padding_value, align=align)


@raw
def MatrixSetDiagV2(input: Any, diagonal: Any, k: Any) -> Any:
    return tf.linalg.set_diag(input, diagonal, k=k, align="LEFT_LEFT")


@raw
def MatrixSetDiagV3(input: Any, diagonal: Any, k: Any, align: str) -> Any:
    return tf.linalg.set_diag(input, diagonal, k=k, align=align)


@raw
def TridiagonalSolve(diagonals: Any, rhs: Any, partial_pivoting: bool) -> Any:
    return tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=partial_pivoting)
