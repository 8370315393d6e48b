"""Convolutions, their gradients and pooling: what slides where, and which kernel serves it.

`write_window` writes a function for sizes known now; its epilogue is that of `gemm`, with the
result seen as a matrix of its last axis (channels):

    void @NAME(ptr pool, ptr a, ptr b, ptr c, ptr ctx, ptr work)

`Window` says what it is about. Its `role` and operands:

    forward           images, filters      -> images   (the convolution)
    input             filters, gradients   -> images   (its gradient in the images)
    filter            images, gradients    -> filters  (its gradient in the filters)
    max, average      images               -> images
    max_gradient      images, gradients    -> images
    average_gradient  gradients            -> images

Images are channels last in any number of spatial axes, contiguous, as in `ops.conv`. The gradient
in the images is a convolution of the gradients itself: elements of an axis are sorted by their
remainder modulo the stride (a phase); those of one phase meet the same taps of the filters.

This file has the geometry; text is written by `correlation` and `spread`, `filter_gradient`,
`pooling`.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from tapeflow.core.record.lowering_forms import contiguous_strides
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.builder import itemsize
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.codegen.memory_copy import LEVELS
from tapeflow.jit.codegen.partial_vectors import sum_dtype
from tapeflow.jit.kernels.gemm.gemm_result import Epilogue

TASK_CYCLES = 40_000  # below which a task is not worth handing over
GIGAHERTZ = 3.0  # for estimates only

KERNEL = Choice("conv.kernel", ("pool", "product", "filter gradient", "correlation", "spread"))


class Window:
    """Sizes of one of these ops.

    sizes, out: of the spatial axes of the images and of the gradients (or results); channels,
    outer: their last axes; pads: (before, after) for each axis; ties: which of equal maxima get
    the gradient, "first" or "all".
    """

    def __init__(self, role: str, dtype: str, batch: int, sizes: tuple, channels: int, out: tuple,
                 outer: int, window: tuple, strides: tuple, dilations: tuple, pads: tuple,
                 groups: int = 1, ties: str = "first"):
        self.role, self.dtype, self.batch, self.sizes = role, dtype, batch, tuple(sizes)
        self.channels, self.out, self.outer = channels, tuple(out), outer
        self.window, self.strides, self.dilations = tuple(window), tuple(strides), tuple(dilations)
        self.pads, self.groups, self.ties = tuple(pads), groups, ties
        self.plans: dict[tuple, Plan] = {}  # see `plan_window`

    @property
    def inner(self) -> int:
        """Channels that one filter sees."""
        return self.channels // self.groups

    @property
    def plain(self) -> bool:
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


def supported(window: Window) -> bool:
    """Whether `write_window` can serve it; else the op's kernel is to be called."""
    floats = window.dtype in ("float32", "float64")
    whole = window.dtype in ("int32", "int64")
    if min((n for pad in window.pads for n in pad), default=0) < 0 or window.empty:
        return False
    if not 1 <= len(window.window) < LEVELS:
        return False
    if window.role in ("forward", "input", "filter"):
        if window.groups > 1 and window.inner == 1 and not window.depthwise:
            return False
        return floats
    return floats or (whole and window.role == "max")


class Phase:
    """Positions that meet the same taps.

    counts: how many along each axis; at: (first, step) of the result's places along each axis;
    taps: (place in a bordered image, place in the window) of each tap.
    """

    def __init__(self, counts: tuple, at: tuple, taps: list[tuple[int, int]]):
        self.counts, self.at, self.taps = counts, at, taps


