"""Decompositions of matrices: qr, svd, eigh, eig, and what comes from them (pinv, matrix_rank).

Where singular values or eigenvalues coincide the derivatives of their vectors do not exist; as in
TensorFlow the quotients concerned count as zero then. Signs and phases of vectors are LAPACK's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.lowering_forms import MatrixRoutine
from tapeflow.core.record.op import Spec, define, mismatch, shape_of
from tapeflow.core.record.primitive_ops import (
    broadcast_to,
    cast,
    concat,
    constant_like,
    cut,
    reduce_sum,
    reshape,
)
from tapeflow.core.record.samples import Case, symmetric
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.linalg.diagonal import lower, matrix_diag, matrix_diag_part, matrix_set_diag
from tapeflow.ops.linalg.matmul import conjugated, matmul_call
from tapeflow.ops.linalg.matrices import (
    ELIMINATED,
    adjoint,
    column,
    in_parts,
    lapack,
    leading,
    matrix,
    row,
    side,
    stack_of_matrices,
    stack_of_squares,
)
from tapeflow.ops.linalg.solving import solve_call, triangular_solve_call

_REAL = {np.dtype("complex64"): np.dtype("float32"), np.dtype("complex128"): np.dtype("float64")}
_COMPLEX = {np.dtype("float16"): np.dtype("complex64"), np.dtype("float32"): np.dtype("complex64"),
            np.dtype("float64"): np.dtype("complex128")}


def _with_adjoint(a: Any, b: Any) -> Any:
    """aᴴ·b."""
    return matmul_call(conjugated(a), b, transpose_a=True)


def _by_adjoint(a: Any, b: Any) -> Any:
    """a·bᴴ."""
    return matmul_call(a, conjugated(b), transpose_b=True)


def _safe_reciprocal(x: Any) -> Any:
    """1/x, but 0 at 0."""
    return x / (x * x + 1e-20)


def _gaps(s: Any) -> Any:
    """1/(s_j - s_i) at row i, column j; 0 on the diagonal and where both coincide."""
    gaps = _safe_reciprocal(row(s) - column(s))
    return matrix_set_diag(gaps, constant_like(s, 0))


def _vectors(x: Spec, *sizes: Any) -> Spec:
    """A result with the operand's stack and these last axes."""
    return Spec(None if x.shape is None else (*x.shape[:-2], *sizes), x.dtype)


def _sizes(x: Spec) -> tuple:
    """Rows, columns, and the smaller of them, as far as known."""
    if x.shape is None:
        return None, None, None
    m, n = x.shape[-2:]
    return m, n, None if None in (m, n) else min(m, n)


# -- qr -------------------------------------------------------------------------------------------
@lapack("Qr", stack_of_matrices, quiet=ELIMINATED)
def _qr_kernel(x, full_matrices=False):
    mode = "complete" if full_matrices else "reduced"
    return in_parts(lambda part: tuple(np.linalg.qr(part, mode=mode)), x)


def _qr_shape(x: Spec, full_matrices: bool = False) -> tuple[Spec, Spec]:
    m, n, k = _sizes(x)
    k = m if full_matrices else k
    return _vectors(x, m, k), _vectors(x, k, n)


def _qr_vjp(g, y, x, full_matrices=False):
    gq, gr = g
    q, r = y
    m, n = shape_of(x)[-2:]
    if full_matrices and m > n:
        raise NotImplementedError(
            "QrGrad not implemented when nrows > ncols and full_matrices is true. Received "
            f"r.shape={shape_of(r)} with nrows={m} and ncols={n}.")
    if m >= n:
        return (_qr_deep(gq, gr, q, r),)
    # a = q [u, v]: the columns behind the first m follow from q and v.
    axis = len(shape_of(r)) - 1
    u, v = _split(r, axis, m, n)
    gu, gv = _split(gr, axis, m, n)
    gq = gq + _by_adjoint(matmul_call(q, v), gv)
    return (concat(_qr_deep(gq, gu, q, u), matmul_call(q, gv), axis=axis),)


def _split(x: Any, axis: int, m: int, n: int) -> tuple[Any, Any]:
    return cut(x, axis=axis, start=0, size=m), cut(x, axis=axis, start=m, size=n - m)


