"""`tape.report(target, sources)`: numbers of each gradient, and a verdict in words (`verdicts.py`).
"""

from __future__ import annotations

import functools
import math
import operator
from html import escape
from typing import Any, NamedTuple

from tapeflow.base import nest
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import (
    Subject,
    flatten_sources,
    seeds_for,
    snapshot_of,
    tensors_of,
)
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.state import state
from tapeflow.insight.explain import explain_record
from tapeflow.insight.tape_reports.source_names import names_of
from tapeflow.insight.tape_reports.tape_steps import (
    Step,
    position_of,
    short,
    steps_inside,
    steps_of,
)
from tapeflow.insight.tape_reports.verdicts import (
    Flat,
    Stats,
    flat_step,
    measure,
    overflowed,
    verdict,
    zero_text,
)

HEADS = ("source", "shape", "norm", "ratio", "zeros", "NaN", "verdict")


class Row(NamedTuple):
    """What a report says of one source; numbers are None where there is no gradient."""

    name: str
    shape: str
    dtype: str
    norm: float | None  # of the gradient
    ratio: float | None  # to the norm of the value; None where that is 0
    zeros: float | None  # share of elements
    nans: float | None
    infinities: float | None
    verdict: str
    where: str  # file and line of what is to blame, if that is one op
    text: str  # the verdict in a sentence; '' if all is well

    def cells(self) -> tuple[str, ...]:
        """The row as texts, under HEADS."""
        said = f"{self.verdict} at {self.where}" if self.where else self.verdict
        return (self.name, self.shape, _number(self.norm), _number(self.ratio),
                _share(self.zeros), _share(self.nans), said)


class GradientReport:
    """What `tape.report` found: `rows`, one a source, and the `gradients` in their structure.

    >>> w = tf.Variable([3.0, 4.0], name="w")
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(w * w)
    >>> report = tape.report(loss, w)
    >>> report.gradients.numpy(), report.to_dict()["sources"][0]["norm"]
    (array([6., 8.], dtype=float32), 10.0)
    """

    def __init__(self, rows: list[Row], gradients: Any, stats: dict[int, Stats]):
        self.rows, self.gradients = rows, gradients
        self.stats = stats  # of every gradient on the way, by the uid of the tensor

    @property
    def verdicts(self) -> list[str]:
        """A word for each source: fine, vanishing, exploding, dead ReLU, saturated …"""
        return [row.verdict for row in self.rows]

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The rows as plain values, such as JSON holds: a norm that is not finite is None."""
        return {"sources": [{name: finite_or_none(value) for name, value in row._asdict().items()}
                            for row in self.rows]}

    def __str__(self) -> str:
        table = [HEADS, *[row.cells() for row in self.rows]]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
                 for line in table]
        notes = [f"{row.name}: {row.verdict}: {row.text}" for row in self.rows if row.text]
        return "\n".join([line.rstrip() for line in lines] + notes)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{head}</th>" for head in HEADS)
        rows = []
        for row in self.rows:
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in row.cells())
            rows.append(f'<tr title="{escape(row.text)}">{cells}</tr>')
        notes = "".join(f"<p><b>{escape(row.name)}</b>: {escape(row.verdict)}: {escape(row.text)}"
                        "</p>" for row in self.rows if row.text)
        return (f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
                f"{notes}")


def finite_or_none(value: Any) -> Any:
    """A value that JSON can hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _share(value: float | None) -> str:
    return "" if value is None else "0" if not value else f"{max(value, 0.001):.1%}"


class Measured(dict):
    """Gradients by uid during a walk; those that the walk takes out are complete, and measured."""

    def __init__(self) -> None:
        self.stats: dict[int, Stats] = {}

    def pop(self, uid: int, default: Any = None) -> Any:
        g = super().pop(uid, default)
        if g is not None:
            self.stats[uid] = measure(g)
        return g


