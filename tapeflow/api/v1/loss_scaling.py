"""tf.compat.v1.mixed_precision: losses multiplied so that gradients do not vanish, and back.

The rewrite of graphs to float16 that the functions switch on is one for GPUs: here, as on
TensorFlow's CPUs, it changes no graph. What it is told is kept, and optimizers scale their losses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph_mode.optimizers import Optimizer

_SPACE = "compat.v1.mixed_precision"


@export(f"{_SPACE}.LossScale")
class LossScale(Trackable):
    """By how much a loss is multiplied, and how that follows from gradients."""

    def __init__(self) -> None:
        self._weights: dict[str, Any] = {}

    def __call__(self) -> Any:
        """The factor, a scalar of float32."""
        raise NotImplementedError

    def update(self, grads: Any) -> tuple[Any, Any]:
        """Follow the gradients: an operation, and whether they are to be applied."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an object."""
        raise NotImplementedError

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """An object of these arguments."""
        return cls(**config)

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        """A variable that is saved with the object."""
        made = VariableBase(initial_value, trainable=False, dtype=dtype, name=name)
        self._weights[name] = self._track_trackable(made, name)
        return made


@export(f"{_SPACE}.FixedLossScale")
class FixedLossScale(LossScale):
    """Always the same factor."""

    def __init__(self, loss_scale_value: float):
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Any:
        return tf.convert_to_tensor(self._loss_scale_value)

    def update(self, grads: Any) -> tuple[Any, Any]:
        """Nothing; gradients are always applied."""
        return tf.no_op(), True

    def get_config(self) -> dict[str, Any]:
        return {"loss_scale_value": self._loss_scale_value}

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"


@export(f"{_SPACE}.DynamicLossScale")
class DynamicLossScale(LossScale):
    """A factor that falls when gradients overflow, and rises after many steps without that."""

    def __init__(self, initial_loss_scale: float = 2 ** 15, increment_period: int = 2000,
                 multiplier: float = 2.0):
        super().__init__()
        self.initial_loss_scale = float(initial_loss_scale)
        self.increment_period = int(increment_period)
        self.multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight(
            "current_loss_scale", self.initial_loss_scale, tf.float32)
        self._num_good_steps = self._add_weight("good_steps", 0, tf.int64)

    def __call__(self) -> Any:
        return tf.convert_to_tensor(self._current_loss_scale)

    def update(self, grads: Any) -> tuple[Any, Any]:
        """Count a good step or lower the factor; gradients are applied if all are finite."""
        finite = tf.reduce_all([
            tf.reduce_all(tf.math.is_finite(getattr(g, "values", g)))
            for g in nest.flatten(grads) if g is not None])
        scale, steps = tf.convert_to_tensor(self._current_loss_scale), self._num_good_steps + 1
        raised = tf.where(tf.math.is_finite(scale * self.multiplier), scale * self.multiplier,
                          scale)
        full = steps >= self.increment_period
        after = tf.where(finite, tf.where(full, raised, scale),
                         tf.maximum(scale / self.multiplier, 1.0))
        counted = tf.where(finite & ~full, steps, tf.zeros_like(steps))
        return tf.group(self._current_loss_scale.assign(after),
                        self._num_good_steps.assign(counted)), finite

    def get_config(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (
            "initial_loss_scale", "increment_period", "multiplier")}

    def __repr__(self) -> str:
        parts = self.get_config()
        if tf.executing_eagerly():
            parts = {"current_loss_scale": self._current_loss_scale.numpy(),
                     "num_good_steps": self._num_good_steps.numpy(), **parts}
        return f"DynamicLossScale({', '.join([f'{k}={v}' for k, v in parts.items()])})"


def _loss_scale(identifier: Any) -> LossScale:
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if isinstance(identifier, LossScale):
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


