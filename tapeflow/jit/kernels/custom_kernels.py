"""Nodes as kernels that are no fused loops: matrix products, scatters, windows.

`product`, `scatter` and `window` read a node and give an implementation, or say why there is none;
its `write` puts its code into the program.
"""

from __future__ import annotations

from math import prod
from typing import Any

from tapeflow.core.record import lowering_forms as forms
from tapeflow.core.record.primitive_ops import cast
from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.codegen.addressing import (
    IDENTITY,
    accepted,
    combine,
    element_of,
    pointer_at,
    set_error_status,
)
from tapeflow.jit.codegen.builder import (
    HALF,
    LLVM,
    ROUNDED_AS,
    Builder,
    Val,
    itemsize,
    name_of,
)
from tapeflow.jit.codegen.epilogues.epilogue import Epilogue, FlatIndex, last_dim
from tapeflow.jit.codegen.epilogues.row_sums import RowSums
from tapeflow.jit.codegen.epilogues.rows_epilogue import RowsEpilogue
from tapeflow.jit.codegen.index_arithmetic import unravel_index
from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.memory_copy import write_copy
from tapeflow.jit.codegen.partial_vectors import load_widened, rounded, sum_dtype
from tapeflow.jit.lowering.plan import CustomKernel
from tapeflow.jit.lowering.views import View
from tapeflow.jit.runtime.target import Target

FLOATS = ("float32", "float64")
MULTIPLIED = (*FLOATS, "float16", "bfloat16", "int32", "int64")

CAST = Choice("product.cast", (False, True))  # whether it rounds operands to half precision itself
MERGED = Choice("product.merged", (False, True))  # products that share an operand are one
START = Choice("scatter.start", ("in place", "copied", "filled"))
OUTSIDE = Choice("scatter.outside", ("error", "skip", "negative"))
SUMS = Choice("scatter.sums", ("result", "buffer"))  # where updates are combined


# -- matrix products -------------------------------------------------------------------------------
class MatmulImpl:
    """Sizes and strides of a product.

    m, a: rows of the first operand, of `merged` leading axes too if all share the second operand;
    batch: of the leading axes that are left, (size, stride of a, of b, of the result) of each;
    dtypes: of the operands in memory.
    """

    epilogue = in_panels = True

    def __init__(self, m: int, n: int, k: int, a: tuple, b: tuple, batch: list, merged: int,
                 dtypes: list[str]):
        self.m, self.n, self.k, self.a, self.b, self.batch = m, n, k, a, b, batch
        self.merged, self.dtypes = merged, dtypes
        count = prod(level[0] for level in batch)
        self.text = f"product {m}x{k} by {k}x{n}" + (f", {count} times" if count > 1 else "")
        self.nanoseconds = 0.0
        self.row_block = 0  # rows whose sums the epilogue makes together, if it makes some

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        from tapeflow.jit.kernels.gemm.gemm_plan import plan_gemm
        gemm = plan_gemm(target, self._product(kernel), threads, epilogue=True)
        self.nanoseconds = gemm.nanoseconds
        return gemm.work

    def rows_of_sums(self, kernel: CustomKernel, target: Target) -> int:
        from tapeflow.jit.kernels.row_blocks import product_rows
        return product_rows(target, self._product(kernel))

    def _product(self, kernel: CustomKernel) -> Any:
        from tapeflow.jit.kernels.gemm.gemm_product import Product
        return Product.of((self.m, self.n, self.k), name_of(kernel.result.dtype), self.a, self.b,
                          None, self.batch, False, *self.dtypes)

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        from tapeflow.jit.kernels.gemm.gemm import write_gemm
        module, plan = program.module, program.plan
        left, right = [plan.view_of(x) for x in kernel.node.inputs]
        shape: Any = kernel.result.shape
        sums = RowSums(kernel, program.addresses, self.row_block)
        sums.clear(code)

        def epilogue_at(inner: Code, row: str, column: str) -> Epilogue:
            inner.table = "%ctx"
            at = len(shape) - 2 - self.merged
            rows = FlatIndex(row, len([n for n in shape[:at] if n > 1]),
                             [n for n in shape[at:-1] if n > 1])
            indices = self._indices(inner, shape, row, column)
            assert kernel.epilogue is not None
            epilogue = Epilogue(kernel.epilogue, plan, program.addresses, inner, indices,
                                last_dim(shape), rows)
            epilogue.sums = sums
            return epilogue

        plain_result = not (kernel.epilogue and kernel.epilogue.instructions)
        product = self._product(kernel)
        if not plain_result:
            write_gemm(module, name, product, RowsEpilogue(epilogue_at, sums), program.threads)
        elif product in module.written:
            name = module.written[product]  # layers have many products of the same sizes
        else:
            module.written[product] = name
            write_gemm(module, name, product, None, program.threads)
        a, b = [code.at(program.addresses.pointer(code, view.buffer), view.offset, LLVM[kind])
                for view, kind in zip((left, right), self.dtypes, strict=True)]
        c = program.addresses.pointer(code, kernel.result) if plain_result else "null"
        pool, memory = pointer_at(code, 1, 0), pointer_at(code, *work)
        code.do(f"call void @{name}(ptr {pool}, ptr {a}, ptr {b}, ptr {c}, ptr %slots, "
                f"ptr {memory})")

    def _indices(self, code: Code, shape: tuple, row: str, column: str) -> list[str]:
        """The index along each dim (an axis of a size above 1) of the result."""
        at = len(shape) - 2 - self.merged
        indices = [*unravel_index(code, "%batch", list(shape[:at])),
                   *unravel_index(code, row, list(shape[at:-1])), column]
        return [index for index, n in zip(indices, shape, strict=True) if n > 1]


