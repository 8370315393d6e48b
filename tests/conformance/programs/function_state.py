# State and effects in tf.function: variables, order, random numbers, printing, Python functions.

# --- counter
v = tf.Variable(0)
@tf.function
def f():
    return v.assign_add(1)
print(f().numpy(), f().numpy(), v.numpy())

# --- assign_returned_shows_the_end
v = tf.Variable(1.0)
@tf.function
def f():
    a = v.assign(2.0)
    b = v.assign_add(5.0)
    return a, b
print(f(), v.numpy())

# --- program_order
v = tf.Variable(0.0)
@tf.function
def f(x):
    out = []
    for k in (1.0, 2.0, 3.0):
        v.assign(v * 10.0 + k)
        out.append(v + x)
    return out
print(f(tf.constant(0.5)), v.numpy())

# --- eager_sees_updates
v = tf.Variable([1.0, 2.0])
@tf.function
def f():
    v.assign(v * 2.0)
f()
v.assign_add([1.0, 1.0])
f()
print(v.numpy())

# --- old_reads_keep_their_value
v = tf.Variable([1.0])
@tf.function
def f():
    a = v.read_value()
    b = tf.identity(v)
    c = v + 0.0
    v.assign([5.0])
    return a, b, c, v.read_value()
print(f())

# --- update_in_branch
v = tf.Variable(0)
@tf.function
def f(x):
    if x > 0:
        v.assign_add(x)
    else:
        v.assign(0)
    return v.read_value()
print(f(tf.constant(3)), f(tf.constant(4)), f(tf.constant(-1)), v.numpy())

# --- update_in_loop
v = tf.Variable(1)
@tf.function
def f(n):
    for i in tf.range(n):
        v.assign(v * 2 + i)
    return v.read_value()
print(f(tf.constant(4)), v.numpy())

# --- update_in_while_condition_reads
v = tf.Variable(10)
@tf.function
def f():
    n = 0
    while v > 0:
        v.assign_sub(3)
        n += 1
    return n
print(f(), v.numpy())

# --- two_variables_in_loop_with_branch
a, b = tf.Variable(0), tf.Variable(0)
@tf.function
def f(n):
    for i in tf.range(n):
        if i % 2 == 0:
            a.assign_add(i)
        else:
            b.assign_add(i)
f(tf.constant(6))
print(a.numpy(), b.numpy())

# --- variable_created_on_first_call
made = None
@tf.function
def f(x):
    global made
    if made is None:
        made = tf.Variable(x * 0.0 + 5.0) if False else tf.Variable(5.0)
    return made.assign_add(x)
print(f(tf.constant(1.0)).numpy(), f(tf.constant(2.0)).numpy(), made.numpy())

# --- variable_created_twice
# phrase: tf.function only supports singleton tf.Variables created on the first call
@tf.function
def f(x):
    v = tf.Variable(1.0)
    return x + v
f(tf.constant(1.0))

# --- variable_created_on_second_trace
vs = []
@tf.function
def f(x):
    if len(vs) < 2:
        vs.append(tf.Variable(1.0))
    return x + vs[0]
print(outcome(lambda: f(tf.constant(1.0))), outcome(lambda: f(tf.constant([1.0]))))

