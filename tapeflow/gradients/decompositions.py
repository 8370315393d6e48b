"""eigh and svd of functions that are smooth at repeated values: derivatives that are right there.

A tape's rule for eigenvectors divides by the gaps between eigenvalues. A function that is smooth in
the matrix has derivatives where gaps are zero, and they are smooth too: so they follow from those
at matrices beside it. With D = V diag(e) Vᵀ, whose entries e move equal values apart, the function

    f(A) = Σ wₖ f(A + xₖ D)        wₖ: interpolation at 0 from the points xₖ

has no gaps of zero on its right side, and with D held its derivatives of every order, in both
modes, are those of f up to the error of the interpolation. The value is that at A itself. The
singular values' sums and single values, by which the svd's rule divides too, are moved from zero
in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.gradients.matrix_functions import symmetric_part

# Chebyshev's points, and the weights with which they interpolate at 0.
POINTS = np.cos((2 * np.arange(8) + 1) * np.pi / 16)
WEIGHTS = [float(np.prod([y / (y - x) for y in POINTS if y != x])) for x in POINTS]


def eigh(function: Callable, a: Any) -> Any:
    """A function of eigenvalues and eigenvectors, with derivatives right at repeated ones.

    For functions whose result is a smooth function of the matrix: one that does not depend on the
    signs of eigenvectors, nor on which ones are chosen for a repeated eigenvalue. Where it does,
    there is no derivative, and the gradient is NaN. Derivatives of every order, in both modes; of
    the form V f(λ) Vᵀ those of `spectral_function` are more precise, and take less time.

    Args:
      function: Called as `function(eigenvalues, eigenvectors)`, as tf.linalg.eigh returns them;
        its result is a tensor or a structure of tensors. Where values repeat it is called eleven
        times.
      a: Real symmetric matrices [..., n, n], of which the symmetric part is taken.

    Returns:
      What `function` returns.

    Example:
      >>> def total(values, vectors):
      ...     return tf.reduce_sum(vectors * tf.exp(values) @ tf.transpose(vectors))
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(a := tf.eye(2))
      ...     y = tf.gradients.eigh(total, a)
      >>> print(tape.gradient(y, a).numpy().round(4))
      [[2.7183 2.7183]
       [2.7183 2.7183]]
    """
    return _of_decomposition(function, symmetric_part(a, "eigh"), _EIGH)


def svd(function: Callable, a: Any) -> Any:
    """A function of a singular value decomposition, with derivatives right at repeated values.

    For functions whose result is a smooth function of the matrix; also at singular values that are
    zero, if the function is smooth there. See `eigh`.

    Args:
      function: Called as `function(s, u, v)`, as tf.linalg.svd returns them (u and v with as many
        columns as there are singular values); its result is a tensor or a structure of tensors.
      a: Real matrices [..., m, n].

    Returns:
      What `function` returns.

    Example:
      >>> def rebuilt(s, u, v):
      ...     return tf.reduce_sum(u * s ** 3 @ tf.transpose(v))
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(a := tf.eye(2))
      ...     y = tf.gradients.svd(rebuilt, a)
      >>> print(tape.gradient(y, a).numpy().round(4))
      [[3. 3.]
       [3. 3.]]
    """
    a = convert(a)
    if a.dtype not in (tf.float32, tf.float64):
        raise TypeError(f"svd: needs float32 or float64 matrices, got {a.dtype.name}.")
    if a.ndim is None or a.ndim < 2 or None in shape_of(a)[-2:]:
        raise ValueError(f"svd: needs matrices of known size, got shape {a.shape}.")
    return _of_decomposition(function, a, _SVD)


class _Decomposition(NamedTuple):
    split: Callable  # a -> its parts, values first
    joined: Callable  # parts -> a
    turned: Callable  # parts, groups -> parts with other vectors for values that repeat
    at_zero: bool  # whether the rule divides by the values too


def _of_decomposition(function: Callable, a: Any, kind: _Decomposition) -> Any:
    if not tf.inside_function() and state.recorder is None:
        return function(*kind.split(a))  # nobody differentiates
    parts = kind.split(tf.stop_gradient(a))
    groups = _groups(parts[0], kind.at_zero)
    return tf.cond(tf.reduce_any(groups.moved != 0),
                   lambda: _interpolated(function, a, parts, groups, kind),
                   lambda: nest.map_structure(convert, function(*kind.split(a))))


def _interpolated(function: Callable, a: Any, parts: tuple, groups: _Groups,
                  kind: _Decomposition) -> Any:
    """The function's value, with the derivatives of what its values beside it interpolate to."""
    def called(*given: Any) -> list:
        return [convert(one) for one in nest.flatten(function(*given))]

    held = function(*parts)
    aside = tf.stop_gradient(kind.joined(groups.moved, *parts[1:]))
    runs = [called(*kind.split(a + float(x) * aside)) for x in POINTS]
    level = (groups.mean, *parts[1:])
    same = zip(called(*level), called(*kind.turned(level, groups)), strict=True)
    results = []
    for value, beside, (one, other) in zip(
            map(convert, nest.flatten(held)), zip(*runs, strict=True), same, strict=True):
        if not value.dtype.is_floating:
            results.append(value)
            continue
        total = sum([w * y for w, y in zip(WEIGHTS, beside, strict=True)], tf.zeros_like(value))
        size = 1 + tf.reduce_max(tf.abs(tf.stack([value, *beside])), 0)
        size *= np.finfo(value.dtype.as_numpy_dtype).eps ** 0.5
        smooth = (tf.abs(total - value) <= size) & (tf.abs(one - other) <= size)
        results.append(_with_derivatives(
            *[tf.stop_gradient(one) for one in (value, smooth)], total))
    return nest.pack_sequence_as(held, results)


