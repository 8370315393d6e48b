# Written by tools/stubs.py (make stubs).
"""tf.__operators__"""

from typing import Any, overload

import tapeflow as tf
from tapeflow._typing import CompositeT, DenseLike, TensorLike

@overload
def add(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """`x + y`."""
@overload
def add(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def eq(self: DenseLike, other: Any) -> tf.Tensor:
    """`self == other`, where `self` is a tensor."""
@overload
def eq(self: CompositeT, other: Any) -> CompositeT: ...

def getitem(tensor: TensorLike, slice_spec: Any, var: Any = None) -> tf.Tensor:
    """`tensor[slice_spec]`."""

@overload
def ne(self: DenseLike, other: Any) -> tf.Tensor:
    """`self != other`, where `self` is a tensor."""
@overload
def ne(self: CompositeT, other: Any) -> CompositeT: ...

def ragged_getitem(rt_input: Any, key: Any) -> Any:
    """`rt_input[key]` of a ragged tensor."""
