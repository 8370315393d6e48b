# Written by tools/stubs.py (make stubs).
"""tf.autodiff"""

from typing import Any

import tapeflow as tf
from tapeflow import GradientTape as GradientTape

class ForwardAccumulator:
    """Computes Jacobian-vector products while the program runs."""
    def __init__(self, primals: Any, tangents: Any) -> None: ...
    def __enter__(self) -> tf.autodiff.ForwardAccumulator: ...
    def __exit__(self, *exc: Any) -> None: ...
    def jvp(self, primals: Any, unconnected_gradients: Any = ...) -> Any:
        """The tangents of `primals` (any structure), None where there is none."""
