"""Variables of a tf.Graph: what they hold belongs to sessions, which initialise them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.base.dtypes import DType
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule, LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.record.op import Spec
from tapeflow.core.scopes import init_scope, scoped_name
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph.functions.inspection import Operation
from tapeflow.graph.tracing.symbolic import Symbolic, shape_tuple
from tapeflow.graph_mode.graph import Graph, current_graph, initialized_op, no_op
from tapeflow.train.saveable_objects import VALUE, fitting_value

_boolean_mask = LatePublic("boolean_mask")
_cond = LatePublic("cond")
_constant = LatePublic("constant")
_convert_to_tensor = LatePublic("convert_to_tensor")
_logical_not = LatePublic("logical_not")
_stack = LatePublic("stack")

_new = object.__new__
_name_scope = LatePublic("name_scope")
_sessions = LateModule("tapeflow.graph_mode.session")


class InitialValue:
    """The initial value of a variable, as the variable's constructor takes it."""

    def __init__(self, tensor: Tensor):
        self._value = tensor
        self.shape = tensor.shape


def _initial_in_scope(make: Callable[[], Any], name: str) -> Any:
    """The initial value of a variable of this name; its nodes are not the variable."""
    graph = current_graph()
    assert graph is not None
    with graph.names.apart(), _name_scope(f"{scoped_name(name)}/Initializer/"):
        return make()


