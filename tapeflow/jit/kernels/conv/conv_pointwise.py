"""Convolutions of 1×1 windows: matrix products of all pixels with the filters."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.gemm.gemm import write_gemm
from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue


@dataclass(frozen=True)
class PointwisePlan:
    """A convolution, or one of its gradients, as a product. `swapped`: its operands are."""

    product: Product
    swapped: bool
    threads: int
    work: int
    nanoseconds: float
    text: str

    def describe(self) -> str:
        return self.text

    def write(self, module: Module, name: str, epilogue: EmitEpilogue | None) -> None:
        if not self.swapped:
            write_gemm(module, name, self.product, epilogue, self.threads)
            return
        write_gemm(module, f"{name}.product", self.product, epilogue, self.threads)
        labels = ("%pool", "%a", "%b", "%c", "%ctx", "%work")
        code = Code(module, name, [("ptr", label) for label in labels],
                    attributes=module.target.attributes)
        code.do(f"call void @{name}.product(ptr %pool, ptr %b, ptr %a, ptr %c, ptr %ctx, "
                "ptr %work)")
        module.functions[name] = code.text()


def plan_pointwise(target: Any, window: Window, epilogue: bool, threads: int) -> PointwisePlan:
    pixels, c, o = window.batch * prod(window.sizes), window.channels, window.outer
    if window.role == "forward":
        product = Product.of((pixels, o, c), window.dtype, (c, 1), (o, 1))
    elif window.role == "input":  # filters come first: they are the second operand, transposed
        product = Product.of((pixels, c, o), window.dtype, (o, 1), (1, o))
    else:
        product = Product.of((c, o, pixels), window.dtype, (1, c), (o, 1))
    gemm = plan_gemm(target, product, threads, epilogue)
    return PointwisePlan(product, window.role == "input", threads, gemm.work, gemm.nanoseconds,
                         gemm.describe())
