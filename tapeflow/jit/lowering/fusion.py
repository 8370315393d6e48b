"""Which instructions run in one loop nest: a graph becomes a list of kernels.

A FusedLoop is a loop nest over a domain, a list of sizes (`dims`). Each value that it computes has
a dim for each of its axes, or None where it has size 1: so a transposed value is computed in the
same nest as the one it comes from. A reduction over the inner dims is known at the end of each row,
and the row may go on with it (softmax); other reductions are complete when the fused loop is.
Everything else is a kernel of its own: a matrix product, a call of an op's NumPy kernel.

Kernels run in the order of `order`. An instruction goes into the kernel of its latest operand if it
fits there. Instructions on the graph's inputs alone are inlinable: each user computes them itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.views import View, contiguous, whole

OUTSIDE = object()
DEEP = 12  # inlinable instructions on top of each other
# Instructions of a fused loop, and of one of scalars alone: beyond, compilers suffer.
MANY, MANY_SCALARS = 160, 640
FEW_ROWS, SMALL = 4, 8192  # a row may go on if there are rows, or few elements altogether

INLINE = Choice("fusion.inline", (False, True))  # whether users compute an instruction themselves
LOOP = Choice("fusion.loop", ("nest", "epilogue", "new"))  # where an instruction is computed
ROWS = Choice("fusion.rows", (False, True))  # whether a row goes on with its own reduction
PULL = Choice("fusion.pull", (False, True))  # whether one is computed (again) by this user
OPERAND = Choice("fusion.operand", ("own", "memory", "memory of its own"))


class Instruction:
    """One value of a fused loop: `write(b, *xs)` of its operands, or a combination along axes.

    combine  of a reduction: sum, prod, max, min, any, all; `axes`: the operand's axes
    rows     of a gather: (axis, batch_dims, outside); operand 0 is read where operand 1 says
    target   of a part: where its elements go in the value that is put together
    weight   about how many instructions
    """

    __slots__ = ("axes", "combine", "depth", "indexed", "inputs", "out", "rows", "target", "weight",
                 "write")

    def __init__(self, out: ir.Value, inputs: tuple, write: Callable | None = None, *,
                 combine: str | None = None, axes: tuple = (), rows: tuple | None = None,
                 target: View | None = None, weight: int = 1, indexed: bool = False):
        self.out, self.inputs, self.write = out, inputs, write
        self.combine, self.axes, self.rows, self.target = combine, axes, rows, target
        self.weight, self.indexed, self.depth = weight, indexed, 0


class Kernel:
    """Something that runs: `reads` and `makes` are buffers."""

    def __init__(self) -> None:
        self.order = 0.0
        self.reads: dict[ir.Value, None] = {}
        self.makes: dict[ir.Value, None] = {}


class HostCall(Kernel):
    """A node whose kernel is called."""

    def __init__(self, node: ir.Node, reason: str):
        super().__init__()
        self.node, self.reason = node, reason


class CustomKernel(Kernel):
    """A node with code of its own: a product, a window, a scatter. `form` describes it."""

    def __init__(self, node: ir.Node, form: Any, impl: Any):
        super().__init__()
        self.node, self.form, self.impl = node, form, impl
        self.result: ir.Value = node.outputs[0]
        self.epilogue: FusedLoop | None = None  # done on each element before it is stored


class FusedLoop(Kernel):
    """A fused loop. `axes`: for each value computed here, a dim (or None) for each of its axes."""

    def __init__(self, dims: tuple[int, ...], head: CustomKernel | None = None):
        super().__init__()
        self.dims = dims
        self.head = head  # the kernel whose result is computed on, element by element
        self.instructions: list[Instruction] = []
        self.axes: dict[ir.Value, tuple] = {}
        self.reduced: dict[ir.Value, frozenset[int]] = {}
        self.domains: dict[ir.Value, tuple] = {}  # of reductions: the dims of their operand's axes
        self.inner: frozenset[int] | None = None
        self.forced: set[tuple[ir.Value, int]] = set()  # operands from memory, though computed here
        self.outside: dict[ir.Value, tuple] = {}  # values from outside: the dims of their axes
        if head is not None:
            spread = iter(range(len(dims)))
            self.axes[head.result] = tuple([
                next(spread) if n > 1 else None for n in head.result.shape or ()])

    def within(self, instr: Instruction, position: int, buffer: ir.Value) -> bool:
        """Whether an instruction takes an operand from the fused loop itself, not from memory."""
        return buffer in self.axes and (instr.out, position) not in self.forced

    def dims_of(self, value: ir.Value) -> frozenset[int]:
        return frozenset(d for d in self.axes[value] if d is not None)


def parts(kernel: Kernel) -> list[Kernel]:
    """A kernel, and its epilogue if it has one: each reads and makes buffers."""
    epilogue = getattr(kernel, "epilogue", None)
    return [kernel] if epilogue is None else [kernel, epilogue]


class Plan:
    """Units of a graph, and for every value what it is a view of."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []
        self.frozen = False
        self.views: dict[ir.Value, View] = {}
        self.home: dict[ir.Value, list[Kernel]] = {}  # buffer -> the kernels that store it
        self.computed: dict[ir.Value, list[FusedLoop]] = {}  # buffer -> fused loops that compute it
        self.inlinable: dict[ir.Value, Instruction] = {}
        self.stored: dict[ir.Value, None] = {}  # buffers that need memory

    # -- values ----------------------------------------------------------------------------------
    def view_of(self, value: ir.Value) -> View:
        view = self.views.get(value)
        if view is None:
            view = self.views[value] = whole(value)
        return view

    def fresh(self, shape: tuple, dtype: Any) -> ir.Value:
        return ir.Value(shape, dtype)

    def _known(self, buffer: ir.Value) -> bool:
        """Whether a buffer is there from the start: an input, a variable, a constant."""
        return buffer not in self.home and buffer not in self.computed and (
            buffer not in self.inlinable)

    def order_of(self, value: ir.Value) -> float:
        """The order of the kernel after which a value is known."""
        buffer = self.view_of(value).buffer
        instr = self.inlinable.get(buffer)
        if instr is not None:
            return max([self.order_of(x) for x in instr.inputs], default=0.0)
        kernels = self.home.get(buffer) or self.computed.get(buffer)
        return max([kernel.order for kernel in kernels]) if kernels else 0.0

    def freeze(self) -> Plan:
        """The same plan; from now on no kernel and no instruction is added."""
        self.frozen = True
        return self

    # -- kernels ---------------------------------------------------------------------------------
    def append(self, kernel: Kernel) -> Kernel:
        assert not self.frozen
        kernel.order = self.kernels[-1].order + 1.0 if self.kernels else 1.0
        self.kernels.append(kernel)
        if isinstance(kernel, CustomKernel) and kernel.epilogue is not None:
            kernel.epilogue.order = kernel.order
        return kernel

    def _before(self, kernel: Kernel, other: Kernel) -> None:
        at = next(i for i, one in enumerate(self.kernels) if one is other)
        low = self.kernels[at - 1].order if at else 0.0
        kernel.order = (low + other.order) / 2
        self.kernels.insert(at, kernel)

    def read(self, kernel: Kernel, value: ir.Value) -> None:
        """A kernel reads a value from memory."""
        buffer = self.view_of(value).buffer
        if buffer in self.inlinable and buffer not in self.home:
            self.materialise(buffer, kernel)
        if not self._known(buffer):
            self.store(buffer)
        kernel.reads[buffer] = None

    def store(self, buffer: ir.Value) -> None:
        """A buffer gets memory, in the first fused loop that computes it."""
        if buffer in self.stored:
            return
        self.stored[buffer] = None
        if buffer not in self.home:
            fused = min(self.computed[buffer], key=lambda one: one.order)
            self.home[buffer] = [fused]
            fused.makes[buffer] = None

    def materialise(self, buffer: ir.Value, before: Kernel | None = None) -> None:
        """Compute an inlinable instruction in a loop, before a kernel that is there already."""
        instr = self.inlinable.pop(buffer)
        if any(before is None or one.order < before.order
               for one in self.computed.get(buffer, ())):
            self.store(buffer)
            return
        anchor: Any = before.head if isinstance(before, FusedLoop) and before.head else before
        if anchor is not None and any(one is anchor for one in self.kernels):
            self.add_loop(instr, anchor)
        else:
            self.place(instr)
        self.store(buffer)

    def add_loop(self, instr: Instruction, before: Kernel | None = None) -> None:
        """Compute an instruction in a fused loop of its own: before a kernel, or at the end."""
        fused = self._new_loop(instr)
        if before is None:
            self.append(fused)
        else:
            self._before(fused, before)
        self._add(fused, instr, self._default(fused, instr))

    # -- placing instructions ----------------------------------------------------------------------
    def put(self, instr: Instruction) -> None:
        """A new instruction: it is inlinable if it may be, or goes into a fused loop."""
        buffers = [self.view_of(x).buffer for x in instr.inputs]
        light = instr.combine is None and instr.target is None and instr.rows is None
        if light and all(self._known(r) or r in self.inlinable for r in buffers):
            instr.depth = 1 + max([self.inlinable[r].depth for r in buffers
                                   if r in self.inlinable], default=0)
            if INLINE(instr.depth <= DEEP, (False, instr.depth <= DEEP)):
                self.inlinable[instr.out] = instr
                return
        self.place(instr)

    def place(self, instr: Instruction) -> FusedLoop:
        """Put an instruction into the best fused loop for it."""
        least = max([self.order_of(x) for x in instr.inputs], default=0.0)
        for fused in self._candidates(instr, least):
            axes = self._fit(fused, instr)
            if axes is not None:
                how = "nest" if fused.head is None else "epilogue"
                if LOOP(how, (how, "new")) == "new":
                    break
                self._add(fused, instr, axes)
                return fused
        else:
            LOOP("new")
        fused = self._new_loop(instr)
        self.append(fused)
        self._add(fused, instr, self._default(fused, instr))
        return fused

    def _candidates(self, instr: Instruction, least: float) -> Iterator[FusedLoop]:
        domain = tuple([n for n in self._domain(instr) if n > 1])
        for kernel in reversed(self.kernels):
            if kernel.order < least:
                return
            fused = kernel.epilogue if isinstance(kernel, CustomKernel) else kernel
            if not isinstance(fused, FusedLoop) or len(fused.instructions) >= (
                    MANY if fused.dims else MANY_SCALARS):
                continue
            related = kernel.order == least and any(
                self.view_of(x).buffer in fused.axes for x in instr.inputs)
            shared = fused.dims == domain and fused.head is None and (
                not domain or any(one in fused.reads for one in self._leaves(instr)))
            if related or shared:
                yield fused

    def _leaves(self, instr: Instruction) -> set[ir.Value]:
        """The buffers that an instruction and the inlinable ones below it read."""
        found: set[ir.Value] = set()
        open_ = [instr]
        while open_:
            for x in open_.pop().inputs:
                buffer = self.view_of(x).buffer
                if buffer in self.inlinable:
                    open_.append(self.inlinable[buffer])
                else:
                    found.add(buffer)
        return found

    @staticmethod
    def _domain(instr: Instruction) -> tuple:
        shape: Any = instr.inputs[0].shape if instr.combine is not None else instr.out.shape
        return shape

    def _new_loop(self, instr: Instruction) -> FusedLoop:
        return FusedLoop(tuple([n for n in self._domain(instr) if n > 1]))

    def _default(self, fused: FusedLoop, instr: Instruction) -> tuple:
        """Axes of the domain, when the fused loop's dims are this instruction's."""
        count = itertools.count()
        return tuple([next(count) if n > 1 else None for n in self._domain(instr)])

    def _fit(self, fused: FusedLoop, instr: Instruction) -> tuple | None:
        """The dims of the axes of an instruction's domain, if it fits into a fused loop."""
        shape = self._domain(instr)
        axes: list[int | None] = [None] * len(shape)
        if fused.head is not None and (instr.combine is not None or instr.rows is not None):
            return None
        if fused.head is not None and instr.weight > 4 and (fused.head.result.shape or (1,))[
                -1] < 4:
            return None  # a fused loop has vectors where a product of few columns has numbers
        pending = None
        for position, x in enumerate(instr.inputs):
            if instr.rows is not None and position == 0:
                if self.view_of(x).buffer in fused.axes or self.order_of(x) >= fused.order:
                    return None
                continue
            mine = self._axes_in(fused, x)
            if mine is None:
                return None
            if mine is OUTSIDE:
                if self.order_of(x) >= fused.order:
                    return None  # it is put together here, or later
                continue
            buffer = self.view_of(x).buffer
            if buffer in fused.reduced:
                done = fused.reduced[buffer]
                outer = frozenset(range(len(fused.dims))) - done
                if fused.dims_of(buffer) != outer or not self._goes_on(fused, done, pending):
                    return None
                pending = done
            for a, dim in self.aligned(instr, position, mine, len(shape)):
                if dim is None or shape[a] == 1:
                    continue
                if axes[a] is None:
                    axes[a] = dim
                elif axes[a] != dim:
                    return None
        taken = {d for d in axes if d is not None}
        if len(taken) != sum(d is not None for d in axes):
            return None
        self._familiar(fused, instr, shape, axes, taken)
        for a in reversed(range(len(shape))):
            if shape[a] > 1 and axes[a] is None:
                free = [d for d, n in enumerate(fused.dims) if n == shape[a] and d not in taken]
                if not free:
                    return None
                axes[a] = free[-1]
                taken.add(free[-1])
        if fused.head is not None and len(taken) != len(fused.dims):
            return None
        if instr.combine is not None and taken != set(range(len(fused.dims))) and (
                fused.inner is None or taken != set(range(len(fused.dims))) - fused.inner):
            return None  # it would take in each element once for every iteration of another loop
        if pending is not None:
            fused.inner = pending
        return tuple(axes)

    def _goes_on(self, fused: FusedLoop, done: frozenset[int], pending: Any) -> bool:
        """Whether a row may use a reduction over these dims."""
        if fused.inner not in (None, done) or pending not in (None, done) or not done:
            return False
        rows = elements = 1
        for d, n in enumerate(fused.dims):
            elements *= n
            rows *= 1 if d in done else n
        # Rows whose elements are not contiguous are slower than a fused loop for each reduction.
        better = (rows >= FEW_ROWS and len(fused.dims) - 1 in done) or elements <= SMALL
        return bool(ROWS(better, (False, True)))

    def _axes_in(self, fused: FusedLoop, x: ir.Value) -> Any:
        """Dims of an operand's axes in a fused loop; None if it is seen there in another way."""
        view = self.view_of(x)
        mine = fused.axes.get(view.buffer)
        if mine is None:
            return OUTSIDE
        if view.axes is None:
            return None
        return tuple([None if k is None else mine[k] for k in view.axes])

    @staticmethod
    def aligned(instr: Instruction, position: int, axes: tuple, rank: int) -> Iterator[tuple]:
        """(axis of the instruction's domain, dim) for each axis of an operand."""
        if instr.rows is not None:
            # The index axes stand in the result where the picked axis was.
            axis, batch, _ = instr.rows
            for k, dim in enumerate(axes):
                yield (k if k < batch else axis + k - batch), dim
            return
        begin = rank - len(axes)
        for k, dim in enumerate(axes):
            yield begin + k, dim

    def _familiar(self, fused: FusedLoop, instr: Instruction, shape: tuple, axes: list,
                  taken: set) -> None:
        """Give axes of operands from outside the dims that they have in this fused loop already."""
        for position, x in enumerate(instr.inputs):
            known = fused.outside.get(self.view_of(x).buffer)
            if known is None or instr.rows is not None or len(known) != len(x.shape or ()):
                continue
            for a, dim in self.aligned(instr, position, known, len(shape)):
                if dim is not None and axes[a] is None and dim not in taken and (
                        fused.dims[dim] == shape[a]):
                    axes[a] = dim
                    taken.add(dim)

    def _add(self, fused: FusedLoop, instr: Instruction, axes: tuple) -> None:
        """Compute an instruction in a fused loop, with the dims of its domain's axes."""
        assert not self.frozen
        self._settle_inputs(fused, instr, axes)
        if instr.combine is not None:
            fused.domains[instr.out] = axes
            fused.reduced[instr.out] = frozenset(
                axes[a] for a in instr.axes if axes[a] is not None)
            kept = [None if a in instr.axes else d for a, d in enumerate(axes)]
            if len(instr.out.shape or ()) != len(axes):
                kept = [d for a, d in enumerate(axes) if a not in instr.axes]
            axes = tuple(kept)
        fused.axes[instr.out] = axes
        fused.instructions.append(instr)
        self.computed.setdefault(instr.out, []).append(fused)
        if instr.target is not None:
            buffer = instr.target.buffer
            self.home.setdefault(buffer, []).append(fused)
            self.stored[buffer] = None
            fused.makes[buffer] = None

    def _settle_inputs(self, fused: FusedLoop, instr: Instruction, axes: tuple) -> None:
        """See that operands are computed here or in memory before."""
        for position, x in enumerate(instr.inputs):
            view = self.view_of(x)
            buffer = view.buffer
            if ir.literal_of(buffer) is not None:
                continue
            gathered = instr.rows is not None and position == 0
            mine = self._axes_in(fused, x)
            if mine is not OUTSIDE:
                if not gathered and self._agrees(instr, position, mine, axes):
                    OPERAND("own")
                    continue
                OPERAND("memory of its own")
                fused.forced.add((instr.out, position))
                if buffer in self.inlinable:
                    self.materialise(buffer, fused)
            if mine is OUTSIDE and buffer in self.inlinable and not gathered and self._pulls(
                    fused, buffer, view):
                own = self._pulled_axes(instr, position, view, axes)
                self._add(fused, self.inlinable[buffer], own)
                continue
            if mine is OUTSIDE:
                OPERAND("memory")
            self.read(fused, x)
            if not gathered:
                dims = [None] * len(x.shape or ())
                for k, (a, _) in enumerate(self.aligned(instr, position, tuple(dims), len(axes))):
                    if (x.shape or ())[k] > 1:
                        dims[k] = axes[a]
                fused.outside.setdefault(buffer, tuple(dims))

    def _agrees(self, instr: Instruction, position: int, mine: tuple | None, axes: tuple) -> bool:
        """Whether an operand computed here has the dims that an instruction wants it to have."""
        return mine is not None and all(dim is None or dim == axes[a] for a, dim in self.aligned(
            instr, position, mine, len(axes)))

    def _pulls(self, fused: FusedLoop, buffer: ir.Value, view: View) -> bool:
        """Whether an inlinable instruction is computed (once more) in this fused loop."""
        if view.axes is None or len(fused.instructions) >= 2 * MANY:
            return False
        if fused.head is not None and self._weight(buffer) > 4 and (
                buffer.shape != fused.head.result.shape):
            return False  # it would be computed for every element
        before = [one for one in self.computed.get(buffer, ()) if one.order < fused.order]
        better = not before or self._weight(buffer) <= 4 or not buffer.shape
        return bool(PULL(better, (False, True)))

    def _weight(self, buffer: ir.Value) -> int:
        instr = self.inlinable.get(buffer)
        if instr is None:
            return 0
        return instr.weight + sum(self._weight(self.view_of(x).buffer) for x in instr.inputs)

    def _pulled_axes(self, instr: Instruction, position: int, view: View, axes: tuple) -> tuple:
        """The dims of an inlinable buffer's axes, from those of the instruction that needs it."""
        mine: list[int | None] = [None] * len(view.buffer.shape or ())
        shape: Any = view.shape
        for k, (a, _) in enumerate(self.aligned(instr, position, (None,) * len(shape), len(axes))):
            axis = (view.axes or ())[k]
            if axis is not None and shape[k] > 1:
                mine[axis] = axes[a]
        return tuple(mine)


def strides_by_dim(shape: tuple, strides: tuple, axes: tuple) -> dict[int, int]:
    """The stride along each dim, in elements."""
    found: dict[int, int] = {}
    for n, stride, dim in zip(shape, strides, axes, strict=True):
        if dim is not None and n > 1 and stride:
            found[dim] = found.get(dim, 0) + stride
    return found


def plain(value: ir.Value) -> tuple[int, ...]:
    return contiguous(value.shape or ())
