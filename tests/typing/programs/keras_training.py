"""A training loop of one's own around a Keras model, and Keras's own loop."""
import numpy as np
from tapeflow.keras.layers import Dense

import tapeflow as tf
from tapeflow import keras
from tapeflow.keras import layers

inputs = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = (inputs.sum(axis=1) > 0).astype("int64")

model = tf.keras.Sequential([
    tf.keras.Input(shape=(4,)),
    Dense(8, activation="relu"),
    layers.Dense(2),
])
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
dataset = tf.data.Dataset.from_tensor_slices((inputs, labels)).shuffle(64).batch(16)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    accuracy.update_state(y, logits)
    return loss


for epoch in range(2):
    accuracy.reset_state()
    loss = tf.constant(0.0)
    for batch, target in dataset:
        loss = train_step(batch, target)
    print(epoch, float(loss), float(accuracy.result()))

model.compile(optimizer=tf.optimizers.SGD(0.1), loss="mse", metrics=["mae"])
model.fit(inputs, tf.one_hot(labels, 2), epochs=1, verbose=0)
print(model.predict(inputs[:2], verbose=0).shape)
