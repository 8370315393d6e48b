# tf.io: files, records, bytes.

# --- gfile_read_write
import tempfile
d = tempfile.mkdtemp()
with tf.io.gfile.GFile(d + "/f.txt", "w") as f:
    f.write("line one\n"); f.write("line two\n"); f.write(b"bytes\n")
with tf.io.gfile.GFile(d + "/f.txt") as f:
    print(repr(f.readline()), f.tell(), f.readlines(), f.size(), f.mode)
with tf.io.gfile.GFile(d + "/f.txt", "rb") as f:
    print(f.read(4), f.read(), f.read())
    f.seek(5); print(f.read(3))
for line in tf.io.gfile.GFile(d + "/f.txt"):
    print(line.strip())
with tf.io.gfile.GFile(d + "/f.txt", "a") as f:
    f.write("more")
print(tf.io.gfile.GFile(d + "/f.txt").read())

# --- gfile_errors
import pathlib, tempfile
d = tempfile.mkdtemp()
g = tf.io.gfile
print(outcome(g.GFile(d + "/none").read), outcome(g.GFile, d + "/x", "q"), outcome(g.GFile(d + "/x", "w").read))
pathlib.Path(d + "/f").write_text("1")
print(outcome(g.GFile(d + "/f").write, "x"), outcome(g.remove, d + "/none"), outcome(g.remove, d), outcome(g.rmtree, d + "/none"))
print(outcome(g.listdir, d + "/none"), outcome(g.stat, d + "/none"), outcome(g.mkdir, d + "/a/b/c"), outcome(g.copy, d + "/none", d + "/x"))
pathlib.Path(d + "/g").write_text("2")
print(outcome(g.copy, d + "/f", d + "/g"), outcome(g.rename, d + "/f", d + "/g"), outcome(g.GFile(d).read))

# --- gfile_trees
import tempfile, os
d = tempfile.mkdtemp()
g = tf.io.gfile
g.makedirs(d + "/a/b"); g.makedirs(d + "/a/b"); g.mkdir(d + "/a")
for name in ("x.txt", "a/y.txt", "a/b/z.txt"):
    with g.GFile(d + "/" + name, "w") as f:
        f.write(name)
print(sorted(g.listdir(d)), g.exists(d + "/a"), g.isdir(d + "/a"), g.isdir(d + "/x.txt"), g.exists(d + "/q"))
print(sorted(os.path.basename(p) for p in g.glob(d + "/*")), [os.path.relpath(p, d) for p in g.glob(d + "/*/*.txt")], g.glob(d + "/zz*"))
print([(os.path.relpath(a, d), sorted(b), sorted(c)) for a, b, c in g.walk(d)])
print([os.path.relpath(a, d) for a, b, c in g.walk(d, topdown=False)])
g.copy(d + "/x.txt", d + "/w.txt"); g.rename(d + "/w.txt", d + "/v.txt"); g.copy(d + "/x.txt", d + "/v.txt", overwrite=True)
s = g.stat(d + "/v.txt")
print(s.length, s.is_directory, g.stat(d).is_directory)
g.rmtree(d + "/a"); g.remove(d + "/v.txt")
print(sorted(g.listdir(d)), g.join("a", "b", "c"), g.join("a", "/b"))

# --- read_and_write_file
import tempfile
d = tempfile.mkdtemp()
tf.io.write_file(d + "/sub/f.bin", tf.constant(b"\x00\xffdata"))
print(tf.io.read_file(d + "/sub/f.bin"), outcome(tf.io.read_file, d + "/none"), outcome(tf.io.read_file, [d]))
@tf.function
def f(path):
    return tf.strings.length(tf.io.read_file(path))
print(f(tf.constant(d + "/sub/f.bin")))
tf.io.write_file(d + "/a1", "x"); tf.io.write_file(d + "/a2", "y")
print([p.decode()[len(d):] for p in tf.io.matching_files(d + "/a*").numpy()], tf.io.matching_files(d + "/q*"))

