# tf.data: sources, transformations, iterators.

# --- from_tensor_slices
ds = tf.data.Dataset.from_tensor_slices([8, 3, 0, 8, 2, 1])
print(ds)
for elem in ds:
    print(elem)
it = iter(ds)
print(next(it).numpy())
print(ds.element_spec, len(ds))

# --- from_tensor_slices_structures
ds = tf.data.Dataset.from_tensor_slices({"b": [1, 2], "a": np.array([[1.0], [2.0]])})
print(ds.element_spec)
for x in ds:
    print(x)
ds = tf.data.Dataset.from_tensor_slices((tf.ones([2, 3]), ([1, 2], ["x", "y"])))
print(ds.element_spec)
for a, (b, c) in ds:
    print(a, b, c)
print(list(ds.as_numpy_iterator()))

# --- from_tensor_slices_errors
print(outcome(lambda: tf.data.Dataset.from_tensor_slices(3)))
print(outcome(lambda: tf.data.Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))))
print(outcome(lambda: tf.data.Dataset.from_tensor_slices([[1, 2], [3]])))

# --- from_tensors
ds = tf.data.Dataset.from_tensors([1, 2, 3])
print(ds, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensors(([1, 2, 3], "A"))
print(list(ds.as_numpy_iterator()))
print(tf.data.Dataset.from_tensors({"a": 1, "b": (2.0, None)}))

# --- named_tuples
import collections
Point = collections.namedtuple("Point", ["x", "y"])
ds = tf.data.Dataset.from_tensor_slices(Point([1, 2, 3], [4.0, 5.0, 6.0]))
print(ds.element_spec)
for p in ds:
    print(p.x, p.y)
print([float(v) for v in ds.map(lambda p: tf.cast(p.x, tf.float32) * p.y)])
print(ds.map(lambda p: Point(p.y, p.x)).batch(2).element_spec)

# --- range
print(list(tf.data.Dataset.range(5).as_numpy_iterator()))
print(list(tf.data.Dataset.range(2, 5).as_numpy_iterator()))
print(list(tf.data.Dataset.range(1, 5, 2).as_numpy_iterator()))
print(list(tf.data.Dataset.range(1, 5, -2).as_numpy_iterator()))
print(list(tf.data.Dataset.range(5, 1).as_numpy_iterator()))
print(list(tf.data.Dataset.range(5, 1, -2).as_numpy_iterator()))
print(list(tf.data.Dataset.range(2, 5, output_type=tf.int32).as_numpy_iterator()))
print(list(tf.data.Dataset.range(1, 5, 2, output_type=tf.float32).as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range()))
print(outcome(lambda: list(tf.data.Dataset.range(0, 5, 0))))

# --- from_generator
def gen():
    ragged = [[1, 2], [3]]
    yield 42, ragged[0]
    yield 43, ragged[1]
ds = tf.data.Dataset.from_generator(gen, output_signature=(
    tf.TensorSpec(shape=(), dtype=tf.int32), tf.TensorSpec(shape=(None,), dtype=tf.int32)))
print(ds)
for x in ds:
    print(x)
for x in ds:
    print(x)
print(ds.cardinality())

# --- from_generator_types
def count(stop):
    i = 0
    while i < stop:
        yield i
        i += 1
ds = tf.data.Dataset.from_generator(count, args=[5], output_types=tf.int32, output_shapes=())
print(ds)
for batch in ds.repeat().batch(4).take(3):
    print(batch.numpy())
ds = tf.data.Dataset.from_generator(lambda: iter([(1, [2.0, 3.0]), (4, [5.0])]), (tf.int64, tf.float32), ((), (None,)))
print(ds.element_spec, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_generator(lambda: iter([{"a": 1, "b": "x"}]), {"a": tf.int32, "b": tf.string})
print(list(ds.as_numpy_iterator()))

# --- from_generator_errors
def gen():
    yield 1
    yield "text"
ds = tf.data.Dataset.from_generator(gen, output_types=tf.int32)
print(outcome(lambda: list(ds)))
def gen():
    yield [1, 2]
ds = tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec((), tf.int32))
print(outcome(lambda: list(ds)))
def gen():
    yield 1
    raise ValueError("inside")
ds = tf.data.Dataset.from_generator(gen, output_types=tf.int32)
print(outcome(lambda: list(ds)))
def gen():
    yield 1
    raise KeyError("inside")
ds = tf.data.Dataset.from_generator(gen, output_types=tf.int32)
print(outcome(lambda: list(ds)))
print(outcome(lambda: tf.data.Dataset.from_generator([1, 2], output_types=tf.int32)))
print(outcome(lambda: tf.data.Dataset.from_generator(gen)))
print(outcome(lambda: tf.data.Dataset.from_generator(gen, output_types=tf.int32, output_signature=tf.TensorSpec(()))))

# --- map
ds = tf.data.Dataset.range(1, 6)
print(list(ds.map(lambda x: x + 1).as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [[3, 4], [5, 6]]})
print(list(ds.map(lambda d: (d["a"], tf.reduce_sum(d["b"]))).as_numpy_iterator()))
print(list(ds.map(lambda d: {**d, "c": d["a"] * 2}).as_numpy_iterator()))
ds = tf.data.Dataset.range(3).map(lambda x: [x, x + 1])
print(ds.element_spec)
ds = tf.data.Dataset.range(3).map(lambda x: (tf.constant(37.0), tf.constant(["Foo", "Bar", "Baz"])))
print(ds.element_spec)
ds = tf.data.Dataset.range(3).map(lambda x: (37.0, ["Foo", "Bar", "Baz"], np.array([1.0, 2.0], dtype=np.float64)))
print(ds.element_spec)
print(outcome(lambda: tf.data.Dataset.range(2).map(lambda x: None)))
print(tf.data.Dataset.range(2).map(lambda x: (x, None)))
print(list(tf.data.Dataset.range(2).map(lambda x: "hello").as_numpy_iterator()))

# --- map_traces_once
calls = []
def f(x):
    calls.append(1)
    print("tracing", x.shape, x.dtype.name, type(x).__name__)
    return x * 2
ds = tf.data.Dataset.range(4).map(f)
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()), len(calls))

