# tf.function: tracing, retracing, state, AutoGraph, gradients through functions.

# --- decorated
# needs: tf.function
@tf.function
def f(x, y):
    return x * y + 1.0
print(f(tf.constant(2.0), tf.constant(3.0)), f(2.0, 4.0))

# --- called_as_a_function
# needs: tf.function
f = tf.function(lambda x: tf.reduce_sum(x ** 2))
print(f(tf.constant([1.0, 2.0])))

# --- traces_once_per_shape_and_dtype
# needs: tf.function
traces = []
@tf.function
def f(x):
    traces.append((x.dtype.name, tuple(x.shape)))
    return x + x
for x in (tf.constant(1.0), tf.constant(2.0), tf.constant(1), tf.constant([1.0]), tf.constant([1.0, 2.0]), tf.constant([3.0])):
    f(x)
print(traces)

# --- python_arguments_retrace
# needs: tf.function
traces = []
@tf.function
def f(x, n):
    traces.append(n)
    return x * n
x = tf.constant(1.0)
print([float(f(x, n)) for n in (2.0, 3.0, 2.0)], traces)

# --- numpy_arguments_are_tensors
# needs: tf.function
traces = []
@tf.function
def f(x):
    traces.append(type(x).__name__ != "ndarray")
    return x * 2
print(f(np.ones(2, np.float32)), f(np.zeros(2, np.float32)), len(traces), all(traces))

# --- input_signature
# needs: tf.function
traces = []
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    traces.append(x.shape)
    return tf.reduce_sum(x)
print(f(tf.constant([1.0])), f(tf.constant([1.0, 2.0])), f([1.0, 2.0, 3.0]), traces)
print(outcome(lambda: f(tf.constant([1]))), outcome(lambda: f(tf.constant([[1.0]]))))

# --- reduce_retracing
# needs: tf.function
shapes = []
@tf.function(reduce_retracing=True)
def f(x):
    shapes.append(x.shape.as_list())
    return tf.reduce_sum(x)
for n in (1, 2, 3, 4):
    f(tf.ones([n]))
print(shapes)

# --- python_side_effects_once
# needs: tf.function
@tf.function
def f(x):
    print("tracing")
    return x + 1
f(tf.constant(1))
f(tf.constant(2))
f(tf.constant(1.0))

# --- tf_print_every_call
# needs: tf.function
import sys
@tf.function
def f(x):
    tf.print("value", x, output_stream=sys.stdout)
    return x
f(tf.constant(1))
f(tf.constant(2))

# --- gradient_outside
# needs: tf.function
@tf.function
def f(x):
    return tf.sin(x) * x
x = tf.Variable(0.7)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- gradient_inside
# needs: tf.function
w = tf.Variable(3.0)
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = (w * x - 1.0) ** 2
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    return loss, g
print(step(tf.constant(1.0)), step(tf.constant(1.0)), w.numpy())

# --- training_step
# needs: tf.function
w, b = tf.Variable([[0.0], [0.0]]), tf.Variable([0.0])
X, y = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), tf.constant([[5.0], [11.0], [18.0]])
@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((X @ w + b - y) ** 2)
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.01 * g)
    return loss
for _ in range(20):
    loss = train_step()
print(loss, w, b)