# --- variable_in_module
class Dense(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units, self.built = units, False
    @tf.function
    def __call__(self, x):
        if not self.built:
            self.w = tf.Variable(tf.ones([x.shape[-1], self.units]))
            self.b = tf.Variable(tf.zeros([self.units]))
            self.built = True
        return x @ self.w + self.b
d = Dense(2)
print(d(tf.ones([1, 3])), d(tf.ones([2, 3])), len(d.trainable_variables))

# --- variable_as_argument_updates
@tf.function
def f(v, x):
    v.assign_add(x)
    return v.read_value()
a, b = tf.Variable(1.0), tf.Variable(10.0)
print(f(a, 2.0), f(b, 3.0), f(a, 2.0), a.numpy(), b.numpy(), f.experimental_get_tracing_count())

# --- variables_in_a_list_argument
@tf.function
def sgd(params, grads):
    for p, g in zip(params, grads):
        p.assign_sub(0.5 * g)
ps = [tf.Variable(1.0), tf.Variable([1.0, 2.0])]
sgd(ps, [tf.constant(1.0), tf.constant([2.0, 4.0])])
print([p.numpy() for p in ps])

# --- captured_by_identity
v = tf.Variable(1.0)
@tf.function
def f():
    return v * 2.0
print(f())
old = v
v = tf.Variable(50.0)
print(f())
old.assign(3.0)
print(f())

# --- captured_tensor_is_fixed
c = tf.constant(1.0)
@tf.function
def f(x):
    return x + c
print(f(tf.constant(1.0)))
c = tf.constant(100.0)
print(f(tf.constant(1.0)), f(tf.constant([1.0])))

# --- captured_numpy_is_fixed
a = np.array([1.0, 2.0])
@tf.function
def f(x):
    return x + a
print(f(tf.constant(1.0, tf.float64)))
a[0] = 100.0
print(f(tf.constant(1.0, tf.float64)))

# --- captured_list_grows
items = [tf.constant(1)]
@tf.function
def f():
    return tf.add_n(items)
print(f())
items.append(tf.constant(5))
print(f())

# --- init_scope
seen = []
@tf.function
def f(x):
    with tf.init_scope():
        seen.append(tf.executing_eagerly())
        c = tf.constant(2.0) * 3.0
        seen.append(float(c))
    return x * c
print(f(tf.constant(1.0)), f(tf.constant(2.0)), seen)

# --- init_scope_of_a_symbolic
@tf.function
def f(x):
    with tf.init_scope():
        y = x + 1.0
    return y
print(outcome(lambda: f(tf.constant(1.0))))

# --- print_order
import sys
v = tf.Variable(0)
@tf.function
def f(x):
    tf.print("start", x, output_stream=sys.stdout)
    v.assign_add(x)
    tf.print("v", v, output_stream=sys.stdout)
    v.assign(v * 2)
    tf.print("v", v, output_stream=sys.stdout)
f(tf.constant(3))
f(tf.constant(1))

# --- print_in_loop_and_branch
import sys
@tf.function
def f(n):
    for i in tf.range(n):
        if i % 2 == 0:
            tf.print("even", i, output_stream=sys.stdout)
        else:
            tf.print("odd", i, output_stream=sys.stdout)
f(tf.constant(4))

# --- print_without_result
import sys
@tf.function
def f():
    tf.print("only", [1, 2], {"a": tf.constant(1.5)}, output_stream=sys.stdout)
f()
f()

# --- print_in_inner_function
import sys
@tf.function
def inner(x):
    tf.print("inner", x, output_stream=sys.stdout)
    return x + 1
@tf.function
def outer(x):
    tf.print("before", output_stream=sys.stdout)
    y = inner(x)
    inner(y)
    tf.print("after", output_stream=sys.stdout)
outer(tf.constant(1))

# --- print_under_tape
import sys
@tf.function
def f(x):
    tf.print("forward", x, output_stream=sys.stdout)
    return x * x
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, x).numpy())

# --- assert_op_message
# phrase: my message
@tf.function
def f(x):
    tf.debugging.assert_equal(x, 1, message="my message")
    return x
f(tf.constant(1))
f(tf.constant(2))

# --- assert_in_loop
v = tf.Variable(0)
@tf.function
def f(n):
    for i in tf.range(n):
        tf.Assert(i < 3, [i])
        v.assign_add(1)
print(outcome(lambda: f(tf.constant(5))), outcome(lambda: f(tf.constant(2))))

# --- static_assertion_while_tracing
@tf.function
def f(x):
    tf.debugging.assert_rank(x, 1)
    tf.debugging.assert_shapes([(x, ("N",))])
    return x
print(f(tf.constant([1])), outcome(lambda: f(tf.constant(1.0))))

# --- check_numerics
@tf.function
def f(x):
    return tf.debugging.check_numerics(tf.math.log(x), "bad")
print(f(tf.constant(1.0)), outcome(lambda: f(tf.constant(-1.0))))

# --- exception_leaves_function_usable
v = tf.Variable([1.0, 2.0, 3.0])
@tf.function
def f(i):
    v.assign_add(tf.ones([3]))
    return tf.gather(v, i)
print(f(tf.constant(0)), outcome(lambda: f(tf.constant(9))), f(tf.constant(0)), v.numpy())

