"""The geometry of convolutions, their gradients and pooling: which windows meet which elements.

`Window` says what an op computes. Its `role` and operands:

    forward           images, filters      -> images   (the convolution)
    input             filters, gradients   -> images   (its gradient in the images)
    filter            images, gradients    -> filters  (its gradient in the filters)
    max, average      images               -> images
    max_gradient      images, gradients    -> images
    average_gradient  gradients            -> images

Images are channels last in any number of spatial axes, contiguous, as in `ops.conv`. The gradient
in the images is a convolution of the gradients itself: elements of an axis are sorted by their
remainder modulo the stride (a phase); those of one phase meet the same taps of the filters.

There are numbers here only: no text is written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from tapeflow.core.record.lowering_forms import contiguous_strides


@dataclass(eq=False)
class Window:
    """Sizes of one of these ops.

    sizes, out: of the spatial axes of the images and of the gradients (or results); channels,
    outer: their last axes; pads: (before, after) for each axis; ties: which of equal maxima get
    the gradient, "first" or "all".
    """

    role: str
    dtype: str
    batch: int
    sizes: tuple
    channels: int
    out: tuple
    outer: int
    window: tuple
    strides: tuple
    dilations: tuple
    pads: tuple
    groups: int = 1
    ties: str = "first"
    plans: dict[tuple, Any] = field(default_factory=dict, init=False)  # see `plan_window`

    def __post_init__(self) -> None:
        for name in ("sizes", "out", "window", "strides", "dilations", "pads"):
            setattr(self, name, tuple(getattr(self, name)))

    @property
    def inner(self) -> int:
        """Channels that one filter sees."""
        return self.channels // self.groups

    @property
    def pointwise(self) -> bool:
        """Whether windows are the pixels themselves: then it is a matrix product."""
        return (prod(self.window) == 1 and prod(self.strides) == 1 and self.groups == 1
                and not any(map(any, self.pads)))

    @property
    def depthwise(self) -> bool:
        return self.groups > 1 and self.inner == 1 and self.outer == self.channels

    @property
    def empty(self) -> bool:
        return not (self.batch and prod(self.sizes) and prod(self.out) and self.channels
                    and self.outer and prod(self.window))


class Tap(NamedTuple):
    """An element of a window: its offset in a padded image from where the window begins, and which
    element of the window it is."""

    offset: int
    element: int


class ResultAxis(NamedTuple):
    """The elements of a phase along an axis of the result."""

    first: int
    stride: int


@dataclass(frozen=True)
class Phase:
    """Positions that meet the same taps. counts: how many along each axis."""

    counts: tuple
    results: tuple[ResultAxis, ...]
    taps: list[Tap]


@dataclass(frozen=True)
class Geometry:
    """Padded images that windows slide over, and the phases of the results.

    sizes, channels, pads: of the images that are read; output_sizes, columns: of the images that
    are written, and their channels; position_strides: from window to window in a padded image.
    """

    window: Window
    sizes: tuple
    channels: int
    output_sizes: tuple
    columns: int
    pads: tuple
    phases: list[Phase]
    position_strides: tuple

    @property
    def depth(self) -> int:
        """Channels of one tap."""
        return self.channels // self.window.groups

    @property
    def width(self) -> int:
        """Results of one group at one position."""
        return self.columns // self.window.groups

    @cached_property
    def image_elements(self) -> int:
        """Of a padded image."""
        return prod(_padded(self.sizes, self.pads)) * self.channels

    @cached_property
    def strides(self) -> list[int]:
        """Of the spatial axes of a padded image."""
        return _strides(_padded(self.sizes, self.pads), self.channels)

    @cached_property
    def positions(self) -> int:
        """Windows in an image."""
        return sum(prod(phase.counts) for phase in self.phases)

    @property
    def rows(self) -> int:
        """Positions along the first axis, of the phase that has most."""
        return max(phase.counts[0] for phase in self.phases)

    @property
    def row_stride(self) -> int:
        """Rows of a padded image from one row of positions to the next."""
        return self.position_strides[0] // self.strides[0]

    def rows_under(self, rows: int) -> int:
        """Rows of a padded image that neighbouring rows of positions meet."""
        last = max((tap.offset // self.strides[0] for tap in self.taps), default=0)
        return (rows - 1) * self.row_stride + last + 1

    @cached_property
    def taps(self) -> list[Tap]:
        """All taps of all phases."""
        return [tap for phase in self.phases for tap in phase.taps]

    @property
    def padded(self) -> bool:
        """Whether images have to be copied to get a border."""
        return any(map(any, self.pads))

    @property
    def border(self) -> int:
        """The offset of an image's first element in a padded image."""
        return sum(pad[0] * stride for pad, stride in zip(self.pads, self.strides))

    @property
    def in_order(self) -> bool:
        """Whether results come in the order of memory."""
        return len(self.phases) == 1 and all(
            axis == (0, 1) for axis in self.phases[0].results)

    @cached_property
    def run(self) -> int:
        """How many taps are contiguous, if they are in runs of equal length; else 1."""
        if self.depth != self.channels or self.window.depthwise:
            return 1
        lengths = set()
        for phase in self.phases:
            length = 0
            for i, tap in enumerate(phase.taps):
                length += 1
                last = i + 1 == len(phase.taps)
                if last or phase.taps[i + 1].offset != tap.offset + self.channels:
                    lengths.add(length)
                    length = 0
        return lengths.pop() if len(lengths) == 1 else 1


