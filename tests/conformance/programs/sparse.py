# Sparse tensors: making, printing, taking apart, arithmetic, gradients, tf.function, sets, decoders.

# --- print
# exact
st = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1.0, 2.0], dense_shape=[3, 4])
print(st)
print(st.shape, st.dtype, st.dense_shape, st.get_shape())

# --- from_dense_to_dense
x = tf.constant([[0, 7, 0], [3, 0, 0]])
st = tf.sparse.from_dense(x)
print(st.indices, st.values, st.dense_shape)
print(tf.sparse.to_dense(st), tf.sparse.to_dense(st, default_value=-1))

# --- strings
st = tf.sparse.from_dense([["a", ""], ["", "b"]])
print(st)
print(tf.sparse.to_dense(st, default_value="?"))

# --- type_and_spec
st = tf.sparse.eye(2)
print(type(st), tf.is_tensor(st), isinstance(st, tf.Tensor))
print(tf.type_spec_from_value(st), tf.SparseTensorSpec([2, None], tf.int32))
print(tf.SparseTensorSpec([None, 2]).is_compatible_with(st))
print(tf.SparseTensorSpec([3, 2]).is_compatible_with(st))

# --- nest
st = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
print(len(tf.nest.flatten(st)), len(tf.nest.flatten(st, expand_composites=True)))
doubled = tf.nest.map_structure(lambda t: t * 2, {"a": st}, expand_composites=False)
print(doubled["a"].values)
flat = tf.nest.flatten([st, tf.constant(1)], expand_composites=True)
print([t.shape for t in flat])

# --- bad_parts
print(outcome(tf.SparseTensor, [[0, 0]], [1, 2], [2, 2]))
print(outcome(tf.SparseTensor, [0, 0], [1], [2, 2]))
print(outcome(tf.SparseTensor, [[0, 0]], [1], [2]))
print(outcome(tf.sparse.to_dense, tf.constant([1])))

# --- out_of_order
st = tf.SparseTensor([[1, 0], [0, 0]], [1, 2], [2, 2])
print(outcome(tf.sparse.to_dense, st))
print(tf.sparse.to_dense(tf.sparse.reorder(st)))
print(tf.sparse.to_dense(st, validate_indices=False))

# --- repeated_index
st = tf.SparseTensor([[0, 0], [0, 0]], [1, 2], [1, 2])
print(outcome(tf.sparse.to_dense, st))

# --- dense_multiplication
st = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
print((st * tf.constant([[10.0], [100.0]])).values)
print((st * 2.0).values, (st / tf.constant([1.0, 2.0, 4.0])).values)
print((tf.constant([[2.0, 2.0, 2.0]]) * st).values)
print(outcome(lambda: st + tf.ones([2, 3])))
print(outcome(lambda: st * tf.ones([3, 3])))

# --- functions_of_values
st = tf.sparse.from_dense([[-4.0, 0.0], [0.0, 9.0]])
print(tf.abs(st).values, tf.negative(st).values, tf.square(st).values, tf.sign(st).values)
print(tf.cast(st, tf.int32), tf.identity(st).values)
print(outcome(tf.exp, st), outcome(tf.reduce_sum, st), outcome(tf.transpose, st))

# --- shape_size_rank
st = tf.sparse.from_dense([[1, 0, 2]])
print(tf.shape(st), tf.size(st), tf.rank(st))

# --- map_values
a = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
print(tf.sparse.map_values(tf.add, a, a).values, tf.sparse.map_values(tf.square, a).values)
print(tf.sparse.map_values(tf.multiply, a, 10.0).values)
print(outcome(tf.sparse.map_values, tf.add, 1, 2))

# --- add
a = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
b = tf.SparseTensor([[0, 1], [1, 1]], [10.0, -3.0], [2, 3])
print(tf.sparse.add(a, b))
print(tf.sparse.add(a, b, threshold=0.5))
print(tf.sparse.add(a, tf.ones([2, 3])), tf.sparse.add(tf.ones([2, 3]), b))
print(outcome(tf.sparse.add, tf.ones([1]), tf.ones([1])))
print(outcome(tf.sparse.add, a, tf.sparse.eye(2)))

