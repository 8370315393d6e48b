"""The product of two sparse matrices, or of two stacks of them, as a sparse one.

Which entries meet is found without derivatives; the values are then gathered, multiplied and summed
by ops that have them. `alias` serves it where TensorFlow keeps it. Loaded when Keras multiplies two
SparseTensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define
from tapeflow.core.record.primitive_ops import cast, size_along
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops.reduce import segment
from tapeflow.ops.sparse.sparse_tensor import SparseTensor

_INT64 = np.dtype("int64")


def _pairs_kernel(left, left_shape, right, right_shape):
    """(entry of the left, entry of the right, entry of the result, its indices, its shape)."""
    if left_shape[-1] != right_shape[-2] or tuple(left_shape[:-2]) != tuple(right_shape[:-2]):
        raise errors.invalid("SparseMatrixSparseMatMul", (
            f"matrices of shapes {left_shape.tolist()} and {right_shape.tolist()} do not fit"))
    batch = np.zeros(len(left), _INT64) if left.shape[1] == 2 else left[:, 0]
    other = np.zeros(len(right), _INT64) if right.shape[1] == 2 else right[:, 0]
    inner = int(left_shape[-1])
    keys = other * inner + right[:, -2]
    order = np.argsort(keys, kind="stable")
    wanted = batch * inner + left[:, -1]
    first = np.searchsorted(keys[order], wanted, "left")
    count = np.searchsorted(keys[order], wanted, "right") - first
    one = np.repeat(np.arange(len(left)), count)
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    two = order[np.repeat(first, count) + offset]
    coords = np.stack([batch[one], left[one, -2], right[two, -1]], axis=1).reshape(-1, 3)
    found, entry = np.unique(coords, axis=0, return_inverse=True)
    shape = np.array([*left_shape[:-1], right_shape[-1]], _INT64)
    indices = found[:, -len(shape):] if len(shape) == 2 else found
    return one, two, entry.reshape(-1).astype(_INT64), indices.astype(_INT64), shape


def _pairs_shape(left: Spec, left_shape: Spec, right: Spec, right_shape: Spec) -> tuple:
    rank = None if left.shape is None else left.shape[1]
    unknown = Spec((None,), _INT64)
    return unknown, unknown, unknown, Spec((None, rank), _INT64), Spec((rank,), _INT64)


_AT = np.array([[0, 1], [1, 0], [1, 2]], np.int64)
_pairs = define("sparse_pairs", kernel=_pairs_kernel, shape=_pairs_shape, multi=True, saves="out",
                args=("left", "left_shape", "right", "right_shape"), batch=loop, dtypes="iu",
                vjp=NONDIFF("positions of entries are integers"),
                check=[Case(_AT, np.array([2, 3]), _AT[:, ::-1].copy(), np.array([3, 2]),
                            grad=False)])


def sparse_product(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """a @ b, with the entries in order of their indices."""
    one, two, entry, indices, shape = _pairs(a.indices, a.dense_shape, b.indices, b.dense_shape)
    terms = gather_rows(a.values, one) * gather_rows(b.values, two)
    sums = segment.UNSORTED["sum"](terms, entry, size_along(indices, 0))
    return SparseTensor(indices, sums, shape)


# -- the names that TensorFlow keeps in sparse_csr_matrix_ops --------------------------------------
def sparse_tensor_to_csr_sparse_matrix(indices: Any, values: Any, dense_shape: Any,
                                       name: str | None = None) -> SparseTensor:
    """A matrix of the parts of a SparseTensor."""
    return SparseTensor(indices, values, dense_shape)


def sparse_matrix_sparse_mat_mul(a: SparseTensor, b: SparseTensor, type: Any,
                                 name: str | None = None) -> SparseTensor:
    """The product of two matrices."""
    return sparse_product(a, b)


def csr_sparse_matrix_to_sparse_tensor(sparse_matrix: SparseTensor, type: Any,
                                       name: str | None = None) -> SparseTensor:
    """What has `indices`, `values` and `dense_shape`."""
    values: Tensor = operand(sparse_matrix.values)
    wanted = np.dtype(getattr(type, "as_numpy_dtype", type))
    if values.dtype.np != wanted:
        values = cast(values, dtype=wanted)
    return SparseTensor(sparse_matrix.indices, values, sparse_matrix.dense_shape)
