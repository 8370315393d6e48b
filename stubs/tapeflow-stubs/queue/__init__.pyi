# Written by tools/stubs.py (make stubs).
"""tf.queue"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike

class FIFOQueue(tf.queue.QueueBase):
    """Elements leave in the order in which they came."""
    def __init__(
        self, capacity: IntLike, dtypes: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = 'fifo_queue',
    ) -> None: ...

class PaddingFIFOQueue(tf.queue.QueueBase):
    """Elements of different sizes are padded with zeros where several are taken out."""
    def __init__(
        self, capacity: IntLike, dtypes: Any, shapes: Any, names: Any = None,
        shared_name: str | None = None, name: str = 'padding_fifo_queue',
    ) -> None: ...

class PriorityQueue(tf.queue.QueueBase):
    """Elements leave by their first component, an int64: the smallest first."""
    def __init__(
        self, capacity: IntLike, types: Any, shapes: Any = None, names: Any = None,
        shared_name: str | None = None, name: str = 'priority_queue',
    ) -> None: ...

class QueueBase:
    """What queues share: elements of one or more tensors, and who waits for them."""
    def __init__(
        self, dtypes_: Any, shapes: Any, names: Any, capacity: IntLike, name: str,
    ) -> None: ...
    @property
    def dtypes(self) -> list: ...
    @property
    def shapes(self) -> list: ...
    @property
    def names(self) -> Any: ...
    @property
    def name(self) -> str: ...
    def size(self, name: str | None = None) -> tf.Tensor:
        """How many elements there are."""
    def is_closed(self, name: str | None = None) -> tf.Tensor:
        """Whether nothing more can be put in."""
    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> None:
        """Let nothing more in; what is there can be taken out."""
    def enqueue(self, vals: Any, name: str | None = None) -> None:
        """Put in one element, when there is room."""
    def enqueue_many(self, vals: Any, name: str | None = None) -> None:
        """Put in as many elements as the tensors have rows."""
    def dequeue(self, name: str | None = None) -> Any:
        """Take out one element, when there is one."""
    def dequeue_many(self, n: IntLike, name: str | None = None) -> Any:
        """Take out `n` elements, stacked."""
    def dequeue_up_to(self, n: IntLike, name: str | None = None) -> Any:
        """Take out `n` elements, stacked, or what is left in a closed queue."""
    @staticmethod
    def from_list(index: IntLike, queues: list) -> tf.queue.QueueBase:
        """One of several queues."""

class RandomShuffleQueue(tf.queue.QueueBase):
    """Elements leave in a random order; some stay, so that there is a choice."""
    def __init__(
        self, capacity: IntLike, min_after_dequeue: IntLike, dtypes: Any, shapes: Any = None,
        names: Any = None, seed: IntLike | None = None, shared_name: str | None = None,
        name: str = 'random_shuffle_queue',
    ) -> None: ...
