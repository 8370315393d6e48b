# tf.data: corners, messages, less common arguments.

# --- structures_of_one
ds = tf.data.Dataset.from_tensor_slices(([1, 2],))
print(ds.element_spec, [x for x in ds])
print(list(ds.map(lambda x: x).as_numpy_iterator()), ds.map(lambda x: x).element_spec)
print(list(ds.map(lambda x: (x,)).as_numpy_iterator()))
ds = tf.data.Dataset.zip((tf.data.Dataset.range(2),))
print(ds.element_spec, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensors(((1, 2), {"k": (3, [4.0])}))
print(ds.element_spec)
print(list(ds.map(lambda a, b: (b["k"][1], a)).as_numpy_iterator()))

# --- tuple_arguments
print(outcome(lambda: tf.data.Dataset.from_tensor_slices(((1, 2), (3, 4)))))
ds = tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))
print(list(ds.as_numpy_iterator()))
print(list(ds.map(lambda *a: a[0] * a[1]).as_numpy_iterator()))
ds = tf.data.Dataset.from_tensors((1, (2, 3))).map(lambda a, b: a + b[0] * b[1])
print(list(ds.as_numpy_iterator()))
import functools
print(list(tf.data.Dataset.range(3).map(functools.partial(tf.add, tf.constant(5, tf.int64))).as_numpy_iterator()))
print(list(tf.data.Dataset.from_tensors((3, 4)).map(tf.add).as_numpy_iterator()))
print(list(tf.data.Dataset.from_tensors([1.0, -2.0]).map(tf.abs).as_numpy_iterator()))

# --- empty
ds = tf.data.Dataset.from_tensor_slices(tf.zeros([0, 3]))
print(ds.element_spec, list(ds.as_numpy_iterator()), len(ds), list(ds.batch(2).as_numpy_iterator()))
print(list(ds.shuffle(3).as_numpy_iterator()), list(ds.repeat(3).as_numpy_iterator()), list(ds.cache().as_numpy_iterator()))
print(ds.reduce(0.0, lambda s, x: s + tf.reduce_sum(x)).numpy())
print(list(tf.data.Dataset.range(0).map(lambda x: x + 1).window(2).as_numpy_iterator()) if False else "ok")
print(list(tf.data.Dataset.range(3).take(0).batch(2).as_numpy_iterator()), len(tf.data.Dataset.range(0).batch(3)))

# --- specs
base = tf.data.Dataset.from_tensor_slices({"x": tf.zeros([10, 4]), "n": tf.range(10)})
print(base.batch(3).element_spec)
print(base.batch(3, drop_remainder=True).element_spec)
print(base.batch(3).unbatch().element_spec)
print(base.padded_batch(3, {"x": [6], "n": []}).element_spec)
print(base.window(3).element_spec)
print(base.map(lambda d: tf.boolean_mask(d["x"], d["x"] > 0)).element_spec)
print(base.map(lambda d: tf.strings.as_string(d["n"])).element_spec)
print(base.map(lambda d: tf.reshape(d["x"], [2, -1])).element_spec)
print(base.batch(3).map(lambda d: tf.transpose(d["x"])).element_spec)
print(base.batch(5, drop_remainder=True).map(lambda d: tf.reduce_mean(d["x"], axis=1)).element_spec)
print(base.enumerate().batch(2).element_spec)
print(base.map(lambda d: tf.numpy_function(lambda v: v, [d["n"]], tf.int32)).element_spec)

# --- set_shape
ds = tf.data.Dataset.range(3).map(lambda x: tf.py_function(lambda v: np.ones([2, 3], np.float32), [x], tf.float32))
print(ds.element_spec)
def fixed(x):
    x.set_shape([2, 3])
    return x
print(ds.map(fixed).element_spec, ds.map(lambda x: tf.ensure_shape(x, [2, 3])).batch(2).element_spec)
print([x.shape for x in ds.map(fixed).batch(2)])

