"""Making, rearranging, joining, splitting tensors; elements by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.record.lowering_forms import Reshape
from tapeflow.core.record.op import define
from tapeflow.core.record.traits import set_traits
from tapeflow.core.values.tensor import Tensor
from tapeflow.tensorflow_graphs.ops.rows.pieces import Pieces
from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
BatchToSpaceND batch_to_space
BroadcastArgs broadcast_dynamic_shape
BroadcastTo broadcast_to
CheckNumerics debugging.check_numerics message
CheckNumericsV2 debugging.check_numerics message
ConcatV2 concat
Const constant value dtype
DeepCopy identity
DepthToSpace nn.depth_to_space block_size data_format
Diag linalg.tensor_diag
DiagPart linalg.tensor_diag_part
DynamicStitch dynamic_stitch
Empty zeros dtype
EnsureShape ensure_shape shape
ExpandDims expand_dims
FakeQuantWithMinMaxArgs quantization.fake_quant_with_min_max_args min max num_bits narrow_range
FakeQuantWithMinMaxVars quantization.fake_quant_with_min_max_vars num_bits narrow_range
FakeQuantWithMinMaxVarsPerChannel quantization.fake_quant_with_min_max_vars_per_channel num_bits
  narrow_range
Fill fill
Gather gather
GatherNd gather_nd
LinSpace linspace
LoopCond identity
MirrorPad pad mode
OnesLike ones_like
Pack stack axis
Pad pad
ParallelDynamicStitch dynamic_stitch
PlaceholderWithDefault identity
Range range
Rank rank
Reshape reshape
ReverseSequence reverse_sequence seq_dim batch_dim
ReverseV2 reverse
Roll roll
ScatterNd scatter_nd
ScatterNdNonAliasingAdd tensor_scatter_nd_add
Size size out_type
Slice slice
Snapshot identity
SpaceToBatchND space_to_batch
SpaceToDepth nn.space_to_depth block_size data_format
StopGradient stop_gradient
StridedSlice strided_slice begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask
TensorScatterAdd tensor_scatter_nd_add
TensorScatterMax tensor_scatter_nd_max
TensorScatterMin tensor_scatter_nd_min
TensorScatterSub tensor_scatter_nd_sub
TensorScatterUpdate tensor_scatter_nd_update
Tile tile
Transpose transpose
UnravelIndex unravel_index
Where where
ZerosLike zeros_like
""")


@raw
def Shape(input: Any, out_type: Any) -> Any:
    if isinstance(input, Pieces):  # one tensor of variants
        return tf.cast(tf.reshape(input.size(), [1]), out_type)
    return tf.shape(input, out_type)


@raw
def Identity(input: Any) -> Any:
    return tf.identity(input) if isinstance(input, Tensor) else input  # the handle of a resource


@raw
def IdentityN(input: Any) -> Any:
    return [[Identity(one) for one in input]]


def _refused(g: Any, y: Any, x: Any, message: str) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {message}")


_prevent = define("prevent_gradient", kernel=lambda x, message: x, shape=lambda x, message: x,
                  vjp=(_refused,), kind="move", internal=True, lower=Reshape())
set_traits(_prevent, is_identity=True)


@raw
def PreventGradient(input: Any, message: str) -> Any:
    return _prevent(input, message=message)


@raw
def ShapeN(input: Any, out_type: Any) -> Any:
    return [[tf.shape(one, out_type) for one in input]]


@raw
def BroadcastGradientArgs(s0: Any, s1: Any) -> Any:
    """The axes over which the gradients of two broadcast operands are summed."""
    first, second = tf.get_static_value(s0), tf.get_static_value(s1)
    if first is None or second is None:
        return _broadcast_axes(s0, s1)
    rank = max(len(first), len(second))
    a = np.concatenate([np.ones(rank - len(first), first.dtype), first])
    b = np.concatenate([np.ones(rank - len(second), second.dtype), second])
    if np.any((a != b) & (a != 1) & (b != 1)):
        raise errors.invalid("BroadcastGradientArgs", (
            f"Incompatible shapes: [{','.join(map(str, first))}] vs. "
            f"[{','.join(map(str, second))}]"))
    alike = first.tolist() == second.tolist()
    return tuple([tf.constant([] if alike else np.flatnonzero(sizes == 1), s0.dtype)
                  for sizes in (a, b)])


def _broadcast_axes(s0: Any, s1: Any) -> tuple:
    """BroadcastGradientArgs of shapes that only a run knows."""
    rank = tf.maximum(tf.size(s0), tf.size(s1))
    a, b = [tf.pad(s, [[rank - tf.size(s), 0]], constant_values=1) for s in (s0, s1)]
    alike = tf.math.logical_and(tf.equal(tf.size(s0), tf.size(s1)), tf.reduce_all(tf.equal(a, b)))
    ones = [tf.math.logical_and(tf.equal(s, 1), tf.math.logical_not(alike)) for s in (a, b)]
    return tuple([tf.cast(tf.reshape(tf.where(one), [-1]), s0.dtype) for one in ones])


@raw
def Squeeze(input: Any, squeeze_dims: list) -> Any:
    return tf.squeeze(input, squeeze_dims or None)


@raw
def ParallelConcat(values: Any) -> Any:
    return tf.concat(values, 0)


@raw
def Unpack(value: Any, num: int, axis: int) -> Any:
    return [tf.unstack(value, num, axis)]


@raw
def Concat(concat_dim: Any, values: Any) -> Any:
    return tf.concat(values, concat_dim)


