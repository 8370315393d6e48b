# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.image"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import FloatLike, TensorLike
from tapeflow.compat.v1 import extract_image_patches as extract_image_patches
from tapeflow.image import (
    adjust_brightness as adjust_brightness,
    adjust_contrast as adjust_contrast,
    adjust_gamma as adjust_gamma,
    adjust_hue as adjust_hue,
    adjust_jpeg_quality as adjust_jpeg_quality,
    adjust_saturation as adjust_saturation,
    central_crop as central_crop,
    combined_non_max_suppression as combined_non_max_suppression,
    convert_image_dtype as convert_image_dtype,
    crop_to_bounding_box as crop_to_bounding_box,
    decode_and_crop_jpeg as decode_and_crop_jpeg,
    decode_bmp as decode_bmp,
    decode_gif as decode_gif,
    decode_image as decode_image,
    decode_jpeg as decode_jpeg,
    decode_png as decode_png,
    decode_webp as decode_webp,
    encode_jpeg as encode_jpeg,
    encode_png as encode_png,
    extract_glimpse as extract_glimpse,
    extract_jpeg_shape as extract_jpeg_shape,
    extract_patches as extract_patches,
    flip_left_right as flip_left_right,
    flip_up_down as flip_up_down,
    grayscale_to_rgb as grayscale_to_rgb,
    hsv_to_rgb as hsv_to_rgb,
    image_gradients as image_gradients,
    is_jpeg as is_jpeg,
    non_max_suppression as non_max_suppression,
    non_max_suppression_overlaps as non_max_suppression_overlaps,
    non_max_suppression_padded as non_max_suppression_padded,
    non_max_suppression_with_scores as non_max_suppression_with_scores,
    pad_to_bounding_box as pad_to_bounding_box,
    per_image_standardization as per_image_standardization,
    psnr as psnr,
    random_brightness as random_brightness,
    random_contrast as random_contrast,
    random_crop as random_crop,
    random_flip_left_right as random_flip_left_right,
    random_flip_up_down as random_flip_up_down,
    random_hue as random_hue,
    random_jpeg_quality as random_jpeg_quality,
    random_saturation as random_saturation,
    resize_with_crop_or_pad as _resize_with_crop_or_pad,
    resize_with_crop_or_pad as resize_with_crop_or_pad,
    rgb_to_grayscale as rgb_to_grayscale,
    rgb_to_hsv as rgb_to_hsv,
    rgb_to_yiq as rgb_to_yiq,
    rgb_to_yuv as rgb_to_yuv,
    rot90 as rot90,
    sample_distorted_bounding_box as sample_distorted_bounding_box,
    sobel_edges as sobel_edges,
    ssim as ssim,
    ssim_multiscale as ssim_multiscale,
    total_variation as total_variation,
    transpose as _transpose,
    transpose as transpose,
    yiq_to_rgb as yiq_to_rgb,
    yuv_to_rgb as yuv_to_rgb,
)
from tapeflow.raw_ops import (
    ResizeArea as _ResizeArea,
    ResizeBicubic as _ResizeBicubic,
    ResizeBilinear as _ResizeBilinear,
    ResizeNearestNeighbor as _ResizeNearestNeighbor,
)

def crop_and_resize(
    image: TensorLike, boxes: TensorLike, box_ind: Any = None, crop_size: Any = None,
    method: str = 'bilinear', extrapolation_value: FloatLike = 0, name: str | None = None,
    box_indices: Any = None,
) -> tf.Tensor:
    """As `crop_and_resize`, with TensorFlow 1's names."""

def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, name: str | None = None, colors: Any = None,
) -> tf.Tensor:
    """As `draw_bounding_boxes`, with TensorFlow 1's order of arguments."""

def resize(
    images: TensorLike, size: Any, method: Any = 0, align_corners: bool = False,
    preserve_aspect_ratio: bool = False, name: str | None = None,
) -> tf.Tensor:
    """As TensorFlow 1 resized: pixels are points, at the corners of the image if asked."""

def resize_image_with_pad(
    image: TensorLike, target_height: Any, target_width: Any, method: Any = 0,
    align_corners: bool = False,
) -> tf.Tensor:
    """As `resize_with_pad`, with the methods of TensorFlow 1."""

class ResizeMethod:
    """The methods of tf.compat.v1.image.resize."""
    BILINEAR: int
    NEAREST_NEIGHBOR: int
    BICUBIC: int
    AREA: int

resize_area = _ResizeArea
resize_bicubic = _ResizeBicubic
resize_bilinear = _ResizeBilinear
resize_image_with_crop_or_pad = _resize_with_crop_or_pad
resize_images = resize
resize_nearest_neighbor = _ResizeNearestNeighbor
transpose_image = _transpose
