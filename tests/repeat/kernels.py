"""Kernels that use BLAS, LAPACK or several threads, each on several sizes and dtypes.

`CASES` maps a name to a function of no arguments that returns the results. Operands lie `OFFSET`
elements behind a multiple of 64 bytes: where memory happens to lie must not matter either.
"""

import functools
import os

import numpy as np

import tapeflow as tf
from tapeflow.core.values.tensor import wrap

OFFSET = int(os.environ.get("REPEAT_OFFSET", "0"))
CASES = {}


def _placed(x):
    """The array in memory that begins OFFSET elements behind a multiple of 64 bytes."""
    room = np.empty(x.nbytes + 64 + OFFSET * x.itemsize, np.uint8)
    start = -room.ctypes.data % 64 + OFFSET * x.itemsize
    y = room[start:start + x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y


@functools.lru_cache(64)
def draw(*shape, dtype="f", seed=0):
    """Random numbers as a tensor."""
    r = np.random.RandomState(seed + sum(shape))
    x = r.standard_normal(shape)
    if dtype in "FD":
        x = x + 1j * r.standard_normal(shape)
    return wrap(_placed(x.astype(dtype)))


def _plus_unit(x, by):
    n = x.shape[-1]
    return wrap(_placed(x.numpy() + by * np.eye(n, dtype=x.numpy().dtype)))


@functools.lru_cache(64)
def definite(n, dtype="f", stack=()):
    """Symmetric positive definite matrices."""
    a = draw(*stack, n, n, dtype=dtype).numpy()  # without a product: NumPy's own may vary
    return wrap(_placed((a + a.conj().swapaxes(-1, -2) + 4 * n ** 0.5 * np.eye(n)).astype(dtype)))


def case(name, *lists):
    """Registers a function of one element of each list."""
    def decorate(function):
        def add(chosen, rest):
            if not rest:
                label = " ".join(str(one).replace(" ", "") for one in chosen)
                CASES[f"{name} {label}".strip()] = lambda: function(*chosen)
                return
            for one in rest[0]:
                add((*chosen, one), rest[1:])
        add((), lists)
        return function
    return decorate


# -- products --------------------------------------------------------------------------------------
SHAPES = [(3, 2, 1), (1, 20000, 1), (1, 700, 700), (700, 700, 1), (30, 30, 100), (65, 129, 33),
          (64, 784, 256), (100, 100, 100), (127, 255, 129), (256, 256, 256), (300, 301, 299),
          (2000, 20, 700), (20, 40000, 30), (513, 512, 400)]


@case("matmul", SHAPES, "fdFD", [(False, False), (True, False), (False, True)])
def _(shape, dtype, flips):
    m, k, n = shape
    a = draw(*((k, m) if flips[0] else (m, k)), dtype=dtype)
    b = draw(*((n, k) if flips[1] else (k, n)), dtype=dtype, seed=1)
    return tf.matmul(a, b, transpose_a=flips[0], transpose_b=flips[1])


@case("gram", [(30, 50), (200, 90), (400, 300)], "fdF")
def _(shape, dtype):
    x = draw(*shape, dtype=dtype)
    return tf.matmul(x, x, transpose_a=True), tf.matmul(x, x, transpose_b=True)


@case("stack", [(8, 100, 64, 80), (2, 300, 300, 300), (3, 1, 9000, 40), (64, 90, 90, 90)], "fdF")
def _(shape, dtype):
    s, m, k, n = shape
    return (tf.matmul(draw(s, m, k, dtype=dtype), draw(s, k, n, dtype=dtype)),
            tf.matmul(draw(s, m, k, dtype=dtype), draw(k, n, dtype=dtype)),
            tf.matmul(draw(m, k, dtype=dtype), draw(s, k, n, dtype=dtype)))


@case("einsum", ["abc,cd->abd", "abc,abd->cd", "abc,bd->acd", "abc,abc->"], "fd")
def _(equation, dtype):
    sizes = dict(a=20, b=70, c=90, d=60)
    shapes = [[sizes[l] for l in part] for part in equation.split("->")[0].split(",")]
    return tf.einsum(equation, *[draw(*shape, dtype=dtype) for shape in shapes])


@case("vectors", [100, 9000, 12345, 300001], "fd")
def _(n, dtype):
    x, y = draw(n, dtype=dtype), draw(n, dtype=dtype, seed=1)
    return (tf.tensordot(x, y, 1), tf.norm(x), tf.nn.l2_loss(x), tf.linalg.global_norm([x, y]),
            tf.linalg.matvec(draw(40, n, dtype=dtype), x))


# -- factorisations and solves ---------------------------------------------------------------------
SIDES = [5, 30, 33, 100, 257, 800]


@case("cholesky", SIDES, "fdFD")
def _(n, dtype):
    factor = tf.linalg.cholesky(definite(n, dtype))
    return factor, tf.linalg.cholesky_solve(factor, draw(n, 100, dtype=dtype))


@case("triangular_solve", SIDES, [1, 100, 600], "fdF", [False, True])
def _(n, columns, dtype, adjoint):
    a = _plus_unit(draw(n, n, dtype=dtype), 2 * n)
    return tf.linalg.triangular_solve(a, draw(n, columns, dtype=dtype), adjoint=adjoint)


@case("systems", SIDES, "fdF")
def _(n, dtype):
    a = _plus_unit(draw(n, n, dtype=dtype), 3)
    return (tf.linalg.solve(a, draw(n, 40, dtype=dtype)), tf.linalg.inv(a), tf.linalg.lu(a),
            tf.linalg.slogdet(a), tf.linalg.det(_plus_unit(a, 1)))


@case("spectra", [5, 33, 100, 257], "fdF")
def _(n, dtype):
    a = draw(n, n + 7, dtype=dtype)
    return (tf.linalg.eigh(definite(n, dtype)), tf.linalg.svd(a), tf.linalg.qr(a),
            tf.linalg.eigvals(draw(n, n, dtype=dtype)))


@case("least squares", [(300, 40), (1000, 200)], "fd", [True, False])
def _(shape, dtype, fast):
    return tf.linalg.lstsq(draw(*shape, dtype=dtype), draw(shape[0], 3, dtype=dtype), fast=fast)


@case("functions", [3, 5, 8, 16, 40, 200], "fd")
def _(n, dtype):
    a = wrap(_placed(draw(n, n, dtype=dtype).numpy() / n))
    return tf.linalg.expm(a), tf.linalg.sqrtm(definite(n, dtype)), tf.linalg.pinv(a)


@case("stacked", [(300, 10), (7, 40), (5, 150)], "fd")
def _(shape, dtype):
    s, n = shape
    a = definite(n, dtype, (s,))
    return (tf.linalg.cholesky(a), tf.linalg.inv(a), tf.linalg.eigh(a), tf.linalg.svd(a),
            tf.linalg.triangular_solve(a, draw(s, n, 3, dtype=dtype)), tf.linalg.slogdet(a))


# -- convolutions and pools ------------------------------------------------------------------------
def _with_gradients(function, *xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
        total = tf.reduce_sum(y * y)
    return y, tape.gradient(total, xs)


@case("conv2d", [(1, 12, 3, 8), (1, 90, 16, 32), (5, 33, 16, 20), (16, 30, 24, 40),
                 (40, 12, 64, 256)], [1, 3], "fd")
def _(shape, window, dtype):
    n, side, inner, outer = shape
    return _with_gradients(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"),
                           draw(n, side, side, inner, dtype=dtype),
                           draw(window, window, inner, outer, dtype=dtype))


@case("other convolutions", "fd")
def _(dtype):
    x, w = draw(9, 40, 40, 12, dtype=dtype), draw(3, 3, 12, 2, dtype=dtype)
    return (_with_gradients(lambda x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), x, w),
            _with_gradients(lambda x, w: tf.nn.conv3d(x, w, [1] * 5, "VALID"),
                            draw(2, 12, 12, 12, 8, dtype=dtype), draw(3, 3, 3, 8, 16, dtype=dtype)),
            _with_gradients(lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), x),
            _with_gradients(lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), x),
            tf.nn.dilation2d(x, draw(3, 3, 12, dtype=dtype), [1] * 4, "SAME", "NHWC", [1] * 4))


