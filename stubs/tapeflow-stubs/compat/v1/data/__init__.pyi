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

class Iterator:
    """An iterator of a tf.Graph; `get_next()` is nodes that take an element when they are …"""
    def __init__(self, dataset: tf.data.Dataset, one_shot: bool) -> None: ...
    @property
    def initializer(self) -> Any:
        """The operation that begins, or begins again."""
    def get_next(self, name: str | None = None) -> Any:
        """An element: another one each time that a session runs it."""
    @property
    def element_spec(self) -> Any: ...
    @property
    def output_types(self) -> Any: ...
    @property
    def output_shapes(self) -> Any: ...
    @property
    def output_classes(self) -> Any: ...

def make_initializable_iterator(
    dataset: tf.data.Dataset, shared_name: str | None = None,
) -> tf.compat.v1.data.Iterator:
    """An iterator of a tf.Graph that begins where its `initializer` is run."""

def make_one_shot_iterator(dataset: tf.data.Dataset) -> Any:
    """An iterator over a dataset that needs no start; in a tf.Graph, one that sessions run."""
