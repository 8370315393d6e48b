"""What makes two calls of a tf.function the same: kinds of arguments, not their values.

Tensors and NumPy values count by dtype and shape, variables by dtype, shape and which of them are
one and the same, Python values by equality, other objects by identity.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.dtypes import of
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.convert import convert
from tapeflow.core.op import shape_of
from tapeflow.core.tensor import Tensor, next_uid
from tapeflow.core.variable import Variable
from tapeflow.graph.tracing import Trace

_PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Parameters:
    """The parameters of a Python function, and how arguments meet them."""

    def __init__(self, function: Callable):
        try:
            self.signature: inspect.Signature | None = inspect.signature(function)
        except (TypeError, ValueError):
            self.signature = None
        parameters = [] if self.signature is None else list(self.signature.parameters.values())
        plain = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
        self.names = [p.name for p in parameters]
        self.count = len(parameters) if plain and self.signature is not None else -1

    def bind(self, args: tuple, kwargs: dict) -> tuple:
        """Arguments in the order of the parameters; `*args` and `**kwargs` as they are called."""
        if self.signature is None:
            return (args, kwargs) if kwargs else args
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def call(self, function: Callable, args: tuple) -> Any:
        """Call the function with arguments that `bind` has ordered."""
        if self.signature is None:
            return function(*args)
        positional, named = [], {}
        for parameter, value in zip(self.signature.parameters.values(), args, strict=True):
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional.extend(value)
            elif parameter.kind is parameter.VAR_KEYWORD:
                named.update(value)
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = value
            else:
                positional.append(value)
        return function(*positional, **named)


class Argument(Variable):
    """Stands, while tracing, for a variable that is passed as an argument."""

    __slots__ = ()

    def __init__(self, like: Variable):
        self._aggregation, self._synchronization = like._aggregation, like._synchronization
        self._constraint, self._name, self._trainable = like._constraint, like._name, like.trainable
        self._static_shape, self._snapshot = like._static_shape, like._snapshot
        self._uid = next_uid()


class Signature:
    """The arguments of one call, with the key by which graphs are found."""

    def __init__(self, parameters: Parameters, args: tuple):
        self.parameters, self.args = parameters, args
        self.tensors: list[Any] = []
        self.variables: list[Any] = []
        self._order: dict[int, int] = {}
        self.key = tuple([self._key(one) for one in args])

    def _key(self, x: Any) -> Any:
        kind = type(x)
        if kind is Tensor:
            self.tensors.append(x)
            value = x._value
            return (value.dtype.char, value.shape)
        if isinstance(x, Tensor):
            self.tensors.append(x)
            return (x.dtype.np.char, shape_of(x))
        if kind in _PLAIN:
            return ("python", x)
        if isinstance(x, Variable):
            owner = getattr(x, "_owner", x)
            self.variables.append(owner)
            order = self._order.setdefault(owner._uid, len(self._order))
            return ("variable", order, owner.dtype.name, tuple(owner.shape.as_list()),
                    owner.trainable)
        if kind is list or kind is tuple:
            return (kind, *[self._key(one) for one in x])
        return self._other_key(x)

    def _other_key(self, x: Any) -> Any:
        if isinstance(x, (np.ndarray, np.generic)) or hasattr(type(x), "__tf_tensor__"):
            return self._key(convert(x))
        if isinstance(x, TensorSpec):
            self.tensors.append(x)
            shape = x.shape
            return (x.dtype.np.char, None if shape.rank is None else tuple(shape.as_list()))
        if isinstance(x, TypeSpec):
            return ("spec", x)
        if nest.is_nested(x):
            names = tuple(x) if hasattr(x, "keys") else ()
            return (type(x), names, *[self._key(one) for one in nest.flatten_shallow(x)]) if hasattr(
                nest, "flatten_shallow") else (type(x), names, *[
                    self._key(one) for one in _children(x)])
        try:
            hash(x)
            if type(x).__eq__ is not object.__eq__:
                return ("python", x)
        except TypeError:
            pass
        return ("object", id(x), _Holder(x))

    def placeholders(self, trace: Trace) -> tuple:
        """The arguments with symbolic tensors and stand-in variables in their places."""
        from tapeflow.core.slices import IndexedSlices
        stand_ins: dict[int, Argument] = {}
        count = [0]

        def leaf(x: Any) -> Any:
            if isinstance(x, (np.ndarray, np.generic)) or (
                    hasattr(type(x), "__tf_tensor__") and not isinstance(x, Variable)):
                x = convert(x)
            if isinstance(x, Tensor):
                return trace.placeholder(shape_of(x), x.dtype.np)
            if isinstance(x, TensorSpec):
                shape = None if x.shape.rank is None else tuple(x.shape.as_list())
                return trace.placeholder(shape, x.dtype.np, x.name or "")
            if isinstance(x, Variable):
                owner = getattr(x, "_owner", x)
                position = count[0]
                count[0] += 1
                if owner._uid not in stand_ins:
                    stand = stand_ins[owner._uid] = Argument(owner)
                    shape = tuple(owner.shape.as_list())
                    trace.bind_argument(stand, position, shape, owner.dtype.np)
                return stand_ins[owner._uid]
            return x

        _ = IndexedSlices
        return tuple([nest.map_structure(leaf, one) if nest.is_nested(one) else leaf(one)
                      for one in self.args])

    def leaves_of(self, args: tuple, kwargs: dict) -> list:
        """Leaves of the arguments of a call of the concrete function."""
        if kwargs or len(args) != len(self.args):
            named = [name for name in self.parameters.names[len(args):]]
            filled = list(args)
            for name, default in zip(named, self.args[len(args):], strict=False):
                filled.append(kwargs.pop(name) if name in kwargs else default)
            if kwargs:
                raise TypeError(f"unexpected keyword arguments {sorted(kwargs)}")
            args = tuple(filled)
        return nest.flatten(args)

    # -- comparing ---------------------------------------------------------------------------------
    def merge(self, other: Signature) -> Signature | None:
        """The same signature with differing sizes unknown; None if more than sizes differ."""
        if len(self.key) != len(other.key):
            return None
        try:
            nest.assert_same_structure(self.args, other.args)
        except (TypeError, ValueError):
            return None
        merged = []
        for a, b in zip(nest.flatten(self.args), nest.flatten(other.args), strict=True):
            one = _merge(a, b)
            if one is _DIFFERENT:
                return None
            merged.append(one)
        return Signature(self.parameters, nest.pack_sequence_as(other.args, merged))

    def difference(self, other: Signature) -> str:
        """Which argument changed, and how."""
        for position, (a, b) in enumerate(zip(other.key, self.key, strict=False)):
            if a != b:
                names = self.parameters.names
                name = names[position] if position < len(names) else f"argument {position}"
                return (f"argument {name!r} was {_describe(other.args[position])} and is now "
                        f"{_describe(self.args[position])}")
        return "the number of arguments"

    def structured(self) -> tuple:
        """Arguments with TensorSpecs for tensors: ((positional …), {})."""
        def leaf(x: Any) -> Any:
            if isinstance(x, (Tensor, Variable)):
                return TensorSpec(x.shape, x.dtype)
            if isinstance(x, (np.ndarray, np.generic)):
                return TensorSpec(x.shape, of(x.dtype))
            return x

        return (nest.map_structure(leaf, self.args), {})

    def describe(self, name: str) -> str:
        words = [f"{label}: {_describe(x)}" for label, x in zip(
            self.parameters.names, self.args, strict=False)]
        return f"{name}({', '.join(words)})"


_DIFFERENT = object()


def _children(x: Any) -> list:
    return [x[key] for key in sorted(x)] if hasattr(x, "keys") else list(x)


class _Holder:
    """Keeps an object alive as long as its id is part of a key."""

    __slots__ = ("held",)

    def __init__(self, held: Any):
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def _merge(a: Any, b: Any) -> Any:
    tensors = (Tensor, TensorSpec, np.ndarray, np.generic)
    if isinstance(a, tensors) and isinstance(b, tensors):
        a, b = (x if isinstance(x, TensorSpec) else TensorSpec.from_tensor(convert(x))
                for x in (a, b))
        if a.dtype != b.dtype:
            return _DIFFERENT
        return TensorSpec(a.shape.most_specific_compatible_shape(b.shape), a.dtype)
    if isinstance(a, Variable) and isinstance(b, Variable):
        return b if a.shape == b.shape and a.dtype == b.dtype else _DIFFERENT
    return b if type(a) is type(b) and a == b else _DIFFERENT


def _describe(x: Any) -> str:
    if isinstance(x, (Tensor, Variable, TensorSpec)):
        return f"{x.dtype.name}{x.shape}"
    if isinstance(x, (np.ndarray, np.generic)):
        return f"{x.dtype}{x.shape}"
    return f"the Python value {x!r}"


def split(leaves: list) -> tuple[list, list]:
    """Tensors and variables among flat arguments."""
    tensors, variables = [], []
    for x in leaves:
        if isinstance(x, Variable):
            variables.append(getattr(x, "_owner", x))
        elif isinstance(x, Tensor):
            tensors.append(x)
        elif isinstance(x, (np.ndarray, np.generic)) or hasattr(type(x), "__tf_tensor__"):
            tensors.append(convert(x))
    return tensors, variables


def fit(wanted: tuple, args: tuple, name: str) -> tuple:
    """Arguments checked against an input_signature, converted where that is all they need."""
    if len(args) < len(wanted):
        raise TypeError(f"{name}: {len(wanted)} arguments are in the input_signature, "
                        f"{len(args)} were given.")
    fitted = []
    for spec, x in zip(wanted, args, strict=False):
        nest.assert_same_structure(spec, x)
        leaves = [_fit_leaf(s, one, name)
                  for s, one in zip(nest.flatten(spec), nest.flatten(x), strict=True)]
        fitted.append(nest.pack_sequence_as(spec, leaves))
    return tuple(fitted) + tuple(args[len(wanted):])


def _fit_leaf(spec: TensorSpec, x: Any, name: str) -> Any:
    if isinstance(x, TensorSpec):
        return x
    try:
        tensor = convert(x, spec.dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Binding inputs to tf.function failed due to `Can not cast {x!r} to "
                        f"{spec!r}` in {name}: {error}") from None
    if not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(f"Binding inputs to tf.function failed due to `Can not cast TensorSpec("
                        f"shape={tensor.shape}, dtype={tensor.dtype!r}, name=None) to {spec!r}`. "
                        f"Received args for {name}.")
    return tensor


def widen(args: tuple, wanted: tuple) -> tuple:
    """The arguments with the specs of an input_signature in place of tensors."""
    return tuple(wanted) + tuple(args[len(wanted):])
