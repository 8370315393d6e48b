"""What all tests of native code share."""

import pytest

from tapeflow.jit.tiering import graph_tiering
from tapeflow.jit.verification.native_comparison import Comparison


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Comparisons with NumPy take the time that they need, however busy the machine is."""
    for name in ("SECONDS", "PATIENCE"):
        monkeypatch.setattr(graph_tiering, name, float("inf"))
    monkeypatch.setattr(Comparison.judge, "__defaults__", (float("inf"),))
