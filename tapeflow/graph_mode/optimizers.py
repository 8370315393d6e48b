"""The optimizers of tf.compat.v1.train: gradients of a loss, and assignments that apply them.

In a tf.Graph `minimize` gives an operation; eagerly the loss is a function, and it runs at once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.scopes import open_graph
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices, densify
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import Trackable
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph.symbolic_gradients import gradients
from tapeflow.graph_mode.graph import current_graph
from tapeflow.graph_mode.graph_variable import trainable_variables

_cast = LatePublic("cast")
_constant = LatePublic("constant")
_cos = LatePublic("cos")
_exp = LatePublic("exp")
_fill = LatePublic("fill")
_floor = LatePublic("floor")
_gather = LatePublic("gather")
_ceil = LatePublic("math.ceil")
_log = LatePublic("math.log")
_normal = LatePublic("random.normal")
_rsqrt = LatePublic("math.rsqrt")
_maximum = LatePublic("maximum")
_minimum = LatePublic("minimum")
_name_scope = LatePublic("name_scope")
_pow = LatePublic("pow")
_reduce_sum = LatePublic("reduce_sum")
_sqrt = LatePublic("sqrt")
_variable_scope = LatePublic("compat.v1.variable_scope")


@export("compat.v1.train.Optimizer")
class Optimizer(Trackable):
    """What all optimizers share: gradients, slots, and the order of updates."""

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking: bool, name: str):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._name, self._use_locking = name, use_locking
        self._slots: dict[str, dict[int, Variable]] = {}
        self._restored_slots: dict[tuple[str, int], list] = {}  # of checkpoints, not made yet

    def get_name(self) -> str:
        return self._name

    # -- gradients -------------------------------------------------------------------------------
    def minimize(self, loss: Any, global_step: Any = None, var_list: Any = None,
                 gate_gradients: int = GATE_OP, aggregation_method: Any = None,
                 colocate_gradients_with_ops: bool = False, name: str | None = None,
                 grad_loss: Any = None) -> Any:
        """Compute gradients, and apply them."""
        pairs = self.compute_gradients(loss, var_list, gate_gradients, aggregation_method,
                                       colocate_gradients_with_ops, grad_loss)
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError("No gradients provided for any variable, check your graph for ops "
                             "that do not support gradients, between variables "
                             f"{[str(v) for _, v in pairs]} and loss {loss}.")
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss: Any, var_list: Any = None, gate_gradients: int = GATE_OP,
                          aggregation_method: Any = None,
                          colocate_gradients_with_ops: bool = False,
                          grad_loss: Any = None) -> list:
        """Pairs of gradients and variables."""
        if callable(loss) and not isinstance(loss, Tensor):
            with GradientTape() as tape:
                if var_list is not None:
                    tape.watch(var_list)
                value = loss()
            variables = list(tape.watched_variables() if var_list is None else var_list)
            return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))
        if state.trace is None:
            raise RuntimeError("`loss` passed to Optimizer.compute_gradients should be a function "
                               "when eager execution is enabled.")
        variables = trainable_variables() if var_list is None else _listed(var_list)
        if not variables:
            raise ValueError("No variables to optimize.")
        found = gradients(loss, variables, None if grad_loss is None else [grad_loss])
        return list(zip(found, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None,
                        name: str | None = None) -> Any:
        """Change the variables, then count the step."""
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not grads_and_vars:
            raise ValueError("No variables provided.")
        if not pairs:
            raise ValueError("No gradients provided for any variable: "
                             f"{[str(v) for _, v in grads_and_vars]}.")
        graph = current_graph()
        with contextlib.nullcontext() if graph is None else graph.control_dependencies(None):
            for _, variable in pairs:
                self._make_slots(variable)
            self._prepare([variable for _, variable in pairs])
        updates = [self._apply(densify(g) if isinstance(g, IndexedSlices) else g, v)
                   for g, v in pairs]
        updates += self._finish(updates)
        if graph is None:
            if global_step is not None:
                global_step.assign_add(1)
            return None
        if global_step is None:
            return graph.group(updates, name or self._name)
        with graph.control_dependencies(updates):
            step = global_step.assign_add(_constant(1, global_step.dtype))
        return graph.group([step], name or self._name)

    # -- what an optimizer keeps for a variable --------------------------------------------------
    def _slot(self, variable: Any, name: str, value: float = 0.0) -> Variable:
        held = self._slots.setdefault(name, {})
        if variable._uid not in held:
            whole = variable.name.partition(":")[0]
            naming = _variable_scope(None, f"{whole}/{self._name}", auxiliary_name_scope=False)
            with naming as scope, _name_scope(""):
                held[variable._uid] = VariableBase(
                    _fill(variable.shape, _constant(value, variable.dtype)),
                    trainable=False, name=scope.name)
            for position in self._restored_slots.pop((name, variable._uid), ()):
                position.restore(held[variable._uid])
        return held[variable._uid]

    def _create_or_restore_slot_variable(self, slot_variable_position: Any, slot_name: str,
                                         variable: Any) -> Any:
        """The slot that a checkpoint has a value for; None if it is restored when it is made."""
        found = self.get_slot(variable, slot_name)
        if found is None and open_graph() is None and not state.variable_creators:
            return self._slot(variable, slot_name)
        if found is None:
            waiting = self._restored_slots.setdefault((slot_name, variable._uid), [])
            waiting.append(slot_variable_position)
        return found

    def get_slot(self, var: Any, name: str) -> Any:
        """The variable that is kept for another one, if there is one."""
        return self._slots.get(name, {}).get(var._uid)

    def get_slot_names(self) -> list[str]:
        return sorted(self._slots)

    def variables(self) -> list:
        """All that the optimizer keeps, by name."""
        slots = [one for held in self._slots.values() for one in held.values()]
        return sorted([*slots, *self._own()], key=lambda one: one.name)

    def _own(self) -> list:
        """What it keeps that is no slot of a variable."""
        return []

    def _make_slots(self, variable: Any) -> None:
        """Make what is kept for a variable."""

    def _prepare(self, variables: list) -> None:
        """Make what is kept once."""

    def _apply(self, g: Tensor, variable: Any) -> Any:
        raise NotImplementedError

    def _finish(self, updates: list) -> list:
        """Updates of what is kept once."""
        return []

    def _number(self, x: Any, like: Any) -> Tensor:
        """A setting, which may be a function, as a tensor of the variable's dtype."""
        value = x() if callable(x) and not isinstance(x, (Tensor, VariableBase)) else x
        return _cast(value, like.dtype)


