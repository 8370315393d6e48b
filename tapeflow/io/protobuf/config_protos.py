"""The messages by which programs of TensorFlow 1 configure sessions: taken, and of no effect here.

Names, numbers and types of fields are TensorFlow's; left out are fields of messages about clusters,
verifiers and allocators. Loaded when one of the names is asked for.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import publish
from tapeflow.io.protobuf import graph_protos as graph_protos  # AttrValue
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import MESSAGES

schema("tensorflow", """
message RewriterConfig {
  enum Toggle { DEFAULT = 0; ON = 1; OFF = 2; AGGRESSIVE = 3; EXPERIMENTAL_MLIR = 4;
    EXPERIMENTAL_BOTH = 5; }
  enum CpuLayout { NO_CONVERSION_ON_CPU = 0; NCHW_TO_NHWC = 1; NHWC_TO_NCHW = 2; }
  enum NumIterationsType { DEFAULT_NUM_ITERS = 0; ONE = 1; TWO = 2; }
  enum MemOptType { DEFAULT_MEM_OPT = 0; NO_MEM_OPT = 1; MANUAL = 2; SWAPPING_HEURISTICS = 4;
    RECOMPUTATION_HEURISTICS = 5; SCHEDULING_HEURISTICS = 6; HEURISTICS = 3; }
  message CustomGraphOptimizer {
    string name = 1; map<string, AttrValue> parameter_map = 2;
  }
  RewriterConfig.CpuLayout cpu_layout_conversion = 50; RewriterConfig.Toggle layout_optimizer = 1;
  RewriterConfig.Toggle constant_folding = 3; RewriterConfig.Toggle shape_optimization = 13;
  RewriterConfig.Toggle remapping = 14; RewriterConfig.Toggle common_subgraph_elimination = 24;
  RewriterConfig.Toggle arithmetic_optimization = 7; RewriterConfig.Toggle dependency_optimization =
  8; RewriterConfig.Toggle loop_optimization = 9; RewriterConfig.Toggle function_optimization = 10;
  RewriterConfig.Toggle debug_stripper = 11; bool disable_model_pruning = 2; RewriterConfig.Toggle
  scoped_allocator_optimization = 15; RewriterConfig.Toggle pin_to_host_optimization = 18;
  RewriterConfig.Toggle implementation_selector = 22; RewriterConfig.Toggle auto_mixed_precision =
  23; RewriterConfig.Toggle auto_mixed_precision_mkl = 25; RewriterConfig.Toggle
  auto_mixed_precision_onednn_bfloat16 = 31; RewriterConfig.Toggle auto_mixed_precision_cpu = 29;
  bool disable_meta_optimizer = 19; bool disable_tfg_optimizer = 32; RewriterConfig.Toggle
  use_plugin_optimizers = 28; RewriterConfig.Toggle experimental_conditional_code_motion = 30;
  RewriterConfig.NumIterationsType meta_optimizer_iterations = 12; int32 min_graph_nodes = 17; bool
  experimental_disable_compressed_tensor_optimization = 26; bool
  experimental_disable_folding_quantization_emulation = 27; RewriterConfig.MemOptType
  memory_optimization = 4; string memory_optimizer_target_node_name_scope = 6; int64
  meta_optimizer_timeout_ms = 20; bool fail_on_optimizer_errors = 21; repeated string optimizers =
  100; repeated RewriterConfig.CustomGraphOptimizer custom_optimizers = 200;
}
""", "tensorflow.core.protobuf.rewriter_config_pb2")

schema("tensorflow", """
message GPUOptions {
  message Experimental {
    message VirtualDevices {
      repeated float memory_limit_mb = 1; repeated int32 priority = 2; repeated int32 device_ordinal
      = 3;
    }
    message StreamMergeOptions {
      bool merge_host_to_device_stream = 1; bool merge_device_to_host_stream = 2; bool
      merge_device_to_device_stream = 3;
    }
    repeated GPUOptions.Experimental.VirtualDevices virtual_devices = 1; int32
    num_virtual_devices_per_gpu = 15; bool use_unified_memory = 2; int32 num_dev_to_dev_copy_streams
    = 3; string collective_ring_order = 4; bool timestamped_allocator = 5; int32
    kernel_tracker_max_interval = 7; int32 kernel_tracker_max_bytes = 8; int32
    kernel_tracker_max_pending = 9; double internal_fragmentation_fraction = 10; bool
    use_cuda_malloc_async = 11; bool disallow_retry_on_allocation_failure = 12; float
    gpu_host_mem_limit_in_mb = 13; bool gpu_host_mem_disallow_growth = 14; int32
    gpu_system_memory_size_in_mb = 16; bool populate_pjrt_gpu_client_creation_info = 17; int32
    node_id = 18; GPUOptions.Experimental.StreamMergeOptions stream_merge_options = 19;
  }
  double per_process_gpu_memory_fraction = 1; bool allow_growth = 4; string allocator_type = 2;
  int64 deferred_deletion_bytes = 3; string visible_device_list = 5; int32
  polling_active_delay_usecs = 6; int32 polling_inactive_delay_msecs = 7; bool force_gpu_compatible
  = 8; GPUOptions.Experimental experimental = 9;
}
message OptimizerOptions {
  enum Level { L1 = 0; L0 = -1; }
  enum GlobalJitLevel { DEFAULT = 0; OFF = -1; ON_1 = 1; ON_2 = 2; }
  bool do_common_subexpression_elimination = 1; bool do_constant_folding = 2; int64
  max_folded_constant_in_bytes = 6; bool do_function_inlining = 4; OptimizerOptions.Level opt_level
  = 3; OptimizerOptions.GlobalJitLevel global_jit_level = 5; bool cpu_global_jit = 7;
}
message GraphOptions {
  bool enable_recv_scheduling = 2; OptimizerOptions optimizer_options = 3; int64 build_cost_model =
  4; int64 build_cost_model_after = 9; bool infer_shapes = 5; bool place_pruned_graph = 6; bool
  enable_bfloat16_sendrecv = 7; int32 timeline_step = 8; RewriterConfig rewrite_options = 10;
}
message ThreadPoolOptionProto {
  int32 num_threads = 1; string global_name = 2;
}
message ConfigProto {
  message Experimental {
    enum MlirBridgeRollout { MLIR_BRIDGE_ROLLOUT_UNSPECIFIED = 0; MLIR_BRIDGE_ROLLOUT_ENABLED = 1;
      MLIR_BRIDGE_ROLLOUT_DISABLED = 2; }
    string collective_group_leader = 1; string executor_type = 3; int32 recv_buf_max_chunk = 4; bool
    use_numa_affinity = 5; bool collective_deterministic_sequential_execution = 6; bool
    collective_nccl = 7; bool share_session_state_in_clusterspec_propagation = 8; bool
    disable_thread_spinning = 9; bool share_cluster_devices_in_session = 10; bool
    optimize_for_static_graph = 12; bool enable_mlir_bridge = 13;
    ConfigProto.Experimental.MlirBridgeRollout mlir_bridge_rollout = 17; bool
    enable_mlir_graph_optimization = 16; bool disable_output_partition_graphs = 14; int64
    xla_fusion_autotuner_thresh = 15; bool use_tfrt = 18; bool enable_multi_host = 27; bool
    tfrt_use_ifrt = 32; int32 backend_server_port = 28; bool target_tpu = 29; bool target_gpu = 30;
    int32 stream_merge_threshold = 31; bool disable_functional_ops_lowering = 21; bool
    xla_prefer_single_graph_cluster = 22; bool disable_optimize_for_static_graph = 24; bool
    disable_eager_executor_streaming_enqueue = 26; bool finalize_function_library_runtime = 33; bool
    finalize_resource_manager = 34; string tf2xla_dump_dir = 35; bool online_cost_analysis = 36;
  }
  map<string, int32> device_count = 1; int32 intra_op_parallelism_threads = 2; int32
  inter_op_parallelism_threads = 5; bool use_per_session_threads = 9; repeated ThreadPoolOptionProto
  session_inter_op_thread_pool = 12; int32 placement_period = 3; repeated string device_filters = 4;
  GPUOptions gpu_options = 6; GPUOptions pluggable_device_options = 18; bool allow_soft_placement =
  7; bool log_device_placement = 8; GraphOptions graph_options = 10; int64 operation_timeout_in_ms =
  11; ClusterDef cluster_def = 14; bool isolate_session_state = 15; bool
  share_cluster_devices_in_session = 17; ConfigProto.Experimental experimental = 16;
}
message RunOptions {
  enum TraceLevel { NO_TRACE = 0; SOFTWARE_TRACE = 1; HARDWARE_TRACE = 2; FULL_TRACE = 3; }
  message Experimental {
    message RunHandlerPoolOptions {
      int64 priority = 1;
    }
    int64 collective_graph_key = 1; bool use_run_handler_pool = 2;
    RunOptions.Experimental.RunHandlerPoolOptions run_handler_pool_options = 3;
  }
  RunOptions.TraceLevel trace_level = 1; int64 timeout_in_ms = 2; int32 inter_op_thread_pool = 3;
  bool output_partition_graphs = 5; bool report_tensor_allocations_upon_oom = 7;
  RunOptions.Experimental experimental = 8;
}
message TensorConnection { string from_tensor = 1; string to_tensor = 2; }
message CallableOptions {
  repeated string feed = 1; repeated string fetch = 2; repeated string target = 3;
  RunOptions run_options = 4; repeated TensorConnection tensor_connection = 5;
}
""", "tensorflow.core.protobuf.config_pb2")

RewriterConfig: Any = MESSAGES["RewriterConfig"]
ConfigProto: Any = MESSAGES["ConfigProto"]
CallableOptions: Any = MESSAGES["CallableOptions"]
for _name in ("ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions"):
    publish(MESSAGES[_name], f"compat.v1.{_name}")
