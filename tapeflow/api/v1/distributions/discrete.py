"""Distributions of counts and classes: Bernoulli, Categorical and two of many draws."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.api.v1.distributions.distribution import (
    NOT_REPARAMETERIZED,
    Distribution,
    OverConcentrations,
    RegisterKL,
    checked,
    new_seed,
)
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor


def _logits_and_probs(logits: Any, probs: Any, many: bool, validate: bool) -> tuple[Tensor, Tensor]:
    """Both of one; `many`: the last axis holds classes."""
    if (probs is None) == (logits is None):
        raise ValueError("Must pass probs or logits, but not both.")
    given = tf.convert_to_tensor(logits if probs is None else probs)
    if not given.dtype.is_floating:
        raise TypeError(f"{'logits' if probs is None else 'probs'} must having floating type.")
    if probs is None:
        return given, tf.nn.softmax(given) if many else tf.sigmoid(given)
    if validate:
        one = tf.constant(1.0, given.dtype)
        given = checked(
            given, tf.debugging.assert_non_negative(given),
            tf.debugging.assert_near(tf.reduce_sum(given, -1), one,
                                     message="probs does not sum to 1.") if many
            else tf.debugging.assert_less_equal(
                given, one, message="probs has components greater than 1."))
    log = tf.math.log(given)
    return (log if many else log - tf.math.log1p(-given)), given


def _log_combinations(n: Tensor, counts: Tensor) -> Tensor:
    """The logarithm of the number of orders in which counts can be drawn."""
    return tf.math.lgamma(n + 1) - tf.reduce_sum(tf.math.lgamma(counts + 1), -1)


class _Discrete(Distribution):
    _of_classes = True  # the last axis of the parameters
    _logits: Tensor
    _probs: Tensor

    def _keep(self, given: dict, dtype: Any) -> None:
        given.pop("self")
        with tf.name_scope(given["name"]) as scope:
            self._logits, self._probs = _logits_and_probs(
                given["logits"], given["probs"], self._of_classes, given["validate_args"])
        super().__init__(tf.as_dtype(dtype or self._probs.dtype), NOT_REPARAMETERIZED,
                         given["validate_args"], given["allow_nan_stats"], given,
                         [self._logits, self._probs], scope)

    @property
    def logits(self) -> Tensor:
        """The logarithms of the odds, or of what is proportional to probabilities."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._probs


@export("compat.v1.distributions.Bernoulli")
class Bernoulli(_Discrete):
    """1 with a probability, else 0."""

    _parameter_names = ("logits",)
    _of_classes = False

    def __init__(self, logits: Any = None, probs: Any = None, dtype: Any = tf.int32,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Bernoulli"):
        self._keep(dict(locals()), dtype)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = tf.random.uniform(tf.concat([[n], self.batch_shape_tensor()], 0),
                                  dtype=self.probs.dtype, seed=seed)
        return tf.cast(drawn < self.probs, self.dtype)

    def _log_prob(self, event: Tensor) -> Tensor:
        event = tf.cast(event, self.logits.dtype)
        if self.validate_args:
            event = checked(event, tf.debugging.assert_equal(
                event * event, event, message="Elements must be 0 or 1."))
        return -tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.ones_like(self.logits) * event, logits=tf.ones_like(event) * self.logits)

    def _entropy(self) -> Tensor:
        return -self.logits * (tf.sigmoid(self.logits) - 1) + tf.nn.softplus(-self.logits)

    def _mean(self) -> Tensor:
        return tf.identity(self.probs)

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return tf.cast(self.probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _of_bernoullis(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Tensor:
    softplus = tf.nn.softplus
    return (tf.sigmoid(a.logits) * (softplus(-b.logits) - softplus(-a.logits))
            + tf.sigmoid(-a.logits) * (softplus(b.logits) - softplus(a.logits)))


@export("compat.v1.distributions.Categorical")
class Categorical(_Discrete):
    """One of some classes, each with its probability."""

    def __init__(self, logits: Any = None, probs: Any = None, dtype: Any = tf.int32,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Categorical"):
        self._keep(dict(locals()), dtype)

    @property
    def event_size(self) -> Tensor:
        """The number of classes."""
        return tf.shape(self.logits)[-1]

    def _batch_shape(self) -> Any:
        return self.logits.shape[:-1]

    def _batch_shape_tensor(self) -> Tensor:
        return tf.shape(self.logits)[:-1]

    def _event_shape(self) -> Any:
        return tf.TensorShape([])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        drawn = tf.random.categorical(
            tf.reshape(self.logits, [-1, self.event_size]), n,
            tf.int64 if self.dtype.size > 4 else tf.int32, seed)
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        return tf.cast(tf.reshape(tf.transpose(drawn), shape), self.dtype)

    def _broadcast(self, k: Tensor, parameters: Tensor) -> tuple[Tensor, Tensor]:
        if k.dtype.is_floating:
            k = tf.cast(k, tf.int64 if self.dtype.size > 4 else tf.int32)
        k = k * tf.ones_like(parameters[..., 0], dtype=k.dtype)
        return k, parameters * tf.ones_like(k[..., tf.newaxis], dtype=parameters.dtype)

    def _cdf(self, k: Tensor) -> Tensor:
        k, probs = self._broadcast(k, self.probs)
        return tf.reduce_sum(tf.where(tf.sequence_mask(k, self.event_size), probs,
                                      tf.zeros_like(probs)), -1)

    def _log_prob(self, k: Tensor) -> Tensor:
        k, logits = self._broadcast(k, self.logits)
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self) -> Tensor:
        return -tf.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, -1)

    def _mode(self) -> Tensor:
        return tf.cast(tf.argmax(self.logits, -1), self.dtype)


@RegisterKL(Categorical, Categorical)
def _of_categoricals(a: Categorical, b: Categorical, name: str | None = None) -> Tensor:
    difference = tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)
    return tf.reduce_sum(tf.nn.softmax(a.logits) * difference, -1)


