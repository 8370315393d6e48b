"""The functions that users give to map, filter, reduce …: traced once, run on bare values.

As in TensorFlow a function is traced when the dataset is made, AutoGraph included. Tensors of a
tf.function around it that it captures become parameters of the dataset. Random ops begin anew with
every iterator of the user: the instance of a function belongs to a `Run`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapeflow.base import errors
from tapeflow.base.exception_origin import unsignalled
from tapeflow.core import state as states
from tapeflow.core.state import state
from tapeflow.core.values.variable_locks import PIPELINES_READ
from tapeflow.data.elements.structure import Structure, describe, normalise
from tapeflow.data.functions.vectorized import Vectorized
from tapeflow.data.iterators.iteration import Run
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.functions.function import TRACING
from tapeflow.graph.passes import copy
from tapeflow.graph.tracing.trace import Trace
from tapeflow.graph.variable_ops import write

DEBUG = {"on": False}  # tf.data.experimental.enable_debug_mode


@dataclass(frozen=True)
class FunctionTraits:
    """What a function does beside computing, which decides how it may run."""

    random: bool  # has random ops, which begin anew with every run
    draws: bool  # may draw random numbers: in a branch or a loop if not itself
    writes: bool  # assigns variables
    stateful: bool  # has effects or depends on more than its inputs
    calls_python: bool

    @staticmethod
    def of(graph: ir.Graph) -> FunctionTraits:
        """The traits of a traced function."""
        nodes = graph.nodes
        random = any(_is_random(node) for node in nodes)
        return FunctionTraits(
            random=random,
            draws=random or any(node.op.kind == "control" for node in nodes),
            writes=any(node.op is write for node in nodes),
            stateful=any(node.op.stateful for node in nodes),
            calls_python=any(node.op.traits.calls_python for node in nodes))


def _is_random(node: Any) -> bool:
    return node.op.kind == "random" and "stream" in node.attrs


class UserFunction:
    """A function over elements of `spec`; `structure` describes what it returns."""

    def __init__(self, function: Callable, spec: Any, where: str):
        if not callable(function):
            raise ValueError(f"{where}: expected a function, got {function!r}.")
        self.python_function, self.where = function, where
        self._input = Structure(spec)
        before = state.trace, state.stack, state.recorder
        try:
            TRACING.during(self._trace)
        except BaseException:  # see `Function.__call__`
            state.trace, state.stack, state.recorder = before
            raise
        self.eager = DEBUG["on"]

    def _trace(self) -> None:
        name = f"{self.where.replace('.', '_').removesuffix('()')}_" + getattr(
            self.python_function, "__name__", "function").strip("<>")
        trace = Trace(name, around=state.trace)
        trace.may_create = True  # as TensorFlow lets it: layers are built when they are first used
        with trace:
            inputs = [trace.placeholder(_sizes(one), one.dtype.np, "args")
                      for one in self._input.tensors]
            result = self._call(self._input.pack_tensors(inputs), converted=True)
            self.structure = Structure(describe(result))
            trace.graph.outputs = [trace.value_of(x)
                                   for x in self.structure.unpack_tensors(result)]
        self.captured = [x for x, _ in trace.captures]
        trace.graph.inputs = trace.graph.inputs + [value for _, value in trace.captures]
        trace.graph.prune()
        ir.check(trace.graph)
        self.graph = GraphFunction(trace.graph, inner=True)
        self.traits = FunctionTraits.of(trace.graph)
        self.vectorized = Vectorized(self.graph, len(self._input.tensors), len(self.captured),
                                     len(self.structure.tensors))

    def _call(self, element: Any, converted: bool) -> Any:
        """Call the Python function on an element, as the arguments that it has."""
        args = element if type(element) is tuple else (element,)
        function = self.python_function
        if converted:
            from tapeflow.graph.autograph import conversion, error_report
            try:
                with error_report.user_code():
                    result = conversion.convert(function)(*args)
            except errors.InvalidArgumentError as error:
                if error.asserted:
                    raise
                raise errors.refusal(error) from error
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
        if self.traits.random:
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

    @property
    def vectorizable(self) -> bool:
        """Whether many elements can run in one call."""
        return not (self.eager or self.traits.stateful) and self.vectorized.possible

    def _eagerly(self, values: list) -> list:
        """In debug mode: the Python function itself, on eager tensors."""
        with states.only(()):
            result = self._call(self._input.pack(values), converted=False)
            return [x._value for x in self.structure.unpack_tensors(result)]

    def streams(self, run: Run) -> list:
        """What the random ops of a run's instance draw from, each once in a call."""
        graph = run.instances.get(id(self))
        return [] if graph is None else [
            node.attrs["stream"] for node in graph.graph.nodes
            if _is_random(node)]


def _sizes(spec: Any) -> tuple | None:
    return None if spec.shape.rank is None else tuple(spec.shape.as_list())


def _fresh(function: GraphFunction) -> GraphFunction:
    """The same graph with random ops at the beginning of their streams."""
    graph = copy(function.graph)
    for node in graph.nodes:
        if _is_random(node):
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


def converted(function: Callable) -> Callable:
    """A Python function as AutoGraph converts it."""
    from tapeflow.graph.autograph import conversion
    return conversion.convert(function)
