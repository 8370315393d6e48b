"""Images: sizes, crops, patches, blocks, boxes. An image is channels last."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.graph import ir
from tapeflow.onnx.onnx_graph import ExportError
from tapeflow.onnx.onnx_records import written
from tapeflow.onnx.onnx_writer import GraphWriter, Term
from tapeflow.onnx.records.images.window_nodes import (
    channels_first,
    channels_last,
    filters_first,
    window_attrs,
)


def _sides(x: Term) -> tuple[int | None, int | None]:
    return (None, None) if x.shape is None else tuple(x.shape[-3:-1])


def result_size(node: Any) -> tuple[int, int]:
    """Height and width that a record is asked for."""
    size = node.attrs["size"]
    if isinstance(size, ir.Value):
        raise ExportError("a size of the result that is known at run time only")
    return int(size[0]), int(size[1])


@written("extract_patches")
def _extract_patches(w: GraphWriter, node: Any, x: Term) -> Term:
    """A "Conv" whose filters are an identity: each takes one tap of one channel."""
    attrs, depth = node.attrs, (x.shape or (None,))[-1]
    if depth is None or x.rank != 4:
        raise ExportError("patches of images with an unknown number of channels")
    window = tuple(attrs["sizes"])
    count = window[0] * window[1] * depth
    filters = w.constant(np.eye(count).reshape(*window, depth, count).astype(x.dtype))
    more = window_attrs(_sides(x), window, attrs["strides"], attrs["rates"], attrs["padding"])
    made = w.op("Conv", channels_first(w, x), filters_first(w, filters), **more)
    return channels_last(w, made, 4)


@written("space_to_depth")
def _space_to_depth(w: GraphWriter, node: Any, x: Term) -> Term:
    block = _block(x.shape, node.outputs[0].shape)
    _, height, width, depth = x.shape or ()
    parts = w.reshape(x, (-1, height // block, block, width // block, block, depth))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)),
                     (-1, height // block, width // block, block * block * depth))


@written("depth_to_space")
def _depth_to_space(w: GraphWriter, node: Any, x: Term) -> Term:
    block = _block(node.outputs[0].shape, x.shape)
    _, height, width, depth = x.shape or ()
    small = depth // (block * block)
    parts = w.reshape(x, (-1, height, width, block, block, small))
    return w.reshape(w.transpose(parts, (0, 1, 3, 2, 4, 5)),
                     (-1, height * block, width * block, small))


def _block(large: tuple | None, small: tuple | None) -> int:
    """The side of a block, from the shapes of an image and of its blocks as channels."""
    if large is None or small is None or None in (*large[1:], *small[1:]):
        raise ExportError("blocks of images of unknown sizes")
    block = large[1] // small[1]
    if large[2] != small[2] * block or small[3] != large[3] * block * block:
        raise ExportError("blocks of images that are not channels last")
    return block


@written("adjust_contrast")
def _adjust_contrast(w: GraphWriter, node: Any, x: Term, factor: Term) -> Term:
    mean = w.op("ReduceMean", x, w.ints(x.rank - 3, x.rank - 2), keepdims=1)
    return (x - mean) * w.cast(factor, x.dtype) + mean
