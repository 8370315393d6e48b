# Written by tools/stubs.py (make stubs).
"""tf.xla.experimental"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from tapeflow._typing import TensorLike

def compile(computation: Callable, inputs: TensorLike | None = None) -> Any:
    """Run a function as compiled code, on the inputs of a list."""

def jit_scope(
    compile_ops: bool = True, separate_compiled_gradients: bool = False,
) -> AbstractContextManager[None]:
    """Accepted: a tf.function is compiled by its own `jit_compile`."""
