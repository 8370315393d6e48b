"""eigh and svd of functions that are smooth at repeated values: gradients that are right there.

A tape's rule for the eigenvectors divides N_ij, the antisymmetric part of VᵀḠ, by λj - λi. For a
function that is smooth in the matrix N_ij is zero where the gap is, and the quotient has a limit:
for every λ, N_ij(λ) = (λj - λi) G_ij(λ). Along a direction e with distinct entries

    N' = (ej - ei) G + (λj - λi) G'        N'' = 2 (ej - ei) G' + (λj - λi) G''

so G = N' / (ej - ei) - (λj - λi) N'' / (2 (ej - ei)²), exactly at a gap of zero and with an error
of second order in the gap near it. N' and N'' come from forward mode over the function's gradient,
with the vectors held. The singular values' sums and single values, by which the svd's rule divides
too, are treated in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.core.autodiff.forward_accumulator import ForwardAccumulator
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.values.convert import convert
from tapeflow.gradients.matrix_functions import symmetric_part


def eigh(function: Callable, a: Any) -> Any:
    """A function of eigenvalues and eigenvectors, with a gradient that is right at repeated ones.

    For functions whose result is a smooth function of the matrix: one that does not depend on the
    signs of eigenvectors, nor on which ones are chosen for a repeated eigenvalue. Where it does,
    there is no derivative, and the gradient is NaN. First derivatives in reverse mode;
    `spectral_function` has all.

    Args:
      function: Called as `function(eigenvalues, eigenvectors)`, as tf.linalg.eigh returns them;
        its result is a tensor or a structure of tensors. The walk back runs it once more.
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
    """A function of a singular value decomposition, with a gradient right at repeated values.

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
      >>> print(tape.gradient(y, a).numpy())
      [[3. 3.]
       [3. 3.]]
    """
    a = convert(a)
    if a.dtype not in (tf.float32, tf.float64):
        raise TypeError(f"svd: needs float32 or float64 matrices, got {a.dtype.name}.")
    if a.ndim is None or a.ndim < 2 or None in shape_of(a)[-2:]:
        raise ValueError(f"svd: needs matrices of known size, got shape {a.shape}.")
    return _of_decomposition(function, a, _SVD)


class _Parts(NamedTuple):
    """What an entry of the gradient is made of: numerator / gap, and where the gap vanishes."""

    numerator: Any
    gap: Any
    step: Any  # the gap's derivative along the direction
    scale: Any  # of the cotangents: tells rounding from a numerator that is not zero


class _Decomposition(NamedTuple):
    split: Callable  # a -> its parts, values first
    parts: Callable  # parts, their cotangents, direction -> a list of _Parts
    joined: Callable  # parts, cotangent of the values, quotients -> the gradient


def _of_decomposition(function: Callable, a: Any, kind: _Decomposition) -> Any:
    """The function's result: a tape takes the usual way, and the vanishing gaps from a second run.
    """
    def quotients(found: list[_Parts], size: Any) -> list:
        return [tf.where(_vanishes(one, size), tf.zeros_like(one.gap), _divided(one))
                for one in found]

    @tf.custom_gradient
    def decomposed(a: Any) -> Any:
        parts = kind.split(_reverse_mode(a))

        def grad(*gs: Any) -> Any:
            found = kind.parts(parts, gs, _direction(parts[0]))
            return _first_order(kind.joined(parts, gs[0], quotients(found, _size(parts[0]))))

        return parts, grad

    parts = tuple(decomposed(a))
    result = nest.map_structure(convert, function(*parts))
    flat = nest.flatten(result)

    @tf.custom_gradient
    def corrected(a: Any, *ys: Any) -> Any:
        held = tuple([tf.stop_gradient(one) for one in parts])

        def grad(*gs: Any) -> Any:
            if not tf.inside_function() and not _any_vanishes(kind, held):
                return (None, *gs)
            return (_first_order(_limits(function, kind, held, gs)), *gs)

        return [tf.identity(y) for y in ys], grad

    return nest.pack_sequence_as(result, corrected(a, *flat))


def _limits(function: Callable, kind: _Decomposition, parts: tuple, gs: tuple) -> Any:
    """The part of the gradient whose gaps vanish."""
    values, direction = parts[0], _direction(parts[0])
    with ForwardAccumulator(values, direction) as outer:
        with ForwardAccumulator(values, direction) as inner:
            with GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(parts)
                result = nest.flatten(function(*parts))
            cotangents = tape.gradient(result, list(parts), list(gs), unconnected_gradients="zero")
        first = inner.jvp(cotangents, unconnected_gradients="zero")
    second = outer.jvp(first, unconnected_gradients="zero")
    quotients = []
    for one, d, dd in zip(*[kind.parts(parts, some, direction)
                            for some in (cotangents, first, second)], strict=True):
        step = tf.where(one.step == 0, tf.ones_like(one.step), one.step)
        bend = one.gap * dd.numerator / (2 * step ** 2)
        limit = d.numerator / step - tf.where(one.gap == 0, tf.zeros_like(bend), bend)
        eps = np.finfo(one.gap.dtype.as_numpy_dtype).eps
        rest = tf.abs(one.numerator - one.gap * limit)
        smooth = rest <= 0.5 * tf.abs(one.gap * limit) + 1000 * eps * (one.scale + tf.abs(limit))
        limit = tf.where(smooth, limit, tf.fill(tf.shape(limit), tf.cast(np.nan, limit.dtype)))
        quotients.append(tf.where(_vanishes(one, _size(values)), limit, tf.zeros_like(limit)))
    return kind.joined(parts, tf.zeros_like(values), quotients)


