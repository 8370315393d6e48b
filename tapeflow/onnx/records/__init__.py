"""Records as ONNX nodes, by family. `load` fills the registry."""

from __future__ import annotations

import importlib

FAMILIES = (
    "numbers.elementwise_nodes", "numbers.activation_formulas", "numbers.special_functions",
    "shape_nodes", "waiting_nodes", "index_nodes", "reduce_nodes", "product_nodes", "matrix_nodes",
    "spectral_nodes",
    "images.window_nodes", "images.pool_gradients", "images.image_nodes", "images.resize_nodes",
    "images.box_nodes", "numbers.signal_nodes", "control_nodes", "decoding_nodes", "ragged_nodes",
    "text.character_nodes", "text.text_nodes", "text.pattern_nodes", "text.hash_nodes",
    "numbers.complex_nodes")


def load() -> None:
    for name in FAMILIES:
        importlib.import_module(f"tapeflow.onnx.records.{name}")
