# Written by tools/stubs.py (make stubs).
"""tf.keras.utils"""

from typing import Any

import tapeflow as tf
from tapeflow.keras.backend import (
    clear_session as clear_session,
    is_keras_tensor as is_keras_tensor,
    standardize_dtype as standardize_dtype,
)
from tapeflow.keras.config import (
    disable_interactive_logging as disable_interactive_logging,
    enable_interactive_logging as enable_interactive_logging,
    is_interactive_logging_enabled as is_interactive_logging_enabled,
)
from tapeflow.keras.preprocessing import (
    image_dataset_from_directory as image_dataset_from_directory,
    text_dataset_from_directory as text_dataset_from_directory,
    timeseries_dataset_from_array as timeseries_dataset_from_array,
)
from tapeflow.keras.utils import bounding_boxes as bounding_boxes, legacy as legacy

def array_to_img(
    x: Any, data_format: Any = None, scale: Any = True, dtype: Any = None,
) -> Any:
    """Converts a 3D NumPy array to a PIL Image instance."""

def audio_dataset_from_directory(
    directory: Any, labels: Any = 'inferred', label_mode: Any = 'int', class_names: Any = None,
    batch_size: Any = 32, sampling_rate: Any = None, output_sequence_length: Any = None,
    ragged: Any = False, shuffle: Any = True, seed: Any = None, validation_split: Any = None,
    subset: Any = None, follow_links: Any = False, verbose: Any = True,
) -> Any:
    """Generates a `tf.data.Dataset` from audio files in a directory."""