# --- map_parallel
ds = tf.data.Dataset.range(10).map(lambda x: x * x, num_parallel_calls=3)
print(ds, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(10).map(lambda x: x * x, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
print(sorted(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(6).map(lambda x: tf.py_function(lambda v: v.numpy() ** 2, [x], tf.int64), num_parallel_calls=2)
print(list(ds.as_numpy_iterator()))

# --- map_autograph
def f(x):
    if x > 5:
        return x * 100
    s = tf.constant(0, tf.int64)
    for i in tf.range(x):
        s += i
    return s
print(list(tf.data.Dataset.range(9).map(f).as_numpy_iterator()))

# --- map_variables
v = tf.Variable(10)
ds = tf.data.Dataset.range(3).map(lambda x: tf.cast(x, tf.int32) + v)
print(list(ds.as_numpy_iterator()))
v.assign(20)
print(list(ds.as_numpy_iterator()))
counter = tf.Variable(0)
ds = tf.data.Dataset.range(3).map(lambda x: counter.assign_add(1))
print(list(ds.as_numpy_iterator()), counter.numpy())

# --- map_errors
ds = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 2.0]).map(lambda x: tf.debugging.check_numerics(1.0 / x, "bad"))
it = iter(ds)
print(next(it))
print(outcome(lambda: next(it)))
print(next(it))
print(outcome(lambda: next(it)))
print([float(x) for x in ds.ignore_errors()])
print([float(x) for x in ds.apply(tf.data.experimental.ignore_errors())])
print(outcome(lambda: tf.data.Dataset.range(3).map(lambda x: x + "a")))
print(outcome(lambda: tf.data.Dataset.range(3).map(lambda a, b: a)))
print(outcome(lambda: tf.data.Dataset.range(3).map(5)))

# --- py_function_and_numpy_function
def upper(s):
    return s.numpy().decode().upper()
ds = tf.data.Dataset.from_tensor_slices(["hello", "world"])
ds = ds.map(lambda x: tf.py_function(func=upper, inp=[x], Tout=tf.string))
print(ds.element_spec, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(lambda v: v * 2.0, [x], tf.float64))
print(ds.element_spec, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensors(0).map(lambda x: tf.numpy_function(lambda: np.array([1, 2, 3]), [], tf.int64))
print(list(ds.as_numpy_iterator()))

# --- batch
ds = tf.data.Dataset.range(8)
print(list(ds.batch(3).as_numpy_iterator()))
print(list(ds.batch(3, drop_remainder=True).as_numpy_iterator()))
print(ds.batch(3), ds.batch(3, drop_remainder=True))
print(len(ds.batch(3)), len(ds.batch(3, drop_remainder=True)))
ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "z"]}).batch(2)
for x in ds:
    print(x)
print(list(tf.data.Dataset.range(8).batch(2).batch(2, drop_remainder=True).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).map(lambda x: (x, [x, x])).batch(2, num_parallel_calls=2).as_numpy_iterator()))

# --- batch_errors
ds = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).batch(2)
print(outcome(lambda: list(ds)))
print(outcome(lambda: tf.data.Dataset.range(3).batch(0)))
print(outcome(lambda: tf.data.Dataset.range(3).batch("a")))

# --- padded_batch
A = tf.data.Dataset.range(1, 5, output_type=tf.int32).map(lambda x: tf.fill([x], x))
for x in A.padded_batch(2):
    print(x.numpy())
for x in A.padded_batch(2, padded_shapes=5):
    print(x.numpy())
for x in A.padded_batch(2, padded_shapes=[5], padding_values=-1, drop_remainder=True):
    print(x.numpy())
elements = [([1, 2, 3], [10]), ([4, 5], [11, 12])]
ds = tf.data.Dataset.from_generator(lambda: iter(elements), (tf.int32, tf.int32))
ds = ds.padded_batch(2, padded_shapes=([4], [None]), padding_values=(-1, 100))
print(list(ds.as_numpy_iterator()))
E = tf.data.Dataset.zip((A, A)).padded_batch(2, padding_values=-1)
for x in E:
    print(x)
print(A.padded_batch(2).element_spec, A.padded_batch(2, [7], drop_remainder=True).element_spec)
ds = tf.data.Dataset.from_tensor_slices(["a", "bb"]).map(lambda s: tf.strings.bytes_split(s)).padded_batch(2)
print(list(ds.as_numpy_iterator()))

# --- padded_batch_errors
A = tf.data.Dataset.range(1, 5, output_type=tf.int32).map(lambda x: tf.fill([x], x))
print(outcome(lambda: list(A.padded_batch(4, padded_shapes=[2]))))
print(outcome(lambda: A.padded_batch(2, padding_values=1.5)))
print(outcome(lambda: A.padded_batch(2, padded_shapes=[2, 2])))
print(outcome(lambda: tf.data.Dataset.range(4).window(2).padded_batch(2)))

