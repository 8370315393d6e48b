"""Where a NaN or an infinity was born: the op, the user's line, the element and its operands.

A `BirthWatch` listens to every op of its thread, forward or backward, eager or in a tf.function
(which is then run node by node). It notes which op makes a value that is not finite of values that
are, and follows that value through what is computed from it. A value that a mask takes out again
does no harm; one that arrives does: at the target of a gradient, in a gradient, in a variable, or
as a scalar in plain Python. There the report is raised, and tells of the birth.

    with tf.insight.debug():
        train_step(batch)
"""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors
from tapeflow.base.frames.library_frames import is_library
from tapeflow.base.frames.user_lines import line_text
from tapeflow.core import state as states
from tapeflow.core.record.op import NAMED
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.core.values.variable import Variable
from tapeflow.graph.control_flow.custom_gradient_node import CUSTOM
from tapeflow.insight.positions import PositionedRecord, frame_position
from tapeflow.insight.remedies import remedy_for
from tapeflow.insight.sick_data import moment, name_of, rows_of


class NotFiniteError(errors.InvalidArgumentError):
    """A NaN or infinity has arrived where it does harm; `birth` says where it comes from.

    >>> x = tf.Variable(0.0)
    >>> try:
    ...     with tf.insight.debug(), tf.GradientTape() as tape:
    ...         y = tf.sqrt(x)
    ...         tape.gradient(y, x)
    ... except tf.insight.NotFiniteError as error:
    ...     print(error.birth.kind, "of", error.birth.forward[0])
    inf of sqrt
    """

    def __init__(self, message: str, birth: Birth):
        super().__init__(None, None, message)
        self.birth = birth


class Line(NamedTuple):
    """A line of the user's program."""

    path: str
    number: int

    def __str__(self) -> str:
        return line_text(self.path, self.number)

    @property
    def text(self) -> str:
        return linecache.getline(self.path, self.number).strip()


@dataclass(frozen=True)
class Birth:
    """One op that made a NaN or infinity.

    op       its name; None: the value was there before, in data or a variable
    hazard   of the op that the user called (`Traits.hazard`)
    kind     "NaN", "inf" or "-inf"
    line     where it was called; of a rule: where the gradient was asked for
    forward  (name, line or None) of the forward op whose gradient it computes, else None
    index    of the first such element; `count` of them among `shape`
    operands what the op was given there, as text
    values   the same as numbers, None where an operand has no one element for it
    caller   the user's line that led there, if `line` is a library's
    earlier  the birth of an infinity that it was given
    given    in whose data it was, if no op made it; `rows` of a batch, and `moment`: at which step
    spread   whether it came into a gradient from the forward pass
    taker    the first op that was given it, if no op made it; `line` is where that was
    during   what ran its rule, if `forward` is not None: "backward pass" or "forward mode"

    >>> x = tf.Variable(0.0)
    >>> try:
    ...     with tf.insight.debug(), tf.GradientTape() as tape:
    ...         y = tf.math.log(x)
    ...         tape.gradient(y, x)
    ... except tf.insight.NotFiniteError as error:
    ...     print(error.birth.op, error.birth.kind, error.birth.operands)
    log -inf ['0']
    """

    op: str | None
    hazard: str
    kind: str
    line: Line | None
    forward: tuple[str, Line | None] | None
    index: tuple[int, ...]
    count: int
    shape: tuple[int, ...]
    dtype: str
    operands: list[str]
    values: list[float | None]
    caller: Line | None = None
    earlier: Birth | None = None
    given: str = ""
    spread: bool = False
    taker: str = ""
    during: str = "backward pass"
    rows: str = ""
    moment: str = ""

    @property
    def called(self) -> str:
        """The op that the user called."""
        return self.forward[0] if self.forward else self.op or self.taker

    @property
    def guilty(self) -> Line | None:
        """The line to look at: of the forward op, also for a birth in the backward pass."""
        return self.forward[1] or self.line if self.forward else self.line

    @property
    def remedy(self) -> str:
        return remedy_for(self)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        at = f" at {list(self.index)}" if self.shape else ""
        many = f" ({self.count} of {int(np.prod(self.shape))} elements)" if self.shape else ""
        line = self.guilty
        if self.op is None:
            lines = [f"{self.kind} was there before: {self.given}{at}{many}"]
            if self.rows or self.moment:
                lines.append("in " + "; ".join(filter(None, (self.rows, self.moment))))
            if self.taker:
                lines.append(f"taken by {self.taker}" + (f" at {line}" if line else ""))
                lines += [f"    {line.text}"] if line and line.text else []
            lines += self._reached()
            return [*lines, f"remedy: {self.remedy}"]
        where = f" at {line}" if line else ""
        who = f"the gradient of {self.forward[0]}" if self.forward else self.op
        lines = [f"{self.kind} born in {who}{where}"]
        if line and line.text:
            lines.append(f"    {line.text}")
        lines += self._reached()
        if self.forward:
            run = f", run at {self.line}" if self.line and self.line != line else ""
            lines.append(f"in the {self.during}, by {self.op}{run}")
        lines.append(f"{self.op}({', '.join(self.operands)}) gives {self.kind}{at}{many}, "
                     f"{self.dtype}")
        if self.earlier is not None:
            lines += ["of an infinity:", *["  " + one for one in self.earlier._lines()[:-1]]]
        return [*lines, f"remedy: {self.remedy}"]

    def _reached(self) -> list[str]:
        return [f"reached from {self.caller}: {self.caller.text}"] if self.caller else []


