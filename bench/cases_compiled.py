"""The cases of `compiled.py` for tapeflow, TensorFlow and XLA: the same lines serve all.

Each case is a function of no arguments that does one step of a compiled function. `data` makes the
numbers, which the cases for JAX and PyTorch use as well.
"""

import numpy as np


def data():
    """The arrays of all cases, by case: the same for every library."""
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return (rng.standard_normal(shape) * scale).astype("f")

    width, hidden = 64, 64
    return {
        "regression": (np.array([1, 2, 3, 4], "f"), np.array([5, 8, 11, 14], "f")),
        "logistic": (normal(32, 8), (rng.random(32) > 0.5).astype("f"), normal(8, scale=0.1)),
        "policy": (normal(16, 4), rng.integers(0, 2, 16), normal(16), normal(4, 2, scale=0.1)),
        "mlp": (rng.random((64, 784), np.float32), rng.integers(0, 10, 64),
                normal(784, 128, scale=0.05), np.zeros(128, "f"), normal(128, 10, scale=0.1),
                np.zeros(10, "f")),
        "chain": (normal(4_000_000),),
        "lotka": (np.array([1.5, 1.0, 3.0, 1.0], "f"),),
        "lstm": (normal(50, 16, 32), normal(32, 4 * hidden, scale=0.1),
                 normal(hidden, 4 * hidden, scale=0.1), np.zeros(4 * hidden, "f")),
        "transformer": (normal(8, 32, width), [normal(width, width, scale=0.1) for _ in range(4)],
                        normal(width, 4 * width, scale=0.1), normal(4 * width, width, scale=0.1)),
        "lenet": (normal(32, 28, 28, 1), rng.integers(0, 10, 32),
                  [normal(5, 5, 1, 6, scale=0.1), np.zeros(6, "f"), normal(5, 5, 6, 16, scale=0.1),
                   np.zeros(16, "f"), normal(400, 120, scale=0.05), np.zeros(120, "f"),
                   normal(120, 84, scale=0.05), np.zeros(84, "f"), normal(84, 10, scale=0.05),
                   np.zeros(10, "f")]),
        "conv": (normal(32, 28, 28, 16), normal(3, 3, 16, 32, scale=0.1), normal(32, 28, 28, 32)),
        "xent": (normal(64, 32000), rng.integers(0, 32000, 64)),
        "norm": (normal(2000, 2000),),
        "embedding": (normal(10_000, 64), rng.integers(0, 10_000, 256)),
        "hessian": (normal(12), normal(12, 12)),
        "systems": (np.eye(32, dtype="f") + normal(64, 32, 32, scale=0.1), normal(64, 32, 4)),
        "top_k": (normal(256, 1000),),
        "matmul": (normal(1024, 1024), normal(1024, 1024)),
        "wide_mlp": (rng.random((1024, 784), np.float32), rng.integers(0, 10, 1024),
                     normal(784, 512, scale=0.05), np.zeros(512, "f"),
                     normal(512, 512, scale=0.05), np.zeros(512, "f"),
                     normal(512, 10, scale=0.1), np.zeros(10, "f")),
    }


def cases(tf, jit_compile=None):
    """A dict from case to a function that does one step of it."""
    made = data()

    def compiled(step, *args):
        """A step as a function of no arguments; `args` are handed to it each time."""
        function = tf.function(step, jit_compile=jit_compile, autograph=False)
        args = [tf.constant(one) for one in args]
        return (lambda: function(*args)) if args else function

    found = {}
    for make in (scalars, losses, networks, sequences, arrays, systems, curvature):
        found.update(make(tf, made, compiled))
    return found


def descend(pairs, rate=0.01):
    for variable, gradient in pairs:
        variable.assign_sub(rate * gradient)


