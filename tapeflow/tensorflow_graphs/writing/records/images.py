"""Images: resizing, colours, boxes, patches, files."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import (
    cast,
    given,
    joined,
    like,
    product,
    rank,
    reshape,
    size_known,
    sizes,
)
from tapeflow.tensorflow_graphs.writing.written_records import same, written

same("""
hsv_to_rgb HSVToRGB
rgb_to_hsv RGBToHSV
""")


def _batched(w: Any, x: Any, run: Callable) -> Any:
    """`run` on images of four axes, whatever axes there are before the last three."""
    if rank(x) == 4:
        return run(x)
    shape = sizes(w, x)
    flat = reshape(w, x, [product(w, shape[:-3]), *shape[-3:]])
    found = run(flat)
    end = w.StridedSlice(w.Shape(found), w.const([1], dtypes.int32), w.const([0], dtypes.int32),
                         w.const([1], dtypes.int32), end_mask=1)
    return w.Reshape(found, joined(w, [*shape[:-3], [end]]))


# -- resizing --------------------------------------------------------------------------------------
_KERNELS = {"bilinear": "triangle", "bicubic": "keyscubic"}  # where neighbours are averaged


def _centres(node: Any) -> dict[str, bool]:
    return {"align_corners": node.attrs["centres"] == "corners",
            "half_pixel_centers": node.attrs["centres"] == "half"}


@written("resample_image")
def resample_image(w: Any, node: Any, x: Any) -> Any:
    goal, method = given(w, node.attrs["size"]), node.attrs["method"]
    plain = not node.attrs["antialias"]

    def run(images: Any) -> Any:
        if method == "nearest":
            return w.ResizeNearestNeighbor(images, goal, **_centres(node))
        if method == "area":
            return w.ResizeArea(images, goal, align_corners=node.attrs["centres"] == "corners")
        if method in _KERNELS and plain:
            op = w.ResizeBilinear if method == "bilinear" else w.ResizeBicubic
            return op(images, goal, **_centres(node))
        now = w.StridedSlice(w.Shape(images), w.const([1], dtypes.int32),
                             w.const([3], dtypes.int32), w.const([1], dtypes.int32))
        scale = w.RealDiv(w.Cast(goal, DstT=dtypes.float32), w.Cast(now, DstT=dtypes.float32))
        return w.ScaleAndTranslate(
            images, goal, scale, w.const([0.0, 0.0], dtypes.float32),
            kernel_type=_KERNELS.get(method, method), antialias=not plain)

    return cast(w, _batched(w, x, run), x.dtype)


@written("resize_nearest")
def resize_nearest(w: Any, node: Any, x: Any) -> Any:
    goal = given(w, node.attrs["size"])
    wide = x.dtype.name in ("uint32", "uint64")

    def run(images: Any) -> Any:
        some = w.Cast(images, DstT=dtypes.int64) if wide else images
        return cast(w, w.ResizeNearestNeighbor(some, goal, **_centres(node)), x.dtype)

    return _batched(w, x, run)


@written("resample_image_back")
def resample_image_back(w: Any, node: Any, g: Any) -> Any:
    """The transpose of resizing: to images of `size`."""
    goal, method = given(w, node.attrs["size"]), node.attrs["method"]
    if method not in ("nearest", "bilinear", "bicubic") or node.attrs["antialias"]:
        raise NotImplementedError(f"TensorFlow has no op for the gradient of resizing by {method}")

    def run(grads: Any) -> Any:
        if method == "nearest":
            return w.ResizeNearestNeighborGrad(grads, goal, **_centres(node))
        shape = w.Shape(grads)
        first, last = (w.StridedSlice(shape, w.const([a], dtypes.int32),
                                      w.const([b], dtypes.int32), w.const([1], dtypes.int32),
                                      end_mask=int(not b)) for a, b in ((0, 1), (3, 0)))
        image = w.Fill(joined(w, [[first], [goal], [last]]), w.const(0.0, dtypes.float32))
        op = w.ResizeBilinearGrad if method == "bilinear" else w.ResizeBicubicGrad
        return op(grads, image, **_centres(node))

    kind = g.dtype
    if method != "nearest" and kind is not dtypes.float32:
        shape = g.shape
        g = w.Cast(g, DstT=dtypes.float32)
        g.shape = shape
    return cast(w, _batched(w, g, run), kind)


# -- colours ---------------------------------------------------------------------------------------
@written("adjust_contrast")
def adjust_contrast(w: Any, node: Any, x: Any, factor: Any) -> Any:
    if x.dtype is dtypes.float32:
        return w.AdjustContrastv2(x, cast(w, factor, dtypes.float32))
    mean = w.Mean(x, w.const([-3, -2], dtypes.int32), keep_dims=True)
    return w.AddV2(w.Mul(w.Sub(x, mean), factor), mean)


@written("adjust_hsv")
def adjust_hsv(w: Any, node: Any, x: Any, delta: Any, factor: Any) -> Any:
    if x.dtype is dtypes.float32 and rank(x) >= 3:
        if delta.const is None or delta.const != 0:
            x = w.AdjustHue(x, cast(w, delta, dtypes.float32))
        if factor.const is None or factor.const != 1:
            x = w.AdjustSaturation(x, cast(w, factor, dtypes.float32))
        return x
    hue, saturation, value = w.Unpack(w.RGBToHSV(x), num=3, axis=rank(x) - 1)
    turned = w.AddV2(hue, cast(w, delta, x.dtype))
    turned = w.Sub(turned, w.Floor(turned))
    scaled = w.Mul(saturation, cast(w, factor, x.dtype))
    scaled = w.Minimum(w.Maximum(scaled, like(w, 0, x)), like(w, 1, x))
    return w.HSVToRGB(w.Pack([turned, scaled, value], axis=rank(x) - 1))


@written("mix_channels")
def mix_channels(w: Any, node: Any, x: Any) -> Any:
    matrix = w.const(np.array(node.attrs["matrix"]), x.dtype)
    if rank(x) == 1:
        return w.Reshape(w.MatMul(reshape(w, x, [1, 3]), matrix), w.const([3], dtypes.int32))
    return w.MatMul(x, matrix) if rank(x) == 2 else w.BatchMatMulV2(x, matrix)


# -- crops and patches -----------------------------------------------------------------------------
def _method(node: Any) -> str:
    if node.attrs["slope"]:
        raise NotImplementedError("TensorFlow has no op for how crops change with their boxes")
    return "nearest" if node.attrs["nearest"] else "bilinear"


@written("crop_and_resize")
def crop_and_resize(w: Any, node: Any, image: Any, boxes: Any, indices: Any) -> Any:
    found = w.CropAndResize(
        image, cast(w, boxes, dtypes.float32), cast(w, indices, dtypes.int32),
        given(w, node.attrs["size"]), method=_method(node),
        extrapolation_value=float(node.attrs["value"]))
    return cast(w, found, image.dtype)


@written("crop_and_resize_back")
def crop_and_resize_back(w: Any, node: Any, g: Any, boxes: Any, indices: Any) -> Any:
    return w.CropAndResizeGradImage(
        cast(w, g, dtypes.float32), cast(w, boxes, dtypes.float32),
        cast(w, indices, dtypes.int32), given(w, node.attrs["shape"]), T=g.dtype,
        method=_method(node))


@written("extract_patches")
def extract_patches(w: Any, node: Any, x: Any) -> Any:
    attrs = node.attrs
    return _batched(w, x, lambda images: w.ExtractImagePatches(
        images, ksizes=[1, *attrs["sizes"], 1], strides=[1, *attrs["strides"], 1],
        rates=[1, *attrs["rates"], 1], padding=attrs["padding"]))


@written("extract_patches_back")
def extract_patches_back(w: Any, node: Any, g: Any) -> Any:
    """Every patch added back to where it was taken from."""
    window, steps, rates = (node.attrs[key] for key in ("sizes", "strides", "rates"))
    image = given(w, node.attrs["image"])
    shape = sizes(w, g)
    depth = size_known(g, -1) // (window[0] * window[1])
    lead, grid = product(w, shape[:-3]), shape[-3:-1]
    parts = w.Unpack(reshape(w, g, [lead, *grid, window[0] * window[1], depth]),
                     num=window[0] * window[1], axis=3)
    extents = w.const([(n - 1) * rate + 1 for n, rate in zip(window, rates)], dtypes.int32)
    spans = w.AddV2(w.Mul(w.Sub(joined(w, grid), w.const([1, 1], dtypes.int32)),
                          w.const(list(steps), dtypes.int32)), extents)
    before = w.const([0, 0], dtypes.int32)
    if node.attrs["padding"] == "SAME":
        before = w.FloorDiv(w.Maximum(w.Sub(spans, image), before), w.const(2, dtypes.int32))
    whole = w.Maximum(w.AddV2(image, before), spans)
    goal = joined(w, [lead, [whole], depth])
    found = []
    for (i, j), part in zip(itertools.product(range(window[0]), range(window[1])), parts):
        first = w.const([i * rates[0], j * rates[1]], dtypes.int32)
        last = w.AddV2(first, w.AddV2(w.Mul(w.Sub(joined(w, grid), w.const(
            [1, 1], dtypes.int32)), w.const(list(steps), dtypes.int32)),
            w.const([1, 1], dtypes.int32)))
        found.append(w.StridedSliceGrad(
            goal, joined(w, [0, [first], 0]), joined(w, [0, [last], 0]),
            joined(w, [1, *steps, 1]), part, begin_mask=0b1001, end_mask=0b1001))
    total = w.AddN(found) if len(found) > 1 else found[0]
    cut = w.Slice(total, joined(w, [0, [before], 0]), joined(w, [lead, [image], depth]))
    return w.Reshape(cut, joined(w, [*shape[:-3], [image], depth]))


@written("extract_glimpse")
def extract_glimpse(w: Any, node: Any, x: Any, offsets: Any) -> Any:
    attrs = node.attrs
    found = w.ExtractGlimpseV2(
        cast(w, x, dtypes.float32), given(w, attrs["size"]), cast(w, offsets, dtypes.float32),
        centered=bool(attrs["centered"]), normalized=bool(attrs["normalized"]),
        uniform_noise=attrs["noise"] == "uniform", noise=attrs["noise"])
    return cast(w, found, x.dtype)


@written("projective_transform")
def projective_transform(w: Any, node: Any, x: Any, transforms: Any) -> Any:
    kinds = ("bfloat16", "float16", "float32", "float64", "int32", "int64", "uint8")
    images = x if x.dtype.name in kinds else w.Cast(x, DstT=dtypes.int64)
    found = w.ImageProjectiveTransformV3(
        images, cast(w, transforms, dtypes.float32), given(w, node.attrs["size"]),
        given(w, node.attrs["fill"], dtypes.float32),
        interpolation=node.attrs["interpolation"], fill_mode=node.attrs["fill_mode"])
    return cast(w, found, x.dtype)


# -- boxes -----------------------------------------------------------------------------------------
@written("draw_bounding_boxes")
def draw_bounding_boxes(w: Any, node: Any, x: Any, boxes: Any, colors: Any) -> Any:
    images = x if x.dtype.name in ("float16", "float32") else w.Cast(x, DstT=dtypes.float32)
    return cast(w, w.DrawBoundingBoxesV2(images, cast(w, boxes, dtypes.float32),
                                         cast(w, colors, dtypes.float32)), x.dtype)


@written("non_max_suppression")
def non_max_suppression(w: Any, node: Any, boxes: Any, scores: Any) -> Any:
    kind = scores.dtype
    wide = dtypes.float16 if kind is dtypes.float16 else dtypes.float32
    numbers = [given(w, node.attrs[key], wide) for key in ("threshold", "least", "sigma")]
    chosen, kept, _ = w.NonMaxSuppressionV5(cast(w, boxes, wide), cast(w, scores, wide),
                                            given(w, node.attrs["limit"]), *numbers)
    return chosen, cast(w, kept, kind)


@written("non_max_suppression_overlaps")
def non_max_suppression_overlaps(w: Any, node: Any, overlaps: Any, scores: Any) -> Any:
    single = dtypes.float32
    return w.NonMaxSuppressionWithOverlaps(
        cast(w, overlaps, single), cast(w, scores, single), given(w, node.attrs["limit"]),
        given(w, node.attrs["threshold"], single), given(w, node.attrs["least"], single))


@written("combined_non_max_suppression")
def combined_non_max_suppression(w: Any, node: Any, boxes: Any, scores: Any) -> Any:
    attrs, single = node.attrs, dtypes.float32
    return w.CombinedNonMaxSuppression(
        cast(w, boxes, single), cast(w, scores, single), given(w, attrs["per_class"]),
        given(w, attrs["total"]), given(w, attrs["threshold"], single),
        given(w, attrs["least"], single), clip_boxes=bool(attrs["clip"]))


# -- files -----------------------------------------------------------------------------------------
@written("decode_png")
def decode_png(w: Any, node: Any, contents: Any) -> Any:
    return w.DecodePng(contents, channels=node.attrs["channels"],
                       dtype=dtypes.of(node.attrs["dtype"]))


@written("decode_jpeg")
def decode_jpeg(w: Any, node: Any, contents: Any) -> Any:
    attrs = node.attrs
    settings = {"channels": attrs["channels"], "ratio": attrs["ratio"],
                "try_recover_truncated": bool(attrs["partial"]),
                "dct_method": "" if attrs.get("fast", True) else "INTEGER_ACCURATE"}
    if attrs.get("window") is not None:
        return w.DecodeAndCropJpeg(contents, given(w, attrs["window"]), **settings)
    return w.DecodeJpeg(contents, **settings)


@written("decode_image")
def decode_image(w: Any, node: Any, contents: Any) -> Any:
    kind, channels = node.attrs["kind"], node.attrs["channels"]
    if kind == "bmp":
        return w.DecodeBmp(contents, channels=channels)
    if kind == "gif":
        return w.DecodeGif(contents)
    return w.DecodeImage(contents, channels=channels,
                         expand_animations=bool(node.attrs["animations"]))


@written("encode_png")
def encode_png(w: Any, node: Any, image: Any) -> Any:
    return w.EncodePng(image, compression=node.attrs["compression"])


@written("encode_jpeg")
def encode_jpeg(w: Any, node: Any, image: Any, quality: Any) -> Any:
    attrs = node.attrs
    if quality.const is None:
        if attrs["format"] or attrs["progressive"] or attrs["optimize"] or attrs["xmp"]:
            raise NotImplementedError("TensorFlow writes JPEG files of a quality that is a tensor "
                                      "with no other options")
        return w.EncodeJpegVariableQuality(image, cast(w, quality, dtypes.int32))
    return w.EncodeJpeg(
        image, format=attrs["format"], quality=int(quality.const),
        progressive=bool(attrs["progressive"]), optimize_size=bool(attrs["optimize"]),
        chroma_downsampling=bool(attrs["chroma"]), density_unit=attrs["unit"],
        x_density=attrs["x_density"], y_density=attrs["y_density"], xmp_metadata=attrs["xmp"])


@written("extract_jpeg_shape")
def extract_jpeg_shape(w: Any, node: Any, contents: Any) -> Any:
    return w.ExtractJpegShape(contents, output_type=dtypes.of(node.attrs["dtype"]))


@written("is_jpeg")
def is_jpeg(w: Any, node: Any, contents: Any) -> Any:
    return w.Equal(w.Substr(contents, w.const(0, dtypes.int32), w.const(3, dtypes.int32)),
                   w.const(b"\xff\xd8\xff", dtypes.string))


@written("non_max_suppression_padded")
def non_max_suppression_padded(w: Any, node: Any, boxes: Any, scores: Any) -> Any:
    if rank(boxes) != 2:
        raise NotImplementedError("TensorFlow's op takes the boxes of one image")
    return w.NonMaxSuppressionV4(
        cast(w, boxes, dtypes.float32), cast(w, scores, dtypes.float32),
        given(w, node.attrs["limit"]), given(w, node.attrs["threshold"], dtypes.float32),
        given(w, node.attrs["least"], dtypes.float32), pad_to_max_output_size=True)
