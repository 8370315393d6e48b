# tf.function as guides and tutorials use it.

# --- add
@tf.function
def add(a, b):
  return a + b
print(add(tf.ones([2, 2]), tf.ones([2, 2])))
v = tf.Variable(1.0)
with tf.GradientTape() as tape:
  result = add(v, 1.0)
print(tape.gradient(result, v))

# --- dense_layer
@tf.function
def add(a, b):
  return a + b
@tf.function
def dense_layer(x, w, b):
  return add(tf.matmul(x, w), b)
print(dense_layer(tf.ones([3, 2]), tf.ones([2, 2]), tf.ones([2])))

# --- double_polymorphic
@tf.function
def double(a):
  print("Tracing with", a)
  return a + a
print(double(tf.constant(1)))
print()
print(double(tf.constant(1.1)))
print()
print(double(tf.constant("a")))
print()
print(double(tf.constant("b")))
print(double.pretty_printed_concrete_signatures())
double_strings = double.get_concrete_function(tf.constant("a"))
print(double_strings(tf.constant("a")))
print(double_strings(a=tf.constant("b")))
print(outcome(lambda: double_strings(tf.constant(1))))
double_strings_from_inputspec = double.get_concrete_function(tf.TensorSpec(shape=[], dtype=tf.string))
print(double_strings_from_inputspec(tf.constant("c")))
print(double_strings)
print(double_strings.structured_input_signature)
print(double_strings.structured_outputs)

