"""Distributions of real numbers: Normal, Laplace, Uniform, Gamma, Beta and their kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.api.v1.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    Distribution,
    OverConcentrations,
    RegisterKL,
    checked,
    new_seed,
)
from tapeflow.api.v1.distributions.normal_tails import log_cdf_laplace, log_ndtr, ndtr
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor


class _Continuous(Distribution):
    """A distribution whose parameters are real, and are kept as tensors."""

    def _keep(self, parameters: dict, checks: Any = ()) -> None:
        """Make tensors of the arguments; `parameters` are the locals of the constructor."""
        given = {key: value for key, value in parameters.items() if key != "self"}
        kept = []
        with tf.name_scope(given["name"]) as scope:
            with tf.control_dependencies([check for check in checks if check is not None]):
                for key in self._tensor_names():
                    tensor = tf.identity(tf.convert_to_tensor(given[key]))
                    kept.append(tensor)
                    setattr(self, f"_{key}", tensor)
            tf.debugging.assert_same_float_dtype(kept)
        Distribution.__init__(
            self, kept[-1].dtype, FULLY_REPARAMETERIZED, given["validate_args"],
            given["allow_nan_stats"], given, kept, scope)

    @classmethod
    def _tensor_names(cls) -> tuple[str, ...]:
        return cls._parameter_names

    def _of_batch(self, number: float) -> Tensor:
        return tf.fill(self.batch_shape_tensor(), tf.constant(number, self.dtype))

    def _draw_shape(self, n: Any) -> Tensor:
        return tf.concat([[n], self.batch_shape_tensor()], 0)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()  # type: ignore[attr-defined]


class _LocationScale(_Continuous):
    _parameter_names: tuple[str, ...] = ("loc", "scale")

    @property
    def loc(self) -> Tensor:
        """The location."""
        return self._loc  # type: ignore[attr-defined]

    @property
    def scale(self) -> Tensor:
        """The scale."""
        return self._scale  # type: ignore[attr-defined]

    def _z(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale


@export("compat.v1.distributions.Normal")
class Normal(_LocationScale):
    """The normal distribution, of a mean and a standard deviation."""

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Normal"):
        self._keep(dict(locals()),
                   [tf.debugging.assert_positive(scale)] if validate_args else [])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return tf.random.normal(
            self._draw_shape(n), dtype=self.dtype, seed=seed) * self.scale + self.loc

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log_ndtr(self._z(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return ndtr(self._z(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return log_ndtr(-self._z(x))

    def _survival_function(self, x: Tensor) -> Tensor:
        return ndtr(-self._z(x))

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        return -0.5 * tf.square(self._z(x))

    def _log_normalization(self) -> Tensor:
        return 0.5 * math.log(2.0 * math.pi) + tf.math.log(self.scale)

    def _entropy(self) -> Tensor:
        return 0.5 * math.log(2.0 * math.pi * math.e) + tf.math.log(self._stddev())

    def _mean(self) -> Tensor:
        return self.loc * tf.ones_like(self.scale)

    def _quantile(self, p: Tensor) -> Tensor:
        return tf.math.ndtri(p) * self.scale + self.loc

    def _stddev(self) -> Tensor:
        return self.scale * tf.ones_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()


@RegisterKL(Normal, Normal)
def _of_normals(a: Normal, b: Normal, name: str | None = None) -> Tensor:
    square = tf.square(b.scale)
    ratio = tf.square(a.scale) / square
    return (tf.math.squared_difference(a.loc, b.loc) / (2.0 * square)
            + 0.5 * (ratio - 1.0 - tf.math.log(ratio)))


@export("compat.v1.distributions.Laplace")
class Laplace(_LocationScale):
    """The Laplace distribution: an exponential one to both sides."""

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Laplace"):
        self._keep(dict(locals()),
                   [tf.debugging.assert_positive(scale)] if validate_args else [])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        number = self.dtype.as_numpy_dtype
        drawn = tf.random.uniform(
            self._draw_shape(n), np.nextafter(number(-1.0), number(0.0)), 1.0, self.dtype, seed)
        return self.loc - self.scale * tf.sign(drawn) * tf.math.log1p(-tf.abs(drawn))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(self._z(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(-self._z(x))

    def _cdf(self, x: Tensor) -> Tensor:
        z = self._z(x)
        return 0.5 + 0.5 * tf.sign(z) * (1.0 - tf.exp(-tf.abs(z)))

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        return -tf.abs(self._z(x))

    def _log_normalization(self) -> Tensor:
        return math.log(2.0) + tf.math.log(self.scale)

    def _entropy(self) -> Tensor:
        return math.log(2.0) + 1.0 + tf.math.log(self.scale + tf.zeros_like(self.loc))

    def _mean(self) -> Tensor:
        return self.loc + tf.zeros_like(self.scale)

    def _stddev(self) -> Tensor:
        return math.sqrt(2.0) * self.scale + tf.zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()


@export("compat.v1.distributions.StudentT")
class StudentT(_LocationScale):
    """Student's t-distribution, of degrees of freedom."""

    _parameter_names = ("df", "loc", "scale")

    def __init__(self, df: Any, loc: Any, scale: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "StudentT"):
        self._keep(dict(locals()), [tf.debugging.assert_positive(df)] if validate_args else [])

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df  # type: ignore[attr-defined]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        normal = tf.random.normal(self._draw_shape(n), dtype=self.dtype, seed=seed)
        df = self.df * self._of_batch(1.0)
        gamma = tf.random.gamma([n], 0.5 * df, 0.5, self.dtype, new_seed(seed, "student_t"))
        return normal * tf.math.rsqrt(gamma / df) * self.scale + self.loc

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        y = self._z(x)
        return -0.5 * (self.df + 1.0) * tf.math.log1p(y ** 2.0 / self.df)

    def _log_normalization(self) -> Tensor:
        return (tf.math.log(tf.abs(self.scale)) + 0.5 * tf.math.log(self.df)
                + 0.5 * math.log(math.pi) + tf.math.lgamma(0.5 * self.df)
                - tf.math.lgamma(0.5 * (self.df + 1.0)))

    def _cdf(self, x: Tensor) -> Tensor:
        y = (x - self.loc) / tf.abs(self.scale)
        half = tf.constant(0.5, self.dtype)
        below = 0.5 * tf.math.betainc(0.5 * self.df, half, self.df / (y ** 2.0 + self.df))
        return tf.where(y < 0.0, below, 1.0 - below)

    def _entropy(self) -> Tensor:
        ones = self._of_batch(1.0)[..., tf.newaxis]
        pairs = tf.concat([ones * self.df[..., tf.newaxis], ones], -1) / 2.0
        return (tf.math.log(tf.abs(self.scale)) + 0.5 * tf.math.log(self.df)
                + tf.math.lbeta(pairs) + 0.5 * (self.df + 1.0)
                * (tf.math.digamma(0.5 * (self.df + 1.0)) - tf.math.digamma(0.5 * self.df)))

    def _mean(self) -> Tensor:
        return self._defined(self.df > self._of_batch(1.0), self.loc * self._of_batch(1.0),
                             "mean not defined for components of df <= 1", self.df)

    def _variance(self) -> Tensor:
        below = tf.where(self.df > 2.0, self.df - 2.0, tf.ones_like(self.df))
        found = tf.where(self.df > self._of_batch(2.0),
                         self._of_batch(1.0) * tf.square(self.scale) * self.df / below,
                         tf.constant(np.inf, self.dtype))
        return self._defined(self.df > self._of_batch(1.0), found,
                             "variance not defined for components of df <= 1", self.df)

    def _mode(self) -> Tensor:
        return tf.identity(self.loc)


