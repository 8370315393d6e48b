"""tf.nn.sampled_softmax_loss, nce_loss and compute_accidental_hits: losses over drawn classes.

Loaded when one of its public names is used.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import whole
from tapeflow.base.exports import export
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.elementwise_ops import stop_gradient
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import cast, concat, reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.state import state
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import brackets
from tapeflow.ops.array.creation import ones_like, zeros_like
from tapeflow.ops.array.shaping import expand_dims
from tapeflow.ops.indexing.embedding_lookup import embedding_lookup
from tapeflow.ops.linalg.matmul import matmul
from tapeflow.ops.math.comparison import equal
from tapeflow.ops.math.exponential import log
from tapeflow.ops.nn.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
)
from tapeflow.ops.random.samplers.candidates import log_uniform_candidate_sampler
from tapeflow.ops.random.streams import seeds
from tapeflow.ops.reduce.reduction import reduce_sum

_NEVER = -np.finfo(np.float32).max  # added to the logit of a drawn class that is a true one


# -- accidental hits -------------------------------------------------------------------------------
Hits = namedtuple("ComputeAccidentalHits",  # type: ignore[name-match]
                  ("indices", "ids", "weights"))


def _hits_kernel(true, sampled):
    hits = np.argwhere(true[:, :, None] == sampled)
    order = np.lexsort((hits[:, 2], hits[:, 1], hits[:, 0]))
    rows, columns = hits[order, 0], hits[order, 2]
    return (rows.astype(np.int32), columns.astype(np.int64),
            np.full(len(rows), _NEVER, np.float32))


def _hits_batch(call, size, xs, batched, attrs):
    raise ValueError("tf.nn.compute_accidental_hits: the results would have different sizes for "
                     "the elements of a batch, which tf.vectorized_map cannot hold.")


_hits = define("compute_accidental_hits", kernel=_hits_kernel, multi=True, dtypes="i",
               args=("true_classes", "sampled_candidates"), batch=_hits_batch,
               shape=lambda true, sampled: (Spec((None,), np.dtype("int32")),
                                            Spec((None,), np.dtype("int64")),
                                            Spec((None,), np.dtype("float32"))),
               vjp=NONDIFF("which drawn classes are true ones: integers"),
               check=[Case(np.array([[1, 2], [3, 1]]), np.array([1, 3, 5]))])


@export("nn.compute_accidental_hits")
def compute_accidental_hits(true_classes: Any, sampled_candidates: Any, num_true: int,
                            seed: Any = None, name: str | None = None) -> Hits:
    """Which drawn classes are true ones: rows, positions among the drawn, and weights -max."""
    true, sampled = operand(true_classes, dtypes.int64), operand(sampled_candidates, dtypes.int64)
    shape = shape_of(true)
    if len(shape) != 2 or shape[1] not in (None, num_true):
        raise errors.invalid("ComputeAccidentalHits", (
            f"true_classes must be a matrix with {num_true} columns, got {brackets(shape)}"))
    if len(shape_of(sampled)) != 1:
        raise errors.invalid("ComputeAccidentalHits", (
            f"sampled_candidates must be a vector, got {brackets(shape_of(sampled))}"))
    _take_seed(seed)
    return Hits(*_hits(true, sampled))


def _take_seed(seed: Any) -> None:
    """The op has seeds that it never uses; taking them, as TensorFlow does, keeps later draws."""
    if state.trace is None:
        seeds.get_seed(seed)
    elif seed is not None:
        whole("seed", seed)


# -- losses ----------------------------------------------------------------------------------------
def _sampled_logits(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
                    num_classes: int, num_true: int, sampled_values: Any, subtract_log_q: bool,
                    remove_accidental_hits: bool, seed: Any) -> tuple:
    """Logits of true and drawn classes, and their labels."""
    if operand(num_sampled).dtype != dtypes.int32:
        raise errors.invalid("ConcatV2", "cannot compute ConcatV2 as num_sampled was expected to "
                             f"be an int32, but is a {operand(num_sampled).dtype.name}")
    labels = operand(labels, dtypes.int64)
    flat = reshape(labels, shape=(-1,))
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            labels, num_true, num_sampled, unique=True, range_max=num_classes, seed=seed)
    sampled, true_expected, sampled_expected = (
        stop_gradient(operand(one)) for one in sampled_values)
    count = shape_of(flat)[0]
    ids = concat(flat, operand(sampled, dtypes.int64), axis=0)

    def looked_up(table: Any) -> tuple[Tensor, Tensor]:
        rows = embedding_lookup(table, ids)
        return rows[:count], rows[count:]

    inputs = operand(inputs)
    true_w, sampled_w = looked_up(weights)
    true_b, sampled_b = looked_up(biases)
    rows = (-1, num_true, shape_of(true_w)[1])
    products = expand_dims(inputs, 1) * reshape(true_w, shape=rows)
    true_logits = reduce_sum(products, axis=(2,), keepdims=False)
    true_logits = true_logits + reshape(true_b, shape=(-1, num_true))
    sampled_logits = matmul(inputs, sampled_w, transpose_b=True) + sampled_b
    if remove_accidental_hits:
        _take_seed(None)
        sampled_logits = sampled_logits + _never_hit(labels, sampled, inputs.dtype)
    if subtract_log_q:
        true_logits = true_logits - log(true_expected)
        sampled_logits = sampled_logits - log(sampled_expected)
    logits = concat(true_logits, sampled_logits, axis=1)
    wanted = concat(ones_like(true_logits) / num_true, zeros_like(sampled_logits), axis=1)
    return logits, wanted


def _never_hit(labels: Tensor, sampled: Tensor, dtype: Any) -> Tensor:
    """What keeps drawn classes out that are true ones of their row: -max there, else 0."""
    same = equal(expand_dims(labels, 2), operand(sampled, dtypes.int64))
    hits = reduce_sum(cast(same, dtype=dtype.np), axis=(1,), keepdims=False)
    return hits * _NEVER


@export("nn.sampled_softmax_loss")
@deferrable
def sampled_softmax_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
                         num_classes: int, num_true: int = 1, sampled_values: Any = None,
                         remove_accidental_hits: bool = True, seed: Any = None,
                         name: str = "sampled_softmax_loss") -> Tensor:
    """Softmax cross-entropy over the true classes and some drawn ones; for training only."""
    logits, wanted = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, seed)
    return softmax_cross_entropy_with_logits(stop_gradient(wanted), logits)


@export("nn.nce_loss")
@deferrable
def nce_loss(weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int,
             num_classes: int, num_true: int = 1, sampled_values: Any = None,
             remove_accidental_hits: bool = False, name: str = "nce_loss") -> Tensor:
    """Noise-contrastive loss: each true class against the drawn ones, by sigmoids."""
    logits, wanted = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, None)
    losses = sigmoid_cross_entropy_with_logits(wanted, logits)
    return reduce_sum(losses, axis=(1,), keepdims=False)
