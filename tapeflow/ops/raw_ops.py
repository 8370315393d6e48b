"""`tf.raw_ops`: ops under the names of TensorFlow's runtime, where no public function has their
arguments. Loaded when one of its names is asked for.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tapeflow.base import dtypes, errors
from tapeflow.base.attributes import attributes, dense, listed, real
from tapeflow.base.exports import export
from tapeflow.core.autodiff.batching import loop
from tapeflow.core.record.families import batch_elementwise, operand
from tapeflow.core.record.op import NONDIFF, Spec, define, shape_of
from tapeflow.core.record.samples import Case, ints
from tapeflow.core.values.tensor import Tensor
from tapeflow.ops._support.arguments import dtype_among, int_vector, wrong_kind

_INT32 = np.dtype("int32")


# -- buckets ---------------------------------------------------------------------------------------
def _bucketize_kernel(x, boundaries):
    return np.searchsorted(np.asarray(boundaries, np.float32), x, side="right").astype(_INT32)


_bucketize = define("bucketize", kernel=_bucketize_kernel, batch=batch_elementwise, dtypes="fiu",
                    shape=lambda x, boundaries: Spec(x.shape, _INT32), kind="elementwise",
                    vjp=NONDIFF("integer result"),
                    check=[Case((2, 3), boundaries=(-0.5, 0.0, 1.0))])


@export("raw_ops.Bucketize")
@attributes(input=dense)
def bucketize(*, input: Any, boundaries: Any, name: str | None = None) -> Tensor:
    """The number of boundaries that are not above each element."""
    edges = tuple([real("boundaries", edge) for edge in listed("boundaries", boundaries)])
    if any(a > b for a, b in zip(edges, edges[1:])):
        raise errors.invalid("Bucketize", "Expected sorted boundaries")
    x = operand(input)
    if x.dtype.name not in ("int32", "int64", "float32", "float64"):
        raise wrong_kind("Bucketize", "T", x.dtype, "int32, int64, float, double")
    return _bucketize(x, boundaries=edges)


# -- distinct slices -------------------------------------------------------------------------------
UniqueV2 = namedtuple("UniqueV2", ["y", "idx"])
UniqueWithCountsV2 = namedtuple("UniqueWithCountsV2", ["y", "idx", "count"])


def _unique_kernel(x, axis, dtype):
    """Slices along `axis` in the order of their first occurrence."""
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
    order = np.argsort(first, kind="stable")
    rank = np.empty(order.size, dtype)
    rank[order] = np.arange(order.size, dtype=dtype)
    return values.take(order, axis), rank[inverse.reshape(-1)], counts[order].astype(dtype)


def _unique_shape(x: Spec, axis: int, dtype: Any) -> tuple:
    if x.shape is None:
        return Spec(None, x.dtype), Spec((None,), dtype), Spec((None,), dtype)
    sizes = tuple([None if i == axis else n for i, n in enumerate(x.shape)])
    return Spec(sizes, x.dtype), Spec((x.shape[axis],), dtype), Spec((None,), dtype)


_unique = define("unique_along", kernel=_unique_kernel, shape=_unique_shape, multi=True,
                 vjp=NONDIFF("which values are distinct has no derivative"), batch=loop,
                 saves="out", dtypes="fiub", tf_name="UniqueV2",
                 check=[Case(ints(3, (6,)), axis=0, dtype=_INT32, grad=False),
                        Case(ints(2, (4, 2)), axis=0, dtype=_INT32, grad=False)])


def _distinct(x: Any, axis: Any, out_idx: Any, op: str) -> tuple:
    values = operand(x)
    axes = int_vector(axis, op, "Taxis")
    rank = len(shape_of(values))
    if not len(axes):
        if rank != 1:
            raise errors.invalid(op, "unique expects a 1D vector.")
        axes = (0,)
    if len(axes) != 1 or not -rank <= axes[0] < rank:
        raise errors.invalid(op, f"axis has to be between 0 and {rank}, got {list(axes)}")
    return _unique(values, axis=axes[0] % rank, dtype=dtype_among(out_idx, op, "out_idx").np)


@export("raw_ops.UniqueV2")
def unique_v2(*, x: Any, axis: Any, out_idx: Any = dtypes.int32,
              name: str | None = None) -> UniqueV2:
    """The distinct slices along an axis, and for each slice the index of its equal."""
    y, idx, _ = _distinct(x, axis, out_idx, "UniqueV2")
    return UniqueV2(y, idx)


@export("raw_ops.UniqueWithCountsV2")
def unique_with_counts_v2(*, x: Any, axis: Any, out_idx: Any = dtypes.int32,
                          name: str | None = None) -> UniqueWithCountsV2:
    """As UniqueV2, and how often each slice occurs."""
    return UniqueWithCountsV2(*_distinct(x, axis, out_idx, "UniqueWithCountsV2"))