def _qr_deep(gq, gr, q, r):
    # (gq + q H(m)) r⁻ᴴ with m = r grᴴ - gqᴴ q and H the Hermitian matrix of its lower triangle.
    m = _by_adjoint(r, gr) - _with_adjoint(gq, q)
    below = lower(m)
    whole = below + adjoint(below)
    d = matrix_diag_part(m)
    if d.dtype.kind == "c":
        d = cast(cast(d, dtype=_REAL[_np(d)]), dtype=_np(d))
    whole = matrix_set_diag(whole, d)
    inner = gq + matmul_call(q, whole)
    return adjoint(triangular_solve_call(r, adjoint(inner), lower=False, adjoint=False))


def _np(x: Any) -> np.dtype:
    return np.dtype(getattr(x.dtype, "np", x.dtype))


qr_call = define(
    "qr", kernel=_qr_kernel, shape=_qr_shape, vjp=_qr_vjp, batch=leading, args=("input",),
    saves="out", dtypes="fc", multi=True, tf_name="Qr",
    lower=MatrixRoutine("qr", normwise=True),
    check=[Case((3, 3), real=True, why="phases of q are LAPACK's"), Case((2, 4, 2), real=True),
           Case((2, 4), real=True), Case((2, 3), real=True, full_matrices=True),
           Case((3, 2), full_matrices=True, grad=False)])
set_traits(qr_call, hazard="inverse")


class Qr(NamedTuple):
    """What tf.linalg.qr returns."""

    q: Tensor
    r: Tensor


@export("linalg.qr")
@attributes(full_matrices=flag)
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """q with orthonormal columns and upper triangular r with input = q·r."""
    return Qr(*qr_call(matrix(input, qr_call), full_matrices=bool(full_matrices)))


# -- svd ------------------------------------------------------------------------------------------
@lapack("Svd", stack_of_matrices)
def _svd_kernel(x, full_matrices=False):
    if 0 in x.shape[-2:] and not full_matrices:  # LAPACK would walk along the side that is long
        return tuple([np.empty(spec.shape, spec.dtype)
                      for spec in _svd_shape(Spec(x.shape, x.dtype))])
    try:
        u, s, vh = in_parts(lambda part: np.linalg.svd(part, full_matrices=full_matrices), x,
                            weight=32)
    except np.linalg.LinAlgError:
        shapes = [spec.shape for spec in _svd_shape(Spec(x.shape, x.dtype), full_matrices)]
        return tuple([np.full(shape, np.nan, dtype) for shape, dtype in zip(
            shapes, (_REAL.get(x.dtype, x.dtype), x.dtype, x.dtype))])
    v = vh.swapaxes(-1, -2)
    return s, u, v if v.dtype.kind != "c" else np.conj(v) + 0  # no negative zeros


def _svd_shape(x: Spec, full_matrices: bool = False) -> tuple[Spec, Spec, Spec]:
    m, n, k = _sizes(x)
    s = _vectors(x, k)
    return (Spec(s.shape, _REAL.get(s.dtype, s.dtype)),
            _vectors(x, m, m if full_matrices else k), _vectors(x, n, n if full_matrices else k))


def _svd_vjp(g, y, x, full_matrices=False):
    gs, gu, gv = g
    s, u, v = y
    m, n = shape_of(x)[-2:]
    k = min(m, n)
    if full_matrices and m != n:
        if abs(m - n) > 1:
            raise NotImplementedError(
                "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True. "
                f"Received: m={m} and n={n} from an input with shape={shape_of(x)}.")
        u, gu = _without_complement(u, gu, m, k)
        v, gv = _without_complement(v, gv, n, k)
    return (_svd_thin(gs, gu, gv, s, u, v, m > k, n > k),)


def _without_complement(u, gu, m, k):
    """The thin vectors, and their gradient with what the one column beyond them adds to it.

    That column w stays orthogonal to u, so it moves by -u (duᴴ w).
    """
    if m == k:
        return u, gu
    axis = len(shape_of(u)) - 1
    u, w = _split(u, axis, k, m)
    gu, gw = _split(gu, axis, k, m)
    return u, gu - matmul_call(w, _with_adjoint(gw, u))


