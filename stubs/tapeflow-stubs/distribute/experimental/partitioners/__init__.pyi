# Written by tools/stubs.py (make stubs).
"""tf.distribute.experimental.partitioners"""

import tapeflow as tf
from tapeflow._typing import DTypeLike, IntLike, ShapeLike

class FixedShardsPartitioner(tf.distribute.experimental.partitioners.Partitioner):
    """A fixed number of shards."""
    def __init__(self, num_shards: IntLike) -> None: ...
    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: IntLike = 0) -> list[int]: ...

class MaxSizePartitioner(tf.distribute.experimental.partitioners.Partitioner):
    """So many shards that each is of at most a size."""
    def __init__(
        self, max_shard_bytes: IntLike, max_shards: IntLike | None = None,
        bytes_per_string: IntLike = 16,
    ) -> None: ...
    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: IntLike = 0) -> list[int]: ...

class MinSizePartitioner(tf.distribute.experimental.partitioners.Partitioner):
    """As many shards as leave each of at least a size."""
    def __init__(
        self, min_shard_bytes: IntLike = 262144, max_shards: IntLike = 1,
        bytes_per_string: IntLike = 16,
    ) -> None: ...
    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: IntLike = 0) -> list[int]: ...

class Partitioner:
    """Into how many shards a variable is parted, for each axis."""
    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: IntLike = 0) -> list[int]: ...
