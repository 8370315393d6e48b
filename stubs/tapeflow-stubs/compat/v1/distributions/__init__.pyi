# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.distributions"""

from collections.abc import Callable, Sequence
from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, TensorLike

FULLY_REPARAMETERIZED: tf.compat.v1.distributions.ReparameterizationType
NOT_REPARAMETERIZED: tf.compat.v1.distributions.ReparameterizationType

class Bernoulli(tf.compat.v1.distributions.Distribution):
    """1 with a probability, else 0."""
    def __init__(
        self, logits: TensorLike | None = None, probs: Any = None, dtype: DTypeLike = tf.int32,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Bernoulli',
    ) -> None: ...
    @property
    def logits(self) -> tf.Tensor:
        """The logarithms of the odds, or of what is proportional to probabilities."""
    @property
    def probs(self) -> tf.Tensor:
        """The probabilities."""

class Beta(tf.compat.v1.distributions.Distribution):
    """The beta distribution, of numbers between 0 and 1."""
    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'Beta',
    ) -> None: ...
    @property
    def concentration1(self) -> tf.Tensor:
        """The concentration at 1."""
    @property
    def concentration0(self) -> tf.Tensor:
        """The concentration at 0."""
    @property
    def total_concentration(self) -> tf.Tensor:
        """The sum of both."""

class Categorical(tf.compat.v1.distributions.Distribution):
    """One of some classes, each with its probability."""
    def __init__(
        self, logits: TensorLike | None = None, probs: Any = None, dtype: DTypeLike = tf.int32,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Categorical',
    ) -> None: ...
    @property
    def event_size(self) -> tf.Tensor:
        """The number of classes."""
    @property
    def logits(self) -> tf.Tensor:
        """The logarithms of the odds, or of what is proportional to probabilities."""
    @property
    def probs(self) -> tf.Tensor:
        """The probabilities."""

class Dirichlet(tf.compat.v1.distributions.Distribution):
    """The Dirichlet distribution, of positive numbers whose sum is 1."""
    def __init__(
        self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Dirichlet',
    ) -> None: ...
    @property
    def concentration(self) -> tf.Tensor:
        """The concentrations, the last axis one for each element of a value."""
    @property
    def total_concentration(self) -> tf.Tensor:
        """Their sum."""

class DirichletMultinomial(tf.compat.v1.distributions.Distribution):
    """Counts of classes whose probabilities have a Dirichlet distribution."""
    def __init__(
        self, total_count: Any, concentration: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'DirichletMultinomial',
    ) -> None: ...
    @property
    def total_count(self) -> tf.Tensor:
        """The number of draws."""
    @property
    def concentration(self) -> tf.Tensor:
        """The concentrations, the last axis one for each element of a value."""
    @property
    def total_concentration(self) -> tf.Tensor:
        """Their sum."""

class Distribution:
    """What all distributions have: samples, densities and statistics, for a batch of …"""
    def __init__(
        self, dtype: DTypeLike,
        reparameterization_type: tf.compat.v1.distributions.ReparameterizationType,
        validate_args: bool, allow_nan_stats: bool, parameters: dict | None = None,
        graph_parents: Sequence | None = None, name: str | None = None,
    ) -> None: ...
    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = ...) -> dict:
        """The shapes of parameters with which a sample has this shape."""
    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict:
        """The same, as TensorShapes."""
    @property
    def name(self) -> str:
        """What the names of its ops begin with."""
    @property
    def dtype(self) -> Any:
        """The dtype of samples."""
    @property
    def parameters(self) -> dict:
        """The arguments that it was made of."""
    @property
    def reparameterization_type(self) -> tf.compat.v1.distributions.ReparameterizationType:
        """Whether gradients flow through samples."""
    @property
    def allow_nan_stats(self) -> bool:
        """Whether a statistic that is undefined is NaN, not an error."""
    @property
    def validate_args(self) -> bool:
        """Whether values are checked."""
    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """One of the same class, with other arguments."""
    @property
    def batch_shape(self) -> Any:
        """The shape of the parameters: how many distributions these are."""
    @property
    def event_shape(self) -> Any:
        """The shape of one value."""
    def batch_shape_tensor(self, name: str = 'batch_shape_tensor') -> tf.Tensor:
        """The same as `batch_shape`, as a tensor."""
    def event_shape_tensor(self, name: str = 'event_shape_tensor') -> tf.Tensor:
        """The same as `event_shape`, as a tensor."""
    def is_scalar_event(self, name: str = 'is_scalar_event') -> tf.Tensor:
        """Whether one value is a number."""
    def is_scalar_batch(self, name: str = 'is_scalar_batch') -> tf.Tensor:
        """Whether this is a single distribution."""
    def sample(
        self, sample_shape: Any = ..., seed: IntLike | None = None, name: str = 'sample',
    ) -> tf.Tensor:
        """Values at random: `sample_shape` of them for each distribution of the batch."""
    def log_prob(self, value: TensorLike, name: str = 'log_prob') -> tf.Tensor:
        """The logarithm of the density, or of the probability, of a value."""
    def prob(self, value: TensorLike, name: str = 'prob') -> tf.Tensor:
        """The density, or the probability, of a value."""
    def log_cdf(self, value: TensorLike, name: str = 'log_cdf') -> tf.Tensor:
        """The logarithm of the distribution function."""
    def cdf(self, value: TensorLike, name: str = 'cdf') -> tf.Tensor:
        """The distribution function: the probability of a value that is not larger."""
    def log_survival_function(
        self, value: TensorLike, name: str = 'log_survival_function',
    ) -> tf.Tensor:
        """The logarithm of the probability of a larger value."""
    def survival_function(
        self, value: TensorLike, name: str = 'survival_function',
    ) -> tf.Tensor:
        """The probability of a larger value."""
    def quantile(self, value: TensorLike, name: str = 'quantile') -> tf.Tensor:
        """The value below which this probability lies."""
    def entropy(self, name: str = 'entropy') -> tf.Tensor:
        """Shannon's entropy."""
    def mean(self, name: str = 'mean') -> tf.Tensor:
        """The mean."""
    def variance(self, name: str = 'variance') -> tf.Tensor:
        """The variance."""
    def stddev(self, name: str = 'stddev') -> tf.Tensor:
        """The standard deviation."""
    def covariance(self, name: str = 'covariance') -> tf.Tensor:
        """The covariance of the elements of a value."""
    def mode(self, name: str = 'mode') -> tf.Tensor:
        """The likeliest value."""
    def cross_entropy(self, other: Any, name: str = 'cross_entropy') -> tf.Tensor:
        """Its entropy and its divergence from another."""
    def kl_divergence(self, other: Any, name: str = 'kl_divergence') -> tf.Tensor:
        """Its divergence from another."""

