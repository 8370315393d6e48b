"""The cases of `growth.py` for tapeflow, TensorFlow and XLA: one step, as a function of its size.

`data` makes the numbers of a case, which those for JAX and PyTorch (`cases_growth_*.py`) use as
well. A curve is one case at many sizes.
"""

import numpy as np

RATE = 1e-6  # of descent: so small that a thousand steps leave the numbers as they are
SEQUENCE = 16, 64  # batch and width of the recurrent network
NODES = 3  # of a graph, in an iteration of `nodes`


def network(curve: str, size: int) -> tuple[int, int, int]:
    """Batch, width and number of layers of the networks of a curve."""
    return {"batch": (size, 128, 3), "width": (64, size, 3), "depth": (32, 64, size),
            "threads": (1024, 512, 3)}[curve]


def data(curve: str, size: int):
    """The arrays of a case: the same for every library."""
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return (rng.standard_normal(shape) * scale).astype("f")

    if curve == "tape":
        return np.float32(0.5)
    if curve in ("nodes", "compile"):
        return np.linspace(0, 1, 64, dtype="f")
    if curve == "sequence":
        batch, width = SEQUENCE
        return normal(size, batch, width), [normal(width, width, scale=0.1) for _ in range(2)]
    batch, width, depth = network(curve, size)
    return normal(batch, width), [normal(width, width, scale=(2 / width) ** 0.5)
                                  for _ in range(depth)]


def step_of(tf, curve: str, size: int, jit_compile=None):
    """A function of no arguments: one step, which gives a number."""
    made = data(curve, size)
    compiled = lambda f: tf.function(f, jit_compile=jit_compile, autograph=False)
    if curve == "tape":
        return tape(tf, tf.constant(made), size)
    if curve in ("nodes", "compile"):
        x = tf.constant(made)
        if curve == "compile":
            return lambda: compiled(lambda x: nodes(tf, x, size))(x)
        function = compiled(lambda x: nodes(tf, x, size))
        return lambda: function(x)
    x, ws = tf.constant(made[0]), [tf.Variable(one) for one in made[1]]
    loss = recurrent if curve == "sequence" else layers

    def step():
        with tf.GradientTape() as tape:
            value = loss(tf, x, ws)
        for w, g in zip(ws, tape.gradient(value, ws)):
            w.assign_sub(RATE * g)
        return value

    return compiled(step)


def tape(tf, x, size):
    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(size):
                y = tf.sin(y)
        return tape.gradient(y, x)

    return step


def nodes(tf, x, size):
    y = x
    for _ in range(size // NODES):
        y = tf.tanh(y * 0.5 + x)
    return tf.reduce_sum(y)


def layers(tf, x, ws):
    for w in ws:
        x = tf.nn.relu(x @ w)
    return tf.reduce_mean(tf.square(x))


def recurrent(tf, x, ws):
    zero = tf.zeros(SEQUENCE)
    h = tf.scan(lambda h, now: tf.tanh(now @ ws[0] + h @ ws[1]), x, initializer=zero)
    return tf.reduce_mean(tf.square(h[-1]))
