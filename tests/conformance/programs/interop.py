# Tensors among NumPy, the standard library and Python's protocols.

# --- pickle_tensor
import pickle
x = tf.constant([[1.5, 2.5]])
y = pickle.loads(pickle.dumps(x))
print(y, isinstance(y, tf.Tensor))

# --- pickle_variable
import pickle
v = tf.Variable([1.0, 2.0], name="w", trainable=False)
w = pickle.loads(pickle.dumps(v))
w.assign_add([1.0, 1.0])
print(w, w.trainable, v.numpy())

# --- pickle_dtype_shape_spec
import pickle
for value in (tf.float32, tf.TensorShape([2, None]), tf.TensorSpec([None], tf.int32)):
    print(pickle.loads(pickle.dumps(value)) == value)

# --- deepcopy_nested
import copy
state = {"w": tf.Variable([1.0]), "x": [tf.constant(2.0)]}
other = copy.deepcopy(state)
other["w"].assign([9.0])
print(state["w"].numpy(), other["w"].numpy(), other["x"])

# --- numpy_ufuncs
x = tf.constant([1.0, 4.0, 9.0])
print(np.sqrt(x), np.add(x, 1), np.maximum(x, 5.0), np.square(x).dtype, type(np.log(x)).__name__)

# --- numpy_reductions
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(np.sum(x, axis=0), np.mean(x), np.max(x), np.argmax(x), np.std(x), np.linalg.norm(x), np.prod(x.shape))

# --- numpy_comparisons_and_tests
x = tf.constant([1.0, 2.0])
print(np.allclose(x, [1.0, 2.0]), np.array_equal(x, x), np.isnan(x).any(), np.all(x > 0), np.where(x > 1))
np.testing.assert_allclose(x, [1.0, 2.0])

# --- numpy_stacking
a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
print(np.stack([a, b]), np.concatenate([a, b]), np.vstack((a, b)).shape, np.array([a, b]).shape, np.array([tf.constant(1), tf.constant(2)]))

# --- numpy_indexing_with_tensors
n = np.arange(10) * 10
print(n[tf.constant(3)], n[tf.constant([1, 2])], n[tf.constant(2):tf.constant(5)])

# --- numpy_boolean_index
n = np.array([1.0, -2.0, 3.0])
print(n[tf.constant([True, False, True])], n[tf.constant([1.0, -1.0, 2.0]) > 0])

# --- numpy_assignment_from_tensors
n = np.zeros((2, 2), np.float32)
n[0] = tf.constant([1.0, 2.0])
n[1, 1] = tf.constant(7.0)
print(n)

# --- numpy_operator_left_gives_tensor
t = tf.constant([1.0, 2.0])
r = np.array([1.0, 2.0], np.float32) + t
s = np.float32(3) * t
print(tf.is_tensor(r), tf.is_tensor(s), r, s)

# --- numpy_comparison_operators
t = tf.constant([1.0, 2.0])
r = np.array([1.0, 3.0], np.float32) < t
print(tf.is_tensor(r), r, np.array([1.0, 2.0], np.float32) == t)

# --- numpy_matmul_left
m = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
t = tf.constant([[1.0], [1.0]])
print(m @ t, tf.is_tensor(m @ t), t + m)

# --- numpy_int_array_with_float_tensor
print(outcome(lambda: tf.constant([1.0, 2.0]) * np.array([1, 2])), outcome(lambda: np.array([1, 2]) * tf.constant([1.0, 2.0])))
print(outcome(lambda: tf.constant([1, 2]) * np.array([1.5, 2.5])), outcome(lambda: tf.constant([1, 2]) * np.array([1, 2])))

# --- numpy_scalar_operands
t = tf.constant([1.0, 2.0])
print(t * np.float64(0.5), np.float64(0.5) * t, t + np.int64(1), t / np.float32(2), outcome(lambda: tf.constant([1, 2]) * np.float32(1.5)))

# --- numpy_zero_dim_array
t = tf.constant(2.0)
print(t * np.array(3.0, np.float32), tf.constant(np.array(3.0)), np.array(t).shape, np.float32(t))

