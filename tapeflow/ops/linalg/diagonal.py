"""Diagonals and bands of matrices: band_part, diag, diag_part, set_diag, tensor_diag, trace.

Several diagonals at once are kept as TensorFlow keeps them: one row for each, the highest first,
shorter ones padded on the side that `align` says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import dense
from tapeflow.base.exports import export
from tapeflow.base.late import LatePublic
from tapeflow.core.deferrable import deferrable, deferred
from tapeflow.core.record.families import conj, operand
from tapeflow.core.record.linear import move
from tapeflow.core.record.lowering_forms import (
    Expand,
    Pointwise,
    Unsupported,
    View,
    contiguous_strides,
)
from tapeflow.core.record.op import Spec, define, shape_of
from tapeflow.core.record.primitive_ops import (
    concat,
    constant_like,
    dims,
    reduce_sum,
    reshape,
    transpose,
)
from tapeflow.core.record.samples import Case
from tapeflow.core.state import state
from tapeflow.core.values.convert import convert
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.core.values.variable import Variable
from tapeflow.ops._support.arguments import brackets, int_scalar, wrong_kind
from tapeflow.ops.indexing.basic_indexing import ALL, unstrided
from tapeflow.ops.linalg.matrices import leading
from tapeflow.ops.math.select import select

_einsum = LatePublic("einsum")

ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")
Band = tuple[int, int]  # the lowest and the highest diagonal


# -- where diagonals lie --------------------------------------------------------------------------
def _length(rows: int, columns: int, d: int) -> int:
    """How long diagonal d is: 0 the main one, positive above it."""
    return min(rows + min(d, 0), columns - max(d, 0))


def _longest(rows: int, columns: int, k: Band) -> int:
    """The length of the longest diagonal of a band."""
    low, high = k
    return min(rows + min(high, 0), columns - max(low, 0))


def _diagonal_slices(rows: int, columns: int, k: Band, align: str):
    """For each diagonal of a band, the highest first: where it lies in the flat matrix, and where
    in its own row.
    """
    longest = _longest(rows, columns, k)
    above, below = align.split("_")
    for d in range(k[1], k[0] - 1, -1):
        length = _length(rows, columns, d)
        start = d if d >= 0 else -d * columns
        left = (d >= 0 and above == "LEFT") or (d <= 0 and below == "LEFT")
        offset = 0 if left else longest - length
        stop = start + (columns + 1) * (length - 1) + 1
        yield slice(start, max(stop, start), columns + 1), slice(offset, offset + length)


def _write(out: np.ndarray, diagonals: Any, k: Band, align: str) -> None:
    """Put diagonals, one a row, into matrices that are contiguous."""
    rows, columns = out.shape[-2:]
    flat = out.reshape(*out.shape[:-2], rows * columns)
    for i, (diagonal, part) in enumerate(_diagonal_slices(rows, columns, k, align)):
        flat[..., diagonal] = diagonals[..., i, part]


def _by_rows(diagonals: Any, k: Band) -> Any:
    """Diagonals with one row for each, also if there is but one."""
    return diagonals[..., None, :] if k[0] == k[1] else diagonals


# -- diag_part ------------------------------------------------------------------------------------
def _diag_part_kernel(x, k=(0, 0), padding=0, align="RIGHT_LEFT"):
    if x.ndim < 2:
        raise errors.invalid("MatrixDiagPartV3", "input must be at least 2-dim, received shape: "
                                                 f"{brackets(x.shape)}")
    rows, columns = x.shape[-2:]
    flat = np.ascontiguousarray(x).reshape(*x.shape[:-2], rows * columns)
    if k[0] == k[1]:
        diagonal, _ = next(iter(_diagonal_slices(rows, columns, k, align)))
        return flat[..., diagonal].copy()
    out = np.full((*x.shape[:-2], k[1] - k[0] + 1, _longest(rows, columns, k)), padding, x.dtype)
    for i, (diagonal, part) in enumerate(_diagonal_slices(rows, columns, k, align)):
        out[..., i, part] = flat[..., diagonal]
    return out


def _diag_part_shape(x: Spec, k: Band = (0, 0), **attrs: Any) -> Spec:
    if x.shape is None:
        return x
    rows, columns = x.shape[-2:]
    longest = None if None in (rows, columns) else _longest(rows, columns, k)
    count = () if k[0] == k[1] else (k[1] - k[0] + 1,)
    return Spec((*x.shape[:-2], *count, longest), x.dtype)


def _diag_part_vjp(g, y, x, k=(0, 0), padding=0, align="RIGHT_LEFT"):
    rows, columns = shape_of(x)[-2:]
    return matrix_diag(g, k=k, num_rows=rows, num_cols=columns, align=align)


def _diag_part_jvp(ts, y, x, k=(0, 0), padding=0, align="RIGHT_LEFT"):
    return matrix_diag_part(ts[0], k=k, align=align)


def _diag_part_view(own, k=(0, 0), padding=0, align="RIGHT_LEFT"):
    if k[0] != k[1]:
        return None
    rows, columns = own[-2:]
    start = k[0] if k[0] >= 0 else -k[0] * columns
    steps = contiguous_strides(own)
    return start, [*own[:-2], _length(rows, columns, k[0])], [*steps[:-2], columns + 1]


matrix_diag_part = define(
    "matrix_diag_part", kernel=_diag_part_kernel, shape=_diag_part_shape, vjp=(_diag_part_vjp,),
    jvp=_diag_part_jvp, batch=leading, args=("input",), kind="move", tf_name="MatrixDiagPartV3",
    check=[Case((3, 3)), Case((2, 2, 4), k=(1, 1)), Case((3, 3), k=(-1, 1)),
           Case((2, 4), k=(-1, 2), align="LEFT_RIGHT"), Case((4, 2), k=(-2, 0), padding=1),
           Case((3, 2), k=(-2, -1), align="LEFT_LEFT"), Case((0, 3)), Case((0, 2, 2))],
    lower=View(_diag_part_view))


# -- diag -----------------------------------------------------------------------------------------
def _diag_kernel(x, k=(0, 0), num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"):
    rows, columns = _diag_size(x.shape, k, num_rows, num_cols)
    stack = x.shape[:-1] if k[0] == k[1] else x.shape[:-2]
    out = np.full((*stack, rows, columns), padding, x.dtype)
    _write(out, _by_rows(x, k), k, align)
    return out


def _diag_size(shape: tuple, k: Band, num_rows: int, num_cols: int) -> tuple[int, int]:
    """Rows and columns of the matrix; where one is not given it is as small as can be."""
    wrong = "MatrixDiagV3"
    if not shape or (k[0] != k[1] and len(shape) < 2):
        least = 1 if k[0] == k[1] else 2
        raise errors.invalid(wrong, f"diagonal must be at least {least}-dim, received shape: "
                                    f"{brackets(shape)}" if not shape else _COUNT)
    if k[0] != k[1] and shape[-2] != k[1] - k[0] + 1:
        raise errors.invalid(wrong, _COUNT)
    longest = shape[-1]
    least_rows, least_cols = longest - min(k[1], 0), longest + max(k[0], 0)
    if num_rows != -1 and num_rows < least_rows:
        raise errors.invalid(wrong, "The number of rows is too small.")
    if num_cols != -1 and num_cols < least_cols:
        raise errors.invalid(wrong, "The number of columns is too small.")
    rows, columns = num_rows, num_cols
    if num_rows == -1 and num_cols == -1:
        rows = columns = max(least_rows, least_cols)
    elif num_rows == -1:
        rows = least_rows
    elif num_cols == -1:
        columns = least_cols
    if rows != least_rows and columns != least_cols:
        raise errors.invalid(wrong, "The number of rows or columns is not consistent with the "
                                    "specified d_lower, d_upper, and diagonal.")
    return rows, columns


_COUNT = ("The number of diagonals provided in the input does not match the lower_diag_index and "
          "upper_diag_index range.")


def _diag_shape(x: Spec, k: Band = (0, 0), num_rows: int = -1, num_cols: int = -1,
                **attrs: Any) -> Spec:
    if x.shape is None:
        return x
    one = k[0] == k[1]
    stack = x.shape[:-1] if one else x.shape[:-2]
    if x.shape[-1] is None:
        sizes: tuple = (None if num_rows == -1 else num_rows, None if num_cols == -1 else num_cols)
    else:
        shape = (x.shape[-1],) if one else (k[1] - k[0] + 1, x.shape[-1])
        sizes = _diag_size(shape, k, num_rows, num_cols)
    return Spec((*stack, *sizes), x.dtype)


def _diag_vjp(g, y, x, k=(0, 0), num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"):
    return matrix_diag_part(g, k=k, align=align)


def _diag_jvp(ts, y, x, k=(0, 0), num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"):
    return matrix_diag(ts[0], k=k, num_rows=num_rows, num_cols=num_cols, align=align)


def _diag_steps(x, k=(0, 0), num_rows=-1, num_cols=-1, padding=0, align="RIGHT_LEFT"):
    """In the flat matrix a diagonal is every (columns + 1)-th element."""
    if k[0] != k[1] or padding:
        raise Unsupported("several diagonals, or a padding")
    *stack, length = shape_of(x)
    rows, columns = _diag_size((length,), k, num_rows, num_cols)
    diagonal, _ = next(iter(_diagonal_slices(rows, columns, k, align)))
    flat = unstrided(x, spec=(*(ALL,) * len(stack), (diagonal.start, diagonal.stop, diagonal.step)),
                     shape=(*stack, rows * columns))
    return reshape(flat, shape=(*stack, rows, columns))


matrix_diag = define(
    "matrix_diag", kernel=_diag_kernel, shape=_diag_shape, vjp=(_diag_vjp,), jvp=_diag_jvp,
    batch=leading, args=("diagonal",), kind="move", tf_name="MatrixDiagV3",
    check=[Case((3,)), Case((2, 3), k=(1, 1)), Case((2,), k=(-1, -1), padding=2),
           Case((3, 3), k=(-1, 1)), Case((2, 3, 3), k=(-1, 1), align="LEFT_LEFT"),
           Case((2,), num_rows=2, num_cols=4), Case((2, 2), k=(0, 1), num_rows=2, num_cols=3),
           Case((0,))], lower=Expand(_diag_steps))


# -- set_diag -------------------------------------------------------------------------------------
def _check_diagonals(shape: tuple, diagonal: tuple, k: tuple) -> None:
    """Refuse diagonals that do not fit into matrices of a shape."""
    if len(shape) < 2:
        raise errors.invalid("MatrixSetDiagV3", "input must be at least 2-dim, received shape: "
                                                f"{brackets(shape)}")
    rows, columns = shape[-2:]
    count = () if k[0] == k[1] else (k[1] - k[0] + 1,)
    expected = (*shape[:-2], *count, _longest(rows, columns, k))
    if diagonal != expected:
        raise errors.invalid("MatrixSetDiagV3", (
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            f"[lower_diag_index:upper_diag_index]. Input shape: {brackets(shape)} Diagonal "
            f"shape: {brackets(diagonal)} Expected diagonal shape: {brackets(expected)}"))


def _set_diag_shape(x: Spec, diagonal: Spec, k: tuple = (0, 0), align: str = "RIGHT_LEFT") -> Spec:
    if x.shape is not None and diagonal.shape is not None and None not in (
            *x.shape, *diagonal.shape):
        _check_diagonals(x.shape, diagonal.shape, k)
    return x


def _set_diag_kernel(x, diagonal, k=(0, 0), align="RIGHT_LEFT"):
    _check_diagonals(x.shape, diagonal.shape, k)
    out = np.array(x, order="C")
    _write(out, _by_rows(diagonal, k), k, align)
    return out


def _set_diag_batch(call, size, xs, batched, attrs):
    from tapeflow.core.record.primitive_ops import broadcast_to
    return call(*[x if mark else broadcast_to(x, shape=(size, *shape_of(x)))
                  for x, mark in zip(xs, batched, strict=True)], **attrs)


def _set_diag_vjp_input(g, y, x, diagonal, k=(0, 0), align="RIGHT_LEFT"):
    zeros = constant_like(matrix_diag_part(g, k=k, align=align), 0)
    return matrix_set_diag(g, zeros, k=k, align=align)


def _set_diag_jvp(ts, y, x, diagonal, k=(0, 0), align="RIGHT_LEFT"):
    t, d = (constant_like(one, 0) if t is None else t
            for t, one in zip(ts, (x, diagonal), strict=True))
    return matrix_set_diag(t, d, k=k, align=align)


def _set_diag_steps(x, diagonal, k=(0, 0), align="RIGHT_LEFT"):
    if k[0] != k[1]:
        raise Unsupported("several diagonals")
    rows, columns = shape_of(x)[-2:]
    there = wrap(np.eye(rows, columns, k[0], dtype=bool))
    return select(there, matrix_diag(diagonal, k=k, num_rows=rows, num_cols=columns), x)


matrix_set_diag = define(
    "matrix_set_diag", kernel=_set_diag_kernel, shape=_set_diag_shape,
    vjp=(_set_diag_vjp_input, lambda g, y, x, d, k=(0, 0), align="RIGHT_LEFT":
         matrix_diag_part(g, k=k, align=align)),
    jvp=_set_diag_jvp, batch=_set_diag_batch, args=("input", "diagonal"), kind="move",
    tf_name="MatrixSetDiagV3",
    check=[Case((3, 3), (3,)), Case((2, 2, 4), (2, 2)), Case((3, 3), (2,), k=(1, 1)),
           Case((3, 3), (3, 3), k=(-1, 1)), Case((4, 2), (2, 2), k=(-1, 0), align="LEFT_RIGHT"),
           Case((0, 2, 2), (0, 2))], lower=Expand(_set_diag_steps))


# -- band_part ------------------------------------------------------------------------------------
def _band_kernel(x, num_lower, num_upper):
    if x.ndim < 2:
        raise errors.invalid("MatrixBandPart", "input must be at least 2-dim, received shape: "
                                               f"{brackets(x.shape)}")
    rows, columns = x.shape[-2:]
    for word, n, size, axis in (("num_lower", num_lower, rows, "rows"),
                                ("num_upper", num_upper, columns, "columns")):
        if n > size:
            raise errors.invalid("MatrixBandPart", f"{word} must be negative or less or equal to "
                                                   f"number of {axis} ({size}) got: {n}")
    below = rows if num_lower < 0 else num_lower
    above = columns if num_upper < 0 else num_upper
    if x.size > 4096 and below + above < _NARROW:
        return _diagonals(x, below, above)
    if x.size > 4096 and x.size >= rows * 256:
        return _cleared(x, below, above)
    diagonal = np.arange(columns) - np.arange(rows)[:, None]
    return np.where((diagonal >= -below) & (diagonal <= above), x, x.dtype.type(0))


_NARROW = 8  # so many diagonals are copied one by one


def _diagonals(x, below, above):
    """Zeros, and the diagonals copied."""
    out = np.zeros(x.shape, x.dtype)
    for d in range(-below, above + 1):
        rows = np.arange(max(0, -d), min(x.shape[-2], x.shape[-1] - d))
        out[..., rows, rows + d] = x[..., rows, rows + d]
    return out


def _cleared(x, below, above):
    """A copy, cleared row by row outside the band."""
    out = np.array(x)
    for i in range(x.shape[-2]):
        if i > below:
            out[..., i, :i - below] = 0
        out[..., i, i + above + 1:] = 0
    return out


def _band_element(b, x, num_lower, num_upper, index):
    """x inside the band, 0 outside."""
    row, column = index[-2:]
    for n, first, second in ((num_lower, row, column), (num_upper, column, row)):
        if n >= 0:
            inside = b.le(b.sub(first, second), b.const(n, first))
            x = b.select(inside, x, b.const(0, x))
    return x


band_part_call = move(
    "matrix_band_part", _band_kernel, shape=lambda x, **attrs: x, batch=leading, args=("input",),
    vjp=lambda g, y, x, num_lower, num_upper: band_part_call(
        g, num_lower=num_lower, num_upper=num_upper),
    dtypes="fViucb", tf_name="MatrixBandPart",
    check=[Case((3, 3), num_lower=-1, num_upper=0), Case((2, 3, 4), num_lower=1, num_upper=1),
           Case((4, 2), num_lower=0, num_upper=-1), Case((3, 3), num_lower=-1, num_upper=-1)],
    lower=Pointwise(_band_element, indexed=True))


def lower(x: Any) -> Any:
    """The lower triangle with the diagonal."""
    return band_part_call(x, num_lower=-1, num_upper=0)


def upper(x: Any) -> Any:
    """The upper triangle with the diagonal."""
    return band_part_call(x, num_lower=0, num_upper=-1)


# -- public functions -----------------------------------------------------------------------------
def _band(k: Any, op_name: str) -> Band:
    """`k`: one diagonal, or the lowest and the highest."""
    ends = [int(d) for d in np.ravel(operand(k, dtypes.int32).numpy())]
    if len(ends) not in (1, 2):
        raise errors.invalid(op_name, f"diag_index must have only one or two elements, received "
                                      f"{len(ends)} elements.")
    if ends[0] > ends[-1]:
        raise errors.invalid(op_name, f"lower_diag_index must not be larger than upper_diag_index: "
                                      f"{ends[0]} > {ends[-1]}")
    return ends[0], ends[-1]


def _inside(x: Any, k: Band, op_name: str) -> Band:
    """Refuse diagonals outside the matrix."""
    if len(shape_of(x)) >= 2:
        rows, columns = shape_of(x)[-2:]
        for word, d in (("lower", k[0]), ("upper", k[1])):
            if d and None not in (rows, columns) and not -rows < d < columns:
                raise errors.invalid(op_name, f"{word}_diag_index is out of bound: {d}. It must be "
                                              f"between {-rows} and {columns}")
    return k


def _alignment(align: str, op_name: str) -> str:
    if align not in ALIGNMENTS:
        allowed = ", ".join(f'"{one}"' for one in ALIGNMENTS)
        raise errors.invalid(op_name, f"Value for attr 'align' of \"{align}\" is not in the list "
                                      f"of allowed values: {allowed}")
    return align


def _padding(value: Any, given: Any, x: Any) -> Any:
    """The padding value as a NumPy scalar of the operand's dtype; it has no gradient."""
    if x.dtype.kind == "b" and hasattr(given, "dtype"):
        value = bool(value)
    found = convert(value, x.dtype)
    if shape_of(found):
        raise errors.invalid("MatrixDiag", f"Padding value must be a scalar, got shape "
                                           f"{brackets(shape_of(found))}")
    return found._value


