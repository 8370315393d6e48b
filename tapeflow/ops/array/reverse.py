"""Other orders along axes: roll, reverse, reverse_sequence.

May be imported by `api` and by other modules of `ops`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import whole
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import Expand, View, contiguous_strides
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import broadcast_to as _broadcast_to
from tapeflow.core.record.primitive_ops import concat as _concat
from tapeflow.core.record.primitive_ops import cut
from tapeflow.core.record.primitive_ops import reshape as _reshape
from tapeflow.core.record.primitive_ops import transpose as _transpose
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import agree, int_vector, integers


def _roll_kernel(x, shift, axis):
    for s, a in zip(shift, axis, strict=True):
        size = x.shape[a]
        s = s % size if size else 0
        if s:
            lead = (slice(None),) * a
            x = np.concatenate((x[(*lead, slice(size - s, None))], x[(*lead, slice(size - s))]), a)
    return x


def _roll_steps(x, shift, axis):
    if isinstance(shift, Tensor):
        return None
    for s, a in zip(shift, axis, strict=True):
        size = shape_of(x)[a]
        s = s % size if size else 0
        if s:
            x = _concat(cut(x, axis=a, start=size - s, size=s),
                        cut(x, axis=a, start=0, size=size - s), axis=a)
    return x


_roll = move("roll", _roll_kernel, shape=lambda x, shift, axis: x,
             vjp=lambda g, y, x, shift, axis: _roll(
                 g, shift=tuple([-s for s in shift]) if type(shift) is tuple else -shift,
                 axis=axis),
             batch=lambda call, size, xs, batched, attrs: call(
                 xs[0], shift=attrs["shift"], axis=tuple([a + 1 for a in attrs["axis"]])),
             check=[Case((5,), shift=(2,), axis=(0,)), Case((2, 3), shift=(1, -1), axis=(0, 1)),
                    Case((2, 3), shift=(1, 1), axis=(1, 1))], lower=Expand(_roll_steps))


def _rank(x: Any) -> int | None:
    """The rank of a number or of a list of numbers."""
    return 1 if isinstance(x, (list, tuple)) else getattr(x, "ndim", 0)


@export("roll")
@deferrable
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Elements moved by `shift` along `axis`; what leaves at one end enters at the other."""
    x = operand(input)
    steps = int_vector(shift, "Roll", "Tshift", "shift must be a scalar or a 1-D vector. Found:",
                       scalar=True)
    axes = int_vector(axis, "Roll", "Taxis", "axis must be a scalar or a 1-D vector. Found:",
                      scalar=True)
    if not len(axes) and not isinstance(axis, Tensor):
        raise errors.invalid("Roll", "Value for attr 'Taxis' of float is not in the list of "
                                     "allowed values: int32, int64")
    rank = len(shape_of(x))
    if not rank:
        raise errors.invalid("Roll", "input must be 1-D or higher")
    if type(steps) is tuple and len(steps) != len(axes) or {_rank(shift), _rank(axis)} == {0, 1}:
        raise errors.invalid("Roll", "shift and axis must have the same size")
    for a in axes:
        if not -rank <= a < rank:
            raise errors.invalid("Roll", f"axis {a if a > 0 else a + rank} is out of range")
    return _roll(x, shift=steps, axis=tuple([a % rank for a in axes]))


def _reverse_kernel(x, axis):
    return x[tuple([slice(None, None, -1 if i in axis else 1) for i in range(max(axis) + 1)])] \
        if axis else x


def _reverse_view(own, axis):
    steps = contiguous_strides(own)
    offset = sum([(own[a] - 1) * steps[a] for a in axis])
    return offset, list(own), [-step if a in axis else step for a, step in enumerate(steps)]


reverse_op = move("reverse", _reverse_kernel, shape=lambda x, axis: x,
                  vjp=lambda g, y, x, axis: reverse_op(g, axis=axis),
                  batch=lambda call, size, xs, batched, attrs: call(
                      xs[0], axis=tuple([a + 1 for a in attrs["axis"]])),
                  tf_name="ReverseV2",
                  check=[Case((4,), axis=(0,)), Case((2, 3), axis=(0, 1)), Case((2, 3), axis=())],
                  lower=View(_reverse_view))


