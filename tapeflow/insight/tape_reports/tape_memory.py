"""`tape.memory()`: the bytes that a tape keeps for the walk back, and what recomputing would save.

Every buffer is counted once, with the first op that keeps it; what variables hold is counted apart,
for it is there anyway.
"""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.insight.tape_reports.tape_steps import (
    HINT,
    Step,
    buffer_of,
    kept_by,
    nbytes,
    position_of,
    short,
    steps_of,
)

SHOWN = 20  # rows of the text
MOST_LINES = 64  # every range of so few lines is tried; of more, ranges of 1, 2, 4 … lines


class Kept(NamedTuple):
    """What the ops of one name on one line keep."""

    bytes: int
    op: str
    times: int  # how often the line ran them
    file: str
    line: int


class Saving(NamedTuple):
    """What `tf.recompute_grad` around a range of lines saves, and what the walk needs for it."""

    bytes: int
    file: str
    first: int
    last: int
    recomputed: int  # bytes that exist for a while when the walk comes to a run of these lines

    def __str__(self) -> str:
        lines = f"line {self.first}" if self.first == self.last else (
            f"lines {self.first}-{self.last}")
        return (f"tf.recompute_grad around {lines} of {short((self.file, 0))[:-2]} saves "
                f"{human(self.bytes)} ({human(self.recomputed)} again while the walk is there)")


class TapeMemory:
    """What a tape keeps: `rows`, largest first, `variables` in bytes, and possible `savings`.

    >>> x = tf.Variable(tf.ones([1000]))
    >>> with tf.GradientTape() as tape:
    ...     y = tf.exp(x)
    >>> memory = tape.memory()
    >>> memory.total, memory.variables
    (4000, 4000)
    """

    def __init__(self, rows: list[Kept], variables: int, savings: list[Saving], lines: bool,
                 profile: list[int]):
        self.rows, self.variables, self.savings = rows, variables, savings
        self._lines = lines
        self.profile = profile  # bytes kept after each op, in their order

    @property
    def total(self) -> int:
        """Bytes that only the tape keeps."""
        return sum(row.bytes for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {"total": self.total, "variables": self.variables,
                "rows": [row._asdict() for row in self.rows],
                "savings": [one._asdict() for one in self.savings]}

    def _table(self) -> list[tuple[str, str, str, str]]:
        return [(human(row.bytes), row.op, str(row.times),
                 short((row.file, row.line)) if row.file else "") for row in self.rows]

    def __str__(self) -> str:
        said = [f"the tape keeps {human(self.total)}; variables hold {human(self.variables)} more"]
        said += [f"{size:>10}  {op:<24}{count:>5} x  {where}".rstrip()
                 for size, op, count, where in self._table()[:SHOWN]]
        if len(self.rows) > SHOWN:
            rest = sum(row.bytes for row in self.rows[SHOWN:])
            said.append(f"{human(rest):>10}  in {len(self.rows) - SHOWN} more rows")
        said += [str(one) for one in self.savings]
        if not self._lines and self.rows:
            said.append(f"({HINT} and what recomputing them would save)")
        return "\n".join(said)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
                       for row in self._table())
        savings = "".join(f"<p>{escape(str(one))}</p>" for one in self.savings)
        return ("<table><thead><tr><th>bytes</th><th>op</th><th>count</th><th>line</th></tr>"
                f"</thead><tbody>{rows}</tbody></table><p>total {human(self.total)}, variables "
                f"{human(self.variables)}</p>{savings}")


def human(count: int) -> str:
    """Bytes with a unit."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{count} B" if unit == "B" else f"{size:.3g} {unit}"


def memory(tape: GradientTape) -> TapeMemory:
    """The bytes that `tape` keeps, by the user's line and op, largest first.

    >>> x = tf.Variable(tf.ones([1000]))
    >>> with tf.GradientTape() as tape:
    ...     y = tf.exp(x)
    >>> tape.memory().total
    4000
    """
    record = tape._record
    if record is None and tape._used is None:
        raise RuntimeError("GradientTape.memory: this tape has recorded nothing: compute something "
                           "inside `with tape:`.")
    return memory_of(record) if record is not None else TapeMemory([], 0, [], False, [])


def memory_of(record: Record) -> TapeMemory:
    """The same from a tape's record."""
    steps = steps_of(record)
    shared = {id(buffer): buffer for buffer in map(buffer_of, [
        one._snapshot._value for one in record._variables.values()
        if hasattr(one._snapshot, "_value")]) if buffer is not None}
    variables = sum(buffer.nbytes for buffer in shared.values())
    rows: dict[tuple, list[int]] = {}
    seen = set(shared)
    profile, total = [], 0
    for step in steps:
        position = position_of(record, step)
        row = rows.setdefault((step.op.name, position or ("", 0)), [0, 0])
        row[1] += 1
        for buffer in kept_by(step):
            if id(buffer) not in seen:
                seen.add(id(buffer))
                row[0] += buffer.nbytes
                total += buffer.nbytes
        profile.append(total)
    table = [Kept(size, op, count, *position) for (op, position), (size, count) in rows.items()
             if size]
    table.sort(key=lambda row: (-row.bytes, row.file, row.line, row.op))
    savings = _savings(record, steps, set(shared)) if record._positions else []
    return TapeMemory(table, variables, savings, bool(record._positions), profile)


