"""Which names tf.compat.v1 has: those of TensorFlow 2, but for the ones in these tables.

A name that nothing registers below `compat.v1` is looked up here, by `namespaces.absent`. Most are
the very functions of TensorFlow 2 (2,464 of TensorFlow 2.21's 3,520); some stand there under
another name (`MOVED`), or take their arguments in another order (`renamed.py`). No arithmetic here.
"""

from __future__ import annotations

import types
from typing import Any

from tapeflow.api.v1 import v1_keras

# TensorFlow 1's name = TensorFlow 2's, for the same function.
MOVED = dict(pair.split("=") for pair in """
    FIFOQueue=queue.FIFOQueue FixedLenFeature=io.FixedLenFeature
    FixedLenSequenceFeature=io.FixedLenSequenceFeature NoGradient=no_gradient
    NotDifferentiable=no_gradient OpError=errors.OpError PaddingFIFOQueue=queue.PaddingFIFOQueue
    PriorityQueue=queue.PriorityQueue QUANTIZED_DTYPES=dtypes.QUANTIZED_DTYPES
    QueueBase=queue.QueueBase RandomShuffleQueue=queue.RandomShuffleQueue
    SparseFeature=io.SparseFeature VarLenFeature=io.VarLenFeature accumulate_n=math.accumulate_n
    angle=math.angle assert_proper_iterable=debugging.assert_proper_iterable
    assert_same_float_dtype=debugging.assert_same_float_dtype betainc=math.betainc
    ceil=math.ceil check_numerics=debugging.check_numerics cholesky=linalg.cholesky
    cholesky_solve=linalg.cholesky_solve conj=math.conj cross=linalg.cross cumprod=math.cumprod
    data.experimental.DatasetStructure=data.DatasetSpec
    data.experimental.OptionalStructure=OptionalSpec data.experimental.Structure=TypeSpec
    debugging.is_finite=math.is_finite debugging.is_inf=math.is_inf debugging.is_nan=math.is_nan
    debugging.is_non_decreasing=math.is_non_decreasing
    debugging.is_strictly_increasing=math.is_strictly_increasing decode_base64=io.decode_base64
    decode_compressed=io.decode_compressed decode_json_example=io.decode_json_example
    dequantize=quantization.dequantize deserialize_many_sparse=io.deserialize_many_sparse
    diag=linalg.tensor_diag diag_part=linalg.tensor_diag_part digamma=math.digamma
    div_no_nan=math.divide_no_nan dtypes.as_string=as_string encode_base64=io.encode_base64
    erf=math.erf erfc=math.erfc experimental.Optional=data.experimental.Optional
    experimental.float4_e2m1fn=dtypes.experimental.float4_e2m1fn
    experimental.float8_e4m3b11fnuz=dtypes.experimental.float8_e4m3b11fnuz
    experimental.float8_e4m3fn=dtypes.experimental.float8_e4m3fn
    experimental.float8_e4m3fnuz=dtypes.experimental.float8_e4m3fnuz
    experimental.float8_e5m2=dtypes.experimental.float8_e5m2
    experimental.float8_e5m2fnuz=dtypes.experimental.float8_e5m2fnuz
    experimental.int2=dtypes.experimental.int2 experimental.int4=dtypes.experimental.int4
    experimental.uint2=dtypes.experimental.uint2 experimental.uint4=dtypes.experimental.uint4
    expm1=math.expm1 fft=signal.fft fft2d=signal.fft2d fft3d=signal.fft3d floor_div=math.floordiv
    floordiv=math.floordiv floormod=math.floormod gfile.FastGFile=io.gfile.GFile
    gfile.GFile=io.gfile.GFile gfile.Open=io.gfile.GFile
    global_norm=linalg.global_norm ifft=signal.ifft ifft2d=signal.ifft2d ifft3d=signal.ifft3d
    igamma=math.igamma igammac=math.igammac imag=math.imag
    image.resize_image_with_crop_or_pad=image.resize_with_crop_or_pad
    image.transpose_image=image.transpose invert_permutation=math.invert_permutation
    io.PaddingFIFOQueue=queue.PaddingFIFOQueue io.PriorityQueue=queue.PriorityQueue
    io.QueueBase=queue.QueueBase io.RandomShuffleQueue=queue.RandomShuffleQueue
    is_finite=math.is_finite is_inf=math.is_inf is_nan=math.is_nan
    is_non_decreasing=math.is_non_decreasing is_numeric_tensor=debugging.is_numeric_tensor
    is_strictly_increasing=math.is_strictly_increasing lbeta=math.lbeta lgamma=math.lgamma
    lin_space=linspace log=math.log log1p=math.log1p log_sigmoid=math.log_sigmoid
    logical_xor=math.logical_xor manip.reverse=reverse manip.roll=roll
    manip.scatter_nd=scatter_nd manip.space_to_batch_nd=space_to_batch_nd manip.tile=tile
    matching_files=io.matching_files matrix_band_part=linalg.band_part
    matrix_determinant=linalg.det matrix_diag=linalg.diag matrix_diag_part=linalg.diag_part
    matrix_inverse=linalg.inv matrix_set_diag=linalg.set_diag matrix_solve=linalg.solve
    matrix_solve_ls=linalg.lstsq matrix_transpose=linalg.matrix_transpose
    matrix_triangular_solve=linalg.triangular_solve mod=math.floormod nn.avg_pool_v2=nn.avg_pool
    nn.ctc_beam_search_decoder_v2=nn.ctc_beam_search_decoder
    nn.ctc_loss_v2=nn.ctc_loss
    nn.depthwise_conv2d_native_backprop_filter=nn.depthwise_conv2d_backprop_filter
    nn.depthwise_conv2d_native_backprop_input=nn.depthwise_conv2d_backprop_input
    nn.log_uniform_candidate_sampler=random.log_uniform_candidate_sampler
    nn.max_pool_v2=nn.max_pool nn.uniform_candidate_sampler=random.uniform_candidate_sampler
    parse_single_sequence_example=io.parse_single_sequence_example parse_tensor=io.parse_tensor
    polygamma=math.polygamma python_io.TFRecordOptions=io.TFRecordOptions
    python_io.TFRecordWriter=io.TFRecordWriter qr=linalg.qr quantize=quantization.quantize
    quantized_concat=quantization.quantized_concat random_crop=image.random_crop
    random_gamma=random.gamma random_normal=random.normal random_shuffle=random.shuffle
    random_uniform=random.uniform read_file=io.read_file real=math.real
    reciprocal=math.reciprocal regex_replace=strings.regex_replace reverse_v2=reverse
    rint=math.rint rsqrt=math.rsqrt saved_model.experimental.save=saved_model.save
    saved_model.load_v2=saved_model.load segment_max=math.segment_max
    segment_mean=math.segment_mean segment_min=math.segment_min segment_prod=math.segment_prod
    segment_sum=math.segment_sum self_adjoint_eig=linalg.eigh
    self_adjoint_eigvals=linalg.eigvalsh serialize_tensor=io.serialize_tensor
    sets.set_difference=sets.difference sets.set_intersection=sets.intersection
    sets.set_size=sets.size sets.set_union=sets.union sparse.matmul=sparse.sparse_dense_matmul
    sparse_fill_empty_rows=sparse.fill_empty_rows sparse_mask=sparse.mask
    sparse_maximum=sparse.maximum sparse_minimum=sparse.minimum sparse_reorder=sparse.reorder
    sparse_reset_shape=sparse.reset_shape sparse_reshape=sparse.reshape
    sparse_retain=sparse.retain sparse_slice=sparse.slice sparse_softmax=sparse.softmax
    sparse_tensor_dense_matmul=sparse.sparse_dense_matmul sparse_tensor_to_dense=sparse.to_dense
    sparse_to_indicator=sparse.to_indicator sparse_transpose=sparse.transpose
    spectral.dct=signal.dct spectral.fft=signal.fft spectral.fft2d=signal.fft2d
    spectral.fft3d=signal.fft3d spectral.idct=signal.idct spectral.ifft=signal.ifft
    spectral.ifft2d=signal.ifft2d spectral.ifft3d=signal.ifft3d spectral.irfft=signal.irfft
    spectral.irfft2d=signal.irfft2d spectral.irfft3d=signal.irfft3d spectral.rfft=signal.rfft
    spectral.rfft2d=signal.rfft2d spectral.rfft3d=signal.rfft3d
    squared_difference=math.squared_difference string_join=strings.join
    string_strip=strings.strip string_to_hash_bucket_fast=strings.to_hash_bucket_fast
    string_to_hash_bucket_strong=strings.to_hash_bucket_strong svd=linalg.svd
    tensor_scatter_add=tensor_scatter_nd_add tensor_scatter_sub=tensor_scatter_nd_sub
    tensor_scatter_update=tensor_scatter_nd_update trace=linalg.trace
    train.Server=distribute.Server train.match_filenames_once=io.match_filenames_once
    train.write_graph=io.write_graph truncated_normal=random.truncated_normal
    unsorted_segment_max=math.unsorted_segment_max
    unsorted_segment_mean=math.unsorted_segment_mean
    unsorted_segment_min=math.unsorted_segment_min
    unsorted_segment_prod=math.unsorted_segment_prod
    unsorted_segment_sqrt_n=math.unsorted_segment_sqrt_n
    unsorted_segment_sum=math.unsorted_segment_sum where_v2=where write_file=io.write_file
    zeta=math.zeta fake_quant_with_min_max_args=quantization.fake_quant_with_min_max_args
    fake_quant_with_min_max_vars=quantization.fake_quant_with_min_max_vars
    VERSION=version.VERSION GIT_VERSION=version.GIT_VERSION
    COMPILER_VERSION=version.COMPILER_VERSION GRAPH_DEF_VERSION=version.GRAPH_DEF_VERSION
    GRAPH_DEF_VERSION_MIN_CONSUMER=version.GRAPH_DEF_VERSION_MIN_CONSUMER
    GRAPH_DEF_VERSION_MIN_PRODUCER=version.GRAPH_DEF_VERSION_MIN_PRODUCER
    manip.reshape=reshape manip.gather_nd=gather_nd
    manip.batch_to_space_nd=compat.v1.batch_to_space_nd random.multinomial=compat.v1.multinomial
    initialize_local_variables=compat.v1.local_variables_initializer
    sparse.placeholder=compat.v1.sparse_placeholder
""".split())
# The constants of saved models stand in three namespaces of their own.
MOVED.update({f"saved_model.{space}.{name}": f"saved_model.{name}" for space, names in {
    "signature_constants": """
        CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES CLASSIFY_OUTPUT_SCORES
        DEFAULT_SERVING_SIGNATURE_DEF_KEY PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS
        REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS""",
    "tag_constants": "GPU SERVING TPU TRAINING",
    "constants": """
        ASSETS_DIRECTORY ASSETS_KEY DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB SAVED_MODEL_FILENAME_PB
        SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION VARIABLES_DIRECTORY
        VARIABLES_FILENAME"""}.items() for name in names.split()})

