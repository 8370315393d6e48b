"""Functions of tf.compat.v1 over graphs: collections, the step, and leaving eager execution."""

from __future__ import annotations

import contextlib
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.state import state
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph_mode.graph import current_graph, forget_global_graph, get_default_graph

_constant = LatePublic("constant")

_entered = contextlib.ExitStack()


@export("compat.v1.disable_eager_execution")
def disable_eager_execution() -> None:
    """From now on ops go into a graph, for sessions to run."""
    if state.trace is None:
        _entered.enter_context(get_default_graph().as_default())
    elif current_graph() is None:
        raise RuntimeError("tf.compat.v1.disable_eager_execution cannot be called inside a "
                           "tf.function.")


@export("compat.v1.enable_eager_execution")
def enable_eager_execution(config: Any = None, device_policy: Any = None,
                           execution_mode: Any = None) -> None:
    """Let ops run at once again."""
    _entered.close()


@export("compat.v1.disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Leave eager execution, as TensorFlow 1's programs expect.

    Shapes, variables, branches, loops and the equality of tensors stay TensorFlow 2's.
    """
    disable_eager_execution()


@export("compat.v1.enable_v2_behavior", "enable_v2_behavior")  # the latter of tf.compat.v2
def enable_v2_behavior() -> None:
    """Let ops run at once again; all else is TensorFlow 2's behaviour always."""
    enable_eager_execution()


@export("compat.v1.reset_default_graph")
def reset_default_graph() -> None:
    """Begin with an empty graph."""
    entered = current_graph() is not None and current_graph() is get_default_graph()
    _entered.close()
    forget_global_graph()
    if entered and state.trace is None:
        disable_eager_execution()


# -- collections -----------------------------------------------------------------------------------
@export("compat.v1.add_to_collection")
def add_to_collection(name: Any, value: Any) -> None:
    """Put a value into a collection of the default graph."""
    get_default_graph().add_to_collection(name, value)


@export("compat.v1.add_to_collections")
def add_to_collections(names: Any, value: Any) -> None:
    """Put a value into several collections."""
    get_default_graph().add_to_collections(names, value)


@export("compat.v1.get_collection")
def get_collection(key: Any, scope: str | None = None) -> list:
    """The values of a collection."""
    return [] if state.trace is None else get_default_graph().get_collection(key, scope)


@export("compat.v1.get_collection_ref")
def get_collection_ref(key: Any) -> list:
    """The list of a collection itself."""
    return get_default_graph().get_collection_ref(key)


# -- the step --------------------------------------------------------------------------------------
@export("compat.v1.train.get_global_step")
def get_global_step(graph: Any = None) -> Any:
    """The variable that counts steps, if there is one."""
    found = (graph or get_default_graph()).get_collection("global_step")
    return found[0] if found else None


@export("compat.v1.train.create_global_step")
def create_global_step(graph: Any = None) -> Any:
    """A variable that counts steps."""
    home = graph or get_default_graph()
    if home.get_collection("global_step"):
        raise ValueError('"global_step" already exists.')
    eager = graph is None and state.trace is None
    with contextlib.nullcontext() if eager else home.as_default():
        step = VariableBase(_constant(0, dtypes.int64), trainable=False, name="global_step")
    home.add_to_collection("global_step", step)
    return step


@export("compat.v1.train.get_or_create_global_step")
def get_or_create_global_step(graph: Any = None) -> Any:
    """The variable that counts steps."""
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


@export("compat.v1.train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    """How many steps a session has run."""
    return int(sess.run(global_step_tensor))
