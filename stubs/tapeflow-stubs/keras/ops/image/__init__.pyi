# Written by tools/stubs.py (make stubs).
"""tf.keras.ops.image"""

from typing import Any

def affine_transform(
    images: Any, transform: Any, interpolation: Any = 'bilinear', fill_mode: Any = 'constant',
    fill_value: Any = 0, data_format: Any = None,
) -> Any:
    """Applies the given transform(s) to the image(s)."""

def crop_images(
    images: Any, top_cropping: Any = None, left_cropping: Any = None,
    bottom_cropping: Any = None, right_cropping: Any = None, target_height: Any = None,
    target_width: Any = None, data_format: Any = None,
) -> Any:
    """Crop `images` to a specified `height` and `width`."""

def elastic_transform(
    images: Any, alpha: Any = 20.0, sigma: Any = 5.0, interpolation: Any = 'bilinear',
    fill_mode: Any = 'reflect', fill_value: Any = 0.0, seed: Any = None,
    data_format: Any = None,
) -> Any:
    """Applies elastic deformation to the image(s)."""

def extract_patches(
    images: Any, size: Any, strides: Any = None, dilation_rate: Any = 1, padding: Any = 'valid',
    data_format: Any = None,
) -> Any:
    """Extracts patches from the image(s) or volume(s)."""

def extract_patches_3d(
    volumes: Any, size: Any, strides: Any = None, dilation_rate: Any = 1,
    padding: Any = 'valid', data_format: Any = None,
) -> Any:
    """Extracts patches from the volume(s)."""

def gaussian_blur(
    images: Any, kernel_size: Any = ..., sigma: Any = ..., data_format: Any = None,
) -> Any:
    """Applies a Gaussian blur to the image(s)."""

def hsv_to_rgb(images: Any, data_format: Any = None) -> Any:
    """Convert HSV images to RGB."""

def map_coordinates(
    inputs: Any, coordinates: Any, order: Any, fill_mode: Any = 'constant', fill_value: Any = 0,
) -> Any:
    """Map the input array to new coordinates by interpolation."""

def pad_images(
    images: Any, top_padding: Any = None, left_padding: Any = None, bottom_padding: Any = None,
    right_padding: Any = None, target_height: Any = None, target_width: Any = None,
    data_format: Any = None,
) -> Any:
    """Pad `images` with zeros to the specified `height` and `width`."""

def perspective_transform(
    images: Any, start_points: Any, end_points: Any, interpolation: Any = 'bilinear',
    fill_value: Any = 0, data_format: Any = None,
) -> Any:
    """Applies a perspective transformation to the image(s)."""

def resize(
    images: Any, size: Any, interpolation: Any = 'bilinear', antialias: Any = False,
    crop_to_aspect_ratio: Any = False, pad_to_aspect_ratio: Any = False,
    fill_mode: Any = 'constant', fill_value: Any = 0.0, data_format: Any = None,
) -> Any:
    """Resize images to size using the specified interpolation method."""

def rgb_to_grayscale(images: Any, data_format: Any = None) -> Any:
    """Convert RGB images to grayscale."""

def rgb_to_hsv(images: Any, data_format: Any = None) -> Any:
    """Convert RGB images to HSV."""

def scale_and_translate(
    images: Any, output_shape: Any, scale: Any, translation: Any, spatial_dims: Any,
    method: Any, antialias: Any = True,
) -> Any:
    """Apply a scale and translation to the images."""

def sobel_edges(images: Any, data_format: Any = None) -> Any:
    """Computes Sobel edge detection on images."""

def ssim(
    image1: Any, image2: Any, max_val: Any = 1.0, filter_size: Any = 11,
    filter_sigma: Any = 1.5, k1: Any = 0.01, k2: Any = 0.03, data_format: Any = None,
) -> Any:
    """Computes the Structural Similarity Index (SSIM) between two images."""
