"""What nodes of TensorFlow's graphs gave, and where a reference to a tensor leads."""

from __future__ import annotations

from typing import Any


def find(reference: str, values: dict[str, Any]) -> Any:
    """What `node`, `node:1` or, in functions, `node:output:1` stands for."""
    name, _, rest = reference.partition(":")
    found = values[name]
    if not isinstance(found, Results):
        return found
    if not rest:
        return found.flat()[0]
    output, _, index = rest.rpartition(":")
    return found.named(output, int(index)) if output else found.flat()[int(index)]


class Results:
    """What a node gave: by the names of its outputs, each a list."""

    def __init__(self, names: list[str], values: list[list]):
        self._names, self._values = names, values

    def flat(self) -> list:
        return [one for values in self._values for one in values]

    def named(self, name: str, index: int) -> Any:
        return self._values[self._names.index(name)][index]

    def with_flat(self, values: list) -> Results:
        """The same outputs with other values."""
        left = iter(values)
        return Results(self._names, [[next(left) for _ in held] for held in self._values])
