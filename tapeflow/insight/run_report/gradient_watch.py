"""Who hears of every gradient that tapes take, eager or in a traced function.

While somebody watches, `GradientTape._backward` is replaced by one that tells of what it does. In a
trace the gradients have no values yet: a node is added that passes them on whenever the function
runs, in native code too. Functions that were traced before have no such node.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, NamedTuple, Protocol

import numpy as np

from tapeflow.base.exception_origin import from_handler
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor
from tapeflow.insight.tape_reports.source_names import names_of

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
LIBRARIES = (f"{os.sep}keras{os.sep}src{os.sep}", f"{os.sep}site-packages{os.sep}",
             f"{os.sep}contextlib.py")


class Call(NamedTuple):
    """One `tape.gradient`: where it stands in the user's program, and what it is about."""

    file: str
    line: int
    names: tuple[str, ...]
    traced: bool


class Watcher(Protocol):
    """What is told of gradients."""

    def begins(self, call: Call, record: Record, targets: list, sources: list) -> None:
        """A tape is about to walk back; its entries are still there."""

    def ends(self, call: Call, record: Record, targets: list, sources: list,
             gradients: list) -> None:
        """It has; in a trace the gradients are symbolic."""

    def values(self, call: Call, targets: list, sources: list, gradients: list) -> None:
        """Values of gradients (None where there is none), in every run of a function."""


_watchers: list[Watcher] = []
_plain = GradientTape._backward
_busy = [False]  # gradients inside gradients are not told of


def watch(one: Watcher) -> None:
    """From now on `one` is told."""
    _watchers.append(one)
    GradientTape._backward = _watched  # type: ignore[method-assign]


def unwatch(one: Watcher) -> None:
    """No longer; tapes are as they were when nobody is left."""
    if one in _watchers:
        _watchers.remove(one)
    if not _watchers:
        GradientTape._backward = _plain  # type: ignore[method-assign]


def user_frame() -> tuple[str, int]:
    """File and line of the user's program: no frame of tapeflow, of Keras or another library."""
    frame: Any = sys._getframe(1)
    outer = ("", 0)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(PACKAGE):
            outer = outer if outer[0] else (name, frame.f_lineno)
            if not any(part in name for part in LIBRARIES) and not name.startswith("<"):
                return name, frame.f_lineno
        frame = frame.f_back
    return outer


def _watched(self: GradientTape, record: Record, targets: list, sources: list,
             seeds: list | None, grads: dict[int, Any] | None = None) -> list:
    if _busy[0]:
        return _plain(self, record, targets, sources, seeds, grads)
    traced = state.trace is not None
    call = Call(*user_frame(), tuple(names_of(list(sources))), traced)
    _busy[0] = True
    try:
        _tell("begins", call, record, targets, sources)
        results = _plain(self, record, targets, sources, seeds, grads)
        _tell("ends", call, record, targets, sources, results)
    finally:
        _busy[0] = False
    if traced:
        _add_probe(call, targets, sources, results)
    else:
        _tell("values", call, targets, sources, results)
    return results


def _tell(what: str, call: Call, *found: Any) -> None:
    """Tell every watcher; one that fails is told no more, and the program goes on."""
    for one in list(_watchers):
        try:
            getattr(one, what)(call, *found)
        except Exception as error:
            if from_handler(error):
                raise
            unwatch(one)
            warnings.warn(f"the report of gradients ends at {call.file}:{call.line}: "
                          f"{type(error).__name__}: {error}", stacklevel=2)


# -- in traced functions ---------------------------------------------------------------------------
class Probe(NamedTuple):
    """What the node of a trace knows: the call, its sources, and which have a gradient."""

    call: Call
    sources: list
    present: list[bool]
    targets: int


def _probe_kernel(*values: Any, probe: Probe) -> tuple:
    if _watchers:
        given = iter([np.array(one) for one in values])  # native code goes on with their memory
        targets = [next(given) for _ in range(probe.targets)]
        gradients = [next(given) if there else None for there in probe.present]
        _tell("values", probe.call, targets, probe.sources, gradients)
    return ()


_probe = define("gradient_probe", kernel=_probe_kernel, shape=lambda *specs, **attrs: (),
                multi=True, args=("*values",), vjp=NONDIFF("it only looks at values"),
                stateful=True, internal=True, unsavable="it belongs to a report")


def _add_probe(call: Call, targets: list, sources: list, gradients: list) -> None:
    """A node that passes the values on; slices are passed on as their rows."""
    rows = [g._values if isinstance(g, IndexedSlices) else g for g in gradients]
    losses = [one for one in targets if isinstance(one, Tensor)]
    kept = [None if isinstance(one, Tensor) and type(one) is not Tensor else one
            for one in sources]  # a symbolic source has no value later
    _probe(*losses, *[g for g in rows if g is not None],
           probe=Probe(call, kept, [g is not None for g in rows], len(losses)))
