# Written by tools/stubs.py (make stubs).
"""tf.onnx"""

from typing import Any

from tapeflow._typing import IntLike

def export(
    target: Any, path: str | Any, input_signature: Any = None, opset: IntLike = 20, *,
    signature: str | None = None, external_data: bool | None = None,
) -> Any:
    """Write a function as an ONNX file, and return its `onnx.ModelProto`."""

class ExportError(NotImplementedError):
    """A function has no form in ONNX: the message names the record and the line of the …"""
