# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.distribute.experimental"""

from typing import Any

import tapeflow as tf

class ParameterServerStrategy(tf.distribute.Strategy):
    """ParameterServerStrategy: cannot be made here."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
