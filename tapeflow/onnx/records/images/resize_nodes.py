"""Images of other sizes: products with matrices of weights, one for each direction.

Where sizes are known the weights are constants, by the record's own kernel; else they are computed
in the graph, as `ops/image/interpolation.py` does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import FLOAT32, INT64, GraphWriter, Term
from tapeflow.onnx.records.images.window_nodes import channels_first, channels_last
from tapeflow.onnx.records.shape_nodes import counting

_CUBIC_STEPS = 1024.0  # distances are rounded to these


class _Line:
    """One direction: `before` lines become `after`, ints where they are known."""

    def __init__(self, w: GraphWriter, x: Term, axis: int, node: Any, which: int):
        size, known = node.attrs["size"], (x.shape or (None,) * x.rank)[axis]
        self.w, self.node = w, node
        self.before = w.size_of(x, axis)
        if isinstance(size, ir.Value):
            self.after = w.slice(w.vector(size), [which], [which + 1], [0])
            self.sizes = None
        else:
            self.after = w.ints(int(size[which]))
            self.sizes = None if known is None else (known, int(size[which]))

    def floats(self) -> tuple[Term, Term, Term]:
        """Lines before and after as numbers, and 0, 1 … below `after`, all float32."""
        w = self.w
        n, out = [w.cast(w.squeeze(one, 0), FLOAT32) for one in (self.before, self.after)]
        return n, out, w.cast(counting(w, w.squeeze(self.after, 0)), FLOAT32)

    def lines(self) -> Term:
        """0, 1 … below `before` as float32."""
        return self.w.cast(counting(self.w, self.w.squeeze(self.before, 0)), FLOAT32)

    def positions(self) -> Term:
        """Where lines of the result lie among those before."""
        w, centres = self.w, self.node.attrs["centres"]
        n, out, at = self.floats()
        step = n / out
        if centres == "corners":
            gaps = w.op("Max", out - 1.0, w.scalar(1, FLOAT32))
            step = w.where(out > 1.0, (n - 1.0) / gaps, step)
        return (at + 0.5) * step - 0.5 if centres == "half" else at * step

    def matrix(self, dtype: Any) -> Term:
        """What each line of the result takes of each line before: (after, before)."""
        w, node = self.w, self.node
        if self.sizes is not None:
            before, after = self.sizes
            lines = np.eye(before, dtype=np.float32).reshape(1, before, 1, before)
            found = node.op.kernel(lines, **{**node.attrs, "size": (after, 1)})
            return w.constant(np.asarray(found).reshape(after, before).astype(dtype))
        method = node.attrs["method"]
        if method in _FILTERS:
            made = self._filtered()
        else:
            ways = {"bilinear": self._linear, "bicubic": self._cubic, "area": self._area}
            if method not in ways:
                raise ExportError(f"resizing by {method} of unknown sizes")
            made = ways[method]()
        return w.cast(made, dtype)

    def _taken(self, taps: list[tuple[Term, Term]]) -> Term:
        """A matrix with weights at lines, given as vectors."""
        w, lines, total = self.w, self.lines(), None
        for place, weight in taps:
            hit = w.cast(w.unsqueeze(place, 1).equals(lines), FLOAT32) * w.unsqueeze(weight, 1)
            total = hit if total is None else total + hit
        assert total is not None
        return total

    def _last(self) -> Term:
        return self.floats()[0] - 1.0

    def _linear(self) -> Term:
        w, at = self.w, self.positions()
        floor = w.op("Floor", at)
        far, zero = at - floor, w.scalar(0, FLOAT32)
        return self._taken([(w.op("Max", floor, zero), 1.0 - far),
                            (w.op("Min", w.op("Ceil", at), self._last()), far)])

    def _cubic(self) -> Term:
        w, at, half = self.w, self.positions(), self.node.attrs["centres"] == "half"
        floor = w.op("Floor", at)
        a = -0.5 if half else -0.75
        far = w.op("Round", (at - floor) * _CUBIC_STEPS) / _CUBIC_STEPS

        def near(x: Term) -> Term:
            return ((a + 2) * x - (a + 3)) * x * x + 1.0

        def distant(x: Term) -> Term:
            return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

        weights = [distant(far + 1.0), near(far), near(1.0 - far), distant(2.0 - far)]
        places = [floor + float(i) for i in (-1, 0, 1, 2)]
        if half:  # nothing beyond the edge counts; else the edge is repeated
            made = self._taken(list(zip(places, weights, strict=True)))
            return made / w.op("ReduceSum", made, w.ints(1), keepdims=1)
        zero, last = w.scalar(0, FLOAT32), self._last()
        return self._taken([(w.op("Min", w.op("Max", place, zero), last), weight)
                            for place, weight in zip(places, weights, strict=True)])

    def _area(self) -> Term:
        w = self.w
        n, out, at = self.floats()
        step, lines = n / out, self.lines()
        begin = w.unsqueeze(at * step, 1)
        shared = w.op("Min", begin + step, lines + 1.0) - w.op("Max", begin, lines)
        return w.op("Max", shared, w.scalar(0, FLOAT32)) / step

    def _filtered(self) -> Term:
        """A filter around each position; wider where the image shrinks, if asked."""
        w, attrs = self.w, self.node.attrs
        radius, function = _FILTERS[attrs["method"]]
        n, out, at = self.floats()
        back = n / out
        wide = w.op("Max", back, w.scalar(1, FLOAT32)) if attrs["antialias"] else w.scalar(
            1, FLOAT32)
        far = w.op("Abs", self.lines() + 0.5 - w.unsqueeze((at + 0.5) * back, 1)) / wide
        made = w.where(far < radius, function(w, far), 0.0)
        return made / w.op("ReduceSum", made, w.ints(1), keepdims=1)


# -- filters by the distance -----------------------------------------------------------------------
def _lanczos(radius: float) -> tuple[float, Callable]:
    def function(w: GraphWriter, x: Term) -> Term:
        turn = x * math.pi
        wave = radius * w.op("Sin", turn) * w.op("Sin", turn / radius) / (turn * turn)
        return w.where(x <= 1e-3, 1.0, wave)

    return radius, function


def _gaussian(w: GraphWriter, x: Term) -> Term:
    return w.op("Exp", x * x * -2.0)


def _triangle(w: GraphWriter, x: Term) -> Term:
    return 1.0 - x


def _cubic_of(outer: tuple, inner: tuple) -> Callable:
    def function(w: GraphWriter, x: Term) -> Term:
        (a, b, c, d), (e, f, g) = outer, inner
        return w.where(x >= 1.0, ((a * x + b) * x + c) * x + d, (e * x + f) * x * x + g)

    return function


_FILTERS: dict[str, tuple[float, Callable]] = {
    "lanczos1": _lanczos(1.0), "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0),
    "gaussian": (1.5, _gaussian), "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _cubic_of((-0.5, 2.5, -4.0, 2.0), (1.5, -2.5, 1.0))),
    "mitchellcubic": (2.0, _cubic_of((-7 / 18, 2.0, -10 / 3, 16 / 9), (7 / 6, -2.0, 8 / 9)))}


# -- records ---------------------------------------------------------------------------------------
@written("resample_image")
def _resample(w: GraphWriter, node: Any, x: Term) -> Term:
    """Rows, then columns, as products "MatMul" with the weights; or "Resize" of unknown sizes."""
    down, across = [_Line(w, x, x.rank - 3 + i, node, i) for i in (0, 1)]
    attrs = node.attrs
    if (down.sizes is None or across.sizes is None) and x.rank == 4 and (
            attrs["method"], attrs["centres"], bool(attrs["antialias"])) == (
            "bilinear", "half", False):
        first = channels_first(w, x)
        sizes = w.concat([w.op("Shape", first, dtype=INT64, start=0, end=2), down.after,
                          across.after])
        return channels_last(w, w.op("Resize", first, None, None, sizes, mode="linear",
                                     coordinate_transformation_mode="half_pixel"), 4)
    rows, columns = down.matrix(x.dtype), across.matrix(x.dtype)
    lead = [w.op("Shape", x, dtype=INT64, start=0, end=x.rank - 3)] if x.rank > 3 else []
    depth = w.size_of(x, x.rank - 1)
    flat = w.reshape(x, w.concat([*lead, down.before, across.before * depth]))
    tall = w.reshape(w.op("MatMul", rows, flat), w.concat(
        [*lead, down.after, across.before, depth]))
    return w.op("MatMul", columns, tall)


@written("resize_nearest")
def _resize_nearest(w: GraphWriter, node: Any, x: Term) -> Term:
    """Lines picked by "Gather" """
    for which, axis in enumerate((x.rank - 3, x.rank - 2)):
        x = w.op("Gather", x, _nearest(_Line(w, x, axis, node, which)), axis=axis,
                 shape=(*(x.shape or (None,) * x.rank)[:axis], None,
                        *(x.shape or (None,) * x.rank)[axis + 1:]))
    return x


def _nearest(line: _Line) -> Term:
    """The line before that each line of the result is."""
    w, node = line.w, line.node
    if line.sizes is not None:
        before, after = line.sizes
        lines = np.arange(before, dtype=np.float32).reshape(1, before, 1, 1)
        at = node.op.kernel(lines, **{**node.attrs, "size": (after, 1)})
        return w.constant(np.asarray(at).reshape(after).astype(np.int64))
    shift = {"half": 0.5, "corners": 0.5, "legacy": 0.0}[node.attrs["centres"]]
    at = w.cast(w.op("Floor", line.positions() + shift), INT64)
    return w.op("Min", at, line.before - 1)
