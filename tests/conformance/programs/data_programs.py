# tf.data inside tf.function, with tapes, and in whole training programs.

# --- for_in_function
@tf.function
def total(ds):
    s = tf.constant(0, tf.int64)
    for x in ds:
        s += x
    return s
ds = tf.data.Dataset.range(5)
print(total(ds), total(ds.map(lambda x: x * 2)), total.experimental_get_tracing_count())

# --- for_over_captured
ds = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [2, 3, 4]))
@tf.function
def f():
    s = 0.0
    for x, n in ds:
        if n == 3:
            continue
        s += x * tf.cast(n, tf.float32)
    return s
print(f(), f())

# --- break_and_else
@tf.function
def f(ds):
    last = tf.constant(-1, tf.int64)
    for x in ds:
        if x > 3:
            break
        last = x
    return last
print(f(tf.data.Dataset.range(10)), f(tf.data.Dataset.range(2)), f(tf.data.Dataset.range(0)))

# --- enumerate_in_function
@tf.function
def f(ds):
    s = tf.constant(0, tf.int64)
    for i, (a, b) in ds.enumerate():
        s += i * a + b
    return s
print(f(tf.data.Dataset.from_tensor_slices((tf.constant([1, 2, 3], tf.int64), tf.constant([4, 5, 6], tf.int64)))))
@tf.function
def g(ds):
    s = tf.constant(0, tf.int64)
    for i, a in enumerate(ds):
        s += i * a
    return s
print(g(tf.data.Dataset.range(4)))

# --- nested_loops
@tf.function
def f(n):
    s = tf.constant(0, tf.int64)
    for x in tf.data.Dataset.range(n):
        for y in tf.data.Dataset.range(x):
            s += x * y
    return s
print(f(tf.constant(4, tf.int64)))

# --- iterators_in_functions
ds = tf.data.Dataset.range(6)
it = iter(ds)
@tf.function
def step(iterator):
    return next(iterator) + iterator.get_next()
print(step(it), step(it), next(it))
@tf.function
def captured():
    return next(it)
print(captured(), outcome(captured))
@tf.function
def own():
    it = iter(ds)
    return next(it), next(it)
print(own(), own())

# --- iterator_loop
@tf.function
def f(iterator, n):
    s = tf.constant(0, tf.int64)
    for _ in tf.range(n):
        s += next(iterator)
    return s
it = iter(tf.data.Dataset.range(100))
print(f(it, tf.constant(3)), f(it, tf.constant(2)), next(it))
@tf.function
def g(iterator):
    s = tf.constant(0, tf.int64)
    for x in iterator:
        s += x
        if s > 20:
            break
    return s
print(g(it), next(it))

# --- out_of_range_in_function
@tf.function
def f(iterator):
    return next(iterator)
it = iter(tf.data.Dataset.range(1))
print(f(it))
print(outcome(f, it))

# --- optional_in_function
@tf.function
def f(iterator):
    o = iterator.get_next_as_optional()
    if o.has_value():
        return o.get_value()
    return tf.constant(-1, tf.int64)
it = iter(tf.data.Dataset.range(2))
print(f(it), f(it), f(it))

# --- reduce_in_function
@tf.function
def f(n):
    ds = tf.data.Dataset.range(n).map(lambda x: x * n)
    return ds.reduce(tf.constant(0, tf.int64), lambda s, x: s + x)
print(f(tf.constant(4, tf.int64)), f(tf.constant(5, tf.int64)))
@tf.function
def g(x):
    return tf.data.Dataset.from_tensor_slices(x).batch(2).map(lambda b: tf.reduce_sum(b)).get_single_element()
print(g(tf.constant([1, 2])))

# --- dataset_returned
@tf.function
def make(n):
    return tf.data.Dataset.range(n).map(lambda x: x + n)
ds = make(tf.constant(3, tf.int64))
print(list(ds.as_numpy_iterator()), ds)
@tf.function
def change(ds):
    return ds.filter(lambda x: x > 3)
print(list(change(ds).as_numpy_iterator()))

# --- shuffle_in_function
@tf.function
def f():
    out = tf.TensorArray(tf.int64, 6)
    for i, x in tf.data.Dataset.range(6).shuffle(3, seed=9).enumerate():
        out = out.write(tf.cast(i, tf.int32), x)
    return out.stack()
tf.random.set_seed(3)
print(f(), f())

# --- cardinality_in_function
@tf.function
def f(ds):
    return ds.cardinality()
