"""What users pass as strides, dilations, paddings, data formats and window sizes, made canonical.

Wrong ones raise what TensorFlow raises. May be imported by the modules of `ops.conv`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import wrong
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import transpose
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import brackets, wrong_kind

_LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}
_INT32 = 1 << 31
_FIRST = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


def refusal(x: Any, op: str, message: str) -> Exception:
    """The error of an op that cannot run: another type while tracing, as in TensorFlow."""
    return errors.invalid(op, message) if type(x) is Tensor else ValueError(f"{op}: {message}")


def unimplemented(op: str, message: str) -> errors.OpError:
    return errors.UnimplementedError(None, None, f"{message} [Op:{op}]")


def sequence(value: Any, n: int, channel: int, name: str) -> tuple:
    """An int, or 1, n or n + 2 of them, for all n + 2 axes."""
    if type(value) is int and value < _INT32:
        return (1, 1, *(value,) * n) if channel == 1 else (1, *(value,) * n, 1)
    if value is None:
        value = [1]
    elif isinstance(value, Variable) and shape_of(value):
        raise TypeError(f"Expected int for argument '{name}' not {value!r}.")
    elif isinstance(value, (str, bytes)):
        raise wrong("int", name, value)
    elif not hasattr(value, "__len__"):
        value = [value]
    elif not isinstance(value, Tensor) and len(value) > n + 2:
        raise ValueError(f"{name} should be of length 1, {n} or {n + 2}. Received: {name} of "
                         f"length {len(value)}")
    elif isinstance(value, Tensor):
        iter(value)  # not a scalar's, and not that of a tensor that a trace has no value of
        value = value.numpy()
    items = [int(v) for v in value]
    if any(v >= _INT32 for v in items):
        raise errors.invalid("Conv", f"Attr {name} has value {max(items)} out of range for an "
                                     "int32")
    if len(items) == n + 2:
        return tuple(items)
    if len(items) == 1:
        items *= n
    elif len(items) != n:
        raise ValueError(f"{name} should be of length 1, {n} or {n + 2}. Received: {name}={value} "
                         f"of length {len(items)}")
    return (1, 1, *items) if channel == 1 else (1, *items, 1)


def listed(value: Any, n: int, name: str, op: str) -> tuple:
    """One entry for each of the n + 2 axes, as a list."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{name}' argument to '{op}' Op, not {value}.")
    if len(value) != n + 2:
        raise errors.invalid(op, f"Length for attr '{name}' of {len(value)} must be at least "
                                 f"minimum {n + 2}")
    return tuple([int(v) for v in value])


def channel_axis(data_format: str | None, n: int, op: str) -> int:
    """Where the channels are: 1 or n + 1."""
    if data_format is None or data_format == _LAST[n]:
        return n + 1
    if data_format == _FIRST[n]:
        return 1
    raise errors.invalid(op, f"Value for attr 'data_format' of \"{data_format}\" is not in the "
                             f"list of allowed values: \"{_LAST[n]}\", \"{_FIRST[n]}\"")


def spatial(values: tuple, channel: int, name: str, op: str, least: str) -> tuple:
    """The entries of the spatial axes; those of batch and channels must be 1."""
    if values[0] != 1 or values[channel] != 1:
        raise unimplemented(op, f"Current implementation does not yet support {name} in the batch "
                                "and depth dimensions.")
    inner = values[2:] if channel == 1 else values[1:-1]
    if min(inner) < 1:
        raise errors.invalid(op, f"{least} should be larger than 0.")
    return inner


def padding_rule(padding: Any, n: int, op: str, explicit: bool) -> Any:
    """"SAME", "VALID" or n + 2 pairs; `explicit`: whether pairs are allowed."""
    if isinstance(padding, str):
        if padding == "EXPLICIT":
            raise ValueError("'EXPLICIT' is not a valid value for `padding`. To use explicit "
                             "padding, `padding` must be a list.")
        if padding not in ("SAME", "VALID"):
            allowed = '"SAME", "VALID"' + ', "EXPLICIT"' * explicit
            raise errors.invalid(op, f"Value for attr 'padding' of \"{padding}\" is not in the "
                                     f"list of allowed values: {allowed}")
        return padding
    if not explicit or not isinstance(padding, (list, tuple, np.ndarray)):
        raise TypeError(f"Expected string for argument 'padding' not {padding}.")
    if len(padding) != n + 2:
        raise ValueError(f"When padding is a list, it must be of size {n + 2}. Received: "
                         f"padding={padding} of size {len(padding)}")
    for i, pair in enumerate(padding):
        if not hasattr(pair, "__len__") or len(pair) != 2:
            size = len(pair) if hasattr(pair, "__len__") else None
            raise ValueError(f"When `padding` is a list, each element of `padding` must be a "
                             f"list/tuple of size 2. Received: padding={padding} with element at "
                             f"index {i} of size {size}")
    pairs = tuple([(int(before), int(after)) for before, after in padding])
    if min(map(min, pairs)) < 0:
        raise errors.invalid(op, "All elements of explicit_paddings must be nonnegative")
    return pairs


def spatial_padding(rule: Any, channel: int, op: str) -> Any:
    """A padding of the spatial axes only."""
    if isinstance(rule, str):
        return rule
    if any(rule[0]) or any(rule[channel]):
        raise errors.invalid(op, "Nonzero explicit padding in the batch or depth dimensions is not "
                                 "supported")
    return rule[2:] if channel == 1 else rule[1:-1]


def check_dtype(x: Any, op: str, integers: tuple = ()) -> None:
    """Floating point, or one of the integers named."""
    name = x.dtype.name
    if x.dtype.kind not in "fV" and name not in integers:
        raise wrong_kind(op, "T", x.dtype, ", ".join(("half, bfloat16, float, double", *integers)))


def check_rank(x: Any, rank: int, op: str, what: str) -> None:
    shape = shape_of(x)
    if len(shape) != rank:
        raise refusal(x, op, f"{what} must be {rank}-dimensional: {brackets(shape)}")


# -- channels first --------------------------------------------------------------------------------
def channels_last(x: Any, channel: int) -> Any:
    """(N, C, …) as (N, …, C), if the channels are in front."""
    rank = len(shape_of(x))
    return x if channel == rank - 1 else transpose(x, perm=(0, *range(2, rank), 1))


def channels_back(y: Any, channel: int) -> Any:
    """Undoes `channels_last`."""
    rank = len(shape_of(y))
    return y if channel == rank - 1 else transpose(y, perm=(0, rank - 1, *range(1, rank - 1)))
