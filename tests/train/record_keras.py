"""Writes the Keras checkpoint of `written_by_tensorflow`; run it with TensorFlow and Keras."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from record_checkpoints import FOLDER


def objects(tf, keras, steps):
    """A small model and its optimizer after `steps` steps, from fixed weights."""
    model = keras.Sequential([keras.layers.Input((3,)),
                              keras.layers.BatchNormalization(name="bn"),
                              keras.layers.Dense(2, name="d1")])
    for i, w in enumerate(model.weights):
        w.assign(np.linspace(0.1, 1, w.numpy().size).reshape(w.shape) + i)
    optimizer = keras.optimizers.Adam(0.1)
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x, training=True) ** 2 * [1.0, 2.0])
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
    return model, optimizer


if __name__ == "__main__":
    import keras
    import tensorflow

    model, optimizer = objects(tensorflow, keras, 2)
    tensorflow.train.Checkpoint(model=model, optimizer=optimizer).write(str(FOLDER / "keras"))
