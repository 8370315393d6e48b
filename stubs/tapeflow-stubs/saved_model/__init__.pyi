# Written by tools/stubs.py (make stubs).
"""tf.saved_model"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike
from tapeflow.saved_model import experimental as experimental

ASSETS_DIRECTORY: str
ASSETS_KEY: str
CLASSIFY_INPUTS: str
CLASSIFY_METHOD_NAME: str
CLASSIFY_OUTPUT_CLASSES: str
CLASSIFY_OUTPUT_SCORES: str
DEBUG_DIRECTORY: str
DEBUG_INFO_FILENAME_PB: str
DEFAULT_SERVING_SIGNATURE_DEF_KEY: str
GPU: str
PREDICT_INPUTS: str
PREDICT_METHOD_NAME: str
PREDICT_OUTPUTS: str
REGRESS_INPUTS: str
REGRESS_METHOD_NAME: str
REGRESS_OUTPUTS: str
SAVED_MODEL_FILENAME_PB: str
SAVED_MODEL_FILENAME_PBTXT: str
SAVED_MODEL_SCHEMA_VERSION: int
SERVING: str
TPU: str
TRAINING: str
VARIABLES_DIRECTORY: str
VARIABLES_FILENAME: str

class Asset:
    """A file that is saved with an object and found again where the model was loaded from."""
    def __init__(self, path: Any) -> None: ...
    @property
    def asset_path(self) -> tf.Tensor:
        """The file's path, a string tensor."""
    def __tf_tensor__(
        self, dtype: DTypeLike | None = None, name: str | None = None,
    ) -> tf.Tensor: ...

def contains_saved_model(export_dir: Any) -> bool:
    """Whether a folder holds a saved model, of tapeflow's format or of TensorFlow's."""

def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Load what `save` wrote: an object with the variables and functions of the saved one."""

class LoadOptions:
    """Options of `load`; on local files there is little to choose."""
    def __init__(
        self, allow_partial_checkpoint: bool = False, experimental_io_device: Any = None,
        experimental_skip_checkpoint: bool = False, experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None: ...
    allow_partial_checkpoint: Any
    experimental_io_device: Any
    experimental_load_function_aliases: Any
    experimental_skip_checkpoint: Any
    experimental_variable_policy: Any

def save(
    obj: Any, export_dir: Any, signatures: Any = None, options: Any = None,
) -> None:
    """Write an object with its variables, functions and signatures to a folder."""

class SaveOptions:
    """Options of `save`; on local files there is little to choose."""
    def __init__(
        self, namespace_whitelist: Any = None, save_debug_info: bool = False,
        function_aliases: Any = None, experimental_debug_stripper: bool = False,
        experimental_io_device: Any = None, experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True, experimental_image_format: bool = False,
        experimental_skip_saver: bool = False, experimental_sharding_callback: Any = None,
        extra_tags: Any = None,
    ) -> None: ...
    experimental_custom_gradients: Any
    experimental_debug_stripper: Any
    experimental_image_format: Any
    experimental_io_device: Any
    experimental_sharding_callback: Any
    experimental_skip_saver: Any
    experimental_variable_policy: Any
    extra_tags: Any
    function_aliases: Any
    namespace_whitelist: Any
    save_debug_info: Any

load_v2 = load
