"""Horovod's API: ranks, reductions with derivatives, process sets, objects, join, tape."""

import pickle

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rank, size = hvd.rank(), hvd.size()
total, own = size * (size + 1) / 2, rank + 1.0
assert (hvd.local_rank(), hvd.local_size(), hvd.cross_rank(), hvd.cross_size()) == (
    rank, size, 0, 1)
x = tf.constant([1.0, 2.0]) * own


def same(found, right):
    np.testing.assert_allclose(found.numpy(), right, rtol=1e-3)


# -- reductions ------------------------------------------------------------------------------------
ranks = np.arange(1.0, size + 1)
for op, right in ((None, total / size), (hvd.Average, total / size), (hvd.Sum, total),
                  (hvd.Min, 1.0), (hvd.Max, size), (hvd.Product, np.prod(ranks))):
    same(hvd.allreduce(tf.constant(own), op=op), right)
scaled = hvd.allreduce(x, op=hvd.Sum, prescale_factor=0.5, postscale_factor=3.0)
same(scaled, [1.5 * total, 3 * total])
for compression in (hvd.Compression.fp16, hvd.Compression.bf16):
    for _ in range(3):
        same(hvd.allreduce(x, compression=compression), [total / size, 2 * total / size])
a, b = hvd.grouped_allreduce([x, tf.cast(x, tf.float64)], op=hvd.Sum)
same(a, [total, 2 * total])
assert b.dtype == tf.float64
sparse = hvd.allreduce(tf.IndexedSlices(tf.ones([1, 2]) * own, [rank], [size, 2]), op=hvd.Average)
same(tf.convert_to_tensor(sparse), np.repeat(ranks[:, None] / size, 2, 1))
same(hvd.allgather(tf.fill([rank + 1, 2], own)), np.repeat(ranks, ranks.astype(int))[:, None]
     * [1, 1])
assert [len(one) for one in hvd.grouped_allgather([x, x[:1]])] == [2 * size, size]
same(hvd.broadcast(x, root_rank=1), [2, 4])
same(hvd.alltoall(tf.range(size) * 10 + rank), [rank * 10 + i for i in range(size)])
rows, splits = hvd.alltoall(tf.fill([size], own), splits=tf.ones([size], tf.int32))
same(rows, ranks)
for compression in (hvd.Compression.none, hvd.Compression.fp16, hvd.Compression.bf16):
    part = hvd.reducescatter(tf.ones([2 * size, 1]) * own, compression=compression, op=hvd.Sum)
    same(part, [[total], [total]])

# -- wrong arguments: said before anything is sent, so that ranks stay in step ---------------------
for wrong, kind, words in (
        (lambda: hvd.alltoall(x, splits=[9] * size), tf.errors.InvalidArgumentError, "add up to"),
        (lambda: hvd.alltoall(x, splits=[2]), tf.errors.InvalidArgumentError, "one for each rank"),
        (lambda: hvd.alltoall(x, splits=[1.0] * size), ValueError, "must be integers"),
        (lambda: hvd.alltoall(x[0]), tf.errors.InvalidArgumentError, "a scalar has none"),
        (lambda: hvd.reducescatter(x[0]), tf.errors.InvalidArgumentError, "a scalar has none"),
        (lambda: hvd.add_process_set([]), ValueError, "at least one rank"),
        (lambda: hvd.allreduce(x, prescale_factor=own), tf.errors.InvalidArgumentError,
         "all_reduce mean (scaled by")):
    try:
        wrong()
        raise SystemExit(f"no error: {words}")
    except kind as error:
        assert words in str(error), error
try:
    hvd.broadcast_object(lambda: 1, 1)  # no pickle
except (pickle.PicklingError, AttributeError, tf.errors.InvalidArgumentError) as error:
    assert rank == 1 or "broadcast of an object(root 1)" in str(error)
if rank == 1:
    try:
        hvd.barrier()  # while the others wait for its object
    except tf.errors.InvalidArgumentError as error:
        assert "rank 0 called broadcast of an object" in str(error)

# -- derivatives, as Horovod defines them ----------------------------------------------------------


@tf.function
def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        results = [hvd.allreduce(x, op=hvd.Sum), hvd.allreduce(x), hvd.allgather(x),
                   hvd.broadcast(x, 0), hvd.alltoall(tf.repeat(x, size // 2))]
    return [tape.gradient(y, x, tf.fill(tf.shape(y), own)) for y in results]


for found, right in zip(gradients(x), (
        total, total / size, total / size, total / size if rank == 0 else 0.0, None)):
    if right is not None:
        same(found, [right, right])

# -- sets of ranks, objects, variables -------------------------------------------------------------
even = hvd.add_process_set(range(0, size, 2))
assert even.included() is (rank % 2 == 0) and even.size() == size // 2
if even.included():
    same(hvd.allreduce(tf.constant(own), op=hvd.Sum, process_set=even), ranks[::2].sum())
else:
    try:
        hvd.allreduce(x, process_set=even)
    except ValueError as error:
        assert "does not belong to" in str(error)
assert hvd.broadcast_object({"rank": rank}, root_rank=1) == {"rank": 1}
assert hvd.allgather_object(rank) == list(range(size))
v = tf.Variable([own])
hvd.broadcast_variables([v], root_rank=0)
same(v, [1.0])
hvd.barrier()


# -- the tape --------------------------------------------------------------------------------------
@tf.function
def step(w, table):
    with tf.GradientTape() as tape:
        loss = own * tf.reduce_sum(w ** 2) + tf.reduce_sum(tf.gather(table, [rank]))
    tape = hvd.DistributedGradientTape(tape, gradient_predivide_factor=2.0, sparse_as_dense=True)
    return tape.gradient(loss, [w, table])


g, rows = step(tf.Variable([3.0]), tf.Variable(tf.zeros([size, 1])))
same(g, [6 * total / size])
same(rows, np.full([size, 1], 1 / size))

# -- ranks with less work --------------------------------------------------------------------------
for i in range(rank + 1):
    same(hvd.allreduce(tf.constant(1.0), op=hvd.Sum), size - i)
assert hvd.join() == size - 1
state = hvd.elastic.ObjectState(epoch=rank)
state.sync()
assert state.epoch == 0
state.epoch = 5
state.restore()
assert state.epoch == 0
print(f"rank {rank} is right")
