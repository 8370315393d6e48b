"""Late binding: the one way in which a file refers to what stands above it, or imports it.

They are declared at the top of a file, where imports stand, and looked up when they are used. What
stands below is imported.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from tapeflow.base.exports import PUBLIC


class LatePublic:
    """A public function or class of a layer above, or of a module that is loaded when asked for."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __call__(self, *args: Any, **options: Any) -> Any:
        return PUBLIC[self.name](*args, **options)

    def get(self) -> Any:
        return PUBLIC[self.name]


class LateModule:
    """A module of the same layer that imports this one: two rules, or a class and its methods."""

    def __init__(self, name: str):
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


class LateMethod:
    """A method that a module gives to a class when it is loaded, which the first access does."""

    __slots__ = ("module", "name", "then")

    def __init__(self, module: str, name: str):
        self.module, self.name = module, name
        self.then: Any = None  # called after the import

    def __get__(self, instance: Any, owner: type) -> Any:
        import_module(self.module)
        if self.then is not None:
            self.then()
        return getattr(owner if instance is None else instance, self.name)


@functools.cache
def library(name: str, package: str) -> Any:
    """A module of a library without which most of tapeflow works; where it is missing, says so."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name.partition(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"this op needs {package}, which is not installed: pip install {package.lower()}",
            name=error.name) from None