# --- maximum_minimum
a = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, -3.0, 0.0]])
b = tf.SparseTensor([[0, 1], [1, 1]], [10.0, -20.0], [2, 3])
print(tf.sparse.to_dense(tf.sparse.maximum(a, b)), tf.sparse.to_dense(tf.sparse.minimum(a, b)))

# --- reduce_sum
a = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
print(tf.sparse.reduce_sum(a), tf.sparse.reduce_sum(a, axis=0), tf.sparse.reduce_sum(a, axis=-1))
print(tf.sparse.reduce_sum(a, axis=1, keepdims=True), tf.sparse.reduce_sum(a, axis=[0, 1]))
print(tf.sparse.reduce_sum(a, axis=1, output_is_sparse=True))
print(outcome(tf.sparse.reduce_sum, a, 4))

# --- reduce_max
a = tf.sparse.from_dense([[-1.0, 0.0, -2.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
print(tf.sparse.reduce_max(a, axis=0), tf.sparse.reduce_max(a, axis=1), tf.sparse.reduce_max(a))
print(tf.sparse.reduce_max(a, axis=1, output_is_sparse=True))

# --- softmax
a = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
print(tf.sparse.softmax(a))

# --- matmul
a = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
print(tf.sparse.sparse_dense_matmul(a, tf.ones([3, 2])))
print(tf.sparse.sparse_dense_matmul(a, tf.ones([2, 2]), adjoint_a=True))
print(tf.sparse.sparse_dense_matmul(a, tf.constant([[1.0, 2.0, 3.0]]), adjoint_b=True))
print(tf.sparse.sparse_dense_matmul(tf.ones([1, 2]), a))
print(outcome(tf.sparse.sparse_dense_matmul, a, tf.ones([2, 2])))
print(outcome(tf.sparse.sparse_dense_matmul, a, tf.ones([3, 2], tf.float64)))

# --- matmul_gradients
values = tf.Variable([1.0, 2.0, 3.0])
b = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    a = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], values, [2, 3])
    loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(a, b) ** 2)
print(loss, *tape.gradient(loss, [values, b]))

# --- matmul_second_order
values = tf.Variable([1.0, 2.0])
b = tf.constant([[1.0], [2.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        a = tf.SparseTensor([[0, 0], [1, 1]], values, [2, 2])
        loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(a, b) ** 3)
    g = inner.gradient(loss, values)
print(g, outer.gradient(g, values))

# --- matmul_jacobian
values = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    tape.watch(values)
    a = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], values, [2, 3])
    y = tf.sparse.sparse_dense_matmul(a, tf.constant([[1.0], [2.0], [4.0]]))
print(tape.jacobian(y, values))

# --- value_gradients
def grad(f):
    v = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = f(tf.SparseTensor([[0, 0], [0, 2], [1, 1]], v, [2, 3]))
        y = y.values if isinstance(y, tf.SparseTensor) else y
        y = y * tf.reshape(tf.cast(tf.range(1, tf.size(y) + 1), tf.float32), tf.shape(y))
    g = tape.gradient(y, v)
    return None if g is None else tf.convert_to_tensor(g).numpy()
print(grad(tf.sparse.to_dense), grad(lambda s: tf.sparse.reduce_sum(s, 1)))
print(grad(tf.sparse.softmax), grad(tf.sparse.transpose), grad(lambda s: s * tf.constant([[3.0, 2.0, 1.0]])))
print(grad(lambda s: tf.sparse.reshape(s, [6])), grad(lambda s: tf.sparse.slice(s, [0, 0], [1, 3])))
print(grad(lambda s: tf.sparse.add(s, s)), grad(lambda s: tf.sparse.add(s, tf.ones([2, 3]))))
print(grad(lambda s: tf.sparse.retain(s, [True, False, True])))
print(grad(lambda s: tf.sparse.fill_empty_rows(s, 0.0)[0]), grad(lambda s: tf.sparse.expand_dims(s, 0)))
print(grad(lambda s: tf.sparse.map_values(tf.square, s)), grad(lambda s: tf.sparse.concat(0, [s, s])))

# --- dense_operand_gradients
d = tf.Variable([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
with tf.GradientTape(persistent=True) as tape:
    a = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, 2.0, 3.0], [2, 3])
    product, quotient = (a * d).values, (a / d).values
    total = tf.sparse.add(a, d)
    picked = tf.sparse.from_dense(d).values
