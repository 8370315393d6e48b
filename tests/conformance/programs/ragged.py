# Ragged tensors: making, printing, indexing, arithmetic, reductions, gradients, tf.function.

# --- print
# exact
print(tf.ragged.constant([[1, 2], [], [3]]))
print(tf.ragged.constant([[1.5], [2.0, 3.0]]), tf.ragged.constant([["a"], ["b", "cd"]]))
print(tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]]))
print(tf.RaggedTensor.from_row_splits(tf.reshape(tf.range(6.0), [3, 2]), [0, 1, 3]))

# --- print_long
# exact
print(tf.ragged.constant([list(range(30)), [1]]))
print(tf.ragged.range(tf.range(8)))

# --- factories
values = [3, 1, 4, 1, 5, 9]
print(tf.RaggedTensor.from_row_splits(values, [0, 4, 4, 6]))
print(tf.RaggedTensor.from_row_lengths(values, [4, 0, 2]))
print(tf.RaggedTensor.from_value_rowids(values, [0, 0, 0, 0, 2, 2], nrows=4))
print(tf.RaggedTensor.from_row_starts(values, [0, 4, 4]))
print(tf.RaggedTensor.from_row_limits(values, [4, 4, 6]))
print(tf.RaggedTensor.from_uniform_row_length(values, 2), tf.RaggedTensor.from_uniform_row_length(values, 2).shape)
print(tf.RaggedTensor.from_nested_row_splits(values, [[0, 2, 2, 3], [0, 4, 4, 6]]))
print(tf.RaggedTensor.from_nested_row_lengths(values, [[2, 0, 1], [4, 0, 2]]))

# --- bad_rows
print(outcome(tf.RaggedTensor.from_row_splits, [1, 2, 3], [0, 2, 2]))
print(outcome(tf.RaggedTensor.from_row_splits, [1, 2, 3], [1, 2, 3]))
print(outcome(tf.RaggedTensor.from_row_splits, [1, 2, 3], [0, 4, 3]))
print(outcome(tf.RaggedTensor.from_row_splits, [1, 2, 3], []))
print(outcome(tf.RaggedTensor.from_value_rowids, [1, 2, 3], [0, 2, 1]))
print(outcome(tf.RaggedTensor.from_value_rowids, [1, 2, 3], [0, 1, 4], nrows=2))
print(outcome(tf.RaggedTensor.from_uniform_row_length, [1, 2, 3], 2))
print(outcome(tf.RaggedTensor, [1], [0, 1]))

# --- constant
print(tf.ragged.constant([[1, 2], [3]], dtype=tf.float32, row_splits_dtype=tf.int32).row_splits)
print(tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1).shape)
print(tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], inner_shape=(2,)).shape)
print(tf.ragged.constant([[], []]), tf.ragged.constant([1, 2]), tf.ragged.constant([np.array([1, 2]), np.array([3])]))
print(outcome(tf.ragged.constant, [1, [2]]), outcome(tf.ragged.constant, [["a"], [1]]))

# --- parts
rt = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
print(rt.shape, rt.dtype, rt.ragged_rank, rt.flat_values, rt.values)
print(rt.row_splits, rt.nested_row_splits, rt.row_lengths(), rt.row_lengths(axis=2))
print(rt.value_rowids(), rt.nrows(), rt.row_starts(), rt.row_limits(), rt.nested_row_lengths())
print(rt.bounding_shape(), rt.bounding_shape(axis=1), rt.bounding_shape(axis=[0, 2]))
print(rt.uniform_row_length, tf.expand_dims(rt, 0).uniform_row_length)

# --- to_python
rt = tf.ragged.constant([[1, 2], [], [3]])
print(rt.to_list(), rt.numpy(), tf.ragged.constant([[1, 2], [3, 4]]).numpy())
print([row.numpy().tolist() for row in rt], outcome(len, rt), outcome(bool, rt), outcome(hash, rt))

