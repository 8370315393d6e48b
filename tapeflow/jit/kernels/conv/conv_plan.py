"""Convolutions, their gradients and pooling: which kernel serves an op.

`write_window` writes a function for sizes known now; its epilogue is that of `gemm`, with the
result seen as a matrix of its last axis (channels):

    void @NAME(ptr pool, ptr a, ptr b, ptr c, ptr ctx, ptr work)
"""

from __future__ import annotations

from typing import Any, Protocol

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.llvm_text import Module
from tapeflow.jit.codegen.memory_copy import LEVELS
from tapeflow.jit.kernels.conv.conv_direct import DirectPlan
from tapeflow.jit.kernels.conv.conv_filter_gradient import FilterGradientPlan
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_input_scatter import ScatterPlan, suits
from tapeflow.jit.kernels.conv.conv_padding import EmitPrologue
from tapeflow.jit.kernels.conv.conv_pointwise import plan_pointwise
from tapeflow.jit.kernels.conv.conv_tasks import ImagePlan
from tapeflow.jit.kernels.conv.pooling_codegen import plan_pool
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue

SCATTER_BONUS = 0.87  # of its estimated time, which it keeps to better than the other
KERNEL = Choice("conv.kernel", ("pool", "product", "filter gradient", "direct", "scatter"))


class WindowPlan(Protocol):
    """What was chosen for an op: bytes of working memory, an estimate, and how to write it."""

    @property
    def work(self) -> int: ...

    @property
    def nanoseconds(self) -> float: ...

    def describe(self) -> str: ...

    def write(self, module: Module, name: str, epilogue: EmitEpilogue | None) -> None: ...


def supported(window: Window) -> bool:
    """Whether `write_window` can serve it; else the op's kernel is to be called."""
    floats = window.dtype in ("float16", "bfloat16", "float32", "float64")
    integers = window.dtype in ("int32", "int64")
    if min((n for pad in window.pads for n in pad), default=0) < 0 or window.empty:
        return False
    if not 1 <= len(window.window) < LEVELS:
        return False
    if window.role in ("forward", "input", "filter"):
        if window.groups > 1 and window.inner == 1 and not window.depthwise:
            return False
        return floats
    return floats or (integers and window.role == "max")


def plan_window(target: Any, window: Window, epilogue: bool = False,
                threads: int = 2) -> WindowPlan:
    """How an op is computed, before it is written."""
    key = (id(target), threads, epilogue and window.pointwise)
    if key not in window.plans:
        window.plans[key] = _plan(target, window, epilogue, threads)
    plan: WindowPlan = window.plans[key]
    return plan


def write_window(module: Module, name: str, window: Window, epilogue: EmitEpilogue | None = None,
                 threads: int = 2, prologue: EmitPrologue | None = None) -> WindowPlan:
    """Write the function of an op; see above for how it is called.

    prologue: computes the images, which are then not read at %a; only where `copies_images`.
    """
    plan = plan_window(module.target, window, epilogue is not None, threads)
    if prologue is None:
        plan.write(module, name, epilogue)
    else:
        assert isinstance(plan, ImagePlan)
        plan.write(module, name, epilogue, prologue)
    return plan


def copies_images(target: Any, window: Window) -> bool:
    """Whether the kernel of a convolution, or of its gradient in the filters, copies the images
    before it reads them again and again: they may as well be computed there."""
    if window.role not in ("forward", "filter") or window.channels < target.lanes(4):
        return False
    plan = plan_window(target, window)
    return isinstance(plan, ImagePlan) and plan.copies


def _plan(target: Any, window: Window, epilogue: bool, threads: int) -> WindowPlan:
    if window.role in ("max", "average", "max_gradient", "average_gradient"):
        KERNEL("pool")
        return plan_pool(target, window, threads)
    if window.pointwise:
        KERNEL("product")
        return plan_pointwise(target, window, epilogue, threads)
    if window.role == "filter":
        KERNEL("filter gradient")
        return FilterGradientPlan(target, window)
    direct = DirectPlan(target, window, threads)
    scatter = ScatterPlan(target, window, threads) if suits(window) else None
    better = scatter and SCATTER_BONUS * scatter.nanoseconds < direct.nanoseconds
    taken = KERNEL("scatter" if better else "direct",
                   ("direct", "scatter" if scatter else "direct"))
    return scatter if scatter and taken == "scatter" else direct
