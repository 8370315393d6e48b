"""The modules of TensorFlow's private source tree that libraries import, by one table.

`tensorflow.python.eager.context` and the like: `table.py` says which names each has, where they are
here, and which libraries need them. A name is looked up when it is asked for; what is not in the
table is refused with words. Only `alias.finder` imports this.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from tapeflow.alias.private.table import read

MODULES = read()
PACKAGES = {".".join(name.split(".")[:depth]) for name in MODULES
            for depth in range(1, len(name.split(".")))}


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
        served = MODULES.get(path)
        below = {one.split(".")[path.count(".") + 1] for one in (*MODULES, *PACKAGES)
                 if one.startswith(f"{path}.")}
        return sorted({*vars(self), *below, *(served.names if served else ())})


def resolve(path: str, name: str) -> Any:
    """The object that is `tensorflow.<path>.<name>`; AttributeError if the table has none."""
    served = MODULES.get(path)
    if served is not None:
        if name in served.names:
            return _fetch(*served.names[name])
        for module in served.whole:
            found = vars(import_module(module)).get(name)
            if found is not None:
                return found
    raise AttributeError(
        f"tapeflow does not have tensorflow.{path}.{name}: of TensorFlow's private source tree it "
        "serves only what Keras and some other libraries need.")


def _fetch(where: str, name: str) -> Any:
    found: Any = import_module("tapeflow" if where == "tf" else where)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def find(path: str) -> ModuleType | None:
    """The module that answers for `tensorflow.<path>`, or None."""
    if path not in MODULES and path not in PACKAGES:
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
