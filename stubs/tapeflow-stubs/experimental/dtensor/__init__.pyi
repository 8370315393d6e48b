# Written by tools/stubs.py (make stubs).
"""tf.experimental.dtensor"""

from typing import Any

MATCH: str
UNSHARDED: str

class DTensorDataset:
    """Refused: tensors are not laid out over meshes of devices; tf.distribute has data …"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class DVariable:
    """Refused: tensors are not laid out over meshes of devices; tf.distribute has data …"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class Layout:
    """Refused: tensors are not laid out over meshes of devices; tf.distribute has data …"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class Mesh:
    """Refused: tensors are not laid out over meshes of devices; tf.distribute has data …"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