print(f(tf.data.Dataset.range(7)), f(tf.data.Dataset.range(7).repeat()))

# --- gradient_in_loop
w = tf.Variable(2.0)
data = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [3.0, 5.0, 7.0]))
@tf.function
def train(ds):
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = (w * x - y) ** 2
        w.assign_sub(0.01 * tape.gradient(loss, w))
    return w.read_value()
print(train(data), train(data))

# --- linear_regression
tf.random.set_seed(0)
np.random.seed(0)
X = np.random.randn(100, 2).astype(np.float32)
Y = (X @ np.array([[2.0], [-3.0]], np.float32) + 0.5).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices((X, Y)).shuffle(100, seed=1).batch(10).prefetch(tf.data.AUTOTUNE)
W, b = tf.Variable(tf.zeros([2, 1])), tf.Variable(0.0)
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ W + b - y) ** 2)
    gW, gb = tape.gradient(loss, [W, b])
    W.assign_sub(0.1 * gW)
    b.assign_sub(0.1 * gb)
    return loss
for epoch in range(3):
    losses = [step(x, y).numpy() for x, y in ds]
    print(epoch, np.mean(losses))
print(W.numpy().ravel(), b.numpy())

# --- tape_around_iteration
v = tf.Variable(3.0)
ds = tf.data.Dataset.range(3).map(lambda x: tf.cast(x, tf.float32) * v)
with tf.GradientTape() as tape:
    y = sum(x * v for x in ds)
print(y, tape.gradient(y, v))

# --- images
images = np.arange(2 * 4 * 4, dtype=np.uint8).reshape(2, 4, 4, 1)
labels = np.array([3, 7])
def prep(image, label):
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.flip_left_right(image)
    return image, tf.one_hot(label, 10)
ds = tf.data.Dataset.from_tensor_slices((images, labels)).map(prep, num_parallel_calls=tf.data.AUTOTUNE).batch(2)
for x, y in ds:
    print(x.shape, y.numpy(), x.numpy()[0, 0, :, 0])
print(ds.element_spec)

# --- training_epochs_counted
ds = tf.data.Dataset.range(10).batch(4).repeat(2)
steps = 0
for step, x in enumerate(ds):
    steps += 1
print(steps, len(ds))
for step, x in ds.enumerate().take(2):
    print(step, x)

# --- text_vectors
vocab = tf.constant(["a", "b", "c"])
ds = tf.data.Dataset.from_tensor_slices(["a c", "b", "c c a"])
ds = ds.map(lambda s: tf.cast(tf.argmax(tf.cast(tf.strings.split(s)[:, None] == vocab[None], tf.int32), axis=1), tf.int32))
for x in ds.padded_batch(3, padding_values=-1):
    print(x.numpy())

# --- function_as_map
@tf.function
def f(x):
    return x * x + 1
print(list(tf.data.Dataset.range(4).map(f).as_numpy_iterator()))
class M(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)
    def __call__(self, x):
        return self.w * tf.cast(x, tf.float32)
m = M()
print(list(tf.data.Dataset.range(3).map(m).as_numpy_iterator()))

# --- class_method_maps
class Pipeline:
    scale = 3
    def apply(self, x):
        return x * self.scale
    def dataset(self):
        return tf.data.Dataset.range(4).map(self.apply)
print(list(Pipeline().dataset().as_numpy_iterator()))

# --- artificial_dataset
class ArtificialDataset(tf.data.Dataset):
    def _generator(num_samples):
        for sample_idx in range(num_samples):
            yield (sample_idx,)
    def __new__(cls, num_samples=3):
        return tf.data.Dataset.from_generator(cls._generator, output_signature=tf.TensorSpec(shape=(1,), dtype=tf.int64), args=(num_samples,))
print(list(ArtificialDataset().as_numpy_iterator()), list(ArtificialDataset(2).as_numpy_iterator()))

# --- distinct_datasets_do_not_retrace
traces = []
@tf.function
def f(ds):
    traces.append(1)
    return ds.reduce(tf.constant(0.0), lambda s, x: s + x)
a = tf.data.Dataset.from_tensor_slices([1.0, 2.0])
print(f(a), f(a.map(lambda x: x * 3)), f(a.repeat(2)), len(traces))
print(f(tf.data.Dataset.from_tensor_slices([5.0])), len(traces))

# --- loop_variables
@tf.function
def f(ds):
    m = tf.constant(-1, tf.int64)
    n = 0
    for x in ds:
        if x > m:
            m = x
        n += 1
    return m, n
