"""Records as ONNX nodes, by family. `load` fills the registry."""

from __future__ import annotations

import importlib

FAMILIES = ("elementwise_nodes", "activation_formulas", "shape_nodes", "index_nodes",
            "reduce_nodes", "product_nodes", "window_nodes", "image_nodes", "signal_nodes",
            "control_nodes", "text_nodes", "ragged_nodes")


def load() -> None:
    for name in FAMILIES:
        importlib.import_module(f"tapeflow.onnx.records.{name}")