# --- py_function_state
log = []
def note(x):
    log.append(float(x))
    return x * 2.0
@tf.function
def f(x):
    return tf.py_function(note, [x], tf.float32)
print(f(tf.constant(1.0)), f(tf.constant(2.0)), log)

# --- py_function_gradient
@tf.function
def f(x):
    return tf.py_function(lambda v: v ** 3, [x], tf.float32) + x
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- py_function_shapes
seen = []
@tf.function
def f(x):
    y = tf.py_function(lambda v: v[:1], [x], tf.float32)
    seen.append(y.shape)
    y.set_shape([1])
    seen.append(y.shape)
    return y
print(f(tf.constant([1.0, 2.0])), seen)

# --- numpy_function
log = []
def g(x, y):
    log.append(type(x).__name__)
    return np.float32(x.sum() + y)
@tf.function
def f(x, y):
    return tf.numpy_function(g, [x, y], tf.float32)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x, tf.constant(3.0))
print(y, tape.gradient(y, x), log)

# --- numpy_function_several_results
@tf.function
def f(x):
    a, b = tf.numpy_function(lambda v: (v + 1, v.astype(np.float64)), [x], [tf.int32, tf.float64])
    return a, b
print(f(tf.constant([1, 2])))

# --- numpy_function_wrong_dtype
@tf.function
def f(x):
    return tf.numpy_function(lambda v: v.astype(np.float64), [x], tf.float32)
print(outcome(lambda: f(tf.constant([1.0]))))

# --- py_function_raises
def fail(x):
    raise ValueError("inside")
@tf.function
def f(x):
    return tf.py_function(fail, [x], tf.float32)
print(outcome(lambda: f(tf.constant(1.0))))

# --- py_function_without_result_in_order
log = []
v = tf.Variable(0)
@tf.function
def f(x):
    tf.py_function(lambda a: log.append(int(a)), [v.read_value()], [])
    v.assign_add(x)
    tf.py_function(lambda a: log.append(int(a)), [v.read_value()], [])
f(tf.constant(5))
f(tf.constant(5))
print(log, v.numpy())

# --- random_op_seed
tf.random.set_seed(5)
@tf.function
def f():
    return tf.random.uniform([2], seed=3), tf.random.uniform([2], seed=3)
print(f(), f())

# --- random_global_seed_several_ops
tf.random.set_seed(7)
@tf.function
def f():
    a = tf.random.normal([2])
    b = tf.random.uniform([2])
    c = tf.random.normal([1])
    return a, b, c
print(f(), f())

# --- random_two_functions
tf.random.set_seed(7)
@tf.function
def f():
    return tf.random.normal([2])
@tf.function
def g():
    return tf.random.normal([2])
print(f(), g(), f(), g(), tf.random.normal([2]))

# --- random_inlined_twice
tf.random.set_seed(9)
@tf.function
def noise():
    return tf.random.uniform([2], seed=4)
@tf.function
def f():
    return noise(), noise()
print(f(), f(), noise())

# --- random_reset_by_set_seed
@tf.function
def f():
    return tf.random.uniform([1], seed=1)
tf.random.set_seed(1)
a = f()
b = f()
tf.random.set_seed(1)
print(a.numpy() == f().numpy(), b.numpy() == f().numpy(), a.numpy() == b.numpy())

# --- random_in_loop
tf.random.set_seed(11)
@tf.function
def f(n):
    total = tf.zeros([2])
    for _ in tf.range(n):
        total += tf.random.uniform([2], seed=2)
    return total
print(f(tf.constant(3)), f(tf.constant(1)))

# --- random_in_branch
tf.random.set_seed(11)
@tf.function
def f(x):
    if x > 0:
        return tf.random.uniform([2], seed=2)
    return tf.random.normal([2], seed=2)
print(f(tf.constant(1)), f(tf.constant(-1)), f(tf.constant(1)))

# --- random_shape_argument
tf.random.set_seed(2)
@tf.function
def f(x):
    return tf.random.normal(tf.shape(x), seed=1)
print(f(tf.zeros([2])), f(tf.zeros([2])), f(tf.zeros([3])))

# --- random_stateless
@tf.function
def f(seed):
    return tf.random.stateless_normal([2], seed), tf.random.stateless_uniform([2], seed, maxval=10, dtype=tf.int32)
