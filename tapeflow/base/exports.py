"""The register of public names. Every layer adds to it; only `api` reads it.

`@export("math.sin", "sin")` puts a function or class at `tf.math.sin` and `tf.sin`.
`later("tapeflow.ops.image", "image.*", "nn.*")` names a module that is imported only when somebody
asks for a name of `tf.image`, or for one that `tf.nn` does not have without it. `promise(table)`
does the same for many modules whose names are all listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tapeflow.base.process.locks import new_lock

T = TypeVar("T")


class Register(dict):
    """Public names and what they stand for; a name that is not loaded yet is loaded by asking."""

    def __missing__(self, name: str) -> Any:
        if fetch(name) and name in self:
            return self[name]
        raise KeyError(name)


PUBLIC: dict[str, Any] = Register()
LATER: dict[str, tuple[str, ...]] = {}
PROMISED: set[str] = set()  # the modules of `promise`
OWNERS: dict[str, dict[str, Any]] = {}  # the globals of the module that registered a public name
_watchers: list[Callable[[str, Any], None]] = []
_loading: list[str] = []  # the modules that were put off and are being imported now
_unseen: list[tuple[str, Any]] = []  # what they have registered: another thread waits for the rest
_lock = new_lock()  # of these two


def executing() -> dict[str, Any]:
    """The globals of the module that is being imported now, the innermost one."""
    frame = sys._getframe(1)
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals


def abandoned(owner: dict[str, Any] | None) -> bool:
    """Whether a module's import was broken off, by the handler of a signal; it runs once more."""
    module = owner and sys.modules.get(owner["__name__"])
    return owner is not None and (module is None or vars(module) is not owner)


def publish(value: Any, *names: str) -> None:
    """Register `value` under each dotted public name; a name may be taken only once."""
    owner = executing()
    for name in names:
        if PUBLIC.setdefault(name, value) is not value:
            if not abandoned(OWNERS.get(name)):
                raise ValueError(f"the public name tf.{name} is defined twice")
            PUBLIC[name] = value
        OWNERS[name] = owner
    with _lock:
        if _loading:
            _unseen.extend((name, value) for name in names)
            return
    _show((name, value) for name in names)


def _show(registered: Iterable[tuple[str, Any]]) -> None:
    for name, value in registered:
        for watch in _watchers:
            watch(name, value)


def export(*names: str):
    """Decorator form of `publish`; what is loaded later is guarded, unless it is promised."""
    if _loading and executing()["__name__"] not in PROMISED:
        return export_guarded(*names)

    def decorate(value: T) -> T:
        publish(value, *names)
        return value

    return decorate


def known_as(function: Any, name: str, called: str = "") -> Any:
    """`function`, with the public name by which pickle finds it."""
    function.__module__, function.__qualname__ = "tapeflow", name
    function.__name__ = called or name.rpartition(".")[2]
    return function


def export_guarded(*names: str):
    """As `export`, and internal errors do not leave the function (`internal_errors.py`)."""
    from tapeflow.base.internal_errors import guarding

    def decorate(value: T) -> T:
        made = guarding(value)
        publish(made if made is value else known_as(made, names[0], made.__name__), *names)
        return value

    return decorate


def watch(function: Callable[[str, Any], None]) -> None:
    """Call `function(name, value)` for every name that is registered from now on.

    For names of modules that were put off, when all of these modules are whole: a class, say, gets
    methods from files that are imported after its own.
    """
    _watchers.append(function)


# -- modules that are loaded when they are needed --------------------------------------------------
def later(module: str, *names: str) -> None:
    """Import `module` when one of the public names is missed; `space.*` for any in a namespace."""
    for name in names:
        LATER[name] = (*LATER.get(name, ()), module)


def promise(table: str) -> None:
    """Put off modules by a table of words: each module with a colon, then all its public names."""
    modules: tuple[str, ...] = ()
    for word in table.split():
        if word[-1] == ":":
            modules = (word[:-1],)
            PROMISED.add(word[:-1])
        else:
            LATER[word] = modules


def fetch(name: str) -> bool:
    """Import what was put off for a public name; whether there was anything."""
    space = name.rpartition(".")[0]
    found = _load(name)
    return (found and name in PUBLIC) or _load(f"{space}.*".lstrip(".")) or found


def load_promised() -> None:
    """Import the modules of `promise`: for tests over ordinary ops."""
    from importlib import import_module
    for module in sorted(PROMISED):
        import_module(module)


def load_all() -> None:
    """Import everything that was put off: for tests, tables and files that name an op."""
    load_promised()
    for key in list(LATER):
        _load(key)


def _load(key: str) -> bool:
    modules = LATER.get(key)
    if not modules:
        return False
    from importlib import import_module
    with _lock:
        _loading.append(key)
    try:
        for module in modules:
            import_module(module)
    finally:
        with _lock:
            _loading.remove(key)
            whole = [] if _loading else _unseen.copy()
            if whole:
                _unseen.clear()
        _show(whole)
    LATER.pop(key, None)  # only now: another thread that asks meanwhile waits for the import
    return True
