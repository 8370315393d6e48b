"""What programs ask of their surroundings: versions, build, logger, text helpers.

Imported by `tapeflow/__init__.py`.
"""

from __future__ import annotations

import numbers
import os
from typing import Any

import numpy as np

from tapeflow.base.exports import export, publish

VERSION = "2.21.0"  # of the TensorFlow whose behaviour this is

publish(VERSION, "version.VERSION")
publish(f"v{VERSION}-tapeflow", "version.GIT_VERSION")
publish("none: pure Python", "version.COMPILER_VERSION")
publish(2474, "version.GRAPH_DEF_VERSION")
publish(0, "version.GRAPH_DEF_VERSION_MIN_CONSUMER", "version.GRAPH_DEF_VERSION_MIN_PRODUCER")


@export("sysconfig.get_build_info")
def get_build_info() -> dict[str, Any]:
    """What this build can use: no CUDA, no ROCm, no TensorRT."""
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


@export("get_logger")
def get_logger() -> Any:
    """The logger of this library, named as TensorFlow's is."""
    import logging
    return logging.getLogger("tensorflow")


# -- text and numbers ------------------------------------------------------------------------------
@export("compat.as_bytes")
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Text or bytes as bytes."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"tf.compat.as_bytes: expected text or bytes, got {bytes_or_text!r}.")


@export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Text or bytes as text."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"tf.compat.as_text: expected text or bytes, got {bytes_or_text!r}.")


@export("compat.as_str_any")
def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Text or bytes as text, anything else by `str`."""
    return as_text(value, encoding) if isinstance(value, (bytes, bytearray)) else str(value)


@export("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """A path object as text; other values as they are."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


publish((bytes, str), "compat.bytes_or_text_types")
publish((numbers.Integral, np.integer), "compat.integral_types")
publish((numbers.Real, np.integer, np.floating), "compat.real_types")
publish((numbers.Complex, np.number), "compat.complex_types")
