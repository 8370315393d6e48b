"""tf.data from arrays, generators and ranges."""
import numpy as np

import tapeflow as tf

features = {"a": np.arange(10), "b": np.ones((10, 2), np.float32)}
dataset = (
    tf.data.Dataset.from_tensor_slices(features)
    .filter(lambda row: row["a"] % 2 == 0)
    .map(lambda row: (row["b"], row["a"]), num_parallel_calls=tf.data.AUTOTUNE)
    .cache()
    .shuffle(100, seed=1, reshuffle_each_iteration=False)
    .repeat(2)
    .batch(4, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)
for b, a in dataset.take(1):
    print(b.shape, a.dtype)

numbers = tf.data.Dataset.range(5)
pairs = tf.data.Dataset.zip((numbers, numbers.skip(1)))
print(list(pairs.as_numpy_iterator()), numbers.reduce(np.int64(0), lambda s, x: s + x))
generated = tf.data.Dataset.from_generator(
    lambda: iter([1, 2, 3]), output_signature=tf.TensorSpec([], tf.int32))
iterator = iter(generated)
print(next(iterator), len(numbers), dataset.element_spec)
print([int(x) for x in numbers.concatenate(numbers).window(3).flat_map(lambda w: w)])
