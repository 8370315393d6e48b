"""Graphs made by hand, and sessions that run parts of them."""

# --- placeholders_and_feeds
v1 = tf.compat.v1
with tf.Graph().as_default() as g:
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    n = v1.placeholder(tf.int32, [], name="n")
    y = tf.reduce_sum(x, 1, name="y") * tf.cast(n, tf.float32)
    print(tf.executing_eagerly(), x.shape, x.graph is g, v1.get_default_graph() is g)
    with v1.Session() as sess:
        print(sess.run(y, {x: [[1.0, 2.0], [3.0, 4.0]], n: 2}))
        print(sess.run([y, {"a": y, "b": (x, y)}], feed_dict={"x:0": np.ones([1, 2]), n: 3}))
        print(y.eval({x: [[1.0, 2.0]], n: 1}), sess.run("y:0", {x: [[5.0, 5.0]]}))
        print(outcome(sess.run, y))
        print(outcome(sess.run, y, {x: [1.0, 2.0, 3.0], n: 1}))
        print(sess.run(y, {y: [7.0]}))
        print(outcome(sess.run, 3), outcome(sess.run, "z:0"))
        print(sess.run([]), sess.graph is g)
    print(outcome(sess.run, y, {x: [[1.0, 2.0]], n: 1}))
print(tf.executing_eagerly())

# --- variables_and_their_initializers
v1 = tf.compat.v1
with tf.Graph().as_default() as g:
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable(lambda: tf.zeros([2]), name="b", trainable=False)
    c = tf.Variable(3.0)
    d = tf.Variable(4.0)
    print(a.name, b.name, c.name, d.name, a.shape, a.dtype)
    print([v.name for v in v1.global_variables()], [v.name for v in v1.trainable_variables()])
    s = a * c + b
    with v1.Session() as sess:
        print(outcome(sess.run, s))
        sess.run([v.initializer for v in v1.global_variables()])
        print(sess.run(s), sess.run([a, c]), a.eval())
        print(sess.run(b.assign([5.0, 6.0])), sess.run(b), sess.run(s))
        print(sess.run(c.assign_add(1.0)), sess.run(c.assign_sub(0.5)), sess.run(s))
        b.load([1.0, 1.0], sess)
        print(sess.run(b), sess.run(v1.report_uninitialized_variables()))
    with v1.Session() as sess:
        print(sess.run(v1.report_uninitialized_variables()))
        sess.run(a.initializer)
        print(sess.run(a), sess.run(a.initial_value), outcome(sess.run, b))

# --- initialising_all_variables
v1 = tf.compat.v1
with tf.Graph().as_default():
    with v1.variable_scope("net"):
        w = v1.get_variable("w", [2, 2], initializer=v1.ones_initializer())
        b = v1.get_variable("b", initializer=tf.constant([1.0, 2.0]))
    with v1.variable_scope("net", reuse=True):
        again = v1.get_variable("w", [2, 2])
    print(w.name, b.name, again is w, outcome(v1.get_variable, "net/w", [2, 2]))
    with v1.variable_scope("net", reuse=v1.AUTO_REUSE):
        print(v1.get_variable("b", [2]) is b)
    x = tf.matmul(tf.constant([[1.0, 2.0]]), w) + b
    with v1.Session() as sess:
        sess.run(v1.global_variables_initializer())
        print(sess.run(x))

# --- gradients_of_a_graph
v1 = tf.compat.v1
with tf.Graph().as_default():
    x = v1.placeholder(tf.float32, [])
    w = tf.Variable(2.0)
    y = w * x * x
    dy = tf.gradients(y, [x, w])
    ddy = tf.gradients(dy[0], x)[0]
    print(tf.gradients(y, tf.Variable(1.0)), len(tf.gradients([y, y * 2.0], x)))
    with v1.Session() as sess:
        sess.run(w.initializer)
        print(sess.run(dy, {x: 3.0}), sess.run(ddy, {x: 3.0}))
        print(sess.run(tf.gradients(y, x, grad_ys=[tf.constant(2.0)]), {x: 3.0}))
        print(sess.run(tf.gradients([y, y * 2.0], x), {x: 3.0}))
    with tf.GradientTape() as tape:
        z = tf.sin(w) * x
    dz = tape.gradient(z, w)
    with v1.Session() as sess:
        sess.run(w.initializer)
        print(sess.run(dz, {x: 1.0}))