# --- collatz_signature
@tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
def next_collatz(x):
  print("Tracing with", x)
  return tf.where(x % 2 == 0, x // 2, 3 * x + 1)
print(next_collatz(tf.constant([1, 2])))
try:
  next_collatz(tf.constant([[1, 2], [3, 4]]))
except TypeError as e:
  print("TypeError")
try:
  next_collatz(tf.constant([1.0, 2.0]))
except TypeError as e:
  print("TypeError")

# --- flexible
@tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
def g(x):
  print('Tracing with', x)
  return x
print(g(tf.constant([1, 2, 3])))
print(g(tf.constant([1, 2, 3, 4, 5])))
@tf.function(reduce_retracing=True)
def h(x):
  print('Tracing with', x)
  return x
print(h(tf.constant([1, 2, 3])))
print(h(tf.constant([1, 2, 3, 4, 5])))
print(h(tf.constant([1, 2])))

# --- train_steps
def train_one_step():
  pass
@tf.function
def train(num_steps):
  print("Tracing with num_steps = ", num_steps)
  for _ in tf.range(num_steps):
    train_one_step()
print("Retracing occurs for different Python arguments.")
train(num_steps=10)
train(num_steps=20)
print()
print("Traces are reused for Tensor arguments.")
train(num_steps=tf.constant(10))
train(num_steps=tf.constant(20))

# --- tracing_twice
def f():
  print('Tracing!')
  tf.print('Executing', output_stream=sys.stdout)
import sys
tf.function(f)()
tf.function(f)()

# --- pow_grad
c = tf.function(lambda a, b: a ** b).get_concrete_function(a=tf.TensorSpec([], tf.float32), b=4)
print(c(tf.constant(10.0)), c(tf.constant(10.0), b=4), outcome(lambda: c(tf.constant(10.0), b=3)))

# --- autograph_simple_loop
import sys
@tf.function
def f(x):
  while tf.reduce_sum(x) > 1:
    tf.print(x, output_stream=sys.stdout)
    x = tf.tanh(x)
  return x
print(f(tf.constant([0.4, 0.9, 0.3, 0.5, 0.2])))

# --- fizzbuzz_python
import sys
@tf.function
def fizzbuzz(n):
  for i in tf.range(1, n + 1):
    print('Tracing for loop')
    if i % 15 == 0:
      print('Tracing fizzbuzz branch')
      tf.print('fizzbuzz', output_stream=sys.stdout)
    elif i % 3 == 0:
      print('Tracing fizz branch')
      tf.print('fizz', output_stream=sys.stdout)
    elif i % 5 == 0:
      print('Tracing buzz branch')
      tf.print('buzz', output_stream=sys.stdout)
    else:
      print('Tracing default branch')
      tf.print(i, output_stream=sys.stdout)
fizzbuzz(tf.constant(5))
fizzbuzz(tf.constant(20))

# --- dynamic_rnn
batch_size, seq_len, feature_size = 2, 3, 4
def rnn_step(inp, state):
  return inp + state
@tf.function
def dynamic_rnn(rnn_step, input_data, initial_state):
  input_data = tf.transpose(input_data, [1, 0, 2])
  max_seq_len = tf.shape(input_data)[0]
  states = tf.TensorArray(tf.float32, size=max_seq_len)
  state = initial_state
  for i in tf.range(max_seq_len):
    state = rnn_step(input_data[i], state)
    states = states.write(i, state)
  return tf.transpose(states.stack(), [1, 0, 2])
print(dynamic_rnn(rnn_step, tf.reshape(tf.range(24.0), [batch_size, seq_len, feature_size]), tf.zeros([batch_size, feature_size])))

# --- side_effects
import sys
@tf.function
def f(x):
  print("Traced with", x)
  tf.print("Executed with", x, output_stream=sys.stdout)
f(1)
f(1)
f(2)

# --- external_list
external_list = []
@tf.function
def side_effect(x):
  print('Python side effect')
  external_list.append(x)
side_effect(1)
side_effect(1)
side_effect(1)
print(len(external_list), external_list)

# --- counter_class
class Model(tf.Module):
  def __init__(self):
    self.v = tf.Variable(0)
    self.counter = 0
  @tf.function
  def __call__(self):
    if self.counter == 0:
      self.counter += 1
      self.v.assign_add(1)
    return self.v
m = Model()
for n in range(3):
  print(m().numpy())

# --- all_outputs
x = None
@tf.function
def leaky_function(a):
  global x
  x = a + 1
  return a + 2
correct_a = leaky_function(tf.constant(1))
print(correct_a.numpy())
try:
  x.numpy()
except AttributeError as expected:
  print("AttributeError")
@tf.function
def captures_leaked_tensor(b):
  b += x
  return b
print(outcome(lambda: captures_leaked_tensor(tf.constant(2))))

# --- leaky_class
class MyClass:
  def __init__(self):
    self.field = None
external_object = MyClass()
@tf.function
def leaky(a):
  b = a + 1
  external_object.field = b
  return a
print(leaky(tf.constant(1)), type(external_object.field).__name__)

# --- recursion
@tf.function
def recursive_fn(n):
  if n > 0:
    return recursive_fn(n - 1)
  else:
    return 1
try:
  recursive_fn(tf.constant(5))
except Exception as e:
  print("error")
@tf.function
def recursive_py(n):
  if n > 0:
    print('tracing')
    return recursive_py(n - 1)
  else:
    return 1
print(recursive_py(5))

# --- buggy_add
foo = 1
@tf.function
def buggy_add():
  return 1 + foo
print("Adding 1! Value:", buggy_add().numpy())
foo = 100
print("Adding 100! Value:", buggy_add().numpy())
@tf.function
def variable_add():
  return 1 + vfoo
vfoo = tf.Variable(1)
print("Variable:", variable_add().numpy())
vfoo.assign(100)
print("Updating:", variable_add().numpy())

# --- simple_model_flags
class SimpleModel(tf.Module):
  def __init__(self):
    self.bias = 0.
    self.weight = 2.
@tf.function
def evaluate(model, x):
  return model.weight * x + model.bias
simple_model = SimpleModel()
x = tf.constant(10.)
print(evaluate(simple_model, x))
simple_model.bias += 5.0
print(evaluate(simple_model, x))
new_model = SimpleModel()
new_model.bias += 5.0
print(evaluate(new_model, x))

# --- variable_creation
@tf.function
def f(x):
  v = tf.Variable(1.0)
  return v
try:
  f(1.0)
except ValueError as e:
  print("ValueError")
class Count(tf.Module):
  def __init__(self):
    self.count = None
  @tf.function
  def __call__(self):
    if self.count is None:
      self.count = tf.Variable(0)
    return self.count.assign_add(1)
c = Count()
print(c())
print(c())

# --- tensor_shape_polymorphism
@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
def f(x):
  return x.shape[0], tf.shape(x)[0], x.shape.rank, x.get_shape().as_list()
print(f(tf.ones([2, 3])))

# --- function_with_list_result_types
@tf.function
def f(x):
  return [x, (x, {"a": x})]
r = f(tf.constant(1))
print(type(r).__name__, type(r[1]).__name__, type(r[1][1]).__name__)

# --- custom_training_loop
class Linear(tf.Module):
  def __init__(self):
    self.w = tf.Variable(5.0)
    self.b = tf.Variable(0.0)
  def __call__(self, x):
    return self.w * x + self.b
def loss(target_y, predicted_y):
  return tf.reduce_mean(tf.square(target_y - predicted_y))
@tf.function
def train(model, x, y, learning_rate):
  with tf.GradientTape() as t:
    current_loss = loss(y, model(x))
  dw, db = t.gradient(current_loss, [model.w, model.b])
  model.w.assign_sub(learning_rate * dw)
  model.b.assign_sub(learning_rate * db)
  return current_loss
model = Linear()
x = tf.linspace(-2.0, 2.0, 11)
y = x * 3.0 + 2.0
for epoch in range(5):
  l = train(model, x, y, 0.1)
  print(epoch, model.w.numpy(), model.b.numpy(), l.numpy())

# --- mlp_module
class Dense(tf.Module):
  def __init__(self, n_in, n_out, seed, name=None):
    super().__init__(name=name)
    self.w = tf.Variable(tf.random.stateless_normal([n_in, n_out], [seed, 0]), name='w')
    self.b = tf.Variable(tf.zeros([n_out]), name='b')
  def __call__(self, x):
    return tf.nn.relu(tf.matmul(x, self.w) + self.b)
class MLP(tf.Module):
  def __init__(self):
    super().__init__()
    self.layers = [Dense(3, 4, 1), Dense(4, 2, 2)]
  @tf.function
  def __call__(self, x):
    for layer in self.layers:
      x = layer(x)
    return x
m = MLP()
x = tf.reshape(tf.range(6.0), [2, 3])
with tf.GradientTape() as tape:
  y = tf.reduce_sum(m(x))
print(y, [g.shape for g in tape.gradient(y, m.trainable_variables)])
print([v.name for v in m.trainable_variables])

# --- function_caching_by_closure
fs = []
for i in range(3):
  fs.append(tf.function(lambda x: x * i))
print([f(tf.constant(2)).numpy() for f in fs])

# --- kwargs_defaults_and_none
@tf.function
def f(x, training=None, scale=1.0):
  if training:
    x = x * 2.0
  return x * scale
x = tf.constant(3.0)
print(f(x), f(x, training=True), f(x, True, scale=2.0), f(x, training=False), f.experimental_get_tracing_count())

# --- tensor_flag_training
@tf.function
def f(x, training):
  if training:
    return x * 2.0
  return x
print(f(tf.constant(3.0), tf.constant(True)), f(tf.constant(3.0), False), f(tf.constant(1.0), True))

# --- tf_while_with_maximum
@tf.function
def f(n):
  return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0)), maximum_iterations=5)
