"""tf.experimental.numpy.random: NumPy's functions over TensorFlow's generators and their seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.numpy_api.promotion import asarray, public, result_type


def _shape(size: Any) -> Any:
    if size is None:
        return ()
    return (size,) if np.isscalar(size) else size


@public("random.seed")
def seed(s: Any) -> None:
    """Set the global seed, as tf.random.set_seed does."""
    try:
        s = int(s)
    except TypeError:
        raise ValueError(f"tf.experimental.numpy.random.seed: s must be an integer, got {s!r}.") \
            from None
    tf.random.set_seed(s)


@public("random.standard_normal")
def standard_normal(size: Any = None) -> Any:
    """Normal numbers of mean 0 and variance 1."""
    return tf.random.normal(_shape(size), dtype=result_type(float))


@public("random.randn")
def randn(*args: int) -> Any:
    """Normal numbers; the arguments are the shape."""
    return standard_normal(size=args)


@public("random.uniform")
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Uniform numbers in [low, high)."""
    dtype = result_type(float)
    low, high = asarray(low, dtype=dtype), asarray(high, dtype=dtype)
    if size is None:
        size = tf.broadcast_static_shape(low.shape, high.shape)
    return tf.random.uniform(shape=size, minval=low, maxval=high, dtype=dtype)


@public("random.random")
def random(size: Any = None) -> Any:
    """Uniform numbers in [0, 1)."""
    return uniform(0.0, 1.0, size)


@public("random.rand")
def rand(*size: int) -> Any:
    """Uniform numbers in [0, 1); the arguments are the shape."""
    return uniform(0.0, 1.0, size)


@public("random.poisson")
def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    """Poisson numbers of mean `lam`."""
    return tf.random.poisson(shape=_shape(size), lam=lam, dtype=tf.int64)


@public("random.randint")
def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64) -> Any:
    """Integers in [low, high), or in [0, low)."""
    low = int(low)
    if high is None:
        low, high = 0, low
    wanted = result_type(dtype)
    if wanted not in (tf.int32, tf.int64):
        raise ValueError("tf.experimental.numpy.random.randint: dtype must be int32 or int64, got "
                         f"{dtype!r}.")
    size = () if size is None else (size,) if isinstance(size, int) else size
    return tf.random.uniform(shape=size, minval=low, maxval=high, dtype=wanted)
