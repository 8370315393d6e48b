"""The plan of a function: its kernels in the order in which they run, and what each value is.

A FusedLoop is a loop nest over a domain, a list of sizes (`dims`). Each value that it computes has
a dim for each of its axes, or None where it has size 1: so a transposed value is computed in the
same loop as the one it comes from. A reduction over the inner dims is known at the end of each row,
and the row may go on with it (softmax); other reductions are complete when the fused loop is.
Everything else is a kernel of its own: a matrix product, a call of an op's NumPy kernel.

A Plan only holds; what goes where is decided in `fusion`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tapeflow.graph import ir
from tapeflow.jit.lowering.views import View, contiguous, whole

State = tuple[tuple[int, int], ...]  # (input, output): inputs changed in place to what outputs are
START = -1  # the position of what is known before the first kernel runs


class GatherSpec(NamedTuple):
    """How an instruction reads operand 0 where operand 1 says.

    axis, batch_dims  as those of tf.gather
    outside           what an index out of range gives: "error" or "zero"
    """

    axis: int
    batch_dims: int
    outside: str


class Instruction:
    """One value of a fused loop: `write(b, *xs)` of its operands, or a combination along axes.

    combine  of a reduction: sum, prod, max, min, any, all; `axes`: the operand's axes
    gather   of a gather: which axis is picked from
    target   of a part: where its elements go in the value that is put together
    weight   about how many machine instructions
    indexed  whether `write` asks for the index of the element
    risky    whether `write` sets the status word
    depth    of an inlinable one: how many stand on top of each other
    """

    __slots__ = ("axes", "combine", "depth", "gather", "indexed", "inputs", "out", "risky",
                 "target", "weight", "write")

    def __init__(self, out: ir.Value, inputs: tuple, write: Callable | None = None, *,
                 combine: str | None = None, axes: tuple = (), gather: GatherSpec | None = None,
                 target: View | None = None, weight: int = 1, indexed: bool = False,
                 risky: bool = False):
        self.out, self.inputs, self.write = out, inputs, write
        self.combine, self.axes, self.gather, self.target = combine, axes, gather, target
        self.weight, self.indexed, self.risky, self.depth = weight, indexed, risky, 0

    @property
    def domain(self) -> tuple:
        """The sizes that it runs over: of a reduction its operand's, else its value's."""
        shape: Any = self.inputs[0].shape if self.combine is not None else self.out.shape
        return shape

    @property
    def elementwise(self) -> bool:
        """Whether it makes one element of one element of each operand."""
        return self.combine is None and self.gather is None

    def picks_from(self, position: int) -> bool:
        """Whether an operand is what a gather picks from: it is read anywhere."""
        return self.gather is not None and position == 0

    def aligned(self, position: int, axes: tuple) -> Iterable[tuple[int, Any]]:
        """(axis of the domain, what `axes` has there) for each axis of an operand."""
        if self.gather is not None:
            # The index axes stand in the result where the picked axis was.
            axis, batch, _ = self.gather
            return [(k if k < batch else axis + k - batch, one) for k, one in enumerate(axes)]
        return enumerate(axes, len(self.domain) - len(axes))


class Kernel:
    """Something that runs, the `position`-th of the plan; `reads` and `makes` are buffers."""

    def __init__(self) -> None:
        self.position = START
        self.reads: dict[ir.Value, None] = {}
        self.makes: dict[ir.Value, None] = {}


class HostCall(Kernel):
    """A node whose NumPy kernel is called."""

    def __init__(self, node: ir.Node, reason: str):
        super().__init__()
        self.node, self.reason = node, reason


class CustomKernel(Kernel):
    """A node with code of its own: a product, a window, a scatter. `form` describes it.

    prologue  computes an operand element by element, where the kernel copies it
    epilogue  is done on each element of the result before it is stored
    """

    def __init__(self, node: ir.Node, form: Any, impl: Any):
        super().__init__()
        self.node, self.form, self.impl = node, form, impl
        self.result: ir.Value = node.outputs[0]
        self.prologue: FusedLoop | None = None
        self.epilogue: FusedLoop | None = None


class FusedLoop(Kernel):
    """Instructions in one loop nest, or those of a prologue or an epilogue.

    dims      sizes of the loops
    head      of an epilogue: the kernel whose result is computed on, element by element
    axes      for each value computed here, a dim (or None) for each of its axes
    reduced   of reductions: the dims over which they run
    domains   of reductions: the dims of their operand's axes
    inner     dims of a row that goes on with its own reductions
    forced    operands (of which value, at which position) from memory, though computed here
    outside   values from outside: the dims of their axes
    """

    def __init__(self, dims: tuple[int, ...], head: CustomKernel | None = None):
        super().__init__()
        self.dims, self.head = dims, head
        self.instructions: list[Instruction] = []
        self.axes: dict[ir.Value, tuple] = {}
        self.reduced: dict[ir.Value, frozenset[int]] = {}
        self.domains: dict[ir.Value, tuple] = {}
        self.inner: frozenset[int] | None = None
        self.forced: set[tuple[ir.Value, int]] = set()
        self.outside: dict[ir.Value, tuple] = {}
        if head is not None:
            self.axes[head.result] = axes_in_order(head.result.shape or ())

    def within(self, instr: Instruction, position: int, buffer: ir.Value) -> bool:
        """Whether an instruction takes an operand from the fused loop itself, not from memory."""
        return buffer in self.axes and (instr.out, position) not in self.forced

    def domain_axes(self, instr: Instruction) -> tuple:
        """The dims of the axes of an instruction's domain."""
        return (self.axes if instr.combine is None else self.domains)[instr.out]

    def dims_of(self, value: ir.Value) -> frozenset[int]:
        return frozenset(d for d in self.axes[value] if d is not None)


