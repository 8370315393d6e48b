"""tf.nn.ctc_greedy_decoder and ctc_beam_search_decoder: label sequences from time steps of logits.

Results are sparse matrices of labels, one row for each sequence, and a score for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, small
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import wrong_kind
from tapeflow.ops.sparse.sets import listed
from tapeflow.ops.sparse.sparse_tensor import sparse

_INT64 = np.dtype("int64")
_NO_GRADIENT = NONDIFF("decoded labels are discrete: they have no gradient")
_NOTHING = -np.inf


def _check_lengths(lengths: np.ndarray, steps: int, op: str) -> None:
    for i, length in enumerate(lengths.tolist()):
        if length > steps:
            raise errors.FailedPreconditionError(None, None, (
                f"sequence_length({i}) <= {steps} [Op:{op}]"))


def _as_matrix(rows: list[list[int]]) -> tuple:
    return listed({(i,): row for i, row in enumerate(rows)}, (len(rows),), _INT64)


def _matrix_shape() -> tuple:
    return Spec((None, 2), _INT64), Spec((None,), _INT64), Spec((2,), _INT64)


# -- greedy ----------------------------------------------------------------------------------------
def _greedy_kernel(logits, lengths, merge, blank):
    """The best class of each time step, without blanks and perhaps without repeats."""
    _check_lengths(lengths, logits.shape[0], "CTCGreedyDecoder")
    best, top = logits.argmax(axis=2), logits.max(axis=2)
    rows, scores = [], []
    for i, length in enumerate(lengths.tolist()):
        row, before = [], -1
        for label in best[:length, i].tolist():
            if label != blank and not (merge and label == before):
                row.append(label)
            before = label
        rows.append(row)
        scores.append([-top[:length, i].sum(dtype=logits.dtype)])
    return (*_as_matrix(rows), np.array(scores, logits.dtype).reshape(len(rows), 1))


_LOGITS = np.log(np.array([[[.6, .3, .1], [.2, .3, .5]], [[.1, .8, .1], [.2, .7, .1]]]))
_greedy = define("ctc_greedy_decoder", kernel=_greedy_kernel, dtypes="fi", multi=True, batch=loop,
                 args=("logits", "lengths"), vjp=_NO_GRADIENT, tf_name="CTCGreedyDecoder",
                 shape=lambda logits, lengths, merge, blank: (*_matrix_shape(), Spec(
                     (None if logits.shape is None else logits.shape[1], 1), logits.dtype)),
                 check=[Case(_LOGITS, np.array([2, 1], np.int32), merge=True, blank=2)])


def _arguments(inputs: Any, sequence_length: Any, op: str) -> tuple:
    logits = operand(inputs)
    if logits.dtype not in (dtypes.float32, dtypes.float64):
        raise wrong_kind(op, "T", logits.dtype, "float, double")
    lengths = operand(sequence_length, dtypes.int32 if not isinstance(sequence_length, Tensor)
                      else None)
    if lengths.dtype != dtypes.int32:
        raise errors.invalid(op, f"sequence_length must be int32, got {lengths.dtype.name}")
    if len(shape_of(logits)) != 3:
        raise errors.invalid(op, f"inputs is not a 3-Tensor: its shape is {logits.shape}")
    own, rows = shape_of(lengths)[0], shape_of(logits)[1]
    if None not in (own, rows) and own != rows:
        raise errors.FailedPreconditionError(None, None, (
            f"len(sequence_length) != batch_size.  len(sequence_length):  {own} batch_size: {rows} "
            f"[Op:{op}]"))
    return logits, lengths


@export("nn.ctc_greedy_decoder")
@deferrable
@attributes(merge_repeated=flag, blank_index=small)
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True,
                       blank_index: int | None = None) -> tuple:
    """([labels], minus the sum of the logits chosen): the best class of each time step."""
    logits, lengths = _arguments(inputs, sequence_length, "CTCGreedyDecoder")
    classes = shape_of(logits)[2]
    blank = classes - 1 if blank_index is None else small("blank_index", blank_index)
    if not -classes <= blank < classes:
        raise errors.invalid("CTCGreedyDecoder", f"blank_index expected to be between {-classes} "
                                                 f"and {classes - 1} but was {blank}")
    blank %= classes
    *parts, scores = _greedy(logits, lengths, merge=bool(merge_repeated), blank=blank)
    return [sparse(*parts)], scores


# -- beam search -----------------------------------------------------------------------------------
def _add(a: float, b: float) -> float:
    """log(eᵃ + eᵇ)"""
    if a == _NOTHING:
        return b
    if b == _NOTHING:
        return a
    top, low = (a, b) if a > b else (b, a)
    return top + float(np.log1p(np.exp(low - top)))


class Prefix:
    """A sequence of labels: log probabilities that it ends in a blank, in its label, in either."""

    __slots__ = ("blank", "children", "ends", "label", "old_blank", "old_total", "parent", "total")

    def __init__(self, parent: Prefix | None, label: int):
        self.parent, self.label = parent, label
        self.children: dict[int, Prefix] = {}
        self.blank = self.ends = self.total = _NOTHING
        self.old_blank = self.old_total = _NOTHING

    def clear(self) -> None:
        self.blank = self.ends = self.total = _NOTHING

    def labels(self) -> list[int]:
        found, one = [], self
        while one.parent is not None:
            found.append(one.label)
            one = one.parent
        return found[::-1]


def _before(prefix: Prefix, label: int) -> float:
    """What a prefix has when another label follows: a repeat needs a blank between."""
    return prefix.old_blank if prefix.label == label else prefix.old_total


def _step(leaves: list[Prefix], logs: list[float], blank: int, width: int) -> list[Prefix]:
    branches = sorted(leaves, key=lambda one: -one.total)
    for one in branches:
        one.old_blank, one.old_total = one.blank, one.total
    for one in branches:
        if one.parent is not None:
            if one.parent.total != _NOTHING:
                one.ends = _add(one.ends, _before(one.parent, one.label))
            one.ends += logs[one.label]
        one.blank = one.old_total + logs[blank]
        one.total = _add(one.blank, one.ends)
    kept = list(branches)
    for one in branches:
        if one.old_total == _NOTHING or len(kept) >= width and (
                one.old_total <= min(leaf.total for leaf in kept)):
            continue
        for label in range(len(logs)):
            if label != blank:
                _extend(kept, one, label, logs[label], width)
    return kept


def _extend(kept: list[Prefix], branch: Prefix, label: int, log: float, width: int) -> None:
    child = branch.children.get(label)
    if child is None:
        child = branch.children[label] = Prefix(branch, label)
    if child.total != _NOTHING:
        return
    child.blank, child.ends = _NOTHING, _before(branch, label) + log
    child.total = child.ends
    if child.total == _NOTHING:
        return
    if len(kept) < width:
        kept.append(child)
        return
    worst = min(kept, key=lambda leaf: leaf.total)
    if child.total > worst.total:
        kept.remove(worst)
        worst.clear()
        kept.append(child)
    else:  # and if it was a branch of this step, it is not extended either
        child.clear()
        child.old_blank = child.old_total = _NOTHING


def beam_search(logs: np.ndarray, blank: int, width: int, paths: int) -> list[tuple[list, float]]:
    """The likeliest label sequences of time steps of log probabilities."""
    root = Prefix(None, -1)
    root.blank = root.total = 0.0
    leaves = [root]
    for step in logs.tolist():
        leaves = _step(leaves, step, blank, width)
    best = sorted(leaves, key=lambda one: -one.total)[:paths]
    return [(one.labels(), one.total) for one in best]


def _beam_kernel(logits, lengths, width, paths):
    _check_lengths(lengths, logits.shape[0], "CTCBeamSearchDecoder")
    wide = logits.astype(np.float64)
    top = wide.max(axis=2, keepdims=True)
    logs = wide - top - np.log(np.exp(wide - top).sum(axis=2, keepdims=True))
    rows: list[list[list[int]]] = [[] for _ in range(paths)]
    scores = np.zeros((logits.shape[1], paths), logits.dtype)
    for i, length in enumerate(lengths.tolist()):
        found = beam_search(logs[:length, i], logits.shape[2] - 1, width, paths)
        if len(found) < paths:
            raise errors.invalid("CTCBeamSearchDecoder", "Less leaves in the beam search than "
                                                         "requested.")
        for path, (labels, score) in enumerate(found):
            rows[path].append(labels)
            scores[i, path] = score
    return (*[part for one in rows for part in _as_matrix(one)], scores)


_beam = define("ctc_beam_search_decoder", kernel=_beam_kernel, dtypes="fi", multi=True, batch=loop,
               args=("logits", "lengths"), vjp=_NO_GRADIENT, tf_name="CTCBeamSearchDecoder",
               shape=lambda logits, lengths, width, paths: (*(_matrix_shape() * paths), Spec(
                   (None if logits.shape is None else logits.shape[1], paths), logits.dtype)),
               check=[Case(_LOGITS, np.array([2, 1], np.int32), width=4, paths=2)])


@export("nn.ctc_beam_search_decoder")
@attributes(beam_width=small, top_paths=small)
def ctc_beam_search_decoder(inputs: Any, sequence_length: Any, beam_width: int = 100,
                            top_paths: int = 1) -> tuple:
    """([labels of each path], log probabilities): the likeliest sequences; the last class is blank.
    """
    logits, lengths = _arguments(inputs, sequence_length, "CTCBeamSearchDecoder")
    if top_paths < 1:
        raise errors.invalid("CTCBeamSearchDecoder", f"Value for attr 'top_paths' of {top_paths} "
                                                     "must be at least minimum 1")
    if top_paths > beam_width:
        raise errors.invalid("CTCBeamSearchDecoder", "requested more paths than the beam width.")
    *parts, scores = _beam(logits, lengths, width=int(beam_width), paths=int(top_paths))
    return [sparse(*parts[i:i + 3]) for i in range(0, len(parts), 3)], scores


# -- labels ----------------------------------------------------------------------------------------
def _collapsed_kernel(labels, lengths):
    """Runs of equal labels as one label, padded with 0; the new lengths."""
    kept = np.ones(labels.shape, bool)
    kept[:, 1:] = labels[:, 1:] != labels[:, :-1]
    kept &= np.arange(labels.shape[1]) < lengths[:, None]
    counts = kept.sum(axis=1)
    found = np.zeros((len(labels), int(counts.max(initial=0))), labels.dtype)
    found[np.arange(found.shape[1]) < counts[:, None]] = labels[kept]
    return found, counts.astype(lengths.dtype)


_collapsed = define("collapse_repeated", kernel=_collapsed_kernel, dtypes="iu", batch=loop,
                    args=("labels", "lengths"), vjp=_NO_GRADIENT, multi=True,
                    shape=lambda labels, lengths: (
                        Spec((None if labels.shape is None else labels.shape[0], None),
                             labels.dtype), lengths),
                    check=[Case(np.array([[1, 1, 2], [3, 4, 4]], np.int32),
                                np.array([3, 2], np.int32))])


@export("nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple:
    """(labels with each run of equal ones as one, padded with 0; their new lengths)."""
    return tuple(_collapsed(operand(labels), operand(seq_length)))


def _distinct_kernel(labels):
    """The distinct labels of each row in order of appearance, padded with 0; which each is."""
    found, indices = np.zeros(labels.shape, np.int64), np.zeros(labels.shape, np.int32)
    for row, own, index in zip(labels.tolist(), found, indices, strict=True):
        index_of: dict[int, int] = {}
        index[:] = [index_of.setdefault(label, len(index_of)) for label in row]
        own[:len(index_of)] = list(index_of)
    return found, indices


_distinct = define("ctc_unique_labels", kernel=_distinct_kernel, dtypes="iu", args=("labels",),
                   vjp=_NO_GRADIENT, batch=loop, multi=True,
                   shape=lambda labels: (Spec(labels.shape, _INT64),
                                         Spec(labels.shape, np.dtype("int32"))),
                   check=[Case(np.array([[1, 2, 1], [3, 3, 3]], np.int32))])


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> list:
    """[distinct labels of each row, padded with 0; for each label its index among them]."""
    x = operand(labels)
    if len(shape_of(x)) != 2:
        raise ValueError(f"tf.nn.ctc_unique_labels: labels must be a matrix, got {x.shape}")
    return list(_distinct(x))
