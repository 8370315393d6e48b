"""Elementwise ops on ragged tensors, with broadcasting; ops that look at flat values alone.

Where all ragged operands have the same rows, an op runs on the flat values. Otherwise `aligned`
computes the rows of the result, and for each operand the indices of its values in them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.record.samples import Case
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import CompositeTensor, wrap
from tapeflow.ops._support.arguments import joined, sizes_of
from tapeflow.ops.indexing.gathering import take
from tapeflow.ops.ragged.moving import same_kinds
from tapeflow.ops.ragged.partition import as_kind, known, partition
from tapeflow.ops.ragged.ragged_tensor import RaggedTensor, dispatcher, is_ragged, nested
from tapeflow.ops.ragged.row_partition_ops import SPLITS, lengths_kernel, splits_kernel


def _rest(op: Any, operands: list, attrs: dict) -> Any:
    """Elementwise ops need no entry in the dispatcher's table."""
    if op.kind == "elementwise" or op.traits.acts_on_flat_values:
        return elementwise(lambda *xs: op.call(*xs, **attrs), operands)
    raise dispatcher.refusal(operands)


dispatcher.rest = _rest


def elementwise(function: Any, operands: list) -> Any:
    """A function of flat values under the common rows of the operands."""
    ragged = [x for x in operands if is_ragged(x)]
    same_kinds(ragged)
    for x in operands:
        if isinstance(x, CompositeTensor) and not is_ragged(x):
            raise ValueError(f"A {type(x).__name__} and a RaggedTensor cannot be combined.")
    first = ragged[0]
    if all(not is_ragged(x) and x.ndim == 0 or is_ragged(x) and _same_rows(first, x)
           for x in operands):
        return first.with_flat_values(function(*[
            x.flat_values if is_ragged(x) else x for x in operands]))
    flat, partitions = align(operands)
    return nested(function(*flat), partitions)


def _same_rows(a: RaggedTensor, b: RaggedTensor) -> bool:
    if a is b:
        return True
    ours, theirs = a.nested_row_splits, b.nested_row_splits
    if len(ours) != len(theirs) or a.shape.rank != b.shape.rank:
        return False
    for one, other in zip(ours, theirs, strict=True):
        if one is other:
            continue
        x, y = known(one), known(other)
        if x is None or y is None or not np.array_equal(x, y):
            return False
    return True


# -- broadcasting ----------------------------------------------------------------------------------
def aligned_kernel(*operands, layout):
    """Rows of the result, one split a level, then the indices of each operand's values.

    `layout` has a tuple for each tensor with a word for each level: "one" (it is not there),
    "dense" (the next operand is its size), "ragged" (the next are its splits) or "unit" (splits of
    rows of length 1, which broadcast).
    """
    given = iter(operands)
    levels = [[(word, None if word == "one" else next(given)) for word in words]
              for words in layout]
    positions = [np.zeros(1, np.int64) for _ in layout]
    found = []
    for depth in range(len(layout[0])):
        lengths, starts, fixed = [], [], []
        for (word, what), position in zip([one[depth] for one in levels], positions, strict=True):
            if word in ("one", "dense"):
                size = 1 if word == "one" else int(what)
                lengths.append(np.full(position.shape, size))
                starts.append(position * size)
                fixed.append(size != 1)
            else:
                lengths.append(lengths_kernel(what)[position])
                starts.append(what[position])
                fixed.append(word == "ragged")
        length = next((one for one, fix in zip(lengths, fixed, strict=True) if fix),
                      np.ones(positions[0].shape, np.int64))
        for one, fix in zip(lengths, fixed, strict=True):
            if fix and not np.array_equal(one, length):
                raise errors.invalid("RaggedBroadcast", (
                    f"Unable to broadcast: dimension size mismatch in dimension {depth}. "
                    f"lengths={length.tolist()[:8]} and {one.tolist()[:8]}"))
        splits = splits_kernel(length)
        column = np.arange(splits[-1]) - np.repeat(splits[:-1], length)
        positions = [np.repeat(start, length) + (column if fix else 0)
                     for start, fix in zip(starts, fixed, strict=True)]
        if depth:
            found.append(splits)
    return (*found, *[position.astype(np.int64) for position in positions])


