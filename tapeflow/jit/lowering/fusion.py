"""Which ops run in one loop nest: a graph becomes a list of units.

A Region is a loop nest over a domain, a list of sizes (`dims`). Each value that it computes has a
dim for each of its axes, or None where it has size 1: so a transposed value is computed in the same
nest as the one it comes from. A reduction over the nest's inner dims is known at the end of each
row, and the row may go on with it (softmax); other reductions are complete when the nest is.
Everything else is a unit of its own: a matrix product, a call of a kernel.

Units run in the order of `order`. A step goes into the unit of its latest operand if it fits there.
Steps on the graph's inputs alone float until somebody needs them, and are computed there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.views import Seen, contiguous, whole

OUTSIDE = object()
DEEP = 12  # steps on top of each other that may float
MANY, MANY_NUMBERS = 160, 640  # steps of a nest, of numbers alone: beyond, compilers suffer
FEW_ROWS, SMALL = 4, 8192  # a row may go on if there are rows, or few elements altogether

FLOAT = Choice("regions.float", (False, True))  # whether steps on inputs wait for their users
PLACE = Choice("regions.place", ("nest", "tail", "new"))  # where a step is computed
ROWS = Choice("regions.rows", (False, True))  # whether a row goes on with its own reduction
PULL = Choice("regions.pull", (False, True))  # whether a floating step is computed by its user
OPERAND = Choice("regions.operand", ("own", "memory", "memory of its own"))


class Step:
    """One value of a region: `write(b, *xs)` of its operands, or a combination along axes.

    combine  of a reduction: sum, prod, max, min, any, all; `axes`: the operand's axes
    rows     of a gather: (axis, batch_dims, outside); operand 0 is read where operand 1 says
    target   of a part: where its elements go in the value that is put together
    weight   about how many instructions
    """

    __slots__ = ("axes", "combine", "depth", "inputs", "out", "places", "rows", "target", "weight",
                 "write")

    def __init__(self, out: ir.Value, inputs: tuple, write: Callable | None = None, *,
                 combine: str | None = None, axes: tuple = (), rows: tuple | None = None,
                 target: Seen | None = None, weight: int = 1, places: bool = False):
        self.out, self.inputs, self.write = out, inputs, write
        self.combine, self.axes, self.rows, self.target = combine, axes, rows, target
        self.weight, self.places, self.depth = weight, places, 0


class Unit:
    """Something that runs: `reads` and `makes` are roots."""

    def __init__(self) -> None:
        self.order = 0.0
        self.reads: dict[ir.Value, None] = {}
        self.makes: dict[ir.Value, None] = {}


class Call(Unit):
    """A node whose kernel is called."""

    def __init__(self, node: ir.Node, reason: str):
        super().__init__()
        self.node, self.reason = node, reason


class Kernel(Unit):
    """A node with code of its own: a product, a window, a scatter. `form` describes it."""

    def __init__(self, node: ir.Node, form: Any, about: Any):
        super().__init__()
        self.node, self.form, self.about = node, form, about
        self.result: ir.Value = node.outputs[0]
        self.tail: Region | None = None  # steps done on each element before it is stored


class Region(Unit):
    """A loop nest. `axes`: for each value computed here, a dim (or None) for each of its axes."""

    def __init__(self, dims: tuple[int, ...], head: Kernel | None = None):
        super().__init__()
        self.dims = dims
        self.head = head  # the kernel whose result is computed on, element by element
        self.steps: list[Step] = []
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

    def within(self, step: Step, position: int, root: ir.Value) -> bool:
        """Whether a step takes an operand from the nest itself, not from memory."""
        return root in self.axes and (step.out, position) not in self.forced

    def dims_of(self, value: ir.Value) -> frozenset[int]:
        return frozenset(d for d in self.axes[value] if d is not None)


class Plan:
    """Units of a graph, and for every value what it is a view of."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.seen: dict[ir.Value, Seen] = {}
        self.home: dict[ir.Value, list[Unit]] = {}  # root -> the units that store it
        self.computed: dict[ir.Value, list[Region]] = {}  # root -> regions that compute it
        self.floating: dict[ir.Value, Step] = {}
        self.stored: dict[ir.Value, None] = {}  # roots that need memory

    # -- values ----------------------------------------------------------------------------------
    def look(self, value: ir.Value) -> Seen:
        seen = self.seen.get(value)
        if seen is None:
            seen = self.seen[value] = whole(value)
        return seen

    def fresh(self, shape: tuple, dtype: Any) -> ir.Value:
        return ir.Value(shape, dtype)

    def _known(self, root: ir.Value) -> bool:
        """Whether a root is there from the start: an input, a variable, a constant."""
        return root not in self.home and root not in self.computed and (
            root not in self.floating)

    def order_of(self, value: ir.Value) -> float:
        """The order of the unit after which a value is known."""
        root = self.look(value).root
        step = self.floating.get(root)
        if step is not None:
            return max([self.order_of(x) for x in step.inputs], default=0.0)
        units = self.home.get(root) or self.computed.get(root)
        return max([unit.order for unit in units]) if units else 0.0

    # -- units -----------------------------------------------------------------------------------
    def append(self, unit: Unit) -> Unit:
        unit.order = self.units[-1].order + 1.0 if self.units else 1.0
        self.units.append(unit)
        if isinstance(unit, Kernel) and unit.tail is not None:
            unit.tail.order = unit.order
        return unit

    def _before(self, unit: Unit, other: Unit) -> None:
        at = next(i for i, one in enumerate(self.units) if one is other)
        low = self.units[at - 1].order if at else 0.0
        unit.order = (low + other.order) / 2
        self.units.insert(at, unit)

    def read(self, unit: Unit, value: ir.Value) -> None:
        """A unit reads a value from memory."""
        root = self.look(value).root
        if root in self.floating and root not in self.home:
            self.materialise(root, unit)
        if not self._known(root):
            self.store(root)
        unit.reads[root] = None

    def store(self, root: ir.Value) -> None:
        """A root gets memory, in the first region that computes it."""
        if root in self.stored:
            return
        self.stored[root] = None
        if root not in self.home:
            region = min(self.computed[root], key=lambda one: one.order)
            self.home[root] = [region]
            region.makes[root] = None

    def materialise(self, root: ir.Value, before: Unit | None = None) -> None:
        """Give a floating step a region, before a unit that is among the others already."""
        step = self.floating.pop(root)
        if any(before is None or one.order < before.order
               for one in self.computed.get(root, ())):
            self.store(root)
            return
        anchor: Any = before.head if isinstance(before, Region) and before.head else before
        if anchor is not None and any(one is anchor for one in self.units):
            region = self._new_region(step)
            self._before(region, anchor)
            self._add(region, step, self._default(region, step))
        else:
            self.place(step)
        self.store(root)

    # -- placing steps -----------------------------------------------------------------------------
    def put(self, step: Step) -> None:
        """A new step: it floats if it may, or goes into a region."""
        roots = [self.look(x).root for x in step.inputs]
        light = step.combine is None and step.target is None and step.rows is None
        if light and all(self._known(r) or r in self.floating for r in roots):
            step.depth = 1 + max([self.floating[r].depth for r in roots
                                  if r in self.floating], default=0)
            if FLOAT(step.depth <= DEEP, (False, step.depth <= DEEP)):
                self.floating[step.out] = step
                return
        self.place(step)

    def place(self, step: Step) -> Region:
        """Put a step into the best region for it."""
        least = max([self.order_of(x) for x in step.inputs], default=0.0)
        for region in self._candidates(step, least):
            axes = self._fit(region, step)
            if axes is not None:
                how = "nest" if region.head is None else "tail"
                if PLACE(how, (how, "new")) == "new":
                    break
                self._add(region, step, axes)
                return region
        else:
            PLACE("new")
        region = self._new_region(step)
        self.append(region)
        self._add(region, step, self._default(region, step))
        return region

    def _candidates(self, step: Step, least: float) -> Iterator[Region]:
        domain = tuple([n for n in self._domain(step) if n > 1])
        for unit in reversed(self.units):
            if unit.order < least:
                return
            region = unit.tail if isinstance(unit, Kernel) else unit
            if not isinstance(region, Region) or len(region.steps) >= (
                    MANY if region.dims else MANY_NUMBERS):
                continue
            related = unit.order == least and any(
                self.look(x).root in region.axes for x in step.inputs)
            shared = region.dims == domain and region.head is None and (
                not domain or any(one in region.reads for one in self._leaves(step)))
            if related or shared:
                yield region

    def _leaves(self, step: Step) -> set[ir.Value]:
        """The roots that a step and the floating ones below it read."""
        found: set[ir.Value] = set()
        open_ = [step]
        while open_:
            for x in open_.pop().inputs:
                root = self.look(x).root
                if root in self.floating:
                    open_.append(self.floating[root])
                else:
                    found.add(root)
        return found

    @staticmethod
    def _domain(step: Step) -> tuple:
        shape: Any = step.inputs[0].shape if step.combine is not None else step.out.shape
        return shape

    def _new_region(self, step: Step) -> Region:
        return Region(tuple([n for n in self._domain(step) if n > 1]))

    def _default(self, region: Region, step: Step) -> tuple:
        """Axes of the domain, when the region's dims are this step's."""
        count = itertools.count()
        return tuple([next(count) if n > 1 else None for n in self._domain(step)])

    def _fit(self, region: Region, step: Step) -> tuple | None:
        """The dims of the axes of a step's domain, if it can be computed in a region."""
        shape = self._domain(step)
        axes: list[int | None] = [None] * len(shape)
        if region.head is not None and (step.combine is not None or step.rows is not None):
            return None
        if region.head is not None and step.weight > 4 and (region.head.result.shape or (1,))[
                -1] < 4:
            return None  # a nest has vectors where a product of few columns has numbers
        pending = None
        for position, x in enumerate(step.inputs):
            if step.rows is not None and position == 0:
                if self.look(x).root in region.axes or self.order_of(x) >= region.order:
                    return None
                continue
            mine = self._axes_in(region, x)
            if mine is None:
                return None
            if mine is OUTSIDE:
                if self.order_of(x) >= region.order:
                    return None  # it is put together here, or later
                continue
            root = self.look(x).root
            if root in region.reduced:
                done = region.reduced[root]
                outer = frozenset(range(len(region.dims))) - done
                if region.dims_of(root) != outer or not self._goes_on(region, done, pending):
                    return None
                pending = done
            for a, dim in self._aligned(step, position, mine, len(shape)):
                if dim is None or shape[a] == 1:
                    continue
                if axes[a] is None:
                    axes[a] = dim
                elif axes[a] != dim:
                    return None
        taken = {d for d in axes if d is not None}
        if len(taken) != sum(d is not None for d in axes):
            return None
        self._familiar(region, step, shape, axes, taken)
        for a in reversed(range(len(shape))):
            if shape[a] > 1 and axes[a] is None:
                free = [d for d, n in enumerate(region.dims) if n == shape[a] and d not in taken]
                if not free:
                    return None
                axes[a] = free[-1]
                taken.add(free[-1])
        if region.head is not None and len(taken) != len(region.dims):
            return None
        if step.combine is not None and taken != set(range(len(region.dims))) and (
                region.inner is None or taken != set(range(len(region.dims))) - region.inner):
            return None  # it would take in each element once for every turn of another loop
        if pending is not None:
            region.inner = pending
        return tuple(axes)

    def _goes_on(self, region: Region, done: frozenset[int], pending: Any) -> bool:
        """Whether a row may use a reduction over these dims."""
        if region.inner not in (None, done) or pending not in (None, done) or not done:
            return False
        rows = elements = 1
        for d, n in enumerate(region.dims):
            elements *= n
            rows *= 1 if d in done else n
        # Rows whose elements do not lie side by side are slower than a nest for each reduction.
        better = (rows >= FEW_ROWS and len(region.dims) - 1 in done) or elements <= SMALL
        return bool(ROWS(better, (False, True)))

    def _axes_in(self, region: Region, x: ir.Value) -> Any:
        """Dims of an operand's axes in a region; None if it is seen there in another way."""
        seen = self.look(x)
        mine = region.axes.get(seen.root)
        if mine is None:
            return OUTSIDE
        if seen.axes is None:
            return None
        return tuple([None if k is None else mine[k] for k in seen.axes])

    @staticmethod
    def _aligned(step: Step, position: int, axes: tuple, rank: int) -> Iterator[tuple]:
        """(axis of the step's domain, dim) for each axis of an operand."""
        if step.rows is not None:
            # The index axes stand in the result where the picked axis was.
            axis, batch, _ = step.rows
            for k, dim in enumerate(axes):
                yield (k if k < batch else axis + k - batch), dim
            return
        begin = rank - len(axes)
        for k, dim in enumerate(axes):
            yield begin + k, dim

    def _familiar(self, region: Region, step: Step, shape: tuple, axes: list, taken: set) -> None:
        """Give axes of operands from outside the dims that they have in this region already."""
        for position, x in enumerate(step.inputs):
            known = region.outside.get(self.look(x).root)
            if known is None or step.rows is not None or len(known) != len(x.shape or ()):
                continue
            for a, dim in self._aligned(step, position, known, len(shape)):
                if dim is not None and axes[a] is None and dim not in taken and (
                        region.dims[dim] == shape[a]):
                    axes[a] = dim
                    taken.add(dim)

    def _add(self, region: Region, step: Step, axes: tuple) -> None:
        """Compute a step in a region, with the dims of its domain's axes."""
        self._settle_inputs(region, step, axes)
        if step.combine is not None:
            region.domains[step.out] = axes
            region.reduced[step.out] = frozenset(
                axes[a] for a in step.axes if axes[a] is not None)
            kept = [None if a in step.axes else d for a, d in enumerate(axes)]
            if len(step.out.shape or ()) != len(axes):
                kept = [d for a, d in enumerate(axes) if a not in step.axes]
            axes = tuple(kept)
        region.axes[step.out] = axes
        region.steps.append(step)
        self.computed.setdefault(step.out, []).append(region)
        if step.target is not None:
            root = step.target.root
            self.home.setdefault(root, []).append(region)
            self.stored[root] = None
            region.makes[root] = None

    def _settle_inputs(self, region: Region, step: Step, axes: tuple) -> None:
        """See that operands are computed here or in memory before."""
        for position, x in enumerate(step.inputs):
            seen = self.look(x)
            root = seen.root
            if literal_of(root) is not None:
                continue
            gathered = step.rows is not None and position == 0
            mine = self._axes_in(region, x)
            if mine is not OUTSIDE:
                if not gathered and self._agrees(step, position, mine, axes):
                    OPERAND("own")
                    continue
                OPERAND("memory of its own")
                region.forced.add((step.out, position))
                if root in self.floating:
                    self.materialise(root, region)
            if mine is OUTSIDE and root in self.floating and not gathered and self._pulls(
                    region, root, seen):
                own = self._pulled_axes(step, position, seen, axes)
                self._add(region, self.floating[root], own)
                continue
            if mine is OUTSIDE:
                OPERAND("memory")
            self.read(region, x)
            if not gathered:
                dims = [None] * len(x.shape or ())
                for k, (a, _) in enumerate(self._aligned(step, position, tuple(dims), len(axes))):
                    if (x.shape or ())[k] > 1:
                        dims[k] = axes[a]
                region.outside.setdefault(root, tuple(dims))

    def _agrees(self, step: Step, position: int, mine: tuple | None, axes: tuple) -> bool:
        """Whether an operand of the nest has the dims that a step wants it to have."""
        return mine is not None and all(dim is None or dim == axes[a] for a, dim in self._aligned(
            step, position, mine, len(axes)))

    def _pulls(self, region: Region, root: ir.Value, seen: Seen) -> bool:
        """Whether a floating step is computed (once more) in this region."""
        if seen.axes is None or len(region.steps) >= 2 * MANY:
            return False
        if region.head is not None and self._weight(root) > 4 and (
                root.shape != region.head.result.shape):
            return False  # it would be computed for every element
        before = [one for one in self.computed.get(root, ()) if one.order < region.order]
        better = not before or self._weight(root) <= 4 or not root.shape
        return bool(PULL(better, (False, True)))

    def _weight(self, root: ir.Value) -> int:
        step = self.floating.get(root)
        if step is None:
            return 0
        return step.weight + sum(self._weight(self.look(x).root) for x in step.inputs)

    def _pulled_axes(self, step: Step, position: int, seen: Seen, axes: tuple) -> tuple:
        """The dims of a floating root's axes, from those of the step that needs it."""
        mine: list[int | None] = [None] * len(seen.root.shape or ())
        shape: Any = seen.shape
        for k, (a, _) in enumerate(self._aligned(step, position, (None,) * len(shape), len(axes))):
            where = (seen.axes or ())[k]
            if where is not None and shape[k] > 1:
                mine[where] = axes[a]
        return tuple(mine)


def strides_by_dim(shape: tuple, strides: tuple, axes: tuple) -> dict[int, int]:
    """Elements to go for a step along each dim."""
    found: dict[int, int] = {}
    for n, stride, dim in zip(shape, strides, axes, strict=True):
        if dim is not None and n > 1 and stride:
            found[dim] = found.get(dim, 0) + stride
    return found


def plain(value: ir.Value) -> tuple[int, ...]:
    return contiguous(value.shape or ())


def literal_of(value: ir.Value) -> Any:
    """The number that a constant of one element is, or None."""
    if value.const is None or value.const.size != 1:
        return None
    return value.const.item() if value.dtype.kind != "V" else float(value.const.reshape(()))
