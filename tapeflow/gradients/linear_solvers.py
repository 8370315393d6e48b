"""Solutions of linear systems that are known by their products with vectors.

Conjugate gradients for symmetric positive definite systems, BiCGSTAB for others; on lists of
tensors, with tf.while_loop, so that they run eagerly and inside tf.function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf


def _dot(a: list, b: list) -> Any:
    return tf.add_n([tf.reduce_sum(x * y) for x, y in zip(a, b, strict=True)])


def _plus(a: list, factor: Any, b: list) -> list:
    return [x + factor * y for x, y in zip(a, b, strict=True)]


def _ratio(a: Any, b: Any) -> Any:
    return tf.where(b == 0, tf.zeros_like(a), a / tf.where(b == 0, tf.ones_like(b), b))


def conjugate_gradients(product: Callable, b: list, tolerance: float, limit: int) -> list:
    """x with product(x) = b, for a symmetric positive definite map."""
    goal = tolerance ** 2 * _dot(b, b)
    zeros = [tf.zeros_like(one) for one in b]

    def goes_on(x: list, r: list, p: list, size: Any) -> Any:
        return size > goal

    def step(x: list, r: list, p: list, size: Any) -> tuple:
        q = product(p)
        length = _ratio(size, _dot(p, q))
        x, r = _plus(x, length, p), _plus(r, -length, q)
        after = _dot(r, r)
        return x, r, _plus(r, _ratio(after, size), p), after

    found = tf.while_loop(goes_on, step, (zeros, list(b), list(b), _dot(b, b)),
                          maximum_iterations=limit)
    return list(found[0])


def bicgstab(product: Callable, b: list, tolerance: float, limit: int) -> list:
    """x with product(x) = b, for any invertible map."""
    goal, shadow = tolerance ** 2 * _dot(b, b), list(b)
    zeros = [tf.zeros_like(one) for one in b]

    def goes_on(x: list, r: list, p: list, rho: Any) -> Any:
        return _dot(r, r) > goal

    def step(x: list, r: list, p: list, rho: Any) -> tuple:
        v = product(p)
        alpha = _ratio(rho, _dot(shadow, v))
        s = _plus(r, -alpha, v)
        t = product(s)
        omega = _ratio(_dot(t, s), _dot(t, t))
        x, r = _plus(_plus(x, alpha, p), omega, s), _plus(s, -omega, t)
        after = _dot(shadow, r)
        beta = _ratio(after, rho) * _ratio(alpha, omega)
        return x, r, _plus(r, beta, _plus(p, -omega, v)), after

    found = tf.while_loop(goes_on, step, (zeros, list(b), list(b), _dot(b, b)),
                          maximum_iterations=limit)
    return list(found[0])