@raw
def ConcatOffset(concat_dim: Any, shape: Any) -> Any:
    axis = int(tf.get_static_value(concat_dim))
    offset, found = tf.zeros_like(shape[0]), []
    for one in shape:
        found.append(offset)
        offset = offset + one * tf.one_hot(axis, tf.size(one), dtype=one.dtype)
    return [found]


@raw
def Split(axis: Any, value: Any, num_split: int) -> Any:
    return [tf.split(value, num_split, axis)]


@raw
def SplitV(value: Any, size_splits: Any, axis: Any, num_split: int) -> Any:
    return [tf.split(value, size_splits, axis, num_split)]


@raw
def PadV2(input: Any, paddings: Any, constant_values: Any) -> Any:
    return tf.pad(input, paddings, constant_values=constant_values)


@raw
def Reverse(tensor: Any, dims: Any) -> Any:
    return tf.reverse(tensor, [i for i, one in enumerate(tf.get_static_value(dims)) if one])


@raw
def TensorStridedSliceUpdate(
        input: Any, begin: Any, end: Any, strides: Any, value: Any, begin_mask: int, end_mask: int,
        ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int) -> Any:
    places = tf.reshape(tf.range(tf.size(input)), tf.shape(input))
    chosen = tf.strided_slice(places, begin, end, strides, begin_mask, end_mask, ellipsis_mask,
                              new_axis_mask, shrink_axis_mask)
    filled = tf.broadcast_to(value, tf.shape(chosen))
    flat = tf.tensor_scatter_nd_update(tf.reshape(input, [-1]), tf.reshape(chosen, [-1, 1]),
                                       tf.reshape(filled, [-1]))
    return tf.reshape(flat, tf.shape(input))


@raw
def GatherV2(params: Any, indices: Any, axis: Any, batch_dims: int) -> Any:
    return tf.gather(params, indices, axis=axis, batch_dims=batch_dims)


@raw
def OneHot(indices: Any, depth: Any, on_value: Any, off_value: Any, axis: int) -> Any:
    return tf.one_hot(indices, depth, on_value, off_value, axis, on_value.dtype)


@raw
def DynamicPartition(data: Any, partitions: Any, num_partitions: int) -> Any:
    return [tf.dynamic_partition(data, partitions, num_partitions)]


@raw
def Unique(x: Any, out_idx: Any) -> Any:
    return tuple(tf.unique(x, out_idx))


@raw
def UniqueWithCounts(x: Any, out_idx: Any) -> Any:
    return tuple(tf.unique_with_counts(x, out_idx))


@raw
def UniqueV2(x: Any, axis: Any, out_idx: Any) -> Any:
    return tuple(public("raw_ops.UniqueV2")(x=x, axis=axis, out_idx=out_idx))


@raw
def UniqueWithCountsV2(x: Any, axis: Any, out_idx: Any) -> Any:
    return tuple(public("raw_ops.UniqueWithCountsV2")(x=x, axis=axis, out_idx=out_idx))


@raw
def Bucketize(input: Any, boundaries: list) -> Any:
    return public("raw_ops.Bucketize")(input=input, boundaries=boundaries)


@raw
def ListDiff(x: Any, y: Any, out_idx: Any) -> Any:
    """What of `x` is not in `y`, in order, and where it was."""
    missing = tf.reduce_all(tf.not_equal(tf.expand_dims(x, 1), tf.expand_dims(y, 0)), 1)
    places = tf.reshape(tf.where(missing), [-1])
    return tf.gather(x, places), tf.cast(places, out_idx)


@raw
def SpaceToBatch(input: Any, paddings: Any, block_size: int) -> Any:
    return tf.space_to_batch(input, [block_size, block_size], paddings)


@raw
def BatchToSpace(input: Any, crops: Any, block_size: int) -> Any:
    return tf.batch_to_space(input, [block_size, block_size], crops)


# -- orders of axes --------------------------------------------------------------------------------
@raw
def ConjugateTranspose(x: Any, perm: Any) -> Any:
    return tf.transpose(x, perm, conjugate=True)


@raw
def DataFormatDimMap(x: Any, src_format: str, dst_format: str) -> Any:
    return tf.gather(tf.constant([dst_format.index(one) for one in src_format], x.dtype),
                     tf.math.floormod(x, len(src_format)))


@raw
def DataFormatVecPermute(x: Any, src_format: str, dst_format: str) -> Any:
    if x.shape.rank and x.shape[0] == len(src_format) - 2:  # of the spatial axes alone
        src_format, dst_format = [one.replace("N", "").replace("C", "")
                                  for one in (src_format, dst_format)]
    return tf.gather(x, [src_format.index(one) for one in dst_format])


# -- gradients that graphs hold as ops -------------------------------------------------------------
@raw
def StridedSliceGrad(shape: Any, begin: Any, end: Any, strides: Any, dy: Any, begin_mask: int,
                     end_mask: int, ellipsis_mask: int, new_axis_mask: int,
                     shrink_axis_mask: int) -> Any:
    return _pulled_back(
        lambda x: tf.strided_slice(x, begin, end, strides, begin_mask, end_mask, ellipsis_mask,
                                   new_axis_mask, shrink_axis_mask), shape, dy)


@raw
def MirrorPadGrad(input: Any, paddings: Any, mode: str) -> Any:
    shape = tf.shape(input) - tf.cast(tf.reduce_sum(paddings, 1), tf.int32)
    return _pulled_back(lambda x: tf.pad(x, paddings, mode), shape, input)


def _pulled_back(function: Any, shape: Any, grad: Any) -> Any:
    """The gradient of a linear function of a tensor of some shape."""
    blank = tf.zeros(shape, grad.dtype)
    with tf.GradientTape() as tape:
        tape.watch(blank)
        result = function(blank)
    return tape.gradient(result, blank, grad)
