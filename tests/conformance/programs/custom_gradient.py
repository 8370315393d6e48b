# custom_gradient, grad_pass_through, recompute_grad, stop_gradient.

# --- log1pexp
@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))
    return tf.math.log(1 + e), grad
x = tf.constant(100.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = log1pexp(x)
print(y, tape.gradient(y, x))

# --- clip_gradients
@tf.custom_gradient
def clip(x):
    def grad(dy):
        return tf.clip_by_value(dy, -0.5, 0.5)
    return tf.identity(x), grad
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(clip(x) * [10.0, 0.1])
print(tape.gradient(y, x))

# --- wrong_gradient_is_believed
@tf.custom_gradient
def f(x):
    return x * x, lambda dy: dy * 1000.0
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x) + x
print(y, tape.gradient(y, x))

# --- several_inputs
@tf.custom_gradient
def f(x, y):
    def grad(dz):
        return dz * 10.0, dz * 20.0
    return x * y, grad
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = f(a, b)
print(z, tape.gradient(z, [a, b]))

# --- several_outputs
@tf.custom_gradient
def f(x):
    def grad(d1, d2):
        return d1 * 2.0 + d2 * 3.0
    return [x + 1, x * 2], grad
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    a, b = f(x)
    y = a * 10 + b
print(a, b, tape.gradient(y, x))

# --- unused_output_arrives_as_zeros
@tf.custom_gradient
def f(x):
    def grad(d1, d2):
        print("upstream", d1, d2)
        return d1 + d2
    return (x * 1.0, x * 2.0), grad
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    a, b = f(x)
print(tape.gradient(a, x))

# --- none_gradient
@tf.custom_gradient
def f(x, y):
    return x * y, lambda d: (d * y, None)
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = f(a, b)
print(tape.gradient(z, [a, b]))

# --- wrong_number_of_gradients
@tf.custom_gradient
def f(x, y):
    return x * y, lambda d: (d, d, d)
a, b = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = f(a, b)
tape.gradient(z, [a, b])

# --- missing_gradient_function
@tf.custom_gradient
def f(x):
    return x * x
print(outcome(lambda: f(tf.constant(2.0))))

# --- keyword_arguments_are_not_differentiated
@tf.custom_gradient
def f(x, *, scale):
    return x * scale, lambda d: d * scale * 2
x, s = tf.Variable(3.0), tf.constant(4.0)
with tf.GradientTape() as tape:
    tape.watch(s)
    y = f(x, scale=s)
print(y, tape.gradient(y, [x, s]))

# --- python_arguments
@tf.custom_gradient
def power(x, n):
    def grad(d):
        return d * tf.cast(n, tf.float32) * x ** (n - 1), None
    return x ** n, grad
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = power(x, 3.0)
print(y, tape.gradient(y, x))

# --- method
class Layer:
    def __init__(self, k):
        self.k = k
    @tf.custom_gradient
    def __call__(self, x):
        return x * self.k, lambda d: d * self.k * 100.0
print(outcome(lambda: Layer(2.0)(tf.constant(1.0))))

# --- closure_method
class Layer:
    def __init__(self, k):
        self.k = k
    def __call__(self, x):
        @tf.custom_gradient
        def f(x):
            return x * self.k, lambda d: d * self.k * 100.0
        return f(x)
x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    y = Layer(2.0)(x)
print(y, tape.gradient(y, x))

# --- as_a_function_not_decorator
f = tf.custom_gradient(lambda x: (tf.sin(x), lambda d: d * 7.0))
x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- variables_argument
v = tf.Variable(3.0)
@tf.custom_gradient
def f(x):
    def grad(d, variables=None):
        return d * v, [d * x * 10.0 for _ in variables]
    return x * v, grad
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, [x, v]))

# --- variables_without_argument_is_an_error
v = tf.Variable(3.0)
@tf.custom_gradient
def f(x):
    return x * v, lambda d: d * v
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(x)
    print(y)

# --- variables_without_argument_outside_a_tape
v = tf.Variable(3.0)
@tf.custom_gradient
def f(x):
    return x * v, lambda d: d * v
print(outcome(lambda: f(tf.constant(2.0))))

# --- variable_as_input
v = tf.Variable(3.0)
@tf.custom_gradient
def f(x):
    return x * 2.0, lambda d: d * 50.0
with tf.GradientTape() as tape:
    y = f(v)
print(outcome(lambda: tape.gradient(y, v)))

# --- returns_the_input_itself
@tf.custom_gradient
def f(x):
    return x, lambda d: d * 5.0
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
    z = y * 3.0
print(y is x, tape.gradient(z, x))

# --- second_order_through_grad_function
@tf.custom_gradient
def cube(x):
    def grad(d):
        return d * 3.0 * x ** 2
    return x ** 3, grad
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = cube(x)
    g = inner.gradient(y, x)
print(g, outer.gradient(g, x))

# --- nested_custom_gradients
@tf.custom_gradient
def f(x):
    def first(dy):
        @tf.custom_gradient
        def g(dy, x):
            def second(d2):
                return d2 * 100.0, d2 * 200.0
            return dy * x * 2.0, second
        return g(dy, x)
    return x * x, first
x = tf.constant(3.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = f(x)
    d1 = inner.gradient(y, x)
print(d1, outer.gradient(d1, x))

# --- straight_through_estimator
@tf.custom_gradient
def binarize(x):
    return tf.sign(x), lambda d: tf.where(tf.abs(x) <= 1.0, d, 0.0)
x = tf.Variable([-2.0, -0.5, 0.3, 1.5])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(binarize(x) * [1.0, 2.0, 3.0, 4.0])
print(y, tape.gradient(y, x))

# --- gradient_reversal
@tf.custom_gradient
def reverse(x):
    return tf.identity(x), lambda d: -d
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = reverse(x ** 2)
print(tape.gradient(y, x))

# --- inner_ops_are_hidden
@tf.custom_gradient
def f(x):
    y = tf.exp(x)
    z = tf.sin(y)
    return z, lambda d: d
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, x))