def _masked(x: Any, smooth: Any) -> Any:
    kept = smooth | (x == 0)
    return tf.where(kept, x, tf.fill(tf.shape(x), tf.cast(np.nan, x.dtype)))


def _vjp(g: Any, y: Any, value: Any, smooth: Any, total: Any) -> tuple:
    if isinstance(g, tf.Tensor):
        return None, None, _masked(g, convert(smooth))
    return None, None, np.where(smooth | (g == 0), g, np.asarray(np.nan, g.dtype))


def _jvp(ts: tuple, y: Any, value: Any, smooth: Any, total: Any) -> Any:
    return None if ts[2] is None else _masked(ts[2], smooth)


def _batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    return call(*[x if is_batched else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, is_batched in zip(xs, batched, strict=True)], **attrs)


# The value, with the derivatives of `total`; NaN where the function is not smooth.
_with_derivatives = define(
    "with_derivatives", kernel=lambda value, smooth, total: value,
    shape=lambda value, smooth, total: value, args=("value", "smooth", "total"), saves="in1",
    vjp=_vjp, jvp=_jvp, batch=_batch, internal=True)


# -- values that repeat ----------------------------------------------------------------------------
class _Groups(NamedTuple):
    """The values in groups of equal ones; alone in its group is what no rule divides by."""

    same: Any  # [..., n, n]: 1 where two values are of one group
    mean: Any  # [..., n]: of each value's group
    moved: Any  # [..., n]: how far each is moved from the others; 0 for one that is alone
    at_zero: Any  # [..., n]: whether the group is at zero, and zero is to be left


