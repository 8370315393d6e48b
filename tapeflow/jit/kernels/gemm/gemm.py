"""Matrix products as functions of their own.

`write_gemm` writes a function that computes C = A·B for sizes and strides known now, and calls an
`epilogue` for each finished piece of a row instead of storing it:

    void @NAME(ptr pool, ptr a, ptr b, ptr c, ptr ctx, ptr work)

`pool` is the thread pool (`runtime.thread_pool`), `ctx` is handed to the epilogue's code as %ctx,
`work` is `GemmPlan.work` bytes at a multiple of 64 for this call alone. An epilogue is called while
the text is written: `epilogue(builder, code, row, column, value, lanes)` gets the indices as int64
values and writes what becomes of the value; the function that it writes into has the parameters
%c, %ctx and %batch (the flat index of the product in a batch). Sums do not depend on the number of
threads.
"""

from __future__ import annotations

from typing import Any

from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.epilogues.row_sums import sums_of
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.kernels.gemm.gemm_dot import DotKernel
from tapeflow.jit.kernels.gemm.gemm_kernel import TileKernel
from tapeflow.jit.kernels.gemm.gemm_plan import GemmPlan, plan_gemm
from tapeflow.jit.kernels.gemm.gemm_product import Product
from tapeflow.jit.kernels.gemm.gemm_result import EmitEpilogue
from tapeflow.jit.kernels.gemm.gemm_tasks import KERNEL_PARAMS, GemmCall

RESULT = Choice("gemm.result", ("stored", "added", "epilogue"))
PARTIAL_SUMS = Choice("gemm.partial_sums", ("registers", "result", "buffer"))  # where they are


def write_gemm(module: Module, name: str, product: Product, epilogue: EmitEpilogue | None = None,
               threads: int = 2) -> GemmPlan:
    """Write the function of a product; see above for how it is called."""
    plan = plan_gemm(module.target, product, threads, epilogue is not None)
    RESULT("epilogue" if epilogue else "added" if product.accumulate else "stored")
    PARTIAL_SUMS("registers" if plan.whole_k else "buffer" if plan.partial_sum_bytes else "result")
    kernel = module.add(_write_kernel(plan, epilogue, module, f"{name}.kernel"))
    sums, rows = sums_of(epilogue), plan.blocking.rows
    assert sums is None or sums.block % rows == 0
    GemmCall(plan, module, kernel, sums.block if sums else rows).write(name)
    return plan


def _write_kernel(plan: GemmPlan, epilogue: EmitEpilogue | None, module: Module, name: str) -> Code:
    """The function that computes some rows and columns of one product."""
    code = Code(module, name, KERNEL_PARAMS, attributes=module.target.attributes,
                linkage="internal")
    if plan.product.m and plan.product.n:
        kernel: Any = {"tiles": TileKernel, "dots": DotKernel}[plan.kernel]
        kernel(plan, epilogue, code).write()
    return code