# --- closure_over_a_tensor_gets_nothing
c = tf.constant(5.0)
@tf.custom_gradient
def f(x):
    return x * c, lambda d: d * c
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([x, c])
    y = f(x)
print(tape.gradient(y, [x, c]))

# --- nested_structure_arguments
@tf.custom_gradient
def f(pair):
    a, b = pair
    def grad(d):
        return [d * 2.0, d * 3.0]
    return a * b, grad
a, b = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = f([a, b])
print(outcome(lambda: tape.gradient(y, [a, b])))

# --- numpy_inside
@tf.custom_gradient
def f(x):
    value = np.sin(x.numpy())
    def grad(d):
        return d * np.cos(x.numpy())
    return tf.constant(value), grad
x = tf.constant([0.1, 0.2])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = f(x)
print(tape.gradient(y, x))

# --- jacobian_of_custom_gradient
@tf.custom_gradient
def f(x):
    return x ** 2, lambda d: d * 3.0
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = f(x)
print(tape.jacobian(y, x))

# --- called_twice
@tf.custom_gradient
def f(x):
    return x * 2.0, lambda d: d * 3.0
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(f(x)) + f(x)
print(y, tape.gradient(y, x))

# --- docstring_and_name_kept
@tf.custom_gradient
def my_function(x):
    """Says what it does."""
    return x, lambda d: d
print(my_function.__name__, my_function.__doc__)

# --- grad_pass_through
x = tf.Variable(2.6)
with tf.GradientTape() as tape:
    y = tf.grad_pass_through(tf.round)(x) ** 2
print(y, tape.gradient(y, x))

# --- grad_pass_through_variable
v = tf.Variable(1.0)
f = tf.grad_pass_through(lambda x: v.assign(0.9 * v + 0.1 * x))
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = f(x) * 2.0
print(v.numpy(), tape.gradient(y, x))

# --- grad_pass_through_quantise
def quantise(x):
    return tf.round(x * 4.0) / 4.0
w = tf.Variable([0.1, 0.6, -0.9])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.grad_pass_through(quantise)(w) ** 2)
print(y, tape.gradient(y, w))

# --- recompute_grad
v = tf.Variable(2.0)
calls = []
@tf.recompute_grad
def block(x):
    calls.append(1)
    return tf.tanh(x * 3.0) * x
x = tf.constant(0.3)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = block(x)
g = tape.gradient(y, x)
print(y, g, len(calls))

# --- recompute_grad_with_variables
w = tf.Variable([[0.5, -0.3], [0.2, 0.8]])
@tf.recompute_grad
def layer(x):
    return tf.tanh(x @ w)
x = tf.Variable([[1.0, 2.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(layer(layer(x)))
print(y, *tape.gradient(y, [x, w]))

# --- recompute_grad_several_inputs
f = tf.recompute_grad(lambda a, b: tf.sin(a) * b ** 2)
a, b = tf.Variable(0.5), tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = f(a, b)
print(tape.gradient(y, [a, b]))

# --- recompute_grad_equals_plain
def f(x):
    return tf.nn.softplus(tf.reduce_sum(x ** 2, keepdims=True)) * x
x = tf.constant([0.1, -0.4])
results = []
for g in (f, tf.recompute_grad(f)):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(x)
    results.append(tape.gradient(y, x).numpy())
print(np.allclose(*results), results[0])

# --- stop_gradient_basic
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.stop_gradient(x) * x
print(tape.gradient(y, x))

# --- stop_gradient_only_path
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.stop_gradient(x ** 2)
print(y, tape.gradient(y, x))

# --- stop_gradient_straight_through
x = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    hard = tf.cast(x > 0.5, tf.float32)
    y = x + tf.stop_gradient(hard - x)
    loss = tf.reduce_sum(y * [2.0, 3.0])
print(y, tape.gradient(loss, x))

# --- stop_gradient_of_target_network
online, target = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    td = online * 3.0 - tf.stop_gradient(0.9 * target * 4.0)
    loss = td ** 2
print(loss, tape.gradient(loss, [online, target]))

# --- stop_gradient_second_order
x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
    g = tf.stop_gradient(inner.gradient(y, x))
    z = g * x
print(outer.gradient(z, x))

# --- stop_gradient_is_a_source
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    s = tf.stop_gradient(x)
    tape.watch(s)
    y = s ** 2
print(tape.gradient(y, [s, x]))

# --- stop_gradient_of_values
print(tf.stop_gradient(3), tf.stop_gradient([1.0, 2.0]), tf.stop_gradient(np.ones(1)))

# --- custom_gradient_with_stop_gradient
@tf.custom_gradient
def f(x):
    return tf.stop_gradient(x) * 2.0, lambda d: d * 11.0
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = f(x)
print(tape.gradient(y, x))

# --- mixed_dtype_gradients
@tf.custom_gradient
def f(x):
    return tf.cast(x, tf.float64) * 2.0, lambda d: tf.cast(d, tf.float32) * 2.0
x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    y = f(x)
print(y, tape.gradient(y, x))

# --- integer_and_float_inputs
@tf.custom_gradient
def pick(x, i):
    def grad(d):
        return tf.one_hot(i, 3) * d, None
    return x[i], grad
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = pick(x, tf.constant(1)) * 4.0
print(tape.gradient(y, x))
