"""Programs that train with Keras as its users do; run with TensorFlow and with tapeflow.

    python keras_programs.py OUTPUT      run all and write what each prints, as JSON

Weights begin as sines of their index, so that the numbers are the same everywhere.
"""

import contextlib
import io
import json
import sys
import tempfile

import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers


def sines(model):
    """Weights that depend on nothing but their shape."""
    for i, weight in enumerate(model.trainable_weights):
        size = int(np.prod(weight.shape))
        weight.assign(np.sin(np.arange(size) + i).reshape(weight.shape) / 3)
    return model


def data(rows=12, columns=3):
    x = np.cos(np.arange(rows * columns)).reshape(rows, columns).astype("float32")
    return x, x.sum(1, keepdims=True) ** 2


def show(*values):
    for value in values:
        print(np.round(np.array(value, "float64"), 4).tolist())


def net(*more):
    return sines(keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="tanh"), *more,
                                   layers.Dense(1)]))


def custom_loop():
    model, (x, y) = net(), data()
    optimizer = keras.optimizers.Adam(0.05)
    loss_fn = keras.losses.MeanSquaredError()
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        show(loss)
    show(*grads, optimizer.iterations)


def compiled_step():
    model, (x, y) = net(), data()
    optimizer = keras.optimizers.SGD(0.05, momentum=0.9)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    show(*[step(tf.constant(x), tf.constant(y)) for _ in range(4)])


def fit_arrays():
    model, (x, y) = net(), data()
    model.compile("adam", "mse", metrics=["mae"])
    history = model.fit(x, y, epochs=3, batch_size=5, shuffle=False, verbose=0,
                        validation_data=(x[:4], y[:4]))
    print(sorted(history.history))
    show(*[history.history[key] for key in sorted(history.history)])
    show(model.evaluate(x, y, verbose=0), model.predict(x[:3], verbose=0))
    show(model.train_on_batch(x, y), model.test_on_batch(x, y))


def fit_datasets():
    model, (x, y) = net(), data()
    model.compile(keras.optimizers.RMSprop(0.01), "mae", steps_per_execution=2)
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4).repeat()
    show(model.fit(dataset, epochs=2, steps_per_epoch=4, verbose=0).history["loss"])

    def batches():
        for i in range(3):
            yield x[4 * i:4 * i + 4], y[4 * i:4 * i + 4]

    model.compile("sgd", "mse")
    show(model.fit(batches(), verbose=0).history["loss"])
    show(model.predict(tf.data.Dataset.from_tensor_slices(x).batch(5), verbose=0)[:2])


def weights_of_samples():
    x, y = data()
    classes = (y[:, 0] > 1).astype("int32")
    model = sines(keras.Sequential([keras.Input((3,)), layers.Dense(2, activation="softmax")]))
    model.compile("sgd", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
    show(*model.fit(x, classes, epochs=2, shuffle=False, verbose=0, class_weight={0: 1.0, 1: 3.0})
         .history.values())
    show(model.evaluate(x, classes, sample_weight=np.arange(12.0), verbose=0))


def train_step():
    class Own(keras.Model):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(y=y, y_pred=self(x, training=True))
            grads = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
            for metric in self.metrics:
                metric.update_state(loss) if metric.name == "loss" else metric.update_state(
                    y, self(x))
            return {metric.name: metric.result() for metric in self.metrics}

    inputs = keras.Input((3,))
    outputs = layers.Dense(1)(layers.Dense(4, activation="tanh")(inputs))
    model, (x, y) = sines(Own(inputs, outputs)), data()
    model.compile("sgd", "mse", metrics=["mae"])
    history = model.fit(x, y, epochs=2, batch_size=6, shuffle=False, verbose=0).history
    show(*[history[key] for key in sorted(history)])


def callbacks():
    model, (x, y) = net(), data()
    model.compile(keras.optimizers.SGD(0.1), "mse")
    seen = []
    history = model.fit(x, y, epochs=6, verbose=0, shuffle=False, callbacks=[
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5),
        keras.callbacks.EarlyStopping("loss", patience=1, min_delta=0.05),
        keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(epoch))])
    print(seen)
    show(history.history["loss"], history.history["learning_rate"])


def mixed_precision():
    keras.mixed_precision.set_global_policy("mixed_float16")
    try:
        model, (x, y) = net(), data()
        model.compile(keras.optimizers.SGD(0.05), "mse")
        print(type(model.optimizer).__name__, model.layers[0].compute_dtype, model.layers[0].dtype)
        show(np.round(model.fit(x, y, epochs=2, shuffle=False, verbose=0).history["loss"], 2))
    finally:
        keras.mixed_precision.set_global_policy("float32")


def accumulation_and_clipping():
    model, (x, y) = net(), data()
    model.compile(keras.optimizers.AdamW(0.05, gradient_accumulation_steps=2, clipnorm=0.5,
                                         use_ema=True), "mse")
    show(model.fit(x, y, epochs=2, batch_size=3, shuffle=False, verbose=0).history["loss"])


