"""What a tape recorded, one `Step` an op, whatever the kind of its entry; and what a step keeps.

Reports, memory tables, pictures and checkpoints read a tape through this file alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base.frames.user_lines import cell_of
from tapeflow.core.autodiff.record import BINARY, UNARY, Record
from tapeflow.core.record.op import Op, Outline
from tapeflow.core.values.tensor import Tensor
from tapeflow.graph.executor.graph_function import RECORDED

HINT = "record inside `with tf.insight.positions():` to see lines"


class Step(NamedTuple):
    """One recorded op: uids of operands (0: not watched) and results, and what the entry holds.

    where: file and line, of an op inside a tf.function
    """

    op: Op
    ins: tuple[int, ...]
    outs: tuple[int, ...]
    operands: tuple  # Tensors, or Outlines where no rule needs the value
    results: tuple  # Tensors, Outlines, or None where no rule needs the value
    attrs: dict
    where: tuple[str, int] | None = None


def steps_of(record: Record) -> list[Step]:
    """The steps in the order in which they ran."""
    return steps_in(record._entries) or _from_skeleton(record)


def copy_of(record: Record) -> Record:
    """The same record, which a walk does not use up."""
    copy = Record(False)
    for name in ("_assigned", "_barren", "_escaped", "_positions", "_severed", "_tracked",
                 "_variables"):
        setattr(copy, name, getattr(record, name))
    copy._entries = list(record._entries)
    return copy


def steps_in(entries: list) -> list[Step]:
    """One step for each entry."""
    found = []
    for entry in entries:
        if entry is None:
            continue
        if entry[0] == UNARY:
            _, op, ux, uy, y, x = entry
            found.append(Step(op, (ux,), (uy,), (x,), (y,), {}))
        elif entry[0] == BINARY:
            _, op, ua, ub, uy, y, a, b = entry
            found.append(Step(op, (ua, ub), (uy,), (a, b), (y,), {}))
        else:
            _, op, ins, outs, ys, xs, attrs = entry
            found.append(Step(op, tuple(ins), outs if op.multi else (outs,), tuple(xs),
                              tuple(ys) if op.multi and ys is not None else (ys,), attrs))
    return found


def steps_inside(step: Step) -> list[Step]:
    """Of a tf.function that was recorded as a whole, the ops whose results it keeps.

    Their operands are those of the function that they depend on.
    """
    rule = step.attrs.get("rule")
    if step.op not in RECORDED or rule is None:
        return []
    held = dict(zip(rule.__code__.co_freevars, rule.__closure__, strict=True))
    saved, graph = held["saved"].cell_contents, held["derivative"].cell_contents.forward.graph
    given = [*graph.inputs, *[use.initial for use in graph.variables.values()]]
    leads = {value: {uid} for value, uid in zip(given, step.ins, strict=True) if uid}
    for node in graph.nodes:
        reached = set().union(*[leads.get(value, ()) for value in node.operands()])
        leads.update(dict.fromkeys(node.outputs, reached))
    found = []
    for value, kept in zip(graph.outputs[len(graph.outputs) - len(saved):], saved, strict=True):
        node = value.node
        if node is not None:
            where = None if node.where is None else (node.where[0].co_filename, node.where[1])
            found.append(Step(node.op, tuple(leads.get(value, ())), step.outs, (), (kept,), {},
                              where))
    return found


def _from_skeleton(record: Record) -> list[Step]:
    """The steps of a tape that was used up: ops and uids, no values."""
    made: dict[int, tuple[tuple, list[int]]] = {}
    for uid, skeleton in record._tracked.items():
        if skeleton is not None:
            made.setdefault(id(skeleton), (skeleton, []))[1].append(uid)
    return [Step(op, tuple(ins), tuple(outs), (), (), {}) for (op, *ins), outs in made.values()]


def position_of(record: Record, step: Step) -> tuple[str, int] | None:
    """File and line of the user's program, if the tape noted them."""
    if step.where is not None:
        return step.where
    for uid in step.outs:
        found = (record._positions or {}).get(uid)
        if found is not None:
            return found
    return None


def short(position: tuple[str, int] | None) -> str:
    """A position as text: the name of the file and the line."""
    if position is None:
        return ""
    return f"{cell_of(position[0]) or os.path.basename(position[0])}:{position[1]}"


def outlines(steps: list[Step]) -> dict[int, tuple[tuple[int, ...], Any]]:
    """Shape and dtype of the tensors, by uid, as far as the entries tell."""
    found: dict[int, tuple] = {}
    for step in steps:
        pairs = [*zip(step.ins, step.operands, strict=False),
                 *zip(step.outs, step.results, strict=False)]
        for uid, held in pairs:
            outline = held._value if type(held) is Tensor else held
            shape = getattr(outline, "shape", None)
            if uid and shape is not None and getattr(shape, "rank", 0) is not None:
                found[uid] = (tuple(shape), outline.dtype)
    return found


def nbytes(shape: tuple, dtype: Any) -> int:
    """Bytes of an array; unknown sizes count as 1."""
    count = 1
    for n in shape:
        count *= n or 1 if n is not None else 1
    return count * getattr(dtype, "itemsize", getattr(dtype, "size", 4))


# -- buffers ---------------------------------------------------------------------------------------
def buffer_of(value: Any) -> np.ndarray | None:
    """The array that owns the memory of a value; None for scalars, which cost nothing to speak of.
    """
    if not isinstance(value, np.ndarray):
        return None
    while isinstance(value.base, np.ndarray):
        value = value.base
    return value


def kept_by(step: Step) -> Iterator[np.ndarray]:
    """The buffers that an entry holds: operands, results, and what a user's rule closes over."""
    for held in (*step.operands, *step.results, *step.attrs.values()):
        yield from _buffers(held, set())


def _buffers(held: Any, seen: set[int]) -> Iterator[np.ndarray]:
    if held is None or isinstance(held, Outline) or id(held) in seen:
        return
    seen.add(id(held))
    if isinstance(held, Tensor):
        held = held._value
    buffer = buffer_of(held)
    if buffer is not None:
        yield buffer
    elif isinstance(held, (list, tuple)):
        for one in held:
            yield from _buffers(one, seen)
    elif isinstance(held, dict):
        for one in held.values():
            yield from _buffers(one, seen)
    elif hasattr(held, "kept_tensors"):
        yield from _buffers(held.kept_tensors(), seen)
    elif getattr(held, "__closure__", None):
        for cell in held.__closure__:
            try:
                yield from _buffers(cell.cell_contents, seen)
            except ValueError:  # it has no content yet
                continue
