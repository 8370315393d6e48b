"""Systems of linear equations and determinants: cholesky, solve, triangular_solve, inv, det, lstsq,
and the LU decomposition.

Gradients as TensorFlow's: cholesky's is symmetrised, a singular matrix is refused by `inv` and so
by the gradient of `det`, and a matrix that is not positive definite has a Cholesky factor of NaN.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag, truth
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.lowering_forms import Gather, MatrixRoutine
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to, reduce_sum
from tapeflow.core.record.samples import Case, symmetric
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets, check_range, dtype_among, integers
from tapeflow.ops._support.blocked_matmul import THREADED_FROM, product
from tapeflow.ops._support.kernel_threads import share, slices
from tapeflow.ops.linalg.diagonal import lower, matrix_diag_part, matrix_set_diag, upper
from tapeflow.ops.linalg.matmul import conjugated, fitted, matmul_call
from tapeflow.ops.linalg.matrices import (
    ELIMINATED,
    SMALL_SIDE,
    adjoint,
    adjoint_of,
    in_parts,
    lapack,
    leading,
    matrices,
    matrix,
    routine,
    same_matrix,
    scalar,
    side,
    stack_of,
    stack_of_squares,
)

_I32 = np.dtype("int32")
# Sides of matrices that are factored by blocks; rows and columns of a block.
MANY, BLOCK = 768, 256
_NOT_INVERTIBLE = "Input is not invertible."


# -- triangular systems ---------------------------------------------------------------------------
def _triangular_kernel(a, b, lower=True, adjoint=False):
    """x with a·x = b (or aᴴ·x = b) where only one triangle of `a` is read."""
    for i, x in enumerate((a, b)):
        if x.ndim < 2:
            raise errors.invalid("MatrixTriangularSolve", f"In[{i}] ndims must be >= 2: {x.ndim}")
    if a.shape[-1] != a.shape[-2]:
        raise errors.invalid("MatrixTriangularSolve", "In[0] matrices in the last dimensions must "
                                                      f"be square ({a.shape[-2]} =/= "
                                                      f"{a.shape[-1]})")
    if a.shape[-1] != b.shape[-2]:
        raise errors.invalid("MatrixTriangularSolve", (
            f"In[0] mismatch In[1] shape: {a.shape[-1]} vs. {b.shape[-2]}: {brackets(a.shape)} "
            f"{brackets(b.shape)} {int(lower)} {int(adjoint)}"))
    if adjoint:
        a, lower = adjoint_of(a), not lower
    if a.ndim == b.ndim == 2 and a.shape[0] > 4:
        return np.ascontiguousarray(_one_system(a, b, lower))
    return _substitute(a, b, lower)


_triangular_kernel = lapack("MatrixTriangularSolve")(_triangular_kernel)


def _substitute(a, b, lower):
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    n, count = a.shape[-1], math.prod(stack)
    if n > 4 and count < n:
        return _by_blas(a, b, lower, stack)
    # Row after row, all systems of the stack at once; a zero on the diagonal gives infinities.
    x = np.empty((*stack, *b.shape[-2:]), b.dtype)
    for i in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, i) if lower else slice(i + 1, n)
        known = np.matmul(a[..., i:i + 1, done], x[..., done, :])
        x[..., i, :] = (b[..., i, :] - known[..., 0, :]) / a[..., i, i, None]
    return x


def _by_blas(a, b, lower, stack):
    x = np.empty((*stack, *b.shape[-2:]), b.dtype)
    a = np.broadcast_to(a, (*stack, *a.shape[-2:]))
    b = np.broadcast_to(b, x.shape)
    for i in np.ndindex(stack):
        x[i] = _one_system(a[i], b[i], lower)
    return x


def _one_system(a, b, lower):
    parts = min(b.shape[1] // BLOCK, 8)
    if parts < 2 or a.size * b.shape[1] < THREADED_FROM:
        return _columns(a, b, lower)
    x = np.empty(b.shape, b.dtype)

    def fill(part: slice) -> None:
        x[:, part] = _columns(a, b[:, part], lower)

    share(fill, slices(b.shape[1], parts))
    return x


def _columns(a, b, lower):
    solve = routine("trsm", a.dtype)
    # BLAS reads by columns: what lies by rows is the transpose, and is not copied.
    if a.flags.c_contiguous:
        return solve(1, a.T, b, lower=not lower, trans_a=1)
    return solve(1, a, b, lower=lower)


def _system_shape(a: Spec, b: Spec, **attrs: Any) -> Spec:
    if a.shape is None or b.shape is None:
        return Spec(None, b.dtype)
    n, rows = side(a), b.shape[-2] if len(b.shape) > 1 else None
    if None not in (n, rows) and n != rows:
        raise ValueError(f"Dimensions must be equal, but are {n} and {rows}: the matrix has shape "
                         f"{list(a.shape)}, the right-hand sides have {list(b.shape)}")
    return Spec((*stack_of(a, b), rows if n is None else n, b.shape[-1]), b.dtype)


def _triangular_vjp_b(g, y, a, b, lower=True, adjoint=False):
    return fitted(triangular_solve_call(a, g, lower=lower, adjoint=not adjoint), b)


def _triangular_vjp_a(g, y, a, b, lower=True, adjoint=False):
    # a x = b: -(a⁻ᴴ g) xᴴ, kept to the triangle that was read.
    gb = triangular_solve_call(a, g, lower=lower, adjoint=not adjoint)
    whole = -_outer(y, gb) if adjoint else -_outer(gb, y)
    return fitted(_triangle(whole, lower), a)


def _triangle(x: Any, keep_lower: bool) -> Any:
    return lower(x) if keep_lower else upper(x)


def _outer(a: Any, b: Any) -> Any:
    """a·bᴴ."""
    return matmul_call(a, conjugated(b), transpose_b=True)


triangular_solve_call = define(
    "triangular_solve", kernel=_triangular_kernel, shape=_system_shape,
    vjp=(_triangular_vjp_a, _triangular_vjp_b), batch=batch_elementwise, args=("matrix", "rhs"),
    saves="in0 out", dtypes="fc", tf_name="MatrixTriangularSolve",
    lower=MatrixRoutine("triangular_solve"),
    check=[Case(symmetric((3, 3)), (3, 2)), Case(symmetric((2, 2, 2)), (2, 2, 1), lower=False),
           Case(symmetric((2, 2)), (3, 2, 1), adjoint=True), Case(symmetric((5, 5)), (5, 1)),
           Case(symmetric((5, 5)), (2, 5, 2), lower=False, adjoint=True),
           Case(symmetric((3, 2, 2)), (2, 2)), Case((0, 0), (0, 2)), Case((0, 2, 2), (0, 2, 1))])
set_traits(triangular_solve_call, hazard="inverse")


@export("linalg.triangular_solve")
@attributes(lower=flag, adjoint=flag)
def triangular_solve(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False,
                     name: str | None = None) -> Tensor:
    """x with matrix·x = rhs, reading only one triangle of the matrix; stacks broadcast."""
    a, b = matrices(matrix, rhs, triangular_solve_call)
    return triangular_solve_call(a, b, lower=bool(lower), adjoint=adjoint)


# -- general systems ------------------------------------------------------------------------------
@lapack("MatrixSolve", failure="Input matrix is not invertible.", quiet=ELIMINATED)
def _solve_kernel(a, b, adjoint=False):
    if a.ndim < 2 or b.ndim < 2:
        raise errors.invalid("MatrixSolve", "All input tensors must have the same rank.")
    if a.shape[-1] != a.shape[-2]:
        raise errors.invalid("MatrixSolve", "First input (lhs) must be a square matrix.")
    if a.shape[-1] != b.shape[-2]:
        raise errors.invalid("MatrixSolve", "Input matrix and rhs are incompatible.")
    if adjoint:
        a = adjoint_of(a)
    if a.ndim == b.ndim == 2 and 0 < len(a) <= SMALL_SIDE and b.size:
        *_, x, info = routine("gesv", a.dtype)(a, b)
        if info:
            raise np.linalg.LinAlgError
        return np.ascontiguousarray(x)
    return in_parts(np.linalg.solve, a, b)


def _solve_vjp_b(g, y, a, b, adjoint=False):
    return fitted(solve_call(a, g, adjoint=not adjoint), b)


def _solve_vjp_a(g, y, a, b, adjoint=False):
    gb = solve_call(a, g, adjoint=not adjoint)
    return fitted(-_outer(y, gb) if adjoint else -_outer(gb, y), a)


solve_call = define(
    "matrix_solve", kernel=_solve_kernel, shape=_system_shape, vjp=(_solve_vjp_a, _solve_vjp_b),
    batch=batch_elementwise, args=("matrix", "rhs"), saves="in0 out", dtypes="fc",
    tf_name="MatrixSolve", lower=MatrixRoutine("solve"),
    check=[Case(symmetric((3, 3)), (3, 2)), Case(symmetric((2, 2, 2)), (2, 2, 1), adjoint=True),
           Case([[2.0, 1.0], [-1.0, 3.0]], (2, 2), adjoint=True), Case((0, 0), (0, 2))])


@export("linalg.solve")
@attributes(adjoint=flag)
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """x with matrix·x = rhs, or with the adjoint of the matrix."""
    a, b = matrices(matrix, rhs, solve_call)
    shape_a, shape_b = shape_of(a), shape_of(b)
    if len(shape_a) != len(shape_b):
        raise errors.invalid("MatrixSolve", "All input tensors must have the same rank.")
    if None not in shape_a + shape_b and shape_a[:-2] != shape_b[:-2]:
        raise errors.invalid("MatrixSolve", "All input tensors must have the same outer "
                                            "dimensions.")
    return solve_call(a, b, adjoint=bool(adjoint))


@lapack("MatrixInverse", stack_of_squares, _NOT_INVERTIBLE, quiet=ELIMINATED)
def _inverse_kernel(x):
    if x.ndim == 2 and len(x):
        # By columns this is the transpose of x, and its inverse that of the result.
        packed, pivots, singular = routine("getrf", x.dtype)(x.T)
        if singular:
            raise np.linalg.LinAlgError
        room = max(3, 64 if len(x) > SMALL_SIDE else 0) * len(x)  # for blocks of 64 columns
        y = np.ascontiguousarray(routine("getri", x.dtype)(packed, pivots, lwork=room)[0].T)
    else:
        y = in_parts(np.linalg.inv, x)
    if np.count_nonzero(y != y):
        raise np.linalg.LinAlgError
    return y


def _inverse_vjp(g, y, x):
    # -x⁻ᴴ g x⁻ᴴ
    y = conjugated(y)
    return -matmul_call(matmul_call(y, g, transpose_a=True), y, transpose_b=True)


inverse = define(
    "matrix_inverse", kernel=_inverse_kernel, shape=same_matrix, vjp=(_inverse_vjp,),
    jvp=lambda ts, y, x: -matmul_call(matmul_call(y, ts[0]), y), batch=leading, args=("input",),
    saves="out", dtypes="fc", tf_name="MatrixInverse", lower=MatrixRoutine("inverse"),
    check=[Case(symmetric((3, 3))), Case(symmetric((2, 2, 2))), Case([[2.0, 1.0], [-1.0, 3.0]]),
           Case((0, 0))])


@export("linalg.inv")
@attributes(adjoint=flag)
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each matrix, or of its adjoint."""
    x = matrix(input, inverse)
    return inverse(_adjoint_if(x, adjoint))


