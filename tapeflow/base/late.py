"""Late binding: the one way in which a file refers to what stands above it, or imports it.

Both are declared at the top of a file, where imports stand, and looked up when they are used. What
stands below is imported.
"""

from __future__ import annotations

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
