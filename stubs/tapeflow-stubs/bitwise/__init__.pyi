# Written by tools/stubs.py (make stubs).
"""tf.bitwise"""

from typing import overload

import tapeflow as tf
from tapeflow._typing import CompositeT, DenseLike, TensorLike

@overload
def bitwise_and(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """Bits set in both x and y."""
@overload
def bitwise_and(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def bitwise_or(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """Bits set in x or in y."""
@overload
def bitwise_or(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def bitwise_xor(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """Bits set in one of x and y, not in both."""
@overload
def bitwise_xor(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def invert(x: DenseLike, name: str | None = None) -> tf.Tensor:
    """Every bit flipped."""
@overload
def invert(x: CompositeT, name: str | None = None) -> CompositeT: ...

@overload
def left_shift(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The bits of x moved up by y places."""
@overload
def left_shift(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...

@overload
def right_shift(x: DenseLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """The bits of x moved down by y places; the sign stays."""
@overload
def right_shift(x: CompositeT, y: TensorLike, name: str | None = None) -> CompositeT: ...
