"""tf.nn.fractional_max_pool and fractional_avg_pool: pooling in regions of uneven, random sizes.

The regions' borders are TensorFlow's for the same seeds. Maxima are looked up at their indices and
averages are products with two matrices, so gradients of any order are those of the look-up and of
the products. Loaded when one of its names is asked for.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag, shown
from tapeflow.base.exports import export_guarded as export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.deferrable import deferrable
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.primitive_ops import reshape
from tapeflow.core.record.row_ops import gather_rows
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import wrap
from tapeflow.ops._support.arguments import brackets, joined, sizes_of, wrong_kind
from tapeflow.ops.linalg.matmul import matmul
from tapeflow.ops.math.casting import cast
from tapeflow.ops.random.streams import bits, philox, seeds

_I64 = np.dtype("int64")


class FractionalMaxPool(NamedTuple):
    """The maxima, and where the regions' rows and columns begin."""

    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any


class FractionalAvgPool(NamedTuple):
    """The averages, and where the regions' rows and columns begin."""

    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any


# -- borders ---------------------------------------------------------------------------------------
def _pseudo_random(n: int, out: int, key: int, counter: int) -> np.ndarray:
    """Borders at ceil(alpha (i + u)) for one random u."""
    alpha, k = n / out, n // out
    most = min((k + 2) / alpha - 1, (n + 1 - k) / alpha - (out - 1))
    u = float(bits.uniform_double(philox.words(key, counter, 1)).ravel()[0]) * most
    bounds = [1, *(ceil(alpha * (i + u)) for i in range(1, out)), n + 1]
    return np.diff(bounds)


