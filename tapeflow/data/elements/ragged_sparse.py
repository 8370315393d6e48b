"""Ragged and sparse tensors as components of elements: their rows, and batches of them.

Composites of users come here too: every tensor that they are made of is stacked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.late import LatePublic
from tapeflow.base.specs import TensorSpec, batched, unbatched
from tapeflow.core import state as states
from tapeflow.core.values.tensor import wrap
from tapeflow.data.elements.stacking import stack
from tapeflow.data.elements.structure import NoneTensorSpec, Structure, elements_in, sizes
from tapeflow.ops.ragged.ragged_tensor import RaggedTensorSpec
from tapeflow.ops.sparse.sparse_tensor import SparseTensorSpec

_ragged_stack = LatePublic("ragged.stack")


def batched_spec(spec: Any, size: int | None, where: str) -> Any:
    """The description of several such values as one."""
    known = None if getattr(spec, "shape", None) is None else sizes(spec.shape)
    shape = None if known is None else (size, *known)
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        return SparseTensorSpec(shape, spec.dtype)
    found = batched(spec, size)
    if found is None:
        raise TypeError(f"Dataset.{where}: elements of {spec!r} cannot be batched.")
    return found


def element_spec_of(spec: Any, where: str) -> Any:
    """The description of one row of such a value."""
    known = None if getattr(spec, "shape", None) is None else sizes(spec.shape)
    shape = None if known is None else known[1:]
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, max(spec.ragged_rank - 1, 0),
                                spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        if shape == () and where == "from_tensor_slices":
            raise errors.invalid("SerializeManySparse", "Rank of input SparseTensor should be > 1, "
                                                        "but saw rank: 1")
        return SparseTensorSpec(shape, spec.dtype)
    found = unbatched(spec)
    if found is None:
        raise TypeError(f"Dataset.{where}: elements of {spec!r} cannot be split into rows.")
    return found


def _parts(structure: Structure, values: list) -> list[list]:
    """The flat values, leaf by leaf."""
    found = iter(values)
    return [[next(found) for _ in parts] for parts in structure.components]


def _value(spec: Any, parts: list) -> Any:
    return spec._from_components([wrap(one) for one in parts])


def batch_size_of(structure: Structure, values: list) -> int:
    """How many rows the leaves have."""
    for spec, parts in zip(structure.leaves, _parts(structure, values), strict=True):
        if isinstance(spec, TensorSpec):
            return len(parts[0])
        if isinstance(spec, RaggedTensorSpec):
            return len(parts[1]) - 1 if spec.ragged_rank else len(parts[0])
        if isinstance(spec, SparseTensorSpec):
            return int(parts[2][0])
        if parts:
            return len(parts[0])
    return 0


def elements_of_batch(whole: Structure, single: Structure, values: list) -> Iterator[list]:
    """The rows of an element, as elements."""
    columns = [_leaf_elements(spec, row, parts) for spec, row, parts in zip(
        whole.leaves, single.leaves, _parts(whole, values), strict=True)]
    for _ in range(batch_size_of(whole, values)):
        yield [value for column in columns for value in next(column)]


def _leaf_elements(spec: Any, row: Any, parts: list) -> Iterator[list]:
    if isinstance(spec, TensorSpec):
        return ([one] for one in elements_in(parts[0]))
    if isinstance(spec, NoneTensorSpec):
        return iter(list, None)
    if isinstance(spec, RaggedTensorSpec):
        return _ragged_elements(spec, row, parts)
    if isinstance(spec, SparseTensorSpec):
        return _sparse_elements(parts)
    return (list(row) for row in zip(*[elements_in(part) for part in parts], strict=True))


def _ragged_elements(spec: RaggedTensorSpec, row: RaggedTensorSpec, parts: list) -> Iterator[list]:
    if spec.ragged_rank == 0:
        yield from ([one] for one in elements_in(parts[0]))
    elif spec.ragged_rank == 1:
        splits = parts[1].tolist()
        for start, end in zip(splits, splits[1:], strict=False):
            yield [parts[0][start:end]]
    else:
        with states.only(()):
            value = _value(spec, parts)
        for i in range(len(parts[1]) - 1):
            with states.only(()):
                yield [x._value for x in row._to_components(value[i])]


def _sparse_elements(parts: list) -> Iterator[list]:
    indices, values, shape = parts
    order = np.searchsorted(indices[:, 0], np.arange(int(shape[0]) + 1))
    for start, end in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
        yield [indices[start:end, 1:], values[start:end], shape[1:]]


# -- batches ---------------------------------------------------------------------------------------
def stacker(single: Structure, batch: Structure) -> Callable[[list], list]:
    """From several flat elements to the flat batch of them."""
    def stack_mixed(elements: list) -> list:
        divided = [_parts(single, list(one)) for one in elements]
        found: list[Any] = []
        for index, (spec, whole) in enumerate(zip(single.leaves, batch.leaves, strict=True)):
            column = [one[index] for one in divided]
            if isinstance(spec, TensorSpec):
                found.append(stack([one[0] for one in column], index))
            elif isinstance(spec, RaggedTensorSpec):
                found += _stack_ragged(spec, whole, column)
            elif isinstance(spec, SparseTensorSpec):
                found += _stack_sparse(column)
            else:
                found += [stack([one[k] for one in column], index) for k in range(len(column[0]))]
        return found

    return stack_mixed


def _stack_ragged(spec: RaggedTensorSpec, whole: Any, column: list) -> list:
    if spec.ragged_rank == 0:
        lengths = [len(one[0]) for one in column]
        splits = np.concatenate([[0], np.cumsum(lengths)]).astype(spec.row_splits_dtype.np)
        return [np.concatenate([one[0] for one in column]), splits]
    with states.only(()):
        stacked = _ragged_stack([_value(spec, one) for one in column], axis=0)
        return [x._value for x in whole._to_components(stacked)]


def _stack_sparse(column: list) -> list:
    indices = np.concatenate([np.concatenate(
        [np.full((len(one[0]), 1), i, np.int64), one[0]], axis=1) for i, one in enumerate(column)])
    shape = np.max([one[2] for one in column], axis=0) if len(column[0][2]) else np.zeros(
        0, np.int64)
    return [indices, np.concatenate([one[1] for one in column]),
            np.concatenate([[len(column)], shape]).astype(np.int64)]
