"""Checks of Keras with checkpoints and strategies, which test_keras_checkpoint.py runs."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import record_keras

import tapeflow as tf


def reads_what_tensorflow_wrote(tmp_path):
    keras = tf.keras
    model, optimizer = record_keras.objects(tf, keras, 1)
    path = str(record_keras.FOLDER / "keras")
    tf.train.Checkpoint(model=model, optimizer=optimizer).read(path).assert_consumed()
    wanted, same = record_keras.objects(tf, keras, 2)
    for a, b in zip(model.weights + optimizer.variables, wanted.weights + same.variables,
                    strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-3, atol=1e-4)


def files_have_the_objects_of_tensorflows(tmp_path):
    model, optimizer = record_keras.objects(tf, tf.keras, 2)
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).write(str(tmp_path / "k"))
    assert tf.train.list_variables(path) == tf.train.list_variables(
        str(record_keras.FOLDER / "keras"))
    key = "_CHECKPOINTABLE_OBJECT_GRAPH"
    ours, theirs = [tf.train.load_variable(one, key) for one in (
        path, str(record_keras.FOLDER / "keras"))]
    assert ours == theirs


def layers_made_later_and_layers_in_lists(tmp_path):
    keras = tf.keras

    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.parts = [keras.layers.Dense(2), keras.layers.Dense(1)]
            self.last = keras.layers.Dense(1)

        def call(self, x):
            for part in self.parts:
                x = part(x)
            return self.last(x)

    x = np.ones((2, 3), np.float32)
    first, second = Net(), Net()
    y = first(x)
    path = tf.train.Checkpoint(net=first).save(str(tmp_path / "c"))
    status = tf.train.Checkpoint(net=second).restore(path)
    np.testing.assert_allclose(second(x).numpy(), y.numpy())
    status.assert_consumed()


def two_replicas_train_as_one(tmp_path):
    x = np.random.RandomState(0).rand(32, 3).astype(np.float32)
    found = []
    for devices in (["cpu:0"], ["cpu:0", "cpu:1"]):
        with tf.distribute.MirroredStrategy(devices).scope():
            model = tf.keras.Sequential([
                tf.keras.layers.Input((3,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
            model.compile(tf.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
        history = model.fit(x, x.sum(1, keepdims=True) * 2, epochs=2, batch_size=8, verbose=0,
                            shuffle=False).history
        found.append([model.weights[0].numpy().ravel(), history["loss"], history["mae"]])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4)


def exported_models_are_loaded(tmp_path):
    layers = tf.keras.layers
    inputs = layers.Input((4, 6))
    mixed = layers.Dense(6, activation="relu")(inputs) + inputs  # an op among the layers
    model = tf.keras.Model(inputs, layers.LayerNormalization()(mixed))
    x = tf.constant(np.random.RandomState(0).rand(2, 4, 6).astype(np.float32))
    model.export(str(tmp_path / "export"), verbose=False)
    tf.saved_model.save(model, str(tmp_path / "save"))
    served = tf.saved_model.load(str(tmp_path / "export")).serve(x)
    signed = tf.saved_model.load(str(tmp_path / "save")).signatures["serving_default"](x)
    for result in (served, *signed.values()):
        np.testing.assert_allclose(result, model(x), atol=1e-6)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            globals()[name](Path(folder))
        print("done", name)
