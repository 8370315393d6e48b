# Written by tools/stubs.py (make stubs).
"""tf.random.experimental"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import TensorLike
from tapeflow.random import (
    Algorithm as Algorithm,
    create_rng_state as create_rng_state,
    fold_in as _fold_in,
    Generator as Generator,
    get_global_generator as get_global_generator,
    set_global_generator as set_global_generator,
    split as _split,
)

def index_shuffle(index: Any, seed: Any, max_index: Any) -> tf.Tensor:
    """Where `index` goes in a permutation of 0 ... max_index that the seed gives."""

def stateless_shuffle(
    value: TensorLike, seed: Any, alg: Any = 'auto_select', name: str | None = None,
) -> tf.Tensor:
    """The rows of `value` in an order that the seed gives."""

stateless_fold_in = _fold_in
stateless_split = _split
