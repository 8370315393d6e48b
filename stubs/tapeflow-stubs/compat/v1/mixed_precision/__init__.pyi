# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.mixed_precision"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, IntLike

def disable_mixed_precision_graph_rewrite() -> None:
    """Take back what `enable_mixed_precision_graph_rewrite` told, if it was called."""

class DynamicLossScale(tf.compat.v1.mixed_precision.LossScale):
    """A factor that falls when gradients overflow, and rises after many steps without that."""
    def __init__(
        self, initial_loss_scale: FloatLike = 32768, increment_period: IntLike = 2000,
        multiplier: FloatLike = 2.0,
    ) -> None: ...
    def __call__(self) -> Any: ...
    def update(self, grads: Any) -> tuple[Any, Any]:
        """Count a good step or lower the factor; gradients are applied if all are finite."""
    def get_config(self) -> dict[str, Any]: ...
    initial_loss_scale: Any
    increment_period: Any
    multiplier: Any

def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = 'dynamic') -> Any:
    """An optimizer around `opt` that scales its losses; graphs are kept as they are."""

class FixedLossScale(tf.compat.v1.mixed_precision.LossScale):
    """Always the same factor."""
    def __init__(self, loss_scale_value: FloatLike) -> None: ...
    def __call__(self) -> Any: ...
    def update(self, grads: Any) -> tuple[Any, Any]:
        """Nothing; gradients are always applied."""
    def get_config(self) -> dict[str, Any]: ...

class LossScale:
    """By how much a loss is multiplied, and how that follows from gradients."""
    def __init__(self) -> None: ...
    def __call__(self) -> Any:
        """The factor, a scalar of float32."""
    def update(self, grads: Any) -> tuple[Any, Any]:
        """Follow the gradients: an operation, and whether they are to be applied."""
    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an object."""
    @classmethod
    def from_config(cls, config: dict[str, Any]) -> tf.compat.v1.mixed_precision.LossScale:
        """An object of these arguments."""

class MixedPrecisionLossScaleOptimizer(tf.compat.v1.train.Optimizer):
    """An optimizer of tf.compat.v1 whose loss is scaled, and its gradients back."""
    def __init__(self, opt: Any, loss_scale: Any) -> None: ...
    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> list:
        """Pairs of gradients, of the loss itself, and variables."""
    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
    ) -> Any:
        """Update the variables, if all gradients are finite."""
    def variables(self) -> list:
        """Those of the optimizer inside, and of the factor."""