# --- to_tensor
rt = tf.ragged.constant([[1, 2], [], [3]])
print(rt.to_tensor(), rt.to_tensor(default_value=-1), rt.to_tensor(shape=[None, 3]), rt.to_tensor(shape=[2, 1]))
print(tf.ragged.constant([[[1], [2, 3]], [[4]]]).to_tensor())
print(outcome(rt.to_tensor, 0.5), outcome(tf.convert_to_tensor, rt))

# --- from_tensor
print(tf.RaggedTensor.from_tensor([[1, 2, 0], [0, 0, 0], [0, 3, 0]], padding=0))
print(tf.RaggedTensor.from_tensor([[1, 2, 0], [4, 5, 6]], lengths=[1, 3]))
print(tf.RaggedTensor.from_tensor([[[1, 2], [3, 0]], [[5, 0], [0, 0]]], padding=0, ragged_rank=2))
print(tf.RaggedTensor.from_tensor([[1, 2], [3, 4]]).shape)
print(outcome(tf.RaggedTensor.from_tensor, [[1]], lengths=[1], padding=0))

# --- sparse_and_back
rt = tf.ragged.constant([[1, 2], [], [3]])
st = rt.to_sparse()
print(st, tf.RaggedTensor.from_sparse(st))
print(outcome(tf.RaggedTensor.from_sparse, tf.sparse.from_dense([[0, 1], [1, 0]])))

# --- indexing
rt = tf.ragged.constant([[1, 2, 3], [], [4, 5]])
print(rt[0], rt[-1], rt[0, 1], rt[1:], rt[::2], rt[:, 1:], rt[:, -1:], rt[:, ::-1], rt[..., :1])
print(rt[tf.newaxis].shape, rt[:, tf.newaxis].shape, rt[tf.constant(2)])
print(outcome(lambda: rt[7]), outcome(lambda: rt[:, 0]), outcome(lambda: rt["a"]), outcome(lambda: rt[0, 9]))

# --- deep_indexing
rt = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
print(rt[0], rt[0, 1], rt[2, 0, 1], rt[:, :1], rt[:, :, 1:], rt[0:2, :1, :1])

