"""The messages that tell of a run: how long its nodes took, and which graphs were run.

Names, numbers and types of fields are TensorFlow's; left out are what tells of allocators and of
the sizes of tensors. Loaded when one of the names is asked for.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import publish
from tapeflow.io.protobuf import graph_protos as graph_protos  # GraphDef
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import MESSAGES

schema("tensorflow", """
message NodeExecStats {
  string node_name = 1; int64 all_start_micros = 2; int64 op_start_rel_micros = 3;
  int64 op_end_rel_micros = 4; int64 all_end_rel_micros = 5; string timeline_label = 8;
  int64 scheduled_micros = 9; uint32 thread_id = 10; int64 all_start_nanos = 13;
  int64 op_start_rel_nanos = 14; int64 op_end_rel_nanos = 15; int64 all_end_rel_nanos = 16;
  int64 scheduled_nanos = 17;
}
message DeviceStepStats {
  string device = 1; repeated NodeExecStats node_stats = 2; map<uint32, string> thread_names = 3;
}
message StepStats { repeated DeviceStepStats dev_stats = 1; }
""", "tensorflow.core.framework.step_stats_pb2")

schema("tensorflow", """
message CostGraphDef {
  message Node {
    string name = 1; string device = 2; int32 id = 3; int64 temporary_memory_size = 6;
    bool is_final = 7; repeated int32 control_input = 8; int64 compute_cost = 9;
    int64 persistent_memory_size = 12; int64 compute_time = 14; int64 memory_time = 15;
    bool inaccurate = 17;
  }
  repeated CostGraphDef.Node node = 1;
}
""", "tensorflow.core.framework.cost_graph_pb2")

schema("tensorflow", """
message FunctionGraphs {
  repeated GraphDef partition_graphs = 1; GraphDef pre_optimization_graph = 2;
  GraphDef post_optimization_graph = 3;
}
message RunMetadata {
  StepStats step_stats = 1; CostGraphDef cost_graph = 2; repeated GraphDef partition_graphs = 3;
  repeated FunctionGraphs function_graphs = 4;
}
""", "tensorflow.core.protobuf.config_pb2")

RunMetadata: Any = MESSAGES["RunMetadata"]
publish(RunMetadata, "compat.v1.RunMetadata")
