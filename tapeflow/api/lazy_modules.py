"""Which modules are loaded for which public names, when a program first asks for one of them.

Imported by `tapeflow/__init__.py`. The ordinary ops stand in `public_names.py`, which a script
writes; here stand modules that belong to whole namespaces, or that are rarely used, by hand. A
module that is in neither is loaded by `import tapeflow`.
"""

from __future__ import annotations

from tapeflow.api.public_names import NAMES
from tapeflow.base.exports import later, promise

promise(NAMES)

# -- ops
later("tapeflow.ops.signal", "signal.*", "audio.*", "compat.v1.signal.*",
      "compat.v1.spectral.*", "compat.v1.audio.*")
later("tapeflow.ops.image", "image.*", "compat.v1.image.*", "io.*", "raw_ops.*")
later("tapeflow.ops.array.space_to_batch", "space_to_batch", "nn.space_to_batch",
      "space_to_batch_nd", "batch_to_space", "required_space_to_batch_paddings",
      "nn.space_to_depth", "nn.depth_to_space")
later("tapeflow.ops.control.numerical_gradient", "numerical_gradient")
later("tapeflow.ops.nn.fractional_pools", "nn.fractional_max_pool", "nn.fractional_avg_pool")
later("tapeflow.ops.ragged.ragged_value", "compat.v1.ragged.RaggedTensorValue")
later("tapeflow.ops.ragged", "ragged.*", "RaggedTensor", "RaggedTensorSpec",
      "experimental.RowPartition", "experimental.DynamicRaggedShape")
later("tapeflow.ops.ragged.records.structured_tensor", "experimental.StructuredTensor")
later("tapeflow.ops.sparse", "sparse.*", "sets.*", "SparseTensor", "SparseTensorSpec",
      "edit_distance", "nn.embedding_lookup_sparse", "nn.safe_embedding_lookup_sparse",
      "nn.ctc_greedy_decoder", "nn.ctc_beam_search_decoder", "nn.collapse_repeated",
      "nn.ctc_unique_labels", "compat.v1.SparseTensorValue")
later("tapeflow.ops.strings", "strings.*", "lookup.*", "lookup.experimental.*", "fingerprint")
later("tapeflow.core.values.extension_type", "experimental.ExtensionType",
      "experimental.ExtensionTypeSpec", "experimental.BatchableExtensionType")
later("tapeflow.core.values.extension_dispatch", "experimental.dispatch_for_api",
      "experimental.dispatch_for_unary_elementwise_apis",
      "experimental.dispatch_for_binary_elementwise_apis", "experimental.unregister_dispatch_for")
later("tapeflow.api.internal_namespace", "__internal__.*", "compat.v1.*")
later("tapeflow.api.internal.decorators", "__internal__.decorator.*")
later("tapeflow.api.internal.op_dispatch", "__internal__.dispatch.*")
later("tapeflow.api.internal.test_combinations", "__internal__.test.combinations.*")
later("tapeflow.api.internal.strategy_combinations", "__internal__.distribute.combinations.*")
later("tapeflow.api.internal.data_structures", "__internal__.tracking.*")
later("tapeflow.train.saveable_objects", "__internal__.tracking.*")
later("tapeflow.train.restoring", "__internal__.tracking.streaming_restore")
later("tapeflow.train.checkpoint_views", "__internal__.tracking.ObjectGraphView")
later("tapeflow.api.v1.nn.v1_nn", "compat.v1.nn.*")
later("tapeflow.api.v1.nn.v1_rnn", *[f"compat.v1.nn.{name}" for name in (
    "dynamic_rnn", "bidirectional_dynamic_rnn", "static_rnn", "static_bidirectional_rnn")])
later("tapeflow.api.v1.v1_losses", "compat.v1.losses.*")
later("tapeflow.api.v1.v1_metrics", "compat.v1.metrics.*")
later("tapeflow.api.v1.distributions", "compat.v1.distributions.*")
later("tapeflow.api.v1.loss_scaling", "__internal__.mixed_precision.*", "__internal__.train.*",
      "compat.v1.mixed_precision.*")
