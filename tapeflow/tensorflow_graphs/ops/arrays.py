"""Making, rearranging, joining, splitting tensors; elements by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.core.values.tensor import Tensor
from tapeflow.tensorflow_graphs.public import public, tf
from tapeflow.tensorflow_graphs.registry import raw, same

same("""
BroadcastTo broadcast_to
DeepCopy identity
Diag linalg.tensor_diag
DiagPart linalg.tensor_diag_part
DynamicStitch dynamic_stitch
ExpandDims expand_dims
Fill fill
GatherNd gather_nd
LinSpace linspace
LoopCond identity
OnesLike ones_like
ParallelDynamicStitch dynamic_stitch
Range range
Reshape reshape
ReverseV2 reverse
Roll roll
ScatterNd scatter_nd
ScatterNdNonAliasingAdd tensor_scatter_nd_add
Slice slice
Snapshot identity
StopGradient stop_gradient
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
def Const(value: Any, dtype: Any) -> Any:
    return tf.constant(value, dtype)


@raw
def Empty(shape: Any, dtype: Any) -> Any:
    return tf.zeros(shape, dtype)


@raw
def Identity(input: Any) -> Any:
    return tf.identity(input) if isinstance(input, Tensor) else input  # the handle of a resource


@raw
def IdentityN(input: Any) -> Any:
    return [[Identity(one) for one in input]]


@raw
def PreventGradient(input: Any, message: str) -> Any:
    @tf.custom_gradient
    def guarded(x: Any) -> Any:
        def refuse(*_: Any) -> Any:
            raise LookupError(f"Gradient explicitly disabled. Reason: {message}")
        return tf.identity(x), refuse
    return guarded(input)


@raw
def CheckNumerics(tensor: Any, message: str) -> Any:
    return tf.debugging.check_numerics(tensor, message)


@raw
def CheckNumericsV2(tensor: Any, message: str) -> Any:
    return tf.debugging.check_numerics(tensor, message)


@raw
def PlaceholderWithDefault(input: Any) -> Any:
    return tf.identity(input)


@raw
def Shape(input: Any, out_type: Any) -> Any:
    return tf.shape(input, out_type)


@raw
def ShapeN(input: Any, out_type: Any) -> Any:
    return [[tf.shape(one, out_type) for one in input]]


@raw
def Size(input: Any, out_type: Any) -> Any:
    return tf.size(input, out_type)


@raw
def Rank(input: Any) -> Any:
    return tf.rank(input)


@raw
def EnsureShape(input: Any, shape: Any) -> Any:
    return tf.ensure_shape(input, shape)


@raw
def BroadcastArgs(s0: Any, s1: Any) -> Any:
    return tf.broadcast_dynamic_shape(s0, s1)


@raw
def BroadcastGradientArgs(s0: Any, s1: Any) -> Any:
    """The axes over which the gradients of two broadcast operands are summed."""
    first, second = tf.get_static_value(s0), tf.get_static_value(s1)
    if first is None or second is None:
        raise NotImplementedError("BroadcastGradientArgs of shapes that are known at run time only")
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


@raw
def Squeeze(input: Any, squeeze_dims: list) -> Any:
    return tf.squeeze(input, squeeze_dims or None)


@raw
def Pack(values: Any, axis: int) -> Any:
    return tf.stack(values, axis)


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
def ConcatV2(values: Any, axis: Any) -> Any:
    return tf.concat(values, axis)


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
def Pad(input: Any, paddings: Any) -> Any:
    return tf.pad(input, paddings)


@raw
def PadV2(input: Any, paddings: Any, constant_values: Any) -> Any:
    return tf.pad(input, paddings, constant_values=constant_values)


@raw
def MirrorPad(input: Any, paddings: Any, mode: str) -> Any:
    return tf.pad(input, paddings, mode)


@raw
def Reverse(tensor: Any, dims: Any) -> Any:
    return tf.reverse(tensor, [i for i, one in enumerate(tf.get_static_value(dims)) if one])


@raw
def ReverseSequence(input: Any, seq_lengths: Any, seq_dim: int, batch_dim: int) -> Any:
    return tf.reverse_sequence(input, seq_lengths, seq_dim, batch_dim)


@raw
def StridedSlice(input: Any, begin: Any, end: Any, strides: Any, begin_mask: int, end_mask: int,
                 ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int) -> Any:
    return tf.strided_slice(input, begin, end, strides, begin_mask, end_mask, ellipsis_mask,
                            new_axis_mask, shrink_axis_mask)


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
def Gather(params: Any, indices: Any) -> Any:
    return tf.gather(params, indices)


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
def DepthToSpace(input: Any, block_size: int, data_format: str) -> Any:
    return tf.nn.depth_to_space(input, block_size, data_format)


@raw
def SpaceToDepth(input: Any, block_size: int, data_format: str) -> Any:
    return tf.nn.space_to_depth(input, block_size, data_format)


@raw
def SpaceToBatch(input: Any, paddings: Any, block_size: int) -> Any:
    return tf.space_to_batch(input, [block_size, block_size], paddings)


@raw
def SpaceToBatchND(input: Any, block_shape: Any, paddings: Any) -> Any:
    return tf.space_to_batch(input, block_shape, paddings)


@raw
def BatchToSpace(input: Any, crops: Any, block_size: int) -> Any:
    return tf.batch_to_space(input, [block_size, block_size], crops)


@raw
def BatchToSpaceND(input: Any, block_shape: Any, crops: Any) -> Any:
    return tf.batch_to_space(input, block_shape, crops)


@raw
def FakeQuantWithMinMaxArgs(inputs: Any, min: float, max: float, num_bits: int,
                            narrow_range: bool) -> Any:
    return tf.quantization.fake_quant_with_min_max_args(inputs, min, max, num_bits, narrow_range)


@raw
def FakeQuantWithMinMaxVars(inputs: Any, min: Any, max: Any, num_bits: int,
                            narrow_range: bool) -> Any:
    return tf.quantization.fake_quant_with_min_max_vars(inputs, min, max, num_bits, narrow_range)


@raw
def FakeQuantWithMinMaxVarsPerChannel(inputs: Any, min: Any, max: Any, num_bits: int,
                                      narrow_range: bool) -> Any:
    return tf.quantization.fake_quant_with_min_max_vars_per_channel(
        inputs, min, max, num_bits, narrow_range)


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