def product(lowering: Any, node: ir.Node, form: forms.Product) -> MatmulImpl | str:
    transposed = form.transposed(**node.attrs)
    if transposed is None:
        return "not for these attributes"
    out = node.outputs[0]
    dtypes = [_loaded_as(x, out) for x in node.inputs[:2]]
    if name_of(out.dtype) not in MULTIPLIED or not all(dtypes):
        return f"no native product of {out.dtype}"
    shape: Any = out.shape
    lead = shape[:-2]
    operands, steps = [], []
    for x, swap in zip(node.inputs[:2], transposed, strict=True):
        view = lowering.plan.view_of(x)
        if view.buffer.const is not None and view.buffer.const.size == 1:
            return "an operand is one constant"
        rows, columns = view.strides[-2:]
        operands.append((columns, rows) if swap else (rows, columns))
        have = view.shape[:-2]
        strides = (0,) * (len(lead) - len(have)) + tuple(
            [0 if n == 1 else s for n, s in zip(have, view.strides[:-2], strict=True)])
        sizes = (1,) * (len(lead) - len(have)) + tuple(have)
        if any(a != b and strides[i] for i, (a, b) in enumerate(zip(sizes, lead, strict=True))):
            return "leading axes do not agree"
        steps.append(strides)
    k = node.inputs[0].shape[-2 if transposed[0] else -1]  # type: ignore[index]
    m, n = shape[-2:]
    # Rows of all products that share the second operand, if they are equally far apart.
    merged = 0
    while merged < len(lead):
        size, down, across = [one[len(lead) - 1 - merged] for one in (lead, *steps)]
        may = size == 1 or not (across or (m > 1 and down != m * operands[0][0]))
        if not MERGED(may, (False, may)):
            break
        if m == 1 and size > 1:
            operands[0] = (down, operands[0][1])
        m, merged = m * size, merged + 1
    left = len(lead) - merged
    apart = forms.contiguous_strides((*lead[:left], m * n))[:-1]
    batch = list(zip(lead[:left], steps[0], steps[1], apart))
    return MatmulImpl(m, n, k, operands[0], operands[1], batch or [(1, 0, 0, 0)], merged, dtypes)


