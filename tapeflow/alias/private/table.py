"""What is served of TensorFlow's private source tree, where it is here, and who needs it.

A block for each module below `tensorflow`: its name and the libraries that import it, then lines
`where: names`. `where` is a module of tapeflow, or `tf` for public names; `theirs=ours` where the
two differ (`theirs=a.b` for a name inside a namespace or class). A name that is not here is absent;
a module without names is one that a library imports but whose names it seldom uses.
"""

from __future__ import annotations

from typing import NamedTuple

TABLE = """
compiler.tf2xla.python.xla [Keras]
    tapeflow.ops.indexing.dynamic_slice: dynamic_update_slice
core.example.example_pb2 [tf_keras]
    tf: Example=train.Example SequenceExample=train.SequenceExample
core.example.feature_pb2 [tf_keras]
    tf: BytesList=train.BytesList Feature=train.Feature FeatureList=train.FeatureList \
FeatureLists=train.FeatureLists Features=train.Features FloatList=train.FloatList \
Int64List=train.Int64List
core.framework.attr_value_pb2 [tf_keras]
    tf: AttrValue=compat.v1.AttrValue
core.framework.tensor_pb2 [TensorBoard]
    tf: TensorProto=compat.v1.TensorProto
core.framework.tensor_shape_pb2 [TensorBoard]
    tf: TensorShapeProto=compat.v1.TensorShapeProto
core.protobuf.cluster_pb2 [tf_keras]
    tf: ClusterDef=train.ClusterDef
core.protobuf.config_pb2 [tf_keras]
    tf: ConfigProto=compat.v1.ConfigProto GPUOptions=compat.v1.GPUOptions \
        GraphOptions=compat.v1.GraphOptions OptimizerOptions=compat.v1.OptimizerOptions \
        RunOptions=compat.v1.RunOptions
    tapeflow.io.protobuf.config_protos: CallableOptions
core.protobuf.debug_event_pb2 [TensorBoard]
    tapeflow.summary.debug_dump.debug_messages: CodeLocation DebugEvent DebugMetadata \
DebuggedDevice DebuggedGraph Execution GraphExecutionTrace GraphOpCreation SourceFile \
StackFrameWithId
core.protobuf.meta_graph_pb2 [tf_keras]
    tf: MetaGraphDef=compat.v1.MetaGraphDef
    tapeflow.saved_model.object_protos: CollectionDef
core.protobuf.saved_model_pb2 [tf_keras]
    tapeflow.saved_model.object_protos: SavedModel
core.protobuf.saver_pb2 [tf_keras]
    tf: SaverDef=compat.v1.train.SaverDef
core.protobuf.rewriter_config_pb2 [tf_keras]
    tapeflow.io.protobuf.config_protos: RewriterConfig
core.util.event_pb2 [Keras]
    tf: Event=compat.v1.Event
dtensor.python.api [tf_keras]
    tf: call_with_layout=experimental.dtensor.call_with_layout \
check_layout=experimental.dtensor.check_layout copy_to_mesh=experimental.dtensor.copy_to_mesh \
default_mesh=experimental.dtensor.default_mesh fetch_layout=experimental.dtensor.fetch_layout \
get_default_mesh=experimental.dtensor.get_default_mesh pack=experimental.dtensor.pack \
relayout=experimental.dtensor.relayout run_on=experimental.dtensor.run_on \
unpack=experimental.dtensor.unpack
    tapeflow.alias.private.eager_runtime: _reset=_reset_dtensor
python.tf2 [tf_keras]
    tapeflow.alias.private.eager_runtime: enabled
python.autograph.converters.break_statements [TFP]
    tapeflow.alias.private.autograph.single_exits: transform=loop_jumps
python.autograph.converters.continue_statements [TFP]
    tapeflow.alias.private.autograph.single_exits: transform=loop_jumps
python.autograph.converters.return_statements [TFP]
    tapeflow.alias.private.autograph.single_exits: transform=returns
python.autograph.core.converter [TFP]
    tapeflow.alias.private.autograph.trees: Base ConversionOptions ProgramContext
python.autograph.impl.api [tf_keras]
    tf: do_not_convert=autograph.experimental.do_not_convert to_graph=autograph.to_graph \
        tf_convert=__internal__.autograph.tf_convert
python.autograph.pyct.anno [TFP]
    tapeflow.alias.private.autograph.node_notes: Basic Static getanno hasanno setanno delanno \
copyanno keys
python.autograph.pyct.common_transformers.anf [TFP]
    tapeflow.alias.private.autograph.normal_form: ANY REPLACE LEAVE ASTEdgePattern transform
python.autograph.pyct.inspect_utils [TFP]
    tapeflow.alias.private.autograph.trees: getfutureimports
python.autograph.pyct.loader [TFP]
    tapeflow.alias.private.autograph.trees: load_ast
python.autograph.pyct.naming [TFP]
    tapeflow.alias.private.autograph.trees: Namer
python.autograph.pyct.parser [TFP]
    tapeflow.alias.private.autograph.trees: parse parse_entity parse_expression unparse
python.autograph.pyct.qual_names [TFP]
    tapeflow.alias.private.autograph.qualified_names: QN Literal resolve from_str
python.autograph.pyct.static_analysis.activity [TFP]
    tapeflow.alias.private.autograph.used_names: Scope resolve
python.autograph.pyct.templates [TFP]
    tapeflow.alias.private.autograph.templates: replace replace_as_expression
python.autograph.pyct.transformer [TFP]
    tapeflow.alias.private.autograph.trees: Base Context EntityInfo
python.checkpoint.checkpoint [tf_keras]
    tapeflow.train.checkpoint_views: list_objects
    tapeflow.api.v1.named_variables: capture_dependencies
    tapeflow.alias.private.framework: add_variable gather_initializers
python.client.device_lib [GPflow]
    tapeflow.alias.private.eager_runtime: list_local_devices
python.data.experimental.ops.distribute [Keras]
    tapeflow.alias.private.dataset_insides: compute_batch_size
python.data.ops.dataset_ops [GPflow, DeepXDE]
    tf: Dataset=data.Dataset DatasetV2=data.Dataset DatasetSpec=data.DatasetSpec
python.data.ops.from_generator_op [tf_keras]
    tapeflow.data.sources.memory_sources: _GeneratorDataset
python.data.ops.from_sparse_tensor_slices_op [tf_keras]
    tapeflow.alias.private.dataset_insides: _SparseTensorSliceDataset
python.data.ops.from_tensor_slices_op [tf_keras]
    tapeflow.data.sources.memory_sources: _TensorSliceDataset
python.data.ops.from_tensors_op [tf_keras]
    tapeflow.data.sources.memory_sources: _TensorDataset
python.data.ops.range_op [tf_keras]
    tapeflow.data.sources.memory_sources: _RangeDataset
python.data.ops.iterator_ops [GPflow]
    tapeflow.alias.private.dataset_insides: OwnedIterator
    tf: IteratorBase=data.Iterator IteratorSpec=data.IteratorSpec
python.data.util.structure [tf_keras]
    tapeflow.data.elements.structure: NoneTensorSpec
python.distribute.distribute_lib [tf_keras]
    tf: Strategy=distribute.Strategy get_strategy=distribute.get_strategy \
has_strategy=distribute.has_strategy
python.distribute.distribute_utils [tf_keras]
    tapeflow.alias.private.dataset_insides: cache_variable_reads
python.distribute.input_lib [tf_keras]
    tf: DistributedDataset=distribute.DistributedDataset
python.distribute.input_ops [tf_keras]
python.eager.backprop [tf_keras, PennyLane]
    tf: GradientTape
    tapeflow.alias.private.eager_runtime: implicit_grad implicit_val_and_grad
python.eager.context [Keras, tf_keras, Sonnet, TFP, PennyLane]
    tapeflow.alias.private.eager_runtime: context async_wait executing_eagerly _reset_context \
eager_mode graph_mode ensure_initialized get_config get_device_name num_gpus
python.eager.def_function [GPflow]
    tf: function
    tapeflow.graph.functions.function: Function
python.eager.polymorphic_function.polymorphic_function [GPflow]
    tf: function
    tapeflow.graph.functions.function: Function
python.eager.function [GPflow]
    tapeflow.graph.functions.concrete_function: ConcreteFunction
python.eager.record [PennyLane]
    tapeflow.alias.private.eager_runtime: should_record_backprop stop_recording \
could_possibly_record VariableWatcher
python.eager.tape [PennyLane]
    tapeflow.alias.private.eager_runtime: should_record_backprop stop_recording \
could_possibly_record VariableWatcher
python.distribute.cluster_resolver [tf_keras]
    tf: ClusterResolver=distribute.cluster_resolver.ClusterResolver \
        SimpleClusterResolver=distribute.cluster_resolver.SimpleClusterResolver
python.eager.test [tf_keras]
    tf: main=test.main TestCase=test.TestCase
python.framework.convert_to_constants [programs that freeze graphs]
    tapeflow.graph_mode.wrapped_function: convert_variables_to_constants_v2
python.framework.composite_tensor [TFP]
    tf: CompositeTensor=__internal__.CompositeTensor
    tapeflow.alias.private.framework: replace_composites_with_components \
convert_variables_to_tensors=convert_composite_variables
python.framework.config [Keras]
    tapeflow.alias.private.eager_runtime: is_op_determinism_enabled enable_op_determinism \
disable_op_determinism
python.framework.constant_op [tf_keras]
    tf: constant
python.framework.dtypes [tf_keras, TensorBoard]
    tf: DType as_dtype float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 \
uint64 bool string complex64 complex128 variant resource
python.framework.errors [tf_keras]
    tapeflow.base.errors: *
python.framework.errors_impl [tf_keras]
    tapeflow.base.errors: *
python.framework.func_graph [tf_keras]
    tf: FuncGraph=__internal__.FuncGraph
python.framework.indexed_slices [tf_keras]
    tf: IndexedSlices IndexedSlicesSpec
python.framework.ops [TFP, GPflow, PennyLane, tf_keras]
    tf: EagerTensor=__internal__.EagerTensor Tensor convert_to_tensor device init_scope \
control_dependencies executing_eagerly=executing_eagerly name_scope_v2=name_scope \
name_scope_v1=compat.v1.name_scope colocate_with=compat.v1.colocate_with \
get_default_graph=compat.v1.get_default_graph \
executing_eagerly_outside_functions=compat.v1.executing_eagerly_outside_functions
    tapeflow.alias.private.framework: convert_to_tensor_or_composite name_from_scope_name uid \
NullContextmanager is_symbolic_tensor strip_name_scope prepend_name_scope get_name_scope \
has_default_graph convert_n_to_tensor is_dense_tensor_like name_scope
python.framework.smart_cond [Spektral]
    tf: smart_cond=__internal__.smart_cond.smart_cond
    tapeflow.alias.private.framework: smart_constant_value
    tapeflow.alias.private.cases_and_loops: smart_case
python.framework.sparse_tensor [tf_keras]
    tf: SparseTensor SparseTensorSpec SparseTensorValue=compat.v1.SparseTensorValue
python.framework.tensor [tf_keras]
    tf: Tensor TensorSpec
    tapeflow.alias.private.type_specs: BoundedTensorSpec DenseSpec
python.framework.tensor_conversion_registry [TFP]
    tf: register_tensor_conversion_function
python.framework.tensor_shape [TFP]
    tf: TensorShape Dimension=compat.v1.Dimension dimension_value=compat.dimension_value
    tapeflow.alias.private.framework: as_shape unknown_shape
python.framework.tensor_spec [TFP]
    tf: TensorSpec
    tapeflow.alias.private.type_specs: BoundedTensorSpec DenseSpec
python.framework.tensor_util [TFP]
    tf: constant_value=get_static_value is_tf_type=is_tensor make_tensor_proto \
MakeNdarray=make_ndarray
    tapeflow.alias.private.framework: constant_value_as_shape try_evaluate_constant
python.framework.test_util [TFP, tf_keras]
    tf: TensorFlowTestCase=test.TestCase main=test.main
    tapeflow.alias.private.framework: InstallStackTraceHandler disable_cudnn_autotune
    tapeflow.graph_mode.testing_modes: run_in_graph_and_eager_modes \
        run_all_in_graph_and_eager_modes deprecated_graph_mode_only=run_in_graph_mode \
        run_deprecated_v1=run_in_graph_mode enable_control_flow_v2=unchanged \
        with_control_flow_v2=unchanged enable_output_all_intermediates=unchanged \
        run_v2_only=unchanged
    tapeflow.alias.private.test_decorators: run_v1_only run_gpu_only disable_xla \
        with_eager_op_as_function=unchanged \
        is_xla_enabled=false is_mlir_bridge_enabled=false IsBuiltWithNvcc=false \
        for_all_test_methods assert_no_new_tensors assert_no_new_pyobjects_executing_eagerly \
        assert_no_garbage_created random_seed skip_if skip_if_error also_run_as_tf_function \
        run_functions_eagerly run_gpu_or_tpu=run_gpu_only run_cuda_only=run_gpu_only \
        device=on_device use_gpu=on_device force_gpu=on_device force_cpu=on_device NHWCToNCHW \
        NCHWToNHWC assert_ops_in_graph IsMklEnabled=false IsBuiltWithROCm=false \
        IsGoogleCudaEnabled=false IsBuiltWithXLA=false disable_mlir_bridge=disable_xla \
        disable_tfrt=disable_xla no_xla_auto_jit=disable_xla xla_allow_fallback=disable_xla \
        disable_control_flow_v2=disable_xla disable_eager_op_as_function=disable_xla \
        generate_combinations_with_testcase_name
python.framework.type_spec [TFP, tf_keras]
    tf: TypeSpec
    tapeflow.base.specs: BatchableTypeSpec=BatchableSpec
    tapeflow.alias.private.type_specs: type_spec_from_value \
        register_type_spec_from_value_converter
python.framework.type_spec_registry [Keras, TFP]
    tapeflow.alias.private.type_specs: get_name lookup
    tapeflow.base.specs: register _NAME_TO_TYPE_SPEC=_CLASSES _TYPE_SPEC_TO_NAME=_NAMES
python.lib.io.file_io [TensorBoard]
    tf: file_exists_v2=io.gfile.exists
python.debug.lib.debug_events_monitors [TensorBoard]
    tapeflow.summary.debug_dump.monitors: BaseMonitor InfNanAlert InfNanMonitor
python.debug.lib.debug_events_reader [TensorBoard]
    tapeflow.summary.debug_dump.event_reader: DebugEventWithOffset DebugEventsReader
    tapeflow.summary.debug_dump.data_reader: DebugDataReader
    tapeflow.summary.debug_dump.run_data: BaseDigest DebuggedDevice DebuggedGraph Execution \
ExecutionDigest GraphExecutionTrace GraphExecutionTraceDigest GraphOpCreationDigest
python.debug.lib.debug_events_writer [TensorBoard]
    tapeflow.summary.debug_dump.event_writer: DebugEventsWriter
python.debug.lib.dumping_callback [TensorBoard]
    tf: enable_dump_debug_info=debugging.experimental.enable_dump_debug_info \
disable_dump_debug_info=debugging.experimental.disable_dump_debug_info
python.lib.io.tf_record [Keras]
    tf: tf_record_iterator=compat.v1.io.tf_record_iterator TFRecordWriter=io.TFRecordWriter \
TFRecordOptions=io.TFRecordOptions
python.module.module [Sonnet]
    tf: Module
python.ops.array_ops [TFP]
    tapeflow.alias.private.framework: prevent_gradient
    tf: newaxis constant matrix_diag_part=linalg.diag_part where_v2=where shape reshape concat \
gather identity
python.ops.control_flow_case [TFP]
    tf: case=compat.v1.case case_v2=case
    tapeflow.alias.private.cases_and_loops: _case_helper
python.ops.control_flow_ops [tf_keras]
    tf: group no_op cond case while_loop
    tapeflow.alias.private.cases_and_loops: get_enclosing_xla_context
python.ops.control_flow_util [TFP]
    tapeflow.alias.private.cases_and_loops: GraphOrParentsInXlaContext ENABLE_CONTROL_FLOW_V2 \
EnableControlFlowV2 InXlaContext IsInXLAContext IsSwitch IsMerge IsLoopEnter IsLoopExit
python.ops.gen_audio_ops [TensorBoard]
    tf: encode_wav=audio.encode_wav decode_wav=audio.decode_wav
python.ops.gen_resource_variable_ops [tf_keras]
python.ops.gen_sparse_ops [Spektral]
    tapeflow.alias.private.matrix_objects: sparse_reorder
python.ops.init_ops [tf_keras]
    tf: Constant=compat.v1.constant_initializer \
GlorotNormal=compat.v1.glorot_normal_initializer \
GlorotUniform=compat.v1.glorot_uniform_initializer \
Identity=compat.v1.initializers.identity Ones=compat.v1.ones_initializer \
Orthogonal=compat.v1.orthogonal_initializer \
VarianceScaling=compat.v1.variance_scaling_initializer Zeros=compat.v1.zeros_initializer
python.ops.linalg.linear_operator [TFP]
    tf: LinearOperator=linalg.LinearOperator
    tapeflow.alias.private.matrix_objects: make_composite_tensor
python.ops.linalg.linear_operator_addition [TFP]
    tapeflow.alias.private.matrix_objects: add_operators
python.ops.linalg.sparse.sparse [Spektral]
    tapeflow.alias.private.matrix_objects: CSRSparseMatrix matmul
python.ops.linalg.sparse.sparse_csr_matrix_ops [Keras]
    tapeflow.ops.linalg.sparse_matmul: sparse_tensor_to_csr_sparse_matrix \
sparse_matrix_sparse_mat_mul csr_sparse_matrix_to_sparse_tensor
python.ops.lookup_ops [tf_keras]
    tapeflow.alias.private.framework: LookupInterface
python.ops.math_ops [Keras]
    tf: is_nan=math.is_nan reduce_sum cast matmul
python.ops.nn_ops [TFP]
    tapeflow.alias.private.matrix_objects: Convolution
python.ops.numpy_ops [TFP]
    tf: ndarray=experimental.numpy.ndarray
python.ops.parallel_for.control_flow_ops [TFP]
    tf: vectorized_map
    tapeflow.alias.private.cases_and_loops: pfor for_loop
python.ops.ragged.ragged_map_ops [tf_keras]
    tf: map_fn
python.ops.ragged.ragged_tensor [tf_keras]
    tf: RaggedTensor RaggedTensorSpec
python.ops.ragged.ragged_util [tf_keras]
    tapeflow.alias.private.framework: assert_splits_match
python.ops.random_ops [TFP]
    tapeflow.alias.private.framework: parameterized_truncated_normal
    tf: random_normal=random.normal random_uniform=random.uniform
python.ops.resource_variable_ops [TFP, tf_keras]
    tf: VariableSpec BaseResourceVariable=Variable ResourceVariable=Variable
    tapeflow.alias.private.framework: is_resource_variable variable_shape
python.ops.variable_scope [tf_keras]
    tf: variable_creator_scope get_variable=compat.v1.get_variable \
variable_scope=compat.v1.variable_scope get_variable_scope=compat.v1.get_variable_scope \
make_template=compat.v1.make_template VariableScope=compat.v1.VariableScope
    tapeflow.api.v1.named_variables: with_variable_store _get_default_variable_store
python.ops.variables [tf_keras]
    tf: Variable VariableSynchronization VariableAggregation
python.platform.tf_logging [tf_keras]
    tf: DEBUG=compat.v1.logging.DEBUG INFO=compat.v1.logging.INFO WARN=compat.v1.logging.WARN \
ERROR=compat.v1.logging.ERROR FATAL=compat.v1.logging.FATAL debug=compat.v1.logging.debug \
info=compat.v1.logging.info warn=compat.v1.logging.warn warning=compat.v1.logging.warning \
error=compat.v1.logging.error fatal=compat.v1.logging.fatal log=compat.v1.logging.log \
vlog=compat.v1.logging.vlog log_first_n=compat.v1.logging.log_first_n \
log_every_n=compat.v1.logging.log_every_n get_logger \
set_verbosity=compat.v1.logging.set_verbosity get_verbosity=compat.v1.logging.get_verbosity
python.pywrap_tfe [tf_keras]
    tapeflow.alias.private.eager_runtime: TF_ListPluggablePhysicalDevices
python.saved_model.model_utils.mode_keys [tf_keras]
    tapeflow.api.internal.data_structures: KerasModeKeys
python.saved_model.save [tf_keras]
    tapeflow.saved_model.writing.library_models: save_and_return_nodes
python.trackable.base [tf_keras]
    tapeflow.api.internal.data_structures: CheckpointInitialValue CheckpointInitialValueCallable
    tf: Trackable=__internal__.tracking.Trackable
python.trackable.autotrackable [Sonnet]
    tf: AutoTrackable=__internal__.tracking.AutoTrackable
python.trackable.resource [tf_keras]
    tapeflow.saved_model.tensorflow_format: RestoredResource
python.trackable.data_structures [Keras, tf_keras, TFP]
    tapeflow.api.internal.data_structures: ListWrapper _DictWrapper NoDependency \
sticky_attribute_assignment wrap_or_unwrap TrackableDataStructure List Mapping _TupleWrapper
python.training.experimental.loss_scale_optimizer [tf_keras]
    tapeflow.api.v1.loss_scaling: MixedPrecisionLossScaleOptimizer
python.training.moving_averages [TFP]
    tapeflow.alias.private.framework: assign_moving_average
python.training.server_lib [tf_keras]
    tf: ClusterSpec=train.ClusterSpec
python.types.core [Keras]
    tf: Tensor=__internal__.types.Tensor
python.util.compat [tf_keras]
    tf: as_bytes=compat.as_bytes as_text=compat.as_text as_str=compat.as_str \
as_str_any=compat.as_str_any path_to_str=compat.path_to_str
python.util.deprecation [TFP, tf_keras, TensorBoard]
    tapeflow.alias.private.deprecation: deprecated deprecated_alias deprecated_arg_values \
deprecated_args deprecated_argument_lookup deprecated_endpoints silence \
_PRINT_DEPRECATION_WARNINGS rewrite_argument_docstring
python.util.dispatch [tf_keras]
    tapeflow.api.internal.op_dispatch: dispatch_for_types add_dispatch_support OpDispatcher \
GlobalOpDispatcher
python.util.nest [TFP, edward2]
    tapeflow.base.nest: flatten map_structure pack_sequence_as assert_same_structure is_nested \
is_sequence=is_nested \
assert_shallow_structure flatten_up_to map_structure_up_to
    tapeflow.core.values.nest_paths: yield_flat_paths flatten_with_joined_string_paths \
flatten_with_tuple_paths flatten_with_tuple_paths_up_to map_structure_with_paths \
map_structure_with_tuple_paths map_structure_with_tuple_paths_up_to \
get_traverse_shallow_structure is_nested_or_composite \
is_sequence_or_composite=is_nested_or_composite is_mapping is_attrs same_namedtuples \
is_namedtuple _is_namedtuple=is_namedtuple \
sequence_like _sequence_like=sequence_like _yield_sorted_items _yield_value list_to_tuple \
flatten_dict_items
python.util.object_identity [GPflow]
    tapeflow.core.values.tensor: Reference _ObjectIdentityWrapper=Reference
    tapeflow.alias.private.identity_containers: ObjectIdentityDictionary ObjectIdentitySet \
ObjectIdentityWeakKeyDictionary ObjectIdentityWeakSet _WeakObjectIdentityWrapper=WeakReference
python.util.tf_contextlib [tf_keras]
    contextlib: contextmanager
python.util.tf_decorator [tf_keras]
    tapeflow.api.internal.decorators: make_decorator unwrap rewrap TFDecorator
python.util.tf_export [tf_keras]
    tapeflow.api.internal.decorators: keras_export tf_export get_canonical_name_for_symbol \
get_symbol_from_name
python.util.tf_inspect [TFP]
    tapeflow.alias.private.tf_inspect: *
python.util.variable_utils [TFP]
    tapeflow.alias.private.framework: convert_variables_to_tensors replace_variables_with_atoms
tools.docs.doc_controls [tf_keras]
    tapeflow.api.internal.decorators: do_not_doc_inheritable do_not_generate_docs \
doc_in_current_and_subclasses for_subclass_implementers doc_private
"""


class Served(NamedTuple):
    """A module of the private tree: who needs it, and where each of its names is."""

    users: list[str]
    names: dict[str, tuple[str, str]]  # their name -> (module of tapeflow or "tf", our name)
    whole: list[str]  # modules of tapeflow of which it has all names


def read(text: str = TABLE) -> dict[str, Served]:
    """The table by the names of the modules."""
    found: dict[str, Served] = {}
    module = Served([], {}, [])
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            name, _, users = line.rstrip("]").partition(" [")
            module = found[name] = Served(users.split(", "), {}, [])
            continue
        where, _, names = line.strip().partition(": ")
        for word in names.split():
            theirs, _, ours = word.partition("=")
            if word == "*":
                module.whole.append(where)
            else:
                module.names[theirs] = where, ours or theirs
    return found
