"""Small functions of `tf.__internal__` that Keras 2 calls.

Loaded when one of the names is asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tapeflow as tf
from tapeflow.base import nest
from tapeflow.base.exports import export, publish
from tapeflow.core import scopes
from tapeflow.core.record.elementwise_ops import add as _add
from tapeflow.core.record.families import matching, operand
from tapeflow.core.state import state
from tapeflow.core.values import nest_paths
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph.autograph.conversion import convert
from tapeflow.graph.functions.function import Function
from tapeflow.graph.tracing.symbolic import Symbolic

publish(Function, "__internal__.function.Function")
publish(Symbolic, "__internal__.SymbolicTensor")
for _name in ("flatten_up_to", "map_structure_up_to"):
    publish(getattr(nest, _name), f"__internal__.nest.{_name}")
for _name in ("get_traverse_shallow_structure", "yield_flat_paths", "is_mapping", "is_attrs",
              "list_to_tuple", "sequence_like", "flatten_with_joined_string_paths",
              "map_structure_with_paths"):
    publish(getattr(nest_paths, _name), f"__internal__.nest.{_name}")


class _HasValue(type):
    """Symbolic tensors are a kind of `Tensor` here, but of no `EagerTensor`."""

    def __instancecheck__(cls, value: Any) -> bool:
        return type(value) is Tensor and not (value._traced and state.trace is not None)

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is Tensor or kind is EagerTensor


@export("__internal__.EagerTensor")
class EagerTensor(Tensor, metaclass=_HasValue):
    """What libraries ask whether a tensor is one of: those that have a value."""

    __slots__ = ()


EagerTensor.__module__ = Tensor.__module__


def _without_variables(self: Any) -> Any:
    """A ragged or sparse tensor whose parts are tensors, where some of them were variables."""
    return nest.map_structure(lambda one: operand(one) if isinstance(one, VariableBase) else one,
                              self, expand_composites=True)


setattr(Composite, "_convert_variables_to_tensors", _without_variables)  # noqa: B010


# -- AutoGraph -------------------------------------------------------------------------------------
@export("__internal__.autograph.control_status_ctx")
def control_status_ctx() -> Any:
    """Whether functions are being converted here: the trace, or None."""
    return state.trace


@export("__internal__.autograph.tf_convert")
def tf_convert(f: Callable, ctx: Any, convert_by_default: bool = True,
               user_requested: bool = False) -> Callable:
    """A function whose control flow may be of tensors, where one is being traced."""
    return f if ctx is None else convert(f, asked=user_requested)


# -- operators as functions ------------------------------------------------------------------------
@export("__operators__.getitem")
def getitem(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
    """`tensor[slice_spec]`."""
    return operand(tensor if var is None else var)[slice_spec]


@export("__operators__.add")
def add(x: Any, y: Any, name: str | None = None) -> Any:
    """`x + y`."""
    return _add(*matching(x, y))


@export("__operators__.eq")
def equal(self: Any, other: Any) -> Any:
    """`self == other`, where `self` is a tensor."""
    return operand(self) == other


@export("__operators__.ne")
def not_equal(self: Any, other: Any) -> Any:
    """`self != other`, where `self` is a tensor."""
    return operand(self) != other


@export("__operators__.ragged_getitem")
def ragged_getitem(rt_input: Any, key: Any) -> Any:
    """`rt_input[key]` of a ragged tensor."""
    if not isinstance(rt_input, tf.RaggedTensor):
        raise TypeError(f"ragged_getitem: expected a RaggedTensor, got {type(rt_input).__name__}")
    return rt_input[key]


# -- names, weights, averages ----------------------------------------------------------------------
@export("__internal__.get_name_scope")
def get_name_scope() -> str:
    """The name scopes that are open, joined by slashes."""
    return scopes.scoped_name("").rstrip("/")


@export("__internal__.execute_fn_for_device")
def execute_fn_for_device(device_branch_fns: dict[str, Callable], default_fn: Callable,
                          name: str = "execute_fn") -> Any:
    """What the function for the CPU gives."""
    functions = {kind.upper(): function for kind, function in device_branch_fns.items()}
    return functions.get("CPU", default_fn)()


@export("__internal__.ops.is_resource_variable")
def is_resource_variable(var: Any) -> bool:
    """Whether a value is a variable."""
    return isinstance(var, VariableBase)


@export("__internal__.ops.broadcast_weights")
def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """Weights in the shape of the values, whose ranks agree or which are scalar."""
    values = tf.convert_to_tensor(values)
    weights = tf.convert_to_tensor(weights, dtype=values.dtype)
    if weights.shape.is_fully_defined() and weights.shape == values.shape:
        return weights
    mine, theirs = weights.shape.rank, values.shape.rank
    sizes = zip(weights.shape.as_list(), values.shape.as_list()) if mine == theirs and mine else ()
    fits = mine in (0, None) or theirs is None or mine == theirs and all(
        a in (1, None, b) or b is None for a, b in sizes)
    if not fits:
        raise ValueError("weights can not be broadcast to values. "
                         f"values.rank={theirs}. weights.rank={mine}. "
                         f"values.shape={values.shape}. weights.shape={weights.shape}.")
    return weights * tf.ones_like(values)


@export("__internal__.train.assign_moving_average")
def assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool = True,
                          name: str | None = None) -> Any:
    """`variable = variable * decay + value * (1 - decay)`."""
    if zero_debias:
        raise NotImplementedError("tapeflow has no moving averages that start at zero: pass "
                                  "zero_debias=False.")
    rest = tf.cast(1.0 - decay, variable.dtype)
    return variable.assign_sub((variable - value) * rest)


@export("__internal__.distribute.variable_sync_on_read_context")
@contextlib.contextmanager
def variable_sync_on_read_context() -> Iterator[None]:
    """Accepted: the values of replicas are read as they are."""
    yield


@export("__internal__.load_context")
@contextlib.contextmanager
def load_context(load_options: Any) -> Iterator[None]:
    """Accepted: options of loading mean nothing here."""
    yield


# -- what a library tells of itself ----------------------------------------------------------------
_told: dict[str, Any] = {}  # who clears a session, loads a model …: nobody asks


def _hook(path: str) -> None:
    def register(*args: Any, **kwargs: Any) -> None:
        """Note a function of the library's."""
        _told[path] = args

    register.__name__ = register.__qualname__ = path.rpartition(".")[2]
    publish(register, f"__internal__.{path}")


for _name in ("register_call_context_function", "register_clear_session_function",
              "register_get_session_function", "register_load_model_function"):
    _hook(_name)


@export("__internal__.tracking.register_session_provider")
def register_session_provider(session_provider: Callable) -> None:
    """Note who has a session where none is open."""
    from tapeflow.graph_mode.session import provide_sessions
    provide_sessions(session_provider)
