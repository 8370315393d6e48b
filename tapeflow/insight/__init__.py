"""What the tape can tell: why a gradient is None (`explain`) and where (`positions`), and where a
NaN was born (`debug`).

Loaded at first use. May import everything below it but `alias` and `cli`.
"""

from tapeflow.insight.births import Birth, NotFiniteError, debug
from tapeflow.insight.explain import Explanation, explain
from tapeflow.insight.positions import positions

__all__ = ["Birth", "Explanation", "NotFiniteError", "debug", "explain", "positions"]