def _adjoint_if(x: Any, wanted: bool) -> Any:
    return adjoint(x) if wanted and len(shape_of(x)) >= 2 else x


# -- Cholesky -------------------------------------------------------------------------------------
@lapack("Cholesky", stack_of_squares, quiet=ELIMINATED)
def _cholesky_kernel(x):
    return in_parts(_factors_of, x)


def _factors_of(x):
    try:
        return _by_blocks(x) if x.ndim == 2 and len(x) >= MANY else np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        if x.ndim > 2:  # NumPy's own loop, which leaves NaNs where there is no factor
            with np.errstate(invalid="ignore"):
                return np.tril(np.linalg._umath_linalg.cholesky_lo(x))
        return np.tril(np.full_like(x, np.nan))


def _by_blocks(x):
    """Some columns at a time: what is subtracted and divided is products and systems, which use
    several threads, and the factor of a block by LAPACK on one.
    """
    n = len(x)
    y = np.zeros_like(x, order="C")
    for start in range(0, n, BLOCK):
        end = min(start + BLOCK, n)
        known = adjoint_of(y[start:end, :start])
        panel = x[start:, start:end]
        if start:
            panel = panel - product(y[start:, :start], known)
        y[start:end, start:end] = np.linalg.cholesky(panel[:BLOCK])
        if end < n:
            y[end:, start:end] = adjoint_of(_one_system(
                np.ascontiguousarray(y[start:end, start:end]), adjoint_of(panel[BLOCK:]), True))
    return y