def recurrent():
    x = np.sin(np.arange(2 * 5 * 3)).reshape(2, 5, 3).astype("float32")
    for kind in (layers.LSTM, layers.GRU, layers.SimpleRNN):
        model = sines(keras.Sequential([
            keras.Input((None, 3)), layers.Bidirectional(kind(2, return_sequences=True)),
            kind(2)]))
        model.compile("sgd", "mse")
        show(model(x), model.fit(x, np.ones((2, 2)), verbose=0).history["loss"])


def attention():
    x = np.sin(np.arange(2 * 4 * 6)).reshape(2, 4, 6).astype("float32")
    inputs = keras.Input((4, 6))
    h = layers.MultiHeadAttention(2, 3)(inputs, inputs, use_causal_mask=True)
    h = layers.LayerNormalization()(layers.Add()([h, inputs]))
    model = sines(keras.Model(inputs, layers.GlobalAveragePooling1D()(h)))
    model.compile("adam", "mse")
    show(model(x), model.fit(x, np.ones((2, 6)), verbose=0).history["loss"], model(x))


def convolutions():
    x = np.sin(np.arange(2 * 8 * 8 * 2)).reshape(2, 8, 8, 2).astype("float32")
    model = sines(keras.Sequential([
        keras.Input((8, 8, 2)), layers.Conv2D(4, 3, padding="same", use_bias=False),
        layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(),
        layers.DepthwiseConv2D(3), layers.Conv2DTranspose(3, 2, strides=2), layers.Flatten(),
        layers.Dense(2)]))
    model.compile("sgd", "mse")
    show(model.fit(x, np.ones((2, 2)), epochs=2, verbose=0).history["loss"], model(x))
    model.summary()


def embeddings():
    model = keras.Sequential([keras.Input((3,), dtype="int32"), layers.Embedding(5, 2),
                              layers.Flatten(), layers.Dense(1)])
    sines(model)
    x = np.array([[0, 1, 1], [4, 0, 2]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    print(type(grads[0]).__name__)
    model.compile("adagrad", "mse")
    show(tf.convert_to_tensor(grads[0]),
         model.fit(x, np.ones((2, 1)), epochs=2, verbose=0).history["loss"])


def saving():
    model, (x, y) = net(layers.Dropout(0.5)), data()
    model.compile("adam", "mse")
    model.fit(x, y, verbose=0, shuffle=False)
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/m.keras")
        again = keras.models.load_model(f"{folder}/m.keras")
        print(np.allclose(again.predict(x, verbose=0), model.predict(x, verbose=0)))
        print(int(again.optimizer.iterations.numpy()))
        model.save_weights(f"{folder}/m.weights.h5")
        other = net(layers.Dropout(0.5))
        other.load_weights(f"{folder}/m.weights.h5")
        print(np.allclose(other(x), model(x)))
        path = tf.train.Checkpoint(model=model).save(f"{folder}/ckpt")
        third = net(layers.Dropout(0.5))
        tf.train.Checkpoint(model=third).restore(path).expect_partial()
        print(np.allclose(third(x), model(x)))


def second_order():
    model, (x, _) = net(), data(4)
    points = tf.constant(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(points)
            y = model(points)
        slope = inner.gradient(y, points)
        penalty = tf.reduce_mean((tf.norm(slope, axis=1) - 1) ** 2)
    show(slope, *[g for g in outer.gradient(penalty, model.trainable_variables) if g is not None])


def own_layers():
    class Scale(layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight(shape=(shape[-1],), initializer="ones")

        def call(self, x, training=False):
            self.add_loss(0.1 * tf.reduce_sum(self.factor ** 2))
            return x * self.factor * (2.0 if training else 1.0)

    model, (x, y) = net(Scale(), layers.Dense(3, kernel_regularizer="l2")), data()
    model.compile("sgd", lambda a, b: tf.reduce_mean(tf.abs(a - b), -1))
    show(model.fit(x, y, epochs=2, shuffle=False, verbose=0).history["loss"])
    show(model(x, training=True), *model.losses)


def preprocessing():
    text = layers.TextVectorization(output_sequence_length=4)
    text.adapt(["the cat sat", "the dog sat on the cat"])
    print(text.get_vocabulary(), text(["the bird sat"]).numpy().tolist())
    lookup = layers.StringLookup(vocabulary=["a", "b"])
    print(lookup(["b", "c", "a"]).numpy().tolist())
    scale = layers.Normalization()
    scale.adapt(data()[0])
    show(scale(data()[0])[:2])


def progress():
    model, (x, y) = net(), data()
    model.compile("sgd", "mse")
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        model.fit(x, y, epochs=2, batch_size=6, shuffle=False, verbose=2)
    print([part for line in text.getvalue().splitlines() for part in line.split(" - ")
           if not part.endswith(("step", "s"))])


PROGRAMS = [custom_loop, compiled_step, fit_arrays, fit_datasets, weights_of_samples, train_step,
            callbacks, mixed_precision, accumulation_and_clipping, recurrent, attention,
            convolutions, embeddings, saving, second_order, own_layers, preprocessing, progress]


def main():
    outcomes = {}
    for program in PROGRAMS:
        keras.utils.clear_session()
        text = io.StringIO()
        try:
            with contextlib.redirect_stdout(text):
                program()
        except Exception as error:
            text.write(f"{type(error).__name__}: {error}\n")
        outcomes[program.__name__] = text.getvalue()
    with open(sys.argv[1], "w") as file:
        json.dump(outcomes, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
