# tf.function in small programs: what is traced when, control flow, models, simulations.

# --- retrace_table
@tf.function
def f(x, y=None):
    print("trace", type(x).__name__.replace("SymbolicTensor", "Tensor"), getattr(x, "shape", None), y)
    return x
f(1)
f(2)
f(1.0)
f(True)
f("a")
f(None)
f([1, 2])
f((1, 2))
f({"a": 1})
f(np.array([1, 2]))
f(np.float32(1.0))
f(tf.constant(1))
f(tf.constant([1]))
f(tf.constant([2]))
f(1, y=2)
f(1, 2)
print(f.experimental_get_tracing_count())

# --- retrace_nan_and_big
@tf.function
def f(x):
    print("trace")
    return tf.constant(0)
f(float("nan"))
f(float("inf"))
f(float("inf"))
f(10 ** 30)
f(10 ** 30)

# --- retrace_enum_and_dtype
import enum
class Mode(enum.Enum):
    A = 1
    B = 2
@tf.function
def f(x, mode, dtype):
    print("trace", mode, dtype)
    return tf.cast(x, dtype) if mode is Mode.A else x
f(1, Mode.A, tf.float32)
f(1, Mode.A, tf.float32)
f(1, Mode.B, tf.float32)
f(1, Mode.A, tf.int64)

# --- retrace_slice_and_range_arguments
@tf.function
def f(x, r):
    print("trace", r)
    return x
print(outcome(lambda: f(tf.constant(1), range(3)).numpy()), outcome(lambda: f(tf.constant(1), slice(1, 2)).numpy()), outcome(lambda: f(tf.constant(1), tf.TensorShape([2])).numpy()))

# --- retrace_module_argument
class M(tf.Module):
    def __init__(self, k):
        self.k = tf.Variable(k)
@tf.function
def f(m, x):
    print("trace")
    return m.k * x
a, b = M(2.0), M(3.0)
print(f(a, 1.0), f(b, 1.0), f(a, 1.0))

# --- empty_structures
@tf.function
def f(a, b, c):
    print("trace", a, b, c)
    return tf.constant(len(a) + len(b) + len(c))
print(f([], (), {}), f([], (), {}), f([1], (), {}))

# --- keyword_against_positional
@tf.function
def f(a, b):
    print("trace")
    return a - b
one, two = tf.constant(1), tf.constant(2)
print(f(one, two), f(a=one, b=two), f(one, b=two), f(b=one, a=two))

# --- dtype_in_structure
@tf.function
def f(d):
    print("trace", sorted((k, v.dtype.name) for k, v in d.items()))
    return d
f({"a": tf.constant(1)})
f({"a": tf.constant(1.0)})
f({"a": tf.constant(2)})

# --- if_in_python_loop_with_list
@tf.function
def f(x):
    acc = []
    for i in range(4):
        if x > i:
            v = x * i
        else:
            v = x + i
        acc.append(v)
    return tf.stack(acc)
print(f(tf.constant(2)))

# --- nested_tuple_state
@tf.function
def f(n):
    s = (tf.constant(0), (tf.constant(1), [tf.constant(2)]))
    for _ in tf.range(n):
        a, (b, [c]) = s
        s = (a + b, (b + c, [c + a]))
    return s
print(f(tf.constant(3)))

# --- swap_in_branch
@tf.function
def f(a, b):
    if a > b:
        a, b = b, a
    return a, b
print(f(tf.constant(3), tf.constant(1)), f(tf.constant(1), tf.constant(3)))

# --- branch_modifies_list_item
@tf.function
def f(x):
    l = [x, x]
    if x > 0:
        l[0] = x * 10
    return l
print(f(tf.constant(1)), f(tf.constant(-1)))

# --- branch_returns_function_of_outer
@tf.function
def f(x, y):
    z = x
    if tf.reduce_any(x > 0):
        z = x + y
        if tf.reduce_all(y > 0):
            z = z * 2
    return z
print(f(tf.constant([1, -1]), tf.constant([1, 1])), f(tf.constant([-1, -1]), tf.constant([1, 1])))

# --- while_on_variable
v = tf.Variable(5)
@tf.function
def f():
    c = 0
    while v > 0:
        v.assign_sub(2)
        c = c + 1
    return c, v.read_value()
print(f())

# --- while_float_accumulation
@tf.function
def f(tol):
    x, n = 1.0, 0
    while x > tol:
        x = x / 3.0
        n += 1
    return x, n
print(f(tf.constant(0.01)))

