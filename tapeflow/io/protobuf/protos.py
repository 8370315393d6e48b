"""The messages of TensorFlow that programs make and that files are made of, by file of theirs.

Names, numbers and types of fields are the file formats. Imports `messages` only.
"""

from __future__ import annotations

from typing import Any

from tapeflow.base.exports import publish
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import MESSAGES

schema("tensorflow", """
message BytesList { repeated bytes value = 1; }
message FloatList { repeated float value = 1; }
message Int64List { repeated int64 value = 1; }
message Feature {
  oneof kind { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; }
}
message Features { map<string, Feature> feature = 1; }
message FeatureList { repeated Feature feature = 1; }
message FeatureLists { map<string, FeatureList> feature_list = 1; }
""", "tensorflow.core.example.feature_pb2")

schema("tensorflow", """
message Example { Features features = 1; }
message SequenceExample { Features context = 1; FeatureLists feature_lists = 2; }
""", "tensorflow.core.example.example_pb2")

schema("tensorflow", """
message JobDef { string name = 1; map<int32, string> tasks = 2; }
message ClusterDef { repeated JobDef job = 1; }
message ServerDef {
  ClusterDef cluster = 1; string job_name = 2; int32 replica = 8; int32 task_index = 3;
  string protocol = 5; int32 port = 6;
}
""", "tensorflow.core.protobuf.cluster_pb2")

schema("tensorflow", """
enum DataType {
  DT_INVALID = 0; DT_FLOAT = 1; DT_DOUBLE = 2; DT_INT32 = 3; DT_UINT8 = 4; DT_INT16 = 5;
  DT_INT8 = 6; DT_STRING = 7; DT_COMPLEX64 = 8; DT_INT64 = 9; DT_BOOL = 10; DT_QINT8 = 11;
  DT_QUINT8 = 12; DT_QINT32 = 13; DT_BFLOAT16 = 14; DT_QINT16 = 15; DT_QUINT16 = 16;
  DT_UINT16 = 17; DT_COMPLEX128 = 18; DT_HALF = 19; DT_RESOURCE = 20; DT_VARIANT = 21;
  DT_UINT32 = 22; DT_UINT64 = 23; DT_FLOAT8_E5M2 = 24; DT_FLOAT8_E4M3FN = 25;
  DT_FLOAT8_E4M3FNUZ = 26; DT_FLOAT8_E4M3B11FNUZ = 27; DT_FLOAT8_E5M2FNUZ = 28; DT_INT4 = 29;
  DT_UINT4 = 30; DT_INT2 = 31; DT_UINT2 = 32;
}
message TensorShapeProto {
  message Dim { int64 size = 1; string name = 2; }
  repeated Dim dim = 2; bool unknown_rank = 3;
}
message VersionDef { int32 producer = 1; int32 min_consumer = 2; repeated int32 bad_consumers = 3; }
message TensorSliceProto {
  message Extent { int64 start = 1; oneof has_length { int64 length = 2; } }
  repeated Extent extent = 1;
}
message TensorProto {
  DataType dtype = 1; TensorShapeProto tensor_shape = 2; int32 version_number = 3;
  bytes tensor_content = 4; repeated int32 half_val = 13; repeated float float_val = 5;
  repeated double double_val = 6; repeated int32 int_val = 7; repeated bytes string_val = 8;
  repeated float scomplex_val = 9; repeated int64 int64_val = 10; repeated bool bool_val = 11;
  repeated double dcomplex_val = 12; repeated uint32 uint32_val = 16;
  repeated uint64 uint64_val = 17; bytes float8_val = 18;
}
""", "tensorflow.core.framework.tensor_pb2")

