# Written by tools/stubs.py (make stubs).
"""tf.nest"""

from collections.abc import Callable
from typing import Any

def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False,
) -> None:
    """ValueError unless both nest alike; TypeError if `check_types` and containers differ …"""

def flatten(structure: Any, expand_composites: bool = False) -> list:
    """The leaves in order; mappings give them by sorted key. A leaf gives a list of itself."""

def is_nested(seq: Any) -> bool:
    """Whether `seq` is a structure, even an empty one, and not a leaf."""

def map_structure(func: Callable, *structure: Any, **kwargs: Any) -> Any:
    """A structure like the first one, of `func(leaf, ...)` of the leaves of all structures."""

def pack_sequence_as(
    structure: Any, flat_sequence: Any, expand_composites: bool = False,
) -> Any:
    """`structure` with its leaves replaced, in the order of `flatten`, by `flat_sequence`."""
