"""Ragged, sparse and string tensors."""
import tapeflow as tf

rows = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
doubled = tf.square(rows) * 2.0 + 1.0
print(doubled.to_list(), rows.row_lengths(), tf.reduce_sum(rows, axis=1).numpy())
print(tf.concat([rows, doubled], axis=1).to_list(), rows[0].numpy(), rows.to_tensor(-1.0).shape)
print(tf.cast(rows, tf.int32).values, tf.expand_dims(rows, 0).shape, rows.bounding_shape())
print(tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3]).nrows())

sparse = tf.sparse.SparseTensor(indices=[[0, 1]], values=[5.0], dense_shape=[2, 2])
print(tf.sparse.to_dense(sparse).numpy(), tf.sparse.sparse_dense_matmul(sparse, tf.eye(2)))
words = tf.strings.split(["to be or", "not"])
print(words.flat_values, tf.strings.length("tape").numpy(), tf.strings.join(["a", "b"], "-"))