# --- dtypes
for dtype in (tf.float16, tf.bfloat16, tf.float64, tf.int8, tf.uint8, tf.bool, tf.complex64):
    ds = tf.data.Dataset.from_tensor_slices(tf.cast([1, 0, 2], dtype)).batch(2)
    print(ds.element_spec, [tf.reduce_sum(tf.cast(x, tf.float32)).numpy() for x in ds])
ds = tf.data.Dataset.from_tensor_slices(np.array(["a", "bc"]))
print(ds.element_spec, list(ds.as_numpy_iterator()))

# --- numpy_inputs
x = np.arange(6.0).reshape(3, 2)
ds = tf.data.Dataset.from_tensor_slices((x, x[:, 0] > 1))
print(ds.element_spec, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices(tf.Variable([1, 2, 3]))
print(list(ds.as_numpy_iterator()))
print(list(tf.data.Dataset.from_tensor_slices(range(3)).as_numpy_iterator()))
print(list(tf.data.Dataset.from_tensors(tf.Variable(2.5)).as_numpy_iterator()))

# --- group_by_window_and_batches
ds = tf.data.Dataset.from_tensor_slices([1, 1, 2, 3, 1, 2, 2, 2])
g = ds.group_by_window(lambda x: tf.cast(x, tf.int64), lambda k, w: w.padded_batch(3), window_size=3)
print(list(g.as_numpy_iterator()))
print(g.element_spec)
g = ds.group_by_window(lambda x: tf.cast(x, tf.int64), lambda k, w: tf.data.Dataset.from_tensors((k, w.reduce(0, lambda a, b: a + b))), window_size=2)
print(list(g.as_numpy_iterator()))
print(outcome(lambda: ds.group_by_window(lambda x: x, lambda k, w: w, window_size=0).as_numpy_iterator().next()))

# --- interleave_files_style
def maker(x):
    return tf.data.Dataset.range(3).map(lambda y: x * 100 + y).shuffle(3, seed=4)
tf.random.set_seed(11)
print(list(tf.data.Dataset.range(4).interleave(maker, cycle_length=2, block_length=2).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).interleave(maker, cycle_length=3, num_parallel_calls=3).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).apply(tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.range(x), cycle_length=2)).as_numpy_iterator()))

# --- nested_shuffles
tf.random.set_seed(12)
ds = tf.data.Dataset.range(6).shuffle(6, seed=1).batch(2).shuffle(3, seed=2)
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(5).shuffle(5).concatenate(tf.data.Dataset.range(5).shuffle(5))
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()))
z = tf.data.Dataset.zip((tf.data.Dataset.range(5).shuffle(5, seed=3), tf.data.Dataset.range(5).shuffle(5, seed=3)))
print(list(z.as_numpy_iterator()))
s = tf.data.Dataset.range(6).shuffle(6, seed=9)
print(list(s.take(3).as_numpy_iterator()), list(s.skip(3).as_numpy_iterator()), list(s.repeat(2).take(8).as_numpy_iterator()))
print(list(s.cache().as_numpy_iterator()))
c = s.cache()
print(list(c.as_numpy_iterator()) == list(c.as_numpy_iterator()))
print(list(s.prefetch(2).repeat(2).as_numpy_iterator()), list(s.prefetch(2).as_numpy_iterator()))
print(list(s.enumerate().repeat(2).batch(4).map(lambda i, x: x).as_numpy_iterator()), list(s.as_numpy_iterator()))

# --- shuffle_large
tf.random.set_seed(1)
x = np.array(list(tf.data.Dataset.range(5000).shuffle(1000, seed=7).as_numpy_iterator()))
print(x[:12], x[-12:], x.sum(), (x * np.arange(5000)).sum())
x = np.array(list(tf.data.Dataset.range(3000).shuffle(100000, seed=8).batch(64).unbatch().as_numpy_iterator()))
print(x[:12], (x * np.arange(3000)).sum())

