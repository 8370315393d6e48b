"""All op records, by family. Importing this package registers them."""

from tapeflow.ops import arithmetic, trigonometric

__all__ = ["arithmetic", "trigonometric"]
