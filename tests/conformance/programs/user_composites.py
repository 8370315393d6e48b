"""Composite tensors of users: TypeSpec and CompositeTensor, extension types that can be batched."""

# --- components_in_a_dict
class Spec(tf.TypeSpec):
    def __init__(self, shape, dtype=tf.float32):
        self._shape, self._dtype = tf.TensorShape(shape), dtype
    value_type = property(lambda self: C)
    def _serialize(self):
        return (self._shape, self._dtype)
    @property
    def _component_specs(self):
        return {"x": tf.TensorSpec(self._shape, self._dtype), "n": tf.TensorSpec([], tf.int32)}
    def _to_components(self, value):
        return {"x": value.x, "n": value.n}
    def _from_components(self, parts):
        return C(parts["x"], parts["n"])

class C(tf.__internal__.CompositeTensor):
    def __init__(self, x, n):
        self.x, self.n = x, n
    @property
    def _type_spec(self):
        return Spec(self.x.shape, self.x.dtype)

c = C(tf.constant([1.0, 2.0]), tf.constant(3))
print([t.numpy() for t in tf.nest.flatten(c, expand_composites=True)])
back = tf.nest.pack_sequence_as(c, [tf.constant([5.0, 6.0]), tf.constant(1)], expand_composites=True)
print(type(back).__name__, back.x.numpy())
print(tf.nest.map_structure(lambda t: t * 2, c, expand_composites=True).x.numpy())
print(len(tf.nest.flatten([c, c])), tf.is_tensor(c), tf.type_spec_from_value(c) == c._type_spec)
f = tf.function(lambda c: C(c.x * 2.0, c.n + 1))
print(f(c).x.numpy(), f(c).n.numpy())
print(tf.function(lambda: c)().x.numpy())
print(tf.cond(tf.constant(True), lambda: c, lambda: C(c.x * 3.0, c.n)).x.numpy())
@tf.function
def loop(c):
    for _ in tf.range(3):
        c = C(c.x + 1.0, c.n * 2)
    return c
print(loop(c).x.numpy(), loop(c).n.numpy())
with tf.GradientTape() as tape:
    tape.watch(c.x)
    y = tf.reduce_sum(f(c).x ** 2)
print(tape.gradient(y, c.x).numpy())
print(next(iter(tf.data.Dataset.from_tensors(c))).x.numpy())

# --- specs_compare
class Spec(tf.TypeSpec):
    def __init__(self, shape, label="a"):
        self._shape, self._label = tf.TensorShape(shape), label
    value_type = property(lambda self: object)
    def _serialize(self):
        return (self._shape, self._label)
    @property
    def _component_specs(self):
        return tf.TensorSpec(self._shape)
    def _to_components(self, value):
        return value
    def _from_components(self, parts):
        return parts

a, b, c, d = Spec([2, 3]), Spec([None, 3]), Spec([2, 3], "b"), Spec([2, 3])
print(a == d, a == b, a == c, hash(a) == hash(d), a != b)
print(b.is_compatible_with(a), a.is_compatible_with(b), a.is_compatible_with(c))
print(a.is_subtype_of(b), b.is_subtype_of(a), a.is_subtype_of(c), a.is_subtype_of(d))
print(a.most_specific_common_supertype([Spec([4, 3])])._shape)
print(a.most_specific_compatible_type(Spec([4, 3]))._shape)
print(a.most_specific_common_supertype([c]))
print(outcome(a.most_specific_compatible_type, c))
print(repr(a), a._type_spec if hasattr(a, "_type_spec") else "none")
print(a._TypeSpec__make_cmp_key((a._shape, [1, {"k": 2}])))
print(a._to_legacy_output_types() if False else a._flat_tensor_specs)
print(a._to_tensor_list(tf.ones([2, 3]))[0].shape, a._from_tensor_list([tf.ones([2, 3])]).shape)
print(a._from_compatible_tensor_list([tf.ones([2, 3])]).shape)

# --- extension_types
import typing

class Masked(tf.experimental.BatchableExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    def total(self):
        return tf.reduce_sum(tf.where(self.mask, self.values, 0.0))
    @property
    def shape(self):
        return self.values.shape

m = Masked(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[True, False], [True, True]]))
print(tf.map_fn(lambda r: r.total(), m, fn_output_signature=tf.float32).numpy())
out = tf.map_fn(lambda r: Masked(r.values * 2.0, tf.logical_not(r.mask)), m,
                fn_output_signature=Masked.Spec(tf.TensorSpec([2]), tf.TensorSpec([2], tf.bool)))
print(out.values.numpy(), out.mask.numpy())
print(tf.map_fn(lambda v: Masked(v, v > 2.0), tf.constant([1.0, 3.0]),
                fn_output_signature=Masked.Spec(tf.TensorSpec([]), tf.TensorSpec([], tf.bool))).mask.numpy())
print(tf.map_fn(lambda r: r, m).values.numpy())
ds = tf.data.Dataset.from_tensor_slices(m)
print(ds.element_spec, [r.total().numpy() for r in ds])
for r in ds.batch(2):
    print(r.values.shape, r.total().numpy())
for r in ds.map(lambda r: Masked(r.values + 1.0, r.mask)).batch(1).unbatch():
    print(r.values.numpy())
spec = m._type_spec
print(spec._batch(3), spec._unbatch())
print(spec.is_compatible_with(m), spec.is_compatible_with(3))
print(tf.function(lambda m: m.total())(m).numpy())
print(tf.vectorized_map(lambda r: r.total(), m).numpy())