@export("compat.v1.distributions.Uniform")
class Uniform(_Continuous):
    """Every number between `low` and `high`, which is not among them, is as likely."""

    _parameter_names = ("low", "high")

    def __init__(self, low: Any = 0.0, high: Any = 1.0, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Uniform"):
        self._keep(dict(locals()), [tf.debugging.assert_less(
            low, high, message="uniform not defined when low >= high.")] if validate_args else [])

    @property
    def low(self) -> Tensor:
        """The lower end."""
        return self._low  # type: ignore[attr-defined]

    @property
    def high(self) -> Tensor:
        """The upper end."""
        return self._high  # type: ignore[attr-defined]

    def range(self, name: str = "range") -> Tensor:
        """The distance of the ends."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = tf.random.uniform(self._draw_shape(n), dtype=self.dtype, seed=seed)
        return self.low + self.range() * drawn

    def _prob(self, x: Tensor) -> Tensor:
        x = x * self._of_batch(1.0)
        outside = tf.logical_or(x < self.low, x >= self.high)
        return tf.where(tf.math.is_nan(x), x, tf.where(
            outside, tf.zeros_like(x), tf.ones_like(x) / self.range()))

    def _log_prob(self, x: Tensor) -> Tensor:
        return tf.math.log(self._prob(x))

    def _cdf(self, x: Tensor) -> Tensor:
        x = x * self._of_batch(1.0)
        part = tf.where(x < self.low, tf.zeros_like(x), (x - self.low) / self.range())
        return tf.where(x >= self.high, tf.ones_like(x), part)

    def _entropy(self) -> Tensor:
        return tf.math.log(self.range())

    def _mean(self) -> Tensor:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Tensor:
        return tf.square(self.range()) / 12.0

    def _stddev(self) -> Tensor:
        return self.range() / math.sqrt(12.0)


@export("compat.v1.distributions.Gamma")
class Gamma(_Continuous):
    """The gamma distribution, of a concentration and a rate."""

    _parameter_names: tuple[str, ...] = ("concentration", "rate")

    def __init__(self, concentration: Any, rate: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Gamma"):
        self._keep(dict(locals()), [tf.debugging.assert_positive(concentration),
                                    tf.debugging.assert_positive(rate)] if validate_args else [])

    @property
    def concentration(self) -> Tensor:
        """The concentration."""
        return self._concentration  # type: ignore[attr-defined]

    @property
    def rate(self) -> Tensor:
        """The rate."""
        return self._rate  # type: ignore[attr-defined]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return tf.random.gamma([n], self.concentration, self.rate, self.dtype, seed)

    def _cdf(self, x: Tensor) -> Tensor:
        return tf.math.igamma(self.concentration, self.rate * self._valid(x))

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._valid(x)
        return tf.math.xlogy(self.concentration - 1.0, x) - self.rate * x

    def _log_normalization(self) -> Tensor:
        return tf.math.lgamma(self.concentration) - self.concentration * tf.math.log(self.rate)

    def _entropy(self) -> Tensor:
        return (self.concentration - tf.math.log(self.rate) + tf.math.lgamma(self.concentration)
                + (1.0 - self.concentration) * tf.math.digamma(self.concentration))

    def _mean(self) -> Tensor:
        return self.concentration / self.rate

    def _variance(self) -> Tensor:
        return self.concentration / tf.square(self.rate)

    def _stddev(self) -> Tensor:
        return tf.sqrt(self.concentration) / self.rate

    def _mode(self) -> Tensor:
        return self._defined(
            self.concentration > 1.0, (self.concentration - 1.0) / self.rate,
            "mode not defined when any concentration <= 1", self.concentration)

    def _valid(self, x: Tensor) -> Tensor:
        tf.debugging.assert_same_float_dtype([x], self.dtype)
        return checked(x, tf.debugging.assert_positive(x)) if self.validate_args else x


@RegisterKL(Gamma, Gamma)
def _of_gammas(a: Gamma, b: Gamma, name: str | None = None) -> Tensor:
    return ((a.concentration - b.concentration) * tf.math.digamma(a.concentration)
            + tf.math.lgamma(b.concentration) - tf.math.lgamma(a.concentration)
            + b.concentration * tf.math.log(a.rate) - b.concentration * tf.math.log(b.rate)
            + a.concentration * (b.rate / a.rate - 1.0))


@export("compat.v1.distributions.Exponential")
class Exponential(Gamma):
    """The exponential distribution, of a rate: a gamma distribution of concentration 1."""

    _parameter_names = ("rate",)

    def __init__(self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Exponential"):
        self._keep(dict(locals()),
                   [tf.debugging.assert_positive(rate)] if validate_args else [])
        self._concentration = tf.ones([], self.dtype)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        tiny = np.finfo(self.dtype.as_numpy_dtype).tiny
        drawn = tf.random.uniform(self._draw_shape(n), tiny, 1.0, self.dtype, seed)
        return -tf.math.log(drawn) / self.rate

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return self._log_prob(value) - tf.math.log(self.rate)


@export("compat.v1.distributions.Beta")
class Beta(_Continuous):
    """The beta distribution, of numbers between 0 and 1."""

    _parameter_names = ("concentration1", "concentration0")

    def __init__(self, concentration1: Any = None, concentration0: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Beta"):
        self._keep(dict(locals()), [
            tf.debugging.assert_positive(one, message="Concentration parameter must be positive.")
            for one in (concentration1, concentration0)] if validate_args else [])
        self._total_concentration = self.concentration1 + self.concentration0

    @property
    def concentration1(self) -> Tensor:
        """The concentration at 1."""
        return self._concentration1  # type: ignore[attr-defined]

    @property
    def concentration0(self) -> Tensor:
        """The concentration at 0."""
        return self._concentration0  # type: ignore[attr-defined]

    @property
    def total_concentration(self) -> Tensor:
        """The sum of both."""
        return self._total_concentration

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        ones = tf.ones_like(self.total_concentration)
        first = tf.random.gamma([n], ones * self.concentration1, None, self.dtype, seed)
        second = tf.random.gamma(
            [n], ones * self.concentration0, None, self.dtype, new_seed(seed, "beta"))
        return first / (first + second)

    def _cdf(self, x: Tensor) -> Tensor:
        return tf.math.betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        if self.validate_args:
            x = checked(x, tf.debugging.assert_positive(x, message="sample must be positive"),
                        tf.debugging.assert_less(x, tf.ones([], self.dtype),
                                                 message="sample must be less than `1`."))
        return (tf.math.xlogy(self.concentration1 - 1.0, x)
                + (self.concentration0 - 1.0) * tf.math.log1p(-x))

    def _log_normalization(self) -> Tensor:
        return (tf.math.lgamma(self.concentration1) + tf.math.lgamma(self.concentration0)
                - tf.math.lgamma(self.total_concentration))

    def _entropy(self) -> Tensor:
        total = self.total_concentration
        return (self._log_normalization()
                - (self.concentration1 - 1.0) * tf.math.digamma(self.concentration1)
                - (self.concentration0 - 1.0) * tf.math.digamma(self.concentration0)
                + (total - 2.0) * tf.math.digamma(total))

    def _mean(self) -> Tensor:
        return self.concentration1 / self.total_concentration

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self) -> Tensor:
        both = tf.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0)
        found = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        return self._defined(both, found, "Mode undefined for concentration1 <= 1.",
                             tf.minimum(self.concentration1, self.concentration0))


@RegisterKL(Beta, Beta)
def _of_betas(a: Beta, b: Beta, name: str | None = None) -> Tensor:
    digamma = tf.math.digamma
    return (b._log_normalization() - a._log_normalization()
            - digamma(a.concentration1) * (b.concentration1 - a.concentration1)
            - digamma(a.concentration0) * (b.concentration0 - a.concentration0)
            + digamma(a.total_concentration) * (b.total_concentration - a.total_concentration))


@export("compat.v1.distributions.Dirichlet")
class Dirichlet(OverConcentrations, _Continuous):
    """The Dirichlet distribution, of positive numbers whose sum is 1."""

    def __init__(self, concentration: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "Dirichlet"):
        self._keep(dict(locals()), [tf.debugging.assert_positive(
            concentration, message="Concentration parameter must be positive.")
        ] if validate_args else [])
        if validate_args and self.concentration.shape[-1] == 1:
            raise ValueError("Concentration parameter must have event_size >= 2.")
        self._total_concentration = tf.reduce_sum(self.concentration, -1)

    @classmethod
    def _tensor_names(cls) -> tuple[str, ...]:
        return ("concentration",)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = tf.random.gamma([n], self.concentration, None, self.dtype, seed)
        return drawn / tf.reduce_sum(drawn, -1, keepdims=True)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        if self.validate_args:
            x = checked(x, tf.debugging.assert_positive(x, message="samples must be positive"),
                        tf.debugging.assert_near(
                            tf.ones([], self.dtype), tf.reduce_sum(x, -1),
                            message="sample last-dimension must sum to `1`"))
        return tf.reduce_sum(tf.math.xlogy(self.concentration - 1.0, x), -1)

    def _log_normalization(self) -> Tensor:
        return tf.math.lbeta(self.concentration)

    def _size(self) -> Tensor:
        return tf.cast(self.event_shape_tensor()[0], self.dtype)

    def _entropy(self) -> Tensor:
        total = self.total_concentration
        return (self._log_normalization() + (total - self._size()) * tf.math.digamma(total)
                - tf.reduce_sum((self.concentration - 1.0) * tf.math.digamma(self.concentration),
                                -1))

    def _mean(self) -> Tensor:
        return self.concentration / self.total_concentration[..., tf.newaxis]

    def _scaling(self) -> Tensor:
        return tf.math.rsqrt(1.0 + self.total_concentration[..., tf.newaxis])

    def _covariance(self) -> Tensor:
        x = self._scaling() * self._mean()
        return tf.linalg.set_diag(-(x[..., tf.newaxis] * x[..., tf.newaxis, :]), self._variance())

    def _variance(self) -> Tensor:
        x = self._scaling() * self._mean()
        return x * (self._scaling() - x)

    def _mode(self) -> Tensor:
        found = (self.concentration - 1.0) / (
            self.total_concentration[..., tf.newaxis] - self._size())
        return self._defined(
            tf.reduce_all(self.concentration > 1.0, -1, keepdims=True), found,
            "Mode undefined when any concentration <= 1", self.concentration)


@RegisterKL(Dirichlet, Dirichlet)
def _of_dirichlets(a: Dirichlet, b: Dirichlet, name: str | None = None) -> Tensor:
    difference = tf.math.digamma(a.concentration) - tf.math.digamma(
        tf.reduce_sum(a.concentration, -1, keepdims=True))
    return (tf.reduce_sum((a.concentration - b.concentration) * difference, -1)
            - tf.math.lbeta(a.concentration) + tf.math.lbeta(b.concentration))