print(tape.gradient(product, d), tape.gradient(quotient, d), tape.gradient(total, d))
print(tape.gradient(picked, d))

# --- default_value_gradient
default = tf.Variable(5.0)
with tf.GradientTape() as tape:
    y = tf.sparse.to_dense(tf.SparseTensor([[0, 1]], [1.0], [2, 2]), default_value=default)
print(y, tape.gradient(y, default))

# --- not_a_gradient_source
st = tf.sparse.from_dense([[1.0, 2.0]])
def f():
    with tf.GradientTape() as tape:
        tape.watch(st)
        y = tf.sparse.to_dense(st)
    return tape.gradient(y, st)
print(outcome(f))

# --- concat
a = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
b = tf.sparse.from_dense([[0, 4], [5, 0]])
print(tf.sparse.concat(axis=1, sp_inputs=[a, b]))
print(tf.sparse.to_dense(tf.sparse.concat(0, [a, a])))
print(tf.sparse.to_dense(tf.sparse.concat(0, [a, b], expand_nonconcat_dims=True)))
print(outcome(tf.sparse.concat, 0, [a, b]))

# --- slice_and_split
a = tf.sparse.from_dense([[1, 0, 2, 0, 3], [0, 4, 0, 5, 0]])
print(tf.sparse.slice(a, [0, 1], [2, 3]))
for part in tf.sparse.split(sp_input=a, num_split=2, axis=1):
    print(tf.sparse.to_dense(part))
print(outcome(tf.sparse.split, a, 9, 1))

# --- reshape_transpose_expand
a = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
print(tf.sparse.reshape(a, [3, -1]))
print(tf.sparse.transpose(a), tf.sparse.transpose(a, perm=[0, 1]).values)
print(tf.sparse.expand_dims(a, axis=0).indices, tf.sparse.expand_dims(a).shape)
print(outcome(tf.sparse.reshape, a, [4]), outcome(tf.sparse.expand_dims, a, 5))

# --- reset_shape
a = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [5, 5])
print(tf.sparse.reset_shape(a).dense_shape, tf.sparse.reset_shape(a, [6, 6]).dense_shape)
print(outcome(tf.sparse.reset_shape, a, [1, 1]), outcome(tf.sparse.reset_shape, a, [9]))

# --- retain_and_mask
a = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
print(tf.sparse.retain(a, a.values > 1))
s = tf.IndexedSlices(tf.constant([[1.0], [2.0], [3.0]]), tf.constant([5, 6, 7]))
m = tf.sparse.mask(s, [6, 9])
print(m.values, m.indices)

# --- fill_empty_rows
a = tf.SparseTensor([[1, 0], [1, 1]], [5, 6], [3, 2])
filled, empty = tf.sparse.fill_empty_rows(a, -1)
print(filled, empty)

# --- to_indicator
a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 3, 2], [2, 2])
print(tf.sparse.to_indicator(a, 5))

# --- segments
data = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
print(tf.sparse.segment_sum(data, [0, 2, 1], [0, 0, 1]))
print(tf.sparse.segment_mean(data, [0, 2, 1], [0, 0, 2]))
print(tf.sparse.segment_sqrt_n(data, [0, 2, 1], [0, 0, 1]))
print(tf.sparse.segment_sum(data, [0, 2], [0, 2], num_segments=4))
print(outcome(tf.sparse.segment_sum, data, [0, 1], [1, 0]))
print(outcome(tf.sparse.segment_sum, data, [0, 9], [0, 0]))

# --- segment_gradient
data = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    y = tf.sparse.segment_mean(data, [0, 2, 0], [0, 0, 1]) ** 2
g = tape.gradient(y, data)
print(type(g).__name__, tf.convert_to_tensor(g))

# --- bincount
print(tf.sparse.bincount(tf.constant([[1, 2, 1], [0, 0, 2]]), axis=-1))
print(tf.sparse.bincount(tf.constant([1, 2, 1]), weights=tf.constant([0.5, 1.0, 2.0])))
print(tf.sparse.bincount(tf.constant([[1, 5, 1]]), axis=-1, binary_output=True, maxlength=4))
print(tf.sparse.bincount(tf.constant([[1]]), axis=-1, minlength=6).dense_shape)

