# Mistakes with tf.function: what is raised, by what type and with which words.

# --- bool_without_autograph_message
# phrase: Using a symbolic `tf.Tensor` as a Python `bool` is not allowed
@tf.function(autograph=False)
def f(x):
    return 1 if x > 0 else 0
f(tf.constant(1))

# --- numpy_message
# phrase: numpy
@tf.function
def f(x):
    return x.numpy()
f(tf.constant(1))

# --- numpy_function_on_symbolic
# phrase: Cannot convert a symbolic tf.Tensor
@tf.function
def f(x):
    return np.sin(x)
f(tf.constant(1.0))

# --- conversions_to_python
results = []
def probe(name, call):
    @tf.function(autograph=False)
    def f(x):
        return call(x)
    print(name, outcome(lambda: f(tf.constant(1))))
probe("int", int)
probe("float", float)
probe("bool", bool)
probe("complex", complex)
probe("len", len)
probe("list", list)
probe("np.array", np.array)
probe("index", lambda x: [1, 2, 3][x])
probe("range", lambda x: range(x))
probe("hash", hash)
probe("str.format", lambda x: len("%d" % x))

# --- iterate_without_autograph
# phrase: Iterating over a symbolic `tf.Tensor` is not allowed
@tf.function(autograph=False)
def f(x):
    return [y for y in x]
f(tf.constant([1, 2]))

# --- unpack_a_tensor
@tf.function
def f(x):
    a, b = x
    return a + b
print(outcome(lambda: f(tf.constant([1, 2])).numpy()))

# --- shapes_while_tracing
for call in (lambda x: x + tf.ones([3]), lambda x: tf.matmul(x, x), lambda x: tf.reshape(x, [5]), lambda x: tf.concat([x, tf.ones([1, 1])], 0), lambda x: x @ tf.ones([3]), lambda x: tf.stack([x, tf.ones([3])]), lambda x: tf.reduce_sum(x, axis=5), lambda x: tf.transpose(x, [0, 1]), lambda x: tf.squeeze(x, 0), lambda x: tf.split(x, 3), lambda x: tf.expand_dims(x, 7), lambda x: tf.broadcast_to(x, [3]), lambda x: tf.gather(x, 0, axis=3), lambda x: tf.tile(x, [1, 2]), lambda x: tf.einsum("ij->i", x)):
    print(outcome(lambda: tf.function(call)(tf.ones([2]))))

# --- dtypes_while_tracing
for call in (lambda x: x + tf.constant(1), lambda x: tf.add(x, tf.constant(1)), lambda x: tf.matmul(x, tf.constant([[1]])), lambda x: tf.concat([x, [[1]]], 0), lambda x: tf.concat([x, tf.constant([[1]])], 0), lambda x: tf.sin(tf.cast(x, tf.int32)), lambda x: tf.logical_and(x, x), lambda x: x + "a", lambda x: x + 1.5, lambda x: x + None, lambda x: tf.where(x, 1, 2), lambda x: x[0.5], lambda x: x["a"], lambda x: x & x):
    print(outcome(lambda: tf.function(call)(tf.ones([1, 1]))))

# --- shapes_at_run_time
@tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
def add(x, y):
    return x + y
@tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None, None])])
def mul(x, y):
    return x @ y
@tf.function(input_signature=[tf.TensorSpec([None])])
def shape(x):
    return tf.reshape(x, [2, 2])
print(outcome(lambda: add(tf.ones([2]), tf.ones([3]))), outcome(lambda: mul(tf.ones([2, 3]), tf.ones([2, 3]))), outcome(lambda: shape(tf.ones([3]))))
print(add(tf.ones([2]), tf.ones([2])), shape(tf.ones([4])))

# --- index_out_of_range_at_run_time
@tf.function
def f(x, i):
    return x[i]
x = tf.constant([1, 2, 3])
print(f(x, tf.constant(1)), outcome(lambda: f(x, tf.constant(3))), outcome(lambda: f(x, tf.constant(-4))), f(x, tf.constant(-1)))

# --- index_out_of_range_while_tracing
@tf.function
def f(x):
    return x[5]
print(outcome(lambda: f(tf.constant([1, 2, 3]))))

# --- division_by_zero
@tf.function
def f(x, y):
    return x // y
print(outcome(lambda: f(tf.constant(1), tf.constant(0))), f(tf.constant(1.0), tf.constant(0.0)), f(tf.constant(4), tf.constant(2)))

# --- branch_structures_differ
for yes, no in ((lambda: 1, lambda: (1,)), (lambda: {"a": 1}, lambda: {"b": 1}), (lambda: 1, lambda: None), (lambda: [1], lambda: (1,)), (lambda: 1, lambda: 2.0), (lambda: tf.zeros([2]), lambda: tf.zeros([2, 2])), (lambda: None, lambda: None)):
    f = tf.function(lambda x: tf.cond(x, yes, no))
    print(outcome(lambda: tf.nest.flatten(f(tf.constant(True)))[0] is None))