# --- tfrecord
import pathlib, tempfile
d = tempfile.mkdtemp()
for kind in ("", "GZIP", "ZLIB"):
    options = tf.io.TFRecordOptions(compression_type=kind)
    with tf.io.TFRecordWriter(d + "/r" + kind, options) as w:
        for i in range(3):
            w.write(b"record %d" % i)
    print(kind, list(tf.compat.v1.io.tf_record_iterator(d + "/r" + kind, options)))
print(pathlib.Path(d + "/r").read_bytes())
w = tf.io.TFRecordWriter(d + "/x"); w.close()
print(outcome(w.write, b"a"), outcome(tf.io.TFRecordOptions, "FOO"), outcome(tf.io.TFRecordWriter, "/nonexistent/x"))

# --- damaged_records
import pathlib, tempfile
d = tempfile.mkdtemp()
with tf.io.TFRecordWriter(d + "/r") as w:
    w.write(b"one"); w.write(b"two")
data = pathlib.Path(d + "/r").read_bytes()
for cut in (5, 25, 30, len(data) - 1):
    pathlib.Path(d + "/c").write_bytes(data[:cut])
    print(cut, outcome(lambda: list(tf.compat.v1.io.tf_record_iterator(d + "/c"))))
bad = bytearray(data); bad[13] ^= 1
pathlib.Path(d + "/c").write_bytes(bad)
print(outcome(lambda: list(tf.compat.v1.io.tf_record_iterator(d + "/c"))))

# --- decode_raw
print(tf.io.decode_raw(tf.constant([b"\x01\x02\x03\x04", b"\x05\x06\x07\x08"]), tf.uint8))
print(tf.io.decode_raw(b"\x01\x02\x03\x04", tf.int16), tf.io.decode_raw(b"\x01\x02", tf.int16, little_endian=False))
print(tf.io.decode_raw(np.float32([1.5, -2]).tobytes(), tf.float32), tf.io.decode_raw([b"ab", b"abc"], tf.uint8, fixed_length=4))
print(outcome(tf.io.decode_raw, b"abc", tf.int16), outcome(tf.io.decode_raw, [b"a", b"ab"], tf.uint8), tf.io.decode_raw(b"", tf.float32))

# --- base64
print(tf.io.encode_base64(["hello", "", b"\xff\xfe"]), tf.io.encode_base64("a", pad=True), tf.io.decode_base64(["aGVsbG8", "YQ=="]))
print(outcome(tf.io.decode_base64, "!!"), outcome(tf.io.decode_base64, "YQ="))

# --- serialize_tensor
for x in (tf.constant([[1.0, 2.0]]), tf.constant(["a", "b"]), tf.constant(True), tf.constant([1.5], tf.bfloat16), tf.zeros([0, 2], tf.float16), tf.constant(1 + 2j)):
    s = tf.io.serialize_tensor(x)
    print(s.numpy(), tf.io.parse_tensor(s, x.dtype))
print(outcome(tf.io.parse_tensor, b"garbage", tf.float32), outcome(tf.io.parse_tensor, tf.io.serialize_tensor(1.0), tf.int32))
@tf.function
def f(x):
    return tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.float32) * 2.0
print(f(tf.constant([1.0, 2.0])))

# --- tensor_protos
print(tf.make_tensor_proto([1, 2, 3]), tf.make_tensor_proto(1.0), tf.make_tensor_proto(["a", "b"]), tf.make_tensor_proto(2, shape=[2, 2]))
print(tf.make_ndarray(tf.make_tensor_proto([[1.0, 2.0]])), tf.make_ndarray(tf.make_tensor_proto(2, shape=[2, 2])), tf.make_ndarray(tf.make_tensor_proto("x")))
print(tf.make_tensor_proto([True, False]), tf.make_tensor_proto(np.float16(1.5)), tf.make_tensor_proto(3, tf.float64))

# --- decode_compressed
import zlib, gzip
print(tf.io.decode_compressed(zlib.compress(b"hello"), "ZLIB"), tf.io.decode_compressed([gzip.compress(b"a"), gzip.compress(b"b")], "GZIP"), tf.io.decode_compressed([b"a"]))