# -- large arrays ----------------------------------------------------------------------------------
@case("elementwise", [70000, 300001], "fd")
def _(n, dtype):
    x = draw(n, dtype=dtype)
    return ([f(x) for f in (tf.exp, tf.tanh, tf.sin, tf.math.erf, tf.sigmoid, tf.nn.gelu)],
            tf.math.lgamma(tf.abs(x)), tf.pow(tf.abs(x), x), tf.complex(x, x))


@case("reductions", [(300001,), (700, 501), (501, 700), (40, 50, 60)], "fd")
def _(shape, dtype):
    x = draw(*shape, dtype=dtype)
    return [[f(x), f(x, 0), f(x, -1)] for f in (
        tf.reduce_sum, tf.reduce_mean, tf.math.reduce_variance, tf.reduce_logsumexp,
        tf.reduce_prod)] + [tf.cumsum(x), tf.nn.softmax(x), tf.nn.log_softmax(x)]


@case("orders", [(600, 700)], "fd")
def _(shape, dtype):
    x = draw(*shape, dtype=dtype)
    return (tf.argsort(x), tf.sort(x), tf.math.top_k(x, 5), tf.argsort(x, 0),
            tf.histogram_fixed_width(x, tf.constant([-2, 2], x.dtype)))


@case("segments", [(20000, 300), (5000, 7)], "fd")
def _(shape, dtype):
    x = draw(*shape, dtype=dtype)
    few = wrap(np.sort(np.random.RandomState(0).randint(0, 12, shape[0])))
    many = wrap(np.random.RandomState(1).randint(0, 900, shape[0]))
    return (tf.math.segment_sum(x, few), tf.math.segment_mean(x, few),
            tf.math.unsorted_segment_sum(x, many, 900), tf.gather(x, many),
            tf.tensor_scatter_nd_add(tf.zeros_like(x), many[:, None], x))