# --- arithmetic
rt = tf.ragged.constant([[1, 2], [], [3]])
print(rt + 1, 10 - rt, rt * rt, rt / 2, rt // 2, rt % 2, rt ** 2, -rt, abs(rt - 2))
print(rt > 1, rt == rt, rt != 2, (rt > 1) & (rt < 3), ~(rt > 1))
print(rt + tf.constant([[10], [20], [30]]), tf.add(rt, 1), tf.maximum(rt, 2))
print(outcome(lambda: rt + tf.ragged.constant([[1], [2], [3]])), outcome(lambda: rt + 1.5))

# --- broadcasting
rt = tf.RaggedTensor.from_row_splits(tf.reshape(tf.range(6.0), [3, 2]), [0, 1, 3])
print(rt + [10.0, 20.0], rt * tf.constant([[[10.0]], [[100.0]]]), rt + tf.ones([2, 1, 2]))
deep = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
print(deep + tf.constant([[[10]], [[20]], [[30]]]))

# --- elementwise
rt = tf.ragged.constant([[1.0, 4.0], [], [9.0]])
print(tf.sqrt(rt), tf.square(rt), tf.nn.relu(rt - 2.0), tf.cast(rt, tf.int32), tf.round(rt / 2.0))
print(tf.zeros_like(rt), tf.ones_like(rt), tf.identity(rt), tf.clip_by_value(rt, 2.0, 5.0), tf.math.log(rt))
print(tf.where(rt > 2.0, rt, -rt), tf.one_hot(tf.cast(rt, tf.int32) % 3, 3).shape)

# --- reductions
rt = tf.ragged.constant([[3.0, 1.0], [], [2.0, 4.0, 6.0]])
for axis in (None, 0, 1):
    print(tf.reduce_sum(rt, axis), tf.reduce_mean(rt, axis), tf.reduce_max(rt, axis))
    print(tf.reduce_min(rt, axis), tf.reduce_prod(rt, axis))
print(tf.reduce_sum(rt, 1, keepdims=True), tf.reduce_any(rt > 3.0, 1), tf.reduce_all(rt > 1.0, axis=1))
print(tf.math.reduce_variance(rt, 1), tf.math.reduce_std(rt, 1), tf.reduce_mean(tf.cast(rt, tf.int32), 1))

# --- deep_reductions
rt = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
print(tf.reduce_sum(rt, 2), tf.reduce_sum(rt, 1), tf.reduce_sum(rt, 0), tf.reduce_sum(rt, [1, 2]))
print(tf.reduce_max(rt, -1))

# --- normalise_rows
rt = tf.ragged.constant([[1.0, 3.0], [], [2.0]])
print(rt / tf.reduce_sum(rt, axis=1, keepdims=True), tf.nn.softmax(rt))

# --- concat_and_stack
a, b = tf.ragged.constant([[1, 2], [], [3]]), tf.ragged.constant([[4], [5, 6], []])
print(tf.concat([a, b], 0), tf.concat([a, b], axis=1), tf.concat([a, tf.constant([[7], [8], [9]])], 1))
print(tf.stack([a, b]), tf.stack([a, b], axis=1), tf.ragged.stack([[1, 2], [3]]))
print(tf.ragged.stack([tf.constant([1, 2]), tf.constant([3])]), outcome(tf.concat, [a, a[1:]], 1))

# --- gather
rt = tf.ragged.constant([[1, 2], [], [3]])
print(tf.gather(rt, [2, 0]), tf.gather(rt, [[2, 0], [1, 1]]), tf.gather(tf.constant([10, 20, 30, 40]), rt))
print(tf.gather(rt, tf.ragged.constant([[1], [], [0, 0]]), batch_dims=1), tf.gather_nd(rt, [[0, 1], [2, 0]]))
print(outcome(tf.gather, rt, [7]))

# --- shapes_changed
rt = tf.ragged.constant([[1, 2], [], [3]])
print(tf.tile(rt, [1, 2]), tf.tile(rt, [2, 1]), tf.reverse(rt, [0]), tf.reverse(rt, [1]))
for axis in (0, 1, 2):
    print(tf.expand_dims(rt, axis), tf.expand_dims(rt, axis).shape)
print(tf.squeeze(tf.expand_dims(rt, 1), 1), tf.reshape(rt, [-1]), tf.split(rt, [1, 2]))
print(rt.merge_dims(0, 1), tf.ragged.constant([[[1, 2], [3]], [[4]]]).merge_dims(1, 2))

# --- size_rank_shape
rt = tf.ragged.constant([[1, 2], [], [3]])
print(tf.size(rt), tf.rank(rt), tf.shape(rt), tf.shape(rt)[0])
print(tf.experimental.DynamicRaggedShape.from_lengths([2, (2, 1), 3]))

# --- where_and_masks
rt = tf.ragged.constant([[1, 2], [], [3]])
print(tf.where(rt > 1), tf.ragged.boolean_mask(rt, rt > 1), tf.ragged.boolean_mask(rt, [True, False, True]))
print(tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]))

# --- functions
print(tf.ragged.range([3, 0, 2]), tf.ragged.range([0, 5], [3, 7]), tf.ragged.range([0, 8], [8, 0], [2, -2]))
print(tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[1], [2, 3]])))
print(tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3))
print(tf.ragged.row_splits_to_segment_ids([0, 2, 2, 5]), tf.ragged.segment_ids_to_row_splits([0, 0, 2, 3]))
print(tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), tf.ragged.constant([["d"], ["e", "f"]])]))
print(tf.ragged.cross_hashed([tf.ragged.constant([["a"], ["b", "c"]])], num_buckets=50))

# --- embedding
table = tf.reshape(tf.range(8.0), [4, 2])
ids = tf.ragged.constant([[1, 3], [], [0]])
print(tf.gather(table, ids), tf.nn.embedding_lookup(table, ids), tf.reduce_mean(tf.gather(table, ids), axis=1))

