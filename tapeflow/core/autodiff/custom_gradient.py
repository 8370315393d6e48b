"""User-written derivatives: custom_gradient, grad_pass_through, recompute_grad."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.op import Op, define
from tapeflow.core.record.traits import Traits
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.indexed_slices import IndexedSlices, wrap_gradient
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable, read


class VariableWatcher(states.Listener):
    """Listens for the trainable variables that a function reads."""

    def __init__(self) -> None:
        self.variables: dict[int, Any] = {}

    def read(self, variable: Any) -> Tensor:
        if variable.trainable:
            self.variables.setdefault(variable._uid, getattr(variable, "_owner", variable))
        return variable._snapshot

    def __enter__(self) -> VariableWatcher:
        states.push(self)
        return self

    def __exit__(self, *exc: Any) -> None:
        states.remove(self)


def user_op(name: str) -> Op:
    """A record whose rule is a user's function over Tensors, given as attribute `rule`."""

    def joint(gs: tuple, ys: Any, *xs: Any, rule: Callable) -> list:
        bare = not any(isinstance(g, Tensor) for g in gs)
        results = rule(*[wrap_gradient(g) for g in gs])
        if not bare:
            return results
        return [_bare(one) for one in results]

    made: Op = define(name, kernel=_no_kernel, shape=_no_kernel, vjp=joint, args=("*inputs",),
                      multi=True, private=True).op
    # The user's function is called as it is, whatever is unknown.
    made.traits = Traits(rules_take_unknown_sizes=True)
    return made


def _bare(g: Any) -> Any:
    if isinstance(g, IndexedSlices):
        return IndexedSlices(_bare(g._values), _bare(g._indices), g._dense_shape)
    return g._value if isinstance(g, Tensor) else g


def _no_kernel(*xs: Any, **attrs: Any) -> Any:
    raise AssertionError("a user-defined gradient has no kernel of its own")


def record_user_op(op: Op, inputs: list, outputs: list, rule: Callable) -> list:
    """New tensors equal to `outputs` whose gradient on every tape is `rule`."""
    if state.trace is not None:
        return state.trace.custom_gradient(op, inputs, outputs, rule)
    with states.only(tuple([one for one in state.stack if not isinstance(one, Record)])):
        outputs = [identity(y) for y in outputs]
    for listener in state.stack:
        if isinstance(listener, Record):
            listener.note(op, tuple(inputs), tuple(outputs), {"rule": rule})
    return outputs


