"""Per-example gradients: one vectorised call against a loop over batches of one."""

import numpy as np
import pytest

import tapeflow as tf

G = tf.gradients


def loop(loss_fn, variables, *batch):
    rows = []
    for i in range(len(batch[0])):
        with tf.GradientTape() as tape:
            loss = loss_fn(*[x[i:i + 1] for x in batch])
        rows.append([tf.convert_to_tensor(g) for g in tape.gradient(loss, variables)])
    return [np.stack(column) for column in zip(*rows)]


def agree(loss_fn, variables, *batch):
    wanted = loop(loss_fn, variables, *batch)
    def call(*batch):
        return G.per_example_gradients(loss_fn, variables, batch)

    for one in (call, tf.function(call)):
        for found, want in zip(one(*batch), wanted, strict=True):
            np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-6)


@pytest.fixture(scope="module")
def data():
    random = np.random.RandomState(1)
    return (tf.constant(random.randint(0, 20, (6, 5))),
            tf.constant(random.rand(6, 8, 8, 1), "float32"), tf.constant(random.randint(0, 3, 6)))


def test_a_network_by_hand(data):
    _, images, labels = data
    x = tf.reshape(images, [6, 64])
    w = [tf.Variable(tf.random.normal(shape, seed=1)) for shape in ([64, 5], [5, 3])]

    def loss(x, y):
        logits = tf.tanh(x @ w[0]) @ w[1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))

    agree(loss, w, x, labels)
    losses, _ = G.per_example_gradients(loss, w, (x, labels), return_losses=True)
    np.testing.assert_allclose(tf.reduce_mean(losses), loss(x, labels), rtol=1e-5)


def test_keras_layers_and_embeddings(data):
    keras = tf.keras
    words, images, labels = data
    cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for inputs, layers in (
            (words, [keras.layers.Embedding(20, 4), keras.layers.LSTM(3),
                     keras.layers.LayerNormalization(), keras.layers.Dense(3)]),
            (images, [keras.layers.Conv2D(2, 3), keras.layers.BatchNormalization(),
                      keras.layers.MaxPool2D(), keras.layers.Flatten(), keras.layers.Dense(3)])):
        model = keras.Sequential(layers)
        model(inputs)
        agree(lambda x, y, model=model: cross_entropy(y, model(x, training=False)),
              model.trainable_variables, inputs, labels)


def test_batch_statistics_have_no_meaning_for_one_example(data):
    model = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Flatten()])
    model(data[1])
    with pytest.raises(TypeError) as caught:
        G.per_example_gradients(lambda x: tf.reduce_sum(model(x, training=True)),
                                model.trainable_variables, data[1])
    assert "training=False" in caught.value.__notes__[-1]


def test_structures_and_variables_that_do_not_matter(data):
    w, unused = tf.Variable(2.0), tf.Variable([1.0, 2.0])
    batch = {"x": data[1][:, 0, 0, 0]}
    found = G.per_example_gradients(lambda b: tf.reduce_sum(w * b["x"]),
                                    {"w": w, "u": unused}, batch)
    np.testing.assert_allclose(found["w"], batch["x"])
    np.testing.assert_array_equal(found["u"], np.zeros((6, 2)))
    with pytest.raises(ValueError, match="empty"):
        G.per_example_gradients(lambda x: x, [], data[1])
    with pytest.raises(TypeError, match="tf.Variables"):
        G.per_example_gradients(lambda x: x, tf.constant(1.0), data[1])