# --- for_over_variable
v = tf.Variable([1.0, 2.0, 3.0])
@tf.function
def f():
    s = 0.0
    for x in v:
        s = s * 2.0 + x
    return s
print(f())

# --- for_with_index_tensor
@tf.function
def f(x):
    best, at = x[0], 0
    for i in tf.range(1, tf.shape(x)[0]):
        if x[i] > best:
            best = x[i]
            at = i
    return best, at
print(f(tf.constant([3.0, 7.0, 1.0, 9.0, 2.0])))

# --- for_zero_iterations
@tf.function
def f(n):
    s = tf.constant(10)
    for i in tf.range(n):
        s += i
    return s
print(f(tf.constant(0)), f(tf.constant(-3)))

# --- for_over_batch_of_matrices
@tf.function
def f(ms):
    p = tf.eye(2)
    for m in ms:
        p = p @ m
    return p
print(f(tf.constant([[[1.0, 2.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 3.0]]])))

# --- continue_in_nested
@tf.function
def f(n):
    out = 0
    for i in tf.range(n):
        if i == 1:
            continue
        j = 0
        while j < 5:
            j += 1
            if j == 2:
                continue
            if j == 4:
                break
            out += i * 10 + j
    return out
print(f(tf.constant(4)))

# --- boolean_flags
@tf.function
def f(xs):
    found = False
    index = -1
    for i in tf.range(tf.shape(xs)[0]):
        if not found and xs[i] < 0:
            found = True
            index = i
    return found, index
print(f(tf.constant([1, -1, -2])), f(tf.constant([1, 2])))

# --- and_or_mixture
@tf.function
def f(a, b, flag):
    if (a > 0 or b > 0) and not (a > 10 and b > 10) and flag:
        return 1
    return 0
print([f(tf.constant(a), tf.constant(b), c).numpy() for a, b, c in ((1, -1, True), (-1, -1, True), (11, 11, True), (1, 1, False))])

# --- early_returns_many
@tf.function
def grade(x):
    if x >= 90:
        return "A"
    if x >= 80:
        return "B"
    if x >= 70:
        return "C"
    return "F"
print([grade(tf.constant(v)).numpy() for v in (95, 85, 75, 10)])

# --- return_in_else_only
@tf.function
def f(x):
    if x > 0:
        y = x * 2
    else:
        return tf.constant(-1)
    y = y + 1
    return y
print(f(tf.constant(3)), f(tf.constant(-3)))

# --- ternary_as_argument
@tf.function
def f(x):
    return tf.square(x if x > 0 else -x + 1) + (1 if x > 5 else 2)
print(f(tf.constant(3)), f(tf.constant(-3)), f(tf.constant(6)))

# --- lambda_in_loop
@tf.function
def f(x):
    for i in range(3):
        g = lambda y: y + i
        x = g(x)
    return x
print(f(tf.constant(1)))

# --- closure_modified_in_branch
@tf.function
def f(x):
    state = {"n": 0}
    def bump():
        state["n"] += 1
    bump()
    if x > 0:
        x = x + state["n"]
    bump()
    return x, state["n"]
print(f(tf.constant(1)))

# --- class_instance_created_inside
class Acc:
    def __init__(self):
        self.total = tf.constant(0)
    def add(self, x):
        if x > 0:
            self.total = self.total + x
        return self
@tf.function
def f(a, b):
    acc = Acc()
    acc.add(a).add(b)
    return acc.total
print(f(tf.constant(2), tf.constant(-5)), f(tf.constant(2), tf.constant(5)))

# --- isinstance_and_hasattr
@tf.function
def f(x):
    if isinstance(x, tf.Tensor) and hasattr(x, "shape") and x.shape.rank == 1:
        return tf.reduce_sum(x)
    return x
print(f(tf.constant([1, 2])), f(tf.constant(3)))

# --- print_shapes_while_tracing
@tf.function
def f(x):
    y = tf.reshape(x, [-1, 2])
    print("shapes", x.shape, y.shape, tf.concat([y, y], 0).shape, y.dtype, y.shape.as_list(), len(y.shape))
    return y
f(tf.range(6))
f.get_concrete_function(tf.TensorSpec([None], tf.int32))

# --- string_formatting_while_tracing
@tf.function
def f(x):
    name = f"shape{x.shape}"
    print(name, "%s" % x.dtype, "{}".format(x.shape[0]))
    return x
f(tf.ones([2, 3]))

# --- tf_print_formats
import sys
@tf.function
def f(x, d):
    tf.print("x:", x, "d:", d, output_stream=sys.stdout)
    tf.print(x, d["k"], sep="|", end="!\n", output_stream=sys.stdout)
    tf.print(tf.constant("s"), [x, 1], (2.5,), output_stream=sys.stdout)
