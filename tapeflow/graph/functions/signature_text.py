"""Arguments and results of a tf.function as words: TensorSpec(…), Literal[…], Dict[…].

What concrete functions print, and what a retracing warning says has changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import nest
from tapeflow.base.dtypes import of
from tapeflow.base.exports import export
from tapeflow.base.specs import TensorSpec, TypeSpec
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable


@export("VariableSpec")
class VariableSpec(TypeSpec):
    """Shape, dtype and trainability of a variable that is an argument."""

    __slots__ = ("alias_id", "dtype", "shape", "trainable")
    value_type = Variable

    def __init__(self, shape: Any, dtype: Any = "float32", trainable: bool = True,
                 alias_id: int | None = None):
        spec = TensorSpec(shape, dtype)
        self.shape, self.dtype, self.trainable = spec.shape, spec.dtype, trainable
        self.alias_id = alias_id

    @classmethod
    def from_value(cls, value: Any) -> VariableSpec:
        return cls(value.shape, value.dtype, value.trainable)

    def _serialize(self) -> tuple:
        return self.shape, self.dtype, self.trainable, self.alias_id

    def __repr__(self) -> str:
        return (f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, "
                f"trainable={self.trainable}, alias_id={self.alias_id})")


def specs_of(values: Any, names: Any = None) -> Any:
    """A structure with TensorSpecs and VariableSpecs for tensors and variables."""
    order: dict[int, int] = {}

    def leaf(x: Any) -> Any:
        if isinstance(x, Variable):
            owner = getattr(x, "_owner", x)
            alias = order.setdefault(owner._uid, len(order))
            return VariableSpec(owner.shape, owner.dtype, owner.trainable, alias)
        if isinstance(x, Composite):
            return x._type_spec
        if isinstance(x, Tensor):
            return TensorSpec(x.shape, x.dtype)
        if isinstance(x, (np.ndarray, np.generic)):
            return TensorSpec(x.shape, of(x.dtype))
        return x

    return nest.map_structure(leaf, values)


def named(spec: Any, name: str) -> Any:
    """The specs of one argument, each with a name made of its path in the argument."""
    if isinstance(spec, TensorSpec):
        return spec if spec.name else TensorSpec(spec.shape, spec.dtype, name)
    if isinstance(spec, dict):
        return type(spec)((key, named(one, f"{name}_{key}")) for key, one in spec.items())
    if type(spec) in (list, tuple):
        return type(spec)(named(one, f"{name}_{i}") for i, one in enumerate(spec))
    return spec


def describe(x: Any) -> str:
    """A spec, a structure of specs, or a Python value, as a type."""
    if isinstance(x, TypeSpec):
        return repr(x)
    if isinstance(x, dict):
        return f"Dict[{', '.join(f'[{key!r}, {describe(one)}]' for key, one in x.items())}]"
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        parts = ", ".join(f"[{key!r}, {describe(one)}]" for key, one in zip(x._fields, x,
                                                                              strict=True))
        return f"NamedTuple[{type(x).__name__}, [{parts}]]"
    if isinstance(x, (list, tuple)):
        kind = "List" if isinstance(x, list) else "Tuple"
        return f"{kind}[{', '.join(map(describe, x))}]"
    if x is None or isinstance(x, (bool, int, float, complex, str, bytes)):
        return f"Literal[{x!r}]"
    return repr(x)


def difference(before: list, now: list) -> str:
    """Which argument changed, and how; both are lists of (name, kind, spec)."""
    if [name for name, _, _ in before] != [name for name, _, _ in now]:
        return (f"the arguments were ({', '.join(name for name, _, _ in before)}) and are now "
                f"({', '.join(name for name, _, _ in now)})")
    changes = [f"argument {name!r} was {describe(old)} and is now {describe(new)}"
               for (name, _, old), (_, _, new) in zip(before, now, strict=True)
               if describe(old) != describe(new)]
    return "; ".join(changes) or "an object among the arguments is another one"