# --- second_derivative_through_function
# needs: tf.function
@tf.function
def f(x):
    return x ** 4
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = f(x)
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- second_derivative_inside
# needs: tf.function
@tf.function
def f(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.exp(2 * x)
        g = inner.gradient(y, x)
    return outer.gradient(g, x)
print(f(tf.constant(0.5)))

# --- cond_untaken_branch_is_zero
# needs: tf.function
x, w = tf.Variable(3.0), tf.Variable(2.0)
@tf.function
def f():
    return tf.cond(x > 0, lambda: x * 2, lambda: w * 3)
with tf.GradientTape() as tape:
    y = f()
print(tape.gradient(y, [x, w]))

# --- constant_result
# needs: tf.function
@tf.function
def f(x):
    return tf.constant(3.0)
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(y, tape.gradient(y, x))

# --- unused_argument_is_none
# needs: tf.function
@tf.function
def f(x, y):
    return x * 2
x, y = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([x, y])
    z = f(x, y)
print(tape.gradient(z, [x, y]))

# --- returned_python_values
# needs: tf.function
@tf.function
def f():
    return 1, 2.5, True, None, "s"
print(f())

# --- returned_structures
# needs: tf.function
@tf.function
def f(x):
    return {"a": x, "b": [x * 2, (x + 1,)]}
print(f(tf.constant(1)))

# --- returned_nothing
# needs: tf.function
v = tf.Variable(0)
@tf.function
def f():
    v.assign_add(1)
print(f(), f(), v.numpy())

# --- variable_assign_order
# needs: tf.function
v = tf.Variable(1.0)
@tf.function
def f():
    a = v.read_value()
    v.assign(5.0)
    b = v.read_value()
    v.assign_add(1.0)
    return a, b, v.read_value()
print(f(), v.numpy())

# --- variable_created_once
# needs: tf.function
class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = None
    @tf.function
    def __call__(self, x):
        if self.v is None:
            self.v = tf.Variable(10.0)
        return self.v.assign_add(x)
c = Counter()
print(c(tf.constant(1.0)).numpy(), c(tf.constant(2.0)).numpy(), c.v.numpy())

# --- variable_created_every_time_is_an_error
# needs: tf.function
@tf.function
def f(x):
    v = tf.Variable(1.0)
    return v * x
print(outcome(lambda: f(tf.constant(1.0))))

# --- methods
# needs: tf.function
class Model(tf.Module):
    def __init__(self, k):
        super().__init__()
        self.k = tf.Variable(k)
    @tf.function
    def __call__(self, x):
        return x * self.k
    @tf.function
    def twice(self, x):
        return self(self(x))
a, b = Model(2.0), Model(3.0)
print(a(tf.constant(1.0)), b(tf.constant(1.0)), a.twice(tf.constant(1.0)))

# --- nested_functions
# needs: tf.function
@tf.function
def inner(x):
    return x ** 2
@tf.function
def outer(x):
    return inner(x) + inner(x + 1.0)
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = outer(x)
print(y, tape.gradient(y, x))

# --- closure_over_a_tensor
# needs: tf.function
c = tf.constant(3.0)
@tf.function
def f(x):
    return x * c
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([x, c])
    y = f(x)
print(tape.gradient(y, [x, c]))

# --- closure_over_python_is_frozen
# needs: tf.function
k = 2.0
@tf.function
def f(x):
    return x * k
print(f(tf.constant(1.0)))
k = 10.0
print(f(tf.constant(1.0)), f(tf.constant([1.0])))

# --- tensor_as_python_bool_without_autograph
# needs: tf.function
@tf.function(autograph=False)
def f(x):
    if x > 0:
        return x
    return -x
print(outcome(lambda: f(tf.constant(1.0))))

# --- numpy_inside_is_an_error
# needs: tf.function
@tf.function
def f(x):
    return x.numpy()
print(outcome(lambda: f(tf.constant(1.0))))

# --- errors_inside
# needs: tf.function
@tf.function
def f(x, y):
    return x + y
print(outcome(lambda: f(tf.ones([2]), tf.ones([3]))), outcome(lambda: f(tf.ones([2]), tf.ones([2], tf.int32))))

# --- runtime_error_inside
# needs: tf.function
@tf.function
def f(x, i):
    return tf.gather(x, i)
print(outcome(lambda: f(tf.constant([1.0, 2.0]), tf.constant(5))), f(tf.constant([1.0, 2.0]), tf.constant(1)))

# --- tf_shape_is_dynamic
# needs: tf.function
@tf.function(input_signature=[tf.TensorSpec([None, 2])])
def f(x):
    return tf.shape(x)[0], x.shape[0], x.shape[1]
print(f(tf.zeros([3, 2])))

# --- autograph_if
# needs: tf.function tf.autograph
@tf.function
def f(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y
print(f(tf.constant(3.0)), f(tf.constant(-3.0)))

# --- autograph_if_gradient
# needs: tf.function tf.autograph
@tf.function
def f(x):
    if x > 0:
        return x ** 2
    elif x > -1:
        return x * 10.0
    else:
        return tf.exp(x)
x = tf.Variable(0.0)
for v in (2.0, -0.5, -2.0):
    x.assign(v)
    with tf.GradientTape() as tape:
        y = f(x)
    print(y, tape.gradient(y, x))

# --- autograph_while
# needs: tf.function tf.autograph
@tf.function
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
print(collatz(tf.constant(6)), collatz(tf.constant(27)))

# --- autograph_while_gradient
# needs: tf.function tf.autograph
@tf.function
def f(x):
    y = x
    while tf.reduce_sum(y) < 100.0:
        y = y * x
    return y
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- autograph_for_range
# needs: tf.function tf.autograph
@tf.function
def f(x, n):
    y = tf.constant(0.0)
    for i in tf.range(n):
        y += x * tf.cast(i, tf.float32)
    return y
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x, tf.constant(5))
print(y, tape.gradient(y, x))

# --- autograph_for_tensor
# needs: tf.function tf.autograph
@tf.function
def f(xs):
    total = tf.constant(0.0)
    for x in xs:
        total = total + x * x
    return total
print(f(tf.constant([1.0, 2.0, 3.0])))

# --- autograph_break_continue
# needs: tf.function tf.autograph
@tf.function
def f(n):
    s = 0
    for i in tf.range(n):
        if i == 2:
            continue
        if i > 5:
            break
        s += i
    return s
print(f(tf.constant(10)), f(tf.constant(4)))

# --- autograph_python_loop_unrolls
# needs: tf.function tf.autograph
traces = []
@tf.function
def f(x):
    for i in range(3):
        traces.append(i)
        x = x + i
    return x
print(f(tf.constant(0)), f(tf.constant(10)), traces)

# --- autograph_logical_operators
# needs: tf.function tf.autograph
@tf.function
def f(x):
    if x > 0 and x < 10 or not x > -100:
        return 1
    return 0
print(f(tf.constant(5)), f(tf.constant(50)), f(tf.constant(-500)))

# --- autograph_ternary
# needs: tf.function tf.autograph
@tf.function
def f(x):
    return x * 2 if x > 0 else x / 2
print(f(tf.constant(3.0)), f(tf.constant(-3.0)))

# --- autograph_tensor_array
# needs: tf.function tf.autograph
@tf.function
def f(x):
    ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    h = tf.constant(0.0)
    for i in tf.range(tf.shape(x)[0]):
        h = tf.tanh(h + x[i])
        ta = ta.write(i, h)
    return ta.stack()
x = tf.Variable([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(f(x))
print(y, tape.gradient(y, x))

# --- autograph_undefined_branch_variable
# needs: tf.function tf.autograph
@tf.function
def f(x):
    if x > 0:
        y = x
    return y
print(outcome(lambda: f(tf.constant(1.0))))

# --- autograph_branch_dtypes_differ
# needs: tf.function tf.autograph
@tf.function
def f(x):
    if x > 0:
        y = tf.constant(1)
    else:
        y = tf.constant(1.0)
    return y
print(outcome(lambda: f(tf.constant(1.0))))

# --- while_loop_function_gradient
# needs: tf.function
@tf.function
def f(x):
    _, y = tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))
    return y
x = tf.Variable(1.1)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- map_fn_in_function
# needs: tf.function
@tf.function
def f(x):
    return tf.map_fn(lambda v: v ** 2, x)
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- custom_gradient_in_function
# needs: tf.function
@tf.custom_gradient
def g(x):
    return x * x, lambda d: d * 100.0
@tf.function
def f(x):
    return g(x) + x
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- stop_gradient_in_function
# needs: tf.function
@tf.function
def f(x):
    return tf.stop_gradient(x) * x
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, x))

