"""Which nodes and edges the picture of a tape has: ops, or groups of them by line or by layer.

A tape of many ops is grouped so far that the picture has at most MOST nodes: iterations of a loop
fall together because they stand on the same lines. With "each" every op has its own.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from tapeflow.core.autodiff.record import Record
from tapeflow.insight.tape_reports.source_names import own_name
from tapeflow.insight.tape_reports.tape_steps import (
    Step,
    nbytes,
    outlines,
    position_of,
    short,
    steps_of,
)
from tapeflow.insight.tape_reports.verdicts import Stats

GROUPS = ("op", "line", "layer", "each")
MOST = 250


@dataclass(eq=False)
class Node:
    """A box of the picture: a leaf, an op, or a group of ops."""

    label: str
    kind: str  # "leaf", "op", "cut" or "severed"
    where: str = ""
    count: int = 1
    ops: dict[str, int] = field(default_factory=dict)
    norms: list[float] = field(default_factory=list)  # of the gradients of its results
    reason: str = ""  # why gradients end here
    code: str = ""  # the line of the user's program

    @property
    def norm(self) -> float | None:
        """The largest of its gradients; NaN if one of them is."""
        if any(math.isnan(one) for one in self.norms):
            return math.nan
        return max(self.norms, default=None)

    def tip(self) -> str:
        """What to say when the mouse is over it."""
        lines = [self.label + (f"  ({self.where})" if self.where not in ("", self.label) else "")]
        if self.code:
            lines.append(self.code)
        if self.count > 1:
            lines.append(", ".join(f"{name} x {n}" for name, n in sorted(
                self.ops.items(), key=lambda one: (-one[1], one[0]))[:8]))
        if self.norm is not None:
            lines.append(f"norm of the gradient: {self.norm:.3g}")
        return "\n".join(lines + ([self.reason] if self.reason else []))


@dataclass(eq=False)
class Picture:
    """Nodes in the order of their first op, and bytes and cuts between them, by their positions."""

    nodes: list[Node]
    edges: dict[tuple[int, int], int]
    steps: int  # how many ops were recorded
    group: str


def picture_of(record: Record, group: str | None, stats: dict[int, Stats]) -> Picture:
    """The nodes of a tape's record; `stats`: of gradients, by uid."""
    if group is not None and (not isinstance(group, str) or group not in GROUPS):
        raise ValueError(f"GradientTape.draw: `group` must be one of {', '.join(GROUPS)} or None, "
                         f"got {group!r}. Sources are not given: all that the tape watched are "
                         "drawn.")
    steps = [*steps_of(record), *_severed(record)]
    if group is None:
        group = "op" if len(steps) <= MOST // 2 else "line" if record._positions else "layer"
    keys = _keys(record, steps, group)
    maker = _Maker(record, stats)
    for step in steps:
        maker.add_leaves(step)
    for step, key in zip(steps, keys, strict=True):
        maker.add(step, key)
    return Picture(maker.nodes, maker.edges(steps), len(steps), group)


def _severed(record: Record) -> list[Step]:
    """What depends on a watched tensor only through ops without gradient."""
    return [Step(op, tuple(ins), (uid,), (), (), {})
            for uid, (op, *ins) in record._severed.items() if uid not in record._tracked]


