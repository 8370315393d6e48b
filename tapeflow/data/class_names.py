"""TensorFlow's names for the classes of tf.data, which libraries look for and users read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def public_class(cls: type, module: str, name: str | None = None) -> type:
    """Give a class TensorFlow's name for it."""
    cls.__name__ = cls.__qualname__ = name or cls.__name__
    cls.__module__ = f"tensorflow.python.data.{module}"
    return cls


def named(module: str) -> Callable:
    """Decorator form of `public_class`."""
    return lambda cls: public_class(cls, module)


def concrete(cls: type, base: type) -> Any:
    """An instance of a class that is not the abstract one."""
    if cls is base:
        raise TypeError(f"Can't instantiate abstract class {base.__name__}")
    return object.__new__(cls)
