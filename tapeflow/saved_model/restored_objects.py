"""What loading makes: functions of saved traces, signatures, objects of any class and of kinds
that a library notes: by an identifier, which objects are such, and what makes one.

A trace has a `name`, the `args` that it is for, `fits(args)`: the tensors among arguments if they
are such, else None, and `call(tensors)`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors, nest
from tapeflow.base.exports import export, publish
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import VariableBase
from tapeflow.graph.functions.function import Function
from tapeflow.graph.functions.retracing import Count
from tapeflow.graph.functions.signature_text import VariableSpec, named
from tapeflow.saved_model.files import Damaged, pick

_SPARE = 1 << 20  # bytes that variables may have beyond those in the files


def as_wanted(given: Any, wanted: TensorSpec | VariableSpec) -> Any:
    """An argument as the tensor or variable that a trace wants; None if it is not one."""
    if isinstance(wanted, VariableSpec):
        if not isinstance(given, VariableBase):
            return None
        spec = VariableSpec.from_value(given)
        return given if spec.dtype == wanted.dtype and (
            wanted.shape.is_compatible_with(spec.shape)) else None
    if given is None or isinstance(given, str) and wanted.dtype is not dtypes.string:
        return None
    try:
        tensor = convert(given) if isinstance(given, (Tensor, VariableBase)) else convert(
            given, wanted.dtype)
    except (TypeError, ValueError):
        return None
    fitting = tensor.dtype == wanted.dtype and wanted.shape.is_compatible_with(tensor.shape)
    return tensor if fitting else None


def tensors_among(wanted: Any, args: tuple) -> list[Any] | None:
    """The tensors and variables among arguments, in order; None if a trace is for others."""
    try:
        leaves = nest.flatten_up_to(wanted, args)  # a list may stand where a tensor is wanted
    except (TypeError, ValueError):
        return None
    tensors: list[Any] = []
    for spec, given in zip(nest.flatten(wanted), leaves, strict=True):
        if isinstance(spec, (TensorSpec, VariableSpec)):
            tensor = as_wanted(given, spec)
            if tensor is None:
                return None
            tensors.append(tensor)
        elif isinstance(spec, TypeSpec):
            if not spec.is_compatible_with(given):
                return None
            tensors += nest.flatten(given, expand_composites=True)
        elif isinstance(given, Tensor) or type(spec) is not type(given) or spec != given:
            return None
    return tensors


class RestoredFunction(Function):
    """A function of a saved model: calls the trace that its arguments fit."""

    def __init__(self, name: str, traces: list[Any], parameters: list[inspect.Parameter],
                 input_signature: Any = None):
        self._saved = traces

        def restored(*args: Any, **kwargs: Any) -> Any:
            return self._call_saved(args, kwargs)

        restored.__name__ = name or "restored"
        restored.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        super().__init__(restored, input_signature=input_signature, autograph=False)
        self._count = Count()  # not shared with all other restored functions

    def _call_saved(self, args: tuple, kwargs: dict) -> Any:
        given = self._parameters.bind(args, kwargs)
        if not self._saved:
            raise ValueError("Found zero restored functions for caller function.")
        for one in self._saved:
            tensors = one.fits(given)
            if tensors is not None:
                return one.call(tensors)
        raise ValueError(self._no_match(given))

    def _run(self, args: tuple) -> Any:
        """What is wrong in a file is an error of its ops, not a ValueError of a program's."""
        try:
            return super()._run(args)
        except (TypeError, ValueError) as error:
            if isinstance(error.__cause__, errors.InvalidArgumentError):
                raise error.__cause__ from error.__cause__.__cause__
            raise

    def _no_match(self, given: tuple) -> str:
        names = self._parameters.names
        options = "\n".join([
            f"\nOption {i + 1}:\n{_listed(tuple(map(named, one.args, names)))}"
            for i, one in enumerate(self._saved)])
        return ("Could not find matching concrete function to call loaded from the SavedModel. "
                f"Got:\n{_listed(given)}\n\n Expected these arguments to match one of the "
                f"following {len(self._saved)} option(s):\n{options}")

    @property
    def concrete_functions(self) -> Sequence:
        """The saved traces; each is traced when it is taken out."""
        return ConcreteFunctions(self)

    def trace_saved(self) -> None:
        """Make the saved traces known, so that the function can be saved again."""
        list(self.concrete_functions)