def _listed(variables: Any) -> list:
    return list(variables) if isinstance(variables, (list, tuple)) else [variables]


@export("compat.v1.train.GradientDescentOptimizer")
class GradientDescentOptimizer(Optimizer):
    """v -= learning_rate * g"""

    def __init__(self, learning_rate: Any, use_locking: bool = False,
                 name: str = "GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _apply(self, g: Tensor, variable: Any) -> Any:
        return variable.assign_sub(self._number(self._learning_rate, variable) * g)


@export("compat.v1.train.MomentumOptimizer")
class MomentumOptimizer(Optimizer):
    """m = momentum * m + g; v -= learning_rate * m"""

    def __init__(self, learning_rate: Any, momentum: Any, use_locking: bool = False,
                 name: str = "Momentum", use_nesterov: bool = False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _make_slots(self, variable: Any) -> None:
        self._slot(variable, "momentum")

    def _apply(self, g: Tensor, variable: Any) -> Any:
        rate, momentum = (self._number(x, variable) for x in (self._learning_rate, self._momentum))
        slot = self._slot(variable, "momentum")
        now = _after(slot.assign(momentum * slot + g), slot)
        step = g * rate + now * momentum * rate if self._nesterov else now * rate
        return variable.assign_sub(step)


@export("compat.v1.train.AdagradOptimizer")
class AdagradOptimizer(Optimizer):
    """a += g²; v -= learning_rate * g / √a"""

    def __init__(self, learning_rate: Any, initial_accumulator_value: float = 0.1,
                 use_locking: bool = False, name: str = "Adagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: "
                             f"{initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial = learning_rate, initial_accumulator_value

    def _make_slots(self, variable: Any) -> None:
        self._slot(variable, "accumulator", self._initial)

    def _apply(self, g: Tensor, variable: Any) -> Any:
        slot = self._slot(variable, "accumulator", self._initial)
        total = _after(slot.assign_add(g * g), slot)
        rate = self._number(self._learning_rate, variable)
        return variable.assign_sub(rate * g * _rsqrt(total))


@export("compat.v1.train.RMSPropOptimizer")
class RMSPropOptimizer(Optimizer):
    """A running mean of g² scales the step."""

    def __init__(self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0,
                 epsilon: float = 1e-10, use_locking: bool = False, centered: bool = False,
                 name: str = "RMSProp"):
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered

    def _make_slots(self, variable: Any) -> None:
        self._slot(variable, "rms", 1.0)
        if self._centered:
            self._slot(variable, "mg")
        self._slot(variable, "momentum")

    def _apply(self, g: Tensor, variable: Any) -> Any:
        rate, decay, momentum, epsilon = (self._number(x, variable) for x in (
            self._learning_rate, self._decay, self._momentum, self._epsilon))
        rms, mom = self._slot(variable, "rms", 1.0), self._slot(variable, "momentum")
        square = _after(rms.assign(rms + (g * g - rms) * (1 - decay)), rms)
        below = square + epsilon
        if self._centered:
            mean = self._slot(variable, "mg")
            now = _after(mean.assign(mean + (g - mean) * (1 - decay)), mean)
            below = below - now * now
        step = _after(mom.assign(momentum * mom + rate * g * _rsqrt(below)), mom)
        return variable.assign_sub(step)


@export("compat.v1.train.AdamOptimizer")
class AdamOptimizer(Optimizer):
    """Adam, with the bias correction in the learning rate."""

    def __init__(self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
                 epsilon: Any = 1e-08, use_locking: bool = False, name: str = "Adam"):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._powers: list[Variable] = []

    def _make_slots(self, variable: Any) -> None:
        self._slot(variable, "m")
        self._slot(variable, "v")

    def _prepare(self, variables: list) -> None:
        if not self._powers:
            dtype = min(variables, key=lambda one: one.name).dtype
            self._powers = [VariableBase(
                _cast(self._plain(beta), dtype), trainable=False, name=name)
                for beta, name in ((self._beta1, "beta1_power"), (self._beta2, "beta2_power"))]
            for power, name in zip(self._powers, ("beta1_power", "beta2_power"), strict=True):
                self._track_trackable(power, name)

    @staticmethod
    def _plain(x: Any) -> Any:
        return x() if callable(x) else x

    def _apply(self, g: Tensor, variable: Any) -> Any:
        rate, beta1, beta2, epsilon = (self._number(x, variable) for x in (
            self._lr, self._beta1, self._beta2, self._epsilon))
        power1, power2 = (_cast(one, variable.dtype) for one in self._powers)
        m, v = self._slot(variable, "m"), self._slot(variable, "v")
        first = _after(m.assign(m + (g - m) * (1 - beta1)), m)
        second = _after(v.assign(v + (g * g - v) * (1 - beta2)), v)
        root = _sqrt
        alpha = rate * root(1 - power2) / (1 - power1)
        return variable.assign_sub(first * alpha / (root(second) + epsilon))

    def _finish(self, updates: list) -> list:
        graph = current_graph()
        with contextlib.nullcontext() if graph is None else graph.control_dependencies(updates):
            return [power.assign(power * self._number(beta, power)) for power, beta in zip(
                self._powers, (self._beta1, self._beta2), strict=True)]

    def _own(self) -> list:
        return self._powers

    def _get_beta_accumulators(self) -> tuple:
        return tuple(self._powers)


def _after(assigned: Any, variable: Any) -> Any:
    """What a variable holds after an assignment."""
    return assigned if isinstance(assigned, Tensor) else variable.value()


# -- learning rates --------------------------------------------------------------------------------
def _decayed(make: Callable[[Tensor, Tensor], Any]) -> Callable:
    """A learning rate by the steps done: a tensor in a graph, a function without one."""
    def rate(global_step: Any) -> Any:
        if global_step is None:
            raise ValueError("global_step is required.")

        def now() -> Any:
            return make(_cast(global_step, dtypes.float32), _constant(1.0))

        return now() if current_graph() is not None else now

    return rate


@export("compat.v1.train.exponential_decay")
def exponential_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
                      staircase: bool = False, name: str | None = None) -> Any:
    """learning_rate * decay_rate ** (step / decay_steps)"""
    def make(step: Tensor, one: Tensor) -> Any:
        part = step / decay_steps
        return learning_rate * _pow(one * decay_rate, _floor(part) if staircase
                                             else part)

    return _decayed(make)(global_step)


@export("compat.v1.train.natural_exp_decay")
def natural_exp_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
                      staircase: bool = False, name: str | None = None) -> Any:
    """learning_rate * exp(-decay_rate * step / decay_steps)"""
    def make(step: Tensor, one: Tensor) -> Any:
        part = step / decay_steps
        return learning_rate * _exp(-decay_rate * one * (_floor(part) if staircase else part))

    return _decayed(make)(global_step)


@export("compat.v1.train.inverse_time_decay")
def inverse_time_decay(learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
                       staircase: bool = False, name: str | None = None) -> Any:
    """learning_rate / (1 + decay_rate * step / decay_steps)"""
    def make(step: Tensor, one: Tensor) -> Any:
        part = step / decay_steps
        return learning_rate / (one + decay_rate * (_floor(part) if staircase else part))

    return _decayed(make)(global_step)


@export("compat.v1.train.cosine_decay")
def cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0,
                 name: str | None = None) -> Any:
    """Half a cosine from learning_rate to alpha * learning_rate."""
    def make(step: Tensor, one: Tensor) -> Any:
        part = _minimum(step, one * decay_steps) / decay_steps
        wave = 0.5 * (1.0 + _cos(np.float32(np.pi) * part))
        return learning_rate * ((1 - alpha) * wave + alpha)

    return _decayed(make)(global_step)


