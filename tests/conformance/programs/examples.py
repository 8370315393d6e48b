# Parsing of tf.train.Example.

# --- tutorial_round_trip
def _bytes_feature(value):
    if isinstance(value, type(tf.constant(0))):
        value = value.numpy()
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
def _float_feature(value):
    return tf.train.Feature(float_list=tf.train.FloatList(value=[value]))
def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))
def serialize_example(f0, f1, f2, f3):
    feature = {"feature0": _int64_feature(f0), "feature1": _int64_feature(f1), "feature2": _bytes_feature(f2), "feature3": _float_feature(f3)}
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
s = serialize_example(False if False else 0, 4, b"goat", 0.9876)
description = {
    "feature0": tf.io.FixedLenFeature([], tf.int64, default_value=0),
    "feature1": tf.io.FixedLenFeature([], tf.int64, default_value=0),
    "feature2": tf.io.FixedLenFeature([], tf.string, default_value=""),
    "feature3": tf.io.FixedLenFeature([], tf.float32, default_value=0.0)}
print(tf.io.parse_single_example(s, description))
print(tf.io.parse_example([s, s], description))
example = tf.train.Example.FromString(s)
result = {}
for key in sorted(example.features.feature):
    kind = example.features.feature[key].WhichOneof("kind")
    result[key] = np.array(getattr(example.features.feature[key], kind).value)
print(result)

# --- kinds_of_features
def F(v):
    if isinstance(v[0], bytes): return tf.train.Feature(bytes_list=tf.train.BytesList(value=v))
    if isinstance(v[0], float): return tf.train.Feature(float_list=tf.train.FloatList(value=v))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=v))
def E(**k):
    return tf.train.Example(features=tf.train.Features(feature={n: F(v) for n, v in k.items()})).SerializeToString()
one, two = E(a=[1], b=[1.0, 2.0], s=[b"x"], v=[1, 2, 3]), E(a=[2], b=[3.0, 4.0], s=[b"y"], v=[4])
spec = {"a": tf.io.FixedLenFeature([], tf.int64), "b": tf.io.FixedLenFeature([2], tf.float32), "s": tf.io.FixedLenFeature([], tf.string)}
print(tf.io.parse_single_example(one, spec), tf.io.parse_example([one, two], spec))
print(tf.io.parse_example([one, two], {"v": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}))
print(tf.io.parse_example([one, two], {"v": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1)}))
print(tf.io.parse_single_example(one, {"v": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True), "z": tf.io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True)}))
print(tf.io.parse_example([one, two], {"q": tf.io.FixedLenFeature([2], tf.int64, default_value=[7, 8]), "a": tf.io.FixedLenFeature([1], tf.int64)}))
for bad in ({"a": tf.io.FixedLenFeature([], tf.float32)}, {"q": tf.io.FixedLenFeature([], tf.int64)}, {"b": tf.io.FixedLenFeature([3], tf.float32)},
            {"v": tf.io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}, {"v": tf.io.FixedLenSequenceFeature([], tf.int64)},
            {}, None, {"a": 3}, {"a": tf.io.FixedLenFeature([], tf.int32)}, {"b": tf.io.FixedLenFeature([None], tf.float32)}):
    print(outcome(tf.io.parse_single_example, one, bad))
print(tf.io.FixedLenFeature([2], tf.int64), tf.io.VarLenFeature(tf.string), tf.io.RaggedFeature(tf.int64))

# --- sparse_features
def E(**k):
    return tf.train.Example(features=tf.train.Features(feature={n: tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for n, v in k.items()})).SerializeToString()
batch = [E(v=[1, 2, 3]), E(v=[4]), E()]
r = tf.io.parse_example(batch, {"v": tf.io.VarLenFeature(tf.int64), "w": tf.io.VarLenFeature(tf.float32)})
print(r["v"], r["w"], tf.sparse.to_dense(r["v"]))
print(tf.io.parse_single_example(batch[0], {"v": tf.io.VarLenFeature(tf.int64)}))
print(tf.io.parse_example([E(i=[3, 0], x=[5, 6])], {"s": tf.io.SparseFeature("i", "x", tf.int64, 5)}))

