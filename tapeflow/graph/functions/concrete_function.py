"""A concrete function: one trace, and how arguments and results are laid out around its graph."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeflow.base import errors, nest
from tapeflow.base.dtypes import of
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LateModule
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.graph import ir
from tapeflow.graph.executor.graph_function import GraphFunction
from tapeflow.graph.functions.quick_call import QuickCall, general_way, is_small
from tapeflow.graph.functions.signature import Signature, split, static_shape
from tapeflow.graph.functions.signature_text import describe, specs_of
from tapeflow.graph.tracing.trace import Trace

if TYPE_CHECKING:
    from tapeflow.graph.functions.inspection import FunctionGraph

_inspection = LateModule("tapeflow.graph.functions.inspection")
listeners: list[Callable] = []  # are told of every new concrete function


@export("types.experimental.ConcreteFunction")
class ConcreteFunction:
    """One trace of a tf.function, callable with arguments of its signature."""

    def __init__(self, python_function: Callable, trace: Trace, signature: Signature, result: Any,
                 require_native: bool = False):
        self.signature = signature
        self._trace = trace
        self._result, self._positions = _lay_out(trace, result, python_function)
        # Tensors of a function that is being traced around this one are further inputs.
        self._captured = [x for x, _ in trace.captures]
        self._arguments = list(trace.graph.inputs)
        trace.graph.inputs = self._arguments + [value for _, value in trace.captures]
        ir.check(trace.graph)
        self.function = GraphFunction(trace.graph, require_native=require_native)
        self._unwatched = _reachable(trace)
        self.again: Callable[[], ConcreteFunction] | None = None  # traces the function anew
        for listener in listeners:
            listener(self)
        if state.graph_listener is not None:
            state.graph_listener.function_made(trace, self.function)

    # -- calling ---------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            tensors, variables = self._structured(args, kwargs)
        except unsignalled(TypeError) as reason:
            tensors, variables = self._flat(args, kwargs, reason), []
        inputs = self._arguments
        for position, (x, value) in enumerate(zip(tensors, inputs, strict=True)):
            if x.dtype.np != value.dtype:
                raise errors.invalid(
                    f"__inference_{self.name}", f"cannot compute __inference_{self.name} as input "
                    f"#{position}(zero-based) was expected to be a {of(value.dtype).name} tensor "
                    f"but is a {x.dtype.name} tensor")
        if any(not TensorShape(value.shape).is_compatible_with(x.shape)
               for x, value in zip(tensors, inputs, strict=True)):
            # Another shape than was traced for: the nodes run one by one.
            return self._packed(self.function.replay(
                [*tensors, *self._captured], self.function.variables_for(variables)))
        return self.call_flat(tensors, variables)

    def _structured(self, args: tuple, kwargs: dict) -> tuple[list, list]:
        """Arguments as the Python function takes them; Python values must be those traced."""
        labels = self.signature.labels()
        given = list(args)
        for name, kind, _ in labels[len(args):]:
            if name not in kwargs or kind == "POSITIONAL_ONLY":
                raise TypeError(f"missing a required argument: {name!r}")
            given.append(kwargs[name])
        if len(given) > len(labels):
            raise TypeError("too many positional arguments")
        unknown = sorted(set(kwargs) - {name for name, _, _ in labels[len(args):]})
        if unknown:
            raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}")
        leaves: list[Any] = []
        for x, (name, _, spec) in zip(given, labels, strict=True):
            leaves += _cast(x, spec, name)
        return split(leaves)

    def _flat(self, args: tuple, kwargs: dict, reason: TypeError) -> list:
        """The tensors alone, in order, the last ones perhaps by name."""
        names = [value.name for value in self._arguments]
        given = list(args) + [kwargs[name] for name in names[len(args):] if name in kwargs]
        good = all(isinstance(x, (Tensor, Variable)) for x in given)
        if len(given) != len(names) or not good or len(kwargs) != len(names) - len(args):
            failure = self.signature.parameters.failure(str(reason), args, kwargs)
            raise TypeError(f"{failure}\nFallback to flat signature also failed: {self.name}"
                            f"({', '.join(names)}) takes {len(names)} tensors.") from None
        return [convert(x) for x in given]

    def call_flat(self, tensors: list, variables: list) -> Any:
        """Call on the tensors and variables among the arguments, in order."""
        if self._unwatched and state.recorder is not None and self._outdated():
            assert self.again is not None
            return self.again().call_flat(tensors, variables)
        function = self.function
        return self._packed(function.call(
            [*tensors, *self._captured], function.variables_for(variables)))

    def _outdated(self) -> bool:
        """Whether a tensor is watched now of which the trace has made constants."""
        trace: Any = state.trace
        for reference in self._unwatched:
            x = reference()
            if x is None:
                continue
            if x._uid and (trace is not None or any(one.follows(x._uid) for one in state.stack)):
                return self.again is not None
            if trace is not None:
                trace.eager.meet(x)  # the function that is traced around this one has met it too
        return False

    def quick_call(self, tensors: tuple) -> QuickCall | None:
        """The call on tensors of these shapes when nobody listens; None if there is none."""
        function = self.function
        if self._captured or any(use.variable is None or use.variable._static_shape is not None
                                 for use in function.uses):
            return None
        variables = function.variables_for()
        executor = function.program([x._value for x in tensors], variables)
        run = general_way(executor, variables, self._result, None not in self._positions,
                          self._packed)
        return QuickCall(executor, variables, run,
                         None if self._result is None else self._packed, is_small(tensors))

    def _packed(self, results: list) -> Any:
        if self._result is None:
            return results[0]
        return nest.pack_sequence_as(
            self._result, [None if i is None else results[i] for i in self._positions],
            expand_composites=True)

    # -- inspection ------------------------------------------------------------------------------
    serve: Callable[[], None] | None = None  # see implementations.py

    def add_gradient_functions_to_graph(self, g: Any = None) -> None:
        """Nothing to do: gradients are made where they are asked for."""

    def add_to_graph(self, g: Any = None, overwrite: bool = False) -> None:
        """Let it serve its interface in the graph that is being made, if it implements one.

        For the rest there is nothing to do: a graph holds the functions that it calls.
        """
        if self.serve is not None:
            self.serve()

    @property
    def name(self) -> str:
        return self._trace.graph.name

    @property
    def inference_fn(self) -> ConcreteFunction:
        """The function without its gradient, which here is the same one."""
        return self

    @property
    def graph(self) -> FunctionGraph:
        return _inspection.FunctionGraph(self._trace, self.structured_outputs)

    @property
    def inputs(self) -> list:
        return self.graph.inputs

    @property
    def outputs(self) -> list:
        return self.graph.outputs

    @property
    def captured_inputs(self) -> list:
        return [*self.variables, *[x for x, _ in self._trace.graph.captured], *self._captured]

    @property
    def structured_input_signature(self) -> tuple:
        return self.signature.structured()

    def _described(self, leaf: Callable) -> Any:
        outputs = self._trace.graph.outputs
        parts = [None if i is None else leaf(i, outputs[i]) for i in self._positions]
        return parts[0] if self._result is None else nest.pack_sequence_as(
            self._result, parts, expand_composites=True)

    @property
    def structured_outputs(self) -> Any:
        return self._described(lambda i, value: self._trace.symbolic(ir.Value(
            value.shape, value.dtype, name=f"Identity_{i}:0" if i else "Identity:0")))

    @property
    def output_shapes(self) -> Any:
        return self._described(lambda i, value: TensorShape(value.shape))

    @property
    def output_dtypes(self) -> Any:
        return self._described(lambda i, value: of(value.dtype))

    @property
    def variables(self) -> tuple:
        return tuple(use.variable for use in self.function.uses if use.variable is not None)

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    def _output_type(self) -> str:
        return describe(specs_of(self._described(lambda i, value: TensorSpec(
            value.shape, of(value.dtype)))))

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Arguments, results and captured variables, one a line; arguments and results on one."""
        if not verbose:
            return self.function_type
        lines = ["Input Parameters:", *[f"  {name} ({kind}): {describe(spec)}"
                                        for name, kind, spec in self.signature.labels()]]
        lines += ["Output Type:", f"  {self._output_type()}", "Captures:"]
        captured = [f"  {x.name}: {TensorSpec(x.shape, x.dtype)!r}" for x in self.variables]
        return "\n".join([*lines, *(captured or ["  None"])])

    @property
    def function_type(self) -> str:
        words, star = [], False
        for name, kind, spec in self.signature.labels():
            if kind == "KEYWORD_ONLY" and not star:
                words.append("*")
                star = True
            words.append(f"{name}: {describe(spec)}")
        return f"({', '.join(words)}) -> {self._output_type()}"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.function_type} at 0x{id(self):X}>"


