"""Cross-entropies and other losses.

A softmax cross-entropy is two records. The slope, softmax minus labels, is one; the loss is the
other, with the slope as an operand from which its rule takes the gradient. On eager tensors both
come out of one pass over the logits, so the way back costs one product, and what is kept is the
slope alone. Only second derivatives go through the slope's own rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, dense
from tapeflow.base.dtypes import float32
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferred
from tapeflow.core.fp_errors import ignore_fp_errors, restore_fp_errors
from tapeflow.core.record.families import binary, operand, same_as
from tapeflow.core.record.lowering_forms import Expand
from tapeflow.core.record.op import EXPENSIVE, FLOAT, Spec, define, shape_of, wrong_dtype
from tapeflow.core.record.primitive_ops import (
    all_batched,
    broadcast_to,
    cast,
    constant_like,
    dims,
    expand,
    reshape,
    transpose,
)
from tapeflow.core.record.samples import Case, Samples, ints
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import agree, brackets, wrong_kind
from tapeflow.ops._support.blas_threads import one_thread
from tapeflow.ops._support.half_precision import float32_kernel, is_half
from tapeflow.ops.array.one_hot import one_hot_op
from tapeflow.ops.indexing.gathering import take
from tapeflow.ops.math.arithmetic import divide_no_nan
from tapeflow.ops.math.exponential import exp, log, log1p
from tapeflow.ops.math.logical import logical_and
from tapeflow.ops.math.rounding import abs_real
from tapeflow.ops.math.select import select
from tapeflow.ops.nn.activations import relu, sigmoid
from tapeflow.ops.nn.softmax_norm import classes_first, in_float32, log_softmax, shifted, softmax
from tapeflow.ops.reduce.reduction import reduce_max, reduce_sum

_F32, _I32, _I64 = np.dtype("float32"), np.dtype("int32"), np.dtype("int64")
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_SPARSE = "SparseSoftmaxCrossEntropyWithLogits"
_DENSE = "SoftmaxCrossEntropyWithLogits"


def _column(g: Any) -> Any:
    """One scalar a row, laid out against rows of classes."""
    return expand(g, axis=len(shape_of(g)))


def _row_sum(x: Any) -> Any:
    return reduce_sum(x, (len(shape_of(x)) - 1,), True)


def _batch(call, size, xs, batched, attrs):
    return call(*all_batched(xs, batched, size), **attrs)


def _rows(logits: Spec, *rest: Spec) -> Spec:
    return Spec(None if logits.shape is None else logits.shape[:-1], logits.dtype)


# -- labels as indices -----------------------------------------------------------------------------
def _check_labels(flat, classes: int) -> None:
    """Refuse labels outside [0, classes); seen as unsigned, negative ones are too large."""
    if not flat.size or np.maximum.reduce(flat.view(_UNSIGNED[flat.itemsize])) < classes:
        return
    bad = flat[(flat < 0) | (flat >= classes)][0]
    shown = " ".join(str(n) for n in flat[:100])
    raise errors.invalid(_SPARSE, f"Received a label value of {bad} which is outside the valid "
                                  f"range of [0, {classes}).  Label values: {shown}")


def _sparse_pass(x, labels, with_slope: bool = True):
    """Loss and slope of rows of logits, in one pass."""
    classes, flat = x.shape[-1], labels.ravel()
    _check_labels(flat, classes)
    if not x.size:
        return np.zeros(labels.shape, x.dtype), x
    rows = x.reshape(-1, classes)
    count = len(rows)
    flip = classes_first(rows, 1)
    z = shifted(rows.T.copy() if flip else np.ascontiguousarray(rows), 0 if flip else 1)
    at = flat * count + np.arange(count) if flip else flat + np.arange(0, x.size, classes)
    one_by_one = z.reshape(-1)
    own = one_by_one[at]
    np.exp(z, z)
    total = np.add.reduce(z, 0) if flip else np.add.reduce(z, axis=1, keepdims=True)
    loss = np.log(total).reshape(count) - own
    loss = loss if labels.ndim == 1 else loss.reshape(labels.shape)
    if not with_slope:
        return loss, None
    z /= total
    one_by_one[at] -= 1
    return loss, (z.T if flip else z).reshape(x.shape)


def _sparse_loss_kernel(logits, labels, slope):
    return _half_aware(lambda x: _sparse_pass(x, labels, False)[0], logits)


def _sparse_slope_kernel(logits, labels):
    return _half_aware(lambda x: _sparse_pass(x, labels)[1], logits)


def _half_aware(run, x):
    return run(x) if x.dtype.kind == "f" and x.dtype.itemsize > 2 else run(
        x.astype(_F32)).astype(x.dtype)


def _add_one_hot_kernel(x, labels):
    out = np.array(x, order="C")
    rows = out.reshape(-1, x.shape[-1])
    rows[np.arange(len(rows)), labels.ravel()] += x.dtype.type(1)
    return out


def _one_hot_steps(labels, like):
    shape = shape_of(like)
    return one_hot_op(labels, depth=shape[-1], axis=len(shape) - 1,
                               on=like.dtype.np.type(1), off=like.dtype.np.type(0))


def _add_one_hot_steps(x, labels):
    return x + _one_hot_steps(labels, x)


def _sparse_slope_steps(logits, labels):
    last = len(shape_of(logits)) - 1
    return in_float32(logits, lambda x: softmax(x, axis=last) - _one_hot_steps(labels, x))


def _sparse_loss_steps(logits, labels, slope):
    """log(sum(exp(x - m))) - (x - m) at the label, which a look-up checks."""
    last = len(shape_of(logits)) - 1

    def run(x):
        m = reduce_max(x, (last,), True)
        total = reduce_sum(exp(x - m), (last,))
        own = take(x, labels, axis=last, batch_dims=last)
        return log(total) - (own - reshape(m, shape=shape_of(own)))

    return in_float32(logits, run)


_add_one_hot = define("add_one_hot", kernel=_add_one_hot_kernel, args=("x", "labels"),
                      shape=same_as(0), vjp=(lambda g, y, x, labels: g, None),
                      jvp=lambda ts, y, x, labels: ts[0], batch=_batch, dtypes="fViu",
                      check=[Case((2, 3), ints(3, (2,))), Case((2, 2, 3), ints(3, (2, 2)))],
                      lower=Expand(_add_one_hot_steps))


def _softmax_pull(g, p):
    """The gradient through softmax, with value p."""
    return p * (g - _row_sum(g * p))


def _labelled_rows(logits: Spec, labels: Spec, *rest: Spec) -> Spec:
    if logits.shape is not None and labels.shape is not None and not agree(
            logits.shape[:-1], labels.shape):
        raise ValueError(f"labels of shape {labels.shape} for logits of shape {logits.shape}")
    return _rows(logits)


_sparse_slope = define(
    "sparse_softmax_slope", kernel=_sparse_slope_kernel, shape=same_as(0),
    vjp=(lambda g, y, x, labels: _softmax_pull(g, _add_one_hot(y, labels)), None),
    jvp=lambda ts, y, x, labels: _softmax_pull(ts[0], _add_one_hot(y, labels)),
    saves="in1 out", args=("logits", "labels"), batch=_batch, dtypes="fViu", tf_name=_SPARSE,
    check=[Case((2, 3), ints(3, (2,))), Case((2, 2, 3), ints(3, (2, 2))),
           Case((40, 3), ints(3, (40,)))], lower=Expand(_sparse_slope_steps, cancels=True))
_sparse_loss = define(
    "sparse_softmax_cross_entropy", kernel=_sparse_loss_kernel, shape=_labelled_rows,
    vjp=(lambda g, y, x, labels, slope: _column(g) * slope, None, None),
    jvp=lambda ts, y, x, labels, slope: None if ts[0] is None else reduce_sum(
        ts[0] * slope, (len(shape_of(slope)) - 1,)),
    saves="in2", args=("logits", "labels", "slope"), batch=_batch, dtypes="fViu", tf_name=_SPARSE,
    check=[Case([[0.0, 0.0], [1.0, 1.0]], [0, 1], [[-0.5, 0.5], [0.5, -0.5]]),
           Case([[[2.0, 2.0, 2.0, 2.0]]], [[3]], [[[0.25, 0.25, 0.25, -0.75]]])],
    lower=Expand(_sparse_loss_steps, cancels=True))


def _quietly(run: Callable, *xs: Any) -> Any:
    """Infinite logits are no reason for NumPy to warn."""
    token = ignore_fp_errors()
    try:
        return run(*xs)
    finally:
        restore_fp_errors(token)


def _record(recorder: Any, loss_op: Any, slope_op: Any, xs: tuple, loss: Any,
            slope: Any) -> Tensor:
    """Both results of one pass as Tensors, recorded as if each op had run."""
    y, s = wrap(loss), wrap(slope)
    if xs[1]._uid:
        recorder.note(slope_op, xs, s, {})
    else:  # labels that nobody watches: a shorter note
        recorder.note2(slope_op, *xs, s)
    recorder.note(loss_op, (*xs, s), y, {})
    return y


@export("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any,
                                             name: str | None = None) -> Tensor:
    """Cross-entropy of softmax(logits) where each row belongs to the class that labels name."""
    if type(logits) is not Tensor or type(labels) is not Tensor:
        _both_given("sparse_softmax_cross_entropy_with_logits", labels, logits)
        labels, logits = operand(labels), operand(logits)
        if type(logits) is not Tensor or type(labels) is not Tensor:
            try:
                _check_sparse(shape_of(labels), shape_of(logits), labels.dtype.np)
            except errors.UnknownSize as error:
                return deferred(sparse_softmax_cross_entropy_with_logits, (labels, logits), error)
            return _sparse_loss(logits, labels, _sparse_slope(logits, labels))
    x, ids = logits._value, labels._value
    kind = ids.dtype
    if ids.shape != x.shape[:-1] or not x.shape or (kind is not _I32 and kind is not _I64):
        _check_sparse(ids.shape, x.shape, kind)
    dtype = x.dtype
    if dtype is not _F32 and dtype.kind not in FLOAT:
        raise wrong_dtype(_sparse_loss.op, x)
    recorder = state.recorder
    half = is_half(dtype)
    loss, slope = _quietly(_sparse_pass, x.astype(_F32) if half else x, ids, recorder is not None)
    if half:
        loss, slope = loss.astype(dtype), None if slope is None else slope.astype(dtype)
    if recorder is None:
        return wrap(loss)
    return _record(recorder, _sparse_loss.op, _sparse_slope.op, (logits, labels), loss, slope)


def _both_given(function: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError(f"tf.nn.{function}: both `labels` and `logits` must be given, received "
                         f"labels={labels} and logits={logits}")


def _check_sparse(labels: tuple, logits: tuple, dtype: np.dtype) -> None:
    where = "tf.nn.sparse_softmax_cross_entropy_with_logits"
    if not logits:
        raise ValueError(f"{where}: `logits` cannot be a scalar")
    if len(labels) != len(logits) - 1:
        raise ValueError(f"{where}: `labels.shape.rank` must equal `logits.shape.rank - 1`, "
                         f"received labels.shape={labels} and logits.shape={logits}")
    if any(m != n for m, n in zip(labels, logits[:-1], strict=True) if None not in (m, n)):
        raise ValueError(f"{where}: `labels.shape` must equal `logits.shape` except for the last "
                         f"dimension, received labels.shape={labels} and logits.shape={logits}")
    if dtype not in (_I32, _I64):
        raise wrong_kind(_SPARSE, "Tlabels", dtype)


# -- labels as distributions -----------------------------------------------------------------------
def _dense_pass(x, labels, with_slope: bool = True):
    """Loss and slope of rows of logits against rows of labels, in one pass."""
    if not x.size:
        return np.zeros(x.shape[:-1], x.dtype), x
    flip = classes_first(x, x.ndim - 1)
    axis = 0 if flip else x.ndim - 1
    wanted = labels.T if flip else labels
    z = shifted(x.T.copy() if flip else x, axis)
    e = np.exp(z)
    total = np.add.reduce(e, axis=axis, keepdims=True)
    z -= np.log(total)
    z *= wanted
    loss = -np.add.reduce(z, axis=axis)
    if not with_slope:
        return loss, None
    e /= total
    e -= wanted
    return loss, e.T if flip else e


def _dense_slope_steps(logits, labels):
    last = len(shape_of(logits)) - 1
    return softmax(logits, axis=last) - labels


def _dense_loss_steps(logits, labels, slope):
    last = len(shape_of(logits)) - 1
    return -reduce_sum(log_softmax(logits, axis=last) * labels, (last,))


_dense_slope = define(
    "softmax_slope", kernel=float32_kernel(lambda logits, labels: _dense_pass(logits, labels)[1]),
    shape=same_as(0), args=("logits", "labels"), saves="in1 out", batch=_batch, dtypes=FLOAT,
    vjp=(lambda g, y, x, labels: _softmax_pull(g, y + labels), lambda g, y, x, labels: -g),
    jvp=lambda ts, y, x, labels: _dense_slope_jvp(ts, y + labels), tf_name=_DENSE,
    check=[Case((2, 3), (2, 3)), Case((3,), (3,)), Case((40, 3), (40, 3))],
    lower=Expand(_dense_slope_steps, cancels=True))


def _dense_slope_jvp(ts, p):
    through = None if ts[0] is None else _softmax_pull(ts[0], p)
    if ts[1] is None:
        return through
    return -ts[1] if through is None else through - ts[1]


def _dense_jvp(ts, y, x, labels, slope):
    last = (len(shape_of(slope)) - 1,)
    total = None if ts[0] is None else reduce_sum(ts[0] * slope, last)
    if ts[1] is not None:
        other = -reduce_sum(ts[1] * log_softmax(x, axis=last[0]), last)
        total = other if total is None else total + other
    return total


_dense_loss = define(
    "softmax_cross_entropy", shape=_rows, args=("logits", "labels", "slope"), batch=_batch,
    kernel=float32_kernel(lambda logits, labels, slope: _dense_pass(logits, labels, False)[0]),
    vjp=(lambda g, y, x, labels, slope: _column(g) * slope,
         lambda g, y, x, labels, slope: -_column(g) * log_softmax(x, axis=len(shape_of(x)) - 1),
         None),
    jvp=_dense_jvp, saves="in0 in2", dtypes=FLOAT, tf_name=_DENSE,
    check=[Case([[0.0, 0.0], [1.0, 1.0]], [[0.5, 0.5], [1.0, 0.0]], [[0.0, 0.0], [-0.5, 0.5]]),
           Case([2.0, 2.0], [0.25, 0.75], [0.25, -0.25])],
    lower=Expand(_dense_loss_steps, cancels=True))


@export("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1,
                                      name: str | None = None) -> Tensor:
    """Cross-entropy of softmax(logits) along `axis` with distributions; both are differentiated.

    The gradient takes each distribution in `labels` to sum to 1. Labels broadcast.
    """
    logits, labels = operand(logits), operand(labels)
    half = logits.dtype.size == 2 and logits.dtype.is_floating
    given = logits.dtype
    if half:
        logits = cast(logits, dtype=_F32)
    if labels.dtype != logits.dtype:
        labels = cast(labels, dtype=logits.dtype.np)
    if axis != -1:
        logits, labels = _last(logits, axis), _last(labels, axis)
    shape = shape_of(logits)
    if not shape:
        raise errors.invalid(_DENSE, "logits must have >= 1 dimension, got []")
    if shape_of(labels) != shape:
        labels = _broadcast_labels(labels, shape)
    loss = _dense(logits, labels)
    return cast(loss, dtype=given.np) if half else loss


def _dense(logits: Any, labels: Any) -> Any:
    if type(logits) is not Tensor or type(labels) is not Tensor:
        return _dense_loss(logits, labels, _dense_slope(logits, labels))
    x = logits._value
    if x.dtype is not _F32 and x.dtype.kind not in FLOAT:
        raise wrong_dtype(_dense_loss.op, x)
    recorder = state.recorder
    loss, slope = _quietly(_dense_pass, x, labels._value, recorder is not None)
    if recorder is None:
        return wrap(loss)
    return _record(recorder, _dense_loss.op, _dense_slope.op, (logits, labels), loss, slope)


def _last(x: Any, axis: Any) -> Any:
    """Move the class axis to the end."""
    rank = len(shape_of(x))
    if axis in (float("inf"), float("-inf")):
        raise ValueError(f"axis must be an integer, got {axis}")
    axis = int(axis)
    if not -rank <= axis < rank:
        raise errors.invalid(_DENSE, f"axis {axis} is out of range for {rank} dimensions")
    axis %= rank
    return transpose(x, perm=(*range(axis), *range(axis + 1, rank), axis))


def _broadcast_labels(labels: Any, shape: tuple) -> Any:
    """Labels broadcast against rows of logits, both as matrices."""
    own = shape_of(labels)
    if len(own) == len(shape) and all(m == n or None in (m, n)
                                      for m, n in zip(own, shape, strict=True)):
        return labels  # the same as far as sizes are known
    if not own or any(m not in (n, 1) for m, n in zip(own[::-1], shape[::-1], strict=False)) \
            or len(own) > len(shape):
        raise errors.invalid(_DENSE, "logits and labels must be broadcastable: logits_size="
                                     f"{brackets(shape)} labels_size={brackets(own)}")
    if None in shape:
        raise errors.UnknownSize("labels that broadcast against rows of unknown sizes")
    return broadcast_to(labels, shape=shape)


# -- logistic losses -------------------------------------------------------------------------------
def _logistic_kernel(x, z):
    return np.maximum(x, 0) - x * z + np.log1p(np.exp(-np.abs(x)))


def _logistic_element(b, x, z):
    """max(x, 0) - x z + log(1 + exp(-|x|)): softplus(x) - x z."""
    return b.sub(b.function("softplus", x), b.mul(x, z))


_logistic = binary("sigmoid_cross_entropy", float32_kernel(_logistic_kernel), saves="in",
                   dtypes=FLOAT, args=("logits", "labels"), tf_name="Mul",
                   vjp=(lambda g, y, x, z: g * (sigmoid(x) - z), lambda g, y, x, z: -g * x),
                   check=Samples(-4, 4, special=[0.0, 100.0, -100.0, np.nan]),
                   lower=_logistic_element, cost=EXPENSIVE)


def _same_shape(function: str, one: str, x: Any, other: str, z: Any) -> None:
    if not x.shape.is_compatible_with(z.shape):
        raise ValueError(f"tf.nn.{function}: `{one}` and `{other}` must have the same shape, "
                         f"received ({x.shape} vs {z.shape}).")


@export("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None,
                                      name: str | None = None) -> Tensor:
    """Cross-entropy of sigmoid(logits) with `labels`, elementwise."""
    _both_given("sigmoid_cross_entropy_with_logits", labels, logits)
    x, z = operand(logits), operand(labels)
    _same_shape("sigmoid_cross_entropy_with_logits", "logits", x, "labels", z)
    return _logistic(x, z)


@export("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any,
                                       name: str | None = None) -> Tensor:
    """Cross-entropy of sigmoid(logits) with positive labels weighted by `pos_weight`."""
    x, z = operand(logits), operand(labels)
    _same_shape("weighted_cross_entropy_with_logits", "logits", x, "labels", z)
    weight = (pos_weight - 1) * z + 1
    return (1 - z) * x + weight * (log1p(exp(-abs_real(x))) + relu(-x))


# -- others ----------------------------------------------------------------------------------------
def _l2_kernel(x):
    flat = x.ravel()
    with one_thread:
        return x.dtype.type(np.dot(flat, flat) * 0.5)


_l2_loss = define("l2_loss", kernel=float32_kernel(_l2_kernel), shape=lambda x: Spec((), x.dtype),
                  vjp=(lambda g, y, x: g * x,), jvp=lambda ts, y, x: reduce_sum(ts[0] * x),
                  saves="in", batch=lambda call, size, xs, batched, attrs: _half_squares(xs[0]),
                  dtypes=FLOAT, tf_name="L2Loss", check=[Case((2, 3)), Case(())],
                  lower=Expand(lambda x: in_float32(
                      x, lambda x: reduce_sum(x * x, None) * 0.5)))


def _half_squares(x: Any) -> Any:
    return reduce_sum(x * x, tuple(range(1, len(shape_of(x))))) * 0.5


@export("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of squares."""
    return _l2_loss(operand(t))


