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


def _in_one_part(function: str, weights: Any, strategy: str) -> None:
    if isinstance(weights, (list, tuple)) and len(weights) > 1 and strategy != "div":
        raise NotImplementedError(f"tf.compat.v1.nn.{function}: tapeflow looks up parts of a table "
                                  f"only by partition_strategy='div', not {strategy!r}.")


@export("compat.v1.nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
        params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod",
        name: str | None = None, combiner: str | None = None, max_norm: float | None = None,
        allow_fast_lookup: bool = False) -> Tensor:
    """`tf.nn.embedding_lookup_sparse`; of a table in several parts only by `"div"`."""
    _in_one_part("embedding_lookup_sparse", params, partition_strategy)
    return tf.nn.embedding_lookup_sparse(params, sp_ids, sp_weights, combiner or "mean", max_norm,
                                         name, allow_fast_lookup)


# -- layers and losses -----------------------------------------------------------------------------
@export("compat.v1.nn.xw_plus_b")
def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """x @ weights + biases"""
    with tf.name_scope(name or "xw_plus_b") as scope:
        return tf.nn.bias_add(tf.matmul(x, weights), biases, name=scope)


@export("compat.v1.nn.relu_layer")
def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """relu(x @ weights + biases)"""
    with tf.name_scope(name or "relu_layer") as scope:
        return tf.nn.relu(tf.nn.bias_add(tf.matmul(x, weights), biases), name=scope)


@export("compat.v1.nn.ctc_loss")
def ctc_loss(labels: Any, inputs: Any = None, sequence_length: Any = None,
             preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
             ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
             logits: Any = None) -> Tensor:
    """`tf.nn.ctc_loss` of sparse labels; the last class is the blank one."""
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise NotImplementedError("tf.compat.v1.nn.ctc_loss: labels are taken as they are, and "
                                  "repeated outputs are merged.")
    if not isinstance(labels, tf.SparseTensor):
        raise TypeError("Expected argument `labels` to be a SparseTensor. Received labels="
                        f"{labels} of type: {type(labels).__name__}")
    found = tf.convert_to_tensor(inputs if logits is None else logits)
    return tf.nn.ctc_loss(labels, found, None, sequence_length, logits_time_major=time_major,
                          blank_index=-1)


@export("compat.v1.nn.nce_loss")
def nce_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
             num_classes: int, num_true: int = 1, sampled_values: Any = None,
             remove_accidental_hits: bool = False, partition_strategy: str = "mod",
             name: str = "nce_loss") -> Tensor:
    """`tf.nn.nce_loss`; of a table in several parts only by `"div"`."""
    _in_one_part("nce_loss", weights, partition_strategy)
    return tf.nn.nce_loss(weights, biases, labels, inputs, num_sampled, num_classes, num_true,
                          sampled_values, remove_accidental_hits, name)


@export("compat.v1.nn.sampled_softmax_loss")
def sampled_softmax_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
                         num_classes: int, num_true: int = 1, sampled_values: Any = None,
                         remove_accidental_hits: bool = True, partition_strategy: str = "mod",
                         name: str = "sampled_softmax_loss", seed: Any = None) -> Tensor:
    """`tf.nn.sampled_softmax_loss`; of a table in several parts only by `"div"`."""
    _in_one_part("sampled_softmax_loss", weights, partition_strategy)
    return tf.nn.sampled_softmax_loss(weights, biases, labels, inputs, num_sampled, num_classes,
                                      num_true, sampled_values, remove_accidental_hits, seed, name)


@export("compat.v1.nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
        embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None,
        combiner: str = "mean", default_id: Any = None, name: str | None = None,
        partition_strategy: str = "div", max_norm: float | None = None,
        allow_fast_lookup: bool = False) -> Tensor:
    """`tf.nn.safe_embedding_lookup_sparse`; of a table in several parts only by `"div"`."""
    _in_one_part("safe_embedding_lookup_sparse", embedding_weights, partition_strategy)
    return tf.nn.safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights,
                                              combiner, default_id, max_norm, name)
