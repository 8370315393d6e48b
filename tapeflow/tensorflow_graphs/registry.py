"""Which function of ours is which op of TensorFlow's.

`@raw` above `def MatMul(a, b, transpose_a, transpose_b)` says it: the inputs come by position in
the op's order, attributes by name, those that the function has parameters for.
`same("Sin math.sin")` says that a public function is the op. It takes the inputs, then the
attributes that the row names: `ArgMax argmax output_type`, `BatchMatMul linalg.matmul
adjoint_a=adj_x` for one that is a keyword of the public function.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from tapeflow.tensorflow_graphs.public import public


class Row(NamedTuple):
    """A public function that is an op, and the attributes that it takes beside the inputs."""

    path: str
    positional: list[str]
    keywords: list[tuple[str, str]]  # the function's keyword, the op's attribute

    def call(self) -> Callable:
        function = public(self.path)
        return lambda inputs, attributes: function(
            *inputs, *[attributes[name] for name in self.positional],
            **{word: attributes[name] for word, name in self.keywords})


_FAMILIES = (
    "along_axes", "arrays", "control", "convolutions", "images", "linear_algebra", "networks",
    "op_gradients", "pointwise", "random.keyed_randoms", "random.randoms", "rows.composites",
    "rows.lists", "rows.rows_of_values", "signals", "state.assignments", "state.checkpoint_ops",
    "state.optimizer_steps", "state.resources", "text.example_parsing", "text.strings")
_ops: dict[str, Callable | Row] = {}
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
    """Register ops that are public functions: rows `Op public.name attribute keyword=attribute`.

    A line that begins with a space goes on with the row above.
    """
    for row in table.replace("\n ", " ").split("\n"):
        if row:
            op, path, *words = row.split()
            if op in _ops:
                raise ValueError(f"the op {op} is defined twice")
            pairs = [word.partition("=")[::2] for word in words]
            _ops[op] = Row(path, [name for name, of in pairs if not of],
                           [(word, of) for word, of in pairs if of])


def implements(name: str) -> bool:
    """Whether an op is implemented; nothing of it is loaded."""
    load()
    return name in _ops


def implementation(name: str) -> Callable | None:
    """`call(inputs, attributes)` of an op; None for one that we lack."""
    load()
    found = _ops.get(name)
    if found is None:
        return None
    if isinstance(found, Row):
        return found.call()
    wanted, function = _wants[name], found
    return lambda inputs, attributes: function(*inputs, **{
        key: value for key, value in attributes.items() if key in wanted})


@functools.cache  # only what has ended: a thread that comes meanwhile waits for the imports
def load() -> None:
    """Import the modules that implement ops."""
    for family in _FAMILIES:
        import_module(f"tapeflow.tensorflow_graphs.ops.{family}")


def implemented() -> list[str]:
    """The names of all ops that are implemented."""
    load()
    return sorted(_ops)
