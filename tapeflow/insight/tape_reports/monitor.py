"""`tf.insight.Monitor`: gradients of a run, by variable and step.

A plain object that a training loop calls, and a callback of Keras.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import nest
from tapeflow.core.autodiff.sources import as_source, snapshot_of
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.insight.tape_reports.gradient_report import GradientReport, finite_or_none
from tapeflow.insight.tape_reports.source_names import names_of
from tapeflow.insight.tape_reports.verdicts import Stats, measure, numbers_of, verdict

BINS = 40
OF_CALLBACKS = ("set_model", "set_params", "model", "params", "validation_data", "async_safe")
MOST_STEPS = 2000  # then every second step is dropped, and from there on every second one noted
MOST_HISTOGRAMS = 12  # of a variable


class Point(NamedTuple):
    """Numbers of one gradient at one step."""

    step: int
    norm: float | None
    ratio: float | None
    zeros: float
    nans: float
    verdict: str


class Thinned(list):
    """A list that keeps at most `most` entries, evenly spread over all that were offered."""

    def __init__(self, most: int):
        super().__init__()
        self.most, self.every, self.offered = most, 1, 0

    def wants(self) -> bool:
        """Whether the next entry is one to keep; each entry asks once."""
        wanted = self.offered % self.every == 0
        self.offered += 1
        if wanted and len(self) >= self.most:
            del self[1::2]
            self.every *= 2
            wanted = (self.offered - 1) % self.every == 0
        return wanted


class Series:
    """What is known of one variable over a run."""

    def __init__(self, name: str, shape: str):
        self.name, self.shape = name, shape
        self.points: Thinned = Thinned(MOST_STEPS)
        self.histograms: Thinned = Thinned(MOST_HISTOGRAMS)
        self.missing = 0  # steps without a gradient

    def to_dict(self) -> dict[str, Any]:
        """The series as plain values."""
        return {"name": self.name, "shape": self.shape, "missing": self.missing,
                "points": [list(point) for point in self.points],
                "histograms": list(self.histograms)}


class Monitor:
    """Collects norms, zeros, NaNs, verdicts and histograms of gradients, by variable and step.

    >>> monitor = tf.insight.Monitor()
    >>> w = tf.Variable(2.0, name="w")
    >>> for step in range(3):
    ...     with tf.GradientTape() as tape:
    ...         loss = w * w
    ...     monitor.record(step, tape.gradient(loss, w), w, loss)
    ...     _ = w.assign_sub(0.1 * monitor.gradients)
    >>> [point.norm for point in monitor.series["w"].points][0]
    4.0
    """

    def __init__(self) -> None:
        self.series: dict[str, Series] = {}
        self.losses: Thinned = Thinned(MOST_STEPS)  # (step, loss)
        self.gradients: Any = None  # of the last step

    def __getattr__(self, name: str) -> Any:
        """What Keras asks of a callback: `callbacks=[monitor]` means `[monitor.callback()]`."""
        if name not in OF_CALLBACKS and not name.startswith("on_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        held = vars(self)
        if "_callback" not in held:
            held["_callback"] = self.callback()
        return getattr(held["_callback"], name)

    def record(self, step: int, gradients: Any, variables: Any, loss: Any = None) -> None:
        """Note one step: gradients (or a tape, which is asked for those of `loss`) and variables.

        `gradients` has the structure of `variables`; `monitor.gradients` are those of this step.
        """
        if state.trace is not None:
            raise RuntimeError(
                "Monitor.record needs numbers, and a tf.function that is traced has none yet. Let "
                "the function return gradients and loss, and call record with them outside.")
        if isinstance(gradients, GradientTape):
            if loss is None:
                raise ValueError("Monitor.record: with a tape it needs `loss`, to differentiate.")
            gradients = gradients.gradient(loss, variables)
        elif isinstance(gradients, GradientReport):
            gradients = gradients.gradients
        names, flat = names_of(variables), nest.flatten(variables)
        found = nest.flatten(gradients)
        if len(found) != len(flat):
            raise ValueError(f"Monitor.record: {len(found)} gradients for {len(flat)} variables.")
        self.gradients = gradients
        self.note(int(step), names, flat, found, loss)

    def note(self, step: int, names: list[str], values: list, gradients: list, loss: Any) -> None:
        """The same from flat lists; `values` are variables or tensors."""
        if loss is not None and self.losses.wants():
            self.losses.append((step, finite_or_none(_scalar(loss))))
        stats = [None if g is None else measure(g) for g in gradients]
        largest = max([one.rms for one in stats if one is not None and one.finite], default=0.0)
        for name, value, g, one in zip(names, values, gradients, stats, strict=True):
            series = self.series.get(name)
            if series is None:
                shape = str(tuple(value.shape))
                series = self.series[name] = Series(name, shape)
            if one is None:
                series.missing += 1
                continue
            if series.points.wants():
                series.points.append(_point(step, one, value, largest))
            if series.histograms.wants():
                series.histograms.append({"step": step, "gradient": histogram(g),
                                          "value": histogram(_held(value))})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, such as JSON holds."""
        return {"losses": [list(one) for one in self.losses],
                "series": [one.to_dict() for one in self.series.values()]}

    def report(self, path: Any) -> None:
        """Write an HTML file with curves and histograms, which opens without a server."""
        from tapeflow.insight.run_report.html_page import write_page
        write_page(path, {"title": "Gradients", "monitors": [
            {"title": "gradients", **self.to_dict()}]})

    def callback(self) -> Any:
        """A callback for `model.fit(callbacks=[monitor.callback()])`; `[monitor]` means the same.

        Every batch that Keras trains on is a step; what Keras's own step computes is looked at, in
        compiled steps too.
        """
        from tapeflow.insight.run_report.keras_callback import callback_for
        return callback_for(self)

    def __repr__(self) -> str:
        lines = [f"<Monitor: {len(self.losses)} steps>"]
        for one in self.series.values():
            last = one.points[-1] if one.points else None
            said = "no gradient" if last is None else f"norm {last.norm}, {last.verdict}"
            lines.append(f"  {one.name} {one.shape}: {said}")
        return "\n".join(lines)


def _held(value: Any) -> Any:
    """The value of a variable, Keras's too; tensors and arrays as they are."""
    return value if isinstance(value, np.ndarray) else snapshot_of(as_source(value, "gradient"))


def _scalar(loss: Any) -> float:
    loss = loss._value if isinstance(loss, Tensor) else loss
    array = np.asarray(loss, dtype=np.float64)
    return float(array) if array.ndim == 0 else float(array.sum())


def _point(step: int, stats: Stats, value: Any, largest: float) -> Point:
    held = _held(value)
    own = measure(held)
    word, _, _ = verdict(stats, own, largest, held.dtype, [], [])
    ratio = stats.norm / own.norm if own.norm else None
    return Point(step, finite_or_none(stats.norm), finite_or_none(ratio), stats.zeros, stats.nans,
                 word)


def histogram(x: Any) -> dict[str, Any]:
    """Counts of the finite elements in equal bins: {"low", "high", "counts"}."""
    flat = numbers_of(x).ravel().astype(np.float64)
    flat = flat[np.isfinite(flat)]
    if not flat.size:
        return {"low": 0.0, "high": 0.0, "counts": []}
    low, high = float(flat.min()), float(flat.max())
    if not math.isfinite(high - low) or low == high:
        return {"low": low, "high": high, "counts": [int(flat.size)]}
    counts, _ = np.histogram(flat, BINS, (low, high))
    return {"low": low, "high": high, "counts": counts.tolist()}