# --- control_dependencies_order_effects
v1 = tf.compat.v1
with tf.Graph().as_default():
    v = tf.Variable(0.0)
    add = v.assign_add(1.0)
    with tf.control_dependencies([add]):
        after = v.read_value()
        const = tf.identity(tf.constant(7.0))
        with tf.control_dependencies(None):
            free = tf.identity(tf.constant(8.0))
    both = tf.group(add, name="both")
    with v1.Session() as sess:
        sess.run(v.initializer)
        print(sess.run(after), sess.run(after), sess.run(const), sess.run(v), sess.run(free))
        print(sess.run(both), sess.run(v), both.name, both.type)
        print(sess.run(tf.no_op()), sess.run([add, both]), sess.run(v))
    print(const.op.type)

# --- assertions_run_where_they_are_waited_for
v1 = tf.compat.v1
with tf.Graph().as_default():
    x = v1.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.debugging.assert_positive(x)]):
        y = tf.identity(x)
    z = x * 2.0
    with v1.Session() as sess:
        print(sess.run(y, {x: 1.0}), sess.run(z, {x: -1.0}), outcome(sess.run, y, {x: -1.0}))

# --- names_of_operations
v1 = tf.compat.v1
with tf.Graph().as_default() as g:
    a = v1.placeholder(tf.float32, [2], name="a")
    b = tf.add(a, a, name="sum")
    c = tf.add(a, a, name="sum")
    with tf.name_scope("outer"):
        d = tf.multiply(b, c, name="product")
        with tf.name_scope("inner"):
            e = tf.square(d)
    with tf.name_scope("outer"):
        f = tf.exp(e, name="e")
    h = tf.reduce_mean(f, name="mean")
    print([t.name for t in (a, b, c, d, e, f, h)])
    print([t.op.type for t in (a, b, d, e, f, h)])
    print(g.get_tensor_by_name("sum_1:0") is c, g.get_operation_by_name("outer/product") == d.op)
    print(outcome(g.get_tensor_by_name, "nothing:0"), outcome(g.get_tensor_by_name, "sum"))
    print(outcome(g.get_operation_by_name, "nothing"), g.unique_name("sum"), g.unique_name("new"))
    print(d.op.inputs[0] is b, d.op.outputs[0] is d, d.op.graph is g, isinstance(d.op, tf.Operation))
    print(g.as_graph_element("sum:0") is b, g.as_graph_element(b) is b, hash(a) == hash(a))

# --- graphs_as_messages
v1 = tf.compat.v1
with tf.Graph().as_default() as g:
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    y = tf.nn.relu(x, name="y")
    z = tf.add(tf.sqrt(y, name="root"), 1.0, name="z")
d = g.as_graph_def()
print([(n.name, n.op, list(n.input)) for n in d.node])
print(d.node[0].attr["dtype"].type, [s.size for s in d.node[0].attr["shape"].shape.dim])
print(type(d).__name__, type(v1.GraphDef.FromString(d.SerializeToString())).__name__)
const = [n for n in d.node if n.op == "Const"][0]
print(tf.make_ndarray(const.attr["value"].tensor), const.attr["dtype"].type)
f = tf.function(lambda x: tf.sin(x) + 1.0)
d = f.get_concrete_function(tf.TensorSpec([None])).graph.as_graph_def()
print([(n.name, n.op) for n in d.node])

# --- values_that_may_be_fed
v1 = tf.compat.v1
with tf.Graph().as_default():
    x = v1.placeholder_with_default(tf.constant([1.0, 2.0]), [None], name="x")
    y = tf.reduce_sum(x)
    print(x.shape, x.name)
    with v1.Session() as sess:
        print(sess.run(y), sess.run(y, {x: [5.0, 6.0, 7.0]}))

# --- functions_and_control_flow_in_a_graph
v1 = tf.compat.v1
with tf.Graph().as_default():
    x = v1.placeholder(tf.float32, [None])
    v = tf.Variable(1.0)
    @tf.function
    def f(x):
        v.assign_add(tf.reduce_sum(x))
        return v * 2.0
    y = f(x)
    z = tf.cond(tf.reduce_sum(x) > 2.0, lambda: x * 10.0, lambda: -x)
    w = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [0, x])[1]
    m = tf.map_fn(lambda e: e + 1.0, x)
    with v1.Session() as sess:
        sess.run(v.initializer)
        print(sess.run(y, {x: [1.0, 2.0]}), sess.run(v), sess.run(y, {x: [1.0]}), sess.run(v))
        print(sess.run(z, {x: [3.0]}), sess.run(z, {x: [1.0]}), sess.run(w, {x: [1.0]}))
        print(sess.run(m, {x: [1.0, 5.0]}))