# --- random_in_filter
tf.random.set_seed(4)
ds = tf.data.Dataset.range(20).filter(lambda x: tf.random.uniform([]) < 0.5)
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(5).map(lambda x: tf.random.stateless_uniform([], seed=[1, x]))
print(list(ds.as_numpy_iterator()))
g = tf.random.Generator.from_seed(3)
ds = tf.data.Dataset.range(3).map(lambda x: g.uniform([]))
print(list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(3).map(lambda x: tf.image.random_flip_left_right(tf.reshape(tf.range(6), [2, 3, 1])))
print([x.numpy().ravel().tolist() for x in ds])

# --- seeds_in_map_with_counter
counter = tf.data.Dataset.counter()
ds = tf.data.Dataset.zip((tf.data.Dataset.range(3), (counter, counter)))
ds = ds.map(lambda x, seed: tf.random.stateless_uniform([2], seed=seed))
print(list(ds.as_numpy_iterator()))

# --- map_control_flow
def classify(x):
    if x % 15 == 0:
        r = "FizzBuzz"
    elif x % 3 == 0:
        r = "Fizz"
    elif x % 5 == 0:
        r = "Buzz"
    else:
        r = tf.strings.as_string(x)
    return r
print(list(tf.data.Dataset.range(1, 16).map(classify).as_numpy_iterator()))
def collatz(n):
    steps = tf.constant(0, tf.int64)
    while n > 1:
        n = tf.where(n % 2 == 0, n // 2, 3 * n + 1)
        steps += 1
    return steps
print(list(tf.data.Dataset.range(1, 10).map(collatz).as_numpy_iterator()))

# --- assertions_in_map
def checked(x):
    tf.debugging.assert_less(x, tf.constant(3, tf.int64))
    return x
it = iter(tf.data.Dataset.range(5).map(checked))
print([outcome(lambda: int(next(it))) for _ in range(6)])

# --- filter_none_and_predicates
ds = tf.data.Dataset.range(6)
print(list(ds.filter(lambda x: tf.logical_and(x > 1, x < 4)).as_numpy_iterator()))
def odd(x):
    if x % 2 == 0:
        return False
    return True
print(list(ds.filter(odd).as_numpy_iterator()))
d = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "x"]})
print(list(d.filter(lambda e: e["b"] == "x").map(lambda e: e["a"]).as_numpy_iterator()))

