# Written by tools/stubs.py (make stubs).
"""tf.keras.preprocessing.image"""

from typing import Any

import tapeflow as tf
from tapeflow.keras.utils import (
    array_to_img as array_to_img,
    img_to_array as img_to_array,
    load_img as load_img,
    save_img as save_img,
)

def apply_affine_transform(
    x: Any, theta: Any = 0, tx: Any = 0, ty: Any = 0, shear: Any = 0, zx: Any = 1, zy: Any = 1,
    row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0, fill_mode: Any = 'nearest',
    cval: Any = 0.0, order: Any = 1,
) -> Any:
    """Applies an affine transformation specified by the parameters given."""

def apply_brightness_shift(x: Any, brightness: Any, scale: Any = True) -> Any:
    """Performs a brightness shift."""

def apply_channel_shift(x: Any, intensity: Any, channel_axis: Any = 0) -> Any:
    """Performs a channel shift."""

class DirectoryIterator(tf.keras.preprocessing.image.Iterator):
    """Iterator capable of reading images from a directory on disk."""
    allowed_class_modes: Any
    def __init__(
        self, directory: Any, image_data_generator: Any, target_size: Any = ...,
        color_mode: Any = 'rgb', classes: Any = None, class_mode: Any = 'categorical',
        batch_size: Any = 32, shuffle: Any = True, seed: Any = None, data_format: Any = None,
        save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png',
        follow_links: Any = False, subset: Any = None, interpolation: Any = 'nearest',
        keep_aspect_ratio: Any = False, dtype: Any = None,
    ) -> None: ...
    @property
    def filepaths(self) -> Any: ...
    @property
    def labels(self) -> Any: ...
    @property
    def sample_weight(self) -> Any: ...
    def set_processing_attrs(
        self, image_data_generator: Any, target_size: Any, color_mode: Any, data_format: Any,
        save_to_dir: Any, save_prefix: Any, save_format: Any, subset: Any, interpolation: Any,
        keep_aspect_ratio: Any,
    ) -> Any:
        """Sets attributes to use later for processing files into a batch."""
    directory: Any
    classes: Any
    class_mode: Any
    dtype: Any
    samples: Any
    num_classes: Any
    class_indices: Any
    filenames: Any
    image_data_generator: Any
    target_size: Any
    keep_aspect_ratio: Any
    color_mode: Any
    data_format: Any
    save_to_dir: Any
    save_prefix: Any
    save_format: Any
    interpolation: Any
    split: Any
    subset: Any
    image_shape: Any

