# Written by tools/stubs.py (make stubs).
"""tf.xla.experimental"""

from contextlib import AbstractContextManager

def jit_scope(
    compile_ops: bool = True, separate_compiled_gradients: bool = False,
) -> AbstractContextManager[None]:
    """Accepted: a tf.function is compiled by its own `jit_compile`."""
