"""Initial values: tf.zeros_initializer, tf.random_normal_initializer and kin.

An initializer with a seed draws by the stateless ops, so it gives the same value at every call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes as tf_dtypes
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.core.values.convert import constant
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.array.creation import ones, zeros
from tapeflow.ops.random.stateful import normal, uniform
from tapeflow.ops.random.stateless import stateless_normal, stateless_uniform


class Initializer:
    """Makes a tensor of a shape and dtype; `partition_shape` asks for a part of it."""

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """An initializer from what `get_config` gave."""
        return cls(**{key: value for key, value in config.items() if key != "dtype"})

    def _partition(self, shape: Any, kwargs: dict[str, Any], supported: bool = True) -> Any:
        allowed = ["partition_shape", "partition_offset"]
        for name in kwargs:
            if name not in allowed:
                raise TypeError(f"Keyword argument should be one of {allowed}. Received: {name}")
        if kwargs and not supported:
            raise ValueError(f"{type(self).__name__} initializer doesn't support partition-related "
                             "arguments")
        return kwargs.get("partition_shape", shape)


def _plain(dtype: Any) -> DType:
    wanted = tf_dtypes.as_dtype(dtype)
    if wanted.kind == "O":
        raise ValueError("Argument `dtype` expected to be numeric or boolean. Received "
                         f"{wanted!r}.")
    return wanted


def _floating(dtype: Any) -> DType:
    wanted = tf_dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: "
                         f"{wanted!r}.")
    return wanted


@export("zeros_initializer")
class Zeros(Initializer):
    """Zeros.

    >>> tf.zeros_initializer()([2], tf.int32).numpy()
    array([0, 0], dtype=int32)
    """

    def __call__(self, shape: Any, dtype: Any = tf_dtypes.float32, **kwargs: Any) -> Tensor:
        wanted = _plain(dtype)
        return zeros(self._partition(shape, kwargs), wanted)


@export("ones_initializer")
class Ones(Initializer):
    """Ones.

    >>> tf.ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = tf_dtypes.float32, **kwargs: Any) -> Tensor:
        wanted = _plain(dtype)
        return ones(self._partition(shape, kwargs), wanted)


@export("constant_initializer")
class Constant(Initializer):
    """A given value: a number, or as many as the tensor has.

    >>> tf.constant_initializer([1, 2, 3, 4])([2, 2], tf.float32).numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """

    def __init__(self, value: Any = 0, support_partition: bool = False):
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(f"Invalid type for initial value: {type(value).__name__}. Expected "
                            "Python scalar, list or tuple of values, or numpy.ndarray.")
        self.value = value
        self.support_partition = support_partition

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        shape = self._partition(shape, kwargs, self.support_partition)
        return constant(self.value, None if dtype is None else tf_dtypes.as_dtype(dtype), shape)

    def get_config(self) -> dict[str, Any]:
        return {"value": self.value}


@export("random_uniform_initializer")
class RandomUniform(Initializer):
    """Uniform numbers.

    >>> tf.random_uniform_initializer(seed=1)([3]).shape
    TensorShape([3])
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None):
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = tf_dtypes.float32, **kwargs: Any) -> Tensor:
        wanted = tf_dtypes.as_dtype(dtype)
        if not wanted.is_floating and not wanted.is_integer:
            raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received "
                             f"{wanted!r}.")
        shape = self._partition(shape, kwargs)
        if self.seed is None:
            return uniform(shape, self.minval, self.maxval, wanted)
        return stateless_uniform(shape, [self.seed, 0], self.minval, self.maxval, wanted)

    def get_config(self) -> dict[str, Any]:
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


@export("random_normal_initializer")
class RandomNormal(Initializer):
    """Normal numbers.

    >>> tf.random_normal_initializer(stddev=1.0, seed=1)([2]).numpy()
    array([ 0.1266503 , -0.49301657], dtype=float32)
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None):
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = tf_dtypes.float32, **kwargs: Any) -> Tensor:
        wanted = _floating(dtype)
        shape = self._partition(shape, kwargs)
        if self.seed is None:
            return normal(shape, self.mean, self.stddev, wanted)
        return stateless_normal(shape, [self.seed, 0], self.mean, self.stddev, wanted)

    def get_config(self) -> dict[str, Any]:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}
