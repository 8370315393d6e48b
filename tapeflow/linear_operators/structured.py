"""Householder reflections, permutations, Toeplitz and tridiagonal matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.linear_operators.operator import FLOATS, LinearOperator, _batched, kept


@export("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflection I - 2 v vᴴ / |v|²."""

    def __init__(self, reflection_axis: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorHouseholder"):
        self._axis = kept(reflection_axis, "reflection_axis", FLOATS)
        if self._axis.shape.rank == 0:
            raise ValueError("Argument reflection_axis must have at least 1 dimension.  Found: "
                             f"{reflection_axis}")
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite is True:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False or is_non_singular is False:
            raise ValueError("A Householder operator is always square and non-singular.")
        super().__init__(self._axis.dtype, None, is_non_singular, True, False, True, name)

    @property
    def reflection_axis(self) -> Any:
        return self._axis

    def _shape(self) -> Any:
        return self._axis.shape.concatenate(self._axis.shape[-1:])

    def _unit(self) -> Any:
        axis = tf.convert_to_tensor(self._axis)
        return axis / tf.norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        unit = self._unit()[..., tf.newaxis]
        return x - 2 * unit * tf.matmul(unit, x, adjoint_a=True)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._matmul(rhs, adjoint)

    def _to_dense(self) -> Any:
        unit = self._unit()
        outer = unit[..., tf.newaxis] * tf.math.conj(unit)[..., tf.newaxis, :]
        return tf.linalg.set_diag(-2 * outer, 1 + tf.linalg.diag_part(-2 * outer))

    def _determinant(self) -> Any:
        return -tf.ones(self._batch(), self.dtype)

    def _log_abs_determinant(self) -> Any:
        return tf.zeros(self._batch(), self.dtype)

    def _trace(self) -> Any:
        return tf.cast(self._size(-1) - 2, self.dtype) * tf.ones(self._batch(), self.dtype)

    def _diag_part(self) -> Any:
        unit = self._unit()
        return 1 - 2 * unit * tf.math.conj(unit)

    def _eigvals(self) -> Any:
        ones = tf.ones(self._axis.shape[:-1].concatenate([self._size(-1) - 1]), self.dtype)
        return tf.concat([-tf.ones(self._axis.shape[:-1].concatenate([1]), self.dtype), ones], -1)

    def cond(self, name: str = "cond") -> Any:
        return tf.ones(self._batch(), self.dtype)

    def _inverse(self) -> LinearOperator:
        return self


def _check_permutation(perm: Any) -> None:
    """Each row of `perm`, where its values are known, must have every index once."""
    known = tf.get_static_value(perm)
    if known is not None and (np.sort(known, axis=-1) != np.arange(known.shape[-1])).any():
        raise ValueError("Argument `perm` must be a vector of unique integers from 0 to "
                         f"{known.shape[-1] - 1}.")


@export("linalg.LinearOperatorPermutation")
class LinearOperatorPermutation(LinearOperator):
    """Rows in another order: row i of the product is row perm[i] of the argument."""

    def __init__(self, perm: Any, dtype: Any = tf.float32, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorPermutation"):
        self._perm = kept(perm, "perm", (tf.int32, tf.int64))
        if self._perm.shape.rank == 0:
            raise ValueError(f"Argument `perm` must have at least 1 dimension. Found: {self._perm}")
        _check_permutation(self._perm)
        if is_non_singular is False or is_square is False:
            raise ValueError("A Permutation operator is always square and non-singular.")
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True,
                         name)

    @property
    def perm(self) -> Any:
        return self._perm

    def _shape(self) -> Any:
        return self._perm.shape.concatenate(self._perm.shape[-1:])

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        perm = tf.argsort(self._perm, axis=-1) if adjoint else tf.convert_to_tensor(self._perm)
        batch = tf.broadcast_dynamic_shape(tf.shape(x)[:-2], tf.shape(perm)[:-1])
        x = tf.broadcast_to(x, tf.concat([batch, tf.shape(x)[-2:]], 0))
        perm = tf.broadcast_to(perm, tf.concat([batch, tf.shape(perm)[-1:]], 0))
        return tf.gather(x, perm, axis=-2, batch_dims=x.shape.rank - 2)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._matmul(rhs, not adjoint)

    def _to_dense(self) -> Any:
        return tf.one_hot(self._perm, self._size(-1), dtype=self.dtype)

    def _determinant(self) -> Any:
        return tf.round(tf.math.real(tf.linalg.det(self.to_dense())))

    def _log_abs_determinant(self) -> Any:
        return tf.zeros(self._batch(), self.dtype)

    def _diag_part(self) -> Any:
        columns = tf.range(tf.cast(self._size(-1), self._perm.dtype))
        return tf.cast(tf.equal(self._perm, columns), self.dtype)

    def cond(self, name: str = "cond") -> Any:
        return tf.ones(self._batch(), self.dtype)


@export("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """Constant along each diagonal, given by its first column and row."""

    def __init__(self, col: Any, row: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str = "LinearOperatorToeplitz"):
        self._col, self._row = kept(col, "col", FLOATS), kept(row, "row", FLOATS)
        for word, given in (("col", self._col), ("row", self._row)):
            if given.shape.rank == 0:
                raise ValueError(f"Argument {word} must have at least 1 dimension.  Found: {given}")
        if not self._col.shape[-1:].is_compatible_with(self._row.shape[-1:]):
            raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        super().__init__(self._row.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, True, name)

    @property
    def col(self) -> Any:
        return self._col

    @property
    def row(self) -> Any:
        return self._row

    def _shape(self) -> Any:
        batch = tf.broadcast_static_shape(self._col.shape, self._row.shape)
        return batch.concatenate(self._row.shape[-1:])

    def _to_dense(self) -> Any:
        batch = tf.broadcast_dynamic_shape(tf.shape(self._col), tf.shape(self._row))
        col, row = tf.broadcast_to(self._col, batch), tf.broadcast_to(self._row, batch)
        values = tf.concat([tf.reverse(col, [-1]), row[..., 1:]], axis=-1)
        n = self._size(-1)
        offsets = n - 1 + tf.range(n) - tf.range(n)[:, tf.newaxis]
        return tf.gather(values, offsets, axis=-1)

    def _trace(self) -> Any:
        return tf.cast(self._size(-1), self.dtype) * tf.convert_to_tensor(self._col)[..., 0]

    def _diag_part(self) -> Any:
        first = tf.convert_to_tensor(self._col)[..., :1]
        return first * tf.ones([self._size(-1)], self.dtype)


@export("linalg.LinearOperatorTridiag")
class LinearOperatorTridiag(LinearOperator):
    """Three diagonals: "compact" [..., 3, n], a "sequence" of three, or a "matrix"."""

    def __init__(self, diagonals: Any, diagonals_format: str = "compact",
                 is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorTridiag"):
        if diagonals_format not in ("matrix", "sequence", "compact"):
            raise ValueError(f"Argument `diagonals_format` must be one of compact, matrix, or "
                             f"sequence. Found: {diagonals_format}")
        if is_square is False:
            raise ValueError("Only square operators currently supported.")
        self._format = diagonals_format
        if diagonals_format == "sequence":
            self._diagonals: Any = [kept(one, "diagonals", FLOATS) for one in diagonals]
            dtype = self._diagonals[0].dtype
        else:
            self._diagonals = kept(diagonals, "diagonals", FLOATS)
            dtype = self._diagonals.dtype
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True,
                         name)

    @property
    def diagonals(self) -> Any:
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        return self._format

    def _shape(self) -> Any:
        if self._format == "matrix":
            return self._diagonals.shape
        if self._format == "sequence":
            whole = self._diagonals[1].shape
            for one in self._diagonals:
                whole = tf.broadcast_static_shape(whole, one.shape)
            return whole.concatenate(self._diagonals[1].shape[-1:])
        shape = self._diagonals.shape
        return shape[:-2].concatenate([shape[-1], shape[-1]])

    def _compact(self) -> Any:
        if self._format == "compact":
            return tf.convert_to_tensor(self._diagonals)
        if self._format == "matrix":
            return tf.linalg.diag_part(self._diagonals, k=(-1, 1), align="LEFT_RIGHT")
        above, main, below = (tf.convert_to_tensor(one) for one in self._diagonals)
        n = main.shape[-1]
        edge = [[0, 0]] * (main.shape.rank - 1)
        above = above if above.shape[-1] == n else tf.pad(above, [*edge, [0, 1]])
        below = below if below.shape[-1] == n else tf.pad(below, [*edge, [1, 0]])
        return tf.stack([above, main, below], axis=-2)

    def _flipped(self, compact: Any) -> Any:
        """The diagonals of the adjoint."""
        above = tf.roll(compact[..., 2, :], -1, -1)
        below = tf.roll(compact[..., 0, :], 1, -1)
        return tf.math.conj(tf.stack([above, compact[..., 1, :], below], axis=-2))

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        compact = self._compact()
        compact = self._flipped(compact) if adjoint else compact
        return tf.linalg.tridiagonal_matmul(compact, x, diagonals_format="compact")

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        compact = self._compact()
        compact, rhs = _batched(self._flipped(compact) if adjoint else compact, rhs)
        return tf.linalg.tridiagonal_solve(compact, rhs, diagonals_format="compact")

    def _to_dense(self) -> Any:
        if self._format == "matrix":
            return tf.linalg.band_part(self._diagonals, 1, 1)
        return tf.linalg.diag(self._compact(), k=(-1, 1), num_rows=self._size(-1),
                              num_cols=self._size(-1), align="LEFT_RIGHT")

    def _diag_part(self) -> Any:
        return self._compact()[..., 1, :]
