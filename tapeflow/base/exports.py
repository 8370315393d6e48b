"""The register of public names. Every layer adds to it; only `api` reads it.

`@export("math.sin", "sin")` puts a function or class at `tf.math.sin` and `tf.sin`.
`later("tapeflow.ops.image", "image.*", "nn.*")` names a module that is imported only when somebody
asks for a name of `tf.image`, or for one that `tf.nn` does not have without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Register(dict):
    """Public names and what they stand for; a name that is not loaded yet is loaded by asking."""

    def __missing__(self, name: str) -> Any:
        if fetch(name) and name in self:
            return self[name]
        raise KeyError(name)


PUBLIC: dict[str, Any] = Register()
LATER: dict[str, tuple[str, ...]] = {}
_watchers: list[Callable[[str, Any], None]] = []
_loading: list[str] = []  # the modules that were put off and are being imported now


def publish(value: Any, *names: str) -> None:
    """Register `value` under each dotted public name; a name may be taken only once."""
    for name in names:
        if PUBLIC.setdefault(name, value) is not value:
            raise ValueError(f"the public name tf.{name} is defined twice")
        for watch in _watchers:
            watch(name, value)


def export(*names: str):
    """Decorator form of `publish`; what is loaded later is guarded."""
    if _loading:
        return export_guarded(*names)

    def decorate(value: T) -> T:
        publish(value, *names)
        return value

    return decorate


def export_guarded(*names: str):
    """As `export`, and internal errors do not leave the function (`internal_errors.py`)."""
    from tapeflow.base.internal_errors import guarding

    def decorate(value: T) -> T:
        publish(guarding(value), *names)
        return value

    return decorate


def watch(function: Callable[[str, Any], None]) -> None:
    """Call `function(name, value)` for every name that is registered from now on."""
    _watchers.append(function)


# -- modules that are loaded when they are needed --------------------------------------------------
def later(module: str, *names: str) -> None:
    """Import `module` when one of the public names is missed; `space.*` for any in a namespace."""
    for name in names:
        LATER[name] = (*LATER.get(name, ()), module)


def fetch(name: str) -> bool:
    """Import what was put off for a public name; whether there was anything."""
    space = name.rpartition(".")[0]
    found = [_load(key) for key in (name, f"{space}.*".lstrip("."))]
    return any(found)


def load_all() -> None:
    """Import everything that was put off: for tests and tables over all records."""
    for key in list(LATER):
        _load(key)


def _load(key: str) -> bool:
    modules = LATER.get(key)
    if not modules:
        return False
    from importlib import import_module
    _loading.append(key)
    try:
        for module in modules:
            import_module(module)
    finally:
        _loading.remove(key)
    LATER.pop(key, None)  # only now: another thread that asks meanwhile waits for the import
    return True