def _cholesky_vjp(g, y, x):
    # S = y⁻ᴴ Φ(yᴴ g) y⁻¹ with Φ the lower triangle with half the diagonal; then (S + Sᴴ) / 2.
    middle = matmul_call(conjugated(y), g, transpose_a=True)
    middle = _half_diagonal(lower(middle))
    left = triangular_solve_call(y, middle, adjoint=True)
    whole = triangular_solve_call(y, adjoint(left), adjoint=True)
    return (whole + adjoint(whole)) * 0.5


def _cholesky_jvp(ts, y, x):
    # y Φ(y⁻¹ t y⁻ᴴ), for a symmetric tangent
    t = (ts[0] + adjoint(ts[0])) * 0.5
    middle = triangular_solve_call(y, adjoint(triangular_solve_call(y, t)))
    return matmul_call(y, _half_diagonal(lower(middle)))


def _half_diagonal(x: Any) -> Any:
    return matrix_set_diag(x, matrix_diag_part(x) * 0.5)


cholesky_call = define(
    "cholesky", kernel=_cholesky_kernel, shape=same_matrix, vjp=(_cholesky_vjp,),
    jvp=_cholesky_jvp, batch=leading, args=("input",), saves="out", dtypes="fc",
    tf_name="Cholesky", lower=MatrixRoutine("cholesky"),
    check=[Case(symmetric((3, 3))), Case(symmetric((2, 2, 2))), Case(symmetric((5, 5))),
           Case((0, 0))])
