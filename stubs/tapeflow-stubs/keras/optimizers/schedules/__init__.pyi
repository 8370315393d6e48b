# Written by tools/stubs.py (make stubs).
"""tf.keras.optimizers.schedules"""

from typing import Any

import tapeflow as tf

class CosineDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses a cosine decay with optional warmup."""
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, alpha: Any = 0.0,
        name: Any = 'CosineDecay', warmup_target: Any = None, warmup_steps: Any = 0,
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    initial_learning_rate: Any
    decay_steps: Any
    alpha: Any
    name: Any
    warmup_steps: Any
    warmup_target: Any

class CosineDecayRestarts(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses a cosine decay schedule with restarts."""
    def __init__(
        self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: Any = 2.0,
        m_mul: Any = 1.0, alpha: Any = 0.0, name: Any = 'SGDRDecay',
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    initial_learning_rate: Any
    first_decay_steps: Any
    alpha: Any
    name: Any

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Instantiates a `LearningRateSchedule` object from a serialized form."""

class ExponentialDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses an exponential decay schedule."""
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: Any = False,
        name: Any = 'ExponentialDecay',
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    initial_learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: Any
    name: Any

class InverseTimeDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses an inverse time decay schedule."""
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: Any = False,
        name: Any = 'InverseTimeDecay',
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    initial_learning_rate: Any
    decay_steps: Any
    decay_rate: Any
    staircase: Any
    name: Any

class LearningRateSchedule:
    """The learning rate schedule base class."""
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Instantiates a `LearningRateSchedule` from its config."""

class PiecewiseConstantDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses a piecewise constant decay schedule."""
    def __init__(
        self, boundaries: Any, values: Any, name: Any = 'PiecewiseConstant',
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    boundaries: Any
    values: Any
    name: Any

class PolynomialDecay(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A `LearningRateSchedule` that uses a polynomial decay schedule."""
    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
        power: Any = 1.0, cycle: Any = False, name: Any = 'PolynomialDecay',
    ) -> None: ...
    def __call__(self, step: Any) -> Any: ...
    def get_config(self) -> Any: ...
    initial_learning_rate: Any
    decay_steps: Any
    end_learning_rate: Any
    power: Any
    cycle: Any
    name: Any

def serialize(learning_rate_schedule: Any) -> Any:
    """Serializes a `LearningRateSchedule` into a JSON-compatible dict."""
