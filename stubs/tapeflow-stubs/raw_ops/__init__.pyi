# Written by tools/stubs.py (make stubs).
"""tf.raw_ops"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import (
    DTypeLike,
    FloatLike,
    ShapeLike,
    TensorLike,
    UniqueV2 as _UniqueV2,
    UniqueWithCountsV2 as _UniqueWithCountsV2,
)
from tapeflow.image import hsv_to_rgb as _hsv_to_rgb, rgb_to_hsv as _rgb_to_hsv

def Bucketize(
    *, input: TensorLike, boundaries: Any, name: str | None = None,
) -> tf.Tensor:
    """The number of boundaries that are not above each element."""

def CropAndResize(
    image: TensorLike, boxes: TensorLike, box_ind: Any, crop_size: Any,
    method: str = 'bilinear', extrapolation_value: FloatLike = 0, name: str | None = None,
) -> tf.Tensor:
    """`crop_and_resize` under the name of its op."""

def ExtractImagePatches(
    images: TensorLike, ksizes: Any, strides: Any, rates: Any, padding: str,
    name: str | None = None,
) -> tf.Tensor:
    """`extract_patches` under the name of its op."""

def ImageProjectiveTransformV2(
    *, images: TensorLike, transforms: Any, output_shape: ShapeLike, interpolation: str,
    fill_mode: str = 'CONSTANT', name: str | None = None,
) -> tf.Tensor:
    """As V3, with zeros outside."""

def ImageProjectiveTransformV3(
    *, images: TensorLike, transforms: Any, output_shape: ShapeLike, fill_value: Any,
    interpolation: str, fill_mode: str = 'CONSTANT', name: str | None = None,
) -> tf.Tensor:
    """`images` (batch, height, width, channels) through `transforms` (batch or 1, 8)."""

def ResizeArea(
    images: TensorLike, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method area, as TensorFlow 1 did it."""

def ResizeBicubic(
    images: TensorLike, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method bicubic, as TensorFlow 1 did it."""

def ResizeBilinear(
    images: TensorLike, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method bilinear, as TensorFlow 1 did it."""

def ResizeNearestNeighbor(
    images: TensorLike, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method nearest, as TensorFlow 1 did it."""

def UniqueV2(
    *, x: TensorLike, axis: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> _UniqueV2:
    """The distinct slices along an axis, and for each slice the index of its equal."""

def UniqueWithCountsV2(
    *, x: TensorLike, axis: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> _UniqueWithCountsV2:
    """As UniqueV2, and how often each slice occurs."""

HSVToRGB = _hsv_to_rgb
RGBToHSV = _rgb_to_hsv