def _svd_thin(gs, gu, gv, s, u, v, tall, wide):
    """u·(F∘(uᴴ gu) + its adjoint)·S + …, F_ij = 1/(s_j² - s_i²), and the parts outside u and v."""
    dtype = _np(u)
    s = cast(s, dtype=dtype) if dtype.kind == "c" else s
    gs = cast(gs, dtype=dtype) if dtype.kind == "c" else gs
    gaps = _gaps(s * s)
    uu, vv = _with_adjoint(u, gu), _with_adjoint(v, gv)
    left, right = gaps * uu, gaps * vv
    inner = (matrix_diag(gs) + (left + adjoint(left)) * row(s)
             + column(s) * (right + adjoint(right)))
    inverse = _safe_reciprocal(s)
    if dtype.kind == "c":
        d = matrix_diag_part(vv)
        inner = inner + matrix_diag(inverse * (conjugated(d) - d) * 0.5)
    result = _by_adjoint(matmul_call(u, inner), v)
    if tall:
        result = result + _by_adjoint((gu - matmul_call(u, uu)) * row(inverse), v)
    if wide:
        result = result + _by_adjoint(u * row(inverse), gv - matmul_call(v, vv))
    return result


svd_call = define(
    "svd", kernel=_svd_kernel, shape=_svd_shape, vjp=_svd_vjp, batch=leading, args=("input",),
    saves="out", dtypes="fc", multi=True, tf_name="Svd",
    check=[Case((3, 3), real=True, why="phases of u and v are LAPACK's", tol=1e-5),
           Case((2, 4, 2), real=True, tol=1e-5), Case((2, 4), real=True, tol=1e-5),
           Case((3, 2), real=True, full_matrices=True, tol=1e-5),
           Case((2, 3), real=True, full_matrices=True, tol=1e-5),
           Case((4, 2), full_matrices=True, grad=False), Case((0, 2, 2))])


@lapack("Svd", stack_of_matrices)
def _singular_kernel(x):
    try:
        return np.linalg.svd(x, compute_uv=False)
    except np.linalg.LinAlgError:
        spec = _svd_shape(Spec(x.shape, x.dtype))[0]
        return np.full(spec.shape, np.nan, spec.dtype)


def _singular_vjp(g, y, x):
    s, u, v = svd_call(x, full_matrices=False)
    g = cast(g, dtype=_np(u)) if u.dtype.kind == "c" else g
    return _by_adjoint(u * row(g), v)


singular_values = define(
    "singular_values", kernel=_singular_kernel, shape=lambda x: _svd_shape(x)[0],
    vjp=(_singular_vjp,), batch=leading, args=("input",), saves="in", dtypes="fc", tf_name="Svd",
    check=[Case((3, 3), tol=1e-5), Case((2, 4, 2), tol=1e-5), Case((2, 4), tol=1e-5)])


@export("linalg.svd")
@attributes(full_matrices=flag, compute_uv=flag)
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True,
        name: str | None = None) -> Any:
    """Singular values s, largest first, and u, v with tensor = u·diag(s)·vᴴ; or s alone."""
    x = matrix(tensor, svd_call)
    if not compute_uv:
        return singular_values(x)
    return svd_call(x, full_matrices=bool(full_matrices))


# -- eigh -----------------------------------------------------------------------------------------
_EIGH_FAILED = "Self-adjoint eigen decomposition was not successful. The input might not be valid."


@lapack("SelfAdjointEigV2", stack_of_squares, _EIGH_FAILED)
def _eigh_kernel(x):
    _finite(x)
    e, v = in_parts(np.linalg.eigh, x, weight=32)
    return e.astype(x.dtype), v


@lapack("SelfAdjointEigV2", stack_of_squares, _EIGH_FAILED)
def _eigvalsh_kernel(x):
    _finite(x)
    return in_parts(np.linalg.eigvalsh, x, weight=4).astype(x.dtype)


def _finite(x: Any) -> None:
    """LAPACK gives nonsense, or does not come back, for NaN and infinities."""
    if not np.isfinite(x).all():
        raise np.linalg.LinAlgError


def _eigen_shape(x: Spec) -> tuple[Spec, Spec]:
    if x.shape is None:
        return x, x
    n = side(x)
    return _vectors(x, n), _vectors(x, n, n)


def _lower_only(x: Any) -> Any:
    """A gradient to a symmetric matrix of which only the lower triangle is read."""
    whole = lower(x + adjoint(x))
    return matrix_set_diag(whole, matrix_diag_part(whole) * 0.5)


def _eigh_vjp(g, y, x):
    # v (diag(ge) + F∘(vᴴ gv)) vᴴ with F_ij = 1/(e_j - e_i)
    ge, gv = g
    e, v = y
    inner = matrix_diag(ge) + _gaps(e) * _with_adjoint(v, gv)
    return (_lower_only(_by_adjoint(matmul_call(v, inner), v)),)


