"""What ops on matrices share: the last two axes are a matrix, all before them a stack.

May be imported by the modules of `ops.linalg`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from math import prod
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.shapes import broadcast_shapes
from tapeflow.core.record.families import conj, operand
from tapeflow.core.record.op import Spec, mismatch, shape_of, wrong_dtype
from tapeflow.core.record.primitive_ops import expand, transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.blas_threads import one_thread, scipy_linalg
from tapeflow.ops._support.kernel_threads import share, slices

_F32 = np.dtype("float32")


# -- in rules -------------------------------------------------------------------------------------
def transposed(x: Any) -> Any:
    """The matrix transpose."""
    rank = len(shape_of(x))
    return transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    x = transposed(x)
    return conj(x) if x.dtype.kind == "c" else x


def row(x: Any) -> Any:
    """Vectors laid out to broadcast over the rows of matrices: (…, n) as (…, 1, n)."""
    return expand(x, axis=len(shape_of(x)) - 1)


def column(x: Any) -> Any:
    """Vectors laid out to broadcast over the columns of matrices: (…, n) as (…, n, 1)."""
    return expand(x, axis=len(shape_of(x)))


def scalar(x: Any) -> Any:
    """Scalars laid out to broadcast over matrices: (…) as (…, 1, 1)."""
    rank = len(shape_of(x))
    return expand(expand(x, axis=rank), axis=rank)


# -- shape and batch rules ------------------------------------------------------------------------
def same_matrix(x: Spec, **attrs: Any) -> Spec:
    """The result is a square matrix like the operand."""
    if x.shape is None:
        return x
    n = side(x)
    return Spec((*x.shape[:-2], n, n), x.dtype)


def side(x: Spec) -> int | None:
    """The size of a square matrix, as far as it is known."""
    assert x.shape is not None
    if len(x.shape) < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {len(x.shape)}")
    m, n = x.shape[-2:]
    if None not in (m, n) and m != n:
        raise ValueError(f"Dimensions must be equal, but are {m} and {n}: the matrix must be "
                         f"square, got shape {list(x.shape)}")
    return n if m is None else m


def stack_of(a: Spec, b: Spec) -> tuple:
    """The axes before the matrices of two operands, broadcast."""
    shape = broadcast_shapes(a.shape[:-2], b.shape[:-2])  # type: ignore[index]
    assert shape is not None
    return tuple(shape)


def leading(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    """The batch rule of an op of one operand: the batch is one more axis of the stack."""
    return call(*xs, **attrs)


# -- kernels --------------------------------------------------------------------------------------
def stack_of_squares(x: Any, op_name: str) -> None:
    """Refuse what is not a stack of square matrices."""
    stack_of_matrices(x, op_name)
    if x.shape[-1] != x.shape[-2]:
        raise errors.invalid(op_name, "Input matrix must be square.")


def stack_of_matrices(x: Any, op_name: str) -> None:
    if x.ndim < 2:
        raise errors.invalid(op_name, f"Input tensor 0 must have rank >= 2, got {x.ndim}")


def adjoint_of(a: Any) -> Any:
    """The adjoint of bare matrices; of real ones a view."""
    a = a.swapaxes(-1, -2)
    return a.conj() if a.dtype.kind == "c" else a


# Elements up to which OpenBLAS wakes no threads: for any routine, and for factorisations by
# elimination or reflections and what is solved with them.
QUIET, ELIMINATED = 256, 1024
SMALL_SIDE = 32  # sides of matrices for which finding LAPACK by way of NumPy takes longest


@cache
def routine(name: str, dtype: np.dtype) -> Callable:
    """The routine of BLAS or LAPACK for a dtype."""
    library = scipy_linalg()
    find = library.get_blas_funcs if name == "trsm" else library.get_lapack_funcs
    return find((name,), (np.empty((), dtype),))[0]


def lapack(op_name: str, check: Callable | None = None, failure: str = "",
           quiet: int = QUIET) -> Callable:
    """Decorates a kernel that leads to LAPACK: half precision goes by float32, NumPy warnings of
    overflow are silenced, and a LinAlgError becomes `failure`, in TensorFlow's words. BLAS keeps to
    one thread, which need not be said of operands of up to `quiet` elements.
    """

    def decorate(kernel: Callable) -> Callable:
        @wraps(kernel)
        def run(*xs: Any, **attrs: Any) -> Any:
            if check is not None:
                check(xs[0], op_name)
            half = xs[0].dtype.itemsize == 2
            wide = [x.astype(_F32) for x in xs] if half else xs
            try:
                with np.errstate(all="ignore"):
                    if all(x.size <= quiet for x in xs):
                        result = kernel(*wide, **attrs)
                    else:
                        with one_thread:
                            result = kernel(*wide, **attrs)
            except np.linalg.LinAlgError:
                raise errors.invalid(op_name, failure) from None
            return _narrowed(result, xs[0].dtype) if half else result

        return run

    return decorate


_SHARED_FROM = 1 << 23  # elements times columns of a stack that is worth several threads


def in_parts(function: Callable, *xs: Any, weight: int = 1) -> Any:
    """`function` of stacks of matrices, parts of a large stack on several threads: each matrix is
    computed by itself, so parts change no bit. weight: how many times as long as an elimination
    it takes.
    """
    stack = xs[0].shape[:-2]
    if xs[0].size * xs[0].shape[-1] * weight < _SHARED_FROM or prod(stack) < 2 or any(
            x.shape[:-2] != stack for x in xs):
        return function(*xs)
    flat = [x.reshape(-1, *x.shape[-2:]) for x in xs]
    parts = slices(len(flat[0]))
    found: list[Any] = [None] * len(parts)

    def work(i: int) -> None:
        found[i] = function(*[x[parts[i]] for x in flat])

    share(work, range(len(parts)))

    def joined(ys: Any) -> Any:
        return np.concatenate(ys).reshape(*stack, *ys[0].shape[1:])

    if isinstance(found[0], tuple):
        return tuple([joined(ys) for ys in zip(*found, strict=True)])
    return joined(found)


def _narrowed(result: Any, dtype: Any) -> Any:
    if isinstance(result, tuple):
        return tuple([_narrowed(one, dtype) for one in result])
    return result.astype(dtype) if result.dtype == _F32 else result


# -- public functions -----------------------------------------------------------------------------
def matrix(x: Any, call: Callable) -> Any:
    """An operand of an op, of a dtype that it takes."""
    x = operand(x)
    op = call.op  # type: ignore[attr-defined]
    if x.dtype.np.kind not in op.allowed:
        raise wrong_dtype(op, x.dtype.np.type(0) if x.dtype.kind != "O" else x._value)
    return x


def matrices(a: Any, b: Any, call: Callable) -> tuple[Any, Any]:
    """Two operands of one dtype, which the first decides."""
    a = matrix(a, call)
    b = operand(b, hint=a.dtype)
    if a.dtype != b.dtype:
        op = call.op  # type: ignore[attr-defined]
        if type(a) is Tensor and type(b) is Tensor:
            raise mismatch(op, a._value, b._value)
        raise TypeError(f"{op.name}: operands of dtypes {a.dtype.name} and {b.dtype.name}")
    return a, b
