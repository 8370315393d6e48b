# Written by tools/stubs.py (make stubs).
"""tf.keras.tree"""

from typing import Any

def assert_same_paths(a: Any, b: Any) -> Any:
    """Asserts that two structures have identical paths in their tree structure."""

def assert_same_structure(a: Any, b: Any, check_types: Any = None) -> Any:
    """Asserts that two structures are nested in the same way."""

def flatten(structure: Any) -> Any:
    """Flattens a possibly nested structure into a list."""

def flatten_with_path(structure: Any) -> Any:
    """Flattens a possibly nested structure into a list."""

def is_nested(structure: Any) -> Any:
    """Checks if a given structure is nested."""

def lists_to_tuples(structure: Any) -> Any:
    """Returns the structure with list instances changed to tuples."""

def map_shape_structure(func: Any, structure: Any) -> Any:
    """Variant of keras.tree.map_structure that operates on shape tuples."""

def map_structure(func: Any, *structures: Any, none_is_leaf: Any = True) -> Any:
    """Maps `func` through given structures."""

def map_structure_up_to(shallow_structure: Any, func: Any, *structures: Any) -> Any:
    """Maps `func` through given structures up to `shallow_structure`."""

class MAP_TO_NONE:
    """Special value for use with `traverse()`."""

def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Returns a given flattened sequence packed into a given structure."""

def traverse(func: Any, structure: Any, top_down: Any = True) -> Any:
    """Traverses the given nested structure, applying the given function."""
