# Written by tools/stubs.py (make stubs).
"""tf.keras.optimizers"""

from collections.abc import MutableMapping
from typing import Any

import tapeflow as tf
from tapeflow.keras import Optimizer as Optimizer
from tapeflow.keras.mixed_precision import LossScaleOptimizer as LossScaleOptimizer
from tapeflow.keras.optimizers import legacy as legacy, schedules as schedules

class Adadelta(tf.keras.Optimizer):
    """Optimizer that implements the Adadelta algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-07,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any: ...
    def update_step(self, grad: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    rho: Any
    epsilon: Any

class Adafactor(tf.keras.Optimizer):
    """Optimizer that implements the Adafactor algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_2_decay: Any = -0.8, epsilon_1: Any = 1e-30,
        epsilon_2: Any = 0.001, clip_threshold: Any = 1.0, relative_step: Any = True,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_2_decay: Any
    epsilon_1: Any
    epsilon_2: Any
    clip_threshold: Any
    relative_step: Any

class Adagrad(tf.keras.Optimizer):
    """Optimizer that implements the Adagrad algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: Any = 0.1,
        epsilon: Any = 1e-07, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any: ...
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    initial_accumulator_value: Any
    epsilon: Any

class Adam(tf.keras.Optimizer):
    """Optimizer that implements the Adam algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-07, amsgrad: Any = False, weight_decay: Any = None, clipnorm: Any = None,
        clipvalue: Any = None, global_clipnorm: Any = None, use_ema: Any = False,
        ema_momentum: Any = 0.99, ema_overwrite_frequency: Any = None,
        loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None, name: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any
    epsilon: Any
    amsgrad: Any

class Adamax(tf.keras.Optimizer):
    """Optimizer that implements the Adamax algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-07, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any
    epsilon: Any

class AdamW(tf.keras.optimizers.Adam):
    """Optimizer that implements the AdamW algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: Any = 0.004, beta_1: Any = 0.9,
        beta_2: Any = 0.999, epsilon: Any = 1e-07, amsgrad: Any = False, clipnorm: Any = None,
        clipvalue: Any = None, global_clipnorm: Any = None, use_ema: Any = False,
        ema_momentum: Any = 0.99, ema_overwrite_frequency: Any = None,
        loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None, name: Any = None,
        **kwargs: Any,
    ) -> None: ...

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Returns a Keras optimizer object via its configuration."""

class Ftrl(tf.keras.Optimizer):
    """Optimizer that implements the FTRL algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_power: Any = -0.5,
        initial_accumulator_value: Any = 0.1, l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0, l2_shrinkage_regularization_strength: Any = 0.0,
        beta: Any = 0.0, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    learning_rate_power: Any
    initial_accumulator_value: Any
    l1_regularization_strength: Any
    l2_regularization_strength: Any
    l2_shrinkage_regularization_strength: Any
    beta: Any

def get(identifier: Any) -> Any:
    """Retrieves a Keras Optimizer instance."""

class Lamb(tf.keras.Optimizer):
    """Optimizer that implements the Lamb algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-07, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any
    epsilon: Any

class Lion(tf.keras.Optimizer):
    """Optimizer that implements the Lion algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.99,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any

