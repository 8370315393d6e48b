"""tf.nn.ctc_loss: the negative log likelihood of label sequences that are not aligned with time.

A label sequence l1 … lL stands for the states  blank l1 blank l2 … lL blank  (S = 2L + 1 of them);
each frame stays in a state, goes to the next, or skips a blank between different labels. The
likelihood is summed over all paths, forwards (alpha) and backwards (beta), in logarithms; the
derivative by the logits is softmax minus the posterior of each class. The kernel gives both; the
derivative of the derivative is that of the same sum written in ops. Loaded when it is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export_guarded as export
from tapeflow.base.late import LatePublic
from tapeflow.core.autodiff.tape import GradientTape
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    all_batched,
    cast,
    concat,
    cut,
    expand,
    fill_like,
    reduce_sum,
    reshape,
    stack,
    transpose,
)
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import CompositeTensor, Tensor, wrap
from tapeflow.ops._support.arguments import integers, wrong_kind
from tapeflow.ops.array import creation
from tapeflow.ops.array.joining import unstack
from tapeflow.ops.indexing.gathering import gather
from tapeflow.ops.math.comparison import equal, greater
from tapeflow.ops.math.logical import logical_not, logical_or
from tapeflow.ops.math.select import select
from tapeflow.ops.nn.softmax_norm import log_softmax
from tapeflow.ops.reduce import segment
from tapeflow.ops.reduce.moments import reduce_logsumexp

_to_dense = LatePublic("sparse.to_dense")

_F64 = np.dtype("float64")
_FAR = -1e9  # as good as never, with derivatives that are 0
_NEVER = -np.inf
# TensorFlow lets paths end in every state, with this probability in the wrong ones.
_UNLIKELY = float(np.log(1e-307))


def _log_softmax(x: np.ndarray) -> np.ndarray:
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _states(labels: np.ndarray, blank: int) -> tuple[np.ndarray, np.ndarray]:
    """The classes of the states, (batch, S), and where a path may skip from two states before."""
    batch, length = labels.shape
    classes = np.full((batch, 2 * length + 1), blank, np.int64)
    classes[:, 1::2] = labels
    skips = np.zeros(classes.shape, bool)
    skips[:, 3::2] = labels[:, 1:] != labels[:, :-1]
    return classes, skips


def _moved(alpha: np.ndarray, steps: int) -> np.ndarray:
    """`alpha` of the state `steps` before; negative: after."""
    result = np.full_like(alpha, _NEVER)
    if steps > 0:
        result[:, steps:] = alpha[:, :-steps]
    else:
        result[:, :steps] = alpha[:, -steps:]
    return result


def _forward(scores: np.ndarray, skips: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """alpha (time, batch, S): all paths that are in a state after this frame."""
    alpha = np.full_like(scores, _NEVER)
    alpha[0, :, :2] = scores[0, :, :2]
    for t in range(1, len(scores)):
        before = alpha[t - 1]
        come = np.logaddexp(before, _moved(before, 1))
        come = np.where(skips, np.logaddexp(come, _moved(before, 2)), come) + scores[t]
        alpha[t] = np.where((t < frames)[:, None], come, before)  # a sequence that ended waits
    return alpha


def _backward(scores: np.ndarray, skips: np.ndarray, frames: np.ndarray,
              last: np.ndarray) -> np.ndarray:
    """beta (time, batch, S): all paths from a state after this frame to the end."""
    beta = np.full_like(scores, _NEVER)
    ends = np.where(last, 0.0, _UNLIKELY)
    jump = np.zeros_like(skips)
    jump[:, :-2] = skips[:, 2:]
    beta[-1] = ends
    for t in range(len(scores) - 2, -1, -1):
        after = beta[t + 1] + scores[t + 1]
        go = np.logaddexp(after, _moved(after, -1))
        go = np.where(jump, np.logaddexp(go, _moved(after, -2)), go)
        beta[t] = np.where((t < frames - 1)[:, None], go, ends)
    return beta


def _kernel(logits, labels, label_length, logit_length, blank):
    """(loss, d loss / d logits) of logits (time, batch, classes)."""
    time, batch, count = logits.shape
    loss, grad = np.zeros(batch, logits.dtype), np.zeros(logits.shape, logits.dtype)
    if not time or not batch:
        return loss, grad
    _check(labels, label_length, logit_length, time, count)
    with np.errstate(all="ignore"):
        logs = _log_softmax(logits.astype(np.float64))
        classes, skips = _states(labels, blank)
        scores = np.take_along_axis(logs, np.broadcast_to(classes, (time, *classes.shape)), 2)
        state = np.arange(classes.shape[1])[None]
        ends = 2 * label_length[:, None]
        last = (state == ends) | (state == ends - 1)
        alpha = _forward(scores, skips, logit_length)
        beta = _backward(scores, skips, logit_length, last)
        total = np.logaddexp.reduce(np.where(last, alpha[-1], alpha[-1] + _UNLIKELY), axis=1)
        posterior = np.exp(alpha + beta - total[:, None])
        seen = np.zeros(logs.shape)
        where = (np.arange(time)[:, None, None], np.arange(batch)[None, :, None], classes[None])
        np.add.at(seen, where, np.nan_to_num(posterior))
        running = np.arange(time)[:, None, None] < logit_length[None, :, None]
        loss[...] = -total
        grad[...] = np.where(running, np.exp(logs) - seen, 0.0)
    return loss, grad


def _check(labels: Any, label_length: Any, logit_length: Any, time: int, count: int) -> None:
    if labels.size and (labels.min() < 0 or labels.max() >= count):
        raise errors.invalid("CTCLoss", f"a label is outside [0, {count}), the number of classes")
    if logit_length.size and logit_length.max() > time:
        raise errors.invalid("CTCLoss", f"sequence_length(b) <= {time} is required: logit_length "
                                        f"has {logit_length.max()}")
    if label_length.size and label_length.max() > labels.shape[1]:
        raise errors.invalid("CTCLoss", f"label_length has {label_length.max()}, but labels have "
                                        f"{labels.shape[1]} columns")


def _shape(logits: Spec, labels: Spec, label_length: Spec, logit_length: Spec, blank: int) -> tuple:
    batch = None if logits.shape is None else logits.shape[1]
    return Spec((batch,), logits.dtype), logits


def _vjp(g, y, logits, labels, label_length, logit_length, blank):
    slope = _slope(y[1], logits, labels, label_length, logit_length, blank=blank)
    return reshape(g[0], shape=(1, -1, 1)) * slope, None, None, None


def _jvp(ts, y, logits, labels, label_length, logit_length, blank):
    if ts[0] is None:
        return None
    slope = _slope(y[1], logits, labels, label_length, logit_length, blank=blank)
    return reduce_sum(ts[0] * slope, axis=(0, 2)), fill_like(slope, value=0)


def _together(size: int, xs: tuple, batched: tuple, axes: tuple) -> list:
    """Operands with the batch axis merged into the axis of sequences, which `axes` names."""
    merged = []
    for x, axis in zip(all_batched(xs, batched, size), axes, strict=True):
        shape = shape_of(x)
        front = (*range(1, axis + 1), 0, *range(axis + 1, len(shape)))
        joined = (*shape[1:axis + 1], size * shape[axis + 1], *shape[axis + 2:])
        merged.append(reshape(transpose(x, perm=front), shape=joined))
    return merged


def _apart(x: Any, axis: int, size: int) -> Any:
    """The batch axis first again."""
    shape = shape_of(x)
    split = reshape(x, shape=(*shape[:axis], size, shape[axis] // size, *shape[axis + 1:]))
    return transpose(split, perm=(axis, *[i for i in range(len(shape) + 1) if i != axis]))


def _batch(call, size, xs, batched, attrs):
    loss, slope = call(*_together(size, xs, batched, (1, 0, 0, 0)), **attrs)
    return _apart(loss, 0, size), _apart(slope, 1, size)


_LABELS = np.array([[1, 2], [2, 2]], np.int32)
_LENGTHS = (np.array([2, 1], np.int32), np.array([5, 4], np.int32))
_ctc = define(
    "ctc_loss", kernel=_kernel, shape=_shape, multi=True, vjp=_vjp, jvp=_jvp, saves="in out",
    args=("logits", "labels", "label_length", "logit_length"), batch=_batch, dtypes="fViu",
    tf_name="CTCLoss", check=[Case((5, 2, 4), _LABELS, *_LENGTHS, blank=0, grad=False)])


# -- the second derivative -------------------------------------------------------------------------
def _loss(logits, labels, label_length, logit_length, blank):
    """The sum of all losses, in ops: what the kernel computes, without the derivative."""
    time, batch, _ = shape_of(logits)
    logs = transpose(log_softmax(cast(logits, dtype=_F64), axis=2), perm=(1, 0, 2))
    labels = cast(labels, dtype=np.dtype("int64"))
    length = shape_of(labels)[1]
    blanks = fill_like(labels, value=blank)
    pairs = reshape(stack(blanks, labels, axis=2), shape=(batch, 2 * length))
    classes = concat(pairs, wrap(np.full((batch, 1), blank)), axis=1)
    scores = unstack(gather(logs, classes, axis=2, batch_dims=1), axis=1)
    same = equal(classes, _before(classes, 2, -1))
    odd = wrap(np.arange(2 * length + 1) % 2 == 1)
    ends = expand(2 * cast(label_length, dtype=np.dtype("int64")), axis=1)
    state = wrap(np.arange(2 * length + 1)[None])
    last = logical_or(equal(state, ends), equal(state, ends - 1))
    first = wrap(np.where(np.arange(2 * length + 1) < 2, 0.0, _FAR))
    alpha = scores[0] + first
    for t in range(1, time):
        ways = [alpha, _before(alpha, 1, _FAR),
                select(logical_or(same, logical_not(odd)), wrap(np.float64(_FAR)),
                       _before(alpha, 2, _FAR))]
        come = reduce_logsumexp(stack(*ways, axis=0), axis=(0,)) + scores[t]
        alpha = select(expand(greater(logit_length, t), axis=1), come, alpha)
    final = alpha + select(last, wrap(np.float64(0.0)), wrap(np.float64(_UNLIKELY)))
    return -reduce_sum(reduce_logsumexp(final, axis=(1,)))


def _before(x: Any, steps: int, filler: float) -> Any:
    """`x` moved by some states, `filler` where none came."""
    states = shape_of(x)[1]
    steps = min(steps, states)
    gone = fill_like(cut(x, axis=1, start=0, size=steps), value=filler)
    return concat(gone, cut(x, axis=1, start=0, size=states - steps), axis=1)


def _curvature(u, y, slope, logits, labels, label_length, logit_length, blank):
    """The matrix of second derivatives times u, by tapes over the sum."""
    operands = (logits, labels, label_length, logit_length)
    bare = not isinstance(u, Tensor)
    if bare:
        u, *operands = [wrap(x) for x in (u, *operands)]
    x = identity(operands[0])
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            total = _loss(x, *operands[1:], blank)
        first = inner.gradient(total, x)
    found = outer.gradient(first, x, output_gradients=u)
    return found._value if bare else found


def _slope_jvp(ts, y, slope, logits, labels, label_length, logit_length, blank):
    return None if ts[1] is None else _curvature(
        ts[1], y, slope, logits, labels, label_length, logit_length, blank)


def _slope_batch(call, size, xs, batched, attrs):
    return _apart(call(*_together(size, xs, batched, (1, 1, 0, 0, 0)), **attrs), 1, size)


# The kernel of the loss has made the first derivative: this op hands it on, and knows its own.
_slope = define(
    "ctc_slope", kernel=lambda slope, logits, labels, label_length, logit_length, blank: slope,
    shape=lambda slope, *operands, blank: slope, saves="in", jvp=_slope_jvp, batch=_slope_batch,
    args=("slope", "logits", "labels", "label_length", "logit_length"),
    vjp=(None, _curvature, None, None, None), dtypes="fViu", check=[
        Case((5, 2, 4), (5, 2, 4), _LABELS, *_LENGTHS, blank=0, grad=False)])


@export("nn.ctc_loss")
def ctc_loss(labels: Any, logits: Any, label_length: Any, logit_length: Any,
             logits_time_major: bool = True, unique: Any = None, blank_index: int | None = None,
             name: str | None = None) -> Tensor:
    """For each sequence, minus the log likelihood of its labels given the logits of its frames.

    `logits` are (time, batch, classes), or (batch, time, classes) if not `logits_time_major`.
    Labels that do not fit into the frames cost about 707, as in TensorFlow.
    """
    scores = operand(logits)
    if unique:
        unique, _ = [operand(one) for one in unique]
    if len(shape_of(scores)) != 3:
        raise errors.invalid("CTCLoss", "logits must have three axes, got shape "
                                        f"{list(shape_of(scores))}")
    if not logits_time_major:
        scores = transpose(scores, perm=(1, 0, 2))
    if isinstance(labels, CompositeTensor) and hasattr(labels, "dense_shape"):
        if blank_index is None:
            raise ValueError("Argument `blank_index` must be provided when labels is a "
                             "SparseTensor.")
        labels, label_length = _dense(labels)
    blank = 0 if blank_index is None else blank_index
    classes = shape_of(scores)[2]
    if not isinstance(blank, int):
        raise TypeError("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and "
                        f"scalar tf.int32/tf.int64 tensors are valid indices, got {blank!r}")
    if scores.dtype.kind != "f":
        raise wrong_kind("LogSoftmax", "T", scores.dtype, "half, bfloat16, float, double")
    labels, label_length = [integers(x, "OneHot", "TI", "uint8, int8, int32, int64")
                            for x in (labels, label_length)]
    return _ctc(scores, labels, label_length, operand(logit_length),
                blank=blank + classes if blank < 0 and classes is not None else blank)[0]


def _dense(labels: Any) -> tuple:
    """A SparseTensor of labels as a matrix and the lengths of its rows."""
    rows = labels.indices[:, 0]
    lengths = segment.UNSORTED["sum"](
        creation.ones_like(rows, dtype=np.int32), rows, labels.dense_shape[0])
    return _to_dense(labels), lengths
