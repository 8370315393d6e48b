# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.saved_model"""

from typing import Any

from tapeflow._typing import TensorLike
from tapeflow.compat.v1.saved_model import (
    builder as builder,
    loader as loader,
    signature_def_utils as signature_def_utils,
    utils as utils,
)

def build_signature_def(
    inputs: TensorLike | None = None, outputs: Any = None, method_name: str | None = None,
    defaults: Any = None,
) -> Any:
    """A signature of TensorInfos by name."""

def build_tensor_info(tensor: TensorLike) -> Any:
    """What a signature says of a tensor: its name, dtype and shape."""

class Builder:
    """Writes the graphs of sessions, with the values of their variables, into one folder."""
    def __init__(self, export_dir: Any) -> None: ...
    def add_meta_graph_and_variables(
        self, sess: Any, tags: Any, signature_def_map: Any = None, assets_list: Any = None,
        clear_devices: bool = False, legacy_init_op: Any = None, main_op: Any = None,
        strip_default_attrs: bool = False, saver: Any = None, train_op: Any = None,
    ) -> None:
        """Add the session's graph under tags, and write what its variables hold."""
    def add_meta_graph(
        self, tags: Any, signature_def_map: Any = None, assets_list: Any = None,
        clear_devices: bool = False, legacy_init_op: Any = None, main_op: Any = None,
        strip_default_attrs: bool = False, saver: Any = None, train_op: Any = None,
    ) -> None:
        """Add the default graph under other tags, with the variables that were written."""
    def save(
        self, as_text: bool = False, experimental_image_format: bool = False,
        experimental_image_writer_options: Any = None,
    ) -> str:
        """Write saved_model.pb; its path."""

def load(
    sess: Any, tags: Any, export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any,
) -> Any:
    """Put a saved model into a session's graph, with its values; its MetaGraphDef."""

def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether a folder holds a saved model."""

def predict_signature_def(inputs: TensorLike, outputs: Any) -> Any:
    """A signature of tensors by name, for serving."""

def simple_save(
    session: Any, export_dir: Any, inputs: TensorLike, outputs: Any, legacy_init_op: Any = None,
) -> None:
    """Write the session's graph as a saved model for serving, with one signature."""
