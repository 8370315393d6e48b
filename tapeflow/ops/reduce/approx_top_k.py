"""tf.math.approx_max_k and approx_min_k, and tf.math.sobol_sample.

On a CPU the k largest are found exactly, as TensorFlow does there. Loaded when one of its public
names is used.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, flag, real, whole
from tapeflow.base.exports import export
from tapeflow.base.late import library
from tapeflow.core.record.families import operand
from tapeflow.core.record.op import shape_of
from tapeflow.core.values.tensor import Tensor, wrap
from tapeflow.ops._support.arguments import dtype_among, wrong_kind
from tapeflow.ops.array.shaping import transpose
from tapeflow.ops.math.arithmetic import negative
from tapeflow.ops.reduce.sorting import top_k

ApproxTopK = namedtuple("ApproxTopK", ("values", "indices"))


def _along(operand_: Any, k: int, axis: int, largest: bool) -> ApproxTopK:
    x = operand(operand_)
    rank = len(shape_of(x))
    if not -rank <= axis < rank:
        raise errors.invalid("ApproxTopK", f"reduction_dimension {axis} is out of range for rank "
                                           f"{rank}")
    if x.dtype.name not in ("float16", "bfloat16", "float32"):
        raise wrong_kind("ApproxTopK", "T", x.dtype, "half, bfloat16, float")
    axis %= rank
    perm = [i for i in range(rank) if i != axis] + [axis]
    back = [perm.index(i) for i in range(rank)]
    moved = transpose(x, perm)
    values, indices = top_k(moved if largest else negative(moved), k)
    values = values if largest else negative(values)
    return ApproxTopK(transpose(values, back), transpose(indices, back))


@export("math.approx_max_k", "nn.approx_max_k")
@attributes(k=whole, reduction_dimension=whole, recall_target=real,
            reduction_input_size_override=whole, aggregate_to_topk=flag)
def approx_max_k(operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
                 reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
                 name: str | None = None) -> ApproxTopK:
    """The k largest elements along an axis, largest first, and their indices."""
    return _along(operand, k, reduction_dimension, True)


@export("math.approx_min_k", "nn.approx_min_k")
@attributes(k=whole, reduction_dimension=whole, recall_target=real,
            reduction_input_size_override=whole, aggregate_to_topk=flag)
def approx_min_k(operand: Any, k: int, reduction_dimension: int = -1, recall_target: float = 0.95,
                 reduction_input_size_override: int = -1, aggregate_to_topk: bool = True,
                 name: str | None = None) -> ApproxTopK:
    """The k smallest elements along an axis, smallest first, and their indices."""
    return _along(operand, k, reduction_dimension, False)


@export("math.sobol_sample")
def sobol_sample(dim: Any, num_results: Any, skip: Any = 0, dtype: Any = dtypes.float32,
                 name: str | None = None) -> Tensor:
    """Points of the Sobol sequence: they fill the unit cube evenly."""
    count, size, first = [int(operand(n, dtypes.int32)._value) for n in (dim, num_results, skip)]
    if not 1 <= count <= 2560:
        raise errors.invalid("SobolSample", f"dim must be in [1, 2560], got {count}")
    if size < 1 or first < 0:
        raise errors.invalid("SobolSample", f"num_results must be positive and skip not negative, "
                                            f"got {size} and {first}")
    qmc = library("scipy.stats.qmc", "SciPy")
    points = qmc.Sobol(count, scramble=False, bits=32)
    points.fast_forward(first + 1)  # the first point, 0, is left out
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # any number of points is welcome, not only powers of 2
        values = points.random(size)
    kind = dtype_among(dtype, "SobolSample", "dtype", "float32, float64")
    return wrap(values.astype(kind.np, copy=False))
