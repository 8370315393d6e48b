"""The cases of `data.py` for tapeflow and TensorFlow: one step is one pass over a dataset."""

import numpy as np


def cases(tf):
    """A dict from case to a function of no arguments that iterates over a dataset once."""
    dataset = tf.data.Dataset
    rng = np.random.default_rng(0)
    images = rng.random((6000, 784), dtype=np.float32)
    slices = dataset.from_tensor_slices((images, np.arange(6000)))

    def scaled(x, y):
        return tf.cast(x, tf.float32) / 255.0, y

    fixed = {"seed": 1, "reshuffle_each_iteration": False}
    auto = tf.data.AUTOTUNE
    found = {
        "range": dataset.range(2000),
        "map": dataset.range(2000).map(lambda x: x * 2 + 1),
        "map_batch": dataset.range(20000).map(lambda x: x * 2 + 1).batch(100),
        "batch": slices.batch(64),
        "shuffle": slices.shuffle(6000, **fixed).batch(64),
        "usual": slices.shuffle(1000, **fixed).map(scaled, num_parallel_calls=auto).batch(
            64).prefetch(auto),
        "filter": dataset.range(2000).filter(lambda x: x % 2 == 0),
        "windows": dataset.range(500).window(10, 1, drop_remainder=True).flat_map(
            lambda w: w.batch(10)),
        "generator": dataset.from_generator(
            lambda: iter(range(1000)), output_signature=tf.TensorSpec((), tf.int64)),
    }
    return {name: passing(one) for name, one in found.items()}


def passing(dataset):
    def step():
        last = None
        for element in dataset:
            last = element
        return last

    return step