def scalars(tf, made, compiled):
    x_data, y_data = map(tf.constant, made["regression"])
    w, b = tf.Variable(0.0), tf.Variable(0.0)

    def regression():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y_data - (w * x_data + b)))
        descend(zip([w, b], tape.gradient(loss, [w, b])))
        return loss

    def cube(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x ** 3
        return tape.gradient(y, x)

    def sines(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(100):
                y = tf.sin(y)
        return tape.gradient(y, x)

    def lotka(p):
        def rates(x, y):
            return p[0] * x - p[1] * x * y, p[3] * x * y - p[2] * y

        x = y = tf.constant(1.0)
        h = 0.02
        for _ in range(200):
            a = rates(x, y)
            b = rates(x + h / 2 * a[0], y + h / 2 * a[1])
            c = rates(x + h / 2 * b[0], y + h / 2 * b[1])
            d = rates(x + h * c[0], y + h * c[1])
            x = x + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
            y = y + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        return x + y

    return {"regression": compiled(regression), "cube": compiled(cube, 3.0),
            "sines": compiled(sines, 0.5), "lotka": compiled(lotka, *made["lotka"])}


def losses(tf, made, compiled):
    x, y, start = made["logistic"]
    x, y, w = tf.constant(x), tf.constant(y), tf.Variable(start)

    def logistic():
        with tf.GradientTape() as tape:
            logits = tf.linalg.matvec(x, w)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        descend([(w, tape.gradient(loss, w))])
        return loss

    states, actions, returns, begin = made["policy"]
    states, actions, returns = map(tf.constant, (states, actions, returns))
    theta = tf.Variable(begin)

    def policy():
        with tf.GradientTape() as tape:
            logs = tf.nn.log_softmax(states @ theta)
            chosen = tf.gather(logs, actions, axis=1, batch_dims=1)
            loss = -tf.reduce_mean(chosen * returns)
        descend([(theta, tape.gradient(loss, theta))])
        return loss

    return {"logistic": compiled(logistic), "policy": compiled(policy)}


def networks(tf, made, compiled):
    x, labels, *start = made["mlp"]
    x, labels = tf.constant(x), tf.constant(labels)

    def loss_of(w1, b1, w2, b2):
        logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits))

    plain = [tf.Variable(one) for one in start]

    def sgd():
        with tf.GradientTape() as tape:
            loss = loss_of(*plain)
        descend(zip(plain, tape.gradient(loss, plain)))
        return loss

    moved = [tf.Variable(one) for one in start]
    means = [tf.Variable(np.zeros_like(one)) for one in start]
    squares = [tf.Variable(np.zeros_like(one)) for one in start]
    count = tf.Variable(0.0)

    def adam():
        with tf.GradientTape() as tape:
            loss = loss_of(*moved)
        gradients = tape.gradient(loss, moved)
        count.assign_add(1.0)
        rate = 0.001 * tf.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count)
        for w, m, v, g in zip(moved, means, squares, gradients):
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g * g)
            w.assign_sub(rate * m / (tf.sqrt(v) + 1e-7))
        return loss

    wide_x, wide_labels, *wide_start = made["wide_mlp"]
    wide_x, wide_labels = tf.constant(wide_x), tf.constant(wide_labels)
    wide = [tf.Variable(one) for one in wide_start]

    def wide_mlp():
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.nn.relu(wide_x @ wide[0] + wide[1]) @ wide[2] + wide[3])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=wide_labels, logits=h @ wide[4] + wide[5]))
        descend(zip(wide, tape.gradient(loss, wide)))
        return loss

    images, digits, weights = made["lenet"]
    images, digits = tf.constant(images), tf.constant(digits)
    ps = [tf.Variable(one) for one in weights]

    def lenet():
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.nn.conv2d(images, ps[0], 1, "SAME") + ps[1])
            h = tf.nn.max_pool2d(h, 2, 2, "VALID")
            h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, ps[2], 1, "VALID") + ps[3]), 2, 2,
                                 "VALID")
            h = tf.nn.relu(tf.reshape(h, [32, 400]) @ ps[4] + ps[5])
            logits = tf.nn.relu(h @ ps[6] + ps[7]) @ ps[8] + ps[9]
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=digits, logits=logits))
        descend(zip(ps, tape.gradient(loss, ps)))
        return loss

    def conv(pixels, kernel, wanted):
        with tf.GradientTape() as tape:
            tape.watch([pixels, kernel])
            y = tf.nn.conv2d(pixels, kernel, 1, "SAME")
        found = tape.gradient(y, [pixels, kernel], output_gradients=wanted)
        return [found[1], found[0]]

    return {"mlp": compiled(sgd), "adam": compiled(adam), "wide_mlp": compiled(wide_mlp),
            "lenet": compiled(lenet), "conv": compiled(conv, *made["conv"])}


