"""Tables and sets whose keys are compared by identity, and those that do not keep them alive."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from tapeflow.core.values.tensor import Reference


class WeakReference:
    """Hashable by the identity of what it refers to, as long as that is alive."""

    __slots__ = ("_hash", "_weak")

    def __init__(self, wrapped: Any):
        self._weak = weakref.ref(wrapped)
        self._hash = id(wrapped)

    def deref(self) -> Any:
        """What it refers to; None once that is gone."""
        return self._weak()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeakReference):
            return False
        found = self._weak()
        return self is other or found is not None and found is other._weak()

    def __hash__(self) -> int:
        return self._hash


class ObjectIdentityDictionary(MutableMapping):
    """A dict whose keys are compared by identity."""

    _key: Any = Reference

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage: dict[Any, Any] = {}
        self.update(dict(*args, **kwargs))

    def __getitem__(self, key: Any) -> Any:
        return self._storage[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[self._key(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[self._key(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.deref() for key in self._storage)


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """A dict whose keys are compared by identity, and gone with their last other user."""

    _key = WeakReference

    def _alive(self) -> list:
        found = [(key, key.deref()) for key in self._storage]
        for key, one in found:
            if one is None:
                del self._storage[key]
        return [one for _, one in found if one is not None]

    def __len__(self) -> int:
        return len(self._alive())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._alive())


class ObjectIdentitySet(MutableSet):
    """A set whose members are compared by identity."""

    _key: Any = Reference

    def __init__(self, *args: Any):
        self._storage = {self._key(one) for one in (args[0] if args else ())}

    def __contains__(self, key: object) -> bool:
        return self._key(key) in self._storage

    def add(self, value: Any) -> None:
        self._storage.add(self._key(value))

    def discard(self, value: Any) -> None:
        self._storage.discard(self._key(value))

    def update(self, items: Iterable) -> None:
        """Add all of some."""
        self._storage.update(self._key(one) for one in items)

    def difference(self, items: Iterable) -> ObjectIdentitySet:
        """The members that are not among some others."""
        others = type(self)(items)
        return type(self)([one for one in self if one not in others])

    def intersection(self, items: Iterable) -> set:
        """References to the members that are among some others."""
        return self._storage & type(self)(items)._storage

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return iter([key.deref() for key in self._storage])


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set whose members are compared by identity, and gone with their last other user."""

    _key = WeakReference

    def _alive(self) -> list:
        found = [(key, key.deref()) for key in self._storage]
        self._storage -= {key for key, one in found if one is None}
        return [one for _, one in found if one is not None]

    def __len__(self) -> int:
        return len(self._alive())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._alive())
