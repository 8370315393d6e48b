"""Why is it None: `tape.explain(target, sources)`.

The tape keeps a skeleton of what it recorded: for each tensor the op and inputs that made it, and
beside it what depends on a watched tensor only through an op without a gradient. An explanation is
a walk over that skeleton, done when somebody asks.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base import nest
from tapeflow.core.tape import GradientTape, Record, Subject, as_source


class Explanation:
    """One finding for each source; `str()` is the text, `reasons` the findings."""

    def __init__(self, findings: list[tuple[str, str, str]]):
        self.findings = findings

    @property
    def reasons(self) -> list[str]:
        """A word for each source: connected, constant, integer, stopped, severed …"""
        return [reason for _, reason, _ in self.findings]

    def __str__(self) -> str:
        return "\n".join(f"{label}: {text}" for label, _, text in self.findings)

    __repr__ = __str__


def explain(tape: GradientTape, target: Any, sources: Any) -> Explanation:
    """Say in words, for each source, why there is no gradient and what to do.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> print(tape.explain(y, x))
    source 0 (a tensor of shape ()): no gradient, because it was never watched …
    """
    record = tape._record or tape._used
    targets = [Subject(as_source(one, "explain")) for one in nest.flatten(target)]
    flat = [Subject(as_source(one, "explain")) for one in nest.flatten(sources)]
    if record is None:
        record = Record(tape._watch_accessed_variables)
    return explain_record(record, targets, flat)


def explain_record(record: Record, targets: list[Subject],
                   sources: list[Subject]) -> Explanation:
    """The same from a tape's record and descriptions of targets and sources."""
    findings = []
    for position, source in enumerate(sources):
        reason, text = _finding(record, targets, source)
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
        return "integer target", (
            f"no gradient, because the target's dtype is {targets[0].dtype.name}; a target must "
            "be floating point or complex. Differentiate what it was computed from.")
    if _reaches(record, live, source.uid):
        return "connected", "it has a gradient: the target depends on it."
    for find in (_cut, _assigned, _escaped, _unwatched, _outside):
        found = find(record, live, source)
        if found is not None:
            return found
    return "independent", (
        "no gradient, because the target does not depend on it"
        + (": it was read or watched, but nothing computed from it leads to the target."
           if source.uid in record._tracked else ".")
        + " Check that the value you differentiate is computed from this very object.")


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
            flows = bool(one) and (rules is None or rules[i] is not None)
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


def _path(record: Record, starts: list[int], goal: int) -> list[tuple[Any, int, bool]] | None:
    """Steps from one of `starts` back to `goal` through any op: (op, its result, flows)."""
    before: dict[int, tuple[int, Any, bool] | None] = dict.fromkeys(starts)
    todo = list(starts)
    while todo:
        now = todo.pop(0)
        if now == goal:
            steps = []
            link = before[now]
            while link is not None:
                result, op, flows = link
                steps.append((op, result, flows))
                link = before[result]
            return steps
        for op, one, flows in _inputs(record, now):
            if one not in before:
                before[one] = (now, op, flows)
                todo.append(one)
    return None


def _line(record: Record, uid: int) -> str:
    place = (record._positions or {}).get(uid)
    return f" ({place[0]}:{place[1]})" if place else ""


def _cut(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """The target does depend on the source, but through an op without a gradient."""
    path = _path(record, [one.uid for one in targets], source.uid)
    if path is None:
        return None
    op, result, _ = next((step for step in path if not step[2]), path[0])
    where = _line(record, result)
    if op.name == "stop_gradient":
        return "stop_gradient", (
            f"no gradient, because tf.stop_gradient{where} stands between it and the target. "
            "Remove it, or differentiate what it was applied to.")
    if op.reason is not None:
        return "not differentiable", (
            f"no gradient, because the only way from it to the target goes through "
            f"{op.name}{where}, which has none: {op.reason}. {_advice(op.name)}")
    if result in record._severed:
        return "not differentiable", (
            f"no gradient, because {op.name}{where} stands between it and the target, and its "
            "result is not of floating point: gradients end at integers and booleans.")
    return "not differentiable", (
        f"no gradient, because it only enters {op.name}{where} as an operand that has none, "
        "such as an index or a condition.")


def _advice(name: str) -> str:
    if name in ("round", "floor", "ceil", "rint", "sign", "floordiv"):
        return ("For a straight-through estimate use tf.grad_pass_through or "
                "x + tf.stop_gradient(f(x) - x).")
    if name in ("argmax", "argmin"):
        return "tf.nn.softmax is a differentiable stand-in."
    return "Write the computation with differentiable ops, or give it a tf.custom_gradient."


def _ancestors(record: Record, starts: list[int]) -> set[int]:
    seen, todo = set(), list(starts)
    while todo:
        now = todo.pop()
        if now not in seen:
            seen.add(now)
            todo.extend(one for _, one, _ in _inputs(record, now))
    return seen


def _assigned(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """The target depends on a variable that was assigned a value computed from the source."""
    behind = _ancestors(record, [one.uid for one in targets])
    for variable, value in record._assigned.items():
        if variable in behind and variable != source.uid and value and (
                source.uid in _ancestors(record, [value])):
            name = getattr(record._variables.get(variable), "name", "a variable")
            return "assigned", (
                f"no gradient, because its value reached the target only through an assignment "
                f"to {name!r}, and assignments are not differentiated. Use the tensor that you "
                "assigned instead of reading the variable back.")
    return None


def _escaped(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """A value computed from the source left for NumPy or Python."""
    for uid in record._escaped:
        if uid == source.uid or (uid in record._tracked
                                 and source.uid in _ancestors(record, [uid])):
            return "escaped", (
                f"no gradient, because a value computed from it{_line(record, uid)} left the tape "
                "by .numpy(), float(), int(), a NumPy function or the like, and the target was "
                "computed from that. Stay with tf ops, or wrap the NumPy code with "
                "tapeflow.numerical_gradient or tf.custom_gradient.")
    return None


def _unwatched(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    if source.uid in record._tracked:
        return None
    if source.kind == "tensor":
        return "constant", (
            "no gradient, because it was never watched: tapes watch trainable variables by "
            "themselves, but a tensor only after tape.watch(tensor), called before it is used. "
            "If it was computed before the tape began, move that computation inside the `with` "
            "block. Keep in mind that ops return new tensors: watch, use and differentiate the "
            "same one.")
    if not source.trainable:
        return "not trainable", (
            "no gradient, because the variable has trainable=False, so the tape does not watch "
            "it by itself. Call tape.watch(variable), or create it with trainable=True.")
    if not record._accessed:
        return "not accessed", (
            "no gradient, because the tape was made with watch_accessed_variables=False. Call "
            "tape.watch(variable) inside the `with` block.")
    return "not read", (
        "no gradient, because the variable was not read while the tape was recording: what was "
        "computed from it came before the `with` block, after it, or while recording was "
        "stopped. Move that computation inside the block."
        + (" (This tape was stopped for a while by stop_recording.)" if record._paused else ""))


def _outside(record: Record, targets: list[Subject], source: Subject) -> tuple[str, str] | None:
    """Nothing made the target while the tape listened."""
    if any(one.uid in record._tracked or one.uid in record._severed for one in targets):
        return None
    if record._paused:
        return "stopped", (
            "no gradient, because the target was computed while recording was stopped by "
            "tape.stop_recording(). Compute it outside that block.")
    return "outside", (
        "no gradient, because the target was not computed from anything watched while the tape "
        "was recording. Compute it inside the `with` block, from the source.")