# --- branch_with_argument
f = tf.function(lambda x: tf.cond(x > 0, lambda y: y, lambda: x))
print(outcome(lambda: f(tf.constant(1))))

# --- while_loop_mistakes
for c, b, v in ((lambda i: i < 3, lambda i: (i + 1, 1), (0,)), (lambda i: i < 3, lambda i: (tf.cast(i, tf.float32),), (0,)), (lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), (0, tf.zeros([1])))):
    f = tf.function(lambda: tf.while_loop(c, b, v))
    print(outcome(f))

# --- while_loop_shape_message
# phrase: shape_invariants
@tf.function
def f():
    return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), (0, tf.zeros([1])))
f()

# --- loop_variable_dtype_message
# phrase: has dtype int32 before the loop, but dtype float32 after one iteration
@tf.function
def f(n):
    x = 0
    for i in tf.range(n):
        x = tf.constant(0.5)
    return x
f(tf.constant(3))

# --- loop_variable_shape_message
# phrase: has shape (1,) before the loop, but shape (2,) after one iteration
@tf.function
def f(n):
    x = tf.zeros([1])
    for i in tf.range(n):
        x = tf.concat([x, x], 0)
    return x
f(tf.constant(3))

# --- branch_dtype_message
# phrase: has dtype int32 in the main branch, but dtype float32 in the else branch
@tf.function
def f(x):
    if x > 0:
        y = tf.constant(1)
    else:
        y = tf.constant(1.0)
    return y
f(tf.constant(1))

# --- loop_defined_inside
@tf.function
def f(n):
    for i in tf.range(n):
        y = i
    return y
print(f(tf.constant(3)), outcome(lambda: f(tf.constant(0))))

# --- loop_defined_inside_vector
@tf.function
def f(xs):
    for x in xs:
        y = x * 2.0
        z = {"a": y, "b": (x,)}
    return y, z
print(f(tf.constant([[1.0, 2.0], [3.0, 4.0]])))

# --- loop_none_before
@tf.function
def f(n):
    y = None
    for i in tf.range(n):
        y = i
    return y
print(f(tf.constant(3)), outcome(lambda: f(tf.constant(0))))

# --- branch_none_message
# phrase: 'y' is None at the end of the else branch
@tf.function
def f(x):
    y = None
    if x > 0:
        y = x
    return y
f(tf.constant(1))

# --- unbound_local
@tf.function
def f(x):
    if False:
        y = 1
    return y + x
print(outcome(lambda: f(tf.constant(1))))

# --- name_error
@tf.function
def f(x):
    return x + not_defined_anywhere
print(outcome(lambda: f(tf.constant(1))))

# --- attribute_error
@tf.function
def f(x):
    return x.not_there
print(outcome(lambda: f(tf.constant(1))))

# --- user_exception
class Mine(Exception):
    pass
@tf.function
def f(x):
    raise Mine("mine")
print(outcome(lambda: f(tf.constant(1))), outcome(lambda: f(tf.constant(1))))

# --- user_exception_message
# phrase: the value is bad
@tf.function
def f(x):
    raise ValueError("the value is bad")
f(tf.constant(1))

# --- exception_keeps_line_of_user
import traceback
@tf.function
def f(x):
    y = x + 1
    if x > 0:
        y = undefined_name
    return y
try:
    f(tf.constant(1))
except NameError:
    text = traceback.format_exc()
    print("undefined_name" in text, "line 6" in text)

# --- error_in_called_function_keeps_line
import traceback
def helper(x):
    for i in range(2):
        x = x + missing
    return x
@tf.function
def f(x):
    return helper(x)
try:
    f(tf.constant(1))
except NameError:
    text = traceback.format_exc()
    print("helper" in text, "line 4" in text)

# --- error_then_success
fail = [True]
@tf.function
def f(x):
    if fail[0]:
        raise RuntimeError("first time")
    return x + 1
print(outcome(lambda: f(tf.constant(1))))
fail[0] = False
print(f(tf.constant(1)))

# --- failing_trace_leaves_eager_mode
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        raise RuntimeError("inside a tape")
print(outcome(lambda: f(tf.constant(1))), tf.executing_eagerly(), tf.constant(1) + 1)

# --- not_callable
for x in (3, None, "f", [1]):
    print(outcome(lambda: tf.function(x)(1)) if x is not None else "decorator")

# --- generator_function
@tf.function
def f(x):
    yield x
print(outcome(lambda: f(tf.constant(1))))

