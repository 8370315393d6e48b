"""Collections: values that a graph keeps by name, a tf.Graph or that of a tf.function."""

from __future__ import annotations

import re
from typing import Any

from tapeflow.graph.tracing.trace import Trace


def held_by(graph: Any) -> dict[Any, list]:
    """The collections of a graph."""
    return vars(graph).setdefault("_collections", {})


class Collections:
    """The collections of a graph, by methods of its own."""

    def add_to_collection(self, name: Any, value: Any) -> None:
        held_by(self).setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list:
        """The list itself."""
        return held_by(self).setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list:
        """A copy of the list; with `scope`, what has a name that begins so."""
        found = list(held_by(self).get(name, ()))
        if scope is None:
            return found
        return [one for one in found if re.match(scope, getattr(one, "name", "\0"))]

    def get_all_collection_keys(self) -> list:
        return [name for name, held in held_by(self).items() if held]

    def clear_collection(self, name: Any) -> None:
        held_by(self).pop(name, None)


for _name, _method in vars(Collections).items():
    if not _name.startswith("__"):
        setattr(Trace, _name, _method)  # of the graph of a tf.function too