@export("compat.v1.train.cosine_decay_restarts")
def cosine_decay_restarts(learning_rate: Any, global_step: Any, first_decay_steps: Any,
                          t_mul: float = 2.0, m_mul: float = 1.0, alpha: float = 0.0,
                          name: str | None = None) -> Any:
    """Half cosines, each `t_mul` times as long and `m_mul` times as high as the one before."""
    def make(step: Tensor, one: Tensor) -> Any:
        part = step / first_decay_steps
        if t_mul == 1.0:
            restarts = _floor(part)
            part = part - restarts
        else:
            restarts = _floor(_log(1.0 - part * (1.0 - t_mul)) / _log(one * t_mul))
            length = _pow(one * t_mul, restarts)
            part = (part - (1.0 - length) / (1.0 - t_mul)) / length
        wave = 0.5 * _pow(one * m_mul, restarts) * (1.0 + _cos(np.float32(np.pi) * part))
        return learning_rate * ((1 - alpha) * wave + alpha)

    return _decayed(make)(global_step)


@export("compat.v1.train.linear_cosine_decay")
def linear_cosine_decay(learning_rate: Any, global_step: Any, decay_steps: Any,
                        num_periods: float = 0.5, alpha: float = 0.0, beta: float = 0.001,
                        name: str | None = None) -> Any:
    """A cosine that falls on a line from learning_rate to beta * learning_rate."""
    return _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta,
                          lambda part: 0.0)


