"""tf.function: traces a Python function once for each kind of arguments, and calls the graphs.

`Function` is what the decorator returns; it keeps a `ConcreteFunction` for each signature. What
counts as the same signature is in `signature.py`.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export, publish
from tapeflow.core.convert import convert
from tapeflow.core.op import Spec
from tapeflow.core.state import state
from tapeflow.core.tensor import Tensor
from tapeflow.core.variable import Variable
from tapeflow.graph import ir, signature
from tapeflow.graph.callable import GraphFunction
from tapeflow.graph.tracing import Trace

_EAGER = {"always": False}
RETRACES_TO_WARN = 5


@export("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Run tf.functions as plain Python from now on (or trace them again)."""
    _EAGER["always"] = bool(run_eagerly)


@export("config.functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """Whether tf.functions run as plain Python."""
    return _EAGER["always"]


class ConcreteFunction:
    """One trace: a graph, and how arguments and results are laid out around it."""

    def __init__(self, owner: Function, trace: Trace, shape: signature.Signature, result: Any):
        self.name = trace.graph.name
        self.signature = shape
        self._result, self._places = _lay_out(trace, result)
        self.graph = trace.graph
        ir.check(self.graph)
        self.function = GraphFunction(self.graph)

    @property
    def inputs(self) -> list:
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list:
        return list(self.graph.outputs)

    @property
    def structured_input_signature(self) -> tuple:
        return self.signature.structured()

    @property
    def structured_outputs(self) -> Any:
        from tapeflow.base.dtypes import of
        from tapeflow.base.specs import TensorSpec
        parts = [None if place is None else TensorSpec(
            self.graph.outputs[place].shape, of(self.graph.outputs[place].dtype))
            for place in self._places]
        return nest.pack_sequence_as(self._result, parts)

    @property
    def variables(self) -> tuple:
        return tuple(use.variable for use in self.function.uses if use.variable is not None)

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        leaves = self.signature.leaves_of(args, kwargs)
        return self.call_flat(*signature.split(leaves))

    def call_flat(self, tensors: list, variables: list) -> Any:
        """Call on the tensors and variables among the arguments, in order."""
        function = self.function
        results = function.call(tensors, function.variables_for(variables))
        if type(self._result) is _Single:
            return results[0]
        return nest.pack_sequence_as(
            self._result, [None if place is None else results[place] for place in self._places],
            expand_composites=True)

    def __str__(self) -> str:
        return str(self.graph)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.signature.describe(self.name)}>"


class _Single:
    """Stands for the structure of a single tensor."""


def _lay_out(trace: Trace, result: Any) -> tuple[Any, list]:
    """Make the result the graph's outputs; where each leaf is among them (None stays None)."""
    places: list[int | None] = []
    with trace:
        for leaf in nest.flatten(result, expand_composites=True):
            if leaf is None:
                places.append(None)
                continue
            tensor = trace.read(leaf) if isinstance(leaf, Variable) else convert(leaf)
            places.append(len(trace.graph.outputs))
            trace.graph.outputs.append(trace.value_of(tensor))
    if isinstance(result, (Tensor, Variable)):
        return _Single(), places
    return nest.map_structure(lambda leaf: 0, result, expand_composites=True), places


@export("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")
class Function:
    """A Python function that runs as graphs. Made by `tf.function`."""

    def __init__(self, python_function: Callable, name: str | None = None,
                 input_signature: Any = None, autograph: bool = True,
                 reduce_retracing: bool = False, jit_compile: bool | None = None):
        self._python_function = python_function
        self._name = str(name or getattr(
            python_function, "__name__", type(python_function).__name__))
        self._autograph, self._reduce_retracing = autograph, reduce_retracing
        self._jit_compile = jit_compile
        self._parameters = signature.Parameters(python_function)
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._concrete: dict[Any, ConcreteFunction] = {}
        self._relaxed: list[signature.Signature] = []
        self._traces = 0
        self._may_create = True
        self._lock = threading.RLock()
        self._bound: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        functools.update_wrapper(self, python_function, updated=())

    # -- calling ---------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _EAGER["always"]:
            return self._python_function(*args, **kwargs)
        if kwargs or self._parameters.count != len(args):
            args = self._parameters.bind(args, kwargs)
        if self.input_signature is not None:
            args = signature.fit(self.input_signature, args, self._name)
        shape = signature.Signature(self._parameters, args)
        concrete = self._concrete.get(shape.key)
        if concrete is None:
            concrete = self._find(shape)
        return concrete.call_flat(shape.tensors, shape.variables)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for these arguments; tf.TensorSpec stands for any tensor like it."""
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        else:
            args = self._parameters.bind(args, kwargs)
            if self.input_signature is not None:
                args = self.input_signature
        shape = signature.Signature(self._parameters, args)
        return self._concrete.get(shape.key) or self._find(shape)

    def _find(self, shape: signature.Signature) -> ConcreteFunction:
        with self._lock:
            concrete = self._concrete.get(shape.key)
            if concrete is not None:
                return concrete
            if self.input_signature is not None:
                wide = signature.Signature(self._parameters,
                                           signature.widen(shape.args, self.input_signature))
            else:
                wide = self._relax(shape) if self._reduce_retracing else shape
            concrete = self._concrete.get(wide.key)
            if concrete is None:
                self._warn_of_retracing(shape)
                concrete = self._concrete[wide.key] = self._trace(wide)
            self._concrete[shape.key] = concrete
            return concrete

    def _relax(self, shape: signature.Signature) -> signature.Signature:
        """The second shape of an argument makes its differing sizes unknown."""
        for position, known in enumerate(self._relaxed):
            merged = known.merge(shape)
            if merged is not None:
                self._relaxed[position] = merged
                return merged
        self._relaxed.append(shape)
        return shape

    # -- tracing ---------------------------------------------------------------------------------
    def _trace(self, shape: signature.Signature) -> ConcreteFunction:
        creating = self._may_create
        concrete, created = self._trace_once(shape, creating)
        self._may_create = False
        if created:
            # As in TensorFlow: variables are made by the first trace, the second uses them.
            concrete, _ = self._trace_once(shape, False)
        return concrete

    def _trace_once(self, shape: signature.Signature,
                    creating: bool) -> tuple[ConcreteFunction, bool]:
        self._traces += 1
        trace = Trace(self._name)
        trace.may_create = creating
        with trace:
            args = shape.placeholders(trace)
            result = self._parameters.call(self._converted(), args)
        return ConcreteFunction(self, trace, shape, result), bool(trace.created)

    def _converted(self) -> Callable:
        if not self._autograph:
            return self._python_function
        from tapeflow.graph import autograph
        return autograph.convert(self._python_function)

    def _warn_of_retracing(self, shape: signature.Signature) -> None:
        if len(self._concrete) < RETRACES_TO_WARN or self._traces % RETRACES_TO_WARN:
            return
        import logging
        last = next(reversed(self._concrete.values())).signature
        logging.getLogger("tensorflow").warning(
            "%d out of the last %d calls to %s triggered tf.function retracing. Tracing is "
            "expensive. What changed: %s. Pass tensors instead of Python objects, use "
            "reduce_retracing=True or an input_signature, and define the tf.function outside the "
            "loop.", RETRACES_TO_WARN, self._traces, self._name, shape.difference(last))

    # -- inspection ------------------------------------------------------------------------------
    @property
    def python_function(self) -> Callable:
        return self._python_function

    @property
    def function_spec(self) -> Any:
        return self._parameters

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._traces

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        unique = {id(one): one for one in self._concrete.values()}
        return "\n\n".join(one.signature.describe(self._name) for one in unique.values())

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        try:
            bound = self._bound.get(instance)
        except TypeError:
            return self._bind(instance)
        if bound is None:
            bound = self._bound[instance] = self._bind(weakref.proxy(instance), instance)
        return bound

    def _bind(self, held: Any, instance: Any = None) -> Function:
        method = functools.partial(self._python_function, held)
        method.__doc__ = self._python_function.__doc__
        return Function(method, self._name, self.input_signature, self._autograph,
                        self._reduce_retracing, self._jit_compile)

    def __repr__(self) -> str:
        return f"<tapeflow Function {self._name}>"


def _autograph(name: str) -> Callable:
    """A function of the autograph package, which is loaded at its first use."""
    def lazy(*args: Any, **kwargs: Any) -> Any:
        from tapeflow.graph import autograph
        return getattr(autograph, name)(*args, **kwargs)

    lazy.__name__ = lazy.__qualname__ = name
    return lazy


for _name in ("to_code", "to_graph", "experimental.do_not_convert"):
    publish(_autograph(_name.rpartition(".")[2]), f"autograph.{_name}")


@export("function")
def function(func: Callable | None = None, input_signature: Any = None, autograph: bool = True,
             jit_compile: bool | None = None, reduce_retracing: bool = False,
             experimental_implements: Any = None, experimental_autograph_options: Any = None,
             experimental_attributes: Any = None, experimental_relax_shapes: bool | None = None,
             experimental_compile: bool | None = None,
             experimental_follow_type_hints: bool | None = None) -> Any:
    """Compile a function into a callable graph.

    >>> @tf.function
    ... def f(x):
    ...     return x * x
    >>> f(tf.constant(3.0))
    <tf.Tensor: shape=(), dtype=float32, numpy=9.0>
    """
    relax = reduce_retracing if experimental_relax_shapes is None else experimental_relax_shapes
    if experimental_compile is not None:
        jit_compile = experimental_compile

    def decorate(inner: Callable) -> Function:
        return Function(inner, input_signature=input_signature, autograph=autograph,
                        reduce_retracing=relax, jit_compile=jit_compile)

    return decorate if func is None else decorate(func)


__all__ = ["ConcreteFunction", "Function", "Spec", "function", "state"]
