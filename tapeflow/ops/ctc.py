"""tf.nn.ctc_loss: the negative log likelihood of label sequences that are not aligned with time.

A label sequence l1 … lL stands for the states  blank l1 blank l2 … lL blank  (S = 2L + 1 of them);
each frame stays in a state, goes to the next, or skips a blank between different labels. The
likelihood is summed over all paths, forwards (alpha) and backwards (beta), in logarithms; the
derivative by the logits is softmax minus the posterior of each class. Loaded when it is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.exports import export
from tapeflow.core.basics import reshape, transpose
from tapeflow.core.batching import loop
from tapeflow.core.families import operand
from tapeflow.core.op import Spec, define, shape_of
from tapeflow.core.samples import Case
from tapeflow.core.tensor import CompositeTensor, Tensor

_NEVER = -np.inf


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
    ends = np.where(last, 0.0, _NEVER)
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
        place = np.arange(classes.shape[1])[None]
        ends = 2 * label_length[:, None]
        last = (place == ends) | (place == ends - 1)
        alpha = _forward(scores, skips, logit_length)
        beta = _backward(scores, skips, logit_length, last)
        total = np.logaddexp.reduce(np.where(last, alpha[-1], _NEVER), axis=1)
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
    return reshape(g[0], shape=(1, -1, 1)) * y[1], None, None, None


def _jvp(ts, y, logits, labels, label_length, logit_length, blank):
    from tapeflow.core.basics import fill_like, reduce_sum
    if ts[0] is None:
        return None
    return reduce_sum(ts[0] * y[1], axis=(0, 2)), fill_like(y[1], value=0)


_LABELS = np.array([[1, 2], [2, 2]], np.int32)
_ctc = define(
    "ctc_loss", kernel=_kernel, shape=_shape, multi=True, vjp=_vjp, jvp=_jvp, saves="out",
    args=("logits", "labels", "label_length", "logit_length"), batch=loop, dtypes="fViu",
    tf_name="CTCLoss", check=[Case((5, 2, 4), _LABELS, np.array([2, 1], np.int32),
                                   np.array([5, 4], np.int32), blank=0, grad=False)])


@export("nn.ctc_loss")
def ctc_loss(labels: Any, logits: Any, label_length: Any, logit_length: Any,
             logits_time_major: bool = True, unique: Any = None, blank_index: int | None = None,
             name: str | None = None) -> Tensor:
    """For each sequence, minus the log likelihood of its labels given the logits of its frames.

    `logits` are (time, batch, classes), or (batch, time, classes) if not `logits_time_major`.
    Labels that do not fit into the frames cost infinity; TensorFlow counts each impossible step
    with a probability of 1e-307 instead.
    """
    scores = operand(logits)
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
    return _ctc(scores, operand(labels), operand(label_length), operand(logit_length),
                blank=blank + classes if blank < 0 and classes is not None else blank)[0]


def _dense(labels: Any) -> tuple:
    """A SparseTensor of labels as a matrix and the lengths of its rows."""
    if any(part._interpreter is not None for part in (labels.indices, labels.values)):
        raise NotImplementedError("tf.nn.ctc_loss: sparse labels inside a tf.function; give dense "
                                  "labels and label_length.")
    indices, values = labels.indices.numpy(), labels.values.numpy()
    rows, columns = labels.dense_shape.numpy()
    matrix = np.zeros((rows, columns), np.int32)
    matrix[indices[:, 0], indices[:, 1]] = values
    lengths = np.bincount(indices[:, 0], minlength=rows).astype(np.int32)
    return matrix, lengths
