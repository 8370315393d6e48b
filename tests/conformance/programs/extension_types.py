# Types of users' own, made of tensors, and how functions treat them.

# --- masked
class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    name: str = "m"
    def filled(self, value):
        return tf.where(self.mask, self.values, value)
m = Masked([1.0, 2.0], [True, False])
print(m, m.filled(0.0), m == m, m != Masked([1.0], [True]), tf.is_tensor(m))
print(tf.type_spec_from_value(m), len(tf.nest.flatten(m)), len(tf.nest.flatten(m, expand_composites=True)))
print(outcome(setattr, m, "values", 1), outcome(Masked, [1.0]), outcome(Masked, [1.0], [True], 3))
print(outcome(Masked, object(), [True]), outcome(hash, m), outcome(tf.convert_to_tensor, m))

# --- fields
from typing import Mapping, Optional, Tuple, Union
class Fields(tf.experimental.ExtensionType):
    shape: tf.TensorShape
    pair: Tuple[tf.Tensor, int]
    many: Tuple[tf.Tensor, ...]
    table: Mapping[str, tf.Tensor]
    rows: tf.RaggedTensor
    maybe: Optional[tf.Tensor] = None
    either: Union[int, str] = 3
    dtype: tf.DType = tf.float32
x = Fields([2, None], (1.0, 2), (1, 2.0), {"a": 1}, tf.ragged.constant([[1], [2, 3]]))
print(x)
print(outcome(Fields, [2], (1.0, 2), (), {}, [[1]]))

# --- own_constructor
class Positive(tf.experimental.ExtensionType):
    x: tf.Tensor
    def __init__(self, x, scale):
        self.x = tf.convert_to_tensor(x) * scale
    def __validate__(self):
        self.x.shape.assert_has_rank(1)
print(Positive([1.0], 2.0), outcome(Positive, [[1.0]], 2.0))
class Named(Positive):
    name: str = "n"
print(outcome(tf.experimental.ExtensionType))

# --- function
class Pair(tf.experimental.ExtensionType):
    low: tf.Tensor
    high: tf.Tensor
traces = []
@tf.function
def widen(p, by):
    traces.append(1)
    return Pair(p.low - by, p.high + by), p.high - p.low
for values in (([1.0], [2.0]), ([3.0], [5.0]), ([1.0, 2.0], [3.0, 4.0])):
    print(*widen(Pair(*values), 0.5))
print(len(traces))

# --- function_signature
class Pair(tf.experimental.ExtensionType):
    low: tf.Tensor
    high: tf.Tensor
@tf.function(input_signature=[Pair.Spec(tf.TensorSpec([None]), tf.TensorSpec([None]))])
def middle(p):
    return (p.low + p.high) / 2.0
print(middle(Pair([1.0], [2.0])), middle(Pair([1.0, 3.0], [2.0, 9.0])))

# --- control_flow
class Pair(tf.experimental.ExtensionType):
    low: tf.Tensor
    high: tf.Tensor
p = Pair(1.0, 2.0)
print(tf.cond(tf.constant(True), lambda: p, lambda: Pair(0.0, 0.0)))
print(tf.while_loop(lambda i, q: i < 3, lambda i, q: (i + 1, Pair(q.low * 2, q.high * 3)), (0, p))[1])

# --- gradient
class Layer(tf.experimental.ExtensionType):
    w: tf.Tensor
    b: tf.Tensor
    def __call__(self, x):
        return x @ self.w + self.b
w, b = tf.Variable([[1.0], [2.0]]), tf.Variable([0.5])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(Layer(w, b)(tf.constant([[3.0, 4.0]])) ** 2)
print(loss, *tape.gradient(loss, [w, b]))

# --- dispatch
# alone
from typing import List, Union
class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
@tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
def unary(api, x):
    return Masked(api(x.values), x.mask)
@tf.experimental.dispatch_for_binary_elementwise_apis(Masked, Union[Masked, tf.Tensor, float])
def binary(api, x, y):
    other = y.values if isinstance(y, Masked) else y
    return Masked(api(x.values, other), x.mask)
@tf.experimental.dispatch_for_api(tf.concat)
def concat(values: List[Masked], axis, name=None):
    return Masked(tf.concat([v.values for v in values], axis), tf.concat([v.mask for v in values], axis))
@tf.experimental.dispatch_for_api(tf.shape, {"input": Masked})
def shape(input, out_type=tf.int32, name=None):
    return tf.shape(input.values)
m = Masked([-1.0, 2.0], [True, False])
print(tf.abs(m), tf.sin(m).mask, tf.add(m, m), tf.multiply(m, 2.0))
print(tf.concat([m, m], 0), tf.shape(m), tf.concat([[1], [2]], 0), outcome(tf.reduce_sum, m))
