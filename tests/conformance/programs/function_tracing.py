# tf.function: forms of decoration, signatures, what shares a trace, concrete functions.

# --- decorator_with_arguments
@tf.function(autograph=False, reduce_retracing=False)
def f(x):
    """Doc."""
    return x + 1
print(f(tf.constant(1)), f.__name__, f.__doc__)

# --- decorator_with_empty_call
@tf.function()
def f(x):
    return x * 2
print(f(tf.constant(1.5)))

# --- keyword_func
f = tf.function(func=lambda x: x - 1)
print(f(tf.constant(3)))

# --- flags_are_accepted
f = tf.function(lambda x: x * 2, experimental_implements="my_op", experimental_autograph_options=None, experimental_attributes=None, experimental_relax_shapes=None, experimental_compile=None, experimental_follow_type_hints=None)
print(f(tf.constant(2)))

# --- partial
import functools
traces = []
def g(a, x, b=1):
    traces.append((a, b))
    return a * x + b
f = tf.function(functools.partial(g, 3, b=10))
print(f(tf.constant(2)), f(tf.constant(5)), f(tf.constant(2), b=20), traces)

# --- callable_object
class Scale:
    def __init__(self, k):
        self.k = k
    def __call__(self, x):
        return x * self.k
f = tf.function(Scale(4))
print(f(tf.constant(2)), f(tf.constant([1, 2])))

# --- bound_method
class Thing:
    def __init__(self):
        self.calls = 0
    def go(self, x):
        self.calls += 1
        return x * 2
t = Thing()
f = tf.function(t.go)
print(f(tf.constant(1)), f(tf.constant(2)), t.calls)

# --- method_decorator_traces_per_instance
class Thing:
    def __init__(self, k):
        self.k, self.traced = k, 0
    @tf.function
    def go(self, x):
        self.traced += 1
        return x * self.k
a, b = Thing(2), Thing(3)
print(a.go(tf.constant(1)), a.go(tf.constant(2)), b.go(tf.constant(1)), a.traced, b.traced)

# --- static_and_class_methods
class Thing:
    k = 7
    @staticmethod
    @tf.function
    def s(x):
        return x + 1
    @classmethod
    def c(cls, x):
        return cls.inner(x)
    @staticmethod
    def inner(x):
        return x + 2
print(Thing.s(tf.constant(1)), Thing().s(tf.constant(1)), tf.function(Thing.c)(tf.constant(1)))

# --- nested_definition
def make(k):
    @tf.function
    def f(x):
        return x * k
    return f
print(make(2)(tf.constant(3)), make(5)(tf.constant(3)))

# --- builtin_function
f = tf.function(tf.add)
print(f(tf.constant(1), tf.constant(2)))

# --- function_of_function
f = tf.function(tf.function(lambda x: x * 3))
print(f(tf.constant(2)))

# --- tracing_count
@tf.function
def f(x):
    return x + 1
print(f.experimental_get_tracing_count())
for x in (tf.constant(1), tf.constant(2), tf.constant(1.0), tf.constant([1]), tf.constant([1, 2]), tf.constant([[1]])):
    f(x)
print(f.experimental_get_tracing_count())

# --- cache_python_numbers
traces = []
@tf.function
def f(n):
    traces.append(n)
    return n * 2
print([f(n).numpy() for n in (1, 2, 1, 3, 2)], traces)

# --- cache_equal_python_values
traces = []
@tf.function
def f(n):
    traces.append(type(n).__name__)
    return tf.constant(5)
f(1), f(1.0), f(True), f(0), f(False), f(2.0), f(2)
print(traces)

# --- cache_strings_and_none
traces = []
@tf.function
def f(mode, x):
    traces.append(mode)
    return x * 2 if mode == "double" else x
print(f("double", 3), f("none", 3), f("double", 3), f(None, 3), f(None, 3), traces)

# --- cache_tuples_and_lists
traces = []
@tf.function
def f(xs):
    traces.append(type(xs).__name__ + str(len(xs)))
    return sum(xs)
one, two = tf.constant(1), tf.constant(2)
print(f([one, two]), f([two, two]), f((one, two)), f((two, one)), f([one]), traces)

# --- cache_dicts
traces = []
@tf.function
def f(d):
    traces.append(sorted(d))
    return tf.add_n(list(d.values()))
