"""Gradients that wait for sizes, as TensorFlow's ops, which find sizes themselves in a run.

`@gradient_of("multiply")` above `def multiply(w, index, g, xs, node)` says how the gradient of
operand `index` of a record is written: `g` is the gradient of its result, `xs` its operands. What
is written so TensorFlow differentiates again; None leaves it to SymbolicGradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tapeflow.base import dtypes
from tapeflow.tensorflow_graphs.writing.operands import cast, inverse, known, like, part, rank
from tapeflow.tensorflow_graphs.writing.records.element_writers import Bounds
from tapeflow.tensorflow_graphs.writing.waiting_calls import whole

_writers: dict[str, Callable] = {}
# Records whose rules ask for no sizes, or for such that ops find in a run.
_SIZELESS: dict[str, bool] = {}


def gradient_of(*names: str) -> Callable[[Callable], Callable]:
    """Register a function that writes the waiting gradients of records."""
    def register(function: Callable) -> Callable:
        _writers.update(dict.fromkeys(names, function))
        return function

    return register


def gradient_writer(name: str) -> Callable | None:
    """The function that writes the waiting gradients of a record."""
    return _writers.get(name)


def summed(w: Any, g: Any, shape: Any, other: Any) -> Any:
    """A gradient of the shape that `shape` and `other` broadcast to, summed to `shape`."""
    axes, _ = w.BroadcastGradientArgs(shape, other)
    return w.Reshape(w.Sum(g, axes), shape)


def _fitted(w: Any, g: Any, xs: list, index: int) -> Any:
    """The gradient of one of two operands, of which either may have been broadcast."""
    if xs[1 - index].shape == ():
        return g
    shape, other = w.shape_of(xs[index]), w.shape_of(xs[1 - index])
    return summed(w, g, shape, other)


def fitted(w: Any, g: Any, x: Any, result: Any) -> Any:
    """A gradient of the shape of a result, summed to that of an operand that was broadcast."""
    return summed(w, g, w.shape_of(x), w.shape_of(result))


def _by_their_rules(*names: str) -> None:
    """Register records whose rules can be followed without sizes."""
    _SIZELESS.update(dict.fromkeys(names, True))


_by_their_rules(
    "adjust_contrast", "avg_pool", "cholesky", "cross", "cumprod", "dct", "hsv_to_rgb",
    "log_matrix_determinant", "matrix_band_part", "matrix_determinant", "matrix_diag",
    "matrix_inverse", "matrix_set_diag", "matrix_solve", "max_pool", "mirror_pad", "mix_channels",
    "permute_rows", "pick_rows", "pinv", "qr", "reduce_euclidean_norm", "repeat", "resample_image",
    "resize_nearest", "reverse_sequence", "rgb_to_hsv", "roll", "scatter_nd", "segment_max",
    "segment_mean", "segment_min", "self_adjoint_eig", "self_adjoint_eigvals", "singular_values",
    "sort", "svd", "take_along", "tensor_scatter_nd_add", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update", "top_k", "triangular_solve", "tridiagonal_solve")


def asks_no_sizes(name: str) -> bool:
    """Whether the rule of a record can be followed without sizes."""
    return _SIZELESS.get(name, False)


def of_several(w: Any, name: str, gs: list, node: Any) -> Any:
    """The gradient of a record of several results, each of which has one; None of others."""
    return _several[name](w, gs, node) if _several.get(name) else None


def _parts_joined(w: Any, gs: list, node: Any) -> Any:
    axis = node.attrs["axis"]
    return w.ConcatV2(gs, w.const(axis, dtypes.int32)) if known(axis) else None


_several: dict[str, Callable] = {"split": _parts_joined}
_summing = {"reduce_sum": lambda w, wide, g, x: wide,
            "reduce_mean": lambda w, wide, g, x: divided(w, wide, g, x)}


def _real(xs: list) -> bool:
    return all(x.dtype.is_floating for x in xs)


# -- elements --------------------------------------------------------------------------------------
@gradient_of("identity")
def identity(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return g


@gradient_of("add")
def add(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _fitted(w, g, xs, index)


@gradient_of("subtract")
def subtract(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _fitted(w, w.Neg(g) if index else g, xs, index)


@gradient_of("multiply")
def multiply(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _fitted(w, w.Mul(g, xs[1 - index]), xs, index) if _real(xs) else None


@gradient_of("divide")
def divide(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    if not _real(xs):
        return None
    found = w.RealDiv(g, xs[1])
    if index:
        found = w.Neg(w.Mul(found, w.RealDiv(xs[0], xs[1])))
    return _fitted(w, found, xs, index)


@gradient_of("squared_difference")
def squared_difference(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    if not _real(xs):
        return None
    found = w.Mul(g, w.Mul(like(w, 2, g), w.Sub(xs[index], xs[1 - index])))
    return _fitted(w, found, xs, index)


@gradient_of("maximum")
def maximum(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _chosen(w, index, g, xs, w.GreaterEqual(*xs))


@gradient_of("minimum")
def minimum(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return _chosen(w, index, g, xs, w.LessEqual(*xs))


def _chosen(w: Any, index: int, g: Any, xs: list, first: Any) -> Any:
    chosen = w.LogicalNot(first) if index else first
    return _fitted(w, w.SelectV2(chosen, g, like(w, 0, g)), xs, index)


@gradient_of("pow")
def power(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """By the base; the exponent's is TensorFlow's own."""
    if index or not _real(xs):
        return None
    x, y = xs
    less = w.Pow(x, w.Sub(y, like(w, 1, y)))
    return _fitted(w, w.Mul(g, w.Mul(y, less)), xs, 0)


@gradient_of("select")
def select(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    zero = like(w, 0, g)
    kept = w.SelectV2(xs[0], g, zero) if index == 1 else w.SelectV2(xs[0], zero, g)
    return summed(w, kept, w.shape_of(xs[index]), w.Shape(kept))


# -- shapes ----------------------------------------------------------------------------------------
@gradient_of("reshape", "expand_dims", "squeeze")
def reshape(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return w.Reshape(g, w.shape_of(xs[0]))


@gradient_of("transpose")
def transpose(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    perm = node.attrs["perm"]
    if not known(perm):
        return None
    return w.Transpose(g, w.const(np.array(inverse(perm)), dtypes.int32))


@gradient_of("broadcast_to")
def broadcast_to(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return summed(w, g, w.shape_of(xs[0]), w.shape_of(g))


@gradient_of("concat")
def concat(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """The part of g that came from one operand."""
    axis = node.attrs["axis"]
    if not known(axis) or xs[0].shape is None:
        return None
    along = w.const(np.eye(rank(xs[0]), dtype=np.int32)[axis], dtypes.int32)
    begin = w.const(np.zeros(rank(xs[0]), np.int32), dtypes.int32)
    for x in xs[:index]:
        begin = w.AddV2(begin, w.Mul(w.shape_of(x), along))
    return w.Slice(g, begin, w.shape_of(xs[index]))


@gradient_of("strided")
def strided(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    at = Bounds(w, node)
    return w.StridedSliceGrad(w.shape_of(xs[0]), *at.inputs, g, **at.masks)


@gradient_of("gradient of strided")
def strided_again(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """By the gradient of the slice, which is the first operand."""
    at = Bounds(w, node)
    return w.ZerosLike(xs[index]) if index else w.StridedSlice(g, *at.inputs, **at.masks)


# -- sums ------------------------------------------------------------------------------------------
def call_gradient(w: Any, name: str, index: int, g: Any, args: list, kwargs: dict) -> Any:
    """The gradient of a call that waits, if it is one of a sum along axes that a run brings."""
    finish = _summing.get(name)
    if finish is None or index or kwargs:
        return None
    x, axis, _ = args
    one, zero = w.const(1, dtypes.int32), w.const(0, dtypes.int32)
    at, every = cast(w, whole(w, axis), dtypes.int32), w.Range(zero, w.Rank(x), one)
    sizes = w.DynamicStitch([every, w.Reshape(w.FloorMod(at, w.Rank(x)), [-1])], [
        w.shape_of(x), w.Fill(w.Reshape(w.Size(at), [1]), one)])
    wide = w.BroadcastTo(w.Reshape(g, sizes), w.shape_of(x))
    return finish(w, wide, g, x)


def spread(w: Any, g: Any, x: Any, node: Any) -> Any:
    """The gradient of a sum, along the axes again that it went over."""
    axis, keepdims = node.attrs["axis"], node.attrs["keepdims"]
    if axis is not None and not keepdims:
        for one in sorted(axis):
            g = w.ExpandDims(g, w.const(one, dtypes.int32))
    return w.BroadcastTo(g, w.shape_of(x))


@gradient_of("reduce_sum")
def reduce_sum(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    return spread(w, g, xs[0], node)


@gradient_of("reduce_mean")
def reduce_mean(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    wide = spread(w, g, xs[0], node) if _real(xs) else None
    return None if wide is None else divided(w, wide, g, xs[0])


def divided(w: Any, wide: Any, g: Any, x: Any) -> Any:
    """Divided by how many elements went into one result."""
    one = w.const(1, dtypes.int32)
    count = w.FloorDiv(w.Size(x), w.Maximum(w.Size(g), one))
    return w.RealDiv(wide, cast(w, w.Maximum(count, one), g.dtype))


@gradient_of("matmul")
def matmul(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Of matrices; and of a stack of them with one matrix that is not transposed."""
    a, b = xs
    if not _real(xs) or a.shape is None or b.shape is None:
        return None
    if rank(b) != 2:
        return _stacked_matmul(w, index, g, xs, node)
    t_a, t_b = [node.attrs.get(name, False) for name in ("transpose_a", "transpose_b")]
    if rank(a) == 2:
        if index == 0:
            return w.MatMul(b, g, transpose_a=t_b, transpose_b=True) if t_a else w.MatMul(
                g, b, transpose_b=not t_b)
        return w.MatMul(g, a, transpose_a=True, transpose_b=t_a) if t_b else w.MatMul(
            a, g, transpose_a=not t_a)
    if t_a:
        return None
    if index == 0:
        return w.BatchMatMulV2(g, b, adj_y=not t_b)
    rows = [w.Reshape(x, w.ConcatV2([w.const([-1], dtypes.int32), part(w, w.shape_of(
        x), -1, None)], w.const(0, dtypes.int32))) for x in (a, g)]
    return w.MatMul(*(rows[::-1] if t_b else rows), transpose_a=True)


