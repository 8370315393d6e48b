"""Calls of public functions that wait for ranks or sizes: TensorFlow's ops find these alone.

A function here takes `w`, the body that is written, and then what the public function takes, with
Refs for tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, nest
from tapeflow.tensorflow_graphs.writing.node_writer import Ref
from tapeflow.tensorflow_graphs.writing.operands import cast

_writers: dict[str, Callable] = {}


def written_call(*names: str) -> Callable[[Callable], Callable]:
    """Register a function that writes the waiting calls of public functions."""
    def register(function: Callable) -> Callable:
        _writers.update(dict.fromkeys(names, function))
        return function

    return register


def call_writer(name: str) -> Callable | None:
    """The function that writes the waiting calls of a public function."""
    return _writers.get(name)


def whole(w: Any, x: Any) -> Ref:
    """Sizes or axes as an input; some of them may be known in a run only."""
    if isinstance(x, Ref):
        return x
    if any(isinstance(one, Ref) for one in nest.flatten(x)):
        return w.Pack([cast(w, whole(w, one), dtypes.int32) for one in x])
    return w.const(np.asarray(x), dtypes.int32)


@written_call("space_to_batch", "space_to_batch_nd")
def space_to_batch(w: Any, input: Ref, block_shape: Any, paddings: Any) -> Ref:
    return w.SpaceToBatchND(input, whole(w, block_shape), whole(w, paddings))


@written_call("batch_to_space")
def batch_to_space(w: Any, input: Ref, block_shape: Any, crops: Any) -> Ref:
    blocks = [block_shape] * 2 if isinstance(block_shape, int) else block_shape
    return w.BatchToSpaceND(input, whole(w, blocks), whole(w, crops))


@written_call("space_to_depth")
def space_to_depth(w: Any, input: Ref, block_size: int, data_format: str = "NHWC") -> Ref:
    return w.SpaceToDepth(input, block_size=block_size, data_format=data_format)


@written_call("depth_to_space")
def depth_to_space(w: Any, input: Ref, block_size: int, data_format: str = "NHWC") -> Ref:
    return w.DepthToSpace(input, block_size=block_size, data_format=data_format)


@written_call("transpose")
def transpose(w: Any, a: Ref, perm: Any = None, conjugate: bool = False) -> Ref:
    if perm is None:
        one, zero = w.const(np.int32(1)), w.const(np.int32(0))
        rank = w.Rank(a)
        perm = w.Sub(w.Sub(rank, one), w.Range(zero, rank, one))
    perm = whole(w, perm)
    return w.ConjugateTranspose(a, perm) if conjugate and a.dtype.is_complex else (
        w.Transpose(a, perm))


@written_call("expand_dims")
def expand_dims(w: Any, input: Ref, axis: Any) -> Ref:
    return w.ExpandDims(input, whole(w, axis))


@written_call("squeeze")
def squeeze(w: Any, input: Ref, axis: Any = None) -> Ref:
    axes = [] if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return w.Squeeze(input, squeeze_dims=axes)


@written_call("concat")
def concat(w: Any, values: list, axis: Any) -> Ref:
    return w.ConcatV2(list(values), whole(w, axis))


# Reductions along axes that a run brings.
for _record, _op in (("reduce_sum", "Sum"), ("reduce_mean", "Mean"), ("reduce_max", "Max"),
                     ("reduce_min", "Min"), ("reduce_prod", "Prod"), ("reduce_any", "Any"),
                     ("reduce_all", "All"), ("reduce_euclidean_norm", "EuclideanNorm")):
    written_call(_record)(lambda w, x, axis, keepdims, op=_op: w.emit(
        op, [x, whole(w, axis)], {"keep_dims": bool(keepdims)}))


@written_call("softmax", "_public_softmax")
def softmax(w: Any, logits: Ref, axis: Any = None) -> Ref:
    return w.Softmax(_last(logits, axis))


@written_call("log_softmax", "_public_log_softmax")
def log_softmax(w: Any, logits: Ref, axis: Any = None) -> Ref:
    return w.LogSoftmax(_last(logits, axis))


def _last(logits: Ref, axis: Any) -> Ref:
    """TensorFlow's op works along the last axis."""
    if axis not in (None, -1):
        raise NotImplementedError("a softmax along another axis than the last, of a tensor of "
                                  "unknown rank")
    return logits


@written_call("confusion_matrix")
def confusion_matrix(w: Any, labels: Any, predictions: Any, num_classes: Any = None,
                     weights: Any = None, dtype: Any = dtypes.int32) -> Ref:
    pairs = [cast(w, w.Reshape(one, [-1]), dtypes.int64) for one in (labels, predictions)]
    one, first = w.const(1, dtypes.int64), w.const([0], dtypes.int32)
    if num_classes is None:
        num_classes = w.AddV2(w.Maximum(*[w.Max(row, first) for row in pairs]), one)
    count = cast(w, whole(w, num_classes), dtypes.int64)
    kind = dtypes.as_dtype(dtype)
    seen = w.Fill(w.Shape(pairs[0]), w.const(1, kind)) if weights is None else cast(
        w, weights, kind)
    return w.ScatterNd(w.Pack(pairs, axis=1), seen, w.Pack([count, count]))
