# Written by tools/stubs.py (make stubs).
"""tf.distribute.experimental"""

import enum
from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike
from tapeflow.distribute import (
    MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy,
    ParameterServerStrategy as ParameterServerStrategy,
    TPUStrategy as TPUStrategy,
)
from tapeflow.distribute.experimental import (
    coordinator as coordinator,
    partitioners as partitioners,
)

class CentralStorageStrategy(tf.distribute.Strategy):
    """Variables on the CPU, plain ones, and a replica on each compute device: here the CPU."""
    def __init__(self, compute_devices: Any = None, parameter_device: Any = None) -> None: ...

class CollectiveCommunication(enum.Enum):
    """How workers talk to each other."""
    AUTO = 'AUTO'
    RING = 'RING'
    NCCL = 'NCCL'

class CommunicationOptions:
    """Options of the talk between replicas; here they share memory."""
    def __init__(
        self, bytes_per_pack: IntLike = 0, timeout_seconds: Any = None, implementation: Any = ...,
    ) -> None: ...
    implementation: Any
    bytes_per_pack: Any
    timeout_seconds: Any

class ValueContext:
    """Which replica a value is made for."""
    def __init__(
        self, replica_id_in_sync_group: IntLike = 0, num_replicas_in_sync: IntLike = 1,
    ) -> None: ...
    @property
    def replica_id_in_sync_group(self) -> int: ...
    @property
    def num_replicas_in_sync(self) -> int: ...

CommunicationImplementation = CollectiveCommunication
