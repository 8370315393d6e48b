"""tf.train.ExponentialMovingAverage: shadow variables that follow others slowly."""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import export
from tapeflow.core.scopes import init_scope
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Reference
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.ops.math import casting, comparison


@export("train.ExponentialMovingAverage", "compat.v1.train.ExponentialMovingAverage")
class ExponentialMovingAverage(AutoTrackable):
    """Averages of variables in which older values count less and less.

    >>> average = tf.train.ExponentialMovingAverage(0.9)
    >>> v = tf.Variable(1.0)
    >>> average.apply([v])
    >>> average.average(v).numpy()
    1.0
    """

    def __init__(self, decay: Any, num_updates: Any = None, zero_debias: bool = False,
                 name: str = "ExponentialMovingAverage"):
        self._decay, self._num_updates = decay, num_updates
        self._zero_debias, self._name = zero_debias, name
        self._self_averages: dict[Reference, Any] = {}

    @property
    def name(self) -> str:
        return self._name

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        averages = {self.average_name(ref.deref()): one
                    for ref, one in self._self_averages.items()}
        return {**super()._trackable_children(save_type, **kwargs), **averages}

    def _shadow(self, variable: Any) -> Any:
        key = variable.ref()
        if key not in self._self_averages:
            with init_scope():
                self._self_averages[key] = VariableBase(
                    variable.value(), trainable=False, name=self.average_name(variable))
        return self._self_averages[key]

    def _rate(self, dtype: Any) -> Any:
        """How much of the difference is taken over."""
        decay: Any = convert(self._decay)
        if self._num_updates is not None:
            count = casting.cast(convert(self._num_updates), "float32")
            decay = comparison.minimum(decay, (1.0 + count) / (10.0 + count))
        return 1 - casting.cast(decay, dtype)  # rounded to the variable's precision first

    def apply(self, var_list: Any = None) -> None:
        """Move the averages of variables towards what they hold now."""
        if var_list is None:
            return
        for variable in var_list:
            if not isinstance(variable, Variable):
                raise TypeError("tf.train.ExponentialMovingAverage does not support non-Variable "
                                "tensors when eager execution is enabled.")
            if not variable.dtype.is_floating:
                raise TypeError("The variables must be half, float, or double: "
                                f"{variable.name}")
        for variable in var_list:
            shadow = self._shadow(variable)
            shadow.assign_sub((shadow - variable) * self._rate(shadow.dtype))

    def average(self, var: Any) -> Any:
        """The variable that holds the average of another, None if it has none."""
        return self._self_averages.get(var.ref())

    def average_name(self, var: Any) -> str:
        """The name of the variable that holds the average of another."""
        return f"{var.name.removesuffix(':0')}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Names under which averages were saved, with the variables to restore them into."""
        if moving_avg_variables is None:
            moving_avg_variables = [ref.deref() for ref in self._self_averages]
        return {self.average_name(one): one for one in moving_avg_variables}


ExponentialMovingAverage.__module__ = "tensorflow.python.training.moving_averages"
