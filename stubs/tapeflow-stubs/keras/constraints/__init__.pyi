# Written by tools/stubs.py (make stubs).
"""tf.keras.constraints"""

from typing import Any

import tapeflow as tf

def serialize(constraint: Any) -> Any: ...

class Constraint:
    """Base class for weight constraints."""
    def __call__(self, w: Any) -> Any:
        """Applies the constraint to the input weight variable."""
    def get_config(self) -> Any:
        """Returns a Python dict of the object config."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Instantiates a weight constraint from a configuration dictionary."""

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Return a Keras constraint object via its config."""

def get(identifier: Any) -> Any:
    """Retrieve a Keras constraint object via an identifier."""

class MaxNorm(tf.keras.constraints.Constraint):
    """MaxNorm weight constraint."""
    def __init__(self, max_value: Any = 2, axis: Any = 0) -> None: ...
    def __call__(self, w: Any) -> Any: ...
    def get_config(self) -> Any: ...
    max_value: Any
    axis: Any

class MinMaxNorm(tf.keras.constraints.Constraint):
    """MinMaxNorm weight constraint."""
    def __init__(
        self, min_value: Any = 0.0, max_value: Any = 1.0, rate: Any = 1.0, axis: Any = 0,
    ) -> None: ...
    def __call__(self, w: Any) -> Any: ...
    def get_config(self) -> Any: ...
    min_value: Any
    max_value: Any
    rate: Any
    axis: Any

class NonNeg(tf.keras.constraints.Constraint):
    """Constrains the weights to be non-negative."""
    def __call__(self, w: Any) -> Any: ...

class UnitNorm(tf.keras.constraints.Constraint):
    """Constrains the weights incident to each hidden unit to have unit norm."""
    def __init__(self, axis: Any = 0) -> None: ...
    def __call__(self, w: Any) -> Any: ...
    def get_config(self) -> Any: ...
    axis: Any

max_norm = MaxNorm
min_max_norm = MinMaxNorm
non_neg = NonNeg
unit_norm = UnitNorm