def _eigvalsh_vjp(g, y, x):
    v = eigh_call(x)[1]
    return _lower_only(_by_adjoint(v * row(g), v))


eigh_call = define(
    "self_adjoint_eig", kernel=_eigh_kernel, shape=_eigen_shape, vjp=_eigh_vjp, batch=leading,
    args=("input",), saves="out", dtypes="fc", multi=True, tf_name="SelfAdjointEigV2",
    check=[Case(symmetric((3, 3)), real=True, why="phases of v are LAPACK's", tol=1e-5),
           Case(symmetric((2, 2, 2)), real=True, tol=1e-5), Case((0, 0))])
eigvalsh_call = define(
    "self_adjoint_eigvals", kernel=_eigvalsh_kernel, shape=lambda x: _eigen_shape(x)[0],
    vjp=(_eigvalsh_vjp,), batch=leading, args=("input",), saves="in", dtypes="fc",
    tf_name="SelfAdjointEigV2",
    check=[Case(symmetric((3, 3)), tol=1e-5), Case(symmetric((2, 2, 2)), tol=1e-5)])


@export("linalg.eigh")
def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, smallest first, and eigenvectors of symmetric matrices (lower triangle read)."""
    return eigh_call(matrix(tensor, eigh_call))


@export("linalg.eigvalsh")
def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues, smallest first, of symmetric matrices (lower triangle read)."""
    return eigvalsh_call(matrix(tensor, eigvalsh_call))


# -- eig ------------------------------------------------------------------------------------------
_EIG_FAILED = "Eigen decomposition was not successful. The input might not be valid."


@lapack("Eig", stack_of_squares, _EIG_FAILED)
def _eig_kernel(x):
    e, v = np.linalg.eig(x)
    wide = _COMPLEX.get(x.dtype, x.dtype)
    return e.astype(wide), v.astype(wide)


@lapack("Eig", stack_of_squares, _EIG_FAILED)
def _eigvals_kernel(x):
    return np.linalg.eigvals(x).astype(_COMPLEX.get(x.dtype, x.dtype))


def _eig_shape(x: Spec) -> tuple[Spec, Spec]:
    e, v = _eigen_shape(x)
    wide = _COMPLEX.get(x.dtype, x.dtype)
    return Spec(e.shape, wide), Spec(v.shape, wide)


def _to(x: Any, like: Any) -> Any:
    return cast(x, dtype=_np(like)) if _np(x) != _np(like) else x


def _eig_vjp(g, y, x):
    # v⁻ᴴ (diag(ge) + conj(F)∘(vᴴ gv - vᴴ v Re diag(vᴴ gv))) vᴴ: columns of v keep their length.
    ge, gv = g
    e, v = y
    vh = adjoint(v)
    vgv = matmul_call(vh, gv)
    d = matrix_diag_part(vgv)
    d = _to(cast(d, dtype=_REAL[_np(d)]), d)
    inner = vgv - matmul_call(vh, v) * row(d)
    inner = matrix_diag(ge) + conjugated(_gaps(e)) * inner
    return (_to(solve_call(vh, matmul_call(inner, vh)), x),)


def _eigvals_vjp(g, y, x):
    vh = adjoint(eig_call(x)[1])
    return _to(solve_call(vh, column(g) * vh), x)


_DISTINCT = [[4.0, 1.0, 0.5], [2.0, 3.0, -1.0], [0.3, 0.5, -2.0]]  # with real eigenvalues
eig_call = define(
    "eig", kernel=_eig_kernel, shape=_eig_shape, vjp=_eig_vjp, batch=leading, args=("input",),
    saves="out", dtypes="fc", multi=True, tf_name="Eig",
    check=[Case(_DISTINCT, real=True, why="phases of v are LAPACK's", tol=1e-5),
           Case([_DISTINCT, _DISTINCT], real=True, tol=1e-5)])
eigvals_call = define(
    "eigvals", kernel=_eigvals_kernel, shape=lambda x: _eig_shape(x)[0], vjp=(_eigvals_vjp,),
    batch=leading, args=("input",), saves="in", dtypes="fc", tf_name="Eig",
    check=[Case(_DISTINCT, tol=1e-5), Case([[1.0, 2.0], [-2.0, 0.5]], tol=1e-5, real=True,
                                         why="the order of complex pairs is LAPACK's")])