@case("images", "fd")
def _(dtype):
    x = wrap(_placed(np.abs(draw(5, 200, 210, 3, dtype=dtype).numpy())))
    sized = [tf.image.resize(x, [111, 300], method, antialias=smooth) for smooth in (False, True)
             for method in ("bilinear", "bicubic", "area", "lanczos3")]
    return (sized, tf.image.adjust_contrast(x, 1.3), tf.image.rgb_to_hsv(x),
            tf.image.adjust_hue(x, 0.2),
            tf.image.crop_and_resize(x, tf.constant([[0.1, 0.1, 0.9, 0.8]] * 9),
                                     [0, 1, 2, 3, 4, 0, 1, 2, 3], [80, 90]),
            _with_gradients(lambda x: tf.image.resize(x, [99, 98]), x))


@case("transforms", [(37, 4099), (513, 512), (1, 100003)], "fd")
def _(shape, dtype):
    x = draw(*shape, dtype=dtype)
    z = tf.complex(x, x)
    return (tf.signal.rfft(x), tf.signal.fft(z), tf.signal.ifft(z), tf.signal.fft2d(z),
            tf.signal.dct(x, 2), tf.signal.stft(x, 256, 64))


# -- random numbers --------------------------------------------------------------------------------
@case("draws", [100, 300001, 2000003])
def _(n):
    tf.random.set_seed(5)
    seed = [1, 2]
    return (tf.random.normal([n]), tf.random.uniform([n]), tf.random.truncated_normal([n]),
            tf.random.stateless_normal([n], seed, dtype=tf.float64),
            tf.random.stateless_uniform([n], seed, 0, 99, tf.int32),
            tf.random.stateless_truncated_normal([n], seed),
            tf.random.Generator.from_seed(3).normal([n]))


@case("other draws")
def _():
    tf.random.set_seed(6)
    return (tf.random.categorical(draw(2000, 50), 20), tf.random.gamma([500], draw(300) ** 2),
            tf.random.poisson([500], tf.abs(draw(300)) * 9), tf.random.shuffle(draw(4000, 3)),
            tf.random.stateless_categorical(draw(2000, 50), 20, [1, 2]),
            tf.random.stateless_gamma([300, 300], [1, 2], draw(300) ** 2),
            tf.random.stateless_parameterized_truncated_normal([30000], [1, 2]),
            tf.random.stateless_binomial([300, 300], [1, 2], 20.0, 0.3),
            tf.random.experimental.stateless_shuffle(draw(4000, 3), [1, 2]))
