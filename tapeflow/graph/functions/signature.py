"""What makes two calls of a tf.function the same: kinds of arguments, not their values.

Tensors and NumPy values count by dtype and shape, variables by dtype, shape and which of them are
one and the same, Python values by equality, other objects by identity.
"""

from __future__ import annotations

import weakref
from abc import abstractmethod
from collections.abc import MappingView
from typing import Any, Protocol, runtime_checkable

from tapeflow.base import nest
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec
from tapeflow.core.state import state
from tapeflow.core.values.composite import Composite, described, spec_of
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, next_uid
from tapeflow.core.values.variable import Variable, VariableBase
from tapeflow.graph.functions.argument_binding import Parameters
from tapeflow.graph.functions.signature_text import named, specs_of
from tapeflow.graph.tracing.trace import Trace

_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})


def is_array(x: Any) -> bool:
    """Whether an argument that is no tensor becomes one: an array, or what can be made one."""
    kind = type(x)
    return (hasattr(kind, "__array__") or hasattr(kind, "__tf_tensor__")) and not isinstance(
        x, (Tensor, Variable, Composite))


def static_shape(x: Any) -> tuple | None:
    """A static shape as a tuple; None if the rank is unknown."""
    shape = x.shape
    if type(shape) is tuple:
        return shape
    return None if shape.rank is None else tuple(shape.as_list())


@export("types.experimental.TraceType")
class TraceType:
    """What a class says of its objects as arguments, by `__tf_tracing_type__(self, context)`.

    A subclass gives `is_subtype_of(other)`, `most_specific_common_supertype(others)`,
    `placeholder_value(context)`, `__eq__` and `__hash__`.
    """

    def is_subtype_of(self, other: Any) -> bool:
        return self == other

    def most_specific_common_supertype(self, others: Any) -> Any:
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not define placeholder_value")


@export("types.experimental.TracingContext")
class TracingContext:
    """Handed to `__tf_tracing_type__`."""


@export("types.experimental.SupportsTracingProtocol")
@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """A class that defines `__tf_tracing_type__`."""

    @abstractmethod
    def __tf_tracing_type__(self, context: Any) -> Any: ...


class Argument(Variable):
    """Stands, while tracing, for a variable that is passed as an argument."""

    __slots__ = ("_id_of_original",)

    def __init__(self, like: Variable):
        self._aggregation, self._synchronization = like._aggregation, like._synchronization
        self._constraint, self._name, self._trainable = like._constraint, like._name, like.trainable
        self._static_shape, self._snapshot = like._static_shape, like._snapshot
        self._uid, self._update_lock = next_uid(), None
        self._id_of_original = like._unique_id

    @property
    def _unique_id(self) -> str:
        """The variable's own: libraries look by it."""
        return self._id_of_original

    @classmethod
    def standing_for(cls, variable: Variable) -> Argument:
        """The same one in every trace: optimizers know variables by identity."""
        stand = _STAND_INS.get(variable._uid)
        if stand is None:
            stand = _STAND_INS[variable._uid] = cls(variable)
        stand._snapshot = variable._snapshot
        return stand


Argument.__name__, Argument.__module__ = Variable.__name__, Variable.__module__
_STAND_INS: weakref.WeakValueDictionary[int, Argument] = weakref.WeakValueDictionary()


def stand_in(uid: int) -> Argument:
    """The one with this identity."""
    return next(one for one in list(_STAND_INS.values()) if one._uid == uid)


