"""The rules of fusion: whether an instruction fits into a fused loop, and along which dims it runs.

`fit` asks each rule of RULES in turn. A rule looks at an `Attempt` and either forbids it (gives
False) or lets it pass, perhaps after it has assigned dims to axes that had none. To add a rule,
write a function of an Attempt whose docstring says what it forbids or assigns and why, name it in
RULES where it belongs, and give it a graph in `tests/jit/test_fusion.py` in which it decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tapeflow.graph import ir
from tapeflow.jit.choices import Choice
from tapeflow.jit.lowering.plan import FusedLoop, Instruction, Plan
from tapeflow.jit.lowering.views import View

LIGHT = 4  # the weight of an instruction that is as fast on scalars as on vectors
FEW_COLUMNS = 4  # of a product: with fewer, its epilogue has scalars, no vectors
FEW_ROWS, SMALL = 4, 8192  # a row may go on if there are rows, or few elements altogether

ROWS = Choice("fusion.rows", (False, True))  # whether a row goes on with its own reduction


class Operand(NamedTuple):
    """An operand as the fused loop sees it.

    own   whether the fused loop computes its buffer
    dims  then: the dim of each of its axes; None if it is no mere rearrangement of the buffer
    """

    position: int
    value: ir.Value
    buffer: ir.Value
    own: bool
    dims: tuple | None


@dataclass
class Attempt:
    """An instruction and the fused loop that may compute it; what the rules have found so far.

    dims   for each axis of the instruction's domain its dim of the loop; None: size 1, or open yet
    inner  dims of a row that goes on with its own reductions, if the instruction needs one
    """

    plan: Plan
    fused: FusedLoop
    instr: Instruction
    shape: tuple = ()
    operands: list[Operand] = field(default_factory=list)
    dims: list[int | None] = field(default_factory=list)
    inner: frozenset[int] | None = None

    def __post_init__(self) -> None:
        self.shape = self.instr.domain
        self.dims = [None] * len(self.shape)
        for position, x in enumerate(self.instr.inputs):
            view = self.plan.view_of(x)
            own = view.buffer in self.fused.axes
            self.operands.append(Operand(position, x, view.buffer, own,
                                         dims_in(self.fused, view) if own else None))

    @property
    def taken(self) -> set[int]:
        """The dims that axes have already."""
        return {d for d in self.dims if d is not None}

    def is_complete_before(self, operand: Operand) -> bool:
        """Whether an operand lies in memory before the fused loop runs."""
        return self.plan.position_of(operand.value) < self.fused.position


Rule = Callable[[Attempt], bool]


def fit(plan: Plan, fused: FusedLoop, instr: Instruction) -> Attempt | None:
    """How an instruction fits into a fused loop; None if a rule forbids it."""
    attempt = Attempt(plan, fused, instr)
    return attempt if all(rule(attempt) for rule in RULES) else None


def dims_in(fused: FusedLoop, view: View) -> tuple | None:
    """The dims of a view's axes in the fused loop that computes its buffer.

    None if the view does more than rearrange the buffer's axes: it skips or repeats elements.
    """
    if view.axes is None:
        return None
    own = fused.axes[view.buffer]
    return tuple([None if k is None else own[k] for k in view.axes])


# -- what forbids ----------------------------------------------------------------------------------
def epilogue_is_elementwise(attempt: Attempt) -> bool:
    """Forbids reductions and gathers in an epilogue: it has one element of the result at a time, in
    the order in which the kernel makes them. Sums over its rows may go there in the end, when all
    loops are known (`epilogue_sums`)."""
    return attempt.fused.head is None or attempt.instr.elementwise


def epilogue_of_scalars_is_light(attempt: Attempt) -> bool:
    """Forbids heavy instructions in the epilogue of a result of few columns: a fused loop has
    vectors where such a kernel has scalars."""
    head = attempt.fused.head
    return head is None or attempt.instr.weight <= LIGHT or (
        (head.result.shape or (1,))[-1] >= FEW_COLUMNS)


def gather_picks_from_memory(attempt: Attempt) -> bool:
    """Forbids a gather in the loop that computes what it picks from: it reads any element, also
    those that this loop has yet to make."""
    return not any(one.own and attempt.instr.picks_from(one.position) for one in attempt.operands)


def own_operands_are_rearranged(attempt: Attempt) -> bool:
    """Forbids slices and the like of what the loop computes itself: where an element is needed, the
    loop is at another one."""
    return not any(one.own and one.dims is None for one in attempt.operands
                   if not attempt.instr.picks_from(one.position))


def operands_are_known_before(attempt: Attempt) -> bool:
    """Forbids operands from outside that are complete only in this loop (an array that it puts
    together) or in a later kernel."""
    return all(one.own or attempt.is_complete_before(one) for one in attempt.operands)


def row_goes_on_with_reductions(attempt: Attempt) -> bool:
    """Forbids reading a reduction in the loop that makes it, unless it is known at the end of each
    row and the row may go on with it; then notes the row's dims.

    All such reductions of a loop run over the same dims, and going on must pay: there are rows
    whose elements lie side by side, or few elements at all.
    """
    fused, every = attempt.fused, frozenset(range(len(attempt.fused.dims)))
    for one in attempt.operands:
        reduced = fused.reduced.get(one.buffer)
        if reduced is None or not one.own:
            continue
        if fused.dims_of(one.buffer) != every - reduced or not reduced or (
                fused.inner not in (None, reduced) or attempt.inner not in (None, reduced)):
            return False
        if not _going_on_pays(fused, reduced):
            return False
        attempt.inner = reduced
    return True


def _going_on_pays(fused: FusedLoop, reduced: frozenset[int]) -> bool:
    rows = math.prod([n for d, n in enumerate(fused.dims) if d not in reduced])
    # Rows whose elements are not contiguous are slower than a fused loop for each reduction.
    better = (rows >= FEW_ROWS and len(fused.dims) - 1 in reduced) or (
        math.prod(fused.dims) <= SMALL)
    return bool(ROWS(better, (False, True)))


# -- what assigns ----------------------------------------------------------------------------------
def own_operands_give_dims(attempt: Attempt) -> bool:
    """Assigns to each axis the dim along which the loop computes the operands; forbids operands
    that disagree (x and its transpose)."""
    for one in attempt.operands:
        if one.dims is None:
            continue
        for axis, dim in attempt.instr.aligned(one.position, one.dims):
            if dim is None or attempt.shape[axis] == 1:
                continue
            if attempt.dims[axis] not in (None, dim):
                return False
            attempt.dims[axis] = dim
    return True


def axes_have_different_dims(attempt: Attempt) -> bool:
    """Forbids two axes along one dim (the outer product of a vector with itself): the loop would
    see the diagonal only."""
    return len(attempt.taken) == sum(d is not None for d in attempt.dims)


def outside_operands_give_dims(attempt: Attempt) -> bool:
    """Assigns to open axes the dims that an operand from memory has in this loop already, so that
    one load serves both readers."""
    instr, taken = attempt.instr, attempt.taken
    if instr.gather is not None:
        return True
    for one in attempt.operands:
        known = attempt.fused.outside.get(one.buffer)
        if known is None or len(known) != len(one.value.shape or ()):
            continue
        for axis, dim in instr.aligned(one.position, known):
            if dim is not None and attempt.dims[axis] is None and dim not in taken and (
                    attempt.fused.dims[dim] == attempt.shape[axis]):
                attempt.dims[axis] = dim
                taken.add(dim)
    return True


def sizes_give_dims(attempt: Attempt) -> bool:
    """Assigns to axes that are still open the last free dims of their size; forbids the loop if it
    has none."""
    taken = attempt.taken
    for axis in reversed(range(len(attempt.shape))):
        size = attempt.shape[axis]
        if size == 1 or attempt.dims[axis] is not None:
            continue
        free = [d for d, n in enumerate(attempt.fused.dims) if n == size and d not in taken]
        if not free:
            return False
        attempt.dims[axis] = free[-1]
        taken.add(free[-1])
    return True


# -- what forbids when all axes have dims ----------------------------------------------------------
def epilogue_covers_result(attempt: Attempt) -> bool:
    """Forbids values of fewer axes in an epilogue: they would be computed for every element."""
    return attempt.fused.head is None or len(attempt.taken) == len(attempt.fused.dims)


def reduction_takes_each_element_once(attempt: Attempt) -> bool:
    """Forbids a reduction of fewer dims than the loop has, which would take in each element once
    for every iteration of another loop. Those of a row's outer dims run once a row."""
    if attempt.instr.combine is None:
        return True
    every, inner = set(range(len(attempt.fused.dims))), attempt.fused.inner
    return attempt.taken == every or (inner is not None and attempt.taken == every - inner)


RULES: tuple[Rule, ...] = (
    epilogue_is_elementwise,
    epilogue_of_scalars_is_light,
    gather_picks_from_memory,
    own_operands_are_rearranged,
    operands_are_known_before,
    row_goes_on_with_reductions,
    own_operands_give_dims,
    axes_have_different_dims,
    outside_operands_give_dims,
    sizes_give_dims,
    epilogue_covers_result,
    reduction_takes_each_element_once,
)
