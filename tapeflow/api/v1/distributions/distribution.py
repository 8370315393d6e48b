"""The base class of tf.compat.v1.distributions, and divergences between two of them.

A public method, as `log_prob`, calls the class's own, `_log_prob`, in a scope of its name; where
the class has none, what it can be computed from is asked (`_FROM`).
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base.exports import export, publish
from tapeflow.core.values.tensor import Tensor


@export("compat.v1.distributions.ReparameterizationType")
class ReparameterizationType:
    """Whether gradients flow through samples to the parameters."""

    def __init__(self, rep_type: str):
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameterization Type: {self._rep_type}>"


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")
publish(FULLY_REPARAMETERIZED, "compat.v1.distributions.FULLY_REPARAMETERIZED")
publish(NOT_REPARAMETERIZED, "compat.v1.distributions.NOT_REPARAMETERIZED")

# What a class may have instead of a method, and how the one follows from the other.
_FROM: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "log_prob": ("prob", lambda y: tf.math.log(y)),
    "prob": ("log_prob", lambda y: tf.exp(y)),
    "log_cdf": ("cdf", lambda y: tf.math.log(y)),
    "cdf": ("log_cdf", lambda y: tf.exp(y)),
    "log_survival_function": ("cdf", lambda y: tf.math.log1p(-y)),
    "survival_function": ("cdf", lambda y: 1.0 - y),
    "variance": ("stddev", lambda y: tf.square(y)),
    "stddev": ("variance", lambda y: tf.sqrt(y)),
}


@export("compat.v1.distributions.Distribution")
class Distribution:
    """What all distributions have: samples, densities and statistics, for a batch of parameters."""

    _parameter_names: tuple[str, ...] = ()  # those that have the shape of a sample

    def __init__(self, dtype: Any, reparameterization_type: ReparameterizationType,
                 validate_args: bool, allow_nan_stats: bool, parameters: dict | None = None,
                 graph_parents: Sequence | None = None, name: str | None = None):
        for i, parent in enumerate(graph_parents or ()):
            if not tf.is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if not name or name[-1] != "/":
            with tf.name_scope(name or type(self).__name__) as name:
                pass
        self._dtype, self._name = dtype, name
        self._reparameterization_type = reparameterization_type
        self._validate_args, self._allow_nan_stats = validate_args, allow_nan_stats
        self._parameters = parameters or {}
        self._graph_parents = list(graph_parents or ())

    # -- what it is ------------------------------------------------------------------------------
    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = "DistributionParamShapes") -> dict:
        """The shapes of parameters with which a sample has this shape."""
        if not cls._parameter_names:
            raise NotImplementedError("_param_shapes not implemented")
        shape = tf.convert_to_tensor(sample_shape, tf.int32)
        return dict.fromkeys(cls._parameter_names, shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict:
        """The same, as TensorShapes."""
        shape = tf.TensorShape(sample_shape)
        if not shape.is_fully_defined():
            raise ValueError("TensorShape sample_shape must be fully defined")
        return dict.fromkeys(cls.param_shapes(shape.as_list()), shape)

    @property
    def name(self) -> str:
        """What the names of its ops begin with."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of samples."""
        return self._dtype

    @property
    def parameters(self) -> dict:
        """The arguments that it was made of."""
        return {key: value for key, value in self._parameters.items()
                if not key.startswith("__") and key != "self"}

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether gradients flow through samples."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether a statistic that is undefined is NaN, not an error."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether values are checked."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """One of the same class, with other arguments."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    # -- shapes ----------------------------------------------------------------------------------
    def _batch_of(self) -> list[Tensor]:
        """The parameters whose shapes together are the batch's."""
        return [getattr(self, name) for name in self._parameter_names]

    def _batch_shape(self) -> Any:
        shape = tf.TensorShape([] if self._parameter_names else None)
        for parameter in self._batch_of():
            shape = tf.broadcast_static_shape(shape, parameter.shape)
        return shape

    def _batch_shape_tensor(self) -> Tensor:
        if not self._parameter_names:
            raise NotImplementedError(
                f"batch_shape_tensor is not implemented: {type(self).__name__}")
        shape = tf.constant([], tf.int32)
        for parameter in self._batch_of():
            shape = tf.broadcast_dynamic_shape(shape, tf.shape(parameter))
        return shape

    def _event_shape(self) -> Any:
        return tf.TensorShape([] if self._parameter_names else None)

    def _event_shape_tensor(self) -> Tensor:
        return tf.constant([], tf.int32)

    @property
    def batch_shape(self) -> Any:
        """The shape of the parameters: how many distributions these are."""
        return tf.TensorShape(self._batch_shape())

    @property
    def event_shape(self) -> Any:
        """The shape of one value."""
        return tf.TensorShape(self._event_shape())

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The same as `batch_shape`, as a tensor."""
        with self._name_scope(name):
            known = self.batch_shape
            return (tf.constant(known.as_list(), tf.int32) if known.is_fully_defined()
                    else self._batch_shape_tensor())

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Tensor:
        """The same as `event_shape`, as a tensor."""
        with self._name_scope(name):
            known = self.event_shape
            return (tf.constant(known.as_list(), tf.int32) if known.is_fully_defined()
                    else self._event_shape_tensor())

    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether one value is a number."""
        with self._name_scope(name):
            return tf.equal(tf.size(self.event_shape_tensor()), 0)

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether this is a single distribution."""
        with self._name_scope(name):
            return tf.equal(tf.size(self.batch_shape_tensor()), 0)

    # -- samples ---------------------------------------------------------------------------------
    def sample(self, sample_shape: Any = (), seed: int | None = None,
               name: str = "sample") -> Tensor:
        """Values at random: `sample_shape` of them for each distribution of the batch."""
        own = self._own("sample_n")
        if own is None:
            raise NotImplementedError(f"sample_n is not implemented: {type(self).__name__}")
        with self._name_scope(name):
            shape = tf.convert_to_tensor(sample_shape, tf.int32)
            if shape.shape.rank not in (None, 0, 1):
                raise ValueError("Input is neither scalar nor vector.")
            shape = tf.reshape(shape, [-1])
            known = tf.get_static_value(shape)
            count = tf.reduce_prod(shape) if known is None else int(np.prod(known))
            found = own(count, seed)
            found = tf.reshape(found, tf.concat([shape, tf.shape(found)[1:]], 0))
            if known is not None:
                found = tf.ensure_shape(found, tf.TensorShape(list(known)).concatenate(
                    self.batch_shape).concatenate(self.event_shape))
            return found

    # -- functions of a value --------------------------------------------------------------------
    def log_prob(self, value: Any, name: str = "log_prob") -> Tensor:
        """The logarithm of the density, or of the probability, of a value."""
        return self._of_value("log_prob", value, name)

    def prob(self, value: Any, name: str = "prob") -> Tensor:
        """The density, or the probability, of a value."""
        return self._of_value("prob", value, name)

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Tensor:
        """The logarithm of the distribution function."""
        return self._of_value("log_cdf", value, name)

    def cdf(self, value: Any, name: str = "cdf") -> Tensor:
        """The distribution function: the probability of a value that is not larger."""
        return self._of_value("cdf", value, name)

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Tensor:
        """The logarithm of the probability of a larger value."""
        return self._of_value("log_survival_function", value, name)

    def survival_function(self, value: Any, name: str = "survival_function") -> Tensor:
        """The probability of a larger value."""
        return self._of_value("survival_function", value, name)

    def quantile(self, value: Any, name: str = "quantile") -> Tensor:
        """The value below which this probability lies."""
        return self._of_value("quantile", value, name)

    # -- statistics ------------------------------------------------------------------------------
    def entropy(self, name: str = "entropy") -> Tensor:
        """Shannon's entropy."""
        return self._call("entropy", name)

    def mean(self, name: str = "mean") -> Tensor:
        """The mean."""
        return self._call("mean", name)

    def variance(self, name: str = "variance") -> Tensor:
        """The variance."""
        return self._call("variance", name)

    def stddev(self, name: str = "stddev") -> Tensor:
        """The standard deviation."""
        return self._call("stddev", name)

    def covariance(self, name: str = "covariance") -> Tensor:
        """The covariance of the elements of a value."""
        return self._call("covariance", name)

    def mode(self, name: str = "mode") -> Tensor:
        """The likeliest value."""
        return self._call("mode", name)

    def cross_entropy(self, other: Any, name: str = "cross_entropy") -> Tensor:
        """Its entropy and its divergence from another."""
        with self._name_scope(name):
            return self.entropy() + kl_divergence(self, other, self.allow_nan_stats)

    def kl_divergence(self, other: Any, name: str = "kl_divergence") -> Tensor:
        """Its divergence from another."""
        with self._name_scope(name):
            return kl_divergence(self, other, self.allow_nan_stats)

    def __str__(self) -> str:
        batch, event = self.batch_shape, self.event_shape
        return (f'tfp.distributions.{type(self).__name__}("{self.name}"'
                + (f", batch_shape={batch}" if batch.rank is not None else "")
                + (f", event_shape={event}" if event.rank is not None else "")
                + f", dtype={self.dtype.name})")

    def __repr__(self) -> str:
        return (f"<tfp.distributions.{type(self).__name__} '{self.name}' "
                f"batch_shape={self.batch_shape} event_shape={self.event_shape} "
                f"dtype={self.dtype.name}>")

    # -- how methods are found -------------------------------------------------------------------
    def _own(self, method: str) -> Callable | None:
        return getattr(self, f"_{method}", None)

    def _of_value(self, method: str, value: Any, name: str) -> Tensor:
        with self._name_scope(name):
            if tf.executing_eagerly() and (self.dtype.is_integer or self.dtype.is_bool):
                value = tf.convert_to_tensor(value)
            return self._found(method, tf.convert_to_tensor(value, dtype_hint=self.dtype))

    def _call(self, method: str, name: str) -> Tensor:
        with self._name_scope(name):
            return self._found(method)

    def _found(self, method: str, *args: Any) -> Tensor:
        function = self._own(method)
        if function is not None:
            return function(*args)
        other, follow = _FROM.get(method, ("", None))
        function = self._own(other) if other else None
        if function is None and other == "cdf" and method != "log_cdf":
            log_cdf = self._own("log_cdf")
            function = None if log_cdf is None else lambda x: tf.exp(log_cdf(x))
        if function is None or follow is None:
            raise NotImplementedError(f"{method} is not implemented: {type(self).__name__}")
        return follow(function(*args))

    @contextlib.contextmanager
    def _name_scope(self, name: str) -> Iterator[None]:
        with tf.name_scope(self.name), tf.name_scope(name):
            yield

    def _defined(self, good: Tensor, found: Tensor, message: str, least: Any) -> Tensor:
        """A statistic where it is defined; elsewhere NaN, or an error."""
        if self.allow_nan_stats:
            return tf.where(good, found, tf.constant(np.nan, self.dtype))
        return checked(found, tf.debugging.assert_less(
            tf.ones([], self.dtype), least, message=message))


