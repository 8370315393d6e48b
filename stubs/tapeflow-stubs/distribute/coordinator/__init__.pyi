# Written by tools/stubs.py (make stubs).
"""tf.distribute.coordinator"""

from collections.abc import Callable
from typing import Any

import tapeflow as tf
from tapeflow._typing import PerWorkerDataset, TensorLike

class ClusterCoordinator:
    """Schedules functions on the workers of a ParameterServerStrategy; a strategy has one."""
    def __init__(self, strategy: Any) -> None: ...
    @property
    def strategy(self) -> Any: ...
    def schedule(
        self, fn: Any, args: tuple = ..., kwargs: dict | None = None,
    ) -> tf.distribute.coordinator.RemoteValue:
        """Have some worker call a tf.function; returns at once what it will return."""
    def join(self) -> None:
        """Wait until all scheduled functions are over; raises the first error of them."""
    def done(self) -> bool:
        """Whether all scheduled functions are over; raises the first error of them."""
    def fetch(self, val: Any) -> Any:
        """A structure with results as NumPy arrays instead of RemoteValues, waiting for them."""
    def create_per_worker_dataset(self, dataset_fn: Any) -> PerWorkerDataset:
        """A dataset on each worker: a dataset, or what a function returns that makes one."""

class PerWorkerValues:
    """A value for each worker: a function that is scheduled with it gets that of its worker."""
    def __init__(self, values: TensorLike) -> None: ...

class RemoteValue:
    """What a scheduled function will return."""
    def __init__(self, call: Callable[[Any], Any]) -> None: ...
    def get(self) -> Any:
        """The result as it is, waiting for it; raises the error of the function if it had one."""
    def fetch(self) -> Any:
        """The result with NumPy arrays for tensors."""
