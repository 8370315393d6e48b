"""Programs for `test_fit.py`: Keras's own loops, natively and with run_eagerly=True.

    python tests/keras/fit_programs.py NAME

Prints what the two gave, and what the compiler's report says, as JSON.
"""

import json
import sys

import numpy as np

import tapeflow as tf

keras = tf.keras
layers = keras.layers


def data(*shape, classes=3, rows=36):
    rng = np.random.default_rng(0)
    return rng.normal(size=(rows, *shape)).astype("f"), rng.integers(0, classes, rows)


def dense(dropout=0.0):
    return keras.Sequential([
        keras.Input((6,)), layers.Dense(16, "relu"), layers.Dropout(dropout, seed=3),
        layers.BatchNormalization(), layers.Dense(3)])


def compiled(model, eagerly, optimizer=None, **options):
    # Adam divides gradients that vanish but for rounding by their own size: not for comparisons.
    model.compile(optimizer or keras.optimizers.SGD(0.05, momentum=0.9),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"], weighted_metrics=[], run_eagerly=eagerly, **options)
    return model


def trained(make, x, y, eagerly, optimizer=None, options=None, **fit):
    """Losses and metrics of a few epochs, then of evaluate; predictions; weights."""
    keras.utils.set_random_seed(1)
    model = compiled(make(), eagerly, optimizer and optimizer(), **(options or {}))
    history = model.fit(x, y, batch_size=8, epochs=3, shuffle=False, verbose=0, **fit).history
    found = [history[key] for key in sorted(history)]
    found += [model.evaluate(x, y, batch_size=8, verbose=0)]
    found += [model.predict(x, batch_size=8, verbose=0).tolist()]
    found += [weight.tolist() for weight in model.get_weights()]
    return model, found


def both(make, x, y, **how):
    """What the native run gave and what the eager one gave, and the report of the first."""
    model, native = trained(make, x, y, False, **how)
    _, eager = trained(make, x, y, True, **how)
    return told(model, native, eager)


def told(model, native, eager):
    report = tf.compiler.explain(model)
    steps = [one for one in (report.train, report.test, report.predict) if one is not None]
    regions = [(label, program.settled, program.reason) for one in steps
               for label, program in one.programs if "region" in label or "body" not in label]
    return {"native": native, "eager": eager, "regions": regions, "report": str(report)}


def plain():
    return both(dense, *data(6))


def adam():
    return both(dense, *data(6), optimizer=lambda: keras.optimizers.Adam(0.01))


def dropout():
    return both(lambda: dense(0.3), *data(6))


def class_weights():
    return both(dense, *data(6), class_weight={0: 1.0, 1: 0.5, 2: 2.0})


def sample_weights():
    x, y = data(6)
    return both(dense, x, y, sample_weight=np.linspace(0.1, 2, len(y)).astype("f"))


def loss_scaling():
    return both(dense, *data(6), optimizer=lambda: keras.optimizers.LossScaleOptimizer(
        keras.optimizers.SGD(0.05, momentum=0.9), initial_scale=8.0))


def several_steps():
    return both(dense, *data(6, rows=40), options={"steps_per_execution": 2})


def validation():
    x, y = data(6)
    return both(dense, x, y, validation_data=(x[:12], y[:12]))


def callbacks():
    x, y = data(6)
    seen = []
    called = [keras.callbacks.LambdaCallback(on_train_batch_end=lambda n, logs: seen.append(n)),
              keras.callbacks.LearningRateScheduler(lambda epoch: 0.02 / (1 + epoch)),
              keras.callbacks.TerminateOnNaN()]
    found = both(dense, x, y, callbacks=called)
    assert len(seen) == 2 * 3 * 5, seen
    return found


def convolutions():
    return both(lambda: keras.Sequential([
        keras.Input((8, 8, 2)), layers.Conv2D(4, 3, activation="relu"), layers.MaxPooling2D(),
        layers.DepthwiseConv2D(2), layers.BatchNormalization(), layers.Flatten(),
        layers.Dense(3)]), *data(8, 8, 2))


def recurrent():
    return both(lambda: keras.Sequential([
        keras.Input((5, 4)), layers.Bidirectional(layers.LSTM(6, return_sequences=True)),
        layers.GRU(5), layers.Dense(3)]), *data(5, 4))


def attention():
    def make():
        inputs = keras.Input((5,), dtype="int32")
        x = layers.Embedding(20, 8)(inputs)
        x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
        return keras.Model(inputs, layers.Dense(3)(layers.GlobalAveragePooling1D()(x)))

    rng = np.random.default_rng(0)
    return both(make, rng.integers(0, 20, (36, 5)), rng.integers(0, 3, 36))


def embedding():
    """Adam squares the slices of a gradient one by one, and an id comes several times."""
    def make():
        return keras.Sequential([keras.Input((5,), dtype="int32"), layers.Embedding(20, 8),
                                 layers.GlobalAveragePooling1D(), layers.Dense(3)])

    rng = np.random.default_rng(0)
    return both(make, rng.integers(0, 20, (36, 5)), rng.integers(0, 3, 36),
                optimizer=lambda: keras.optimizers.Adam(0.01))


def on_batches():
    x, y = data(6, rows=32)

    def run(eagerly):
        keras.utils.set_random_seed(1)
        model, found = compiled(dense(0.2), eagerly), []
        for at in range(0, 32, 8):
            found.append(list(map(float, model.train_on_batch(x[at:at + 8], y[at:at + 8]))))
            found.append(list(map(float, model.test_on_batch(x[at:at + 8], y[at:at + 8]))))
        found.append(model.predict_on_batch(x[:8]).tolist())
        return model, found

    model, native = run(False)
    return told(model, native, run(True)[1])


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
