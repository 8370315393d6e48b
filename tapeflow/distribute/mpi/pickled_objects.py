"""Python objects between ranks, by pickle and without blocking: a rank that never comes is named.

`wait` waits for one request of MPI; communicators' own methods for objects would block in C.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

Wait = Callable[[Any], None]


def pickled(one: Any) -> np.ndarray:
    """An object as bytes."""
    return np.frombuffer(pickle.dumps(one), np.uint8)


def gather(communicator: Any, own: np.ndarray, wait: Wait) -> list:
    """The objects of all ranks; `own` is this rank's, pickled."""
    sizes = np.empty(communicator.Get_size(), np.int64)
    wait(communicator.Iallgather(np.array([own.size], np.int64), sizes))
    every = np.empty(int(sizes.sum()), np.uint8)
    wait(communicator.Iallgatherv(own, [every, sizes.tolist()]))
    ends = np.cumsum(sizes)
    return [pickle.loads(every[end - size:end].tobytes()) for end, size in zip(ends, sizes)]


def broadcast(communicator: Any, own: np.ndarray | None, root: int, wait: Wait) -> Any:
    """The object of rank `root`, which has it pickled as `own`."""
    size = np.array([0 if own is None else own.size], np.int64)
    wait(communicator.Ibcast(size, root))
    data = np.empty(int(size[0]), np.uint8) if own is None else own
    wait(communicator.Ibcast(data, root))
    return pickle.loads(data.tobytes())