@export("reverse")
@deferrable
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """In reverse order along each of the listed axes."""
    x = operand(tensor)
    rank = len(shape_of(x))
    axes = int_vector(axis, "ReverseV2", "Tidx", "'dims' must be 1-dimension, got shape")
    seen = []
    for i, a in enumerate(axes):
        if not -rank <= a < rank:
            raise errors.invalid("ReverseV2", f"'axis'[{i}] = {a} is out of valid range [0, "
                                              f"{rank - 1}")
        if a % rank in seen:
            raise errors.invalid("ReverseV2", f"axis {a % rank} specified more than once.")
        seen.append(a % rank)
    return reverse_op(x, axis=tuple(sorted(seen)))


def _reverse_sequence_kernel(x, lengths, seq_axis, batch_axis):
    """Row b of the sequence axis is read at (lengths[b] - 1 - i) for i < lengths[b]."""
    for i, n in enumerate(lengths.tolist()):
        if not 0 <= n <= x.shape[seq_axis]:
            sign = "< 0" if n < 0 else f"> input.dims({seq_axis})"
            raise errors.invalid("ReverseSequence", f"seq_lens({i}) {sign}")
    steps, ends = np.arange(x.shape[seq_axis]), np.asarray(lengths)[:, None]
    sources = np.where(steps < ends, ends - 1 - steps, steps)
    if batch_axis > seq_axis:
        sources = sources.T
    shape = [1] * x.ndim
    shape[seq_axis], shape[batch_axis] = x.shape[seq_axis], x.shape[batch_axis]
    return np.take_along_axis(x, sources.reshape(shape), seq_axis)


def _reverse_sequence_batch(call, size, xs, batched, attrs):
    """Batch and the op's own batch axis become one axis of (size · rows)."""
    x, lengths = xs
    seq, batch = attrs["seq_axis"] + 1, attrs["batch_axis"] + 1
    if not batched[1]:
        return call(x, lengths, seq_axis=seq, batch_axis=batch)
    if not batched[0]:
        x = _broadcast_to(x, shape=(size, *shape_of(x)))
    rank = len(shape_of(x))
    order = (0, batch, *[i for i in range(1, rank) if i != batch])
    moved = _transpose(x, perm=order)
    shape = shape_of(moved)
    flat = call(_reshape(moved, shape=(shape[0] * shape[1], *shape[2:])),
                _reshape(lengths, shape=(-1,)), seq_axis=order.index(seq) - 1, batch_axis=0)
    return _transpose(_reshape(flat, shape=shape),
                      perm=tuple([order.index(i) for i in range(rank)]))


_reverse_sequence = move(
    "reverse_sequence", _reverse_sequence_kernel, args=("x", "lengths"),
    shape=lambda x, lengths, seq_axis, batch_axis: x, batch=_reverse_sequence_batch,
    vjp=lambda g, y, x, lengths, **axes: _reverse_sequence(g, lengths, **axes),
    check=[Case((2, 4), ints(5, (2,)), seq_axis=1, batch_axis=0),
           Case((3, 2, 2), ints(4, (2,)), seq_axis=0, batch_axis=1)])


@export("reverse_sequence")
def reverse_sequence(input: Any, seq_lengths: Any, seq_axis: int | None = None,
                     batch_axis: int | None = None, name: str | None = None) -> Tensor:
    """The first `seq_lengths[b]` elements of each sequence b reversed, the rest as it is."""
    x = operand(input)
    if seq_axis is None:
        raise TypeError("Expected int for argument 'seq_dim' not None.")
    lengths = integers(seq_lengths, "ReverseSequence", "Tlen")
    shape, rank = shape_of(x), len(shape_of(x))
    batch = 0 if batch_axis is None else whole("batch_dim", batch_axis)
    if len(shape_of(lengths)) != 1:
        raise errors.invalid("ReverseSequence", f"seq_lengths must be 1-dim, not "
                                                f"{len(shape_of(lengths))}")
    seq_axis = whole("seq_dim", seq_axis)
    for axis, label in ((seq_axis, "seq_dim"), (batch, "batch_dim")):
        if axis < 0:
            raise errors.invalid("ReverseSequence", f"Invalid {label} {axis}")
        if axis >= rank:
            raise errors.invalid("ReverseSequence", f"{label} must be < input rank ( {axis} vs. "
                                                    f"{rank})")
    if seq_axis == batch:
        raise errors.invalid("ReverseSequence", f"batch_dim == seq_dim == {batch}")
    if not agree(shape_of(lengths), (shape[batch],)):
        raise errors.invalid("ReverseSequence", (
            f"Length of seq_lengths != input.dims({batch}), ({shape_of(lengths)[0]} vs. "
            f"{shape[batch]})"))
    return _reverse_sequence(x, lengths, seq_axis=seq_axis, batch_axis=batch)