class Exponential(tf.compat.v1.distributions.Gamma):
    """The exponential distribution, of a rate: a gamma distribution of concentration 1."""
    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Exponential',
    ) -> None: ...

class Gamma(tf.compat.v1.distributions.Distribution):
    """The gamma distribution, of a concentration and a rate."""
    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'Gamma',
    ) -> None: ...
    @property
    def concentration(self) -> tf.Tensor:
        """The concentration."""
    @property
    def rate(self) -> tf.Tensor:
        """The rate."""

def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """The divergence of Kullback and Leibler of one distribution from another."""

class Laplace(tf.compat.v1.distributions.Distribution):
    """The Laplace distribution: an exponential one to both sides."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Laplace',
    ) -> None: ...
    @property
    def loc(self) -> tf.Tensor:
        """The location."""
    @property
    def scale(self) -> tf.Tensor:
        """The scale."""

class Multinomial(tf.compat.v1.distributions.Distribution):
    """How often each class is drawn, of so many draws."""
    def __init__(
        self, total_count: Any, logits: TensorLike | None = None, probs: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = 'Multinomial',
    ) -> None: ...
    @property
    def total_count(self) -> tf.Tensor:
        """The number of draws."""
    @property
    def logits(self) -> tf.Tensor:
        """The logarithms of the odds, or of what is proportional to probabilities."""
    @property
    def probs(self) -> tf.Tensor:
        """The probabilities."""

class Normal(tf.compat.v1.distributions.Distribution):
    """The normal distribution, of a mean and a standard deviation."""
    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = 'Normal',
    ) -> None: ...
    @property
    def loc(self) -> tf.Tensor:
        """The location."""
    @property
    def scale(self) -> tf.Tensor:
        """The scale."""

class RegisterKL:
    """Decorator: a function computes the divergence of one class from another."""
    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None: ...
    def __call__(self, kl_fn: Callable) -> Callable:
        """Register a function of two distributions and `name`."""

class ReparameterizationType:
    """Whether gradients flow through samples to the parameters."""
    def __init__(self, rep_type: str) -> None: ...

class StudentT(tf.compat.v1.distributions.Distribution):
    """Student's t-distribution, of degrees of freedom."""
    def __init__(
        self, df: Any, loc: Any, scale: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'StudentT',
    ) -> None: ...
    @property
    def df(self) -> tf.Tensor:
        """The degrees of freedom."""
    @property
    def loc(self) -> tf.Tensor:
        """The location."""
    @property
    def scale(self) -> tf.Tensor:
        """The scale."""

class Uniform(tf.compat.v1.distributions.Distribution):
    """Every number between `low` and `high`, which is not among them, is as likely."""
    def __init__(
        self, low: Any = 0.0, high: Any = 1.0, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = 'Uniform',
    ) -> None: ...
    @property
    def low(self) -> tf.Tensor:
        """The lower end."""
    @property
    def high(self) -> tf.Tensor:
        """The upper end."""
    def range(self, name: str = 'range') -> tf.Tensor:
        """The distance of the ends."""