print(f(tf.constant(3)), f(tf.constant(100)))

# --- tf_case_in_function
@tf.function
def f(x):
  return tf.case([(x < 0, lambda: tf.constant(-1)), (x > 10, lambda: tf.constant(10))], default=lambda: x)
print([f(tf.constant(v)).numpy() for v in (-5, 5, 50)])

# --- tf_case_exclusive_in_function
@tf.function
def f(x):
  return tf.case([(x < 5, lambda: tf.constant(1)), (x < 10, lambda: tf.constant(2))], default=lambda: tf.constant(3), exclusive=True)
print(f(tf.constant(7)), outcome(lambda: f(tf.constant(3))), f(tf.constant(70)))

# --- tf_case_no_default
@tf.function
def f(x):
  return tf.case([(x < 5, lambda: tf.constant(1)), (x < 10, lambda: tf.constant(2))])
print(f(tf.constant(3)), outcome(lambda: f(tf.constant(70))))

# --- where_in_function
@tf.function
def f(x):
  return tf.where(x > 0, x, tf.zeros_like(x)), tf.where(x > 0)
print(f(tf.constant([1.0, -1.0, 2.0])))

# --- boolean_mask_and_unique
@tf.function
def f(x):
  return tf.boolean_mask(x, x > 0), tf.unique(x), tf.sort(x), tf.argsort(x)