def is_finite(value: Any) -> bool:
    """Whether no element is NaN or infinite."""
    if value.dtype.kind not in "fcV":
        return True
    return bool(np.isfinite(_comparable(value)).all())


def has_nan(value: Any) -> bool:
    """Whether an element is NaN."""
    return bool(np.isnan(_comparable(value)).any())


def _comparable(value: Any) -> np.ndarray:
    """As an array whose elements NumPy can compare: bfloat16 and the like as float32."""
    return np.asarray(value.astype(np.float32) if value.dtype.kind == "V" else value)


def user_line() -> Line | None:
    """The line of the program that is being run; of a node in a graph: the line it comes from."""
    where = frame_position()
    return None if where is None else Line(*where[:2])


def _caller() -> Line | None:
    """The line of the program from which a library has called, which runs its own lines."""
    where = frame_position()
    if where is None or "site-packages" not in where[0]:
        return None
    if where[3] is not None:
        return Line(*where[3])
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (is_library(frame) or "-packages" in frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)


def _forward_of() -> tuple[Any, Line | None, str] | None:
    """The forward op whose rule is being run, its line, and what runs it, if one is."""
    found = state.backward_of
    if found is None:
        where = frame_position()
        found = None if where is None else where[2]
    if found is None:
        return None
    op, line, *mode = found
    return op, None if line is None else Line(*line), mode[0] if mode else "backward pass"


def _hazard(op: Any) -> str:
    """What is dangerous about an op; about `sqrt_grad`, of a gradient of a gradient, as of sqrt."""
    return op.traits.hazard or NAMED.get(op.name.removesuffix("_grad"), op).traits.hazard


def birth_of(op: Any, xs: tuple, value: Any, earlier: Birth | None = None) -> Birth:
    """Describe what an op has made of its operands."""
    array = _comparable(value)
    bad = ~np.isfinite(array)
    nans = np.isnan(array)
    bad = nans if nans.any() else bad
    index = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape)) if (
        array.shape) else ()
    texts, values = [], []
    for x in xs:
        text, number = _operand(x._value, array.shape, index, op.kind == "elementwise")
        texts.append(text)
        values.append(number)
    kind = "NaN" if nans.any() else "-inf" if array[index] == -np.inf else "inf"
    forward = _forward_of()
    called = op if forward is None else forward[0]
    if forward is not None and (called is CUSTOM or NAMED.get(called.name) is not called):
        # A gradient that the user wrote: the line is in there, and the op is one of the user's.
        called, forward = op, (called, user_line(), forward[2])
    return Birth(op.name, _hazard(called), kind, user_line(),
                 None if forward is None else (forward[0].name, forward[1]), index, int(bad.sum()),
                 array.shape, str(value.dtype), texts, values, _caller(), earlier,
                 during="" if forward is None else forward[2])


