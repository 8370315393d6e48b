# tf.train.Checkpoint and what goes with it.

# --- guide_save_and_restore
import tempfile, os
class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([2, 1]), name="w")
        self.b = tf.Variable(0.5, name="b")
    def __call__(self, x):
        return x @ self.w + self.b
d = tempfile.mkdtemp()
net = Net()
ckpt = tf.train.Checkpoint(step=tf.Variable(1), net=net)
manager = tf.train.CheckpointManager(ckpt, d + "/tf_ckpts", max_to_keep=3)
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(tf.constant([[1.0, 2.0], [3.0, 4.0]])) - 1.0) ** 2)
    variables = net.trainable_variables
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.01 * g)
    ckpt.step.assign_add(1)
    path = manager.save()
    print("Saved checkpoint for step {}: {}".format(int(ckpt.step), os.path.basename(path)))
    print("loss {:1.2f}".format(loss.numpy()))
print([os.path.basename(p) for p in manager.checkpoints])
net2 = Net()
ckpt2 = tf.train.Checkpoint(step=tf.Variable(0), net=net2)
status = ckpt2.restore(manager.latest_checkpoint)
status.assert_consumed()
print(net2.w.numpy(), net2.b.numpy(), ckpt2.step.numpy(), ckpt2.save_counter.numpy())

# --- manual_inspection
import tempfile
d = tempfile.mkdtemp()
ckpt = tf.train.Checkpoint(step=tf.Variable(3), layers=[tf.Variable([1.0, 2.0]), {"k": tf.Variable(True)}])
path = ckpt.save(d + "/ckpt")
for key, shape in tf.train.list_variables(tf.train.latest_checkpoint(d)):
    print(key, shape)
reader = tf.train.load_checkpoint(d)
print(reader.get_tensor("layers/0/.ATTRIBUTES/VARIABLE_VALUE"), sorted(reader.get_variable_to_shape_map().items()))
print(sorted((k, v.name) for k, v in reader.get_variable_to_dtype_map().items()))
print(tf.train.load_variable(path, "step/.ATTRIBUTES/VARIABLE_VALUE"), reader.has_tensor("x"))
print(reader.debug_string().decode())
print(outcome(reader.get_tensor, "x"))

# --- delayed_restoration
import tempfile
d = tempfile.mkdtemp()
class Net(tf.Module):
    pass
a = Net(); a.bias = tf.Variable(tf.zeros([3])); a.bias.assign([1.0, 2.0, 3.0])
root = tf.train.Checkpoint(net=a)
path = root.save(d + "/x")
to_restore = Net()
status = tf.train.Checkpoint(net=to_restore).restore(path)
print(hasattr(to_restore, "bias"))
to_restore.bias = tf.Variable(tf.zeros([3]))
print(to_restore.bias.numpy())
status.assert_consumed()

# --- partial_loading
import tempfile
d = tempfile.mkdtemp()
layer = tf.Module(); layer.kernel = tf.Variable([[1.0]]); layer.bias = tf.Variable([5.0])
path = tf.train.Checkpoint(net=layer, other=tf.Variable(1)).save(d + "/x")
fake_layer = tf.Module(); fake_layer.bias = tf.Variable([0.0])
new_root = tf.train.Checkpoint(net=fake_layer)
status = new_root.restore(path)
print(fake_layer.bias.numpy())
print(status.assert_existing_objects_matched() is status)
try:
    status.assert_consumed()
except AssertionError as e:
    print(str(e))
status.expect_partial()

# --- unmatched_python_objects
import tempfile
d = tempfile.mkdtemp()
path = tf.train.Checkpoint(a=tf.Variable(1.0)).save(d + "/x")
status = tf.train.Checkpoint(a=tf.Variable(0.0), b=tf.Variable(2.0)).restore(path)
for check in (status.assert_consumed, status.assert_existing_objects_matched):
    try:
        check()
    except AssertionError as e:
        print(e)
status.expect_partial()

# --- restore_none
status = tf.train.Checkpoint(a=tf.Variable(1.0)).restore(None)
try:
    status.assert_consumed()
except AssertionError as e:
    print(e)
print(status.expect_partial() is status)

# --- shared_objects_are_saved_once
import tempfile
d = tempfile.mkdtemp()
v = tf.Variable(1.0)
m = tf.Module(); m.a = v; m.b = [v, v]
path = tf.train.Checkpoint(m=m, again=m).save(d + "/x")
print(tf.train.list_variables(path))
v.assign(5.0)
tf.train.Checkpoint(m=m).restore(path).expect_partial()
print(v.numpy())

# --- root_object
import tempfile
d = tempfile.mkdtemp()
m = tf.Module(); m.x = tf.Variable([1.0, 2.0])
c = tf.train.Checkpoint(m)
path = c.save(d + "/x")
print(tf.train.list_variables(path), hasattr(m, "save_counter"), c.save_counter.numpy())
m.x.assign([0.0, 0.0])
c.restore(path).assert_consumed()
print(m.x.numpy())

