# Written by tools/stubs.py (make stubs).
"""tf.__operators__"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import TensorLike

def getitem(tensor: TensorLike, slice_spec: Any, var: Any = None) -> tf.Tensor:
    """`tensor[slice_spec]`."""

def ragged_getitem(rt_input: Any, key: Any) -> Any:
    """`rt_input[key]` of a ragged tensor."""
