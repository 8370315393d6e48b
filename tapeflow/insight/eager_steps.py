"""A step of an eager loop whose loss or gradient is not finite: which op and line made it.

`suspected` is told by the walk (`core/autodiff/finite_walks.py`). It runs what the tape holds once
more, op by op, under a `BirthWatch`: forward and back, on the values of the failing step itself.
Lines are not known then, for tapes keep none. So the next tape notes them, and all operands; its
ops are run on the values that the variables had in the failing step. What is found is logged once,
if somebody has read the NaN, or if a variable holds it: loss scaling meets infinities on purpose.
"""

from __future__ import annotations

import atexit
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from tapeflow.base.exception_origin import from_handler
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import ones_like, snapshot_of
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.op import NAMED
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.insight.births import Birth, BirthWatch, Line, is_finite, report
from tapeflow.insight.collected_births import HINT, Collecting, log, watching
from tapeflow.insight.positions import PositionedRecord, frame_position
from tapeflow.insight.program_text.lines_by_text import line_in_block, sign_of
from tapeflow.insight.tape_reports.tape_steps import Step, steps_in

MOST_REPORTS = 3  # in a process
_NOWHERE = SimpleNamespace(co_filename="")


@dataclass
class Suspect:
    """A step that failed.

    arrival  what is not finite, its value and its birth, without a line; None: not known
    held     by uid: what the variables held
    asked    where the gradient was asked for
    read     whether somebody has read a NaN or infinity since
    """

    arrival: tuple[str, Any, Birth] | None
    held: dict[int, Tensor]
    variables: list[Any]
    asked: Line | None
    read: bool = False


@dataclass
class Node:
    """A recorded op that is run again; `where` as the nodes of graphs have it."""

    step: Step
    entry: tuple
    where: tuple[Any, int]


@dataclass
class _Told:
    suspect: Suspect | None = None
    reports: int = 0
    sites: set[Line | None] = field(default_factory=set)


_told = _Told()


class WholeRecord(PositionedRecord):
    """A record that keeps lines and all operands: it can be run again on other values."""

    __slots__ = ()

    def note1(self, op: Any, x: Any, y: Any) -> None:
        before = len(self._entries)
        super().note1(op, x, y)
        if len(self._entries) > before:
            self._entries[-1] = (*self._entries[-1][:5], x)

    def note2(self, op: Any, a: Any, b: Any, y: Any) -> None:
        before = len(self._entries)
        super().note2(op, a, b, y)
        if len(self._entries) > before:
            self._entries[-1] = (*self._entries[-1][:6], a, b)

    def note(self, op: Any, xs: tuple, ys: Any, attrs: dict) -> None:
        before = len(self._entries)
        super().note(op, xs, ys, attrs)
        if len(self._entries) > before:
            self._entries[-1] = (*self._entries[-1][:5], xs, attrs)


# -- what is told ----------------------------------------------------------------------------------
def suspected(record: Record, entries: list | None, targets: list, sources: list) -> None:
    """A target is not finite before the walk, or a gradient after it."""
    if _told.reports >= MOST_REPORTS or watching():
        return
    try:
        _examine(record, entries, targets, sources)
    except Exception as error:  # a report that fails must not stop the program
        if from_handler(error):
            raise
        _told.suspect, _told.reports = None, MOST_REPORTS


def _examine(record: Record, entries: list | None, targets: list, sources: list) -> None:
    where = frame_position()
    asked = None if where is None else Line(*where[:2])
    if asked in _told.sites:
        return
    suspect = _told.suspect
    if isinstance(record, WholeRecord) and suspect is not None:
        if suspect.read or not all(is_finite(v._snapshot._value) for v in suspect.variables):
            _tell(_with_lines(suspect, record, entries or [], targets, sources) or suspect.arrival)
        return
    if suspect is not None:
        return
    if _told.suspect is None and not _told.sites:
        atexit.register(tell_rest)
    variables = list(record._variables.values())
    arrival = None if entries is None else _run(record, entries, {}, targets, sources)
    if arrival is not None and arrival[2].op is None and arrival[2].given.startswith("variable"):
        arrival = None  # the step before has made it
    _told.suspect = Suspect(arrival, {v._uid: v._snapshot for v in variables
                                      if is_finite(v._snapshot._value)}, variables, asked)
    _arm()


def fetched() -> bool:
    """A NaN or infinity was read; whether the step that made it is known."""
    suspect = _told.suspect
    if suspect is None:
        return False
    suspect.read = True
    if suspect.arrival is not None:
        guess = _guessed(suspect.arrival[2], suspect.asked)
        if guess.guilty != suspect.arrival[2].guilty:
            _tell((*suspect.arrival[:2], guess))
    return True


def tell_rest() -> None:
    """No further step has come."""
    if _told.suspect is not None and _told.suspect.read:
        _tell(_told.suspect.arrival)


def _tell(arrival: tuple[str, Any, Birth] | None) -> None:
    suspect = _told.suspect
    assert suspect is not None
    _told.suspect = None
    if suspect.asked in _told.sites:  # another thread was told
        return
    _told.reports += 1
    _told.sites.add(suspect.asked)
    at = f" at {suspect.asked}" if suspect.asked else ""
    if arrival is None:
        log(f"tapeflow: the gradient{at} is not finite. {HINT}")
        return
    log(f"tapeflow: the gradient{at} is not finite. The ops of that step, run once more, tell:\n"
        + report(*arrival))