print(f(tf.constant([1, 2])), f(tf.constant([3, 4])))

# --- random_generator
g = tf.random.Generator.from_seed(3)
@tf.function
def f():
    return g.normal([2])
print(f(), f(), g.normal([2]))

# --- random_shuffle_and_categorical
tf.random.set_seed(4)
@tf.function
def f(x):
    return tf.random.shuffle(x, seed=1), tf.random.categorical(tf.math.log([[0.5, 0.5]]), 5, seed=2)
print(f(tf.range(6)), f(tf.range(6)))

# --- dropout
tf.random.set_seed(4)
@tf.function
def f(x):
    return tf.nn.dropout(x, 0.5, seed=3)
x = tf.ones([8])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x), f(x))

# --- scatter_updates
v = tf.Variable([1.0, 2.0, 3.0, 4.0])
@tf.function
def f(i, x):
    v.scatter_update(tf.IndexedSlices(x, i))
    v.scatter_add(tf.IndexedSlices(x, i))
    v.scatter_nd_add([[0]], [100.0])
    v.scatter_nd_update([[3]], [9.0])
    return v.read_value()
print(f(tf.constant([1, 2]), tf.constant([10.0, 20.0])), v.numpy())

# --- scatter_min_max
v = tf.Variable([1.0, 5.0, 3.0])
@tf.function
def f():
    v.scatter_max(tf.IndexedSlices(tf.constant([4.0, 4.0]), tf.constant([0, 1])))
    v.scatter_min(tf.IndexedSlices(tf.constant([0.0]), tf.constant([2])))
    v.scatter_mul(tf.IndexedSlices(tf.constant([2.0]), tf.constant([0])))
    v.scatter_sub(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1])))
f()
print(v.numpy())

# --- slice_assign
v = tf.Variable(tf.zeros([3, 2]))
@tf.function
def f(x):
    v[1].assign(x)
    v[:, 0].assign([7.0, 8.0, 9.0])
    return v.read_value()
print(f(tf.constant([1.0, 2.0])), v.numpy())

# --- assign_wrong_shape
v = tf.Variable([1.0, 2.0])
@tf.function
def f(x):
    v.assign(x)
print(outcome(lambda: f(tf.constant([1.0]))), outcome(lambda: f(tf.constant([1, 2]))), v.numpy())

# --- assign_read_value_false
v = tf.Variable(1.0)
@tf.function
def f():
    r = v.assign(3.0, read_value=False)
    return v.read_value()
print(f(), v.numpy())

# --- variable_methods
v = tf.Variable([3.0, 1.0])
@tf.function
def f():
    return v[0], v.value(), v.read_value(), tf.convert_to_tensor(v), v.shape, v.dtype.name, v.trainable, tf.size(v)
print(f()[:4])

# --- control_dependencies
v = tf.Variable(1.0)
@tf.function
def f(x):
    a = v.assign_add(x)
    with tf.control_dependencies([a]):
        y = v.read_value() * 2.0
    return y
print(f(tf.constant(2.0)), f(tf.constant(2.0)))

# --- group_and_no_op
v = tf.Variable(1.0)
@tf.function
def f():
    a = v.assign_add(1.0)
    tf.group(a, tf.no_op())
    return v.read_value()
print(f(), f())

# --- timestamps_advance
import time
@tf.function
def f():
    return tf.timestamp()
a = f().numpy()
time.sleep(0.01)
print(f().numpy() > a)

# --- moving_average
ema = tf.Variable(0.0)
@tf.function
def update(x):
    ema.assign(0.9 * ema + 0.1 * x)
    return ema.read_value()
for x in (1.0, 2.0, 3.0):
    last = update(tf.constant(x))
print(last, ema.numpy())

# --- training_loop_inside
w = tf.Variable(0.0)
xs, ys = tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 6.0])
@tf.function
def train(n):
    loss = tf.constant(0.0)
    for _ in tf.range(n):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * xs - ys) ** 2)
        w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss
print(train(tf.constant(20)), w.numpy())

# --- training_loop_with_logging
import sys
w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
X, Y = tf.constant([[0.0], [1.0], [2.0]]), tf.constant([[1.0], [3.0], [5.0]])
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ w + b - Y) ** 2)
    for v, g in zip((w, b), tape.gradient(loss, (w, b))):
        v.assign_sub(0.1 * g)
    return loss
