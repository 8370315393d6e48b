"""tf.experimental.ExtensionType: classes of users' own that are made of tensors.

The fields are the class's annotations. Objects are immutable and composites: structures, functions
and loops take them apart by a description, `MyType.Spec`, that is made with the class. How ops and
functions treat them is registered in `core/values/extension_dispatch.py`. Loaded at first use.
"""

from __future__ import annotations

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tapeflow.base import dtypes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.base.specs import CompositeSpec, TensorSpec, TypeSpec, register
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, TensorBase
from tapeflow.core.values.variable import Variable, read

_constant = LatePublic("constant")
_reduce_all = LatePublic("reduce_all")
_equal = LatePublic("equal")
_logical_and = LatePublic("logical_and")
_logical_not = LatePublic("logical_not")

_PLAIN = (int, float, bool, str, bytes, type(None))
_RESERVED = frozenset({"self", "Spec"})


class ImmutableDict(collections.abc.Mapping):
    """A mapping that does not change, as fields hold it."""

    __slots__ = ("_items",)

    def __init__(self, *args: Any, **kwargs: Any):
        self._items = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __contains__(self, key: Any) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


# -- annotations -----------------------------------------------------------------------------------
def _check(annotation: Any) -> None:
    """Refuse an annotation that no field can have."""
    origin = typing.get_origin(annotation)
    if origin in (tuple, collections.abc.Mapping, typing.Union, types.UnionType):
        for one in typing.get_args(annotation):
            if one is not Ellipsis:
                _check(one)
    elif not (isinstance(annotation, type) and (
            annotation in (*_PLAIN, TensorShape, dtypes.DType)
            or issubclass(annotation, (TensorBase, Composite, TypeSpec)))) and annotation not in (
                None, TensorBase):
        shown = repr(annotation.__name__) if isinstance(annotation, type) else annotation
        raise TypeError(f"Unsupported type annotation {shown}")


def fitted(value: Any, annotation: Any, path: str, spec: bool = False) -> Any:
    """A value as its field holds it; with `spec`, the description of one."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return _fitted_union(value, annotation, path, spec)
    if origin is tuple:
        return _fitted_tuple(value, typing.get_args(annotation), path, spec)
    if origin is collections.abc.Mapping:
        keys, values = typing.get_args(annotation)
        if not isinstance(value, Mapping):
            raise _unfit(path, "a Mapping", value)
        return ImmutableDict({fitted(key, keys, f"{path}.keys()", spec):
                              fitted(one, values, f"{path}[{key!r}]", spec)
                              for key, one in value.items()})
    if annotation is None or annotation is type(None):
        if value is not None:
            raise _unfit(path, "None", value)
        return None
    if isinstance(annotation, type) and issubclass(annotation, TensorBase):
        return _fitted_tensor(value, path, spec)
    if annotation is TensorShape:
        return _made(TensorShape, value, path, "a TensorShape")
    if annotation is dtypes.DType:
        return _made(dtypes.as_dtype, value, path, "a DType")
    if issubclass(annotation, Composite) and spec:
        if isinstance(value, CompositeSpec) and issubclass(value.value_type, annotation):
            return value
    elif isinstance(value, annotation) and not (annotation is int and isinstance(value, bool)):
        return value
    raise _unfit(path, repr(annotation.__name__), value)


def _fitted_union(value: Any, annotation: Any, path: str, spec: bool) -> Any:
    choices = typing.get_args(annotation)
    for one in sorted(choices, key=lambda one: not isinstance(value, one) if isinstance(
            one, type) else True):
        try:
            return fitted(value, one, path, spec)
        except unsignalled(TypeError, ValueError):
            continue
    raise _unfit(path, str(annotation), value)


def _fitted_tuple(value: Any, parts: tuple, path: str, spec: bool) -> tuple:
    if not isinstance(value, (list, tuple)):
        raise _unfit(path, "a tuple", value)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple([fitted(one, parts[0], f"{path}[{i}]", spec) for i, one in enumerate(value)])
    if len(value) != len(parts):
        raise TypeError(f"{path}: expected tuple with length {len(parts)}, got {value!r}")
    return tuple([fitted(one, part, f"{path}[{i}]", spec)
                  for i, (one, part) in enumerate(zip(value, parts, strict=True))])


def _fitted_tensor(value: Any, path: str, spec: bool) -> Any:
    if spec or isinstance(value, TensorSpec):
        if isinstance(value, TensorSpec):
            return value
        raise _unfit(path, "a TensorSpec", value)
    if isinstance(value, Variable):
        return read(value)
    if isinstance(value, Composite):
        raise _unfit(path, "a Tensor", value)
    try:
        return convert(value)
    except unsignalled(TypeError, ValueError):
        raise _unfit(path, "a Tensor", value) from None


def _made(kind: Callable, value: Any, path: str, word: str) -> Any:
    try:
        return kind(value)
    except unsignalled(TypeError, ValueError):
        raise _unfit(path, word, value) from None


def _unfit(path: str, wanted: str, value: Any) -> TypeError:
    return TypeError(f"{path}: expected {wanted}, got {type(value).__name__!r}")


# -- fields as structures --------------------------------------------------------------------------
def _is_part(value: Any) -> bool:
    return isinstance(value, (Tensor, Composite, TypeSpec))


def _parts(value: Any) -> list:
    """The tensors, composites or descriptions in a field."""
    if isinstance(value, tuple):
        return [part for one in value for part in _parts(one)]
    if isinstance(value, Mapping):
        return [part for key in sorted(value) for part in _parts(value[key])]
    return [value] if _is_part(value) else []


def _replaced(value: Any, parts: Iterator) -> Any:
    """A field with other parts instead of its own."""
    if isinstance(value, tuple):
        return tuple([_replaced(one, parts) for one in value])
    if isinstance(value, Mapping):
        found = {key: _replaced(value[key], parts) for key in sorted(value)}
        return ImmutableDict({key: found[key] for key in value})
    return next(parts) if _is_part(value) else value


def _described(value: Any) -> Any:
    """A field with the descriptions of its parts."""
    if isinstance(value, tuple):
        return tuple([_described(one) for one in value])
    if isinstance(value, Mapping):
        return ImmutableDict({key: _described(one) for key, one in value.items()})
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    return value._type_spec if isinstance(value, Composite) else value


def _comparable(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_comparable(one) for one in value])
    if isinstance(value, Mapping):
        return {key: _comparable(one) for key, one in value.items()}
    return value


def _additions(nested: type | None) -> dict[str, Any]:
    """What a class `Spec` within a type's adds to its description."""
    return {} if nested is None else {
        name: value for name, value in vars(nested).items()
        if name not in ("__dict__", "__weakref__", "__slots__", "__abstractmethods__",
                        "_abc_impl")}