def parts(kernel: Kernel) -> list[Kernel]:
    """A kernel, its prologue and its epilogue if it has them: each reads and makes buffers."""
    if not isinstance(kernel, CustomKernel):
        return [kernel]
    beside: list[Kernel] = [one for one in (kernel.prologue, kernel.epilogue) if one is not None]
    return [kernel, *beside]


class Plan:
    """Kernels of a function, and for every value what it is a view of.

    kernels    in the order in which they run; each has its index as `position`
    home       buffer -> the kernels that store it
    computed   buffer -> fused loops that compute it
    inlinable  buffer -> the instruction that each of its users computes itself
    stored     buffers that need memory
    """

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []
        self.frozen = False
        self.views: dict[ir.Value, View] = {}
        self.home: dict[ir.Value, list[Kernel]] = {}
        self.computed: dict[ir.Value, list[FusedLoop]] = {}
        self.inlinable: dict[ir.Value, Instruction] = {}
        self.stored: dict[ir.Value, None] = {}

    def freeze(self) -> Plan:
        """The same plan; from now on no kernel and no instruction is added."""
        self.frozen = True
        return self

    # -- values ------------------------------------------------------------------------------------
    def view_of(self, value: ir.Value) -> View:
        view = self.views.get(value)
        if view is None:
            view = self.views[value] = whole(value)
        return view

    def alias(self, value: ir.Value, view: View) -> None:
        """A value is a view of another one's buffer."""
        self.views[value] = view

    def fresh(self, shape: tuple, dtype: Any) -> ir.Value:
        return ir.Value(shape, dtype)

    def is_given(self, buffer: ir.Value) -> bool:
        """Whether a buffer is there from the start: an input, a variable, a constant."""
        return buffer not in self.home and buffer not in self.computed and (
            buffer not in self.inlinable)

    def define(self, kernel: Kernel, value: ir.Value) -> None:
        """A kernel makes a value, in memory of its own."""
        self.view_of(value)
        self.home[value] = [kernel]
        self.stored[value] = None
        kernel.makes[value] = None

    def position_of(self, value: ir.Value) -> int:
        """The position of the last kernel that must run before a value is known."""
        buffer = self.view_of(value).buffer
        instr = self.inlinable.get(buffer)
        if instr is not None:
            return max([self.position_of(x) for x in instr.inputs], default=START)
        kernels = self.home.get(buffer) or self.computed.get(buffer)
        return max([kernel.position for kernel in kernels]) if kernels else START

    # -- kernels -----------------------------------------------------------------------------------
    def append(self, kernel: Kernel) -> None:
        """A kernel runs after all that are there."""
        self._insert(len(self.kernels), kernel)

    def insert_before(self, kernel: Kernel, other: Kernel) -> None:
        """A kernel runs just before another one, or before the kernel whose epilogue it is."""
        self._insert(other.position, kernel)

    def insert_after(self, kernel: Kernel, other: Kernel) -> None:
        """A kernel runs just after another one."""
        self._insert(other.position + 1, kernel)

    def remove(self, kernel: Kernel) -> None:
        """A kernel that computes nothing any more does not run."""
        assert not self.frozen
        self.kernels.pop(kernel.position)
        self._number(kernel.position)

    def _insert(self, at: int, kernel: Kernel) -> None:
        assert not self.frozen
        self.kernels.insert(at, kernel)
        self._number(at)

    def _number(self, at: int) -> None:
        for position in range(at, len(self.kernels)):
            for part in parts(self.kernels[position]):
                part.position = position


def axes_in_order(shape: tuple) -> tuple[int | None, ...]:
    """A dim for each axis, in order; None where the size is 1."""
    dims = iter(range(len(shape)))
    return tuple([next(dims) if n > 1 else None for n in shape])


def strides_by_dim(shape: tuple, strides: tuple, axes: tuple) -> dict[int, int]:
    """The stride along each dim, in elements."""
    found: dict[int, int] = {}
    for n, stride, dim in zip(shape, strides, axes, strict=True):
        if dim is not None and n > 1 and stride:
            found[dim] = found.get(dim, 0) + stride
    return found


def strides_of(buffer: ir.Value, axes: tuple) -> dict[int, int]:
    """The stride along each dim of a buffer whose axes have these dims."""
    shape = buffer.shape or ()
    return strides_by_dim(shape, contiguous(shape), axes)
