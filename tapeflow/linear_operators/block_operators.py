"""Operators of blocks: along the diagonal, or in the lower triangle."""

from __future__ import annotations

from functools import reduce
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.linear_operators.compound import _batch_shape, _same_dtype, check_hints, hints_of
from tapeflow.linear_operators.operator import LinearOperator, joined, sizes


def _total(sizes: list) -> Any:
    return None if None in sizes else sum(sizes)


def _stacked(parts: list, axis: int) -> Any:
    """Parts joined along an axis, their batches broadcast first."""
    batch = reduce(tf.broadcast_dynamic_shape, [tf.shape(one)[:-2] for one in parts])
    whole = [tf.broadcast_to(one, tf.concat([batch, tf.shape(one)[-2:]], 0)) for one in parts]
    return tf.concat(whole, axis=axis)


class _Blockwise(LinearOperator):
    """Arguments may be whole or lists of blocks of rows; results are what arguments are."""

    def _rows(self) -> list:
        raise NotImplementedError

    def _columns(self) -> list:
        raise NotImplementedError

    def _cut(self, x: Any, sides: list) -> list:
        return tf.split(x, sides, axis=-2)

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False,
               name: str = "matmul") -> Any:
        """The product with a matrix, a list of its blocks, or another operator."""
        if not isinstance(x, (list, tuple)):
            return super().matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        return self._matmul_blocks([self._operand(one, adjoint_arg) for one in x], adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False,
              name: str = "solve") -> Any:
        """The solution for a matrix, a list of its blocks, or another operator."""
        if not isinstance(rhs, (list, tuple)):
            return super().solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        return self._solve_blocks([self._operand(one, adjoint_arg) for one in rhs], adjoint)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """The product with a vector or a list of its blocks."""
        if not isinstance(x, (list, tuple)):
            return super().matvec(x, adjoint=adjoint)
        columns = [tf.convert_to_tensor(one, dtype=self.dtype)[..., tf.newaxis] for one in x]
        return [tf.squeeze(one, -1) for one in self.matmul(columns, adjoint=adjoint)]

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """The solution for a vector or a list of its blocks."""
        if not isinstance(rhs, (list, tuple)):
            return super().solvevec(rhs, adjoint=adjoint)
        columns = [tf.convert_to_tensor(one, dtype=self.dtype)[..., tf.newaxis] for one in rhs]
        return [tf.squeeze(one, -1) for one in self.solve(columns, adjoint=adjoint)]

    def _matmul_blocks(self, parts: list, adjoint: bool) -> list:
        raise NotImplementedError

    def _solve_blocks(self, parts: list, adjoint: bool) -> list:
        raise NotImplementedError

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        parts = self._cut(x, self._rows() if adjoint else self._columns())
        return _stacked(self._matmul_blocks(parts, adjoint), -2)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        parts = self._cut(rhs, self._columns() if adjoint else self._rows())
        return _stacked(self._solve_blocks(parts, adjoint), -2)


@export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(_Blockwise):
    """Operators along the diagonal, zeros elsewhere."""

    def __init__(self, operators: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = True, name: str | None = None):
        self._operators = list(operators)
        dtype = _same_dtype(self._operators)
        known = hints_of(self._operators, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square)
        check_hints(self._operators, known, "direct sum")
        names = "_ds_".join(one.name for one in self._operators)
        super().__init__(dtype, None, name=name or names, **known)

    @property
    def operators(self) -> list:
        return self._operators

    def _shape(self) -> Any:
        sides = [_total([one.shape[axis] for one in self._operators]) for axis in (-2, -1)]
        return _batch_shape(self._operators).concatenate(sides)

    def _rows(self) -> list:
        return [one._size(-2) for one in self._operators]

    def _columns(self) -> list:
        return [one._size(-1) for one in self._operators]

    def _matmul_blocks(self, parts: list, adjoint: bool) -> list:
        return [one.matmul(part, adjoint=adjoint)
                for one, part in zip(self._operators, parts, strict=True)]

    def _solve_blocks(self, parts: list, adjoint: bool) -> list:
        return [one.solve(part, adjoint=adjoint)
                for one, part in zip(self._operators, parts, strict=True)]

    def _to_dense(self) -> Any:
        columns, bands, before = self._columns(), [], 0
        for i, one in enumerate(self._operators):
            block = one.to_dense()
            after = sum(columns[i + 1:])
            paddings = [[0, 0]] * (block.shape.rank - 1) + [[before, after]]
            bands.append(tf.pad(block, paddings))
            before += columns[i]
        return _stacked(bands, -2)

    def _determinant(self) -> Any:
        return reduce(lambda a, b: a * b, [one.determinant() for one in self._operators])

    def _log_abs_determinant(self) -> Any:
        return reduce(lambda a, b: a + b, [one.log_abs_determinant() for one in self._operators])

    def _diag_part(self) -> Any:
        parts = [one.diag_part()[..., tf.newaxis] for one in self._operators]
        return tf.squeeze(_stacked(parts, -2), -1)

    def _trace(self) -> Any:
        return reduce(lambda a, b: a + b, [one.trace() for one in self._operators])

    def _eigvals(self) -> Any:
        parts = [one.eigvals()[..., tf.newaxis] for one in self._operators]
        return tf.squeeze(_stacked(parts, -2), -1)

    def _each(self, operators: list) -> LinearOperator:
        return LinearOperatorBlockDiag(
            operators, is_non_singular=self.is_non_singular, is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite, is_square=self.is_square)

    def _inverse(self) -> LinearOperator:
        return self._each([one.inverse() for one in self._operators])

    def _adjoint(self) -> LinearOperator:
        return self._each([one.adjoint() for one in self._operators])

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorBlockDiag([one.cholesky() for one in self._operators],
                                       is_non_singular=True, is_square=True)


