"""Ops on sparse tensors that act on their values: by dispatch, and with dense tensors beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.exports import export
from tapeflow.core.record.elementwise_ops import identity
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.record.primitive_ops import cast, concat, reshape
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import brackets, joined, sizes_of
from tapeflow.ops.array.shape_ops import rank_op, shape_op, size_op
from tapeflow.ops.array.shape_ops import size as size_of
from tapeflow.ops.indexing.gathering import boolean_mask, take
from tapeflow.ops.indexing.scattering import tensor_scatter_nd_add
from tapeflow.ops.math import comparison, rounding
from tapeflow.ops.math.arithmetic import divide, multiply, negative, realdiv
from tapeflow.ops.math.complex import complex_abs
from tapeflow.ops.math.exponential import sqrt, square
from tapeflow.ops.math.logical import logical_or
from tapeflow.ops.math.rounding import abs_real, sign_real
from tapeflow.ops.math.special import erf
from tapeflow.ops.math.trigonometric import sin, tanh
from tapeflow.ops.sparse.coordinate_ops import flat_index, union
from tapeflow.ops.sparse.sparse_tensor import SparseTensor, as_sparse, dispatcher, sparse


# What TensorFlow lets act on the values of a sparse tensor.
@dispatcher.on(abs_real, complex_abs, negative, sign_real, square, sqrt, tanh, sin, erf, cast,
               identity)
def _on_values(op: Any, sp: SparseTensor, **attrs: Any) -> SparseTensor:
    return sp.with_values(op.call(sp.values, **attrs))


@dispatcher.on(realdiv)
def _divide(op: Any, a: Any, b: Any) -> Any:
    if not isinstance(a, SparseTensor) or isinstance(b, SparseTensor):
        raise dispatcher.refusal([a, b])
    return with_dense(op.call, a, b)


@dispatcher.on(multiply)
def _multiply(op: Any, a: Any, b: Any) -> Any:
    """dense * sparse, as an operator; tf.multiply refuses sparse tensors in TensorFlow."""
    if isinstance(a, SparseTensor) and isinstance(b, SparseTensor):
        raise dispatcher.refusal([a, b])
    return with_dense(op.call, a, b) if isinstance(a, SparseTensor) else with_dense(
        lambda x, y: op.call(y, x), b, a)


@dispatcher.on(shape_op)
def _shape(op: Any, sp: SparseTensor, dtype: Any) -> Tensor:
    return cast(sp.dense_shape, dtype=dtype)


@dispatcher.on(size_op)
def _size(op: Any, sp: SparseTensor, dtype: Any) -> Tensor:
    from tapeflow.ops.reduce.reduction import reduce_prod
    return cast(reduce_prod(sp.dense_shape, axis=None), dtype=dtype)


@dispatcher.on(rank_op)
def _rank(op: Any, sp: SparseTensor) -> Tensor:
    rank = sp.shape.rank
    return size_op(sp.dense_shape, dtype=np.dtype("i4")) if rank is None else wrap(np.int32(rank))


def with_dense(function: Callable, sp: SparseTensor, other: Tensor) -> SparseTensor:
    """A function of the values and of the dense tensor's values at the same coordinates."""
    if not isinstance(other, Tensor):
        raise ValueError(f"A SparseTensor and a {type(other).__name__} cannot be combined.")
    shape, own = shape_of(other), None if sp.shape.rank is None else sp.shape.as_list()
    if own is not None and (len(shape) > len(own) or any(
            n not in (1, m) for n, m in zip(reversed(shape), reversed(own)) if n and m)):
        raise errors.invalid("SparseDenseCwiseMul", (
            "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
            f"{brackets(own)} vs. {brackets(shape)}"))
    if not shape:
        return sp.with_values(function(sp.values, other))
    index = flat_index(sp.indices, shape=joined(sizes_of(other)))
    return sp.with_values(function(sp.values, take(
        reshape(other, shape=(-1,)), index, axis=0, batch_dims=0)))


def _times(self: SparseTensor, other: Any) -> Any:
    return _with_other(multiply, self, other)


def _over(self: SparseTensor, other: Any) -> Any:
    divisor = operand(other, None if isinstance(other, Tensor) else self.dtype)
    if type(divisor) is Tensor and (divisor._value == 0).any():
        raise errors.invalid("SparseDenseCwiseDiv", "SparseDenseCwiseDiv cannot divide by "
                             "zero, but input dense tensor contains zero")
    return _with_other(divide, self, other)


def _with_other(function: Callable, sp: SparseTensor, other: Any) -> Any:
    dense("other", other)
    return with_dense(function, sp, operand(
        other, None if isinstance(other, Tensor) else sp.dtype))


for _name, _method in (("mul", _times), ("truediv", _over), ("div", _over)):
    setattr(SparseTensor, f"__{_name}__", _method)


