"""The modules of TensorFlow's private source tree that libraries import, by one table.

`tensorflow.python.eager.context` and the like: `table.py` says which names each has, where they are
here, and which libraries need them. What it lacks is looked for in `shared_names.txt`, the private
names that are public ones as well (written by tools/private_names.py), and for a module of
generated ops among the raw ops (`generated_ops.py`). A name is looked up when it is asked for; what
is nowhere is refused with words. Only `alias.finder` imports this.
"""

from __future__ import annotations

import functools
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tapeflow.alias.private.table import Served, read


def packages_of(modules: dict[str, Served]) -> set[str]:
    """The packages that the modules are in."""
    return {".".join(name.split(".")[:depth]) for name in modules
            for depth in range(1, len(name.split(".")))}


MODULES = read()
PACKAGES = packages_of(MODULES)
GENERATED = "python.ops.gen_"
# Modules that have the names of their generated ops as well.
WITH_GENERATED = frozenset(f"python.ops.{name}_ops" for name in (
    "array", "bitwise", "linalg", "lookup", "math", "nn", "random", "resource_variable"))


@functools.cache
def shared_names() -> dict[str, Served]:
    """Private names that are public ones as well, by modules."""
    return read((Path(__file__).parent / "shared_names.txt").read_text())


class PrivateModule(ModuleType):
    """A module of a private tree; what it lacks is answered with the reason."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        path = self.__name__.removeprefix(f"{__name__}.")
        below = find(f"{path}.{name}")
        found = below if below is not None else resolve(path, name)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        path = self.__name__.removeprefix(f"{__name__}.")
        tables = MODULES, shared_names()
        below = {one.split(".")[path.count(".") + 1] for table in tables
                 for one in (*table, *packages_of(table)) if one.startswith(f"{path}.")}
        names = {name for table in tables if path in table for name in table[path].names}
        names.update(name for one in MODULES.get(path, Served([], {}, [])).whole
                     for name in getattr(import_module(one), "__all__", ()))
        return sorted({*vars(self), *below, *names})


def resolve(path: str, name: str) -> Any:
    """The object that is `tensorflow.<path>.<name>`; AttributeError if the table has none."""
    served = MODULES.get(path)
    if served is not None:
        if name in served.names:
            return fetch(*served.names[name])
        for module in served.whole:
            found = vars(import_module(module)).get(name)
            if found is not None:
                return found
    served = shared_names().get(path)
    if served is not None and name in served.names:
        return fetch(*served.names[name])
    if path.startswith(GENERATED) or path in WITH_GENERATED and name.islower():
        from tapeflow.alias.private import generated_ops

        own = f"{path}.{name}" in generated_ops.OTHERS
        made = None if own else generated_ops.by_snake_name(name)
        if made is not None:
            return made
    raise AttributeError(
        f"tapeflow does not have tensorflow.{path}.{name}: of TensorFlow's private source tree it "
        "serves what some libraries need, names that are public too, and generated ops.")


def fetch(where: str, name: str) -> Any:
    """An object of a module of tapeflow, or of the public API ("tf")."""
    found: Any = import_module("tapeflow" if where == "tf" else where)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _is_shared(path: str) -> bool:
    """Whether a module has public names, or generated ops."""
    return (path in shared_names() or path in packages_of(shared_names())
            or path.startswith(GENERATED) and path.count(".") == 2)


def find(path: str) -> ModuleType | None:
    """The module that answers for `tensorflow.<path>`, or None."""
    if path not in MODULES and path not in PACKAGES and not _is_shared(path):
        return None
    full = f"{__name__}.{path}"
    module = sys.modules.get(full)
    if module is None:
        module = PrivateModule(full)
        module.__path__ = []  # so that modules below it are found
        if path == "compiler":  # tapeflow has a module of that name as well
            own = import_module("tapeflow.compiler")
            vars(module).update({name: getattr(own, name) for name in own.__all__})
        sys.modules[full] = module
    return module