def _stacked_matmul(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Of stacks of matrices, either of which may have been broadcast."""
    a, b = xs
    t_a, t_b = [bool(node.attrs.get(name, False)) for name in ("transpose_a", "transpose_b")]
    if index == 0:
        found = w.BatchMatMulV2(b, g, adj_x=t_b, adj_y=True) if t_a else w.BatchMatMulV2(
            g, b, adj_y=not t_b)
    else:
        found = w.BatchMatMulV2(g, a, adj_x=True, adj_y=t_a) if t_b else w.BatchMatMulV2(
            a, g, adj_x=not t_a)
    return summed(w, found, w.shape_of(xs[index]), w.Shape(found))


# -- losses ----------------------------------------------------------------------------------------
def _column(w: Any, g: Any) -> Any:
    return w.ExpandDims(g, w.const(-1, dtypes.int32))


@gradient_of("sparse_softmax_cross_entropy", "softmax_cross_entropy")
def cross_entropy(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    if index == 0:
        return w.Mul(_column(w, g), xs[2])
    return w.Neg(w.Mul(_column(w, g), w.LogSoftmax(xs[0])))


@gradient_of("sparse_softmax_slope", "softmax_slope")
def slope(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    """Through softmax, whose value is p: p (g - Σ g p)."""
    if index:
        return w.Neg(g)
    p = w.Softmax(xs[0])
    return w.Mul(p, w.Sub(g, _row_sum(w, w.Mul(g, p))))


def _row_sum(w: Any, x: Any) -> Any:
    return w.Sum(x, w.const([-1], dtypes.int32), keep_dims=True)


@gradient_of("softmax")
def softmax(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    last = xs[0].shape is not None and node.attrs["axis"] == rank(xs[0]) - 1
    return slope(w, 0, g, xs, node) if last else None


@gradient_of("log_softmax")
def log_softmax(w: Any, index: int, g: Any, xs: list, node: Any) -> Any:
    if xs[0].shape is None or node.attrs["axis"] != rank(xs[0]) - 1:
        return None
    return w.Sub(g, w.Mul(w.Softmax(xs[0]), _row_sum(w, g)))