# --- unbatch_rebatch
ds = tf.data.Dataset.from_generator(lambda: iter([[1, 2, 3], [1, 2], [1, 2, 3, 4]]), tf.int64)
print(list(ds.unbatch().as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices({"a": np.arange(6), "b": np.arange(12.0).reshape(6, 2)}).batch(4)
print(ds.unbatch(), list(ds.unbatch().as_numpy_iterator()))
ds = tf.data.Dataset.range(8).batch(4).rebatch(3)
print(ds, list(ds.as_numpy_iterator()))
print(list(tf.data.Dataset.range(7).batch(4).rebatch(3, drop_remainder=True).as_numpy_iterator()))
print(list(tf.data.Dataset.range(8).batch(4).rebatch([2, 1, 1]).as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range(8).unbatch()))
print(outcome(lambda: tf.data.Dataset.range(8).rebatch(2)))

# --- take_skip_repeat
ds = tf.data.Dataset.range(5)
for n in (0, 2, 7, -1):
    print(list(ds.take(n).as_numpy_iterator()), list(ds.skip(n).as_numpy_iterator()), len(ds.take(n)), len(ds.skip(n)))
print(list(ds.repeat(2).as_numpy_iterator()), list(ds.repeat().take(7).as_numpy_iterator()))
print(list(ds.repeat(0).as_numpy_iterator()), ds.repeat().cardinality().numpy(), ds.repeat(3).cardinality().numpy())
print(list(ds.take(3).repeat(2).skip(4).as_numpy_iterator()))
print(list(tf.data.Dataset.range(0).repeat().as_numpy_iterator()))
print(outcome(lambda: ds.take(1.5)))

# --- shard
A = tf.data.Dataset.range(10)
print(list(A.shard(num_shards=3, index=0).as_numpy_iterator()), list(A.shard(3, 2).as_numpy_iterator()))
print(len(A.shard(3, 0)), len(A.shard(3, 2)), list(A.filter(lambda x: x > 2).shard(3, 1).as_numpy_iterator()))
print(outcome(lambda: A.shard(3, 3)))
print(outcome(lambda: A.shard(0, 0)))

# --- filter
ds = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4])
print(list(ds.filter(lambda x: x < 3).as_numpy_iterator()), ds.filter(lambda x: tf.math.equal(x, 1)))
print(list(tf.data.Dataset.zip((ds, ds.map(lambda x: -x))).filter(lambda a, b: a + 2 * b < -2).as_numpy_iterator()))
print(ds.filter(lambda x: True).cardinality().numpy())
print(outcome(lambda: ds.filter(lambda x: x)))

# --- zip_concatenate
a, b = tf.data.Dataset.range(1, 4), tf.data.Dataset.range(4, 7)
print(list(tf.data.Dataset.zip(a, b).as_numpy_iterator()), list(tf.data.Dataset.zip((b, a)).as_numpy_iterator()))
c = tf.data.Dataset.range(7, 13).batch(2)
print(list(tf.data.Dataset.zip(a, b, c).as_numpy_iterator()))
print(list(tf.data.Dataset.zip({"x": a, "y": (b, c)}).as_numpy_iterator()))
print(len(tf.data.Dataset.zip(a, tf.data.Dataset.range(2))), tf.data.Dataset.zip(a, b))
print(list(a.concatenate(b).as_numpy_iterator()), len(a.concatenate(b)))
print(outcome(lambda: a.concatenate(tf.data.Dataset.zip((a, b)))))
print(outcome(lambda: a.concatenate(tf.data.Dataset.from_tensor_slices([1.0]))))
print(outcome(lambda: tf.data.Dataset.zip()))
print(outcome(lambda: tf.data.Dataset.zip(a, [1, 2])))
x = tf.data.Dataset.from_tensors([1, 2]).concatenate(tf.data.Dataset.from_tensors([1, 2, 3]))
print(x, list(x.as_numpy_iterator()))

# --- enumerate
ds = tf.data.Dataset.from_tensor_slices([1, 2, 3]).enumerate(start=5)
for element in ds.as_numpy_iterator():
    print(element)