class ConcreteFunctions(Sequence):
    """The concrete functions of a restored function."""

    def __init__(self, function: RestoredFunction):
        self._function = function

    def __len__(self) -> int:
        return len(self._function._saved)

    def __getitem__(self, i: Any) -> Any:
        function = self._function
        if isinstance(i, slice):
            return [self[j] for j in range(len(self))[i]]
        positional, by_name = function._parameters.split(
            _with_variables(function._saved[i].args))
        return function.get_concrete_function(*positional, **by_name)


def _with_variables(args: tuple) -> tuple:
    """The arguments of a trace with a variable for each that it takes."""
    made: dict[Any, Any] = {}

    def leaf(one: Any) -> Any:
        if not isinstance(one, VariableSpec):
            return one
        key = id(one) if one.alias_id is None else one.alias_id
        if key not in made:
            made[key] = blank_variable("variable", one.shape, one.dtype, one.trainable, 0)
        return made[key]

    return nest.map_structure(leaf, args)


RestoredFunction.__module__ = "tensorflow.python.saved_model.function_deserialization"


def _listed(args: tuple) -> str:
    lines = "\n".join([f"    * {one!r}" for one in args])
    return f"  Positional arguments ({len(args)} total):\n{lines}\n  Keyword arguments: {{}}"


class SignatureFunction:
    """A signature: takes tensors by name, or one alone, and returns a dict of tensors."""

    def __init__(self, function: RestoredFunction):
        self._function = function
        traced = pick(function._saved, 0)
        self._specs: dict[str, Any] = pick(traced.args, 0)
        if type(self._specs) is not dict or not all(
                type(name) is str and isinstance(one, (TensorSpec, VariableSpec))
                for name, one in self._specs.items()):
            raise Damaged("a signature takes tensors by name")
        self._traced: Any = None
        self._concrete_name = traced.name

    @property
    def _concrete(self) -> Any:
        """Traced when it is first needed: a model may have many signatures."""
        if self._traced is None:
            self._traced = self._function.get_concrete_function(**self._specs)
        return self._traced

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        names = list(self._specs)
        if len(args) == 1 and len(names) == 1 and isinstance(args[0], (Tensor, VariableBase)):
            kwargs, args = {names[0]: args[0], **kwargs}, ()
        if args or set(kwargs) != set(names):
            missing = [one for one in names if one not in kwargs]
            reason = "too many positional arguments" if args else (
                f"missing a required argument: {missing[0]!r}" if missing else
                f"got an unexpected keyword argument {sorted(set(kwargs) - set(names))[0]!r}")
            raise TypeError(f"Binding inputs to tf.function failed due to `{reason}`. Received "
                            f"args: {args} and kwargs: {kwargs} for signature: "
                            f"{self._concrete.function_type}.")
        return self._concrete(**kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._concrete, name)

    @property
    def structured_input_signature(self) -> tuple:
        return (), dict(self._specs)

    @property
    def structured_outputs(self) -> dict[str, TypeSpec]:
        shapes, kinds = self._concrete.output_shapes, self._concrete.output_dtypes
        composites = {name: one for name, one in (self._concrete._result or {}).items()
                      if isinstance(one, CompositeSpec)}
        return {name: composites.get(name) or TensorSpec(shapes[name], kinds[name], name)
                for name in shapes}

    def __repr__(self) -> str:
        takes = ", ".join(f"{name}: {spec!r}" for name, spec in self._specs.items())
        gives = ", ".join(f"[{name!r}, {spec!r}]" for name, spec in self.structured_outputs.items())
        return f"<ConcreteFunction (*, {takes}) -> Dict[{gives}] at 0x{id(self):X}>"


class ByName:
    """A trace whose tensors come in one dict, by name."""

    def __init__(self, trace: Any, specs: dict[str, Any]):
        self.name, self.args, self._trace = trace.name, (specs,), trace

    def fits(self, args: tuple) -> list[Tensor] | None:
        given, specs = args[0], self.args[0]
        if set(given) != set(specs):
            return None
        found = [as_wanted(given[name], specs[name]) for name in specs]
        return None if any(one is None for one in found) else found

    def call(self, tensors: list[Tensor]) -> Any:
        return self._trace.call(tensors)