def _valid_counts(counts: Tensor, total: Tensor, message: str) -> Tensor:
    return checked(
        counts, tf.debugging.assert_non_negative(counts, message="counts must be non-negative."),
        tf.debugging.assert_equal(counts, tf.round(counts),
                                  message="counts must be integer-valued."),
        tf.debugging.assert_equal(total, tf.reduce_sum(counts, -1), message=message))


@export("compat.v1.distributions.Multinomial")
class Multinomial(_Discrete):
    """How often each class is drawn, of so many draws."""

    def __init__(self, total_count: Any, logits: Any = None, probs: Any = None,
                 validate_args: bool = False, allow_nan_stats: bool = True,
                 name: str = "Multinomial"):
        given = dict(locals())
        given.pop("__class__", None)
        self._keep(given, None)
        self._total_count = tf.convert_to_tensor(total_count)
        self._means = self._total_count[..., tf.newaxis] * self.probs

    @property
    def total_count(self) -> Tensor:
        """The number of draws."""
        return self._total_count

    def _batch_shape(self) -> Any:
        return self._means.shape[:-1]

    def _batch_shape_tensor(self) -> Tensor:
        return tf.shape(self._means)[:-1]

    def _event_shape(self) -> Any:
        return self._means.shape[-1:]

    def _event_shape_tensor(self) -> Tensor:
        return tf.shape(self._means)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        size = self.event_shape_tensor()[0]
        draws = tf.cast(self.total_count, tf.int32) * tf.ones(self.batch_shape_tensor(), tf.int32)
        logits = tf.ones_like(self._means) * self.logits

        def of_one(given: Any) -> Tensor:
            one, count = given
            found = tf.random.categorical(one[tf.newaxis], count, seed=seed)
            return tf.reduce_sum(
                tf.one_hot(tf.reshape(found, [n, -1]), size, dtype=self.dtype), -2)

        found = tf.map_fn(of_one, (tf.reshape(logits, [-1, size]), n * tf.reshape(draws, [-1])),
                          fn_output_signature=self.dtype)
        shape = tf.concat([[n], self.batch_shape_tensor(), [size]], 0)
        return tf.reshape(tf.transpose(found, [1, 0, 2]), shape)

    def _log_prob(self, counts: Tensor) -> Tensor:
        if self.validate_args:
            counts = _valid_counts(counts, self.total_count,
                                   "counts must sum to `self.total_count`")
        return (tf.reduce_sum(counts * tf.nn.log_softmax(self.logits), -1)
                + _log_combinations(self.total_count, counts))

    def _mean(self) -> Tensor:
        return tf.identity(self._means)

    def _each(self) -> Tensor:
        return self.probs * tf.ones_like(self.total_count)[..., tf.newaxis]

    def _covariance(self) -> Tensor:
        outer = self._means[..., tf.newaxis] * self._each()[..., tf.newaxis, :]
        return tf.linalg.set_diag(-outer, self._variance())

    def _variance(self) -> Tensor:
        return self._means - self._means * self._each()


@export("compat.v1.distributions.DirichletMultinomial")
class DirichletMultinomial(OverConcentrations, Distribution):
    """Counts of classes whose probabilities have a Dirichlet distribution."""

    def __init__(self, total_count: Any, concentration: Any, validate_args: bool = False,
                 allow_nan_stats: bool = True, name: str = "DirichletMultinomial"):
        given = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        with tf.name_scope(name) as scope:
            self._total_count = tf.convert_to_tensor(total_count)
            self._concentration = tf.convert_to_tensor(concentration)
            if validate_args:
                self._concentration = checked(self._concentration, tf.debugging.assert_positive(
                    self._concentration, message="Concentration parameter must be positive."))
            self._total_concentration = tf.reduce_sum(self._concentration, -1)
        super().__init__(self._concentration.dtype, NOT_REPARAMETERIZED, validate_args,
                         allow_nan_stats, given, [self._total_count, self._concentration], scope)

    @property
    def total_count(self) -> Tensor:
        """The number of draws."""
        return self._total_count

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        size = self.event_shape_tensor()[0]
        drawn = tf.random.gamma([n], self.concentration, None, self.dtype, seed)
        classes = tf.random.categorical(
            tf.reshape(tf.math.log(drawn), [-1, size]), tf.cast(self.total_count, tf.int32),
            seed=new_seed(seed, "dirichlet_multinomial"))
        counts = tf.reduce_sum(tf.one_hot(classes, size, dtype=self.dtype), -2)
        return tf.reshape(counts, tf.concat([[n], self.batch_shape_tensor(), [size]], 0))

    def _log_prob(self, counts: Tensor) -> Tensor:
        if self.validate_args:
            counts = _valid_counts(counts, self.total_count,
                                   "counts last-dimension must sum to `self.total_count`")
        return (tf.math.lbeta(self.concentration + counts) - tf.math.lbeta(self.concentration)
                + _log_combinations(self.total_count, counts))

    def _mean(self) -> Tensor:
        return self.total_count * (
            self.concentration / self.total_concentration[..., tf.newaxis])

    def _scaling(self) -> Tensor:
        total = self.total_concentration[..., tf.newaxis]
        return tf.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _covariance(self) -> Tensor:
        x = self._scaling() * self._mean()
        return tf.linalg.set_diag(-(x[..., tf.newaxis] * x[..., tf.newaxis, :]), self._variance())

    def _variance(self) -> Tensor:
        x = self._scaling() * self._mean()
        return x * (self.total_count * self._scaling() - x)
