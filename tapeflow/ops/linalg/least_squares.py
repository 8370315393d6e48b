"""tf.linalg.lstsq: least squares by the normal equations or the pseudo-inverse."""

from __future__ import annotations

from typing import Any

from tapeflow.base import errors
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.linalg.diagonal import matrix_diag_part, matrix_set_diag
from tapeflow.ops.linalg.matmul import conjugated, matmul_call
from tapeflow.ops.linalg.matrices import (
    matrices,
)
from tapeflow.ops.linalg.solving import cholesky_call, cholesky_solve, solve_call
from tapeflow.ops.linalg.spectral import pinv


@export("linalg.lstsq")
def lstsq(matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True,
          name: str | None = None) -> Tensor:
    """x that minimises |matrix·x - rhs|² + l2_regularizer·|x|²; the smallest such x.

    `fast` solves the normal equations by Cholesky; without it the pseudo-inverse is taken, which
    also serves matrices of less than full rank. Beyond TensorFlow's: that way has a gradient too.
    """
    a, b = matrices(matrix, rhs, solve_call)
    l2_regularizer = operand(l2_regularizer, a.dtype.real_dtype) if type(
        l2_regularizer) is not float else l2_regularizer
    rank = len(shape_of(a))
    if isinstance(l2_regularizer, Tensor) and 0 in shape_of(l2_regularizer):
        raise errors.invalid("Mul", f"Incompatible shapes: l2_regularizer {l2_regularizer.shape}")
    if rank < 2 or len(shape_of(b)) < 2:
        return matmul_call(a, b, True, False)  # which says what is wrong
    if not (isinstance(fast, Tensor) or fast):  # as in TensorFlow, tensors are not asked
        return matmul_call(pinv(a), b)
    rows, columns = shape_of(a)[-2:]
    unknown = rows is None or columns is None
    if unknown and _known_zero(l2_regularizer):
        return lstsq(a, b, fast=False)
    if unknown or rows >= columns:
        gram = matmul_call(conjugated(a), a, transpose_a=True)
        return _spd_solve(gram, matmul_call(conjugated(a), b, transpose_a=True), l2_regularizer)
    gram = matmul_call(a, conjugated(a), transpose_b=True)
    return matmul_call(conjugated(a), _spd_solve(gram, b, l2_regularizer), transpose_a=True)


def _known_zero(ridge: Any) -> bool:
    value = ridge._value if type(ridge) is Tensor else ridge
    return not isinstance(value, Tensor) and not value


def _spd_solve(gram: Any, rhs: Any, ridge: Any) -> Any:
    if not _known_zero(ridge):
        ridge = cast(operand(ridge), dtype=gram.dtype.np)
        gram = matrix_set_diag(gram, matrix_diag_part(gram) + ridge)
    return cholesky_solve(cholesky_call(gram), rhs)
