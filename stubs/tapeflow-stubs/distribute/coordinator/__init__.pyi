# Written by tools/stubs.py (make stubs).
"""tf.distribute.coordinator"""

from typing import Any

class ClusterCoordinator:
    """Refused: there are no parameter servers and no remote workers."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class PerWorkerValues:
    """Refused: there are no parameter servers and no remote workers."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class RemoteValue:
    """Refused: there are no parameter servers and no remote workers."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