def sequences(tf, made, compiled):
    x, *start = made["lstm"]
    x = tf.constant(x)
    ws = [tf.Variable(one) for one in start]
    zero = tf.zeros((16, 64))

    def body(state, now):
        h, c = state
        i, f, g, o = tf.split(now @ ws[0] + h @ ws[1] + ws[2], 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), c

    def lstm():
        with tf.GradientTape() as tape:
            h, _ = tf.scan(body, x, initializer=(zero, zero))
            loss = tf.reduce_sum(tf.square(h[-1]))
        descend(zip(ws, tape.gradient(loss, ws)), 1e-6)
        return loss

    def lstm_loop():
        with tf.GradientTape() as tape:
            state = zero, zero
            for t in range(50):
                state = body(state, x[t])
            loss = tf.reduce_sum(tf.square(state[0]))
        descend(zip(ws, tape.gradient(loss, ws)), 1e-6)
        return loss

    tokens, square, wide, narrow = made["transformer"]
    tokens = tf.constant(tokens)
    own = [tf.Variable(one) for one in (*square, wide, narrow)]

    def normal(a):
        mean = tf.reduce_mean(a, -1, keepdims=True)
        return (a - mean) * tf.math.rsqrt(
            tf.reduce_mean(tf.square(a - mean), -1, keepdims=True) + 1e-5)

    def transformer():
        with tf.GradientTape() as tape:
            h = normal(tokens)
            q, k, v = [tf.transpose(tf.reshape(h @ w, [8, 32, 4, 16]), [0, 2, 1, 3])
                       for w in own[:3]]
            a = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 4.0) @ v
            h = tokens + tf.reshape(tf.transpose(a, [0, 2, 1, 3]), [8, 32, 64]) @ own[3]
            y = h + tf.nn.gelu(normal(h) @ own[4]) @ own[5]
            loss = tf.reduce_mean(tf.square(y))
        descend(zip(own, tape.gradient(loss, own)))
        return loss

    return {"lstm": compiled(lstm), "lstm_loop": compiled(lstm_loop),
            "transformer": compiled(transformer)}


def arrays(tf, made, compiled):
    def chain(long):
        with tf.GradientTape() as tape:
            tape.watch(long)
            y = tf.reduce_sum(tf.tanh(long * 2.0) * tf.exp(-long * long) + tf.sin(long))
        return tape.gradient(y, long)

    def xent(logits, labels):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=logits))
        return loss, tape.gradient(loss, logits)

    def norm(square):
        mean = tf.reduce_mean(square, -1, keepdims=True)
        return (square - mean) * tf.math.rsqrt(
            tf.reduce_mean(tf.square(square - mean), -1, keepdims=True) + 1e-5)

    start, ids = made["embedding"]
    table, ids = tf.Variable(start), tf.constant(ids)

    def embedding():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.gather(table, ids)))
        g = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(1e-6 * g.values, g.indices))
        return loss

    return {"chain": compiled(chain, *made["chain"]), "xent": compiled(xent, *made["xent"]),
            "norm": compiled(norm, *made["norm"]), "embedding": compiled(embedding),
            "matmul": compiled(lambda a, b: a @ b, *made["matmul"])}


def systems(tf, made, compiled):
    def with_gradient(loss_of, *xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            loss = loss_of(*xs)
        return loss, tape.gradient(loss, xs)

    def cholesky(a, b):
        factor = tf.linalg.cholesky(tf.matmul(a, a, transpose_b=True))
        return tf.reduce_sum(tf.linalg.cholesky_solve(factor, b) ** 2)

    def solve(a, b):
        return tf.reduce_sum(tf.linalg.solve(a, b) ** 2)

    def largest(x):
        return tf.reduce_sum(tf.math.top_k(x, 8)[0] ** 2)

    return {"cholesky": compiled(lambda a, b: with_gradient(cholesky, a, b), *made["systems"]),
            "solve": compiled(lambda a, b: with_gradient(solve, a, b), *made["systems"]),
            "top_k": compiled(lambda x: with_gradient(largest, x), *made["top_k"])}


def curvature(tf, made, compiled):
    def value(x, matrix):
        return tf.reduce_sum(tf.tanh(tf.linalg.matvec(matrix, x)) ** 2)

    def hessian(point, matrix):
        with tf.GradientTape() as outer:
            outer.watch(point)
            with tf.GradientTape() as inner:
                inner.watch(point)
                y = value(point, matrix)
            g = inner.gradient(y, point)
        return outer.jacobian(g, point)

    def product(point, matrix):
        with tf.GradientTape() as outer:
            outer.watch(point)
            with tf.GradientTape() as inner:
                inner.watch(point)
                y = value(point, matrix)
            g = tf.reduce_sum(inner.gradient(y, point) * point)
        return outer.gradient(g, point)

    rows = np.linspace(-1, 1, 32 * 12, dtype="f").reshape(32, 12)

    def jacobian(rows, matrix):
        with tf.GradientTape() as tape:
            tape.watch(rows)
            y = tf.tanh(rows @ matrix)
        return tape.batch_jacobian(y, rows)

    given = made["hessian"]
    return {"hessian": compiled(hessian, *given), "hvp": compiled(product, *given),
            "batch_jacobian": compiled(jacobian, rows, given[1])}