# --- read_and_write
import tempfile, os
d = tempfile.mkdtemp()
v = tf.Variable(1.0)
c = tf.train.Checkpoint(v=v)
p = c.write(d + "/w")
print(os.path.basename(p), sorted(os.listdir(d)), tf.train.list_variables(p))
v.assign(9.0)
c.read(p).assert_consumed()
print(v.numpy())

# --- dtypes_survive
import tempfile
d = tempfile.mkdtemp()
values = [tf.constant([1, 2], t) for t in (tf.int8, tf.uint16, tf.int64, tf.float16, tf.bfloat16, tf.float64, tf.complex64)]
values += [tf.constant([True, False]), tf.constant(["a", "é"]), tf.constant(b"scalar")]
c = tf.train.Checkpoint(vs=[tf.Variable(x) for x in values])
path = c.save(d + "/x")
other = tf.train.Checkpoint(vs=[tf.Variable(tf.zeros_like(x)) if x.dtype != tf.string else tf.Variable(tf.fill(x.shape, "")) for x in values])
other.restore(path).assert_consumed()
for v in other.vs:
    print(v)

# --- errors
import tempfile
d = tempfile.mkdtemp()
path = tf.train.Checkpoint(a=tf.Variable(1.0)).save(d + "/x")
print(outcome(tf.train.Checkpoint().restore, d + "/none"))
print(outcome(tf.train.Checkpoint(a=tf.Variable([1.0, 2.0])).restore, path))
print(outcome(tf.train.Checkpoint(a=tf.Variable(1)).restore, path))
print(outcome(tf.train.Checkpoint, a=3), outcome(tf.train.Checkpoint, 3))
print(outcome(tf.train.load_checkpoint, d + "/none"), outcome(tf.train.list_variables, tempfile.mkdtemp()))
print(outcome(lambda: tf.train.Checkpoint(a={1: tf.Variable(1.0)}).save(d + "/y")))
print(outcome(tf.train.CheckpointManager, tf.train.Checkpoint(), d, 0))

# --- missing_file
# phrase: Failed to find any matching files
tf.train.Checkpoint(a=tf.Variable(1.0)).restore("/nonexistent/ckpt-1")

# --- wrong_shape
# phrase: Received incompatible tensor with shape ()
import tempfile
path = tf.train.Checkpoint(a=tf.Variable(1.0)).save(tempfile.mkdtemp() + "/x")
tf.train.Checkpoint(a=tf.Variable([1.0, 2.0])).restore(path)

# --- checkpoint_state
import pathlib, tempfile, os
d = tempfile.mkdtemp()
c = tf.train.Checkpoint(a=tf.Variable(1.0))
c.save(d + "/x"); c.save(d + "/x")
state = tf.train.get_checkpoint_state(d)
print(os.path.basename(state.model_checkpoint_path), len(state.all_model_checkpoint_paths))
print(pathlib.Path(d + "/checkpoint").read_text())
print(tf.train.get_checkpoint_state("/nonexistent"), tf.train.latest_checkpoint("/nonexistent"))
print(sorted(os.listdir(d)))

# --- manager_interval_and_numbers
import tempfile, os
d = tempfile.mkdtemp()
step = tf.Variable(0, dtype=tf.int64)
m = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), d, max_to_keep=2, step_counter=step, checkpoint_interval=2, checkpoint_name="model")
for _ in range(5):
    p = m.save()
    print(None if p is None else os.path.basename(p))
    step.assign_add(1)
step.assign(10)
print(os.path.basename(m.save(checkpoint_number=100)), [os.path.basename(p) for p in m.checkpoints])
print(os.path.basename(m.restore_or_initialize()), step.numpy())

# --- manager_init_fn
import tempfile
m = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tempfile.mkdtemp(), 1, init_fn=lambda: print("initialised"))
print(m.restore_or_initialize(), m.latest_checkpoint, m.checkpoints)

# --- write_in_function
import tempfile
d = tempfile.mkdtemp()
v = tf.Variable(1.0)
c = tf.train.Checkpoint(v=v)
@tf.function
def f():
    v.assign_add(1.0)
    return c.write(d + "/in")
f()
print(tf.train.load_variable(d + "/in", "v/.ATTRIBUTES/VARIABLE_VALUE"))
print(outcome(tf.function(lambda: c.save(d + "/x"))))

# --- generator_state
import tempfile
g = tf.random.Generator.from_seed(5)
g.normal([3])
path = tf.train.Checkpoint(g=g).write(tempfile.mkdtemp() + "/g")
first = g.normal([2]).numpy()
tf.train.Checkpoint(g=g).read(path)
print(np.array_equal(first, g.normal([2]).numpy()), tf.train.list_variables(path))

# --- python_state
import tempfile
class State(tf.train.experimental.PythonState):
    def __init__(self):
        self.values = []
    def serialize(self):
        return ",".join(self.values)
    def deserialize(self, text):
        self.values = text.decode().split(",")
s = State(); s.values = ["a", "b"]
path = tf.train.Checkpoint(s=s).write(tempfile.mkdtemp() + "/s")
s.values = []
tf.train.Checkpoint(s=s).read(path).assert_consumed()
print(s.values, tf.train.list_variables(path))

