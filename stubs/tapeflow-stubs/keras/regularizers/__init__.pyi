# Written by tools/stubs.py (make stubs).
"""tf.keras.regularizers"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import Regularizer as Regularizer

def serialize(regularizer: Any) -> Any: ...

def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """Return a Keras regularizer object via its config."""

def get(identifier: Any) -> Any:
    """Retrieve a Keras regularizer object via an identifier."""

class L1(tf.keras.Regularizer):
    """A regularizer that applies a L1 regularization penalty."""
    def __init__(self, l1: Any = 0.01) -> None: ...
    def __call__(self, x: Any) -> Any: ...
    def get_config(self) -> Any: ...
    l1: Any

class L1L2(tf.keras.Regularizer):
    """A regularizer that applies both L1 and L2 regularization penalties."""
    def __init__(self, l1: Any = 0.0, l2: Any = 0.0) -> None: ...
    def __call__(self, x: Any) -> Any: ...
    def get_config(self) -> Any: ...
    l1: Any
    l2: Any

class L2(tf.keras.Regularizer):
    """A regularizer that applies a L2 regularization penalty."""
    def __init__(self, l2: Any = 0.01) -> None: ...
    def __call__(self, x: Any) -> Any: ...
    def get_config(self) -> Any: ...
    l2: Any

class OrthogonalRegularizer(tf.keras.Regularizer):
    """Regularizer that encourages input vectors to be orthogonal to each other."""
    def __init__(self, factor: Any = 0.01, mode: Any = 'rows') -> None: ...
    def __call__(self, inputs: Any) -> Any: ...
    def get_config(self) -> Any: ...
    factor: Any
    mode: Any

l1 = L1
l1_l2 = L1L2
l2 = L2
orthogonal_regularizer = OrthogonalRegularizer
