"""tf.queue: queues of tensors between threads, for programs that run eagerly.

Loaded when one of its names is asked for.
"""

from __future__ import annotations

import heapq
import itertools
import random
import threading
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.base.shapes import TensorShape
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap

_stack = LatePublic("stack")
_pad = LatePublic("pad")


def _listed(shapes: Any) -> list:
    """A list of shapes, of which a queue with one component may be given the only one."""
    if not isinstance(shapes, (list, tuple)):
        return [shapes]
    single = all(one is None or isinstance(one, int) for one in shapes)
    return [shapes] if single else list(shapes)


@export("queue.QueueBase")
class QueueBase:
    """What queues share: elements of one or more tensors, and who waits for them."""

    def __init__(self, dtypes_: Any, shapes: Any, names: Any, capacity: int, name: str):
        if state.trace is not None:
            raise NotImplementedError("tf.queue works outside tf.function and tf.Graph only.")
        kinds = dtypes_ if isinstance(dtypes_, (list, tuple)) else [dtypes_]
        self._dtypes = [dtypes.as_dtype(one) for one in kinds]
        self._shapes = [TensorShape(None)] * len(self._dtypes)
        if shapes is not None:
            listed = _listed(shapes)
            if len(listed) != len(self._dtypes):
                raise ValueError("Queue shapes must have the same length as dtypes, received "
                                 f"{len(listed)} shapes, {len(self._dtypes)} dtypes.")
            self._shapes = [TensorShape(one) for one in listed]
        self._names = [names] if isinstance(names, str) else names
        self._capacity = capacity if capacity >= 0 else 1 << 62
        self._name, self._closed = name, False
        self._changed = threading.Condition()
        self._held: list[Any] = []

    # -- what it is ------------------------------------------------------------------------------
    @property
    def dtypes(self) -> list:
        return self._dtypes

    @property
    def shapes(self) -> list:
        return self._shapes

    @property
    def names(self) -> Any:
        return self._names

    @property
    def name(self) -> str:
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are."""
        return wrap(np.int32(len(self._held)))

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether nothing more can be put in."""
        return wrap(np.bool_(self._closed))

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> None:
        """Let nothing more in; what is there can be taken out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # -- putting in ------------------------------------------------------------------------------
    def enqueue(self, vals: Any, name: str | None = None) -> None:
        """Put in one element, when there is room."""
        self._put(self._components(vals, self._shapes))

    def enqueue_many(self, vals: Any, name: str | None = None) -> None:
        """Put in as many elements as the tensors have rows."""
        rows = [TensorShape([None]).concatenate(one) for one in self._shapes]
        tensors = self._components(vals, rows)
        for i in range(len(tensors[0])):
            self._put([one[i] for one in tensors])

    def _components(self, vals: Any, shapes: list) -> list[Tensor]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names) != sorted(vals):
                raise ValueError(f"Keys in dictionary to enqueue do not match names of Queue. "
                                 f"Dictionary: {sorted(vals)}, Queue: {sorted(self._names)}")
            vals = [vals[name] for name in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        elif not isinstance(vals, (list, tuple)):
            vals = [vals]
        if len(vals) != len(self._dtypes):
            raise errors.invalid("QueueEnqueueV2", f"expected {len(self._dtypes)} components, got "
                                                   f"{len(vals)}")
        tensors = [convert(one, kind) for one, kind in zip(vals, self._dtypes, strict=True)]
        for tensor, shape in zip(tensors, shapes, strict=True):
            if not tensor.shape.is_compatible_with(shape):
                raise ValueError(f"Shapes {tensor.shape} and {shape} are incompatible")
        return tensors

    def _put(self, element: list[Tensor]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._held) < self._capacity)
            if self._closed:
                raise errors.CancelledError(None, None, f"{self._name} is closed.")
            self._insert(element)
            self._changed.notify_all()

    def _insert(self, element: list[Tensor]) -> None:
        self._held.append(element)

    # -- taking out ------------------------------------------------------------------------------
    _kept = 0  # elements that stay until the queue is closed

    def dequeue(self, name: str | None = None) -> Any:
        """Take out one element, when there is one."""
        return self._as_result(self._taken(1, False)[0])

    def dequeue_many(self, n: int, name: str | None = None) -> Any:
        """Take out `n` elements, stacked."""
        return self._stacked(self._taken(int(n), False))

    def dequeue_up_to(self, n: int, name: str | None = None) -> Any:
        """Take out `n` elements, stacked, or what is left in a closed queue."""
        return self._stacked(self._taken(int(n), True))

    def _taken(self, count: int, fewer: bool) -> list[list[Tensor]]:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or len(self._held) >= count + self._kept)
            there = len(self._held)
            if there < count and not (fewer and there):
                raise errors.OutOfRangeError(None, None, (
                    f"{self._name} is closed and has insufficient elements (requested {count}, "
                    f"current size {there})"))
            found = [self._remove() for _ in range(min(count, there))]
            self._changed.notify_all()
        return found

    def _remove(self) -> list[Tensor]:
        return self._held.pop(0)

    def _stacked(self, elements: list[list[Tensor]]) -> Any:
        if not all(shape.is_fully_defined() for shape in self._shapes) and (
                type(self) is not PaddingFIFOQueue):
            raise errors.InvalidArgumentError(None, None, (
                f"{self._name}: dequeue_many requires the components to have specified shapes."))
        columns = [list(column) for column in zip(*elements, strict=True)]
        return self._as_result([_stack(self._even(column)) for column in columns])

    def _even(self, column: list[Tensor]) -> list[Tensor]:
        return column

    def _as_result(self, tensors: list[Tensor]) -> Any:
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else tensors

    @staticmethod
    def from_list(index: int, queues: list) -> QueueBase:
        """One of several queues."""
        return queues[int(index)]


@export("queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """Elements leave in the order in which they came."""

    def __init__(self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None,
                 shared_name: str | None = None, name: str = "fifo_queue"):
        super().__init__(dtypes, shapes, names, capacity, name)


@export("queue.PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """Elements of different sizes are padded with zeros where several are taken out."""

    def __init__(self, capacity: int, dtypes: Any, shapes: Any, names: Any = None,
                 shared_name: str | None = None, name: str = "padding_fifo_queue"):
        super().__init__(dtypes, shapes, names, capacity, name)

    def _even(self, column: list[Tensor]) -> list[Tensor]:
        sizes = [max(n) for n in zip(*[one.shape.as_list() for one in column], strict=True)]
        return [_pad(one, [[0, size - n] for size, n in zip(
            sizes, one.shape.as_list(), strict=True)]) if sizes else one for one in column]


@export("queue.RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """Elements leave in a random order; some stay, so that there is a choice."""

    def __init__(self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None,
                 names: Any = None, seed: int | None = None, shared_name: str | None = None,
                 name: str = "random_shuffle_queue"):
        super().__init__(dtypes, shapes, names, capacity, name)
        self._kept, self._random = min_after_dequeue, random.Random(seed)

    def _remove(self) -> list[Tensor]:
        index = self._random.randrange(len(self._held))
        self._held[index], self._held[-1] = self._held[-1], self._held[index]
        return self._held.pop()


@export("queue.PriorityQueue")
class PriorityQueue(QueueBase):
    """Elements leave by their first component, an int64: the smallest first."""

    def __init__(self, capacity: int, types: Any, shapes: Any = None, names: Any = None,
                 shared_name: str | None = None, name: str = "priority_queue"):
        kinds = list(types) if isinstance(types, (list, tuple)) else [types]
        sizes = None if shapes is None else [(), *_listed(shapes)]
        super().__init__([dtypes.int64, *kinds], sizes, names, capacity, name)
        self._count = itertools.count()

    def _insert(self, element: list[Tensor]) -> None:
        heapq.heappush(self._held, (int(element[0]), next(self._count), element))

    def _remove(self) -> list[Tensor]:
        return heapq.heappop(self._held)[2]
