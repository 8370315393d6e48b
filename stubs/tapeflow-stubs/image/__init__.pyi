# Written by tools/stubs.py (make stubs).
"""tf.image"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import (
    CombinedNonMaxSuppression,
    DTypeLike,
    FloatLike,
    IntLike,
    SampleDistortedBoundingBoxV2,
    StatelessSampleDistortedBoundingBox,
    TensorLike,
)

def adjust_brightness(image: TensorLike, delta: Any) -> tf.Tensor:
    """delta more, in the scale of floats."""

def adjust_contrast(images: TensorLike, contrast_factor: Any) -> tf.Tensor:
    """Distances from the mean of each channel of each image, times a factor."""

def adjust_gamma(image: TensorLike, gamma: Any = 1, gain: Any = 1) -> tf.Tensor:
    """gain · image ** gamma."""

def adjust_hue(image: TensorLike, delta: Any, name: str | None = None) -> tf.Tensor:
    """The hue moved by delta, a part of the whole circle."""

def adjust_jpeg_quality(
    image: TensorLike, jpeg_quality: Any, dct_method: str = '', name: str | None = None,
) -> tf.Tensor:
    """As an image looks after compression with a quality of 0 to 100; needs Pillow."""

def adjust_saturation(
    image: TensorLike, saturation_factor: Any, name: str | None = None,
) -> tf.Tensor:
    """The saturation times a factor, at most 1."""

def central_crop(image: TensorLike, central_fraction: Any) -> tf.Tensor:
    """The middle of an image: a fraction of its height and of its width."""

def combined_non_max_suppression(
    boxes: TensorLike, scores: TensorLike, max_output_size_per_class: Any, max_total_size: Any,
    iou_threshold: Any = 0.5, score_threshold: Any = ..., pad_per_class: bool = False,
    clip_boxes: bool = True, name: str | None = None,
) -> CombinedNonMaxSuppression:
    """Suppression for each class by itself, then the best of all classes, for each image."""

def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None,
) -> tf.Tensor:
    """An image in another dtype, scaled: floats are in [0, 1], integers up to their maximum."""

def crop_and_resize(
    image: TensorLike, boxes: TensorLike, box_indices: Any, crop_size: Any,
    method: str = 'bilinear', extrapolation_value: FloatLike = 0.0, name: str | None = None,
) -> tf.Tensor:
    """The parts of images in boxes, each resized to `crop_size`; float32."""

def crop_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any,
    target_width: Any,
) -> tf.Tensor:
    """The part of an image that begins at an offset and has a given size."""

def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: IntLike = 0, ratio: IntLike = 1,
    fancy_upscaling: bool = True, try_recover_truncated: bool = False,
    acceptable_fraction: FloatLike = 1, dct_method: str = '', name: str | None = None,
) -> tf.Tensor:
    """The part (y, x, height, width) of a JPEG file's pixels."""

def decode_bmp(
    contents: Any, channels: IntLike = 0, name: str | None = None,
) -> tf.Tensor:
    """The pixels of an uncompressed BMP file's bytes."""

def decode_gif(contents: Any, name: str | None = None) -> tf.Tensor:
    """All frames of a GIF file: [frames, height, width, 3]."""

def decode_image(
    contents: Any, channels: IntLike | None = None, dtype: DTypeLike = tf.uint8,
    name: str | None = None, expand_animations: bool = True,
) -> tf.Tensor:
    """The pixels of a JPEG, PNG, GIF or BMP file, in a dtype as convert_image_dtype …"""

def decode_jpeg(
    contents: Any, channels: IntLike = 0, ratio: IntLike = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: FloatLike = 1,
    dct_method: str = '', name: str | None = None,
) -> tf.Tensor:
    """The pixels of a JPEG file's bytes, as uint8; unusual files need Pillow."""

def decode_png(
    contents: Any, channels: IntLike = 0, dtype: DTypeLike = tf.uint8, name: str | None = None,
) -> tf.Tensor:
    """The pixels of a PNG file's bytes, as uint8 or uint16."""

def decode_webp(
    contents: Any, channels: IntLike = 0, dtype: DTypeLike = tf.uint8, name: str | None = None,
) -> tf.Tensor:
    """The pixels of a WebP file's bytes; needs Pillow."""

def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, colors: Any, name: str | None = None,
) -> tf.Tensor:
    """Images with the outlines of boxes, in the given colours by turns (None: ten own ones)."""

def encode_jpeg(
    image: TensorLike, format: str = '', quality: IntLike = 95, progressive: bool = False,
    optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: str = 'in',
    x_density: IntLike = 300, y_density: IntLike = 300, xmp_metadata: str = '',
    name: str | None = None,
) -> tf.Tensor:
    """The bytes of a JPEG file of uint8 pixels in 1 or 3 channels; needs Pillow."""