# --- numpy_random_into_tensors
rng = np.random.default_rng(0)
X = rng.normal(size=(4, 2)).astype(np.float32)
w = tf.Variable([[1.0], [2.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_mean((X @ w) ** 2)
print(y.dtype, tape.gradient(y, w).shape)

# --- numpy_float64_data_into_float32_model
X = np.array([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([[1.0], [1.0]])
print(outcome(lambda: tf.matmul(X, w)), outcome(lambda: X @ w), outcome(lambda: tf.matmul(tf.cast(X, tf.float32), w)))

# --- numpy_views_and_strides
a = np.arange(12, dtype=np.float32).reshape(3, 4)
print(tf.constant(a.T), tf.constant(a[::2, ::-1]), tf.constant(np.asfortranarray(a)).shape)

# --- numpy_big_endian_and_readonly
a = np.arange(3, dtype=">f4")
b = np.arange(3, dtype=np.float32)
b.setflags(write=False)
print(outcome(lambda: tf.constant(a)), tf.constant(b))

# --- numpy_result_is_float_sum
x = tf.Variable([1.0, 2.0])
print(x.numpy().sum(), x.numpy() * 2, x.numpy().tolist(), (x.numpy() > 1).any())

# --- math_module
import math
x = tf.constant(2.25)
print(math.sqrt(x), math.floor(x), math.isclose(x, 2.25), math.exp(tf.constant(0.0)))

# --- builtins
x = tf.constant([3, 1, 2])
print(list(x.numpy()), max(x.numpy()), [int(i) for i in x], sum(int(i) for i in x), len(x), any(x > 2), all(x > 0))

# --- range_and_repeat_with_tensors
n = tf.constant(3)
print(list(range(n)), [0] * int(n), "ab" * int(n), np.zeros(n), np.arange(n))

# --- json_and_format
import json
loss = tf.constant(0.125)
print(json.dumps({"loss": float(loss)}), outcome(lambda: json.dumps({"loss": loss})), f"{float(loss):.3f}", "{:5.2f}".format(loss), round(float(loss), 2))

# --- dict_with_tensor_values
d = {"loss": tf.constant(1.5), "step": tf.constant(3)}
print({k: v.numpy().item() for k, v in d.items()}, {k: float(v) for k, v in d.items()})

# --- list_append_and_stack
history = []
x = tf.Variable(1.0)
for _ in range(3):
    history.append(x.numpy())
    x.assign(x * 2)
print(history, tf.stack(history), np.mean(history))

# --- history_of_tensors
history = []
x = tf.Variable(1.0)
for _ in range(3):
    history.append(x.read_value())
    x.assign(x * 2)
print(tf.stack(history), [float(h) for h in history])

# --- history_of_the_variable_itself
history = []
x = tf.Variable(1.0)
for _ in range(3):
    history.append(x)
    x.assign(x * 2)
print([float(h.numpy()) for h in history])

# --- zip_and_enumerate
names, grads = ["w", "b"], [tf.constant([1.0]), tf.constant(2.0)]
for i, (n, g) in enumerate(zip(names, grads)):
    print(i, n, g.numpy(), g.shape)

# --- sorted_by_tensor_key
xs = [tf.constant(3.0), tf.constant(1.0), tf.constant(2.0)]
print([float(x) for x in sorted(xs)], float(max(xs)), float(min(xs, key=lambda t: -t)))

# --- functools_reduce_and_sum
import functools
import operator
xs = [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.constant([5.0, 6.0])]
print(functools.reduce(operator.add, xs), sum(xs), functools.reduce(operator.mul, xs))

# --- operator_module
import operator
a, b = tf.constant([5, 6]), tf.constant([2, 3])
print(operator.floordiv(a, b), operator.mod(a, b), operator.lt(a, b), operator.neg(a), operator.getitem(a, 1), operator.pow(a, b))

# --- itertools_and_unpacking
a, *rest = tf.constant([1, 2, 3])
(p, q), (r, s) = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(a, [int(x) for x in rest], float(q), float(s))

# --- tensors_in_sets_refused
print(outcome(lambda: {tf.constant(1), tf.constant(2)}), outcome(lambda: {tf.constant(1): "a"}), outcome(lambda: set([tf.Variable(1.0)])))

# --- id_and_is
a = tf.constant(1.0)
b = a
c = a + 0
print(a is b, a is c, a in [a], any(a is t for t in [c, b]))

# --- weakref
import weakref
x = tf.constant([1.0])
v = tf.Variable(1.0)
print(weakref.ref(x)() is x, weakref.ref(v)() is v)

# --- namedtuple_and_dataclass
import collections
import dataclasses
Params = collections.namedtuple("Params", ["w", "b"])
p = Params(tf.Variable(2.0), tf.Variable(1.0))
with tf.GradientTape() as tape:
    y = p.w * 3.0 + p.b
print(tape.gradient(y, p))

# --- dataclass_of_variables
import dataclasses
@dataclasses.dataclass
class P:
    w: object
    b: object
p = P(tf.Variable(2.0), tf.Variable(1.0))
with tf.GradientTape() as tape:
    y = p.w * 3.0 + p.b
print(tape.gradient(y, [p.w, p.b]))

# --- ordereddict_sources
from collections import OrderedDict
p = OrderedDict([("z", tf.Variable(1.0)), ("a", tf.Variable(2.0))])
with tf.GradientTape() as tape:
    y = p["z"] * p["a"] ** 2
g = tape.gradient(y, p)
print(type(g).__name__, list(g), g["z"], g["a"])

# --- context_manager_state
import contextlib
with contextlib.ExitStack() as stack:
    tape = stack.enter_context(tf.GradientTape())
    x = tf.constant(2.0)
    tape.watch(x)
    y = x ** 3
print(tape.gradient(y, x))

# --- generator_functions
def batches(x, n):
    for i in range(0, len(x), n):
        yield x[i:i + n]
x = tf.range(5.0)
print([float(tf.reduce_sum(b)) for b in batches(x, 2)])

# --- lambda_closures
x = tf.Variable(3.0)
losses = [lambda k=k: x ** k for k in (1, 2, 3)]
for loss in losses:
    with tf.GradientTape() as tape:
        y = loss()
    print(tape.gradient(y, x))

# --- exception_in_function_restores
x = tf.Variable(2.0)
def bad():
    with tf.GradientTape() as tape:
        y = x * x
        raise ValueError("inside")
for _ in range(3):
    print(outcome(bad))
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient(y, x), len(tape.watched_variables()))

# --- thread_pool_gradients
from concurrent.futures import ThreadPoolExecutor
def work(v):
    x = tf.Variable(v)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x ** 3
        g = inner.gradient(y, x)
    return float(outer.gradient(g, x))
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(work, [1.0, 2.0, 3.0, 4.0])))

# --- string_methods_of_numpy
s = tf.constant(["b", "a"])
print(sorted(s.numpy()), s[0].numpy().decode(), tf.constant("x").numpy() == b"x")

# --- type_checks
import numbers
x = tf.constant(1.0)
print(isinstance(x, (int, float)), isinstance(x, numbers.Number), isinstance(x.numpy(), float), isinstance(tf.constant([1.0]).numpy(), np.ndarray), callable(x), hasattr(x, "__array__"), hasattr(x, "__iter__"))

# --- dtype_interop
print(np.dtype("float32") == tf.float32, tf.float32 == np.dtype("float32"), tf.as_dtype(np.dtype("int64")), np.zeros(1, tf.float32.as_numpy_dtype).dtype, np.array([1], dtype=tf.int8.as_numpy_dtype))

# --- shape_interop
x = tf.zeros([2, 3])
print(np.ones(x.shape).shape, np.reshape(np.arange(6), x.shape).shape, tuple(x.shape) == (2, 3), x.shape == np.ones((2, 3)).shape, list(x.shape) == [2, 3], x.shape[0] == 2)

# --- dlpack_round_trip
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
n = np.from_dlpack(x)
print(n, n.dtype)

# --- array_interface_keywords
x = tf.constant([1.0, 2.0])
print(np.array(x, dtype=np.int32), np.asarray(x, dtype=object).dtype, np.array(x, copy=True), np.asanyarray(x).dtype)
# --- modules_of_values
x, v = tf.constant([1.0, 2.0]), tf.Variable(1.0)
def say(*values):
    for value in values:
        print(type(value).__module__, type(value).__name__)
say(x, v, x.dtype, x.shape, x.shape.dims[0], v.assign(2.0))
@tf.function
def f(a, variable):
    say(a, variable, v)
    return a * variable
f(x, v)
print({type(one).__module__ for one in [
    f(x, v), tf.vectorized_map(lambda a: say(a.dtype) or a, x)]})

# --- truth_by_the_class_of_tensors
class Like:
    def __init__(self, value):
        self.value = value
    def __bool__(self):
        return tf.Tensor.__bool__(self.value)
print(bool(tf.constant(True)), outcome(bool, Like(tf.constant(True))))
print(outcome(tf.Tensor.__nonzero__, tf.constant(0.0)))

# --- pickle_public_functions
import pickle
for function in (tf.image.resize, tf.nn.conv2d, tf.strings.join, tf.linalg.solve, tf.signal.stft,
                 tf.nn.softmax, tf.range, tf.slice, tf.io.read_file, tf.autograph.to_code):
    print(pickle.loads(pickle.dumps(function)) is function)