@export("linalg.eig")
def eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of general matrices; both are complex."""
    return eig_call(matrix(tensor, eig_call))


@export("linalg.eigvals")
def eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues of general matrices; they are complex."""
    return eigvals_call(matrix(tensor, eigvals_call))


# -- pinv -----------------------------------------------------------------------------------------
@lapack("PseudoInverse", stack_of_matrices)
def _pinv_kernel(x, rcond):
    """A negative rcond stands for the default, which depends on the size of the matrix."""
    try:
        u, s, vh = np.linalg.svd(x, full_matrices=False)
    except np.linalg.LinAlgError:
        return np.full((*x.shape[:-2], x.shape[-1], x.shape[-2]), np.nan, x.dtype)
    if not s.size:
        return np.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)
    default = 10 * max(x.shape[-2:]) * np.finfo(x.dtype).eps
    rcond = np.where(rcond < 0, default, rcond)
    cutoff = rcond[..., None] * s.max(axis=-1, keepdims=True)
    inverse = np.where(s > cutoff, 1 / np.where(s > cutoff, s, 1), 0).astype(x.dtype)
    return np.conj((vh.swapaxes(-1, -2)) * inverse[..., None, :]) @ np.conj(u.swapaxes(-1, -2))


def _pinv_shape(x: Spec, rcond: Spec) -> Spec:
    m, n, _ = _sizes(x)
    return _vectors(x, n, m)


def _pinv_vjp(g, y, x, rcond):
    # -yᴴ g yᴴ + yᴴ y gᴴ (1 - y x) + (1 - x y) gᴴ y yᴴ
    yh, gh = adjoint(y), adjoint(g)
    first = matmul_call(matmul_call(yh, y), gh)
    second = matmul_call(matmul_call(gh, y), yh)
    return (first - matmul_call(first, matmul_call(y, x))
            + second - matmul_call(matmul_call(x, y), second)
            - matmul_call(matmul_call(yh, g), yh))


def _pinv_batch(call, size, xs, batched, attrs):
    x, rcond = xs
    if not batched[0]:
        x = broadcast_to(x, shape=(size, *shape_of(x)))
    if batched[1]:
        shape = shape_of(rcond)
        missing = len(shape_of(x)) - 2 - len(shape)
        rcond = reshape(rcond, shape=(size, *(1,) * missing, *shape[1:]))
    return call(x, rcond)


pinv_call = define(
    "pinv", kernel=_pinv_kernel, shape=_pinv_shape, vjp=(_pinv_vjp, None), batch=_pinv_batch,
    args=("a", "rcond"), saves="in0 out", dtypes="f", tf_name="PseudoInverse",
    check=[Case((3, 2), 1e-15), Case((2, 2, 3), [1e-15, 1e-15]), Case((2, 2, 3), -1.0),
           Case(symmetric((2, 2)), 1e-15)])


def _real_matrix(a: Any) -> Any:
    x = operand(a)
    if x.dtype.kind != "f":
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name}).")
    if len(shape_of(x)) < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {len(shape_of(x))}).")
    return x


@export("linalg.pinv")
@deferrable
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose pseudo-inverse; singular values up to rcond times the largest are zero."""
    x = _real_matrix(a)
    rcond = operand(-1.0 if rcond is None else rcond, x.dtype)
    batch, given = shape_of(x)[:-2], shape_of(rcond)
    if len(given) > len(batch):
        raise ValueError(f"rcond of shape {rcond.shape} is not compatible with matrices of shape "
                         f"{x.shape}")
    return pinv_call(x, rcond)


@export("linalg.matrix_rank")
@deferrable
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False,
                name: str | None = None) -> Tensor:
    """The number of singular values above `tol`: by default eps times the larger side."""
    from tapeflow.ops.math.comparison import greater
    from tapeflow.ops.reduce.reduction import reduce_max
    x = _real_matrix(convert(a, None, tf_dtypes.float32))
    s = singular_values(x)
    if tol is None:
        eps = float(np.finfo(x.dtype.np).eps)
        last = (len(shape_of(s)) - 1,)
        tol = reduce_max(s, axis=last, keepdims=True) * (eps * max(shape_of(x)[-2:]))
    else:
        tol = operand(tol, None if isinstance(tol, Tensor) else x.dtype)
        if tol.dtype != x.dtype:
            raise mismatch(greater.op, x, tol)
    counted = cast(greater(s, tol), dtype=np.dtype("int32"))
    return reduce_sum(counted, axis=(len(shape_of(counted)) - 1,), keepdims=False)


