"""The distribution function of the normal distribution, and its logarithm, far out too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import Tensor


def ndtr(x: Any) -> Tensor:
    """The probability of a value below x."""
    half = 0.5 * math.sqrt(2.0)
    scaled = x * half
    size = tf.abs(scaled)
    return 0.5 * tf.where(size < half, 1.0 + tf.math.erf(scaled), tf.where(
        scaled > 0.0, 2.0 - tf.math.erfc(size), tf.math.erfc(size)))


def log_ndtr(x: Tensor) -> Tensor:
    """Its logarithm: below `lower` by a series, above `upper` by log(1 - y) = -y."""
    lower, upper = (-20.0, 8.0) if x.dtype == tf.float64 else (-10.0, 5.0)
    return tf.where(x > upper, -ndtr(-x), tf.where(
        x > lower, tf.math.log(ndtr(tf.maximum(x, lower))), _far_below(tf.minimum(x, lower))))


def _far_below(x: Tensor) -> Tensor:
    square = tf.square(x)
    power, series = square, tf.ones_like(x)
    for n in (1, 2, 3):
        term = float(np.prod(np.arange(2 * n - 1, 1, -2))) / power
        series = series + (-term if n % 2 else term)
        power = power * square
    return (-0.5 * square - tf.math.log(-x) - 0.5 * math.log(2.0 * math.pi)
            + tf.math.log(series))


def log_cdf_laplace(x: Tensor) -> Tensor:
    """The logarithm of the distribution function of the standard Laplace distribution."""
    return tf.where(x < 0.0, -math.log(2.0) + tf.minimum(x, 0.0),
                    tf.math.log1p(-0.5 * tf.exp(-tf.abs(x))))
