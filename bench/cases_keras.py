"""Models for `keras_fit.py`, and the process that trains one of them with one library.

    python bench/cases_keras.py LIBRARY CASE

Every line of input asks for one more epoch of `fit` (30 steps); the answer is the time of a step
in milliseconds (by the clock, and of all cores together), the mean loss, the seconds since the
process began, and its peak memory. LIBRARY is tapeflow,
tensorflow or jax: all three run Keras, each over its own backend.
"""

import os
import sys
import time

BEGIN = time.time()
STEPS = 30


def load(library: str):
    """Keras over a library."""
    os.environ["KERAS_BACKEND"] = "jax" if library == "jax" else "tensorflow"
    if library == "tapeflow":
        import tapeflow.alias
        tapeflow.alias.install()
    import keras
    return keras


# -- models: (model, inputs, targets, batch size, loss) --------------------------------------------
def mlp(keras, rng):
    layers = keras.layers
    model = keras.Sequential([
        keras.Input((784,)), layers.Dense(256, "relu"), layers.Dropout(0.2),
        layers.Dense(128, "relu"), layers.Dense(10)])
    return classifier(keras, rng, model, (784,), 64)


def batchnorm(keras, rng):
    layers = keras.layers
    model = keras.Sequential([keras.Input((1024,))])
    for _ in range(2):
        model.add(layers.Dense(1024, use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.Activation("relu"))
    model.add(layers.Dense(10))
    return classifier(keras, rng, model, (1024,), 128)


def cnn(keras, rng):
    layers = keras.layers
    model = keras.Sequential([
        keras.Input((32, 32, 3)), layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, activation="relu"), layers.Flatten(), layers.Dense(64, "relu"),
        layers.Dense(10)])
    return classifier(keras, rng, model, (32, 32, 3), 64)


def resnet(keras, rng):
    layers = keras.layers

    def unit(x, filters, stride):
        short = x
        y = layers.Conv2D(filters, 3, stride, "same", use_bias=False)(x)
        y = layers.Activation("relu")(layers.BatchNormalization()(y))
        y = layers.BatchNormalization()(
            layers.Conv2D(filters, 3, 1, "same", use_bias=False)(y))
        if stride != 1:
            short = layers.Conv2D(filters, 1, stride, use_bias=False)(x)
        return layers.Activation("relu")(layers.Add()([short, y]))

    inputs = keras.Input((32, 32, 3))
    x = layers.Conv2D(16, 3, 1, "same", activation="relu")(inputs)
    for filters, stride in ((16, 1), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1)):
        x = unit(x, filters, stride)
    outputs = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
    return classifier(keras, rng, keras.Model(inputs, outputs), (32, 32, 3), 32)


