"""Overlapping frames of a signal, and their sum: tf.signal.frame and overlap_and_add.

Each is the other's adjoint. May be imported by the modules of `ops.signal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.op import NUMERIC, Spec, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import int_scalar, sizes_of
from tapeflow.ops.array.padding import pad
from tapeflow.ops.signal.fourier import resized, same_batch


def count_frames(n: int, length: int, step: int) -> int:
    """How many whole frames there are in n samples."""
    return max(0, (n - length + step) // step)


# -- the records; the axis of frames is counted from the end of the signal -------------------------
def _frame_kernel(x, length, step, axis):
    length, step = int(length), int(step)
    axis += x.ndim
    count = count_frames(x.shape[axis], length, step)
    strides = x.strides
    shape = (*x.shape[:axis], count, length, *x.shape[axis + 1:])
    if not count or not length:
        return np.zeros(shape, x.dtype)
    moved = (*strides[:axis], strides[axis] * step, *strides[axis:])
    return np.ascontiguousarray(np.lib.stride_tricks.as_strided(x, shape, moved, writeable=False))


def _frame_shape(x: Spec, length: Any, step: Any, axis: int) -> Spec:
    if x.shape is None:
        return Spec(None, x.dtype)
    axis += len(x.shape)
    n = x.shape[axis]
    open_ = n is None or isinstance(length, Tensor) or isinstance(step, Tensor)
    count = None if open_ else count_frames(n, length, step)
    return Spec((*x.shape[:axis], count, None if isinstance(length, Tensor) else length,
                 *x.shape[axis + 1:]), x.dtype)


def _frame_vjp(g, y, x, length, step, axis):
    return overlap(g, step=step, total=sizes_of(x)[axis], axis=axis)


def _overlap_kernel(x, step, total, axis):
    """Frame f is added at f · step; frames that do not touch each other are added at once."""
    step, total = int(step), int(total)
    axis += x.ndim - 1  # of the frames; the samples of a frame follow
    frames, length = x.shape[axis], x.shape[axis + 1]
    wide = np.float32 if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x.dtype
    every = -(-length // step)  # so many frames overlap
    room = max(total, step * (frames + every))
    out = np.zeros((*x.shape[:axis], room, *x.shape[axis + 2:]), wide)
    lead = (slice(None),) * axis
    if frames <= every:
        for f in range(frames):
            out[(*lead, slice(f * step, f * step + length))] += x[(*lead, f)]
    else:
        for s in range(every):
            part = x[(*lead, slice(None), slice(s * step, (s + 1) * step))]
            width = part.shape[axis + 1]
            grid = out[(*lead, slice(s * step, (s + frames) * step))].reshape(
                *x.shape[:axis], frames, step, *x.shape[axis + 2:])
            grid[(*lead, slice(None), slice(width))] += part
    return np.ascontiguousarray(out[(*lead, slice(total))]).astype(x.dtype, copy=False)


def _overlap_shape(x: Spec, step: Any, total: Any, axis: int) -> Spec:
    if x.shape is None:
        return Spec(None, x.dtype)
    cut = len(x.shape) + axis - 1
    return Spec(resized((*x.shape[:cut], *x.shape[cut + 1:]), axis, total), x.dtype)


def _overlap_vjp(g, y, x, step, total, axis):
    from tapeflow.ops.signal.fourier import fit
    sizes = sizes_of(x)
    frames, length = sizes[axis - 1], sizes[axis]
    needed = step * (frames - 1) + length
    if needed != total or isinstance(needed, Tensor):
        # `total` may leave samples over that no frame covers, or a short signal have none.
        g = fit(g, axes=(axis,), sizes=_as_vector(needed))
    return frames_of(g, length=length, step=step, axis=axis)


def _as_vector(n: Any) -> Any:
    from tapeflow.core.record.primitive_ops import reshape
    return reshape(n, shape=(1,)) if isinstance(n, Tensor) else (n,)


frames_of = move("frame", _frame_kernel, shape=_frame_shape, vjp=_frame_vjp, batch=same_batch,
                 check=[Case((7,), length=3, step=2, axis=-1), Case((2, 9), length=2, step=3,
                                                                    axis=-1),
                        Case((6, 2), length=4, step=1, axis=-2)])
overlap = move("overlap_and_add", _overlap_kernel, shape=_overlap_shape, vjp=_overlap_vjp,
               batch=same_batch, dtypes=NUMERIC,
               check=[Case((3, 3), step=2, total=7, axis=-1), Case((2, 2, 5), step=2, total=8,
                                                                   axis=-1),
                      Case((3, 4, 2), step=3, total=10, axis=-2),
                      Case((4, 2), step=3, total=11, axis=-1)])


# -- public ----------------------------------------------------------------------------------------
def integer(value: Any, name: str) -> Any:
    """A scalar integer argument: an int, or a Tensor of a trace."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        if not -1 << 31 <= value < 1 << 31:
            raise errors.invalid("FloorDiv", f"{name} {value} is out of range for an int32")
        return int(value)
    tensor = operand(value)
    if shape_of(tensor) != ():
        raise ValueError(f"Shape {tensor.shape} must have rank 0")
    if not tensor.dtype.is_integer:
        raise ValueError(f"{name} must be an integer. Got {tensor.dtype}")
    return int_scalar(tensor, "Frame", name)