print(ds, len(ds))
ds = tf.data.Dataset.from_tensor_slices([(7, 8), (9, 10)]).enumerate()
print(list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.zip((tf.data.Dataset.range(2), tf.data.Dataset.range(2))).enumerate()
print(ds.element_spec)

# --- shuffle
tf.random.set_seed(7)
ds = tf.data.Dataset.range(10)
print(list(ds.shuffle(3, seed=1).as_numpy_iterator()))
print(list(ds.shuffle(10, seed=42).as_numpy_iterator()))
s = ds.shuffle(5, seed=2)
print([list(s.as_numpy_iterator()) for _ in range(3)])
s = ds.shuffle(5, seed=2, reshuffle_each_iteration=False)
print([list(s.as_numpy_iterator()) for _ in range(2)])
print(list(ds.shuffle(4, seed=3).repeat(2).as_numpy_iterator()))
print(list(ds.shuffle(4, seed=3, reshuffle_each_iteration=False).repeat(2).as_numpy_iterator()))
print(list(ds.repeat(2).shuffle(15, seed=3).as_numpy_iterator()))
print(list(ds.batch(2).shuffle(3, seed=1).as_numpy_iterator()))
print(list(ds.shuffle(6, seed=5).batch(3).repeat(2).as_numpy_iterator()))
print(ds.shuffle(3), outcome(lambda: ds.shuffle(0)))

# --- shuffle_global_seed
tf.random.set_seed(1234)
a = tf.data.Dataset.range(8).shuffle(8)
b = tf.data.Dataset.range(8).shuffle(4)
print(list(a.as_numpy_iterator()), list(b.as_numpy_iterator()), list(a.as_numpy_iterator()))
x = tf.random.uniform([2])
c = tf.data.Dataset.range(8).shuffle(8, reshuffle_each_iteration=False)
print(x, list(c.as_numpy_iterator()), list(c.as_numpy_iterator()))
tf.random.set_seed(1234)
print(list(tf.data.Dataset.range(8).shuffle(8).as_numpy_iterator()))

# --- shuffle_of_generator
tf.random.set_seed(5)
ds = tf.data.Dataset.from_generator(lambda: iter(range(12)), output_types=tf.int32).shuffle(5, seed=8)
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(12).filter(lambda x: x % 3 > 0).shuffle(4, seed=8).repeat(2).batch(3)
print(list(ds.as_numpy_iterator()))

# --- random
tf.random.set_seed(3)
print(list(tf.data.Dataset.random(seed=4).take(5).as_numpy_iterator()))
d = tf.data.Dataset.random(seed=4, rerandomize_each_iteration=True).take(3)
print(list(d.as_numpy_iterator()), list(d.as_numpy_iterator()), d)
ds1 = tf.data.Dataset.random(seed=4).take(4)
ds2 = tf.data.Dataset.random(seed=4).take(4)
print(list(ds1.as_numpy_iterator()) == list(ds2.as_numpy_iterator()))

# --- random_ops_in_map
tf.random.set_seed(3)
ds = tf.data.Dataset.range(4).map(lambda x: tf.random.uniform([], maxval=100, dtype=tf.int32))
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()), list(ds.repeat(2).as_numpy_iterator()))
ds = tf.data.Dataset.range(4).map(lambda x: tf.random.normal([2], seed=5))
print(list(ds.as_numpy_iterator()), list(ds.take(2).as_numpy_iterator()))
ds = tf.data.Dataset.range(3).map(lambda x: (tf.random.uniform([]), tf.random.uniform([])))
print(list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(12), [3, 4])).map(tf.random.shuffle)
print(list(ds.as_numpy_iterator()))

# --- cache
calls = []
def gen():
    calls.append(1)
    yield from range(4)
ds = tf.data.Dataset.from_generator(gen, output_types=tf.int32).cache()
print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()), len(calls), ds)
ds2 = tf.data.Dataset.from_generator(gen, output_types=tf.int32).map(lambda x: x * 2).cache().shuffle(4, seed=1).batch(3)
print(list(ds2.as_numpy_iterator()), list(ds2.as_numpy_iterator()), len(calls))

# --- cache_file
import glob, os, tempfile
with tempfile.TemporaryDirectory() as folder:
    calls = []
    def gen():
        calls.append(1)
        yield from range(4)
    ds = tf.data.Dataset.from_generator(gen, output_types=tf.int32).cache(os.path.join(folder, "c"))
    print(list(ds.as_numpy_iterator()), list(ds.as_numpy_iterator()), len(calls))
    print(sorted(os.path.basename(p) for p in glob.glob(os.path.join(folder, "*"))))
    again = tf.data.Dataset.range(100, output_type=tf.int32).cache(os.path.join(folder, "c"))
    print(list(again.as_numpy_iterator()))

# --- prefetch
ds = tf.data.Dataset.range(3).prefetch(2)
print(ds, list(ds.as_numpy_iterator()), len(ds))
print(list(tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE).as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices([1.0, 0.0]).map(lambda x: tf.debugging.check_numerics(1.0 / x, "bad")).prefetch(2)
it = iter(ds)
print(next(it), outcome(lambda: next(it)), outcome(lambda: next(it)))
print(outcome(lambda: tf.data.Dataset.range(3).prefetch(-5)))

# --- flat_map
ds = tf.data.Dataset.from_tensor_slices([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
ds = ds.flat_map(tf.data.Dataset.from_tensor_slices)
print(ds, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(4).flat_map(lambda x: tf.data.Dataset.range(x).map(lambda y: y * 10 + x))
print(list(ds.as_numpy_iterator()), ds.cardinality().numpy())
ds = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(3, 6))).flat_map(
    lambda a, b: tf.data.Dataset.from_tensors(a).concatenate(tf.data.Dataset.from_tensors(b)))
print(list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(x))
print(list(ds.as_numpy_iterator()))

# --- interleave
ds = tf.data.Dataset.range(1, 6)
ds = ds.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(6), cycle_length=2, block_length=4)
print(list(ds.as_numpy_iterator()))
for cycle in (1, 2, 3, 10):
    for block in (1, 2, 3):
        for calls in (None, 1 if cycle == 1 else 2, -1):
            ds = tf.data.Dataset.range(5).interleave(lambda x: tf.data.Dataset.range(x).map(lambda y: x * 10 + y), cycle_length=cycle, block_length=block, num_parallel_calls=calls)
            print(cycle, block, calls, list(ds.as_numpy_iterator()))
print(ds)
print(outcome(lambda: tf.data.Dataset.range(2).interleave(lambda x: tf.data.Dataset.range(2), cycle_length=0)))
print(outcome(lambda: tf.data.Dataset.range(2).interleave(lambda x: tf.data.Dataset.range(2), cycle_length=1, num_parallel_calls=2)))

# --- window
ds = tf.data.Dataset.range(7).window(3)
print(ds)
for window in ds:
    print(list(window.as_numpy_iterator()))
for window in tf.data.Dataset.range(7).window(3, 1, 1, True):
    print([int(x) for x in window])
for window in tf.data.Dataset.range(7).window(3, shift=2, stride=2):
    print([int(x) for x in window])
for window in tf.data.Dataset.range(10).window(2, shift=4, drop_remainder=True):
    print([int(x) for x in window])
print(len(tf.data.Dataset.range(7).window(3, 2, 1, True)), len(tf.data.Dataset.range(7).window(3, 2)))
ds = tf.data.Dataset.from_tensor_slices(([1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0])).window(2)
print(ds.element_spec)
for a, b in ds:
    print(list(a.as_numpy_iterator()), list(b.as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3]}).window(2)
