"""`tf.__internal__`: what libraries built on TensorFlow, Keras first of all, take from inside it.

Loaded when one of its names is asked for. Imports `core`, `ops` and `graph`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import export, publish
from tapeflow.base.shapes import Dimension, TensorShape
from tapeflow.core import scopes
from tapeflow.core.scopes import init_scope
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph.tracing.trace import Trace
from tapeflow.ops.control.control_flow import cond


# -- graphs made by hand ---------------------------------------------------------------------------
@export("__internal__.FuncGraph")
class FuncGraph(Trace):
    """A graph that ops are put into between `with graph.as_default():` and its end."""

    takes_all = True  # Keras passes what one layer made, in its graph, to the next

    def __init__(self, name: str, *args: Any, **kwargs: Any):
        super().__init__(name)
        self.name = name
        self.may_create = True

    @contextlib.contextmanager
    def as_default(self) -> Iterator[FuncGraph]:
        """Ops on symbolic tensors become nodes of this graph; tensors of graphs around may be
        used."""
        self._before = before = (state.trace, state.stack, state.recorder)
        self.around = None if state.trace is self else state.trace
        with scopes.names_of(self):
            try:
                state.trace, state.stack, state.recorder = self, (self,), self
                yield self
            finally:
                state.trace, state.stack, state.recorder = before


@export("compat.v1.placeholder")
def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor of a graph that has no value yet."""
    trace: Any = state.trace
    if trace is None:
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    sizes = TensorShape(shape)
    return trace.placeholder(None if sizes.rank is None else tuple(sizes.as_list()),
                             dtypes.as_dtype(dtype).np, name or "Placeholder")


@export("compat.v1.sparse_placeholder")
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A SparseTensor of a graph that has no value yet."""
    from tapeflow.ops.sparse.sparse_tensor import SparseTensorSpec
    spec = SparseTensorSpec(shape, dtype)
    parts = [placeholder(part.dtype, part.shape, name) for part in spec._component_specs]
    return spec._from_components(parts)


@export("compat.v1.executing_eagerly_outside_functions")
def executing_eagerly_outside_functions() -> bool:
    """Whether ops run at once where no function is traced: not inside a tf.Graph."""
    return state.trace is None or state.trace.home_graph() is None


# -- control flow ----------------------------------------------------------------------------------
@export("__internal__.smart_cond.smart_cond")
def smart_cond(pred: Any, true_fn: Callable, false_fn: Callable, name: str | None = None) -> Any:
    """tf.cond that is decided at once if `pred` has a value now."""
    for word, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"Argument `{word}` must be callable. Received: {function!r}")
    if isinstance(pred, Variable) or isinstance(pred, Tensor) and pred._interpreter is not None:
        return cond(pred, true_fn, false_fn)
    if not isinstance(pred, Tensor) and pred not in (0, 1):
        raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. Received: "
                        f"{type(pred)}")
    return true_fn() if pred else false_fn()


# -- eager or not ----------------------------------------------------------------------------------
@export("__internal__.eager_context.eager_mode")
def eager_mode() -> Any:
    """A context in which ops run at once, also where a function is being traced."""
    return init_scope()


@export("__internal__.eager_context.get_config")
def get_config() -> None:
    """The configuration of a runtime that tapeflow does not have."""


@export("__internal__.tf2.enabled")
def enabled() -> bool:
    """Whether TensorFlow 2's behaviour is on: always."""
    return True


# -- TensorFlow 1 ----------------------------------------------------------------------------------
publish(Dimension, "compat.v1.Dimension")
