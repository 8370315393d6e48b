"""Which function of ours is which op of TensorFlow's.

`@raw` above `def MatMul(a, b, transpose_a, transpose_b)` says it: the inputs come by position in
the op's order, attributes by name, those that the function has parameters for.
`same("Sin math.sin")` says that a public function with the inputs alone is the op.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module

from tapeflow.tensorflow_graphs.public import public

_FAMILIES = ("along_axes", "arrays", "assignments", "composites", "control", "convolutions",
             "images", "linear_algebra", "lists", "networks", "pointwise", "randoms", "resources",
             "signals", "strings")
_ops: dict[str, Callable | str] = {}
_wants: dict[str, frozenset[str]] = {}


def raw(function: Callable) -> Callable:
    """Register a function as the op of its name."""
    name = function.__name__.rstrip("_")  # Any_: the op Any
    if name in _ops:
        raise ValueError(f"the op {name} is defined twice")
    _ops[name] = function
    _wants[name] = frozenset(inspect.signature(function).parameters)
    return function


def same(table: str) -> None:
    """Register ops that are public functions of their inputs: lines `Op public.name`."""
    for line in table.splitlines():
        if line.strip():
            op, path = line.split()
            if op in _ops:
                raise ValueError(f"the op {op} is defined twice")
            _ops[op] = path


def implementation(name: str) -> Callable | None:
    """`call(inputs, attributes)` of an op; None for one that we lack."""
    load()
    found = _ops.get(name)
    if found is None:
        return None
    if isinstance(found, str):
        function = public(found)
        return lambda inputs, attributes: function(*inputs)
    wanted, function = _wants[name], found
    return lambda inputs, attributes: function(*inputs, **{
        key: value for key, value in attributes.items() if key in wanted})


def load() -> None:
    """Import the modules that implement ops."""
    if not _ops:
        for family in _FAMILIES:
            import_module(f"tapeflow.tensorflow_graphs.ops.{family}")


def implemented() -> list[str]:
    """The names of all ops that are implemented."""
    load()
    return sorted(_ops)