def ranked(x: Any, rank: int) -> Any:
    """An operand of at least this rank."""
    x = operand(x)
    if len(shape_of(x)) < rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {rank}")
    return x


def whole(value: Any, name: str) -> Any:
    """As `integer`, with the error that dividing by it gives in TensorFlow."""
    if isinstance(value, float) or isinstance(value, Tensor) and value.dtype.is_floating:
        raise errors.invalid("FloorDiv", f"{name} must be an integer, got {value}")
    return integer(value, name)


@export("signal.frame")
def frame(signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False,
          pad_value: Any = 0, axis: Any = -1, name: str | None = None) -> Tensor:
    """Frames of a signal that begin every `frame_step` samples, along a new axis.

    >>> tf.signal.frame(tf.range(5.0), 3, 2).numpy().tolist()
    [[0.0, 1.0, 2.0], [2.0, 3.0, 4.0]]
    """
    x = ranked(signal, 1)
    length, step = whole(frame_length, "frame_length"), whole(frame_step, "frame_step")
    rank, axis = len(shape_of(x)), int(integer(axis, "axis"))
    if not -rank <= axis < rank:
        raise IndexError(f"tf.signal.frame: axis {axis} is out of range for a signal of rank "
                         f"{rank}")
    axis = axis % rank - rank
    if isinstance(step, int) and step < 1:
        if step:
            raise errors.invalid("Frame", f"frame_step must be positive, got {step}")
        raise errors.invalid("FloorDiv", "Integer division by zero: frame_step is 0")
    if isinstance(length, int) and length < 0:
        raise errors.invalid("Frame", f"frame_length must be non-negative, got {length}")
    if pad_end:
        n = sizes_of(x)[axis]
        count = -(-n // step)
        missing = length + step * (count - 1) - n
        if isinstance(missing, Tensor):
            from tapeflow.ops.math.comparison import maximum
            missing = maximum(missing, 0)
        pairs: list = [[0, 0]] * rank
        pairs[axis] = [0, max(missing, 0) if isinstance(missing, int) else missing]
        x = pad(x, pairs, constant_values=operand(pad_value, x.dtype) if not isinstance(
            pad_value, Tensor) else pad_value)
        if isinstance(missing, int) and missing < 0:
            # Frames shorter than the step: the last one may end before the signal does.
            from tapeflow.ops.signal.fourier import fit
            x = fit(x, axes=(axis,), sizes=(length + step * (count - 1),))
    return frames_of(x, length=length, step=step, axis=axis)


@export("signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """The signal whose frames (the last two axes) begin every `frame_step` samples, added up."""
    x = ranked(signal, 2)
    step = integer(frame_step, "frame_step")
    if isinstance(step, int) and step < 1:
        raise errors.invalid("FloorDiv", f"frame_step must be positive, got {step}")
    *_, frames, length = sizes_of(x)
    return overlap(x, step=step, total=length + step * (frames - 1), axis=-1)
