# Written by tools/stubs.py (make stubs).
"""tf.keras.random"""

from typing import Any

def beta(shape: Any, alpha: Any, beta: Any, dtype: Any = None, seed: Any = None) -> Any:
    """Draw samples from a Beta distribution."""

def binomial(
    shape: Any, counts: Any, probabilities: Any, dtype: Any = None, seed: Any = None,
) -> Any:
    """Draw samples from a Binomial distribution."""

def categorical(
    logits: Any, num_samples: Any, dtype: Any = 'int32', seed: Any = None,
) -> Any:
    """Draws samples from a categorical distribution."""

def gamma(shape: Any, alpha: Any, dtype: Any = None, seed: Any = None) -> Any:
    """Draw random samples from the Gamma distribution."""

def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Any:
    """Draw random samples from a normal (Gaussian) distribution."""

def randint(
    shape: Any, minval: Any, maxval: Any, dtype: Any = 'int32', seed: Any = None,
) -> Any:
    """Draw random integers from a uniform distribution."""

class SeedGenerator:
    """Generates variable seeds upon each call to a function generating"""
    def __init__(self, seed: Any = None, name: Any = None, **kwargs: Any) -> None: ...
    def next(self, ordered: Any = True) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    name: Any
    backend: Any
    state: Any

def shuffle(x: Any, axis: Any = 0, seed: Any = None) -> Any:
    """Shuffle the elements of a tensor uniformly at random along an axis."""

def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Any:
    """Draw samples from a truncated normal distribution."""

def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None,
) -> Any:
    """Draw samples from a uniform distribution."""

def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Any: ...
