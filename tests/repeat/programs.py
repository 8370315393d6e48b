"""Training programs that must end at the same bits in every process.

`CASES` maps a name to a function that trains something small for a while and returns losses and
weights. REPEAT_MODE=eager runs steps as they are, anything else inside `tf.function`.
"""

import os

import numpy as np

import tapeflow as tf

EAGER = os.environ.get("REPEAT_MODE") == "eager"
STEPS = int(os.environ.get("REPEAT_STEPS", "20"))
CASES = {}


def program(function):
    def run():
        tf.keras.utils.set_random_seed(7) if "keras" in function.__name__ else tf.random.set_seed(7)
        np.random.seed(7)
        return function()
    CASES[function.__name__] = run
    return function


def compiled(step):
    """A training step in the mode that is asked for."""
    return step if EAGER else tf.function(step)


def numbers(*shape, seed=0):
    return np.random.RandomState(seed).standard_normal(shape).astype("f")


def variables(*shapes):
    return [tf.Variable(numbers(*shape, seed=i) * shape[0] ** -0.5) for i, shape in
            enumerate(shapes)]


def train(loss, weights, batches=None, rate=0.05, steps=STEPS):
    """Gradient descent; the losses and the weights at the end."""
    @compiled
    def step(*batch):
        with tf.GradientTape() as tape:
            value = loss(*batch)
        for w, g in zip(weights, tape.gradient(value, weights)):
            w.assign_sub(rate * g)
        return value

    if batches is None:
        batches = [()] * steps
    losses = [step(*batch) for batch in batches]
    return losses, [w.value() for w in weights]


# -- networks --------------------------------------------------------------------------------------
@program
def dense():
    x, y = tf.constant(numbers(256, 300)), tf.constant(numbers(256, 10, seed=1))
    ws = variables((300, 400), (400,), (400, 256), (256, 10))

    def loss():
        h = tf.nn.relu(x @ ws[0] + ws[1])
        return tf.reduce_mean((tf.tanh(h @ ws[2]) @ ws[3] - y) ** 2)
    return train(loss, ws)