# --- decode_csv
print(tf.io.decode_csv(["1,2.5,abc", '4,5.5,"q,""z"""'], [1, 1.0, ""]))
print(tf.io.decode_csv("1,2", [1, 2]), tf.io.decode_csv(["1,", "2,3"], [[0], [7]]), tf.io.decode_csv(["1 2"], [1, 2], field_delim=" "))
print(tf.io.decode_csv(["NA,2"], [1, 2], na_value="NA"), tf.io.decode_csv(["1,2,3"], [1, 2], select_cols=[0, 2]), tf.io.decode_csv([" 1, 2 "], [1, 1.0]))
print(tf.io.decode_csv(['a"b,2'], ["", ""], use_quote_delim=False), tf.io.decode_csv([["1"], ["2"]], [1]))
for bad in (["a,2"], ["1,2,3"], ["1.5,2"], ["99999999999,1"], ['"a'], [""], ['a"b,2']):
    print(outcome(tf.io.decode_csv, bad, [1, 2]))
print(outcome(tf.io.decode_csv, ["1,"], [tf.constant([], tf.int32), tf.constant([], tf.int32)]), outcome(tf.io.decode_csv, ["1"], [True]))

# --- csv_lines_in_function
@tf.function
def parse(line):
    *features, label = tf.io.decode_csv(line, [[0.0]] * 3 + [[0]])
    return tf.stack(features), label
print(parse(tf.constant("1.0,2.0,3.0,4")))

# --- proto_text
F = tf.train.Feature
ex = tf.train.Example(features=tf.train.Features(feature={
    "label": F(int64_list=tf.train.Int64List(value=[1, -2, 300])),
    "name": F(bytes_list=tf.train.BytesList(value=[b"a\xff\"\n'\\", "té".encode()])),
    "x": F(float_list=tf.train.FloatList(value=[0.1, 1.0, 1e20, 123456.789])), "empty": F()}))
print(ex)
print(ex.SerializeToString(deterministic=True))
print(tf.train.Example.FromString(ex.SerializeToString()) == ex, ex.ByteSize(), sorted(ex.features.feature))

# --- proto_use
ex = tf.train.Example()
ex.features.feature["a"].int64_list.value.extend([1, 2])
ex.features.feature["b"].bytes_list.value.append(b"x")
print(ex.features.feature["a"].int64_list.value, ex.features.feature["a"].WhichOneof("kind"), len(ex.features.feature), "c" in ex.features.feature)
print(ex.HasField("features"), tf.train.Feature().HasField("int64_list"), str(tf.train.Example()) == "")
print(outcome(tf.train.Int64List, value=[1.5]), outcome(tf.train.BytesList, value=["s"]), outcome(tf.train.FloatList, value=["a"]), outcome(tf.train.FloatList, valu=[1]))
print(tf.train.Int64List(value=np.arange(3)), tf.train.FloatList(value=tf.constant([0.5])))

# --- sparse_as_bytes
sp = tf.sparse.SparseTensor([[0, 1], [1, 0], [2, 2]], [1.0, 2.0, 3.0], [3, 4])
print(tf.io.serialize_sparse(sp), tf.io.serialize_many_sparse(sp).shape)
print(tf.io.deserialize_many_sparse(tf.io.serialize_many_sparse(sp), tf.float32))
both = tf.stack([tf.io.serialize_sparse(sp), tf.io.serialize_sparse(tf.sparse.SparseTensor([[0, 0]], [9.0], [5, 2]))])
print(tf.io.deserialize_many_sparse(both, tf.float32, rank=3))
print(outcome(tf.io.deserialize_many_sparse, both, tf.int32), outcome(tf.io.serialize_sparse, tf.constant(1.0)), outcome(tf.io.deserialize_many_sparse, [b"a"], tf.float32))

# --- json_examples
j = '{"features":{"feature":{"a":{"int64List":{"value":["1",2]}},"b":{"floatList":{"value":[1.5,"NaN"]}},"c":{"bytesList":{"value":["aGk="]}}}}}'
print(tf.train.Example.FromString(tf.io.decode_json_example(j).numpy()))
print(tf.io.decode_json_example(["{}"]), outcome(tf.io.decode_json_example, "{bad"), outcome(tf.io.decode_json_example, '{"zzz":1}'))