class Config:
    """A Config is a dict-like container for named values."""
    def __init__(self, **kwargs: Any) -> None: ...
    @property
    def frozen(self) -> Any:
        """Returns True if the config is frozen."""
    def freeze(self) -> Any:
        """Marks the config as frozen, preventing any ulterior modification."""
    def unfreeze(self) -> Any: ...
    def as_dict(self) -> Any: ...
    def to_json(self) -> Any: ...
    def keys(self) -> Any: ...
    def values(self) -> Any: ...
    def items(self) -> Any: ...
    def pop(self, *args: Any) -> Any: ...
    def update(self, *args: Any, **kwargs: Any) -> Any: ...
    def get(self, keyname: Any, value: Any = None) -> Any: ...
    def __getattr__(self, name: Any) -> Any: ...
    def __setitem__(self, key: Any, item: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __iter__(self) -> Any: ...
    def __len__(self) -> Any: ...
    def __delitem__(self, key: Any) -> Any: ...
    def __contains__(self, item: Any) -> Any: ...

class CustomObjectScope:
    """Exposes custom classes/functions to Keras deserialization internals."""
    def __init__(self, custom_objects: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *args: Any, **kwargs: Any) -> Any: ...
    custom_objects: Any
    backup: Any

def deserialize_keras_object(
    config: Any, custom_objects: Any = None, safe_mode: Any = True, **kwargs: Any,
) -> Any:
    """Retrieve the object by deserializing the config dict."""

class FeatureSpace(tf.keras.Layer):
    """One-stop utility for preprocessing and encoding structured data."""
    @classmethod
    def cross(
        cls, feature_names: Any, crossing_dim: Any, output_mode: Any = 'one_hot',
    ) -> Any: ...
    @classmethod
    def feature(cls, dtype: Any, preprocessor: Any, output_mode: Any) -> Any: ...
    @classmethod
    def float(cls, name: Any = None) -> Any: ...
    @classmethod
    def float_rescaled(cls, scale: Any = 1.0, offset: Any = 0.0, name: Any = None) -> Any: ...
    @classmethod
    def float_normalized(cls, name: Any = None) -> Any: ...
    @classmethod
    def float_discretized(
        cls, num_bins: Any, bin_boundaries: Any = None, output_mode: Any = 'one_hot',
        name: Any = None,
    ) -> Any: ...
    @classmethod
    def integer_categorical(
        cls, max_tokens: Any = None, num_oov_indices: Any = 1, output_mode: Any = 'one_hot',
        name: Any = None,
    ) -> Any: ...
    @classmethod
    def string_categorical(
        cls, max_tokens: Any = None, num_oov_indices: Any = 1, output_mode: Any = 'one_hot',
        name: Any = None,
    ) -> Any: ...
    @classmethod
    def string_hashed(
        cls, num_bins: Any, output_mode: Any = 'one_hot', name: Any = None,
    ) -> Any: ...
    @classmethod
    def integer_hashed(
        cls, num_bins: Any, output_mode: Any = 'one_hot', name: Any = None,
    ) -> Any: ...
    def __init__(
        self, features: Any, output_mode: Any = 'concat', crosses: Any = None,
        crossing_dim: Any = 32, hashing_dim: Any = 32, num_discretization_bins: Any = 32,
        name: Any = None,
    ) -> None: ...
    def adapt(self, dataset: Any) -> Any: ...
    def get_inputs(self) -> Any: ...
    def get_encoded_features(self) -> Any: ...
    def __call__(self, data: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    def get_build_config(self) -> Any: ...
    def build_from_config(self, config: Any) -> Any: ...
    def save(self, filepath: Any) -> Any:
        """Save the `FeatureSpace` instance to a `.keras` file."""
    def save_own_variables(self, store: Any) -> Any: ...
    def load_own_variables(self, store: Any) -> Any: ...
    crossing_dim: Any
    hashing_dim: Any
    num_discretization_bins: Any
    features: Any
    crosses: Any
    crosses_by_name: Any
    output_mode: Any
    inputs: Any
    preprocessors: Any
    encoded_features: Any
    crossers: Any
    one_hot_encoders: Any
    concat: Any
    built: Any

def get_custom_objects() -> Any:
    """Retrieves a live reference to the global dictionary of custom objects."""

def get_file(
    fname: Any = None, origin: Any = None, untar: Any = False, md5_hash: Any = None,
    file_hash: Any = None, cache_subdir: Any = 'datasets', hash_algorithm: Any = 'auto',
    extract: Any = False, archive_format: Any = 'auto', cache_dir: Any = None,
    force_download: Any = False,
) -> Any:
    """Downloads a file from a URL if it not already in the cache."""

def get_registered_name(obj: Any) -> Any:
    """Returns the name registered to an object within the Keras framework."""

def get_registered_object(
    name: Any, custom_objects: Any = None, module_objects: Any = None,
) -> Any:
    """Returns the class associated with `name` if it is registered with Keras."""

def get_source_inputs(tensor: Any) -> Any:
    """Returns the list of input tensors necessary to compute `tensor`."""

def img_to_array(img: Any, data_format: Any = None, dtype: Any = None) -> Any:
    """Converts a PIL Image instance to a NumPy array."""

def load_img(
    path: Any, color_mode: Any = 'rgb', target_size: Any = None, interpolation: Any = 'nearest',
    keep_aspect_ratio: Any = False,
) -> Any:
    """Loads an image into PIL format."""

def model_to_dot(
    model: Any, show_shapes: Any = False, show_dtype: Any = False, show_layer_names: Any = True,
    rankdir: Any = 'TB', expand_nested: Any = False, dpi: Any = 200, subgraph: Any = False,
    show_layer_activations: Any = False, show_trainable: Any = False, splines: Any = 'ortho',
    **kwargs: Any,
) -> Any:
    """Convert a Keras model to dot format."""

def normalize(x: Any, axis: Any = -1, order: Any = 2) -> Any:
    """Normalizes an array."""

def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Packs user-provided data into a tuple."""

def pad_sequences(
    sequences: Any, maxlen: Any = None, dtype: Any = 'int32', padding: Any = 'pre',
    truncating: Any = 'pre', value: Any = 0.0,
) -> Any:
    """Pads sequences to the same length."""

def plot_model(
    model: Any, to_file: Any = 'model.png', show_shapes: Any = False, show_dtype: Any = False,
    show_layer_names: Any = False, rankdir: Any = 'TB', expand_nested: Any = False,
    dpi: Any = 200, show_layer_activations: Any = False, show_trainable: Any = False,
    splines: Any = 'ortho', **kwargs: Any,
) -> Any:
    """Converts a Keras model to dot format and save to a file."""

class Progbar:
    """Displays a progress bar."""
    def __init__(
        self, target: Any, width: Any = 20, verbose: Any = 1, interval: Any = 0.05,
        stateful_metrics: Any = None, stateless_metrics: Any = None, unit_name: Any = 'step',
    ) -> None: ...
    def update(self, current: Any, values: Any = None, finalize: Any = None) -> Any:
        """Updates the progress bar."""
    def add(self, n: Any, values: Any = None) -> Any: ...
    target: Any
    width: Any
    verbose: Any
    interval: Any
    unit_name: Any
    stateful_metrics: Any
    stateless_metrics: Any

class PyDataset:
    """Base class for defining a parallel dataset using Python code."""
    def __init__(
        self, workers: Any = 1, use_multiprocessing: Any = False, max_queue_size: Any = 10,
    ) -> None: ...
    @property
    def workers(self) -> Any: ...
    @workers.setter
    def workers(self, value: Any) -> None: ...
    @property
    def use_multiprocessing(self) -> Any: ...
    @use_multiprocessing.setter
    def use_multiprocessing(self, value: Any) -> None: ...
    @property
    def max_queue_size(self) -> Any: ...
    @max_queue_size.setter
    def max_queue_size(self, value: Any) -> None: ...
    def __getitem__(self, index: Any) -> Any:
        """Gets batch at position `index`."""
    def __iter__(self) -> Any: ...
    @property
    def num_batches(self) -> Any:
        """Number of batches in the PyDataset."""
    def on_epoch_begin(self) -> Any:
        """Method called at the beginning of every epoch."""
    def on_epoch_end(self) -> Any:
        """Method called at the end of every epoch."""

def register_keras_serializable(package: Any = 'Custom', name: Any = None) -> Any:
    """Registers an object with the Keras serialization framework."""

def save_img(
    path: Any, x: Any, data_format: Any = None, file_format: Any = None, scale: Any = True,
    **kwargs: Any,
) -> Any:
    """Saves an image stored as a NumPy array to a path or file object."""

def serialize_keras_object(obj: Any) -> Any:
    """Retrieve the config dict by serializing the Keras object."""

def set_random_seed(seed: Any) -> Any:
    """Sets all random seeds (Python, NumPy, and backend framework, e.g. TF)."""

def split_dataset(
    dataset: Any, left_size: Any = None, right_size: Any = None, shuffle: Any = False,
    seed: Any = None, preferred_backend: Any = None,
) -> Any:
    """Splits a dataset into a left half and a right half (e.g. train / test)."""

def to_categorical(x: Any, num_classes: Any = None) -> Any:
    """Converts a class vector (integers) to binary class matrix."""

def unpack_x_y_sample_weight(data: Any) -> Any:
    """Unpacks user-provided data tuple."""

custom_object_scope = CustomObjectScope
Sequence = PyDataset
