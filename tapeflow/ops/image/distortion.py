"""tf.image.sample_distorted_bounding_box: a random part of an image that shows enough of an object.

The numbers are TensorFlow's for the same seeds. May be imported by `ops.image`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, small
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case, uniform
from tapeflow.core.values.convert import convert
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.random import random_ops
from tapeflow.ops.random.stateful import _stream
from tapeflow.ops.random.streams import philox

_OP = "SampleDistortedBoundingBoxV2"
_f = np.float32


class SampleDistortedBoundingBoxV2(NamedTuple):
    """Where the part begins, how large it is, and its box in units of the image."""

    begin: Any
    size: Any
    bboxes: Any


class StatelessSampleDistortedBoundingBox(NamedTuple):
    """The same, by a seed."""

    begin: Any
    size: Any
    bboxes: Any


class _Words:
    """The 32-bit words of a stream one after the other."""

    def __init__(self, key: int, counter: int):
        self.key, self.counter, self.left = key, counter, []  # type: tuple[int, int, list]

    def word(self) -> int:
        if not self.left:
            self.left = list(philox.block(self.key, self.counter))[::-1]
            self.counter += 1
        return self.left.pop()

    def fraction(self) -> Any:
        """A float32 in [0, 1), from 23 bits."""
        return _f(self.word() & 0x7FFFFF) / _f(1 << 23)

    def below(self, n: int) -> int:
        """An integer in [0, n), all equally likely."""
        if not n & (n - 1):
            return self.word() & (n - 1) if n else self.word() * 0
        uneven = 0xFFFFFFFF % n + 1
        while True:
            word = self.word()
            if word >= uneven:
                return word % n


def _round(x: Any) -> int:
    """The nearest integer, halves to even, of a float32."""
    return int(np.rint(_f(x)))


def _crop(width: int, height: int, least: Any, most: Any, ratio: Any,
          words: _Words) -> tuple[int, int, int, int] | None:
    """A random part (x1, y1, x2, y2) of an area and a ratio of its sides; None if there is none."""
    if most <= 0 or ratio <= 0 or width <= 0 or height <= 0 or least > most:
        return None
    small, large = least * _f(width) * _f(height), most * _f(width) * _f(height)
    high = _round(np.sqrt(small / ratio))
    limit = _round(np.sqrt(large / ratio))
    if _round(_f(limit) * ratio) > width:
        limit = int((width + 0.5 - float(_f(1e-7))) / float(ratio))
        if _round(_f(limit) * ratio) > width:
            limit -= 1
    limit = min(limit, height)
    high = min(high, limit)
    if high < limit:
        high += words.below(limit - high + 1)
    wide = _round(_f(high) * ratio)
    if wide * high < small:  # rounding may have gone the wrong way
        high += 1
        wide = _round(_f(high) * ratio)
    if wide * high > large:
        high -= 1
        wide = _round(_f(high) * ratio)
    if not small <= wide * high <= large or not 0 < wide <= width or not 0 < high <= height:
        return None
    y = words.below(height - high) if high < height else 0
    x = words.below(width - wide) if wide < width else 0
    return x, y, x + wide, y + high


def _area(box: tuple) -> float:
    return float(max(0, box[2] - box[0]) * max(0, box[3] - box[1]))


def _covers(crop: tuple, boxes: list[tuple], share: float) -> bool:
    """Whether enough of some box lies in the part."""
    for box in boxes:
        whole = _area(box)
        common = (max(crop[0], box[0]), max(crop[1], box[1]), min(crop[2], box[2]),
                  min(crop[3], box[3]))
        if whole >= 1 and _f(_area(common)) / _f(whole) >= _f(share):
            return True
    return False


def _whole_boxes(boxes: np.ndarray, width: int, height: int, use_image: bool) -> list[tuple]:
    found = []
    for y1, x1, y2, x2 in boxes.reshape(-1, 4):
        if not (0 <= y1 <= 1 and 0 <= x1 <= 1 and 0 <= y2 <= 1 and 0 <= x2 <= 1):
            raise errors.invalid(_OP, "All bounding box coordinates must be in [0.0, 1.0]: "
                                      f"{[float(v) for v in (y1, x1, y2, x2)]}")
        found.append(tuple([int(_f(v) * _f(n)) for v, n in (
            (x1, width), (y1, height), (x2, width), (y2, height))]))
    if not found:
        if not use_image:
            raise errors.invalid(_OP, "No bounding boxes provided as input. One must enable "
                                      "use_image_if_no_bounding_boxes if you wish to not provide "
                                      "any bounding boxes.")
        found.append((0, 0, width, height))
    return found


def _kernel(source, size, boxes, covered, ratios, areas, attempts, use_image):
    height, width = int(size[0]), int(size[1])
    if height <= 0 or width <= 0:
        raise errors.invalid(_OP, f"image height and width must be positive, got {height}, {width}")
    objects = _whole_boxes(boxes, width, height, use_image)
    words = _Words(*random_ops.stream_of(source, _OP))
    low, high = _f(ratios[0]), _f(ratios[1])
    part = (0, 0, width, height)
    for _ in range(attempts):
        ratio = words.fraction() * (high - low) + low
        crop = _crop(width, height, _f(areas[0]), _f(areas[1]), ratio, words)
        if crop is not None and _covers(crop, objects, covered):
            part = crop
            break
    x1, y1, x2, y2 = part
    begin, extent = np.array([y1, x1, 0], size.dtype), np.array([y2 - y1, x2 - x1, -1], size.dtype)
    box = np.array([_f(y1) / _f(height), _f(x1) / _f(width), _f(y2) / _f(height),
                    _f(x2) / _f(width)], np.float32)
    return begin, extent, box.reshape(1, 1, 4)


def _shape(source: Spec, size: Spec, boxes: Spec, **attrs: Any) -> tuple:
    return Spec((3,), size.dtype), Spec((3,), size.dtype), Spec((1, 1, 4), np.dtype("float32"))


_SIZE = np.array([20, 30, 3], np.int32)
sample = define(
    "sample_distorted_box", kernel=_kernel, args=("source", "image_size", "bounding_boxes"),
    shape=_shape, multi=True, batch=loop, kind="random", dtypes="iuf", tf_name=_OP,
    vjp=NONDIFF("a random choice has no gradient"),
    check=[Case(np.array([1, 2], np.int32), _SIZE, uniform(0.2, 0.8, (1, 2, 4)), covered=0.1,
                ratios=(0.75, 1.33), areas=(0.05, 1.0), attempts=20, use_image=False)])


# -- public ----------------------------------------------------------------------------------------
def _pair(value: Any, default: tuple, name: str) -> tuple[float, float]:
    if not isinstance(value, (list, tuple, type(None))) or any(
            isinstance(v, (str, bytes)) for v in value or ()):
        raise TypeError(f"Expected list for '{name}' argument to 'sample_distorted_bounding_box_v2'"
                        f" Op, not {value!r}.")
    given = default if value is None else tuple([float(v) for v in value])
    if len(given) != 2:
        raise errors.invalid(_OP, f"{name} field must specify 2 dimensions, got {list(given)}")
    if name == "aspect_ratio_range" and min(given) <= 0 or min(given) < 0 or (
            name == "area_range" and (given[0] <= 0 or max(given) > 1)):
        raise errors.invalid(_OP, f"{name} must be in (0, 1] or positive, got {list(given)}")
    return given


def _operands(image_size: Any, bounding_boxes: Any) -> tuple[Any, Any]:
    size, boxes = operand(image_size), operand(bounding_boxes, dtypes.float32)
    if not size.dtype.is_integer:
        raise errors.invalid(_OP, f"Value for attr 'T' of {size.dtype.name} is not in the list of "
                                  "allowed values: uint8, int8, int16, int32, int64")
    if shape_of(size) != (3,):
        raise errors.invalid(_OP, "image_size must be a 1-D tensor of 3 elements, got shape "
                                  f"{brackets(shape_of(size))}")
    if len(shape_of(boxes)) != 3 or shape_of(boxes)[2] not in (4, None):
        raise errors.invalid(_OP, "bounding boxes must have shape [4] or [*, 4], got shape "
                                  f"{brackets(shape_of(boxes))}")
    return size, boxes


def _sampled(source: Any, image_size: Any, bounding_boxes: Any, min_object_covered: Any,
             aspect_ratio_range: Any, area_range: Any, attempts: int,
             use_image: Any) -> tuple:
    size, boxes = _operands(image_size, bounding_boxes)
    covered = float(convert(min_object_covered, dtypes.float32))
    if not covered >= 0:
        raise errors.invalid(_OP, f"Min object covered must be non-negative: {covered}")
    return sample(
        source, size, boxes, covered=covered, attempts=attempts, use_image=bool(use_image),
        ratios=_pair(aspect_ratio_range, (0.75, 1.33), "aspect_ratio_range"),
        areas=_pair(area_range, (0.05, 1.0), "area_range"))


def _attempts(max_attempts: Any) -> int:
    count = 100 if max_attempts is None else int(max_attempts)
    if count <= 0:
        raise errors.invalid(_OP, f"max_attempts must be positive: {count}")
    return count


@export("image.sample_distorted_bounding_box")
@attributes(max_attempts=small, use_image_if_no_bounding_boxes=flag)
def sample_distorted_bounding_box(
        image_size: Any, bounding_boxes: Any, seed: Any = 0, min_object_covered: Any = 0.1,
        aspect_ratio_range: Any = None, area_range: Any = None, max_attempts: Any = None,
        use_image_if_no_bounding_boxes: Any = None,
        name: str | None = None) -> SampleDistortedBoundingBoxV2:
    """A random part of an image that covers some of a box, for tf.slice, and as a box."""
    attempts = _attempts(max_attempts)
    size = operand(image_size)
    # Calls that differ in an attribute have streams of their own.
    attrs = (size.dtype.name, attempts, str(aspect_ratio_range), str(area_range),
             bool(use_image_if_no_bounding_boxes))
    stream = _stream(_OP, attrs, seed) if seed else _unseeded()
    source = random_ops.next_state(stream=stream, shape=(attempts,), use="blocks")
    return SampleDistortedBoundingBoxV2(*_sampled(
        source, size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range,
        attempts, use_image_if_no_bounding_boxes))


def _unseeded() -> Any:
    from tapeflow.ops.random.streams.seeds import Stream
    return Stream(None, None)


@export("image.stateless_sample_distorted_bounding_box")
@attributes(max_attempts=small, use_image_if_no_bounding_boxes=flag)
def stateless_sample_distorted_bounding_box(
        image_size: Any, bounding_boxes: Any, seed: Any, min_object_covered: Any = 0.1,
        aspect_ratio_range: Any = None, area_range: Any = None, max_attempts: Any = None,
        use_image_if_no_bounding_boxes: Any = None,
        name: str | None = None) -> StatelessSampleDistortedBoundingBox:
    """As `sample_distorted_bounding_box`, by a seed of two integers alone."""
    source = operand(seed)
    if shape_of(source) != (2,):
        raise errors.invalid(_OP, f"seed must have shape [2], not {brackets(shape_of(source))}")
    return StatelessSampleDistortedBoundingBox(*_sampled(
        source, image_size, bounding_boxes, min_object_covered, aspect_ratio_range, area_range,
        _attempts(max_attempts), use_image_if_no_bounding_boxes))
