# Written by tools/stubs.py (make stubs).
"""tf.compat"""

from contextlib import AbstractContextManager
from typing import Any

from tapeflow._typing import IntLike, ShapeLike, TensorLike
from tapeflow.compat import v1 as v1

bytes_or_text_types: tuple
complex_types: tuple
integral_types: tuple
real_types: tuple

def as_bytes(bytes_or_text: Any, encoding: str = 'utf-8') -> bytes:
    """Text or bytes as bytes."""

def as_str(bytes_or_text: Any, encoding: str = 'utf-8') -> str:
    """Text or bytes as text."""

def as_str_any(value: TensorLike, encoding: str = 'utf-8') -> str:
    """Text or bytes as text, anything else by `str`."""

def dimension_at_index(shape: ShapeLike, index: IntLike) -> Any:
    """A size of a shape; None if the rank is unknown."""

def dimension_value(dimension: Any) -> int | None:
    """A size of a shape as an int or None."""

def forward_compatibility_horizon(
    year: IntLike, month: IntLike, day: IntLike,
) -> AbstractContextManager[None]:
    """Context in which `forward_compatible` takes that day for the horizon, if it is later."""

def forward_compatible(year: IntLike, month: IntLike, day: IntLike) -> bool:
    """Whether graphs made now must still be read by TensorFlow of that day."""

def path_to_str(path: Any) -> Any:
    """A path object as text; other values as they are."""

as_text = as_str