print(f(tf.data.Dataset.from_tensor_slices(tf.constant([3, 9, 2], tf.int64))))

# --- while_with_iterator
@tf.function
def f(it):
    s = tf.constant(0, tf.int64)
    while s < 10:
        s += next(it)
    return s
print(f(iter(tf.data.Dataset.range(1, 100))))

# --- py_generator_state
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
ds = tf.data.Dataset.from_generator(fib, output_signature=tf.TensorSpec((), tf.int64))
print(list(ds.take(8).as_numpy_iterator()), list(ds.skip(3).take(3).as_numpy_iterator()))
for batch in ds.batch(3).take(2):
    print(batch)

# --- train_val_split
ds = tf.data.Dataset.range(10).shuffle(10, seed=5, reshuffle_each_iteration=False)
tf.random.set_seed(1)
val, train = ds.take(3), ds.skip(3)
v, t = set(val.as_numpy_iterator()), set(train.as_numpy_iterator())
print(len(v), len(t), v & t)

# --- mixup
a = tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32))
b = a.map(lambda x: x + 10)
ds = tf.data.Dataset.zip((a, b)).map(lambda x, y: 0.25 * x + 0.75 * y).batch(4)
print(ds.get_single_element())

# --- builtins_on_datasets
@tf.function
def f(a, b):
    s = tf.constant(0, tf.int64)
    for x, y in zip(a, b):
        s += x * y
    for x in map(lambda v: v * 10, a):
        s += x
    return s
a, b = tf.data.Dataset.range(1, 4), tf.data.Dataset.range(4, 7)
print(f(a, b))

# --- optional_as_argument
@tf.function
def f(o):
    return tf.cond(o.has_value(), lambda: o.get_value() + 1, lambda: tf.constant(0, tf.int64))
it = iter(tf.data.Dataset.range(1))
print(f(it.get_next_as_optional()), f(it.get_next_as_optional()))
@tf.function
def g(x):
    return tf.experimental.Optional.from_value((x, x * 2))
print(g(tf.constant(3)).get_value(), g(tf.constant(3)).has_value())

# --- optional_loop
@tf.function
def f(it):
    o = it.get_next_as_optional()
    s = tf.constant(0, tf.int64)
    while o.has_value():
        s += o.get_value()
        o = it.get_next_as_optional()
    return s
print(f(iter(tf.data.Dataset.range(5))))

# --- batches_of_unknown_size
@tf.function(reduce_retracing=True)
def f(x):
    return tf.reduce_sum(x)
print([float(f(b)) for b in tf.data.Dataset.from_tensor_slices(tf.range(7.0)).batch(3)])
@tf.function
def g(ds):
    s = 0.0
    n = 0
    for b in ds:
        s += tf.reduce_mean(b)
        n += tf.shape(b)[0]
    return s, n
print(g(tf.data.Dataset.from_tensor_slices(tf.range(7.0)).batch(3)))

# --- py_function_in_dataset_of_strings
def load(path):
    return np.frombuffer(path, np.uint8).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices(["ab", "c"])
def wrapped(p):
    x = tf.numpy_function(load, [p], tf.float32)
    x.set_shape([None])
    return x
ds = ds.map(wrapped)
print(ds.element_spec)
for x in ds.padded_batch(2):
    print(x)

# --- captured_tensors
k = tf.constant([1, 2, 3])
table = {"a": 5}
ds = tf.data.Dataset.range(3).map(lambda i: tf.gather(k, i) * table["a"])
table["a"] = 7
print(list(ds.as_numpy_iterator()))

# --- executing_eagerly_inside
flags = []
def f(x):
    flags.append(tf.executing_eagerly())
    return x
list(tf.data.Dataset.range(2).map(f))
print(flags, tf.executing_eagerly())

# --- gradient_through_elements
ds = tf.data.Dataset.from_tensors(tf.constant([1.0, 2.0]))
for x in ds:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x ** 3)
    print(tape.gradient(y, x))

# --- accumulate_gradients
w = tf.Variable([1.0, -1.0])
ds = tf.data.Dataset.from_tensor_slices((tf.reshape(tf.range(12.0), [6, 2]), tf.range(6.0))).batch(2)
total = tf.zeros_like(w)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    total += tape.gradient(loss, w)
print(total / 3)

# --- early_stop_and_resume
it = iter(tf.data.Dataset.range(10).batch(3))
for i, x in enumerate(it):
    if i == 1:
        break
print(next(it), [len(x) for x in it])