# --- map_fn
rt = tf.ragged.constant([[1, 2], [], [3]])
print(tf.map_fn(lambda row: row * 2, rt), tf.map_fn(tf.reduce_sum, rt, fn_output_signature=tf.int32))
print(tf.map_fn(tf.range, tf.constant([2, 0, 1]), fn_output_signature=tf.RaggedTensorSpec([None], tf.int32)))

# --- matmul
rt = tf.ragged.constant([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0]]], ragged_rank=1)
print(tf.matmul(rt, tf.ones([2, 2, 3])))

# --- gradient_of_a_ragged_source
rt = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(rt)
    y = tf.reduce_sum(rt ** 2, axis=1)
    z = rt * rt.flat_values[0]
print(tape.gradient(y, rt), tape.gradient(z, rt), tape.gradient(tf.constant(1.0), rt))

# --- gradient_through_padding
v = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
default = tf.Variable(7.0)
with tf.GradientTape() as tape:
    rt = tf.RaggedTensor.from_tensor(v, lengths=[1, 2])
    loss = tf.reduce_sum(rt.to_tensor(default_value=default) ** 2)
print(loss, *tape.gradient(loss, [v, default]))

# --- gradient_of_moves
v = tf.Variable([1.0, 2.0, 3.0])
def grad(f):
    with tf.GradientTape() as tape:
        y = f(tf.RaggedTensor.from_row_splits(v, [0, 2, 2, 3]))
        y = y.flat_values if isinstance(y, tf.RaggedTensor) else y
        y = y * tf.reshape(tf.cast(tf.range(1, tf.size(y) + 1), tf.float32), tf.shape(y))
    return tf.convert_to_tensor(tape.gradient(y, v)).numpy()
print(grad(lambda r: r[1:]), grad(lambda r: r[:, :1]), grad(lambda r: tf.concat([r, r], 1)))
print(grad(lambda r: tf.gather(r, [2, 0, 0])), grad(lambda r: tf.reverse(r, [1])), grad(lambda r: tf.tile(r, [2, 1])))
print(grad(lambda r: tf.reduce_max(r, 1)), grad(lambda r: tf.reduce_mean(r, 0)), grad(tf.nn.softmax))
print(grad(lambda r: r + tf.ones([3, 1])), grad(lambda r: tf.where(r > 1.5, r, 0.0)), grad(lambda r: r.to_tensor()))

# --- function_argument
traces = []
@tf.function
def f(r):
    traces.append((str(r.shape), str(r.flat_values.shape)))
    return r + 1, tf.reduce_sum(r, axis=1)
for rows in ([[1, 2], [3]], [[1], [2, 3, 4]], [[1], [2], [3]]):
    print(*f(tf.ragged.constant(rows)))
print(traces)

# --- function_signature
@tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
def f(r):
    return r.to_tensor(), r / tf.reduce_sum(r, 1, keepdims=True), tf.concat([r, r[:, :1]], axis=1)
for rows in ([[1.0, 3.0], [2.0]], [[5.0]]):
    print(*f(tf.ragged.constant(rows)))
print(outcome(f, tf.ragged.constant([[1]])))

# --- function_gradient
@tf.function
def loss(r, w):
    return tf.reduce_sum(tf.reduce_mean(r * w, axis=1) ** 2)
r, w = tf.ragged.constant([[1.0, 2.0], [3.0]]), tf.Variable(2.0)
with tf.GradientTape() as tape:
    tape.watch(r)
    y = loss(r, w)
print(y, *tape.gradient(y, [r, w]))

# --- function_loops
@tf.function
def f(r):
    total = tf.constant(0.0)
    for i in tf.range(r.nrows()):
        if tf.size(r[i]) > 1:
            total += tf.reduce_sum(r[i])
    return total
print(f(tf.ragged.constant([[1.0, 2.0], [4.0], [8.0, 16.0]])))

# --- function_structures
@tf.function
def f(d):
    return {"a": d["a"] * 2, "n": [d["a"].row_lengths(), d["b"]]}