class Sweep:
    """Images that windows slide over: their border, and the phases of the results.

    sizes, channels: of the images that are read; goal: sizes of the images that are written.
    """

    def __init__(self, window: Window):
        self.window = window
        back = window.role in ("input", "average_gradient", "max_gradient")
        if window.role == "input":
            self.sizes, self.channels = window.out, window.outer
            self.goal, self.columns = window.sizes, window.channels
            self._backward()
        else:
            self.sizes, self.channels = window.sizes, window.channels
            self.goal = window.out if not back else window.sizes
            self.columns = window.outer
            self._forward()
        self.depth = self.channels // window.groups  # numbers of one tap
        self.width = self.columns // window.groups  # results of one group at one position
        self.image = prod(self.padded) * self.channels
        self.rows = sum(prod(phase.counts) for phase in self.phases)
        self.steps = [step * self.channels for step in contiguous_strides(self.padded)]
        self._runs()

    def _forward(self) -> None:
        window = self.window
        self.pads = window.pads
        self.padded = tuple([n + a + b for n, (a, b) in zip(self.sizes, self.pads)])
        # A border behind the last window may be missing; one that no window meets is no matter.
        steps = [step * self.channels for step in contiguous_strides(self.padded)]
        taps = [(sum(i * d * s for i, d, s in zip(tap, window.dilations, steps)), number)
                for number, tap in enumerate(product(*[range(k) for k in window.window]))]
        self.phases = [Phase(window.out, tuple([(0, 1)] * len(window.out)), taps)]
        self.a_steps = tuple([s * stride for s, stride in zip(steps, window.strides)])

    def _backward(self) -> None:
        window = self.window
        axes, pads = [], []
        for n, out, k, s, d, (before, _) in zip(window.sizes, window.out, window.window,
                                                window.strides, window.dilations, window.pads):
            # Element p = first + j·s lies under tap i of the window at (p + before − i·d) / s.
            found = []
            low, high = 0, out - 1
            for first in range(min(s, n)):
                count = -(-(n - first) // s)
                taps = [((first + before - i * d) // s, i) for i in range(k)
                        if (first + before - i * d) % s == 0]
                found.append((first, s, count, taps))
                for place, _ in taps:
                    low, high = min(low, place), max(high, place + count - 1)
            axes.append(found)
            pads.append((-low, high - (out - 1)))
        self.pads = tuple(pads)
        self.padded = tuple([n + a + b for n, (a, b) in zip(self.sizes, self.pads)])
        steps = [step * self.channels for step in contiguous_strides(self.padded)]
        numbers = contiguous_strides(window.window)
        self.phases = []
        for each in product(*axes):
            taps = []
            for tap in product(*[found[3] for found in each]):
                place = sum((at + pad[0]) * step for (at, _), pad, step in zip(tap, pads, steps))
                taps.append((place, sum(i * step for (_, i), step in zip(tap, numbers))))
            self.phases.append(Phase(tuple([found[2] for found in each]),
                                     tuple([found[:2] for found in each]), sorted(taps)))
        self.a_steps = tuple(steps)

    def _runs(self) -> None:
        """Join taps whose numbers lie one after the other, if they join in equal parts."""
        self.run = 1
        if self.depth != self.channels or self.window.depthwise:
            return
        lengths = set()
        for phase in self.phases:
            length = 0
            for i, (place, _) in enumerate(phase.taps):
                length += 1
                if i + 1 == len(phase.taps) or phase.taps[i + 1][0] != place + self.channels:
                    lengths.add(length)
                    length = 0
        if len(lengths) == 1:
            self.run = lengths.pop()

    @property
    def taps(self) -> list[tuple[int, int]]:
        """All taps of all phases."""
        return [tap for phase in self.phases for tap in phase.taps]

    @property
    def bordered(self) -> bool:
        """Whether images have to be copied to get a border."""
        return any(map(any, self.pads))

    @property
    def ordered(self) -> bool:
        """Whether results come in the order of memory."""
        return len(self.phases) == 1 and all(at == (0, 1) for at in self.phases[0].at)


class Plan:
    """What was chosen: the kernel, bytes of working memory, an estimate, and how to write it."""

    def __init__(self, text: str, work: int, nanoseconds: float, writer: Any):
        self.text, self.work, self.nanoseconds, self.writer = text, work, nanoseconds, writer

    def describe(self) -> str:
        return self.text


def plan_window(target: Any, window: Window, epilogue: bool = False, threads: int = 2) -> Plan:
    """How a window op is computed, before it is written."""
    key = (id(target), threads, epilogue and window.plain)
    if key not in window.plans:
        window.plans[key] = _plan(target, window, epilogue, threads)
    return window.plans[key]


def _plan(target: Any, window: Window, epilogue: bool, threads: int) -> Plan:
    if window.role in ("max", "average", "max_gradient", "average_gradient"):
        from tapeflow.jit.kernels.conv import pooling_codegen
        KERNEL("pool")
        return pooling_codegen.plan(target, window, epilogue, threads)
    if window.plain:
        KERNEL("product")
        return _plan_plain(target, window, epilogue, threads)
    if window.role == "filter":
        from tapeflow.jit.kernels.conv import conv_filter_gradient
        KERNEL("filter gradient")
        return conv_filter_gradient.plan(target, window, epilogue, threads)
    from tapeflow.jit.kernels.conv import conv_direct, conv_input_scatter
    found = conv_direct.plan(target, window, epilogue, threads)
    other = conv_input_scatter.plan(target, window, threads) if window.role == "input" else None
    better = "spread" if other and 0.87 * other.nanoseconds < found.nanoseconds else "correlation"
    taken = KERNEL(better, ("correlation", "spread" if other else "correlation"))
    return other if other and taken == "spread" else found


def write_window(module: Module, name: str, window: Window, epilogue: Epilogue | None = None,
                 threads: int = 2) -> Plan:
    """Write the function of a window op; see above for how it is called."""
    plan = plan_window(module.target, window, epilogue is not None, threads)
    plan.writer(module, name, epilogue)
    return plan


def _plan_plain(target: Any, window: Window, epilogue: bool, threads: int) -> Plan:
    """1×1 windows: products of all pixels with the filters."""
    from tapeflow.jit.kernels.gemm.gemm import write_gemm
    from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
    from tapeflow.jit.kernels.gemm.gemm_product import Product
    pixels, c, o = window.batch * prod(window.sizes), window.channels, window.outer
    if window.role == "forward":
        product = Product.of((pixels, o, c), window.dtype, (c, 1), (o, 1))
    elif window.role == "input":  # filters come first: gᵀ is the second operand
        product = Product.of((pixels, c, o), window.dtype, (o, 1), (1, o))
    else:
        product = Product.of((c, o, pixels), window.dtype, (1, c), (o, 1))
    gemm = plan_gemm(target, product, threads, epilogue)

    def write(module: Module, name: str, epilogue: Epilogue | None) -> None:
        if window.role != "input":
            write_gemm(module, name, product, epilogue, threads)
            return
        from tapeflow.jit.codegen.llvm_text import Code
        write_gemm(module, f"{name}.product", product, epilogue, threads)
        labels = ("%pool", "%a", "%b", "%c", "%ctx", "%work")
        code = Code(module, name, [("ptr", label) for label in labels],
                    attributes=module.target.attributes)
        code.do(f"call void @{name}.product(ptr %pool, ptr %b, ptr %a, ptr %c, ptr %ctx, "
                "ptr %work)")
        module.functions[name] = code.text()

    return Plan(gemm.describe(), gemm.work, gemm.nanoseconds, write)


def round_up(size: int, unit: int = 64) -> int:
    return -(-size // unit) * unit


def bytes_of(dtype: str) -> int:
    return itemsize(sum_dtype(dtype))
