"""Images: sizes, crops, patches, blocks, boxes. An image is channels last."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import FLOAT32, INT64, GraphWriter, Term
from tapeflow.onnx.records.index_nodes import joined
from tapeflow.onnx.records.shape_nodes import counting
from tapeflow.onnx.records.window_nodes import (
    channels_first,
    channels_last,
    filters_first,
    window_attrs,
)


def _sides(x: Term) -> tuple[int | None, int | None]:
    return (None, None) if x.shape is None else tuple(x.shape[-3:-1])


def _size(node: Any) -> tuple[int, int]:
    size = node.attrs["size"]
    if isinstance(size, ir.Value):
        raise ExportError("a size of the result that is known at run time only")
    return int(size[0]), int(size[1])


@written("resample_image")
def _resample(w: GraphWriter, node: Any, x: Term) -> Term:
    """Rows, then columns, as products "MatMul" with the weights; or "Resize" of unknown sizes."""
    (height, width), size = _sides(x), _size(node)
    if height is None or width is None:
        return _resized(w, node, x, size)
    rows, columns = _weights(node, x, height, size[0]), _weights(node, x, width, size[1])
    lead = w.op("Shape", x, dtype=INT64, start=0, end=x.rank - 3)
    depth = w.size_of(x, x.rank - 1)
    sides: list[int | Term] = [lead, height, depth * width]
    wide = w.op("MatMul", rows, w.reshape(x, joined(w, sides)))
    tall: list[int | Term] = [lead, size[0], width, depth]
    return w.op("MatMul", columns, w.reshape(wide, joined(w, tall)))


def _weights(node: Any, x: Term, before: int, after: int) -> Term:
    """What each line of the result takes of each line before: the record on an identity."""
    lines = np.eye(before, dtype=np.float32).reshape(1, before, 1, before)
    matrix = node.op.kernel(lines, **{**node.attrs, "size": (after, 1)})
    return x.writer.constant(np.asarray(matrix).reshape(after, before).astype(x.dtype))


def _resized(w: GraphWriter, node: Any, x: Term, size: tuple[int, int]) -> Term:
    attrs = node.attrs
    if (attrs["method"], attrs["centres"], bool(attrs["antialias"])) != (
            "bilinear", "half", False) or x.rank != 4:
        raise ExportError("only bilinear resizing has an ONNX form for images of unknown sizes")
    first = channels_first(w, x)
    sizes = w.concat([w.op("Shape", first, dtype=INT64, start=0, end=2), w.ints(*size)])
    made = w.op("Resize", first, None, None, sizes, mode="linear",
                coordinate_transformation_mode="half_pixel")
    return channels_last(w, made, 4)


@written("resize_nearest")
def _resize_nearest(w: GraphWriter, node: Any, x: Term) -> Term:
    for axis, before, after in zip((x.rank - 3, x.rank - 2), _sides(x), _size(node)):
        if before is None:
            raise ExportError("nearest resizing of images of unknown sizes")
        lines = np.arange(before, dtype=np.float32).reshape(1, before, 1, 1)
        at = node.op.kernel(lines, **{**node.attrs, "size": (after, 1)})
        x = w.op("Gather", x, w.constant(np.asarray(at).reshape(after).astype(np.int64)),
                 axis=axis, shape=x.shape)
    return x


@written("extract_patches")
def _extract_patches(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Conv" whose filters are an identity: each takes one tap of one channel."""
    attrs, depth = node.attrs, (x.shape or (None,))[-1]
    if depth is None or x.rank != 4:
        raise ExportError("patches of images with an unknown number of channels")
    window = tuple(attrs["sizes"])
    count = window[0] * window[1] * depth
    filters = w.constant(np.eye(count).reshape(*window, depth, count).astype(x.dtype))
    more = window_attrs(_sides(x), window, attrs["strides"], attrs["rates"], attrs["padding"])
    made = w.op("Conv", channels_first(w, x), filters_first(w, filters), **more)
    return channels_last(w, made, 4)


@written("space_to_depth")
def _space_to_depth(w: GraphWriter, node: Any, x: Term) -> Term:
    block = _block(x.shape, node.outputs[0].shape)
    _, height, width, depth = x.shape or ()
    parts = w.reshape(x, (-1, height // block, block, width // block, block, depth))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)),
                     (-1, height // block, width // block, block * block * depth))


@written("depth_to_space")
def _depth_to_space(w: GraphWriter, node: Any, x: Term) -> Term:
    block = _block(node.outputs[0].shape, x.shape)
    _, height, width, depth = x.shape or ()
    small = depth // (block * block)
    parts = w.reshape(x, (-1, height, width, block, block, small))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)),
                     (-1, height * block, width * block, small))


