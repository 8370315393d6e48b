"""The messages of tapeflow's own format of saved models; docs/saved_model.md describes them.

They stand in a field of their own of TensorFlow's SavedModel message (`object_protos.py`).
"""

from __future__ import annotations

from tapeflow.io.protobuf import protos as protos  # TensorProto
from tapeflow.io.protobuf.declarations import schema
from tapeflow.io.protobuf.fields import MESSAGES

FORMAT = 2

schema("tapeflow", """
message AttrList { repeated Attr items = 1; repeated Attr keys = 2; }
message Stream { uint64 seed = 1; uint64 seed2 = 2; }
message SpecAttr { bool known = 1; repeated int64 sizes = 2; string dtype = 3; string name = 4; }
message CompositeAttr { string name = 1; Attr parts = 2; }
message OpRef {
  string name = 1; string kind = 4; OpRef base = 5; Attr layout = 6;
}
message Attr {
  oneof kind {
    bool none = 1; bool flag = 2; int64 whole = 3; double real = 4; string text = 5; bytes data = 6;
    AttrList tuple = 7; AttrList list = 8; AttrList map = 9; string dtype = 10;
    TensorProto array = 11; int32 value = 12; SavedGraph graph = 13; OpRef op = 14;
    Stream stream = 15; AttrList slice = 16; string tf_dtype = 18;
    SpecAttr spec = 19; string big = 20; TensorProto scalar = 21; bool ellipsis = 22;
    int32 store = 23; CompositeAttr composite = 24; SpecAttr shape = 25;
  }
}
message SavedValue {
  bool known = 1; repeated int64 sizes = 2; string dtype = 3; string name = 4;
  TensorProto constant = 5;
}
message SavedNode {
  OpRef op = 1; repeated int32 inputs = 2; repeated int32 outputs = 3; map<string, Attr> attrs = 4;
}
message SavedUse { int32 object = 1; int32 initial = 2; int64 number = 3; }
message SavedGraph {
  string name = 1; repeated SavedValue values = 2; repeated int32 inputs = 3;
  repeated SavedNode nodes = 4; repeated int32 outputs = 5; repeated SavedUse variables = 6;
}
message SavedParameter { string name = 1; int32 kind = 2; bool has_default = 3; Attr default = 4; }
message SavedConcrete {
  string name = 1; Attr args = 2; SavedGraph graph = 3; Attr result = 4; Attr places = 5;
}
message TapeflowFunction {
  string name = 1; repeated SavedParameter parameters = 2; repeated SavedConcrete concrete = 3;
  Attr input_signature = 4;
}
message TapeflowObject {
  string kind = 1; map<string, int32> children = 2; map<string, int32> functions = 3;
  SpecAttr variable = 4; bool trainable = 5; string asset = 6; repeated string order = 7;
}
message SavedStore { string dtype = 1; Attr shape = 2; Attr forbidden = 3; Attr keys = 4;
                     TensorProto values = 5; }
message SavedSignature { string key = 1; int32 function = 2; }
message TapeflowObjects {
  int32 format = 1; repeated TapeflowObject objects = 2; repeated TapeflowFunction functions = 3;
  repeated SavedSignature signatures = 4; repeated SavedStore stores = 5;
}
""", "tapeflow.saved_model.schema")

Attr = MESSAGES["Attr"]
SavedGraph = MESSAGES["SavedGraph"]
TapeflowObjects = MESSAGES["TapeflowObjects"]
