# Corners of variables, custom gradients, forward mode, modules and structures.

# --- variable_assign_keeps_identity
v = tf.Variable([1.0, 2.0])
r = v.ref()
v.assign([3.0, 4.0])
print(v.ref() == r, r.deref() is v)

# --- variable_in_two_modules
v = tf.Variable(1.0, name="shared")
a, b = tf.Module(), tf.Module()
a.v, b.v, a.child = v, v, b
print(len(a.variables), len(b.variables), a.variables[0] is b.variables[0])

# --- module_with_dict_of_lists
m = tf.Module()
m.params = {"layers": [{"w": tf.Variable(1.0, name="w0"), "b": tf.Variable(2.0, name="b0")}, {"w": tf.Variable(3.0, name="w1")}]}
print([v.name for v in m.trainable_variables])

# --- module_variables_sorted_naturally
m = tf.Module()
for i in (10, 9, 2, 1):
    setattr(m, f"v{i}", tf.Variable(float(i), name=f"v{i}"))
print([v.name for v in m.variables])

# --- module_list_order
m = tf.Module()
m.items = [tf.Variable(float(i), name=f"n{i}") for i in (3, 1, 2)]
print([v.name for v in m.variables])

# --- module_in_dict_and_tuple
class Leaf(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.v = tf.Variable(0.0, name=n)
m = tf.Module()
m.z = (Leaf("z0"), Leaf("z1"))
m.a = {"k": Leaf("a0")}
print([v.name for v in m.variables], len(m.submodules))

# --- module_slots_and_properties
class M(tf.Module):
    def __init__(self):
        super().__init__(name="m")
        self._hidden = tf.Variable(1.0, name="hidden")
        self.count = 0
    @property
    def double(self):
        return self._hidden * 2
m = M()
print(m.double, len(m.variables), m.name, m.name_scope is not None)

# --- variable_shape_changes_with_none
v = tf.Variable(tf.zeros([1, 2]), shape=[None, 2])
for n in (3, 0, 1):
    v.assign(tf.ones([n, 2]))
    print(v.shape, tf.shape(v).numpy(), tf.reduce_sum(v).numpy())
with tf.GradientTape() as tape:
    y = tf.reduce_sum(v ** 2)
print(tape.gradient(y, v))

# --- variable_assign_to_smaller_rank
v = tf.Variable(tf.zeros([2, 2]), shape=tf.TensorShape(None))
v.assign(5.0)
print(v.numpy(), v.shape)

# --- variable_from_other_variable_expression
v = tf.Variable(2.0)
w = tf.Variable(v * 3)
v.assign(100.0)
print(w.numpy())

# --- variable_of_bfloat16_assign
v = tf.Variable(1.0, dtype=tf.bfloat16)
v.assign_add(0.5)
print(v, v * 2)

# --- variable_assign_with_name_and_keywords
v = tf.Variable(1.0)
v.assign(value=2.0, name="a")
v.assign_add(delta=1.0, use_locking=False, name=None, read_value=True)
print(v.numpy())

# --- variable_arithmetic_with_numpy
v = tf.Variable([1.0, 2.0])
print(v + np.array([1.0, 1.0], np.float32), np.array([1.0, 1.0]) * v, tf.reduce_sum(v * np.ones(2)))

# --- variable_truth_and_compare
v = tf.Variable(3)
print(bool(v > 2), v == 3, 3 == v, v != 3, "yes" if v == 3 else "no")

# --- variable_is_initial_value_independent
t = tf.constant([1.0])
v, w = tf.Variable(t), tf.Variable(t)
v.assign_add([1.0])
print(v.numpy(), w.numpy(), t.numpy())

# --- scatter_with_int64_and_matrix
v = tf.Variable(tf.zeros([3, 2]))
v.scatter_update(tf.IndexedSlices(tf.ones([2, 2]), tf.constant([2, 0], tf.int64)))
v.scatter_nd_add(tf.constant([[1, 1]], tf.int64), [5.0])
print(v.numpy())

# --- scatter_wrong_shapes
v = tf.Variable([1.0, 2.0, 3.0])
print(outcome(lambda: v.scatter_update(tf.IndexedSlices([1.0, 2.0], [0]))), outcome(lambda: v.scatter_nd_update([[0]], [1.0, 2.0])), outcome(lambda: v.scatter_nd_add([[0]], [1])), v.numpy())

# --- sliced_assign_negative_steps_and_ellipsis
v = tf.Variable(tf.range(6.0))
v[::-2].assign([10.0, 20.0, 30.0])
v[-1:].assign([7.0])
print(v.numpy())

# --- sliced_assign_dtype
v = tf.Variable([1, 2, 3])
print(outcome(lambda: v[0].assign(1.5)), outcome(lambda: v[0].assign(tf.constant(2.0))), v.numpy())

# --- custom_gradient_no_inputs_watched
@tf.custom_gradient
def f(x):
    return x * 2.0, lambda d: d * 3.0
x = tf.constant(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- custom_gradient_called_lazily
calls = []
@tf.custom_gradient
def f(x):
    def grad(d):
        calls.append(float(d))
        return d
    return x * 2.0, grad
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x) * 3.0
print(calls)
tape.gradient(y, x)
print(calls)

# --- custom_gradient_dtype_mismatch_output
@tf.custom_gradient
def f(x):
    return x * 2.0, lambda d: tf.cast(d, tf.float64)
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(outcome(lambda: tape.gradient(y, x).dtype))

# --- custom_gradient_python_number_output
@tf.custom_gradient
def f(x):
    return x * 2.0, lambda d: 3.0
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(float(tape.gradient(y, x)))

# --- custom_gradient_dict_output
@tf.custom_gradient
def f(x):
    def grad(*d):
        return sum(d)
    return {"a": x * 2.0, "b": x * 3.0}, grad
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    out = f(x)
    y = out["a"] + 10.0 * out["b"]
print(out, outcome(lambda: tape.gradient(y, x)))

# --- custom_gradient_with_variables_and_module
m = tf.Module()
m.w = tf.Variable(2.0)
@tf.custom_gradient
def f(x):
    def grad(d, variables=None):
        return d * m.w, [d * x for v in variables]
    return x * m.w, grad
x = tf.Variable(5.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, [x, m.w]))

