# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model"""

from typing import Any

from tapeflow.compat.v1.saved_model import loader as loader

def load(
    sess: Any, tags: Any, export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any,
) -> Any:
    """Put a saved model into a session's graph, with its values; its MetaGraphDef."""

def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether a folder holds a saved model."""
