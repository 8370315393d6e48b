"""What the tape can tell: why a gradient is None (`explain`), and where (`positions`).

Loaded at first use. May import everything below it but `alias` and `cli`.
"""

from tapeflow.insight.explain import Explanation, explain
from tapeflow.insight.positions import positions

__all__ = ["Explanation", "explain", "positions"]
