# tf.distribute in one process.

# --- default_strategy
D = tf.distribute
s = D.get_strategy()
print(D.has_strategy(), D.in_cross_replica_context(), s.num_replicas_in_sync, type(s).__name__, s.cluster_resolver)
print(s.run(lambda x: x + 1, args=(tf.constant(1.0),)), s.reduce("SUM", tf.constant([1.0, 2.0]), axis=0), s.reduce(D.ReduceOp.MEAN, tf.constant([1.0, 2.0]), axis=None))
c = D.get_replica_context()
print(c.num_replicas_in_sync, c.replica_id_in_sync_group, c.all_reduce("SUM", [tf.constant(1.0)]), c.merge_call(lambda st, x: (st is s, D.in_cross_replica_context(), x), args=(2,)))
print(s.experimental_local_results(tf.constant(1.0)), outcome(s.reduce, "FOO", tf.constant(1.0), axis=None), outcome(lambda: s.extended.worker_devices))
print(list(D.ReduceOp), D.ReduceOp.SUM)

# --- mirrored_variables
D = tf.distribute
s = D.MirroredStrategy(["cpu:0"])
with s.scope():
    v = tf.Variable(1.0)
    w = tf.Variable([1.0, 2.0], name="w", aggregation=tf.VariableAggregation.MEAN)
    r = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM)
    print(D.has_strategy(), D.in_cross_replica_context(), D.get_replica_context(), D.get_strategy() is s)
print(v, w, r)
print(type(v), isinstance(v, tf.Variable), v.name, v.shape, v.dtype, v.trainable, v.aggregation, v.synchronization, v.values)
print(s.run(lambda: v.assign_add(1.0)), s.run(lambda: r.assign_add(2.0)), v + 1, tf.reduce_sum(w), r.numpy())
print(v.assign(5.0), v.assign_sub(1.0), s.extended.variable_created_in_scope(v))

# --- replica_context
D = tf.distribute
s = D.MirroredStrategy(["cpu:0"])
def step(x):
    c = D.get_replica_context()
    print(c.num_replicas_in_sync, c.replica_id_in_sync_group, D.in_cross_replica_context(), D.has_strategy())
    return c.all_reduce("SUM", x * 2), c.merge_call(lambda st, y: (print(D.in_cross_replica_context(), y), y)[1], args=(x,))
print(s.run(step, args=(tf.constant(3.0),)))
with s.scope():
    print(outcome(D.OneDeviceStrategy("/cpu:0").scope().__enter__))
def bad():
    with s.scope():
        pass
print(outcome(s.run, bad))

# --- custom_training_loop
D = tf.distribute
strategy = D.MirroredStrategy(["cpu:0"])
GLOBAL_BATCH_SIZE = 4
x = np.arange(8, dtype=np.float32).reshape(8, 1); y = 2 * x + 1
with strategy.scope():
    w = tf.Variable([[0.0]]); b = tf.Variable([0.0])
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(GLOBAL_BATCH_SIZE)
dist_dataset = strategy.experimental_distribute_dataset(dataset)
def train_step(inputs):
    features, labels = inputs
    with tf.GradientTape() as tape:
        per_example = tf.reduce_sum((features @ w + b - labels) ** 2, axis=1)
        loss = tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH_SIZE)
    g = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * g[0]); b.assign_sub(0.01 * g[1])
    return loss
@tf.function
def distributed_train_step(inputs):
    per_replica_losses = strategy.run(train_step, args=(inputs,))
    return strategy.reduce(D.ReduceOp.SUM, per_replica_losses, axis=None)
for epoch in range(3):
    total, n = 0.0, 0
    for batch in dist_dataset:
        total += distributed_train_step(batch); n += 1
    print(epoch, float(total / n))
print(w.numpy(), b.numpy())

# --- iterate_in_function
D = tf.distribute
strategy = D.MirroredStrategy(["cpu:0"])
dist = strategy.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(2))
@tf.function
def epoch(ds):
    total = tf.constant(0, tf.int64)
    for x in ds:
        total += strategy.reduce("SUM", strategy.run(lambda x: tf.reduce_sum(x), args=(x,)), axis=None)
    return total
print(epoch(dist), dist.element_spec)
@tf.function
def two_steps(iterator):
    for _ in tf.range(2):
        strategy.run(lambda x: tf.print(x), args=(next(iterator),))
it = iter(dist)
two_steps(it)
print(next(it), outcome(next, it))

