"""The messages of TensorFlow's graphs: GraphDef, its nodes, attributes and functions.

Names, numbers and types of fields are the file format.
"""

from __future__ import annotations

from tapeflow.base.exports import publish
from tapeflow.io.protobuf import protos as protos  # TensorProto, VersionDef
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import MESSAGES

schema("google.protobuf", """
message Any { string type_url = 1; bytes value = 2; }
""", "google.protobuf.any_pb2")

schema("tensorflow", """
enum FullTypeId {
  TFT_UNSET = 0; TFT_VAR = 1; TFT_ANY = 2; TFT_PRODUCT = 3; TFT_NAMED = 4; TFT_FOR_EACH = 20;
  TFT_CALLABLE = 100; TFT_TENSOR = 1000; TFT_ARRAY = 1001; TFT_OPTIONAL = 1002; TFT_LITERAL = 1003;
  TFT_ENCODED = 1004; TFT_SHAPE_TENSOR = 1005; TFT_BOOL = 200; TFT_UINT8 = 201; TFT_UINT16 = 202;
  TFT_UINT32 = 203; TFT_UINT64 = 204; TFT_INT8 = 205; TFT_INT16 = 206; TFT_INT32 = 207;
  TFT_INT64 = 208; TFT_HALF = 209; TFT_FLOAT = 210; TFT_DOUBLE = 211; TFT_BFLOAT16 = 215;
  TFT_COMPLEX64 = 212; TFT_COMPLEX128 = 213; TFT_STRING = 214; TFT_DATASET = 10102;
  TFT_RAGGED = 10103; TFT_ITERATOR = 10104; TFT_MUTEX_LOCK = 10202; TFT_LEGACY_VARIANT = 10203;
}
message FullTypeDef {
  FullTypeId type_id = 1; repeated FullTypeDef args = 2;
  oneof attr { string s = 3; int64 i = 4; }
}
message AttrValue {
  message ListValue {
    repeated bytes s = 2; repeated int64 i = 3; repeated float f = 4; repeated bool b = 5;
    repeated DataType type = 6; repeated TensorShapeProto shape = 7;
    repeated TensorProto tensor = 8; repeated NameAttrList func = 9;
  }
  oneof value {
    bytes s = 2; int64 i = 3; float f = 4; bool b = 5; DataType type = 6;
    TensorShapeProto shape = 7; TensorProto tensor = 8; AttrValue.ListValue list = 1;
    NameAttrList func = 10; string placeholder = 9;
  }
}
message NameAttrList { string name = 1; map<string, AttrValue> attr = 2; }
""", "tensorflow.core.framework.attr_value_pb2")

schema("tensorflow", """
message NodeDef {
  message ExperimentalDebugInfo {
    repeated string original_node_names = 1; repeated string original_func_names = 2;
  }
  string name = 1; string op = 2; repeated string input = 3; string device = 4;
  map<string, AttrValue> attr = 5; NodeDef.ExperimentalDebugInfo experimental_debug_info = 6;
  FullTypeDef experimental_type = 7;
}
message OpDeprecation { int32 version = 1; string explanation = 2; }
message OpDef {
  message ArgDef {
    string name = 1; string description = 2; DataType type = 3; string type_attr = 4;
    string number_attr = 5; string type_list_attr = 6; bool is_ref = 16;
    FullTypeDef experimental_full_type = 17;
  }
  message AttrDef {
    string name = 1; string type = 2; AttrValue default_value = 3; string description = 4;
    bool has_minimum = 5; int64 minimum = 6; AttrValue allowed_values = 7;
  }
  string name = 1; repeated OpDef.ArgDef input_arg = 2; repeated OpDef.ArgDef output_arg = 3;
  repeated string control_output = 20; repeated OpDef.AttrDef attr = 4;
  OpDeprecation deprecation = 8; string summary = 5; string description = 6;
  bool is_commutative = 18; bool is_aggregate = 16; bool is_stateful = 17;
  bool allows_uninitialized_input = 19; bool is_distributed_communication = 21;
}
message OpList { repeated OpDef op = 1; }
message FunctionDef {
  message ArgAttrs { map<string, AttrValue> attr = 1; }
  OpDef signature = 1; map<string, AttrValue> attr = 5;
  map<uint32, FunctionDef.ArgAttrs> arg_attr = 7; map<uint32, uint32> resource_arg_unique_id = 8;
  repeated NodeDef node_def = 3; map<string, string> ret = 4; map<string, string> control_ret = 6;
}
message GradientDef { string function_name = 1; string gradient_func = 2; }
message RegisteredGradient { string gradient_func = 1; string registered_op_type = 2; }
message FunctionDefLibrary {
  repeated FunctionDef function = 1; repeated GradientDef gradient = 2;
  repeated RegisteredGradient registered_gradients = 3;
}
message GraphDef {
  repeated NodeDef node = 1; VersionDef versions = 4; int32 version = 3;
  FunctionDefLibrary library = 2;
}
""", "tensorflow.core.framework.graph_pb2")

AttrValue = MESSAGES["AttrValue"]
NodeDef = MESSAGES["NodeDef"]
FunctionDef = MESSAGES["FunctionDef"]
GraphDef = MESSAGES["GraphDef"]

publish(GraphDef, "compat.v1.GraphDef")
publish(NodeDef, "compat.v1.NodeDef")
publish(AttrValue, "compat.v1.AttrValue")
publish(MESSAGES["NameAttrList"], "compat.v1.NameAttrList")
