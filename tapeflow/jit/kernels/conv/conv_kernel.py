"""A convolution, one of its gradients, or a pooling: a node of the graph as a kernel."""

from __future__ import annotations

from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.jit.codegen.addressing import pointer_at
from tapeflow.jit.codegen.builder import Builder, Val
from tapeflow.jit.codegen.epilogues.epilogue import Epilogue, FlatIndex, Prologue, last_dim
from tapeflow.jit.codegen.epilogues.row_sums import RowSums
from tapeflow.jit.codegen.epilogues.rows_epilogue import RowsEpilogue
from tapeflow.jit.codegen.index_arithmetic import unravel_index
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.kernels.conv.conv_geometry import Window
from tapeflow.jit.kernels.conv.conv_plan import (
    copies_images,
    plan_window,
    supported,
    write_window,
)
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.runtime.target import Target


class WindowImpl:
    """A window op; the instructions that follow are done on each piece of its result.

    computable  the position of an operand that may be computed where it is copied; or None
    """

    epilogue = True

    def __init__(self, window: Window, node: ir.Node, target: Target):
        self.window, self.node = window, node
        self.computable = 0 if copies_images(target, window) else None
        self.in_panels = window.pointwise
        self.nanoseconds = 0.0
        self.row_block = 0  # rows whose sums the epilogue makes together, if it makes some
        taps = "x".join(map(str, window.window))
        self.text = f"{window.role.replace('_', ' ')} of {taps} windows"

    def rows_of_sums(self, kernel: CustomKernel, target: Target) -> int:
        from tapeflow.jit.kernels.row_blocks import window_rows
        return window_rows(target, self.window)

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        plan = plan_window(target, self.window, True, threads)
        self.nanoseconds = plan.nanoseconds
        self.text = f"{self.text}: {plan.describe()}"
        return max(plan.work, plan_window(target, self.window, False, threads).work)

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        plan = program.plan
        shape: Any = kernel.result.shape
        sums = RowSums(kernel, program.addresses, self.row_block)
        sums.clear(code)

        def epilogue_at(inner: Code, row: str, column: str) -> Epilogue:
            inner.table = "%ctx"
            window = self.window
            columns = window.channels if window.role not in ("forward", "filter") else window.outer
            indices = _indices(inner, shape, row, column, columns)
            lead = shape[:-1] if columns == shape[-1] else shape
            rows = FlatIndex(row, 0, [n for n in lead if n > 1])
            assert kernel.epilogue is not None
            epilogue = Epilogue(kernel.epilogue, plan, program.addresses, inner, indices,
                                last_dim(shape), rows)
            epilogue.sums = sums
            return epilogue

        def prologue(b: Builder, inner: Code, pixel: str, channel: str) -> Val:
            inner.table = "%ctx"
            images: Any = kernel.node.inputs[0].shape
            assert kernel.prologue is not None
            rows = FlatIndex(pixel, 0, [n for n in images[:-1] if n > 1])
            return Prologue(kernel.prologue, plan, program.addresses, inner,
                            _indices(inner, images, pixel, channel, images[-1]), last_dim(images),
                            rows).run(b)

        plain = not (kernel.epilogue and kernel.epilogue.instructions)
        write_window(program.module, name, self.window, None if plain else
                     RowsEpilogue(epilogue_at, sums), program.threads,
                     prologue if kernel.prologue else None)
        operands = ["null" if kernel.prologue and position == self.computable
                    else program.addresses.pointer(code, plan.view_of(x).buffer)
                    for position, x in enumerate(kernel.node.inputs)]
        second = operands[1] if len(operands) > 1 else "null"
        result = program.addresses.pointer(code, kernel.result) if plain else "null"
        code.do(f"call void @{name}(ptr {pointer_at(code, 1, 0)}, ptr {operands[0]}, "
                f"ptr {second}, ptr {result}, ptr %slots, ptr {pointer_at(code, *work)})")


def _indices(code: Code, shape: tuple, row: str, column: str, columns: int) -> list[str]:
    """The index along each dim (an axis of a size above 1) of the result's element.

    columns: of the matrix that rows and columns are counted in; 1 if the last axis is no column.
    """
    if columns == shape[-1]:
        indices = [*unravel_index(code, row, list(shape[:-1])), column]
    else:
        indices = unravel_index(code, row, list(shape))
    return [index for index, n in zip(indices, shape, strict=True) if n > 1]


def window(lowering: Any, node: ir.Node, form: forms.Window) -> WindowImpl | str:
    """The kernel of a node, or why there is none."""
    fields = form.describe([x.shape for x in node.inputs], **node.attrs)
    if fields is None:
        return "not for these attributes"
    out = node.outputs[0]
    if any(x.dtype != out.dtype for x in node.inputs):
        return "dtypes differ"
    found = Window(dtype=str(out.dtype), **fields)
    if not supported(found):
        return f"no native {found.role} of {out.dtype} for these sizes"
    return WindowImpl(found, _contiguous(lowering, node), lowering.target)


def _contiguous(lowering: Any, node: ir.Node) -> ir.Node:
    """The node with operands that are no views of others: those are copied."""
    plan = lowering.plan
    inputs = []
    for x in node.inputs:
        view = plan.view_of(x)
        if not view.whole or ir.literal_of(view.buffer) is not None:
            lowering.fusion.require_memory(x)
            x = lowering.copied(x).buffer
        inputs.append(x)
    if tuple(inputs) == tuple(node.inputs):
        return node
    other = ir.Node(node.op, tuple(inputs), node.attrs, node.where)
    other.outputs = node.outputs
    return other