set_traits(cholesky_call, hazard="positive definite")


@export("linalg.cholesky")
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular L with input = L·Lᴴ; NaN where the matrix is not positive definite."""
    return cholesky_call(matrix(input, cholesky_call))


@export("linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """x with A·x = rhs, given the Cholesky factor of A."""
    a, b = matrices(chol, rhs, triangular_solve_call)
    y = triangular_solve_call(a, b, lower=True, adjoint=False)
    return triangular_solve_call(a, y, lower=True, adjoint=True)


# -- determinants ---------------------------------------------------------------------------------
@lapack("MatrixDeterminant", stack_of_squares, quiet=ELIMINATED)
def _det_kernel(x):
    return _nan_of_nan(x, in_parts(np.linalg.det, x))


def _nan_of_nan(x, result, zero=0):
    """LAPACK may take a matrix with NaN for a singular one, whose determinant is `zero`."""
    singular = result == zero
    if np.any(singular):
        singular &= np.isnan(x).any((-2, -1))
        return np.where(singular, np.array(np.nan, x.dtype), result)[()]
    return result


def _scalars(x: Spec) -> Spec:
    """One scalar for each matrix."""
    if x.shape is None:
        return x
    side(x)
    return Spec(x.shape[:-2], x.dtype)


def _det_vjp(g, y, x):
    # conj(det x) x⁻ᴴ
    return scalar(g * conjugated(y)) * inverse(adjoint(x))


det_call = define(
    "matrix_determinant", kernel=_det_kernel, shape=_scalars, vjp=(_det_vjp,), batch=leading,
    args=("input",), saves="in out", dtypes="fc", tf_name="MatrixDeterminant",
    lower=MatrixRoutine("determinant"),
    check=[Case(symmetric((3, 3))), Case(symmetric((2, 2, 2))), Case([[2.0, 1.0], [-1.0, 3.0]]),
           Case((0, 0))])


@export("linalg.det")
def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of each matrix."""
    return det_call(matrix(input, det_call))


@lapack("LogMatrixDeterminant", stack_of_squares, quiet=ELIMINATED)
def _slogdet_kernel(x):
    sign, log = in_parts(np.linalg.slogdet, x)
    return _nan_of_nan(x, sign), _nan_of_nan(x, log.astype(x.dtype), -np.inf)


def _slogdet_vjp(g, y, x):
    # The sign is constant wherever it is differentiable; TensorFlow's rule says so of complex too.
    return (scalar(g[1]) * inverse(adjoint(x)),)


