"""Boxes in images: which of them stay, crops, and images seen through a transformation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import FLOAT32, INT64, GraphWriter, Term
from tapeflow.onnx.records.images.image_nodes import result_size
from tapeflow.onnx.records.index_nodes import zeros
from tapeflow.onnx.records.shape_nodes import counting


# -- suppression -----------------------------------------------------------------------------------
def _kept(w: GraphWriter, boxes: Term, scores: Term, limit: Any, threshold: float,
          least: float) -> Term:
    """(batch, class, box) of what stays; boxes (batch, n, 4), scores (batch, classes, n)."""
    limits = [] if not np.isfinite(least) else [w.constant(np.array([least], np.float32))]
    return w.op("NonMaxSuppression", w.cast(boxes, FLOAT32), w.cast(scores, FLOAT32),
                w.vector(limit), w.constant(np.array([threshold], np.float32)), *limits,
                dtype=INT64)


def _part(w: GraphWriter, found: Term, which: int) -> Term:
    return w.op("Gather", found, w.constant(np.int64(which)), axis=1)


@written("non_max_suppression")
def _non_max_suppression(w: GraphWriter, node: Any, boxes: Term, scores: Term) -> list[Term]:
    """By "NonMaxSuppression" """
    attrs = node.attrs
    if attrs["sigma"]:
        raise ExportError("soft suppression")
    at = _part(w, _kept(w, w.unsqueeze(boxes, 0), w.unsqueeze(scores, 0, 1), attrs["limit"],
                        attrs["threshold"], attrs["least"]), 2)
    return [w.cast(at, node.outputs[0].dtype), w.op("Gather", scores, at, axis=0)]


def _ranks(w: GraphWriter, group: Term, groups: Term) -> tuple[Term, Term]:
    """Of each element how many of its group stand before it; and how many each group has."""
    own = w.cast(w.unsqueeze(group, 1).equals(w.unsqueeze(counting(w, groups), 0)), INT64)
    before = w.op("CumSum", own, w.constant(np.int64(0)), exclusive=1)
    padded = w.op("Pad", own, w.ints(0, 0, 1, 0))  # a sum over nothing would be an error
    return (w.op("ReduceSum", before * own, w.ints(1), keepdims=0),
            w.op("ReduceSum", padded, w.ints(0), keepdims=0))


@written("non_max_suppression_padded")
def _padded(w: GraphWriter, node: Any, boxes: Term, scores: Term) -> list[Term]:
    """By "NonMaxSuppression"; "ScatterND" puts what stays to the front of each row"""
    attrs, single = node.attrs, boxes.rank == 2
    if boxes.rank > 3:
        raise ExportError("boxes in batches of batches")
    if single:
        boxes, scores = w.unsqueeze(boxes, 0), w.unsqueeze(scores, 0)
    found = _kept(w, boxes, w.unsqueeze(scores, 1), attrs["limit"], attrs["threshold"],
                  attrs["least"])
    batch = w.op("Shape", boxes, dtype=INT64, shape=(1,), start=0, end=1)
    rank, counts = _ranks(w, _part(w, found, 0), w.squeeze(batch, 0))
    places = w.concat([w.unsqueeze(one, 1) for one in (_part(w, found, 0), rank)], 1)
    made = w.op("ScatterND", zeros(w, w.concat([batch, w.vector(attrs["limit"])]), INT64), places,
                _part(w, found, 2))
    results = [w.cast(one, value.dtype) for one, value in zip((made, counts), node.outputs)]
    return [w.squeeze(one, 0) for one in results] if single else results


@written("combined_non_max_suppression")
def _combined(w: GraphWriter, node: Any, boxes: Term, scores: Term) -> list[Term]:
    """By "NonMaxSuppression" of each class, then "TopK" of all"""
    attrs, total = node.attrs, int(node.attrs["total"])
    if (boxes.shape or (None,) * 4)[2] != 1:
        raise ExportError("boxes of their own for each class")
    plain = w.squeeze(boxes, 2)
    found = _kept(w, plain, w.transpose(scores, (0, 2, 1)), int(attrs["per_class"]),
                  attrs["threshold"], attrs["least"])
    marks = w.op("GatherND", scores, w.op("Gather", found, w.ints(0, 2, 1), axis=1))
    size = w.op("Shape", marks, dtype=INT64, shape=(1,))
    marks, order = w.ops("TopK", 2, marks, size, dtypes=[FLOAT32, INT64], axis=0, largest=1,
                         sorted=1)
    found = w.op("Gather", found, order, axis=0)
    batch = w.op("Shape", boxes, dtype=INT64, shape=(1,), start=0, end=1)
    image, kind = _part(w, found, 0), _part(w, found, 1)
    rank, counts = _ranks(w, image, w.squeeze(batch, 0))
    stays = rank < total
    places = w.op("Compress", w.concat([w.unsqueeze(one, 1) for one in (image, rank)], 1), stays,
                  axis=0)
    corners = w.op("GatherND", plain, w.op("Gather", found, w.ints(0, 2), axis=1))
    if attrs["clip"]:
        corners = w.op("Clip", corners, w.scalar(0, FLOAT32), w.scalar(1, FLOAT32))
    results = []
    for values, rest in ((corners, (4,)), (marks, ()), (w.cast(kind, FLOAT32), ())):
        start = zeros(w, w.concat([batch, w.ints(total, *rest)]), FLOAT32)
        results.append(w.op("ScatterND", start, places, w.op("Compress", values, stays, axis=0)))
    few = w.op("Min", counts, w.scalar(total, INT64))
    return [*results, w.cast(few, node.outputs[3].dtype)]


# -- crops -----------------------------------------------------------------------------------------
@written("crop_and_resize")
def _crop_and_resize(w: GraphWriter, node: Any, image: Term, boxes: Term, at: Term) -> Term:
    """Four neighbours of each sample point (or one) by "GatherND", weighted by their distances."""
    attrs, size = node.attrs, result_size(node)
    if attrs["slope"] or image.dtype != FLOAT32:
        raise ExportError("slopes of crops, or crops of other dtypes than float32")
    points = [_samples(w, image, boxes, axis, size[axis]) for axis in (0, 1)]
    (y, last_y), (x, last_x) = points
    batch = w.unsqueeze(w.cast(at, INT64), 1, 2)
    whole = w.concat([w.size_of(boxes, 0), w.ints(*size)])

    def pixels(row: Term, column: Term) -> Term:
        parts = [w.unsqueeze(w.op("Expand", one, whole), -1)
                 for one in (batch, w.unsqueeze(row, 2), w.unsqueeze(column, 1))]
        return w.op("GatherND", image, w.concat(parts, 3))

    if attrs["nearest"]:
        made = pixels(*[_within(w, w.op("Floor", one + 0.5), last) for one, last in points])
    else:
        (top, bottom, down), (left, right, across) = [
            (_within(w, low := w.op("Floor", one), last), _within(w, w.op("Ceil", one), last),
             one - low) for one, last in points]
        across, down = w.unsqueeze(across, 1, 3), w.unsqueeze(down, 2, 3)
        upper, lower = [pixels(row, left) + (pixels(row, right) - pixels(row, left)) * across
                        for row in (top, bottom)]
        made = upper + (lower - upper) * down
    outside = w.unsqueeze((y < 0.0) | (y > last_y), 2) | w.unsqueeze((x < 0.0) | (x > last_x), 1)
    return w.where(w.unsqueeze(outside, -1), attrs["value"], made)


def _within(w: GraphWriter, at: Term, last: Term) -> Term:
    """Lines by their numbers, those outside moved to the edge."""
    return w.cast(w.op("Min", w.op("Max", at, w.scalar(0, FLOAT32)), last), INT64)


def _samples(w: GraphWriter, image: Term, boxes: Term, axis: int, count: int) -> tuple[Term, Term]:
    """Along one axis: where the points lie, and the last line."""
    last = w.cast(w.squeeze(w.size_of(image, axis + 1), 0), FLOAT32) - 1.0
    begin, end = [w.slice(boxes, [i], [i + 1], [1]) * last for i in (axis, axis + 2)]
    if count == 1:
        return (begin + end) * 0.5, last
    steps = w.cast(counting(w, w.scalar(count, INT64)), FLOAT32)
    return begin + w.unsqueeze(steps, 0) * ((end - begin) / float(count - 1)), last


# -- projective transformations --------------------------------------------------------------------
def _inside(w: GraphWriter, at: Term, size: Term, mode: str) -> Term:
    """Coordinates brought into the image in the way of a fill mode; `size` is a scalar."""
    if mode == "CONSTANT":
        return at
    zero, last = w.scalar(0, FLOAT32), size - 1.0

    def whole(x: Term) -> Term:  # towards zero
        return w.where(x < 0.0, w.op("Ceil", x), w.op("Floor", x))

    if mode == "REFLECT":
        period = size * 2.0
        low = at + period * whole(-at / period)
        low = w.where(low < -size, low + period, -low - 1.0)
        high = at - period * whole(at / period)
        high = w.where(high >= size, period - high - 1.0, high)
        at = w.where(at < 0.0, low, w.where(at > last, high, at))
    elif mode == "WRAP":
        low = at + size * (whole(-at / last) + 1.0)
        high = at - size * whole(at / last)
        at = w.where(at < 0.0, low, w.where(at > last, high, at))
    return w.op("Min", w.op("Max", at, zero), last)


@written("projective_transform")
def _projective(w: GraphWriter, node: Any, image: Term, transforms: Term) -> Term:
    """Neighbours of each point that is read, by "GatherND", weighted by their distances"""
    attrs = node.attrs
    height, width = [w.cast(w.squeeze(w.size_of(image, i), 0), FLOAT32) for i in (1, 2)]
    sizes = w.vector(attrs["size"])
    rows, columns = [w.cast(counting(w, w.squeeze(w.slice(sizes, [i], [i + 1], [0]), 0)), FLOAT32)
                     for i in (0, 1)]
    y, x = w.unsqueeze(rows, 1), w.unsqueeze(columns, 0)
    t = [w.unsqueeze(w.op("Gather", w.cast(transforms, FLOAT32), w.constant(np.int64(i)), axis=1),
                     1, 2) for i in range(8)]
    k = t[6] * x + t[7] * y + 1.0
    at_y = _inside(w, (t[3] * x + t[4] * y + t[5]) / k, height, attrs["fill_mode"])
    at_x = _inside(w, (t[0] * x + t[1] * y + t[2]) / k, width, attrs["fill_mode"])
    batch = w.size_of(image, 0)
    whole = w.concat([batch, sizes])
    number = w.op("Expand", w.unsqueeze(counting(w, w.squeeze(batch, 0)), 1, 2), whole)
    source = w.cast(image, FLOAT32)

    def read(row: Term, column: Term) -> Term:
        good = (row >= 0.0) & (row < height) & (column >= 0.0) & (column < width)
        places = [number, *[w.op("Expand", _within(w, one, last), whole) for one, last in (
            (row, height - 1.0), (column, width - 1.0))]]
        found = w.op("GatherND", source, w.concat([w.unsqueeze(one, 3) for one in places], 3))
        return w.where(w.unsqueeze(good, 3), found, float(attrs["fill"]))

    if attrs["interpolation"] == "NEAREST":
        total = read(*[w.where(one < 0.0, w.op("Ceil", one - 0.5), w.op("Floor", one + 0.5))
                       for one in (at_y, at_x)])
    else:
        y0, x0 = w.op("Floor", at_y), w.op("Floor", at_x)
        down, across = at_y - y0, at_x - x0
        total = None
        for row, column, weight in ((y0, x0, (1.0 - down) * (1.0 - across)),
                                    (y0, x0 + 1.0, (1.0 - down) * across),
                                    (y0 + 1.0, x0, down * (1.0 - across)),
                                    (y0 + 1.0, x0 + 1.0, down * across)):
            one = read(row, column) * w.unsqueeze(weight, 3)
            total = one if total is None else total + one
    assert total is not None
    return w.cast(total, image.dtype)
