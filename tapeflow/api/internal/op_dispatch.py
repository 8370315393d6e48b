"""Dispatch: libraries handle calls of public functions with arguments of their own types.

`tf.add(x, 1)` fails for an `x` that is no tensor; whoever registered a dispatcher is then asked.
Nobody pays for that before the first one is registered: from then on the public names stand for
functions that ask. A function whose call succeeds is not affected. Keras 2 makes layers so of
TensorFlow functions that are called on its symbolic tensors.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.api.internal.canonical_names import by_name
from tapeflow.api.internal.decorators import TFDecorator, make_decorator
from tapeflow.base.attributes import looking_like
from tapeflow.base.exports import export
from tapeflow.core.values import tensor
from tapeflow.core.values.convert import convert
from tapeflow.core.wrapped_names import wrap_names

# Functions that never ask dispatchers.
NEVER = frozenset("""
    as_dtype compat.v1.get_seed compat.v1.random.get_seed constant control_dependencies
    custom_gradient device executing_eagerly function
    get_current_name_scope get_logger get_static_value grad_pass_through gradients group
    guarantee_const hessians image.is_jpeg import_graph_def init_scope inside_function
    is_symbolic_tensor is_tensor load_library load_op_library make_ndarray make_tensor_proto map_fn
    no_gradient nondifferentiable_batch_function numpy_function py_function random.create_rng_state
    random.get_global_generator random.set_global_generator random.set_seed recompute_grad
    register_tensor_conversion_function required_space_to_batch_paddings switch_case
    type_spec_from_value variable_creator_scope vectorized_map while_loop
""".split())
# Operators of classes that copied them from tf.Tensor: the functions that are called for them.
OPERATORS = dict(pair.split("=") for pair in """
    add=__operators__.add sub=math.subtract mul=math.multiply truediv=math.truediv
    floordiv=math.floordiv mod=math.floormod pow=math.pow matmul=linalg.matmul lt=math.less
    le=math.less_equal gt=math.greater ge=math.greater_equal and=math.logical_and
    or=math.logical_or xor=math.logical_xor eq=__operators__.eq ne=__operators__.ne
    getitem=__operators__.getitem ragged_getitem=__operators__.ragged_getitem
    neg=math.negative invert=math.logical_not abs=math.abs
""".split())

_of_function: dict[Any, list[OpDispatcher]] = {}  # by the function inside all wrappers
_of_all: list[GlobalOpDispatcher] = []


@export("__internal__.dispatch.OpDispatcher")
class OpDispatcher:
    """Handles calls of one function with arguments of other types."""

    NOT_SUPPORTED = object()

    def handle(self, args: Any, kwargs: Any) -> Any:
        """What the call gives, or NOT_SUPPORTED."""
        return self.NOT_SUPPORTED

    def register(self, op: Any) -> None:
        """Handle calls of a function, or of a class method, from now on."""
        _of_function.setdefault(_inside(op), []).append(self)
        if inspect.ismethod(op) and isinstance(op.__self__, type):
            setattr(op.__self__, op.__name__, classmethod(asking(op.__func__)))
        _activate()


@export("__internal__.dispatch.GlobalOpDispatcher")
class GlobalOpDispatcher:
    """Handles calls of any function with arguments of other types."""

    NOT_SUPPORTED = OpDispatcher.NOT_SUPPORTED

    def handle(self, op: Any, args: Any, kwargs: Any) -> Any:
        """What the call gives, or NOT_SUPPORTED."""
        return self.NOT_SUPPORTED

    def register(self) -> None:
        """Handle calls from now on."""
        _of_all.append(self)
        _activate()


def _inside(function: Any) -> Any:
    return inspect.unwrap(getattr(function, "__func__", function))


def asking(function: Any) -> Any:
    """A function that asks the dispatchers where its own call fails."""
    inside = _inside(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, AttributeError):
            found = _asked(call, inside, args, kwargs)
            if found is OpDispatcher.NOT_SUPPORTED:
                raise
            return found

    looking_like(function, call)
    vars(call)["_tf_decorator"] = TFDecorator("dispatch", inside)  # whose signature libraries read
    return call


def _asked(function: Any, inside: Any, args: tuple, kwargs: dict) -> Any:
    """What the first dispatcher that handles a call gives, or NOT_SUPPORTED."""
    for one in _of_function.get(inside, ()):
        found = one.handle(args, kwargs)
        if found is not OpDispatcher.NOT_SUPPORTED:
            return found
    for every in _of_all:
        found = every.handle(function, args, kwargs)
        if found is not OpDispatcher.NOT_SUPPORTED:
            return found
    return OpDispatcher.NOT_SUPPORTED


@export("__internal__.dispatch.add_dispatch_support")
def add_dispatch_support(target: Any = None, iterable_parameters: Any = None) -> Any:
    """Decorator of functions that dispatchers may handle, where their own call fails."""
    if target is None:
        return functools.partial(add_dispatch_support, iterable_parameters=iterable_parameters)
    return make_decorator(target, asking(target))


@export("__internal__.dispatch.dispatch_for_types")
def dispatch_for_types(op: Any, *types: type) -> Callable:
    """Decorator of a function that is called for `op` with arguments of these types."""
    class ForTypes(OpDispatcher):
        def __init__(self, function: Callable):
            self.function = function

        def handle(self, args: Any, kwargs: Any) -> Any:
            given = [*args, *kwargs.values()]
            parts = [one for each in given for one in (
                each if isinstance(each, (list, tuple)) else [each])]
            if any(isinstance(one, types) for one in parts):
                return self.function(*args, **kwargs)
            return self.NOT_SUPPORTED

    def decorate(function: Callable) -> Callable:
        ForTypes(function).register(op)
        return function

    return decorate


# -- public functions ------------------------------------------------------------------------------
def _activate() -> None:
    """From the first dispatcher on: public names stand for functions that ask."""
    if tensor.borrowed is None:
        tensor.borrowed = _operator
        wrap_names(asking, but=NEVER)
        setattr(tensor.Tensor, "__getitem__", _indexing(tensor.Tensor.__getitem__))  # noqa: B010


def _indexing(own: Callable) -> Callable:
    """`x[key]` of a tensor, that asks where something in the key is of another type."""
    @functools.wraps(own)
    def index(self: Any, key: Any) -> Any:
        try:
            return own(self, key)
        except TypeError:
            public = by_name(OPERATORS["getitem"])
            found = _asked(public, _inside(public), (self, key), {})
            if found is OpDispatcher.NOT_SUPPORTED:
                raise
            return found

    return index


# -- operators -------------------------------------------------------------------------------------
def _operator(method: str, operands: tuple) -> Any:
    """`a + b` where `a` is of a class that copied `tf.Tensor.__add__`."""
    name = method.strip("_")
    if name in OPERATORS:
        return by_name(OPERATORS[name])(*operands)
    right, left = operands
    if isinstance(left, (np.ndarray, np.generic)) or not hasattr(left, "dtype"):
        left = convert(left, right.dtype)
    return by_name(OPERATORS[name.removeprefix("r")])(left, right)