slogdet_call = define(
    "log_matrix_determinant", kernel=_slogdet_kernel, shape=lambda x: (_scalars(x), _scalars(x)),
    vjp=_slogdet_vjp, batch=leading, args=("input",), saves="in out", dtypes="fc", multi=True,
    tf_name="LogMatrixDeterminant", lower=MatrixRoutine("log_determinant"),
    check=[Case(symmetric((3, 3)), real=True, why="the phase is taken as constant"),
           Case([[1.0, 2.0], [3.0, 1.0]], real=True), Case(symmetric((2, 2, 2)), real=True)])


class LogMatrixDeterminant(NamedTuple):
    """What tf.linalg.slogdet returns."""

    sign: Tensor
    log_abs_determinant: Tensor


@export("linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """Sign and logarithm of the absolute value of the determinant."""
    return LogMatrixDeterminant(*slogdet_call(matrix(input, slogdet_call)))


@export("linalg.logdet")
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of symmetric positive definite matrices."""
    from tapeflow.ops.math.complex import real
    from tapeflow.ops.math.exponential import log
    d = matrix_diag_part(cholesky(matrix))
    logs = log(real(d) if d.dtype.is_complex else d)
    return 2.0 * reduce_sum(logs, axis=(len(shape_of(logs)) - 1,), keepdims=False)


# -- least squares --------------------------------------------------------------------------------
# -- LU -------------------------------------------------------------------------------------------
@lapack("Lu", None, _NOT_INVERTIBLE, quiet=ELIMINATED)
def _lu_kernel(x, index_dtype):
    if x.ndim < 2:
        raise errors.invalid("Lu", f"Input tensor must have rank >= 2, got {x.ndim}")
    stack_of_squares(x, "Lu")
    if x.ndim == 2 and x.size:
        return _one_lu(x, index_dtype)
    packed, order = np.empty_like(x), np.empty(x.shape[:-1], index_dtype)
    if x.size:
        for i in np.ndindex(x.shape[:-2]):
            packed[i], order[i] = _one_lu(x[i], index_dtype)
    return packed, order


def _one_lu(x, index_dtype):
    packed, pivots, singular = routine("getrf", x.dtype)(x)
    if singular or np.count_nonzero(packed != packed):
        raise np.linalg.LinAlgError
    rows = list(range(len(x)))
    for k, p in enumerate(pivots.tolist()):
        rows[k], rows[p] = rows[p], rows[k]
    return np.ascontiguousarray(packed), np.array(rows, index_dtype)


def _lu_shape(x: Spec, index_dtype: Any) -> tuple[Spec, Spec]:
    packed = same_matrix(x)
    return packed, Spec(None if x.shape is None else packed.shape[:-1],  # type: ignore[index]
                        np.dtype(index_dtype))


def _lu_vjp(g, y, x, index_dtype):
    # a[p] = l u: l⁻ᴴ (tril(lᴴ gl, -1) + triu(gu uᴴ)) u⁻ᴴ, its rows put back in place.
    packed, order = y
    l, u = _unit_lower(packed), upper(packed)
    gl, gu = g[0] - upper(g[0]), upper(g[0])
    inner = matmul_call(conjugated(l), gl, transpose_a=True)
    middle = inner - upper(inner) + upper(_outer(gu, u))
    left = triangular_solve_call(l, middle, lower=True, adjoint=True)
    rows = adjoint(triangular_solve_call(u, adjoint(left), lower=False, adjoint=False))
    return (permute_rows(rows, order, inverse=True),)


def _unit_lower(packed: Any) -> Any:
    """The lower factor: ones on its diagonal."""
    below = packed - upper(packed)
    d = matrix_diag_part(below)
    return matrix_set_diag(below, d * 0 + 1)


lu_call = define(
    "lu", kernel=_lu_kernel, shape=_lu_shape, vjp=_lu_vjp, batch=leading, args=("input",),
    saves="out", dtypes="fc", multi=True, tf_name="Lu", lower=MatrixRoutine("lu"),
    check=[Case([[1.0, 2.5, 0.5], [3.0, 1.0, 1.0], [2.0, -1.0, 4.0]],
                index_dtype=np.dtype("int32")),
           Case(symmetric((2, 2, 2)), index_dtype=np.dtype("int64"))])


def _permute_kernel(x, order, inverse=False):
    check_range(order, x.shape[-2], "GatherV2")
    if inverse:
        order = np.argsort(order, axis=-1)
    return np.take_along_axis(x, order[..., None], axis=-2)


def _permute_batch(call, size, xs, batched, attrs):
    batches = [x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
              for x, mark in zip(xs, batched, strict=True)]
    return call(*batches, **attrs)


def _permuted_axis(shapes, inverse=False):
    """What the rows are gathered along; the inverse order is not known before the run."""
    axis = len(shapes[0]) - 2
    return None if inverse else (axis, axis)


permute_rows = define(
    "permute_rows", kernel=_permute_kernel, shape=lambda x, order, inverse=False: x,
    vjp=(lambda g, y, x, order, inverse=False: permute_rows(g, order, inverse=not inverse), None),
    jvp=lambda ts, y, x, order, inverse=False: permute_rows(ts[0], order, inverse=inverse),
    batch=_permute_batch, args=("x", "order"), saves="in1", kind="move", tf_name="GatherV2",
    lower=Gather(_permuted_axis),
    check=[Case((3, 2), [2, 0, 1]), Case((3, 2), [2, 0, 1], inverse=True),
           Case((2, 2, 1), [[1, 0], [0, 1]])])


class Lu(NamedTuple):
    """What tf.linalg.lu returns."""

    lu: Tensor
    p: Tensor


@export("linalg.lu")
def lu(input: Any, output_idx_type: Any = np.int32, name: str | None = None) -> Lu:
    """Both triangular factors in one matrix, and the order of the rows: input[p] = L·U.

    Beyond TensorFlow's: it has a gradient.
    """
    wanted = _I32 if output_idx_type is np.int32 else dtype_among(
        output_idx_type, "Lu", "output_idx_type").np
    return Lu(*lu_call(matrix(input, lu_call), index_dtype=wanted))


def _factors(lower_upper: Any, perm: Any) -> tuple[Any, Any]:
    packed, order = operand(lower_upper), integers(perm, "GatherV2", "Tindices")
    rank = len(shape_of(packed))
    if rank < 2:
        raise ValueError(f"tf.linalg: `lower_upper` must have at least 2 dimensions, got shape "
                         f"{packed.shape}.")
    if shape_of(packed)[-1] != shape_of(packed)[-2]:
        raise ValueError(f"tf.linalg: `lower_upper` must be square, got shape {packed.shape}.")
    if len(shape_of(order)) + 1 != rank:
        raise ValueError(f"tf.linalg: `perm` of shape {order.shape} must have one dimension less "
                         f"than `lower_upper` of shape {packed.shape}.")
    return matrix(packed, lu_call), order


@export("linalg.lu_solve")
@deferrable
@attributes(validate_args=truth)
def lu_solve(lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False,
             name: str | None = None) -> Tensor:
    """x with A·x = rhs, given the LU decomposition of A."""
    packed, order = _factors(lower_upper, perm)
    b = operand(rhs)
    if b.dtype != packed.dtype:
        raise errors.invalid("MatrixTriangularSolve", f"rhs is {b.dtype.name}, lower_upper is "
                                                      f"{packed.dtype.name}")
    if len(shape_of(b)) < 2 or shape_of(b)[-2] != shape_of(packed)[-1]:
        raise ValueError(f"tf.linalg.lu_solve: `rhs` must be a matrix with as many rows as "
                         f"`lower_upper`, got shapes {b.shape} and {packed.shape}.")
    stack = np.broadcast_shapes(shape_of(packed)[:-2], shape_of(b)[:-2])
    b = broadcast_to(b, shape=(*stack, *shape_of(b)[-2:]))
    order = broadcast_to(order, shape=(*stack, shape_of(order)[-1]))
    y = triangular_solve_call(_unit_lower(packed), permute_rows(b, order), lower=True,
                              adjoint=False)
    return triangular_solve_call(packed, y, lower=False, adjoint=False)


@export("linalg.lu_matrix_inverse")
@deferrable
@attributes(validate_args=truth)
def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False,
                      name: str | None = None) -> Tensor:
    """The inverse of A, given its LU decomposition."""
    packed, perm = _factors(lower_upper, perm)
    return lu_solve(packed, perm, wrap(np.eye(shape_of(packed)[-1], dtype=packed.dtype.np)))


@export("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False,
                   name: str | None = None) -> Tensor:
    """The matrix whose LU decomposition this is."""
    packed, order = _factors(lower_upper, perm)
    return permute_rows(matmul_call(_unit_lower(packed), upper(packed)), order, inverse=True)
