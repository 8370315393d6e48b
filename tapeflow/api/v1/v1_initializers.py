"""Initial values of tf.compat.v1: as TensorFlow 2's, but a dtype of their own and the op seed's
stream.

Loaded when one of their names is asked for.
"""

from __future__ import annotations

import math
from typing import Any

import tapeflow as tf
from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor


def _floating(dtype: Any) -> Any:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise ValueError("Argument `dtype` is expected to be floating point. Received: "
                         f"{wanted!r}.")
    return wanted


class V1Initializer:
    """Makes a tensor of a shape, of its own dtype unless it is called with another."""

    dtype: Any

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal initializer."""
        return {"dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> V1Initializer:
        """An initializer from what `get_config` gave."""
        return cls(**config)


class _Filled(V1Initializer):
    _made_by: str

    def __init__(self, dtype: Any = dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return getattr(tf, self._made_by)(shape, self.dtype if dtype is None else dtype)


@export("compat.v1.zeros_initializer", "compat.v1.initializers.zeros")
class Zeros(_Filled):
    """Zeros."""

    _made_by = "zeros"


@export("compat.v1.ones_initializer", "compat.v1.initializers.ones")
class Ones(_Filled):
    """Ones."""

    _made_by = "ones"


@export("compat.v1.constant_initializer", "compat.v1.initializers.constant")
class Constant(V1Initializer):
    """A value, or values, in the shape that is asked for."""

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False):
        self.value, self.dtype = value, dtypes.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None,
                 verify_shape: bool | None = None) -> Tensor:
        return tf.constant(self.value, self.dtype if dtype is None else dtype, shape)

    def get_config(self) -> dict[str, Any]:
        return {"value": self.value, "dtype": self.dtype.name}


class _Drawn(V1Initializer):
    """Random numbers by two parameters and a seed."""

    _draws: str
    _parameters: tuple[str, str]
    seed: int | None

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        first, second = [getattr(self, name) for name in self._parameters]
        draw = getattr(tf.random, self._draws)
        return draw(shape, first, second, self.dtype if dtype is None else dtype, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in self._parameters}, "seed": self.seed,
                "dtype": self.dtype.name}


@export("compat.v1.random_uniform_initializer", "compat.v1.initializers.random_uniform")
class RandomUniform(_Drawn):
    """Uniform between two bounds."""

    _draws, _parameters = "uniform", ("minval", "maxval")

    def __init__(self, minval: Any = .0, maxval: Any = None, seed: int | None = None,
                 dtype: Any = dtypes.float32):
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = dtypes.as_dtype(dtype)


@export("compat.v1.random_normal_initializer", "compat.v1.initializers.random_normal")
class RandomNormal(_Drawn):
    """Normal."""

    _draws, _parameters = "normal", ("mean", "stddev")

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None,
                 dtype: Any = dtypes.float32):
        self.mean, self.stddev, self.seed = mean, stddev, seed
        self.dtype = _floating(dtype)


@export("compat.v1.truncated_normal_initializer", "compat.v1.initializers.truncated_normal")
class TruncatedNormal(RandomNormal):
    """Normal, within two standard deviations."""

    _draws = "truncated_normal"


def _fans(shape: Any) -> tuple[float, float]:
    """How many values a unit of a layer takes, and how many it feeds."""
    sizes = [int(size) for size in shape]
    if len(sizes) < 2:
        return (sizes or [1])[0], (sizes or [1])[0]
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field


@export("compat.v1.variance_scaling_initializer", "compat.v1.initializers.variance_scaling")
class VarianceScaling(V1Initializer):
    """Random numbers whose variance is scaled by the number of inputs or outputs."""

    def __init__(self, scale: float = 1.0, mode: str = "fan_in",
                 distribution: str = "truncated_normal", seed: int | None = None,
                 dtype: Any = dtypes.float32):
        if scale <= 0.:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError("Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). "
                             f"Received: {mode}")
        self.distribution = distribution.lower()
        if self.distribution not in ("normal", "uniform", "truncated_normal",
                                     "untruncated_normal"):
            raise ValueError("Argument `distribution` should be one of ('normal', uniform', "
                             "'truncated_normal', 'untruncated_normal'). Received: "
                             f"{distribution}")
        self.scale, self.mode, self.seed = scale, mode, seed
        self.dtype = _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        wanted = self.dtype if dtype is None else dtype
        inputs, outputs = _fans(shape if partition_info is None else partition_info.full_shape)
        count = {"fan_in": inputs, "fan_out": outputs}.get(self.mode, (inputs + outputs) / 2.)
        scale = self.scale / max(1., count)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return tf.random.uniform(shape, -limit, limit, wanted, seed=self.seed)
        if self.distribution == "untruncated_normal":
            return tf.random.normal(shape, 0.0, math.sqrt(scale), wanted, seed=self.seed)
        stddev = math.sqrt(scale) / .87962566103423978  # that of a normal cut at two of its own
        return tf.random.truncated_normal(shape, 0.0, stddev, wanted, seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"scale": self.scale, "mode": self.mode, "distribution": self.distribution,
                "seed": self.seed, "dtype": self.dtype.name}


class _Scaled(VarianceScaling):
    """A VarianceScaling of which only the seed and the dtype are open."""

    _kind: tuple[float, str, str]

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32):
        super().__init__(*self._kind, seed=seed, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed, "dtype": self.dtype.name}


@export("compat.v1.glorot_uniform_initializer", "compat.v1.initializers.glorot_uniform")
class GlorotUniform(_Scaled):
    """Uniform, scaled by inputs and outputs."""

    _kind = (1.0, "fan_avg", "uniform")


@export("compat.v1.glorot_normal_initializer", "compat.v1.initializers.glorot_normal")
class GlorotNormal(_Scaled):
    """Truncated normal, scaled by inputs and outputs."""

    _kind = (1.0, "fan_avg", "truncated_normal")


@export("compat.v1.initializers.he_normal")
def he_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal, of variance two over the inputs."""
    return VarianceScaling(2., "fan_in", "truncated_normal", seed)