def _aligned_shape(*specs: Spec, layout: tuple) -> tuple:
    count = len(layout[0]) - 1 + len(layout)
    return (Spec((None,), np.dtype("int64")),) * count


aligned = define("ragged_aligned", kernel=aligned_kernel, shape=_aligned_shape, dtypes="iu",
                 args=("*operands",), batch=loop, multi=True,
                 vjp=NONDIFF("where values stand in rows are integers: they have no gradient"),
                 check=[Case(np.int64(3), SPLITS, np.int64(3), np.int64(1),
                             layout=(("dense", "ragged"), ("dense", "dense"))),
                        Case(np.int64(3), SPLITS, layout=(("dense", "ragged"), ("one", "one")))])


def align(operands: list) -> tuple[list, list]:
    """Flat values that broadcast by themselves, and the partitions they stand under."""
    ranks = [x.shape.rank for x in operands]
    rank = max(ranks)
    depth = max(rank - r + x.ragged_rank for x, r in zip(operands, ranks, strict=True)
                if is_ragged(x)) + 1
    layout, given = [], []
    for x, own in zip(operands, ranks, strict=True):
        words, sizes = _levels(x, rank - own, depth)
        layout.append(tuple(words))
        given += sizes
    found = list(aligned(*[convert(n) if isinstance(n, int) else n for n in given],
                         layout=tuple(layout)))
    levels, positions = found[:depth - 1], found[depth - 1:]
    flat = []
    for x, levelled, position in zip(operands, layout, positions, strict=True):
        values = x.flat_values if is_ragged(x) else x
        if all(word == "one" for word in levelled):
            flat.append(values)
            continue
        sizes = sizes_of(values)
        extra = depth - sum(word == "one" for word in levelled) - (x.ragged_rank if is_ragged(x)
                                                                 else 0)
        rows = reshape(values, shape=joined([-1 if None in shape_of(values)[:extra] else int(
            np.prod(shape_of(values)[:extra])), *sizes[extra:]])) if extra > 1 else values
        flat.append(take(rows, position, axis=0, batch_dims=0))
    kind = next(x.row_splits.dtype for x in operands if is_ragged(x))
    lengths = _uniform(operands, ranks, rank, depth)
    return flat, [partition(as_kind(one, kind), length)
                  for one, length in zip(levels, lengths, strict=True)]


def _levels(x: Any, missing: int, depth: int) -> tuple[list, list]:
    """The words of one operand's layout, and the operands that go with them."""
    words = ["one"] * min(missing, depth)
    given: list[Any] = []
    left = depth - len(words)
    if not left:
        return words, given
    if not is_ragged(x):
        words += ["dense"] * left
        return words, sizes_of(x)[:left]
    words.append("dense")
    given.append(x.nrows())
    for one in x._nested_row_partitions[:left - 1]:
        words.append("unit" if one.static_uniform_row_length == 1 else "ragged")
        given.append(one.row_splits())
    more = depth - len(words)
    words += ["dense"] * more
    given += sizes_of(x.flat_values)[1:1 + more]
    return words, given


def _uniform(operands: list, ranks: list, rank: int, depth: int) -> list:
    """The common length of rows at each level below the first, where it is known to be one."""
    lengths = []
    for level in range(1, depth):
        sizes = set()
        for x, own in zip(operands, ranks, strict=True):
            axis = level - (rank - own)
            if axis >= 0:
                sizes.add(x.shape[axis])
        fixed = sizes - {1}
        size = None if None in fixed or len(fixed) > 1 else next(iter(fixed), 1)
        kind = next(x.row_splits.dtype for x in operands if is_ragged(x))
        lengths.append(None if size is None else wrap(kind.np.type(size)))
    return lengths