# -- the classes -----------------------------------------------------------------------------------
class _Meta(type(Composite)):  # type: ignore[misc]
    """Reads the fields of a class and makes its Spec; building an object checks its fields."""

    def __new__(cls, name: str, bases: tuple, namespace: dict, **options: Any) -> Any:
        made = super().__new__(cls, name, bases, namespace, **options)
        made._hints = None
        if any(isinstance(one, str) for one in namespace.get("__annotations__", {}).values()):
            frame = sys._getframe(1)  # where names in annotations that are text have a meaning
            made._scope = {**frame.f_globals, **frame.f_locals}
        own = [field for field in namespace.get("__annotations__", {})
               if not field.startswith("_tf_")]
        if own and any(field in _RESERVED for field in own):
            bad = next(field for field in own if field in _RESERVED)
            raise ValueError(f"The field annotations for {name} are invalid. Field {bad!r} is "
                             "reserved.")
        if any(isinstance(base, _Meta) for base in bases):
            _read_hints(made, lenient=True)
            made.Spec = type("Spec", (ExtensionTypeSpec,), {
                **_additions(namespace.get("Spec")), "value_type": made, "__slots__": (),
                "__module__": made.__module__, "__qualname__": f"{name}.Spec"})
            if "__name__" in namespace:  # objects of the class can be saved, by this name
                register(f"{namespace['__name__']}.Spec")(made.Spec)
        return made

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls.__dict__.get("_abstract"):
            raise AssertionError(f"Cannot create an instance of {cls.__name__} because "
                                 f"{cls.__name__} is an abstract base class.")
        made: Any = object.__new__(cls)
        made.__dict__["_building"] = True
        made.__init__(*args, **kwargs)
        _settle(made)
        return made


def _read_hints(cls: Any, lenient: bool = False) -> dict:
    """The fields and their annotations, those of base classes first."""
    if cls._hints is None:
        try:
            hints = typing.get_type_hints(cls, localns=getattr(cls, "_scope", None))
        except NameError:
            if lenient:  # a name that is defined later: read when it is needed
                return {}
            raise
        fields = [name for base in reversed(cls.__mro__) if isinstance(base, _Meta)
                  for name in base.__dict__.get("__annotations__", {})
                  if not name.startswith("_tf_")]
        cls._hints = {name: hints[name] for name in dict.fromkeys(fields)}
        for name, annotation in cls._hints.items():
            try:
                _check(annotation)
            except unsignalled(TypeError) as error:
                raise TypeError(f"In field {name!r}: {error}") from None
    return cls._hints


def _signature(cls: Any) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    empty = inspect.Parameter.empty
    parameters = [inspect.Parameter(name, kind, default=getattr(cls, name, empty))
                  for name in _read_hints(cls)]
    late = [one for one in parameters if one.default is not empty]
    return inspect.Signature(sorted(parameters, key=lambda one: one in late))


def _settle(made: Any) -> None:
    """Check the fields of a new object and close it."""
    hints, held = _read_hints(type(made)), made.__dict__
    for name, annotation in hints.items():
        if name not in held:
            default = getattr(type(made), name, inspect.Parameter.empty)
            if default is inspect.Parameter.empty:
                raise AttributeError(f"ExtensionType {type(made).__name__!r} missing attribute "
                                     f"{name!r}")
            held[name] = default
        held[name] = fitted(held[name], annotation, name)
    made.__validate__()
    del held["_building"]


