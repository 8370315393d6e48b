# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.initializers"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, FloatLike, IntLike, ShapeLike, V1Initializer
from tapeflow.compat.v1 import (
    constant_initializer as _constant_initializer,
    glorot_normal_initializer as _glorot_normal_initializer,
    glorot_uniform_initializer as _glorot_uniform_initializer,
    ones_initializer as _ones_initializer,
    orthogonal_initializer as _orthogonal_initializer,
    random_normal_initializer as _random_normal_initializer,
    random_uniform_initializer as _random_uniform_initializer,
    truncated_normal_initializer as _truncated_normal_initializer,
    uniform_unit_scaling_initializer as _uniform_unit_scaling_initializer,
    variance_scaling_initializer as _variance_scaling_initializer,
    zeros_initializer as _zeros_initializer,
)

def global_variables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def he_normal(seed: IntLike | None = None) -> tf.compat.v1.variance_scaling_initializer:
    """Truncated normal, of variance two over the inputs."""

def he_uniform(
    seed: IntLike | None = None,
) -> tf.compat.v1.variance_scaling_initializer:
    """Uniform, of variance two over the inputs."""

class identity:
    """The identity matrix, times a gain."""
    def __init__(self, gain: FloatLike = 1.0, dtype: DTypeLike = tf.float32) -> None: ...
    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None,
    ) -> tf.Tensor: ...
    def get_config(self) -> dict[str, Any]: ...
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
    gain: Any
    dtype: Any

def lecun_normal(
    seed: IntLike | None = None,
) -> tf.compat.v1.variance_scaling_initializer:
    """Truncated normal, of variance one over the inputs."""

def lecun_uniform(
    seed: IntLike | None = None,
) -> tf.compat.v1.variance_scaling_initializer:
    """Uniform, of variance one over the inputs."""

def local_variables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def tables_initializer(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

def variables(*args: Any, **kwargs: Any) -> Any:
    """The op that initialises variables, in a tf.Graph; else they have their values."""

constant = _constant_initializer
glorot_normal = _glorot_normal_initializer
glorot_uniform = _glorot_uniform_initializer
ones = _ones_initializer
orthogonal = _orthogonal_initializer
random_normal = _random_normal_initializer
random_uniform = _random_uniform_initializer
truncated_normal = _truncated_normal_initializer
uniform_unit_scaling = _uniform_unit_scaling_initializer
variance_scaling = _variance_scaling_initializer
zeros = _zeros_initializer
