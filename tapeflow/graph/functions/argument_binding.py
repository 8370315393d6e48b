"""How arguments meet the parameters of a Python function, and an input_signature.

Imported by `function` and `signature`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MANY = inspect.Parameter.VAR_POSITIONAL
_NAMED = inspect.Parameter.VAR_KEYWORD


def of_object(function: Callable, instance: Any) -> Callable:
    """A method's function that has its object already, with the parameters that are left."""
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(instance, *args, **kwargs)

    vars(call)["__signature__"] = Parameters(function, method=True).signature
    return call


class Parameters:
    """The parameters of a Python function; `method` leaves out the first, which is bound."""

    def __init__(self, function: Callable, method: bool = False):
        try:
            signature: inspect.Signature | None = inspect.signature(function)
        except unsignalled(TypeError, ValueError):
            signature = None
        if signature is not None and method:
            signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        self.signature = signature
        self.all = [] if signature is None else list(signature.parameters.values())
        plain = all(p.kind in _POSITIONAL for p in self.all)
        self.names = [p.name for p in self.all]
        self.count = len(self.all) if plain and signature is not None else -1

    @property
    def arg_names(self) -> list[str]:
        """Those given by position."""
        return [p.name for p in self.all if p.kind in _POSITIONAL]

    def bind(self, args: tuple, kwargs: dict) -> tuple:
        """One value for each parameter; `*args` as a tuple, `**kwargs` as a dict in order."""
        if self.signature is None:
            return (args, dict(sorted(kwargs.items())))
        try:
            bound = self.signature.bind(*args, **kwargs)
        except unsignalled(TypeError) as error:
            raise self.failure(str(error), args, kwargs) from None
        bound.apply_defaults()
        return tuple([dict(sorted(value.items())) if p.kind is _NAMED else value
                      for p, value in zip(self.all, bound.arguments.values(), strict=True)])

    def call(self, function: Callable, values: tuple) -> Any:
        """Call the function with values that `bind` has ordered."""
        positional, named = self.split(values)
        return function(*positional, **named)

    def split(self, values: tuple) -> tuple[list, dict]:
        """Positional and keyword arguments from one value for each parameter."""
        if self.signature is None:
            return list(values[0]), dict(values[1])
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter, value in zip(self.all, values, strict=True):
            if parameter.kind is _MANY:
                positional.extend(value)
            elif parameter.kind is _NAMED:
                named.update(value)
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = value
            else:
                positional.append(value)
        return positional, named

    def labels(self, values: tuple) -> list[tuple[str, str, Any]]:
        """(name, kind, value) of each argument, those of `*args` and `**kwargs` one by one."""
        if self.signature is None:
            return [(f"args_{i}", "POSITIONAL_ONLY", value) for i, value in enumerate(values[0])]
        found: list[tuple[str, str, Any]] = []
        # With arguments behind it, a parameter cannot be given by name.
        many = any(p.kind is _MANY and value for p, value in zip(self.all, values, strict=True))
        for parameter, value in zip(self.all, values, strict=True):
            kind = parameter.kind.name
            if parameter.kind is _MANY:
                found += [(f"{parameter.name}_{i}", "POSITIONAL_ONLY", one)
                          for i, one in enumerate(value)]
            elif parameter.kind is _NAMED:
                found += [(name, "KEYWORD_ONLY", one) for name, one in value.items()]
            else:
                if many and kind == "POSITIONAL_OR_KEYWORD":
                    kind = "POSITIONAL_ONLY"
                found.append((parameter.name, kind, value))
        return found

    def failure(self, reason: str, args: Any, kwargs: Any, wanted: tuple = ()) -> TypeError:
        """The error for arguments that do not fit."""
        return TypeError(f"Binding inputs to tf.function failed due to `{reason}`. Received args: "
                         f"{tuple(args)} and kwargs: {kwargs} for signature: {self.text(wanted)}.")

    def text(self, wanted: tuple = ()) -> str:
        """The parameters as in a definition, with the specs of an input_signature if there are."""
        words = []
        for i, parameter in enumerate(self.all):
            word = parameter.name
            if i < len(wanted):
                word += f": {wanted[i]!r}"
            elif parameter.default is not parameter.empty:
                word += "=<captured_default_value>"
            if parameter.kind is _MANY:
                word = "*" + word
            elif parameter.kind is _NAMED:
                word = "**" + word
            elif parameter.kind is parameter.KEYWORD_ONLY and not any(
                    one.kind in (_MANY, parameter.KEYWORD_ONLY) for one in self.all[:i]):
                word = "*, " + word
            words.append(word)
        return f"({', '.join(words)})"


