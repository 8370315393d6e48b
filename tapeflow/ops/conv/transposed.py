"""tf.nn.conv1d_transpose, conv2d_transpose, conv3d_transpose, conv_transpose and the atrous one.

They are gradients of convolutions in the input. May be imported by `api` and by other modules of
`ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import INTEGER, NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import reshape, size_along, static
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, alike, int_vector, joined, sizes_of
from tapeflow.ops.conv.conv_ops import input_gradient
from tapeflow.ops.conv.conv_options import (
    channel_axis,
    channels_back,
    channels_last,
    check_dtype,
    padding_rule,
    refusal,
    sequence,
    spatial,
    spatial_padding,
)
from tapeflow.ops.conv.functions import group_count


def _inner_kernel(sizes: Any, channel: int, batch: int, depth: int, op: str) -> Any:
    if sizes.size < 3 or sizes[0] != batch:
        raise errors.invalid(op, "input and out_backprop must have the same batch size. Input "
                                 f"sizes: {sizes}, outbackprop batch: {batch}")
    if sizes[channel] != depth:
        raise errors.invalid(op, f"input depth must be equal to filter depth: {sizes[channel]} vs "
                                 f"{depth}")
    return sizes[2:] if channel == 1 else sizes[1:-1]


def _inner_shape(sizes: Spec, **attrs: Any) -> Spec:
    known = sizes.shape[0] if sizes.shape else None
    return Spec((None if known is None else max(known - 2, 0),), sizes.dtype)


# The spatial sizes of an `output_shape` that is known at run time only; the others are checked.
_inner = define("transposed_sizes", kernel=_inner_kernel, args=("sizes",), dtypes=INTEGER,
                shape=_inner_shape, batch=loop,
                vjp=NONDIFF("sizes are integers: they have no gradient"),
                check=[Case(np.array([2, 8, 8, 3]), channel=3, batch=2, depth=3, op="Conv2D")])


def _target(x: Any, w: Any, output_shape: Any, n: int, channel: int,
            op: str) -> tuple[list, Any]:
    """Batch and channels of the result (None if unknown), and its spatial sizes."""
    if isinstance(output_shape, (list, tuple)) and any(
            isinstance(one, Tensor) and type(one) is not Tensor for one in output_shape):
        entries: Any = list(output_shape)
    else:
        entries = int_vector(output_shape, op, "input_sizes")
    if isinstance(entries, Tensor):
        length = shape_of(entries)[0]
        if length == n:
            return [None, None], entries
        if length is None:
            entries = reshape(entries, shape=(n + 2,))
        elif length != n + 2:
            raise refusal(x, op, f"input_sizes must be {n + 2}-dimensional, got: {length}")
        return [None, None], _inner(entries, channel=channel, batch=size_along(x, 0),
                                    depth=size_along(w, n), op=op)
    if len(entries) == n:
        return [None, None], joined(list(entries))
    if len(entries) != n + 2:
        raise refusal(x, op, f"input_sizes must be {n + 2}-dimensional, got: {len(entries)}")
    inner = entries[2:] if channel == 1 else entries[1:-1]
    ends = [one if isinstance(one, int) else None for one in (entries[0], entries[channel])]
    for size in entries:
        if isinstance(size, int) and size < 0:
            raise refusal(x, op, f"Dimension {size} must be >= 0")
    return ends, joined(list(inner))


def _transposed(input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any,
                data_format: str | None, dilations: Any, n: int) -> Tensor:
    op = "Conv3DBackpropInputV2" if n == 3 else "Conv2DBackpropInput"
    channel = channel_axis(data_format, n, op)
    rule = padding_rule(padding, n, op, explicit=n == 2)
    steps = sequence(strides, n, channel, "strides")
    rates = sequence(dilations, n, channel, "dilations")
    if n == 3 and set(rates) != {1}:
        raise errors.invalid(op, "Current CPU implementation does not yet support dilation rates "
                                 f"larger than 1, got {dilations}")
    if output_shape is None:
        raise ValueError(f"{op}: `output_shape` must be given. Received: None")
    g, w = alike([input, filters])
    check_dtype(g, op, () if n == 3 else ("int32",))
    for x, what in ((g, "input"), (w, "filter")):
        if len(shape_of(x)) != n + 2:
            raise refusal(x, op, f"{what} must be {n + 2}-dimensional, got shape {shape_of(x)}")
    (batch, channels), sizes = _target(g, w, output_shape, n, channel, op)
    g = channels_last(g, channel)
    if not agree((batch,), shape_of(g)[:1]):
        raise refusal(g, op, "input and out_backprop must have the same batch size. Input batch: "
                             f"{batch}, outbackprop batch: {shape_of(g)[0]}")
    depth = sizes_of(w)[-2]
    groups = 1 if channels is None else group_count(g, channels, depth, op)
    y = input_gradient(w, g, sizes=sizes, padding=spatial_padding(rule, channel, op), groups=groups,
                       strides=spatial(steps, channel, "strides", op, "Row and column strides"),
                       dilations=spatial(rates, channel, "dilations", op, "Dilated rates"))
    y = channels_back(y, channel)
    if isinstance(output_shape, Tensor) and type(output_shape) is not Tensor:
        known = static(output_shape)  # of sizes that are known only in part
        if known is not None and len(known) == n + 2:
            y.set_shape(known)
    return y


@export("nn.conv1d_transpose")
def conv1d_transpose(input: Any, filters: Any, output_shape: Any, strides: Any,
                     padding: Any = "SAME", data_format: str | None = "NWC", dilations: Any = None,
                     name: str | None = None) -> Tensor:
    """The transpose of conv1d: `filters` (width, out, in), a result of shape `output_shape`."""
    if isinstance(output_shape, int):
        raise TypeError("'int' object is not iterable: conv1d_transpose needs `output_shape` as a "
                        "list or tensor")
    known = {"NHWC": "NWC", "NCHW": "NCW"}
    return _transposed(input, filters, output_shape, strides, padding,
                       known.get(data_format, data_format),  # type: ignore[arg-type]
                       dilations, 1)


@export("nn.conv2d_transpose")
def conv2d_transpose(input: Any, filters: Any, output_shape: Any, strides: Any,
                     padding: Any = "SAME", data_format: str | None = "NHWC", dilations: Any = None,
                     name: str | None = None) -> Tensor:
    """The transpose of conv2d: `filters` (h, w, out, in), a result of shape `output_shape`.

    >>> tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], 2).shape
    TensorShape([1, 4, 4, 1])

    Dilations and `data_format="NCHW"` run too.
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 2)


