"""What a report keeps of each line that takes gradients: curves, a picture, memory, reasons."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import Subject, is_differentiable, ones_like, snapshot_of
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.insight.births import Birth, BirthWatch, Line
from tapeflow.insight.drawing.tape_drawing import Drawing, norms_of
from tapeflow.insight.drawing.tape_nodes import picture_of
from tapeflow.insight.drawing.traced_norms import pass_norms
from tapeflow.insight.explain import explain_record
from tapeflow.insight.run_report.gradient_watch import Call
from tapeflow.insight.tape_reports.monitor import Monitor
from tapeflow.insight.tape_reports.tape_memory import memory_of
from tapeflow.insight.tape_reports.tape_steps import copy_of, position_of, steps_of
from tapeflow.insight.tape_reports.verdicts import Stats

MOST_SITES = 30
MOST_PROBLEMS = 100
MOST_OPS = 20_000  # in a picture without groups


class Site:
    """A line of the user's program at which gradients are taken, of the same sources."""

    def __init__(self, call: Call):
        self.call = call
        self.monitor = Monitor()
        self.steps = 0
        self.drawing = ""
        self.coloured = False  # whether a traced function has told its norms
        self.every_op = ""  # the picture without groups, where the other has them
        self.memory: dict[str, Any] | None = None
        self.first: Record | None = None  # the entries of the walk that is under way

    def draw(self, record: Record, stats: dict[int, Stats]) -> None:
        """The picture, and the one without groups if it has some."""
        picture = picture_of(record, None, stats)
        self.drawing = Drawing(picture).svg
        if len(picture.nodes) < picture.steps <= MOST_OPS:
            self.every_op = Drawing(picture_of(record, "each", stats)).svg

    def draw_once(self, record: Record, stats: dict[int, Stats]) -> None:
        """The same in the first run of a traced function."""
        if not self.coloured:
            self.coloured = True
            self.draw(record, stats)

    @property
    def title(self) -> str:
        kind = "tf.function" if self.call.traced else "eager"
        return f"{os.path.basename(self.call.file)}:{self.call.line} ({kind})"

    def to_dict(self) -> dict[str, Any]:
        return {"title": self.title, "steps": self.steps, "drawing": self.drawing,
                "every_op": self.every_op, "memory": self.memory, **self.monitor.to_dict()}


class Sites:
    """All of them; hears of gradients (`gradient_watch.Watcher`)."""

    def __init__(self) -> None:
        self.sites: dict[Call, Site] = {}
        self.problems: list[dict[str, Any]] = []
        self._told: set[tuple] = set()

    def begins(self, call: Call, record: Record, targets: list, sources: list) -> None:
        site = self.sites.get(call)
        if site is None:
            if len(self.sites) >= MOST_SITES:
                return
            site = self.sites[call] = Site(call)
            if not call.traced:
                self._remember(site, record)
        if not call.traced or not site.coloured:
            site.first = copy_of(record)

    def _remember(self, site: Site, record: Record) -> None:
        found = memory_of(record)
        profile = found.profile
        every = max(1, len(profile) // 400)
        site.memory = {**found.to_dict(), "profile": profile[::every], "text": str(found)}

    def ends(self, call: Call, record: Record, targets: list, sources: list,
             gradients: list) -> None:
        site = self.sites.get(call)
        if site is None:
            return
        missing = [one for one, g in zip(sources, gradients, strict=True) if g is None]
        if missing:
            found = explain_record(record, [Subject(one) for one in targets],
                                   [Subject(one) for one in missing])
            for label, reason, text in found.findings:
                self._problem("None", site, label, reason, text, 0)
        if site.drawing and not call.traced or site.coloured:
            return
        held = site.first or record  # the walk has used up the record, not its copy
        if call.traced:  # not every trace is run: each passes norms on, until one has
            site.draw(held, {})
            pass_norms(held, targets, lambda stats: site.draw_once(held, stats))
            site.first = None
        else:
            site.draw(held, {} if site.first is None else norms_of(held, targets))

    def values(self, call: Call, targets: list, sources: list, gradients: list) -> None:
        site = self.sites.get(call)
        if site is None:
            return
        losses = [np.asarray(one._value if isinstance(one, Tensor) else one) for one in targets
                  if not hasattr(one, "_snapshot")]
        loss = sum(float(np.sum(one)) for one in losses) if losses else None
        held = [g if one is None else one for one, g in zip(sources, gradients, strict=True)]
        known = [i for i, one in enumerate(held) if one is not None]
        site.monitor.note(site.steps, [call.names[i] for i in known], [held[i] for i in known],
                          [gradients[i] for i in known], loss)
        for name, g in zip(call.names, gradients, strict=True):
            if g is not None and not _finite(g):
                self._not_finite(site, name, g, targets)
        site.first = None
        site.steps += 1

    # -- reasons ---------------------------------------------------------------------------------
    def _not_finite(self, site: Site, name: str, g: Any, targets: list) -> None:
        if ("NaN", site.call, name) in self._told:
            return
        text = ("`tapeflow run --debug` or `with tf.insight.debug():` names the op in which it was "
                "born.")
        if site.first is not None:
            birth = _birth(site.first, targets)
            text = text if birth is None else str(birth)
        self._problem("NaN", site, name, "not finite", text, site.steps)

    def _problem(self, kind: str, site: Site, name: str, reason: str, text: str,
                 step: int) -> None:
        key = (kind, site.call, name)
        if key not in self._told and len(self.problems) < MOST_PROBLEMS:
            self._told.add(key)
            self.problems.append({"kind": kind, "site": site.title, "name": name,
                                  "reason": reason, "text": text, "step": step})


def _finite(g: Any) -> bool:
    value = getattr(g, "_values", g)
    value = np.asarray(value._value if isinstance(value, Tensor) else value)
    return bool(np.isfinite(value.astype(np.float32) if value.dtype.kind == "V" else value).all())


def _walked(record: Record, targets: list, grads: dict[int, Any], stack: tuple) -> None:
    for one in targets:
        if is_differentiable(one):
            grads[uid_of(one)] = ones_like(snapshot_of(one))
    with states.only(stack):
        walk_back(record, grads, set(grads), False, False)


def _birth(record: Record, targets: list) -> Birth | None:
    """Where a NaN or infinity of this walk comes from: the forward ops first, then the rules."""
    watch = BirthWatch()
    steps = steps_of(record)
    known: dict[int, Tensor] = {}
    for step in steps:
        pairs = [*zip(step.ins, step.operands, strict=False),
                 *zip(step.outs, step.results, strict=False)]
        known.update({uid: one for uid, one in pairs if uid and type(one) is Tensor})
    for one in targets:
        if type(one) is Tensor:
            known[uid_of(one)] = one
    for step in steps:
        ys = [known[uid] for uid in step.outs if uid in known]
        if len(ys) == len(step.outs):
            before = watch._latest
            xs = tuple([known.get(uid, one) for uid, one in zip(step.ins, step.operands,
                                                                strict=False)])
            watch.note(step.op, tuple([x for x in xs if type(x) is Tensor]),
                       tuple(ys) if step.op.multi else ys[0], {})
            where = position_of(record, step)
            if watch._latest is not before and watch._latest is not None and where is not None:
                born = watch._latest
                for uid in step.outs:
                    if watch.origins.get(uid) is born and born.op == step.op.name:
                        watch.origins[uid] = replace(born, line=Line(*where))
    first = next(iter(watch.origins.values()), None)
    if first is None:
        _walked(record, targets, {}, (watch,))
        first = next(iter(watch.origins.values()), None)
    return first