def depthwise(keras, rng):
    layers = keras.layers
    model = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(32, 3, padding="same")])
    for filters, stride in ((64, 1), (128, 2), (128, 1)):
        model.add(layers.DepthwiseConv2D(3, stride, "same", use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.ReLU())
        model.add(layers.Conv2D(filters, 1, use_bias=False))
        model.add(layers.BatchNormalization())
        model.add(layers.ReLU())
    model.add(layers.GlobalAveragePooling2D())
    model.add(layers.Dense(10))
    return classifier(keras, rng, model, (32, 32, 3), 32)


def autoencoder(keras, rng):
    layers = keras.layers
    model = keras.Sequential([
        keras.Input((28, 28, 1)), layers.Conv2D(16, 3, 2, "same", activation="relu"),
        layers.Conv2D(8, 3, 2, "same", activation="relu"),
        layers.Conv2DTranspose(8, 3, 2, "same", activation="relu"),
        layers.Conv2DTranspose(16, 3, 2, "same", activation="relu"),
        layers.Conv2D(1, 3, 1, "same", activation="sigmoid")])
    x = rng.random((64 * STEPS, 28, 28, 1), "float32")
    return model, x, x, 64, "mse"


def recurrent(keras, rng, layer):
    layers = keras.layers
    model = keras.Sequential([
        keras.Input((60,)), layers.Embedding(2000, 32), layers.Bidirectional(layer(64)),
        layers.Dense(10)])
    x = rng.integers(0, 2000, (32 * STEPS, 60)).astype("int32")
    return model, x, rng.integers(0, 10, len(x)).astype("int32"), 32, "classes"


def lstm(keras, rng):
    return recurrent(keras, rng, keras.layers.LSTM)


def gru(keras, rng):
    return recurrent(keras, rng, keras.layers.GRU)


def encoder(keras, x, width, heads, inner, dropout):
    layers = keras.layers
    y = layers.MultiHeadAttention(heads, width // heads, dropout=dropout)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, layers.Dropout(dropout)(y)]))
    y = layers.Dense(width)(layers.Dense(inner, "gelu")(x))
    return layers.LayerNormalization()(layers.Add()([x, layers.Dropout(dropout)(y)]))


def text_model(keras, rng, length, words, width, heads, depth, batch, dropout):
    layers = keras.layers
    inputs = keras.Input((length,), dtype="int32")
    x = layers.Embedding(words, width)(inputs)
    for _ in range(depth):
        x = encoder(keras, x, width, heads, 4 * width, dropout)
    outputs = layers.Dense(10)(layers.GlobalAveragePooling1D()(x))
    x = rng.integers(0, words, (batch * STEPS, length)).astype("int32")
    y = rng.integers(0, 10, len(x)).astype("int32")
    return keras.Model(inputs, outputs), x, y, batch, "classes"


def transformer(keras, rng):
    return text_model(keras, rng, 64, 2000, 128, 4, 2, 32, 0.1)


def bert(keras, rng):
    return text_model(keras, rng, 128, 8000, 256, 4, 12, 8, 0.1)


def embeddings(keras, rng):
    layers = keras.layers
    user, item = keras.Input((), dtype="int32"), keras.Input((), dtype="int32")
    both = [layers.Embedding(20000, 32)(one) for one in (user, item)]
    x = layers.Dense(64, "relu")(layers.Concatenate()(both))
    model = keras.Model([user, item], layers.Dense(1)(x))
    x = [rng.integers(0, 20000, 256 * STEPS).astype("int32") for _ in range(2)]
    return model, x, rng.random((256 * STEPS, 1), "float32"), 256, "mse"


def mobilenet(keras, rng):
    model = keras.applications.MobileNetV2(weights=None, classes=10, classifier_activation=None)
    return classifier(keras, rng, model, (224, 224, 3), 8, steps=4)


def classifier(keras, rng, model, shape, batch, steps=STEPS):
    x = rng.standard_normal((batch * steps, *shape), "float32")
    return model, x, rng.integers(0, 10, len(x)).astype("int32"), batch, "classes"


CASES = {one.__name__: one for one in (
    mlp, batchnorm, cnn, resnet, depthwise, autoencoder, lstm, gru, transformer, embeddings,
    mobilenet, bert)}
ON_BATCH = {"mobilenet"}  # trained by train_on_batch


class Trainer:
    """One model that is trained epoch by epoch."""

    def __init__(self, keras, case: str):
        import numpy as np
        self.keras, self.case = keras, case
        keras.utils.set_random_seed(1)
        model, self.x, self.y, self.batch, loss = CASES[case](keras, np.random.default_rng(0))
        rng = np.random.default_rng(2)
        for weight in model.trainable_weights:  # the same for each library
            if len(weight.shape) > 1:
                scale = (2 / np.prod(weight.shape[:-1])) ** 0.5
                weight.assign((rng.standard_normal(weight.shape) * scale).astype("float32"))
        if loss == "classes":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(1e-3), loss)
        self.model = model

    def epoch(self) -> tuple[float, float, float]:
        """Milliseconds a step by the clock and of all cores, and the mean loss."""
        if self.case in ON_BATCH:
            return self.on_batches()
        times: list[float] = []

        def look(*_):
            times.extend([time.perf_counter(), time.process_time()])

        clock = self.keras.callbacks.LambdaCallback(on_epoch_begin=look, on_epoch_end=look)
        history = self.model.fit(self.x, self.y, batch_size=self.batch, shuffle=False, verbose=0,
                                 callbacks=[clock])
        steps = len(self.y) / self.batch
        return ((times[2] - times[0]) / steps * 1e3, (times[3] - times[1]) / steps * 1e3,
                history.history["loss"][-1])

    def on_batches(self) -> tuple[float, float, float]:
        losses, begin, busy = [], time.perf_counter(), time.process_time()
        for at in range(0, len(self.y), self.batch):
            losses.append(float(self.model.train_on_batch(
                self.x[at:at + self.batch], self.y[at:at + self.batch])))
        share = 1e3 / len(losses)
        return ((time.perf_counter() - begin) * share, (time.process_time() - busy) * share,
                losses[-1])


def main() -> None:
    library, case = sys.argv[1:3]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    trainer = Trainer(load(library), case)
    print("ready", trainer.keras.__version__, file=answers, flush=True)
    for _ in sys.stdin:
        took, busy, loss = trainer.epoch()
        import resource
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(took, busy, loss, time.time() - BEGIN, memory, file=answers, flush=True)
    if library == "tapeflow" and os.environ.get("EXPLAIN"):
        import tapeflow
        print(tapeflow.compiler.explain(trainer.model), file=sys.stderr)


if __name__ == "__main__":
    main()