class InputSignature:
    """An `input_signature`: the specs of the first parameters."""

    def __init__(self, specs: Any, parameters: Parameters):
        if not isinstance(specs, (list, tuple)):
            raise TypeError("input_signature must be either a tuple or a list, got "
                            f"{type(specs)}.")
        self.specs, self.parameters = tuple(specs), parameters
        for leaf in nest.flatten(self.specs):
            if not isinstance(leaf, TypeSpec):
                raise TypeError("input_signature must be a possibly nested sequence of TypeSpec "
                                f"objects, got {leaf!r} of {type(leaf)}.")
        most = len(parameters.all)
        if parameters.count >= 0 and len(self.specs) > most:
            raise TypeError(f"input_signature contains {len(self.specs) - most} extra type "
                            "constraints.")


    def fit(self, values: tuple) -> tuple:
        """Values checked against the specs, converted where that is all they need."""
        if self.parameters.count < 0 and self.parameters.all and (
                self.parameters.all[0].kind is _MANY):
            return (self._fit(values[0], values), *values[1:])
        self._check_rest(values)
        return (*self._fit(values[:len(self.specs)], values), *values[len(self.specs):])

    def _fit(self, given: tuple, values: tuple) -> tuple:
        fitted = []
        for spec, x in zip(self.specs, given, strict=False):
            try:
                parts = nest.flatten_up_to(spec, x) if nest.is_nested(spec) else [x]
                leaves = [_fit_leaf(s, one)
                          for s, one in zip(nest.flatten(spec), parts, strict=True)]
            except unsignalled(TypeError, ValueError) as error:
                raise self.parameters.failure(
                    str(error), *self.parameters.split(values), self.specs) from None
            fitted.append(nest.pack_sequence_as(spec, leaves))
        return tuple(fitted)

    def _check_rest(self, values: tuple) -> None:
        """Parameters behind the specs keep their defaults."""
        for parameter, value in zip(self.parameters.all[len(self.specs):],
                                    values[len(self.specs):], strict=False):
            default = parameter.default
            if default is parameter.empty and parameter.kind not in (_MANY, _NAMED):
                raise TypeError(f"input_signature missing type constraint for {parameter.name}")
            if default is parameter.empty or value is default:
                continue
            if isinstance(value, (Tensor, Variable, np.ndarray)) or value != default:
                raise self.parameters.failure(
                    f"Can not cast {value!r} to the default value {default!r} of "
                    f"{parameter.name!r}, which the input_signature leaves out",
                    *self.parameters.split(values), self.specs)

    def with_specs(self, values: tuple) -> tuple:
        """The values with the specs in place of tensors."""
        if self.parameters.count < 0 and self.parameters.all and (
                self.parameters.all[0].kind is _MANY):
            return (self.specs, *values[1:])
        return (*self.specs, *values[len(self.specs):])

    def arguments(self) -> tuple:
        """One value for each parameter: the specs, then defaults."""
        positional: list[Any] = list(self.specs)
        return self.parameters.bind(tuple(positional), {})


def _fit_leaf(spec: Any, x: Any) -> Any:
    if isinstance(x, TypeSpec):
        if isinstance(x, TensorSpec) and not TensorSpec(x.shape, x.dtype).is_subtype_of(spec):
            raise TypeError(f"Can not cast {x!r} to {spec!r}")
        return x
    if not isinstance(spec, TensorSpec):
        if not spec.is_compatible_with(x):
            raise TypeError(f"Can not cast {x!r} to {spec!r}")
        return x
    given = isinstance(x, (Tensor, Variable))
    tensor = convert(x) if given else convert(x, spec.dtype)
    if tensor.dtype != spec.dtype or not spec.shape.is_compatible_with(tensor.shape):
        own = TensorSpec(tensor.shape, tensor.dtype)
        raise TypeError(f"Can not cast {own!r} to {spec!r}")
    return tensor