out = f({"a": tf.ragged.constant([[1], [2, 3]]), "b": tf.constant(1)})
print(out["a"], out["n"])

# --- specs
rt = tf.ragged.constant([[1], [2, 3]])
print(tf.type_spec_from_value(rt), tf.RaggedTensorSpec([None, None, 2], tf.float32, 1), type(rt))
print(tf.RaggedTensorSpec([None, None], tf.int32).is_compatible_with(rt), tf.is_tensor(rt), isinstance(rt, tf.Tensor))
print(len(tf.nest.flatten(rt)), tf.nest.flatten(rt, expand_composites=True))
print(outcome(tf.RaggedTensorSpec))

# --- row_partition
p = tf.experimental.RowPartition.from_value_rowids([0, 0, 2], nrows=3)
print(p.row_splits(), p.row_lengths(), p.nrows(), p.nvals(), p.is_uniform())

# --- tf_print
import sys
tf.print(tf.ragged.constant([[1, 2], [], [3]]), tf.ragged.constant([[0.5]]), output_stream=sys.stdout)
tf.print(tf.ragged.range([9]), {"a": tf.ragged.constant([["x"]])}, output_stream=sys.stdout)

# --- padded_batches
rows = [[1, 2, 3], [4], [], [5, 6]]
rt = tf.ragged.constant(rows)
mask = tf.sequence_mask(rt.row_lengths())
print(mask, rt.to_tensor(), tf.RaggedTensor.from_tensor(rt.to_tensor(), lengths=rt.row_lengths()))

# --- variable_length_training
ids = tf.ragged.constant([[0, 1], [2], [1, 1, 0]])
labels = tf.constant([[1.0], [0.0], [1.0]])
table = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]) / 10.0)
w = tf.Variable([[0.1], [0.2]])
for _ in range(3):
    with tf.GradientTape() as tape:
        pooled = tf.reduce_mean(tf.gather(table, ids), axis=1)
        loss = tf.reduce_mean((pooled @ w - labels) ** 2)
    for v, g in zip([table, w], tape.gradient(loss, [table, w])):
        v.assign_sub(0.5 * tf.convert_to_tensor(g))
print(loss, table.numpy(), w.numpy())

# --- function_of_every_kind
ops = {
    "column": lambda r: r + tf.reshape(tf.range(3.0), [3, 1]), "sum0": lambda r: tf.reduce_sum(r, 0),
    "max": lambda r: tf.reduce_max(r, 1), "padded": lambda r: r.to_tensor(7.0, shape=[None, 4]),
    "sparse": lambda r: tf.sparse.to_dense(r.to_sparse()), "first": lambda r: r[0], "last": lambda r: r[-1],
    "rows": lambda r: r[1:], "columns": lambda r: r[:, -1:], "stack": lambda r: tf.stack([r, r]),
    "gather": lambda r: tf.gather(r, [2, 0]), "expand": lambda r: tf.expand_dims(r, 1),
    "reverse": lambda r: tf.reverse(r, [1]), "where": lambda r: tf.where(r > 1.0, r, -r),
    "mask": lambda r: tf.ragged.boolean_mask(r, r > 1.0), "ids": lambda r: r.value_rowids(),
    "bounds": lambda r: r.bounding_shape(), "softmax": lambda r: tf.nn.softmax(r), "size": lambda r: tf.size(r),
    "again": lambda r: tf.RaggedTensor.from_tensor(r.to_tensor(), padding=0.0), "tile": lambda r: tf.tile(r, [1, 2]),
    "embed": lambda r: tf.gather(tf.reshape(tf.range(8.0), [4, 2]), tf.cast(r, tf.int32)),
    "text": lambda r: tf.strings.reduce_join(tf.strings.as_string(r), axis=1, separator=" "),
}
rt = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
for name, op in ops.items():
    for spec in (tf.RaggedTensorSpec([3, None]), tf.RaggedTensorSpec([None, None])):
        print(name, tf.function(op, input_signature=[spec], autograph=False)(rt))

