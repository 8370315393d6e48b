"""The register of public names. Every layer adds to it; only `api` reads it.

`@export("math.sin", "sin")` puts a function or class at `tf.math.sin` and `tf.sin`.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")

PUBLIC: dict[str, Any] = {}


def publish(value: Any, *names: str) -> None:
    """Register `value` under each dotted public name; a name may be taken only once."""
    for name in names:
        if PUBLIC.setdefault(name, value) is not value:
            raise ValueError(f"the public name tf.{name} is defined twice")


def export(*names: str):
    """Decorator form of `publish`."""

    def decorate(value: T) -> T:
        publish(value, *names)
        return value

    return decorate
