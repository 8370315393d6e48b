"""What a trace knows of shapes, of the functions it is made from, and of constants it meets."""

# --- sizes_computed_from_a_shape
@tf.function(input_signature=[tf.TensorSpec([None, 2, 3])])
def f(x):
    s = tf.shape(x)
    n = s[0]
    shown = [
        tf.reshape(x, tf.concat([s[:1], [6]], 0)), tf.reshape(x, tf.stack([n, 6])),
        tf.reshape(x, s), tf.reshape(x, [n, s[1] * s[2]]),
        tf.reshape(x, tf.cast([n, 6], tf.int64)), tf.random.normal([n, 4]),
        tf.reshape(x, [-1, s[1] * s[2]]), tf.zeros([n, 4]), tf.zeros(tf.stack([n, 4])),
        tf.ones(s), tf.fill([n, 2], 1.0), tf.broadcast_to(x[:, :1], s),
        tf.reshape(x, tf.concat([[n], [2 * 3]], 0)), tf.random.uniform(s),
        tf.reshape(x, tf.concat([s[:-1], [1, 3]], 0)), tf.zeros(tf.concat([s[:1], s[2:]], 0)),
        tf.zeros(s[1:]), tf.zeros(tf.shape(x, out_type=tf.int64)), tf.zeros(tf.unstack(s)),
        tf.random.stateless_normal([n, 4], [1, 2]), tf.zeros(tf.concat([s, [1]], -1)),
        tf.range(s[1]), tf.one_hot([0, 1], s[1]), tf.eye(s[1])]
    for y in shown:
        print(y.shape)
    return x

f(tf.ones([4, 2, 3]))

# --- paddings_known_in_part
@tf.function
def f(x, n):
    print(tf.pad(x, [(0, 0), (0, n)]).shape, tf.pad(x, [[n, 0], [1, 2]]).shape)
    print(tf.pad(x, tf.stack([[0, 0], [0, n]])).shape)
    print(tf.pad(x, tf.convert_to_tensor([[0, n], [1, 1]])).shape)
    return tf.pad(x, [(0, 0), (0, n)])

print(f(tf.zeros([3, 2]), tf.constant(2)))

# --- arguments_of_a_function
import inspect
print(inspect.getfullargspec(tf.function(lambda x, y=2: x)).args)
print(tf.custom_gradient(lambda x: (x, lambda g: g)).__original_wrapped__.__name__)

# --- attributes_of_a_callable_object
class M(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(1.0)

    def __call__(self, x):
        return x * self.w

f = tf.function(M())
print(f.w.numpy(), f(tf.constant(2.0)).numpy())
try:
    f.nothing
except AttributeError:
    print("AttributeError")

# --- decorating_before_the_first_trace
f = tf.function(lambda x: x + 1)
f._decorate(lambda g: lambda x: g(x) * 10)
print(f(tf.constant(1.0)).numpy())

# --- a_constant_of_a_trace_has_a_graph
print(tf.function(lambda: tf.constant(float(tf.constant(True).graph is not None)))().numpy())

# --- registered_conversion_of_an_extension_type
class P(tf.experimental.ExtensionType):
    a: tf.Tensor

tf.register_tensor_conversion_function(
    P, lambda v, dtype=None, name=None, as_ref=False: v.a * 2)
p = P(tf.constant(2.0))
print(tf.add(p, 1.0).numpy(), tf.convert_to_tensor(p).numpy(), tf.stack([p, 1.0]).numpy())
print(tf.function(lambda q: tf.add(q, 1.0))(p).numpy())

# --- creators_of_other_classes_run_once
runs = []

class Own(tf.Variable):
    def __init__(self, value, trainable, name=None):
        runs.append(value.numpy())
        self.v = value

def creator(next_creator, **kwargs):
    return Own(tf.convert_to_tensor(kwargs["initial_value"]), True)

with tf.variable_creator_scope(creator):
    v = tf.Variable(3.0)
print(runs, type(v).__name__)

# --- copies_are_followed
import copy
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(x * copy.copy(x) * copy.deepcopy(x))
print(tape.gradient(y, x).numpy())

# --- tangents_of_integers_are_inert
x, y = tf.constant(2), tf.constant(3.0)
with tf.autodiff.ForwardAccumulator([x, y], [tf.constant(5), tf.constant(1.0)]) as accumulator:
    z = tf.cast(x, tf.float32) * 2.0 + y * 3.0
    w = tf.cast(x, tf.float32)
print(accumulator.jvp(z).numpy(), accumulator.jvp(w), accumulator.jvp(x).numpy())

# --- a_constant_watched_after_tracing
x = tf.constant(2.0)
g = tf.function(lambda: x * x)
print(g().numpy())
with tf.GradientTape() as tape:
    tape.watch(x)
    y = g()
print(tape.gradient(y, x).numpy())

@tf.function
def outer():
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g()
    return tape.gradient(y, x)

print(outer().numpy())

# --- a_rule_that_calls_its_own_function
@tf.custom_gradient
def f(x):
    return tf.exp(x), lambda g: g * f(x)

def derivative(function):
    def derived(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)
    return derived

x = tf.constant(1.0)
print(tf.function(f)(x).numpy(), tf.function(derivative(derivative(f)))(x).numpy())
print(derivative(tf.function(f))(x).numpy())

# --- recomputing_reads_variables_when_it_runs
def run(wrap):
    v = tf.Variable(2.0)
    block = tf.recompute_grad(lambda x: x * v * v)

    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = block(x)
        v.assign_add(1.0)
        return (y, *tape.gradient(y, [x, v]))

    print([t.numpy() for t in wrap(step)(tf.constant(3.0))])

run(lambda step: step)
run(tf.function)

# --- methods_of_an_array_by_its_class
@tf.function
def f(x):
    array = tf.TensorArray(tf.float32, 3).write(0, x[0])
    for t in tf.range(1, 3):
        array = array.write(t, x[t])
    return tf.TensorArray.stack(array)

print(f(tf.ones([3, 2])).shape)

# --- composites_of_users
class Spec(tf.TypeSpec):
    def __init__(self, shape):
        self.shape = shape

    value_type = property(lambda self: C)
    _component_specs = property(lambda self: {"x": tf.TensorSpec(self.shape), "a": [
        tf.TensorSpec([])]})

    def _serialize(self):
        return (self.shape,)

    def _to_components(self, value):
        return {"x": value.x, "a": [value.a]}

    def _from_components(self, components):
        return C(components["x"], components["a"][0])

class C(tf.__internal__.CompositeTensor):
    def __init__(self, x, a):
        self.x, self.a = x, a

    _type_spec = property(lambda self: Spec(self.x.shape))

c = C(tf.constant([1.0, 2.0]), tf.constant(5.0))
print([t.numpy() for t in tf.nest.flatten(c, expand_composites=True)])
d = tf.nest.map_structure(lambda t: t * 2, c, expand_composites=True)
print(d.x.numpy(), d.a.numpy())
e = tf.function(lambda c: C(c.x * 3, c.a + 1))(c)
print(type(e).__name__, e.x.numpy(), e.a.numpy())
print(isinstance(tf.Variable(1.0), tf.__internal__.CompositeTensor),
      isinstance(tf.constant(1.0), tf.__internal__.CompositeTensor),
      isinstance(tf.TensorSpec([]), tf.TypeSpec), issubclass(tf.RaggedTensorSpec, tf.TypeSpec))
