"""The functions that users give to map, filter, reduce …: traced once, run on bare values.

As in TensorFlow a function is traced when the dataset is made, AutoGraph included. Tensors of a
tf.function around it that it captures become parameters of the dataset. Random ops begin anew with
every iterator of the user: the instance of a function belongs to a `Run`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import from_library, unsignalled
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.variable_locks import PIPELINES_READ
from tapeflow.data.dataset import Run
from tapeflow.data.elements.structure import Structure, describe, normalise
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.functions.function import _TRACING
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write

DEBUG = {"on": False}  # tf.data.experimental.enable_debug_mode
_ROWWISE = frozenset({"elementwise", "reduce", "move", "contract"})
TRIAL = 256  # elements that run one by one before a function is worth a graph for many rows
MOST_BLOCKS = 4  # numbers of rows that a function has graphs for
MOST_BYTES = 1 << 25  # of all values of a function, for a block of rows


class UserFunction:
    """A function over elements of `spec`; `structure` describes what it returns."""

    def __init__(self, function: Callable, spec: Any, where: str):
        if not callable(function):
            raise ValueError(f"{where}: expected a function, got {function!r}.")
        self.python_function, self.where = function, where
        self._given = Structure(spec)
        before = state.trace, state.stack, state.recorder
        try:
            with _TRACING:
                self._trace()
        except BaseException:  # see `Function.__call__`
            state.trace, state.stack, state.recorder = before
            raise
        self._done = 0
        self._blocks: dict[int, Any] = {}
        self._rowwise: bool | None = None
        self._row_bytes = 0
        self.eager = DEBUG["on"]

    def _trace(self) -> None:
        name = f"{self.where.replace('.', '_').removesuffix('()')}_" + getattr(
            self.python_function, "__name__", "function").strip("<>")
        trace = Trace(name, around=state.trace)
        trace.may_create = True  # as TensorFlow lets it: layers are built when they are first used
        with trace:
            inputs = [trace.placeholder(_sizes(one), one.dtype.np, "args")
                      for one in self._given.tensors]
            result = self._call(self._given.pack_tensors(inputs), converted=True)
            self.structure = Structure(describe(result))
            trace.graph.outputs = [trace.value_of(x)
                                   for x in self.structure.unpack_tensors(result)]
        self.captured = [x for x, _ in trace.captures]
        trace.graph.inputs = trace.graph.inputs + [value for _, value in trace.captures]
        trace.graph.prune()
        ir.check(trace.graph)
        self.graph = GraphFunction(trace.graph, inner=True)
        self.random = any(node.op.kind == "random" and "stream" in node.attrs
                          for node in trace.graph.nodes)
        # Whether it may draw, in a branch or a loop if not here.
        self.draws = self.random or any(node.op.kind == "control" for node in trace.graph.nodes)
        self.writes = any(node.op is write for node in trace.graph.nodes)
        self.stateful = any(node.op.stateful for node in trace.graph.nodes)
        self.foreign = any(node.op.traits.calls_python for node in trace.graph.nodes)

    def _call(self, element: Any, converted: bool) -> Any:
        """Call the Python function on an element, as the arguments that it has."""
        args = element if type(element) is tuple else (element,)
        function = self.python_function
        if converted:
            from tapeflow.graph.autograph import conversion, report
            try:
                with report.user_code():
                    result = conversion.convert(function)(*args)
            except errors.InvalidArgumentError as error:
                raise report.refusal(error) from error
        else:
            result = function(*args)
        try:
            return normalise(tuple(result) if isinstance(result, list) else result)
        except unsignalled(TypeError, ValueError) as error:
            raise TypeError(f"Unsupported return value from function passed to {self.where}: "
                            f"{result}.") from error

    # -- running ---------------------------------------------------------------------------------
    def instance(self, captured: tuple, run: Run) -> Callable[[list], Any]:
        """The function on flat elements, for one iterator of the user."""
        if self.eager:
            return self._eagerly
        graph: Any = self.graph
        if self.random:
            graph = run.instances.get(id(self))
            if graph is None:
                graph = run.instances[id(self)] = _fresh(self.graph)
                run.instances[id(graph)] = self  # ids stay taken
        variables = graph.variables_for()
        if variables and not PIPELINES_READ:
            PIPELINES_READ.append(True)
        program = graph.program([], []) if graph._static else graph
        if not captured:
            return lambda values: program.run(values, variables)
        more = [x._value for x in captured]
        return lambda values: program.run([*values, *more], variables)

    def _eagerly(self, values: list) -> list:
        """In debug mode: the Python function itself, on eager tensors."""
        with states.only(()):
            result = self._call(self._given.pack(values), converted=False)
            return [x._value for x in self.structure.unpack_tensors(result)]

    def streams(self, run: Run) -> list:
        """What the random ops of a run's instance draw from, each once in a call."""
        graph = run.instances.get(id(self))
        return [] if graph is None else [
            node.attrs["stream"] for node in graph.graph.nodes
            if node.op.kind == "random" and "stream" in node.attrs]

    # -- many rows at once -----------------------------------------------------------------------
    @property
    def rowwise(self) -> bool:
        """Whether many elements can run in one call: all its ops know batches, and nothing else."""
        if self._rowwise is None:
            graph = self.graph.graph
            self._rowwise = not (self.eager or self.stateful or graph.variables) and all(
                node.op.kind in _ROWWISE and node.op.batch is not None for node in graph.nodes
            ) and self.graph._static and all(
                value.dtype.kind != "O" for value in [*graph.inputs, *graph.outputs])
            if self._rowwise:
                self._row_bytes = sum(value.dtype.itemsize * math.prod(value.shape or ())
                                      for value in graph.values())
        return self._rowwise

    def block(self, count: int) -> Any:
        """The graph over `count` rows, or None where one by one is better."""
        self._done += count
        if self._done <= TRIAL or not self.rowwise or count * self._row_bytes > MOST_BYTES:
            return None
        if count not in self._blocks:
            if len(self._blocks) >= MOST_BLOCKS:
                return None
            self._blocks[count] = self._block(count)
        return self._blocks[count]

    def _block(self, count: int) -> Any:
        from tapeflow.graph.control_flow.control_flow_batching import vectorised
        given = len(self._given.tensors)
        marks = (True,) * given + (False,) * len(self.captured)
        try:
            with states.only(()):
                graph, _ = vectorised(self.graph, count, marks,
                                      (True,) * len(self.structure.tensors))
                return graph.program([], []) if graph._static else None
        except Exception as error:  # an op that has no rule for this after all: one by one works
            if not from_library(error):
                raise
            self._rowwise = False
            return None


def _sizes(spec: Any) -> tuple | None:
    return None if spec.shape.rank is None else tuple(spec.shape.as_list())


def _fresh(function: GraphFunction) -> GraphFunction:
    """The same graph with random ops at the beginning of their streams."""
    graph = copy(function.graph)
    for node in graph.nodes:
        if node.op.kind == "random" and "stream" in node.attrs:
            node.attrs["stream"] = node.attrs["stream"].fresh()
    made = GraphFunction(graph, inner=True)
    made.fixed = function.fixed
    return made


def predicate(function: Callable, spec: Any, where: str) -> UserFunction:
    """A function that returns a boolean scalar."""
    made = UserFunction(function, spec, where)
    result = made.structure.spec
    if not (made.structure.plain and len(made.structure.leaves) == 1
            and made.structure.tensors[0].dtype.name == "bool"
            and made.structure.tensors[0].shape.is_compatible_with([])):
        raise ValueError(f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar "
                         f"tensor but its return type is {result}.")
    return made

