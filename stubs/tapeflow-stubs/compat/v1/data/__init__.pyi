# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.data"""

from typing import Any

import tapeflow as tf

def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the values that an element spec describes."""

def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes in an element spec."""

def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes in an element spec."""

def make_one_shot_iterator(dataset: tf.data.Dataset) -> Any:
    """An iterator over a dataset; not in a tf.Graph, where its elements would be taken at …"""