class GraphVariable(Variable):
    """A variable of a tf.Graph."""

    __slots__ = ("_graph", "_graph_read", "_initial", "_initializer")
    _in_graph_mode = True
    has_initial_value = True  # not where a file has the nodes that give one
    _graph: Graph
    _graph_read: Symbolic
    _initial: Tensor

    def __init__(self, initial_value: Any = None, trainable: bool | None = None,
                 collections: Any = None, **options: Any):
        if isinstance(collections, bool):  # validate_shape, the third argument of TensorFlow 2
            options["validate_shape"], collections = collections, None
        if callable(initial_value) and not isinstance(initial_value, (Tensor, Variable)):
            initial_value = functools.partial(_initial_in_scope, initial_value,
                                              options.get("name") or "Variable")
        trace: Any = state.trace
        with contextlib.nullcontext() if current_graph() is not None else init_scope():
            super().__init__(self._from_outside(initial_value, trace), trainable, **options)
        for key in ["variables"] if collections is None else collections:
            self._graph.add_to_collection(key, self)
        if self._trainable:
            self._graph.add_to_collection("trainable_variables", self)

    def _from_outside(self, initial_value: Any, trace: Any) -> Any:
        """An initial value that a function inside the graph computed, as it is outside of it."""
        if current_graph() is trace or not isinstance(initial_value, Tensor):
            return initial_value
        return _convert_to_tensor(trace.variables.lift(lambda: initial_value).numpy())

    def _swap(self, value: Any) -> None:
        """Begin, with the tensor of the initial value."""
        graph = current_graph()
        assert graph is not None and isinstance(value, Tensor)
        self._graph, self._initial = graph, value
        self._name = graph.names.unique(self._name)
        if self._static_shape is None:
            self._static_shape = value.shape
        with graph.control_dependencies(None):
            self._graph_read = graph.new_read(self)
            self._snapshot = graph.remember(self, self._graph_read)
            ordered, graph._ordered = graph._ordered, None
            write = graph.new_write(self, value, f"{self._name.rpartition('/')[2]}/Assign")
            graph._ordered = ordered
            graph.initializers.add(write._ir.node)  # type: ignore[arg-type]
            self._initializer = write.op

    def __eq__(self, other: object) -> bool:
        return self is other  # as in TensorFlow, outside of eager execution

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    @property
    def dtype(self) -> DType:
        return self._initial.dtype

    @property
    def _unique_id(self) -> str:
        return self._name  # which is unique in its graph

    @property
    def graph(self) -> Graph:
        return self._graph

    @property
    def op(self) -> Operation:
        return self._graph_read.op

    @property
    def initializer(self) -> Operation:  # type: ignore[override]
        return self._initializer

    @property
    def initial_value(self) -> Tensor:
        return self._initial

    def initialized_value(self) -> Tensor:
        return _cond(self.is_initialized(), lambda: self.value(), lambda: self._initial)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the session has a value for it."""
        graph = self._graph
        node = graph._place(initialized_op, (), {"variable": self._uid},
                            [Spec((), np.dtype(bool))], name or "VarIsInitializedOp")
        return graph.symbolic(node.outputs[0])

    def eval(self, session: Any = None) -> Any:
        """Its value in a session."""
        return self._graph.evaluate(self, None, session)

    def load(self, value: Any, session: Any = None) -> None:
        """Give it a value in a session."""
        found = session or _sessions.get_default_session()
        if found is None:
            raise ValueError("Either session argument should be provided or default session should "
                             "be established")
        found.hold(self, value)

    # -- checkpoints -----------------------------------------------------------------------------
    def _serialize_to_tensors(self) -> dict[str, Tensor]:
        """The node that reads it, the same each time: saving adds none."""
        return {VALUE: self._graph_read}

    def _restore_from_tensors(self, restored_tensors: dict[str, Tensor]) -> Any:
        """What gives a session the value of a checkpoint."""
        value = fitting_value(self, restored_tensors)
        return lambda session: session.hold(self, value)

    def _traced_update(self, delta: Any, combine: Any, read_value: bool) -> Any:
        """Of several updates in one run each sees those before it."""
        graph = current_graph()
        if graph is None:
            return super()._traced_update(delta, combine, read_value)
        now, delta = graph.new_read(self), _convert_to_tensor(delta, self.dtype)
        return self._set(now + delta if combine is np.add else now - delta, delta, read_value)

    def _set(self, tensor: Tensor, told: Tensor, read_value: bool) -> Any:
        """A write; the result stands for what the variable holds after it."""
        graph = current_graph()
        if graph is None:
            return super()._set(tensor, told, read_value)
        self._tell(told)
        write = graph.new_write(self, tensor)
        return write if read_value else write.op

    def numpy(self) -> Any:
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __repr__(self) -> str:
        return f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__

    def __deepcopy__(self, memo: dict) -> Any:
        raise NotImplementedError("__deepcopy__() is only available when eager execution is "
                                  "enabled.")


class UnsetVariable(GraphVariable):
    """A variable of a GraphDef: nothing but the nodes there gives it a value."""

    __slots__ = ()
    has_initial_value = False


def unset_variable(graph: Graph, name: str, shape: TensorShape, dtype: DType,
                   trainable: bool = False) -> GraphVariable:
    """A new variable of a GraphDef."""
    node = graph._place(no_op, (), {}, [Spec(shape_tuple(shape), dtype.np)], "unset")
    made = _new(UnsetVariable)
    with graph.control_dependencies(None):
        made.__init__(graph.symbolic(node.outputs[0]),  # type: ignore[misc]
                      trainable=False, collections=[], name=name)
    made._name, made._trainable = name, trainable
    return made


for _kind in (GraphVariable, UnsetVariable):
    _kind.__name__ = _kind.__qualname__ = "ResourceVariable"
GraphVariable.__module__ = UnsetVariable.__module__ = "tensorflow.python.ops.resource_variable_ops"


# -- all variables of a graph ----------------------------------------------------------------------
def _collection(key: str, scope: str | None) -> list:
    graph = current_graph()
    return [] if graph is None else graph.get_collection(key, scope)


@export("compat.v1.global_variables", "compat.v1.all_variables")
def global_variables(scope: str | None = None) -> list:
    """The variables of the default graph."""
    return _collection("variables", scope)


@export("compat.v1.trainable_variables")
def trainable_variables(scope: str | None = None) -> list:
    """Those that are trained."""
    return _collection("trainable_variables", scope)


@export("compat.v1.local_variables")
def local_variables(scope: str | None = None) -> list:
    """Those that are not shared between processes."""
    return _collection("local_variables", scope)


@export("compat.v1.model_variables")
def model_variables(scope: str | None = None) -> list:
    """Those in the collection of a model's variables."""
    return _collection("model_variables", scope)


@export("compat.v1.moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list:
    """Those that have moving averages."""
    return _collection("moving_average_variables", scope)


def initializer_of(variables: Any, name: str = "init") -> Any:
    """The operation that initialises variables in a session; None without a graph."""
    graph = current_graph()
    if graph is None:
        return None
    return graph.group([one.initializer for one in variables], name)


@export("compat.v1.report_uninitialized_variables")
def report_uninitialized_variables(var_list: Any = None, name: str = "report") -> Tensor:
    """The names of the variables that the session has no value for."""
    graph = current_graph()
    wanted = (global_variables() + local_variables()) if var_list is None else var_list
    names = _constant([one._name for one in wanted], dtypes.string)
    if graph is None or not wanted:
        return names[:0]
    there = _stack([one.is_initialized() for one in wanted])
    return _boolean_mask(names, _logical_not(there))