def encode_png(
    image: TensorLike, compression: IntLike = -1, name: str | None = None,
) -> tf.Tensor:
    """The bytes of a PNG file of these pixels, uint8 or uint16 in 1 to 4 channels."""

def extract_glimpse(
    input: TensorLike, size: Any, offsets: Any, centered: bool = True, normalized: bool = True,
    noise: str = 'uniform', name: str | None = None,
) -> tf.Tensor:
    """A window of each image; noise fills what lies outside."""

def extract_jpeg_shape(
    contents: Any, output_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """Height, width and channels of a JPEG file, without its pixels."""

def extract_patches(
    images: TensorLike, sizes: Any, strides: Any, rates: Any, padding: str,
    name: str | None = None,
) -> tf.Tensor:
    """Windows of `sizes` every `strides` pixels, each laid out along the last axis."""

def flip_left_right(image: TensorLike) -> tf.Tensor:
    """The first column last."""

def flip_up_down(image: TensorLike) -> tf.Tensor:
    """The first row last."""

def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> tf.Tensor:
    """The one channel of an image three times."""

def hsv_to_rgb(images: TensorLike, name: str | None = None) -> tf.Tensor:
    """The inverse of `rgb_to_hsv`; gradients stop here, as they do in TensorFlow."""

def image_gradients(image: TensorLike) -> tuple[tf.Tensor, tf.Tensor]:
    """Differences downwards and to the right, in the image's own shape."""

def is_jpeg(contents: Any, name: str | None = None) -> tf.Tensor:
    """Whether bytes begin as a JPEG file does."""

def non_max_suppression(
    boxes: TensorLike, scores: TensorLike, max_output_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = ..., name: str | None = None,
) -> tf.Tensor:
    """Indices of boxes by falling scores, without those that overlap a better one too much."""

def non_max_suppression_overlaps(
    overlaps: Any, scores: TensorLike, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = ..., name: str | None = None,
) -> tf.Tensor:
    """As `non_max_suppression`, with a matrix of overlaps instead of boxes."""

def non_max_suppression_padded(
    boxes: TensorLike, scores: TensorLike, max_output_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = ..., pad_to_max_output_size: bool = False, name: str | None = None,
    sorted_input: bool = False, canonicalized_coordinates: bool = False,
    tile_size: IntLike = 512,
) -> tuple:
    """Indices, padded with zeros to `max_output_size` if asked, and how many count."""

def non_max_suppression_with_scores(
    boxes: TensorLike, scores: TensorLike, max_output_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = ..., soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple:
    """Indices and scores; with `soft_nms_sigma` overlaps lower scores instead of removing …"""

def pad_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any,
    target_width: Any,
) -> tf.Tensor:
    """An image at an offset, with zeros around it up to a given size."""

def per_image_standardization(image: TensorLike) -> tf.Tensor:
    """Each image less its mean, divided by its deviation (at least 1 / sqrt(pixels))."""

def psnr(
    a: TensorLike, b: TensorLike, max_val: Any, name: str | None = None,
) -> tf.Tensor:
    """The peak signal-to-noise ratio in decibels, for each pair of images."""

def random_brightness(image: TensorLike, max_delta: Any, seed: Any = None) -> tf.Tensor:
    """Brighter or darker by at most `max_delta`."""

def random_contrast(
    image: TensorLike, lower: Any, upper: Any, seed: Any = None,
) -> tf.Tensor:
    """Contrast times a factor between `lower` and `upper`."""

def random_crop(
    value: TensorLike, size: Any, seed: Any = None, name: str | None = None,
) -> tf.Tensor:
    """A part of the given size, from anywhere in a tensor."""

def random_flip_left_right(image: TensorLike, seed: Any = None) -> tf.Tensor:
    """Flipped or not, with equal chances, each image of a batch by itself."""

def random_flip_up_down(image: TensorLike, seed: Any = None) -> tf.Tensor:
    """Flipped or not, with equal chances, each image of a batch by itself."""

def random_hue(image: TensorLike, max_delta: Any, seed: Any = None) -> tf.Tensor:
    """The hue moved by at most `max_delta`."""

def random_jpeg_quality(
    image: TensorLike, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any = None,
) -> tf.Tensor:
    """As it looks after compression, with a quality between the two."""

def random_saturation(
    image: TensorLike, lower: Any, upper: Any, seed: Any = None,
) -> tf.Tensor:
    """Saturation times a factor between `lower` and `upper`."""

def resize(
    images: TensorLike, size: Any, method: Any = 'bilinear',
    preserve_aspect_ratio: bool = False, antialias: bool = False, name: str | None = None,
) -> tf.Tensor:
    """Images of another height and width; float32 unless the method is "nearest"."""

def resize_with_crop_or_pad(
    image: TensorLike, target_height: Any, target_width: Any,
) -> tf.Tensor:
    """Cropped about the middle or centred on zeros, along each axis as it needs."""

def resize_with_pad(
    image: TensorLike, target_height: Any, target_width: Any, method: Any = 'bilinear',
    antialias: bool = False,
) -> tf.Tensor:
    """Resized without distortion to fit into the target, and centred on zeros."""

class ResizeMethod:
    """The methods of tf.image.resize."""
    BILINEAR: str
    NEAREST_NEIGHBOR: str
    BICUBIC: str
    AREA: str
    LANCZOS3: str
    LANCZOS5: str
    GAUSSIAN: str
    MITCHELLCUBIC: str

def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> tf.Tensor:
    """Luminance, as one channel."""

def rgb_to_hsv(images: TensorLike, name: str | None = None) -> tf.Tensor:
    """Hue, saturation and value, all in [0, 1], from red, green and blue in [0, 1]."""

def rgb_to_yiq(images: TensorLike) -> tf.Tensor:
    """From red, green, blue to the colour space of NTSC."""

def rgb_to_yuv(images: TensorLike) -> tf.Tensor:
    """From red, green, blue to the colour space of PAL."""

def rot90(image: TensorLike, k: Any = 1, name: str | None = None) -> tf.Tensor:
    """Rotated k times by 90 degrees, counter-clockwise."""

def sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: Any = 0, min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None, area_range: Any = None, max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None, name: str | None = None,
) -> SampleDistortedBoundingBoxV2:
    """A random part of an image that covers some of a box, for tf.slice, and as a box."""

