# Written by tools/stubs.py (make stubs).
"""tf.raw_ops"""

from typing import Any as _Any

import tapeflow as tf
from tapeflow._typing import (
    DTypeLike,
    FloatLike,
    ShapeLike,
    TensorLike,
    UniqueV2 as _UniqueV2,
    UniqueWithCountsV2 as _UniqueWithCountsV2,
)
from tapeflow.image import hsv_to_rgb as _hsv_to_rgb, rgb_to_hsv as _rgb_to_hsv

def Abs(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Abs: takes x: T, gives y: T."""

def AccumulateNV2(
    *, inputs: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AccumulateNV2: takes inputs: T, gives sum: T."""

def Acos(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Acos: takes x: T, gives y: T."""

def Acosh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Acosh: takes x: T, gives y: T."""

def Add(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Add: takes x: T, y: T, gives z: T."""

def AddN(*, inputs: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op AddN: takes inputs: T, gives sum: T."""

def AddV2(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op AddV2: takes x: T, y: T, gives z: T."""

def AdjustContrastv2(
    *, images: TensorLike, contrast_factor: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AdjustContrastv2: takes images: T, contrast_factor: float32, gives …"""

def AdjustHue(*, images: TensorLike, delta: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op AdjustHue: takes images: T, delta: float32, gives output: T."""

def AdjustSaturation(
    *, images: TensorLike, scale: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AdjustSaturation: takes images: T, scale: float32, gives output: T."""

def All(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op All: takes input: bool, axis: Tidx, gives output: bool."""

def AllCandidateSampler(
    *, true_classes: _Any, num_true: _Any, num_sampled: _Any, unique: _Any, seed: _Any = 0,
    seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AllCandidateSampler: takes true_classes: int64, gives …"""

def Angle(
    *, input: TensorLike, Tout: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Angle: takes input: T, gives output: Tout."""

def AnonymousHashTable(
    *, key_dtype: _Any, value_dtype: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AnonymousHashTable: takes no tensor, gives table_handle: resource."""

def AnonymousMutableDenseHashTable(
    *, empty_key: _Any, deleted_key: _Any, value_dtype: _Any, value_shape: _Any = ...,
    initial_num_buckets: _Any = 131072, max_load_factor: _Any = 0.800000011920929,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AnonymousMutableDenseHashTable: takes empty_key: key_dtype, …"""

def AnonymousMutableHashTable(
    *, key_dtype: _Any, value_dtype: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AnonymousMutableHashTable: takes no tensor, gives table_handle: …"""

def AnonymousMutableHashTableOfTensors(
    *, key_dtype: _Any, value_dtype: _Any, value_shape: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AnonymousMutableHashTableOfTensors: takes no tensor, gives …"""

def Any(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Any: takes input: bool, axis: Tidx, gives output: bool."""

def ApproximateEqual(
    *, x: TensorLike, y: TensorLike, tolerance: _Any = 9.999999747378752e-06,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ApproximateEqual: takes x: T, y: T, gives z: bool."""

def ApproxTopK(
    *, input: TensorLike, k: _Any, reduction_dimension: _Any = -1,
    recall_target: _Any = 0.949999988079071, is_max_k: bool = True,
    reduction_input_size_override: _Any = -1, aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ApproxTopK: takes input: T, gives values: T, indices: int32."""

def ArgMax(
    *, input: TensorLike, dimension: _Any, output_type: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ArgMax: takes input: T, dimension: Tidx, gives output: output_type."""

def ArgMin(
    *, input: TensorLike, dimension: _Any, output_type: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ArgMin: takes input: T, dimension: Tidx, gives output: output_type."""

def Asin(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Asin: takes x: T, gives y: T."""

def Asinh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Asinh: takes x: T, gives y: T."""

def Assert(
    *, condition: TensorLike, data: TensorLike, summarize: _Any = 3, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Assert: takes condition: bool, data: T, gives nothing."""

def AssignAddVariableOp(
    *, resource: _Any, value: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AssignAddVariableOp: takes resource: resource, value: dtype, gives …"""

def AssignSubVariableOp(
    *, resource: _Any, value: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AssignSubVariableOp: takes resource: resource, value: dtype, gives …"""

def AssignVariableOp(
    *, resource: _Any, value: TensorLike, validate_shape: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AssignVariableOp: takes resource: resource, value: dtype, gives …"""

def AsString(
    *, input: TensorLike, precision: _Any = -1, scientific: bool = False,
    shortest: bool = False, width: _Any = -1, fill: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AsString: takes input: T, gives output: string."""

def Atan(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Atan: takes x: T, gives y: T."""

def Atan2(*, y: TensorLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Atan2: takes y: T, x: T, gives z: T."""

def Atanh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Atanh: takes x: T, gives y: T."""

def AudioSpectrogram(
    *, input: TensorLike, window_size: _Any, stride: _Any, magnitude_squared: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AudioSpectrogram: takes input: float32, gives spectrogram: float32."""

def AvgPool(
    *, value: TensorLike, ksize: _Any, strides: _Any, padding: _Any, data_format: _Any = 'NHWC',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AvgPool: takes value: T, gives output: T."""

def AvgPool3D(
    *, input: TensorLike, ksize: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AvgPool3D: takes input: T, gives output: T."""

def AvgPool3DGrad(
    *, orig_input_shape: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AvgPool3DGrad: takes orig_input_shape: int32, grad: T, gives …"""

def AvgPoolGrad(
    *, orig_input_shape: _Any, grad: _Any, ksize: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op AvgPoolGrad: takes orig_input_shape: int32, grad: T, gives output: T."""

def BandedTriangularSolve(
    *, matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BandedTriangularSolve: takes matrix: T, rhs: T, gives output: T."""

def BatchCholesky(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BatchCholesky: takes input: T, gives output: T."""

def BatchMatMul(
    *, x: TensorLike, y: TensorLike, adj_x: bool = False, adj_y: bool = False,
    grad_x: bool = False, grad_y: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatMul: takes x: T, y: T, gives output: T."""

def BatchMatMulV2(
    *, x: TensorLike, y: TensorLike, adj_x: bool = False, adj_y: bool = False,
    grad_x: bool = False, grad_y: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatMulV2: takes x: T, y: T, gives output: T."""

def BatchMatMulV3(
    *, x: TensorLike, y: TensorLike, Tout: _Any, adj_x: bool = False, adj_y: bool = False,
    grad_x: bool = False, grad_y: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatMulV3: takes x: Ta, y: Tb, gives output: Tout."""

def BatchMatrixBandPart(
    *, input: TensorLike, num_lower: _Any, num_upper: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatrixBandPart: takes input: T, num_lower: int64, num_upper: …"""

def BatchMatrixDeterminant(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BatchMatrixDeterminant: takes input: T, gives output: T."""

def BatchMatrixDiag(*, diagonal: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BatchMatrixDiag: takes diagonal: T, gives output: T."""

def BatchMatrixDiagPart(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BatchMatrixDiagPart: takes input: T, gives diagonal: T."""

def BatchMatrixInverse(
    *, input: TensorLike, adjoint: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatrixInverse: takes input: T, gives output: T."""

def BatchMatrixSetDiag(
    *, input: TensorLike, diagonal: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatrixSetDiag: takes input: T, diagonal: T, gives output: T."""

def BatchMatrixTriangularSolve(
    *, matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchMatrixTriangularSolve: takes matrix: T, rhs: T, gives output: T."""

def BatchNormWithGlobalNormalization(
    *, t: TensorLike, m: _Any, v: TensorLike, beta: _Any, gamma: _Any, variance_epsilon: _Any,
    scale_after_normalization: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchNormWithGlobalNormalization: takes t: T, m: T, v: T, beta: T, …"""

def BatchToSpace(
    *, input: TensorLike, crops: _Any, block_size: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchToSpace: takes input: T, crops: Tidx, gives output: T."""

def BatchToSpaceND(
    *, input: TensorLike, block_shape: ShapeLike, crops: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BatchToSpaceND: takes input: T, block_shape: Tblock_shape, crops: …"""

def BesselI0(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselI0: takes x: T, gives y: T."""

def BesselI0e(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselI0e: takes x: T, gives y: T."""

def BesselI1(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselI1: takes x: T, gives y: T."""

def BesselI1e(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselI1e: takes x: T, gives y: T."""

def BesselJ0(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselJ0: takes x: T, gives y: T."""

def BesselJ1(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselJ1: takes x: T, gives y: T."""

def BesselK0(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselK0: takes x: T, gives y: T."""

def BesselK0e(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselK0e: takes x: T, gives y: T."""

def BesselK1(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselK1: takes x: T, gives y: T."""

def BesselK1e(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselK1e: takes x: T, gives y: T."""

def BesselY0(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselY0: takes x: T, gives y: T."""

def BesselY1(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BesselY1: takes x: T, gives y: T."""

def Betainc(
    *, a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Betainc: takes a: T, b: T, x: T, gives z: T."""

def BiasAdd(
    *, value: TensorLike, bias: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BiasAdd: takes value: T, bias: T, gives output: T."""

def BiasAddGrad(
    *, out_backprop: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BiasAddGrad: takes out_backprop: T, gives output: T."""

def BiasAddV1(*, value: TensorLike, bias: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BiasAddV1: takes value: T, bias: T, gives output: T."""

def Bincount(
    *, arr: _Any, size: _Any, weights: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Bincount: takes arr: int32, size: int32, weights: T, gives bins: T."""

def Bitcast(*, input: TensorLike, type: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Bitcast: takes input: T, gives output: type."""

def BitwiseAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BitwiseAnd: takes x: T, y: T, gives z: T."""

def BitwiseOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BitwiseOr: takes x: T, y: T, gives z: T."""

def BitwiseXor(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BitwiseXor: takes x: T, y: T, gives z: T."""

def BlockLSTMV2(
    *, seq_len_max: _Any, x: TensorLike, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any,
    wcf: _Any, wco: _Any, b: TensorLike, cell_clip: _Any = 0.0, use_peephole: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BlockLSTMV2: takes seq_len_max: int64, x: T, cs_prev: T, h_prev: T, …"""

def BroadcastArgs(*, s0: _Any, s1: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BroadcastArgs: takes s0: T, s1: T, gives r0: T."""

def BroadcastGradientArgs(*, s0: _Any, s1: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op BroadcastGradientArgs: takes s0: T, s1: T, gives r0: T, r1: T."""

def BroadcastTo(
    *, input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op BroadcastTo: takes input: T, shape: Tidx, gives output: T."""

def Bucketize(
    *, input: TensorLike, boundaries: _Any, name: str | None = None,
) -> tf.Tensor:
    """The number of boundaries that are not above each element."""

def Cast(
    *, x: TensorLike, DstT: _Any, Truncate: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Cast: takes x: SrcT, gives y: DstT."""

def Ceil(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Ceil: takes x: T, gives y: T."""

def CheckNumerics(
    *, tensor: TensorLike, message: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CheckNumerics: takes tensor: T, gives output: T."""

def CheckNumericsV2(
    *, tensor: TensorLike, message: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CheckNumericsV2: takes tensor: T, gives output: T."""

def Cholesky(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Cholesky: takes input: T, gives output: T."""

def CholeskyGrad(*, l: _Any, grad: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op CholeskyGrad: takes l: T, grad: T, gives output: T."""

def ClipByValue(
    *, t: TensorLike, clip_value_min: _Any, clip_value_max: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ClipByValue: takes t: T, clip_value_min: T, clip_value_max: T, …"""

def CombinedNonMaxSuppression(
    *, boxes: TensorLike, scores: TensorLike, max_output_size_per_class: _Any,
    max_total_size: _Any, iou_threshold: _Any, score_threshold: _Any,
    pad_per_class: bool = False, clip_boxes: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CombinedNonMaxSuppression: takes boxes: float32, scores: float32, …"""

def Complex(
    *, real: _Any, imag: _Any, Tout: _Any = tf.complex64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Complex: takes real: T, imag: T, gives out: Tout."""

def ComplexAbs(
    *, x: TensorLike, Tout: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ComplexAbs: takes x: T, gives y: Tout."""

def ComputeAccidentalHits(
    *, true_classes: _Any, sampled_candidates: _Any, num_true: _Any, seed: _Any = 0,
    seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ComputeAccidentalHits: takes true_classes: int64, …"""

def Concat(
    *, concat_dim: _Any, values: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Concat: takes concat_dim: int32, values: T, gives output: T."""

def ConcatOffset(
    *, concat_dim: _Any, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ConcatOffset: takes concat_dim: int32, shape: shape_type, gives …"""

def ConcatV2(
    *, values: TensorLike, axis: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ConcatV2: takes values: T, axis: Tidx, gives output: T."""

def Conj(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Conj: takes input: T, gives output: T."""

def ConjugateTranspose(
    *, x: TensorLike, perm: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ConjugateTranspose: takes x: T, perm: Tperm, gives y: T."""

def Const(*, value: TensorLike, dtype: DTypeLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Const: takes no tensor, gives output: dtype."""

def Conv(
    *, input: TensorLike, filter: _Any, strides: _Any, padding: _Any,
    explicit_paddings: _Any = ..., data_format: _Any = 'CHANNELS_LAST', dilations: _Any = ...,
    batch_dims: _Any = 1, groups: _Any = 1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv: takes input: T, filter: T, gives output: T."""

def Conv2D(
    *, input: TensorLike, filter: _Any, strides: _Any, padding: _Any,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: _Any = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv2D: takes input: T, filter: T, gives output: T."""

def Conv2DBackpropFilter(
    *, input: TensorLike, filter_sizes: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: _Any = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv2DBackpropFilter: takes input: T, filter_sizes: int32, …"""

def Conv2DBackpropInput(
    *, input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    use_cudnn_on_gpu: bool = True, explicit_paddings: _Any = ..., data_format: _Any = 'NHWC',
    dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv2DBackpropInput: takes input_sizes: int32, filter: T, …"""

def Conv3D(
    *, input: TensorLike, filter: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv3D: takes input: T, filter: T, gives output: T."""

def Conv3DBackpropFilterV2(
    *, input: TensorLike, filter_sizes: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv3DBackpropFilterV2: takes input: T, filter_sizes: int32, …"""

def Conv3DBackpropInputV2(
    *, input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', dilations: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Conv3DBackpropInputV2: takes input_sizes: Tshape, filter: T, …"""

def Cos(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Cos: takes x: T, gives y: T."""

def Cosh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Cosh: takes x: T, gives y: T."""

def CropAndResize(
    image: TensorLike, boxes: TensorLike, box_ind: _Any, crop_size: _Any,
    method: str = 'bilinear', extrapolation_value: FloatLike = 0, name: str | None = None,
) -> tf.Tensor:
    """`crop_and_resize` under the name of its op."""

def CropAndResizeGradBoxes(
    *, grads: _Any, image: TensorLike, boxes: TensorLike, box_ind: _Any,
    method: _Any = 'bilinear', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CropAndResizeGradBoxes: takes grads: float32, image: T, boxes: …"""

def CropAndResizeGradImage(
    *, grads: _Any, boxes: TensorLike, box_ind: _Any, image_size: _Any, T: _Any,
    method: _Any = 'bilinear', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CropAndResizeGradImage: takes grads: float32, boxes: float32, …"""

def Cross(*, a: TensorLike, b: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Cross: takes a: T, b: T, gives product: T."""

def CTCBeamSearchDecoder(
    *, inputs: TensorLike, sequence_length: _Any, beam_width: _Any, top_paths: _Any,
    merge_repeated: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CTCBeamSearchDecoder: takes inputs: T, sequence_length: int32, …"""

def CTCGreedyDecoder(
    *, inputs: TensorLike, sequence_length: _Any, merge_repeated: bool = False,
    blank_index: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CTCGreedyDecoder: takes inputs: T, sequence_length: int32, gives …"""

def CTCLoss(
    *, inputs: TensorLike, labels_indices: _Any, labels_values: _Any, sequence_length: _Any,
    preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CTCLoss: takes inputs: T, labels_indices: int64, labels_values: …"""

def CudnnRNN(
    *, input: TensorLike, input_h: _Any, input_c: _Any, params: TensorLike,
    rnn_mode: _Any = 'lstm', input_mode: _Any = 'linear_input',
    direction: _Any = 'unidirectional', dropout: _Any = 0.0, seed: _Any = 0, seed2: _Any = 0,
    is_training: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CudnnRNN: takes input: T, input_h: T, input_c: T, params: T, gives …"""

def CudnnRNNV3(
    *, input: TensorLike, input_h: _Any, input_c: _Any, params: TensorLike,
    sequence_lengths: _Any, rnn_mode: _Any = 'lstm', input_mode: _Any = 'linear_input',
    direction: _Any = 'unidirectional', dropout: _Any = 0.0, seed: _Any = 0, seed2: _Any = 0,
    num_proj: _Any = 0, is_training: bool = True, time_major: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CudnnRNNV3: takes input: T, input_h: T, input_c: T, params: T, …"""

def Cumprod(
    *, x: TensorLike, axis: TensorLike, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Cumprod: takes x: T, axis: Tidx, gives out: T."""

def Cumsum(
    *, x: TensorLike, axis: TensorLike, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Cumsum: takes x: T, axis: Tidx, gives out: T."""

def CumulativeLogsumexp(
    *, x: TensorLike, axis: TensorLike, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op CumulativeLogsumexp: takes x: T, axis: Tidx, gives out: T."""

def DataFormatDimMap(
    *, x: TensorLike, src_format: _Any = 'NHWC', dst_format: _Any = 'NCHW',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DataFormatDimMap: takes x: T, gives y: T."""

def DataFormatVecPermute(
    *, x: TensorLike, src_format: _Any = 'NHWC', dst_format: _Any = 'NCHW',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DataFormatVecPermute: takes x: T, gives y: T."""

def Dawsn(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Dawsn: takes x: T, gives y: T."""

def DecodeAndCropJpeg(
    *, contents: _Any, crop_window: _Any, channels: _Any = 0, ratio: _Any = 1,
    fancy_upscaling: bool = True, try_recover_truncated: bool = False,
    acceptable_fraction: _Any = 1.0, dct_method: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeAndCropJpeg: takes contents: string, crop_window: int32, …"""

def DecodeBase64(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DecodeBase64: takes input: string, gives output: string."""

def DecodeBmp(
    *, contents: _Any, channels: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeBmp: takes contents: string, gives image: uint8."""

def DecodeCompressed(
    *, bytes: _Any, compression_type: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeCompressed: takes bytes: string, gives output: string."""

def DecodeCSV(
    *, records: _Any, record_defaults: _Any, field_delim: _Any = ',',
    use_quote_delim: bool = True, na_value: _Any = '', select_cols: _Any = ...,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeCSV: takes records: string, record_defaults: OUT_TYPE, gives …"""

def DecodeGif(*, contents: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DecodeGif: takes contents: string, gives image: uint8."""

def DecodeImage(
    *, contents: _Any, channels: _Any = 0, dtype: DTypeLike = tf.uint8,
    expand_animations: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeImage: takes contents: string, gives image: dtype."""

def DecodeJpeg(
    *, contents: _Any, channels: _Any = 0, ratio: _Any = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: _Any = 1.0, dct_method: _Any = '',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeJpeg: takes contents: string, gives image: uint8."""

def DecodePaddedRaw(
    *, input_bytes: _Any, fixed_length: _Any, out_type: DTypeLike, little_endian: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodePaddedRaw: takes input_bytes: string, fixed_length: int32, …"""

def DecodePng(
    *, contents: _Any, channels: _Any = 0, dtype: DTypeLike = tf.uint8, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodePng: takes contents: string, gives image: dtype."""

def DecodeRaw(
    *, bytes: _Any, out_type: DTypeLike, little_endian: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeRaw: takes bytes: string, gives output: out_type."""

def DecodeWav(
    *, contents: _Any, desired_channels: _Any = -1, desired_samples: _Any = -1,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DecodeWav: takes contents: string, gives audio: float32, …"""

def DeepCopy(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DeepCopy: takes x: T, gives y: T."""

def DenseBincount(
    *, input: TensorLike, size: _Any, weights: TensorLike, binary_output: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DenseBincount: takes input: Tidx, size: Tidx, weights: T, gives …"""

def DenseCountSparseOutput(
    *, values: TensorLike, weights: TensorLike, binary_output: _Any, minlength: _Any = -1,
    maxlength: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DenseCountSparseOutput: takes values: T, weights: output_type, …"""

def DenseToDenseSetOperation(
    *, set1: _Any, set2: _Any, set_operation: _Any, validate_indices: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DenseToDenseSetOperation: takes set1: T, set2: T, gives …"""

def DenseToSparseSetOperation(
    *, set1: _Any, set2_indices: _Any, set2_values: _Any, set2_shape: _Any, set_operation: _Any,
    validate_indices: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DenseToSparseSetOperation: takes set1: T, set2_indices: int64, …"""

def DepthToSpace(
    *, input: TensorLike, block_size: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DepthToSpace: takes input: T, gives output: T."""

def DepthwiseConv2dNative(
    *, input: TensorLike, filter: _Any, strides: _Any, padding: _Any,
    explicit_paddings: _Any = ..., data_format: _Any = 'NHWC', dilations: _Any = ...,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DepthwiseConv2dNative: takes input: T, filter: T, gives output: T."""

def DepthwiseConv2dNativeBackpropFilter(
    *, input: TensorLike, filter_sizes: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    explicit_paddings: _Any = ..., data_format: _Any = 'NHWC', dilations: _Any = ...,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DepthwiseConv2dNativeBackpropFilter: takes input: T, filter_sizes: …"""

def DepthwiseConv2dNativeBackpropInput(
    *, input_sizes: _Any, filter: _Any, out_backprop: _Any, strides: _Any, padding: _Any,
    explicit_paddings: _Any = ..., data_format: _Any = 'NHWC', dilations: _Any = ...,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DepthwiseConv2dNativeBackpropInput: takes input_sizes: int32, …"""

def DeserializeManySparse(
    *, serialized_sparse: _Any, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DeserializeManySparse: takes serialized_sparse: string, gives …"""

def DeserializeSparse(
    *, serialized_sparse: _Any, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DeserializeSparse: takes serialized_sparse: Tserialized, gives …"""

def DestroyResourceOp(
    *, resource: _Any, ignore_lookup_error: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DestroyResourceOp: takes resource: resource, gives nothing."""

def Diag(*, diagonal: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Diag: takes diagonal: T, gives output: T."""

def DiagPart(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DiagPart: takes input: T, gives diagonal: T."""

def Digamma(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Digamma: takes x: T, gives y: T."""

def Dilation2D(
    *, input: TensorLike, filter: _Any, strides: _Any, rates: _Any, padding: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Dilation2D: takes input: T, filter: T, gives output: T."""

def Dilation2DBackpropFilter(
    *, input: TensorLike, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any,
    padding: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Dilation2DBackpropFilter: takes input: T, filter: T, out_backprop: …"""

def Dilation2DBackpropInput(
    *, input: TensorLike, filter: _Any, out_backprop: _Any, strides: _Any, rates: _Any,
    padding: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Dilation2DBackpropInput: takes input: T, filter: T, out_backprop: …"""

def DisableCopyOnRead(*, resource: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DisableCopyOnRead: takes resource: resource, gives nothing."""

def Div(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Div: takes x: T, y: T, gives z: T."""

def DivNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op DivNoNan: takes x: T, y: T, gives z: T."""

def DrawBoundingBoxes(
    *, images: TensorLike, boxes: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DrawBoundingBoxes: takes images: T, boxes: float32, gives output: T."""

def DrawBoundingBoxesV2(
    *, images: TensorLike, boxes: TensorLike, colors: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DrawBoundingBoxesV2: takes images: T, boxes: float32, colors: …"""

def DynamicPartition(
    *, data: TensorLike, partitions: _Any, num_partitions: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DynamicPartition: takes data: T, partitions: int32, gives outputs: T."""

def DynamicStitch(
    *, indices: TensorLike, data: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op DynamicStitch: takes indices: int32, data: T, gives merged: T."""

def EditDistance(
    *, hypothesis_indices: _Any, hypothesis_values: _Any, hypothesis_shape: _Any,
    truth_indices: _Any, truth_values: _Any, truth_shape: _Any, normalize: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EditDistance: takes hypothesis_indices: int64, hypothesis_values: …"""

def Eig(
    *, input: TensorLike, Tout: _Any, compute_v: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Eig: takes input: T, gives e: Tout, v: Tout."""

def Einsum(*, inputs: TensorLike, equation: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Einsum: takes inputs: T, gives output: T."""

def Elu(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Elu: takes features: T, gives activations: T."""

def EluGrad(*, gradients: _Any, outputs: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op EluGrad: takes gradients: T, outputs: T, gives backprops: T."""

def Empty(
    *, shape: ShapeLike, dtype: DTypeLike, init: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Empty: takes shape: int32, gives output: dtype."""

def EmptyTensorList(
    *, element_shape: _Any, max_num_elements: _Any, element_dtype: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EmptyTensorList: takes element_shape: shape_type, max_num_elements: …"""

def EncodeBase64(
    *, input: TensorLike, pad: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EncodeBase64: takes input: string, gives output: string."""

def EncodeJpeg(
    *, image: TensorLike, format: _Any = '', quality: _Any = 95, progressive: bool = False,
    optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: _Any = 'in',
    x_density: _Any = 300, y_density: _Any = 300, xmp_metadata: _Any = '',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EncodeJpeg: takes image: uint8, gives contents: string."""

def EncodeJpegVariableQuality(
    *, images: TensorLike, quality: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EncodeJpegVariableQuality: takes images: uint8, quality: int32, …"""

def EncodePng(
    *, image: TensorLike, compression: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EncodePng: takes image: T, gives contents: string."""

def EncodeWav(
    *, audio: TensorLike, sample_rate: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EncodeWav: takes audio: float32, sample_rate: int32, gives …"""

def EnsureShape(
    *, input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EnsureShape: takes input: T, gives output: T."""

def Equal(
    *, x: TensorLike, y: TensorLike, incompatible_shape_error: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Equal: takes x: T, y: T, gives z: bool."""

def Erf(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Erf: takes x: T, gives y: T."""

def Erfc(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Erfc: takes x: T, gives y: T."""

def Erfinv(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Erfinv: takes x: T, gives y: T."""

def EuclideanNorm(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op EuclideanNorm: takes input: T, axis: Tidx, gives output: T."""

def Exp(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Exp: takes x: T, gives y: T."""

def ExpandDims(
    *, input: TensorLike, axis: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ExpandDims: takes input: T, axis: Tdim, gives output: T."""

def Expint(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Expint: takes x: T, gives y: T."""

def Expm1(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Expm1: takes x: T, gives y: T."""

def ExtractGlimpseV2(
    *, input: TensorLike, size: _Any, offsets: _Any, centered: bool = True,
    normalized: bool = True, uniform_noise: bool = True, noise: _Any = 'uniform',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ExtractGlimpseV2: takes input: float32, size: int32, offsets: …"""

def ExtractImagePatches(
    images: TensorLike, ksizes: _Any, strides: _Any, rates: _Any, padding: str,
    name: str | None = None,
) -> tf.Tensor:
    """`extract_patches` under the name of its op."""

def ExtractJpegShape(
    *, contents: _Any, output_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ExtractJpegShape: takes contents: string, gives image_shape: …"""

def ExtractVolumePatches(
    *, input: TensorLike, ksizes: _Any, strides: _Any, padding: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ExtractVolumePatches: takes input: T, gives patches: T."""

def FakeQuantWithMinMaxArgs(
    *, inputs: TensorLike, min: _Any = -6.0, max: _Any = 6.0, num_bits: _Any = 8,
    narrow_range: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FakeQuantWithMinMaxArgs: takes inputs: float32, gives outputs: …"""

def FakeQuantWithMinMaxVars(
    *, inputs: TensorLike, min: _Any, max: _Any, num_bits: _Any = 8, narrow_range: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FakeQuantWithMinMaxVars: takes inputs: float32, min: float32, max: …"""

def FakeQuantWithMinMaxVarsPerChannel(
    *, inputs: TensorLike, min: _Any, max: _Any, num_bits: _Any = 8, narrow_range: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FakeQuantWithMinMaxVarsPerChannel: takes inputs: float32, min: …"""

def FFT(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FFT: takes input: Tcomplex, gives output: Tcomplex."""

def FFT2D(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FFT2D: takes input: Tcomplex, gives output: Tcomplex."""

def FFT3D(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FFT3D: takes input: Tcomplex, gives output: Tcomplex."""

def FFTND(
    *, input: TensorLike, fft_length: _Any, axes: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FFTND: takes input: Tcomplex, fft_length: int32, axes: int32, gives …"""

def Fill(*, dims: _Any, value: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Fill: takes dims: index_type, value: T, gives output: T."""

def Fingerprint(
    *, data: TensorLike, method: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Fingerprint: takes data: T, method: string, gives fingerprint: uint8."""

def FixedUnigramCandidateSampler(
    *, true_classes: _Any, num_true: _Any, num_sampled: _Any, unique: _Any, range_max: _Any,
    vocab_file: _Any = '', distortion: _Any = 1.0, num_reserved_ids: _Any = 0,
    num_shards: _Any = 1, shard: _Any = 0, unigrams: _Any = ..., seed: _Any = 0,
    seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FixedUnigramCandidateSampler: takes true_classes: int64, gives …"""

def Floor(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Floor: takes x: T, gives y: T."""

def FloorDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FloorDiv: takes x: T, y: T, gives z: T."""

def FloorMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FloorMod: takes x: T, y: T, gives z: T."""

def FractionalAvgPool(
    *, value: TensorLike, pooling_ratio: _Any, pseudo_random: bool = False,
    overlapping: bool = False, deterministic: bool = False, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FractionalAvgPool: takes value: T, gives output: T, …"""

def FractionalAvgPoolGrad(
    *, orig_input_tensor_shape: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FractionalAvgPoolGrad: takes orig_input_tensor_shape: int64, …"""

def FractionalMaxPool(
    *, value: TensorLike, pooling_ratio: _Any, pseudo_random: bool = False,
    overlapping: bool = False, deterministic: bool = False, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FractionalMaxPool: takes value: T, gives output: T, …"""

def FractionalMaxPoolGrad(
    *, orig_input: _Any, orig_output: _Any, out_backprop: _Any, row_pooling_sequence: _Any,
    col_pooling_sequence: _Any, overlapping: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FractionalMaxPoolGrad: takes orig_input: T, orig_output: T, …"""

def FresnelCos(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FresnelCos: takes x: T, gives y: T."""

def FresnelSin(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op FresnelSin: takes x: T, gives y: T."""

def FusedBatchNorm(
    *, x: TensorLike, scale: _Any, offset: _Any, mean: _Any, variance: _Any,
    epsilon: _Any = 9.999999747378752e-05, exponential_avg_factor: _Any = 1.0,
    data_format: _Any = 'NHWC', is_training: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FusedBatchNorm: takes x: T, scale: T, offset: T, mean: T, variance: …"""

def FusedBatchNormV2(
    *, x: TensorLike, scale: _Any, offset: _Any, mean: _Any, variance: _Any,
    epsilon: _Any = 9.999999747378752e-05, exponential_avg_factor: _Any = 1.0,
    data_format: _Any = 'NHWC', is_training: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FusedBatchNormV2: takes x: T, scale: U, offset: U, mean: U, …"""

def FusedBatchNormV3(
    *, x: TensorLike, scale: _Any, offset: _Any, mean: _Any, variance: _Any,
    epsilon: _Any = 9.999999747378752e-05, exponential_avg_factor: _Any = 1.0,
    data_format: _Any = 'NHWC', is_training: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op FusedBatchNormV3: takes x: T, scale: U, offset: U, mean: U, …"""

def Gather(
    *, params: TensorLike, indices: TensorLike, validate_indices: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Gather: takes params: Tparams, indices: Tindices, gives output: …"""

def GatherNd(
    *, params: TensorLike, indices: TensorLike, bad_indices_policy: _Any = '',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op GatherNd: takes params: Tparams, indices: Tindices, gives output: …"""

def GatherV2(
    *, params: TensorLike, indices: TensorLike, axis: TensorLike, batch_dims: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op GatherV2: takes params: Tparams, indices: Tindices, axis: Taxis, …"""

def Greater(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Greater: takes x: T, y: T, gives z: bool."""

def GreaterEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op GreaterEqual: takes x: T, y: T, gives z: bool."""

def GRUBlockCell(
    *, x: TensorLike, h_prev: _Any, w_ru: _Any, w_c: _Any, b_ru: _Any, b_c: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op GRUBlockCell: takes x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: …"""

def HashTableV2(
    *, key_dtype: _Any, value_dtype: _Any, container: _Any = '', shared_name: _Any = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op HashTableV2: takes no tensor, gives table_handle: resource."""

def HistogramFixedWidth(
    *, values: TensorLike, value_range: _Any, nbins: _Any, dtype: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op HistogramFixedWidth: takes values: T, value_range: T, nbins: int32, …"""

def Identity(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Identity: takes input: T, gives output: T."""

def IdentityN(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IdentityN: takes input: T, gives output: T."""

def IFFT(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IFFT: takes input: Tcomplex, gives output: Tcomplex."""

def IFFT2D(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IFFT2D: takes input: Tcomplex, gives output: Tcomplex."""

def IFFT3D(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IFFT3D: takes input: Tcomplex, gives output: Tcomplex."""

def IFFTND(
    *, input: TensorLike, fft_length: _Any, axes: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IFFTND: takes input: Tcomplex, fft_length: int32, axes: int32, …"""

def Igamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Igamma: takes a: T, x: T, gives z: T."""

def Igammac(*, a: TensorLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Igammac: takes a: T, x: T, gives z: T."""

def IgammaGradA(*, a: TensorLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IgammaGradA: takes a: T, x: T, gives z: T."""

def Imag(
    *, input: TensorLike, Tout: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Imag: takes input: T, gives output: Tout."""

def ImageProjectiveTransformV2(
    *, images: TensorLike, transforms: _Any, output_shape: ShapeLike, interpolation: str,
    fill_mode: str = 'CONSTANT', name: str | None = None,
) -> tf.Tensor:
    """As V3, with zeros outside."""

def ImageProjectiveTransformV3(
    *, images: TensorLike, transforms: _Any, output_shape: ShapeLike, fill_value: _Any,
    interpolation: str, fill_mode: str = 'CONSTANT', name: str | None = None,
) -> tf.Tensor:
    """`images` (batch, height, width, channels) through `transforms` (batch or 1, 8)."""

def InitializeTableFromTextFileV2(
    *, table_handle: _Any, filename: _Any, key_index: _Any, value_index: _Any,
    vocab_size: _Any = -1, delimiter: _Any = '\t', offset: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op InitializeTableFromTextFileV2: takes table_handle: resource, …"""

def InitializeTableV2(
    *, table_handle: _Any, keys: _Any, values: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op InitializeTableV2: takes table_handle: resource, keys: Tkey, …"""

def InTopK(
    *, predictions: TensorLike, targets: TensorLike, k: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op InTopK: takes predictions: float32, targets: T, gives precision: bool."""

def InTopKV2(
    *, predictions: TensorLike, targets: TensorLike, k: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op InTopKV2: takes predictions: float32, targets: T, k: T, gives …"""

def Inv(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Inv: takes x: T, gives y: T."""

def Invert(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Invert: takes x: T, gives y: T."""

def InvertPermutation(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op InvertPermutation: takes x: T, gives y: T."""

def InvGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op InvGrad: takes y: T, dy: T, gives z: T."""

def IRFFT(
    *, input: TensorLike, fft_length: _Any, Treal: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IRFFT: takes input: Tcomplex, fft_length: int32, gives output: Treal."""

def IRFFT2D(
    *, input: TensorLike, fft_length: _Any, Treal: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IRFFT2D: takes input: Tcomplex, fft_length: int32, gives output: …"""

def IRFFT3D(
    *, input: TensorLike, fft_length: _Any, Treal: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IRFFT3D: takes input: Tcomplex, fft_length: int32, gives output: …"""

def IRFFTND(
    *, input: TensorLike, fft_length: _Any, axes: TensorLike, Treal: _Any = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IRFFTND: takes input: Tcomplex, fft_length: int32, axes: int32, …"""

def IsFinite(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IsFinite: takes x: T, gives y: bool."""

def IsInf(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IsInf: takes x: T, gives y: bool."""

def IsNan(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op IsNan: takes x: T, gives y: bool."""

def IsotonicRegression(
    *, input: TensorLike, output_dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op IsotonicRegression: takes input: T, gives output: output_dtype, …"""

def L2Loss(*, t: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op L2Loss: takes t: T, gives output: T."""

def LeakyRelu(
    *, features: _Any, alpha: _Any = 0.20000000298023224, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LeakyRelu: takes features: T, gives activations: T."""

def LeakyReluGrad(
    *, gradients: _Any, features: _Any, alpha: _Any = 0.20000000298023224,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LeakyReluGrad: takes gradients: T, features: T, gives backprops: T."""

def LearnedUnigramCandidateSampler(
    *, true_classes: _Any, num_true: _Any, num_sampled: _Any, unique: _Any, range_max: _Any,
    seed: _Any = 0, seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LearnedUnigramCandidateSampler: takes true_classes: int64, gives …"""

def LeftShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LeftShift: takes x: T, y: T, gives z: T."""

def Less(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Less: takes x: T, y: T, gives z: bool."""

def LessEqual(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LessEqual: takes x: T, y: T, gives z: bool."""

def Lgamma(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Lgamma: takes x: T, gives y: T."""

def LinSpace(
    *, start: _Any, stop: _Any, num: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LinSpace: takes start: T, stop: T, num: Tidx, gives output: T."""

def ListDiff(
    *, x: TensorLike, y: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ListDiff: takes x: T, y: T, gives out: T, idx: out_idx."""

def Log(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Log: takes x: T, gives y: T."""

def Log1p(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Log1p: takes x: T, gives y: T."""

def LogicalAnd(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LogicalAnd: takes x: bool, y: bool, gives z: bool."""

def LogicalNot(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LogicalNot: takes x: bool, gives y: bool."""

def LogicalOr(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LogicalOr: takes x: bool, y: bool, gives z: bool."""

def LogMatrixDeterminant(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LogMatrixDeterminant: takes input: T, gives sign: T, …"""

def LogSoftmax(*, logits: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LogSoftmax: takes logits: T, gives logsoftmax: T."""

def LogUniformCandidateSampler(
    *, true_classes: _Any, num_true: _Any, num_sampled: _Any, unique: _Any, range_max: _Any,
    seed: _Any = 0, seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LogUniformCandidateSampler: takes true_classes: int64, gives …"""

def LookupTableExportV2(
    *, table_handle: _Any, Tkeys: _Any, Tvalues: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LookupTableExportV2: takes table_handle: resource, gives keys: …"""

def LookupTableFindV2(
    *, table_handle: _Any, keys: _Any, default_value: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LookupTableFindV2: takes table_handle: resource, keys: Tin, …"""

def LookupTableImportV2(
    *, table_handle: _Any, keys: _Any, values: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LookupTableImportV2: takes table_handle: resource, keys: Tin, …"""

def LookupTableInsertV2(
    *, table_handle: _Any, keys: _Any, values: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LookupTableInsertV2: takes table_handle: resource, keys: Tin, …"""

def LookupTableRemoveV2(
    *, table_handle: _Any, keys: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LookupTableRemoveV2: takes table_handle: resource, keys: Tin, gives …"""

def LookupTableSizeV2(*, table_handle: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LookupTableSizeV2: takes table_handle: resource, gives size: int64."""

def LoopCond(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op LoopCond: takes input: bool, gives output: bool."""

def LowerBound(
    *, sorted_inputs: _Any, values: TensorLike, out_type: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LowerBound: takes sorted_inputs: T, values: T, gives output: out_type."""

def LRN(
    *, input: TensorLike, depth_radius: _Any = 5, bias: _Any = 1.0, alpha: _Any = 1.0,
    beta: _Any = 0.5, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LRN: takes input: T, gives output: T."""

def LRNGrad(
    *, input_grads: _Any, input_image: _Any, output_image: _Any, depth_radius: _Any = 5,
    bias: _Any = 1.0, alpha: _Any = 1.0, beta: _Any = 0.5, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LRNGrad: takes input_grads: T, input_image: T, output_image: T, …"""

def LSTMBlockCell(
    *, x: TensorLike, cs_prev: _Any, h_prev: _Any, w: _Any, wci: _Any, wcf: _Any, wco: _Any,
    b: TensorLike, forget_bias: _Any = 1.0, cell_clip: _Any = 3.0, use_peephole: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op LSTMBlockCell: takes x: T, cs_prev: T, h_prev: T, w: T, wci: T, …"""

def Lu(
    *, input: TensorLike, output_idx_type: _Any = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Lu: takes input: T, gives lu: T, p: output_idx_type."""

def MatMul(
    *, a: TensorLike, b: TensorLike, transpose_a: bool = False, transpose_b: bool = False,
    grad_a: bool = False, grad_b: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatMul: takes a: T, b: T, gives product: T."""

def MatrixBandPart(
    *, input: TensorLike, num_lower: _Any, num_upper: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixBandPart: takes input: T, num_lower: Tindex, num_upper: …"""

def MatrixDeterminant(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixDeterminant: takes input: T, gives output: T."""

def MatrixDiag(*, diagonal: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixDiag: takes diagonal: T, gives output: T."""

def MatrixDiagPart(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixDiagPart: takes input: T, gives diagonal: T."""

def MatrixDiagPartV2(
    *, input: TensorLike, k: _Any, padding_value: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixDiagPartV2: takes input: T, k: int32, padding_value: T, gives …"""

def MatrixDiagPartV3(
    *, input: TensorLike, k: _Any, padding_value: _Any, align: _Any = 'RIGHT_LEFT',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixDiagPartV3: takes input: T, k: int32, padding_value: T, gives …"""

def MatrixDiagV2(
    *, diagonal: TensorLike, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixDiagV2: takes diagonal: T, k: int32, num_rows: int32, …"""

def MatrixDiagV3(
    *, diagonal: TensorLike, k: _Any, num_rows: _Any, num_cols: _Any, padding_value: _Any,
    align: _Any = 'RIGHT_LEFT', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixDiagV3: takes diagonal: T, k: int32, num_rows: int32, …"""

def MatrixExponential(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixExponential: takes input: T, gives output: T."""

def MatrixInverse(
    *, input: TensorLike, adjoint: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixInverse: takes input: T, gives output: T."""

def MatrixLogarithm(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixLogarithm: takes input: T, gives output: T."""

def MatrixSetDiag(
    *, input: TensorLike, diagonal: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixSetDiag: takes input: T, diagonal: T, gives output: T."""

def MatrixSetDiagV2(
    *, input: TensorLike, diagonal: TensorLike, k: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixSetDiagV2: takes input: T, diagonal: T, k: int32, gives …"""

def MatrixSetDiagV3(
    *, input: TensorLike, diagonal: TensorLike, k: _Any, align: _Any = 'RIGHT_LEFT',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixSetDiagV3: takes input: T, diagonal: T, k: int32, gives …"""

def MatrixSolve(
    *, matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixSolve: takes matrix: T, rhs: T, gives output: T."""

def MatrixSolveLs(
    *, matrix: TensorLike, rhs: TensorLike, l2_regularizer: _Any, fast: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixSolveLs: takes matrix: T, rhs: T, l2_regularizer: float64, …"""

def MatrixSquareRoot(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MatrixSquareRoot: takes input: T, gives output: T."""

def MatrixTriangularSolve(
    *, matrix: TensorLike, rhs: TensorLike, lower: bool = True, adjoint: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MatrixTriangularSolve: takes matrix: T, rhs: T, gives output: T."""

def Max(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Max: takes input: T, axis: Tidx, gives output: T."""

def Maximum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Maximum: takes x: T, y: T, gives z: T."""

def MaxPool(
    *, input: TensorLike, ksize: _Any, strides: _Any, padding: _Any,
    explicit_paddings: _Any = ..., data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPool: takes input: T, gives output: T."""

def MaxPool3D(
    *, input: TensorLike, ksize: _Any, strides: _Any, padding: _Any,
    data_format: _Any = 'NDHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPool3D: takes input: T, gives output: T."""

def MaxPool3DGrad(
    *, orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any,
    padding: _Any, data_format: _Any = 'NDHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPool3DGrad: takes orig_input: TInput, orig_output: TInput, grad: …"""

def MaxPoolGrad(
    *, orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any,
    padding: _Any, explicit_paddings: _Any = ..., data_format: _Any = 'NHWC',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolGrad: takes orig_input: T, orig_output: T, grad: T, gives …"""

def MaxPoolGradGrad(
    *, orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any,
    padding: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolGradGrad: takes orig_input: T, orig_output: T, grad: T, …"""

def MaxPoolGradV2(
    *, orig_input: _Any, orig_output: _Any, grad: _Any, ksize: _Any, strides: _Any,
    padding: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolGradV2: takes orig_input: T, orig_output: T, grad: T, ksize: …"""

def MaxPoolGradWithArgmax(
    *, input: TensorLike, grad: _Any, argmax: _Any, ksize: _Any, strides: _Any, padding: _Any,
    include_batch_in_index: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolGradWithArgmax: takes input: T, grad: T, argmax: Targmax, …"""

def MaxPoolV2(
    *, input: TensorLike, ksize: _Any, strides: _Any, padding: _Any, data_format: _Any = 'NHWC',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolV2: takes input: T, ksize: int32, strides: int32, gives …"""

def MaxPoolWithArgmax(
    *, input: TensorLike, ksize: _Any, strides: _Any, padding: _Any, Targmax: _Any = tf.int64,
    include_batch_in_index: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MaxPoolWithArgmax: takes input: T, gives output: T, argmax: Targmax."""

def Mean(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Mean: takes input: T, axis: Tidx, gives output: T."""

def MergeV2Checkpoints(
    *, checkpoint_prefixes: _Any, destination_prefix: _Any, delete_old_dirs: bool = True,
    allow_missing_files: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MergeV2Checkpoints: takes checkpoint_prefixes: string, …"""

def Min(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Min: takes input: T, axis: Tidx, gives output: T."""

def Minimum(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Minimum: takes x: T, y: T, gives z: T."""

def MirrorPad(
    *, input: TensorLike, paddings: TensorLike, mode: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MirrorPad: takes input: T, paddings: Tpaddings, gives output: T."""

def MirrorPadGrad(
    *, input: TensorLike, paddings: TensorLike, mode: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MirrorPadGrad: takes input: T, paddings: Tpaddings, gives output: T."""

def Mod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Mod: takes x: T, y: T, gives z: T."""

def Mul(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Mul: takes x: T, y: T, gives z: T."""

def MulNoNan(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op MulNoNan: takes x: T, y: T, gives z: T."""

def Multinomial(
    *, logits: TensorLike, num_samples: _Any, seed: _Any = 0, seed2: _Any = 0,
    output_dtype: DTypeLike = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Multinomial: takes logits: T, num_samples: int32, gives output: …"""

def MutableDenseHashTableV2(
    *, empty_key: _Any, deleted_key: _Any, value_dtype: _Any, container: _Any = '',
    shared_name: _Any = '', use_node_name_sharing: bool = False, value_shape: _Any = ...,
    initial_num_buckets: _Any = 131072, max_load_factor: _Any = 0.800000011920929,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MutableDenseHashTableV2: takes empty_key: key_dtype, deleted_key: …"""

def MutableHashTableOfTensorsV2(
    *, key_dtype: _Any, value_dtype: _Any, container: _Any = '', shared_name: _Any = '',
    use_node_name_sharing: bool = False, value_shape: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MutableHashTableOfTensorsV2: takes no tensor, gives table_handle: …"""

def MutableHashTableV2(
    *, key_dtype: _Any, value_dtype: _Any, container: _Any = '', shared_name: _Any = '',
    use_node_name_sharing: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op MutableHashTableV2: takes no tensor, gives table_handle: resource."""

def Ndtri(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Ndtri: takes x: T, gives y: T."""

def Neg(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Neg: takes x: T, gives y: T."""

def NextAfter(*, x1: TensorLike, x2: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op NextAfter: takes x1: T, x2: T, gives output: T."""

def NonMaxSuppression(
    *, boxes: TensorLike, scores: TensorLike, max_output_size: _Any, iou_threshold: _Any = 0.5,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppression: takes boxes: float32, scores: float32, …"""

def NonMaxSuppressionV2(
    *, boxes: TensorLike, scores: TensorLike, max_output_size: _Any, iou_threshold: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppressionV2: takes boxes: T, scores: T, max_output_size: …"""

def NonMaxSuppressionV3(
    *, boxes: TensorLike, scores: TensorLike, max_output_size: _Any, iou_threshold: _Any,
    score_threshold: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppressionV3: takes boxes: T, scores: T, max_output_size: …"""

def NonMaxSuppressionV4(
    *, boxes: TensorLike, scores: TensorLike, max_output_size: _Any, iou_threshold: _Any,
    score_threshold: _Any, pad_to_max_output_size: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppressionV4: takes boxes: T, scores: T, max_output_size: …"""

def NonMaxSuppressionV5(
    *, boxes: TensorLike, scores: TensorLike, max_output_size: _Any, iou_threshold: _Any,
    score_threshold: _Any, soft_nms_sigma: _Any, pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppressionV5: takes boxes: T, scores: T, max_output_size: …"""

def NonMaxSuppressionWithOverlaps(
    *, overlaps: _Any, scores: TensorLike, max_output_size: _Any, overlap_threshold: _Any,
    score_threshold: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NonMaxSuppressionWithOverlaps: takes overlaps: float32, scores: …"""

def NoOp(*, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op NoOp: takes no tensor, gives nothing."""

def NotEqual(
    *, x: TensorLike, y: TensorLike, incompatible_shape_error: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NotEqual: takes x: T, y: T, gives z: bool."""

def NthElement(
    *, input: TensorLike, n: _Any, reverse: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op NthElement: takes input: T, n: int32, gives values: T."""

def OneHot(
    *, indices: TensorLike, depth: _Any, on_value: _Any, off_value: _Any, axis: TensorLike = -1,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op OneHot: takes indices: TI, depth: int32, on_value: T, off_value: T, …"""

def OnesLike(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op OnesLike: takes x: T, gives y: T."""

def Pack(
    *, values: TensorLike, axis: TensorLike = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Pack: takes values: T, gives output: T."""

def Pad(
    *, input: TensorLike, paddings: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Pad: takes input: T, paddings: Tpaddings, gives output: T."""

def PadV2(
    *, input: TensorLike, paddings: TensorLike, constant_values: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op PadV2: takes input: T, paddings: Tpaddings, constant_values: T, …"""

def ParallelConcat(
    *, values: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParallelConcat: takes values: T, gives output: T."""

def ParallelDynamicStitch(
    *, indices: TensorLike, data: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParallelDynamicStitch: takes indices: int32, data: T, gives merged: T."""

def ParseExample(
    *, serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, dense_defaults: _Any,
    sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParseExample: takes serialized: string, names: string, sparse_keys: …"""

def ParseExampleV2(
    *, serialized: _Any, names: _Any, sparse_keys: _Any, dense_keys: _Any, ragged_keys: _Any,
    dense_defaults: _Any, num_sparse: _Any, sparse_types: _Any, ragged_value_types: _Any,
    ragged_split_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParseExampleV2: takes serialized: string, names: string, …"""

def ParseSequenceExampleV2(
    *, serialized: _Any, debug_name: _Any, context_sparse_keys: _Any, context_dense_keys: _Any,
    context_ragged_keys: _Any, feature_list_sparse_keys: _Any, feature_list_dense_keys: _Any,
    feature_list_ragged_keys: _Any, feature_list_dense_missing_assumed_empty: _Any,
    context_dense_defaults: _Any, Ncontext_sparse: _Any = 0, context_sparse_types: _Any = ...,
    context_ragged_value_types: _Any = ..., context_ragged_split_types: _Any = ...,
    context_dense_shapes: _Any = ..., Nfeature_list_sparse: _Any = 0,
    Nfeature_list_dense: _Any = 0, feature_list_dense_types: _Any = ...,
    feature_list_sparse_types: _Any = ..., feature_list_ragged_value_types: _Any = ...,
    feature_list_ragged_split_types: _Any = ..., feature_list_dense_shapes: _Any = ...,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParseSequenceExampleV2: takes serialized: string, debug_name: …"""

def ParseSingleExample(
    *, serialized: _Any, dense_defaults: _Any, num_sparse: _Any, sparse_keys: _Any,
    dense_keys: _Any, sparse_types: _Any, dense_shapes: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParseSingleExample: takes serialized: string, dense_defaults: …"""

def ParseTensor(
    *, serialized: _Any, out_type: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ParseTensor: takes serialized: string, gives output: out_type."""

def PlaceholderWithDefault(
    *, input: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op PlaceholderWithDefault: takes input: dtype, gives output: dtype."""

def Polygamma(*, a: TensorLike, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Polygamma: takes a: T, x: T, gives z: T."""

def PopulationCount(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op PopulationCount: takes x: T, gives y: uint8."""

def Pow(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Pow: takes x: T, y: T, gives z: T."""

def PreventGradient(
    *, input: TensorLike, message: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op PreventGradient: takes input: T, gives output: T."""

def Print(
    *, input: TensorLike, data: TensorLike, message: _Any = '', first_n: _Any = -1,
    summarize: _Any = 3, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Print: takes input: T, data: U, gives output: T."""

def PrintV2(
    *, input: TensorLike, output_stream: _Any = 'stderr', end: _Any = '\n',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op PrintV2: takes input: string, gives nothing."""

def Prod(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Prod: takes input: T, axis: Tidx, gives output: T."""

def Qr(
    *, input: TensorLike, full_matrices: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Qr: takes input: T, gives q: T, r: T."""

def QuantizeAndDequantizeV4(
    *, input: TensorLike, input_min: _Any, input_max: _Any, signed_input: bool = True,
    num_bits: _Any = 8, range_given: bool = False, round_mode: _Any = 'HALF_TO_EVEN',
    narrow_range: bool = False, axis: TensorLike = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op QuantizeAndDequantizeV4: takes input: T, input_min: T, input_max: …"""

def RaggedBincount(
    *, splits: _Any, values: TensorLike, size: _Any, weights: TensorLike,
    binary_output: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedBincount: takes splits: int64, values: Tidx, size: Tidx, …"""

def RaggedCountSparseOutput(
    *, splits: _Any, values: TensorLike, weights: TensorLike, binary_output: _Any,
    minlength: _Any = -1, maxlength: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedCountSparseOutput: takes splits: int64, values: T, weights: …"""

def RaggedCross(
    *, ragged_values: _Any, ragged_row_splits: _Any, sparse_indices: _Any, sparse_values: _Any,
    sparse_shape: _Any, dense_inputs: _Any, input_order: _Any, hashed_output: _Any,
    num_buckets: _Any, hash_key: _Any, out_values_type: _Any, out_row_splits_type: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedCross: takes ragged_values: ragged_values_types, …"""

def RaggedGather(
    *, params_nested_splits: _Any, params_dense_values: _Any, indices: TensorLike,
    OUTPUT_RAGGED_RANK: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedGather: takes params_nested_splits: Tsplits, …"""

def RaggedRange(
    *, starts: _Any, limits: _Any, deltas: _Any, Tsplits: _Any = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedRange: takes starts: T, limits: T, deltas: T, gives …"""

def RaggedTensorFromVariant(
    *, encoded_ragged: _Any, input_ragged_rank: _Any, output_ragged_rank: _Any, Tvalues: _Any,
    Tsplits: _Any = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedTensorFromVariant: takes encoded_ragged: variant, gives …"""

def RaggedTensorToSparse(
    *, rt_nested_splits: _Any, rt_dense_values: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedTensorToSparse: takes rt_nested_splits: Tsplits, …"""

def RaggedTensorToTensor(
    *, shape: ShapeLike, values: TensorLike, default_value: _Any, row_partition_tensors: _Any,
    row_partition_types: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedTensorToTensor: takes shape: Tshape, values: T, …"""

def RaggedTensorToVariant(
    *, rt_nested_splits: _Any, rt_dense_values: _Any, batched_input: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RaggedTensorToVariant: takes rt_nested_splits: Tsplits, …"""

def RandomGamma(
    *, shape: ShapeLike, alpha: _Any, seed: _Any = 0, seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomGamma: takes shape: S, alpha: T, gives output: T."""

def RandomGammaGrad(*, alpha: _Any, sample: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op RandomGammaGrad: takes alpha: T, sample: T, gives output: T."""

def RandomIndexShuffle(
    *, index: _Any, seed: _Any, max_index: _Any, rounds: _Any = 4, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomIndexShuffle: takes index: dtype, seed: Tseed, max_index: …"""

def RandomPoissonV2(
    *, shape: ShapeLike, rate: _Any, seed: _Any = 0, seed2: _Any = 0,
    dtype: DTypeLike = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomPoissonV2: takes shape: S, rate: R, gives output: dtype."""

def RandomShuffle(
    *, value: TensorLike, seed: _Any = 0, seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomShuffle: takes value: T, gives output: T."""

def RandomStandardNormal(
    *, shape: ShapeLike, dtype: DTypeLike, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomStandardNormal: takes shape: T, gives output: dtype."""

def RandomUniform(
    *, shape: ShapeLike, dtype: DTypeLike, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomUniform: takes shape: T, gives output: dtype."""

def RandomUniformInt(
    *, shape: ShapeLike, minval: _Any, maxval: _Any, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RandomUniformInt: takes shape: T, minval: Tout, maxval: Tout, gives …"""

def Range(
    *, start: _Any, limit: _Any, delta: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Range: takes start: Tidx, limit: Tidx, delta: Tidx, gives output: …"""

def Rank(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Rank: takes input: T, gives output: int32."""

def ReadFile(*, filename: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op ReadFile: takes filename: string, gives contents: string."""

def ReadVariableOp(
    *, resource: _Any, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ReadVariableOp: takes resource: resource, gives value: dtype."""

def Real(
    *, input: TensorLike, Tout: _Any = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Real: takes input: T, gives output: Tout."""

def RealDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op RealDiv: takes x: T, y: T, gives z: T."""

def Reciprocal(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Reciprocal: takes x: T, gives y: T."""

def ReciprocalGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op ReciprocalGrad: takes y: T, dy: T, gives z: T."""

def ReduceJoin(
    *, inputs: TensorLike, reduction_indices: _Any, keep_dims: bool = False,
    separator: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ReduceJoin: takes inputs: string, reduction_indices: int32, gives …"""

def RegexFullMatch(
    *, input: TensorLike, pattern: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RegexFullMatch: takes input: string, pattern: string, gives output: …"""

def RegexReplace(
    *, input: TensorLike, pattern: _Any, rewrite: _Any, replace_global: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RegexReplace: takes input: string, pattern: string, rewrite: …"""

def Relu(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Relu: takes features: T, gives activations: T."""

def Relu6(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Relu6: takes features: T, gives activations: T."""

def Relu6Grad(*, gradients: _Any, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Relu6Grad: takes gradients: T, features: T, gives backprops: T."""

def ReluGrad(*, gradients: _Any, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op ReluGrad: takes gradients: T, features: T, gives backprops: T."""

def Reshape(
    *, tensor: TensorLike, shape: ShapeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Reshape: takes tensor: T, shape: Tshape, gives output: T."""

def ResizeArea(
    images: TensorLike, size: _Any, align_corners: bool = False, name: str | None = None,
) -> tf.Tensor:
    """Images of another size by the method area, as TensorFlow 1 did it."""

def ResizeBicubic(
    images: TensorLike, size: _Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method bicubic, as TensorFlow 1 did it."""

def ResizeBicubicGrad(
    *, grads: _Any, original_image: _Any, align_corners: bool = False,
    half_pixel_centers: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResizeBicubicGrad: takes grads: float32, original_image: T, gives …"""

def ResizeBilinear(
    images: TensorLike, size: _Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method bilinear, as TensorFlow 1 did it."""

def ResizeBilinearGrad(
    *, grads: _Any, original_image: _Any, align_corners: bool = False,
    half_pixel_centers: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResizeBilinearGrad: takes grads: float32, original_image: T, gives …"""

def ResizeNearestNeighbor(
    images: TensorLike, size: _Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> tf.Tensor:
    """Images of another size by the method nearest, as TensorFlow 1 did it."""

def ResizeNearestNeighborGrad(
    *, grads: _Any, size: _Any, align_corners: bool = False, half_pixel_centers: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResizeNearestNeighborGrad: takes grads: T, size: int32, gives …"""

def ResourceApplyAdadelta(
    *, var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdadelta: takes var: resource, accum: resource, …"""

def ResourceApplyAdagrad(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdagrad: takes var: resource, accum: resource, lr: T, …"""

def ResourceApplyAdagradV2(
    *, var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    update_slots: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdagradV2: takes var: resource, accum: resource, lr: …"""

def ResourceApplyAdam(
    *, var: _Any, m: _Any, v: TensorLike, beta1_power: _Any, beta2_power: _Any, lr: _Any,
    beta1: _Any, beta2: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdam: takes var: resource, m: resource, v: resource, …"""

def ResourceApplyAdaMax(
    *, var: _Any, m: _Any, v: TensorLike, beta1_power: _Any, lr: _Any, beta1: _Any, beta2: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdaMax: takes var: resource, m: resource, v: resource, …"""

def ResourceApplyAdamWithAmsgrad(
    *, var: _Any, m: _Any, v: TensorLike, vhat: _Any, beta1_power: _Any, beta2_power: _Any,
    lr: _Any, beta1: _Any, beta2: _Any, epsilon: _Any, grad: _Any, use_locking: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyAdamWithAmsgrad: takes var: resource, m: resource, v: …"""

def ResourceApplyCenteredRMSProp(
    *, var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any,
    epsilon: _Any, grad: _Any, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyCenteredRMSProp: takes var: resource, mg: resource, …"""

def ResourceApplyFtrl(
    *, var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any,
    lr_power: _Any, use_locking: bool = False, multiply_linear_by_lr: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyFtrl: takes var: resource, accum: resource, linear: …"""

def ResourceApplyFtrlV2(
    *, var: _Any, accum: _Any, linear: _Any, grad: _Any, lr: _Any, l1: _Any, l2: _Any,
    l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False,
    multiply_linear_by_lr: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyFtrlV2: takes var: resource, accum: resource, linear: …"""

def ResourceApplyGradientDescent(
    *, var: _Any, alpha: _Any, delta: _Any, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyGradientDescent: takes var: resource, alpha: T, delta: …"""

def ResourceApplyKerasMomentum(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyKerasMomentum: takes var: resource, accum: resource, …"""

def ResourceApplyMomentum(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, momentum: _Any, use_locking: bool = False,
    use_nesterov: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyMomentum: takes var: resource, accum: resource, lr: T, …"""

def ResourceApplyRMSProp(
    *, var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceApplyRMSProp: takes var: resource, ms: resource, mom: …"""

def ResourceGather(
    *, resource: _Any, indices: TensorLike, dtype: DTypeLike, batch_dims: _Any = 0,
    validate_indices: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceGather: takes resource: resource, indices: Tindices, gives …"""

def ResourceGatherNd(
    *, resource: _Any, indices: TensorLike, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceGatherNd: takes resource: resource, indices: Tindices, …"""

def ResourceScatterAdd(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterAdd: takes resource: resource, indices: Tindices, …"""

def ResourceScatterDiv(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterDiv: takes resource: resource, indices: Tindices, …"""

def ResourceScatterMax(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterMax: takes resource: resource, indices: Tindices, …"""

def ResourceScatterMin(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterMin: takes resource: resource, indices: Tindices, …"""

def ResourceScatterMul(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterMul: takes resource: resource, indices: Tindices, …"""

def ResourceScatterNdAdd(
    *, ref: _Any, indices: TensorLike, updates: TensorLike, use_locking: bool = True,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterNdAdd: takes ref: resource, indices: Tindices, …"""

def ResourceScatterNdSub(
    *, ref: _Any, indices: TensorLike, updates: TensorLike, use_locking: bool = True,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterNdSub: takes ref: resource, indices: Tindices, …"""

def ResourceScatterNdUpdate(
    *, ref: _Any, indices: TensorLike, updates: TensorLike, use_locking: bool = True,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterNdUpdate: takes ref: resource, indices: Tindices, …"""

def ResourceScatterSub(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterSub: takes resource: resource, indices: Tindices, …"""

def ResourceScatterUpdate(
    *, resource: _Any, indices: TensorLike, updates: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceScatterUpdate: takes resource: resource, indices: Tindices, …"""

def ResourceSparseApplyAdadelta(
    *, var: _Any, accum: _Any, accum_update: _Any, lr: _Any, rho: _Any, epsilon: _Any,
    grad: _Any, indices: TensorLike, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyAdadelta: takes var: resource, accum: resource, …"""

def ResourceSparseApplyAdagrad(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: TensorLike,
    use_locking: bool = False, update_slots: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyAdagrad: takes var: resource, accum: resource, …"""

def ResourceSparseApplyAdagradV2(
    *, var: _Any, accum: _Any, lr: _Any, epsilon: _Any, grad: _Any, indices: TensorLike,
    use_locking: bool = False, update_slots: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyAdagradV2: takes var: resource, accum: resource, …"""

def ResourceSparseApplyCenteredRMSProp(
    *, var: _Any, mg: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any,
    epsilon: _Any, grad: _Any, indices: TensorLike, use_locking: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyCenteredRMSProp: takes var: resource, mg: …"""

def ResourceSparseApplyFtrl(
    *, var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: TensorLike, lr: _Any,
    l1: _Any, l2: _Any, lr_power: _Any, use_locking: bool = False,
    multiply_linear_by_lr: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyFtrl: takes var: resource, accum: resource, …"""

def ResourceSparseApplyFtrlV2(
    *, var: _Any, accum: _Any, linear: _Any, grad: _Any, indices: TensorLike, lr: _Any,
    l1: _Any, l2: _Any, l2_shrinkage: _Any, lr_power: _Any, use_locking: bool = False,
    multiply_linear_by_lr: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyFtrlV2: takes var: resource, accum: resource, …"""

def ResourceSparseApplyKerasMomentum(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: TensorLike, momentum: _Any,
    use_locking: bool = False, use_nesterov: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyKerasMomentum: takes var: resource, accum: …"""

def ResourceSparseApplyMomentum(
    *, var: _Any, accum: _Any, lr: _Any, grad: _Any, indices: TensorLike, momentum: _Any,
    use_locking: bool = False, use_nesterov: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyMomentum: takes var: resource, accum: resource, …"""

def ResourceSparseApplyRMSProp(
    *, var: _Any, ms: _Any, mom: _Any, lr: _Any, rho: _Any, momentum: _Any, epsilon: _Any,
    grad: _Any, indices: TensorLike, use_locking: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceSparseApplyRMSProp: takes var: resource, ms: resource, mom: …"""

def ResourceStridedSliceAssign(
    *, ref: _Any, begin: TensorLike, end: _Any, strides: _Any, value: TensorLike,
    begin_mask: _Any = 0, end_mask: _Any = 0, ellipsis_mask: _Any = 0, new_axis_mask: _Any = 0,
    shrink_axis_mask: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ResourceStridedSliceAssign: takes ref: resource, begin: Index, end: …"""

def RestoreV2(
    *, prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, dtypes: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RestoreV2: takes prefix: string, tensor_names: string, …"""

def Reverse(*, tensor: TensorLike, dims: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Reverse: takes tensor: T, dims: bool, gives output: T."""

def ReverseSequence(
    *, input: TensorLike, seq_lengths: _Any, seq_dim: _Any, batch_dim: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ReverseSequence: takes input: T, seq_lengths: Tlen, gives output: T."""

def ReverseV2(
    *, tensor: TensorLike, axis: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ReverseV2: takes tensor: T, axis: Tidx, gives output: T."""

def RFFT(
    *, input: TensorLike, fft_length: _Any, Tcomplex: _Any = tf.complex64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RFFT: takes input: Treal, fft_length: int32, gives output: Tcomplex."""

def RFFT2D(
    *, input: TensorLike, fft_length: _Any, Tcomplex: _Any = tf.complex64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RFFT2D: takes input: Treal, fft_length: int32, gives output: Tcomplex."""

def RFFT3D(
    *, input: TensorLike, fft_length: _Any, Tcomplex: _Any = tf.complex64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RFFT3D: takes input: Treal, fft_length: int32, gives output: Tcomplex."""

def RFFTND(
    *, input: TensorLike, fft_length: _Any, axes: TensorLike, Tcomplex: _Any = tf.complex64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RFFTND: takes input: Treal, fft_length: int32, axes: int32, gives …"""

def RightShift(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op RightShift: takes x: T, y: T, gives z: T."""

def Rint(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Rint: takes x: T, gives y: T."""

def RngReadAndSkip(
    *, resource: _Any, alg: _Any, delta: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RngReadAndSkip: takes resource: resource, alg: int32, delta: …"""

def RngSkip(
    *, resource: _Any, algorithm: _Any, delta: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op RngSkip: takes resource: resource, algorithm: int64, delta: int64, …"""

def Roll(
    *, input: TensorLike, shift: _Any, axis: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Roll: takes input: T, shift: Tshift, axis: Taxis, gives output: T."""

def Round(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Round: takes x: T, gives y: T."""

def Rsqrt(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Rsqrt: takes x: T, gives y: T."""

def RsqrtGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op RsqrtGrad: takes y: T, dy: T, gives z: T."""

def SampleDistortedBoundingBoxV2(
    *, image_size: _Any, bounding_boxes: _Any, min_object_covered: _Any, seed: _Any = 0,
    seed2: _Any = 0, aspect_ratio_range: _Any = ..., area_range: _Any = ...,
    max_attempts: _Any = 100, use_image_if_no_bounding_boxes: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SampleDistortedBoundingBoxV2: takes image_size: T, bounding_boxes: …"""

def SaveV2(
    *, prefix: _Any, tensor_names: _Any, shape_and_slices: _Any, tensors: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SaveV2: takes prefix: string, tensor_names: string, …"""

def ScaleAndTranslate(
    *, images: TensorLike, size: _Any, scale: _Any, translation: _Any,
    kernel_type: _Any = 'lanczos3', antialias: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ScaleAndTranslate: takes images: T, size: int32, scale: float32, …"""

def ScaleAndTranslateGrad(
    *, grads: _Any, original_image: _Any, scale: _Any, translation: _Any,
    kernel_type: _Any = 'lanczos3', antialias: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ScaleAndTranslateGrad: takes grads: T, original_image: T, scale: …"""

def ScatterNd(
    *, indices: TensorLike, updates: TensorLike, shape: ShapeLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ScatterNd: takes indices: Tindices, updates: T, shape: Tindices, …"""

def ScatterNdNonAliasingAdd(
    *, input: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ScatterNdNonAliasingAdd: takes input: T, indices: Tindices, …"""

def SegmentMax(
    *, data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentMax: takes data: T, segment_ids: Tindices, gives output: T."""

def SegmentMaxV2(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentMaxV2: takes data: T, segment_ids: Tindices, num_segments: …"""

def SegmentMean(
    *, data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentMean: takes data: T, segment_ids: Tindices, gives output: T."""

def SegmentMin(
    *, data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentMin: takes data: T, segment_ids: Tindices, gives output: T."""

def SegmentMinV2(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentMinV2: takes data: T, segment_ids: Tindices, num_segments: …"""

def SegmentProd(
    *, data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentProd: takes data: T, segment_ids: Tindices, gives output: T."""

def SegmentProdV2(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentProdV2: takes data: T, segment_ids: Tindices, num_segments: …"""

def SegmentSum(
    *, data: TensorLike, segment_ids: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentSum: takes data: T, segment_ids: Tindices, gives output: T."""

def SegmentSumV2(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SegmentSumV2: takes data: T, segment_ids: Tindices, num_segments: …"""

def Select(
    *, condition: TensorLike, x: TensorLike, y: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Select: takes condition: bool, x: T, y: T, gives output: T."""

def SelectV2(
    *, condition: TensorLike, t: TensorLike, e: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SelectV2: takes condition: bool, t: T, e: T, gives output: T."""

def SelfAdjointEigV2(
    *, input: TensorLike, compute_v: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SelfAdjointEigV2: takes input: T, gives e: T, v: T."""

def Selu(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Selu: takes features: T, gives activations: T."""

def SeluGrad(*, gradients: _Any, outputs: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op SeluGrad: takes gradients: T, outputs: T, gives backprops: T."""

def SerializeManySparse(
    *, sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any,
    out_type: DTypeLike = tf.string, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SerializeManySparse: takes sparse_indices: int64, sparse_values: T, …"""

def SerializeSparse(
    *, sparse_indices: _Any, sparse_values: _Any, sparse_shape: _Any,
    out_type: DTypeLike = tf.string, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SerializeSparse: takes sparse_indices: int64, sparse_values: T, …"""

def SerializeTensor(*, tensor: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op SerializeTensor: takes tensor: T, gives serialized: string."""

def SetSize(
    *, set_indices: _Any, set_values: _Any, set_shape: _Any, validate_indices: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SetSize: takes set_indices: int64, set_values: T, set_shape: int64, …"""

def Shape(
    *, input: TensorLike, out_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Shape: takes input: T, gives output: out_type."""

def ShapeN(
    *, input: TensorLike, out_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ShapeN: takes input: T, gives output: out_type."""

def ShardedFilename(
    *, basename: _Any, shard: _Any, num_shards: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op ShardedFilename: takes basename: string, shard: int32, num_shards: …"""

def Sigmoid(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sigmoid: takes x: T, gives y: T."""

def SigmoidGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op SigmoidGrad: takes y: T, dy: T, gives z: T."""

def Sign(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sign: takes x: T, gives y: T."""

def Sin(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sin: takes x: T, gives y: T."""

def Sinh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sinh: takes x: T, gives y: T."""

def Size(
    *, input: TensorLike, out_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Size: takes input: T, gives output: out_type."""

def Slice(
    *, input: TensorLike, begin: TensorLike, size: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Slice: takes input: T, begin: Index, size: Index, gives output: T."""

def Snapshot(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Snapshot: takes input: T, gives output: T."""

def SobolSample(
    *, dim: _Any, num_results: _Any, skip: _Any, dtype: DTypeLike = tf.float32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SobolSample: takes dim: int32, num_results: int32, skip: int32, …"""

def Softmax(*, logits: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Softmax: takes logits: T, gives softmax: T."""

def SoftmaxCrossEntropyWithLogits(
    *, features: _Any, labels: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SoftmaxCrossEntropyWithLogits: takes features: T, labels: T, gives …"""

def Softplus(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Softplus: takes features: T, gives activations: T."""

def SoftplusGrad(
    *, gradients: _Any, features: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SoftplusGrad: takes gradients: T, features: T, gives backprops: T."""

def Softsign(*, features: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Softsign: takes features: T, gives activations: T."""

def SoftsignGrad(
    *, gradients: _Any, features: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SoftsignGrad: takes gradients: T, features: T, gives backprops: T."""

def SpaceToBatch(
    *, input: TensorLike, paddings: TensorLike, block_size: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SpaceToBatch: takes input: T, paddings: Tpaddings, gives output: T."""

def SpaceToBatchND(
    *, input: TensorLike, block_shape: ShapeLike, paddings: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SpaceToBatchND: takes input: T, block_shape: Tblock_shape, …"""

def SpaceToDepth(
    *, input: TensorLike, block_size: _Any, data_format: _Any = 'NHWC', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SpaceToDepth: takes input: T, gives output: T."""

def SparseAdd(
    *, a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any,
    b_shape: _Any, thresh: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseAdd: takes a_indices: int64, a_values: T, a_shape: int64, …"""

def SparseBincount(
    *, indices: TensorLike, values: TensorLike, dense_shape: ShapeLike, size: _Any,
    weights: TensorLike, binary_output: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseBincount: takes indices: int64, values: Tidx, dense_shape: …"""

def SparseConcat(
    *, indices: TensorLike, values: TensorLike, shapes: _Any, concat_dim: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseConcat: takes indices: int64, values: T, shapes: int64, gives …"""

def SparseCountSparseOutput(
    *, indices: TensorLike, values: TensorLike, dense_shape: ShapeLike, weights: TensorLike,
    binary_output: _Any, minlength: _Any = -1, maxlength: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseCountSparseOutput: takes indices: int64, values: T, …"""

def SparseCross(
    *, indices: TensorLike, values: TensorLike, shapes: _Any, dense_inputs: _Any,
    hashed_output: _Any, num_buckets: _Any, hash_key: _Any, out_type: DTypeLike,
    internal_type: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseCross: takes indices: int64, values: sparse_types, shapes: …"""

def SparseCrossV2(
    *, indices: TensorLike, values: TensorLike, shapes: _Any, dense_inputs: _Any, sep: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseCrossV2: takes indices: int64, values: sparse_types, shapes: …"""

def SparseDenseCwiseAdd(
    *, sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseDenseCwiseAdd: takes sp_indices: int64, sp_values: T, …"""

def SparseDenseCwiseDiv(
    *, sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseDenseCwiseDiv: takes sp_indices: int64, sp_values: T, …"""

def SparseDenseCwiseMul(
    *, sp_indices: _Any, sp_values: _Any, sp_shape: _Any, dense: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseDenseCwiseMul: takes sp_indices: int64, sp_values: T, …"""

def SparseFillEmptyRows(
    *, indices: TensorLike, values: TensorLike, dense_shape: ShapeLike, default_value: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseFillEmptyRows: takes indices: int64, values: T, dense_shape: …"""

def SparseFillEmptyRowsGrad(
    *, reverse_index_map: _Any, grad_values: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseFillEmptyRowsGrad: takes reverse_index_map: int64, …"""

def SparseMatMul(
    *, a: TensorLike, b: TensorLike, transpose_a: bool = False, transpose_b: bool = False,
    a_is_sparse: bool = False, b_is_sparse: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseMatMul: takes a: Ta, b: Tb, gives product: float32."""

def SparseReduceMax(
    *, input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReduceMax: takes input_indices: int64, input_values: T, …"""

def SparseReduceMaxSparse(
    *, input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReduceMaxSparse: takes input_indices: int64, input_values: T, …"""

def SparseReduceSum(
    *, input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReduceSum: takes input_indices: int64, input_values: T, …"""

def SparseReduceSumSparse(
    *, input_indices: _Any, input_values: _Any, input_shape: _Any, reduction_axes: _Any,
    keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReduceSumSparse: takes input_indices: int64, input_values: T, …"""

def SparseReorder(
    *, input_indices: _Any, input_values: _Any, input_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReorder: takes input_indices: int64, input_values: T, …"""

def SparseReshape(
    *, input_indices: _Any, input_shape: _Any, new_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseReshape: takes input_indices: int64, input_shape: int64, …"""

def SparseSegmentMean(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentMean: takes data: T, indices: Tidx, segment_ids: …"""

def SparseSegmentMeanGrad(
    *, grad: _Any, indices: TensorLike, segment_ids: TensorLike, output_dim0: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentMeanGrad: takes grad: T, indices: Tidx, segment_ids: …"""

def SparseSegmentMeanWithNumSegments(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: _Any,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentMeanWithNumSegments: takes data: T, indices: Tidx, …"""

def SparseSegmentSqrtN(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSqrtN: takes data: T, indices: Tidx, segment_ids: …"""

def SparseSegmentSqrtNGrad(
    *, grad: _Any, indices: TensorLike, segment_ids: TensorLike, output_dim0: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSqrtNGrad: takes grad: T, indices: Tidx, segment_ids: …"""

def SparseSegmentSqrtNWithNumSegments(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: _Any,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSqrtNWithNumSegments: takes data: T, indices: Tidx, …"""

def SparseSegmentSum(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSum: takes data: T, indices: Tidx, segment_ids: …"""

def SparseSegmentSumGrad(
    *, grad: _Any, indices: TensorLike, segment_ids: TensorLike, output_dim0: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSumGrad: takes grad: T, indices: Tidx, segment_ids: …"""

def SparseSegmentSumWithNumSegments(
    *, data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: _Any,
    sparse_gradient: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSegmentSumWithNumSegments: takes data: T, indices: Tidx, …"""

def SparseSlice(
    *, indices: TensorLike, values: TensorLike, shape: ShapeLike, start: _Any, size: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSlice: takes indices: int64, values: T, shape: int64, start: …"""

def SparseSoftmax(
    *, sp_indices: _Any, sp_values: _Any, sp_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSoftmax: takes sp_indices: int64, sp_values: T, sp_shape: …"""

def SparseSoftmaxCrossEntropyWithLogits(
    *, features: _Any, labels: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSoftmaxCrossEntropyWithLogits: takes features: T, labels: …"""

def SparseSparseMaximum(
    *, a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any,
    b_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSparseMaximum: takes a_indices: int64, a_values: T, a_shape: …"""

def SparseSparseMinimum(
    *, a_indices: _Any, a_values: _Any, a_shape: _Any, b_indices: _Any, b_values: _Any,
    b_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSparseMinimum: takes a_indices: int64, a_values: T, a_shape: …"""

def SparseSplit(
    *, split_dim: _Any, indices: TensorLike, values: TensorLike, shape: ShapeLike,
    num_split: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseSplit: takes split_dim: int64, indices: int64, values: T, …"""

def SparseTensorDenseAdd(
    *, a_indices: _Any, a_values: _Any, a_shape: _Any, b: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseTensorDenseAdd: takes a_indices: Tindices, a_values: T, …"""

def SparseTensorDenseMatMul(
    *, a_indices: _Any, a_values: _Any, a_shape: _Any, b: TensorLike, adjoint_a: bool = False,
    adjoint_b: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseTensorDenseMatMul: takes a_indices: Tindices, a_values: T, …"""

def SparseToDense(
    *, sparse_indices: _Any, output_shape: ShapeLike, sparse_values: _Any, default_value: _Any,
    validate_indices: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseToDense: takes sparse_indices: Tindices, output_shape: …"""

def SparseToSparseSetOperation(
    *, set1_indices: _Any, set1_values: _Any, set1_shape: _Any, set2_indices: _Any,
    set2_values: _Any, set2_shape: _Any, set_operation: _Any, validate_indices: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SparseToSparseSetOperation: takes set1_indices: int64, set1_values: …"""

def Spence(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Spence: takes x: T, gives y: T."""

def Split(
    *, axis: TensorLike, value: TensorLike, num_split: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Split: takes axis: int32, value: T, gives output: T."""

def SplitV(
    *, value: TensorLike, size_splits: _Any, axis: TensorLike, num_split: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SplitV: takes value: T, size_splits: Tlen, axis: int32, gives …"""

def Sqrt(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sqrt: takes x: T, gives y: T."""

def SqrtGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op SqrtGrad: takes y: T, dy: T, gives z: T."""

def Square(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Square: takes x: T, gives y: T."""

def SquaredDifference(
    *, x: TensorLike, y: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op SquaredDifference: takes x: T, y: T, gives z: T."""

def Squeeze(
    *, input: TensorLike, axis: TensorLike = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Squeeze: takes input: T, gives output: T."""

def StatefulRandomBinomial(
    *, resource: _Any, algorithm: _Any, shape: ShapeLike, counts: _Any, probs: _Any,
    dtype: DTypeLike = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatefulRandomBinomial: takes resource: resource, algorithm: int64, …"""

def StatelessMultinomial(
    *, logits: TensorLike, num_samples: _Any, seed: _Any, output_dtype: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessMultinomial: takes logits: T, num_samples: int32, seed: …"""

def StatelessParameterizedTruncatedNormal(
    *, shape: ShapeLike, seed: _Any, means: _Any, stddevs: _Any, minvals: _Any, maxvals: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessParameterizedTruncatedNormal: takes shape: S, seed: Tseed, …"""

def StatelessRandomBinomial(
    *, shape: ShapeLike, seed: _Any, counts: _Any, probs: _Any, dtype: DTypeLike = tf.int64,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomBinomial: takes shape: S, seed: Tseed, counts: T, …"""

def StatelessRandomGammaV2(
    *, shape: ShapeLike, seed: _Any, alpha: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomGammaV2: takes shape: T, seed: Tseed, alpha: dtype, …"""

def StatelessRandomGetAlg(*, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op StatelessRandomGetAlg: takes no tensor, gives alg: int32."""

def StatelessRandomNormal(
    *, shape: ShapeLike, seed: _Any, dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomNormal: takes shape: T, seed: Tseed, gives output: …"""

def StatelessRandomPoisson(
    *, shape: ShapeLike, seed: _Any, lam: _Any, dtype: DTypeLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomPoisson: takes shape: T, seed: Tseed, lam: Rtype, …"""

def StatelessRandomUniform(
    *, shape: ShapeLike, seed: _Any, dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomUniform: takes shape: T, seed: Tseed, gives output: …"""

def StatelessRandomUniformFullInt(
    *, shape: ShapeLike, seed: _Any, dtype: DTypeLike = tf.uint64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomUniformFullInt: takes shape: T, seed: Tseed, gives …"""

def StatelessRandomUniformInt(
    *, shape: ShapeLike, seed: _Any, minval: _Any, maxval: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessRandomUniformInt: takes shape: T, seed: Tseed, minval: …"""

def StatelessSampleDistortedBoundingBox(
    *, image_size: _Any, bounding_boxes: _Any, min_object_covered: _Any, seed: _Any,
    aspect_ratio_range: _Any = ..., area_range: _Any = ..., max_attempts: _Any = 100,
    use_image_if_no_bounding_boxes: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessSampleDistortedBoundingBox: takes image_size: T, …"""

def StatelessTruncatedNormal(
    *, shape: ShapeLike, seed: _Any, dtype: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StatelessTruncatedNormal: takes shape: T, seed: Tseed, gives …"""

def StaticRegexFullMatch(
    *, input: TensorLike, pattern: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StaticRegexFullMatch: takes input: string, gives output: bool."""

def StaticRegexReplace(
    *, input: TensorLike, pattern: _Any, rewrite: _Any, replace_global: bool = True,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StaticRegexReplace: takes input: string, gives output: string."""

def StopGradient(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op StopGradient: takes input: T, gives output: T."""

def StridedSlice(
    *, input: TensorLike, begin: TensorLike, end: _Any, strides: _Any, begin_mask: _Any = 0,
    end_mask: _Any = 0, ellipsis_mask: _Any = 0, new_axis_mask: _Any = 0,
    shrink_axis_mask: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StridedSlice: takes input: T, begin: Index, end: Index, strides: …"""

def StridedSliceGrad(
    *, shape: ShapeLike, begin: TensorLike, end: _Any, strides: _Any, dy: _Any,
    begin_mask: _Any = 0, end_mask: _Any = 0, ellipsis_mask: _Any = 0, new_axis_mask: _Any = 0,
    shrink_axis_mask: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StridedSliceGrad: takes shape: Index, begin: Index, end: Index, …"""

def StringFormat(
    *, inputs: TensorLike, template: _Any = '%s', placeholder: _Any = '%s', summarize: _Any = 3,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringFormat: takes inputs: T, gives output: string."""

def StringJoin(
    *, inputs: TensorLike, separator: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringJoin: takes inputs: string, gives output: string."""

def StringLength(
    *, input: TensorLike, unit: _Any = 'BYTE', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringLength: takes input: string, gives output: int32."""

def StringLower(
    *, input: TensorLike, encoding: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringLower: takes input: string, gives output: string."""

def StringNGrams(
    *, data: TensorLike, data_splits: _Any, separator: _Any, ngram_widths: _Any, left_pad: _Any,
    right_pad: _Any, pad_width: _Any, preserve_short_sequences: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringNGrams: takes data: string, data_splits: Tsplits, gives …"""

def StringSplit(
    *, input: TensorLike, delimiter: _Any, skip_empty: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringSplit: takes input: string, delimiter: string, gives indices: …"""

def StringSplitV2(
    *, input: TensorLike, sep: _Any, maxsplit: _Any = -1, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringSplitV2: takes input: string, sep: string, gives indices: …"""

def StringStrip(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op StringStrip: takes input: string, gives output: string."""

def StringToHashBucket(
    *, string_tensor: _Any, num_buckets: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringToHashBucket: takes string_tensor: string, gives output: int64."""

def StringToHashBucketFast(
    *, input: TensorLike, num_buckets: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringToHashBucketFast: takes input: string, gives output: int64."""

def StringToHashBucketStrong(
    *, input: TensorLike, num_buckets: _Any, key: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringToHashBucketStrong: takes input: string, gives output: int64."""

def StringToNumber(
    *, string_tensor: _Any, out_type: DTypeLike = tf.float32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringToNumber: takes string_tensor: string, gives output: out_type."""

def StringUpper(
    *, input: TensorLike, encoding: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op StringUpper: takes input: string, gives output: string."""

def Sub(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Sub: takes x: T, y: T, gives z: T."""

def Substr(
    *, input: TensorLike, pos: _Any, len: _Any, unit: _Any = 'BYTE', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Substr: takes input: string, pos: T, len: T, gives output: string."""

def Sum(
    *, input: TensorLike, axis: TensorLike, keep_dims: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Sum: takes input: T, axis: Tidx, gives output: T."""

def Svd(
    *, input: TensorLike, compute_uv: bool = True, full_matrices: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Svd: takes input: T, gives s: T, u: T, v: T."""

def Tan(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Tan: takes x: T, gives y: T."""

def Tanh(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Tanh: takes x: T, gives y: T."""

def TanhGrad(*, y: TensorLike, dy: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op TanhGrad: takes y: T, dy: T, gives z: T."""

def TensorArrayCloseV3(*, handle: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op TensorArrayCloseV3: takes handle: resource, gives nothing."""

def TensorListConcatLists(
    *, input_a: _Any, input_b: _Any, element_dtype: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListConcatLists: takes input_a: variant, input_b: variant, …"""

def TensorListConcatV2(
    *, input_handle: _Any, element_shape: _Any, leading_dims: _Any, element_dtype: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListConcatV2: takes input_handle: variant, element_shape: …"""

def TensorListElementShape(
    *, input_handle: _Any, shape_type: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListElementShape: takes input_handle: variant, gives …"""

def TensorListFromTensor(
    *, tensor: TensorLike, element_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListFromTensor: takes tensor: element_dtype, element_shape: …"""

def TensorListGather(
    *, input_handle: _Any, indices: TensorLike, element_shape: _Any, element_dtype: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListGather: takes input_handle: variant, indices: int32, …"""

def TensorListGetItem(
    *, input_handle: _Any, index: _Any, element_shape: _Any, element_dtype: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListGetItem: takes input_handle: variant, index: int32, …"""

def TensorListLength(*, input_handle: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op TensorListLength: takes input_handle: variant, gives length: int32."""

def TensorListPopBack(
    *, input_handle: _Any, element_shape: _Any, element_dtype: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListPopBack: takes input_handle: variant, element_shape: …"""

def TensorListPushBack(
    *, input_handle: _Any, tensor: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListPushBack: takes input_handle: variant, tensor: …"""

def TensorListReserve(
    *, element_shape: _Any, num_elements: _Any, element_dtype: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListReserve: takes element_shape: shape_type, num_elements: …"""

def TensorListResize(
    *, input_handle: _Any, size: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListResize: takes input_handle: variant, size: int32, gives …"""

def TensorListScatter(
    *, tensor: TensorLike, indices: TensorLike, element_shape: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListScatter: takes tensor: element_dtype, indices: int32, …"""

def TensorListScatterIntoExistingList(
    *, input_handle: _Any, tensor: TensorLike, indices: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListScatterIntoExistingList: takes input_handle: variant, …"""

def TensorListScatterV2(
    *, tensor: TensorLike, indices: TensorLike, element_shape: _Any, num_elements: _Any,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListScatterV2: takes tensor: element_dtype, indices: int32, …"""

def TensorListSetItem(
    *, input_handle: _Any, index: _Any, item: _Any, resize_if_index_out_of_bounds: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListSetItem: takes input_handle: variant, index: int32, item: …"""

def TensorListSplit(
    *, tensor: TensorLike, element_shape: _Any, lengths: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListSplit: takes tensor: element_dtype, element_shape: …"""

def TensorListStack(
    *, input_handle: _Any, element_shape: _Any, element_dtype: _Any, num_elements: _Any = -1,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorListStack: takes input_handle: variant, element_shape: int32, …"""

def TensorScatterAdd(
    *, tensor: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorScatterAdd: takes tensor: T, indices: Tindices, updates: T, …"""

def TensorScatterMax(
    *, tensor: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorScatterMax: takes tensor: T, indices: Tindices, updates: T, …"""

def TensorScatterMin(
    *, tensor: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorScatterMin: takes tensor: T, indices: Tindices, updates: T, …"""

def TensorScatterSub(
    *, tensor: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorScatterSub: takes tensor: T, indices: Tindices, updates: T, …"""

def TensorScatterUpdate(
    *, tensor: TensorLike, indices: TensorLike, updates: TensorLike,
    bad_indices_policy: _Any = '', name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorScatterUpdate: takes tensor: T, indices: Tindices, updates: …"""

def TensorStridedSliceUpdate(
    *, input: TensorLike, begin: TensorLike, end: _Any, strides: _Any, value: TensorLike,
    begin_mask: _Any = 0, end_mask: _Any = 0, ellipsis_mask: _Any = 0, new_axis_mask: _Any = 0,
    shrink_axis_mask: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TensorStridedSliceUpdate: takes input: T, begin: Index, end: Index, …"""

def Tile(*, input: TensorLike, multiples: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Tile: takes input: T, multiples: Tmultiples, gives output: T."""

def Timestamp(*, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Timestamp: takes no tensor, gives ts: float64."""

def TopK(
    *, input: TensorLike, k: _Any, sorted: bool = True, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TopK: takes input: T, gives values: T, indices: int32."""

def TopKV2(
    *, input: TensorLike, k: _Any, sorted: bool = True, index_type: _Any = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TopKV2: takes input: T, k: Tk, gives values: T, indices: index_type."""

def Transpose(*, x: TensorLike, perm: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Transpose: takes x: T, perm: Tperm, gives y: T."""

def TridiagonalMatMul(
    *, superdiag: _Any, maindiag: _Any, subdiag: _Any, rhs: TensorLike, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TridiagonalMatMul: takes superdiag: T, maindiag: T, subdiag: T, …"""

def TridiagonalSolve(
    *, diagonals: _Any, rhs: TensorLike, partial_pivoting: bool = True,
    perturb_singular: bool = False, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TridiagonalSolve: takes diagonals: T, rhs: T, gives output: T."""

def TruncateDiv(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op TruncateDiv: takes x: T, y: T, gives z: T."""

def TruncatedNormal(
    *, shape: ShapeLike, dtype: DTypeLike, seed: _Any = 0, seed2: _Any = 0,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op TruncatedNormal: takes shape: T, gives output: dtype."""

def TruncateMod(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op TruncateMod: takes x: T, y: T, gives z: T."""

def UnicodeDecode(
    *, input: TensorLike, input_encoding: _Any, errors: _Any = 'replace',
    replacement_char: _Any = 65533, replace_control_characters: bool = False,
    Tsplits: _Any = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnicodeDecode: takes input: string, gives row_splits: Tsplits, …"""

def UnicodeDecodeWithOffsets(
    *, input: TensorLike, input_encoding: _Any, errors: _Any = 'replace',
    replacement_char: _Any = 65533, replace_control_characters: bool = False,
    Tsplits: _Any = tf.int64, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnicodeDecodeWithOffsets: takes input: string, gives row_splits: …"""

def UnicodeEncode(
    *, input_values: _Any, input_splits: _Any, output_encoding: _Any, errors: _Any = 'replace',
    replacement_char: _Any = 65533, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnicodeEncode: takes input_values: int32, input_splits: Tsplits, …"""

def UnicodeScript(*, input: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op UnicodeScript: takes input: int32, gives output: int32."""

def UnicodeTranscode(
    *, input: TensorLike, input_encoding: _Any, output_encoding: _Any, errors: _Any = 'replace',
    replacement_char: _Any = 65533, replace_control_characters: bool = False,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnicodeTranscode: takes input: string, gives output: string."""

def UniformCandidateSampler(
    *, true_classes: _Any, num_true: _Any, num_sampled: _Any, unique: _Any, range_max: _Any,
    seed: _Any = 0, seed2: _Any = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UniformCandidateSampler: takes true_classes: int64, gives …"""

def Unique(
    *, x: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Unique: takes x: T, gives y: T, idx: out_idx."""

def UniqueV2(
    *, x: TensorLike, axis: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> _UniqueV2:
    """The distinct slices along an axis, and for each slice the index of its equal."""

def UniqueWithCounts(
    *, x: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UniqueWithCounts: takes x: T, gives y: T, idx: out_idx, count: …"""

def UniqueWithCountsV2(
    *, x: TensorLike, axis: TensorLike, out_idx: DTypeLike = tf.int32, name: str | None = None,
) -> _UniqueWithCountsV2:
    """As UniqueV2, and how often each slice occurs."""

def Unpack(
    *, value: TensorLike, num: _Any, axis: TensorLike = 0, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op Unpack: takes value: T, gives output: T."""

def UnravelIndex(
    *, indices: TensorLike, dims: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnravelIndex: takes indices: Tidx, dims: Tidx, gives output: Tidx."""

def UnsortedSegmentJoin(
    *, inputs: TensorLike, segment_ids: TensorLike, num_segments: _Any, separator: _Any = '',
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnsortedSegmentJoin: takes inputs: string, segment_ids: Tindices, …"""

def UnsortedSegmentMax(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnsortedSegmentMax: takes data: T, segment_ids: Tindices, …"""

def UnsortedSegmentMin(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnsortedSegmentMin: takes data: T, segment_ids: Tindices, …"""

def UnsortedSegmentProd(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnsortedSegmentProd: takes data: T, segment_ids: Tindices, …"""

def UnsortedSegmentSum(
    *, data: TensorLike, segment_ids: TensorLike, num_segments: _Any, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UnsortedSegmentSum: takes data: T, segment_ids: Tindices, …"""

def UpperBound(
    *, sorted_inputs: _Any, values: TensorLike, out_type: DTypeLike = tf.int32,
    name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op UpperBound: takes sorted_inputs: T, values: T, gives output: out_type."""

def VarHandleOp(
    *, dtype: DTypeLike, shape: ShapeLike, container: _Any = '', shared_name: _Any = '',
    debug_name: _Any = '', allowed_devices: _Any = ..., name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op VarHandleOp: takes no tensor, gives resource: resource."""

def VariableShape(
    *, input: TensorLike, out_type: DTypeLike = tf.int32, name: str | None = None,
) -> tf.Tensor:
    """TensorFlow's op VariableShape: takes input: resource, gives output: out_type."""

def VarIsInitializedOp(*, resource: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op VarIsInitializedOp: takes resource: resource, gives is_initialized: …"""

def Where(*, condition: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Where: takes condition: T, gives index: int64."""

def Xdivy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Xdivy: takes x: T, y: T, gives z: T."""

def Xlog1py(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Xlog1py: takes x: T, y: T, gives z: T."""

def Xlogy(*, x: TensorLike, y: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Xlogy: takes x: T, y: T, gives z: T."""

def ZerosLike(*, x: TensorLike, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op ZerosLike: takes x: T, gives y: T."""

def Zeta(*, x: TensorLike, q: _Any, name: str | None = None) -> tf.Tensor:
    """TensorFlow's op Zeta: takes x: T, q: T, gives z: T."""

HSVToRGB = _hsv_to_rgb
RGBToHSV = _rgb_to_hsv