@export("nn.conv3d_transpose")
def conv3d_transpose(input: Any, filters: Any, output_shape: Any, strides: Any,
                     padding: Any = "SAME", data_format: str | None = "NDHWC",
                     dilations: Any = None, name: str | None = None) -> Tensor:
    """The transpose of conv3d: `filters` (d, h, w, out, in), a result of shape `output_shape`."""
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 3)


@export("nn.conv_transpose")
def conv_transpose(input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME",
                   data_format: str | None = None, dilations: Any = None,
                   name: str | None = None) -> Tensor:
    """The transpose of a convolution in 1, 2 or 3 dimensions, as `output_shape` has them."""
    if isinstance(output_shape, Tensor) or hasattr(output_shape, "shape"):
        length = shape_of(convert(output_shape))[0]
    else:
        length = len(output_shape)
    if length not in (3, 4, 5):
        raise ValueError(f"`output_shape` must be of length 3, 4 or 5. Received: output_shape="
                         f"{output_shape} of length {length}.")
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations,
                       length - 2)


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(value: Any, filters: Any, output_shape: Any, rate: Any, padding: Any,
                            name: str | None = None) -> Tensor:
    """The transpose of atrous_conv2d: a result of shape `output_shape`."""
    if rate < 1:
        raise ValueError(f"`rate` cannot be less than one. Received: rate={rate}")
    if padding not in ("SAME", "VALID"):
        raise ValueError("`padding` must be either 'VALID' or 'SAME'. Received: padding="
                         f"{padding}")
    x, w = alike([value, filters])
    if not agree(shape_of(x)[-1:], shape_of(w)[-1:]):
        raise ValueError(f"atrous_conv2d_transpose: `value` has {shape_of(x)[-1]} channels, "
                         f"`filters` give {shape_of(w)[-1]}")
    return _transposed(x, w, output_shape, 1, padding, None, int(rate), 2)