schema("tensorflow", """
message BundleHeaderProto {
  enum Endianness { LITTLE = 0; BIG = 1; }
  int32 num_shards = 1; Endianness endianness = 2; VersionDef version = 3;
}
message BundleEntryProto {
  DataType dtype = 1; TensorShapeProto shape = 2; int32 shard_id = 3; int64 offset = 4;
  int64 size = 5; fixed32 crc32c = 6; repeated TensorSliceProto slices = 7;
}
message BoolValue { bool value = 1; }
message RegisteredSaver { string name = 1; string object_name = 2; }
message TrackableObjectGraph {
  message TrackableObject {
    message ObjectReference { int32 node_id = 1; string local_name = 2; }
    message SerializedTensor { string name = 1; string full_name = 2; string checkpoint_key = 3; }
    message SlotVariableReference {
      int32 original_variable_node_id = 1; string slot_name = 2; int32 slot_variable_node_id = 3;
    }
    repeated ObjectReference children = 1; repeated SerializedTensor attributes = 2;
    repeated SlotVariableReference slot_variables = 3; RegisteredSaver registered_saver = 4;
    BoolValue has_checkpoint_values = 5;
  }
  repeated TrackableObject nodes = 1;
}
message CheckpointState {
  string model_checkpoint_path = 1; repeated string all_model_checkpoint_paths = 2;
  repeated double all_model_checkpoint_timestamps = 3; double last_preserved_timestamp = 4;
}
""", "tensorflow.core.protobuf.tensor_bundle_pb2")

schema("tensorflow", """
enum DataClass {
  DATA_CLASS_UNKNOWN = 0; DATA_CLASS_SCALAR = 1; DATA_CLASS_TENSOR = 2;
  DATA_CLASS_BLOB_SEQUENCE = 3;
}
message HistogramProto {
  double min = 1; double max = 2; double num = 3; double sum = 4; double sum_squares = 5;
  repeated double bucket_limit = 6; repeated double bucket = 7;
}
message SummaryMetadata {
  message PluginData { string plugin_name = 1; bytes content = 2; }
  PluginData plugin_data = 1; string display_name = 2; string summary_description = 3;
  DataClass data_class = 4;
}
message Summary {
  message Image { int32 height = 1; int32 width = 2; int32 colorspace = 3;
                  bytes encoded_image_string = 4; }
  message Audio { float sample_rate = 1; int64 num_channels = 2; int64 length_frames = 3;
                  bytes encoded_audio_string = 4; string content_type = 5; }
  message Value {
    string node_name = 7; string tag = 1; SummaryMetadata metadata = 9;
    oneof value { float simple_value = 2; bytes obsolete_old_style_histogram = 3; Image image = 4;
                  HistogramProto histo = 5; Audio audio = 6; TensorProto tensor = 8; }
  }
  repeated Value value = 1;
}
message SourceMetadata { string writer = 1; }
message TaggedRunMetadata { string tag = 1; bytes run_metadata = 2; }
message SessionLog {
  enum SessionStatus { STATUS_UNSPECIFIED = 0; START = 1; STOP = 2; CHECKPOINT = 3; }
  SessionStatus status = 1; string checkpoint_path = 2; string msg = 3;
}
message Event {
  double wall_time = 1; int64 step = 2;
  oneof what { string file_version = 3; bytes graph_def = 4; Summary summary = 5;
               SessionLog session_log = 7; TaggedRunMetadata tagged_run_metadata = 8;
               bytes meta_graph_def = 9; }
  SourceMetadata source_metadata = 10;
}
""", "tensorflow.core.framework.summary_pb2")

schema("tensorboard", """
message ScalarPluginData { int32 version = 1; }
message HistogramPluginData { int32 version = 1; }
message ImagePluginData { int32 max_images_per_step = 1; int32 version = 2; }
message TextPluginData { int32 version = 1; }
message AudioPluginData {
  enum Encoding { UNKNOWN = 0; WAV = 11; }
  int32 version = 1; Encoding encoding = 2; bool converted_to_tensor = 3;
}
""", "tensorboard.plugins")


def __getattr__(name: str) -> Any:
    try:
        return MESSAGES[name]
    except KeyError:
        raise AttributeError(name) from None


for _name in ("BytesList", "FloatList", "Int64List", "Feature", "Features", "FeatureList",
              "FeatureLists", "Example", "SequenceExample", "JobDef", "ClusterDef", "ServerDef"):
    publish(MESSAGES[_name], f"train.{_name}", f"compat.v1.train.{_name}")
for _name in ("Event", "SessionLog", "Summary", "TaggedRunMetadata"):
    publish(MESSAGES[_name], f"compat.v1.summary.{_name}", f"compat.v1.{_name}")
for _name in ("HistogramProto", "SummaryMetadata", "TensorProto", "TensorShapeProto"):
    publish(MESSAGES[_name], f"compat.v1.{_name}")
