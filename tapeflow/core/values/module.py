"""tf.Module: a named container of variables and other modules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exports import export
from tapeflow.core.scopes import name_scope
from tapeflow.core.values.tracking import AutoTrackable
from tapeflow.core.values.variable import VariableBase


@export("Module")
class Module(AutoTrackable):
    """Base class for models: finds the variables and submodules kept in its attributes."""

    # What tracking keeps for checkpoints repeats attributes, in another order.
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset(
        {"_self_name", "_self_tracked_children"})

    def __init__(self, name: str | None = None):
        if name is None:
            name = _snake(type(self).__name__)
        elif not isinstance(name, str):
            raise TypeError(f"A module's name must be a string, got {name!r}")
        elif not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid module name. Module names must be valid "
                             "Python identifiers (e.g. a valid class name).")
        self._name = name
        with name_scope(name) as scope:  # that of its making, wherever it is called
            self._scope_name = scope

    @property
    def name(self) -> str:
        return self._name

    @property
    def name_scope(self) -> name_scope:
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple:
        """Own variables by attribute name, then those of each submodule."""
        return tuple(self._flatten(predicate=_is_variable, expand_composites=True))

    @property
    def trainable_variables(self) -> tuple:
        return tuple(self._flatten(predicate=lambda x: _is_variable(x) and x.trainable,
                                   expand_composites=True))

    @property
    def non_trainable_variables(self) -> tuple:
        return tuple(self._flatten(predicate=lambda x: _is_variable(x) and not x.trainable,
                                   expand_composites=True))

    @property
    def submodules(self) -> tuple:
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(self, recursive: bool = True, predicate: Callable | None = None,
                 attribute_traversal_key: Any = None, with_path: bool = False,
                 expand_composites: bool = False) -> Iterator[Any]:
        """Leaves of the attributes that `predicate` wants, then those of each submodule."""
        keep = predicate or (lambda _: True)
        seen = {id(self)}
        waiting: list[tuple[tuple, Module]] = [((), self)]
        while waiting:  # not by recursion: chains of modules may be longer than Python's stack
            prefix, module = waiting.pop()
            children = []
            for path, leaf in _leaves(module, attribute_traversal_key, with_path,
                                      expand_composites):
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
                full_path = (*prefix, *path)
                if keep(leaf):
                    yield (full_path, leaf) if with_path else leaf
                if recursive and isinstance(leaf, Module):
                    children.append((full_path, leaf))
            waiting += reversed(children)

    @classmethod
    def with_name_scope(cls, method: Callable) -> Callable:
        """Run a method inside the module's name scope."""
        import functools

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _is_variable(value: Any) -> bool:
    return isinstance(value, VariableBase)


def _leaves(module: Module, order: Any, paths: bool, expand: bool) -> Iterator[tuple[tuple, Any]]:
    """The leaves of a module's attributes, with their paths if those are wanted."""
    for name in sorted(vars(module), key=order):
        value = vars(module)[name]
        if name in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        if paths:
            from tapeflow.core.values.nest_paths import flatten_with_tuple_paths
            for path, leaf in flatten_with_tuple_paths(value, expand):
                yield (name, *path), leaf
        else:
            for leaf in nest.flatten(value, expand):
                yield (), leaf


def _snake(name: str) -> str:
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()
