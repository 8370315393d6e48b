"""Operators made of others: inverses, adjoints, products, Kronecker products, low-rank updates."""

from __future__ import annotations

from functools import reduce
from typing import Any

import tapeflow as tf
from tapeflow.base.exports import export
from tapeflow.linear_operators.operator import (
    FLOATS,
    LinearOperator,
    _batched,
    agreed,
    general,
    joined,
    kept,
    sizes,
)
from tapeflow.linear_operators.simple import LinearOperatorDiag, LinearOperatorIdentity

HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")


def hints_of(operators: list, *own: bool | None) -> dict[str, Any]:
    """What is known of an operator made of others: what the user says, or what all of them are."""
    return {word: agreed(*[getattr(one, word) for one in operators]) if said is None else said
            for word, said in zip(HINTS, own, strict=True)}


def check_hints(operators: list, known: dict[str, Any], what: str) -> None:
    """Products and sums of operators that all have a property have it too."""
    for word in ("is_non_singular", "is_self_adjoint", "is_positive_definite"):
        if known[word] is False and all(getattr(one, word) for one in operators):
            raise ValueError(f"The {what} of operators for which {word} holds is such an operator. "
                             f"Received: {word}=False")


def checked(operator: Any) -> Any:
    """An operator; TypeError for anything else."""
    if not isinstance(operator, LinearOperator):
        raise TypeError(f"Expected a LinearOperator. Found: {type(operator)}")
    return operator


def _same_dtype(operators: list) -> Any:
    if not operators:
        raise ValueError("Expected a non-empty list of operators. Found: []")
    dtype = checked(operators[0]).dtype
    if any(checked(one).dtype != dtype for one in operators):
        found = [(one.name, one.dtype) for one in operators]
        raise TypeError(f"Expected all operators to have the same dtype.  Found {found}")
    return dtype


def _batch_shape(operators: list) -> Any:
    return reduce(tf.broadcast_static_shape, [one.batch_shape for one in operators])


