"""The lowest layer: dtypes, shapes, specs, nested structures, errors and text of tensors.

Imports NumPy and the standard library only; every other layer may import it. Import the modules
(`from tapeflow.base import dtypes`), not names from this file: it stays empty so that each user
loads what it needs.
"""