def _arm() -> None:
    """Let the next tapes of this thread note lines and operands."""
    if state.record_type is not None:
        return
    left = [4]

    def whole(accessed: bool) -> Record:
        left[0] -= 1
        if not left[0] or _told.suspect is None:
            state.record_type = None
        return WholeRecord(accessed)

    state.record_type = whole


# -- running the ops of a record again -------------------------------------------------------------
def _run(record: Record, entries: list, held: dict[int, Tensor], targets: list,
         sources: list) -> tuple[str, Any, Birth] | None:
    """What a checked run of the entries finds, with other values for some leaves."""
    watch = Collecting()
    for variable in record._variables.values():
        watch.read(variable)
    again = Record(False)
    again._tracked = dict(record._tracked)
    again._positions = dict(record._positions or {})
    steps = steps_in(entries)
    values = {} if held else _known(steps)
    values.update(held)
    with states.only((watch,)):
        for step, entry in zip(steps, [one for one in entries if one is not None], strict=True):
            line = next((again._positions[u] for u in step.outs if u in again._positions), None)
            node = Node(step, entry, (_NOWHERE, 0) if line is None else (
                SimpleNamespace(co_filename=line[0]), line[1]))
            replay_node(node, values, watch, again)
        grads: dict[int, Any] = {}
        made = [values.get(one._uid, snapshot_of(one)) for one in targets]
        for one in made:
            grads[one._uid] = ones_like(one)
        keep = {one._uid for one in sources}
        if all(is_finite(one._value) for one in made):
            walk_back(again, grads, keep, False, True)
        watch.differentiated(made, sources, [grads.get(uid) for uid in
                                             [one._uid for one in sources]])
    if not watch.arrivals:
        return None
    what, value, birth = watch.worst()
    return what, value, _without_nowhere(birth)


def replay_node(node: Node, values: dict[int, Tensor], watch: BirthWatch, again: Record) -> None:
    """Run an op again on what is known of its operands, and note it (`frame_position` looks at
    the name of this function, and at `node.where`)."""
    step = node.step
    op = step.op
    xs = tuple([values.get(uid, x) if uid else x
                for uid, x in zip(step.ins, step.operands, strict=True)])
    if NAMED.get(op.name) is not op or op.stateful or not all(type(x) is Tensor for x in xs):
        again._entries.append(node.entry)  # random numbers are drawn once
        return
    made = op.call(*xs, **step.attrs)
    ys = list(made) if op.multi else [made]
    for i, uid in enumerate(step.outs):
        y = wrap(ys[i]._value)
        birth = watch.origins.pop(ys[i]._uid, None) if ys[i]._uid else None
        y._uid = uid
        if birth is not None:
            watch.origins[uid] = birth
        ys[i] = values[uid] = y
    again.note(op, xs, tuple(ys) if op.multi else ys[0], step.attrs)


def _known(steps: list[Step]) -> dict[int, Tensor]:
    """Values that the entries hold, by uid."""
    found: dict[int, Tensor] = {}
    for step in steps:
        for uid, x in [*zip(step.ins, step.operands, strict=True),
                       *zip(step.outs, step.results, strict=False)]:
            if uid and type(x) is Tensor:
                found[uid] = x
    return found


def _with_lines(suspect: Suspect, record: Record, entries: list, targets: list,
                sources: list) -> tuple[str, Any, Birth] | None:
    """What failed, with the lines that the next step's tape has noted."""
    if suspect.arrival is None:
        return _run(record, entries, suspect.held, targets, sources) or _run(
            record, entries, {}, targets, sources)
    what, value, birth = suspect.arrival
    again = _run(record, entries, suspect.held, targets, sources)
    if again is not None and (again[2].op, bool(again[2].forward)) == (
            birth.op, bool(birth.forward)):
        found = again[2]
        return what, value, replace(birth, line=found.line, forward=found.forward,
                                    caller=found.caller, earlier=found.earlier)
    name = birth.called
    positions = record._positions or {}
    lines = {Line(*positions[uid]) for step in steps_in(entries) if step.op.name == name
             for uid in step.outs if uid in positions}
    if len(lines) != 1:
        return suspect.arrival
    return what, value, _at(birth, lines.pop())


def _at(birth: Birth, line: Line) -> Birth:
    if birth.forward is not None:
        return replace(birth, forward=(birth.forward[0], line))
    return replace(birth, line=line)


def _without_nowhere(birth: Birth) -> Birth:
    """A birth without lines where none are known."""
    line = None if birth.line is not None and not birth.line.path else birth.line
    earlier = None if birth.earlier is None else _without_nowhere(birth.earlier)
    return replace(birth, line=line, earlier=earlier, caller=None)


# -- lines by their text ---------------------------------------------------------------------------
def _guessed(birth: Birth, asked: Line | None) -> Birth:
    """The birth with its line, if just one line of the tape's block has such an op."""
    if birth.earlier is not None:
        birth = replace(birth, earlier=_guessed(birth.earlier, asked))
    name = birth.called
    if asked is None or (birth.guilty is not None and not birth.forward):
        return birth
    found = line_in_block(sign_of(name), asked.path, asked.number)
    return birth if found is None else _at(birth, Line(asked.path, found))