# --- exponential_moving_average
v = tf.Variable(0.0, name="v"); w = tf.Variable([1.0, 2.0], name="w")
ema = tf.train.ExponentialMovingAverage(decay=0.9)
ema.apply([v, w])
v.assign(10.0); w.assign([3.0, 4.0])
ema.apply([v, w])
print(ema.average(v).numpy(), ema.average(w), ema.average_name(w), ema.average(tf.Variable(1.0)))
slow = tf.train.ExponentialMovingAverage(decay=0.99, num_updates=2)
slow.apply([v]); v.assign(0.0); slow.apply([v])
print(slow.average(v).numpy())
print(outcome(ema.apply, [tf.constant(1.0)]), outcome(ema.apply, [tf.Variable(1)]))

# --- moving_average_in_training
v = tf.Variable(1.0)
ema = tf.train.ExponentialMovingAverage(0.5)
@tf.function
def step():
    v.assign_add(2.0)
    ema.apply([v])
for _ in range(3):
    step()
print(v.numpy(), ema.average(v).numpy())

# --- cluster_spec
c = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": ["c:3"]})
print(c, c.as_dict(), c.jobs, c.num_tasks("worker"), c.task_indices("worker"), c.task_address("ps", 0), c.job_tasks("worker"))
print(c.as_cluster_def())
print(tf.train.ClusterSpec(c.as_cluster_def()) == c, bool(tf.train.ClusterSpec({})), tf.train.ClusterSpec({"w": {2: "x:1"}}).as_dict())
print(outcome(tf.train.ClusterSpec, 3), outcome(c.num_tasks, "q"), outcome(c.task_address, "ps", 4))

# --- coordinator
import threading
coord = tf.train.Coordinator()
seen = []
def loop(n):
    while not coord.should_stop():
        seen.append(n)
        coord.request_stop()
threads = [threading.Thread(target=loop, args=(i,)) for i in range(2)]
for t in threads:
    t.start()
coord.join(threads)
print(coord.should_stop(), coord.joined, len(seen) >= 1)
coord = tf.train.Coordinator()
def fail():
    with coord.stop_on_exception():
        raise ValueError("boom")
t = threading.Thread(target=fail); t.start()
print(outcome(coord.join, [t]))

# --- iterator_in_checkpoint
import tempfile, os
d = tempfile.mkdtemp()
def toy_dataset():
    return tf.data.Dataset.range(10).shuffle(5, seed=1).batch(2)
iterator = iter(toy_dataset())
ckpt = tf.train.Checkpoint(step=tf.Variable(1), iterator=iterator)
manager = tf.train.CheckpointManager(ckpt, d, max_to_keep=3)
next(iterator); next(iterator)
path = manager.save()
rest = [x.numpy().tolist() for x in iterator]
ckpt.restore(path).assert_consumed()
print(rest == [x.numpy().tolist() for x in iterator], sorted(rest[0])[0] >= 0)

# --- guide_with_keras
# needs: tf.keras
import tempfile
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.l1 = tf.keras.layers.Dense(5, kernel_initializer="ones")
    def call(self, x):
        return self.l1(x)
net = Net()
opt = tf.keras.optimizers.Adam(0.1)
inputs = tf.range(10.0)[:, None]
dataset = tf.data.Dataset.from_tensor_slices(dict(x=inputs, y=inputs * 5.0 + tf.range(5.0)[None, :])).repeat().batch(2)
def train_step(net, example, optimizer):
    with tf.GradientTape() as tape:
        output = net(example["x"])
        loss = tf.reduce_mean(tf.abs(output - example["y"]))
    variables = net.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss
iterator = iter(dataset)
ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
manager = tf.train.CheckpointManager(ckpt, tempfile.mkdtemp(), max_to_keep=3)
def train_and_checkpoint(net, manager, steps):
    ckpt.restore(manager.latest_checkpoint)
    print("Restored" if manager.latest_checkpoint else "Initializing from scratch.")
    for _ in range(steps):
        loss = train_step(net, next(iterator), opt)
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 5 == 0:
            manager.save()
            print("step {}: loss {:1.2f}".format(int(ckpt.step), loss.numpy()))
train_and_checkpoint(net, manager, 10)
opt = tf.keras.optimizers.Adam(0.1)
net = Net()
iterator = iter(dataset)
ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
train_and_checkpoint(net, manager, 10)
print(net.l1.bias.numpy())
# --- view_of_a_checkpoint_with_a_root
import tempfile
root = tf.Module()
root.a = tf.Variable(5.0)
root.held = [tf.Variable(1.0)]
with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(root, b=tf.Variable(1.0)).save(folder + "/saved")
    view = tf.train.CheckpointView(path)
    print(view.children(0), view.descendants())
    root.a.assign(1.0)
    tf.train.Checkpoint(root).restore(path).assert_existing_objects_matched()
    print(root.a.numpy(), tf.train.Checkpoint(root).root is root)
root.root = tf.Module()
print(outcome(tf.train.Checkpoint, root))
