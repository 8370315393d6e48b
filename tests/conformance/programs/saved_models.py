# tf.saved_model: what programs see of it, whatever the format.

# --- module_round_trip
import tempfile
class M(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0], [2.0]], name="w")
        self.parts = {"k": tf.Variable(3.0, trainable=False)}
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    def __call__(self, x):
        return x @ self.w * self.parts["k"]
    @tf.function
    def add(self, x, flag=True):
        return x + 1.0 if flag else x - 1.0
d = tempfile.mkdtemp()
m = M()
m.add(tf.constant(1.0)); m.add(tf.constant([1.0, 2.0]), flag=False)
tf.saved_model.save(m, d)
print(tf.saved_model.contains_saved_model(d), tf.saved_model.contains_saved_model(d + "/none"))
loaded = tf.saved_model.load(d)
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
print(loaded(x), loaded.w, loaded.parts["k"], loaded.parts["k"].trainable)
print(loaded.add(tf.constant(1.0)), loaded.add(tf.constant([1.0, 2.0]), False))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(loaded(x) ** 2)
print(tape.gradient(y, loaded.w), [v.name for v in tape.watched_variables()])
loaded.w.assign([[0.0], [1.0]])
print(loaded(x).numpy(), m(x).numpy())
print(outcome(loaded.add, tf.constant([1.0, 2.0, 3.0])), outcome(lambda: loaded.missing), outcome(loaded, tf.constant([1.0])))

# --- no_match_message
# phrase: Could not find matching concrete function to call loaded from the SavedModel
import tempfile
m = tf.Module()
m.f = tf.function(lambda x: x * 2)
m.f(tf.constant(1.0))
d = tempfile.mkdtemp()
tf.saved_model.save(m, d)
tf.saved_model.load(d).f(tf.constant([1, 2]))

# --- signatures
import tempfile
class M(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(self, x):
        return x * 2.0
    @tf.function
    def g(self, a, b):
        return {"sum": a + b, "difference": a - b}
m = M()
d = tempfile.mkdtemp()
spec = tf.TensorSpec([], tf.float32)
tf.saved_model.save(m, d, signatures={"serving_default": m.f, "g": m.g.get_concrete_function(spec, spec)})
loaded = tf.saved_model.load(d)
print(list(loaded.signatures.keys()))
infer = loaded.signatures["serving_default"]
print(infer.structured_input_signature, infer.structured_outputs)
print(infer(tf.constant([1.0, 2.0])), infer(x=tf.constant([3.0])))
result = loaded.signatures["g"](a=tf.constant(5.0), b=tf.constant(3.0))
print(sorted((k, float(v)) for k, v in result.items()))
print(outcome(infer), outcome(infer, [1.0]), outcome(tf.saved_model.save, m, d, signatures=m.g), outcome(tf.saved_model.save, m, d, signatures=3))

# --- default_signature
import tempfile
class One(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def f(self, x):
        return x + 1.0, x
class Two(One):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def h(self, x):
        return x
for m in (One(), Two(), tf.Module()):
    d = tempfile.mkdtemp()
    tf.saved_model.save(m, d)
    loaded = tf.saved_model.load(d)
    print(list(loaded.signatures), [sorted(f.structured_outputs) for f in loaded.signatures.values()])

# --- control_flow_and_state
import tempfile
class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.n = tf.Variable(0)
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def count(self, xs):
        for x in xs:
            if x > 0:
                self.n.assign_add(x)
            else:
                self.n.assign_sub(1)
        return self.n
c = Counter()
c.count(tf.constant([1, 2]))
d = tempfile.mkdtemp()
tf.saved_model.save(c, d)
loaded = tf.saved_model.load(d)
print(loaded.n.numpy(), loaded.count(tf.constant([5, -1, 2])), loaded.n.numpy(), c.n.numpy())

# --- fine_tuning
import tempfile
class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(1.0); self.b = tf.Variable(0.0)
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        return self.w * x + self.b
d = tempfile.mkdtemp()
tf.saved_model.save(Linear(), d)
m = tf.saved_model.load(d)
x = tf.constant([1.0, 2.0, 3.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((m(x) - 3.0 * x) ** 2)
    for v, g in zip([m.w, m.b], tape.gradient(loss, [m.w, m.b])):
        v.assign_sub(0.05 * g)
    print(float(loss))
tf.saved_model.save(m, d + "/again")
again = tf.saved_model.load(d + "/again")
print(again(x))

# --- errors
import tempfile
print(outcome(tf.saved_model.load, "/nonexistent"), outcome(tf.saved_model.save, tf.constant(1.0), tempfile.mkdtemp()))
v = tf.Variable(2.0)
m = tf.Module()
m.f = tf.function(lambda x: x * v)
m.f(tf.constant(1.0))
print(outcome(tf.saved_model.save, m, tempfile.mkdtemp()))
m2 = tf.Module()
m2.f = tf.function(lambda x: x)
d = tempfile.mkdtemp()
tf.saved_model.save(m2, d)
loaded = tf.saved_model.load(d)
print(outcome(loaded.f, tf.constant(1.0)), outcome(loaded, 1))

# --- asset
import pathlib, tempfile, os
d = tempfile.mkdtemp()
pathlib.Path(d + "/vocab.txt").write_text("a\nb\n")
m = tf.Module()
m.vocab = tf.saved_model.Asset(d + "/vocab.txt")
tf.saved_model.save(m, d + "/m")
loaded = tf.saved_model.load(d + "/m")
print(os.listdir(d + "/m/assets"), tf.io.read_file(loaded.vocab.asset_path))

# --- guide_of_unknown_rank
import tempfile
class CustomModule(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(1.5)
    @tf.function
    def __call__(self, x):
        return x * self.v
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def mutate(self, new_v):
        self.v.assign(new_v)
module = CustomModule()
call = module.__call__.get_concrete_function(tf.TensorSpec(None, tf.float32))
d = tempfile.mkdtemp()
tf.saved_model.save(module, d, signatures={"serving_default": call, "array": module.__call__.get_concrete_function(tf.TensorSpec([None], tf.float32))})
imported = tf.saved_model.load(d)
imported.mutate(tf.constant(2.0))
print(imported(tf.constant([[3.0]])), imported.signatures["array"](tf.constant([1.0, 2.0])), imported.signatures["serving_default"](tf.constant(4.0)))
print(imported.signatures["serving_default"].structured_outputs, imported.signatures["array"].structured_input_signature)
tf.function(lambda x: print(x, repr(x)), input_signature=[tf.TensorSpec(None)])(tf.constant(1.0))