@export("linalg.LinearOperatorBlockLowerTriangular")
class LinearOperatorBlockLowerTriangular(_Blockwise):
    """Rows of operators, each row one longer than the one above it."""

    def __init__(self, operators: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None,
                 name: str = "LinearOperatorBlockLowerTriangular"):
        self._operators = [list(row) for row in operators]
        if any(len(row) != i + 1 for i, row in enumerate(self._operators)):
            raise ValueError("Each row i must have i + 1 operators, got rows of "
                             f"{[len(row) for row in self._operators]}.")
        dtype = _same_dtype([one for row in self._operators for one in row])
        super().__init__(dtype, None, self._non_singular(is_non_singular), is_self_adjoint,
                         is_positive_definite, True if is_square is None else is_square, name)

    def _non_singular(self, said: Any) -> bool | None:
        """What the blocks of the diagonal say; what the user says is only compared with it."""
        known = [one.is_non_singular for one in self._diagonal()]
        found = True if all(known) else False if False in known else None
        if found is not None and said is (not found):
            raise ValueError("A blockwise lower-triangular operator is non-singular if all "
                             f"operators on its diagonal are. Received: is_non_singular={said}")
        return found

    @property
    def operators(self) -> list:
        return self._operators

    def _diagonal(self) -> list:
        return [row[-1] for row in self._operators]

    def _shape(self) -> Any:
        sides = [_total([one.shape[axis] for one in self._diagonal()]) for axis in (-2, -1)]
        return _batch_shape([one for row in self._operators for one in row]).concatenate(sides)

    def _rows(self) -> list:
        return [one._size(-2) for one in self._diagonal()]

    def _columns(self) -> list:
        return [one._size(-1) for one in self._diagonal()]

    def _matmul_blocks(self, parts: list, adjoint: bool) -> list:
        count = len(self._operators)
        if adjoint:
            return [reduce(lambda a, b: a + b, [
                self._operators[i][j].matmul(parts[i], adjoint=True) for i in range(j, count)])
                for j in range(count)]
        return [reduce(lambda a, b: a + b, [
            one.matmul(part) for one, part in zip(row, parts, strict=False)])
            for row in self._operators]

    def _solve_blocks(self, parts: list, adjoint: bool) -> list:
        count = len(self._operators)
        found: list[Any] = [None] * count
        for i in reversed(range(count)) if adjoint else range(count):
            rest = parts[i]
            others = range(i + 1, count) if adjoint else range(i)
            for j in others:
                block = self._operators[j][i] if adjoint else self._operators[i][j]
                rest = rest - block.matmul(found[j], adjoint=adjoint)
            found[i] = self._operators[i][i].solve(rest, adjoint=adjoint)
        return found

    def _to_dense(self) -> Any:
        columns, bands = self._columns(), []
        rows = [[one.to_dense() for one in row] for row in self._operators]
        shape = self.batch_shape
        batch = shape.as_list() if shape.is_fully_defined() else reduce(
            tf.broadcast_dynamic_shape, [tf.shape(one)[:-2] for row in rows for one in row])
        for i, row in enumerate(rows):
            blocks = [tf.broadcast_to(one, joined(batch, sizes(one)[-2:])) for one in row]
            band = tf.concat(blocks, axis=-1)
            after = sum(columns[i + 1:])
            bands.append(tf.pad(band, [[0, 0]] * (band.shape.rank - 1) + [[0, after]]))
        return tf.concat(bands, axis=-2)

    def _determinant(self) -> Any:
        return reduce(lambda a, b: a * b, [one.determinant() for one in self._diagonal()])

    def _log_abs_determinant(self) -> Any:
        return reduce(lambda a, b: a + b, [one.log_abs_determinant() for one in self._diagonal()])

    def _diag_part(self) -> Any:
        parts = [one.diag_part()[..., tf.newaxis] for one in self._diagonal()]
        return tf.squeeze(_stacked(parts, -2), -1)

    def _trace(self) -> Any:
        return reduce(lambda a, b: a + b, [one.trace() for one in self._diagonal()])

    def _eigvals(self) -> Any:
        parts = [one.eigvals()[..., tf.newaxis] for one in self._diagonal()]
        return tf.squeeze(_stacked(parts, -2), -1)