def _operand(value: Any, shape: tuple, index: tuple, each: bool) -> tuple[str, float | None]:
    """An operand at an element of the result: the number, or the range if there is no such one.

    each  whether the op makes each element of one of each operand
    """
    array = _comparable(value)
    if array.dtype.kind not in "fiub" or not array.size:
        return f"{value.dtype}{list(array.shape)}", None
    if array.size == 1 or (each and _broadcasts(array.shape, shape)):
        number = float(np.broadcast_to(array, shape)[index] if array.size > 1
                       else array.reshape(-1)[0])
        return f"{number:.6g}", number
    return f"{value.dtype}{list(array.shape)} from {array.min():.6g} to {array.max():.6g}", None


def _broadcasts(shape: tuple, into: tuple) -> bool:
    return len(shape) <= len(into) and all(
        n in (1, m) for n, m in zip(shape[::-1], into[::-1], strict=False))


class OutputWatch(states.Listener):
    """Looks at what every op makes; `found` is called for what is not finite."""

    __slots__ = ()

    def note(self, op: Any, xs: tuple, ys: Any, attrs: dict) -> None:
        results = ys if op.multi else (ys,)
        for slot, y in enumerate(results):
            if type(y) is Tensor and not is_finite(y._value):
                self.found(op, xs, y, slot, len(results))

    def found(self, op: Any, xs: tuple, y: Tensor, slot: int, count: int) -> None:
        """A result of an op is not finite."""
        raise NotImplementedError


class BirthWatch(OutputWatch):
    """Follows what is not finite from its birth to where it does harm, and tells of it there.

    origins  by uid: where a tensor's NaN or infinity comes from
    """

    __slots__ = ("_latest", "_names", "origins")

    def __init__(self) -> None:
        self.origins: dict[int, Birth] = {}
        self._names: dict[int, str] = {}
        self._latest: Birth | None = None

    # -- births ----------------------------------------------------------------------------------
    def found(self, op: Any, xs: tuple, y: Tensor, slot: int, count: int) -> None:
        if op.stateful and xs and all(x._value.dtype.kind == "O" for x in xs):
            self._latest = self.origins[uid_of(y)] = _brought(xs[0]._value, y._value, slot)
            return
        nan = has_nan(y._value)
        sick = [x for x in xs if type(x) is Tensor and not is_finite(x._value)]
        inherited = [x for x in sick if not nan or has_nan(x._value)]
        if inherited:
            birth = self._origin(inherited[0])
            if birth.op is None and not birth.taker:
                birth = replace(birth, taker=op.name, line=user_line(), caller=_caller())
            if birth.op is not None and birth.forward is None and _forward_of() is not None:
                birth = replace(birth, spread=True)
        else:
            earlier = self._origin(sick[0]) if sick else None
            birth = birth_of(op, xs, y._value, earlier)
        self._latest = self.origins[uid_of(y)] = birth

    def _origin(self, x: Tensor) -> Birth:
        """Where an operand's NaN or infinity comes from."""
        known = self.origins.get(x._uid) if x._uid else None
        if known is not None and (x._uid not in self._names or known.given):
            return known
        if x._uid in self._names:
            return _given(x._value, f"variable {self._names[x._uid]!r}")
        name = name_of(x)
        return replace(_given(x._value, f"input {name!r}" if name else "a constant or input"),
                       moment=moment())

    def read(self, variable: Any) -> Tensor:
        self._names[variable._uid] = variable.name
        return variable._snapshot

    # -- arrivals --------------------------------------------------------------------------------
    def escaped(self, tensor: Tensor) -> None:
        birth = self.origins.get(tensor._uid)
        if birth is None or is_finite(tensor._value):
            return
        if tensor._value.size == 1:
            self.arrived("a scalar that plain Python takes", tensor._value, birth)
        elif birth.forward is not None:  # it was made by a gradient
            self.arrived("an array that plain Python takes", tensor._value, birth)

    def assigned(self, variable: Any, tensor: Tensor) -> None:
        if is_finite(tensor._value) or not is_finite(variable._snapshot._value):
            return
        birth = self.origins.get(tensor._uid) or self._latest
        if birth is not None and not (birth.op is None and birth.kind != "NaN"):
            self.arrived(f"what is assigned to variable {variable.name!r}", tensor._value, birth)

    def differentiated(self, targets: list, sources: list, gradients: list) -> None:
        for target in targets:
            value = (target._snapshot if isinstance(target, Variable) else target)
            if type(value) is Tensor and not is_finite(value._value):
                birth = self.origins.get(uid_of(value)) or _given(
                    value._value, "computed where nothing was checked")
                self.arrived("the target of a gradient", value._value, birth)
        for position, (source, g) in enumerate(zip(sources, gradients, strict=True)):
            g = g._values if isinstance(g, IndexedSlices) else g
            if type(g) is Tensor and not is_finite(g._value):
                name = (f"variable {source.name!r}" if isinstance(source, Variable)
                        else f"source {position}")
                self.arrived(f"the gradient of {name}", g._value, self._origin(g))

    def pushed(self, tangents: list) -> None:
        for t in tangents:
            if type(t) is Tensor and not is_finite(t._value):
                self.arrived("a tangent", t._value, self._origin(t))

    def arrived(self, what: str, value: Any, birth: Birth) -> None:
        """Something that is not finite is where it does harm."""
        raise NotFiniteError(report(what, value, birth), birth)