@export(f"{_SPACE}.MixedPrecisionLossScaleOptimizer")
class MixedPrecisionLossScaleOptimizer(Optimizer):
    """An optimizer of tf.compat.v1 whose loss is scaled, and its gradients back."""

    def __init__(self, opt: Any, loss_scale: Any):
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer, self._loss_scale = opt, _loss_scale(loss_scale)
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> list:
        """Pairs of gradients, of the loss itself, and variables."""
        factor = self._loss_scale()

        def scaled(value: Any) -> Any:
            return value * tf.cast(factor, value.dtype)

        found = self._optimizer.compute_gradients(
            (lambda: scaled(loss())) if callable(loss) else scaled(loss), *args, **kwargs)
        return [(_divided(g, factor), variable) for g, variable in found]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None,
                        name: str | None = None) -> Any:
        """Update the variables, if all gradients are finite."""
        pairs = tuple(grads_and_vars)
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(pairs, global_step, name)
        updated, wanted = self._loss_scale.update([g for g, _ in pairs])

        def apply() -> Any:
            return self._optimizer.apply_gradients(pairs, global_step, name)

        return tf.group(tf.cond(wanted, apply, tf.no_op), updated)

    def variables(self) -> list:
        """Those of the optimizer inside, and of the factor."""
        return self._optimizer.variables() + list(self._loss_scale._weights.values())


def _divided(g: Any, factor: Any) -> Any:
    if g is None:
        return None
    if isinstance(g, tf.IndexedSlices):
        return tf.IndexedSlices(g.values / tf.cast(factor, g.values.dtype), g.indices,
                                g.dense_shape)
    return g / tf.cast(factor, g.dtype)


# -- the switch ------------------------------------------------------------------------------------
_WRAPPERS: dict[type, tuple[Callable, type]] = {
    Optimizer: (MixedPrecisionLossScaleOptimizer, MixedPrecisionLossScaleOptimizer)}


@export("__internal__.mixed_precision.register_loss_scale_wrapper")
def register_loss_scale_wrapper(optimizer_cls: type, wrapper_fn: Any,
                                wrapper_cls: type | None = None) -> None:
    """Say what scales the losses of a library's optimizers."""
    _WRAPPERS[optimizer_cls] = (wrapper_fn, wrapper_cls or wrapper_fn)


@export(f"{_SPACE}.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """An optimizer around `opt` that scales its losses; graphs are kept as they are."""
    if _told["mixed policy"]:
        raise ValueError("The mixed precision graph rewrite cannot be enabled, because the global "
                         "Keras dtype Policy has been set to a mixed precision policy. At most, "
                         "one of the following can be called:\n\n  1. "
                         "tf.keras.mixed_precision.set_global_policy() with a mixed precision "
                         "policy (You called this first)\n\n  2. "
                         "tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called "
                         "this second)\nYou called both functions, which is an error, because "
                         "both functions enable you to use mixed precision. If in doubt which "
                         "function to use, use the first, as it supports Eager execution and is "
                         "more customizable.")
    for _, kind in _WRAPPERS.values():
        if isinstance(opt, kind):
            raise ValueError(
                f'"opt" must not already be an instance of a {kind.__name__}. '
                "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer "
                f"with a {kind.__name__}.")
    for kind, (wrap, _) in _WRAPPERS.items():
        if isinstance(opt, kind):
            made = wrap(opt, loss_scale)
            tf.config.optimizer.set_experimental_options({"auto_mixed_precision": True})
            _told["rewrite"] = True
            return made
    raise ValueError('"opt" must be an instance of a tf.train.Optimizer or a '
                     f"tf.keras.optimizers.Optimizer, but got: {opt}")


@export(f"{_SPACE}.disable_mixed_precision_graph_rewrite")
def disable_mixed_precision_graph_rewrite() -> None:
    """Take back what `enable_mixed_precision_graph_rewrite` told, if it was called."""
    if tf.config.optimizer.get_experimental_options().get("auto_mixed_precision"):
        tf.config.optimizer.set_experimental_options({"auto_mixed_precision": False})
    _told["rewrite"] = False


_told = {"rewrite": False, "mixed policy": False}  # of which a program may use one


@export("__internal__.train.is_mixed_precision_graph_rewrite_enabled")
def is_mixed_precision_graph_rewrite_enabled() -> bool:
    """Whether `enable_mixed_precision_graph_rewrite` was called last."""
    return _told["rewrite"]


@export("__internal__.train.set_using_mixed_precision_policy")
def set_using_mixed_precision_policy(is_mixed_policy: bool) -> None:
    """Note whether a library computes in two precisions by its own policy."""
    _told["mixed policy"] = is_mixed_policy