class Signature:
    """The arguments of one call, one for each parameter, with the key by which graphs are found.

    In a key a tensor is (index of its dtype, shape); all else begins with a word or a type.
    """

    __slots__ = ("_order", "args", "key", "parameters", "tensors", "variables")

    def __init__(self, parameters: Parameters, args: tuple):
        self.parameters, self.args = parameters, args
        self.tensors: list[Any] = []
        self.variables: list[Any] = []
        self._order: dict[int, int] | None = None
        self.key = tuple([self._key(one) for one in args])

    def _key(self, x: Any) -> Any:
        kind = type(x)
        if kind is Tensor:
            self.tensors.append(x)
            value = x._value
            return (value.dtype.num, value.shape)
        if kind in _PLAIN:
            return ("python", x)
        if isinstance(x, Variable):
            return self._variable_key(getattr(x, "_owner", x))
        if isinstance(x, Tensor):
            self.tensors.append(x)
            return (x.dtype.np.num, static_shape(x))
        if kind is list or kind is tuple:
            return (kind, *[self._key(one) for one in x])
        return self._other_key(x)

    def _variable_key(self, variable: Variable) -> tuple:
        self.variables.append(variable)
        if self._order is None:
            self._order = {}
        order = self._order.setdefault(variable._uid, len(self._order))
        alone = getattr(state.trace, "own_traces", None) == variable._uid
        return ("variable", order, variable.dtype.np.num, static_shape(variable),
                variable.trainable, alone and variable._uid)

    def _other_key(self, x: Any) -> Any:
        if hasattr(type(x), "__tf_tracing_type__"):
            return ("traced", x.__tf_tracing_type__(TracingContext()))
        if isinstance(x, VariableBase):  # a library's, around another
            return ("object", _Identity(x))
        if is_array(x):
            return self._key(convert(x))
        if isinstance(x, TensorSpec):
            self.tensors.append(x)
            return (x.dtype.np.num, static_shape(x))
        spec = spec_of(x)
        if spec is not None:  # not how many values it holds: only what its spec tells
            parts = nest.flatten(x, expand_composites=True)
            held = [one for one in parts if isinstance(one, Variable)]
            if held:  # it is traced with these very variables
                self.tensors += [one for one in parts if not isinstance(one, Variable)]
                return ("variables", spec, *map(_Identity, held))
            self.tensors += parts
            return ("traced", spec)
        if isinstance(x, TypeSpec):
            return ("spec", x)
        if isinstance(x, (bytearray, MappingView)):
            raise _untraceable(x)
        if nest.is_nested(x):
            names = ("keys", *sorted(x)) if hasattr(x, "keys") else ("keys",)
            return (type(x), names, self._key(nest.metadata_of(x)),
                    *[self._key(one) for one in nest.children_of(x)])
        parts = nest.flatten(x, expand_composites=True)
        if len(parts) != 1 or parts[0] is not x:
            return (type(x), *[self._key(one) for one in parts])
        try:
            hash(x)
        except unsignalled(TypeError):
            raise _untraceable(x) from None
        return ("python", x) if type(x).__eq__ is not object.__eq__ else ("object", _Identity(x))

    # -- tracing -----------------------------------------------------------------------------------
    def placeholders(self, trace: Trace, real: frozenset = frozenset()) -> tuple:
        """The arguments with symbolic tensors and stand-in variables in their places.

        Variables whose uid is in `real` stand for themselves: the function also captures them.
        """
        stand_ins: dict[int, Argument] = {}
        count = 0

        def leaf(x: Any, name: str) -> Any:
            nonlocal count
            if isinstance(x, Variable):
                owner = getattr(x, "_owner", x)
                position = count
                count += 1
                if owner._uid in real:
                    return owner
                if owner._uid not in stand_ins:
                    stand = stand_ins[owner._uid] = Argument.standing_for(owner)
                    trace.variables.bind_argument(stand, position, static_shape(owner),
                                                  owner.dtype.np)
                return stand_ins[owner._uid]
            if is_array(x):
                x = convert(x)
            if hasattr(type(x), "__tf_tracing_type__"):
                return x.__tf_tracing_type__(TracingContext()).placeholder_value(None)
            if isinstance(x, (Tensor, TensorSpec)):
                return trace.placeholder(static_shape(x), x.dtype.np,
                                         getattr(x, "_name", None) or name)
            return x

        def whole(x: Any, name: str) -> Any:
            if isinstance(x, VariableBase) and not isinstance(x, Variable):
                return x
            if isinstance(x, Composite) and any(isinstance(one, Variable) for one in nest.flatten(
                    x, expand_composites=True)):
                return nest.map_structure(
                    lambda one: one if isinstance(one, Variable) else leaf(one, name), x,
                    expand_composites=True)
            return nest.map_structure(lambda one: leaf(one, name), described(x),
                                      expand_composites=True)

        return self._rebuilt([whole(value, name)
                              for name, _, value in self.parameters.labels(self.args)])

    def _rebuilt(self, values: list) -> tuple:
        """One value for each parameter, from one value for each label."""
        found = iter(values)
        parameters = self.parameters
        if parameters.signature is None:
            return (tuple(found), {})
        result: list[Any] = []
        for parameter, value in zip(parameters.all, self.args, strict=True):
            if parameter.kind is parameter.VAR_POSITIONAL:
                result.append(tuple([next(found) for _ in value]))
            elif parameter.kind is parameter.VAR_KEYWORD:
                result.append({key: next(found) for key in value})
            else:
                result.append(next(found))
        return tuple(result)

    def described(self) -> Signature:
        """This with descriptions in place of the arguments: a trace may live for long."""
        made = object.__new__(Signature)
        made.parameters, made.key, made.args = self.parameters, self.key, specs_of(self.args)
        made.tensors, made.variables, made._order = [], [], None
        return made

    # -- comparing ---------------------------------------------------------------------------------
    def merge(self, other: Signature) -> Signature | None:
        """The same signature with differing sizes unknown; None if more than sizes differ."""
        merged = _merge(self.key, other.key)
        if merged is None:
            return None
        shapes = iter(_shapes(merged))

        def leaf(x: Any) -> Any:
            if isinstance(x, Variable) or not (
                    isinstance(x, (Tensor, TensorSpec)) or is_array(x)):
                return x
            tensor = x if isinstance(x, TensorSpec) else convert(x)
            return TensorSpec(next(shapes), tensor.dtype)

        def whole(x: Any) -> Any:
            if spec_of(x) is not None:
                return next(shapes)
            return nest.map_structure(leaf, x, expand_composites=True)

        args = nest.map_structure(whole, other.args)
        return Signature(self.parameters, args)

    def covers(self, key: Any) -> bool:
        """Whether every call with that key could use a trace of this signature."""
        return _covers(self.key, key)

    def labels(self) -> list[tuple[str, str, Any]]:
        """(name, kind, spec) of each argument."""
        return self.parameters.labels(specs_of(self.args))

    def structured(self) -> tuple:
        """Specs with names: (positional ones as a tuple, keyword-only ones as a dict)."""
        positional, keyword = [], {}
        for name, kind, spec in self.labels():
            if kind == "KEYWORD_ONLY":
                keyword[name] = named(spec, name)
            else:
                positional.append(named(spec, name))
        return tuple(positional), keyword


