"""Public names that stand for wrapped functions, from the moment on when a program needs it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from tapeflow.base.exports import PUBLIC, known_as, watch

# Namespaces of functions on tensors.
SPACES = frozenset("""
    audio bitwise debugging dtypes experimental.numpy image io linalg linalg.experimental math
    math.special nn nn.experimental quantization ragged random random.experimental sets signal
    strings __operators__
""".split()) | {""}

# Functions of values, which no symbolic tensor has.
OF_VALUES = frozenset(("constant", "compat.v1.constant", "compat.v1.get_seed",
                       "compat.v1.random.get_seed"))

_wrappers: dict[Callable, frozenset[str]] = {}  # wrapper -> the names that it leaves as they are
_wrapped: dict[tuple, Callable] = {}


def wrap_names(wrapper: Callable, but: frozenset[str] = frozenset()) -> None:
    """Let public names of functions on tensors stand for `wrapper(function)` from now on.

    That costs every call some 100 ns: nobody pays before a program needs it. What took a function
    before keeps it as it was.
    """
    if wrapper in _wrappers:
        return
    if not _wrappers:
        watch(_put)
    _wrappers[wrapper] = but
    replaced: dict[Any, Callable] = {}
    for path, value in list(PUBLIC.items()):
        _put(path, value, replaced)
    for module in [one for name, one in list(sys.modules.items())
                   if name.startswith("tapeflow.compat.v1")]:  # has names of others too
        for name, value in list(vars(module).items()):
            if type(value) is FunctionType and value in replaced:
                setattr(module, name, replaced[value])


def _raw_alias(space: str, value: Any) -> bool:
    """Whether a raw op is a public function that has its name elsewhere, where pickle finds it."""
    return space == "raw_ops" and not value.__qualname__.startswith("raw_ops.") and (
        value.__module__ == "tapeflow")


def _put(path: str, value: Any, replaced: dict[Any, Callable] | None = None) -> None:
    """Let a name stand for the wrapped function; `replaced`: what stood there -> what stands now"""
    space, _, name = path.rpartition(".")
    if type(value) is not FunctionType or not (
            space in SPACES or space.startswith("compat.v1") or _raw_alias(space, value)):
        return
    wrappers = tuple([one for one, but in _wrappers.items() if path not in but])
    key = (value, wrappers)
    if key not in _wrapped:
        for wrapper in wrappers:
            value = known_as(wrapper(value), path, value.__name__)
        _wrapped[key] = value
    module = sys.modules[f"tapeflow.{space}".rstrip(".")]
    if replaced is not None:
        replaced[vars(module)[name]] = _wrapped[key]
    setattr(module, name, _wrapped[key])
