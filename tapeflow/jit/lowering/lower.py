"""A graph as a plan: each node by the form that its op's record has (`core.lowering`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tapeflow.core.record import lowering_forms as forms
from tapeflow.graph import ir
from tapeflow.graph.variable_ops import write
from tapeflow.jit.codegen.addressing import CALL_WEIGHT, across, set_error_status
from tapeflow.jit.codegen.builder import HALF, LLVM, Builder, Val, name_of
from tapeflow.jit.codegen.llvm_text import Code, Module
from tapeflow.jit.lowering.epilogue_sums import sum_in_epilogues
from tapeflow.jit.lowering.fusion import Fusion
from tapeflow.jit.lowering.late_values import late_values
from tapeflow.jit.lowering.parted_epilogues import part_epilogues
from tapeflow.jit.lowering.plan import (
    CustomKernel,
    FusedLoop,
    GatherSpec,
    HostCall,
    Instruction,
    Plan,
    State,
)
from tapeflow.jit.lowering.recomputed_values import recompute
from tapeflow.jit.lowering.supported import Refused
from tapeflow.jit.lowering.views import View, contiguous, whole
from tapeflow.jit.runtime.target import Target

MOVES = (forms.View, forms.Reshape, forms.Assemble, forms.Gather)  # any dtype will do


CompileBody = Callable[[ir.Graph, str, State], Any]  # (graph, name, state) -> a compiled function


@dataclass(frozen=True)
class Lowered:
    """A graph as kernels.

    finals   what each variable holds in the end, by its uid
    state    inputs that are changed in place, and what they are in the end
    reasons  by op: why its NumPy kernel is called
    """

    graph: ir.Graph
    plan: Plan
    finals: dict[int, ir.Value]
    state: list[tuple[ir.Value, ir.Value]]
    reasons: dict[str, str]


def lower(graph: ir.Graph, target: Target, compile_body: CompileBody,
          state: State = ()) -> Lowered:
    """Lower each node by the form that its op's record has.

    state         which inputs are changed in place, and to which outputs: these are no results then
    compile_body  compiles the body of a loop or a branch
    """
    pairs = [(graph.inputs[i], graph.outputs[o]) for i, o in state]
    made = {o for _, o in state}
    graph.outputs = [value for o, value in enumerate(graph.outputs) if o not in made]
    lowering = Lowering(graph, target, compile_body, pairs)
    return Lowered(graph, lowering.plan, lowering.finals, pairs, lowering.reasons)


class Lowering:
    """Builds the plan of a graph.

    updates  what variables, and inputs that are changed in place, hold at first -> in the end
    """

    def __init__(self, graph: ir.Graph, target: Target, compile_body: CompileBody,
                 state: list[tuple[ir.Value, ir.Value]]):
        self.graph, self.target, self.compile_body = graph, target, compile_body
        self.plan = Plan()
        self.fusion = Fusion(self.plan, late_values(graph))
        self.finals: dict[int, ir.Value] = {}
        self.updates = dict(state)
        self.updates.update((graph.variables[node.attrs["variable"]].initial, node.inputs[0])
                            for node in graph.nodes if node.op is write)
        self.reasons: dict[str, str] = {}  # op -> why its kernel is called
        self._trial: dict[Any, int | str] = {}
        self._reduced: dict[Any, ir.Value] = {}
        for node in graph.nodes:
            self._lower(node)
        results = [*graph.outputs, *self.finals.values(), *[final for _, final in state]]
        for value in results:
            self.fusion.require_memory(value)
        self._leave_out()
        part_epilogues(self.plan)
        kept = {self.plan.view_of(one).buffer for one in results}
        recompute(self.fusion, kept,
                  {*dict(state), *[use.initial for use in graph.variables.values()]})
        sum_in_epilogues(self.fusion, kept, target)

    def _leave_out(self) -> None:
        """Products and windows that nobody reads are not made: of what a body assigns to a
        variable, only the last counts."""
        for kernel in list(self.plan.kernels):
            if isinstance(kernel, CustomKernel) and kernel.impl.epilogue and not (
                    kernel.epilogue and kernel.epilogue.instructions) and (
                    kernel.result not in self.plan.stored):
                self.plan.remove(kernel)

    # -- nodes -------------------------------------------------------------------------------------
    def _lower(self, node: ir.Node) -> None:
        if node.op is write:
            self.finals[node.attrs["variable"]] = node.inputs[0]
            self.plan.alias(node.outputs[0], self.plan.view_of(node.inputs[0]))
            return
        if all(0 in (value.shape or ()) for value in node.outputs):
            return  # nothing to compute
        if not isinstance(node.op.lower, forms.Assemble) and any(
                0 in (x.shape or ()) for x in node.inputs):
            raise Refused("a value has no elements")
        reason = self._refused(node)
        if reason is None:
            lower = _BY_FORM.get(type(node.op.lower))
            if lower is not None:
                try:
                    reason = lower(self, node, node.op.lower)
                except forms.Unsupported as error:
                    reason = str(error) or "not for these operands"
            else:
                reason = "no native code"
        if reason is not None:
            self._call(node, reason)

    def _refused(self, node: ir.Node) -> str | None:
        if node.op.lower is None:
            return "no native code"
        if node.op.stateful:
            return "it has an effect"
        if any(isinstance(attr, ir.Value) for attr in node.attrs.values()):
            return "an attribute is known only at run time"
        lower = node.op.lower
        words = isinstance(lower, MOVES) or (
            isinstance(lower, forms.Pointwise) and lower.complex
            or isinstance(lower, forms.Reduce) and lower.combine in ("sum", "prod"))
        for value in (*node.inputs, *node.outputs):
            name = name_of(value.dtype)
            if name not in LLVM or (name[0] == "c" and not words):
                return f"no native code for {name}"
        return None

    def _call(self, node: ir.Node, reason: str) -> None:
        self.reasons.setdefault(node.op.name, reason)
        kernel = HostCall(node, reason)
        for value in node.operands():
            self.fusion.require_memory(value)
        self.plan.append(kernel)
        for value in node.operands():
            self.fusion.read(kernel, value)
        for value in node.outputs:
            self.plan.define(kernel, value)

    # -- forms -------------------------------------------------------------------------------------
    def _pointwise(self, node: ir.Node, form: forms.Pointwise) -> str | None:
        written, attrs = form.write, node.attrs
        weight = self._tried(node, form)
        if isinstance(weight, str):
            return weight
        if form.divisor is not None:
            self._check_divisor(node.inputs[form.divisor])

        def element(b: Builder, *xs: Val, **index: Any) -> Val:
            return written(b, *xs, **attrs, **index)

        self.fusion.add(Instruction(node.outputs[0], node.inputs, element, weight=weight,
                                  indexed=form.indexed))
        return None

    def _check_divisor(self, divisor: ir.Value) -> None:
        """See that integers are not 0, in a loop of their own: the status word tells NumPy."""
        if divisor.dtype.kind not in "iu" or (
                divisor.const is not None and np.all(divisor.const)):
            return

        def element(b: Builder, x: Val) -> Val:
            good = b.ne(x, b.const(0, x))
            set_error_status(b.code, across(b, "all", good).text)
            return good

        checked = self.plan.fresh(divisor.shape or (), np.dtype(bool))
        self.fusion.add_loop(Instruction(checked, (divisor,), element, weight=99, risky=True))

    def _tried(self, node: ir.Node, form: forms.Pointwise) -> int | str:
        """Write an element into the void: how many lines it takes, or why it cannot be."""
        numbers = [ir.literal_of(self.plan.view_of(x).buffer) for x in node.inputs]
        key: Any = (node.op, tuple([name_of(x.dtype) for x in node.inputs]), repr(numbers),
                    name_of(node.outputs[0].dtype), repr(node.attrs),
                    len(node.outputs[0].shape or ()))
        if key not in self._trial:
            code = Code(Module(self.target), "trial", [])
            b = Builder(code, self.target.lanes(4))
            names = [name_of(x.dtype) for x in node.inputs]
            if not form.half and any(name in HALF for name in names):
                return "half precision is not as float32 here"
            kinds = ["float32" if name in HALF else name for name in names]
            xs = [Val(f"%x{i}", kind) if number is None else b.const(number, kind)
                  for i, (kind, number) in enumerate(zip(kinds, numbers, strict=True))]
            index = {"index": [Val("%p", "int64") for _ in node.outputs[0].shape or ()]
                     } if form.indexed else {}
            try:
                result = form.write(b, *xs, **node.attrs, **index)
                wanted = name_of(node.outputs[0].dtype)
                wanted = "float32" if wanted in HALF else wanted
                self._trial[key] = len(code.lines) + CALL_WEIGHT * sum(
                    "call" in line and "@llvm" not in line for line in code.lines)
                if result.dtype != wanted:
                    self._trial[key] = f"native code gives {result.dtype}, not {wanted}"
            except forms.Unsupported as error:
                self._trial[key] = str(error) or "not for these operands"
        return self._trial[key]

    def _reduce(self, node: ir.Node, form: forms.Reduce) -> str | None:
        x, out = node.inputs[0], node.outputs[0]
        shape: Any = x.shape
        axis = node.attrs.get(form.axis)
        axes = tuple(range(len(shape))) if axis is None else tuple(
            [a % len(shape) for a in ((axis,) if isinstance(axis, int) else axis)])
        dtype = name_of(out.dtype)
        if name_of(x.dtype) != dtype or (form.mean and out.dtype.kind not in "fVc"):
            return "the dtype changes"
        count = 1
        for a in axes:
            count *= shape[a]
        if count == 1:
            view = self.plan.view_of(x).reshaped(out.shape or ())
            if view is None:
                view = self.copied(x).reshaped(out.shape or ())
            assert view is not None
            self.plan.alias(out, view)
            return None
        x = self._spread(x)
        view = self.plan.view_of(x)
        # The same reduction with and without the axes of size 1 is made once.
        key = (view.buffer, view.offset, view.shape, view.strides, axes, form.combine)
        if key not in self._reduced:
            fresh = self.plan.fresh(out.shape or (), out.dtype) if form.mean else out
            self._reduced[key] = fresh
            self.fusion.add(Instruction(fresh, (x,), combine=form.combine, axes=axes))
        total = self._reduced[key]
        if total is not out:
            shaped = self.plan.fresh(out.shape or (), out.dtype)
            again = self.plan.view_of(total).reshaped(out.shape or ())
            assert again is not None
            self.plan.alias(shaped if form.mean else out, again)
            total = shaped
        if form.mean:
            number: float = count
            if dtype == "float16":  # the number is one too, and may be infinite
                with np.errstate(over="ignore"):
                    number = float(np.float16(count))
            self.fusion.add(Instruction(out, (total,), lambda b, s: b.div(s, b.const(number, s))))
        return None

    def _spread(self, x: ir.Value) -> ir.Value:
        """A value that repeats elements, as one that has them all."""
        view = self.plan.view_of(x)
        if all(n == 1 or stride for n, stride in zip(view.shape, view.strides, strict=True)):
            return x
        return self.copied(x).buffer

    def copied(self, x: ir.Value) -> View:
        """The elements of a value in a buffer (or an instruction) of their own."""
        copy = self.plan.fresh(x.shape or (), x.dtype)
        self.fusion.add(Instruction(copy, (x,), lambda b, one: one))
        return self.plan.view_of(copy)

    def _view(self, node: ir.Node, form: forms.View) -> str | None:
        x, out = node.inputs[0], node.outputs[0]
        found = form.view(x.shape, **node.attrs)
        if found is None:
            return "not for these attributes"
        offset, sizes, strides = found
        self.plan.alias(out, self.plan.view_of(x).viewed(offset, tuple(sizes), tuple(strides)))
        return None

    def _reshape(self, node: ir.Node, form: forms.Reshape) -> str | None:
        x, out = node.inputs[0], node.outputs[0]
        view = self.plan.view_of(x).reshaped(out.shape or ())
        if view is None:
            view = self.copied(x).reshaped(out.shape or ())
        assert view is not None
        self.plan.alias(out, view)
        return None

    def _assemble(self, node: ir.Node, form: forms.Assemble) -> str | None:
        out = node.outputs[0]
        found = form.parts([x.shape for x in node.inputs], **node.attrs)
        if found is None:
            return "not for these attributes"
        filling, parts = found
        plan = self.plan
        plan.view_of(out)
        if filling is not None:
            self._fill(node, filling)
        strides = contiguous(out.shape or ())
        for operand, begin, instr, *axes in parts:
            x = node.inputs[operand]
            if 0 in (x.shape or ()):
                continue
            own = axes[0] if axes else range(len(out.shape or ()))
            offset = sum(b * s for b, s in zip(begin, strides, strict=True))
            steps = tuple([0 if a is None else instr[a] * strides[a] for a in own])
            copy = plan.fresh(x.shape or (), x.dtype)
            part = Instruction(copy, (x,), lambda b, one: one,
                               target=View(out, x.shape or (), offset, steps))
            if filling is None:
                self.fusion.add(part)
            else:
                self.fusion.require_memory(x)
                self.fusion.add_loop(part)
        return None

    def _fill(self, node: ir.Node, filling: Any) -> None:
        """Everything gets the filling first; the parts are written over it."""
        plan, out = self.plan, node.outputs[0]
        inputs: tuple = ()
        if isinstance(filling, tuple):
            inputs = (node.inputs[filling[1]],)
            for x in inputs:
                self.fusion.require_memory(x)

            def element(b: Builder, *xs: Val) -> Val:
                return xs[0]
        else:
            dtype = name_of(out.dtype)

            def element(b: Builder, *xs: Val) -> Val:
                return b.const(filling, "float32" if dtype in HALF else dtype)
        instr = Instruction(plan.fresh(out.shape or (), out.dtype), inputs, element,
                            target=whole(out))
        self.fusion.add_loop(instr)

    def _gather(self, node: ir.Node, form: forms.Gather) -> str | None:
        found = form.axes([x.shape for x in node.inputs], **node.attrs)
        if found is None:
            return "not for these attributes"
        axis, batch = found
        if (node.inputs[0].shape or ())[axis] == 0:
            return "nothing to pick from"
        self.fusion.require_memory(node.inputs[0])
        self.fusion.add(Instruction(node.outputs[0], node.inputs[:2],
                                    gather=GatherSpec(axis, batch, form.outside), weight=4))
        return None

    def _kernel(self, node: ir.Node, form: Any, impl: Any, epilogue: bool,
                inputs: tuple | None = None) -> CustomKernel:
        """A kernel with code of its own, and perhaps an epilogue of instructions on its result."""
        kernel = CustomKernel(node, form, impl)
        inputs = node.inputs if inputs is None else inputs
        for x in inputs:
            self.fusion.require_memory(x)
        if epilogue:
            shape: Any = kernel.result.shape
            kernel.epilogue = FusedLoop(tuple([n for n in shape if n > 1]), kernel)
        self.plan.append(kernel)
        for x in inputs:
            self.fusion.read(kernel, x)
        result = kernel.result
        self.plan.view_of(result)
        if kernel.epilogue is not None:
            self.plan.computed[result] = [kernel.epilogue]
        else:
            self.plan.define(kernel, result)
        return kernel

    def _own_code(self, node: ir.Node, form: Any, describe: Callable) -> str | None:
        """A node with code of its own; if its operands do not lie well, on copies of them."""
        found = describe(self, node, form)
        if isinstance(found, str):
            again = ir.Node(node.op, tuple([self._solid(x) for x in node.inputs]), node.attrs,
                            node.where)
            again.outputs = node.outputs
            if again.inputs == node.inputs:
                return found
            found, node = describe(self, again, form), again
            if isinstance(found, str):
                return found
        kernel = self._kernel(getattr(found, "node", node), form, found, epilogue=found.epilogue)
        for value in node.outputs[1:]:
            self.plan.define(kernel, value)
        return None

    def _product(self, node: ir.Node, form: forms.Product) -> str | None:
        from tapeflow.jit.kernels import custom_kernels
        return self._own_code(custom_kernels.unrounded(self, node), form, custom_kernels.product)

    def _scatter(self, node: ir.Node, form: forms.Scatter) -> str | None:
        from tapeflow.jit.kernels import custom_kernels
        return self._own_code(node, form, custom_kernels.scatter)

    def _scan(self, node: ir.Node, form: forms.Scan) -> str | None:
        from tapeflow.jit.kernels import scan
        return self._own_code(node, form, scan.scan)

    def _sort(self, node: ir.Node, form: forms.Sort) -> str | None:
        from tapeflow.jit.kernels import sorting_codegen
        return self._own_code(node, form, sorting_codegen.sort)

    def _matrix_routine(self, node: ir.Node, form: forms.MatrixRoutine) -> str | None:
        from tapeflow.jit.kernels.small_matrix import matrix_stack
        return self._own_code(node, form, matrix_stack.matrix_routine)

    def _loop(self, node: ir.Node, form: forms.Loop) -> str | None:
        from tapeflow.jit.codegen import control_flow_codegen
        return self._control(node, form, control_flow_codegen.loop(self, node, form))

    def _branch(self, node: ir.Node, form: forms.Branch) -> str | None:
        from tapeflow.jit.codegen import control_flow_codegen
        return self._control(node, form, control_flow_codegen.branch(self, node, form))

    def _control(self, node: ir.Node, form: Any, found: Any) -> str | None:
        if isinstance(found, str):
            return found
        found.inputs = tuple([x if self.plan.view_of(x).dense else self._solid(x)
                              for x in node.inputs])
        kernel = self._kernel(node, form, found, False, found.inputs)
        for value in node.outputs[1:]:
            self.plan.define(kernel, value)
        return None

    def _solid(self, x: ir.Value) -> ir.Value:
        """A value whose elements lie one behind the other in memory."""
        if self.plan.view_of(x).whole:
            return x
        copy = self.copied(x).buffer
        self.fusion.require_memory(copy)
        return copy

    def _draw(self, node: ir.Node, form: forms.Draw) -> str | None:
        from tapeflow.jit.kernels import philox_codegen
        return self._own_code(node, form, philox_codegen.draw)

    def _window(self, node: ir.Node, form: forms.Window) -> str | None:
        from tapeflow.jit.kernels import custom_kernels
        return self._own_code(node, form, custom_kernels.window)


_BY_FORM: dict[type, Callable[[Lowering, ir.Node, Any], str | None]] = {
    forms.Pointwise: Lowering._pointwise, forms.Reduce: Lowering._reduce,
    forms.View: Lowering._view, forms.Reshape: Lowering._reshape,
    forms.Assemble: Lowering._assemble, forms.Gather: Lowering._gather,
    forms.Scatter: Lowering._scatter, forms.Scan: Lowering._scan,
    forms.Sort: Lowering._sort, forms.Draw: Lowering._draw,
    forms.Product: Lowering._product, forms.MatrixRoutine: Lowering._matrix_routine,
    forms.Window: Lowering._window, forms.Loop: Lowering._loop, forms.Branch: Lowering._branch}
