"""Keras trains with every optimizer; `python training.py out.npz` keeps the weights.

With several local devices (`training.py out.npz 2`) the replicas are in one process.
"""

import sys

import keras
import numpy as np
import tensorflow as tf

OPTIMIZERS = {
    "sgd": lambda: keras.optimizers.SGD(0.1),
    "momentum": lambda: keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "adam": lambda: keras.optimizers.Adam(0.01),
    "clipped": lambda: keras.optimizers.SGD(0.5, global_clipnorm=0.1),
}

devices = int(sys.argv[2]) if len(sys.argv) > 2 else 1
strategy = (tf.distribute.MultiWorkerMirroredStrategy() if devices == 1 else
            tf.distribute.MirroredStrategy([f"cpu:{i}" for i in range(devices)]))
random = np.random.RandomState(0)
x = random.randn(28, 5).astype("f")
y = (x @ random.randn(5, 3)).argmax(1)
found = {}


def train(name, layers, optimizer, **options):
    keras.utils.set_random_seed(1)
    with strategy.scope():
        model = keras.Sequential([keras.Input([5]), *layers(), keras.layers.Dense(3)])
        model.compile(optimizer(), keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                      metrics=["accuracy"], **options)
    history = model.fit(x, y, batch_size=8, epochs=3, verbose=0)
    for i, value in enumerate(model.get_weights()):
        found[f"{name} {i}"] = value
    found[f"{name} loss"] = history.history["loss"]
    found[f"{name} evaluated"] = model.evaluate(x, y, batch_size=8, verbose=0)
    found[f"{name} predicted"] = model.predict(x[:13], batch_size=4, verbose=0)


for name, optimizer in OPTIMIZERS.items():
    train(name, lambda: [keras.layers.Dense(4, "tanh")], optimizer)
train("several steps", lambda: [keras.layers.Dense(4, "tanh")], OPTIMIZERS["adam"],
      steps_per_execution=2)
if len(sys.argv) > 3:  # what is each replica's own
    train("normalised", lambda: [keras.layers.Dense(4), keras.layers.BatchNormalization()],
          OPTIMIZERS["sgd"])
    train("dropped", lambda: [keras.layers.Dense(16), keras.layers.Dropout(0.5, seed=3)],
          OPTIMIZERS["sgd"])
if strategy.extended.should_checkpoint:
    np.savez(sys.argv[1], **found)
print("replicas:", strategy.num_replicas_in_sync)
