# Written by tools/stubs.py (make stubs).
"""tf.sysconfig"""

from typing import Any

def get_build_info() -> dict[str, Any]:
    """What this build can use: no CUDA, no ROCm, no TensorRT."""
