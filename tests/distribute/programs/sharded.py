"""Sharded optimizers beside plain ones: the same numbers, and a part of the slots."""

import sys

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


def compiled(optimizer):
    keras.utils.set_random_seed(1)
    with strategy.scope():
        model = keras.Sequential([keras.Input([5]), keras.layers.Dense(7, "tanh"),
                                  keras.layers.Dense(3)])
        chosen = optimizer()
        model.compile(chosen, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model, chosen


def train(optimizer):
    model, chosen = compiled(optimizer)
    model.fit(x, y, batch_size=8, epochs=3, verbose=0)
    return model.get_weights(), sum(np.size(v) for v in chosen.variables if v.shape != ())


def gone_on(optimizer, load):
    """Weights after one more epoch from what `load` finds."""
    model, chosen = compiled(optimizer)
    chosen.build(model.trainable_variables)
    load(model, chosen)
    model.fit(x, y, batch_size=8, epochs=1, verbose=0)
    return model.get_weights()


def sharded_adam():
    return tf.distribute.shard_optimizer(keras.optimizers.Adam(0.01))


def files():
    """What sharded optimizers save, plain ones load, and the other way round."""
    folder = sys.argv[1]
    model, chosen = compiled(sharded_adam)
    model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=[
        keras.callbacks.ModelCheckpoint(f"{folder}/chief.weights.h5", save_weights_only=True)])
    model.save_weights(f"{folder}/own{rank}.weights.h5")
    saved = tf.train.Checkpoint(model=model, optimizer=chosen).save(f"{folder}/{rank}/checkpoint")
    model.fit(x, y, batch_size=8, epochs=1, verbose=0)

    def checkpoint(model, optimizer):
        tf.train.Checkpoint(model=model, optimizer=optimizer).restore(saved)

    for optimizer in (sharded_adam, lambda: keras.optimizers.Adam(0.01)):
        for load in (lambda model, _: model.load_weights(f"{folder}/chief.weights.h5"),
                     lambda model, _: model.load_weights(f"{folder}/own{rank}.weights.h5"),
                     checkpoint):
            for a, b in zip(gone_on(optimizer, load), model.get_weights()):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7)


for name, optimizer in OPTIMIZERS.items():
    plain, slots = train(optimizer)
    sharded, part = train(lambda optimizer=optimizer: tf.distribute.shard_optimizer(optimizer()))
    for a, b in zip(plain, sharded):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6, err_msg=name)
    assert part <= slots / size + 4, (name, part, slots)
files()
try:
    tf.distribute.shard_optimizer(keras.optimizers.Lamb())
except ValueError as error:
    assert "cannot be divided" in str(error)
print(f"rank {rank} is right")
