"""Functions of matrices: expm, logm, sqrtm.

For an analytic f, f([[a, t], [0, a]]) holds f(a) twice and, above, the derivative of f at `a` in
the direction t. The adjoint of that derivative is the derivative at aᴴ: one identity gives the
gradients of all three, to any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import concat, constant_like, cut
from tapeflow.core.record.samples import Case, symmetric
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.blas_threads import scipy_linalg
from tapeflow.ops.linalg.matrices import (
    adjoint,
    lapack,
    leading,
    matrix,
    same_matrix,
    stack_of_squares,
)


def _derivative(call: Callable, a: Any, t: Any) -> Any:
    """The derivative of a matrix function at `a` in the direction t."""
    rank, n = len(shape_of(a)), shape_of(a)[-1]
    top = concat(a, t, axis=rank - 1)
    bottom = concat(constant_like(a, 0), a, axis=rank - 1)
    whole = call(concat(top, bottom, axis=rank - 2))
    upper = cut(whole, axis=rank - 2, start=0, size=n)
    return cut(upper, axis=rank - 1, start=n, size=n)


def _matrix_function(name: str, kernel: Callable, tf_name: str, dtypes: str,
                     check: Any) -> Callable:
    call = define(
        name, kernel=kernel, shape=same_matrix, batch=leading, args=("input",), saves="in",
        vjp=(lambda g, y, x: _derivative(call, adjoint(x), g),),
        jvp=lambda ts, y, x: _derivative(call, x, ts[0]),
        dtypes=dtypes, tf_name=tf_name, check=check)
    return call


def _each(function: Callable, x: Any) -> Any:
    """A function of one matrix over a stack, in the operand's dtype."""
    y = np.empty_like(x)
    for i in np.ndindex(x.shape[:-2]):
        value = function(x[i])
        y[i] = value.real if value.dtype.kind == "c" and x.dtype.kind != "c" else value
    return y


@lapack("MatrixExponential", stack_of_squares, quiet=0)
def _expm_kernel(x):
    if not x.size:
        return x
    expm = scipy_linalg().expm
    finite = np.isfinite(x).all(axis=(-2, -1), keepdims=True)
    y = expm(np.where(finite, x, 0)).astype(x.dtype, copy=False)
    return y if finite.all() else np.where(finite, y, np.nan).astype(x.dtype)


def _quiet(function: Callable) -> Callable:
    """SciPy warns of singular and badly conditioned matrices, TensorFlow does not."""
    import warnings

    def run(a):
        if not a.size or not np.isfinite(a).all():
            return np.full_like(a, np.nan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(a)

    return run


@lapack("MatrixLogarithm", stack_of_squares, quiet=0)
def _logm_kernel(x):
    return _each(_quiet(scipy_linalg().logm), x)


@lapack("MatrixSquareRoot", stack_of_squares, quiet=0)
def _sqrtm_kernel(x):
    return _each(_quiet(scipy_linalg().sqrtm), x)


exponential = _matrix_function(
    "matrix_exponential", _expm_kernel, "MatrixExponential", "fc",
    [Case((3, 3)), Case((2, 2, 2)), Case((0, 0))])
logarithm = _matrix_function(
    "matrix_logarithm", _logm_kernel, "MatrixLogarithm", "c",
    [Case(symmetric((2, 2)), tol=1e-5), Case(symmetric((2, 2, 2)), grad=False)])
square_root = _matrix_function(
    "matrix_square_root", _sqrtm_kernel, "MatrixSquareRoot", "fc",
    [Case(symmetric((2, 2))), Case(symmetric((2, 3, 3)))])


@export("linalg.expm")
def expm(input: Any, name: str | None = None) -> Tensor:
    """The exponential of each matrix: 1 + a + a²/2 + …"""
    x = operand(input)
    if x.dtype.kind not in "fc" or x.dtype.name == "bfloat16":
        raise ValueError(f"tf.linalg.expm does not support matrices of type {x.dtype!r}")
    shape = shape_of(x)
    if len(shape) < 2 or (None not in shape[-2:] and shape[-1] != shape[-2]):
        op = "MatMul" if len(shape) < 3 else "BatchMatMulV2"
        raise errors.invalid(op, f"Matrix size-incompatible: expm needs square matrices, got shape "
                                 f"{list(shape)}")
    return exponential(x)


@export("linalg.logm")
def logm(input: Any, name: str | None = None) -> Tensor:
    """The logarithm of each complex matrix. Beyond TensorFlow's: it has a gradient."""
    return logarithm(matrix(input, logarithm))


@export("linalg.sqrtm")
def sqrtm(input: Any, name: str | None = None) -> Tensor:
    """The principal square root of each matrix."""
    return square_root(matrix(input, square_root))
