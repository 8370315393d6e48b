"""Images: resizing, colours, boxes, files."""

from __future__ import annotations

from typing import Any

from tapeflow.tensorflow_graphs.ops.random.randoms import given_seed
from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
AdjustContrastv2 image.adjust_contrast
AdjustHue image.adjust_hue
AdjustSaturation image.adjust_saturation
CropAndResize image.crop_and_resize method extrapolation_value
DecodeAndCropJpeg io.decode_and_crop_jpeg channels ratio fancy_upscaling try_recover_truncated
  acceptable_fraction dct_method
DecodeBmp io.decode_bmp channels
DecodeGif io.decode_gif
DecodeImage io.decode_image channels dtype expand_animations=expand_animations
DecodeJpeg io.decode_jpeg channels ratio fancy_upscaling dct_method=dct_method
DecodePng io.decode_png channels dtype
DrawBoundingBoxes compat.v1.image.draw_bounding_boxes
DrawBoundingBoxesV2 image.draw_bounding_boxes
EncodeJpeg io.encode_jpeg format quality progressive optimize_size chroma_downsampling
  density_unit x_density y_density xmp_metadata
EncodePng io.encode_png compression
ExtractImagePatches image.extract_patches ksizes strides rates padding
ExtractJpegShape io.extract_jpeg_shape output_type
HSVToRGB image.hsv_to_rgb
NonMaxSuppressionWithOverlaps image.non_max_suppression_overlaps
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


_METHODS = {"triangle": "bilinear", "keyscubic": "bicubic"}  # kernels by the names of resizing


@raw
def ScaleAndTranslate(images: Any, size: Any, scale: Any, translation: Any, kernel_type: str,
                      antialias: bool) -> Any:
    """As tf.image.resize calls it: by the ratio of the sizes, nothing moved. Else refused."""
    ratio = tf.cast(size, tf.float32) / tf.cast(tf.shape(images)[1:3], tf.float32)
    tf.debugging.assert_near(scale, ratio, message="ScaleAndTranslate with a scale of its own")
    tf.debugging.assert_near(translation, tf.zeros([2]),
                             message="ScaleAndTranslate with a translation")
    method = _METHODS.get(kernel_type, kernel_type)
    return tf.image.resize(images, size, method, antialias=antialias)


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
def NonMaxSuppression(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: float) -> Any:
    return tf.image.non_max_suppression(boxes, scores, max_output_size, iou_threshold)


@raw
def NonMaxSuppressionV2(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any) -> Any:
    return tf.image.non_max_suppression(boxes, scores, max_output_size, _known(iou_threshold))


@raw
def CombinedNonMaxSuppression(
        boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any,
        iou_threshold: Any, score_threshold: Any, pad_per_class: bool, clip_boxes: bool) -> Any:
    return tuple(tf.image.combined_non_max_suppression(
        boxes, scores, max_output_size_per_class, _known(max_total_size), _known(iou_threshold),
        _known(score_threshold), pad_per_class, clip_boxes))


# -- files -----------------------------------------------------------------------------------------
@raw
def ExtractGlimpseV2(input: Any, size: Any, offsets: Any, centered: bool, normalized: bool,
                     noise: str) -> Any:
    from tapeflow.ops.image.patches import extract_glimpse
    return extract_glimpse(input, tf.get_static_value(size), offsets, centered, normalized, noise)


# -- boxes drawn at random -------------------------------------------------------------------------
@raw
def SampleDistortedBoundingBoxV2(
        image_size: Any, bounding_boxes: Any, min_object_covered: Any, seed: int, seed2: int,
        aspect_ratio_range: list, area_range: list, max_attempts: int,
        use_image_if_no_bounding_boxes: bool) -> Any:
    return tuple(tf.image.sample_distorted_bounding_box(
        image_size, bounding_boxes, given_seed(seed, seed2) or 0, _known(min_object_covered),
        aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes))


@raw
def StatelessSampleDistortedBoundingBox(
        image_size: Any, bounding_boxes: Any, min_object_covered: Any, seed: Any,
        aspect_ratio_range: list, area_range: list, max_attempts: int,
        use_image_if_no_bounding_boxes: bool) -> Any:
    return tuple(tf.image.stateless_sample_distorted_bounding_box(
        image_size, bounding_boxes, seed, _known(min_object_covered), aspect_ratio_range,
        area_range, max_attempts, use_image_if_no_bounding_boxes))


# -- gradients that graphs hold as ops -------------------------------------------------------------
def _resized_back(grads: Any, size: Any, method: str, align_corners: bool,
                  half_pixel_centers: bool) -> Any:
    from tapeflow.ops.image.resizing import resample_back
    centres = "corners" if align_corners else "half" if half_pixel_centers else "legacy"
    known = tf.get_static_value(size)
    return resample_back(grads, size=size if known is None else tuple(known.tolist()),
                         method=method, centres=centres, antialias=False)


@raw
def ResizeNearestNeighborGrad(grads: Any, size: Any, align_corners: bool,
                              half_pixel_centers: bool) -> Any:
    return _resized_back(grads, size, "nearest", align_corners, half_pixel_centers)


@raw
def ResizeBilinearGrad(grads: Any, original_image: Any, align_corners: bool,
                       half_pixel_centers: bool, T: Any) -> Any:
    return tf.cast(_resized_back(grads, tf.shape(original_image)[1:3], "bilinear", align_corners,
                                 half_pixel_centers), T)


@raw
def ResizeBicubicGrad(grads: Any, original_image: Any, align_corners: bool,
                      half_pixel_centers: bool, T: Any) -> Any:
    return tf.cast(_resized_back(grads, tf.shape(original_image)[1:3], "bicubic", align_corners,
                                 half_pixel_centers), T)


@raw
def CropAndResizeGradImage(grads: Any, boxes: Any, box_ind: Any, image_size: Any, T: Any,
                           method: str) -> Any:
    from tapeflow.ops.image.crops import crops_back
    known = tf.get_static_value(image_size)
    return tf.cast(crops_back(
        grads, boxes, box_ind, shape=image_size if known is None else tuple(known.tolist()),
        nearest=method == "nearest", slope=""), T)


@raw
def EncodeJpegVariableQuality(images: Any, quality: Any) -> Any:
    from tapeflow.ops.image.files.image_codecs import write_jpeg
    return write_jpeg(images, quality, format="", progressive=False, optimize=False, chroma=True,
                      unit="in", x_density=300, y_density=300, xmp=b"")