# --- random_in_function_advances
# needs: tf.function
# tol: 1e-6
tf.random.set_seed(3)
@tf.function
def f():
    return tf.random.uniform([2], seed=1)
@tf.function
def g():
    return tf.random.uniform([2], seed=1)
print(f(), f(), g(), g())

# --- random_in_function_global_seed
# needs: tf.function
# tol: 1e-6
tf.random.set_seed(3)
@tf.function
def f():
    return tf.random.normal([2]), tf.random.normal([2])
print(f(), f())

# --- jacobian_of_function
# needs: tf.function
@tf.function
def f(x):
    return tf.stack([x[0] * x[1], tf.sin(x[0])])
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = f(x)
print(tape.jacobian(y, x))

# --- jacobian_inside_function
# needs: tf.function
@tf.function
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 3
    return tape.jacobian(y, x)
print(f(tf.constant([1.0, 2.0])))

# --- forward_accumulator_through_function
# needs: tf.function
@tf.function
def f(x):
    return tf.sin(x) * x
x = tf.constant([0.5, 1.0])
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0])) as acc:
    y = f(x)
print(y, acc.jvp(y))

# --- persistent_tape_with_function
# needs: tf.function
@tf.function
def f(x):
    return x ** 2, x ** 3
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    a, b = f(x)
print(tape.gradient(a, x), tape.gradient(b, x), tape.gradient([a, b], x))