def checked(value: Tensor, *checks: Any) -> Tensor:
    """The value, once the checks have passed."""
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(value)


def new_seed(seed: int | None, salt: str) -> int | None:
    """Another seed, for a second draw."""
    if seed is None:
        return None
    return int(hashlib.md5(f"{seed}{salt}".encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


# -- divergences -----------------------------------------------------------------------------------
_divergences: dict[tuple[type, type], Callable] = {}


@export("compat.v1.distributions.kl_divergence")
def kl_divergence(distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True,
                  name: str | None = None) -> Tensor:
    """The divergence of Kullback and Leibler of one distribution from another."""
    a, b = type(distribution_a), type(distribution_b)
    pairs = sorted(((i + j, i, _divergences[one, other]) for i, one in enumerate(a.__mro__)
                    for j, other in enumerate(b.__mro__) if (one, other) in _divergences),
                   key=lambda found: found[:2])
    if not pairs:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a "
            f"type {a.__name__} and distribution_b type {b.__name__}")
    with tf.name_scope("KullbackLeibler"):
        found = pairs[0][2](distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return found
        return checked(found, tf.debugging.Assert(
            tf.logical_not(tf.reduce_any(tf.math.is_nan(found))),
            [f"KL calculation between {distribution_a.name} and {distribution_b.name} returned "
             "NaN values (and was called with allow_nan_stats=False). Values:", found]))


@export("compat.v1.distributions.RegisterKL")
class RegisterKL:
    """Decorator: a function computes the divergence of one class from another."""

    def __init__(self, dist_cls_a: type, dist_cls_b: type):
        self._key = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn: Callable) -> Callable:
        """Register a function of two distributions and `name`."""
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _divergences:
            raise ValueError(f"KL({self._key[0].__name__} || {self._key[1].__name__}) has already "
                             f"been registered to: {_divergences[self._key]}")
        _divergences[self._key] = kl_fn
        return kl_fn


class OverConcentrations:
    """Mixin of distributions with a concentration for each element of a value."""

    _concentration: Tensor
    _total_concentration: Tensor

    @property
    def concentration(self) -> Tensor:
        """The concentrations, the last axis one for each element of a value."""
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """Their sum."""
        return self._total_concentration

    def _batch_shape(self) -> Any:
        return self.total_concentration.shape

    def _batch_shape_tensor(self) -> Tensor:
        return tf.shape(self.total_concentration)

    def _event_shape(self) -> Any:
        return self.concentration.shape[-1:]

    def _event_shape_tensor(self) -> Tensor:
        return tf.shape(self.concentration)[-1:]
