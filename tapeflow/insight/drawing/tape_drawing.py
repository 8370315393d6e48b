"""`tape.draw()`: the tape as an SVG, written by plain Python.

Boxes are ops or groups of them, as dark as the norm of their gradient on a logarithmic scale; lines
are tensors, as thick as the logarithm of their bytes; where gradients end a box is red, and says
why when the mouse is over it.
"""

from __future__ import annotations

import math
import os
from html import escape
from typing import Any

from tapeflow.base import nest
from tapeflow.base.process.atomic_files import replacing
from tapeflow.core import state as states
from tapeflow.core.autodiff.record import Record
from tapeflow.core.autodiff.sources import (
    is_differentiable,
    ones_like,
    snapshot_of,
    tensors_of,
)
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.autodiff.walk import walk_back
from tapeflow.core.state import state
from tapeflow.core.values.tensor import uid_of
from tapeflow.insight.drawing.layered_layout import lay_out
from tapeflow.insight.drawing.tape_nodes import Node, Picture, picture_of
from tapeflow.insight.drawing.traced_norms import pass_norms
from tapeflow.insight.tape_reports.gradient_report import Measured
from tapeflow.insight.tape_reports.tape_steps import copy_of
from tapeflow.insight.tape_reports.verdicts import Stats

MANY, FAR = 1000, 10  # of so many boxes, edges over more ranks are left out: they hide the others
CHARACTER, HEIGHT, RANK, HEAD = 7.0, 34.0, 70.0, 46.0
SMALL, MIDDLE, LARGE = (226, 235, 246), (120, 166, 214), (245, 158, 40)
CUT, UNKNOWN, LEAF = "#c62828", "#f1f1f1", "#ffffff"

# Pages have paths and texts of their own: these are for the picture alone.
STYLE = """\
.tape text{font:12px sans-serif;text-anchor:middle;fill:#1b1b1b}
.tape .where{font-size:10px;fill:#555}.tape .head{text-anchor:start;fill:#333}
.tape .node rect{stroke:#5a6b7b;stroke-width:1}.tape .leaf rect{rx:16px}
.tape .severed rect{stroke-dasharray:4 3}
.tape .cut rect{stroke:#c62828;stroke-width:2.5;fill:#fde7e7}
.tape path{fill:none;stroke:#8795a1;opacity:.75}.tape path.back{stroke-dasharray:2 3}
.tape path.cut{stroke:#c62828;stroke-dasharray:5 4}.tape .node:hover rect{stroke-width:3}"""


class Drawing:
    """A picture of a tape; notebooks show it. `svg` is its text, `save(path)` writes it.

    >>> x = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> tape.draw(y).svg[:4]
    '<svg'
    """

    def __init__(self, picture: Any):
        self.redraw(picture)

    def redraw(self, picture: Any) -> None:
        """Show another picture from now on."""
        self.picture: Any = picture
        self.svg = _svg(picture)

    def save(self, path: str | os.PathLike) -> None:
        """Write the SVG to a file, which browsers open."""
        with replacing(os.fspath(path)) as file:
            file.write(self.svg.encode())

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return (f"<drawing of a tape: {self.picture.steps} ops in {len(self.picture.nodes)} boxes, "
                f"by {self.picture.group}; draw().save(path) writes it>")


def draw(tape: GradientTape, target: Any = None, group: str | None = None) -> Drawing:
    """The tape as a picture.

    target  what to differentiate: boxes are coloured by the norms of their gradients. The tape is
            not used up. Inside a tf.function the picture gets its colours when the function runs,
            those of the last run.
    group   "op", "line" or "layer"; None: ops while they are few, else lines or layers; "each": no
            op is grouped, however many there are
    """
    record = tape._record or tape._used
    if record is None:
        raise RuntimeError("GradientTape.draw: this tape has recorded nothing: compute something "
                           "inside `with tape:`.")
    if target is not None and tape._record is None:
        raise RuntimeError("GradientTape.draw: this tape was used up by gradient(), so there are "
                           "no gradients to show: call draw(target) before, or make the tape "
                           "persistent.")
    targets = [] if target is None else tensors_of(nest.flatten(target))
    if state.trace is None:
        return Drawing(picture_of(record, group, norms_of(record, targets) if targets else {}))
    drawing, held = Drawing(picture_of(record, group, {})), copy_of(record)
    pass_norms(held, targets, lambda stats: drawing.redraw(picture_of(held, group, stats)))
    return drawing


def norms_of(record: Record, targets: list) -> dict[int, Stats]:
    """Numbers of every gradient on the way back from the targets; the record is not used up."""
    found = Measured()
    for one in targets:
        if is_differentiable(one):
            found[uid_of(one)] = ones_like(snapshot_of(one))
    with states.only():
        walk_back(record, found, set(), False, False)
    for uid in list(found):
        found.pop(uid)
    return found.stats