# --- custom_gradient_second_tape_inside
@tf.custom_gradient
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 3
    g = tape.gradient(y, x)
    return y, lambda d: d * g
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- recompute_grad_nested_and_loop
def block(x):
    return tf.sin(x) + x ** 2
g = tf.recompute_grad(block)
x = tf.constant(0.4)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x
    for _ in range(4):
        y = g(y)
print(y, tape.gradient(y, x))

# --- recompute_grad_random_replays
tf.random.set_seed(3)
@tf.recompute_grad
def noisy(x):
    return x * tf.random.stateless_uniform([2], seed=[1, 2])
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = noisy(x)
print(y, tape.gradient(y, x))

# --- recompute_grad_keyword_arguments
@tf.recompute_grad
def f(x, scale=1.0):
    return tf.tanh(x) * scale
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = f(x, scale=3.0)
print(y, tape.gradient(y, x))

# --- forward_through_control_flow
x = tf.constant(1.2)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    a = tf.cond(x > 1, lambda: x ** 2, lambda: x)
    _, b = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x))
    c = tf.map_fn(lambda v: v * x, tf.constant([1.0, 2.0]))
print(acc.jvp(a), acc.jvp(b), acc.jvp(c))

# --- forward_variable_list
v, w = tf.Variable(2.0), tf.Variable(3.0)
with tf.autodiff.ForwardAccumulator([v, w], [tf.constant(1.0), tf.constant(0.0)]) as acc:
    y = v ** 2 * w
print(acc.jvp(y))

