"""tapeflow.onnx: functions and models as ONNX files. See docs/onnx.md."""

from tapeflow.onnx.exporting import export
from tapeflow.onnx.onnx_graph import ExportError

__all__ = ["ExportError", "export"]