class MultiOptimizer(tf.keras.Optimizer):
    """An optimizer wrapper that delegates variables to different optimizers."""
    def __init__(
        self, optimizer_map: Any, loss_scale_factor: Any = None, name: Any = None,
    ) -> None:
        """Initialize the MultiOptimizer."""
    def build(self, var_list: Any) -> Any: ...
    @property
    def optimizers(self) -> Any: ...
    @property
    def variables(self) -> Any: ...
    @property
    def learning_rate(self) -> Any: ...
    @learning_rate.setter
    def learning_rate(self, value: Any) -> None: ...
    @property
    def loss_scale_factor(self) -> Any: ...
    @loss_scale_factor.setter
    def loss_scale_factor(self, value: Any) -> None: ...
    @property
    def iterations(self) -> Any: ...
    def apply(self, grads: Any, trainable_variables: Any = None) -> Any: ...
    def finalize_variable_values(self, var_list: Any) -> Any: ...
    def set_weights(self, weights: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    built: Any

class Muon(tf.keras.Optimizer):
    """Optimizer that implements the Muon algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, adam_beta_1: Any = 0.9, adam_beta_2: Any = 0.999,
        adam_weight_decay: Any = 0.004, epsilon: Any = 1e-07, weight_decay: Any = 0.004,
        clipnorm: Any = None, clipvalue: Any = None, global_clipnorm: Any = None,
        use_ema: Any = False, ema_momentum: Any = 0.99, ema_overwrite_frequency: Any = None,
        loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None, name: Any = None,
        exclude_layers: Any = None, exclude_embeddings: Any = True, muon_a: Any = 3.4445,
        muon_b: Any = -4.775, muon_c: Any = 2.0315, adam_lr_ratio: Any = 1, momentum: Any = 0.95,
        ns_steps: Any = 5, nesterov: Any = True, rms_rate: Any = 0.2, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any: ...
    def transpose_last_axis(self, X: Any) -> Any: ...
    def lr_adjust(self, x: Any) -> Any:
        """Adjusts learning rate based on the Moonlight implementation."""
    def zeropower_via_newtonschulz5(self, x: Any, steps: Any) -> Any:
        """We apply the Newton-Schulz iteration to compute matrix G."""
    def get_config(self) -> Any: ...
    adam_beta_1: Any
    adam_beta_2: Any
    epsilon: Any
    muon_a: Any
    muon_b: Any
    muon_c: Any
    adam_lr_ratio: Any
    momentum: Any
    ns_steps: Any
    nesterov: Any
    exclude_embeddings: Any
    exclude_layers: Any
    adam_weight_decay: Any
    rms_rate: Any
    momentums: Any
    adam_velocities: Any

class Nadam(tf.keras.Optimizer):
    """Optimizer that implements the Nadam algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-07, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any
    epsilon: Any

class OptimizerMap(MutableMapping):
    """A class mapping variables to optimizers."""
    def __init__(self, default_optimizer: Any, optimizer_map: Any = None) -> None: ...
    @property
    def default_optimizer(self) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        """Retrieves the corresponding `Optimizer` by the string key."""
    def __setitem__(self, key: Any, optimizer: Any) -> Any:
        """Set optimizer for a given variable."""
    def __delitem__(self, key: Any) -> Any: ...
    def __len__(self) -> Any: ...
    def __iter__(self) -> Any: ...
    def __call__(self, variable: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...

class RMSprop(tf.keras.Optimizer):
    """Optimizer that implements the RMSprop algorithm."""
    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-07,
        centered: Any = False, weight_decay: Any = None, clipnorm: Any = None,
        clipvalue: Any = None, global_clipnorm: Any = None, use_ema: Any = False,
        ema_momentum: Any = 0.99, ema_overwrite_frequency: Any = None,
        loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None, name: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any: ...
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    rho: Any
    momentum: Any
    epsilon: Any
    centered: Any

class ScheduleFreeAdamW(tf.keras.Optimizer):
    """Optimizer that implements the Schedule-Free AdamW algorithm."""
    def __init__(
        self, learning_rate: Any = 0.0025, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-08, warmup_steps: Any = 0, weight_decay: Any = None, clipnorm: Any = None,
        clipvalue: Any = None, global_clipnorm: Any = None, use_ema: Any = False,
        ema_momentum: Any = 0.99, ema_overwrite_frequency: Any = None,
        loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None, name: Any = None,
        **kwargs: Any,
    ) -> None: ...
    def build(self, var_list: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    beta_1: Any
    beta_2: Any
    epsilon: Any
    warmup_steps: Any

def serialize(optimizer: Any) -> Any:
    """Returns the optimizer configuration as a Python dict."""

class SGD(tf.keras.Optimizer):
    """Gradient descent (with momentum) optimizer."""
    def __init__(
        self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: Any = False,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: Any = False, ema_momentum: Any = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None,
        gradient_accumulation_steps: Any = None, name: Any = None, **kwargs: Any,
    ) -> None: ...
    def build(self, variables: Any) -> Any:
        """Initialize optimizer variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any:
        """Update step given gradient and the associated model variable."""
    def get_config(self) -> Any: ...
    momentum: Any
    nesterov: Any
    momentums: Any
