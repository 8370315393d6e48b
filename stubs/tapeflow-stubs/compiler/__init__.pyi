# Written by tools/stubs.py (make stubs).
"""tf.compiler"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import IntLike

def explain(function: Any, *args: Any, ir: bool = False, **kwargs: Any) -> tf.Tensor:
    """Regions, kernels, memory and fall-backs of a tf.function, as text; `ir=True`: …"""

def get_checks() -> int:
    """One native run in so many is compared with NumPy; 0: none. See `set_checks`."""

def get_mode() -> str:
    """auto", "off" or "now"; see `set_mode`."""

class MiscompileWarning(UserWarning):
    """Native code gave other results than NumPy, which serves from now on."""

def set_checks(every: IntLike) -> None:
    """Compare one native run in so many with NumPy (1000 by default), beside the first; …"""

def set_mode(mode: str) -> None:
    """auto": compile what is run often, if it pays; "off": never; "now": at the first call."""

def wait() -> None:
    """Wait until nothing is being compiled."""