@export("experimental.ExtensionTypeSpec")
class ExtensionTypeSpec(CompositeSpec):
    """The description of an ExtensionType: TensorSpecs and values instead of its fields."""

    __slots__ = ("_fields",)

    def __init__(self, *args: Any, **kwargs: Any):
        hints = _read_hints(self.value_type)
        bound = _signature(self.value_type).bind(*args, **kwargs)
        bound.apply_defaults()
        self._fields = {name: fitted(bound.arguments[name], hints[name], name, spec=True)
                        for name in hints}

    @classmethod
    def from_value(cls, value: Any) -> ExtensionTypeSpec:
        return cls._of({name: _described(value.__dict__[name])
                        for name in _read_hints(cls.value_type)})

    @classmethod
    def _of(cls, fields: dict) -> ExtensionTypeSpec:
        made = object.__new__(cls)
        made._fields = fields
        return made

    def __getattr__(self, name: str) -> Any:
        if name == "_fields" or name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self._fields[name]

    def _serialize(self) -> tuple:
        return tuple([(name, _comparable(field)) for name, field in self._fields.items()])

    @classmethod
    def _deserialize(cls, serialization: tuple) -> ExtensionTypeSpec:
        return cls._of({name: ImmutableDict(field) if isinstance(field, dict) else field
                        for name, field in serialization})

    @property
    def _component_specs(self) -> list:
        return [part for field in self._fields.values() for part in _parts(field)
                if isinstance(part, TypeSpec)]

    def _to_components(self, value: Any) -> list:
        return _flat(value)

    def _from_components(self, components: Any) -> Any:
        parts = iter(components)
        made = object.__new__(self.value_type)
        made.__dict__.update({name: _replaced(field, parts)
                              for name, field in self._fields.items()})
        return made

    def _batch(self, batch_size: int | None) -> ExtensionTypeSpec:
        """The description of `batch_size` objects as one, every part of which is stacked."""
        return self._changed(lambda part: part._batch(batch_size))

    def _unbatch(self) -> ExtensionTypeSpec:
        """The description of one of the objects that are stacked."""
        return self._changed(lambda part: part._unbatch())

    def _changed(self, change: Callable) -> ExtensionTypeSpec:
        if not issubclass(self.value_type, BatchableExtensionType):
            raise NotImplementedError(f"{self.value_type.__name__} is no BatchableExtensionType: "
                                      "its objects cannot be stacked.")
        parts = iter([change(part) for field in self._fields.values() for part in _parts(field)])
        return type(self)._of({name: _replaced(field, parts)
                               for name, field in self._fields.items()})

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={field!r}" for name, field in self._fields.items())
        return f"{self.value_type.__qualname__}.Spec({fields})"


@export("experimental.ExtensionType")
class ExtensionType(Composite, metaclass=_Meta):
    """Base class of types made of tensors, with the fields that its annotations name.

    >>> class Pair(tf.experimental.ExtensionType):
    ...     low: tf.Tensor
    ...     high: tf.Tensor
    >>> Pair(1, 2).high
    <tf.Tensor: shape=(), dtype=int32, numpy=2>
    """

    # Without annotations: those would be fields.
    _abstract = True
    _counts_as_tensor = False

    def __init__(self, *args: Any, **kwargs: Any):
        bound = _signature(type(self)).bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)

    def __validate__(self) -> None:
        """Raises if the fields do not fit; for subclasses."""

    def __setattr__(self, name: str, value: Any) -> None:
        if "_building" not in self.__dict__:
            raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor "
                                 "of ExtensionType.")
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Cannot mutate attribute `{name}` outside the custom constructor of "
                             "ExtensionType.")

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self.__dict__[name]!r}" for name in _read_hints(type(self)))
        return f"{type(self).__qualname__}({fields})"

    def __eq__(self, other: object) -> Any:
        if type(other) is not type(self) or not isinstance(other, ExtensionType):
            return False
        if not self._type_spec.is_compatible_with(other._type_spec):
            return False
        same = _constant(True)
        for a, b in zip(_flat(self), _flat(other), strict=True):
            equal = a == b if isinstance(a, ExtensionType) else _reduce_all(
                _equal(a, b))
            same = _logical_and(same, equal)
        return same

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return not equal if isinstance(equal, bool) else _logical_not(equal)

    __hash__ = None  # type: ignore[assignment]

    @property
    def _type_spec(self) -> ExtensionTypeSpec:
        return type(self).Spec.from_value(self)


def _flat(value: ExtensionType) -> list:
    return [part for name in _read_hints(type(value)) for part in _parts(value.__dict__[name])]


@export("experimental.BatchableExtensionType")
class BatchableExtensionType(ExtensionType):
    """An ExtensionType whose objects can be stacked and unstacked."""

    _abstract = True
