"""Non-maximum suppression: of boxes that overlap, the one with the highest score stays.

Overlaps are computed for blocks of boxes at once. May be imported by the modules of `ops.image`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, brackets, int_scalar, wrong_kind

_I32 = np.dtype("int32")
BOX_BLOCK = 64  # boxes that are compared with each other at a time
_NO_GRADIENT = NONDIFF("a choice among boxes has no gradient")


# -- overlaps --------------------------------------------------------------------------------------
class _Boxes:
    """Boxes given by any two opposite corners; compares some of them with others."""

    def __init__(self, boxes: np.ndarray):
        low = np.minimum(boxes[:, :2], boxes[:, 2:])
        high = np.maximum(boxes[:, :2], boxes[:, 2:])
        # Each coordinate by itself: NumPy is quickest on arrays without gaps.
        self.sides = [(low[:, k].copy(), high[:, k].copy()) for k in (0, 1)]
        (top, bottom), (left, right) = self.sides
        self.area = (bottom - top) * (right - left)
        self.some_empty = bool((self.area <= 0).any())

    def ordered(self, order: np.ndarray) -> _Boxes:
        other = object.__new__(_Boxes)
        other.sides = [(low[order], high[order]) for low, high in self.sides]
        other.area, other.some_empty = self.area[order], self.some_empty
        return other

    def __call__(self, some: Any, others: Any) -> np.ndarray:
        """Intersection over union: a matrix. Nothing overlaps an empty box."""
        shared: Any = None
        for low, high in self.sides:
            inner = np.minimum(high[some, None], high[others])
            inner -= np.maximum(low[some, None], low[others])
            np.maximum(inner, 0, out=inner)
            shared = inner if shared is None else np.multiply(shared, inner, out=shared)
        whole = self.area[some, None] + self.area[others]
        whole -= shared
        if self.some_empty:
            empty = (self.area[some] <= 0)[:, None] | (self.area[others] <= 0)
            np.copyto(whole, np.float32(1), where=empty)
            np.copyto(shared, np.float32(0), where=empty)
        return np.divide(shared, whole, out=shared)


class _Matrix:
    """Overlaps that are given."""

    def __init__(self, overlaps: np.ndarray):
        self.overlaps = overlaps

    def ordered(self, order: np.ndarray) -> _Matrix:
        return _Matrix(self.overlaps[np.ix_(order, order)])

    def __call__(self, some: Any, others: Any) -> np.ndarray:
        return self.overlaps[some][:, others]


def _hard(scores: np.ndarray, similarity: Any, limit: int, threshold: float,
          least: float) -> np.ndarray:
    """Indices of the boxes that stay, by falling scores.

    Boxes come in blocks: first against all that stay so far, then against each other, as bits.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > least]
    similarity = similarity.ordered(order)
    chosen: list[int] = []
    for start in range(0, len(order), BOX_BLOCK):
        if len(chosen) >= limit:
            break
        block: Any = slice(start, min(start + BOX_BLOCK, len(order)))
        boxes = list(range(block.start, block.stop))
        if chosen:
            free = ~(similarity(block, np.array(chosen)) > threshold).any(1)
            block = np.flatnonzero(free) + start
            boxes = block.tolist()
        if not boxes:
            continue
        # Column k: which boxes box k drives out. A given matrix need not be symmetric.
        packed = np.packbits(similarity(block, block) > threshold, 0, "little").T
        width, flat = packed.shape[1], packed.tobytes()
        out = 0
        for k, box in enumerate(boxes):
            if not out >> k & 1:
                chosen.append(box)
                if len(chosen) >= limit:
                    break
                out |= int.from_bytes(flat[k * width:(k + 1) * width], "little")
    return order[chosen[:limit]].astype(_I32)