for w in ds:
    print({k: list(v.as_numpy_iterator()) for k, v in w.items()})
print(outcome(lambda: tf.data.Dataset.range(3).window(0)))

# --- window_time_series
def make_window_dataset(ds, window_size=5, shift=1, stride=1):
    windows = ds.window(window_size, shift=shift, stride=stride)
    def sub_to_batch(sub):
        return sub.batch(window_size, drop_remainder=True)
    return windows.flat_map(sub_to_batch)
ds = make_window_dataset(tf.data.Dataset.range(20), window_size=4, shift=5, stride=2)
for example in ds.take(4):
    print(example.numpy())
dense = tf.data.Dataset.range(20).batch(5, drop_remainder=True).map(lambda b: (b[:-1], b[1:]))
for x, y in dense.take(2):
    print(x.numpy(), "=>", y.numpy())
series = tf.range(10)
ds = tf.data.Dataset.from_tensor_slices(series).window(4, shift=1, drop_remainder=True)
ds = ds.flat_map(lambda w: w.batch(4)).map(lambda w: (w[:-1], w[-1:])).shuffle(10, seed=1).batch(2).prefetch(1)
tf.random.set_seed(0)
for x, y in ds:
    print(x.shape, y.shape, int(tf.reduce_sum(y)))
ds = tf.data.Dataset.from_tensor_slices((tf.range(6), tf.range(6) * 10)).window(3, shift=3)
ds = ds.flat_map(lambda a, b: tf.data.Dataset.zip((a.batch(3), b.batch(3))))
print(list(ds.as_numpy_iterator()))

# --- reduce_scan
print(tf.data.Dataset.range(5).reduce(np.int64(0), lambda x, _: x + 1).numpy())
print(tf.data.Dataset.range(5).reduce(np.int64(0), lambda x, y: x + y).numpy())
print(tf.data.Dataset.range(5).reduce((0, 0.0), lambda s, x: (s[0] + 1, s[1] + tf.cast(x, tf.float32))))
print(tf.data.Dataset.range(4).reduce({"a": np.int64(1)}, lambda s, x: {"a": s["a"] * (x + 1)}))
print(tf.data.Dataset.range(3).reduce(tf.zeros([0], tf.int64), lambda s, x: tf.concat([s, [x]], 0)))
print(outcome(lambda: tf.data.Dataset.range(5).reduce(0, lambda x, y: x + y)))
ds = tf.data.Dataset.range(10).scan(tf.constant(0, tf.int64), lambda state, i: (state + i, state + i))
print(ds, list(ds.as_numpy_iterator()))
ds = tf.data.Dataset.range(5).scan((np.int64(0), np.int64(1)), lambda s, x: ((s[1], s[0] + s[1]), s[0]))
print(list(ds.as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range(3).scan(np.int64(0), lambda s, x: s)))
print(list(tf.data.Dataset.counter(start=2, step=3).take(3).as_numpy_iterator()), tf.data.Dataset.counter())
print(list(tf.data.experimental.Counter(start=10, step=-1).take(2).as_numpy_iterator()))

# --- take_while_unique
ds = tf.data.Dataset.range(10)
print(ds.take_while(lambda x: x < 5), list(ds.take_while(lambda x: x < 5).as_numpy_iterator()))
print(list(ds.apply(tf.data.experimental.take_while(lambda x: x != 3)).as_numpy_iterator()))
ds = tf.data.Dataset.from_tensor_slices([1, 37, 2, 37, 2, 1])
print(list(ds.unique().as_numpy_iterator()), list(ds.apply(tf.data.experimental.unique()).as_numpy_iterator()))
print(list(tf.data.Dataset.from_tensor_slices(["a", "b", "a"]).unique().as_numpy_iterator()))
print(outcome(lambda: ds.take_while(lambda x: x)))

# --- group_by_window
window_size = 5
key_func = lambda x: x % 2
reduce_func = lambda key, dataset: dataset.batch(window_size)
ds = tf.data.Dataset.range(10).group_by_window(key_func=key_func, reduce_func=reduce_func, window_size=window_size)
for elem in ds.as_numpy_iterator():
    print(elem)
print(ds)
ds = tf.data.Dataset.range(12).group_by_window(lambda x: x % 3, lambda k, d: d.map(lambda x: x * 100 + k).batch(10), window_size_func=lambda k: k + 1)
print(list(ds.as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range(3).group_by_window(key_func, reduce_func)))

# --- bucket_by_sequence_length
elements = [[0], [1, 2, 3, 4], [5, 6, 7], [7, 8, 9, 10, 11], [13, 14, 15, 16, 19, 20], [21, 22]]
ds = tf.data.Dataset.from_generator(lambda: elements, tf.int64, output_shapes=[None])
b = ds.bucket_by_sequence_length(element_length_func=lambda elem: tf.shape(elem)[0], bucket_boundaries=[3, 5], bucket_batch_sizes=[2, 2, 2])
print(b)
for elem in b.as_numpy_iterator():
    print(elem)