def geometry_of(window: Window) -> Geometry:
    """How the windows of an op slide."""
    return _backward(window) if window.role == "input" else _forward(window)


def _forward(window: Window) -> Geometry:
    """A border behind the last window may be missing; one that no window meets is no matter."""
    strides = _strides(_padded(window.sizes, window.pads), window.channels)
    taps = [Tap(sum(i * d * s for i, d, s in zip(tap, window.dilations, strides)), element)
            for element, tap in enumerate(product(*[range(k) for k in window.window]))]
    phase = Phase(window.out, (ResultAxis(0, 1),) * len(window.out), taps)
    back = window.role in ("average_gradient", "max_gradient")
    return Geometry(window, window.sizes, window.channels, window.sizes if back else window.out,
                    window.outer, window.pads, [phase],
                    tuple([s * stride for s, stride in zip(strides, window.strides)]))


class AxisPhase(NamedTuple):
    """A phase along one axis: its elements, how many, and (position, element) of its taps."""

    elements: ResultAxis
    size: int
    taps: list[tuple[int, int]]


def _backward(window: Window) -> Geometry:
    """The gradient in the images: windows slide over the gradients."""
    axes = [_axis_phases(window, axis) for axis in range(len(window.sizes))]
    pads = []
    for phases, out in zip(axes, window.out):
        low, high = 0, out - 1
        for phase in phases:
            for position, _ in phase.taps:
                low, high = min(low, position), max(high, position + phase.size - 1)
        pads.append((-low, high - (out - 1)))
    strides = _strides(_padded(window.out, pads), window.outer)
    element_strides = contiguous_strides(window.window)
    found = []
    for each in product(*axes):
        taps = []
        for tap in product(*[phase.taps for phase in each]):
            offset = sum((at + pad[0]) * stride
                         for (at, _), pad, stride in zip(tap, pads, strides))
            element = sum(i * stride for (_, i), stride in zip(tap, element_strides))
            taps.append(Tap(offset, element))
        found.append(Phase(tuple([phase.size for phase in each]),
                           tuple([phase.elements for phase in each]), sorted(taps)))
    return Geometry(window, window.out, window.outer, window.sizes, window.channels, tuple(pads),
                    found, tuple(strides))


def _axis_phases(window: Window, axis: int) -> list[AxisPhase]:
    """Element p = first + j·s lies under tap i of the window at (p + before − i·d) / s."""
    n, k, s, d = [sizes[axis] for sizes in (window.sizes, window.window, window.strides,
                                            window.dilations)]
    before = window.pads[axis][0]
    return [AxisPhase(ResultAxis(first, s), -(-(n - first) // s),
                      [((first + before - i * d) // s, i) for i in range(k)
                       if (first + before - i * d) % s == 0])
            for first in range(min(s, n))]


def _padded(sizes: Any, pads: Any) -> tuple:
    return tuple([n + before + after for n, (before, after) in zip(sizes, pads)])


def _strides(sizes: tuple, channels: int) -> list[int]:
    return [stride * channels for stride in contiguous_strides(sizes)]
