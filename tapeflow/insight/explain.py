"""Why is it None: `tape.explain(target, sources)`.

The tape keeps a skeleton of what it recorded: for each tensor the op and inputs that made it, and
beside it what depends on a watched tensor only through an op without a gradient. An explanation is
a walk over that skeleton, done when somebody asks.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from tapeflow.base import nest
from tapeflow.base.exception_origin import from_handler
from tapeflow.base.frames.user_lines import line_text
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import Subject, as_source, ones_like
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.op import DIFFERENTIABLE, OPS
from tapeflow.core.record.primitive_ops import cast, fill_like
from tapeflow.core.values.variable import Variable
from tapeflow.graph.executor.graph_function import RECORDED
from tapeflow.insight.program_text.lines_by_text import with_lines
from tapeflow.insight.program_text.rebinding import rebound
from tapeflow.insight.program_text.user_frames import Frames, on_the_stack

NO_SOURCES = (
    "no gradients, because the list of sources is empty. A Keras model or layer has no weights "
    "before it is built: call it once (or model.build(shape)), and ask for trainable_variables "
    "afterwards, in every step; a tf.Module has those that are its attributes. Weights are what "
    "self.add_weight or tf.Variable makes, not tensors.")


class Explanation:
    """One finding for each source; `str()` is the text, `reasons` the findings.

    >>> w = tf.Variable(1.5, name="w")
    >>> with tf.GradientTape() as tape:
    ...     y = tf.round(w)
    >>> found = tape.explain(y, w)
    >>> isinstance(found, tf.insight.Explanation), "round" in str(found)
    (True, True)
    """

    def __init__(self, findings: list[tuple[str, str, str]]):
        self.findings = findings

    @property
    def reasons(self) -> list[str]:
        """A word for each source: connected, constant, integer, stopped, severed …"""
        return [reason for _, reason, _ in self.findings]

    def __str__(self) -> str:
        return "\n".join(f"{label}: {text}" for label, _, text in self.findings) or NO_SOURCES

    __repr__ = __str__


def explain(tape: GradientTape, target: Any, sources: Any) -> Explanation:
    """Say in words, for each source, why there is no gradient and what to do.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> print(str(tape.explain(y, x)).partition(",")[0])
    source 0 (a tensor of shape ()): no gradient
    >>> tape.explain(y, x).reasons
    ['constant']
    """
    record = tape._record or tape._used
    given = [as_source(one, "explain") for one in nest.flatten(target)]
    targets = [Subject(one) for one in given]
    flat = [Subject(as_source(one, "explain")) for one in nest.flatten(sources)]
    if record is None:
        return Explanation([(_label(one, position), "never entered", (
            "no gradient, because this tape has recorded nothing: compute the target inside "
            "`with tape:`.")) for position, one in enumerate(flat)])
    _try(record, given)
    return explain_record(record, targets, flat)


def _try(record: Record, targets: list) -> None:
    """Walk back once, if gradients that users wrote are on the way: only they know their Nones."""
    behind = _ancestors(record, [one._uid for one in targets])
    made = [record._tracked.get(uid) for uid in behind]
    if len(record._entries) < 2 or states.state.trace is not None or all(
            one is None or OPS.get(one[0].name) is one[0] for one in made):
        return
    grads = {one._uid: ones_like(one._snapshot if isinstance(one, Variable) else one)
             for one in targets if _floating(one)}
    with states.only():
        try:
            walk_back(record, grads, set(), False, False)
        except Exception as error:  # the user's own gradient fails: gradient() will say so
            if from_handler(error):
                raise
            return


def explain_record(record: Record, targets: list[Subject], sources: list[Subject],
                   frames: Frames | None = None) -> Explanation:
    """The same from a tape's record and descriptions of targets and sources.

    frames: of the program that asks, if they are not on the stack any more
    """
    findings = []
    frames = on_the_stack() if frames is None else frames
    record = with_lines(record, frames) if sources else record
    for position, source in enumerate(sources):
        reason, text = _finding(record, targets, source)
        if reason == "constant":
            text += rebound(source.uid, frames)
        findings.append((_label(source, position), reason, text))
    return Explanation(findings)


def _label(source: Subject, position: int) -> str:
    if source.kind == "variable":
        return f"variable {source.name!r} of shape {source.shape}"
    return f"source {position} (a tensor of shape {source.shape})"


def _finding(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str]:
    live = [one for one in targets if _floating(one)]
    if any(one.uid == source.uid for one in live) and _floating(source):
        return "connected", "it has a gradient: it is the target itself."
    if not _floating(source):
        return "integer", (
            f"no gradient, because its dtype is {source.dtype.name}: only floating-point and "
            "complex tensors have gradients. Use tf.cast(..., tf.float32) before the tape "
            "begins, and compute with that.")
    if not live:
        cuts = _cuts(record, [one.uid for one in targets], source.uid)
        by = f", by {_spelt(cuts[0][0])}{_line(record, cuts[0][1])}" if cuts else ""
        return "integer target", (
            f"no gradient, because the target's dtype is {targets[0].dtype.name}{by}; a target "
            "must be floating point or complex. Differentiate what it was computed from.")
    if _reaches(record, live, source.uid):
        return "connected", "it has a gradient: the target depends on it."
    if any(_reaches(record, [source], one.uid) for one in live):
        return "swapped", (
            "no gradient, because it is the other way round: this source was computed from the "
            "target. tape.gradient(target, sources) takes the loss first.")
    for find in (_cut, _assigned, _unwatched, _late, _escaped, _chosen, _outside):
        found = find(record, live, source)
        if found is not None:
            return found
    dropped = [one for one in targets if not _floating(one)]
    if dropped and _cuts(record, [one.uid for one in dropped], source.uid):
        return "integer target", (
            f"no gradient, because only a target of dtype {dropped[0].dtype.name} depends on it, "
            "and such targets are left out. Differentiate what that was computed from.")
    return "independent", (
        "no gradient, because the target does not depend on it"
        + (": it was read or watched, but nothing computed from it leads to the target."
           if source.uid in record._tracked else ".")
        + " Check that the value you differentiate is computed from this very object."
        + _last_of(record, source.uid))


def _last_of(record: Record, uid: int) -> str:
    """A sentence on the last op whose result depends on a tensor, whatever became of it."""
    reached, said = {uid}, ""
    for one, made in record._tracked.items():
        if made is not None and not reached.isdisjoint(made[1:]):
            reached.add(one)
            said = (f" The last that was computed from it is {made[0].name}"
                    f"{_line(record, one)}.")
    return said


def _floating(subject: Subject) -> bool:
    return subject.dtype.is_floating or subject.dtype.is_complex


def _inputs(record: Record, uid: int) -> list[tuple[Any, int, bool]]:
    """(op, uid of an input, whether a gradient flows there) for what made a tensor."""
    found = []
    made = record._tracked.get(uid)
    if made is not None:
        op, *ins = made
        for i, one in enumerate(ins):
            rules = op.rules
            flows = (rules is None or rules[i] is not None) and (uid, one) not in record._barren
            if one:
                found.append((op, one, flows))
    cut = record._severed.get(uid)
    if cut is not None:
        op, *ins = cut
        found.extend((op, one, False) for one in ins)
    return found


def _reaches(record: Record, targets: list[Subject], uid: int) -> bool:
    seen, todo = set(), [one.uid for one in targets]
    while todo:
        now = todo.pop()
        if now == uid:
            return True
        if now not in seen:
            seen.add(now)
            todo.extend(one for _, one, flows in _inputs(record, now) if flows)
    return False


def _cuts(record: Record, targets: list[int], goal: int) -> list[tuple[Any, int, int]]:
    """Where no gradient flows on the ways from `targets` back to `goal`: (op, result, input).

    Nearest the goal first; each op once. What an ordinary op makes of a result without gradient
    has none either: that is no cut.
    """
    made_from: dict[int, list] = {}
    uses: dict[int, list[int]] = {}
    todo = deque(targets)
    while todo:
        now = todo.popleft()
        if now in made_from:
            continue
        made_from[now] = _inputs(record, now)
        for _, one, _ in made_from[now]:
            uses.setdefault(one, []).append(now)
            todo.append(one)
    leading = {goal} if goal in made_from else set()
    todo = deque(leading)
    while todo:
        for one in uses.get(todo.popleft(), ()):
            if one not in leading:
                leading.add(one)
                todo.append(one)
    found: dict[Any, tuple[Any, int, int]] = {}
    for result, inputs in reversed(made_from.items()):
        if result in leading:
            for op, one, flows in inputs:
                cut = not flows and (op.reason is not None or one in record._tracked)
                if cut and one in leading:
                    found.setdefault(op, (op, result, one))
    # What looks at shapes alone is seldom the reason: it would not be one if nothing else was cut.
    return sorted(found.values(), key=lambda one: bool(one[0].traits.shape_only))


def _line(record: Record, uid: int) -> str:
    position = (record._positions or {}).get(uid)
    return f" ({line_text(*position)})" if position else ""


def _cut(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """The target does depend on the source, but through ops without a gradient."""
    cuts = _cuts(record, [one.uid for one in targets], source.uid)
    if not cuts:
        return None
    reason, text = _described(record, *cuts[0])
    if len(cuts) > 1:
        others = ", ".join(f"{_spelt(op)}{_line(record, result)}" for op, result, _ in cuts[1:4])
        text += f" Gradients also end at: {others}{' and more' if len(cuts) > 4 else ''}."
    return reason, text


def _described(record: Record, op: Any, result: int, one: int) -> tuple[str, str]:
    where = _line(record, result)
    if op is stop_gradient.op:
        return "stop_gradient", (
            f"no gradient, because tf.stop_gradient{where} stands between it and the target. "
            "Remove it, or differentiate what it was applied to.")
    if (result, one) in record._barren:
        inside = _inside(record, op, result, one)
        if inside is not None:
            return inside
        maker = record._tracked.get(one)
        if op is cast.op and maker is not None:
            return "not differentiable", (
                f"no gradient, because the result of {maker[0].name}{_line(record, one)} that the "
                "target depends on is of integers or booleans, at which gradients end. "
                f"{DIFFERENTIABLE}")
        return "gradient gave None", (
            f"no gradient, because the gradient of {op.name}{where}, which stands between it and "
            f"the target, gives None for this input. Look at what the gradient function of "
            f"{op.name} returns, or at what happens inside.")
    if op.reason is not None:
        return "not differentiable", (
            f"no gradient, because the way from it to the target goes through "
            f"{_spelt(op)}{where}, which has none: {op.reason}. {op.advice}")
    if result in record._severed:
        return "not differentiable", (
            f"no gradient, because {op.name}{where} stands between it and the target, and its "
            "result is not of floating point: gradients end at integers and booleans. Stay in "
            "floating point; in place of an index, weigh the choices, as with tf.nn.softmax.")
    return "not differentiable", (
        f"no gradient, because it only enters {op.name}{where} as an operand that has none, "
        "such as an index or a condition.")


def _inside(record: Record, op: Any, result: int, one: int) -> tuple[str, str] | None:
    """What cuts the way inside a tf.function that a tape has recorded as a whole."""
    held, made = RECORDED.get(op), record._tracked.get(result)
    if held is None or made is None:
        return None
    bones, outputs, operands = held
    cuts = [cut for i, uid in enumerate(made[1:]) if uid == one
            for cut in _cuts(bones, outputs, operands[i])]
    if not cuts:
        return "independent", (f"no gradient, because what the tf.function {op.name!r} "
                               "returns does not depend on it.")
    reason, text = _described(bones, *cuts[0])
    return reason, f"{text} (Inside the tf.function {op.name!r}.)"


def _spelt(op: Any) -> str:
    """An op by a name that users know."""
    return "zeros_like, ones_like or the like" if op is fill_like.op else op.name


def _ancestors(record: Record, starts: list[int]) -> set[int]:
    seen, todo = set(), list(starts)
    while todo:
        now = todo.pop()
        if now not in seen:
            seen.add(now)
            todo.extend(one for _, one, _ in _inputs(record, now))
    return seen


def _assigned(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """The target read a variable after it was assigned a value computed from the source."""
    if not record._assigned:
        return None
    behind = _ancestors(record, [one.uid for one in targets])
    for variable, changes in record._assigned.items():
        if variable not in behind or variable == source.uid:
            continue
        reads = [float("inf") if any(one.uid == variable for one in targets) else 0]
        for uid in behind:
            if any(one == variable for _, one, _ in _inputs(record, uid)):
                reads.append(uid)
        last = max(reads)
        for value, time in changes:
            if time < last and source.uid in _ancestors(record, [value]):
                name = getattr(record._variables.get(variable), "name", "a variable")
                return "assigned", (
                    f"no gradient, because its value{_line(record, value)} reached the target only "
                    f"through an assignment to {name!r}, and assignments are not "
                    "differentiated. Use the tensor that you assigned instead of reading the "
                    "variable back.")
    return None


def _escaped(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """A value computed from the source left for NumPy or Python; what became of it, none knows."""
    for uid, where in record._escaped.items():
        made = record._severed.get(uid)
        if uid != source.uid and source.uid not in _ancestors(record, [uid]):
            continue
        if made is not None:
            return "condition", (
                f"no gradient, because what reaches the target from it went through "
                f"{_spelt(made[0])}{_line(record, uid)} into plain Python, such as an `if`, a "
                "`while` or int(). That may decide which ops run, but gradients follow only the "
                "values they compute with; tf.where or a smooth weight would carry one.")
        return "escaped", (
            f"no gradient, because no recorded op leads from it to the target, while "
            f"{'its value' if uid == source.uid else 'a value computed from it'}"
            f"{f' ({line_text(*where)})' if where else _line(record, uid)} left the tape by "
            ".numpy(), float(), int(), model.predict(), tf.data, a "
            "NumPy function or the like. If the target was computed from that value, stay with "
            "tf ops, or wrap the NumPy code with tapeflow.numerical_gradient or "
            "tf.custom_gradient; if not, the target does not depend on it.")
    return None


def _chosen(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """Of the source became what may only have chosen: an index, a sample, a condition."""
    if any(one.uid in record._tracked or one.uid in record._severed for one in targets):
        return None
    for uid, (op, *_) in reversed(record._severed.items()):
        if op.reason is not None and source.uid in _ancestors(record, [uid]):
            return "not differentiable", (
                f"no gradient, because no recorded op leads from it to the target, while "
                f"{_spelt(op)}{_line(record, uid)} made of it what has none: {op.reason}. An "
                "index, a sample or a condition chooses, and gradients follow values alone: weigh "
                "the choices (tf.nn.softmax), or, for a sampled action, multiply the reward with "
                "its log-probability.")
    return None


def _late(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """The tensor was watched only after the target had been computed."""
    if source.kind != "tensor" or record._tracked.get(source.uid, 0) is not None:
        return None
    order = {uid: position for position, uid in enumerate(record._tracked)}
    if any(order.get(one.uid, len(order)) > order[source.uid] for one in targets):
        return None
    return "watched late", (
        "no gradient, because tape.watch was called on it after the target had been computed. "
        "Call it first: only what is computed later is recorded.")


def _unwatched(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    if source.uid in record._tracked:
        return None
    if source.kind == "tensor":
        return "constant", (
            "no gradient, because it was never watched: tapes watch trainable variables by "
            "themselves, but a tensor only after tape.watch(tensor), called before it is used. "
            "If it was computed before the tape began, move that computation inside the `with` "
            "block. Keep in mind that ops return new tensors: watch, use and differentiate the "
            "same one; of a variable's part, w[0], take the gradient of w and its part.")
    if not source.trainable:
        return "not trainable", (
            "no gradient, because the variable has trainable=False, so the tape does not watch "
            "it by itself. Statistics of BatchNormalization and the like are such variables: ask "
            "for model.trainable_variables, not model.variables. Otherwise call "
            "tape.watch(variable), or create it with trainable=True.")
    if not record._accessed:
        return "not accessed", (
            "no gradient, because the tape was made with watch_accessed_variables=False. Call "
            "tape.watch(variable) inside the `with` block.")
    return "not read", (
        "no gradient, because the variable was not read while the tape was recording: what was "
        "computed from it came before the `with` block, after it, or while recording was "
        "stopped, or nothing uses it. Move that computation inside the block, or leave the "
        "variable out. A copy of a model or layer has variables of its own; what a function given "
        "to tf.data (dataset.map) computes is on no tape: compute it in the step."
        + (" (This tape was stopped for a while by stop_recording.)" if record._paused else "")
        + (" (tape.reset() was called: what was computed before it is forgotten.)"
           if record._forgot else ""))


def _outside(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """Nothing made the target while the tape listened."""
    if any(one.uid in record._tracked or one.uid in record._severed for one in targets):
        return None
    if record._forgot:
        return "forgotten", (
            "no gradient, because tape.reset() was called: what was computed before it is "
            "forgotten. Compute the target after reset().")
    if record._paused:
        return "stopped", (
            "no gradient, because the target was computed while recording was stopped by "
            "tape.stop_recording(). Compute it outside that block.")
    last = next(((made[0].name, uid) for uid, made in reversed(record._tracked.items())
                 if made is not None), None)
    return "outside", (
        "no gradient, because the target was not computed from anything watched while the tape "
        "was recording"
        + ("" if last is None else f", which ended with {last[0]}{_line(record, last[1])}")
        + (", or before tape.watch was called" if source.kind == "tensor" else "")
        + ". Compute it inside the `with` block of this very tape, from the source, after "
        "tape.watch if that is a tensor. If the target is "
        "itself a gradient, take that inside the block of the outer tape too; and mind that the "
        "gradient of something linear does not depend on the source any more, so it has none.")