def _direction(values: Any) -> Any:
    """Positive and distinct entries, in the values' order: no gap's derivative is zero."""
    n = shape_of(values)[-1]
    return tf.zeros_like(values) + tf.constant(np.arange(1, n + 1), values.dtype)


def _size(values: Any) -> Any:
    return tf.reduce_max(tf.abs(values), -1)[..., None, None]


def _vanishes(one: _Parts, size: Any) -> Any:
    """Where dividing by the gap would lose more digits than the limit's formula does."""
    eps = np.finfo(one.gap.dtype.as_numpy_dtype).eps
    return (tf.abs(one.gap) <= eps ** (1 / 3) * size) & (one.step != 0)


def _any_vanishes(kind: _Decomposition, parts: tuple) -> bool:
    zeros = [tf.zeros_like(one) for one in parts]
    return any(bool(tf.reduce_any(_vanishes(one, _size(parts[0]))))
               for one in kind.parts(parts, zeros, _direction(parts[0])))


def _divided(one: _Parts) -> Any:
    safe = tf.where(one.gap == 0, tf.ones_like(one.gap), one.gap)
    return tf.where(one.gap == 0, tf.zeros_like(safe), one.numerator / safe)


def _refused(*args: Any, **attrs: Any) -> Any:
    raise NotImplementedError(
        "tapeflow.gradients.eigh and svd have first derivatives in reverse mode only. Functions of "
        "the form V f(λ) Vᵀ have all by tapeflow.gradients.spectral_function.")


def _same(x: Any) -> Any:
    return x


_first_order = define("first_order_only", kernel=_same, shape=_same, vjp=_refused, jvp=_refused,
                      batch=lambda call, size, xs, batched, attrs: xs[0], internal=True)
# What follows from the matrix itself is told to tapes by the custom gradients.
_reverse_mode = define("reverse_mode_only", kernel=_same, shape=_same, jvp=_refused,
                       vjp=lambda g, y, x: (None,),
                       batch=lambda call, size, xs, batched, attrs: xs[0], internal=True)


# -- symmetric matrices ----------------------------------------------------------------------------
def _transposed(x: Any) -> Any:
    return tf.linalg.matrix_transpose(x)


def _gaps(values: Any, sign: int = -1) -> Any:
    """values[j] - values[i], or their sums, at [i, j]."""
    return values[..., None, :] + sign * values[..., :, None]


def _antisymmetric(x: Any) -> Any:
    return (x - _transposed(x)) / 2


def _largest(x: Any) -> Any:
    return tf.reduce_max(tf.abs(x), [-2, -1], keepdims=True)


def _eigh_parts(parts: tuple, cotangents: Any, direction: Any) -> list[_Parts]:
    values, vectors = parts
    inner = tf.matmul(vectors, cotangents[1], transpose_a=True)
    return [_Parts(_antisymmetric(inner), _gaps(values), _gaps(direction), _largest(inner))]


def _eigh_joined(parts: tuple, g: Any, quotients: list) -> Any:
    inner = tf.linalg.diag(g) + quotients[0]
    return tf.matmul(tf.matmul(parts[1], inner), parts[1], transpose_b=True)


_EIGH = _Decomposition(lambda a: tuple(tf.linalg.eigh(a)), _eigh_parts, _eigh_joined)


# -- singular values -------------------------------------------------------------------------------
def _svd_parts(parts: tuple, cotangents: Any, direction: Any) -> list[_Parts]:
    """Of the symmetric and antisymmetric halves of UᵀGV, and of what lies outside of u and v.

    With P and Q the antisymmetric parts of UᵀŪ and VᵀV̄ the halves are (P + Q) / (sj - si) and
    (P - Q) / (sj + si); outside it is (Ū - U UᵀŪ) / s, and the same of v.
    """
    s, u, v = parts
    _, gu, gv = cotangents
    inner_u = tf.matmul(u, gu, transpose_a=True)
    inner_v = tf.matmul(v, gv, transpose_a=True)
    p, q = _antisymmetric(inner_u), _antisymmetric(inner_v)
    scale = _largest(inner_u) + _largest(inner_v)
    # The sum of a value with itself has no part in the antisymmetric half.
    apart = 1 - tf.eye(shape_of(s)[-1], dtype=s.dtype)
    found = [_Parts(p + q, _gaps(s), _gaps(direction), scale),
             _Parts(p - q, _gaps(s, 1) * apart, _gaps(direction, 1) * apart, scale)]
    for side, g, inner in ((u, gu, inner_u), (v, gv, inner_v)):
        outside = g - tf.matmul(side, inner)
        found.append(_Parts(outside, tf.zeros_like(outside) + s[..., None, :],
                            tf.zeros_like(outside) + direction[..., None, :], _largest(g)))
    return found


def _svd_joined(parts: tuple, g: Any, quotients: list) -> Any:
    _, u, v = parts
    symmetric, antisymmetric, beside_u, beside_v = quotients
    inner = tf.linalg.diag(g) + symmetric + antisymmetric
    return (tf.matmul(tf.matmul(u, inner) + beside_u, v, transpose_b=True)
            + tf.matmul(u, beside_v, transpose_b=True))


_SVD = _Decomposition(lambda a: tuple(tf.linalg.svd(a)), _svd_parts, _svd_joined)