# --- cross
a = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
b = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["d", "e", "f"], [2, 2])
print(tf.sparse.cross([a, b]))
print(tf.sparse.cross([a, b], separator="-").values)
print(tf.sparse.cross_hashed([a, b], num_buckets=100).values)
print(tf.sparse.cross_hashed([a, tf.constant([[1], [2]], tf.int64)]).values)

# --- sets
a, b = tf.constant([[1, 2, 2], [3, 4, 5]]), tf.constant([[2, 9, 9], [5, 3, 0]])
print(tf.sets.intersection(a, b))
print(tf.sets.union(a, b).values, tf.sets.difference(a, b).values)
print(tf.sets.difference(a, b, aminusb=False).values, tf.sets.size(tf.sparse.from_dense(a)))
print(tf.sets.union(tf.constant([["x", "y"]]), tf.constant([["y", "z"]])).values)
print(outcome(tf.sets.union, a, tf.constant([[1]])), outcome(tf.sets.size, a))

# --- edit_distance
hypothesis = tf.SparseTensor([[0, 0, 0], [1, 0, 0]], ["a", "b"], [2, 1, 1])
truth = tf.SparseTensor([[0, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0]], ["a", "b", "c", "a"], [2, 2, 2])
print(tf.edit_distance(hypothesis, truth))
kitten = tf.sparse.from_dense([[ord(c) for c in "kitten"]])
sitting = tf.sparse.from_dense([[ord(c) for c in "sitting"]])
print(tf.edit_distance(kitten, sitting), tf.edit_distance(kitten, sitting, normalize=False))

# --- embedding_lookup_sparse
params = tf.reshape(tf.range(12.0), [4, 3])
ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 3, 0], tf.int64), [2, 2])
weights = tf.SparseTensor(ids.indices, [1.0, 2.0, 3.0], [2, 2])
for combiner in ("sum", "mean", "sqrtn"):
    print(tf.nn.embedding_lookup_sparse(params, ids, None, combiner=combiner))
    print(tf.nn.embedding_lookup_sparse(params, ids, weights, combiner=combiner))
print(outcome(tf.nn.embedding_lookup_sparse, params, ids, None, combiner="max"))

# --- embedding_lookup_sparse_gradient
params = tf.Variable(tf.reshape(tf.range(12.0), [4, 3]))
ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 3, 1], tf.int64), [2, 2])
with tf.GradientTape() as tape:
    y = tf.nn.embedding_lookup_sparse(params, ids, None, combiner="mean") ** 2
g = tape.gradient(y, params)
print(type(g).__name__, tf.convert_to_tensor(g))

# --- safe_embedding_lookup_sparse
params = tf.reshape(tf.range(12.0), [4, 3])
ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([1, -1, 3], tf.int64), [4, 2])
print(tf.nn.safe_embedding_lookup_sparse(params, ids))
print(tf.nn.safe_embedding_lookup_sparse(params, ids, default_id=2, combiner="sum"))

# --- ctc_greedy
rng = np.random.RandomState(0)
logits = rng.randn(5, 2, 4).astype(np.float32)
decoded, score = tf.nn.ctc_greedy_decoder(logits, [5, 3])
print(decoded[0], score)
decoded, _ = tf.nn.ctc_greedy_decoder(logits, [5, 3], merge_repeated=False, blank_index=0)
print(decoded[0].values)
print(outcome(tf.nn.ctc_greedy_decoder, logits, [6, 3]))

# --- ctc_beam_search
rng = np.random.RandomState(1)
logits = rng.randn(8, 2, 5).astype(np.float32) * 2
decoded, scores = tf.nn.ctc_beam_search_decoder(logits, [8, 6], beam_width=6, top_paths=3)
for path in decoded:
    print(path.indices.numpy().tolist(), path.values.numpy().tolist(), path.dense_shape)
print(scores)
print(outcome(tf.nn.ctc_beam_search_decoder, logits, [8, 6], beam_width=1, top_paths=2))

# --- function_argument_and_result
traces = []
@tf.function
def f(s):
    traces.append(str(s.shape))
    return s * 2.0, tf.sparse.reduce_sum(s, axis=1)
