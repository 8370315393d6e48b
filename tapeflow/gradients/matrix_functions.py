"""spectral_function: f(A) of a symmetric matrix, right to every order at repeated eigenvalues too.

With A = V diag(λ) Vᵀ, the derivative of f(A) along E is V (f[λi, λj] ∘ VᵀEV) Vᵀ, where f[…] are
divided differences (Daleckii, Krein); the k-th derivative along E1 … Ek has those of order k, and
a sum over the orders of the directions. It is symmetric in all directions and in the cotangent, so
that the vjp of the k-th derivative is the derivative of order k + 1, with the cotangent as one more
direction. `_derivative` is that for every k; `_attached` says so to tapes and accumulators.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import define, shape_of
from tapeflow.core.record.primitive_ops import broadcast_to
from tapeflow.core.values.convert import convert

NODES = 5  # of the quadrature; one less tells its error


def spectral_function(function: Callable, a: Any, *parameters: Any) -> Any:
    """V f(λ) Vᵀ for symmetric matrices, with derivatives that are right at repeated eigenvalues.

    Derivatives use divided differences of `function`, by quadrature of its derivative where
    eigenvalues are close. They are right to every order, in reverse and forward mode. A
    tape through tf.linalg.eigh divides by the gaps of the eigenvalues instead, and gives wrong
    numbers where these are zero.

    Args:
      function: Elementwise, called as `function(eigenvalues, *parameters)`; differentiable where
        there are eigenvalues, and between those that are close.
      a: Real symmetric matrices [..., n, n], of which the symmetric part is taken.
      *parameters: What else the function depends on and gradients are wanted for; scalars.

    Returns:
      Matrices like `a`.

    Example:
      >>> with tf.GradientTape() as tape:
      ...     tape.watch(a := tf.eye(2))
      ...     y = tf.reduce_sum(tf.gradients.spectral_function(tf.exp, a))
      >>> print(tape.gradient(y, a).numpy().round(4))
      [[2.7183 2.7183]
       [2.7183 2.7183]]
    """
    matrix = symmetric_part(a, "spectral_function")
    values = tuple([convert(one, matrix.dtype) for one in parameters])
    if any(one.ndim for one in values):
        raise ValueError("spectral_function: parameters must be scalars.")
    return _derivative(function, matrix, values, ())


def symmetric_part(a: Any, where: str) -> Any:
    """The matrices that are differentiated: real, of known size, symmetric."""
    a = convert(a)
    if a.dtype not in (tf.float32, tf.float64):
        raise TypeError(f"{where}: needs float32 or float64 matrices, got {a.dtype.name}.")
    shape = shape_of(a) if a.ndim is not None else ()
    if len(shape) < 2 or shape[-1] != shape[-2] or shape[-1] is None:
        raise ValueError(f"{where}: needs square matrices of known size, got shape {a.shape}.")
    return _symmetric(a)


# -- derivatives of a matrix function --------------------------------------------------------------
def _derivative(function: Callable, a: Any, parameters: tuple, directions: tuple) -> Any:
    """The derivative of f(a) along all directions; f(a) itself where there is none."""
    held = [tf.stop_gradient(one) for one in (a, *parameters, *directions)]
    given, along = held[1:1 + len(parameters)], held[1 + len(parameters):]
    values, vectors = tf.linalg.eigh(held[0])
    table = divided_differences(lambda x: function(x, *given), values, len(along))
    if along:
        turned = [tf.matmul(tf.matmul(vectors, one, transpose_a=True), vectors) for one in along]
        letters = "ijklmnop"[:len(along) + 1]
        pairs = ",".join([f"...{letters[k:k + 2]}" for k in range(len(along))])
        equation = f"...{letters},{pairs}->...{letters[0]}{letters[-1]}"
        inner = sum(tf.einsum(equation, table, *some) for some in itertools.permutations(turned))
    else:
        inner = tf.linalg.diag(table)
    result = tf.matmul(tf.matmul(vectors, inner), vectors, transpose_b=True)
    return _attached(result, a, *parameters, *directions, function=function,
                     count=len(parameters))


class _Derivatives:
    """The derivatives of one `_derivative` with respect to each of its operands."""

    def __init__(self, operands: tuple, function: Callable, count: int):
        self.function, self.a = function, operands[1]
        self.parameters, self.directions = operands[2:2 + count], operands[2 + count:]

    def along(self, direction: Any) -> Any:
        """Of the matrix, along one more direction."""
        return _derivative(self.function, self.a, self.parameters,
                           (*self.directions, _symmetric(direction)))

    def of_parameter(self, place: int) -> Any:
        """Of the parameter at a place."""
        def slope(x: Any, *parameters: Any) -> Any:
            with GradientTape(watch_accessed_variables=False) as tape:
                spread = [tf.zeros_like(x) + one for one in parameters]
                tape.watch(spread[place])
                y = self.function(x, *spread)
            return tape.gradient(y, spread[place], unconnected_gradients="zero")

        return _derivative(slope, self.a, self.parameters, self.directions)

    def with_direction(self, place: int, direction: Any) -> Any:
        """Itself, which is linear in its directions, with another one at a place."""
        others = list(self.directions)
        others[place] = _symmetric(direction)
        return _derivative(self.function, self.a, self.parameters, tuple(others))


def _symmetric(x: Any) -> Any:
    return (x + tf.linalg.matrix_transpose(x)) / 2


def _vjp(g: Any, y: Any, *operands: Any, function: Callable, count: int) -> tuple:
    bare = not isinstance(g, tf.Tensor)
    g = convert(g)
    it = _Derivatives(tuple([convert(one) for one in operands]), function, count)
    found = [it.along(g),
             *[tf.reduce_sum(g * it.of_parameter(k)) for k in range(count)],
             *[it.with_direction(k, g) for k in range(len(it.directions))]]
    return (None, *([one._value for one in found] if bare else found))


def _jvp(ts: tuple, y: Any, *operands: Any, function: Callable, count: int) -> Any:
    it = _Derivatives(operands, function, count)
    moved = [] if ts[1] is None else [it.along(ts[1])]
    moved += [t * it.of_parameter(k) for k, t in enumerate(ts[2:2 + count]) if t is not None]
    moved += [it.with_direction(k, t) for k, t in enumerate(ts[2 + count:]) if t is not None]
    return sum(moved[1:], moved[0]) if moved else None


def _batch(call: Callable, size: int, xs: tuple, batched: tuple, attrs: dict) -> Any:
    return xs[0] if batched[0] else broadcast_to(xs[0], shape=(size, *shape_of(xs[0])))


_attached = define("spectral_function", kernel=lambda value, *others, **attrs: value,
                   shape=lambda value, *others, **attrs: value, vjp=_vjp, jvp=_jvp, batch=_batch,
                   saves="in", args=("*operands",), internal=True,
                   unsavable="it calls a Python function when it is differentiated")


# -- divided differences ---------------------------------------------------------------------------
def divided_differences(function: Callable, points: Any, order: int) -> Any:
    """f[x_i0, …, x_ik] for all tuples of `order` + 1 points of the last axis, which ascend.

    By differences of those of one order less, divided by the distance of the outermost points; or
    by quadrature of f's derivative (Hermite and Genocchi) where its error is less, as where points
    are close or equal.
    """
    n, eps = shape_of(points)[-1], np.finfo(points.dtype.as_numpy_dtype).eps
    table = function(points)
    error = eps * tf.abs(table)
    for k in range(1, order + 1):
        # The tables are symmetric: each tuple of places is looked up in ascending order.
        places = np.sort(np.indices((n,) * (k + 1)).reshape(k + 1, -1), axis=0)
        upper = np.ravel_multi_index(tuple(places[1:]), (n,) * k)
        lower = np.ravel_multi_index(tuple(places[:-1]), (n,) * k)
        at = [tf.gather(points, one, axis=-1) for one in places]
        width = at[-1] - at[0]
        apart = width > 0
        divisor = tf.where(apart, width, tf.ones_like(width))
        quotient = (tf.gather(table, upper, axis=-1) - tf.gather(table, lower, axis=-1)) / divisor
        rounding = (tf.gather(error, upper, axis=-1) + tf.gather(error, lower, axis=-1)) / divisor
        integral = _integral(function, at, NODES)
        doubt = tf.abs(integral - _integral(function, at, NODES - 1)) + eps * tf.abs(integral)
        smooth = tf.logical_not(apart) | (doubt <= rounding)
        table = tf.where(smooth, integral, quotient)
        error = tf.stop_gradient(tf.where(smooth, doubt, rounding))
    return tf.reshape(table, tf.concat([tf.shape(points)[:-1], [n] * (order + 1)], 0))


def _integral(function: Callable, points: list, nodes: int) -> Any:
    """∫ f⁽ᵏ⁾(x0 + t1 (x1 - x0) + … + tk (xk - xk-1)) over 1 ≥ t1 ≥ … ≥ tk ≥ 0."""
    order = len(points) - 1
    places, weights = np.polynomial.legendre.leggauss(nodes)
    places, weights = (places + 1) / 2, weights / 2
    total = None
    for picked in itertools.product(range(nodes), repeat=order):
        where, t, weight = points[0], 1.0, 1.0
        for k, one in enumerate(picked):
            weight *= weights[one] * t  # t_k = t_k-1 · place: the simplex as a cube
            t *= places[one]
            where = where + t * (points[k + 1] - points[k])
        term = weight * _nth_derivative(function, where, order)
        total = term if total is None else total + term
    return total


def _nth_derivative(function: Callable, x: Any, order: int) -> Any:
    """The derivative of an elementwise function, at each element."""
    if order == 0:
        return function(x)
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = _nth_derivative(function, x, order - 1)
    return tape.gradient(y, x, unconnected_gradients="zero")
