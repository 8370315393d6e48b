"""Repeated fields and maps: lists and dicts that check what is put into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tapeflow.io.protobuf.fields import ARRAYS, MESSAGES, Field, checked


class _Repeated(list):
    """Shared by both kinds of repeated fields: every change makes the message a set one."""

    __slots__ = ("_field", "_touch")

    def __init__(self, field: Field, touch: Callable[[], None]):
        super().__init__()
        self._field, self._touch = field, touch

    def extend(self, values: Iterable[Any]) -> None:
        try:
            listed = list(values)
        except TypeError:
            raise TypeError("Value must be iterable") from None
        for one in listed:
            self.append(one)

    MergeFrom = extend

    def __iadd__(self, values: Iterable[Any]):  # type: ignore[misc]
        self.extend(values)
        return self

    def __reduce__(self):
        return list, (list(self),)

    def __deepcopy__(self, memo: dict) -> list:
        return list(self)

    __hash__ = None


class RepeatedScalarContainer(_Repeated):
    """The values of a repeated number, string or bytes field."""

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(list(self), dtype or ARRAYS.get(self._field.type))

    def append(self, value: Any) -> None:
        super().append(checked(value, self._field))
        self._touch()

    def insert(self, index: Any, value: Any) -> None:
        super().insert(index, checked(value, self._field))
        self._touch()

    def __setitem__(self, index: Any, value: Any) -> None:
        field = self._field
        super().__setitem__(index, [checked(one, field) for one in value]
                            if isinstance(index, slice) else checked(value, field))
        self._touch()

    def fill(self, values: Any) -> None:
        """Append values quickly; they are checked one by one only where NumPy cannot tell."""
        if isinstance(values, (str, int, float)):
            raise TypeError("must assign iterable")
        kind = self._field.type
        if isinstance(values, np.ndarray) and values.ndim == 1:
            if kind == "int64" and values.dtype.kind in "iu" and values.dtype != np.uint64:
                super().extend(values.tolist())
                return self._touch()
            if kind == "float" and values.dtype.kind in "fiu":
                super().extend(values.astype(np.float32).tolist())
                return self._touch()
        try:
            iterator = iter(values)
        except TypeError:
            raise TypeError("must assign iterable") from None
        field = self._field
        super().extend([checked(one, field) for one in iterator])
        return self._touch()


class RepeatedCompositeContainer(_Repeated):
    """The messages of a repeated message field."""

    __slots__ = ()

    def fresh(self) -> Any:
        """A message for this field, not appended yet."""
        message = MESSAGES[self._field.type_name]()
        object.__setattr__(message, "_up", self._touch)
        return message

    def add(self, **values: Any) -> Any:
        """Append a new message and return it."""
        message = MESSAGES[self._field.type_name](**values)
        message._up = self._touch
        super().append(message)
        self._touch()
        return message

    def append(self, value: Any) -> None:
        wanted = MESSAGES[self._field.type_name]
        if not isinstance(value, wanted):
            raise TypeError(f"Parameter to append must be an instance of {wanted}, got "
                            f"{type(value)}.")
        self.add().CopyFrom(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("'RepeatedCompositeContainer' object does not support item assignment")


class _Map(dict):
    """Shared by both kinds of map fields."""

    __slots__ = ("_field", "_touch")

    def __init__(self, field: Field, touch: Callable[[], None]):
        super().__init__()
        self._field, self._touch = field, touch

    def _key(self, key: Any) -> Any:
        return checked(key, self._field._replace(type=self._field.key_type))

    def __reduce__(self):
        return dict, (dict(self),)

    __hash__ = None

    def GetEntryClass(self) -> Any:
        """The class of messages that one entry is in bytes and text."""
        return MESSAGES[self._field.entry]

    def MergeFrom(self, other: Any) -> None:
        for key, value in other.items():
            self.put(key, value)

    def put(self, key: Any, value: Any) -> None:
        raise NotImplementedError


class ScalarMapContainer(_Map):
    """A map to numbers or strings."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._key(key), checked(value, self._field))
        self._touch()

    def put(self, key: Any, value: Any) -> None:
        self[key] = value

    def __missing__(self, key: Any) -> Any:
        self[key] = self._field.default
        return self[key]

    def update(self, *args: Any, **values: Any) -> None:
        for key, value in dict(*args, **values).items():
            self[key] = value


class MessageMapContainer(_Map):
    """A map to messages; asking for a key makes its message."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ValueError("Message objects may not be assigned")

    def fresh(self) -> Any:
        """A message for this field, of no key yet."""
        message = MESSAGES[self._field.type_name]()
        object.__setattr__(message, "_up", self._touch)
        return message

    def __missing__(self, key: Any) -> Any:
        key = self._key(key)
        message = self.fresh()
        super().__setitem__(key, message)
        self._touch()
        return message

    def get_or_create(self, key: Any) -> Any:
        return self[key]

    def put(self, key: Any, value: Any) -> None:
        fill_message(self[key], value, self._field)


def fill_message(message: Any, value: Any, field: Field) -> None:
    if isinstance(value, dict):
        message.__init__(**value)
    elif isinstance(value, type(message)):
        message.CopyFrom(value)
    else:
        raise TypeError("Parameter to initialize message field must be dict or instance of same "
                        f"class: expected {type(message)} got {type(value)}.")
    message._touch()


def container(field: Field, touch: Callable[[], None]) -> Any:
    if field.label == "map":
        return (MessageMapContainer if field.type == "message" else ScalarMapContainer)(
            field, touch)
    return (RepeatedCompositeContainer if field.type == "message" else RepeatedScalarContainer)(
        field, touch)
