"""Strings as ONNX nodes. Loaded by `records/__init__.py`."""
