"""Native code: products, convolutions, reductions and loops of many sizes, each one function."""

import numpy as np

import tapeflow as tf
from tests.repeat.kernels import draw

CASES = {}


def case(name, *lists):
    """Registers a compiled function; the decorated one gives the function and its operands."""
    def decorate(make):
        def add(chosen, rest):
            if rest:
                for one in rest[0]:
                    add((*chosen, one), rest[1:])
                return

            def run():
                function, *xs = make(*chosen)
                return tf.function(function, jit_compile=True)(*xs)
            label = " ".join(str(one).replace(" ", "") for one in chosen)
            CASES[f"{name} {label}".strip()] = run
        add((), lists)
        return make
    return decorate


def _with_gradients(function):
    def whole(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
            total = tf.reduce_sum(y * y)
        return y, total, tape.gradient(total, xs)
    return whole


PRODUCTS = [(2, 1, 16), (1, 700, 701), (701, 3, 700), (33, 200, 65), (100, 1000, 100),
            (129, 257, 131), (500, 64, 10), (7, 5000, 9), (300, 300, 300), (1, 20000, 1)]


@case("product", PRODUCTS, "fd")
def _(shape, dtype):
    m, k, n = shape
    return (_with_gradients(lambda a, b: tf.tanh(a @ b)), draw(m, k, dtype=dtype),
            draw(k, n, dtype=dtype))


@case("stack", [(9, 40, 30, 50), (300, 5, 6, 7), (3, 120, 100, 110)], "fd")
def _(shape, dtype):
    s, m, k, n = shape
    return (_with_gradients(tf.matmul), draw(s, m, k, dtype=dtype), draw(s, k, n, dtype=dtype))


CONVOLUTIONS = [(1, 40, 3, 16), (2, 30, 16, 16), (3, 17, 8, 40), (5, 24, 20, 33), (24, 20, 3, 24),
                (24, 10, 24, 32), (40, 8, 64, 96)]


@case("convolution", CONVOLUTIONS, [(1, 1), (3, 1), (3, 2), (5, 2)], ["f"])
def _(shape, window, dtype):
    n, side, inner, outer = shape
    size, stride = window
    return (_with_gradients(lambda x, w: tf.nn.conv2d(x, w, stride, "SAME")),
            draw(n, side, side, inner, dtype=dtype), draw(size, size, inner, outer, dtype=dtype))


@case("depthwise", [(1, 60, 8), (20, 20, 32)], "fd")
def _(shape, dtype):
    n, side, depth = shape
    return (_with_gradients(lambda x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME")),
            draw(n, side, side, depth, dtype=dtype), draw(3, 3, depth, 2, dtype=dtype))


@case("transposed", [(1, 20, 8, 12), (6, 12, 16, 24)], [1, 2], ["f"])
def _(shape, stride, dtype):
    n, side, inner, outer = shape
    out = [n, side * stride, side * stride, outer]
    return (_with_gradients(lambda x, w: tf.nn.conv2d_transpose(x, w, out, stride, "SAME")),
            draw(n, side, side, inner, dtype=dtype), draw(3, 3, outer, inner, dtype=dtype))


@case("pool", ["max", "avg"], [(1, 60, 7), (20, 31, 16)])
def _(kind, shape):
    n, side, depth = shape
    pool = getattr(tf.nn, f"{kind}_pool2d")
    return _with_gradients(lambda x: pool(x, 3, 2, "SAME")), draw(n, side, side, depth)


@case("reduction", [(200003,), (513, 700), (3, 90001), (90001, 3), (40, 50, 60)],
      [None, 0, -1], "fd")
def _(shape, axis, dtype):
    def several(x):
        y = tf.tanh(x) * 3
        return [f(y, axis) for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max,
                                     tf.math.reduce_variance, tf.reduce_logsumexp)]
    return several, draw(*shape, dtype=dtype)


@case("rows", [(64, 1000), (3000, 33)], "fd")
def _(shape, dtype):
    def several(x):
        return (tf.nn.softmax(x), tf.cumsum(x, 1), tf.cumsum(x, 0), tf.nn.log_softmax(x),
                tf.math.l2_normalize(x, 1), tf.linalg.norm(x))
    return several, draw(*shape, dtype=dtype)


@case("normalised", [(64, 8, 8, 24), (5000, 40)])
def _(shape):
    def step(x):
        mean, variance = tf.nn.moments(x, list(range(len(shape) - 1)))
        return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)
    return _with_gradients(step), draw(*shape)


@case("loop", [(1, 12), (32, 40), (300, 64)])
def _(shape):
    n, width = shape

    def whole(x, w):
        h = tf.zeros([n, width])
        for t in tf.range(10):
            h = tf.tanh(x[t] + h @ w)
        return h
    return _with_gradients(whole), draw(10, n, width), draw(width, width) * 0.1


@case("scatter", [(20000, 16, 300), (3000, 64, 3000)])
def _(shape):
    rows, width, table = shape
    ids = tf.constant(np.random.RandomState(0).randint(0, table, rows))

    def whole(x):
        sums = tf.math.unsorted_segment_sum(x, ids, table)
        return sums, tf.gather(sums, ids), tf.tensor_scatter_nd_add(sums, ids[:, None], x)
    return whole, draw(rows, width)


@case("draws", [100, 300001])
def _(n):
    def whole(seed):
        return (tf.random.stateless_normal([n], seed), tf.random.stateless_uniform([n], seed),
                tf.random.stateless_truncated_normal([n], seed))
    return whole, tf.constant([3, 4])
