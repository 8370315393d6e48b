# Written by tools/stubs.py (make stubs).
"""tf.saved_model.experimental"""

import enum
from typing import Any

from tapeflow.saved_model import save as save

class TrackableResource:
    """A base of objects that own a resource, such as lookup tables."""
    def __init__(self, device: str = '') -> None: ...
    @property
    def resource_handle(self) -> Any: ...

class VariablePolicy(enum.Enum):
    """How variables of several devices are saved."""
    NONE = None
    SAVE_VARIABLE_DEVICES = 'save_variable_devices'
    EXPAND_DISTRIBUTED_VARIABLES = 'expand_distributed_variables'
