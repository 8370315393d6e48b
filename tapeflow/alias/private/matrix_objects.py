"""Sparse matrices, sums of linear operators and convolutions by object, as libraries call them."""

from __future__ import annotations

from typing import Any

import tapeflow
from tapeflow.ops.linalg.sparse_matmul import sparse_product


# -- sparse matrices -------------------------------------------------------------------------------
def sparse_reorder(input_indices: Any, input_values: Any, input_shape: Any,
                   name: str | None = None) -> tuple[Any, Any]:
    """Indices and values in the order of rows."""
    ordered = tapeflow.sparse.reorder(
        tapeflow.SparseTensor(input_indices, input_values, input_shape))
    return ordered.indices, ordered.values


class CSRSparseMatrix:
    """A sparse matrix, made of a SparseTensor or a dense one."""

    def __init__(self, value: Any, indices: Any = None, name: str | None = None):
        if isinstance(value, tapeflow.SparseTensor):
            self._tensor = value
        elif indices is not None:
            dense = tapeflow.convert_to_tensor(value)
            self._tensor = tapeflow.SparseTensor(indices, tapeflow.gather_nd(dense, indices),
                                                 tapeflow.shape(dense, tapeflow.int64))
        else:
            self._tensor = tapeflow.sparse.from_dense(value)

    @property
    def dtype(self) -> Any:
        return self._tensor.dtype

    @property
    def shape(self) -> Any:
        return self._tensor.shape

    @property
    def rank(self) -> Any:
        return self._tensor.shape.rank

    def rows(self) -> Any:
        """How many rows there are."""
        return self._tensor.dense_shape[-2]

    def cols(self) -> Any:
        """How many columns there are."""
        return self._tensor.dense_shape[-1]

    def __mul__(self, other: Any) -> CSRSparseMatrix:
        scaled = self._tensor.values * tapeflow.cast(other, self.dtype)
        return CSRSparseMatrix(self._tensor.with_values(scaled))

    __rmul__ = __mul__

    def conj(self) -> CSRSparseMatrix:
        """The matrix of conjugates."""
        return CSRSparseMatrix(self._tensor.with_values(tapeflow.math.conj(self._tensor.values)))

    def transpose(self) -> CSRSparseMatrix:
        """The matrix, or each one of a batch, with rows and columns exchanged."""
        rank = self._tensor.shape.rank
        order = [*range(rank - 2), rank - 1, rank - 2]
        return CSRSparseMatrix(tapeflow.sparse.transpose(self._tensor, order))

    def hermitian_transpose(self) -> CSRSparseMatrix:
        """The transpose of the matrix of conjugates."""
        return self.conj().transpose()

    def to_sparse_tensor(self) -> Any:
        """The matrix as a SparseTensor."""
        return self._tensor

    def to_dense(self) -> Any:
        """The matrix as a dense tensor."""
        return tapeflow.sparse.to_dense(tapeflow.sparse.reorder(self._tensor))


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False,
           adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None) -> Any:
    """The product of two matrices of which at least one is sparse; of two sparse ones, sparse."""
    if not isinstance(a, CSRSparseMatrix) and not isinstance(b, CSRSparseMatrix):
        raise ValueError("One of `a` or `b` must be a CSRSparseMatrix.")
    if any(isinstance(one, CSRSparseMatrix) and one.shape.rank == 3 for one in (a, b)):
        return _batch_matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b)
    if isinstance(a, CSRSparseMatrix) and isinstance(b, CSRSparseMatrix):
        left, right = [tapeflow.sparse.transpose(one._tensor) if flip else one._tensor
                       for one, flip in ((a, transpose_a or adjoint_a),
                                         (b, transpose_b or adjoint_b))]
        return CSRSparseMatrix(sparse_product(left, right))
    if isinstance(a, CSRSparseMatrix):
        left = tapeflow.sparse.transpose(a._tensor) if transpose_a else a._tensor
        right = tapeflow.linalg.matrix_transpose(b) if transpose_b else b
        return tapeflow.sparse.sparse_dense_matmul(left, right, adjoint_a=adjoint_a,
                                                   adjoint_b=adjoint_b)
    flipped = matmul(b, a, not transpose_b and not adjoint_b, not transpose_a and not adjoint_a)
    return tapeflow.linalg.matrix_transpose(flipped)


