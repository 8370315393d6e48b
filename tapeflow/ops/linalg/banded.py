"""Tridiagonal and banded systems.

Three diagonals are kept as TensorFlow keeps them, in one matrix of three rows: above, on and below
the main diagonal. Element i of each belongs to row i of the matrix, so the last above and the first
below are not read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import conj, operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cut,
    expand,
    reduce_sum,
    reshape,
    stack,
    uncut,
)
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops._support.blas_threads import scipy_linalg
from tapeflow.ops.linalg.diagonal import matrix_diag, matrix_diag_part
from tapeflow.ops.linalg.matmul import conjugated
from tapeflow.ops.linalg.matrices import adjoint, lapack, matrices, stack_of, transposed
from tapeflow.ops.linalg.solving import triangular_solve, triangular_solve_call


# -- shifts and parts -----------------------------------------------------------------------------
def _shift(x: Any, axis: int, by: int) -> Any:
    """Element i becomes what was element i + by, and 0 where there was none."""
    n = shape_of(x)[axis]
    if n <= 1:
        return x * 0
    kept = cut(x, axis=axis, start=max(by, 0), size=n - 1)
    return uncut(kept, axis=axis, start=max(-by, 0), total=n)


def _three(diagonals: Any) -> list:
    """The rows of three diagonals, one at a time."""
    axis = len(shape_of(diagonals)) - 2
    shape = shape_of(diagonals)
    return [reshape(cut(diagonals, axis=axis, start=i, size=1), shape=(*shape[:axis], shape[-1]))
            for i in range(3)]


def _adjoint_diagonals(diagonals: Any) -> Any:
    """The diagonals of the adjoint matrix."""
    above, main, below = _three(conjugated(diagonals))
    axis = len(shape_of(main)) - 1
    return stack(_shift(below, axis, 1), main, _shift(above, axis, -1), axis=axis)


def _times(diagonals: Any, x: Any) -> Any:
    above, main, below = (expand(d, axis=len(shape_of(d))) for d in _three(diagonals))
    axis = len(shape_of(x)) - 2
    return main * x + above * _shift(x, axis, 1) + below * _shift(x, axis, -1)


# -- solve ----------------------------------------------------------------------------------------
@lapack("TridiagonalSolve")
def _solve_kernel(diagonals, rhs):
    solve_banded = scipy_linalg().solve_banded
    if diagonals.shape[-2:] != (3, rhs.shape[-2]):
        raise errors.invalid("TridiagonalSolve", (
            f"Expected diagonals of shape [...,3,{rhs.shape[-2]}], got "
            f"{brackets(diagonals.shape)}"))
    lead = np.broadcast_shapes(diagonals.shape[:-2], rhs.shape[:-2])
    diagonals = np.broadcast_to(diagonals, (*lead, *diagonals.shape[-2:]))
    rhs = np.broadcast_to(rhs, (*lead, *rhs.shape[-2:]))
    out = np.empty(rhs.shape, rhs.dtype)
    n = rhs.shape[-2]
    if not n:
        return out
    for i in np.ndindex(lead):
        bands = np.zeros((3, n), rhs.dtype)
        bands[0, 1:], bands[1], bands[2, :-1] = (
            diagonals[i][0, :-1], diagonals[i][1], diagonals[i][2, 1:])
        try:
            out[i] = solve_banded((1, 1), bands, rhs[i], check_finite=False)
        except np.linalg.LinAlgError:
            out[i] = np.nan
    return out


def _solve_shape(diagonals: Spec, rhs: Spec) -> Spec:
    if diagonals.shape is None or rhs.shape is None:
        return Spec(None, rhs.dtype)
    return Spec((*stack_of(diagonals, rhs), *rhs.shape[-2:]), rhs.dtype)


def _solve_vjp(g, y, diagonals, rhs):
    gb = solve_call(_adjoint_diagonals(diagonals), g)
    x = conjugated(y)
    axis = len(shape_of(x)) - 2
    parts = [reduce_sum(-gb * one, axis=(axis + 1,), keepdims=False)
             for one in (_shift(x, axis, 1), x, _shift(x, axis, -1))]
    return stack(*parts, axis=axis), gb


def _solve_batch(call, size, xs, batched, attrs):
    return call(*[x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, mark in zip(xs, batched, strict=True)])


# The main diagonal dominates in the samples, so that the systems are well conditioned.
_DIAGONALS = [[0.5, -0.3, 0.2, 0.7], [2.0, 3.0, -2.0, 2.5], [0.1, 0.4, -0.6, 0.3]]
solve_call = define(
    "tridiagonal_solve", kernel=_solve_kernel, shape=_solve_shape, vjp=_solve_vjp,
    batch=_solve_batch, args=("diagonals", "rhs"), saves="in0 out", dtypes="fc",
    tf_name="TridiagonalSolve",
    check=[Case(_DIAGONALS, (4, 2)), Case([_DIAGONALS, _DIAGONALS], (2, 4, 1)),
           Case(uniform(1.0, 2.0, (3, 1)), (1, 2))])


# -- public functions -----------------------------------------------------------------------------
def _compact(diagonals: Any, form: str, hint: Any = None) -> Any:
    """Diagonals in any of TensorFlow's three formats, as one matrix of three rows."""
    if form == "compact":
        x = operand(diagonals)
        if shape_of(x)[-2:-1] not in ((3,), (None,)):
            raise ValueError(f"Expected diagonals of shape [..., 3, M], got {x.shape}")
        return x
    if form == "sequence":
        if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        above, main, below = (operand(d) for d in diagonals)
        n = shape_of(main)[-1]
        return stack(_padded(above, n, 0), main, _padded(below, n, 1),
                     axis=len(shape_of(main)) - 1)
    if form == "matrix":
        x = operand(diagonals)
        m, n = shape_of(x)[-2:]
        if _differ(m, n):
            raise ValueError(f"Expected last two dimensions of diagonals to be same, got {m} and "
                             f"{n}")
        # Sub-diagonals right-aligned and super-diagonals left-aligned: element i is of row i.
        return matrix_diag_part(x, k=(-1, 1), align="LEFT_RIGHT")
    raise ValueError(f"Unrecognized diagonals_format: {form}")