f(tf.constant([1.5, 2.0]), {"k": tf.constant(3)})

# --- counters_in_python_and_graph
calls = 0
v = tf.Variable(0)
@tf.function
def f(x):
    global calls
    calls += 1
    v.assign_add(1)
    return x
for _ in range(3):
    f(tf.constant(1))
f(tf.constant(1.0))
print(calls, v.numpy())

# --- append_symbolic_tensors
seen = []
@tf.function
def f(x):
    seen.append(x)
    return x
f(tf.constant(1))
f(tf.constant(2))
f(tf.constant(1.0))
print(len(seen), [s.dtype.name for s in seen], [s.name for s in seen])

# --- dict_iteration_order
@tf.function
def f(d):
    return [v * 2 for v in d.values()], list(d.keys())[0]
print(f({"b": tf.constant(1), "a": tf.constant(2)}))

# --- update_variable_list
vs = [tf.Variable(float(i)) for i in range(3)]
@tf.function
def f(xs):
    for v, x in zip(vs, xs):
        v.assign_add(x)
    return [v.read_value() for v in vs]
print(f([tf.constant(10.0)] * 3))

# --- gradient_with_list_of_variables
class Net(tf.Module):
    def __init__(self):
        self.ws = [tf.Variable([[1.0 + i]]) for i in range(3)]
    @tf.function
    def __call__(self, x):
        for w in self.ws:
            x = tf.tanh(x @ w)
        return x
net = Net()
with tf.GradientTape() as tape:
    y = net(tf.constant([[0.5]]))
print(tape.gradient(y, net.trainable_variables), len(tape.watched_variables()))

# --- gradient_apply_inside_method
class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(2.0)
    @tf.function
    def step(self, x, y, rate=0.1):
        with tf.GradientTape() as tape:
            loss = (self.w * x - y) ** 2
        self.w.assign_sub(rate * tape.gradient(loss, self.w))
        return loss
m = Model()
print([float(m.step(1.0, 5.0)) for _ in range(3)], m.w.numpy(), float(m.step(1.0, 5.0, rate=0.5)))