# --- ragged_features
def E(**k):
    return tf.train.Example(features=tf.train.Features(feature={n: tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for n, v in k.items()})).SerializeToString()
batch = [E(v=[1, 2, 3], n=[1, 2]), E(v=[4], n=[1])]
R = tf.io.RaggedFeature
print(tf.io.parse_example(batch, {"v": R(tf.int64)}), tf.io.parse_single_example(batch[0], {"v": R(tf.int64)}))
print(tf.io.parse_example(batch, {"r": R(tf.int64, value_key="v", partitions=[R.RowLengths("n")])}))
print(tf.io.parse_single_example(batch[0], {"r": R(tf.int64, value_key="v", partitions=[R.RowLengths("n")])}))

# --- sequence_examples
def F(*v):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=v)) if not v or isinstance(v[0], int) else tf.train.Feature(float_list=tf.train.FloatList(value=v))
def S(n, *steps):
    return tf.train.SequenceExample(context=tf.train.Features(feature={"n": F(n)}), feature_lists=tf.train.FeatureLists(feature_list={
        "t": tf.train.FeatureList(feature=[F(len(s)) for s in steps]), "v": tf.train.FeatureList(feature=[F(*s) for s in steps])})).SerializeToString()
a, b = S(3, [1], [2, 3], [4]), S(1, [7, 8, 9])
context = {"n": tf.io.FixedLenFeature([], tf.int64)}
lists = {"t": tf.io.FixedLenSequenceFeature([], tf.int64), "v": tf.io.VarLenFeature(tf.int64)}
print(tf.io.parse_single_sequence_example(a, context, lists))
print(tf.io.parse_sequence_example([a, b], context, lists))
print(tf.io.parse_sequence_example([a, b], None, {"v": tf.io.RaggedFeature(tf.int64)}))
print(outcome(tf.io.parse_single_sequence_example, a), outcome(tf.io.parse_single_sequence_example, a, None, {"q": tf.io.FixedLenSequenceFeature([], tf.int64)}))
print(outcome(tf.io.parse_single_sequence_example, a, None, {"v": tf.io.FixedLenSequenceFeature([], tf.int64)}), outcome(tf.io.parse_single_sequence_example, a, {"n": tf.io.FixedLenFeature([], tf.string)}))

# --- parse_in_dataset
import tempfile
d = tempfile.mkdtemp()
with tf.io.TFRecordWriter(d + "/r") as w:
    for i in range(4):
        w.write(tf.train.Example(features=tf.train.Features(feature={
            "x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 0.5])),
            "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 2]))})).SerializeToString())
spec = {"x": tf.io.FixedLenFeature([2], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
ds = tf.data.TFRecordDataset([d + "/r"]).map(lambda r: tf.io.parse_single_example(r, spec))
print(ds.element_spec)
for e in ds:
    print(e["x"].numpy(), e["y"].numpy())
for e in tf.data.TFRecordDataset(d + "/r").batch(2).map(lambda r: tf.io.parse_example(r, spec)):
    print(e)

# --- entries_of_maps_with_fields_that_they_do_not_have
for data in (b"\x0a\x06\x0a\x04\x0a\x00\x10\x05", b"\x0a\x08\x0a\x06\x0a\x02ab\x18\x05",
             b"\x0a\x0a\x0a\x08\x18\x05\x0a\x02ab\x12\x00", b"\x0a\x04\x0a\x02\x08\x05",
             b"\x0a\x10\x0a\x06\x0a\x02ab\x18\x05\x0a\x06\x0a\x02cd\x12\x00"):
    example = tf.train.Example.FromString(data)
    print(repr(str(example)), sorted(example.features.feature), example.SerializeToString())
