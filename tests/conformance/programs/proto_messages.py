# Messages read and written by protobuf's own text_format and json_format; fields as tensors.

# --- examples_as_text
from google.protobuf import text_format
e = text_format.Parse(r'''features {
  feature { key: "v" value { int64_list { value: [3, 1, 4] } } }
  feature { key: "f" value { float_list { value: 2.5 value: inf } } }
  feature { key: "b" value { bytes_list { value: "a\xff\n" } } } }''', tf.train.Example())
print(text_format.MessageToString(e), e.features.feature["v"].int64_list.value)
print(text_format.MessageToString(tf.train.JobDef(name="w", tasks={1: "b", 0: "a"}), as_one_line=True))
print(text_format.Parse("status: START", tf.compat.v1.SessionLog()).status)
for bad in ("features { nope: 1 }", "features {", "features { feature { key: 3 } }", "features {} features {}"):
    print(outcome(text_format.Parse, bad, tf.train.Example()))

# --- examples_as_json
from google.protobuf import json_format
e = tf.train.Example(features=tf.train.Features(feature={"a": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 1, 3])), "b": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"\x00\xff"]))}))
text = json_format.MessageToJson(e, sort_keys=True)
print(text, json_format.Parse(text, tf.train.Example()) == e, tf.io.decode_json_example(json_format.MessageToJson(e.__class__(features=tf.train.Features(feature={"a": e.features.feature["a"]})))))
print(json_format.MessageToDict(tf.train.ServerDef(), always_print_fields_with_no_presence=True), json_format.MessageToDict(tf.compat.v1.SessionLog(status=2)))
for bad in ('{"nope": 1}', '{"features": {"feature": {"a": {"int64List": {"value": ["x"]}}}}}', '{"features": {"feature": {"a": {"int64List": {"value": ["1"]}, "floatList": {"value": [1]}}}}}'):
    print(outcome(json_format.Parse, bad, tf.train.Example()))

# --- descriptors
d = tf.train.Example.DESCRIPTOR
print(d.full_name, d.file.name, [f.name for f in d.fields], d.fields[0].message_type.full_name, d.fields[0].has_presence)
f = tf.compat.v1.Summary.Value.DESCRIPTOR.fields_by_name["simple_value"]
print(f.containing_oneof.name, f.json_name, f.type, f.cpp_type, f.number, tf.train.Features.DESCRIPTOR.fields[0].message_type.name)

# --- decode_proto
V = tf.compat.v1.Summary.Value
data = [V(simple_value=2.5).SerializeToString(), V(tag="a").SerializeToString(), V(image=tf.compat.v1.Summary.Image(width=5)).SerializeToString()]
sizes, [value, tag, image] = tf.io.decode_proto(data, "tensorflow.Summary.Value", ["simple_value", "tag", "image"], [tf.float64, tf.string, tf.string])
print(sizes, value, tag, image)
print(tf.io.decode_proto([["simple_value: 3"]], "tensorflow.Summary.Value", ["simple_value"], [tf.float32], message_format="text"))
@tf.function
def f(x):
    return tf.io.decode_proto(x, "tensorflow.Int64List", ["value"], [tf.int64]).values[0] * 2
print(f(tf.constant([tf.train.Int64List(value=[1, -2]).SerializeToString(), b""])))
print(outcome(tf.io.decode_proto, [b"\xff"], "tensorflow.Int64List", ["value"], [tf.int64]), outcome(tf.io.decode_proto, [b""], "tensorflow.Nope", ["value"], [tf.int64]))
print(outcome(tf.io.decode_proto, [b""], "tensorflow.Int64List", ["nope"], [tf.int64]), outcome(tf.io.decode_proto, [b""], "tensorflow.Int64List", ["value"], [tf.int32]), outcome(tf.io.decode_proto, [b""], "tensorflow.Int64List", ["value"], []))
print(outcome(tf.io.decode_proto, [b""], "tensorflow.Int64List", ["value"], [tf.int64], message_format="xml"))

# --- proto_of_a_descriptor_set
from google.protobuf import descriptor_pb2
s = descriptor_pb2.FileDescriptorSet()
file = s.file.add(name="t.proto", package="pk", syntax="proto2")
file.enum_type.add(name="E").value.add(name="A", number=3)
m = file.message_type.add(name="M")
kinds = "double float int64 uint64 int32 fixed64 fixed32 bool string bytes uint32 enum sfixed32 sfixed64 sint32 sint64".split()
numbers = dict(zip("double float int64 uint64 int32 fixed64 fixed32 bool string group message bytes uint32 enum sfixed32 sfixed64 sint32 sint64".split(), range(1, 19)))
types = dict(zip(kinds, [tf.float64, tf.float32, tf.int64, tf.uint64, tf.int32, tf.uint64, tf.uint32, tf.bool, tf.string, tf.string, tf.uint32, tf.int32, tf.int32, tf.int64, tf.int32, tf.int64]))
for i, kind in enumerate(kinds):
    one = m.field.add(name=kind, number=i + 1, label=1, type=numbers[kind], type_name=".pk.E" if kind == "enum" else None)
    more = m.field.add(name="r" + kind, number=i + 101, label=3, type=numbers[kind], type_name=".pk.E" if kind == "enum" else None)
    more.options.packed = i % 2 == 0 and kind not in ("string", "bytes")
    if kind == "int32": one.default_value = "7"
source = b"bytes://" + s.SerializeToString()
def values(kind):
    return tf.constant([[b"a", b""]]) if types[kind] == tf.string else tf.constant([[True, False]]) if kind == "bool" else tf.constant([[3, 1]], types[kind]) if types[kind].is_unsigned else tf.constant([[3, -1]], types[kind])
names = kinds + ["r" + kind for kind in kinds]
data = tf.io.encode_proto([[1] * 16 + [2] * 16], [values(k)[:, :1] for k in kinds] + [values(k) for k in kinds], names, "pk.M", source)
print(data)
sizes, found = tf.io.decode_proto(tf.concat([data, [b""]], 0), "pk.M", names, [types[k] for k in kinds] * 2, source)
print(sizes)
for one in found: print(one)

# --- encode_proto
print(tf.io.encode_proto([[1, 1], [0, 1]], [tf.constant([[5.0], [6.0]]), tf.constant([["a"], ["b"]])], ["simple_value", "tag"], "tensorflow.Summary.Value"))
for sizes, value, name in (([[2]], [[5]], "value"), ([[1]], [[5.0]], "value"), ([[1]], [[5]], "nope"), ([[1, 1]], [[5]], "value"), ([1], [5], "value")):
    print(outcome(tf.io.encode_proto, sizes, [tf.constant(value, tf.float32 if isinstance(value[0], list) and isinstance(value[0][0], float) else tf.int64)], [name], "tensorflow.Int64List"))
