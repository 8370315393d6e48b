# Written by tools/stubs.py (make stubs).
"""tf.distribute.experimental.coordinator"""

from tapeflow.distribute.coordinator import (
    ClusterCoordinator as ClusterCoordinator,
    PerWorkerValues as PerWorkerValues,
    RemoteValue as RemoteValue,
)