def _loaded_as(x: ir.Value, out: ir.Value) -> str:
    """The dtype that a product's operand has in memory; empty if it may not have it."""
    have, want = name_of(x.dtype), name_of(out.dtype)
    return have if have == want else next(
        (name for name, goal in ROUNDED_AS.items() if have == "float32" and goal == want), "")


def unrounded(lowering: Any, node: ir.Node) -> ir.Node:
    """A product whose operands are cast from float32 in memory to half precision, as one that reads
    these and rounds them itself: weights are not written once more, in half precision."""
    inputs = [_unrounded(lowering, x) for x in node.inputs[:2]]
    if not any(inputs):
        return node
    again = ir.Node(node.op, (*[new or old for new, old in zip(inputs, node.inputs)],
                              *node.inputs[2:]), node.attrs, node.where)
    again.outputs = node.outputs
    return again


def _unrounded(lowering: Any, x: ir.Value) -> ir.Value | None:
    plan = lowering.plan
    view = plan.view_of(x)
    made = view.buffer.node if view.buffer in plan.inlinable else None
    may = made is not None and made.op is cast.op and name_of(x.dtype) in HALF and (
        name_of(made.inputs[0].dtype) == "float32")
    source = plan.view_of(made.inputs[0]) if made is not None and may else None
    may = source is not None and source.whole and plan.is_given(source.buffer) and (
        ir.literal_of(source.buffer) is None)
    if CAST(may, (False, may)):
        assert source is not None
        found = plan.fresh(x.shape or (), source.buffer.dtype)
        plan.alias(found, View(source.buffer, view.shape, view.offset, view.strides))
        return found
    return None


