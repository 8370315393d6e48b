"""Keras with BackupAndRestore: rank 1 is killed in the middle of the third epoch, once."""

import os
import signal
import sys

import keras
import numpy as np
import tensorflow as tf

result, disturbed = sys.argv[1], sys.argv[2:] == ["disturbed"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank = strategy.cluster_resolver.task_id
random = np.random.RandomState(0)
x = random.randn(24, 5).astype("f")
y = x.sum(1, keepdims=True)
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.Input([5]), keras.layers.Dense(4, "tanh"),
                              keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.05), "mse")


class Kill(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if self.epoch == 2 and batch == 1 and rank == 1 and os.environ["TAPEFLOW_RESTART"] == "0":
            os.kill(os.getpid(), signal.SIGKILL)

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch
        if rank == 0:
            print("epoch", epoch)


model.fit(x, y, batch_size=8, epochs=5, shuffle=False, verbose=0, callbacks=[
    keras.callbacks.BackupAndRestore(result + ".backup"), *([Kill()] if disturbed else [])])
if strategy.extended.should_checkpoint:
    np.savez(result, *model.get_weights())
