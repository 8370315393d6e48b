"""What sources are called in reports: variables by their names, tensors by their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tapeflow.base import nest
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.variable import Variable


def names_of(sources: Any) -> list[str]:
    """A name for each tensor or variable of a structure, in the order of `nest.flatten`.

    Keras's variables have a path, others a name; what has neither, or shares it with another, is
    named by its place in the structure.
    """
    found = []
    for place, one in zip(_places(sources, ""), nest.flatten(sources), strict=True):
        parts = len(one._gradient_parts()) if isinstance(one, Composite) else 1
        found += [(place, own_name(one))] * parts
    counts: dict[str, int] = {}
    for _, name in found:
        counts[name] = counts.get(name, 0) + 1
    return [place if not name else f"{name} ({place})" if counts[name] > 1 else name
            for place, name in found]


def own_name(source: Any) -> str:
    """The name that a variable has of its own; '' for tensors."""
    path = getattr(source, "path", None)
    if isinstance(path, str) and path:
        return path
    return source.name.removesuffix(":0") if isinstance(source, Variable) else ""


def _places(structure: Any, prefix: str) -> Iterator[str]:
    if isinstance(structure, Mapping):
        children = [(str(key), structure[key]) for key in sorted(structure)]
    elif isinstance(structure, (list, tuple)):
        fields = getattr(structure, "_fields", range(len(structure)))
        children = [(str(key), one) for key, one in zip(fields, structure, strict=True)]
    else:
        yield from [prefix or "source 0"] * len(nest.flatten(structure))
        return
    for key, one in children:
        own = f"{prefix}/{key}" if prefix else f"source {key}" if key.isdigit() else key
        yield from _places(one, own)
