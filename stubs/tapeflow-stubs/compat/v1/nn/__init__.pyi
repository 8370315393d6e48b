# Written by tools/stubs.py (make stubs).
"""tf.compat.v1.nn"""

from typing import Any

import tapeflow as tf
from tapeflow._typing import DTypeLike, FloatLike, IntLike, ShapeLike, TensorLike

def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: TensorLike, sequence_length: Any = None,
    initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: DTypeLike | None = None,
    parallel_iterations: IntLike | None = None, swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> tuple:
    """The outputs and last states of two cells, of which the second reads backwards."""

def ctc_loss(
    labels: TensorLike, inputs: TensorLike | None = None, sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, time_major: bool = True,
    logits: TensorLike | None = None,
) -> tf.Tensor:
    """`tf.nn.ctc_loss` of sparse labels; the last class is the blank one."""

def dropout(
    x: TensorLike, keep_prob: Any = None, noise_shape: ShapeLike = None,
    seed: IntLike | None = None, name: str | None = None, rate: Any = None,
) -> tf.Tensor:
    """`tf.nn.dropout`; the second argument is the part that is kept."""

def dynamic_rnn(
    cell: Any, inputs: TensorLike, sequence_length: Any = None, initial_state: Any = None,
    dtype: DTypeLike | None = None, parallel_iterations: IntLike | None = None,
    swap_memory: bool = False, time_major: bool = False, scope: Any = None,
) -> tuple:
    """Outputs of all steps, stacked, and the last state; the steps are a loop."""

def embedding_lookup_sparse(
    params: TensorLike, sp_ids: Any, sp_weights: Any, partition_strategy: str = 'mod',
    name: str | None = None, combiner: str | None = None, max_norm: FloatLike | None = None,
    allow_fast_lookup: bool = False,
) -> tf.Tensor:
    """`tf.nn.embedding_lookup_sparse`; of a table in several parts only by `"div"`."""

def fused_batch_norm(
    x: TensorLike, scale: Any, offset: Any, mean: Any = None, variance: Any = None,
    epsilon: FloatLike = 0.001, data_format: str = 'NHWC', is_training: bool = True,
    name: str | None = None, exponential_avg_factor: FloatLike = 1.0,
) -> tuple:
    """Batch normalisation: the result, and running moments."""

def nce_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike,
    num_sampled: IntLike, num_classes: IntLike, num_true: IntLike = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = False,
    partition_strategy: str = 'mod', name: str = 'nce_loss',
) -> tf.Tensor:
    """`tf.nn.nce_loss`; of a table in several parts only by `"div"`."""

def relu_layer(
    x: TensorLike, weights: TensorLike, biases: Any, name: str | None = None,
) -> tf.Tensor:
    """relu(x @ weights + biases)"""

def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = 'mean',
    default_id: Any = None, name: str | None = None, partition_strategy: str = 'div',
    max_norm: FloatLike | None = None, allow_fast_lookup: bool = False,
) -> tf.Tensor:
    """`tf.nn.safe_embedding_lookup_sparse`; of a table in several parts only by `"div"`."""

def sampled_softmax_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike,
    num_sampled: IntLike, num_classes: IntLike, num_true: IntLike = 1,
    sampled_values: Any = None, remove_accidental_hits: bool = True,
    partition_strategy: str = 'mod', name: str = 'sampled_softmax_loss', seed: Any = None,
) -> tf.Tensor:
    """`tf.nn.sampled_softmax_loss`; of a table in several parts only by `"div"`."""

def softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorLike | None = None, logits: TensorLike | None = None,
    dim: IntLike = -1, name: str | None = None, axis: IntLike | None = None,
) -> tf.Tensor:
    """The cross entropy of distributions and logits; labels get no gradient."""

def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: TensorLike | None = None, logits: TensorLike | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """The cross entropy of classes and logits."""

def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: TensorLike, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: DTypeLike | None = None, sequence_length: Any = None,
    scope: Any = None,
) -> tuple:
    """Outputs of a list of steps, each of both cells side by side, and the two last states."""

def static_rnn(
    cell: Any, inputs: TensorLike, initial_state: Any = None, dtype: DTypeLike | None = None,
    sequence_length: Any = None, scope: Any = None,
) -> tuple:
    """The outputs of a list of steps, as a list, and the last state."""

def xw_plus_b(
    x: TensorLike, weights: TensorLike, biases: Any, name: str | None = None,
) -> tf.Tensor:
    """x @ weights + biases"""
