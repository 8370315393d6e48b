"""Keras with Horovod's optimizer and callbacks; `horovod_keras.py out.npz` keeps the weights."""

import sys

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(0)
x = random.randn(48, 5).astype("f")
y = (x @ random.randn(5, 3)).argmax(1)
found = {}


def train(name, optimizer, epochs=3, batch=12, **options):
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.Input([5]), tf.keras.layers.Dense(4, "tanh"),
                                 tf.keras.layers.Dense(3)])
    if hvd.rank():  # rank 0's are taken
        model.set_weights([w + 1 for w in model.get_weights()])
    model.compile(hvd.DistributedOptimizer(optimizer, **options),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"], experimental_run_tf_function=False)
    hvd.broadcast_variables(model.variables, root_rank=0)
    hvd.broadcast_variables(model.optimizer.variables(), root_rank=0)
    share = batch // hvd.size()
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(share).shard(hvd.size(), hvd.rank())
    history = model.fit(data, epochs=epochs, verbose=0, callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(),
        hvd.callbacks.LearningRateScheduleCallback(0.1, lambda epoch: 0.5 ** epoch)])
    np.testing.assert_allclose(history.history["lr"], [0.1, 0.05, 0.025], rtol=1e-6)
    for i, value in enumerate(model.get_weights()):
        found[f"{name} {i}"] = value
    found[f"{name} loss"] = history.history["loss"]


SGD = tf.keras.optimizers.SGD
train("sgd", SGD(0.1, momentum=0.9))
train("clipped", SGD(0.1, global_clipnorm=0.1))
train("two passes", SGD(0.1), backward_passes_per_step=2, average_aggregated_gradients=True)
warm = tf.keras.Sequential([tf.keras.Input([5]), tf.keras.layers.Dense(1)])
warm.compile(hvd.DistributedOptimizer(SGD(0.1)), "mse")
state = hvd.elastic.KerasState(warm, batch=0, epoch=0)
rates = warm.fit(x, y, batch_size=12, epochs=3, verbose=0, callbacks=[
    hvd.callbacks.LearningRateWarmupCallback(0.1, warmup_epochs=2),
    hvd.elastic.UpdateEpochStateCallback(state), hvd.elastic.CommitStateCallback(state, 2)
]).history["lr"]
kept = warm.get_weights()
warm.set_weights([w * 0 for w in kept])
state.restore()
assert state.epoch == 3 and all(map(np.array_equal, warm.get_weights(), kept))
np.testing.assert_allclose(rates, np.minimum(1, (np.array([1, 2, 3]) * (hvd.size() - 1) / 2 + 1)
                                             / hvd.size()) * 0.1, rtol=1e-5)
if hvd.rank() == 0:
    np.savez(sys.argv[1], **found)
