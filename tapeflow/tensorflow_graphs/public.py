"""`tf.math.abs` for modules below the public face: names of the register, loaded when asked for."""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import PUBLIC


class Face:
    """A public namespace, by the register alone."""

    def __init__(self, path: str):
        self._path = path

    def __getattr__(self, name: str) -> Any:
        path = f"{self._path}{name}"
        try:
            found = PUBLIC[path]
        except KeyError:
            found = Face(f"{path}.")
        setattr(self, name, found)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise AttributeError(f"there is no tf.{self._path[:-1]}")


tf: Any = Face("")


def public(path: str) -> Any:
    """What a dotted public name stands for."""
    return PUBLIC[path]