def by_name(trace: Any, specs: dict[str, Any]) -> SignatureFunction:
    """The signature that a trace is, which takes these tensors."""
    keywords = [inspect.Parameter("keywords", inspect.Parameter.VAR_KEYWORD)]
    return SignatureFunction(RestoredFunction(trace.name, [ByName(trace, specs)], keywords))


def blank_variable(name: str, shape: Any, dtype: Any, trainable: bool, stored: int | None) -> Any:
    """A variable that is to be restored; `stored`: the bytes that there are in files."""
    sizes = [n or 0 for n in shape.as_list()] if shape.rank is not None else []
    least = math.prod(sizes) * (1 if dtype is dtypes.string else dtype.size)
    if stored is not None and least > stored + _SPARE:
        raise Damaged(f"the variable {name!r} of {least} bytes, of which {stored} are in the files")
    blank: Any = (convert(np.full(sizes, b"", object), dtype) if dtype is dtypes.string
                  else wrap(np.zeros(sizes, dtype.np)))  # no memory is touched
    return VariableBase(blank, trainable=trainable, name=name,
                        dtype=dtype, shape=None if shape.is_fully_defined() else shape)


class SignatureMap(Mapping):
    """Signatures by key."""

    def __init__(self, held: dict[str, SignatureFunction]):
        self._signatures = held

    def __getitem__(self, key: str) -> SignatureFunction:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures!r})"


class UserObject(AutoTrackable):
    """What an object of any class is after loading: its children and functions."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self.__dict__.get("__call__")
        if call is None:
            raise TypeError("'_UserObject' object is not callable: the object was saved without a "
                            "tf.function __call__.")
        return call(*args, **kwargs)


UserObject.__name__ = "_UserObject"
UserObject.__module__ = "tensorflow.python.saved_model.load"


# -- kinds of objects that a library makes again: Keras 2's optimizers -----------------------------
@export("__internal__.saved_model.load.VersionedTypeRegistration")
class VersionedTypeRegistration:
    """How objects of one kind in a saved model are made again."""

    def __init__(self, object_factory: Callable, version: int, min_producer_version: int,
                 min_consumer_version: int, bad_consumers: Any = None, setter: Callable = setattr):
        self.setter, self.identifier = setter, None
        self._object_factory, self.version = object_factory, version
        self._min_producer_version = min_producer_version
        self._min_consumer_version = min_consumer_version
        self._bad_consumers = list(bad_consumers or ())

    def from_proto(self, proto: Any) -> Any:
        """An object, of what was stored of it."""
        return self._object_factory(proto)

    def fill(self, proto: Any) -> None:
        """Say the versions of the kind in a saved model."""
        proto.version.producer = self.version
        proto.version.min_consumer = self._min_consumer_version
        proto.version.bad_consumers.extend(self._bad_consumers)

    def reads(self, proto: Any) -> bool:
        """Whether it can make what a file has."""
        found = proto.version
        return (found.producer >= self._min_producer_version and self.version >= found.min_consumer
                and self.version not in found.bad_consumers)


_kinds: dict[str, tuple[Callable, list]] = {}


def register_revived_type(identifier: str, predicate: Callable, versions: list) -> None:
    """Note how objects of one kind are made again; an identifier stands for one kind."""
    if identifier in _kinds:
        raise AssertionError(f"Duplicate registrations for type '{identifier}'")
    _kinds[identifier] = predicate, sorted(versions, key=lambda one: -one.version)


# Without a guard, to which an AssertionError is an accident.
publish(register_revived_type, "__internal__.saved_model.load.register_revived_type")


@export("__internal__.saved_model.load.registered_identifiers")
def registered_identifiers() -> Any:
    """The kinds that were noted."""
    return _kinds.keys()


def describe(value: Any, proto: Any) -> bool:
    """Say the kind of an object in a saved model; False if nobody noted one."""
    for identifier, (holds, versions) in _kinds.items():
        if holds(value):
            proto.identifier = identifier
            versions[0].fill(proto)
            return True
    return False


def registration(proto: Any) -> VersionedTypeRegistration | None:
    """What makes an object of the kind that a saved model names; None if nobody noted it."""
    if proto.identifier not in _kinds:
        return None
    return next((one for one in _kinds[proto.identifier][1] if one.reads(proto)), None)


@export("__internal__.saved_model.load.get_setter")
def get_setter(proto: Any) -> Callable | None:
    """What attaches children to an object of a kind that was noted."""
    found = registration(proto)
    return None if found is None else found.setter
