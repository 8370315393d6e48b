"""Convolutions and pooling. Ours are channels last, ONNX's channels first.

Each node stands between two Transposes; `transposes.py` removes those that undo one another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.index_nodes import joined
from tapeflow.ops.conv.geometry import extent, layout


def channels_first(w: GraphWriter, x: Term) -> Term:
    n = x.rank
    return w.transpose(x, (0, n - 1, *range(1, n - 1)))


def channels_last(w: GraphWriter, x: Term, rank: int) -> Term:
    return w.transpose(x, (0, *range(2, rank), 1))


def filters_first(w: GraphWriter, filters: Term) -> Term:
    """(*window, C / groups, O) as (O, C / groups, *window)."""
    n = filters.rank
    return w.transpose(filters, (n - 1, n - 2, *range(n - 2)))


def window_attrs(sizes: tuple, window: tuple, strides: tuple, dilations: tuple,
                 padding: Any) -> dict[str, Any]:
    """kernel_shape, strides, dilations and pads.

    SAME of sizes that are unknown is left to the runtime, but for strides of 1: it pads the same
    for any size then.
    """
    attrs: dict[str, Any] = {"kernel_shape": tuple(window), "strides": tuple(strides)}
    if any(d != 1 for d in dilations):
        attrs["dilations"] = tuple(dilations)
    if padding == "SAME" and any(n is None and s != 1 for n, s in zip(sizes, strides)):
        if "dilations" in attrs:
            raise ExportError("strides and dilations with padding 'SAME' of unknown sizes")
        attrs["auto_pad"] = "SAME_UPPER"
        return attrs
    known = tuple([1 << 20 if n is None else n for n in sizes])
    pads = layout("Conv", known, window, strides, dilations, padding)[1]
    if any(n for pair in pads for n in pair):
        attrs["pads"] = (*[int(a) for a, _ in pads], *[int(b) for _, b in pads])
    return attrs


def _fixed(node: Any, *names: str) -> None:
    for name in names:
        if isinstance(node.attrs.get(name), ir.Value):
            raise ExportError(f"`{name}` is known at run time only")


def _window_of(filters: Term) -> tuple:
    window = (filters.shape or ())[:-2]
    if not window or None in window:
        raise ExportError("the window of the filters is known at run time only")
    return window


@written("convolve")
def _convolve(w: GraphWriter, node: Any, x: Term, filters: Term) -> Term:
    attrs = node.attrs
    _fixed(node, "groups", "padding")
    rank = len(attrs["strides"]) + 2
    sizes = (x.shape or (None,) * rank)[1:-1]
    x.shape = x.shape or (None,) * rank
    window = window_attrs(sizes, _window_of(filters), attrs["strides"], attrs["dilations"],
                          attrs["padding"])
    made = w.op("Conv", channels_first(w, x), filters_first(w, filters), **window,
                group=int(attrs["groups"]))
    return channels_last(w, made, rank)


@written("convolve_input_gradient")
def _transposed_convolution(w: GraphWriter, node: Any, filters: Term, g: Term) -> Term:
    attrs = node.attrs
    _fixed(node, "groups", "padding")
    rank = len(attrs["strides"]) + 2
    g.shape = g.shape or (None,) * rank
    window, strides, dilations = _window_of(filters), attrs["strides"], attrs["dilations"]
    common: dict[str, Any] = {"kernel_shape": window, "strides": tuple(strides),
                              "group": int(attrs["groups"])}
    if any(d != 1 for d in dilations):
        common["dilations"] = tuple(dilations)
    first, weights = channels_first(w, g), filters_first(w, filters)
    sizes, small = attrs["sizes"], g.shape[1:-1]
    if isinstance(sizes, ir.Value) or None in small:
        made = _cropped(w, node, w.op("ConvTranspose", first, weights, **common), g, window)
        return channels_last(w, made, rank)
    pads = layout("Conv", tuple(sizes), window, strides, dilations, attrs["padding"])[1]
    begin = [int(a) for a, _ in pads]
    over = [(m - 1) * s + extent(k, d) - a - n for n, m, s, k, d, a in zip(
        sizes, small, strides, window, dilations, begin)]
    made = w.op("ConvTranspose", first, weights, **common,
                pads=(*begin, *[max(n, 0) for n in over]))
    if min(over) < 0:  # rows that no window reaches
        made = w.op("Pad", made, w.ints(*[0] * (rank + 2), *[max(-n, 0) for n in over]))
    return channels_last(w, made, rank)


def _cropped(w: GraphWriter, node: Any, whole: Term, g: Term, window: tuple) -> Term:
    """The part of an unpadded result that sizes known at run time ask for."""
    attrs, axes = node.attrs, range(2, len(window) + 2)
    sizes = w.vector(attrs["sizes"])
    small = w.op("Shape", g, dtype=INT64, start=1, end=len(window) + 1)
    reach = (small - 1) * w.ints(*attrs["strides"]) + w.ints(
        *[extent(k, d) for k, d in zip(window, attrs["dilations"])])
    if attrs["padding"] == "VALID":
        begin = w.ints(*[0] * len(window))
    elif attrs["padding"] == "SAME":
        begin = w.op("Max", reach - sizes, w.scalar(0, INT64)) / 2
    else:
        begin = w.ints(*[a for a, _ in attrs["padding"]])
    more = w.op("Max", begin + sizes - reach, w.scalar(0, INT64))
    none = [0] * (len(window) + 2)
    parts: list[int | Term] = [*none, 0, 0, more]
    return w.slice(w.op("Pad", whole, joined(w, parts)), begin, begin + sizes, axes)


# -- pooling ---------------------------------------------------------------------------------------
def pool_attrs(node: Any, x: Term) -> dict[str, Any]:
    attrs = node.attrs
    _fixed(node, "window", "strides", "padding", "dilations")
    if attrs["window"][0] != 1 or attrs["window"][-1] != 1 or (
            attrs["strides"][0] != 1 or attrs["strides"][-1] != 1):
        raise ExportError("pooling over the batch or over channels")
    inner = slice(1, len(attrs["window"]) - 1)
    padding = attrs["padding"] if isinstance(attrs["padding"], str) else attrs["padding"][inner]
    sizes = (x.shape or (None,) * len(attrs["window"]))[inner]
    x.shape = x.shape or (None,) * len(attrs["window"])
    return window_attrs(sizes, attrs["window"][inner], attrs["strides"][inner],
                        attrs["dilations"][inner], padding)


@written("max_pool")
def _max_pool(w: GraphWriter, node: Any, x: Term) -> Term:
    window = pool_attrs(node, x)
    own = x.dtype
    if own.kind in "iu":
        x = w.cast(x, np.float64)
    made = w.op("MaxPool", channels_first(w, x), **window)
    return w.cast(channels_last(w, made, x.rank), own)


@written("avg_pool")
def _avg_pool(w: GraphWriter, node: Any, x: Term) -> Term:
    window = pool_attrs(node, x)
    if "dilations" in window and w.opset < 19:
        raise ExportError("dilated average pooling needs opset 19")
    made = w.op("AveragePool", channels_first(w, x), **window)
    return channels_last(w, made, x.rank)


@written("max_pool_argmax")
def _max_pool_argmax(w: GraphWriter, node: Any, x: Term) -> Term:
    """ONNX counts through (N, C, *sizes); ours through (*sizes, C), behind `lead` axes."""
    window = pool_attrs(node, x)
    rank, lead = x.rank, node.attrs["lead"]
    inside, depth = (x.shape or ())[1:-1], (x.shape or ())[-1]
    if None in inside or depth is None or lead > 1:
        raise ExportError("positions of maxima in images whose sizes are known at run time only")
    _, at = w.ops("MaxPool", 2, channels_first(w, x), dtypes=[x.dtype, INT64], **window)
    area = int(np.prod(inside))
    at = channels_last(w, at, rank)
    within = w.op("Mod", at, w.scalar(area, INT64)) * depth + w.constant(
        np.arange(depth, dtype=np.int64))
    if not lead:
        within = within + at / (area * depth) * (area * depth)
    return w.cast(within, node.outputs[0].dtype)
