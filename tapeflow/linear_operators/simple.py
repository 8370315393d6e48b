"""Full, lower triangular and diagonal matrices, multiples of the identity, zeros."""

from __future__ import annotations

from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.linear_operators.operator import (
    FLOATS,
    PRODUCTS,
    LinearOperator,
    _batched,
    agreed,
    general,
    joined,
    kept,
    sizes,
)


@export("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """A matrix without structure."""

    def __init__(self, matrix: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorFullMatrix"):
        self._matrix = kept(matrix, "matrix", FLOATS)
        if self._matrix.shape.rank is not None and self._matrix.shape.rank < 2:
            raise ValueError("Argument matrix must have at least 2 dimensions.  Found: "
                             f"{self._matrix}")
        super().__init__(self._matrix.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)

    @property
    def matrix(self) -> Any:
        return self._matrix

    def _shape(self) -> Any:
        return self._matrix.shape

    def _to_dense(self) -> Any:
        return tf.convert_to_tensor(self._matrix)


@export("linalg.LinearOperatorLowerTriangular")
@general("cholesky")
class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix; what stands above the diagonal is not read."""

    def __init__(self, tril: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorLowerTriangular"):
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = kept(tril, "tril", FLOATS)
        if self._tril.shape.rank is not None and self._tril.shape.rank < 2:
            raise ValueError(f"Argument tril must have at least 2 dimensions.  Found: {self._tril}")
        super().__init__(self._tril.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, True, name)

    @property
    def tril(self) -> Any:
        return self._tril

    def _shape(self) -> Any:
        return self._tril.shape

    def _to_dense(self) -> Any:
        return tf.linalg.band_part(self._tril, -1, 0)

    def _diag_part(self) -> Any:
        return tf.linalg.diag_part(self._tril)

    def _determinant(self) -> Any:
        return tf.reduce_prod(self.diag_part(), axis=[-1])

    def _log_abs_determinant(self) -> Any:
        return tf.reduce_sum(tf.math.log(tf.abs(self.diag_part())), axis=[-1])

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return tf.linalg.triangular_solve(*_batched(self._to_dense(), rhs), lower=True,
                                          adjoint=adjoint)


@export("linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix."""

    def __init__(self, diag: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorDiag"):
        self._diag = kept(diag, "diag", FLOATS)
        if self._diag.shape.rank == 0:
            raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {self._diag}")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(self._diag.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, True, name)

    @property
    def diag(self) -> Any:
        return self._diag

    def _shape(self) -> Any:
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _to_dense(self) -> Any:
        return tf.linalg.diag(self._diag)

    def _diag_part(self) -> Any:
        return tf.convert_to_tensor(self._diag)

    def _column(self, adjoint: bool) -> Any:
        diag = tf.convert_to_tensor(self._diag)
        return tf.expand_dims(tf.math.conj(diag) if adjoint else diag, -1)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._column(adjoint) * x

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._column(adjoint)

    def _determinant(self) -> Any:
        return tf.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Any:
        logs = tf.reduce_sum(tf.math.log(tf.abs(self._diag)), axis=[-1])
        return tf.cast(logs, self.dtype)

    def _eigvals(self) -> Any:
        return tf.convert_to_tensor(self._diag)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        x = self._operand(x, False, 0)
        return tf.linalg.set_diag(x, tf.linalg.diag_part(x) + self._diag)

    def _inverse(self) -> LinearOperator:
        return LinearOperatorDiag(1.0 / tf.convert_to_tensor(self._diag),
                                  is_non_singular=self.is_non_singular,
                                  is_self_adjoint=self.is_self_adjoint,
                                  is_positive_definite=self.is_positive_definite, is_square=True)

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorDiag(tf.math.conj(tf.convert_to_tensor(self._diag)),
                                  is_non_singular=self.is_non_singular,
                                  is_self_adjoint=self.is_self_adjoint,
                                  is_positive_definite=self.is_positive_definite, is_square=True)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(tf.sqrt(tf.convert_to_tensor(self._diag)), is_non_singular=True,
                                  is_self_adjoint=True, is_positive_definite=True, is_square=True)


def _count(value: Any, name: str) -> Any:
    """A number of rows or columns; a tensor where it is not known yet."""
    _no_variable(value, name)
    tensor = tf.convert_to_tensor(value)
    if tensor.shape.rank:
        raise ValueError(f"Argument `{name}` must be a 0-D Tensor.  Found: {value}")
    if not tensor.dtype.is_integer:
        raise TypeError(f"Argument {name} must be integer type.  Found: {value}")
    found = tf.get_static_value(tensor)
    if found is None:
        return tensor
    if found < 0:
        raise ValueError(f"Argument {name} must be non-negative.  Found: {value}")
    return int(found)


def _known_shape(batch: Any, sides: list) -> Any:
    """The shape as far as it is known, of sizes of a batch that may be a tensor."""
    if isinstance(batch, list):
        return [*batch, *sides]
    rank = batch.shape[0]
    return None if rank is None else [*[None] * rank, *sides]


def _no_variable(value: Any, name: str) -> None:
    """An operator has its sizes for ever; a variable's may change."""
    if isinstance(value, tf.Variable):
        raise TypeError(f"Argument {name} cannot be reference type. Found: {type(value)}.")


def _batch_sizes(batch_shape: Any) -> Any:
    """The sizes of a batch as a list; a tensor where they are not known yet."""
    if batch_shape is None:
        return []
    _no_variable(batch_shape, "batch_shape")
    empty = isinstance(batch_shape, (list, tuple)) and not batch_shape
    tensor = tf.convert_to_tensor(batch_shape, tf.int32 if empty else None)
    if tensor.shape.rank not in (None, 1):
        raise ValueError(f"Argument batch_shape must be a 1-D Tensor.  Found: {batch_shape}")
    if not tensor.dtype.is_integer:
        raise TypeError(f"Argument batch_shape must be integer type.  Found: {batch_shape}")
    found = tf.get_static_value(tensor)
    if found is None:
        return tensor
    if (found < 0).any():
        raise ValueError(f"Argument batch_shape must be non-negative.  Found: {batch_shape}")
    return found.tolist()


class _Identities(LinearOperator):
    """What the identity and its multiples share: a size and the shape of a batch."""

    def _sized(self, num_rows: Any) -> None:
        self._rows = _count(num_rows, "num_rows")

    def _square(self) -> list:
        """The last two sizes, as far as they are known."""
        return [self._rows if isinstance(self._rows, int) else None] * 2

    def _broadcast(self, x: Any) -> Any:
        """x with the batch shape of the operator, if it has one."""
        batch = self._batch()
        if isinstance(batch, list) and not batch:
            return x
        whole = tf.broadcast_dynamic_shape(tf.convert_to_tensor(batch, tf.int32),
                                           tf.shape(x)[:-2])
        return tf.broadcast_to(x, tf.concat([whole, tf.shape(x)[-2:]], 0))


@export("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(_Identities):
    """The identity."""

    def __init__(self, num_rows: Any, batch_shape: Any = None, dtype: Any = None,
                 is_non_singular: bool | None = True, is_self_adjoint: bool | None = True,
                 is_positive_definite: bool | None = True, is_square: bool | None = True,
                 assert_proper_shapes: bool = False, name: str = "LinearOperatorIdentity"):
        for hint, word in ((is_self_adjoint, "self adjoint"), (is_square, "square"),
                           (is_non_singular, "non-singular"),
                           (is_positive_definite, "positive-definite")):
            if not hint:
                raise ValueError(f"An identity operator is always {word}.")
        bool(assert_proper_shapes)
        super().__init__(dtype or tf.float32, None, True, True, True, True, name)
        self._sized(num_rows)
        self._batch_shape = _batch_sizes(batch_shape)

    def _shape(self) -> Any:
        return _known_shape(self._batch_shape, self._square())

    def _to_dense(self) -> Any:
        return tf.eye(self._rows, batch_shape=self._batch_shape, dtype=self.dtype)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._broadcast(x)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._broadcast(rhs)

    def _determinant(self) -> Any:
        return tf.ones(self._batch_shape, self.dtype)

    def _log_abs_determinant(self) -> Any:
        return tf.zeros(self._batch_shape, self.dtype)

    def _diag_part(self) -> Any:
        return tf.ones(joined(self._batch_shape, [self._rows]), self.dtype)

    def _trace(self) -> Any:
        return tf.cast(self._rows, self.dtype) * tf.ones(self._batch_shape, self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def cond(self, name: str = "cond") -> Any:
        return tf.ones(self._batch_shape, self.dtype)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        mat = self._operand(mat, False, 0)
        return tf.linalg.set_diag(mat, tf.linalg.diag_part(mat) + 1)

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return self


@export("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(_Identities):
    """A multiple of the identity, for each member of a batch its own."""

    def __init__(self, num_rows: Any, multiplier: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = True, assert_proper_shapes: bool = False,
                 name: str = "LinearOperatorScaledIdentity"):
        self._multiplier = kept(multiplier, "multiplier", FLOATS)
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal matrix is always self adjoint.")
            is_self_adjoint = True
        if not is_square:
            raise ValueError("A ScaledIdentity operator is always square.")
        bool(assert_proper_shapes)
        super().__init__(self._multiplier.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)
        self._sized(num_rows)

    @property
    def multiplier(self) -> Any:
        return self._multiplier

    def _shape(self) -> Any:
        return self._multiplier.shape.concatenate(self._square())

    def _scale(self, adjoint: bool = False) -> Any:
        scale = tf.convert_to_tensor(self._multiplier)
        return tf.math.conj(scale) if adjoint else scale

    def _to_dense(self) -> Any:
        eye = tf.eye(self._rows, dtype=self.dtype)
        return self._scale()[..., tf.newaxis, tf.newaxis] * eye

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return x * self._scale(adjoint)[..., tf.newaxis, tf.newaxis]

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return rhs / self._scale(adjoint)[..., tf.newaxis, tf.newaxis]

    def _determinant(self) -> Any:
        return self._scale() ** tf.cast(self._rows, self.dtype)

    def _log_abs_determinant(self) -> Any:
        return tf.cast(self._rows, self.dtype.real_dtype) * tf.math.log(tf.abs(self._scale()))

    def _diag_part(self) -> Any:
        return self._scale()[..., tf.newaxis] * tf.ones([self._rows], self.dtype)

    def _trace(self) -> Any:
        return self._scale() * tf.cast(self._rows, self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def cond(self, name: str = "cond") -> Any:
        return tf.ones(sizes(self._scale()), self.dtype)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        mat = self._operand(mat, False, 0)
        return tf.linalg.set_diag(mat, tf.linalg.diag_part(mat) + self._scale()[..., tf.newaxis])

    def _like(self, multiplier: Any, **hints: Any) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._rows, multiplier, **hints)

    def _inverse(self) -> LinearOperator:
        return self._like(1.0 / self._scale(), is_non_singular=self.is_non_singular,
                          is_self_adjoint=self.is_self_adjoint,
                          is_positive_definite=self.is_positive_definite)

    def _adjoint(self) -> LinearOperator:
        return self._like(self._scale(True), is_non_singular=self.is_non_singular,
                          is_self_adjoint=self.is_self_adjoint,
                          is_positive_definite=self.is_positive_definite)

    def _cholesky(self) -> LinearOperator:
        return self._like(tf.sqrt(self._scale()), is_non_singular=True, is_self_adjoint=True,
                          is_positive_definite=True)


@export("linalg.LinearOperatorZeros")
class LinearOperatorZeros(LinearOperator):
    """A matrix of zeros."""

    def __init__(self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None,
                 dtype: Any = None, is_non_singular: bool | None = False,
                 is_self_adjoint: bool | None = True, is_positive_definite: bool | None = False,
                 is_square: bool | None = True, assert_proper_shapes: bool = False,
                 name: str = "LinearOperatorZeros"):
        if is_square and not is_self_adjoint:
            raise ValueError("A zero operator is always self adjoint.")
        for hint, word in ((is_non_singular, "non-singular"),
                           (is_positive_definite, "positive-definite")):
            if hint:
                raise ValueError(f"A zero operator is never {word}.")
        super().__init__(dtype or tf.float32, None, False, is_self_adjoint, False, is_square, name)
        bool(assert_proper_shapes)
        rows = _count(num_rows, "num_rows")
        self._sides = (rows, rows if num_columns is None else _count(num_columns, "num_columns"))
        if is_square and all(isinstance(one, int) for one in self._sides) and (
                self._sides[0] != self._sides[1]):
            raise ValueError(f"LinearOperatorZeros initialized as is_square={is_square}, but got "
                             f"num_rows({num_rows}) and num_columns({num_columns})")
        self._batch_shape = _batch_sizes(batch_shape)

    def _shape(self) -> Any:
        return _known_shape(self._batch_shape, [
            one if isinstance(one, int) else None for one in self._sides])

    def _to_dense(self) -> Any:
        return tf.zeros(joined(self._batch_shape, list(self._sides)), self.dtype)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        rows = self._sides[1] if adjoint else self._sides[0]
        batch = tf.broadcast_dynamic_shape(tf.convert_to_tensor(self._batch_shape, tf.int32),
                                           tf.shape(x)[:-2])
        return tf.zeros(joined(batch, [rows], tf.shape(x)[-1:]), self.dtype)

    def _determinant(self) -> Any:
        return tf.zeros(self._batch_shape, self.dtype)

    def _trace(self) -> Any:
        return tf.zeros(self._batch_shape, self.dtype)

    def _diag_part(self) -> Any:
        side = min(self._sides) if all(isinstance(one, int) for one in self._sides) else (
            tf.minimum(*self._sides))
        return tf.zeros(joined(self._batch_shape, [side]), self.dtype)

    def _eigvals(self) -> Any:
        return self._diag_part()

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        return self._operand(mat, False, 0)


# -- products that stay simple ---------------------------------------------------------------------
def _with_identity(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    if isinstance(left, LinearOperatorIdentity) and not left._batch_shape:
        return right
    if isinstance(right, LinearOperatorIdentity) and not right._batch_shape:
        return left
    return None


def _of_diagonals(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    kinds = (LinearOperatorDiag, LinearOperatorScaledIdentity)
    if not (isinstance(left, kinds) and isinstance(right, kinds)):
        return None
    sure = agreed(left.is_non_singular, right.is_non_singular)
    if isinstance(left, LinearOperatorScaledIdentity) and isinstance(
            right, LinearOperatorScaledIdentity):
        return LinearOperatorScaledIdentity(left._rows, left._scale() * right._scale(),
                                            is_non_singular=sure)
    return LinearOperatorDiag(left.diag_part() * right.diag_part(), is_non_singular=sure)


def _of_triangles(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    kinds = (LinearOperatorDiag, LinearOperatorScaledIdentity, LinearOperatorLowerTriangular)
    if not (isinstance(left, kinds) and isinstance(right, kinds)):
        return None
    return LinearOperatorLowerTriangular(
        left.matmul(right.to_dense()),
        is_non_singular=agreed(left.is_non_singular, right.is_non_singular), is_square=True)


PRODUCTS.extend([_with_identity, _of_diagonals, _of_triangles])
