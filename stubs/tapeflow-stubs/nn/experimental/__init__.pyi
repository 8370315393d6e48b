# Written by tools/stubs.py (make stubs).
"""tf.nn.experimental"""

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow._typing import ShapeLike, TensorLike

def general_dropout(
    x: TensorLike, rate: Any, uniform_sampler: Callable, noise_shape: ShapeLike = None,
    name: str | None = None,
) -> tf.Tensor:
    """Dropout with numbers of `uniform_sampler(shape, dtype)`."""

def stateless_dropout(
    x: TensorLike, rate: Any, seed: Any, rng_alg: Any = None, noise_shape: ShapeLike = None,
    name: str | None = None,
) -> tf.Tensor:
    """Dropout whose choice depends on `seed` (two integers) alone."""