later("tapeflow.api.internal.library_hooks", "__internal__.*", "__operators__.*", *[
    f"__internal__.{_space}.*" for _space in (
        "autograph", "distribute", "function", "nest", "ops", "tracking", "train")])
later("tapeflow.api.internal.feature_columns", "feature_column.*", "__internal__.feature_column.*")
later("tapeflow.saved_model.writing.library_models", "__internal__.saved_model.*")
later("tapeflow.saved_model.restored_objects", "__internal__.saved_model.load.*")
later("tapeflow.distribute.dtensor.dtensor_functions", "experimental.dtensor.*")
later("tapeflow.api.internal.absent_devices", "experimental.dtensor.*")
for _module in ("v1_functions", "named_variables", "v1_initializers"):
    later(f"tapeflow.api.v1.{_module}", "compat.v1.*", "compat.v1.random.*",
          "compat.v1.initializers.*")
later("tapeflow.api.v1.logs", "compat.v1.logging.*")
later("tapeflow.api.v1.command_line", "compat.v1.flags", "compat.v1.app")
later("tapeflow.api.v1.test_stubs", "compat.v1.test.*")
later("tapeflow.api.v1.session_hooks", "compat.v1.train.*")
for _module in ("ops.raw_ops", "ops.image.projective_transform", "tensorflow_graphs.raw_functions"):
    later(f"tapeflow.{_module}", "raw_ops.*")
later("tapeflow.ops.nn.ctc_loss", "nn.ctc_loss")

# -- names that few programs use
later("tapeflow.numpy_api", "experimental.numpy.*", "experimental.numpy.random.*")
later("tapeflow.core.autodiff.forward_accumulator", "autodiff.ForwardAccumulator")
later("tapeflow.insight.tape_reports.checkpointed_function", "checkpoint")
later("tapeflow.insight.numerics", "debugging.enable_check_numerics",
      "debugging.disable_check_numerics")
later("tapeflow.summary.debug_dump.dumping", "debugging.experimental.enable_dump_debug_info",
      "debugging.experimental.disable_dump_debug_info")
later("tapeflow.api.tracebacks", "debugging.enable_traceback_filtering",
      "debugging.disable_traceback_filtering", "debugging.is_traceback_filtering_enabled")
_SAMPLERS = [f"{kind}_candidate_sampler" for kind in (
    "uniform", "log_uniform", "learned_unigram", "fixed_unigram", "all")]
later("tapeflow.ops.random.samplers.candidates", *[f"random.{name}" for name in _SAMPLERS],
      *[f"nn.{name}" for name in _SAMPLERS[2:]])
later("tapeflow.ops.nn.sampled_losses", "nn.compute_accidental_hits", "nn.sampled_softmax_loss",
      "nn.nce_loss")
later("tapeflow.ops.nn.isotonic", "nn.isotonic_regression")
later("tapeflow.ops.nn.morphology", "nn.dilation2d", "nn.erosion2d")
later("tapeflow.ops.nn.local_response", "nn.local_response_normalization", "nn.lrn",
      "nn.batch_norm_with_global_normalization")
later("tapeflow.ops.reduce.approx_top_k", "math.sobol_sample",
      *[f"{space}.approx_{which}_k" for space in ("math", "nn") for which in ("max", "min")])
later("tapeflow.ops.linalg.least_squares", "linalg.lstsq")
later("tapeflow.ops.linalg.banded", "linalg.tridiagonal_matmul", "linalg.tridiagonal_solve",
      "linalg.banded_triangular_solve")
