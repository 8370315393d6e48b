"""tf.insight.Monitor with Keras beyond the simplest model, and what it says to wrong use."""

import numpy as np
import pytest

import tapeflow as tf

rng = np.random.default_rng(0)
X = rng.random((32, 4)).astype("f")
Y = (X.sum(1) > 2).astype("i")


def classifier():
    keras = tf.keras
    keras.utils.set_random_seed(1)
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu", name="hidden"),
                             keras.layers.Dense(2, name="out")])


def fitted(model, optimizer="sgd", **options):
    """The monitor of two epochs of four batches, given to `fit` as it is."""
    compiled = {name: options.pop(name) for name in ("steps_per_execution", "run_eagerly",
                                                     "jit_compile") if name in options}
    model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(True), **compiled)
    monitor = tf.insight.Monitor()
    model.fit(X, Y, batch_size=8, epochs=2, verbose=0, shuffle=False, callbacks=[monitor],
              **options)
    return monitor


@pytest.mark.parametrize("options", [{}, {"class_weight": {0: 1.0, 1: 3.0}},
                                     {"steps_per_execution": 2}, {"run_eagerly": True},
                                     {"jit_compile": True}, {"validation_data": (X, Y)}])
def test_the_monitor_itself_is_a_callback(options):
    monitor = fitted(classifier(), **options)
    assert [name.partition("/")[2] for name in monitor.series] == [
        "hidden/kernel", "hidden/bias", "out/kernel", "out/bias"]
    for one in monitor.series.values():
        assert [point.step for point in one.points] == list(range(8))
    assert len(monitor.losses) == 8


def test_class_weights_are_in_the_gradients():
    plain = fitted(classifier()).series
    weighted = fitted(classifier(), class_weight={0: 5.0, 1: 5.0}).series
    for (_, a), (_, b) in zip(plain.items(), weighted.items(), strict=True):
        assert b.points[0].norm == pytest.approx(5 * a.points[0].norm, rel=1e-4)


def test_several_outputs():
    keras = tf.keras
    given = keras.Input((4,))
    hidden = keras.layers.Dense(3, name="h")(given)
    model = keras.Model(given, {"a": keras.layers.Dense(1, name="a")(hidden),
                                "b": keras.layers.Dense(1, name="b")(hidden)})
    model.compile("sgd", {"a": "mse", "b": "mae"}, loss_weights={"a": 0.0, "b": 1.0})
    monitor = tf.insight.Monitor()
    model.fit(X, {"a": Y.astype("f"), "b": Y.astype("f")}, verbose=0, callbacks=[monitor])
    assert monitor.series["a/kernel"].points[0].norm == 0.0
    assert monitor.series["b/kernel"].points[0].norm > 0.0


@pytest.mark.parametrize("eager", [False, True])
def test_a_train_step_of_one_s_own(eager):
    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name="own")
            self.layer = tf.keras.layers.Dense(2, name="layer")

        def call(self, x):
            return self.layer(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
            self.optimizer.apply(tape.gradient(loss, self.trainable_variables),
                                 self.trainable_variables)
            return {"loss": loss}

    model = Own()
    monitor = fitted(model, run_eagerly=eager)
    assert list(monitor.series) == [one.path for one in model.trainable_variables]
    assert all(len(one.points) == 8 for one in monitor.series.values())


def test_the_scale_of_mixed_precision_is_taken_out():
    plain = fitted(classifier())
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    try:
        mixed = fitted(classifier())
    finally:
        tf.keras.mixed_precision.set_global_policy("float32")
    assert mixed.losses[0][1] == pytest.approx(plain.losses[0][1], rel=0.01)
    for a, b in zip(plain.series.values(), mixed.series.values(), strict=True):
        assert b.points[0].norm == pytest.approx(a.points[0].norm, rel=0.02)
        assert b.points[0].verdict == a.points[0].verdict


def test_wrong_use_is_named():
    monitor, w = tf.insight.Monitor(), tf.Variable(2.0, name="w")

    @tf.function
    def step(number):
        with tf.GradientTape() as tape:
            loss = w * w
        monitor.record(number, tape.gradient(loss, w), w, loss)

    with pytest.raises(RuntimeError, match="return gradients and loss"):
        step(tf.constant(0))
    with pytest.raises(ValueError, match="2 gradients for 1 variables"):
        monitor.record(0, [1.0, 2.0], [w])
    with pytest.raises(AttributeError, match="'Monitor' object has no attribute 'serie'"):
        monitor.serie