# --- datasets_from_function
D = tf.distribute
s = D.MirroredStrategy(["cpu:0"])
def make(ctx):
    print(ctx, ctx.num_input_pipelines, ctx.input_pipeline_id, ctx.num_replicas_in_sync, ctx.get_per_replica_batch_size(8))
    return tf.data.Dataset.range(4).batch(2)
ds = s.distribute_datasets_from_function(make)
for x in ds:
    print(x)
print(s.experimental_distribute_values_from_function(lambda ctx: ctx.replica_id_in_sync_group))
print(outcome(D.InputContext(2, 1, 3).get_per_replica_batch_size, 8), D.InputContext(2, 1, 4))

# --- one_device
o = tf.distribute.OneDeviceStrategy("/cpu:0")
with o.scope():
    v = tf.Variable(1.0)
print(v, type(v), o.num_replicas_in_sync, o.run(lambda x: x * v, args=(tf.constant(3.0),)), o.reduce("SUM", tf.constant([1.0, 2.0]), axis=0))

# --- multi_worker_of_one
m = tf.distribute.MultiWorkerMirroredStrategy()
with m.scope():
    v = tf.Variable(1.0)
print(m.num_replicas_in_sync, type(m).__name__, v, m.run(lambda: v + 1))

# --- reduce_and_gather
s = tf.distribute.MirroredStrategy(["cpu:0"])
print(s.reduce("MEAN", tf.constant([1.0, 3.0]), axis=0), s.reduce("SUM", tf.constant([[1.0, 3.0]]), axis=None), s.gather(tf.constant([1, 2]), axis=0))
print(s.experimental_local_results(s.run(lambda: tf.constant(1.0))), s.reduce("SUM", s.run(lambda: {"a": tf.constant(1.0)}), axis=None))
with s.scope():
    v = tf.Variable(1.0)
print(s.extended.update(v, lambda v, x: v.assign(x), args=(3.0,)), s.extended.update(v, lambda v, x: v.assign(x), args=(4.0,), group=False), s.extended.reduce_to("SUM", tf.constant(1.0), v))

# --- options_and_resolvers
D = tf.distribute
print(D.RunOptions(), D.InputOptions(), D.experimental.CommunicationOptions(), D.experimental.CommunicationImplementation.NCCL, list(D.InputReplicationMode))
P = D.experimental.partitioners
print(P.MinSizePartitioner(max_shards=2)(tf.TensorShape([100000, 10]), tf.float32), P.FixedShardsPartitioner(3)(tf.TensorShape([10, 3]), tf.float32), P.MaxSizePartitioner(100)(tf.TensorShape([10, 30]), tf.float32))
r = D.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["a:1"]}), task_type="worker", task_id=0)
print(r.cluster_spec(), r.master(), r.task_type, r.task_id)

# --- two_replicas
# alone
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
D = tf.distribute
s = D.MirroredStrategy(["cpu:0", "cpu:1"])
with s.scope():
    v = tf.Variable(1.0)
    w = tf.Variable([1.0, 2.0], name="w", aggregation=tf.VariableAggregation.MEAN)
    r = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM)
rid = lambda: tf.cast(D.get_replica_context().replica_id_in_sync_group, tf.float32)
print(v, s.run(rid), s.run(lambda: D.get_replica_context().all_reduce("SUM", rid() + 1)))
print(s.run(lambda: w.assign([rid(), 2 * rid()])), s.run(lambda: r.assign_add(rid() + 1)), r.numpy(), r)
print(s.reduce("SUM", s.run(rid), axis=None), s.reduce("MEAN", s.run(rid), axis=None), s.experimental_local_results(s.run(rid)), s.gather(s.run(lambda: tf.fill([2], rid())), axis=0))
dd = s.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(4))
for x in dd:
    print(x)
def f(x):
    with tf.GradientTape() as t:
        loss = v * tf.cast(tf.reduce_sum(x), tf.float32)
    g = D.get_replica_context().all_reduce("SUM", t.gradient(loss, v))
    D.get_replica_context().merge_call(lambda st, g: st.extended.update(v, lambda var, g: var.assign_sub(0.1 * g), args=(g,)), args=(g,))
    return loss
@tf.function
def step(x):
    return s.reduce("SUM", s.run(f, args=(x,)), axis=None)
for x in dd:
    print(step(x))
print(v, outcome(s.reduce, "SUM", 1.0, axis=None))