one, two = tf.constant(1), tf.constant(2)
f({"a": one, "b": two}), f({"b": two, "a": one}), f({"a": two, "b": two}), f({"a": one, "c": two}), f({"a": one})
print(traces)

# --- cache_nested_python_values
traces = []
@tf.function
def f(x, cfg):
    traces.append(str(cfg))
    return x * cfg["k"] + cfg["more"][0]
x = tf.constant(2)
f(x, {"k": 1, "more": [2]}), f(x, {"k": 1, "more": [2]}), f(x, {"k": 1, "more": [3]}), f(x, {"k": 2, "more": [3]})
print(traces)

# --- cache_named_tuple
from collections import namedtuple
P = namedtuple("P", "x y")
traces = []
@tf.function
def f(p):
    traces.append(type(p).__name__)
    return P(p.x + p.y, p.x - p.y)
print(f(P(tf.constant(1), tf.constant(2))), f(P(tf.constant(3), tf.constant(2))), traces)

# --- cache_numpy_scalars_are_tensors
traces = []
@tf.function
def f(x):
    traces.append(isinstance(x, tf.Tensor))
    return x
print(f(np.float32(1)), f(np.float32(2)), f(np.float64(2)), f(np.int32(1)), f(np.array([1, 2])), traces)

# --- cache_objects_by_identity
class Config:
    def __init__(self, k):
        self.k = k
traces = []
@tf.function
def f(x, c):
    traces.append(c.k)
    return x * c.k
a, b = Config(2), Config(3)
x = tf.constant(1)
print(f(x, a), f(x, b), f(x, a), traces)
a.k = 100
print(f(x, a), traces)

# --- cache_functions_as_arguments
traces = []
@tf.function
def f(g, x):
    traces.append(g.__name__)
    return g(x)
print(f(tf.sin, tf.constant(0.0)), f(tf.cos, tf.constant(0.0)), f(tf.sin, tf.constant(1.0)), traces)

# --- cache_variables
traces = []
@tf.function
def f(v):
    traces.append(v.shape.as_list())
    return v * 2
a, b, c = tf.Variable([1.0]), tf.Variable([2.0]), tf.Variable([1.0, 2.0])
print(f(a), f(b), f(c), traces)

# --- cache_variable_aliasing
traces = []
@tf.function
def f(v, w):
    traces.append(v is w)
    v.assign_add(1.0)
    return v + w
a, b = tf.Variable(1.0), tf.Variable(10.0)
print(f(a, b), f(a, a), f(b, a), traces)

# --- tensor_against_variable_argument
traces = []
@tf.function
def f(x):
    traces.append(isinstance(x, tf.Variable))
    return x + 1.0
print(f(tf.Variable(1.0)), f(tf.constant(1.0)), traces)

# --- default_arguments
traces = []
@tf.function
def f(x, k=3, mode="a"):
    traces.append((k, mode))
    return x * k
x = tf.constant(1)
print(f(x), f(x, 3), f(x, k=3), f(x, mode="a", k=3), f(x, 4), traces)

# --- star_arguments
traces = []
@tf.function
def f(*xs, **named):
    traces.append((len(xs), sorted(named)))
    return tf.add_n(list(xs) + list(named.values()))
one = tf.constant(1)
print(f(one), f(one, one), f(one, a=one), f(one, b=one, a=one), f(one, a=one, b=one), traces)

# --- keyword_only
@tf.function
def f(x, *, k, shift=1):
    return x * k + shift
print(f(tf.constant(2), k=3), f(tf.constant(2), shift=0, k=tf.constant(5)))

# --- wrong_arguments
@tf.function
def f(x, y):
    return x + y
for call in (lambda: f(1), lambda: f(1, 2, 3), lambda: f(1, z=2), lambda: f(), lambda: f(1, 2, y=3)):
    print(outcome(call))

# --- input_signature_several
traces = []
@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32), tf.TensorSpec([], tf.int32)])
def f(x, n):
    traces.append((x.shape.as_list(), n.shape.as_list()))
    return tf.reduce_sum(x) * tf.cast(n, tf.float32)
print(f(tf.ones([3, 2]), 2), f([[1.0, 2.0]], tf.constant(3)), f(x=tf.ones([1, 2]), n=1), traces)