class _Bindable:
    """A decorated function that also works as a method: `self` is no input of the gradient."""

    def __init__(self, function: Callable, run: Callable):
        self._function, self._run = function, run
        functools.update_wrapper(self, function)
        self.__original_wrapped__ = function  # TensorFlow's name for it

    @property
    def __signature__(self) -> inspect.Signature:  # not of `__call__`, and in every Python
        return inspect.signature(self._function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._run(self._function, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return type(self)(self._function.__get__(instance, owner), self._run)


@export("custom_gradient")
def custom_gradient(f: Callable | None = None) -> Any:
    """Decorate `f`, which returns (result, grad_fn), to define its gradient yourself.

    >>> @tf.custom_gradient
    ... def safe(x):
    ...     return tf.math.log1p(tf.exp(x)), lambda g: g * tf.sigmoid(x)
    """
    if f is None:
        return custom_gradient
    op = user_op(getattr(f, "__name__", "custom_gradient"))

    def run(function: Callable, args: tuple, kwargs: dict) -> Any:
        return _call_custom(op, function, args, kwargs)

    return _Bindable(f, run)


def _call_custom(op: Op, f: Callable, args: tuple, kwargs: dict) -> Any:
    if state.trace is not None:  # as in TensorFlow, variables among the arguments are read first
        args = nest.map_structure(convert, args, expand_composites=True)
    with VariableWatcher() as watcher:
        result, grad_fn = f(*args, **kwargs)
    if not callable(grad_fn):
        raise TypeError(f"@tf.custom_gradient: the function must return (result, grad_fn); "
                        f"{grad_fn!r} is not a callable grad_fn.")
    flat_args = nest.flatten(args, expand_composites=True)
    given = {one._uid for one in map(_variable, flat_args + nest.flatten(kwargs))
             if isinstance(one, Variable)}
    variables = [v for uid, v in sorted(watcher.variables.items()) if uid not in given]
    if variables and not _accepts(grad_fn, "variables"):
        raise TypeError("@tf.custom_gradient grad_fn must accept keyword argument 'variables', "
                        f"since function uses variables: {variables}")
    inputs = [_input(x) for x in flat_args] + [read(v) for v in variables]
    flat_result = [convert(y) for y in nest.flatten(result, expand_composites=True)]
    shapes = [x.shape for x in inputs]

    def rule(*gs: Any) -> list:
        if variables:
            returned, for_variables = grad_fn(*gs, variables=variables)
            for_variables = list(for_variables)
            if len(for_variables) != len(variables):
                raise ValueError("Must return gradient for each variable from @custom_gradient "
                                 "grad_fn.")
        else:
            returned, for_variables = grad_fn(*gs), []
        flat = [returned] if isinstance(returned, IndexedSlices) else nest.flatten(returned)
        if len(flat) != len(flat_args):
            raise ValueError(f"custom_gradient function expected to return {len(flat_args)} "
                             f"gradients, but returned {len(flat)} instead.")
        found = [g if g is None or isinstance(g, IndexedSlices) else convert(g)
                 for g in flat + for_variables]
        if any(isinstance(g, Tensor) and not g.shape.is_compatible_with(shape)
               for g, shape in zip(found, shapes, strict=True)):
            from tapeflow.core.autodiff.gradient_shapes import warn_of_shapes
            warn_of_shapes(grad_fn, found, shapes)
        return found

    outputs = record_user_op(op, inputs, flat_result, rule)
    return nest.pack_sequence_as(result, outputs, expand_composites=True)


def _variable(x: Any) -> Any:
    """The variable behind an object of a library that acts as one."""
    if getattr(x, "_should_act_as_resource_variable", False):
        x = x.value() if callable(x.value) else x.value
    return x


def _input(x: Any) -> Tensor:
    x = _variable(x)
    return read(x) if isinstance(x, Variable) else convert(x)


def _accepts(function: Callable, name: str) -> bool:
    import inspect
    try:
        parameters = inspect.signature(function).parameters
    except unsignalled(TypeError, ValueError):
        return True
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


@export("grad_pass_through")
def grad_pass_through(f: Callable) -> Callable:
    """`f` forwards, the identity backwards (straight-through estimators)."""

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*gs: Any, variables: Any = None) -> Any:
            return (gs, [None] * len(variables)) if variables is not None else gs

        return f(*args, **kwargs), grad

    return functools.wraps(f)(lambda *args, **kwargs: passing(*args, **kwargs))


@export("recompute_grad")
def recompute_grad(f: Callable) -> Callable:
    """`f` without keeping its intermediate results: the walk back runs it a second time.

    Random ops draw the same numbers in the second run (TensorFlow asks for stateless ones).
    """

    @functools.wraps(f)
    def outer(*args: Any, **kwargs: Any) -> Any:
        replay = Replay()

        @custom_gradient
        def once(*inner: Any) -> Any:
            quiet = tuple([one for one in state.stack if not isinstance(one, Record)])
            with replay.remember(), states.only(quiet):
                result = f(*inner, **kwargs)
            return result, recomputing(f, inner, kwargs, replay)

        return once(*args)

    return outer


def recomputing(f: Callable, args: tuple, kwargs: dict, replay: Replay) -> Callable:
    """A gradient function that runs `f` a second time, under a tape of its own."""

    def grad(*gs: Any, variables: Any = None) -> Any:
        flat = nest.flatten(args)
        with GradientTape() as tape:
            fresh = [_once_more(_input(x), gs) for x in flat]
            tape.watch([x for x in fresh if x.dtype.is_floating or x.dtype.is_complex])
            if variables:
                tape.watch(variables)
            with replay.again():
                result = f(*nest.pack_sequence_as(args, fresh), **kwargs)
        found = tape.gradient(result, fresh + list(variables or ()), output_gradients=list(gs))
        ours, theirs = found[:len(fresh)], found[len(fresh):]
        return (ours, theirs) if variables is not None else ours

    return grad


def _once_more(x: Tensor, gs: tuple) -> Tensor:
    """The argument of a second run; a graph does not share that with the first."""
    if state.trace is None or not gs:
        return identity(x)
    from tapeflow.core.record.barrier import behind
    return behind(x, gs[0])


RANDOM_STATE: list[tuple[Callable, Callable]] = []  # (take, put) pairs of the random layer


class Replay:
    """Remembers the random state before the first run and sets it for the second."""

    def remember(self) -> Replay:
        self.saved = [take() for take, _ in RANDOM_STATE]
        self.now: list | None = None
        return self

    def again(self) -> Replay:
        self.now = [take() for take, _ in RANDOM_STATE]
        for (_, put), value in zip(RANDOM_STATE, self.saved, strict=True):
            put(value)
        return self

    def __enter__(self) -> Replay:
        return self

    def __exit__(self, *exc: Any) -> None:
        if self.now is not None:
            for (_, put), value in zip(RANDOM_STATE, self.now, strict=True):
                put(value)
