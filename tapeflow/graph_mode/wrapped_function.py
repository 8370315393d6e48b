"""tf.compat.v1.wrap_function: what a program of TensorFlow 1 builds, as a function; and traced
functions with constants for variables ("frozen graphs"), `convert_variables_to_constants_v2`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeflow.base import dtypes, nest
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import TensorSpec
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph.executor.graph_function import fetch_value
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.function import function
from tapeflow.graph.tracing.operation import Operation
from tapeflow.graph.tracing.symbolic import shape_tuple
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph_mode.graph import Graph
from tapeflow.graph_mode.graph_def import written
from tapeflow.graph_mode.graph_variable import GraphVariable
from tapeflow.graph_mode.session import BaseSession, needed_nodes

_constant = LatePublic("constant")
_import_graph_def = LatePublic("graph_util.import_graph_def")


class WrappedFunction:
    """A graph with its variables; calls go from its placeholders to what its function returned."""

    def __init__(self, graph: Graph, arguments: Any, results: Any):
        self.graph, self.structured_outputs = graph, results
        self._session = BaseSession(graph=graph)
        self._arguments = nest.flatten(arguments)
        made = [one for one in graph.made.values() if isinstance(one, GraphVariable)
                and one.has_initial_value]
        self._session.run([one.initializer for one in made])
        self._function: Any = None

    @property
    def variables(self) -> list[Variable]:
        """The variables of the graph, and those from outside that it reads."""
        return [self._session.storage(one) for one in self.graph.made.values()]

    @property
    def trainable_variables(self) -> list[Variable]:
        return [one for one in self.variables if one.trainable]

    @property
    def inputs(self) -> list[Tensor]:
        return list(self._arguments)

    @property
    def outputs(self) -> list[Tensor]:
        return [one for one in nest.flatten(self.structured_outputs) if isinstance(one, Tensor)]

    def __call__(self, *args: Any) -> Any:
        return self.as_concrete_function()(*args)

    def as_concrete_function(self) -> ConcreteFunction:
        """The whole as a concrete function, its arguments with the names of the placeholders."""
        if self._function is None:
            self._function = self.prune(self._arguments, self.structured_outputs)
        return self._function

    def prune(self, feeds: Any, fetches: Any, name: str | None = None,
              input_signature: Any = None) -> Any:
        """The function from some tensors of the graph to others; an operation gives None."""
        element = self.graph.as_graph_element
        fed = [self.graph.value_of(element(one)) for one in nest.flatten(feeds)]
        wanted = [None if one is None else element(one) for one in nest.flatten(fetches)]
        tensors = {i: self.graph.value_of(one) for i, one in enumerate(wanted)
                   if isinstance(one, Tensor)}
        nodes = [node for one in wanted if isinstance(one, Operation)
                 for node in self.graph.nodes_of(one)]
        needed = needed_nodes(self.graph, tensors.values(), nodes, set(fed))

        def pruned(*args: Any) -> Any:
            env = dict(zip(fed, args, strict=True))
            assert isinstance(state.trace, Trace)
            self._session.replay(state.trace, needed, env, lambda uid: _constant(True))
            found = [fetch_value(env, tensors[i]) if i in tensors else None
                     for i in range(len(wanted))]
            return nest.pack_sequence_as(fetches, found)

        pruned.__name__ = name or "pruned"
        specs = [TensorSpec(TensorShape(one.shape), dtypes.of(one.dtype),
                            getattr(named, "name", "").partition(":")[0] or None)
                 for one, named in zip(fed, map(element, nest.flatten(feeds)), strict=True)]
        return function(pruned, autograph=False).get_concrete_function(
            *(specs if input_signature is None else input_signature))


@export("compat.v1.wrap_function")
def wrap_function(fn: Callable, signature: Any, name: str | None = None) -> WrappedFunction:
    """Run `fn` once on placeholders, in a graph of its own, and make a function of that graph."""
    graph = Graph()
    graph.keeps_rules = False  # the function has derivatives
    with graph.as_default():
        arguments = nest.map_structure(
            lambda spec: graph.placeholder(shape_tuple(spec.shape), spec.dtype.np, spec.name or ""),
            tuple(signature))
        results = fn(*arguments)
    return WrappedFunction(graph, arguments, results)


# -- frozen graphs ---------------------------------------------------------------------------------
class FrozenFunction(WrappedFunction):
    """A function of a frozen graph; tensors come by position or by the names of placeholders."""

    structured_input_signature = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = [one.name.partition(":")[0] for one in self.inputs]
        left = names[len(args):]
        if len(args) > len(names) or set(kwargs) != set(left):
            raise TypeError(f"the frozen function takes the tensors {names}, and got {len(args)} "
                            f"by position and {sorted(kwargs)} by name")
        return super().__call__(*args, *[kwargs[name] for name in left])


def convert_variables_to_constants_v2(func: Any, lower_control_flow: bool = True,
                                      aggressive_inlining: bool = False) -> FrozenFunction:
    """A concrete function with the values that its variables hold now."""
    message, inputs, results = written(func.graph, frozen=True)
    graph = Graph()
    with graph.as_default():
        found = _import_graph_def(message, name="", return_elements=[
            f"{name}:0" for name in [*inputs, *results]])
    return FrozenFunction(graph, found[:len(inputs)], found[len(inputs):])


WrappedFunction.__module__ = FrozenFunction.__module__ = "tensorflow.python.eager.wrap_function"