@export("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False,
                     name: str | None = None) -> Tensor:
    """exp(log_input) - log_input · targets, with Stirling's log(targets!) if asked for."""
    c, z = operand(log_input), operand(targets)
    _same_shape("log_poisson_loss", "log_input", c, "targets", z)
    loss = exp(c) - c * z
    if not compute_full_loss:
        return loss
    stirling = z * log(z) - z + 0.5 * log(z * (2 * math.pi))
    small = logical_and(z >= 0, z <= 1)
    return loss + select(small, constant_like(z, 0), stirling)


@export("nn.compute_average_loss")
@attributes(per_example_loss=dense)
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None,
                         global_batch_size: Any = None) -> Tensor:
    """The sum of the losses (weighted if asked for) over `global_batch_size`, or their number."""
    loss = operand(per_example_loss)
    given = loss.dtype
    if not len(shape_of(loss)):
        raise ValueError("tf.nn.compute_average_loss: `per_example_loss` must have rank 1 or more, "
                         f"received {loss!r}")
    if sample_weight is not None:
        loss = _weighted(loss, operand(sample_weight))
        loss = loss if loss.dtype == given else cast(loss, dtype=given.np)
    size = operand(_length(loss) if global_batch_size is None else global_batch_size)
    if shape_of(size):
        raise ValueError(f"tf.nn.compute_average_loss: global_batch_size must be scalar, got shape "
                         f"{shape_of(size)}")
    if not size.dtype.is_integer:
        raise TypeError("tf.nn.compute_average_loss: global_batch_size must be an integer, got "
                        f"{size.dtype!r}")
    if type(size) is Tensor and size._value < 0:
        raise errors.invalid("Assert", "global_batch_size must be non-negative, got "
                                       f"{size._value}")
    total = reduce_sum(loss)
    if given.is_integer:
        wide = np.dtype("float64")
        return divide_no_nan(cast(total, dtype=wide), cast(size, dtype=wide))
    return divide_no_nan(total, cast(size, dtype=given.np))


def _length(x: Any) -> Any:
    size = shape_of(x)[0]
    return dims(x)[0] if size is None else size


def _weighted(loss: Any, weight: Any) -> Any:
    """Losses times weights in float32; weights of one rank less or more are brought in line."""
    loss = loss if loss.dtype == float32 else cast(loss, dtype=_F32)
    weight = weight if weight.dtype == float32 else cast(weight, dtype=_F32)
    shape, rank = shape_of(weight), len(shape_of(loss))
    if shape and len(shape) == rank + 1:
        weight = reshape(weight, shape=shape[:-1])
    elif shape and len(shape) == rank - 1:
        weight = reshape(weight, shape=(*shape, 1))
    return loss * weight


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of the losses, divided by the number of replicas (one)."""
    return reduce_sum(operand(regularization_loss)) / 1

