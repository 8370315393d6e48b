"""tf.function: traces a Python function once for each kind of arguments, and calls the graphs.

`Function` is what the decorator returns. It keeps a `ConcreteFunction` for each signature
(`trace_cache`); `signature` says what counts as the same one, `binding` how arguments are bound.
"""

from __future__ import annotations

import functools
import inspect
import operator
import weakref
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from tapeflow.base import errors, nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export, known_as, publish
from tapeflow.base.late import LateModule
from tapeflow.base.process.garbage import collect_seldom
from tapeflow.base.settings import settings
from tapeflow.base.specs import TypeSpec
from tapeflow.core.scopes import names_of
from tapeflow.core.state import Lock, drop_abandoned, state
from tapeflow.core.traceback_filter import shorten
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.executor.interface import MISS, DirectCall
from tapeflow.graph.functions import first_values
from tapeflow.graph.functions.argument_binding import InputSignature, Parameters, of_object
from tapeflow.graph.functions.concrete_function import ConcreteFunction
from tapeflow.graph.functions.quick_call import QuickCall, is_small, quick_key
from tapeflow.graph.functions.retracing import count_of
from tapeflow.graph.functions.signature import Signature
from tapeflow.graph.functions.trace_cache import TraceCache
from tapeflow.graph.tracing.trace import Trace

# One thread traces at a time: functions may call each other in any order.
TRACING = Lock()


