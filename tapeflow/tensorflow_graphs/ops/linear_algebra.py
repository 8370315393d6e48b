"""Linear algebra."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
BandedTriangularSolve linalg.banded_triangular_solve lower adjoint
BatchCholesky linalg.cholesky
BatchMatMul linalg.matmul adjoint_a=adj_x adjoint_b=adj_y
BatchMatMulV2 linalg.matmul adjoint_a=adj_x adjoint_b=adj_y
BatchMatMulV3 linalg.matmul adjoint_a=adj_x adjoint_b=adj_y output_type=Tout
BatchMatrixBandPart linalg.band_part
BatchMatrixDeterminant linalg.det
BatchMatrixDiag linalg.diag
BatchMatrixDiagPart linalg.diag_part
BatchMatrixInverse linalg.inv adjoint
BatchMatrixSetDiag linalg.set_diag
BatchMatrixTriangularSolve linalg.triangular_solve lower adjoint
Cholesky linalg.cholesky
MatMul linalg.matmul transpose_a transpose_b
MatrixBandPart linalg.band_part
MatrixDeterminant linalg.det
MatrixDiag linalg.diag
MatrixDiagPart linalg.diag_part
MatrixExponential linalg.expm
MatrixInverse linalg.inv adjoint
MatrixLogarithm linalg.logm
MatrixSetDiag linalg.set_diag
MatrixSolve linalg.solve adjoint
MatrixSquareRoot linalg.sqrtm
MatrixTriangularSolve linalg.triangular_solve lower adjoint
TridiagonalSolve linalg.tridiagonal_solve partial_pivoting=partial_pivoting
""")


@raw
def SparseMatMul(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    return tf.linalg.matmul(tf.cast(a, tf.float32), tf.cast(b, tf.float32), transpose_a,
                            transpose_b)


@raw
def TridiagonalMatMul(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> Any:
    return tf.linalg.tridiagonal_matmul(tf.concat([superdiag, maindiag, subdiag], -2), rhs)


@raw
def Einsum(inputs: Any, equation: str) -> Any:
    return tf.einsum(equation, *inputs)


@raw
def MatrixSolveLs(matrix: Any, rhs: Any, l2_regularizer: Any, fast: bool) -> Any:
    return tf.linalg.lstsq(matrix, rhs, float(tf.get_static_value(l2_regularizer)), fast)


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