def _differ(m: int | None, n: int | None) -> bool:
    """Whether two sizes are known to be different."""
    return None not in (m, n) and m != n


def _padded(d: Any, n: int, before: int) -> Any:
    """A diagonal of n - 1 elements with the one that is not read."""
    axis = len(shape_of(d)) - 1
    size = shape_of(d)[-1]
    if size == n:
        return d
    if size != n - 1:
        raise ValueError(f"Expected a diagonal of {n - 1} or {n} elements, got {size}")
    return uncut(d, axis=axis, start=before, total=n)


@export("linalg.tridiagonal_matmul")
@deferrable
def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact",
                       name: str | None = None) -> Tensor:
    """The product of tridiagonal matrices, given by their diagonals, and `rhs`."""
    a = _compact(diagonals, diagonals_format)
    a, b = matrices(a, rhs, solve_call)
    if len(shape_of(b)) < 2:
        raise errors.invalid("TridiagonalMatMul", "Input must have rank >= 2, got rhs of shape "
                                                  f"{brackets(shape_of(b))}")
    if len(shape_of(a)) != len(shape_of(b)):
        raise errors.invalid("TridiagonalMatMul", "Shapes must be equal rank: diagonals "
                             f"{brackets(shape_of(a))}, rhs {brackets(shape_of(b))}")
    if _differ(shape_of(a)[-1], shape_of(b)[-2]):
        raise errors.invalid("TridiagonalMatMul", "Invalid superdiagonal shape.")
    return _times(a, b)


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(diagonals: Any, rhs: Any, diagonals_format: str = "compact",
                      transpose_rhs: bool = False, conjugate_rhs: bool = False,
                      name: str | None = None, partial_pivoting: bool = True,
                      perturb_singular: bool = False) -> Tensor:
    """x with A·x = rhs for tridiagonal A, in linear time; NaN where A is singular."""
    if perturb_singular:
        raise NotImplementedError("tf.linalg.tridiagonal_solve: perturb_singular is not "
                                  "implemented on CPUs.")
    a = _compact(diagonals, diagonals_format)
    a, b = matrices(a, rhs, solve_call)
    rank, given = len(shape_of(a)), len(shape_of(b))
    if given not in (rank - 1, rank):
        raise ValueError(f"Expected the rank of rhs to be {rank - 1} or {rank}, got {given}")
    vector = given == rank - 1
    if conjugate_rhs and not (transpose_rhs and not vector):
        b = conj(b)
    if vector:
        b = expand(b, axis=given)
    elif transpose_rhs:
        b = adjoint(b) if conjugate_rhs else transposed(b)
    m, n = shape_of(a)[-1], shape_of(b)[-2]
    if _differ(m, n):
        raise ValueError("Expected number of left-hand sided and right-hand sides to be equal, got "
                         f"{m} and {n}")
    x = solve_call(a, b)
    return reduce_sum(x, axis=(given,), keepdims=False) if vector else x


@export("linalg.banded_triangular_solve")
@deferrable
@attributes(lower=flag, adjoint=flag)
def banded_triangular_solve(bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False,
                            name: str | None = None) -> Tensor:
    """x with A·x = rhs for a banded triangular A, given by its diagonals, the highest first.

    The matrix is filled out: this needs memory for all of it, which TensorFlow does not.
    """
    a, b = matrices(bands, rhs, triangular_solve_call)
    for one in (a, b):
        if len(shape_of(one)) < 2:
            raise errors.invalid("BandedTriangularSolve", "In[0] and In[1] must have rank >= 2, "
                                                          f"got {brackets(shape_of(one))}")
    count = shape_of(a)[-2]
    if 0 in (shape_of(b)[-2], shape_of(a)[-1]):
        raise errors.invalid("BandedTriangularSolve", "Input matrix must have size >= 1")
    k = (1 - count, 0) if lower else (0, count - 1)
    if count == 1:
        a = reshape(a, shape=(*shape_of(a)[:-2], shape_of(a)[-1]))
    return triangular_solve(matrix_diag(a, k=k, align="LEFT_RIGHT"), b, lower, adjoint)