@export("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Run tf.functions as plain Python from now on (or trace them again)."""
    settings.run_functions_eagerly = run_eagerly


@export("config.functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """Whether tf.functions run as plain Python."""
    return settings.run_functions_eagerly


class Options(NamedTuple):
    """What the decorator was given, beside the function."""

    name: str
    input_signature: Any
    autograph: bool
    reduce_retracing: bool
    jit_compile: bool | None


@export("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")
class Function:
    """A Python function that runs as graphs. Made by `tf.function`."""

    def __init__(self, python_function: Callable, name: str | None = None,
                 input_signature: Any = None, autograph: bool = True,
                 reduce_retracing: bool = False, jit_compile: bool | None = None,
                 instance: Any = None):
        self._python_function = python_function
        self._options = Options(
            str(name or getattr(python_function, "__name__", type(python_function).__name__)),
            input_signature, autograph, reduce_retracing, jit_compile)
        self._instance = instance  # of a method: how to get at the object it is bound to
        self._parameters = Parameters(python_function, method=instance is not None)
        self._wanted = None if input_signature is None else InputSignature(
            input_signature, self._parameters)
        self._traces = TraceCache()
        self._native: DirectCall | None = None  # of the signature that was called last
        self._quick: dict[Any, QuickCall | None] = {}  # by dtypes and shapes
        # Of the last call: the arguments, or the trace that served and its tensors; None if large.
        self._last: tuple | list | None = None
        self._keeps = True  # whether arguments for `_native` are small enough to be kept
        self._times_traced = 0
        self._may_create = True
        self._count = count_of(python_function)
        self._bound: dict[int, tuple[Any, Function]] = {}
        functools.update_wrapper(self, python_function, updated=())

    @property
    def __signature__(self) -> inspect.Signature:
        found = self._parameters.signature
        return found if found is not None else inspect.signature(self._python_function)

    def __getattr__(self, name: str) -> Any:
        """Attributes of a callable object, of which this is the function."""
        inner = self.__dict__.get("_python_function")
        if inner is None or name.startswith("_") or inspect.isroutine(inner):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(inner, name)

    def _decorate(self, decorator: Callable) -> None:
        """Have traces run `decorator(function)`; only before the first one."""
        if self._traces.in_order:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function = decorator(self._python_function)

    # -- calling ---------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if settings.run_functions_eagerly:
            return self._callable()(*args, **kwargs)
        self._count.calls += 1
        key = None
        if not kwargs and state.recorder is None:
            if self._native is not None:
                self._last = args if self._keeps else None
                result = self._native(args)
                if result is not MISS:
                    return result
            key = quick_key(args)
            quick = self._quick.get(key)
            if quick is not None:
                self._last = args if quick.small else None
                if quick.native is not self._native:  # it took over, or other arguments came
                    native, self._keeps = quick.native, quick.small
                    self._native = native
                    if native is not None:
                        result = native(args)
                        if result is not MISS:
                            return result
                try:
                    return quick.run(args)
                except BaseException as error:
                    shorten(error)
                    raise
        drop_abandoned()
        before = state.trace, state.stack, state.recorder
        try:
            return self._by_signature(args, kwargs, key)
        except BaseException as error:
            # An exception of a signal's handler may come when what restores these begins.
            state.trace, state.stack, state.recorder = before
            if before[0] is None:  # the program's own call, not one inside a trace
                shorten(error)
            raise

    def _by_signature(self, args: tuple, kwargs: dict, key: tuple | None) -> Any:
        """Call the trace for these arguments; `key`: of tensors alone, for the next call."""
        given = args
        if kwargs or self._parameters.count != len(args):
            args, key = self._parameters.bind(args, kwargs), None
        if self._wanted is not None:
            args = self._wanted.fit(args)
        signature = Signature(self._parameters, args)
        concrete = self._traces.by_key.get(signature.key)
        if concrete is None or (key is not None and key not in self._quick):
            return collect_seldom(self._first_call, given, signature, key)
        return self._call(concrete, signature)

    def _first_call(self, given: tuple, signature: Signature, key: tuple | None) -> Any:
        """The first call on such arguments: may trace and compile."""
        concrete = self._traces.by_key.get(signature.key)
        if concrete is None:
            for one in signature.tensors:
                if isinstance(one, TypeSpec):
                    raise ValueError(f"Attempt to convert a value ({one}) with an unsupported type "
                                     f"({type(one)}) to a Tensor: a spec stands for a tensor in "
                                     "get_concrete_function only.")
            concrete = self._find(signature)
        if key is not None and key not in self._quick:
            self._quick[key] = concrete.quick_call(given)
        return self._call(concrete, signature)

    def _call(self, concrete: ConcreteFunction, signature: Signature) -> Any:
        self._last = [concrete, signature.tensors] if is_small(signature.tensors) else None
        if signature.variables:
            concrete, self._last = self._apart(concrete, signature), None
        return concrete.call_flat(signature.tensors, signature.variables)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for these arguments; tf.TensorSpec stands for any tensor like it."""
        if self._wanted is not None:
            args = (self._wanted.arguments() if not args and not kwargs
                    else self._wanted.fit(self._parameters.bind(args, kwargs)))
        else:
            args = self._parameters.bind(args, kwargs)
        self._count.calls += 1
        signature = Signature(self._parameters, args)
        return self._traces.by_key.get(signature.key) or self._find(signature)

    def _list_all_concrete_functions(self) -> list[ConcreteFunction]:
        """The traces so far; Keras asks for them."""
        return list(self._traces.in_order)

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        """The traces that a saved model holds; tests of Keras 2 ask for them."""
        if self.input_signature is not None:
            self.get_concrete_function()
        return self._list_all_concrete_functions()

    @property
    def _concrete_variable_creation_fn(self) -> ConcreteFunction:
        """The first trace; Keras 2 draws its graph."""
        if not self._traces.in_order:
            raise AttributeError(f"{self._options.name!r} has not been traced yet")
        return self._traces.in_order[0]

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """What a saved model has of it: its traces. Keras 2 asks for them."""
        if save_type == "checkpoint":
            return {}
        return {f"trace_{i}": one for i, one in enumerate(self._traces.in_order)}

    def _find(self, signature: Signature) -> ConcreteFunction:
        return collect_seldom(TRACING.during, self._found, signature)

    def _found(self, signature: Signature) -> ConcreteFunction:
        traces = self._traces
        concrete = traces.by_key.get(signature.key)
        if concrete is None:
            wide = signature
            if self._wanted is not None:
                wide = Signature(self._parameters, self._wanted.with_specs(signature.args))
            concrete = traces.covering(wide) or self._trace(
                traces.relax(wide) if self._options.reduce_retracing else wide)
            traces.by_key[signature.key] = concrete
        return concrete

    def _apart(self, concrete: ConcreteFunction, signature: Signature) -> ConcreteFunction:
        """Another trace if an argument is a variable that the function captures as well."""
        both = frozenset(v._uid for v in signature.variables) & frozenset(
            v._uid for v in concrete.variables)
        if not both:
            return concrete
        return TRACING.during(self._apart_for, both, signature)

    def _apart_for(self, both: frozenset, signature: Signature) -> ConcreteFunction:
        key = ("captured too", both, signature.key)
        found = self._traces.by_key.get(key)
        if found is None:
            found, _ = self._trace_once(signature, False, both)
            self._traces.by_key[key] = found
        return found

    # -- tracing ---------------------------------------------------------------------------------
    def _trace(self, signature: Signature) -> ConcreteFunction:
        self._count.add(self._python_function, lambda: self._traces.why_new(signature))
        concrete, created = self._trace_once(signature, self._may_create)
        self._may_create = False
        if created:
            # As in TensorFlow: variables are made by the first trace, the second uses them.
            concrete, _ = self._trace_once(signature, False)
        self._traces.add(signature, concrete)
        return concrete

    def _trace_once(self, signature: Signature, creating: bool, real: frozenset = frozenset(),
                    opens: bool = False) -> tuple[ConcreteFunction, bool]:
        self._times_traced += not opens  # a trace that another replaces does not count
        trace = Trace(self._options.name, around=state.trace)
        trace.opens_constants, trace.repeatable = opens, not opens
        trace.may_create, trace.compiled = creating, bool(self._options.jit_compile)
        if all(type(x) is Tensor for x in signature.tensors):
            trace.variables.arguments = [x._value for x in signature.tensors]
        with names_of(trace), trace:
            args = signature.placeholders(trace, real)
            before = nest.map_structure(lambda x: x, args)
            result = self._run(args)
            self._check_unmodified(before, args)
        if trace.constants_asked and not trace.variables.created:
            return self._trace_once(signature, creating, real, True)
        trace.variables.arguments = None
        concrete = ConcreteFunction(self._python_function, trace, signature.described(), result,
                                    trace.compiled)
        concrete.again = lambda: self._traced_anew(concrete, real)
        if state.trace is None:
            first_values.keep(self, trace.graph)
        return concrete, bool(trace.variables.created)

    def _check_unmodified(self, before: tuple, after: tuple) -> None:
        """Refuse a function that changed a list or dict among its arguments: later calls do not."""
        changed = [name for (name, _, old), (_, _, new) in zip(
            self._parameters.labels(before), self._parameters.labels(after), strict=True)
            if not _is_same(old, new)]
        if changed:
            name = getattr(self._python_function, "__qualname__", self._options.name)
            raise ValueError(f"{name}{self._parameters.text()} should not modify its Python input "
                             "arguments. Modifying a copy is allowed. The following parameter(s) "
                             f"were modified: {', '.join(changed)}")

    def _traced_anew(self, old: ConcreteFunction, real: frozenset) -> ConcreteFunction:
        """Another trace in place of one that took a tensor for a constant, which is watched now."""
        made, _ = TRACING.during(self._trace_once, old.signature, False, real)
        self._traces.replace(old, made)
        old.again = lambda: made
        return made

    def _run(self, args: tuple) -> Any:
        """Run the Python function on symbolic arguments."""
        function = self._callable()
        try:
            if not self._options.autograph:
                return self._parameters.call(function, args)
            from tapeflow.graph.autograph import conversion, error_report
            with error_report.user_code():
                return self._parameters.call(conversion.convert(function, True), args)
        except errors.InvalidArgumentError as error:
            if error.asserted:
                raise
            raise errors.refusal(error) from error

    def _callable(self) -> Callable:
        if self._instance is None:
            return self._python_function
        return functools.partial(self._python_function, self._instance())

    # -- inspection ------------------------------------------------------------------------------
    @property
    def python_function(self) -> Callable:
        """The function as it was written; of a method one that has its object already."""
        if self._instance is None:
            return self._python_function
        return of_object(self._python_function, self._instance())

    @property
    def input_signature(self) -> tuple | None:
        given = self._options.input_signature
        return None if given is None else tuple(given)

    @property
    def function_spec(self) -> Parameters:
        return self._parameters

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._times_traced

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable:
        """A function that gives the text of the graph for these arguments, at any stage."""
        concrete = self.get_concrete_function(*args, **kwargs)
        return lambda stage="hlo", **options: str(concrete.graph)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces as text."""
        return "\n\n".join(one.pretty_printed_signature(verbose) for one in self._traces.in_order)

    # -- methods -----------------------------------------------------------------------------------
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        key = id(instance)
        held = self._bound.get(key)
        if held is None or held[0]() is not instance:
            try:
                reference = weakref.ref(instance, lambda _: self._bound.pop(key, None))
            except unsignalled(TypeError):  # no weak references: bound anew each time
                return self._bind(lambda: instance)
            held = self._bound[key] = (reference, self._bind(reference))
        return Method(held[1], instance)

    def __deepcopy__(self, memo: dict) -> Function:
        """The function of copied objects; traces and native code are of the old ones."""
        made = memo[id(self)] = Function(
            deepcopy(self._python_function, memo), *self._options, self._instance)
        return made

    def _bind(self, instance: Callable) -> Function:
        return Function(self._python_function, *self._options, instance)


def _is_same(before: Any, after: Any) -> bool:
    """Whether two structures are alike and hold the very same leaves."""
    try:
        nest.assert_same_structure(before, after)
    except unsignalled(TypeError, ValueError):
        return False
    return all(map(operator.is_, nest.flatten(before), nest.flatten(after)))


class Method:
    """A tf.function bound to an object, which it keeps alive; its traces live with the object."""

    __slots__ = ("_function", "_instance", "__weakref__")

    def __init__(self, function: Function, instance: Any):
        self._function, self._instance = function, instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return self._function.__doc__

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # an instance of Function to whoever asks, as in TensorFlow
        return Function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and self._function is other._function

    def __hash__(self) -> int:
        return hash(self._function)


Function.__module__ = "tensorflow.python.eager.polymorphic_function.polymorphic_function"


def _autograph(name: str) -> Callable:
    """A function of the autograph package, which is loaded at its first use."""
    def lazy(*args: Any, **kwargs: Any) -> Any:
        from tapeflow.graph import autograph
        return getattr(autograph, name.rpartition(".")[2])(*args, **kwargs)

    return known_as(lazy, name)


for _name in ("to_code", "to_graph", "experimental.do_not_convert",
              "experimental.set_loop_options"):
    publish(_autograph(f"autograph.{_name}"), f"autograph.{_name}")


_implementations = LateModule("tapeflow.graph.functions.implementations")


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
        if not callable(inner):
            raise TypeError(f"{inner} is not a callable object")
        given: dict[str, Any] = {"input_signature": input_signature, "autograph": autograph,
                                 "reduce_retracing": relax, "jit_compile": jit_compile}
        if experimental_attributes and "api_implements" in experimental_attributes:
            given["attributes"] = experimental_attributes
            return _implementations.Implementation(inner, **given)
        return Function(inner, **given)

    return decorate if func is None else decorate(func)
