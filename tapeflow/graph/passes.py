"""Passes over a graph. Each is small, keeps the meaning, and changes nothing the second time."""

from __future__ import annotations

from tapeflow.graph import ir


def optimise(graph: ir.Graph) -> ir.Graph:
    """All passes in order."""
    graph.prune()
    return graph
