"""tf.linalg.experimental.conjugate_gradient, and tf.linalg.eigh_tridiagonal."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export

CGState = namedtuple("CGState", ("i", "x", "r", "p", "gamma"))


@export("linalg.experimental.conjugate_gradient")
def conjugate_gradient(operator: Any, rhs: Any, preconditioner: Any = None, x: Any = None,
                       tol: float = 1e-5, max_iter: int = 20,
                       name: str = "conjugate_gradient") -> CGState:
    """Solve `operator x = rhs`, self-adjoint and positive definite, by conjugate gradients."""
    if not operator.is_self_adjoint or not operator.is_positive_definite:
        raise ValueError("Expected a self-adjoint, positive definite operator.")
    rhs = tf.convert_to_tensor(rhs)[..., tf.newaxis]
    x = tf.zeros_like(rhs) if x is None else tf.convert_to_tensor(x)[..., tf.newaxis]

    def dot(a: Any, b: Any) -> Any:
        return tf.squeeze(tf.matmul(a, b, adjoint_a=True))

    def conditioned(r: Any) -> Any:
        return r if preconditioner is None else preconditioner.matmul(r)

    def goes_on(i: Any, state: CGState) -> Any:
        return tf.logical_and(i < max_iter, tf.reduce_any(tf.norm(state.r, axis=-2) > limit))

    def step(i: Any, state: CGState) -> tuple:
        z = operator.matmul(state.p)
        alpha = state.gamma / dot(state.p, z)
        x = state.x + alpha[..., tf.newaxis, tf.newaxis] * state.p
        r = state.r - alpha[..., tf.newaxis, tf.newaxis] * z
        q = conditioned(r)
        gamma = dot(r, q)
        p = q + (gamma / state.gamma)[..., tf.newaxis, tf.newaxis] * state.p
        return i + 1, CGState(i + 1, x, r, p, gamma)

    limit = tol * tf.norm(rhs, axis=-2)
    r = rhs - operator.matmul(x)
    q = conditioned(r)
    state = CGState(tf.constant(0, tf.int32), x, r, q, dot(r, q))
    _, state = tf.while_loop(goes_on, step, [tf.constant(0, tf.int32), state])
    return CGState(state.i, tf.squeeze(state.x, -1), tf.squeeze(state.r, -1),
                   tf.squeeze(state.p, -1), state.gamma)


@export("linalg.eigh_tridiagonal")
def eigh_tridiagonal(alpha: Any, beta: Any, eigvals_only: bool = True, select: str = "a",
                     select_range: Any = None, tol: Any = None, name: str | None = None) -> Any:
    """Eigenvalues (and eigenvectors) of a symmetric tridiagonal matrix by its two diagonals.

    `select` "a" gives all, "i" those with an index in `select_range`, "v" those with a value in it.
    """
    if select not in ("a", "i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    if select != "a" and select_range is None:
        raise ValueError("tf.linalg.eigh_tridiagonal: select_range is missing for "
                         f"select={select!r}.")
    alpha, beta = tf.convert_to_tensor(alpha), tf.convert_to_tensor(beta)
    if alpha.shape[-1] != beta.shape[-1] + 1:
        raise tf.errors.InvalidArgumentError(None, None, (
            f"Incompatible shapes: alpha has {alpha.shape[-1]} elements, beta {beta.shape[-1]}: "
            "one less is expected"))
    if tol is not None:
        bool(tf.convert_to_tensor(tol, alpha.dtype.real_dtype))  # one number, as in TensorFlow
    edge = [[0, 0]] * (beta.shape.rank - 1)
    below = tf.pad(beta, [*edge, [1, 0]])
    above = tf.pad(tf.math.conj(beta), [*edge, [0, 1]])
    matrix = tf.linalg.diag(tf.stack([above, alpha, below], axis=-2), k=(-1, 1),
                            align="LEFT_RIGHT")
    if eigvals_only:
        return _selected(tf.linalg.eigvalsh(matrix), None, select, select_range)
    values, vectors = tf.linalg.eigh(matrix)
    return _selected(values, vectors, select, select_range)


def _selected(values: Any, vectors: Any, select: str, limits: Any) -> Any:
    if select == "i":
        first, last = (int(n) for n in limits)
        if first > last:
            raise ValueError("Got empty index range in select_range.")
        part = slice(first, last + 1)
        values = values[..., part]
        vectors = None if vectors is None else vectors[..., part]
    elif select == "v":
        low, high = (tf.convert_to_tensor(n, values.dtype) for n in limits)
        inside = tf.where(tf.reduce_any(tf.reshape(
            (values > low) & (values <= high), [-1, values.shape[-1]]), axis=0))[:, 0]
        values = tf.gather(values, inside, axis=-1)
        vectors = None if vectors is None else tf.gather(vectors, inside, axis=-1)
    return values if vectors is None else (values, vectors)