doubled, total = f(tf.sparse.from_dense([[1.0, 0.0], [2.0, 3.0]]))
print(doubled, total)
f(tf.sparse.from_dense([[0.0, 5.0], [0.0, 0.0]]))
f(tf.sparse.from_dense([[0.0, 5.0, 1.0]]))
print(traces)

# --- function_signature
@tf.function(input_signature=[tf.SparseTensorSpec([None, None], tf.float32)])
def f(s):
    return tf.sparse.to_dense(tf.sparse.transpose(s))
print(f(tf.sparse.from_dense([[1.0, 0.0, 2.0]])), f(tf.sparse.eye(2)))

# --- function_gradient
@tf.function
def step(values, w):
    with tf.GradientTape() as tape:
        tape.watch(values)
        s = tf.SparseTensor([[0, 0], [1, 2]], values, [2, 3])
        loss = tf.reduce_sum(tf.sparse.sparse_dense_matmul(tf.sparse.softmax(s), w) ** 2)
    return loss, tape.gradient(loss, values)
print(step(tf.constant([1.0, 2.0]), tf.constant([[1.0], [2.0], [3.0]])))

# --- sparse_linear_regression
tf.random.set_seed(0)
x = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]])
y = tf.constant([[5.0], [6.0], [2.0]])
w = tf.Variable(tf.zeros([3, 1]))
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.sparse.sparse_dense_matmul(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(loss, w.numpy())

# --- tf_print
import sys
tf.print("s:", tf.sparse.from_dense([[1, 0, 2]]), output_stream=sys.stdout)

# --- function_of_every_kind
ops = {
    "dense": tf.sparse.to_dense, "sum": lambda s: tf.sparse.reduce_sum(s, 1), "all": tf.sparse.reduce_sum,
    "max": lambda s: tf.sparse.reduce_max(s, 0), "softmax": tf.sparse.softmax, "transpose": tf.sparse.transpose,
    "expand": lambda s: tf.sparse.expand_dims(s, 0), "flat": lambda s: tf.sparse.reshape(s, [-1]),
    "slice": lambda s: tf.sparse.slice(s, [0, 0], [1, 2]), "product": lambda s: s * tf.ones([1, 3]),
    "matmul": lambda s: tf.sparse.sparse_dense_matmul(s, tf.ones([3, 2])), "add": lambda s: tf.sparse.add(s, s),
    "concat": lambda s: tf.sparse.concat(0, [s, s]), "retain": lambda s: tf.sparse.retain(s, s.values > 1.5),
    "rows": lambda s: tf.sparse.fill_empty_rows(s, 0.0)[0], "cast": lambda s: tf.cast(s, tf.int32),
    "shape": tf.shape, "maximum": lambda s: tf.sparse.maximum(s, s), "least": tf.sparse.reset_shape,
}
st = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, 2.0, 3.0], [2, 3])
for name, op in ops.items():
    for spec in (tf.SparseTensorSpec([2, 3]), tf.SparseTensorSpec([None, None])):
        print(name, tf.function(op, input_signature=[spec], autograph=False)(st))

# --- jacobians
v = tf.constant([1.0, 2.0, 3.0])
for op in (tf.sparse.to_dense, lambda s: tf.sparse.reduce_sum(s, 1) ** 2, lambda s: tf.sparse.softmax(s).values,
           lambda s: (s * tf.ones([2, 3])).values ** 2):
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = op(tf.SparseTensor([[0, 0], [0, 2], [1, 1]], v, [2, 3]))
    print(tape.jacobian(y, v))

# --- map_fn_over_rows
st = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
print(tf.map_fn(tf.sparse.reduce_sum, st, fn_output_signature=tf.float32))

# --- control_flow
a, b = tf.sparse.from_dense([[1.0, 0.0]]), tf.sparse.from_dense([[0.0, 2.0]])
print(tf.cond(tf.constant(True), lambda: a, lambda: b))
print(tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * 2.0), (tf.constant(0), a))[1])

# --- ctc_labels
print(*tf.nn.collapse_repeated(tf.constant([[1, 1, 2, 2, 1], [1, 2, 3, 4, 5]]), tf.constant([5, 3])))
print(*tf.nn.ctc_unique_labels(tf.constant([[1, 2, 1, 3], [4, 4, 4, 4]])))