# Names of TensorFlow 2 that tf.compat.v1 does not have.
ONLY_IN_V2 = frozenset("""
    config.experimental.enable_op_determinism data.IteratorSpec data.experimental.at
    data.experimental.load data.experimental.save distribute.DistributedDataset
    distribute.DistributedIterator distribute.DistributedValues distribute.InputOptions
    distribute.MultiWorkerMirroredStrategy distribute.ParameterServerStrategy
    distribute.TPUStrategy eig eigvals feature_column.shared_embeddings get_current_name_scope
    image.resize_with_pad inside_function linalg.banded_triangular_solve linalg.eig linalg.eigvals
    nn.gelu nn.isotonic_regression random.set_seed saved_model.LoadOptions sparse.map_values
    sparse.sampled_addmm summary.SummaryWriter summary.create_file_writer
    summary.create_noop_writer summary.flush summary.graph summary.record_if
    summary.should_record_summaries summary.trace_export summary.trace_off summary.trace_on
    summary.write train.CheckpointView train.TrackableView
""".split())
SPACES_ONLY_IN_V2 = ("autodiff", "distribute.coordinator", "summary.experimental")

# Names of both whose functions differ: TensorFlow 2's must not answer for TensorFlow 1's.
DIFFERENT = frozenset("""
    autograph.to_code autograph.to_graph nn.ctc_loss nn.fractional_avg_pool
    nn.batch_norm_with_global_normalization nn.dilation2d nn.erosion2d nn.fractional_max_pool
    nn.nce_loss nn.safe_embedding_lookup_sparse nn.sampled_softmax_loss saved_model.load
    sparse.split strings.split summary.audio summary.histogram summary.image summary.scalar
    summary.text test.compute_gradient test.assert_equal_graph_def
""".split())


def find(root: types.ModuleType, path: str, missing: Any) -> Any:
    """What tf.compat.v1.<path> is, for a path that is not registered; else `missing`."""
    if path == "compat":
        return root.compat
    if path in v1_keras.MODULES:
        return v1_keras.find(root, path)
    if path in ONLY_IN_V2 or path in DIFFERENT or path.startswith(SPACES_ONLY_IN_V2):
        return missing
    from tapeflow.api.v1 import renamed

    if path in renamed.SIGNATURES:
        return renamed.adapter(root, path)
    found: Any = root
    moved = MOVED.get(path, path)
    if moved.startswith("compat.v1."):  # another of TensorFlow 1's names
        return getattr(root.compat.v1, moved.removeprefix("compat.v1."), missing)
    for part in moved.split("."):
        if part not in dir(found):  # tapeflow's own layers are attributes of it, but no names
            return missing
        found = getattr(found, part)
    return found


def is_space(path: str) -> bool:
    """Whether tf.compat.v1.<path> is a namespace that TensorFlow 2 does not have."""
    return any(name.startswith(f"{path}.") for name in MOVED)