class ImageDataGenerator:
    """DEPRECATED."""
    def __init__(
        self, featurewise_center: Any = False, samplewise_center: Any = False,
        featurewise_std_normalization: Any = False, samplewise_std_normalization: Any = False,
        zca_whitening: Any = False, zca_epsilon: Any = 1e-06, rotation_range: Any = 0,
        width_shift_range: Any = 0.0, height_shift_range: Any = 0.0, brightness_range: Any = None,
        shear_range: Any = 0.0, zoom_range: Any = 0.0, channel_shift_range: Any = 0.0,
        fill_mode: Any = 'nearest', cval: Any = 0.0, horizontal_flip: Any = False,
        vertical_flip: Any = False, rescale: Any = None, preprocessing_function: Any = None,
        data_format: Any = None, validation_split: Any = 0.0, interpolation_order: Any = 1,
        dtype: Any = None,
    ) -> None: ...
    def flow(
        self, x: Any, y: Any = None, batch_size: Any = 32, shuffle: Any = True,
        sample_weight: Any = None, seed: Any = None, save_to_dir: Any = None, save_prefix: Any = '',
        save_format: Any = 'png', ignore_class_split: Any = False, subset: Any = None,
    ) -> Any: ...
    def flow_from_directory(
        self, directory: Any, target_size: Any = ..., color_mode: Any = 'rgb', classes: Any = None,
        class_mode: Any = 'categorical', batch_size: Any = 32, shuffle: Any = True,
        seed: Any = None, save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png',
        follow_links: Any = False, subset: Any = None, interpolation: Any = 'nearest',
        keep_aspect_ratio: Any = False,
    ) -> Any: ...
    def flow_from_dataframe(
        self, dataframe: Any, directory: Any = None, x_col: Any = 'filename', y_col: Any = 'class',
        weight_col: Any = None, target_size: Any = ..., color_mode: Any = 'rgb',
        classes: Any = None, class_mode: Any = 'categorical', batch_size: Any = 32,
        shuffle: Any = True, seed: Any = None, save_to_dir: Any = None, save_prefix: Any = '',
        save_format: Any = 'png', subset: Any = None, interpolation: Any = 'nearest',
        validate_filenames: Any = True, **kwargs: Any,
    ) -> Any: ...
    def standardize(self, x: Any) -> Any:
        """Applies the normalization configuration in-place to a batch of"""
    def get_random_transform(self, img_shape: Any, seed: Any = None) -> Any:
        """Generates random parameters for a transformation."""
    def apply_transform(self, x: Any, transform_parameters: Any) -> Any:
        """Applies a transformation to an image according to given parameters."""
    def random_transform(self, x: Any, seed: Any = None) -> Any:
        """Applies a random transformation to an image."""
    def fit(self, x: Any, augment: Any = False, rounds: Any = 1, seed: Any = None) -> Any:
        """Fits the data generator to some sample data."""
    featurewise_center: Any
    samplewise_center: Any
    featurewise_std_normalization: Any
    samplewise_std_normalization: Any
    zca_whitening: Any
    zca_epsilon: Any
    rotation_range: Any
    width_shift_range: Any
    height_shift_range: Any
    shear_range: Any
    zoom_range: Any
    channel_shift_range: Any
    fill_mode: Any
    cval: Any
    horizontal_flip: Any
    vertical_flip: Any
    rescale: Any
    preprocessing_function: Any
    dtype: Any
    interpolation_order: Any
    data_format: Any
    mean: Any
    std: Any
    zca_whitening_matrix: Any
    brightness_range: Any
    channel_axis: Any
    row_axis: Any
    col_axis: Any

class Iterator(tf.keras.utils.PyDataset):
    """Base class for image data iterators."""
    white_list_formats: Any
    def __init__(
        self, n: Any, batch_size: Any, shuffle: Any, seed: Any, **kwargs: Any,
    ) -> None: ...
    def __getitem__(self, idx: Any) -> Any: ...
    def __len__(self) -> Any: ...
    def on_epoch_end(self) -> Any: ...
    def reset(self) -> Any: ...
    def __iter__(self) -> Any: ...
    def __next__(self) -> Any: ...
    n: Any
    batch_size: Any
    seed: Any
    shuffle: Any
    batch_index: Any
    total_batches_seen: Any
    lock: Any
    index_array: Any
    index_generator: Any

class NumpyArrayIterator(tf.keras.preprocessing.image.Iterator):
    """Iterator yielding data from a Numpy array."""
    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: Any = 32, shuffle: Any = False,
        sample_weight: Any = None, seed: Any = None, data_format: Any = None,
        save_to_dir: Any = None, save_prefix: Any = '', save_format: Any = 'png',
        subset: Any = None, ignore_class_split: Any = False, dtype: Any = None,
    ) -> None: ...
    dtype: Any
    x: Any
    x_misc: Any
    image_data_generator: Any
    data_format: Any
    save_to_dir: Any
    save_prefix: Any
    save_format: Any
    y: Any
    sample_weight: Any

def random_brightness(x: Any, brightness_range: Any, scale: Any = True) -> Any:
    """Performs a random brightness shift."""

def random_channel_shift(x: Any, intensity_range: Any, channel_axis: Any = 0) -> Any:
    """Performs a random channel shift."""

def random_rotation(
    x: Any, rg: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """DEPRECATED."""

def random_shear(
    x: Any, intensity: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """DEPRECATED."""

def random_shift(
    x: Any, wrg: Any, hrg: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """DEPRECATED."""

def random_zoom(
    x: Any, zoom_range: Any, row_axis: Any = 1, col_axis: Any = 2, channel_axis: Any = 0,
    fill_mode: Any = 'nearest', cval: Any = 0.0, interpolation_order: Any = 1,
) -> Any:
    """DEPRECATED."""

def smart_resize(
    x: Any, size: Any, interpolation: Any = 'bilinear', data_format: Any = 'channels_last',
    **kwargs: Any,
) -> Any:
    """Resize images to a target size without aspect ratio distortion."""