def _shuffled(n: int, out: int, key: int, counter: int) -> np.ndarray:
    """Sizes k and k + 1 in random order."""
    sizes = np.full(out, n // out)
    sizes[:n % out] += 1
    words = philox.words(key, counter, -(-out // 4)).ravel()
    for i in range(out - 1):
        other = i + int(words[i]) % (out - i)
        sizes[i], sizes[other] = sizes[other], sizes[i]
    return sizes


def _borders(height: int, width: int, rows: int, columns: int, pseudo: bool,
             stream: seeds.Stream) -> tuple[np.ndarray, np.ndarray]:
    found = []
    for n, out in ((height, rows), (width, columns)):
        if n % out == 0:
            sizes = np.full(out, n // out)
        elif pseudo:
            sizes = _pseudo_random(n, out, *stream.reserve(1))
        else:
            sizes = _shuffled(n, out, *stream.reserve(-(-out // 4)))
        found.append(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
    return found[0], found[1]


def _drawn_kernel(height, width, rows, columns, pseudo):
    return _borders(height, width, rows, columns, pseudo, seeds.Stream(None, None))


draw_borders = define(
    "fractional_borders", kernel=_drawn_kernel, args=(), multi=True, stateful=True, kind="random",
    shape=lambda height, width, rows, columns, pseudo: (Spec((rows + 1,), _I64),
                                                        Spec((columns + 1,), _I64)),
    vjp=NONDIFF("a random choice has no gradient"), batch=loop, tf_name="FractionalMaxPool",
    check=[Case(height=8, width=6, rows=4, columns=3, pseudo=True)])  # no choice: even regions


# -- maxima ----------------------------------------------------------------------------------------
def _argmax_kernel(x, rows, columns, overlapping):
    """The flat index of each region's first maximum."""
    b, h, w, c = x.shape
    out = np.empty((b, len(rows) - 1, len(columns) - 1, c), np.int64)
    more = 1 if overlapping else 0
    for i in range(len(rows) - 1):
        top, bottom = int(rows[i]), min(int(rows[i + 1]) + more, h)
        for j in range(len(columns) - 1):
            left, right = int(columns[j]), min(int(columns[j + 1]) + more, w)
            part = x[:, top:bottom, left:right].reshape(b, -1, c)
            index = part.argmax(1)
            down, across = np.divmod(index, right - left)
            out[:, i, j] = (top + down) * w + left + across
    batches = np.arange(b).reshape(b, 1, 1, 1) * (h * w)
    return (out + batches) * c + np.arange(c)


def _argmax_shape(x: Spec, rows: Spec, columns: Spec, overlapping: bool) -> Spec:
    if x.shape is None or rows.shape is None or columns.shape is None:
        return Spec((None,) * 4, _I64)
    sizes = [None if n is None else n - 1 for n in (rows.shape[0], columns.shape[0])]
    return Spec((x.shape[0], *sizes, x.shape[3]), _I64)


argmax = define(
    "fractional_argmax", kernel=_argmax_kernel, args=("value", "rows", "columns"), batch=loop,
    shape=_argmax_shape, vjp=NONDIFF("integer result"), dtypes="fViu",
    tf_name="FractionalMaxPool",
    check=[Case((2, 5, 4, 2), np.array([0, 2, 5]), np.array([0, 1, 3, 4]), overlapping=True),
           Case((1, 4, 4, 1), np.array([0, 1, 4]), np.array([0, 2, 4]), overlapping=False)])


# -- averages --------------------------------------------------------------------------------------
def _weights_kernel(borders, size, overlapping):
    """The matrix that averages the elements of each region."""
    more = 1 if overlapping else 0
    out = np.zeros((len(borders) - 1, size))
    for i in range(len(borders) - 1):
        end = min(int(borders[i + 1]) + more, size)
        out[i, int(borders[i]):end] = 1 / (end - int(borders[i]))
    return out


region_weights = define(
    "fractional_weights", kernel=_weights_kernel, args=("borders",), batch=loop, dtypes="i",
    shape=lambda borders, size, overlapping: Spec((
        None if borders.shape is None or borders.shape[0] is None else borders.shape[0] - 1, size),
        np.dtype("float64")),
    vjp=NONDIFF("integer operands"), tf_name="FractionalAvgPool",
    check=[Case(np.array([0, 2, 5]), size=5, overlapping=True)])


def max_in(x: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    """The maxima of regions that begin at given rows and columns."""
    indices = argmax(x, rows, columns, overlapping=bool(overlapping))
    return gather_rows(reshape(x, shape=(-1,)), indices)


def mean_in(x: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    """The averages of regions that begin at given rows and columns."""
    b, height, width, depth = sizes_of(x)
    down, across = [cast(region_weights(borders, size=size, overlapping=bool(overlapping)), x.dtype)
                    for borders, size in ((rows, height), (columns, width))]
    y = matmul(down, reshape(x, shape=joined([b, height, width * depth])))
    count = shape_of(y)[1]
    y = matmul(across, reshape(y, shape=joined([b * count, width, depth])))
    return reshape(y, shape=joined([b, count, shape_of(y)[1], depth]))


# -- public ----------------------------------------------------------------------------------------
def _ratios(ratio: Any, op: str) -> tuple[float, float]:
    if not isinstance(ratio, (list, tuple)):
        if op == "FractionalAvgPool":
            raise TypeError(f"Expected list for 'pooling_ratio' argument to 'fractional_avg_pool' "
                            f"Op, not {ratio}.")
        if not isinstance(ratio, (int, float)):
            raise ValueError("`pooling_ratio` should be an int or a list of ints. Received: "
                             f"pooling_ratio={shown(ratio)}")
        ratio = [1.0, ratio, ratio, 1.0]
    given = [float(r) for r in ratio]
    refuse: Any = ValueError if op == "FractionalMaxPool" else partial(errors.invalid, op)
    if len(given) != 4:
        raise refuse(f"{op}: pooling_ratio must have an entry for each of 4 axes, got {ratio}")
    if min(given) < 1.0:
        raise ValueError(f"{op}: pooling_ratio should be >= 1.0, got {ratio}")
    if given[0] != 1.0 or given[3] != 1.0:
        words = f"{op}: pooling_ratio must be 1 for batch and channels, got {ratio}"
        raise ValueError(words) if op == "FractionalMaxPool" else errors.UnimplementedError(
            None, None, words)
    return given[1], given[2]


_POOLED = "float32, float64, int32, int64"


def _regions(x: Any, ratio: Any, pseudo: bool, seed: Any, op: str) -> tuple[Any, Any]:
    """Borders of rows and columns: of a seed, or new in every run."""
    shape = shape_of(x)
    if x.dtype.name not in _POOLED.split(", "):
        raise wrong_kind(op, "T", x.dtype, _POOLED)
    if len(shape) != 4:
        raise errors.invalid(op, f"tensor_in must be 4-dimensional, got {brackets(shape)}")
    height, width = shape[1:3]
    if height is None or width is None:
        raise errors.UnknownSize(f"{op}: height and width of the input are not known yet: "
                                 f"{x.shape}")
    rows, columns = [int(n / r) for n, r in zip((height, width), _ratios(ratio, op))]
    if min(rows, columns) < 1:
        raise errors.invalid(op, f"pooling_ratio {ratio} leaves nothing of shape "
                                 f"{brackets(shape)}")
    if seed is None or (isinstance(seed, int) and seed == 0):
        return draw_borders(height=height, width=width, rows=rows, columns=columns,
                            pseudo=bool(pseudo))
    found = _borders(height, width, rows, columns, bool(pseudo),
                     seeds.Stream(*seeds.get_seed(seed)))
    return wrap(found[0]), wrap(found[1])


@export("nn.fractional_max_pool")
@deferrable
@attributes(pseudo_random=flag, overlapping=flag)
def fractional_max_pool(value: Any, pooling_ratio: Any, pseudo_random: bool = False,
                        overlapping: bool = False, seed: int = 0,
                        name: str | None = None) -> FractionalMaxPool:
    """The maximum of each of about size / ratio regions, whose sizes are random."""
    x = operand(value)
    rows, columns = _regions(x, pooling_ratio, pseudo_random, seed, "FractionalMaxPool")
    return FractionalMaxPool(max_in(x, rows, columns, overlapping), rows, columns)


@export("nn.fractional_avg_pool")
@deferrable
@attributes(pseudo_random=flag, overlapping=flag)
def fractional_avg_pool(value: Any, pooling_ratio: Any, pseudo_random: bool = False,
                        overlapping: bool = False, seed: int = 0,
                        name: str | None = None) -> FractionalAvgPool:
    """The average of each of about size / ratio regions, whose sizes are random."""
    x = operand(value)
    rows, columns = _regions(x, pooling_ratio, pseudo_random, seed, "FractionalAvgPool")
    return FractionalAvgPool(mean_in(x, rows, columns, overlapping), rows, columns)