# --- watched_variables_through_function
# needs: tf.function
v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
@tf.function
def f(x):
    return x * w
with tf.GradientTape() as tape:
    y = f(tf.constant(3.0))
print([x.name for x in tape.watched_variables()])

# --- gather_gradient_through_function
# needs: tf.function
v = tf.Variable([1.0, 2.0, 3.0])
@tf.function
def f(i):
    return tf.gather(v, i)
with tf.GradientTape() as tape:
    y = f(tf.constant([0, 2, 2]))
g = tape.gradient(y, v)
print(type(g).__name__, tf.convert_to_tensor(g))

# --- get_concrete_function
# needs: tf.function
@tf.function
def f(x):
    return x * 2
c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
print(c(tf.constant([1.0, 2.0])), c(tf.constant([1.0])), outcome(lambda: c(tf.constant([1]))))

# --- run_eagerly_attribute_and_python_function
# needs: tf.function
@tf.function
def f(x):
    """Doc of f."""
    return x + 1
print(f.__name__, f.__doc__, f.python_function(1), callable(f))

# --- default_and_keyword_arguments
# needs: tf.function
@tf.function
def f(x, scale=2.0, *, shift=tf.constant(1.0)):
    return x * scale + shift
print(f(tf.constant(3.0)), f(tf.constant(3.0), scale=10.0), f(x=tf.constant(3.0), shift=tf.constant(0.0)))

# --- structures_as_arguments
# needs: tf.function
traces = []
@tf.function
def f(d):
    traces.append(1)
    return d["a"] + sum(d["b"])
print(f({"a": tf.constant(1), "b": [tf.constant(2), tf.constant(3)]}), f({"a": tf.constant(5), "b": [tf.constant(2), tf.constant(3)]}), len(traces))

# --- variable_as_argument
# needs: tf.function
traces = []
@tf.function
def f(v):
    traces.append(1)
    v.assign_add(1.0)
    return v * 2
a, b = tf.Variable(1.0), tf.Variable(5.0)
print(f(a), f(b), a.numpy(), b.numpy())

# --- executing_eagerly_inside
# needs: tf.function
seen = []
@tf.function
def f(x):
    seen.append((tf.executing_eagerly(), tf.inside_function()))
    return x
f(tf.constant(1))
print(seen, tf.executing_eagerly())

# --- assert_inside
# needs: tf.function
@tf.function
def f(x):
    tf.debugging.assert_positive(x)
    return tf.sqrt(x)
print(f(tf.constant(4.0)), outcome(lambda: f(tf.constant(-4.0))))

# --- jit_compile
# needs: tf.function
@tf.function(jit_compile=True)
def f(x, y):
    return tf.reduce_sum(tf.tanh(x @ y))
x, y = tf.Variable([[0.1, 0.2]]), tf.Variable([[0.3], [0.4]])
with tf.GradientTape() as tape:
    z = f(x, y)
print(z, tape.gradient(z, [x, y]))

# --- recursion_in_python
# needs: tf.function
@tf.function
def f(x, n):
    if n == 0:
        return tf.constant(1.0)
    return x * f(x, n - 1)
print(f(tf.constant(2.0), 3))

# --- side_effect_on_list_of_tensors
# needs: tf.function
leaked = []
@tf.function
def f(x):
    leaked.append(x * 2)
    return x
f(tf.constant(1.0))
print(outcome(lambda: leaked[0] + 1), outcome(lambda: leaked[0].numpy()))