# --- scan_more
ds = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).scan(initial_state={"m": 0.0, "n": 0}, scan_func=lambda s, x: ({"m": s["m"] + x, "n": s["n"] + 1}, (s["m"] + x) / tf.cast(s["n"] + 1, tf.float32)))
print(list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(4).scan(tf.zeros([0], tf.int64), lambda s, x: (tf.concat([s, [x]], 0), tf.reduce_sum(s)))
print(list(ds.as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range(4).scan(0, lambda s, x: (x, x))))

# --- choose_with_generator
def choices():
    yield from [0, 1, 1, 0, 2]
sets = [tf.data.Dataset.from_tensors(i).repeat() for i in range(3)]
ds = tf.data.Dataset.choose_from_datasets(sets, tf.data.Dataset.from_generator(choices, output_signature=tf.TensorSpec((), tf.int64)))
print(list(ds.as_numpy_iterator()))
print(list(tf.data.experimental.choose_from_datasets([tf.data.Dataset.range(2), tf.data.Dataset.range(5, 9)], tf.data.Dataset.range(2).repeat(3)).as_numpy_iterator()))
print(outcome(lambda: list(tf.data.Dataset.choose_from_datasets(sets, tf.data.Dataset.range(5)))))

# --- sample_weights
tf.random.set_seed(6)
a, b = tf.data.Dataset.range(0, 100), tf.data.Dataset.range(1000, 1100)
d = tf.data.Dataset.sample_from_datasets([a, b], weights=[0.9, 0.1], seed=1)
print(list(d.take(20).as_numpy_iterator()), list(d.take(5).as_numpy_iterator()))
d = tf.data.experimental.sample_from_datasets([a, b], weights=tf.constant([0.5, 0.5]), seed=2)
print(list(d.take(10).as_numpy_iterator()))
d = tf.data.Dataset.sample_from_datasets([a, b], weights=tf.data.Dataset.from_tensors([0.2, 0.8]).repeat(6), seed=2)
print(outcome(lambda: list(d.as_numpy_iterator())))
print(outcome(lambda: tf.data.Dataset.sample_from_datasets([a, b], weights=tf.data.Dataset.from_tensors([[0.2, 0.8]]).repeat(6), seed=2)))
print(list(tf.data.Dataset.sample_from_datasets([a.take(2)], weights=[1.0]).as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.sample_from_datasets([a, b], weights=[1, 2])))

# --- resample_estimated
tf.random.set_seed(9)
ds = tf.data.Dataset.from_tensor_slices([0] * 30 + [1] * 10).shuffle(40, seed=1)
r = ds.rejection_resample(lambda x: x, [0.5, 0.5], seed=5)
print([int(c) for c, x in r])
r = ds.rejection_resample(lambda x: x, [0.9, 0.1], [0.75, 0.25], seed=5)
print([int(x) for c, x in r])

# --- from_list_and_at
ds = tf.data.experimental.from_list([(1, "a"), (2, "b")])
print(ds.element_spec, list(ds.as_numpy_iterator()), len(ds))
print(outcome(lambda: tf.data.experimental.from_list([])))
print(tf.data.experimental.at(tf.data.Dataset.range(5).map(lambda x: x * x), 2))
print(outcome(lambda: tf.data.experimental.at(tf.data.Dataset.range(5), 7)))

# --- batch_of_strings_and_scalars
ds = tf.data.Dataset.from_tensor_slices([["a", "b"], ["c", "d"], ["e", "f"]])
for x in ds.batch(2):
    print(x)
ds = tf.data.Dataset.range(3).map(lambda x: tf.constant("s"))
print(list(ds.batch(2).as_numpy_iterator()))
ds = tf.data.Dataset.range(4).map(lambda x: (x, tf.cast(x, tf.float32), x > 1)).batch(3)
for x in ds:
    print(x)

# --- window_and_nested_reduce
ds = tf.data.Dataset.range(8).window(4, shift=2, drop_remainder=True)
print([int(w.reduce(np.int64(0), lambda a, b: a + b)) for w in ds])
print(list(ds.map(lambda w: w.reduce(np.int64(1), lambda a, b: a * (b + 1))).as_numpy_iterator()))
print([list(w.batch(2).as_numpy_iterator()) for w in ds])
ds = tf.data.Dataset.range(6).window(2).flat_map(lambda w: w.map(lambda x: x * 10).skip(1))
print(list(ds.as_numpy_iterator()))
d = tf.data.Dataset.from_tensor_slices({"a": tf.range(4), "b": tf.range(4.0)}).window(2)
d = d.flat_map(lambda w: tf.data.Dataset.zip({"a": w["a"].batch(2), "b": w["b"].batch(2)}))
print(list(d.as_numpy_iterator()))
d = d.map(lambda w: tf.reduce_sum(w["b"]))
print(list(d.as_numpy_iterator()))

# --- take_while_and_enumerate
ds = tf.data.Dataset.from_tensor_slices([5, 3, 9, 1]).enumerate().take_while(lambda i, x: x < 9)
print(list(ds.as_numpy_iterator()))

# --- repr_of_types
ds = tf.data.Dataset.range(3)
for one in (ds, ds.map(lambda x: x), ds.batch(2), ds.padded_batch(2), ds.shuffle(2), ds.repeat(), ds.cache(), ds.prefetch(1), ds.flat_map(lambda x: ds), ds.interleave(lambda x: ds), ds.scan(0, lambda s, x: (s, x)), ds.take_while(lambda x: True), ds.unique(), ds.apply(tf.data.experimental.ignore_errors()), tf.data.Dataset.sample_from_datasets([ds, ds]), ds.map(lambda x: x, num_parallel_calls=2), ds.snapshot("/nowhere") if False else ds, ds.batch(2).unbatch(), ds.batch(2).rebatch(1), ds.shard(2, 0), ds.take(1), ds.skip(1), ds.enumerate(), ds.concatenate(ds)):
    print(type(one).__name__, one.element_spec == ds.element_spec)
print(type(iter(ds)).__name__, type(ds.as_numpy_iterator()).__name__, type(iter(ds).get_next_as_optional()).__name__)

# --- messages_range
# phrase: The dataset is infinite.
len(tf.data.Dataset.range(3).repeat())

# --- messages_unknown
# phrase: The dataset length is unknown.
len(tf.data.Dataset.range(3).filter(lambda x: True))

# --- messages_batch_shapes
# phrase: Cannot batch tensors with different shapes in component 0. First element had shape [1] and element 1 had shape [2].
list(tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).take(3).batch(2))