@export("compat.v1.initializers.he_uniform")
def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform, of variance two over the inputs."""
    return VarianceScaling(2., "fan_in", "uniform", seed)


@export("compat.v1.initializers.lecun_normal")
def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal, of variance one over the inputs."""
    return VarianceScaling(1., "fan_in", "truncated_normal", seed)


@export("compat.v1.initializers.lecun_uniform")
def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform, of variance one over the inputs."""
    return VarianceScaling(1., "fan_in", "uniform", seed)


@export("compat.v1.uniform_unit_scaling_initializer",
        "compat.v1.initializers.uniform_unit_scaling")
class UniformUnitScaling(V1Initializer):
    """Uniform, so that a product with all axes but the last keeps the scale of its input."""

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32):
        self.factor, self.seed, self.dtype = factor, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = shape if partition_info is None else partition_info.full_shape
        inputs = max(1.0, math.prod(float(size) for size in list(whole)[:-1]))
        limit = math.sqrt(3 / inputs) * self.factor
        return tf.random.uniform(shape, -limit, limit, self.dtype if dtype is None else dtype,
                                 seed=self.seed)

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor, "seed": self.seed, "dtype": self.dtype.name}


@export("compat.v1.orthogonal_initializer", "compat.v1.initializers.orthogonal")
class Orthogonal(V1Initializer):
    """A matrix of orthogonal columns, or rows if there are fewer."""

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize, specified by argument `shape` must be at "
                             f"least two-dimensional. Received shape={shape}")
        *rows, columns = [int(size) for size in shape]
        count = math.prod(rows)
        flat = tf.random.normal((max(count, columns), min(count, columns)),
                                       dtype=self.dtype if dtype is None else dtype, seed=self.seed)
        q, r = tf.linalg.qr(flat, full_matrices=False)
        q = q * tf.sign(tf.linalg.tensor_diag_part(r))
        if count < columns:
            q = tf.linalg.matrix_transpose(q)
        return self.gain * tf.reshape(q, shape)

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


@export("compat.v1.initializers.identity")
class Identity(V1Initializer):
    """The identity matrix, times a gain."""

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32):
        self.gain, self.dtype = gain, _floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = shape if partition_info is None else partition_info.full_shape
        if len(whole) != 2:
            raise ValueError("The tensor to initialize, specified by argument `shape` must be at "
                             f"least two-dimensional. Received shape={shape}")
        eye = tf.eye(*[int(size) for size in whole],
                            dtype=self.dtype if dtype is None else dtype)
        return self.gain * eye

    def get_config(self) -> dict[str, Any]:
        return {"gain": self.gain, "dtype": self.dtype.name}