def _batch_matmul(a: Any, b: Any, *flips: bool) -> Any:
    """Products of matrices in pairs, by dense ones."""
    left, right = [one.to_dense() if isinstance(one, CSRSparseMatrix) else one for one in (a, b)]
    product = tapeflow.linalg.matmul(left, right, *flips)
    if isinstance(a, CSRSparseMatrix) and isinstance(b, CSRSparseMatrix):
        return CSRSparseMatrix(tapeflow.sparse.from_dense(product))
    return product


# -- linear operators ------------------------------------------------------------------------------
def make_composite_tensor(cls: type, module_name: str = "tf.linalg") -> type:
    """The class: tf.function takes linear operators apart without a description of their own."""
    return cls


def _hints(one: Any, two: Any) -> dict[str, Any]:
    positive = one.is_positive_definite and two.is_positive_definite
    return {"is_non_singular": True if positive else None, "is_positive_definite": positive,
            "is_self_adjoint": one.is_self_adjoint and two.is_self_adjoint}


def _sum_of(one: Any, two: Any, tier: int, name: str | None) -> Any:
    """The sum of two operators as a simpler one; None if this tier has none."""
    linalg = tapeflow.linalg
    identities = (linalg.LinearOperatorIdentity, linalg.LinearOperatorScaledIdentity)
    diagonals = (*identities, linalg.LinearOperatorDiag)
    triangles = (*diagonals, linalg.LinearOperatorLowerTriangular)
    known = dict(_hints(one, two), name=name or f"Add/{one.name}__{two.name}/")
    if tier == 0:
        if isinstance(one, identities) and isinstance(two, identities):
            scales = [getattr(each, "multiplier", None) for each in (one, two)]
            first, second = [tapeflow.ones(each.batch_shape_tensor(), each.dtype)
                             if scale is None else scale
                             for each, scale in zip((one, two), scales, strict=True)]
            return linalg.LinearOperatorScaledIdentity(
                num_rows=one.range_dimension_tensor(), multiplier=first + second, **known)
        if isinstance(one, diagonals) and isinstance(two, diagonals):
            return linalg.LinearOperatorDiag(one.diag_part() + two.diag_part(), **known)
    if tier == 1 and isinstance(one, triangles) and isinstance(two, triangles):
        small, large = (one, two) if isinstance(one, diagonals) else (two, one)
        return linalg.LinearOperatorLowerTriangular(
            small.add_to_tensor(large.to_dense()), **known)
    if tier == 2:
        small, large = (one, two) if isinstance(one, triangles) else (two, one)
        return linalg.LinearOperatorFullMatrix(small.add_to_tensor(large.to_dense()), **known)
    return None


def add_operators(operators: Any, operator_name: str | None = None, addition_tiers: Any = None,
                  name: str | None = None) -> list:
    """Operators that add up to the sum of some: the fewest that the kinds of matrix allow."""
    waiting = list(reversed(list(operators)))
    if not waiting:
        raise ValueError("Argument `operators` must contain at least one operator. Received: "
                         f"{operators}.")
    if not all(isinstance(one, tapeflow.linalg.LinearOperator) for one in waiting):
        raise TypeError("Argument `operators` must contain only LinearOperator instances. "
                        f"Received: {operators}.")
    for tier in range(3):
        left, waiting = waiting, []
        while left:
            one = left.pop()
            for i in range(1, len(left) + 1):
                found = _sum_of(one, left[-i], tier, operator_name)
                if found is not None:
                    left.pop(-i)
                    left.append(found)
                    break
            else:
                waiting.append(one)
    return waiting


# -- convolutions ----------------------------------------------------------------------------------
class Convolution:
    """`tf.nn.convolution` whose strides, padding and dilations are fixed."""

    def __init__(self, input_shape: Any, filter_shape: Any, padding: Any, strides: Any = None,
                 dilation_rate: Any = None, name: str | None = None,
                 data_format: str | None = None, **unused: Any):
        self._fixed = {"padding": padding, "strides": strides, "dilations": dilation_rate,
                       "data_format": data_format, "name": name}

    def __call__(self, inp: Any, filter: Any, name: str | None = None) -> Any:
        return tapeflow.nn.convolution(inp, filter, **self._fixed)