# --- input_signature_errors
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    return x
for call in (lambda: f(tf.constant(1.0)), lambda: f(tf.constant([1], tf.int32)), lambda: f(tf.constant([[1.0]])), lambda: f("a"), lambda: f(), lambda: f([1.0], [2.0]), lambda: f([1, 2]), lambda: f(None), lambda: f(np.ones(2)), lambda: f(tf.ones(2, tf.float64))):
    print(outcome(call))

# --- input_signature_message
# phrase: Binding inputs to tf.function failed
@tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
def f(x):
    return x
f(tf.ones([4]))

# --- input_signature_too_long
f = tf.function(lambda x: x, input_signature=[tf.TensorSpec([]), tf.TensorSpec([])])
print(outcome(lambda: f(1.0)), outcome(lambda: f(1.0, 2.0)))

# --- input_signature_of_other_things
for s in ([1], [tf.float32], ["a"], 3, tf.TensorSpec([]), [None]):
    print(outcome(lambda: tf.function(lambda x: x, input_signature=s)(tf.constant(1.0)).numpy()))

# --- input_signature_nested
@tf.function(input_signature=[{"a": tf.TensorSpec([]), "b": (tf.TensorSpec([None]), tf.TensorSpec([None]))}])
def f(d):
    return d["a"] * tf.reduce_sum(d["b"][0]) + tf.reduce_sum(d["b"][1])
print(f({"a": 2.0, "b": ([1.0, 2.0], [3.0])}), f({"a": tf.constant(1.0), "b": (tf.ones([5]), tf.ones([2]))}))
print(outcome(lambda: f({"a": 1.0})), outcome(lambda: f([1.0, 2.0])))

# --- input_signature_unknown_rank
ranks = []
@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def f(x):
    ranks.append(x.shape.rank)
    return tf.reduce_sum(x), tf.rank(x), tf.shape(x)
print(f(1.0), f([1.0, 2.0]), f(tf.ones([2, 3])), ranks)

# --- input_signature_with_defaults
@tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
def f(x, k=3.0):
    return x * k
print(f(2.0), outcome(lambda: f(2.0, 4.0)), outcome(lambda: f(2.0, k=3.0)))

# --- input_signature_empty
traces = []
@tf.function(input_signature=[])
def f():
    traces.append(1)
    return tf.constant(4)
print(f(), f(), traces, outcome(lambda: f(1)))

# --- input_signature_attribute
f = tf.function(lambda x: x, input_signature=(tf.TensorSpec([None], tf.int32, name="q"),))
g = tf.function(lambda x: x)
print(f.input_signature, g.input_signature)