def _soft(scores: np.ndarray, similarity: Any, limit: int, least: float,
          sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """As `_hard`, but overlaps lower scores by exp(-overlap² / 2 sigma)."""
    now = np.where(scores > least, scores, -np.inf).astype(np.float32)
    scale = np.float32(-0.5 / sigma)
    everyone = slice(None)
    chosen: list[int] = []
    kept: list[Any] = []
    while len(now) and len(chosen) < limit:
        best = int(np.argmax(now))
        if now[best] == -np.inf:
            break
        chosen.append(best)
        kept.append(now[best])
        over = similarity(np.array([best]), everyone)[0]
        gone = now == -np.inf
        now *= np.exp(scale * over * over)
        now[gone | (now <= least)] = -np.inf
        now[best] = -np.inf
    return np.array(chosen, _I32), np.array(kept, scores.dtype)


# -- records ---------------------------------------------------------------------------------------
def _check(boxes: np.ndarray, scores: np.ndarray, op: str, threshold: float) -> None:
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise errors.invalid(op, f"boxes must be 2-D with 4 columns, got {brackets(boxes.shape)}")
    if scores.ndim != 1 or len(scores) != len(boxes):
        raise errors.invalid(op, f"scores has incompatible shape {brackets(scores.shape)} for boxes"
                                 f" of {brackets(boxes.shape)}")
    if not 0 <= threshold <= 1:
        raise errors.invalid(op, f"iou_threshold must be in [0, 1], got {threshold}")


def _suppress_kernel(boxes, scores, limit, threshold, least, sigma):
    _check(boxes, scores, "NonMaxSuppressionV3", threshold)
    similarity = _Boxes(boxes.astype(np.float32))
    if sigma:
        return _soft(scores, similarity, limit, least, sigma)
    chosen = _hard(scores, similarity, limit, threshold, least)
    return chosen, scores[chosen]


def _by_overlaps_kernel(overlaps, scores, limit, threshold, least):
    if overlaps.ndim != 2 or overlaps.shape[0] != overlaps.shape[1]:
        raise errors.invalid("NonMaxSuppressionWithOverlaps", "overlaps must be square, got "
                                                              f"{brackets(overlaps.shape)}")
    return _hard(scores, _Matrix(overlaps), limit, threshold, least)


_BOXES = uniform(0.0, 1.0, (6, 4))
_SCORES = uniform(0.1, 0.9, (6,))
suppress = define(
    "non_max_suppression", kernel=_suppress_kernel, args=("boxes", "scores"), multi=True,
    shape=lambda boxes, scores, **attrs: (Spec((None,), _I32), Spec((None,), scores.dtype)),
    vjp=_NO_GRADIENT, batch=loop, dtypes="f", tf_name="NonMaxSuppressionV5",
    check=[Case(_BOXES, _SCORES, limit=4, threshold=0.2, least=0.0, sigma=0.0),
           Case(_BOXES, _SCORES, limit=4, threshold=0.9, least=0.0, sigma=0.5)])
suppress_overlaps = define(
    "non_max_suppression_overlaps", kernel=_by_overlaps_kernel, args=("overlaps", "scores"),
    shape=lambda overlaps, scores, **attrs: Spec((None,), _I32), vjp=_NO_GRADIENT, batch=loop,
    dtypes="f", tf_name="NonMaxSuppressionWithOverlaps",
    check=[Case(uniform(0, 1, (4, 4)), uniform(0.1, 0.9, (4,)), limit=3, threshold=0.5, least=0.0)])


# -- public ----------------------------------------------------------------------------------------
def _float_scalar(value: Any, name: str) -> float:
    tensor = operand(value)
    if tensor.dtype.kind not in "fV":
        raise wrong_kind("NonMaxSuppressionV3", "T_threshold", tensor.dtype, "float16, float32")
    if shape_of(tensor):
        raise errors.invalid("NonMaxSuppressionV3", f"{name} must be 0-D, got shape "
                                                    f"{brackets(shape_of(tensor))}")
    return float(tensor)


def _limit(value: Any) -> int:
    if not isinstance(value, int) and shape_of(operand(value)):
        raise errors.invalid("NonMaxSuppressionV3", "max_output_size must be 0-D")
    if isinstance(value, Tensor) and value.dtype is not dtypes.int32:
        raise wrong_kind("NonMaxSuppressionV3", "max_output_size", value.dtype, "int32")
    limit = int(int_scalar(value, "NonMaxSuppressionV3", "max_output_size"))
    if not 0 <= limit < 1 << 31:
        raise errors.invalid("NonMaxSuppressionV3", "output size must be non-negative")
    return limit


@export("image.non_max_suppression")
def non_max_suppression(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5,
                        score_threshold: Any = float("-inf"), name: str | None = None) -> Tensor:
    """Indices of boxes by falling scores, without those that overlap a better one too much."""
    chosen, _ = suppress(
        operand(boxes, hint=dtypes.float32), operand(scores, hint=dtypes.float32),
        limit=_limit(max_output_size), threshold=_float_scalar(iou_threshold, "iou_threshold"),
        least=_float_scalar(score_threshold, "score_threshold"), sigma=0.0)
    return chosen


@export("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(boxes: Any, scores: Any, max_output_size: Any,
                                    iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
                                    soft_nms_sigma: Any = 0.0, name: str | None = None) -> tuple:
    """Indices and scores; with `soft_nms_sigma` overlaps lower scores instead of removing boxes."""
    return suppress(
        operand(boxes, hint=dtypes.float32), operand(scores, hint=dtypes.float32),
        limit=_limit(max_output_size), threshold=_float_scalar(iou_threshold, "iou_threshold"),
        least=_float_scalar(score_threshold, "score_threshold"),
        sigma=_float_scalar(soft_nms_sigma, "soft_nms_sigma"))


@export("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(overlaps: Any, scores: Any, max_output_size: Any,
                                 overlap_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
                                 name: str | None = None) -> Tensor:
    """As `non_max_suppression`, with a matrix of overlaps instead of boxes."""
    matrix, values = operand(overlaps, dtypes.float32), operand(scores, dtypes.float32)
    if not agree(shape_of(values), shape_of(matrix)[:1]):
        raise errors.invalid("NonMaxSuppressionWithOverlaps", "scores has incompatible shape "
                             f"{brackets(shape_of(values))}")
    return suppress_overlaps(
        matrix, values,
        limit=_limit(max_output_size),
        threshold=_float_scalar(operand(overlap_threshold, dtypes.float32), "overlap_threshold"),
        least=_float_scalar(operand(score_threshold, dtypes.float32), "score_threshold"))


# -- batches of boxes, padded ----------------------------------------------------------------------
_EPSILON = np.float32(1e-8)


def _canonical(boxes: np.ndarray) -> np.ndarray:
    """Corners in order; the first box of the first batch tells whether they must be exchanged."""
    y1, x1, y2, x2 = np.moveaxis(boxes, 2, 0)
    if boxes.size and not y1[0, 0] <= y2[0, 0]:
        y1, y2 = y2, y1
    if boxes.size and not x1[0, 0] <= x2[0, 0]:
        x1, x2 = x2, x1
    return np.stack([y1, x1, y2, x2], 2)


class _Ordered(_Boxes):
    """Boxes whose first corner is the lower one; a little is added to every union."""

    def __init__(self, boxes: np.ndarray):
        self.sides = [(boxes[:, k].copy(), boxes[:, k + 2].copy()) for k in (0, 1)]
        (top, bottom), (left, right) = self.sides
        self.area = (bottom - top) * (right - left)
        self.some_empty = False

    def ordered(self, order: np.ndarray) -> _Ordered:
        other = object.__new__(_Ordered)
        other.sides = [(low[order], high[order]) for low, high in self.sides]
        other.area, other.some_empty = self.area[order] + _EPSILON / 2, False
        return other


def _keep_in_order(boxes: np.ndarray, limit: int, threshold: float) -> np.ndarray:
    """Positions of the boxes that stay, given by falling scores; boxes of zeros never count."""
    ranks = -np.arange(len(boxes), dtype=np.float32)
    ranks[~(boxes > 0).any(1)] = -np.inf
    # An overlap that is equal to the threshold is too large here.
    return _hard(ranks, _Ordered(boxes), limit,
                 np.nextafter(np.float32(threshold), np.float32(-1)), -np.inf)


def _padded_kernel(boxes, scores, limit, threshold, least, in_order, canonical):
    lead = boxes.shape[:-2]
    flat = boxes.reshape(-1, *boxes.shape[-2:])
    marks = scores.reshape(len(flat), boxes.shape[-2])
    if least != float("-inf"):
        mask = (marks > least).astype(marks.dtype)
        marks, flat = marks * mask, flat * mask[..., None].astype(flat.dtype)
    flat = (flat if canonical else _canonical(flat)).astype(np.float32)
    out, counts = np.zeros((len(flat), limit), _I32), np.zeros(len(flat), _I32)
    for i, (some, score) in enumerate(zip(flat, marks, strict=True)):
        order = None if in_order else np.argsort(-score, kind="stable")
        chosen = _keep_in_order(some if order is None else some[order], limit, threshold)
        out[i, :len(chosen)] = chosen if order is None else order[chosen]
        counts[i] = len(chosen)
    return out.reshape(*lead, limit), counts.reshape(lead)


def _padded_shape(boxes: Spec, scores: Spec, limit: int, **attrs: Any) -> tuple:
    lead = None if boxes.shape is None else boxes.shape[:-2]
    return (Spec(None if lead is None else (*lead, limit), _I32), Spec(lead, _I32))


suppress_padded = define(
    "non_max_suppression_padded", kernel=_padded_kernel, args=("boxes", "scores"), multi=True,
    shape=_padded_shape, vjp=_NO_GRADIENT, batch=loop, dtypes="f",
    check=[Case(uniform(0, 1, (2, 5, 4)), uniform(0.1, 0.9, (2, 5)), limit=3, threshold=0.3,
                least=0.2, in_order=False, canonical=False)])


@export("image.non_max_suppression_padded")
def non_max_suppression_padded(boxes: Any, scores: Any, max_output_size: Any,
                               iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
                               pad_to_max_output_size: bool = False, name: str | None = None,
                               sorted_input: bool = False, canonicalized_coordinates: bool = False,
                               tile_size: int = 512) -> tuple:
    """Indices, padded with zeros to `max_output_size` if asked, and how many count."""
    if not operand(scores).dtype.is_floating:
        raise TypeError(f"tf.image.non_max_suppression_padded: scores must be floats: {scores!r}")
    boxes, scores = operand(boxes, hint=dtypes.float32), operand(scores, hint=dtypes.float32)
    if not pad_to_max_output_size and boxes.ndim is not None and boxes.ndim > 2:
        raise ValueError(f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True "
                         "for batched input")
    chosen, count = suppress_padded(
        boxes, scores, limit=_limit(max_output_size),
        threshold=_float_scalar(iou_threshold, "iou_threshold"),
        least=_float_scalar(score_threshold, "score_threshold"), in_order=bool(sorted_input),
        canonical=bool(canonicalized_coordinates))
    return (chosen if pad_to_max_output_size else chosen[:count]), count


# -- many classes ----------------------------------------------------------------------------------
class CombinedNonMaxSuppression(NamedTuple):
    """What stays of each image's boxes, by falling scores."""

    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any


def _one_image(boxes: np.ndarray, scores: np.ndarray, per_class: int, threshold: float,
               least: float) -> tuple:
    """Candidates of all classes of one image: (scores, boxes, classes), class by class."""
    found: list = [[], [], []]
    for k in range(scores.shape[1]):
        some = boxes[:, 0 if boxes.shape[1] == 1 else k]
        if k == 0 or boxes.shape[1] > 1:
            similarity = _Boxes(some)
        chosen = _hard(scores[:, k], similarity, per_class, threshold, least)
        found[0].append(scores[chosen, k])
        found[1].append(some[chosen])
        found[2].append(np.full(len(chosen), k, np.float32))
    return tuple([np.concatenate(part) for part in found])


def _combined_kernel(boxes, scores, per_class, total, threshold, least, clip):
    count = len(boxes)
    out = [np.zeros((count, total, 4), np.float32), np.zeros((count, total), np.float32),
           np.zeros((count, total), np.float32), np.zeros(count, _I32)]
    for i in range(count):
        marks, found, classes = _one_image(boxes[i], scores[i], per_class, threshold, least)
        order = np.argsort(-marks, kind="stable")[:total]
        n = len(order)
        out[0][i, :n] = np.clip(found[order], 0, 1) if clip else found[order]
        out[1][i, :n], out[2][i, :n], out[3][i] = marks[order], classes[order], n
    return tuple(out)


def _combined_shape(boxes: Spec, scores: Spec, total: int, **attrs: Any) -> tuple:
    n = None if boxes.shape is None else boxes.shape[0]
    f32 = np.dtype("float32")
    return (Spec((n, total, 4), f32), Spec((n, total), f32), Spec((n, total), f32),
            Spec((n,), _I32))


combine = define(
    "combined_non_max_suppression", kernel=_combined_kernel, args=("boxes", "scores"), multi=True,
    shape=_combined_shape, vjp=_NO_GRADIENT, batch=loop, dtypes="f",
    check=[Case(uniform(0, 1, (2, 5, 1, 4)), uniform(0.1, 0.9, (2, 5, 2)), per_class=2, total=3,
                threshold=0.4, least=0.2, clip=True)])


def _int32(value: Any, op: str, attr: str) -> int:
    if isinstance(value, Tensor) and value.dtype is not dtypes.int32:
        raise wrong_kind(op, attr, value.dtype, "int32")
    size = int(int_scalar(value, op, attr, True))
    if size >= 1 << 31:
        raise wrong_kind(op, attr, np.dtype("int64"), "int32")
    return size


@export("image.combined_non_max_suppression")
@attributes(pad_per_class=flag, clip_boxes=flag)
def combined_non_max_suppression(boxes: Any, scores: Any, max_output_size_per_class: Any,
                                 max_total_size: Any, iou_threshold: Any = 0.5,
                                 score_threshold: Any = float("-inf"), pad_per_class: bool = False,
                                 clip_boxes: bool = True,
                                 name: str | None = None) -> CombinedNonMaxSuppression:
    """Suppression for each class by itself, then the best of all classes, for each image."""
    boxes, scores = operand(boxes, dtypes.float32), operand(scores, dtypes.float32)
    op = "CombinedNonMaxSuppression"
    if boxes.ndim != 4 or scores.ndim != 3:
        raise errors.invalid(op, "boxes must be 4-D and scores 3-D, got "
                                 f"{brackets(shape_of(boxes))} and {brackets(shape_of(scores))}")
    classes = shape_of(scores)[2]
    if shape_of(boxes)[2] not in (1, classes, None):
        raise errors.invalid(op, "third dimension of boxes must be either 1 or equal to the third "
                                 "dimension of scores")
    per_class = int(_int32(max_output_size_per_class, op, "max_output_size_per_class"))
    if isinstance(max_total_size, (bool, np.generic, np.ndarray)):
        max_total_size = operand(max_total_size)
    total = int(_int32(max_total_size, op, "max_total_size"))
    if total <= 0:
        raise errors.invalid(op, f"max_total_size must be > 0, received {total}")
    if per_class <= 0:
        raise errors.invalid(op, f"max_output_size_per_class must be > 0, received {per_class}")
    if not 0 <= _float_scalar(iou_threshold, "iou_threshold") <= 1:
        raise errors.invalid(op, "iou_threshold must be in [0, 1]")
    if pad_per_class:
        total = min(total, per_class * classes)
    return CombinedNonMaxSuppression(*combine(
        boxes, scores, per_class=per_class, total=total,
        threshold=_float_scalar(iou_threshold, "iou_threshold"),
        least=_float_scalar(score_threshold, "score_threshold"), clip=bool(clip_boxes)))
