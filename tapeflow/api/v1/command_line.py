"""tf.compat.v1.app and tf.compat.v1.flags: programs with flags, which absl reads.

`app.run` parses the flags that are known and calls `main`. Loaded when one of the names is asked
for; without the package `absl-py` the names say so.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

from tapeflow.base.exports import publish

# TensorFlow 1's names of the first arguments of DEFINE_…
_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _absl(part: str) -> Any:
    try:
        return importlib.import_module(f"absl.{part}")
    except ImportError as error:
        raise ImportError(f"tf.compat.v1.{part} is absl's: install the package absl-py.") from error


def _defining(define: Callable) -> Callable:
    @functools.wraps(define)
    def defined(*args: Any, **named: Any) -> Any:
        return define(*args, **{_OLD_NAMES.get(name, name): one for name, one in named.items()})

    return defined


class _Values:
    """absl's FLAGS, parsed from the command line when the first flag is read."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # of Python, which asks objects for them
            raise AttributeError(name)
        values = _absl("flags").FLAGS
        if not values.is_parsed():
            values(sys.argv)
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_absl("flags").FLAGS, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_absl("flags").FLAGS, name)

    def __dir__(self) -> list[str]:
        return dir(_absl("flags").FLAGS)

    def __getitem__(self, name: str) -> Any:
        return _absl("flags").FLAGS[name]

    def __call__(self, *args: Any, **named: Any) -> Any:
        return _absl("flags").FLAGS(*args, **named)


class _Flags:
    """absl's flags, with TensorFlow 1's names of arguments."""

    FLAGS = _Values()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(_absl("flags"), name)
        return _defining(found) if name.startswith("DEFINE_") else found

    def __dir__(self) -> list[str]:
        return dir(_absl("flags"))


class _App:
    """Programs with flags."""

    flags = _Flags()

    def run(self, main: Callable | None = None, argv: list[str] | None = None) -> None:
        """Parse the flags that are known, call `main` with the other arguments, and exit with its
        result; without `main` that of the program."""
        def known(arguments: list[str]) -> list[str]:
            return list(_absl("flags").FLAGS(arguments, known_only=True))

        _absl("app").run(main=main or sys.modules["__main__"].main,
                         argv=argv, flags_parser=known)


publish(_App.flags, "compat.v1.flags")
publish(_App(), "compat.v1.app")