# --- input_signature_method
class Thing(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        return x.shape.as_list(), tf.reduce_sum(x)
t = Thing()
print(t([1.0]), t([1.0, 2.0]))

# --- type_hints_do_not_matter
@tf.function
def f(x: tf.Tensor, n: int = 2) -> tf.Tensor:
    return x * n
print(f(tf.constant(2)), f(tf.constant(2), 3))

# --- reduce_retracing_shapes
shapes = []
@tf.function(reduce_retracing=True)
def f(x):
    shapes.append(x.shape)
    return tf.size(x)
for s in ([1, 2], [1, 3], [1, 5], [4, 5], [2], [3], [7, 7]):
    f(tf.zeros(s))
print(shapes, f.experimental_get_tracing_count())

# --- reduce_retracing_two_arguments
shapes = []
@tf.function(reduce_retracing=True)
def f(x, y):
    shapes.append((x.shape, y.shape))
    return tf.reduce_sum(x) + tf.reduce_sum(y)
for a, b in ((1, 1), (2, 1), (2, 2), (3, 3), (9, 1)):
    f(tf.zeros([a]), tf.zeros([b]))
print(shapes)

# --- reduce_retracing_dtype_and_python
seen = []
@tf.function(reduce_retracing=True)
def f(x, k):
    seen.append((x.dtype.name, x.shape, k))
    return x
f(tf.zeros([1]), 1), f(tf.zeros([2]), 1), f(tf.zeros([2]), 2), f(tf.zeros([3], tf.int32), 2), f(tf.zeros([4]), 2)
print(seen)

# --- get_concrete_function_from_values
@tf.function
def f(x, y):
    return x * y
c = f.get_concrete_function(tf.constant(1.0), tf.constant(2.0))
print(c(tf.constant(3.0), tf.constant(4.0)), f.experimental_get_tracing_count())
f(tf.constant(3.0), tf.constant(5.0))
print(f.experimental_get_tracing_count())

# --- get_concrete_function_keywords
@tf.function
def f(x, y):
    return x - y
c = f.get_concrete_function(x=tf.TensorSpec([], tf.float32), y=tf.TensorSpec([], tf.float32))
print(c(x=tf.constant(3.0), y=tf.constant(1.0)), c(y=tf.constant(3.0), x=tf.constant(1.0)), c(tf.constant(5.0), tf.constant(1.0)))

# --- get_concrete_function_python_values
@tf.function
def f(x, k):
    return x * k
c = f.get_concrete_function(tf.TensorSpec([], tf.int32), 3)
print(c(tf.constant(2)), c(tf.constant(2), 3), outcome(lambda: c(tf.constant(2), 4)))

# --- get_concrete_function_wrong_calls
@tf.function
def f(x, y=2.0):
    return x * y
c = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
for call in (lambda: c(tf.constant([1.0, 2.0])), lambda: c(), lambda: c(tf.constant([1.0])), lambda: c(tf.constant([1, 2])), lambda: c([1.0, 2.0]), lambda: c(np.ones(2, np.float32)), lambda: c(tf.constant([1.0, 2.0]), z=1)):
    print(outcome(call))

# --- get_concrete_function_with_input_signature
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    return tf.reduce_sum(x)
c = f.get_concrete_function()
print(c(tf.constant([1.0, 2.0])), f.get_concrete_function() is c, f.experimental_get_tracing_count())
f(tf.constant([1.0]))
print(f.experimental_get_tracing_count())

# --- structured_input_signature
@tf.function
def f(x, n, d, *, k):
    return x
c = f.get_concrete_function(tf.TensorSpec([None, 2], tf.float32), 3, {"a": tf.constant(1)}, k=tf.TensorSpec([], tf.int32))
print(c.structured_input_signature)

# --- structured_outputs
@tf.function
def f(x):
    return {"a": x, "b": (x + 1.0, [tf.reduce_sum(x)])}
c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
print(c.structured_outputs)

# --- concrete_function_shapes
@tf.function
def f(x):
    return x * 2, tf.reduce_sum(x)
c = f.get_concrete_function(tf.TensorSpec([None, 3], tf.float32))
print([t.shape for t in c.inputs], [t.shape for t in c.outputs], [t.dtype for t in c.outputs])
print(c.output_shapes, c.output_dtypes)

# --- concrete_function_variables
v, w, z = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w", trainable=False), tf.Variable(3.0, name="z")
@tf.function
def f(x):
    return x * v + w
c = f.get_concrete_function(tf.constant(1.0))
print([one.name for one in c.variables], [one.name for one in c.trainable_variables], c(tf.constant(3.0)))
v.assign(10.0)
print(c(tf.constant(3.0)))

# --- concrete_function_gradient
@tf.function
def f(x):
    return x ** 3
c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = c(x)
print(tape.gradient(y, x))

# --- concrete_function_inside_a_function
@tf.function
def f(x):
    return x ** 2
c = f.get_concrete_function(tf.TensorSpec([], tf.float32))
@tf.function
def g(x):
    return c(x) + c(x + 1.0)
print(g(tf.constant(2.0)))

# --- python_function_attribute
def plain(x):
    return x + 1
f = tf.function(plain)
print(f.python_function is plain, f.python_function(2), type(f.python_function).__name__)

# --- run_functions_eagerly
calls = []
@tf.function
def f(x):
    calls.append(tf.executing_eagerly())
    return x + 1
f(tf.constant(1))
tf.config.run_functions_eagerly(True)
try:
    print(tf.config.functions_run_eagerly(), f(tf.constant(1)), f(1), f(tf.constant(1)).numpy())
finally:
    tf.config.run_functions_eagerly(False)
f(tf.constant(2))
print(calls, tf.config.functions_run_eagerly())

# --- unknown_dimensions_stay_symbolic
seen = []
@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([3, None], tf.float32)])
def f(a, b):
    c = a @ b
    d = tf.concat([a, a], 0)
    e = tf.reshape(a, [-1])
    g = tf.transpose(a)
    h = tf.reduce_sum(a, 1)
    i = tf.stack([a, a])
    seen.append([t.shape.as_list() for t in (c, d, e, g, h, i, a[:2], a[0], tf.expand_dims(a, 0), a + 1.0)])
    return tf.shape(c)
