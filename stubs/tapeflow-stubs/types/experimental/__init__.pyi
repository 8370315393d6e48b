# Written by tools/stubs.py (make stubs).
"""tf.types.experimental"""

import types
from collections.abc import Callable
from typing import Any, Concatenate, Generic, overload, Protocol

import tapeflow as tf
from tapeflow._typing import NumberLike, P, Parameters, Q, QuickCall, R, Signature, T, Trace

TensorLike: types.UnionType

class ConcreteFunction:
    """One trace of a tf.function, callable with arguments of its signature."""
    def __init__(
        self, python_function: Callable, trace: Trace, signature: Signature, result: Any,
        require_native: bool = False,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def call_flat(self, tensors: list, variables: list) -> Any:
        """Call on the tensors and variables among the arguments, in order."""
    def quick_call(self, tensors: tuple) -> QuickCall | None:
        """The call on tensors of these shapes when nobody listens; None if there is none."""
    serve: Any
    def add_gradient_functions_to_graph(self, g: Any = None) -> None:
        """Nothing to do: gradients are made where they are asked for."""
    def add_to_graph(self, g: Any = None, overwrite: bool = False) -> None:
        """Let it serve its interface in the graph that is being made, if it implements one."""
    @property
    def name(self) -> str: ...
    @property
    def inference_fn(self) -> tf.types.experimental.ConcreteFunction:
        """The function without its gradient, which here is the same one."""
    @property
    def graph(self) -> Any: ...
    @property
    def inputs(self) -> list: ...
    @property
    def outputs(self) -> list: ...
    @property
    def captured_inputs(self) -> list: ...
    @property
    def structured_input_signature(self) -> tuple: ...
    @property
    def structured_outputs(self) -> Any: ...
    @property
    def output_shapes(self) -> Any: ...
    @property
    def output_dtypes(self) -> Any: ...
    @property
    def variables(self) -> tuple: ...
    @property
    def trainable_variables(self) -> tuple: ...
    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Arguments, results and captured variables, one a line; arguments and results on one."""
    @property
    def function_type(self) -> str: ...
    signature: Any
    function: Any
    again: Any

class GenericFunction(Generic[P, R]):
    """A Python function that runs as graphs. Made by `tf.function`."""
    @overload
    def __call__(self: tf.types.experimental.GenericFunction[P, NumberLike],
                 *args: P.args, **kwargs: P.kwargs) -> tf.Tensor: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def get_concrete_function(
        self, *args: Any, **kwargs: Any,
    ) -> tf.types.experimental.ConcreteFunction:
        """The graph for these arguments; tf.TensorSpec stands for any tensor like it."""
    @property
    def python_function(self) -> Callable[P, R]: ...
    @property
    def input_signature(self) -> tuple | None: ...
    @property
    def function_spec(self) -> Parameters: ...
    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable:
        """A function that gives the text of the graph for these arguments, at any stage."""
    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces as text."""
    @overload
    def __get__(self, instance: None,
                owner: Any = None) -> tf.types.experimental.GenericFunction[P, R]: ...
    @overload
    def __get__(self: tf.types.experimental.GenericFunction[Concatenate[T, Q], R], instance: T,
                owner: Any = None) -> tf.types.experimental.GenericFunction[Q, R]: ...
    __name__: str
    __wrapped__: Callable[P, R]

class SupportsTracingProtocol(Protocol):
    """A class that defines `__tf_tracing_type__`."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class TraceType:
    """What a class says of its objects as arguments, by `__tf_tracing_type__(self, …"""
    def is_subtype_of(self, other: Any) -> bool: ...
    def most_specific_common_supertype(self, others: Any) -> Any: ...
    def placeholder_value(self, placeholder_context: Any = None) -> Any: ...

class TracingContext:
    """Handed to `__tf_tracing_type__`."""

PolymorphicFunction = GenericFunction
