# Written by tools/stubs.py (make stubs).
"""tf.keras.preprocessing"""

from typing import Any

from tapeflow.keras.preprocessing import image as image, sequence as sequence, text as text

def image_dataset_from_directory(
    directory: Any, labels: Any = 'inferred', label_mode: Any = 'int', class_names: Any = None,
    color_mode: Any = 'rgb', batch_size: Any = 32, image_size: Any = ..., shuffle: Any = True,
    seed: Any = None, validation_split: Any = None, subset: Any = None,
    interpolation: Any = 'bilinear', follow_links: Any = False,
    crop_to_aspect_ratio: Any = False, pad_to_aspect_ratio: Any = False,
    data_format: Any = None, format: Any = 'tf', verbose: Any = True,
) -> Any:
    """Generates a dataset from image files in a directory."""

def text_dataset_from_directory(
    directory: Any, labels: Any = 'inferred', label_mode: Any = 'int', class_names: Any = None,
    batch_size: Any = 32, max_length: Any = None, shuffle: Any = True, seed: Any = None,
    validation_split: Any = None, subset: Any = None, follow_links: Any = False,
    format: Any = 'tf', verbose: Any = True,
) -> Any:
    """Generates a dataset from text files in a directory."""

def timeseries_dataset_from_array(
    data: Any, targets: Any, sequence_length: Any, sequence_stride: Any = 1,
    sampling_rate: Any = 1, batch_size: Any = 128, shuffle: Any = False, seed: Any = None,
    start_index: Any = None, end_index: Any = None, format: Any = 'tf',
) -> Any:
    """Creates a dataset of sliding windows over a timeseries provided as array."""
