"""Images: resizing, colours, boxes, files."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
AdjustContrastv2 image.adjust_contrast
AdjustHue image.adjust_hue
AdjustSaturation image.adjust_saturation
DecodeGif io.decode_gif
HSVToRGB image.hsv_to_rgb
RGBToHSV image.rgb_to_hsv
""")


def _resize(op: str, images: Any, size: Any, align_corners: bool, half_pixel_centers: bool) -> Any:
    return public(f"raw_ops.{op}")(images=images, size=size, align_corners=align_corners,
                                   half_pixel_centers=half_pixel_centers)


@raw
def ResizeBilinear(images: Any, size: Any, align_corners: bool, half_pixel_centers: bool) -> Any:
    return _resize("ResizeBilinear", images, size, align_corners, half_pixel_centers)


@raw
def ResizeBicubic(images: Any, size: Any, align_corners: bool, half_pixel_centers: bool) -> Any:
    return _resize("ResizeBicubic", images, size, align_corners, half_pixel_centers)


@raw
def ResizeNearestNeighbor(images: Any, size: Any, align_corners: bool,
                          half_pixel_centers: bool) -> Any:
    return _resize("ResizeNearestNeighbor", images, size, align_corners, half_pixel_centers)


@raw
def ResizeArea(images: Any, size: Any, align_corners: bool) -> Any:
    return public("raw_ops.ResizeArea")(images=images, size=size, align_corners=align_corners)


@raw
def ScaleAndTranslate(images: Any, size: Any, scale: Any, translation: Any, kernel_type: str,
                      antialias: bool) -> Any:
    """As tf.image.resize calls it: by the ratio of the sizes, nothing moved. Else refused."""
    ratio = tf.cast(size, tf.float32) / tf.cast(tf.shape(images)[1:3], tf.float32)
    tf.debugging.assert_near(scale, ratio, message="ScaleAndTranslate with a scale of its own")
    tf.debugging.assert_near(translation, tf.zeros([2]),
                             message="ScaleAndTranslate with a translation")
    return tf.image.resize(images, size, kernel_type, antialias=antialias)


@raw
def CropAndResize(image: Any, boxes: Any, box_ind: Any, crop_size: Any, method: str,
                  extrapolation_value: float) -> Any:
    return tf.image.crop_and_resize(image, boxes, box_ind, crop_size, method, extrapolation_value)


@raw
def ExtractImagePatches(images: Any, ksizes: list, strides: list, rates: list,
                        padding: str) -> Any:
    return tf.image.extract_patches(images, ksizes, strides, rates, padding)


@raw
def ImageProjectiveTransformV2(images: Any, transforms: Any, output_shape: Any,
                               interpolation: str, fill_mode: str) -> Any:
    return public("raw_ops.ImageProjectiveTransformV2")(
        images=images, transforms=transforms, output_shape=output_shape,
        interpolation=interpolation, fill_mode=fill_mode)


@raw
def ImageProjectiveTransformV3(images: Any, transforms: Any, output_shape: Any, fill_value: Any,
                               interpolation: str, fill_mode: str) -> Any:
    return public("raw_ops.ImageProjectiveTransformV3")(
        images=images, transforms=transforms, output_shape=output_shape, fill_value=fill_value,
        interpolation=interpolation, fill_mode=fill_mode)


def _known(value: Any) -> Any:
    """A number that the public function wants as a Python value, if it is a constant."""
    found = tf.get_static_value(value)
    return value if found is None else found.item()


@raw
def NonMaxSuppressionV3(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any,
                        score_threshold: Any) -> Any:
    return tf.image.non_max_suppression(boxes, scores, max_output_size, _known(iou_threshold),
                                        _known(score_threshold))


@raw
def NonMaxSuppressionV4(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any,
                        score_threshold: Any, pad_to_max_output_size: bool) -> Any:
    return tuple(tf.image.non_max_suppression_padded(
        boxes, scores, max_output_size, _known(iou_threshold), _known(score_threshold),
        pad_to_max_output_size))


@raw
def NonMaxSuppressionV5(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any,
                        score_threshold: Any, soft_nms_sigma: Any) -> Any:
    chosen, found = tf.image.non_max_suppression_with_scores(
        boxes, scores, max_output_size, _known(iou_threshold), _known(score_threshold),
        _known(soft_nms_sigma))
    return chosen, found, tf.size(chosen)


@raw
def CombinedNonMaxSuppression(
        boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any,
        iou_threshold: Any, score_threshold: Any, pad_per_class: bool, clip_boxes: bool) -> Any:
    return tuple(tf.image.combined_non_max_suppression(
        boxes, scores, max_output_size_per_class, _known(max_total_size), _known(iou_threshold),
        _known(score_threshold), pad_per_class, clip_boxes))


@raw
def DrawBoundingBoxesV2(images: Any, boxes: Any, colors: Any) -> Any:
    return tf.image.draw_bounding_boxes(images, boxes, colors)


# -- files -----------------------------------------------------------------------------------------
@raw
def DecodeImage(contents: Any, channels: int, dtype: Any, expand_animations: bool) -> Any:
    return tf.io.decode_image(contents, channels, dtype, expand_animations=expand_animations)


@raw
def DecodePng(contents: Any, channels: int, dtype: Any) -> Any:
    return tf.io.decode_png(contents, channels, dtype)


@raw
def DecodeBmp(contents: Any, channels: int) -> Any:
    return tf.io.decode_bmp(contents, channels)


@raw
def DecodeJpeg(contents: Any, channels: int, ratio: int, fancy_upscaling: bool,
               dct_method: str) -> Any:
    return tf.io.decode_jpeg(contents, channels, ratio, fancy_upscaling, dct_method=dct_method)


@raw
def EncodePng(image: Any, compression: int) -> Any:
    return tf.io.encode_png(image, compression)


@raw
def EncodeJpeg(image: Any, quality: int) -> Any:
    return tf.io.encode_jpeg(image, quality=quality)
