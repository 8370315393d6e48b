"""The cases of `compiled.py` in the words of JAX: jitted functions, state handed on."""

import numpy as np
from cases_compiled import data


def cases(jax):
    """A dict from case to a function of no arguments that does one step of it."""
    found = {}
    made = data()
    for make in (scalars, losses, networks, sequences, arrays, systems, curvature):
        found.update(make(jax, jax.numpy, made))
    return found


def stepping(jax, step, state, *fixed):
    """Calls a jitted step(state, *fixed) -> (state, loss) again and again."""
    jitted = jax.jit(step, donate_argnums=0)
    held = [jax.tree.map(jax.numpy.array, state)]
    fixed = jax.tree.map(jax.numpy.asarray, fixed)

    def call():
        held[0], loss = jitted(held[0], *fixed)
        return loss.block_until_ready()

    return call


def pure(jax, f, *args):
    jitted = jax.jit(f)
    args = jax.tree.map(jax.numpy.asarray, args)
    return lambda: jax.block_until_ready(jitted(*args))


def descent(jax, loss, rate=0.01):
    def step(state, *fixed):
        value, slope = jax.value_and_grad(loss)(state, *fixed)
        return jax.tree.map(lambda w, g: w - rate * g, state, slope), value

    return step


def cross_entropy(jax, jnp, logits, labels):
    logs = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))


def scalars(jax, jnp, made):
    def regression(state, x, y):
        return jnp.mean(jnp.square(y - (state[0] * x + state[1])))

    def sines(x):
        for _ in range(100):
            x = jnp.sin(x)
        return x

    def lotka(p):
        def rates(x, y):
            return p[0] * x - p[1] * x * y, p[3] * x * y - p[2] * y

        h = 0.02

        def body(state, _):
            x, y = state
            a = rates(x, y)
            b = rates(x + h / 2 * a[0], y + h / 2 * a[1])
            c = rates(x + h / 2 * b[0], y + h / 2 * b[1])
            d = rates(x + h * c[0], y + h * c[1])
            return (x + h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0]),
                    y + h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])), None

        (x, y), _ = jax.lax.scan(body, (jnp.float32(1), jnp.float32(1)), None, length=200)
        return x + y

    return {"regression": stepping(jax, descent(jax, regression), (np.float32(0), np.float32(0)),
                                   *made["regression"]),
            "cube": pure(jax, jax.grad(lambda x: x ** 3), np.float32(3)),
            "sines": pure(jax, jax.grad(sines), np.float32(0.5)),
            "lotka": pure(jax, lotka, made["lotka"][0])}


def losses(jax, jnp, made):
    x, y, start = made["logistic"]

    def logistic(w, x, y):
        z = x @ w
        return jnp.mean(jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z))))

    states, actions, returns, begin = made["policy"]

    def policy(theta, states, actions, returns):
        logs = jax.nn.log_softmax(states @ theta)
        return -jnp.mean(jnp.take_along_axis(logs, actions[:, None], 1)[:, 0] * returns)

    return {"logistic": stepping(jax, descent(jax, logistic), start, x, y),
            "policy": stepping(jax, descent(jax, policy), begin, states, actions, returns)}


def networks(jax, jnp, made):
    x, labels, *start = made["mlp"]

    def loss(ws, x, labels):
        w1, b1, w2, b2 = ws
        return cross_entropy(jax, jnp, jax.nn.relu(x @ w1 + b1) @ w2 + b2, labels)

    def adam(state, x, labels):
        ws, ms, vs, count = state
        value, slope = jax.value_and_grad(loss)(ws, x, labels)
        count = count + 1
        rate = 0.001 * jnp.sqrt(1 - 0.999 ** count) / (1 - 0.9 ** count)
        ms = [0.9 * m + 0.1 * g for m, g in zip(ms, slope)]
        vs = [0.999 * v + 0.001 * g * g for v, g in zip(vs, slope)]
        ws = [w - rate * m / (jnp.sqrt(v) + 1e-7) for w, m, v in zip(ws, ms, vs)]
        return (ws, ms, vs, count), value

    zeros = [np.zeros_like(one) for one in start]
    wide_x, wide_labels, *wide = made["wide_mlp"]

    def wide_loss(ws, x, labels):
        h = jax.nn.relu(jax.nn.relu(x @ ws[0] + ws[1]) @ ws[2] + ws[3])
        return cross_entropy(jax, jnp, h @ ws[4] + ws[5], labels)

    images, digits, weights = made["lenet"]
    conv = jax.lax.conv_general_dilated
    names = ("NHWC", "HWIO", "NHWC")

    def pool(h):
        return jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def lenet(ps, images, digits):
        h = pool(jax.nn.relu(conv(images, ps[0], (1, 1), "SAME", dimension_numbers=names) + ps[1]))
        h = pool(jax.nn.relu(conv(h, ps[2], (1, 1), "VALID", dimension_numbers=names) + ps[3]))
        h = jax.nn.relu(h.reshape(32, 400) @ ps[4] + ps[5])
        return cross_entropy(jax, jnp, jax.nn.relu(h @ ps[6] + ps[7]) @ ps[8] + ps[9], digits)

    def both(pixels, kernel, wanted):
        _, back = jax.vjp(lambda p, k: conv(p, k, (1, 1), "SAME", dimension_numbers=names),
                          pixels, kernel)
        found = back(wanted)
        return found[1], found[0]

    return {"mlp": stepping(jax, descent(jax, loss), start, x, labels),
            "adam": stepping(jax, adam, (start, zeros, [one.copy() for one in zeros],
                                         np.float32(0)), x, labels),
            "wide_mlp": stepping(jax, descent(jax, wide_loss), wide, wide_x, wide_labels),
            "lenet": stepping(jax, descent(jax, lenet), weights, images, digits),
            "conv": pure(jax, both, *made["conv"])}


