"""The messages of a debugger's files. Names, numbers and types of fields are TensorFlow's."""

from __future__ import annotations

from typing import Any

from tapeflow.io.protobuf import protos as protos  # TensorProto
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import ENUMS, MESSAGES

schema("tensorflow", """
message GraphDebugInfo {
  message FileLineCol {
    int32 file_index = 1; int32 line = 2; int32 col = 3; string func = 4; string code = 5;
  }
}
""", "tensorflow.core.framework.graph_debug_info_pb2")

schema("tensorflow", """
enum TensorDebugMode {
  UNSPECIFIED = 0; NO_TENSOR = 1; CURT_HEALTH = 2; CONCISE_HEALTH = 3; FULL_HEALTH = 4; SHAPE = 5;
  FULL_NUMERICS = 6; FULL_TENSOR = 7; REDUCE_INF_NAN_THREE_SLOTS = 8;
}
message DebugMetadata {
  string tensorflow_version = 1; string file_version = 2; string tfdbg_run_id = 3;
}
message SourceFile { string file_path = 1; string host_name = 2; repeated string lines = 3; }
message StackFrameWithId { string id = 1; GraphDebugInfo.FileLineCol file_line_col = 2; }
message CodeLocation { string host_name = 1; repeated string stack_frame_ids = 2; }
message GraphOpCreation {
  string op_type = 1; string op_name = 2; string graph_name = 3; string graph_id = 4;
  string device_name = 5; repeated string input_names = 6; int32 num_outputs = 7;
  CodeLocation code_location = 8; repeated int32 output_tensor_ids = 9;
}
message DebuggedGraph {
  string graph_id = 1; string graph_name = 2; repeated string instrumented_ops = 3;
  bytes original_graph_def = 4; bytes instrumented_graph_def = 5; string outer_context_id = 6;
}
message DebuggedDevice { string device_name = 1; int32 device_id = 2; }
message Execution {
  string op_type = 1; int32 num_outputs = 2; string graph_id = 3;
  repeated int64 input_tensor_ids = 4; repeated int64 output_tensor_ids = 5;
  TensorDebugMode tensor_debug_mode = 6; repeated TensorProto tensor_protos = 7;
  CodeLocation code_location = 8; repeated int32 output_tensor_device_ids = 9;
}
message GraphExecutionTrace {
  string tfdbg_context_id = 1; string op_name = 2; int32 output_slot = 3;
  TensorDebugMode tensor_debug_mode = 4; TensorProto tensor_proto = 5; string device_name = 6;
}
message DebugEvent {
  double wall_time = 1; int64 step = 2;
  oneof what {
    DebugMetadata debug_metadata = 3; SourceFile source_file = 4;
    StackFrameWithId stack_frame_with_id = 6; GraphOpCreation graph_op_creation = 7;
    DebuggedGraph debugged_graph = 8; Execution execution = 9;
    GraphExecutionTrace graph_execution_trace = 10; string graph_id = 11;
    DebuggedDevice debugged_device = 12;
  }
}
""", "tensorflow.core.protobuf.debug_event_pb2")

MODES: dict[str, int] = ENUMS["TensorDebugMode"]
DebugEvent: Any = MESSAGES["DebugEvent"]
DebugMetadata: Any = MESSAGES["DebugMetadata"]
SourceFile: Any = MESSAGES["SourceFile"]
StackFrameWithId: Any = MESSAGES["StackFrameWithId"]
CodeLocation: Any = MESSAGES["CodeLocation"]
GraphOpCreation: Any = MESSAGES["GraphOpCreation"]
DebuggedGraph: Any = MESSAGES["DebuggedGraph"]
DebuggedDevice: Any = MESSAGES["DebuggedDevice"]
Execution: Any = MESSAGES["Execution"]
GraphExecutionTrace: Any = MESSAGES["GraphExecutionTrace"]
FileLineCol: Any = MESSAGES["GraphDebugInfo.FileLineCol"]
NO_TENSOR, CURT_HEALTH, CONCISE_HEALTH, FULL_HEALTH, SHAPE = (
    MODES[name] for name in ("NO_TENSOR", "CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "SHAPE"))
FULL_TENSOR = MODES["FULL_TENSOR"]