# -- what recomputing saves ------------------------------------------------------------------------
class _Flow(NamedTuple):
    """How one tensor lies to the lines of a file, each by its position among them."""

    made: int | None  # the line that makes it; None: another file does, or another iteration
    used: frozenset[int]
    kept: frozenset[int | None]  # the lines whose ops keep it; None: of another file


def _savings(record: Record, steps: list[Step], shared: set[int]) -> list[Saving]:
    """The ranges of lines that save most, at most three, none inside or across another."""
    where = [position_of(record, step) for step in steps]
    by_file: dict[str, set[int]] = {}
    for position in where:
        if position is not None:
            by_file.setdefault(position[0], set()).add(position[1])
    found = []
    for file, numbers in by_file.items():
        lines = sorted(numbers)
        index = {line: i for i, line in enumerate(lines)}
        place = [index[one[1]] if one is not None and one[0] == file else None for one in where]
        iterations = _iterations(place)
        flows = _flows(record, steps, place, iterations, shared)
        runs = [len({one for one, at in zip(iterations, place, strict=True) if at == line})
                for line in range(len(lines))] if len(lines) <= MOST_LINES else [1] * len(lines)
        for first, last in _ranges(len(lines)):
            gone, held = _exchange(flows, first, last)
            if gone > held:
                found.append(Saving(gone - held, file, lines[first], lines[last],
                                    gone // max(runs[first:last + 1])))
    found.sort(key=lambda one: (-one.bytes, one.last - one.first, one.file, one.first))
    chosen: list[Saving] = []
    for one in found:
        apart = all(one.file != other.file or one.last < other.first or other.last < one.first
                    for other in chosen)
        if apart and len(chosen) < 3:
            chosen.append(one)
    return chosen


def _iterations(place: list[int | None]) -> list[int]:
    """A number for each step that grows where lines go back, as in each iteration of a loop."""
    found, now, before = [], 0, -1
    for line in place:
        if line is not None:
            now += line < before
            before = line
        found.append(now)
    return found


def _flows(record: Record, steps: list[Step], place: list[int | None], iterations: list[int],
           shared: set[int]) -> dict[_Flow, int]:
    """Bytes by how they flow: the tensors of a loop flow alike, and count as one."""
    made: dict[int, tuple[int | None, int]] = {}
    tensors: dict[int, list] = {}  # key of a buffer or tensor -> bytes, made, used, kept

    def entry(key: int, size: int, uid: int) -> list:
        line, iteration = made.get(uid, (None, 0))
        found = tensors.setdefault(key, [size, line, set(), set()])
        if iteration != now:
            found[1] = None
        return found

    for step, line, now in zip(steps, place, iterations, strict=True):
        for uid, operand in zip(step.ins, step.operands, strict=False):
            buffer = buffer_of(getattr(operand, "_value", None))
            if uid in record._variables or (buffer is not None and id(buffer) in shared):
                continue
            size = _size(operand) if buffer is None else buffer.nbytes
            if line is not None and size:
                entry(uid if buffer is None else -id(buffer), size, uid)[2].add(line)
        made.update(dict.fromkeys(step.outs, (line, now)))
        for buffer in kept_by(step):
            if id(buffer) not in shared:
                entry(-id(buffer), buffer.nbytes, step.outs[0])[3].add(line)
    flows: dict[_Flow, int] = {}
    for size, maker, used, kept in tensors.values():
        flow = _Flow(maker, frozenset(used), frozenset(kept))
        flows[flow] = flows.get(flow, 0) + size
    return flows


def _size(operand: Any) -> int:
    value = getattr(operand, "_value", operand)
    shape, dtype = getattr(value, "shape", ()), getattr(value, "dtype", None)
    return nbytes(tuple(shape), dtype) if dtype is not None else 0


def _exchange(flows: dict[_Flow, int], first: int, last: int) -> tuple[int, int]:
    """Bytes that nobody keeps any more if these lines are recomputed, and what is kept instead."""
    gone = held = 0
    for flow, size in flows.items():
        only_here = all(one is not None and first <= one <= last for one in flow.kept)
        if not only_here:
            continue
        if flow.kept:
            gone += size
        inside = flow.made is not None and first <= flow.made <= last
        if not inside and any(first <= one <= last for one in flow.used):
            held += size
    return gone, held


def _ranges(count: int) -> list[tuple[int, int]]:
    """Ranges of lines, by their positions, that are worth a try."""
    if count <= MOST_LINES:
        return [(first, last) for first in range(count) for last in range(first, count)]
    widths = [1 << k for k in range(count.bit_length())]
    return [(first, first + width - 1) for width in widths
            for first in range(0, count - width + 1, max(width // 2, 1))]