def sequences(jax, jnp, made):
    x, *start = made["lstm"]

    def lstm(ws, x):
        def body(state, now):
            h, c = state
            i, f, g, o = jnp.split(now @ ws[0] + h @ ws[1] + ws[2], 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        zero = jnp.zeros((16, 64))
        (h, _), _ = jax.lax.scan(body, (zero, zero), x)
        return jnp.sum(jnp.square(h))

    tokens, square, wide, narrow = made["transformer"]

    def normal(a):
        mean = jnp.mean(a, -1, keepdims=True)
        return (a - mean) * jax.lax.rsqrt(jnp.mean(jnp.square(a - mean), -1, keepdims=True) + 1e-5)

    def transformer(ws, tokens):
        h = normal(tokens)
        q, k, v = [(h @ w).reshape(8, 32, 4, 16).transpose(0, 2, 1, 3) for w in ws[:3]]
        a = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / 4.0) @ v
        h = tokens + a.transpose(0, 2, 1, 3).reshape(8, 32, 64) @ ws[3]
        y = h + jax.nn.gelu(normal(h) @ ws[4], approximate=False) @ ws[5]
        return jnp.mean(jnp.square(y))

    return {"lstm": stepping(jax, descent(jax, lstm, 1e-6), start, x),
            "lstm_loop": stepping(jax, descent(jax, lstm, 1e-6), start, x),
            "transformer": stepping(jax, descent(jax, transformer), [*square, wide, narrow],
                                    tokens)}


def arrays(jax, jnp, made):
    def chain(x):
        return jnp.sum(jnp.tanh(x * 2.0) * jnp.exp(-x * x) + jnp.sin(x))

    def norm(a):
        mean = jnp.mean(a, -1, keepdims=True)
        return (a - mean) * jax.lax.rsqrt(jnp.mean(jnp.square(a - mean), -1, keepdims=True) + 1e-5)

    table, ids = made["embedding"]

    def embedding(table, ids):
        rows = table[ids]
        return table.at[ids].add(-1e-6 * 2 * rows), jnp.sum(jnp.square(rows))

    return {"chain": pure(jax, jax.grad(chain), *made["chain"]),
            "xent": pure(jax, jax.value_and_grad(
                lambda x, y: cross_entropy(jax, jnp, x, y)), *made["xent"]),
            "norm": pure(jax, norm, *made["norm"]),
            "embedding": stepping(jax, embedding, table, ids),
            "matmul": pure(jax, lambda a, b: a @ b, *made["matmul"])}


def systems(jax, jnp, made):
    def cholesky(a, b):
        factor = jnp.linalg.cholesky(a @ jnp.swapaxes(a, 1, 2))
        solution = jax.vmap(lambda l, r: jax.scipy.linalg.cho_solve((l, True), r))(factor, b)
        return jnp.sum(solution ** 2)

    def solve(a, b):
        return jnp.sum(jnp.linalg.solve(a, b) ** 2)

    def largest(x):
        return jnp.sum(jax.lax.top_k(x, 8)[0] ** 2)

    both = jax.value_and_grad
    return {"cholesky": pure(jax, both(cholesky, (0, 1)), *made["systems"]),
            "solve": pure(jax, both(solve, (0, 1)), *made["systems"]),
            "top_k": pure(jax, both(largest), *made["top_k"])}


def curvature(jax, jnp, made):
    point, matrix = made["hessian"]

    def value(x, m):
        return jnp.sum(jnp.tanh(m @ x) ** 2)

    rows = np.linspace(-1, 1, 32 * 12, dtype="f").reshape(32, 12)
    return {"hessian": pure(jax, jax.hessian(value), point, matrix),
            "hvp": pure(jax, lambda x, m: jax.grad(
                lambda y: jnp.sum(jax.grad(value)(y, m) * y))(x), point, matrix),
            "batch_jacobian": pure(jax, jax.vmap(
                jax.jacrev(lambda r, m: jnp.tanh(r @ m)), (0, None)), rows, matrix)}