for i in range(30):
    loss = step()
    if i % 10 == 0:
        tf.print(i, loss, output_stream=sys.stdout)
print(w.numpy(), b.numpy())

# --- momentum
w, m = tf.Variable([1.0, -2.0]), tf.Variable([0.0, 0.0])
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2)
    g = tape.gradient(loss, w)
    m.assign(0.9 * m + g)
    w.assign_sub(0.1 * m)
    return loss
print([float(step()) for _ in range(4)], w.numpy(), m.numpy())

# --- adam_by_hand
w = tf.Variable([1.0, 2.0])
m, v, t = tf.Variable(tf.zeros([2])), tf.Variable(tf.zeros([2])), tf.Variable(0.0)
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(w) + w ** 2)
    g = tape.gradient(loss, w)
    t.assign_add(1.0)
    m.assign(0.9 * m + 0.1 * g)
    v.assign(0.999 * v + 0.001 * g * g)
    w.assign_sub(0.01 * (m / (1.0 - 0.9 ** t)) / (tf.sqrt(v / (1.0 - 0.999 ** t)) + 1e-7))
    return loss
for _ in range(5):
    loss = step()
print(loss, w.numpy(), t.numpy())

# --- inner_function_updates_outer_reads
v = tf.Variable(0)
@tf.function
def bump():
    v.assign_add(1)
@tf.function
def f():
    a = v.read_value()
    bump()
    b = v.read_value()
    bump()
    return a, b, v.read_value()
print(f(), v.numpy())

# --- inner_function_creates_variable
made = []
@tf.function
def inner(x):
    if not made:
        made.append(tf.Variable(2.0))
    return x * made[0]
@tf.function
def outer(x):
    return inner(x) + 1.0
print(outer(tf.constant(3.0)), outer(tf.constant(4.0)), len(made))

# --- unknown_shape_variable
v = tf.Variable([1.0], shape=tf.TensorShape([None]))
@tf.function
def f(x):
    v.assign(tf.concat([v, x], 0))
    return tf.size(v)
print(f(tf.constant([2.0])), f(tf.constant([3.0])), v.numpy())

# --- tensor_leaks
leak = []
@tf.function
def f(x):
    leak.append(x)
    return x
f(tf.constant(1.0))
@tf.function
def g(y):
    return leak[0] + y
print(outcome(lambda: g(tf.constant(1.0))), outcome(lambda: leak[0] + 1.0))

# --- function_in_a_thread
import threading
v = tf.Variable(0)
@tf.function
def f(x):
    return x * 2 + v
results = []
threads = [threading.Thread(target=lambda i=i: results.append(int(f(tf.constant(i))))) for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(results), f.experimental_get_tracing_count())

# --- deleted_function_keeps_variable
v = tf.Variable(1.0)
def make():
    @tf.function
    def f():
        return v.assign_add(1.0)
    return f
for _ in range(3):
    make()()
print(v.numpy())
# --- ids_of_variables_that_are_arguments
v, w = tf.Variable([1.0, 2.0], name="a"), tf.Variable([1.0, 2.0], name="b")
kept = {v._unique_id: tf.Variable(0.0), w._unique_id: tf.Variable(0.0)}
traced = []

@tf.function
def f(x):
    traced.append(x.name)
    kept[x._unique_id].assign_add(1.0)
    x.assign_add([1.0, 1.0])

f(v)
f(w)
f(w)
print(traced, v.numpy(), w.numpy(), [one.numpy() for one in kept.values()])
# --- names_of_positional_arguments
f = tf.function(lambda x, training=False, *rest, key=1, **more: x)
print(f.function_spec.arg_names)

# --- values_of_each_call
held = [1.0]
@tf.function
def f(x):
    graph = tf.compat.v1.get_default_graph()
    now = graph.capture_call_time_value(lambda: tf.constant(held[0]), tf.TensorSpec([], tf.float32), key="a")
    again = graph.capture_call_time_value(lambda: tf.constant(held[0]), tf.TensorSpec([], tf.float32), key="a")
    print("traced", now is again, now.shape)
    return x * now
print(f(tf.constant(2.0)))
held[0] = 5.0
print(f(tf.constant(2.0)))