# -- groups ----------------------------------------------------------------------------------------
def _keys(record: Record, steps: list[Step], group: str) -> list[Hashable]:
    """The group of each step, so coarse that there are not too many."""
    if group == "each":
        return list(range(len(steps)))
    if group == "op":
        fine: Callable[[int, int], Hashable] = lambda index, width: index // width
    elif group == "line":
        places = [position_of(record, step) for step in steps]
        fine = lambda index, width: _line_key(places[index], steps[index], width)
    else:
        layers, ranks = _layers(record, steps), _ranks(steps)
        fine = lambda index, width: (layers[index], steps[index].op.name if width == 1 else "",
                                     ranks[index] // width if not layers[index] else 0)
    width = 1
    while True:
        keys = [fine(index, width) for index in range(len(steps))]
        if len(set(keys)) <= MOST or width > len(steps) + 1:
            return keys
        width *= 2


def _line_key(place: tuple[str, int] | None, step: Step, width: int) -> Hashable:
    return ("", step.op.name) if place is None else (place[0], place[1] // width)


def _layers(record: Record, steps: list[Step]) -> list[str]:
    """For each step the layer whose variables it reads, or that its operands come from."""
    of: dict[int, str] = {}
    for uid, variable in record._variables.items():
        name = own_name(variable) or getattr(variable, "name", "")
        of[uid] = name.rpartition("/")[0] or name
    found = []
    for step in steps:
        own = [of[uid] for uid in step.ins if uid in record._variables]
        carried = [of[uid] for uid in step.ins if of.get(uid)]
        layer = own[-1] if own else carried[-1] if carried else ""
        of.update(dict.fromkeys(step.outs, layer))
        found.append(layer)
    return found


def _ranks(steps: list[Step]) -> list[int]:
    rank: dict[int, int] = {}
    found = []
    for step in steps:
        own = 1 + max([rank.get(uid, 0) for uid in step.ins], default=0)
        rank.update(dict.fromkeys(step.outs, own))
        found.append(own)
    return found


# -- nodes and edges -------------------------------------------------------------------------------
class _Maker:
    """Makes the nodes of groups, and of the leaves that they read."""

    def __init__(self, record: Record, stats: dict[int, Stats]):
        self.record, self.stats = record, stats
        self.nodes: list[Node] = []
        self._group: dict[Hashable, int] = {}
        self._made: dict[int, int] = {}  # uid -> position of the node that makes it

    def add_leaves(self, step: Step) -> None:
        """Nodes for the operands that no step made: they come before all others."""
        for uid in step.ins:
            if uid and uid not in self._made:
                self._leaf(uid)
        self._made.update(dict.fromkeys(step.outs, -1))

    def add(self, step: Step, key: Hashable) -> None:
        """A step joins the node of its group."""
        where = position_of(self.record, step)
        position = self._group.get(key)
        if position is None:
            position = self._group[key] = len(self.nodes)
            code = "" if where is None else linecache.getline(*where).strip()
            self.nodes.append(Node(step.op.name, "op", short(where), 0, code=code))
        node = self.nodes[position]
        node.count += 1
        node.ops[step.op.name] = node.ops.get(step.op.name, 0) + 1
        if step.outs and step.outs[0] not in self.record._tracked:
            if step.op.reason is not None:
                node.kind, node.reason = "cut", (
                    f"gradients end at {step.op.name}: {step.op.reason}")
            elif node.kind == "op" and node.count == 1:
                node.kind = "severed"
        elif node.kind == "severed":
            node.kind = "op"
        for uid in step.outs:
            self._made[uid] = position
            if uid in self.stats:
                node.norms.append(self.stats[uid].norm)
        if node.count > 1:
            self._label_group(node, key)

    def _label_group(self, node: Node, key: Hashable) -> None:
        if node.where and isinstance(key, tuple) and len(key) == 2:
            node.label = node.where
        elif isinstance(key, tuple) and key[0]:
            node.label = str(key[0]).rpartition("/")[2] or str(key[0])
        else:
            node.label = max(node.ops, key=lambda name: node.ops[name])

    def _leaf(self, uid: int) -> None:
        variable = self.record._variables.get(uid)
        label = "tensor" if variable is None else own_name(variable) or "variable"
        node = Node(label, "leaf", norms=[self.stats[uid].norm] if uid in self.stats else [])
        if uid not in self.record._tracked and uid not in self.record._severed:
            node.reason = "not watched"
        self._made[uid] = len(self.nodes)
        self.nodes.append(node)

    def edges(self, steps: list[Step]) -> dict[tuple[int, int], int]:
        """Bytes that go from node to node; those inside a node are left out."""
        sizes = outlines(steps)
        found: dict[tuple[int, int], int] = {}
        for step in steps:
            end = self._made[step.outs[0]] if step.outs else None
            for uid in step.ins:
                start = self._made.get(uid)
                if end is not None and start is not None and start != end:
                    size = nbytes(*sizes[uid]) if uid in sizes else 0
                    found[start, end] = found.get((start, end), 0) + size
        return found