later("tapeflow.linear_operators", *[f"linalg.LinearOperator{kind}" for kind in (
    "", "Adjoint", "BlockDiag", "BlockLowerTriangular", "Circulant", "Circulant2D", "Circulant3D",
    "Composition", "Diag", "FullMatrix", "Householder", "Identity", "Inversion", "Kronecker",
    "LowRankUpdate", "LowerTriangular", "Permutation", "ScaledIdentity", "Toeplitz", "Tridiag",
    "Zeros")], "linalg.eigh_tridiagonal", "linalg.experimental.*")
later("tapeflow.ops.nn.quantization", "quantization.*")
later("tapeflow.api.profiler", "profiler.experimental.*")
later("tapeflow.api.testing", "test.*", "test.experimental.*")
later("tapeflow.api.test_case", "test.TestCase", "test.main", "test.is_cpu_target_available")
later("tapeflow.api.compat", "DeviceSpec", "variable_creator_scope", "get_current_name_scope",
      "CriticalSection",
      "AggregationMethod", "guarantee_const", "parallel_stack", "xla.experimental.*",
      *[f"compat.{name}" for name in (
          "forward_compatible", "forward_compatibility_horizon", "dimension_value",
          "dimension_at_index")],
      "autograph.set_verbosity", "autograph.trace", "autograph.experimental.Feature",
      *[f"config.experimental.{name}" for name in (
          "set_synchronous_execution", "enable_mlir_bridge", "disable_mlir_bridge")],
      *[f"experimental.{name}" for name in (
          "async_scope", "async_clear_error", "function_executor_type")])

# -- layers above the graph
for _module in ("tfrecord", "file_ops", "local_files", "parsing.examples",
                "parsing.sequence_examples", "parsing.csv", "parsing.sparse_bytes",
                "parsing.json_examples", "parsing.proto_ops"):
    later(f"tapeflow.io.{_module}", "io.*", "compat.v1.io.*", "compat.v1.python_io.*")
later("tapeflow.io.local_files", "io.gfile.*", "compat.v1.gfile.*")
later("tapeflow.io.protobuf.tensor_protos", "make_tensor_proto", "make_ndarray")
later("tapeflow.io.protobuf.protos", "train.*", "compat.v1.train.*", "compat.v1.summary.*",
      *[f"compat.v1.{name}" for name in (
          "Event", "HistogramProto", "SessionLog", "Summary", "SummaryMetadata",
          "TaggedRunMetadata", "TensorProto", "TensorShapeProto")])
later("tapeflow.io.protobuf.graph_protos", *[f"compat.v1.{name}" for name in (
    "AttrValue", "GraphDef", "NameAttrList", "NodeDef")])
later("tapeflow.io.protobuf.run_protos", "compat.v1.RunMetadata")
later("tapeflow.saved_model.object_protos", "compat.v1.MetaGraphDef", "compat.v1.train.SaverDef")
later("tapeflow.io.protobuf.config_protos", *[f"compat.v1.{name}" for name in (
    "ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions")])
for _module in ("checkpoint", "checkpoint_files", "restoring", "averaging", "coordinator",
                "checkpoint_views"):
    later(f"tapeflow.train.{_module}", "train.*", "train.experimental.*", "compat.v1.train.*",
          "__internal__.train.*")
later("tapeflow.data.load_all", "data.*", "data.experimental.*", "data.experimental.service.*",
      "compat.v1.data.*", "OptionalSpec", "experimental.Optional")
later("tapeflow.data.sources.table_sources", "data.experimental.*", "compat.v1.data.*")
for _module in ("writers", "recording", "plugins", "graph_summary"):
    later(f"tapeflow.summary.{_module}", "summary.*", "summary.experimental.*")
later("tapeflow.summary.writers", "compat.v1.train.summary_iterator")
for _module in ("session_summaries", "file_writer"):
    later(f"tapeflow.summary.{_module}", "compat.v1.summary.*")
for _module in ("strategies", "strategy_scope", "replica_values", "replica_variables",
                "replica_context", "cluster_resolvers", "multi_worker"):
    later(f"tapeflow.distribute.{_module}", "distribute.*", "distribute.experimental.*",
          "distribute.cluster_resolver.*", "distribute.experimental.partitioners.*",
          "compat.v1.distribute.experimental.*", "__internal__.distribute.*",
          "__internal__.distribute.interim.*")
