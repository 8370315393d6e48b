# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.io"""

from collections.abc import Iterator
from typing import Any

from tapeflow.io import (
    FixedLenFeature as FixedLenFeature,
    FixedLenSequenceFeature as FixedLenSequenceFeature,
    parse_single_example as parse_single_example,
    RaggedFeature as RaggedFeature,
    SparseFeature as SparseFeature,
    VarLenFeature as VarLenFeature,
    write_graph as write_graph,
)

def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file as bytes; without tf.data."""