# --- unhashable_argument
@tf.function
def f(x, s):
    return x
print(outcome(lambda: f(tf.constant(1), {1, 2}).numpy()), outcome(lambda: f(tf.constant(1), bytearray(b"a")).numpy()))

# --- object_with_eq_but_no_hash
class Odd:
    def __eq__(self, other):
        return True
@tf.function
def f(x, o):
    return x
print(outcome(lambda: f(tf.constant(1), Odd()).numpy()))

# --- tensor_in_python_container_key
@tf.function
def f(x):
    return {x: 1}
print(outcome(lambda: f(tf.constant(1))))

# --- different_graph_message
# phrase: out of scope
saved = []
@tf.function
def f(x):
    saved.append(x + 1)
    return x
f(tf.constant(1))
@tf.function
def g(x):
    return saved[0] + x
g(tf.constant(1))

# --- branch_tensor_leaks
saved = []
@tf.function
def f(x):
    def yes():
        saved.append(x * 2)
        return x
    y = tf.cond(x > 0, yes, lambda: -x)
    return y + saved[0]
print(outcome(lambda: f(tf.constant(1))))

# --- loop_tensor_leaks
saved = []
@tf.function
def f(n):
    for i in tf.range(n):
        saved.append(i)
    return saved[0]
print(outcome(lambda: f(tf.constant(1))))

# --- variable_initial_value_depends_on_argument
vs = []
@tf.function
def f(x):
    if not vs:
        vs.append(tf.Variable(x))
    return vs[0] + 1.0
print(outcome(lambda: f(tf.constant(3.0)).numpy()))

# --- assign_in_wrong_dtype
v = tf.Variable(1.0)
@tf.function
def f(x):
    return v.assign(x)
print(outcome(lambda: f(tf.constant(1))), outcome(lambda: f(tf.constant([1.0]))), outcome(lambda: f("a")), v.numpy())

# --- inplace_on_variable
v = tf.Variable(1.0)
@tf.function
def f(x):
    global v
    v += x
    return v
print(outcome(lambda: f(tf.constant(1.0))))

# --- tensor_array_mistakes
def a():
    ta = tf.TensorArray(tf.float32, size=2)
    return ta.write(5, 1.0).stack()
def b():
    ta = tf.TensorArray(tf.float32, size=2)
    return ta.write(0, 1).stack()
def c():
    ta = tf.TensorArray(tf.float32, size=2)
    ta = ta.write(0, [1.0, 2.0])
    return ta.write(1, [1.0]).stack()
def d():
    return tf.TensorArray(tf.float32, size=2).stack()
def e():
    return tf.TensorArray(tf.float32, size=2).read(1)
def g():
    return tf.TensorArray(tf.float32, size=2, element_shape=[2]).stack()
for one in (a, b, c, d, e, g):
    print(one.__name__, outcome(tf.function(one)), outcome(one))

# --- constant_of_symbolic
@tf.function
def f(x):
    return tf.constant(x)
print(outcome(lambda: f(tf.constant(1)).numpy()))

# --- constant_list_with_symbolic
@tf.function
def f(x):
    return tf.convert_to_tensor([x, x + 1]), tf.stack([x, 2])
print(f(tf.constant(1)), outcome(lambda: tf.function(lambda x: tf.constant([x, 1]))(tf.constant(1)).numpy()))

# --- shape_as_python_value
@tf.function(input_signature=[tf.TensorSpec([None])])
def f(x):
    return tf.zeros([x.shape[0]])
print(outcome(lambda: f(tf.ones([2]))))

# --- set_shape_wrong
@tf.function
def f(x):
    x.set_shape([3])
    return x
print(outcome(lambda: f(tf.ones([2]))))

# --- setting_an_item
@tf.function
def f(x):
    x[0] = 5
    return x
print(outcome(lambda: f(tf.ones([2]))))

# --- retracing_warning
import logging
records = []
class Keep(logging.Handler):
    def emit(self, record):
        records.append(record.getMessage())
handler = Keep()
logger = tf.get_logger()
logger.addHandler(handler)
@tf.function
def chatty(x):
    return x
for i in range(8):
    chatty(i)
logger.removeHandler(handler)
print(len(records) > 0, all("triggered tf.function retracing" in r for r in records), [r.split(" triggered")[0].split(" calls to")[0] for r in records])

# --- no_warning_for_few_traces
import logging
records = []
class Keep(logging.Handler):
    def emit(self, record):
        records.append(record.getMessage())
handler = Keep()
logger = tf.get_logger()
logger.addHandler(handler)
@tf.function
def quiet(x):
    return x
for i in range(3):
    quiet(i)
for i in range(20):
    quiet(tf.constant(i))
logger.removeHandler(handler)
print(records)
