# Written by tools/stubs.py (make stubs).
"""tf.debugging.experimental"""

from collections.abc import Callable

import tapeflow as tf
from tapeflow._typing import DebugEventsWriter, IntLike

def disable_dump_debug_info() -> None:
    """End what `enable_dump_debug_info` began, and write everything out."""

def enable_dump_debug_info(
    dump_root: str, tensor_debug_mode: str = 'NO_TENSOR', circular_buffer_size: IntLike = 1000,
    op_regex: str | None = None,
    tensor_dtypes: list | tuple | Callable[[tf.DType], bool] | None = None,
) -> DebugEventsWriter:
    """From now on, write what this thread executes into a folder, for TensorBoard's …"""