for _module in ("sharded_optimizer", "mpi.background_exchange"):  # with all of MPI
    later(f"tapeflow.distribute.{_module}", "distribute.shard_optimizer")
later("tapeflow.train.queues", "queue.*")
later("tapeflow.train.cluster", "train.ClusterSpec", "compat.v1.train.ClusterSpec")
later("tapeflow.distribute.distributed_datasets", "distribute.DistributedDataset",
      "distribute.DistributedIterator", "distribute.InputContext")
later("tapeflow.saved_model.loading", "saved_model.load", "saved_model.load_v2")  # without writing
for _module in ("names", "saving", "loading"):
    later(f"tapeflow.saved_model.{_module}", "saved_model.*", "saved_model.experimental.*")
for _module in ("servers", "server_strategy", "cluster_coordinator", "sharded_variable"):
    later(f"tapeflow.distribute.parameter_servers.{_module}", *[f"distribute.{_name}" for _name in (
        "Server", "ParameterServerStrategy", "experimental.ParameterServerStrategy",
        "coordinator.*", "experimental.coordinator.*")], "__internal__.distribute.ShardedVariable")
later("tapeflow.graph.tracing.operation", "Operation")
later("tapeflow.graph_mode.graph", "Graph", "compat.v1.get_default_graph")
later("tapeflow.graph_mode.importing", *[f"{_name}import_graph_def" for _name in (
    "", "graph_util.", "compat.v1.", "compat.v1.graph_util.")])
later("tapeflow.graph_mode.meta_graphs", *[f"compat.v1.{_name}" for _name in (
    "train.import_meta_graph", "train.export_meta_graph", *[f"saved_model.{_kind}{_it}" for _it in (
        "load", "maybe_saved_model_directory") for _kind in ("", "loader.")])])
later("tapeflow.graph_mode.sessions.session_models", *[
    f"compat.v1.saved_model.{_name}*" for _name in (
        "", "builder.", "utils.", "signature_def_utils.")])
later("tapeflow.graph_mode.saver", "compat.v1.train.Saver")
later("tapeflow.graph_mode.wrapped_function", "compat.v1.wrap_function")
later("tapeflow.graph_mode.optimizers", "compat.v1.train.*")
later("tapeflow.graph_mode.graph_def", "__internal__.function_graph_def", *[
    f"{_name}.write_graph" for _name in ("io", "compat.v1.io", "compat.v1.train")])
later("tapeflow.graph_mode.graph_switches", "enable_v2_behavior", "compat.v1.train.*", *[
    f"compat.v1.{_name}" for _name in (
        *[f"{_switch}_{_it}" for _switch in ("disable", "enable") for _it in (
            "eager_execution", "v2_behavior")],
        "reset_default_graph", "add_to_collection", "add_to_collections", "get_collection",
        "get_collection_ref")])
later("tapeflow.graph_mode.graph_variable", *[f"compat.v1.{_name}_variables" for _name in (
    "global", "all", "trainable", "local", "model", "moving_average", "report_uninitialized")])
later("tapeflow.graph_mode.session", "compat.v1.Session", "compat.v1.InteractiveSession",
      "compat.v1.get_default_session")
later("tapeflow.graph_mode.sessions.ragged_feeds", "compat.v1.ragged.placeholder",
      "compat.v1.ragged.constant_value")
later("tapeflow.graph_mode.sessions.session_iterators", *[f"compat.v1.data.{_name}" for _name in (
    "Iterator", "make_one_shot_iterator", "make_initializable_iterator")])
later("tapeflow.graph.symbolic_gradients", "hessians")
later("tapeflow.gradients", "gradients")
later("tapeflow.gradients.numpy_dispatch", "numpy_on_tape")
