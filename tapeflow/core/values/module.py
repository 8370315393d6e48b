"""tf.Module: a named container of variables and other modules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.scopes import name_scope, scoped_name
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import Variable


@export("Module")
class Module(AutoTrackable):
    """Base class for models: finds the variables and submodules kept in its attributes."""

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset({"_self_name"})

    def __init__(self, name: str | None = None):
        if name is None:
            name = _snake(type(self).__name__)
        elif not isinstance(name, str):
            raise TypeError(f"A module's name must be a string, got {name!r}")
        elif not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid module name. Module names must be valid "
                             "Python identifiers (e.g. a valid class name).")
        self._name = name
        self._scope_name = scoped_name(name) + "/"  # the scope of its making, wherever it is called

    @property
    def name(self) -> str:
        return self._name

    @property
    def name_scope(self) -> name_scope:
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple:
        """Own variables by attribute name, then those of each submodule."""
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Variable)))

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple:
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(self, recursive: bool = True, predicate: Callable | None = None,
                 attribute_traversal_key: Any = None, with_path: bool = False,
                 expand_composites: bool = False) -> Iterator[Any]:
        keep = predicate or (lambda _: True)
        return _walk(self, keep, recursive, with_path)

    @classmethod
    def with_name_scope(cls, method: Callable) -> Callable:
        """Run a method inside the module's name scope."""
        import functools

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _walk(root: Module, keep: Callable, recursive: bool, with_path: bool) -> Iterator[Any]:
    """A module's own attributes first, then each submodule in turn."""
    seen = {id(root)}
    waiting: list[tuple[tuple, Module]] = [((), root)]
    while waiting:  # not by recursion: chains of modules may be longer than Python's stack
        prefix, module = waiting.pop()
        children = []
        for path, leaf in _attributes(module):
            if id(leaf) in seen:
                continue
            seen.add(id(leaf))
            full_path = (*prefix, *path) if with_path else ()
            if keep(leaf):
                yield (full_path, leaf) if with_path else leaf
            if recursive and isinstance(leaf, Module):
                children.append((full_path, leaf))
        waiting += reversed(children)


def _attributes(module: Module) -> Iterator[tuple[tuple, Any]]:
    ignored = module._TF_MODULE_IGNORED_PROPERTIES
    for name in sorted(vars(module)):
        if name in ignored:
            continue
        value = vars(module)[name]
        if isinstance(value, (Variable, Module)):
            yield (name,), value
        elif nest.is_nested(value):
            for i, leaf in enumerate(nest.flatten(value)):
                if isinstance(leaf, (Variable, Module)):
                    yield (name, i), leaf


def _snake(name: str) -> str:
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()