# --- messages_pad
# phrase: Attempted to pad to a smaller size than the input element.
list(tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).padded_batch(2, [1]))

# --- messages_end
# phrase: End of sequence
it = iter(tf.data.Dataset.range(0))
it.get_next()

# --- messages_generator_shape
# phrase: `generator` yielded an element of shape (2,) where an element of shape () was expected.
list(tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), output_signature=tf.TensorSpec((), tf.int32)))

# --- messages_generator_type
# phrase: `generator` yielded an element that did not match the expected structure.
list(tf.data.Dataset.from_generator(lambda: iter(["x"]), output_types=tf.int32))

# --- messages_optional
# phrase: The given optional does not have a value.
tf.experimental.Optional.empty(tf.TensorSpec([])).get_value()

# --- messages_single_element
# phrase: Dataset had more than one element.
tf.data.Dataset.range(3).get_single_element()

# --- messages_single_empty
# phrase: Dataset was empty.
tf.data.Dataset.range(0).get_single_element()

# --- messages_options
# phrase: Cannot set the property nothing on Options.
tf.data.Options().nothing = 3

# --- messages_assert_cardinality
# phrase: Input dataset was expected to contain 2 elements but contained at least 3 elements.
list(tf.data.Dataset.range(3).apply(tf.data.experimental.assert_cardinality(2)))

# --- messages_filter
# phrase: `predicate` must return a `tf.bool` scalar tensor
tf.data.Dataset.range(3).filter(lambda x: x)

# --- messages_concatenate
# phrase: Incompatible dataset elements:
tf.data.Dataset.range(3).concatenate(tf.data.Dataset.from_tensor_slices([1.0]))

# --- messages_buckets
# phrase: must equal `len(bucket_boundaries) + 1`
tf.data.Dataset.range(3).bucket_by_sequence_length(lambda x: x, [1], [1])

# --- messages_missing_file
# phrase: No such file or directory
list(tf.data.TextLineDataset("/no/such/file"))

# --- compat_v1
ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [[1.0], [2.0]]})
print(tf.compat.v1.data.get_output_shapes(ds), tf.compat.v1.data.get_output_types(ds))
it = tf.compat.v1.data.make_one_shot_iterator(ds)
print(it.get_next())

# --- experimental_helpers
tf.random.set_seed(2)
D = tf.data.Dataset
print([int(x) for x in D.range(5).apply(tf.data.experimental.shuffle_and_repeat(3, 2, seed=1))])
d = D.from_tensor_slices({"a": [1, 2]}).apply(tf.data.experimental.pad_to_cardinality(3))
print(d, list(d.as_numpy_iterator()))
print(outcome(lambda: D.range(3).apply(tf.data.experimental.pad_to_cardinality(4))))
print(outcome(lambda: D.from_tensor_slices({"a": [1, 2]}).apply(tf.data.experimental.pad_to_cardinality(1))))
t = tf.data.experimental.table_from_dataset(D.from_tensor_slices((["a", "b"], [5, 6])), default_value=-1)
print(t.lookup(tf.constant(["b", "c"])))
t = tf.data.experimental.index_table_from_dataset(D.from_tensor_slices(["a", "b"]))
print(t.lookup(tf.constant(["b", "c"])))

