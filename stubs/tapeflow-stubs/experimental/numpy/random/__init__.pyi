# Written by tools/stubs.py (make stubs).
"""tf.experimental.numpy.random"""

from typing import Any

from tapeflow._typing import DTypeLike, IntLike

def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    """Poisson numbers of mean `lam`."""

def rand(*size: IntLike) -> Any:
    """Uniform numbers in [0, 1); the arguments are the shape."""

def randint(
    low: Any, high: Any = None, size: Any = None, dtype: DTypeLike = ...,
) -> Any:
    """Integers in [low, high), or in [0, low)."""

def randn(*args: IntLike) -> Any:
    """Normal numbers; the arguments are the shape."""

def random(size: Any = None) -> Any:
    """Uniform numbers in [0, 1)."""

def seed(s: Any) -> None:
    """Set the global seed, as tf.random.set_seed does."""

def standard_normal(size: Any = None) -> Any:
    """Normal numbers of mean 0 and variance 1."""

def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Uniform numbers in [low, high)."""