print(f(tf.constant([3, -1, 3, 2])))

# --- einsum_and_linalg
@tf.function
def f(a):
  return tf.einsum("ij,kj->ik", a, a), tf.linalg.det(a), tf.linalg.inv(a), tf.linalg.trace(a)
print(f(tf.constant([[2.0, 1.0], [1.0, 3.0]])))

# --- nested_structure_gradient
@tf.function
def f(params, x):
  h = tf.tanh(x @ params["w1"] + params["b1"])
  return tf.reduce_sum(h @ params["w2"])
params = {"w1": tf.Variable([[0.1, 0.2], [0.3, 0.4]]), "b1": tf.Variable([0.0, 0.1]), "w2": tf.Variable([[1.0], [2.0]])}
with tf.GradientTape() as tape:
  y = f(params, tf.constant([[1.0, 2.0]]))
grads = tape.gradient(y, params)
print(y, {k: v.numpy().tolist() for k, v in grads.items()})

# --- optimizer_by_function
@tf.function
def minimize(x, steps):
  for _ in tf.range(steps):
    with tf.GradientTape() as t:
      t.watch(x)
      loss = tf.reduce_sum((x - [1.0, 2.0]) ** 2)
    g = t.gradient(loss, x)
    x -= 0.1 * g
  return x, loss
print(minimize(tf.zeros([2]), tf.constant(25)))

# --- variable_loop_training
w = tf.Variable(tf.zeros([2]))
@tf.function
def fit(steps):
  loss = 0.0
  for step in tf.range(steps):
    with tf.GradientTape() as t:
      loss = tf.reduce_sum((w - [1.0, 2.0]) ** 2)
    w.assign_sub(0.1 * t.gradient(loss, w))
    if loss < 0.5:
      break
  return loss, step
print(fit(tf.constant(100)), w.numpy())

# --- python_list_of_tensors_in_loop
@tf.function
def f(x):
  outs = []
  for i in range(3):
    x = x + i
    outs.append(x)
  return tf.stack(outs), sum(outs)
print(f(tf.constant([1.0, 2.0])))

# --- tensor_range_negative
@tf.function
def f(n):
  s = tf.constant(0)
  for i in tf.range(n, 0, -1):
    s = s * 10 + i
  return s
print(f(tf.constant(5)))

# --- euler_integration
@tf.function
def integrate(y0, dt, n):
  y, t = y0, tf.constant(0.0)
  for _ in tf.range(n):
    y = y + dt * (-y + tf.sin(t))
    t = t + dt
  return y
y0, dt = tf.constant(1.0), tf.constant(0.1)
with tf.GradientTape() as tape:
  tape.watch([y0, dt])
  y = integrate(y0, dt, tf.constant(10))
print(y, tape.gradient(y, [y0, dt]))

# --- power_iteration
@tf.function
def power(a, iters):
  v = tf.ones([tf.shape(a)[0], 1])
  i = 0
  while i < iters:
    v = a @ v
    v = v / tf.norm(v)
    i += 1
  return tf.squeeze(tf.transpose(v) @ a @ v)