# -- the text --------------------------------------------------------------------------------------
def _svg(picture: Picture) -> str:
    nodes = picture.nodes
    texts = [(_short(node.label + (f" x {node.count}" if node.count > 1 else "")),
              _short(node.where) if node.where != node.label else "") for node in nodes]
    widths = [max(44.0, CHARACTER * max(map(len, both)) + 16) for both in texts]
    layout = lay_out(widths, list(picture.edges), RANK)
    low, high = _scale(nodes)
    width, height = max(layout.width, 420.0), layout.height + HEAD
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" class="tape" '
             f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">',
             f"<style>{STYLE}</style>", _legend(picture, low, high),
             f'<g transform="translate(0 {HEAD:.0f})">']
    largest = max(picture.edges.values(), default=1) or 1
    for (a, b), size in picture.edges.items():
        if len(nodes) > MANY and abs(layout.centres[a][1] - layout.centres[b][1]) > FAR * RANK:
            continue
        cut = nodes[b].kind in ("cut", "severed")
        kind = "cut" if cut else "back" if a > b else "edge"
        thick = 1 + 5 * math.log1p(size) / math.log1p(largest)
        lines.append(f'<path class="{kind}" stroke-width="{thick:.1f}" '
                     f'd="{_curve(layout.paths[a, b])}"><title>{size:,} bytes</title></path>')
    for node, (x, y), w, both in zip(nodes, layout.centres, widths, texts, strict=True):
        lines.append(_box(node, x, y, w, both, low, high))
    return "\n".join([*lines, "</g>", "</svg>"])


def _short(text: str) -> str:
    return text if len(text) <= 32 else "…" + text[-31:]


def _box(node: Node, x: float, y: float, w: float, texts: tuple[str, str], low: float,
         high: float) -> str:
    fill = "" if node.kind == "cut" else f' fill="{_colour(node, low, high)}"'
    label, where = texts
    second = f'<text class="where" y="12">{escape(where)}</text>' if where else ""
    return (f'<g class="node {node.kind}" transform="translate({x:.1f} {y:.1f})">'
            f"<title>{escape(node.tip())}</title>"
            f'<rect x="{-w / 2:.1f}" y="{-HEIGHT / 2}" width="{w:.1f}" height="{HEIGHT}" rx="4"'
            f'{fill}/><text y="{-1 if where else 4}">{escape(label)}</text>{second}</g>')


def _curve(points: list[tuple[float, float]]) -> str:
    (x, y), *others = points
    y += HEIGHT / 2 if others and others[-1][1] > y else -HEIGHT / 2
    words = [f"M{x:.0f} {y:.0f}"]
    for i, (to_x, to_y) in enumerate(others):
        if i == len(others) - 1:
            to_y += -HEIGHT / 2 if to_y > y else HEIGHT / 2
        middle = (y + to_y) / 2
        words.append(f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}")
        x, y = to_x, to_y
    return "".join(words)


def _scale(nodes: list[Node]) -> tuple[float, float]:
    """The logarithms of the smallest and largest norm that is a number over 0."""
    known = [math.log10(node.norm) for node in nodes
             if node.norm is not None and math.isfinite(node.norm) and node.norm > 0]
    return (min(known), max(known)) if known else (0.0, 0.0)


def _colour(node: Node, low: float, high: float) -> str:
    norm = node.norm
    if norm is None:
        return LEAF if node.kind == "leaf" else UNKNOWN
    if not math.isfinite(norm):
        return "#e46bd2"
    share = 0.0 if norm <= 0 else (math.log10(norm) - low) / (high - low) if high > low else 0.5
    a, b, part = (SMALL, MIDDLE, 2 * share) if share < 0.5 else (MIDDLE, LARGE, 2 * share - 1)
    return "#" + "".join(f"{round(p + (q - p) * part):02x}" for p, q in zip(a, b, strict=True))


def _legend(picture: Picture, low: float, high: float) -> str:
    said = f"{picture.steps} ops, by {picture.group}"
    cuts = sum(node.kind == "cut" for node in picture.nodes)
    if len(picture.nodes) > MANY:
        said += f"; edges over more than {FAR} ranks are left out"
    if cuts:
        said += f"; gradients end at {cuts} (red)"
    if not any(node.norms for node in picture.nodes):
        return f'<text class="head" x="12" y="20">{said}</text>'
    stops = "".join(f'<stop offset="{offset}" stop-color="rgb{one}"/>'
                    for offset, one in ((0, SMALL), (0.5, MIDDLE), (1, LARGE)))
    return (f'<defs><linearGradient id="norms">{stops}</linearGradient></defs>'
            f'<text class="head" x="12" y="18">{said}</text>'
            '<rect x="12" y="26" width="120" height="10" fill="url(#norms)" stroke="#999"/>'
            f'<text class="head" x="138" y="35">norm of the gradient: {10 ** low:.1e} to '
            f"{10 ** high:.1e}; NaN or infinite: violet</text>")