@export("linalg.LinearOperatorInversion")
@general("inverse")
class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator, never computed: products are systems."""

    def __init__(self, operator: LinearOperator, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None):
        if checked(operator).is_square is False or operator.is_non_singular is False:
            raise ValueError(f"operator must be square and non-singular, {operator.name} is not.")
        if is_non_singular is False or is_square is False:
            raise ValueError("An inverse is always square and non-singular.")
        self._operator = operator
        super().__init__(operator.dtype, None,
                         operator.is_non_singular if is_non_singular is None else is_non_singular,
                         operator.is_self_adjoint if is_self_adjoint is None else is_self_adjoint,
                         operator.is_positive_definite if is_positive_definite is None else (
                             is_positive_definite), True, name or f"{operator.name}_inv")

    @property
    def operator(self) -> LinearOperator:
        return self._operator

    def _shape(self) -> Any:
        return self._operator.shape

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._operator.solve(x, adjoint=adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator.matmul(rhs, adjoint=adjoint)

    def _determinant(self) -> Any:
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -self._operator.log_abs_determinant()

    def _eigvals(self) -> Any:
        return 1.0 / self._operator.eigvals()

    def _inverse(self) -> LinearOperator:
        return self._operator


@export("linalg.LinearOperatorAdjoint")
@general("adjoint")
class LinearOperatorAdjoint(LinearOperator):
    """The conjugate transpose of an operator."""

    def __init__(self, operator: LinearOperator, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None):
        self._operator = checked(operator)
        hints = [own if own is not None else theirs for own, theirs in (
            (is_non_singular, operator.is_non_singular),
            (is_self_adjoint, operator.is_self_adjoint),
            (is_positive_definite, operator.is_positive_definite),
            (is_square, operator.is_square))]
        super().__init__(operator.dtype, None, hints[0], hints[1], hints[2], hints[3],
                         name or f"{operator.name}_adjoint")

    @property
    def operator(self) -> LinearOperator:
        return self._operator

    def _shape(self) -> Any:
        shape = self._operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _to_dense(self) -> Any:
        return tf.linalg.adjoint(self._operator.to_dense())

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return self._operator.matmul(x, adjoint=not adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        return self._operator.solve(rhs, adjoint=not adjoint)

    def _determinant(self) -> Any:
        det = self._operator.determinant()
        return tf.math.conj(det) if self.is_self_adjoint is not True else det

    def _log_abs_determinant(self) -> Any:
        return self._operator.log_abs_determinant()

    def _trace(self) -> Any:
        return tf.math.conj(self._operator.trace())

    def _diag_part(self) -> Any:
        return tf.math.conj(self._operator.diag_part())

    def _eigvals(self) -> Any:
        return tf.math.conj(self._operator.eigvals())

    def _adjoint(self) -> LinearOperator:
        return self._operator


@export("linalg.LinearOperatorComposition")
@general("product")
class LinearOperatorComposition(LinearOperator):
    """Operators one after the other; the last is applied first."""

    def __init__(self, operators: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None):
        self._operators = list(operators)
        dtype = _same_dtype(self._operators)
        if all(one.is_non_singular for one in self._operators):
            if is_non_singular is False:
                raise ValueError("The composition of non-singular operators is always "
                                 "non-singular.")
            is_non_singular = True
        if is_square is None:
            is_square = agreed(*[one.is_square for one in self._operators])
        super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name or "_o_".join(one.name for one in self._operators))

    @property
    def operators(self) -> list:
        return self._operators

    def _shape(self) -> Any:
        sides = [self._operators[0].range_dimension, self._operators[-1].domain_dimension]
        return _batch_shape(self._operators).concatenate(sides)

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        for one in self._operators if adjoint else reversed(self._operators):
            x = one.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        for one in reversed(self._operators) if adjoint else self._operators:
            rhs = one.solve(rhs, adjoint=adjoint)
        return rhs

    def _to_dense(self) -> Any:
        result = self._operators[-1].to_dense()
        for one in reversed(self._operators[:-1]):
            result = one.matmul(result)
        return result

    def _determinant(self) -> Any:
        return reduce(lambda a, b: a * b, [one.determinant() for one in self._operators])

    def _log_abs_determinant(self) -> Any:
        return reduce(lambda a, b: a + b, [one.log_abs_determinant() for one in self._operators])


@export("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators; each works along an axis of its own."""

    def __init__(self, operators: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None):
        self._operators = list(operators)
        dtype = _same_dtype(self._operators)
        known = hints_of(self._operators, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square)
        check_hints(self._operators, known, "Kronecker product")
        names = "_x_".join(one.name for one in self._operators)
        super().__init__(dtype, None, name=name or names, **known)

    @property
    def operators(self) -> list:
        return self._operators

    def _sides(self, axis: int) -> list:
        return [one._size(axis) for one in self._operators]

    def _shape(self) -> Any:
        def whole(axis: int) -> Any:
            sides = [one.shape[axis] for one in self._operators]
            return None if None in sides else reduce(lambda a, b: a * b, sides)

        return _batch_shape(self._operators).concatenate([whole(-2), whole(-1)])

    def _along_axes(self, x: Any, axis: int, apply: Any) -> Any:
        """Rows of x are split into one axis for each operator, which works along it."""
        count = len(self._operators)
        columns = tf.shape(x)[-1]
        batch = tf.shape(x)[:-2]
        sides = list(self._sides(axis))
        x = tf.reshape(x, joined(batch, sides, [columns]))
        for position, one in enumerate(self._operators):
            rank = x.shape.rank
            at = rank - count - 1 + position
            order = [i for i in range(rank) if i != at]
            front, rest = order[:rank - count - 1], order[rank - count - 1:]
            moved = tf.transpose(x, [*front, at, *rest])
            shape = tf.shape(moved)
            flat = tf.reshape(moved, joined(batch, [shape[len(front)]], [-1]))
            result = apply(one, flat)
            batch = tf.shape(result)[:-2] if result.shape.rank == len(front) + 2 else batch
            back = tf.reshape(result, tf.concat([tf.shape(result)[:-1], shape[len(front) + 1:]], 0))
            x = tf.transpose(back, [order.index(i) + 1 if i >= len(front) and i != at else
                                    (len(front) if i == at else i) for i in range(rank)])
        return tf.reshape(x, joined(batch, [-1], [columns]))

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        if any(one.batch_shape.rank for one in self._operators):
            return tf.matmul(self.to_dense(), x, adjoint_a=adjoint)
        return self._along_axes(x, -2 if adjoint else -1,
                                lambda one, part: one.matmul(part, adjoint=adjoint))

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        if any(one.batch_shape.rank for one in self._operators):
            return super()._solve(rhs, adjoint)
        return self._along_axes(rhs, -1 if adjoint else -2,
                                lambda one, part: one.solve(part, adjoint=adjoint))

    def _to_dense(self) -> Any:
        def pair(a: Any, b: Any) -> Any:
            whole = tf.einsum("...ij,...kl->...ikjl", a, b)
            shape = tf.shape(whole)
            sides = [shape[-4] * shape[-3], shape[-2] * shape[-1]]
            return tf.reshape(whole, joined(shape[:-4], sides))

        return tf.ensure_shape(reduce(pair, [one.to_dense() for one in self._operators]),
                               self.shape)

    def _powers(self) -> list:
        sides = self._sides(-1)
        total = reduce(lambda a, b: a * b, sides)
        return [total // side for side in sides]

    def _determinant(self) -> Any:
        parts = [one.determinant() ** tf.cast(power, self.dtype)
                 for one, power in zip(self._operators, self._powers(), strict=True)]
        return reduce(lambda a, b: a * b, parts)

    def _log_abs_determinant(self) -> Any:
        parts = [one.log_abs_determinant() * tf.cast(power, self.dtype)
                 for one, power in zip(self._operators, self._powers(), strict=True)]
        return reduce(lambda a, b: a + b, parts)

    def _outer(self, vectors: list) -> Any:
        def pair(a: Any, b: Any) -> Any:
            whole = a[..., :, tf.newaxis] * b[..., tf.newaxis, :]
            return tf.reshape(whole, joined(tf.shape(whole)[:-2], [-1]))

        return reduce(pair, vectors)

    def _diag_part(self) -> Any:
        return self._outer([one.diag_part() for one in self._operators])

    def _trace(self) -> Any:
        return reduce(lambda a, b: a * b, [one.trace() for one in self._operators])

    def _eigvals(self) -> Any:
        return self._outer([one.eigvals() for one in self._operators])

    def _each(self, operators: list) -> LinearOperator:
        return LinearOperatorKronecker(
            operators, is_non_singular=self.is_non_singular, is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite, is_square=self.is_square)

    def _inverse(self) -> LinearOperator:
        return self._each([one.inverse() for one in self._operators])

    def _adjoint(self) -> LinearOperator:
        return self._each([one.adjoint() for one in self._operators])

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorKronecker([one.cholesky() for one in self._operators],
                                       is_non_singular=True, is_square=True)


@export("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D Vᴴ: an operator and a product of few columns; systems by the Woodbury formula."""

    def __init__(self, base_operator: LinearOperator, u: Any, diag_update: Any = None,
                 v: Any = None, is_diag_update_positive: bool | None = None,
                 is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorLowRankUpdate"):
        self._base, self._u = checked(base_operator), kept(u, "u", FLOATS)
        self._v = self._u if v is None else kept(v, "v", FLOATS)
        self._update = None if diag_update is None else kept(diag_update, "diag_update", FLOATS)
        for word, given in (("u", self._u), ("v", self._v), ("diag_update", self._update)):
            if given is not None and given.dtype != base_operator.dtype:
                raise TypeError(f"Argument {word} has dtype {given.dtype}, base_operator "
                                f"{base_operator.dtype}.")
        columns = self._u.shape[-1:]
        base_operator.shape[-2:-1].assert_is_compatible_with(self._u.shape[-2:-1])
        if self._update is not None:
            columns.assert_is_compatible_with(self._update.shape[-1:])
        tf.broadcast_static_shape(self._u.shape, self._v.shape)
        if diag_update is None:
            is_diag_update_positive = True
        self._positive = is_diag_update_positive
        real = self._update is None or not self._update.dtype.is_complex
        if v is None and base_operator.is_self_adjoint:
            if is_self_adjoint is None and (real or self._positive):
                is_self_adjoint = True
            if self._positive and base_operator.is_positive_definite and (
                    is_positive_definite is None):
                is_positive_definite = True
        super().__init__(base_operator.dtype, None, is_non_singular, is_self_adjoint,
                         is_positive_definite, is_square, name)

    @property
    def base_operator(self) -> LinearOperator:
        return self._base

    @property
    def u(self) -> Any:
        return self._u

    @property
    def v(self) -> Any:
        return self._v

    @property
    def is_diag_update_positive(self) -> bool | None:
        return self._positive

    @property
    def diag_update(self) -> Any:
        return self._update

    @property
    def diag_operator(self) -> LinearOperator:
        """D as an operator."""
        if self._update is None:
            return LinearOperatorIdentity(sizes(self._u)[-1], dtype=self.dtype)
        return LinearOperatorDiag(self._update, is_positive_definite=self._positive)

    def _shape(self) -> Any:
        parts = [self._base.batch_shape, self._u.shape[:-2], self._v.shape[:-2]]
        return reduce(tf.broadcast_static_shape, parts).concatenate(self._base.shape[-2:])

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        inner = self.diag_operator.matmul(tf.matmul(right, x, adjoint_a=True), adjoint=adjoint)
        return self._base.matmul(x, adjoint=adjoint) + tf.matmul(left, inner)

    def _to_dense(self) -> Any:
        update = self.diag_operator.matmul(tf.linalg.adjoint(tf.convert_to_tensor(self._v)))
        return self._base.to_dense() + tf.matmul(self._u, update)

    def _capacitance(self) -> Any:
        """D⁻¹ + Vᴴ L⁻¹ U, as small as there are columns."""
        inner = tf.matmul(self._v, self._base.solve(tf.convert_to_tensor(self._u)), adjoint_a=True)
        return self.diag_operator.inverse().add_to_tensor(inner)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        plain = self._base.solve(rhs, adjoint=adjoint)
        inner = tf.matmul(right, plain, adjoint_a=True)
        weights = tf.linalg.solve(*_batched(self._capacitance(), inner), adjoint=adjoint)
        return plain - self._base.solve(tf.matmul(left, weights), adjoint=adjoint)

    def _determinant(self) -> Any:
        return (tf.linalg.det(self._capacitance()) * self.diag_operator.determinant()
                * self._base.determinant())

    def _log_abs_determinant(self) -> Any:
        return (tf.linalg.slogdet(self._capacitance())[1]
                + self.diag_operator.log_abs_determinant() + self._base.log_abs_determinant())

    def _diag_part(self) -> Any:
        scaled = self.diag_operator.matmul(tf.linalg.matrix_transpose(tf.math.conj(
            tf.convert_to_tensor(self._v))))
        products = tf.convert_to_tensor(self._u) * tf.linalg.matrix_transpose(scaled)
        return self._base.diag_part() + tf.reduce_sum(products, axis=-1)