def _untraceable(x: Any) -> TypeError:
    return TypeError(f"Could not generate a generic TraceType for {x!r}. Please verify that it is "
                     "immutable/hashable: a tf.function keeps its traces by its arguments.")


class _Identity:
    """Stands for an object in a key: equal only to itself, and kept alive."""

    __slots__ = ("held",)

    def __init__(self, held: Any):
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def _is_tensor(key: Any) -> bool:
    return type(key) is tuple and len(key) == 2 and type(key[0]) is int


def _covers(wide: Any, key: Any) -> bool:
    if _is_tensor(wide):
        if not _is_tensor(key) or wide[0] != key[0]:
            return False
        ours, theirs = wide[1], key[1]
        return ours is None or (theirs is not None and len(ours) == len(theirs) and all(
            m is None or m == n for m, n in zip(ours, theirs, strict=True)))
    if type(wide) is tuple and type(key) is tuple and wide[:1] == key[:1] == ("traced",):
        return bool(key[1].is_subtype_of(wide[1]))
    if type(wide) is tuple and type(key) is tuple and len(wide) == len(key) and not _is_tensor(
            key) and (not wide or not isinstance(wide[0], str)):
        return all(_covers(a, b) for a, b in zip(wide, key, strict=True))
    return wide == key


def _merge(a: Any, b: Any) -> Any:
    """Two keys as one with unknown sizes; None if they differ in more."""
    if type(a) is tuple and type(b) is tuple and a[:1] == b[:1] == ("traced",):
        found = a[1].most_specific_common_supertype([b[1]])
        return None if found is None else ("traced", found)
    if _is_tensor(a) and _is_tensor(b):
        if a[0] != b[0]:
            return None
        if a[1] is None or b[1] is None or len(a[1]) != len(b[1]):
            return (a[0], None)
        return (a[0], tuple([m if m == n else None for m, n in zip(a[1], b[1], strict=True)]))
    if type(a) is tuple and type(b) is tuple and len(a) == len(b) and (
            not a or not isinstance(a[0], str)):
        parts = [_merge(x, y) for x, y in zip(a, b, strict=True)]
        return None if any(part is None for part in parts) else tuple(parts)
    return a if a == b else None


def _shapes(key: Any) -> list:
    """The shapes of tensors and the specs of composites in a key, in order."""
    if _is_tensor(key):
        return [key[1]]
    if type(key) is tuple and key[:1] == ("traced",) and isinstance(key[1], CompositeSpec):
        return [key[1]]
    if type(key) is not tuple or (key and isinstance(key[0], str)):
        return []
    return [shape for one in key for shape in _shapes(one)]


def split(leaves: list) -> tuple[list, list]:
    """Tensors and variables among flat arguments."""
    tensors, variables = [], []
    for x in nest.flatten(leaves, expand_composites=True):
        if isinstance(x, Variable):
            variables.append(getattr(x, "_owner", x))
        elif isinstance(x, Tensor):
            tensors.append(x)
        elif is_array(x):
            tensors.append(convert(x))
    return tensors, variables
