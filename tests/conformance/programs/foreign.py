# Python code called as an op: py_function, numpy_function.

# --- py_function_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.py_function(lambda v: v * v + 1.0, [x], tf.float32)
print(y, tape.gradient(y, x))

# --- py_function_receives_tensors
def f(*args):
    print([(type(a).__name__.replace("EagerTensor", "Tensor"), a.dtype) for a in args])
    return args[0]
print(tf.py_function(f, [1, 2.5, np.array([1.0]), tf.constant("s"), tf.Variable(1)], tf.int32))

# --- py_function_outputs
f = lambda: None
for call in (lambda: tf.py_function(lambda: 1, [], tf.int32), lambda: tf.py_function(lambda: 1, [], [tf.int32]), lambda: tf.py_function(lambda: (1, 2.0), [], [tf.int32, tf.float32]), lambda: tf.py_function(lambda: (1, 2.0), [], (tf.int32, tf.float32)), lambda: tf.py_function(lambda: None, [], []), lambda: tf.py_function(lambda: None, [], None), lambda: tf.py_function(lambda: 1.5, [], tf.int32), lambda: tf.py_function(lambda: tf.constant(1.5), [], tf.int32), lambda: tf.py_function(lambda: 1, [], tf.float32), lambda: tf.py_function(lambda: np.float64(2), [], tf.float32), lambda: tf.py_function(lambda: tf.constant(2.0), [], tf.float64), lambda: tf.py_function(lambda: (1, 2), [], tf.int32), lambda: tf.py_function(lambda: 1, [], [tf.int32, tf.int32]), lambda: tf.py_function(lambda: (1, 2), [], [tf.int32]), lambda: tf.py_function(lambda: [1, 2], [], tf.int32), lambda: tf.py_function(lambda: "s", [], tf.string), lambda: tf.py_function(lambda: None, [], tf.int32), lambda: tf.py_function(lambda: [tf.constant(1)], [], tf.int32), lambda: tf.py_function(lambda: {"a": 1}, [], {"a": tf.int32}), lambda: tf.py_function(lambda: 1, [], tf.TensorSpec([], tf.int32)), lambda: tf.py_function(lambda: [1, 2], [], tf.TensorSpec([3], tf.int32))):
    print(outcome(call))

# --- py_function_arguments
for call in (lambda: tf.py_function(3, [], tf.int32), lambda: tf.py_function(lambda x: x, 3, tf.int32), lambda: tf.py_function(lambda x: x, tf.constant([1, 2]), tf.int32), lambda: tf.py_function(lambda x: x, [1], "int32"), lambda: tf.py_function(lambda x: x, [None], tf.int32), lambda: tf.py_function(lambda x: x), lambda: tf.py_function(lambda: 1, [2], tf.int32), lambda: tf.py_function(func=lambda x: x, inp=[1], Tout=tf.int32), lambda: tf.py_function(lambda x: x, (1,), tf.int32)):
    print(outcome(call))

# --- py_function_exceptions
def fail(error):
    raise error
for error in (ValueError("v"), TypeError("t"), KeyError("k"), StopIteration(), NotImplementedError("n"), ZeroDivisionError("z"), RuntimeError("r"), MemoryError(), tf.errors.OutOfRangeError(None, None, "o"), AssertionError("a")):
    print(outcome(lambda: tf.py_function(lambda: fail(error), [], tf.int32)), outcome(lambda: tf.numpy_function(lambda: fail(error), [], tf.int32)))

# --- py_function_decorator
@tf.py_function(Tout=tf.float32)
def g(x, y):
    return x + y
print(outcome(lambda: g(1.0, 2.0)))

# --- py_function_several_gradients
a, b = tf.Variable(2.0), tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    p, q = tf.py_function(lambda a, b: (a * b, tf.reduce_sum(b)), [a, b], [tf.float32, tf.float32])
    y = tf.reduce_sum(p) * q
print(tape.gradient(y, [a, b]))

# --- numpy_function
def f(x, n):
    print(type(x).__name__, type(n).__name__, getattr(x, "dtype", None), getattr(n, "dtype", None))
    return x * 2
print(tf.numpy_function(f, [tf.constant([1.0, 2.0]), tf.constant(3)], tf.float32))

# --- numpy_function_no_gradient
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.numpy_function(lambda v: v * v, [x], tf.float32)
print(y, tape.gradient(y, x))

# --- numpy_function_outputs
for call in (lambda: tf.numpy_function(lambda: 1, [], tf.int32), lambda: tf.numpy_function(lambda: 1, [], tf.int64), lambda: tf.numpy_function(lambda: np.int32(1), [], tf.int32), lambda: tf.numpy_function(lambda: np.int32(1), [], [tf.int32]), lambda: tf.numpy_function(lambda: (np.int32(1), np.float32(2)), [], [tf.int32, tf.float32]), lambda: tf.numpy_function(lambda: np.float64(1), [], tf.float32), lambda: tf.numpy_function(lambda: 1.5, [], tf.float32), lambda: tf.numpy_function(lambda: 1.5, [], tf.float64), lambda: tf.numpy_function(lambda: None, [], []), lambda: tf.numpy_function(lambda: None, [], tf.int32), lambda: tf.numpy_function(lambda: np.int32(1), [], [tf.int32, tf.int32]), lambda: tf.numpy_function(lambda: "s", [], tf.string), lambda: tf.numpy_function(lambda: b"s", [], tf.string), lambda: tf.numpy_function(lambda: ["a", "bc"], [], tf.string), lambda: tf.numpy_function(lambda: [np.float32(1), np.float32(2)], [], tf.float32), lambda: tf.numpy_function(lambda: tf.constant(1), [], tf.int32), lambda: tf.numpy_function(lambda: np.bool_(True), [], tf.bool), lambda: tf.numpy_function(lambda: [[1], [1, 2]], [], tf.int64)):
    print(outcome(call))

# --- numpy_function_arguments
for call in (lambda: tf.numpy_function(3, [], tf.int32), lambda: tf.numpy_function(lambda x: x, 3, tf.int32), lambda: tf.numpy_function(lambda x: x, [np.int32(1)], tf.int32, stateful=False, name="f"), lambda: tf.numpy_function(lambda x: x, [tf.constant("s")], tf.string), lambda: tf.numpy_function(lambda x: x, [None], tf.int32), lambda: tf.numpy_function(lambda x: np.array(x), [True], tf.bool)):
    print(outcome(call))

# --- numpy_function_string_input
print(tf.numpy_function(lambda s: print(repr(s)) or s, [tf.constant(["a", "b"])], tf.string), tf.numpy_function(lambda s: print(repr(s)) or s, [tf.constant("a")], tf.string))

# --- numpy_function_may_change_its_input
x = tf.constant([1.0, 2.0])
def f(a):
    try:
        a += 1.0
    except ValueError:
        return np.array([0.0, 0.0], np.float32)
    return a
print(tf.numpy_function(f, [x], tf.float32))

# --- vectorized_map_py_function
print(tf.vectorized_map(lambda x: tf.py_function(lambda v: v * v, [x], tf.float32), tf.constant([1.0, 2.0, 3.0])), tf.vectorized_map(lambda x: tf.numpy_function(lambda v: v * v, [x], tf.float32), tf.constant([1.0, 2.0, 3.0])))
