"""Functions of tf.compat.v1.nn whose arguments mean something else than TensorFlow 2's.

Loaded when one of their names is asked for.
"""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.core.values.tensor import Tensor


@export("compat.v1.nn.fused_batch_norm")
def fused_batch_norm(x: Any, scale: Any, offset: Any, mean: Any = None, variance: Any = None,
                     epsilon: float = 0.001, data_format: str = "NHWC", is_training: bool = True,
                     name: str | None = None, exponential_avg_factor: float = 1.0) -> tuple:
    """Batch normalisation: the result, and running moments."""
    none = tf.constant([], tf.float32)
    parts = tf.raw_ops.FusedBatchNormV3(
        x=x, scale=scale, offset=offset, mean=none if mean is None else mean,
        variance=none if variance is None else variance, epsilon=max(epsilon, 1.001e-5),
        exponential_avg_factor=exponential_avg_factor, data_format=data_format,
        is_training=is_training)
    return parts[:3]


@export("compat.v1.nn.dropout")
def dropout(x: Any, keep_prob: Any = None, noise_shape: Any = None, seed: int | None = None,
            name: str | None = None, rate: Any = None) -> Tensor:
    """`tf.nn.dropout`; the second argument is the part that is kept."""
    if keep_prob is not None:
        if rate is not None:
            raise ValueError("Cannot specify both 'keep_prob' and 'rate'.")
        try:
            rate = 1.0 - keep_prob
        except TypeError:
            raise ValueError("`keep_prob` must be a floating point number or Tensor. Received: "
                             f"keep_prob={keep_prob}") from None
    if rate is None:
        raise ValueError(f"`rate` must be provided. Received: rate={rate}")
    return tf.nn.dropout(x, rate, noise_shape=noise_shape, seed=seed, name=name)


@export("compat.v1.nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(
        _sentinel: Any = None, labels: Any = None, logits: Any = None, dim: int = -1,
        name: str | None = None, axis: int | None = None) -> Tensor:
    """The cross entropy of distributions and logits; labels get no gradient."""
    _by_name("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    if axis is not None and dim != -1:
        raise ValueError("Cannot specify both 'dim' and 'axis'.")
    return tf.nn.softmax_cross_entropy_with_logits(
        tf.stop_gradient(tf.convert_to_tensor(labels)), logits, dim if axis is None else axis, name)


@export("compat.v1.nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(
        _sentinel: Any = None, labels: Any = None, logits: Any = None,
        name: str | None = None) -> Tensor:
    """The cross entropy of classes and logits."""
    _by_name("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits, name)


def _by_name(function: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(f"Only call `{function}` with named arguments (labels=..., logits=..., "
                         "...)")
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided for function "
                         f"{function}. Received: labels={labels} and logits={logits}")


@export("compat.v1.nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
        params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod",
        name: str | None = None, combiner: str | None = None, max_norm: float | None = None,
        allow_fast_lookup: bool = False) -> Tensor:
    """`tf.nn.embedding_lookup_sparse`; of a table in several parts only by `"div"`."""
    if isinstance(params, (list, tuple)) and len(params) > 1 and partition_strategy != "div":
        raise NotImplementedError("tapeflow looks up parts of a table only by "
                                  f"partition_strategy='div', not {partition_strategy!r}.")
    return tf.nn.embedding_lookup_sparse(params, sp_ids, sp_weights, combiner or "mean", max_norm,
                                         name, allow_fast_lookup)
