"""tf.nn.max_pool, avg_pool in 1 to 3 dimensions, pool, max_pool_with_argmax.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, text
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import wrong_kind
from tapeflow.ops.conv.conv_options import (
    channel_axis,
    check_dtype,
    padding_rule,
    refusal,
    sequence,
    unimplemented,
)
from tapeflow.ops.conv.pooling import avg_pool as _avg_pool
from tapeflow.ops.conv.pooling import max_pool as _max_pool
from tapeflow.ops.conv.pooling import max_pool_argmax

_INTEGERS = ("int32", "int64", "uint8", "int16", "int8", "uint16")


class MaxPoolWithArgmax(NamedTuple):
    """The maxima of the windows, and their flat indices."""

    output: Tensor
    argmax: Tensor


def _check(x: Any, window: tuple, strides: tuple, rule: Any, channel: int, op: str) -> None:
    rank = len(window)
    if len(shape_of(x)) != rank:
        raise refusal(x, op, f"tensor_in_shape must have {rank - 2} spatial dimensions. "
                             f"{len(shape_of(x))} 0")
    if min(window) < 1:
        raise errors.invalid(op, "Sliding window ksize must be positive. The specified or inferred "
                                 f"ksize is: {','.join(map(str, window))}")
    if min(strides) < 1:
        raise errors.invalid(op, f"Stride must be > 0, but got {min(strides)}")
    if window[0] != 1 or strides[0] != 1:
        raise unimplemented(op, "Pooling is not yet supported on the batch dimension.")
    if window[channel] > 1 and (op.startswith("Avg") or max(
            n for i, n in enumerate(window) if i != channel) > 1):
        raise unimplemented(op, "MaxPooling supports exactly one of pooling across depth or pooling"
                                " across width/height.")
    if not isinstance(rule, str):
        for size, pair in zip(window, rule, strict=True):
            if max(pair) >= size and any(pair):
                raise errors.invalid(op, f"padding {max(pair)} needs to be smaller than the window "
                                         f"size {size}")


_WIDEST = 1 << 20


def _pooling(kind: str, input: Any, ksize: Any, strides: Any, padding: Any,
             data_format: str | None, n: int, dilations: tuple | None = None) -> Tensor:
    """Pooling of canonical dimension n; windows of 3-D maxima give every tie the gradient."""
    maximum = kind == "MAX"
    op = ("MaxPool" if maximum else "AvgPool") + "3D" * (n == 3)
    channel = channel_axis(data_format, n, op)
    rule = padding_rule(padding, n, op, explicit=maximum and n < 3)
    window = sequence(ksize, n, channel, "ksize")
    steps = sequence(strides, n, channel, "strides")
    if max(window) > _WIDEST:
        raise errors.invalid(op, f"Sliding window ksize {max(window)} is too large")
    x = operand(input)
    check_dtype(x, op, _INTEGERS if maximum and n < 3 else ())
    _check(x, window, steps, rule, channel, op)
    rates = dilations or (1,) * (n + 2)
    if not maximum:
        return _avg_pool(x, window=window, strides=steps, padding=rule, dilations=rates)
    return _max_pool(x, window=window, strides=steps, padding=rule, dilations=rates,
                     ties="all" if n == 3 else "first")


def _dimensions(input: Any, data_format: str | None) -> tuple[Any, int]:
    """The operand, and its number of spatial axes."""
    x = operand(input)
    rank = len(shape_of(x))
    if rank not in (3, 4, 5):
        raise ValueError(f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={x.shape} "
                         f"of rank {rank}.")
    return x, rank - 2


@export("nn.max_pool")
def max_pool(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
             name: str | None = None) -> Tensor:
    """The maximum of each window; one to three spatial axes, as the input has.

    >>> tf.nn.max_pool(tf.reshape([1., 3., 2., 4.], [1, 2, 2, 1]), 2, 2, "VALID").numpy().ravel()
    array([4.], dtype=float32)
    """
    x, n = _dimensions(input, data_format)
    if n == 3 and not isinstance(padding, str):
        raise ValueError("Explicit padding is not supported with an input tensor of rank 5. "
                         f"Received: padding={padding}")
    return _pooling("MAX", x, ksize, strides, padding, data_format, n)


@export("nn.avg_pool")
def avg_pool(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None,
             name: str | None = None) -> Tensor:
    """The average of each window, of real elements only; as many axes as the input has."""
    x, n = _dimensions(input, data_format)
    return _pooling("AVG", x, ksize, strides, padding, data_format, n)


@export("nn.max_pool1d")
def max_pool1d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Tensor:
    """The maximum of each window along the width of (N, width, channels)."""
    return _pooling("MAX", input, ksize, strides, padding, data_format, 1)


@export("nn.max_pool2d")
def max_pool2d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Tensor:
    """The maximum of each window of images; its gradient goes to the first of equal elements.

    `padding` is "SAME", "VALID" or a (before, after) pair for each of four axes.
    """
    return _pooling("MAX", input, ksize, strides, padding, data_format, 2)


@export("nn.max_pool3d")
def max_pool3d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC",
               name: str | None = None) -> Tensor:
    """The maximum of each window of volumes; its gradient goes to every one of equal elements.

    Every floating-point dtype runs; TensorFlow's CPU build takes float32 and bfloat16 only.
    """
    return _pooling("MAX", input, ksize, strides, padding, data_format, 3)


@export("nn.avg_pool1d")
def avg_pool1d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Tensor:
    """The average of each window along the width of (N, width, channels)."""
    return _pooling("AVG", input, ksize, strides, padding, data_format, 1)


@export("nn.avg_pool2d")
def avg_pool2d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Tensor:
    """The average of each window of images; what "SAME" pads is not counted."""
    return _pooling("AVG", input, ksize, strides, padding, data_format, 2)


@export("nn.avg_pool3d")
def avg_pool3d(input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC",
               name: str | None = None) -> Tensor:
    """The average of each window of volumes; what "SAME" pads is not counted."""
    return _pooling("AVG", input, ksize, strides, padding, data_format, 3)


@export("nn.pool")
def pool(input: Any, window_shape: Any, pooling_type: str, strides: Any = None,
         padding: Any = "VALID", data_format: str | None = None, dilations: Any = None,
         name: str | None = None) -> Tensor:
    """Pooling of kind "MAX" or "AVG" in as many dimensions as `window_shape` has entries."""
    n = len(window_shape)
    x = operand(input)
    if n not in (1, 2, 3) or len(shape_of(x)) != n + 2:
        raise ValueError(f"Shape {x.shape} must have rank {n + 2}")
    for option, given in (("strides", strides), ("dilation_rate", dilations)):
        if given is not None and len(given) != n:
            raise ValueError(f"`len({option})` should be {n}. Received: {option}={given} of length "
                             f"{len(given)}")
    channel = channel_axis(data_format, n, "MaxPool")
    steps = sequence(strides, n, channel, "strides")
    rates = sequence(dilations, n, channel, "dilations")
    if min(rates) < 1:
        raise ValueError("all values of `dilation_rate` must be positive. Received: "
                         f"dilation_rate={dilations}")
    if max(rates) > 1 and max(steps) > 1:
        raise ValueError("`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                         f"Received: strides={strides} and dilation_rate={dilations}")
    if max(rates) > 1 and padding == "SAME":
        raise ValueError("pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
                         f"Received: padding={padding} and dilation_rate={dilations}")
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"{n}-D {pooling_type} pooling is not supported.")
    return _pooling(pooling_type, x, window_shape, steps, padding, data_format, n, rates)


@export("nn.max_pool_with_argmax")
@attributes(padding=text, include_batch_in_index=flag)
def max_pool_with_argmax(input: Any, ksize: Any, strides: Any, padding: Any,
                         data_format: str = "NHWC", output_dtype: Any = dtypes.int64,
                         include_batch_in_index: bool = False,
                         name: str | None = None) -> MaxPoolWithArgmax:
    """Maxima of the windows and their flat indices, counted in each image or in the whole batch."""
    op = "MaxPoolWithArgmax"
    if data_format != "NHWC":
        raise ValueError("`data_format` values other  than 'NHWC' are not supported. Received: "
                         f"data_format={data_format}")
    wanted = dtypes.as_dtype(output_dtype)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise wrong_kind(op, "Targmax", wanted)
    rule = padding_rule(padding, 2, op, explicit=False)
    window = sequence(ksize, 2, 3, "ksize")
    steps = sequence(strides, 2, 3, "strides")
    x = operand(input)
    check_dtype(x, op, (*_INTEGERS, "uint32", "uint64"))
    _check(x, window, steps, rule, 3, op)
    attrs = {"window": window, "strides": steps, "padding": rule, "dilations": (1,) * 4}
    return MaxPoolWithArgmax(
        _max_pool(x, ties="first", **attrs),
        max_pool_argmax(x, lead=int(not include_batch_in_index), dtype=wanted.np, **attrs))
