"""The public names of each module of ops. Written by tools/public_names.py.

`import tapeflow` loads few of the ops; a name that is missed is looked up here, and its module is
imported. Read by `lazy_modules.py`.
"""

NAMES = """
tapeflow.ops._support.arguments:
tapeflow.ops.array.creation: eye fill linalg.eye ones ones_like zeros zeros_like
tapeflow.ops.array.joining: concat split stack unstack
tapeflow.ops.array.one_hot: one_hot sequence_mask
tapeflow.ops.array.padding: pad
tapeflow.ops.array.partition_unique: dynamic_partition dynamic_stitch math.invert_permutation
  searchsorted unique unique_with_counts unravel_index
tapeflow.ops.array.ranges: linspace meshgrid range
tapeflow.ops.array.reverse: reverse reverse_sequence roll
tapeflow.ops.array.shape_ops: rank shape shape_n size
tapeflow.ops.array.shaping: broadcast_dynamic_shape broadcast_static_shape broadcast_to
  ensure_shape expand_dims identity reshape squeeze transpose
tapeflow.ops.array.tiling: repeat tile
tapeflow.ops.control.assertions: assert_equal assert_greater assert_less assert_rank
  debugging.assert_all_finite debugging.assert_equal debugging.assert_greater
  debugging.assert_greater_equal debugging.assert_integer debugging.assert_less
  debugging.assert_less_equal debugging.assert_near debugging.assert_negative
  debugging.assert_non_negative debugging.assert_non_positive debugging.assert_none_equal
  debugging.assert_positive debugging.assert_proper_iterable debugging.assert_rank
  debugging.assert_rank_at_least debugging.assert_rank_in debugging.assert_same_float_dtype
  debugging.assert_scalar debugging.assert_shapes debugging.assert_type debugging.check_numerics
  debugging.is_numeric_tensor
tapeflow.ops.control.control_flow: Assert case cond debugging.Assert group identity_n no_op
  switch_case timestamp tuple while_loop
tapeflow.ops.control.map_fn: foldl foldr map_fn scan vectorized_map
tapeflow.ops.control.printing: as_string print strings.as_string strings.format
tapeflow.ops.control.py_function: numpy_function py_function
tapeflow.ops.control.tensor_array: TensorArray
tapeflow.ops.control.tensor_array_ops:
tapeflow.ops.conv.conv_ops:
tapeflow.ops.conv.functions: nn.atrous_conv2d nn.conv1d nn.conv2d nn.conv3d nn.convolution
  nn.depthwise_conv2d nn.depthwise_conv2d_backprop_filter nn.depthwise_conv2d_backprop_input
  nn.separable_conv2d
tapeflow.ops.conv.pooling:
tapeflow.ops.conv.pools: nn.avg_pool nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d nn.max_pool
  nn.max_pool1d nn.max_pool2d nn.max_pool3d nn.max_pool_with_argmax nn.pool
tapeflow.ops.conv.transposed: nn.atrous_conv2d_transpose nn.conv1d_transpose nn.conv2d_transpose
  nn.conv3d_transpose nn.conv_transpose
tapeflow.ops.indexing.basic_indexing:
tapeflow.ops.indexing.dynamic_slice:
tapeflow.ops.indexing.embedding_lookup: nn.embedding_lookup
tapeflow.ops.indexing.gathering: boolean_mask gather gather_nd where
tapeflow.ops.indexing.scattering: scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max
  tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update
tapeflow.ops.indexing.sliced_assignment:
tapeflow.ops.indexing.slicing: slice strided_slice
tapeflow.ops.linalg.banded: linalg.banded_triangular_solve linalg.tridiagonal_matmul
  linalg.tridiagonal_solve
tapeflow.ops.linalg.diagonal: linalg.adjoint linalg.band_part linalg.diag linalg.diag_part
  linalg.matrix_transpose linalg.set_diag linalg.tensor_diag linalg.tensor_diag_part linalg.trace
tapeflow.ops.linalg.einsum: einsum linalg.einsum
tapeflow.ops.linalg.functions: linalg.expm linalg.logm linalg.sqrtm
tapeflow.ops.linalg.matmul: linalg.matmul linalg.matvec matmul
tapeflow.ops.linalg.norms: linalg.cross linalg.norm linalg.normalize norm
tapeflow.ops.linalg.solving: linalg.cholesky linalg.cholesky_solve linalg.det linalg.inv
  linalg.logdet linalg.lu linalg.lu_matrix_inverse linalg.lu_reconstruct linalg.lu_solve
  linalg.slogdet linalg.solve linalg.triangular_solve
tapeflow.ops.linalg.sparse_matmul:
tapeflow.ops.linalg.spectral: linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh
  linalg.matrix_rank linalg.pinv linalg.qr linalg.svd
tapeflow.ops.linalg.tensordot: linalg.tensordot tensordot
tapeflow.ops.math.arithmetic: add add_n divide math.accumulate_n math.add math.add_n math.divide
  math.divide_no_nan math.multiply math.multiply_no_nan math.negative math.polyval
  math.reciprocal_no_nan math.scalar_mul math.squared_difference math.subtract math.truediv
  math.xdivy multiply negative realdiv scalar_mul subtract truediv
tapeflow.ops.math.casting: bitcast cast dtypes.cast dtypes.saturate_cast saturate_cast
tapeflow.ops.math.clipping: clip_by_global_norm clip_by_norm clip_by_value
  compat.v1.clip_by_average_norm linalg.global_norm
tapeflow.ops.math.comparison: equal greater greater_equal less less_equal math.equal math.greater
  math.greater_equal math.is_finite math.is_inf math.is_nan math.is_non_decreasing
  math.is_strictly_increasing math.less math.less_equal math.maximum math.minimum math.not_equal
  maximum minimum not_equal
tapeflow.ops.math.complex: complex dtypes.complex math.angle math.conj math.imag math.real
tapeflow.ops.math.exponential: exp math.exp math.expm1 math.log math.log1p math.pow
  math.reciprocal math.rsqrt math.sqrt math.square math.xlog1py math.xlogy pow sqrt square
tapeflow.ops.math.logical: bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor
  bitwise.invert bitwise.left_shift bitwise.right_shift logical_and logical_not logical_or
  math.logical_and math.logical_not math.logical_or math.logical_xor
tapeflow.ops.math.rounding: abs floor math.abs math.ceil math.floor math.floordiv math.floormod
  math.mod math.nextafter math.rint math.round math.sign round sign truncatediv truncatemod
tapeflow.ops.math.select:
tapeflow.ops.math.special: math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e
  math.betainc math.digamma math.erf math.erfc math.erfcinv math.erfinv math.igamma math.igammac
  math.lbeta math.lgamma math.ndtri math.polygamma math.special.bessel_i0 math.special.bessel_i0e
  math.special.bessel_i1 math.special.bessel_i1e math.special.bessel_j0 math.special.bessel_j1
  math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1 math.special.bessel_k1e
  math.special.bessel_y0 math.special.bessel_y1 math.special.dawsn math.special.expint
  math.special.fresnel_cos math.special.fresnel_sin math.special.spence math.zeta
tapeflow.ops.math.trigonometric: acos acosh asin asinh atan atan2 atanh cos cosh math.acos
  math.acosh math.asin math.asinh math.atan math.atan2 math.atanh math.cos math.cosh math.sin
  math.sinh math.tan math.tanh nn.tanh sin sinh tan tanh
tapeflow.ops.nn.activations: math.log_sigmoid math.sigmoid math.softplus math.softsign nn.crelu
  nn.elu nn.gelu nn.leaky_relu nn.relu nn.relu6 nn.selu nn.sigmoid nn.silu nn.softplus nn.softsign
  nn.swish sigmoid
tapeflow.ops.nn.losses: nn.compute_average_loss nn.l2_loss nn.log_poisson_loss
  nn.scale_regularization_loss nn.sigmoid_cross_entropy_with_logits
  nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits
  nn.weighted_cross_entropy_with_logits
tapeflow.ops.nn.softmax_norm: linalg.l2_normalize math.l2_normalize math.log_softmax math.softmax
  math.zero_fraction nn.batch_normalization nn.bias_add nn.l2_normalize nn.log_softmax nn.moments
  nn.normalize_moments nn.softmax nn.sufficient_statistics nn.weighted_moments nn.zero_fraction
tapeflow.ops.random.arguments: random.Algorithm random.experimental.Algorithm
tapeflow.ops.random.dropout: nn.dropout nn.experimental.general_dropout
  nn.experimental.stateless_dropout
tapeflow.ops.random.generator: random.Generator random.create_rng_state
  random.experimental.Generator random.experimental.create_rng_state
  random.experimental.get_global_generator random.experimental.set_global_generator
  random.get_global_generator random.set_global_generator
tapeflow.ops.random.initializers: constant_initializer ones_initializer random_normal_initializer
  random_uniform_initializer zeros_initializer
tapeflow.ops.random.random_ops:
tapeflow.ops.random.stateful: random.categorical random.gamma random.normal random.poisson
  random.set_seed random.shuffle random.truncated_normal random.uniform
tapeflow.ops.random.stateless: random.experimental.index_shuffle
  random.experimental.stateless_fold_in random.experimental.stateless_shuffle
  random.experimental.stateless_split random.fold_in random.split random.stateless_binomial
  random.stateless_categorical random.stateless_gamma random.stateless_normal
  random.stateless_parameterized_truncated_normal random.stateless_poisson
  random.stateless_truncated_normal random.stateless_uniform
tapeflow.ops.reduce.argmax: argmax argmin math.argmax math.argmin
tapeflow.ops.reduce.cumulative: cumsum math.cumprod math.cumsum math.cumulative_logsumexp
tapeflow.ops.reduce.histogram: histogram_fixed_width histogram_fixed_width_bins math.bincount
  math.confusion_matrix
tapeflow.ops.reduce.moments: math.reduce_euclidean_norm math.reduce_logsumexp math.reduce_std
  math.reduce_variance reduce_logsumexp
tapeflow.ops.reduce.reduction: math.count_nonzero math.reduce_all math.reduce_any math.reduce_max
  math.reduce_mean math.reduce_min math.reduce_prod math.reduce_sum reduce_all reduce_any
  reduce_max reduce_mean reduce_min reduce_prod reduce_sum
tapeflow.ops.reduce.segment: math.segment_max math.segment_mean math.segment_min math.segment_prod
  math.segment_sum math.unsorted_segment_max math.unsorted_segment_mean math.unsorted_segment_min
  math.unsorted_segment_prod math.unsorted_segment_sqrt_n math.unsorted_segment_sum
tapeflow.ops.reduce.sorting: argsort math.in_top_k math.top_k nn.in_top_k nn.top_k sort
"""