def sobel_edges(image: TensorLike) -> tf.Tensor:
    """Sobel's derivatives downwards and to the right, along a new last axis."""

def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: Any = 11, filter_sigma: Any = 1.5,
    k1: FloatLike = 0.01, k2: FloatLike = 0.03, return_index_map: bool = False,
) -> tf.Tensor:
    """The structural similarity of each pair of images, or of each of their pixels."""

def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = ..., filter_size: Any = 11,
    filter_sigma: Any = 1.5, k1: FloatLike = 0.01, k2: FloatLike = 0.03,
) -> tf.Tensor:
    """Structural similarity over several scales, each half of the one before."""

def stateless_random_brightness(
    image: TensorLike, max_delta: Any, seed: Any,
) -> tf.Tensor:
    """As `random_brightness`, by a seed of two integers alone."""

def stateless_random_contrast(
    image: TensorLike, lower: Any, upper: Any, seed: Any,
) -> tf.Tensor:
    """As `random_contrast`, by a seed of two integers alone."""

def stateless_random_crop(
    value: TensorLike, size: Any, seed: Any, name: str | None = None,
) -> tf.Tensor:
    """As `random_crop`, by a seed of two integers alone."""

def stateless_random_flip_left_right(image: TensorLike, seed: Any) -> tf.Tensor:
    """As `random_flip_left_right`, by a seed of two integers alone."""

def stateless_random_flip_up_down(image: TensorLike, seed: Any) -> tf.Tensor:
    """As `random_flip_up_down`, by a seed of two integers alone."""

def stateless_random_hue(image: TensorLike, max_delta: Any, seed: Any) -> tf.Tensor:
    """As `random_hue`, by a seed of two integers alone."""

def stateless_random_jpeg_quality(
    image: TensorLike, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any,
) -> tf.Tensor:
    """As `random_jpeg_quality`, by a seed of two integers alone."""

def stateless_random_saturation(
    image: TensorLike, lower: Any, upper: Any, seed: Any = None,
) -> tf.Tensor:
    """As `random_saturation`, by a seed of two integers alone."""

def stateless_sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: Any, min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None, area_range: Any = None, max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None, name: str | None = None,
) -> StatelessSampleDistortedBoundingBox:
    """As `sample_distorted_bounding_box`, by a seed of two integers alone."""

def total_variation(images: TensorLike, name: str | None = None) -> tf.Tensor:
    """The sum of absolute differences of neighbouring pixels, for each image."""

def transpose(image: TensorLike, name: str | None = None) -> tf.Tensor:
    """Rows and columns exchanged."""

def yiq_to_rgb(images: TensorLike) -> tf.Tensor:
    """The inverse of `rgb_to_yiq`."""

def yuv_to_rgb(images: TensorLike) -> tf.Tensor:
    """The inverse of `rgb_to_yuv`."""
