# Written by tools/stubs.py (make stubs).
"""tf.keras.initializers"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Initializer as Initializer

class Constant(tf.keras.Initializer):
    """Initializer that generates tensors with constant values."""
    def __init__(self, value: Any = 0.0) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    value: Any

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Returns a Keras initializer object via its configuration."""

def get(identifier: Any) -> Any:
    """Retrieves a Keras initializer object via an identifier."""

class GlorotNormal(tf.keras.initializers.VarianceScaling):
    """The Glorot normal initializer, also called Xavier normal initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class GlorotUniform(tf.keras.initializers.VarianceScaling):
    """The Glorot uniform initializer, also called Xavier uniform initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class HeNormal(tf.keras.initializers.VarianceScaling):
    """He normal initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class HeUniform(tf.keras.initializers.VarianceScaling):
    """He uniform variance scaling initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class Identity(tf.keras.Initializer):
    """Initializer that generates the identity matrix."""
    def __init__(self, gain: Any = 1.0) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Returns a tensor object initialized as specified by the initializer."""
    gain: Any

class LecunNormal(tf.keras.initializers.VarianceScaling):
    """Lecun normal initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class LecunUniform(tf.keras.initializers.VarianceScaling):
    """Lecun uniform initializer."""
    def __init__(
        self, seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def get_config(self) -> Any: ...

class Ones(tf.keras.Initializer):
    """Initializer that generates tensors initialized to 1."""
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Returns a tensor object initialized as specified by the initializer."""

class Orthogonal(tf.keras.Initializer):
    """Initializer that generates an orthogonal matrix."""
    def __init__(self, gain: Any = 1.0, seed: Any = None) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    gain: Any
    seed: Any

class RandomNormal(tf.keras.Initializer):
    """Random normal initializer."""
    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    mean: Any
    stddev: Any
    seed: Any

class RandomUniform(tf.keras.Initializer):
    """Random uniform initializer."""
    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    minval: Any
    maxval: Any
    seed: Any

def serialize(initializer: Any) -> Any:
    """Returns the initializer configuration as a Python dict."""

class STFT(tf.keras.Initializer):
    """Initializer of Conv kernels for Short-term Fourier Transformation (STFT)."""
    def __init__(
        self, side: Any = 'real', window: Any = 'hann', scaling: Any = 'density',
        periodic: Any = False,
    ) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Returns a tensor object initialized as specified by the initializer."""
    def get_config(self) -> Any: ...
    side: Any
    window: Any
    scaling: Any
    periodic: Any

class TruncatedNormal(tf.keras.Initializer):
    """Initializer that generates a truncated normal distribution."""
    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    mean: Any
    stddev: Any
    seed: Any

class VarianceScaling(tf.keras.Initializer):
    """Initializer that adapts its scale to the shape of its input tensors."""
    def __init__(
        self, scale: Any = 1.0, mode: Any = 'fan_in', distribution: Any = 'truncated_normal',
        seed: Any = None, input_axes: Any = None, output_axes: Any = None,
    ) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Any: ...
    def get_config(self) -> Any: ...
    scale: Any
    mode: Any
    distribution: Any
    input_axes: Any
    output_axes: Any
    seed: Any

class Zeros(tf.keras.Initializer):
    """Initializer that generates tensors initialized to 0."""
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Returns a tensor object initialized as specified by the initializer."""

constant = Constant
glorot_normal = GlorotNormal
glorot_uniform = GlorotUniform
he_normal = HeNormal
he_uniform = HeUniform
identity = Identity
IdentityInitializer = Identity
lecun_normal = LecunNormal
lecun_uniform = LecunUniform
ones = Ones
orthogonal = Orthogonal
OrthogonalInitializer = Orthogonal
random_normal = RandomNormal
random_uniform = RandomUniform
stft = STFT
STFTInitializer = STFT
truncated_normal = TruncatedNormal
variance_scaling = VarianceScaling
zeros = Zeros
