"""What the tape can tell: why a gradient is None (`explain`) and where (`positions`), and where a
NaN was born (`debug`).

Loaded at first use. May import everything below it but `alias` and `cli`.
"""

from typing import Any

from tapeflow.insight.births import Birth, NotFiniteError, debug
from tapeflow.insight.explain import Explanation, explain
from tapeflow.insight.positions import positions

# Loaded when a program asks for them.
_LATER = {"GradientReport": "tape_reports.gradient_report",
          "TapeMemory": "tape_reports.tape_memory", "Drawing": "drawing.tape_drawing",
          "Monitor": "tape_reports.monitor", "report": "run_report.run_session"}

__all__ = ["Birth", "Drawing", "Explanation", "GradientReport", "Monitor", "NotFiniteError",
           "TapeMemory", "debug", "explain", "positions", "report"]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'tapeflow.insight' has no attribute {name!r}")
    import importlib
    return getattr(importlib.import_module(f"tapeflow.insight.{_LATER[name]}"), name)