# --- parameters_as_tensors
D = tf.data.Dataset
print(outcome(lambda: D.range(3).take(tf.constant(2))), outcome(lambda: D.range(tf.constant(3))))
print(list(D.range(tf.constant(3, tf.int64)).take(tf.constant(2, tf.int64)).as_numpy_iterator()))
print(D.range(10).batch(tf.constant(3, tf.int64), drop_remainder=True).element_spec)
print(list(D.range(3).repeat(np.int32(2)).as_numpy_iterator()), list(D.range(3).skip(np.int64(1)).as_numpy_iterator()))
print(outcome(lambda: D.range(3).batch(tf.constant(2, tf.int32))), outcome(lambda: D.range(3.0)))
print(outcome(lambda: D.range(3).shuffle(2.5)), outcome(lambda: D.range(3).shuffle(tf.constant(2, tf.int32))))
print(outcome(lambda: D.from_tensors(None)), outcome(lambda: D.from_tensors({})), outcome(lambda: D.from_tensor_slices({})))

# --- generators_more
D = tf.data.Dataset
g = lambda *v: (lambda: iter(v))
print(outcome(lambda: list(D.from_generator(g(1.5), tf.int32))))
print(list(D.from_generator(g(np.float64(1.5)), tf.int32).as_numpy_iterator()), list(D.from_generator(g(1), tf.float32).as_numpy_iterator()))
print(outcome(lambda: list(D.from_generator(g(tf.constant(3)), tf.int64))), outcome(lambda: list(D.from_generator(g(1), tf.string))))
print(outcome(lambda: list(D.from_generator(g(1, 2), output_signature=(tf.TensorSpec((), tf.int32),)))))
print(list(D.from_generator(g((1,), (2,)), output_signature=(tf.TensorSpec((), tf.int32),)).as_numpy_iterator()))
print(outcome(lambda: D.from_generator(g(1), output_signature=[tf.TensorSpec(()), tf.TensorSpec(())])))
print(list(D.from_generator(lambda a, b: iter([a.sum(), b]), tf.float32, args=(np.ones(2, np.float32), 3.0)).as_numpy_iterator()))
print(D.from_generator(g(1), tf.int32, ()).take(1).cardinality().numpy())
ds = D.from_generator(lambda: ({"x": i, "y": [i, i]} for i in range(3)), output_signature={"x": tf.TensorSpec((), tf.int32), "y": tf.TensorSpec((2,), tf.int32)})
print(list(ds.batch(2).as_numpy_iterator()))
ds = D.from_generator(lambda: iter([tf.ragged.constant([[1], [2, 3]])]), output_signature=tf.RaggedTensorSpec((None, None), tf.int32))
for x in ds:
    print(x)

# --- reductions_more
D = tf.data.Dataset
print(D.range(5).reduce((0, 1), lambda s, x: s), D.range(5).reduce([0, 1], lambda s, x: s))
print(D.range(5).reduce(0, lambda s, x: s + 1).dtype, D.range(5).reduce(tf.constant([1]), lambda s, x: tf.concat([s, s], 0)).shape)
print(outcome(lambda: D.range(5).reduce(0.0, lambda s, x: x)))
v = tf.Variable(0)
D.range(4).reduce(0, lambda s, x: s + v.assign_add(1) * 0)
print(v.numpy())

# --- what_numpy_functions_get
def f(*xs):
    return np.array([type(x).__name__ for x in xs], dtype=object)
ds = tf.data.Dataset.from_tensors(("a", 1, 2.5, ["b"], True, [[1]])).map(lambda *xs: tf.numpy_function(f, xs, tf.string))
print(list(ds.as_numpy_iterator()))

