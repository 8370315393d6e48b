"""Every collective: values, gradients, forward mode, batches, dtypes, native code around it."""

import os
import sys

import numpy as np
import tensorflow as tf

from tapeflow.distribute.mpi import collectives as c
from tapeflow.distribute.mpi import host_memory
from tapeflow.distribute.mpi.engine import engine

E = engine()
RANK, SIZE = E.rank, E.size
G, total = E.world, SIZE * (SIZE + 1) / 2
own = RANK + 1.0
x = tf.constant([1.0, 2.0]) * own
if sys.argv[1] == "2":  # hosts, on which ranks take turns
    assert (E.local_rank, E.local_size, E.cross_rank, E.cross_size) == (
        RANK // 2, SIZE // 2, RANK % 2, 2)
    assert G.hosts == ((0, 2), (1, 3)) and E.is_homogeneous

def every(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        s, m = c.all_reduce([x, 2 * x], "sum", G)
        mean, = c.all_reduce([x], "mean", G, before=3.0)
        rows = c.all_gather(tf.reshape(x, [-1, 1])[:RANK + 1], G)
        first = c.broadcast(x, 1, G)
        sent, counts = c.all_to_all(tf.repeat(x[:1], SIZE), tf.ones([SIZE], tf.int32), G)
        part = c.reduce_scatter(tf.repeat(x, SIZE), "sum", G)
    grads = [tape.gradient(y, x, tf.fill(tf.shape(y), own))
             for y in (s, mean, rows, first, sent, part)]
    return [s, m, mean, rows, first, sent, counts, part, *grads]

rows = np.concatenate([[k, 2 * k][:k] for k in np.arange(1.0, SIZE + 1).astype(int)])
expected = [
    [total, 2 * total], [2 * total, 4 * total], [3 * total / SIZE, 6 * total / SIZE],
    rows[:, None], [2.0, 4.0], np.arange(1.0, SIZE + 1), np.ones(SIZE),
    np.repeat([total, 2 * total], SIZE)[2 * RANK:2 * RANK + 2],
    [total, total], [3 * total / SIZE] * 2, [total, total if RANK else 0],
    [total, total] if RANK == 1 else [0, 0], [total, 0],
    np.repeat(np.arange(1.0, SIZE + 1), 2).reshape(2, SIZE).sum(1)]
traced = tf.function(every)
for found in (every(x), traced(x), traced(x)):
    for got, right in zip(found, expected):
        np.testing.assert_allclose(got.numpy(), right, rtol=1e-6)
with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
    s, = c.all_reduce([x], "sum", G)
    rows = c.all_gather(x, G)
assert forward.jvp(s).numpy().tolist() == [SIZE, SIZE]
assert forward.jvp(rows).numpy().tolist() == [1.0] * 2 * SIZE
batch = tf.stack([x, 10 * x, 100 * x])
many = tf.vectorized_map(lambda v: c.all_gather(v, G), batch)
one = [c.all_gather(v, G).numpy().tolist() for v in batch]
assert many.numpy().tolist() == one
large = np.random.RandomState(RANK).randn(SIZE, 30000).astype("f")  # exchanged by parts
draws = [np.random.RandomState(i).randn(SIZE, 30000).astype("f") for i in range(SIZE)]
for how, right in (("sum", sum(draws)), ("mean", sum(draws) / SIZE), ("max", np.max(draws, 0))):
    found = c.all_reduce([tf.constant(large), tf.constant(large[:, :7])] * 2, how, G)
    for y in found:
        np.testing.assert_allclose(y.numpy(), right[:, :y.shape[1]], rtol=1e-6, atol=1e-6)
held = [c.all_reduce([tf.constant(large * k)], "sum", G)[0].numpy() for k in range(1, 8)]
for k, y in enumerate(held, 1):  # more results than buffers in memory of the host
    by_host = [sum([draws[i] * np.float32(k) for i in host[1:]], draws[host[0]] * np.float32(k))
               for host in G.hosts]
    assert y.tobytes() == sum(by_host[1:], by_host[0]).tobytes()
shared = G.host_memory
assert shared is not None and any(shared._slots.values())
assert not [one for one in os.listdir(host_memory.FOLDER) if one.startswith("tapeflow-")]
for dtype in (tf.float16, tf.bfloat16):  # as few bytes as they have; sums of float32, rounded once
    several = [c.all_reduce([tf.cast(large, dtype)], "mean", G)[0] for _ in range(4)]
    wide = [tf.cast(tf.cast(d, dtype), tf.float32) / SIZE for d in draws]
    by_host = [tf.cast(tf.add_n([wide[i] for i in host]), dtype) for host in G.hosts]
    right = tf.cast(tf.add_n([tf.cast(one, tf.float32) for one in by_host]), dtype)
    assert all(y.numpy().tobytes() == right.numpy().tobytes() for y in several)
    everyone = E.MPI.COMM_WORLD.allgather(several[-1].numpy().tobytes())
    assert len(set(everyone)) == 1
    assert any(pack.dtype == dtype.as_numpy_dtype for pack in shared._slots)
for dtype in (tf.float16, tf.bfloat16, tf.float64, tf.int32, tf.int64, tf.uint8, tf.complex64):
    y, = c.all_reduce([tf.cast(own, dtype)], "sum", G)
    assert y.dtype == dtype and tf.cast(y, tf.float32).numpy() == total
assert c.all_reduce([tf.constant(RANK == 0)], "max", G)[0].numpy()
halves = c.all_gather(tf.cast(tf.fill([1], own), tf.bfloat16), G)
assert tf.cast(halves, tf.float32).numpy().tolist() == list(np.arange(1.0, SIZE + 1))

@tf.function
def far_apart(x):  # native code on both sides of an exchange
    y = tf.tanh(x @ x) @ x
    y, = c.all_reduce([y], "mean", G)
    return tf.reduce_sum(tf.tanh(y @ y))

square = tf.random.stateless_normal([64, 64], [1, 2])
results = {float(far_apart(square)) for _ in range(40)}
assert max(results) - min(results) < 1e-3, results
print(f"rank {RANK} is right")