# --- optimizers_in_a_graph
v1 = tf.compat.v1
x0, y0 = np.array([[1.0, 2.0], [3.0, 1.0]], "f"), np.array([[1.0], [2.0]], "f")
def training(make, steps=4):
    with tf.Graph().as_default():
        x, y = v1.placeholder(tf.float32, [None, 2]), v1.placeholder(tf.float32, [None, 1])
        w = tf.Variable([[0.5], [-0.5]], name="w")
        step = v1.train.get_or_create_global_step()
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
        train = make(step).minimize(loss, global_step=step)
        with v1.Session() as sess:
            sess.run([v.initializer for v in v1.global_variables()])
            for _ in range(steps):
                sess.run(train, {x: x0, y: y0})
            return sess.run([w, loss, step], {x: x0, y: y0})
for make in (lambda s: v1.train.GradientDescentOptimizer(0.05),
             lambda s: v1.train.MomentumOptimizer(0.05, 0.9),
             lambda s: v1.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True),
             lambda s: v1.train.AdagradOptimizer(0.1), lambda s: v1.train.AdamOptimizer(0.1),
             lambda s: v1.train.RMSPropOptimizer(0.05, momentum=0.5),
             lambda s: v1.train.RMSPropOptimizer(0.05, centered=True),
             lambda s: v1.train.GradientDescentOptimizer(v1.train.exponential_decay(0.1, s, 2, 0.5)),
             lambda s: v1.train.AdamOptimizer(v1.train.polynomial_decay(0.1, s, 3, 0.01)),
             lambda s: v1.train.AdamOptimizer(v1.train.cosine_decay(0.1, s, 10))):
    print(training(make))

# --- optimizers_without_a_graph
v1 = tf.compat.v1
w = tf.Variable([1.0, 2.0])
for opt in (v1.train.GradientDescentOptimizer(0.1), v1.train.AdamOptimizer(0.1),
            v1.train.MomentumOptimizer(0.1, 0.5)):
    for _ in range(3):
        opt.minimize(lambda: tf.reduce_sum(w ** 2), var_list=[w])
    print(w.numpy())

# --- several_graphs
v1 = tf.compat.v1
g1, g2 = tf.Graph(), tf.Graph()
with g1.as_default():
    a = tf.Variable(1.0, name="v")
    with g2.as_default():
        b = tf.Variable(2.0, name="v")
        print(v1.get_default_graph() is g2)
    print(v1.get_default_graph() is g1, a.graph is g1, b.graph is g2, a.name, b.name)
with v1.Session(graph=g1) as s1, v1.Session(graph=g2) as s2:
    s1.run(a.initializer)
    s2.run(b.initializer)
    print(s1.run(a), s2.run(b), outcome(s1.run, b))
s = v1.Session(graph=g1)
print(outcome(s.run, a))
s.run(a.initializer)
print(s.run(a), v1.get_default_session() is s)
with s.as_default():
    print(v1.get_default_session() is s)
s.close()
print(outcome(s.run, a))

# --- collections
v1 = tf.compat.v1
with tf.Graph().as_default() as g:
    v1.add_to_collection("losses", tf.constant(1.0))
    g.add_to_collections(["losses", "other"], tf.constant(2.0))
    print(len(v1.get_collection("losses")), len(g.get_collection("other")), v1.get_collection("none"))
    total = tf.add_n(g.get_collection("losses"))
    with v1.Session() as sess:
        print(sess.run(total))
    print(sorted(g.get_all_collection_keys()))
    g.finalize()
    print(g.finalized, outcome(tf.Variable, 1.0))

# --- sparse_and_callables
v1 = tf.compat.v1
with tf.Graph().as_default():
    s = v1.sparse_placeholder(tf.float32, [2, 3])
    d = tf.sparse.to_dense(s)
    x = v1.placeholder(tf.float32)
    with v1.Session() as sess:
        value = v1.SparseTensorValue(np.array([[0, 1]]), np.array([5.0], "f"), np.array([2, 3]))
        print(sess.run(d, {s: value}), type(sess.run(s, {s: value})).__name__)
        f = sess.make_callable(x * 2.0, [x])
        print(f(3.0), f([1.0, 2.0]))
        print(sess.run([tf.strings.join(["a", "b"]), tf.constant(True), tf.constant([1, 2])]))
# --- tuple_waits_for_an_operation
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    v = tf.Variable(0.0)
    a = tf.constant(1.0)
    session.run(tf.compat.v1.global_variables_initializer())
    for _ in range(3):
        session.run(tf.tuple([a], [tf.group(v.assign_add(1.0))]))
        print(session.run(v))
    print(tf.tuple([None], [tf.no_op()]), outcome(tf.tuple, [a], [1]))