b = ds.filter(lambda x: tf.size(x) < 5).bucket_by_sequence_length(lambda elem: tf.shape(elem)[0], [3, 5], [2, 2, 2], pad_to_bucket_boundary=True, padding_values=np.int64(-1))
for elem in b.as_numpy_iterator():
    print(elem)
print(outcome(lambda: ds.bucket_by_sequence_length(lambda e: tf.shape(e)[0], [3], [2])))

# --- sample_and_choose
tf.random.set_seed(3)
a = [tf.data.Dataset.range(i * 100, i * 100 + 10) for i in range(3)]
d = tf.data.Dataset.sample_from_datasets(a, weights=[0.5, 0.3, 0.2], seed=7)
print(list(d.as_numpy_iterator()), d)
d = tf.data.Dataset.sample_from_datasets(a, seed=7, stop_on_empty_dataset=True)
print(list(d.as_numpy_iterator()))
d = tf.data.Dataset.sample_from_datasets(a[:2], weights=[0.0, 1.0])
print(list(d.as_numpy_iterator()))
datasets = [tf.data.Dataset.from_tensors("foo").repeat(), tf.data.Dataset.from_tensors("bar").repeat(), tf.data.Dataset.from_tensors("baz").repeat()]
choice = tf.data.Dataset.range(3).repeat(2)
print(list(tf.data.Dataset.choose_from_datasets(datasets, choice).as_numpy_iterator()))
d = tf.data.Dataset.choose_from_datasets([tf.data.Dataset.range(2), tf.data.Dataset.range(10, 16)], tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=True)
print(list(d.as_numpy_iterator()))
d = tf.data.Dataset.choose_from_datasets([tf.data.Dataset.range(2), tf.data.Dataset.range(10, 16)], tf.data.Dataset.range(2).repeat(), stop_on_empty_dataset=False)
print(list(d.as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.sample_from_datasets(a, weights=[1.0])))
print(outcome(lambda: tf.data.Dataset.sample_from_datasets([])))
print(outcome(lambda: tf.data.Dataset.choose_from_datasets(a, a[0].batch(2))))

# --- rejection_resample
tf.random.set_seed(3)
ds = tf.data.Dataset.range(40)
r = ds.rejection_resample(lambda x: tf.cast(x % 4 == 0, tf.int32), [0.5, 0.5], [0.75, 0.25], seed=3)
print([(int(a), int(b)) for a, b in r])
r = ds.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5], seed=3)
print(r.element_spec, [(int(a), int(b)) for a, b in r][:5])

# --- cardinality
ds = tf.data.Dataset.range(42)
print(ds.cardinality(), tf.data.experimental.cardinality(ds.repeat()).numpy(), ds.filter(lambda x: True).cardinality().numpy())
print((ds.repeat().cardinality() == tf.data.INFINITE_CARDINALITY).numpy(), tf.data.UNKNOWN_CARDINALITY)
print(outcome(lambda: len(ds.repeat())), outcome(lambda: len(ds.filter(lambda x: True))))
c = ds.filter(lambda x: True).apply(tf.data.experimental.assert_cardinality(42))
print(c.cardinality().numpy(), len(list(c)), c)
print(outcome(lambda: list(ds.apply(tf.data.experimental.assert_cardinality(40)))))
print(outcome(lambda: list(ds.apply(tf.data.experimental.assert_cardinality(44)))))
chain = [ds.batch(5), ds.batch(5, True), ds.shuffle(3), ds.map(lambda x: x), ds.cache(), ds.prefetch(2), ds.take(3), ds.skip(50),
         ds.flat_map(lambda x: tf.data.Dataset.range(2)), ds.window(4), ds.batch(4).unbatch(), ds.batch(6, True).unbatch(), ds.padded_batch(4), ds.enumerate(),
         ds.take_while(lambda x: True), ds.unique(), ds.scan(0, lambda s, x: (s, x)), ds.repeat(2), ds.concatenate(ds), tf.data.Dataset.zip(ds, ds.repeat()),
         ds.interleave(lambda x: tf.data.Dataset.range(2)), tf.data.Dataset.random(), ds.with_options(tf.data.Options()), ds.batch(4).rebatch(2)]
print([int(x.cardinality()) for x in chain])

# --- iterators
ds = tf.data.Dataset.range(3)
it = iter(ds)
print(next(it), it.get_next(), it.element_spec, isinstance(it, tf.data.Iterator), type(it).__name__)
print(it.get_next_as_optional().has_value().numpy(), it.get_next_as_optional().has_value().numpy())
print(outcome(it.get_next), outcome(lambda: next(it)), next(it, "default"))
print([int(x) for x in iter(ds)], iter(it) is it)
np_it = ds.as_numpy_iterator()
print(next(np_it), [x for x in np_it], outcome(lambda: next(np_it)))
arrays = list(tf.data.Dataset.from_tensors([1, 2]).as_numpy_iterator())
print(type(arrays[0]), arrays[0].flags.writeable)
print(outcome(lambda: tf.data.Dataset.range(3).window(2).as_numpy_iterator()))
print(bool(ds), isinstance(ds, tf.data.Dataset), outcome(lambda: tf.data.Dataset()))

# --- optionals
opt = tf.experimental.Optional.from_value(tf.constant([1, 2]))
print(opt.has_value(), opt.get_value(), opt.element_spec)
e = tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32))
print(e.has_value(), outcome(e.get_value), e.element_spec)
print(tf.OptionalSpec.from_value(opt))
opt = tf.experimental.Optional.from_value({"a": 1, "b": (2.0, "x")})
print(opt.get_value())
ds = tf.data.Dataset.from_tensor_slices((["a", "b"], [1, 2]))
it = iter(ds)
while True:
    o = it.get_next_as_optional()
    if not o.has_value():
        break
    print(o.get_value())