# --- gradient_of_gradient_function
@tf.function
def grad(f, x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    return t.gradient(y, x)
f0 = lambda x: x ** 4
f1 = lambda x: grad(f0, x)
f2 = lambda x: grad(f1, x)
print(f1(tf.constant(2.0)), f2(tf.constant(2.0)))

# --- gradient_watch_inside_and_outside
@tf.function
def f(x):
    with tf.GradientTape() as t:
        t.watch(x)
        y = x ** 3
    return y, t.gradient(y, x)
x = tf.constant(2.0)
with tf.GradientTape(persistent=True) as t:
    t.watch(x)
    y, g = f(x)
print(t.gradient(y, x), t.gradient(g, x))

# --- gradient_none_inside
@tf.function
def f(x, y):
    with tf.GradientTape() as t:
        t.watch([x, y])
        z = x * 2.0
    gx, gy = t.gradient(z, [x, y])
    return gx, gy is None
print(f(tf.constant(1.0), tf.constant(1.0)))

# --- gradient_returned_none
@tf.function
def f(x, y):
    with tf.GradientTape() as t:
        t.watch([x, y])
        z = x * 2.0
    return t.gradient(z, {"x": x, "y": y})
print(f(tf.constant(1.0), tf.constant(1.0)))

# --- higher_order_mixed
@tf.function
def f(x, y):
    return x ** 2 * y ** 3
x, y = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as t2:
    t2.watch([x, y])
    with tf.GradientTape() as t1:
        t1.watch([x, y])
        z = f(x, y)
    gx, gy = t1.gradient(z, [x, y])
print(t2.jacobian(tf.stack([gx, gy]), [x, y]))

# --- hvp
@tf.function
def f(x):
    return tf.reduce_sum(tf.sin(x) * x ** 2)
@tf.function
def hvp(x, v):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
        p = tf.reduce_sum(g * v)
    return outer.gradient(p, x)
@tf.function
def hvp2(x, v):
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        g = t.gradient(y, x)
    return acc.jvp(g)
x, v = tf.constant([0.5, 1.0]), tf.constant([1.0, -1.0])
print(hvp(x, v), hvp2(x, v))

# --- implicit_function
@tf.function
def solve(a):
    x = tf.constant(1.0)
    for _ in tf.range(20):
        x = x - (x * x - a) / (2.0 * x)
    return x
a = tf.constant(2.0)
with tf.GradientTape() as t:
    t.watch(a)
    x = solve(a)
print(x, t.gradient(x, a))

# --- lstm_cell_loop
tf.random.set_seed(0)
W = tf.Variable(tf.random.stateless_normal([5, 12], [1, 2]) * 0.3)
b = tf.Variable(tf.zeros([12]))
@tf.function
def lstm(xs):
    h, c = tf.zeros([2, 3]), tf.zeros([2, 3])
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for t in tf.range(tf.shape(xs)[1]):
        z = tf.concat([xs[:, t], h], 1) @ W + b
        i, f, g, o = tf.split(z, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        out = out.write(t, h)
    return tf.transpose(out.stack(), [1, 0, 2])
xs = tf.random.stateless_normal([2, 4, 2], [3, 4])
with tf.GradientTape() as tape:
    ys = lstm(xs)
    loss = tf.reduce_sum(ys ** 2)
gw, gb = tape.gradient(loss, [W, b])
print(ys.shape, loss, tf.reduce_sum(gw ** 2), tf.reduce_sum(gb ** 2))

# --- policy_gradient_loop
logits = tf.Variable([0.0, 0.5, -0.5])
@tf.function
def reinforce(actions, rewards):
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(logits)
        loss = 0.0
        for i in tf.range(tf.shape(actions)[0]):
            loss -= logp[actions[i]] * rewards[i]
    g = tape.gradient(loss, logits)
    logits.assign_sub(0.1 * g)
    return loss, g
print(reinforce(tf.constant([0, 1, 1, 2]), tf.constant([1.0, 0.5, 2.0, -1.0])), logits.numpy())

# --- mcmc_style_accept
tf.random.set_seed(3)
@tf.function
def chain(x, n):
    accepted = 0
    for _ in tf.range(n):
        p = x + tf.random.normal([], seed=1)
        if tf.math.log(tf.random.uniform([], seed=2)) < 0.5 * (x ** 2 - p ** 2):
            x = p
            accepted += 1
    return x, accepted
print(chain(tf.constant(0.0), tf.constant(20)))

# --- euler_lotka_volterra
@tf.function
def simulate(p, n):
    a, b = tf.constant(1.0), tf.constant(0.5)
    for _ in tf.range(n):
        da = p[0] * a - p[1] * a * b
        db = p[2] * a * b - p[3] * b
        a, b = a + 0.01 * da, b + 0.01 * db
    return tf.stack([a, b])
p = tf.constant([1.0, 0.5, 0.3, 0.8])
with tf.GradientTape() as tape:
    tape.watch(p)
    s = simulate(p, tf.constant(50))
print(s, tape.jacobian(s, p))

# --- beam_like_topk_loop
@tf.function
def f(scores, k):
    out = tf.TensorArray(tf.int32, size=k)
    for i in tf.range(k):
        j = tf.argmax(scores, output_type=tf.int32)
        out = out.write(i, j)
        scores = tf.tensor_scatter_nd_update(scores, [[j]], [-1e9])
    return out.stack()
print(f(tf.constant([0.1, 0.7, 0.3, 0.9]), tf.constant(3)))

# --- matrix_power_recursive_squaring
@tf.function
def matpow(m, n):
    r = tf.eye(tf.shape(m)[0])
    while n > 0:
        if n % 2 == 1:
            r = r @ m
        m = m @ m
        n = n // 2
    return r
print(matpow(tf.constant([[1.0, 1.0], [1.0, 0.0]]), tf.constant(10)))

# --- run_eagerly_difference
@tf.function
def f(x):
    print("python runs")
    return x
f(tf.constant(1))
f(tf.constant(1))
tf.config.run_functions_eagerly(True)
try:
    f(tf.constant(1))
    f(tf.constant(1))
finally:
    tf.config.run_functions_eagerly(False)
f(tf.constant(1))

# --- eager_vs_graph_random_python
import random
@tf.function
def f():
    return random.random() * tf.constant(1.0)
print(f().numpy() == f().numpy())

# --- time_is_frozen
import time
@tf.function
def f():
    return tf.constant(time.time())
a = f()
time.sleep(0.01)
print(bool(a == f()))

# --- iterator_in_function
it = iter([1, 2, 3])
@tf.function
def f():
    return tf.constant(next(it))
print(f(), f(), next(it))

# --- numpy_mutation
arr = np.zeros(2)
@tf.function
def f(x):
    arr[0] += 1
    return x + arr
print(f(tf.constant([0.0, 0.0], tf.float64)), f(tf.constant([0.0, 0.0], tf.float64)), arr)
