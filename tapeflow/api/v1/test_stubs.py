"""`tf.compat.v1.test`: attributes that stand in for others while a test runs; a folder for files.

Loaded when one of the names is asked for.
"""

from __future__ import annotations

import atexit
import inspect
import shutil
import tempfile
from typing import Any
from unittest import mock

from tapeflow.base.exports import export, publish

publish(mock, "compat.v1.test.mock")


_folder: list[str] = []  # for the files of tests, once it was asked for


@export("compat.v1.test.get_temp_dir")
def get_temp_dir() -> str:
    """A folder for the files of this run's tests, which is removed at its end."""
    if not _folder:
        _folder.append(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, _folder[0], ignore_errors=True)
    return _folder[0]


def _held(parent: Any, name: str) -> Any:
    """An attribute as its object holds it, static methods as such; if its class does, bound."""
    return vars(parent)[name] if name in getattr(parent, "__dict__", ()) else getattr(parent, name)


@export("compat.v1.test.StubOutForTesting")
class StubOutForTesting:
    """Sets attributes of modules, classes and objects, and sets them back."""

    def __init__(self) -> None:
        self.stubs: list[tuple[Any, str, Any]] = []
        self.cache: list[tuple[Any, str, Any]] = []

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute until `UnsetAll`."""
        self.cache.append((parent, child_name, _held(parent, child_name)))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:
        """Undo every `Set`, the last one first."""
        _restore(self.cache)

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replace an attribute where it is held: in the object, or in the class that has it."""
        holder = obj
        if not inspect.ismodule(obj) and attr_name not in vars(obj):
            kinds = inspect.getmro(obj if inspect.isclass(obj) else type(obj))
            found = [one for one in kinds if attr_name in vars(one)]
            if not found:
                raise AttributeError("Attribute not found.")
            holder = found[0]
        self.stubs.append((holder, attr_name, _held(holder, attr_name)))
        setattr(holder, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:
        """Undo every `SmartSet`, the last one first."""
        _restore(self.stubs)

    def CleanUp(self) -> None:
        """Undo everything."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.CleanUp()

    def __del__(self) -> None:
        self.CleanUp()


def _restore(replaced: list[tuple[Any, str, Any]]) -> None:
    while replaced:
        parent, name, value = replaced.pop()
        setattr(parent, name, value)