@export("compat.v1.train.noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(
        learning_rate: Any, global_step: Any, decay_steps: Any, initial_variance: float = 1.0,
        variance_decay: float = 0.55, num_periods: float = 0.5, alpha: float = 0.0,
        beta: float = 0.001, name: str | None = None) -> Any:
    """A linear cosine decay with noise on its line: the variance falls by a power of the steps."""
    def noise(step: Tensor) -> Any:
        return _normal(()) * _sqrt(initial_variance / _pow(1.0 + step, variance_decay))

    return _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta, noise)


def _linear_cosine(learning_rate: Any, global_step: Any, decay_steps: Any, num_periods: float,
                   alpha: float, beta: float, noise: Callable[[Tensor], Any]) -> Any:
    def make(step: Tensor, one: Tensor) -> Any:
        step = _minimum(step, one * decay_steps)
        part = step / decay_steps
        wave = 0.5 * (1.0 + _cos(np.float32(np.pi * 2.0 * num_periods) * part))
        return learning_rate * ((alpha + 1.0 - part + noise(step)) * wave + beta)

    return _decayed(make)(global_step)


@export("compat.v1.train.polynomial_decay")
def polynomial_decay(learning_rate: Any, global_step: Any, decay_steps: Any,
                     end_learning_rate: float = 0.0001, power: float = 1.0, cycle: bool = False,
                     name: str | None = None) -> Any:
    """From learning_rate to end_learning_rate, by a power of the part that is left."""
    def make(step: Tensor, one: Tensor) -> Any:
        steps = one * decay_steps
        if cycle:
            times = _maximum(one, _ceil(step / decay_steps))
            steps = steps * times
        else:
            step = _minimum(step, steps)
        return (learning_rate - end_learning_rate) * _pow(
            1 - step / steps, one * power) + end_learning_rate

    return _decayed(make)(global_step)


@export("compat.v1.train.piecewise_constant", "compat.v1.train.piecewise_constant_decay")
def piecewise_constant(x: Any, boundaries: list, values: list, name: str | None = None) -> Any:
    """The value between the boundaries that `x` has reached."""
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")

    def make(step: Tensor, one: Tensor) -> Any:
        passed = _reduce_sum(_cast(
            step > _constant(boundaries, dtypes.float32), dtypes.int32))
        return _gather(_constant(values), passed)

    return _decayed(make)(x)
