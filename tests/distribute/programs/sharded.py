"""Sharded optimizers beside plain ones: the same numbers, and a part of the slots."""

import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank, size = strategy.cluster_resolver.task_id, strategy.num_replicas_in_sync
OPTIMIZERS = {
    "momentum": lambda: keras.optimizers.SGD(0.1, momentum=0.9),
    "adam": lambda: keras.optimizers.AdamW(0.01),
    "clipped": lambda: keras.optimizers.SGD(0.5, global_clipnorm=0.1),
    "each": lambda: keras.optimizers.RMSprop(0.01, clipnorm=0.1),
}
random = np.random.RandomState(0)
x = random.randn(24, 5).astype("f")
y = (x @ random.randn(5, 3)).argmax(1)


def train(optimizer):
    keras.utils.set_random_seed(1)
    with strategy.scope():
        model = keras.Sequential([keras.Input([5]), keras.layers.Dense(7, "tanh"),
                                  keras.layers.Dense(3)])
        chosen = optimizer()
        model.compile(chosen, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(x, y, batch_size=8, epochs=3, verbose=0)
    return model.get_weights(), sum(np.size(v) for v in chosen.variables if v.shape != ())


for name, optimizer in OPTIMIZERS.items():
    plain, slots = train(optimizer)
    sharded, part = train(lambda optimizer=optimizer: tf.distribute.shard_optimizer(optimizer()))
    for a, b in zip(plain, sharded):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6, err_msg=name)
    assert part <= slots / size + 4, (name, part, slots)
try:
    tf.distribute.shard_optimizer(keras.optimizers.Lamb())
except ValueError as error:
    assert "cannot be divided" in str(error)
print(f"rank {rank} is right")
