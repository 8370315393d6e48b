"""tf.saved_model: constants, options, assets, and whether a folder holds a saved model."""

from __future__ import annotations

import enum
import os
from typing import Any

from tapeflow.base.exports import export, publish
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.tracking import AutoTrackable, Trackable
from tapeflow.io.paths import text_of

_CONSTANTS = {
    "ASSETS_DIRECTORY": "assets", "ASSETS_KEY": "saved_model_assets",
    "CLASSIFY_INPUTS": "inputs", "CLASSIFY_METHOD_NAME": "tensorflow/serving/classify",
    "CLASSIFY_OUTPUT_CLASSES": "classes", "CLASSIFY_OUTPUT_SCORES": "scores",
    "DEBUG_DIRECTORY": "debug", "DEBUG_INFO_FILENAME_PB": "saved_model_debug_info.pb",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY": "serving_default", "GPU": "gpu",
    "PREDICT_INPUTS": "inputs", "PREDICT_METHOD_NAME": "tensorflow/serving/predict",
    "PREDICT_OUTPUTS": "outputs", "REGRESS_INPUTS": "inputs",
    "REGRESS_METHOD_NAME": "tensorflow/serving/regress", "REGRESS_OUTPUTS": "outputs",
    "SAVED_MODEL_FILENAME_PB": "saved_model.pb", "SAVED_MODEL_FILENAME_PBTXT": "saved_model.pbtxt",
    "SAVED_MODEL_SCHEMA_VERSION": 1, "SERVING": "serve", "TPU": "tpu", "TRAINING": "train",
    "VARIABLES_DIRECTORY": "variables", "VARIABLES_FILENAME": "variables",
}
for _name, _value in _CONSTANTS.items():
    publish(_value, f"saved_model.{_name}")

FILE = "saved_model.pb"
DEFAULT = "serving_default"


@export("saved_model.contains_saved_model")
def contains_saved_model(export_dir: Any) -> bool:
    """Whether a folder holds a saved model, of tapeflow's format or of TensorFlow's."""
    folder = text_of(export_dir)
    return any(os.path.exists(os.path.join(folder, name)) for name in (FILE, "saved_model.pbtxt"))


@export("saved_model.Asset")
class Asset(Trackable):
    """A file that is saved with an object and found again where the model was loaded from."""

    def __init__(self, path: Any):
        self._path = text_of(path)

    @property
    def asset_path(self) -> Tensor:
        """The file's path, a string tensor."""
        return convert(self._path)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        return convert(self._path, dtype)


@export("saved_model.experimental.TrackableResource")
class TrackableResource(AutoTrackable):
    """A base of objects that own a resource, such as lookup tables."""

    def __init__(self, device: str = ""):
        self._resource_handle: Any = None
        self._resource_device = device

    def _create_resource(self) -> Any:
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        """Fill the resource."""

    @property
    def resource_handle(self) -> Any:
        if self._resource_handle is None:
            self._resource_handle = self._create_resource()
        return self._resource_handle


@export("saved_model.experimental.VariablePolicy")
class VariablePolicy(enum.Enum):
    """How variables of several devices are saved."""

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"


@export("saved_model.SaveOptions")
class SaveOptions:
    """Options of `save`; on local files there is little to choose."""

    __slots__ = ("experimental_custom_gradients", "experimental_debug_stripper",
                 "experimental_image_format", "experimental_io_device",
                 "experimental_sharding_callback", "experimental_skip_saver",
                 "experimental_variable_policy", "extra_tags", "function_aliases",
                 "namespace_whitelist", "save_debug_info")

    def __init__(self, namespace_whitelist: Any = None, save_debug_info: bool = False,
                 function_aliases: Any = None, experimental_debug_stripper: bool = False,
                 experimental_io_device: Any = None, experimental_variable_policy: Any = None,
                 experimental_custom_gradients: bool = True,
                 experimental_image_format: bool = False, experimental_skip_saver: bool = False,
                 experimental_sharding_callback: Any = None, extra_tags: Any = None):
        self.namespace_whitelist = list(namespace_whitelist or [])
        self.save_debug_info, self.function_aliases = save_debug_info, function_aliases or {}
        self.experimental_debug_stripper = experimental_debug_stripper
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = VariablePolicy(
            experimental_variable_policy.lower() if isinstance(
                experimental_variable_policy, str) else experimental_variable_policy)
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format = experimental_image_format
        self.experimental_skip_saver = experimental_skip_saver
        self.experimental_sharding_callback = experimental_sharding_callback
        self.extra_tags = extra_tags


@export("saved_model.LoadOptions")
class LoadOptions:
    """Options of `load`; on local files there is little to choose."""

    __slots__ = ("allow_partial_checkpoint", "experimental_io_device",
                 "experimental_load_function_aliases", "experimental_skip_checkpoint",
                 "experimental_variable_policy")

    def __init__(self, allow_partial_checkpoint: bool = False, experimental_io_device: Any = None,
                 experimental_skip_checkpoint: bool = False,
                 experimental_variable_policy: Any = None,
                 experimental_load_function_aliases: bool = False):
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = experimental_variable_policy
        self.experimental_load_function_aliases = experimental_load_function_aliases