# --- get_single_element
print(tf.data.Dataset.from_tensors([1, 2]).get_single_element())
print(tf.data.Dataset.range(5).batch(5).map(lambda x: tf.reduce_sum(x)).get_single_element().numpy())
print(outcome(lambda: tf.data.Dataset.range(2).get_single_element()))
print(outcome(lambda: tf.data.Dataset.range(0).get_single_element()))
print(tf.data.experimental.get_single_element(tf.data.Dataset.range(1)))
print(tf.data.experimental.at(tf.data.Dataset.range(5), 3), tf.data.experimental.get_structure(tf.data.Dataset.range(1)))

# --- apply
def dataset_fn(ds):
    return ds.filter(lambda x: x < 5)
print(list(tf.data.Dataset.range(100).apply(dataset_fn).as_numpy_iterator()))
print(outcome(lambda: tf.data.Dataset.range(3).apply(lambda ds: 5)))
print(list(tf.data.Dataset.range(3).apply(tf.data.experimental.enumerate_dataset(1)).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).apply(tf.data.experimental.map_and_batch(lambda x: x * 2, 2)).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).batch(2).apply(tf.data.experimental.unbatch()).as_numpy_iterator()))
print(list(tf.data.Dataset.range(4).apply(tf.data.experimental.copy_to_device("/cpu:0")).as_numpy_iterator()))

# --- options
options = tf.data.Options()
print(options.deterministic, options.experimental_optimization.apply_default_optimizations, options.threading.private_threadpool_size)
print(options.experimental_distribute.auto_shard_policy, options.autotune.enabled, options.experimental_slack)
options.deterministic = False
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
options.threading.private_threadpool_size = 10
ds = tf.data.Dataset.range(3).with_options(options)
print(ds, list(ds.as_numpy_iterator()), ds.options().deterministic, ds.options().experimental_distribute.auto_shard_policy, ds.map(lambda x: x).options().threading.private_threadpool_size)
print(outcome(lambda: setattr(options, "deterministic", 3)))
print(outcome(lambda: setattr(options, "unknown", 3)))
print(outcome(lambda: setattr(ds.options(), "deterministic", True)))
other = tf.data.Options()
other.deterministic = True
print(options == other, options.merge(other).deterministic, tf.data.Options() == tf.data.Options())

# --- text_lines
import os, pathlib, tempfile
with tempfile.TemporaryDirectory() as folder:
    a, b = os.path.join(folder, "a.txt"), os.path.join(folder, "b.txt")
    pathlib.Path(a).write_bytes(b"first\nsecond\r\n\nlast")
    pathlib.Path(b).write_bytes(b"other\n")
    ds = tf.data.TextLineDataset(a)
    print(ds, list(ds.as_numpy_iterator()))
    print(list(tf.data.TextLineDataset([a, b]).as_numpy_iterator()))
    print(list(tf.data.TextLineDataset(tf.data.Dataset.from_tensor_slices([b, a])).as_numpy_iterator()))
    print(list(tf.data.TextLineDataset([a, b], num_parallel_reads=2).as_numpy_iterator()))
    print(list(tf.data.Dataset.from_tensor_slices([a, b]).interleave(tf.data.TextLineDataset, cycle_length=2).as_numpy_iterator()))
    print(list(tf.data.TextLineDataset(a).skip(1).filter(lambda s: tf.strings.length(s) > 0).map(lambda s: tf.strings.upper(s)).as_numpy_iterator()))
    print(outcome(lambda: list(tf.data.TextLineDataset(os.path.join(folder, "none")))))
    print(outcome(lambda: tf.data.TextLineDataset([1, 2])))
    import gzip
    pathlib.Path(a + ".gz").write_bytes(gzip.compress(b"zipped\nlines\n"))
    print(list(tf.data.TextLineDataset(a + ".gz", compression_type="GZIP").as_numpy_iterator()))

# --- records
import os, pathlib, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.tfrecord")
    with tf.io.TFRecordWriter(path) as w:
        for i in range(3):
            w.write(b"record %d" % i)
    ds = tf.data.TFRecordDataset(path)
    print(ds, list(ds.as_numpy_iterator()))
    print(list(tf.data.TFRecordDataset([path, path]).as_numpy_iterator()))
    print(list(tf.data.TFRecordDataset([path, path], num_parallel_reads=2).as_numpy_iterator()))
    print(outcome(lambda: list(tf.data.TFRecordDataset(os.path.join(folder, "none")))))
    with tf.io.TFRecordWriter(path, "GZIP") as w:
        w.write(b"zipped")
    print(list(tf.data.TFRecordDataset(path, compression_type="GZIP").as_numpy_iterator()))
    fixed = os.path.join(folder, "fixed")
    pathlib.Path(fixed).write_bytes(b"HEADaabbccFOOT")
    ds = tf.data.FixedLengthRecordDataset(fixed, 2, header_bytes=4, footer_bytes=4)
    print(ds, list(ds.as_numpy_iterator()))
    print(list(ds.map(lambda s: tf.io.decode_raw(s, tf.uint8)).as_numpy_iterator()))
    print(outcome(lambda: list(tf.data.FixedLengthRecordDataset(fixed, 4))))