_OURS = 3  # references to a tensor in the loop below: of `met`, of the loop, of the call


def _reachable(trace: Trace) -> list[weakref.ref]:
    """The tensors that a trace has met and that others hold: they may be watched later."""
    trace.eager.forget_results()
    met, trace.eager.met = trace.eager.met, {}
    return [weakref.ref(x) for x in met.values()
            if sys.getrefcount(x) > _OURS + (id(x) in trace.eager.constants)]


def _cast(x: Any, spec: Any, name: str) -> list:
    """The leaves of one argument, as its spec wants them."""
    try:
        parts = nest.flatten_up_to(spec, x) if nest.is_nested(spec) else [x]
    except unsignalled(TypeError, ValueError) as error:
        raise TypeError(f"argument {name!r}: {error}") from None
    return [_cast_leaf(one, leaf) for one, leaf in zip(parts, nest.flatten(spec), strict=True)]


def _cast_leaf(x: Any, spec: Any) -> Any:
    if isinstance(spec, TensorSpec):
        try:
            tensor = convert(x) if isinstance(x, (Tensor, Variable)) else convert(x, spec.dtype)
        except unsignalled(TypeError, ValueError) as error:
            raise TypeError(str(error)) from None
        if tensor.dtype != spec.dtype or not spec.shape.is_compatible_with(tensor.shape):
            raise TypeError(f"Can not cast {TensorSpec(tensor.shape, tensor.dtype)!r} to {spec!r}")
        return tensor
    if isinstance(spec, CompositeSpec) and spec.is_compatible_with(x):
        return x
    if isinstance(spec, TypeSpec):
        if isinstance(x, Variable) and x.dtype == spec.dtype and static_shape(  # type: ignore
                x) == static_shape(spec):
            return x
        raise TypeError(f"Can not cast {x!r} to {spec!r}")
    if isinstance(x, (Tensor, Variable, np.ndarray)) or not (x is spec or x == spec):
        raise TypeError(f"Can not cast {x!r} to Literal[{spec!r}]")
    return x


def _lay_out(trace: Trace, result: Any, python_function: Callable) -> tuple[Any, list]:
    """Make the result the graph's outputs; where each leaf is among them (None stays None).

    The structure is None for a single tensor.
    """
    positions: list[int | None] = []
    with trace:
        for leaf in nest.flatten(result, expand_composites=True):
            if leaf is None:
                positions.append(None)
                continue
            positions.append(len(trace.graph.outputs))
            trace.graph.outputs.append(trace.value_of(_output(trace, leaf, python_function)))
    if isinstance(result, (Tensor, Variable)):
        return None, positions
    if isinstance(result, Composite):
        return result._type_spec, positions
    return nest.map_structure(
        lambda leaf: leaf._type_spec if isinstance(leaf, Composite) else nest.map_structure(
            lambda part: 0, leaf, expand_composites=True), result), positions


def _output(trace: Trace, leaf: Any, python_function: Callable) -> Tensor:
    if isinstance(leaf, Variable):
        return trace.read(leaf)
    try:
        return convert(leaf)
    except unsignalled(TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors "
            f"or ExtensionTypes or None values; in compilation of {python_function}, found return "
            f"value of type {type(leaf).__name__}, which is not a Tensor or ExtensionType."
        ) from None