# --- forward_none_tangents_for_unrelated
x, z = tf.constant(2.0), tf.constant(3.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = z ** 2
    w = x * y
print(acc.jvp([y, w, x, z]))

# --- forward_mismatched_structure
x = tf.constant(2.0)
print(outcome(lambda: tf.autodiff.ForwardAccumulator([x], tf.constant(1.0))), outcome(lambda: tf.autodiff.ForwardAccumulator({"a": x}, {"b": tf.constant(1.0)})))

# --- forward_third_order
x, one = tf.constant(1.5), tf.constant(1.0)
with tf.autodiff.ForwardAccumulator(x, one) as a:
    with tf.autodiff.ForwardAccumulator(x, one) as b:
        with tf.autodiff.ForwardAccumulator(x, one) as c:
            y = tf.exp(2 * x)
        d1 = c.jvp(y)
    d2 = b.jvp(d1)
d3 = a.jvp(d2)
print(d1, d2, d3)

# --- forward_over_recompute
f = tf.recompute_grad(lambda v: tf.sin(v) * v)
x = tf.constant(0.8)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(tape.gradient(y, x))

# --- indexed_slices_in_lists
v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.gather(v, [1])) * w
g = tape.gradient(y, [v, w])
print(type(g[0]).__name__, g[0].values, g[1], tf.linalg.global_norm(g))

# --- indexed_slices_shape_and_iteration
g = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
print(g.shape, outcome(lambda: len(g)), outcome(lambda: g[0]), outcome(lambda: g.numpy()))

# --- nest_with_none_and_variables
v = tf.Variable(1.0)
flat = tf.nest.flatten({"b": None, "a": [v, (tf.constant(2.0), "s")]})
print(len(flat), flat[0] is v, flat[-1])

# --- nest_map_over_gradients
v, w = tf.Variable(1.0), tf.Variable([2.0])
with tf.GradientTape() as tape:
    y = v * tf.reduce_sum(w)
params = {"v": v, "w": [w]}
grads = tape.gradient(y, params)
print(tf.nest.map_structure(lambda p, g: p - 0.1 * g, params, grads))

# --- map_fn_structure_gradient
a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    s, p = tf.map_fn(lambda t: (t[0] + t[1], t[0] * t[1]), (a, b), fn_output_signature=(tf.float32, tf.float32))
    y = tf.reduce_sum(s * p)
print(tape.gradient(y, [a, b]))

# --- scan_with_structure_gradient
x = tf.Variable([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    h, c = tf.scan(lambda s, v: (tf.tanh(s[0] + v), s[1] * 2.0 + v), x, initializer=(tf.constant(0.0), tf.constant(1.0)))
    y = h[-1] * c[-1]
print(y, tape.gradient(y, x))

# --- while_loop_second_order
x = tf.Variable(1.1)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- vectorized_map_nested
x = tf.reshape(tf.range(6.0), [2, 3])
print(tf.vectorized_map(lambda r: tf.vectorized_map(lambda v: v ** 2, r), x))

# --- vectorized_map_with_gradient_inside
xs = tf.constant([1.0, 2.0, 3.0])
def g(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x ** 3
    return tape.gradient(y, x)
print(tf.vectorized_map(g, xs))

# --- vectorized_map_second_order
xs = tf.constant([1.0, 2.0])
def h(x):
    with tf.GradientTape() as t2:
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            y = tf.sin(x) * x
        d = t1.gradient(y, x)
    return t2.gradient(d, x)
print(tf.vectorized_map(h, xs))

# --- vectorized_map_jacobian_of_each
xs = tf.constant([[1.0, 2.0], [3.0, 4.0]])
def j(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[0] ** 2])
    return tape.jacobian(y, x)
print(outcome(lambda: tf.vectorized_map(j, xs)))

# --- vectorized_map_matmul_and_reductions
a = tf.reshape(tf.range(12.0), [3, 2, 2])
w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(tf.vectorized_map(lambda m: m @ w, a), tf.vectorized_map(lambda m: tf.reduce_sum(m, axis=0), a), tf.vectorized_map(lambda m: tf.concat([m, w], 0), a).shape, tf.vectorized_map(lambda m: tf.linalg.det(m + w), a))

# --- vectorized_map_gather_and_index
a = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
i = tf.constant([2, 0])
print(tf.vectorized_map(lambda t: tf.gather(t[0], t[1]), (a, i)), tf.vectorized_map(lambda r: r[::-1], a), tf.vectorized_map(lambda r: tf.one_hot(tf.argmax(r), 3), a))