# --- list_files
import os, pathlib, tempfile
tf.random.set_seed(2)
with tempfile.TemporaryDirectory() as folder:
    for name in ("c.txt", "a.txt", "b.py", "d.txt"):
        pathlib.Path(folder, name).touch()
    short = lambda ds: [os.path.basename(x).decode() for x in ds.as_numpy_iterator()]
    ds = tf.data.Dataset.list_files(os.path.join(folder, "*.txt"), shuffle=False)
    print(ds, short(ds))
    ds = tf.data.Dataset.list_files(os.path.join(folder, "*"), seed=3)
    print(ds, short(ds), short(ds))
    print(short(tf.data.Dataset.list_files([os.path.join(folder, "*.py"), os.path.join(folder, "a*")], shuffle=False)))
    print(outcome(lambda: tf.data.Dataset.list_files(os.path.join(folder, "*.none"))))

# --- csv
import os, pathlib, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.csv")
    pathlib.Path(path).write_text('name,age,score\n"Smith, J",41,1.5\nLee,,2.5\n"He said ""x""",7,\n')
    ds = tf.data.experimental.CsvDataset(path, [tf.string, tf.constant([0], tf.int32), [9.5]], header=True)
    print(ds)
    for row in ds:
        print(row)
    ds = tf.data.experimental.CsvDataset(path, [tf.constant([""]), tf.constant([0.0])], header=True, select_cols=[0, 2])
    print(list(ds.as_numpy_iterator()))
    ds = tf.data.experimental.CsvDataset(path, [tf.string, tf.int32, tf.float32], header=True)
    it = iter(ds)
    print(next(it))
    print(outcome(lambda: next(it)))
    ds = tf.data.experimental.make_csv_dataset(path, batch_size=2, num_epochs=1, shuffle=False)
    print(ds.element_spec)
    for batch in ds:
        for k, v in batch.items():
            print(k, v)
    ds = tf.data.experimental.make_csv_dataset(path, batch_size=3, label_name="age", num_epochs=1, shuffle=True, shuffle_seed=5, select_columns=["age", "score"])
    for features, label in ds:
        print(dict(features), label)
    print(outcome(lambda: tf.data.experimental.make_csv_dataset(path, 2, label_name="none")))

# --- save_load
import os, pathlib, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "saved")
    ds = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "yy", ""]})
    ds.save(path)
    back = tf.data.Dataset.load(path)
    print(sorted(back.element_spec.items()))
    for x in back:
        print(x["a"], x["b"])
    tf.data.Dataset.range(5).map(lambda x: (x, tf.cast(x, tf.float32) / 2)).save(os.path.join(folder, "other"), compression="GZIP")
    print(list(tf.data.Dataset.load(os.path.join(folder, "other"), compression="GZIP").as_numpy_iterator()))
    print(outcome(lambda: list(tf.data.Dataset.load(os.path.join(folder, "missing")))))
    s = tf.data.Dataset.range(4).snapshot(os.path.join(folder, "snap"))
    print(list(s.as_numpy_iterator()), list(s.as_numpy_iterator()))

# --- ragged_and_sparse
ds = tf.data.Dataset.range(1, 5).map(lambda n: tf.fill([n], n)).ragged_batch(2)
print(ds.element_spec)
for x in ds:
    print(x)
r = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])
ds = tf.data.Dataset.from_tensor_slices(r)
print(ds.element_spec)
for x in ds:
    print(x)
for x in ds.batch(2):
    print(x)
print(list(ds.map(lambda x: tf.reduce_sum(x)).as_numpy_iterator()))
ds = tf.data.Dataset.from_tensors(tf.sparse.from_dense([[1, 0], [0, 2]]))
print(ds.element_spec)
for x in ds.map(lambda s: tf.sparse.to_dense(s)):
    print(x)
for x in tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2], [3, 4]])).batch(2):
    print(tf.sparse.to_dense(x))
ds = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).apply(tf.data.experimental.dense_to_ragged_batch(2))
print([x.to_list() for x in ds])

# --- group_by_reducer
reducer = tf.data.experimental.Reducer(init_func=lambda _: (0.0, 0.0), reduce_func=lambda s, v: (s[0] + tf.cast(v, tf.float32), s[1] + 1), finalize_func=lambda s, n: s / n)
ds = tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_reducer(lambda x: x % 3, reducer))
print(list(ds.as_numpy_iterator()))

# --- dataset_spec
ds = tf.data.Dataset.range(3)
print(tf.data.DatasetSpec.from_value(ds), tf.data.DatasetSpec(ds.element_spec).element_spec)
print(ds.window(2).element_spec, ds.window(2).element_spec == tf.data.DatasetSpec(ds.element_spec))
print(tf.data.Dataset.from_tensors(ds).element_spec)
for inner in tf.data.Dataset.from_tensors(ds):
    print(list(inner.as_numpy_iterator()))
v = tf.data.experimental.to_variant(ds)
print(list(tf.data.experimental.from_variant(v, ds.element_spec).as_numpy_iterator()))

# --- strings_pipeline
ds = tf.data.Dataset.from_tensor_slices(["to be", "or not", "to be that"])
ds = ds.map(lambda s: tf.strings.split(s)).flat_map(tf.data.Dataset.from_tensor_slices)
print(list(ds.as_numpy_iterator()))
print(list(ds.unique().map(tf.strings.length).as_numpy_iterator()))

# --- feature_columns_by_hand
ds = tf.data.Dataset.from_tensor_slices({"x": np.arange(6.0, dtype=np.float32), "y": np.arange(6)})
ds = ds.map(lambda d: (tf.stack([d["x"], d["x"] ** 2]), d["y"])).batch(4)
for x, y in ds:
    print(x.numpy(), y.numpy())
print(ds.element_spec)