def report(what: str, value: Any, birth: Birth) -> str:
    """What is not finite, and where that comes from."""
    array = _comparable(value)
    nan = bool(np.isnan(array).any())
    bad = np.isnan(array) if nan else ~np.isfinite(array)
    size = f" ({int(bad.sum())} of {array.size} elements)" if array.size > 1 else ""
    first = f"{'NaN' if nan else 'infinity'} in {what}{size}"
    return "\n".join([first, *["  " + line for line in birth._lines()]])


def _given(value: Any, whose: str) -> Birth:
    array = _comparable(value)
    nans = np.isnan(array)
    bad = nans if nans.any() else ~np.isfinite(array)
    index = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), bad.shape)) if (
        array.shape) else ()
    kind = "NaN" if nans.any() else "-inf" if array[index] == -np.inf else "inf"
    return Birth(None, "", kind, None, None, index, int(bad.sum()), array.shape, str(value.dtype),
                 [], [], None, None, whose, rows=rows_of(bad))


def _brought(iterator: Any, value: Any, slot: int) -> Birth:
    """Of data that an iterator has brought."""
    number = getattr(iterator.item(), "taken", None)
    which = "an element" if number is None else f"element {number - 1} (counted from 0)"
    return replace(_given(value, f"component {slot} of {which} of the data"), moment=moment())


class debug:
    """Context in which this thread's first NaN or infinity that does harm is an error.

    The error names the op and the line where it was born, its operands there, and what to do.
    Ops run one by one, those of tf.functions too: some ten times slower than without.

    >>> x = tf.Variable(0.0)
    >>> try:
    ...     with tf.insight.debug(), tf.GradientTape() as tape:
    ...         y = x / x
    ...         tape.gradient(y, x)
    ... except tf.insight.NotFiniteError as error:
    ...     print(error.message.splitlines()[0])
    NaN in the target of a gradient
    """

    def __enter__(self) -> BirthWatch:
        self._before, state.record_type = state.record_type, PositionedRecord
        self._watch = BirthWatch()
        states.set_stack((self._watch, *state.stack))
        return self._watch

    def __exit__(self, *exc: Any) -> None:
        state.record_type = self._before
        states.remove(self._watch)