def report(tape: GradientTape, target: Any, sources: Any,
           output_gradients: Any = None) -> GradientReport:
    """Gradient norm, zeros, NaNs, ratio to the value and a verdict in words, for each source.

    Takes the gradient as `tape.gradient` does, so a tape that is not persistent is used up by it;
    `.gradients` has it. Lines are known inside `tf.insight.positions()`.

    >>> x = tf.Variable([3.0, 4.0], name="x")
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(x * x)
    >>> tape.report(y, x).verdicts
    ['fine']
    """
    if state.trace is not None:
        raise RuntimeError("GradientTape.report needs values, and inside a tf.function there are "
                           "none while it is traced. Call it outside, or call "
                           "tf.config.run_functions_eagerly(True) first.")
    record = tape._begin()
    names = names_of(sources)
    flat, rebuild = flatten_sources(sources)
    targets = tensors_of(nest.flatten(target))
    seeds = None if output_gradients is None else seeds_for(output_gradients, targets)
    steps = steps_of(record)
    found = Measured()
    try:
        results = tape._backward(record, targets, flat, seeds, found)
    finally:
        tape._finish()
    rows = rows_for(record, steps, targets, flat, names, results, found.stats)
    for one, g in zip(flat, results, strict=True):
        if g is not None:
            found.stats[one._uid] = measure(g)
    gradients = results[0] if rebuild is None else (
        results if rebuild is list else rebuild(results))
    return GradientReport(rows, gradients, found.stats)


def rows_for(record: Record, steps: list[Step], targets: list, sources: list, names: list[str],
             results: list, walked: dict[int, Stats]) -> list[Row]:
    """The rows of a report, from a tape's steps and the gradients that were found.

    walked: the numbers of gradients on the way, by uid
    """
    stats = [None if g is None else measure(g) for g in results]
    largest = max([one.rms for one in stats if one is not None and one.finite], default=0.0)
    flats, overflows = _on_the_way(record, steps, targets, sources)
    missing = [i for i, one in enumerate(stats) if one is None]
    reasons = explain_record(record, [Subject(one) for one in targets],
                             [Subject(sources[i]) for i in missing])
    texts = dict(zip(missing, [text for _, _, text in reasons.findings], strict=True))
    rows = []
    for i, (source, name, one) in enumerate(zip(sources, names, stats, strict=True)):
        value = snapshot_of(source)
        shape, dtype = str(tuple(value.shape)), value.dtype
        if one is None:
            rows.append(Row(name, shape, dtype.name, None, None, None, None, None, "disconnected",
                            "", texts[i]))
            continue
        held = measure(value)
        word, where, text = verdict(one, held, largest, dtype, flats[i], overflows[i])
        if word == "zero":
            ended = _zero_from(record, steps, source._uid, walked)
            if ended is not None:
                where, text = short(position_of(record, ended)), zero_text(record, ended)
        ratio = one.norm / held.norm if held.norm else None
        rows.append(Row(name, shape, dtype.name, one.norm, ratio, one.zeros, one.nans,
                        one.infinities, word, where, text))
    return rows


def _zero_from(record: Record, steps: list[Step], uid: int,
               walked: dict[int, Stats]) -> Step | None:
    """The step that gets a gradient and gives none, the nearest to a source whose own is 0."""
    reached = {uid}
    for step in steps:
        if not reached.isdisjoint(step.ins):
            above = [walked[out] for out in step.outs if out in walked]
            if any(one.norm for one in above):
                return step
            reached.update(step.outs)
    return None


def _on_the_way(record: Record, steps: list[Step], targets: list,
                sources: list) -> tuple[list[list[Flat]], list[list[str]]]:
    """For each source the flat activations and the overflows between it and the targets.

    A bit for each source, in integers by uid, moves along the steps.
    """
    leads = {one._uid: 0 for one in sources}
    for i, one in enumerate(sources):
        leads[one._uid] |= 1 << i
    needed = {one._uid for one in targets}
    for step in reversed(steps):
        if not needed.isdisjoint(step.outs):
            needed.update(uid for uid in step.ins if uid)
    flats: list[list[Flat]] = [[] for _ in sources]
    overflows: list[list[str]] = [[] for _ in sources]
    for step in steps:
        if needed.isdisjoint(step.outs):
            continue
        bits = 0
        for uid in step.ins:
            bits |= leads.get(uid, 0)
        for uid in step.outs:
            leads[uid] = leads.get(uid, 0) | bits
        for one in (step, *steps_inside(step)) if bits else ():
            flat, over = flat_step(record, one), overflowed(record, one)
            if flat or over:
                bits = functools.reduce(operator.or_, [leads.get(uid, 0) for uid in one.ins], 0)
                for i in [i for i in range(len(sources)) if bits >> i & 1]:
                    flats[i] += [flat] if flat else []
                    overflows[i] += [over] if over else []
    return flats, overflows