def _groups(values: Any, at_zero: bool) -> _Groups:
    """Neighbours belong together if dividing twice by their gap would cost half of the digits."""
    eps = np.finfo(values.dtype.as_numpy_dtype).eps
    size = tf.reduce_max(tf.abs(values), -1, keepdims=True)
    size = tf.where(size == 0, tf.ones_like(size), size)
    least = eps ** (1 / 8) * size  # below it the distance from zero says nothing of the function
    scale = tf.maximum(tf.abs(values), least)
    apart = tf.abs(values[..., 1:] - values[..., :-1]) > eps ** (1 / 4) * tf.maximum(
        scale[..., 1:], scale[..., :-1])
    number = tf.cumsum(tf.cast(apart, tf.int32), -1)
    number = tf.concat([tf.zeros_like(values[..., :1], tf.int32), number], -1)
    together = number[..., :, None] == number[..., None, :]
    same = tf.cast(together, values.dtype)
    count = tf.reduce_sum(same, -1)
    place = tf.reduce_sum(same * np.tril(np.ones([shape_of(values)[-1]] * 2), -1).astype(
        values.dtype.as_numpy_dtype), -1)
    mean = tf.linalg.matvec(same, values) / count
    entry = tf.where(count > 1, (2 * place - count + 1) / tf.maximum(count - 1, 1),
                     tf.zeros_like(count))
    zero = tf.fill(tf.shape(values), False)
    if at_zero:  # the sums of values vanish there too, so that all are moved to one side
        zero = tf.abs(mean) <= eps ** (1 / 4) * least
        entry = tf.where(zero, (place + 1) / count, entry)
    far = tf.constant(np.inf, values.dtype)
    distance = tf.abs(values[..., :, None] - values[..., None, :])
    nearest = tf.reduce_min(tf.where(together, far, distance), -1)
    nearest = tf.reduce_min(tf.where(together, nearest[..., None, :], far), -1)
    radius = tf.minimum(eps ** (1 / 6) * tf.maximum(tf.abs(mean), least), nearest / 3)
    return _Groups(same, tf.where(zero, tf.zeros_like(mean), mean), entry * radius, zero)


def _rotation(groups: _Groups) -> Any:
    """A rotation of the vectors of each group among themselves, by Cayley's formula."""
    n = shape_of(groups.mean)[-1]
    turn = groups.same * np.tril(np.ones([n, n]), -1).astype(groups.same.dtype.as_numpy_dtype)
    turn -= tf.linalg.matrix_transpose(turn)
    one = tf.eye(n, dtype=turn.dtype)
    return tf.linalg.solve(one + turn, one - turn)


# -- symmetric matrices, singular values -----------------------------------------------------------
def _split(decomposed: Callable, a: Any) -> tuple:
    """The parts of a matrix, times a power of two beside which the 1e-20 of TensorFlow's rules,
    added to squares of gaps, is nothing."""
    size = tf.reduce_max(tf.abs(tf.stop_gradient(a)), [-2, -1])
    power = tf.where(size == 0, tf.zeros_like(size), tf.floor(tf.math.log(size) / np.log(2)))
    factor = 2.0 ** (20 - power)
    values, *vectors = decomposed(a * factor[..., None, None])
    return (values / factor[..., None], *vectors)


def _scaled(vectors: Any, values: Any, others: Any) -> Any:
    return tf.matmul(vectors * values[..., None, :], others, transpose_b=True)


def _svd_turned(parts: tuple, groups: _Groups) -> tuple:
    s, u, v = parts
    rotation = _rotation(groups)
    sign = tf.where(groups.at_zero, -tf.ones_like(s), tf.ones_like(s))[..., None, :]
    return s, tf.matmul(u, rotation), tf.matmul(v, rotation) * sign


_EIGH = _Decomposition(
    split=lambda a: _split(tf.linalg.eigh, a), at_zero=False,
    joined=lambda values, vectors: _scaled(vectors, values, vectors),
    turned=lambda parts, groups: (parts[0], tf.matmul(parts[1], _rotation(groups))))
_SVD = _Decomposition(split=lambda a: _split(tf.linalg.svd, a), at_zero=True,
                      joined=lambda s, u, v: _scaled(u, s, v), turned=_svd_turned)
