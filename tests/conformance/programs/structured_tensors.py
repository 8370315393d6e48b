# tf.experimental.StructuredTensor: records of fields.

# --- from_pyval
S = tf.experimental.StructuredTensor
a = S.from_pyval({"age": 82, "names": ["Bob", "Bobby"]})
ordered = lambda x: {k: ordered(x[k]) for k in sorted(x)} if isinstance(x, dict) else [ordered(y) for y in x] if isinstance(x, list) else x
print(a, a.shape, a["age"], a.rank, a.nrows(), a.field_names(), a.to_pyval())
b = S.from_pyval([{"age": 12, "names": ["Jo"]}, {"age": 82, "names": ["Bob", "Bobby"]}])
print(b.shape, b[0]["age"], b[:, "names"], b[1, "names", 0], b[1:]["age"] if False else b[1:].shape, ordered(b.to_pyval()), b.nrows())
print(S.from_pyval({"a": [1, 2, 3], "b": [[4, 5], [6, 7]]}))
c = S.from_pyval([[{"x": 1, "y": {"z": [1.5]}}, {"x": 2, "y": {"z": []}}], [], [{"x": 3, "y": {"z": [2.5, 3.5]}}]])
print(c, c.row_partitions, ordered(c.to_pyval()), c.field_value(("y", "z")), c[0, 1]["x"], c[2, 0, "y"]["z"])
print(S.from_pyval([{}, {}]).to_pyval(), S.from_pyval([[{}], [{}, {}]]).to_pyval(), S.from_pyval([[{}], [{}, {}]]).shape)
print(outcome(S.from_pyval, [{"a": 1}, {"b": 2}]), outcome(S.from_pyval, [{"a": 1}, [{"a": 2}]]), outcome(S.from_pyval, {"a": [1, "x"]}))

# --- from_fields
S = tf.experimental.StructuredTensor
print(S.from_fields({"x": 1, "y": [1, 2, 3]}), S.from_fields({"foo": [1, 2], "bar": [3, 4]}, shape=[2]))
print(S.from_fields_and_rank({"foo": [[1, 2]], "bar": tf.ragged.constant([[[3], [4, 5]]])}, 2))
print(S.from_fields({"a": [1, 2, 3]}, [3]).to_pyval(), S.from_fields({}, [2], 2), S.from_fields({"a": [[1], [2]]}, [2, None]).row_partitions)
print(outcome(S.from_fields, [1]), outcome(S.from_fields, {"x": 1}, [2]), outcome(S.from_fields, {3: 1}), outcome(S.from_fields, {"1x": 1}))
print(outcome(S.from_fields, {"x": [1, 2], "y": [1]}, [None]), outcome(S.from_fields, {}, [None]), outcome(S.from_fields, {"x": 1}, tf.TensorShape(None)), outcome(S.from_fields_and_rank, {}, 0))

# --- indexing
S = tf.experimental.StructuredTensor
s = S.from_fields({"x": [[1, 2], [3, 4], [5, 6]], "y": tf.ragged.constant([[1], [], [2, 3]])}, [3])
print(s[1]["x"], s[-1]["y"], s[1:], s[:, "x", 1], s[tf.constant(2)]["y"], s[::2, "y"])
print(outcome(lambda: s["x"]), outcome(lambda: s[0][0]), outcome(lambda: s[0]["nope"]), outcome(lambda: s[None]), outcome(s.field_value, ("x", "q")))

# --- updates
S = tf.experimental.StructuredTensor
s = S.from_pyval([{"age": 12, "shoes": {"sizes": [8.0, 7.5]}}, {"age": 82, "shoes": {"sizes": [11.0]}}])
t = s.with_updates({("shoes", "sizes"): lambda x: x * 2.0, "age": None, "n": [1, 2]})
print(t, sorted(t.to_pyval()[0].items()))
print(outcome(s.with_updates, {"nope": None}), outcome(s.with_updates, {"nope": lambda x: x}), outcome(s.with_updates, {("a", "b"): 1}), outcome(s.with_updates, {"shoes": 1, ("shoes", "sizes"): 2}), outcome(s.with_updates, {"n": [1, 2, 3]}))

# --- promote
S = tf.experimental.StructuredTensor
s = S.from_pyval([{"docs": [{"tokens": [1, 2]}, {"tokens": [3]}]}, {"docs": [{"tokens": [7]}]}])
t = s.promote(("docs", "tokens"), "docs_tokens")
print(t[0]["docs_tokens"], t[1]["docs_tokens"], sorted(t.to_pyval()[0].items()))
print(outcome(s.promote, "docs", "x"), outcome(s.promote, ("docs",), "x"), outcome(s.promote, ("docs", "tokens"), 3))

# --- partition_and_merge
S = tf.experimental.StructuredTensor
s = S.from_pyval([{"foo": 12}, {"foo": 33}, {"foo": 99}])
p = s.partition_outer_dimension(tf.experimental.RowPartition.from_row_lengths([2, 0, 1]))
print(p, p.row_partitions, p.merge_dims(0, 1), p.to_pyval())
q = s.partition_outer_dimension(tf.experimental.RowPartition.from_uniform_row_length(1, nvals=3))
print(q, q.merge_dims(0, -1))
print(outcome(s.partition_outer_dimension, [1]), outcome(S.from_pyval({"a": 1}).partition_outer_dimension, tf.experimental.RowPartition.from_row_lengths([1])), outcome(p.merge_dims, 1, 0), outcome(p.merge_dims, 0, 2))

# --- in_functions
S = tf.experimental.StructuredTensor
@tf.function
def f(s):
    return s.with_updates({"x": lambda x: x * 2})
s = S.from_pyval([{"x": 1, "y": [1, 2]}, {"x": 2, "y": []}])
print([sorted(x.items()) for x in f(s).to_pyval()])
with tf.GradientTape() as tape:
    v = tf.constant([1.0, 2.0]); tape.watch(v)
    y = tf.reduce_sum(S.from_fields({"v": v}, [2])[1]["v"] ** 2)
print(tape.gradient(y, v))
