"""MultiWorkerMirroredStrategy: what each rank sees, and a loop of the program's own."""

import json
import os
import sys

import numpy as np
import tensorflow as tf

D, P = tf.distribute, tf.data.experimental.AutoShardPolicy
config = json.loads(os.environ["TF_CONFIG"])
strategy = D.MultiWorkerMirroredStrategy()
resolver = strategy.cluster_resolver
rank, size = resolver.task_id, strategy.num_replicas_in_sync
assert size == len(config["cluster"]["worker"]) == resolver.cluster_spec().num_tasks("worker")
assert config["task"] == {"type": "worker", "index": rank} and resolver.task_type == "worker"
assert strategy.extended.should_checkpoint is (rank == 0)
assert strategy.extended.worker_devices == (f"/job:worker/replica:0/task:{rank}/device:CPU:0",)
total = size * (size + 1) / 2

# -- variables -------------------------------------------------------------------------------------
AGGREGATIONS = {name: getattr(tf.VariableAggregation, name) for name in (
    "MEAN", "SUM", "ONLY_FIRST_REPLICA")}
with strategy.scope():
    mirrored = {name: tf.Variable([1.0 + rank], aggregation=how)
                for name, how in AGGREGATIONS.items()}
    seen = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ,
                       aggregation=tf.VariableAggregation.SUM)
assert all(v.numpy() == [1.0] for v in mirrored.values())  # rank 0's


@tf.function
def change():
    context = D.get_replica_context()
    for v in mirrored.values():
        v.assign([tf.cast(context.replica_id_in_sync_group, tf.float32) + 1])
    seen.assign_add(rank + 1.0)
    return (context.all_reduce("SUM", {"a": tf.constant(rank + 1.0)})["a"],
            context.all_gather(tf.fill([1, rank + 1], rank), 1))


summed, gathered = strategy.run(change)
assert summed.numpy() == total
assert gathered.numpy().tolist() == [[i for i in range(size) for _ in range(i + 1)]]
assert [v.numpy()[0] for v in mirrored.values()] == [total / size, total, 1.0]
assert seen.numpy() == total and seen.values[0].numpy() == rank + 1
seen.assign(10.0)
assert seen.numpy() == 10.0 and seen.values[0].numpy() == 10.0 / size
for how, right in (("SUM", total), ("MEAN", total / size)):
    assert strategy.reduce(how, tf.constant(rank + 1.0), axis=None).numpy() == right
rows = tf.range(rank + 1.0)
whole = np.concatenate([np.arange(i + 1.0) for i in range(size)])
assert np.isclose(strategy.reduce("MEAN", rows, axis=0).numpy(), whole.mean())
assert strategy.gather(rows, axis=0).numpy().tolist() == whole.tolist()
merged = strategy.run(lambda: D.get_replica_context().merge_call(
    lambda s, x: s.extended.reduce_to("SUM", x, x), args=(tf.constant(rank + 1.0),)))
assert merged.numpy() == total

# -- data ------------------------------------------------------------------------------------------
folder = os.path.dirname(sys.argv[1])


def shown(dataset):
    return [x.numpy().tolist() for x in dataset]


def policy(dataset, which):
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = which
    return shown(strategy.experimental_distribute_dataset(dataset.with_options(options)))


def parts(items, most):
    return [items[i:i + most] for i in range(0, len(items), most)]


share = 8 // size
batches = tf.data.Dataset.range(20).batch(8)
data = [list(range(8))[rank * share:][:share], list(range(8, 16))[rank * share:][:share]]
last = -(-4 // size)
data.append(list(range(16, 20))[rank * last:][:last])
assert policy(batches, P.AUTO) == policy(batches, P.DATA) == data
assert policy(batches, P.OFF) == parts(list(range(20)), share)
hinted = tf.data.Dataset.range(20).shard(*[tf.data.experimental.SHARD_HINT] * 2).batch(8)
assert policy(hinted, P.HINT) == parts(list(range(rank, 20, size)), share)
if rank == 0:
    for i in range(size + 1):  # one rank has two files
        with open(f"{folder}/{i}.txt", "w") as file:
            file.writelines(f"{i}\n" for _ in range(3))
tf.distribute.get_strategy()
strategy.gather(tf.zeros([1]), axis=0)  # the files are there
names = [f"{folder}/{i}.txt" for i in range(size + 1)]
mine = [str(i).encode() for i in range(rank, size + 1, size) for _ in range(3)]
for source in (tf.data.TextLineDataset(names), tf.data.Dataset.from_tensor_slices(
        names).interleave(tf.data.TextLineDataset, cycle_length=1)):
    for which in (P.AUTO, P.FILE):
        found = policy(source.batch(2 * size), which)
        assert [x for batch in found for x in batch] == mine and len(found) == 3, found
try:
    policy(batches, P.FILE)
except tf.errors.NotFoundError as error:
    assert "AutoShardPolicy.DATA" in str(error)
made = strategy.distribute_datasets_from_function(lambda context: tf.data.Dataset.range(
    size + 1).shard(context.num_input_pipelines, context.input_pipeline_id).batch(
        context.get_per_replica_batch_size(size)))
assert shown(made) == [[rank], [size] if rank == 0 else []]

# -- a loop: the step is that of one process with the whole batch ---------------------------------
x = np.random.RandomState(0).randn(16, 3).astype("f")
y = x.sum(1, keepdims=True)
with strategy.scope():
    w = tf.Variable(tf.zeros([3, 1]))
    table = tf.Variable(tf.ones([4, 2]))


@tf.function
def step(iterator):
    def replica(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((x @ w - y) ** 2) / 16
            loss += tf.reduce_sum(tf.gather(table, [rank, 3]) ** 2) / 16
        g, rows = D.get_replica_context().all_reduce("SUM", tape.gradient(loss, [w, table]))
        assert isinstance(rows, tf.IndexedSlices)
        (g,), _ = tf.clip_by_global_norm([g], 1.0)
        w.assign_sub(0.1 * g)
        table.assign_sub(0.1 * tf.convert_to_tensor(rows))
        return loss

    return strategy.reduce("SUM", strategy.run(replica, args=next(iterator)), axis=None)


iterator = iter(strategy.experimental_distribute_dataset(
    tf.data.Dataset.from_tensor_slices((x, y)).batch(16).repeat()))
losses = [float(step(iterator)) for _ in range(30)]
w0, t0 = np.zeros([3, 1], "f"), np.ones([4, 2], "f")
for loss in losses:
    right = ((x @ w0 - y) ** 2).sum() / 16
    rows = [i for k in range(size) for i in (k, 3)]
    right += (t0[rows] ** 2).sum() / 16
    np.testing.assert_allclose(loss, right, rtol=1e-4)
    g = 2 * x.T @ (x @ w0 - y) / 16
    w0 -= 0.1 * g * min(1.0, 1.0 / np.linalg.norm(g))
    t1 = t0.copy()
    np.subtract.at(t1, rows, 0.1 * 2 * t0[rows] / 16)
    t0 = t1
np.testing.assert_allclose(w.numpy(), w0, rtol=1e-4)
np.testing.assert_allclose(table.numpy(), t0, rtol=1e-4)
print(f"rank {rank} is right")