@program
def convolutions():
    x = tf.constant(numbers(24, 20, 20, 3))
    labels = tf.constant(np.arange(24) % 10)
    ws = variables((3, 3, 3, 24), (3, 3, 24, 32), (32, 10))

    def loss():
        h = tf.nn.relu(tf.nn.conv2d(x, ws[0], 1, "SAME"))
        h = tf.nn.max_pool2d(h, 2, 2, "SAME")
        h = tf.nn.relu(tf.nn.conv2d(h, ws[1], 1, "SAME"))
        logits = tf.reduce_mean(h, [1, 2]) @ ws[2]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    return train(loss, ws, steps=STEPS // 3)


@program
def recurrent():
    x, y = tf.constant(numbers(12, 32, 16)), tf.constant(numbers(32, 4, seed=1))
    ws = variables((16, 64), (64, 64), (64, 4))

    def loss():
        h = tf.zeros([32, 64])
        for t in tf.range(12):
            h = tf.tanh(x[t] @ ws[0] + h @ ws[1])
        return tf.reduce_mean((h @ ws[2] - y) ** 2)
    return train(loss, ws, steps=STEPS // 2)


@program
def attention():
    x, y = tf.constant(numbers(8, 48, 64)), tf.constant(numbers(8, 48, 64, seed=1))
    ws = variables((64, 64), (64, 64), (64, 64), (64, 64))

    def loss():
        q, k, v = (tf.reshape(x @ w, [8, 48, 4, 16]) for w in ws[:3])
        weights = tf.nn.softmax(tf.einsum("bqhd,bkhd->bhqk", q, k) / 4.0)
        mixed = tf.reshape(tf.einsum("bhqk,bkhd->bqhd", weights, v), [8, 48, 64])
        return tf.reduce_mean((mixed @ ws[3] - y) ** 2)
    return train(loss, ws)


@program
def embedding():
    ids = tf.constant(np.random.RandomState(0).randint(0, 500, (64, 12)))
    y = tf.constant(numbers(64, 1))
    table, w = variables((500, 32), (32, 1))

    def loss():
        return tf.reduce_mean((tf.reduce_mean(tf.gather(table, ids), 1) @ w - y) ** 2)

    @compiled
    def step():
        with tf.GradientTape() as tape:
            value = loss()
        rows, dense = tape.gradient(value, [table, w])
        table.scatter_sub(tf.IndexedSlices(0.1 * rows.values, rows.indices))
        w.assign_sub(0.1 * dense)
        return value
    return [step() for _ in range(STEPS)], table.value(), w.value()


# -- linear algebra --------------------------------------------------------------------------------
@program
def gaussian_process():
    x = tf.constant(numbers(120, 3).astype("d"))
    y = tf.constant(numbers(120, 1, seed=1).astype("d"))
    scale, noise = tf.Variable(0.3, dtype=tf.float64), tf.Variable(-1.0, dtype=tf.float64)

    def loss():
        squares = tf.reduce_sum(x * x, 1)
        far = squares[:, None] + squares[None] - 2 * tf.matmul(x, x, transpose_b=True)
        k = tf.exp(-0.5 * far * tf.exp(-2 * scale)) + tf.exp(noise) * tf.eye(120, dtype=tf.float64)
        factor = tf.linalg.cholesky(k)
        a = tf.linalg.cholesky_solve(factor, y)
        return 0.5 * tf.reduce_sum(y * a) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
    return train(loss, [scale, noise], rate=1e-3)


@program
def flow():
    x = tf.constant(numbers(400, 30))
    lower, shift = tf.Variable(np.eye(30, dtype="f")), tf.Variable(tf.zeros([30]))
    rotation = tf.Variable(np.eye(30, dtype="f") + 0.01 * numbers(30, 30))

    def loss():
        z = tf.linalg.triangular_solve(lower, tf.transpose(x - shift))
        z = tf.transpose(tf.linalg.solve(rotation, z))
        volume = tf.reduce_sum(tf.math.log(tf.abs(tf.linalg.diag_part(lower))))
        volume += tf.linalg.slogdet(rotation)[1]
        return 0.5 * tf.reduce_mean(tf.reduce_sum(z * z, 1)) + volume
    return train(loss, [lower, shift, rotation], rate=1e-2)


@program
def factorisation():
    a = tf.constant(numbers(90, 60))
    left, right = variables((90, 8), (8, 60))

    def loss():
        s = tf.linalg.svd(left @ right - a, compute_uv=False)
        e = tf.linalg.eigvalsh(tf.matmul(left, left, transpose_a=True))
        return tf.reduce_sum(s) + tf.reduce_sum(tf.math.log(1 + e))
    return train(loss, [left, right], rate=1e-3)


# -- chance ----------------------------------------------------------------------------------------
@program
def random_state():
    ws = variables((40, 40),)
    generator = tf.random.Generator.from_seed(11)

    @compiled
    def step(i):
        x = tf.random.normal([64, 40]) + generator.normal([64, 40])
        x = tf.nn.dropout(x, 0.3) + tf.random.stateless_uniform([64, 40], [i, 5])
        with tf.GradientTape() as tape:
            value = tf.reduce_mean(tf.tanh(x @ ws[0]) ** 2)
        ws[0].assign_sub(0.1 * tape.gradient(value, ws[0]))
        return value
    return [step(tf.constant(i)) for i in range(STEPS)], ws[0].value(), generator.state


@program
def policy_gradient():
    w, transition = variables((6, 4), (4, 6))

    @compiled
    def episode():
        with tf.GradientTape() as tape:
            state, total = tf.ones([16, 6]), tf.zeros([16])
            likelihood = tf.zeros([16])
            for _ in range(6):
                logits = state @ w
                action = tf.random.categorical(logits, 1)[:, 0]
                likelihood -= tf.nn.sparse_softmax_cross_entropy_with_logits(action, logits)
                state = tf.tanh(state + tf.gather(transition, action))
                total += state[:, 0]
            loss = -tf.reduce_mean(likelihood * tf.stop_gradient(total))
        w.assign_sub(0.05 * tape.gradient(loss, w))
        return loss
    return [episode() for _ in range(STEPS)], w.value()


# -- data ------------------------------------------------------------------------------------------
def _pipeline():
    x, y = numbers(300, 20), numbers(300, 1, seed=1)
    rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100, seed=3)
    noisy = rows.map(lambda x, y: (x + tf.random.stateless_normal([20], tf.cast(
        tf.stack([x[0] * 1e6, x[1] * 1e6]), tf.int32)), y), num_parallel_calls=4)
    return noisy.repeat(2).batch(32).prefetch(2)


@program
def data_with_threads():
    w, = variables((20, 1))
    return train(lambda x, y: tf.reduce_mean((x @ w - y) ** 2), [w], _pipeline())


@program
def interleaved_data():
    parts = tf.data.Dataset.range(8).interleave(
        lambda i: tf.data.Dataset.range(i * 50, i * 50 + 50).map(lambda j: j * j + i),
        cycle_length=4, block_length=3, num_parallel_calls=tf.data.AUTOTUNE)
    drawn = parts.shuffle(64, seed=5, reshuffle_each_iteration=True).batch(7).map(
        lambda x: tf.cast(x, tf.float32) ** 0.5, num_parallel_calls=tf.data.AUTOTUNE)
    return [x for _ in range(2) for x in drawn.prefetch(tf.data.AUTOTUNE)]


@program
def seeded_map():
    """Random ops and updates in a map happen in the order of the elements, in threads too."""
    numbers = tf.data.Dataset.range(50)
    draws = [numbers.map(lambda i: tf.random.uniform([3], seed=4) + tf.reduce_mean(
        tf.random.normal([200, 100])), calls) for calls in (None, 4)]
    counter = tf.Variable(0)
    counted = numbers.map(lambda i: counter.assign_add(1), num_parallel_calls=4)
    return [list(drawn) for drawn in draws], list(counted)


# -- Keras -----------------------------------------------------------------------------------------
@program
def keras_fit():
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Input((12, 12, 1)), layers.Conv2D(8, 3, activation="relu"), layers.Flatten(),
        layers.Dropout(0.3), layers.Dense(32, activation="relu"), layers.BatchNormalization(),
        layers.Dense(3)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  run_eagerly=EAGER)
    history = model.fit(numbers(128, 12, 12, 1), np.arange(128) % 3, epochs=2, batch_size=32,
                        shuffle=True, verbose=0)
    return history.history["loss"], model.get_weights(), model.predict(numbers(9, 12, 12, 1),
                                                                       verbose=0)