# --- random_functions_in_branches
tf.random.set_seed(5)
D = tf.data.Dataset
L = lambda ds: [tf.nest.map_structure(int, x) for x in ds]
for kw in ({}, {"seed": 3}):
    d = D.range(3).map(lambda x: tf.random.uniform([], 0, 100, dtype=tf.int32, **kw))
    print(L(d), L(D.zip((d, d))), L(d.concatenate(d)), L(d.repeat(2)))
    print(L(D.choose_from_datasets([d, d], D.range(2).repeat(3))), L(D.range(2).flat_map(lambda i: d)))
    print(L(D.zip((d.concatenate(d), d))), L(D.zip((d, d.map(lambda x: x + 1000)))), L(D.zip((d.shuffle(3, seed=1), d))))
    print(L(D.range(2).flat_map(lambda i: D.range(2).map(lambda x: tf.random.uniform([], 0, 100, dtype=tf.int32, **kw)))))

# --- cardinalities_more
D = tf.data.Dataset
a, b = D.range(3), D.range(5).repeat()
f = D.range(4).filter(lambda x: True)
for stop in (True, False):
    print([int(D.sample_from_datasets(l, stop_on_empty_dataset=stop).cardinality()) for l in ([a, a], [a, b], [b, b], [a, f])])
print([int(x.cardinality()) for x in (f.take(0), f.repeat(0), f.repeat(), f.concatenate(b), D.zip(f, b), a.take(0).filter(lambda x: True), a.take(0).flat_map(lambda x: a), b.unique(), b.batch(2).unbatch(), f.shard(2, 0), b.ignore_errors())])
print([D.range(20).batch(6, drop_remainder=True).rebatch(r).element_spec.shape for r in (2, 4, 6, [3], [2, 4])])
# --- graph_of_a_pipeline
D = tf.data.Dataset
numbers = D.range(5)

def show(dataset):
    graph = tf.compat.v1.GraphDef.FromString(dataset._as_serialized_graph().numpy())
    print([(node.name, list(node.input)) for node in graph.node],
          [[node.op for node in one.node_def if "Dataset" in node.op]
           for one in graph.library.function])

for dataset in (numbers.take(1), numbers.concatenate(numbers),
                numbers.filter(lambda _: True), numbers.map(lambda x: x),
                numbers.flat_map(lambda _: D.from_tensors(0).shuffle(1)),
                numbers.with_options(tf.data.Options()), numbers.unique()):
    show(dataset)
for dataset in (numbers.cache(), numbers.map(lambda x: x, num_parallel_calls=1),
                numbers.shuffle(2), numbers.batch(2), numbers.prefetch(1), numbers.repeat(2),
                numbers.window(2), D.zip((numbers, numbers)), numbers.padded_batch(2, []),
                numbers.interleave(lambda _: D.from_tensors(0), cycle_length=1,
                                   num_parallel_calls=1)):
    graph = tf.compat.v1.GraphDef.FromString(dataset._as_serialized_graph().numpy())
    print([node.op for node in graph.node if "Dataset" in node.op])

# --- distributed_save
import tempfile
service = tf.data.experimental.service
folder = tempfile.mkdtemp()
dispatcher = service.DispatchServer(service.DispatcherConfig(fault_tolerant_mode=True, work_dir=folder + "/work"))
address = dispatcher.target.split("://")[1]
worker = service.WorkerServer(service.WorkerConfig(dispatcher_address=address))
save = tf.data.experimental.distributed_save
print(save(tf.data.Dataset.range(5), folder + "/saved", address))
print(sorted(int(x) for x in tf.data.Dataset.load(folder + "/saved", wait=True)))
print(outcome(save, tf.data.Dataset.range(5), folder + "/saved", address), outcome(save, tf.data.Dataset.range(5), folder + "/x", ""), outcome(save, tf.data.Dataset.range(5), folder + "/x", 3))
plain = service.DispatchServer()
print(outcome(save, tf.data.Dataset.range(5), folder + "/y", plain.target.split("://")[1]))
