"""Norms of the gradients in the picture of a tape inside a tf.function.

While a function is traced there are no values. A node is added that passes the norms on when the
function runs; the walk that they come from is the tape's own once more, so a graph shares it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import is_differentiable, ones_like, snapshot_of
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.record.op import NONDIFF, define
from tapeflow.core.record.primitive_ops import cast, reduce_sum, stack
from tapeflow.core.state import state
from tapeflow.core.values.indexed_slices import IndexedSlices
from tapeflow.core.values.tensor import Tensor, uid_of
from tapeflow.insight.tape_reports.verdicts import Stats

MOST = 400  # gradients whose norms are taken, the first of the walk
_FLOAT64 = np.dtype("float64")  # squares of float32 do not overflow


class _Collected(dict):
    """Gradients by uid during a walk; those that it takes out are complete, and are kept."""

    def __init__(self) -> None:
        self.complete: dict[int, Any] = {}

    def pop(self, uid: int, default: Any = None) -> Any:
        g = super().pop(uid, default)
        if g is not None:
            self.complete[uid] = g
        return g


def _probe_kernel(squares: Any, tell: Callable[[np.ndarray], None]) -> tuple:
    tell(np.sqrt(np.asarray(squares, np.float64)))
    return ()


_probe = define("norm_probe", kernel=_probe_kernel, shape=lambda squares, tell: (), multi=True,
                args=("squares",), vjp=NONDIFF("it only looks at values"), stateful=True,
                internal=True, unsavable="it belongs to a picture")


def pass_norms(record: Record, targets: list, tell: Callable[[dict[int, Stats]], None]) -> None:
    """Let every run of the function that is being traced tell the norms, by uid."""
    found = _Collected()
    quiet = tuple([one for one in state.stack if not isinstance(one, Record)])
    with states.only(quiet):
        for one in targets:
            if is_differentiable(one):
                found[uid_of(one)] = ones_like(snapshot_of(one))
        walk_back(record, found, set(), False, False)
        for uid in list(found):
            found.pop(uid)
        uids = list(found.complete)[:MOST]
        if uids:
            squares = stack(*[_square(found.complete[uid]) for uid in uids], axis=0)
            _probe(squares, tell=lambda norms: tell({
                uid: Stats(float(norm), 1, 0.0, 0.0, 0.0)
                for uid, norm in zip(uids, norms, strict=True)}))


def _square(g: Any) -> Tensor:
    """The square of a gradient's norm."""
    g = g._values if isinstance(g, IndexedSlices) else g
    size: Any = abs(g) if g.dtype.is_complex else g
    size = cast(size, dtype=_FLOAT64)
    return reduce_sum(size * size)