def _block(large: tuple | None, small: tuple | None) -> int:
    """The side of a block, from the shapes of an image and of its blocks as channels."""
    if large is None or small is None or None in (*large[1:], *small[1:]):
        raise ExportError("blocks of images of unknown sizes")
    block = large[1] // small[1]
    if large[2] != small[2] * block or small[3] != large[3] * block * block:
        raise ExportError("blocks of images that are not channels last")
    return block


@written("adjust_contrast")
def _adjust_contrast(w: GraphWriter, node: Any, x: Term, factor: Term) -> Term:
    mean = w.op("ReduceMean", x, w.ints(x.rank - 3, x.rank - 2), keepdims=1)
    return (x - mean) * w.cast(factor, x.dtype) + mean


# -- boxes -----------------------------------------------------------------------------------------
@written("non_max_suppression")
def _non_max_suppression(w: GraphWriter, node: Any, boxes: Term, scores: Term) -> list[Term]:
    attrs = node.attrs
    if attrs["sigma"]:
        raise ExportError("soft suppression")
    least = attrs["least"]
    limits = [] if not np.isfinite(least) else [w.constant(np.array([least], np.float32))]
    found = w.op("NonMaxSuppression", w.unsqueeze(w.cast(boxes, FLOAT32), 0),
                 w.unsqueeze(w.cast(scores, FLOAT32), 0, 1), w.vector(attrs["limit"]),
                 w.constant(np.array([attrs["threshold"]], np.float32)), *limits, dtype=INT64)
    at = w.op("Gather", found, w.constant(np.int64(2)), axis=1)
    return [w.cast(at, node.outputs[0].dtype), w.op("Gather", scores, at, axis=0)]


@written("crop_and_resize")
def _crop_and_resize(w: GraphWriter, node: Any, image: Term, boxes: Term, at: Term) -> Term:
    """Four neighbours of each sample point by "GatherND", weighted by their distances."""
    attrs, size = node.attrs, _size(node)
    if attrs["nearest"] or attrs["slope"] or image.dtype != FLOAT32:
        raise ExportError("crops other than bilinear ones of float32")
    axes = [_samples(w, image, boxes, axis, size[axis]) for axis in (0, 1)]
    (low_y, high_y, part_y, out_y), (low_x, high_x, part_x, out_x) = axes
    batch = w.unsqueeze(w.cast(at, INT64), 1, 2)
    whole = w.concat([w.size_of(boxes, 0), w.ints(*size)])

    def pixels(y: Term, x: Term) -> Term:
        parts = [w.unsqueeze(w.op("Expand", one, whole), -1)
                 for one in (batch, w.unsqueeze(y, 2), w.unsqueeze(x, 1))]
        return w.op("GatherND", image, w.concat(parts, 3))

    across, down = w.unsqueeze(part_x, 1, 3), w.unsqueeze(part_y, 2, 3)
    top, bottom = [pixels(y, low_x) + (pixels(y, high_x) - pixels(y, low_x)) * across
                   for y in (low_y, high_y)]
    outside = w.unsqueeze(out_y, 2) | w.unsqueeze(out_x, 1)
    return w.where(w.unsqueeze(outside, -1), attrs["value"], top + (bottom - top) * down)


def _samples(w: GraphWriter, image: Term, boxes: Term, axis: int, count: int) -> tuple:
    """Along one axis: the lines before and behind each point, how far between, whether outside."""
    last = w.cast(w.squeeze(w.size_of(image, axis + 1), 0), FLOAT32) - 1.0
    begin, end = [w.slice(boxes, [i], [i + 1], [1]) * last for i in (axis, axis + 2)]
    if count > 1:
        steps = w.cast(counting(w, w.scalar(count, INT64)), FLOAT32)
        points = begin + w.unsqueeze(steps, 0) * ((end - begin) / float(count - 1))
    else:
        points = (begin + end) * 0.5
    zero = w.scalar(0, FLOAT32)
    low = w.op("Floor", w.op("Min", w.op("Max", points, zero), last))
    high = w.op("Min", w.op("Ceil", w.op("Max", points, zero)), last)
    return (w.cast(low, INT64), w.cast(high, INT64), points - low,
            (points < 0.0) | (points > last))