# --- optimizers_of_tensorflow_1_in_a_checkpoint
optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
checkpoint = tf.train.Checkpoint(optimizer=optimizer, v=tf.Variable(1.0))
print(isinstance(optimizer, tf.__internal__.tracking.Trackable), checkpoint.optimizer is optimizer)
# --- branches_by_rank
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    x = tf.compat.v1.placeholder(tf.float32)
    y = tf.cond(tf.equal(tf.rank(x), 2), lambda: tf.squeeze(x, [-1]), lambda: x * 2.0)
    print(session.run(y, {x: [[1.0], [2.0]]}), session.run(y, {x: 3.0}))
    print(session.run(y, {x: [4.0]}))
    print(outcome(lambda: session.run(y, {x: [[1.0, 2.0]]})))
# --- sparse_step_by_a_gradient_of_unknown_rank
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    v, slot = tf.Variable([[1.0], [2.0], [3.0]]), tf.Variable([[0.0], [0.0], [0.0]])
    gradient = tf.compat.v1.placeholder(tf.float32)
    step = tf.raw_ops.ResourceSparseApplyKerasMomentum(
        var=v.handle, accum=slot.handle, lr=tf.constant(2.0), grad=gradient,
        indices=tf.constant([0, 2]), momentum=tf.constant(0.9), use_nesterov=True)
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(step, {gradient: [[1.0], [2.0]]})
    print(session.run([v, slot]))
# --- global_step_without_a_graph
# alone
train = tf.compat.v1.train
step = train.get_or_create_global_step()
print(step.numpy(), step.dtype, step.name, train.get_global_step() is step)
v = tf.Variable(1.0)
train.GradientDescentOptimizer(0.1).minimize(lambda: v * v, global_step=step)
print(int(step))
print(outcome(train.create_global_step))
with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
    inside = train.get_or_create_global_step()
    session.run(inside.initializer)
    print(session.run(inside), inside.graph is graph, inside is step)

# --- constants_are_operations
graph = tf.Graph()
with graph.as_default():
    a = tf.constant(1.0)
    b = tf.constant([2.0, 3.0], name="b")
    c = a + b
    d = tf.add(c, 1.0, name="d")
    with tf.name_scope("s"):
        e = d * 2.0
    z = tf.zeros([2, 2])
    x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
    y = x + b
    w = x * 3.0
for one in (a, b, c, d, e, z, y, w):
    print(one, one.name, one.op.type, one.graph is graph, [source.name for source in one.op.inputs])
print([(one.name, one.type) for one in graph.get_operations()])
print([(one.name, one.op, list(one.input)) for one in graph.as_graph_def().node])
print(graph.get_tensor_by_name("Const:0"), graph.get_tensor_by_name("b:0") is b, repr(c))
print(repr(graph.get_operation_by_name("d/y")), tf.get_static_value(b))

# --- constants_are_fetched_and_fed
with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
    a = tf.constant(1.0)
    b = tf.constant([2.0, 3.0])
    c = a + b
    d = tf.reduce_sum(c * 2.0)
    print(session.run("Const:0"), session.run([c, d]))
    print(session.run(c, {a: 5.0}), session.run([d], {a: 5.0}), session.run(d, {c: [0.0, 1.0]}))
    print(session.run(d, {"Const_1:0": [1.0, 1.0]}), c.eval(), a.op.run())

# --- constants_of_converted_values
with tf.Graph().as_default():
    x = tf.convert_to_tensor([1, 2], name="first")
    y = tf.convert_to_tensor(np.ones(3))
    print(x, y, tf.convert_to_tensor(x) is x)

# --- constants_of_traced_functions_have_names
@tf.function
def f(x):
    k = tf.constant(4.0, name="k")
    print(k.name, k.op.type, k.op.name)
    return x + k + 1.0
f(tf.constant(1.0))
concrete = f.get_concrete_function(tf.TensorSpec([2]))
print([(one.name, one.type) for one in concrete.graph.get_operations() if one.type != "Identity"])

# --- equality_is_identity
with tf.Graph().as_default():
    x = tf.compat.v1.placeholder(tf.float32, [2])
    y, z = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0])
    print(x == y, x == x, x != y, y == z, y == y, y != z, x == 1.0, y in [x, z], x in [x])
    print(y == None, x != None, {x: 1}[x], len({x, y, z}))
    tf.cond(tf.reduce_sum(x) > 0, lambda: (print(x == x, x + 1 == y), x)[1], lambda: y)
    v = tf.Variable(1.0)
    print(v == v, v == 1.0, v == y, tf.equal(y, z), (x > y).dtype)
    # Rules of gradients compare elements.
    g = tf.gradients(tf.reduce_max(y * 2.0), y)
    with tf.compat.v1.Session() as session:
        print(session.run([tf.equal(y, z), g[0]]))
print(tf.constant([1.0]) == tf.constant([1.0]))