@export("linalg.diag")
def diag(diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1,
         padding_value: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Matrices with the given diagonals, `padding_value` elsewhere."""
    x = operand(diagonal)
    rows, columns = [int_scalar(n, "MatrixDiagV3", "num_rows", True) for n in (num_rows, num_cols)]
    return matrix_diag(x, k=_band(k, "MatrixDiagV3"), num_rows=int(rows),
                       num_cols=int(columns), padding=_padding(padding_value, diagonal, x),
                       align=_alignment(align, "MatrixDiagV3"))


@export("linalg.diag_part")
@deferrable
def diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0,
              align: str = "RIGHT_LEFT") -> Tensor:
    """The diagonal, or several, of matrices."""
    x = operand(input)
    band = _inside(x, _band(k, "MatrixDiagPartV3"), "MatrixDiagPartV3")
    return matrix_diag_part(x, k=band, padding=_padding(padding_value, input, x),
                            align=_alignment(align, "MatrixDiagPartV3"))


@export("linalg.set_diag")
@deferrable
def set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0,
             align: str = "RIGHT_LEFT") -> Tensor:
    """Matrices with their diagonals replaced."""
    x = operand(input)
    d = operand(diagonal, None if isinstance(diagonal, (Tensor, Variable)) else x.dtype)
    if d.dtype != x.dtype:
        from tapeflow.ops._support.arguments import differing
        raise differing(matrix_set_diag.op, 1, x.dtype.np, d.dtype.np)
    band = _inside(x, _band(k, "MatrixSetDiagV3"), "MatrixSetDiagV3")
    return matrix_set_diag(x, d, k=band, align=_alignment(align, "MatrixSetDiagV3"))


@export("linalg.band_part")
def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with all but a band around the diagonal set to zero; -1 keeps a whole triangle."""
    return band_part_call(operand(input), num_lower=_integer(num_lower),
                          num_upper=_integer(num_upper))


def _integer(n: Any) -> Any:
    """An integer as an attribute: an int, or a scalar that is not known while tracing."""
    if isinstance(n, int):
        return int(n)
    tensor = operand(n)
    if tensor.dtype.kind not in "iu":
        raise TypeError(f"Cannot convert {n} to EagerTensor of dtype int64")
    if tensor.dtype.name not in ("int32", "int64") and not isinstance(n, np.generic):
        raise wrong_kind("MatrixBandPart", "Tindex", tensor.dtype)
    return tensor if tensor._interpreter is not None else int(tensor.numpy())


@export("linalg.trace")
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix."""
    d = matrix_diag_part(operand(x))
    return reduce_sum(d, axis=(len(shape_of(d)) - 1,), keepdims=False)


_TENSOR_DIAGS = "bfloat16, float16, float32, float64, int32, int64, complex64, complex128"


def _checked_operand(x: Any, op: str) -> Any:
    x = operand(dense("x", x))
    if x.dtype.name not in _TENSOR_DIAGS.split(", "):
        raise wrong_kind(op, "T", x.dtype, _TENSOR_DIAGS)
    return x


@export("linalg.tensor_diag")
def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank with the given values where both halves of the index agree."""
    x = _checked_operand(diagonal, "Diag")
    shape = shape_of(x)
    if not shape:
        raise errors.invalid("Diag", "Input must be at least rank 1, got 0")
    if len(shape) == 1:
        return matrix_diag(x)
    flat = matrix_diag(reshape(x, shape=(-1,) if 0 not in shape else (0,)))
    if None in shape:
        return reshape(flat, shape=concat(dims(x), dims(x), axis=0))
    return reshape(flat, shape=(*shape, *shape))


@export("linalg.tensor_diag_part")
def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The values of a tensor where both halves of its index agree."""
    x = _checked_operand(input, "DiagPart")
    shape = shape_of(x)
    half = len(shape) // 2
    if not shape and state.trace is None:
        return x  # TensorFlow's graphs refuse a scalar
    if len(shape) % 2 or not shape:
        raise errors.invalid("DiagPart", "The rank of the tensor should be even and positive, got "
                                         f"shape {brackets(shape)}")
    for i in range(half):
        if None not in (shape[i], shape[i + half]) and shape[i] != shape[i + half]:
            raise errors.invalid("DiagPart", f"Invalid shape {brackets(shape)}: dimensions {i} and "
                                             f"{i + half} do not match.")
    if half == 1:
        return matrix_diag_part(x)
    if None in shape:
        letters = "".join([chr(ord("a") + i) for i in range(half)])
        return _einsum(f"{letters * 2}->{letters}", x)
    size = int(np.prod(shape[:half], dtype=np.int64))
    return reshape(matrix_diag_part(reshape(x, shape=(size, size))), shape=shape[:half])


@export("linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """The last two axes swapped; with `conjugate` also conjugated."""
    x = operand(a)
    try:
        rank = len(shape_of(x))
    except errors.UnknownSize as error:
        return deferred(matrix_transpose, (x, name, conjugate), error)
    if rank < 2:
        raise ValueError(f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = "
                         f"{x} with shape: {x.shape}")
    x = transpose(x, perm=(*range(rank - 2), rank - 1, rank - 2))
    return conj(x) if conjugate and x.dtype.kind == "c" else x


@export("linalg.adjoint")
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The conjugate transpose of each matrix."""
    return matrix_transpose(matrix, conjugate=True)