print(f(tf.ones([2, 3]), tf.ones([3, 4])), f(tf.ones([5, 3]), tf.ones([3, 1])), seen)

# --- set_shape_and_ensure_shape
seen = []
@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def f(x):
    y = tf.ensure_shape(x, [None, 2])
    seen.append(y.shape.as_list())
    x.set_shape([None, 2])
    seen.append(x.shape.as_list())
    return tf.reduce_sum(y, 0)
print(f(tf.ones([3, 2])), seen, outcome(lambda: f(tf.ones([3, 4]))))

# --- broadcasting_unknown_sizes
@tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None])])
def f(x, y):
    return x + y
print(f(tf.ones([2, 3]), tf.ones([3])), f(tf.ones([2, 1]), tf.ones([3])), f(tf.ones([2, 3]), tf.ones([1])), outcome(lambda: f(tf.ones([2, 3]), tf.ones([2]))))

# --- python_side_effects_with_loop
log = []
@tf.function
def f(xs):
    for i, x in enumerate(xs):
        log.append(i)
    return tf.add_n(xs)
print(f([tf.constant(1), tf.constant(2)]), f([tf.constant(3), tf.constant(4)]), log)

# --- returns_of_many_kinds
@tf.function
def f(x):
    return x, [x], (x,), {"k": x}, None, 1, 2.5, True, "text", np.array([1, 2]), np.float32(2), [], ()
print(f(tf.constant(3)))

# --- returns_something_unusable
class Odd:
    pass
@tf.function
def f(x):
    return Odd()
print(outcome(lambda: f(tf.constant(1))))

# --- returns_a_variable
v = tf.Variable([1.0, 2.0])
@tf.function
def f():
    return v
print(f(), type(f()).__name__.replace("EagerTensor", "Tensor"))

# --- returns_the_argument
@tf.function
def f(x):
    return x
x = tf.constant([1.0])
y = f(x)
print(y is x, y)

# --- ragged_lists_of_arguments
@tf.function
def f(x):
    return x[0] + x[1]
print(f([1, 2]), f([tf.constant(1.0), 2.0]), outcome(lambda: f([1])))

# --- numpy_argument_is_copied
@tf.function
def f(x):
    return x * 1
a = np.ones(2)
y = f(a)
a[0] = 5
print(y, f(a))

# --- different_functions_different_caches
def g(x):
    return x + 1
a, b = tf.function(g), tf.function(g)
a(tf.constant(1)), a(tf.constant(1.0)), b(tf.constant(1))
print(a.experimental_get_tracing_count(), b.experimental_get_tracing_count())

# --- symbolic_properties
seen = []
@tf.function
def f(x):
    seen.append((x.shape, x.dtype, x.shape.rank, hasattr(x, "numpy"), isinstance(x, tf.Tensor), tf.is_tensor(x), tf.is_symbolic_tensor(x)))
    return x
f(tf.ones([2, 3]))
print(seen)

# --- empty_tensor_argument
@tf.function
def f(x):
    return tf.reduce_sum(x), tf.shape(x)
print(f(tf.zeros([0, 3])), f(tf.zeros([0])))

# --- string_and_bool_tensors
@tf.function
def f(s, b):
    return s, tf.logical_not(b)
print(f(tf.constant("a"), tf.constant(True)), f(tf.constant(["a", "b"]), tf.constant([True, False])))

# --- tracing_protocol
class Apple:
    flavor = tf.constant([1, 2])
class Mango:
    flavor = tf.constant([3, 4])
class FruitTraceType(tf.types.experimental.TraceType):
    def __init__(self, fruit):
        self.fruit_type = type(fruit)
        self.fruit_value = fruit
    def is_subtype_of(self, other):
        return type(other) is FruitTraceType and self.fruit_type is other.fruit_type
    def most_specific_common_supertype(self, others):
        return self if all(self == other for other in others) else None
    def placeholder_value(self, placeholder_context=None):
        return self.fruit_value
    def __eq__(self, other):
        return type(other) is FruitTraceType and self.fruit_type == other.fruit_type
    def __hash__(self):
        return hash(self.fruit_type)
