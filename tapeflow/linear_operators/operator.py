"""What all linear operators share: shapes, hints, and every method by way of the dense matrix.

A subclass says its shape and one of `_matmul` and `_to_dense`, and whatever it knows a shorter way
to.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeflow as tf
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.values.composite import Composite
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.linear_operators.operator_spec import LinearOperatorSpec


def kept(value: Any, name: str, dtypes: tuple = ()) -> Any:
    """A parameter: a variable stays one, so that gradients reach it; the rest becomes a Tensor."""
    if not isinstance(value, (Tensor, Variable)):
        value = tf.convert_to_tensor(value)
    if dtypes and value.dtype not in dtypes:
        raise TypeError(f"Argument {name} must have dtype in {list(dtypes)}.  Found: {value.dtype}")
    return value


FLOATS = (tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128)


def _tensor_of(argument: Any) -> Any:
    """An argument that is an array or a list of real numbers as a tensor; others as they are."""
    if isinstance(argument, (list, tuple)):
        try:
            parts = tf.nest.flatten(argument)
        except unsignalled(RecursionError):  # a list that holds itself
            return argument
        if not any(type(one) in (float, complex) for one in parts) or not all(
                type(one) in (int, float, complex) for one in parts):
            return argument
    elif not isinstance(argument, np.ndarray):
        return argument
    return tf.convert_to_tensor(argument)


def dims(shape: Any) -> list:
    """The sizes in a shape that may have unknown ones: those as scalar tensors."""
    return tf.TensorShape(shape).as_list()


def sizes(x: Any) -> Any:
    """The shape of a tensor as a vector, static if it is known."""
    return x.shape.as_list() if x.shape.is_fully_defined() else tf.shape(x)


def joined(*parts: Any) -> Any:
    """Parts of a shape, each a list or a vector, as one."""
    if all(isinstance(one, (list, tuple)) for one in parts):
        return [n for one in parts for n in one]
    return tf.concat([tf.convert_to_tensor(one, tf.int32) for one in parts], 0)


def agreed(*hints: bool | None) -> bool | None:
    """What hints of the parts of a product say of the whole: True only if all are."""
    return True if all(hint is True for hint in hints) else None


GENERAL: dict[str, Any] = {}  # classes of the inverse, adjoint … where an operator knows no better


def general(result: str) -> Callable:
    """Class decorator: the result of a method in general, where a class does not define it."""
    def enter(cls: type) -> type:
        GENERAL[result] = cls
        return cls

    return enter


@export("linalg.LinearOperator")
class LinearOperator(tf.Module, Composite):
    """A matrix, or a batch of them, by what can be done with it."""

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_given", "_parameters"})

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """A new operator, which knows the arguments of its constructor."""
        made = super().__new__(cls)
        made._given = made._no_dependency((tuple(map(_tensor_of, args)), {
            name: _tensor_of(value) for name, value in kwargs.items()}))
        return made

    @property
    def _type_spec(self) -> Any:
        return LinearOperatorSpec.of(self)

    def __init__(self, dtype: Any, graph_parents: Any = None, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None,
                 parameters: dict | None = None):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        label = name or type(self).__name__
        super().__init__(label if label.isidentifier() else None)
        self._label = label
        ndim = getattr(dtype, "ndim", 0)
        if isinstance(ndim, int) and ndim and math.prod(dtype.shape) != 1:
            raise ValueError("The truth value of an array that has not one element is ambiguous.")
        self._dtype = None if dtype is None else tf.as_dtype(dtype)
        self._is_non_singular, self._is_self_adjoint = is_non_singular, is_self_adjoint
        self._is_positive_definite, self._is_square_hint = is_positive_definite, is_square
        self._parameters = None if parameters is None else self._no_dependency(dict(parameters))

    # -- what a subclass says ----------------------------------------------------------------------
    def _shape(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say its shape.")

    def _shape_tensor(self) -> Any:
        return tf.shape(self.to_dense())

    def _to_dense(self) -> Any:
        return self.matmul(tf.eye(self._size(-1), batch_shape=self._batch(), dtype=self.dtype))

    def _matmul(self, x: Any, adjoint: bool) -> Any:
        return tf.matmul(self.to_dense(), x, adjoint_a=adjoint)

    def _solve(self, rhs: Any, adjoint: bool) -> Any:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        matrix = self.to_dense()
        if self.is_positive_definite and self.is_self_adjoint:
            factor = tf.linalg.cholesky(matrix)
            return tf.linalg.cholesky_solve(*_batched(factor, rhs))
        # Whatever is true is True; what is not true must be False, as in TensorFlow.
        return tf.linalg.solve(*_batched(matrix, rhs), adjoint=adjoint and True)

    def _determinant(self) -> Any:
        if self.is_positive_definite and self.is_self_adjoint:
            return tf.exp(self.log_abs_determinant())
        return tf.linalg.det(self.to_dense())

    def _log_abs_determinant(self) -> Any:
        if self.is_positive_definite and self.is_self_adjoint:
            diagonal = tf.linalg.diag_part(tf.linalg.cholesky(self.to_dense()))
            return 2 * tf.reduce_sum(tf.math.log(tf.math.real(diagonal)), axis=[-1])
        return tf.linalg.slogdet(self.to_dense())[1]

    def _diag_part(self) -> Any:
        return tf.linalg.diag_part(self.to_dense())

    def _trace(self) -> Any:
        return tf.reduce_sum(self.diag_part(), axis=-1)

    def _eigvals(self) -> Any:
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return tf.linalg.eigvalsh(self.to_dense())

    def _inverse(self) -> LinearOperator:
        return GENERAL["inverse"](
            self, is_non_singular=self.is_non_singular, is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite, is_square=self.is_square)

    def _adjoint(self) -> LinearOperator:
        return GENERAL["adjoint"](
            self, is_non_singular=self.is_non_singular, is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite, is_square=self.is_square)

    def _cholesky(self) -> LinearOperator:
        return GENERAL["cholesky"](tf.linalg.cholesky(self.to_dense()), is_non_singular=True,
                                   is_self_adjoint=False, is_square=True)

    # -- shapes and hints ------------------------------------------------------------------------
    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def name(self) -> str:
        return self._label

    @property
    def parameters(self) -> dict:
        """The arguments of the constructor."""
        if self._parameters is not None:
            return dict(self._parameters)
        args, kwargs = self._given
        bound = inspect.signature(type(self).__init__).bind(self, *args, **kwargs)
        bound.apply_defaults()
        return dict(list(bound.arguments.items())[1:])

    @property
    def graph_parents(self) -> list:
        return []

    @property
    def is_non_singular(self) -> bool | None:
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        known = None if None in (self.range_dimension, self.domain_dimension) else (
            self.range_dimension == self.domain_dimension)
        if known and self._is_square_hint is False:
            raise ValueError(f"User set is_square hint to False, but the operator {self.name} was "
                             f"square: {self.shape}.")
        return known if self._is_square_hint is None else self._is_square_hint

    @property
    def shape(self) -> Any:
        return tf.TensorShape(self._shape())

    @property
    def batch_shape(self) -> Any:
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        return self.shape.rank

    @property
    def range_dimension(self) -> int | None:
        return self.shape[-2]

    @property
    def domain_dimension(self) -> int | None:
        return self.shape[-1]

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """The shape as a vector."""
        if self.shape.is_fully_defined():
            return tf.constant(self.shape.as_list(), tf.int32)
        return self._shape_tensor()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The shape of the batch as a vector."""
        return self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """The number of axes, those of the batch included."""
        return tf.size(self.shape_tensor())

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """The number of rows."""
        return self.shape_tensor()[-2]

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """The number of columns."""
        return self.shape_tensor()[-1]

    def _size(self, axis: int) -> Any:
        size = self.shape[axis]
        return self.shape_tensor()[axis] if size is None else size

    def _batch(self) -> Any:
        shape = self.batch_shape
        return shape.as_list() if shape.is_fully_defined() else self.batch_shape_tensor()

    # -- products and systems ----------------------------------------------------------------------
    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False,
               name: str = "matmul") -> Any:
        """The product with a matrix, or with another operator."""
        if isinstance(x, LinearOperator):
            left = self.adjoint() if adjoint else self
            return product(left, x.adjoint() if adjoint_arg else x)
        x = self._operand(x, adjoint_arg)
        self._fits(x, -1 if not adjoint else -2)
        return self._matmul(x, adjoint)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """The product with a vector."""
        x = self._operand(x, False, 1)
        return tf.squeeze(self.matmul(x[..., tf.newaxis], adjoint=adjoint), axis=-1)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False,
              name: str = "solve") -> Any:
        """x with `operator x = rhs`; rhs may be another operator."""
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is "
                                      "expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is "
                                      "expected to not be square.")
        if isinstance(rhs, LinearOperator):
            left = self.adjoint() if adjoint else self
            return product(left.inverse(), rhs.adjoint() if adjoint_arg else rhs)
        rhs = self._operand(rhs, adjoint_arg)
        self._fits(rhs, -1 if adjoint else -2)
        return self._solve(rhs, adjoint)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """x with `operator x = rhs` for a vector."""
        rhs = self._operand(rhs, False, 1)
        return tf.squeeze(self.solve(rhs[..., tf.newaxis], adjoint=adjoint), axis=-1)

    def _operand(self, x: Any, adjoint: bool, rank: int = 2) -> Any:
        x = tf.convert_to_tensor(x)
        if self.dtype is not None and x.dtype != self.dtype:
            raise TypeError(f"Input argument has dtype {x.dtype}, the operator {self.name} has "
                            f"{self.dtype}.")
        if x.shape.rank is not None and x.shape.rank < rank:
            raise ValueError(f"Shape {x.shape} must have rank at least {rank}")
        return tf.linalg.adjoint(x) if adjoint else x

    def _fits(self, x: Any, axis: int) -> None:
        own, theirs = self.shape[axis], x.shape[-2]
        if own is not None and theirs is not None and own != theirs:
            raise ValueError(f"Dimensions {own} and {theirs} are not compatible: {self.name} of "
                             f"shape {self.shape} and an argument of shape {x.shape}.")

    # -- numbers -----------------------------------------------------------------------------------
    def _square_only(self, what: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(f"{what} not implemented for an operator that is expected to "
                                      "not be square.")

    def determinant(self, name: str = "det") -> Any:
        """The determinant of each matrix."""
        self._square_only("Determinant")
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """The logarithm of the absolute value of the determinant."""
        self._square_only("Determinant")
        return self._log_abs_determinant()

    def diag_part(self, name: str = "diag_part") -> Any:
        """The diagonal."""
        return self._diag_part()

    def trace(self, name: str = "trace") -> Any:
        """The sum of the diagonal."""
        return self._trace()

    def eigvals(self, name: str = "eigvals") -> Any:
        """The eigenvalues of a self-adjoint operator."""
        return self._eigvals()

    def cond(self, name: str = "cond") -> Any:
        """The condition number, in the 2-norm."""
        if self.is_self_adjoint and self.is_square is not False:
            values = tf.abs(self.eigvals())
        else:
            values = tf.linalg.svd(self.to_dense(), compute_uv=False)
        return tf.reduce_max(values, axis=-1) / tf.reduce_min(values, axis=-1)

    # -- other operators ---------------------------------------------------------------------------
    def to_dense(self, name: str = "to_dense") -> Any:
        """The matrix as a Tensor."""
        return self._to_dense()

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """The matrix plus a Tensor."""
        return self.to_dense() + self._operand(x, False, 0)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The inverse, as an operator."""
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square "
                             "matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        return self._inverse()

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The conjugate transpose, as an operator."""
        return self if self.is_self_adjoint is True else self._adjoint()

    @property
    def H(self) -> LinearOperator:
        return self.adjoint()

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The Cholesky factor of a self-adjoint, positive definite operator."""
        if not self.is_self_adjoint or not self.is_positive_definite:
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self "
                             "adjoint matrix.")
        return self._cholesky()

    # -- assertions --------------------------------------------------------------------------------
    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """An error unless the operator is well-conditioned."""
        least = np.finfo(self.dtype.real_dtype.np).eps
        tf.debugging.assert_less(self.cond(), tf.constant(1 / least, self.dtype.real_dtype),
                                 message="Singular matrix up to precision epsilon.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        """An error unless the operator is self-adjoint with positive eigenvalues."""
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        tf.debugging.assert_positive(
            tf.math.real(tf.linalg.diag_part(tf.linalg.cholesky(self.to_dense()))),
            "Matrix was not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> None:
        """An error unless the operator is its own adjoint."""
        matrix = self.to_dense()
        tf.debugging.assert_equal(matrix, tf.linalg.adjoint(matrix),
                                  message="Matrix was not equal to its adjoint.")


def _batched(matrix: Any, rhs: Any) -> tuple[Any, Any]:
    """Both with the batch shape that they broadcast to."""
    if matrix.shape[:-2] == rhs.shape[:-2] and matrix.shape.is_fully_defined():
        return matrix, rhs
    batch = tf.broadcast_dynamic_shape(tf.shape(matrix)[:-2], tf.shape(rhs)[:-2])
    return (tf.broadcast_to(matrix, tf.concat([batch, tf.shape(matrix)[-2:]], 0)),
            tf.broadcast_to(rhs, tf.concat([batch, tf.shape(rhs)[-2:]], 0)))


PRODUCTS: list[Callable] = []  # each may know a simpler form of a product, else gives None


def product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """Two operators one after the other, in the simplest form that is known."""
    if left.shape[-1] is not None and right.shape[-2] is not None and (
            left.shape[-1] != right.shape[-2]):
        raise ValueError(f"Operators are incompatible. Expected `x` to have dimension "
                         f"{left.shape[-1]} but got {right.shape[-2]}.")
    for simpler in PRODUCTS:
        found = simpler(left, right)
        if found is not None:
            return found
    return GENERAL["product"](
        [left, right], is_non_singular=agreed(left.is_non_singular, right.is_non_singular),
        is_square=agreed(left.is_square, right.is_square))