# --- batch_encoders
class Spec(tf.TypeSpec):
    value_type = property(lambda self: Pair)
    def __init__(self, shape):
        self._shape = tf.TensorShape(shape)
    def _serialize(self):
        return (self._shape,)
    _component_specs = property(lambda self: (tf.TensorSpec(self._shape), tf.TensorSpec(self._shape)))
    def _to_components(self, value):
        return (value.a, value.b)
    def _from_components(self, parts):
        return Pair(*parts)
class Pair(tf.__internal__.CompositeTensor):
    def __init__(self, a, b):
        self.a, self.b = a, b
    _type_spec = property(lambda self: Spec(self.a.shape))
    def consumers(self):
        return []
p = Pair(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))
print(tf.nest.assert_same_structure(p, p, expand_composites=True))
print(outcome(tf.nest.assert_same_structure, p, Pair(tf.constant([1.0]), tf.constant([2.0])), expand_composites=True))
print(tf.function(lambda p: p.a + p.b, input_signature=[Spec([None])])(p).numpy())
print(outcome(tf.function(lambda p: p.a, input_signature=[Spec([3])]), p))
print(p._shape_invariant_to_type_spec(tf.TensorShape([2])) if False else p._type_spec._component_specs)

# --- conversion_registry
class Celsius:
    def __init__(self, value):
        self.value = value
def as_tensor(value, dtype=None, name=None, as_ref=False):
    if dtype is not None and dtype != tf.float64:
        return NotImplemented
    return tf.constant(value.value, tf.float64)
tf.register_tensor_conversion_function(Celsius, as_tensor, 10)
print(tf.convert_to_tensor(Celsius(3.0)), (tf.constant(1.0, tf.float64) + Celsius(2.0)).numpy())
print(tf.reduce_sum([Celsius(1.0), Celsius(2.0)]) if False else tf.square(Celsius(3.0)).numpy())
print(outcome(tf.convert_to_tensor, Celsius(1.0), tf.float32))
print(tf.function(lambda: tf.exp(Celsius(0.0)))().numpy())
class Kelvin(Celsius):
    pass
print(tf.convert_to_tensor(Kelvin(4.0)).numpy())

# --- composites_that_convert
class P(tf.experimental.ExtensionType):
    a: tf.Tensor
    def __tf_tensor__(self, dtype=None, name=None):
        return tf.convert_to_tensor(self.a, dtype) * 3.0
p = P(tf.constant(2.0))
print(tf.add(p, 1.0).numpy(), tf.convert_to_tensor(p).numpy(), (tf.constant(1.0) + p).numpy())

# --- saved_with_its_signature
import tempfile
class Pair(tf.experimental.ExtensionType):
    __name__ = "conformance.SavedPair"
    a: tf.Tensor
    b: tf.Tensor
class M(tf.Module):
    @tf.function(input_signature=[Pair.Spec(tf.TensorSpec([None]), tf.TensorSpec([None]))])
    def f(self, p):
        return Pair(p.a + p.b, p.a - p.b)
m = M()
folder = tempfile.mkdtemp()
tf.saved_model.save(m, folder)
got = tf.saved_model.load(folder).f(Pair(tf.constant([1.0]), tf.constant([2.0])))
print(got.a.numpy(), got.b.numpy(), type(got).__name__)

# --- registered_specs
@tf.__internal__.register_type_spec("conformance.Registered") if hasattr(tf.__internal__, "register_type_spec") else lambda c: c
class Registered(tf.TypeSpec):
    value_type = property(lambda self: object)
    def __init__(self, shape):
        self.shape = shape
    def _serialize(self):
        return (self.shape,)
    _component_specs = property(lambda self: tf.TensorSpec(self.shape))
    def _to_components(self, value):
        return value
    def _from_components(self, parts):
        return parts
print(Registered([2]) == Registered([2]))

# --- ragged_and_sparse_in_saved_functions
import tempfile
class M(tf.Module):
    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
    def total(self, r):
        return tf.reduce_sum(r, 1), r * 2.0
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 3], tf.float32)])
    def dense(self, s):
        return tf.sparse.to_dense(s)
folder = tempfile.mkdtemp()
tf.saved_model.save(M(), folder)
back = tf.saved_model.load(folder)
total, doubled = back.total(tf.ragged.constant([[1.0, 2.0], [3.0]]))
print(total.numpy(), doubled.to_list())
print(back.dense(tf.sparse.from_dense([[0.0, 1.0, 2.0]])).numpy())

# --- vectorized_over_composites
class Pair(tf.experimental.BatchableExtensionType):
    a: tf.Tensor
    b: tf.Tensor
p = Pair(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5.0, 6.0]))
print(tf.vectorized_map(lambda r: tf.reduce_sum(r.a) * r.b, p).numpy())
print(tf.function(lambda p: tf.map_fn(lambda r: tf.reduce_sum(r.a) * r.b, p, fn_output_signature=tf.float32))(p).numpy())
ds = tf.data.Dataset.from_tensors(p).repeat(2).batch(2)
print(ds.element_spec, next(iter(ds)).a.shape)
ds = tf.data.Dataset.range(3).map(lambda i: Pair(tf.cast(i, tf.float32) * tf.ones([2]), i))
print([(r.a.numpy().tolist(), r.b.numpy()) for r in ds.batch(2)])