# -- scatters --------------------------------------------------------------------------------------
class ScatterImpl:
    """Rows of updates combined into a result, one after the other.

    Half precision that starts from one number is combined in a buffer of float32 and rounded once.
    What starts from an operand's elements is rounded after each update, as TensorFlow does it.
    """

    epilogue = False
    nanoseconds = 0.0

    def __init__(self, node: ir.Node, roles: dict, rows: int, width: int, count: int):
        self.node, self.roles = node, roles
        self.rows, self.width, self.count = rows, width, count
        self.text = f"{count} rows of {width} into {rows}"
        self.dtype = name_of(node.outputs[0].dtype)
        fresh = not isinstance(roles["start"], tuple) and roles["combine"] != "put"
        # The dtype that updates are combined in, in memory.
        self.sum_dtype = sum_dtype(self.dtype) if fresh else self.dtype

    def work(self, kernel: CustomKernel, target: Target, threads: int) -> int:
        if self.sum_dtype == self.dtype:
            return 0
        return self.rows * self.width * itemsize(self.sum_dtype)

    def write(self, program: Any, kernel: CustomKernel, name: str, work: tuple[int, int],
              code: Code) -> None:
        plan, module = program.plan, program.module
        inner = Code(module, name, [("ptr", "%slots")], attributes=module.target.attributes)
        dtype, sums = self.dtype, self.sum_dtype
        result = goal = program.addresses.pointer(inner, kernel.result)
        if SUMS("result" if sums == dtype else "buffer") == "buffer":
            goal = pointer_at(inner, *work)
        self._begin(program, inner, goal, sums)
        updates = self.node.inputs[self.roles["updates"]]
        indices = self.node.inputs[self.roles["indices"]]
        source = program.addresses.pointer(inner, plan.view_of(updates).buffer) if ir.literal_of(
            plan.view_of(updates).buffer) is None else None
        kind = name_of(indices.dtype)
        names = program.addresses.pointer(inner, plan.view_of(indices).buffer)
        one = Builder(inner)
        with inner.loop(0, self.count) as loop:
            at = one.cast(one.load(inner.at(names, loop.index, LLVM[kind]), kind), "int64")
            good = one.lt(Val(at.text, "uint64"), one.const(self.rows, "uint64"))
            outside = self.roles.get("outside", "error")
            OUTSIDE(outside)
            if outside != "skip":
                set_error_status(inner, accepted(one, at, self.rows, outside).text)
            with inner.when(good.text):
                row = inner.at(goal, inner.mul(at.text, self.width), element_of(sums))
                update = source and inner.at(source, inner.mul(loop.index, self.width),
                                           element_of(dtype))
                self._row(inner, row, update, ir.literal_of(plan.view_of(updates).buffer))
        if sums != dtype:
            copy = write_copy(module, sums, dtype)
            inner.do(f"call void {copy}(ptr {goal}, ptr {result}, i64 {self.rows * self.width})")
        code.do(f"call void {module.add(inner)}(ptr %slots)")

    def _begin(self, program: Any, code: Code, goal: str, dtype: str) -> None:
        start = self.roles["start"]
        total = self.rows * self.width
        if isinstance(start, tuple):
            buffer = program.plan.view_of(self.node.inputs[start[1]]).buffer
            if program.addresses.slot.get(buffer) == program.addresses.slot[self.node.outputs[0]]:
                START("in place")
                return  # the result takes the operand's place
            START("copied")
            source = program.addresses.pointer(code, buffer)
            code.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr", "ptr", "i64", "i1")
            code.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {source}, "
                    f"i64 {total * itemsize(dtype)}, i1 false)")
            return
        START("filled")
        lanes = code.module.target.lanes(max(itemsize(dtype), 4))
        b, one = Builder(code, lanes), Builder(code)
        scalar = IDENTITY[self.roles["combine"]](dtype) if start is None else start
        full = total // lanes * lanes
        if full:
            with code.loop(0, full, lanes) as loop:
                b.store(b.const(scalar, dtype), code.at(goal, loop.index, element_of(dtype)))
        for i in range(full, total):
            one.store(one.const(scalar, dtype), code.at(goal, i, element_of(dtype)))

    def _row(self, code: Code, row: str, update: str | None, scalar: Any) -> None:
        """Combine a row of updates, or the scalar that they all are, into a row."""
        dtype, sums = self.dtype, self.sum_dtype
        wide, how = sum_dtype(dtype), self.roles["combine"]
        lanes = code.module.target.lanes(max(itemsize(dtype), 4))
        while lanes > 1 and lanes > self.width:
            lanes //= 2
        full = self.width // lanes * lanes

        def some(b: Builder, index: Any) -> None:
            where = code.at(row, index, element_of(sums))
            x = b.const(scalar, wide) if update is None else load_widened(
                b, code.at(update, index, element_of(dtype)), dtype)
            if how == "sub":
                x = b.sub(load_widened(b, where, sums), x)
            elif how != "put":
                x = combine(b, how, load_widened(b, where, sums), x)
            b.store(rounded(b, x, sums), where)

        with code.loop(0, full, lanes) as loop:
            some(Builder(code, lanes), loop.index)
        for i in range(full, self.width):
            some(Builder(code), i)


def scatter(lowering: Any, node: ir.Node, form: forms.Scatter) -> ScatterImpl | str:
    roles = form.roles([x.shape for x in node.inputs], **node.attrs)
    if roles is None:
        return "not for these attributes"
    out = node.outputs[0]
    plan = lowering.plan
    for role in ("updates", "indices"):
        view = plan.view_of(node.inputs[roles[role]])
        if not view.whole and not (role == "updates" and ir.literal_of(view.buffer) is not None):
            return f"{role} are not contiguous"
    start = roles["start"]
    if isinstance(start, tuple) and not plan.view_of(node.inputs[start[1]]).whole:
        return "its start is not contiguous"
    shape: Any = out.shape
    width = 1
    for n in shape[1:]:
        width *= n
    count = 1
    for n in node.inputs[roles["indices"]].shape or ():
        count *= n
    if not count or not shape[0]:
        return "nothing to do"
    return ScatterImpl(node, roles, shape[0], width, count)


# -- windows ---------------------------------------------------------------------------------------
def window(lowering: Any, node: ir.Node, form: forms.Window) -> Any:
    from tapeflow.jit.kernels.conv import conv_kernel
    return conv_kernel.window(lowering, node, form)
