# Written by tools/stubs.py (make stubs).
"""tf.keras.mixed_precision"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import DTypePolicy as _DTypePolicy, DTypePolicy as DTypePolicy
from tapeflow.keras.config import (
    dtype_policy as _dtype_policy,
    dtype_policy as dtype_policy,
    set_dtype_policy as _set_dtype_policy,
    set_dtype_policy as set_dtype_policy,
)

class LossScaleOptimizer(tf.keras.Optimizer):
    """An optimizer that dynamically scales the loss to prevent underflow."""
    def __init__(
        self, inner_optimizer: Any, initial_scale: Any = 32768.0, dynamic_growth_steps: Any = 2000,
        name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any: ...
    @property
    def variables(self) -> Any: ...
    def stateless_apply(
        self, optimizer_variables: Any, grads: Any, trainable_variables: Any,
    ) -> Any: ...
    def apply(self, grads: Any, trainable_variables: Any = None) -> Any: ...
    def check_finite(self, grads: Any) -> Any: ...
    @property
    def learning_rate(self) -> Any: ...
    @learning_rate.setter
    def learning_rate(self, value: Any) -> None: ...
    @property
    def iterations(self) -> Any: ...
    def scale_loss(self, loss: Any) -> Any: ...
    def finalize_variable_values(self, var_list: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    inner_optimizer: Any
    initial_scale: Any
    dynamic_growth_steps: Any
    step_counter: Any
    dynamic_scale: Any
    built: Any

global_policy = _dtype_policy
Policy = _DTypePolicy
set_global_policy = _set_dtype_policy