class FruitWithTraceType:
    def __tf_tracing_type__(self, context):
        return FruitTraceType(self)
class AppleWithTraceType(FruitWithTraceType):
    flavor = tf.constant([1, 2])
class MangoWithTraceType(FruitWithTraceType):
    flavor = tf.constant([3, 4])
@tf.function
def get_mixed_flavor(a, b):
    print("trace")
    return a.flavor + b.flavor
print(get_mixed_flavor(AppleWithTraceType(), MangoWithTraceType()))
print(get_mixed_flavor(AppleWithTraceType(), MangoWithTraceType()))
print(get_mixed_flavor(MangoWithTraceType(), MangoWithTraceType()))

# --- sizes_unknown_while_tracing
def run(f, *xs):
    xs = [tf.constant(x) for x in xs]
    unknown = [tf.TensorSpec([None] * x.shape.rank, x.dtype) for x in xs]
    print(tf.function(f, input_signature=unknown)(*xs).numpy().tolist())

square, row = [[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0]
run(lambda x, i: tf.gather_nd(x, i, batch_dims=1), square, [[0], [1]])
run(lambda x, i: tf.scatter_nd(i, x, [4]), row, [[3], [0]])
run(lambda x: tf.math.zero_fraction(x), square)
run(lambda x: tf.nn.sufficient_statistics(x, [0])[0], square)
run(lambda x, p: tf.pad(x, p), square, [[1, 0], [0, 2]])
run(lambda x: tf.repeat(x, [1, 3], axis=0), square)
run(lambda x: tf.nn.lrn(x), [[[row, row], [row, row]]])
run(lambda a, b: tf.one_hot([0, 2], 3, on_value=a, off_value=b), 5.0, -1.0)
run(lambda x, b: tf.pad(x, [[1, 0], [0, 1]], constant_values=b), square, 7.0)

# --- gradient_with_sizes_unknown_while_tracing
@tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None, None], tf.int32)])
def f(x, i):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.gather_nd(x, i, batch_dims=1) ** 2)
    return y, tape.gradient(y, x)

for value in f(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1], [0]])):
    print(value.numpy())

# --- ranks_unknown_and_different
@tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None, tf.int32)])
def f(x, i):
    return tf.scatter_nd(i, x, [4])

print(f(tf.constant([1.0, 2.0]), tf.constant([[3], [1]])))

# --- ranks_unknown_of_five
@tf.function(input_signature=[tf.TensorSpec(None)])
def f(x):
    return tf.nn.max_pool3d(x, 2, 2, "SAME")

print(f(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])).numpy().ravel())

# --- sizes_unknown_without_autograph
def run(f, *xs):
    xs = [tf.constant(x) for x in xs]
    unknown = [tf.TensorSpec([None] * x.shape.rank, x.dtype) for x in xs]
    found = tf.function(f, input_signature=unknown, autograph=False)(*xs)
    print([x.numpy().tolist() for x in tf.nest.flatten(found)])

square, row = [[1.0, 2.0], [3.0, 5.0]], [1.0, 2.0]
run(lambda x: tf.nn.moments(x, [0]), square)
run(lambda x, i: tf.gather_nd(x, i, batch_dims=1), square, [[0], [1]])
run(lambda x: tf.math.zero_fraction(x), square)
run(lambda x: tf.nn.weighted_moments(x, [0], x), square)
run(lambda x: tf.space_to_batch(x, [2], [[0, 0]]), square)
run(lambda x: tf.batch_to_space(x, [2], [[0, 0]]), square)
run(lambda x: tf.linalg.pinv(x), square)
run(lambda x: tf.linalg.matrix_rank(x), square)
run(lambda x: tf.norm(x, ord=2, axis=[0, 1]), square)
run(lambda x, b: tf.slice(x, b, [1]), row, [1])
run(lambda x, s: tf.split(x, s, num=2), [1.0, 2.0, 3.0], [1, 2])
run(lambda x: tf.nn.lrn(x), [[[row, row], [row, row]]])

# --- static_sizes_of_slices
@tf.function(input_signature=[tf.TensorSpec([None, None])])
def f(x):
    print(tf.slice(x, [1, 0], [-1, 2]).shape, tf.slice(x, [0, 1], [1, 1]).shape)
    return x

f(tf.zeros([3, 4]))
