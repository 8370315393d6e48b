"""Gradients of pooling and of filters."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import INT64, GraphWriter, Term
from tapeflow.onnx.records.images.window_nodes import channels_first, channels_last, pool_attrs
from tapeflow.onnx.records.index_nodes import zeros


@written("max_pool_gradient")
def _max_pool_gradient(w: GraphWriter, node: Any, x: Term, g: Term) -> Term:
    """Added by "ScatterND" at the positions that "MaxPool" gives"""
    attrs = pool_attrs(node, x)
    first = channels_first(w, x)
    _, at = w.ops("MaxPool", 2, first, dtypes=[x.dtype, INT64], **attrs)
    size = w.reshape(w.op("Size", x, dtype=INT64, shape=()), (1,))
    g.shape = g.shape or (None,) * x.rank
    made = w.op("ScatterND", zeros(w, size, x.dtype), w.reshape(at, (-1, 1)),
                w.reshape(channels_first(w, g), (-1,)), reduction="add")
    return channels_last(w, w.reshape(made, w.op("Shape", first, dtype=INT64)), x.rank)


@written("max_pool_pick")
def _max_pool_pick(w: GraphWriter, node: Any, x: Term, u: Term) -> Term:
    """By "Gather" at the positions that "MaxPool" gives"""
    attrs = pool_attrs(node, x)
    _, at = w.ops("MaxPool", 2, channels_first(w, x), dtypes=[x.dtype, INT64], **attrs)
    u.shape = u.shape or (None,) * x.rank
    found = w.op("Gather", w.reshape(channels_first(w, u), (-1,)), at)
    return channels_last(w, found, x.rank)


@written("avg_pool_gradient")
def _avg_pool_gradient(w: GraphWriter, node: Any, g: Term) -> Term:
    """A "ConvTranspose" of what each window gets, divided by its number of elements"""
    shape, rank = node.attrs["shape"], g.rank
    if isinstance(shape, ir.Value):
        sizes, known = w.vector(shape), tuple(node.outputs[0].shape or (None,) * rank)
    else:
        sizes, known = w.ints(*shape), tuple(shape)
    whole = zeros(w, sizes, g.dtype, 1)
    whole.shape = known
    attrs = pool_attrs(node, whole)
    if "auto_pad" in attrs:
        raise ExportError("strides with padding 'SAME' of unknown sizes")
    inner = rank - 2
    pads = attrs.get("pads", (0,) * (2 * inner))
    window = attrs["kernel_shape"]
    share = w.op("AveragePool", channels_first(w, whole), count_include_pad=1, **attrs)
    each = channels_first(w, g) / (share * float(np.prod(window)))
    lead = w.op("Shape", each, dtype=INT64, start=0, end=2)
    flat = w.reshape(each, w.concat([w.ints(-1, 1), w.op("Shape", each, dtype=INT64, start=2)]))
    more = {key: attrs[key] for key in ("strides", "dilations", "kernel_shape") if key in attrs}
    made = w.op("ConvTranspose", flat, w.constant(np.ones((1, 1, *window), g.dtype)), **more)
    # All that windows reach, from the padding before on; rows that none reaches are zeros.
    begin = w.ints(*pads[:inner])
    wanted = w.slice(sizes, [1], [1 + inner], [0])
    reach = w.op("Shape", made, dtype=INT64, start=2)
    lacking = w.op("Max", begin + wanted - reach, w.scalar(0, INT64))
    padded = w.op("Pad", made, w.concat([w.ints(*[0] * (rank + 2)), lacking]))
    cut = w.slice(padded, begin, begin + wanted, range(2, rank))
    return channels_last(w, w.reshape(cut, w.concat([lead, wanted])), rank)


@written("convolve_filter_gradient")
def _filter_gradient(w: GraphWriter, node: Any, x: Term, g: Term) -> Term:
    """A "Conv" of the image with the gradient, whose batch is summed over as channels are"""
    attrs = node.attrs
    sizes = attrs.get("window") or attrs.get("sizes")
    known = (x.shape or (None,) * x.rank)[1:-1]
    if int(attrs["groups"]) != 1 or isinstance(sizes, ir.Value) or sizes is None:
        raise ExportError("filters of groups, or of a window that is known at run time only")
    from tapeflow.onnx.records.images.window_nodes import window_attrs
    window = tuple(sizes)[:len(known)]
    forward = window_attrs(known, window, attrs["strides"], attrs["dilations"], attrs["padding"])
    if "auto_pad" in forward:
        raise ExportError("strides with padding 'SAME' of unknown sizes")
    rank = x.rank
    g.shape = g.shape or (None,) * rank
    swap = (rank - 1, 0, *range(1, rank - 1))
    more: dict[str, Any] = {"strides": tuple(attrs["dilations"]),
                            "dilations": tuple(attrs["strides"])}
    if "pads" in forward:
        more["pads"] = forward["pads"]
    made = w.op("Conv", w.transpose(x, swap), w.transpose(g, swap), **more)
    made = w.slice(made, [0] * len(window), list(window), range(2, rank))
    return w.transpose(made, (*range(2, rank), 0, 1))
