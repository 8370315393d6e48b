"""Functions of numbers, real and complex, as ONNX nodes. Loaded by `records/__init__.py`."""