@export("sparse.map_values")
def map_values(op: Callable, *args: Any, **kwargs: Any) -> Any:
    """`op` of the values of the sparse arguments, which must have the same coordinates.

    >>> tf.sparse.map_values(tf.add, tf.sparse.from_dense([[1, 0]]), 5).values
    <tf.Tensor: shape=(1,), dtype=int32, numpy=array([6], dtype=int32)>
    """
    found: list[SparseTensor] = []

    def values(x: Any) -> Any:
        if isinstance(x, SparseTensor):
            found.append(x)
            return x.values
        if isinstance(x, (list, tuple)):
            return type(x)([values(one) for one in x])
        if isinstance(x, dict):
            return {key: values(one) for key, one in x.items()}
        return x

    args = tuple(values(x) for x in args)
    kwargs = {key: values(x) for key, x in kwargs.items()}
    if not found:
        raise ValueError("No SparseTensor in argument list of map_values")
    first = found[0]
    for other in found[1:]:
        for ours, theirs, what in ((first.indices, other.indices, "indices"),
                                   (first.dense_shape, other.dense_shape, "dense shapes")):
            a, b = ours._interpreter, theirs._interpreter
            if a is None and b is None and not np.array_equal(ours._value, theirs._value):
                raise errors.invalid("Assert", f"SparseTensors must have the same {what}")
    return first.with_values(op(*args, **kwargs))


# -- sums and extremes of two ----------------------------------------------------------------------
def _two(a: SparseTensor, b: SparseTensor, op: str) -> tuple:
    """Coordinates of either, both tensors' values there (zero for none), where one has none."""
    if a.dtype != b.dtype:
        raise errors.invalid(op, f"cannot compute {op} of {a.dtype.name} and {b.dtype.name}")
    ours, theirs = a.shape, b.shape
    if ours.rank != theirs.rank:
        raise errors.invalid(op, "Operands' should have the same number of dimensions: "
                                 f"{ours} and {theirs}")
    if not ours.is_compatible_with(theirs):
        raise errors.invalid(op, f"Operands' shapes do not match: got {ours} and {theirs}")
    indices, first, second = union(a.indices, b.indices, shape=a._sizes)
    zero = wrap(np.zeros(1, a.dtype.np))
    values, missing = [], []
    for x, sources in ((a, first), (b, second)):
        values.append(take(concat(x.values, zero, axis=0), sources, axis=0, batch_dims=0))
        missing.append(sources == cast(size_of(x.values), dtype=np.dtype("int64")))
    return indices, values, logical_or(*missing)


@export("sparse.add")
def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum of two sparse tensors, or of a sparse and a dense one, which is dense.

    Sums of two values that are less than `threshold` in magnitude are dropped.
    """
    kinds = [isinstance(x, SparseTensor) for x in (a, b)]
    if not any(kinds):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not all(kinds):
        sp, dense = (a, operand(b, None if isinstance(b, Tensor) else a.dtype)) if kinds[0] else (
            b, operand(a, None if isinstance(a, Tensor) else b.dtype))
        if not sp.shape.is_compatible_with(dense.shape):
            raise errors.invalid("SparseTensorDenseAdd", f"shapes do not match: {sp.shape} and "
                                                         f"{dense.shape}")
        if sp.dtype != dense.dtype:
            raise errors.invalid("SparseTensorDenseAdd", f"dtypes do not match: {sp.dtype.name} "
                                                         f"and {dense.dtype.name}")
        return tensor_scatter_nd_add(dense, sp.indices, sp.values)
    indices, (x, y), alone = _two(a, b, "SparseAdd")
    total = x + y
    if not (isinstance(threshold, (int, float)) and threshold == 0):
        least = operand(threshold, _real(a.dtype))
        if shape_of(least):
            raise errors.invalid("SparseAdd", "The magnitude threshold must be a scalar: got shape "
                                              f"{list(shape_of(least))}")
        kept = logical_or(alone, rounding.abs(total) >= least)
        indices, total = boolean_mask(indices, kept), boolean_mask(total, kept)
    return sparse(indices, total, a.dense_shape, a._static)


def _real(dtype: Any) -> Any:
    return {"complex64": dtypes.float32, "complex128": dtypes.float64}.get(dtype.name, dtype)


def _extreme(name: str, function: Callable) -> Callable:
    def extreme(sp_a: Any, sp_b: Any, name: str | None = None) -> SparseTensor:
        a, b = as_sparse(sp_a, "sp_a"), as_sparse(sp_b, "sp_b")
        indices, (x, y), _ = _two(a, b, f"SparseSparse{public.capitalize()}")
        return sparse(indices, function(x, y), a.dense_shape, a._static)

    public = name
    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"The {name} of two sparse tensors of one shape; missing values are 0."
    return export(f"sparse.{name}")(extreme)


maximum = _extreme("maximum", comparison.maximum)
minimum = _extreme("minimum", comparison.minimum)
