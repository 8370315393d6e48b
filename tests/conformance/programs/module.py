# tf.Module: collecting variables, submodules, names.

# --- dense_layer
class Dense(tf.Module):
    def __init__(self, n_in, n_out, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.ones([n_in, n_out]), name="w")
        self.b = tf.Variable(tf.zeros([n_out]), name="b")
    def __call__(self, x):
        return tf.nn.relu(x @ self.w + self.b)
layer = Dense(3, 2)
print(layer(tf.ones([1, 3])), [v.name for v in layer.variables], layer.name)

# --- trainable_and_not
class M(tf.Module):
    def __init__(self):
        self.a = tf.Variable(1.0, name="a")
        self.b = tf.Variable(2.0, trainable=False, name="b")
        self.c = tf.Variable(3.0, name="c")
m = M()
print([v.name for v in m.trainable_variables], [v.name for v in m.non_trainable_variables], len(m.variables))

# --- order_is_by_attribute_name
class M(tf.Module):
    def __init__(self):
        self.z = tf.Variable(1.0, name="z")
        self.a = tf.Variable(2.0, name="a")
        self.m = tf.Variable(3.0, name="m")
print([v.name for v in M().trainable_variables])

# --- submodules_breadth_first
class Leaf(tf.Module):
    def __init__(self, tag):
        super().__init__()
        self.v = tf.Variable(1.0, name=tag)
class Tree(tf.Module):
    def __init__(self, tag, *children):
        super().__init__()
        self.children = list(children)
        self.own = tf.Variable(0.0, name=tag)
tree = Tree("root", Tree("left", Leaf("ll")), Leaf("r"))
print([v.name for v in tree.variables], [type(s).__name__ for s in tree.submodules])

# --- lists_dicts_tuples
class M(tf.Module):
    def __init__(self):
        self.items = [tf.Variable(1.0, name="i0"), tf.Variable(2.0, name="i1")]
        self.table = {"k2": tf.Variable(3.0, name="k2"), "k1": tf.Variable(4.0, name="k1")}
        self.pair = (tf.Variable(5.0, name="p0"), [tf.Variable(6.0, name="p1")])
print([v.name for v in M().variables])

# --- shared_variable_once
v = tf.Variable(1.0, name="shared")
class M(tf.Module):
    def __init__(self):
        self.a = v
        self.b = [v, v]
m = M()
print(len(m.variables), m.variables[0] is v)

# --- cycle_of_modules
a, b = tf.Module(), tf.Module()
a.v, b.v = tf.Variable(1.0, name="av"), tf.Variable(2.0, name="bv")
a.other, b.other = b, a
print([v.name for v in a.variables], len(a.submodules))

# --- names
class MyLongName(tf.Module):
    pass
class HTTPServer2(tf.Module):
    pass
print(MyLongName().name, HTTPServer2().name, tf.Module(name="custom").name, tf.Module().name)

# --- bad_name
print(outcome(tf.Module, name="not valid!"), outcome(tf.Module, name="1abc"))

# --- name_scope
class M(tf.Module):
    def __init__(self):
        super().__init__(name="net")
        with self.name_scope:
            self.v = tf.Variable(1.0, name="v")
print(M().v.name)

# --- with_name_scope
class M(tf.Module):
    @tf.Module.with_name_scope
    def __call__(self, x):
        if not hasattr(self, "w"):
            self.w = tf.Variable(tf.ones([x.shape[1], 3]), name="w")
        return tf.matmul(x, self.w)
m = M(name="lin")
print(m(tf.ones([1, 2])), m.w.name)

# --- without_super_init
class M(tf.Module):
    def __init__(self):
        self.v = tf.Variable(1.0)
m = M()
print(len(m.variables), m.submodules, outcome(lambda: m.name))

# --- none_and_other_attributes
class M(tf.Module):
    def __init__(self):
        self.nothing = None
        self.number = 3
        self.text = "x"
        self.tensor = tf.constant(1.0)
        self.v = tf.Variable(1.0, name="v")
print([v.name for v in M().variables])

# --- attribute_added_later
m = tf.Module()
print(m.variables)
m.v = tf.Variable(1.0, name="late")
print([v.name for v in m.variables])
del m.v
print(m.trainable_variables)

# --- gradients_of_a_module
class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)
    def __call__(self, x):
        return self.w * x + self.b
model = Linear()
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - (3 * x + 2)) ** 2)
print(loss, tape.gradient(loss, model.trainable_variables))

# --- stack_of_layers
class Layer(tf.Module):
    def __init__(self, k):
        super().__init__()
        self.k = tf.Variable(k)
    def __call__(self, x):
        return tf.tanh(x * self.k)
class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Layer(0.5), Layer(1.5), Layer(2.0)]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
net = Net()
with tf.GradientTape() as tape:
    y = net(tf.constant(1.0))
print(len(net.trainable_variables), tape.gradient(y, net.trainable_variables))

# --- zip_apply_gradients
class M(tf.Module):
    def __init__(self):
        self.a = tf.Variable([1.0, 2.0])
        self.b = tf.Variable(3.0)
m = M()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(m.a ** 2) * m.b
for g, v in zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables):
    v.assign_sub(0.1 * g)
print(m.a.numpy(), m.b.numpy())

# --- properties_return_tuples
m = tf.Module()
m.v = tf.Variable(1.0)
print(type(m.variables).__name__, type(m.submodules).__name__, type(m.trainable_variables).__name__)

# --- nested_containers_of_modules
class Cell(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.v = tf.Variable(float(n), name=f"c{n}")
class M(tf.Module):
    def __init__(self):
        super().__init__()
        self.grid = {"x": [Cell(0), Cell(1)], "y": (Cell(2),)}
m = M()
print([v.name for v in m.variables], len(m.submodules))

# --- inheritance
class Base(tf.Module):
    def __init__(self):
        super().__init__()
        self.b = tf.Variable(1.0, name="base")
class Child(Base):
    def __init__(self):
        super().__init__()
        self.a = tf.Variable(2.0, name="child")
c = Child()
print([v.name for v in c.variables], c.name)

# --- private_attributes_count
class M(tf.Module):
    def __init__(self):
        self._v = tf.Variable(1.0, name="hidden")
print([v.name for v in M().variables])

# --- property_is_not_searched
class M(tf.Module):
    def __init__(self):
        self._v = tf.Variable(1.0, name="v")
    @property
    def alias(self):
        return self._v
print(len(M().variables))

# --- repr_of_a_module
class Net(tf.Module):
    pass
print(type(Net()).__name__, isinstance(Net(), tf.Module), Net().name)

# --- deepcopy_of_a_module
import copy
class M(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable([1.0, 2.0], name="v")
m = M()
c = copy.deepcopy(m)
c.v.assign([7.0, 7.0])
print(m.v.numpy(), c.v.numpy(), c.v.name)

# --- counting_parameters
class M(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.zeros([3, 4]))
        self.b = tf.Variable(tf.zeros([4]))
print(sum(int(tf.size(v)) for v in M().trainable_variables), sum(v.shape.num_elements() for v in M().variables))

# --- scope_of_making
class Named(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        with self.name_scope:
            self.a = tf.Variable(1.0, name="a")
    @tf.Module.with_name_scope
    def __call__(self):
        return tf.Variable(1.0, name="b").name
m = Named("m")
print(m.name, m.name_scope.name, m.a.name)
with tf.name_scope("outer") as scope:
    n = Named()
    print(scope, m(), n.name, n.name_scope.name, n.a.name, n())