print(power(tf.constant([[2.0, 1.0], [1.0, 3.0]]), tf.constant(50)))

# --- logsumexp_stable
@tf.function
def lse(x):
  m = tf.reduce_max(x)
  return m + tf.math.log(tf.reduce_sum(tf.exp(x - m)))
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
  tape.watch(x)
  y = lse(x)
print(y, tape.gradient(y, x))

# --- clip_and_conditions
@tf.function
def f(x):
  n = tf.norm(x)
  if n > 1.0:
    x = x / n
  return x
x = tf.constant([3.0, 4.0])
with tf.GradientTape() as tape:
  tape.watch(x)
  y = f(x)
print(y, tape.gradient(y, x), f(tf.constant([0.1, 0.2])))

# --- function_of_int_and_float
@tf.function
def f(a, b):
  return a + b
print(f(1, 2), f(1.0, 2), f(tf.constant(1.0), 2), outcome(lambda: f(tf.constant(1), 2.5)))

# --- ragged_python_structures
@tf.function
def f(items):
  total = 0.0
  for name, (a, b) in items.items():
    total += a * b
  return total
print(f({"x": (tf.constant(1.0), 2.0), "y": (tf.constant(3.0), 4.0)}))

# --- property_and_callable_attributes
class Net(tf.Module):
  def __init__(self):
    self.act = tf.nn.relu
    self._scale = tf.Variable(2.0)
  @property
  def scale(self):
    return self._scale
  @tf.function
  def __call__(self, x):
    return self.act(x) * self.scale
print(Net()(tf.constant([-1.0, 2.0])))

# --- decorated_function
import functools
def twice(f):
  @functools.wraps(f)
  def g(*args):
    return f(*args) * 2
  return g
@tf.function
@twice
def h(x):
  if x > 0:
    return x
  return -x
print(h(tf.constant(3)), h(tf.constant(-4)), h.__name__)

# --- lambda_default_argument
fs = [tf.function(lambda x, i=i: x + i if x > 0 else x - i) for i in range(2)]
print([f(tf.constant(5)).numpy() for f in fs], [f(tf.constant(-5)).numpy() for f in fs])

# --- generator_inside
@tf.function
def f(xs):
  return tf.add_n([x * x for x in xs if x is not None]), sum(x for x in xs if x is not None)
print(f([tf.constant(1.0), None, tf.constant(2.0)]))

# --- try_except_in_function
@tf.function
def f(x):
  try:
    return tf.reshape(x, [3])
  except ValueError:
    return tf.reshape(x, [2])
print(outcome(lambda: f(tf.constant([1, 2]))))

# --- with_name_scope
@tf.function
def f(x):
  with tf.name_scope("inner"):
    y = x * 2
    print(y.name)
  return y
print(f(tf.constant(1)))

# --- del_and_pass
@tf.function
def f(x):
  y = x + 1
  if x > 0:
    pass
  else:
    y = y * 2
  z = y
  del y
  return z
print(f(tf.constant(1)), f(tf.constant(-1)))

# --- multiple_assignment_targets
@tf.function
def f(x):
  a = b = x
  if x > 0:
    a = b = x * 2
  (c, d), e = (a, b), a + b
  return c, d, e
print(f(tf.constant(1)), f(tf.constant(-1)))

# --- set_and_dict_mutation
@tf.function
def f(x):
  d = {}
  for k in ("a", "b"):
    d[k] = x
    x = x + 1
  return d
print(f(tf.constant(1)))

# --- while_with_tensor_and_python
@tf.function
def f(x, limit):
  steps = 0
  while x < limit and steps < 3:
    x = x * 2
    steps += 1
  return x, steps
print(f(tf.constant(1), tf.constant(100)), f(tf.constant(1), 3))

# --- nested_function_gradient_none
@tf.function
def f(x):
  return tf.cast(tf.cast(x, tf.int32), tf.float32)
x = tf.Variable(2.5)
with tf.GradientTape() as tape:
  y = f(x)
print(y, tape.gradient(y, x))
