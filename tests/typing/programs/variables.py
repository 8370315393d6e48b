"""Variables, modules, checkpoints, dtypes, shapes, operators."""
import tempfile

import numpy as np

import tapeflow as tf

v = tf.Variable(tf.ones([2, 3]), dtype=tf.float32, name="v")
v.assign(v * 2).assign_add(tf.ones_like(v))
v[0, 1].assign(7.0)
v.scatter_nd_update([[0, 0]], [9.0])
print(v.shape, v.dtype.name, v.trainable, v.numpy().sum(), (v + 1)[0], -v, v @ tf.transpose(v))

t = tf.convert_to_tensor(np.arange(6).reshape(2, 3), tf.float32)
rows, columns = t.shape
print(rows * columns, t.shape.rank - 1, np.zeros(t.shape), np.prod(t.shape), len(t))
print(t[..., tf.newaxis].shape, t[tf.newaxis, 0, 1:], 1 - t, 2 / (t + 1), t // 2, t % 2, abs(-t))
print((t > 1) & (t < 4) | ~(t == 0), tf.cast(t > 2, tf.int32), float(t[0, 0]), int(t[1, 2]))
for row in t:
    print(row.ndim, np.asarray(row), np.sum(row), max(row.numpy().tolist()))
print(tf.float32.max, tf.as_dtype("int8").size, tf.bool.is_bool)
print(tf.TensorShape([None, 3]).as_list())

try:
    tf.matmul(t, t)
except tf.errors.InvalidArgumentError as error:
    print(error.message[:20], error.error_code == tf.errors.INVALID_ARGUMENT)

with tempfile.TemporaryDirectory() as folder:
    checkpoint = tf.train.Checkpoint(v=v, step=tf.Variable(1))
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    manager.save()
    checkpoint.restore(manager.latest_checkpoint).expect_partial()
    print(checkpoint.step.numpy(), isinstance(v, tf.Variable), tf.is_tensor(t))