# --- function_of_deep_rows
ops = {
    "sum1": lambda r: tf.reduce_sum(r, 1), "sum2": lambda r: tf.reduce_sum(r, 2), "merge": lambda r: r.merge_dims(1, 2),
    "share": lambda r: r / tf.reduce_sum(r, 2, keepdims=True), "dense": lambda r: r.to_tensor(),
    "first": lambda r: r[0], "inner": lambda r: r[0, 1], "gather": lambda r: tf.gather(r, [2, 2]),
    "concat": lambda r: tf.concat([r, r], 2), "mask": lambda r: tf.ragged.boolean_mask(r, r > 2.0),
    "lengths": lambda r: r.row_lengths(2),
}
rt = tf.ragged.constant([[[1.0, 2.0], [3.0]], [], [[4.0, 5.0, 6.0]]])
for name, op in ops.items():
    print(name, tf.function(op, input_signature=[tf.RaggedTensorSpec([None, None, None])], autograph=False)(rt))

# --- function_gradients_of_every_kind
rt = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
for op in (lambda r: r * tf.reshape(tf.range(1.0, 4.0), [3, 1]), lambda r: tf.reduce_mean(r, 0),
           lambda r: r / tf.reduce_sum(r, 1, keepdims=True), lambda r: r.to_tensor() ** 2, lambda r: r[:, :1] * 3.0,
           lambda r: tf.concat([r, r * r], 1), lambda r: tf.nn.softmax(r) * r, lambda r: tf.reduce_max(r, 1) ** 2):
    function = tf.function(op, autograph=False)
    with tf.GradientTape() as tape:
        tape.watch(rt)
        y = function(rt)
    print(tape.gradient(y, rt))

# --- jacobians
v = tf.constant([1.0, 2.0, 3.0])
for op in (lambda r: tf.reduce_sum(r ** 2, 1), lambda r: r.to_tensor(), lambda r: tf.nn.softmax(r).flat_values,
           lambda r: tf.gather(r, [2, 0]).flat_values ** 2):
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = op(tf.RaggedTensor.from_row_splits(v, [0, 2, 2, 3]))
    print(tape.jacobian(y, v))

# --- unary_functions
rt = tf.ragged.constant([[0.5, 2.0], [], [3.0]])
for f in (tf.exp, tf.sigmoid, tf.tanh, tf.floor, tf.math.ceil, tf.math.log1p, tf.math.rsqrt, tf.math.reciprocal,
          tf.nn.elu, tf.nn.gelu, tf.nn.silu, tf.nn.softplus, tf.math.is_nan, tf.sign, tf.math.lgamma, tf.math.erf):
    print(f(rt))

# --- binary_functions
rt = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
for f in (tf.subtract, tf.divide, tf.minimum, tf.pow, tf.math.floormod, tf.math.squared_difference, tf.less,
          tf.math.atan2, tf.math.divide_no_nan, tf.math.xlogy):
    print(f(rt, rt + 1.0), f(rt, 2.0), f(2.0, rt))

# --- bincount_and_one_hot
rt = tf.ragged.constant([[1, 2], [], [3, 1]])
print(tf.math.bincount(rt), tf.math.bincount(rt, axis=-1), tf.one_hot(rt, 4), tf.math.cumsum(rt, axis=1))
print(tf.math.unsorted_segment_sum(rt, [0, 1, 0], 2), tf.dynamic_partition(rt, [0, 1, 0], 2))

# --- dynamic_shapes
shape = tf.experimental.DynamicRaggedShape.from_lengths([2, (2, 1)])
print(tf.reshape(tf.range(3), shape), tf.broadcast_to(tf.constant([[1], [2]]), shape), shape.rank)

# --- loop_over_rows
@tf.function
def f(r):
    total = tf.constant(0.0)
    for row in r:
        total += tf.reduce_sum(row) ** 2
    return total
print(f(tf.ragged.constant([[1.0, 2.0], [], [3.0]])))
